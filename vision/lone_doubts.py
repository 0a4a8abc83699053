"""What lies alone, or by twos, and is in doubt: it may be no tile at all.

A name on a score pad, a biscuit or a field of a puzzle may look so much like a tile that a network says
which one it may be, and hardly that it may be none. Beside tiles that are surely read it would be one of
their row. Where it hangs together with none, nothing but itself speaks for it, and two tiles or fewer
are no set whatever they are: somebody would be accused of a thing that nobody could read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.lying_beside import lying_beside
from vision.placements import Face, Placement
from vision.tracking.places import hanging_together

FEW: Final = 2
"""So many, all of them in doubt, that hang together with no others."""


def with_lone_doubts(placements: Sequence[Placement]) -> list[Placement]:
    """The placements, of which those that lie so may be none."""
    up = np.array([n for n, p in enumerate(placements) if p.face is not Face.DOWN], np.intp)
    told = list(placements)
    if not any(_is_open(placements[n]) for n in up):
        return told
    for together, _ in hanging_together(lying_beside([placements[n] for n in up])):
        numbers = up[together]
        if len(numbers) <= FEW and not any(placements[n].reading.sure for n in numbers):
            for number in numbers:
                placement = placements[number]
                told[number] = replace(
                    placement, reading=replace(placement.reading, may_be_none=True)
                )
    return told


def _is_open(placement: Placement) -> bool:
    """Whether it is in doubt, but not whether it is a tile."""
    return not placement.reading.sure and not placement.reading.may_be_none
