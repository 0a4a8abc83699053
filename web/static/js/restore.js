// The table before the turn, ghosted over the live picture, and what is not yet as it was.

import { byId, drawn, element, setText } from "./dom.js";
import { tileInText } from "./tiles.js";
import { count, labelInWords } from "./words.js";

let shown = "";

/** Shows the table before the turn of `state`, or the button for it; `press(show)` when one is pressed. */
export function showRestore(state, press) {
  const { restore } = state;
  const drawing = JSON.stringify(restore);
  if (drawing === shown) return;
  shown = drawing;
  const on = restore.why !== "";
  const had = document.activeElement;
  byId("restore-ask").hidden = on || !restore.offered;
  byId("restore-ask").onclick = () => press(true);
  byId("restore-hide").onclick = () => press(false);
  byId("restore").hidden = !on;
  document.body.classList.toggle("restoring", on);
  if (on && had === byId("restore-ask")) byId("restore-hide").focus({ preventScroll: true });
  if (!on && had === byId("restore-hide")) byId("restore-ask").focus({ preventScroll: true });
  byId("ghost").replaceChildren(...(on ? ghost(restore) : []));
  if (!on) {
    setText(byId("restore-word"), "");
    return;
  }
  byId("restore").dataset.state = restore.as_it_was ? "back" : "open";
  setText(byId("restore-word"), word(restore));
  setText(byId("restore-note"), restore.note);
  byId("restore-note").hidden = restore.note === "";
  byId("restore-list").replaceChildren(...restore.differences.map(item));
  byId("restore-list").hidden = restore.differences.length === 0;
}

function word(restore) {
  const { length } = restore.differences;
  if (restore.as_it_was && restore.same_places) return "The table is as it was.";
  if (restore.as_it_was && length > 0) return `The table is as it was. ${count(length, "tile")} of it ${length === 1 ? "lies" : "lie"} elsewhere.`;
  if (restore.as_it_was) return "The table is as it was.";
  if (["-", "grid -"].includes(restore.layout)) return "The table was empty.";
  return length === 0 ? "Not yet as it was." : `${count(length, "thing")} to put right.`;
}

const SENTENCES = {
  missing: (tiles) => `${tiles} is missing here`,
  elsewhere: (tiles) => `${tiles} lies elsewhere than before`,
  extra: (tiles) => `A tile too many: ${tiles}`,
  unsure: (tiles) => `${tiles} cannot be seen`,
  apart: (tiles) => `${tiles} were one set`,
};

function item(difference, index) {
  const tiles = difference.labels.map(labelInWords).join(", ");
  const sentence = SENTENCES[difference.kind](tiles);
  const number = element("span", { class: "restore-number", "aria-hidden": "true" }, String(index + 1));
  const pictures = element("span", { class: "restore-tiles", "aria-hidden": "true" }, ...difference.labels.map(tileInText));
  const text = element("span", {}, sentence.charAt(0).toUpperCase() + sentence.slice(1));
  return element("li", { "data-kind": difference.kind }, number, pictures, text);
}

// Over the picture.

function ghost(restore) {
  const [width, height] = restore.size[0] ? restore.size : [1000, 750];
  const canvas = { width, height };
  byId("ghost").setAttribute("viewBox", `0 0 ${width} ${height}`);
  const away = restore.differences.filter((each) => each.kind !== "extra" && each.kind !== "apart");
  const wanted = new Set(away.flatMap((each) => each.before).map(String));
  const parts = restore.tiles.map((tile) => outline(tile.quad, wanted.has(String(tile.quad)) ? "away" : "home", canvas));
  if (restore.picture && wanted.size) parts.unshift(...cutOut(restore, away.flatMap((each) => each.before), canvas));
  else parts.push(...restore.tiles.filter((tile) => wanted.has(String(tile.quad))).map((tile) => face(tile, canvas)));
  restore.differences.forEach((each, index) => {
    for (const quad of each.now) parts.push(outline(quad, each.kind, canvas));
    if (each.kind === "elsewhere" && each.before.length) parts.push(way(each.now[0], each.before[0], canvas));
    const at = each.before[0] ?? each.now[0];
    if (at) parts.push(badge(at, String(index + 1), each.kind, canvas));
  });
  return parts;
}

/** The picture of then where tiles lay that do not lie there now. */
function cutOut(restore, quads, canvas) {
  const clip = drawn("clipPath", { id: "ghost-clip" }, ...quads.map((quad) => drawn("polygon", { points: points(quad, canvas) })));
  const picture = drawn("image", {
    href: `/api/restore.jpg?table=${restore.picture}`,
    width: canvas.width,
    height: canvas.height,
    preserveAspectRatio: "none",
    transform: restore.motion ? `matrix(${restore.motion.join(" ")})` : null,
  });
  return [drawn("defs", {}, clip), drawn("g", { class: "ghost-picture", "clip-path": "url(#ghost-clip)" }, picture)];
}

function face({ label, quad }, canvas) {
  const [x, y] = middle(quad, canvas);
  return drawn("text", { class: "ghost-face", x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": canvas.width / 42 }, label);
}

function outline(quad, kind, canvas) {
  const shape = { points: points(quad, canvas) };
  return drawn("g", { class: `ghost-tile ${kind}` }, drawn("polygon", { class: "under", ...shape }), drawn("polygon", { class: "line", ...shape }));
}

function way(from, to, canvas) {
  const [[x1, y1], [x2, y2]] = [middle(from, canvas), middle(to, canvas)];
  return drawn("line", { class: "ghost-way", x1, y1, x2, y2 });
}

function badge(quad, number, kind, canvas) {
  const [x, y] = [quad[0][0] * canvas.width, quad[0][1] * canvas.height];
  const radius = canvas.width / 52;
  const text = drawn("text", { x, y: y + radius * 0.38, "text-anchor": "middle", "font-size": radius * 1.2 }, number);
  return drawn("g", { class: `ghost-badge ${kind}` }, drawn("circle", { cx: x, cy: y, r: radius }), text);
}

function points(quad, { width, height }) {
  return quad.map(([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`).join(" ");
}

function middle(quad, { width, height }) {
  const sum = quad.reduce(([x, y], corner) => [x + corner[0], y + corner[1]], [0, 0]);
  return [(sum[0] / quad.length) * width, (sum[1] / quad.length) * height];
}
