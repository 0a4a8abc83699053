"""`meldwatch solve` as another program meets it: lines in, lines out."""

from __future__ import annotations

import importlib.util
import json
import shlex
from pathlib import Path

from click.testing import CliRunner

from web.cli import main

ROOT = Path(__file__).resolve().parents[2]
GOOD = '{"rules": "pressman", "table": [["K4", "K5", "K6"]], "rack": ["K7", "R9"]}'


def test_every_line_gets_one_answer_in_order_and_bad_ones_do_not_stop_it() -> None:
    bad = '{"rules": "pressman", "table": [], "rack": ["K0"]}'
    lines = "\n".join([GOOD, "nonsense", "", bad, GOOD])
    shown = CliRunner().invoke(main, ["solve"], input=lines)
    assert shown.exit_code == 1
    first, nonsense, no_tile, last = map(json.loads, shown.stdout.splitlines())
    assert first == last
    assert first == {
        "placed": ["K7"],
        "count": 1,
        "points": 7,
        "can_open": False,
        "table_after": [["K4", "K5", "K6", "K7"]],
    }
    assert nonsense == {"error": "is not JSON: expecting value at column 1", "line": 2}
    assert no_tile["line"] == 4
    assert no_tile["error"].startswith("rack[0]: expected a tile")
    complaints = shown.stderr.splitlines()
    assert [complaint.split(":")[1] for complaint in complaints] == [" line 2", " line 4"]


def test_positions_come_from_files_too(tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_text(f"{GOOD}\n{GOOD}\n", "utf-8")
    shown = CliRunner().invoke(main, ["solve", str(path)])
    assert shown.exit_code == 0
    assert len(shown.stdout.splitlines()) == 2


def test_the_documented_example_runs() -> None:
    text = (ROOT / "docs/command-line.md").read_text("utf-8")
    example = next(line for line in text.splitlines() if line.endswith("| ./meldwatch solve"))
    position = shlex.split(example.partition("|")[0])[1]
    shown = CliRunner().invoke(main, ["solve"], input=position + "\n")
    assert shown.exit_code == 0
    assert json.loads(shown.stdout)["placed"] == ["K7"]


def test_the_bench_solves_given_positions_and_says_when_there_is_no_rival(tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_text(f"{GOOD}\n{GOOD}\n", "utf-8")
    arguments = ["bench", "engine", "--repeat", "1", "--positions", str(path), "--json"]
    shown = CliRunner().invoke(main, arguments)
    assert shown.exit_code == 0
    found = json.loads(shown.stdout)["solver"]
    assert (found["positions"], found["source"]) == (2, str(path))
    assert set(found["ours"]) == {"name", "median_ms", "p99_ms", "longest_ms"}
    if importlib.util.find_spec("rummikub_solver") is None:
        assert (found["rival"], found["ratios"]) == (None, None)
        assert "not installed" in found["note"]
    else:
        assert found["note"] == "the same counts"


def test_a_file_without_positions_ends_the_bench_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "nothing.json"
    path.write_text("[]", "utf-8")
    shown = CliRunner().invoke(main, ["bench", "engine", "--repeat", "1", "--positions", str(path)])
    assert shown.exit_code == 3
    assert "no positions could be read" in shown.stderr
