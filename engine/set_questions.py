"""What is asked about sets while a turn is examined, and on which open house rules the answers rest.

A turn is examined under every answer to what is open (`engine.worlds`), and most of what is asked about
its sets comes out alike under most of them. So each question is answered once for all choices that can
matter to its tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from engine.open_rules import (
    LEAST_IN_GROUP,
    LEAST_IN_RUN,
    MOST_JOKERS,
    NATURALS,
    SET_SWITCHES,
    TWICE,
    WRAP,
    differing,
)
from engine.packing import is_of_one_number, is_of_one_suit, naturals_of, unpacked
from engine.ruleset import RuleSet
from engine.set_readings import reaches_round, row_reaches_round
from engine.tiles import TILE_SUITS, Tile

_LEAST: Final = (LEAST_IN_GROUP, LEAST_IN_RUN)
FEWEST: Final = 3
"""Tiles of the smallest set by any answer."""
_KEPT_ROWS: Final = 1 << 12
"""Rows that are kept with the switches that may matter to them."""
_KEPT_QUESTIONS: Final = 1 << 10
"""Questions that are kept from one turn to the next: some ten for each set on a table."""
_KEPT_RULES: Final = 4
"""Rules that questions are kept by at a time; a table has one."""
_START: Final = 0
"""Where the way to the first question is kept."""
_Found = TypeVar("_Found")
_Told = TypeVar("_Told")


@lru_cache(maxsize=_KEPT_ROWS)
def mattering_to_some(content: bytes) -> tuple[str, ...]:
    """Those switches of sets, asked or not, that may matter to sets of some of these packed tiles, as
    far as a glance tells."""
    tiles = unpacked(content)
    return tuple(name for name in SET_SWITCHES if _may_matter_to_some(name, tiles))


def _may_matter_to_some(name: str, tiles: Sequence[Tile]) -> bool:
    if name == WRAP:
        return reaches_round(tiles)
    if name == TWICE:
        naturals = [tile for tile in tiles if tile.rank is not None]
        return len(set(naturals)) < len(naturals) or len(tiles) > len(TILE_SUITS)
    if name in _LEAST:
        alike = [tile.rank if name == LEAST_IN_GROUP else tile.suit for tile in tiles]
        jokers = sum(tile.rank is None for tile in tiles)
        return jokers + max(Counter(filter(None, alike)).values(), default=0) >= FEWEST
    return sum(tile.rank is None for tile in tiles) > 1


@lru_cache(maxsize=_KEPT_ROWS)
def mattering_to(*rows: bytes) -> tuple[str, ...]:
    """Those of them that may matter to whether all of a packed row is a set, of which kind and how, for
    any of these rows."""
    found = set[str]().union(*map(_mattering_to_row, rows))
    return tuple([name for name in SET_SWITCHES if name in found])


def _mattering_to_row(row: bytes) -> set[str]:
    naturals, found = naturals_of(row), set[str]()
    jokers = len(row) - len(naturals)
    if len(row) < FEWEST or not naturals:
        return found
    if jokers > 1:
        found.add(MOST_JOKERS)
    if jokers > len(naturals):
        found.add(NATURALS)
    if is_of_one_number(row):
        found |= {LEAST_IN_GROUP} if len(row) == FEWEST else set()
        if len(set(naturals)) < len(naturals) or len(row) > len(TILE_SUITS):
            found.add(TWICE)
    if is_of_one_suit(row):
        found |= {LEAST_IN_RUN} if len(row) == FEWEST else set()
        found |= {WRAP} if row_reaches_round(row) else set()
    return found


class SetAnswer(NamedTuple):
    """The answer to a question about sets by some rules."""

    answer: Any
    number: int
    """The same for the same answer to this question."""
    rests_on: frozenset[str]
    """Those switches that are open and would change it, whatever is chosen for the others."""


class SetQuestion:
    """One question about sets, with its answer under all choices that may matter to it."""

    def __init__(
        self, rules: RuleSet, names: tuple[str, ...], question: Callable[[RuleSet], Hashable]
    ) -> None:
        """Of all switches of sets none but these may matter. All rules that it is asked with are these,
        with open switches chosen."""
        self._open: Final = rules.standing_of(names)[1]
        if not self._open:
            self._only: SetAnswer | None = SetAnswer(question(rules), 0, frozenset())
            return
        self._answers: Final = {
            answered.standing_of(self._open)[0]: question(answered)
            for answered in rules.combinations_of(self._open)
        }
        self._numbers: Final = {
            answer: number for number, answer in enumerate(dict.fromkeys(self._answers.values()))
        }
        self._found: Final[dict[Hashable, SetAnswer]] = {}
        first, *others = self._numbers
        self._only = None if others else SetAnswer(first, 0, frozenset())
        """The one answer there is to most questions: what is open matters to few sets."""

    @property
    def is_settled(self) -> bool:
        """Whether there is one answer, whatever is chosen."""
        return self._only is not None

    def under(self, rules: RuleSet) -> SetAnswer:
        """The answer by these rules."""
        if self._only is not None:
            return self._only
        stand = rules.standing_of(self._open)
        return self._found.get(stand) or self._worked_out(*stand)

    def _worked_out(self, values: tuple[object, ...], still_open: tuple[str, ...]) -> SetAnswer:
        names = self._open
        pairs = zip(names, values, strict=True)
        fixed = {name: value for name, value in pairs if name not in still_open}
        answer = self._answers[values]
        rests_on = differing(names, self._answers, fixed) if still_open else frozenset()
        found = SetAnswer(answer, self._numbers[answer], rests_on)
        self._found[values, still_open] = found
        return found


class SetQuestions:
    """What is asked about sets by some rules. All rules it is asked with are these, with open switches
    chosen."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules: Final = rules
        self._asked: Final[dict[Hashable, SetQuestion]] = {}
        self._told: Final[dict[Hashable, Any]] = {}

    @classmethod
    def by(cls, rules: RuleSet) -> SetQuestions:
        """Those that were asked before by these rules, and others to come: most sets on a table are
        asked about in turn after turn."""
        found = _questions_by(_These(rules))
        if len(found._asked) + len(found._told) > _KEPT_QUESTIONS:
            # Whoever still asks goes on with the old ones: what is the same question stays the same.
            _questions_by.cache_clear()
            found = _questions_by(_These(rules))
        return found

    def of(
        self, names: tuple[str, ...], question: Callable[..., Hashable], *about: Hashable
    ) -> SetQuestion:
        """The question `question(*about, rules)`, to which of all switches of sets none but these may
        matter."""
        key = question, about
        asked = self._asked.get(key)
        if asked is None:
            made = SetQuestion(self._rules, names, partial(question, *about))
            asked = self._asked.setdefault(key, made)
        return asked

    def told(self, tell: Callable[..., _Told], *about: Hashable) -> _Told:
        """What `tell(rules, *about)` says, which is the same by all these rules."""
        key = tell, about
        found = self._told.get(key)
        if found is None:
            found = self._told.setdefault(key, tell(self._rules, *about))
        return cast("_Told", found)


