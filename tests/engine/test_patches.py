"""Where it is in doubt which tiles lie together, each patch of the table is asked about by itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.layout import LayoutReading, TileReading
from engine.melds import parse_tiles
from engine.patches import Patch, Way, lies_in, lying_in, patches_of, with_all_ways
from engine.referee import Verdict, judge_reading
from engine.ruleset import load_ruleset

PRESSMAN = load_ruleset("pressman")
TWO_ROWS = (((0, 1), (2, 3), (4,)), ((0, 1, 2, 3), (4,)), ((0, 1), (2, 3, 4)))
"""Two gaps with a row between them."""

RUNS = ("K1 K2 K3", "B1 B2 B3", "R1 R2 R3", "O1 O2 O3", "K7 K8 K9", "B7 B8 B9", "R7 R8 R9")
GROUPS = (
    "K5 B5 R5",
    "B6 R6 O6",
    "K10 R10 O10",
    "K11 B11 O11",
    "K12 B12 R12",
    "K13 B13 R13",
    "K4 B4 O4",
)


def table(pairs: Sequence[str], *, every: bool = False, alone: str = "") -> LayoutReading:
    """Rows of two sets each, parted where it says ``|``, as a layout reader lists them: most likely so,
    and each row by itself the other way; or all ways together."""
    tiles = [
        TileReading.certain(t)
        for pair in (*pairs, alone)
        for t in parse_tiles(pair.replace("|", " "))
    ]
    likeliest: list[Way] = []
    other: list[Way] = []
    count = 0
    for pair in pairs:
        numbers = tuple(range(count, count + len(pair.replace("|", " ").split())))
        cut = len(pair.partition("|")[0].split()) if "|" in pair else 3
        ways = [(numbers[:cut], numbers[cut:]), (numbers,)]
        likeliest.append(ways[0] if "|" in pair else ways[1])
        other.append(ways[1] if "|" in pair else ways[0])
        count += len(numbers)
    rest: Way = (tuple(range(count, len(tiles))),) if alone else ()
    listed = [
        likeliest,
        *([*likeliest[:n], way, *likeliest[n + 1 :]] for n, way in enumerate(other)),
    ]
    arrangements = [(*(meld for way in ways for meld in way), *rest) for ways in listed]
    if every:
        arrangements = list(with_all_ways(arrangements, 10_000)[0])
    return LayoutReading(tuple(tiles), tuple(arrangements))


def rows(parted: Sequence[bool]) -> list[str]:
    """So many rows, each a run and a group, parted or joined."""
    halves = zip(RUNS, GROUPS, parted, strict=False)
    return [
        f"{run} | {group}" if is_parted else f"{run} {group}" for run, group, is_parted in halves
    ]


def test_tiles_that_one_arrangement_joins_and_another_parts_are_one_patch() -> None:
    (patch,) = patches_of(TWO_ROWS)
    assert patch == Patch(frozenset(range(5)), TWO_ROWS)


def test_patches_that_hang_together_by_nothing_are_apart() -> None:
    apart = (((0,), (1,), (2, 3), (4,)), ((0, 1), (2, 3), (4,)), ((0,), (1,), (3, 2), (4,)))
    one, other = patches_of(apart)
    assert one == Patch(frozenset((0, 1)), (((0,), (1,)), ((0, 1),)))
    assert other == Patch(frozenset((2, 3)), (((2, 3),), ((3, 2),)))
    assert patches_of(apart[:1]) == ()


def test_every_way_of_one_patch_goes_with_every_way_of_another() -> None:
    apart = (((0,), (1,), (2, 3)), ((0, 1), (2, 3)), ((0,), (1,), (3, 2)))
    found, are_all = with_all_ways(apart)
    assert found == (*apart, ((0, 1), (3, 2)))
    assert are_all
    assert with_all_ways(apart, 3) == (apart, False)
    assert with_all_ways(TWO_ROWS) == (TWO_ROWS, True)


def test_what_is_known_of_one_patch_leaves_the_others_in_doubt() -> None:
    apart = (((0,), (1,), (2, 3)), ((0, 1), (2, 3)), ((0,), (1,), (3, 2)))
    patch = patches_of(apart)[0]
    left = lying_in(apart, patch, patch.ways[1:])
    assert left == (((0, 1), (2, 3)), ((0, 1), (3, 2)))
    assert all(lies_in(melds, patch.ways[1]) for melds in left)


def test_one_patch_is_asked_about_at_a_time() -> None:
    """Three rows may each be one set or two: eight layouts, and no question about more than one row."""
    seen = table(rows([True, False, True]))
    asked = []
    while (ruling := judge_reading(seen, PRESSMAN)).verdict is Verdict.ASK:
        (question,) = ruling.questions
        assert len(question.options) == 2
        assert len(question.tiles) == 6
        asked.append(question.tiles)
        parted = next(option for option in question.options if " | " in option)
        seen = seen.lying_as(parted)
    assert ruling.verdict is Verdict.LEGAL
    assert len(set(asked)) == len(asked) == 3


@pytest.mark.parametrize("several", [4, 5])
def test_nobody_is_accused_though_only_two_patches_together_lie_otherwise(several: int) -> None:
    """Most likely two rows of one set each are none; no single other way listed is legal."""
    seen = table(rows([False, False, *[True] * (several - 2)]))
    assert judge_reading(seen, PRESSMAN).verdict is Verdict.ASK
    for _ in range(2):
        (question,) = judge_reading(seen, PRESSMAN).questions
        assert question.tiles[0] in (0, 6)
        seen = seen.lying_as(next(option for option in question.options if " | " in option))
    for _ in range(several - 2):
        (question,) = judge_reading(seen, PRESSMAN).questions
        seen = seen.lying_as(next(option for option in question.options if " | " in option))
    assert judge_reading(seen, PRESSMAN).verdict is Verdict.LEGAL


def test_more_ways_than_are_weighed_accuse_nobody() -> None:
    joined = table(rows([False] * 7))
    ruling = judge_reading(joined, PRESSMAN)
    assert ruling.verdict is Verdict.ASK
    assert ruling.questions[0].kind == "arrangement"
    assert len(ruling.questions[0].options) == 2
    # But a set of which nothing is in doubt is wrong all the same.
    ruling = judge_reading(table(rows([False] * 7), alone="K1 R9 O4"), PRESSMAN)
    assert ruling.verdict is Verdict.ILLEGAL
    assert {finding.meld for finding in ruling.findings} == {7}


def test_an_answer_that_does_not_lie_there_is_refused() -> None:
    seen = table(rows([True, True]))
    with pytest.raises(ValueError, match="may lie as K1"):
        seen.lying_as("K1 K2")
    first, *_ = seen.arrangements
    with pytest.raises(ValueError, match="in doubt"):
        seen.with_arrangement(0).lying_as(table(rows([True])).text())
    assert seen.lying_as(table(rows([True])).text()).arrangements[0] == first


@settings(max_examples=40)
@given(
    st.lists(st.booleans(), min_size=1, max_size=5), st.sampled_from(["", "K1 R9 O4", "O7 O8 O9"])
)
def test_ways_that_are_not_listed_are_weighed_as_if_they_were(
    parted: list[bool], alone: str
) -> None:
    listed = table(rows(parted), alone=alone)
    every = table(rows(parted), every=True, alone=alone)
    assert len(every.arrangements) == 2 ** len(parted)
    one, other = judge_reading(listed, PRESSMAN), judge_reading(every, PRESSMAN)
    assert one.verdict is other.verdict
    assert {item.code for item in one.findings} == {item.code for item in other.findings}
    assert one.questions == other.questions
