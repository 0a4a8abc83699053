// The ruling in words: what, why with the rule's own words, what would mend it, and what to settle.

import { byId, element, setText } from "./dom.js";
import { houseRule, meaningsOf, withoutValues } from "./house.js";
import { pieceRound } from "./picture.js";
import { meldInTiles, tileInText } from "./tiles.js";
import { NO_TILE, VERDICTS, count, labelInWords, parseLabel } from "./words.js";

const NOT_LIVE = {
  starting: "Waiting for the first picture.",
  dark: "The picture is dark.",
  frozen: "The same picture comes again and again.",
  lost: "No picture comes.",
  ended: "The pictures have come to their end.",
};

/** What mends any turn, where no three moves do. */
const AS_IT_WAS = "put the table back as it was before the turn";

const AT_ONCE = 3;

let shown = "";

/**
 * Shows the ruling of `state`; `answer(state, question, option)` is called when an option is pressed,
 * `answerInGame(state, asked, option)` where the game asks, and `nameTile(tile)` when somebody wants to say which tile one is.
 */
export function showRuling(state, answer, answerInGame, nameTile) {
  const live = state.camera.state === "live";
  byId("ruling").classList.toggle("waiting", !live || state.moving);
  setText(byId("summary"), summary(state, live));
  byId("ruling").hidden = state.game !== null && (isQuiet(state.game) || isTimeUp(state.game));
  const drawing = JSON.stringify([state.ruling, state.layout_sequence, state.turn, state.game && [isQuiet(state.game), state.game.untouched, state.game.ask.question]]);
  if (drawing === shown) return;
  shown = drawing;
  const verdict = state.ruling === null ? null : VERDICTS[state.ruling.verdict];
  byId("ruling").dataset.verdict = state.ruling?.verdict ?? "none";
  const begins = isUntouched(state);
  if (begins) byId("ruling").dataset.verdict = "none";
  setText(byId("verdict"), begins ? beginning(state) : (verdict?.word ?? "Waiting for the table"));
  setText(byId("stamp"), begins ? "·" : (verdict?.mark ?? "…"));
  showFindings(begins ? [] : (state.ruling?.findings ?? []), state.before !== null);
  const unchecked = state.ruling?.unchecked ?? [];
  byId("unchecked").hidden = unchecked.length === 0 || begins;
  byId("unchecked-list").replaceChildren(...unchecked.map((sentence) => element("li", {}, sentence)));
  // In a game what is asked stands on top, with all else that is to be done.
  const ofGame = state.game?.ask.question ?? null;
  // When the time is up a house rule about what lies there now settles nothing; what is asked of then the game asks.
  const isOfNow = state.game !== null && isTimeUp(state.game);
  const asked = (state.ruling?.questions ?? []).flatMap((question, index) => isOfNow && question.kind === "house_rule"
    ? [] : [questionBox(state, question, (option) => answer(state, index, option), nameTile)]);
  byId("questions").replaceChildren(...(state.game === null ? asked : []));
  byId("ask-questions").replaceChildren(
    ...(ofGame === null ? [] : [questionBox(state, ofGame, (option) => answerInGame(state, ofGame, option))]),
    ...(state.game === null || isQuiet(state.game) ? [] : asked));
  if (state.ruling && !begins) setText(byId("announcement"), announcement(state));
}

/** Whether nothing has been laid in this turn yet: the table is as the last turn left it. */
function isUntouched(state) {
  if (state.game !== null && state.ruling !== null) return state.game.untouched;
  return state.ruling?.verdict === "LEGAL" && (isBare(state) || (state.before !== null && state.layout === state.before));
}

/** Whether nothing lies there that could be judged: the table is empty, and was so before. */
function isBare({ before, layout }) {
  return ["-", "grid -"].includes(layout) && (before === null || before === layout);
}

function beginning(state) {
  return isBare(state) && state.game === null ? "The table is empty" : `Turn ${turnOf(state)} begins`;
}

/** The turn under way, counted as the page does: in a game from the beginning of the round. */
function turnOf({ game, turn }) {
  return game === null ? turn : game.turn;
}

/** Whether a game asks for something else than a ruling, which is then no news. */
function isQuiet(game) {
  return game.to_move === null || game.to_put_back !== null || game.untouched;
}

