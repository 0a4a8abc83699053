"""Doubtful readings: never accused wrongly, never acquitted by wishful reading."""

from __future__ import annotations

import pytest

from engine.layout import Candidate, Layout, LayoutReading, TileReading, parse_layout
from engine.melds import parse_tiles
from engine.referee import Ruling, Turn, TurnReading, Verdict, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from tests.engine.doubtful import reading, tile_reading

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK
PRESSMAN = load_ruleset("pressman")


def ruled(seen: LayoutReading, before: Layout | None) -> Ruling:
    """The ruling on a turn of a player who has opened."""
    return judge_reading(TurnReading(seen, Turn(before, Layout(), opened=True)), PRESSMAN)


@pytest.mark.parametrize(
    ("texts", "verdict"),
    [
        (["K7 K8 K9"], LEGAL),
        (["K7 K8 B9"], ILLEGAL),
        # the doubt does not matter
        (["K7 B7 R7/O7"], LEGAL),
        (["K7 R8/O8 B2"], ILLEGAL),
        (["K7 K8 K9 | B1 B2 B9 | R7/O7 B7 K7"], ILLEGAL),
        # it does: the likelier reading is legal, or illegal, all the same
        (["K7 K8 K9/B9"], ASK),
        (["K7 K8 B9/K9"], ASK),
        # a joker is always legal, which is no reason to see one
        (["K7 K8 B9/J"], ASK),
        # unread
        (["K7 K8 ?"], ASK),
        (["K7 ? R2"], ILLEGAL),
        (["?"], ILLEGAL),
        # a third copy is impossible, so it is not that
        (["K7 K8 K9 | K7 B7 R7 | B7 R7 O7/K7"], LEGAL),
        # two ways to lie
        (["K7 K8 K9 | B7 B8 B9", "K7 K8 K9 B7 B8 B9"], ASK),
        (["K7 K8 K9 | K10 K11 K12", "K7 K8 K9 K10 K11 K12"], LEGAL),
        (["K7 K8 | B7 B8", "K7 K8 B7 B8"], ILLEGAL),
        # clutter that may have been taken for a tile
        (["K7 K8 K9 | ?!"], ASK),
        (["K7 K8 K9 | K4!"], ASK),
        (["K7 K8 K9 | K4! | B4/R4!"], ASK),
        (["K7 K8 K9 | ?! | ?! | ?!"], ASK),
        (["?!"], ASK),
        (["K7 K8 K9 | R4 | ?!"], ILLEGAL),
        (["K7 K8 K9 | R4 | ?! | ?! | ?!"], ILLEGAL),
        # within a set it may be none, too, whichever way that helps
        (["K7 K8 K9 K10!"], LEGAL),
        (["K7 K8 K9!"], ASK),
        (["K7 K8 K9 R2!"], ASK),
        (["K7 K8 R2!"], ILLEGAL),
        (["K7 K8 K9 R2! B1 B2 B3"], ASK),
        (["K7 K8 R2! K9"], ASK),
        # one candidate and real doubt: not a fact, whatever the rules would like it to be
        (["K7 K8 K9~"], ASK),
        (["K7 B8~ K9"], ASK),
        (["K7 B7 R7/O7~"], ASK),
        (["K7 R8~ B2"], ILLEGAL),
        (["K1 B5 R9 | K7 K8 K9~"], ILLEGAL),
        (["K7~ K8~ K9~ | B7~ B8~ B9~"], ASK),
        # that two are something else at once is less than real doubt
        (["K7 R8~ B9~"], ILLEGAL),
    ],
)
def test_the_verdict_over_all_readings(texts: list[str], verdict: Verdict) -> None:
    ruling = judge_reading(reading(*texts), PRESSMAN)
    assert ruling.verdict is verdict
    assert (len(ruling.questions) == 1) == (verdict is ASK)
    assert bool(ruling.findings) >= (verdict is ILLEGAL)


