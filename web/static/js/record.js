// Everything that was told of the game, with what is taken back struck out; any of it can be corrected.

import { askName, correctLine } from "./dialogs.js";
import { byId, element, setText } from "./dom.js";
import { getJson } from "./feed.js";
import { toldBy, toldInShort, toldInTiles, toldInWords } from "./told.js";
import { timeOfDay } from "./words.js";

let drawnFor = -1;
/** Lines of the record by their numbers. */
const drawn = new Map();

/** Draws the record anew where it is open and the game has gone on. `send(path, wish)` posts. */
export async function showRecord(state, send) {
  if (state.game === null || !byId("record").open || state.game.sequence === drawnFor) return;
  const { sequence } = state.game;
  drawnFor = sequence;
  let answers = [];
  try {
    answers = await Promise.all([getJson("/api/game/record"), getJson("/api/game/rules")]);
  } catch {
    forgetRecord(); // the page says by itself that the table does not answer; it is asked again
    return;
  }
  if (drawnFor !== sequence) return;
  const [{ record }, { rules }] = answers;
  const played = rules.find((each) => each.preset === state.game.preset);
  showHouseRules(played, state.game.followed);
  const names = state.game.seats.map((seat) => seat.name);
  byId("record-lines").replaceChildren(...record.toReversed().map((entry) => lineItem(entry, played.switches, names, send)));
}

/** The house rules that were chosen, and those that are asked when a turn depends on them. */
function showHouseRules({ title, switches }, followed) {
  const chosen = switches.filter((rule) => rule.chosen).map((rule) => [rule, rule.values[rule.now] ?? rule.now]);
  const open = followed ? switches.filter((rule) => rule.asked && !rule.chosen) : [];
  const question = (rule) => [`${rule.question} `, element("span", { class: "hint" }, `(${rule.rule})`)];
  setText(byId("house-word"), `${title}. ${chosen.length ? "Chosen at this table:" : "This table has chosen nothing of its own."}`);
  byId("house-rules").replaceChildren(...chosen.flatMap(([rule, answer]) => [element("dt", {}, ...question(rule)), element("dd", {}, String(answer))]));
  byId("house-open").hidden = open.length === 0;
  setText(byId("house-open-word"), `Chosen by nobody yet: ${open.length}`);
  byId("house-open-list").replaceChildren(...open.map((rule) => element("li", {}, ...question(rule))));
}

/** The record is drawn again when it is shown next. */
export function forgetRecord() {
  drawnFor = -1;
}

/** The line of an event as it was drawn before, where nothing has become of it since. */
function lineItem(entry, switches, names, send) {
  const about = JSON.stringify(entry);
  const before = drawn.get(entry.number);
  if (before?.about === about) return before.item;
  const item = newLine(entry, switches, names, send);
  drawn.set(entry.number, { about, item });
  return item;
}

/** An event in words with its tiles; pressed, it shows how it is written, and can be corrected. */
function newLine(entry, switches, names, send) {
  const { words, table } = toldInTiles(entry.line, switches);
  const said = element("span", {}, element("span", { class: "told-words" }, ...words));
  if (entry.line !== entry.told) said.append(`, told as ${toldInShort(entry.told)}`);
  const isGone = !entry.stands && !/^(undo|correct)\b/.test(entry.line);
  if (isGone) said.append(", taken back");
  said.append(element("span", { class: "hint" }, toldBy(entry.line, entry.by)));
  const time = element("time", { datetime: entry.at }, timeOfDay(entry.at));
  const details = element("details", {}, element("summary", {}, time, said), asWritten(entry, names, send));
  const item = element("li", { class: "told", "data-number": entry.number }, details);
  if (table !== null) item.append(element("p", { class: "tiles-line" }, ...(table.length ? table : ["An empty table."])));
  item.classList.toggle("undone", isGone);
  return item;
}

/** The notation of an event, and the button that corrects it. */
function asWritten(entry, names, send) {
  const written = element("div", { class: "as-written" }, element("span", {}, `Event ${entry.number}: `, element("code", {}, entry.line)));
  if (entry.line !== entry.told) written.append(element("span", {}, "Told as ", element("code", {}, entry.told)));
  if (entry.stands) {
    const button = element("button", { type: "button", class: "small", "aria-label": `Correct: ${toldInShort(entry.line)}` }, "Correct");
    button.addEventListener("click", () => correct(entry, names, send));
    written.append(button);
  }
  return written;
}

/** Asks until a line was taken, or nobody wants to correct the event any more; nothing that was written is lost. */
async function correct({ number, line: was }, names, send) {
  const why = "ask-line-answer";
  let line = was;
  let isTaken = false;
  setText(byId(why), "");
  while (!isTaken) {
    line = await correctLine(was, line);
    if (line === null) return;
    if (!(await send("/api/game/correct", { number, was, line, only_try: true }, why))) continue;
    const by = await askName(`It was so: ${toldInWords(line)}`, names);
    if (by === null) return;
    isTaken = await send("/api/game/correct", { number, was, line, by }, why);
  }
}
