"""The smallest change that mends a set: at most three moves, or an honest None.

A move puts one tile into another set or back on the rack, parts a set in two, or joins two sets. What
is searched: the faulty set gives up to three of its tiles, or takes up to two from sets that stay
legal without them, or joins a neighbour, or is parted. Of equally short repairs the one that keeps
tiles on the table comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.sets import is_set
from engine.tiles import Tile

MOST_MOVES: Final = 3
"""How many moves a repair may have: beyond that, taking back the turn is the better advice."""
_MOST_GIVEN_FROM: Final = 14
"""Sets longer than this are not searched tile by tile."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A change of the table that makes one set legal and no other set worse."""

    text: str
    """What to do, as `move blue 5 from set 2 to set 3`."""
    moves: int
    layout: Layout
    """The table after it."""
    to_rack: tuple[Tile, ...] = ()
    """The tiles that go back to the rack."""


def find_repairs(
    layout: Layout, meld: int, from_rack: Counter[Tile] | None, rules: RuleSet
) -> Iterator[Repair]:
    """Repairs of one faulty set, the shortest first.

    `from_rack` are the tiles that came from the rack in this turn and so may go back; None when the
    turn is not known, then any tile may be taken away.
    """
    found = [
        *_in_order(layout, meld, rules),
        *_joined(layout, meld, rules),
        *_parted(layout, meld, rules),
        *_given(layout, meld, from_rack, rules),
        *_taken(layout, meld, rules),
    ]
    return iter(sorted(found, key=lambda repair: (repair.moves, len(repair.to_rack))))


def find_put_backs(layout: Layout, played: Counter[Tile], rules: RuleSet) -> Iterator[Repair]:
    """Layouts with one to three of the played tiles taken back and all sets legal, fewest first."""
    tiles = sorted(played.elements())
    if len(tiles) > _MOST_GIVEN_FROM:
        return
    for count in range(1, min(MOST_MOVES, len(tiles)) + 1):
        for chosen in dict.fromkeys(combinations(tiles, count)):
            places = [
                [number for number, meld in enumerate(layout.melds) if tile in meld.tiles]
                for tile in chosen
            ]
            for where in product(*places):
                after = _without(layout, chosen, where, rules)
                if after is not None:
                    text = _joined_steps([f"put back {tile.spoken}" for tile in chosen])
                    yield Repair(text, count, after, chosen)


def _without(
    layout: Layout, tiles: tuple[Tile, ...], where: tuple[int, ...], rules: RuleSet
) -> Layout | None:
    """The layout without tiles of given sets; None when a set they leave is none any more."""
    rows = {number: list(layout.melds[number].tiles) for number in where}
    for tile, number in zip(tiles, where, strict=True):
        if tile not in rows[number]:
            return None
        rows[number].remove(tile)
    laid = {number: _ordered(tuple(row), rules) if row else () for number, row in rows.items()}
    if any(row is None for row in laid.values()):
        return None
    return _replaced(layout, {number: (row or (),) for number, row in laid.items()})


def _ordered(tiles: tuple[Tile, ...], rules: RuleSet) -> tuple[Tile, ...] | None:
    """The tiles as a legal set in some order, jokers filling gaps first; None when they are none."""
    if is_set(tiles, rules):
        return tiles
    naturals = sorted(tile for tile in tiles if not tile.is_joker)
    jokers = [tile for tile in tiles if tile.is_joker]
    if not naturals:
        return None
    row: list[Tile] = [naturals[0]]
    for tile in naturals[1:]:
        missing = (tile.rank or 0) - (naturals[0].rank or 0) - len(row)
        while missing > 0 and jokers:
            row.append(jokers.pop())
            missing -= 1
        row.append(tile)
    for before in range(len(jokers) + 1):
        laid = (*jokers[:before], *row, *jokers[before:])
        if is_set(laid, rules):
            return laid
    return None


def _replaced(layout: Layout, changed: dict[int, tuple[tuple[Tile, ...], ...]]) -> Layout:
    """The layout with some sets replaced by none, one or more."""
    rows: list[tuple[Tile, ...]] = []
    for number, meld in enumerate(layout.melds):
        rows.extend(changed.get(number, (meld.tiles,)))
    return Layout.of(row for row in rows if row)


def _set(number: int) -> str:
    return f"set {number + 1}"


def _in_order(layout: Layout, meld: int, rules: RuleSet) -> Iterator[Repair]:
    tiles = layout.melds[meld].tiles
    laid = _ordered(tiles, rules)
    if laid is not None and laid != tiles:
        text = f"lay {_set(meld)} in order: {' '.join(map(str, laid))}"
        yield Repair(text, 1, _replaced(layout, {meld: (laid,)}))


