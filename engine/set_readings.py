"""Whether tiles that lie together are a set, of which kind, and what each joker stands for.

A set may be laid facing any player, so a run that falls is the rising run seen from the other side.
Where a run lies in order, the place of a joker says what it stands for. A run out of order counts
by its tiles alone, unless the table wants runs laid in order (`run.order`).

There are few sets: with 106 tiles and 1 always low, 6,301 different contents. So what tiles can be is
worked out once for each content and then looked up, and what a row is once for each row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, Final

from engine.layout import Layout
from engine.packing import NUMBER_OF, packed, packed_content, unpacked
from engine.rule_sections import Group, Run
from engine.ruleset import RuleSet
from engine.tiles import CARD_JOKER, CARD_SUITS, CARDS, JOKER, TILE_SUITS, TILES, Tile

_HIGH_ACE: Final = 14
_PER_SUIT: Final = 13
"""Numbers of a suit. Packed, the tiles of a suit follow each other, and then comes the next suit."""
_JOKERS: Final = packed((JOKER, CARD_JOKER))
_RISING: Final = b"\xff".join(
    bytes(range(first, first + _PER_SUIT)) for first in range(0, min(_JOKERS), _PER_SUIT)
)
"""Every suit from 1 to 13, and between two of them what is no tile: a part of this rises by one."""
_ROUND: Final = tuple(range(1, _PER_SUIT + 1)) * 3
"""The numbers in their order, round and round; a run is no longer than twice through all of them."""
_ENDS: Final = frozenset({0, _PER_SUIT - 1})
"""The numbers that lie beside each other where 1 follows 13, counted from 0."""
_ALONE: Final = {tile.kind: frozenset({tile}) for tile in (*TILES, *CARDS)}
"""For each kind of tile what it stands for where it is no joker: itself."""
_OF_NATURALS: Final = (
    *("run.least", "run.most", "run.wrap", "run.order"),
    *("group.least", "group.most", "group.duplicates"),
)
_OF_SETS: Final = (*_OF_NATURALS, "joker.max_per_set", "joker.naturals")
"""The values on which it rests what a set is, section by section: rules that agree on them agree."""
_KEPT_BOOKS: Final = 256
"""Rules whose sets are kept at a time; one table with open house rules asks by two, with cards by up to
a hundred and twenty-eight."""
_KEPT_CONTENTS: Final = 1 << 15
"""Contents that are kept: under one table's rules a few thousand are sets, and others are none."""
_KEPT_READINGS: Final = 1 << 14
"""Rows that are kept with their readings, under all rules together."""
_KEPT_ROWS: Final = 1 << 12
"""Rows that are kept under one table's rules, whether they are sets: a hundred times what lies there."""


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


class SetBook:
    """What is a set under one table's rules, each answer worked out when it is first asked for."""

    def __init__(self, run: Run, group: Group, jokers_per_set: int, naturals: str) -> None:
        self.run: Final = run
        self.group: Final = group
        self._jokers_per_set: Final = jokers_per_set
        self._naturals: Final = naturals
        # A book is soon made: with cards, every answer that is given makes others.
        self.kinds_of_content: Final[Callable[[bytes], tuple[str, ...]]] = partial(
            _kept_kinds, self
        )
        """As `kinds_of`, for packed tiles in their order."""
        self.readings_of_packed: Final[Callable[[bytes], tuple[SetReading, ...]]] = partial(
            _kept_readings, self
        )
        """As `readings_of`, for a row of packed tiles."""
        self.is_set_packed: Final[Callable[[bytes], bool]] = lru_cache(maxsize=_KEPT_ROWS)(
            self._is_set
        )
        """As `is_set`, for a row of packed tiles."""

    def kinds_of(self, tiles: Iterable[Tile]) -> tuple[str, ...]:
        """The kinds of set that tiles can form in some order: `group`, `run`, both, or none."""
        return self.kinds_of_content(packed_content(tiles))

    def is_set(self, tiles: Iterable[Tile]) -> bool:
        """Whether a row of tiles is a legal set as it lies."""
        return self.is_set_packed(packed(tiles))

    def _is_set(self, row: bytes) -> bool:
        if row in _RISING:
            # Most sets: numbers that rise by one, without a joker. They are a run by all rules.
            return self.run.least <= len(row) <= self.run.most
        if self.run.order != "any":
            return bool(self.readings_of_packed(row))
        naturals, size = row.translate(None, _JOKERS), len(row)
        return self._fits(naturals, size) and (
            _is_group(naturals, size, self.group) or _is_run(naturals, size, self.run)
        )

    def readings_of(self, tiles: Iterable[Tile]) -> tuple[SetReading, ...]:
        """Every legal reading of a row of tiles, the most natural first; none when it is no set.

        First the run that rises as it lies, then the group, then the run that falls. With `run.order`
        `any`, a row that does not lie in order is read as the runs its tiles can form.
        """
        return self.readings_of_packed(packed(tiles))

    def most_jokers(self, tiles: Iterable[Tile]) -> int:
        """How many jokers a set of these tiles may hold: no more than others where the table says so."""
        return self._most_beside(len([tile for tile in tiles if tile.rank is not None]))

    def _most_beside(self, naturals: int) -> int:
        return (
            self._jokers_per_set if self._naturals == "one" else min(self._jokers_per_set, naturals)
        )

    def _fits(self, naturals: bytes, size: int) -> bool:
        """Whether so many tiles do not hold too many jokers for any set, and not jokers alone."""
        jokers = size - len(naturals)
        return bool(naturals) and (not jokers or jokers <= self._most_beside(len(naturals)))

    def kinds_worked_out(self, content: bytes) -> tuple[str, ...]:
        """As `kinds_of_content`, without what is kept."""
        size, naturals = len(content), content.rstrip(_JOKERS)
        if not self._fits(naturals, size):
            return ()
        group = ("group",) if _is_group(naturals, size, self.group) else ()
        return (*group, "run") if _is_run(naturals, size, self.run) else group

    def readings_worked_out(self, row: bytes) -> tuple[SetReading, ...]:
        """As `readings_of_packed`, without what is kept."""
        naturals = row.translate(None, _JOKERS)
        return (
            _readings(row, naturals, self.run, self.group) if self._fits(naturals, len(row)) else ()
        )


