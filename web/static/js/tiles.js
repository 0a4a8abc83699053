// Tiles drawn as SVG: number, and a shape that holds the colour's letter. Each colour has a shape of
// its own (black square, blue circle, red triangle, orange diamond), so none has to be told by hue.

import { drawn, element } from "./dom.js";
import { labelInWords, parseLabel } from "./words.js";

const SHAPES = {
  square: () => drawn("rect", { x: 18, y: 51, width: 24, height: 24, rx: 3 }),
  circle: () => drawn("circle", { cx: 30, cy: 63, r: 13.5 }),
  triangle: () => drawn("path", { d: "M30 46.5 45.5 76h-31z", "stroke-linejoin": "round" }),
  diamond: () => drawn("path", { d: "M30 47 46 63 30 79 14 63z" }),
};
const STAR = "M30 22l6.2 13.4 14.6 1.7-10.8 10 2.9 14.4L30 54.3l-12.9 7.2 2.9-14.4-10.8-10 14.6-1.7z";

/** The picture of one tile; `doubtful` draws it dashed with a question mark. */
export function drawTile(label, doubtful = false) {
  const tile = parseLabel(label);
  const svg = drawn("svg", { viewBox: "0 0 60 84", class: "tile", "aria-hidden": "true" });
  svg.classList.add(tile?.joker ? "joker" : `suit-${tile?.suit ?? "none"}`);
  svg.classList.toggle("doubtful", doubtful);
  svg.append(drawn("rect", { class: "body", x: 1.5, y: 1.5, width: 57, height: 81, rx: 8 }));
  if (!tile) {
    svg.append(text(30, 54, "?", "number"));
  } else if (tile.joker) {
    svg.append(drawn("path", { class: "ink", d: STAR }), text(30, 76, "joker", "small"));
  } else {
    svg.append(text(30, 38, tile.rank, "number"));
    if (tile.symbol) svg.append(text(30, 73, tile.symbol, "symbol"));
    else svg.append(shape(tile), text(30, tile.shape === "triangle" ? 72 : 68.5, tile.suit, "letter"));
  }
  if (doubtful && tile) {
    svg.append(drawn("circle", { class: "doubt", cx: 49, cy: 11, r: 10 }), text(49, 16, "?", "doubt-mark"));
  }
  return svg;
}

function shape(tile) {
  const figure = SHAPES[tile.shape]();
  figure.setAttribute("class", "ink");
  return figure;
}

function text(x, y, content, kind) {
  return drawn("text", { x, y, class: kind, "text-anchor": "middle" }, content);
}

/** A tile to press: its name for people who listen, its picture for those who look. */
export function tileButton(label, name, onPress, doubtful = false) {
  const button = element("button", { type: "button", class: "tile-button", "aria-label": name, title: name });
  button.append(drawTile(label, doubtful));
  button.addEventListener("click", onPress);
  return button;
}

/** A tile in running text. */
export function tileInText(label) {
  return element("span", { class: "tile-in-text", role: "img", "aria-label": labelInWords(label) }, drawTile(label));
}

/** The tiles of one set in running text. */
export function meldInTiles(meld) {
  return element("span", { class: "meld-in-text" }, ...meld.split(" ").map(tileInText));
}

/** A table in notation, as sets or as the rows of a board; empty for an empty one. */
export function tableInTiles(layout) {
  const text = layout.replace(/^grid /, "");
  if (text === "-") return [];
  if (text === layout) return text.split(" | ").map(meldInTiles);
  return text.split(" / ").map((row) => element("span", { class: "row-in-text" }, ...row.split(" ").map(cellInText)));
}

function cellInText(label) {
  return label === "." ? element("span", { class: "no-tile" }) : tileInText(label);
}
