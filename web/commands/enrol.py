"""`meldwatch enrol`: count a set and measure its inks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.common import (
    SOME_FAILED,
    CouldNotStart,
    complain,
    data_folder_option,
    print_json_line,
)

if TYPE_CHECKING:
    from engine.tiles import Tile
    from vision.enrolment import Enrolment

EPILOGUE = """\
\b
Lay out the whole set face up, in as many photographs as it takes, no tile in
two of them. Every tile that is missing, there too often, or in doubt is named
(exit code 1 then). The colours of the inks are measured and kept as JSON in the
data folder under sets/NAME.json. Reading does not use them yet.
\b
Example:
  meldwatch enrol left.jpg right.jpg --name "grandmother's set"
"""


@click.command(epilog=EPILOGUE, short_help="Count a whole set in photographs, measure its inks.")
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--name", required=True, help="What to call the set.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_folder_option(help_text="The folder that the set is kept in.")
@click.pass_context
def enrol(
    context: click.Context,
    photos: tuple[Path, ...],
    name: str,
    as_json: bool,
    data_folder: Path | None,
) -> None:
    """Count the set in PHOTOS, say what is missing or doubtful, and keep its inks."""
    import json
    import os

    from table.config import default_data_folder
    from vision.enrolment import enrol_set
    from vision.photographs import PhotographError
    from web.commands.reading import open_reader, read_photograph

    file_name = _file_name(name)
    reader = open_reader()
    views = []
    for path in photos:
        try:
            photograph = read_photograph(path, reader)
        except PhotographError as error:
            complain(str(error))
            context.exit(SOME_FAILED)
        views.append((photograph.pixels_bgr, photograph.placements))
    enrolment = enrol_set(views)

    kept = (data_folder or default_data_folder(os.environ)) / "sets" / file_name
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(enrolment.to_json(name), indent=2) + "\n", "utf-8")
    except OSError as error:
        raise CouldNotStart(f"cannot write {kept}: {error.strerror}") from error
    if as_json:
        print_json_line(enrolment.to_json(name) | _state(enrolment))
    else:
        _print_for_people(enrolment)
        click.echo(f"The inks are kept in {kept}")
    if not enrolment.is_whole:
        context.exit(SOME_FAILED)


def _file_name(name: str) -> str:
    """A file name that no folder, hidden file or other name can hide in."""
    plain = "".join(c if c.isalnum() else "-" for c in name.strip().lower()).strip("-")
    if not plain:
        raise click.BadParameter(
            "give the set a name with a letter or a digit", param_hint="--name"
        )
    return f"{plain[:80]}.json"


def _state(enrolment: Enrolment) -> dict[str, object]:
    return {
        "whole": enrolment.is_whole,
        "missing": {str(tile): count for tile, count in enrolment.missing},
        "surplus": {str(tile): count for tile, count in enrolment.surplus},
        "doubtful": [str(placement.reading) for placement in enrolment.doubtful],
        "face_down": enrolment.face_down,
    }


def _print_for_people(enrolment: Enrolment) -> None:
    each = "one" if enrolment.copies == 1 else "two"
    click.echo(f"{enrolment.tiles} tiles; taken for a set of {each} of each kind")
    if enrolment.is_whole:
        click.echo("The set is whole.")
    for word, tiles in (("Missing", enrolment.missing), ("Too many", enrolment.surplus)):
        if tiles:
            click.echo(f"{word}: {_listed(tiles)}")
    if enrolment.doubtful:
        click.echo(f"In doubt: {' '.join(str(p.reading) for p in enrolment.doubtful)}")
    if enrolment.face_down:
        click.echo(f"Face down, so not counted: {enrolment.face_down}")
    for ink in enrolment.inks:
        blue, green, red = ink.bgr
        name = ink.suit.name.lower()
        click.echo(f"Ink {name:8} #{red:02x}{green:02x}{blue:02x}  on {ink.tiles} tiles")


def _listed(tiles: Iterable[tuple[Tile, int]]) -> str:
    return ", ".join(f"{tile}" if count == 1 else f"{tile} x{count}" for tile, count in tiles)
