"""What is wrong with a turn however its doubtful tiles are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import Final

from engine.doubts.survey import MOST_READINGS, Doubts, Members, PossibleTurn
from engine.faults import Fault, Finding, Ruling
from engine.layout import LayoutReading, TileReading
from engine.ruleset import RuleSet, quotation
from engine.tiles import Tile
from engine.verdicts import SET_FAULTS, judge
from engine.wording import listed

_SET_NUMBER: Final = re.compile(r"\b(set) (\d+)\b(?! of the table before)", re.IGNORECASE)
"""How messages name a set of the judged layout."""

Kind = tuple[str, str, Members]
"""A fault, the rule that it breaks, and the set that breaks it; no tiles where it is the turn."""


def ruling_on(possible: PossibleTurn, rules: RuleSet, *, with_repairs: bool = False) -> Ruling:
    """The ruling on one thing the turn may be. Where tiles are none its melds are counted as the rows
    of the arrangement, which people see."""
    ruling = judge(possible.turn, rules, with_repairs=with_repairs)
    if not _is_renumbered(possible):
        return ruling
    findings = tuple(
        replace(
            item,
            meld=None if item.meld is None else possible.melds[item.meld][0],
            message=renumbered(item.message, possible),
        )
        for item in ruling.findings
    )
    questions = tuple(
        replace(item, text=renumbered(item.text, possible)) for item in ruling.questions
    )
    return replace(ruling, findings=findings, questions=questions)


def _is_renumbered(possible: PossibleTurn) -> bool:
    return any(number != place for place, (number, _) in enumerate(possible.melds))


def renumbered(text: str, possible: PossibleTurn) -> str:
    """A text of a ruling on a reading, its sets named by the rows they are of."""
    if not _is_renumbered(possible):
        return text
    melds = possible.melds
    return _SET_NUMBER.sub(lambda match: f"{match[1]} {melds[int(match[2]) - 1][0] + 1}", text)


def shared_findings(doubts: Doubts, count: int, first: PossibleTurn) -> tuple[Finding, ...]:
    """What is wrong in every one of `count` readings, none of which is legal; told as in the first."""
    found = _in_every_reading(doubts, first) if count <= MOST_READINGS else ()
    return found or _standing_findings(doubts, first) or (_no_legal_reading(doubts, first),)


def _in_every_reading(doubts: Doubts, first: PossibleTurn) -> tuple[Finding, ...]:
    """The findings that all readings have, looked at one by one; where they differ in no more than
    their evidence, the fault that is the same."""
    ruling = ruling_on(first, doubts.rules)
    shared, bad_sets = _facts(first, ruling, doubts), _bad_sets(first, ruling, doubts)
    kinds = _kinds(first, ruling, doubts)
    for possible in doubts.readings():
        if not shared and not bad_sets and not kinds:
            return ()
        other = ruling_on(possible, doubts.rules)
        facts = _facts(possible, other, doubts)
        shared = {
            fact: (item, row if facts[fact][1] == row else ())
            for fact, (item, row) in shared.items()
            if fact in facts
        }
        bad_sets &= _bad_sets(possible, other, doubts)
        same = _kinds(possible, other, doubts)
        kinds = {kind: item for kind, item in kinds.items() if kind in same}
    if doubts.too_many():
        return ()
    found = [item if row else replace(item, meld=None) for item, row in shared.values()]
    numbers = {members_of(first, number, doubts): number for number, _ in first.melds}
    said = {_kind(item, row) for item, row in shared.values()}
    for kind, item in kinds.items():
        if kind not in said:
            row = kind[-1]
            found.append(_otherwise(item, row, numbers.get(row), doubts))
            said.add(kind)
    told = {row for code, _, row in said if Fault[code] in SET_FAULTS}
    rows = sorted(bad_sets - told)
    return (
        *found,
        *(_no_set(numbers[row], row, doubts, _why(first, ruling, row, doubts)) for row in rows),
    )


def _standing_findings(doubts: Doubts, likeliest: PossibleTurn) -> tuple[Finding, ...]:
    """What is wrong with single sets however their tiles are read, without a look at every reading: sets
    of sure tiles, and rows that no filling makes a set."""
    everywhere = doubts.sets_everywhere()
    found = []
    ruling = ruling_on(likeliest, doubts.rules)
    for item in ruling.findings:
        row = members_of(likeliest, item.meld, doubts)
        sure = not any(doubts.choices[index].is_open for index in row)
        if sure and item.fault in SET_FAULTS and row in everywhere:
            found.append(item)
    for spot, parts in zip(doubts.spots[0], doubts.spaces[0].spots, strict=True):
        if spot.row is None or spot.too_many or len(spot.fillings) == 1:
            continue
        row = doubts.sets(0)[spot.row]
        if row in everywhere and not any(any(item.outcome) for item in parts):
            why = _why(likeliest, ruling, row, doubts)
            found.append(_no_set(spot.row, row, doubts, why))
    return tuple(sorted(found, key=lambda item: item.meld or 0))


def members_of(possible: PossibleTurn, number: int | None, doubts: Doubts) -> Members:
    """The tiles of a set by its number, which arrangements number differently: those of its row or its
    line. None for the turn as a whole, which has none."""
    if number is None:
        return ()
    if isinstance(doubts.reading.table, LayoutReading):
        return doubts.sets(possible.arrangement)[number]
    return possible.melds[number][1]


def _facts(
    possible: PossibleTurn, ruling: Ruling, doubts: Doubts
) -> dict[object, tuple[Finding, Members]]:
    """What is found, under a key that is equal in every reading that has it, and the set it lies in.

    Which number a set has depends on the arrangement, so keys leave it out; and where a finding is not
    about one set, so is the set at which a tile of it is pointed out.
    """
    found: dict[object, tuple[Finding, Members]] = {}
    times: Counter[object] = Counter()
    for item in ruling.findings:
        row = members_of(possible, item.meld, doubts)
        about = row if item.fault in SET_FAULTS else ()
        fact = item.code, about, tuple(sorted(item.tiles)), item.message.split(": ", 1)[-1]
        times[fact] += 1
        found[fact, times[fact]] = item, row
    return found


def _kinds(possible: PossibleTurn, ruling: Ruling, doubts: Doubts) -> dict[Kind, Finding]:
    """The first finding of each kind, whatever tiles it is about."""
    found: dict[Kind, Finding] = {}
    for item in ruling.findings:
        found.setdefault(_kind(item, members_of(possible, item.meld, doubts)), item)
    return found


def _kind(item: Finding, row: Members) -> Kind:
    return item.code, item.rule, row if item.fault in SET_FAULTS else ()


def _otherwise(item: Finding, row: Members, number: int | None, doubts: Doubts) -> Finding:
    """A fault that is there in every reading, each time of other tiles or another worth."""
    message = item.message.split(": ", 1)[-1]
    if row:
        assert number is not None, "a set that is in every reading has a number in the first"
        in_short = _no_set(number, row, doubts, message)
        return replace(
            item, meld=number, tiles=in_short.tiles, message=in_short.message, repair=None
        )
    doubt = _doubt(doubts, range(len(doubts.choices)))
    text = f"However {doubt}, this breaks a rule. Most likely: {message}"
    return replace(item, meld=None, tiles=(), message=text, repair=None)


def _bad_sets(possible: PossibleTurn, ruling: Ruling, doubts: Doubts) -> set[Members]:
    found = (item for item in ruling.findings if item.meld is not None)
    return {members_of(possible, f.meld, doubts) for f in found if f.fault in SET_FAULTS}


def _why(possible: PossibleTurn, ruling: Ruling, row: Members, doubts: Doubts) -> str:
    """What keeps a row from being a set in one reading; empty where another row is to blame there."""
    for item in ruling.findings:
        if item.fault in SET_FAULTS and members_of(possible, item.meld, doubts) == row:
            return item.message.split(": ", 1)[-1]
    return ""


def _no_set(number: int, row: Members, doubts: Doubts, most_likely: str) -> Finding:
    """What is wrong with a row that is a set in no reading: too few tiles, or not the same in each.

    The rule is the one by which there have to be sets: by it too few are wrong in every kind of set.
    What is not the same in each is told as it most likely is, and as no more than that.
    """
    readings = [doubts.reading.tiles[index] for index in row]
    sure = tuple(item.best for item in readings if item.sure and item.best is not None)
    words = _spoken(readings, doubts.rules.equipment.pieces)
    name, doubt = f"Set {number + 1} ({listed(words)})", f"however {_doubt(doubts, row)}"
    least = min(doubts.rules.run.least, doubts.rules.group.least)
    if len(row) == 1:
        fault, text = Fault.LOOSE_TILE, f"{words[0][0].upper()}{words[0][1:]} lies alone, {doubt}."
    elif len(row) < least:
        few = f"no more than {len(row)} {doubts.rules.equipment.pieces}, and a set has at least {least}"
        fault, text = Fault.SET_TOO_SHORT, f"{name} has {few}, {doubt}."
    else:
        fault, text = Fault.SET_INVALID, f"{name} is no legal set, {doubt}."
        text += f" Most likely: {most_likely}" if most_likely else ""
    return _wrong(fault, text, doubts.rules, number, sure)


def _spoken(readings: Iterable[TileReading], pieces: str) -> list[str]:
    """The tiles of a row in words, doubtful ones side by side counted: `black 7`, `2 doubtful tiles`."""
    words: list[str] = []
    for sure, some in groupby(readings, key=lambda item: item.sure):
        tiles = list(some)
        if sure:
            words += [item.best.spoken for item in tiles if item.best is not None]
        elif len(tiles) == 1:
            words.append(f"a doubtful {pieces.removesuffix('s')}")
        else:
            words.append(f"{len(tiles)} doubtful {pieces}")
    return words


def _no_legal_reading(doubts: Doubts, likeliest: PossibleTurn) -> Finding:
    """That nothing the turn may be is legal, where no fault is the same in all of it: told with a fault
    of what it most likely is, of sure tiles if there is one."""
    text = f"However {_doubt(doubts, range(len(doubts.choices)))}, this is not legal."
    faults = ruling_on(likeliest, doubts.rules).findings
    if faults:
        told = min(faults, key=lambda item: _open_tiles(item, likeliest, doubts))
        text += f" Most likely: {told.message}"
    return _wrong(Fault.SET_INVALID, text, doubts.rules, None, ())


def _open_tiles(item: Finding, possible: PossibleTurn, doubts: Doubts) -> int:
    """How many of the tiles that a finding is about are in doubt."""
    row = members_of(possible, item.meld, doubts)
    return sum(doubts.choices[index].is_open for index in row or range(len(doubts.choices)))


def _doubt(doubts: Doubts, among: Iterable[int]) -> str:
    """What is in doubt, of these tiles and of how all lie: `the doubtful tiles are read`."""
    pieces = doubts.rules.equipment.pieces
    found = ["are read"] if any(doubts.choices[index].is_open for index in among) else []
    found += ["lie together"] if len(doubts.spots) > 1 else []
    which = "the doubtful" if found[:1] == ["are read"] else "the"
    return f"{which} {pieces} {' and '.join(found or ['lie'])}"


def _wrong(
    fault: Fault, text: str, rules: RuleSet, meld: int | None, tiles: tuple[Tile, ...]
) -> Finding:
    rule = rules.rule_of(Fault.SET_INVALID)
    return Finding(fault.code, rule, quotation(rule), meld, tiles, text)
