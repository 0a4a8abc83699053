"""A game that was put away goes on where it was, at once, after others, and after a restart."""

from __future__ import annotations

import pytest

from engine.game.digest import digest
from table.board import LiveState
from table.events import GameLeft, GameResumed, TablePutBack
from table.game_view import GameView
from table.wishes import WishRefusedError
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable, held

TABLE = "K10 B10 R10"
BENS_RACK = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O2"
GOING_OUT = ("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")


def put_away(played: PlayedTable) -> int:
    number = played.game.number
    played.session.in_game(lambda game: game.leave())
    assert played.state.game is None
    return number


def take_up(played: PlayedTable, number: int, by: str = "Ada") -> GameView:
    played.session.in_game(lambda game: game.resume(number, by))
    return played.game


def without_sequence(view: GameView) -> dict[str, object]:
    return {name: value for name, value in view.to_json().items() if name != "sequence"}


def clock_waits(state: LiveState) -> bool:
    return state.game is not None and state.game.clock is not None and state.game.clock.waits


def state_of(played: PlayedTable) -> str:
    game = played.session._on_table.game
    assert game is not None
    return digest(game.state)


def test_a_game_put_away_by_mistake_goes_on_as_if_nothing_had_been(played: PlayedTable) -> None:
    played.begin("Ada", "Ben", "Cleo")
    played.play(TABLE)
    before, record = played.game, played.session.in_game(lambda game: game.record())
    was = state_of(played)
    number = put_away(played)
    after = take_up(played, number)
    assert state_of(played) == was
    assert (after.to_move, after.pool, held(after)) == (before.to_move, before.pool, held(before))
    assert played.session.in_game(lambda game: game.record()) == record
    assert [(event.game, event.by) for event in played.events(GameResumed)] == [(number, "Ada")]
    assert after.to_put_back is None, "it lies as it did"
    assert after.clock is not None
    assert after.clock.since_s is None, "it stands until somebody says"
    assert after.clock.note.startswith("The game was put away when the clock stood at ")
    played.play(TABLE, "R1 R2 R3 R4 R5 R6 R7 R8")
    assert played.lines()[-1].startswith("Ben plays: ")


