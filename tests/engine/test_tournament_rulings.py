"""Turns by Pressman's tournament rules, where they differ from the rules they are laid over."""

from __future__ import annotations

import pytest

from engine.faults import Ruling
from engine.referee import Verdict, judge
from engine.ruleset import load_ruleset
from engine.turns import parse_turn


def ruled(before: str, after: str, rack: str, elapsed: str = "?", rules: str = "") -> Ruling:
    turn = parse_turn(
        f"turn/1 {rules or 'pressman-tournament'}; before: {before}; after: {after}; rack: {rack}; "
        f"opened: yes; elapsed: {elapsed}"
    )
    return judge(turn.turn, load_ruleset(turn.preset, turn.house_rules))


def told(ruling: Ruling) -> list[str]:
    return [f"{finding.code} {finding.rule}" for finding in ruling.findings]


# fmt: off
TURNS = [
    # PT-03: added to, but not split apart, unless the joker is replaced
    ("R5 J R7", "R4 R5 J R7", "R4 > -", []),
    ("R5 B5 J", "R5 B5 J K5", "K5 > -", []),
    ("R5 R6 R7 J R9 R10", "R5 R6 R7 | J R9 R10 R11", "R11 > -", ["JOKER_FROZEN PT-03"]),
    ("R5 J R7", "R5 R6 R7 | B3 J K3", "R6 B3 K3 > -", []),
    # AMB-15: taking away an end tile is manipulating, too
    ("R4 R5 J R7", "R5 J R7 | R4 B4 K4", "B4 K4 > -", ["JOKER_FROZEN PT-03"]),
    # the rules it is laid over hold: PR-07, PR-18, PR-20
    ("R5 R6 R7", "R5 R6 R7 R9", "R9 > -", ["RUN_GAP PR-07"]),
    ("R5 J R7 | K8 K9 K10", "R5 R6 R7 | K8 K9 K10 J", "R6 > -", ["JOKER_NOT_REUSED PR-20"]),
    # PR-11 and PR-16: a draw, or three tiles
    ("R5 R6 R7", "R5 R6 R7", "K1 > K1 B2", []),
    ("R5 R6 R7", "R5 R6 R7", "K1 > K1 B2 B3 B4", []),
]
# fmt: on


@pytest.mark.parametrize(("before", "after", "rack", "expected"), TURNS)
def test_a_turn(before: str, after: str, rack: str, expected: list[str]) -> None:
    assert told(ruled(before, after, rack)) == expected


def test_a_minute_and_three_tiles() -> None:
    """PT-02."""
    late = ruled("R5 R6 R7", "R5 R6 R7 R8", "R8 > -", "61")
    assert told(late) == ["TIME_OVER PT-02"]
    assert late.findings[0].repair == "put the table back as it was and draw 3 tiles"
    assert not told(ruled("R5 R6 R7", "R5 R6 R7 R8", "R8 > -", "60"))
    assert not told(ruled("R5 R6 R7", "R5 R6 R7 R8", "R8 > -", "61", "pressman"))


def test_what_the_tournament_leaves_alone_is_the_same_game() -> None:
    tournament, pressman = load_ruleset("pressman-tournament"), load_ruleset("pressman")
    assert tournament.opening == pressman.opening
    assert tournament.run == pressman.run
    assert tournament.joker != pressman.joker
    assert tournament.tournament is not None
    assert (tournament.tournament.rounds, tournament.tournament.games) == (3, 4)
    assert "score.target" not in tournament.switches


def test_the_split_is_legal_where_nothing_freezes() -> None:
    split = ("R5 R6 R7 J R9 R10", "R5 R6 R7 | J R9 R10 R11", "R11 > -")
    assert ruled(*split, rules="pressman").verdict is Verdict.LEGAL
