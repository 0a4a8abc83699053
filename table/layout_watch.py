"""When a reading counts: the same layout several times, with what people said put in.

A single reading is never shown as fact. The first layout is adopted when ``AGREEING`` readings in a
row agree on every best tile and on every set; after that another one has to agree as often to take
its place, in its doubts as well. So a tile that flickers between sure and doubtful changes nothing.

A layout that counts keeps the numbering of its tiles as long as it counts, in whatever order a finder
comes upon them next time: people answer questions about tile 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.layout import LayoutReading, TileReading
from engine.tiles import Tile
from vision.layout_reader import LaidOut, read_layout
from vision.placements import Face, Placement

AGREEING = 2
"""Readings of a still table that must agree before they count."""
SAME_PLACE = 0.35
"""A tile is where it was while its centre moved by less than this part of its short side: people
push a meld about by whole tiles, and a finder wanders by a few hundredths of one."""

DRIFT = 0.06
"""Parts of a short side by which a tile may wander before its outline is drawn anew."""


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A layout as it was read, and the placements it was read from."""

    placements: tuple[Placement, ...]
    """Every tile in the picture, corrections put in."""
    laid_out: LaidOut
    """The layout and which placement each of its tiles is."""
    read_labels: tuple[str, ...]
    """What the machine read for each placement, whatever people said."""
    corrected: frozenset[int] = frozenset()
    """Indexes of the placements that carry a person's word."""
    denied: frozenset[int] = frozenset()
    """Indexes of those that a person says are no tiles: the layout leaves them out."""

    @property
    def key(self) -> str:
        """What must agree: every set and every best tile, doubts and order of finding aside."""
        return _arrangement_key(self.laid_out.reading, 0)

    @property
    def doubts(self) -> tuple[str, ...]:
        """What else must agree for another layout to take this one's place."""
        reading = self.laid_out.reading
        options = sorted(
            f"{tile} {sorted(str(c.tile) for c in tile.candidates) if not tile.sure else ''}"
            f"{' or none' if tile.may_be_none else ''}"
            for tile in reading.tiles
        )
        return (*options, str(len(reading.arrangements)))


@dataclass(frozen=True, slots=True)
class _Said:
    """What a person said about the tile at a place."""

    tile: Tile | None
    """Which it is; None where there is no tile."""
    was: str
    """What the machine's likeliest reading there was."""
    centre_xy: NDArray[np.float32]
    reach_px: float