def _joined(layout: Layout, meld: int, rules: RuleSet) -> Iterator[Repair]:
    tiles = layout.melds[meld].tiles
    for other, neighbour in enumerate(layout.melds):
        if other == meld:
            continue
        laid = _ordered((*tiles, *neighbour.tiles), rules)
        if laid is None:
            continue
        text = f"join {_set(meld)} and {_set(other)}: {' '.join(map(str, laid))}"
        if len(tiles) == 1:
            text = f"move {tiles[0].spoken} to {_set(other)}"
        yield Repair(text, 1, _replaced(layout, {meld: (), other: (laid,)}))


def _parted(layout: Layout, meld: int, rules: RuleSet) -> Iterator[Repair]:
    tiles = layout.melds[meld].tiles
    for cut in range(1, len(tiles)):
        left, right = tiles[:cut], tiles[cut:]
        if is_set(left, rules) and is_set(right, rules):
            text = f"part {_set(meld)} after {left[-1].spoken}"
            yield Repair(text, 1, _replaced(layout, {meld: (left, right)}))


def _given(
    layout: Layout, meld: int, from_rack: Counter[Tile] | None, rules: RuleSet
) -> Iterator[Repair]:
    """The set gives away one to three tiles, each to a set that takes it or to the rack."""
    tiles = layout.melds[meld].tiles
    if len(tiles) > _MOST_GIVEN_FROM:
        return
    for count in range(1, min(MOST_MOVES, len(tiles)) + 1):
        for given in combinations(range(len(tiles)), count):
            rest = tuple(tile for index, tile in enumerate(tiles) if index not in given)
            laid = _ordered(rest, rules) if rest else ()
            if laid is None:
                continue
            goers = [tiles[index] for index in given]
            yield from _placed(layout, meld, laid, goers, from_rack, rules)


def _placed(
    layout: Layout,
    meld: int,
    rest: tuple[Tile, ...],
    goers: list[Tile],
    from_rack: Counter[Tile] | None,
    rules: RuleSet,
) -> Iterator[Repair]:
    """Every way to place the tiles given away; None among the targets is the rack."""
    targets: list[list[int | None]] = []
    for tile in goers:
        takers: list[int | None] = [
            number
            for number, other in enumerate(layout.melds)
            if number != meld and _ordered((*other.tiles, tile), rules) is not None
        ]
        may_go_back = from_rack is None or from_rack[tile] > 0
        targets.append(takers[:2] + ([None] if may_go_back else []))
    for choice in product(*targets):
        changed: dict[int, tuple[tuple[Tile, ...], ...]] = {meld: (rest,)}
        to_rack: list[Tile] = []
        steps = []
        for tile, target in zip(goers, choice, strict=True):
            if target is None:
                to_rack.append(tile)
                verb = "put back" if from_rack is not None else "take away"
                steps.append(f"{verb} {tile.spoken}")
                continue
            now = changed.get(target, (layout.melds[target].tiles,))[0]
            laid = _ordered((*now, tile), rules)
            if laid is None:
                break
            changed[target] = (laid,)
            steps.append(f"move {tile.spoken} from {_set(meld)} to {_set(target)}")
        else:
            if from_rack is None or Counter(to_rack) <= from_rack:
                after = _replaced(layout, changed)
                yield Repair(_joined_steps(steps), len(goers), after, tuple(to_rack))


def _joined_steps(steps: list[str]) -> str:
    """Steps as one phrase; several tiles that only go back are named together."""
    for verb in ("put back ", "take away "):
        if all(step.startswith(verb) for step in steps):
            return verb + ", ".join(step.removeprefix(verb) for step in steps)
    return ", ".join(steps)


def _taken(layout: Layout, meld: int, rules: RuleSet) -> Iterator[Repair]:
    """The set takes one or two tiles from sets that stay legal without them."""
    tiles = layout.melds[meld].tiles
    spare: list[tuple[int, Tile, tuple[Tile, ...]]] = []
    for number, other in enumerate(layout.melds):
        if number == meld:
            continue
        for index, tile in enumerate(other.tiles):
            rest = other.tiles[:index] + other.tiles[index + 1 :]
            if not rest or _ordered(rest, rules) is not None:
                spare.append((number, tile, rest))
    for count in (1, 2):
        for taken in combinations(spare, count):
            if len({number for number, _, _ in taken}) != count:
                continue
            laid = _ordered((*tiles, *(tile for _, tile, _ in taken)), rules)
            if laid is None:
                continue
            changed: dict[int, tuple[tuple[Tile, ...], ...]] = {meld: (laid,)}
            for number, _, rest in taken:
                changed[number] = ((_ordered(rest, rules) or ()),)
            steps = [
                f"move {tile.spoken} from {_set(number)} to {_set(meld)}"
                for number, tile, _ in taken
            ]
            yield Repair(_joined_steps(steps), count, _replaced(layout, changed))
