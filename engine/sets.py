"""Whether tiles that lie together are a set, what each joker stands for, and what is wrong if not.

A set may be laid facing any player, so a run that falls is the rising run seen from the other side.
Where a run lies in order, the place of a joker says what it stands for. A run out of order counts
by its tiles alone, unless the table wants runs laid in order (`run.order`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from engine.faults import Fault
from engine.rule_sections import Group, Run
from engine.ruleset import RuleSet
from engine.tiles import CARD_SUITS, TILE_SUITS, Suit, Tile

_HIGH_ACE: Final = 14
_CACHED_SETS: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class SetReading:
    """One way in which a row of tiles is a legal set."""

    kind: str
    """`group` or `run`."""
    stands_for: tuple[frozenset[Tile], ...]
    """For each tile what it may stand for: itself, or for a joker the tiles of its place. A joker
    of a group stands for any of the missing colours."""
    points: int
    """The sum of the numbers, a joker's being that of the tile it stands for (PR-09)."""


@dataclass(frozen=True, slots=True)
class SetFault:
    """One thing that keeps a row of tiles from being a set."""

    fault: Fault
    kind: str
    """The kind of set it was measured against, `group` or `run`."""
    tiles: tuple[Tile, ...]
    """The tiles that show it."""
    message: str
    """What is wrong, to follow "Set 2: "."""


def readings_of(tiles: tuple[Tile, ...], rules: RuleSet) -> tuple[SetReading, ...]:
    """Every legal reading of a row of tiles, the most natural first; none when it is no set.

    First the run that rises as it lies, then the group, then the run that falls. With `run.order`
    `any`, a row that does not lie in order is read as the runs its tiles can form.
    """
    return _readings(tiles, rules.run, rules.group, most_jokers(tiles, rules))


def most_jokers(tiles: tuple[Tile, ...], rules: RuleSet) -> int:
    """How many jokers a set of these tiles may hold: no more than others where the table says so."""
    if rules.joker.naturals == "one":
        return rules.joker.max_per_set
    naturals = sum(not tile.is_joker for tile in tiles)
    return min(rules.joker.max_per_set, naturals)


def is_set(tiles: tuple[Tile, ...], rules: RuleSet) -> bool:
    """Whether a row of tiles is a legal set as it lies."""
    return bool(readings_of(tiles, rules))


def orders_as_run(tiles: tuple[Tile, ...], rules: RuleSet) -> bool:
    """Whether the tiles would be a run if they were put in order."""
    return bool(_unordered_runs(tiles, rules.run, most_jokers(tiles, rules)))


@lru_cache(maxsize=_CACHED_SETS)
def _readings(
    tiles: tuple[Tile, ...], run: Run, group: Group, jokers: int
) -> tuple[SetReading, ...]:
    if _jokers_spoil(tiles, jokers):
        return ()
    rising = _laid_runs(tiles, run)
    falling = tuple(_turned(reading) for reading in _laid_runs(tiles[::-1], run))
    as_group = _groups(tiles, group)
    naturals = sum(not tile.is_joker for tile in tiles)
    if naturals == 1 and rising:
        # One number alone shows no direction: read as it lies, it rises.
        falling = ()
    found = rising + as_group + falling
    if not found and run.order == "any":
        return _unordered_runs(tiles, run, jokers)
    return found


def _jokers_spoil(tiles: tuple[Tile, ...], most: int) -> bool:
    """True when there are too many jokers for any set, or nothing else."""
    jokers = sum(tile.is_joker for tile in tiles)
    return jokers > most or jokers == len(tiles)


def _turned(reading: SetReading) -> SetReading:
    return SetReading(reading.kind, reading.stands_for[::-1], reading.points)


def _groups(tiles: tuple[Tile, ...], group: Group) -> tuple[SetReading, ...]:
    naturals = [tile for tile in tiles if not tile.is_joker]
    suits = [tile.suit for tile in naturals]
    rank = naturals[0].rank
    if not group.least <= len(tiles) <= group.most or rank is None:
        return ()
    if any(tile.rank != rank for tile in naturals):
        return ()
    if len(set(suits)) != len(suits) and not group.duplicates:
        return ()
    deck = CARD_SUITS if naturals[0].is_card else TILE_SUITS
    missing = frozenset(Tile(suit, rank) for suit in deck if group.duplicates or suit not in suits)
    stands_for = tuple(missing if tile.is_joker else frozenset({tile}) for tile in tiles)
    return (SetReading("group", stands_for, rank * len(tiles)),)


