"""The repair of a turn on a table where sets lie apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from engine.examination import as_laid, same_set
from engine.faults import Fault
from engine.packing import packed_content
from engine.repairs.contents import Contents, KeptContents, SetContents, SetRules
from engine.repairs.joker_rows import Home, JokerRows
from engine.repairs.laying import Layer, start_of
from engine.repairs.moves import DISCARD, RACK, Position
from engine.repairs.problem import Problem, Wanted
from engine.repairs.search import MOST_NODES, Search
from engine.repairs.task import Task
from engine.repairs.wants import NARROW, wanted_for
from engine.repairs.words import told
from engine.ruleset import RuleSet
from engine.sets import is_set
from engine.tiles import JOKER
from engine.turns import Turn
from engine.worlds import World

_KEPT_RULES: Final = 8
_JOKER: Final = bytes((JOKER.kind,))


class TableTask(Task[Position]):
    """The searches for one turn: for the table as it was before, which is no play, and for one with a
    play."""

    def __init__(self, turn: Turn, world: World, nodes: int | None = None) -> None:
        super().__init__(turn, world, nodes)
        self._cards = self.rules.contracts is not None
        self._layer = Layer(self.turn, self.rules)
        # In games of cards a joker may go to the hand, and so need not come back.
        owed = (t for t in self.gone.elements() if not (self._cards and t.is_joker))
        self._start = start_of(self.turn, owed)
        self._strange = packed_content(self.strange.elements())
        self._played = packed_content(self.played.elements())
        self._is_beside = any(item.fault & NARROW for item in self.findings)
        """Whether something is wrong that few moves mend: then these are tried first."""
        self._jokers = JokerRows(self.turn, self.rules, self._played, self._layer.stand_ins_of)

    def searches(self) -> Iterator[tuple[int, Search]]:
        """For the table as it was before, which is no play, and for one with a play."""
        turn = self.turn
        melds = list(enumerate(turn.after.melds))
        stand = {as_laid(meld.packed) for meld in turn.let_stand}
        unordered = {
            row
            for row, meld in melds
            if not is_set(meld.tiles, self.rules) and as_laid(meld.packed) not in stand
        }
        if turn.before is not None and not self._cards:
            keys = {same_set(meld) for meld in turn.before.melds}
            other = {row for row, meld in melds if same_set(meld) not in keys}
            contents = KeptContents(self._contents_before())
            yield len(self._played), self._search(contents, unordered | other)
            too_late = any(item.fault & Fault.TIME_OVER for item in self.findings)
            if not self._played or too_late:
                return
        yield 1, self._search(self._contents(), unordered)

    def turns(self, position: Position) -> Iterator[Turn]:
        """For each way that the rows may lie."""
        return self._layer.turns(position, self._strange)

    def words(self, position: Position, mended: Turn) -> str:
        """Sets have the numbers they have in the turn."""
        return told(position, self.turn, mended, self._strange)

    def _contents_before(self) -> set[bytes]:
        before = self.turn.before
        return {packed_content(meld.tiles) for meld in before.melds} if before else set()

    def _contents(self) -> Contents:
        """What rows may hold in the end: sets, and what was let stand; and in an initial meld that comes
        from the rack alone, rows as before the turn and sets of what was played."""
        sets, opening, turn = _sets_of(self.rules), self.rules.opening, self.turn
        from_rack = opening.kind == "points" and opening.source == "rack_sets"
        name = "opening.same_turn_extension"
        may_go_on = opening.same_turn_extension and not self.rules.is_open(name)
        if turn.before is None or turn.opened or not from_rack or may_go_on:
            stand = [packed_content(meld.tiles) for meld in turn.let_stand]
            return KeptContents(stand, sets) if stand else sets
        return KeptContents(self._contents_before(), sets, self._played)

    def _search(self, contents: Contents, unordered: set[int]) -> Search:
        rows = self._start.rows
        problem = Problem(
            start=self._start,
            contents=contents,
            unordered=frozenset(row for row in unordered if contents.is_good(rows[row])),
            may_leave=Counter(self._played),
            strange=self._strange,
            may_come=tuple(self._coming()),
            may_be_goal=lambda position: self._jokers.may_lie_so(position.rows, position.left),
            homes=self._homes,
            goal=self.is_mended,
            wanted=self._wanted,
        )
        return Search(problem, MOST_NODES if self.nodes is None else self.nodes)

    def _homes(self, position: Position) -> tuple[Home, ...]:
        return self._jokers.missing_homes(position.rows, position.left)

    def _coming(self) -> Iterator[tuple[int, int]]:
        """In games of cards: the cards discarded, jokers that went to the hand, and the one card of a
        player who had none, which must be played where it can be."""
        turn = self.turn
        if not self._cards:
            return
        yield from ((card.kind, DISCARD) for card in turn.discard or ())
        yield from ((card.kind, RACK) for card in self.gone.elements() if card.is_joker)
        if turn.rack_before == ():
            yield from ((card.kind, RACK) for card in (turn.rack_after or ())[:1])

    def _wanted(self, position: Position) -> Iterable[Wanted]:
        """What is to be done, for each way that the rows of a position may lie."""
        if not self._is_beside and not self._jokers.may_lie_so(position.rows, position.left):
            jokers = (row for row, tiles in enumerate(position.rows) if tiles[-1:] >= _JOKER)
            home = next(iter(self._homes(position)), None)
            return (Wanted(rows=frozenset(jokers), back=home is None, home=home),)
        found: dict[Wanted, None] = {}
        for turn in self.turns(position):
            findings, rules = self.examine(turn)
            wanted = wanted_for(findings, position, turn, rules)
            if wanted is not None:
                found[wanted] = None
        return found


def _sets_of(rules: RuleSet) -> SetContents:
    """The sets of a table, which keep what was worked out for earlier turns."""
    return _kept_sets(SetRules.of(rules))


@lru_cache(maxsize=_KEPT_RULES)
def _kept_sets(of: SetRules) -> SetContents:
    return SetContents(of.rules)