def test_the_question_names_the_tile_that_matters() -> None:
    ruling = judge_reading(reading("K7 B7 R7/O7 | K1 K2 B3/K3"), PRESSMAN)
    (question,) = ruling.questions
    assert (question.kind, question.tile, question.options) == ("tile", 5, ("B3", "K3"))
    assert "Tile 3 of set 2" in question.text
    assert "blue 3 or black 3" in question.text


def test_the_answer_settles_it() -> None:
    doubtful = reading("K7 B7 R7/O7 | K1 K2 B3/K3")
    assert judge_reading(doubtful.with_tile(5, parse_tile("K3")), PRESSMAN).verdict is LEGAL
    assert judge_reading(doubtful.with_tile(5, parse_tile("B3")), PRESSMAN).verdict is ILLEGAL
    parted = reading("K7 K8 K9 | B7 B8 B9", "K7 K8 K9 B7 B8 B9")
    assert judge_reading(parted, PRESSMAN).questions[0].kind == "arrangement"
    assert judge_reading(parted.with_arrangement(0), PRESSMAN).verdict is LEGAL
    assert judge_reading(parted.with_arrangement(1), PRESSMAN).verdict is ILLEGAL


def test_the_question_that_settles_most_comes_first() -> None:
    """Whether the second tile is K2 decides alone in most readings; the last one only then."""
    ruling = judge_reading(reading("K1 B9/K2/R5 K3 | O5 O6 O7/R7"), PRESSMAN)
    assert ruling.questions[0].tile == 1


@pytest.mark.parametrize(
    ("text", "tile", "options", "asked"),
    [
        (
            "K7 K8 K9 | ?!",
            3,
            ("none",),
            "Tile 1 of set 2 could not be read. Which tile is it, or is it none?",
        ),
        ("K7 K8 K9 | K4!", 3, ("K4", "none"), "Tile 1 of set 2: is it black 4 or no tile?"),
        (
            "K7 K8 K9/B9!",
            2,
            ("K9", "B9", "none"),
            "Tile 3 of set 1: is it black 9, blue 9 or no tile?",
        ),
        ("K7 K8 K9~", 2, ("K9",), "Tile 3 of set 1: is it black 9 or another tile?"),
        (
            "K7 K8 K9~!",
            2,
            ("K9", "none"),
            "Tile 3 of set 1: is it black 9, another tile or no tile?",
        ),
        ("K7 K8 ?", 2, (), "Tile 3 of set 1 could not be read. Which tile is it?"),
        # of many doubtful tiles the one that decides something
        (
            f"{' | '.join(f'K{n} B{n} R{n}/O{n}' for n in range(4, 13))} | K1 K2 K3~",
            29,
            ("K3",),
            "Tile 3 of set 10: is it black 3 or another tile?",
        ),
    ],
)
def test_the_question_offers_all_it_may_be(
    text: str, tile: int, options: tuple[str, ...], asked: str
) -> None:
    (question,) = judge_reading(reading(text), PRESSMAN).questions
    assert (question.tile, question.options, question.text) == (tile, options, asked)


def test_what_may_be_no_tile_is_never_accused() -> None:
    ruling = judge_reading(reading("K7 K8 K9 | R4 | ?! | B4!"), PRESSMAN)
    assert [(finding.code, finding.meld) for finding in ruling.findings] == [("LOOSE_TILE", 1)]


def test_that_there_is_no_tile_settles_it() -> None:
    lone = reading("K7 K8 K9 | ?!")
    assert judge_reading(lone.with_tile(3, None), PRESSMAN).verdict is LEGAL
    assert judge_reading(lone.with_tile(3, parse_tile("R4")), PRESSMAN).verdict is ILLEGAL


def test_sets_are_counted_as_they_lie_also_where_one_is_none() -> None:
    """The first K7 would be a third one, so it is none; the short set is the fourth all the same."""
    ruling = judge_reading(reading("K7! | K7 K8 K9 | K7 B7 R7 | R4 R5"), PRESSMAN)
    (finding,) = ruling.findings
    assert (finding.code, finding.meld) == ("SET_TOO_SHORT", 3)
    assert finding.message.startswith("Set 4: ")


