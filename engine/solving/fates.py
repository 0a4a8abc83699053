"""What may become of each joker that lies on the table, by the joker rules of a preset.

It goes on standing for its tile, or its place is taken and it is used anew, or it is lifted out where
a table allows that. A fate says what all legal plays with it have in common; the search for the best
play (`engine.solving.kept_jokers`) rests on nothing else. Whether a play is legal in the end is for
the referee's own examination of jokers to say (`engine.jokers`), which tells the same stories from
their end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from engine.joker_fates import TWO_IN_GROUP, is_of_two, needs_all_colours
from engine.joker_places import Place, jokers_of
from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.sets import is_set, readings_of
from engine.solving.groups import SUITS
from engine.solving.laying import TILE_OF, Row
from engine.solving.positions import NOTHING_BARRED, Barred
from engine.tiles import JOKER, RANKS, TILE_SUITS, Tile

RACK_TILES: Final = 2
"""Tiles of the rack that a retrieved joker's new set holds (PR-20)."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a play starts from."""

    table: Layout
    rack: Counter[Tile]
    rules: RuleSet
    opened: bool
    """Whether the player had laid an initial meld before."""
    on_table: Counter[Tile] = field(init=False)
    """Every tile of the table."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "on_table", Counter(self.table.tiles))


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of one joker."""

    place: Place
    """Where it lies when the turn begins."""
    kind: Literal["stays", "kept", "retrieved", "lifted"]
    """`stays`: its whole set does. `kept`: it goes on standing for a tile, with another tile of its
    set. `retrieved`: its place is taken. `lifted`: it is taken away, or nobody can say what it
    stood for."""
    taken_as: Tile = JOKER
    """The tile it is kept as; a joker where its place says nothing, or it is used anew."""
    takers: tuple[Tile, ...] = ()
    """The tiles that have to come to its place: one, or all missing colours of a group."""
    barred: Barred = NOTHING_BARRED
    """What may not lie together in any set, so that it counts as lifted and not as replaced."""

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for two jokers of one set of which the same becomes."""
        return self.place.meld, self.kind, self.taken_as, self.takers, self.barred


def fates_of(place: Place, situation: Situation) -> list[Fate]:
    """Everything that may become of a joker in a legal play, where its set is read in one way."""
    rules, there = situation.rules, situation.rack
    if not place.stands_for:
        return [Fate(place, "lifted")]
    found = _kept(place, rules)
    if situation.opened or rules.joker.before_opening:
        if may_take_from_table(rules):
            there = there + situation.on_table
        found += [
            Fate(place, "retrieved", takers=takers)
            for takers in _takers(place, rules)
            if all(tile in there for tile in takers)
        ]
    if rules.joker.free_removal and rules.joker.freeze != "full":
        found.append(Fate(place, "lifted", barred=_barred(place, rules)))
    return found


def may_take_from_table(rules: RuleSet) -> bool:
    """Whether a tile of the table may take a joker's place, by every answer (AMB-14)."""
    return rules.joker.replace_from == "any" and not rules.is_open("joker.replace_from")


def is_settled(fate: Fate, rules: RuleSet) -> bool:
    """Whether a play with this fate is legal wherever the joker lies, as far as it goes."""
    if fate.kind == "retrieved":
        held = rules.joker.shift == "addition" and rules.joker.freeze != "none"
        return not held and not _starts_new_set(fate, rules)
    free = fate.barred == NOTHING_BARRED and rules.joker.freeze == "none"
    return fate.kind == "lifted" and free


def _kept(place: Place, rules: RuleSet) -> list[Fate]:
    if rules.joker.freeze == "full":
        return [Fate(place, "stays")]
    if rules.joker.identity == "free":
        return [Fate(place, "kept")]
    return [Fate(place, "kept", taken_as=tile) for tile in sorted(place.stands_for)]


def _takers(place: Place, rules: RuleSet) -> Iterator[tuple[Tile, ...]]:
    """What may take the place of a joker: a tile it stands for, or where all missing colours are needed
    by some answer (SB-17, AMB-13) all of its group together."""
    tiles = sorted(place.colours or place.stands_for)
    asked = is_of_two(place) and rules.is_open(TWO_IN_GROUP)
    if asked or needs_all_colours(place, rules):
        yield tuple(tiles)
    else:
        yield from ((tile,) for tile in tiles)


