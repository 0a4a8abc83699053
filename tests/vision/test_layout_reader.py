"""Melds from geometry: generated tables whose rows are known, seen from anywhere."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import JOKER, parse_tile
from vision.layout_reader import LaidOut, read_layout
from vision.placements import Face, Placement

WIDTH, HEIGHT = 26.0, 36.0
"""Millimetres of a tile; the tables here are drawn in millimetres, y down."""

Pose = tuple[float, float, float]
"""Centre x and y in millimetres, clockwise turn in degrees."""
Array = NDArray[np.float64]


def row(
    count: int,
    x: float = 0.0,
    y: float = 0.0,
    turn: float = 0.0,
    *,
    gap: float = 0.0,
    step: float = 0.0,
    bend: float = 0.0,
) -> list[Pose]:
    """A row in reading order: gaps in widths, steps in heights, degrees of bend for each tile."""
    poses = [(x, y, turn)]
    for _ in range(count - 1):
        x0, y0, a0 = poses[-1]
        half = math.radians(a0 + bend / 2)
        lean = abs(HEIGHT * math.sin(math.radians(bend) / 2))  # so that corners do not overlap
        along, down = WIDTH * (1 + gap) + lean, HEIGHT * step
        poses.append(
            (
                x0 + along * math.cos(half) - down * math.sin(half),
                y0 + along * math.sin(half) + down * math.cos(half),
                a0 + bend,
            )
        )
    return poses


def quad_of(pose: Pose, scale: float = 1.0) -> Array:
    x, y, turn = pose
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [WIDTH / 2, HEIGHT / 2]
    return np.asarray((corners @ np.array([[c, s], [-s, c]]) + [x, y]) * scale)


def seen(quad: Array, label: str = "K7", face: Face = Face.UP) -> Placement:
    reading = TileReading.certain(parse_tile(label)) if face is Face.UP else TileReading((), False)
    return Placement(quad.astype(np.float32), reading, 0.9, face)


def table(*rows: Sequence[Pose]) -> list[Placement]:
    return [seen(quad_of(pose)) for poses in rows for pose in poses]


def melds(laid_out: LaidOut) -> set[tuple[int, ...]]:
    """The likeliest melds as indexes into the placements."""
    of = laid_out.placement_indexes
    return {tuple(of[k] for k in meld) for meld in laid_out.reading.arrangements[0]}


def as_laid(*rows: Sequence[Pose]) -> set[tuple[int, ...]]:
    """What `table` of the same rows should read as."""
    found, start = set(), 0
    for poses in rows:
        found.add(tuple(range(start, start + len(poses))))
        start += len(poses)
    return found


def reads_surely(*rows: Sequence[Pose]) -> None:
    laid_out = read_layout(table(*rows))
    assert melds(laid_out) == as_laid(*rows)
    assert len(laid_out.reading.arrangements) == 1


def warped(quads: Iterable[Array], matrix: Array) -> list[Array]:
    """The quads through a homography."""
    out = []
    for quad in quads:
        points = np.column_stack([quad, np.ones(4)]) @ matrix.T
        out.append(points[:, :2] / points[:, 2:])
    return out


def slant(towards_deg: float, strength: float) -> Array:
    """A view in which things shrink with the way towards a direction."""
    a = math.radians(towards_deg)
    return np.array([[1, 0, 0], [0, 1, 0], [strength * math.cos(a), strength * math.sin(a), 1]])


def random_rows(seed: int) -> list[list[Pose]]:
    """Up to eight rows, no two closer than a tile: touching, stepped, bent, at any angle."""
    random = np.random.default_rng(seed)
    rows: list[list[Pose]] = []
    taken = np.empty((0, 2))
    while len(rows) < 8 and len(taken) < 60:
        poses = row(
            int(random.integers(1, 8)),
            *random.uniform(-350, 350, 2),
            random.uniform(0, 360),
            gap=random.uniform(0, 0.2),
            step=random.uniform(-0.15, 0.15),
            bend=random.choice([0, 0, random.uniform(-8, 8)]),
        )
        centres = np.array([(x, y) for x, y, _ in poses])
        apart = np.linalg.norm(taken[:, None] - centres[None], axis=2)
        if not len(taken) or apart.min() > 85:
            rows.append(poses)
            taken = np.vstack([taken, centres])
    return rows


def jittered(quads: Iterable[Array], seed: int, amount: float) -> list[Array]:
    """Every corner moved by a share of a tile's width, as a finder misplaces it."""
    random = np.random.default_rng(seed)
    out = []
    for quad in quads:
        width = np.linalg.norm(quad[1] - quad[0])
        out.append(quad + random.normal(0, amount, (4, 2)) * width)
    return out