def _laid_runs(tiles: tuple[Tile, ...], run: Run) -> tuple[SetReading, ...]:
    """The runs that rise from the first tile to the last, each tile at its place."""
    if not run.least <= len(tiles) <= run.most:
        return ()
    first = next(index for index, tile in enumerate(tiles) if not tile.is_joker)
    suit, rank = tiles[first].suit, tiles[first].rank
    if suit is None or rank is None:
        return ()
    starts = {rank - first}
    if rank == 1 and run.wrap == "high_or_low":
        starts.add(_HIGH_ACE - first)
    if run.wrap == "full":
        starts = {(rank - first - 1) % 13 + 1}
    found = []
    for start in sorted(starts):
        places = _window(start, len(tiles), run)
        if places is None:
            continue
        if all(
            tile.is_joker or (tile.suit is suit and tile.rank == place)
            for tile, place in zip(tiles, places, strict=True)
        ):
            stands_for = tuple(frozenset({Tile(suit, place)}) for place in places)
            found.append(SetReading("run", stands_for, sum(places)))
    return tuple(found)


def _window(start: int, length: int, run: Run) -> tuple[int, ...] | None:
    """The numbers of a run of that length from `start`, 1 again for the place after 13; None when
    the run would leave the numbers there are."""
    last = start + length - 1
    if run.wrap == "full":
        return tuple((place - 1) % 13 + 1 for place in range(start, last + 1))
    highest = _HIGH_ACE if run.wrap == "high_or_low" else 13
    if start < 1 or last > highest:
        return None
    return tuple((place - 1) % 13 + 1 for place in range(start, last + 1))


@lru_cache(maxsize=_CACHED_SETS)
def _unordered_runs(tiles: tuple[Tile, ...], run: Run, jokers: int) -> tuple[SetReading, ...]:
    """The runs the tiles can form in some order, the lowest first; a joker of one stands for any of
    the numbers that are missing in it."""
    suits = {tile.suit for tile in tiles if tile.suit is not None}
    ranks = sorted(tile.rank for tile in tiles if tile.rank is not None)
    if _jokers_spoil(tiles, jokers) or len(suits) != 1 or len(set(ranks)) != len(ranks):
        return ()
    if not run.least <= len(tiles) <= run.most:
        return ()
    suit: Suit = next(iter(suits))
    found = []
    for start in range(1, 14):
        places = _window(start, len(tiles), run)
        if places is None or not set(ranks) <= set(places) or len(set(places)) != len(places):
            continue
        missing = frozenset(Tile(suit, place) for place in places if place not in ranks)
        stands_for = tuple(missing if tile.is_joker else frozenset({tile}) for tile in tiles)
        found.append(SetReading("run", stands_for, sum(places)))
    return tuple(found)


def set_faults(tiles: tuple[Tile, ...], rules: RuleSet) -> tuple[SetFault, ...]:
    """Everything that keeps a row of tiles from being a set; none when it is one.

    It is measured against the kind of set it is nearer to, counted in tiles that would have to go,
    and against both when they are equally near.
    """
    if is_set(tiles, rules):
        return ()
    if len(tiles) == 1:
        return (SetFault(Fault.LOOSE_TILE, "run", tiles, f"{tiles[0].spoken} lies alone"),)
    found = _joker_faults(tiles, rules)
    naturals = tuple(tile for tile in tiles if not tile.is_joker)
    if naturals:
        same_number = Counter(tile.rank for tile in naturals).most_common(1)[0][1]
        same_colour = Counter(tile.suit for tile in naturals).most_common(1)[0][1]
        if same_number >= same_colour:
            found += _group_faults(tiles, naturals, rules)
        if same_colour >= same_number and len(set(naturals)) > 1:
            found += _run_faults(tiles, naturals, rules)
    elif len(tiles) < min(rules.run.least, rules.group.least):
        found += (_too_short(tiles, "run", rules.run.least),)
    if not found:
        text = "these tiles form neither a group nor a run"
        found = (SetFault(Fault.SET_INVALID, "run", tiles, text),)
    return tuple({item.fault: item for item in reversed(found)}.values())[::-1]


def _joker_faults(tiles: tuple[Tile, ...], rules: RuleSet) -> tuple[SetFault, ...]:
    jokers = tuple(tile for tile in tiles if tile.is_joker)
    found: tuple[SetFault, ...] = ()
    if len(jokers) == len(tiles):
        text = "jokers alone are no set; at least one other tile is needed"
        found += (SetFault(Fault.NO_NATURAL_TILE, "run", jokers, text),)
    elif len(jokers) > most_jokers(tiles, rules):
        text = f"{len(jokers)} jokers in one set, where {most_jokers(tiles, rules)} may be"
        found += (SetFault(Fault.TOO_MANY_JOKERS, "run", jokers, text),)
    return found


def _too_short(tiles: tuple[Tile, ...], kind: str, least: int) -> SetFault:
    text = f"only {len(tiles)} {_pieces(tiles)}; a {kind} has at least {least}"
    return SetFault(Fault.SET_TOO_SHORT, kind, tiles, text)


