"""A game of cards at a table: no camera follows it, people count its rounds, and all else is as ever."""

from __future__ import annotations

import pytest

from table.events import GameTold, LayoutRead, RulingGiven
from table.game_view import GameView
from table.wishes import WishRefusedError
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable

PLAYERS = ("Ada", "Ben", "Cleo")


def count(played: PlayedTable, *points: int, out: str | None = None) -> GameView:
    counts, sequence = dict(zip(PLAYERS, points, strict=True)), played.game.sequence
    played.session.in_game(lambda game: game.count_round(sequence, counts, out, "Ada"))
    return played.game


def begin(played: PlayedTable, **house: str) -> GameView:
    played.begin(*PLAYERS, preset="sets-and-runs", **house)
    return played.game


def test_a_round_is_played_counted_and_scored(played: PlayedTable) -> None:
    """SR-19, AMB-39."""
    view = begin(played)
    assert (view.followed, view.to_move, view.ask.text) == (False, None, "Play round 1: 2 sets.")
    assert view.ask.acts == ()
    assert view.count is not None
    assert (view.count.points, view.count.rule) == (True, "SR-19")
    assert "Number cards are five points each" in view.count.quote
    view = count(played, 0, 35, 50, out="Ada")
    assert (view.count, view.totals, view.leaders) == (None, ("0", "35", "50"), ("Ada",))
    assert view.ask.text == "Now for round 2"
    assert view.ask.detail == "Shuffle the cards, and deal 11 to everybody."
    played.act("deal")
    assert played.game.ask.text == "Play round 2: 1 set and 1 run."
    assert played.lines()[-2:] == ["hands counted: Ada 0 | Ben 35 | Cleo 50; out Ada", "deal"]


def test_what_lies_there_is_neither_read_nor_judged_until_the_game_is_put_away(
    played: PlayedTable,
) -> None:
    begin(played)
    read = len(played.events(LayoutRead))
    played.table.lay("K1 K2 K4")
    count(played, 0, 5, 5, out="Ada")
    played.act("deal")
    state = played.state
    assert (state.layout, state.ruling, state.to_be_read) == (None, None, False)
    assert len(played.events(LayoutRead)) == read
    played.session.in_game(lambda game: game.leave())
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    assert (state.rules, state.layout) == ("pressman", "K1 K2 K4"), "by the rules of before"
    assert played.events(RulingGiven)[-1].verdict == "ILLEGAL"


def test_the_game_goes_on_after_a_restart_and_after_it_was_put_away(played: PlayedTable) -> None:
    begin(played)
    count(played, 0, 5, 10, out="Ada")
    played.restart()
    assert played.game.totals == ("0", "5", "10")
    played.act("deal")
    number = played.game.number
    played.session.in_game(lambda game: game.leave())
    played.session.in_game(lambda game: game.resume(number))
    assert played.game.ask.text == "Play round 2: 1 set and 1 run."
    count(played, 10, 0, 10, out="Ben")
    assert played.game.totals == ("10", "5", "20")


def test_what_was_counted_is_taken_back_and_put_right(played: PlayedTable) -> None:
    begin(played)
    view = count(played, 0, 35, 50, out="Ada")
    played.session.in_game(lambda game: game.undo(view.sequence, "Ben"))
    assert (played.game.totals, played.game.ask.text) == ((), "Play round 1: 2 sets.")
    count(played, 0, 35, 5, out="Ada")
    told = next(entry for entry in played.session.in_game(lambda game: game.record())[::-1])
    line = "hands counted: Ada 0 | Ben 30 | Cleo 5; out Ada"
    played.session.in_game(lambda game: game.correct(int(str(told["number"])), line, "Cleo"))
    assert played.game.totals == ("0", "30", "5")


def test_two_who_count_at_once_score_one_round(played: PlayedTable) -> None:
    view = begin(played)
    counts = dict(zip(PLAYERS, (0, 5, 5), strict=True))
    played.session.in_game(lambda game: game.count_round(view.sequence, counts, "Ada"))
    with pytest.raises(WishRefusedError, match="gone on") as refused:
        played.session.in_game(lambda game: game.count_round(view.sequence, counts, "Ada"))
    assert refused.value.word == "stale"
    assert len(played.game.score) == 1


def test_what_cannot_have_been_is_refused_and_changes_nothing(played: PlayedTable) -> None:
    begin(played)
    with pytest.raises(WishRefusedError, match="Ben cannot have 3"):
        count(played, 0, 3, 5, out="Ada")
    with pytest.raises(WishRefusedError, match="Ada is out, and 5 are counted") as refused:
        count(played, 5, 5, 5, out="Ada")
    assert refused.value.word == "refused"
    with pytest.raises(WishRefusedError, match="cannot happen now"):
        played.act("deal")
    assert played.lines()[-1] == "deal"


@pytest.mark.parametrize("act", ["play", "draw", "pass", "take_back"])
def test_no_turn_is_told(played: PlayedTable, act: str) -> None:
    begin(played)
    with pytest.raises(WishRefusedError, match="turns with cards are not told"):
        played.act(act)
    assert played.lines()[-1] == "deal"


def test_a_contract_that_hangs_on_a_house_rule_is_asked_about(played: PlayedTable) -> None:
    """AMB-39: which comes fourth. While nobody answers it is the usual one."""
    begin(played)
    for number in range(1, 4):
        assert played.game.ask.question is None, number
        count(played, 0, 5, 5, out="Ada")
        played.act("deal")
    view = played.game
    assert view.ask.text == "Play round 4: 3 sets."
    asked = view.ask.question
    assert asked is not None
    assert (asked.kind, asked.options) == ("house_rule", ("rising", "family"))
    played.session.answer_in_game(view.sequence, asked.text, "family", "Ben")
    assert played.lines()[-1] == "house rule: contracts.order=family"
    assert (played.game.ask.text, played.game.ask.question) == (
        "Play round 4: 2 sets and 1 run.",
        None,
    )
    assert count(played, 0, 5, 5, out="Ada").ask.question is None
    with pytest.raises(WishRefusedError, match="not asked any more"):
        played.session.answer_in_game(played.game.sequence, asked.text, "rising", "Ben")


def test_a_table_that_has_chosen_the_order_is_told_its_own(played: PlayedTable) -> None:
    begin(played, contracts__order="family")
    for _ in range(3):
        count(played, 0, 5, 5, out="Ada")
        played.act("deal")
    assert (played.game.ask.text, played.game.ask.rests_on) == (
        "Play round 4: 2 sets and 1 run.",
        (),
    )


def test_reset_with_cards_counts_cards(played: PlayedTable) -> None:
    """RS-02, RS-26; the same game with tiles is followed."""
    played.begin(*PLAYERS, preset="reset", equipment__pieces="cards")
    view = played.game
    assert view.count is not None
    assert (view.followed, view.count.points, view.count.rule) == (False, False, "RS-26")
    assert view.ask.text == "Play round 1."
    assert count(played, 0, 7, 3, out="Ada").totals == ("0", "7", "3")
    played.session.in_game(lambda game: game.leave())
    played.begin(*PLAYERS, preset="reset", equipment__pieces="tiles")
    assert played.game.followed
    assert played.game.count is None


def test_a_round_with_tiles_is_not_counted_so(played: PlayedTable) -> None:
    played.begin(*PLAYERS)
    with pytest.raises(WishRefusedError, match="not played with cards"):
        count(played, 0, 5, 5, out="Ada")
    assert [event.line for event in played.events(GameTold)][-1] == "deal"