@lru_cache(maxsize=_KEPT_CONTENTS)
def _kept_kinds(book: SetBook, content: bytes) -> tuple[str, ...]:
    return book.kinds_worked_out(content)


@lru_cache(maxsize=_KEPT_READINGS)
def _kept_readings(book: SetBook, row: bytes) -> tuple[SetReading, ...]:
    return book.readings_worked_out(row)


def book_of(rules: RuleSet) -> SetBook:
    """The book of sets of these rules; rules that agree on what a set is share one."""
    return _book(rules.standing_of(_OF_SETS)[0])


def book_of_jokers(rules: RuleSet) -> SetBook:
    """The book by which jokers stand for tiles: as `book_of`, and in a set with too many they stand for
    something, too."""
    return _book((*rules.standing_of(_OF_NATURALS)[0], rules.equipment.jokers, "one"))


@lru_cache(maxsize=_KEPT_BOOKS)
def _book(values: tuple[Any, ...]) -> SetBook:
    """The book by the values of `_OF_SETS`."""
    return SetBook(Run(*values[:4]), Group(*values[4:7]), *values[7:])


def kinds_of(tiles: Iterable[Tile], rules: RuleSet) -> tuple[str, ...]:
    """`SetBook.kinds_of` under these rules."""
    return book_of(rules).kinds_of(tiles)


def is_set(tiles: Iterable[Tile], rules: RuleSet) -> bool:
    """`SetBook.is_set` under these rules."""
    return book_of(rules).is_set(tiles)


def readings_of(tiles: Iterable[Tile], rules: RuleSet) -> tuple[SetReading, ...]:
    """`SetBook.readings_of` under these rules."""
    return book_of(rules).readings_of(tiles)


def most_jokers(tiles: Iterable[Tile], rules: RuleSet) -> int:
    """`SetBook.most_jokers` under these rules."""
    return book_of(rules).most_jokers(tiles)


def orders_as_run(tiles: Iterable[Tile], rules: RuleSet) -> bool:
    """Whether the tiles would be a run if they were put in order."""
    return "run" in book_of(rules).kinds_of(tiles)


def is_legal_layout(layout: Layout, rules: RuleSet) -> bool:
    """Whether every meld of a layout is a legal set as it lies. How often a tile is there is not
    asked: `engine.examine` counts copies."""
    is_set = book_of(rules).is_set_packed
    return all(map(is_set, layout.rows))


def reaches_round(tiles: Iterable[Tile]) -> bool:
    """Whether 1 and 13 may both be in a set of these tiles, so that it may matter whether 1 follows 13:
    each is there, or a joker that may stand for it."""
    return row_reaches_round(packed(tiles))


def row_reaches_round(row: bytes) -> bool:
    """As `reaches_round`, for packed tiles."""
    naturals = row.translate(None, _JOKERS)
    ends = _ENDS.intersection(naturals.translate(NUMBER_OF))
    return len(ends) + len(row) - len(naturals) > 1


def is_run_of(tiles: Sequence[Tile], run: Run) -> bool:
    """Whether the tiles would be such a run if they were put in order, however many jokers it takes.

    At least one tile is no joker.
    """
    row = packed(tiles)
    return _is_run(row.translate(None, _JOKERS), len(row), run)


def _readings(row: bytes, naturals: bytes, run: Run, group: Group) -> tuple[SetReading, ...]:
    """The readings of a row with these numbers, one at least, and no joker too many."""
    as_group = _groups(unpacked(row), group) if _is_group(naturals, len(row), group) else ()
    if not _may_be_run(naturals, len(row), run):
        return as_group
    rising = _laid_runs(row, naturals[0], run)
    # What rises does not fall as well; and one number alone, which shows no direction, rises.
    falling = () if rising else _laid_runs(row[::-1], naturals[-1], run)
    found = rising + as_group + tuple(map(_turned, falling))
    if not found and run.order == "any":
        return _unordered_runs(unpacked(row), naturals, run)
    return found


