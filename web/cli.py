"""The `meldwatch` command: the one place that wires pictures, games, tables and pages together."""

from __future__ import annotations

import os
import sys

import click

from web.commands.backup import backup
from web.commands.bench import bench
from web.commands.doctor import doctor
from web.commands.enrol import enrol
from web.commands.evaluate import evaluate
from web.commands.export import export
from web.commands.film import film
from web.commands.fuzz import fuzz
from web.commands.judge import judge
from web.commands.markers import markers
from web.commands.match import match
from web.commands.read import read
from web.commands.replay import replay
from web.commands.rules import rules
from web.commands.score import score
from web.commands.serve import serve
from web.commands.soak import soak
from web.commands.solve import solve
from web.commands.torture import torture

VERSION = "0.1.0"

EPILOGUE = """\
\b
Exit codes:
  0  done
  1  done, but something failed: a photograph could not be read, a line not
     understood, or `doctor` found something to mend; what failed was named
  2  wrong usage
  3  could not start: no such camera, address taken, models missing or damaged
\b
Examples:
  meldwatch                                 the live table and its dashboard
  meldwatch read table.jpg --draw marked/   read a photograph and mark it
  meldwatch read *.jpg --json | jq .layout  one JSON object a line
  meldwatch rules pressman                  what the referee goes by
"""


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOGUE,
)
@click.version_option(VERSION, "--version", prog_name="meldwatch")
def main() -> None:
    """Watch a table of tiles or cards, read it, and judge every turn by the rules of the game."""
    # OpenCV reports each device it fails to open in lines of its own; our messages say what to do.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "FATAL")


for command in (
    serve,
    read,
    judge,
    solve,
    score,
    replay,
    export,
    backup,
    fuzz,
    match,
    film,
    torture,
    soak,
    evaluate,
    rules,
    enrol,
    markers,
    doctor,
    bench,
):
    main.add_command(command)


if __name__ == "__main__":
    sys.exit(main(prog_name="meldwatch"))
