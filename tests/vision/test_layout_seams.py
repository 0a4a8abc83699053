"""A gap that stands out of its line parts two sets, however narrow it is; uneven gaps part none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import parse_tile
from vision.layout_reader import read_layout
from vision.layout_seams import FEWEST, Seam, seams
from vision.placements import Face, Placement, TileReading

NONE, POSSIBLE, LIKELY, CLEAR = Seam


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        pytest.param([0.08, 0.01, 0.30, 0.05, 0.02], {2: CLEAR}, id="one"),
        pytest.param([0.06, 0, 0.4, 0, 0.02, 0, 0.3, 0.05, 0], {2: CLEAR, 6: CLEAR}, id="two"),
        pytest.param([0.0, 0.03, 0.22, 0.1, 0.02], {2: LIKELY}, id="hardly any"),
        pytest.param([0.0, 0.03, 0.19, 0.07, 0.02], {2: POSSIBLE}, id="perhaps none"),
        pytest.param([0.0, 0.16, 0.23, 0.0, 0.0, 0.02], {2: POSSIBLE}, id="beside a wide one"),
        pytest.param([0.0, 0.02, 0.1, 0.0, 0.02], {}, id="as the finder errs"),
        pytest.param([0.0, 0.4, 0.1, 0.3, 0.2, 0.38], {}, id="uneven"),
        pytest.param([0.3, 0.3, 0.35, 0.3, 0.28], {}, id="wide and even"),
        pytest.param([0.0, 0.4, 0.0, 0.0, 0.02], {}, id="two tiles before it"),
        pytest.param([0.0, 0.4, 0.0], {}, id="a short line"),
        pytest.param([], {}, id="one tile"),
    ],
)
def test_a_seam_is_a_gap_that_stands_out_between_two_sets(
    gaps: list[float], expected: dict[int, Seam]
) -> None:
    assert {k: seam for k, seam in enumerate(seams(gaps)) if seam} == expected
    assert seams(gaps[::-1]) == seams(gaps)[::-1], "from either end"


@pytest.mark.parametrize(
    ("facing", "gaps", "expected"),
    [
        pytest.param("+++---", [0.02, 0, 0.01, 0.03, 0], {2: LIKELY}, id="touching"),
        pytest.param("+++---", [0.02, 0, 0.13, 0.03, 0], {2: CLEAR}, id="with a gap"),
        pytest.param("+++---", [0.12, 0, 0.13, 0.03, 0], {2: LIKELY}, id="with another gap"),
        pytest.param(
            "++?---", [0.0, 0.02, 0.04, 0.0, 0.0], {2: LIKELY}, id="a joker, set of three"
        ),
        pytest.param("+++??---", [0, 0, 0.01, 0.05, 0.02, 0, 0], {3: LIKELY}, id="between jokers"),
        pytest.param("+++---+++", [0.0] * 8, {2: LIKELY, 5: LIKELY}, id="three sets"),
        pytest.param("+++-++", [0.0] * 5, {}, id="one upside down"),
        pytest.param("+++--", [0.0] * 4, {}, id="no set of two"),
        pytest.param("+++?-?", [0.0] * 5, {}, id="one that tells"),
    ],
)
def test_tiles_that_face_the_other_side_from_there_on_are_another_set(
    facing: str, gaps: list[float], expected: dict[int, Seam]
) -> None:
    sides = [{"+": 1, "-": -1, "?": 0}[side] for side in facing]
    assert {k: seam for k, seam in enumerate(seams(gaps, sides)) if seam} == expected


def test_no_seam_leaves_less_than_a_set() -> None:
    chance = np.random.default_rng(5)
    for _ in range(300):
        gaps = np.where(chance.random(9) < 0.3, chance.uniform(0.2, 0.5, 9), 0.02).tolist()
        found = [k for k, seam in enumerate(seams(gaps)) if seam]
        assert all(FEWEST - 1 <= k <= len(gaps) - FEWEST for k in found)


WIDTH, HEIGHT = 40.0, 56.0
Quad = NDArray[np.float32]


def line(words: str, gaps: list[float], turned_deg: float = 0.0) -> list[Placement]:
    """Tiles side by side with these gaps, in widths, the line turned in the picture."""
    x, placements = 0.0, []
    turn = np.radians(turned_deg)
    way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for word, gap in zip(words.split(), [*gaps, 0.0], strict=True):
        corners = np.array([[x, 0], [x + WIDTH, 0], [x + WIDTH, HEIGHT], [x, HEIGHT]])
        quad: Quad = (corners @ way + 400).astype(np.float32)
        placements.append(Placement(quad, TileReading.certain(parse_tile(word)), 1.0, Face.UP))
        x += WIDTH * (1 + gap)
    return placements


def melds(placements: list[Placement]) -> list[str]:
    """Every arrangement, its sets in notation."""
    reading = read_layout(placements).reading
    return [
        " | ".join(" ".join(str(reading.tiles[t].best) for t in meld) for meld in arrangement)
        for arrangement in reading.arrangements
    ]


@pytest.mark.parametrize("turned_deg", [0.0, 40.0, 75.0])
def test_two_sets_that_hardly_lie_apart_are_two(turned_deg: float) -> None:
    laid = line("K8 B8 R8 O8 K6 R6 B6", [0.0, 0.05, 0.02, 0.28, 0.0, 0.03], turned_deg)
    assert melds(laid) == ["K8 B8 R8 O8 | K6 R6 B6"]


def test_and_are_two_surely_where_the_gap_was_in_doubt_by_itself() -> None:
    laid = line("B5 B6 B7 B2 B3 B4", [0.02, 0.0, 0.42, 0.03, 0.0])
    assert melds(laid) == ["B5 B6 B7 | B2 B3 B4"]


def test_what_they_show_plays_no_part() -> None:
    """One run, and a line of anything, laid so, are parted alike."""
    gaps = [0.0, 0.05, 0.28, 0.0, 0.03]
    assert melds(line("R3 R4 R5 R6 R7 R8", gaps)) == ["R3 R4 R5 | R6 R7 R8"]
    assert melds(line("K1 R9 B4 O2 K13 R1", gaps)) == ["K1 R9 B4 | O2 K13 R1"]


def test_where_it_is_hardly_seen_both_ways_are_told() -> None:
    apart, together = "K8 B8 R8 | K6 R6 B6", "K8 B8 R8 K6 R6 B6"
    assert melds(line(together, [0.0, 0.03, 0.22, 0.1, 0.02])) == [apart, together]
    assert melds(line(together, [0.0, 0.03, 0.19, 0.07, 0.02])) == [together, apart]


def test_sets_of_two_who_sit_opposite_are_two_though_they_touch() -> None:
    laid = line("O2 O3 O4 K8 R8 O8", [0.0] * 5)
    turned = [replace(p, quad_xy=np.roll(p.quad_xy, 2, axis=0)) for p in laid[3:]]
    assert melds([*laid[:3], *turned]) == ["O2 O3 O4 | O8 R8 K8", "O2 O3 O4 K8 R8 O8"]


def test_a_loose_line_stays_one_set() -> None:
    told = melds(line("R3 R4 R5 R6 R7 R8", [0.22, 0.18, 0.27, 0.2, 0.16]))
    assert told == ["R3 R4 R5 R6 R7 R8"]
