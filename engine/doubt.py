"""Judging what was read rather than what is known: every reading still possible is played through.

All readings legal is LEGAL, all illegal is ILLEGAL, anything else is ASK with the question that
settles most. What a reading may be stands in `engine.possible`. What physics rules out, a third copy
of a tile, is left out; what the rules forbid never is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from engine.faults import NO_TILE, Fault, Finding, Question, Ruling, Verdict
from engine.layout import Layout, LayoutReading
from engine.possible import Choice, PossibleTable, choices_of, possible_tables
from engine.ruleset import RuleSet, quotation
from engine.tiles import Tile
from engine.turns import Turn
from engine.verdicts import SET_FAULTS, judge

MOST_READINGS: Final = 600
"""How many readings of a table are played through. One unread tile beside three tiles of two
candidates each is 424, eleven tiles that may each be something else are 573; what goes beyond is
better asked than computed."""

_SET_NUMBER: Final = re.compile(r"\b(set) (\d+)\b(?! of the table before)", re.IGNORECASE)
"""How messages name a set of the judged layout."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One thing the table may be, judged; findings name rows of its arrangement."""

    arrangement: int
    tiles: tuple[Tile | None, ...]
    weight: float
    ruling: Ruling


def judge_reading(
    reading: LayoutReading,
    rules: RuleSet,
    before: Layout | None = None,
    *,
    rack_before: tuple[Tile, ...] | None = None,
    rack_after: tuple[Tile, ...] | None = None,
    opened: bool | None = None,
    elapsed_s: float | None = None,
    pool_empty: bool = False,
) -> Ruling:
    """The ruling on a table as read; the other arguments are the fields of `Turn`.

    Promised: LEGAL and ILLEGAL hold for whatever each tile may be, its candidates, no tile where the
    reading says so, and any other tile of the game where the candidates leave more than REAL_DOUBT.
    So a table with a tile in such doubt is never LEGAL, and ILLEGAL only where no tile could mend it.
    Not promised: that several tiles in small doubt are not all something else at once, together less
    likely than REAL_DOUBT.

    A finding is stated only when it holds in every reading; its `meld` counts in the first
    arrangement. A question about a tile names its index in `reading.tiles`; ask again with
    `reading.with_tile(...)`. Beyond MOST_READINGS readings sets are judged one by one, and when that
    does not settle the table the least certain tile is asked for.
    """
    turn = Turn(before, Layout(), rack_before, rack_after, opened, elapsed_s, pool_empty)
    choices = choices_of(reading, rules)
    tables = _all_tables(reading, choices)
    if tables is None:
        return _judge_set_by_set(reading, choices, turn, rules)
    possible = [table for table in tables if not _too_many(table.tiles, rack_after, rules)]
    if not possible:
        return _ask_for_copies(reading, choices, tables[0], turn, rules)
    if len(possible) == 1 and None not in possible[0].tiles:
        return judge(replace(turn, after=possible[0].layout), rules)
    readings = [_judged(table, turn, rules) for table in possible]
    verdicts = {item.ruling.verdict for item in readings}
    unchecked = readings[0].ruling.unchecked
    if verdicts == {Verdict.LEGAL}:
        return Ruling(Verdict.LEGAL, unchecked=unchecked)
    findings = _shared_findings(reading, readings, rules)
    if verdicts == {Verdict.ILLEGAL}:
        return Ruling(Verdict.ILLEGAL, findings or (_no_legal_reading(rules),), (), unchecked)
    question = _best_question(reading, choices, readings)
    return Ruling(Verdict.ASK, findings, (question,), unchecked)


def _all_tables(reading: LayoutReading, choices: Sequence[Choice]) -> list[PossibleTable] | None:
    """Everything the table may be; None beyond MOST_READINGS."""
    tables = list(islice(possible_tables(reading, choices), MOST_READINGS + 1))
    return tables if len(tables) <= MOST_READINGS else None