class _These:
    """Rules by which something is kept: themselves, and not others that are equal."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules: Final = rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _These) and self.rules is other.rules

    def __hash__(self) -> int:
        return id(self.rules)


@lru_cache(maxsize=_KEPT_RULES)
def _questions_by(these: _These) -> SetQuestions:
    return SetQuestions(these.rules)


@dataclass(frozen=True, slots=True)
class _Fork(Generic[_Found]):
    """A question, and for each of its answers what is asked next, or what was found."""

    question: SetQuestion
    ways: dict[int, _Found | _Fork[_Found]] = field(default_factory=dict)


class ByAnswers(Generic[_Found]):
    """What was found by asking about sets, one question after the other that is not settled: the first
    one is always the same, and what is asked next rests on the answers so far."""

    def __init__(self) -> None:
        self._ways: Final[dict[int, _Found | _Fork[_Found]]] = {}

    def under(self, rules: RuleSet) -> tuple[_Found | None, set[str]]:
        """What was found where the answers were those by these rules, None where they never were; and
        the open switches that would change one of them."""
        step, rests_on = self._ways.get(_START), set[str]()
        while isinstance(step, _Fork):
            found = step.question.under(rules)
            rests_on |= found.rests_on
            step = step.ways.get(found.number)
        return step, rests_on

    def keep(self, answers: Mapping[SetQuestion, int], found: _Found) -> None:
        """Keep what was found by these answers, each by its number, in the order in which they were
        asked for."""
        ways, way = self._ways, _START
        for question, number in answers.items():
            fork = ways.setdefault(way, _Fork(question))
            assert isinstance(fork, _Fork), "after the same answers something is asked"
            assert fork.question is question, "after the same answers the same is asked"
            ways, way = fork.ways, number
        ways[way] = found