def _group_faults(
    tiles: tuple[Tile, ...], naturals: tuple[Tile, ...], rules: RuleSet
) -> tuple[SetFault, ...]:
    """What keeps the tiles from being a group."""
    found = []
    numbers = Counter(tile.rank for tile in naturals)
    if len(numbers) > 1:
        common = numbers.most_common(1)[0][0]
        odd = tuple(tile for tile in naturals if tile.rank != common)
        text = f"as a group: the numbers differ ({_list(naturals)})"
        found.append(SetFault(Fault.GROUP_NUMBERS_DIFFER, "group", odd, text))
    else:
        colours = Counter(tile.suit for tile in naturals)
        twice = tuple(tile for tile in naturals if colours[tile.suit] > 1)
        if twice and not rules.group.duplicates:
            text = f"the same {_colour(tiles)} more than once in a group ({_list(twice)})"
            found.append(SetFault(Fault.GROUP_COLOUR_TWICE, "group", twice, text))
        if len(tiles) > rules.group.most:
            text = f"{len(tiles)} {_pieces(tiles)}; a group has at most {rules.group.most}"
            found.append(SetFault(Fault.GROUP_TOO_LONG, "group", tiles, text))
        if len(tiles) < rules.group.least:
            found.append(_too_short(tiles, "group", rules.group.least))
    return tuple(found)


def _run_faults(
    tiles: tuple[Tile, ...], naturals: tuple[Tile, ...], rules: RuleSet
) -> tuple[SetFault, ...]:
    """What keeps the tiles from being a run."""
    found = []
    common = Counter(tile.suit for tile in naturals).most_common(1)[0][0]
    odd = tuple(tile for tile in naturals if tile.suit is not common)
    if odd:
        text = f"as a run: the {_colour(tiles)}s differ ({_list(naturals)})"
        found.append(SetFault(Fault.RUN_COLOURS_DIFFER, "run", odd, text))
    numbers = Counter(tile.rank for tile in naturals)
    twice = tuple(tile for tile in naturals if numbers[tile.rank] > 1)
    if twice:
        text = f"the same number more than once in a run ({_list(twice)})"
        found.append(SetFault(Fault.RUN_NUMBER_TWICE, "run", twice, text))
    if len(tiles) > rules.run.most:
        text = f"{len(tiles)} {_pieces(tiles)}; a run has at most {rules.run.most}"
        found.append(SetFault(Fault.RUN_TOO_LONG, "run", tiles, text))
    if len(tiles) < rules.run.least:
        found.append(_too_short(tiles, "run", rules.run.least))
    if not twice:
        found.extend(_sequence_faults(tiles, naturals, rules))
    return tuple(found)


def _sequence_faults(
    tiles: tuple[Tile, ...], naturals: tuple[Tile, ...], rules: RuleSet
) -> list[SetFault]:
    """What is wrong with different numbers as a sequence, whatever their colours."""
    suit = naturals[0].suit
    one_colour = tuple(tile if tile.is_joker else Tile(suit, tile.rank) for tile in tiles)
    if is_set(one_colour, rules):
        return []
    if orders_as_run(one_colour, rules):
        if one_colour != tiles:
            return []
        text = f"the numbers do not lie in order ({_list(tiles)})"
        return [SetFault(Fault.RUN_NOT_IN_ORDER, "run", tiles, text)]
    ranks = [tile.rank for tile in naturals if tile.rank is not None]
    beside = {frozenset(pair) for pair in pairwise(ranks)}
    round_the_end = _unordered_runs(one_colour, replace(rules.run, wrap="full"), len(tiles))
    if (frozenset({1, 13}) in beside or round_the_end) and rules.run.wrap != "full":
        ends = tuple(tile for tile in naturals if tile.rank in (1, 13))
        text = f"1 does not follow 13 ({_list(naturals)})"
        if rules.run.wrap == "high_or_low":
            text = (
                f"1 is the last tile after 13 or the first before 2, not both ({_list(naturals)})"
            )
        return [SetFault(Fault.RUN_WRAPS, "run", ends, text)]
    jokers = len(tiles) - len(naturals)
    if max(ranks) - min(ranks) + 1 > len(ranks) + jokers:
        text = f"a number is missing between the tiles ({_list(tiles)})"
        return [SetFault(Fault.RUN_GAP, "run", naturals, text)]
    return []


def _pieces(tiles: tuple[Tile, ...]) -> str:
    return "cards" if tiles[0].is_card else "tiles"


def _colour(tiles: tuple[Tile, ...]) -> str:
    return "suit" if tiles[0].is_card else "colour"


def _list(tiles: tuple[Tile, ...]) -> str:
    return ", ".join(tile.spoken for tile in tiles)