def _judged(table: PossibleTable, turn: Turn, rules: RuleSet) -> _Reading:
    """The ruling on one table. Where tiles are none its melds are counted as the rows of the
    arrangement, which people see."""
    ruling = judge(replace(turn, after=table.layout), rules, with_repairs=False)

    def renumbered(text: str) -> str:
        return _SET_NUMBER.sub(
            lambda match: f"{match[1]} {table.rows[int(match[2]) - 1] + 1}", text
        )

    if table.rows != tuple(range(len(table.rows))):
        findings = tuple(
            replace(
                item,
                meld=None if item.meld is None else table.rows[item.meld],
                message=renumbered(item.message),
            )
            for item in ruling.findings
        )
        questions = tuple(replace(item, text=renumbered(item.text)) for item in ruling.questions)
        ruling = replace(ruling, findings=findings, questions=questions)
    return _Reading(table.arrangement, table.tiles, table.weight, ruling)


def _too_many(
    tiles: Iterable[Tile | None], rack: tuple[Tile, ...] | None, rules: RuleSet
) -> frozenset[Tile]:
    """The kinds that are there more often than the game has them."""
    equipment = rules.equipment
    counts = Counter(tile for tile in tiles if tile is not None) + Counter(rack or ())
    return frozenset(
        tile
        for tile, count in counts.items()
        if count > (equipment.jokers if tile.is_joker else equipment.copies)
    )


def _shared_findings(
    reading: LayoutReading, readings: list[_Reading], rules: RuleSet
) -> tuple[Finding, ...]:
    """The findings that hold whatever the doubtful tiles are."""

    def members(item: _Reading, finding: Finding) -> tuple[int, ...] | None:
        """The tiles of a finding's set, which arrangements number differently."""
        if finding.meld is None:
            return None
        return reading.arrangements[item.arrangement][finding.meld]

    def facts(item: _Reading) -> set[object]:
        return {(f.code, members(item, f), f.tiles, _told(f)) for f in item.ruling.findings}

    def bad_sets(item: _Reading) -> set[tuple[int, ...] | None]:
        return {members(item, f) for f in item.ruling.findings if f.fault in SET_FAULTS}

    first = readings[0]
    shared = set.intersection(*map(facts, readings))
    found = [
        finding
        for finding in first.ruling.findings
        if (finding.code, members(first, finding), finding.tiles, _told(finding)) in shared
    ]
    told = {members(first, finding) for finding in found}
    for meld in sorted(filter(None, set.intersection(*map(bad_sets, readings)) - told)):
        if meld in reading.arrangements[0]:
            number = reading.arrangements[0].index(meld)
            text = f"Set {number + 1} is no legal set, however its doubtful tiles are read."
            sure = tuple(
                best for i in meld if reading.tiles[i].sure and (best := reading.tiles[i].best)
            )
            found.append(_finding(Fault.SET_INVALID, text, rules, number, sure))
    return tuple(found)


def _told(finding: Finding) -> str:
    """The message without its set number, which depends on the arrangement."""
    return finding.message.split(": ", 1)[-1]


def _finding(
    fault: Fault, text: str, rules: RuleSet, meld: int | None, tiles: tuple[Tile, ...]
) -> Finding:
    rule = rules.rule_of(fault)
    return Finding(fault.code, rule, quotation(rule), meld, tiles, text)


def _no_legal_reading(rules: RuleSet) -> Finding:
    text = "However the doubtful tiles are read, this is not legal."
    return _finding(Fault.SET_INVALID, text, rules, None, ())


