"""Tiles that lie together, in the order they lie. Nothing here says whether they are a set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.notation import NotationError, words
from engine.packing import packed
from engine.tiles import Tile, parse_tile


@dataclass(frozen=True, slots=True)
class Meld:
    """One row of tiles in reading order, one tile or more; a loose tile is a meld of one.

    Two melds are equal when the same tiles lie in the same order. Raises ValueError when empty.
    """

    tiles: tuple[Tile, ...]
    packed: bytes = field(init=False, repr=False, compare=False)
    """Its tiles packed, see `engine.packing`: by these a meld on a table is looked up many times."""

    def __post_init__(self) -> None:
        if not self.tiles:
            raise ValueError("a meld holds at least one tile")
        object.__setattr__(self, "packed", packed(self.tiles))

    # Equal and hashed by their tiles' bytes, as what sets come to is kept by the sets.

    def __eq__(self, other: object) -> bool:
        return self.packed == other.packed if isinstance(other, Meld) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.packed)

    @classmethod
    def of(cls, tiles: Iterable[Tile]) -> Meld:
        """The meld of these tiles, in this order."""
        return cls(tuple(tiles))

    def reversed(self) -> Meld:
        """The same row as the player on the other side of the table reads it."""
        return Meld(self.tiles[::-1])

    def __iter__(self) -> Iterator[Tile]:
        return iter(self.tiles)

    def __len__(self) -> int:
        return len(self.tiles)

    def __str__(self) -> str:
        return " ".join(map(str, self.tiles))


def parse_tiles(text: str, first_column: int = 1) -> tuple[Tile, ...]:
    """The tiles of a text such as `K7 K8 J`, none for a blank one.

    `first_column` is where the text begins in a longer one; errors (NotationError) count from there.
    """
    found = []
    for word, column in words(text, first_column):
        try:
            found.append(parse_tile(word))
        except NotationError as error:
            raise error.moved(column - 1) from None
    return tuple(found)


def parse_meld(text: str, first_column: int = 1) -> Meld:
    """The meld of a text such as `K7 K8 J`. Raises NotationError, also for a text without tiles."""
    tiles = parse_tiles(text, first_column)
    if not tiles:
        raise NotationError(
            "at least one tile", text.strip(), first_column, "write one, as in K7 K8 K9"
        )
    return Meld(tiles)
