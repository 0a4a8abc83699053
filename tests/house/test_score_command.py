"""`meldwatch score` as pipes meet it: a sheet for each line, and one line for what cannot be scored."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.ruleset import quotation
from web.cli import main

ROOT = Path(__file__).resolve().parents[2]

ROUND = {"hands": {"B": ["K5"], "C": ["R13", "R3"], "D": ["O3"]}, "out": "A"}
GAME = {"rules": "pressman", "players": ["A", "B", "C", "D"], "rounds": [ROUND]}
PAIR = {"rules": "pressman", "players": ["A", "B"]}


def score(*lines: object) -> Result:
    given = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    return CliRunner().invoke(main, ["score"], input=given)


def sheet(line: object) -> dict[str, Any]:
    """The sheet of one game that can be scored."""
    result = score(line)
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_sheet_holds_rounds_totals_winners_and_checks() -> None:
    """SB-23, PR-24: game one of both documents' tables."""
    found = sheet(GAME)
    assert found["rounds"] == [{"A": 24, "B": -5, "C": -16, "D": -3}]
    assert found["totals"] == found["rounds"][0]
    assert found["winners"] == ["A"]
    assert found["round_winners"] == [["A"]]
    assert found["notes"] == []
    assert found["checks"][0] == {
        "check": "round 1: plus and minus points are equal",
        "ok": True,
        "rule": "PR-24",
    }
    assert all(check["ok"] for check in found["checks"])


def test_the_last_hand_may_be_given_empty_or_left_out() -> None:
    given = json.loads(json.dumps(GAME))
    given["rounds"][0]["hands"]["A"] = []
    given["rounds"][0]["pool_exhausted"] = None
    assert sheet(given) == sheet(GAME)


def test_whole_points_are_integers_and_halves_are_halves() -> None:
    """AMB-30: two share 7 and 8."""
    hands = {"A": ["K5"], "B": ["B5"], "C": ["K12"], "D": ["K13"]}
    result = score(GAME | {"rounds": [{"hands": hands, "pool_exhausted": True}]})
    assert '"rounds": [{"A": 7.5, "B": 7.5, "C": -7, "D": -8}]' in result.stdout
    # Nobody has said who wins then, which is all there is to note.
    (note,) = json.loads(result.stdout)["notes"]
    assert note.startswith("Nobody has chosen (pool_out.tie, AMB-30): ")


def test_thirds_are_printed_near_and_noted_exactly() -> None:
    hands = {"A": ["K5"], "B": ["B5"], "C": ["R5"], "D": ["K13"]}
    found = sheet(GAME | {"rounds": [{"hands": hands, "pool_exhausted": True}]})
    assert found["totals"]["A"] == pytest.approx(8 / 3)
    assert "round 1: A has exactly 8/3" in found["notes"]
    assert all(check["ok"] for check in found["checks"])


def test_a_tournament_has_games() -> None:
    """PT-04"""
    games = [{"hands": {"B": ["K1"]}, "out": "A"}] * 3 + [{"hands": {"A": ["J"]}, "out": "B"}]
    found = sheet(PAIR | {"rules": "pressman-tournament", "rounds": [{"games": games}]})
    assert found["games"] == [[{"A": 1, "B": -1}] * 3 + [{"A": -30, "B": 30}]]
    assert found["rounds"] == [{"A": -27, "B": 27}]
    assert found["round_winners"] == [["A"]]
    assert found["winners"] == ["A"]


def test_claims_are_scored_with_jokers_as_what_they_stand_for() -> None:
    """R2-23, R2-25, AMB-34"""
    claims = [
        {"player": "A", "melds": [["K8", "B8", "J"], ["R5", "R6", "R7"]]},
        {"player": "B", "melds": [["R7", "R6", "R5"]]},
    ]
    found = sheet(PAIR | {"rules": "rummi200kub", "claims": claims, "ended": "blocked"})
    assert found["rounds"] == [{"A": 24, "B": 18}]
    assert found["winners"] == ["A"]
    assert found["claimed"] == [
        {"player": "A", "meld": ["K8", "B8", "J"], "points": 24, "level": 1},
        {"player": "B", "meld": ["R7", "R6", "R5"], "points": 18, "level": 2},
    ]