def _best_question(
    reading: LayoutReading, choices: Sequence[Choice], readings: list[_Reading]
) -> Question:
    """The question whose answer leaves the least weight of readings undecided."""
    asking = [item.ruling.questions[0] for item in readings if item.ruling.questions]
    if len(asking) == len(readings):
        return asking[0]
    total = sum(item.weight for item in readings)
    scored = []
    for index in range(len(reading.tiles)):
        if len({item.tiles[index] for item in readings}) > 1:
            parts = _parts(readings, [item.tiles[index] for item in readings])
            scored.append((_settled(parts) / total, _agreement(parts), -index, index))
    if len({item.arrangement for item in readings}) > 1:
        parts = _parts(readings, [item.arrangement for item in readings])
        scored.append((_settled(parts) / total, _agreement(parts), 1, -1))
    if not scored:  # only how a row lies without what was taken for a tile: ask for that one
        scored = [(0.0, 0.0, 0, readings[0].tiles.index(None))]
    settled, _, _, index = max(scored)
    if settled == 0 and asking:
        return asking[0]
    if index < 0:
        return _arrangement_question(reading, readings)
    return _tile_question(reading, index, choices[index], {item.tiles[index] for item in readings})


def _parts(readings: list[_Reading], answers: list[object]) -> list[list[_Reading]]:
    """The readings parted by the answer to a question."""
    parts: dict[object, list[_Reading]] = {}
    for item, answer in zip(readings, answers, strict=True):
        parts.setdefault(answer, []).append(item)
    return list(parts.values())


def _settled(parts: list[list[_Reading]]) -> float:
    """The weight of the parts that have one verdict, and not ASK."""
    return sum(
        sum(item.weight for item in part)
        for part in parts
        if len({item.ruling.verdict for item in part}) == 1
        and part[0].ruling.verdict is not Verdict.ASK
    )


def _agreement(parts: list[list[_Reading]]) -> float:
    """The weight that sides with its part's commonest verdict, for when nothing is settled at once."""
    weights = 0.0
    for part in parts:
        by_verdict: Counter[Verdict] = Counter()
        for item in part:
            by_verdict[item.ruling.verdict] += item.weight  # type: ignore[assignment]
        weights += max(by_verdict.values())
    return weights


def _tile_question(
    reading: LayoutReading, index: int, choice: Choice, possible: Iterable[Tile | None]
) -> Question:
    """What is this tile? It offers what it was taken for; any other answer may be given, too."""
    left = set(possible)
    options = [tile for tile in choice.listed if tile in left]
    named = [tile.spoken for tile in options if tile is not None]
    if not named:
        text = f"{_place(reading, index)} could not be read. Which tile is it"
        return _open_question(text, index, None in options)
    named += ["another tile"] if left - set(options) else []
    named += ["no tile"] if None in options else []
    listed = " or ".join(filter(None, (", ".join(named[:-1]), named[-1])))
    labels = tuple(NO_TILE if tile is None else str(tile) for tile in options)
    return Question("tile", f"{_place(reading, index)}: is it {listed}?", labels, tile=index)


def _open_question(text: str, index: int, may_be_none: bool) -> Question:
    """A question that offers no tile in particular."""
    if may_be_none:
        return Question("tile", f"{text}, or is it none?", (NO_TILE,), tile=index)
    return Question("tile", f"{text}?", (), tile=index)


def _place(reading: LayoutReading, index: int) -> str:
    number, meld = next(
        (n, meld) for n, meld in enumerate(reading.arrangements[0]) if index in meld
    )
    return f"Tile {meld.index(index) + 1} of set {number + 1}"


def _arrangement_question(reading: LayoutReading, readings: list[_Reading]) -> Question:
    """Which tiles lie together? Sets on which all arrangements agree are left out of the options."""
    possible = sorted({item.arrangement for item in readings})
    agreed = set.intersection(*(set(reading.arrangements[number]) for number in possible))
    options = tuple(
        " | ".join(
            " ".join(str(reading.tiles[i]) for i in meld)
            for meld in reading.arrangements[number]
            if meld not in agreed
        )
        for number in possible
    )
    return Question("arrangement", "Which tiles lie together? " + " or ".join(options), options)


