"""Real photographs for training: their labels are boxes, so a finder trained before gives the quads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import parse_label
from models.detections import Detections
from models.finder import TileFinder
from models.training.pictures import DataError, LabelledPicture, load_real_labels

LONGEST_SIDE_PX = 1000
"""Photographs are stored no larger: that is what whole-table photographs are read at."""

SAME_TILE = 0.6
"""Least overlap of a quad's bounding box with the label's box, over their union."""

FAINT_ALARM = 0.15
"""Finder score from which false alarms are learned from: half of what use believes."""

TILES_TO_NEGATIVES = 2
"""Each photograph with tiles counts this often; most label files hold more without."""


def load_real(labels: Path, finder_path: Path | None) -> list[LabelledPicture]:
    """Photographs of a label file, with quads where the finder and a box agree.

    Boxes without a quad become unknown ground. Photographs without tiles (cards, empty tables) are
    negatives. What the finder sees elsewhere is kept as its false alarms. Raises DataError when no
    finder is given or the labels are test labels.
    """
    if finder_path is None:
        raise DataError("real photographs need --finder, a finder.onnx that gives their quads")
    finder, faint = TileFinder(finder_path), faint_finder(finder_path)
    pictures = []
    for path, tiles in load_real_labels(labels):
        picture = _with_quads(path, tiles, finder if tiles else faint)
        pictures += [picture] * (TILES_TO_NEGATIVES if tiles else 1)
    return pictures


def with_false_alarms(
    pictures: list[LabelledPicture], finder_path: Path, threads: int, most: int = 3000
) -> list[LabelledPicture]:
    """The pictures, the first ``most`` of them with what the finder wrongly takes for tiles.

    Those with such false alarms come three times more, so that enough samples hold some.
    """
    finder = faint_finder(finder_path, threads)
    looked_at = [with_its_alarms(picture, finder) for picture in pictures[:most]]
    mistaken = [p for p in looked_at if len(p.junk_quads_xy)]
    alarms = sum(len(p.junk_quads_xy) for p in mistaken)
    print(f"{alarms} false alarms in {len(looked_at)} generated pictures", flush=True)
    return looked_at + pictures[most:] + 3 * mistaken


def faint_finder(path: Path, threads: int = 2) -> TileFinder:
    """The finder as it looks for false alarms: believing twice as much as in use."""
    finder = TileFinder(path, threads)
    finder.min_score = FAINT_ALARM
    return finder


def with_its_alarms(picture: LabelledPicture, faint: TileFinder) -> LabelledPicture:
    """The picture with what a finder wrongly takes for tiles in it."""
    found = faint.find(picture.pixels())
    false = [q for q in found.quads_xy if not _on_a_tile(q, picture)]
    return replace(picture, junk_quads_xy=np.array(false, np.float32).reshape(-1, 4, 2))


def _on_a_tile(quad: NDArray[np.float32], picture: LabelledPicture) -> bool:
    centres = picture.quads_xy.mean(axis=1)
    near = np.linalg.norm(centres - quad.mean(axis=0), axis=1) < 0.6 * picture.short_sides_px()
    return bool(near.any())


def _with_quads(
    path: Path, tiles: list[tuple[str, NDArray[np.float32]]], finder: TileFinder
) -> LabelledPicture:
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if pixels is None:
        raise DataError(f"{path}: cannot be read")
    scale = min(1.0, LONGEST_SIDE_PX / max(pixels.shape[:2]))
    pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    boxes = np.array([box for _, box in tiles], np.float32).reshape(-1, 4) * scale
    found = finder.find(np.asarray(pixels, np.uint8))
    matches = matched(found, boxes)
    labels = [parse_label(tiles[i][0]) for i in matches]
    middles = found.quads_xy.mean(axis=1)
    far = [not _in_any(m, boxes) for m in middles]
    missed = [i for i in range(len(boxes)) if i not in matches]
    return LabelledPicture(
        jpeg=cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].tobytes(),
        size_wh=(pixels.shape[1], pixels.shape[0]),
        quads_xy=found.quads_xy[list(matches.values())].reshape(-1, 4, 2),
        classes=np.array([c for c, _ in labels], np.int64),
        colours=np.array([-1 if c is None else c for _, c in labels], np.int64),
        up_known=np.zeros(len(labels), np.bool_),
        visible=np.ones(len(labels), np.float32),
        ignore_xyxy=boxes[missed],
        junk_quads_xy=found.quads_xy[np.array(far, bool)] if len(found) else found.quads_xy,
        real=True,
    )


def matched(found: Detections, boxes_xyxy: NDArray[np.float32]) -> dict[int, int]:
    """Box index to detection index, best overlap first, each used once."""
    low, high = found.quads_xy.min(axis=1), found.quads_xy.max(axis=1)
    pairs = []
    for i, box in enumerate(boxes_xyxy):
        common = np.minimum(high, box[2:]) - np.maximum(low, box[:2])
        inter = common.clip(0).prod(axis=1)
        union = (high - low).prod(axis=1) + (box[2:] - box[:2]).prod() - inter
        pairs += [(float(o), i, j) for j, o in enumerate(inter / union) if o >= SAME_TILE]
    result: dict[int, int] = {}
    for _, i, j in sorted(pairs, reverse=True):
        if i not in result and j not in result.values():
            result[i] = j
    return dict(sorted(result.items()))


def _in_any(point: NDArray[np.float32], boxes: NDArray[np.float32]) -> bool:
    return bool(((point >= boxes[:, :2]) & (point <= boxes[:, 2:])).all(axis=1).any())
