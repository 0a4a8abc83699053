"""A set got to know: what lies where, whether that is the whole set, and what is learned of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from engine.layout import Candidate, TileReading
from vision.enrolment.inks import Ink, measured_inks
from vision.enrolment.known_set import KnownSet
from vision.enrolment.laying import LaidTile, Laying, Photographed, laying_of
from vision.enrolment.samples import Samples
from vision.frame import Pixels
from vision.framed_numbers import by_who_knows_best
from vision.placements import Face, Placement
from vision.reader import TableReader

LOOKS = 2200
"""Tiles that are looked at in all, seen otherwise: twenty-one views of a set of 106."""


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """What came of enrolling a set."""

    laying: Laying
    photographs: tuple[Photographed, ...]
    inks: tuple[Ink, ...]
    """One for each suit that was seen, in the order of the suits."""
    known: KnownSet | None
    """What was learned; None where it is not clear which tile is which."""

    def understood(self, photo: int) -> tuple[Placement, ...]:
        """The tiles of a photograph by the names of their places, doubtful where a reading speaks
        against that; for an annotated picture."""
        named = {tile.placement: tile for tile in self.laying.tiles if tile.photo == photo}
        return tuple(
            _named(placement, named[number]) if number in named else placement
            for number, placement in enumerate(self.photographs[photo].placements)
        )

    def to_json(self, name: str) -> dict[str, Any]:
        """The object that ``meldwatch enrol --json`` prints."""
        laying = self.laying
        return {
            "name": name,
            "whole": laying.is_whole,
            "learned": self.known is not None,
            "tiles": len(laying.tiles),
            "copies": laying.copies,
            "rows": [[str(tile.tile) for tile in row] for row in laying.rows()],
            "missing": {str(tile): count for tile, count in laying.missing},
            "surplus": {str(tile): count for tile, count in laying.surplus},
            "odd": [
                {
                    "row": tile.row,
                    "place": tile.place,
                    "tile": str(tile.tile),
                    "read": str(tile.read),
                }
                for tile in laying.tiles
                if tile.is_odd
            ],
            "misread": len(laying.misread),
            "face_down": laying.face_down,
            "complaints": laying.complaints(),
            "inks": [ink.to_json() for ink in self.inks],
        }


def enrol_set(
    photos: Sequence[Pixels],
    reader: TableReader,
    name: str,
    *,
    as_laid: bool = False,
    seed: int = 1,
) -> Enrolment:
    """Get to know the set in ``photos``: pictures (H, W, 3) BGR of its tiles in rows, no tile in two.

    ``reader`` is one that knows no set. With ``as_laid`` the owner vouches for every tile's place.
    The same pictures and seed give the same result.
    """
    photographs = []
    patient = reader.looking_longer()
    for pixels_bgr in photos:
        look = partial(TableReader.look, pixels_bgr=pixels_bgr)
        _, seen = by_who_knows_best(patient, look, lambda seen: seen.placements)
        photographs.append(Photographed(seen.placements, seen.readings))
    laying = laying_of(photographs, as_laid=as_laid)
    laid = [
        [tile for tile in laying.tiles if tile.photo == number] for number in range(len(photos))
    ]
    quads = [
        [photographs[tile.photo].placements[tile.placement].quad_xy for tile in tiles]
        for tiles in laid
    ]
    inks = measured_inks(
        (pixels, [(quad, tile.tile) for quad, tile in zip(where, tiles, strict=True)])
        for pixels, where, tiles in zip(photos, quads, laid, strict=True)
    )
    known = None
    if laying.is_clear:
        views = max(1, round(LOOKS / len(laying.tiles)))
        samples = Samples()
        rng = np.random.default_rng(seed)
        for pixels, where, tiles in zip(photos, quads, laid, strict=True):
            if tiles:
                kinds = [tile.tile for tile in tiles]
                samples.add(pixels, np.stack(where), kinds, reader, views, rng)
        known = KnownSet(
            name,
            laying.copies,
            len(laying.tiles),
            reader.network,
            *samples.likenesses(),
            inks,
        )
    return Enrolment(laying, tuple(photographs), inks, known)


def _named(placement: Placement, laid: LaidTile) -> Placement:
    reading = TileReading((Candidate(laid.tile, 1.0),), sure=not laid.is_odd)
    return Placement(placement.quad_xy, reading, placement.confidence, Face.UP)
