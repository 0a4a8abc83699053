// The dashboard: what the stream brings goes to the parts of the page, what people press goes back.

import { claimInWords, pickClaim } from "./claims.js";
import { askName, confirmWith, makeSure, pickTile } from "./dialogs.js";
import { byId, setText } from "./dom.js";
import { follow, getJson, post, postPicture } from "./feed.js";
import { clockRuns, primaryAct, showGame } from "./game.js";
import { addEvents, newest } from "./history.js";
import { showLastGame } from "./lastgame.js";
import { showLayout } from "./layout.js";
import { together } from "./outcome.js";
import { announcePicture, showMarks } from "./picture.js";
import { showRacks } from "./racks.js";
import { forgetRecord, showRecord } from "./record.js";
import { leftOut, showRegion } from "./region.js";
import { showRestore } from "./restore.js";
import { showRuling } from "./ruling.js";
import { askWho, named, showWho } from "./who.js";
import { VERDICTS, count, toldInShort } from "./words.js";

const CAMERA_WORDS = {
  starting: "Starting",
  moving: "Hands on the table",
  live: "Live",
  stale: "Picture is old",
  frozen: "Picture frozen",
  dark: "Too dark",
  blurred: "Out of focus",
  moved: "Camera moved",
  lost: "No picture",
  ended: "Ended",
};

/** What comes of an act that is made sure of. */
const CONSEQUENCES = {
  take_back: () => "The tiles of this turn go back, the table is laid as it was, and the turn is over.",
  time_over: (ask) => ask.detail,
  stop: (_, { claims }) => claims === null
    ? "The round ends here, and the racks are counted."
    : `The game ends here, and whoever is closest to ${claims.target} points wins.`,
  finish: (_, game) => `${together(game.leaders)} ${game.leaders.length === 1 ? "wins" : "win"}, and the game is put away. Its score sheet and its record stay.`,
  count_as_shown: (ask) => ask.detail.replace(/ Put it right, or:$/, ""),
};

/** What a person can say to a camera that is not right, by its state. */
const ACCEPT_WORDS = { moved: "The camera stays here", blurred: "It gets no sharper" };

/** States of the camera in which nothing goes on before somebody sees to it. */
const TROUBLES = ["frozen", "dark", "blurred", "moved", "lost"];

/** A press so soon after the last one is its bounce: it would hit what has come in its place. */
const BOUNCE_MS = 500;

let state = null;
/** Whether the stream has begun anew: behind it may be a program that was started anew, and counts from 1. */
let isAnew = false;
let pressedAt = -Infinity;
/** When the turn went on without a press on this page: somebody else pressed, or a table was put back. */
let wentOnAt = -Infinity;
/** What stood on the table when something was answered to a wish; the answer goes with it. */
let toldOf = "";

function show(next) {
  if (state !== null && next.version < state.version && !isAnew) return;
  isAnew = false;
  if (state?.game && next.game && whoseTurn(state) !== whoseTurn(next)) wentOnAt = performance.now();
  state = next;
  if (toldOf !== "" && toldOf !== momentOf(state)) tell("");
  const camera = state.camera.state;
  const lamp = camera === "live" && state.moving ? "moving" : camera;
  byId("camera").dataset.state = lamp;
  setText(byId("camera-word"), CAMERA_WORDS[lamp]);
  setText(byId("camera-notes"), state.camera.notes.join(" "));
  byId("camera-notes").hidden = state.camera.notes.length === 0;
  showTrouble(camera);
  byId("camera").title = `${state.source}. ${state.camera.detail}`;
  setText(byId("turn-now"), state.game === null ? `Turn ${state.turn}` : (state.game.to_move ?? `Round ${state.game.round}`));
  byId("rendered").hidden = !state.rendered;
  byId("tag").hidden = !state.rendered;
  setText(byId("said"), state.said ? `The player ${state.said}.` : "");
  setText(byId("veil"), state.trouble || state.camera.detail);
  byId("veil").hidden = !byId("veil").textContent;
  byId("end-turn").disabled = state.layout === null;
  byId("begin").hidden = state.rendered;
  const isToBegin = !state.rendered && state.layout !== null && state.tiles.length === 0;
  byId("begin").classList.toggle("primary", isToBegin);
  byId("end-turn").classList.toggle("primary", !isToBegin);
  showGame(state, press);
  showRacks(state, inGame, uploadRack);
  showRecord(state, inGame);
  showLastGame(state);
  showRuling(state, answerQuestion);
  showLayout(state, correct);
  showMarks(state);
  showRegion(state, sayRegion);
  showRestore(state, (show) => wish("/api/restore", { show, ...named() }, ""));
  showWho(state);
  document.body.dataset.version = state.version;
}

