"""From what both networks say to placements, and from a rendered table to its tiles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.classes import CLASSES, FACE_DOWN, JOKER, NOT_A_TILE
from models.detections import Detections
from models.sureness import SureFrom
from models.tile_reader import INKS, NO_READINGS, SHAPES, Readings
from vision.placements import Face, Placement
from vision.placing import placed
from vision.ranking import ranked_candidates
from vision.reader import open_table_reader
from vision.rendering import RenderedTable, TilePose

QUAD = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)
BLACK = [0.97, 0.01, 0.01, 0.01]


def moved(quad: NDArray[np.float32], across: float) -> NDArray[np.float32]:
    return quad + np.array([across, 0], np.float32)


def classes(name: str, probability: float) -> list[float]:
    """Probabilities with this one for a class of that name; the rest is spread over the others."""
    left = (1 - probability) / (len(CLASSES) - 1)
    return [probability if other == name else left for other in CLASSES]


def place(
    read: list[list[float]],
    score: float | list[float] = 0.9,
    upright: float = 1.0,
    quads: NDArray[np.float32] | None = None,
    colours: list[float] = BLACK,
    white: float = 0.9,
) -> list[Placement]:
    if quads is None:
        quads = np.stack([moved(QUAD, 50 * i) for i in range(len(read))])
    found = Detections(quads, np.broadcast_to(np.float32(score), len(read)))
    readings = Readings(
        np.array(read, np.float32),
        np.full(len(read), upright, np.float32),
        np.array([colours] * len(read), np.float32),
        np.zeros((len(read), SHAPES), np.float32),
        np.zeros((len(read), INKS), np.float32),
        np.full((len(read), 3), white, np.float32),
    )
    return [p for _, p in placed(found, readings, SureFrom(face=0.95, other=0.03, colour=0.97))]


def test_a_clear_tile_is_sure_and_carries_its_label() -> None:
    (tile,) = place([classes("7", 0.999)])
    assert (tile.label, tile.sure, tile.face) == ("K7", True, Face.UP)


def test_a_number_is_sure_only_if_its_colour_is_too() -> None:
    (tile,) = place([classes("7", 0.999)], colours=[0.7, 0.3, 0.0, 0.0])
    assert not tile.sure
    assert [str(c.tile) for c in tile.reading.candidates[:2]] == ["K7", "B7"]


def test_an_upside_down_quad_is_turned() -> None:
    (tile,) = place([classes("6", 0.99)], upright=0.1)
    np.testing.assert_array_equal(tile.quad_xy, np.roll(QUAD, 2, axis=0))


def test_an_eight_far_larger_than_the_tiles_may_be_a_figure_of_the_cloth() -> None:
    quads = np.stack([*(moved(QUAD, 50 * k) for k in range(3)), moved(2 * QUAD, 300)])
    *tiles, figure = place([classes("8", 0.999)] * 4, quads=quads)
    assert all(tile.sure for tile in tiles)
    assert (figure.label, figure.sure, figure.reading.may_be_none) == ("K8", False, True)


def test_a_back_lies_face_down_without_candidates() -> None:
    (tile,) = place([classes("face-down", 0.98)])
    assert (tile.face, tile.reading.candidates) == (Face.DOWN, ())


def test_what_is_no_tile_is_left_out() -> None:
    assert place([classes("not-a-tile", 0.95)]) == []


@pytest.mark.parametrize(
    ("chance_of_none", "score", "across", "asked"),
    [
        (0.95, 0.9, 150, 1),
        (0.999, 0.9, 150, 0),  # certainly none
        (0.95, 0.6, 150, 0),  # seen less clearly than the tiles
        (0.95, 0.9, 300, 0),  # not beside them
        (0.95, 0.9, 112, 0),  # a part of the last one
    ],
)
def test_what_was_found_as_clearly_as_the_tiles_beside_it_is_not_left_out_on_one_network_s_word(
    chance_of_none: float, score: float, across: float, asked: int
) -> None:
    quads = np.stack([moved(QUAD, x) for x in (0, 50, 100, across)])
    read = [classes(name, 0.99) for name in ("5", "6", "7")]
    read.append(classes("not-a-tile", chance_of_none))
    placements = place(read, [0.9, 0.9, 0.9, score], quads=quads)
    unread = [p for p in placements if p.face is Face.UNREAD]
    assert len(placements) == 3 + asked
    assert [p.reading.may_be_none for p in unread] == [True] * asked


@pytest.mark.parametrize(
    ("chance", "score", "apart", "expected"),
    [(0.9, 0.8, 48, 1), (0.999, 0.8, 48, 0), (0.9, 0.6, 48, 0), (0.9, 0.8, 300, 0)],
)
def test_beside_a_single_tile_too_what_was_found_as_clearly_is_unread_and_not_left_out(
    chance: float, score: float, apart: float, expected: int
) -> None:
    """As a joker that lay sideways between two tiles in a close-up."""
    read = [classes("7", 0.999), classes("not-a-tile", chance)]
    quads = np.stack([QUAD, moved(QUAD, apart)])
    _, *others = place(read, [0.9, score], quads=quads)
    assert [one.face for one in others] == [Face.UNREAD] * expected


@pytest.mark.parametrize(
    ("across", "down", "score", "asked"),
    [
        (93, 0, 0.7, 1),  # the next one of the row
        (46.5, 0, 0.7, 1),  # between two of its tiles
        (93, 0, 0.55, 0),  # seen far less clearly than they are
        (93, 20, 0.7, 0),  # not in line with them
        (108, 0, 0.7, 0),  # not touching them
    ],
)
def test_what_goes_on_a_row_is_asked_about_where_it_was_found_less_clearly(
    across: float, down: float, score: float, asked: int
) -> None:
    """A joker whose face no network knows looks like no tile, and lies where one would."""
    rows = (0, 31, 62) if across > 62 else (-15.5, 15.5, 77.5)
    quads = np.stack([*(moved(QUAD, x) for x in rows), moved(QUAD, across) + np.float32([0, down])])
    read = [classes(name, 0.99) for name in ("5", "6", "7")]
    placements = place([*read, classes("not-a-tile", 0.72)], [0.9, 0.9, 0.9, score], quads=quads)
    unread = [p for p in placements if p.face is Face.UNREAD]
    assert len(placements) == 3 + asked
    assert [p.reading.may_be_none for p in unread] == [True] * asked


@pytest.mark.parametrize(
    ("across", "score", "chance_of_none", "asked"),
    [
        (46.5, 0.5, 0.92, 1),  # between two of its tiles
        (46.5, 0.5, 0.9999, 1),  # certainly none, says the reader
        (46.5, 0.4, 0.92, 0),  # hardly seen
        (108.5, 0.5, 0.92, 0),  # beside the last of them
    ],
)
def test_what_fills_a_row_is_asked_about_whatever_it_was_taken_for(
    across: float, score: float, chance_of_none: float, asked: int
) -> None:
    """A jester of many colours under a lamp's image: no table shows where it lies."""
    quads = np.stack([moved(QUAD, x) for x in (-15.5, 15.5, 77.5, across)])
    read = [classes(name, 0.99) for name in ("5", "6", "7")]
    none = classes("not-a-tile", chance_of_none)
    placements = place([*read, none], [0.9, 0.9, 0.9, score], quads=quads)
    assert [p.face for p in placements if p.face is not Face.UP] == [Face.UNREAD] * asked
    assert len(placements) == 3 + asked


