"""Judging what was read rather than what is known: every reading still possible is played through.

All readings legal is LEGAL, all illegal is ILLEGAL, anything else is ASK with the cheapest question that
settles most (`engine.questions`). What a reading may be, and what may correct it, stands in
`engine.possible`. What physics rules out, a third copy of a tile, is left out; what the rules forbid
never is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.doubts.asking import (
    best_question,
    certainty,
    copies_question,
    lying_question,
    question_in_the_dark,
)
from engine.doubts.findings import members_of, ruling_on, shared_findings
from engine.doubts.space import Space
from engine.doubts.survey import MOST_READINGS, Doubts, PossibleTurn, Survey, survey_of
from engine.doubts.table_before import ruling_on_all, turns_begun
from engine.faults import Finding, Ruling, Verdict
from engine.layout import GridReading, LayoutReading
from engine.possible import AFTER, Count, Spot
from engine.ruleset import RuleSet
from engine.second_look import LIKELY_HINT, confusions, second_looks
from engine.turn_reading import TurnReading
from engine.verdicts import SET_FAULTS
from engine.worlds import common_findings


def judge_reading(reading: TurnReading | LayoutReading | GridReading, rules: RuleSet) -> Ruling:
    """The ruling on a turn as read; of a table as read, without anything else that is known.

    Promised: LEGAL and ILLEGAL hold for whatever each tile may be, its candidates, no tile where the
    reading says so, and any other tile of the game where the candidates leave more than REAL_DOUBT; for
    each arrangement; for every answer to what nobody has said; and for each table that the turn may have
    begun with (`engine.doubts.table_before`). So a table with a tile in such doubt
    is never LEGAL, and ILLEGAL only where no tile could mend it.
    ILLEGAL holds also where any one confusion happened that the readings hint at (`engine.second_look`):
    otherwise it is asked about. Beside others a finding is left out that a likely one would mend.
    Not promised: that several tiles in small doubt are not all something else at once, together less
    likely than REAL_DOUBT.

    A finding is stated only when it holds in every reading; its `meld` counts in the first
    arrangement, on a board in the lines of the first reading that is possible. A question about a tile
    names its index in `TurnReading.tiles`; ask again with `with_tile(...)`. How far rulings are exact
    where very much is in doubt stands in docs/referee.md. Raises ValueError for a tile that the game
    does not have.
    """
    if not isinstance(reading, TurnReading):
        reading = TurnReading(reading)
    if reading.is_table_alone:
        rules = rules.for_table_alone()
    if reading.doubts_before:
        begun = turns_begun(reading)
        return ruling_on_all(reading, ((each, _judged(each.reading, rules)) for each in begun))
    return _judged(reading, rules)


def _judged(reading: TurnReading, rules: RuleSet) -> Ruling:
    """The ruling on a turn whose table before, if there is one, is known."""
    doubts = Doubts(reading, rules)
    ruling = _ruling(doubts, survey_of(doubts))
    if ruling.verdict is Verdict.ILLEGAL:
        return _asked_first(doubts) or _without_what_is_mended(ruling, doubts)
    return ruling


def _asked_first(doubts: Doubts) -> Ruling | None:
    """What is asked before a turn with these doubts is called ILLEGAL; None where no second look leaves
    it a legal one."""
    for doubted in second_looks(doubts):
        survey = survey_of(doubted)
        if survey is not None and (whole := survey.whole) and not any(map(any, whole)):
            continue
        ruling = _ruling(doubted, survey)
        if ruling.verdict is Verdict.ASK:
            return ruling
    return None


def _without_what_is_mended(ruling: Ruling, doubts: Doubts) -> Ruling:
    """The ruling without what no longer holds where a likely confusion happened; where that leaves
    nothing all is told."""
    held = ruling.findings
    for look in confusions(doubts.reading, LIKELY_HINT) if len(held) > 1 else ():
        doubted = Doubts(look, doubts.rules, doubts.rows)
        others = _ruling(doubted, survey_of(doubted)).findings
        held = tuple(item for item in held if _is_among(item, others))
    return replace(ruling, findings=held or ruling.findings)


def _is_among(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether others are about the same set, each for its reason, or find the same fault of the turn."""
    if finding.meld is not None and finding.fault in SET_FAULTS:
        return any(o.meld == finding.meld and o.fault in SET_FAULTS for o in others)
    return any(o.code == finding.code for o in others)


def _ruling(doubts: Doubts, survey: Survey | None) -> Ruling:
    """The ruling on a turn whose doubts are these, by what all its readings come to."""
    if survey is None:
        return _in_the_dark(doubts)
    whole = survey.whole
    first = next(doubts.readings(), None)
    if first is None:
        return _in_the_dark(doubts) if doubts.too_many() else _ask_for_copies(doubts)
    rules, count = doubts.rules, sum(number for number, _ in whole.values())
    if count == 1:
        return ruling_on(first, rules, with_repairs=None not in first.tiles)
    unchecked = ruling_on(first, rules).unchecked
    verdicts = {legal for outcome in whole for legal in outcome}
    if verdicts == {True} and (doubts.is_whole or doubts.by_sets):
        return _legal(survey, unchecked)
    if verdicts == {False}:
        return _illegal(doubts, shared_findings(doubts, count, first), unchecked)
    question = best_question(survey, first)
    if question is None:
        return _in_the_dark(doubts)
    return Ruling(Verdict.ASK, (), (question,), unchecked)


