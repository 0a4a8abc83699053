"""Numbers, seconds and house rules, as every line of the notation has them: what they may be, and how
they are printed.

Each reader takes one word and raises ValueError for any other. Where a word stands, and what to say of a
wrong one, is for whoever reads the line: `engine.turns`, `engine.game.cursor`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

SWITCH: Final = re.compile(r"[a-z_0-9]+\.[a-z_0-9]+")
"""The name of a house rule, as `joker.freeze`."""
CHOICE: Final = re.compile(r"[a-z_0-9]+")
"""Its value, as `none` or `30`."""
_MOST_DIGITS: Final = 9
"""Digits of a number that anything is counted with; more are a slip."""


def is_plain(digits: str) -> bool:
    """Whether digits are a number as it is printed, and none that is too long to count anything."""
    return len(digits) <= _MOST_DIGITS and str(int(digits)) == digits


def print_number(number: int) -> str:
    """A whole number. Raises ValueError for one below 0 or beyond what is counted."""
    if not 0 <= number < 10**_MOST_DIGITS:
        raise ValueError(f"{number} is no number that anything is counted with")
    return str(number)


def read_seconds(word: str) -> float:
    """A time from 0 up, however the number is written."""
    return checked_seconds(float(word))


def checked_seconds(seconds: float) -> float:
    """The same. Raises ValueError for a time that cannot have passed."""
    if not 0 <= seconds < math.inf:
        raise ValueError(f"a turn takes 0 seconds or more, not {seconds}")
    return seconds


def print_seconds(seconds: float) -> str:
    """A time as the shortest text that is read as the same number, whole seconds without a point.

    Raises ValueError for a time that cannot have passed.
    """
    return repr(float(checked_seconds(seconds))).removesuffix(".0")


def read_choice(word: str) -> str | int:
    """The value of a house rule; digits are a number, and that is written plainly."""
    if not CHOICE.fullmatch(word):
        raise ValueError(f"{word!r} is no value of a house rule, such as none or 30")
    if not word.isdigit():
        return word
    if not is_plain(word):
        raise ValueError(f"{word} is no number as it is printed")
    return int(word)


def read_house_rule(word: str) -> tuple[str, str | int]:
    """A house rule as `joker.freeze=none`: its name and its value."""
    name, _, value = word.partition("=")
    return print_switch(name), read_choice(value)


def print_choices(choices: Mapping[str, str | int]) -> str:
    """House rules as `joker.freeze=none opening.points=30`. Raises ValueError for what cannot be
    read."""
    pairs = choices.items()
    return " ".join(f"{print_switch(name)}={print_choice(value)}" for name, value in pairs)


def print_switch(name: str) -> str:
    """The name of a house rule. Raises ValueError for a text that is none."""
    if not SWITCH.fullmatch(name):
        raise ValueError(f"{name!r} is no house rule such as joker.freeze")
    return name


def print_choice(value: str | int) -> str:
    """The value of a house rule. Raises ValueError for true and false, which are yes and no here, for
    digits given as text, and for any other text that is no value."""
    if isinstance(value, int) and not isinstance(value, bool):
        return print_number(value)
    if not isinstance(value, str) or read_choice(value) != value:
        raise ValueError(f"{value!r} is no value of a house rule, such as none or 30")
    return value
