"""`meldwatch read` on a picture with a rack: its tiles are told, and neither laid out nor judged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from vision.rendering.known_games import KnownGame, Place
from vision.rendering.rack_scenes import draw_racks
from vision.rendering.table_scenes import Typefaces
from web.cli import main

GAME = 1010
"""One with a rack before the table."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[Place, list[np.ndarray]]]:
    """A picture of a table, and the middles of its tiles."""
    ((known, pixels_bgr),) = KnownGame(GAME).painted((4,))
    path = tmp_path_factory.mktemp("racks") / "table.png"
    Image.fromarray(pixels_bgr[:, :, ::-1]).save(path)
    return path, {place: list(known.centres_xy(place)) for place in Place}


def read(path: Path, *options: str) -> str:
    done = CliRunner().invoke(main, ["read", str(path), *options])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_tiles_on_a_rack_are_told_and_not_laid_out(
    table: tuple[Path, dict[Place, list[np.ndarray]]],
) -> None:
    path, middles = table
    said = json.loads(read(path, "--json"))
    stand = [tile for tile in said["tiles"] if tile["on_rack"]]
    lie = [tile for tile in said["tiles"] if not tile["on_rack"]]
    racks, others = middles[Place.RACK], middles[Place.TABLE]
    for tiles, there in ((stand, racks), (lie, others)):
        seen = np.array([np.mean(tile["quad"], axis=0) for tile in tiles])
        near = [min(np.linalg.norm(seen - middle, axis=1)) < 8 for middle in there]
        assert sum(near) >= 0.9 * len(there)
    assert len(stand) == len(racks)
    assert len(said["layout"].replace("|", "").split()) == len(lie)


def test_people_are_told_what_stands_there(
    table: tuple[Path, dict[Place, list[np.ndarray]]], tmp_path: Path
) -> None:
    path, middles = table
    said = read(path, "--draw", str(tmp_path))
    (line,) = (each for each in said.splitlines() if "On a rack" in each)
    assert line.startswith("  On a rack, not judged: ")
    assert len(line.split(": ")[1].split()) == len(middles[Place.RACK])
    assert (tmp_path / "table-read.jpg").exists()


def test_of_a_rack_alone_there_is_no_ruling(tmp_path: Path) -> None:
    for number in range(40):
        drawn = draw_racks(np.random.default_rng([77, number]), Typefaces())
        if drawn.standing.all() and len(drawn.labels) >= 6:
            break
    path = tmp_path / "rack.png"
    Image.fromarray(drawn.pixels_bgr[:, :, ::-1]).save(path)
    said = json.loads(read(path, "--json"))
    assert said["tiles"]
    assert all(tile["on_rack"] for tile in said["tiles"])
    assert (said["layout"], said["ruling"]) == ("-", None)
    assert "ILLEGAL" not in read(path)
