"""The smallest repair of a turn, on tables where sets lie apart: which it is, and how it is told."""

from __future__ import annotations

import pytest

from engine.layout import parse_layout
from engine.referee import Turn, judge
from engine.repairs import find_repair
from engine.ruleset import load_ruleset
from engine.turns import parse_turn
from engine.worlds import worlds_of

PRESSMAN = load_ruleset("pressman")


# fmt: off
REPAIRS = [
    # a tile that has a place on the table
    ("B4 B5 B6 | R1 R2 R3 B7", None, "move blue 7 from set 2 to set 1"),
    ("B4 B5 B6 | B7", None, "move blue 7 to set 1"),
    # a tile that fell out of its set
    ("B4 B6 B7 | B5 K5 R5 O5", None, "move blue 5 from set 2 to set 1"),
    # sets that belong together, or apart
    ("R4 R5 | R6 R7 R8", None, "join set 1 and set 2: red 4 to red 8"),
    ("K1 K2 K3 B4 B5 B6", None, "part set 1 after black 3"),
    ("K1 B4 K2 B5 K3 B6", None,
     "part set 1 into black 1, black 2 and black 3; and blue 4, blue 5 and blue 6"),
    ("K1 K2 K3 B4 B5 B6 R7 B7 K7", None,
     ("part set 1 into black 1, black 2 and black 3; black 7, blue 7 and red 7; and blue 4, blue 5 and "
     "blue 6")),
    # what came from the rack goes back to it, as few tiles as can be
    ("K1 K2 K3 O9", "K1 K2 K3", "put back orange 9"),
    ("K1 K2 K3 O9 R7", "K1 K2 K3", "put back red 7 and orange 9"),
    ("K1 K2 K3 | K4 K5 O9", "K1 K2 K3", "join set 2 and set 1, put back orange 9"),
    ("K1 K2 K3 K4 | K5 B5 O5 K1", "K1 K2 K3", "put back black 1 from set 2"),
    # several sets in one go
    ("K1 K2 K4 | B5 B6 B8 | K3 R3 O3 B3 | B7 R7 O7 K7", None,
     "move black 3 from set 3 to set 1, move blue 7 from set 4 to set 2"),
    ("K1 K2 B3 | B1 B2 K3", None, "move blue 3 from set 1 to set 2, move black 3 from set 2 to set 1"),
    # a set that was not there before
    ("R1 R2 R3 K9 | B4 B5 B6 R9 | O10 O11 O12 B9 | K1 K2 K3",
     "R1 R2 R3 | B4 B5 B6 | O10 O11 O12 | K9 R9 B9",
     "make a new set of black 9 from set 1, red 9 from set 2 and blue 9 from set 3"),
    # alone, a tile can only be taken away
    ("K1 K2 K3 | O9", None, "take away orange 9"),
]
# fmt: on


@pytest.mark.parametrize(("after", "before", "repair"), REPAIRS)
def test_the_smallest_repair(after: str, before: str | None, repair: str) -> None:
    turn = Turn(None if before is None else parse_layout(before), parse_layout(after), opened=True)
    assert {finding.repair for finding in judge(turn, PRESSMAN).findings} == {repair}


# fmt: off
PLAYS = [
    # every set is legal and the play is not: what to take back
    ("reset-freeze", "R5 J R7", "R4 R5 J R7", "R4 > -", "put back red 4"),
    ("reset-freeze", "R5 J R7 | K1 K2 K3", "R4 R5 J R7 | K1 K2 K3 K4", "R4 K4 > -", "put back red 4"),
    ("sets-and-runs", "9S 9H 9D", "9S 9H 9D 9C", "? > ?", "take back the 9 of clubs"),
    # a whole play taken back: the player draws instead
    ("reset", "K1 K2 K3", "K1 K2 K3 | R9 R10", "R9 R10 O1 > O1", "put back red 9 and red 10"),
    # a joker in a run is told with its place
    ("pressman", "R5 J R7 | K8 K9 K10", "R5 R7 | K8 K9 K10 J", "? > ?",
     "move the joker from set 2 to set 1 (red 5, joker and red 7)"),
    # what vanished comes back to where it helps
    ("pressman", "K1 K2 K3 K4 | B9 B10 B11", "K1 K3 K4 | B9 B10 B11 B12", "B12 > -",
     "put black 2 back, in set 1"),
    # moves on the table, the rack and the pool at once
    ("pressman", "K1 K2 K3", "K1 K2 K3 O9 | K4 K5 K6", "K4 K5 K6 O9 > R1",
     "put back orange 9, put red 1 back into the pool"),
    # a tile that came from nowhere is no rack tile
    ("pressman", "K1 K2 K3", "K1 K2 K3 O9", "R1 > R1", "take away orange 9"),
]
# fmt: on


