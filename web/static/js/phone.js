// A phone as the camera: takes pictures and sends each when the one before has arrived, so that a slow
// network sends fewer and smaller ones and never old ones. A phone takes its camera away from a page at
// any time, for a call, another app or its own sleep; the page says so, and asks for it again.

import { byId, setText } from "./dom.js";

const INTERVAL_MS = 200;
const RETRY_MS = 1000;
const QUIET_MS = 2000; // the camera gives a new picture at least so often
const SLOW_MS = 600; // a picture that takes longer to arrive is followed by smaller ones
const OLD_MS = 1500; // one that takes longer is given up: it would be taken for what lies there now
const QUICK_MS = 250;
const QUICK_MANY = 25; // after so many quick ones larger ones are tried
const SIZES = [
  { width: 1920, quality: 0.85 },
  { width: 1600, quality: 0.75 },
  { width: 1280, quality: 0.7 },
  { width: 960, quality: 0.6 },
];
const WANTED = {
  audio: false,
  video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } },
};
const NO_CAMERA = {
  NotAllowedError:
    "The browser does not let this page use the camera. Allow it behind the sign beside the address, or in the browser's settings, then press the button again.",
  NotFoundError: "This device has no camera.",
  NotReadableError: "Another app holds the camera. Close it, then press the button again.",
};

const view = byId("view");
const canvas = document.createElement("canvas");
let running = false;
let stream = null;
let lock = null;
let sent = 0;
let size = 0;
let quick = 0;
let freshAt = 0;
let number = 0; // which phone this one was chosen as, of those that were the camera; 0 while it is not chosen

// The printed address carries the code behind the #, which no browser sends to a server.
byId("code").value = decodeURIComponent(location.hash.slice(1));

function say(text) {
  setText(byId("said"), text);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function begin() {
  running = true;
  showButton();
  try {
    await openCamera();
    await stayAwake();
    if (await beChosen()) await sendForEver();
  } catch (error) {
    say(NO_CAMERA[error.name] ?? `The camera cannot be used: ${error.message}`);
  }
  stop();
}

function stop() {
  running = false;
  closeCamera();
  lock?.release();
  lock = null;
  setText(byId("count"), "");
  showButton();
}

function showButton() {
  setText(byId("begin"), running ? "Stop the camera" : "Start the camera");
  byId("begin").classList.toggle("primary", !running);
}

async function openCamera() {
  closeCamera();
  stream = await navigator.mediaDevices.getUserMedia(WANTED);
  view.srcObject = stream;
  view.hidden = false;
  await view.play();
  freshAt = performance.now();
  watchPictures(stream);
}

function closeCamera() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  view.srcObject = null;
  view.hidden = true;
}

/** Notes when the camera gave its newest picture. A browser that cannot tell is believed. */
function watchPictures(watched) {
  const note = () => {
    freshAt = performance.now();
    if (stream === watched) view.requestVideoFrameCallback?.(note);
  };
  view.requestVideoFrameCallback?.(note);
}

/** What keeps the camera from giving pictures; empty where nothing does. */
function obstacle() {
  const [track] = stream?.getVideoTracks() ?? [];
  if (!track || track.readyState === "ended") return "The camera was taken away. Trying to get it back.";
  if (track.muted) return "The phone has paused the camera, for a call or another app.";
  const told = "requestVideoFrameCallback" in view;
  if (told && performance.now() - freshAt > QUIET_MS) return "The camera gives no new picture. Trying again.";
  return "";
}

/** Keeps the screen on where the browser can; it lets go of that whenever the page is hidden. */
async function stayAwake() {
  try {
    lock = await navigator.wakeLock.request("screen");
    setText(byId("awake"), "");
  } catch {
    setText(byId("awake"), "Keep the screen on: this browser does not do that by itself.");
  }
}

/** From now on this phone is the camera, and no other one. False where it makes no sense to go on. */
async function beChosen() {
  number = 0;
  while (running) {
    const answer = await send("/camera/phone", "application/json", "{}");
    number = answer.phone ?? 0;
    if (answer.ok) return true;
    if (!(await tellWhyNot(answer))) return false;
  }
  return false;
}

