"""The traced pictures' truth: where tiles come to lie, which count, and that solids are solid."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.evaluation import load_labels
from vision.rendering.ray_traced.blender_scene import SHAPES, tile_mesh
from vision.rendering.ray_traced.denoising import denoised
from vision.rendering.ray_traced.hands import reaching_hand
from vision.rendering.ray_traced.labelling import labelled_picture, tile_truths
from vision.rendering.ray_traced.lens import Lens, fitted_lens, looking_at
from vision.rendering.ray_traced.makers import Maker, sample_maker
from vision.rendering.ray_traced.photograph import legibility, photograph
from vision.rendering.ray_traced.prints import face_print
from vision.rendering.ray_traced.scenes import described, sample_scene
from vision.rendering.ray_traced.solids import FACE_DOWN, Stage, Tile, flat, top_corners
from vision.rendering.ray_traced.stages import ORDERS, STAGES, Bag
from vision.rendering.ray_traced.surroundings import MANY_LAMPS, USUAL_LAMPS, sample_light
from vision.rendering.typefaces import BUILT_IN

MAKER = sample_maker(np.random.default_rng(1), [BUILT_IN])
ABOVE = Lens(looking_at(np.array([0.0, 0, 0.5]), np.zeros(3), 0.0), 36.0, 1000, 800)
"""Half a metre above the table, its picture as wide as it is away."""


def test_a_lens_above_maps_the_table_like_a_plan() -> None:
    points = np.array([[0.0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0.1, 0, 0.25]])
    assert np.allclose(
        ABOVE.project(points), [[500, 400], [700, 400], [500, 200], [900, 400]], atol=1e-9
    )


def test_what_lies_behind_the_camera_is_refused() -> None:
    with pytest.raises(ValueError, match="behind"):
        ABOVE.project(np.array([[0.0, 0, 1.0]]))


@pytest.mark.parametrize("seed", range(8))
def test_a_fitted_lens_holds_everything_and_wastes_little(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(-0.2, 0.2, (30, 3)) * [1, 1, 0.1]
    slant = 0.0 if seed == 0 else float(rng.uniform(0.1, 1.2))
    lens = fitted_lens(points, slant, float(rng.uniform(-3, 3)), 0.05, 26.0, (1280, 960), 0.05)
    xy = lens.project(points)
    edge = 0.05 * 1280
    assert (xy >= edge - 1e-6).all()
    assert (xy <= np.array([1280, 960]) - edge + 1e-6).all()
    free = min(xy.min(axis=0).min(), (np.array([1280, 960]) - xy.max(axis=0)).min())
    assert free < 2.5 * edge


def test_a_close_up_may_show_nothing_but_a_back(monkeypatch: pytest.MonkeyPatch) -> None:
    back = Stage("close up", [Tile(FACE_DOWN, flat(0, 0, 0))])
    monkeypatch.setitem(STAGES, "close up", lambda *_: back)
    scene = sample_scene(
        np.random.default_rng(3), ORDERS["mixed"].index("close up"), [BUILT_IN], (640, 480)
    )
    xy = scene.lens.project(np.zeros((1, 3)))
    assert (xy > 0).all()
    assert (xy < [640, 480]).all()


@pytest.mark.parametrize("turn", [0.0, 0.7, np.pi])
def test_a_quad_begins_at_the_tiles_own_top_left_and_runs_clockwise(turn: float) -> None:
    truth = tile_truths([Tile("K7", flat(0.02, 0.03, turn))], MAKER, ABOVE, [1.0])[0]
    quad = np.array(truth["quad"], np.float32)
    assert cv2.contourArea(quad, oriented=True) > 0
    up = (quad[:2].mean(axis=0) - quad[2:].mean(axis=0)) * [1, -1]
    assert np.allclose(up / np.linalg.norm(up), [-np.sin(turn), np.cos(turn)], atol=0.02)


def test_a_tile_that_shows_its_underside_or_is_hidden_has_no_truth() -> None:
    turned = flat(0, 0, 0)
    turned[:3, :3] = np.diag([1.0, -1, -1])
    tiles = [Tile("K7", turned), Tile("R3", flat(0.1, 0, 0)), Tile("J2", flat(-0.1, 0, 0))]
    truths = tile_truths(tiles, MAKER, ABOVE, [1.0, 0.01, 1.0])
    assert [(truth["label"], truth["number"]) for truth in truths] == [("J", 2)]


def test_what_reaches_over_the_edge_loses_that_share() -> None:
    edge = float((500 - 0.5) / 2000 * (1 - MAKER.thickness / 0.5))
    truths = tile_truths([Tile("B4", flat(edge, 0, 0))], MAKER, ABOVE, [0.8])
    assert truths[0]["visible"] == pytest.approx(0.4, abs=0.06)


def test_only_what_a_person_could_read_counts(tmp_path: Path) -> None:
    quad = [[100, 100], [140, 100], [140, 160], [100, 160]]
    small = [[300, 300], [308, 300], [308, 312], [300, 312]]
    truths = [
        {"quad": quad, "label": "K7", "visible": 1.0, "legible": True},
        {"quad": quad, "label": "R1", "visible": 0.5, "legible": True},
        {"quad": quad, "label": "B2", "visible": 1.0, "legible": False},
        {"quad": small, "label": "O9", "visible": 1.0, "legible": True},
        {"quad": quad, "label": FACE_DOWN, "visible": 1.0},
    ]
    entry = labelled_picture("a.jpg", "rummikub", "melds", ABOVE, truths)
    assert [tile["label"] for tile in entry["tiles"]] == ["K7"]
    assert len(entry["ignore"]) == 3  # a clear back is neither: reading it is a mistake
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"images": [entry]}))
    assert load_labels(path)[0].tiles[0].box == (100, 100, 140, 160)


def test_washed_out_ink_is_illegible_and_printed_ink_is_not() -> None:
    ink, _ = face_print(MAKER, "K8")
    height, width = ink.shape[:2]
    quad = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    shade = np.repeat(255 - ink[..., 3:] // 2, 3, axis=2)
    assert legibility(shade, quad, ink[..., 3]) > 50
    assert legibility(np.full_like(shade, 252), quad, ink[..., 3]) < 1


@pytest.mark.parametrize("mark", ["ring", "dot", "dish", "star", "none", "heart dish"])
def test_a_face_has_ink_for_every_label(mark: str) -> None:
    maker = replace(MAKER, mark=mark)
    for label in ("K1", "R6", "B10", "O13", "J", "J2"):
        ink, relief = face_print(maker, label)
        assert ink.shape[:2] == relief.shape
        assert 0.01 < (ink[..., 3] > 128).mean() < 0.5
        assert not ink[[0, -1], :, 3].any()


def test_meshes_are_closed_and_of_the_size_asked_for() -> None:
    size = {
        "width": 0.026,
        "height": 0.038,
        "thickness": 0.009,
        "corner": 0.002,
        "bevel": 0.001,
        "dome": 0,
    }
    solids = [tile_mesh(size), *(shape(0.03, 0.02, 0.01) for shape in SHAPES.values())]
    for vertices, faces in solids:
        edges = Counter((face[k - 1], face[k]) for face in faces for k in range(len(face)))
        assert set(edges.values()) == {1}
        assert all((b, a) in edges for a, b in edges)
        assert len({v for face in faces for v in face}) == len(vertices)
    extent = np.ptp(np.array(solids[0][0]), axis=0)
    assert np.allclose(extent, [0.026, 0.038, 0.009])


def test_a_bag_holds_one_set() -> None:
    everything = Counter(Bag(np.random.default_rng(2)).any(200))
    assert sum(everything.values()) == 106
    assert everything["K7"] == 2
    assert everything["J"] == everything["J2"] == 1


@pytest.mark.parametrize("kind", sorted(STAGES))
@pytest.mark.parametrize("seed", range(3))
def test_stages_use_one_set_and_lay_no_tile_into_another(kind: str, seed: int) -> None:
    rng = np.random.default_rng([5, seed])
    maker = sample_maker(rng, [BUILT_IN])
    stage = STAGES[kind](rng, maker)
    shown = Counter(tile.label for tile in stage.tiles if tile.label != FACE_DOWN)
    assert all(count <= 2 for count in shown.values())
    assert len(stage.tiles) <= 106
    places = np.array([tile.matrix[:3, 3] for tile in stage.tiles])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(len(places))
    assert apart.min() > 0.9 * maker.width
    for tile in stage.tiles:
        assert np.allclose(tile.matrix[:3, :3] @ tile.matrix[:3, :3].T, np.eye(3))
        assert _lowest(tile, maker) > -1e-6


def _lowest(tile: Tile, maker: Maker) -> float:
    """How far a tile's face reaches down; under the table is below zero."""
    return float(top_corners(maker.width, maker.height, maker.thickness, tile.matrix)[:, 2].min())


