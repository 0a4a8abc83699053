"""The sets in which the jokers of a table may lie after a play, by what may become of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product

from engine.joker_places import jokers_of, ways_to_read
from engine.solving.fates import Fate, Situation, fates_of, may_be_cut, may_lie
from engine.solving.laying import Row, Rows
from engine.solving.rows import rows_of, without_longer
from engine.tiles import JOKER

Fates = tuple[Fate, ...]
"""What becomes of each joker of the table."""


def moving(fates: Fates) -> Fates:
    """Those of jokers whose sets do not stay as they are."""
    return tuple(fate for fate in fates if fate.kind != "stays")


@dataclass(slots=True)
class JokerSets:
    """What may become of the jokers in one situation, and the sets for that; kept once found."""

    situation: Situation
    staying: bool = False
    """Whether to tell apart, too, that a whole set stays as it is where it need not."""
    _rows: dict[tuple[object, ...], Rows] = field(default_factory=dict)

    def all_fates(self) -> Iterator[Fates]:
        """Every combination of what may become of the jokers, those that are kept first."""
        situation = self.situation
        places = jokers_of(situation.table, None, situation.rules)
        known = set()
        for way in ways_to_read(places, situation.rules):
            choices = [fates_of(place, situation) for place in way]
            if self.staying and situation.rules.joker.freeze != "full":
                choices = [[Fate(fates[0].place, "stays"), *fates] for fates in choices]
            for fates in product(*choices):
                key = frozenset(Counter(fate.key for fate in fates).items())
                stay = {fate.place.meld for fate in fates if fate.kind == "stays"}
                torn = any(fate.kind != "stays" and fate.place.meld in stay for fate in fates)
                if key not in known and not torn:
                    known.add(key)
                    yield fates

    def that_stay(self, fates: Fates) -> Rows:
        """The sets that stay as they are."""
        numbers = {fate.place.meld for fate in fates if fate.kind == "stays"}
        return [self.situation.table.melds[number].tiles for number in sorted(numbers)]

    def rows(self, fates: Sequence[Fate], jokers: int, laid: Rows) -> Rows:
        """The sets of so many jokers that those with these fates may lie in, beside what is laid; a
        joker that has none is of the rack. Those with the fewest tiles of the table come first."""
        key = (jokers, *(fate.key for fate in fates))
        if key not in self._rows:
            self._rows[key] = self._all_rows(fates, jokers)
        there = self.situation.on_table + self.situation.rack
        pool = there - Counter(tile for row in laid for tile in row)
        return [row for row in self._rows[key] if all(tile in pool for tile in row)]

    def _all_rows(self, fates: Sequence[Fate], jokers: int) -> Rows:
        situation = self.situation

        def may_cut(piece: Row, rest: Row) -> bool:
            return all(may_be_cut(fate, piece, rest, situation) for fate in fates)

        kept_as = next((fate.taken_as for fate in fates if fate.taken_as != JOKER), None)
        pool = situation.on_table + situation.rack
        there = rows_of(pool, jokers, situation.rules, kept_as)
        rows = [row for row in there if self._fits(fates, row)]
        rows = without_longer(rows, may_cut, situation.rules.run.least)
        return sorted(rows, key=self._of_table)

    def _of_table(self, row: Row) -> tuple[int, int]:
        from_rack = sum(tile in self.situation.rack for tile in row)
        return len(row) - from_rack, -from_rack

    def _fits(self, fates: Sequence[Fate], row: Row) -> bool:
        """Whether jokers with these fates may be jokers of a row, whichever is which."""
        places = [at for at, tile in enumerate(row) if tile.is_joker]
        return any(
            all(
                may_lie(fate, row, at, self.situation)
                for fate, at in zip(fates, chosen, strict=True)
            )
            for chosen in permutations(places, len(fates))
        )