@pytest.mark.parametrize(
    ("chance_of_back", "beside", "face"),
    [
        (0.35, ["face-down"], Face.DOWN),  # in the pool
        (0.35, ["7"], Face.UNREAD),  # beside a tile that lies face up, it may belong to a set
        (0.35, ["not-a-tile"], Face.UNREAD),  # alone
        (0.05, ["face-down"], Face.UNREAD),
        (0.05, ["face-down", "face-down"], Face.DOWN),  # between backs
    ],
)
def test_what_may_be_a_back_is_one_in_the_pool_and_nowhere_else(
    chance_of_back: float, beside: list[str], face: Face
) -> None:
    doubtful = [(1 - chance_of_back) / (len(CLASSES) - 2)] * len(CLASSES)
    doubtful[FACE_DOWN], doubtful[NOT_A_TILE] = chance_of_back, 0
    first, *others = (moved(QUAD, x) for x in (50, 0, 100))
    quads = np.stack([first, *others[: len(beside)]])
    read = [doubtful, *(classes(name, 0.9995) for name in beside)]
    placements = place(read, quads=quads)
    assert (Face.UNREAD in [p.face for p in placements]) == (face is Face.UNREAD)


def test_tiles_side_by_side_that_nobody_can_read_are_no_backs_because_some_lie_near() -> None:
    doubtful = [0.95 / (len(CLASSES) - 2)] * len(CLASSES)
    doubtful[FACE_DOWN], doubtful[NOT_A_TILE] = 0.05, 0
    back = classes("face-down", 0.9995)
    placements = place([doubtful, doubtful, back, back])
    assert sorted(p.face for p in placements) == sorted(2 * [Face.UNREAD] + 2 * [Face.DOWN])


