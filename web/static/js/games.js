// Every game of this table, the one played last first: who played, how it ended, its score sheet and its record.

import { byId, element, setText } from "./dom.js";
import { getJson, post } from "./feed.js";
import { outcomeInWords } from "./outcome.js";
import { named } from "./who.js";
import { dayAndTime } from "./words.js";

/** The item of `game`; with a way back to it where one `isTable`, of which a camera takes pictures. */
function gameItem(game, isTable) {
  const item = element("li", { class: "kept-game", "data-number": game.number });
  const when = element("time", { class: "hint", datetime: game.at }, dayAndTime(game.at));
  const points = game.players.map((name, index) => (game.totals.length ? `${name} ${game.totals[index]}` : name));
  item.append(element("h3", {}, game.title), when, element("p", {}, points.join(", ")));
  item.append(element("p", { class: "outcome" }, outcomeInWords(game)));
  const links = element("div", { class: "row" });
  if (game.totals.length) links.append(element("a", { class: "button", href: `/score?game=${game.number}` }, "Score sheet"));
  const names = game.players.join(", ");
  if (isTable && game.may_go_on) links.append(goOnButton(game, names));
  links.append(element("a", { class: "button", href: game.record, download: "", "aria-label": `Download the record of ${names}` }, "Download the record"));
  item.append(links);
  return item;
}

function goOnButton({ number }, names) {
  const button = element("button", { type: "button", "aria-label": `Go on with the game of ${names}` }, "Go on with it");
  button.addEventListener("click", () => goOnWith(number));
  return button;
}

async function goOnWith(game) {
  try {
    await post("/api/game/resume", { ...named(), game });
    location.assign("/");
  } catch (error) {
    setText(byId("games-word"), error.message);
    byId("games-word").scrollIntoView({ block: "nearest" });
  }
}

try {
  const [{ games }, { rendered }] = await Promise.all([getJson("/api/games"), getJson("/api/state")]);
  byId("games").replaceChildren(...games.map((game) => gameItem(game, !rendered)));
  setText(byId("games-word"), games.length ? "" : "No game with players was begun at this table yet.");
} catch (error) {
  setText(byId("games-word"), error.message);
}
document.body.dataset.ready = "";