async function sendForEver() {
  while (running) {
    if (document.hidden) {
      say("Nothing is sent while this page is in the background or the screen is off.");
      await pause(INTERVAL_MS);
      continue;
    }
    const trouble = obstacle();
    if (trouble) {
      say(trouble);
      await pause(RETRY_MS);
      if (running && !document.hidden && obstacle()) await openAgain();
      continue;
    }
    const began = performance.now();
    const jpeg = await picture();
    if (jpeg && !(await sendOne(jpeg))) return;
    await pause(Math.max(0, INTERVAL_MS - (performance.now() - began)));
  }
}

/** The camera anew; whoever has it now may give it back later. */
async function openAgain() {
  try {
    await openCamera();
  } catch (error) {
    if (error.name === "NotAllowedError") throw error;
    await pause(RETRY_MS);
  }
}

/** Sends a picture, and tells of it. False where it makes no sense to go on. */
async function sendOne(jpeg) {
  const began = performance.now();
  const answer = await send("/camera/frame", "image/jpeg", jpeg);
  adapt(answer, performance.now() - began);
  if (answer.ok) {
    sent += 1;
    say("Sending pictures.");
    setText(byId("count"), `${sent} ${sent === 1 ? "picture" : "pictures"} sent, ${canvas.width} × ${canvas.height}.`);
    return true;
  }
  return tellWhyNot(answer);
}

/** Says why something was not taken, and waits a moment. False where it makes no sense to go on. */
async function tellWhyNot(answer) {
  if (answer.status === 403) {
    say("That is not the code. It stands where the program was started, and is new with each start.");
    return false;
  }
  if (answer.status === 409) {
    say("Another phone is the camera now, and this one sends nothing. Press the button to make this one the camera again.");
    return false;
  }
  if (answer.status === 429 || !running) return true;
  say(answer.status === 413 ? "The picture was too large. Sending smaller ones." : `Not sent: ${answer.message}. Trying again.`);
  await pause(RETRY_MS);
  return true;
}

/** Smaller pictures for a slow network, larger ones when it is quick again. */
function adapt(answer, took) {
  const slow = answer.slow || answer.status === 413 || (answer.ok && took > SLOW_MS);
  quick = answer.ok && took < QUICK_MS ? quick + 1 : 0;
  if (slow) size = Math.min(size + 1, SIZES.length - 1);
  if (quick > QUICK_MANY && size > 0) [size, quick] = [size - 1, 0];
}

function picture() {
  const { width, quality } = SIZES[size];
  const longer = Math.max(view.videoWidth, view.videoHeight);
  if (!longer) return null;
  const scale = Math.min(1, width / longer);
  canvas.width = Math.round(view.videoWidth * scale);
  canvas.height = Math.round(view.videoHeight * scale);
  canvas.getContext("2d").drawImage(view, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

async function send(path, type, body) {
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), OLD_MS);
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: {
        "Content-Type": type,
        "X-Camera-Code": encodeURIComponent(byId("code").value.trim()),
        "X-Camera-Phone": number,
      },
      body,
      signal: given.signal,
    });
    const answer = await response.json().catch(() => ({}));
    const { phone, message = `error ${response.status}` } = answer;
    return { ok: response.ok, status: response.status, phone, message };
  } catch (error) {
    if (given.signal.aborted) return { ok: false, status: 0, slow: true, message: "the network is too slow" };
    return { ok: false, status: 0, message: "the program does not answer" };
  } finally {
    clearTimeout(timer);
  }
}

document.addEventListener("visibilitychange", () => {
  if (running && !document.hidden) {
    freshAt = performance.now();
    stayAwake();
  }
});

if (navigator.mediaDevices) {
  byId("begin").addEventListener("click", () => (running ? stop() : begin()));
} else {
  byId("begin").disabled = true;
  say("This page came without encryption, so the browser gives it no camera. Start the program with --https and open the address that begins with https.");
}
