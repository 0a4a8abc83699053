"""What all readings of a turn come to: how many there are, which are legal, and what each answer leaves.

Where sets alone are judged, a reading is legal when each of its spots is. Otherwise the readings whose
sets are all sets are examined one by one, and the others, however many, are illegal without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import prod
from typing import Final

from engine.doubts.rows import Rows
from engine.doubts.space import Space
from engine.layout import GridReading, LayoutReading
from engine.open_rules import OF_JOKERS, SET_SWITCHES, deciding
from engine.packing import packed
from engine.possible import (
    TABLE,
    Choice,
    Count,
    Facts,
    Filling,
    Spot,
    choices_of,
    moments_of,
    spots_of,
    touching,
)
from engine.questions import Tally, add_to, sum_of
from engine.ruleset import RuleSet
from engine.set_questions import mattering_to
from engine.sets import is_set
from engine.tiles import Tile
from engine.turn_reading import TurnReading
from engine.turns import Turn
from engine.undecided import undecided
from engine.worlds import Outcome, Unsaid, World, worlds_of

MOST_READINGS: Final = 300
"""Readings of a turn that are examined one by one: it bounds the time a ruling takes."""
Members = tuple[int, ...]
"""A set as the numbers of its tiles."""


@dataclass(frozen=True, slots=True)
class PossibleTurn:
    """One thing the turn may be."""

    arrangement: int
    tiles: tuple[Tile | None, ...]
    """What each tile of the reading is; None where there is none."""
    melds: tuple[tuple[int, Members], ...]
    """Its sets, each with its own number: that of the row it is (part of), and on a board its line's."""
    weight: float
    """How likely it is, against others of the same reading."""
    turn: Turn


@dataclass(frozen=True, slots=True)
class Played:
    """A reading that was examined under every answer."""

    possible: PossibleTurn
    worlds: tuple[World, ...]