def test_an_empty_table_has_one_arrangement_of_no_melds() -> None:
    assert read_layout([]).reading.arrangements == ((),)


def test_a_single_tile_is_a_meld_of_one() -> None:
    assert read_layout(table(row(1))).reading.arrangements == (((0,),),)


@pytest.mark.parametrize("turn", range(0, 360, 15))
def test_a_touching_row_reads_from_left_to_right_whomever_it_faces(turn: float) -> None:
    reads_surely(row(5, 0, 0, turn))


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.2, 0.3, 0.35])
def test_gaps_as_wide_as_in_photographs_of_sets_do_not_part_a_row(gap: float) -> None:
    reads_surely(row(6, gap=gap))
    reads_surely(row(2, gap=gap))


@pytest.mark.parametrize("gap", [0.75, 1.0, 2.0])
def test_tiles_most_of_a_width_apart_are_not_one_row(gap: float) -> None:
    assert len(melds(read_layout(table(row(3, gap=gap))))) == 3
    left = row(3)
    reads_surely(left, row(3, x=(3 + gap) * WIDTH))


@pytest.mark.parametrize("step", [-0.35, -0.2, 0.1, 0.3, 0.4])
def test_stepped_rows_hold_together(step: float) -> None:
    reads_surely(row(5, step=step))


@pytest.mark.parametrize("bend", [-28, -15, 8, 20, 25])
def test_fanned_rows_hold_together(bend: float) -> None:
    assert melds(read_layout(table(row(5, bend=bend)))) == {(0, 1, 2, 3, 4)}


def test_an_even_fan_is_no_matter_of_doubt() -> None:
    reads_surely(row(7, bend=12))


def test_rows_that_touch_above_each_other_are_different_melds() -> None:
    reads_surely(row(4), row(4, y=HEIGHT))
    reads_surely(row(4), row(4, x=WIDTH / 2, y=HEIGHT))  # laid like bricks
    reads_surely(row(4), row(4, x=WIDTH * 0.8, y=HEIGHT * 0.97), row(4, x=-9, y=HEIGHT * 2))


def test_columns_of_tiles_with_touching_tops_are_loose_tiles() -> None:
    column = [(0.0, HEIGHT * k, 0.0) for k in range(4)]
    reads_surely(*[[pose] for pose in column])


def test_a_row_standing_upright_in_the_picture_is_a_row() -> None:
    """Its tiles lie on their sides, one below the other, and touch with their long sides."""
    reads_surely(row(4, turn=90))
    reads_surely(row(4, turn=-90))


def test_two_rows_that_meet_at_a_right_angle_stay_apart() -> None:
    flat = row(4)
    upright = row(3, x=3 * WIDTH + WIDTH / 2 + HEIGHT / 2, y=-10, turn=90)
    reads_surely(flat, upright)


def test_a_turn_within_a_straight_row_parts_it() -> None:
    left = row(3)
    right = row(3, x=3 * WIDTH + 9, y=4, turn=32)
    laid_out = read_layout(table(left, right))
    assert melds(laid_out) == as_laid(left, right)


