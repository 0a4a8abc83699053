// What is seen and not read: tiles on racks, and what was said to be none; and how to be asked about it again.

import { byId, setText } from "./dom.js";
import { count } from "./words.js";

/** Shows what is left out of `state`; the picture marks where it is. */
export function showLeftOut({ left_out: quads, places_told: isTold }) {
  const many = quads.length;
  byId("left-out").hidden = many === 0 && !isTold;
  setText(byId("left-out-now"), many === 0
    ? "What was said of racks, and of what is no tile, holds."
    : `${count(many, "place")} ${many === 1 ? "is" : "are"} left out: tiles on racks, or no tiles.`);
}
