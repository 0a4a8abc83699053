"""The best play on a table of tiles, whether a rack can open, and whether tiles can be sets at all.

Jokers may be put anywhere and given up by any set (`free_jokers`, as other programs have it), or each
one on the table only moves as the preset allows. Answers are exact except where a function says so.
`engine.solving` holds the method; docs/solver.md describes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.sets import is_set
from engine.solving.kept_jokers import best_kept
from engine.solving.laying import laid_out
from engine.solving.positions import Objective, best_rows, boards, numbers
from engine.solving.programme import part
from engine.tiles import JOKER, RANKS, Tile


class SolverError(ValueError):
    """A position this solver does not take; the message is one line that says why."""


@dataclass(frozen=True, slots=True)
class Play:
    """What to put down, and how the table can lie then."""

    placed: tuple[Tile, ...]
    """The tiles that come from the rack, in their order; none when there is no play."""
    table_after: Layout
    """Every tile of the table and of `placed`, in legal sets."""

    @property
    def count(self) -> int:
        """How many tiles come from the rack, jokers among them."""
        return len(self.placed)

    @property
    def points(self) -> int:
        """The numbers printed on the tiles that come from the rack, together; a joker has none."""
        return sum(tile.rank or 0 for tile in self.placed)


def best_play(
    table: Layout,
    rack: Iterable[Tile],
    rules: RuleSet,
    objective: Objective = "tiles",
    *,
    free_jokers: bool = True,
) -> Play | None:
    """The play that puts down the most tiles, or the most points, for a player who has opened.

    With `free_jokers`, jokers may leave their sets and stand for anything. Of plays that are equal, one
    with more points, or more tiles. None when the tiles of the table cannot be parted into sets, not
    even with tiles of the rack.

    Without, every joker of the table only moves as the rules allow, and the play is one the referee
    accepts: never more than with free jokers, and as much as was found
    (`engine.solving.kept_jokers` says what is tried). None when a meld of the table is no set, so
    that nobody can say what its joker stands for. Raises SolverError.
    """
    on_table, on_rack = Counter(table.tiles), Counter(rack)
    _check(on_table + on_rack, rules)
    if not free_jokers and on_table[JOKER]:
        after = best_kept(table, on_rack, rules, objective)
        return None if after is None else _play(table, after)
    rows = best_rows(on_table, on_rack, rules, objective)
    if rows is None:
        return None
    if len(rows) and sum(map(len, rows)) == len(table.tiles) and _is_legal(table, rules):
        return Play((), table)
    return _play(table, Layout.of(rows))


def _play(table: Layout, after: Layout) -> Play:
    placed = Counter(after.tiles) - Counter(table.tiles)
    return Play(tuple(sorted(placed.elements())), after)


def _is_legal(table: Layout, rules: RuleSet) -> bool:
    return all(is_set(meld.tiles, rules) for meld in table.melds)


def arrange(tiles: Iterable[Tile], rules: RuleSet) -> Layout | None:
    """A table on which exactly these tiles lie in legal sets; None when there is none.

    Raises SolverError.
    """
    play = best_play(Layout.of([tile] for tile in tiles), (), rules)
    return None if play is None else play.table_after


def is_arrangeable(tiles: Iterable[Tile], rules: RuleSet) -> bool:
    """Whether tiles can be parted into legal sets, none left over. Raises SolverError."""
    return arrange(tiles, rules) is not None


def best_opening(rack: Iterable[Tile], rules: RuleSet) -> tuple[int, Layout]:
    """The most points that sets from the rack alone can be worth, and such sets.

    A joker counts as the tile it stands for (PR-09) and is laid where it is worth most (AMB-10): R7 J J
    is the run 7 8 9. 0 and no sets when the rack holds none. Raises SolverError.
    """
    on_rack = Counter(rack)
    _check(on_rack, rules)
    worth = numbers(rules)
    best: tuple[int, Layout] = (0, Layout())
    for board, offset in boards(Counter(), on_rack, rules, worth):
        board = replace(board, spare=True, joker_weights=worth) if board.jokers else board
        parting = part(board)
        if parting is not None and parting.value + offset > best[0]:
            rows = laid_out(board, parting, rules)
            best = parting.value + offset, Layout.of(rows)
    return best


def can_open(rack: Iterable[Tile], rules: RuleSet) -> bool:
    """Whether sets from the rack alone are enough for the first play under these rules.

    Where the rules want points, that many; otherwise any set. Raises SolverError.
    """
    tiles = tuple(rack)
    needed = rules.opening.points if rules.opening.kind == "points" else 0
    jokers = sum(tile.is_joker for tile in tiles)
    if sum(tile.rank or 0 for tile in tiles) + jokers * len(RANKS) < max(needed, 1):
        _check(Counter(tiles), rules)
        return False
    points, sets = best_opening(tiles, rules)
    return bool(sets.melds) and points >= needed


def _check(tiles: Counter[Tile], rules: RuleSet) -> None:
    """Raise SolverError for rules or tiles that the programme is not made for."""
    if rules.equipment.pieces != "tiles" or rules.run.least != 3 or rules.group.duplicates:
        raise SolverError(f"only games of tiles are solved, and {rules.preset} is none")
    if rules.run.wrap == "full":
        raise SolverError("runs that go on from 13 to 1 to 2 (run.wrap: full) are not solved")
    for tile, count in tiles.items():
        if tile.is_card:
            raise SolverError(f"{tile} is a card, and {rules.preset} is played with tiles")
        most = rules.equipment.jokers if tile.is_joker else rules.equipment.copies
        if count > most:
            raise SolverError(f"{tile} is there {count} times, and {rules.preset} has {most}")
    if tiles[JOKER] > rules.joker.max_per_set:
        raise SolverError("two jokers are not solved where a set holds one (joker.max_per_set: 1)")
