"""The smallest repair of a turn for every fault there is, or the sentence that stands in its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.faults import Fault
from engine.game.penalties import time_cost
from engine.referee import Verdict, judge
from engine.repairs import MOST_MOVES, find_repair
from engine.ruleset import load_ruleset
from engine.turns import RecordedTurn, parse_turn
from engine.worlds import worlds_of

REFEREE = Path(__file__).resolve().parents[2] / "docs" / "referee.md"

# fmt: off
MENDED = [
    # --- one set ---
    ("LOOSE_TILE", "pressman", "B4 B5 B6 > B4 B5 B6 | B7", "B7 > -", "", "move blue 7 to set 1"),
    ("SET_TOO_SHORT", "pressman", "K1 K2 K3 > K1 K2 K3 | R9 R10", "R9 R10 O1 > O1", "",
     "put back red 9 and red 10"),
    ("GROUP_TOO_LONG", "pressman", "K7 B7 R7 O7 > K7 B7 R7 O7 J", "J O1 > O1", "",
     "put back the joker"),
    ("GROUP_COLOUR_TWICE", "pressman", "K7 B7 R7 > K7 B7 R7 K7 | B7 O7 R7", "K7 B7 O7 R7 > -", "",
     "move black 7 from set 1 to set 2"),
    ("GROUP_NUMBERS_DIFFER", "pressman", "K5 B5 R5 O5 > K5 B5 R5 O5 R6 | R3 R4 R7",
     "R6 R3 R4 R7 > -", "", "move red 5 from set 1 to set 2, move red 6 from set 1 to set 2"),
    ("RUN_COLOURS_DIFFER", "pressman", "R1 R2 R3 | K4 K5 K6 > R1 R2 R3 K7 | K4 K5 K6", "K7 > -", "",
     "move black 7 from set 1 to set 2"),
    ("RUN_NUMBER_TWICE", "pressman", "R3 R4 R5 R6 R7 > R3 R4 R5 R5 R6 R7", "R5 > -", "",
     "part set 1 after red 5"),
    ("RUN_GAP", "pressman", "R4 R5 R6 R7 > R4 R6 R7 | R5 K5 B5 O5", "K5 B5 O5 > -", "",
     "move red 5 from set 2 to set 1"),
    ("RUN_WRAPS", "pressman", "R11 R12 R13 > R11 R12 R13 R1 | K1 B1 O1", "R1 K1 B1 O1 > -", "",
     "move red 1 from set 1 to set 2"),
    ("RUN_TOO_LONG", "pressman",
     "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 > R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 J",
     "J > -", "", "part set 1 into red 1, red 2 and joker; and red 3 to red 13"),
    ("RUN_NOT_IN_ORDER", "pressman", "R5 R6 R7 > R5 R6 R7 | K3 K5 K4", "K3 K4 K5 > -",
     "house: run.order=laid", "lay set 2 in order: black 3, black 4 and black 5"),
    ("NO_NATURAL_TILE", "pressman", "R5 R6 R7 > R5 R6 R7 | J J", "J J > -",
     "house: joker.max_per_set=2",
     "join set 2 and set 1: joker, joker, red 5, red 6 and red 7"),
    ("TOO_MANY_JOKERS", "pressman", "R5 R6 R7 > R5 R6 R7 J J", "J J > -",
     "house: joker.max_per_set=1", "put back the joker"),
    # --- all tiles together ---
    ("TOO_MANY_COPIES", "pressman", "? > K7 K8 K9 K10 | K7 B7 R7 | K7 B7 O7", "? > ?", "",
     "take away black 7 from set 1"),
    ("TILE_CONSERVATION", "pressman", "R7 B7 K7 > R7 B7 O7", "O7 K1 > K1", "",
     "put black 7 back, in set 1"),
    ("TILE_CONSERVATION", "pressman", "R7 B7 K7 > R7 B7 K7 O7", "K1 > K1", "",
     "take away orange 7"),
    ("TILE_CONSERVATION", "pressman", "R7 B7 K7 > R7 B7 K7 O7", "O7 K1 > -", "",
     "put black 1 back on the rack"),
    ("TABLE_TILE_TO_RACK", "pressman", "R3 R4 R5 R6 | K1 K2 K3 > R3 R4 R5 | K1 K2 K3 K4", "K4 > R6",
     "", "put red 6 back, in set 1"),
    ("NO_RACK_TILE", "pressman", "R3 R4 R5 R6 R7 R8 > R3 R4 R5 | R6 R7 R8", "K1 > K1", "",
     "join set 1 and set 2: red 3 to red 8"),
    ("RACK_COUNT", "pressman", "R3 R4 R5 > R3 R4 R5", "K1 > K1 K2 K3", "",
     "put black 2 back into the pool"),
    ("DRAW_THEN_PLAY", "pressman", "R3 R4 R5 > R3 R4 R5 R6", "R6 > K2", "",
     "put black 2 back into the pool"),
    # --- the initial meld ---
    ("OPENING_SHORT", "pressman", "- > R8 B8 K8", "R8 B8 K8 > -", "opened: no",
     "put back black 8, blue 8 and red 8"),
    ("OPENING_SHORT", "pressman", "- > J R9 R10", "J R9 R10 > -", "opened: no",
     "lay set 1 in order: red 9, red 10 and joker"),
    ("OPENING_SOURCE", "pressman", "R7 R8 R9 > R7 R8 R9 R10 | R11 R12 R13", "R10 R11 R12 R13 > -",
     "opened: no; house: opening.same_turn_extension=no", "move red 10 from set 1 to set 2"),
    # --- jokers ---
    ("JOKER_NOT_REPLACED", "pressman", "B3 B4 B5 J > B3 B4 B5 | J R8 R9", "R8 R9 > -",
     "house: joker.free_removal=no",
     "move the joker from set 2 to set 1 (blue 3, blue 4, blue 5 and joker), put back red 8 and red 9"),
    ("JOKER_REPLACED_FROM_TABLE", "pressman",
     "R5 J R7 | R6 B6 K6 O6 > R5 R6 R7 | B6 K6 O6 J | K1 K2 K3", "K1 K2 K3 > -", "",
     "move the joker from set 2 to set 1 (red 5, joker and red 7), move red 6 from set 1 to set 2"),
    ("JOKER_NOT_REUSED", "pressman", "R5 J R7 | K8 K9 K10 > R5 R6 R7 | K8 K9 K10 J", "R6 > -", "",
     "move the joker from set 2 to set 1 (red 5, joker and red 7), put back red 6"),
    ("JOKER_BEFORE_OPENING", "pressman", "R5 J R7 | B5 B6 B7 > R5 R6 R7 | B5 B6 B7 J | K10 B10 O10",
     "R6 K10 B10 O10 > -", "opened: no; house: opening.same_turn_extension=yes",
     "move the joker from set 2 to set 1 (red 5, joker and red 7), put back red 6"),
    ("JOKER_FROZEN", "reset-freeze", "R5 J R7 > R4 R5 J R7", "R4 > -", "", "put back red 4"),
    # --- the grid and its claims ---
    ("NOT_CONNECTED", "rummi200kub", "K7 K8 K9 > K7 K8 K9 . R1", "R1 > -", "", "put back red 1"),
    ("JOKER_IN_TWO_LINES", "rummi200kub", "K7 J K9 > K7 J K9 / . B9 . / . R9 .", "B9 R9 > -", "",
     "put back blue 9 and red 9"),
    ("TURN_MIXED_ACTIONS", "rummi200kub", "K7 K8 K9 > K7 K8 K9 K10", "K10 > -",
     "claims: 0 K7 K8 K9 K10", "take back the claim of black 7 to black 10"),
    ("CLAIM_NO_SET", "rummi200kub", "K7 K8 K9 > K7 K8 K9", "O1 > O1", "claims: 0 K7 K8",
     "take back the claim of black 7 and black 8"),
    ("CLAIM_TWO_SETS", "rummi200kub", "K7 K8 K9 / . B8 . / . R8 . > K7 K8 K9 / . B8 . / . R8 .",
     "O1 > O1", "claims: 0 K7 K8 K9 | 0 K8 B8 R8",
     "take back the claim of black 7, black 8 and black 9"),
    ("CLAIM_LOCKED", "rummi200kub", "K7 K8 K9 > K7 K8 K9", "O1 > O1", "claims: 3 K7 K8 K9",
     "take back the claim of black 7, black 8 and black 9"),
    ("CLAIM_OWN_SET", "rummi200kub", "K7 K8 K9 > K7 K8 K9", "O1 > O1",
     "house: claims.reclaim_own=no; claims: 1 own K7 K8 K9",
     "take back the claim of black 7, black 8 and black 9"),
    ("CLAIM_BEFORE_OPENING", "rummi200kub", "K7 K8 K9 > K7 K8 K9", "O1 > O1",
     "opened: no; house: claims.requires_opening=yes; claims: 0 K7 K8 K9",
     "take back the claim of black 7, black 8 and black 9"),
    # --- contracts and discards ---
    ("CONTRACT_NOT_MET", "sets-and-runs", "9S 9H 9D > 9S 9H 9D 9C 9S 9H | KS KH KD", "? > ?",
     "opened: no; house: group.least=3; contract: 2 0; discard: 2C",
     "part set 1 after the 9 of diamonds"),
    ("CONTRACT_EXCEEDED", "sets-and-runs", "- > 7S 7H 7D 7C | KS KH KD", "? > ?",
     "opened: no; house: contracts.exact=yes; contract: 2 0; discard: 2C", "take back the 7 of spades"),
    ("EXTRA_MELD", "sets-and-runs", "4S 5S 6S 7S > 4S 5S 6S 7S | 8S 9S 10S JS", "? > ?",
     "discard: 2C", "join set 2 and set 1: 4 to jack of spades"),
    ("LAYOFF_BEFORE_LAYDOWN", "sets-and-runs", "9S 9H 9D > 9S 9H 9D 9C", "? > ?",
     "opened: no; contract: 2 0; discard: 2C", "take back the 9 of clubs"),
    ("TABLE_REARRANGED", "sets-and-runs", "4S 5S 6S 7S 8S | 8H 8D 8C > 4S 5S 6S 7S | 8S 8H 8D 8C",
     "? > ?", "discard: 2C", "move the 8 of spades from set 2 to set 1"),
    ("JOKER_LOCKED", "sets-and-runs", "9S 9H * > 9S 9H 9D", "9D KD 2C > KD * 4C", "discard: 2C",
     "put the joker back, in set 1"),
    ("DISCARD_PLAYABLE", "sets-and-runs", "9S 9H 9D > 9S 9H 9D", "9C KD > KD 4H", "discard: 9C",
     "play the 9 of clubs on set 1, discard the 4 of hearts"),
    ("DISCARD_PLAYABLE", "sets-and-runs", "9S 9H 9D > 9S 9H 9D", "9C KD > KD 4H",
     "opened: no; contract: 2 0; house: discard.playable_ban=any; discard: 9C",
     "take back the 9 of clubs discarded, discard the 4 of hearts"),
    ("DISCARD_MISSING", "sets-and-runs", "9S 9H 9D > 9S 9H 9D", "2C KD > 2C KD 4H", "discard: -",
     "discard the 4 of hearts"),
    ("DISCARD_TWO", "sets-and-runs", "9S 9H 9D > 9S 9H 9D", "2C KD > 4H", "discard: 2C KD",
     "take back the king of diamonds discarded"),
    ("FLOATING_MUST_PLAY", "sets-and-runs", "9S 9H 9D > 9S 9H 9D", "- > 9C",
     "house: group.least=3; discard: -", "play the 9 of clubs on set 1"),
]

SENTENCES = [
    # nothing but the table as it was will do, and what is drawn for it
    ("TIME_OVER", "pressman", "R3 R4 R5 > R3 R4 R5 R6", "R6 > -", "elapsed: 121.0",
     "put the table back as it was and draw 1 tile"),
    # what to play instead, from the rack
    ("STARTER_OBLIGATORY", "reset", "- > -", "R5 R6 R7 K1 > R5 R6 R7 K1", "",
     "lay red 5, red 6 and red 7 as a set"),
    ("JOKER_HOARDING", "reset", "K9 K10 K11 > K9 K10 K11", "J B2 > J B2 O5",
     "house: joker.no_hoarding=enforce", "return the tile and lay the joker to set 1"),
    ("PLAY_REQUIRED", "pressman", "B5 B6 B7 > B5 B6 B7", "B8 O1 > B8 O1 K4",
     "house: draw.must_play=always", "lay blue 8 to set 1"),
    # a draw, or which of two tiles goes back: neither is the referee's to choose
    ("NO_RACK_TILE", "pressman", "R3 R4 R5 > R3 R4 R5", "K1 > K1", "", "draw 1 tile"),
    ("RETURN_MISSING", "reset", "K1 K2 K3 > K1 K2 K3", "O9 R5 > O9 R5 B7 R8",
     "opened: ?; players: 2", "return one of them"),
]
# fmt: on
NEVER_MENDED = {"TOO_MANY_BUYS", "SET_INVALID"}
"""A hand that is too large when the turn begins; and what is only said of readings in doubt."""


COLUMNS = ("code", "preset", "table", "rack", "more", "repair")


def turn_of(preset: str, table: str, rack: str, more: str) -> RecordedTurn:
    """A turn of a player who had opened, unless more fields say otherwise; a board is given as one."""
    before, after = table.split(" > ")
    fields = [f"turn/1 {preset}", f"rack: {rack}", *filter(None, [more])]
    on_grid = preset == "rummi200kub"
    fields += (
        ["before: ?; after: ?", f"grid: {table}"]
        if on_grid
        else [f"before: {before}; after: {after}"]
    )
    fields += [] if "opened:" in more else ["opened: yes"]
    fields += [] if "elapsed:" in more else ["elapsed: ?"]
    return parse_turn("; ".join(fields))


@pytest.mark.parametrize(COLUMNS, MENDED)
def test_a_turn_with_this_fault_is_mended(
    code: str, preset: str, table: str, rack: str, more: str, repair: str
) -> None:
    """Every finding tells the same repair, and the turn is legal after it."""
    recorded = turn_of(preset, table, rack, more)
    rules = load_ruleset(recorded.preset, recorded.house_rules)
    ruling = judge(recorded.turn, rules)
    assert ruling.verdict is Verdict.ILLEGAL
    assert code in {finding.code for finding in ruling.findings}
    assert {finding.repair for finding in ruling.findings} == {repair}
    found = find_repair(recorded.turn, worlds_of(recorded.turn, rules))
    assert found is not None
    assert found.text == repair
    assert 1 <= found.moves <= MOST_MOVES
    left = judge(found.turn, rules, with_repairs=False).findings
    assert {finding.code for finding in left} <= {"NO_RACK_TILE"}


@pytest.mark.parametrize(COLUMNS, SENTENCES)
def test_a_fault_with_words_of_its_own_keeps_them(
    code: str, preset: str, table: str, rack: str, more: str, repair: str
) -> None:
    recorded = turn_of(preset, table, rack, more)
    ruling = judge(recorded.turn, load_ruleset(recorded.preset, recorded.house_rules))
    assert [(finding.code, finding.repair) for finding in ruling.findings] == [(code, repair)]


@pytest.mark.parametrize(("costs", "due"), [("misplay", 3), ("none", 1)])
def test_a_ruling_and_a_game_ask_the_same_for_too_few_points_too_late(costs: str, due: int) -> None:
    """AMB-27: where too few points cost nothing, only the time is paid for."""
    rules = load_ruleset("pressman", {"opening.short_penalty": costs})
    more = "opened: no; elapsed: {}"
    late = turn_of("pressman", "- > K1 K2 K3", "K1 K2 K3 B5 > B5", more.format(300)).turn
    told = [item.repair for item in judge(late, rules).findings if item.code == "TIME_OVER"]
    words = f"{due} tile" + ("s" if due > 1 else "")
    assert told == [f"put the table back as it was and draw {words}"]
    in_time = turn_of("pressman", "- > K1 K2 K3", "K1 K2 K3 B5 > B5", more.format(9)).turn
    assert time_cost(rules, judge(in_time, rules, with_repairs=False), legal=False) == due


def test_a_hand_with_too_many_buys_is_told_without_a_repair() -> None:
    cards = " ".join(f"{rank}{suit}" for suit in "SH" for rank in range(2, 11)) + " JH"
    recorded = turn_of("sets-and-runs", "- > -", f"{cards} > {cards}", "opened: no; discard: KD")
    (finding,) = judge(recorded.turn, load_ruleset("sets-and-runs")).findings
    assert (finding.code, finding.repair) == ("TOO_MANY_BUYS", None)


def test_every_fault_is_here() -> None:
    """And what is told in a sentence instead of a search is explained in docs/referee.md."""
    mended, told = {code for code, *_ in MENDED}, {code for code, *_ in SENTENCES}
    assert mended | told | NEVER_MENDED == {fault.code for fault in Fault}
    section = re.search(
        r"^## Repairs$(.*?)^## ", REFEREE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert section is not None
    assert told | NEVER_MENDED <= set(re.findall(r"`([A-Z_]+)`", section[1]))