def test_where_only_the_gap_of_a_false_tile_is_in_doubt_it_is_asked_for() -> None:
    ruling = judge_reading(reading("K7 K8 K9 | K7 B7 R7 | B4 B5 B6 K7! B7 B8 B9"), PRESSMAN)
    assert ruling.verdict is LEGAL
    ruling = judge_reading(reading("K7 K8 K9 | K7 B7 R7 | B4 B5 B6 K7! R7 R8 R9"), PRESSMAN)
    assert (ruling.verdict, ruling.questions[0].tile) == (ASK, 9)


def test_a_tile_that_is_none_is_left_out_and_the_others_move_up() -> None:
    seen = reading("K7 K8 | R4 | B1 B2")
    assert seen.with_tile(2, None) == reading("K7 K8 | B1 B2")
    assert seen.with_tile(0, None) == reading("K8 | R4 | B1 B2")
    assert reading("K7 K8 R4 B1").with_tile(2, None) == reading("K7 K8 | B1", "K7 K8 B1")
    assert reading("R4").with_tile(0, None).text() == "-"
    with pytest.raises(IndexError):
        seen.with_tile(5, None)


def test_nobody_is_sure_of_a_tile_that_may_be_none() -> None:
    with pytest.raises(ValueError, match="cannot be sure"):
        TileReading((Candidate(parse_tile("K7"), 1.0),), sure=True, may_be_none=True)


TOO_FEW = (
    "Set 2 (2 doubtful tiles) has no more than 2 tiles, and a set has at least 3, "
    "however the doubtful tiles are read."
)


def test_findings_hold_in_every_reading() -> None:
    ruling = judge_reading(reading("K7 K8 K9/B9 | R4"), PRESSMAN)
    assert ruling.verdict is ILLEGAL
    assert [(finding.code, finding.meld) for finding in ruling.findings] == [("LOOSE_TILE", 1)]


@pytest.mark.parametrize(
    ("row", "code", "which", "why"),
    [
        ("K7 K9 K10/B2", "RUN_GAP", "black 7, black 9 and a doubtful tile",
         "a number is missing between the tiles (black 7, black 9 and black 10)."),
        ("R13 R1/R7 R2", "SET_INVALID", "red 13, a doubtful tile and red 2",
         "1 does not follow 13 (red 13, red 1 and red 2)."),
    ],
)  # fmt: skip
def test_a_set_wrong_whatever_its_doubtful_tile_is_has_the_name_of_the_fault_that_is_always_there(
    row: str, code: str, which: str, why: str
) -> None:
    (finding,) = judge_reading(reading(row), PRESSMAN).findings
    assert (finding.code, finding.meld) == (code, 0)
    assert finding.message == (
        f"Set 1 ({which}) is no legal set, however the doubtful tiles are read. Most likely: {why}"
    )


@pytest.mark.parametrize(
    ("arrangements", "why"),
    [
        (("K7 K8 K9 | R13 R1/R7 R2",), "1 does not follow 13 (red 13, red 1 and red 2)."),
        # Which tiles lie together is in doubt elsewhere, and its number in the likeliest is another.
        (
            ("K1 K2 | K3 K4 K5 | R13 R1/R7 R2", "K1 K2 K3 K4 K5 | R13 R1/R7 R2"),
            "1 does not follow 13 (red 13, red 1 and red 2).",
        ),
    ],
)
def test_a_set_wrong_in_different_ways_is_told_as_it_most_likely_is(
    arrangements: tuple[str, ...], why: str
) -> None:
    (finding,) = judge_reading(reading(*arrangements), PRESSMAN).findings
    assert finding.code == "SET_INVALID"
    assert finding.message.endswith(f". Most likely: {why}")


