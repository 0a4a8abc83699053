"""Everything that a turn may be, as its readings leave it, in spots that can be looked at one by one.

A tile the reader is sure of is its first candidate, and a doubtful one each of its candidates. Where
the candidates leave real doubt it may be any other tile of the game, too, and where the reader may
have taken something else for a tile it may be none. An unread one may be any.

What may correct a reading is what no hand at the table can bring about:

- At one moment there are no more of a tile, jokers too, than the game has: on the table and the rack
  before the turn, and on the table, the rack and the discard after it, sure and doubtful tiles together.
  So tiles known to lie on the table leave less for what was read on a rack.
- A rack holds as many tiles as were counted on it, where its reading can come to that number.

What may not:

- What is legal. A set that would be none, a play too short, a discard that could have been played:
  these are what a referee is for. The same facts strike readings of a legal and of an illegal table.
- That a tile of the table before still lies there, or that a new one came from the rack. Tiles can be
  taken away and brought, which is against the rules (G-01, G-03) and not against nature. Such tiles are
  only offered first when somebody is asked. A tile that was seen to lie untouched is for those to tell
  who watch places and pictures: it comes here as one that is sure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, product
from math import fsum, inf, prod
from typing import Final, TypeVar

from engine.layout import GridReading, TileReading, melds_without
from engine.ruleset import RuleSet
from engine.sets import is_set
from engine.tiles import CARDS, TILES, Tile
from engine.turn_reading import TurnReading
from engine.worlds import Outcome

REAL_DOUBT: Final = 0.005
"""A chance that a tile is something else than listed counts from here: half of what the reader's own
"sure" leaves open (1 %), and as little as a reader hands a candidate on for. Several tiles are
something else at once only where their chances multiplied still reach it."""
NONE_WEIGHT: Final = 0.5
"""What "no tile" weighs when it is weighed which question settles most; readers say only that it
may be."""
MOST_EXPECTED: Final = 4
"""So many kinds of tile that lay there before and are not seen now are offered for a tile that may be
anything. With more it would be guessing."""
EXPECTED_SHARE: Final = 0.5
"""The part of the doubt that such tiles get when it is weighed which question settles most. No ruling
rests on it."""
MOST_FILLINGS: Final = 4000
"""Fillings of one spot that are looked at: two unread tiles in a row are 2809."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What one tile of a reading may be, each with its weight."""

    listed: dict[Tile | None, float]
    """Its candidates, the likeliest first, then None where there may be no tile."""
    others: dict[Tile | None, float]
    """Every other tile of the game; empty where the candidates leave no real doubt."""
    rest: float
    """The chance of the others together."""
    expected: tuple[Tile, ...] = ()
    """Those of the others that lay there before the turn and are not seen now."""

    @property
    def is_open(self) -> bool:
        """True when it may be more than one thing."""
        return len(self.listed) + len(self.others) > 1

    @property
    def offered(self) -> tuple[Tile | None, ...]:
        """What is offered when somebody is asked: candidates, tiles that are expected, no tile."""
        tiles = tuple(tile for tile in self.listed if tile is not None)
        return (*tiles, *self.expected, *([None] if None in self.listed else []))


def choices_of(reading: TurnReading, rules: RuleSet) -> list[Choice]:
    """What each tile of a turn may be. Raises ValueError for a candidate of the other deck."""
    cards = rules.equipment.pieces == "cards"
    for tile in reading.tiles:
        if any(candidate.tile.is_card != cards for candidate in tile.candidates):
            raise ValueError(f"{tile} is none of the {rules.equipment.pieces} of {rules.preset}")
    missing = _missing(reading)
    deck, on_table = (CARDS if cards else TILES), len(reading.table.tiles)
    return [
        _choice(tile, deck, missing if index < on_table else ())
        for index, tile in enumerate(reading.tiles)
    ]


