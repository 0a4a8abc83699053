"""Whether the referee lets jokers move so, whatever the answers to house rules that are still open."""

from __future__ import annotations

from collections import Counter

from engine.jokers import examine_jokers
from engine.layout import GridLayout, Layout
from engine.ruleset import RuleSet
from engine.solving.fates import Situation
from engine.solving.laying import Rows
from engine.tiles import Tile


def jokers_may_move(
    before: Layout,
    after: Layout,
    rules: RuleSet,
    *,
    opened: bool = True,
    grids: tuple[GridLayout, GridLayout] | None = None,
) -> bool:
    """Whether nothing is wrong with the jokers of a turn, by every answer to what it depends on.

    That is what the referee rules of them, when all else of the turn is legal. `opened`: whether the
    player had laid an initial meld in an earlier turn. `grids` are the boards of which the layouts are
    the lines, where tiles lie in one.
    """
    was, now = grids or (before, after)
    played = Counter(now.tiles) - Counter(was.tiles)
    return _by_every_answer(before, after, played, rules, opened, grids)


def may_lie_so(situation: Situation, laid: Rows, played: Counter[Tile]) -> bool:
    """Whether the jokers of the table may lie in these sets when just these tiles are played, wherever
    all the others then lie.

    Of a joker that was lifted out it is not said: that depends on the others, too. True may be too
    hopeful when the rack has a joker that lies in none of the sets.
    """
    there = situation.on_table + played
    used = Counter(tile for row in laid for tile in row)
    if not used <= there:
        return False
    others = tuple((there - used).elements())
    after = Layout.of([*laid, others] if others else laid)
    return jokers_may_move(situation.table, after, situation.rules, opened=situation.opened)


def _by_every_answer(
    before: Layout,
    after: Layout,
    played: Counter[Tile],
    rules: RuleSet,
    opened: bool,
    grids: tuple[GridLayout, GridLayout] | None = None,
) -> bool:
    boards = grids or (None, None)
    report = examine_jokers(before, after, played, opened, rules, boards)
    # The present value is one of the answers, so a fault under it settles the matter.
    if report.faults:
        return False
    name = next((name for name in sorted(report.depends_on) if rules.is_open(name)), None)
    if name is None:
        return True
    return all(
        _by_every_answer(before, after, played, answered, opened, grids)
        for answered in rules.answers_to(name).values()
    )