/** What is wrong with the camera, and what a person can say to it, where people look: below what is asked. */
function showTrouble(camera) {
  byId("camera-trouble").hidden = !TROUBLES.includes(camera);
  setText(byId("camera-trouble-title"), CAMERA_WORDS[camera]);
  setText(byId("camera-trouble-text"), state.trouble || state.camera.detail);
  byId("camera-stays").hidden = !(camera in ACCEPT_WORDS);
  setText(byId("camera-stays"), ACCEPT_WORDS[camera] ?? "");
}

function connected(isConnected, why) {
  isAnew = isConnected;
  byId("lost").hidden = isConnected;
  setText(byId("lost"), why);
  document.body.classList.toggle("disconnected", !isConnected);
}

async function wish(path, body, said, place = null) {
  return carriedOut(() => post(path, body), said, place);
}

/**
 * Shows the state after a wish; or, where people look for it, why it was not carried out. Answers whether
 * it was.
 */
async function carriedOut(send, said, place = null) {
  try {
    const answer = await send();
    show(answer.state);
    wentOnAt = -Infinity;
    tell(said);
    return true;
  } catch (error) {
    refuse(error.message, place);
    return false;
  }
}

function tell(words) {
  for (const place of document.querySelectorAll(".action-answer")) {
    setText(place, "");
    place.classList.remove("refused");
  }
  setText(byId(state?.game ? "game-answer" : "action-answer"), words);
  toldOf = words && state !== null ? momentOf(state) : "";
}

/**
 * Tells why something was not done, where it is seen: at `place`, or where such answers stand. What was done
 * shows by itself, and nothing scrolls.
 */
function refuse(words, place = null) {
  tell("");
  const answer = (place && byId(place)) ?? byId(state?.game ? "game-answer" : "action-answer");
  setText(answer, words);
  answer.classList.add("refused");
  toldOf = state === null ? "" : momentOf(state);
  answer.scrollIntoView({ block: "nearest" });
}

function whoseTurn({ game }) {
  return [game.round, game.game, game.turn, game.to_move].join(" ");
}

function momentOf({ turn, layout_sequence, game }) {
  return [turn, layout_sequence, game?.phase, game?.to_move].join(" ");
}

function bounces() {
  const now = performance.now();
  if (now - pressedAt < BOUNCE_MS) return true;
  pressedAt = now;
  return false;
}

// In a game.

/** Does what a button says, after making sure where that is called for. */
async function press(act) {
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
  if (act.asks_again && !(await makeSure(`${act.label}?`, (CONSEQUENCES[act.act] ?? ((ask) => ask.text))(game.ask, game)))) return;
  const body = { act: act.act, sequence: game.sequence, layout_sequence };
  if (act.player) body.player = act.player;
  if (act.needs_tile) {
    const tile = await pickTile({ label: "", sure: false, options: [], corrected: false }, state.tiles.map((each) => each.label));
    if (tile === null || tile === "none") return;
    body.tile = tile;
  }
  if (act.needs_set) {
    const choice = await pickClaim(state);
    if (choice === null || !(await makeSure(`${choice.label}?`, claimInWords(choice)))) return;
    body.set = choice.set;
    if (choice.fresh !== null) body.fresh = choice.fresh;
  }
  if (act.needs_name) {
    body.by = await askName(act.label, game.seats.map((seat) => seat.name));
    if (body.by === null) return;
  }
  await inGame("/api/game/act", body);
}

