"""`meldwatch read` on a picture with a rack: its tiles are told, and neither laid out nor judged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray
from PIL import Image

from engine.faults import Verdict
from engine.ruleset import load_ruleset
from tests.table.test_sets_before import tile
from vision.frame import Pixels
from vision.rendering.known_games import KnownGame, Place
from vision.rendering.rack_scenes import draw_racks
from vision.rendering.table_scenes import Typefaces
from vision.table_layout import lay_out
from web.cli import main
from web.commands.reading import ReadPhotograph

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


@pytest.mark.parametrize(("looks", "verdict"), [(0.3, Verdict.ASK), (0.1, Verdict.ILLEGAL)])
def test_nobody_is_accused_of_what_may_be_the_other_tier_of_a_rack(
    looks: float, verdict: Verdict
) -> None:
    upper = [tile(word, n, n * 1.02, 100.0) for n, word in enumerate(["K10", "K11", "K12"])]
    lower = [tile(word, n, n * 1.02, 175.0) for n, word in enumerate(["R11", "O7"], 3)]
    tiles = (*upper, *lower)
    pixels = np.zeros((480, 640, 3), np.uint8)
    rules = load_ruleset("pressman")

    def standing(_: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.where(quads_xy.mean(axis=1)[:, 1] < 140, 1.0, looks).astype(np.float32)

    read = ReadPhotograph(Path("rack.jpg"), pixels, tiles, lay_out(tiles, "sets"))
    told = read.without_racks(standing, rules)
    assert told.on_racks == tuple(upper)
    ruling = told.ruling(rules)
    assert ruling is not None
    assert ruling.verdict is verdict
    asked = [question.text for question in ruling.questions]
    named = "Do the 2 tiles from the red 11 to the orange 7 stand on a rack, or on the table?"
    assert asked == ([named] if verdict is Verdict.ASK else [])


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
