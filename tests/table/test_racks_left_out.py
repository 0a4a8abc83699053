"""A rack that is left out of the table can be counted, stays left out, and bounds what is proposed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.faults import Verdict
from table.board import LiveState
from table.events import RackRead
from table.rack_questions import ON_RACK
from table.wishes import WishRefusedError
from tests.table.laid_table import StaticTable, wait_until
from tests.table.played_table import PlayedTable
from tests.table.racked_table import GROWING, lay_before_a_rack
from vision.calibration.region import WHOLE_CORNERS, Corners
from vision.sources import Health, HealthState

SETS = ("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
RACK = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O2"


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedTable]:
    table = StaticTable()
    played = PlayedTable(tmp_path, table, standing=table.standing)
    yield played
    played.session.close()


def asked(played: PlayedTable) -> LiveState:
    return wait_until(
        played.session.board,
        lambda s: s.ruling is not None and s.ruling.verdict is Verdict.ASK and not s.moving,
    )


def with_a_rack_told_of(played: PlayedTable, *rows: int) -> None:
    """Ada is out, and of the rack in these rows, which Ben holds, people said that it is one."""
    played.table.racks = set(rows)
    played.begin("Ada", "Ben")
    played.table.lay("", "", "", *(RACK for _ in rows))
    played.session.answer_question(asked(played).layout_sequence, 0, ON_RACK)
    wait_until(played.session.board, lambda s: s.layout == "-" and s.ruling is not None)
    played.table.lay(*SETS, *(RACK for _ in rows))
    wait_until(played.session.board, lambda s: len(s.melds) == 3 and not s.moving)
    wait_until(played.session.board, lambda s: s.ruling is not None)
    played.act("play")


def test_it_is_what_lies_before_the_camera_when_racks_are_counted(played: PlayedTable) -> None:
    with_a_rack_told_of(played, 3)
    played.session.in_game(lambda game: game.read_camera("Ben"))
    (rack,) = played.game.racks
    assert rack.tiles is not None
    assert " ".join(tile.label for tile in rack.tiles) == RACK
    (read,) = played.events(RackRead)
    assert read.by == "person"


def test_without_one_nothing_is_read(played: PlayedTable) -> None:
    with_a_rack_told_of(played, 3)
    played.table.lay(*SETS)
    wait_until(played.session.board, lambda s: s.left_out == () and not s.moving)
    with pytest.raises(WishRefusedError) as refused:
        played.session.in_game(lambda game: game.read_camera("Ben"))
    assert refused.value.word == "nothing_read"


def test_it_stays_left_out_where_somebody_marks_the_table(played: PlayedTable) -> None:
    played.table.racks = {3}
    played.table.lay(SETS[0], "", "", RACK)
    state = asked(played)
    played.session.answer_question(state.layout_sequence, 0, ON_RACK)
    state = wait_until(played.session.board, lambda s: s.layout == SETS[0] and not s.moving)
    whole = [list(corner) for corner in WHOLE_CORNERS]
    played.session.set_region(whole, state.region.sequence)
    played.table.lay(SETS[0], SETS[1], "", RACK)
    state = wait_until(
        played.session.board,
        lambda s: len(s.melds) == 2 and s.ruling is not None and not s.moving,
    )
    assert state.layout == f"{SETS[0]} | {SETS[1]}"
    # What looks so and nobody told of lies, as they who marked the table say.
    played.table.racks = {1, 3}
    played.table.lay(SETS[0], "O2 O3 O4", "", RACK)
    state = wait_until(
        played.session.board,
        lambda s: s.layout == f"{SETS[0]} | O2 O3 O4" and s.ruling is not None,
    )
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL


def test_no_outline_is_proposed_round_what_is_left_out(played: PlayedTable) -> None:
    """As in a traced film: an outline held three racks, and the rack that had been told of with them."""
    lay_before_a_rack(played.table, *GROWING[0])
    wait_until(played.session.board, lambda s: bool(s.tiles))
    for melds in GROWING[1:]:
        lay_before_a_rack(played.table, *melds)
        state = wait_until(
            played.session.board,
            lambda s, last=melds[-1]: (s.layout or "").count(last) > 0 and not s.moving,
        )
    state = wait_until(played.session.board, lambda s: s.region.proposes)
    proposal = state.region.proposal
    assert proposal is not None
    x, y = (sum(corner[axis] for corner in proposal) / 4 for axis in (0, 1))
    inside: Corners = ((x, y), (x, y), (x, y), (x, y))
    region = played.session._region
    assert region.shown((inside,)).proposal is None
    assert region.shown().proposal == proposal


class RestlessTable(StaticTable):
    """A hand may move over it."""

    moves = False

    def picture(self) -> NDArray[np.uint8]:
        pixels = super().picture()
        if self.moves:
            x = 200 + 37 * (self._index % 7)
            cv2.line(pixels, (x, 479), (x - 30, 150), (90, 120, 190), 50)
        return pixels


def test_whoever_draws_while_nobody_saw_what_a_hand_did_is_asked_whether_that_is_meant(
    tmp_path: Path,
) -> None:
    """A camera that is lost while tiles are laid tells nothing of them, and a slip would count."""
    table = RestlessTable()
    played = PlayedTable(tmp_path, table)
    try:
        played.begin("Ada", "Ben")
        played.lay()
        (draw,) = played.game.ask.acts
        assert (draw.act, draw.primary, draw.asks_again) == ("draw", True, False)
        table.health = Health(HealthState.LOST, "lost")
        wait_until(played.session.board, lambda s: s.camera is HealthState.LOST)
        assert [act.asks_again for act in played.game.ask.acts] == [False], "nothing moved before"
        table.health = Health(HealthState.LIVE)
        wait_until(played.session.board, lambda s: s.camera is HealthState.LIVE and not s.moving)
        table.moves = True
        wait_until(played.session.board, lambda s: s.moving)
        table.health = Health(HealthState.LOST, "lost")
        wait_until(played.session.board, lambda s: s.camera is HealthState.LOST)
        (draw,) = played.game.ask.acts
        assert (draw.act, draw.primary, draw.asks_again) == ("draw", False, True)
        assert played.game.ask.detail.startswith("Something moved on the table")
        assert draw.follows.startswith("Something moved on the table"), "and it is said why"
        table.moves, table.health = False, Health(HealthState.LIVE)
        wait_until(played.session.board, lambda s: s.camera is HealthState.LIVE and not s.moving)
        assert [act.asks_again for act in played.game.ask.acts] == [False]
    finally:
        played.session.close()