class Doubts:
    """A turn as read, and what it may be, spot by spot."""

    def __init__(self, reading: TurnReading, rules: RuleSet, rows: Rows | None = None) -> None:
        """`rows` is what is known of them already. Raises ValueError for a tile that the game does not
        have."""
        self.reading, self.is_whole = _with_all_ways(reading)
        """The turn as read with each way in which its tiles may lie, and whether none had to be left
        out for their number."""
        self.rules = rules
        self.choices: Sequence[Choice] = choices_of(self.reading, rules)
        self.of_sets = Unsaid.of(self._open_switches_of_sets(), rules)
        """The answers that a set may rest on."""
        variants = [
            rules.with_house_rules(dict(zip(self.of_sets.names, values, strict=True)))
            for values in self.of_sets.combinations
        ]
        self.rows = Rows() if rows is None else rows
        row_spot = partial(
            self.rows.spot,
            reading=self.reading,
            choices=self.choices,
            variants=variants,
            names=(self.of_sets.names, self.of_sets.combinations),
        )
        numbers = range(len(self.reading.table.arrangements))
        self.spots: list[list[Spot]] = [
            spots_of(self.reading, number, self.choices, variants, row_spot) for number in numbers
        ]
        """For each arrangement its spots."""
        self.facts = Facts.of(reading, rules)
        self.moments = moments_of(reading)
        self.spaces = [
            Space.of(spots, self.facts, self.rows, by_sets=self.by_sets) for spots in self.spots
        ]
        """For each arrangement its readings."""

    def _open_switches_of_sets(self) -> list[str]:
        """The open switches on which it may rest whether rows are sets, whatever their tiles are."""
        still_open = [name for name in SET_SWITCHES if self.rules.is_open(name)]
        if not set(still_open).intersection(OF_JOKERS) or self._may_hold_two_jokers():
            return still_open
        return [name for name in still_open if name not in OF_JOKERS]

    def _may_hold_two_jokers(self) -> bool:
        """Whether two tiles that lie together may both be jokers."""
        may_be = [
            any(tile is not None and tile.is_joker for tile in (*choice.listed, *choice.others))
            for choice in self.choices
        ]
        if isinstance(self.reading.table, GridReading):
            return sum(may_be) > 1
        rows = (row for rows in self.reading.table.arrangements for row in rows)
        return any(sum(may_be[index] for index in row) > 1 for row in rows)

    def defaults(self) -> list[str]:
        """What holds by its default though it is not asked (`RuleSet.assumed`), of that on which some
        filling rests where sets alone are judged; in sentences."""
        names = [name for name in SET_SWITCHES if name in self.rules.assumed]
        if not names or not self.by_sets:
            return []
        rested = set[str]()
        for spots in self.spots:
            for filling in chain.from_iterable(spot.fillings for spot in spots):
                told = dict(filling.tiles)
                for meld in filling.melds:
                    row = tuple(tile for i in meld if (tile := told[i]) is not None)
                    mattering = mattering_to(packed(row))
                    at_stake = tuple(name for name in mattering if name in names)
                    rested |= deciding(at_stake, self.rules, partial(is_set, row))
        return [default.words for default in undecided(rested, self.rules)]

    @property
    def by_sets(self) -> bool:
        """Whether sets alone are judged, each by itself."""
        known, board_unseen = self.reading.known, self.rules.table.form == "grid"
        claimed = known.claims or self.reading.claims
        in_rows = isinstance(self.reading.table, LayoutReading)
        return in_rows and not claimed and (known.before is None or board_unseen)

    def too_many(self) -> bool:
        """Whether there are too many readings to say what all of them come to, as known so far."""
        too_open = any(spot.too_many for spots in self.spots for spot in spots)
        return too_open or any(space.too_large for space in self.spaces)

    def wanted(self) -> Counter[Count]:
        """The tiles without which no turn is legal: those of the table before (G-01), but for jokers
        where these may be swapped into the hand (SR-21)."""
        known = self.reading.known
        if self.by_sets or known.before is None:
            return Counter()
        may_go = self.rules.contracts is not None
        tiles = (tile for tile in known.tiles_before if not (may_go and tile.is_joker))
        return Counter((TABLE, tile) for tile in tiles)

    def readings(self, *, legal: bool = False) -> Iterator[PossibleTurn]:
        """Every turn it may be, those of the likeliest arrangement first; with `legal` those alone that
        may be legal as far as sets and the tiles of the table before show."""
        wanted = self.wanted() if legal else None
        for number, space in enumerate(self.spaces):
            for fillings in space.readings(wanted):
                yield self._possible(number, fillings)

    def sets(self, number: int) -> list[Members]:
        """The sets of an arrangement when every tile is there."""
        table = self.reading.table
        if isinstance(table, LayoutReading):
            return list(table.arrangements[number])
        return _lines(table.arrangements[number], range(len(table.tiles)))

    def sets_everywhere(self) -> set[Members]:
        """The sets that are the same in every arrangement, when every tile is there."""
        return set.intersection(*(set(self.sets(number)) for number in range(len(self.spots))))

    def likeliest(self) -> PossibleTurn:
        """The first filling of every spot of the first arrangement, whether it is possible or not."""
        return self._possible(0, [spot.fillings[0] for spot in self.spots[0]])

    def _possible(self, number: int, fillings: Sequence[Filling]) -> PossibleTurn:
        """The turn when the spots of an arrangement are filled like this."""
        told: dict[int, Tile | None] = {}
        melds: list[tuple[int, Members]] = []
        for spot, filling in zip(self.spots[number], fillings, strict=True):
            told.update(filling.tiles)
            if spot.row is not None:
                melds += [(spot.row, meld) for meld in filling.melds]
        tiles = tuple(told[index] for index in range(len(told)))
        if isinstance(self.reading.table, GridReading):
            melds = list(enumerate(_lines(self.reading.table.arrangements[number], tiles)))
        weight = prod(filling.weight for filling in fillings) * _weight_of(number)
        turn = self.reading.turn(tiles, number, [meld for _, meld in melds])
        return PossibleTurn(number, tiles, tuple(melds), weight, turn)


def _with_all_ways(reading: TurnReading) -> tuple[TurnReading, bool]:
    """A reading that lists every arrangement that it leaves possible, and whether it lists all."""
    if isinstance(reading.table, GridReading):
        return reading, reading.table.is_whole
    table, are_all = reading.table.with_all_ways()
    return replace(reading, table=table), are_all


def _weight_of(arrangement: int) -> float:
    """How likely an arrangement is against the first. They come ranked but without probabilities."""
    return 1 / (arrangement + 1)


def _lines(rows: Sequence[Sequence[int | None]], tiles: Sequence[object]) -> list[Members]:
    """The tiles of each set of `engine.turns.lines_of`, in its order; one that is None is not there."""
    there = [[None if i is None or tiles[i] is None else i for i in row] for row in rows]
    lines = [line for row in (*there, *zip(*there, strict=True)) for line in touching(row)]
    found = [line for line in lines if len(line) > 1]
    in_lines = {index for line in found for index in line}
    return found + [(i,) for row in there for i in row if i is not None and i not in in_lines]


