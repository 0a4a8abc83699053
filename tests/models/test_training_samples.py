"""Training samples show what their labels say, whatever was done to the picture."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.classes import NOT_A_TILE, parse_label
from models.finder_maps import STRIDE, decode_maps
from models.training.finder_data import SIDE_PX, draw_sample
from models.training.pictures import (
    HELD_OUT_EVERY,
    DataError,
    LabelledPicture,
    load_generated,
    load_real_labels,
)
from models.training.tile_data import draw_group, held_out_group, jittered, joined, junk_quads

LABELS = ("K1", "B2", "R3", "O4", "J", "face-down")


def grid_of_tiles(short: float = 40) -> NDArray[np.float32]:
    """Six upright tiles in two rows."""
    half = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]]) * short
    middles = [[x, y] for y in (120, 300) for x in (120, 280, 440)]
    return np.array([half + np.array(m) for m in middles], np.float32)


def painted() -> LabelledPicture:
    """Tiles with a red upper and a white lower half, on green."""
    pixels = np.full((420, 560, 3), (60, 110, 60), np.uint8)
    quads = grid_of_tiles()
    for quad in quads:
        left, top = quad[0]
        right, bottom = quad[2]
        middle = (top + bottom) / 2
        corners = [(left, top, middle, (60, 60, 220)), (left, middle, bottom, (235, 235, 235))]
        for x, y0, y1, colour in corners:
            cv2.rectangle(
                pixels, (round(float(x)), round(float(y0))), (round(float(right)), round(float(y1))),
                colour, -1,
            )  # fmt: skip
    parsed = [parse_label(label) for label in LABELS]
    return LabelledPicture(
        jpeg=cv2.imencode(".jpg", pixels)[1].tobytes(),
        size_wh=(560, 420),
        quads_xy=quads,
        classes=np.array([c for c, _ in parsed], np.int64),
        colours=np.array([-1 if c is None else c for _, c in parsed], np.int64),
        up_known=np.array([True] * 5 + [False]),
        visible=np.ones(6, np.float32),
        ignore_xyxy=np.zeros((0, 4), np.float32),
        junk_quads_xy=np.zeros((0, 4, 2), np.float32),
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_target_maps_hold_exactly_the_tiles_asked_for(seed: int) -> None:
    sample = draw_sample(painted(), np.random.default_rng(seed))
    peaks = np.where(sample.heat == 1, sample.heat, 0)
    quads, _ = decode_maps(peaks, sample.geometry, 0.5, 100)
    assert len(quads) == len(sample.quads_xy)
    for quad in quads:
        errors = np.abs(sample.quads_xy - quad).max(axis=(1, 2))
        turned = np.abs(np.roll(sample.quads_xy, 2, axis=1) - quad).max(axis=(1, 2))
        assert min(errors.min(), turned[~sample.up_known].min(initial=np.inf)) < 0.1


@pytest.mark.parametrize("seed", range(12))
def test_the_upper_half_of_each_asked_tile_is_the_inked_one(seed: int) -> None:
    """The picture was turned, scaled and cut: the quads must have gone the same way."""
    sample = draw_sample(painted(), np.random.default_rng(seed))
    pixels = cv2.GaussianBlur(sample.pixels_bgr, (3, 3), 0).astype(int)
    for quad in sample.quads_xy:
        middle, up = quad.mean(axis=0), (quad[0] + quad[1] - quad[2] - quad[3]) / 4
        inked, plain = (
            pixels[tuple(np.clip(np.round(p), 0, SIDE_PX - 1).astype(int)[::-1])]
            for p in (middle + up / 2, middle - up / 2)
        )
        assert inked[0] <= plain[0]


def test_the_same_seed_gives_the_same_sample() -> None:
    first, second = (draw_sample(painted(), np.random.default_rng(4)) for _ in range(2))
    np.testing.assert_array_equal(first.pixels_bgr, second.pixels_bgr)
    np.testing.assert_array_equal(first.heat, second.heat)


def test_about_tiles_cut_by_the_border_nothing_is_claimed() -> None:
    """Somewhere among these samples a tile lies across the border with its middle outside."""
    ignored = [draw_sample(painted(), np.random.default_rng(s)).heat_weight for s in range(40)]
    assert any((weight[[0, -1]] == 0).any() for weight in ignored)
    assert all(weight.shape == (SIDE_PX // STRIDE,) * 2 for weight in ignored)


@pytest.mark.parametrize("seed", range(8))
def test_a_crop_labelled_as_turned_shows_its_ink_below(seed: int) -> None:
    group = draw_group(painted(), np.random.default_rng(seed))
    for crop, half in zip(group.cut, group.halves, strict=True):
        if half >= 0:
            blue = crop[2]
            above, below = blue[14:24, 14:34].mean(), blue[40:50, 14:34].mean()
            assert (above < below) == (half == 0)


def whole_set() -> LabelledPicture:
    """A picture of every number once in black, and one more seven."""
    quads = np.concatenate([grid_of_tiles()] * 14)[:14]
    classes = np.array([*range(13), 6])
    return replace(
        painted(),
        quads_xy=quads,
        classes=classes,
        colours=np.zeros(14, np.int64),
        up_known=np.ones(14, np.bool_),
        visible=np.ones(14, np.float32),
    )


def test_of_a_whole_set_every_number_is_drawn_as_often_and_put_back() -> None:
    drawn = [draw_group(whole_set(), np.random.default_rng(seed)) for seed in range(300)]
    numbers = [group.classes[group.classes < 13] for group in drawn if group.drawn.all()]
    counts = np.bincount(np.concatenate(numbers), minlength=13)
    assert counts.min() > 0.75 * counts.mean()
    assert any(np.bincount(classes).max() > 2 for classes in numbers), "more than lie there"


def test_tiles_of_a_table_without_every_number_are_never_drawn() -> None:
    groups = [draw_group(painted(), np.random.default_rng(seed)) for seed in range(20)]
    assert not any(group.drawn.any() for group in groups)


def test_a_group_names_every_crop_and_junk_has_neither_colour_nor_up() -> None:
    group = held_out_group(painted(), np.random.default_rng(0))
    junk = group.classes == NOT_A_TILE
    assert len(group.cut) == len(group.quads_xy) == len(group.classes)
    assert (group.colours[junk] == -1).all()
    assert (group.halves[junk] == -1).all()
    assert group.classes[~junk].tolist() == painted().classes.tolist()


def test_groups_that_are_joined_keep_their_order() -> None:
    groups = [draw_group(painted(), np.random.default_rng(seed)) for seed in range(5)]
    samples = joined(groups)
    assert {len(field) for field in samples} == {sum(len(group.classes) for group in groups)}
    for number, group in enumerate(groups):
        mine = samples.places[:, 0] == number
        np.testing.assert_array_equal(samples.cut[mine], group.cut)
        assert samples.places[mine, 1].tolist() == list(range(len(group.classes)))


def test_junk_never_lies_on_a_tile_at_its_own_size_and_direction() -> None:
    picture = painted()
    centres = picture.quads_xy.mean(axis=1)
    up = np.array([0, -28.0])
    for quad in junk_quads(picture, 300, np.random.default_rng(1)):
        near = np.linalg.norm(centres - quad.mean(axis=0), axis=1).min() < 0.3 * 40
        its_up = (quad[0] + quad[1] - quad[2] - quad[3]) / 4
        same_size = abs(np.log(np.linalg.norm(its_up) / 28)) < 0.3
        along = abs(its_up @ up) > 0.9 * np.linalg.norm(its_up) * 28
        assert not (near and same_size and along)


def test_misplaced_quads_stay_near_the_truth() -> None:
    quads = grid_of_tiles()
    moved = jittered(quads, np.random.default_rng(3), 1.0)
    errors = np.linalg.norm(moved - quads, axis=2) / 40
    assert 0.01 < errors.mean() < 0.1


def written_data(folder: Path, count: int) -> None:
    truth = {"image": "", "seed": 1, "width": 8, "height": 8, "tiles": []}
    for number in range(count):
        cv2.imwrite(str(folder / f"{number:06d}.jpg"), np.zeros((8, 8, 3), np.uint8))
        (folder / f"{number:06d}.json").write_text(json.dumps(truth))


def test_held_out_pictures_are_never_trained_on(tmp_path: Path) -> None:
    written_data(tmp_path, 2 * HELD_OUT_EVERY)
    assert len(load_generated(tmp_path, held_out=True)) == 2
    assert len(load_generated(tmp_path, held_out=False)) == 2 * HELD_OUT_EVERY - 2


def test_a_picture_still_being_written_is_passed_over(tmp_path: Path) -> None:
    written_data(tmp_path, 5)
    (tmp_path / "000003.jpg").unlink()
    assert len(load_generated(tmp_path, held_out=False)) == 4


def test_a_traced_picture_shows_every_tile_but_those_that_a_lamp_washes_out(tmp_path: Path) -> None:
    """What is looked for in it and what lies there are two lists: a tile that counts neither way lies
    there all the same."""
    quad = [[1, 1], [5, 1], [5, 7], [1, 7]]
    there = [
        {"label": "K7", "quad": quad, "visible": 1.0, "legible": True},
        {"label": "B2", "quad": quad, "visible": 0.8, "legible": False},
        {"label": "face-down", "quad": quad, "visible": 0.6},
    ]
    cv2.imwrite(str(tmp_path / "000000.jpg"), np.zeros((8, 8, 3), np.uint8))
    truth = {"width": 8, "height": 8, "tiles": [{"label": "K7", "bbox": [1, 1, 4, 6]}]}
    (tmp_path / "000000.json").write_text(json.dumps(truth | {"everything": there}))
    (picture,) = load_generated(tmp_path, held_out=None)
    assert picture.visible.tolist() == pytest.approx([1.0, 0.0, 0.6])
    assert picture.up_known.tolist() == [True, True, False]
    assert picture.classes.tolist() == [parse_label(t["label"])[0] for t in there]


def test_broken_truth_is_named(tmp_path: Path) -> None:
    written_data(tmp_path, 2)
    (tmp_path / "000001.json").write_text("{}")
    with pytest.raises(DataError, match=r"000001\.json"):
        load_generated(tmp_path, held_out=False)
    with pytest.raises(DataError, match="no pairs"):
        load_generated(tmp_path / "nowhere", held_out=False)


def test_test_labels_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "test.json"
    path.write_text('{"images": []}')
    with pytest.raises(DataError, match="never trained on"):
        load_real_labels(path)


def test_cards_become_photographs_without_tiles(tmp_path: Path) -> None:
    tile = {"label": "K7", "bbox": [1.0, 2.0, 30.0, 40.0]}
    card = {"label": "10H", "bbox": [1.0, 2.0, 30.0, 40.0]}
    path = tmp_path / "train.json"
    images = [
        {"image": "a.jpg", "game": "rummikub", "tiles": [tile]},
        {"image": "b.jpg", "game": "cards", "tiles": [card]},
    ]
    path.write_text(json.dumps({"images": images}))
    (first, tiles), (_, none) = load_real_labels(path)
    assert first == tmp_path / "a.jpg"
    assert tiles[0][0] == "K7"
    assert tiles[0][1].tolist() == [1, 2, 31, 42]
    assert none == []


def test_some_samples_show_the_table_slanted_and_the_targets_follow() -> None:
    """A tile's face is then a parallelogram; its corners say so to a few degrees."""
    angles = []
    for seed in range(40):
        quads = draw_sample(painted(), np.random.default_rng(seed)).quads_xy
        for quad in quads:
            right, up = quad[1] - quad[0], quad[0] - quad[3]
            cosine = right @ up / (np.linalg.norm(right) * np.linalg.norm(up))
            angles.append(abs(np.degrees(np.arcsin(cosine))))
    assert sum(angle > 10 for angle in angles) > len(angles) / 12
    assert sum(angle < 0.5 for angle in angles) > len(angles) / 3, "most stay rectangles"
