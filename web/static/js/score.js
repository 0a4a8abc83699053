// The score sheet, which follows the game by itself.

import { byId, element, setText } from "./dom.js";
import { follow, getJson } from "./feed.js";

function show(state) {
  const game = state.game;
  byId("sheet").hidden = game === null || game.score.length === 0;
  setText(byId("score-where"), game === null ? "No game is under way." : `${game.title}. ${said(game)}`);
  const names = game?.seats.map((seat) => seat.name) ?? [];
  byId("sheet-head").replaceChildren(...["", ...names].map((name) => element("th", { scope: "col" }, name)));
  byId("sheet-rows").replaceChildren(...(game?.score ?? []).map((row) => rowItem(row, names)));
  const totals = (game?.totals ?? []).map((points) => element("td", {}, points));
  byId("sheet-foot").replaceChildren(element("th", { scope: "row" }, "Total"), ...totals);
  setText(byId("winner"), game?.phase === "game over" ? `${game.leaders.join(" and ")} won!` : "");
  byId("score-notes").replaceChildren(...(game?.notes ?? []).map((note) => element("li", {}, `${note.charAt(0).toUpperCase()}${note.slice(1)}.`.replace(/\.\.$/, "."))));
}

function said(game) {
  if (game.score.length === 0) return game.claims === null ? "No round is over yet." : "No set is claimed yet.";
  return game.phase === "game over" ? "The game is over." : `${game.leaders.join(" and ")} ahead.`;
}

function rowItem(row, names) {
  const cells = row.points.map((points, index) => {
    const won = row.winners.includes(names[index]);
    return element("td", won ? { class: "won" } : {}, won ? `${points} ★` : points);
  });
  const item = element("tr", {}, element("th", { scope: "row" }, row.name), ...cells);
  item.classList.toggle("total", row.is_total);
  return item;
}

function connected(isConnected, why) {
  document.body.classList.toggle("disconnected", !isConnected);
  if (!isConnected) setText(byId("score-where"), why);
}

try {
  const state = await getJson("/api/state");
  show(state);
  follow(state.sequence, { connected, state: show, picture: () => {}, log: () => {} });
} catch (error) {
  connected(false, error.message);
}
