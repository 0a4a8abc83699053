"""Where to draw the line between tiles and false alarms, on generated pictures not trained on.

``python -m models.training.measure FOLDER [--models models]`` finds and reads every picture of a folder
and prints, for a range of thresholds on what ``vision/placing.py`` compares (finder score times the
probability of the likeliest class), how many true tiles stay and how many false ones come with them;
apart for numbered tiles and for jokers and backs. The thresholds there were chosen from this table.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.classes import FACE_DOWN, NOT_A_TILE, NUMBERS
from models.finder import TileFinder
from models.runtime import FINDER_NAME, SHIPPED, TILE_READER_NAME
from models.tile_reader import TileReader
from models.training.pictures import LabelledPicture, load_generated

CLEARLY_VISIBLE = 0.5
"""Truth less visible than this is neither asked for nor held against the finder."""

THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6)


@dataclass(frozen=True, slots=True)
class Found:
    """One detection: what it scored, what it was read as, and what it truly is."""

    strength: float
    """Finder score times the probability of what it was read as."""
    read: int
    """Likeliest class that is a tile."""
    colour: int
    """Likeliest colour."""
    truth: int | None
    """Index of the tile it lies on; None for none."""
    counts: bool
    """False on tiles that are hardly visible."""
    right: bool
    """Whether class, and colour where there is one, are those of the tile."""


def look_at(picture: LabelledPicture, finder: TileFinder, reader: TileReader) -> list[Found]:
    """What is found in one picture, compared with its truth; each tile is given out once."""
    pixels = picture.pixels()
    detections = finder.find(pixels)
    readings = reader.read(pixels, detections.quads_xy)
    centres, sides = picture.quads_xy.mean(axis=1), picture.short_sides_px()
    taken: set[int] = set()
    found = []
    for index in np.argsort(-detections.scores, kind="stable"):
        classes = readings.classes[index]
        read = int(np.argmax(classes[:NOT_A_TILE]))
        colour = int(np.argmax(readings.colours[index]))
        truth = _tile_at(detections.quads_xy[index].mean(axis=0), centres, sides, taken)
        counts, right = True, False
        if truth is not None:
            taken.add(truth)
            counts = bool(picture.visible[truth] >= CLEARLY_VISIBLE)
            same_colour = picture.colours[truth] in (-1, colour)
            right = bool(read == picture.classes[truth] and same_colour)
        strength = float(detections.scores[index] * classes[read])
        found.append(Found(strength, read, colour, truth, counts, right))
    return found


def _tile_at(
    centre: NDArray[np.float32],
    centres: NDArray[np.float32],
    sides: NDArray[np.float32],
    taken: set[int],
) -> int | None:
    """The nearest tile not yet given out whose middle is within 0.4 of its short side."""
    apart = np.linalg.norm(centres - centre, axis=1) / sides
    near = [int(i) for i in np.argsort(apart) if apart[i] < 0.4 and int(i) not in taken]
    return near[0] if near else None


def main(arguments: list[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path, default=SHIPPED)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    finder = TileFinder(options.models / FINDER_NAME, options.threads)
    reader = TileReader(options.models / TILE_READER_NAME, options.threads)
    pictures = load_generated(options.folder, held_out=None, limit=options.limit)
    found = [look_at(picture, finder, reader) for picture in pictures]
    asked = sum(int((p.visible >= CLEARLY_VISIBLE).sum()) for p in pictures)
    for name, numbered in (("numbered", True), ("jokers and backs", False)):
        print(f"{name}: threshold, true tiles kept, of these right, false per 100 pictures")
        some = [
            f for each in found for f in each if f.counts and (f.read < len(NUMBERS)) == numbered
        ]
        for threshold in THRESHOLDS:
            kept = [f for f in some if f.strength >= threshold]
            true = [f for f in kept if f.truth is not None]
            false = (len(kept) - len(true)) / len(pictures) * 100
            print(f"  {threshold:.2f}  {len(true)}  {sum(f.right for f in true)}  {false:.1f}")
    backs = sum(int((p.classes == FACE_DOWN).sum()) for p in pictures)
    print(f"{asked} tiles clearly visible in {len(pictures)} pictures; {backs} backs in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
