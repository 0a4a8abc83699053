// A game on the dashboard: what is asked now, the players, and the clock of the turn.

import { showClaims, towardsTarget } from "./claims.js";
import { byId, element, setText } from "./dom.js";
import { standing } from "./outcome.js";
import { tableInTiles } from "./tiles.js";
import { lastTold } from "./told.js";
import { count, withoutSwitch } from "./words.js";

const TICK_MS = 250;

let shown = "";
let clock = null;
let arrivedAt = 0;
let warned = false;

/** Shows the game of `state`, or hides its parts; `press(act)` is called when a button is. */
export function showGame(state, press) {
  const game = state.game;
  byId("game").hidden = game === null;
  byId("record").hidden = game === null;
  document.body.classList.toggle("in-game", game !== null);
  setClock(game?.clock ?? null);
  const detail = game === null ? "" : detailOf(state);
  const drawing = JSON.stringify({ game, detail }, (key, value) => (key === "now_s" ? undefined : value));
  if (drawing === shown) return;
  shown = drawing;
  if (game === null) return;
  setText(byId("game-where"), where(game));
  setText(byId("ask-text"), game.ask.text);
  setText(byId("ask-detail"), detail);
  showTable(game.to_put_back);
  const focused = document.activeElement?.closest("#acts button")?.dataset.key;
  byId("acts").replaceChildren(...game.ask.acts.map((act) => actButton(act, press)));
  byId("ask-rests").replaceChildren(...game.ask.rests_on.map((words) => element("li", {}, withoutSwitch(words))));
  byId("ask-rests").hidden = game.ask.rests_on.length === 0;
  if (focused) document.querySelector(`#acts [data-key="${CSS.escape(focused)}"]`)?.focus();
  byId("seats").replaceChildren(...game.seats.map((seat) => seatItem(seat, game)));
  showClaims(game);
  const ahead = game.phase === "game over" ? "" : [standing(game.leaders), toPoints(game)].filter(Boolean).join(" ");
  byId("standing").hidden = ahead === "";
  setText(byId("standing"), ahead);
  byId("score-link").hidden = game.score.length === 0;
  byId("record-file").setAttribute("href", `/games/${game.number}.record`);
  byId("last-told").hidden = game.last === "";
  setText(byId("last-line"), game.last ? lastTold(game.last) : "");
}

/** What stands below the question; while the camera is out, what is said of a layout is said of the one before. */
function detailOf({ game, ruling, camera }) {
  const isRuled = game.to_move !== null && game.to_put_back === null && !game.untouched && ruling !== null;
  if (!isRuled || game.ask.detail === "" || camera.state === "live") return game.ask.detail;
  return `By the layout read last: ${game.ask.detail}`;
}

/** The act that the space bar, Enter or a button on the table presses; null where none is meant. */
export function primaryAct(state) {
  return state.game.ask.acts.find((act) => act.primary) ?? null;
}

function where(game) {
  const of = game.rounds === null ? "" : ` of ${game.rounds}`;
  const parts = [game.extra ? "Extra round" : `Round ${game.round}${of}`];
  if (game.game !== null) parts.push(`game ${game.game}`);
  if (game.to_move !== null) parts.push(`turn ${game.turn}`, `${game.pool} in the pool`);
  return parts.join(", ");
}

/** What ends the game, where points do. */
function toPoints({ target }) {
  return target === null ? "" : `It is played to ${target} points.`;
}

/** The table that has to be laid again, set by set. */
function showTable(layout) {
  byId("ask-tiles").hidden = layout === null;
  const sets = tableInTiles(layout ?? "-");
  byId("ask-tiles").replaceChildren(...(sets.length ? sets : ["The table was empty."]));
}

function actButton(act, press) {
  const button = element("button", { type: "button", "data-act": act.act, "data-key": `${act.act} ${act.player}` }, act.label);
  button.classList.toggle("primary", act.primary);
  button.classList.toggle("aside", act.is_aside);
  if (act.primary) button.append(element("kbd", { "aria-hidden": "true" }, "Space"));
  button.addEventListener("click", () => press(act));
  return button;
}

function seatItem(seat, game) {
  const moves = seat.name === game.to_move;
  const item = element("li", { class: "seat", "aria-current": moves ? "true" : null });
  const dealt = !["start", "deal", "game over"].includes(game.phase);
  const tiles = dealt && game.followed ? `${count(seat.held, "tile")}${seat.opened ? ", opened" : ""}` : "";
  item.append(element("span", { class: "seat-name" }, seat.name), element("span", { class: "hint" }, tiles));
  if (seat.points !== null) item.append(element("span", { class: "seat-points" }, seat.points));
  item.append(towardsTarget(seat, game.claims));
  return item;
}

// The clock: what the server said, and what has passed since.

function setClock(next) {
  if (next === null || next.limit_s === 0) warned = false;
  clock = next;
  arrivedAt = performance.now();
  byId("clock").hidden = clock === null;
  setText(byId("clock-note"), clock?.note ?? "");
  byId("clock-note").hidden = !clock?.note;
  if (clock !== null) {
    byId("clock-pause").hidden = clock.over || clock.waits;
    setText(byId("clock-pause"), clock.since_s === null ? "Go on" : "Pause");
  }
  tick();
}

/** Whether the clock goes now. */
export function clockRuns() {
  return clock !== null && clock.since_s !== null;
}

function left() {
  const passed = clock.since_s === null ? 0 : clock.now_s - clock.since_s + (performance.now() - arrivedAt) / 1000;
  return Math.max(0, clock.limit_s - clock.spent_s - passed);
}

function tick() {
  if (clock === null) return;
  if (document.body.classList.contains("disconnected")) {
    // Whether the clock goes on is not known here: the network may be gone, or the program may have ended.
    setText(byId("clock-time"), "–:––");
    byId("clock").dataset.state = "paused";
    return;
  }
  const seconds = clock.over ? 0 : Math.ceil(left());
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  setText(byId("clock-time"), text);
  const low = seconds <= clock.warning_s;
  byId("clock").dataset.state = clock.over ? "over" : clock.since_s === null ? "paused" : low ? "low" : "running";
  if (low && !warned) setText(byId("announcement"), `${count(seconds, "second")} left.`);
  warned = low;
}

setInterval(tick, TICK_MS);
