// One press that comes twice: a finger or a mouse that bounces, or a double tap where one was meant.

/** A press so soon after the last one is its bounce: it would hit what has come in its place. */
export const BOUNCE_MS = 500;

/** The dialog in which the last press was that counted; null in none. */
let pressedIn = null;

/**
 * From here on the second press of what the browser calls a double click does nothing where the first one opened or
 * closed a dialog: it hits the dialog that has come, or what lies behind the one that has gone. Whoever is merely quick
 * is not held up.
 */
export function ignoreBounces() {
  document.addEventListener("click", (event) => {
    if (event.detail === 0) return; // the keyboard pressed it, at no place
    const dialog = event.target.closest("dialog");
    if (dialog !== pressedIn && event.detail > 1) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    pressedIn = dialog;
  }, { capture: true });
}
