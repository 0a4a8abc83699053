"""JSON lines of `judge` and `solve` whose answers were worked out by hand from the rules.

A row is what makes the case, as the text of a line, and what has to come of it, with the rule that
says so. Racks and melds are written as in the notation, and parted here into lists of tiles.
"""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from engine.json_line import parse_json_line
from engine.judge_json import ruling_to_json, turn_from_json
from engine.referee import judge
from engine.solve_json import SolveInputError, position_from_json, solved, solved_to_json


def rack(text: str) -> list[str]:
    return text.split()


def table(text: str) -> list[list[str]]:
    return [rack(part) for part in text.split("|")] if text else []


def sent(value: dict[str, Any]) -> Any:
    """What a line of this object is read as."""
    return parse_json_line(json.dumps(value).encode())


SIZES: Final = {"run.least": 4, "group.least": 3, "group.duplicates": "yes"}
"""How many cards sets and runs have, and that a card may be in one twice (AMB-40)."""


def ruling_of(**fields: Any) -> tuple[str, set[str]]:
    """The verdict of a line, and the codes of its findings."""
    turn, rules = turn_from_json(sent(fields))
    told = ruling_to_json(judge(turn, rules, with_repairs=False))
    return told["verdict"], {finding["code"] for finding in told["findings"]}


# --- judge ---------------------------------------------------------------------------------------

OPENINGS: Final = [
    ("pressman", "R10 B10 J", "LEGAL"),  # the joker is a 10: 30 (PR-09)
    ("pressman", "R9 B9 J", "ILLEGAL"),  # 27
    (
        "pressman",
        "R9 J J",
        "ASK",
    ),  # the run 9 10 11 is 30; with two jokers, if one set may (AMB-11)
    ("pressman", "J J R10", "ASK"),  # as it lies 8 9 10, 27; the group would be 30 (AMB-10)
    ("pressman", "R8 J J", "ILLEGAL"),  # 27 at most
    ("pressman", "J K12 K13", "LEGAL"),  # 36
    ("pressman", "K12 K13 K1", "ILLEGAL"),  # 1 is the lowest (PR-07)
    ("pressman", "K1 K2 K3 | B4 B5 B6 | R1 B1 O1 K1", "ILLEGAL"),  # 6 + 15 + 4 = 25
    ("pressman", "K1 K2 K3 | B4 B5 B6 | R1 B1 O1 | O2 O3 O4", "LEGAL"),  # 6 + 15 + 3 + 9 = 33
    ("pressman-tournament", "R9 B9 J", "ILLEGAL"),
    ("sabra", "R5 R6 J R8", "ILLEGAL"),  # 26 (SB-10, SB-12)
    ("sabra", "R6 R7 J R9", "LEGAL"),  # 30
    ("sabra", "K11 K12 K13 K1", "ASK"),  # 37, if 1 follows 13; nothing says so (AMB-04)
    ("sabra", "K12 K13 K1", "ILLEGAL"),  # 26 even then
    ("sabra", "K13 K1 K2", "ILLEGAL"),
    ("reset", "K1 K2 K3", "LEGAL"),  # no points are asked for (RS-29)
    ("reset", "K12 K13 K1", "LEGAL"),  # RS-12
    ("reset", "K13 K1 K2", "ILLEGAL"),
    ("reset", "K13 J K2", "ILLEGAL"),
    ("reset-freeze", "K12 J K1", "LEGAL"),
    ("reset", "QH KH AH", "LEGAL"),  # played with cards as well (RS-02)
]


@pytest.mark.parametrize(("preset", "after", "verdict"), OPENINGS)
def test_first_sets_on_an_empty_table(preset: str, after: str, verdict: str) -> None:
    fields = {"rules": preset, "before": [], "after": table(after), "opened": False}
    if "H" in after:
        fields["house_rules"] = {"equipment.pieces": "cards"}
    assert ruling_of(**fields)[0] == verdict


