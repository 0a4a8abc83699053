"""`meldwatch score`: what players hold at the end of each round in, score sheets out."""

from __future__ import annotations

from typing import BinaryIO

import click

from web.commands.common import SOME_FAILED
from web.commands.json_lines import answer_lines

EPILOGUE = """\
\b
A game is one object on one line (docs/scoring.md says how each game is scored):
  rules          the preset, such as "pressman" (`meldwatch rules` lists them)
  house_rules    optional: switches that differ, {"switch": value}
  players        the names, in the order of play
  rounds         {"hands": {player: [tile, ...]}} each, with "out": player or
                 "pool_exhausted": true; in a tournament each is {"games": [...]}
  claims, ended  where points are claimed, instead of rounds:
                 {"player", "melds": [[tile, ...], ...]} each, in their order,
                 and "200", "rack_empty" or "blocked"
\b
A line that is not understood, or cannot have happened, gives {"error", "line"}
in its place and a complaint on stderr; the others are scored.
\b
Examples:
  echo '{"rules": "pressman", "players": ["Ann", "Bo"], "rounds":
    [{"hands": {"Bo": ["K7", "J"]}, "out": "Ann"}]}' | tr -d '\\n' | meldwatch score
  meldwatch score games.jsonl | jq -c .totals
"""


@click.command(epilog=EPILOGUE, short_help="Score rounds and games given as JSON lines.")
@click.argument("files", nargs=-1, type=click.File("rb"))
@click.pass_context
def score(context: click.Context, files: tuple[BinaryIO, ...]) -> None:
    """Score the games in FILES (or on standard input), and print a score sheet for each.

    A sheet is {"rounds", "totals", "winners", "checks", "round_winners", "notes"}: the points of each
    player in each round and together, who has won, whether the sums are right, and what else to know.
    """
    from engine.score_json import score_json

    if not answer_lines(files, score_json):
        context.exit(SOME_FAILED)
