// One press that comes twice: a finger or a mouse that bounces, or a double tap where one was meant.

/** A press so soon after the last one is its bounce: it would hit what has come in its place. */
export const BOUNCE_MS = 500;
const NEAR_PX = 30;

/** The last press that counted: when, where, and in which dialog, null in none. */
let last = { at: -Infinity, x: 0, y: 0, dialog: null };

/**
 * From here on the bounce of a press that opened or closed a dialog does nothing: it hits the dialog that has come, or
 * what lies behind the one that has gone. Whoever is quick and presses elsewhere is not held up; nor whoever knows
 * what a dialog asks and answers it at once, but by what the browser itself calls a double click.
 */
export function ignoreBounces() {
  document.addEventListener("click", (event) => {
    if (event.detail === 0) return; // the keyboard pressed it, at no place
    const { timeStamp, clientX, clientY } = event;
    const dialog = event.target.closest("dialog");
    const isNear = Math.hypot(clientX - last.x, clientY - last.y) < NEAR_PX;
    const isAgain = dialog === null ? timeStamp - last.at < BOUNCE_MS : event.detail > 1;
    if (dialog !== last.dialog && isNear && isAgain) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    last = { at: timeStamp, x: clientX, y: clientY, dialog };
  }, { capture: true });
}
