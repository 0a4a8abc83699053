"""Whether every joker that lay on the table was moved as the rules allow.

A joker stands for the tile of its place (AMB-12). It may stay, travel with tiles of its set while it
goes on standing for the same tile, or be retrieved: a tile from the rack takes its place (PR-18), and
it starts a new set with two tiles from the rack (PR-20). Jokers look alike, so when two lie on the
table the assignment of old places to new ones is taken that breaks the fewest rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations

from engine.board import jokers_on_board
from engine.faults import Fault
from engine.layout import GridLayout
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.sets import is_set, readings_of
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class JokerFault:
    """One thing a joker's move broke."""

    fault: Fault
    meld: int | None
    """Where the joker lies now, as an index into the layout after the turn."""
    message: str
    kind: str = "run"
    """`group3` where all missing colours of a group are needed together."""


@dataclass(slots=True)
class JokerReport:
    """What came out of the jokers of one turn."""

    faults: list[JokerFault] = field(default_factory=list)
    depends_on: set[str] = field(default_factory=set)
    """Switches on which these faults, or their absence, rest."""

    def badness(self) -> tuple[int, int]:
        """Fewer faults first, then fewer open switches."""
        return len(self.faults), len(self.depends_on)


@dataclass(frozen=True, slots=True)
class _Place:
    """A joker in a set."""

    meld: int
    index: int
    tiles: tuple[Tile, ...]
    lines: tuple[tuple[Tile, ...], ...]
    """The sets it stands in: one, or in a grid a row and a column."""
    ways: tuple[frozenset[Tile], ...]
    """For each reading of the set what the joker may stand for: the tile of its place in a run, the
    missing colours in a group. None when the set is none, so that nobody can say."""

    @property
    def stands_for(self) -> frozenset[Tile]:
        """Everything it may stand for, in any reading."""
        return frozenset[Tile]().union(*self.ways)

    @property
    def naturals(self) -> Counter[Tile]:
        return Counter(tile for line in self.lines for tile in line if not tile.is_joker)


def _is_of_group(way: frozenset[Tile]) -> bool:
    """Whether these are missing colours of one number, of which a joker stands for any."""
    return len(way) > 1 and len({tile.rank for tile in way}) == 1


def _places(melds: tuple[Meld, ...], rules: RuleSet) -> list[_Place]:
    found = []
    for number, meld in enumerate(melds):
        for index, tile in enumerate(meld.tiles):
            if tile.is_joker:
                readings = readings_of(meld.tiles, rules)
                ways = tuple(dict.fromkeys(item.stands_for[index] for item in readings))
                found.append(_Place(number, index, meld.tiles, (meld.tiles,), ways))
    return found


def _places_on(grid: GridLayout | None, melds: tuple[Meld, ...], rules: RuleSet) -> list[_Place]:
    """The jokers of a table: on a board each once, though it may stand in two lines."""
    if grid is None:
        return _places(melds, rules)
    return [
        _Place(*joker.lines[0], tuple(tiles for _, _, tiles in joker.lines), joker.ways)
        for joker in jokers_on_board(grid, rules)
    ]


def examine_jokers(
    before: tuple[Meld, ...],
    after: tuple[Meld, ...],
    played: Counter[Tile],
    opened: bool,
    rules: RuleSet,
    grids: tuple[GridLayout | None, GridLayout | None] = (None, None),
) -> JokerReport:
    """What is wrong with the jokers of a turn; `played` are the tiles that came to the table.

    `grids` are the boards before and after where tiles lie in one; the melds then are their lines. A
    joker that left the table altogether is not judged here: tiles are conserved elsewhere.
    """
    old = _places_on(grids[0], before, rules)
    if not old:
        return JokerReport()
    new: list[_Place | None] = [*_places_on(grids[1], after, rules)]
    new += [None] * (len(old) - len(new))
    best: JokerReport | None = None
    for choice in permutations(new, len(old)):
        report = _Moves(before, after, played, opened, rules).report(old, choice)
        if best is None or report.badness() < best.badness():
            best = report
        if best.badness() == (0, 0):
            break
    return best or JokerReport()


