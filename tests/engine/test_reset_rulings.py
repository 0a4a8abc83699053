"""Turns of ReSet and its variation: a row for each sentence of its rules."""

from __future__ import annotations

import pytest

from engine.faults import Ruling
from engine.referee import Verdict, judge
from engine.ruleset import load_ruleset, quotation
from engine.turns import parse_turn

LEGAL, ILLEGAL = Verdict.LEGAL, Verdict.ILLEGAL


def ruled(
    before: str, after: str, rack: str = "? > ?", more: str = "", rules: str = "reset"
) -> Ruling:
    """The ruling on a turn in the notation; `more` holds further fields."""
    elapsed = "" if "elapsed:" in more else "; elapsed: ?"
    turn = parse_turn(
        f"turn/1 {rules}; before: {before}; after: {after}; rack: {rack}; opened: ?{elapsed}"
        + (f"; {more}" if more else "")
    )
    return judge(turn.turn, load_ruleset(turn.preset, turn.house_rules))


def told(ruling: Ruling) -> list[str]:
    """Each finding as code and rule."""
    return [f"{finding.code} {finding.rule}" for finding in ruling.findings]


ALL_REDS = " ".join(f"R{number}" for number in range(1, 14))

# fmt: off
SETS = [
    # RS-10, RS-11: straights of three or more, groups of three or four
    ("K7 K8 K9", []),
    ("K7 B7 R7 O7", []),
    ("K7 K8", ["SET_TOO_SHORT RS-10"]),
    ("K7 B7", ["SET_TOO_SHORT RS-11"]),
    ("K7 K7 R7", ["GROUP_COLOUR_TWICE RS-11"]),
    ("K7 B7 R7 O7 J", ["GROUP_TOO_LONG RS-11"]),
    ("K7 B7 R8", ["GROUP_NUMBERS_DIFFER RS-11"]),
    ("K7 K8 B9", ["RUN_COLOURS_DIFFER RS-10"]),
    ("K7 K9 K10", ["RUN_GAP RS-10"]),
    # RS-12 (TV-12): 1 before 2 or after 13, but not both ways
    ("R1 R2 R3 R4 R5", []),
    ("R12 R13 R1", []),
    ("R1 R13 R12", []),
    ("R11 R12 R13 R1", []),
    ("R13 R1 R2", ["RUN_WRAPS RS-12"]),
    ("R12 R13 R1 R2", ["RUN_WRAPS RS-12"]),
    ("R2 R1 R13", ["RUN_WRAPS RS-12"]),
    (ALL_REDS, []),
    (f"{ALL_REDS.removeprefix('R1 ')} R1", []),
    # ... nor a run that would use it at both ends (AMB-04)
    (f"{ALL_REDS} R1", ["RUN_NUMBER_TWICE RS-10", "RUN_TOO_LONG RS-12"]),
    (f"{ALL_REDS} J", ["RUN_TOO_LONG RS-12"]),
    # RS-13: a joker for any tile, the 1 after 13 too
    ("R12 R13 J", []),
    ("J R13 R1", []),
    ("R12 J R1", []),
    ("R13 J R2", ["RUN_WRAPS RS-12"]),
    ("J J", ["NO_NATURAL_TILE G-06", "SET_TOO_SHORT RS-10"]),
    # RS-18: legal sets of three or more at the end
    ("K7", ["LOOSE_TILE RS-18"]),
    ("K7 | B3 B3 R3 | O4 O5 O7",
     ["LOOSE_TILE RS-18", "GROUP_COLOUR_TWICE RS-11", "RUN_GAP RS-10"]),
    ("K7 K8 K9 | K7 B7 R7 | K7 B7 O7", ["TOO_MANY_COPIES G-04"]),
]

