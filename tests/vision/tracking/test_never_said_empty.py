"""A table that is watched, and of which nobody said when it was empty or a turn was over."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.tracking.tracked_table import ROW, TABLE, Camera, a_placement, texts
from vision.rendering import TilePose

EIGHT, NINE = (pose for pose in ROW if pose.label in ("B8", "R9"))
COIN = (60, 120, 170)


def with_coin(camera: Camera, poses: list[TilePose], beside: TilePose) -> list[str]:
    """What is told at rest when a coin lies where that tile's lower edge was, and beyond it."""
    quad = TABLE.picture([beside], 0).quads_xy[0]
    size = np.linalg.norm(quad[3] - quad[0])
    picture = TABLE.picture(poses, 99)
    pixels = picture.pixels_bgr.copy()
    at = quad[2:].mean(axis=0) + 0.27 * (quad[3] - quad[0])
    cv2.circle(pixels, np.round(at).astype(int).tolist(), round(0.2 * size), COIN, -1)
    placements = [a_placement(p.label, q) for p, q in zip(poses, picture.quads_xy, strict=True)]
    camera.tiles.disturb()
    camera.tiles.see(pixels, placements)
    return texts(camera.tiles.see(pixels, placements))


def watched(*tables: list[TilePose]) -> Camera:
    """A camera that has seen these tables, each of them at rest."""
    camera = Camera()
    for table in tables:
        camera.rest(table)
    return camera


def test_beside_a_coin_a_tile_is_gone_from_a_table_that_was_seen_empty() -> None:
    assert with_coin(watched([], [NINE, EIGHT]), [NINE], EIGHT) == ["R9"]


def test_and_from_where_the_table_was_bare_before_it_lay_there() -> None:
    assert with_coin(watched([NINE], [NINE, EIGHT]), [NINE], EIGHT) == ["R9"]


def test_where_nobody_knows_the_table_under_a_tile_it_is_asked_about() -> None:
    assert with_coin(watched([NINE, EIGHT]), [NINE], EIGHT) == ["R9", "B8? or none"]


def test_what_a_hand_covers_is_not_gone_for_that() -> None:
    camera = watched([], [NINE, EIGHT])
    told = camera.rest([NINE, EIGHT], hand=(EIGHT.x_mm + 4, EIGHT.y_mm - 20))
    assert "B8? or none" in texts(told)
