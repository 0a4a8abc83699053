"""What people said of tiles is known after a restart where the same tile lies there, and only there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from table.event_log import Clock
from table.events import Correction, Event
from table.log.values import LoggedEvent
from table.said_before import as_logged
from tests.table.laid_table import StaticTable, is_layout, wait_until
from tests.table.played_alone import PlayedAlone
from tests.table.played_table import PlayedTable
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.rendering import RenderedTable
from vision.rendering.arrangements import TilePose

TABLE: Final = RenderedTable(3)
WIDTH: Final = TABLE.design.width_mm
RUN: Final = ("K3", "K4", "K5", "K6", "K7")
IN_DOUBT: Final = TileReading(
    (Candidate(parse_tile("K8"), 0.6), Candidate(parse_tile("K5"), 0.4)), False
)
"""How the tile in the middle is read, whichever lies there."""
MIDDLE: Final = 2


class Table(PlayedAlone):
    """Tiles in a row; the reader is never sure of the one in the middle."""

    def __init__(self, *told_before: Event) -> None:
        super().__init__()
        self.pictures = 0
        self.play.resume((), _logged(told_before))

    def look(self, labels: Sequence[str] = RUN, *, shift_mm: float = 0.0, times: int = 3) -> str:
        """Shows the tiles so many times; the layout as it is read."""
        poses = [
            TilePose(label, (n - 2) * WIDTH * 1.02 + shift_mm, 0.0, 0.0)
            for n, label in enumerate(labels)
        ]
        for _ in range(times):
            self.pictures += 1
            picture = TABLE.picture(poses, noise_seed=self.pictures)
            readings = [TileReading.certain(parse_tile(pose.label)) for pose in poses]
            readings[MIDDLE] = IN_DOUBT
            placements = [
                Placement(quad, reading, 0.9, Face.UP)
                for quad, reading in zip(picture.quads_xy, readings, strict=True)
            ]
            at_s = self.pictures * 0.3
            self.play.add(Frame(picture.pixels_bgr, at_s, self.pictures, "drawn"), placements)
        return self.layout

    @property
    def layout(self) -> str:
        seen = self.play.watch.adopted
        assert seen is not None, "a layout was read"
        return seen.laid_out.reading.text()

    def say(self, label: str) -> Correction:
        """A person names the tile in the middle."""
        self.answers.correct(self.play.layout_sequence, MIDDLE, label)
        return next(event for event in reversed(self.told) if isinstance(event, Correction))


class PrintedTable(StaticTable):
    """A table whose tiles show what is printed on them, whatever is read."""

    prints: tuple[str, ...] = ()

    def picture(self) -> NDArray[np.uint8]:
        pixels = super().picture()
        for placement, text in zip(self.placements, self.prints, strict=False):
            x, y = (round(float(v)) for v in placement.quad_xy[3])
            cv2.putText(pixels, text, (x + 3, y - 18), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
        return pixels


def _logged(events: Sequence[Event]) -> list[LoggedEvent]:
    at = Clock().now_utc().isoformat()
    return [LoggedEvent(number, at, 0.0, event) for number, event in enumerate(events, start=1)]


def said_of_the_middle(label: str) -> Correction:
    """What the log holds after somebody named the tile in the middle of the row."""
    table = Table()
    assert table.look() == "K3 K4 K8? K6 K7"
    return table.say(label)


def test_a_tile_that_lies_where_it_lay_is_known_again() -> None:
    said = said_of_the_middle("K5")
    table = Table(said)
    assert table.look() == "K3 K4 K5 K6 K7"
    assert table.look(times=6) == "K3 K4 K5 K6 K7", "and is not doubted again"
    seen = table.play.watch.adopted
    assert seen is not None
    assert seen.corrected == {seen.laid_out.placement_indexes[MIDDLE]}, "as what a person said"


def test_after_a_restart_in_mid_turn_a_table_asks_of_nothing_that_was_answered(
    tmp_path: Path,
) -> None:
    table = PrintedTable()
    table.prints = ("10", "10", "11")
    played = PlayedTable(tmp_path, table)
    try:
        played.begin("Ada", "Ben")
        table.lay("K10 B10 R10/R11")
        state = wait_until(played.session.board, lambda state: state.layout == "K10 B10 R10?")
        played.session.correct_tile(state.layout_sequence, 2, "R11", "Ben")
        played.restart()
        wait_until(played.session.board, is_layout("K10 B10 R11"))
        assert played.acts() == ["take_back", "let_stand"]
        table.prints = ("10", "10", "12")
        played.restart()
        wait_until(played.session.board, is_layout("K10 B10 R10?"))
    finally:
        played.session.close()


def test_what_is_no_tile_is_left_out_again() -> None:
    table = Table(said_of_the_middle("none"))
    assert "?" not in table.look()


@pytest.mark.parametrize("other", ["K8", "B5", "R5", "K3", "K6"])
def test_another_tile_at_the_same_place_is_asked_about(other: str) -> None:
    """It was exchanged while the program was down, and is read just as the one before."""
    table = Table(said_of_the_middle("K5"))
    assert table.look(("K3", "K4", other, "K6", "K7")) == "K3 K4 K8? K6 K7"
    assert table.look(times=4) == "K3 K4 K8? K6 K7", "not even when the first one is back"


def test_a_tile_that_lies_elsewhere_is_asked_about() -> None:
    table = Table(said_of_the_middle("K5"))
    assert table.look(shift_mm=WIDTH * 0.5) == "K3 K4 K8? K6 K7"


def test_the_last_word_about_a_place_counts() -> None:
    first, last = said_of_the_middle("K8"), said_of_the_middle("K5")
    assert Table(first, last).look() == "K3 K4 K5 K6 K7"
    assert Table(last, replace(first, look="")).look() == "K3 K4 K8? K6 K7"


def test_what_is_said_now_counts_and_not_what_was_said_before() -> None:
    said = said_of_the_middle("K8")
    table = Table(said)
    assert table.look() == "K3 K4 K8 K6 K7"
    table.say("K5")
    assert table.look() == "K3 K4 K5 K6 K7"


def test_of_a_round_that_is_over_nothing_is_known() -> None:
    table = Table(said_of_the_middle("K5"))
    table.play.new_round("person")
    assert table.look() == "K3 K4 K8? K6 K7"


@pytest.mark.parametrize("damage", [{"look": "no base64!"}, {"look": "AAAA"}, {"label": "X99"}])
def test_a_word_that_cannot_be_read_is_asked_anew(damage: dict[str, Any]) -> None:
    said = replace(said_of_the_middle("K5"), **damage)
    assert Table(said).look() == "K3 K4 K8? K6 K7"


def test_no_look_is_kept_of_a_tile_that_was_not_found_itself() -> None:
    """What is seen at its place may be another tile, which would be taken for it."""
    table = Table()
    table.look()
    seen, frame = table.play.watch.adopted, table.play.read_frame
    assert seen is not None
    assert frame is not None
    tile, every = seen.placement_of(MIDDLE), seen.placements
    others = [placement for placement in every if placement is not tile]
    assert as_logged(tile, frame, every, every)[1]
    assert as_logged(tile, frame, others, every)[1] == "", "remembered, and not found"
    assert as_logged(tile, frame, every, [tile, *every])[1] == "", (
        "found, and another is remembered"
    )
    assert as_logged(tile, frame, [tile, *every], every)[1] == "", "one upon another"