async function inGame(path, body, place = null) {
  return wish(path, { ...named(), ...body }, "", place);
}

async function uploadRack(path, makeJpeg, place) {
  tell("");
  setText(byId(place), "Reading the photograph.");
  const { by } = named();
  const told = by ? `${path}&by=${encodeURIComponent(by)}` : path;
  await carriedOut(async () => postPicture(told, await makeJpeg()), "", place);
}

async function undo() {
  const { game } = state;
  const by = await askName(`Taken back: ${toldInShort(game.last)}`, game.seats.map((seat) => seat.name));
  if (by !== null) await inGame("/api/game/undo", { sequence: game.sequence, by });
}

async function leave() {
  const text = "The game stays in the log, with its record. From here on turns are judged without players.";
  if (await makeSure("Put the game away?", text)) await inGame("/api/game/leave", {});
}

/** What the space bar, Enter, or a button on the table does. */
function pressPrimary() {
  if (state === null) return;
  if (state.game === null) {
    endTurn();
    return;
  }
  const act = primaryAct(state);
  if (act) press(act);
  else refuse("Choose one of the buttons.");
}

async function endTurn() {
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

async function newRound() {
  if (await confirmWith("ask-round")) await wish("/api/new-round", named(), "A new round has begun.");
}

async function acceptView() {
  await wish("/api/camera-stays", named(), "Thank you. The table is read as the camera sees it now.");
}

async function sayRegion(corners, sequence) {
  const left = leftOut(state.tiles, corners);
  const beside = left === 0 ? "" : ` ${count(left, "tile")} that ${left === 1 ? "was" : "were"} read before ${left === 1 ? "lies" : "lie"} beside it.`;
  return wish("/api/region", { corners, sequence, ...named() }, `Thank you. The table is read there.${beside}`);
}

async function correct(index) {
  const { layout_sequence, tiles } = state;
  const label = await pickTile(tiles[index], tiles.map((tile) => tile.label));
  if (label === null) return;
  await wish("/api/answer", { layout_sequence, tile: index, option: label, ...named() }, "Thank you, that tile is corrected.");
}

async function answerQuestion(asked, question, option) {
  if (bounces()) return;
  const { layout_sequence } = asked;
  await wish("/api/answer", { layout_sequence, question, option, ...named() }, "Thank you.");
}

askWho();
byId("end-turn").addEventListener("click", endTurn);
byId("new-round").addEventListener("click", newRound);
byId("camera-stays").addEventListener("click", acceptView);
byId("undo").addEventListener("click", undo);
byId("leave").addEventListener("click", leave);
byId("clock-pause").addEventListener("click", () => inGame("/api/game/clock", { to: clockRuns() ? "paused" : "running" }));
byId("record").addEventListener("toggle", () => {
  forgetRecord();
  if (state !== null) showRecord(state, inGame);
});
document.addEventListener("keydown", (event) => {
  const busy = event.target.closest("button, summary, a, input, select, label, dialog") || document.querySelector("dialog[open]");
  const pressed = ["Space", "Enter", "NumpadEnter"].includes(event.code);
  if (pressed && !busy && !event.repeat && !event.ctrlKey && !event.altKey && !event.metaKey) {
    event.preventDefault();
    pressPrimary();
  }
});

// What was pressed with a finger or a mouse does not keep the focus: the next press of a button on the table,
// which is a keyboard to this page, would press it once more.
document.addEventListener("click", (event) => {
  if (event.detail > 0 && event.target.closest("button, summary")) document.activeElement?.blur();
});

const handlers = {
  connected,
  state: show,
  picture: (picture) => {
    announcePicture(picture);
    if (state !== null) showMarks(state);
  },
  log: (entry) => addEvents([entry]),
};

try {
  addEvents((await getJson("/api/log?limit=150")).events);
} catch (error) {
  connected(false, error.message);
}
follow(newest(), handlers);
