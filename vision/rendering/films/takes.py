"""Single pictures of a film: the stage, what reaches over it, what disturbs it, and the grain."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.films.disturbances import PLAIN, Disturbance, SensorNoise, disturbed
from vision.rendering.films.hands import Hand, with_hands
from vision.rendering.films.stage import Pixels, Seen, Stage


@dataclass(frozen=True, slots=True)
class Take:
    """One picture (h, w, 3) of the film, and every tile that lies there, hidden ones too."""

    pixels_bgr: Pixels
    seen: tuple[Seen, ...]


class Taker:
    """Takes the pictures of one stage; ``seed`` chooses the grain and how well a picture is packed."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self.stage = stage
        self._rng = np.random.default_rng([seed, 43])
        size = stage.camera.width, stage.camera.height
        self._noise = SensorNoise(self._rng, size)
        self._quality = int(self._rng.integers(70, 96)) if self._rng.random() < 0.5 else 0
        self._before: Pixels | None = None

    def take(self, hands: tuple[Hand, ...] = (), what: Disturbance = PLAIN) -> Take:
        """The next picture. Never equal to the one before, as no sensor's is."""
        clean = self.stage.clean_bgr
        covered: NDArray[np.bool_] | None = None
        if hands:
            clean, covered = with_hands(self.stage, clean, hands)
        picture = disturbed(clean, what, self._before)
        self._before = clean
        picture = self._noise.on(picture, float(np.hypot(self.stage.sensor.noise, what.noise)))
        return Take(self._packed(picture), tuple(self.stage.seen(covered)))

    def _packed(self, picture: Pixels) -> Pixels:
        """As a camera that sends JPEG would send it; half of all cameras do."""
        if not self._quality:
            return picture
        done, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, self._quality))
        if not done:
            raise ValueError(f"a picture of shape {picture.shape} cannot be a JPEG")
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
