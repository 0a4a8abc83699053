// What people press, as wishes to the table: each is sent with what the page showed then, and what comes of it
// is told where they look for it.

import { BOUNCE_MS } from "./bounce.js";
import { claimInWords, pickClaim } from "./claims.js";
import { askName, confirmWith, makeSure, pickTile } from "./dialogs.js";
import { byId, setText } from "./dom.js";
import { post, postPicture } from "./feed.js";
import { clockRuns, primaryAct } from "./game.js";
import { together } from "./outcome.js";
import { leftOut } from "./region.js";
import { lastTold } from "./told.js";
import { named } from "./who.js";
import { VERDICTS, count } from "./words.js";

/** What comes of an act that is made sure of. */
const CONSEQUENCES = {
  time_over: (ask) => ask.detail,
  play: () => "What lies on the table counts as laid in this turn.",
  let_stand: () => "What lies on the table counts as laid in this turn.",
  stop: (_, { claims }) => claims === null
    ? "The round ends here, and the racks are counted."
    : `The game ends here, and whoever is closest to ${claims.target} points wins.`,
  finish: (_, game) => `${together(game.leaders)} ${game.leaders.length === 1 ? "wins" : "win"}, and the game is put away. Its score sheet and its record stay.`,
  table_is_back: () => "The camera reads it otherwise. Whoever is to move is judged by how it lay.",
  count: (ask) => ask.detail.replace(/( Tell what [^.]*, or|( Tell one anew.)? Or):$/, ""),
  count_as_shown: (ask) => ask.detail.replace(/ Put it right, or:$/, ""),
};
/** The button of the clock says what it does next: who reads that presses again sooner. */
const CLOCK_BOUNCE_MS = 250;
const OR_PUT_BACK = / Go on, or (put them back|leave them) and:$/;

/** What comes of `act`, or why it is asked about. */
function consequence({ act, follows }, game) {
  if (follows) return follows;
  if (act in CONSEQUENCES) return CONSEQUENCES[act](game.ask, game);
  const { text, detail } = game.ask;
  return OR_PUT_BACK.test(detail) ? `${detail.replace(OR_PUT_BACK, "")} The table is put back before the next turn.` : text;
}

/** What the page shows. */
let state = null;
/** Shows the state after a wish. */
let show = () => {};
const pressedAt = { act: -Infinity, clock: -Infinity };
/** When the turn went on without a press on this page: somebody else pressed, or a table was put back. */
let wentOnAt = -Infinity;
/** Whether a dialog asks which set is claimed, or whether that is meant. */
let claiming = false;
/** What stood on the table when something was answered to a wish; the answer goes with it. */
let toldOf = "";
/** When a wish was refused as the table had gone on: this page gets to know how a moment later. */
let wasStaleAt = -Infinity;
const TO_READ_MS = 5000;
/** Whether what is told was refused while the camera was out. */
let refusedInTheDark = false;

/** Wishes are about `next` from here on: the page shows it. */
export function wishAbout(next) {
  if (state?.game && next.game && whoseTurn(state) !== whoseTurn(next)) wentOnAt = performance.now();
  const ended = claiming ? whyNoClaim(next) : "";
  // Whoever was refused for the camera sees that it is back.
  if (refusedInTheDark && next.camera.state === "live") tell("");
  state = next;
  if (ended) leaveClaim(ended);
  if (toldOf !== "" && toldOf !== momentOf(state) && performance.now() - wasStaleAt >= TO_READ_MS) tell("");
}

/** Why no set can be claimed any more in the turn that the page showed; empty where one can. */
function whyNoClaim({ game }) {
  if (game?.clock?.over) return "The time was up before a set was claimed.";
  return game && whoseTurn({ game }) === whoseTurn(state) ? "" : "The game went on before a set was claimed.";
}

function leaveClaim(why) {
  claiming = false;
  for (const name of ["ask-claim", "ask-sure"]) byId(name).close();
  refuse(why);
}

/** `shows` gets the state that comes with the answer to a wish. */
export function answersGoTo(shows) {
  show = shows;
}

async function wish(path, body, said, place = null) {
  tell("");
  return carriedOut(() => post(path, body), said, place);
}

/**
 * Shows the state after a wish; or, where people look for it, why it was not carried out. Answers whether
 * it was. What was told while the wish was under way is about something else, and stays.
 */
async function carriedOut(send, said, place = null) {
  try {
    const answer = await send();
    show(answer.state);
    wentOnAt = -Infinity;
    if (said) tell(said, place);
    return true;
  } catch (error) {
    if (error.word === "stale") refuseAsLate(error.message, place);
    else refuse(error.message, place);
    return false;
  }
}

