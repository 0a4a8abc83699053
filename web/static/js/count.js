// A round of cards that nobody followed: who went out, and what everybody else is left with.

import { byId, element, setText } from "./dom.js";
import { refuse } from "./wishes.js";

const ANSWER = "count-answer";
/** Stands for nobody among those who may have gone out. A player always has a name. */
const NOBODY = "";

let shown = "";

/** Shows the form where a round of `state` is to be counted; `send(path, wish, place)` posts a wish. */
export function showCount(state, send) {
  const { game } = state;
  const isCounted = Boolean(game?.count);
  byId("count").hidden = !isCounted;
  const drawing = JSON.stringify(isCounted && [game.number, game.round, game.game, game.score.length]);
  if (drawing === shown) return;
  shown = drawing;
  if (!isCounted) return;
  const { points, rule, quote, of_nobody: ofNobody } = game.count;
  const names = game.seats.map((seat) => seat.name);
  setText(byId("count-quote"), `“${quote}” (${rule})`);
  setText(byId("count-legend"), points ? "Points left in each hand" : "Cards left in each hand");
  byId("count-out").replaceChildren(...names.map((name) => choice(name, name)), choice(NOBODY, ofNobody));
  byId("count-hands").replaceChildren(...names.map(handField));
  byId("count-form").onsubmit = (event) => {
    event.preventDefault();
    tell(game.sequence, names, send);
  };
}

function choice(value, label) {
  const input = element("input", { type: "radio", name: "count-out", value });
  input.addEventListener("change", showFields);
  return element("label", { class: "choice" }, input, label);
}

function handField(name, index) {
  const id = `count-${index}`;
  const input = element("input", { id, type: "number", inputmode: "numeric", min: 0, max: 9999, step: 1 });
  return element("p", { class: "count-hand" }, element("label", { for: id }, name), input);
}

function fieldOf(index) {
  return byId(`count-${index}`);
}

function whoIsOut() {
  return document.querySelector("#count-out input:checked")?.value ?? null;
}

/** Who went out holds nothing. */
function showFields() {
  const out = whoIsOut();
  [...document.querySelectorAll("#count-out input")].slice(0, -1).forEach((input, index) => {
    const isOut = input.value === out;
    if (isOut || fieldOf(index).readOnly) fieldOf(index).value = isOut ? "0" : "";
    fieldOf(index).readOnly = isOut;
  });
}

function tell(sequence, names, send) {
  const out = whoIsOut();
  const missing = names.filter((_, index) => fieldOf(index).value === "");
  if (out === null) refuse("Say first who went out, or that nobody did.", ANSWER);
  else if (missing.length) refuse(`Say what ${missing[0]} is left with; nothing is 0.`, ANSWER);
  else {
    const counts = Object.fromEntries(names.map((name, index) => [name, Number(fieldOf(index).value)]));
    send("/api/game/count", { sequence, counts, ...(out === NOBODY ? {} : { out }) }, ANSWER);
  }
}
