"""A short word for a state, to tell whether two replays came to the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, Final

from engine.game.state import GameState
from engine.ruleset import RuleSet
from engine.tiles import Tile

_encoded: Final = json.JSONEncoder().encode


def digest(state: GameState) -> str:
    """The sha256 of a canonical text of the state, in hexadecimal digits.

    The same on every run, machine and version of Python. States that are not equal have different
    digests; equal ones have the same, as long as their players are told in the same order. Fields at
    their defaults are left out of the text, so that a field added later does not change the digests of
    states that do not use it.
    """
    return hashlib.sha256(canonical_text(state).encode("utf-8")).hexdigest()


def canonical_text(value: object) -> str:
    """A text that is equal for equal values of a state. Mappings keep their order, which may say who
    came first. Raises TypeError for a value that no state holds."""
    if isinstance(value, Tile):
        return str(value)
    if isinstance(value, tuple):
        return f"[{','.join(map(canonical_text, value))}]"
    if isinstance(value, Enum):
        return _encoded(value.value)
    if value is None or isinstance(value, (bool, int, str)):
        return _encoded(value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, RuleSet):
        return _rules_text(value)
    if isinstance(value, Mapping):
        pairs = (f"{canonical_text(key)}:{canonical_text(item)}" for key, item in value.items())
        return f"{{{','.join(pairs)}}}"
    if is_dataclass(value) and not isinstance(value, type):
        return _fields_text(value)
    raise TypeError(f"a state holds no {type(value).__name__}")


def _rules_text(rules: RuleSet) -> str:
    """The preset and what the table has chosen: values that nobody chose follow from the preset."""
    chosen = (f"{name}={rules.switches[name].print(rules.value_of(name))}" for name in rules.chosen)
    return f"RuleSet({' '.join((rules.preset, *sorted(chosen)))})"


def _fields_text(value: Any) -> str:
    pieces = []
    for name, default in _compared(value.__class__):
        own = getattr(value, name)
        if default is MISSING or own != default:
            pieces.append(f"{name}={canonical_text(own)}")
    return f"{type(value).__name__}({','.join(pieces)})"


@cache
def _compared(kind: Hashable) -> tuple[tuple[str, object], ...]:
    """The fields that make values of a class differ, with their defaults."""
    return tuple((item.name, item.default) for item in fields(kind) if item.compare)  # type: ignore[arg-type]