def test_aligned_rows_that_touch_side_by_side_are_one_meld() -> None:
    reads_surely(row(3) + row(4, x=3 * WIDTH))


def test_rows_facing_each_other_across_the_table_read_each_their_own_way() -> None:
    reads_surely(row(4), row(4, x=3 * WIDTH, y=-HEIGHT, turn=180))


def test_a_single_upside_down_tile_keeps_its_place_in_an_upright_row() -> None:
    poses = row(5)
    poses[1] = (*poses[1][:2], 180.0)
    poses[4] = (*poses[4][:2], 180.0)
    reads_surely(poses)


def test_a_joker_does_not_outvote_a_tile_on_which_way_a_row_reads() -> None:
    poses = row(3)
    quads = [quad_of((x, y, turn)) for (x, y, _), turn in zip(poses, (180, 180, 0), strict=True)]
    placements = [seen(quads[0], "J"), seen(quads[1], "J"), seen(quads[2], "B9")]
    laid_out = read_layout(placements)
    assert laid_out.reading.arrangements == (((0, 1, 2),),)


def test_a_row_whose_tiles_disagree_evenly_is_given_both_ways() -> None:
    placements = [seen(quad_of((0, 0, 0))), seen(quad_of((WIDTH, 0, 180)))]
    assert set(read_layout(placements).reading.arrangements) == {((0, 1),), ((1, 0),)}


def test_face_down_tiles_are_left_out_and_unread_ones_stay() -> None:
    a, b, c, d = (quad_of(pose) for pose in row(4))
    placements = [seen(d, face=Face.DOWN), seen(a), seen(b, face=Face.UNREAD), seen(c)]
    laid_out = read_layout(placements)
    assert laid_out.placement_indexes == (1, 2, 3)
    assert laid_out.reading.arrangements == (((0, 1, 2),),)
    assert laid_out.reading.text() == "K7 ? K7"


def test_a_face_down_tile_parts_the_tiles_beside_it() -> None:
    a, b, c = (quad_of(pose) for pose in row(3))
    laid_out = read_layout([seen(a), seen(b, face=Face.DOWN), seen(c)])
    assert melds(laid_out) == {(0,), (2,)}


def test_what_tiles_show_does_not_change_what_lies_together() -> None:
    rows = [row(3), row(3, x=3.5 * WIDTH), row(4, y=HEIGHT)]
    quads = [quad_of(pose) for poses in rows for pose in poses]
    random = np.random.default_rng(5)
    readings = set()
    for _ in range(10):
        labels = [f"{random.choice(list('KBRO'))}{random.integers(1, 14)}" for _ in quads]
        placements = [seen(quad, label) for quad, label in zip(quads, labels, strict=True)]
        readings.add(read_layout(placements).reading.arrangements)
    assert len(readings) == 1


def test_a_doubtful_gap_gives_both_readings() -> None:
    laid_out = read_layout(table(row(2), row(3, x=2.4 * WIDTH)))
    assert set(laid_out.reading.arrangements) == {
        ((0, 1, 2, 3, 4),),
        ((0, 1), (2, 3, 4)),
    }


def test_a_doubtful_step_gives_both_readings() -> None:
    laid_out = read_layout(table(row(3), row(3, x=3 * WIDTH, y=0.5 * HEIGHT)))
    assert set(laid_out.reading.arrangements) == {
        ((0, 1, 2, 3, 4, 5),),
        ((0, 1, 2), (3, 4, 5)),
    }


def test_a_gap_that_a_row_repeats_is_less_doubtful_than_one_in_a_touching_row() -> None:
    assert len(read_layout(table(row(6, gap=0.4))).reading.arrangements) == 1
    touching = read_layout(table(row(2), row(3, x=2.4 * WIDTH)))
    assert len(touching.reading.arrangements) == 2


