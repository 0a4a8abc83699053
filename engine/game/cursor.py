"""Reading one line from left to right: words, names in quotes, tiles, boards, numbers.

What the lines of positions and of records share. Every complaint is a MalformedError with the place.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Final, NoReturn, TypeVar

from engine.game.events import Board, Tiles
from engine.game.names import (
    NAME_RULE,
    QUOTED,
    check_players,
    is_name,
    match_bare,
    print_name,
    unescaped,
)
from engine.game.text_errors import MalformedError
from engine.layout import EMPTY, GridLayout, parse_grid, parse_layout
from engine.notation import NotationError
from engine.notation_values import (
    CHOICE,
    SWITCH,
    is_plain,
    print_seconds,
    read_choice,
    read_seconds,
)
from engine.tiles import Tile, parse_tile
from engine.turns import parse_rack

_CAME: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[^\s;|{}]+|\S')
_DIGITS: Final = re.compile(r"[0-9]+")
_TILE: Final = re.compile(r"[^\s|;:{}!]+")
_SECONDS: Final = re.compile(r"[0-9.e+-]+")
_PIECE: Final = re.compile(r"[\w-]+|\S")
GRID: Final = "grid"
"""The word before a board that is rows and columns; a board without it is melds."""

_Value = TypeVar("_Value")


class Cursor:
    """A place in a line, and what can be read there. Blanks before anything are passed over."""

    def __init__(self, text: str, line: int | None = None) -> None:
        self.text = text
        self.line = line
        """The number of the line in a text of several; None in a text of one."""
        self.at = 0
        """Index of the next character; its column is one more."""

    # Where it stands

    @property
    def start(self) -> int:
        """The index of the next character that is no blank, where the cursor stands then."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at

    @property
    def ended(self) -> bool:
        """Whether nothing but blanks is left."""
        return self.start >= len(self.text)

    def fail(self, expected: str, hint: str, at: int | None = None) -> NoReturn:
        """Complain about the word that stands here, or at an index."""
        at = self.start if at is None else at
        match = _CAME.match(self.text, at)
        came = "" if match is None else match.group()
        raise MalformedError(expected, came, at + 1, hint, self.line)

    # Words

    def take(self, words: str) -> bool:
        """Whether these words stand here; if so they are passed over."""
        match = _pattern(words).match(self.text, self.start)
        if match is None:
            return False
        self.at = match.end()
        return True

    def expect(self, words: str, hint: str) -> None:
        """Pass over words that have to stand here."""
        if not self.take(words):
            self.fail(f"`{words}`", hint)

    def finish(self, hint: str) -> None:
        """Complain where anything is left."""
        if not self.ended:
            self.fail("the end of the line", hint)

    def name(self) -> str:
        """A name, bare or in quotes as `print_name` writes it."""
        start = self.start
        quoted = QUOTED.match(self.text, start)
        if quoted is not None:
            name, self.at = unescaped(quoted.group(1)), quoted.end()
        else:
            name = match_bare(self.text, start) or ""
            self.at += len(name)
        if not is_name(name):
            hint = f'write Ada, or "Ada B." in quotes; {NAME_RULE}'
            self.fail("a name", hint, start)
        if self.text[start : self.at] != print_name(name):
            self.fail("a name as it is printed", f"write {print_name(name)}", start)
        return name

    def players(self) -> tuple[str, ...]:
        """Names with `|` between. Raises AmbiguousError for two that cannot be told apart."""
        names = self.listed(self.name)
        check_players(names)
        return names

    def number(self, hint: str = "write it in digits, as 7") -> int:
        """A whole number from 0 up, without zeros before it."""
        match = _DIGITS.match(self.text, self.start)
        if match is None or not is_plain(match.group()):
            self.fail("a number", hint)
        self.at = match.end()
        return int(match.group())

    def seconds(self) -> float:
        """A time as `print_seconds` of `engine.notation_values` writes it."""
        match = _SECONDS.match(self.text, self.start)
        try:
            seconds = read_seconds(match.group() if match else "")
        except ValueError:
            self.fail("seconds such as 41.5", "write a number from 0 up")
        shown = print_seconds(seconds)
        if match is None or match.group() != shown:
            self.fail("seconds as they are printed", f"write {shown}")
        self.at = match.end()
        return seconds

    def points(self) -> Fraction:
        """A score as `str` of it is written, a third as 1/3."""
        start, sign = self.start, -1 if self.take("-") else 1
        hint = "write points as 24, -16 or 7/2"
        above = self.number(hint)
        points = sign * Fraction(above, self.number(hint) or 1 if self.take("/") else 1)
        if "".join(self.text[start : self.at].split()) != str(points):
            self.fail("points", f"write {points}", start)
        return points

    # Tiles

    def chunk(self, stops: str) -> tuple[str, int]:
        """The text up to one of these characters, or to the end, and the column where it begins.

        No quotes can be in it: it is for tiles.
        """
        start = self.start
        while self.at < len(self.text) and self.text[self.at] not in stops:
            self.at += 1
        return self.text[start : self.at].rstrip(), start + 1

    def tiles(self, stops: str = "|;:{!") -> Tiles:
        """Tiles with blanks between, or `-` for none, up to a character that ends them."""
        return self._parsed(stops, parse_rack, "tiles such as K7 K8, or - for none")

    def tile(self) -> Tile:
        """One tile."""
        match = _TILE.match(self.text, self.start)
        try:
            tile = parse_tile("" if match is None else match.group())
        except NotationError as error:
            raise MalformedError.at(error.moved(self.at), self.line) from None
        self.at += len(str(tile))
        return tile

    def board(self, stops: str = ";{!") -> Board:
        """A layout, or a grid behind the word `grid`; `-` is the empty table."""
        what = "what lies on the table, - for nothing"
        if self.take(GRID):
            return self._parsed(stops, parse_grid, what)
        return self._parsed(stops, parse_layout, what)

    def _parsed(self, stops: str, parse: Callable[[str, int], _Value], what: str) -> _Value:
        text, column = self.chunk(stops)
        if not text:
            self.fail(what, f"write {EMPTY} for none", column - 1)
        try:
            return parse(text, column)
        except NotationError as error:
            raise MalformedError.at(error, self.line) from None

    # Lists

    def listed(self, item: Callable[[], _Value]) -> tuple[_Value, ...]:
        """What stands between `|`, one or more."""
        found = [item()]
        while self.take("|"):
            found.append(item())
        return tuple(found)

    def choices(self) -> dict[str, str | int]:
        """House rules as `joker.freeze=none opening.points=30`, one or more, each once."""
        chosen: dict[str, str | int] = {}
        while not chosen or SWITCH.match(self.text, self.start):
            start, name = self.start, self.switch()
            if name in chosen:
                self.fail("another house rule", "give each house rule once", start)
            self.expect("=", "write name=value")
            chosen[name] = self.choice()
        return chosen

    def switch(self) -> str:
        """The name of a house rule."""
        return self.matching(SWITCH, "a house rule such as joker.freeze=none", "write name=value")

    def choice(self) -> str | int:
        """The value of a house rule; digits are a number."""
        start = self.start
        text = self.matching(CHOICE, "a value such as none or 30", "write name=value")
        try:
            return read_choice(text)
        except ValueError:
            self.fail("a number", "write it plainly, as 30", start)

    def matching(self, pattern: re.Pattern[str], expected: str, hint: str) -> str:
        """The text here that a pattern matches."""
        match = pattern.match(self.text, self.start)
        if match is None:
            self.fail(expected, hint)
        self.at = match.end()
        return match.group()


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """These words, with any blanks between; none has to be where a sign parts them. A word does not end
    in the middle of another one."""
    found = _PIECE.findall(words)
    joined = re.escape(found[0])
    for before, piece in itertools.pairwise(found):
        both_words = before[-1].isalnum() and piece[0].isalnum()
        joined += (r"\s+" if both_words else r"\s*") + re.escape(piece)
    return re.compile(joined + (r"(?![\w'’-])" if found[-1][-1].isalnum() else ""))


# Printing


def print_tiles(tiles: Tiles) -> str:
    """Tiles with blanks between, `-` for none."""
    return " ".join(map(str, tiles)) or EMPTY


def print_board(board: Board) -> str:
    """A board as `Cursor.board` reads it."""
    return f"{GRID} {board}" if isinstance(board, GridLayout) else str(board)


def print_list(items: Iterable[str]) -> str:
    """Texts with `|` between them."""
    return " | ".join(items)
