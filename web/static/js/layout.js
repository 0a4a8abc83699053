// The layout as drawn tiles, one row of tiles a meld; a board with its tiles in their cells.

import { addTokens, tokensOnTiles } from "./claims.js";
import { byId, element, setText } from "./dom.js";
import { tileButton } from "./tiles.js";
import { count, labelInWords } from "./words.js";

let shown = "";
let shownNone = "";

/** Draws the melds of `state`; `askTile(index)` is called when a tile is pressed. */
export function showLayout(state, askTile) {
  const drawing = JSON.stringify([state.melds, state.grid, state.tiles.map(look), faults(state), state.game?.claims?.claimed]);
  if (drawing === shown) return;
  shown = drawing;
  const focused = document.activeElement?.closest("#melds [data-tile]")?.dataset.tile;
  const melds = !state.grid?.length ? state.melds.map((meld, index) => meldItem(state, meld, index, askTile)) : [boardItem(state, askTile)];
  byId("melds").replaceChildren(...melds);
  tokensOnTiles(state).forEach((tokens, tile) => addTokens(document.querySelector(`#melds [data-tile="${tile}"]`), tokens));
  if (focused) document.querySelector(`#melds [data-tile="${CSS.escape(focused)}"]`)?.focus();
  const empty = state.layout !== null && state.tiles.length === 0;
  if (empty) byId("melds").append(element("li", { class: "nothing" }, "The table is empty."));
  setText(byId("layout-text"), state.layout ?? "");
  byId("before-line").hidden = state.before === null;
  setText(byId("before-text"), state.before ?? "");
  byId("layout-hint").hidden = state.tiles.length === 0;
}

/** For each faulty meld the number of its finding, as the ruling lists them. */
export function faults(state) {
  const numbers = {};
  (state.ruling?.findings ?? []).forEach((finding, index) => {
    if (finding.meld !== null && !(finding.meld in numbers)) numbers[finding.meld] = index + 1;
  });
  return numbers;
}

/** Draws what people said is no tile in `state`, struck out; `nameTile(tile)` is called when one is pressed. */
export function showNoTiles({ no_tiles: tiles }, nameTile) {
  const drawing = JSON.stringify(tiles.map(({ label, quad }) => [label, quad]));
  if (drawing === shownNone) return;
  shownNone = drawing;
  byId("no-tiles").hidden = tiles.length === 0;
  byId("no-tiles-list").replaceChildren(...tiles.map((tile) =>
    tileButton(tile.label, `${labelInWords(tile.label)}, said to be no tile`, () => nameTile(tile), !tile.sure)));
}

function look(tile) {
  return [tile.label, tile.sure, tile.corrected];
}

function meldItem(state, meld, index, askTile) {
  const fault = faults(state)[index];
  const name = `${meld.length === 1 ? "Loose tile" : `Meld ${index + 1}, ${count(meld.length, "tile")}`}${
    fault ? `, fault ${fault}` : ""}`;
  const item = element("li", { class: "meld", "aria-label": name });
  item.classList.toggle("faulty", fault !== undefined);
  item.append(...meld.map((tile) => tileItem(state.tiles[tile], tile, askTile)));
  item.append(element("span", { class: "meld-number", "aria-hidden": "true" }, String(index + 1)));
  if (fault) item.append(element("span", { class: "fault-number", "aria-hidden": "true" }, String(fault)));
  return item;
}

/** A board: rows and columns as it lies, with the number of the fault at the first tile of a faulty line. */
function boardItem(state, askTile) {
  const numbers = faults(state);
  const inFault = new Set(state.melds.flatMap((line, index) => (numbers[index] ? line : [])));
  const [width, height] = [state.grid[0]?.length ?? 0, state.grid.length];
  const item = element("li", { class: "board", "aria-label": `Board, ${count(height, "row")}, ${count(width, "column")}` });
  item.style.gridTemplateColumns = `repeat(${width}, minmax(0, var(--tile-width)))`;
  state.grid.forEach((row, y) => {
    if (row.every((tile) => tile === null)) item.append(gapAt(y + 1)); // parts that do not touch stay apart
  });
  state.grid.forEach((row, y) => row.forEach((tile, x) => {
    if (tile === null) return;
    const cell = element("span", { class: "cell" }, tileItem(state.tiles[tile], tile, askTile, `, row ${y + 1}, column ${x + 1}`));
    [cell.style.gridRow, cell.style.gridColumn] = [y + 1, x + 1];
    cell.classList.toggle("faulty", inFault.has(tile));
    const line = state.melds.findIndex((each, index) => each[0] === tile && numbers[index]);
    if (line >= 0) cell.append(element("span", { class: "fault-number" }, String(numbers[line])));
    item.append(cell);
  }));
  return item;
}

function gapAt(row) {
  const gap = element("span", { class: "gap", "aria-hidden": "true" });
  [gap.style.gridRow, gap.style.gridColumn] = [row, 1];
  return gap;
}

function tileItem(tile, index, askTile, where = "") {
  const said = tile.corrected ? ", as corrected" : tile.sure ? "" : ", in doubt";
  const button = tileButton(tile.label, `${labelInWords(tile.label)}${where}${said}`, () => askTile(index), !tile.sure);
  button.dataset.tile = index;
  button.dataset.label = tile.label;
  button.classList.toggle("corrected", tile.corrected);
  return button;
}
