"""The referee against a slow one that tries everything (`slow_referee.py`), on small decks.

The decks have three colours, four numbers and two jokers, of each tile two. What is the same but for
the names of the colours is compared once. `MELDWATCH_EXHAUSTIVE=1` leaves no turn of the small tables
out, and takes about an hour; without, every n-th is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, islice, permutations, product
from random import Random

import pytest

from engine.layout import Layout
from engine.referee import Turn, Verdict, judge
from engine.ruleset import RuleSet
from engine.sets import is_legal_layout, is_set, readings_of
from engine.tiles import Tile, parse_tile
from tests.engine.slow_referee import (
    PRESSMAN,
    RESET,
    RESET_FREEZE,
    SABRA,
    TOURNAMENT,
    Row,
    Sentences,
    SlowTurn,
    Table,
    count,
    fillings,
    is_legal,
)
from tests.engine.slow_referee import is_set as is_slow_set
from tests.engine.strategies import EXHAUSTIVE, settled

COLOURS = "KBR"
HIGH = [f"{colour}{number}" for colour in COLOURS for number in (10, 11, 12, 13)]
ENDS = [f"{colour}{number}" for colour in COLOURS for number in (1, 2, 12, 13)]
GAMES = {
    "pressman": PRESSMAN,
    "pressman-tournament": TOURNAMENT,
    "sabra": SABRA,
    "reset": RESET,
    "reset-freeze": RESET_FREEZE,
}


def tiles(row: Iterable[str]) -> tuple[Tile, ...]:
    return tuple(map(parse_tile, row))


def is_first_of_its_kind(texts: Iterable[str]) -> bool:
    """Whether colours come in their order, so that of tables that differ in their names one counts."""
    return "".join(dict.fromkeys(text[0] for text in texts if text != "J")) in "KBR"


# --- sets -----------------------------------------------------------------------------------------


def rows(deck: list[str], most: int) -> Iterator[Row]:
    """Every row of up to so many tiles in every order, colours in their order; tiles that have neither
    colour nor number in common, and so are no set in any order, in one."""
    for length in range(1, most + 1):
        for content in combinations_with_replacement([*deck, "J"], length):
            naturals = [tile for tile in content if tile != "J"]
            if any(len({tile[part] for tile in naturals}) == 1 for part in (slice(1), slice(1, 3))):
                yield from filter(is_first_of_its_kind, sorted(set(permutations(content))))
            elif is_first_of_its_kind(content):
                yield content


def meanings(row: Row, rules: RuleSet) -> set[tuple[str, Row]]:
    """What the engine takes a row for: the kind of set, and a tile for every place."""
    found = set()
    for reading in readings_of(tiles(row), rules):
        for filled in product(*reading.stands_for):
            if len(set(filled)) == len(filled):
                found.add((reading.kind, tuple(map(str, filled))))
    return found


@pytest.mark.parametrize(
    ("deck", "preset", "order"),
    [(HIGH, "pressman", "any"), (ENDS, "reset", "any"), (ENDS, "reset", "laid")],
)
def test_every_row_in_every_order(deck: list[str], preset: str, order: str) -> None:
    """Whether it is a set, of what kind, and what each joker of it stands for."""
    rules = settled(preset, {"run.order": order})
    say = replace(GAMES[preset], laid=order == "laid")
    for row in rows(deck, 5 if EXHAUSTIVE or deck is HIGH else 4):
        slow = fillings(row, say.ace_high, say.laid)
        assert is_set(tiles(row), rules) == bool(slow), row
        if slow:
            told = {("group" if item.kind == "group" else "run", item.tiles) for item in slow}
            assert meanings(row, rules) == told, row


LONGEST = 5 if EXHAUSTIVE else 4
"""Tiles of a set on the tables below."""


@cache
def contents(deck: tuple[str, ...], ace_high: bool) -> tuple[Row, ...]:
    """The tiles of every set of a deck."""
    say = Sentences(ace_high=ace_high)
    return tuple(
        row
        for length in range(3, LONGEST + 1)
        for row in combinations_with_replacement([*deck, "J"], length)
        if max(Counter(row).values()) <= 2 and is_slow_set(row, say)
    )


def test_every_table_of_two_melds() -> None:
    """Three tiles each, sets or not: legal when both are sets and no tile is there three times."""
    rules, say = settled("pressman"), PRESSMAN
    melds = list(combinations_with_replacement([*HIGH, "J"], 3))
    legal = 0
    for first in melds:
        for second in melds:
            if first > second or not is_first_of_its_kind((*first, *second)):
                continue
            sets = is_slow_set(first, say) and is_slow_set(second, say)
            copies = max(count((first, second)).values()) <= 2
            layout = Layout.of([tiles(first), tiles(second)])
            assert is_legal_layout(layout, rules) == sets
            if sets or EXHAUSTIVE:
                ruling = judge(Turn(None, layout), rules, with_repairs=False)
                assert (ruling.verdict is Verdict.LEGAL) == (sets and copies), (first, second)
                legal += sets and copies
    assert legal > 400


# --- turns ----------------------------------------------------------------------------------------


@cache
def forms(content: Row, ace_high: bool) -> tuple[Row, ...]:
    """The ways to lay the tiles of a set that mean different things, where it holds jokers."""
    if "J" not in content:
        return (content,)
    by_meaning: dict[object, Row] = {}
    for row in sorted(set(permutations(content))):
        meant = {
            (item.kind == "group", tuple(sorted(zip(row, item.tiles, strict=True))))
            for item in fillings(row, ace_high, False)
        }
        by_meaning.setdefault(frozenset(meant), row)
    return tuple(by_meaning.values())


def partings(have: Counter[str], sets: tuple[Row, ...]) -> Iterator[tuple[Row, ...]]:
    """Every way to part tiles into sets."""
    if not have:
        yield ()
        return
    first = min(have)
    for content in sets:
        if first in content and not Counter(content) - have:
            for rest in partings(have - Counter(content), sets):
                yield (content, *rest)


class SmallGame:
    """A small deck, and a preset as both referees have it."""

    def __init__(self, deck: list[str], preset: str) -> None:
        self.deck = [*deck, "J"]
        self.say = GAMES[preset]
        self.rules = settled(preset)
        self.sets = contents(tuple(deck), self.say.ace_high)

    def laid(self, sets: Iterable[Row]) -> Iterator[Table]:
        return product(*(forms(content, self.say.ace_high) for content in sets))

    def plays(self, most_sets: int, most: int) -> Iterator[tuple[Table, Row]]:
        """Every table of some sets with a joker among them, and every few tiles to play on it."""
        for first in (content for content in self.sets if "J" in content and len(content) < 5):
            for others in combinations_with_replacement(self.sets, most_sets - 1):
                for before in self.laid((first, *others)):
                    for played in combinations_with_replacement(self.deck, most):
                        if is_possible(before, played):
                            yield before, played

    def some_plays(self, most_sets: int, most: int, number: int) -> Iterator[tuple[Table, Row]]:
        """As many of these, always the same."""
        random = Random(most_sets * 10 + most)
        with_joker = [content for content in self.sets if "J" in content]
        while number:
            others = random.choices(self.sets, k=most_sets - 1)
            before = random.choice(list(self.laid((random.choice(with_joker), *others))))
            played = tuple(sorted(random.choices(self.deck, k=most)))
            if is_possible(before, played):
                number -= 1
                yield before, played

    def turns(self, before: Table, played: Row) -> Iterator[SlowTurn]:
        """Every way all tiles can lie in sets after a play, of a player who had opened and of one who
        had not."""
        have = count(before) + Counter(played)
        for after in {tuple(sorted(sets)) for sets in partings(have, self.sets)}:
            for table in self.laid(after):
                for opened in (True, False):
                    yield SlowTurn(before, table, played, (), opened)

    def compare(self, plays: Iterable[tuple[Table, Row]]) -> tuple[int, int]:
        """How many turns were compared and how many are legal; the two agree on each of them."""
        compared = legal = 0
        for before, played in plays:
            for turn in self.turns(before, played):
                slow = is_legal(turn, self.say)
                assert judged(turn, self.rules) == slow, turn
                compared += 1
                legal += slow
        return compared, legal


def is_possible(before: Table, played: Row) -> bool:
    """Whether the game has so many of each tile, and colours come in their order."""
    on_table = (*(tile for row in before for tile in row), *played)
    return max(Counter(on_table).values()) <= 2 and is_first_of_its_kind(on_table)


def judged(turn: SlowTurn, rules: RuleSet) -> bool:
    """Whether the referee calls a turn legal. Nothing is left to ask."""
    ruling = judge(
        Turn(
            Layout.of(map(tiles, turn.before)),
            Layout.of(map(tiles, turn.after)),
            tiles(turn.rack),
            tiles(turn.rack_after),
            turn.opened,
            10.0,
            players=3,
        ),
        rules,
        with_repairs=False,
    )
    assert ruling.verdict is not Verdict.ASK
    return ruling.verdict is Verdict.LEGAL


@pytest.mark.parametrize("preset", GAMES)
def test_plays_on_small_tables(preset: str) -> None:
    """Opening, replacing jokers and using them again, travelling and freezing: one to three tiles are
    played on one set or two."""
    game = SmallGame(HIGH, preset)
    compared = legal = 0
    for sets, played, every, some in ((1, 1, 5, 0), (1, 2, 151, 0), (1, 3, 0, 8), (2, 2, 0, 20)):
        plays = game.some_plays(sets, played, some)
        if every or EXHAUSTIVE:
            plays = islice(game.plays(sets, played), 0, None, 1 if EXHAUSTIVE else every)
        found = game.compare(plays)
        compared, legal = compared + found[0], legal + found[1]
    assert 0 < legal < compared


@pytest.mark.parametrize("preset", ["pressman", "reset", "reset-freeze"])
def test_plays_around_the_end_of_the_numbers(preset: str) -> None:
    """1, 2, 12 and 13, where a joker may be the 1 after 13 or not (RS-12, PR-07)."""
    game = SmallGame(ENDS, preset)
    compared, legal = game.compare(islice(game.plays(1, 1), 0, None, 1 if EXHAUSTIVE else 5))
    assert 0 < legal < compared


RACKS = [
    row
    for length in range(5)
    for row in combinations_with_replacement(["K10", "K11", "J"], length)
    if max(Counter(row).values(), default=0) <= 2
]


@pytest.mark.parametrize("preset", GAMES)
def test_tiles_come_from_somewhere(preset: str) -> None:
    """Every pair of racks of some tiles, with a table that stays, grows by one, and loses one: a turn is
    a play from the rack and nothing else, or a draw (G-01 to G-04, G-08, PR-12)."""
    rules, say = settled(preset), GAMES[preset]
    table = ("K11", "B11", "R11")
    legal = 0
    for after in [(table,), ((*table, "J"),), (table[:2],)]:
        for rack, rack_after in product(RACKS, repeat=2):
            turn = SlowTurn((table,), after, rack, rack_after, True)
            slow = is_legal(turn, say)
            assert judged(turn, rules) == slow, turn
            legal += slow
    assert legal
