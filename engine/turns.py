"""A turn as a value, and the one line it is written as.

```
turn/1 pressman; before: K7 K8 K9; after: K7 K8 K9 K10; rack: K10 B2 > B2; opened: yes; elapsed: 41.5
```
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeVar

from engine.layout import EMPTY, GridLayout, Layout, parse_grid, parse_layout
from engine.melds import Meld, parse_meld, parse_tiles
from engine.notation import NOTATION_VERSION, NotationError, parts, words
from engine.notation_values import (
    checked_seconds,
    print_choices,
    read_house_rule,
    read_seconds,
)
from engine.tiles import Tile

LEAST_PLAYERS: Final = 2
UNKNOWN: Final = "?"
"""How anything is written that nobody saw."""


_NOTHING_TOLD: Final = (None,) * 6
_MOST_DIGITS: Final = 6
"""Of the number of a round; no game has so many."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A set on the board that a player puts tokens on."""

    meld: Meld
    level: int = 0
    """How often it had been claimed before: 0 to 2, or 3 when it is locked."""
    own: bool = False
    """Whether the claim before was the same player's."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn, as far as it was seen. None always means: not known.

    Raises ValueError for a negative time, or one that is not a number, for fewer than two players, and
    for a round before the first.
    """

    before: Layout | None
    """The table when the turn began; None judges the table alone."""
    after: Layout
    """The table when the turn ended."""
    rack_before: tuple[Tile, ...] | None = None
    """The player's rack when the turn began."""
    rack_after: tuple[Tile, ...] | None = None
    """The player's rack when the turn ended, drawn tiles included."""
    opened: bool | None = None
    """Whether the player had laid an initial meld in an earlier turn."""
    elapsed_s: float | None = None
    """Seconds from the beginning of the turn to its end."""
    pool_empty: bool = False
    """True when it is known that no tile was left to draw, so that a turn may pass."""
    players: int | None = None
    """How many play: two may draw in another way than more do."""
    grid_before: GridLayout | None = None
    """The board when the turn began, for tiles in a grid; `before` then holds its lines."""
    grid: GridLayout | None = None
    """The board when the turn ended; `after` then holds its lines."""
    claims: tuple[Claim, ...] | None = None
    """The sets claimed in this turn, for the game with claims; empty when it is known that none was."""
    contract: tuple[int, int] | None = None
    """How many groups and runs this round's contract has, for the card game."""
    round: int | None = None
    """The number of the round, from which its contract follows where that is not told; for the card
    game."""
    discard: tuple[Tile, ...] | None = None
    """What was discarded, for the card game; empty when it is known that nothing was."""
    let_stand: tuple[Meld, ...] = ()
    """Of the table before what is no set and somebody let stand in an earlier turn: where it lies as it
    lay, it is no fault of this one."""

    def __post_init__(self) -> None:
        if self.elapsed_s is not None:
            checked_seconds(self.elapsed_s)
        if self.players is not None and self.players < LEAST_PLAYERS:
            raise ValueError(f"a game has two players or more, not {self.players}")
        if self.round is not None and self.round < 1:
            raise ValueError(f"rounds are counted from 1, not from {self.round}")

    def with_grid(self, before: GridLayout | None, after: GridLayout) -> Turn:
        """The turn on a board. Its melds are the lines of the board."""
        return replace(
            self,
            before=None if before is None else lines_of(before),
            after=lines_of(after),
            grid_before=before,
            grid=after,
        )

    @property
    def is_table_alone(self) -> bool:
        """Whether nothing is told of a play, a draw, a claim or a discard: then only the sets that lie
        there are judged."""
        if self.before is not None:
            return False
        told = (
            self.rack_before,
            self.rack_after,
            self.claims,
            self.contract,
            self.round,
            self.discard,
        )
        return told == _NOTHING_TOLD

    @property
    def tiles_before(self) -> tuple[Tile, ...]:
        """Every tile that lay on the table, each once; none when that is not known."""
        if self.grid_before is not None:
            return self.grid_before.tiles
        return () if self.before is None else self.before.tiles

    @property
    def tiles_after(self) -> tuple[Tile, ...]:
        """Every tile that lies on the table, each once."""
        return self.after.tiles if self.grid is None else self.grid.tiles

    @property
    def packed_after(self) -> bytes:
        """The same tiles packed, see `engine.packing`."""
        return self.after.packed if self.grid is None else self.grid.packed


def lines_of(grid: GridLayout) -> Layout:
    """The lines of two or more touching tiles, rows first, and then the tiles that touch no other."""
    alone = (tile for tile, cells in grid_components(grid) if cells == 1)
    return Layout((*grid.lines(), *(Meld((tile,)) for tile in alone)))


