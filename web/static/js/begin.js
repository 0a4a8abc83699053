// The page on which a game begins: which one, who plays, who begins, and how this table plays.

import { byId, element, setText } from "./dom.js";
import { follow, getJson, post } from "./feed.js";
import { named } from "./who.js";

const ASK = "";
/** Characters of a name, as the server takes them. */
const LONGEST_NAME = 40;
/** Where this browser keeps who played last; nobody else gets it. */
const LAST_PLAYERS = "players";
/** The same of the game. */
const LAST_GAME = "game";
/** Characters that a field shows on a phone. */
const NARROW = 34;
/** A house rule that every table talks about before it plays: it stands beside the players, as does what
 *  nothing in the rules says and a table has to agree on. */
const TARGET = "score.target";
const AGREED = "agreed";
/** Seats of this page; a longer table begins through the interface of docs/api.md. */
const MOST_SEATS = 8;
const NOT_SEEN = "The camera reads tiles, not playing cards: nobody follows the turns, you count each round, and the score is kept.";
const PLACEHOLDERS = ["Who sits here?", "And to the left?", "And next?", "And next?"];

let rules = [];
let players = 0;
/** Whether somebody has written or chosen something here. */
let isTouched = false;
/** Whether a game is being begun here. */
let isSending = false;
/** What the table said last. */
let state = null;

function chosen() {
  return rules.find((each) => each.preset === byId("preset").value);
}

function names() {
  return [...document.querySelectorAll("#players input")].map((input) => input.value.trim()).filter(Boolean);
}

function addPlayer() {
  const number = (players += 1);
  const id = `player-${number}`;
  const input = element("input", {
    id, maxlength: LONGEST_NAME, "aria-describedby": `${id}-limit`, autocomplete: "off", placeholder: PLACEHOLDERS[Math.min(number, PLACEHOLDERS.length) - 1],
  });
  input.addEventListener("input", showStarters);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") goOn(event, number);
  });
  const limit = element("span", { class: "hint limit", id: `${id}-limit`, role: "status" });
  input.addEventListener("input", () => {
    setText(limit, input.value.length < LONGEST_NAME ? "" : `A name has at most ${LONGEST_NAME} characters.`);
  });
  byId("players").append(element("p", {}, element("label", { for: id }, `Player ${number}`), input, limit));
  showSeats();
}

/** How many may play, as the house rule about it is chosen on the page. */
function mostPlayers() {
  const field = document.querySelector('[data-switch="players.most"]');
  return Number(field?.value) || chosen().players[1];
}

/** Whether one more seat is offered, and which way play goes where it goes the other way round. */
function showSeats() {
  byId("more-players").hidden = players >= Math.min(mostPlayers(), MOST_SEATS);
  const [first, ...others] = names();
  const next = others.length > 1 ? ` After ${first} it is the turn of ${others.at(-1)}.` : "";
  byId("direction").hidden = chosen().direction === "clockwise";
  setText(byId("direction"), `In this game play goes the other way round, counterclockwise.${next}`);
}

/** Enter leads to the next name, and does not begin the game before all are there. */
function goOn(event, number) {
  event.preventDefault();
  (document.getElementById(`player-${number + 1}`) ?? byId("more-players")).focus();
}

/** A choice for each name, and one for a game in which it is drawn first. */
function showStarters() {
  const now = document.querySelector("#starters input:checked")?.value ?? "";
  const choices = names().map((name) => starter(name, name, name === now));
  const later = starter("", chosen().followed ? "We draw first" : "We see to that first", !names().includes(now));
  byId("starters").replaceChildren(...choices, later);
  showSeats();
}

function starter(value, label, checked) {
  const input = element("input", { type: "radio", name: "starter", value });
  input.checked = checked;
  return element("label", { class: "choice" }, input, label);
}

function showSwitches() {
  const { switches, followed } = chosen();
  setText(byId("unseen"), followed ? "" : NOT_SEEN);
  setText(byId("before"), followed ? "Clear the table, mix the tiles, and everybody takes theirs. Then:" : "Shuffle the cards, and deal. Then:");
  const isTalkedAbout = ({ name, now }) => name === TARGET || now === AGREED;
  byId("target").replaceChildren(...switches.filter(isTalkedAbout).map(switchItem));
  byId("switches").replaceChildren(...switches.filter((rule) => !isTalkedAbout(rule)).map(switchItem));
  byId("locks-line").hidden = !chosen().claims;
  while (players < Math.min(4, chosen().players[1])) addPlayer();
  showSeats();
  showOwn();
}

/** How many of the folded house rules are not as usual: the last game's hold for this one, too. */
function showOwn() {
  for (const field of document.querySelectorAll("#switches [data-switch]")) {
    const { asked, usual } = chosen().switches.find(({ name }) => name === field.dataset.switch);
    field.parentElement.classList.toggle("own", field.value !== "" && (asked || field.value !== usual));
  }
  const own = document.querySelectorAll("#switches .own").length;
  setText(byId("house-word"), own === 0 ? "House rules" : `House rules (${own} of your own)`);
}

function switchItem(rule) {
  const id = `rule-${rule.name}`;
  const field = Object.keys(rule.values).length ? selectOf(rule, id) : numberOf(rule, id);
  field.dataset.switch = rule.name;
  const item = element("p", {}, element("label", { for: id }, `${rule.question} `, element("span", { class: "hint" }, `(${rule.rule})`)), field);
  if (field.tagName === "SELECT") item.append(wholeChoice(field));
  if (rule.unseen.length) item.append(unseenChoice(field, rule));
  return item;
}

/** Says so where the camera does not follow a game that is played so. */
function unseenChoice(select, { unseen }) {
  const words = element("span", { class: "hint unseen", role: "status" });
  const show = () => setText(words, unseen.includes(select.value) ? NOT_SEEN : "");
  select.addEventListener("change", show);
  show();
  return words;
}

