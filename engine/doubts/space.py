"""All readings of one arrangement: counted without being listed, and listed where somebody needs them.

What a tile is matters to its spot, to how many of it there are and to what may be strange at once. So
readings of different spots are put together by these alone, and twenty doubtful tiles in as many rows
take twenty small steps, not a million readings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import accumulate, chain
from operator import add, and_, gt, lt
from typing import Final

from engine.doubts.rows import Fillings, Range, Rows, State, States
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


@dataclass(slots=True)
class Space:
    """All readings of one arrangement."""

    facts: Facts
    rows: Rows
    spots: list[Fillings]
    """For each spot the fillings that are possible beside sure tiles; one without any has no reading."""
    by_sets: bool
    """Whether readings are told apart by their sets; otherwise by what may run out alone."""
    counted: tuple[Count, ...] = ()
    """The counts that may run out."""
    gave_up: bool = False
    """True when something of it took too long."""
    _limits: tuple[int, int] = (0, 0)
    """What is added to counts, and the bits that then tell of one too many."""
    _open: Sequence[Fillings] = ()
    """The spots of which there is more than one filling, or none."""
    _sure: Outcome = ()
    """Whether the sets of all other spots are sets, each of which has one filling."""
    _before: Sequence[States] = ()
    """What the open spots in front of each come to, and last all of them; empty until somebody asks.
    The sure ones are counted first."""
    _behind: Sequence[States] = ()
    """What each open spot and those behind it come to, and last none of them; empty until then, too."""

    @classmethod
    def of(cls, spots: Iterable[Spot], facts: Facts, rows: Rows, *, by_sets: bool) -> Space:
        """The readings of these spots together."""
        space = cls(facts, rows, _possible([spot.fillings for spot in spots], facts, rows), by_sets)
        space.counted = _may_run_out(space.spots, facts, rows)
        # Each count is raised so far that one too many of it reaches its highest bit.
        most = (min(facts.most(count), _HIGHEST - 1) for count in space.counted)
        raised = sum(int(_HIGHEST - 1 - m) << _BITS * i for i, m in enumerate(most))
        space._limits = raised, sum(_HIGHEST << _BITS * i for i in range(len(space.counted)))
        space._open = [spot for spot in space.spots if not _is_sure(spot)]
        if by_sets:
            outcomes = [spot[0].outcome for spot in space.spots if _is_sure(spot)]
            variants = next((len(item.outcome) for spot in space.spots for item in spot), 1)
            space._sure = reduce(_both, outcomes, (True,) * variants)
        return space

    @property
    def too_large(self) -> bool:
        """Whether there are too many states, and nothing is said of the whole."""
        if not self._before and not self.gave_up:
            there = Counter(self.facts.there)
            for spot in self.spots:
                if _is_sure(spot):
                    there.update(spot[0].counts)
            self._before = self._running(self._open, self._packed(there))
        return self.gave_up

    def _running(self, spots: Sequence[Fillings], counts: int) -> list[States]:
        """What more and more spots come to, from none of them to all; as far as it can be said."""
        raised, too_many = self._limits
        found = [self.rows.start((counts, (True,) * len(self._sure)))]
        if counts + raised & too_many:
            found = [self.rows.nothing]
        for spot in spots:
            states = self.rows.states(spot, self._by, partial(self._states, spot))
            find = partial(self._joined, found[-1], states)
            joined = self.rows.joined(found[-1], states, self._limits, find)
            if joined is None:
                self.gave_up = True
                break
            found.append(joined)
        return found

    @property
    def _by(self) -> tuple[tuple[Count, ...], bool]:
        """On what the states of a spot depend beside its fillings."""
        return self.counted, self.by_sets

    def _packed(self, counts: Mapping[Count, int]) -> int:
        """What may run out, in one number, so that a sum of all counts is one sum."""
        return sum(counts.get(c, 0) << _BITS * i for i, c in enumerate(self.counted))

    def _states(self, fillings: Iterable[Filling]) -> States:
        """What fillings of one spot come to."""
        found: States = {}
        places = {count: _BITS * place for place, count in enumerate(self.counted)}
        for item in fillings:
            counts = sum(n << places[c] for c, n in item.counts.items() if c in places)
            state = counts, item.outcome if self.by_sets else ()
            add_to(found.setdefault(item.strange, {}), state, 1, item.weight)
        return found

    def _joined(self, left: States, right: States) -> States | None:
        """What readings of different spots come to together, without the impossible ones; None where
        there are too many."""
        found: States = {}
        pairs = 0
        for strange, some in left.items():
            for stranger, others in right.items():
                if both := _both_strange(strange, stranger):
                    pairs += len(some) * len(others)
                    if pairs > MOST_PAIRS:
                        return None
                    self._join_into(found.setdefault(both, {}), some, others)
        return found

    def _join_into(
        self,
        found: dict[State, tuple[int, float]],
        left: Mapping[State, tuple[int, float]],
        right: Mapping[State, tuple[int, float]],
    ) -> None:
        raised, too_many = self._limits
        for (counts, outcome), (number, weight) in left.items():
            for (more, other), (times, share) in right.items():
                total = counts + more
                if not total + raised & too_many:
                    add_to(found, (total, _both(outcome, other)), number * times, weight * share)

    def whole(self) -> Tally:
        """All readings, by their outcome; none where it is too large."""
        return {} if self.too_large else self._with_sure(self._tally(self._before[-1]))

    def by_answer(self, index: int) -> dict[Tile | None, Tally]:
        """The readings by what a tile is in them; none where it is not of this space, or that is too
        large."""
        if not self.too_large and not self._behind:
            self._behind = self._running(self._open[::-1], 0)[::-1]
        if self.gave_up:
            return {}
        for spot in self.spots:
            if _is_sure(spot):
                for tile in (tile for number, tile in spot[0].tiles if number == index):
                    return {tile: self.whole()}
        for at, spot in enumerate(self._open):
            if spot and any(number == index for number, _ in spot[0].tiles):
                left, right = self._before[at], self._behind[at + 1]
                by = index, id(left), id(right), self._limits, self._by
                parted = partial(self._parted, index, spot, left, right)
                found = self.rows.parted(spot, by, parted, (left, right))
                if found is None:
                    self.gave_up = True
                    return {}
                return {tile: self._with_sure(tally) for tile, tally in found.items()}
        return {}

    def _parted(
        self, index: int, spot: Fillings, left: States, right: States
    ) -> dict[Tile | None, Tally] | None:
        """The readings by what a tile of an open spot is, with what lies in front of it and behind; None
        where there are too many."""
        parts: dict[Tile | None, list[Filling]] = {}
        for filling in spot:
            for number, tile in filling.tiles:
                if number == index:
                    parts.setdefault(tile, []).append(filling)
        others = self._joined(left, right)
        if others is None:
            return None
        found: dict[Tile | None, Tally] = {}
        for tile, chosen in parts.items():
            states = self._joined(others, self._states(chosen))
            if states is None:
                return None
            found[tile] = self._tally(states)
        return found

    def _with_sure(self, tally: Tally) -> Tally:
        """What the open spots come to, together with the sure ones."""
        if all(self._sure):
            return tally
        found: dict[Outcome, tuple[int, float]] = {}
        for outcome, (number, weight) in tally.items():
            add_to(found, _both(self._sure, outcome), number, weight)
        return found

    def _tally(self, states: States) -> Tally:
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

        It ends early after MOST_STEPS, and `gave_up` is then true.
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
        ranges = [self.space.rows.ranges(spot) for spot in self.space.spots]
        sure = _least_of(ranges)
        lacking = [count for count, number in wanted.items() if sure[count] < number]
        self.counts = (*self.space.counted, *lacking)
        self.least = [max(facts.least(count), wanted[count]) for count in self.counts]
        self.most = [facts.most(count) for count in self.counts]
        none = Range(0, 0, 0)
        each = [[spot.get(count, none) for count in self.counts] for spot in ranges[::-1]]
        zero = [0] * len(self.counts)
        for bound, found in (("least", self.at_least), ("most", self.at_most)):
            sums = [[getattr(item, bound) for item in spot] for spot in each]
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
            self.space.gave_up = True
            return
        if any(map(gt, map(add, have, self.at_least[at]), self.most)):
            return
        if any(map(lt, map(add, have, self.at_most[at]), self.least)):
            return
        if at == len(self.space.spots):
            yield list(chosen)
            return
        for filling in self.space.spots[at]:
            both = _both_strange(strange, filling.strange)
            sets = filling.outcome if outcome is None else _both(outcome, filling.outcome)
            if not both or (self.wanted is not None and not any(sets)):
                continue
            counts = filling.counts
            more = [n + counts[count] for n, count in zip(have, self.counts, strict=True)]
            yield from self._from(at + 1, more, both, sets, [*chosen, filling])


def _is_sure(spot: Fillings) -> bool:
    """Whether a spot can be filled in one way alone, which weighs nothing."""
    return len(spot) == 1 and spot[0].is_usual and spot[0].weight == 1.0


def _both(outcome: Outcome, other: Outcome) -> Outcome:
    """Whether two spots hold together."""
    return outcome if outcome == other else tuple(map(and_, outcome, other))


def _both_strange(one: float, other: float) -> float:
    """The chance that what is strange in two spots is so at once; 0 where that is no real doubt."""
    if one == 1.0 or other == 1.0:
        return min(one, other)
    both = strange_together(one, other)
    return both if both > REAL_DOUBT else 0.0


def _possible(spots: Sequence[Fillings], facts: Facts, rows: Rows) -> list[Fillings]:
    """The fillings without those that have too many of a tile beside what is there in any case."""
    ranges = [rows.ranges(spot) for spot in spots]
    sure = facts.there + _least_of(ranges)
    found = []
    for spot, spot_ranges in zip(spots, ranges, strict=True):
        left = ((c, facts.most(c) - sure[c] + item.least) for c, item in spot_ranges.items())
        most = tuple((count, number) for count, number in left if spot_ranges[count].most > number)
        found.append(rows.fitting(spot, most))
    return found


def _may_run_out(spots: Sequence[Fillings], facts: Facts, rows: Rows) -> tuple[Count, ...]:
    """The counts that fillings, each possible by itself, could overdraw together."""
    chances = sorted((_strangest(spot) for spot in spots), reverse=True)
    at_once = sum(chance > REAL_DOUBT for chance in accumulate(chances, strange_together))
    by_count: dict[Count, list[Range]] = {}
    for spot in spots:
        for count, found in rows.ranges(spot).items():
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


def _least_of(ranges: Iterable[Mapping[Count, Range]]) -> Counter[Count]:
    """What all spots have in any case."""
    found: Counter[Count] = Counter()
    for spot in ranges:
        found.update({count: item.least for count, item in spot.items()})
    return found


def _strangest(spot: Fillings) -> float:
    """The greatest chance that something in a spot is something else than listed."""
    return max((item.strange for item in spot if not item.is_usual), default=0.0)
