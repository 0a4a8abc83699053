"""`meldwatch soak`: hours of play at the rendered table, and whether memory stays flat."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.common import SOME_FAILED, CouldNotStart, complain, print_json_line

if TYPE_CHECKING:
    from table.soak import Measured, Soaked
    from vision.enrolment.in_play import LearningReader

EPILOGUE = """\
\b
The live table plays as in `serve --source rendered`, with its log, backups and
pictures in a folder for temporary files, but by a clock of its own that goes on
as fast as the computer can: the next picture of a table that lies still comes
when it is to be read again. The first tenth is the warm-up. Afterwards
  the straight line through the memory must not rise by more than 24 MiB
  no file and no thread may be left over
  nothing may have gone wrong at the table
\b
Ctrl-C ends it early and tells what was measured by then.
\b
Examples:
  meldwatch soak --hours 0.2
  meldwatch soak --hours 8 --seed 3 --json
  meldwatch soak --hours 1 --networks --width 1280
"""


@click.command(epilog=EPILOGUE, short_help="Play for hours, and see that memory stays flat.")
@click.option(
    "--hours",
    type=click.FloatRange(min=0.02, max=1000.0),
    default=8.0,
    show_default=True,
    metavar="H",
    help="How long to play, by the table's clock.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Another seed plays other games.",
)
@click.option(
    "--width",
    "width_px",
    type=click.IntRange(240, 4096),
    default=640,
    show_default=True,
    metavar="PX",
    help="Width of the pictures; they are three quarters as high.",
)
@click.option(
    "--networks", is_flag=True, help="Read by the networks; without it what was drawn is known."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def soak(
    context: click.Context, hours: float, seed: int, width_px: int, networks: bool, as_json: bool
) -> None:
    """Play at the rendered table for hours, as fast as can be, and look at memory, files and threads."""
    from table.closer_look import CloserLook
    from table.event_log import EventLogError
    from table.soak import by_truth
    from table.soak import soak as soak_table
    from vision.patient_reading import patiently_by
    from web.commands.reading import open_rack_reader

    teller = _Teller(quiet=as_json)
    learner = _learner() if networks else None
    closer = None if learner is None else CloserLook(patiently_by(learner))
    try:
        with tempfile.TemporaryDirectory(prefix="meldwatch-soak-") as folder:
            found = soak_table(
                Path(folder),
                hours,
                seed,
                width_px=width_px,
                open_reader=by_truth if learner is None else lambda _game: learner.read,
                learn=None if learner is None else learner.learn,
                closer_look=closer,
                bodies_near=None if learner is None else learner.bodies_near,
                standing=open_rack_reader().standing if networks else None,
                tell=teller,
            )
    except (EventLogError, OSError) as error:
        raise CouldNotStart(f"cannot write there: {error}") from error
    finally:
        if closer is not None:
            closer.close()
        if learner is not None:
            learner.close()
    if as_json:
        print_json_line(found.to_json())
    else:
        click.echo("\n".join(_told(found)))
    for problem in found.problems:
        complain(problem)
    if found.problems:
        context.exit(SOME_FAILED)


def _learner() -> LearningReader:
    """Reads as a live table's reader does, and learns the set in play."""
    from models.runtime import ModelError
    from vision.enrolment.in_play import LearningReader
    from vision.reader import open_table_reader

    try:
        reader = open_table_reader()
    except ModelError as error:
        raise CouldNotStart(str(error)) from error
    return LearningReader(reader.of_live_pictures())


class _Teller:
    """Prints a line for every hour that was played."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._hours = 0

    def __call__(self, measured: Measured) -> None:
        if not self._quiet and measured.at_s >= (self._hours + 1) * 3600:
            self._hours += 1
            click.echo(f"{self._hours} h: {measured.resident_mib:.1f} MiB")


def _told(found: Soaked) -> list[str]:
    how_long = f"{found.hours:.2f} hours" + (", then interrupted" if found.interrupted else "")
    mb = found.log_bytes / 1e6, found.picture_bytes / 1e6
    lines = [
        f"{how_long}, seed {found.seed}, in {found.seconds:.0f} s",
        f"  {found.turns:,} turns confirmed in {found.rounds:,} rounds",
        f"  {found.layouts:,} layouts, {found.rulings:,} rulings, {found.events:,} events in all",
        f"  a log of {mb[0]:.1f} MB, {found.pictures:,} pictures of {mb[1]:.1f} MB",
    ]
    if not found.measured:
        return lines
    first, last = found.measured[0], found.measured[-1]
    return [
        *lines,
        f"  {first.resident_mib:.1f} MiB after the warm-up, {last.resident_mib:.1f} in the end",
        f"  {found.slope_mib_per_h:+.2f} MiB an hour, {found.growth_mib:+.1f} in all",
        f"  {found.largest_mib:.1f} MiB at most",
        f"  {first.files} open files, {last.files} in the end",
        f"  {first.threads} threads, {last.threads} in the end",
    ]