/** Whether the time of the turn is up: then what lay there counts, and not what lies there now. */
function isTimeUp({ clock }) {
  return clock?.over ?? false;
}

/** Whether a game cannot go on with what lies there, such as more tiles than the player held. */
function isNobodys(game) {
  return game !== null && game.ask.acts.every(({ act }) => act === "take_back");
}

function summary(state, live) {
  if (!live && state.ruling === null) return NOT_LIVE[state.camera.state] ?? "";
  if (!live) return `From the layout read last. ${NOT_LIVE[state.camera.state] ?? ""}`;
  if (state.moving && state.ruling !== null) return "As it was read before something moved.";
  if (state.ruling === null) return state.looking_closer ? "The camera takes a closer look." : "Reading the table.";
  const { verdict, findings } = state.ruling;
  if (isBare(state) && state.game === null) return "What is laid is judged.";
  if (isUntouched(state)) return "Nothing has been laid in this turn yet.";
  if (verdict === "LEGAL") {
    const melds = count(state.melds.length, "set");
    if (state.tiles.length === 0) return "The table is empty.";
    if (isNobodys(state.game)) return "The sets fit, but they cannot be those of this turn.";
    return state.before === null
      ? `${melds} on the table, ${count(state.tiles.length, "tile")}, all of them fit.`
      : `This turn may end like this: ${melds}, ${count(state.tiles.length, "tile")}.`;
  }
  if (verdict === "ILLEGAL") return `${count(findings.length, "fault")} to mend before the turn ends.`;
  if (state.looking_closer) return "The camera takes a closer look, which may answer this.";
  return "The ruling depends on the answer.";
}

/**
 * The first findings at once, the others behind a line to open. What no few moves mend is mended by the table before
 * the turn, where it is known.
 */
function showFindings(findings, knowsBefore) {
  const items = findings.map(findingItem);
  const unmended = findings.findIndex(({ repair }) => !repair);
  if (knowsBefore && unmended >= 0) items[unmended].append(repairLine(AS_IT_WAS));
  const rest = items.splice(AT_ONCE);
  byId("findings").replaceChildren(...items);
  byId("more").hidden = rest.length === 0;
  setText(byId("more-word"), `${count(rest.length, "more fault")}`);
  byId("more-findings").replaceChildren(...rest);
  byId("more-findings").style.counterReset = `fault ${AT_ONCE}`;
}

function findingItem(finding) {
  const item = element("li", { class: "finding" });
  item.append(element("p", { class: "message" }, finding.message));
  if (finding.tiles?.length) {
    item.append(element("p", { class: "tiles-line" }, ...finding.tiles.map(tileInText)));
  }
  const isOurs = /^(AMB|G)-/.test(finding.rule); // no document says it in these words
  const words = isOurs ? finding.quote : `“${finding.quote}”`;
  item.append(
    element("blockquote", {}, element("p", {}, words), element("cite", {}, `Rule ${finding.rule}`)),
  );
  if (finding.repair) item.append(repairLine(finding.repair));
  return item;
}

function repairLine(repair) {
  return element("p", { class: "repair" }, `To mend it: ${repair}`);
}

/**
 * A question with a button for each of its options; `answer(option)` is called when one is pressed. With `nameTile`
 * one more leads to all tiles, where it is asked which tile lies somewhere.
 */
export function questionBox(state, question, answer, nameTile = null) {
  const box = element("div", { class: "question", role: "group", "aria-label": withoutValues(question.text) });
  const meanings = meaningsOf(question, state.rules);
  box.append(...questionInWords(question, meanings !== null, state.rules));
  const about = placesAsked(state, question);
  if (about.length) box.append(pieceRound(about));
  if (question.kind === "place") box.append(tilesAsked(state, question));
  const options = inOrder(question).map((option) => {
    const button = element("button", { type: "button", class: "option" });
    if (meanings !== null) button.append(meanings[question.options.indexOf(option)]);
    else if (question.kind === "arrangement" && state.grid !== null) showBoard(button, option);
    else if (question.kind === "arrangement") button.append(...option.split(" | ").map(setInText));
    else if (question.kind in OF_ALL && parseLabel(option.split(" ")[0])) showAll(button, option, OF_ALL[question.kind]);
    else if (!["tile", "before"].includes(question.kind)) button.append(capitalized(option));
    else if (option === NO_TILE) button.append(labelInWords(option));
    else button.append(tileInText(option), ` ${labelInWords(option)}`);
    button.addEventListener("click", () => answer(option));
    return button;
  });
  if (nameTile !== null && question.kind === "tile" && question.tile !== null) {
    const misread = question.tiles?.map((tile) => otherTile(`${capitalized(placeOf(state, tile))} is another`, tile, nameTile));
    options.push(...(misread ?? [otherTile(options.length ? "Another tile" : "Say which tile it is", question.tile, nameTile)]));
  }
  box.append(element("div", { class: "row" }, ...options));
  return box;
}

