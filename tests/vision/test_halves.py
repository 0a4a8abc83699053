"""Half of a tile is no tile: two that share one place are one, and a narrow one is never a fact."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import parse_tile
from models.classes import CLASSES
from models.detections import Detections
from models.finder import TileFinder
from models.runtime import FINDER_NAME, SHIPPED, TILE_READER_NAME
from models.tile_reader import INKS, SHAPES, Readings, TileReader
from vision.halves import found_in_two, with_parts_in_doubt, with_whole_tiles
from vision.placements import Face, Placement
from vision.reader import TableReader
from vision.rendering import RenderedTable, TilePose

WIDTH, HEIGHT = 40.0, 54.0
Quads = NDArray[np.float32]


def quad(
    x: float, width: float = 1.0, y: float = 0.0, turn_deg: float = 0.0, height: float = 1.0
) -> Quads:
    """A place with its middle so many tile widths across and heights down, and so many widths wide and
    heights high."""
    turn = np.radians(turn_deg)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    sized = corners * (width * WIDTH, height * HEIGHT)
    return np.asarray(sized @ axes + (200 + x * WIDTH, 100 + y * HEIGHT), np.float32)


ROW = [quad(-3), quad(-2), quad(-1), quad(2)]
"""Four whole tiles with room for one between the last two, at 0 to 1."""


def said(names: list[str], chance: float = 0.99) -> Readings:
    """What the tile reader says, so surely, all of it black."""
    rest = (1 - chance) / (len(CLASSES) - 1)
    classes = [[chance if c == name else rest for c in CLASSES] for name in names]
    n = len(names)
    return Readings(
        np.array(classes, np.float32).reshape(n, len(CLASSES)),
        np.ones(n, np.float32),
        np.array([[0.97, 0.01, 0.01, 0.01]] * n, np.float32).reshape(n, 4),
        np.zeros((n, SHAPES), np.float32),
        np.zeros((n, INKS), np.float32),
        np.ones((n, 3), np.float32),
    )


def reading_by_width(whole: str, narrow: str, chance: float = 0.99) -> Callable[[Quads], Readings]:
    """A tile reader that makes out one thing in places as wide as a tile and another in narrow ones."""

    def read(quads: Quads) -> Readings:
        wide = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1) > 0.95 * WIDTH
        return said([whole if is_wide else narrow for is_wide in wide], chance)

    return read


def found(*others: Quads) -> Detections:
    quads = np.stack([*ROW, *others])
    return Detections(quads, np.full(len(quads), 0.6, np.float32))


def test_two_narrow_boxes_with_room_for_one_tile_are_that_tile() -> None:
    (whole,) = found_in_two(found(quad(0.28, 0.8), quad(0.72, 0.8)))
    assert whole.pieces == (4, 5)
    np.testing.assert_allclose(whole.quad_xy, quad(0.5), atol=0.5)


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (quad(0.28), quad(0.72, 0.8), "the first is as wide as a tile, and may lie on another"),
        (quad(0.2, 0.8), quad(0.9, 0.8), "they lie further apart than pieces of one tile do"),
        (quad(0.28, 0.8), quad(0.72, 0.8, 0.3), "they lie in no line"),
        (quad(0.28, 0.8), quad(0.72, 0.8, 0, 25), "one is turned against the other"),
        (quad(0.28, 0.3), quad(0.52, 0.3), "they are far too narrow"),
        (quad(0.28, 0.9), quad(0.72, 0.9), "neither is much narrower than a tile"),
    ],
)
def test_nothing_else_is_taken_for_a_tile_in_two_pieces(
    first: Quads, second: Quads, why: str
) -> None:
    assert found_in_two(found(first, second)) == [], why


UPPER, LOWER = quad(0.5, 1.0, -0.2, 0, 0.65), quad(0.5, 0.95, 0.24, 0, 0.6)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (UPPER, LOWER),
        (LOWER, np.roll(UPPER, 2, axis=0)),
        (np.roll(UPPER, 1, axis=0), LOWER),
        (np.roll(UPPER, 1, axis=0), np.roll(LOWER, 3, axis=0)),
    ],
)
def test_two_low_boxes_with_room_for_one_tile_are_that_tile(first: Quads, second: Quads) -> None:
    """As where a number stands above a ring. They may be found lying across."""
    (whole,) = found_in_two(found(first, second))
    assert whole.pieces == (4, 5)
    centre, sides = whole.quad_xy.mean(axis=0), whole.quad_xy[1:3] - whole.quad_xy[0:2]
    np.testing.assert_allclose(centre, quad(0.5).mean(axis=0), atol=2)
    np.testing.assert_allclose(np.linalg.norm(sides, axis=1), (WIDTH, HEIGHT), atol=3)


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (quad(0.5, 1.0, 0.24), "it is as high as a tile, and may lie on another"),
        (quad(0.5, 1.0, 0.5, 0, 0.65), "they lie further apart than pieces of one tile do"),
        (quad(0.8, 1.0, 0.24, 0, 0.6), "they lie in no line"),
        (quad(0.5, 1.0, 0.24, 25, 0.6), "one is turned against the other"),
        (quad(0.5, 1.0, 0.1, 0, 0.3), "it is far too low"),
    ],
)
def test_nothing_else_is_taken_for_a_tile_in_two_low_pieces(second: Quads, why: str) -> None:
    assert found_in_two(found(UPPER, second)) == [], why


def test_without_tiles_round_about_nothing_tells_how_wide_a_tile_is() -> None:
    alone = Detections(np.stack([quad(0.28, 0.8), quad(0.72, 0.8)]), np.full(2, 0.6, np.float32))
    assert found_in_two(alone) == []


def test_two_ones_whose_place_reads_as_an_eleven_are_an_eleven() -> None:
    read = reading_by_width("11", "1")
    boxes = found(quad(0.28, 0.8), quad(0.72, 0.8))
    whole, readings, first = with_whole_tiles(boxes, read(boxes.quads_xy), read)
    assert (len(whole), first) == (5, 4)
    np.testing.assert_allclose(whole.quads_xy[-1], quad(0.5), atol=0.5)
    assert CLASSES[int(readings.classes[-1].argmax())] == "11"
    assert len(readings) == 5


@pytest.mark.parametrize(("name", "chance"), [("not-a-tile", 0.99), ("11", 0.7)])
def test_two_boxes_stay_two_where_no_tile_is_made_out_in_the_place_of_both(
    name: str, chance: float
) -> None:
    read = reading_by_width(name, "1", chance)
    boxes = found(quad(0.28, 0.8), quad(0.72, 0.8))
    whole, readings, first = with_whole_tiles(boxes, read(boxes.quads_xy), read)
    assert whole == boxes
    assert (len(readings), first) == (6, 6)


def placement(label: str, place: Quads) -> Placement:
    return Placement(place, TileReading.certain(parse_tile(label)), 0.9, Face.UP)


def in_row(*others: Placement) -> list[Placement]:
    return [*(placement("K7", place) for place in ROW), *others]


def test_half_of_a_tile_beside_the_tile_itself_is_no_fact_and_may_be_none() -> None:
    table = in_row(placement("K11", quad(0.5)), placement("K1", quad(1.05, 0.7)))
    told = with_parts_in_doubt(table, reading_by_width("11", "1"))
    assert [p.label for p in told] == ["K7"] * 4 + ["K11", ""]
    assert [p.sure for p in told] == [True] * 5 + [False]
    assert (told[-1].face, told[-1].reading.may_be_none) == (Face.UNREAD, True)


def test_both_halves_of_a_tile_that_was_not_made_out_are_no_facts() -> None:
    table = in_row(placement("K1", quad(0.28, 0.8)), placement("K1", quad(0.72, 0.8)))
    told = with_parts_in_doubt(table, reading_by_width("not-a-tile", "1"))
    assert [p.face for p in told] == [Face.UP] * 4 + [Face.UNREAD] * 2
    assert all(p.reading.may_be_none for p in told[-2:])


@pytest.mark.parametrize("across", [0, 1])
def test_a_low_part_of_a_tile_beside_the_tile_itself_is_no_fact_either(across: int) -> None:
    low = np.roll(quad(0.5, 1.0, -0.3, 0, 0.6), across, axis=0)
    table = in_row(placement("K8", quad(0.5)), placement("J", low))
    told = with_parts_in_doubt(table, reading_by_width("8", "8"))
    assert [p.label for p in told] == ["K7"] * 4 + ["K8", ""]
    assert (told[-1].face, told[-1].reading.may_be_none) == (Face.UNREAD, True)


def test_a_low_tile_by_itself_and_one_above_another_row_stay_as_they_were_read() -> None:
    low, other_row = quad(0.5, 1.0, 0.1, 0, 0.8), quad(-2, 1.0, 0.95, 0, 0.9)
    table = in_row(placement("K8", low), placement("K9", other_row))
    assert with_parts_in_doubt(table, reading_by_width("8", "8")) == table


def test_a_narrow_one_that_a_whole_tile_round_about_it_would_make_an_eleven_is_asked_about() -> (
    None
):
    table = in_row(placement("K1", quad(0.3, 0.75)))
    narrow = with_parts_in_doubt(table, reading_by_width("11", "1"))[-1]
    assert (narrow.sure, narrow.reading.may_be_none) == (False, True)
    assert {str(c.tile) for c in narrow.reading.candidates} == {"K1", "K11"}


def test_a_narrow_tile_that_reads_the_same_as_a_whole_one_stays_as_it_was_read() -> None:
    table = in_row(placement("K10", quad(0.5, 0.75)))
    assert with_parts_in_doubt(table, reading_by_width("10", "10")) == table


def test_a_whole_tile_upon_another_and_one_turned_over_it_stay_as_they_were_read() -> None:
    """Of those the reader and whoever follows tiles say what is in doubt."""
    table = in_row(placement("K11", quad(0.3)), placement("B5", quad(0.7, 1.0, 0.2, 40)))
    assert with_parts_in_doubt(table, reading_by_width("11", "1")) == table


class FinderOfHalves(TileFinder):
    """Finds the tiles of a drawn picture where they lie, but one in two pieces: side by side, or where
    its corners are moved on by one, one above the other."""

    def __init__(self, quads_xy: Quads, halved: int, corners: int) -> None:
        super().__init__(SHIPPED / FINDER_NAME, 1)
        tile = np.roll(quads_xy[halved], corners, axis=0)
        across = tile[1] - tile[0]
        narrow = tile + 0.1 * np.array([1, -1, -1, 1])[:, None] * across
        halves = np.stack([narrow + side * 0.22 * across for side in (-1, 1)])
        rest = np.delete(quads_xy, halved, axis=0)
        scores = np.full(len(rest) + 2, 0.8, np.float32)
        self._found = Detections(np.concatenate([rest, halves]).astype(np.float32), scores)

    def find(self, pixels_bgr: NDArray[np.uint8]) -> Detections:
        return self._found if pixels_bgr.size else Detections.none()


@pytest.mark.parametrize("corners", [0, 1])
def test_an_eleven_of_a_drawn_table_that_is_found_in_two_pieces_is_read_and_asked_about(
    corners: int,
) -> None:
    labels = ["K10", "K11", "K12", "K13", "R5", "R6", "R7"]
    poses = [
        TilePose(label, -45 + 27 * (index % 4), -25 + 50 * (index // 4), 0.0)
        for index, label in enumerate(labels)
    ]
    picture = RenderedTable(seed=11).picture(poses, noise_seed=1)
    finder = FinderOfHalves(picture.quads_xy, labels.index("K11"), corners)
    reader = TableReader(finder, TileReader(SHIPPED / TILE_READER_NAME, 1))
    told = {p.label: p for p in reader.read(picture.pixels_bgr)}
    assert sorted(told) == sorted(labels)
    assert [label for label, p in told.items() if not p.sure] == ["K11"]
    assert told["K11"].reading.may_be_none


def placed(name: str, place: Quads) -> Placement:
    return Placement(place, TileReading.certain(parse_tile(name)), 0.9, Face.UP)


def readings_of(*tiles: Placement, round_about: str = "12") -> list[TileReading]:
    """The tiles with parts in doubt, where ``round_about`` is read in places of whole tiles."""
    told = with_parts_in_doubt(tiles, lambda quads: said([round_about] * len(quads)))
    return [placement.reading for placement in told]


def test_a_joker_is_as_small_as_tiles_come_to_be_where_it_lies() -> None:
    """Seen from low, a tile two rows further off has less than three quarters of the size."""
    sizes = [0.8**k for k in range(5)]
    rows = [
        placed(f"K{1 + 3 * k + column}", quad(column, size, -k, height=size))
        for k, size in enumerate(sizes[:-1])
        for column in range(3)
    ]
    far = quad(3, sizes[-1], -4, height=sizes[-1])
    assert all(told.sure for told in readings_of(*rows, placed("J", far), round_about="joker"))
    star = quad(3, 0.5 * sizes[-1], -4, height=0.5 * sizes[-1])
    assert not readings_of(*rows, placed("J", star), round_about="joker")[-1].sure


def test_a_star_below_a_number_is_no_sure_joker() -> None:
    """As in a film: where the finder took the star alone for a tile, it was read as a joker as surely
    as a joker's own, and the row was one joker more, or the tile lay there twice."""
    whole, star = placed("O12", quad(0)), placed("J", quad(1, 0.8, 0.2, height=0.6))
    of_whole, of_star = readings_of(whole, star)
    assert of_whole.sure
    assert of_star.may_be_none
    assert not of_star.sure
    assert all(told.sure for told in readings_of(whole, placed("J", quad(1))))
    assert all(
        told.sure for told in readings_of(whole, placed("O7", quad(1, 0.8, 0.2, height=0.6)))
    )
