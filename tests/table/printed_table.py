"""A game on a table whose tiles have prints, whose pictures are kept, and on which a napkin may lie."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.referee import Ruling
from engine.tiles import parse_tile
from table.pictures import PictureKeeper
from table.session import TableSession
from tests.table.laid_table import StaticTable, is_layout, wait_until
from tests.table.played_table import RULES, PlayedTable
from vision.placements import Face, Placement
from vision.settling import SettleDetector


class PrintedTable(StaticTable):
    """Tiles with prints on a cloth; a napkin may lie on some, which are not found then."""

    def __init__(self) -> None:
        super().__init__()
        self.covered: list[Placement] = []
        self.below: list[Placement] = []
        self.smudged = ""
        """The tile with that label looks otherwise."""
        self.napkin_bgr = (40, 60, 200)
        self.napkin_off_px = 0
        self._cloth = np.random.default_rng(1).integers(-14, 15, (480, 640, 3))

    def picture(self) -> NDArray[np.uint8]:
        pixels = super().picture().astype(np.int64) + self._cloth
        printed = np.clip(pixels, 0, 255).astype(np.uint8)
        for placement in self.below:
            printed = self._beside_others(printed, placement)
        for placement in self.placements:
            x, y = (round(float(v)) for v in placement.quad_xy[3])
            text = placement.label[1:]
            cv2.putText(printed, text, (x + 3, y - 18), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
            if placement.label == self.smudged:
                cv2.line(printed, (x + 2, y - 12), (x + 30, y - 44), (20, 20, 20), 3)
        for placement in self.covered:
            (x0, y0), (x1, y1) = placement.quad_xy[[0, 2]].astype(int)
            x0 += self.napkin_off_px
            cv2.rectangle(printed, (x0 + 2, y0 - 40), (x1 + 70, y1 + 30), self.napkin_bgr, -1)
        return printed

    def _beside_others(self, pixels: NDArray[np.uint8], placement: Placement) -> NDArray[np.uint8]:
        """With what shows of a tile beside those that lie on it."""
        (x0, y0), (x1, y1) = placement.quad_xy[[0, 2]].astype(int)
        with_it = pixels.copy()
        with_it[y0:y1, x0:x1] = np.clip(with_it[y0:y1, x0:x1].astype(np.int64) + 90, 0, 255)
        for other in self.placements:
            (x0, y0), (x1, y1) = other.quad_xy[[0, 2]].astype(int)
            with_it[y0:y1, x0:x1] = pixels[y0:y1, x0:x1]
        return with_it

    def take(self, label: str) -> None:
        """That tile does not lie there any more."""
        self.placements = [p for p in self.placements if p.label != label]

    def cover(self, label: str) -> None:
        """A napkin lies on that tile."""
        self.covered = [p for p in self.placements if p.label == label]
        self.take(label)

    def drop(self, label: str, on: str) -> None:
        """A tile lies askew on another one, which is not found then."""
        self.below = [p for p in self.placements if p.label == on]
        self.take(on)
        (under,) = self.below
        tile = TileReading.certain(parse_tile(label))
        over = Placement(under.quad_xy + np.float32((10, -24)), tile, 1.0, Face.UP)
        self.placements = [*self.placements, over]

    def uncover(self) -> None:
        """The napkin is taken away, and what it lay on is there."""
        self.placements, self.covered = [*self.placements, *self.covered], []

    def weave(self) -> None:
        """The cloth has figures by which its picture is known again where the camera was pushed."""
        figures = np.random.default_rng(2).normal(0, 25, (120, 160, 3))
        self._cloth = cv2.resize(figures, (640, 480), interpolation=cv2.INTER_CUBIC).astype(int)

    def push(self, by_px: float, *, with_the_cloth: bool = False) -> None:
        """The camera is turned, so that all tiles are elsewhere in its picture; without the cloth the
        rest of the picture does not tell of it."""
        if with_the_cloth:
            self._cloth = np.roll(self._cloth, (round(by_px), round(by_px)), axis=(0, 1))
        self.placements, self.covered = (
            [replace(p, quad_xy=p.quad_xy + by_px) for p in tiles]
            for tiles in (self.placements, self.covered)
        )


class PicturedGame(PlayedTable):
    """A game whose pictures are kept, on a table with prints."""

    def __init__(self, folder: Path) -> None:
        self.pictures = PictureKeeper(folder / "pictures", most=20)
        self.printed = PrintedTable()
        super().__init__(folder, self.printed)

    def _session(self) -> TableSession:
        read, settle = self.table.read_placements, SettleDetector(still_for_s=0.3)
        return TableSession(
            self.table, read, RULES, self.log, settle=settle, pictures=self.pictures
        )

    def ruling_on(self, layout: str) -> Ruling:
        state = wait_until(self.session.board, is_layout(layout))
        assert state.ruling is not None
        return state.ruling


LAID: Final = "K10 B10 R10 O10 | K11 K12 K13"
"""The table of the second turn, with a set of the first."""


@contextmanager
def second_turn(folder: Path) -> Iterator[PicturedGame]:
    """The second turn is under way; its table is ``LAID``, of which the first set lay there before."""
    game = PicturedGame(folder)
    try:
        game.begin("Ada", "Ben")
        game.play("K10 B10 R10 O10")
        game.lay(*LAID.split(" | "))
        game.ruling_on(LAID)
        yield game
    finally:
        game.session.close()
