"""What one frame tells about the camera itself: how bright, how sharp, and the same as the last one.

A look takes a pixel here and there, which costs next to nothing, so that ten of them a second can be
had on a small computer. Whatever needs more of the frame is worked out when somebody asks for it.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

Grey = NDArray[np.float32]
"""A grey picture: (height, width), 0 to 255."""

LOOK_WIDTH: Final = 640
"""Pixels across the picture that is looked at; a tile of a whole table is some 29 of them."""
SAMPLE_STEP: Final = 4
"""Every so many rows and columns a pixel is kept to tell whether the picture repeats, how bright it
is..."""
BRIGHT_SQUARE: Final = 4
"""...and how colourful, in means over squares of so many of these, which leave a quarter of the noise in
the dark."""
BRIGHT_PART: Final = 0.99
"""The brightness of a picture is what this part of its squares does not exceed."""
COLOUR_SHARE: Final = 0.02
"""A picture whose blue, green and red differ by less than this part of its brightness, wherever one
looks, shows no colours. By night a camera sees none at all; of 404 photographs the palest, of an empty
grey desk, has 0.05."""
CELLS: Final = 16
"""Parts across and down the picture in which is looked whether anything changed at all."""
OTHER_LEVELS: Final = 10
"""A small grey pixel shows something else when it differs by more levels. Of a drawn table, sent as JPEG
of quality 30 with noise of 6 levels, 0.003 of the small pixels differ so from picture to picture; of
tables with a few melds 0.009 and more do after a shift by three pixels of 1280, or a blur of two."""

_FINE_PX, _COARSE_PX = 1.0, 2.0
"""Two scales at which the steepness of edges is compared."""
_EDGE_SHARE: Final = 0.35
"""Edges that count are at least this part as steep as the steepest ones..."""
_STEEPEST: Final = 0.9995
_LEAST_STEEP: Final = 6.0
"""...and rise by this many grey levels a pixel: above noise and the grain of wood."""
_LEAST_EDGE_PIXELS: Final = 100
_SHARPEST: Final = 0.7
"""The blur of a picture is that of its sharper edges: a hand near the lens is always soft."""
_BLUR_UNIT_PX: Final = 1280.0
"""Blur is told in pixels of a picture this wide, so that cameras of all sizes share one limit."""


class Look:
    """What one frame tells about its camera. What is dear is worked out once, when it is asked for."""

    def __init__(self, pixels_bgr: Pixels) -> None:
        """A look at these pixels, which must not change as long as it is asked."""
        self._pixels_bgr = pixels_bgr
        self.sample = _thinned(pixels_bgr, SAMPLE_STEP)
        """A pixel of every `SAMPLE_STEP` rows and columns, as they came."""
        squares = _squares(self.sample)
        self.bright = _brightness(squares)
        """The brightness that a hundredth of the picture exceeds, 0 to 255."""
        self.colour = int(np.ptp(squares, axis=2).max(initial=0))
        """Levels by which blue, green and red differ where they differ most, 0 to 255: 0 for a picture
        without colours."""
        self.is_grey = self.colour < COLOUR_SHARE * self.bright
        """Whether it shows no colours, as of a camera that sees by night."""

    @cached_property
    def small(self) -> Pixels:
        """The sample in grey, half as wide and high: (height, width), to see whether the picture
        changed."""
        halved = cv2.resize(self.sample, _parts(self.sample, 2), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.cvtColor(halved, cv2.COLOR_BGR2GRAY), np.uint8)

    @cached_property
    def grey(self) -> Grey:
        """The frame, at most `LOOK_WIDTH` pixels wide. Dear."""
        return grey_of(self._pixels_bgr)

    @cached_property
    def blur_px(self) -> float | None:
        """Spread (standard deviation) of the blur over its sharper edges, in pixels of a picture 1280
        wide; None where the picture has no edges to tell by. Dear."""
        return edge_blur_px(self.grey)


def grey_of(pixels_bgr: Pixels) -> Grey:
    """The picture in grey, no wider or higher than `LOOK_WIDTH`."""
    height, width = pixels_bgr.shape[:2]
    scale = min(1.0, LOOK_WIDTH / max(height, width))
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(pixels_bgr, size_wh, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def _squares(sample: Pixels) -> Pixels:
    """The means over squares of a sample."""
    size_wh = _parts(sample, BRIGHT_SQUARE)
    return np.asarray(cv2.resize(sample, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def _brightness(squares: Pixels) -> float:
    values = squares.reshape(-1, 1)
    counts = cv2.calcHist([values], [0], None, [256], [0, 256]).ravel().cumsum()
    return float(np.searchsorted(counts, BRIGHT_PART * len(values)))


def changed_share(before: Pixels, after: Pixels) -> float:
    """Share of two samples' pixels that differ at all; 1 where their shapes do."""
    if before.shape != after.shape:
        return 1.0
    equal = _equal(before, after)
    return 1.0 - cv2.countNonZero(equal) / equal.size


