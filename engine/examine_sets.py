"""What of a table is no set, and on which open house rules that rests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import filterfalse
from typing import Final

from engine.examination import Examination, as_laid
from engine.faults import Fault, Finding
from engine.layout import Layout
from engine.open_rules import MOST_JOKERS, SET_SWITCHES, deciding
from engine.packing import packed
from engine.ruleset import RuleSet
from engine.set_questions import SetQuestion, SetQuestions, mattering_to
from engine.set_readings import SetBook, book_of
from engine.sets import book_of_faults, faults_of_row
from engine.tiles import CARDS, TILES
from engine.turns import Turn
from engine.undecided import undecided

_NATURALS: Final = packed(tile for tile in (*TILES, *CARDS) if not tile.is_joker)
_KEPT_ROWS: Final = 1 << 7
"""Rows for which it is kept whether they lay there before: a turn is judged under several answers."""
_OF_JOKERS_ALONE: Final = (MOST_JOKERS,)
"""All that is open about sets in most games of tiles: no matter where there is no second joker."""


def examine_sets(turn: Turn, result: Examination) -> Examination:
    """What is no set, and why; and the open switches that rests on. Returned with what was found
    before."""
    _note_open_sets(turn.after, result)
    tell_no_sets(turn, result)
    return result


def tell_no_sets(turn: Turn, result: Examination, numbers: Sequence[int] | None = None) -> None:
    """What is no set by these rules, and why; those that hold by their defaults are told. With
    ``numbers`` all others are known to be sets."""
    if result.rules.assumed:
        _tell_assumed(turn.after, result)
    is_set, rows = book_of(result.rules).is_set_packed, turn.after.rows
    asked = rows if numbers is None else [rows[number] for number in numbers]
    wrong = frozenset(filterfalse(is_set, asked))
    let_stand = Counter(as_laid(meld.packed) for meld in turn.let_stand)
    for number in [number for number, row in enumerate(rows) if row in wrong] if wrong else ():
        row = rows[number]
        lay_there = turn.before is not None and _lies_among(row, turn.before.rows)
        if lay_there and let_stand[as_laid(row)] > 0:
            let_stand[as_laid(row)] -= 1  # one more like it is another one
            result.unchecked.append(f"set {number + 1} is none, and was let stand before this turn")
            continue
        lay_there = lay_there and as_laid(row) not in let_stand
        book = book_of_faults(row, result.rules)
        result.findings += result.questions.told(_why_no_set, book, row, number, lay_there)


def _why_no_set(
    rules: RuleSet, book: SetBook, row: bytes, number: int, lay_there: bool
) -> tuple[Finding, ...]:
    """Why the row of that number is no set by this book. Of the rules it matters alone which of their
    sentences a fault breaks, and that no house rule changes."""
    result = Examination(rules, SetQuestions.by(rules))
    old = ", as before the turn" if lay_there else ""
    for item in faults_of_row(row, book):
        name = "" if item.fault is Fault.LOOSE_TILE else f"set {number + 1}: "
        result.find(item.fault, name + item.message + old, item.tiles, number, item.kind)
    return tuple(result.findings)


@lru_cache(maxsize=_KEPT_ROWS)
def _lies_among(row: bytes, table: tuple[bytes, ...]) -> bool:
    """Whether a packed row is on a table, from whatever side it was read and in the same order."""
    alike = [other for other in table if len(other) == len(row) and not other.translate(None, row)]
    return bool(alike) and as_laid(row) in map(as_laid, alike)


def questions_of_sets(layout: Layout, questions: SetQuestions) -> dict[int, SetQuestion]:
    """What is asked about which rows of a table are sets, by their numbers, where that rests on anything
    open."""
    named = [(number, mattering_to(row), row) for number, row in enumerate(layout.rows)]
    asked = {number: questions.of(names, _is_set, row) for number, names, row in named if names}
    return {number: question for number, question in asked.items() if not question.is_settled}


def _note_open_sets(layout: Layout, result: Examination) -> None:
    """Note the open switches by one answer to which a meld is a set, and by another none."""
    still_open = result.rules.standing_of(SET_SWITCHES)[1]
    if not still_open:
        return
    rows: Sequence[bytes] = layout.rows
    if still_open == _OF_JOKERS_ALONE:
        jokers = layout.packed.translate(None, _NATURALS)
        rows = [row for row in rows if row.count(jokers[0]) > 1] if len(jokers) > 1 else []
    for row in rows:
        if names := mattering_to(row):
            result.by_sets(names, _is_set, row)


def _tell_assumed(layout: Layout, result: Examination) -> None:
    """Tell the switches that hold by their defaults, where a set is one by one of their values alone."""
    rules, rested = result.rules, set[str]()
    assumed = [name for name in SET_SWITCHES if name in rules.assumed]
    for meld in layout.melds if assumed else ():
        mattering = mattering_to(meld.packed)
        names = tuple(name for name in assumed if name in mattering)
        rested |= deciding(names, rules, partial(_is_set, meld.packed))
    if rested:
        result.unchecked += [default.words for default in undecided(rested, rules)]


def _is_set(row: bytes, rules: RuleSet) -> bool:
    return book_of(rules).is_set_packed(row)
