"""`meldwatch judge`: turns in, rulings out, a JSON object a line."""

from __future__ import annotations

from typing import BinaryIO

import click

from web.commands.common import SOME_FAILED
from web.commands.json_lines import answer_lines

EPILOGUE = """\
\b
A turn is one object on one line (docs/notation.md says how tiles are written):
  rules          the preset, such as "pressman" (`meldwatch rules` lists them)
  house_rules    optional: switches that differ, {"switch": value}
  before         optional: the melds on the table before the turn
  after          the melds on the table after it, a list of tiles each
  rack_before, rack_after   optional: the player's tiles; left out is unknown
  opened         optional: has the player made the initial meld
  elapsed_s      optional: seconds the turn took
  pool_empty     optional: true when no tile was left to draw
  players, grid, grid_before, claims, contract, round, discard   optional: what
                 some games need beside sets; docs/command-line.md tells which
\b
Without "before" the table alone is judged. A line that is not understood gives
{"error", "line"} in its place and a complaint on stderr; the others are judged.
\b
Examples:
  echo '{"rules": "pressman", "after": [["K7", "B7", "R7"]]}' | meldwatch judge
  meldwatch judge turns.jsonl | jq -r .verdict
"""


@click.command(epilog=EPILOGUE, short_help="Judge turns given as JSON lines.")
@click.argument("files", nargs=-1, type=click.File("rb"))
@click.pass_context
def judge(context: click.Context, files: tuple[BinaryIO, ...]) -> None:
    """Judge the turns in FILES (or on standard input), and print a ruling for each.

    A ruling is {"verdict", "findings", "questions", "unchecked"}: LEGAL, ILLEGAL or ASK, everything
    that is wrong with rule and quoted words, what only the players can settle, and what could not
    be checked.
    """
    from engine.judge_json import ruling_to_json, turn_from_json
    from engine.referee import judge as judge_turn

    if not answer_lines(files, lambda data: ruling_to_json(judge_turn(*turn_from_json(data)))):
        context.exit(SOME_FAILED)
