"""The smallest repair of one turn, whatever table it is played on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.examine_sets import questions_of_sets
from engine.layout import Layout
from engine.repairs.grids import GridTask
from engine.repairs.tables import TableTask
from engine.repairs.task import Repair
from engine.set_questions import SetQuestions
from engine.turns import Turn
from engine.worlds import World, worlds_of


def find_repair(turn: Turn, worlds: Sequence[World], *, nodes: int | None = None) -> Repair | None:
    """The repair of fewest moves, one to MOST_MOVES; of several the one that takes the fewest tiles off
    the table, and of those the first in a fixed order. None when there is none so short, nothing is
    wrong, or the search took more steps than it may: `nodes`, by default as in `engine.repairs.search`
    and `engine.repairs.grid_search`. They are counted, so the answer is the same on every machine.

    `worlds` is what the turn comes to (`engine.worlds.worlds_of`). Where nobody has said how the table
    plays, or whether the player had opened, the repair is for the answers under which the least is
    wrong; and where it is open whether what lay there before was sets, for the usual answers to that.
    Promised: under these the turn is legal then, whatever else is open; and with fewer moves, of the
    kinds in docs/referee.md, it is not.
    """
    world = min(worlds, key=lambda world: len(world.examination.findings))
    world = _with_sets_before(turn, world)
    if turn.grid is not None:
        return GridTask(turn, world, nodes).repair()
    if world.rules.table.form == "grid":
        # Its lines alone do not say which tiles stand in two of them.
        return None
    return TableTask(turn, world, nodes).repair()


def _with_sets_before(turn: Turn, world: World) -> World:
    """The world with the usual answers to what it rests on that the table before was sets: a repair may
    lead back to them, and nothing would mend a turn where they may be none."""
    rules = world.rules
    before = questions_of_sets(turn.before or Layout(), SetQuestions.by(rules)).values()
    names = frozenset[str]().union(*[asked.under(rules).rests_on for asked in before])
    if not names:
        return world
    for name in sorted(names):
        rules = rules.answers_to(name)[rules.switches[name].print(rules.value_of(name))]
    played = replace(turn, opened=world.opened)
    return min(worlds_of(played, rules), key=lambda world: len(world.examination.findings))
