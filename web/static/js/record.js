// Everything that was told of the game, with what is taken back struck out; any of it can be corrected.

import { askName, correctLine } from "./dialogs.js";
import { byId, element, setText } from "./dom.js";
import { getJson } from "./feed.js";
import { timeOfDay, toldInWords } from "./words.js";

let drawnFor = -1;

/** Draws the record anew where it is open and the game has gone on. `send(path, wish)` posts. */
export async function showRecord(state, send) {
  if (state.game === null || !byId("record").open || state.game.sequence === drawnFor) return;
  drawnFor = state.game.sequence;
  const [{ record }, { rules }] = await Promise.all([getJson("/api/game/record"), getJson("/api/game/rules")]);
  showHouseRules(rules.find((each) => each.preset === state.game.preset));
  const names = state.game.seats.map((seat) => seat.name);
  byId("record-lines").replaceChildren(...record.toReversed().map((entry) => lineItem(entry, names, send)));
}

/** The house rules that were chosen, and those that are asked when a turn depends on them. */
function showHouseRules({ title, switches }) {
  const chosen = switches.filter((rule) => rule.chosen).map((rule) => [rule, rule.values[rule.now] ?? rule.now]);
  const open = switches.filter((rule) => rule.asked && !rule.chosen);
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

function lineItem(entry, names, send) {
  const item = element("li", { "data-number": entry.number });
  item.classList.toggle("undone", !entry.stands);
  const words = element("span", {}, element("code", {}, entry.line));
  if (entry.line !== entry.told) words.append(` (told as ${entry.told})`);
  if (!entry.stands && !entry.line.startsWith("undo") && !entry.line.startsWith("correct")) words.append(" taken back");
  if (entry.by !== "person") words.append(element("span", { class: "hint" }, `, said by ${entry.by}`));
  item.append(element("time", { datetime: entry.at }, timeOfDay(entry.at)), words);
  if (entry.stands) {
    const button = element("button", { type: "button", class: "small", "aria-label": `Correct: ${entry.line}` }, "Correct");
    button.addEventListener("click", async () => {
      const line = await correctLine(entry.line);
      if (line === null) return;
      const by = await askName(`It was so: ${toldInWords(line)}`, names);
      if (by !== null) send("/api/game/correct", { number: entry.number, line, by });
    });
    words.append(" ", button);
  }
  return item;
}
