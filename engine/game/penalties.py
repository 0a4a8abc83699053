"""What running out of time and an unsuccessful play cost, in tiles to draw."""

from __future__ import annotations

from engine.faults import Ruling
from engine.penalties import is_free, time_penalty
from engine.ruleset import RuleSet


def misplay_cost(rules: RuleSet, ruling: Ruling | None) -> int | None:
    """Tiles that an unsuccessful play costs within the time; None where it does not count as one.

    `ruling` is what the referee says of what was tried, None when nobody noted it. It does not count
    where only the time makes it cost (AMB-50), and where too few points to open cost nothing (AMB-27):
    then the tiles are taken back, and the turn goes on.
    """
    if rules.misplay.when == "timeout" or is_free(rules, None if ruling is None else ruling.faults):
        return None
    return rules.misplay.penalty


def time_cost(rules: RuleSet, ruling: Ruling | None, *, legal: bool) -> int:
    """Tiles to draw when the time ends and nothing stands.

    `ruling` is what the referee says of the table at that moment, None when it was untouched; `legal`
    whether that was legal but for the time.
    """
    return time_penalty(rules, None if ruling is None else ruling.faults, legal=legal)


def is_late(rules: RuleSet, elapsed_s: float | None) -> bool:
    """Whether a turn is known to have taken longer than it may."""
    limit_s = rules.timeout.limit_s
    return limit_s > 0 and elapsed_s is not None and elapsed_s > limit_s


def late_draw(rules: RuleSet, elapsed_s: float | None, pool: int) -> int | None:
    """Tiles of a draw that came when the time was over, of a pool that may hold fewer (AMB-25).

    Such a draw is what the time costs, and no draw beside it: one tile by PR-15, three by PT-02. None
    where the time was not over, or costs no more than a draw.
    """
    if not is_late(rules, elapsed_s) or rules.timeout.penalty <= rules.draw.tiles:
        return None
    return max(tiles_due(rules.timeout.penalty, pool, rules), min(rules.draw.tiles, pool))


def tiles_due(cost: int, pool: int, rules: RuleSet) -> int:
    """How many tiles of a penalty are drawn from a pool that may hold fewer (AMB-25)."""
    if cost <= pool:
        return cost
    return pool if rules.misplay.partial else 0
