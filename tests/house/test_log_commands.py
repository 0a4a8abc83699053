"""`meldwatch export`, `backup` and `torture`: what was written comes out again, and survives a kill."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.game.record import parse_record, split_records
from engine.game.replay import replay
from table.event_log import open_event_log
from table.events import Event, GameLeft, GameTold, QuestionAnswered, TroubleMet, TurnConfirmed
from table.game_records import begin_anew_if_large, first_event_to_keep
from table.storage import log_path
from web.cli import main

ROOT = Path(__file__).resolve().parents[2]

FIRST_GAME = ("game pressman; players: Ada | Ben", "for the start: Ada K7 | Ben R3", "deal")
SECOND_GAME = ("game pressman; players: Cleo | Dan",)

EVENTS: tuple[Event, ...] = (
    TroubleMet("disk", "a note with ♥ in it"),
    QuestionAnswered(1, "house_rule", "Which?", "yes", "joker.retrieval"),
    *(GameTold(1, line, "Ada") for line in FIRST_GAME),
    TurnConfirmed(1, "-", "LEGAL", "person"),
    GameLeft(1, "person"),
    *(GameTold(2, line, "Cleo") for line in SECOND_GAME),
)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = log_path(tmp_path, rendered=False)
    path.parent.mkdir()
    with open_event_log(path).writer() as writer:
        writer.append(*EVENTS)
    return tmp_path


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_export_prints_every_event_on_a_line_of_its_own(data: Path) -> None:
    result = run("export", "--data", data)
    assert result.exit_code == 0
    lines = objects(result.stdout)
    assert [line["sequence"] for line in lines] == list(range(1, len(EVENTS) + 1))
    assert [line["kind"] for line in lines] == [event.kind for event in EVENTS]
    assert set(lines[0]) == {"sequence", "at", "monotonic_s", "kind", "event"}
    assert lines[0]["event"] == {"where": "disk", "message": "a note with ♥ in it"}


def test_export_to_a_file_writes_the_same(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "evening.jsonl"
    assert run("export", "--data", data, "--out", out).exit_code == 0
    assert out.read_text("utf-8") == run("export", "--data", data).stdout


def test_a_reader_that_has_enough_ends_it_quietly(data: Path) -> None:
    command = [sys.executable, "-m", "web.cli", "export", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as exported:
        assert exported.stdout is not None
        assert exported.stderr is not None
        exported.stdout.close()
        assert exported.stderr.read() == b""


def test_exported_games_replay(data: Path) -> None:
    result = run("export", "--data", data, "--games")
    assert result.exit_code == 0, result.output
    games = [replay(parse_record(text, line)) for text, line in split_records(result.stdout)]
    assert [[seat.name for seat in game.state.seats] for game in games] == [
        ["Ada", "Ben"],
        ["Cleo", "Dan"],
    ]
    assert [game.length for game in games] == [3, 1]


def test_what_came_before_the_game_under_way_is_put_away_when_a_log_is_large(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_event_log(log_path(data, rendered=False))
    whole = log.read()
    assert begin_anew_if_large(log) is None
    monkeypatch.setattr("table.event_log.LARGE_BYTES", 100)
    earlier = begin_anew_if_large(log)
    assert earlier is not None
    assert open_event_log(earlier).read() == whole
    assert log.read() == (whole[1], *whole[-len(SECOND_GAME) :])
    with log.writer() as writer:
        writer.append(GameLeft(2, "person"))
    assert first_event_to_keep(log) == len(whole) + 2


def test_a_backup_exports_as_the_log_did(data: Path) -> None:
    result = run("backup", "--data", data, "--json")
    assert result.exit_code == 0, result.output
    (made,) = objects(result.stdout)
    assert made["events"] == len(EVENTS)
    assert run("export", "--data", made["folder"]).stdout == run("export", "--data", data).stdout


@pytest.mark.parametrize("command", ["export", "backup"])
def test_a_folder_without_a_log_is_named(tmp_path: Path, command: str) -> None:
    result = run(command, "--data", tmp_path)
    assert result.exit_code == 3
    assert str(tmp_path / "table" / "events.db") in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_dozen_kills_lose_nothing(tmp_path: Path) -> None:
    """The command itself forks, which a process with threads, as this one may be, should not."""
    command = [sys.executable, "-m", "web.cli", "torture", "--kills", "12", "--json", "--folder"]
    done = subprocess.run(
        [*command, tmp_path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (told,) = objects(done.stdout)
    assert sum(told["kills"].values()) == 12
    assert told["acknowledged"] > 0
    assert told["broken"] is None
    assert list(tmp_path.iterdir()) == []
