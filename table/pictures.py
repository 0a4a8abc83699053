"""Pictures for people: small enough for a phone to follow, and kept where a turn ended."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table.board import LivePicture
from table.picture_files import PictureFiles

LIVE_WIDTH_PX = 1120
"""Live pictures are made no wider than this: sharp on a desk, and about 120 kB."""
LIVE_QUALITY = 78
KEPT_QUALITY = 90
PICTURES_PER_S = 8.0
"""Live pictures are published no more often than this..."""
PICTURES_AT_REST_PER_S = 1.0
"""...and than this where the table lies as it was read: they differ by the sensor's noise."""


def live_picture(pixels_bgr: NDArray[np.uint8], number: int) -> LivePicture:
    """The picture as pages get it: a JPEG, made smaller where it is wider than a page needs."""
    height, width = pixels_bgr.shape[:2]
    scale = min(1.0, LIVE_WIDTH_PX / width)
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    if scale < 1.0:
        resized = cv2.resize(pixels_bgr, size_wh, interpolation=cv2.INTER_AREA)
        pixels_bgr = np.asarray(resized, np.uint8)
    return LivePicture(number, encode_jpeg(pixels_bgr, LIVE_QUALITY), size_wh)


def encode_jpeg(pixels_bgr: NDArray[np.uint8], quality: int) -> bytes:
    """The picture as the bytes of a JPEG file."""
    done, data = cv2.imencode(".jpg", pixels_bgr, (cv2.IMWRITE_JPEG_QUALITY, quality))
    if not done:
        raise ValueError(f"a picture of shape {pixels_bgr.shape} cannot be a JPEG")
    return data.tobytes()


class LivePictures:
    """The pictures that pages get of what a camera gives, numbered from 1."""

    def __init__(self) -> None:
        self._last: tuple[int, float] | None = None

    def next(
        self, pixels_bgr: NDArray[np.uint8], now_s: float, *, as_read: bool
    ) -> LivePicture | None:
        """The picture for pages; None where the last one is new enough. ``as_read`` the table lies."""
        per_s = PICTURES_AT_REST_PER_S if as_read else PICTURES_PER_S
        number, at_s = self._last or (0, 0.0)
        if number and now_s - at_s < 1.0 / per_s:
            return None
        self._last = number + 1, now_s
        return live_picture(pixels_bgr, number + 1)


class PictureKeeper:
    """The pictures of confirmed tables in a folder, the newest so many of them and while there is room.

    Their names begin with the number of the event that ended the turn, so that name order is time
    order. Raises ``OSError`` where the folder cannot be written or the disk is nearly full.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self._files = PictureFiles(folder, most)

    def keep(self, pixels_bgr: NDArray[np.uint8], sequence: int) -> str:
        """Writes one picture, drops the oldest ones beyond the quota, and returns the file's name."""
        return self._files.keep(encode_jpeg(pixels_bgr, KEPT_QUALITY), sequence)

    def load(self, file: str) -> bytes | None:
        """The JPEG of a picture that was kept; None where it is not there any more."""
        return self._files.load(file)
