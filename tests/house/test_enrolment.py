"""`meldwatch enrol` and the option --set on drawn photographs of a set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from vision.enrolment.scenes import enrolment_picture, table_picture
from vision.rendering.designs import sample_design
from web.cli import main

SEED = 5


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def the_object(result: Result) -> dict[str, Any]:
    (line,) = result.stdout.splitlines()
    found = json.loads(line)
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a set of 53 in rows, and a table on which it is played with."""
    folder = tmp_path_factory.mktemp("a set")
    rng = np.random.default_rng(SEED)
    design = sample_design(rng)
    for name, picture in (
        ("set", enrolment_picture(rng, design, copies=1)),
        ("table", table_picture(rng, design)),
    ):
        Image.fromarray(picture.pixels_bgr[:, :, ::-1]).save(folder / f"{name}.png")
    return folder


@pytest.fixture(scope="module")
def enrolled(pictures: Path) -> Result:
    return run("enrol", pictures / "set.png", "--name", "Ours", "--data", pictures, "--json")


def test_a_whole_set_is_learned_and_shown(pictures: Path, enrolled: Result) -> None:
    assert enrolled.exit_code == 0, enrolled.output
    found = the_object(enrolled)
    assert (found["whole"], found["learned"], found["tiles"], found["copies"]) == (
        True,
        True,
        53,
        1,
    )
    assert sorted(len(row) for row in found["rows"]) in ([13, 13, 13, 14], [1, 13, 13, 13, 13])
    assert found["complaints"] == []
    assert found["file"] == str(pictures / "sets/ours.json")
    kept = json.loads(Path(found["file"]).read_text())
    assert (kept["name"], kept["inks"]) == ("Ours", found["inks"])
    (drawn,) = found["pictures"]
    with Image.open(drawn) as marked:
        assert marked.width >= 1600


def test_a_table_is_read_with_an_enrolled_set(pictures: Path, enrolled: Result) -> None:
    kept = the_object(enrolled)["file"]
    without = the_object(run("read", pictures / "table.png", "--json"))
    known = the_object(run("read", pictures / "table.png", "--json", "--set", kept))
    assert len(known["tiles"]) >= len(without["tiles"]) > 0
    assert known["tiles"] != without["tiles"]
    asked = [sum(not tile["sure"] for tile in one["tiles"]) for one in (known, without)]
    assert asked[0] <= asked[1]


def test_half_a_set_is_said_to_be_short_and_nothing_is_kept(pictures: Path) -> None:
    with Image.open(pictures / "set.png") as whole:
        pixels = np.asarray(whole).copy()
    pixels[: len(pixels) // 2] = pixels[0, 0]  # what lay in the upper rows is gone
    Image.fromarray(pixels).save(pictures / "short.png")
    result = run("enrol", pictures / "short.png", "--name", "Short", "--data", pictures)
    assert result.exit_code == 1
    assert "1 to K13 are missing." in result.stdout
    assert "a set has 53 or 106." in result.stdout
    assert "What was understood:" in result.stdout
    assert "Nothing was learned" in result.stdout
    assert not (pictures / "sets/short.json").exists()


def test_sets_that_are_not_there_keep_a_command_from_starting(pictures: Path) -> None:
    result = run("read", pictures / "table.png", "--set", pictures / "nobody.json")
    assert result.exit_code == 3
    assert "meldwatch enrol makes one" in result.stderr
    assert run("read", pictures / "table.png", "--set", "../..").exit_code == 2