def _barred(place: Place, rules: RuleSet) -> Barred:
    """Where the rest of a set is legal without its joker, nothing; otherwise a tile it stands for beside
    another tile of the set, in a run or a group.

    In a set of two jokers a little more is barred than need be: the step of a run between a tile it
    stands for and the next, though that may be the other joker's.
    """
    left, right = place.tiles[: place.index], place.tiles[place.index + 1 :]
    if all(not part or is_set(part, rules) for part in (left, right)) or is_set(
        left + right, rules
    ):
        return NOTHING_BARRED
    tiles = place.colours or place.stands_for
    numbers = _numbers({*place.naturals, *tiles}, rules)
    cuts = {
        (TILE_SUITS.index(other.suit), numbers[tile] - (numbers[other] < numbers[tile]))
        for other in place.naturals
        for tile in tiles
        if other.suit is not None and other.suit == tile.suit
    }
    apart = [
        (rank - 1, tuple(suit for suit in SUITS if TILE_OF[suit][rank - 1] in place.naturals))
        for rank in {tile.rank for tile in tiles} & {tile.rank for tile in place.naturals}
        if rank is not None
    ]
    return Barred(frozenset(cuts), tuple(apart))


def _numbers(tiles: set[Tile], rules: RuleSet) -> dict[Tile, int]:
    """The numbers of tiles of one set, 14 for a 1 that may lie after 13."""
    high = rules.run.wrap != "none" and any(tile.rank == len(RANKS) for tile in tiles)
    return {tile: len(RANKS) + 1 if high and tile.rank == 1 else tile.rank or 0 for tile in tiles}


def may_lie(fate: Fate, row: Row, at: int, situation: Situation) -> bool:
    """Whether a joker with this fate may be the one at a place of a row, in any legal play.

    True where that depends on the rest of the play.
    """
    place, rules = fate.place, situation.rules
    if fate.kind == "stays":
        return (row, at) == (place.tiles, place.index)
    if fate.kind == "retrieved":
        return not _starts_new_set(fate, rules) or _is_new_set(fate, row, situation)
    beside = any(tile in place.naturals for tile in row)
    holds_on = fate.kind == "kept" or bool(place.stands_for) or beside
    if holds_on and rules.joker.freeze != "none" and not Counter(place.tiles) <= Counter(row):
        return False
    if fate.kind == "lifted":
        return True
    if not beside or fate.taken_as == JOKER:
        return beside
    return any(fate.taken_as in reading.stands_for[at] for reading in readings_of(row, rules))


def _starts_new_set(fate: Fate, rules: RuleSet) -> bool:
    return fate.kind == "retrieved" and rules.joker.reuse == "new_set_2_rack"


def _is_new_set(fate: Fate, row: Row, situation: Situation) -> bool:
    """Whether a row can be a new set with two tiles of the rack, and none that was added to."""
    rack = situation.rack - Counter(fate.takers)
    jokers = min(row.count(JOKER) - 1, rack[JOKER])
    if sum(tile in rack for tile in row if tile != JOKER) + jokers < RACK_TILES:
        return False
    there = situation.on_table + situation.rack
    only = {tile for tile in row if there[tile] == 1}
    return not any(only.issuperset(set(meld.tiles) - {JOKER}) for meld in situation.table.melds)


def may_be_cut(fate: Fate, piece: Row, rest: Row, situation: Situation) -> bool:
    """Whether a run may be cut off the end of a row, when the joker `may_lie` in what is left of it:
    whether every legal play with the whole row is one with its two parts."""
    rack, on_table = situation.rack, situation.on_table
    if not _starts_new_set(fate, situation.rules) or not any(tile in rack for tile in piece):
        return True
    # These are played wherever they lie, and take no joker's place.
    jokers = jokers_of(situation.table, None, situation.rules)
    wanted = {tile for places in jokers for place in places for tile in place.stands_for}
    sure = (tile for tile in rest if tile in rack and tile not in on_table and tile not in wanted)
    return sum(tile != JOKER for tile in sure) >= RACK_TILES
