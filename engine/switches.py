"""House rules: what a table may choose, and how a choice is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

_YES_NO: Final = {"yes": True, "no": False}
_KEYS: Final = frozenset(
    {"name", "rule", "asked", "of_turns", "question", "options", "words", "open", "least", "most"}
)
"""What an entry of the catalogue and a preset file may say of a switch."""


class HouseRuleError(ValueError):
    """There is no such switch, or no such value of it; the message names those there are."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One question a table answers once. Either `options` or a range of numbers."""

    name: str
    """Section and field of the RuleSet it sets, as `joker.free_removal`."""
    rule: str
    """The rule or the gap in the documents that it settles."""
    asked: bool
    """True: a ruling that depends on it asks until somebody has chosen. False: the document's own
    words hold until then."""
    question: str
    """What to ask the table."""
    options: Mapping[str, str]
    """Values and what each means; empty for a number."""
    words: Mapping[str, str]
    """What each number that is asked about means; empty where none is."""
    left_open: tuple[str, ...] = ()
    """The values that the documents leave possible, where they rule others out; empty for all."""
    of_turns: bool = False
    """Whether it is asked of turns alone: a table of which nothing else is known goes by the default."""
    least: int = 0
    """The smallest number, when it is one."""
    most: int = 0
    """The largest number, when it is one."""

    @property
    def values(self) -> tuple[str, ...]:
        """The values that can be chosen as text; a number has none to list."""
        return tuple(self.options)

    @property
    def open_values(self) -> tuple[str, ...]:
        """The values to play through, and to ask for, while nobody has chosen."""
        return self.left_open or self.values

    def meaning_of(self, value: str) -> str:
        """What one of the open values means, in a sentence."""
        return self.options[value] if self.options else self.words[value]

    def parse(self, given: object) -> object:
        """The field's value for a choice given as text, yes/no, or number. Raises HouseRuleError."""
        if self.options:
            text = {True: "yes", False: "no"}[given] if isinstance(given, bool) else given
            if isinstance(text, str) and text in self.options:
                return _YES_NO.get(text, text)
            raise HouseRuleError(f"{self.name} is one of {', '.join(self.options)}, not {given!r}")
        if isinstance(given, str) and given in self.left_open:
            # Answers are offered as texts.
            return int(given)
        if (
            isinstance(given, int)
            and not isinstance(given, bool)
            and self.least <= given <= self.most
        ):
            return given
        raise HouseRuleError(
            f"{self.name} is a whole number from {self.least} to {self.most}, not {given!r}"
        )

    def print(self, value: object) -> str:
        """The text of a field's value, as `parse` reads it (numbers in digits). None, a number that the
        players have yet to agree on, is `agreed`."""
        if value is None:
            return "agreed"
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def by_full_name(house_rules: Mapping[str, object]) -> dict[str, object]:
    """Choices by the full names of their switches, where sections may be tables of their own.

    Raises HouseRuleError for a switch that is given in both forms.
    """
    chosen: dict[str, object] = {}
    for name, given in house_rules.items():
        values: dict[str, object] = {name: given}
        if isinstance(given, Mapping):
            values = {f"{name}.{last}": value for last, value in given.items()}
        if twice := chosen.keys() & values.keys():
            raise HouseRuleError(f"{min(twice)} is given twice")
        chosen |= values
    return chosen


def parse_switch(entry: Mapping[str, Any]) -> Switch:
    """A switch from its entries in the catalogue and a preset file together.

    Raises ValueError when it has neither options nor a range.
    """
    if unknown := set(entry) - _KEYS:
        raise ValueError(f"switch {entry.get('name')}: unknown keys {sorted(unknown)}")
    if ("options" in entry) == ("most" in entry):
        raise ValueError(f"switch {entry['name']}: give options, or least and most")
    meanings = entry.get("options") or entry.get("words", {})
    open_values = tuple(entry.get("open", ()))
    if entry["asked"] and (not meanings or not meanings.keys() >= set(open_values)):
        raise ValueError(f"switch {entry['name']}: say what each open value means")
    return Switch(
        name=entry["name"],
        rule=entry["rule"],
        asked=entry["asked"],
        question=entry["question"],
        options=MappingProxyType(dict(entry.get("options", {}))),
        words=MappingProxyType(dict(entry.get("words", {}))),
        left_open=open_values,
        of_turns=entry.get("of_turns", False),
        least=entry.get("least", 0),
        most=entry.get("most", 0),
    )
