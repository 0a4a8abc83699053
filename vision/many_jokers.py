"""More jokers than any set has are not all jokers.

A reader takes the digits of a maker that it does not know, such as one that prints a ring around each,
for faces. It doubts most of them, and is as sure as ever of some. Sets are sold with two jokers, or with
four, and for six players with eight; where a picture shows more tiles that look like one, in doubt or
not, each of them is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from vision.placements import Face, Placement

MOST: Final = 8
"""So many jokers the largest sets have."""


def with_many_jokers_in_doubt(placements: Sequence[Placement]) -> list[Placement]:
    """The placements of one picture, of which no joker is sure where there are too many."""
    return [
        replace(placement, reading=replace(placement.reading, sure=False))
        if is_one_of_too_many
        else placement
        for placement, is_one_of_too_many in zip(
            placements, too_many_jokers(placements), strict=True
        )
    ]


def too_many_jokers(placements: Sequence[Placement]) -> list[bool]:
    """Whether each looks like a joker, and more of them do than any set has."""
    jokers = [_looks_like_one(placement) for placement in placements]
    return jokers if sum(jokers) > MOST else [False] * len(jokers)


def _looks_like_one(placement: Placement) -> bool:
    best = placement.reading.best
    return placement.face is Face.UP and best is not None and best.is_joker
