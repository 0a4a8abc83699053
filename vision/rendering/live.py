"""One rendered table that stays the same from picture to picture: a camera made of software."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.rendering.arrangements import TilePose
from vision.rendering.camera import Camera, Sensor, expose
from vision.rendering.designs import TileDesign, sample_design
from vision.rendering.scene import (
    Canvas,
    FaceCache,
    Light,
    RenderedPicture,
    paint_table,
    put_tiles,
    tile_box,
    truth,
)
from vision.rendering.surfaces import wood
from vision.rendering.table_scenes import Typefaces

TILE_SIZE_MM = (26.0, 36.0)
"""Width and height of the rendered table's tiles."""

TILE_SHARE = 0.045
"""Tile width as a share of the picture's width: about 58 px of 1280, a whole-table view."""


class RenderedTable:
    """A table, a lamp, a camera and a maker's set, all chosen by ``seed``.

    The table frame has its origin in the picture's centre, x right, y down, millimetres; a tile
    at angle 0 stands upright in the picture and ``angle_rad`` grows clockwise. ``span_mm`` is
    the part of the table in view at its centre: (width, height).
    """

    def __init__(
        self, seed: int, size_wh: tuple[int, int] = (1280, 960), typefaces: Typefaces | None = None
    ) -> None:
        rng = np.random.default_rng([seed, 17])
        width, height = size_wh
        fonts = typefaces or Typefaces()
        self.design = _plain_design(sample_design(rng, fonts.digits, fonts.symbols))
        focal = 1.1 * max(size_wh)
        self._camera = Camera(
            width=width,
            height=height,
            focal_px=focal,
            distance_mm=focal * self.design.width_mm / (TILE_SHARE * width),
            pitch_rad=float(rng.uniform(0.0, 0.35)),
        )
        scale = self._camera.distance_mm / focal
        self.span_mm = (width * scale, height * scale)
        self._light = _room_light(rng)
        table = paint_table(wood(rng), self._camera, scale * 1.6, (-scale * width, -scale * height))
        self._table = table * np.float32(0.95)
        self._faces = FaceCache(self.design)
        self._sensor = _webcam(rng)
        self._last: tuple[tuple[TilePose, ...], Canvas] | None = None

    def picture(
        self,
        poses: Sequence[TilePose],
        noise_seed: int,
        hand_xy_mm: tuple[float, float] | None = None,
    ) -> RenderedPicture:
        """The table with ``poses`` on it, and a hand whose fingertips are at ``hand_xy_mm``.

        Only sensor noise depends on ``noise_seed``: pictures of an unmoved table differ by it
        alone. ``visible`` falls where the hand covers a tile.
        """
        canvas = self._painted(tuple(poses))
        if hand_xy_mm is not None:
            covered = Canvas(canvas.camera, canvas.light, canvas.pixels.copy())
            covered.owner[:] = canvas.owner
            _draw_hand(covered, hand_xy_mm)
            canvas = covered
        rng = np.random.default_rng([noise_seed, 23])
        pixels = expose(canvas.finish(), self._sensor, rng)
        boxes = [tile_box(pose, self.design) for pose in poses]
        return truth(canvas, poses, boxes, pixels, keep=lambda _visible: True)

    def _painted(self, poses: tuple[TilePose, ...]) -> Canvas:
        if self._last is None or self._last[0] != poses:
            canvas = Canvas(self._camera, self._light, self._table.copy())
            canvas.shadows([tile_box(pose, self.design) for pose in poses])
            put_tiles(canvas, poses, self._faces)
            self._last = poses, canvas
        return self._last[1]


def _plain_design(design: TileDesign) -> TileDesign:
    """The sampled set at the rendered table's size, its jokers a moon face."""
    return replace(
        design,
        width_mm=TILE_SIZE_MM[0],
        height_mm=TILE_SIZE_MM[1],
        thickness_mm=7.0,
        body_bgr=(0.82, 0.92, 0.95),
        digit_height=0.42,
        digit_y=0.38,
        digit_squeeze=1.0,
        ornament="name",
        gloss=0.1,
        joker=replace(design.joker, face="moon", size=0.55, centre_y=0.42),
    )


def _room_light(rng: np.random.Generator) -> Light:
    azimuth = rng.uniform(0, 2 * np.pi)
    towards = np.array([np.cos(azimuth) * 0.5, np.sin(azimuth) * 0.5, np.sqrt(0.75)])
    shade: NDArray[np.float32] = np.exp(rng.standard_normal((3, 4, 1)) * 0.06).astype(np.float32)
    return Light(
        towards=towards,
        room=0.5,
        lamp=0.52,
        softness_mm=3.0,
        shadow=0.45,
        glare=np.zeros((0, 4)),
        shade=np.repeat(shade, 3, axis=2),
    )


def _webcam(rng: np.random.Generator) -> Sensor:
    return Sensor(
        gains_bgr=(float(rng.uniform(0.9, 1.02)), 1.0, float(rng.uniform(0.98, 1.06))),
        exposure=0.97,
        gamma=1.0,
        blur_px=0.5,
        motion_px=0.0,
        motion_angle_rad=0.0,
        noise=0.008,
        chroma_noise=0.003,
        vignette=0.1,
        sharpen=0.3,
        saturation=1.0,
    )


def _draw_hand(canvas: Canvas, tip_xy_mm: tuple[float, float]) -> None:
    """A hand that reaches in from the lower edge, three fingers forward."""
    camera = canvas.camera
    scale = camera.focal_px / camera.distance_mm
    tip = camera.project(np.array([[tip_xy_mm[0], tip_xy_mm[1], 30.0]]))[0]
    palm = tip + np.array([12.0, 85.0]) * scale
    wrist = palm + np.array([60.0, 500.0]) * scale
    skin = (0.42, 0.52, 0.76)
    canvas.stroke(np.array([palm, wrist]), 66 * scale, skin)
    for spread in (-22.0, 0.0, 22.0):
        finger = tip + np.array([spread, abs(spread) * 0.4]) * scale
        bend = (palm + finger) / 2 + np.array([spread * 0.4, -4.0]) * scale
        canvas.stroke(np.array([palm, bend, finger]), 17 * scale, skin)
