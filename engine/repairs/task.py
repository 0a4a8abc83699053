"""What is the same for the repair of a turn on every table: to deepen, and to know when it is mended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, Protocol, TypeVar

from engine.examination import Play
from engine.examine import examine, play_of
from engine.faults import Fault, Finding
from engine.ruleset import RuleSet
from engine.tiles import Tile
from engine.turns import Turn
from engine.worlds import World, worlds_of

MOST_MOVES: Final = 3
"""How many moves a repair may have: beyond that, taking back the turn is the better advice."""


@dataclass(frozen=True, slots=True)
class Repair:
    """The smallest repair of a turn."""

    text: str
    """What to do, as `move blue 5 from set 2 to set 3`."""
    moves: int
    turn: Turn
    """The turn after it. Nothing is wrong with it, but that a player who has taken everything back has
    to draw."""


class Reached(Protocol):
    """A position of a search."""

    @property
    def left(self) -> bytes:
        """The tiles that the repair has taken off the table."""


_Position = TypeVar("_Position", bound=Reached)
_Found_co = TypeVar("_Found_co", bound=Reached, covariant=True)


class Searching(Protocol[_Found_co]):
    """A search for the repairs of one turn, which counts its steps across all depths."""

    @property
    def is_out(self) -> bool:
        """Whether the steps did not last: what was not found may be there all the same."""

    def best(self, moves: int, most_left: int) -> _Found_co | None:
        """The repair of just so many moves that takes the fewest tiles off the table, at most
        `most_left`; of equals the first in the order of the search."""


class Task(ABC, Generic[_Position]):
    """The search for the repair of one turn, for the answers of one world to what is open."""

    def __init__(self, turn: Turn, world: World, nodes: int | None = None) -> None:
        self.nodes = nodes
        """Steps that each search may take; None for as many as it takes by itself."""
        self.ran_out = False
        """Whether the steps did not last: what was not found may be there all the same."""
        self.turn = replace(turn, opened=world.opened)
        self.rules = world.rules
        self.findings = tuple(world.examination.findings)
        was, now = Counter(turn.tiles_before), Counter(turn.tiles_after)
        self.played = now - was
        self.gone = was - now
        self.strange = Counter[Tile]()
        """Tiles that came from nowhere. Cards may be drawn and played in one turn."""
        if turn.before is not None and turn.rack_before is not None and not self.rules.contracts:
            self.strange = self.played - Counter(turn.rack_before)

    def repair(self) -> Repair | None:
        """The repair of fewest moves, and of those the one that leaves most tiles on the table."""
        if not self.findings or self._is_beyond_repair():
            return None
        searches = list(self.searches())
        for moves in range(1, MOST_MOVES + 1):
            best: _Position | None = None
            for least, search in searches:
                most_left = moves if best is None else len(best.left) - 1
                if least <= moves:
                    best = search.best(moves, most_left) or best
            self.ran_out = any(search.is_out for _, search in searches)
            if best is not None:
                return self._repair(best, moves)
            if self.ran_out:
                return None
        return None

    @abstractmethod
    def searches(self) -> Iterable[tuple[int, Searching[_Position]]]:
        """What is searched, each with the fewest moves it takes."""

    @abstractmethod
    def turns(self, position: _Position) -> Iterable[Turn]:
        """The turns that a position may be."""

    @abstractmethod
    def words(self, position: _Position, mended: Turn) -> str:
        """A repair as one phrase; `mended` is the turn after it."""

    def is_mended(self, position: _Position) -> bool:
        """Whether a position is a repair."""
        return self._mended(position) is not None

    def examine(self, turn: Turn) -> tuple[Sequence[Finding], RuleSet]:
        """What is wrong with a turn under the first answer to what is still open under which something
        is, and the rules with that answer."""
        first = examine(turn, self.rules, turn.opened is not False, play_of(turn))
        is_open = [name for name in first.depends_on if self.rules.is_open(name)]
        if all(self._is_an_answer(name) for name in is_open) and first.findings:
            # What is so by default is one of the answers: no need to look at the others.
            return first.findings, self.rules
        if not is_open:
            return (), self.rules
        for world in worlds_of(turn, self.rules):
            if not world.examination.legal:
                return world.examination.findings, world.rules
        return (), self.rules

    def _is_beyond_repair(self) -> bool:
        """Whether there is nothing to mend but a draw, or a tile is there too often that no move takes
        away: one from the rack only goes back to it."""
        turn, came = self.turn, self.strange
        if turn.before is None:
            came = Counter(turn.tiles_after)
        if turn.rack_before is not None and turn.rack_after is not None:
            came = came + (Counter(turn.rack_after) - (Counter(turn.rack_before) - self.played))
        return self._has_only_to_draw(turn, self.findings) or any(
            item.fault & Fault.TOO_MANY_COPIES
            and len(item.tiles) - came[item.tiles[0]] > self._most(item)
            for item in self.findings
        )

    def _most(self, finding: Finding) -> int:
        """How many of a finding's tile the game has."""
        return self.rules.equipment.copies_of(finding.tiles[0])

    def _is_an_answer(self, name: str) -> bool:
        """Whether the value that an open switch has by default is one of those to choose from."""
        switch = self.rules.switches[name]
        return switch.print(self.rules.value_of(name)) in switch.open_values

    def _mended(self, position: _Position) -> Turn | None:
        """The first turn that a position may be with which nothing is wrong."""
        for turn in self.turns(position):
            findings, _ = self.examine(turn)
            if not findings or self._has_only_to_draw(turn, findings):
                return turn
        return None

    def _has_only_to_draw(self, turn: Turn, findings: Iterable[Finding]) -> bool:
        """Whether the table lies as before, and all that is wrong is that nothing was drawn."""
        if turn.before is None or any(not item.fault & Fault.NO_RACK_TILE for item in findings):
            return False
        play = Play.of(turn, turn.before)
        return not play.changed and not play.played

    def _repair(self, position: _Position, moves: int) -> Repair:
        mended = self._mended(position)
        if mended is None:
            raise AssertionError("what the search found is no repair")
        return Repair(self.words(position, mended), moves, mended)
