// Every game of this table, the newest first: who played, how it ended, its score sheet and its record.

import { byId, element, setText } from "./dom.js";
import { getJson } from "./feed.js";
import { outcomeInWords } from "./outcome.js";
import { dayAndTime } from "./words.js";

function gameItem(game) {
  const item = element("li", { class: "kept-game", "data-number": game.number });
  const when = element("time", { class: "hint", datetime: game.at }, dayAndTime(game.at));
  const points = game.players.map((name, index) => (game.totals.length ? `${name} ${game.totals[index]}` : name));
  item.append(element("h3", {}, game.title), when, element("p", {}, points.join(", ")));
  item.append(element("p", { class: "outcome" }, outcomeInWords(game)));
  const links = element("div", { class: "row" });
  if (game.totals.length) links.append(element("a", { class: "button", href: `/score?game=${game.number}` }, "Score sheet"));
  const names = game.players.join(", ");
  links.append(element("a", { class: "button", href: game.record, download: "", "aria-label": `Download the record of ${names}` }, "Download the record"));
  item.append(links);
  return item;
}

try {
  const { games } = await getJson("/api/games");
  byId("games").replaceChildren(...games.map(gameItem));
  setText(byId("games-word"), games.length ? "" : "No game with players was begun at this table yet.");
} catch (error) {
  setText(byId("games-word"), error.message);
}
document.body.dataset.ready = "";