def grid_components(grid: GridLayout) -> tuple[tuple[Tile, int], ...]:
    """The parts of a board that hang together: the first tile of each, and how many it has."""
    return grid.components()


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn with the rules it was played by: everything a ruling rests on, in one line."""

    preset: str
    """The name of the rules, as `pressman`; whether they exist is for `load_ruleset` to say."""
    turn: Turn
    house_rules: Mapping[str, str | int] = field(default_factory=lambda: MappingProxyType({}))
    """The switches the table has chosen, by name."""

    def __str__(self) -> str:
        turn = self.turn
        pieces = [f"turn/{NOTATION_VERSION} {self.preset}"]
        if self.house_rules:
            pieces.append(f"house: {print_choices(self.house_rules)}")
        on_grid = turn.grid is not None
        pieces += [
            f"before: {UNKNOWN if turn.before is None or on_grid else turn.before}",
            f"after: {UNKNOWN if on_grid else turn.after}",
            f"rack: {_print_rack(turn.rack_before)} > {_print_rack(turn.rack_after)}",
            f"opened: {_PRINT_YES_NO[turn.opened]}",
            f"elapsed: {UNKNOWN if turn.elapsed_s is None else repr(turn.elapsed_s)}",
        ]
        if turn.pool_empty:
            pieces.append("pool: empty")
        if turn.players is not None:
            pieces.append(f"players: {turn.players}")
        if on_grid:
            before = UNKNOWN if turn.grid_before is None else turn.grid_before
            pieces.append(f"grid: {before} > {turn.grid}")
        if turn.claims is not None:
            pieces.append(f"claims: {' | '.join(map(_print_claim, turn.claims)) or EMPTY}")
        if turn.contract is not None:
            pieces.append(f"contract: {turn.contract[0]} {turn.contract[1]}")
        if turn.round is not None:
            pieces.append(f"round: {turn.round}")
        if turn.discard is not None:
            pieces.append(f"discard: {_print_rack(turn.discard)}")
        return "; ".join(pieces)


_PRINT_YES_NO: Final = {True: "yes", False: "no", None: UNKNOWN}
_PARSE_YES_NO: Final = {text: value for value, text in _PRINT_YES_NO.items()}
_HEAD: Final = re.compile(r"turn/(\d+) +([a-z0-9-]+)")
_FIELDS: Final = (
    "house",
    "before",
    "after",
    "rack",
    "opened",
    "elapsed",
    "pool",
    "players",
    "grid",
    "claims",
    "contract",
    "round",
    "discard",
)
_NEEDED: Final = ("before", "after", "rack", "opened", "elapsed")
_CLAIM: Final = re.compile(r"\s*([0-3])\s+(own\s+)?(?=\S)")
_CONTRACT: Final = re.compile(r"\s*([0-9])\s+([0-9])\s*")
_Value = TypeVar("_Value")


def _print_rack(rack: tuple[Tile, ...] | None) -> str:
    if rack is None:
        return UNKNOWN
    return " ".join(map(str, rack)) or EMPTY


def parse_turn(text: str) -> RecordedTurn:
    """The turn a line stands for; `str` of it is the line in its own spacing and order.

    Raises NotationError with the column of the first thing that is not understood.
    """
    pieces = list(parts(text.rstrip("\n"), ";"))
    head, head_column = pieces[0]
    preset = _parse_head(head.strip(), head_column + len(head) - len(head.lstrip()))
    fields = _parse_fields(pieces[1:])
    if missing := [name for name in _NEEDED if name not in fields]:
        raise NotationError(
            f"the field `{missing[0]}:`", "", len(text) + 1, f"add `; {missing[0]}: {UNKNOWN}`"
        )
    racks = list(parts(fields["rack"][0], ">", fields["rack"][1]))
    if len(racks) != 2:
        raise NotationError(
            "the rack before and after", *_stripped(fields["rack"]), "write K1 K2 > K2, or ? > ?"
        )
    grids = _parse_grids(fields)
    turn = Turn(
        before=_unless_unknown(fields["before"], parse_layout),
        after=Layout() if grids else parse_layout(*fields["after"]),
        rack_before=_unless_unknown(racks[0], parse_rack),
        rack_after=_unless_unknown(racks[1], parse_rack),
        opened=_one_of(fields["opened"], _PARSE_YES_NO),
        elapsed_s=_unless_unknown(fields["elapsed"], _parse_seconds),
        pool_empty=_one_of(fields["pool"], {"empty": True}) if "pool" in fields else False,
        players=_parse_players(*fields["players"]) if "players" in fields else None,
        claims=_parse_claims(*fields["claims"]) if "claims" in fields else None,
        contract=_parse_contract(*fields["contract"]) if "contract" in fields else None,
        round=_parse_round(*fields["round"]) if "round" in fields else None,
        discard=parse_rack(*fields["discard"]) if "discard" in fields else None,
    )
    if grids:
        turn = turn.with_grid(*grids)
    house_rules = _parse_choices(*fields["house"]) if "house" in fields else {}
    return RecordedTurn(preset, turn, MappingProxyType(house_rules))


def _parse_head(text: str, column: int) -> str:
    match = _HEAD.fullmatch(text)
    if match is None:
        raise NotationError(
            "`turn/1` and a preset", text, column, "begin as in turn/1 pressman; before: ?"
        )
    if int(match.group(1)) != NOTATION_VERSION:
        raise NotationError(
            f"version {NOTATION_VERSION}", match.group(1), column + len("turn/"), "write turn/1"
        )
    return match.group(2)


def _parse_fields(pieces: list[tuple[str, int]]) -> dict[str, tuple[str, int]]:
    """The text of each field and its column."""
    fields: dict[str, tuple[str, int]] = {}
    for piece, column in pieces:
        name, colon, value = piece.partition(":")
        if not colon or name.strip() not in _FIELDS:
            hint = f"the fields are {', '.join(_FIELDS)}"
            raise NotationError("a field such as `after:`", *_stripped((piece, column)), hint)
        if name.strip() in fields:
            hint = "give each field once"
            raise NotationError("another field", *_stripped((piece, column)), hint)
        fields[name.strip()] = (value, column + len(name) + 1)
    return fields


def _stripped(piece: tuple[str, int]) -> tuple[str, int]:
    """A text without its blanks, and the column where it then begins."""
    text, column = piece
    return text.strip(), column + len(text) - len(text.lstrip())


def _unless_unknown(piece: tuple[str, int], parse: Callable[[str, int], _Value]) -> _Value | None:
    return None if piece[0].strip() == UNKNOWN else parse(*piece)


def parse_rack(text: str, column: int) -> tuple[Tile, ...]:
    """The tiles of a text, none for `-` or a blank one. Raises NotationError."""
    return () if text.strip() == EMPTY else parse_tiles(text, column)


def _parse_seconds(text: str, column: int) -> float:
    word, at = _stripped((text, column))
    try:
        return read_seconds(word)
    except ValueError:
        hint = "write a number from 0 up, or ?"
        raise NotationError("seconds such as 41.5", word, at, hint) from None


def _parse_grids(
    fields: Mapping[str, tuple[str, int]],
) -> tuple[GridLayout | None, GridLayout] | None:
    """The boards before and after; the melds are their lines and so are left unknown beside them."""
    if "grid" not in fields:
        return None
    for name in ("before", "after"):
        word, at = _stripped(fields[name])
        if word != UNKNOWN:
            raise NotationError(f"`{name}: ?` beside `grid:`", word, at, "write ? or no grid")
    boards = list(parts(fields["grid"][0], ">", fields["grid"][1]))
    if len(boards) != 2:
        hint = "write ? > K7 K8 K9 / . B8 ., with ? for a board that is not known"
        raise NotationError("the board before and after", *_stripped(fields["grid"]), hint)
    return _unless_unknown(boards[0], parse_grid), parse_grid(*boards[1])


def _print_claim(claim: Claim) -> str:
    return f"{claim.level} {'own ' if claim.own else ''}{claim.meld}"


def _parse_claims(text: str, column: int) -> tuple[Claim, ...]:
    """Claims as `0 K7 B7 R7 | 1 own R1 R2 R3`: how often claimed before, by whom, and the set."""
    if text.strip() == EMPTY:
        return ()
    found = []
    for part, at in parts(text, "|", column):
        match = _CLAIM.match(part)
        if match is None:
            hint = "write 0 K7 B7 R7, or 1 own R1 R2 R3"
            raise NotationError(
                "how often a set was claimed, and its tiles", *_stripped((part, at)), hint
            )
        meld = parse_meld(part[match.end() :], at + match.end())
        found.append(Claim(meld, int(match.group(1)), match.group(2) is not None))
    return tuple(found)


def _parse_contract(text: str, column: int) -> tuple[int, int]:
    match = _CONTRACT.fullmatch(text)
    if match is None:
        hint = "write 1 1 for a set and a run"
        raise NotationError("how many sets and runs", *_stripped((text, column)), hint)
    return int(match.group(1)), int(match.group(2))


def _parse_players(text: str, column: int) -> int:
    word, at = _stripped((text, column))
    if not word.isdecimal() or not word.isascii() or not LEAST_PLAYERS <= int(word[:3]) < 100:
        raise NotationError("a number of players", word, at, "write a number from 2 to 99")
    return int(word)


def _parse_round(text: str, column: int) -> int:
    word, at = _stripped((text, column))
    if not word.isdecimal() or not word.isascii() or len(word) > _MOST_DIGITS or int(word) < 1:
        raise NotationError("the number of a round", word, at, "write a number from 1 up")
    return int(word)


def _one_of(piece: tuple[str, int], known: Mapping[str, _Value]) -> _Value:
    word, column = _stripped(piece)
    if word not in known:
        choices = " or ".join(known)
        raise NotationError(choices, word, column, f"write {choices}")
    return known[word]


def _parse_choices(text: str, column: int) -> dict[str, str | int]:
    """House rules as `joker.freeze=none opening.points=30`; digits are numbers."""
    chosen: dict[str, str | int] = {}
    for word, at in words(text, column):
        try:
            name, value = read_house_rule(word)
            if name in chosen:
                raise ValueError(f"{name} is given twice")
        except ValueError:
            expected = "a house rule such as joker.freeze=none, each once"
            raise NotationError(expected, word, at, "write name=value") from None
        chosen[name] = value
    return chosen
