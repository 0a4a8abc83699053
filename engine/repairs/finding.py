"""The smallest repair of one turn, whatever table it is played on."""

from __future__ import annotations

from collections.abc import Sequence

from engine.repairs.grids import GridTask
from engine.repairs.tables import TableTask
from engine.repairs.task import Repair
from engine.turns import Turn
from engine.worlds import World


def find_repair(turn: Turn, worlds: Sequence[World], *, nodes: int | None = None) -> Repair | None:
    """The repair of fewest moves, one to MOST_MOVES; of several the one that takes the fewest tiles off
    the table, and of those the first in a fixed order. None when there is none so short, nothing is
    wrong, or the search took more steps than it may: `nodes`, by default as in `engine.repairs.search`
    and `engine.repairs.grid_search`. They are counted, so the answer is the same on every machine.

    `worlds` is what the turn comes to (`engine.worlds.worlds_of`). Where nobody has said how the table
    plays, or whether the player had opened, the repair is for the answers under which the least is
    wrong. Promised: under these the turn is legal then, whatever else is open; and with fewer moves, of
    the kinds in docs/referee.md, it is not.
    """
    world = min(worlds, key=lambda world: len(world.examination.findings))
    if turn.grid is not None:
        return GridTask(turn, world, nodes).repair()
    if world.rules.table.form == "grid":
        # Its lines alone do not say which tiles stand in two of them.
        return None
    return TableTask(turn, world, nodes).repair()
