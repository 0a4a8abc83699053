// The log, turn by turn, newest first. It holds what the server logged and nothing else.

import { byId, element, setText } from "./dom.js";
import { getJson } from "./feed.js";
import { keepFocus } from "./focus.js";
import { answerInWords, withoutValues } from "./house.js";
import { overruledBy, ranOutOfTime, says, toldBy, toldInWords, turnOf } from "./told.js";
import { VERDICTS, count, labelInWords, timeOfDay } from "./words.js";

/** Events that are asked for at once. */
const AT_ONCE = 150;
/** So many are held at most, and those beside that somebody wanted to see. */
let most = 400;
const events = new Map();
/** The number of the oldest event of the log, as far as that is known. */
let first = 1;
let isFetching = false;
/** Turns that a person opened or closed, by their ids: whether they are to be open. */
const wanted = new Map();
/** The games by their presets, as people call them. */
const TITLES = JSON.parse(document.body.dataset.rules);

/** What a game is called, by the name of its rules. */
export const titleOf = (preset) => TITLES[preset] ?? preset;

/** Adds logged events and draws the turns anew; events that are known already change nothing. */
export function addEvents(logged) {
  const fresh = logged.filter((entry) => !events.has(entry.sequence));
  if (fresh.length === 0) return;
  for (const entry of fresh) events.set(entry.sequence, entry);
  const numbers = [...events.keys()].sort((a, b) => a - b);
  for (const number of numbers.slice(0, -most)) events.delete(number);
  draw();
}

/** Asks for the newest events, or for those that come before the oldest one that is held. */
async function fetchEvents(which) {
  const answer = await getJson(`/api/log?${which}limit=${AT_ONCE}`);
  first = answer.first;
  return answer.events;
}

/** Takes the newest events of the log. */
export async function beginHistory() {
  addEvents(await fetchEvents(""));
}

/** Takes older turns; what is wrong is told below the button. */
async function goFurtherBack() {
  if (isFetching) return;
  isFetching = true;
  setText(byId("turns-answer"), "");
  try {
    const older = await fetchEvents(`before=${oldest()}&`);
    most += older.length;
    keepFocus(() => {
      addEvents(older);
      drawOlder();
    });
  } catch (error) {
    setText(byId("turns-answer"), error.message);
  } finally {
    isFetching = false;
  }
}

/** The number of the oldest event held, 0 for none. */
function oldest() {
  return events.size === 0 ? 0 : Math.min(...events.keys());
}

/** The button for what is left out, where something is. */
function drawOlder() {
  byId("turns-older").hidden = oldest() <= first;
}

/** The number of the newest event held, 0 for none. */
export function newest() {
  return Math.max(0, ...events.keys());
}

/** Whether the log of the program that answers now holds the newest event that is held here. */
export async function isOfThisLog() {
  const held = events.get(newest());
  if (!held) return true;
  const { events: found } = await getJson(`/api/log?after=${held.sequence - 1}&limit=1`);
  return JSON.stringify(found) === JSON.stringify([held]);
}

function draw() {
  byId("turns").replaceChildren(...byTurn().map((group, index) => turnItem(group, index === 0)));
  drawOlder();
}

byId("turns-older").addEventListener("click", goFurtherBack);

/** Events in groups of one turn of one session, newest group first. A round begins a group of its own. */
function byTurn() {
  const groups = [];
  let session = 0;
  let group = null;
  let inGame = false;
  for (const entry of [...events.values()].sort((a, b) => a.sequence - b.sequence)) {
    const started = entry.kind === "session_started";
    if (started) session = entry.sequence;
    const turn = entry.event.turn ?? (started ? 1 : (group?.turn ?? 1));
    const begins = entry.kind === "round_started" || !group || group.turn !== turn || group.session !== session;
    if (begins) {
      if (group) group.after = started ? "Interrupted" : "Between rounds";
      group = { turn, session, entries: [], inGame, after: "Under way" };
      groups.push(group);
    }
    group.entries.push(entry);
    if (["game_told", "game_resumed"].includes(entry.kind)) inGame = true;
    if (entry.kind === "game_left") inGame = false;
    group.inGame = inGame;
  }
  return groups.reverse();
}

/** `after` is what a turn of a game is called that did not end, by what came after it. */
function turnItem({ turn, entries, inGame, after }, newestTurn) {
  const id = `turn-${entries[0].sequence}`;
  const details = element("details", { id });
  details.open = wanted.get(id) ?? newestTurn;
  const end = entries.find((entry) => entry.kind === "turn_confirmed");
  const ruling = entries.findLast((entry) => entry.kind === "ruling_given");
  const verdict = (end ?? (isNews(ruling) ? ruling : null))?.event.verdict;
  const told = entries.filter((entry) => entry.kind === "game_told").map((entry) => entry.event.line);
  const player = told.map(turnOf).find(Boolean);
  const name = player ?? (inGame && !end ? after : `Turn ${turn}`);
  const summary = element("summary", {}, element("span", { class: "turn-name" }, name));
  summary.addEventListener("click", () => wanted.set(id, !details.open));
  if (told.some(ranOutOfTime)) {
    summary.append(element("span", { class: "chip" }, "time was up")); // whatever was said of what lay there
  } else if (verdict) {
    const { mark, log } = VERDICTS[verdict];
    summary.append(element("span", { class: "chip", "data-verdict": verdict }, `${mark} ${log}`));
  }
  const overruled = told.map(overruledBy).find(Boolean);
  if (overruled) summary.append(element("span", { class: "chip" }, `let stand by ${overruled}`));
  const when = end ?? (newestTurn ? null : entries.at(-1));
  summary.append(element("span", { class: "when" }, when ? timeOfDay(when.at) : "now"));
  const lines = entries.toReversed().map((entry) => line(entry)).filter(Boolean);
  details.append(summary, element("ol", { class: "lines" }, ...lines));
  return element("li", { class: "turn" }, details);
}