TURNS: Final = [
    # preset, before, after, what else is known, verdict, a code among the findings
    # a set of the table is built on before the player has opened (PR-08)
    ("pressman", "K4 K5 K6", "K4 K5 K6 K7", {"opened": False}, "ILLEGAL", "OPENING_SOURCE"),
    # table tiles alone (G-02)
    ("pressman", "R4 R5 R6 R7 R8 R9", "R4 R5 R6 | R7 R8 R9", {}, "ILLEGAL", "NO_RACK_TILE"),
    # a joker beside which a place is added (PR-22, PT-03; RS-28; RS-17)
    ("pressman", "R5 R6 J", "R5 R6 J R8", {}, "LEGAL", None),
    ("pressman-tournament", "R5 R6 J", "R5 R6 J R8", {}, "LEGAL", None),
    ("reset", "R5 R6 J", "R5 R6 J R8", {}, "LEGAL", None),
    ("reset-freeze", "R5 R6 J", "R5 R6 J R8", {}, "ILLEGAL", "JOKER_FROZEN"),
    # what is added alone is asked by the Sabra way (AMB-15)
    ("sabra", "R5 R6 J", "R5 R6 J R8", {}, "ASK", None),
    # a tile is taken off a set with a joker (PR-22, PT-03, SB-19)
    ("pressman", "K3 K4 K5 J", "K4 K5 J | K3 R3 B3", {}, "LEGAL", None),
    ("pressman-tournament", "K3 K4 K5 J", "K4 K5 J | K3 R3 B3", {}, "ILLEGAL", "JOKER_FROZEN"),
    # one missing colour for the joker of a group of three (PR-19, SB-17)
    ("pressman", "R5 B5 J", "R5 B5 K5 | J R9 R10", {}, "LEGAL", None),
    ("sabra", "R5 B5 J", "R5 B5 K5 | J R9 R10", {}, "ILLEGAL", "JOKER_NOT_REPLACED"),
    ("sabra", "R5 B5 J", "R5 B5 K5 O5 | J R9 R10", {}, "LEGAL", None),
    # the retrieved joker beside one tile of the rack only (PR-20, RS-20)
    ("reset", "R5 R6 J | R9 B9 O9 K9", "R5 R6 R7 | R9 B9 O9 | K9 J K11", {}, "LEGAL", None),
    # a joker lifted out of what stays a set, for nothing (AMB-16)
    ("reset", "K3 K4 K5 J", "K3 K4 K5 | R3 R4 J", {}, "ILLEGAL", "JOKER_NOT_REPLACED"),
    # the time (PR-15, PT-02): an untouched table, and what is drawn
    ("pressman", "K4 K5 K6", "K4 K5 K6", {"elapsed_s": 121, "drawn": 1}, "LEGAL", None),
    ("pressman", "K4 K5 K6", "K4 K5 K6 K7", {"elapsed_s": 121}, "ILLEGAL", "TIME_OVER"),
    ("pressman", "K4 K5 K6", "K4 K5 K6 K7", {"elapsed_s": 120}, "LEGAL", None),
    ("pressman-tournament", "K4 K5 K6", "K4 K5 K6", {"elapsed_s": 61, "drawn": 3}, "LEGAL", None),
    (
        "pressman-tournament", "K4 K5 K6", "K4 K5 K6", {"elapsed_s": 61, "drawn": 1},
        "ILLEGAL", "RACK_COUNT",
    ),
    # an empty pool: nothing is drawn, and nothing can be played (PR-14)
    ("pressman", "K4 K5 K6", "K4 K5 K6", {"pool_empty": True, "drawn": 0}, "LEGAL", None),
    ("pressman", "K4 K5 K6", "K4 K5 K6", {"drawn": 0}, "ILLEGAL", None),
    # two tiles drawn and one returned (RS-15)
    ("reset", "K4 K5 K6", "K4 K5 K6", {"players": 2, "drawn": 1}, "LEGAL", None),
    ("reset", "K4 K5 K6", "K4 K5 K6", {"players": 3, "drawn": 2}, "ILLEGAL", "RACK_COUNT"),
    # two jokers freed, each in a new set with two tiles of the rack (PR-20), and one of them not
    (
        "pressman", "R5 J R7 | B8 J B10", "R5 R6 R7 | B8 B9 B10 | J K1 K2 | J O4 O5", {},
        "LEGAL", None,
    ),
    (
        "pressman", "K13 J K11 | R1 B1 O1", "K13 K12 K11 | R1 B1 O1 J", {},
        "ILLEGAL", "JOKER_NOT_REUSED",
    ),
    # what freed the joker of a group of four is its last colour, and all four may stay
    ("pressman", "R5 B5 K5 J", "R5 B5 K5 O5 | J O8 O9", {}, "LEGAL", None),
    # a joker that has gone is no bar to splitting its set in the same turn (PT-03, SB-19, RS-28)
    ("sabra", "R4 R5 J R7 R8 R9", "R4 R5 R6 | R7 R8 R9 | J B1 B2", {}, "LEGAL", None),
    ("reset-freeze", "K5 J K7 K8 K9", "K5 K6 K7 | K8 K9 K10 | J O4 O5", {}, "LEGAL", None),
    (
        "pressman-tournament", "K8 B8 J R8", "K8 B8 O8 | J R8 R9 R10", {}, "LEGAL", None,
    ),
    # a tile of another set with a joker is no replacement where that set is frozen
    (
        "reset-freeze", "K5 J K7 | R6 B6 J K6", "K5 K6 K7 | R6 B6 J | J O1 O2", {},
        "ILLEGAL", "JOKER_FROZEN",
    ),
    # that the joker of J and 1 is the 12 below 13 (RS-13), and what replaces it
    ("reset", "R1 J R13", "R1 R12 R13 | J B4 B5", {}, "LEGAL", None),
    # a rack that was seen before the turn alone held no such tile (G-01)
    (
        "pressman", "K4 K5 K6", "K4 K5 K6 K7", {"rack_before": ["R1"]},
        "ILLEGAL", "TILE_CONSERVATION",
    ),
    # the tile that was drawn is there a third time (G-04)
    (
        "pressman", "K7 B7 R7 | K7 R7 O7", "K7 B7 R7 | K7 R7 O7",
        {"rack_before": ["B1"], "rack_after": ["B1", "K7"]}, "ILLEGAL", "TOO_MANY_COPIES",
    ),
    # more of a tile than there is (G-04)
    (
        "pressman", "K7 B7 R7 | K7 B7 O7", "K7 B7 R7 | K7 B7 O7 | K6 K7 K8", {},
        "ILLEGAL", "TOO_MANY_COPIES",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "before", "after", "known", "verdict", "code"), TURNS)
