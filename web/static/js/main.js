// The dashboard: what the stream brings goes to the parts of the page, what people press goes back.

import { confirmWith, pickTile } from "./dialogs.js";
import { byId, setText } from "./dom.js";
import { follow, getJson, post } from "./feed.js";
import { addEvents, newest } from "./history.js";
import { showLayout } from "./layout.js";
import { announcePicture, showMarks } from "./picture.js";
import { showRuling } from "./ruling.js";
import { VERDICTS } from "./words.js";

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

/** What a person can say to a camera that is not right, by its state. */
const ACCEPT_WORDS = { moved: "The camera stays here", blurred: "It gets no sharper" };

let state = null;

function show(next) {
  if (state !== null && next.version < state.version) return;
  state = next;
  const camera = state.camera.state;
  const lamp = camera === "live" && state.moving ? "moving" : camera;
  byId("camera").dataset.state = lamp;
  setText(byId("camera-word"), CAMERA_WORDS[lamp]);
  setText(byId("camera-notes"), state.camera.notes.join(" "));
  byId("camera-notes").hidden = state.camera.notes.length === 0;
  byId("camera-stays").hidden = !(camera in ACCEPT_WORDS);
  setText(byId("camera-stays"), ACCEPT_WORDS[camera] ?? "");
  byId("camera").title = `${state.source}. ${state.camera.detail}`;
  setText(byId("turn-now"), `Turn ${state.turn}`);
  byId("rendered").hidden = !state.rendered;
  byId("tag").hidden = !state.rendered;
  setText(byId("said"), state.said ? `The player ${state.said}.` : "");
  setText(byId("veil"), state.trouble || state.camera.detail);
  byId("veil").hidden = !byId("veil").textContent;
  byId("end-turn").disabled = state.layout === null;
  showRuling(state, answerQuestion);
  showLayout(state, correct);
  showMarks(state);
  document.body.dataset.version = state.version;
}

function connected(isConnected, why) {
  byId("lost").hidden = isConnected;
  setText(byId("lost"), why);
  document.body.classList.toggle("disconnected", !isConnected);
}

async function wish(path, body, said) {
  try {
    const answer = await post(path, body);
    show(answer.state);
    setText(byId("action-answer"), said);
  } catch (error) {
    setText(byId("action-answer"), error.message);
  }
}

async function endTurn() {
  if (state === null || state.layout === null) return;
  const { layout_sequence, ruling, turn } = state;
  const legal = ruling?.verdict === "LEGAL";
  if (!legal) {
    const word = ruling ? VERDICTS[ruling.verdict].log : "not given yet";
    byId("ask-end-text").textContent =
      `The ruling is: ${word}. If you end the turn, the table counts as it lies now.`;
    if (!(await confirmWith("ask-end"))) return;
  }
  await wish("/api/end-turn", { layout_sequence, anyway: !legal }, `Turn ${turn} has ended.`);
}

async function newRound() {
  if (await confirmWith("ask-round")) await wish("/api/new-round", {}, "A new round has begun.");
}

async function acceptView() {
  await wish("/api/camera-stays", {}, "Thank you. The table is read as the camera sees it now.");
}

async function correct(index) {
  const { layout_sequence, tiles } = state;
  const label = await pickTile(tiles[index], tiles.map((tile) => tile.label));
  if (label === null) return;
  await wish("/api/answer", { layout_sequence, tile: index, option: label }, "Thank you, that tile is corrected.");
}

async function answerQuestion(asked, question, option) {
  const { layout_sequence } = asked;
  await wish("/api/answer", { layout_sequence, question, option }, "Thank you.");
}

byId("end-turn").addEventListener("click", endTurn);
byId("new-round").addEventListener("click", newRound);
byId("camera-stays").addEventListener("click", acceptView);
document.addEventListener("keydown", (event) => {
  const busy = event.target.closest("button, summary, a, input, dialog") || document.querySelector("dialog[open]");
  if (event.code === "Space" && !busy && !event.repeat && !event.ctrlKey && !event.altKey && !event.metaKey) {
    event.preventDefault();
    endTurn();
  }
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
