"""The table before the turn: shown while it is put back, kept over a restart, told when it is so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import open_event_log
from table.events import TableKept
from table.pictures import PictureKeeper
from table.session import TableSession
from table.wishes import WishRefusedError
from tests.table.laid_table import StaticTable, is_layout, wait_until
from tests.table.played_table import PlayedTable
from vision.settling import SettleDetector


def kinds(state: LiveState) -> list[str]:
    return [f"{d.kind} {' '.join(d.labels)}" for d in state.restore.differences]


def put_back(state: LiveState) -> bool:
    return state.restore.as_it_was and not state.moving


def test_a_turn_that_is_taken_back_shows_the_table_before_until_it_is_so_again(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.play("K10 B10 R10")
    assert played.state.restore.why == ""
    played.lay("K10 B10", "R10 R11 R13")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.act("take_back")
    restore = played.state.restore
    assert (restore.why, restore.layout, restore.as_it_was) == ("taken_back", "K10 B10 R10", False)
    assert kinds(played.state) == ["elsewhere R10", "extra R11", "extra R13"]
    assert [tile.label for tile in restore.tiles] == ["K10", "B10", "R10"]
    assert restore.picture
    jpeg = played.session.kept_picture(restore.picture)
    assert jpeg is not None
    assert jpeg[:2] == b"\xff\xd8"
    played.lay("K10 B10 R10")
    state = wait_until(played.session.board, put_back)
    assert (state.restore.why, state.restore.same_places) == ("taken_back", True)
    assert state.game is not None
    assert state.game.to_put_back is None, "and the next turn has begun"
    played.lay("K10 B10 R10 O10")
    state = wait_until(played.session.board, lambda state: state.restore.why == "")
    assert state.restore.offered


def test_anybody_may_see_the_table_before_the_turn_and_hide_it(played: PlayedTable) -> None:
    with pytest.raises(WishRefusedError) as refusal:
        played.session.show_table_before(show=True)
    assert refusal.value.word == "nothing_kept"
    state = played.lay("K10 B10 R10")
    wait_until(played.session.board, is_layout("K10 B10 R10"))
    played.session.end_turn(state.layout_sequence, anyway=True)
    played.lay("K10 B10")
    played.session.show_table_before(show=True)
    state = wait_until(played.session.board, lambda state: state.restore.why == "asked")
    assert kinds(state) == ["missing R10"]
    played.session.show_table_before(show=False)
    assert wait_until(played.session.board, lambda s: s.restore.why == "").restore.offered


def test_a_table_that_came_to_nothing_is_not_kept_as_one_to_lay_again(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.act("take_back")
    assert played.events(TableKept) == []
    assert (played.state.restore.layout, kinds(played.state)) == (
        "-",
        ["extra B10", "extra K10", "extra R11"],
    )


Opened = Callable[[], TableSession]


@pytest.fixture
def table() -> StaticTable:
    return StaticTable()


@pytest.fixture
def opened(tmp_path: Path, table: StaticTable) -> Opened:
    """Opens a session on the same log and pictures, as often as it is called."""

    def again() -> TableSession:
        return TableSession(
            table,
            table.read_placements,
            load_ruleset("pressman"),
            open_event_log(tmp_path / "log.sqlite3"),
            pictures=PictureKeeper(tmp_path / "pictures", 20),
            settle=SettleDetector(still_for_s=0.3),
        )

    return again


def left_a_turn(opened: Opened, table: StaticTable) -> None:
    """One session, in which a turn ended with a set on the table."""
    table.lay("K10 B10 R10")
    with opened() as session:
        state = wait_until(session.board, is_layout("K10 B10 R10"))
        session.end_turn(state.layout_sequence, anyway=True)


def test_the_table_before_and_its_picture_are_there_after_a_restart(
    opened: Opened, table: StaticTable
) -> None:
    left_a_turn(opened, table)
    table.lay("K10 B10")
    with opened() as session:
        wait_until(session.board, is_layout("K10 B10"))
        session.show_table_before(show=True)
        state = wait_until(session.board, lambda state: state.restore.why == "asked")
        assert (state.restore.layout, kinds(state)) == ("K10 B10 R10", ["missing R10"])
        assert session.kept_picture(state.restore.picture) is not None
        assert state.restore.note == ""


def test_a_picture_that_is_gone_after_a_restart_is_said_to_be(
    opened: Opened, table: StaticTable, tmp_path: Path
) -> None:
    left_a_turn(opened, table)
    for picture in (tmp_path / "pictures").glob("*.jpg"):
        picture.unlink()
    with opened() as session:
        wait_until(session.board, is_layout("K10 B10 R10"))
        session.show_table_before(show=True)
        state = wait_until(session.board, lambda state: state.restore.why == "asked")
        assert state.restore.picture == 0
        assert "not there any more" in state.restore.note
        assert len(state.restore.tiles) == 3, "the places are kept in the log"
