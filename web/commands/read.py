"""`meldwatch read`: what lies on the table in a photograph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.common import SOME_FAILED, complain, folder_for_pictures, print_json_line
from web.commands.enrolled import open_known_reader, set_option

if TYPE_CHECKING:
    from engine.referee import Ruling
    from web.commands.reading import ReadPhotograph

EPILOGUE = """\
\b
With --json, one object a line:
  image, width, height   the photograph, turned as its EXIF tag says
  tiles     label, quad (four corners from the tile's own top left, clockwise
            as its reader sees it), confidence, sure, candidates
            and on_rack: what stands there is neither laid out nor judged
  layout    the melds as text, or of a board "grid" and its rows: a doubtful tile
            ends in ?, an unread one is ?
  ruling    as `meldwatch judge` prints it, for the table alone; null where
            nothing lies on it and tiles stand on racks
Face-down tiles are not listed.
\b
A photograph that cannot be read gives one line on stderr, the others are read,
and the exit code is 1.
\b
Examples:
  meldwatch read table.jpg
  meldwatch read *.jpg --json > readings.jsonl
  meldwatch read table.jpg --rules sabra --draw marked/
"""


@click.command(epilog=EPILOGUE, short_help="Read photographs of a table.")
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--rules",
    "preset",
    metavar="PRESET",
    default="pressman",
    show_default=True,
    help="The rules that the table is judged by.",
)
@set_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option(
    "--draw",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each photograph into FOLDER, with every tile, set and doubt marked.",
)
@click.pass_context
def read(
    context: click.Context,
    photos: tuple[Path, ...],
    preset: str,
    known_set: str | None,
    as_json: bool,
    folder: Path | None,
) -> None:
    """Read the tiles in each of PHOTOS, lay them out as melds, and judge them."""
    from vision.photographs import PhotographError
    from web.commands.reading import open_rack_reader, open_rules, read_photograph

    rules = open_rules(preset)
    drawings = None if folder is None else _Drawings(folder)
    reader, racks = open_known_reader(known_set), open_rack_reader()
    failed = False
    for path in photos:
        try:
            photograph = read_photograph(path, reader).by_facts(rules)
            photograph = photograph.without_racks(racks.standing, rules)
        except PhotographError as error:
            complain(str(error))
            failed = True
            continue
        ruling = photograph.ruling(rules)
        if as_json:
            print_json_line(photograph.to_json(ruling))
        else:
            _print_for_people(photograph, ruling)
        if drawings is not None:
            drawings.write(photograph, ruling)
    if failed:
        context.exit(SOME_FAILED)


def ruling_lines(ruling: Ruling | None) -> list[str]:
    """A ruling in words: the verdict, then every finding and question on a line of its own."""
    if ruling is None:
        return []
    lines = [ruling.verdict.value]
    for finding in ruling.findings:
        lines.append(f"{finding.message} [{finding.rule}]")
        if finding.repair:
            lines.append(f"  To mend it: {finding.repair}")
    for question in ruling.questions:
        options = f" ({', '.join(question.options)})" if question.options else ""
        lines.append(f"Question: {question.text}{options}")
    return lines


def _print_for_people(photograph: ReadPhotograph, ruling: Ruling | None) -> None:
    from engine.layout import GridReading
    from vision.table_layout import without_cell
    from web.commands.reading import UNREAD

    click.echo(click.format_filename(photograph.path))
    reading = photograph.laid_out.reading
    # Of a board the cells stand below each other.
    wide = max(map(len, map(str, reading.tiles)), default=0) * isinstance(reading, GridReading)
    if not photograph.placements and not photograph.on_racks:
        click.echo("  no tiles")
        return
    for number, row in enumerate(reading.arrangements[0], start=1):
        cells = ("." if index is None else str(reading.tiles[index]) for index in row)
        click.echo(f"  {number:3}  {' '.join(cell.ljust(wide) for cell in cells).rstrip()}")
    for index in (index for row in reading.arrangements[0] for index in row):
        if index is None:
            continue
        tile = reading.tiles[index]
        if not tile.sure:
            chances = ", ".join(f"{c.tile} {c.probability:.0%}" for c in tile.candidates)
            none = ", or no tile" if tile.may_be_none else ""
            click.echo(f"  In doubt: {tile} ({chances or 'nobody could read it'}{none})")
    if reading.number_of_ways > 1:
        click.echo(f"  The tiles may lie in {reading.number_of_ways} ways; shown: the likeliest")
    for index in without_cell(photograph.laid_out):
        click.echo(f"  On no cell of the board: {reading.tiles[index]}")
    if photograph.on_racks:
        standing = " ".join(p.label or UNREAD for p in photograph.on_racks)
        click.echo(f"  On a rack, not judged: {standing}")
    if photograph.face_down:
        click.echo(f"  Face down: {photograph.face_down}")
    for line in ruling_lines(ruling):
        click.echo(f"  {line}")


class _Drawings:
    """Writes marked photographs into one folder, two of the same name apart."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder_for_pictures(folder)
        self._used: set[str] = set()

    def write(self, photograph: ReadPhotograph, ruling: Ruling | None) -> None:
        from vision.annotate import draw_reading
        from web.commands.reading import save_picture

        marked = draw_reading(
            photograph.pixels_bgr,
            photograph.placements,
            photograph.laid_out,
            ruling_lines(ruling),
            photograph.on_racks,
        )
        save_picture(self._folder / self._free_name(photograph.path.stem), marked)

    def _free_name(self, stem: str) -> str:
        name, number = f"{stem}-read.jpg", 2
        while name in self._used:
            name, number = f"{stem}-read-{number}.jpg", number + 1
        self._used.add(name)
        return name
