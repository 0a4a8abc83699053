"""Two people press at once: what the second one means does not stand any more."""

from __future__ import annotations

import pytest

from table.events import QuestionAnswered, RackCorrected
from table.wishes import WishRefusedError
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable


def test_an_answer_is_not_taken_for_the_next_question_of_the_same_ruling(
    played: PlayedTable,
) -> None:
    """A house rule would hold for good that nobody has chosen."""
    played.lay("K10 B10 R10")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.session.end_turn(played.state.layout_sequence)
    played.lay("K10 B10 R10 O10", "R11 R12 R13")
    shown = wait_until(played.session.board, lambda state: state.ruling is not None)
    assert shown.ruling is not None
    first = shown.ruling.questions[0]
    played.session.answer_question(shown.layout_sequence, 0, "no", "Ada", first.text)
    now = played.state
    assert now.ruling is not None
    assert now.layout_sequence == shown.layout_sequence
    assert "no" in now.ruling.questions[0].options, "it would be an answer to that one, too"
    with pytest.raises(WishRefusedError, match="not asked any more"):
        played.session.answer_question(shown.layout_sequence, 0, "no", "Ben", first.text)
    assert len(played.events(QuestionAnswered)) == 1


@pytest.mark.parametrize(("tile", "label"), [(0, "none"), (1, "K8"), (3, "R1")])
def test_a_rack_is_put_right_once_by_two_who_see_the_same(
    played: PlayedTable, tile: int, label: str
) -> None:
    """Tile 0 is another one when it was taken off, and one more is not there to be named."""
    played.begin("Ada", "Ben")
    played.play("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
    played.session.in_game(lambda game: game.tell_rack("Ben", "K7 K7 R9"))

    def put_right() -> None:
        shown = ["K7", "K7", "R9"]
        played.session.in_game(lambda game: game.correct_rack("Ben", tile, label, shown=shown))

    put_right()
    with pytest.raises(WishRefusedError, match="another one now"):
        put_right()
    assert len(played.events(RackCorrected)) == 1


def test_an_event_is_corrected_once_by_two_who_see_the_same(played: PlayedTable) -> None:
    """The line of the one who comes second is about an event that was another one already."""
    played.begin("Ada", "Ben")
    number, was = 3, "deal"

    def correct(line: str) -> None:
        played.session.in_game(lambda game: game.correct(number, line, "Ada", was))

    correct("deal: Ada K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 J")
    with pytest.raises(WishRefusedError, match="another one now"):
        correct("deal: Ben K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 J")
    assert played.lines()[-1].startswith("correct 3 by Ada")
