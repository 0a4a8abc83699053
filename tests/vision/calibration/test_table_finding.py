"""Games whose truth is known: what is proposed keeps every tile of the table, and leaves racks out."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.calibration.finding import LEAST_TABLES, TableFinder
from vision.calibration.measure import known_tiles, main, measure
from vision.calibration.region import Origin
from vision.placements import Face, Placement
from vision.rendering.known_games import KnownGame, Place

SIZE_HW = (720, 1280)
SEEDS = range(40, 46)


def row(labels: str, x: float, y: float, *, high: float = 50.0, at: float = 0.0) -> list[Placement]:
    """A row of tiles 36 pixels wide that begins at x, y; ``at`` turns each by so many radians."""
    cos, sin = np.cos(at), np.sin(at)
    shape = np.array([(-18, -high / 2), (18, -high / 2), (18, high / 2), (-18, high / 2)])
    turned = shape @ np.array([(cos, sin), (-sin, cos)])
    found = []
    for k, label in enumerate(labels.split()):
        middle = np.array((x + 38 * k, y))
        quad = (turned + middle).astype(np.float32)
        if label == "-":
            found.append(Placement(quad, TileReading((), False), 1.0, Face.DOWN))
        else:
            found.append(Placement(quad, TileReading.certain(parse_tile(label)), 1.0, Face.UP))
    return found


MELDS = [
    *row("K7 B7 R7 O7", 400, 200),
    *row("B3 B4 B5 B6", 700, 200),
    *row("O1 O2 O3", 400, 330),
    *row("R9 R10 R11", 700, 330),
    *row("K1 K2 K3", 550, 440),
]


def finder_of(tables: list[list[Placement]]) -> TableFinder:
    finder = TableFinder()
    for table in tables:
        finder.add(table, SIZE_HW)
    return finder


def growing(others: list[Placement]) -> list[list[Placement]]:
    """Tables on which one meld after another was laid, with all that lies about them."""
    return [[*MELDS[: len(MELDS) - 3 + k], *others] for k in range(LEAST_TABLES + 1)]


def test_no_tile_that_lay_on_the_table_is_cut_off_and_most_tiles_on_racks_are() -> None:
    figures = measure(len(SEEDS), SEEDS[0], known_tiles, painted=False)
    assert figures.cut_games == 0
    assert figures.outside[Place.TABLE] == 0
    assert figures.outside[Place.RACK] > 0.5 * figures.tiles[Place.RACK] > 0


def test_the_same_games_give_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "2", "--seed", "44"]) == 0
    told = capsys.readouterr().out
    assert told == measure(2, 44, known_tiles, painted=False).text() + "\n"


def test_a_rack_at_the_border_is_left_out_by_its_slant() -> None:
    rack = row("K5 R2 B9 O4 K8 J", 420, 660, high=34)
    found = finder_of(growing(rack)).proposal()
    assert found is not None
    assert found.origin is Origin.FOUND
    assert found.parted([*MELDS, *rack], SIZE_HW) == (MELDS, rack)


def test_a_row_that_lies_flat_at_the_border_stays_on_the_table_whatever_it_shows() -> None:
    """Not even seven tiles that make no set: what is wrong is to be judged, not overlooked."""
    wrong = row("K5 R2 B9 O4 K8 J B1", 420, 660)
    assert finder_of(growing(wrong)).proposal() is None


def test_more_tiles_in_a_row_than_any_meld_has_are_a_rack_though_they_lie_flat() -> None:
    rack = row("K5 R2 B9 O4 K8 J B1 K2 R5 R6 O9 O10 K11 B12", 300, 660)
    found = finder_of(growing(rack)).proposal()
    assert found is not None
    assert found.parted(rack, SIZE_HW) == ([], rack)


def test_a_heap_at_the_border_is_left_out() -> None:
    turns = (0.3, 1.4, 2.6, 0.9, 2.0, 1.1)
    places = ((60, 300), (95, 320), (70, 345), (110, 360), (60, 385), (100, 400))
    heap = [
        tile
        for turn, (x, y) in zip(turns, places, strict=True)
        for tile in row("K5", x, y, at=turn)
    ]
    found = finder_of(growing(heap)).proposal()
    assert found is not None
    assert found.parted([*MELDS, *heap], SIZE_HW) == (MELDS, heap)


def test_a_pool_at_the_border_is_left_out_and_one_amid_the_melds_is_not() -> None:
    pool = [*row("- - -", 1150, 300), *row("- - -", 1150, 355)]
    found = finder_of(growing(pool)).proposal()
    assert found is not None
    assert found.parted(pool, SIZE_HW) == ([], pool)
    assert finder_of(growing(row("- - - -", 550, 265))).proposal() is None


def test_nothing_is_proposed_before_enough_was_seen() -> None:
    rack = row("K5 R2 B9 O4 K8 J", 420, 660, high=34)
    tables = growing(rack)
    assert finder_of(tables[: LEAST_TABLES - 1]).proposal() is None
    assert finder_of([row("K7 B7 R7", 400, 200), *[rack] * 5]).proposal() is None


def test_nothing_is_proposed_where_no_line_parts_the_table_from_the_rack() -> None:
    rack = row("K5 R2 B9 O4 K8 J", 420, 640, high=34)
    deeper = row("O1 O2 O3", 1000, 665)
    assert finder_of([[*table, *deeper] for table in growing(rack)]).proposal() is None


def test_a_rack_where_melds_were_laid_later_is_no_rack_any_more() -> None:
    rack = row("K5 R2 B9 O4 K8 J", 420, 660, high=34)
    finder = finder_of(growing(rack))
    for k in range(2):
        finder.add([*MELDS, *row("B8 B9 B10 B11", 440 + k, 655)], SIZE_HW)
    assert finder.proposal() is None


def test_a_picture_of_another_size_begins_anew() -> None:
    finder = finder_of(growing(row("K5 R2 B9 O4 K8 J", 420, 660, high=34)))
    finder.add(MELDS, (960, 1280))
    assert finder.proposal() is None


def test_a_table_without_a_tile_tells_nothing() -> None:
    assert finder_of([[]] * 5).proposal() is None


def test_the_truth_of_a_painted_table_is_that_of_one_that_is_not() -> None:
    """Racks are told apart by how they lie, so the picture has to show what the truth says."""
    (table, pixels), (same, nothing) = (
        next(KnownGame(3).tables(painted=painted)) for painted in (True, False)
    )
    assert pixels is not None
    assert pixels.shape[:2] == table.size_hw
    assert nothing is None
    assert np.array_equal(table.quads_xy, same.quads_xy)
    assert table.places == same.places
