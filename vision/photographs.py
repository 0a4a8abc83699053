"""Photographs from files, safely: broken, empty and huge ones are refused in one line."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from vision.frame import Pixels

LARGEST_PHOTOGRAPH_PIXELS = 80_000_000
"""Pixels of the largest photograph that is decoded: 240 MB as BGR. Phones make up to 50 million in
ordinary use; a Raspberry Pi of 2 GB still has room for the reader beside it."""

PHOTOGRAPH_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
"""File names of this kind are taken for photographs when a whole folder is asked for."""

_WHITE = 255


class PhotographError(Exception):
    """A photograph that cannot be used. One line: the file, what is wrong with it, what to try."""


def load_photograph(path: str | Path) -> Pixels:
    """The photograph in a file as (height, width, 3) uint8 BGR pixels, turned as its EXIF tag says.

    Grey becomes colour, 16 bits a channel become 8, transparency shows white, and of several
    pictures in a file the first is taken. The size is read from the file's head and checked
    against `LARGEST_PHOTOGRAPH_PIXELS` before anything is decoded.

    Raises `PhotographError` when there is no file, or none that can be decoded whole.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise PhotographError(f"{path}: is a folder; name the photographs in it")
        if path.exists() and not path.is_file():
            raise PhotographError(f"{path}: is not a file; name a JPEG or PNG photograph")
        if path.is_file() and path.stat().st_size == 0:
            raise PhotographError(f"{path}: is empty; copy the photograph again")
        with warnings.catch_warnings():
            # Pillow warns of damaged notes and of sizes beyond its own limit. What it then decodes,
            # and our own limit, decide.
            warnings.simplefilter("ignore")
            with Image.open(path) as image:
                _check_size(path, image.size)
                return _bgr(image)
    except (FileNotFoundError, NotADirectoryError):
        raise PhotographError(f"{path}: there is no such file; check the name") from None
    except PermissionError:
        raise PhotographError(f"{path}: may not be read; check its permissions") from None
    except Image.DecompressionBombError:
        raise PhotographError(f"{path}: is too large{_ADVICE_ON_SIZE}") from None
    except UnidentifiedImageError:
        raise PhotographError(
            f"{path}: is not a photograph that can be read; use JPEG, PNG or WebP"
        ) from None
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError, OverflowError) as error:
        # Pillow's decoders report damage in all of these ways.
        reason = " ".join(str(error).split()) or type(error).__name__
        raise PhotographError(
            f"{path}: is damaged or incomplete ({reason}); copy the photograph again"
        ) from error


_ADVICE_ON_SIZE = (
    f"; the limit is {LARGEST_PHOTOGRAPH_PIXELS // 1_000_000} million pixels: "
    "make the photograph smaller and try again"
)


def _check_size(path: Path, size_wh: tuple[int, int]) -> None:
    width, height = size_wh
    if width < 1 or height < 1:
        raise PhotographError(f"{path}: is {width} x {height} pixels; use a whole photograph")
    if width * height > LARGEST_PHOTOGRAPH_PIXELS:
        raise PhotographError(f"{path}: is {width} x {height} pixels{_ADVICE_ON_SIZE}")


def _bgr(image: Image.Image) -> Pixels:
    image.load()
    try:
        upright = ImageOps.exif_transpose(image)
    except (OSError, ValueError, SyntaxError, TypeError, LookupError, struct.error):
        upright = image  # damaged notes about a photograph do not damage its pixels
    if upright.mode.startswith("I") or upright.mode == "F":
        grey = _eight_bits(np.asarray(upright), upright.mode)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if upright.has_transparency_data:
        layer = upright.convert("RGBA")
        under = Image.new("RGBA", layer.size, (_WHITE, _WHITE, _WHITE, _WHITE))
        upright = Image.alpha_composite(under, layer)
    rgb = np.asarray(upright.convert("RGB"))
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _eight_bits(grey: NDArray[Any], mode: str) -> Pixels:
    """Grey of more than 8 bits as 8 bits: (height, width) uint8.

    Pillow's own conversion cuts values off at 255, which turns a 16-bit photograph white. Wide
    integers hold 8 or 16 bits in files, real numbers 0 to 1, 8 or 16 bits: the largest value tells.
    """
    values = np.nan_to_num(grey.astype(np.float32), posinf=0.0, neginf=0.0)
    top = float(values.max(initial=0.0))
    if mode == "F" and top <= 1.0:
        full = 1.0
    elif top <= 255.0 and not mode.startswith("I;16"):
        full = 255.0
    else:
        full = max(65535.0, top)
    eight: Pixels = np.clip(values * (255.0 / full) + 0.5, 0, 255).astype(np.uint8)
    return eight
