"""A game at a live table: players, turns, what is not legal, undo, and what games differ in."""

from __future__ import annotations

import pytest

from engine.referee import Verdict
from table.events import (
    GameTold,
    TableDisarranged,
    TurnConfirmed,
)
from table.wishes import WishRefusedError
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable, held


def test_turns_go_round_and_nobody_is_asked_who_had_opened(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    assert played.game.to_move == "Ada"
    played.play("K10 B10 R10")
    assert held(played.game) == [("Ada", 11, True), ("Ben", 14, False)]
    state = played.lay("K10 B10 R10 O10")
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.ILLEGAL, "Ben has not opened, and builds on a set"
    assert {finding.code for finding in state.ruling.findings} <= {
        "OPENING_SHORT",
        "OPENING_SOURCE",
    }
    assert played.acts() == ["take_back", "let_stand"]
    played.lay("K10 B10 R10")
    assert played.game.untouched
    assert played.acts() == ["draw"]
    played.act("draw")
    assert held(played.game) == [("Ada", 11, True), ("Ben", 15, False)]
    played.play("K10 B10 R10 O10")
    assert held(played.game) == [("Ada", 10, True), ("Ben", 15, False)]
    assert played.lines() == [
        "game pressman; players: Ada | Ben",
        "Ada begins",
        "deal",
        "Ada plays: K10 B10 R10 {0 s}",
        "Ben draws {0 s}",
        "Ada plays: K10 B10 R10 O10 {0 s}",
    ]
    ended = played.events(TurnConfirmed)
    assert [(e.turn, e.layout) for e in ended] == [
        (1, "K10 B10 R10"),
        (2, "K10 B10 R10"),
        (3, "K10 B10 R10 O10"),
    ]


@pytest.mark.parametrize("act", ["play", "draw"])
def test_who_is_not_to_move_is_refused(played: PlayedTable, act: str) -> None:
    played.begin("Ada", "Ben")
    if act == "play":
        played.lay("K10 B10 R10")
        wait_until(played.session.board, lambda state: state.ruling is not None)
    with pytest.raises(WishRefusedError, match="the turn of Ada") as refused:
        played.act(act, player="Ben")
    assert refused.value.word == "not_your_turn"
    played.act(act, player="Ada")
    assert played.game.to_move == "Ben"


def test_rules_that_nobody_knows_are_named_with_those_that_there_are(played: PlayedTable) -> None:
    with pytest.raises(WishRefusedError, match=r"there is no preset nope; there are .*pressman"):
        played.begin("Ada", "Ben", preset="nope")


def test_pressing_twice_draws_once(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.lay("K1")
    played.lay()
    view, layout = played.game, played.state.layout_sequence
    played.session.in_game(lambda game: game.act("draw", view.sequence, layout))
    with pytest.raises(WishRefusedError, match="gone on"):
        played.session.in_game(lambda game: game.act("draw", view.sequence, layout))
    assert held(played.game) == [("Ada", 15, False), ("Ben", 14, False)]


def test_a_draw_told_before_the_table_was_read_counts_where_nothing_lies_otherwise(
    played: PlayedTable,
) -> None:
    """The page offers it when the game has begun; the first reading may come while it is pressed."""
    before_any_reading = 0
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10")
    view = played.game
    with pytest.raises(WishRefusedError, match="another layout"):
        played.session.in_game(lambda game: game.act("draw", view.sequence, before_any_reading))
    played.lay()
    assert played.state.layout_sequence > 0
    view = played.game
    played.session.in_game(lambda game: game.act("draw", view.sequence, before_any_reading))
    assert held(played.game) == [("Ada", 15, False), ("Ben", 14, False)]


def test_nobody_draws_while_tiles_of_the_turn_lie_on_the_table(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10")
    with pytest.raises(WishRefusedError) as refusal:
        played.act("draw")
    assert refusal.value.word == "not_as_before"


def test_a_run_that_somebody_put_out_of_order_is_told_before_anybody_draws(
    played: PlayedTable,
) -> None:
    """No tile is new, and the run is none any more; as it lay before nothing is said of it."""
    played.begin("Ada", "Ben", run__order="laid")
    played.play("K9 K10 K11")
    usual = played.game.ask
    played.lay()
    played.lay("K9 K11 K10")
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    assert state.ruling is not None
    assert [finding.code for finding in state.ruling.findings] == ["RUN_NOT_IN_ORDER"]
    ask = played.game.ask
    assert "do not lie in order" in ask.detail
    assert [(act.act, act.primary, act.asks_again) for act in ask.acts[:1]] == [
        ("draw", False, True)
    ]
    assert ask.acts[-1].act == "take_back"
    played.lay()
    played.lay("K11 K10 K9")
    assert played.game.ask == usual


def test_a_tile_that_cannot_be_read_is_asked_for_and_nobody_draws_over_it(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10 ?")
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    assert state.ruling is not None
    assert [question.kind for question in state.ruling.questions] == ["tile"]
    assert not played.game.untouched
    asides = [("take_back", True), ("let_stand", True)]
    assert [(act.act, act.is_aside) for act in played.game.ask.acts] == asides
    with pytest.raises(WishRefusedError) as refusal:
        played.act("draw")
    assert refusal.value.word == "not_as_before"
    played.session.answer_question(state.layout_sequence, 0, "O10")
    assert played.acts() == ["play"]
    played.act("play")
    played.lay("K10 B10 R10 O10 ?")
    assert not played.game.untouched, "one tile more lies there, whatever it is"


def test_a_turn_that_is_not_legal_is_taken_back_and_paid_for(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    with pytest.raises(WishRefusedError) as refusal:
        played.act("play")
    assert refusal.value.word == "not_legal"
    (back, _) = played.game.ask.acts
    assert back.label == "Take it back and draw 3"
    assert back.follows.endswith("as it was. Ada draws 3 tiles, and the turn is over.")
    played.act("take_back")
    assert held(played.game) == [("Ada", 17, False), ("Ben", 14, False)]
    assert (played.game.to_move, played.game.to_put_back) == ("Ben", "-")
    assert played.state.ruling is None, "Ben is not judged by what Ada laid"
    played.lay()
    assert played.game.to_put_back is None
    assert played.acts() == ["draw"]
    assert played.lines()[-1] == "Ada misplays: K10 B10 R11 {0 s}"


def test_where_an_unsuccessful_play_is_not_put_back_it_is_said_to_stay(
    played: PlayedTable,
) -> None:
    """AMB-24."""
    played.begin("Ada", "Ben", misplay__restore="no")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    (leave, _) = played.game.ask.acts
    assert leave.label == "Leave it and draw 3"
    assert leave.follows == (
        "What was laid does not count as a legal play, and stays on the table. "
        "Ada draws 3 tiles, and the turn is over."
    )
    played.act("take_back")
    assert held(played.game) == [("Ada", 14, False), ("Ben", 14, False)]
    assert (played.game.to_move, played.game.to_put_back) == ("Ben", None)
    assert played.game.ask.detail == "A turn left a table that is not legal, and it stands so far."


def test_where_nothing_is_put_back_sets_that_lie_otherwise_are_left(played: PlayedTable) -> None:
    """AMB-24."""
    played.begin("Ada", "Ben", misplay__restore="no")
    played.play("K9 K10 K11", "B9 B10 B11")
    played.lay()
    played.lay("K9 B10 K11", "B9 K10 B11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    ask = played.game.ask
    assert ask.detail.endswith("Go on, or leave them and:")
    assert ask.acts[-1].label == "Leave it and draw 3"


def test_tiles_may_be_taken_back_while_it_is_made_sure_that_they_are(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    shown = played.state.layout_sequence
    played.lay()
    assert played.acts() == ["draw"]
    view = played.act("take_back", layout_sequence=shown)
    assert held(view) == [("Ada", 17, False), ("Ben", 14, False)]
    assert (view.to_move, view.to_put_back) == ("Ben", None), "it lies as it did already"
    assert played.lines()[-1] == "Ada misplays: K10 B10 R11 {0 s}"
    assert played.events(TurnConfirmed)[-1].verdict == "ILLEGAL"
    played.lay("K1 K2 K4")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    with pytest.raises(WishRefusedError, match="another layout has been read"):
        played.act("take_back", layout_sequence=shown)


def test_what_was_tried_is_taken_back_only_where_the_table_is_as_it_was(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    shown = played.state.layout_sequence
    played.lay("K10 B10")
    with pytest.raises(WishRefusedError, match="another layout has been read"):
        played.act("take_back", layout_sequence=shown)
    played.lay()
    with pytest.raises(WishRefusedError, match="another layout has been read"):
        played.act("let_stand", by="Ben", layout_sequence=shown)


def test_a_turn_that_is_not_legal_stands_by_the_word_of_somebody_with_a_name(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    with pytest.raises(WishRefusedError, match="say who decides"):
        played.act("let_stand")
    played.act("let_stand", by="Ben")
    assert played.lines()[-1] == "Ada plays: K10 B10 R11; overruled by Ben {0 s}"
    last = played.events(GameTold)[-1]
    assert isinstance(last, GameTold)
    assert last.by == "Ben"
    assert played.acts() == ["draw", "fault_taken_back", "fault_stands"]
    view = played.act("fault_taken_back", by="Ada")
    assert (view.to_put_back, held(view)[0]) == ("-", ("Ada", 14, False))
    assert played.lines()[-1] == "fault noticed by Ada: taken back"
    (back,) = played.game.ask.acts
    assert back.asks_again, "the camera reads it otherwise"
    played.lay()
    assert played.game.to_put_back is None
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Ada"))
    assert played.game.to_put_back == "K10 B10 R11", "what was put back is to lie there again"


def test_who_draws_beside_sets_that_were_taken_apart_leaves_them_to_be_put_back(
    played: PlayedTable,
) -> None:
    played.begin("Ada", "Ben")
    played.play("R10 R11 R12", "K1 K2 K3")
    played.lay("R10 R11 R12 K1", "K2 K3")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    view = played.act("draw")
    assert (view.ask.text, view.to_put_back) == (
        "Put the table back as it was.",
        "R10 R11 R12 | K1 K2 K3",
    )
    assert played.state.ruling is None, "Ada is not judged by what Ben left"
    (left,) = played.events(TableDisarranged)
    assert left.player == "Ben"
    played.restart()
    wait_until(played.session.board, lambda state: state.layout == "R10 R11 R12 K1 | K2 K3")
    assert played.game.to_put_back is not None
    played.lay("R10 R11 R12", "K1 K2 K3")
    assert (played.game.to_put_back, played.game.ask.text) == (None, "Ada's turn")
    assert played.act("draw").to_put_back is None


@pytest.mark.parametrize("decided", [False, True])
def test_nobody_pays_for_what_was_let_stand_before(played: PlayedTable, decided: bool) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R11")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.act("let_stand", by="Eve")
    if decided:
        played.act("fault_stands", by="Eve")
    played.lay("K10 B10 R11", "K11 K12 K13")
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    assert state.ruling is not None
    assert (state.ruling.verdict, state.ruling.findings) == (Verdict.LEGAL, ())
    assert "set 1 is none, and was let stand before this turn" in state.ruling.unchecked
    view = played.act("play")
    assert ("fault_stands" in [act.act for act in view.ask.acts]) != decided
    played.restart()
    assert played.game.to_move == "Ada"


def test_the_last_event_is_taken_back_by_somebody_with_a_name(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.play("K10 B10 R10")
    view = played.game
    assert view.last == "Ada plays: K10 B10 R10 {0 s}"
    with pytest.raises(WishRefusedError, match="say by name"):
        played.session.in_game(lambda game: game.undo(view.sequence, ""))
    played.session.in_game(lambda game: game.undo(view.sequence, "Ben"))
    assert held(played.game) == [("Ada", 14, False), ("Ben", 14, False)]
    assert played.game.to_move == "Ada"
    assert played.acts() == ["play"], "the tiles lie there, and it is Ada's turn again"
    assert played.lines()[-2:] == ["Ada plays: K10 B10 R10 {0 s}", "undo by Ben"]


def test_an_earlier_event_is_corrected_and_what_was_told_is_kept(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.play("K10 B10 R10")
    played.act("draw")
    with pytest.raises(WishRefusedError) as refusal:
        played.session.in_game(lambda game: game.correct(4, "Ada flies", "", only_try=True))
    assert refusal.value.word == "not_understood"
    before, laid = played.lines(), "Ada plays: K10 B10 R10 O10"
    played.session.in_game(lambda game: game.correct(4, laid, "", only_try=True))
    assert played.lines() == before, "it was tried, and nothing is told"
    played.session.in_game(lambda game: game.correct(4, laid, "Ben"))
    assert held(played.game) == [("Ada", 10, True), ("Ben", 15, False)]
    record = played.session.in_game(lambda game: game.record())
    assert (record[3]["line"], record[3]["told"], record[3]["stands"]) == (
        "Ada plays: K10 B10 R10 O10",
        "Ada plays: K10 B10 R10 {0 s}",
        True,
    )


def test_before_the_first_set_of_reset_turns_pass_and_then_everybody_draws(
    played: PlayedTable,
) -> None:
    """RS-09: nobody draws alone while nobody could lay the starter set."""
    played.lay("K1")
    played.begin("Ada", "Ben", "Cleo", preset="reset")
    played.lay()
    for name in ("Ada", "Ben", "Cleo"):
        assert (played.game.to_move, played.acts()) == (name, ["pass"])
        played.act("pass")
    assert (played.game.to_move, played.acts()) == ("Ada", ["everybody_draws"])
    assert played.game.ask.text == "Everybody draws a tile"
    assert played.game.ask.detail.startswith("All have passed without a set. Then Ada begins.")
    before = [seat.held for seat in played.game.seats]
    view = played.act("everybody_draws")
    assert [seat.held for seat in view.seats] == [held + 1 for held in before]
    assert view.to_move == "Ada"


def test_two_players_of_reset_draw_two_and_show_the_one_they_return(played: PlayedTable) -> None:
    """RS-15, and AMB-20 where a table wants it shown."""
    played.lay("K1")
    played.begin("Ada", "Ben", preset="reset", draw__two_return="shown")
    played.lay()
    played.play("K10 B10 R10")
    (draw,) = played.game.ask.acts
    assert (draw.label, draw.needs_tile) == ("Ben drew 2 tiles and returned one", True)
    with pytest.raises(WishRefusedError, match="returned"):
        played.act("draw")
    view, layout = played.game, played.state.layout_sequence
    played.session.in_game(lambda game: game.act("draw", view.sequence, layout, tile="O7"))
    assert played.lines()[-1] == "Ben draws; returns O7 {0 s}"
    assert held(played.game)[1] == ("Ben", view.seats[1].held + 1, False)


def test_where_a_table_lets_a_player_draw_and_then_play_the_turn_goes_on(
    played: PlayedTable,
) -> None:
    played.lay("K1")
    played.begin("Ada", "Ben", draw__then_play="yes")
    played.lay()
    view = played.act("draw")
    assert (view.to_move, view.phase, played.acts()) == ("Ada", "play", ["pass"])
    played.play("K10 B10 R10")
    assert held(played.game)[0] == ("Ada", 12, True)


def test_in_sabra_play_goes_counterclockwise(played: PlayedTable) -> None:
    played.lay("K1")
    played.begin("Ada", "Ben", "Cleo", preset="sabra")
    played.lay()
    assert played.act("draw").to_move == "Cleo"


def test_more_tiles_than_the_player_holds_are_told_before_anything_is_pressed(
    played: PlayedTable,
) -> None:
    """Sets may be legal and still not be this player's: then a tile was read wrongly, or slipped in."""
    played.begin("Ada", "Ben")
    whole = " ".join(f"K{number}" for number in range(1, 14))
    played.lay(whole, "B10 R10 O10")
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    assert played.acts() == ["take_back"]
    assert "14" in played.game.ask.detail
    assert played.game.ask.acts[0].label == "Take it back and draw 3"
    played.lay(whole)
    wait_until(played.session.board, lambda state: state.ruling is not None)
    assert played.acts() == ["play"]


def test_where_a_tile_was_read_too_often_it_is_asked_which_of_them_is_another(
    played: PlayedTable,
) -> None:
    """Whoever has named two of the three is not asked about them again, and nobody is to pay first."""
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10", "O10 B10 K10", "R4 R5 K10")
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    for tile in (0, 5):
        played.session.correct_tile(state.layout_sequence, tile, "K10")
        state = wait_until(played.session.board, lambda state: state.ruling is not None)
        assert state.ruling is not None
        (question,) = state.ruling.questions
        assert (question.kind, question.tiles, question.options) == ("tile", (0, 5, 8), ())
        assert question.text == (
            "Black 10 was read more often than the game has it: tile 1 of set 1, tile 3 of set 2 and "
            "tile 3 of set 3. Which of them is another tile?"
        )
        assert [(act.act, act.is_aside) for act in played.game.ask.acts] == [("take_back", True)]
    played.session.correct_tile(state.layout_sequence, 8, "R6")
    assert played.acts() == ["play"]


def test_what_cannot_be_the_player_s_is_not_offered_to_stand(played: PlayedTable) -> None:
    """Nobody can let more tiles stand than the player held, so it is told before a name is asked."""
    played.begin("Ada", "Ben")
    whole = " ".join(f"K{number}" for number in range(1, 14))
    played.lay(whole, "B10 R10")
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.ILLEGAL
    assert played.acts() == ["take_back"]
    assert "Ada held 14 tiles, and 15 are new" in played.game.ask.detail
    played.lay("B10 R10")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    assert played.acts() == ["take_back", "let_stand"]


def test_what_cannot_be_the_player_s_is_taken_back_though_its_sets_are_legal(
    played: PlayedTable,
) -> None:
    """What was tried is not noted: with so many tiles it cannot have been."""
    played.begin("Ada", "Ben")
    played.lay(" ".join(f"K{number}" for number in range(1, 14)), "B10 R10 O10")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    view = played.act("take_back")
    assert played.lines()[-1] == "Ada misplays {0 s}"
    assert (held(view)[0], view.to_move, view.to_put_back) == (("Ada", 17, False), "Ben", "-")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "Ada drws",
            "“drws” stands where what the player did should: a player begins, plays, draws",
        ),
        (
            "Ada draws {3 s} so",
            "“so” stands where the end of the line should: give one event alone",
        ),
        ("", "nothing stands where a name should"),
        ("Ada plays: K1 K2 K99", "“K99” stands where a tile such as K7"),
    ],
)
def test_what_is_wrong_with_a_correction_is_told_in_the_words_of_the_game(
    played: PlayedTable, line: str, words: str
) -> None:
    """Neither columns nor what players of cards do."""
    played.begin("Ada", "Ben")
    played.play("K10 B10 R10")
    with pytest.raises(WishRefusedError) as refused:
        played.session.in_game(lambda game: game.correct(4, line, "Ben"))
    assert refused.value.word == "not_understood"
    assert words in str(refused.value)
    assert "column" not in str(refused.value)
    assert "takes from" not in str(refused.value)
