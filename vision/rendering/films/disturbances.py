"""What lamps, sensors and cables do to a picture of a table that is as it should be."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.films.stage import Pixels

LEVELS = np.arange(256, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Disturbance:
    """What is wrong with a picture, beside what lies on the table.

    ``gains_bgr`` multiply the light of each colour, as a lamp that is switched on or a white balance
    that wanders does. ``noise`` is its standard deviation in parts of full scale, added to that of the
    camera. ``glare`` are highlights: x, y and radius as parts of the picture's width, and strength.
    ``shade`` is a shadow of somebody who leans over: x and y of its middle and its reach as parts of
    the width, and how much light it takes. ``torn`` is the height, as a part of the picture's, from
    which down the picture before is still shown. ``black`` shows nothing.
    """

    gains_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = 0.0
    glare: tuple[tuple[float, float, float, float], ...] = ()
    shade: tuple[float, float, float, float] | None = None
    torn: float | None = None
    black: bool = False


PLAIN = Disturbance()


def disturbed(pixels_bgr: Pixels, what: Disturbance, before_bgr: Pixels | None) -> Pixels:
    """A picture with all but the noise: (h, w, 3). ``before_bgr`` is what a torn one is joined to."""
    picture = pixels_bgr
    if what.black:
        return np.full_like(picture, 3)
    if what.gains_bgr != PLAIN.gains_bgr:
        table = np.clip(LEVELS[:, None] * np.array(what.gains_bgr, np.float32) + 0.5, 0, 255)
        picture = np.asarray(cv2.LUT(picture, table.astype(np.uint8)[:, None, :]), np.uint8)
    if what.glare or what.shade is not None:
        picture = _relit(picture, what)
    if what.torn is not None and before_bgr is not None and before_bgr.shape == picture.shape:
        picture = picture.copy()
        row = int(what.torn * len(picture))
        picture[row:] = before_bgr[row:]
    return np.asarray(picture, np.uint8)


def _relit(picture: Pixels, what: Disturbance) -> Pixels:
    """Highlights and shadows, worked out small: both are soft."""
    height, width = picture.shape[:2]
    small = (max(2, width // 8), max(2, height // 8))
    x = (np.arange(small[0], dtype=np.float32)[None, :] + 0.5) / small[0]
    y = (np.arange(small[1], dtype=np.float32)[:, None] + 0.5) / small[1] * height / width
    light = np.zeros((small[1], small[0]), np.float32)
    dim = np.ones_like(light)
    for cx, cy, radius, strength in what.glare:
        near = ((x - cx) ** 2 + (y - cy) ** 2) / (radius * radius)
        light += np.float32(strength * 255) * np.exp(-2.5 * near)
    if what.shade is not None:
        cx, cy, reach, strength = what.shade
        far = (np.hypot(x - cx, y - cy) - reach) / (0.25 * reach)
        dim -= np.float32(strength) / (1 + np.exp(np.clip(far, -20, 20)))
    wide = (width, height)
    shown = picture * cv2.resize(dim, wide, interpolation=cv2.INTER_LINEAR)[..., None]
    shown += cv2.resize(light, wide, interpolation=cv2.INTER_LINEAR)[..., None]
    return np.asarray(np.clip(shown + 0.5, 0, 255), np.uint8)


class SensorNoise:
    """Grain that is new in every picture: a part, taken at random, of a field drawn once."""

    SPARE = 96
    """Pixels by which the field is larger than a picture."""

    def __init__(self, rng: np.random.Generator, size_wh: tuple[int, int]) -> None:
        self._rng = rng
        self._size_wh = size_wh
        shape = (size_wh[1] + self.SPARE, size_wh[0] + self.SPARE, 3)
        grey = rng.standard_normal((*shape[:2], 1), dtype=np.float32)
        field = 0.85 * grey + 0.5 * rng.standard_normal(shape, dtype=np.float32)
        self._field: NDArray[np.float32] = field
        self._deviation = 0.0
        self._brighter = self._darker = np.zeros(shape, np.uint8)

    def on(self, pixels_bgr: Pixels, deviation: float) -> Pixels:
        """The picture with noise of so many parts of full scale."""
        if deviation != self._deviation:
            levels = self._field * np.float32(deviation * 255)
            self._brighter = np.clip(levels + 0.5, 0, 255).astype(np.uint8)
            self._darker = np.clip(0.5 - levels, 0, 255).astype(np.uint8)
            self._deviation = deviation
        x, y = (int(v) for v in self._rng.integers(0, self.SPARE, 2))
        width, height = self._size_wh
        part = (slice(y, y + height), slice(x, x + width))
        noisy = cv2.subtract(cv2.add(pixels_bgr, self._brighter[part]), self._darker[part])
        return np.asarray(noisy, np.uint8)