@pytest.mark.parametrize(("preset", "before", "after", "rack", "repair"), PLAYS)
def test_what_to_take_back(preset: str, before: str, after: str, rack: str, repair: str) -> None:
    opened = "no" if preset == "sets-and-runs" else "yes"
    recorded = parse_turn(
        f"turn/1 {preset}; before: {before}; after: {after}; rack: {rack}; opened: {opened}; elapsed: ?"
    )
    findings = judge(recorded.turn, load_ruleset(preset)).findings
    assert {finding.repair for finding in findings} == {repair}


def test_tiles_stay_on_the_table_where_they_can() -> None:
    """Putting the red 5 back would do, too."""
    turn = Turn(parse_layout("R3 R4 R5 R6 R7"), parse_layout("R3 R4 R5 R5 R6 R7"), opened=True)
    (finding,) = judge(turn, PRESSMAN).findings
    assert finding.repair == "part set 1 after red 5"


def test_no_repair_is_said_when_none_is_short() -> None:
    table = parse_layout("K1 K5 R9 | B2 B7 O4 R1")
    assert {f.repair for f in judge(Turn(table, table, opened=True), PRESSMAN).findings} == {None}


def test_a_table_of_loose_tiles_is_told_without_repairs() -> None:
    table = parse_layout(" | ".join(f"{colour}{number}" for colour in "KBRO" for number in (1, 5)))
    assert {finding.repair for finding in judge(Turn(None, table), PRESSMAN).findings} == {None}


def test_a_repair_takes_nothing_from_the_table_to_the_rack() -> None:
    """The orange 9 lay there before, so it may not be put back (G-03)."""
    turn = Turn(parse_layout("K1 K2 K3 | O9"), parse_layout("K1 K2 K3 | O9 O10"), opened=True)
    (finding,) = judge(turn, PRESSMAN).findings
    assert finding.code == "SET_TOO_SHORT"
    assert finding.repair is None


def test_a_repair_lays_nothing_from_the_rack() -> None:
    """The orange 11 would make it a run; what to play is for the player to find."""
    turn = parse_turn(
        "turn/1 pressman; before: K1 K2 K3; after: K1 K2 K3 | O9 O10; rack: O9 O10 O11 > O11; "
        "opened: yes; elapsed: ?"
    ).turn
    assert {f.repair for f in judge(turn, PRESSMAN).findings} == {"put back orange 9 and orange 10"}


def test_what_is_not_known_stays_open() -> None:
    """Whether the player had opened decides whether the black 4 may lie there; the orange 9 may not in
    any case. So the repair is for that, and the question is asked after it."""
    turn = parse_turn(
        "turn/1 pressman; before: K1 K2 K3; after: K1 K2 K3 K4 | O9; rack: K4 O9 > -; opened: ?; "
        "elapsed: ?"
    ).turn
    assert [finding.repair for finding in judge(turn, PRESSMAN).findings] == ["put back orange 9"]
    repair = find_repair(turn, worlds_of(turn, PRESSMAN))
    assert repair is not None
    assert judge(repair.turn, PRESSMAN).verdict.value == "LEGAL"


@pytest.mark.parametrize("opened", [True, False])
def test_what_was_let_stand_needs_no_mending(*, opened: bool) -> None:
    """Nobody is told to lay in order what lies as everybody let it lie."""
    before = parse_layout("K1 B1 R1 | K12 K13 K1 K2")
    after = parse_layout("K1 B1 R1 | O11 O12 O13 K9 | K12 K13 K1 K2")
    turn = Turn(before, after, opened=opened, let_stand=(before.melds[1],))
    ruling = judge(turn, load_ruleset("reset"))
    assert {finding.repair for finding in ruling.findings} == {"put back black 9"}