def test_turns(
    preset: str, before: str, after: str, known: dict[str, Any], verdict: str, code: str | None
) -> None:
    fields = {"opened": True} | known
    if "drawn" in fields:
        drawn = rack("O10 B12 R13")[: fields.pop("drawn")]
        fields |= {"rack_before": ["R1"], "rack_after": ["R1", *drawn]}
    found, codes = ruling_of(rules=preset, before=table(before), after=table(after), **fields)
    assert found == verdict
    assert code is None or code in codes


BOARDS: Final = [
    # every line both ways is a set, and a joker one tile in both (AMB-38, R2-25)
    ("K7 J K9 / . B8 . / . R8 .", "LEGAL", None),
    ("K7 J K9 / . B9 . / . R9 .", "ILLEGAL", "JOKER_IN_TWO_LINES"),
    ("R8 B8 J / . . K9 / . . K10", "LEGAL", None),  # black 8, red being there
    ("R8 B8 J / . . R9 / . . R10", "ILLEGAL", "JOKER_IN_TWO_LINES"),
    ("R8 B8 K8 J / . . . O9 / . . . O10", "LEGAL", None),
    ("R8 B8 K8 J / . . . K9 / . . . K10", "ILLEGAL", "JOKER_IN_TWO_LINES"),
    ("K7 . / B7 . / R7 R8", "ILLEGAL", "SET_TOO_SHORT"),
    # corners do not touch (R2-20)
    ("K7 K8 K9 . / . . . R9 / . . . R10 / . . . R11", "ILLEGAL", "NOT_CONNECTED"),
]


@pytest.mark.parametrize(("board", "verdict", "code"), BOARDS)
def test_boards(board: str, verdict: str, code: str | None) -> None:
    rows = [[None if cell == "." else cell for cell in rack(row)] for row in board.split("/")]
    found, codes = ruling_of(rules="rummi200kub", grid=rows, opened=True)
    assert (found, code is None or code in codes) == (verdict, True)


