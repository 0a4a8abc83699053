"""The solver against a slow one that tries everything, on decks small enough for that.

The slow one shares nothing with the solver or with `engine.sets`: it lists what sets there are, takes
the first tile left over, and tries every set that holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from engine.layout import Layout
from engine.melds import parse_tiles
from engine.ruleset import RuleSet, load_ruleset
from engine.sets import is_set
from engine.solver import arrange, best_opening, best_play
from engine.tiles import Tile

PLAIN = load_ruleset("pressman", {"joker.max_per_set": 2})
ACE_HIGH = load_ruleset("pressman", {"run.wrap": "high_or_low", "joker.max_per_set": 2})
SUITS = "KBR"
Heap = tuple[str, ...]
"""Tiles in the notation, sorted: a joker comes after B and before K."""


class SlowSolver:
    """Every answer by trying everything, for a deck of three suits and a few numbers."""

    def __init__(self, tiles: Iterable[str], *, ace_high: bool = False) -> None:
        deck = {*tiles, "J"}
        self.sets = sorted(item for item in set(_list_sets(ace_high)) if deck.issuperset(item[0]))
        self.by_tile = {tile: [item for item in self.sets if tile in item[0]] for tile in deck}
        self.arrangeable = cache(self._arrangeable)

    def _arrangeable(self, heap: Heap) -> int | None:
        """The most the tiles are worth parted into sets; None when they cannot be."""
        if not heap:
            return 0
        best: int | None = None
        have = Counter(heap)
        for content, worth in self.by_tile[heap[-1]]:
            if not Counter(content) - have:
                rest = self.arrangeable(tuple(sorted((have - Counter(content)).elements())))
                if rest is not None:
                    best = max(best or 0, rest + worth)
        return best

    def plays(self, table: Iterable[str], rack: Iterable[str]) -> list[Heap]:
        """Every part of the rack that can be put down."""
        kinds = Counter(rack)
        found = []
        for counts in product(*(range(count + 1) for count in kinds.values())):
            played = [tile for tile, count in zip(kinds, counts, strict=True) for _ in range(count)]
            if self.arrangeable(tuple(sorted((*table, *played)))) is not None:
                found.append(tuple(sorted(played)))
        return found


def _list_sets(ace_high: bool) -> Iterator[tuple[Heap, int]]:
    """The tiles of every set with at most two jokers, and what it is worth at an opening."""
    numbers = [*range(1, 14), *([1] if ace_high else [])]
    for suit in "KBRO":
        for length in range(3, 14):
            for start in range(len(numbers) - length + 1):
                window = numbers[start : start + length]
                yield from with_jokers([f"{suit}{number}" for number in window], sum(window))
    for number in range(1, 14):
        for length in (3, 4):
            for suits in combinations("KBRO", length):
                yield from with_jokers([f"{suit}{number}" for suit in suits], number * length)


def with_jokers(tiles: list[str], worth: int) -> Iterator[tuple[Heap, int]]:
    for count in range(3):
        for places in combinations(range(len(tiles)), count):
            if count < len(tiles):
                row = ["J" if place in places else tile for place, tile in enumerate(tiles)]
                yield tuple(sorted(row)), worth


def printed(heap: Iterable[str]) -> int:
    return sum(int(tile[1:]) for tile in heap if tile != "J")


def texts(tiles: Iterable[Tile]) -> list[str]:
    return [str(tile) for tile in tiles]


def random_position(
    random: Random, numbers: tuple[int, ...], oracle: SlowSolver
) -> tuple[list[str], list[str]]:
    """A table, four times in five of whole sets, and a rack, from one deck of two copies."""
    deck = Counter({f"{suit}{number}": 2 for suit in SUITS for number in numbers}) + Counter(J=2)
    table: list[str] = []
    if random.random() < 0.8:
        for _ in range(random.randint(0, 3)):
            content, _ = random.choice(oracle.sets)
            if not Counter(content) - deck:
                deck -= Counter(content)
                table += content
    else:
        table = random.sample(sorted(deck.elements()), random.randint(1, 9))
        deck -= Counter(table)
    pool = sorted(deck.elements())
    return table, random.sample(pool, min(len(pool), random.randint(0, 7)))


@pytest.mark.parametrize(
    ("rules", "numbers", "seed"),
    [
        (PLAIN, (1, 2, 3, 4), 1),
        (PLAIN, (10, 11, 12, 13), 2),
        (PLAIN, (1, 2, 12, 13), 3),
        (PLAIN, (4, 5, 7, 8), 4),
        (ACE_HIGH, (1, 2, 12, 13), 5),
        (ACE_HIGH, (1, 11, 12, 13), 6),
    ],
)
def test_the_answers_are_those_of_trying_everything(
    rules: RuleSet, numbers: tuple[int, ...], seed: int
) -> None:
    tiles = [f"{suit}{number}" for suit in SUITS for number in numbers]
    oracle = SlowSolver(tiles, ace_high=rules is ACE_HIGH)
    random = Random(seed)
    for _ in range(150):
        table, rack = random_position(random, numbers, oracle)
        where = (table, rack)
        layout = Layout.of([tile] for tile in parse_tiles(" ".join(table)))
        hand = parse_tiles(" ".join(rack))
        plays = oracle.plays(table, rack)
        by_tiles, by_points = (
            best_play(layout, hand, rules, objective) for objective in ("tiles", "points")
        )
        if not plays:
            assert by_tiles is None, where
            assert by_points is None, where
        else:
            assert by_tiles is not None, where
            assert by_points is not None, where
            assert by_tiles.count == max(map(len, plays)), where
            assert by_points.points == max(map(printed, plays)), where
            for play in (by_tiles, by_points):
                after = play.table_after
                assert Counter(texts(after.tiles)) == Counter([*table, *texts(play.placed)]), where
                assert all(is_set(meld.tiles, rules) for meld in after.melds), where
        arranged = arrange(layout.tiles, rules)
        assert (arranged is None) == (() not in plays), where
        worth = max(oracle.arrangeable(play) or 0 for play in oracle.plays((), rack))
        assert best_opening(hand, rules)[0] == worth, where


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_one_suit_of_four_numbers_exhaustively(jokers: int) -> None:
    """Every table of reds 1 to 4, each none, once or twice, with and without jokers."""
    oracle = SlowSolver(f"R{number}" for number in range(1, 5))
    for counts in product(range(3), repeat=4):
        heap = [f"R{number}" for number, count in enumerate(counts, 1) for _ in range(count)]
        tiles = [*heap, *["J"] * jokers]
        wanted = oracle.arrangeable(tuple(sorted(tiles))) is not None
        assert (arrange(parse_tiles(" ".join(tiles)), PLAIN) is not None) == wanted, tiles


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_one_number_of_four_suits_exhaustively(jokers: int) -> None:
    """Every table of sevens, each none, once or twice, with and without jokers."""
    oracle = SlowSolver(f"{suit}7" for suit in "KBRO")
    for counts in product(range(3), repeat=4):
        heap = [
            f"{suit}7" for suit, count in zip("KBRO", counts, strict=True) for _ in range(count)
        ]
        tiles = [*heap, *["J"] * jokers]
        wanted = oracle.arrangeable(tuple(sorted(tiles))) is not None
        assert (arrange(parse_tiles(" ".join(tiles)), PLAIN) is not None) == wanted, tiles