/** What is chosen, in full below a field that is too narrow for it. */
function wholeChoice(select) {
  const words = element("span", { class: "hint whole" });
  const show = () => {
    const chosenNow = select.selectedOptions[0]?.textContent ?? "";
    setText(words, chosenNow.length > NARROW ? chosenNow : "");
  };
  select.addEventListener("change", show);
  show();
  return words;
}

/** The value that is sent only where it is another one, or this table has it so already. What is asked in play
 *  can also be left open again by a table that has chosen. */
function selectOf(rule, id) {
  const select = element("select", { id });
  if (rule.asked) select.append(element("option", { value: ASK }, "Ask when it matters"));
  for (const [value, meaning] of Object.entries(rule.values)) {
    const usual = !rule.asked && value === rule.usual ? " (as the rules have it)" : "";
    select.append(element("option", { value }, `${meaning.replace(/\.$/, "")}${usual}`));
  }
  select.value = rule.asked && !rule.chosen ? ASK : rule.now;
  select.dataset.left = rule.chosen ? "" : select.value;
  return select;
}

function numberOf(rule, id) {
  const agreed = rule.now === AGREED;
  const input = element("input", { id, type: "number", inputmode: "numeric", min: rule.least, max: rule.most });
  input.value = agreed ? "" : rule.now;
  if (agreed) input.placeholder = "as agreed";
  input.dataset.left = rule.chosen ? "" : input.value;
  return input;
}

function houseRules() {
  const found = {};
  for (const field of document.querySelectorAll("[data-switch]")) {
    if (field.value !== "" && field.value !== field.dataset.left) found[field.dataset.switch] = field.value;
  }
  return found;
}

/** Those who played last sit there again, until somebody says otherwise. */
function seatLastPlayers() {
  const last = JSON.parse(localStorage.getItem(LAST_PLAYERS) ?? "[]").slice(0, chosen().players[1]);
  while (players < last.length) addPlayer();
  last.forEach((name, index) => {
    byId(`player-${index + 1}`).value = name;
  });
}

async function begin(event) {
  event.preventDefault();
  const starter = document.querySelector("#starters input:checked")?.value ?? "";
  const wish = { preset: byId("preset").value, players: names(), house_rules: houseRules() };
  if (chosen().claims && byId("locks").value !== "") wish.locks = Number(byId("locks").value);
  const [least] = chosen().players;
  if (wish.players.length < least) {
    refuse(`${chosen().title} is for ${least} to ${mostPlayers()} players: write down who plays.`);
    return;
  }
  isSending = true;
  showWhetherToBegin();
  try {
    await post("/api/game/begin", { ...named(), ...(starter ? { ...wish, starter } : wish) });
    localStorage.setItem(LAST_PLAYERS, JSON.stringify(wish.players));
    localStorage.setItem(LAST_GAME, wish.preset);
    location.assign("/");
  } catch (error) {
    isSending = false;
    refuse(error.message);
    showWhetherToBegin();
  }
}

/** A browser says what is wrong with a field beside it, which has to be in sight for that. */
function unfold(event) {
  const folded = event.target.closest("details");
  if (folded) folded.open = true;
}

function refuse(words) {
  setText(byId("refused"), words);
  byId("refused").scrollIntoView({ block: "nearest" });
}

/** What stands here by what the table says now: a game may be begun, or put away, on another page. */
async function follows(next) {
  const couldNot = state !== null && whyNot() !== "";
  state = next;
  showWhetherToBegin();
  if (!couldNot || whyNot() !== "" || isTouched) return;
  try {
    const answer = await getJson("/api/game/rules"); // with the house rules of the game that was put away
    if (isTouched) return;
    ({ rules } = answer);
    showSwitches();
  } catch {
    // Those of before can be chosen as well.
  }
}

/** Whether a game can be begun, and if not, why; not while that is what is being done. */
function showWhetherToBegin() {
  const why = whyNot();
  byId("begin-now").disabled = isSending || why !== "";
  if (isSending) return;
  setText(byId("cannot-now"), why);
  byId("cannot").hidden = why === "";
}

/** Why no game can be begun now; empty where one can. */
function whyNot() {
  if (state.rendered) return "On the rendered table imaginary players play. Watch a real one to begin a game.";
  if (state.game === null || state.game.phase === "game over") return "";
  return `${state.game.seats.map((seat) => seat.name).join(", ")} are in the middle of a game. Put it away first, on the page of the table.`;
}

try {
  ({ rules } = await getJson("/api/game/rules"));
  state = await getJson("/api/state");
  byId("preset").append(...rules.map((each) => element("option", { value: each.preset }, each.title)));
  const usual = [localStorage.getItem(LAST_GAME), state.rules].find((name) => rules.some(({ preset }) => preset === name));
  if (usual) byId("preset").value = usual;
  showSwitches();
  seatLastPlayers();
  showStarters();
  byId("preset").addEventListener("change", () => {
    showSwitches();
    showStarters();
  });
  byId("more-players").addEventListener("click", addPlayer);
  byId("switches").addEventListener("input", () => {
    showSeats();
    showOwn();
  });
  byId("form").addEventListener("submit", begin);
  byId("form").addEventListener("input", () => {
    isTouched = true;
    setText(byId("refused"), ""); // it may be mended by that
  });
  byId("form").addEventListener("invalid", unfold, { capture: true });
  showWhetherToBegin();
  follow(state.sequence, { connected: () => {}, state: follows, picture: () => {}, log: () => {} });
  document.body.dataset.ready = "yes";
} catch (error) {
  setText(byId("refused"), error.message);
}
