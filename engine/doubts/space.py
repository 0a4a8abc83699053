"""All readings of one arrangement: counted without being listed, and listed where somebody needs them.

What a tile is matters to its spot, to how many of it there are and to what may be strange at once. So
readings of different spots are put together by these alone, and twenty doubtful tiles in as many rows
take twenty small steps, not a million readings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from operator import add, and_, gt, lt
from typing import Final

from engine.possible import REAL_DOUBT, Count, Facts, Filling, Spot, strange_together
from engine.questions import Tally, add_to
from engine.tiles import Tile
from engine.worlds import Outcome

MOST_PAIRS: Final = 20_000
"""Pairs of states that are put together at once; with more the space is given up as too large."""
MOST_STEPS: Final = 40_000
"""Steps taken to list readings; a search that has not ended by then is given up."""

_BITS: Final = 8
_HIGHEST: Final = 1 << _BITS - 1
"""The highest bit of a count, more than there are tiles of anything."""
_State = tuple[int, Outcome]
"""Counts that may run out, and whether all sets are sets."""
_States = Mapping[float, Mapping[_State, tuple[int, float]]]
"""By the chance of what is strange in them: how many readings come to a state, and their weight."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A filling of a spot with what it counts."""

    filling: Filling
    counts: Counter[Count]

    @property
    def is_usual(self) -> bool:
        """Whether every tile is what it was taken for, or was taken for nothing."""
        return self.filling.strange == 1.0


_Parts = list[_Part]


@dataclass(slots=True)
class Space:
    """All readings of one arrangement."""

    facts: Facts
    spots: list[_Parts]
    """For each spot the fillings that are possible beside sure tiles; one without any has no reading."""
    by_sets: bool
    """Whether readings are told apart by their sets; otherwise by what may run out alone."""
    too_large: bool = False
    """True when there are too many states, and nothing is said of the whole."""
    counted: tuple[Count, ...] = ()
    """The counts that may run out."""
    _limits: tuple[int, int] = (0, 0)
    """What is added to counts, and the bits that then tell of one too many."""
    _before: Sequence[_States] = ()
    """What the spots in front of each come to, and last all of them."""
    _behind: Sequence[_States] = ()
    """What each spot and those behind it come to, and last none of them."""

    @classmethod
    def of(
        cls,
        spots: Iterable[Spot],
        facts: Facts,
        moments: Sequence[tuple[str, str]],
        *,
        by_sets: bool,
    ) -> Space:
        """The readings of these spots together."""
        parts = [
            [
                _Part(item, Counter() if spot.too_many else item.counts(moments))
                for item in spot.fillings
            ]
            for spot in spots
        ]
        space = cls(facts, _possible(parts, facts), by_sets)
        space.counted = _may_run_out(space.spots, facts)
        space._put_together()
        return space

    def _put_together(self) -> None:
        # Each count is raised so far that one too many of it reaches its highest bit.
        most = (min(self.facts.most(count), _HIGHEST - 1) for count in self.counted)
        raised = sum(int(_HIGHEST - 1 - m) << _BITS * i for i, m in enumerate(most))
        self._limits = raised, sum(_HIGHEST << _BITS * i for i in range(len(self.counted)))
        states = [self._states(spot) for spot in self.spots]
        variants = next((len(part.filling.outcome) for spot in self.spots for part in spot), 1)
        always = (True,) * variants if self.by_sets else ()
        there = self._packed(self.facts.there)
        self._before = self._running(states, there, always)
        self._behind = self._running(states[::-1], 0, always)[::-1]

    def _running(self, states: Sequence[_States], counts: int, outcome: Outcome) -> list[_States]:
        """What more and more spots come to, from none of them to all."""
        found: list[_States] = [{1.0: {(counts, outcome): (1, 1.0)}}]
        for item in states:
            found.append(self._joined(found[-1], item))
        return found

    def _packed(self, counts: Mapping[Count, int]) -> int:
        """What may run out, in one number, so that a sum of all counts is one sum."""
        return sum(counts.get(c, 0) << _BITS * i for i, c in enumerate(self.counted))

    def _states(self, parts: Iterable[_Part]) -> _States:
        """What the fillings of one spot come to."""
        found: dict[float, dict[_State, tuple[int, float]]] = {}
        for part in parts:
            state = (self._packed(part.counts), part.filling.outcome if self.by_sets else ())
            add_to(found.setdefault(part.filling.strange, {}), state, 1, part.filling.weight)
        return found

    def _joined(self, left: _States, right: _States) -> _States:
        """What readings of different spots come to together, without the impossible ones."""
        found: dict[float, dict[_State, tuple[int, float]]] = {}
        pairs = 0
        for strange, some in left.items():
            for stranger, others in right.items():
                if both := _both_strange(strange, stranger):
                    pairs += len(some) * len(others)
                    self.too_large |= pairs > MOST_PAIRS
                    if not self.too_large:
                        self._join_into(found.setdefault(both, {}), some, others)
        return found

    def _join_into(
        self,
        found: dict[_State, tuple[int, float]],
        left: Mapping[_State, tuple[int, float]],
        right: Mapping[_State, tuple[int, float]],
    ) -> None:
        raised, too_many = self._limits
        for (counts, outcome), (number, weight) in left.items():
            for (more, other), (times, share) in right.items():
                total = counts + more
                if not total + raised & too_many:
                    add_to(found, (total, _both(outcome, other)), number * times, weight * share)

    def whole(self) -> Tally:
        """All readings, by their outcome."""
        return self._tally(self._before[-1])

    def by_answer(self, index: int) -> dict[Tile | None, Tally]:
        """The readings by what a tile is in them; none where it is not of this space."""
        for at, spot in enumerate(self.spots):
            parts: dict[Tile | None, _Parts] = {}
            for part in spot:
                for number, tile in part.filling.tiles:
                    if number == index:
                        parts.setdefault(tile, []).append(part)
            if parts:
                others = self._joined(self._before[at], self._behind[at + 1])
                return {
                    tile: self._tally(self._joined(others, self._states(chosen)))
                    for tile, chosen in parts.items()
                }
        return {}

    def _tally(self, states: _States) -> Tally:
        found: dict[Outcome, tuple[int, float]] = {}
        least = [
            (_BITS * i, number)
            for i, count in enumerate(self.counted)
            if (number := self.facts.least(count))
        ]
        for (counts, outcome), (number, weight) in chain(*(s.items() for s in states.values())):
            if all(counts >> place & _HIGHEST - 1 >= needed for place, needed in least):
                add_to(found, outcome, number, weight)
        return found

    def readings(self, wanted: Counter[Count] | None = None) -> Iterator[list[Filling]]:
        """Every reading as a filling of each spot. With `wanted` only those that have so many of each
        and whose sets are all sets under some of the rules.

        It ends early after MOST_STEPS, and `too_large` is then true.
        """
        return _Search(self, wanted).run()