TURNS = [
    # RS-29: no points are needed to begin
    ("-", "K1 K2 K3", "K1 K2 K3 O9 > O9", []),
    ("K1 K2 K3", "K1 K2 K3 | B1 R1 O1", "B1 R1 O1 O9 > O9", []),
    ("K1 K2 K3", "K1 K2 K3 K4", "K4 O9 > O9", []),
    # RS-08, RS-09: whoever can make the starter set must; the others pass, and all draw after a lap
    ("-", "-", "K1 K2 B3 > K1 K2 B3", []),
    ("-", "-", "K1 K2 B3 > K1 K2 B3 O5", []),
    ("-", "-", "K1 K2 B3 K3 > K1 K2 B3 K3", ["STARTER_OBLIGATORY RS-08"]),
    ("-", "-", "K12 R5 R9 K13 K1 > K12 R5 R9 K13 K1", ["STARTER_OBLIGATORY RS-08"]),
    ("-", "-", "K1 J B9 R4 J > K1 J B9 R4 J", ["STARTER_OBLIGATORY RS-08"]),
    # RS-14: add, make sets, or draw one
    ("K1 K2 K3", "K1 K2 K3", "O9 > O9 R4", []),
    ("K1 K2 K3", "K1 K2 K3", "O9 > O9", ["NO_RACK_TILE RS-14"]),
    ("K1 K2 K3", "K1 K2 K3 K4", "K4 > R4", ["DRAW_THEN_PLAY RS-14"]),
    # RS-17: standalone, added, or by splitting and recombining (TV-09, TV-11)
    ("B2 B3 B4 B5 B6", "B2 B3 B4 | B4 B5 B6", "B4 O9 > O9", []),
    ("R2 R3 R4 R5 R6 | K7 B7 R7 O7", "R2 R3 R4 R5 R6 R7 R8 | K7 B7 O7", "R8 O9 > O9", []),
    ("R2 R3 R4 R5 R6 | K7 B7 R7 O7", "R2 R3 R4 | R6 R7 R8 | K7 B7 O7 | R5 B5 J",
     "R8 B5 J O9 > O9", []),
    ("R3 R4 R5 R6 R7 R8", "R3 R4 R5 | R6 R7 R8", "O9 > O9", ["NO_RACK_TILE RS-17"]),
    # ... and TV-10: adding a 5 leaves a 5 and a 6 over
    ("B2 B3 B4 B5 B6", "B2 B3 B4 B5 | B5 B6", "B5 O9 > O9", ["SET_TOO_SHORT RS-10"]),
    # RS-19: replaced by the tile of its place, from hand or table (AMB-14); RS-20: used the same turn
    ("R5 J R7", "R5 R6 R7 | J O8 O9", "R6 O8 O9 > -", []),
    ("R5 J R7 | R6 B6 K6 O6", "R5 R6 R7 | B6 K6 O6 | B3 J K3", "B3 K3 > -", []),
    ("R5 J R7 | K8 K9 K10", "R5 R6 R7 | K8 K9 K10 J", "R6 > -", []),
    ("R5 J B5", "R5 K5 B5 | J O8 O9", "K5 O8 O9 > -", []),
    ("R5 R6 J", "R5 R6 R7 J", "R7 > -", []),
    ("B3 B4 B5 J", "B3 B4 B5 | J R8 R9", "R8 R9 > -", ["JOKER_NOT_REPLACED RS-19"]),
    ("R5 J R7", "R5 R6 R7", "R6 K1 > K1 J", ["TABLE_TILE_TO_RACK RS-20"]),
    # ... while it stands for its tile it may travel with its set
    ("R5 R6 R7 J R9 R10", "R5 R6 R7 | J R9 R10 R11", "R11 > -", []),
    # what every referee needs
    ("R7 B7 K7", "R7 B7 O7", "O7 K1 > K1", ["TILE_CONSERVATION G-01"]),
    ("R3 R4 R5 R6", "R3 R4 R5", "K1 > K1 R6",
     ["TABLE_TILE_TO_RACK G-03", "NO_RACK_TILE RS-17"]),
]

FROZEN = [
    # RS-28: no tile may be added or taken away until the joker has been replaced
    ("R5 J R7", "R4 R5 J R7", "R4 > -", ["JOKER_FROZEN RS-28"]),
    ("R5 R6 R7 J R9 R10", "R5 R6 R7 | J R9 R10 R11", "R11 > -", ["JOKER_FROZEN RS-28"]),
    ("R5 B5 J K5", "R5 B5 J | K5 K6 K7", "K6 K7 > -", ["JOKER_FROZEN RS-28"]),
    ("R5 J R7", "R4 R5 R6 R7 | J B1 B2", "R4 R6 B1 B2 > -", []),
    ("R5 R6 J", "R5 R6 R7 J", "R7 > -", []),
    ("R5 J R7 | K1 K2 K3", "R5 J R7 | K1 K2 K3 K4", "K4 > -", []),
]
# fmt: on


@pytest.mark.parametrize(("table", "expected"), SETS)
def test_a_table_by_itself(table: str, expected: list[str]) -> None:
    ruling = ruled("?", table)
    assert told(ruling) == expected
    assert ruling.verdict is (ILLEGAL if expected else LEGAL)


@pytest.mark.parametrize(("before", "after", "rack", "expected"), TURNS)
def test_a_turn(before: str, after: str, rack: str, expected: list[str]) -> None:
    ruling = ruled(before, after, rack)
    assert told(ruling) == expected
    assert ruling.verdict is (ILLEGAL if expected else LEGAL)


@pytest.mark.parametrize(("before", "after", "rack", "expected"), FROZEN)
def test_a_joker_that_freezes_its_set(
    before: str, after: str, rack: str, expected: list[str]
) -> None:
    assert told(ruled(before, after, rack, rules="reset-freeze")) == expected
    assert not told(ruled(before, after, rack))


