"""A label file for generated pictures: ``python -m vision.rendering.labels FOLDER``.

Writes ``FOLDER/labels.json`` in the form that ``meldwatch evaluate`` takes. What is visible by less
than ``LEAST_VISIBLE``, or seen too slantwise or too small to read, counts neither way; backs are no
labels, so that a back that is read is an error.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

LEAST_VISIBLE = 0.8
"""A tile that shows less of its face may be asked about, read or missed."""

LEAST_SIZE_PX = (12.0, 16.5)
"""The same for a tile whose face is narrower or lower than this in the picture."""


def label_file(folder: Path) -> dict[str, Any]:
    """The label file's content for every picture of a folder. Raises OSError and ValueError."""
    entries = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("0*.json"))]
    return {"images": [_labelled(entry) for entry in entries]}


def _labelled(entry: dict[str, Any]) -> dict[str, Any]:
    clear = [tile for tile in entry["tiles"] if is_clear(tile)]
    return {
        "image": entry["image"],
        "game": "rummikub",
        "design": "generated",
        "width": entry["width"],
        "height": entry["height"],
        "tiles": [
            {"label": tile["label"], "bbox": _box(tile["quad"])}
            for tile in clear
            if tile["label"] != "face-down"
        ],
        "ignore": [_box(tile["quad"]) for tile in entry["tiles"] if not is_clear(tile)],
    }


def is_clear(tile: dict[str, Any]) -> bool:
    """Whether a tile shows enough of its face to be held against a reader."""
    quad = np.array(tile["quad"])
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    # What a slant leaves of a face: a parallelogram's area over one side is its extent along the other.
    area = abs(float(across[0] * down[1] - across[1] * down[0]))
    width, height = area / np.linalg.norm(down), area / np.linalg.norm(across)
    large = width >= LEAST_SIZE_PX[0] and height >= LEAST_SIZE_PX[1]
    return bool(large and tile["visible"] >= LEAST_VISIBLE)


def _box(quad: list[list[float]]) -> list[float]:
    """Left, top, width and height of the upright box around four corners."""
    xs, ys = zip(*quad, strict=True)
    return [round(v, 2) for v in (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))]


def main() -> int:
    """The command; exit status 2 where the folder holds nothing of the kind."""
    parser = argparse.ArgumentParser(description="Write a label file for generated pictures.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    try:
        content = label_file(folder)
        if not content["images"]:
            raise OSError(f"there are no generated pictures in {folder}")
        (folder / "labels.json").write_text(json.dumps(content))
    except (OSError, ValueError, KeyError) as error:
        print(f"labels: {error}", file=sys.stderr)
        return 2
    print(f"{len(content['images'])} pictures in {folder / 'labels.json'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
