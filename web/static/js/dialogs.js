// What a person can be asked: whether it is meant, who says so, which tile, and what was so.

import { byId, element } from "./dom.js";
import { tileButton } from "./tiles.js";
import { named as whoSays } from "./who.js";
import { NO_TILE, deckOf, labelInWords } from "./words.js";

/** Asks before something that is not easily undone; answers true or false. */
export function confirmWith(name) {
  const dialog = byId(name);
  return new Promise((resolve) => {
    const settle = (answer) => () => {
      dialog.returnValue = answer ? "yes" : "no";
      dialog.close();
    };
    byId(`${name}-yes`).onclick = settle(true);
    byId(`${name}-no`).onclick = settle(false);
    dialog.returnValue = "no";
    dialog.onclose = () => resolve(dialog.returnValue === "yes");
    dialog.showModal();
  });
}

/** Asks whether something is meant; answers true or false. */
export function makeSure(title, text) {
  byId("ask-sure-title").textContent = title;
  byId("ask-sure-text").textContent = text;
  return confirmWith("ask-sure");
}

/** Where this browser keeps who decided here last without playing, such as an arbiter. */
const OTHER_NAME = "arbiter";

/** Asks who decides, one of the players or somebody else by name; answers the name, or null. */
export function askName(title, names) {
  const dialog = byId("ask-name");
  return new Promise((resolve) => {
    let named = null;
    byId("ask-name-text").textContent = title;
    byId("ask-name-list").replaceChildren(
      ...names.map((name) => {
        const button = element("button", { type: "button" }, name);
        button.addEventListener("click", () => {
          named = name;
          dialog.close();
        });
        return button;
      }),
    );
    byId("ask-name-new").value = whoSays().by ?? localStorage.getItem(OTHER_NAME) ?? "";
    byId("ask-name-other").onsubmit = (event) => {
      event.preventDefault();
      named = byId("ask-name-new").value.trim() || null;
      if (named === null) return;
      localStorage.setItem(OTHER_NAME, named);
      dialog.close();
    };
    byId("ask-name-no").onclick = () => dialog.close();
    dialog.onclose = () => resolve(named);
    dialog.showModal();
  });
}

/** Asks how an event was, in notation, with `line` written there; answers the line, or null. */
export async function correctLine(was, line = was) {
  byId("ask-line-was").textContent = was;
  byId("ask-line-new").value = line;
  return (await confirmWith("ask-line")) ? byId("ask-line-new").value : null;
}

/** Asks which tile lies at a place; answers its label, NO_TILE, or null. `wasNone` is one that was said to be none. */
export function pickTile(tile, labels, { wasNone = false } = {}) {
  const dialog = byId("ask-tile");
  return new Promise((resolve) => {
    let picked = null;
    const pick = (label) => () => {
      picked = label;
      dialog.close();
    };
    const choice = (label) => tileButton(label, labelInWords(label), pick(label));
    const doubt = tile.sure ? "" : ", and is not sure of it";
    const read = tile.label || tile.options.length ? `The machine reads ${labelInWords(tile.label)}${doubt}.` : "";
    byId("ask-tile-text").textContent = wasNone ? `Somebody said that it is no tile. ${read}` : tile.corrected ? `Somebody said that it is ${labelInWords(tile.label)}.` : read;
    const likely = tile.sure && !wasNone ? [] : tile.options.slice(0, 4);
    byId("ask-tile-likely").replaceChildren(...likely.map(choice));
    byId("ask-tile-likely").hidden = likely.length === 0;
    const deck = deckOf(labels);
    const rows = [...deck.suits, [deck.joker]];
    byId("ask-tile-picker").replaceChildren(
      ...rows.map((row) => element("div", { class: "picker-row" }, ...row.map(choice))),
    );
    byId("ask-tile-none").hidden = wasNone;
    byId("ask-tile-none").onclick = pick(NO_TILE);
    byId("ask-tile-no").onclick = () => dialog.close();
    dialog.onclose = () => resolve(picked);
    dialog.showModal();
  });
}