@dataclass(slots=True)
class _Search:
    """One walk through a space, spot by spot, that turns back where nothing possible is left."""

    space: Space
    wanted: Counter[Count] | None
    steps: int = 0
    counts: tuple[Count, ...] = ()
    least: list[float] = field(default_factory=list)
    most: list[float] = field(default_factory=list)
    at_least: list[list[int]] = field(default_factory=list)
    """For each spot what it and those behind it add to each count at the least..."""
    at_most: list[list[int]] = field(default_factory=list)
    """...and at the most."""

    def __post_init__(self) -> None:
        facts, wanted = self.space.facts, self.wanted or Counter()
        sure = _least_of(map(_ranges, self.space.spots))
        lacking = [count for count, number in wanted.items() if sure[count] < number]
        self.counts = (*self.space.counted, *lacking)
        self.least = [max(facts.least(count), wanted[count]) for count in self.counts]
        self.most = [facts.most(count) for count in self.counts]
        each = [
            [[part.counts[count] for part in spot] or [0] for count in self.counts]
            for spot in self.space.spots
        ]
        zero = [0] * len(self.counts)
        for bound, found in ((min, self.at_least), (max, self.at_most)):
            sums = [[bound(numbers) for numbers in spot] for spot in each[::-1]]
            totals = accumulate(sums, lambda one, other: list(map(add, one, other)), initial=zero)
            found.extend(list(totals)[::-1])

    def run(self) -> Iterator[list[Filling]]:
        there = [self.space.facts.there[count] for count in self.counts]
        yield from self._from(0, there, 1.0, None, [])

    def _from(
        self,
        at: int,
        have: list[int],
        strange: float,
        outcome: Outcome | None,
        chosen: list[Filling],
    ) -> Iterator[list[Filling]]:
        self.steps += 1
        if self.steps > MOST_STEPS:
            self.space.too_large = True
            return
        if any(map(gt, map(add, have, self.at_least[at]), self.most)):
            return
        if any(map(lt, map(add, have, self.at_most[at]), self.least)):
            return
        if at == len(self.space.spots):
            yield list(chosen)
            return
        for part in self.space.spots[at]:
            filling = part.filling
            both = _both_strange(strange, filling.strange)
            sets = filling.outcome if outcome is None else _both(outcome, filling.outcome)
            if not both or (self.wanted is not None and not any(sets)):
                continue
            more = [
                number + part.counts[count] for number, count in zip(have, self.counts, strict=True)
            ]
            yield from self._from(at + 1, more, both, sets, [*chosen, filling])


