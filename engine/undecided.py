"""House rules that nobody has chosen, where their defaults are what something rests on.

A ruling asks (`engine.worlds`). What cannot wait for an answer goes on by the default, as a penalty that
is drawn or a round that is scored, and can say here which defaults it rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.ruleset import RuleSet

_OF_A_GAP: Final = "AMB-"
"""How the id of a gap in the documents begins; other ids are of their sentences."""


@dataclass(frozen=True, slots=True)
class Default:
    """A house rule that nobody has chosen and no document settles, and something rests on it."""

    switch: str
    words: str
    """What is undecided, with the gap in the documents (AMB-nn), and what holds meanwhile."""


def undecided(names: Iterable[str], rules: RuleSet) -> tuple[Default, ...]:
    """The switches, of those with these names or in these sections, that nobody has chosen and no
    document settles, in the order of the catalogue."""
    return tuple(_told(name, rules) for name in _undecided(names, rules))


def _undecided(names: Iterable[str], rules: RuleSet) -> tuple[str, ...]:
    wanted = frozenset(names)
    return tuple(
        name
        for name in rules.switches
        if wanted & {name, name.partition(".")[0]} and _is_default(name, rules)
    )


def _gap(name: str, rules: RuleSet) -> str:
    """The gap in the documents that a switch is for, or the sentence that settles it."""
    switch = rules.switches[name]
    return switch.rule if switch.asked else rules.value_rules.get(name, switch.rule)


def _is_default(name: str, rules: RuleSet) -> bool:
    return name not in rules.chosen and _gap(name, rules).startswith(_OF_A_GAP)


def resting_on(
    names: Iterable[str], rules: RuleSet, question: Callable[[RuleSet], object]
) -> tuple[Default, ...]:
    """Those of these switches and sections whose default an answer rests on: with another value of that
    switch alone it would be another. Switches that are chosen or settled by a document are left out.

    Of a number with no values to offer the least and the most are tried.
    """
    open_names = _undecided(names, rules)
    if not open_names:
        return ()
    now = question(rules)
    return tuple(
        _told(name, rules)
        for name in open_names
        if any(question(other) != now for other in _other_answers(name, rules))
    )


def _other_answers(name: str, rules: RuleSet) -> Iterator[RuleSet]:
    switch = rules.switches[name]
    now = switch.print(rules.value_of(name))
    if switch.open_values:
        yield from (other for value, other in rules.answers_to(name).items() if value != now)
        return
    for value in {switch.least, switch.most} - {rules.value_of(name)}:
        yield rules.with_house_rules({name: value})


def _told(name: str, rules: RuleSet) -> Default:
    switch, value = rules.switches[name], rules.value_of(name)
    text = switch.print(value)
    meaning = switch.options.get(text) or switch.words.get(text) or f"{text}."
    if value is None:
        meaning = "The players have yet to agree."
    said = f"{switch.question} {meaning}"
    return Default(name, f"Nobody has chosen ({name}, {_gap(name, rules)}): {said}")
