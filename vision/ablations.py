"""What each part of the reader is worth: photographs read without it, by the same networks.

``python -m vision.ablations LABELS.json --seed 1`` prints one line for the shipped reader and one for
each part that is taken away, over photographs as they are and spoiled in every way
(`vision.spoiling`). The labels are those of `meldwatch evaluate`, and so are the figures. Nothing is
trained anew: what training with something else would give is another question.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.careful_reader import CarefulReader
from models.finder import TileFinder
from models.runtime import CAREFUL_READER_NAME, FINDER_NAME, SHIPPED, TILE_READER_NAME, ModelError
from models.tile_reader import NO_READINGS, Readings, TileReader
from models.turned_finder import TurnedFinder
from vision.evaluation import (
    Counts,
    LabelError,
    LabelledPhotograph,
    load_labels,
    readings_of,
    score_photograph,
)
from vision.frame import Pixels
from vision.patient_reading import read_patiently
from vision.photographs import PhotographError, load_photograph
from vision.placements import Placement
from vision.reader import TableReader
from vision.spoiling import Spoiling, spoiled

Read = Callable[[Pixels], Sequence[Placement]]


class Without(StrEnum):
    """What is taken away."""

    NOTHING = "nothing: as shipped"
    COMPARISON = "comparison: each tile read by itself"
    LEARNING = "what the sure tiles of a photograph teach"
    CAREFUL_READER = "the careful reader"
    OTHER_VIEWS = "three of the four views in which tiles are looked for"
    PATIENCE = "the last three: as live pictures are read"


class OneByOne(CarefulReader):
    """Is shown one tile at a time, so that no inks or digits can be compared."""

    def read(self, pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> Readings:
        """As `CarefulReader.read`."""
        each = [super(OneByOne, self).read(pixels_bgr, quad_xy[np.newaxis]) for quad_xy in quads_xy]
        if not each:
            return NO_READINGS
        return Readings(
            *(np.concatenate([getattr(one, f.name) for one in each]) for f in fields(Readings))
        )

    def features(self, pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> Readings:
        """As `CarefulReader.features`, of one tile at a time."""
        return self.read(pixels_bgr, quads_xy)


def reads_without(what: Without, threads: int = 2) -> Read:
    """Reads a photograph (H, W, 3) BGR without that part. Raises :class:`models.runtime.ModelError`."""
    finder = TileFinder(SHIPPED / FINDER_NAME, threads)
    quick = TileReader(SHIPPED / TILE_READER_NAME, threads)
    careful = TileReader(SHIPPED / CAREFUL_READER_NAME, threads)
    both = CarefulReader(quick, careful)
    in_four_views = TurnedFinder(finder)
    if what is Without.PATIENCE:
        return TableReader(finder, quick).read
    if what is Without.LEARNING:
        return TableReader(in_four_views, both).read
    reader = {
        Without.NOTHING: TableReader(in_four_views, both),
        Without.CAREFUL_READER: TableReader(in_four_views, quick),
        Without.OTHER_VIEWS: _OneView(finder, both),
        Without.COMPARISON: TableReader(in_four_views, OneByOne(quick, careful)),
    }[what]
    return lambda pixels_bgr: read_patiently(pixels_bgr, reader)


class _OneView(TableReader):
    """Does not look for tiles in other views, however much time there is."""

    def looking_longer(self) -> TableReader:
        return self


SPOILED: Final = (None, *Spoiling)
"""How photographs are read: as they are, then in each way."""


def measured(
    read: Read, photographs: Sequence[tuple[Pixels, LabelledPhotograph]], seed: int
) -> list[Counts]:
    """What comes of reading photographs (H, W, 3) BGR in each way of `SPOILED`."""
    found = []
    for way in SPOILED:
        total = Counts()
        for pixels_bgr, photo in photographs:
            seen = (pixels_bgr, photo) if way is None else spoiled(pixels_bgr, photo, way, seed)
            total += score_photograph(seen[1], readings_of(read(seen[0]))).counts
        found.append(total)
    return found


def row(what: Without, found: Sequence[Counts]) -> str:
    """A row of a table: of each way the tiles read, exact photographs, silent errors, and the share of
    readings that is asked about."""
    return f"| {what} | " + " | ".join(map(_cell, found)) + " |"


def _cell(counts: Counts) -> str:
    figures = counts.figures()
    return f"{counts.read}, {counts.exact}, {counts.silent}, {figures['asked']:.1%}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; exit status 2 where labels, a photograph or a network cannot be used."""
    parser = argparse.ArgumentParser(description="Say what each part of the reader is worth.")
    parser.add_argument("labels", type=Path)
    parser.add_argument("--game", help="of the labels, where not all are read")
    parser.add_argument("--seed", type=int, default=1, help="of the noise in spoiled light")
    args = parser.parse_args(arguments)
    try:
        photographs = [
            (load_photograph(args.labels.parent / photo.image), photo)
            for photo in load_labels(args.labels)
            if args.game in (None, photo.game)
        ]
        print("| without | " + " | ".join(way or "as they are" for way in SPOILED) + " |")
        print("|---" * (1 + len(SPOILED)) + "|")
        for what in Without:
            print(row(what, measured(reads_without(what), photographs, args.seed)), flush=True)
    except (LabelError, ModelError, PhotographError) as error:
        print(f"ablations: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
