"""The search for the smallest repair against a slow one that tries all moves, on small tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.layout import Layout
from engine.referee import Turn, Verdict, judge
from engine.repairs import find_repair
from engine.ruleset import RuleSet
from engine.tiles import CARD_JOKER, CARDS, JOKER, TILE_SUITS, TILES, Tile
from engine.worlds import worlds_of
from tests.engine.slow_repairs import SlowRepairs, is_mended
from tests.engine.strategies import plain_sets, settled

Row = tuple[Tile, ...]
DEPTHS = {6: 3, 9: 2}
"""For tables of so many tiles, how many moves are tried one after the other: more would take minutes."""
near = st.sampled_from([*(Tile(suit, rank) for suit in TILE_SUITS for rank in (1, 2, 3)), JOKER])


def spoilt(draw: st.DrawFn, row: Row, joker: Tile) -> Row:
    """A set, one in three with a joker for one of its tiles."""
    if draw(st.integers(0, 2)):
        return row
    number = draw(st.integers(0, len(row) - 1))
    return (*row[:number], joker, *row[number + 1 :])


@st.composite
def racks(
    draw: st.DrawFn, before: list[Row], after: list[Row], deck: tuple[Tile, ...]
) -> tuple[Row | None, Row | None]:
    """The rack before and after, as they would be, or nearly, or not known."""
    was, now = Counter(tile for row in before for tile in row), Counter(t for r in after for t in r)
    if draw(st.booleans()):
        return None, None
    rest = draw(st.lists(st.sampled_from(deck), max_size=1))
    had = [*(now - was).elements(), *rest]
    has = [*rest, *draw(st.sampled_from([[], [], list((was - now).elements())]))]
    extra = draw(st.sampled_from(["", "", "", "drawn", "lost", "strange"]))
    if extra == "drawn":
        has.append(draw(st.sampled_from(deck)))
    if extra == "lost" and has:
        has.pop()
    if extra == "strange" and had:
        had.pop()
    return tuple(had), tuple(has)


@st.composite
def mutated_turns(draw: st.DrawFn, rules: RuleSet, most: int) -> Turn:
    """A legal play of a set or a tile, and then a tile taken away, moved or exchanged for another."""
    rows = plain_sets(rules, most=4).filter(lambda row: len(row) <= 4)
    before = [spoilt(draw, draw(rows), JOKER) for _ in range(draw(st.integers(0, 1)))]
    after = [list(row) for row in before]
    if draw(st.booleans()) or not after:
        after.append(list(spoilt(draw, draw(rows), JOKER)))
    else:
        after[0].append(draw(st.sampled_from(TILES)))
    for _ in range(draw(st.integers(1, 2))):
        one, other = (draw(st.sampled_from(after)) for _ in range(2))
        place = draw(st.integers(0, len(one) - 1))
        match draw(st.sampled_from(["remove", "move", "move", "swap", "loose"])):
            case "remove":
                one.pop(place)
            case "move":
                other.append(one.pop(place))
            case "swap":
                to = draw(st.integers(0, len(other) - 1))
                one[place], other[to] = other[to], one[place]
            case "loose":
                after.append([one.pop(place)])
        after = [row for row in after if row]
        if not after:
            break
    return draw(turns_of(before, [tuple(row) for row in after][:4], TILES, most))


@st.composite
def random_turns(draw: st.DrawFn, most: int) -> Turn:
    """Tiles of few kinds in any rows."""
    rows = st.lists(st.lists(near, min_size=1, max_size=4).map(tuple), max_size=2)
    before, new = draw(rows), draw(rows)
    after = [*(row for row in before if draw(st.booleans())), *new]
    return draw(turns_of(before, after, TILES, most))


@st.composite
def turns_of(
    draw: st.DrawFn, before: list[Row], after: list[Row], deck: tuple[Tile, ...], most: int
) -> Turn:
    tiles = 0
    kept = [row for row in after if (tiles := tiles + len(row)) <= most]
    had, has = draw(racks(before, kept, deck))
    known = draw(st.integers(0, 3))
    return Turn(
        Layout.of(before) if known else None,
        Layout.of(kept),
        had if known else None,
        has if known else None,
        opened=draw(st.sampled_from([True, True, False])),
    )


def agrees(turn: Turn, rules: RuleSet, depth: int) -> None:
    """The search finds a repair of as few moves, and it mends the turn."""
    if judge(turn, rules, with_repairs=False).verdict is Verdict.LEGAL:
        return
    found = find_repair(turn, worlds_of(turn, rules))
    expected = SlowRepairs(turn, rules).fewest(depth)
    moves = None if found is None or found.moves > depth else found.moves
    assert moves == (expected or None), (found and found.text, turn)
    if found is not None:
        assert is_mended(found.turn, rules)


@settings(max_examples=60)
@pytest.mark.parametrize("most", DEPTHS)
@pytest.mark.parametrize("preset", ["pressman", "pressman-tournament", "sabra", "reset"])
@given(data=st.data())
def test_after_a_mistake_the_fewest_moves_are_found(
    preset: str, most: int, data: st.DataObject
) -> None:
    rules = settled(preset)
    agrees(data.draw(mutated_turns(rules, most)), rules, DEPTHS[most])


@settings(max_examples=60)
@pytest.mark.parametrize("most", DEPTHS)
@given(data=st.data())
def test_on_any_small_table_the_fewest_moves_are_found(most: int, data: st.DataObject) -> None:
    house = {
        "run.order": data.draw(st.sampled_from(["laid", "any"])),
        "joker.reuse": data.draw(st.sampled_from(["new_set_2_rack", "any_set"])),
        "joker.free_removal": data.draw(st.sampled_from(["no", "yes"])),
        "joker.freeze": data.draw(st.sampled_from(["none", "no_split", "full"])),
        "opening.same_turn_extension": data.draw(st.sampled_from(["no", "yes"])),
        "opening.points": data.draw(st.sampled_from([3, 6, 30])),
    }
    rules = settled("pressman", house)
    agrees(data.draw(random_turns(most)), rules, DEPTHS[most])


@st.composite
def card_turns(draw: st.DrawFn, rules: RuleSet, most: int) -> Turn:
    rows = plain_sets(rules, most=4)
    before = [spoilt(draw, draw(rows), CARD_JOKER) for _ in range(draw(st.integers(0, 1)))]
    after = [list(row) for row in before]
    if draw(st.booleans()):
        after.append(list(spoilt(draw, draw(rows), CARD_JOKER)))
    for _ in range(draw(st.integers(0, 2)) if after else 0):
        one, other = (draw(st.sampled_from(after)) for _ in range(2))
        match draw(st.sampled_from(["add", "remove", "move"])):
            case "add":
                one.append(draw(st.sampled_from([*one, CARD_JOKER, *CARDS[:4]])))
            case "remove" if len(one) > 1:
                one.pop(draw(st.integers(0, len(one) - 1)))
            case "move" if len(one) > 1:
                other.append(one.pop(draw(st.integers(0, len(one) - 1))))
    turn = draw(turns_of(before, [tuple(row) for row in after], CARDS, most))
    card = st.sampled_from([*CARDS[:3], *(tile for row in before for tile in row)])
    discard = None
    if draw(st.integers(0, 3)):
        discard = tuple(draw(st.lists(card, max_size=2)))
        if turn.rack_before is not None:
            turn = replace(turn, rack_before=(*turn.rack_before, *discard[1:]))
    contract = draw(st.sampled_from([None, (2, 0), (1, 1), (1, 0)]))
    return replace(turn, discard=discard, contract=contract)


@settings(max_examples=60)
@given(data=st.data())
def test_with_cards_the_fewest_moves_are_found(data: st.DataObject) -> None:
    rules = settled("sets-and-runs")
    turn = data.draw(card_turns(rules, 6))
    codes = {finding.code for finding in judge(turn, rules, with_repairs=False).findings}
    # A copy too many leaves the table, and nothing else is done about it.
    if "TOO_MANY_COPIES" not in codes:
        agrees(turn, rules, 2)
