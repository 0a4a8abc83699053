"""One photograph through the whole pipeline, as `read`, `evaluate` and `enrol` all need it.

    load -> read (find and name tiles; what is in doubt by what is sure, too) -> lay out
         -> strike what cannot be -> leave out what stands on racks -> judge

Loaded by commands only when they run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from engine.judge_json import ruling_to_json
from engine.layout import TileReading
from engine.referee import Ruling, Verdict, judge_reading
from engine.ruleset import RuleSet
from models.rack_reader import RackReader
from table.forms import text_of, with_tiles_without_cell
from table.rack_questions import asks_whether_they_stand, in_wrong_sets
from table.seen_table import SeenTable
from table.touching_sets import may_be_set_by, with_touching_sets
from vision.frame import Pixels
from vision.patient_reading import read_patiently
from vision.photographs import load_photograph
from vision.physical_facts import with_facts
from vision.placements import Face, Placement
from vision.racks import RowsSeen, Standing, each_standing
from vision.reader import TableReader
from vision.table_layout import LaidOutTable, lay_out, sets_of
from web.commands.common import CouldNotStart, complain

UNREAD = "?"
"""Label of a tile that nobody could read, as in the text of a layout."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadPhotograph:
    """What one photograph shows."""

    path: Path
    pixels_bgr: Pixels
    """(height, width, 3) uint8 BGR, upright as its EXIF tag says."""
    placements: tuple[Placement, ...]
    """Every tile found, face-down ones too."""
    laid_out: LaidOutTable
    """The layout, or the board; its tiles are the placements that are not face down."""
    on_racks: tuple[Placement, ...] = ()
    """Tiles that stand on racks: they are no part of the layout."""
    may_stand: tuple[tuple[Placement, ...], ...] = ()
    """Rows of the layout that may stand on racks."""

    @property
    def face_up(self) -> tuple[Placement, ...]:
        """The tiles of the layout, in its order, then those on racks."""
        lying = (self.placements[index] for index in self.laid_out.placement_indexes)
        return (*lying, *self.on_racks)

    @property
    def face_down(self) -> int:
        """How many tiles show their backs."""
        return sum(placement.face is Face.DOWN for placement in self.placements)

    def by_facts(self, rules: RuleSet) -> ReadPhotograph:
        """The same in the game of ``rules``: laid out as its tiles lie, with what cannot be struck, more
        of a tile than it has."""
        readings = with_facts(
            [placement.reading for placement in self.placements],
            rules.equipment.copies,
            rules.equipment.jokers,
        )
        placements = tuple(
            placement if placement.reading is reading else _read_as(placement, reading)
            for placement, reading in zip(self.placements, readings, strict=True)
        )
        return replace(self, placements=placements, laid_out=_laid_out(placements, rules))

    def without_racks(self, standing: Standing, rules: RuleSet) -> ReadPhotograph:
        """The same, with the tiles apart that stand on racks."""
        standing_each = each_standing(self.pixels_bgr, self.placements, standing)
        rows = RowsSeen(self.placements, standing_each)
        found = rows.on_racks()
        perhaps = (tuple(self.placements[k] for k in row) for row in rows.perhaps_on(found))
        stand = {index for rack in found for index in rack}
        lying = tuple(p for index, p in enumerate(self.placements) if index not in stand)
        upon = tuple(self.placements[index] for index in sorted(stand))
        laid_out = _laid_out(lying, rules)
        return replace(
            self,
            placements=lying,
            laid_out=laid_out,
            on_racks=upon,
            may_stand=tuple(perhaps),
        )

    def ruling(self, rules: RuleSet) -> Ruling | None:
        """The ruling on the table alone, over everything that it may be.

        None where nothing lies there, but tiles stand on racks; and, with a complaint, where cards lie
        on the table of a game of tiles or the reverse.
        """
        if self.on_racks and not self.laid_out.placement_indexes:
            return None
        wants_cards = rules.equipment.pieces == "cards"
        for tile in self.laid_out.reading.tiles:
            if any(candidate.tile.is_card != wants_cards for candidate in tile.candidates):
                pieces = rules.equipment.pieces
                complain(f"{self.path}: not judged: {rules.preset} is played with {pieces}")
                return None
        ruling = with_tiles_without_cell(judge_reading(self.laid_out.reading, rules), self.laid_out)
        return self._asked_first(ruling)

    def _asked_first(self, ruling: Ruling) -> Ruling:
        """The ruling; where a set that is wrong may stand on a rack, that is asked before anybody is
        accused of it."""
        if ruling.verdict is not Verdict.ILLEGAL or not self.may_stand:
            return ruling
        seen = SeenTable(self.placements, self.laid_out, ())
        wrong = in_wrong_sets(ruling, seen)
        in_order = [k for row in sets_of(self.laid_out.reading) for k in row]
        there = [
            tuple(k for k in in_order if seen.placement_of(k) in row) for row in self.may_stand
        ]
        if wrong.isdisjoint(k for row in there for k in row):
            return ruling
        return asks_whether_they_stand(there, seen, ruling)

    def to_json(self, ruling: Ruling | None) -> dict[str, Any]:
        """The object that `meldwatch read --json` prints."""
        height, width = self.pixels_bgr.shape[:2]
        return {
            "image": str(self.path),
            "width": width,
            "height": height,
            "tiles": [
                _tile_to_json(placement) | {"on_rack": placement in self.on_racks}
                for placement in self.face_up
            ],
            "layout": text_of(self.laid_out.reading),
            "ruling": None if ruling is None else ruling_to_json(ruling),
        }


