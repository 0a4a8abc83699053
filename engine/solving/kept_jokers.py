"""The best play when every joker of the table only moves as the rules allow, proven best.

For each joker of the table the search takes every fate it may have (`engine.solving.fates`). With a
fate for each, the rest is a position as with free jokers, where a joker that is kept counts as one
more copy of its tile: no legal play with these fates can be worth more. Best first, these are laid
out, and the referee's examination of jokers says whether that is legal. Only where it is not, the sets
in which the jokers lie are gone through one by one (`engine.solving.rows`), and the rest is
solved around them. What the referee says then depends on nothing but those sets and on whether a few
tiles of the rack are played, so trying these too leaves nothing out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import product
from operator import or_
from types import MappingProxyType
from typing import Final

from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.sets import is_set
from engine.solving.acceptance import jokers_may_move, may_lie_so
from engine.solving.fates import Fate, Situation, is_settled, may_lie, may_take_from_table
from engine.solving.joker_sets import Fates, JokerSets, moving
from engine.solving.laying import Rows
from engine.solving.positions import NOTHING_BARRED, Barred, Objective, best_rows
from engine.tiles import JOKER, TILES, Tile

NONE_SAID: Final[Mapping[Tile, int]] = MappingProxyType({})
"""Where nothing is said of how often tiles are played."""
Worth = tuple[int, int]
"""How good a play is: tiles and then points, or the other way round."""
ANY_WORTH: Final[Worth] = (0, 1)
"""No play of a tile is worth less."""


def best_kept(
    table: Layout,
    rack: Counter[Tile],
    rules: RuleSet,
    objective: Objective,
    *,
    must: Counter[Tile] | None = None,
    opened: bool = True,
    any_play: bool = False,
) -> Layout | None:
    """The table after the best play of at least one tile; None when there is none.

    `must` are tiles of the rack that have to be played. `opened`: whether the player had laid an
    initial meld before; what else an opening turn needs is not looked at. With `any_play` it is the
    first play that is found, good or not, which is much quicker on large racks.
    """
    situation = Situation(table, rack, rules, opened)
    search = _Search(situation, objective, must or Counter(), any_play)
    search.run()
    return search.best


@dataclass(slots=True)
class _Search:
    situation: Situation
    objective: Objective
    must: Counter[Tile]
    any_play: bool = False
    sets: JokerSets = field(init=False)
    best: Layout | None = None
    best_worth: Worth = (0, 0)

    def __post_init__(self) -> None:
        self.sets = JokerSets(self.situation)

    def run(self) -> None:
        """Find the best play."""
        whole = worth_of(self.situation.rack, self.objective)
        bounds: list[tuple[Worth, int, Fates, Rows]] = []
        for fates in self.sets.all_fates():
            free = moving(fates)
            rows = self._solved(fates, free, self.sets.that_stay(fates))
            if rows is not None:
                settled = sum(is_settled(fate, self.situation.rules) for fate in fates)
                bounds.append((self._worth_of(rows, free), settled, fates, rows))
                if bounds[-1][0] == whole and self._lay(fates, rows):
                    return
                if self.any_play and self._lay(fates, rows) and self.best is not None:
                    return
        for worth, _, fates, rows in sorted(bounds, key=lambda bound: bound[:2], reverse=True):
            if worth <= self.best_worth or (self.any_play and self.best is not None):
                return
            if not self._lay(fates, rows) and not self._lay_apart(fates, worth):
                bound = ANY_WORTH if self.any_play else worth
                self._go_through(fates, moving(fates), self.sets.that_stay(fates), bound)

    def _from_rack(self, fates: Fates) -> Counter[Tile]:
        """The tiles that have to come from the rack."""
        # Jokers of one set may be freed together, by the same tiles.
        together = {(fate.place.meld, fate.takers) for fate in fates if len(fate.takers) > 1}
        wanted = Counter(tile for _, takers in together for tile in takers)
        wanted.update(fate.takers[0] for fate in fates if len(fate.takers) == 1)
        if may_take_from_table(self.situation.rules):
            wanted -= self.situation.on_table
        return wanted | self.must

    def _solved(
        self,
        fates: Fates,
        free: Sequence[Fate],
        laid: Rows,
        played: Mapping[Tile, int] = NONE_SAID,
        barred: Barred = NOTHING_BARRED,
    ) -> Rows | None:
        """The sets of a best play around sets that are laid, those first; None when there is none.

        The jokers of `free` lie in none of those. `played` says of some tiles how often exactly they are
        played.
        """
        rack, from_rack = self.situation.rack, self._from_rack(fates)
        if any(from_rack[tile] > count for tile, count in played.items()):
            return None
        if played:
            rack, from_rack = Counter({**rack, **played}), from_rack | Counter(played)
        needed = self.situation.on_table + from_rack
        there = self.situation.on_table + rack
        for fate in free:
            for tiles in (needed, there):
                tiles[JOKER] -= 1
                tiles[fate.taken_as] += 1
        used = Counter(tile for row in laid for tile in row)
        if not used <= there or not from_rack <= rack:
            return None
        there -= used
        needed -= used
        rows = best_rows(needed, there - needed, self.situation.rules, self.objective, barred)
        return None if rows is None else [*laid, *rows]

    def _worth_of(self, rows: Rows, free: Sequence[Fate] = ()) -> Worth:
        """What a play is worth that leads to these sets, in which kept jokers may be tiles."""
        tiles = Counter(tile for row in rows for tile in row)
        for fate in free:
            tiles[fate.taken_as] -= 1
            tiles[JOKER] += 1
        return worth_of(tiles - self.situation.on_table, self.objective)

    def _offer(self, rows: Rows) -> bool:
        """Take these sets for the best table so far where they are; whether they were legal."""
        after = Layout.of(rows)
        if not jokers_may_move(
            self.situation.table, after, self.situation.rules, opened=self.situation.opened
        ):
            return False
        worth = self._worth_of(rows)
        if worth > self.best_worth:
            self.best, self.best_worth = after, worth
        return True

    def _lay(self, fates: Sequence[Fate], rows: Rows) -> bool:
        """Whether sets in which kept jokers are tiles can be laid legally, and if so take them."""
        kept = [fate for fate in fates if fate.taken_as != JOKER]
        moved = [fate for fate in fates if fate.kind == "retrieved"]
        return any(
            self._have_places(moved, laid) and self._offer(laid)
            for with_jokers in _with_kept(rows, kept)
            for laid in (
                _jokers_elsewhere(with_jokers, self.situation.rules) if moved else [with_jokers]
            )
        )

    def _have_places(self, moved: Sequence[Fate], rows: Rows) -> bool:
        """Whether each of these jokers may be one of those that lie in the rows: quicker to tell than
        whether all is legal."""
        places = [(row, at) for row in rows for at, tile in enumerate(row) if tile.is_joker]
        return all(
            any(may_lie(fate, row, at, self.situation) for row, at in places) for fate in moved
        )

    def _lay_apart(self, fates: Fates, bound: Worth) -> bool:
        """Whether as much can be played where nothing barred lies together, though that bars too much
        where there are jokers; if so take it."""
        barred = reduce(or_, (fate.barred for fate in fates), NOTHING_BARRED)
        if barred == NOTHING_BARRED:
            return False
        free = moving(fates)
        rows = self._solved(fates, free, self.sets.that_stay(fates), barred=barred)
        return rows is not None and self._lay(fates, rows) and self._worth_of(rows, free) == bound

    def _go_through(self, fates: Fates, left: Sequence[Fate], laid: Rows, bound: Worth) -> None:
        """Try all sets in which the jokers that are left may lie, until the bound is reached."""
        if not left:
            self._around(fates, laid)
            return
        first, *others = sorted(left, key=lambda fate: fate.barred != NOTHING_BARRED)
        if first.barred != NOTHING_BARRED and not others and not self.situation.rack[JOKER]:
            self._take_for_each_tile(fates, first, laid, bound)
            return
        for row in self.sets.rows([first], 1, laid):
            if self.best_worth >= bound:
                return
            now = [*laid, row]
            if others:
                rows = self._solved(fates, others, now)
                if rows is None or self._worth_of(rows, others) <= self.best_worth:
                    continue
                if self._lay(others, rows):
                    continue
            self._go_through(fates, others, now, bound)
        if others or self.situation.rack[JOKER]:
            for row in self.sets.rows([first, *others[:1]], 2, laid):
                if self.best_worth < bound:
                    self._go_through(fates, others[1:], [*laid, row], bound)

    def _take_for_each_tile(self, fates: Fates, last: Fate, laid: Rows, bound: Worth) -> None:
        """Try all tiles that the last joker may stand for: taken for a tile it is no joker, and without
        jokers what is barred is told apart. Only where the tile itself is barred from another is it gone
        through in which sets it may lie."""
        place = last.place
        near = {*place.naturals, *place.stands_for, *place.colours}
        barred = reduce(or_, (fate.barred for fate in fates), NOTHING_BARRED)
        for tile in TILES[:-1]:
            if self.best_worth >= bound:
                return
            taken = replace(last, taken_as=tile)
            if tile in near:
                for row in self.sets.rows([taken], 1, laid):
                    self._around(fates, [*laid, row])
                continue
            rows = self._solved(fates, [taken], laid, barred=barred)
            if rows is not None and self._worth_of(rows, [taken]) > self.best_worth:
                self._lay([taken], rows)

    def _around(self, fates: Fates, laid: Rows) -> None:
        """Take the best legal play around the sets of all jokers of the table, where it is better."""
        rows = self._solved(fates, (), laid)
        if rows is None or self._worth_of(rows) <= self.best_worth or self._offer(rows):
            return
        barred = reduce(or_, (fate.barred for fate in fates), NOTHING_BARRED)
        if barred == NOTHING_BARRED:
            self._by_what_decides(fates, laid)
            return
        # What is barred is told apart only without jokers, so those of the rack are laid as well.
        rack = self.situation.rack[JOKER]
        spare = (self.situation.on_table[JOKER] + rack) - sum(row.count(JOKER) for row in laid)
        for more in ([], *([row] for row in self.sets.rows([], 1, laid) if spare)):
            jokers = {JOKER: rack - spare + len(more)}
            self._by_what_decides(fates, [*laid, *more], jokers, barred)

    def _by_what_decides(
        self,
        fates: Fates,
        laid: Rows,
        jokers: Mapping[Tile, int] = NONE_SAID,
        barred: Barred = NOTHING_BARRED,
    ) -> None:
        """Take the best legal play for each way to play the tiles on which it rests whether the jokers
        may lie so: those beside them, and those they stood for."""
        places = (fate.place for fate in fates)
        told = {tile for place in places for tile in place.stands_for | place.colours}
        told.update(tile for row in laid for tile in row)
        kinds = sorted(told & set(self.situation.rack) - set(jokers))
        for counts in product(*(range(self.situation.rack[tile] + 1) for tile in kinds)):
            played = {**dict(zip(kinds, counts, strict=True)), **jokers}
            if barred == NOTHING_BARRED and not may_lie_so(self.situation, laid, Counter(played)):
                continue
            rows = self._solved(fates, (), laid, played, barred)
            if rows is not None and self._worth_of(rows) > self.best_worth:
                self._offer(rows)


def worth_of(tiles: Counter[Tile], objective: Objective) -> Worth:
    """How good it is to play these tiles."""
    points = sum((tile.rank or 0) * count for tile, count in tiles.items())
    return (tiles.total(), points) if objective == "tiles" else (points, tiles.total())


def _with_kept(rows: Rows, kept: Sequence[Fate]) -> Iterator[Rows]:
    """The rows with each kept joker in the place of its tile, beside another tile of its old set."""
    if not kept:
        yield rows
        return
    fate, *others = kept
    for index, row in enumerate(rows):
        for at, tile in enumerate(row):
            beside = any(other in fate.place.naturals for other in row)
            if tile == fate.taken_as and (beside or fate.kind == "lifted"):
                changed = [*rows]
                changed[index] = (*row[:at], JOKER, *row[at + 1 :])
                yield from _with_kept(changed, others)


def _jokers_elsewhere(rows: Rows, rules: RuleSet) -> Iterator[Rows]:
    """The rows, and then with a joker that its set can spare at the end of another."""
    yield rows
    for index, row in enumerate(rows):
        if JOKER not in row:
            continue
        at = row.index(JOKER)
        rest = (*row[:at], *row[at + 1 :])
        for other, taker in enumerate(rows):
            if other != index and is_set(rest, rules):
                for longer in ((*taker, JOKER), (JOKER, *taker)):
                    if is_set(longer, rules):
                        changed = [*rows]
                        changed[index], changed[other] = rest, longer
                        yield changed