def _missing(reading: TurnReading) -> tuple[Tile, ...]:
    """The kinds of tile that were there before the turn and are not seen after it, if they are few."""
    known = reading.known
    if known.before is None:
        return ()
    was = Counter((*known.tiles_before, *(known.rack_before or ())))
    now = Counter((*(known.rack_after or ()), *(known.discard or ())))
    for (moment, _), tile in zip(moments_of(reading), reading.tiles, strict=True):
        if tile.sure and tile.best is not None:
            (was if moment == BEFORE else now)[tile.best] += 1
    left = was - now
    return tuple(sorted(left)) if len(left) <= MOST_EXPECTED else ()


def may_be_any(tile: TileReading) -> bool:
    """Whether its candidates leave real doubt, so that it may be any tile of the game."""
    return not tile.sure and 1.0 - fsum(c.probability for c in tile.candidates) > REAL_DOUBT


def _choice(tile: TileReading, deck: tuple[Tile, ...], missing: tuple[Tile, ...]) -> Choice:
    if tile.sure:
        return Choice({tile.candidates[0].tile: 1.0}, {}, 0.0)
    listed: dict[Tile | None, float] = {}
    for item in tile.candidates:
        listed.setdefault(item.tile, item.probability)
    rest = 1.0 - fsum(listed.values())
    kinds = [kind for kind in deck if kind not in listed] if rest > REAL_DOUBT else []
    expected = tuple(kind for kind in missing if kind in kinds)
    if tile.may_be_none:
        listed[None] = NONE_WEIGHT
    spread = rest * (1 - EXPECTED_SHARE) if expected else rest
    others: dict[Tile | None, float] = {kind: spread / len(kinds) for kind in kinds}
    for kind in expected:
        others[kind] += rest * EXPECTED_SHARE / len(expected)
    return Choice(listed, others, rest, expected)


_Cell = TypeVar("_Cell")
Count = tuple[str, Tile | None]
"""What is counted: a tile at a moment, a tile on the table, or with None all tiles of a hand."""
BEFORE: Final = "before"
AFTER: Final = "after"
TABLE: Final = "table"


@dataclass(frozen=True, slots=True)
class Facts:
    """What physics leaves of each count."""

    there: Counter[Count]
    """What is known to be there beside what was read."""
    held: Mapping[Count, int]
    """How many tiles a rack holds, where that was counted."""
    copies: int
    jokers: int

    @classmethod
    def of(cls, reading: TurnReading, rules: RuleSet) -> Facts:
        """The facts beside the readings of a turn."""
        known = reading.known
        was = [*(known.rack_before or ())]
        if rules.table.form == "sets" or known.grid_before is not None:
            # The lines of a board name tiles twice.
            was += known.tiles_before
        now = (*(known.rack_after or ()), *(known.discard or ()))
        there: Counter[Count] = Counter((BEFORE, tile) for tile in was)
        there.update((AFTER, tile) for tile in now)
        held: dict[Count, int] = {}
        for name, counted in (
            ("rack_before", reading.held_before),
            ("rack_after", reading.held_after),
        ):
            tiles = [reading.tiles[i] for i, where in reading.hand_tiles() if where == name]
            # A count that no reading of the rack comes to says that one was overlooked, not which.
            least = sum(not tile.may_be_none for tile in tiles)
            if counted is not None and least <= counted <= len(tiles):
                held[name, None] = counted
        return cls(there, held, rules.equipment.copies, rules.equipment.jokers)

    def most(self, count: Count) -> float:
        """How many there can be; facts that contradict each other stand as they are."""
        where, tile = count
        if tile is None:
            return self.held.get(count, inf)
        if where not in (BEFORE, AFTER):
            return inf
        return max(self.jokers if tile.is_joker else self.copies, self.there[count])

    def least(self, count: Count) -> int:
        """How many there have to be."""
        return self.held.get(count, 0)


