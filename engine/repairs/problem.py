"""What the search for a repair is given of a turn, and what it asks about the positions it reaches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from engine.repairs.contents import Contents
from engine.repairs.joker_rows import Home
from engine.repairs.moves import Position
from engine.repairs.side import Step


class OutOfNodes(Exception):  # noqa: N818 - it ends a search, it is no error
    """A search has taken all the steps it may."""


class Wanted(NamedTuple):
    """Where the moves can be that do something about findings; one of them has to be made."""

    rows: frozenset[int] = frozenset()
    """Rows to move something to, from, or in."""
    back: bool = False
    """Whether any tile that was played may go back."""
    comes: bool = False
    """Whether what may come from beside the table may come to any row."""
    away: bytes = b""
    """Kinds of which one may be taken off the table."""
    asides: tuple[Step, ...] = ()
    """Moves beside the table."""
    home: Home | None = None
    """What the moves at rows have to be for."""


class Problem(NamedTuple):
    """What a search needs to know of a turn."""

    start: Position
    contents: Contents
    unordered: frozenset[int]
    """Rows whose tiles could stay together, but not as they lie."""
    may_leave: Counter[int]
    """How many tiles of each kind may go off the table."""
    strange: bytes
    """Tiles that came from nowhere and have to go."""
    may_come: tuple[tuple[int, int], ...]
    """Tiles that may come to the table and need not: pairs of a kind and RACK or DISCARD."""
    may_be_goal: Callable[[Position], bool]
    """A quick look; False only where `goal` is False."""
    homes: Callable[[Position], tuple[Home, ...]]
    """The homes that jokers need, and that no row of a position can be."""
    goal: Callable[[Position], bool]
    """Whether the turn is mended."""
    wanted: Callable[[Position], Iterable[Wanted]]
    """What has to be done about a position of good rows that is no goal yet: one or more ways to look
    at it, of which at least one holds."""

    def can_leave(self, position: Position, kind: int) -> bool:
        """Whether one more tile of a kind may go off the table."""
        return self.may_leave[kind] > position.left.count(kind)

    def still_strange(self, position: Position) -> bytes:
        """The tiles from nowhere that are still on the table."""
        left = self.strange
        for kind in position.left if left else b"":
            left = left.replace(bytes((kind,)), b"", 1)
        return left
