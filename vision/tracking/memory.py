"""What is known of one tile from all the times it was read.

Readings of one rest of the table show the same tile in the same light: where the first is wrong the
second mostly is, too. So they do not add up as if each told something new; they are averaged, as
logarithms, which makes nothing surer than it was and lets no stray reading win. What was read surely,
and what a person said, is kept while the tile is the same; a reading that is sure of another tile is
not talked away by it, but put beside it as a doubt.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.layout import Candidate, TileReading
from engine.tiles import Tile

UNLISTED: Final = 0.0025
"""The chance of a tile that a reading does not list: readers hand no candidate on below twice that."""
REMEMBERED: Final = 8
"""Readings of a rest that count: the newest."""
AGREEING: Final = 2
"""Sure readings of a rest that make a tile known, where they are half of them or more."""
MOST_CANDIDATES: Final = 5
_LEAST_CHANCE: Final = 2 * UNLISTED
HARDLY: Final = 0.00005
"""The chance of a tile that a reading does not even call unlikely, where it is asked what is."""
MOST_UNLIKELY: Final = 4


def pooled(readings: Sequence[TileReading]) -> TileReading:
    """What several readings of one tile in one light say together; at least one is given.

    The chance of each candidate is the geometric mean of its chances, beside those of the others.
    Sure is what two readings or more were sure of, if they are half of all; a single reading is
    returned as it is. Readings without candidates say nothing about which tile it is.
    """
    if len(readings) == 1:
        return readings[0]
    read = [reading for reading in readings if reading.candidates]
    if not read:
        return readings[-1]
    ranked = _likely(read)[:MOST_CANDIDATES]
    likely = [c for k, c in enumerate(ranked) if k == 0 or c.probability >= _LEAST_CHANCE]
    agreeing = sum(reading.sure and reading.best == likely[0].tile for reading in read)
    sure = agreeing >= AGREEING and 2 * agreeing >= len(readings)
    may_be_none = not sure and any(reading.may_be_none for reading in readings)
    named = {candidate.tile for candidate in likely}
    return TileReading(tuple(likely), sure, may_be_none, _unlikely(read, named))


def _likely(read: Sequence[TileReading]) -> list[Candidate]:
    """Every candidate with the geometric mean of its chances, the likeliest first.

    They and the mean of what the readings leave to anything else are made to add up to 1; but nothing
    is likelier than in its likeliest reading.
    """
    listed = [{c.tile: c.probability for c in reading.candidates} for reading in read]
    means = _means(listed, UNLISTED)
    left = [max(UNLISTED, 1.0 - math.fsum(chances.values())) for chances in listed]
    rest = math.exp(math.fsum(map(math.log, left)) / len(left))
    whole = math.fsum(c.probability for c in means) + rest
    most = {c.tile: max(chances.get(c.tile, UNLISTED) for chances in listed) for c in means}
    found = [Candidate(c.tile, min(c.probability / whole, most[c.tile])) for c in means]
    return sorted(found, key=lambda candidate: -candidate.probability)


def _unlikely(read: Sequence[TileReading], named: Container[Tile]) -> tuple[Candidate, ...]:
    """What the readings hint at together beside the candidates that are named."""
    hinted = [{c.tile: c.probability for c in (*r.candidates, *r.unlikely)} for r in read]
    means = (c for c in _means(hinted, HARDLY) if c.tile not in named)
    return tuple(c for c in means if c.probability >= 2 * HARDLY)[:MOST_UNLIKELY]


def _means(chances: Sequence[Mapping[Tile, float]], least: float) -> list[Candidate]:
    """Every tile with the geometric mean of its chances, none of them taken for less than ``least``,
    the likeliest first."""
    tiles = sorted({tile for known in chances for tile in known})
    means = {
        tile: math.exp(
            sum(math.log(max(known.get(tile, 0.0), least)) for known in chances) / len(chances)
        )
        for tile in tiles
    }
    ranked = sorted(means.items(), key=lambda pair: -pair[1])
    return [Candidate(tile, min(1.0, chance)) for tile, chance in ranked]


@dataclass(slots=True)
class TileMemory:
    """The readings of one tile, and what they and people made known."""

    known: Tile | None = None
    """Which tile it is, where that is settled."""
    is_told: bool = False
    """A person said which tile it is, or that it is none."""
    _settled: TileReading | None = None
    """What its readings said together when they were sure last, where nobody told which it is."""
    read_when_told: Tile | None = None
    """What it was read as when a person told; None where nobody did, or nothing was read."""
    _readings: list[TileReading] = field(default_factory=list)

    def rest_begins(self) -> None:
        """Something moved: what is read from now on is seen in another light."""
        self._readings = []

    def add(self, reading: TileReading) -> None:
        """Takes one more reading of the tile, which was seen to be the same."""
        self._readings = [*self._readings, reading][-REMEMBERED:]
        together = pooled(self._readings)
        if self.is_told or not together.sure or len(self._readings) == 1:
            return
        if self.known in (None, together.best):
            self.known, self._settled = together.best, together

    def tell(self, tile: Tile | None) -> None:
        """A person says that it is ``tile``, or none."""
        together = pooled(self._readings) if self._readings else None
        self.read_when_told = None if together is None else together.best
        self.known, self.is_told, self._settled = tile, True, None

    @property
    def fact(self) -> TileReading | None:
        """The reading of the tile that it is known to be; None while that is not settled."""
        if self.known is None:
            return None
        return self._settled or TileReading.certain(self.known)

    def reading(self) -> TileReading:
        """What is known of the tile now; it must have been read, or be known."""
        together, fact = pooled(self._readings) if self._readings else None, self.fact
        if fact is None or self.known is None:
            assert together is not None, "a tile that nobody read is not remembered"
            return together
        if together is None or not together.sure or together.best == self.known:
            return fact
        if self.is_told and together.best == self.read_when_told:
            return fact  # that is what the person has put right
        assert together.best is not None, "what is sure has a candidate"
        either = (Candidate(self.known, 0.5), Candidate(together.best, 0.5))
        return TileReading(either, sure=False)
