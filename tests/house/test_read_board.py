"""`meldwatch read` on pictures of a board: the networks, the cells and the ruling, from end to end."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from vision.rendering import RenderedTable
from vision.rendering.arrangements import TilePose
from web.cli import main

CROSS = ("K7 B7 R7 .", ". B8 . .", ". B9 K9 O9")
"""A group, a run below its second tile, and a group from the end of that."""
WRONG = ("K7 B7 R7 .", ". B8 . .", ". B11 K11 O11")
OPEN = ("R4 R5 R6 R7",)


def laid(rows: tuple[str, ...], turn_deg: float, **pushed_mm: float) -> list[TilePose]:
    """The board around the middle of the table, turned clockwise; tiles pushed along their rows."""
    turn = math.radians(turn_deg)
    poses = []
    for y, row in enumerate(rows):
        for x, word in enumerate(row.split()):
            across = (x - 1.5) * 26.5 + pushed_mm.get(word, 0.0)
            down = (y - (len(rows) - 1) / 2) * 36.5
            at = (
                across * math.cos(turn) - down * math.sin(turn),
                across * math.sin(turn) + down * math.cos(turn),
            )
            poses += [TilePose(word, *at, turn)] if word != "." else []
    return poses


PICTURES = {
    "legal": laid(CROSS, 0.0),
    "other-side": laid(CROSS, 205.0),
    "illegal": laid(WRONG, -30.0),
    "in-doubt": laid(OPEN, 10.0, R7=14.0),
}


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a picture of each board."""
    folder, table = tmp_path_factory.mktemp("boards"), RenderedTable(seed=11)
    for name, poses in PICTURES.items():
        picture = table.picture(poses, noise_seed=1)
        Image.fromarray(picture.pixels_bgr[:, :, ::-1]).save(folder / f"{name}.png")
    return folder


@pytest.fixture(scope="module")
def read(photographs: Path) -> dict[str, dict[str, Any]]:
    """What `meldwatch read` says of each."""
    paths = [str(photographs / f"{name}.png") for name in PICTURES]
    result = CliRunner().invoke(main, ["read", *paths, "--rules", "rummi200kub", "--json"])
    assert result.exit_code == 0, result.output
    told = [json.loads(line) for line in result.stdout.splitlines()]
    return dict(zip(PICTURES, told, strict=True))


@pytest.mark.parametrize("name", ["legal", "other-side"])
def test_crossing_lines_that_are_sets_are_legal(read: dict[str, dict[str, Any]], name: str) -> None:
    assert read[name]["layout"] == f"grid {' / '.join(CROSS)}"
    assert read[name]["ruling"]["verdict"] == "LEGAL"


def test_a_column_that_is_no_set_is_told(read: dict[str, dict[str, Any]]) -> None:
    assert read["illegal"]["layout"] == f"grid {' / '.join(WRONG)}"
    assert read["illegal"]["ruling"]["verdict"] == "ILLEGAL"
    (finding,) = read["illegal"]["ruling"]["findings"]
    assert (finding["code"], finding["tiles"]) == ("RUN_GAP", ["B7", "B8", "B11"])


def test_a_tile_that_may_touch_or_not_becomes_a_question(read: dict[str, dict[str, Any]]) -> None:
    assert read["in-doubt"]["ruling"]["verdict"] == "ASK"
    (question,) = read["in-doubt"]["ruling"]["questions"]
    assert question["kind"] == "arrangement"
    assert set(question["options"]) == {"R4 R5 R6 R7", "R4 R5 R6 . R7"}


def test_people_are_shown_the_cells_below_each_other(photographs: Path, tmp_path: Path) -> None:
    path = str(photographs / "legal.png")
    arguments = ["read", path, "--rules", "rummi200kub", "--draw", str(tmp_path)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()[1:4]]
    assert lines == [[str(n), *row.split()] for n, row in enumerate(CROSS, start=1)]
    assert (tmp_path / "legal-read.jpg").is_file()
