"""What running out of time and an unsuccessful play cost, in tiles to draw."""

from __future__ import annotations

from engine.faults import Fault, Ruling
from engine.ruleset import RuleSet


def misplay_cost(rules: RuleSet, ruling: Ruling | None) -> int | None:
    """Tiles that an unsuccessful play costs within the time; None where it does not count as one.

    `ruling` is what the referee says of what was tried, None when nobody noted it. It does not count
    where only the time makes it cost (AMB-50), and where too few points to open cost nothing (AMB-27):
    then the tiles are taken back, and the turn goes on.
    """
    if rules.misplay.when == "timeout" or _is_free(rules, ruling):
        return None
    return rules.misplay.penalty


def time_cost(rules: RuleSet, ruling: Ruling | None, *, legal: bool) -> int:
    """Tiles to draw when the time ends and nothing stands.

    `ruling` is what the referee says of the table at that moment, None when it was untouched; `legal`
    whether that was legal but for the time. Of two penalties that are due the larger, unless they
    add up (AMB-22).
    """
    timeout, misplay = rules.timeout, rules.misplay
    if ruling is None or (legal and timeout.when_changed == "timeout"):
        return timeout.penalty
    failed = 0 if _is_free(rules, ruling) else misplay.penalty
    return timeout.penalty + failed if misplay.cumulative else max(timeout.penalty, failed)


def _is_free(rules: RuleSet, ruling: Ruling | None) -> bool:
    """Whether all that was wrong was too few points to open, and that costs nothing (AMB-27)."""
    if ruling is None or rules.opening.short_penalty != "none":
        return False
    return ruling.faults == Fault.OPENING_SHORT


def tiles_due(cost: int, pool: int, rules: RuleSet) -> int:
    """How many tiles of a penalty are drawn from a pool that may hold fewer (AMB-25)."""
    if cost <= pool:
        return cost
    return pool if rules.misplay.partial else 0
