"""A position: one moment of a game on one line, as far as it is known.

```
position/1 pressman; round: 1; turn: 7; phase: turn; players: Ada | Ben; racks: K7 K8 J | #12; ...
```

What a camera, a bug report or a test wants to hold: what lies where, who is to move, and the score.
`engine.game.state` holds what a game needs besides; docs/notation.md says what a position leaves out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from engine.game.cursor import Cursor, print_board, print_list, print_tiles
from engine.game.events import Board, Tiles
from engine.game.names import check_players, print_name
from engine.game.seats import check_pieces, pieces_of
from engine.game.state import Phase
from engine.game.text_errors import AmbiguousError, IllegalError
from engine.layout import EMPTY
from engine.melds import Meld
from engine.notation import NOTATION_VERSION
from engine.notation_values import print_choices, print_seconds
from engine.ruleset import HouseRuleError, RuleSet, UnknownPresetError, load_ruleset
from engine.turns import UNKNOWN

MOVING: Final = (Phase.TURN, Phase.PLAY)
"""The phases in which it is somebody's turn."""

_FORMAT: Final = f"position/{NOTATION_VERSION}"
_DEAD: Final = "dead"
"""Said of the top discard where it may not be taken any more."""
_YES_NO: Final = {True: "yes", False: "no"}

Rack: TypeAlias = Tiles | int | None
"""What is known of a rack: its tiles, how many they are, or nothing."""


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of one player. None always means: not known."""

    name: str
    rack: Rack = None
    opened: bool | None = None
    """Whether the player has laid an initial meld, or laid down a contract, in this round."""
    buys: int | None = None
    """Discards bought in this round, for the card game."""
    points: Fraction | None = None
    """The score so far: of the rounds that are over."""

    @property
    def held(self) -> int | None:
        """How many tiles are on the rack."""
        return len(self.rack) if isinstance(self.rack, tuple) else self.rack


@dataclass(frozen=True, slots=True)
class TokensOn:
    """A set of the board with tokens on it."""

    player: str
    """Whose tokens lie on top."""
    level: int
    """1 claimed, 2 hijacked, 3 locked (R2-24)."""
    meld: Meld
    """The tiles that carry the tokens, in the order they lay when they were claimed."""

    def __str__(self) -> str:
        return f"{print_name(self.player)} {self.level} {self.meld}"


@dataclass(frozen=True, slots=True)
class Position:
    """One moment of a game as far as it is known. None always means: not known.

    Raises ValueError for names that are none, for counts below 0, for somebody who is no player, and
    for a player to move outside of turns; AmbiguousError for two names that cannot be told apart.
    Whether the tiles can be there is for `check_position` to say.
    """

    preset: str
    table: Board
    places: tuple[Place, ...] = ()
    """By their seats, clockwise; empty when it is not known who plays."""
    house_rules: Mapping[str, str | int] = field(default_factory=lambda: MappingProxyType({}))
    """The switches the table has chosen, by name."""
    round: int | None = None
    game: int | None = None
    """The game within the round, in a tournament."""
    turn: int | None = None
    """Turns begun in this round, counted from 1; 0 before the first."""
    phase: Phase | None = None
    starter: str | None = None
    """Who began the round."""
    to_move: str | None = None
    """Whose turn it is; None, too, in a phase in which it is nobody's."""
    tokens: tuple[TokensOn, ...] | None = None
    """The sets that are claimed, for the game with claims."""
    pool: int | None = None
    """Tiles or cards left to draw."""
    discard: Tiles | None = None
    """The top of the discard pile, a single card; empty when no card lies there."""
    discard_dead: bool = False
    """Whether that card may not be taken any more (SR-25)."""
    elapsed_s: float | None = None
    """Seconds that this turn has taken so far."""

    def __post_init__(self) -> None:
        names = [place.name for place in self.places]
        check_players(names)
        for name in (self.starter, self.to_move, *(item.player for item in self.tokens or ())):
            if name is not None and name not in names:
                raise ValueError(f"{name!r} is none of the players")
        counts = [self.round, self.game, self.turn, self.pool]
        counts += [count for place in self.places for count in (place.held, place.buys)]
        if any(count is not None and count < 0 for count in counts):
            raise ValueError("what is counted is 0 or more")
        if self.to_move is not None and self.phase not in (None, *MOVING):
            raise ValueError(f"nobody is to move in the phase {self.phase}")
        if any(not 1 <= item.level <= 3 for item in self.tokens or ()):
            raise ValueError("a set with tokens has been claimed 1 to 3 times")
        if self.discard is not None and len(self.discard) > 1:
            raise ValueError("a position holds the top card of the discard pile alone")
        if self.discard_dead and not self.discard:
            raise ValueError("only a card that lies there can be dead")
        if self.elapsed_s is not None and not 0 <= self.elapsed_s < math.inf:
            raise ValueError(f"a turn takes 0 seconds or more, not {self.elapsed_s}")

    @property
    def mover(self) -> Place | None:
        """The player to move; None when that is not known, or nobody."""
        return next((place for place in self.places if place.name == self.to_move), None)

    def rules(self) -> RuleSet:
        """The rules of the preset with the house rules.

        Raises IllegalError for a preset, a switch or a value there is not.
        """
        try:
            return load_ruleset(self.preset, self.house_rules)
        except (UnknownPresetError, HouseRuleError) as error:
            raise IllegalError(str(error)) from None

    def without_racks(self) -> Position:
        """The position as everybody at the table may see it: racks counted, their tiles left out."""
        return replace(self, places=tuple(replace(place, rack=place.held) for place in self.places))

    def __str__(self) -> str:
        places = self.places
        discard = None if self.discard is None else print_tiles(self.discard)
        fields = {
            "house": print_choices(self.house_rules) or None,
            "round": self.round,
            "game": self.game,
            "turn": self.turn,
            "phase": self.phase,
            "players": print_list(print_name(place.name) for place in places) or None,
            "racks": _column([place.rack for place in places], _print_rack),
            "opened": _column([place.opened for place in places], _YES_NO.__getitem__),
            "buys": _column([place.buys for place in places], str),
            "scores": _column([place.points for place in places], str),
            "starter": None if self.starter is None else print_name(self.starter),
            "to-move": None if self.to_move is None else print_name(self.to_move),
            "table": print_board(self.table),
            "tokens": None if self.tokens is None else print_list(map(str, self.tokens)) or EMPTY,
            "pool": self.pool,
            "discard": f"{discard} {_DEAD}" if self.discard_dead else discard,
            "elapsed": None if self.elapsed_s is None else print_seconds(self.elapsed_s),
        }
        pieces = [f"{name}: {value}" for name, value in fields.items() if value is not None]
        return "; ".join([f"{_FORMAT} {self.preset}", *pieces])


