"""What rows of tiles come to, found out once: arrangements and second looks have most in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from engine.possible import Choice, Count, Filling, Spot, spot_of_row
from engine.questions import Tally
from engine.ruleset import RuleSet
from engine.tiles import Tile
from engine.turn_reading import TurnReading
from engine.worlds import Outcome

Fillings: TypeAlias = tuple[Filling, ...]
"""The ways to say what the tiles of a spot are, of those that are possible."""
State: TypeAlias = tuple[int, Outcome]
"""Counts that may run out, and whether all sets are sets."""
States: TypeAlias = dict[float, dict[State, tuple[int, float]]]
"""By the chance of what is strange in them: how many readings come to a state, and their weight."""

_Found = TypeVar("_Found")


@dataclass(slots=True)
class Range:
    """How many of something the fillings of a spot have."""

    least: int
    most: int
    usual: int
    """The most of a filling without anything strange."""


class Rows:
    """What is known of the rows of one turn, in however many ways its tiles may lie and be read."""

    def __init__(self) -> None:
        self._spots: dict[Hashable, tuple[object, Spot]] = {}
        self._known: dict[Hashable, tuple[object, object, object]] = {}
        self._starts: dict[State, States] = {}
        self.nothing: States = {}
        """No reading at all."""

    def spot(
        self,
        row: tuple[int, ...],
        reading: TurnReading,
        choices: Sequence[Choice],
        variants: Sequence[RuleSet],
        names: Hashable,
    ) -> Spot:
        """`spot_of_row`. `names` says which rules the variants are."""
        tiles = [reading.tiles[index] for index in row]
        expected = tuple(choices[index].expected for index in row)
        key = row, tuple(map(id, tiles)), expected, names
        _, spot = self._spots.get(key) or (None, spot_of_row(row, choices, variants))
        self._spots[key] = tiles, spot
        return spot

    def ranges(self, fillings: Fillings) -> dict[Count, Range]:
        """How many of each thing these fillings have."""
        return self._once("ranges", fillings, (), lambda: _ranges(fillings))

    def fitting(self, fillings: Fillings, most: tuple[tuple[Count, float], ...]) -> Fillings:
        """Those that have no more than that of each of these."""

        def found() -> Fillings:
            return tuple(
                filling
                for filling in fillings
                if all(filling.counts[count] <= number for count, number in most)
            )

        return self._once("fitting", fillings, most, found) if most else fillings

    def states(self, fillings: Fillings, by: Hashable, find: Callable[[], States]) -> States:
        """What these fillings come to by what is counted, as `find` says."""
        return self._once("states", fillings, by, find)

    def start(self, state: State) -> States:
        """What no spot at all comes to, where that is there beside them."""
        return self._starts.setdefault(state, {1.0: {state: (1, 1.0)}})

    def parted(
        self,
        fillings: Fillings,
        by: Hashable,
        find: Callable[[], dict[Tile | None, Tally] | None],
        beside: object,
    ) -> dict[Tile | None, Tally] | None:
        """What readings come to by what a tile of these fillings is, beside others, as `find` says."""
        return self._once("parted", fillings, by, find, beside)

    def joined(
        self, left: States, right: States, by: Hashable, find: Callable[[], States | None]
    ) -> States | None:
        """What two of them come to together, as `find` says."""
        return self._once("joined", left, (id(right), by), find, right)

    def _once(
        self, what: str, of: object, by: Hashable, find: Callable[[], _Found], beside: object = None
    ) -> _Found:
        key = what, id(of), by
        if key not in self._known:
            # What an id is of is kept, so that it stays that.
            self._known[key] = of, beside, find()
        found: _Found = self._known[key][2]  # type: ignore[assignment]
        return found


def _ranges(fillings: Fillings) -> dict[Count, Range]:
    found: dict[Count, Range] = {}
    everywhere: Counter[Count] = Counter()
    for filling in fillings:
        for count, number in filling.counts.items():
            usual = number if filling.is_usual else 0
            item = found.setdefault(count, Range(number, number, usual))
            item.least, item.most = min(item.least, number), max(item.most, number)
            item.usual = max(item.usual, usual)
            everywhere[count] += 1
    for count, item in found.items():
        if everywhere[count] < len(fillings):
            item.least = 0
    return found
