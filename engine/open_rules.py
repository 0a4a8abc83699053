"""On which house rules that nobody has chosen an answer rests.

A check that would come out otherwise under another value notes the switch; then the turn is examined
under each (`engine.worlds`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Final

from engine.ruleset import RuleSet

MUST_PLAY: Final = "draw.must_play"
WRAP: Final = "run.wrap"
TWICE: Final = "group.duplicates"
LEAST_IN_GROUP: Final = "group.least"
LEAST_IN_RUN: Final = "run.least"
MOST_JOKERS: Final = "joker.max_per_set"
NATURALS: Final = "joker.naturals"
OF_JOKERS: Final = (MOST_JOKERS, NATURALS)
SET_SWITCHES: Final = (TWICE, LEAST_IN_GROUP, *OF_JOKERS, LEAST_IN_RUN, WRAP)
"""The switches on which it may rest whether tiles are a set, of those that are asked."""


def deciding(
    names: tuple[str, ...], rules: RuleSet, question: Callable[[RuleSet], Hashable]
) -> frozenset[str]:
    """Those of these open switches on which the answer to a question rests, whatever is chosen for the
    others of them."""
    if not names:
        return frozenset()
    combinations = rules.combinations_of(names)
    answers = {answered.standing_of(names)[0]: question(answered) for answered in combinations}
    return differing(names, answers)


def differing(
    names: tuple[str, ...],
    answers: Mapping[tuple[object, ...], Hashable],
    fixed: Mapping[str, object] | None = None,
) -> frozenset[str]:
    """Those of these switches on whose value alone an answer may rest, of the answers by their values;
    for some of them a value may be fixed."""
    left = list(answers.items())
    for name, value in fixed.items() if fixed else ():
        place = names.index(name)
        left = [(values, answer) for values, answer in left if values[place] == value]
    first = left[0][1]
    if all(answer == first for _, answer in left):
        return frozenset()
    return frozenset(name for place, name in enumerate(names) if _differ(left, place))


def _differ(answers: list[tuple[tuple[object, ...], Hashable]], place: int) -> bool:
    """Whether any two answers differ where the values do in one place alone."""
    first: dict[tuple[object, ...], Hashable] = {}
    return any(
        first.setdefault((*values[:place], *values[place + 1 :]), answer) != answer
        for values, answer in answers
    )