CLAIMED: Final = [
    ("K7 K8 K9 K10", {}, "LEGAL", None),
    ("K7 K8 K9", {}, "ILLEGAL", "CLAIM_NO_SET"),  # a part of the run
    ("K10 K9 K8 K7", {"level": 2}, "LEGAL", None),  # hijacked once, and now locked (R2-24)
    ("K7 K8 K9 K10", {"level": 3}, "ILLEGAL", "CLAIM_LOCKED"),
    ("K7 K8 K9 K10", {"level": 1, "own": True}, "ASK", None),  # AMB-37
]


@pytest.mark.parametrize(("meld", "more", "verdict", "code"), CLAIMED)
def test_claims(meld: str, more: dict[str, Any], verdict: str, code: str | None) -> None:
    board = [rack("K7 K8 K9 K10")]
    found, codes = ruling_of(
        rules="rummi200kub", grid_before=board, grid=board, opened=True,
        rack_before=["O1"], rack_after=["O1"], claims=[{"meld": rack(meld)} | more],
    )  # fmt: skip
    assert (found, code is None or code in codes) == (verdict, True)


HANDS: Final = [
    # round, before, after, hand before, hand after, discard, verdict, a code among the findings
    # eleven cards and the one drawn are three runs: down, and floating (SR-17, SR-27)
    (
        7, "", "2S 3S 4S 5S | 6H 7H 8H 9H | 9C TC JC QC", "2S 3S 4S 5S 6H 7H 8H 9H 9C TC JC", "",
        "", "LEGAL", None,
    ),
    # one of six is one set (SR-08); parted it is two
    (
        1, "", "7S 7H 7D 7C 7S 7H", "7S 7H 7D 7C 7S 7H 2C 3D 4H 5S 9C", "2C 3D 4H 5S JD",
        "9C", "ILLEGAL", "CONTRACT_NOT_MET",
    ),
    (
        1, "", "7S 7H 7D | 7C 7S 7H", "7S 7H 7D 7C 7S 7H 2C 3D 4H 5S 9C", "2C 3D 4H 5S JD",
        "9C", "LEGAL", None,
    ),
    # two runs of one suit may overlap, as there are two decks
    (
        3, "", "7S 8S 9S TS | 8S 9S TS JS", "7S 8S 9S TS 8S 9S TS JS 2C 3D 4H", "2C 3D 5S",
        "4H", "LEGAL", None,
    ),
    # the ten would free the joker that was just laid (SR-18, SR-21); the five fits nowhere
    (
        2, "", "7S 8S 9S * | KS KH KC", "7S 8S 9S JOKER KS KH KC 3D 4H 5S TS", "3D 4H 5S JD",
        "TS", "ILLEGAL", "DISCARD_PLAYABLE",
    ),
    (
        2, "", "7S 8S 9S * | KS KH KC", "7S 8S 9S JOKER KS KH KC 3D 4H 5S TS", "3D 4H TS JD",
        "5S", "LEGAL", None,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "before", "after", "had", "has", "discard", "verdict", "code"), HANDS
)
def test_hands_that_are_laid_down(
    wanted: int, before: str, after: str, had: str, has: str, discard: str, verdict: str,
    code: str | None,
) -> None:  # fmt: skip
    found, codes = ruling_of(
        rules="sets-and-runs", house_rules=SIZES, before=table(before),
        after=table(after), rack_before=rack(had), rack_after=rack(has), discard=rack(discard),
        opened=False, round=wanted,
    )  # fmt: skip
    assert (found, code is None or code in codes) == (verdict, True)


GROUPS: Final = ["5S 5H 5D", "9S 9H 9C", "KC KD KH"]
RUNS: Final = ["2H 3H 4H 5H", "7D 8D 9D 10D", "6C 7C 8C 9C"]
CONTRACTS: Final = [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)]
"""The seven contracts, groups and runs (AMB-39)."""
FAMILY: Final = {4: (2, 1), 5: (1, 2), 6: (3, 0)}
"""The contracts of those rounds in the other order that the document leaves possible."""