def _both(outcome: Outcome, other: Outcome) -> Outcome:
    """Whether two spots hold together."""
    return outcome if outcome == other else tuple(map(and_, outcome, other))


def _both_strange(one: float, other: float) -> float:
    """The chance that what is strange in two spots is so at once; 0 where that is no real doubt."""
    if one == 1.0 or other == 1.0:
        return min(one, other)
    both = strange_together(one, other)
    return both if both > REAL_DOUBT else 0.0


def _possible(spots: Sequence[_Parts], facts: Facts) -> list[_Parts]:
    """The fillings without those that have too many of a tile beside what is there in any case."""
    ranges = [_ranges(spot) for spot in spots]
    sure = facts.there + _least_of(ranges)

    def fits(part: _Part, spot_ranges: dict[Count, _Range]) -> bool:
        return all(
            sure[count] - spot_ranges[count].least + number <= facts.most(count)
            for count, number in part.counts.items()
        )

    return [
        [part for part in spot if fits(part, spot_ranges)]
        for spot, spot_ranges in zip(spots, ranges, strict=True)
    ]


def _may_run_out(spots: list[_Parts], facts: Facts) -> tuple[Count, ...]:
    """The counts that fillings, each possible by itself, could overdraw together."""
    chances = sorted((_strangest(spot) for spot in spots), reverse=True)
    at_once = sum(chance > REAL_DOUBT for chance in accumulate(chances, strange_together))
    by_count: dict[Count, list[_Range]] = {}
    for spot in spots:
        for count, found in _ranges(spot).items():
            by_count.setdefault(count, []).append(found)
    tight = []
    for count, ranges in by_count.items():
        there = facts.there[count]
        extra = sorted((item.most - item.usual for item in ranges), reverse=True)
        most = there + sum(item.usual for item in ranges) + sum(extra[:at_once])
        least = there + sum(item.least for item in ranges)
        if most > facts.most(count) or least < facts.least(count):
            tight.append(count)
    return tuple(sorted(tight, key=str))


@dataclass(slots=True)
class _Range:
    """How many of something the fillings of a spot have."""

    least: int
    most: int
    usual: int
    """The most of a filling without anything strange."""


def _ranges(spot: _Parts) -> dict[Count, _Range]:
    found: dict[Count, _Range] = {}
    everywhere: Counter[Count] = Counter()
    for part in spot:
        for count, number in part.counts.items():
            usual = number if part.is_usual else 0
            item = found.setdefault(count, _Range(number, number, usual))
            item.least, item.most = min(item.least, number), max(item.most, number)
            item.usual = max(item.usual, usual)
            everywhere[count] += 1
    for count, item in found.items():
        if everywhere[count] < len(spot):
            item.least = 0
    return found


def _least_of(ranges: Iterable[dict[Count, _Range]]) -> Counter[Count]:
    """What all spots have in any case."""
    found: Counter[Count] = Counter()
    for spot in ranges:
        found.update({count: item.least for count, item in spot.items()})
    return found


def _strangest(spot: _Parts) -> float:
    """The greatest chance that something in a spot is something else than listed."""
    return max((part.filling.strange for part in spot if not part.is_usual), default=0.0)