@dataclass(frozen=True, slots=True)
class Filling:
    """One way to say what the tiles of a spot are."""

    tiles: tuple[tuple[int, Tile | None], ...]
    """Pairs of the number of a tile and what it is; None where there is none."""
    melds: tuple[tuple[int, ...], ...]
    """What is then left of a row of a layout, as numbers of tiles; empty elsewhere."""
    weight: float
    """How likely it is, against other fillings of the spot."""
    strange: float
    """The chance that those of its tiles which are something else than listed all are so; 1 for none."""
    outcome: Outcome
    """Whether its sets are sets, for each of the rules they are held against."""
    counts: Counter[Count]
    """What it adds to each count."""

    @property
    def is_usual(self) -> bool:
        """Whether every tile is what it was taken for, or was taken for nothing."""
        return self.strange == 1.0


@dataclass(frozen=True, slots=True)
class Spot:
    """Tiles that have to be looked at together: a row of a layout, lines of a board that cross in a
    doubtful tile, or one tile of a hand."""

    fillings: tuple[Filling, ...]
    row: int | None = None
    """For a row of a layout its number in the arrangement."""
    too_many: bool = False
    """True when it has more than MOST_FILLINGS; then the first alone is given."""


def moments_of(reading: TurnReading) -> list[tuple[str, str]]:
    """For each tile the moment it was seen at, and where: `TABLE` or the field of a hand."""
    return [(AFTER, TABLE)] * len(reading.table.tiles) + _moments_of_hands(reading)


def _moments_of_hands(reading: TurnReading) -> list[tuple[str, str]]:
    return [(BEFORE if name == "rack_before" else AFTER, name) for _, name in reading.hand_tiles()]


def counted(
    tiles: Iterable[tuple[int, Tile | None]], moment: str = AFTER, where: str = TABLE
) -> Counter[Count]:
    """What tiles add to each count that were seen at that moment, on the table or in that hand."""
    found: Counter[Count] = Counter()
    for _, tile in tiles:
        if tile is not None:
            found[moment, tile] += 1
            found[where, tile if where == TABLE else None] += 1
    return found


def spots_of(
    reading: TurnReading,
    number: int,
    choices: Sequence[Choice],
    variants: Sequence[RuleSet],
    row_spot: Callable[[tuple[int, ...]], Spot],
) -> list[Spot]:
    """The spots of an arrangement, sure tiles too, whose sets are held against each of these rules.

    Impossible fillings, with a third copy of a tile, are among theirs. `row_spot` is `spot_of_row`, or
    remembers what that gave.
    """
    if isinstance(reading.table, GridReading):
        found = _spots_on_board(reading.table.arrangements[number], choices, variants)
    else:
        rows = reading.table.arrangements[number]
        found = [replace(row_spot(row), row=at) for at, row in enumerate(rows)]
    always = (True,) * len(variants)
    for (index, _), place in zip(reading.hand_tiles(), _moments_of_hands(reading), strict=True):
        fillings = _fillings((index,), choices)
        held = (Filling(t, (), w, s, always, counted(t, *place)) for t, w, s in fillings)
        found.append(Spot(tuple(held)))
    return found


def spot_of_row(
    row: tuple[int, ...], choices: Sequence[Choice], variants: Sequence[RuleSet]
) -> Spot:
    """The spot of a row, whatever its number is."""

    def fillings() -> Iterator[Filling]:
        for tiles, weight, strange in _fillings(row, choices):
            told = dict(tiles)
            gone = {index for index, tile in tiles if tile is None}
            for parts in melds_without((row,), gone):
                melds = tuple(meld for _, meld in parts)
                rows = [tuple(t for i in meld if (t := told[i])) for meld in melds]
                are_sets = _are_sets(rows, variants)
                yield Filling(tiles, melds, weight, strange, are_sets, counted(tiles))

    return _spot(fillings())


def _spot(fillings: Iterable[Filling]) -> Spot:
    found = tuple(islice(fillings, MOST_FILLINGS + 1))
    if len(found) > MOST_FILLINGS:
        return Spot((replace(found[0], counts=Counter()),), too_many=True)
    return Spot(found)


def _are_sets(rows: Sequence[tuple[Tile, ...]], variants: Sequence[RuleSet]) -> Outcome:
    return tuple(all(is_set(row, rules) for row in rows) for rules in variants)


