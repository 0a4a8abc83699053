// The score sheet: of the game under way, which it follows by itself, or of any game of this table.

import { byId, element, setText } from "./dom.js";
import { follow, getJson } from "./feed.js";
import { outcomeInWords, standing, together } from "./outcome.js";
import { meldInTiles } from "./tiles.js";
import { parseLabel, withoutSwitch } from "./words.js";

const asked = new URLSearchParams(location.search).get("game");

let hadGame = null;
let shown = "";

/** The game under way; without one the last that was played, where there is one. */
function show(state) {
  const game = state.game;
  if (game === null && hadGame !== false) showLast();
  hadGame = game !== null;
  if (game === null) return;
  const isOver = game.phase === "game over";
  const kept = { ...game, players: game.seats.map((seat) => seat.name), record: `/games/${game.number}.record` };
  draw(kept, `${game.title}. ${said(game, isOver)}`, isOver ? `${together(game.leaders)} won!` : "");
}

async function showLast() {
  try {
    const { games } = await getJson("/api/games");
    if (games.length) showKept(await getJson(`/api/games/${games[0].number}`), "No game is under way. The last one: ");
    else draw(null, "No game is under way.", "");
  } catch (error) {
    connected(false, error.message);
  }
}

function said(game, isOver) {
  if (game.score.length === 0) return game.claims === null ? "No round is over yet." : "No set is claimed yet.";
  if (isOver) return "The game is over.";
  const end = game.open_ended ? " No number of points was agreed on: it ends when you say that a round was the last." : "";
  return `${standing(game.leaders)}${end}`;
}

function showKept(game, before) {
  const won = game.outcome === "won";
  draw(game, `${before}${game.title}. ${won ? "The game is over." : outcomeInWords(game)}`, won ? `${together(game.leaders)} won!` : "");
}

/** Draws the sheet of `game`, or none, where it changed; `words` say how it stands and `winner` who won. */
function draw(game, words, winner) {
  const drawing = JSON.stringify([game?.record, game?.players, game?.score, game?.totals, game?.notes, words, winner]);
  if (drawing === shown) return;
  shown = drawing;
  byId("sheet").hidden = game === null || game.score.length === 0;
  setText(byId("score-where"), words);
  byId("score-record").hidden = game === null;
  if (game !== null) byId("score-record").setAttribute("href", game.record);
  const names = game?.players ?? [];
  const rows = game?.score ?? [];
  byId("sheet-head").replaceChildren(...[wordForRows(rows), ...names].map((name) => element("th", { scope: "col" }, name)));
  const counted = rows.filter((row) => !row.is_extra);
  byId("sheet-rows").replaceChildren(...counted.map((row, at) => rowItem(row, names, headOf(row, counted.slice(0, at)))));
  const totals = (game?.totals ?? []).map((points) => element("td", {}, points));
  byId("sheet-foot").replaceChildren(element("th", { scope: "row" }, "Total"), ...totals);
  const extra = rows.filter((row) => row.is_extra);
  byId("sheet-end").replaceChildren(byId("sheet-foot"), ...extra.map((row) => rowItem(row, names, headOfExtra(row))));
  tellWidth();
  byId("score-star").replaceChildren(...legend(rows));
  setText(byId("winner"), winner);
  byId("score-notes").replaceChildren(...(game?.notes ?? []).map((note) => element("li", {}, sentence(note))));
}

/** A note as a sentence of its own. */
function sentence(note) {
  return withoutSwitch(`${note.charAt(0).toUpperCase()}${note.slice(1)}.`.replace(/\.\.$/, "."));
}

/** What the rows of the sheet are, over their names. */
function wordForRows(rows) {
  if (rows.some((row) => row.is_total)) return "Game";
  return rows.some(isOfTiles) ? "Set" : "Round";
}

/** Whether a row is of a set that is claimed: its name is the set in notation. */
function isOfTiles(row) {
  return row.name.split(" ").every((label) => parseLabel(label) !== null);
}

/** The name of a row: of a set its tiles, of a tournament's game with its round for those who listen. */
function headOf(row, before) {
  if (isOfTiles(row)) return [meldInTiles(row.name)];
  if (row.is_total) return [`Sum of ${row.name.toLowerCase()}`];
  const round = before.filter((each) => each.is_total).length + 1;
  return row.name.startsWith("Game ") ? [element("span", { class: "hidden-word" }, `Round ${round}, `), row.name] : [row.name];
}

/** The name of an extra round, and under it that it is in no total. */
function headOfExtra(row) {
  const [name, ...beside] = row.name.split(", ");
  return [name, element("span", { class: "hidden-word" }, ", "), element("span", { class: "hint" }, beside.join(", "))];
}

function rowItem(row, names, head) {
  const cells = row.points.map((points, index) => {
    const won = row.winners.includes(names[index]);
    return won ? element("td", { class: "won" }, points, ...star()) : element("td", {}, points);
  });
  const item = element("tr", {}, element("th", { scope: "row" }, ...head), ...cells);
  item.classList.toggle("total", row.is_total);
  item.classList.toggle("extra", row.is_extra);
  return item;
}

/** The star of whoever won: drawn for those who look, in a word for those who listen. */
function star() {
  return [element("span", { class: "star", "aria-hidden": "true" }, " ★"), element("span", { class: "hidden-word" }, " won")];
}

/** What the star is for, by what the rows of the sheet are; nothing where none stands there. */
function legend(rows) {
  if (!rows.some((row) => row.winners.length)) return [];
  const what = rows.some((row) => row.is_total) ? "game or round" : "round";
  return [element("span", { "aria-hidden": "true" }, "★ "), `Won that ${what}; where several have it, they share it.`];
}

/** Says so where not everybody's column is in sight, and lets the keyboard push the sheet there. */
function tellWidth() {
  const room = byId("sheet-room");
  const isWide = room.scrollWidth > room.clientWidth;
  byId("sheet-wide").hidden = !isWide;
  if (isWide) room.tabIndex = 0;
  else room.removeAttribute("tabindex");
}

new ResizeObserver(tellWidth).observe(byId("sheet-room"));

function connected(isConnected, why) {
  document.body.classList.toggle("disconnected", !isConnected);
  if (isConnected) return;
  hadGame = null; // what stands there gives way to these words, and is shown anew
  shown = "";
  setText(byId("score-where"), why);
}

try {
  if (asked === null) {
    const state = await getJson("/api/state");
    show(state);
    follow(state.sequence, { connected, state: show, picture: () => {}, log: () => {} });
  } else {
    showKept(await getJson(`/api/games/${encodeURIComponent(asked)}`), "");
  }
} catch (error) {
  connected(false, error.message);
}
