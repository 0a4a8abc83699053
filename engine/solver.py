"""Best plays on a table of tiles, first plays and whether there is any, and the least change for a play.

Jokers may be put anywhere and given up by any set (`free_jokers`, as other programs have it), or each
one on the table only moves as the preset allows. Answers are exact except where a function says so.
Where the referee would ask, because a house rule is open, only what every answer allows is played; but
for two jokers in one set, which are laid while nobody has chosen `joker.max_per_set` (AMB-11).
`engine.solving` holds the method; docs/solver.md describes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.sets import is_legal_layout
from engine.solving.fates import Situation
from engine.solving.kept_jokers import best_kept
from engine.solving.laying import laid_out
from engine.solving.least_change import least_change
from engine.solving.openings import best_first
from engine.solving.positions import Objective, best_rows, boards, numbers
from engine.solving.programme import part
from engine.tiles import JOKER, RANKS, Tile
from engine.turns import Turn


class SolverError(ValueError):
    """A position this solver does not take; the message is one line that says why."""


class HintsOffError(SolverError):
    """Advice was asked for where the rules give none; the message says so."""


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
    must: Iterable[Tile] = (),
) -> Play | None:
    """The play that puts down the most tiles, or the most points, for a player who has opened.

    With `free_jokers`, jokers may leave their sets and stand for anything. Of plays that are equal, one
    with more points, or more tiles. None when the tiles of the table cannot be parted into sets, not
    even with tiles of the rack.

    Without, every joker of the table only moves as the rules allow: the play is one the referee rules
    LEGAL, and no play that it rules so is worth more (docs/solver.md names the two corners that are
    not proven). None when no play makes every set legal.

    `must` are tiles of the rack that have to be played; then also None where they cannot. Raises
    SolverError.
    """
    on_table, on_rack, wanted = Counter(table.tiles), Counter(rack), Counter(must)
    _check(on_table + on_rack, rules)
    if not wanted <= on_rack:
        return None
    if not free_jokers and on_table[JOKER]:
        after = best_kept(table, on_rack, rules, objective, must=wanted)
        return _found(table, after, rules, wanted)
    needed, spare = (on_table + wanted, on_rack - wanted) if wanted else (on_table, on_rack)
    rows = best_rows(needed, spare, rules, objective)
    if rows is None:
        return None
    if sum(map(len, rows)) == len(table.tiles) and is_legal_layout(table, rules):
        return Play((), table)
    return _play(table, Layout.of(rows))


def best_opening_play(
    table: Layout, rack: Iterable[Tile], rules: RuleSet, objective: Objective = "tiles"
) -> Play | None:
    """The play that puts down the most tiles, or the most points, for a player who has not opened.

    Where the rules want points, these are new sets from the rack that are worth enough; with
    `opening.same_turn_extension` the turn then goes on as the joker rules allow to a player who has not
    opened. That tiles may count which are laid at sets of the table (`opening.source`) is not made use
    of. Where they want none, it is the best play. The referee rules the play LEGAL, and but for
    `opening.source` no play that it rules so is worth more. None when no play makes every set legal.
    Raises SolverError.
    """
    on_rack = Counter(rack)
    _check(Counter(table.tiles) + on_rack, rules)
    return _found(table, best_first(table, on_rack, rules, objective), rules, Counter())


def _found(table: Layout, after: Layout | None, rules: RuleSet, must: Counter[Tile]) -> Play | None:
    """The play that leads to a table; without one, that nothing is played where that may be."""
    if after is not None:
        return _play(table, after)
    return None if must or not is_legal_layout(table, rules) else Play((), table)


def _play(table: Layout, after: Layout) -> Play:
    placed = Counter(after.tiles) - Counter(table.tiles)
    return Play(tuple(sorted(placed.elements())), after)


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


def can_play(
    table: Layout | None,
    rack: Iterable[Tile] | None,
    rules: RuleSet,
    opened: bool | None,
) -> bool | None:
    """Whether there is a play that the referee rules LEGAL, to end a round (PR-14) or to ask for one.

    True and False are exact. None where nobody can tell: with a table or a rack that is not known, on a
    grid, and where it rests on whether the player has opened and that is not known. Raises SolverError.
    """
    if table is None or rack is None or rules.table.form == "grid":
        return None
    tiles = tuple(rack)
    if opened is None and rules.opening.kind == "points" and table.melds:
        answers = {can_play(table, tiles, rules, answer) for answer in (True, False)}
        return answers.pop() if len(answers) == 1 else None
    if opened or rules.opening.kind != "points":
        return any_play(table, tiles, rules) is not None
    if can_open(tiles, rules) and is_legal_layout(table, rules):
        return True
    play = best_opening_play(table, tiles, rules)
    return play is not None and bool(play.placed)


def any_play(table: Layout, rack: Iterable[Tile], rules: RuleSet) -> Play | None:
    """The first play that is found, good or not, for a player who has opened or plays by rules that want
    no points for that; None when there is none.

    The referee rules it LEGAL. With jokers on the table and many tiles on the rack it is found much
    sooner than the best one. Raises SolverError.
    """
    on_rack = Counter(rack)
    if not any(tile.is_joker for tile in table.tiles):
        play = best_play(table, on_rack.elements(), rules, free_jokers=False)
        return play if play is not None and play.placed else None
    _check(Counter(table.tiles) + on_rack, rules)
    after = best_kept(table, on_rack, rules, "tiles", any_play=True)
    return None if after is None else _play(table, after)


def smallest_change(
    table: Layout,
    placed: Iterable[Tile],
    rules: RuleSet,
    *,
    free_jokers: bool = True,
    opened: bool = True,
) -> Layout | None:
    """A table of these tiles and those there in legal sets, that touches the fewest sets of the table.

    A set is touched when the same tiles do not lie together afterwards, in whatever order. No legal
    table of these tiles touches fewer. The other sets stay as they were, the new ones lie behind
    them. None when there is no such table. `free_jokers` is as in `best_play`; without, `opened` says
    whether the player had laid an initial meld before. Raises SolverError.
    """
    played = Counter(placed)
    _check(Counter(table.tiles) + played, rules)
    return least_change(Situation(table, played, rules, opened), free_jokers=free_jokers)


def advise(
    table: Layout,
    rack: Iterable[Tile],
    rules: RuleSet,
    *,
    opened: bool,
    objective: Objective = "tiles",
) -> Play | None:
    """A play to tell a player: the best legal one, laid so that it touches the fewest sets.

    None when no play makes every set legal. Raises HintsOffError where the rules give no hints
    (`hints.allowed`), and SolverError.
    """
    if not rules.hints.allowed:
        raise HintsOffError(
            f"{rules.title}: players are not told what to play (hints.allowed is no)"
        )
    if rules.table.form == "grid":
        raise SolverError("plays on a grid are not solved")
    if not opened:
        return best_opening_play(table, rack, rules, objective)
    play = best_play(table, rack, rules, objective, free_jokers=False)
    if play is None or not play.placed:
        return play
    after = smallest_change(table, play.placed, rules, free_jokers=False)
    return play if after is None else _play(table, after)


def missed_tiles(turn: Turn, rules: RuleSet) -> int | None:
    """How many more tiles the best play would have put down than a turn that was ruled LEGAL.

    For looking at a game that is over. None where the table or the rack before the turn is not known,
    or whether the player had opened and that makes a difference, and on a grid. Raises SolverError.
    """
    if turn.before is None or turn.rack_before is None or rules.table.form == "grid":
        return None
    opened = turn.opened
    if opened is None and not turn.before.melds:
        opened = False
    plays = []
    if opened is not False:
        plays.append(best_play(turn.before, turn.rack_before, rules, free_jokers=False))
    if not opened:
        plays.append(best_opening_play(turn.before, turn.rack_before, rules))
    placed = (Counter(turn.after.tiles) - Counter(turn.before.tiles)).total()
    missed = {(0 if play is None else play.count) - placed for play in plays}
    return missed.pop() if len(missed) == 1 else None


def _check(tiles: Counter[Tile], rules: RuleSet) -> None:
    """Raise SolverError for rules or tiles that the programme is not made for."""
    if rules.equipment.pieces != "tiles" or rules.run.least != 3 or rules.group.duplicates:
        raise SolverError(f"only games of tiles are solved, and {rules.preset} is none")
    if rules.run.wrap == "full":
        raise SolverError("runs that go on from 13 to 1 to 2 (run.wrap: full) are not solved")
    for tile, count in tiles.items():
        if tile.is_card:
            raise SolverError(f"{tile} is a card, and {rules.preset} is played with tiles")
        most = rules.equipment.copies_of(tile)
        if count > most:
            raise SolverError(f"{tile} is there {count} times, and {rules.preset} has {most}")
    if tiles[JOKER] > rules.joker.max_per_set:
        raise SolverError("two jokers are not solved where a set holds one (joker.max_per_set: 1)")
