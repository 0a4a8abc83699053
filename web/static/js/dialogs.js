// The three things a person can be asked: end anyway, begin anew, which tile.

import { byId, element } from "./dom.js";
import { tileButton } from "./tiles.js";
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

/** Asks which tile lies at a place; answers its label, NO_TILE, or null. */
export function pickTile(tile, labels) {
  const dialog = byId("ask-tile");
  return new Promise((resolve) => {
    let picked = null;
    const pick = (label) => () => {
      picked = label;
      dialog.close();
    };
    const choice = (label) => tileButton(label, labelInWords(label), pick(label));
    const doubt = tile.sure ? "" : ", and is not sure of it";
    byId("ask-tile-text").textContent = `The machine reads ${labelInWords(tile.label)}${doubt}.`;
    const likely = tile.sure ? [] : tile.options.slice(0, 4);
    byId("ask-tile-likely").replaceChildren(...likely.map(choice));
    byId("ask-tile-likely").hidden = likely.length === 0;
    const deck = deckOf(labels);
    const rows = [...deck.suits, [deck.joker]];
    byId("ask-tile-picker").replaceChildren(
      ...rows.map((row) => element("div", { class: "picker-row" }, ...row.map(choice))),
    );
    byId("ask-tile-none").onclick = pick(NO_TILE);
    byId("ask-tile-no").onclick = () => dialog.close();
    dialog.onclose = () => resolve(picked);
    dialog.showModal();
  });
}