@pytest.mark.parametrize("seed", range(4))
def test_a_hand_reaches_over_a_tile_and_touches_none(seed: int) -> None:
    rng = np.random.default_rng([6, seed])
    stage = STAGES["whole table"](rng, MAKER)
    places = np.array([tile.matrix[:2, 3] for tile in stage.tiles])
    limbs = reaching_hand(rng, stage.tiles)
    ends = [
        (start, start + limb.size[0] * limb.matrix[:3, 0], limb.size[1:])
        for limb in limbs
        for start in [limb.matrix[:3, 3]]
    ]
    points = np.array([(a + t * (b - a))[:2] for a, b, _ in ends for t in np.linspace(0, 1, 20)])
    nearest = np.linalg.norm(places[:, None] - points[None], axis=2).min()
    assert nearest < MAKER.width / 2, "it covers something"
    for start, end, (first, last) in ends:
        assert min(start[2] - first, end[2] - last) > 0.005, "it is above the table"
    beyond = np.abs(places).max() + 0.1
    assert max(np.abs(end[:2]).max() for _, end, _ in ends) > beyond, "its arm comes from outside"


def test_in_half_of_full_tables_no_hand_reaches() -> None:
    stages = [STAGES["full table"](np.random.default_rng([7, k]), MAKER) for k in range(24)]
    arms = [sum(thing.shape == "limb" for thing in stage.things) for stage in stages]
    assert 6 <= arms.count(0) <= 18
    assert all(len(stage.tiles) > 90 for stage in stages)


