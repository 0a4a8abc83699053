"""Turns of Original Rummikub, the Sabra way: a row for each sentence of its rules."""

from __future__ import annotations

import pytest

from engine.faults import Ruling
from engine.referee import Verdict, judge
from engine.ruleset import load_ruleset, quotation
from engine.turns import parse_turn

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK
THIRTY = "R10 B10 K10"


def ruled(
    before: str,
    after: str,
    rack: str = "? > ?",
    opened: str = "yes",
    more: str = "",
    house: str = "",
) -> Ruling:
    """The ruling on a turn in the notation."""
    chosen = f"house: {house}; " if house else ""
    turn = parse_turn(
        f"turn/1 sabra; {chosen}before: {before}; after: {after}; rack: {rack}; opened: {opened}; "
        f"elapsed: {more or '?'}"
    )
    return judge(turn.turn, load_ruleset("sabra", turn.house_rules))


def told(ruling: Ruling) -> list[str]:
    """Each finding as code and rule."""
    return [f"{finding.code} {finding.rule}" for finding in ruling.findings]


# fmt: off
SETS = [
    # SB-08: runs of at least three of one colour, groups of three or four colours
    ("K7 B7 R7", LEGAL, []),
    ("K7 B7 R7 O7", LEGAL, []),
    ("K7 K8 K9", LEGAL, []),
    ("K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13", LEGAL, []),
    ("K7 J K9", LEGAL, []),
    ("K7 K8", ILLEGAL, ["SET_TOO_SHORT SB-08"]),
    ("K7 K7 R7", ILLEGAL, ["GROUP_COLOUR_TWICE SB-08"]),
    ("K7 B7 R7 O7 J", ILLEGAL, ["GROUP_TOO_LONG SB-08"]),
    ("K7 B7 R8", ILLEGAL, ["GROUP_NUMBERS_DIFFER SB-08"]),
    ("K7 K8 B9", ILLEGAL, ["RUN_COLOURS_DIFFER SB-08"]),
    ("K7 K8 K8", ILLEGAL, ["RUN_NUMBER_TWICE SB-08"]),
    ("K7 K9 K10", ILLEGAL, ["RUN_GAP SB-08"]),
    ("K7", ILLEGAL, ["LOOSE_TILE SB-08"]),
    ("J J", ILLEGAL, ["NO_NATURAL_TILE G-06", "SET_TOO_SHORT SB-08"]),
    ("K7 K8 K9 | K7 B7 R7 | K7 B7 O7", ILLEGAL, ["TOO_MANY_COPIES G-04"]),
    # SB-09: nothing is said of 1 after 13; nobody allows 13 1 2 (AMB-04)
    ("R12 R13 R1", ASK, []),
    ("R1 R13 R12", ASK, []),
    ("R13 R1 R2", ILLEGAL, ["RUN_WRAPS SB-08"]),
    ("R13 R1 R3", ILLEGAL, ["RUN_WRAPS SB-08"]),
    # all findings at once
    ("K7 | B3 B3 R3 | O4 O5 O7", ILLEGAL,
     ["LOOSE_TILE SB-08", "GROUP_COLOUR_TWICE SB-08", "RUN_GAP SB-08"]),
]
# fmt: on


@pytest.mark.parametrize(("table", "verdict", "expected"), SETS)
def test_a_table_by_itself(table: str, verdict: Verdict, expected: list[str]) -> None:
    ruling = ruled("?", table)
    assert ruling.verdict is verdict
    assert told(ruling) == expected


# fmt: off
OPENINGS = [
    # SB-10: a group, a run or any combination of at least 30; SB-12: the joker as the tile of its place
    ("-", THIRTY, LEGAL, []),
    ("-", "R10 B10 J", LEGAL, []),
    ("-", "R1 R2 R3 | O8 B8 K8", LEGAL, []),
    ("-", "O8 B8 K8", ILLEGAL, ["OPENING_SHORT SB-10"]),
    ("-", "R8 J R10", ILLEGAL, ["OPENING_SHORT SB-10"]),
    # SB-13: adding to melds on the table comes once the initial meld is made
    ("R7 B7 K7", "R7 B7 K7 O7", ILLEGAL, ["OPENING_SHORT SB-10", "OPENING_SOURCE SB-13"]),
    # AMB-09: in the same turn is for the table to say
    ("R7 B7 K7", f"R7 B7 K7 O7 | {THIRTY}", ASK, []),
    # SB-27: every player makes one, not only the first
    ("K1 K2 K3", "K1 K2 K3 | O8 B8 K8", ILLEGAL, ["OPENING_SHORT SB-10"]),
]
# fmt: on


