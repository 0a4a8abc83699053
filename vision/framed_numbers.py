"""Sets whose numbers stand in rings, or are left out of discs, hearts and plates.

Few people have one, and networks that know them tell black from blue less well under a window. So two
others are kept for them, and asked only where the usual ones make out the numbers of hardly any tile of
a picture: of 201 pictures from another hand three of such sets were so, with six tiles in ten in doubt
or more, and three of keys, calendars and other games. Of all others with tiles it was one tile in four
at most. What the others say is taken where it leaves less than half of that in doubt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from vision.many_jokers import too_many_jokers
from vision.placements import Face, Placement
from vision.reader import TableReader

FEWEST: Final = 6
"""So many bodies, backs aside, tell something of a set."""

MADE_OUT: Final = 0.95
"""Probability of its likeliest number, in whatever colour, from which that of a tile is made out."""

MOST_IN_DOUBT: Final = 0.5
"""Where more of the tiles are not made out, their reader is at a loss."""

MOST_OF_THEM: Final = 0.8
"""A part of the bodies that whoever knows them better has to see as well."""

FEWER: Final = 0.5
"""The part of what is in doubt that may be left then. Keys of a telephone are numbers on discs, and left
0.69 of it; of 30 sets with numbers in frames 28 left 0.48 at most."""


Sight = TypeVar("Sight")
"""What a reader sees in a picture, in whatever form."""


def by_who_knows_best(
    reader: TableReader,
    look: Callable[[TableReader], Sight],
    placements_in: Callable[[Sight], Sequence[Placement]],
) -> tuple[TableReader, Sight]:
    """What ``look`` sees in a picture, and by which reader: this one, or that of framed numbers which it
    has where that knows them better."""
    seen = look(reader)
    if not is_at_a_loss(placements_in(seen)) or (framed := reader.of_framed_numbers()) is None:
        return reader, seen
    otherwise = look(framed)
    if knows_them_better(placements_in(otherwise), placements_in(seen)):
        return framed, otherwise
    return reader, seen


def is_at_a_loss(placements: Sequence[Placement]) -> bool:
    """Whether whoever read these tiles could not make out most of their numbers."""
    made_out = _made_out(placements)
    return len(made_out) >= FEWEST and _in_doubt(made_out) > MOST_IN_DOUBT


def knows_them_better(others: Sequence[Placement], placements: Sequence[Placement]) -> bool:
    """Whether these ``others``, of the same picture, leave less in doubt and see nearly as much."""
    found, before = _made_out(others), _made_out(placements)
    if len(found) < MOST_OF_THEM * len(before):
        return False
    return _in_doubt(found) <= FEWER * _in_doubt(before)


def _in_doubt(made_out: Sequence[bool]) -> float:
    return 1 - sum(made_out) / max(1, len(made_out))


def _made_out(placements: Sequence[Placement]) -> list[bool]:
    """Of each body, backs aside, whether its number is; those of too many jokers may all be numbers."""
    bodies = [placement for placement in placements if placement.face is not Face.DOWN]
    jokers = too_many_jokers(bodies)
    return [
        not is_joker and _likeliest(body) >= MADE_OUT
        for body, is_joker in zip(bodies, jokers, strict=True)
    ]


def _likeliest(body: Placement) -> float:
    """The probability of the likeliest number, in all colours together, or of the joker."""
    numbers = defaultdict[int | None, float](float)
    for candidate in body.reading.candidates:
        numbers[candidate.tile.rank] += candidate.probability
    return max(numbers.values(), default=0.0)
