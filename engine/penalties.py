"""What the end of the time costs, in tiles to draw: said by a ruling, and paid in a game."""

from __future__ import annotations

from engine.faults import Fault
from engine.ruleset import RuleSet


def time_penalty(rules: RuleSet, faults: Fault | None, *, legal: bool) -> int:
    """Tiles to draw when the time ends and nothing stands.

    `faults` are those of the table at that moment but for the time, None when it was untouched; `legal`
    whether it was legal. Of two penalties that are due the larger, unless they add up (AMB-22).
    """
    timeout, misplay = rules.timeout, rules.misplay
    if faults is None or (legal and timeout.when_changed == "timeout"):
        return timeout.penalty
    failed = 0 if is_free(rules, faults) else misplay.penalty
    return timeout.penalty + failed if misplay.cumulative else max(timeout.penalty, failed)


def is_free(rules: RuleSet, faults: Fault | None) -> bool:
    """Whether all that was wrong was too few points to open, and that costs nothing (AMB-27)."""
    return rules.opening.short_penalty == "none" and faults == Fault.OPENING_SHORT