/** Says what came of something at `place`, or where such answers stand. */
function tell(words, place = null) {
  for (const place of document.querySelectorAll(".action-answer")) {
    setText(place, "");
    place.classList.remove("refused");
  }
  setText(answerAt(place), words);
  refusedInTheDark = false;
  toldOf = words && state !== null ? momentOf(state) : "";
}

/**
 * Tells why something was not done, where it is seen: at `place`, or where such answers stand. What was done
 * shows by itself, and nothing scrolls.
 */
export function refuse(words, place = null) {
  tell("");
  const answer = answerAt(place);
  setText(answer, words);
  answer.classList.add("refused");
  refusedInTheDark = state !== null && state.camera.state !== "live";
  toldOf = state === null ? "" : momentOf(state);
  answer.scrollIntoView({ block: "nearest" });
}

/** The same of what came to nothing as others were quicker: it stays to be read, though the table goes on. */
export function refuseAsLate(words, place = null) {
  refuse(words, place);
  wasStaleAt = performance.now();
}

function answerAt(place) {
  return (place && byId(place)) ?? byId(state?.game ? "game-answer" : "action-answer");
}

function whoseTurn({ game }) {
  return [game.round, game.game, game.turn, game.to_move].join(" ");
}

/** While racks are told, it does not matter what lies on the table. */
function momentOf({ turn, layout_sequence, game }) {
  return [turn, game?.racks.length ? "racks" : layout_sequence, game?.phase, game?.to_move].join(" ");
}

function bounces(what = "act", within_ms = BOUNCE_MS) {
  const now = performance.now();
  if (now - pressedAt[what] < within_ms) return true;
  pressedAt[what] = now;
  return false;
}

// In a game.

/** Does what a button says, after making sure where that is called for. */
export async function press(act) {
  if (bounces()) return;
  if (state.game.to_move !== null && performance.now() - wentOnAt < BOUNCE_MS) {
    refuse(`The turn went on just then: it is ${state.game.to_move}'s now. Press again if that is meant.`);
    return;
  }
  const { game, layout_sequence } = state;
  if (act.act === "new_game") {
    location.assign("/begin");
    return;
  }
  if (act.asks_again && !(await makeSure(`${act.label}?`, consequence(act, game)))) return;
  const body = { act: act.act, sequence: game.sequence, layout_sequence };
  if (act.player) body.player = act.player;
  if (act.needs_tile) {
    const tile = await pickTile({ label: "", sure: false, options: [], corrected: false }, state.tiles.map((each) => each.label));
    if (tile === null || tile === "none") return;
    body.tile = tile;
  }
  if (act.needs_set) {
    const picked = await sureClaim();
    if (picked === null) return;
    const { choice, shown } = picked;
    [body.set, body.sequence, body.layout_sequence] = [choice.set, shown.game.sequence, shown.layout_sequence];
    if (choice.fresh !== null) body.fresh = choice.fresh;
  }
  if (act.needs_name) {
    body.by = await askName(act.label, game.seats.map((seat) => seat.name));
    if (body.by === null) return;
  }
  await inGame("/api/game/act", body);
}

/** Asks which set is claimed, and makes sure of it; null where none is. */
async function sureClaim() {
  claiming = true;
  const picked = await pickClaim(state, (shown, question, option) => answerInGame(shown, question, option, "ask-claim-answer"));
  const isMeant = picked !== null && (await makeSure(`${picked.choice.label}?`, claimInWords(picked.choice)));
  claiming = false;
  return isMeant ? picked : null;
}

/**
 * Answers what the game of the state `shown` asks, or a claim in it waits for; gives the state that the page shows then.
 * What is wrong is told at `place`.
 */
export async function answerInGame(shown, question, option, place = null) {
  if (!bounces()) await inGame("/api/game/answer", { sequence: shown.game.sequence, asked: question.text, option }, place);
  return state;
}

/** A wish about the game; `place` is where its refusal is told, where that is elsewhere. */
export async function inGame(path, body, place = null) {
  return wish(path, { ...named(), ...body }, "", place);
}

/** Sends a photograph of a rack, which `makeJpeg` makes; what is wrong with it is told at `place`. */
export async function uploadRack(path, makeJpeg, place) {
  const meanwhile = "Reading the photograph.";
  tell("");
  setText(byId(place), meanwhile);
  const { by } = named();
  const told = by ? `${path}&by=${encodeURIComponent(by)}` : path;
  await carriedOut(async () => postPicture(told, await makeJpeg()), "", place);
  if (byId(place)?.textContent === meanwhile) setText(byId(place), "");
}