@pytest.mark.parametrize(
    ("apart", "white", "face"),
    [
        pytest.param(30, 1.0, Face.UNREAD, id="burnt out, in a row"),
        pytest.param(30, 0.9, Face.DOWN, id="in a row, and not burnt out"),
        pytest.param(90, 1.0, Face.DOWN, id="burnt out, by itself"),
    ],
)
def test_a_tile_of_a_row_that_is_burnt_out_is_no_back(apart: int, white: float, face: Face) -> None:
    """What was printed on it may be lost in the light: nobody is accused of a set without it."""
    quads = np.stack([moved(QUAD, 30 * k) for k in range(3)] + [moved(QUAD, 60 + apart)])
    back = classes("face-down", 0.98)
    placements = place([*[classes("7", 0.999)] * 3, back], quads=quads, white=white)
    assert [p.face for p in placements if p.face is not Face.UP] == [face]
    assert all(p.reading.may_be_none for p in placements if p.face is Face.UNREAD)


def test_a_joker_needs_more_than_a_number_as_it_is_what_junk_is_taken_for() -> None:
    assert [p.label for p in place([classes("5", 0.98)], score=0.33)] == ["K5"]
    assert place([classes("joker", 0.98)], score=0.33) == []
    assert [p.label for p in place([classes("joker", 0.98)], score=0.8)] == ["J"]


def test_a_certain_body_that_nobody_can_read_is_reported_unread() -> None:
    blurred = classes("not-a-tile", 0.1)
    (tile,) = place([blurred], score=0.9)
    assert (tile.face, tile.label, tile.sure) == (Face.UNREAD, "", False)
    assert place([blurred], score=0.4) == []


def test_a_faint_body_among_tiles_of_its_size_is_reported_unread_too() -> None:
    """It may be none; alone, far off, or of another size it is left out."""
    blurred, clear = classes("not-a-tile", 0.1), classes("7", 0.999)
    read = [blurred, clear, clear, clear]
    scores = [0.48, 0.9, 0.9, 0.9]

    def faces(first: NDArray[np.float32], count: int = 4) -> list[str]:
        quads = np.stack([first, *(moved(QUAD, 50 * k) for k in (1, 2, 3))])[:count]
        return [str(p.face) for p in place(read[:count], scores[:count], quads=quads)]

    assert sorted(faces(QUAD)) == ["unread", "up", "up", "up"]
    assert "unread" not in faces(QUAD, count=3)
    assert "unread" not in faces(moved(QUAD, -80))
    assert "unread" not in faces(QUAD * 0.6)