def changed_cells(before: Pixels, after: Pixels) -> NDArray[np.bool_]:
    """In which parts of the picture two samples differ at all, (`CELLS`, `CELLS`); everywhere where
    their shapes do."""
    if before.shape != after.shape:
        return np.ones((CELLS, CELLS), np.bool_)
    changed = (_equal(before, after) == 0).astype(np.float32)
    return np.asarray(cv2.resize(changed, (CELLS, CELLS), interpolation=cv2.INTER_AREA) > 0)


def greatest_change(before: Pixels, after: Pixels) -> int:
    """By how many levels the two samples of one shape differ where they differ most."""
    return int(cv2.absdiff(before, after).max(initial=0))


def _equal(before: Pixels, after: Pixels) -> Pixels:
    """255 where two samples show the very same, (height, width)."""
    differing = cv2.absdiff(before, after)
    return np.asarray(cv2.inRange(differing, (0, 0, 0), (0, 0, 0)), np.uint8)


def other_share(before: Pixels, after: Pixels) -> float:
    """Share of two small grey pictures' pixels that show something else, noise aside; 1 where their
    shapes differ."""
    if before.shape != after.shape:
        return 1.0
    return float(np.count_nonzero(cv2.absdiff(before, after) > OTHER_LEVELS)) / before.size


def edge_blur_px(grey: Grey) -> float | None:
    """Spread of the blur in pixels of a picture 1280 wide; None without edges.

    An edge blurred by a Gaussian of spread s is, seen through a further one of spread a, as steep as
    1/sqrt(s^2 + a^2). The ratio of its steepness at two scales therefore gives s, whatever the contrast
    and nearly whatever the picture shows (Zhuo and Sim, Defocus map estimation from a single image,
    2011). On sharp pictures, photographed and drawn, it gives 1.3 to 3.1; blurred by 4 pixels they
    give 3.3 to 5.2.
    """
    steep_coarse = _steepness(grey, _COARSE_PX)
    limit = _EDGE_SHARE * float(np.quantile(steep_coarse[::2, ::2], _STEEPEST))
    edges = steep_coarse > max(limit, _LEAST_STEEP)
    if int(edges.sum()) < _LEAST_EDGE_PIXELS:
        return None
    ratios = _steepness(grey, _FINE_PX)[edges] / steep_coarse[edges]
    ratio = min(max(float(np.quantile(ratios, _SHARPEST)), 1.001), _COARSE_PX / _FINE_PX - 0.001)
    fine, coarse = _FINE_PX * _FINE_PX, _COARSE_PX * _COARSE_PX
    variance = (coarse - ratio * ratio * fine) / (ratio * ratio - 1.0)
    scale = _BLUR_UNIT_PX / max(grey.shape)
    return float(scale * math.sqrt(max(0.0, variance)))


def _steepness(grey: Grey, spread_px: float) -> Grey:
    """Length of the gradient, in levels a pixel, of the picture blurred by ``spread_px``."""
    soft = cv2.GaussianBlur(grey, (0, 0), spread_px)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=1)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=1)
    return np.asarray(cv2.magnitude(across, down) / 2.0, np.float32)


def _thinned(pixels_bgr: Pixels, step: int) -> Pixels:
    """A pixel of every ``step`` rows and columns; where they do not part evenly, nearly so."""
    size_wh = _parts(pixels_bgr, step)
    return np.asarray(cv2.resize(pixels_bgr, size_wh, interpolation=cv2.INTER_NEAREST), np.uint8)


def _parts(pixels: Pixels, step: int) -> tuple[int, int]:
    """Width and height of a picture so many times smaller, rounded up."""
    height, width = pixels.shape[:2]
    return -(-width // step), -(-height // step)
