"""What each part of the reader is worth, on a table that we drew."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.ablations import SPOILED, Without, main, measured, reads_without, row
from vision.evaluation import Counts, Labelled, LabelledPhotograph
from vision.frame import Pixels
from vision.placements import Placement
from vision.reader import open_table_reader
from vision.rendering import RenderedTable, TilePose

TABLE = RenderedTable(3, (640, 480))
LABELS = ("K7", "B7", "R7", "O4", "O5", "O6")


def picture() -> tuple[Pixels, list[Placement]]:
    """A group and a run, and how the networks alone read them."""
    poses = [
        TilePose(label, -40.0 + at % 3 * 28, -30.0 + at // 3 * 60, 0.0)
        for at, label in enumerate(LABELS)
    ]
    pixels_bgr = TABLE.picture(poses, 0).pixels_bgr
    return pixels_bgr, open_table_reader().read(pixels_bgr)


@pytest.mark.parametrize("what", list(Without))
def test_every_part_can_be_missed_on_a_plain_table(what: Without) -> None:
    pixels_bgr, _ = picture()
    read = reads_without(what)(pixels_bgr)
    assert sorted(placement.label for placement in read if placement.label) == sorted(LABELS)


def test_a_tile_by_itself_is_not_compared_with_others() -> None:
    pixels_bgr, found = picture()
    alone = reads_without(Without.COMPARISON)(pixels_bgr)
    together = reads_without(Without.NOTHING)(pixels_bgr)
    assert len(alone) == len(together) == len(found)
    chances = [sorted(round(p.confidence, 5) for p in each) for each in (alone, together)]
    assert chances[0] != chances[1]


def labels_of(found: list[Placement], size_hw: tuple[int, int]) -> dict[str, object]:
    tiles = []
    for placement in found:
        low, high = placement.quad_xy.min(axis=0), placement.quad_xy.max(axis=0)
        box = [float(v) for v in (*low, *(high - low))]
        tiles.append({"label": placement.label, "bbox": box})
    return {
        "image": "table.png",
        "game": "rummikub",
        "design": "drawn",
        "width": size_hw[1],
        "height": size_hw[0],
        "tiles": tiles,
    }


def test_the_command_prints_a_line_for_each_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pixels_bgr, found = picture()
    cv2.imwrite(str(tmp_path / "table.png"), pixels_bgr)
    image = labels_of(found, pixels_bgr.shape[:2])
    others = image | {"image": "not there.png", "game": "cards"}
    labels = tmp_path / "labels.json"
    labels.write_text(json.dumps({"images": [image, others]}), "utf-8")
    assert main([str(labels), "--game", "rummikub"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == list(Without)
    assert lines[2].split("|")[2].strip() == "6, 1, 0, 0.0%"
    assert all(line.count("|") == len(SPOILED) + 2 for line in lines)


def test_the_command_says_what_it_cannot_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err


def test_every_photograph_is_read_as_it_is_and_spoiled_in_every_way() -> None:
    quad = ((10.0, 10.0), (30.0, 10.0), (30.0, 40.0), (10.0, 40.0))
    photo = LabelledPhotograph("a.jpg", "rummikub", "drawn", 80, 60, (Labelled("K7", quad),))
    seen: list[Pixels] = []

    def reads_nothing(pixels_bgr: Pixels) -> list[Placement]:
        seen.append(pixels_bgr)
        return []

    pixels_bgr = np.full((60, 80, 3), 150, np.uint8)
    found = measured(reads_nothing, [(pixels_bgr, photo)], seed=1)
    assert len(seen) == len(found) == len(SPOILED)
    assert all(counts.tiles == counts.silent == 1 for counts in found)
    assert row(Without.NOTHING, [Counts()]) == "| nothing: as shipped | 0, 0, 0, 0.0% |"
