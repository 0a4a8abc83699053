// The live picture and the marks over it. A picture is fetched when the one before has been drawn, so
// a slow phone sees fewer of them and never an old one.

import { byId, drawn, element } from "./dom.js";
import { faults } from "./layout.js";

let wanted = 0;
let loading = false;
let size = { width: 4, height: 3 };

/** Asks for the picture that the server announced. */
export function announcePicture(picture) {
  size = picture;
  wanted = picture.number;
  if (!loading) fetchPicture();
}

function fetchPicture() {
  const number = wanted;
  const next = new Image();
  loading = true;
  next.onload = () => {
    const live = byId("live");
    next.id = live.id;
    next.alt = live.alt;
    live.replaceWith(next);
    byId("picture").style.aspectRatio = `${size.width} / ${size.height}`;
    byId("marks").setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    again(number);
  };
  next.onerror = () => again(number);
  next.src = `/live.jpg?number=${number}`;
}

function again(number) {
  loading = false;
  if (wanted !== number) fetchPicture();
}

let shown = "";

/** Draws the outline of every tile: dashed in doubt, heavy with the fault's number where one is, muted where it is not read. */
export function showMarks(state) {
  const marks = byId("marks");
  marks.classList.toggle("faded", state.camera.state !== "live" || state.moving);
  const asked = new Set(tilesInQuestion(state));
  const drawing = JSON.stringify([state.tiles, state.melds, state.face_down, outOf(state), faults(state), [...asked], size]);
  if (drawing === shown) return;
  shown = drawing;
  marks.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  const numbers = faults(state);
  marks.replaceChildren(...state.face_down.map((quad) => outline(quad, "down")), ...outOf(state).map((quad) => outline(quad, "out")));
  const inFault = new Set(state.melds.flatMap((meld, index) => (numbers[index] ? meld : [])));
  state.tiles.forEach(({ quad, sure }, tile) => {
    const kind = sure && !asked.has(tile) ? "sure" : "doubt";
    marks.append(outline(quad, inFault.has(tile) ? "fault" : kind));
    if (!sure) marks.append(badge(quad, "?", "doubt"));
  });
  state.melds.forEach((meld, index) => {
    if (numbers[index]) marks.append(badge(state.tiles[meld[0]].quad, String(numbers[index]), "fault"));
  });
}

/** Where it is that what is seen is not read, as of a rack, or does not count, as somebody said that it is no tile. */
function outOf({ left_out: quads, no_tiles: tiles }) {
  return [...quads, ...tiles.map(({ quad }) => quad)];
}

/** How much of the picture is shown round places that are asked about, in sizes of one of them. */
const ROUND_ABOUT = 1.3;
/** Pixels of the page that this piece takes at most. */
const [WIDEST, HIGHEST] = [340, 170];

/** The piece of the newest picture round these places, each outlined: on a phone the picture itself is out of sight. */
export function pieceRound(quads) {
  const sides = quads.map((quad) => [0, 1].map((axis) => range(quad, axis)));
  const reach = ROUND_ABOUT * Math.max(...sides.map(([wide, high]) => Math.max(wide * size.width, high * size.height)));
  const [x, y] = [0, 1].map((axis) => {
    const at = quads.flat().map((corner) => corner[axis]);
    const rim = reach / (axis === 0 ? size.width : size.height);
    return [Math.max(0, Math.min(...at) - rim), Math.min(1, Math.max(...at) + rim)];
  });
  const [wide, high] = [x[1] - x[0], y[1] - y[0]];
  const image = element("img", { src: byId("live").getAttribute("src") ?? "/live.jpg", alt: "" });
  Object.assign(image.style, { width: `${100 / wide}%`, left: `${(-100 * x[0]) / wide}%`, top: `${(-100 * y[0]) / high}%` });
  const marks = drawn("svg", {
    viewBox: [x[0] * size.width, y[0] * size.height, wide * size.width, high * size.height].join(" "), preserveAspectRatio: "none",
  });
  marks.append(...quads.map((quad) => outline(quad, "doubt")));
  const piece = element("div", { class: "piece", "aria-hidden": "true" }, image, marks);
  const ratio = (wide * size.width) / (high * size.height);
  Object.assign(piece.style, { aspectRatio: ratio, width: `${Math.min(WIDEST, ratio * HIGHEST)}px` });
  return piece;
}

function range(quad, axis) {
  const at = quad.map((corner) => corner[axis]);
  return Math.max(...at) - Math.min(...at);
}

/** The numbers of the tiles of which is asked whether they stand on a rack, or which of them lie together. */
function tilesInQuestion({ ruling }) {
  const asked = (ruling?.questions ?? []).filter(({ kind }) => kind === "place" || kind === "arrangement");
  return asked.flatMap(({ tiles }) => tiles);
}

function outline(quad, kind) {
  const points = quad.map(([x, y]) => `${(x * size.width).toFixed(1)},${(y * size.height).toFixed(1)}`);
  const group = drawn("g", { class: `mark ${kind}` });
  group.append(drawn("polygon", { class: "under", points: points.join(" ") }));
  group.append(drawn("polygon", { class: "line", points: points.join(" ") }));
  return group;
}

function badge(quad, content, kind) {
  const [x, y] = [quad[0][0] * size.width, quad[0][1] * size.height];
  const radius = size.width / 70;
  const group = drawn("g", { class: `badge ${kind}` });
  group.append(drawn("circle", { cx: x, cy: y, r: radius }));
  const text = drawn("text", { x, y: y + radius * 0.42, "text-anchor": "middle", "font-size": radius * 1.25 }, content);
  group.append(text);
  return group;
}
