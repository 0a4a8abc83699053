"""What knowing a set is worth: ``python -m vision.enrolment.measure --fonts FOLDER``.

Draws makers' sets in typefaces that no network was trained on (`typefaces.is_held_out`): of each an
enrolment photograph with all tiles in rows, every third set of 53 tiles and the others of 106, and
tables in play in another light, from another camera and distance. Reads the tables without and with
the enrolled set, and with the set enrolled before it, which is the wrong one.

Printed for each: tiles that show 80 % of their faces and are 12 pixels wide, or more; of these the
share that was missed, misread (their likeliest candidate is wrong), and asked about (not stated as a
fact, or unread); the count of silent errors (wrong and stated as a fact); and from which probability on
fewer than one in 2,000 is wrong. Set k of a seed is drawn from ``default_rng([seed, k])`` alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from models.finder import TileFinder
from models.runtime import (
    CAREFUL_READER_NAME,
    FINDER_NAME,
    SHIPPED,
    TILE_READER_NAME,
    read_manifest,
)
from models.tile_reader import TileReader
from vision.enrolment.enrolling import Enrolment, enrol_set
from vision.enrolment.known_set import KnownSet
from vision.enrolment.scenes import enrolment_picture, table_picture
from vision.placements import Placement
from vision.reader import TableReader
from vision.rendering.dataset import select_typefaces
from vision.rendering.designs import TileDesign, sample_design
from vision.rendering.scene import RenderedPicture

LEAST_VISIBLE = 0.8
LEAST_WIDTH_PX = 12.0
NEAR = 0.4
"""A reading belongs to a tile whose middle is within this part of its short side."""
WRONG_WHEN_SURE = 0.0005


@dataclass(slots=True)
class Tally:
    """Readings of tiles whose truth is known."""

    tiles: int = 0
    missed: int = 0
    unread: int = 0
    extra: int = 0
    """Readings stated as facts where no tile lies."""
    probability: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    sure: list[bool] = field(default_factory=list)

    def add(self, picture: RenderedPicture, placements: Sequence[Placement]) -> None:
        """Compare one picture."""
        owners = owners_of(picture, placements)
        self.extra += sum(p.reading.sure for p, o in zip(placements, owners, strict=True) if o < 0)
        for number, label in enumerate(picture.labels):
            width = float(np.linalg.norm(np.diff(picture.quads_xy[number, :2], axis=0)))
            if picture.visible[number] < LEAST_VISIBLE or width < LEAST_WIDTH_PX:
                continue
            self.tiles += 1
            found = [p for p, owner in zip(placements, owners, strict=True) if owner == number]
            if not found:
                self.missed += 1
            elif not found[0].reading.candidates:
                self.unread += 1
            else:
                self.probability.append(found[0].reading.candidates[0].probability)
                self.right.append(found[0].label == label)
                self.sure.append(found[0].reading.sure)

    def line(self) -> str:
        """The figures."""
        right, sure = np.array(self.right, bool), np.array(self.sure, bool)
        of = max(1, self.tiles)
        return (
            f"{self.tiles:6} tiles  missed {self.missed / of:6.2%}  "
            f"misread {(~right).sum() / of:6.2%}  "
            f"asked {((~sure).sum() + self.unread) / of:6.2%}  "
            f"silent {int((sure & ~right).sum()):3}  false alarms {self.extra:3}  "
            f"one in 2,000 from {self.threshold():.4f}, asked then {self.asked_from():6.2%}"
        )

    def threshold(self) -> float:
        """The least probability from which on fewer than one reading in 2,000 is wrong."""
        return self._threshold_and_asked()[0]

    def asked_from(self) -> float:
        """The share of tiles asked about with that threshold."""
        return self._threshold_and_asked()[1]

    def _threshold_and_asked(self) -> tuple[float, float]:
        order = np.argsort(-np.array(self.probability), kind="stable")
        wrong = np.cumsum(~np.array(self.right, bool)[order])
        good = np.flatnonzero(wrong / np.arange(1, len(order) + 1) < WRONG_WHEN_SURE)
        if not len(good):
            return 1.0, 1.0
        last = int(good[-1])
        asked = self.tiles - self.missed - last - 1
        return self.probability[order[last]], asked / max(1, self.tiles)


def owners_of(picture: RenderedPicture, placements: Sequence[Placement]) -> list[int]:
    """Which tile of the picture each placement is of; -1 for none. The nearest, each tile once."""
    centres = picture.quads_xy.mean(axis=1)
    short = np.linalg.norm(picture.quads_xy[:, 1] - picture.quads_xy[:, 0], axis=1)
    owners, taken = [-1] * len(placements), set()
    apart = np.array(
        [np.linalg.norm(centres - p.centre_xy, axis=1) / short for p in placements]
    ).reshape(len(placements), len(centres))
    for flat in np.argsort(apart, axis=None):
        placement, tile = divmod(int(flat), len(centres))
        if apart[placement, tile] >= NEAR:
            break
        if owners[placement] < 0 and tile not in taken:
            owners[placement] = tile
            taken.add(tile)
    return owners


@dataclass(slots=True)
class Measurement:
    """Networks, and what came of reading with them."""

    finder: TileFinder
    tile_reader: TileReader
    network: str
    careful: TileReader | None = None
    without: Tally = field(default_factory=Tally)
    known: Tally = field(default_factory=Tally)
    wrong_set: Tally = field(default_factory=Tally)
    learned: int = 0
    not_learned: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    mislabelled: int = 0

    def reader(self, known_set: KnownSet | None = None) -> TableReader:
        """A reader with the networks, and a set that it knows."""
        return TableReader(self.finder, self.tile_reader, known_set, self.network, self.careful)

    def measure_design(
        self,
        number: int,
        design: TileDesign,
        rng: np.random.Generator,
        tables: int,
        before: KnownSet | None,
    ) -> KnownSet | None:
        """Enrol one set and read its tables; returns it, or None where it was not learned."""
        photograph = enrolment_picture(rng, design, copies=1 if number % 3 == 2 else 2)
        begin = time.process_time()
        enrolment = enrol_set([photograph.pixels_bgr], self.reader(), f"set {number}")
        self.seconds.append(time.process_time() - begin)
        self.mislabelled += _mislabelled(photograph, enrolment)
        known = enrolment.known
        if known is None:
            self.not_learned.append(f"set {number}: {'; '.join(enrolment.laying.complaints())}")
            return None
        self.learned += 1
        for _ in range(tables):
            picture = table_picture(rng, design)
            self.without.add(picture, self.reader().read(picture.pixels_bgr))
            self.known.add(picture, self.reader(known).read(picture.pixels_bgr))
            if before is not None:
                self.wrong_set.add(picture, self.reader(before).read(picture.pixels_bgr))
        return known

    def text(self) -> str:
        """Everything that was found."""
        sets = self.learned + len(self.not_learned)
        seconds = f"{np.median(self.seconds):.1f}, at most {max(self.seconds):.1f}"
        lines = [
            f"{self.learned} of {sets} sets learned, {self.mislabelled} of their tiles misnamed",
            f"seconds of processor time a set: {seconds}",
            *self.not_learned,
            f"no set known  {self.without.line()}",
            f"set known     {self.known.line()}",
            f"another set   {self.wrong_set.line()}",
        ]
        return "\n".join(lines)


def _mislabelled(photograph: RenderedPicture, enrolment: Enrolment) -> int:
    """Tiles that were learned under a wrong name."""
    if enrolment.known is None:
        return 0
    placements = enrolment.understood(0)
    owners = owners_of(photograph, placements)
    return sum(
        owner >= 0 and placement.label != photograph.labels[owner]
        for placement, owner in zip(placements, owners, strict=True)
    )


def designs(
    fonts: Path | None, seed: int, first: int, count: int
) -> list[tuple[TileDesign, np.random.Generator]]:
    """Held-out designs, each with the generator that its pictures come from."""
    faces = select_typefaces(fonts, "held-out" if fonts is not None else "all")
    rngs = [np.random.default_rng([seed, number]) for number in range(first, first + count)]
    return [(sample_design(rng, faces.digits, faces.symbols), rng) for rng in rngs]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--fonts", type=Path, help="folder of typefaces; without it the built-in one"
    )
    parser.add_argument("--count", type=int, default=25, help="sets")
    parser.add_argument("--tables", type=int, default=3, help="tables of each set")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--first", type=int, default=0, help="number of the first set")
    parser.add_argument("--models", type=Path, default=SHIPPED)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    measurement = Measurement(
        TileFinder(options.models / FINDER_NAME, options.threads),
        TileReader(options.models / TILE_READER_NAME, options.threads),
        read_manifest(options.models)[TILE_READER_NAME].sha256,
        TileReader(options.models / CAREFUL_READER_NAME, options.threads),
    )
    before: KnownSet | None = None
    some = designs(options.fonts, options.seed, options.first, options.count)
    for number, (design, rng) in enumerate(some, start=options.first):
        known = measurement.measure_design(number, design, rng, options.tables, before)
        before = known or before
        if sys.stderr.isatty():
            print(f"set {number}", file=sys.stderr)
    print(measurement.text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