def test_a_tile_half_way_between_two_rows_may_belong_to_either() -> None:
    upper, lower = row(3), row(3, y=HEIGHT)
    between: list[Pose] = [(3 * WIDTH, HEIGHT / 2, 0)]
    arrangements = read_layout(table(upper, lower, between)).reading.arrangements
    sets = {frozenset(arrangement) for arrangement in arrangements}
    assert frozenset([(0, 1, 2, 6), (3, 4, 5)]) in sets
    assert frozenset([(0, 1, 2), (3, 4, 5, 6)]) in sets


def test_many_doubts_give_single_changes_and_never_more_than_asked_for() -> None:
    rows = [row(2, y=100.0 * k, gap=0.5 + 0.01 * k) for k in range(12)]
    for most, found in ((1, 1), (2, 2), (8, 8), (20, 13)):
        reading = read_layout(table(*rows), max_arrangements=most).reading
        assert len(reading.arrangements) == found
    first, *others = read_layout(table(*rows)).reading.arrangements
    assert all(len(set(first) ^ set(other)) == 3 for other in others)


def test_two_doubts_of_one_row_are_tried_together_and_those_of_two_rows_are_not() -> None:
    places = [0.0, 1.02, 2.47, 3.49, 4.94, 5.96]
    in_a_row: list[Pose] = [(WIDTH * x, 0, 0) for x in places]
    first, *others = read_layout(table(in_a_row)).reading.arrangements
    assert {len(melds) for melds in (first, *others)} == {1, 2, 3}
    pairs = [row(2, y=100.0 * k, gap=0.45) for k in range(2)]
    first, *others = read_layout(table(*pairs)).reading.arrangements
    assert [len(set(first) ^ set(other)) for other in others] == [3, 3]


def test_overlapping_cards_of_a_fan_read_in_order() -> None:
    assert melds(read_layout(table(row(7, gap=-0.6, bend=4)))) == {tuple(range(7))}


def test_a_tile_found_twice_does_not_break_its_row() -> None:
    placements = [*table(row(4)), seen(quad_of((WIDTH + 1.5, 1.0, 2.0)))]
    found = melds(read_layout(placements))
    assert len(found) == 2
    assert {len(meld) for meld in found} == {1, 4}


def test_a_quad_without_area_is_a_loose_tile() -> None:
    flat = seen(np.array([[60.0, 0], [60, 0], [60, 30], [60, 30]]))
    point = seen(np.zeros((4, 2)))
    assert melds(read_layout([*table(row(2)), flat, point])) == {(0, 1), (2,), (3,)}


def test_a_ring_of_tiles_still_has_two_ends() -> None:
    ring = row(16, bend=22.5)
    laid_out = read_layout(table(ring))
    assert [len(meld) for meld in laid_out.reading.arrangements[0]] == [16]


def test_melds_come_line_by_line_as_in_the_picture() -> None:
    rows = [row(3, x=300, y=4), row(3, x=0, y=200), row(3, x=0, y=0), row(3, x=300, y=196)]
    arrangement = read_layout(table(*rows)).reading.arrangements[0]
    assert arrangement == ((6, 7, 8), (0, 1, 2), (3, 4, 5), (9, 10, 11))


def test_asking_for_no_arrangement_is_an_error() -> None:
    with pytest.raises(ValueError, match="always one arrangement"):
        read_layout([], max_arrangements=0)


@pytest.mark.parametrize("seed", range(40))
def test_random_tables_read_as_they_were_laid(seed: int) -> None:
    rows = random_rows(seed)
    assert melds(read_layout(table(*rows))) == as_laid(*rows)


@pytest.mark.parametrize("seed", range(40))
def test_random_tables_read_alike_at_a_slant_and_with_a_finders_errors(seed: int) -> None:
    rows = random_rows(1000 + seed)
    random = np.random.default_rng(seed)
    quads = [quad_of(pose) for poses in rows for pose in poses]
    view = slant(random.uniform(0, 360), 0.0006)  # the far side half as large as the near
    squeeze = np.diag([1.0, random.uniform(0.6, 1.0), 1.0])  # looking from 37 degrees or more
    quads = jittered(warped(quads, squeeze @ view), seed, 0.03)
    assert melds(read_layout([seen(quad) for quad in quads])) == as_laid(*rows)


