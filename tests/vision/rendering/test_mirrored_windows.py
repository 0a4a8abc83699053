"""Windows in the gloss of traced tiles: where they stand, what glows, and whose faces mirror them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.rendering.ray_traced.blender_scene import tile_mesh
from vision.rendering.ray_traced.lens import Lens, looking_at
from vision.rendering.ray_traced.makers import glossy, sample_maker
from vision.rendering.ray_traced.scenes import sample_scene
from vision.rendering.ray_traced.solids import Thing
from vision.rendering.ray_traced.stages import ORDERS
from vision.rendering.ray_traced.surroundings import USUAL_LAMPS, WINDOWS
from vision.rendering.ray_traced.windows import BRIGHTEST, mirrored_window
from vision.rendering.typefaces import BUILT_IN

SEATS = ([0.05, -0.45, 0.3], [0.1, -0.3, 0.6], [0.02, -0.05, 0.7])
"""Where a camera is held: low, as a player does, and almost straight above."""

GRID = np.linspace(-0.12, 0.12, 9)
"""Places of tiles, across and along a table."""


def glowing(things: list[Thing]) -> list[Thing]:
    return [thing for thing in things if thing.material["kind"] == "glow"]


def reached(way_from: NDArray[np.float64], way: NDArray[np.float64], thing: Thing) -> bool:
    """Whether a ray meets a sheet."""
    local = np.linalg.inv(thing.matrix)
    start, ahead = local[:3, :3] @ way_from + local[:3, 3], local[:3, :3] @ way
    steps = -start[2] / ahead[2]
    at = np.abs(start + steps * ahead)
    return bool(steps > 0 and at[0] <= thing.size[0] / 2 and at[1] <= thing.size[1] / 2)


@pytest.mark.parametrize("seat", SEATS)
def test_flat_tiles_in_the_middle_mirror_it_into_the_camera(seat: list[float]) -> None:
    lens = Lens(looking_at(np.array(seat), np.zeros(3), 0.0), 26.0, 480, 360)
    spots = [np.array([x, y, 0.0]) for x in GRID for y in GRID]
    shown = []
    for seed in range(16):
        parts = glowing(mirrored_window(np.random.default_rng(seed), lens, np.zeros(3)))
        ways = [(spot - lens.place) * [1, 1, -1] for spot in spots]
        shown.append(
            np.mean(
                [any(reached(s, w, p) for p in parts) for s, w in zip(spots, ways, strict=True)]
            )
        )
    assert all(share > 0 for share in shown)
    assert 0.3 < np.mean(shown) < 0.95


def test_panes_lie_above_the_table_and_glow_as_a_sky_does() -> None:
    lens = Lens(looking_at(np.array(SEATS[1]), np.zeros(3), 0.0), 26.0, 480, 360)
    for seed in range(16):
        things = mirrored_window(np.random.default_rng(seed), lens, np.zeros(3))
        assert len(things) - len(glowing(things)) == 1
        levels = np.array([thing.material["rgb"] for thing in glowing(things)])
        assert (levels > 0).all()
        assert levels.max() <= BRIGHTEST
        assert (levels[:, 2] >= 0.5 * levels[:, 0]).all()
        assert np.mean([thing.matrix[2, 3] > 0 for thing in glowing(things)]) > 0.5


def test_domed_faces_are_higher_in_their_middle_and_closed() -> None:
    size = {"width": 0.026, "height": 0.038, "thickness": 0.009, "corner": 0.002, "bevel": 0.001}
    vertices, faces = tile_mesh({**size, "dome": 0.0005})
    edges = Counter((face[k - 1], face[k]) for face in faces for k in range(len(face)))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)
    points = np.array(vertices)
    assert np.isclose(points[:, 2].max(), 0.0095, atol=2e-5)
    away = np.hypot(*(points[:, :2] / [0.013, 0.019]).T)
    upper = points[:, 2] >= 0.009 - 1e-9
    assert (np.diff(points[upper][np.argsort(-away[upper]), 2]) > -3e-4).all()


def test_only_where_windows_are_asked_for_there_are_any() -> None:
    counts = {}
    for name, habits in (("usual", USUAL_LAMPS), ("windows", WINDOWS)):
        scenes = [
            sample_scene(
                np.random.default_rng([7, k]), k, [BUILT_IN], (320, 240), habits, ORDERS["melds"]
            )
            for k in range(40)
        ]
        counts[name] = sum(bool(glowing(list(scene.clutter))) for scene in scenes)
        assert all(scene.maker.dome == 0 for scene in scenes) == (name == "usual")
    assert counts["usual"] == 0
    assert 28 <= counts["windows"] < 40


def test_a_glossy_set_is_the_same_set() -> None:
    maker = sample_maker(np.random.default_rng(1), [BUILT_IN])
    shiny = [glossy(np.random.default_rng(seed), maker) for seed in range(40)]
    assert all(set_.inks == maker.inks and set_.typeface == maker.typeface for set_ in shiny)
    assert max(set_.roughness for set_ in shiny) < 0.31
    assert 5 < sum(set_.dome == 0 for set_ in shiny) < 18
