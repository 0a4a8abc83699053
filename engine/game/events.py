"""What can happen in a game, as values: the deal, turns, draws, claims, buys, ends, and what people say.

An event holds what was seen or told and nothing that follows from it. Tiles that nobody saw are None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from engine.layout import GridLayout, Layout
from engine.melds import Meld
from engine.tiles import Tile

Tiles: TypeAlias = tuple[Tile, ...]
Board: TypeAlias = Layout | GridLayout
"""What lies on the table: sets apart, or a grid where the game is played in one."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """Something that happened in a game; the classes below say what."""


@dataclass(frozen=True, slots=True)
class GameBegun(GameEvent):
    """Players sat down to a game. Always the first event, and only the first."""

    preset: str
    players: tuple[str, ...]
    """By their seats, clockwise; `start.direction` says which way play goes."""
    house_rules: Mapping[str, str | int] = field(default_factory=lambda: MappingProxyType({}))
    """The switches the table has chosen, by name."""
    locks: int | None = None
    """Lock tokens of the game with claims, divided evenly (R2-09); None when nobody counted them."""


# Before a round


@dataclass(frozen=True, slots=True)
class DrawnForStart(GameEvent):
    """Each of these players drew a tile to settle who begins; those who are tied draw again."""

    drawn: tuple[tuple[str, Tile], ...]


@dataclass(frozen=True, slots=True)
class StarterNamed(GameEvent):
    """It was told who begins the round: drawn by lot, left of the dealer, or not seen by anybody."""

    player: str


@dataclass(frozen=True, slots=True)
class Dealt(GameEvent):
    """Everybody took the tiles of the deal. Hands that nobody saw are left out."""

    hands: tuple[tuple[str, Tiles], ...] = ()
    upcard: Tile | None = None
    """The card turned over to begin the discard pile; None in games without one, or not seen."""


# A turn. Every one of these ends it, but for the card game, whose turns have several steps.


@dataclass(frozen=True, slots=True)
class Played(GameEvent):
    """A player put tiles down and left the table like this.

    It stands when the referee finds it legal, or when somebody with a name overrules the referee.
    """

    player: str
    after: Board
    rack: Tiles | None = None
    """What the player holds then; None when not seen and not to be worked out."""
    elapsed_s: float | None = None
    overruled_by: str | None = None


@dataclass(frozen=True, slots=True)
class Drew(GameEvent):
    """A player drew from the pool instead of playing."""

    player: str
    tiles: Tiles | None = None
    """What was drawn; None when nobody saw it."""
    returned: Tile | None = None
    """What was put back, where two players draw one more and return one (RS-15); None when not seen."""
    elapsed_s: float | None = None


@dataclass(frozen=True, slots=True)
class Passed(GameEvent):
    """A player did nothing, where that is a turn: the lap before the first set, an empty pool."""

    player: str
    elapsed_s: float | None = None


@dataclass(frozen=True, slots=True)
class Claimed(GameEvent):
    """A player laid tokens on a set of the board (R2-22), or on another's (R2-23, R2-24)."""

    player: str
    meld: Meld
    """The whole set as it lies there, one way or the other."""
    elapsed_s: float | None = None
    fresh: bool | None = None
    """Where the same set lies there twice and one of them has tokens: whether the other was meant."""


@dataclass(frozen=True, slots=True)
class CalledOut(GameEvent):
    """A player with an empty rack called it out, where the round ends only by that (AMB-28)."""

    player: str


@dataclass(frozen=True, slots=True)
class Misplayed(GameEvent):
    """An unsuccessful play: the table is put back as it was, and the penalty is drawn."""

    player: str
    attempt: Board | None = None
    """How the table lay before it was put back; None when nobody noted it."""
    drawn: Tiles | None = None
    """The penalty tiles; None when nobody saw them. How many they are is for the rules to say."""
    elapsed_s: float | None = None


@dataclass(frozen=True, slots=True)
class TimeRanOut(GameEvent):
    """The clock of the turn ran out: the table is put back unless the rules let it stand."""

    player: str
    at_buzzer: Board | None = None
    """How the table lay then; None when it had not been touched."""
    drawn: Tiles | None = None


@dataclass(frozen=True, slots=True)
class EverybodyDrew(GameEvent):
    """Nobody could lay the first set in a whole lap, so all players drew (RS-09)."""

    drawn: tuple[tuple[str, Tiles], ...] = ()
    """What was drawn by whom, as far as it was seen."""


# Steps of a turn in the card game


@dataclass(frozen=True, slots=True)
class CardTaken(GameEvent):
    """The player whose turn it is took a card to begin it (SR-07)."""

    player: str
    source: Literal["deck", "discard"]
    card: Tile | None = None
    """The card; None for one from the deck that nobody saw."""


@dataclass(frozen=True, slots=True)
class CardBought(GameEvent):
    """A player out of turn bought the top discard, and took a card from the deck with it (SR-25)."""

    player: str
    callers: tuple[str, ...] = ()
    """Everybody else who called for it: the first in line has it (SR-24)."""
    from_deck: Tiles | None = None


@dataclass(frozen=True, slots=True)
class Discarded(GameEvent):
    """The player whose turn it is put a card on the discard pile, and the turn was over.

    It stands when the referee finds it legal, or when somebody with a name overrules the referee.
    """

    player: str
    card: Tile
    overruled_by: str | None = None


@dataclass(frozen=True, slots=True)
class Reshuffled(GameEvent):
    """The deck was finished, and the discards were shuffled to be a new one (SR-28)."""


# When the table was let stand and was not legal


@dataclass(frozen=True, slots=True)
class FaultNoticed(GameEvent):
    """It was noticed only after the next player began that the table is not legal (AMB-26)."""

    decision: Literal["stands", "taken_back"] | None = None
    """What the players decided; None when they were not asked, as where the rules decide."""
    by: str | None = None


# The end of a round


@dataclass(frozen=True, slots=True)
class PlayStopped(GameEvent):
    """Nobody could play any more, and there was nothing left to draw (PR-14, R2-32, SR-28)."""


@dataclass(frozen=True, slots=True)
class RoundCounted(GameEvent):
    """A round of cards was played whose turns nobody told, and this is what it came to."""

    counts: tuple[tuple[str, int], ...]
    """What everybody was left with, as the players counted it: points (SR-19), or cards where these
    alone count (RS-26)."""
    out: str | None = None
    """Who ended it; None where nobody could go on."""


@dataclass(frozen=True, slots=True)
class HandsShown(GameEvent):
    """What players still held when the round was over, confirmed by them; it is scored now."""

    hands: tuple[tuple[str, Tiles], ...] = ()
    """Hands of those whose tiles are not known already."""
    counted: tuple[tuple[str, int], ...] = ()
    """Players whose hands stand as they are shown though the game had counted another number, and that
    number: people are right about their own racks."""


# What people say


@dataclass(frozen=True, slots=True)
class HouseRuleChosen(GameEvent):
    """The table answered how it plays; it holds from here on."""

    switch: str
    value: str | int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Undone(GameEvent):
    """The last event that still stood was taken back."""

    by: str | None = None


@dataclass(frozen=True, slots=True)
class Corrected(GameEvent):
    """An earlier event was not so but like this. What came after it is played through again."""

    number: int
    """Which event of the record, counted from 1."""
    event: GameEvent
    by: str | None = None
