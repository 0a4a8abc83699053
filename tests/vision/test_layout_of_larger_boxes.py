"""A box that holds a tile and something beside it, as a disk printed on the cloth, does not tell where
its tile lies; the sizes of those round about show that it holds more."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.layout_reader import read_layout
from vision.placements import Face, Placement
from vision.tile_sizes import more_than_tiles

RUN = {
    "R2": [[733.1, 600.4], [775.9, 607.7], [764.2, 669.2], [721.4, 661.9]],
    "R3": [[777.4, 609.7], [819.6, 616.8], [808.2, 676.5], [766.0, 669.4]],
    "R4": [[823.3, 616.5], [864.4, 623.6], [853.9, 683.2], [812.8, 676.1]],
    "R5": [[866.3, 626.2], [908.2, 631.5], [899.6, 694.1], [857.7, 688.7]],
    "R6": [[911.7, 633.6], [954.4, 640.0], [944.9, 701.8], [902.2, 695.5]],
    "R7": [[958.3, 642.5], [1000.8, 650.5], [987.8, 713.2], [945.4, 705.2]],
    "R8": [[1002.7, 650.9], [1044.8, 657.8], [1033.8, 720.0], [991.6, 713.0]],
}
"""Red tiles of a filmed game, in pixels."""

AT_ITS_END = [[1032.0, 725.0], [1046.0, 650.4], [1118.3, 668.9], [1104.3, 743.6]]
"""Where a finder saw the nine, half upon a printed disk: taken across, half as large again."""

WHOLE = tuple(range(len(RUN) + 1))


def box(label: str, quad: list[list[float]]) -> Placement:
    reading = TileReading.certain(parse_tile(label))
    return Placement(np.array(quad, np.float32), reading, 0.9, Face.UP)


def run_and(*others: Placement) -> list[Placement]:
    return [*(box(label, quad) for label, quad in RUN.items()), *others]


def arrangements(placements: list[Placement]) -> list[set[tuple[int, ...]]]:
    return [set(melds) for melds in read_layout(placements).reading.arrangements]


def test_a_box_of_a_tile_and_a_figure_beside_it_may_belong_to_the_row_it_ends() -> None:
    found = arrangements(run_and(box("R9", AT_ITS_END)))
    assert {WHOLE} in found
    assert {WHOLE[:-1], WHOLE[-1:]} in found


def test_one_that_lies_far_from_the_row_belongs_to_none() -> None:
    far = [[x + 70, y + 30] for x, y in AT_ITS_END]
    assert arrangements(run_and(box("R9", far))) == [{WHOLE[:-1], WHOLE[-1:]}]


@pytest.mark.parametrize("number", range(len(RUN)))
def test_it_puts_no_other_tile_of_the_row_in_doubt(number: int) -> None:
    """Beside it, those would all be too small for tiles."""
    for melds in arrangements(run_and(box("R9", AT_ITS_END))):
        assert any({number, (number + 1) % len(RUN)} <= set(meld) for meld in melds)


def test_of_what_lies_round_about_most_have_to_be_smaller() -> None:
    quads = np.stack([placement.quad_xy for placement in run_and(box("R9", AT_ITS_END))])
    assert more_than_tiles(quads).tolist() == [False] * len(RUN) + [True]
    assert not more_than_tiles(quads[-4:]).any(), "three smaller ones do not tell"
    twice = np.concatenate([quads, quads[-1:] + np.array([150, 60], np.float32)])
    assert not more_than_tiles(twice).any(), "nor do so few, where another one is as large"


def upright(label: str, x: float, y: float, width: float = 43, height: float = 64) -> Placement:
    """A box round about a middle."""
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return box(label, [[x + a * width / 2, y + b * height / 2] for a, b in corners])


def test_two_boxes_twice_as_wide_as_their_tiles_leave_their_rows_whole() -> None:
    """Of a filmed game: reds that a finder took half of their neighbours for as well, in two rows."""
    rows = [
        [upright(f"{colour}12", 900 + 47 * k, y) for k, colour in enumerate("KBRO")]
        for y in (340, 580)
    ]
    for row in rows:
        row[2] = upright("R12", *row[2].centre_xy, 91, 79)
    others = [upright(f"K{n}", 500 + 47 * n + 150 * (n // 4), 460) for n in range(1, 13)]
    others += [upright(f"B{n}", 500 + 47 * n + 150 * (n // 4), 220) for n in range(1, 13)]
    (one, another) = ((0, 1, 2, 3), (4, 5, 6, 7))
    found = arrangements([*rows[0], *rows[1], *others])
    assert any({one, another} <= melds for melds in found)
    assert len(found) > 1, "a tile of each lies beside a box that says nothing of where"


def test_without_tiles_there_is_none() -> None:
    assert more_than_tiles(np.zeros((0, 4, 2), np.float32)).tolist() == []
