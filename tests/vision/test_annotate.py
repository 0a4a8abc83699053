"""Marks on a photograph: present for everything, told by shape, and never outside the picture."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.annotate import draw_mistakes, draw_reading
from vision.evaluation import Labelled, Mistake, MistakeKind
from vision.frame import Pixels
from vision.layout_reader import read_layout
from vision.placements import Face, Placement


def table(size_hw: tuple[int, int] = (240, 400)) -> Pixels:
    return np.full((*size_hw, 3), 90, np.uint8)


def at(
    x: float, y: float = 100, label: str = "K7", *, width: float = 50, face: Face = Face.UP,
    sure: bool = True,
) -> Placement:  # fmt: skip
    height = width * 1.4
    quad = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
    if face is not Face.UP:
        return Placement(quad, TileReading((), False), 0.9, face)
    return Placement(quad, TileReading((Candidate(parse_tile(label), 0.9),), sure), 0.9, face)


def drawn(*placements: Placement, lines: tuple[str, ...] = ()) -> Pixels:
    return draw_reading(table(), placements, read_layout(placements), lines)


def grey(pixels: Pixels) -> NDArray[np.float64]:
    """What is left of a picture for someone who sees no colours at all."""
    return np.asarray(pixels.astype(np.float64) @ [0.114, 0.587, 0.299])


def line_above(pixels: Pixels) -> float:
    """Share of the way above tiles that begin at x = 100 and y = 100 along which a line runs."""
    return float((grey(pixels)[92:98, 105:190] > 180).any(axis=0).mean())


def differ(one: Pixels, other: Pixels) -> bool:
    """Whether two pictures differ clearly in some fifty pixels, colours aside."""
    return int((np.abs(grey(one) - grey(other)) > 40).sum()) > 50


def test_the_picture_itself_is_not_drawn_on() -> None:
    pixels = table()
    pixels.flags.writeable = False
    marked = draw_reading(pixels, [at(100)], read_layout([at(100)]))
    assert (pixels == 90).all()
    assert marked.shape == pixels.shape
    assert not (marked == 90).all()


def test_an_empty_table_without_ruling_is_left_as_it_is() -> None:
    assert (drawn() == table()).all()


def test_sure_doubtful_unread_and_face_down_tiles_differ_without_colour() -> None:
    pictures = [
        drawn(at(100)),
        drawn(at(100, sure=False)),
        drawn(at(100, face=Face.UNREAD)),
        drawn(at(100, face=Face.DOWN)),
    ]
    for k, one in enumerate(pictures):
        for other in pictures[k + 1 :]:
            assert differ(one, other)


def test_different_names_are_lettered_differently() -> None:
    assert differ(drawn(at(100, label="K7")), drawn(at(100, label="O13")))


def test_a_set_is_enclosed_and_loose_tiles_are_not() -> None:
    assert line_above(drawn(at(100), at(150))) > 0.9
    assert line_above(drawn(at(60), at(250))) == 0


def test_a_set_in_doubt_has_a_dashed_line() -> None:
    sure, doubtful = drawn(at(100), at(150)), drawn(at(100), at(176))
    assert line_above(sure) > 0.9
    assert 0.2 < line_above(doubtful) < 0.8


def test_the_up_direction_is_marked_at_the_tiles_own_top() -> None:
    upright, turned = at(100), at(100)
    turned = Placement(np.roll(upright.quad_xy, 2, axis=0), turned.reading, 0.9, Face.UP)
    wedge = np.s_[103:106, 123:128]  # below the middle of the upper edge, which is at 125, 100
    assert grey(drawn(upright))[wedge].mean() < 30
    assert grey(drawn(turned))[wedge].mean() > 60


def test_ruling_lines_stand_below_the_picture_and_wrap() -> None:
    one = drawn(at(100), lines=("LEGAL",))
    long = drawn(at(100), lines=("ILLEGAL: " + "this set is too short " * 8, "second"))
    assert one.shape[1] == long.shape[1] == 400
    assert 240 < one.shape[0] < long.shape[0]
    assert (one[:240] == drawn(at(100))).all()
    margin = long[241:, -4:]
    assert (margin == 255).all()  # no line runs off the picture


def test_letters_that_the_font_lacks_do_not_fail() -> None:
    assert drawn(lines=("“7 – 9” × é 牌 …", "", " ")).shape[0] > 240


def test_small_tiles_are_enlarged_by_a_whole_number_so_that_marks_can_be_read() -> None:
    placements = [at(20 + 12 * k, 30, width=12) for k in range(5)]
    marked = draw_reading(table((60, 100)), placements, read_layout(placements))
    assert marked.shape == (180, 300, 3)
    huge = table((60, 2500))
    assert draw_reading(huge, placements, read_layout(placements)).shape == huge.shape


@pytest.mark.parametrize("width", [4.0, 20.0, 90.0, 400.0])
def test_tiles_of_any_size_and_partly_outside_can_be_marked(width: float) -> None:
    placements = [at(-width / 2, -20, width=width), at(380, 230, width=width), at(-5000, 9000)]
    marked = draw_reading(table(), placements, read_layout(placements), ["LEGAL"])
    assert marked.dtype == np.uint8
    assert marked.shape[0] > table().shape[0]  # the band of the ruling below


def test_degenerate_quads_and_tiny_pictures_can_be_marked() -> None:
    point = Placement(np.zeros((4, 2), np.float32), TileReading((), False), 0.5, Face.UNREAD)
    marked = draw_reading(np.zeros((1, 1, 3), np.uint8), [point], read_layout([point]), ["LEGAL"])
    assert marked.shape[0] > 1


def test_a_reading_without_layout_marks_tiles_only() -> None:
    assert differ(draw_reading(table(), [at(100), at(150)]), drawn(at(100), at(150)))


def test_missed_extra_and_misnamed_tiles_differ_without_colour() -> None:
    quad = Labelled.of_box("", 100, 80, 50, 70).quad
    pictures = [
        draw_mistakes(table(), [Mistake(kind, "K7", "K1", sure, quad)])
        for kind, sure in (
            (MistakeKind.MISSED, True),
            (MistakeKind.EXTRA, True),
            (MistakeKind.MISNAMED, True),
            (MistakeKind.MISNAMED, False),
        )
    ]
    for k, one in enumerate(pictures):
        for other in pictures[k + 1 :]:
            assert differ(one, other)


def test_a_photograph_without_mistakes_is_left_as_it_is() -> None:
    assert (draw_mistakes(table(), []) == table()).all()
