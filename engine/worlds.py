"""A turn under every answer to what nobody has said: house rules, and whether the player had opened.

What is asked for here is only what makes a difference: where the turn comes out alike without it, a
switch is not among the answers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, TypeAlias

from engine.examination import Examination
from engine.examine import (
    check_pieces,
    examine,
    examine_anew,
    examine_beside_sets,
    note_contract,
    play_of,
)
from engine.examine_sets import questions_of_sets, tell_no_sets
from engine.faults import Finding, Question
from engine.open_rules import MUST_PLAY, SET_SWITCHES
from engine.packing import packed
from engine.ruleset import RuleSet
from engine.set_questions import ByAnswers, SetQuestions
from engine.set_readings import book_of
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
    examined = _Tiles(turn, rules) if rules.contracts is None else _Cards(turn, rules)
    needs_opening = rules.opening.kind in ("points", "contract")
    if turn.opened is not None or turn.before is None or not needs_opening:
        return examined.worlds(rules, turn.opened is not False, ())
    if not turn.before.melds:
        # Initial melds stay on the table, so on an empty one nobody has laid any.
        return examined.worlds(rules, False, ())
    return [
        world
        for opened, answer in ((True, YES), (False, NO))
        for world in examined.worlds(rules, opened, ((OPENED, answer),))
    ]


_Answers: TypeAlias = tuple[tuple[str, str], ...]


def _asked_first(names: Iterable[str], rules: RuleSet) -> str | None:
    """Which of these switches is answered next; None when none of them is open."""
    return min(filter(rules.is_open, names), default=None)


class _Tiles:
    """A turn with tiles, examined under one answer after the other."""

    def __init__(self, turn: Turn, rules: RuleSet) -> None:
        self._turn = turn
        self._play = play_of(turn)
        self._questions = SetQuestions.by(rules)

    def worlds(self, rules: RuleSet, opened: bool, answers: _Answers) -> list[World]:
        """The worlds with these answers."""
        found = examine(self._turn, rules, opened, self._play, self._questions)
        return self._worlds(World(answers, opened, rules, found))

    def _worlds(self, node: World) -> list[World]:
        name = _asked_first(node.examination.depends_on, node.rules)
        if name is None:
            return [node]
        found = []
        for value, rules in node.rules.answers_to(name).items():
            under = node.examination
            if not self._is_same(node.rules, name, value):
                under = examine_anew(under, name, rules, self._turn, node.opened, self._play)
            answers = *node.answers, (name, value)
            found += self._worlds(World(answers, node.opened, rules, under))
        return found

    def _is_same(self, rules: RuleSet, name: str, value: str) -> bool:
        """Whether a turn comes to the same once this is chosen. Whether somebody has chosen a value that
        holds anyway changes nothing, but where a play is looked for that the player should have made:
        that has to be legal whatever is open."""
        if name == MUST_PLAY and _forces_nobody(value, self._turn):
            return True
        plays_are_sought = self._play is not None and not self._play.changed
        return not plays_are_sought and value == rules.switches[name].print(rules.value_of(name))


class _Cards:
    """A turn with cards: what is asked about its sets is the same for all rules, and where the answers
    are, so is all that rests on them."""

    def __init__(self, turn: Turn, rules: RuleSet) -> None:
        self._turn = turn
        self._play = play_of(turn)
        self._questions = SetQuestions.by(rules)
        of_sets = questions_of_sets(turn.after, self._questions)
        is_set = book_of(rules).is_set_packed
        self._of_sets = tuple(of_sets.values())
        self._no_sets = [
            number
            for number, row in enumerate(turn.after.rows)
            if number in of_sets or not is_set(row)
        ]
        """The numbers of the rows that are no sets by some answer, or by all."""
        self._by_contract: Final = {turn.contract: turn}
        """The turn with each contract that its round may have."""
        self._others = tuple(name for name in rules.switches if name not in SET_SWITCHES)
        self._known: dict[Hashable, ByAnswers[Examination]] = {}
        """What was found beside sets, by how the other switches stand."""

    def worlds(self, rules: RuleSet, opened: bool, answers: _Answers) -> list[World]:
        """The worlds with these answers."""
        beside, rests_on = self._beside_sets(rules, opened)
        rests_on = rests_on.union(*[asked.under(rules).rests_on for asked in self._of_sets])
        name = _asked_first(rests_on, rules)
        if name is not None:
            return [
                world
                for value, answered in rules.answers_to(name).items()
                for world in self.worlds(answered, opened, (*answers, (name, value)))
            ]
        sets = Examination(rules, self._questions)
        tell_no_sets(self._turn, sets, self._no_sets)
        return [World(answers, opened, rules, sets.with_others(beside, rests_on))]

    def _beside_sets(self, rules: RuleSet, opened: bool) -> tuple[Examination, set[str]]:
        """All that was found but for what is no set, and the switches on which it rests."""
        key = opened, rules.standing_of(self._others)
        known = self._known.setdefault(key, ByAnswers())
        found, rests_on = known.under(rules)
        if found is not None:
            return found, rests_on.union(found.depends_on.difference(SET_SWITCHES))
        nothing = Examination(rules, self._questions)
        contract = note_contract(self._turn, nothing)
        turn = self._by_contract.get(contract)
        if turn is None:
            turn = self._by_contract[contract] = replace(self._turn, contract=contract)
        found = examine_beside_sets(turn, opened, self._play, nothing)
        known.keep(found.asked, found)
        return found, found.depends_on


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
    """The question about a switch or `OPENED`, with what is at stake in these worlds, if any."""
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
    if not worlds:
        return ""
    common = {item.message for item in common_findings([w.examination.findings for w in worlds])}
    told = (item.message for world in worlds for item in world.examination.findings)
    disputed = next((message for message in told if message not in common), "")
    if not disputed:
        return ""
    return f"Whether this is a fault depends on a house rule; by one answer it is: {disputed} "


def common_findings(worlds: Sequence[Sequence[Finding]]) -> tuple[Finding, ...]:
    """The findings that hold in every world, told as in the first."""
    if len(worlds) == 1 or not worlds[0]:
        return tuple(worlds[0])

    def key(item: Finding) -> object:
        return item.code, item.meld, packed(item.tiles)

    shared = set(map(key, worlds[0])).intersection(*(map(key, world) for world in worlds[1:]))
    return tuple(item for item in worlds[0] if key(item) in shared)
