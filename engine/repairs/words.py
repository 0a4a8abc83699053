"""A repair in words: `move blue 5 from set 2 to set 3`, `put back red 3 and red 4`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from engine.packing import packed_content
from engine.repairs.contents import TILE_OF
from engine.repairs.moves import DISCARD, RACK, Aside, Join, Lay, Move, Order, Part, Position
from engine.tiles import Tile
from engine.turns import Turn
from engine.wording import in_row, listed, named, the

_IN_ORDER: Final = (Join, Lay, Order, Part, Aside)
"""Moves are told in this order, in which they can always be made."""


def told(position: Position, turn: Turn, mended: Turn, strange: bytes) -> str:
    """The moves of a repair as one phrase. Sets have the numbers they have in the turn."""
    names = _Names(position, turn, mended, strange)
    return ", ".join(names.phrases())


class _Names:
    """What the rows and tiles of one repair are called."""

    def __init__(self, position: Position, turn: Turn, mended: Turn, strange: bytes) -> None:
        self._position = position
        self._turn = turn
        self._strange = Counter(strange)
        self._rows = [packed_content(meld.tiles) for meld in turn.after.melds]
        there = [number for number, content in enumerate(position.rows) if content]
        self._lies = dict(zip(there, mended.after.melds, strict=True))
        was = Counter(tile.kind for tile in turn.tiles_before)
        self._gone = was - Counter(tile.kind for tile in turn.tiles_after)

    def phrases(self) -> Iterator[str]:
        """One for each move, or for several that can be told together."""
        moves = self._position.moves
        ranked = sorted(moves, key=lambda move: (_IN_ORDER.index(type(move)), self._rank_off(move)))
        for together, group in groupby(ranked, self._told_with):
            members = list(group)
            if together is None:
                yield from map(self._phrase, members)
            elif isinstance(together, str):
                yield f"{together} {self._all_off(members)}"
            else:
                yield self._new_set(members)

    def _rank_off(self, move: Move) -> int:
        """Tiles that leave the table come last, in their order."""
        return move.kind if isinstance(move, Lay) and move.target == RACK else -1

    def _told_with(self, move: Move) -> str | int | None:
        """Equal for moves that go into one phrase: a verb for tiles that leave, the number of a new set
        for those that make it; None for a move that is told alone."""
        if not isinstance(move, Lay):
            return None
        if move.target == RACK:
            return self._verb(move.kind)
        return move.target if move.target >= len(self._rows) else None

    def _verb(self, kind: int) -> str:
        if self._turn.before is None or self._strange[kind]:
            return "take away"
        return "take back" if TILE_OF[kind].is_card else "put back"

    def _all_off(self, moves: list[Move]) -> str:
        """Tiles that leave, each with its set where there is another such tile."""
        off = [(TILE_OF[move.kind], self._from(move)) for move in moves if isinstance(move, Lay)]
        if len(off) == 1:
            return the(off[0][0]) + off[0][1]
        if not any(where for _, where in off) and not any(tile.is_joker for tile, _ in off):
            return named(tile for tile, _ in off)
        counts = Counter(off)
        return listed([_so_many(tile, number) + where for (tile, where), number in counts.items()])

    def _from(self, move: Lay) -> str:
        copies = sum(move.kind in content for content in self._rows)
        return f" from {self._set(move.source)}" if copies > 1 else ""

    def _new_set(self, moves: list[Move]) -> str:
        tiles = [
            TILE_OF[move.kind].spoken
            + ("" if move.source < 0 else f" from {self._set(move.source)}")
            for move in moves
            if isinstance(move, Lay)
        ]
        return f"make a new set of {listed(tiles)}"

    def _set(self, number: int) -> str:
        return f"set {number + 1}"

    def _phrase(self, move: Move) -> str:
        match move:
            case Lay():
                return self._laid(move)
            case Join(first, second):
                both = f"join {self._set(first)} and {self._set(second)}"
                alone = len(self._position.moves) == 1
                return f"{both}: {in_row(self._lies[first])}" if alone else both
            case Order(row):
                return f"lay {self._set(row)} in order: {in_row(self._lies[row])}"
            case Part():
                return self._parted(move)
            case Aside(text):
                return text

    def _laid(self, move: Lay) -> str:
        tile = the(TILE_OF[move.kind])
        to = f"{self._set(move.target)}{self._place(move)}"
        if move.source == DISCARD or (move.source == RACK and not self._gone[move.kind]):
            return f"play {tile} on {to}"
        if move.source == RACK:
            return f"put {tile} back, in {to}"
        if len(self._rows[move.source]) == 1:
            return f"move {tile} to {to}"
        return f"move {tile} from {self._set(move.source)} to {to}"

    def _place(self, move: Lay) -> str:
        """How a run lies after the last move to it, where it holds a joker that could lie elsewhere."""
        moves, meld = self._position.moves, self._lies.get(move.target)
        last = [each for each in moves if isinstance(each, Lay) and each.target == move.target][-1]
        parted = any(isinstance(each, Part) and each.row == move.target for each in moves)
        if meld is None or parted or last != move:
            return ""
        is_run = len({tile.suit for tile in meld if not tile.is_joker}) == 1
        return f" ({in_row(meld)})" if is_run and any(tile.is_joker for tile in meld) else ""

    def _parted(self, move: Part) -> str:
        pieces = [self._lies[row] for row in (move.row, *move.new)]
        if move.row < len(self._rows) and not self._is_joined(move.row):
            tiles = self._turn.after.melds[move.row].tiles
            contents = {packed_content(piece.tiles) for piece in pieces}
            for cut in range(1, len(tiles)):
                if {packed_content(tiles[:cut]), packed_content(tiles[cut:])} == contents:
                    return f"part {self._set(move.row)} after {the(tiles[cut - 1])}"
        what = "them" if self._is_joined(move.row) else self._set(move.row)
        return f"part {what} into {'; '.join(map(in_row, pieces[:-1]))}; and {in_row(pieces[-1])}"

    def _is_joined(self, row: int) -> bool:
        return any(isinstance(move, Join) and move.first == row for move in self._position.moves)


def _so_many(tile: Tile, number: int) -> str:
    """`the joker`, `2 jokers`; any other tile as often as it leaves."""
    if tile.is_joker and number > 1:
        return f"{number} jokers"
    return listed([the(tile)] * number)
