"""Doubtful readings in a short notation, and what they come to, slowly: every turn they may be, one by
one, judged under every answer.

Nothing of `engine.possible` or `engine.doubts` is used here; the rules of what may be are written out
once more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from engine.layout import Candidate, GridReading, LayoutReading, TileReading
from engine.referee import Question, Turn, TurnReading, Verdict, judge
from engine.ruleset import RuleSet
from engine.tiles import CARDS, TILES, Tile, parse_tile

REAL_DOUBT = 0.005


def tile_reading(text: str) -> TileReading:
    """`K7` sure, `K6/R6` doubtful between the two, `K7~` 97 % and otherwise anything, `?` unread;
    `!` behind it says that there may be no tile."""
    may_be_none = text.endswith("!")
    text = text.removesuffix("!")
    if text == "?":
        return TileReading((), False, may_be_none)
    names = text.removesuffix("~").split("/")
    left = 0.97 if text.endswith("~") else 1.0
    chances = (
        [left] if len(names) == 1 else [0.6, *[(left - 0.6) / (len(names) - 1)] * (len(names) - 1)]
    )
    candidates = tuple(
        Candidate(parse_tile(name), chance) for name, chance in zip(names, chances, strict=True)
    )
    sure = len(names) == 1 and left == 1.0 and not may_be_none
    return TileReading(candidates, sure, may_be_none)


def hand(text: str) -> tuple[TileReading, ...]:
    """The readings of a hand, as `R6/B6 K7`."""
    return tuple(map(tile_reading, text.split()))


def reading(*arrangements: str) -> LayoutReading:
    """A table from texts that part the same tiles in different ways; `-` is an empty one."""
    tiles = hand(arrangements[0].replace("|", " ").removeprefix("-"))
    parted = []
    for text in arrangements:
        count, melds = 0, []
        for meld in text.removeprefix("-").split("|"):
            length = len(meld.split())
            melds += [tuple(range(count, count + length))] if length else []
            count += length
        parted.append(tuple(melds))
    return LayoutReading(tiles, tuple(parted))


def board(*arrangements: str) -> GridReading:
    """A board from texts that put the same tiles, in the order of the first, in different cells."""
    words = [word for word in arrangements[0].replace("/ ", " ").split() if word != "."]
    parted = []
    for text in arrangements:
        left = {word: [i for i, other in enumerate(words) if other == word] for word in words}
        rows = [row.split() for row in text.split(" / ")]
        parted.append(
            tuple(tuple(None if w == "." else left[w].pop(0) for w in row) for row in rows)
        )
    return GridReading(tuple(map(tile_reading, words)), tuple(parted))


@dataclass(frozen=True)
class World:
    """One thing a turn may be."""

    arrangement: int
    tiles: tuple[Tile | None, ...]
    gaps: tuple[tuple[bool, ...], ...]
    """For each row that lost tiles between others, whether each gap is closed."""
    turn: Turn
    weight: float


def worlds(seen: TurnReading, rules: RuleSet) -> list[World]:
    """Every turn that readings and physics leave."""
    cards = rules.equipment.pieces == "cards"
    kinds = [_kinds(tile, CARDS if cards else TILES) for tile in seen.tiles]
    expected = _expected(seen, kinds)
    found = []
    for tiles in product(*[list(kind) for kind in kinds]):
        told = list(zip(tiles, kinds, seen.tiles, strict=True))
        strange = [
            1 - sum(c.probability for c in reading.candidates)
            for tile, kind, reading in told
            if kind[tile] and (reading.candidates or reading.may_be_none)
        ]
        if len(strange) > 1 and round(prod(strange), 12) <= REAL_DOUBT:
            continue
        if not _is_possible(seen, tiles, rules):
            continue
        weight = prod(
            _weight(tile, kind, reading, expected[index])
            for index, (tile, kind, reading) in enumerate(told)
        )
        for number in range(len(seen.table.arrangements)):
            for gaps, melds in _ways(seen, number, tiles):
                turn = seen.turn(tiles, number, melds)
                found.append(World(number, tiles, gaps, turn, weight / (number + 1)))
    return found


def _kinds(tile: TileReading, deck: Sequence[Tile]) -> dict[Tile | None, bool]:
    """What a tile may be, and whether that is something else than was listed."""
    if tile.sure:
        return {tile.best: False}
    listed = {candidate.tile: False for candidate in tile.candidates}
    rest = 1 - sum(candidate.probability for candidate in tile.candidates)
    others = {kind: True for kind in deck if kind not in listed} if rest > REAL_DOUBT else {}
    return {**listed, **({None: False} if tile.may_be_none else {}), **others}


def _expected(seen: TurnReading, kinds: Sequence[dict[Tile | None, bool]]) -> list[set[Tile]]:
    """For each tile of the table what it may be beside what is listed that was there and is missed."""
    known = seen.known
    missed: set[Tile] = set()
    if known.before is not None:
        was = Counter((*known.tiles_before, *(known.rack_before or ())))
        was += Counter(t.best for t in seen.rack_before or () if t.sure and t.best is not None)
        now = Counter((*(known.rack_after or ()), *(known.discard or ())))
        hands = (*(seen.rack_after or ()), *(seen.discard or ()))
        now += Counter(t.best for t in (*seen.table.tiles, *hands) if t.sure and t.best is not None)
        missed = set(was - now)
    if len(missed) > 4:
        missed = set()
    here = len(seen.table.tiles)
    return [
        {kind for kind in missed if kinds[i].get(kind)} if i < here else set()
        for i in range(len(kinds))
    ]


def _weight(
    tile: Tile | None, kinds: dict[Tile | None, bool], seen: TileReading, expected: set[Tile]
) -> float:
    if tile is None:
        return 0.5
    if not kinds[tile]:
        chances = [c.probability for c in seen.candidates if c.tile == tile]
        return 1.0 if seen.sure else chances[0]
    rest = 1 - sum(candidate.probability for candidate in seen.candidates)
    others = sum(kinds.values())
    if not expected:
        return rest / others
    return rest / 2 / others + (rest / 2 / len(expected) if tile in expected else 0)


def _is_possible(seen: TurnReading, tiles: Sequence[Tile | None], rules: RuleSet) -> bool:
    """Whether no tile is there too often at either moment, and hands hold as many as were counted."""
    where = ["table"] * len(seen.table.tiles) + [name for _, name in seen.hand_tiles()]
    known = seen.known
    was = [*known.tiles_before, *(known.rack_before or ())]
    now = [*(known.rack_after or ()), *(known.discard or ())]
    for tile, place in zip(tiles, where, strict=True):
        if tile is not None:
            (was if place == "rack_before" else now).append(tile)
    for tile, count in (*Counter(was).items(), *Counter(now).items()):
        if count > rules.equipment.copies_of(tile):
            return False
    for place, counted in (("rack_before", seen.held_before), ("rack_after", seen.held_after)):
        here = [i for i, name in enumerate(where) if name == place]
        least = sum(not seen.tiles[i].may_be_none for i in here)
        reached = counted is not None and least <= counted <= len(here)
        if reached and sum(tiles[i] is not None for i in here) != counted:
            return False
    return True


def _ways(
    seen: TurnReading, number: int, tiles: Sequence[Tile | None]
) -> Iterator[tuple[tuple[tuple[bool, ...], ...], list[tuple[int, ...]]]]:
    """Every way rows may lie without what is no tile: parted or closed at each gap."""
    if isinstance(seen.table, GridReading):
        yield (), []
        return
    parts = []
    for row in seen.table.arrangements[number]:
        text = "".join("x" if tiles[i] is None else "o" for i in row)
        pieces, start = [], 0
        for piece in text.split("x"):
            if piece:
                pieces.append(row[start : start + len(piece)])
            start += len(piece) + 1
        parts.append(pieces)
    for gaps in product(*[product((False, True), repeat=max(0, len(p) - 1)) for p in parts]):
        melds: list[tuple[int, ...]] = []
        for pieces, closed in zip(parts, gaps, strict=True):
            for place, piece in enumerate(pieces):
                if place and closed[place - 1]:
                    melds[-1] += piece
                else:
                    melds.append(piece)
        yield gaps, melds


def answers_of(rules: RuleSet) -> dict[str, tuple[str, ...]]:
    """Everything that nobody may have said, with its answers."""
    names = [name for name in rules.switches if rules.is_open(name)]
    return {"opened": ("yes", "no")} | {name: rules.switches[name].open_values for name in names}


def is_legal(turn: Turn, rules: RuleSet, said: dict[str, str]) -> bool:
    """Whether a turn is legal once everything is said."""
    choices = {name: value for name, value in said.items() if name != "opened"}
    opened = said["opened"] == "yes"
    if turn.before is not None and not turn.before.melds:
        opened = False
    if turn.opened is not None:
        opened = turn.opened
    if turn.before is None:
        opened = True
    settled = rules.with_house_rules(choices)
    verdict = judge(replace(turn, opened=opened), settled, with_repairs=False).verdict
    assert verdict is not Verdict.ASK, "nothing was left to ask"
    return verdict is Verdict.LEGAL


@dataclass(frozen=True)
class Case:
    """A world under one combination of answers."""

    world: World
    said: dict[str, str]
    legal: bool
    weight: float


def cases(seen: TurnReading, rules: RuleSet) -> list[Case]:
    """Every world under every combination of answers, all combinations alike."""
    names = answers_of(rules)
    combinations = [dict(zip(names, values, strict=True)) for values in product(*names.values())]
    return [
        Case(world, said, is_legal(world.turn, rules, said), world.weight / len(combinations))
        for world in worlds(seen, rules)
        for said in combinations
    ]


def verdict_of(found: Sequence[Case]) -> Verdict:
    """The ruling over all of them."""
    seen = {case.legal for case in found}
    return Verdict.ASK if len(seen) > 1 else Verdict.LEGAL if seen == {True} else Verdict.ILLEGAL


def value_of(question: Question, seen: TurnReading, found: Sequence[Case]) -> tuple[float, float]:
    """What a question settles for a tap, and what it teaches, as docs/referee.md defines it."""
    total = sum(case.weight for case in found)
    parts: dict[object, list[Case]] = {}
    for case in found:
        parts.setdefault(_answer(question, case), []).append(case)
    settled = sum(
        sum(case.weight for case in part)
        for part in parts.values()
        if len({case.legal for case in part}) == 1
    )
    learnt = sum(map(_commoner, parts.values())) - _commoner(found)
    taps = (
        sum(case.weight * _taps(question, _answer(question, case), seen) for case in found) / total
    )
    return round(settled / total / taps, 6), round(learnt / total / taps, 6)


def _answer(question: Question, case: Case) -> object:
    if question.kind == "tile" and question.tile is not None:
        return case.world.tiles[question.tile]
    if question.kind == "arrangement":
        return case.world.arrangement
    return case.said[question.rule or "opened"]


def _taps(question: Question, answer: object, seen: TurnReading) -> float:
    if question.kind == "house_rule":
        return 3.0
    if question.kind != "tile" or question.tile is None:
        return 1.0
    offered: set[object] = {c.tile for c in seen.tiles[question.tile].candidates}
    offered |= _expected(seen, [_kinds(t, (*TILES, *CARDS)) for t in seen.tiles])[question.tile]
    offered |= {None}
    return 1.0 if answer in offered else 3.0


def _commoner(found: Sequence[Case]) -> float:
    legal = sum(case.weight for case in found if case.legal)
    return max(legal, sum(case.weight for case in found) - legal)


def every_question(seen: TurnReading, rules: RuleSet, found: Sequence[Case]) -> list[Question]:
    """All questions whose answers differ among these."""
    questions = [Question("tile", "", (), tile=index) for index in range(len(seen.tiles))]
    questions += [Question("arrangement", "", ())]
    questions += [
        Question(
            "opened" if name == "opened" else "house_rule",
            "",
            (),
            rule=None if name == "opened" else name,
        )
        for name in answers_of(rules)
    ]
    return [q for q in questions if len({_answer(q, case) for case in found}) > 1]
