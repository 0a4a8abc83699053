"""One line of JSON, as `judge`, `solve` and `score` take them, and words for what was found in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


class JsonLineError(ValueError):
    """A line that is no JSON value; one line of text says why."""


def parse_json_line(line: bytes) -> Any:
    """The value of a line of UTF-8 text. Raises JsonLineError."""
    try:
        return json.loads(line.decode("utf-8-sig"), object_pairs_hook=_object)
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
