"""Doubtful readings: never accused wrongly, never acquitted by wishful reading."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.layout import Candidate, Layout, LayoutReading, TileReading, parse_layout
from engine.melds import parse_tiles
from engine.referee import MOST_READINGS, Turn, Verdict, judge, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import TILES, Tile, parse_tile

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK
PRESSMAN = load_ruleset("pressman")


def tile_reading(text: str) -> TileReading:
    """`K7` sure, `K6/R6` doubtful between the two, `K7~` 97 % and otherwise anything, `?` unread;
    `!` behind it says that there may be no tile."""
    may_be_none = text.endswith("!")
    text = text.removesuffix("!")
    if text == "?":
        return TileReading((), False, may_be_none)
    names = text.removesuffix("~").split("/")
    left = 0.97 if text.endswith("~") else 1.0
    chances = (
        [left] if len(names) == 1 else [0.6, *[(left - 0.6) / (len(names) - 1)] * (len(names) - 1)]
    )
    candidates = tuple(
        Candidate(parse_tile(name), chance) for name, chance in zip(names, chances, strict=True)
    )
    sure = len(names) == 1 and left == 1.0 and not may_be_none
    return TileReading(candidates, sure, may_be_none)


def reading(*arrangements: str) -> LayoutReading:
    """A reading from texts that part the same tiles in different ways."""
    tiles = tuple(tile_reading(word) for word in arrangements[0].replace("|", " ").split())
    parted = []
    for text in arrangements:
        count, melds = 0, []
        for meld in text.split("|"):
            length = len(meld.split())
            melds.append(tuple(range(count, count + length)))
            count += length
        parted.append(tuple(melds))
    return LayoutReading(tiles, tuple(parted))


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
        # too many readings to play through: the least certain tile that may decide something
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


def test_findings_hold_in_every_reading() -> None:
    ruling = judge_reading(reading("K7 K8 K9/B9 | R4"), PRESSMAN)
    assert ruling.verdict is ILLEGAL
    assert [(finding.code, finding.meld) for finding in ruling.findings] == [("LOOSE_TILE", 1)]


def test_a_set_wrong_in_different_ways_is_told_as_wrong_only() -> None:
    ruling = judge_reading(reading("K7 K9 K10/B2"), PRESSMAN)
    assert ruling.verdict is ILLEGAL
    assert [finding.code for finding in ruling.findings] == ["SET_INVALID"]
    assert "however" in ruling.findings[0].message


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
    assert [(finding.code, finding.meld) for finding in ruling.findings] == [("SET_INVALID", 2)]


def test_many_doubts_that_do_not_matter_are_legal() -> None:
    groups = " | ".join(f"K{n} B{n} R{n}/O{n}" for n in range(1, 13))
    assert judge_reading(reading(groups), PRESSMAN).verdict is LEGAL


def test_a_doubtful_tile_in_a_turn() -> None:
    """The tile that came is R6 or B6: only one of them was on the rack."""
    before = parse_layout("R3 R4 R5")
    seen = reading("R3 R4 R5 R6/B6")
    ruling = judge_reading(seen, PRESSMAN, before, opened=True)
    assert ruling.verdict is ASK
    assert ruling.questions[0].options == ("R6", "B6")
    sure = judge_reading(
        reading("R3 R4 R5 R9/B6"),
        PRESSMAN,
        before,
        rack_before=parse_tiles("B6 R9"),
        rack_after=(),
        opened=True,
    )
    assert sure.verdict is ILLEGAL


few_tiles = st.sampled_from([parse_tile(name) for name in ("K1", "K2", "K3", "B1", "R1", "J")])
doubtful = st.lists(few_tiles, min_size=1, max_size=3, unique=True)


@given(st.lists(doubtful, min_size=3, max_size=4), st.none() | st.lists(few_tiles, max_size=3))
def test_the_verdict_is_that_of_every_possible_table(
    kinds: list[list[Tile]], lay_before: list[Tile] | None
) -> None:
    """Written out: every table the tiles may form is judged by itself."""
    seen = LayoutReading(
        tuple(
            TileReading(tuple(Candidate(tile, 1 / len(kind)) for tile in kind), len(kind) == 1)
            for kind in kinds
        ),
        ((tuple(range(len(kinds))),),),
    )
    before = None if lay_before is None else Layout.of([lay_before] if lay_before else [])
    tables = [row for row in product(*kinds) if max(Counter(row).values()) <= 2]
    ruling = judge_reading(seen, PRESSMAN, before, opened=True)
    verdicts = {
        judge(Turn(before, Layout.of([row]), opened=True), PRESSMAN).verdict for row in tables
    }
    assert ruling.verdict is (verdicts.pop() if len(verdicts) == 1 else ASK)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(doubtful, st.booleans()), min_size=2, max_size=4),
    st.none() | st.integers(0, 3),
    st.none() | st.lists(few_tiles, max_size=3),
)
def test_the_verdict_holds_for_whatever_lies_there(
    row: list[tuple[list[Tile], bool]], opened_up: int | None, lay_before: list[Tile] | None
) -> None:
    """Written out once more, with tiles that may be none and one that may be anything."""
    readings, kinds = [], []
    for index, (names, may_be_none) in enumerate(row):
        anything = index == opened_up
        chance = (0.9 if anything else 1.0) / len(names)
        sure = len(names) == 1 and not may_be_none and not anything
        candidates = tuple(Candidate(tile, chance) for tile in names)
        readings.append(TileReading(candidates, sure, may_be_none))
        kinds.append([*(TILES if anything else names), *([None] if may_be_none else [])])
    seen = LayoutReading(tuple(readings), ((tuple(range(len(row))),),))
    before = None if lay_before is None else Layout.of([lay_before] if lay_before else [])
    verdicts = set()
    for tiles in product(*kinds):
        if max(Counter(filter(None, tiles)).values(), default=0) > 2:
            continue
        for gaps in product((" ", " | "), repeat=tiles.count(None)):
            left = iter(gaps)
            text = "".join(next(left) if tile is None else f" {tile}" for tile in tiles)
            after = parse_layout(" | ".join(part for part in text.split("|") if part.strip()))
            verdicts.add(judge(Turn(before, after, opened=True), PRESSMAN).verdict)
    ruling = judge_reading(seen, PRESSMAN, before, opened=True)
    if ruling.verdict is ASK:
        assert ruling.questions
        assert not ruling.findings or LEGAL not in verdicts
    else:
        assert verdicts == {ruling.verdict}
    if prod(map(len, kinds)) * 2 ** max(0, len(row) - 2) <= MOST_READINGS and len(verdicts) > 1:
        assert ruling.verdict is ASK


def test_a_house_rule_is_asked_when_no_tile_is_in_doubt() -> None:
    ruling = judge_reading(
        reading("B3 B4 B5 | J R8 R9"), PRESSMAN, parse_layout("B3 B4 B5 J"), opened=True
    )
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
