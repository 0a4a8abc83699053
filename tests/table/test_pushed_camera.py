"""A camera that was pushed a little goes on by itself; one that may not see the whole table does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.ruleset import load_ruleset
from table.event_log import EventLog
from table.events import CameraStateChanged
from table.printed_things import SOMETHING_ELSE
from table.pushed_camera import FOLLOWS_AFTER_S, STANDS_FOR_S, PushedCamera
from table.rack_questions import ON_RACK
from table.session import TableSession
from tests.table.grained_table import GrainedTable
from tests.table.laid_table import events_of, is_layout, wait_until
from tests.table.test_printed_things import CALENDAR
from vision.frame import Frame
from vision.placements import Face
from vision.settling import SettleDetector
from vision.sources import HealthState

EVERY_S = 0.3
"""Between two pictures of the table of the test."""
LONG = 40
"""Pictures of more than twice the time that a pushed camera waits."""


def laid() -> GrainedTable:
    table = GrainedTable()
    table.lay("K7 B7 R7", "B3 B4 B5")
    return table


def read_before(table: GrainedTable) -> PushedCamera:
    camera = PushedCamera()
    camera.was_read(seen(table), table.placements)
    return camera


def seen(table: GrainedTable) -> Frame:
    frame = table.read(0)
    assert frame is not None
    return frame


def goes_on_after(camera: PushedCamera, table: GrainedTable, pictures: int = LONG) -> float | None:
    """The seconds after which the camera goes on; None where it does not."""
    for number in range(pictures):
        if camera.may_go_on(seen(table)):
            return number * EVERY_S
    return None


@pytest.mark.parametrize("push", [(24, 18), (-30, -12), (8, 0), (3, 2)])
def test_a_small_push_is_followed_once_the_camera_has_stood_for_a_while(
    push: tuple[int, int],
) -> None:
    table = laid()
    camera = read_before(table)
    table.push(*push)
    after_s = goes_on_after(camera, table)
    assert after_s is not None
    assert FOLLOWS_AFTER_S <= after_s <= FOLLOWS_AFTER_S + STANDS_FOR_S


@pytest.mark.parametrize(
    "push",
    [
        pytest.param((100, 0), id="too far"),
        pytest.param((-62, 0), id="a tile is cut off by the border"),
        pytest.param((0, 0), id="nothing moved that can be told"),
    ],
)
def test_it_is_not_followed_where_the_table_may_be_out_of_sight(push: tuple[int, int]) -> None:
    table = laid()
    camera = read_before(table)
    table.push(*push)
    assert goes_on_after(camera, table) is None


def test_backs_and_tiles_that_were_cut_off_before_may_get_out_of_sight() -> None:
    table = laid()
    table.placements = [
        replace(table.placements[0], face=Face.DOWN),
        replace(table.placements[3], quad_xy=table.placements[3].quad_xy - (70, 0)),
        *table.placements[1:3],
    ]
    camera = read_before(table)
    table.push(-62, 0)
    assert goes_on_after(camera, table) is not None


def test_another_table_is_not_followed() -> None:
    table = laid()
    camera = read_before(table)
    table.turn_away()
    assert goes_on_after(camera, table) is None


def test_a_camera_that_goes_on_moving_is_waited_for() -> None:
    table = laid()
    camera = read_before(table)
    for number in range(LONG):
        table.push(2 * number - LONG, 0)
        assert not camera.may_go_on(seen(table))
    assert goes_on_after(camera, table) is not None


def test_a_camera_that_was_put_back_has_to_stand_anew() -> None:
    table = laid()
    camera = read_before(table)
    table.push(24, 18)
    almost = int(FOLLOWS_AFTER_S / EVERY_S) - 1
    assert goes_on_after(camera, table, almost) is None
    camera.is_well()
    assert goes_on_after(camera, table, almost) is None


def test_a_camera_that_is_put_back_after_it_was_followed_goes_on_at_once() -> None:
    table = laid()
    camera = read_before(table)
    table.push(24, 18)
    assert goes_on_after(camera, table) is not None
    camera.is_well()
    camera.was_read(seen(table), table.placements)
    table.push(0, 0)
    assert goes_on_after(camera, table) == 0.0


def test_a_camera_that_never_saw_a_table_at_rest_is_not_followed() -> None:
    table = laid()
    table.push(24, 18)
    assert goes_on_after(PushedCamera(), table) is None


class SlowTable(GrainedTable):
    """It has a picture every second time that it is asked for one."""

    def read(self, timeout_s: float) -> Frame | None:
        frame = super().read(timeout_s)
        return frame if self._index % 2 else None


@pytest.mark.parametrize("kind", [GrainedTable, SlowTable])
def test_the_game_goes_on_after_a_small_push_and_the_log_says_why(
    log: EventLog, kind: type[GrainedTable]
) -> None:
    table = kind()
    table.lay("K7 B7 R7", "B3 B4 B5")
    settle = SettleDetector(still_for_s=0.3)
    rules = load_ruleset("pressman")
    with TableSession(table, table.read_placements, rules, log, settle=settle) as session:
        wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5"))
        table.push(24, 18)
        wait_until(session.board, lambda state: state.camera is HealthState.MOVED)
        wait_until(session.board, lambda state: state.camera is HealthState.LIVE)
        seen_now = kind()
        seen_now.lay("K7 B7 R7", "B3 B4 B5", "O10 O11 O12")
        seen_now.push(24, 18)
        table.placements = seen_now.placements
        wait_until(session.board, is_layout("K7 B7 R7 | B3 B4 B5 | O10 O11 O12"))
    told = [event for event in events_of(log, CameraStateChanged) if event.by]
    assert [(event.state, event.by) for event in told] == [("live", "camera")]
    assert "pushed a little" in told[0].detail


def test_what_people_told_of_is_where_a_pushed_camera_sees_it(log: EventLog) -> None:
    """The calendar's last column is seen beside the place that was told of, and stays a part of it."""
    table = GrainedTable()
    table.lay("K7 B7 R7")
    table.print_fields(*CALENDAR)
    settle = SettleDetector(still_for_s=0.3)
    rules = load_ruleset("pressman")
    with TableSession(table, table.read_placements, rules, log, settle=settle) as session:
        state = wait_until(session.board, lambda s: s.ruling is not None and s.ruling.questions)
        session.answer_question(state.layout_sequence, 0, SOMETHING_ELSE)
        wait_until(session.board, is_layout("K7 B7 R7"))
        table.push(30, 0)
        wait_until(session.board, lambda state: state.camera is HealthState.MOVED)
        wait_until(session.board, lambda state: state.camera is HealthState.LIVE)
        seen_now = GrainedTable()
        seen_now.lay("K7 B7 R7 O7")
        seen_now.print_fields(*CALENDAR)
        seen_now.push(30, 0)
        table.placements = seen_now.placements
        state = wait_until(session.board, lambda s: "O7" in s.layout and s.ruling is not None)
    assert state.layout == "K7 B7 R7 O7"


def test_what_stands_on_a_rack_may_get_out_of_sight(log: EventLog) -> None:
    table = GrainedTable()
    table.racks = {2}
    table.lay("K7 B7 R7", "", "K1 B4 R9 O12 K2 B9 K5 R3 O6 B12 K11 R12 B1 R8")
    settle = SettleDetector(still_for_s=0.3)
    rules = load_ruleset("pressman")
    session = TableSession(
        table, table.read_placements, rules, log, settle=settle, standing=table.standing
    )
    with session:
        state = wait_until(session.board, lambda s: s.ruling is not None and s.ruling.questions)
        session.answer_question(state.layout_sequence, 0, ON_RACK)
        wait_until(session.board, is_layout("K7 B7 R7"))
        table.wait_for_reads(2)
        table.push(24, 0)
        assert max(tile.quad_xy.max() for tile in table.placements) > 640
        wait_until(session.board, lambda state: state.camera is HealthState.MOVED)
        wait_until(session.board, lambda state: state.camera is HealthState.LIVE)
    told = [event for event in events_of(log, CameraStateChanged) if event.by]
    assert [(event.state, event.by) for event in told] == [("live", "camera")]
