"""Labelled pictures held in memory as JPEG bytes: generated ones, and real ones once they have quads.

A data set of ten thousand pictures of 640 x 480 takes about a gigabyte this way, and decoding one
takes 2 to 3 ms, less than what a training step spends on it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.classes import FACE_DOWN, parse_label
from vision.rendering.scene import RenderedPicture

HELD_OUT_EVERY = 20
"""Every twentieth picture is never trained on: it measures progress and fits the calibration."""

TEST_FILE = "test.json"


class DataError(ValueError):
    """Training data that is missing, broken or not to be trained on; says which file."""


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """One picture and what lies in it."""

    jpeg: bytes
    size_wh: tuple[int, int]
    quads_xy: NDArray[np.float32]
    """(n, 4, 2) upright corners of the tiles, as in :class:`models.detections.Detections`."""
    classes: NDArray[np.int64]
    """(n,) indexes into :data:`models.classes.CLASSES`."""
    colours: NDArray[np.int64]
    """(n,) indexes into :data:`models.classes.COLOURS`, -1 where the label has none."""
    up_known: NDArray[np.bool_]
    """(n,) whether the first edge of the quad is known to be the top."""
    visible: NDArray[np.float32]
    """(n,) part of the tile that can be seen, 0 to 1."""
    ignore_xyxy: NDArray[np.float32]
    """(m, 4) boxes about which nothing is known: neither tile nor background there."""
    junk_quads_xy: NDArray[np.float32]
    """(k, 4, 2) where a finder once wrongly saw a tile."""
    real: bool = False
    """A photograph and not a generated picture."""

    def pixels(self, halved: bool = False) -> NDArray[np.uint8]:
        """(H, W, 3) BGR, at half the size on request: JPEG decodes that twice as fast."""
        size = cv2.IMREAD_REDUCED_COLOR_2 if halved else cv2.IMREAD_COLOR
        flags = size | cv2.IMREAD_IGNORE_ORIENTATION
        pixels = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), flags)
        if pixels is None:
            raise DataError("a picture could not be decoded")
        return np.asarray(pixels, np.uint8)

    def short_sides_px(self) -> NDArray[np.float32]:
        """(n,) mean length of top and bottom edge."""
        q = self.quads_xy
        edges = np.linalg.norm(q[:, [1, 2]] - q[:, [0, 3]], axis=2)  # (n, 2)
        return np.asarray(edges.mean(axis=1), np.float32)


def load_generated(
    folder: Path, held_out: bool | None, limit: int | None = None
) -> list[LabelledPicture]:
    """The pictures of a generated data set: those trained on, those held out, or (None) all.

    ``folder`` holds NNNNNN.jpg and NNNNNN.json, drawn (`vision.rendering.dataset`) or traced
    (`vision.rendering.ray_traced`); what a mirrored lamp washes out counts as hidden. Pairs of which one
    half is missing are passed over: the generator may still be writing. Raises DataError naming a file
    that is broken.
    """
    numbers = sorted(p.stem for p in folder.glob("*.json") if p.stem.isdecimal())
    last = HELD_OUT_EVERY - 1
    chosen = [n for n in numbers if held_out in (None, int(n) % HELD_OUT_EVERY == last)]
    if not chosen:
        chosen = numbers[-1:]
    pictures = []
    for number in chosen[:limit]:
        image = folder / f"{number}.jpg"
        if image.exists():
            pictures.append(_load_pair(image, folder / f"{number}.json"))
    if not pictures:
        raise DataError(f"{folder}: no pairs of NNNNNN.jpg and NNNNNN.json there")
    return pictures


def load_real_labels(path: Path) -> list[tuple[Path, list[tuple[str, NDArray[np.float32]]]]]:
    """Photographs of a label file with their tiles as (label, box x0 y0 x1 y1); cards are left out.

    Only training labels may be read: raises DataError for any file named test.json.
    """
    if path.name == TEST_FILE:
        raise DataError(f"{path}: test photographs are never trained on")
    try:
        images = json.loads(path.read_text(encoding="utf-8"))["images"]
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"{path}: no label file ({error})") from error
    photographs = []
    for entry in images:
        tiles = []
        for tile in entry["tiles"] if entry["game"] == "rummikub" else []:
            x, y, width, height = tile["bbox"]
            box = np.array([x, y, x + width, y + height], np.float32)
            tiles.append((str(tile["label"]), box))
        photographs.append((path.parent / entry["image"], tiles))
    return photographs


def of_rendered(picture: RenderedPicture, quality: int) -> LabelledPicture:
    """A picture that was just drawn, kept as a JPEG of that quality."""
    height, width = picture.pixels_bgr.shape[:2]
    _, jpeg = cv2.imencode(".jpg", picture.pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return _labelled(
        jpeg.tobytes(), (width, height), picture.labels, picture.quads_xy, picture.visible
    )


def _load_pair(image: Path, truth: Path) -> LabelledPicture:
    try:
        data: dict[str, Any] = json.loads(truth.read_text(encoding="utf-8"))
        tiles = data.get("everything", data["tiles"])
        return _labelled(
            image.read_bytes(),
            (int(data["width"]), int(data["height"])),
            [tile["label"] for tile in tiles],
            [tile["quad"] for tile in tiles],
            [tile["visible"] * tile.get("legible", True) for tile in tiles],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{truth}: {error}") from error


def _labelled(
    jpeg: bytes,
    size_wh: tuple[int, int],
    labels: Sequence[str],
    quads: ArrayLike,
    visible: ArrayLike,
) -> LabelledPicture:
    """Raises ValueError for a label that names no tile, or quads that are none."""
    parsed = [parse_label(label) for label in labels]
    return LabelledPicture(
        jpeg=jpeg,
        size_wh=size_wh,
        quads_xy=np.array(quads, np.float32).reshape(-1, 4, 2),
        classes=np.array([c for c, _ in parsed], np.int64),
        colours=np.array([-1 if c is None else c for _, c in parsed], np.int64),
        up_known=np.array([kind != FACE_DOWN for kind, _ in parsed], np.bool_),
        visible=np.array(visible, np.float32),
        ignore_xyxy=np.zeros((0, 4), np.float32),
        junk_quads_xy=np.zeros((0, 4, 2), np.float32),
    )