@pytest.mark.parametrize("seed", range(30))
def test_a_row_laid_sloppily_is_among_the_readings(seed: int) -> None:
    """Gaps up to half a width, tiles out of line by an eighth and turned by five degrees (sigma)."""
    random = np.random.default_rng(seed)
    poses: list[Pose] = []
    x = 0.0
    for _ in range(6):
        poses.append((x, random.normal(0, 0.12) * HEIGHT, random.normal(0, 5)))
        x += WIDTH * (1.15 + random.uniform(0, 0.35))
    arrangements = read_layout(table(poses)).reading.arrangements
    assert (tuple(range(6)),) in arrangements


@pytest.mark.parametrize("seed", range(20))
def test_stacked_rows_read_alike_at_a_slant_and_with_a_finders_errors(seed: int) -> None:
    """Four rows, each touching the one above it, shifted against each other at random."""
    random = np.random.default_rng(seed)
    rows = [
        row(int(random.integers(3, 8)), x=random.uniform(-40, 40), y=k * HEIGHT * 1.02)
        for k in range(4)
    ]
    view = slant(random.uniform(0, 360), 0.0006)
    quads = warped([quad_of(pose) for poses in rows for pose in poses], view)
    laid_out = read_layout([seen(quad) for quad in jittered(quads, seed, 0.02)])
    assert melds(laid_out) == as_laid(*rows)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 200),
    turn=st.floats(0, 360),
    scale=st.floats(0.2, 50),
    shift=st.tuples(st.floats(-2000, 2000), st.floats(-2000, 2000)),
)
def test_turning_scaling_and_moving_the_picture_changes_nothing(
    seed: int, turn: float, scale: float, shift: tuple[float, float]
) -> None:
    rows = random_rows(seed)
    a = math.radians(turn)
    turned = scale * np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    placements = [
        seen(quad_of(pose) @ turned + np.array(shift)) for poses in rows for pose in poses
    ]
    assert melds(read_layout(placements)) == as_laid(*rows)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 200), shuffle=st.randoms(use_true_random=False))
def test_the_order_in_which_tiles_were_found_changes_nothing(seed: int, shuffle: object) -> None:
    rows = [*random_rows(seed), row(3, x=1000), row(3, x=1000 + 3.42 * WIDTH)]
    placements = table(*rows)
    order = list(range(len(placements)))
    shuffle.shuffle(order)  # type: ignore[attr-defined]
    plain = read_layout(placements)
    shuffled = read_layout([placements[k] for k in order])
    back = [
        tuple(tuple(order[k] for k in meld) for meld in arrangement)
        for arrangement in shuffled.reading.arrangements
    ]
    assert [set(arrangement) for arrangement in plain.reading.arrangements] == list(map(set, back))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100), st.floats(0, 360)), max_size=25),
    st.lists(st.sampled_from([*Face]), min_size=25, max_size=25),
)
def test_any_heap_of_tiles_is_parted_without_loss(poses: list[Pose], faces: list[Face]) -> None:
    """`LayoutReading` itself insists that each arrangement holds every tile exactly once."""
    placements = [
        seen(quad_of(pose), "J" if k % 5 else "K7", face)
        for k, (pose, face) in enumerate(zip(poses, faces, strict=False))
    ]
    laid_out = read_layout(placements)
    arrangements = laid_out.reading.arrangements
    assert len(set(arrangements)) == len(arrangements) <= 8
    assert len(laid_out.reading.tiles) == sum(p.face is not Face.DOWN for p in placements)
    assert JOKER not in {t.best for t in laid_out.reading.tiles if not t.candidates}