@dataclass(frozen=True, slots=True)
class Survey:
    """What all readings of a turn come to."""

    doubts: Doubts
    unsaid: Unsaid
    """What nobody has said and some reading rests on; outcomes are by its combinations."""
    played: tuple[Played, ...]
    """The readings that were examined; none where sets alone are judged."""
    outcomes: tuple[Outcome, ...]
    """What each of them comes to."""

    @property
    def arrangements(self) -> dict[int, Tally]:
        """The readings by their arrangement, of those that have any."""
        totals = (self._judged(n, space.whole()) for n, space in enumerate(self.doubts.spaces))
        return {number: total for number, total in enumerate(totals) if total}

    @property
    def whole(self) -> Tally:
        """All readings."""
        return sum_of(self.arrangements.values())

    def by_answer(self, index: int) -> dict[Tile | None, Tally]:
        """The readings by what a tile is in them."""
        found: dict[Tile | None, Tally] = {}
        for number, space in enumerate(self.doubts.spaces):
            for tile, total in space.by_answer(index).items():
                judged = self._judged(number, total, (index, tile))
                found[tile] = sum_of((found.get(tile, {}), judged))
        return {tile: total for tile, total in found.items() if total}

    def _judged(
        self, number: int, total: Tally, answer: tuple[int, Tile | None] | None = None
    ) -> dict[Outcome, tuple[int, float]]:
        """Readings of an arrangement, all or those with one answer, by what they come to."""
        share = _weight_of(number)
        if self.doubts.by_sets:
            return {key: (count, weight * share) for key, (count, weight) in total.items()}
        ((left, weight_left),) = total.values() or [(0, 0.0)]
        weight_left *= share
        found: dict[Outcome, tuple[int, float]] = {}
        for item, outcome in zip(self.played, self.outcomes, strict=True):
            tiles = item.possible.tiles
            if item.possible.arrangement == number and (
                answer is None or tiles[answer[0]] == answer[1]
            ):
                add_to(found, outcome, 1, item.possible.weight)
                left, weight_left = left - 1, weight_left - item.possible.weight
        if left:
            illegal = (False,) * len(self.unsaid.combinations)
            add_to(found, illegal, left, max(weight_left, 0.0))
        return found

    def names(self) -> list[str]:
        """What nobody has said, of that on which some reading rests."""
        whole, found = self.whole, []
        for name in self.unsaid.names:
            parts = self.unsaid.by_answer(name).values()
            if any(len({tuple(o[i] for i in part) for part in parts}) > 1 for o in whole):
                found.append(name)
        return found

    def matters(self, index: int, answers: Mapping[Tile | None, Tally]) -> bool:
        """Whether any reading comes to something else when this tile alone is another."""
        if self.doubts.by_sets:
            fillings = [item for spots in self.doubts.spots for s in spots for item in s.fillings]
            return _differ(
                ((item.melds, *_others(index, item.tiles)), item.outcome)
                for item in fillings
                if any(index == at for at, _ in item.tiles)
            )
        examined = [
            ((item.possible.arrangement, *_others(index, enumerate(item.possible.tiles))), outcome)
            for item, outcome in zip(self.played, self.outcomes, strict=True)
        ]
        # What was not examined is illegal, so a legal reading differs from those left out.
        times = Counter(rest for rest, outcome in examined if any(outcome))
        return _differ(examined) or any(number < len(answers) for number in times.values())


def _others(index: int, tiles: Iterable[tuple[int, Tile | None]]) -> Iterator[object]:
    return (tile for at, tile in tiles if at != index)


def _differ(found: Iterable[tuple[object, Outcome]]) -> bool:
    """Whether outcomes differ anywhere where all else is the same."""
    first: dict[object, Outcome] = {}
    return any(first.setdefault(rest, outcome) != outcome for rest, outcome in found)


def survey_of(doubts: Doubts) -> Survey | None:
    """What all readings come to; None when there are too many of them to say."""
    if doubts.too_many():
        return None
    if doubts.by_sets:
        return Survey(doubts, doubts.of_sets, (), ())
    played: list[Played] = []
    for possible in doubts.readings(legal=True):
        if len(played) == MOST_READINGS:
            return None
        played.append(Played(possible, tuple(worlds_of(possible.turn, doubts.rules))))
    if doubts.too_many():
        return None
    names = {name for item in played for world in item.worlds for name, _ in world.answers}
    unsaid = Unsaid.of(names, doubts.rules)
    outcomes = tuple(unsaid.outcome(item.worlds) for item in played)
    return Survey(doubts, unsaid, tuple(played), outcomes)