def test_a_tile_that_may_be_a_back_may_be_none_of_a_set() -> None:
    """However clearly it was found: nobody is to be accused of a face-down tile."""
    doubtful, other = classes("joker", 0.7), classes("joker", 0.7)
    swapped = CLASSES.index("face-down"), CLASSES.index("joker")
    doubtful[swapped[0]], doubtful[swapped[1]] = 0.2, 0.5
    told = [place([read], score=0.85)[0] for read in (doubtful, other)]
    assert [tile.reading.may_be_none for tile in told] == [True, False]
    (back,) = place([classes("face-down", 0.85)], score=0.81)
    assert back.face is Face.DOWN
    for chance in (0.4, 0.75):  # or a thin digit on a tile of wood
        (hardly,) = place([classes("face-down", chance)], score=0.9)
        assert (hardly.face, hardly.reading.may_be_none) == (Face.UNREAD, True)


def test_a_doubtful_tile_that_was_hardly_found_may_be_none() -> None:
    """A reading that is sure, or of a tile that was clearly found, is of a tile."""
    doubtful = classes("4", 0.8)
    (faint,) = place([doubtful], score=0.5)
    (clear,) = place([doubtful], score=0.9)
    (sure,) = place([classes("4", 0.999)], score=0.6)
    told = [tile.reading.may_be_none for tile in (faint, clear, sure)]
    assert (faint.label, told) == ("K4", [True, False, False])


def test_nothing_is_sure_that_was_hardly_found() -> None:
    (faint,) = place([classes("4", 0.999)], score=0.45)
    assert (faint.sure, faint.reading.may_be_none) == (False, True)


@pytest.mark.parametrize(("score", "may_be_none"), [(0.75, True), (0.85, False)])
def test_an_unread_tile_is_one_only_if_it_was_clearly_found(
    score: float, may_be_none: bool
) -> None:
    (tile,) = place([classes("not-a-tile", 0.1)], score=score)
    assert (tile.face, tile.reading.may_be_none) == (Face.UNREAD, may_be_none)


def test_two_quads_on_one_tile_leave_the_better_reading() -> None:
    quads = np.stack([QUAD, moved(QUAD, 13)])
    (tile,) = place([classes("3", 0.6), classes("8", 0.99)], quads=quads)
    assert tile.label == "K8"


@pytest.mark.parametrize(
    ("chance_of_none", "turn_deg", "size", "reported"),
    [
        (0.6, 30, 1.0, 1),
        (0.95, 30, 1.0, 1),
        (0.999, 30, 1.0, 0),  # certainly none
        (0.6, 30, 0.6, 0),  # a figure on the tile
        (0.6, None, 1.0, 0),  # it lies beside the tile, as wide as finders take tiles too wide
    ],
)
def test_a_body_that_shares_its_place_with_a_tile_is_reported_unread(
    chance_of_none: float, turn_deg: float | None, size: float, reported: int
) -> None:
    """Tiles that lie flat share nothing, so one of the two lies on the other; and it may be none."""
    first = moved(QUAD, 50)
    turn = np.radians(turn_deg or 0.0)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * size
    middle = first.mean(axis=0) + np.array([28 if turn_deg is None else 18, 0])
    body = ((QUAD - QUAD.mean(axis=0)) @ axes + middle).astype(np.float32)
    quads = np.stack([body, *(moved(QUAD, 90 * k - 40) for k in (1, 2, 3))])
    read = [classes("not-a-tile", chance_of_none), *[classes("7", 0.999)] * 3]
    found = place(read, [0.5, 0.9, 0.9, 0.9], quads=quads)
    unread = [tile for tile in found if tile.face is Face.UNREAD]
    assert len(unread) == reported
    assert all(tile.reading.may_be_none for tile in unread)
    assert [tile.label for tile in found if tile.face is Face.UP] == ["K7"] * 3


