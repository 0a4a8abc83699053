"""Which rows can give or take a tile, and whether the moves that are left can still make rows good.

What is said here of hope is necessary, not enough: it cuts off what cannot lead anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.repairs.contents import merged, minus, plus
from engine.repairs.moves import Position
from engine.repairs.problem import Problem


class Outlook:
    """The rows of one problem, as they are before any move and as moves have changed them."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._contents = contents = problem.contents
        self._takers: dict[int, list[int]] = {}
        self._givers: dict[int, list[int]] = {}
        self._holders: dict[int, list[int]] = {}
        for row, tiles in enumerate(problem.start.rows):
            for kind in contents.takes(tiles):
                self._takers.setdefault(kind, []).append(row)
            for kind in contents.spares(tiles):
                self._givers.setdefault(kind, []).append(row)
            for kind in set(tiles):
                self._holders.setdefault(kind, []).append(row)
        self._kinds = bytes(sorted(self._holders))

    def holders_of(self, position: Position, kind: int) -> Iterator[int]:
        """The rows that have a tile: untouched ones, then the others."""
        yield from _untouched(position, self._holders.get(kind, ()))
        for row in _touched(position):
            if kind in position.rows[row]:
                yield row

    def takers_of(self, position: Position, kind: int) -> Iterator[int]:
        """The rows that one such tile more makes good."""
        yield from _untouched(position, self._takers.get(kind, ()))
        for row in _touched(position):
            if position.rows[row] and kind in self._contents.takes(position.rows[row]):
                yield row

    def givers_of(self, position: Position, kind: int) -> Iterator[int]:
        """The rows that are good without one such tile, or nothing."""
        yield from _untouched(position, self._givers.get(kind, ()))
        for row in _touched(position):
            if kind in self._contents.spares(position.rows[row]):
                yield row

    def useful_kinds(self, tiles: bytes, moves: int) -> bytes:
        """The kinds of which one more may help a row to be good, with the move that brings it and so
        many more; for three, all that lie there."""
        contents = self._contents
        if moves == 1:
            return contents.takes(tiles)
        if moves > 2 or contents.is_in_one(tiles):
            return self._kinds
        # One move follows: another tile goes, or the row is parted.
        found = {kind for gone in set(tiles) for kind in contents.takes(minus(tiles, gone))}
        found.update(kind for kind in self._kinds if contents.partings(plus(tiles, kind), 2))
        return bytes(sorted(found.intersection(self._kinds)))

    def is_near(self, tiles: bytes) -> bool:
        """False when one move at it cannot make a row good, and it is neither good nor nothing."""
        contents = self._contents
        return bool(
            not tiles
            or contents.is_good(tiles)
            or contents.spares(tiles)
            or contents.takes(tiles)
            or contents.is_in_one(tiles)
            or contents.partings(tiles, 2)
        )

    def is_hope(self, position: Position, others: list[int], moves: int, *changed: bytes) -> bool:
        """False when so many moves cannot do any more, once rows have changed to these contents.

        `others` are bad rows that did not change.
        """
        is_good = self._contents.is_good
        bad = [tiles for tiles in changed if tiles and not is_good(tiles)]
        bad += [position.rows[other] for other in others]
        if len(bad) > 2 * moves:
            return False
        if moves == 1 and len(bad) == 2:
            return self._can_close_between(*bad)
        if moves == 1 and bad:
            return self._can_close_at(position, bad[0], [tiles for tiles in changed if tiles])
        return self.is_enough(bad, moves, 2 * moves)

    def is_enough(self, bad: Iterable[bytes], moves: int, reach: int) -> bool:
        """False when bad rows take more than so many moves, which are at `reach` rows together."""
        fewest = [max(1, self._contents.fewest_moves(tiles)) for tiles in bad]
        return sum(fewest) <= reach and max(fewest, default=0) <= moves

    def _can_close_between(self, one: bytes, other: bytes) -> bool:
        """Whether a move between two rows makes both good."""
        contents = self._contents
        is_good = contents.is_good
        return (
            any(is_good(plus(other, kind)) for kind in contents.spares(one))
            or any(kind in other and is_good(minus(other, kind)) for kind in contents.takes(one))
            or is_good(merged(one, other))
        )

    def _can_close_at(self, position: Position, tiles: bytes, changed: list[bytes]) -> bool:
        """False when no move makes a row good and leaves the others good."""
        contents, problem = self._contents, self._problem
        if contents.is_good(tiles):
            return True
        for kind in contents.spares(tiles):
            if kind in self._takers or problem.can_leave(position, kind):
                return True
            if any(kind in contents.takes(row) for row in changed):
                return True
        for kind in contents.takes(tiles):
            if kind in self._givers or any(kind == each for each, _ in problem.may_come):
                return True
            if any(kind in contents.spares(row) for row in changed):
                return True
        return bool(contents.partings(tiles, 2)) or contents.is_in_one(tiles)


def _untouched(position: Position, rows: Iterable[int]) -> Iterator[int]:
    return (row for row in rows if row not in position.touched)


def _touched(position: Position) -> list[int]:
    return sorted(position.touched - position.done)
