"""Judging what was read rather than what is known: every reading still possible is played through.

All readings legal is LEGAL, all illegal is ILLEGAL, anything else is ASK with the question that
settles most. A tile the reader is sure of counts as its first candidate, a doubtful one as each of
its candidates, an unread one as any tile of the game. What physics rules out, a third copy of a tile,
is left out; what the rules forbid never is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Final

from engine.faults import Fault, Finding, Question, Ruling, Verdict
from engine.layout import Layout, LayoutReading
from engine.melds import Meld
from engine.ruleset import RuleSet, quotation
from engine.tiles import CARDS, TILES, Tile
from engine.turns import Turn
from engine.verdicts import SET_FAULTS, judge

MOST_READINGS: Final = 600
"""How many readings of a table are played through. One unread tile beside three tiles of two
candidates each is 424; what goes beyond is better asked than computed."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One thing the table may be."""

    arrangement: int
    tiles: tuple[Tile, ...]
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

    A finding is stated only when it holds in every reading; its `meld` counts in the first
    arrangement. A question about a tile names its index in `reading.tiles`; ask again with
    `reading.with_tile(...)`. Beyond MOST_READINGS readings sets are judged one by one, and when that
    does not settle the table the least certain tile is asked for.
    """
    turn = Turn(before, Layout(), rack_before, rack_after, opened, elapsed_s, pool_empty)
    candidates = _candidates(reading, rules)
    if prod(map(len, candidates)) * len(reading.arrangements) > MOST_READINGS:
        return _judge_set_by_set(reading, candidates, turn, rules)
    layouts = list(_layouts(reading, candidates))
    possible = [item for item in layouts if not _too_many(item[1], rack_after, rules)]
    if not possible:
        return _ask_for_copies(reading, layouts[0][1], turn, rules)
    if len(possible) == 1:
        return judge(replace(turn, after=_layout(reading, *possible[0][:2])), rules)
    readings = [
        _Reading(
            arrangement,
            tiles,
            weight,
            judge(
                replace(turn, after=_layout(reading, arrangement, tiles)), rules, with_repairs=False
            ),
        )
        for arrangement, tiles, weight in possible
    ]
    verdicts = {item.ruling.verdict for item in readings}
    unchecked = readings[0].ruling.unchecked
    if verdicts == {Verdict.LEGAL}:
        return Ruling(Verdict.LEGAL, unchecked=unchecked)
    findings = _shared_findings(reading, readings, rules)
    if verdicts == {Verdict.ILLEGAL}:
        return Ruling(Verdict.ILLEGAL, findings or (_no_legal_reading(rules),), (), unchecked)
    return Ruling(Verdict.ASK, findings, (_best_question(reading, readings),), unchecked)


def _candidates(reading: LayoutReading, rules: RuleSet) -> list[dict[Tile, float]]:
    """What each tile may be, with the probability the reader gives it."""
    deck = CARDS if rules.equipment.pieces == "cards" else TILES
    found = []
    for tile in reading.tiles:
        if not tile.candidates:
            found.append({kind: 1 / len(deck) for kind in deck})
            continue
        kept = tile.candidates[:1] if tile.sure else tile.candidates
        found.append({item.tile: item.probability for item in reversed(kept)})
    return found


def _layouts(
    reading: LayoutReading, candidates: list[dict[Tile, float]]
) -> Iterator[tuple[int, tuple[Tile, ...], float]]:
    """Every reading as arrangement, tiles and weight, the likeliest tiles first."""
    ranked = [sorted(item, key=lambda tile: -item[tile]) for item in candidates]
    for number in range(len(reading.arrangements)):
        for tiles in product(*ranked):
            chance = prod(item[tile] for item, tile in zip(candidates, tiles, strict=True))
            # Arrangements come ranked but without probabilities.
            yield number, tiles, chance / (number + 1)


def _layout(reading: LayoutReading, arrangement: int, tiles: tuple[Tile, ...]) -> Layout:
    return Layout.of([tiles[i] for i in meld] for meld in reading.arrangements[arrangement])


def _too_many(
    tiles: Iterable[Tile], rack: tuple[Tile, ...] | None, rules: RuleSet
) -> frozenset[Tile]:
    """The kinds that are there more often than the game has them."""
    equipment = rules.equipment
    counts = Counter(tiles) + Counter(rack or ())
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


def _best_question(reading: LayoutReading, readings: list[_Reading]) -> Question:
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
    settled, _, _, index = max(scored)
    if settled == 0 and asking:
        return asking[0]
    if index < 0:
        return _arrangement_question(reading, readings)
    seen = dict.fromkeys(item.tiles[index] for item in readings)
    return _tile_question(reading, index, tuple(seen))


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


def _tile_question(reading: LayoutReading, index: int, options: tuple[Tile, ...]) -> Question:
    """What is this tile? An unread one may be anything, so it lists no options."""
    number, meld = next(
        (number, meld) for number, meld in enumerate(reading.arrangements[0]) if index in meld
    )
    where = f"Tile {meld.index(index) + 1} of set {number + 1}"
    if not reading.tiles[index].candidates:
        return Question("tile", f"{where} could not be read. Which tile is it?", (), tile=index)
    named = [tile.spoken for tile in options]
    listed = " or ".join(filter(None, (", ".join(named[:-1]), named[-1])))
    text = f"{where}: is it {listed}?"
    return Question("tile", text, tuple(map(str, options)), tile=index)


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
    reading: LayoutReading, tiles: tuple[Tile, ...], turn: Turn, rules: RuleSet
) -> Ruling:
    """Every reading has too many of a tile, so one was misread, sure or not: ask for the least sure.

    Sets without such a tile are judged all the same: what is wrong in them stays wrong.
    """
    crowded = _too_many(tiles, turn.rack_after, rules)
    ruling = judge(replace(turn, after=_layout(reading, 0, tiles)), rules, with_repairs=False)
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
    suspects = [i for i, tile in enumerate(tiles) if tile in crowded] or list(range(len(tiles)))
    index = min(suspects, key=lambda i: _certainty(reading, i))
    number, meld = next((n, meld) for n, meld in enumerate(melds) if index in meld)
    text = (
        f"{tiles[index].spoken} was read more often than the game has it. "
        f"Which tile is number {meld.index(index) + 1} of set {number + 1}?"
    )
    question = Question("tile", text[0].upper() + text[1:], (), tile=index)
    return Ruling(Verdict.ASK, (), (question,), ruling.unchecked)


def _certainty(reading: LayoutReading, index: int) -> float:
    """How sure the reader is of a tile: its best candidate's probability, 0 when unread."""
    candidates = reading.tiles[index].candidates
    return candidates[0].probability if candidates else 0.0


