"""What is kept from one session to the next: the game, house rules; and where there is none."""

from __future__ import annotations

import pytest

from engine.game.digest import digest
from table.events import (
    GameTold,
    QuestionAnswered,
    TablePutBack,
    TroubleMet,
)
from table.wishes import WishRefusedError
from tests.table.laid_table import is_layout, wait_until
from tests.table.played_table import PlayedTable, held


def test_after_a_restart_the_game_goes_on_where_it_was(played: PlayedTable) -> None:
    played.begin("Ada", "Ben", "Cleo", joker__freeze="full")
    played.play("K10 B10 R10")
    played.act("draw")
    played.time.now_s += 30
    played.lay("K10 B10 R10 O10")
    before = played.game
    game = played.session._on_table.game
    assert game is not None
    played.restart()
    wait_until(played.session.board, is_layout("K10 B10 R10 O10"))
    after, again = played.game, played.session._on_table.game
    assert again is not None
    assert digest(again.state) == digest(game.state)
    assert (after.to_move, after.pool, held(after)) == (before.to_move, before.pool, held(before))
    assert after.clock is not None
    assert (after.clock.since_s, after.clock.spent_s) == (None, 30.0), (
        "it stands until somebody says"
    )
    assert played.state.before == "K10 B10 R10"
    played.restart()
    assert played.game.clock == after.clock, "and stands as it stood"
    wait_until(played.session.board, is_layout("K10 B10 R10 O10"))
    played.act("let_stand", by="Ada")
    assert played.lines()[-1].endswith("overruled by Ada {30 s}")
    assert played.game.clock is not None
    assert played.game.clock.since_s == 5.0