@pytest.mark.parametrize(
    ("table", "code", "message"),
    [
        ("K1 K2 K3 | B9/B6 O9/O6", "SET_TOO_SHORT", TOO_FEW),
        ("K1 K2 K3 | B9/B6 O9/O6!", "SET_TOO_SHORT", TOO_FEW),
        ("K1 K2 K3 | B9/J R4/K7", "SET_TOO_SHORT", TOO_FEW),
        (
            "K1 K2 K3 | R4/R1",
            "LOOSE_TILE",
            "A doubtful tile lies alone, however the doubtful tiles are read.",
        ),
    ],
)
def test_too_few_tiles_are_told_as_such_whatever_they_are(
    table: str, code: str, message: str
) -> None:
    (finding,) = judge_reading(reading(table), PRESSMAN).findings
    assert (finding.code, finding.meld, finding.message) == (code, 1, message)


def test_one_tile_that_may_be_none_is_no_loose_tile_for_sure() -> None:
    ruling = judge_reading(reading("K1 K2 K3 | R4/R1!"), PRESSMAN)
    assert (ruling.verdict, ruling.findings) == (ASK, ())


@pytest.mark.parametrize(
    ("arrangements", "doubt", "likely"),
    [
        (("K1 K3 | K3 K9", "K1 K3 K3 | K9"), "the tiles lie together", "Set 1: only"),
        (
            ("K1 | K2/K5 O9 R3", "K1 K2/K5 O9 | R3"),
            "the doubtful tiles are read and lie together",
            "Black 1 lies alone.",
        ),
        (  # a fault of sure tiles goes before one of doubtful ones
            ("K2/K5 O9 R3 | K1", "K2/K5 O9 | R3 K1"),
            "the doubtful tiles are read and lie together",
            "Black 1 lies alone.",
        ),
    ],
)
def test_a_finding_says_what_was_in_doubt_and_what_it_most_likely_is(
    arrangements: tuple[str, ...], doubt: str, likely: str
) -> None:
    (finding,) = judge_reading(reading(*arrangements), PRESSMAN).findings
    assert finding.message.startswith(f"However {doubt}, this is not legal. Most likely: {likely}")


def test_a_sure_tile_counts_as_its_first_candidate() -> None:
    sure = TileReading(
        (Candidate(parse_tile("K9"), 0.99), Candidate(parse_tile("B9"), 0.01)), sure=True
    )
    seen = LayoutReading((tile_reading("K7"), tile_reading("K8"), sure), (((0, 1, 2),),))
    assert judge_reading(seen, PRESSMAN).verdict is LEGAL


def test_an_impossible_reading_asks_for_a_tile_and_accuses_nobody() -> None:
    ruling = judge_reading(reading("K7 K8 K9 | K7 B7 R7 | K7 B7 O7"), PRESSMAN)
    assert ruling.verdict is ASK
    assert ruling.questions[0].kind == "tile"
    assert ruling.questions[0].tile in (0, 3, 6)


def test_many_unread_tiles_are_asked_for_one_by_one() -> None:
    ruling = judge_reading(reading("? ? ? | ? ? ?"), PRESSMAN)
    assert ruling.verdict is ASK
    assert ruling.questions[0].tile == 0


def test_a_broken_set_is_found_even_among_too_many_readings() -> None:
    ruling = judge_reading(reading("? ? ? | ? ? ? | K1 B5 R9"), PRESSMAN)
    assert ruling.verdict is ILLEGAL
    assert {finding.meld for finding in ruling.findings} == {2}
    ruling = judge_reading(reading("? ? ? | ? ? ? | K1 B5 R9/R8"), PRESSMAN)
    assert [(finding.code, finding.meld) for finding in ruling.findings] == [("SET_INVALID", 2)]


RUNS = " | ".join(f"{c}{n} {c}{n + 1} {c}{n + 2}" for c in "KB" for n in (1, 4, 7, 10))
"""Eight sets, so that with twelve more there are sixty tiles on the table."""