def check_position(position: Position) -> None:
    """Raise IllegalError where the tiles cannot be there, or there are no such rules.

    That is: a piece of another deck, more of a tile than the game has, more pieces than the game has, or
    fewer where every rack and the pool are counted. A table that was misread belongs into a
    `LayoutReading`, not into a position.
    """
    rules = position.rules()
    racks = [place.rack for place in position.places]
    seen = [tile for rack in racks if isinstance(rack, tuple) for tile in rack]
    refusal = check_pieces(rules, (*position.table.tiles, *seen, *(position.discard or ())))
    if refusal is not None:
        raise IllegalError(refusal.reason, refusal=refusal)
    known = [*(place.held for place in position.places), position.pool]
    there = sum(count or 0 for count in known)
    there += len(position.table.tiles) + len(position.discard or ())
    there_are = pieces_of(rules)
    # Under the top of a discard pile lie cards that a position does not hold, and before the deal the
    # tiles drawn for the start may lie apart.
    all_counted = (
        bool(position.places)
        and None not in known
        and rules.discard is None
        and position.phase not in (None, Phase.START, Phase.DEAL)
    )
    if there > there_are or (all_counted and there < there_are):
        raise IllegalError(
            f"the racks, the table and the pool hold {there} {rules.equipment.pieces}, and "
            f"{rules.preset} is played with {there_are}"
        )


# Printing


def _column(values: Sequence[Any], show: Callable[[Any], str]) -> str | None:
    """What is known of each player, in the order of their seats; None where nothing is of anybody."""
    if all(value is None for value in values):
        return None
    return print_list(UNKNOWN if value is None else show(value) for value in values)


def _print_rack(rack: Tiles | int) -> str:
    return f"#{rack}" if isinstance(rack, int) else print_tiles(rack)


# Parsing


def parse_position(text: str) -> Position:
    """The position a line stands for; `str` of it is the line in its own spacing and order.

    Raises MalformedError with the column, AmbiguousError for players' names that collide, and
    IllegalError for what cannot be (`check_position`).
    """
    cursor = Cursor(text)
    preset = _parse_head(cursor)
    found: dict[str, Any] = {}
    starts: dict[str, int] = {}
    while cursor.take(";"):
        start = cursor.start
        name = next((name for name in _FIELDS if cursor.take(f"{name}:")), None)
        if name is None:
            cursor.fail("a field such as `pool:`", f"the fields are {', '.join(_FIELDS)}")
        if name in found:
            cursor.fail(f"another field than `{name}:`", "give each field once", start)
        starts[name] = start
        found[name] = _FIELDS[name](cursor)
    cursor.finish("part the fields by `;`")
    if "table" not in found:
        cursor.fail("the field `table:`", f"add `; table: {EMPTY}`")
    for name in _COLUMNS:
        if name in found and len(found[name]) != len(found.get("players", ())):
            hint = f"name the players, and give one of `{name}:` for each, ? where it is not known"
            cursor.fail("as many as there are players", hint, starts[name])
    try:
        position = _position(preset, found)
    except AmbiguousError:
        raise
    except ValueError as error:
        raise IllegalError(str(error)) from None
    check_position(position)
    return position