class LayoutWatch:
    """The layout that counts now, from readings of a table at rest."""

    def __init__(self, agreeing: int = AGREEING) -> None:
        if agreeing < 1:
            raise ValueError(f"at least one reading has to agree, not {agreeing}")
        self.adopted: SeenTable | None = None
        """The layout that counts; None before the first."""
        self._agreeing = agreeing
        self._rival: SeenTable | None = None
        self._votes = 0
        self._said: list[_Said] = []
        self._preferred = ""
        self._disturbed = False

    @property
    def is_settled(self) -> bool:
        """True where nothing moved since the last reading, and it agreed with what counts."""
        return self.adopted is not None and self._rival is None and not self._disturbed

    def add(self, placements: Sequence[Placement]) -> bool:
        """Takes one reading of a table at rest; True when another layout counts from now on."""
        self._disturbed = False
        seen = self._with_corrections(placements)
        adopted, rival = self.adopted, self._rival
        if adopted is not None and (adopted.key, adopted.doubts) == (seen.key, seen.doubts):
            followed = _followed(adopted, seen)
            if followed is not None:
                self._rival, self.adopted = None, followed
                return False
        first_or_other = adopted is None or adopted.key != seen.key
        agrees = (
            rival is not None
            and rival.key == seen.key
            and (first_or_other or rival.doubts == seen.doubts)
        )
        self._votes = self._votes + 1 if agrees else 1
        self._rival = seen
        if self._votes < self._agreeing:
            return False
        self.adopted, self._rival = seen, None
        self._said = [said for said in self._said if self._index_at(said, placements) is not None]
        self._preferred = self._preferred if self._preferred == seen.key else ""
        return True

    def disturb(self) -> None:
        """Something moved: readings before and after do not add up."""
        self._rival, self._votes, self._disturbed = None, 0, True

    def correct(self, index: int, tile: Tile | None) -> None:
        """A person says that tile ``index`` of the layout that counts is ``tile``, or that there is
        none: then the layout leaves out what is seen there."""
        if self.adopted is None:
            raise ValueError("there is no layout to correct")
        at = self.adopted.laid_out.placement_indexes[index]
        placement, was = self.adopted.placements[at], self.adopted.read_labels[at]
        reach_px = SAME_PLACE * _short_side_px(placement)
        self._said = [s for s in self._said if not _near(s.centre_xy, placement, reach_px)]
        self._said.append(_Said(tile, was, placement.centre_xy, reach_px))
        self.adopted = self._arranged(_laid_out_with(self.adopted, {at: tile}))

    def prefer(self, arrangement: int) -> None:
        """A person says that the tiles lie as in this arrangement of the layout that counts.

        It holds while the layout is read with that arrangement among the possible ones.
        """
        if self.adopted is None:
            raise ValueError("there is no layout to arrange")
        self._preferred = _arrangement_key(self.adopted.laid_out.reading, arrangement)
        self.adopted = self._arranged(self.adopted)

    def _with_corrections(self, placements: Sequence[Placement]) -> SeenTable:
        found = ((said, self._index_at(said, placements)) for said in self._said)
        tiles = {index: said.tile for said, index in found if index is not None}
        labels = tuple(placement.label for placement in placements)
        seen = SeenTable(tuple(placements), read_layout(placements), labels)
        return self._arranged(_laid_out_with(seen, tiles) if tiles else seen)

    def _arranged(self, seen: SeenTable) -> SeenTable:
        reading = seen.laid_out.reading
        for index, arrangement in enumerate(reading.arrangements):
            if _arrangement_key(reading, index) == self._preferred:
                only = replace(reading, arrangements=(arrangement,))
                return replace(seen, laid_out=replace(seen.laid_out, reading=only))
        return seen

    def _index_at(self, said: _Said, placements: Sequence[Placement]) -> int | None:
        """The placement that ``said`` is about: at the same place, and read as it was then."""
        for index, placement in enumerate(placements):
            if _near(said.centre_xy, placement, said.reach_px) and placement.label == said.was:
                return index
        return None


def _arrangement_key(reading: LayoutReading, arrangement: int) -> str:
    melds = reading.arrangements[arrangement]
    return " | ".join(sorted(" ".join(str(reading.tiles[i].best) for i in meld) for meld in melds))


def _followed(adopted: SeenTable, seen: SeenTable) -> SeenTable | None:
    """``adopted`` with its tiles where ``seen`` has them; None where a tile lies elsewhere."""
    left = list(seen.placements)
    followed = []
    for placement in adopted.placements:
        reach_px = SAME_PLACE * _short_side_px(placement)
        same = [p for p in left if p.label == placement.label]
        near = [p for p in same if _near(placement.centre_xy, p, reach_px)]
        if not near:
            return None
        left.remove(near[0])
        followed.append(replace(placement, quad_xy=near[0].quad_xy))
    if left:
        return None
    drifts = (
        np.abs(now.quad_xy - then.quad_xy).max() / _short_side_px(then)
        for now, then in zip(followed, adopted.placements, strict=True)
    )
    moved = any(drift > DRIFT for drift in drifts)
    return replace(adopted, placements=tuple(followed)) if moved else adopted


def _laid_out_with(seen: SeenTable, tiles: dict[int, Tile | None]) -> SeenTable:
    """The table laid out anew with what people said of its placements."""
    placements = list(seen.placements)
    for index, tile in tiles.items():
        if tile is not None:
            reading = TileReading.certain(tile)
            placements[index] = replace(placements[index], reading=reading, face=Face.UP)
    denied = seen.denied | {index for index, tile in tiles.items() if tile is None}
    kept = [index for index in range(len(placements)) if index not in denied]
    laid_out = read_layout([placements[index] for index in kept])
    indexes = tuple(kept[index] for index in laid_out.placement_indexes)
    return replace(
        seen,
        placements=tuple(placements),
        laid_out=replace(laid_out, placement_indexes=indexes),
        corrected=seen.corrected | frozenset(tiles),
        denied=denied,
    )


def _near(centre_xy: NDArray[np.float32], placement: Placement, reach_px: float) -> bool:
    return float(np.hypot(*(placement.centre_xy - centre_xy))) <= reach_px


def _short_side_px(placement: Placement) -> float:
    quad = placement.quad_xy
    return float(np.hypot(*(quad[1] - quad[0])))
