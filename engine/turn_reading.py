"""A turn as it was read: what is known of it, and what a camera left in doubt.

All readings of tiles of one turn are counted through: first those of the table, then of the rack before
and after, then of the discard. That number is what a question about a tile names, and what the answer
is given for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.layout import GridReading, Layout, LayoutReading, TileReading
from engine.melds import Meld
from engine.tiles import Tile
from engine.turns import Claim, Turn

NOTHING_KNOWN: Final = Turn(None, Layout())
"""The table alone."""
_HANDS: Final = ("rack_before", "rack_after", "discard")
_SPOKEN: Final = {
    "rack_before": "the rack before the turn",
    "rack_after": "the rack after the turn",
    "discard": "the discard",
}


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """A claim whose tokens were seen to lie on tiles of the board: it claims whatever they are."""

    tiles: tuple[int, ...]
    """The tiles with the tokens, as indexes into the tiles of the table, in reading order."""
    level: int = 0
    """How often the set had been claimed before; see `Claim`."""
    own: bool = False
    """Whether the claim before was the same player's."""


@dataclass(frozen=True, slots=True)
class DoubtBefore:
    """A tile of the table before that was in doubt when that was confirmed, and is since."""

    number: int
    """Which tile of that table, in reading order, counted from 0."""
    others: tuple[Tile | None, ...]
    """What it may have been instead, the likeliest first; None for no tile."""
    now: int | None = None
    """The same tile among those of the table after, as an index: it lies there untouched. None where it
    was moved, or is seen no more."""


