"""Names of players as positions and records write them: bare where that is plain, else in quotes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from engine.game.text_errors import AmbiguousError
from engine.notation import NotationError
from engine.tiles import parse_tile

NAME_RULE: Final = (
    "a name has a character that can be seen, no blank at its ends, no control character or line "
    "break, and no mark that turns the direction of writing"
)
"""What is asked of a name, and of any other free text in a record."""

RESERVED: Final = frozenset(
    {
        "correct",
        "deal",
        "everybody",
        "fault",
        "for",
        "game",
        "hands",
        "house",
        "play",
        "reshuffle",
        "undo",
    }
)
"""Words that begin a line of a record in place of a name; as names they stand in quotes."""

QUOTED: Final = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
"""A text in quotes, with `\\"` for a quotation mark and `\\\\` for a backslash in it."""
_BARE: Final = re.compile(r"[^\W\d_][\w'’.-]*")
_REFUSED_CATEGORIES: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_UNSEEN_CATEGORIES: Final = frozenset({"Cf", "Zs"})
_UNSEEN_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Fillers of Hangul and the empty pattern of Braille, which Unicode has among letters and symbols."""


def is_name(text: str) -> bool:
    """Whether `NAME_RULE` lets a text be a name. Letters of every script are welcome."""
    return (
        bool(_seen(text))
        and text == text.strip()
        and not any(
            unicodedata.category(char) in _REFUSED_CATEGORIES or char in _TURNING for char in text
        )
    )


def _shown(text: str) -> str:
    """The text without marks that are never seen, such as those that join or part letters."""
    return "".join(char for char in text if unicodedata.category(char) != "Cf")


def _seen(text: str) -> str:
    """Those of its characters that show something."""
    return "".join(
        char
        for char in text
        if char not in _UNSEEN_LETTERS and unicodedata.category(char) not in _UNSEEN_CATEGORIES
    )


def check_name(text: str, what: str = "name") -> None:
    """Raise ValueError, with the rule, for a text that can be no name."""
    if not is_name(text):
        raise ValueError(f"{text!r} is no {what}: {NAME_RULE}")


def check_players(names: Sequence[str]) -> None:
    """Raise ValueError for what is no name, AmbiguousError for two that cannot be told apart.

    Two names collide when they are written with the same letters: an accent may be a character of its
    own or part of its letter, and programs change one into the other. What cannot be seen tells nothing
    apart.
    """
    seen: dict[str, int] = {}
    for seat, name in enumerate(names, start=1):
        check_name(name)
        first = seen.setdefault(unicodedata.normalize("NFC", _shown(name)), seat)
        if first != seat:
            raise AmbiguousError(
                f"the name {name} is that of two players", (f"seat {first}", f"seat {seat}")
            )


def print_name(name: str) -> str:
    """The name as `Cursor.name` reads it: bare when it is one plain word, else in quotes."""
    if _BARE.fullmatch(name) and name not in RESERVED and not _is_tile(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def match_bare(text: str, at: int) -> str | None:
    """The plain word that begins at an index of a text; None when none does."""
    match = _BARE.match(text, at)
    return None if match is None else match.group()


def unescaped(inner: str) -> str:
    """What the inner part of a quoted text stands for."""
    return re.sub(r"\\(.)", r"\1", inner)


def _is_tile(word: str) -> bool:
    try:
        parse_tile(word)
    except NotationError:
        return False
    return True
