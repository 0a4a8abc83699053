"""`meldwatch film` shows films of others, and says how they were watched."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from tests.table.made_film import BEGUN, a_film
from web.cli import main


def test_a_film_is_judged_and_counted(tmp_path: Path) -> None:
    """Tiles that are blank are no tiles: nothing is read, so nothing is ruled and nobody accused."""
    folder, keep = tmp_path / "blank", tmp_path / "wrong"
    folder.mkdir()
    a_film(folder, (BEGUN, {}))
    result = CliRunner().invoke(main, ["film", str(folder), "--json", "--keep", str(keep)])
    told = json.loads(result.stdout)
    assert told["film"] == str(folder)
    assert [turn["exact"] for turn in told["turns"]] == [False]
    assert told["all"]["wrong_accusations"]["count"] == 0
    assert keep.is_dir()


def test_every_film_is_shown_though_one_is_none(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "film").mkdir()
    a_film(tmp_path / "film", (BEGUN, {}))
    result = CliRunner().invoke(main, ["film", str(tmp_path / "none"), str(tmp_path / "film")])
    assert result.exit_code == 1
    assert "film.json: No such file" in result.stderr
    assert "all: 1 turns judged" in result.stdout


def test_of_no_turns_nothing_is_counted(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["film", str(tmp_path)])
    assert result.exit_code == 1
    assert "film.json: No such file" in result.stderr
    assert result.stdout == ""