def _parse_head(cursor: Cursor) -> str:
    match = _HEAD.match(cursor.text)
    if match is None:
        cursor.fail(f"`{_FORMAT}` and a preset", f"begin as in {_FORMAT} pressman; table: {EMPTY}")
    if match.group(1) != str(NOTATION_VERSION):
        cursor.fail(f"version {NOTATION_VERSION}", f"write {_FORMAT}", match.start(1))
    cursor.at = match.end()
    return match.group(2)


def _position(preset: str, found: Mapping[str, Any]) -> Position:
    """The position of the values of its fields, each by the field's name."""
    names = found.get("players", ())
    columns = (found.get(name, (None,) * len(names)) for name in _COLUMNS)
    discard, dead = found.get("discard", (None, False))
    return Position(
        preset=preset,
        table=found["table"],
        places=tuple(map(Place, names, *columns)),
        house_rules=MappingProxyType(found.get("house", {})),
        round=found.get("round"),
        game=found.get("game"),
        turn=found.get("turn"),
        phase=found.get("phase"),
        starter=found.get("starter"),
        to_move=found.get("to-move"),
        tokens=found.get("tokens"),
        pool=found.get("pool"),
        discard=discard,
        discard_dead=dead,
        elapsed_s=found.get("elapsed"),
    )


def _column_of(parse: Callable[[Cursor], object]) -> Callable[[Cursor], object]:
    """A parser of one value for each player, `?` for one that is not known."""

    def column(cursor: Cursor) -> object:
        return cursor.listed(lambda: None if cursor.take(UNKNOWN) else parse(cursor))

    return column


def _rack(cursor: Cursor) -> Rack:
    if cursor.take("#"):
        return cursor.number("write #12 for twelve tiles that were only counted")
    return cursor.tiles()


def _one_of(*words: str) -> Callable[[Cursor], str]:
    def one_of(cursor: Cursor) -> str:
        found = next((word for word in words if cursor.take(word)), None)
        if found is None:
            cursor.fail(" or ".join(words), f"write {' or '.join(words)}")
        return found

    return one_of


def _tokens(cursor: Cursor) -> tuple[TokensOn, ...]:
    if cursor.take(EMPTY):
        return ()
    return cursor.listed(lambda: _tokens_on(cursor))


def _tokens_on(cursor: Cursor) -> TokensOn:
    name, level = cursor.name(), int(_one_of("1", "2", "3")(cursor))
    start, tiles = cursor.start, cursor.tiles()
    if not tiles:
        cursor.fail("the tiles of a set", "write Ada 1 K7 K8 K9", start)
    return TokensOn(name, level, Meld(tiles))


def _discard(cursor: Cursor) -> tuple[Tiles, bool]:
    if cursor.take(EMPTY):
        return (), False
    return (cursor.tile(),), cursor.take(_DEAD)


_HEAD: Final = re.compile(r"\s*position/([0-9]+)\s+([a-z0-9-]+)\s*(?=;|$)")
_COLUMNS: Final = ("racks", "opened", "buys", "scores")
"""The fields that hold a value for each player, in the order of the fields of `Place`."""
_FIELDS: Final[Mapping[str, Callable[[Cursor], object]]] = {
    "house": Cursor.choices,
    "round": Cursor.number,
    "game": Cursor.number,
    "turn": Cursor.number,
    "phase": lambda cursor: Phase(_one_of(*Phase)(cursor)),
    "players": lambda cursor: cursor.listed(cursor.name),
    "racks": _column_of(_rack),
    "opened": _column_of(lambda cursor: _one_of("yes", "no")(cursor) == "yes"),
    "buys": _column_of(Cursor.number),
    "scores": _column_of(Cursor.points),
    "starter": Cursor.name,
    "to-move": Cursor.name,
    "table": Cursor.board,
    "tokens": _tokens,
    "pool": Cursor.number,
    "discard": _discard,
    "elapsed": Cursor.seconds,
}
"""How each field is read, in the order they are printed in."""
