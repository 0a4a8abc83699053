"""Doubtful readings of a board: tiles in cells, of which rows and columns are sets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.layout import GridReading, Layout, parse_grid
from engine.referee import Ruling, Turn, TurnReading, Verdict, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from tests.engine.doubtful import board, hand

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK
RULES = load_ruleset("rummi200kub")


def after(seen: GridReading, before: str, **more: object) -> Ruling:
    """The ruling on a turn of a player who has opened, the board before being known."""
    turn = Turn(None, Layout(), opened=True).with_grid(parse_grid(before), parse_grid("-"))
    return judge_reading(TurnReading(seen, turn, **more), RULES)  # type: ignore[arg-type]


# fmt: off
BOARDS = [
    (["K7 K8 K9 / . B8 . / . R8 ."], LEGAL),
    (["K7 K8 K9 / . B8 . / . R9 ."], ILLEGAL),
    # the doubt decides about its row, its column, or both
    (["K7 K8 K9/B9 / . B8 . / . R8 ."], ASK),
    (["K7 K8/K6 K9 / . B8 . / . R8 ."], ASK),
    (["K7 K8 K9 / . B8 . / . R8/O8 ."], LEGAL),
    # either is a set in its row, and neither in its column as well
    (["K7 B7 R7/O7 / . . O6 / . . O9"], ILLEGAL),
    (["K7 B7 R7/O7 / . . O8 / . . O9"], ASK),
    # a joker is one tile in both its lines
    (["K7 J/K8 K9 / . B8 . / . R8 ."], LEGAL),
    (["K7 K8/J K9 / . B9 . / . R9 ."], ILLEGAL),
    (["K7 J K9 / . B8/B9 . / . R8/R9 ."], ASK),
    # what may be no tile: its cell is empty then, and what it held together is not
    (["K7 K8 K9 K10!"], LEGAL),
    (["K7 K8 K9!"], ASK),
    (["K7 K8 K9 . / . B8 . R1! / . R8 . ."], ASK),
    (["K7 K8 K9! K10 K11 K12"], ASK),
    (["K7 K8 K9 K10! K11 K12 K13"], ASK),
    (["?!"], ASK),
    # a third copy
    (["K7 K8 K9 / B7 . B9 / R7 . R9/B7"], ASK),
    (["K7 K8 K9 / B7 . . / R7 . . / . . . / K7 B7 R7/K7"], ILLEGAL),
    (["K7 K8 K9 . / B7 . . . / R7 K7 B7 O7/K7"], LEGAL),
    # two ways to lie: joined, and apart
    (["K7 K8 K9 . / . . R3 R4 / . . . .", "K7 K8 K9 R3 R4"], ILLEGAL),
    (["K7 K8 K9 . . / . . B9 . . / . . R9 . .", "K7 K8 K9 . . / . . . . . / . . B9 . . / . . R9 . ."],
     ASK),
    (["K7 K8 K9", "K7 / K8 / K9"], LEGAL),
]
# fmt: on


@pytest.mark.parametrize(("texts", "verdict"), BOARDS)
def test_the_verdict_over_all_boards_it_may_be(texts: list[str], verdict: Verdict) -> None:
    ruling = judge_reading(board(*texts), RULES)
    assert ruling.verdict is verdict
    assert len(ruling.questions) == (verdict is ASK)


def test_a_doubtful_tile_of_a_board_is_named_by_its_cell() -> None:
    (question,) = judge_reading(board("K7 K8 K9 / . B8 . / . R8/R9 ."), RULES).questions
    assert (question.tile, question.options) == (4, ("R8", "R9"))
    assert question.text == "The tile in row 3, column 2: is it red 8 or red 9?"


def test_boards_to_choose_from_are_offered_whole() -> None:
    lying = board("K7 K8 K9 / . . B9 / . . R9", "K7 K8 K9 . / . . . B9 / . . . R9")
    (question,) = judge_reading(lying, RULES).questions
    assert (question.kind, question.options) == (
        "arrangement",
        ("K7 K8 K9 / . . B9 / . . R9", "K7 K8 K9 . / . . . B9 / . . . R9"),
    )
    assert judge_reading(lying.with_arrangement(0), RULES).verdict is LEGAL
    assert judge_reading(lying.with_arrangement(1), RULES).verdict is ILLEGAL


def test_of_a_board_that_may_lie_in_more_ways_only_what_all_share_is_wrong() -> None:
    """A reading that lists not all ways is certain of the sets that are the same in each of them."""
    apart = board("K7 K8 K9 . O3", "K7 K8 K9 O3")
    assert judge_reading(apart, RULES).verdict is ILLEGAL
    ruling = judge_reading(replace(apart, is_whole=False), RULES)
    assert (ruling.verdict, [question.kind for question in ruling.questions]) == (
        ASK,
        ["arrangement"],
    )
    wrong = board("K7 B9 . . / . . . O3", "K7 B9 . . / . . O3 .")
    codes = {finding.code for finding in judge_reading(wrong, RULES).findings}
    shared = {
        finding.code for finding in judge_reading(replace(wrong, is_whole=False), RULES).findings
    }
    assert codes - shared == {"NOT_CONNECTED"}
    assert {"SET_TOO_SHORT", "LOOSE_TILE"} <= shared


def test_what_is_known_of_a_board_makes_its_list_no_longer() -> None:
    seen = replace(board("K7 K8 K9 . O3", "K7 K8 K9 O3"), is_whole=False)
    assert not seen.with_tile(3, parse_tile("O4")).is_whole
    assert not seen.with_tile(3, None).is_whole
    assert seen.with_arrangement(1).is_whole


def test_answers_about_a_board_settle_it() -> None:
    seen = board("K7 K8 K9! / . B8 . / . R8 .")
    assert judge_reading(seen.with_tile(2, parse_tile("K9")), RULES).verdict is LEGAL
    gone = seen.with_tile(2, None)
    assert gone == board("K7 K8 . / . B8 . / . R8 .")
    assert judge_reading(gone, RULES).verdict is ILLEGAL


def test_findings_on_a_board_hold_in_every_reading() -> None:
    ruling = judge_reading(board("K7 K8 K9/O9 / B7 . . / O2 . ."), RULES)
    assert ruling.verdict is ILLEGAL
    assert {finding.meld for finding in ruling.findings} == {1}


def test_a_doubtful_tile_laid_on_a_board_is_judged_with_the_board_before() -> None:
    """The tile may be new, or one that lay there and must not go."""
    lying = board("K7 K8 K9 K10/J")
    assert after(lying, "K7 K8 K9").verdict is LEGAL
    assert after(lying, "K7 K8 K9 J").verdict is ASK
    racks = {"rack_before": hand("K10 R1"), "rack_after": hand("R1")}
    assert after(lying, "K7 K8 K9", **racks).verdict is ASK


def test_twelve_doubts_on_a_board_are_judged_exactly() -> None:
    """Thirteen groups that are three runs, with four doubtful tiles in each run: 4096 boards."""

    def run(suit: str, first: int) -> str:
        doubtful = range(first, first + 10, 3)
        return " ".join(f"{suit}{n}" + (f"/O{n}" if n in doubtful else "") for n in range(1, 14))

    seen = board(" / ".join(run(suit, first) for first, suit in enumerate("KBR", 1)))
    in_doubt = [index for index, tile in enumerate(seen.tiles) if not tile.sure]
    assert len(in_doubt) == 12
    assert judge_reading(seen, RULES).verdict is ASK
    for index in in_doubt:
        best = seen.tiles[index].best
        wrong = seen.with_tile(index, seen.tiles[index].candidates[1].tile)
        assert judge_reading(wrong, RULES).verdict is ILLEGAL
        seen = seen.with_tile(index, best)
    assert judge_reading(seen, RULES).verdict is LEGAL


def test_a_board_reading_prints_its_doubts() -> None:
    seen = board("K7 K6/R6 ? / . . O1")
    assert seen.text() == "K7 K6? ? / . . O1"
    assert str(seen.grid()) == "K7 K6 . / . . O1"
    known = parse_grid("K7 K8 K9 / . B8 .")
    assert GridReading.certain(known).text() == str(known)
    assert GridReading.certain(known).grid() == known
    assert GridReading((), ((),)).text() == "-"


def test_an_arrangement_holds_every_tile_in_one_cell_of_equal_rows() -> None:
    tiles = board("K7 K8").tiles
    for rows in (((0,),), ((0, 0),), ((0, 1, 2),), ((0, 1), (None, 0))):
        with pytest.raises(ValueError, match="every tile exactly once"):
            GridReading(tiles, (rows,))
    with pytest.raises(ValueError, match="equally long"):
        GridReading(tiles, (((0, 1), (None,)),))
    with pytest.raises(ValueError, match="at least one arrangement"):
        GridReading((), ())
