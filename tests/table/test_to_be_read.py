"""A ruling on the table of before is not shown as that on the table as it lies now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from table.board import LiveState
from tests.table.filmed_table import FilmedTable
from tests.table.laid_table import StaticTable, is_layout
from vision.placements import Placement


class WatchedFilm(FilmedTable):
    """Keeps what the page shows whenever a picture is read; ``misread`` so many readings."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.meanwhile: list[LiveState] = []
        self.misread: list[StaticTable] = []

    def _read(self, pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        self.meanwhile.append(self.session.board.look().state)
        super()._read(pixels_bgr)
        table = self.misread.pop() if self.misread else self.table
        return table.placements


@pytest.fixture
def film(tmp_path: Path) -> Iterator[WatchedFilm]:
    film = WatchedFilm(tmp_path)
    with film.session:
        yield film


def test_until_what_lies_there_was_read_the_table_counts_as_moving(film: WatchedFilm) -> None:
    film.table.lay("K7 K8 R9")
    shown = [film.show() for _ in range(12)]
    assert [state.moving for state in shown].index(False) > 0
    assert all(state.moving or state.ruling for state in shown)
    assert not shown[-1].moving
    assert not shown[-1].to_be_read


def test_a_ruling_of_before_the_hand_is_never_that_of_the_table_since(film: WatchedFilm) -> None:
    """Readings that do not agree at first take their time, and the table lies still meanwhile."""
    film.table.lay("K7 K8 K9")
    film.pictures_until(is_layout("K7 K8 K9"))
    assert not film.show().moving
    for column in (80, 200, 320):
        assert film.show(hand_at=column).moving
    film.table.lay("K7 K8 K9", "R3 B3 O3")
    once = StaticTable()
    once.lay("K7 K8 K9", "R3 B3 J")
    film.misread, film.meanwhile = [once], []
    later = film.pictures_until(is_layout("K7 K8 K9 | R3 B3 O3"))
    assert later > 1
    waits = [state for state in film.meanwhile if state.layout == "K7 K8 K9"]
    assert all(state.moving for state in waits)
    assert any(state.to_be_read for state in waits), "one was made of a table that lay still"
    assert not film.session.board.look().state.moving


def test_a_table_at_rest_that_is_read_otherwise_once_is_not_shown_as_moving(
    film: WatchedFilm,
) -> None:
    film.table.lay("K7 K8 K9")
    film.pictures_until(is_layout("K7 K8 K9"))
    once = StaticTable()
    once.lay("K7 K8")
    film.misread = [once]
    shown = [film.show() for _ in range(60)]
    assert not film.misread, "it was read anew meanwhile"
    assert not any(state.moving for state in shown)
