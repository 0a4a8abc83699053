"""The smallest repair: at most three moves that mend a set and break nothing."""

from __future__ import annotations

import pytest

from engine.layout import parse_layout
from engine.referee import Turn, judge
from engine.ruleset import load_ruleset
from engine.turns import parse_turn

PRESSMAN = load_ruleset("pressman")


# fmt: off
REPAIRS = [
    # a tile that has a place on the table
    ("B4 B5 B6 | R1 R2 R3 B7", None, "move blue 7 from set 2 to set 1"),
    ("B4 B5 B6 | B7", None, "move blue 7 to set 1"),
    # a tile that fell out of its set
    ("B4 B6 B7 | B5 K5 R5 O5", None, "move blue 5 from set 2 to set 1"),
    ("R4 R5 | R6 R7 R8 R9", None, "join set 1 and set 2: R4 R5 R6 R7 R8 R9"),
    # a set to part or to put in order
    ("K1 K2 K3 B4 B5 B6", None, "part set 1 after black 3"),
    # what came from the rack goes back to it
    ("K1 K2 K3 O9", "K1 K2 K3", "put back orange 9"),
    ("K1 K2 K3 O9 R7", "K1 K2 K3", "put back orange 9, red 7"),
    # alone, a tile can only be taken away
    ("K1 K2 K3 | O9", None, "take away orange 9"),
]
# fmt: on


@pytest.mark.parametrize(("after", "before", "repair"), REPAIRS)
def test_the_smallest_repair(after: str, before: str | None, repair: str) -> None:
    turn = Turn(None if before is None else parse_layout(before), parse_layout(after), opened=True)
    found = [finding.repair for finding in judge(turn, PRESSMAN).findings]
    assert repair in found


# fmt: off
TAKEN_BACK = [
    # every set is legal and the play is not: what to take back
    ("reset-freeze", "R5 J R7", "R4 R5 J R7", "R4 > -", "put back red 4"),
    ("reset-freeze", "R5 J R7 | K1 K2 K3", "R4 R5 J R7 | K1 K2 K3 K4", "R4 K4 > -", "put back red 4"),
    ("sets-and-runs", "9S 9H 9D", "9S 9H 9D 9C", "? > ?", "take back 9 of clubs"),
    # a whole play taken back: the player draws instead
    ("reset", "K1 K2 K3", "K1 K2 K3 | R9 R10", "R9 R10 O1 > O1", "put back red 9, red 10"),
    ("pressman", "K1 K2 K3", "K1 K2 K3 | R9 R10", "R9 R10 O1 > O1", "put back red 9, red 10"),
]
# fmt: on


@pytest.mark.parametrize(("preset", "before", "after", "rack", "repair"), TAKEN_BACK)
def test_what_to_take_back(preset: str, before: str, after: str, rack: str, repair: str) -> None:
    opened = "no" if preset == "sets-and-runs" else "yes"
    turn = parse_turn(
        f"turn/1 {preset}; before: {before}; after: {after}; rack: {rack}; opened: {opened}; elapsed: ?"
    )
    findings = judge(turn.turn, load_ruleset(preset)).findings
    assert [finding.repair for finding in findings] == [repair]


def test_a_run_is_put_in_order() -> None:
    rules = load_ruleset("pressman", {"run.order": "laid"})
    (finding,) = judge(Turn(None, parse_layout("K7 K9 K8")), rules).findings
    assert finding.repair == "lay set 1 in order: K7 K8 K9"


def test_no_repair_is_said_when_none_is_short() -> None:
    turn = Turn(
        parse_layout("K1 K5 R9 | B2 B7 O4 R1"), parse_layout("K1 K5 R9 | B2 B7 O4 R1"), opened=True
    )
    assert {finding.repair for finding in judge(turn, PRESSMAN).findings} == {None}


def test_a_table_of_loose_tiles_is_told_without_repairs() -> None:
    table = parse_layout(" | ".join(f"{colour}{number}" for colour in "KBRO" for number in (1, 5)))
    assert {finding.repair for finding in judge(Turn(None, table), PRESSMAN).findings} == {None}


def test_a_repair_takes_nothing_from_the_table_to_the_rack() -> None:
    """The orange 9 lay there before, so it may not be put back (G-03)."""
    turn = Turn(parse_layout("K1 K2 K3 | O9"), parse_layout("K1 K2 K3 | O9 O10"), opened=True)
    (finding,) = judge(turn, PRESSMAN).findings
    assert finding.code == "SET_TOO_SHORT"
    assert finding.repair is None
