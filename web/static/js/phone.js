// A phone as the camera: takes pictures and sends each when the one before has arrived, so that a slow
// network sends fewer and never old ones.

import { byId, setText } from "./dom.js";

const INTERVAL_MS = 200;
const RETRY_MS = 1000;
const QUALITY = 0.85;
const WANTED = {
  audio: false,
  video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } },
};

const view = byId("view");
const canvas = document.createElement("canvas");
let sent = 0;

// The printed address carries the code behind the #, which no browser sends to a server.
byId("code").value = decodeURIComponent(location.hash.slice(1));

function say(text) {
  setText(byId("said"), text);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function begin() {
  if (!navigator.mediaDevices) {
    say("This page came without encryption, so the browser gives it no camera. Start with --https and open the address that begins with https.");
    return;
  }
  byId("begin").disabled = true;
  try {
    view.srcObject = await navigator.mediaDevices.getUserMedia(WANTED);
    view.hidden = false;
    await view.play();
    await stayAwake();
    await sendForEver();
  } catch (error) {
    say(`The camera cannot be used: ${error.message}`);
  }
  byId("begin").disabled = false;
}

/** Keeps the screen on where the browser can; a phone that sleeps sends nothing. */
async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    say("Keep the screen on: this browser does not do that by itself.");
  }
}

async function sendForEver() {
  for (;;) {
    const began = performance.now();
    const answer = await send(await picture());
    if (answer.status === 403) {
      say("That is not the code. It stands where the program was started.");
      return;
    }
    if (answer.ok) {
      sent += 1;
      say(`${sent} ${sent === 1 ? "picture" : "pictures"} sent, ${canvas.width} × ${canvas.height}.`);
      await pause(Math.max(0, INTERVAL_MS - (performance.now() - began)));
    } else {
      if (answer.status !== 429) say(`Not sent: ${answer.message}. Trying again.`);
      await pause(RETRY_MS);
    }
  }
}

function picture() {
  canvas.width = view.videoWidth;
  canvas.height = view.videoHeight;
  canvas.getContext("2d").drawImage(view, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

async function send(jpeg) {
  try {
    const response = await fetch("/camera/frame", {
      method: "POST",
      headers: { "Content-Type": "image/jpeg", "X-Camera-Code": byId("code").value },
      body: jpeg,
    });
    const answer = await response.json();
    return { ok: response.ok, status: response.status, message: answer.message };
  } catch (error) {
    return { ok: false, status: 0, message: error.message };
  }
}

byId("begin").addEventListener("click", begin);
