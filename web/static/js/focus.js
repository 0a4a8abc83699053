// Where the keyboard is on the page: what has the focus may be gone when the page is drawn anew. Whoever uses a
// keyboard, or has the page read out, then goes on where it was, at the heading of that part of the page.

let byKeyboard = false;

/** From here on it is known whether the keyboard is used, and no dialog leaves the focus nowhere. */
export function watchFocus() {
  document.addEventListener("keydown", () => { byKeyboard = true; }, { capture: true });
  document.addEventListener("pointerdown", () => { byKeyboard = false; }, { capture: true });
  // What opened the dialog gets the focus back by itself, unless it is gone.
  document.addEventListener("close", () => { if (isNowhere()) goTo(null); }, { capture: true });
}

/** Draws the page anew by `draw`, and leaves the focus in the part of the page where it was. */
export function keepFocus(draw) {
  const had = document.activeElement;
  const part = had?.closest("main section, main > details") ?? null;
  draw();
  if (part !== null && isNowhere()) goTo(part);
}

/** Whether nothing that is shown has the focus. */
function isNowhere() {
  const { activeElement: has } = document;
  return has === null || has === document.body || !isShown(has);
}

function isShown(node) {
  return node.getClientRects().length > 0;
}

/** Gives the focus to the heading of a part of the page, or to the first one where that part is not shown. */
function goTo(part) {
  if (!byKeyboard) return;
  const headings = [...(part?.querySelectorAll("h2, summary") ?? []), ...document.querySelectorAll("main h2")];
  const heading = headings.find(isShown);
  if (!heading) return;
  if (heading.matches("h2")) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
