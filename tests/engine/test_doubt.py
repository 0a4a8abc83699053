"""Doubtful readings: never accused wrongly, never acquitted by wishful reading."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.layout import Candidate, Layout, LayoutReading, TileReading, parse_layout
from engine.melds import parse_tiles
from engine.referee import Turn, Verdict, judge, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import Tile, parse_tile

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK
PRESSMAN = load_ruleset("pressman")


def tile_reading(text: str) -> TileReading:
    """`K7` sure, `K6/R6` doubtful between the two, `?` unread."""
    if text == "?":
        return TileReading((), sure=False)
    names = text.split("/")
    chances = [1.0] if len(names) == 1 else [0.6, *[0.3 / (len(names) - 1)] * (len(names) - 1)]
    candidates = tuple(
        Candidate(parse_tile(name), chance) for name, chance in zip(names, chances, strict=True)
    )
    return TileReading(candidates, sure=len(names) == 1)


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
            TileReading(tuple(Candidate(tile, 0.3) for tile in kind), sure=len(kind) == 1)
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