/** The options as they are shown: how tiles may lie in the same order always, also where another one seems likelier. */
function inOrder({ kind, options }) {
  const sets = (option) => option.split(" | ").length;
  return kind === "arrangement" ? options.toSorted((one, other) => sets(other) - sets(one) || (one < other ? -1 : 1)) : options;
}

/** Where the tiles of the layout are that are asked about. */
function placesAsked({ tiles }, question) {
  if (!["tile", "place"].includes(question.kind)) return [];
  const asked = question.tiles?.length ? question.tiles : [question.tile];
  return asked.flatMap((tile) => (tiles[tile] ? [tiles[tile].quad] : []));
}

/** The button that leads to all tiles, to say which one `tile` of the layout is. */
function otherTile(label, tile, nameTile) {
  const button = element("button", { type: "button", class: "other-tile" }, label);
  button.addEventListener("click", () => nameTile(tile));
  return button;
}

/** Where a tile lies, as people count. */
function placeOf({ melds, grid }, tile) {
  const rows = grid ?? melds;
  const row = rows.findIndex((tiles) => tiles.includes(tile));
  const at = rows[row].indexOf(tile) + 1;
  return grid === null ? `tile ${at} of set ${row + 1}` : `the tile in row ${row + 1}, column ${at}`;
}

function capitalized(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The tiles that a question is about. */
function tilesAsked(state, { tiles }) {
  const labels = tiles.map((tile) => state.tiles[tile].label).filter(Boolean);
  return element("p", { class: "tiles-line" }, ...labels.map(tileInText));
}

/** Questions about several tiles, by kind, and what an answer says of all of them. */
const OF_ALL = { colour: "word", number: "rank" };

/** Tiles of one colour or one number, and which that is. */
function showAll(button, option, what) {
  button.append(meldInTiles(option), ` all ${parseLabel(option.split(" ")[0])[what]}`);
}

/** A board in notation, its rows below each other. */
function showBoard(button, text) {
  const rows = text.split(" / ").map((row) => row.split(" ").map((cell) => cell.padEnd(4)).join(""));
  button.classList.add("board-option");
  button.append(rows.join("\n"));
}

/** A set in notation as its tiles; one that could not be read surely as its likeliest reading. */
function setInText(meld) {
  return meldInTiles(meld.replaceAll("?", ""));
}

/** What is asked stands out; why it is asked stands before it, and behind it what the answers mean, unless they say so. */
function questionInWords({ text, rule, kind }, answersSaySo, preset) {
  const asked = /^(.*?\. )?([^.?]+\?)(.*)$/s.exec(text);
  const [, why, ask, meaning] = asked ?? [null, "", text, ""];
  const behind = answersSaySo ? "" : meaning.trim();
  const parts = [why?.trim() ? element("p", { class: "why" }, why.trim()) : "", element("p", {}, ask), behind ? element("p", { class: "why" }, behind) : ""];
  const about = houseRule(rule, preset)?.rule;
  if (kind === "house_rule") parts.push(element("cite", {}, about ? `House rule (${about})` : "House rule"));
  else if (rule) parts.push(element("cite", {}, `Rule ${rule}`));
  return parts.filter(Boolean);
}

function announcement(state) {
  const { verdict, findings, questions } = state.ruling;
  const first = findings[0]?.message ?? withoutValues(questions[0]?.text ?? "");
  return `Turn ${turnOf(state)}: ${VERDICTS[verdict].word}. ${first}`;
}