def _illegal(doubts: Doubts, findings: tuple[Finding, ...], unchecked: tuple[str, ...]) -> Ruling:
    """The ruling when no reading that was weighed is legal. Where the tiles may lie in more ways than
    are weighed, only what is wrong with sets that all of them have is wrong."""
    if not doubts.is_whole:
        there = doubts.sets_everywhere()
        sets = doubts.sets(0)
        findings = tuple(
            item
            for item in findings
            if item.meld is not None and item.fault in SET_FAULTS and sets[item.meld] in there
        )
        if not findings:
            return Ruling(Verdict.ASK, (), (lying_question(doubts),), unchecked)
    return Ruling(Verdict.ILLEGAL, findings, (), unchecked)


def _legal(survey: Survey, unchecked: tuple[str, ...]) -> Ruling:
    """The ruling when all readings are legal: what could not be checked in any of them is said."""
    left = [*unchecked, *survey.doubts.defaults()]
    for item in survey.played:
        left += item.worlds[0].examination.unchecked
    advice = [world.examination.advice for item in survey.played for world in item.worlds]
    common = common_findings(advice) if advice else ()
    return Ruling(Verdict.LEGAL, unchecked=tuple(dict.fromkeys(left)), advice=common)


def _ask_for_copies(doubts: Doubts) -> Ruling:
    """Every reading has too many of a tile, so one was misread, sure or not: ask for the least sure.

    Sets without such a tile are judged all the same: what is wrong in them stays wrong.
    """
    likeliest = doubts.likeliest()
    moments, facts = doubts.moments, doubts.facts
    present = {i: tile for i, tile in enumerate(likeliest.tiles) if tile is not None}
    counts = Counter((moments[i][0], tile) for i, tile in present.items()) + facts.there
    crowded = {count for count, number in counts.items() if number > facts.most(count)}
    ruling = ruling_on(likeliest, doubts.rules)
    standing = _without(crowded, ruling.findings, likeliest, doubts)
    if standing and len(doubts.spots) == 1:
        return Ruling(Verdict.ILLEGAL, standing, (), ruling.unchecked)
    suspects = [i for i, tile in present.items() if (moments[i][0], tile) in crowded]
    index = min(suspects or present, key=lambda i: certainty(doubts, i))
    told = (moments[index][0], present[index])
    alike = tuple(i for i in suspects if (moments[i][0], present[i]) == told)
    question = copies_question(doubts, index, present[index], alike)
    return Ruling(Verdict.ASK, (), (question,), ruling.unchecked)


def _without(
    crowded: set[Count], findings: Sequence[Finding], likeliest: PossibleTurn, doubts: Doubts
) -> tuple[Finding, ...]:
    """The findings about sets of sure tiles, none of which is there too often."""
    found = []
    for item in findings:
        row = members_of(likeliest, item.meld, doubts)
        tiles = ((AFTER, likeliest.tiles[index]) for index in row)
        sure = all(doubts.reading.tiles[index].sure for index in row)
        if item.fault in SET_FAULTS and sure and not crowded.intersection(tiles):
            found.append(item)
    return tuple(found)


def _in_the_dark(doubts: Doubts) -> Ruling:
    """What can be said when there are too many readings: sets that fail whatever their tiles are,
    or a table alone whose sets all hold whatever they are; otherwise ask."""
    seen = [_outcomes(*item) for item in zip(doubts.spots, doubts.spaces, strict=True)]
    possible = [outcomes for outcomes in seen if all(outcomes)]
    if not possible:
        return _ask_for_copies(doubts)
    likeliest = doubts.likeliest()
    unchecked = ruling_on(likeliest, doubts.rules).unchecked
    if all({False} in outcomes for outcomes in possible):
        findings = shared_findings(doubts, MOST_READINGS + 1, likeliest)
        return _illegal(doubts, findings, unchecked)
    if doubts.by_sets and all(found == {True} for outcomes in possible for found in outcomes):
        return Ruling(Verdict.LEGAL, unchecked=unchecked)
    undecided = {
        index
        for spots, outcomes in zip(doubts.spots, seen, strict=True)
        for spot, found in zip(spots, outcomes, strict=True)
        for index, _ in spot.fillings[0].tiles
        if len(found) > 1
    }
    question = question_in_the_dark(doubts, undecided)
    return Ruling(Verdict.ASK, (), (question,), unchecked)


def _outcomes(spots: Sequence[Spot], space: Space) -> list[set[bool]]:
    """For each spot whether its sets hold in some filling and whether they fail in some; empty where no
    filling of it is possible."""
    return [
        {True, False} if spot.too_many else {legal for item in parts for legal in item.outcome}
        for spot, parts in zip(spots, space.spots, strict=True)
    ]
