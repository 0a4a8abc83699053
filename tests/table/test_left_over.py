"""The tiles of the last round are known to be those until the table was cleared, whatever happens."""

from __future__ import annotations

from pathlib import Path

from table.events import RoundStarted
from tests.table.laid_table import is_layout, wait_until
from tests.table.played_table import PlayedTable
from tests.table.printed_table import PrintedTable

CLEAR = "Clear the table."
OF_BEFORE = ("K10 B10 R10 O10", "K1 K2 K3")
TEXT = " | ".join(OF_BEFORE)


def begin_with_tiles_of_before(played: PlayedTable) -> None:
    played.lay(*OF_BEFORE)
    played.begin("Ada", "Ben")
    wait_until(played.session.board, is_layout(TEXT))


def test_they_are_known_after_a_restart(played: PlayedTable) -> None:
    begin_with_tiles_of_before(played)
    for _ in range(2):
        played.restart()
        wait_until(played.session.board, is_layout(TEXT))
        assert played.game.ask.text == CLEAR
    (begun,) = played.events(RoundStarted)
    assert begun.left_over == tuple(TEXT.replace("| ", "").split())


def test_once_they_were_cleared_the_same_tiles_are_a_turn_after_a_restart_too(
    played: PlayedTable,
) -> None:
    begin_with_tiles_of_before(played)
    played.lay()
    played.lay(*OF_BEFORE)
    assert played.game.ask.text != CLEAR
    played.restart()
    wait_until(played.session.board, is_layout(TEXT))
    assert played.game.ask.text != CLEAR


def test_once_they_count_as_laid_they_do_after_a_restart_too(played: PlayedTable) -> None:
    begin_with_tiles_of_before(played)
    played.act("play")
    played.restart()
    wait_until(played.session.board, is_layout(TEXT))
    assert (played.game.to_move, played.game.ask.text) == ("Ben", "Ben's turn")


def test_they_are_known_when_two_rounds_begin_before_the_table_is_read_again(
    played: PlayedTable,
) -> None:
    """As when it is said a moment after a game began who begins."""
    played.lay(*OF_BEFORE)
    played.session.in_game(lambda game: game.begin("pressman", ("Ada", "Ben"), {}, None))
    sequence = played.game.sequence
    played.session.in_game(lambda game: game.act("starter", sequence, player="Ada"))
    wait_until(played.session.board, is_layout(TEXT))
    assert len(played.events(RoundStarted)) == 2
    assert played.game.ask.text == CLEAR


def test_when_the_round_before_goes_on_its_tiles_are_its_own(played: PlayedTable) -> None:
    """The next round was begun too early, and is taken back to the turn that ended the one before."""
    out = ("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
    held = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O1"
    played.begin("Ada", "Ben")
    played.play(*out)
    played.session.in_game(lambda game: game.tell_rack("Ben", held))
    played.act("count")
    played.act("starter", "Ben")
    wait_until(played.session.board, is_layout(" | ".join(out)))
    assert played.game.ask.text == CLEAR
    for _ in range(3):
        undo(played)
    (rack,) = played.game.racks
    assert rack.tiles is not None, "nobody holds these tiles any more, to tell them again"
    assert " ".join(tile.label for tile in rack.tiles) == held
    undo(played)
    assert [act.act for act in played.game.ask.acts if act.primary] == ["play"]
    played.restart()
    wait_until(played.session.board, is_layout(" | ".join(out)))
    assert played.game.ask.text == "Ada's turn"


def test_a_starter_who_is_named_anew_finds_the_tiles_of_before(played: PlayedTable) -> None:
    begin_with_tiles_of_before(played)
    undo(played)
    undo(played)
    played.act("starter", "Ben")
    wait_until(played.session.board, is_layout(TEXT))
    assert played.game.ask.text == CLEAR


def undo(played: PlayedTable) -> None:
    sequence = played.game.sequence
    played.session.in_game(lambda game: game.undo(sequence, "Ada"))


def test_while_they_are_cleared_set_by_set_they_are_no_turn(played: PlayedTable) -> None:
    """As in a film shown backwards: with half of them gone the others passed for the first turn."""
    begin_with_tiles_of_before(played)
    for left in (OF_BEFORE[:1], ("K10 B10",), ("B10",)):
        played.lay(*left)
        wait_until(played.session.board, is_layout(" | ".join(left)))
        assert played.game.ask.text == CLEAR
    played.lay()
    wait_until(played.session.board, is_layout("-"))
    assert played.game.ask.text != CLEAR
    played.play("B10 K10 R10")
    assert played.game.to_move == "Ben"


def test_what_hides_some_of_them_while_they_are_cleared_leaves_no_question(tmp_path: Path) -> None:
    table = PrintedTable()
    played = PlayedTable(tmp_path, table)
    try:
        begin_with_tiles_of_before(played)
        table.lay("K10")
        table.cover("K10")
        state = wait_until(played.session.board, is_layout("-"))
        assert state.ruling is not None
        assert (state.tiles, state.ruling.questions) == ((), ())
        table.covered = []
        played.play("R11 R12 R13")
        assert played.game.to_move == "Ben"
    finally:
        played.session.close()