def _judge_set_by_set(
    reading: LayoutReading, candidates: list[dict[Tile, float]], turn: Turn, rules: RuleSet
) -> Ruling:
    """What can be said when there are too many readings: sets that fail whatever their tiles are,
    or a table alone whose sets all hold whatever they are; otherwise ask."""

    def verdicts(meld: tuple[int, ...]) -> set[Verdict]:
        choices = [candidates[i] for i in meld]
        if prod(map(len, choices)) > MOST_READINGS:
            return set(Verdict)
        rows = (Layout((Meld.of(row),)) for row in product(*choices))
        return {judge(Turn(None, row), rules, with_repairs=False).verdict for row in rows}

    seen = {meld: verdicts(meld) for item in reading.arrangements for meld in item}
    found = []
    for number, meld in enumerate(reading.arrangements[0]):
        everywhere = all(meld in item for item in reading.arrangements)
        if everywhere and seen[meld] == {Verdict.ILLEGAL}:
            text = f"Set {number + 1} is no legal set, however its doubtful tiles are read."
            found.append(_finding(Fault.SET_INVALID, text, rules, number, ()))
    if found:
        return Ruling(Verdict.ILLEGAL, tuple(found))
    if turn.before is None and all(item == {Verdict.LEGAL} for item in seen.values()):
        return Ruling(Verdict.LEGAL)
    doubtful = [i for i, item in enumerate(candidates) if len(item) > 1]
    if not doubtful:
        number_of = len(reading.arrangements)
        likeliest = [_Reading(n, (), 1.0, Ruling(Verdict.ASK)) for n in range(min(number_of, 4))]
        return Ruling(Verdict.ASK, (), (_arrangement_question(reading, likeliest),))
    index = min(doubtful, key=lambda i: _certainty(reading, i))
    question = _tile_question(reading, index, tuple(candidates[index])[::-1])
    return Ruling(Verdict.ASK, (), (question,))
