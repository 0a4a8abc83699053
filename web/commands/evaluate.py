"""`meldwatch evaluate`: how well labelled photographs are read."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
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

if TYPE_CHECKING:
    from vision.evaluation import Evaluation, Labelled

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
\b
Examples:
  meldwatch evaluate test.json
  meldwatch evaluate test.json --errors mistakes/ --predictions read.jsonl
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
@click.pass_context
def evaluate(
    context: click.Context,
    labels: Path,
    as_json: bool,
    errors_folder: Path | None,
    predictions_file: TextIO | None,
) -> None:
    """Read the photographs of LABELS and print how many tiles were found and named right."""
    from vision.evaluation import LabelError, load_labels, score_photographs
    from vision.photographs import PhotographError
    from web.commands.reading import open_reader, read_photograph

    try:
        photographs = load_labels(labels)
    except LabelError as error:
        raise CouldNotStart(str(error)) from error
    reader = open_reader()
    predictions: dict[str, tuple[Labelled, ...]] = {}
    failed = False
    quiet = not sys.stderr.isatty()
    with click.progressbar(photographs, label="Reading", file=sys.stderr, hidden=quiet) as bar:
        for photo in bar:
            try:
                found = read_photograph(labels.parent / photo.image, reader)
            except PhotographError as error:
                complain(str(error))
                failed = True
                continue
            record = found.to_json(None) | {"image": photo.image}
            predictions[photo.name] = _as_printed(record)
            if predictions_file is not None:
                predictions_file.write(json.dumps(record) + "\n")
    evaluation = score_photographs(photographs, predictions)
    if as_json:
        print_json_line(evaluation.to_json())
    else:
        click.echo(evaluation.text())
    if errors_folder is not None:
        if evaluation.errors_text():
            click.echo(evaluation.errors_text(), err=True)
        paths = {photo.name: labels.parent / photo.image for photo in photographs}
        _write_mistakes(evaluation, paths, folder_for_pictures(errors_folder), predictions.keys())
    if failed:
        context.exit(SOME_FAILED)


def _as_printed(record: Mapping[str, Any]) -> tuple[Labelled, ...]:
    """The readings with the rounding of the printed form, so that figures of both are the same."""
    from vision.evaluation import Labelled

    return tuple(
        Labelled(tile["label"], tuple(map(tuple, tile["quad"])), tile["sure"])  # type: ignore[arg-type]
        for tile in record["tiles"]
    )


def _write_mistakes(
    evaluation: Evaluation, paths: Mapping[str, Path], folder: Path, were_read: Collection[str]
) -> None:
    """A marked picture of each photograph that was read with mistakes."""
    from vision.annotate import draw_mistakes
    from vision.photographs import load_photograph
    from web.commands.reading import save_picture

    for score in evaluation.photographs:
        if score.mistakes and score.name in were_read:
            path = paths[score.name]
            lines = [score.name, *map(str, score.mistakes)]
            marked = draw_mistakes(load_photograph(path), score.mistakes, lines)
            save_picture(folder / f"{path.stem}-mistakes.jpg", marked)
