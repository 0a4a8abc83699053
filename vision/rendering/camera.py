"""The camera: where it stands, and what its lens, sensor and software do to a picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole over the table.

    Table frame: x right, y down the picture, z up, millimetres, origin where the axis meets the
    table. ``pitch_rad`` 0 looks straight down; a growing pitch looks from the lower edge
    forward. ``yaw_rad`` turns the table clockwise under the camera. ``focal_px`` is the focal
    length in pixels, ``distance_mm`` runs from the pinhole to the origin.
    """

    width: int
    height: int
    focal_px: float
    distance_mm: float
    pitch_rad: float = 0.0
    yaw_rad: float = 0.0
    centre_xy: tuple[float, float] | None = None

    def project(self, points_mm: Points) -> Points:
        """Pixels (n, 2) of table points (n, 3); points behind the camera are pushed before it."""
        cos, sin = np.cos(self.yaw_rad), np.sin(self.yaw_rad)
        x = points_mm[:, 0] * cos - points_mm[:, 1] * sin
        y = points_mm[:, 0] * sin + points_mm[:, 1] * cos
        z = points_mm[:, 2]
        pitch_cos, pitch_sin = np.cos(self.pitch_rad), np.sin(self.pitch_rad)
        depth = self.distance_mm - y * pitch_sin - z * pitch_cos
        depth = np.maximum(depth, self.distance_mm * 0.05)
        centre = self.centre_xy or (self.width / 2, self.height / 2)
        u = self.focal_px * x / depth + centre[0]
        v = self.focal_px * (y * pitch_cos - z * pitch_sin) / depth + centre[1]
        return np.stack([u, v], 1)

    @property
    def position_mm(self) -> Points:
        """The pinhole in the table frame: (3,)."""
        y = self.distance_mm * np.sin(self.pitch_rad)
        cos, sin = np.cos(self.yaw_rad), np.sin(self.yaw_rad)
        return np.array([y * sin, y * cos, self.distance_mm * np.cos(self.pitch_rad)])

    def image_from_table(self) -> NDArray[np.float64]:
        """Homography (3, 3) from table millimetres at z = 0 to pixels."""
        # Four points near the axis: far ones may lie behind a strongly pitched camera.
        reach = self.distance_mm * 0.2
        corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float) * reach
        found = cv2.getPerspectiveTransform(
            corners[:, :2].astype(np.float32), self.project(corners).astype(np.float32)
        )
        return np.asarray(found, np.float64)


@dataclass(frozen=True, slots=True)
class Sensor:
    """What happens between the light and the file. Shares are of full scale.

    ``gains_bgr`` is the colour of the light left after white balance.
    """

    gains_bgr: tuple[float, float, float]
    exposure: float
    gamma: float
    blur_px: float
    motion_px: float
    motion_angle_rad: float
    noise: float
    chroma_noise: float
    vignette: float
    sharpen: float
    saturation: float


def sample_sensor(rng: np.random.Generator) -> Sensor:
    """From a good phone in daylight to a webcam under a warm lamp."""
    warm = rng.normal(0.05, 0.11)
    tint = rng.normal(0, 0.025)
    if rng.random() < 0.12:
        warm += rng.uniform(0.1, 0.3)
    gains = (float(np.exp(-warm * 1.25)), float(np.exp(tint)), float(np.exp(warm * 0.75)))
    exposure = float(np.exp(rng.normal(0.0, 0.22)))
    if rng.random() < 0.12:
        exposure *= float(rng.uniform(1.2, 1.75))
    elif rng.random() < 0.12:
        exposure *= float(rng.uniform(0.3, 0.65))
    poor = rng.random() < 0.35
    return Sensor(
        gains_bgr=gains,
        exposure=float(np.clip(exposure, 0.3, 1.6)),
        gamma=float(rng.uniform(0.8, 1.2)),
        blur_px=float(abs(rng.normal(0, 1.0 if poor else 0.5))),
        motion_px=float(rng.uniform(1, 5)) if rng.random() < 0.08 else 0.0,
        motion_angle_rad=float(rng.uniform(0, np.pi)),
        noise=float(abs(rng.normal(0, 0.025 if poor else 0.008))),
        chroma_noise=float(abs(rng.normal(0, 0.02 if poor else 0.004))),
        vignette=float(abs(rng.normal(0, 0.18))),
        sharpen=float(max(0.0, rng.normal(0.2, 0.5))),
        saturation=float(np.clip(rng.normal(1.0, 0.16), 0.55, 1.5)),
    )


def expose(light_bgr: Plane, sensor: Sensor, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture (h, w, 3) uint8 that ``sensor`` makes of display-referred light 0..1."""
    height, width = light_bgr.shape[:2]
    picture = light_bgr * (np.array(sensor.gains_bgr, np.float32) * sensor.exposure)
    if sensor.vignette > 0.02:
        x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
        y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        picture *= (1 - sensor.vignette * 0.5 * (x * x + y * y))[..., None]
    if sensor.saturation != 1.0:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * sensor.saturation
    if sensor.blur_px > 0.25:
        picture = cv2.GaussianBlur(picture, (0, 0), sensor.blur_px)
    if sensor.motion_px:
        size = 2 * int(np.ceil(sensor.motion_px / 2)) + 3
        kernel = np.zeros((size, size), np.float32)
        reach = sensor.motion_px / 2
        for share in np.linspace(-reach, reach, 15):
            x = size // 2 + share * np.cos(sensor.motion_angle_rad)
            y = size // 2 + share * np.sin(sensor.motion_angle_rad)
            kernel[round(y), round(x)] += 1
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    # A shoulder before full scale, as cameras roll highlights off instead of cutting them.
    picture = np.clip(picture, 0, None)
    picture = np.where(picture > 0.85, 0.85 + 0.15 * np.tanh((picture - 0.85) / 0.15), picture)
    picture = np.power(picture, np.float32(sensor.gamma), dtype=np.float32)
    if sensor.sharpen > 0.1:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = picture + sensor.sharpen * (picture - soft)
    if sensor.noise > 0.002:
        grain = rng.standard_normal((height, width, 1), dtype=np.float32) * sensor.noise
        picture = picture + grain
    if sensor.chroma_noise > 0.002:
        coarse = rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), dtype=np.float32)
        picture = picture + cv2.resize(coarse, (width, height)) * sensor.chroma_noise
    return np.asarray(np.clip(picture * 255 + 0.5, 0, 255), np.uint8)
