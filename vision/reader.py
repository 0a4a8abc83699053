"""From a picture to placements: find the tiles, read them, and say what is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.careful_reader import CarefulReader
from models.classes import COLOURS
from models.detections import Detections
from models.finder import TileFinder
from models.rack_reader import RackReader
from models.runtime import (
    CAREFUL_READER_NAME,
    FINDER_NAME,
    FRAMED,
    RACK_READER_NAME,
    SHIPPED,
    TILE_READER_NAME,
    check_framed,
    read_manifest,
)
from models.sparing_reader import SparingReader
from models.sureness import SureFrom
from models.tile_reader import Readings, TileReader, rows_of
from models.turned_finder import TurnedFinder
from vision.cut_short import with_cut_ones_in_doubt
from vision.deep_shade import with_tiles_in_shade
from vision.enrolment.known_set import Knowledge, load_known_set
from vision.frame import Pixels
from vision.halves import as_no_fact, with_parts_in_doubt, with_whole_tiles
from vision.hardly_legible import with_room_for_others
from vision.inks_told import with_inks_told
from vision.lone_doubts import with_lone_doubts
from vision.lone_pieces import with_tiles_of_pieces
from vision.looks import Look
from vision.lying_across import with_tiles_across
from vision.lying_below import lying_below
from vision.many_jokers import with_many_jokers_in_doubt
from vision.missed_in_rows import SHORT, with_tiles_in_rows
from vision.placements import Placement
from vision.placing import in_doubt, placed
from vision.printed_fields import printed_fields
from vision.quad_axes import with_axes_of_neighbours
from vision.rack_gaps import without_gaps_of_racks
from vision.racks import Standing
from vision.standing_faces import with_faces_alone
from vision.too_small import too_small, too_small_together
from vision.where_printed import with_places_of_print


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The tiles of a picture, and what the tile reader says of each."""

    placements: tuple[Placement, ...]
    readings: Readings
    """Of the same tiles in the same order, for their quads as the finder gave them: a placement's is
    turned where the reading's ``upright`` is under a half."""