def _spots_on_board(
    rows: Sequence[Sequence[int | None]], choices: Sequence[Choice], variants: Sequence[RuleSet]
) -> list[Spot]:
    """Every line is in one spot, together with those it crosses in a doubtful tile.

    That a joker is one tile in two lines, and that all tiles hang together, is not looked at here.
    """
    cells = [index for row in rows for index in row if index is not None]
    sure = tuple(index for index in cells if not choices[index].is_open)
    ((known, _, _),) = _fillings(sure, choices)
    lines = [line for row in (*rows, *zip(*rows, strict=True)) for line in touching(row)]
    found = [_board_spot(sure, (), dict(known), choices, variants)]
    for indexes, crossing in _crossing([line for line in lines if len(line) > 1], set(sure)):
        found.append(_board_spot(indexes, crossing, dict(known), choices, variants))
    reached = {index for line in lines if len(line) > 1 for index in line}
    alone = sorted(set(cells) - reached - set(sure))
    return found + [_board_spot((index,), (), {}, choices, variants) for index in alone]


def _board_spot(
    indexes: Sequence[int],
    lines: Sequence[tuple[int, ...]],
    known: dict[int, Tile | None],
    choices: Sequence[Choice],
    variants: Sequence[RuleSet],
) -> Spot:
    def fillings() -> Iterator[Filling]:
        for tiles, weight, strange in _fillings(indexes, choices):
            told = known | dict(tiles)
            parts = [part for line in lines for part in touching([told[i] for i in line])]
            sets = [part for part in parts if len(part) > 1]
            yield Filling(tiles, (), weight, strange, _are_sets(sets, variants), counted(tiles))

    return _spot(fillings())


def _crossing(
    lines: Sequence[tuple[int, ...]], sure: set[int]
) -> list[tuple[tuple[int, ...], list[tuple[int, ...]]]]:
    """The lines of a board in groups that share doubtful tiles, with those tiles."""
    groups: list[tuple[set[int], list[tuple[int, ...]]]] = []
    for line in lines:
        doubtful, together = set(line) - sure, [line]
        for group in [group for group in groups if group[0] & doubtful]:
            groups.remove(group)
            doubtful, together = doubtful | group[0], together + group[1]
        groups.append((doubtful, together))
    return [(tuple(sorted(doubtful)), together) for doubtful, together in groups]


def touching(cells: Sequence[_Cell | None]) -> list[tuple[_Cell, ...]]:
    """The cells of a line in parts without an empty one."""
    parts = groupby(cells, key=lambda cell: cell is None)
    return [tuple(c for c in part if c is not None) for is_gap, part in parts if not is_gap]


def _fillings(
    indexes: Sequence[int], choices: Sequence[Choice]
) -> Iterator[tuple[tuple[tuple[int, Tile | None], ...], float, float]]:
    """Every way to say what these tiles are, with its weight and how strange it is."""
    unread = {index for index in indexes if not choices[index].listed}
    doubted = [(i, choices[i].rest) for i in indexes if choices[i].others and i not in unread]
    for strange, chance in _together(doubted):
        pools = [
            choices[index].others if index in strange or index in unread else choices[index].listed
            for index in indexes
        ]
        for tiles in product(*pools):
            weight = prod(pool[tile] for pool, tile in zip(pools, tiles, strict=True))
            yield tuple(zip(indexes, tiles, strict=True)), weight, chance


def _together(
    doubted: Sequence[tuple[int, float]], chance: float = 1.0
) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every set of tiles that may well be something else at once, beginning with none of them, and the
    chance of that."""
    yield (), chance
    for place, (index, rest) in enumerate(doubted):
        both = strange_together(chance, rest)
        if both > REAL_DOUBT:
            for more, less in _together(doubted[place + 1 :], both):
                yield (index, *more), less


def strange_together(one: float, other: float) -> float:
    """The chance that tiles are something else at once, rounded so that their order is no matter."""
    return round(one * other, 12)
