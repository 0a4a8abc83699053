"""A turn under every answer to what nobody has said: house rules, and whether the player had opened.

What is asked for here is only what makes a difference: where the turn comes out alike without it, a
switch is not among the answers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from engine.examination import Examination
from engine.examine import check_pieces, examine, examine_anew, play_of
from engine.faults import Finding, Question
from engine.open_rules import MUST_PLAY, SET_SWITCHES
from engine.ruleset import RuleSet
from engine.set_questions import SetAnswers
from engine.turns import Turn

OPENED: Final = "opened"
"""The name, among the answers, of whether the player had laid an initial meld before the turn."""
YES: Final = "yes"
NO: Final = "no"


@dataclass(frozen=True, slots=True)
class World:
    """One answer to everything that is open, and what the turn then comes to."""

    answers: tuple[tuple[str, str], ...]
    """Pairs of a switch (or `OPENED`) and its value."""
    opened: bool
    rules: RuleSet
    examination: Examination


def worlds_of(turn: Turn, rules: RuleSet) -> list[World]:
    """The turn examined under every answer to what is open and makes a difference.

    Raises ValueError for a tile that the game does not have.
    """
    check_pieces(turn, rules)
    examined = _Examined(turn, rules)
    needs_opening = rules.opening.kind in ("points", "contract")
    if turn.opened is not None or turn.before is None or not needs_opening:
        return _switch_worlds(examined.anew(rules, turn.opened is not False), examined, ())
    if not turn.before.melds:
        # Initial melds stay on the table, so on an empty one nobody has laid any.
        return _switch_worlds(examined.anew(rules, False), examined, ())
    return [
        world
        for opened, answer in ((True, YES), (False, NO))
        for world in _switch_worlds(examined.anew(rules, opened), examined, ((OPENED, answer),))
    ]


def _switch_worlds(
    node: World, examined: _Examined, answers: tuple[tuple[str, str], ...]
) -> list[World]:
    """The worlds with these answers."""
    still_open = sorted(name for name in node.examination.depends_on if node.rules.is_open(name))
    if not still_open:
        return [replace(node, answers=answers)]
    name = still_open[0]
    return [
        world
        for value in node.rules.answers_to(name)
        for world in _switch_worlds(
            examined.answered(node, name, value), examined, (*answers, (name, value))
        )
    ]


class _Examined:
    """One turn, examined under one answer after the other: what does not rest on it is kept."""

    def __init__(self, turn: Turn, rules: RuleSet) -> None:
        self._turn = turn
        self._play = play_of(turn)
        self._answers = SetAnswers(rules)
        with_cards = rules.switches if rules.contracts is not None else ()
        self._others = tuple(name for name in with_cards if name not in SET_SWITCHES)
        """With cards, the switches that are none of sets."""
        self._cards: dict[Hashable, list[Examination]] = {}
        """What was found so far with cards, by how these stand."""

    def anew(self, rules: RuleSet, opened: bool) -> World:
        """The turn under these rules, with no answer yet."""
        if rules.contracts is None:
            found = examine(self._turn, rules, opened, self._play, self._answers)
        else:
            found = self._examined_cards(rules, opened)
        return World((), opened, rules, found)

    def answered(self, known: World, name: str, value: str) -> World:
        """The turn under one more answer."""
        rules = known.rules.answers_to(name)[value]
        if rules.contracts is not None:
            return self.anew(rules, known.opened)
        if self._is_same(known.rules, name, value):
            return replace(known, rules=rules)
        found = examine_anew(known.examination, name, rules, self._turn, known.opened, self._play)
        return World((), known.opened, rules, found)

    def _is_same(self, rules: RuleSet, name: str, value: str) -> bool:
        """Whether a turn with tiles comes to the same once this is chosen. Whether somebody has chosen a
        value that holds anyway changes nothing, but where a play is looked for that the player should
        have made: that has to be legal whatever is open."""
        if name == MUST_PLAY and _forces_nobody(value, self._turn):
            return True
        plays_are_sought = self._play is not None and not self._play.changed
        return not plays_are_sought and value == rules.switches[name].print(rules.value_of(name))

    def _examined_cards(self, rules: RuleSet, opened: bool) -> Examination:
        """The turn with cards: all of it that rests on sets is asked (`Examination.by_sets`), so where
        the answers are the same, all is."""
        alike = self._cards.setdefault((opened, rules.standing_of(self._others)), [])
        for known in alike:
            if (same := known.under(rules)) is not None:
                return same
        alike.append(examine(self._turn, rules, opened, self._play, self._answers))
        return alike[-1]


def _forces_nobody(must_play: str, turn: Turn) -> bool:
    """Whether a turn may end with a draw by this answer, as it may while nobody has given one."""
    return must_play == "off" or (must_play == "pool_empty" and not turn.pool_empty)


def values_of(name: str, rules: RuleSet) -> tuple[str, ...]:
    """The answers to an open question: values of the switch, or yes and no."""
    return (YES, NO) if name == OPENED else rules.switches[name].open_values


Outcome = tuple[bool, ...]
"""Whether a turn is legal, for each combination of answers of an `Unsaid`."""


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What nobody has said, and every combination of answers to it."""

    names: tuple[str, ...]
    """Switches, or `OPENED`."""
    combinations: tuple[tuple[str, ...], ...]
    """Values in the order of the names; one empty combination where everything was said."""

    @classmethod
    def of(cls, names: Iterable[str], rules: RuleSet) -> Unsaid:
        """All answers to these names. `OPENED` comes first, then switches by name."""
        ordered = tuple(sorted(set(names), key=lambda name: (name != OPENED, name)))
        return cls(ordered, tuple(product(*(values_of(name, rules) for name in ordered))))

    def outcome(self, worlds: Sequence[World]) -> Outcome:
        """Under which answers a turn is legal, given its worlds."""
        answered = [(frozenset(world.answers), world.examination.legal) for world in worlds]
        found = []
        for values in self.combinations:
            said = set(zip(self.names, values, strict=True))
            found.append(next(legal for answers, legal in answered if answers <= said))
        return tuple(found)

    def by_answer(self, name: str) -> dict[str, list[int]]:
        """For each answer to one name the combinations that hold it."""
        place = self.names.index(name)
        found: dict[str, list[int]] = {}
        for number, values in enumerate(self.combinations):
            found.setdefault(values[place], []).append(number)
        return found


