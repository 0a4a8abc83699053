"""What a game has come to after some events: a value that compares, prints and never changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.faults import Ruling
from engine.game.events import Board, Tiles
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.scoring import GameScore, HandsAtEnd
from engine.tiles import Tile


class Phase(StrEnum):
    """What is waited for."""

    START = "start"
    """Somebody has to be found who begins the round."""
    DEAL = "deal"
    TURN = "turn"
    """The player to move has not done anything yet."""
    PLAY = "play"
    """The player to move has drawn and may still play. Cards: and must discard; tiles: only where the
    table lets a player draw and play in one turn (AMB-19)."""
    ROUND_OVER = "round over"
    """Hands are to be shown and counted."""
    GAME_OVER = "game over"


@dataclass(frozen=True, slots=True)
class Seat:
    """One player in one round."""

    name: str
    held: int
    """How many tiles the player holds."""
    rack: Tiles | None
    """Those tiles in sorted order; None when they are not known."""
    opened: bool = False
    """Whether the player has laid an initial meld, or laid down a contract, in this round."""
    buys: int = 0
    """Discards bought in this round."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A set of the board with tokens on it."""

    player: str
    """Whose tokens lie on top."""
    meld: Meld
    """The tiles that carry them, in the order they lay when they were claimed."""
    level: int
    """1 claimed, 2 hijacked, 3 locked (R2-24)."""
    points: int = 0
    """What they count for the player, a joker as the tile it stood for (R2-25)."""
    under: tuple[tuple[str, int], ...] = ()
    """Tokens beneath, from the bottom: whose, and how many (R2-23)."""


@dataclass(frozen=True, slots=True)
class Laid:
    """What one player did to the table since it was last legal."""

    seat: int
    laid: Tiles
    """Tiles that came from the rack."""
    taken: Tiles
    """Tiles that went to the rack."""
    opened: bool
    """Whether the player had opened before."""
    given_away: Tiles = ()
    """Of what players took from the table, what may have left this rack since for elsewhere: discards,
    and tiles returned to the pool."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A table that stands though the referee did not find it legal, and the way back (AMB-26)."""

    table: Board
    """The last table that was legal."""
    since: tuple[Laid, ...]
    """What was done to it, in order."""
    tokens: tuple[Tokens, ...] = ()
    """The claims on it."""


@dataclass(frozen=True, slots=True)
class GameState:
    """A game at one moment. Equal states are played on alike."""

    rules: RuleSet
    """With the house rules chosen so far."""
    phase: Phase
    round: int
    """Counted from 1; in a tournament the round of several games."""
    game: int
    """Counted from 1 within the round; always 1 but in a tournament."""
    turn: int
    """Turns begun in this round, counted from 1; 0 before the first."""
    seats: tuple[Seat, ...]
    """By their places, clockwise."""
    starter: int | None
    """Index of the seat that began this round; None until it is known."""
    to_move: int | None
    """Index of the seat whose turn it is; None outside of turns."""
    table: Board
    pool: int
    """Tiles or cards left to draw."""
    discards: Tiles
    """The discard pile from the bottom, as far as it was seen."""
    discard_dead: bool
    """Whether the top discard may not be taken any more: it was bought over, or passed by (SR-25)."""
    reshuffles: int
    tokens: tuple[Tokens, ...]
    still_drawing: tuple[str, ...]
    """Who has to draw again to settle who begins; empty when nobody."""
    passes: int
    """Turns in a row without a play or a draw."""
    ended: tuple[HandsAtEnd, ...]
    """The rounds that are over, in the form they are scored in; a tournament's games one by one."""
    scores: GameScore | None
    """The score of what is over; None before that."""
    winners: tuple[str, ...]
    """Who has won the game, several where it is shared; empty until it is over."""
    out: int | None = None
    """Index of the seat that ended the round; None while it goes on, or when nobody did."""
    drawn: tuple[tuple[str, Tile], ...] = ()
    """Tiles that still count in the draw for the start; those of `still_drawing` are not among them."""
    kept: tuple[tuple[str, Tile], ...] = ()
    """Tiles drawn for the start that stay and are the first of the hands (AMB-05)."""
    locks: int | None = None
    """Lock tokens in the game; None when nobody counted them."""
    unsettled: Unsettled | None = None
    """The way back to the last legal table; None where the table is legal."""
    let_stand: tuple[Meld, ...] = ()
    """What lies on the table, is no set, and was let stand: no fault of those who play on."""
    deciding: tuple[str, ...] = ()
    """Who were equal at the end and play extra rounds that decide (AMB-33); empty in the game itself."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an event cannot apply; the game stays as it was."""

    reason: str
    """One sentence that says what was expected and what came."""
    code: str
    """A word for programs, as `not_your_turn`; docs/games.md lists them."""
    ruling: Ruling | None = None
    """What the referee says of the turn, for the codes `illegal` and `ask`."""
    event: int | None = None
    """The number of the event in the record that it is about, where that is not the one given."""
