"""One tile or card, and its text form.

Tiles: `K7 R10 B1 O13`, a colour letter and a number, `J` for a joker. Cards: `10H KS AD`, a rank and a
suit letter, `*` for a joker. Both are the same value in two decks, so every rule is written once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import total_ordering
from typing import Final

from engine.notation import NotationError


class Suit(StrEnum):
    """The four colours of tiles and the four suits of cards; the value is the letter of the notation."""

    BLACK = "K"
    BLUE = "B"
    RED = "R"
    ORANGE = "O"
    """Orange or yellow: makers print either, and no rule tells them apart."""
    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


TILE_SUITS: Final = (Suit.BLACK, Suit.BLUE, Suit.RED, Suit.ORANGE)
CARD_SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
RANKS: Final = range(1, 14)

_SUIT_INDEX: Final = {suit: index for index, suit in enumerate((*TILE_SUITS, *CARD_SUITS))}
_COURT: Final = {1: "A", 11: "J", 12: "Q", 13: "K"}
_COURT_NAME: Final = {1: "ace", 11: "jack", 12: "queen", 13: "king"}
_TILE_JOKER_KIND: Final = 8 * 13
_CARD_JOKER_KIND: Final = 8 * 13 + 1

_TILE_TEXT: Final = re.compile(r"([KBRO])([1-9]|1[0-3])")
_CARD_TEXT: Final = re.compile(r"(A|[2-9]|10|J|Q|K)([SHDC])")


@total_ordering
@dataclass(frozen=True, slots=True)
class Tile:
    """A tile or card, or a joker (suit and rank both None). Equal means the same in the game.

    The two copies of a kind are equal: nothing on the table tells them apart.
    Raises ValueError for a rank outside 1..13 or half a joker.
    """

    suit: Suit | None = field(compare=False)
    """The colour or the suit; None for a joker."""
    rank: int | None = field(compare=False)
    """1 to 13, ace to king; None for a joker."""
    is_card: bool = field(default=False, compare=False)
    """True in a deck of cards. Follows from the suit; only a joker has to be told."""
    kind: int = field(init=False, repr=False)
    """A small number, one for each kind of tile, that equality, order and hash rest on."""

    def __post_init__(self) -> None:
        if self.suit is None or self.rank is None:
            if self.suit is not None or self.rank is not None:
                raise ValueError("a joker has neither suit nor rank, any other tile has both")
            kind = _CARD_JOKER_KIND if self.is_card else _TILE_JOKER_KIND
        elif self.rank not in RANKS:
            raise ValueError(f"a rank is a number from 1 to 13, not {self.rank}")
        else:
            object.__setattr__(self, "is_card", self.suit in CARD_SUITS)
            kind = _SUIT_INDEX[self.suit] * 13 + self.rank - 1
        object.__setattr__(self, "kind", kind)

    # Written out, as tiles are compared more often than anything else is done here.

    def __eq__(self, other: object) -> bool:
        return self.kind == other.kind if isinstance(other, Tile) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.kind < other.kind if isinstance(other, Tile) else NotImplemented

    def __hash__(self) -> int:
        return self.kind

    def with_rank(self, rank: int) -> Tile:
        """The tile of the same suit with another rank, 1 to 13; not for a joker."""
        return _BY_KIND[self.kind - self.kind % 13 + rank - 1]

    @property
    def is_joker(self) -> bool:
        """True for the jokers of tiles and of cards."""
        return self.rank is None

    @property
    def spoken(self) -> str:
        """The tile in words for a message: `red 7`, `joker`, `10 of hearts`."""
        return _SPOKEN[self.kind]

    def __str__(self) -> str:
        if self.suit is None or self.rank is None:
            return "*" if self.is_card else "J"
        if self.is_card:
            return f"{_COURT.get(self.rank, str(self.rank))}{self.suit.value}"
        return f"{self.suit.value}{self.rank}"


JOKER: Final = Tile(None, None)
"""The joker of tiles, written `J`; the jokers of a set are all alike."""
CARD_JOKER: Final = Tile(None, None, is_card=True)
"""The joker of cards, written `*`, as J is the jack; not equal to the one of tiles."""

TILES: Final = (*(Tile(suit, rank) for suit in TILE_SUITS for rank in RANKS), JOKER)
"""The 53 kinds of tile, in their order."""
CARDS: Final = (*(Tile(suit, rank) for suit in CARD_SUITS for rank in RANKS), CARD_JOKER)
"""The 53 kinds of card, in their order."""


def _spoken(tile: Tile) -> str:
    if tile.suit is None or tile.rank is None:
        return "joker"
    if tile.is_card:
        return f"{_COURT_NAME.get(tile.rank, str(tile.rank))} of {tile.suit.name.lower()}"
    return f"{tile.suit.name.lower()} {tile.rank}"


_SPOKEN: Final = {tile.kind: _spoken(tile) for tile in (*TILES, *CARDS)}
_BY_KIND: Final = {tile.kind: tile for tile in (*TILES, *CARDS)}
_BY_TEXT: Final = {str(tile): tile for tile in (*TILES, *CARDS)}


def parse_tile(text: str) -> Tile:
    """The tile a word of the notation stands for; `str` of it gives the same word again.

    Raises NotationError for any other text.
    """
    tile = _BY_TEXT.get(text)
    if tile is None:
        raise NotationError(
            "a tile such as K7, R10 or J, or a card such as 10H", text, 1, _hint(text)
        )
    return tile


def _hint(text: str) -> str:
    """What the writer most likely meant, for the usual slips."""
    bare = text.strip().upper().lstrip("0")
    if bare in _BY_TEXT:
        return f"write {bare}"
    if _TILE_TEXT.fullmatch(bare[1:] + bare[:1]):
        return f"write the colour first: {bare[1:] + bare[:1]}"
    if _CARD_TEXT.fullmatch(bare.replace("T", "10", 1)):
        return f"write a ten as 10: {bare.replace('T', '10', 1)}"
    if bare.startswith("Y") and _TILE_TEXT.fullmatch("O" + bare[1:]):
        return f"yellow is written as orange: O{bare[1:]}"
    if bare[:1] in "KBRO" and bare[1:].isdigit():
        return "numbers go from 1 to 13"
    return "use K, B, R or O and a number from 1 to 13, or J for a joker"
