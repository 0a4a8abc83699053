"""One line of JSON, as `judge`, `solve` and `score` take them, and the tiles that stand in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.notation import NotationError
from engine.tiles import CARD_JOKER, CARD_SUITS, JOKER, Tile, parse_tile

_JOKERS: Final = frozenset({"*", "JOKER"})
"""Written for a joker of either deck; `J` is that of tiles alone, because cards have a jack."""
_TEN: Final = re.compile(r"T([SHDC])")
_MOST_TILES: Final = 318
"""Three games of 106: a misread table may hold more than a game has, but not that many."""


class JsonLineError(ValueError):
    """A line that is no JSON value, or a value in it that is no tiles; one line of text says why."""


def parse_json_line(line: bytes) -> Any:
    """The value of a line of UTF-8 text. Raises JsonLineError."""
    try:
        return json.loads(line.decode("utf-8-sig").strip(), object_pairs_hook=_object)
    except RecursionError:
        raise JsonLineError("is nested too deeply") from None
    except UnicodeDecodeError:
        raise JsonLineError("is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise JsonLineError(f"is not JSON: {error.msg.lower()} at column {error.colno}") from None
    except JsonLineError:
        raise
    except ValueError:  # digits beyond what a number may have
        raise JsonLineError("is not JSON: a number is too long") from None


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys are all different: of two racks of a player neither would be right."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonLineError(f"the key {twice!r} comes twice")
    return found


def kind_of(value: object) -> str:
    """What a JSON value is, for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    names: Mapping[type, str] = {dict: "an object", list: "a list", str: "a text"}
    return names.get(type(value), "a number")


def tiles_of(value: object, where: str, joker: Tile) -> tuple[Tile, ...]:
    """The tiles of a list of texts, each as `tile_of` has it. Raises JsonLineError, naming `where`."""
    if not isinstance(value, list):
        raise JsonLineError(f"{where}: expected a list of tiles, got {kind_of(value)}")
    check_number(len(value), where)
    return tuple([tile_of(text, f"{where}[{number}]", joker) for number, text in enumerate(value)])


def tile_of(text: object, where: str, joker: Tile) -> Tile:
    """The tile of a text in the notation, in which a ten of cards may be `TH` too, and `*` or `JOKER`
    stand for `joker`, that of the deck. Raises JsonLineError, which names `where`."""
    if not isinstance(text, str):
        raise JsonLineError(f'{where}: expected a tile such as "K7", got {kind_of(text)}')
    if text in _JOKERS:
        return joker
    try:
        return parse_tile(_TEN.sub(r"10\1", text))
    except NotationError as error:
        message = f"expected {error.expected}, got {text!r}; {error.hint}"
        raise JsonLineError(f"{where}: {message}") from None


def joker_of(pieces: str, texts: Iterable[object] = ()) -> Tile:
    """The joker of a deck of `tiles` or `cards`, or of cards where there are any among the texts."""
    cards = pieces == "cards" or any(
        isinstance(text, str) and text[-1:] in CARD_SUITS and text not in _JOKERS for text in texts
    )
    return CARD_JOKER if cards else JOKER


def check_number(count: int, where: str) -> None:
    """Raise JsonLineError for more tiles than three games have, which no table and no rack can hold."""
    if count > _MOST_TILES:
        raise JsonLineError(
            f"{where}: {count} tiles, and no more than {_MOST_TILES} can lie anywhere"
        )
