"""The clock of a turn, by the log's events and a clock that the test holds."""

from __future__ import annotations

import pytest

from table.events import (
    ClockSet,
    TimeOver,
)
from table.wishes import WishRefusedError
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable, held


def test_the_time_of_a_turn_is_over_by_the_clock_and_a_person_confirms(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    clock = played.game.clock
    assert clock is not None
    assert (clock.limit_s, clock.warning_s, clock.over) == (120, 15.0, False)
    played.lay("K10 B10 R11")
    played.time.now_s += 119.9
    played.table.wait_for_reads(5)
    assert played.events(TimeOver) == []
    played.time.now_s += 0.1
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    assert played.events(TimeOver) == [TimeOver(1, "Ada", "K10 B10 R11")]
    assert played.game.ask.text == "Time is up for Ada."
    assert played.game.ask.detail == "The table goes back as it was, and Ada draws 3 tiles."
    with pytest.raises(WishRefusedError) as refusal:
        played.act("take_back")
    assert refusal.value.word == "time_over"
    played.act("time_over")
    assert held(played.game) == [("Ada", 17, False), ("Ben", 14, False)], "the larger penalty"
    assert played.lines()[-1] == "Ada runs out of time: K10 B10 R11"
    assert (played.game.to_move, played.game.to_put_back) == ("Ben", "-")


def test_a_legal_table_stands_as_it_lay_when_the_time_was_over(played: PlayedTable) -> None:
    """AMB-22: nothing is drawn, and what is moved after that goes back."""
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10")
    played.time.now_s += 120
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    assert played.game.ask.detail == "What lies there stands."
    played.lay("K10 B10 R10", "K1")
    assert played.game.ask.detail == "What lies there stands.", "as it lay then"
    played.act("time_over")
    assert held(played.game) == [("Ada", 11, True), ("Ben", 14, False)]
    assert played.lines()[-1] == "Ada runs out of time: K10 B10 R10"
    assert (played.game.to_move, played.game.to_put_back) == ("Ben", "K10 B10 R10")
    played.lay("K10 B10 R10")
    wait_until(played.session.board, lambda state: bool(state.game and not state.game.to_put_back))
    assert played.game.ask.text == "Ben's turn"


def test_a_paused_clock_stands_and_a_full_one_begins_again(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.lay("K1")
    played.lay()
    played.time.now_s += 100
    played.session.in_game(lambda game: game.set_clock("paused"))
    played.time.now_s += 500
    played.table.wait_for_reads(5)
    assert played.events(TimeOver) == []
    played.session.in_game(lambda game: game.set_clock("running"))
    played.time.now_s += 20
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    assert played.acts() == ["time_over", "full_time"]
    played.act("full_time")
    played.time.now_s += 60
    played.act("draw")
    assert played.lines()[-1] == "Ada draws {60 s}"


def test_a_turn_takes_as_long_as_the_log_s_clock_says(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.time.now_s += 41.52
    played.act("play")
    assert played.lines()[-1] == "Ada plays: K10 B10 R10 {41.5 s}"


def test_without_a_limit_no_clock_runs(played: PlayedTable) -> None:
    played.begin("Ada", "Ben", timeout__limit_s="0")
    assert played.game.clock is None
    played.lay("K1")
    played.lay()
    played.time.now_s += 10_000
    played.act("draw")
    assert played.lines()[-1] == "Ada draws"


def test_the_next_player_has_the_full_time_from_when_the_table_is_put_back(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.act("take_back")
    played.time.now_s += 300
    played.table.wait_for_reads(5)
    assert played.events(TimeOver) == [], "nobody's time goes by meanwhile"
    played.act("table_is_back")
    played.table.wait_for_reads(5)
    clock = played.game.clock
    assert clock is not None
    assert (clock.spent_s, clock.since_s) == (0.0, played.time.now_s)
    assert played.events(ClockSet) == [ClockSet(2, "full", 0.0, "person")]