def question_about(name: str, worlds: Sequence[World], rules: RuleSet) -> Question:
    """The question about a switch or `OPENED`, with what is at stake in these worlds."""
    options = values_of(name, rules)
    if name == OPENED:
        text = "Had this player laid an initial meld before this turn?"
        if rules.opening.kind == "contract":
            text = "Had this player laid down before this turn?"
        return Question(OPENED, text, options)
    switch = rules.switches[name]
    meanings = " ".join(_meaning(value, switch.meaning_of(value)) for value in options)
    text = f"{_evidence(worlds)}{switch.question} {meanings}"
    return Question("house_rule", text, options, rule=name)


def _meaning(value: str, words: str) -> str:
    """What an answer means, and which one it is unless its words begin with that."""
    said = words.split(maxsplit=1)[0].strip(":,.").lower() == value
    return words if said else f"{words.removesuffix('.')} ({value})."


def _evidence(worlds: Sequence[World]) -> str:
    """What is at stake, in the words of the first answer that forbids it."""
    common = {item.message for item in common_findings([w.examination.findings for w in worlds])}
    told = (item.message for world in worlds for item in world.examination.findings)
    disputed = next((message for message in told if message not in common), "")
    return f"Whether this is a fault depends on a house rule. {disputed} " if disputed else ""


def common_findings(worlds: Sequence[Sequence[Finding]]) -> tuple[Finding, ...]:
    """The findings that hold in every world, told as in the first."""
    if len(worlds) == 1 or not worlds[0]:
        return tuple(worlds[0])

    def key(item: Finding) -> object:
        return item.code, item.meld, item.tiles

    shared = set(map(key, worlds[0])).intersection(*(map(key, world) for world in worlds[1:]))
    return tuple(item for item in worlds[0] if key(item) in shared)
