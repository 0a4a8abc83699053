"""What a player could have played, for the rules that forbid drawing or passing instead.

First plays that need no manipulation are looked for: a set from the hand, or one tile added to a set on
the table. Then any play at all, by the solver. On a board it is `engine.board_plays` that looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

from engine.layout import Layout
from engine.melds import Meld
from engine.packing import has_joker, naturals_of, packed, packed_content, unpacked
from engine.ruleset import RuleSet
from engine.set_readings import book_of
from engine.sets import is_legal_layout
from engine.solver import SolverError, best_play, smallest_change
from engine.solving.acceptance import jokers_may_move
from engine.tiles import JOKER, Suit, Tile
from engine.wording import in_row, listed, named, the

MOST_JOKERS: Final = "joker.max_per_set"


@dataclass(frozen=True, slots=True)
class FoundPlay:
    """A play there was."""

    tiles: tuple[Tile, ...]
    """The tiles from the hand."""
    spoken: str
    """The play in words: `red 5, joker and red 7 as a set`, or `the joker to set 2`."""


def play_there_was(
    hand: tuple[Tile, ...], table: Layout, rules: RuleSet, *, joker: bool = False
) -> FoundPlay | None:
    """A legal play of a player who may build on the table, whatever the answer to what is open; the
    simplest found. With `joker`, one that plays a joker of the hand.

    The sets lie apart. What hangs on how many jokers a set may hold counts only once that is chosen.
    None when there is none; where the solver does not take the position, or sets may have to stay
    together (`RuleSet.table_moves`), a play that is not simple is not found.
    """
    found = simple_play(hand, table, rules, joker=joker)
    if found is not None or not rules.table_moves:
        return found
    try:
        return _with_manipulation(hand, table, rules, joker=joker)
    except SolverError:
        return None


def simple_play(
    hand: tuple[Tile, ...], table: Layout, rules: RuleSet, *, joker: bool = False
) -> FoundPlay | None:
    """As `play_there_was`, of plays alone that leave every set of the table together."""
    strict = with_fewest_jokers(rules)
    if not is_legal_layout(table, strict):
        return None
    plays = chain(sets_in_hand(hand, strict), _additions(hand, table, strict))
    return next((play for play in plays if not joker or JOKER in play.tiles), None)


def with_fewest_jokers(rules: RuleSet) -> RuleSet:
    """The rules with as few jokers in a set as an answer may leave, where that is open."""
    return rules.answers_to(MOST_JOKERS)["1"] if rules.is_open(MOST_JOKERS) else rules


def sets_in_hand(hand: tuple[Tile, ...], rules: RuleSet) -> Iterator[FoundPlay]:
    """Every set of the smallest size that a hand holds: when it holds any set, it holds one of these."""
    least = min(rules.run.least, rules.group.least)
    held = packed_content(_at_most(hand, rules))
    alike: dict[object, list[int]] = {}
    for tile in unpacked(held):
        if tile.rank is not None:
            alike.setdefault(tile.suit, []).append(tile.kind)
            alike.setdefault(tile.rank, []).append(tile.kind)
    jokers = held[len(naturals_of(held)) :]
    contents = {row for kinds in alike.values() for row in combinations((*kinds, *jokers), least)}
    kinds_of = book_of(rules).kinds_of_content
    for content in map(bytes, sorted(contents)):
        if kinds_of(content):
            tiles = unpacked(content)
            yield FoundPlay(tiles, f"{in_row(tiles)} as a set")


def _at_most(hand: tuple[Tile, ...], rules: RuleSet) -> Iterator[Tile]:
    """The hand with as many of each tile as one set can hold."""
    for tile, count in Counter(hand).items():
        most = rules.joker.max_per_set if tile.is_joker else 1
        yield from [tile] * min(count, most if not rules.group.duplicates else count)


def _additions(hand: tuple[Tile, ...], table: Layout, rules: RuleSet) -> Iterator[FoundPlay]:
    """Every tile of a hand that a set on the table takes at one of its ends."""
    there = [
        (row, *_suits_and_ranks(meld)) for row, meld in zip(table.rows, table.melds, strict=True)
    ]
    for tile in unpacked(bytes(sorted(set(packed(hand))))) if there else ():
        end = packed((tile,))
        for number, (row, suits, ranks) in enumerate(there):
            if tile.rank is not None and not (suits <= {tile.suit} or ranks <= {tile.rank}):
                continue
            if any(_takes(longer, number, table, rules) for longer in (row + end, end + row)):
                yield FoundPlay((tile,), f"{the(tile)} to set {number + 1}")


def _suits_and_ranks(meld: Meld) -> tuple[set[Suit | None], set[int | None]]:
    naturals = [tile for tile in meld.tiles if tile.rank is not None]
    return {tile.suit for tile in naturals}, {tile.rank for tile in naturals}


def _takes(row: bytes, number: int, table: Layout, rules: RuleSet) -> bool:
    """Whether a set of the table may become this packed row, as far as its jokers go."""
    if not book_of(rules).is_set_packed(row):
        return False
    if not has_joker(table.rows[number]):
        return True
    after = Layout((*table.melds[:number], Meld(unpacked(row)), *table.melds[number + 1 :]))
    return jokers_may_move(table, after, rules)


def _with_manipulation(
    hand: tuple[Tile, ...], table: Layout, rules: RuleSet, *, joker: bool
) -> FoundPlay | None:
    """A play of one tile where there is one, which is told most easily; otherwise of most tiles."""
    must = (JOKER,) if joker else ()
    whole = best_play(table, hand, rules, free_jokers=False, must=must)
    if whole is None or not whole.placed:
        return None
    alone = (
        best_play(table, (tile,), rules, free_jokers=False, must=(tile,))
        for tile in must or sorted(set(whole.placed))
    )
    play = next((play for play in alone if play is not None), whole)
    after = smallest_change(table, play.placed, rules, free_jokers=False) or play.table_after
    if not is_legal_layout(after, with_fewest_jokers(rules)):
        return None
    return FoundPlay(play.placed, play_in_words(table, after))


def play_in_words(before: Layout, after: Layout) -> str:
    """A play as one tells it: the tiles from the rack, and how sets of the table lie that are other ones
    then."""
    placed = Counter(after.tiles) - Counter(before.tiles)
    gone = _not_in(before, after)
    new = [after.melds[number].tiles for number in _not_in(after, before)]
    tiles = named(sorted(placed.elements()))
    if not gone:
        return listed([f"{in_row(row)} as a set" for row in new])
    sets = listed([f"set {number + 1}" for number in gone])
    rows = "; ".join(map(in_row, new))
    return f"{tiles}, with {sets} laid anew as {rows}"


def _not_in(one: Layout, other: Layout) -> list[int]:
    """The numbers of the sets of one table that do not lie on the other; the order of tiles does not
    count."""
    left = Counter(tuple(sorted(meld.tiles)) for meld in other.melds)
    found = []
    for number, meld in enumerate(one.melds):
        key = tuple(sorted(meld.tiles))
        left[key] -= 1
        if left[key] < 0:
            found.append(number)
    return found
