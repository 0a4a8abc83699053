"""`meldwatch replay` as people and pipes meet it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.game.position import parse_position
from engine.game.record import parse_record
from engine.game.replay import record_of, replay
from web.cli import main

GAME = """\
record/1 pressman
house: score.target=20
players: Ada | "Ben B."
result: Ada 57 | "Ben B." -57; won by Ada

2. Ada begins
3. deal: Ada K1 K2 K3 B4 B5 B6 R10 B10 O10 K10 R2 R3 R4 R5
4. Ada plays: R10 B10 O10 K10 {52.5 s} ! LEGAL
5. "Ben B." draws
6. Ada plays: R10 B10 O10 K10 | K1 K2 K3 | B4 B5 B6 | R2 R3 R4 R5 ! LEGAL
7. hands: "Ben B." K5 K6 B7 B8 O1 O2 O3 O4 K4 K3 R1 R6 R5 B1 K1
"""
"""A game of one round that comes to what it says."""
HEAD = "record/1 pressman\nplayers: Ada | Ben\n\n"


def run(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, arguments)], input=given)


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "a game.record"
    path.write_text(str(record_of(replay(parse_record(GAME)), place="the kitchen")), "utf-8")
    return path


def test_a_game_that_comes_to_what_it_says_is_told_round_by_round(game: Path) -> None:
    result = run(game)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        f"{game}: pressman, Ada, Ben B., 7 events",
        "  round 1: Ada 57, Ben B. -57; won by Ada",
        "  total: Ada 57, Ben B. -57; won by Ada",
    ]


def test_the_same_as_json(game: Path) -> None:
    result = run(game, "--json")
    assert result.exit_code == 0
    (found,) = objects(result)
    assert list(found) == [
        "file",
        "line",
        "preset",
        "players",
        "events",
        "phase",
        "score",
        "digest",
        "differences",
    ]
    assert found["score"]["rounds"] == [{"Ada": 57, "Ben B.": -57}]
    assert found["digest"] == parse_record(game.read_text("utf-8")).entries[-1].digest
    assert (found["phase"], found["differences"]) == ("game over", [])


def test_a_game_that_goes_on_says_what_is_waited_for() -> None:
    result = run(given=f"{HEAD}2. Ada begins\n")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "standard input: pressman, Ada, Ben, 2 events",
        "  not over: deal",
    ]


def test_a_tournament_is_told_game_by_game() -> None:
    text = GAME.replace(
        "record/1 pressman\nhouse: score.target=20\n", "record/1 pressman-tournament\n"
    )
    result = run(given="".join(line + "\n" for line in text.splitlines() if "result" not in line))
    assert result.exit_code == 0, result.stderr
    assert "  round 1, game 1: Ada 57, Ben B. -57; won by Ada" in result.stdout.splitlines()
    assert "  round 1: Ada 57, Ben B. -57" in result.stdout.splitlines(), "of four games"
    assert "  not over: start" in result.stdout.splitlines()


def test_rulings_digests_and_results_that_differ_are_told_with_their_events(game: Path) -> None:
    text = game.read_text("utf-8").replace("! LEGAL", "! ILLEGAL RUN_GAP PR-07", 1)
    text = text.replace("Ada 57", "Ada 58").replace("\n= ", "\n= " + "0" * 8, 1)
    text = text[:-9] + "\n"  # a digest has 64 digits
    game.write_text(text, "utf-8")
    result = run(game)
    assert result.exit_code == 1
    told = [line for line in result.stdout.splitlines() if line.startswith("  event")]
    assert [line.split(" is ")[0] for line in told] == [
        "  event 4: the ruling",
        "  event 7: the digest",
        "  event 7: the result",
    ]
    assert told[0].endswith("is LEGAL, and the record has ILLEGAL RUN_GAP PR-07")
    (found,) = objects(run(game, "--json"))
    assert found["differences"][0] == {
        "event": 4,
        "what": "ruling",
        "now": "LEGAL",
        "record": "ILLEGAL RUN_GAP PR-07",
    }
    assert [item["event"] for item in found["differences"]] == [4, 7, 7]


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (HEAD + "2. Ada wins", "malformed", "line 4: expected what the player did, got 'wins'"),
        (HEAD + "2. deal", "illegal", "event 2: This cannot happen now"),
        (HEAD.replace("Ben", "Ada"), "ambiguous", "the name Ada is that of two players"),
        (HEAD.replace("pressman", "canasta"), "illegal", "event 1: There are no rules 'canasta'"),
        ("", "malformed", "line 1: expected `record/1` and a preset, got nothing"),
    ],
)
def test_a_record_that_cannot_be_replayed_is_one_line_and_the_others_are_replayed(
    text: str, kind: str, said: str, game: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.record"
    bad.write_text(text, "utf-8")
    result = run(bad, game, "--json")
    assert result.exit_code == 1
    error, replayed = objects(result)
    assert (error["file"], error["line"], error["kind"]) == (str(bad), 1, kind)
    assert error["error"].startswith(said)
    assert result.stderr.splitlines() == [f"meldwatch: {bad}: {error['error']}"]
    assert replayed["phase"] == "game over"
    assert run(bad, game).stdout.startswith(f"{game}: ")


def test_files_that_cannot_be_read_are_one_line_each(game: Path, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    result = run(tmp_path / "missing", tmp_path, tmp_path / "binary", game)
    assert result.exit_code == 1
    complaints = result.stderr.splitlines()
    assert [line.split(": ")[1] for line in complaints] == [
        str(tmp_path / "missing"),
        str(tmp_path),
        str(tmp_path / "binary"),
    ]
    assert complaints[2].endswith("is not UTF-8 text")
    assert result.stdout.startswith(f"{game}: ")


def test_a_file_may_hold_several_records() -> None:
    text = f"{HEAD}2. Ada begins\n\n{HEAD}2. Cleo begins\n{HEAD}2. Ben begins\n"
    result = run("--json", given=text)
    assert result.exit_code == 1
    found = objects(result)
    assert [item["line"] for item in found] == [1, 6, 10]
    assert ["error" in item for item in found] == [False, True, False]


def test_windows_line_ends_and_a_byte_order_mark_do_not_matter(game: Path) -> None:
    given = b"\xef\xbb\xbf" + game.read_bytes().replace(b"\n", b"\r\n")
    result = run(given=given)
    assert result.exit_code == 0
    assert "won by Ada" in result.stdout


def test_the_position_after_an_event_is_printed_as_a_line(game: Path) -> None:
    result = run(game, "--position", "4")
    assert result.exit_code == 0
    position = parse_position(result.stdout)
    assert str(position) + "\n" == result.stdout
    assert (position.to_move, str(position.table)) == ("Ben B.", "R10 B10 O10 K10")
    (found,) = objects(run(game, "--position", "4", "--json"))
    assert found == {"file": str(game), "event": 4, "position": str(position)}


def test_the_position_before_an_event_that_cannot_apply_can_be_seen() -> None:
    text = f"{HEAD}2. Ada begins\n3. deal\n4. Ben draws\n"
    assert run("--position", "3", given=text).exit_code == 0
    result = run("--position", "4", given=text)
    assert result.exit_code == 1
    assert result.stderr == "meldwatch: standard input: event 4: It is Ada's turn, not Ben's.\n"


def test_a_position_after_an_event_that_there_is_not_is_told() -> None:
    result = run("--position", "9", given=f"{HEAD}2. Ada begins\n")
    assert result.exit_code == 1
    assert result.stderr == (
        "meldwatch: standard input: there is no event 9; the last is event 2\n"
    )
    assert run("--position", "0", given=HEAD).exit_code == 2