@pytest.mark.parametrize(
    ("rules", "hand", "points"),
    [
        ("sets-and-runs", ["2H", "9D", "TS", "KC", "AH", "*"], 95),
        ("sets-and-runs", ["10D", "JS", "JOKER"], 70),
        ("reset", ["TD", "JOKER", "10D", "AS"], 4),
        ("reset", ["JOKER", "R10", "J"], 3),
        ("sabra", ["J", "JOKER", "K1"], 61),
    ],
)
def test_cards_and_jokers_as_people_write_them(rules: str, hand: list[str], points: int) -> None:
    """SR-19, RS-26, SB-15"""
    ended = {
        "hands": {"A": hand, "C": ["AH" if "-" in rules or "TD" in hand else "O9"]},
        "out": "B",
    }
    found = sheet({"rules": rules, "players": ["A", "B", "C"], "rounds": [ended]})
    assert abs(found["totals"]["A"]) == points


def test_house_rules_reach_the_score() -> None:
    hands = {"A": ["K5"], "B": ["B5"]}
    given = PAIR | {"rounds": [{"hands": hands, "pool_exhausted": True}]}
    assert sheet(given)["winners"] == ["A", "B"]
    chosen = sheet(given | {"house_rules": {"pool_out.tie": "void"}})
    assert chosen["round_winners"] == [[]]


CLAIMS = {"rules": "rummi200kub", "players": ["A", "B"], "ended": "blocked"}
OUT = {"hands": {"B": ["K1"]}, "out": "A"}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("not json", "is not JSON: expecting value at column 1"),
        ("[1]", 'expected an object such as {"rules": ..., "players": ...}, got a list'),
        ("[" * 100_000, "is nested too deeply"),
        ('{"rules": ' + "9" * 5000 + "}", "is not JSON: a number is too long"),
        ('{"rules": "pressman", "rules": "sabra"}', "the key 'rules' comes twice"),
        ({}, "'rules' is missing"),
        ({"rules": 7}, "rules: expected the name of a preset, got a number"),
        ({"rules": "nobody"}, "rules: there are no rules 'nobody'; there are: "),
        (GAME | {"house_rules": []}, "house_rules: expected an object of switches, got a list"),
        (GAME | {"house_rules": {"no.such": 1}}, "house_rules: there is no house rule 'no.such'"),
        (GAME | {"claims": []}, "unknown key 'claims'; known are rules, house_rules, players, "),
        (PAIR, "'rounds' is missing"),
        ({"rules": "pressman", "rounds": []}, "'players' is missing"),
        (PAIR | {"players": "AB", "rounds": []}, "players: expected a list of names, got a text"),
        (PAIR | {"players": ["A", None], "rounds": []}, "players[1]: expected a name, got null"),
        (PAIR | {"rounds": -1}, "rounds: expected a list of rounds, got a number"),
        (PAIR | {"rounds": []}, "there is no round to score"),
        (PAIR | {"rounds": [7]}, 'rounds[0]: expected an object such as {"hands": ...}, got a n'),
        (PAIR | {"rounds": [{"out": "A"}]}, "rounds[0].hands: expected an object of players and "),
        (PAIR | {"rounds": [OUT | {"out": ["A", "B"]}]}, "rounds[0].out: expected the name of a "),
        (PAIR | {"rounds": [OUT | {"end": 1}]}, "rounds[0]: unknown key 'end'; known are hands, "),
        (PAIR | {"rounds": [OUT | {"pool_exhausted": 1}]}, "rounds[0].pool_exhausted: expected "),
        (PAIR | {"rounds": [{"hands": {"B": "K1"}}]}, "rounds[0].hands.B: expected a list of t"),
        (PAIR | {"rounds": [{"hands": {"B": [1]}}]}, "rounds[0].hands.B[0]: expected a tile such"),
        (PAIR | {"rounds": [{"hands": {"B": ["K14"]}}]}, "rounds[0].hands.B[0]: expected a tile"),
        (PAIR | {"rounds": [OUT | {"out": "C"}]}, "round 1: there is no player 'C'; there are: A"),
        (PAIR | {"rounds": [OUT, {"hands": {"A": [], "B": []}}]}, "round 2: A and B hold nothing"),
        (PAIR | {"rounds": [{"hands": {"B": ["KS"]}, "out": "A"}]}, "round 1: KS is a card, and "),
        (PAIR | {"rounds": [{"hands": {"B": ["K1"] * 3}, "out": "A"}]}, "round 1: K1 (black 1) c"),
        (PAIR | {"rounds": [{"games": [OUT]}]}, "rounds[0]: unknown key 'games'"),
        (CLAIMS | {"rounds": []}, "unknown key 'rounds'"),
        (CLAIMS, "'claims' is missing"),
        (CLAIMS | {"claims": [{"melds": []}]}, "claims[0].player: expected the name of a player"),
        (CLAIMS | {"claims": [{"player": "A"}]}, "'claims[0].melds' is missing"),
        (CLAIMS | {"claims": [{"player": "A", "melds": [[]]}]}, "claims[0].melds[0]: a meld holds"),
        (CLAIMS | {"claims": [{"player": "A", "melds": [["K1"]]}]}, "claim 1: K1 is no set: "),
        (CLAIMS | {"claims": [], "ended": "late"}, "ended: expected one of 200, rack_empty, bloc"),
        (CLAIMS | {"claims": [], "ended": 200}, "ended: expected one of 200, rack_empty, blocked"),
    ],
)
def test_a_bad_line_is_answered_in_its_place_and_the_others_are_scored(
    bad: object, message: str
) -> None:
    result = score(GAME, "", bad, GAME)
    assert result.exit_code == 1
    first, error, last = map(json.loads, result.stdout.splitlines())
    assert first == last == sheet(GAME)
    assert error["line"] == 3
    assert error["error"].startswith(message)
    assert result.stderr == f"meldwatch: line 3: {error['error']}\n"


