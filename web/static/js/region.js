// Where the table is in the picture: what counts now, what was found, and four corners to drag.

import { byId, drawn, element, setText } from "./dom.js";

const NAMES = ["Top left", "Top right", "Bottom right", "Bottom left"];
const WHOLE = [[0, 0], [1, 0], [1, 1], [0, 1]];
const STEP = 0.005;
const LARGE_STEP = 0.05;

const ORIGINS = {
  "whole picture": "The whole picture is read as the table.",
  found: "The table is read as it was found.",
  "set by hand": "The table is read as it was set by hand.",
  "carried over": "The outline of the table was moved with the camera.",
  markers: "Markers show where the table is.",
};

let region = null;
let say = null;
/** The corners that are being dragged; null while nobody does. */
let edited = null;
/** The event that had said where the table is when the dragging began. */
let begunAt = 0;
let shown = "";

/** Shows the region of `state`; `sayRegion(corners, sequence)` posts another one and answers whether it holds. */
export function showRegion(state, sayRegion) {
  region = state.region;
  say = sayRegion;
  const drawing = JSON.stringify([region, edited !== null]);
  if (drawing === shown) return;
  shown = drawing;
  setText(byId("region-now"), nowInWords());
  setText(byId("region-asks"), asksInWords());
  byId("region-asks").hidden = !byId("region-asks").textContent;
  byId("region-take").hidden = !isToConfirm() || edited !== null;
  setText(byId("region-take"), takeInWords());
  byId("region-refuse").hidden = !region.proposes || edited !== null;
  byId("region-edit").hidden = edited !== null || region.origin === "markers";
  byId("region-editor").hidden = edited === null;
  byId("region-found").disabled = region.proposal === null;
  drawRegion();
}

function isToConfirm() {
  return region.proposes || (region.asks !== "" && toConfirm() !== null);
}

/** What one tap would confirm: the proposal, or what was carried over. */
function toConfirm() {
  return region.origin === "carried over" ? region.corners : region.proposal;
}

function takeInWords() {
  if (region.origin === "carried over") return "It is right";
  return region.proposes ? "Use what was found" : "It is where it was";
}

function nowInWords() {
  const left = region.outside.length;
  const tiles = left === 1 ? "1 tile beside it is not read." : `${left} tiles beside it are not read.`;
  return `${ORIGINS[region.origin]}${left ? ` ${tiles}` : ""}`;
}

function asksInWords() {
  const dropped = region.dropped.length
    ? `On the table before, and beside it now: ${region.dropped.join(" ")}. Lay them back, or move the outline.`
    : "";
  const found = region.proposes ? "This may be the table: the dashed outline. Are the racks, the box and the pool outside of it?" : "";
  return [dropped, region.asks, found].filter(Boolean).join(" ");
}

/** How many tiles that are read now lie beside a table with these corners. */
export function leftOut(tiles, corners) {
  const turn = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const around = corners.map((corner, index) => [corner, corners[(index + 1) % 4]]);
  const size = around.reduce((sum, [[ax, ay], [bx, by]]) => sum + ax * by - bx * ay, 0);
  return tiles.filter(({ quad }) => {
    const middle = [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / 4);
    return around.some(([from, to]) => turn(from, to, middle) * Math.sign(size) < 0);
  }).length;
}

// Drawing over the picture. Coordinates are parts of its width and height.

function drawRegion() {
  const layer = byId("region");
  const corners = edited ?? region.corners;
  const parts = region.outside.map((quad) => drawn("polygon", { class: "beside", points: points(quad) }));
  if (edited !== null || region.origin !== "whole picture") {
    parts.push(drawn("path", { class: "shade", "fill-rule": "evenodd", d: `M0 0H100V100H0Z M${corners.map(([x, y]) => `${x * 100} ${y * 100}`).join("L")}Z` }));
    parts.push(drawn("polygon", { class: "outline under", points: points(corners) }));
    parts.push(drawn("polygon", { class: "outline", points: points(corners) }));
  }
  if (edited === null && isToConfirm() && toConfirm() !== region.corners) {
    parts.push(drawn("polygon", { class: "outline under", points: points(toConfirm()) }));
    parts.push(drawn("polygon", { class: "outline found", points: points(toConfirm()) }));
  }
  layer.replaceChildren(...parts);
}

function points(corners) {
  return corners.map(([x, y]) => `${x * 100},${y * 100}`).join(" ");
}

// Dragging.

function edit() {
  if (region === null) return;
  edited = (isToConfirm() ? toConfirm() : region.corners).map((corner) => [...corner]);
  begunAt = region.sequence;
  byId("picture").classList.add("editing");
  byId("region-corners").replaceChildren(...edited.map((_, index) => handle(index)));
  moved();
  refresh();
  byId("region-corners").firstElementChild.focus({ preventScroll: true });
  byId("picture").scrollIntoView({ block: "nearest" });
}

function stop() {
  edited = null;
  byId("picture").classList.remove("editing");
  byId("region-corners").replaceChildren();
  refresh();
  byId("region-edit").focus({ preventScroll: true });
}

/** Draws again what a press has changed on this page alone. */
function refresh() {
  shown = "";
  showRegion({ region }, say);
}

function handle(index) {
  const button = element("button", { type: "button", class: "corner", "data-corner": index });
  button.addEventListener("pointerdown", (event) => {
    button.setPointerCapture(event.pointerId);
    button.focus({ preventScroll: true });
    event.preventDefault();
  });
  button.addEventListener("pointermove", (event) => {
    if (button.hasPointerCapture(event.pointerId)) dragTo(index, event);
  });
  button.addEventListener("keydown", (event) => nudge(index, event));
  // A press on a corner keeps the focus: the arrow keys move it on from there.
  button.addEventListener("click", (event) => event.stopPropagation());
  return button;
}

function dragTo(index, event) {
  const box = byId("picture").getBoundingClientRect();
  edited[index] = [within((event.clientX - box.left) / box.width), within((event.clientY - box.top) / box.height)];
  moved();
}

function nudge(index, event) {
  const by = event.shiftKey ? LARGE_STEP : STEP;
  const ways = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] };
  const way = ways[event.key];
  if (!way) return;
  event.preventDefault();
  edited[index] = [within(edited[index][0] + way[0]), within(edited[index][1] + way[1])];
  moved();
}

function within(part) {
  return Math.round(Math.min(1, Math.max(0, part)) * 1e5) / 1e5;
}

/** Puts the handles where the corners are, and names them for whoever does not see them. */
function moved() {
  [...byId("region-corners").children].forEach((button, index) => {
    const [x, y] = edited[index];
    button.style.left = `${x * 100}%`;
    button.style.top = `${y * 100}%`;
    button.setAttribute("aria-label", `${NAMES[index]} corner, ${Math.round(x * 100)} % from the left, ${Math.round(y * 100)} % from above`);
  });
  drawRegion();
}

function take(corners) {
  edited = corners.map((corner) => [...corner]);
  moved();
}

async function save() {
  if (await say(edited, begunAt)) stop();
  else begunAt = region.sequence;
}

byId("region-edit").addEventListener("click", edit);
byId("region-take").addEventListener("click", () => say(toConfirm(), region.sequence));
byId("region-refuse").addEventListener("click", () => say(WHOLE, region.sequence));
byId("region-whole").addEventListener("click", () => take(WHOLE));
byId("region-found").addEventListener("click", () => take(region.proposal));
byId("region-save").addEventListener("click", save);
byId("region-cancel").addEventListener("click", stop);
