"""`meldwatch match` films games, the same for the same seed, and says how they were watched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from web.cli import main

SMALL = ("--games", "1", "--turns", "1", "--width", "960", "--preset", "reset")


def test_a_filmed_turn_is_judged_and_counted(tmp_path: Path) -> None:
    keep = tmp_path / "wrong"
    arguments = ["match", "--json", "--kind", "plain", *SMALL, "--keep", str(keep)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code in (0, 1), result.output
    report = json.loads(result.stdout)
    assert report["all"]["turns"] >= 1
    assert set(report["presets"]) == {"reset"}
    assert set(report["kinds"]) == {"plain"}
    accused = report["all"]["wrong_accusations"]
    assert 0 <= accused["low"] <= accused["high"] <= 1
    wrong = accused["count"] + report["all"]["wrong_acquittals"]["count"]
    assert result.exit_code == (1 if wrong else 0)
    assert keep.is_dir()


@pytest.mark.parametrize(
    ("option", "word"), [("--kind", "earthquake"), ("--preset", "sets-and-runs")]
)
def test_what_cannot_be_filmed_is_wrong_usage(option: str, word: str) -> None:
    result = CliRunner().invoke(main, ["match", option, word])
    assert result.exit_code == 2
    assert word in result.stderr