def test_a_tournament_given_as_plain_rounds_is_refused() -> None:
    result = score(PAIR | {"rules": "pressman-tournament", "rounds": [OUT]})
    assert json.loads(result.stdout)["error"] == "rounds[0]: unknown key 'hands'; known are games"


def test_a_line_that_is_no_text_is_answered_too() -> None:
    result = CliRunner().invoke(main, ["score"], input=b"\xff\xfe\n")
    assert json.loads(result.stdout) == {"error": "is not UTF-8 text", "line": 1}


def test_games_are_read_from_files(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text(json.dumps(GAME) + "\n")
    result = CliRunner().invoke(main, ["score", str(tmp_path / "games.jsonl")])
    assert json.loads(result.stdout)["winners"] == ["A"]


# The documents


def test_the_example_of_the_command_line_runs() -> None:
    text = (ROOT / "docs/command-line.md").read_text("utf-8")
    example = re.search(r"^echo (.*) \| \./meldwatch score$", text, re.MULTILINE)
    assert example
    (line,) = shlex.split(example[1])
    assert sheet(json.loads(line))["totals"] == {"Ann": 37, "Bo": -37}


def test_the_example_of_the_help_runs() -> None:
    shown = CliRunner().invoke(main, ["score", "--help"]).output
    example = re.search(r"echo '(.*?)' \| tr", shown, re.DOTALL)
    assert example
    assert sheet(example[1].replace("\n", ""))["winners"] == ["Ann"]


def test_the_example_of_scoring_does_what_it_asserts() -> None:
    text = (ROOT / "docs/scoring.md").read_text("utf-8")
    code = re.search(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert code
    exec(compile(code[1], "docs/scoring.md", "exec"), {})  # noqa: S102 - our own


def test_every_rule_that_scoring_names_is_in_the_catalogue() -> None:
    """In docs/scoring.md and in the code."""
    files = [ROOT / "docs/scoring.md", *sorted((ROOT / "engine/scoring").glob("*.py"))]
    for path in files:
        for rule in re.findall(r"\b(?:RS|R2|SB|SR|PR|PT|G|AMB)-\d\d\b", path.read_text("utf-8")):
            assert quotation(rule), f"{path.name} names {rule}"