def _laid_out(placements: Sequence[Placement], rules: RuleSet) -> LaidOutTable:
    """The table as it lies in the game of ``rules``, with the ways besides that sets may touch in."""
    laid_out = lay_out(placements, rules.table.form)
    return with_touching_sets(laid_out, placements, partial(may_be_set_by, rules))


def _read_as(placement: Placement, reading: TileReading) -> Placement:
    """The same tile with another reading; unread where that has no candidate."""
    found = placement.confidence / placement.reading.candidates[0].probability
    chance = reading.candidates[0].probability if reading.candidates else 1.0
    face = Face.UP if reading.candidates else Face.UNREAD
    return Placement(placement.quad_xy, reading, min(1.0, chance * found), face)


def read_photograph(path: Path, reader: TableReader) -> ReadPhotograph:
    """Load, find, name and lay out as sets. Raises ``vision.photographs.PhotographError``."""
    return read_pixels(path, load_photograph(path), reader)


def read_pixels(path: Path, pixels_bgr: Pixels, reader: TableReader) -> ReadPhotograph:
    """Find, name and lay out as sets what is loaded already; ``path`` says where it came from."""
    placements = tuple(read_patiently(pixels_bgr, reader))
    return ReadPhotograph(path, pixels_bgr, placements, lay_out(placements, "sets"))


def open_reader(known_set: Path | None = None) -> TableReader:
    """The reader with the models that come with the program, and the enrolled set of a file.

    Ends the command where either cannot be used.
    """
    from models.runtime import ModelError
    from vision.enrolment.known_set import SetError
    from vision.reader import open_table_reader

    try:
        return open_table_reader(known_set=known_set)
    except (ModelError, SetError) as error:
        raise CouldNotStart(str(error)) from error


def open_rack_reader() -> RackReader:
    """What tells tiles on racks from others; ends the command where it cannot be used."""
    from models.runtime import RACK_READER_NAME, SHIPPED, ModelError

    try:
        return RackReader(SHIPPED / RACK_READER_NAME)
    except ModelError as error:
        raise CouldNotStart(str(error)) from error


def save_picture(path: Path, pixels_bgr: Pixels) -> None:
    """Write a JPEG; ends the command where that cannot be."""
    from table.pictures import KEPT_QUALITY, encode_jpeg

    try:
        path.write_bytes(encode_jpeg(pixels_bgr, KEPT_QUALITY))
    except OSError as error:
        raise CouldNotStart(f"cannot write {path}: {error.strerror}") from error


def open_rules(name: str) -> RuleSet:
    """The preset called ``name``; wrong usage when there is none."""
    import click

    from engine.ruleset import UnknownPresetError, load_ruleset

    try:
        return load_ruleset(name)
    except UnknownPresetError as error:
        raise click.BadParameter(str(error), param_hint="--rules") from error


def _tile_to_json(placement: Placement) -> dict[str, Any]:
    return {
        "label": placement.label or UNREAD,
        "quad": [[round(float(value), 1) for value in corner] for corner in placement.quad_xy],
        "confidence": round(placement.confidence, 4),
        "sure": placement.sure,
        "candidates": [
            {"label": str(candidate.tile), "probability": round(candidate.probability, 4)}
            for candidate in placement.reading.candidates
        ],
    }