def test_noise_goes_and_print_stays() -> None:
    rng = np.random.default_rng(0)
    albedo = np.full((40, 60, 3), 0.8, np.float32)
    albedo[:, 30:] = 0.1
    normal = np.ones_like(albedo)
    clean = albedo * 0.5
    noisy = clean * rng.gamma(8, 1 / 8, (40, 60, 1)).astype(np.float32)
    after = denoised(noisy, albedo, normal)
    assert np.std(after[5:-5, 5:25]) < 0.25 * np.std(noisy[5:-5, 5:25])
    edge = after[5:-5, 29].mean() - after[5:-5, 30].mean()
    assert edge == pytest.approx(0.35, abs=0.03)


def test_a_photograph_of_any_light_is_neither_black_nor_white() -> None:
    ramp = np.linspace(0.2, 1, 90, dtype=np.float32)[None, :, None] * np.ones(
        (60, 1, 3), np.float32
    )
    for strength in (0.001, 1.0, 300.0):
        picture = photograph(np.random.default_rng(4), ramp * np.float32(strength))
        assert picture.dtype == np.uint8
        assert 40 < picture.mean() < 235


def test_a_scene_follows_from_its_number_and_seed(tmp_path: Path) -> None:
    for index in (1, 3):
        scenes = [
            sample_scene(np.random.default_rng([3, index]), index, [BUILT_IN], (320, 240))
            for _ in range(2)
        ]
        first, again = (
            json.dumps(described(scene, np.random.default_rng(1), tmp_path, 1)) for scene in scenes
        )
        assert first == again
        assert scenes[0].stage.kind == ORDERS["mixed"][index]


def test_many_lamps_are_mirrored_more_often_and_are_mostly_warm() -> None:
    lens = Lens(looking_at(np.array([0.05, -0.3, 0.5]), np.zeros(3), 0.0), 26.0, 480, 360)
    mirrored: dict[str, list[float]] = {}
    for name, habits in (("usual", USUAL_LAMPS), ("many", MANY_LAMPS)):
        rng = np.random.default_rng(5)
        lights = [sample_light(rng, lens, np.zeros(3), habits) for _ in range(300)]
        mirrored[name] = [light["lamps"][-1]["rgb"][2] for light in lights if light["glare"]]
    assert 50 < len(mirrored["usual"]) < 100
    assert 180 < len(mirrored["many"]) < 240
    assert np.median(mirrored["many"]) < np.median(mirrored["usual"])


@pytest.mark.skipif(shutil.which("blender") is None, reason="the program Blender is not installed")
def test_blender_sees_a_tile_where_the_lens_says_and_what_hides_it(tmp_path: Path) -> None:
    scene = sample_scene(np.random.default_rng([3, 3]), 3, [BUILT_IN], (480, 360))
    tile = Tile(FACE_DOWN, flat(0.01, -0.02, 0.4))
    under = Tile(FACE_DOWN, flat(0.01, -0.02, 0.4, -0.02))
    lens = Lens(looking_at(np.array([0.05, -0.15, 0.2]), np.zeros(3), 0.1), 26.0, 480, 360)
    described_scene = described(scene, np.random.default_rng(1), tmp_path, 1)
    described_scene["camera"].update(matrix=lens.matrix.tolist(), focal_mm=26.0, stop=1e6)
    described_scene["tile"]["material"].update(rgb=[1.0, 0.0, 0.0], kind="plain")
    table = described_scene["things"][-1]
    table["material"] = {"kind": "plain", "rgb": [0.0, 0.0, 0.0], "roughness": 1.0}
    described_scene["things"] = [table]
    described_scene["prints"] = {}
    described_scene["tiles"] = [
        {"label": t.label, "matrix": t.matrix.tolist()} for t in (tile, under)
    ]
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(described_scene))
    script = Path("vision/rendering/ray_traced/blender_scene.py").resolve()
    subprocess.run(
        ["blender", "-b", "-t", "1", "--factory-startup", "--python", str(script), "--", str(path)],
        check=True,
        capture_output=True,
    )
    assert json.loads((tmp_path / "visible.json").read_text()) == [1.0, 0.0]
    albedo = cv2.imread(str(tmp_path / "albedo0001.hdr"), cv2.IMREAD_UNCHANGED)
    assert albedo is not None
    seen = albedo[..., 2] - albedo[..., 0] > 0.5
    face = np.array(tile_truths([tile], scene.maker, lens, [1.0])[0]["quad"], np.float32)
    foot = top_corners(scene.maker.width, scene.maker.height, 0.0, tile.matrix)
    hull = cv2.convexHull(np.concatenate([face, lens.project(foot).astype(np.float32)]))
    expected = cv2.fillConvexPoly(
        np.zeros((360, 480), np.uint8), np.round(hull).astype(np.int32), 1
    )
    union, both = (seen | (expected > 0)).sum(), (seen & (expected > 0)).sum()
    assert both / union > 0.93
