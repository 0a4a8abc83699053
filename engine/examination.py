"""What an examination of a turn is made of: its findings, and what changed on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import filterfalse
from typing import TypeVar, cast

from engine.counts import changes_of_packed
from engine.faults import Fault, Finding
from engine.layout import GridLayout, Layout
from engine.melds import Meld
from engine.open_rules import deciding
from engine.packing import has_joker, is_of_one_number, packed
from engine.ruleset import RuleSet, quotation
from engine.set_questions import SetQuestion, SetQuestions
from engine.tiles import Tile
from engine.turns import Turn

_Answer = TypeVar("_Answer", bound=Hashable)


@dataclass(slots=True)
class Examination:
    """What one turn under settled rules comes to."""

    rules: RuleSet
    questions: SetQuestions
    """What is asked about sets, for all examinations of the turn."""
    findings: list[Finding] = field(default_factory=list)
    depends_on: set[str] = field(default_factory=set)
    """Switches without which the findings might be others."""
    unchecked: list[str] = field(default_factory=list)
    advice: list[Finding] = field(default_factory=list)
    """What is said though it does not make the turn illegal."""
    asked: dict[SetQuestion, int] = field(default_factory=dict)
    """What was asked about sets in this one and is not settled, and which answers that had
    (`SetAnswer.number`)."""
    under: Callable[[str, RuleSet], Examination | None] | None = None
    """The same turn by rules with another value of one switch, without looking again at what does not
    rest on it; None where it has to be examined from the beginning."""

    def with_others(self, others: Examination, depends_on: set[str]) -> Examination:
        """What was found so far and then in another part of the same turn, where all rests on these
        switches."""
        return Examination(
            self.rules,
            self.questions,
            self.findings + others.findings,
            depends_on,
            self.unchecked + others.unchecked,
            self.advice + others.advice,
        )

    def only(self, faults: Fault) -> Examination:
        """What was found of these faults."""
        findings = [item for item in self.findings if item.fault in faults]
        advice = [item for item in self.advice if item.fault in faults]
        lists = findings, self.depends_on, self.unchecked, advice
        return Examination(self.rules, self.questions, *lists)

    def find(
        self,
        fault: Fault,
        message: str,
        tiles: tuple[Tile, ...] = (),
        meld: int | None = None,
        kind: str | None = None,
        repair: str | None = None,
        *,
        advice: bool = False,
    ) -> None:
        """Add a finding with the rule it breaks and that rule's words; to the advice if told so."""
        rule = self.rules.rule_of(fault, kind)
        sentence = message[0].upper() + message[1:] + "."
        found = Finding(fault.code, rule, quotation(rule), meld, tiles, sentence, repair)
        (self.advice if advice else self.findings).append(found)

    def by_sets(
        self, names: tuple[str, ...], question: Callable[..., _Answer], *about: Hashable
    ) -> _Answer:
        """The answer of `question(*about, rules)` by the rules as they stand, to which of all switches
        of sets none but these may matter (`engine.set_questions`); the open ones are noted that would
        change it."""
        asked = self.questions.of(names, question, *about)
        answer, number, rests_on = asked.under(self.rules)
        if not asked.is_settled:
            self.depends_on |= rests_on
            self.asked[asked] = number
        return cast("_Answer", answer)

    def note(self, names: Iterable[str], question: Callable[[RuleSet], Hashable]) -> None:
        """Note those of these switches that are open and would change the answer to a question."""
        still_open = tuple(name for name in names if self.rules.is_open(name))
        self.depends_on |= deciding(still_open, self.rules, question)

    @property
    def legal(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Play:
    """What changed on the table."""

    played: Counter[Tile]
    """Tiles that lie there now and did not before."""
    gone: Counter[Tile]
    """Tiles that lay there and do no more."""
    old_sets: tuple[int, ...]
    """The numbers of the sets of the table before that do not lie there now."""
    new_sets: tuple[int, ...]
    """The numbers of the sets on the table that did not lie there before."""
    laid: bytes
    """What was played, packed; see `engine.packing`."""

    @property
    def changed(self) -> bool:
        """Whether any set is another than before, in whatever order the sets are given."""
        return bool(self.old_sets or self.new_sets)

    @classmethod
    def of(cls, turn: Turn, before: Layout) -> Play:
        """What changed from one layout to the other."""
        # Most sets lie just as they did. Only the others are looked at from both sides of the table.
        was, now = before.rows, turn.after.rows
        old, new = not_shared(was, now)
        if old and new:
            turned = [same_row(was[number]) for number in old]
            others = [same_row(now[number]) for number in new]
            left, right = not_shared(turned, others)
            old, new = [old[place] for place in left], [new[place] for place in right]
        if turn.grid is not None:
            lay, lies = packed(turn.tiles_before), turn.grid.packed
        else:
            # The tiles of sets that stayed are neither played nor gone.
            lay = b"".join([was[number] for number in old])
            lies = b"".join([now[number] for number in new])
        played, gone = changes_of_packed(lay, lies)
        return cls(played, gone, tuple(old), tuple(new), packed(played.elements()))


def not_shared(one: Sequence[bytes], other: Sequence[bytes]) -> tuple[list[int], list[int]]:
    """The places of the keys of two tables that are left when equal ones go in pairs, the first ones
    first."""
    there = set(one).intersection(other)
    shared = there.__contains__
    if sorted(filter(shared, one)) == sorted(filter(shared, other)):
        # What is there on both sides is there as often: on most tables, as no two sets are alike.
        return _not_among(there, one), _not_among(there, other)
    return _beyond(other, one), _beyond(one, other)


def _not_among(keys: set[bytes], others: Sequence[bytes]) -> list[int]:
    left = list(filterfalse(keys.__contains__, others))
    if len(set(left)) == len(left):
        return [others.index(key) for key in left]
    return [place for place, key in enumerate(others) if key not in keys]


def _beyond(others: Sequence[bytes], keys: Sequence[bytes]) -> list[int]:
    """The places of the keys that are left when each of the others took one like it."""
    pairs = Counter(others)
    found = []
    for place, key in enumerate(keys):
        if pairs[key]:
            pairs[key] -= 1
        else:
            found.append(place)
    return found


def same_set(meld: Meld) -> bytes:
    """A key that is equal for the same set seen from another side. The order of a set says nothing but
    where its jokers stand in a run."""
    return same_row(meld.packed)


def same_row(row: bytes) -> bytes:
    """As `same_set`, for a packed row."""
    return as_laid(row) if has_joker(row) else bytes(sorted(row))


def as_laid(row: bytes) -> bytes:
    """A key that is equal for the same packed row seen from either side, with its tiles in their order;
    of one number the order is none."""
    return bytes(sorted(row)) if is_of_one_number(row) else min(row, row[::-1])


def same_table(one: Layout | GridLayout, other: Layout | GridLayout) -> bool:
    """Whether two tables hold the same tiles in the same sets, in whatever order and from whatever side
    they were read; on a board, in the same lines."""
    if isinstance(one, GridLayout) != isinstance(other, GridLayout):
        return False
    if sorted(one.packed) != sorted(other.packed):
        return False
    return Counter(map(same_set, _sets_of(one))) == Counter(map(same_set, _sets_of(other)))


def _sets_of(table: Layout | GridLayout) -> tuple[Meld, ...]:
    return table.lines() if isinstance(table, GridLayout) else table.melds