class TableReader:
    """Reads all tiles of a picture. Physical facts, such as two copies a kind, are not applied."""

    def __init__(
        self,
        finder: TileFinder | TurnedFinder,
        tile_reader: TileReader | CarefulReader | SparingReader,
        known_set: Knowledge | None = None,
        network: str = "",
        careful: TileReader | None = None,
        standing: Standing | None = None,
        framed: Callable[[], TableReader] | None = None,
    ) -> None:
        """With a ``known_set`` pictures of its tiles are read by what is known of them.

        ``network`` is the SHA-256 of the tile reader, by which a set that is enrolled is marked.
        ``careful`` is what reads tiles where there is time, and ``standing`` says then which stand;
        without it the marks of these stay as the finder gives them. ``framed`` opens the reader of
        :meth:`of_framed_numbers`.
        """
        self._finder = finder
        self._tile_reader = tile_reader
        self._known_set = known_set
        self.network = network
        self._careful = careful
        self._standing = standing
        self._framed = framed

    def knowing(self, known_set: Knowledge) -> TableReader:
        """A reader with the same networks that knows this set, and no other."""
        return self._like(self._finder, self._tile_reader, known_set)

    def looking_longer(self) -> TableReader:
        """A reader that knows the same set, looks for tiles in four views of each picture and reads them
        by both networks, which takes several times as long. It belongs to one thread."""
        if isinstance(self._finder, TurnedFinder):
            return self
        tile_reader = self._tile_reader
        if isinstance(tile_reader, SparingReader):
            tile_reader = tile_reader.quick
        if self._careful is not None and isinstance(tile_reader, TileReader):
            tile_reader = CarefulReader(tile_reader, self._careful)
        turned = TurnedFinder(self._finder)
        return self._like(turned, tile_reader, self._known_set)

    def of_live_pictures(self) -> TableReader:
        """A reader that knows the same set, for one picture after another of one table: tiles that are
        new to it are read by both networks (`models.sparing_reader`). It belongs to one thread."""
        if self._careful is None or not isinstance(self._tile_reader, TileReader):
            return self
        sparing = SparingReader(self._tile_reader, self._careful)
        return self._like(self._finder, sparing, self._known_set)

    def of_framed_numbers(self) -> TableReader | None:
        """A reader whose networks know numbers in frames and on figures as well, which knows no set and
        looks as long as this one; None where there is none. It belongs to one thread.

        Raises :class:`models.runtime.ModelError` when its networks cannot be opened."""
        if self._framed is None:
            return None
        framed = self._framed()
        return framed.looking_longer() if self._looks_longer else framed

    def _like(
        self,
        finder: TileFinder | TurnedFinder,
        tile_reader: TileReader | CarefulReader | SparingReader,
        known_set: Knowledge | None,
    ) -> TableReader:
        """A reader that has all else from this one."""
        careful, standing, framed = self._careful, self._standing, self._framed
        return TableReader(finder, tile_reader, known_set, self.network, careful, standing, framed)

    def read(self, pixels_bgr: NDArray[np.uint8]) -> list[Placement]:
        """The tiles of a picture (H, W, 3) BGR: face up, face down, and seen but unread.

        Quads are upright as the tile's own reader sees it. ``confidence`` is the probability of the
        first candidate (of a back: that it is one) times the finder's score. Not promised: an order.
        """
        placements = list(self.look(pixels_bgr).placements)
        return [*placements, *lying_below(pixels_bgr, placements)]

    def look(self, pixels_bgr: NDArray[np.uint8]) -> Seen:
        """The tiles that the finder sees, as of :meth:`read`, and what the tile reader says of each.

        A picture that shows no colours tells none of a tile: each is as likely as the others.
        """
        found, readings, no_fact = self._bodies(pixels_bgr)
        readings, sure = self._as_known(readings, pixels_bgr)
        readings = with_inks_told(readings, found.quads_xy, pixels_bgr, sure)
        readings = with_places_of_print(readings, found.quads_xy, pixels_bgr, sure)
        readings = with_tiles_across(readings, found, partial(self.read_quads, pixels_bgr), sure)
        kept = _without_small_things(placed(found, readings, sure, pixels_bgr, no_fact))
        if self._looks_longer:
            kept = _with_prints_in_doubt(kept)
            if self._standing is not None:
                kept = without_gaps_of_racks(kept, readings, partial(self._standing, pixels_bgr))
        placements = with_parts_in_doubt(
            [as_no_fact(p) if index >= no_fact else p for index, p in kept],
            partial(self.read_quads, pixels_bgr),
        )
        placements = with_many_jokers_in_doubt(with_room_for_others(placements))
        placements = with_lone_doubts(with_cut_ones_in_doubt(placements))
        return Seen(tuple(placements), rows_of(readings, [index for index, _ in kept]))

    @property
    def _looks_longer(self) -> bool:
        return isinstance(self._finder, TurnedFinder)

    def _bodies(self, pixels_bgr: Pixels) -> tuple[Detections, Readings, int]:
        """What the finder sees of a picture (H, W, 3), with what it sees in passing only, and what the
        tile reader says of each; from the number on that comes third, none is a fact."""
        found = self._finder.find(pixels_bgr)
        found = replace(found, quads_xy=with_axes_of_neighbours(found.quads_xy))
        read = partial(self.read_quads, pixels_bgr)
        found, readings, no_fact = with_whole_tiles(found, read(found.quads_xy), read)
        found, readings, no_fact = with_tiles_of_pieces(found, readings, no_fact, read)
        longest = None if self._looks_longer else SHORT
        found, readings, no_fact = with_tiles_in_rows(found, readings, no_fact, read, longest)
        if isinstance(self._finder, TurnedFinder):
            find = self._finder.find_in_passing
            found, readings, no_fact = with_tiles_in_shade(
                found, readings, no_fact, read, find, pixels_bgr
            )
        if self._looks_longer and self._standing is not None:
            kept = placed(found, readings, self._tile_reader.sure_from)
            standing = partial(self._standing, pixels_bgr)
            found, readings = with_faces_alone(found, readings, kept, read, standing)
        return found, readings, no_fact

    def _as_known(self, readings: Readings, pixels_bgr: Pixels) -> tuple[Readings, SureFrom]:
        """The readings by what is known of the set, and from where on they are sure. A picture (H, W, 3)
        that shows no colours tells none."""
        if Look(pixels_bgr).is_grey:
            readings = replace(readings, colours=np.full_like(readings.colours, 1 / len(COLOURS)))
        if self._known_set is not None and self._known_set.fits(readings):
            return self._known_set.corrected(readings), self._known_set.sure_from
        return readings, self._tile_reader.sure_from

    @property
    def sure_from(self) -> SureFrom:
        """The probabilities from which the networks alone are sure of a tile."""
        return self._tile_reader.sure_from

    @property
    def known_set(self) -> Knowledge | None:
        """What is known of the set whose tiles are read; None where no set is known."""
        return self._known_set

    def bodies_near(self, pixels_bgr: Pixels, quad_xy: NDArray[np.float32]) -> NDArray[np.float32]:
        """The corners (n, 4, 2) of what looks like a tile near a place (4, 2) of a picture (H, W, 3).

        Seen from nearer than by :meth:`look`: pieces of tiles, too, and one tile twice.
        """
        return self._finder.look_near(pixels_bgr, quad_xy).quads_xy

    def read_quads(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """What the tile reader alone says of quads (n, 4, 2) that are known already."""
        return self._tile_reader.read(pixels_bgr, quads_xy)

    def features(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """The same where features alone count, for which no reader needs more time than others."""
        return self._tile_reader.features(pixels_bgr, quads_xy)


def open_table_reader(
    threads: int = 2, folder: Path = SHIPPED, known_set: Path | None = None
) -> TableReader:
    """The reader with the networks that come with Meldwatch, or others in a folder of the same form.

    ``known_set`` is the file of an enrolled set. Raises :class:`models.runtime.ModelError` when a
    network is missing, damaged or does not fit, and
    :class:`vision.enrolment.known_set.SetError` when the set does.
    """
    tile_reader = TileReader(folder / TILE_READER_NAME, threads)
    network = read_manifest(folder)[TILE_READER_NAME].sha256
    known = None if known_set is None else load_known_set(known_set, network)
    finder = TileFinder(folder / FINDER_NAME, threads)
    careful = TileReader(folder / CAREFUL_READER_NAME, threads)
    racks = folder / RACK_READER_NAME  # a folder of networks that are being trained may lack it
    standing = RackReader(racks, threads).standing if racks.exists() else None
    framed = None
    if check_framed(folder):

        @cache
        def framed() -> TableReader:
            readers = folder / FRAMED
            quick = TileReader(readers / TILE_READER_NAME, threads)
            slow = TileReader(readers / CAREFUL_READER_NAME, threads)
            return TableReader(finder, quick, None, network, slow, standing)

    return TableReader(finder, tile_reader, known, network, careful, standing, framed)


def _without_small_things(kept: Sequence[tuple[int, Placement]]) -> list[tuple[int, Placement]]:
    """The same, without what is too small for a tile, and with what may be keys in doubt."""
    is_small = too_small([placement for _, placement in kept])
    kept = [pair for pair, none in zip(kept, is_small, strict=True) if not none]
    may_be_keys = too_small_together([placement for _, placement in kept])
    return [
        (index, in_doubt(placement) if may_be_one else placement)
        for (index, placement), may_be_one in zip(kept, may_be_keys, strict=True)
    ]


def _with_prints_in_doubt(kept: Sequence[tuple[int, Placement]]) -> list[tuple[int, Placement]]:
    """The same, with nothing a fact that may be one field of a print."""
    prints = printed_fields([placement for _, placement in kept])
    printed = {number for fields in prints for number in fields}
    return [
        (index, as_no_fact(placement) if number in printed else placement)
        for number, (index, placement) in enumerate(kept)
    ]
