// Who is ahead in a game, and who has won it.

/** "Ada", "Ada and Ben", "Ada, Ben and Cleo". */
export function together(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** How a game of `/api/games` ended, or stands. */
export function outcomeInWords({ outcome, leaders }) {
  if (outcome === "won") return `${together(leaders)} won.`;
  if (outcome === "under way") return leaders.length ? `Under way. ${standing(leaders)}` : "Under way.";
  return leaders.length ? `Put away before it was over. ${together(leaders)} ${leaders.length === 1 ? "was ahead" : "were level"}.` : "Put away before a round was over.";
}

/** Who is ahead now; empty before a round is over. */
export function standing(leaders) {
  if (leaders.length === 0) return "";
  return leaders.length === 1 ? `${leaders[0]} is ahead.` : `${together(leaders)} are level.`;
}
