"""The clock of a turn, by the log's events and a clock that the test holds."""

from __future__ import annotations

import pytest

from engine.referee import Verdict
from table.board import LiveState
from table.events import (
    ClockSet,
    TimeOver,
)
from table.game_view import NO_PICTURE
from table.wishes import WishRefusedError
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable, held
from vision.sources import Health, HealthState

TOO_LATE = (
    "What was laid was not done in time and does not count: the table goes back as it was, and Ada "
    "draws 3 tiles."
)


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
    assert played.game.ask.detail == TOO_LATE
    with pytest.raises(WishRefusedError) as refusal:
        played.act("take_back")
    assert refusal.value.word == "time_over"
    played.act("time_over")
    assert held(played.game) == [("Ada", 17, False), ("Ben", 14, False)], "the larger penalty"
    assert played.lines()[-1] == "Ada runs out of time: K10 B10 R11"
    assert (played.game.to_move, played.game.to_put_back) == ("Ben", "-")


def test_the_clock_stands_while_the_camera_is_out_and_goes_on_with_the_picture(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10")
    played.time.now_s += 30
    played.table.wait_for_reads(3)
    played.table.health = Health(HealthState.LOST, "camera 0: gone")
    wait_until(played.session.board, stands)
    played.time.now_s += 200
    played.table.wait_for_reads(3)
    clock = played.game.clock
    assert clock is not None
    assert (clock.spent_s, clock.over, clock.note) == (30.0, False, NO_PICTURE)
    played.table.health = Health(HealthState.LIVE)
    wait_until(played.session.board, lambda state: not stands(state))
    told = [(event.to, event.spent_s, event.by) for event in played.events(ClockSet)]
    assert told == [("paused", 30.0, "camera"), ("running", 30.0, "camera")]
    played.time.now_s += 90
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    assert played.events(TimeOver) == [TimeOver(1, "Ada", "K10 B10 R10")]


@pytest.mark.parametrize("state", [HealthState.LOST, HealthState.DARK, HealthState.MOVED])
def test_nobody_draws_while_the_camera_is_out_as_what_is_laid_then_would_count_for_the_next(
    played: PlayedTable, state: HealthState
) -> None:
    played.begin("Ada", "Ben")
    played.table.wait_for_reads(3)
    before = played.lines()
    played.table.health = Health(state, "The picture shows nothing.")
    wait_until(played.session.board, stands)
    with pytest.raises(WishRefusedError, match="The picture shows nothing") as refusal:
        played.act("draw")
    assert (refusal.value.word, played.lines()) == ("stale", before)
    played.table.health = Health(HealthState.LIVE)
    wait_until(played.session.board, lambda state: not stands(state))
    played.table.wait_for_reads(3)
    played.act("draw")
    assert played.game.to_move == "Ben"


def test_who_is_about_to_say_something_may_though_another_one_stops_the_clock_meanwhile(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    state = played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    shown = played.game.sequence
    for word in ("paused", "running"):
        played.session.in_game(lambda game, word=word: game.set_clock(word, "Ben"))
    assert played.game.sequence == shown
    layout = state.layout_sequence
    played.session.in_game(lambda game: game.act("take_back", shown, layout, "", "Ada"))
    with pytest.raises(WishRefusedError, match="has gone on") as refusal:
        played.session.in_game(lambda game: game.act("draw", shown, layout, "", "Ada"))
    assert refusal.value.word == "stale"


def test_a_clock_with_its_full_time_anew_changes_what_is_to_be_said(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    shown = played.game.sequence
    played.session.in_game(lambda game: game.set_clock("full", "Ben"))
    assert played.game.sequence > shown


def test_a_person_lets_the_clock_run_or_stand_whatever_the_camera_does(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10")
    played.table.health = Health(HealthState.DARK, "The picture is dark.")
    wait_until(played.session.board, stands)
    played.session.in_game(lambda game: game.set_clock("running", "Ada"))
    played.table.wait_for_reads(3)
    assert not stands(played.state)
    played.session.in_game(lambda game: game.set_clock("paused", "Ada"))
    played.table.health = Health(HealthState.LIVE)
    played.table.wait_for_reads(3)
    assert stands(played.state), "a person stopped it"


def stands(state: LiveState) -> bool:
    assert state.game is not None
    assert state.game.clock is not None
    return state.game.clock.since_s is None


def test_what_people_say_of_a_tile_holds_for_the_table_of_when_the_time_was_over(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 ?")
    played.time.now_s += 120
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    assert played.game.ask.detail == TOO_LATE
    played.session.correct_tile(played.state.layout_sequence, 2, "R11", "Ben")
    assert played.game.ask.detail == TOO_LATE
    played.session.correct_tile(played.state.layout_sequence, 2, "R10", "Ben")
    assert played.game.ask.detail == "What lies there stands."
    played.act("time_over")
    assert played.lines()[-1] == "Ada runs out of time: K10 B10 R10"


def test_what_people_say_of_a_tile_that_was_laid_after_the_time_changes_nothing(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    played.time.now_s += 120
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    played.lay("K10 B10 R11", "?")
    played.session.correct_tile(played.state.layout_sequence, 3, "R10", "Ben")
    assert played.game.ask.detail == TOO_LATE
    assert played.events(TimeOver) == [TimeOver(1, "Ada", "K10 B10 R11")]


def test_a_house_rule_that_a_time_that_is_up_waits_for_is_asked_whatever_is_laid_since(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.play("K10 B10 R10")
    played.lay("K10 B10 R10 O10", "R11 R12 R13")
    played.time.now_s += 120
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    played.lay("K10 B10 R10", "R11 R12", "B1 B2")
    question = played.game.ask.question
    assert question is not None
    assert question.rule == "opening.same_turn_extension"
    assert [act.act for act in played.game.ask.acts] == ["full_time"]
    sequence = played.game.sequence
    for asked, option, word in ((question.text, "maybe", "not_understood"), ("?", "no", "stale")):
        with pytest.raises(WishRefusedError) as refusal:
            played.session.answer_in_game(sequence, asked, option)
        assert refusal.value.word == word
    played.session.answer_in_game(sequence, question.text, "no", "Ben")
    assert played.lines()[-1] == "house rule: opening.same_turn_extension=no"
    assert played.game.ask.question is None
    assert played.game.ask.detail == TOO_LATE.replace("Ada", "Ben")
    played.act("time_over")
    assert played.game.to_put_back == "K10 B10 R10"


@pytest.mark.parametrize("ended", ["play", "take_back"])
def test_a_turn_whose_end_is_undone_has_the_time_that_was_left(
    played: PlayedTable, ended: str
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10" if ended == "play" else "K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.time.now_s += 30
    played.act(ended)
    played.time.now_s += 50
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Ben"))
    played.table.wait_for_reads(5)
    played.restart()
    clock = played.game.clock
    assert clock is not None
    assert (played.game.to_move, clock.spent_s) == ("Ada", 30.0)


def test_a_time_that_ran_out_and_is_undone_begins_anew(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.time.now_s += 120
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    played.act("time_over")
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Ben"))
    clock = played.game.clock
    assert clock is not None
    assert (played.game.to_move, clock.spent_s, clock.over) == ("Ada", 0.0, False)


def test_a_legal_table_stands_as_it_lay_when_the_time_was_over(played: PlayedTable) -> None:
    """AMB-22: nothing is drawn, and what is moved after that goes back."""
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10")
    played.time.now_s += 120
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    assert played.game.ask.detail == "What lies there stands."
    played.lay("K10 B10 R10", "K1")
    assert played.game.ask.detail == "What lay there when the time was up stands."
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


def unchecked_of_the_clock(played: PlayedTable, state: LiveState) -> list[str]:
    """What could not be checked of the time of a turn, which is legal."""
    state = wait_until(
        played.session.board, lambda now: now.layout == state.layout and now.ruling is not None
    )
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    return [words for words in state.ruling.unchecked if "clock" in words]


def test_a_turn_whose_clock_runs_or_stands_is_checked_for_its_time(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.time.now_s += 41.5
    assert unchecked_of_the_clock(played, played.lay("K10 B10 R10")) == []
    played.session.in_game(lambda game: game.set_clock("paused"))
    played.time.now_s += 500
    assert unchecked_of_the_clock(played, played.lay("K10 B10 R10 O10")) == []


def test_where_no_clock_runs_the_time_of_a_turn_is_not_checked(played: PlayedTable) -> None:
    played.lay("K10 B10 R10")
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    played.session.end_turn(state.layout_sequence)
    assert unchecked_of_the_clock(played, played.lay("K10 B10 R10", "B11 R11 O11")) == [
        "The time of the turn is not known, so the clock was not checked."
    ]


def test_what_is_answered_after_the_time_is_over_makes_no_turn_late(played: PlayedTable) -> None:
    """What follows from a time that is over goes by the table as it lay then (AMB-22)."""
    played.begin("Ada", "Ben", timeout__legal_layout="rollback")
    played.table.lay("K10/B10 R10 O10 K10")
    asked = wait_until(
        played.session.board,
        lambda state: state.ruling is not None and state.ruling.verdict is Verdict.ASK,
    )
    played.time.now_s += 400
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    played.session.correct_tile(asked.layout_sequence, 0, "B10")
    answered = wait_until(
        played.session.board, lambda state: state.layout == "B10 R10 O10 K10" and not state.moving
    )
    assert unchecked_of_the_clock(played, answered) == []


def test_no_time_goes_by_while_the_table_of_the_last_round_is_cleared(played: PlayedTable) -> None:
    played.lay("K1 K2 K3")
    played.begin("Ada", "Ben")
    wait_until(
        played.session.board, lambda s: bool(s.game and s.game.ask.text == "Clear the table.")
    )
    played.time.now_s += 300
    played.table.wait_for_reads(5)
    clock = played.game.clock
    assert clock is not None
    assert (clock.spent_s, clock.since_s, clock.waits) == (0.0, None, True)
    assert "stands" in clock.note
    with pytest.raises(WishRefusedError, match="stands until"):
        played.session.in_game(lambda game: game.set_clock("running"))
    played.lay()
    wait_until(
        played.session.board, lambda s: bool(s.game and s.game.clock and s.game.clock.since_s)
    )
    clock = played.game.clock
    assert clock is not None
    assert (clock.spent_s, clock.since_s, clock.waits) == (0.0, played.time.now_s, False)
    assert played.events(TimeOver) == []
    assert played.events(ClockSet) == [ClockSet(1, "full", 0.0, "camera")]


def test_a_turn_that_goes_on_after_what_came_to_nothing_has_the_time_that_was_left(
    played: PlayedTable,
) -> None:
    """In ReSet nothing is drawn before the time is up, and it may be tried again."""
    played.begin("Ada", "Ben", preset="reset", misplay__when="timeout", timeout__limit_s="30")
    played.time.now_s += 17
    played.lay("B1 B2 R3")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.act("take_back")
    played.time.now_s += 40
    played.table.wait_for_reads(5)
    assert played.game.to_move == "Ada"
    clock = played.game.clock
    assert clock is not None
    assert (clock.spent_s, clock.since_s) == (17.0, None)
    played.lay()
    wait_until(
        played.session.board, lambda s: bool(s.game and s.game.clock and s.game.clock.since_s)
    )
    assert played.events(ClockSet) == [ClockSet(1, "running", 17.0, "camera")]
    played.time.now_s += 14
    wait_until(played.session.board, lambda s: bool(s.game and s.game.clock and s.game.clock.over))
    assert played.events(TimeOver) == [TimeOver(1, "Ada", "-")]
