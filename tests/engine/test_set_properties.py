"""What holds for all sets of all games, with a slow oracle; and how many sets there are."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.faults import Fault
from engine.layout import Layout
from engine.ruleset import RuleSet, load_ruleset
from engine.set_readings import SetBook
from engine.sets import is_legal_layout, is_set, kinds_of, orders_as_run, readings_of, set_faults
from engine.tiles import JOKER, TILE_SUITS, Suit, Tile
from tests.engine.strategies import (
    PRESETS,
    TILE_PRESETS,
    Row,
    deck,
    examples,
    joker_of,
    near_sets,
    plain_sets,
    sets,
    suits_of,
    tables,
)

ALL = {name: load_ruleset(name) for name in PRESETS}
LAID = {name: load_ruleset(name, {"run.order": "laid"}) for name in PRESETS}
for_every_game = pytest.mark.parametrize("preset", PRESETS)
some = examples(25)


# --- how many there are ---------------------------------------------------------------------------


def contents(alike: list[Tile], rules: RuleSet) -> Counter[tuple[str, ...]]:
    """How many contents of tiles of one colour, or of one number, are sets, by the kinds they can be:
    each tile once at most, with no joker, one or two."""
    found: Counter[tuple[str, ...]] = Counter()
    for count in range(1, len(alike) + 1):
        for tiles in combinations(alike, count):
            for jokers in range(3):
                found[kinds_of((*tiles, *[JOKER] * jokers), rules)] += 1
    del found[()]
    return found


REDS = [Tile(Suit.RED, rank) for rank in range(1, 14)]
SEVENS = [Tile(suit, 7) for suit in TILE_SUITS]


def test_there_are_6301_sets_of_106_tiles() -> None:
    """With 1 always low (PR-06, PR-07), counted by their tiles whatever the order.

    Groups: 13 numbers of 4 + 1 choices of colours without a joker, 6 + 4 with one beside two or three
    colours, 4 + 6 with two beside one or two: 13 * 25 = 325. Runs, in each of 4 colours: without a
    joker 11 + 10 + ... + 1 = 66; with one a gap in such a run, 286, or two to twelve numbers in a row,
    77; with two, two gaps in 715, one gap in 275 of at most 12, or one to eleven in a row, 88. So 4 *
    (66 + 363 + 1078) = 6028. A number with two jokers is in both: 325 + 6028 - 52.
    """
    gaps = [(14 - length) * (length - 2) for length in range(3, 14)]
    two_gaps = [(14 - s) * (s - 2) * (s - 3) // 2 for s in range(4, 14)]
    assert (sum(gaps), sum(gaps) - gaps[-1], sum(two_gaps)) == (286, 275, 715)
    group, run, both = ("group",), ("run",), ("group", "run")
    runs, groups = contents(REDS, ALL["pressman"]), contents(SEVENS, ALL["pressman"])
    assert runs[run] + runs[both] == 66 + 286 + 77 + 715 + 275 + 88 == 1507
    assert groups[group] + groups[both] == 5 + 10 + 10
    assert (runs[both], groups[both]) == (13, 4)
    assert 4 * 1507 + 13 * 25 - 13 * 4 == 6301


def test_a_1_after_13_makes_other_sets_and_unmakes_none() -> None:
    """RS-12, counted by leaving out up to two tiles of every run there is, beside the figure above."""
    windows = [range(start, start + n) for n in range(3, 14) for start in range(1, 16 - n)]
    listed = {
        (frozenset((place - 1) % 13 for place in window if place not in out), len(out))
        for window in windows
        for jokers in range(3)
        for out in combinations(window, jokers)
        if jokers < len(window)
    }
    found = contents(REDS, ALL["reset"])
    assert found["run",] + found["group", "run"] == len(listed) > 1507


# --- a slow oracle --------------------------------------------------------------------------------


def oracle(row: Row, rules: RuleSet) -> bool:
    """Every tile for every joker, and then the sentences of the document about sets, word for word."""
    jokers = sum(tile.is_joker for tile in row)
    if jokers == len(row) or jokers > rules.joker.max_per_set:
        return False
    choices = [deck(rules)[:-1] if tile.is_joker else (tile,) for tile in row]
    return any(is_plain_set(filled, rules) for filled in product(*choices))


def is_plain_set(row: Row, rules: RuleSet) -> bool:
    numbers, colours = [tile.rank or 0 for tile in row], {tile.suit for tile in row}
    if len(set(numbers)) == 1 and len(row) >= rules.group.least:
        small = rules.group.duplicates or len(colours) == len(row) <= rules.group.most
        if small:
            return True
    if len(colours) > 1 or not rules.run.least <= len(row) <= rules.run.most:
        return False
    for high in (False, True):
        values = [14 if number == 1 and high else number for number in numbers]
        if high and rules.run.wrap == "none":
            continue
        if {after - now for now, after in pairwise(values)} in ({1}, {-1}):
            return True
    return False


@examples(40)
@for_every_game
@given(data=st.data())
def test_a_set_is_what_the_slow_oracle_says(preset: str, data: st.DataObject) -> None:
    rules = LAID[preset]
    few_jokers = near_sets(rules).filter(lambda row: sum(tile.is_joker for tile in row) < 3)
    row = data.draw(few_jokers)
    assert is_set(row, rules) == oracle(row, rules)


@some
@for_every_game
@given(data=st.data())
def test_a_reading_is_a_set_with_every_joker_filled(preset: str, data: st.DataObject) -> None:
    """In whatever way: different tiles for different jokers make a plain set of the points it has."""
    rules = ALL[preset]
    row = data.draw(near_sets(rules))
    for reading in readings_of(row, rules):
        for filled in product(*reading.stands_for):
            one_each = reading.kind == "run" or not rules.group.duplicates
            if len(set(filled)) < len(filled) and one_each:
                continue
            assert sum(tile.rank or 0 for tile in filled) == reading.points
            by_number = sorted(filled, key=lambda tile: tile.rank or 0)
            after_13 = [*by_number[1:], by_number[0]]
            assert is_plain_set(tuple(by_number), rules) or is_plain_set(tuple(after_13), rules)


# --- order, colours, numbers ----------------------------------------------------------------------


@some
@for_every_game
@given(data=st.data())
def test_the_order_of_tiles_changes_no_kind(preset: str, data: st.DataObject) -> None:
    rules = ALL[preset]
    row = data.draw(near_sets(rules))
    other = tuple(data.draw(st.permutations(row)))
    assert kinds_of(other, rules) == kinds_of(row, rules)
    assert bool(readings_of(other, rules)) == bool(kinds_of(row, rules)) == is_set(row, rules)


@some
@for_every_game
@given(data=st.data())
def test_a_row_reads_the_same_from_the_other_side(preset: str, data: st.DataObject) -> None:
    """But for one number among jokers, which rises as it lies."""
    rules = ALL[preset]
    row = data.draw(near_sets(rules).filter(lambda row: sum(not t.is_joker for t in row) != 1))
    there = {(item.kind, item.stands_for, item.points) for item in readings_of(row, rules)}
    back = readings_of(row[::-1], rules)
    assert {(item.kind, item.stands_for[::-1], item.points) for item in back} == there


@some
@for_every_game
@given(data=st.data())
def test_no_colour_is_another_than_the_others(preset: str, data: st.DataObject) -> None:
    rules = ALL[preset]
    row = data.draw(near_sets(rules))
    names = dict(zip(suits_of(rules), data.draw(st.permutations(suits_of(rules))), strict=True))
    other = tuple(t if t.suit is None else Tile(names[t.suit], t.rank) for t in row)
    assert kinds_of(other, rules) == kinds_of(row, rules)
    one, two = ([item.points for item in readings_of(tiles, rules)] for tiles in (row, other))
    assert one == two
    one, two = ([item.fault for item in set_faults(tiles, rules)] for tiles in (row, other))
    assert one == two


@some
@pytest.mark.parametrize("wrap", ["none", "full"])
@given(data=st.data())
def test_numbers_mirror_where_both_ends_are_alike(wrap: str, data: st.DataObject) -> None:
    """14 less every number: where 1 never follows 13, or anywhere, that is the same game."""
    rules = load_ruleset("sabra", {"run.wrap": wrap})
    row = data.draw(near_sets(rules))
    mirrored = tuple(t if t.rank is None else Tile(t.suit, 14 - t.rank) for t in row[::-1])
    assert kinds_of(mirrored, rules) == kinds_of(row, rules)
    points = [item.points for item in readings_of(row, rules)]
    there = sorted(item.points for item in readings_of(mirrored, rules))
    assert there == sorted(14 * len(row) - own for own in points)


# --- building -------------------------------------------------------------------------------------


@some
@for_every_game
@given(data=st.data())
def test_a_run_may_be_split_wherever_both_parts_are_long_enough(
    preset: str, data: st.DataObject
) -> None:
    """PR-17 and its like."""
    rules = ALL[preset]
    row = data.draw(plain_sets(rules, most=13))
    least = rules.run.least
    if "run" in kinds_of(row, rules) and len(row) >= 2 * least:
        cut = data.draw(st.integers(least, len(row) - least))
        assert kinds_of(row[:cut], rules) == kinds_of(row[cut:], rules) == ("run",)
    elif "run" in kinds_of(row, rules):
        assert not is_set(row[: least - 1], rules)


@some
@for_every_game
@given(data=st.data())
def test_a_joker_stands_for_whatever_tile_it_is_laid_for(preset: str, data: st.DataObject) -> None:
    """PR-09, RS-13, SB-12, R2-25, SR-20."""
    rules = ALL[preset]
    row = data.draw(plain_sets(rules, most=9))
    place = data.draw(st.integers(0, len(row) - 1))
    with_joker = (*row[:place], joker_of(rules), *row[place + 1 :])
    assert is_set(with_joker, rules)
    assert any(row[place] in item.stands_for[place] for item in readings_of(with_joker, rules))


@some
@for_every_game
@given(data=st.data())
def test_a_third_tile_of_a_kind_makes_no_set(preset: str, data: st.DataObject) -> None:
    """PR-06, PR-07: colours of a group and numbers of a run come once; not so with cards (AMB-40)."""
    rules = ALL[preset]
    row = data.draw(plain_sets(rules))
    doubled = (*row, data.draw(st.sampled_from(row)))
    assert is_set(doubled, rules) == ("group" in kinds_of(row, rules) and rules.group.duplicates)


# --- faults ---------------------------------------------------------------------------------------


@some
@for_every_game
@given(data=st.data())
def test_a_row_is_a_set_or_has_faults_with_evidence(preset: str, data: st.DataObject) -> None:
    rules = ALL[preset]
    row = data.draw(near_sets(rules))
    faults = set_faults(row, rules)
    assert bool(faults) == (not is_set(row, rules))
    assert len({item.fault for item in faults}) == len(faults)
    for item in faults:
        assert not Counter(item.tiles) - Counter(row)
        assert item.kind in ("group", "run")
        assert item.message
    if Fault.RUN_NOT_IN_ORDER in {item.fault for item in faults}:
        assert orders_as_run(row, rules)


@some
@for_every_game
@given(data=st.data())
def test_a_layout_is_legal_when_every_meld_is_a_set(preset: str, data: st.DataObject) -> None:
    rules = ALL[preset]
    table = data.draw(tables(rules))
    rows = [
        *(meld.tiles for meld in table.melds),
        *data.draw(st.lists(near_sets(rules), max_size=1)),
    ]
    layout = Layout.of(rows)
    assert is_legal_layout(table, rules)
    assert is_legal_layout(layout, rules) == all(is_set(row, rules) for row in rows)


# --- house rules and what is looked up ------------------------------------------------------------

FREER = [
    ("joker.max_per_set", (1, 2), TILE_PRESETS),
    ("run.order", ("laid", "any"), PRESETS),
    ("run.wrap", ("none", "high_or_low", "full"), TILE_PRESETS),
    ("run.least", (5, 4, 3), ("sets-and-runs",)),
    ("group.least", (4, 3), ("sets-and-runs",)),
    ("joker.naturals", ("as_many", "one"), ("sets-and-runs",)),
]


@examples(40)
@pytest.mark.parametrize(("name", "values", "presets"), FREER, ids=[row[0] for row in FREER])
@given(data=st.data())
def test_a_freer_house_rule_makes_no_set_none(
    name: str, values: tuple[object, ...], presets: tuple[str, ...], data: st.DataObject
) -> None:
    preset = data.draw(st.sampled_from(presets))
    row = data.draw(near_sets(ALL[preset]))
    by_value = [is_set(row, load_ruleset(preset, {name: value})) for value in values]
    assert by_value == sorted(by_value)


@examples(40)
@given(st.lists(st.sampled_from(PRESETS), min_size=2, max_size=6), st.data())
def test_what_is_looked_up_is_what_would_be_worked_out(
    presets: list[str], data: st.DataObject
) -> None:
    """Rules asked in turn do not answer for each other, nor does a book that was asked before."""
    row = data.draw(near_sets(ALL[presets[0]]))
    for preset in presets:
        for rules in (ALL[preset], LAID[preset]):
            joker = rules.joker
            fresh = SetBook(rules.run, rules.group, joker.max_per_set, joker.naturals)
            assert fresh.readings_of(row) == readings_of(row, rules)
            assert fresh.kinds_of(row) == kinds_of(row, rules)
            assert fresh.is_set(row) == is_set(row, rules)


@pytest.mark.parametrize("order", ["laid", "any"])
@pytest.mark.parametrize("wrap", ["none", "high_or_low", "full"])
def test_around_the_end_of_a_suit_a_row_is_a_set_when_it_can_be_read_as_one(
    order: str, wrap: str
) -> None:
    """Every row of up to four of the tiles that lie beside an end of a suit, and a joker."""
    rules = ALL["sabra"].with_house_rules({"run.order": order, "run.wrap": wrap})
    tiles = [*(Tile(Suit.BLACK, rank) for rank in (1, 11, 12, 13)), Tile(Suit.BLUE, 1), JOKER]
    for length in range(1, 5):
        for row in product(tiles, repeat=length):
            assert is_set(row, rules) == bool(readings_of(row, rules)), row


@given(sets(ALL["pressman"], most=13))
def test_what_is_made_as_a_set_is_one(row: Row) -> None:
    assert is_set(row, ALL["pressman"])
    assert is_set(row[::-1], ALL["pressman"])