def test_candidates_are_ranked_and_the_unlikely_stand_apart() -> None:
    p = np.zeros(len(CLASSES), np.float32)
    p[5], p[8], p[JOKER], p[FACE_DOWN], p[NOT_A_TILE] = 0.6, 0.3, 0.002, 0.05, 0.048
    colours = np.array([[0.9, 0.1, 0, 0], [1, 0, 0, 0]], np.float32)
    (ranked, unlikely), none = ranked_candidates(np.stack([p, np.zeros_like(p)]), colours)
    assert [str(c.tile) for c in ranked] == ["K6", "K9", "B6", "B9"]
    assert sum(c.probability for c in ranked) == pytest.approx(0.9, abs=1e-6)
    assert [str(c.tile) for c in unlikely] == ["J"]
    assert [len(each) for each in none] == [1, 0]
    assert ranked_candidates(NO_READINGS.classes, NO_READINGS.colours) == []


def test_where_nothing_is_found_nothing_is_read() -> None:
    assert placed(Detections.none(), NO_READINGS, SureFrom(0.98, 0.005, 0.99)) == []
    assert open_table_reader(threads=1).read(np.full((480, 640, 3), 90, np.uint8)) == []


def test_what_a_sure_reading_hints_at_is_handed_on_and_what_is_next_to_nothing_is_not() -> None:
    p = np.full(len(CLASSES), 0.00001, np.float32)
    p[8], p[1] = 0.9978, 0.0012
    (tile,) = place([p])
    assert (str(tile.reading), tile.sure) == ("K9", True)
    assert [str(c.tile) for c in tile.reading.unlikely] == ["K2"]


def test_a_rendered_table_is_read_as_it_was_laid() -> None:
    labels = ["K7", "K8", "K9", "R10", "B10", "O10", "R1", "O13"]
    poses = [
        TilePose(label, -110 + 27 * index, -20 if index < 4 else 40, 0.05 * index)
        for index, label in enumerate(labels)
    ]
    picture = RenderedTable(seed=11).picture(poses, noise_seed=1)
    placements = open_table_reader(threads=1).read(picture.pixels_bgr)
    assert sorted(p.label for p in placements) == sorted(labels)
    centres = {p.label: p.centre_xy for p in placements}
    for label, quad in zip(picture.labels, picture.quads_xy, strict=True):
        side = np.linalg.norm(quad[1] - quad[0])
        assert np.linalg.norm(centres[label] - quad.mean(axis=0)) < 0.15 * side


@pytest.mark.parametrize("part", [0.25, 0.45, 0.65])
@pytest.mark.parametrize("seed", [3, 11])
def test_a_tile_that_takes_much_of_a_picture_is_found(seed: int, part: float) -> None:
    table = RenderedTable(seed=seed, size_wh=(2560, 1920))
    picture = table.picture([TilePose("R8", 0, 0, 0.0), TilePose("K1", 45, 0, 0.1)], noise_seed=1)
    (quad,) = (
        q for label, q in zip(picture.labels, picture.quads_xy, strict=True) if label == "R8"
    )
    half = np.linalg.norm(quad[1] - quad[0]) / part / 2 * np.array([1.0, 0.75])
    (left, top), (right, bottom) = np.int32([quad.mean(axis=0) - half, quad.mean(axis=0) + half])
    near = np.ascontiguousarray(picture.pixels_bgr[top:bottom, left:right])
    assert "R8" in [p.label for p in open_table_reader(threads=1).read(near)]


def test_without_colours_in_the_picture_numbers_are_read_and_every_colour_is_asked_about() -> None:
    poses = [TilePose(f"{colour}7", -60 + 40 * k, 0, 0.0) for k, colour in enumerate("KRBO")]
    table = RenderedTable(seed=11).picture(poses, noise_seed=1).pixels_bgr
    grey = cv2.cvtColor(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    placements = open_table_reader(threads=1).read(np.asarray(grey, np.uint8))
    assert len(placements) == 4
    for placement in placements:
        assert not placement.sure
        assert {str(c.tile) for c in placement.reading.candidates[:4]} == {"K7", "R7", "B7", "O7"}