def _turned(reading: SetReading) -> SetReading:
    return SetReading(reading.kind, reading.stands_for[::-1], reading.points)


def _is_group(naturals: bytes, size: int, group: Group) -> bool:
    """Whether these numbers, and jokers up to that size, are a group."""
    if not group.least <= size <= group.largest or len(set(naturals.translate(NUMBER_OF))) > 1:
        return False
    return group.duplicates or len(set(naturals)) == len(naturals)


def _groups(tiles: tuple[Tile, ...], group: Group) -> tuple[SetReading, ...]:
    """The reading of tiles that are a group."""
    naturals = [tile for tile in tiles if tile.rank is not None]
    taken = () if group.duplicates else {tile.suit for tile in naturals}
    rank = naturals[0].rank or 0
    suits = _in_all_suits(rank, is_card=naturals[0].is_card)
    missing = frozenset([tile for tile in suits if tile.suit not in taken])
    stands_for = _with_jokers_for(tiles, missing)
    return (SetReading("group", stands_for, rank * len(tiles)),)


@cache
def _in_all_suits(rank: int, *, is_card: bool) -> tuple[Tile, ...]:
    return tuple(Tile(suit, rank) for suit in (CARD_SUITS if is_card else TILE_SUITS))


def _with_jokers_for(
    tiles: tuple[Tile, ...], missing: frozenset[Tile]
) -> tuple[frozenset[Tile], ...]:
    """What tiles stand for where a joker stands for any that is missing."""
    return tuple([missing if tile.rank is None else _ALONE[tile.kind] for tile in tiles])


def _laid_runs(row: bytes, natural: int, run: Run) -> tuple[SetReading, ...]:
    """The runs of packed tiles of one suit that rise from the first to the last, each at its place;
    `natural` is the first that is no joker."""
    first, rank = row.index(natural), natural % _PER_SUIT + 1
    starts = {rank - first}
    if rank == 1 and run.wrap == "high_or_low":
        starts.add(_HIGH_ACE - first)
    if run.wrap == "full":
        starts = {(rank - first - 1) % 13 + 1}
    found = []
    for start in sorted(starts):
        places = _window(start, len(row), run)
        if places is None:
            continue
        kinds = [natural - rank + place for place in places]
        pairs = zip(row, kinds, strict=True)
        if not [laid for laid, kind in pairs if laid != kind and laid not in _JOKERS]:
            stands_for = tuple([_ALONE[kind] for kind in kinds])
            found.append(SetReading("run", stands_for, sum(places)))
    return tuple(found)


def _window(start: int, length: int, run: Run) -> tuple[int, ...] | None:
    """The numbers of a run of that length from `start`, 1 again for the place after 13; None when
    the run would leave the numbers there are."""
    highest = _HIGH_ACE if run.wrap == "high_or_low" else _PER_SUIT
    if run.wrap != "full" and (start < 1 or start + length - 1 > highest):
        return None
    return _ROUND[start - 1 : start - 1 + length]


def _is_run(naturals: bytes, size: int, run: Run) -> bool:
    """Whether these numbers, and jokers up to that size, are a run in some order."""
    if not _may_be_run(naturals, size, run):
        return False
    # Those that lie no further apart fit whatever follows 13; most runs are told by that.
    return max(naturals) - min(naturals) < size or any(_windows_of(naturals, size, run))


def _may_be_run(naturals: bytes, size: int, run: Run) -> bool:
    """Whether the numbers are of one suit, each once, and as many as a run may have with its jokers."""
    if not run.least <= size <= run.most or len(set(naturals)) != len(naturals):
        return False
    return min(naturals) // _PER_SUIT == max(naturals) // _PER_SUIT


def _windows_of(naturals: bytes, size: int, run: Run) -> Iterator[frozenset[int]]:
    """The numbers of each run of that size that these of one suit can form in some order, the lowest
    first."""
    ranks = {kind % _PER_SUIT + 1 for kind in naturals}
    return filter(ranks.issubset, _windows(size, run))


@cache
def _windows(length: int, run: Run) -> tuple[frozenset[int], ...]:
    """The numbers of every run of that length, the lowest first."""
    found = (_window(start, length, run) for start in range(1, 14))
    return tuple(frozenset(places) for places in found if places and len(set(places)) == length)


def _unordered_runs(tiles: tuple[Tile, ...], naturals: bytes, run: Run) -> tuple[SetReading, ...]:
    """The runs the tiles can form in some order; a joker of one stands for any of the numbers that
    are missing in it."""
    natural = next(tile for tile in tiles if tile.rank is not None)
    ranks = {tile.rank for tile in tiles}
    found = []
    for places in _windows_of(naturals, len(tiles), run):
        missing = frozenset([natural.with_rank(rank) for rank in places if rank not in ranks])
        stands_for = _with_jokers_for(tiles, missing)
        found.append(SetReading("run", stands_for, sum(places)))
    return tuple(found)
