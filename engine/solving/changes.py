"""The way to lay tiles that leaves most sets of a table as they are.

Some sets have to be touched: those that are none, and of any sets that cannot all stay, one. So the
sets touched are a smallest choice that hits each such conflict. The conflicts are found one at a time:
a smallest choice is tried, and where the tiles cannot be laid with all the others staying, these hold
another conflict. It is made as small as can be by touching more and more sets as long as nothing
helps. The first choice with which the tiles can be laid is a smallest of all. This is the method of
implicit hitting sets (Moreno-Centeno and Karp, "The implicit hitting set approach to solve
combinatorial optimization problems with an application to multigenome alignment", Operations Research
61, 2013).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Sets = frozenset[int]
"""Numbers of sets of the table."""
_Laid = TypeVar("_Laid")


class Conflicts:
    """Of which sets not all can stay, as far as that is known."""

    def __init__(self, known: Iterable[Sets] = ()) -> None:
        """Those that are known beforehand."""
        self.known = list(known)

    def fewest_touched(
        self,
        sets: Sequence[int],
        must: Sets,
        lay: Callable[[Sets], _Laid | None],
        most: int | None = None,
    ) -> _Laid | None:
        """What `lay` makes of a smallest choice of sets with which it makes anything.

        `must` are in every choice. What can be laid when some sets are touched has to be possible when
        more are. None for no choice, or none of `most` sets or fewer.
        """
        while True:
            touched = must | smallest_hitting([one for one in self.known if not one & must])
            if most is not None and len(touched) > most:
                return None
            laid = lay(touched)
            if laid is not None:
                return laid
            conflict = _conflict(sets, touched, lay)
            if not conflict:
                return None
            self.known.append(conflict)


def _conflict(sets: Sequence[int], touched: Sets, lay: Callable[[Sets], _Laid | None]) -> Sets:
    """Sets of which one has to be touched besides those that are, no more than need be; none where the
    tiles cannot be laid at all."""
    for number in sets:
        if number not in touched and lay(touched | {number}) is None:
            touched |= {number}
    return frozenset(sets) - touched


def smallest_hitting(conflicts: Sequence[Sets]) -> Sets:
    """A smallest set that holds a member of every conflict; none of these may be empty."""
    most = 0
    while True:
        found = _hitting(conflicts, frozenset(), most)
        if found is not None:
            return found
        most += 1


def _hitting(conflicts: Sequence[Sets], chosen: Sets, more: int) -> Sets | None:
    """A set that holds a member of every conflict, with at most so many more members."""
    unhit = min((one for one in conflicts if not one & chosen), key=len, default=None)
    if unhit is None:
        return chosen
    for number in sorted(unhit) if more else ():
        found = _hitting(conflicts, chosen | {number}, more - 1)
        if found is not None:
            return found
    return None
