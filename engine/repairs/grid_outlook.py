"""Whether the moves that are left can still mend a board, and which kinds of tiles can help.

As in `engine.repairs.outlook`, what is said of hope is necessary, not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from engine.repairs.grid_lines import EVERY_KIND, NO_KIND, Kinds, Lines, Wrong, has_kind, kinds_in
from engine.repairs.grid_position import Cell, GridPosition


class Look(NamedTuple):
    """Something wrong with a board, and what may mend it where it lies."""

    wrong: Wrong
    ends: tuple[Cell, ...]
    """The empty cells that a tile may be put in to change it."""
    content: bytes
    by_one: Kinds
    """The kinds of which one tile at an end makes a set of it."""
    by_two: Kinds
    """The kinds that make a set of it with a second tile."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The tiles that it is about."""
        return self.wrong.cells

    @property
    def by_any(self) -> Kinds:
        """The kinds that may take part in mending it."""
        return self.by_one | self.by_two


class Outlook:
    """What can become of the boards of one search."""

    def __init__(self, lines: Lines, start: GridPosition) -> None:
        self._lines = lines
        self.kinds = kinds_in((*start.cells.values(), *start.held))
        """Those of all tiles there are."""

    def look(self, position: GridPosition, wrong: Wrong) -> Look:
        """What is to be known of something wrong."""
        ends = tuple(end for end in wrong.ends if end not in position.cells)
        content = self._lines.content_of(position, wrong)
        by_one = self._lines.helping(position, wrong, ends)
        in_one_line = any(len({cell[axis] for cell in wrong.cells}) == 1 for axis in (0, 1))
        by_two = self._lines.mates(content) if in_one_line else EVERY_KIND
        return Look(wrong, ends, content, by_one, by_two)

    def helping(self, position: GridPosition, look: Look, moves: int) -> Kinds:
        """The kinds of which one that is taken up now may help to mend something where it lies."""
        found = look.by_one
        if moves > 1:
            found |= look.by_two
        for kind in set(position.held):
            found |= self._lines.thirds(look.content, kind)
        return found

    def is_enough(self, position: GridPosition, looks: list[Look], takes: int, puts: int) -> bool:
        """False when so many tiles taken up, and so many put down beside those that are held, cannot be
        at everything that is wrong.

        Something wrong is mended only by a move at it: one of its tiles is taken up, or a tile is put at
        one of its ends. One tile taken up or put down is at what crosses there.
        """
        if not looks:
            return True
        usable = kinds_in(position.held) | (self.kinds if puts else NO_KIND)
        puts += len(position.held)
        taking: dict[Cell, int] = {}
        putting: dict[Cell, int] = {}
        for number, look in enumerate(looks):
            for cell in look.cells:
                taking[cell] = taking.get(cell, 0) | 1 << number
            if look.by_one & usable or (puts > 1 and look.by_two & usable):
                for end in look.ends:
                    putting[end] = putting.get(end, 0) | 1 << number
        return _can_be_hit((1 << len(looks)) - 1, _largest(taking), _largest(putting), takes, puts)

    def can_wait(self, position: GridPosition, looks: list[Look]) -> bool:
        """False when the next tile that is put down has to be at something wrong."""
        usable, putting = kinds_in(position.held), dict[Cell, int]()
        for number, look in enumerate(looks):
            for end in look.ends if look.by_any & usable else ():
                putting[end] = putting.get(end, 0) | 1 << number
        puts = len(position.held) - 1
        return _can_be_hit((1 << len(looks)) - 1, (), _largest(putting), 0, puts)

    def can_be_put(
        self, position: GridPosition, looks: list[Look], room: Mapping[Cell, Kinds]
    ) -> bool:
        """False when there is no room at something wrong for any tile that is held, nor can be once
        others are put down."""
        held = position.held
        if not looks or any(self.goes_with_any(kind, held) for kind in held):
            return True
        usable = kinds_in(held)
        return all(any(room.get(end, NO_KIND) & usable for end in look.ends) for look in looks)

    def can_all_go(
        self, held: bytes, room: Iterable[Kinds], may_leave: Callable[[int], bool]
    ) -> bool:
        """False when not all tiles that are held can be put down: each has room now, or beside another
        of them, or may leave."""
        anywhere = _united(room)
        free = [kind for kind in set(held) if has_kind(anywhere, kind) or may_leave(kind)]
        if not free:
            return False
        return all(kind in free or self.goes_with_any(kind, held) for kind in set(held))

    def goes_with_any(self, kind: int, held: bytes) -> bool:
        """Whether a tile can be in one set with another that is held."""
        others = held.replace(bytes((kind,)), b"", 1)
        return any(self._lines.go_together(kind, other) for other in others)

    def beside(self, held: bytes, room: Iterable[Kinds]) -> Kinds:
        """The kinds that can be in one set with a tile that is held and has room nowhere."""
        anywhere = _united(room)
        found = NO_KIND
        for kind in set(held):
            if not has_kind(anywhere, kind):
                found |= self._lines.companions(kind)
        return found


def _united(room: Iterable[Kinds]) -> Kinds:
    found = NO_KIND
    for kinds in room:
        found |= kinds
    return found


def _largest(hits: dict[Cell, int]) -> tuple[int, ...]:
    """What one tile hits, less what hits no more than another does."""
    found = set(hits.values())
    return tuple(one for one in found if not any(one != two and one & two == one for two in found))


def _can_be_hit(
    left: int, taking: tuple[int, ...], putting: tuple[int, ...], takes: int, puts: int
) -> bool:
    """Whether all bits that are left are hit by so many of both."""
    if not left:
        return True
    first = left & -left
    for hit in taking if takes else ():
        if hit & first and _can_be_hit(left & ~hit, taking, putting, takes - 1, puts):
            return True
    for hit in putting if puts else ():
        if hit & first and _can_be_hit(left & ~hit, taking, putting, takes, puts - 1):
            return True
    return False
