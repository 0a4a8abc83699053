"""The table that holds given tiles and touches the fewest sets of the table before.

With free jokers `engine.solving.changes` finds it. Where jokers move by the rules, the same is done for
each choice of the sets in which the jokers of the table lie: which choices are legal depends on
nothing else, as all tiles that are played are known. What the free jokers have to touch, all of them
have to, and so most need not be tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_

from engine.layout import Layout
from engine.melds import Meld
from engine.sets import is_set
from engine.solving.acceptance import jokers_may_move, may_lie_so
from engine.solving.changes import Conflicts, Sets, smallest_hitting
from engine.solving.fates import Fate, Situation
from engine.solving.joker_sets import JokerSets, moving
from engine.solving.laying import Rows
from engine.solving.positions import NOTHING_BARRED, Barred, best_rows
from engine.tiles import JOKER, Tile


def least_change(situation: Situation, *, free_jokers: bool) -> Layout | None:
    """The table with all tiles of the rack; None when there is none.

    The sets that are not touched stay as and where they were, and the others lie behind them.
    """
    melds = situation.table.melds
    numbers = range(len(melds))
    broken = frozenset(n for n in numbers if not is_set(melds[n].tiles, situation.rules))
    conflicts = Conflicts()
    free = conflicts.fewest_touched(numbers, broken, cache(_Laying(situation, (), NOTHING_BARRED)))
    if free is None or free_jokers or _is_legal(situation, free):
        return free
    best: Layout | None = None
    least, fewest = len(melds) + 1, len(broken | smallest_hitting(conflicts.known))
    choices = [_Choice.of(situation, *found) for found in _choices(situation)]
    for choice in sorted(choices, key=lambda choice: choice.at_least(conflicts, broken)):
        if choice.at_least(conflicts, broken) >= least or least == fewest:
            break
        after = choice.fewest_touched(situation, conflicts, broken, least - 1)
        if after is not None:
            best, least = after, touched(situation.table, after)
    return best


def touched(before: Layout, after: Layout) -> int:
    """How many sets of a table are no more there after a play; the order of tiles does not count."""
    were = Counter(tuple(sorted(meld.tiles)) for meld in before.melds)
    return (were - Counter(tuple(sorted(meld.tiles)) for meld in after.melds)).total()


def _is_legal(situation: Situation, after: Layout) -> bool:
    return jokers_may_move(situation.table, after, situation.rules, opened=situation.opened)


@dataclass(frozen=True, slots=True, eq=False)
class _Laying:
    """The ways to lay all tiles while sets stay, around sets that are laid beforehand."""

    situation: Situation
    laid: tuple[tuple[Tile, ...], ...]
    barred: Barred

    def __call__(self, loose: Sets) -> Layout | None:
        """The table with these sets touched; None when the tiles cannot be laid so."""
        melds = self.situation.table.melds
        tiles = Counter(tile for number in loose for tile in melds[number].tiles)
        tiles += self.situation.rack
        used = Counter(tile for row in self.laid for tile in row)
        if not used <= tiles:
            return None
        tiles -= used
        barred = NOTHING_BARRED if tiles[JOKER] else self.barred
        rows = best_rows(tiles, Counter(), self.situation.rules, "tiles", barred)
        if rows is None:
            return None
        staying = (meld for number, meld in enumerate(melds) if number not in loose)
        return Layout((*staying, *map(Meld, self.laid), *map(Meld, rows)))


@dataclass(frozen=True, slots=True)
class _Choice:
    """Where the jokers of the table lie afterwards."""

    laid: tuple[tuple[Tile, ...], ...]
    """The sets of those that do not stay where they are."""
    barred: Barred
    stay: Sets
    """The sets whose jokers stay in them, and that stay for it."""
    leave: Sets
    """The sets whose jokers do not, and so are touched."""
    taken: tuple[Sets, ...]
    """For each tile that the laid sets need of the table: the sets that have one."""

    @classmethod
    def of(cls, situation: Situation, fates: Sequence[Fate], laid: Rows) -> _Choice:
        """The choice of these sets, laid for jokers with these fates."""
        stay = frozenset(fate.place.meld for fate in fates if fate.kind == "stays")
        wanted = Counter(tile for row in laid for tile in row) - situation.rack
        taken = (
            frozenset(
                number
                for number, meld in enumerate(situation.table.melds)
                if number not in stay and tile in meld.tiles
            )
            for tile in wanted
            if not tile.is_joker
        )
        return cls(
            tuple(laid),
            reduce(or_, (fate.barred for fate in fates), NOTHING_BARRED),
            stay,
            frozenset(fate.place.meld for fate in moving(tuple(fates))),
            tuple(taken),
        )

    def at_least(self, conflicts: Conflicts, broken: Sets) -> int:
        """How many sets are touched at least; as many as nothing has where that cannot be."""
        must = self.leave | broken
        unmet = [one - self.stay for one in (*conflicts.known, *self.taken) if not one & must]
        if not all(unmet) or self.stay & must:
            return 1 << 16
        return len(must | smallest_hitting(unmet))

    def fewest_touched(
        self, situation: Situation, conflicts: Conflicts, broken: Sets, most: int
    ) -> Layout | None:
        """The table that touches the fewest sets with this choice, at most so many."""
        melds = situation.table.melds
        stay = [melds[number].tiles for number in sorted(self.stay)]
        settled = self.barred == NOTHING_BARRED
        if settled and not may_lie_so(situation, [*stay, *self.laid], situation.rack):
            return None
        numbers = [n for n in range(len(melds)) if n not in self.stay]
        known = Conflicts(one - self.stay for one in (*conflicts.known, *self.taken))
        lay = _Laying(situation, self.laid, self.barred)

        def lay_legally(loose: Sets) -> Layout | None:
            after = lay(loose)
            return after if after is not None and _is_legal(situation, after) else None

        return known.fewest_touched(numbers, self.leave | broken, cache(lay_legally), most)


def _choices(situation: Situation) -> Iterator[tuple[Sequence[Fate], Rows]]:
    """Every choice of the sets in which the jokers of the table lie, those that stay left out."""
    sets = JokerSets(situation, staying=True)
    for fates in sets.all_fates():
        stay = sets.that_stay(fates)
        for laid in _laid(sets, moving(fates), stay):
            yield fates, laid[len(stay) :]


def _laid(sets: JokerSets, left: Sequence[Fate], laid: Rows) -> Iterator[Rows]:
    if not left:
        yield laid
        return
    first, *others = left
    for row in sets.rows([first], 1, laid):
        yield from _laid(sets, others, [*laid, row])
    if others or sets.situation.rack[JOKER]:
        for row in sets.rows(left[:2], 2, laid):
            yield from _laid(sets, others[1:], [*laid, row])