/** Takes the newest event back, by the word of somebody with a name. */
export async function undo() {
  const { game } = state;
  const by = await askName(`Take back: ${lastTold(game.last)}?`, game.seats.map((seat) => seat.name));
  if (by !== null) await inGame("/api/game/undo", { sequence: game.sequence, by });
}

/** Puts the game away. */
export async function leave() {
  const { sequence, title, followed } = state.game;
  const then = followed ? ` Turns are judged without players then, by the rules of ${title} until the program is started anew.` : "";
  const text = `The game stays in the log, with its record, and can go on later.${then}`;
  if (await makeSure("Put the game away?", text)) await inGame("/api/game/leave", { sequence });
}

/** Goes on with the game that event `game` began, and that was put away. */
export async function takeUp(game) {
  if (!bounces()) await inGame("/api/game/resume", { game });
}

/** Stops the clock of the turn, or lets it go on. */
export async function pauseClock() {
  if (bounces("clock", CLOCK_BOUNCE_MS)) return;
  await inGame("/api/game/clock", { to: clockRuns() ? "paused" : "running" });
}

/** Shows the table before the turn over the picture, or hides it. */
export async function showTableBefore(isShown) {
  await wish("/api/restore", { show: isShown, ...named() }, "");
}

/** What the space bar, Enter, or a button on the table does. */
export function pressPrimary() {
  if (state === null) return;
  if (state.game === null) {
    endTurn();
    return;
  }
  const act = primaryAct(state);
  if (act) press(act);
  else refuse("Choose one of the buttons.");
}

/** Ends the turn where no game is played; one that is not legal after making sure. */
export async function endTurn() {
  if (state === null || state.layout === null || bounces()) return;
  const { layout_sequence, ruling, turn } = state;
  const legal = ruling?.verdict === "LEGAL";
  if (!legal) {
    const word = ruling ? VERDICTS[ruling.verdict].log : "not given yet";
    byId("ask-end-text").textContent =
      `The ruling is: ${word}. If you end the turn, the table counts as it lies now.`;
    if (!(await confirmWith("ask-end"))) return;
  }
  await wish("/api/end-turn", { layout_sequence, anyway: !legal, ...named() }, `Turn ${turn} has ended.`);
}

/** The table was cleared. */
export async function newRound() {
  if (await confirmWith("ask-round")) await wish("/api/new-round", named(), "A new round has begun.");
}

/** The camera stays as it is. */
export async function acceptView() {
  await wish("/api/camera-stays", named(), "Thank you. The table is read as the camera sees it now.");
}

/** What was said of racks and of what is no tile is forgotten, and asked about again. */
export async function askAnew() {
  if (!bounces()) await wish("/api/ask-anew", named(), "Thank you. You are asked about it again.");
}

/** The table lies between these corners of the picture. Answers whether that was taken. */
export async function sayRegion(corners, sequence) {
  const left = leftOut(state.tiles, corners);
  const beside = left === 0 ? "" : ` ${count(left, "tile")} that ${left === 1 ? "was" : "were"} read before ${left === 1 ? "lies" : "lie"} beside it.`;
  return wish("/api/region", { corners, sequence, ...named() }, `Thank you. The table is read there.${beside}`);
}

/** Asks which tile that one of the layout is, and says so; what comes of it is told at `place`. */
export async function correct(index, place = null) {
  const { layout_sequence, tiles } = state;
  const label = await pickTile(tiles[index], tiles.map((tile) => tile.label));
  if (label === null) return;
  await wish("/api/answer", { layout_sequence, tile: index, option: label, ...named() }, "Thank you, that tile is corrected.", place);
}

/** Asks which tile that is after all of which somebody said that it is none, and says so. */
export async function nameNoTile(tile) {
  const { layout_sequence, tiles } = state;
  const option = await pickTile(tile, tiles.map((each) => each.label), { wasNone: true });
  if (option === null) return;
  const no_tile = [0, 1].map((axis) => tile.quad.reduce((sum, corner) => sum + corner[axis], 0) / tile.quad.length);
  await wish("/api/answer", { layout_sequence, no_tile, option, ...named() }, "Thank you, that tile counts again.", "layout-answer");
}

/** Answers a question of the ruling of the state `shown`; refused where that is not asked any more. */
export async function answerQuestion(shown, question, option) {
  if (bounces()) return;
  const { layout_sequence, ruling } = shown;
  const asked = ruling.questions[question].text;
  await wish("/api/answer", { layout_sequence, question, asked, option, ...named() }, "Thank you.");
}
