"""Which question to ask: the cheapest one that settles most.

What a tile is, how the tiles lie, whether the player had opened and how the table plays are weighed in
one pool. For each question the readings still possible are parted by its answers, each reading counted
by how likely it is and alike under every answer to what else nobody has said.

    settled   the share of the readings in parts that are all legal or all illegal
    learnt    how much the share of readings that side with the commoner verdict of their part grows
    effort    what an answer takes on the average, in taps

The question with the most settled for a tap is asked; where none settles anything, the one with the most
learnt for a tap. One that settles and teaches nothing is asked only where its tile decides together with
others; a tile that makes no difference never is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from engine.faults import Question
from engine.ruleset import RuleSet
from engine.worlds import OPENED, Outcome, Unsaid, World, question_about

TAP: Final = 1.0
"""The effort of an answer that is offered: people look and press it."""
NAMING: Final = 3.0
"""The effort of naming a tile that is not offered: a colour, a number, and that it is done."""
LOOKING: Final = 0.5
"""The effort of each way in which tiles may lie, where there are more than two: all have to be held
against the table before one is pressed."""
AGREEING: Final = 3.0
"""The effort of a house rule. It is asked once and holds for every turn to come, but all players have to
agree on it, while one of them has a play that hangs on it; so it comes last among equals."""

Tally = Mapping[Outcome, tuple[int, float]]
"""How many readings come to an outcome, and how much they weigh together."""


_Key = TypeVar("_Key")


def add_to(tally: dict[_Key, tuple[int, float]], key: _Key, number: int, weight: float) -> None:
    """Count readings of a kind into a tally, in place."""
    count, total = tally.get(key, (0, 0.0))
    tally[key] = count + number, total + weight


def sum_of(tallies: Iterable[Tally]) -> dict[Outcome, tuple[int, float]]:
    """All readings of several tallies."""
    found: dict[Outcome, tuple[int, float]] = {}
    for tally in tallies:
        for outcome, (number, weight) in tally.items():
            add_to(found, outcome, number, weight)
    return found


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to a question: the readings it leaves, and what giving it takes."""

    tally: Tally
    effort: float = TAP

    @property
    def weight(self) -> float:
        """How much the readings left weigh."""
        return sum(weight for _, weight in self.tally.values())


@dataclass(frozen=True, slots=True, order=True)
class Merit:
    """What a question is worth; the greater the better."""

    settled_per_tap: float
    learnt_per_tap: float
    ease: float
    """Less effort goes before more where the rest is equal."""


def merit_of(answers: Sequence[Answer]) -> Merit:
    """What a question with these answers is worth. Rounded, so that the order of sums is no matter."""
    weights = [answer.weight for answer in answers]
    total = sum(weights) or 1.0
    settled = sum(w for w, a in zip(weights, answers, strict=True) if is_settled(a.tally))
    known_before = _commoner([answer.tally for answer in answers])
    learnt = sum(_commoner([answer.tally]) for answer in answers) - known_before
    taps = sum(w * a.effort for w, a in zip(weights, answers, strict=True)) / total
    per_tap = [round(share / total / taps, 9) for share in (settled, learnt)]
    return Merit(per_tap[0], per_tap[1], round(-taps, 9))


def is_settled(tally: Tally) -> bool:
    """Whether all readings left are legal, or all are illegal, whatever else is answered."""
    return len({legal for outcome, (count, _) in tally.items() if count for legal in outcome}) == 1


def _commoner(tallies: Sequence[Tally]) -> float:
    """The weight of the readings with the commoner verdict."""
    legal = illegal = 0.0
    for tally in tallies:
        for outcome, (_, weight) in tally.items():
            share = sum(outcome) / len(outcome)
            legal, illegal = legal + weight * share, illegal + weight * (1 - share)
    return max(legal, illegal)


def answers_about(name: str, unsaid: Unsaid, whole: Tally) -> list[Answer]:
    """What each answer to a switch, or to whether the player had opened, leaves of the readings."""
    effort = TAP if name == OPENED else AGREEING
    by_answer = unsaid.by_answer(name)
    found = []
    for numbers in by_answer.values():
        left: dict[Outcome, tuple[int, float]] = {}
        for outcome, (count, weight) in whole.items():
            part = tuple(outcome[number] for number in numbers)
            add_to(left, part, count, weight / len(by_answer))
        found.append(Answer(left, effort))
    return found


def question_of_worlds(worlds: Sequence[World], rules: RuleSet) -> Question:
    """The question to ask about a turn that is known but for what nobody has said."""
    unsaid = Unsaid.of((name for world in worlds for name, _ in world.answers), rules)
    if len(unsaid.names) == 1:
        return question_about(unsaid.names[0], worlds, rules)
    whole: Tally = {unsaid.outcome(worlds): (1, 1.0)}
    merits = {name: merit_of(answers_about(name, unsaid, whole)) for name in unsaid.names}
    return question_about(max(merits, key=lambda name: merits[name]), worlds, rules)