def groups(last: str) -> str:
    """Twelve groups of three, each with the same kind of doubt about its last tile: `#` is the number
    of its group, `@` the next."""
    lasts = [last.replace("#", str(n)).replace("@", str(n + 1)) for n in range(1, 13)]
    return " | ".join(f"K{n} B{n} {last}" for n, last in enumerate(lasts, 1))


@pytest.mark.parametrize(
    ("last", "verdict", "asked_of"),
    [
        # 4096 readings, and all of them legal
        ("R#/O#", LEGAL, None),
        # all but one of them not
        ("R#/R@", ASK, "tile 3"),
        ("R#~", ASK, "tile 3"),
        # and however each is read, none is
        ("O@/R@", ILLEGAL, None),
    ],
)
def test_twelve_doubts_on_a_table_of_sixty_tiles_are_judged_exactly(
    last: str, verdict: Verdict, asked_of: str | None
) -> None:
    ruling = judge_reading(reading(f"{groups(last)} | {RUNS}"), PRESSMAN)
    assert ruling.verdict is verdict
    told = [question.text.lower().partition(" of ")[0] for question in ruling.questions]
    assert told == ([] if asked_of is None else [asked_of])


def test_twelve_doubts_about_tiles_of_the_table_before_are_judged_exactly() -> None:
    """Each was red and may be read as orange: then red is missing, which is not legal."""
    before = parse_layout(f"{groups('R#')} | {RUNS}")
    seen = reading(f"{groups('R#/O#')} | {RUNS} | O10 O11 O12")
    ruling = ruled(seen, before)
    assert (ruling.verdict, ruling.questions[0].tile) == (ASK, 2)
    for number in range(12):
        seen = seen.with_tile(3 * number + 2, parse_tile(f"R{number + 1}"))
    assert ruled(seen, before).verdict is LEGAL


def test_a_tile_that_decides_nothing_is_not_asked_for_among_many() -> None:
    seen = reading(f"{groups('R#/O#')} | {RUNS.replace('K3', 'K3/B13')}")
    (question,) = judge_reading(seen, PRESSMAN).questions
    assert question.options == ("K3", "B13")


def test_a_doubtful_tile_in_a_turn() -> None:
    """The tile that came is R6 or B6: only one of them was on the rack."""
    before = parse_layout("R3 R4 R5")
    seen = reading("R3 R4 R5 R6/B6")
    ruling = ruled(seen, before)
    assert ruling.verdict is ASK
    assert ruling.questions[0].options == ("R6", "B6")
    known = Turn(before, Layout(), parse_tiles("B6 R9"), (), opened=True)
    sure = judge_reading(TurnReading(reading("R3 R4 R5 R9/B6"), known), PRESSMAN)
    assert sure.verdict is ILLEGAL


def test_a_house_rule_is_asked_when_no_tile_is_in_doubt() -> None:
    ruling = ruled(reading("B3 B4 B5 | J R8 R9"), parse_layout("B3 B4 B5 J"))
    assert ruling.questions[0].rule == "joker.free_removal"


def test_a_reading_prints_its_doubts() -> None:
    seen = reading("K7 K6/R6 ? | O1")
    assert seen.text() == "K7 K6? ? | O1"
    assert str(seen.layout()) == "K7 K6 | O1"
    assert LayoutReading.certain(parse_layout("K7 K8 | O1")).text() == "K7 K8 | O1"


def test_an_arrangement_holds_every_tile_once() -> None:
    tiles = (tile_reading("K7"), tile_reading("K8"))
    for arrangement in (((0,),), ((0, 1), (1,)), ((0, 1), ())):
        with pytest.raises(ValueError, match="arrangement"):
            LayoutReading(tiles, (arrangement,))
    with pytest.raises(ValueError, match="order of their probability"):
        TileReading(
            (Candidate(parse_tile("K7"), 0.1), Candidate(parse_tile("K8"), 0.9)), sure=False
        )