@pytest.mark.parametrize(("before", "after", "verdict", "expected"), OPENINGS)
def test_an_initial_meld(before: str, after: str, verdict: Verdict, expected: list[str]) -> None:
    ruling = ruled(before, after, opened="no")
    assert ruling.verdict is verdict
    assert told(ruling) == expected


# fmt: off
TURNS = [
    # SB-14: the four manipulations and the example of several melds (TV-13 to TV-17)
    ("B4 B5 B6", "B4 B5 B6 B7", "B7 > -", LEGAL, []),
    ("K10 R10 B10", "K10 R10 B10 O10", "O10 > -", LEGAL, []),
    ("B8 B9 B10", "B9 B10 B11 | B8 K8 O8", "B11 K8 O8 > -", LEGAL, []),
    ("R4 R5 R6 R7 R8", "R4 R5 R6 | R6 R7 R8", "R6 > -", LEGAL, []),
    ("O1 O2 O3 O4 | O1 R1 B1 K1", "O2 O3 O4 | O1 B1 K1 | R1 O1 B1", "B1 > -", LEGAL, []),
    ("O5 O6 O7 | R5 R6 R7 | K5 K6 K7 K8 K9",
     "O5 R5 K5 B5 | O6 R6 K6 | O7 R7 K7 | K8 K9 K10", "K10 B5 > -", LEGAL, []),
    # SB-11: one tile from the pool, and the next player's turn
    ("R3 R4 R5", "R3 R4 R5", "K1 > K1 K2", LEGAL, []),
    ("R3 R4 R5", "R3 R4 R5 R6", "R6 > K2", ILLEGAL, ["DRAW_THEN_PLAY SB-11"]),
    # SB-22: an unsuccessful manipulation draws three
    ("R3 R4 R5", "R3 R4 R5", "K1 > K1 K2 K3 K4", LEGAL, []),
    ("R3 R4 R5", "R3 R4 R5", "K1 > K1 K2 K3", ILLEGAL, ["RACK_COUNT G-08"]),
    # SB-16: the joker for the missing tile, from the rack; SB-18: used in the same turn, in any set
    ("R5 J R7", "R5 R6 R7 | J O8 O9", "R6 O8 O9 > -", LEGAL, []),
    ("R5 J R7 | K8 K9 K10", "R5 R6 R7 | K8 K9 K10 J", "R6 > -", LEGAL, []),
    ("R5 J R7 | R6 B6 K6 O6", "R5 R6 R7 | B6 K6 O6 | B3 J K3", "B3 K3 > -", ILLEGAL,
     ["JOKER_REPLACED_FROM_TABLE SB-16"]),
    ("B3 B4 B5 J", "B3 B4 B5 | J R8 R9", "R8 R9 > -", ILLEGAL, ["JOKER_NOT_REPLACED SB-16"]),
    ("R5 J R7", "R5 R6 R7", "R6 K1 > K1 J", ILLEGAL, ["TABLE_TILE_TO_RACK SB-18"]),
    # SB-17: both missing colours, for a group of three (TV-21)
    ("R5 J B5", "R5 K5 B5 | J O8 O9", "K5 O8 O9 > -", ILLEGAL, ["JOKER_NOT_REPLACED SB-17"]),
    ("R5 J B5", "R5 K5 B5 O5 | J O8 O9", "K5 O5 O8 O9 > -", LEGAL, []),
    ("R5 J B5 K5", "R5 O5 B5 K5 | J O8 O9", "O5 O8 O9 > -", LEGAL, []),
    # AMB-13: with x J J all three missing colours free both, fewer free none
    ("B5 J J", "B5 K5 O5 R5 | J J O8 O9", "K5 O5 R5 O8 O9 > -", LEGAL, []),
    ("B5 J J", "B5 K5 O5 | J J O8 O9", "K5 O5 O8 O9 > -", ILLEGAL, ["JOKER_NOT_REPLACED SB-17"]),
    # SB-19: a meld with a joker may not be manipulated: nothing is taken away or split off
    ("R5 R6 R7 J R9 R10", "R5 R6 R7 | J R9 R10 R11", "R11 > -", ILLEGAL, ["JOKER_FROZEN SB-19"]),
    ("R5 B5 J K5", "R5 B5 J | K5 K6 K7", "K6 K7 > -", ILLEGAL, ["JOKER_FROZEN SB-19"]),
    # ... and whether adding is manipulating is for the table to say (AMB-15)
    ("R5 J R7", "R4 R5 J R7", "R4 > -", ASK, []),
    ("R5 B5 J", "R5 B5 J K5", "K5 > -", ASK, []),
    ("R5 R6 J", "R5 R6 R7 J", "R7 > -", ASK, []),
    # what every referee needs
    ("R7 B7 K7", "R7 B7 O7", "O7 K1 > K1", ILLEGAL, ["TILE_CONSERVATION G-01"]),
    ("R3 R4 R5 R6 R7 R8", "R3 R4 R5 | R6 R7 R8", "K1 > K1", ILLEGAL, ["NO_RACK_TILE G-02"]),
    ("R3 R4 R5 R6", "R3 R4 R5", "K1 > K1 R6", ILLEGAL,
     ["TABLE_TILE_TO_RACK G-03", "NO_RACK_TILE G-02"]),
]
# fmt: on


