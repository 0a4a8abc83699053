// The last game, while none is under way: who won, and the way back to it.

import { byId, setText } from "./dom.js";
import { getJson } from "./feed.js";
import { outcomeInWords } from "./outcome.js";

let hadGame = null;

/**
 * Shows it as soon as the game of `state` is over and put away; hides it while one is played. `takeUp(number)`
 * is called when it is to go on.
 */
export async function showLastGame(state, takeUp) {
  const hasGame = state.game !== null;
  if (hasGame === hadGame) return;
  hadGame = hasGame;
  if (hasGame) {
    byId("last-game").hidden = true;
    return;
  }
  let games = [];
  try {
    ({ games } = await getJson("/api/games"));
  } catch {
    hadGame = null; // the page says by itself that the table does not answer; it is asked again
    return;
  }
  byId("last-game").hidden = hadGame !== false || games.length === 0;
  if (games.length === 0) return;
  const [last] = games;
  setText(byId("last-game-outcome"), outcomeInWords(last));
  const points = last.players.map((name, index) => (last.totals.length ? `${name} ${last.totals[index]}` : name));
  setText(byId("last-game-points"), `${last.title}: ${points.join(", ")}`);
  byId("last-game-sheet").hidden = last.totals.length === 0;
  byId("last-game-resume").hidden = !last.may_go_on || state.rendered;
  byId("last-game-resume").onclick = () => takeUp(last.number);
}