def _ask_for_copies(
    reading: LayoutReading,
    choices: Sequence[Choice],
    table: PossibleTable,
    turn: Turn,
    rules: RuleSet,
) -> Ruling:
    """Every reading has too many of a tile, so one was misread, sure or not: ask for the least sure.

    Sets without such a tile are judged all the same: what is wrong in them stays wrong.
    """
    tiles = table.tiles
    crowded = _too_many(tiles, turn.rack_after, rules)
    ruling = _judged(table, turn, rules).ruling
    melds = reading.arrangements[0]
    standing = tuple(
        finding
        for finding in ruling.findings
        if finding.meld is not None
        and finding.fault in SET_FAULTS
        and all(tiles[i] not in crowded and reading.tiles[i].sure for i in melds[finding.meld])
    )
    if standing and len(reading.arrangements) == 1:
        return Ruling(Verdict.ILLEGAL, standing, (), ruling.unchecked)
    present = {i: tile for i, tile in enumerate(tiles) if tile is not None}
    suspects = [i for i, tile in present.items() if tile in crowded] or list(present)
    index = min(suspects, key=lambda i: _certainty(reading, i))
    name, place = present[index].spoken, _place(reading, index)
    text = (
        f"{name[0].upper()}{name[1:]} was read more often than the game has it. "
        f"Which tile is {place[0].lower()}{place[1:]}"
    )
    question = _open_question(text, index, None in choices[index].listed)
    return Ruling(Verdict.ASK, (), (question,), ruling.unchecked)


def _certainty(reading: LayoutReading, index: int) -> float:
    """How sure the reader is of a tile: its best candidate's probability, 0 when unread."""
    candidates = reading.tiles[index].candidates
    return candidates[0].probability if candidates else 0.0


def _judge_set_by_set(
    reading: LayoutReading, choices: list[Choice], turn: Turn, rules: RuleSet
) -> Ruling:
    """What can be said when there are too many readings: sets that fail whatever their tiles are,
    or a table alone whose sets all hold whatever they are; otherwise ask."""

    def verdicts(row: tuple[int, ...]) -> set[Verdict]:
        alone = LayoutReading(tuple(reading.tiles[i] for i in row), ((tuple(range(len(row))),),))
        tables = _all_tables(alone, [choices[i] for i in row])
        possible = [item for item in tables or [] if not _too_many(item.tiles, None, rules)]
        judged = (_judged(item, Turn(None, Layout()), rules).ruling.verdict for item in possible)
        return set(judged) or set(Verdict)

    seen = {row: verdicts(row) for item in reading.arrangements for row in item}
    found = []
    for number, row in enumerate(reading.arrangements[0]):
        everywhere = all(row in item for item in reading.arrangements)
        if everywhere and seen[row] == {Verdict.ILLEGAL}:
            text = f"Set {number + 1} is no legal set, however its doubtful tiles are read."
            found.append(_finding(Fault.SET_INVALID, text, rules, number, ()))
    if found:
        return Ruling(Verdict.ILLEGAL, tuple(found))
    if turn.before is None and all(item == {Verdict.LEGAL} for item in seen.values()):
        return Ruling(Verdict.LEGAL)
    doubtful = [i for i, choice in enumerate(choices) if choice.is_open]
    if not doubtful:
        number_of = len(reading.arrangements)
        likeliest = [_Reading(n, (), 1.0, Ruling(Verdict.ASK)) for n in range(min(number_of, 4))]
        return Ruling(Verdict.ASK, (), (_arrangement_question(reading, likeliest),))
    undecided = {i for row, found_of in seen.items() if len(found_of) > 1 for i in row}
    index = min(doubtful, key=lambda i: (i not in undecided, _certainty(reading, i)))
    choice = choices[index]
    question = _tile_question(reading, index, choice, [*choice.listed, *choice.others])
    return Ruling(Verdict.ASK, (), (question,))