/** Whether a ruling says something: at the start of a turn the table is as the last turn left it. */
function isNews(entry) {
  return entry?.kind === "ruling_given" && (entry.event.verdict !== "LEGAL" || entry.event.layout !== (entry.event.before ?? "-"));
}

function line(entry) {
  if (entry.kind === "ruling_given" && !isNews(entry)) return null;
  const words = SENTENCES[entry.kind]?.(entry.event);
  if (!words) return null;
  const item = element("li", { "data-sequence": entry.sequence, "data-kind": entry.kind });
  const sentence = words.replace(/\.\.$/, "."); // the name at its end has a full stop of its own
  item.append(element("time", { datetime: entry.at }, timeOfDay(entry.at)), element("span", {}, sentence));
  if (entry.kind === "layout_read" && entry.event.tiles.length) item.append(element("code", {}, entry.event.text));
  if (entry.kind === "picture_saved") {
    item.lastChild.append(" ", element("a", { href: `/pictures/${encodeURIComponent(entry.event.file)}` }, "Look at it"));
  }
  return item;
}

/** The same where a sentence begins. */
function teller(by) {
  const words = whom(by);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Those of the program are things, everybody else has a name, or gave none. */
function whom(by = "person") {
  if (by === "person") return "a person";
  return ["rendered table", "camera", "markers"].includes(by) ? `the ${by}` : by;
}

/** What a tile was read as and what it is; somebody may as well say that it was read rightly. */
function corrected({ tile, was, label }) {
  if (tile === null) return `what was said to be no tile is ${labelInWords(label)} after all`;
  if (was === label) return `a tile in doubt is ${labelInWords(label)}`;
  return `${was ? labelInWords(was) : "the unread tile"} is ${labelInWords(label)}`;
}

const SENTENCES = {
  session_started: (event) => `Watching ${event.source}. Outside a game the rules of ${titleOf(event.rules)} count.`,
  camera_state: (event) => (event.state === "live" && !event.detail ? null : `Camera: ${event.state}. ${event.detail}`),
  layout_read: (event) => (event.tiles.length ? `Read ${count(event.tiles.length, "tile")}.` : "Read an empty table."),
  ruling_given: (event) =>
    [`Ruling: ${VERDICTS[event.verdict].log}.`, ...event.findings.map((finding) => `${finding.message} (${finding.rule})`),
      ...event.questions.map((question) => withoutValues(question.text))].join(" "),
  correction: (event) => `${teller(event.by)} says that ${corrected(event)}.`,
  question_answered: (event) => `${withoutValues(event.text)} – ${answerInWords(event.text, event.option)}, says ${whom(event.by)}.`,
  places_forgotten: (event) => `What stands on racks and what is no tile is asked about again${says(event.by)}.`,
  turn_confirmed: (event) => (event.by === "person" ? "The turn ended." : `Turn ended by ${whom(event.by)}.`),
  picture_saved: () => "Picture of the table kept.",
  round_started: (event) => `New round${says(event.by)}.`,
  table_before_shown: (event) => `The table before the turn is ${event.shown ? "shown" : "hidden"}${says(event.by)}.`,
  table_put_back: (event) => `The table lies as it did before, says ${whom(event.by)}.`,
  game_told: (event) => `${toldInWords(event.line)}${toldBy(event.line, event.by)}.`,
  game_left: (event) => `The game was put away${says(event.by)}.`,
  table_disarranged: (event) => `The sets lay otherwise when the turn of ${event.player} ended: the table is put back.`,
  game_resumed: (event) => `A game that was put away goes on${says(event.by)}.`,
  clock_set: (event) => event.by === "start" ? `The program began again; the clock stands, with ${Math.round(event.spent_s)} s of the turn taken.` : `${{ paused: "The clock stands", running: "The clock goes on", full: "The time begins anew" }[event.to]}${says(event.by)}.`,
  time_over: (event) => `Time is up for ${event.player}.`,
  rack_read: (event) => `Read ${count(event.tiles.length, "tile")} of ${event.player}'s rack${says(event.by)}.`,
  rack_told: (event) => `${event.player} holds ${event.tiles.map(labelInWords).join(", ") || "nothing"}, says ${whom(event.by)}.`,
  rack_corrected: (event) => `On ${event.player}'s rack ${event.was ? `${labelInWords(event.was)} is ${labelInWords(event.label)}` : `there is ${labelInWords(event.label)}`}, says ${whom(event.by)}.`,
  region_set: (event) => `The table in the picture: ${event.origin}, said by ${whom(event.by)}.`,
  trouble: (event) => `Trouble with the ${event.where}: ${event.message}`,
};