@dataclass(slots=True)
class _Moves:
    """The moves of one assignment of old joker places to new ones."""

    before: tuple[Meld, ...]
    after: tuple[Meld, ...]
    played: Counter[Tile]
    opened: bool
    rules: RuleSet
    used: Counter[Tile] = field(default_factory=Counter)
    """Tiles that already took the place of a joker."""
    freed: dict[int, frozenset[Tile]] = field(default_factory=dict)
    """By set of the table before: the tiles that freed all its jokers together."""
    result: JokerReport = field(default_factory=JokerReport)

    def report(self, old: list[_Place], new: tuple[_Place | None, ...]) -> JokerReport:
        for number, (source, target) in enumerate(zip(old, new, strict=True)):
            if target is not None:
                others = frozenset[Tile]().union(*(place.stands_for for place in old[number + 1 :]))
                self._judge(source, target, others)
        self.result.faults = list(dict.fromkeys(self.result.faults))
        return self.result

    def _judge(self, old: _Place, new: _Place, wanted_later: frozenset[Tile]) -> None:
        together = bool(old.naturals & new.naturals)
        known = bool(old.stands_for and new.stands_for)
        same_tile = not known or bool(old.stands_for & new.stands_for)
        if together and (same_tile or self.rules.joker.identity == "free"):
            self._frozen(old, new)
            return
        replacement = self._replacement(old, wanted_later) if known else old.stands_for
        if replacement:
            faults, depends = self._retrieval_faults(old, new, replacement)
            if not faults:
                self.result.depends_on |= depends
                if self.freed.get(old.meld) != replacement:
                    self.used.update(replacement)
                if len(replacement) > 1:
                    self.freed[old.meld] = replacement
                if self.rules.joker.shift == "addition" and old.naturals <= new.naturals:
                    self._frozen(old, new)
                return
        elif not known:
            return
        else:
            faults, depends = [self._not_replaced(old, new)], set()
        if self._may_be_lifted(old):
            if self.rules.joker.freeze == "none":
                # Where a joker freezes its set, lifting it out is settled with that.
                self.result.depends_on.add("joker.free_removal")
            if self.rules.joker.free_removal:
                self._frozen(old, new)
                return
        elif not replacement:
            faults += self._retrieval_faults(old, new, frozenset())[0]
        if not self.opened and not self.rules.joker.before_opening and not replacement:
            faults.append(self._before_opening(new))
        self.result.depends_on |= depends
        self.result.faults += {item.fault: item for item in faults}.values()

    def _replacement(self, old: _Place, wanted_later: frozenset[Tile]) -> frozenset[Tile]:
        """The tiles that took the joker's place: one, or all missing ones where both are needed."""
        source = self.played if self.rules.joker.replace_from == "rack" else self._on_table()
        free = {tile for tile in old.stands_for if source[tile] > self.used[tile]}
        if old.meld in self.freed:
            return self.freed[old.meld]
        if self.rules.joker.group3 == "both":
            whole = [way for way in old.ways if _is_of_group(way)]
            free = free.intersection(*(old.stands_for - way for way in whole))
            together = [way for way in whole if all(source[tile] for tile in way)]
            if together and not free:
                return together[0]
        ranked = sorted(free, key=lambda tile: (tile in wanted_later, tile))
        return frozenset(ranked[:1])

    def _on_table(self) -> Counter[Tile]:
        return Counter(tile for meld in self.after for tile in meld.tiles)

    def _retrieval_faults(
        self, old: _Place, new: _Place, replacement: frozenset[Tile]
    ) -> tuple[list[JokerFault], set[str]]:
        """What is wrong with a joker whose place was taken, and the switches that rests on."""
        faults: list[JokerFault] = []
        depends: set[str] = set()
        if not self.opened and not self.rules.joker.before_opening:
            faults.append(self._before_opening(new))
        if not self._starts_new_set(new, replacement):
            if old.naturals <= new.naturals:
                depends.add("joker.reuse")
            if self.rules.joker.reuse == "new_set_2_rack":
                text = (
                    "the joker that was taken does not start a new set with two tiles "
                    f"from the rack; it lies in set {new.meld + 1}"
                )
                faults.append(JokerFault(Fault.JOKER_NOT_REUSED, new.meld, text))
        return faults, depends

    def _starts_new_set(self, new: _Place, replacement: frozenset[Tile]) -> bool:
        """Whether the joker's set holds two rack tiles and is no old set that was added to."""
        spare = self.played - Counter(replacement)
        return any(
            (Counter(line) & spare).total() >= 2 and not self._grew_from_old(line)
            for line in new.lines
        )

    def _grew_from_old(self, line: tuple[Tile, ...]) -> bool:
        """Whether a set holds a whole set of the table before."""
        return any(
            Counter(tile for tile in meld.tiles if not tile.is_joker) <= Counter(line)
            for meld in self.before
        )

    def _may_be_lifted(self, old: _Place) -> bool:
        """Whether the joker was lifted out rather than replaced: what it left is legal without it,
        or no tile stands in its place beside a tile of its old set."""
        left, right = old.tiles[: old.index], old.tiles[old.index + 1 :]
        rest_legal = all(not part or is_set(part, self.rules) for part in (left, right))
        if rest_legal or is_set(left + right, self.rules):
            return True
        for meld in self.after:
            tiles = Counter(meld.tiles)
            if tiles & old.naturals and any(tiles[tile] for tile in old.stands_for):
                return False
        return True

    def _not_replaced(self, old: _Place, new: _Place) -> JokerFault:
        missing = sorted(old.stands_for)
        wanted = " or ".join(tile.spoken for tile in missing)
        colours = next((sorted(way) for way in old.ways if _is_of_group(way)), [])
        needs_all = self.rules.joker.group3 == "both" and colours
        if needs_all and any(self.played[tile] for tile in colours):
            text = f"the joker comes free only for {' and '.join(tile.spoken for tile in colours)}"
            text += ", all from the rack"
            return JokerFault(Fault.JOKER_NOT_REPLACED, new.meld, text, "group3")
        if self.rules.joker.replace_from == "any":
            text = f"the joker that stood for {wanted} was taken and no such tile took its place"
            return JokerFault(Fault.JOKER_NOT_REPLACED, new.meld, text)
        if self._may_be_lifted(old):
            text = (
                f"the joker that stood for {wanted} was taken and no such tile came from the rack"
            )
            return JokerFault(Fault.JOKER_NOT_REPLACED, new.meld, text)
        text = f"the joker that stood for {wanted} was replaced, but not by a tile from the rack"
        return JokerFault(Fault.JOKER_REPLACED_FROM_TABLE, new.meld, text)

    def _before_opening(self, new: _Place) -> JokerFault:
        text = "a joker was taken from a set before the player had laid an initial meld"
        return JokerFault(Fault.JOKER_BEFORE_OPENING, new.meld, text)

    def _frozen(self, old: _Place, new: _Place) -> None:
        """Report a set that was changed while its joker held it, where the rules freeze it."""
        freeze = self.rules.joker.freeze
        was, now = Counter(old.tiles), Counter(new.tiles)
        if was != now:
            self.result.depends_on.add("joker.freeze")
        if (freeze == "full" and was != now) or (freeze == "no_split" and not was <= now):
            text = f"set {old.meld + 1} of the table before was changed while it held a joker"
            self.result.faults.append(JokerFault(Fault.JOKER_FROZEN, new.meld, text))
