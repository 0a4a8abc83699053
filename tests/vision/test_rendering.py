"""Generated pictures tell the truth about themselves, and come out the same when drawn again."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.evaluation import load_labels
from vision.rendering import TILE_SIZE_MM, RenderedTable, TilePose, typefaces
from vision.rendering.arrangements import LABELS, sample_labels, sample_meld
from vision.rendering.camera import Camera
from vision.rendering.dataset import generate, main
from vision.rendering.designs import SUITS, sample_design, sample_inks
from vision.rendering.evenings import draw_evening
from vision.rendering.faces import draw_face
from vision.rendering.labels import is_clear, label_file
from vision.rendering.table_scenes import Typefaces, draw_scene
from vision.rendering.typefaces import (
    BUILT_IN,
    LISTS,
    family_names,
    find_typefaces,
    has_digits,
    text_mask,
)


def test_a_picture_is_drawn_from_its_generator_alone() -> None:
    first = draw_scene(np.random.default_rng([4, 2]), Typefaces())
    again = draw_scene(np.random.default_rng([4, 2]), Typefaces())
    other = draw_scene(np.random.default_rng([4, 3]), Typefaces())
    assert np.array_equal(first.pixels_bgr, again.pixels_bgr)
    assert np.array_equal(first.quads_xy, again.quads_xy)
    assert first.labels == again.labels
    assert first.pixels_bgr.shape != other.pixels_bgr.shape or not np.array_equal(
        first.pixels_bgr, other.pixels_bgr
    )


@pytest.mark.parametrize("seed", range(6))
def test_truth_is_well_formed(seed: int) -> None:
    picture = draw_scene(np.random.default_rng([31, seed]), Typefaces())
    count = len(picture.labels)
    assert picture.pixels_bgr.dtype == np.uint8
    assert picture.quads_xy.shape == (count, 4, 2)
    assert picture.visible.shape == (count,)
    assert set(picture.labels) <= {*LABELS, "J", "face-down"}
    assert np.all((picture.visible > 0.02) & (picture.visible <= 1))
    for quad in picture.quads_xy:
        # Clockwise on the screen: a mirrored quad would teach mirrored digits.
        assert cv2.contourArea(quad, oriented=True) > 0


def test_a_quad_lies_on_its_tile_and_its_first_edge_is_the_tiles_top() -> None:
    table = RenderedTable(5, (960, 720))
    poses = [TilePose("B1", -60, 10, 0.0), TilePose("B1", 60, 10, np.pi / 2)]
    picture = table.picture(poses, 0)
    for quad in picture.quads_xy:
        target = np.array([[0, 0], [52, 0], [52, 72], [0, 72]], np.float32)
        upright = cv2.warpPerspective(
            picture.pixels_bgr, cv2.getPerspectiveTransform(quad, target), (52, 72)
        )
        ink = upright[6:66, 6:46].astype(int)
        blue = ink[..., 0] - ink[..., 2] > 25
        # The number stands in the upper half of this set's tiles.
        assert blue.any()
        assert np.nonzero(blue)[0].mean() + 6 < 36


def test_a_tile_turned_by_a_quarter_points_right() -> None:
    picture = RenderedTable(5, (640, 480)).picture([TilePose("K4", 0, 0, np.pi / 2)], 0)
    top_left, top_right, bottom_right, bottom_left = picture.quads_xy[0]
    up = (top_left + top_right - bottom_right - bottom_left) / 2
    assert up[0] > 3 * abs(up[1])
    assert np.linalg.norm(up) > np.linalg.norm(top_right - top_left)


def test_pictures_of_an_unmoved_table_differ_by_noise_alone() -> None:
    table = RenderedTable(2, (640, 480))
    poses = [TilePose("R5", 0, 0, 0.1)]
    first, second = table.picture(poses, 1), table.picture(poses, 2)
    change = np.abs(first.pixels_bgr.astype(int) - second.pixels_bgr)
    assert 0 < change.mean() < 6
    assert np.array_equal(first.quads_xy, second.quads_xy)


def test_a_hand_covers_what_lies_below_it() -> None:
    table = RenderedTable(2, (640, 480))
    poses = [TilePose("R5", 0, 60, 0.0), TilePose("R6", -150, -100, 0.0)]
    bare = table.picture(poses, 1)
    reached = table.picture(poses, 1, hand_xy_mm=(0.0, 20.0))
    assert bare.visible.min() > 0.97
    assert reached.visible[0] < 0.5
    assert reached.visible[1] > 0.97
    again = table.picture(poses, 1)
    assert np.array_equal(again.pixels_bgr, bare.pixels_bgr)


def test_the_span_of_the_rendered_table_is_in_view() -> None:
    table = RenderedTable(8, (640, 480))
    width, height = table.span_mm
    x, y = width / 2 - TILE_SIZE_MM[1], height / 2 - 1.5 * TILE_SIZE_MM[1]
    poses = [TilePose("K1", sx * x, sy * y, 0.0) for sx in (-1, 1) for sy in (-1, 1)]
    assert table.picture(poses, 0).visible.min() > 0.97


def test_straight_down_the_camera_maps_millimetres_evenly() -> None:
    camera = Camera(640, 480, focal_px=600, distance_mm=300)
    pixels = camera.project(np.array([[0.0, 0, 0], [10, 0, 0], [0, 10, 0]]))
    assert pixels == pytest.approx(np.array([[320, 240], [340, 240], [320, 260]]))
    tilted = Camera(640, 480, 600, 300, pitch_rad=0.6, yaw_rad=0.4)
    point = np.array([[25.0, -13.0, 0.0]])
    moved = tilted.image_from_table() @ [25.0, -13.0, 1.0]
    assert moved[:2] / moved[2] == pytest.approx(tilted.project(point)[0], abs=1e-2)


def test_a_tables_tiles_are_at_most_two_of_each_number() -> None:
    for seed in range(20):
        labels = sample_labels(np.random.default_rng(seed), 60)
        counts = Counter(label for label in labels if label != "J")
        assert max(counts.values()) <= 2


def test_melds_are_often_wrong_on_purpose() -> None:
    rng = np.random.default_rng(1)
    melds = [sample_meld(rng) for _ in range(300)]
    lengths = [len(m) for m in melds]
    assert min(lengths) == 1
    assert max(lengths) >= 6
    mixed = [
        m for m in melds if len({t[0] for t in m if t != "J"}) > 1 and len({t[1:] for t in m}) > 2
    ]
    assert len(mixed) > 30


def test_red_and_the_fourth_ink_never_meet() -> None:
    import colorsys

    for seed in range(200):
        inks = sample_inks(np.random.default_rng(seed))
        assert set(inks) == set(SUITS)
        hues = [360 * colorsys.rgb_to_hsv(*inks[s][::-1])[0] for s in "RO"]
        assert (hues[1] - hues[0]) % 360 > 12


def test_six_and_nine_differ_by_more_than_a_half_turn() -> None:
    for seed in range(40):
        design = sample_design(np.random.default_rng(seed))
        six = draw_face(design, "K6", 60).albedo_bgr
        nine = draw_face(design, "K9", 60).albedo_bgr
        assert np.abs(six - nine[::-1, ::-1]).max() > 0.2, f"seed {seed}"


def test_a_figure_below_the_number_may_be_larger() -> None:
    design = replace(sample_design(np.random.default_rng(3)), ornament="shape")

    def ink(figure: float) -> float:
        face = draw_face(replace(design, figure=figure), "K5", 120).albedo_bgr
        return float((np.array(design.body_bgr) - face).clip(0).sum())

    assert ink(1.0) < ink(1.4) < ink(1.7)


def test_a_face_down_tile_has_no_ink() -> None:
    design = sample_design(np.random.default_rng(3))
    face = draw_face(design, "face-down", 60)
    assert np.ptp(face.albedo_bgr.reshape(-1, 3), axis=0).max() == pytest.approx(0)


def test_the_built_in_typeface_serves_where_no_folder_is_given(tmp_path: Path) -> None:
    assert find_typefaces(None) == (BUILT_IN,)
    assert find_typefaces(tmp_path) == (BUILT_IN,)
    assert has_digits(BUILT_IN)
    assert text_mask(BUILT_IN, "13").max() == 255
    assert len(set(family_names())) == len(family_names()) > 100


def test_a_typeface_of_another_script_has_no_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """It draws the same empty box for each."""
    box = np.zeros((90, 50), np.uint8)
    box[:6] = box[-6:] = box[:, :6] = box[:, -6:] = 255
    monkeypatch.setattr(typefaces, "text_mask", lambda *_: box)
    assert not has_digits(BUILT_IN)


def test_no_family_is_listed_twice() -> None:
    listed = [family for name in LISTS for family in family_names(name)]
    assert len(set(listed)) == len(listed) > 1000


def test_a_folder_of_pictures_is_continued_and_not_drawn_twice(tmp_path: Path) -> None:
    assert generate(tmp_path, range(2), 7, None, "all", 1) == 2
    before = (tmp_path / "000001.jpg").read_bytes()
    (tmp_path / "000000.json").unlink()
    assert generate(tmp_path, range(3), 7, None, "all", 1) == 2
    assert (tmp_path / "000001.jpg").read_bytes() == before
    entry = json.loads((tmp_path / "000002.json").read_text())
    pixels = cv2.imread(str(tmp_path / entry["image"]))
    assert pixels is not None
    assert pixels.shape[:2] == (entry["height"], entry["width"])


def test_an_evening_shows_one_whole_set_and_the_same_again() -> None:
    pictures = [draw_evening(np.random.default_rng([5, k]), Typefaces()) for k in (0, 0, 1)]
    np.testing.assert_array_equal(pictures[0].pixels_bgr, pictures[1].pixels_bgr)
    for picture in pictures[1:]:
        counts = Counter(picture.labels)
        assert 30 <= counts.total() <= 106
        counts.pop("face-down", None)
        assert max(counts.values()) <= 2


def test_labels_of_generated_pictures_can_be_evaluated(tmp_path: Path) -> None:
    assert generate(tmp_path, range(1), 7, None, "all", 1, "evenings") == 1
    (tmp_path / "labels.json").write_text(json.dumps(label_file(tmp_path)))
    (photo,) = load_labels(tmp_path / "labels.json")
    entry = json.loads((tmp_path / "000000.json").read_text())
    clear = [t["label"] for t in entry["tiles"] if is_clear(t)]
    assert [tile.label for tile in photo.tiles] == [name for name in clear if name != "face-down"]
    assert len(photo.ignore) == len(entry["tiles"]) - len(clear)
    assert all(t["visible"] >= 0.8 for t in entry["tiles"] if is_clear(t))
    narrow = {"visible": 1.0, "quad": [[0, 0], [30, 0], [30, 11], [0, 11]]}
    assert not is_clear(narrow)


def test_a_part_without_typefaces_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The built-in typeface belongs to one part; the other has none without a folder of fonts.
    codes = []
    for part in ("train", "held-out"):
        arguments = [
            "dataset",
            str(tmp_path / part),
            "--count",
            "1",
            "--part",
            part,
            "--workers",
            "1",
        ]
        monkeypatch.setattr("sys.argv", arguments)
        codes.append(main())
    assert sorted(codes) == [0, 2]
    assert "no typeface for the part" in capsys.readouterr().err
