"""A table before the turn that was in doubt when it was confirmed: all that may have lain is judged."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.doubts.table_before import MOST_TABLES, question_about, turns_begun
from engine.layout import GridLayout, Layout, parse_grid, parse_layout
from engine.referee import NO_TILE, Ruling, Turn, TurnReading, Verdict, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import Tile, parse_tile
from engine.turn_reading import DoubtBefore
from tests.engine.doubtful import board, reading

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK
PRESSMAN = load_ruleset("pressman")
BOARDS = load_ruleset("rummi200kub")
RUNS = "K4 K5 K6 K7 K8 | K8 R8 O8"


def doubt(number: int, others: str, now: int | None = None) -> DoubtBefore:
    return DoubtBefore(
        number, tuple(None if o == NO_TILE else parse_tile(o) for o in others.split()), now
    )


def read(before: str, after: str, *doubts: DoubtBefore) -> TurnReading:
    known = Turn(parse_layout(before), Layout(), opened=True, elapsed_s=10.0)
    return TurnReading(reading(after), known, doubts_before=doubts)


def ruled(before: str, after: str, *doubts: DoubtBefore) -> Ruling:
    return judge_reading(read(before, after, *doubts), PRESSMAN)


def codes(ruling: Ruling) -> list[str]:
    return [finding.code for finding in ruling.findings]


def test_a_tile_that_may_never_have_lain_there_is_asked_about_before_it_is_missed() -> None:
    after = "K4 K5 K6 K7 | K8 R8 O8 B8"
    assert codes(ruled(RUNS, after)) == ["TILE_CONSERVATION"]
    ruling = ruled(RUNS, after, doubt(4, NO_TILE))
    assert (ruling.verdict, ruling.findings) == (ASK, ())
    (question,) = ruling.questions
    assert (question.kind, question.tile, question.options) == ("before", 4, ("K8", NO_TILE))
    assert question.text == (
        "When this turn began, what was tile 5 of the set that began with the black 4:"
        " black 8 or no tile?"
    )


def test_what_is_wrong_whatever_lay_there_is_said() -> None:
    after = "K4 K5 K6 K7 | K8 R8 O8 | O9 O10 O12"
    ruling = ruled(RUNS, after, doubt(4, NO_TILE))
    assert (ruling.verdict, codes(ruling)) == (ILLEGAL, ["RUN_GAP"])


def test_faults_that_differ_with_the_table_before_are_asked_about() -> None:
    """Without a tile of the rack on the table, or with one of it missing."""
    ruling = ruled("K4 K5 K6 K7", "K4 K5 K6", doubt(3, NO_TILE))
    assert ruling.verdict is ASK
    assert ruling.questions[0].kind == "before"
    assert codes(ruled("K4 K5 K6 K7", "K4 K5 K6")) == ["TILE_CONSERVATION", "NO_RACK_TILE"]


@pytest.mark.parametrize("now", ["K8", "B8"])
def test_a_tile_that_lies_there_untouched_was_what_it_is_known_to_be_by_now(now: str) -> None:
    after = f"R8 O8 {now} | R1 R2 R3"
    ruling = ruled("R8 O8 B8", after, doubt(2, "K8", 2))
    assert ruling.verdict is LEGAL
    assert ruled("R8 O8 B8", after, doubt(2, "K8")).verdict is ASK, "it may have been exchanged"


def test_one_that_is_in_doubt_still_is_the_same_before_and_after() -> None:
    after = "R8 O8 B8/K8 | R1 R2 R3"
    assert ruled("R8 O8 B8", after, doubt(2, "K8", 2)).verdict is LEGAL
    assert ruled("R8 O8 B8", after).verdict is ASK, "as if it could have been exchanged"


def test_one_that_decides_by_what_it_is_now_is_asked_about_where_it_lies() -> None:
    """Blue it makes a group with the new one, black it is there twice."""
    ruling = ruled("R8 O8 B8", "R8 O8 B8/K8 K8", doubt(2, "K8", 2))
    (question,) = ruling.questions
    assert (question.kind, question.tile, question.options) == ("tile", 2, ("B8", "K8"))
    assert question.text == "Tile 3 of set 1: is it blue 8 or black 8?"


def test_one_that_may_be_something_else_by_now_may_have_been_that() -> None:
    after = "R8 O8 B8/K8 | R1 R2 R3"
    assert ruled("R8 O8 B8", after, doubt(2, "", 2)).verdict is LEGAL


def test_one_that_may_be_any_tile_is_asked_about_as_without_doubts() -> None:
    after = "R8 O8 B8~ | R1 R2 R3"
    with_doubt = ruled("R8 O8 B8", after, doubt(2, "K8", 2))
    assert with_doubt == ruled("R8 O8 B8", after)
    assert with_doubt.verdict is ASK


def test_what_was_asked_about_the_table_now_comes_first() -> None:
    ruling = ruled(RUNS, "K4 K5 K6 K7 | K8 R8 O8 | O9 O10 O11/O12", doubt(4, NO_TILE))
    assert ruling.verdict is ASK
    assert ruling.questions[0].kind == "before", "nothing else would settle it"
    without = ruled("K4 K5 K6 K7", "K4 K5 K6 K7 | O9 O10 O11/O12", doubt(3, "B7"))
    assert (without.questions[0].kind, without.questions[0].tile) == ("tile", 6)


@pytest.mark.parametrize(
    ("before", "number", "where"),
    [
        ("K4 K5 K6", 0, "tile 1 of the set that ended with the black 6"),
        ("R1 R2 R3 | K4 K5 K6", 4, "tile 2 of the set that began with the black 4"),
        ("R1 R2 R3 | K4", 3, "the tile that lay alone"),
    ],
)
def test_it_is_said_where_a_tile_lay(before: str, number: int, where: str) -> None:
    asked = doubt(number, NO_TILE)
    text = question_about(read(before, before, asked), asked).text
    assert text.startswith(f"When this turn began, what was {where}: ")


def on_board(before: str, after: str, *doubts: DoubtBefore) -> Ruling:
    known = Turn(None, Layout(), opened=True, elapsed_s=10.0)
    known = known.with_grid(parse_grid(before), GridLayout())
    return judge_reading(TurnReading(board(after), known, doubts_before=doubts), BOARDS)


def test_on_a_board_too() -> None:
    ruling = on_board("K7 K8 K9 K10", "K7 K8 K9 / R7 . . / O7 . .", doubt(3, NO_TILE))
    (question,) = ruling.questions
    assert question.text == (
        "When this turn began, what was the tile in row 1, column 4 of the board of then:"
        " black 10 or no tile?"
    )
    crossed = "K7 K8 K9 {} / R7 . . . / O7 . . ."
    exchanged = on_board("K7 K8 K9 J", crossed.format("K10"), doubt(3, "K10"))
    assert exchanged.questions[0].options == ("J", "K10")
    untouched = on_board("K7 K8 K9 J", crossed.format("J/K10"), doubt(3, "K10", 3))
    assert untouched.verdict is LEGAL


def test_the_time_a_ruling_takes_is_bounded() -> None:
    others: Sequence[Tile] = [parse_tile(f"B{n}") for n in range(1, 14)]
    many = tuple(DoubtBefore(n, tuple(others)) for n in range(8))
    begun = list(turns_begun(read(RUNS, RUNS, *many)))
    assert len(begun) == MOST_TABLES


@pytest.mark.parametrize("wrong", [doubt(8, "K1"), doubt(-1, "K1"), doubt(0, "K1", 9)])
def test_a_doubt_about_no_tile_is_an_error(wrong: DoubtBefore) -> None:
    with pytest.raises(ValueError, match="about one of its tiles"):
        read(RUNS, RUNS, wrong)


def test_without_a_table_before_nothing_of_it_is_in_doubt() -> None:
    with pytest.raises(ValueError, match="about one of its tiles"):
        TurnReading(reading(RUNS), doubts_before=(doubt(0, "K1"),))
