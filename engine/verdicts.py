"""The verdict on a turn that is taken as fact, played through all that the house rules leave open."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.examination import Play
from engine.faults import Fault, Finding, Ruling, Verdict
from engine.questions import question_of_worlds
from engine.repairs import Repair, find_repair
from engine.ruleset import RuleSet
from engine.turns import Turn
from engine.worlds import World, common_findings, worlds_of

SET_FAULTS: Final = (
    Fault.LOOSE_TILE
    | Fault.SET_TOO_SHORT
    | Fault.GROUP_TOO_LONG
    | Fault.GROUP_COLOUR_TWICE
    | Fault.GROUP_NUMBERS_DIFFER
    | Fault.RUN_COLOURS_DIFFER
    | Fault.RUN_NUMBER_TWICE
    | Fault.RUN_GAP
    | Fault.RUN_WRAPS
    | Fault.RUN_TOO_LONG
    | Fault.RUN_NOT_IN_ORDER
    | Fault.NO_NATURAL_TILE
    | Fault.TOO_MANY_JOKERS
    | Fault.SET_INVALID
)
"""The faults of one set by itself."""
_OWN_WORDS: Final = (
    Fault.TIME_OVER
    | Fault.STARTER_OBLIGATORY
    | Fault.JOKER_HOARDING
    | Fault.PLAY_REQUIRED
    | Fault.RETURN_MISSING
)
"""Faults whose own sentence tells more than moves would: what to draw, to play, or to choose."""


def judge(turn: Turn, rules: RuleSet, *, with_repairs: bool = True) -> Ruling:
    """The ruling on one turn that is known as far as its fields say.

    Where a switch is open (`RuleSet.is_open`) or it is not known whether the player had opened, the
    turn is examined under every answer: when all agree that is the verdict, otherwise ASK. The findings
    of an illegal turn hold its smallest repair (`engine.repairs`); set `with_repairs` to False where
    nobody reads it, as the search takes longer than all the rest. Raises ValueError for a tile that
    the game does not have.

    A table alone (`Turn.is_table_alone`) goes by the default of what is asked of turns; `unchecked` says
    so where the ruling rests on it.
    """
    if turn.is_table_alone:
        rules = rules.for_table_alone()
    return _ruling(worlds_of(turn, rules), turn, rules, with_repairs=with_repairs)


def judge_for(turn: Turn, rules: RuleSet, faults: Fault) -> Ruling:
    """The ruling on a turn as if these faults alone were any, without repairs: for a turn of a game that
    leaves as it is whatever else may be wrong. Raises ValueError as `judge` does."""
    worlds = [
        replace(world, examination=world.examination.only(faults))
        for world in worlds_of(turn, rules)
    ]
    return _ruling(worlds, turn, rules, with_repairs=False)


def _ruling(worlds: list[World], turn: Turn, rules: RuleSet, *, with_repairs: bool) -> Ruling:
    verdicts = {world.examination.legal for world in worlds}
    findings = common_findings([world.examination.findings for world in worlds])
    unchecked = tuple(worlds[0].examination.unchecked)
    advice = common_findings([world.examination.advice for world in worlds])
    if verdicts == {True}:
        return Ruling(Verdict.LEGAL, unchecked=unchecked, advice=advice)
    if verdicts == {False}:
        findings = findings or _unspecific(worlds)
        if with_repairs:
            findings = _repaired(findings, turn, worlds)
        return Ruling(Verdict.ILLEGAL, findings, (), unchecked, advice)
    return Ruling(Verdict.ASK, findings, (question_of_worlds(worlds, rules),), unchecked, advice)


def _unspecific(worlds: list[World]) -> tuple[Finding, ...]:
    """What to say when every answer leads to another fault: those under the first values, which are
    the documented defaults."""
    return tuple(worlds[0].examination.findings)


def _repaired(
    findings: tuple[Finding, ...], turn: Turn, worlds: list[World]
) -> tuple[Finding, ...]:
    """The findings with the smallest repair of the turn, where there is one; it mends them all."""
    repair = find_repair(turn, worlds)
    if repair is None:
        return findings
    return tuple(
        item if _says_it_better(item, turn, repair) else replace(item, repair=repair.text)
        for item in findings
    )


def _says_it_better(finding: Finding, turn: Turn, repair: Repair) -> bool:
    """Whether a finding keeps its own words beside a repair of the whole turn."""
    if finding.fault & Fault.TOO_MANY_COPIES:
        # Most likely a tile was misread, and nobody takes sets apart for that.
        return repair.moves > 1
    if finding.fault & Fault.NO_RACK_TILE and turn.before is not None:
        # Nothing was moved, so what is left to do is to draw.
        return not Play.of(turn, turn.before).changed
    if finding.fault & Fault.RACK_COUNT and finding.repair is not None and turn.before is not None:
        # Too few were drawn, which goes on and is not taken back.
        return not Play.of(turn, turn.before).changed
    return bool(finding.fault & _OWN_WORDS)