@dataclass(frozen=True, slots=True)
class TurnReading:
    """The table after a turn as read, beside everything else that is known or was read of it.

    Raises ValueError where a rack, the discard or the claims are both known and read, where a claim lies
    on a tile that there is not, for a board that is read beside a table before that is none, and for a
    doubt about a tile that there was not, or is not.
    """

    table: LayoutReading | GridReading
    """The table when the turn ended."""
    known: Turn = NOTHING_KNOWN
    """What is known for a fact, as the table before. Its table after is not looked at."""
    rack_before: tuple[TileReading, ...] | None = None
    """The rack when the turn began, where it was read; None where it is known, or was not seen."""
    rack_after: tuple[TileReading, ...] | None = None
    """The rack when the turn ended."""
    discard: tuple[TileReading, ...] | None = None
    """What was discarded."""
    claims: tuple[ClaimReading, ...] | None = None
    """Claims whose tokens lie on tiles of the table."""
    held_before: int | None = None
    """How many tiles the player held when the turn began, where somebody counted them."""
    held_after: int | None = None
    """How many when it ended."""
    doubts_before: tuple[DoubtBefore, ...] = ()
    """What the table before may have been beside what it counted as."""

    def __post_init__(self) -> None:
        for name in (*_HANDS, "claims"):
            if getattr(self, name) is not None and getattr(self.known, name) is not None:
                raise ValueError(f"{name}: either known or read, not both")
        for claim in self.claims or ():
            if not claim.tiles or not set(claim.tiles) <= set(range(len(self.table.tiles))):
                raise ValueError("a claim lies on tiles of the table")
        has_lines = self.known.before is not None and self.known.grid_before is None
        if isinstance(self.table, GridReading) and has_lines:
            raise ValueError("beside a board, what is known of the table before is a board")
        lay, lie = len(self.known.tiles_before), len(self.table.tiles)
        for doubt in self.doubts_before:
            if not (0 <= doubt.number < lay and (doubt.now is None or 0 <= doubt.now < lie)):
                raise ValueError("a doubt about the table before is about one of its tiles")

    @property
    def is_table_alone(self) -> bool:
        """Whether nothing was read or is known of a turn beside the table after it; see `Turn`."""
        read = any(getattr(self, name) is not None for name in (*_HANDS, "claims"))
        return self.known.is_table_alone and not read

    @classmethod
    def certain(cls, turn: Turn) -> TurnReading:
        """The reading of a turn that is known: its tables and hands without any doubt."""
        if turn.grid is not None:
            return cls(GridReading.certain(turn.grid), turn)
        return cls(LayoutReading.certain(turn.after), turn)

    @property
    def tiles(self) -> tuple[TileReading, ...]:
        """Every reading of a tile: of the table, then of the hands in the order of the fields."""
        return (*self.table.tiles, *(tile for _, _, tile in self._held()))

    def hand_tiles(self) -> Iterator[tuple[int, str]]:
        """The number of every tile of a hand, and the field it is in, as `rack_after`."""
        for number, (name, _, _) in enumerate(self._held(), start=len(self.table.tiles)):
            yield number, name

    def _held(self) -> Iterator[tuple[str, int, TileReading]]:
        for name in _HANDS:
            for place, tile in enumerate(getattr(self, name) or ()):
                yield name, place, tile

    def with_tile(self, index: int, tile: Tile | None) -> TurnReading:
        """This reading after somebody said what a tile is; None says that there is no tile.

        Raises IndexError for no such tile.
        """
        if not 0 <= index < len(self.tiles):
            raise IndexError(f"there is no tile {index} among {len(self.tiles)}")
        here = len(self.table.tiles)
        if index < here:
            claims = self.claims
            if tile is None and claims is not None:
                claims = _claims_without(claims, index)
            return replace(self, table=self.table.with_tile(index, tile), claims=claims)
        name, place, _ = list(self._held())[index - here]
        told: list[TileReading] = list(getattr(self, name))
        told[place : place + 1] = [] if tile is None else [TileReading.certain(tile)]
        if name == "rack_before":
            return replace(self, rack_before=tuple(told))
        if name == "rack_after":
            return replace(self, rack_after=tuple(told))
        return replace(self, discard=tuple(told))

    def with_arrangement(self, number: int) -> TurnReading:
        """This reading after somebody said how the tiles of the table lie, counted from 0."""
        return replace(self, table=self.table.with_arrangement(number))

    def lying_as(self, answer: str) -> TurnReading:
        """This reading after an option of a question was chosen that says how tiles of the table lie.
        Raises ValueError where they may not lie so."""
        return replace(self, table=self.table.lying_as(answer))

    def with_known(self, known: Turn) -> TurnReading:
        """This reading with other facts, as when it was told whether the player had opened."""
        return replace(self, known=known)

    def turn(
        self,
        tiles: Sequence[Tile | None],
        arrangement: int,
        melds: Sequence[tuple[int, ...]] = (),
    ) -> Turn:
        """The turn it is when every tile is this one, or none, in this arrangement.

        `melds` are the sets of a layout, as indexes of tiles that are there; a board has its cells.
        """
        held: dict[str, list[Tile]] = {name: [] for name in _HANDS}
        for number, name in self.hand_tiles():
            tile = tiles[number]
            held[name] += [] if tile is None else [tile]
        known = self.known
        turn = replace(
            known,
            rack_before=known.rack_before
            if self.rack_before is None
            else tuple(held["rack_before"]),
            rack_after=known.rack_after if self.rack_after is None else tuple(held["rack_after"]),
            discard=known.discard if self.discard is None else tuple(held["discard"]),
        )
        if self.claims is not None:
            turn = replace(turn, claims=tuple(_claimed(self.claims, tiles)))
        if isinstance(self.table, GridReading):
            return turn.with_grid(turn.grid_before, self.table.grid_of(arrangement, tiles))
        rows = ([tile for i in meld if (tile := tiles[i]) is not None] for meld in melds)
        return replace(turn, after=Layout.of(rows))

    def place(self, index: int, piece: str) -> str:
        """Where a tile lies, in words, as people count: `tile 3 of set 1`."""
        if index >= len(self.table.tiles):
            name, place, _ = list(self._held())[index - len(self.table.tiles)]
            return f"{piece} {place + 1} of {_SPOKEN[name]}"
        rows = self.table.arrangements[0]
        number, row = next((n, row) for n, row in enumerate(rows) if index in row)
        if isinstance(self.table, GridReading):
            return f"the {piece} in row {number + 1}, column {row.index(index) + 1}"
        return f"{piece} {row.index(index) + 1} of set {number + 1}"


def _claims_without(claims: tuple[ClaimReading, ...], gone: int) -> tuple[ClaimReading, ...]:
    """Claims once a tile is known to be none; one that lay on it alone lay on nothing."""
    left = (
        replace(claim, tiles=tuple(i - (i > gone) for i in claim.tiles if i != gone))
        for claim in claims
    )
    return tuple(claim for claim in left if claim.tiles)


def _claimed(claims: Sequence[ClaimReading], tiles: Sequence[Tile | None]) -> Iterator[Claim]:
    for claim in claims:
        there = [tile for i in claim.tiles if (tile := tiles[i]) is not None]
        if there:
            yield Claim(Meld.of(there), claim.level, claim.own)
