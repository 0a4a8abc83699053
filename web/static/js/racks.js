// The racks at the end of a round: photographed, read by the table's camera or typed, and put right.

import { makeSure, pickTile } from "./dialogs.js";
import { byId, element } from "./dom.js";
import { tileButton } from "./tiles.js";
import { refuse } from "./wishes.js";
import { count, deckOf, labelInWords } from "./words.js";

const LONG_SIDE_PX = 2000;
const QUALITY = 0.88;
/** A tile that is to be added: nothing was read there. */
const NEW_TILE = { label: "", sure: false, options: [], corrected: false };

let shown = "";

/**
 * Shows the racks of `state`. `send(path, wish, place)` posts a wish, `upload(path, makeJpeg, place)` the photograph
 * that `makeJpeg()` gives, or tells people at the element `place` why it gives none.
 */
export function showRacks(state, send, upload) {
  const racks = state.game?.racks ?? [];
  byId("racks").hidden = racks.length === 0;
  const drawing = JSON.stringify(racks);
  if (drawing === shown) return;
  shown = drawing;
  const focused = document.activeElement?.closest("#racks [data-key]")?.dataset.key;
  const typed = new Map([...document.querySelectorAll("#racks .typed input")].map((input) => [input.id, input.value]));
  const open = new Set([...document.querySelectorAll("#racks details[open]")].map((details) => details.id));
  const answers = [...document.querySelectorAll("#racks .action-answer")];
  byId("rack-list").replaceChildren(...racks.map((rack, index) => rackItem(rack, `rack-${index}`, open, send, upload)));
  for (const input of document.querySelectorAll("#racks .typed input")) keep(input, typed.get(input.id) ?? "");
  for (const answer of answers) document.getElementById(answer.id)?.replaceWith(answer);
  if (focused) document.querySelector(`#racks [data-key="${CSS.escape(focused)}"]`)?.focus();
}

/** Puts what was typed into a field again, which is in sight then: the rack may have been told elsewhere meanwhile. */
function keep(input, text) {
  if (input === null) return;
  input.value = text;
  const folded = input.closest("details");
  if (text !== "" && folded) folded.open = true;
}

function rackItem(rack, id, open, sendTo, uploadTo) {
  const place = `${id}-answer`;
  const send = (path, wish) => sendTo(path, wish, place);
  const upload = (path, makeJpeg) => uploadTo(path, makeJpeg, place);
  const box = element("section", { class: "rack", "aria-label": `Rack of ${rack.player}`, "data-player": rack.player });
  box.append(element("h3", {}, rack.player), element("p", { class: "hint rack-sum" }, summary(rack)));
  const tiles = (rack.tiles ?? []).map((tile, index) => rackTile(rack, tile, index, send));
  box.append(element("div", { class: "rack-tiles" }, ...tiles, addButton(rack, send)));
  const ways = [element("div", { class: "row" }, photoButton(rack, id, upload), cameraButton(rack, send)), typedForm(rack, id, send)];
  if (rack.tiles === null) {
    box.append(...ways);
  } else {
    const anew = element("details", { id: `${id}-anew` }, element("summary", {}, "Say it again"), ...ways);
    anew.open = open.has(anew.id);
    box.append(anew);
  }
  box.append(element("p", { class: "action-answer", id: place, role: "status" }));
  return box;
}

function summary(rack) {
  if (rack.tiles === null) return `${count(rack.held, "tile")}, by the game's count. Nobody has said which.`;
  const points = rack.points === null ? "one could not be read" : `${rack.points} points`;
  const counted = rack.tiles.length === rack.held ? "" : ` The game counted ${rack.held}, the rack has ${rack.tiles.length}.`;
  return `${count(rack.tiles.length, "tile")}; ${points}.${counted}`;
}

function rackTile(rack, tile, index, send) {
  const said = tile.corrected ? ", as told" : tile.sure ? "" : ", in doubt";
  const ask = async () => {
    const label = await pickTile(tile, labelsOf(rack));
    if (label !== null) send("/api/game/rack/tile", { player: rack.player, tile: index, label, shown: labelsOf(rack) });
  };
  const button = tileButton(tile.label, `${labelInWords(tile.label)}${said}`, ask, !tile.sure);
  button.dataset.key = `${rack.player} ${index}`;
  button.dataset.label = tile.label;
  return button;
}