def test_two_players_draw_two_and_return_one() -> None:
    """RS-15: which tile goes back is theirs to choose (AMB-20), so one from the hand may be gone."""
    table = "K1 K2 K3"
    for drawn in ("O9 R5 > O9 R5 B7", "O9 R5 > O9 B7 R8"):
        assert ruled(table, table, drawn, "players: 2").verdict is LEGAL
        assert ruled(table, table, drawn).verdict is LEGAL
    kept_both = ruled(table, table, "O9 > O9 R5 B7", "players: 2")
    assert told(kept_both) == ["RETURN_MISSING RS-15"]
    exchanged = ruled(table, table, "O9 R5 > O9 B7 R8", "players: 3")
    assert told(exchanged) == ["TILE_CONSERVATION G-01", "RACK_COUNT G-08"]
    played_too = ruled(table, f"{table} K4", "K4 O9 R5 > R5 B7", "players: 2")
    assert "TILE_CONSERVATION G-01" in told(played_too)


def test_the_clock() -> None:
    """RS-21, RS-22: three tiles when the time ends over a changed table, and only then."""
    late = ruled("K1 K2 K3", "K1 K2 K3 K4", "K4 > -", "elapsed: 121")
    assert told(late) == ["TIME_OVER RS-22"]
    assert late.findings[0].repair == "put the table back as it was and draw 3 tiles"
    assert not told(ruled("K1 K2 K3", "K1 K2 K3 K4", "K4 > -", "elapsed: 120"))
    three = "O9 > O9 R5 B7 O1"
    assert not told(ruled("K1 K2 K3", "K1 K2 K3", three, "elapsed: 121"))
    assert not told(ruled("K1 K2 K3", "K1 K2 K3", three))
    assert told(ruled("K1 K2 K3", "K1 K2 K3", three, "elapsed: 60")) == ["RACK_COUNT G-08"]
    always = "elapsed: 60; house: misplay.when=always"
    assert not told(ruled("K1 K2 K3", "K1 K2 K3", three, always))


def test_holding_back_a_joker_is_said_and_does_not_undo_the_turn() -> None:
    """RS-16, AMB-07: advice when the hand is known, a fault only where the table enforces it."""
    table = "K5 K6 K7"
    drew = ruled(table, table, "J R9 > J R9 O1")
    assert drew.verdict is LEGAL
    assert not drew.findings
    (advice,) = drew.advice
    assert (advice.code, advice.rule) == ("JOKER_HOARDING", "RS-16")
    assert "joker to set 1" in advice.message
    enforced = ruled(table, table, "J R9 > J R9 O1", "house: joker.no_hoarding=enforce")
    assert told(enforced) == ["JOKER_HOARDING RS-16"]
    assert not ruled(table, table, "J R9 > J R9 O1", "house: joker.no_hoarding=off").advice
    assert not ruled(table, table, "R9 > R9 O1").advice
    assert not ruled(table, f"{table} K8", "J K8 > J").advice
    unseen = ruled(table, table)
    assert not unseen.advice
    assert any("joker was held back" in sentence for sentence in unseen.unchecked)


def test_a_joker_that_cannot_be_played_is_not_held_back() -> None:
    full = "K7 B7 R7 O7"
    assert not ruled(full, full, "J R1 > J R1 O9").advice
    frozen = "K5 J K7"
    assert not ruled(frozen, frozen, "J R1 > J R1 O9", rules="reset-freeze").advice
    assert ruled(frozen, frozen, "J R1 > J R1 O9").advice


def test_a_hand_out_of_sight_is_said_before_the_starter_set() -> None:
    ruling = ruled("-", "-")
    assert ruling.verdict is LEGAL
    assert any("held a set to begin with" in sentence for sentence in ruling.unchecked)


def test_a_table_may_forbid_to_draw_instead_of_playing() -> None:
    """AMB-18, as far as a play needs no manipulation."""
    always, pool_empty = "house: draw.must_play=always", "house: draw.must_play=pool_empty"
    table = "K5 K6 K7"
    can = "K8 R1 > K8 R1 O9"
    assert told(ruled(table, table, can, always)) == ["PLAY_REQUIRED AMB-18"]
    assert not told(ruled(table, table, can, pool_empty))
    assert not told(ruled(table, table, "K9 R1 > K9 R1 O9", always))
    passed = ruled(table, table, "K8 R1 > K8 R1", f"pool: empty; {pool_empty}")
    assert told(passed) == ["PLAY_REQUIRED AMB-18"]
    assert passed.findings[0].repair == "lay black 8 to set 1"


def test_it_may_be_played_with_cards() -> None:
    """RS-02, RS-12: queen, king, ace."""
    cards = "house: equipment.pieces=cards"
    assert not told(ruled("?", "QH KH AH | 7S 7H 7D", more=cards))
    assert told(ruled("?", "KH AH 2H", more=cards)) == ["RUN_WRAPS RS-12"]
    assert told(ruled("?", "7S 7H 7H", more=cards)) == ["GROUP_COLOUR_TWICE RS-11"]


def test_rulings_speak_in_the_document_s_own_words() -> None:
    for before, after, rack, _ in TURNS:
        for item in ruled(before, after, rack).findings:
            assert item.rule.split("-")[0] in {"RS", "G", "AMB"}
            assert item.quote == quotation(item.rule)
            assert item.message.endswith(".")
