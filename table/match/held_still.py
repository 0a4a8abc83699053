"""A picture held still before the camera of a live table, and what the table says of it.

A webcam at rest gives no picture twice: its mount trembles by a part of a pixel, the lamp flickers, the
sensor has its grain, and each picture is squeezed as a JPEG.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from models.preprocess import scaled
from table.board import LiveState
from table.events import LayoutRead
from table.match.shots import PICTURE_S
from table.match.shown_film import ShownFilm
from vision.frame import Pixels

SHORTEST_PX, LONGEST_PX = 640, 1920
"""Longer side of the pictures of a poor webcam and of a good one; others are made as large."""
TREMBLE, FLICKER, GRAIN = 0.25 / 1280, 0.01, 2.0
"""Spread (sigma) of where a picture lies in parts of its width, of its brightness, and of a pixel's 256
steps."""
JPEG_QUALITY: Final = 85


@dataclass(frozen=True, slots=True)
class Held:
    """What a live table made of a picture."""

    state: LiveState
    """What its page showed in the end; corners of tiles are parts of the picture's width and height."""
    layout: LayoutRead | None
    """The layout that counted, as it was logged; None where none was read."""
    ruled_s: float | None
    """Seconds from the first picture to the ruling, by the film's clock; None without one."""


def hold_still(pixels_bgr: Pixels, film: ShownFilm, seed: int) -> Held:
    """Shows a picture (h, w, 3), BGR, to ``film``, which has seen nothing yet, until it is judged or
    given up. The same seed shows the same film."""
    height, width = pixels_bgr.shape[:2]
    longer = max(height, width)
    still = scaled(pixels_bgr, min(max(longer, SHORTEST_PX), LONGEST_PX) / longer)
    chance = np.random.default_rng(seed)
    with film.opened() as log:
        ruled_s, state, _ = film.awaited_in(
            lambda _number: film.show_picture(_filmed(still, chance), PICTURE_S), film.look()
        )
        told = [logged for logged in log.read() if isinstance(logged.event, LayoutRead)]
    layout = next((item.event for item in told if item.sequence == state.layout_sequence), None)
    assert layout is None or isinstance(layout, LayoutRead)
    return Held(state, layout, ruled_s if state.ruling is not None else None)


def _filmed(pixels_bgr: Pixels, chance: np.random.Generator) -> Pixels:
    """One picture of a film of it."""
    height, width = pixels_bgr.shape[:2]
    across, down = chance.normal(0, TREMBLE * width, 2)
    shift = np.array([[1, 0, across], [0, 1, down]], np.float32)
    moved = cv2.warpAffine(pixels_bgr, shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
    lit = moved.astype(np.float32) * np.float32(1 + chance.normal(0, FLICKER))
    lit += chance.normal(0, GRAIN, lit.shape).astype(np.float32)
    taken = np.clip(lit + 0.5, 0, 255).astype(np.uint8)
    _, coded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
