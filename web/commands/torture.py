"""`meldwatch torture`: kill what writes the event log, and see that nothing was lost."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.common import SOME_FAILED, CouldNotStart, complain, print_json_line

if TYPE_CHECKING:
    from table.torture import Tally

EPILOGUE = """\
\b
A program that begins a log, writes events, makes backups, keeps pictures or
recovers a damaged log is killed (SIGKILL) at a moment it cannot know. Then the
log is opened as at the next start, and it is checked that
  every event that was acknowledged is there, whole and in its place
  a call that wrote several events wrote all or none
  SQLite finds nothing wrong, and there are no gaps in the numbers
  every backup is a beginning of the log, and no picture is torn
\b
Try it on the disk that your table writes to. Nothing that is there is touched:
all is written to a folder of its own, removed afterwards unless something failed.
\b
Examples:
  meldwatch torture
  meldwatch torture --kills 1000 --folder /media/card --json
"""


@click.command(
    epilog=EPILOGUE, short_help="Kill what writes the log, and see that nothing is lost."
)
@click.option(
    "--kills",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="How often to kill.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="What is killed, and when."
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    default=None,
    metavar="FOLDER",
    help="Where to write; the folder for temporary files without it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def torture(
    context: click.Context, kills: int, seed: int, folder: Path | None, as_json: bool
) -> None:
    """Kill what writes an event log again and again, and check after each kill that nothing is lost."""
    import logging

    from table.torture import DoesNotHoldError, Tally
    from table.torture import torture as torture_log

    logging.getLogger("table.log").setLevel(logging.ERROR)  # recoveries are what is tried here
    start_s = time.monotonic()
    tally, broken = Tally(), ""
    try:
        place = Path(tempfile.mkdtemp(dir=folder, prefix="meldwatch-torture-"))
        torture_log(place, kills, seed, tally)
        shutil.rmtree(place)
    except DoesNotHoldError as error:
        broken = str(error)
    except OSError as error:
        raise CouldNotStart(f"cannot write there: {error}") from error
    seconds = time.monotonic() - start_s
    if as_json:
        print_json_line(
            {
                "seed": seed,
                **tally.to_json(),
                "seconds": round(seconds, 1),
                "broken": broken or None,
            }
        )
    else:
        click.echo("\n".join(_told(tally, seconds)))
    if broken:
        complain(broken)
        context.exit(SOME_FAILED)


def _told(tally: Tally, seconds: float) -> list[str]:
    kinds = ", ".join(f"{word} {count}" for word, count in sorted(tally.kills.items()))
    return [
        f"{tally.kills.total():,} kills ({kinds}) in {seconds:.0f} s",
        f"  {tally.acknowledged:,} events were acknowledged and are there",
        f"  {tally.unacknowledged:,} more were whole before that could be said",
        f"  {tally.backups:,} looks at backups, {tally.pictures:,} at pictures",
        f"  the slowest opening after a kill took {tally.slowest_open_s * 1000:.0f} ms",
    ]
