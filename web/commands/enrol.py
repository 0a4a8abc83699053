"""`meldwatch enrol`: get to know a maker's set from photographs of its tiles in rows."""

from __future__ import annotations

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
from web.commands.enrolled import path_of_set

if TYPE_CHECKING:
    from vision.enrolment.enrolling import Enrolment
    from vision.frame import Pixels

EPILOGUE = """\
\b
Lay all tiles of the set face up in rows by colour, each from 1 to 13, jokers
at the end or in a row of their own. Rows may be split, and both copies may lie
in one line. Photograph them from above, in one picture or two, no tile in two
of them; upside down will do. What is missing, there too often or out of order
is named, and the exit code is then 1.
\b
What was understood is drawn into a picture beside the file that is kept: in
the data folder, sets/NAME.json and sets/NAME-1.jpg. Commands that read pictures
then take --set NAME.
\b
Examples:
  meldwatch enrol set.jpg --name "grandmother's set"
  meldwatch enrol left.jpg right.jpg --name travel --as-laid
"""


@click.command(epilog=EPILOGUE, short_help="Get to know a maker's set, laid out in rows.")
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--name", required=True, help="What to call the set.")
@click.option(
    "--as-laid",
    is_flag=True,
    help="Every tile lies where it belongs, whatever it is taken for.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@data_folder_option(help_text="The folder that the set is kept in.")
@click.pass_context
def enrol(
    context: click.Context,
    photos: tuple[Path, ...],
    name: str,
    as_laid: bool,
    as_json: bool,
    data_folder: Path | None,
) -> None:
    """Get to know the set in PHOTOS: digits, inks and jokers, so that its tiles are read better."""
    from vision.enrolment.enrolling import enrol_set
    from vision.photographs import PhotographError, load_photograph
    from web.commands.reading import open_reader

    path = path_of_set(name, data_folder, param_hint="--name")
    reader = open_reader()
    pictures = []
    for photo in photos:
        try:
            pictures.append(load_photograph(photo))
        except PhotographError as error:
            complain(str(error))
            context.exit(SOME_FAILED)
    enrolment = enrol_set(pictures, reader, name, as_laid=as_laid)
    kept = _keep(enrolment, path)
    drawn = _draw(enrolment, pictures, path)
    if as_json:
        files = {"file": kept and str(kept), "pictures": [str(picture) for picture in drawn]}
        print_json_line(enrolment.to_json(name) | files)
    else:
        _print_for_people(enrolment, kept, drawn)
    if not enrolment.laying.is_whole:
        context.exit(SOME_FAILED)


def _keep(enrolment: Enrolment, path: Path) -> Path | None:
    """The file of the set, where there is something to keep."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if enrolment.known is None:
            return None
        enrolment.known.save(path)
    except OSError as error:
        raise CouldNotStart(f"cannot write {path}: {error.strerror}") from error
    return path


def _draw(enrolment: Enrolment, pictures: list[Pixels], path: Path) -> list[Path]:
    """A picture beside the file for each photograph, with what was understood marked."""
    from vision.annotate import draw_reading
    from vision.layout_reader import read_layout
    from web.commands.reading import save_picture

    drawn = []
    for number, pixels_bgr in enumerate(pictures):
        placements = enrolment.understood(number)
        lines = enrolment.laying.complaints() or ["The set is whole."]
        marked = draw_reading(pixels_bgr, placements, read_layout(placements), lines)
        drawn.append(path.with_name(f"{path.stem}-{number + 1}.jpg"))
        save_picture(drawn[-1], marked)
    return drawn


def _print_for_people(enrolment: Enrolment, kept: Path | None, drawn: list[Path]) -> None:
    laying = enrolment.laying
    each = "one" if laying.copies == 1 else "two"
    click.echo(f"{len(laying.tiles)} tiles; taken for a set of {each} of each kind")
    for line in laying.table():
        click.echo(line)
    for line in laying.complaints() or ["The set is whole."]:
        click.echo(line)
    for ink in enrolment.inks:
        blue, green, red = ink.bgr
        name = ink.suit.name.lower()
        click.echo(f"Ink {name:8} #{red:02x}{green:02x}{blue:02x}  on {ink.tiles} tiles")
    if laying.misread:
        click.echo(f"Taken for another tile before the set was known: {len(laying.misread)}")
    for picture in drawn:
        click.echo(f"What was understood: {picture}")
    if kept is not None:
        click.echo(f"The set is kept in {kept}; read with --set to use it.")
        return
    click.echo("Nothing was learned.")
    if laying.is_in_rows and any(tile.is_odd for tile in laying.tiles):
        click.echo("If every tile lies where it belongs, say so with --as-laid.")
    click.echo("Put right what is said above, photograph the set again and enrol once more.")
