// Who uses this device: named in the log with what is pressed here, where somebody has said so.

import { byId, element } from "./dom.js";

/** Where this browser keeps the name; the server gets it with what is pressed, and with nothing else. */
const KEPT = "who";

/** The part of a wish that names who makes it; nothing where nobody has said. */
export function named() {
  const by = localStorage.getItem(KEPT);
  return by ? { by } : {};
}

/** Offers the players of `state` as names. */
export function showWho(state) {
  const names = state.game?.seats.map((seat) => seat.name) ?? [];
  const offered = [...byId("who-names").options].map((option) => option.value);
  if (names.join("|") === offered.join("|")) return;
  byId("who-names").replaceChildren(...names.map((name) => element("option", { value: name })));
}

/** Keeps what is said in the field of the page that asks for it. */
export function askWho() {
  byId("who").value = localStorage.getItem(KEPT) ?? "";
  byId("who").addEventListener("change", () => {
    localStorage.setItem(KEPT, byId("who").value.trim());
  });
  // Another tab of this browser has said so: what is pressed here is logged under that name, too.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === KEPT || key === null) byId("who").value = newValue ?? "";
  });
}
