"""A player who always plays as many tiles as can be played, for tables without people."""

from __future__ import annotations

from collections.abc import Iterable

from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.solver import Play, best_opening_play, best_play
from engine.tiles import Tile


def greedy_turn(table: Layout, rack: Iterable[Tile], rules: RuleSet, *, opened: bool) -> Play:
    """The turn to make: the legal play of most tiles, or a play of none, which is to draw or to pass.

    `opened`: whether the player laid an initial meld in an earlier turn. The same position always gives
    the same turn. Raises SolverError.
    """
    if opened:
        play = best_play(table, rack, rules, free_jokers=False)
    else:
        play = best_opening_play(table, rack, rules)
    return Play((), table) if play is None else play
