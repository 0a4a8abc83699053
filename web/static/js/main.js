// The dashboard: what the stream brings goes to the parts of the page, and what people press to its wish.

import { ignoreBounces } from "./bounce.js";
import { showCount } from "./count.js";
import { byId, setText } from "./dom.js";
import { asSentence, follow } from "./feed.js";
import { keepFocus, watchFocus } from "./focus.js";
import { showGame } from "./game.js";
import { addEvents, beginHistory, isOfThisLog, newest, titleOf } from "./history.js";
import { showLastGame } from "./lastgame.js";
import { showLayout, showNoTiles } from "./layout.js";
import { showLeftOut } from "./leftout.js";
import { announcePicture, showMarks } from "./picture.js";
import { showRacks } from "./racks.js";
import { forgetRecord, showRecord } from "./record.js";
import { showRegion } from "./region.js";
import { showRestore } from "./restore.js";
import { showRuling } from "./ruling.js";
import { askWho, showWho } from "./who.js";
import {
  acceptView, answerInGame, answerQuestion, answersGoTo, askAnew, correct, endTurn, inGame, leave, nameNoTile, newRound, pauseClock, press,
  pressPrimary, sayRegion, showTableBefore, takeUp, undo, uploadRack, wishAbout,
} from "./wishes.js";

const CAMERA_WORDS = {
  starting: "Starting",
  moving: "Hands on the table",
  reading: "Reading",
  looking: "Looking closer",
  live: "Live",
  stale: "Picture is old",
  frozen: "Picture frozen",
  dark: "Too dark",
  blurred: "Out of focus",
  moved: "Camera moved",
  lost: "No picture",
  ended: "Ended",
};

/** What a person can say to a camera that is not right, by its state. */
const ACCEPT_WORDS = { moved: "The camera stays here", blurred: "It gets no sharper" };

/** States of the camera in which nothing goes on before somebody sees to it. */
const TROUBLES = ["frozen", "dark", "blurred", "moved", "lost"];

/** Where this page keeps which of what was lost somebody has seen. */
const SEEN = "recovered";

let state = null;
/** Whether the stream has begun anew: behind it may be a program that was started anew, and counts from 1. */
let isAnew = false;

function show(next) {
  if (state !== null && next.version < state.version && !isAnew) return;
  isAnew = false;
  state = next;
  keepFocus(draw);
  document.body.dataset.version = state.version;
}

function draw() {
  wishAbout(state);
  const camera = state.camera.state;
  document.body.classList.toggle("not-followed", state.game?.followed === false);
  const lamp = camera !== "live" ? camera : busyWith(state) ?? camera;
  byId("camera").dataset.state = lamp;
  setText(byId("camera-word"), CAMERA_WORDS[lamp]);
  setText(byId("camera-notes"), state.camera.notes.join(" "));
  byId("camera-notes").hidden = state.camera.notes.length === 0;
  showTrouble(camera);
  byId("disk").hidden = !state.disk;
  setText(byId("disk"), asSentence(state.disk));
  showRecovered();
  byId("camera").title = `${state.source}. ${state.camera.detail}`;
  setText(byId("turn-now"), state.game === null ? `Turn ${state.turn}` : (state.game.to_move ?? (state.game.extra ? "Extra round" : `Round ${state.game.round}`)));
  byId("rendered").hidden = !state.rendered;
  byId("tag").hidden = !state.rendered;
  setText(byId("said"), state.said ? `The player ${state.said}.` : "");
  setText(byId("veil"), state.trouble || state.camera.detail);
  byId("veil").hidden = !byId("veil").textContent;
  byId("end-turn").disabled = state.layout === null;
  byId("begin").hidden = state.rendered;
  byId("judged-by").hidden = state.game !== null;
  setText(byId("judged-by"), `Turns are judged by the rules of ${titleOf(state.rules)}.`);
  const isToBegin = !state.rendered && state.layout !== null && state.tiles.length === 0;
  byId("begin").classList.toggle("primary", isToBegin);
  byId("end-turn").classList.toggle("primary", !isToBegin);
  showGame(state, press);
  showCount(state, inGame);
  showRacks(state, inGame, uploadRack);
  showRecord(state, inGame);
  showLastGame(state, takeUp);
  showRuling(state, answerQuestion, answerInGame, correct);
  showLayout(state, (index) => correct(index, "layout-answer"));
  showNoTiles(state, nameNoTile);
  showMarks(state);
  showRegion(state, sayRegion);
  showLeftOut(state);
  showRestore(state, showTableBefore);
  showWho(state);
}

/** What is waited for before a live picture tells; undefined where nothing is. */
function busyWith(state) {
  if (state.to_be_read) return "reading";
  if (state.moving) return "moving";
  return state.looking_closer ? "looking" : undefined;
}

/** What is wrong with the camera, and what a person can say to it, where people look: below what is asked. */
function showTrouble(camera) {
  const isOut = TROUBLES.includes(camera) && state.game?.followed !== false;
  document.body.classList.toggle("camera-out", isOut);
  byId("camera-trouble").hidden = !isOut;
  setText(byId("camera-trouble-title"), CAMERA_WORDS[camera]);
  setText(byId("camera-trouble-text"), state.trouble || state.camera.detail);
  byId("camera-stays").hidden = !(camera in ACCEPT_WORDS);
  setText(byId("camera-stays"), ACCEPT_WORDS[camera] ?? "");
}

/** What was lost of the log, until somebody at this device has seen it. */
function showRecovered() {
  byId("recovered").hidden = !state.recovered || sessionStorage.getItem(SEEN) === state.recovered;
  setText(byId("recovered-what"), asSentence(state.recovered));
}

function connected(isConnected, why) {
  if (isConnected && document.body.classList.contains("disconnected")) beginAnewWithAnotherLog();
  isAnew = isConnected;
  byId("lost").hidden = isConnected;
  setText(byId("lost"), why);
  document.body.classList.toggle("disconnected", !isConnected);
  if (isConnected) return;
  // What the page shows is the table of then; the next state says how the camera does.
  byId("camera").dataset.state = "stale";
  setText(byId("camera-word"), "Not connected");
}

/** A program that was started anew with another log has another history, of which nothing here is part. */
async function beginAnewWithAnotherLog() {
  try {
    if (!(await isOfThisLog())) location.reload();
  } catch {
    // The table does not answer; it is asked again with the next connection.
  }
}

ignoreBounces();
watchFocus();
askWho();
answersGoTo(show);
byId("end-turn").addEventListener("click", endTurn);
byId("new-round").addEventListener("click", newRound);
byId("camera-stays").addEventListener("click", acceptView);
byId("recovered-seen").addEventListener("click", () => {
  sessionStorage.setItem(SEEN, state.recovered);
  showRecovered();
});
byId("left-out-again").addEventListener("click", askAnew);
byId("undo").addEventListener("click", undo);
byId("leave").addEventListener("click", leave);
byId("clock-pause").addEventListener("click", pauseClock);
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
  await beginHistory();
} catch (error) {
  connected(false, error.message);
}
follow(newest(), handlers);
