// A line of a game's record for people who do not know its notation (docs/notation.md): in words, and with
// its tiles drawn.

import { houseRule as knownRule } from "./house.js";
import { tableInTiles, tileInText } from "./tiles.js";
import { count, labelInWords } from "./words.js";

/** A name as a record writes it: bare where it is one plain word and no tile, else in quotes. */
const NAME = String.raw`(?:"(?:[^"\\]|\\["\\])*"|[^\s"{;|]+)`;
const QUOTED = /"((?:[^"\\]|\\["\\])*)"/g;
const IN_QUOTES = /("(?:[^"\\]|\\["\\])*")/;

const LABEL = String.raw`(?:[KBRO]\d{1,2}|J|\*|(?:10|[2-9ATJQK])[SHDC])`;
const RUN = new RegExp(String.raw`(^|\s)(${LABEL}(?: ${LABEL})*)(?=$|[\s;])`, "g");
/** Stands in the words for a run of tiles. No name has it. */
const MARK = "\u0001";

const CORRECTION = new RegExp(`^correct (\\d+)( by ${NAME})?: (.*)$`, "s");
const TABLE = new RegExp(`^((?:correct \\d+(?: by ${NAME})?: )?${NAME} (?:plays|misplays|runs out of time)): *([^;{]*)`);
const GAME = /^game [a-z0-9-]+(?:; house: ([^;]*))?; players: (.*?)(?:; locks: (\d+))?$/s;
const HOUSE_RULE = new RegExp(`^house rule( by ${NAME})?: ([^\\s=]+)=(\\S+)$`);
const DECISIONS = { stands: "it stands", "taken back": "the last legal table comes back" };

/** Who let a turn stand that a line of a record tells of; empty where nobody did. */
export function overruledBy(line) {
  return unquoted(new RegExp(`; overruled by (${NAME})`).exec(line)?.[1] ?? "");
}

/** Whether a line of a record tells that the time of a turn ran out. */
export function ranOutOfTime(line) {
  return new RegExp(`^${NAME} runs out of time`).test(line);
}

/** Whose turn a line of a record tells of; empty where it tells of something else. */
export function turnOf(line) {
  const verbs = "draws|plays:|passes|claims|misplays|runs out of time";
  return unquoted(new RegExp(`^(?!everybody )(${NAME}) (?:${verbs})`).exec(line)?.[1] ?? "");
}

/** What happened last, in a line: of the racks only that they were counted, as their tiles fill a page. */
export function lastTold(line) {
  return line.startsWith("hands:") ? "The racks were counted" : toldInShort(line);
}

/** A line in words, without the table in it: "Ben draws {59.6 s}" is "Ben draws (60 s)". */
export function toldInShort(line) {
  const { words, runs } = apart(line);
  return pieces(words).map((piece, index) => (index % 2 ? spoken(runs[piece]) : piece)).join("");
}

/** The same with the table, as text. */
export function toldInWords(line) {
  const { table } = apart(line);
  return table === null ? toldInShort(line) : `${toldInShort(line)}: ${table}`;
}

/**
 * The same drawn: `words`, with tiles among them, and `table`, set by set, null where none is told of.
 * `switches` are the house rules of the game, by which one that was chosen is told as its question.
 */
export function toldInTiles(line, switches) {
  const { words, runs, table } = apart(line, switches);
  return {
    words: pieces(words).flatMap((piece, index) => (index % 2 ? runs[piece].map(tileInText) : [piece])),
    table: table === null ? null : tableInTiles(table),
  };
}

/** ", says Ada" behind a line that Ada told; nothing where it names her by itself, or nobody has a name. */
export function toldBy(line, by) {
  return toldInShort(line).includes(` by ${by}`) ? "" : says(by);
}

/** ", says Ada" behind what somebody with a name told; nothing where that is plain or nobody said. */
export function says(by = "person") {
  return ["person", "rendered table", "camera", "markers", "start"].includes(by) ? "" : `, says ${by}`;
}

/** The words of a line with a mark for each run of tiles, those runs, and the table it tells of. */
function apart(line, switches = []) {
  const table = TABLE.exec(line)?.[2].trim() ?? null;
  const runs = [];
  const marked = outsideQuotes(line.replace(TABLE, "$1 "), (text) =>
    text.replace(RUN, (_, before, labels) => `${before}${MARK}${runs.push(labels.split(" ")) - 1}${MARK}`));
  const words = unquoted(inWords(marked, switches));
  return { words: words.charAt(0).toUpperCase() + words.slice(1), runs, table };
}

/** Words and numbers of runs in turns, words first. */
function pieces(words) {
  return words.split(MARK);
}

function spoken(labels) {
  return labels.map(labelInWords).join(", ");
}

function inWords(line, switches) {
  const [, number, by, event] = CORRECTION.exec(line) ?? [];
  if (event !== undefined) return `event ${number} corrected${by ?? ""}: ${inWords(event, switches)}`;
  const whole = line
    .replace(GAME, (_, house, players, locks) => beginning(players, house?.split(" ").length ?? 0, locks))
    .replace(HOUSE_RULE, (_, who, name, value) => houseRule(who ?? "", switches.find((rule) => rule.name === name) ?? knownRule(name), name, value))
    .replace(/^fault noticed(.*?)(?:: (stands|taken back))?$/, (_, who, decision) =>
      `a fault is noticed${who}${decision ? `: ${DECISIONS[decision]}` : ""}`);
  return outsideQuotes(whole, plain).trim();
}

/** What stands between the names of a line, in plain words. */
function plain(text) {
  return text
    .replace(/^deal\b/, "everybody is dealt in")
    .replace(/^hands counted:/, "the hands were counted:")
    .replace(/ *; out /, ", and out is ")
    .replace(/^hands:/, "on the racks:")
    .replace(/^undo\b/, "taken back")
    .replace(/^play stops$/, "nobody can play any more")
    .replace(/ misplays\b/, " plays without success")
    .replace(/ +\{([\d.]+) s\}$/, (_, seconds) => ` (${Math.round(Number(seconds))} s)`)
    .replace(/ *; overruled by /, ", let stand by ")
    .replace(/ *; counted\b/, ", the game's count was")
    .replace(/; (with|without) tokens\b/, ", the one $1 tokens")
    .replace(/ *;/g, ",").replaceAll(" | ", "; ").replace(/ -(?=[;,]|$)/g, " nothing");
}

function beginning(players, chosen, locks) {
  const names = outsideQuotes(players, (text) => text.replaceAll(" | ", ", "));
  return `a game begins: ${names}${chosen ? `, with ${count(chosen, "house rule")} of its own` : ""}${locks ? `, and ${count(Number(locks), "lock token")}` : ""}`;
}

function houseRule(who, rule, name, value) {
  return `house rule${who}: ${rule ? `${rule.question} ${rule.values[value] ?? value}` : `${name}=${value}`}`;
}

function outsideQuotes(text, change) {
  return text.split(IN_QUOTES).map((part, index) => (index % 2 ? part : change(part))).join("");
}

/** A text of a record with its names as they were given, without quotes. */
function unquoted(text) {
  return text.replace(QUOTED, (_, name) => name.replace(/\\(["\\])/g, "$1"));
}
