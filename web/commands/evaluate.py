"""`meldwatch evaluate`: how well labelled photographs are read."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from web.commands.common import (
    SOME_FAILED,
    CouldNotStart,
    complain,
    folder_for_pictures,
    print_json_line,
)
from web.commands.enrolled import open_known_reader, set_option
from web.commands.live_readings import LiveReadings, live_in_words

if TYPE_CHECKING:
    from engine.ruleset import RuleSet
    from vision.evaluation import Evaluation, Labelled, LabelledPhotograph
    from vision.frame import Pixels
    from vision.reader import TableReader
    from vision.reliability import Reliability

WAYS = ("small", "overexposed", "blurred", "warm-dark", "squeezed")
"""The names of ``vision.spoiling.Spoiling``, which is only imported when photographs are read."""

EPILOGUE = """\
\b
LABELS.json: {"images": [{"image", "game", "design", "width", "height",
  "tiles": [{"label", "bbox": [x, y, width, height]}], "ignore": [box...]}]}
with paths relative to the file. Figures, for all photographs, each game and
each design:
  tiles    labelled tiles that count (not those at the photograph's edge)
  read     share of them found and named right
  missed, extra, misnamed   counts; number, colour and joker split misnamed
  exact    share of photographs without any mistake
  silent   mistakes stated as facts, and missed tiles
  asked    share of the readings that are put as a question
With --live as well: photographs by the ruling they come to, those without one,
and the questions by their kind; nobody answers.
\b
Examples:
  meldwatch evaluate test.json
  meldwatch evaluate test.json --errors mistakes/ --predictions read.jsonl
  meldwatch evaluate test.json --spoil all --seed 1
  meldwatch evaluate test.json --rules pressman
  meldwatch evaluate test.json --live
  meldwatch evaluate test.json --reliability reliability.svg
"""


@click.command(epilog=EPILOGUE, short_help="Score the reading of labelled photographs.")
@click.argument("labels", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object.")
@click.option(
    "--errors",
    "errors_folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a picture of each photograph with mistakes into DIR, and list them on stderr.",
    metavar="DIR",
)
@click.option(
    "--predictions",
    "predictions_file",
    type=click.File("w", encoding="utf-8", lazy=False),
    help="Save the readings to FILE, a JSON object a line, as `read --json` prints them.",
    metavar="FILE",
)
@click.option(
    "--spoil",
    type=click.Choice([*WAYS, "all"]),
    help="Spoil each photograph in this way before it is read, or in every way in turn.",
)
@click.option(
    "--reliability",
    "diagram_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Print how often readings of each probability were right, and draw it into FILE (SVG).",
    metavar="FILE",
)
@click.option(
    "--seed", default=1, show_default=True, help="Seed of the noise of --spoil and --live."
)
@click.option(
    "--rules",
    "preset",
    default=None,
    help="These are tables of that game: where more of a tile are read than it has, one was misread.",
    metavar="PRESET",
)
@click.option(
    "--live",
    is_flag=True,
    help="Hold each photograph still before the camera of a live table, which reads and judges it.",
)
@set_option
@click.pass_context
def evaluate(
    context: click.Context,
    labels: Path,
    as_json: bool,
    errors_folder: Path | None,
    predictions_file: TextIO | None,
    spoil: str | None,
    diagram_file: Path | None,
    seed: int,
    preset: str | None,
    live: bool,
    known_set: str | None,
) -> None:
    """Read the photographs of LABELS and print how many tiles were found and named right."""
    from vision.evaluation import LabelError, load_labels
    from web.commands.reading import open_rules

    try:
        photographs = load_labels(labels)
    except LabelError as error:
        raise CouldNotStart(str(error)) from error
    rules = None if preset is None else open_rules(preset)
    reader = open_known_reader(known_set)
    watched = LiveReadings(reader, rules or open_rules("pressman"), seed) if live else None
    read_one = _patiently(reader, rules) if watched is None else watched.read
    failed = False
    reliable: list[tuple[str, Reliability]] = []
    for way in WAYS if spoil == "all" else (spoil,):
        views = [_View(labels.parent / photo.image, photo, way, seed) for photo in photographs]
        read = _read_all(views, read_one, predictions_file)
        failed |= read.failed
        evaluation = read.score()
        told_live = None if watched is None else watched.told()
        if as_json:
            figures = evaluation.to_json() | ({} if told_live is None else {"live": told_live})
            print_json_line(({} if way is None else {"spoiled": way}) | figures)
        else:
            click.echo(("" if way is None else f"{way}\n") + evaluation.text())
            if told_live is not None:
                click.echo(live_in_words(told_live))
        if diagram_file is not None:
            reliable.append((way or labels.name, _reliability(evaluation)))
            click.echo(reliable[-1][1].text(), err=as_json)
        if errors_folder is not None:
            if evaluation.errors_text():
                click.echo(evaluation.errors_text(), err=True)
            folder = errors_folder if way is None else errors_folder / way
            _write_mistakes(evaluation, read, folder_for_pictures(folder))
    if diagram_file is not None:
        _write_diagram(diagram_file, reliable)
    if failed:
        context.exit(SOME_FAILED)


def _reliability(evaluation: Evaluation) -> Reliability:
    from vision.reliability import reliability_of

    judged = [reading for photo in evaluation.photographs for reading in photo.judged]
    return reliability_of([(p, right) for p, right, _ in judged], [sure for *_, sure in judged])


def _write_diagram(file: Path, reliable: Sequence[tuple[str, Reliability]]) -> None:
    from vision.reliability import diagram

    try:
        file.write_text(diagram(reliable), encoding="utf-8")
    except OSError as error:
        raise CouldNotStart(f"{file}: cannot be written ({error.strerror or error})") from error


@dataclass(frozen=True, slots=True)
class _View:
    """A labelled photograph as it is to be read: as it is, or spoiled in one way."""

    path: Path
    photo: LabelledPhotograph
    way: str | None
    seed: int

    def seen(self) -> tuple[Pixels, LabelledPhotograph]:
        """Its pixels, and its labels where they lie on them. Raises ``PhotographError``."""
        from vision.photographs import load_photograph
        from vision.spoiling import Spoiling, spoiled

        pixels_bgr = load_photograph(self.path)
        if self.way is None:
            return pixels_bgr, self.photo
        return spoiled(pixels_bgr, self.photo, Spoiling(self.way), self.seed)


@dataclass(slots=True)
class _ReadAll:
    """What came of reading every photograph."""

    views: Mapping[str, _View]
    """By file name."""
    labels: list[LabelledPhotograph] = field(default_factory=list)
    predictions: dict[str, tuple[Labelled, ...]] = field(default_factory=dict)
    failed: bool = False

    def score(self) -> Evaluation:
        from vision.evaluation import score_photographs

        return score_photographs(self.labels, self.predictions)


Record = Mapping[str, Any]
"""What was read of a photograph, as `read --json` prints it."""


def _patiently(reader: TableReader, rules: RuleSet | None) -> Callable[[Path, Pixels], Record]:
    """Reads photographs as they are, as tables of a game or as any."""
    from web.commands.reading import read_pixels

    def read(path: Path, pixels_bgr: Pixels) -> Record:
        found = read_pixels(path, pixels_bgr, reader)
        return (found if rules is None else found.by_facts(rules)).to_json(None)

    return read


def _read_all(
    views: Sequence[_View], read_one: Callable[[Path, Pixels], Record], file: TextIO | None
) -> _ReadAll:
    """Read photographs one by one, and save the readings where a file is given."""
    from vision.photographs import PhotographError

    read = _ReadAll({view.photo.name: view for view in views})
    quiet = not sys.stderr.isatty()
    with click.progressbar(views, label="Reading", file=sys.stderr, hidden=quiet) as bar:
        for view in bar:
            try:
                pixels_bgr, photo = view.seen()
            except PhotographError as error:
                complain(str(error))
                read.failed = True
                read.labels.append(view.photo)
                continue
            record = {**read_one(view.path, pixels_bgr), "image": photo.image}
            read.labels.append(photo)
            read.predictions[photo.name] = _as_printed(record)
            if file is not None:
                spoiled_so = {} if view.way is None else {"spoiled": view.way}
                file.write(json.dumps(record | spoiled_so) + "\n")
    return read


def _as_printed(record: Mapping[str, Any]) -> tuple[Labelled, ...]:
    """The readings with the rounding of the printed form, so that figures of both are the same."""
    from vision.evaluation import Labelled

    return tuple(
        Labelled(
            tile["label"],
            tuple(map(tuple, tile["quad"])),  # type: ignore[arg-type]
            tile["sure"],
            tile["candidates"][0]["probability"] if tile["candidates"] else 0.0,
        )
        for tile in record["tiles"]
    )


def _write_mistakes(evaluation: Evaluation, read: _ReadAll, folder: Path) -> None:
    """A marked picture of each photograph that was read with mistakes."""
    from vision.annotate import draw_mistakes
    from web.commands.reading import save_picture

    for score in evaluation.photographs:
        if score.mistakes and score.name in read.predictions:
            view = read.views[score.name]
            lines = [score.name, *map(str, score.mistakes)]
            marked = draw_mistakes(view.seen()[0], score.mistakes, lines)
            save_picture(folder / f"{view.path.stem}-mistakes.jpg", marked)