def test_a_table_that_a_person_said_is_back_is_so_after_a_restart(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.act("take_back")
    assert played.game.to_put_back == "-"
    played.act("table_is_back", by="Dan")
    assert played.game.to_put_back is None
    played.restart()
    assert played.game.to_put_back is None


@pytest.mark.parametrize("then", ["nothing", "an earlier event is corrected", "a turn is undone"])
def test_a_table_that_was_seen_to_be_back_is_so_whatever_is_told_after(
    played: PlayedTable, then: str
) -> None:
    """Tiles of the turn under way lie there when the program begins again, with nothing to put back."""
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.act("take_back")
    assert played.game.to_put_back == "-"
    played.lay()
    assert played.game.to_put_back is None
    assert [event.by for event in played.events(TablePutBack)] == ["camera"]
    if then == "a turn is undone":
        sequence = played.play("K10 B10 R10").sequence
        played.session.in_game(lambda game: game.undo(sequence, "Ada"))
    played.lay("K10 B10 R10")
    if then == "an earlier event is corrected":
        line = "Ada misplays: K10 B10 R11; draws K1 K2 K3 {0 s}"
        number = len(played.lines())
        played.session.in_game(lambda game: game.correct(number - 1, "deal", "Ada"))
        played.session.in_game(lambda game: game.correct(number, line, "Ada"))
    assert played.game.to_put_back is None
    played.restart()
    wait_until(played.session.board, is_layout("K10 B10 R10"))
    assert (played.game.to_put_back, played.game.ask.text) == (None, "Ben's turn")


def answer_everything(played: PlayedTable) -> list[str]:
    """Answers what is asked until nothing is: nobody had opened, and house rules say yes."""
    asked = []
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    while state.ruling is not None and state.ruling.questions:
        question = state.ruling.questions[0]
        asked.append(question.rule or question.kind)
        option = "no" if question.kind == "opened" else "yes"
        played.session.answer_question(state.layout_sequence, 0, option)
        state = played.state
    return asked


def test_without_a_game_an_answered_house_rule_holds_in_the_next_session(
    played: PlayedTable,
) -> None:
    played.lay("K10 B10 R10")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.session.end_turn(played.state.layout_sequence)
    played.lay("K10 B10 R10 O10", "R11 R12 R13")
    assert answer_everything(played) == ["opened", "opening.same_turn_extension"]
    rules = played.session._play.rules
    assert rules.chosen == {"opening.same_turn_extension"}
    played.restart()
    assert played.session._play.rules == rules


def test_in_a_game_an_answered_house_rule_is_an_event_of_the_game(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.play("K10 B10 R10")
    played.lay("K10 B10 R10 O10", "R11 R12 R13")
    assert answer_everything(played) == ["opening.same_turn_extension"]
    assert played.lines()[-1] == "house rule: opening.same_turn_extension=yes"
    assert len(played.events(QuestionAnswered)) == 1
    assert played.acts() == ["play"]
    played.restart()
    assert played.session._play.rules.chosen == {"opening.same_turn_extension"}


def test_the_next_game_begins_with_the_house_rules_of_the_last_by_the_same_preset(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben", joker__freeze="full", score__target="200")
    played.play("K10 B10 R10")
    played.lay("K10 B10 R10 O10", "R11 R12 R13")
    assert answer_everything(played) == ["opening.same_turn_extension"]
    played.session.in_game(lambda game: game.leave())
    chosen = {"joker.freeze", "score.target", "opening.same_turn_extension"}
    for is_anew in (False, True):
        offered = {r.preset: r for r in played.session.in_game(lambda game: game.rules_to_begin())}
        assert offered["pressman"].chosen == chosen
        assert offered["pressman"].score.target == 200
        assert offered["sabra"].chosen == frozenset()
        alone = played.session._play.rules
        assert alone.chosen == (frozenset() if is_anew else chosen)
        played.restart()


def test_a_table_without_a_game_is_judged_as_before_one_and_after(played: PlayedTable) -> None:
    assert played.state.game is None
    played.begin("Ada", "Ben")
    with pytest.raises(WishRefusedError, match="under way"):
        played.begin("Cleo", "Dan")
    with pytest.raises(WishRefusedError) as refusal:
        played.session.new_round()
    assert refusal.value.word == "in_game"
    played.play("K10 B10 R10")
    played.session.in_game(lambda game: game.leave())
    assert played.state.game is None
    assert played.state.before is None, "the table alone is judged"
    played.restart()
    assert played.state.game is None


def test_what_lies_there_is_judged_by_the_rules_of_the_game_that_was_put_away(
    played: PlayedTable,
) -> None:
    """A board that was legal is no pile of faults of another game a moment later."""
    played.begin("Ada", "Ben", preset="rummi200kub")
    assert played.state.rules == "rummi200kub"
    played.session.in_game(lambda game: game.leave())
    assert (played.state.game, played.state.rules) == (None, "rummi200kub")
    played.restart()
    assert played.state.rules == "pressman", "as the program was started"


@pytest.mark.parametrize(
    ("preset", "players", "word"),
    [
        ("sets-and-runs", ("Ada", "Ben"), "refused"),
        ("no-such-game", ("Ada", "Ben"), "not_understood"),
        ("pressman", ("Ada",), "refused"),
        ("pressman", ("Ada", "Ada"), "refused"),
        ("pressman", ("Mum", "Dad", "mum"), "not_understood"),
        ("pressman", ("Ada", "B\nen"), "refused"),
    ],
)
def test_a_game_begins_with_rules_that_there_are_and_with_players(
    played: PlayedTable, preset: str, players: tuple[str, ...], word: str
) -> None:
    with pytest.raises(WishRefusedError) as refusal:
        played.session.in_game(lambda game: game.begin(preset, players, {}, None))
    assert refusal.value.word == word
    assert played.events(GameTold) == []


def test_a_game_of_the_log_that_cannot_be_replayed_is_told_and_another_begins(
    played: PlayedTable,
) -> None:
    """Such as one of a version that had other rules."""
    played.begin("Ada", "Ben")
    played.session.close()
    with played.log.writer() as writer:
        writer.append(GameTold(1, "Ben plays: K1 K2 K3", "person"), GameTold(1, "Ada flies", "x"))
    played.restart()
    assert played.state.game is None
    assert "cannot be replayed from event" in played.state.trouble
    assert "It is Ada's turn, not Ben's." in played.state.trouble
    assert [e.where for e in played.events(TroubleMet) if isinstance(e, TroubleMet)] == ["game"]
    played.begin("Ada", "Ben")
    assert (played.game.to_move, played.state.trouble) == ("Ada", "")
