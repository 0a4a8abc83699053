"""`meldwatch soak` says what was played and measured, and fails where something grew."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from web.cli import main


def test_what_was_measured_is_printed_and_decides_the_exit_code() -> None:
    arguments = ["soak", "--hours", "0.02", "--seed", "6", "--width", "240", "--json"]
    result = CliRunner().invoke(main, arguments)
    report = json.loads(result.stdout)
    assert report["hours"] == 0.02
    assert report["seed"] == 6
    assert report["turns"] >= 1
    assert report["log_bytes"] > 0
    assert report["after_warm_up"]["files"] == report["at_end"]["files"]
    assert report["largest_mib"] >= report["at_end"]["resident_mib"] > 0
    assert result.exit_code == (1 if report["problems"] else 0)
    assert result.stderr.count("meldwatch: ") == len(report["problems"])


def test_with_the_networks_tables_are_read_from_their_pictures() -> None:
    result = CliRunner().invoke(main, ["soak", "--hours", "0.02", "--networks", "--json"])
    report = json.loads(result.stdout)
    assert report["turns"] >= 1
    assert report["layouts"] >= report["turns"]
    assert not [problem for problem in report["problems"] if "trouble" in problem]


@pytest.mark.parametrize("arguments", [("--hours", "0"), ("--width", "20"), ("--seed", "-1")])
def test_what_cannot_be_played_is_wrong_usage(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["soak", *arguments])
    assert result.exit_code == 2