@pytest.mark.parametrize(("before", "after", "rack", "verdict", "expected"), TURNS)
def test_a_turn(before: str, after: str, rack: str, verdict: Verdict, expected: list[str]) -> None:
    ruling = ruled(before, after, rack)
    assert (ruling.verdict, told(ruling)) == (verdict, expected)


@pytest.mark.parametrize("after", ["R4 R5 J R7", "R5 J R7 R8"])
def test_adding_to_a_joker_s_meld_is_asked_once(after: str) -> None:
    """AMB-15: only the two readings of "manipulated" are offered; a table may still choose any."""
    rack = "R4 R8 > " + ("R8" if "R4" in after else "R4")
    asked = ruled("R5 J R7", after, rack)
    assert [(q.rule, q.options) for q in asked.questions] == [
        ("joker.freeze", ("no_split", "full"))
    ]
    assert asked.questions[0].text.startswith("Set 1 of the table before was changed")
    assert told(ruled("R5 J R7", after, rack, house="joker.freeze=full")) == ["JOKER_FROZEN SB-19"]
    for value in ("no_split", "none"):
        assert ruled("R5 J R7", after, rack, house=f"joker.freeze={value}").verdict is LEGAL


def test_a_high_one_is_asked_once() -> None:
    """AMB-04, where the document says nothing."""
    asked = ruled("?", "R12 R13 R1")
    assert [(q.rule, q.options) for q in asked.questions] == [("run.wrap", ("none", "high_or_low"))]
    assert told(ruled("?", "R12 R13 R1", house="run.wrap=none")) == ["RUN_WRAPS SB-08"]
    assert ruled("?", "R12 R13 R1", house="run.wrap=high_or_low").verdict is LEGAL


def test_the_clock_costs_nothing_on_an_untouched_table() -> None:
    """SB-20 and AMB-23: no tile for the time alone, a misplay's three over a changed table."""
    assert ruled("R3 R4 R5", "R3 R4 R5", "K1 > K1", more="130").verdict is LEGAL
    assert told(ruled("R3 R4 R5", "R3 R4 R5", "K1 > K1", more="110")) == ["NO_RACK_TILE G-02"]
    late = ruled("R3 R4 R5", "R3 R4 R5 R6", "R6 > -", more="130")
    assert told(late) == ["TIME_OVER SB-20"]
    assert late.findings[0].repair == "put the table back as it was and draw 3 tiles"
    assert ruled("R3 R4 R5", "R3 R4 R5 R6", "R6 > -", more="120").verdict is LEGAL


def test_a_joker_is_not_taken_before_the_initial_meld() -> None:
    """SB-13."""
    ruling = ruled("R5 J R7", "R5 R6 R7 | K13 J O13", "R6 K13 O13 > -", "no")
    assert "JOKER_BEFORE_OPENING SB-13" in told(ruling)


def test_rulings_speak_in_the_document_s_own_words() -> None:
    ruling = ruled("R5 J B5", "R5 K5 B5 | J O8 O9", "K5 O8 O9 > -")
    (finding,) = ruling.findings
    assert finding.quote == quotation("SB-17")
    assert "can be replaced only by having both missing colors" in finding.quote
    assert "black 5 and orange 5" in finding.message
    for before, after, rack, _, _ in TURNS:
        for item in ruled(before, after, rack).findings:
            assert item.rule.split("-")[0] in {"SB", "G", "AMB"}
            assert item.quote == quotation(item.rule)
