"""No more of a tile than there are, and nothing else, corrects what was read."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.layout import Candidate, TileReading
from engine.tiles import JOKER, TILES, Tile, parse_tile
from vision.physical_facts import least_cost, with_facts
from vision.reader import open_table_reader
from vision.rendering import RenderedTable, TilePose


def reading(text: str) -> TileReading:
    """``K6`` for a sure tile, ``K6 .7 K9 .3`` for a doubtful one, ``?`` for an unread one."""
    words = text.split()
    if text == "?":
        return TileReading((), sure=False)
    if len(words) == 1:
        return TileReading.certain(parse_tile(text))
    pairs = zip(words[::2], words[1::2], strict=True)
    return TileReading(tuple(Candidate(parse_tile(t), float(p)) for t, p in pairs), sure=False)


def read(*texts: str, known: tuple[str, ...] = ()) -> list[str]:
    """Each tile as it is displayed, after the facts of a set of 106."""
    tiles = [reading(text) for text in texts]
    return [str(tile) for tile in with_facts(tiles, 2, 2, [parse_tile(t) for t in known])]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["K6", "K6 .7 K9 .3"], ["K6", "K6?"], id="one is left"),
        pytest.param(["K6", "K6", "K6 .7 K9 .3"], ["K6", "K6", "K9"], id="none is left"),
        pytest.param(["K6", "K6", "K6 .7 K9 .2"], ["K6", "K6", "K9?"], id="something rarer may be"),
        pytest.param(
            ["K6", "K6", "K6 .7 K9 .2 K8 .1"], ["K6", "K6", "K9?"], id="two possibilities"
        ),
        pytest.param(["K9", "K9", "K6 .7 K9 .3"], ["K9", "K9", "K6"], id="the rival is struck"),
        pytest.param(
            ["K6 .9 K9 .1", "K6 .8 K9 .2", "K6 .6 K9 .4"], ["K6?", "K6?", "K9?"], id="three for two"
        ),
        pytest.param(["J", "J", "J .9 K1 .1"], ["J", "J", "K1"], id="jokers"),
        pytest.param(["K6", "K6", "K6"], ["K6?", "K6?", "K6?"], id="one of three was misread"),
        pytest.param(
            ["K6", "K6", "K6", "K6 .7 K9 .3"],
            ["K6?", "K6?", "K6?", "K9"],
            id="and no fourth is left",
        ),
        pytest.param(
            ["J", "J", "J", "K6"], ["J?", "J?", "J?", "K6"], id="one of three jokers, too"
        ),
        pytest.param(["K6", "K6", "K6 .999"], ["K6", "K6", "?"], id="nothing listed is left"),
        pytest.param(["?", "K6 .7 K9 .3"], ["?", "K6?"], id="unread ones say nothing"),
    ],
)
def test_what_the_facts_leave(texts: list[str], expected: list[str]) -> None:
    assert read(*texts) == expected


def test_tiles_known_from_elsewhere_count() -> None:
    assert read("K6", "K6 .7 K9 .3", known=("K6",)) == ["K6", "K9"]


def test_what_may_be_no_tile_stays_doubtful() -> None:
    maybe = TileReading(reading("K6 .7 K9 .3").candidates, sure=False, may_be_none=True)
    *_, last = with_facts([reading("K6"), reading("K6"), maybe], 2, 2)
    assert (str(last), last.may_be_none) == ("K9?", True)


def test_of_too_many_sure_ones_each_may_be_what_it_hardly_was() -> None:
    """Two of three are that kind: each of them is it with two thirds, whatever the reader said."""
    hinted = replace(reading("K6"), unlikely=reading("K9 .0003 B6 .0001").candidates)
    table = [hinted, reading("K6"), reading("K6"), reading("B6"), reading("B6")]
    first, second, *others = with_facts(table, 2, 2)
    assert [str(candidate.tile) for candidate in first.candidates] == ["K6", "K9"]
    assert [c.probability for c in first.candidates] == pytest.approx([2 / 3, 1 / 4])
    assert [c.probability for c in second.candidates] == pytest.approx([2 / 3])
    assert [str(tile) for tile in others] == ["K6?", "B6", "B6"]


KINDS = [*TILES[:4], JOKER]


@st.composite
def tables(draw: st.DrawFn) -> list[TileReading]:
    found = []
    for _ in range(draw(st.integers(0, 6))):
        kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True))
        if draw(st.booleans()):
            found.append(TileReading.certain(kinds[0]))
            continue
        shares = sorted(
            draw(st.lists(st.integers(1, 30), min_size=len(kinds), max_size=len(kinds))),
            reverse=True,
        )
        candidates = tuple(
            Candidate(kind, share / 100) for kind, share in zip(kinds, shares, strict=True)
        )
        found.append(TileReading(candidates, sure=False))
    return found


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_tiles_is_no_fact(tiles: list[TileReading], rng: Random) -> None:
    """What lies beside what, and so what is legal, cannot colour what is read."""
    order = list(range(len(tiles)))
    rng.shuffle(order)
    there = with_facts(tiles, 2, 2)
    elsewhere = with_facts([tiles[number] for number in order], 2, 2)
    for place, number in enumerate(order):
        one, other = there[number], elsewhere[place]
        assert (one.sure, one.may_be_none) == (other.sure, other.may_be_none)
        chances = [{c.tile: c.probability for c in item.candidates} for item in (one, other)]
        assert chances[0] == pytest.approx(chances[1])


@given(tables())
def test_sure_tiles_stay_unless_there_are_too_many_and_nothing_is_read_that_was_no_candidate(
    tiles: list[TileReading],
) -> None:
    sure = Counter(tile.best for tile in tiles if tile.sure)
    for before, after in zip(tiles, with_facts(tiles, 2, 2), strict=True):
        if before.sure and sure[before.best] <= 2:
            assert after is before
        elif before.sure:
            assert (after.best, after.sure) == (before.best, False)
        assert {c.tile for c in after.candidates} <= {c.tile for c in before.candidates}


@given(tables())
def test_where_there_are_enough_of_each_nothing_changes(tiles: list[TileReading]) -> None:
    assert with_facts(tiles, 99, 99) == tuple(tiles)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(0, 2))
def test_the_least_cost_is_that_of_the_best_of_all_assignments(
    seed: int, rows: int, more: int
) -> None:
    costs = np.random.default_rng(seed).uniform(0, 10, (rows, rows + more))
    every = (
        sum(costs[row, column] for row, column in enumerate(columns))
        for columns in permutations(range(rows + more), rows)
    )
    assert least_cost(costs) == pytest.approx(min(every))


def test_an_illegal_table_is_read_as_well_as_a_legal_one() -> None:
    """The same tiles in the same places, in melds that are sets and in melds that are none."""
    legal = ["K7", "K8", "K9", "R10", "B10", "O10", "B1", "B2", "B3", "J"]
    illegal = ["K7", "R10", "B2", "K9", "J", "B1", "O10", "B3", "K8", "B10"]
    assert sorted(legal) == sorted(illegal)
    reader, table = open_table_reader(threads=1), RenderedTable(seed=11)

    def seen(labels: list[str]) -> list[Tile | None]:
        poses = [
            TilePose(label, -120 + 27 * (k % 3) + 100 * (k // 6), -50 + 50 * (k // 3 % 2), 0.0)
            for k, label in enumerate(labels)
        ]
        placements = reader.read(table.picture(poses, noise_seed=1).pixels_bgr)
        placements.sort(key=lambda p: (round(p.centre_xy[1] / 40), p.centre_xy[0]))
        return sorted(
            (tile.best for tile in with_facts([p.reading for p in placements], 2, 2)), key=str
        )

    assert seen(legal) == seen(illegal) == sorted(map(parse_tile, legal), key=str)