@pytest.mark.parametrize("wanted", range(1, 8))
@pytest.mark.parametrize("laid", CONTRACTS)
def test_a_contract_may_be_laid_down_in_its_own_round_and_no_other(
    laid: tuple[int, int], wanted: int
) -> None:
    rows = [*GROUPS[: laid[0]], *RUNS[: laid[1]]]
    verdict, _ = ruling_of(
        rules="sets-and-runs", house_rules={**SIZES, "contracts.order": "rising"}, before=[],
        after=[rack(row) for row in rows], opened=False, round=wanted,
    )  # fmt: skip
    assert verdict == ("LEGAL" if CONTRACTS[wanted - 1] == laid else "ILLEGAL")
    by_order = {CONTRACTS[wanted - 1], FAMILY.get(wanted, CONTRACTS[wanted - 1])}
    verdict, _ = ruling_of(
        rules="sets-and-runs", house_rules=SIZES, before=[], after=[rack(row) for row in rows],
        opened=False, round=wanted,
    )  # fmt: skip
    open_order = "LEGAL" if len(by_order) == 1 else "ASK"
    assert verdict == (open_order if laid in by_order else "ILLEGAL")


# --- solve ---------------------------------------------------------------------------------------


POSITIONS: Final = [
    # preset, table, rack, what else is said, the placed tiles, points, whether the rack can open
    ("pressman", "", "", {}, "", 0, False),
    ("pressman", "", "R10 B10 J", {}, "R10 B10 J", 20, True),
    # placed is for who has opened: 27 is no opening, and played all the same
    ("pressman", "", "R9 B9 J", {}, "R9 B9 J", 18, False),
    ("pressman", "", "R9 J J", {}, "R9 J J", 9, True),
    ("pressman", "", "R8 J J", {}, "R8 J J", 8, False),
    # five low tiles against two high ones, for one joker
    ("pressman", "", "R13 B13 K1 K2 K4 K5 J", {}, "K1 K2 K4 K5 J", 12, True),
    ("pressman", "", "R13 B13 K1 K2 K4 K5 J", {"objective": "points"}, "R13 B13 J", 26, True),
    # the joker makes room for K6 and goes on to R9, which no document lets it
    ("pressman", "K4 K5 J | B9 B10 B11 B12", "K6 R9", {}, "K6 R9", 15, False),
    ("pressman", "K4 K5 J | B9 B10 B11 B12", "K6 R9", {"free_jokers": False}, "", 0, False),
    # one missing colour frees the joker (PR-19), or takes both (SB-17)
    ("pressman", "R5 B5 J", "K5 R9 R10", {"free_jokers": False}, "K5 R9 R10", 24, False),
    ("sabra", "R5 B5 J", "K5 R9 R10", {"free_jokers": False}, "", 0, False),
    ("sabra", "R5 B5 J", "K5 O5 R9 R10", {"free_jokers": False}, "K5 O5 R9 R10", 29, False),
    # a tile taken off a set with a joker (PR-22, PT-03)
    ("pressman", "K3 K4 K5 J", "R3 B3", {"free_jokers": False}, "R3 B3", 6, False),
    ("pressman-tournament", "K3 K4 K5 J", "R3 B3", {"free_jokers": False}, "", 0, False),
    # 1 after 13 (PR-07, RS-12, AMB-04)
    ("pressman", "", "K12 K13 K1", {}, "", 0, False),
    ("reset", "", "K12 K13 K1", {}, "K12 K13 K1", 26, True),
    ("reset", "", "K13 K1 K2", {}, "", 0, False),
    ("reset-freeze", "R5 R6 J", "R8", {"free_jokers": False}, "", 0, False),
    ("reset", "R5 R6 J", "R8", {"free_jokers": False}, "R8", 8, False),
    ("rummi200kub", "K4 K5 K6", "K7 R1", {}, "K7", 7, False),
    # a table that is none as it lies, mended without the rack and with it
    ("pressman", "K4 K5 | K6 K7", "", {}, "", 0, False),
    ("pressman", "K4 K5", "K6 R1", {}, "K6", 6, False),
    # a run of thirteen takes no fourteenth; three at its end make another run
    ("pressman", "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13", "K1", {}, "", 0, False),
    (
        "pressman", "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13", "K1 K2 K3", {},
        "K1 K2 K3", 6, False,
    ),
    ("pressman", "K4 K5 K6", "J", {"objective": "points"}, "J", 0, False),
    # what makes room for what (PR-17)
    ("pressman", "R1 R2 R3 R4", "R2 R3", {}, "R2 R3", 5, False),
    ("pressman", "K1 K2 K3 K4", "K2", {}, "", 0, False),
    ("pressman", "R1 R2 R3 | B1 B2 B3 | K1 K2 K3", "O1 O2", {}, "O1 O2", 3, False),
    ("pressman", "O10 O11 O12 O13 | K13 B13 R13", "O13", {}, "O13", 13, False),
    # one 5 for a run or a group is 15, two are 30 (PR-08)
    ("pressman", "", "R4 R5 R6 R5 B5 K5", {}, "R4 R5 R6 R5 B5 K5", 30, True),
    ("pressman", "", "R13 J J", {}, "R13 J J", 13, True),
    ("pressman", "", "J J K5", {}, "J J K5", 5, False),
    ("reset", "", "K13 K1 K2 J", {"objective": "points"}, "K13 K1 J", 14, True),
    # a freed joker goes into a new set with two of the rack, or into any set (PR-20, SB-18, RS-20)
    ("pressman", "R5 J R7", "R6 O8 O9", {"free_jokers": False}, "R6 O8 O9", 23, False),
    ("pressman", "R5 J R7", "R6 O8", {"free_jokers": False}, "", 0, False),
    ("pressman", "R5 J R7 | K8 K9 K10", "R6", {"free_jokers": False}, "", 0, False),
    ("sabra", "R5 J R7 | K8 K9 K10", "R6", {"free_jokers": False}, "R6", 6, False),
    ("sabra", "R5 J R7", "R6 O8", {"free_jokers": False}, "", 0, False),  # AMB-15: not even adding
    ("reset-freeze", "R5 J R7", "R6 O8", {"free_jokers": False}, "R6", 6, False),
    # adding to a group with a joker, or freeing it with both colours (PR-22, SB-17, SB-19)
    ("pressman", "K5 B5 J | O6 O7 O8", "R5 O9", {"free_jokers": False}, "R5 O9", 14, False),
    ("sabra", "K5 B5 J | O6 O7 O8", "R5 O9", {"free_jokers": False}, "O9", 9, False),
    ("sabra", "K5 B5 J | O6 O7 O8", "R5 O5 O9", {"free_jokers": False}, "R5 O5 O9", 19, False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "laid", "held", "more", "placed", "points", "can_open"), POSITIONS
)
def test_best_plays(
    preset: str,
    laid: str,
    held: str,
    more: dict[str, Any],
    placed: str,
    points: int,
    can_open: bool,
) -> None:
    line = sent({"rules": preset, "table": table(laid), "rack": rack(held)} | more)
    answer = solved_to_json(solved(position_from_json(line)))
    assert sorted(answer["placed"]) == sorted(rack(placed))
    assert (answer["count"], answer["points"]) == (len(rack(placed)), points)
    assert answer["can_open"] is can_open
    after = [tile for meld in answer["table_after"] for tile in meld]
    assert sorted(after) == sorted(rack(laid.replace("|", " ")) + rack(placed))


@pytest.mark.parametrize(
    ("preset", "laid", "held", "words"),
    [
        ("sets-and-runs", "", "2H 2S 2D", "sets-and-runs"),
        ("pressman", "K7 B7 R7", "K7 K7", "K7 is there 3 times, and pressman has 2"),
        ("pressman", "J K5 K6", "J J", "3 times, and pressman has 2"),
        ("pressman", "", "K0", "rack[0]"),
        ("pressman", "", "k7", "rack[0]"),
    ],
)
def test_positions_that_are_none(preset: str, laid: str, held: str, words: str) -> None:
    with pytest.raises(SolveInputError) as caught:
        solved(position_from_json({"rules": preset, "table": table(laid), "rack": rack(held)}))
    assert words in str(caught.value)
