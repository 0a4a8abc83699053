"""After a restart it is known which tiles lay there: one that is hidden is no tile that was taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.referee import Ruling, Verdict
from table.pictures import PictureKeeper
from table.session import TableSession
from tests.table.laid_table import StaticTable, is_layout, wait_until
from tests.table.played_table import RULES, PlayedTable
from vision.placements import Placement
from vision.settling import SettleDetector


class PrintedTable(StaticTable):
    """Tiles with prints on a cloth; a napkin may lie on some, which are not found then."""

    def __init__(self) -> None:
        super().__init__()
        self.covered: list[Placement] = []
        self._cloth = np.random.default_rng(1).integers(-14, 15, (480, 640, 3))

    def picture(self) -> NDArray[np.uint8]:
        pixels = super().picture().astype(np.int64) + self._cloth
        printed = np.clip(pixels, 0, 255).astype(np.uint8)
        for placement in self.placements:
            x, y = (round(float(v)) for v in placement.quad_xy[3])
            text = placement.label[1:]
            cv2.putText(printed, text, (x + 3, y - 18), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
        for placement in self.covered:
            (x0, y0), (x1, y1) = placement.quad_xy[[0, 2]].astype(int)
            cv2.rectangle(printed, (x0 + 2, y0 - 40), (x1 + 70, y1 + 30), (40, 60, 200), -1)
        return printed

    def take(self, label: str) -> None:
        """That tile does not lie there any more."""
        self.placements = [p for p in self.placements if p.label != label]

    def cover(self, label: str) -> None:
        """A napkin lies on that tile."""
        self.covered = [p for p in self.placements if p.label == label]
        self.take(label)

    def push(self, by_px: float) -> None:
        """The camera is turned, so that all tiles are elsewhere in its picture."""
        self.placements = [replace(p, quad_xy=p.quad_xy + by_px) for p in self.placements]


class KeptTable(PlayedTable):
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


LAID = "K10 B10 R10 O10 | K11 K12 K13"


@pytest.fixture
def played(tmp_path: Path) -> Iterator[KeptTable]:
    """The second turn is under way, with a set of the first on the table."""
    game = KeptTable(tmp_path)
    try:
        game.begin("Ada", "Ben")
        game.play("K10 B10 R10 O10")
        game.lay(*LAID.split(" | "))
        assert game.ruling_on(LAID).verdict is Verdict.LEGAL
        yield game
    finally:
        game.session.close()


def test_a_tile_that_is_hidden_is_asked_about_before_a_restart_and_after(
    played: KeptTable,
) -> None:
    played.printed.cover("O10")
    before = played.ruling_on("K10 B10 R10 O10? | K11 K12 K13")
    played.restart()
    after = played.ruling_on("K10 B10 R10 O10? | K11 K12 K13")
    assert before.verdict is after.verdict is Verdict.ASK
    assert [q.text for q in after.questions] == [q.text for q in before.questions]


def test_without_the_last_picture_the_one_before_tells(played: KeptTable, tmp_path: Path) -> None:
    played.act("play")
    max((tmp_path / "pictures").glob("*.jpg")).unlink()
    played.printed.cover("O10")
    played.restart()
    ruling = played.ruling_on("K10 B10 R10 O10? | K11 K12 K13")
    assert ruling.verdict is Verdict.ASK


def test_a_tile_that_was_taken_meanwhile_is_missed(played: KeptTable) -> None:
    played.printed.take("O10")
    played.restart()
    ruling = played.ruling_on("K10 B10 R10 | K11 K12 K13")
    assert ruling.verdict is Verdict.ILLEGAL


def test_where_nothing_is_hidden_nothing_is_asked(played: KeptTable) -> None:
    played.restart()
    assert played.ruling_on(LAID).verdict is Verdict.LEGAL


@pytest.mark.parametrize("damage", ["pushed", "no picture", "broken picture"])
def test_of_another_view_or_without_its_picture_nothing_is_known(
    played: KeptTable, tmp_path: Path, damage: str
) -> None:
    if damage == "pushed":
        played.printed.push(50.0)
    for file in (tmp_path / "pictures").glob("*.jpg"):
        if damage == "no picture":
            file.unlink()
        elif damage == "broken picture":
            file.write_bytes(b"no picture")
    played.restart()
    assert played.ruling_on(LAID).verdict is Verdict.LEGAL


def test_a_tile_of_another_name_at_the_place_is_read_as_what_it_is(played: KeptTable) -> None:
    played.printed.lay("K10 B10 R10 J", "K11 K12 K13")
    played.restart()
    assert played.ruling_on("K10 B10 R10 J | K11 K12 K13").verdict is Verdict.ILLEGAL
