"""The commands as people and pipes meet them: what they print, where, and with which exit code."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import struct
import subprocess
import sys
import urllib.request
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from engine.ruleset import load_ruleset
from table.demo_game import demo_steps
from vision.rendering import RenderedTable, TilePose
from vision.spoiling import Spoiling
from web.cli import VERSION, main

ROOT = Path(__file__).resolve().parents[2]

GROUP = {"rules": "pressman", "after": [["K7", "B7", "R7"]]}
GAP = {"rules": "pressman", "after": [["K7", "K8", "K10"]]}


def run(*arguments: str | Path, given: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=given)


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of the rendered table in the middle of a game."""
    table = RenderedTable(seed=3)
    step = next(islice(demo_steps(3, table.span_mm), 4, None))
    picture = table.picture(step.poses, noise_seed=0)
    path = tmp_path_factory.mktemp("photographs") / "a table.png"
    Image.fromarray(picture.pixels_bgr[:, :, ::-1]).save(path)
    return path


def huge_png(path: Path) -> None:
    """A file of some 50 kB that claims, and holds, 20,000 x 20,000 pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", checksum)

    side = 20_000
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    pixels = zlib.compress(bytes((side // 8 + 1) * side), 9)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)


@pytest.fixture
def bad_photographs(tmp_path: Path, photograph: Path) -> list[Path]:
    """One file of each kind that cannot be read."""
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "broken.png").write_bytes(photograph.read_bytes()[:5000])
    (tmp_path / "notes.txt").write_text("seven of hearts\n")
    huge_png(tmp_path / "huge.png")
    names = ("empty.jpg", "broken.png", "notes.txt", "huge.png", "missing.jpg")
    return [tmp_path / name for name in names]


def test_the_version_is_printed() -> None:
    assert run("--version").output.strip() == f"meldwatch, version {VERSION}"


def test_an_unknown_command_is_wrong_usage() -> None:
    assert run("gamble").exit_code == 2


# judge


def test_judge_answers_each_turn_on_a_line_of_its_own() -> None:
    result = run("judge", given=f"{json.dumps(GROUP)}\n{json.dumps(GAP)}\n")
    assert result.exit_code == 0
    assert [ruling["verdict"] for ruling in objects(result)] == ["LEGAL", "ILLEGAL"]


def test_a_finding_carries_its_evidence() -> None:
    (ruling,) = objects(run("judge", given=json.dumps(GAP)))
    (finding,) = ruling["findings"]
    assert set(finding) == {"code", "rule", "quote", "meld", "tiles", "message", "repair"}
    assert finding["code"] == "RUN_GAP"
    assert finding["rule"] == "PR-07"
    assert finding["meld"] == 0
    assert finding["tiles"] == ["K7", "K8", "K10"]


@pytest.mark.parametrize(
    "bad",
    [
        "not json",
        "[1, 2]",
        "{}",
        '{"rules": "pressman"}',
        '{"rules": "nobody", "after": []}',
        '{"rules": "pressman", "after": [["K14"]]}',
        '{"rules": "pressman", "after": [["KS", "QS", "JS"]]}',
        '{"rules": "pressman", "after": [], "house_rules": {"no.such": 1}}',
        '{"rules": "pressman", "after": [], "elapsed_s": -1}',
        "[" * 100_000,
    ],
)
def test_a_bad_line_is_answered_in_its_place_and_the_others_are_judged(bad: str) -> None:
    result = run("judge", given=f"{json.dumps(GROUP)}\n\n{bad}\n{json.dumps(GAP)}\n")
    assert result.exit_code == 1
    first, error, last = objects(result)
    assert (first["verdict"], last["verdict"]) == ("LEGAL", "ILLEGAL")
    assert error["line"] == 3
    assert error["error"]
    (complaint,) = result.stderr.splitlines()
    assert complaint == f"meldwatch: line 3: {error['error']}"


def test_a_line_that_is_no_text_is_answered_too() -> None:
    result = CliRunner().invoke(main, ["judge"], input=b"\xff\xfe\n")
    assert result.exit_code == 1
    assert objects(result) == [{"error": "is not UTF-8 text", "line": 1}]


def test_judge_reads_files(tmp_path: Path) -> None:
    (tmp_path / "turns.jsonl").write_text(json.dumps(GAP) + "\n")
    (ruling,) = objects(run("judge", tmp_path / "turns.jsonl"))
    assert ruling["verdict"] == "ILLEGAL"


def test_judge_answers_before_the_next_line_comes() -> None:
    """Another program can keep it running and ask one turn at a time."""
    with subprocess.Popen(
        [sys.executable, "-m", "web.cli", "judge"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for turn, verdict in ((GROUP, "LEGAL"), (GAP, "ILLEGAL")):
            process.stdin.write(json.dumps(turn) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["verdict"] == verdict
        process.stdin.close()
        assert process.wait() == 0


# rules


def test_rules_lists_presets_and_shows_one_with_its_words() -> None:
    assert "pressman" in run("rules").output
    shown = run("rules", "pressman").output
    for name in load_ruleset("pressman").switches:
        assert f"  {name} = " in shown
    assert "A group is a set of either three or four tiles" in shown


def test_rules_as_json_hold_a_quotation_for_every_rule_they_cite() -> None:
    (found,) = objects(run("rules", "pressman", "--json"))
    cited = {entry["rule"] for entry in found["values"].values()}
    cited |= {switch["rule"] for switch in found["switches"]}
    assert cited <= set(found["quotations"])


def test_an_unknown_preset_is_wrong_usage_and_names_those_there_are() -> None:
    result = run("rules", "poker")
    assert result.exit_code == 2
    assert "pressman" in result.stderr


# read


def test_read_prints_one_object_a_photograph(photograph: Path) -> None:
    result = run("read", photograph, "--json")
    assert result.exit_code == 0
    (reading,) = objects(result)
    assert list(reading) == ["image", "width", "height", "tiles", "layout", "ruling"]
    assert (reading["image"], reading["width"], reading["height"]) == (str(photograph), 1280, 960)
    assert reading["tiles"]
    for tile in reading["tiles"]:
        assert list(tile) == ["label", "quad", "confidence", "sure", "candidates", "on_rack"]
        assert np.shape(tile["quad"]) == (4, 2)
        assert all(round(value, 1) == value for corner in tile["quad"] for value in corner)
    assert set(reading["ruling"]) == {"verdict", "findings", "questions", "unchecked"}


def test_photographs_that_cannot_be_read_are_named_and_the_others_are_read(
    photograph: Path, bad_photographs: list[Path]
) -> None:
    result = run("read", *bad_photographs, photograph, "--json")
    assert result.exit_code == 1
    (reading,) = objects(result)
    assert reading["image"] == str(photograph)
    complaints = result.stderr.splitlines()
    assert len(complaints) == len(bad_photographs)
    for path, complaint in zip(bad_photographs, complaints, strict=True):
        assert complaint.startswith(f"meldwatch: {path}: ")


def test_read_without_json_is_for_people(photograph: Path) -> None:
    result = run("read", photograph)
    assert result.exit_code == 0
    assert str(photograph) in result.output
    assert any(verdict in result.output for verdict in ("LEGAL", "ASK"))


def test_marked_photographs_of_the_same_name_do_not_replace_each_other(
    photograph: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "not yet there" / "marked"
    assert run("read", photograph, photograph, "--draw", folder).exit_code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["a table-read-2.jpg", "a table-read.jpg"]
    with Image.open(folder / names[0]) as marked:
        assert marked.width >= 1280


def test_read_with_an_unknown_preset_is_wrong_usage(photograph: Path) -> None:
    assert run("read", photograph, "--rules", "poker").exit_code == 2


# evaluate


@pytest.fixture
def labels(photograph: Path, tmp_path: Path) -> Path:
    """A label file for the photograph with one tile that is not there, and one missing photograph."""
    entry = {
        "game": "rummikub",
        "design": "rendered",
        "width": 1280,
        "height": 960,
        "tiles": [{"label": "K1", "bbox": [600, 20, 1, 1]}],
    }
    images = [entry | {"image": str(photograph)}, entry | {"image": "missing.jpg"}]
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"images": images}))
    return path


def test_evaluate_counts_saves_and_marks(labels: Path, tmp_path: Path) -> None:
    mistakes, predictions = tmp_path / "mistakes", tmp_path / "predictions.jsonl"
    result = run("evaluate", labels, "--json", "--errors", mistakes, "--predictions", predictions)
    assert result.exit_code == 1  # one photograph is missing, and named
    assert "missing.jpg" in result.stderr
    (report,) = objects(result)
    assert report["unread_photos"] == 1
    assert report["strata"]["all"]["missed"] == 2
    (saved,) = [json.loads(line) for line in predictions.read_text().splitlines()]
    assert report["strata"]["all"]["extra"] == len(saved["tiles"])
    assert [path.name for path in mistakes.iterdir()] == ["a table-mistakes.jpg"]


def test_evaluate_spoils_photographs_when_asked(labels: Path) -> None:
    result = run("evaluate", labels, "--json", "--spoil", "all", "--seed", "2")
    reports = objects(result)
    assert [report["spoiled"] for report in reports] == list(Spoiling)
    assert all(report["strata"]["all"]["photos"] == 2 for report in reports)


def test_evaluate_takes_photographs_for_tables_of_a_game_when_told_so(tmp_path: Path) -> None:
    """Three sevens that look alike: no game has three, and one of them has to be another tile."""
    table = RenderedTable(seed=3)
    step = 1.6 * table.design.width_mm
    laid = ("K7", "R3", "K7", "O9", "K7", "B5")
    poses = [TilePose(label, (k - 2.5) * step, 0.0, 0.0) for k, label in enumerate(laid)]
    picture = table.picture(poses, noise_seed=0)
    cv2.imwrite(str(tmp_path / "sevens.png"), picture.pixels_bgr)
    corners = [(quad.min(axis=0), np.ptp(quad, axis=0)) for quad in picture.quads_xy]
    tiles = [
        {"label": label, "bbox": [*map(float, (*at, *size))]}
        for label, (at, size) in zip(picture.labels, corners, strict=True)
    ]
    entry = {"image": "sevens.png", "game": "rummikub", "design": "rendered", "tiles": tiles}
    height, width = picture.pixels_bgr.shape[:2]
    labelled = {"images": [entry | {"width": width, "height": height}]}
    (tmp_path / "labels.json").write_text(json.dumps(labelled))
    for rules, asked in ((), 0.0), (("--rules", "pressman"), 0.5):
        (report,) = objects(run("evaluate", tmp_path / "labels.json", "--json", *rules))
        assert report["strata"]["all"]["read"] == 1.0
        assert report["strata"]["all"]["asked"] == asked


@pytest.mark.parametrize("as_json", [True, False])
def test_evaluate_watches_photographs_as_a_live_table_does(
    labels: Path, tmp_path: Path, as_json: bool
) -> None:
    predictions, options = tmp_path / "live.jsonl", ["--json"] * as_json
    result = run("evaluate", labels, "--live", "--predictions", predictions, *options)
    assert result.exit_code == 1  # one photograph is missing
    (live,) = [json.loads(line) for line in predictions.read_text().splitlines()]
    assert live["ruling"]["verdict"] == "LEGAL"
    if not as_json:
        assert "live rulings: LEGAL 1; the middle one" in result.output
        return
    (report,) = objects(result)
    assert report["live"]["rulings"] == {"LEGAL": 1}
    assert 0 < report["live"]["seconds_median"] < 2
    (photograph,) = objects(run("read", live["image"], "--json"))
    assert live["layout"] == photograph["layout"]
    for tile, other in zip(live["tiles"], photograph["tiles"], strict=True):
        assert (tile["label"], tile["sure"]) == (other["label"], other["sure"])
        assert np.abs(np.subtract(tile["quad"], other["quad"])).max() < 10


def test_evaluate_without_labels_could_not_start(tmp_path: Path) -> None:
    result = run("evaluate", tmp_path / "nowhere.json")
    assert result.exit_code == 3
    assert "nowhere.json" in result.stderr


# enrol


def test_enrol_learns_nothing_from_a_table_in_play(photograph: Path, tmp_path: Path) -> None:
    result = run("enrol", photograph, "--name", "The / big set", "--data", tmp_path, "--json")
    assert result.exit_code == 1
    (found,) = objects(result)
    assert (found["whole"], found["learned"], found["file"]) == (False, False, None)
    assert found["missing"]
    assert [path.name for path in (tmp_path / "sets").iterdir()] == ["the---big-set-1.jpg"]


def test_a_set_needs_a_name_that_can_be_a_file(photograph: Path, tmp_path: Path) -> None:
    assert run("enrol", photograph, "--name", "../..", "--data", tmp_path).exit_code == 2


# doctor


def test_doctor_looks_at_everything_and_leaves_nothing_behind(tmp_path: Path) -> None:
    checks = objects(run("doctor", "--json", "--data", tmp_path / "data"))
    names = {check["name"].split()[0] for check in checks}
    assert names >= {"Python", "libraries", "compiled", "models", "disk", "database"}
    assert all(check["remedy"] for check in checks if check["state"] == "mend")
    assert not list(tmp_path.iterdir())


# serve


@pytest.fixture
def quiet_environment(tmp_path: Path) -> dict[str, str]:
    return os.environ | {"XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def serving(quiet_environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "web.cli", "serve", "--source", "rendered", "--port", "0"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=quiet_environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        yield process
        process.kill()


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Dashboard:"):
            return line.split()[1]
    raise AssertionError("no address was printed")


def test_serve_prints_an_address_that_answers_and_ends_when_asked(
    serving: subprocess.Popen[str], tmp_path: Path
) -> None:
    address = address_of(serving)
    with urllib.request.urlopen(address, timeout=20) as answer:  # noqa: S310 - our own server
        assert b"<html" in answer.read()
    serving.send_signal(signal.SIGTERM)
    assert serving.wait(timeout=30) == 0
    with sqlite3.connect(tmp_path / "meldwatch/rendered/events.db") as log:
        kinds = {kind for (kind,) in log.execute("SELECT kind FROM event")}
    log.close()
    assert "session_started" in kinds


def test_a_taken_port_is_said_with_the_line_to_type(
    serving: subprocess.Popen[str], quiet_environment: dict[str, str], tmp_path: Path
) -> None:
    port = address_of(serving).rstrip("/").rpartition(":")[2]
    command = [sys.executable, "-m", "web.cli", "serve", "--source", "rendered", "--port", port]
    second = subprocess.run(
        [*command, "--data", str(tmp_path / "other")],
        cwd=ROOT,
        env=quiet_environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 3
    assert f"./meldwatch serve --port {int(port) + 1}" in second.stderr


@pytest.mark.parametrize("source", ["nonsense", "camera:x", "rendered:x", "http://"])
def test_a_source_that_is_none_is_wrong_usage(source: str, tmp_path: Path) -> None:
    result = run("serve", "--source", source, "--data", tmp_path)
    assert result.exit_code == 2


def test_a_game_of_cards_cannot_be_watched(tmp_path: Path) -> None:
    result = run("serve", "--rules", "sets-and-runs", "--source", "rendered", "--data", tmp_path)
    assert result.exit_code == 2
    assert "played with cards" in result.stderr


def test_a_film_that_is_not_there_could_not_start(tmp_path: Path) -> None:
    result = run("serve", "--source", f"video:{tmp_path}/none.mp4", "--data", tmp_path)
    assert result.exit_code == 3
    assert "none.mp4" in result.stderr
