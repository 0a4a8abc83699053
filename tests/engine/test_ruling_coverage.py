"""That every rule of the documents is shown: by a turn in the tables of `rulings/`, or by a game.

A rule that a turn can break has a row that breaks it, or one that cites it. What only a game shows is
listed here with the file of its tests.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.ruleset import quotations, settled
from tests.engine.ruling_tables import Row, load_tables, ruled

HERE = Path(__file__).parent
TABLES = load_tables()

SHOWN_BY_GAMES = {
    "game/test_game_of_each_document.py": (
        "RS-01 RS-04 RS-24 R2-04 R2-05 R2-07 R2-08 R2-33 SB-02 SB-03 SB-06 SR-01 PR-05 PR-13 PT-01 "
        "AMB-02"
    ),
    "game/test_game_start.py": "R2-02 R2-03 SB-04 SB-05 PR-03 PR-04 AMB-05 AMB-06",
    "game/test_game_turns.py": "G-09 AMB-28 AMB-29",
    "game/test_game_rounds.py": (
        "RS-06 RS-07 RS-25 RS-26 RS-27 PR-23 PR-24 PR-25 PR-26 PT-04 AMB-30 AMB-31 AMB-32 AMB-33 AMB-36"
    ),
    "game/test_game_failures.py": "AMB-21 AMB-24 AMB-26 AMB-27 AMB-50",
    "game/test_game_claims.py": "R2-01 R2-09 R2-32 AMB-34 AMB-35",
    "game/test_cards_turns.py": "SR-03 SR-04 SR-05 SR-06 SR-27 AMB-48",
    "game/test_cards_pile.py": "SR-24 SR-25 SR-26 SR-28 AMB-45 AMB-46",
    "game/test_cards_hands.py": "SR-19 SR-29",
    "test_scoring.py": "SB-15 SB-23 SB-24 PR-27",
    "test_scoring_claims.py": "R2-10",
    "test_ruleset.py": "PR-02 AMB-01",
}
"""By file: rules about players, deals, the order of turns, scores, ends and what is agreed."""

NOTHING_TO_SHOW = "RS-03 RS-05 RS-23 SB-07 SB-21 SR-12 G-05 AMB-03 AMB-49"
"""What asks nothing of a game; engine/rules/settled.toml says of each why."""

RACK_IN_SIGHT = "RS-08 RS-15 RS-16 SR-17 SR-23 G-08 AMB-18"
"""Rules that can be broken only where a rack is in sight."""


def shown_by_turns() -> set[str]:
    """The rules that some row breaks or asks for, those it is told as, and those nothing can break."""
    found = {rule for table in TABLES for row in table.rows for _, rule in row.cited}
    for table in TABLES:
        for section in table.sections:
            if section.never_broken or any(row.verdict != "LEGAL" for row in section.rows):
                found.add(section.rule)
    return found


def shown_by_games() -> dict[str, str]:
    return {rule: file for file, rules in SHOWN_BY_GAMES.items() for rule in rules.split()}


def test_every_rule_is_shown_by_a_turn_or_by_a_game() -> None:
    """No rule of the engine's documents is in neither, and none is listed that a turn shows."""
    turns, games, nothing = shown_by_turns(), shown_by_games(), set(NOTHING_TO_SHOW.split())
    assert set(quotations()) - turns - set(games) - nothing == set()
    assert nothing & (turns | set(games)) == set()
    assert turns & set(games) == set()
    assert turns | set(games) | nothing <= set(quotations())


def test_what_shows_nothing_is_settled() -> None:
    assert set(NOTHING_TO_SHOW.split()) <= set(settled())


@pytest.mark.parametrize("rule", sorted(shown_by_games()))
def test_the_file_that_shows_a_rule_cites_it(rule: str) -> None:
    """In one of its tests, or in a table of them."""
    text = (HERE / shown_by_games()[rule]).read_text("utf-8")
    tests = [
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert tests
    assert re.search(rf"\b{rule}\b", text)


OF_RACKS = [
    pytest.param(row, rule, id=f"{rule}-{number}")
    for rule in RACK_IN_SIGHT.split()
    for number, row in enumerate(
        row for table in TABLES for row in table.rows if rule in {cited for _, cited in row.cited}
    )
]


@pytest.mark.parametrize(("row", "rule"), OF_RACKS)
def test_nobody_breaks_a_rule_about_racks_that_nobody_sees(row: Row, rule: str) -> None:
    """The same turn without its racks is not ruled against by that rule."""
    unseen = replace(row.turn.turn, rack_before=None, rack_after=None)
    ruling = ruled(replace(row.turn, turn=unseen))
    assert rule not in {item.rule for item in (*ruling.findings, *ruling.advice)}


def test_every_rule_about_racks_has_rows() -> None:
    assert {param.values[1] for param in OF_RACKS} == set(RACK_IN_SIGHT.split())