def test_the_turn_in_which_it_was_put_away_goes_on_with_what_was_laid_in_it(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.play(TABLE)
    laid = (TABLE, "R1 R2 R3 R4 R5 R6 R7 R8")
    played.lay(*laid)
    played.time.now_s += 30
    after = take_up(played, put_away(played))
    assert after.to_put_back is None
    assert after.clock is not None
    assert (after.clock.since_s, after.clock.spent_s) == (None, 30.0)
    assert [event.by for event in played.events(TablePutBack)] == ["camera"]
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.act("play")
    assert played.lines()[-1].startswith("Ben plays: ")


def test_a_week_later_the_table_is_laid_as_it_was(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.play(TABLE)
    played.time.now_s += 20
    number = put_away(played)
    played.lay()
    played.restart()
    played.lay("R1 R2 R3")
    after = take_up(played, number)
    assert after.to_put_back == TABLE
    assert after.ask.text == "Lay the table as it was when the game was put away."
    wait_until(played.session.board, clock_waits)
    assert played.game.clock is not None
    assert played.game.clock.spent_s == 20.0
    with pytest.raises(WishRefusedError, match="not yet put back"):
        played.act("play")
    played.restart()
    assert played.game.to_put_back == TABLE, "still after a restart"
    played.lay(TABLE)
    wait_until(
        played.session.board,
        lambda state: state.game is not None and state.game.to_put_back is None,
    )
    assert played.game.ask.text == "Ben's turn"
    played.session.in_game(lambda game: game.set_clock("running"))
    played.act("draw")
    assert played.lines()[-1] == "Ben draws {20 s}"


def test_a_table_that_was_to_be_put_back_still_is(played: PlayedTable) -> None:
    """Nobody is accused of what the turn before left, nor has what it laid."""
    played.begin("Ada", "Ben")
    played.play(TABLE)
    for laid, ended in (((TABLE, "B1 B2 B4"), "take_back"), (("K10 B10", "R10"), "draw")):
        played.lay(*laid)
        wait_until(played.session.board, lambda state: state.ruling is not None)
        played.act(ended)
        assert played.game.to_put_back == TABLE
        after = take_up(played, put_away(played))
        assert (after.to_put_back, after.ask.text) == (TABLE, "Put the table back as it was.")
        played.restart()
        wait_until(played.session.board, lambda state: state.layout is not None)
        assert played.game.to_put_back == TABLE
        played.lay(TABLE)
        assert played.game.to_put_back is None


def test_an_empty_table_is_asked_for_as_well(played: PlayedTable) -> None:
    """Tiles of another table lie there: nobody shall have laid them in the first turn of this one."""
    played.begin("Ada", "Ben")
    number = put_away(played)
    played.lay(TABLE)
    after = take_up(played, number)
    assert (after.to_put_back, after.ask.detail) == ("-", "")
    played.act("table_is_back", by="Ben")
    assert played.game.to_put_back is None


def test_the_first_turn_of_a_round_goes_on_with_what_was_laid_when_the_game_was_put_away(
    played: PlayedTable,
) -> None:
    """Also over a restart, where that lies there again; not with anything else."""
    played.begin("Ada", "Ben")
    played.lay(TABLE)
    number = put_away(played)
    assert [event.layout for event in played.events(GameLeft)] == [TABLE]
    played.lay()
    played.restart()
    played.lay("R1 R2 R3", "B1 B2")
    after = take_up(played, number)
    assert (after.to_put_back, after.ask.detail) == (
        "-",
        "What was laid in the turn may lie there, too.",
    )
    played.table.lay(TABLE)
    wait_until(played.session.board, lambda state: state.ruling is not None)
    assert (played.game.to_put_back, played.game.ask.text) == (None, "Ada's turn")
    played.session.in_game(lambda game: game.set_clock("running"))
    played.act("play")
    assert played.lines()[-1].startswith("Ada plays: K10 B10 R10")


def test_a_tile_that_cannot_be_read_any_more_is_named_while_the_table_is_laid_again(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.play(TABLE)
    number = put_away(played)
    played.lay()
    played.lay("K10 ? ?")
    after = take_up(played, number)
    assert after.to_put_back == TABLE
    assert after.ask.detail.startswith("2 tiles there could not be read.")
    played.session.correct_tile(played.state.layout_sequence, 1, "B10")
    assert played.game.ask.detail.startswith("A tile there could not be read.")
    played.session.correct_tile(played.state.layout_sequence, 2, "R10")
    assert (played.game.to_put_back, played.game.ask.text) == (None, "Ben's turn")


def test_a_time_that_was_up_is_settled_before_the_table_is_laid_again(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    played.time.now_s += 120
    wait_until(played.session.board, lambda state: bool(state.game and state.game.clock.over))  # type: ignore[union-attr]
    number = put_away(played)
    played.lay("R1 R2")
    after = take_up(played, number)
    assert (after.ask.text, after.to_put_back) == ("Time is up for Ada.", None)
    assert played.act("time_over").to_put_back == "-"


def test_what_lay_there_when_another_round_began_is_not_to_be_cleared(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.play(TABLE)
    number = put_away(played)
    played.begin("Cleo", "Dan")
    wait_until(
        played.session.board,
        lambda state: state.game is not None and state.game.ask.text == "Clear the table.",
    )
    put_away(played)
    take_up(played, number)
    assert played.game.ask.text == "Ben's turn"
    played.restart()
    played.lay(TABLE)
    assert played.game.ask.text == "Ben's turn"


def test_racks_that_were_told_and_a_game_that_is_over_are_there_again(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben", score__target="50")
    played.play(*GOING_OUT)
    played.session.in_game(lambda game: game.tell_rack("Ben", BENS_RACK))
    counting = played.game
    number = put_away(played)
    assert without_sequence(take_up(played, number)) == without_sequence(counting)
    played.act("count")
    assert played.game.phase == "game over"
    over = played.game
    put_away(played)
    assert without_sequence(take_up(played, number)) == without_sequence(over)
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Ada"))
    assert played.game.phase == "round over"


def test_of_several_games_the_one_that_is_named_goes_on(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    first = put_away(played)
    played.begin("Cleo", "Dan", "Eve")
    second = put_away(played)
    assert [seat.name for seat in take_up(played, first).seats] == ["Ada", "Ben"]
    put_away(played)
    played.restart()
    assert [seat.name for seat in take_up(played, second).seats] == ["Cleo", "Dan", "Eve"]
    played.restart()
    assert played.game.number == second


def test_one_goes_on_though_the_last_is_over_and_was_not_put_away(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    first = put_away(played)
    played.begin("Cleo", "Ben", score__target="50")
    played.play(*GOING_OUT)
    played.session.in_game(lambda game: game.tell_rack("Ben", BENS_RACK))
    played.act("count")
    assert played.game.phase == "game over"
    assert [seat.name for seat in take_up(played, first).seats] == ["Ada", "Ben"]


def test_what_cannot_go_on_is_refused(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    number = played.game.number
    with pytest.raises(WishRefusedError) as refused:
        played.session.in_game(lambda game: game.resume(number))
    assert refused.value.word == "in_game"
    put_away(played)
    for other in (0, number + 1, 10**9):
        with pytest.raises(WishRefusedError) as refused:
            played.session.in_game(lambda game, other=other: game.resume(other))
        assert refused.value.word == "no_game"
    assert played.events(GameResumed) == []
