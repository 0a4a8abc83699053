"""JPEG pictures from cameras and phones: whole ones are decoded, damaged ones are refused.

A decoder paints something over the part of a picture that is missing, and says so on standard error
only. Read as a table, that paint is a table from which tiles are gone. So what the decoder says is
listened to, which works in a process that has standard error for itself: the capturing one.
"""

from __future__ import annotations

import io
import os
import re
import sys
from typing import Final

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from vision.frame import Pixels

MOST_PIXELS: Final = 40_000_000
"""A picture that claims to be larger is not decoded: a small file can claim anything."""

WHOLE_PIXELS: Final = 4096 * 3072
"""A larger one is decoded at half its width and height, in a quarter of the time and memory: more than
this is never handed on."""

_COMPLAINT: Final = re.compile("corrupt jpeg|premature end|must resync", re.IGNORECASE)
"""What libjpeg says when it has to make something up."""
_HARMLESS: Final = re.compile("data: [0-9]{1,2} extraneous bytes before marker 0xd9", re.IGNORECASE)
"""Many webcams fill up the end of every picture."""


class DamagedPictureError(ValueError):
    """A picture that did not arrive whole; says in what way."""


class Complaints:
    """What libraries write to standard error, from now on, read back instead of printed.

    Python's own ``sys.stderr`` goes on to where it went. For the whole process, and for good.
    """

    def __init__(self) -> None:
        sys.stderr.flush()
        sys.stderr = os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="replace")
        heard = os.memfd_create("meldwatch-complaints", os.MFD_CLOEXEC)
        os.dup2(heard, 2)
        os.close(heard)

    def take(self) -> str:
        """What was written since the last time, empty mostly."""
        size = os.lseek(2, 0, os.SEEK_CUR)
        if not size:
            return ""
        os.lseek(2, 0, os.SEEK_SET)
        text = os.read(2, min(size, 65536)).decode("utf-8", "replace")
        os.lseek(2, 0, os.SEEK_SET)
        os.ftruncate(2, 0)
        return text


def is_damage(complaint: str) -> bool:
    """Whether what a decoder said means that part of the picture is missing."""
    lines = (line for line in complaint.splitlines() if not _HARMLESS.search(line))
    return any(_COMPLAINT.search(line) for line in lines)


def decode_jpeg(data: bytes, complaints: Complaints) -> Pixels:
    """The picture (height, width, 3) BGR, upright as its EXIF tag says; one of more than `WHOLE_PIXELS`
    half as wide and high.

    Raises `DamagedPictureError` for anything but a whole JPEG of reasonable size.
    """
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as header:
            width, height = header.size
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError) as error:
        raise DamagedPictureError("no JPEG picture") from error
    if width * height > MOST_PIXELS:
        raise DamagedPictureError(f"too large: {width} x {height} pixels")
    complaints.take()
    try:
        is_large = width * height > WHOLE_PIXELS
        size = cv2.IMREAD_REDUCED_COLOR_2 if is_large else cv2.IMREAD_COLOR
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), size)
    except cv2.error as error:
        raise DamagedPictureError("cannot be decoded") from error
    if pixels is None:
        raise DamagedPictureError("cut off")
    if is_damage(said := complaints.take()):
        raise DamagedPictureError(" ".join(said.split())[:80])
    return np.asarray(pixels, np.uint8)
