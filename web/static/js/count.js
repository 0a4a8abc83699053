// A round of cards that nobody followed: who went out, and what everybody else is left with.

import { byId, element, setText } from "./dom.js";
import { refuse, refuseAsLate } from "./wishes.js";

const ANSWER = "count-answer";
/** Stands for nobody among those who may have gone out. A player always has a name. */
const NOBODY = "";
const WHOLE = /^\d{1,4}$/;
/** Where this page keeps what was typed of the round that is counted. */
const TYPED = "counting";

/** The game as the page shows it. */
let game = null;
/** Which round of which game the form is for; empty without one. */
let shown = "";
let isSending = false;

/** Shows the form where a round of `state` is to be counted; `send(path, wish, place)` posts a wish. */
export function showCount(state, send) {
  ({ game } = state);
  const round = game?.count ? JSON.stringify([game.number, game.round, game.game]) : "";
  byId("count").hidden = round === "";
  if (round === shown) return;
  const wasTyped = shown !== "" && typedOf(shown).counts?.some((value) => value !== "");
  if (wasTyped && !isSending && game !== null) refuseAsLate("The round was counted elsewhere meanwhile, or goes on otherwise: what was typed here did not count.");
  shown = round;
  if (round === "") return;
  const { points, rule, quote, of_nobody: ofNobody } = game.count;
  const names = game.seats.map((seat) => seat.name);
  setText(byId("count-quote"), `“${quote}” (${rule})`);
  setText(byId("count-legend"), points ? "Points left in each hand" : "Cards left in each hand");
  byId("count-out").replaceChildren(...names.map((name) => choice(name, name)), choice(NOBODY, ofNobody));
  byId("count-hands").replaceChildren(...names.map(handField));
  fillIn(typedOf(round));
  byId("count-form").oninput = keep;
  byId("count-form").onsubmit = (event) => {
    event.preventDefault();
    tell(names, send);
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

function fields() {
  return [...document.querySelectorAll("#count-hands input")];
}

function whoIsOut() {
  return document.querySelector("#count-out input:checked")?.value ?? null;
}

/** Who went out holds nothing. */
function showFields() {
  const out = whoIsOut();
  fields().forEach((field, index) => {
    const isOut = out !== NOBODY && game.seats[index].name === out;
    if (isOut || field.readOnly) field.value = isOut ? "0" : "";
    field.readOnly = isOut;
  });
  keep();
}

/** What was typed outlasts a page that is loaded anew, and stands there again where the round is taken back. */
function keep() {
  sessionStorage.setItem(TYPED, JSON.stringify({ round: shown, out: whoIsOut(), counts: fields().map((field) => field.value) }));
}

function typedOf(round) {
  const typed = JSON.parse(sessionStorage.getItem(TYPED) ?? "{}");
  return typed.round === round ? typed : {};
}

function fillIn({ out = null, counts = [] }) {
  const chosen = [...document.querySelectorAll("#count-out input")].find((input) => input.value === out);
  if (chosen) chosen.checked = true;
  fields().forEach((field, index) => {
    field.value = counts[index] ?? "";
  });
  showFields();
}

async function tell(names, send) {
  const out = whoIsOut();
  const counts = fields().map((field) => field.value);
  const wrong = names.find((_, index) => !WHOLE.test(counts[index]));
  if (out === null) refuse("Say first who went out, or that nobody did.", ANSWER);
  else if (wrong) refuse(`Say what ${wrong} is left with, as a whole number; nothing is 0.`, ANSWER);
  else {
    isSending = true;
    const told = Object.fromEntries(names.map((name, index) => [name, Number(counts[index])]));
    await send("/api/game/count", { sequence: game.sequence, counts: told, ...(out === NOBODY ? {} : { out }) }, ANSWER);
    isSending = false;
  }
}
