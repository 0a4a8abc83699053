"""`meldwatch fuzz` plays whole games, the same for the same seed, and says what it played."""

from __future__ import annotations

import json

from click.testing import CliRunner

from web.cli import main


def played(*arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(main, ["fuzz", "--json", "--workers", "1", *arguments])
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    report: dict[str, object] = json.loads(line)
    return report


def test_games_are_the_same_for_the_same_seed() -> None:
    first = played("--turns", "40", "--preset", "pressman", "--seed", "3")
    again = played("--turns", "40", "--preset", "pressman", "--seed", "3")
    other = played("--turns", "40", "--preset", "pressman", "--seed", "4")
    assert isinstance(first["turns"], int)
    assert first["turns"] >= 40
    assert first["broken"] is None
    assert first["events"] == again["events"]
    assert first["refusals"] == again["refusals"]
    assert first["events"] != other["events"]


def test_an_unknown_preset_is_wrong_usage() -> None:
    result = CliRunner().invoke(main, ["fuzz", "--preset", "poker"])
    assert result.exit_code == 2
