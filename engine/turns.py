"""A turn as a value, and the one line it is written as.

```
turn/1 pressman; before: K7 K8 K9; after: K7 K8 K9 K10; rack: K10 B2 > B2; opened: yes; elapsed: 41.5
```
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeVar

from engine.layout import EMPTY, Layout, parse_layout
from engine.melds import parse_tiles
from engine.notation import NOTATION_VERSION, NotationError, parts
from engine.tiles import Tile

UNKNOWN: Final = "?"
"""How anything is written that nobody saw."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn, as far as it was seen. None always means: not known.

    Raises ValueError for a negative time, or one that is not a number.
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

    def __post_init__(self) -> None:
        if self.elapsed_s is not None and not 0 <= self.elapsed_s < math.inf:
            raise ValueError(f"a turn takes 0 seconds or more, not {self.elapsed_s}")


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
            chosen = " ".join(f"{name}={value}" for name, value in self.house_rules.items())
            pieces.append(f"house: {chosen}")
        pieces += [
            f"before: {UNKNOWN if turn.before is None else turn.before}",
            f"after: {turn.after}",
            f"rack: {_print_rack(turn.rack_before)} > {_print_rack(turn.rack_after)}",
            f"opened: {_PRINT_YES_NO[turn.opened]}",
            f"elapsed: {UNKNOWN if turn.elapsed_s is None else repr(turn.elapsed_s)}",
        ]
        if turn.pool_empty:
            pieces.append("pool: empty")
        return "; ".join(pieces)


_PRINT_YES_NO: Final = {True: "yes", False: "no", None: UNKNOWN}
_PARSE_YES_NO: Final = {text: value for value, text in _PRINT_YES_NO.items()}
_HEAD: Final = re.compile(r"turn/(\d+) +([a-z0-9-]+)")
_CHOICE: Final = re.compile(r"([a-z_0-9]+\.[a-z_0-9]+)=([a-z_0-9]+)")
_FIELDS: Final = ("house", "before", "after", "rack", "opened", "elapsed", "pool")
_NEEDED: Final = ("before", "after", "rack", "opened", "elapsed")
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
    turn = Turn(
        before=_unless_unknown(fields["before"], parse_layout),
        after=parse_layout(*fields["after"]),
        rack_before=_unless_unknown(racks[0], _parse_rack),
        rack_after=_unless_unknown(racks[1], _parse_rack),
        opened=_one_of(fields["opened"], _PARSE_YES_NO),
        elapsed_s=_unless_unknown(fields["elapsed"], _parse_seconds),
        pool_empty=_one_of(fields["pool"], {"empty": True}) if "pool" in fields else False,
    )
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


def _parse_rack(text: str, column: int) -> tuple[Tile, ...]:
    return () if text.strip() == EMPTY else parse_tiles(text, column)


def _parse_seconds(text: str, column: int) -> float:
    word, at = _stripped((text, column))
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise NotationError("seconds such as 41.5", word, at, "write a number from 0 up, or ?")
    return seconds


def _one_of(piece: tuple[str, int], known: Mapping[str, _Value]) -> _Value:
    word, column = _stripped(piece)
    if word not in known:
        choices = " or ".join(known)
        raise NotationError(choices, word, column, f"write {choices}")
    return known[word]


def _parse_choices(text: str, column: int) -> dict[str, str | int]:
    """House rules as `joker.freeze=none opening.points=30`; digits are numbers."""
    chosen: dict[str, str | int] = {}
    for match in re.finditer(r"\S+", text):
        choice = _CHOICE.fullmatch(match.group())
        if choice is None or choice.group(1) in chosen:
            raise NotationError(
                "a house rule such as joker.freeze=none, each once",
                match.group(),
                column + match.start(),
                "write name=value",
            )
        value = choice.group(2)
        chosen[choice.group(1)] = int(value) if value.isdigit() else value
    return chosen
