"""Pictures of which not nearly all can be read: there a tile may be what no candidate names.

Thin strokes that are burnt out, a typeface like none the networks were trained on: the candidates of a
tile in doubt then are guesses, too, and none of them may be right. On drawn tables, evenings, racks,
sheets of thin digits and traced pictures the truth was not among the candidates of 7 in 624 doubtful
tiles where fewer than half of a picture's tiles were read surely, of 3 in 831 where fewer than nine in
ten were, and of 1 in 85 where more were, whose candidates said themselves that there is room. So what is
in doubt in a picture of which not nearly all is read is left open to any tile: nobody is accused because
of a list of guesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import fsum
from typing import Final

from engine.layout import Candidate, TileReading
from vision.placements import Face, Placement

SURELY_READ: Final = 0.9
"""Share of the tiles lying face up of which fewer are read surely where a picture is hardly legible."""
FEWEST: Final = 4
"""Fewer tiles say nothing about a picture."""
ROOM: Final = 0.01
"""What is left there to the tiles that are not named: twice what counts as real doubt
(`engine.possible.REAL_DOUBT`)."""
NEARLY_SURE: Final = 0.97
"""The chance of a first candidate from which it is no guess there either."""


def with_room_for_others(placements: Sequence[Placement]) -> list[Placement]:
    """The tiles of a picture, with room for what is not named in each guess where not nearly all of
    them are read surely. Not promised: anything where people have said since which tiles they are."""
    up = [placement for placement in placements if placement.face is not Face.DOWN]
    sure = sum(placement.reading.sure for placement in up)
    if len(up) < FEWEST or sure >= SURELY_READ * len(up):
        return list(placements)
    return [
        replace(placement, reading=_less_certain(placement.reading))
        if _is_guess(placement.reading)
        else placement
        for placement in placements
    ]


def _is_guess(reading: TileReading) -> bool:
    candidates = reading.candidates
    return not reading.sure and bool(candidates) and candidates[0].probability < NEARLY_SURE


def _less_certain(reading: TileReading) -> TileReading:
    named = fsum(candidate.probability for candidate in reading.candidates)
    if named <= 1 - ROOM:
        return reading
    part = (1 - ROOM) / named
    candidates = tuple(Candidate(c.tile, c.probability * part) for c in reading.candidates)
    return replace(reading, candidates=candidates)
