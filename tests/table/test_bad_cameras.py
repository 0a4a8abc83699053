"""A network camera that stalls, hangs up, repeats itself, sends damaged pictures, goes dark or soft, is
bumped, and comes back: each trouble is shown, and no table is read or judged from it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from table.board import Board, LiveState
from table.event_log import open_event_log
from table.events import CameraStateChanged, LayoutRead, RulingGiven
from table.session import TableSession
from table.wishes import WishRefusedError
from vision.placements import Face, Placement
from vision.settling import SettleDetector
from vision.sources import HealthState, open_source, parse_source

if TYPE_CHECKING:
    from conftest import LoopbackCamera

PATIENCE_S = 60.0

TROUBLES = [
    ("stall", HealthState.STALE),
    ("hang up", HealthState.LOST),
    ("repeat", HealthState.FROZEN),
    ("corrupt", HealthState.STALE),
    ("dark", HealthState.DARK),
    ("blurred", HealthState.BLURRED),
    ("bumped", HealthState.MOVED),
]


class Reader:
    """Reads what the test says lies there, and keeps the pictures it was given."""

    def __init__(self) -> None:
        self.labels = ["K7", "K8", "K9"]
        self.pictures: list[NDArray[np.uint8]] = []

    def __call__(self, pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        self.pictures.append(pixels_bgr)
        return [self._tile(label, k) for k, label in enumerate(self.labels)]

    @staticmethod
    def _tile(label: str, k: int) -> Placement:
        x = 120 + 42 * k
        quad = np.array([(x, 90), (x + 40, 90), (x + 40, 140), (x, 140)], np.float32)
        return Placement(quad, TileReading.certain(parse_tile(label)), 1.0, Face.UP)


def until_camera(board: Board, wanted: HealthState) -> LiveState:
    """The state in which the camera is so; LIVE means with the table at rest."""
    glance, waited_s = board.look(), 0.0
    while glance.state.camera is not wanted or glance.state.moving:
        following = board.wait(glance, 1.0)
        waited_s += following is glance
        assert waited_s < PATIENCE_S, f"never {wanted}; the last was {glance.state}"
        glance = following
    return glance.state


def test_each_trouble_is_shown_and_no_table_is_judged_meanwhile(
    camera: LoopbackCamera, tmp_path: Path
) -> None:
    read = Reader()
    log = open_event_log(tmp_path / "log.sqlite3")
    source = open_source(parse_source(camera.url), first_frame_s=PATIENCE_S)
    settle = SettleDetector(still_for_s=0.3)
    with TableSession(source, read, load_ruleset("pressman"), log, settle=settle) as session:
        glance = session.board.look()
        while glance.state.ruling is None:
            glance = session.board.wait(glance, PATIENCE_S)
        clean = read.pictures[0].astype(float)
        for does, state in TROUBLES:
            camera.does = does
            shown = until_camera(session.board, state)
            assert shown.camera_detail
            reads, read.labels = len(read.pictures), ["K7", "K8"]
            for _ in range(4):
                session.board.wait(session.board.look(), 0.1)
            assert len(read.pictures) == reads, f"a table was read while the camera was {state}"
            with pytest.raises(WishRefusedError, match=re.escape(shown.camera_detail)):
                session.end_turn(shown.layout_sequence)
            read.labels = ["K7", "K8", "K9"]
            camera.does = "live"
            until_camera(session.board, HealthState.LIVE)
    for pixels in read.pictures:
        difference = np.abs(pixels.astype(float) - clean).mean()
        assert difference < 5.0, "a dark, soft or shifted picture was read before it was named"
    events = [logged.event for logged in log.read()]
    assert [e.text for e in events if isinstance(e, LayoutRead)] == ["K7 K8 K9"]
    assert len([e for e in events if isinstance(e, RulingGiven)]) == 1
    told = [e.state for e in events if isinstance(e, CameraStateChanged)]
    for _, state in TROUBLES:
        assert (state.value in told) is (state is not HealthState.STALE)
    assert told[-1] == "live"


def test_nothing_is_read_of_a_picture_that_is_sent_again(
    camera: LoopbackCamera, tmp_path: Path
) -> None:
    """It shows the table of before, or a hand in its midst, long before the camera is known to hang."""
    read, reread_s = Reader(), 0.1
    log = open_event_log(tmp_path / "log.sqlite3")
    source = open_source(parse_source(camera.url), first_frame_s=PATIENCE_S)
    settle = SettleDetector(still_for_s=0.3)
    rules = load_ruleset("pressman")
    with TableSession(source, read, rules, log, settle=settle, reread_s=reread_s) as session:
        until_camera(session.board, HealthState.LIVE)
        while len(read.pictures) < 4:
            session.board.wait(session.board.look(), 0.1)
        camera.does, before = "repeat", len(read.pictures)
        until_camera(session.board, HealthState.FROZEN)
        since = read.pictures[before:]
    same = [pixels for pixels in since if np.array_equal(pixels, since[-1])]
    assert len(same) <= 2, "when it came first, and where it was the last of before as well"
