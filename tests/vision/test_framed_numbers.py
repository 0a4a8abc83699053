"""Numbers in frames: other networks are asked where the usual ones are at a loss, and believed where
they are less so."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.framed_numbers import FEWEST, is_at_a_loss, knows_them_better
from vision.patient_reading import read_patiently
from vision.placements import Face, Placement
from vision.reader import TableReader, open_table_reader
from vision.rendering.scene import RenderedPicture
from vision.rendering.sheets import draw_ornate_sheet, draw_sheet
from vision.rendering.table_scenes import Typefaces


def tiles(words: str) -> list[Placement]:
    """Tiles in notation: ``K7`` made out, ``K7?`` hardly, ``K7/B7`` a number in two colours, ``?``
    unread, ``#`` a back."""
    return [tile(word, at) for at, word in enumerate(words.split())]


def tile(word: str, at: int) -> Placement:
    corners = np.array([(0, 0), (30, 0), (30, 42), (0, 42)], np.float32) + np.float32((31 * at, 0))
    if word in "?#":
        face = Face.UNREAD if word == "?" else Face.DOWN
        return Placement(corners, TileReading((), sure=False), 0.9, face)
    names = word.rstrip("?").split("/")
    chance = 0.6 if word.endswith("?") else 0.99
    candidates = tuple(Candidate(parse_tile(name), chance / len(names)) for name in names)
    return Placement(corners, TileReading(candidates, sure=False), 0.9, Face.UP)


@pytest.mark.parametrize(
    ("words", "is_so"),
    [
        ("K1 K2 K3 K4? K5? K6?", False),
        ("K1 K2 K3? K4? K5? K6?", True),
        ("K1 K2 ? ? ? ?", True),
        ("K1/B1 K2/B2 K3/B3 K4/B4 K5/B5 K6/B6", False),
        ("K3? K4? K5? K6? ?", False),
        ("K1 K2 K3 K4? K5? # # # #", False),
        ("# # # # # # # # #", False),
        ("K1 J J J J J J J J", False),
        ("K1 J J J J J J J J J", True),
    ],
)
def test_a_reader_is_at_a_loss_where_most_numbers_are_not_made_out(words: str, is_so: bool) -> None:
    assert is_at_a_loss(tiles(words)) == is_so


def test_a_few_bodies_tell_nothing_of_a_set() -> None:
    assert not is_at_a_loss(tiles("? " * (FEWEST - 1)))
    assert is_at_a_loss(tiles("? " * FEWEST))


@pytest.mark.parametrize(
    ("others", "are_better"),
    [
        ("K1 K2 K3 K4? K5? K6?", True),
        ("K1 K2? K3? K4? K5? K6?", False),
        ("K1 K2 K3 K4", False),
        ("J J J J J J J J J", False),
    ],
)
def test_others_know_them_better_that_leave_less_in_doubt_of_as_many(
    others: str, are_better: bool
) -> None:
    assert knows_them_better(tiles(others), tiles("K1? K2? K3? ? ? ?")) == are_better


@cache
def reader() -> TableReader:
    return open_table_reader()


def sheet_of(draw: str) -> RenderedPicture:
    if draw == "ornate":
        return draw_ornate_sheet(np.random.default_rng([5, 13]), Typefaces())
    return draw_sheet(np.random.default_rng([5, 0]), Typefaces())


def read_rightly(placements: list[Placement], sheet: RenderedPicture) -> tuple[int, int]:
    """How many tiles are, and how many of all are surely something else."""
    right = wrong = 0
    for label, quad_xy in zip(sheet.labels, sheet.quads_xy, strict=True):
        for placement in placements:
            if np.hypot(*(placement.centre_xy - quad_xy.mean(axis=0))) < 8:
                is_right = str(placement.reading.best) == label
                right += is_right
                wrong += placement.reading.sure and not is_right
    return right, wrong


def test_a_set_with_numbers_in_frames_is_read_by_who_knows_such() -> None:
    sheet = sheet_of("ornate")
    usual = reader().looking_longer().read(sheet.pixels_bgr)
    assert is_at_a_loss(usual)
    right, wrong = read_rightly(read_patiently(sheet.pixels_bgr, reader()), sheet)
    assert right > read_rightly(usual, sheet)[0] + 10
    assert wrong == 0


def test_any_other_set_is_read_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = sheet_of("plain")
    before = read_patiently(sheet.pixels_bgr, reader())
    monkeypatch.setattr(TableReader, "of_framed_numbers", lambda _: pytest.fail("is asked"))
    after = read_patiently(sheet.pixels_bgr, reader())
    assert [p.reading for p in after] == [p.reading for p in before]


def test_who_knows_frames_looks_as_long_and_is_opened_once() -> None:
    quick, longer = reader().of_framed_numbers(), reader().looking_longer().of_framed_numbers()
    assert quick is reader().of_framed_numbers()
    assert longer is not None
    assert longer.looking_longer() is longer
    assert longer.known_set is None
    assert longer.of_framed_numbers() is None
