"""`meldwatch solve`: positions in, best plays out, a JSON object a line."""

from __future__ import annotations

from typing import BinaryIO

import click

from web.commands.common import SOME_FAILED
from web.commands.json_lines import answer_lines

EPILOGUE = """\
\b
A position is one object on one line (docs/notation.md says how tiles are written):
  rules          the preset, such as "pressman" (`meldwatch rules` lists them)
  house_rules    optional: switches that differ, {"switch": value}
  table          the melds on the table, a list of tiles each
  rack           the player's tiles
  objective      optional: "tiles" (the default) or "points"
  free_jokers    optional: true (the default) lets jokers leave their sets and
                 stand for anything; false keeps to the preset's joker rules
\b
A line that is not understood gives {"error", "line"} in its place and a complaint
on stderr; the others are solved.
\b
Examples:
  echo '{"rules": "pressman", "table": [["K4", "K5", "K6"]], "rack": ["K7"]}' | meldwatch solve
  meldwatch solve positions.jsonl | jq -c .placed
"""


@click.command(epilog=EPILOGUE, short_help="Find best plays for positions given as JSON lines.")
@click.argument("files", nargs=-1, type=click.File("rb"))
@click.pass_context
def solve(context: click.Context, files: tuple[BinaryIO, ...]) -> None:
    """Solve the positions in FILES (or on standard input), and print the best play for each.

    An answer is {"placed", "count", "points", "can_open", "table_after"}: the tiles to put down for a
    player who has opened, how many, the sum of their printed numbers (a joker 0), whether the rack
    alone is enough to open, and a table that holds them all.
    """
    from engine.solve_json import position_from_json, solved, solved_to_json

    if not answer_lines(files, lambda data: solved_to_json(solved(position_from_json(data)))):
        context.exit(SOME_FAILED)