function labelsOf(rack) {
  return (rack.tiles ?? []).map((tile) => tile.label);
}

function addButton(rack, send) {
  const button = element("button", { type: "button", class: "add-tile", "aria-label": `Add a tile to ${rack.player}'s rack` }, "+");
  button.dataset.key = `${rack.player} add`;
  button.addEventListener("click", async () => {
    const shown = labelsOf(rack);
    const label = await pickTile(NEW_TILE, shown);
    const wish = { player: rack.player, tile: shown.length, label, shown };
    if (label !== null && label !== "none") send("/api/game/rack/tile", wish);
  });
  return button;
}

function photoButton(rack, rackId, upload) {
  const id = `${rackId}-photo`;
  const input = element("input", { type: "file", accept: "image/*", capture: "environment", class: "hidden-file", id });
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) upload(`/api/game/rack/photo?player=${encodeURIComponent(rack.player)}`, () => smaller(file));
    input.value = "";
  });
  return element("label", { class: "button", for: id }, "Photograph it", element("span", { class: "hidden-word" }, ` (the rack of ${rack.player})`), input);
}

/** A photograph as a JPEG of no more pixels than a rack needs, upright. */
async function smaller(file) {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name} is no photograph that this browser can read. Take another one, as JPEG or PNG.`);
  });
  const scale = Math.min(1, LONG_SIDE_PX / Math.max(picture.width, picture.height));
  const canvas = element("canvas", { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const jpeg = await new Promise((resolve) => {
    canvas.toBlob(resolve, "image/jpeg", QUALITY);
  });
  if (jpeg === null) throw new Error(`${file.name} is too large for this browser. Take a smaller photograph.`);
  return jpeg;
}

function cameraButton(rack, send) {
  const button = element("button", { type: "button" }, "It lies before the camera");
  button.dataset.key = `${rack.player} camera`;
  button.addEventListener("click", () => send("/api/game/rack/camera", { player: rack.player }));
  return button;
}

function typedForm(rack, rackId, send) {
  const id = `${rackId}-typed`;
  const input = element("input", { id, autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
  input.dataset.key = `${rack.player} typed`;
  const form = element("form", { class: "typed" }, element("label", { for: id }, "Or type it, such as K7 R10 J (K black, B blue, R red, O or Y orange, J joker)"), input);
  form.append(element("button", { type: "submit" }, "Take it"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const tiles = inNotation(input.value);
    if (tiles === "" && !(await makeSure(`Does ${rack.player} hold no tile at all?`, whatIsLost(rack)))) {
      refuse(`Type the tiles that ${rack.player} holds, such as K7 R10 J.`, `${rackId}-answer`);
      return;
    }
    const unknown = noTiles(tiles);
    if (unknown.length) {
      const words = `${unknown.join(" and ")} ${unknown.length === 1 ? "is no tile" : "are no tiles"}.`;
      refuse(`${words} A tile is K, B, R or O with a number from 1 to 13; a joker is J.`, `${rackId}-answer`);
      return;
    }
    input.value = "";
    send("/api/game/rack", { player: rack.player, tiles, shown: labelsOf(rack) }).then((done) => {
      if (!done) keep(document.getElementById(id), tiles);
    });
  });
  return form;
}

/** What was typed as the notation writes it, which has no Y: many a set has yellow tiles for orange ones. */
function inNotation(typed) {
  return typed.toUpperCase().replaceAll(",", " ").replace(/\bY(?=\d)/g, "O").trim();
}

/** What becomes of a rack where nothing is typed, if that is meant. */
function whatIsLost({ tiles }) {
  const told = tiles?.length ? `what stands there is forgotten (${count(tiles.length, "tile")}), and ` : "";
  return `Nothing was typed. If it is so, ${told}the rack counts as empty.`;
}

/** The words of what was typed that stand for no tile at all; what this game's set has is for the server to say. */
function noTiles(text) {
  const { suits, joker } = deckOf([]);
  const known = new Set([...suits.flat(), joker]);
  return text.split(/\s+/).filter((word) => word && !known.has(word));
}
