"""Turns of the Pressman game, a row for each sentence of its rules: the position and what is found."""

from __future__ import annotations

import pytest

from engine.layout import parse_layout
from engine.melds import parse_tiles
from engine.referee import Turn, Verdict, judge
from engine.ruleset import load_ruleset

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK
PRESSMAN = load_ruleset("pressman")


def turn(before: str | None, after: str, rack: str = "? > ?", **more: object) -> Turn:
    """A turn from the notation, of a player who had opened unless told otherwise."""
    racks = [
        None if side.strip() == "?" else parse_tiles(side.replace("-", ""))
        for side in rack.split(">")
    ]
    return Turn(
        None if before is None else parse_layout(before),
        parse_layout(after),
        racks[0],
        racks[1],
        **({"opened": True} | more),  # type: ignore[arg-type]
    )


def codes(ruling: object) -> list[str]:
    return [finding.code for finding in ruling.findings]  # type: ignore[attr-defined]


# fmt: off
SETS = [
    # PR-06: three or four of one number in different colours
    ("K7 B7 R7", LEGAL, []),
    ("K7 B7 R7 O7", LEGAL, []),
    ("K7 B7", ILLEGAL, ["SET_TOO_SHORT"]),
    ("K7 K7 R7", ILLEGAL, ["GROUP_COLOUR_TWICE"]),
    ("K7 B7 R7 O7 J", ILLEGAL, ["GROUP_TOO_LONG"]),
    ("K7 B7 R7 O7 K7", ILLEGAL, ["GROUP_COLOUR_TWICE", "GROUP_TOO_LONG"]),
    ("K7 B7 R8", ILLEGAL, ["GROUP_NUMBERS_DIFFER"]),
    ("K7 J J", LEGAL, []),
    # PR-07: three or more consecutive numbers of one colour, 1 the lowest
    ("K7 K8 K9", LEGAL, []),
    ("R1 R2 R3", LEGAL, []),
    ("R11 R12 R13", LEGAL, []),
    ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", LEGAL, []),
    ("K7 K8", ILLEGAL, ["SET_TOO_SHORT"]),
    ("K7 K9 K10", ILLEGAL, ["RUN_GAP"]),
    ("K7 K8 B9", ILLEGAL, ["RUN_COLOURS_DIFFER"]),
    ("K7 K8 K8", ILLEGAL, ["RUN_NUMBER_TWICE"]),
    ("R12 R13 R1", ILLEGAL, ["RUN_WRAPS"]),
    ("R13 R1 R2", ILLEGAL, ["RUN_WRAPS"]),
    ("R13 R1 J", ILLEGAL, ["RUN_WRAPS"]),
    ("K1 B2 R3", ILLEGAL, ["GROUP_NUMBERS_DIFFER", "RUN_COLOURS_DIFFER"]),
    # a run seen from the other side of the table is the same run
    ("K9 K8 K7", LEGAL, []),
    ("K9 J K7", LEGAL, []),
    # PR-09: a joker for any tile of a set
    ("K7 J K9", LEGAL, []),
    ("J R5 J", LEGAL, []),
    ("R5 J J R8", LEGAL, []),
    ("R5 J R8", ILLEGAL, ["RUN_GAP"]),
    ("J B3 K3 O3", LEGAL, []),
    # PR-17: no loose tiles, only legitimate sets
    ("K7", ILLEGAL, ["LOOSE_TILE"]),
    ("J", ILLEGAL, ["LOOSE_TILE"]),
    ("K7 K8 K9 | R3", ILLEGAL, ["LOOSE_TILE"]),
    ("K7 K8 K9 | R3 R4 | O1", ILLEGAL, ["SET_TOO_SHORT", "LOOSE_TILE"]),
    # G-06: a set needs a natural tile
    ("J J", ILLEGAL, ["NO_NATURAL_TILE", "SET_TOO_SHORT"]),
    # G-04: two of each, and two jokers
    ("K7 K8 K9 | K7 B7 R7 | K7 B7 O7", ILLEGAL, ["TOO_MANY_COPIES"]),
    ("J K8 K9 | J B7 R7 | K7 J O7", ILLEGAL, ["TOO_MANY_COPIES"]),
    # all findings at once
    ("K7 | B3 B3 R3 | O4 O5 O7", ILLEGAL, ["LOOSE_TILE", "GROUP_COLOUR_TWICE", "RUN_GAP"]),
    # PR-07 asks for consecutive numbers, not for an order they lie in
    ("K7 K9 K8", LEGAL, []),
    ("K1 K3 J", LEGAL, []),
    ("R12 R13 J", LEGAL, []),
    ("-", LEGAL, []),
]
# fmt: on


@pytest.mark.parametrize(("table", "verdict", "expected"), SETS)
def test_a_table_by_itself(table: str, verdict: Verdict, expected: list[str]) -> None:
    ruling = judge(turn(None, table), PRESSMAN)
    assert ruling.verdict is verdict
    assert codes(ruling) == expected


THIRTY = "R10 B10 K10"

# fmt: off
OPENINGS = [
    # PR-08: at least 30 points in one or more sets
    ("-", THIRTY, LEGAL, []),
    ("-", "R10 B10 J", LEGAL, []),
    ("-", "R9 R10 R11", LEGAL, []),
    ("-", "R11 R12 J", LEGAL, []),
    ("-", "J R10 R11", LEGAL, []),
    ("-", "R1 R2 R3 | O8 B8 K8", LEGAL, []),
    ("-", "O8 B8 K8", ILLEGAL, ["OPENING_SHORT"]),
    ("-", "R8 J R10", ILLEGAL, ["OPENING_SHORT"]),
    ("-", "R3 J J R6", ILLEGAL, ["OPENING_SHORT"]),
    ("K1 K2 K3", f"K1 K2 K3 | {THIRTY}", LEGAL, []),
    # ... from the rack and not from tiles on the table
    ("R7 B7 K7", "R7 B7 K7 O7", ILLEGAL, ["OPENING_SHORT", "OPENING_SOURCE"]),
    ("R10 R11 R12 R13", "R10 R11 R12 | R13 B13 K13", ILLEGAL,
     ["OPENING_SHORT", "OPENING_SOURCE"]),
    # AMB-09: building on in the same turn is for the table to say
    ("R7 B7 K7", f"R7 B7 K7 O7 | {THIRTY}", ASK, []),
    # AMB-10: R10 with two jokers is 33 as the run it lies in, 30 as a group
    ("-", "R10 J J", LEGAL, []),
    ("-", "R9 J J", LEGAL, []),
    # ... and 13 with two jokers is a run only when it falls
    ("-", "R13 J J", LEGAL, []),
    # J R10 J: 9 10 11 or three tens, the same; J J R11: 30 or 33
    ("-", "J J R10", ASK, []),
]
# fmt: on


@pytest.mark.parametrize(("before", "after", "verdict", "expected"), OPENINGS)
def test_an_initial_meld(before: str, after: str, verdict: Verdict, expected: list[str]) -> None:
    ruling = judge(turn(before, after, opened=False), PRESSMAN)
    assert ruling.verdict is verdict
    assert codes(ruling) == expected


# fmt: off
BUILDING = [
    # the worked examples of the rules (PR-17): each is legal
    ("B4 B5 B6", "B3 B4 B5 B6 B7", "B3 B7 > -"),
    ("K10 R10 B10", "K10 R10 B10 O10", "O10 > -"),
    ("B4 R4 K4 O4", "R4 K4 O4 | B3 B4 B5 B6", "B3 B5 B6 > -"),
    ("B8 B9 B10", "B9 B10 B11 | B8 K8 O8", "B11 K8 O8 > -"),
    ("R4 R5 R6 R7 R8", "R4 R5 R6 | R6 R7 R8", "R6 > -"),
    ("O1 O2 O3 O4 | O1 R1 B1 K1", "O2 O3 O4 | O1 B1 K1 | R1 O1 B1", "B1 > -"),
    ("O5 O6 O7 | R5 R6 R7 | K5 K6 K7 K8 K9",
     "O5 R5 K5 B5 | O6 R6 K6 | O7 R7 K7 | K8 K9 K10", "K10 B5 > -"),
    # PR-18 to PR-20: the joker is replaced from the rack and starts a new set
    ("R5 J R7", "R5 R6 R7 | B3 J K3", "R6 B3 K3 > -"),
    ("R5 J B5", "R5 K5 B5 | J O8 O9", "K5 O8 O9 > -"),
    ("R5 J B5", "R5 O5 B5 | J O8 O9", "O5 O8 O9 > -"),
    # ... which may hold table tiles too
    ("R5 J R7 | B3 B4 B5 B6", "R5 R6 R7 | B3 B4 B5 | B6 K6 J O6", "R6 K6 O6 > -"),
    # PR-22: added to, split, and tiles taken away, while the joker goes on standing for its tile
    ("R5 J R7", "R4 R5 J R7", "R4 > -"),
    ("R5 J R7", "R7 J R5 R4", "R4 > -"),
    ("R5 R6 R7 J R9 R10", "R5 R6 R7 | J R9 R10 R11", "R11 > -"),
    ("R5 B5 J", "J B5 R5 K5", "K5 > -"),
    ("R5 B5 J K5", "R5 B5 J | K5 K6 K7", "K6 K7 > -"),
    # PR-10, PR-11: a turn without a play draws
    ("R5 J R7", "R5 J R7", "K1 > K1 K2"),
    # PR-16: an unsuccessful one draws three
    ("R5 J R7", "R5 J R7", "K1 > K1 K2 K3 K4"),
]
# fmt: on


@pytest.mark.parametrize(("before", "after", "rack"), BUILDING)
def test_what_the_rules_allow_on_the_table(before: str, after: str, rack: str) -> None:
    ruling = judge(turn(before, after, rack), PRESSMAN)
    assert ruling.verdict is LEGAL, ruling.findings


# fmt: off
BROKEN = [
    # G-01: tiles vanish and appear
    ("R7 B7 K7", "R7 B7 O7", "O7 K1 > K1", ["TILE_CONSERVATION"]),
    ("R7 B7 K7", "R7 B7 K7 O7", "K1 > K1", ["TILE_CONSERVATION"]),
    ("R7 B7 K7", "R7 B7 K7 O7", "O7 K1 > -", ["TILE_CONSERVATION"]),
    # G-02: moving table tiles is no turn
    ("R3 R4 R5 R6 R7 R8", "R3 R4 R5 | R6 R7 R8", "K1 > K1", ["NO_RACK_TILE"]),
    ("R3 R4 R5 R6 R7 R8", "R3 R4 R5 | R6 R7 R8", "? > ?", ["NO_RACK_TILE"]),
    ("R3 R4 R5", "R3 R4 R5", "K1 > K1", ["NO_RACK_TILE"]),
    # G-03: no table tile to the rack
    ("R3 R4 R5 R6", "R3 R4 R5", "K1 > K1 R6", ["TABLE_TILE_TO_RACK", "NO_RACK_TILE"]),
    # G-08: the rack's count
    ("R3 R4 R5", "R3 R4 R5", "K1 > K1 K2 K3", ["RACK_COUNT"]),
    # PR-12: play or draw
    ("R3 R4 R5", "R3 R4 R5 R6", "R6 > K2", ["DRAW_THEN_PLAY"]),
    # PR-17: a loose tile is left
    ("R3 R4 R5 R6", "R3 R4 | R6 R7 R8 | R5", "R7 R8 > -", ["SET_TOO_SHORT", "LOOSE_TILE"]),
    # PR-18: replaced from the table
    ("R5 J R7 | R6 B6 K6 O6", "R5 R6 R7 | B6 K6 O6 | B3 J K3", "B3 K3 > -",
     ["JOKER_REPLACED_FROM_TABLE"]),
    # PR-20: not a new set, or not two tiles from the rack
    ("R5 J R7 | K8 K9 K10", "R5 R6 R7 | K8 K9 K10 J", "R6 > -", ["JOKER_NOT_REUSED"]),
    ("R5 J R7 | B3 B4 B5 B6", "R5 R6 R7 | B3 B4 B5 | B6 J K6", "R6 K6 > -",
     ["JOKER_NOT_REUSED"]),
    ("R5 J R7 | K8 K9 K10", "R5 R6 R7 | K8 K9 K10 K11 K12 J", "R6 K11 K12 > -",
     ["JOKER_NOT_REUSED"]),
    # the joker must stay on the table
    ("R5 J R7", "R5 R6 R7", "R6 K1 > K1 J", ["TABLE_TILE_TO_RACK"]),
    ("R5 J R7", "R5 R6 R7", "? > ?", ["TILE_CONSERVATION"]),
]
# fmt: on


@pytest.mark.parametrize(("before", "after", "rack", "expected"), BROKEN)
def test_what_the_rules_forbid(before: str, after: str, rack: str, expected: list[str]) -> None:
    ruling = judge(turn(before, after, rack), PRESSMAN)
    assert ruling.verdict is ILLEGAL
    assert codes(ruling) == expected


# fmt: off
OPEN_SWITCHES = [
    # AMB-16: lifted out of a set that stays legal
    ("B3 B4 B5 J", "B3 B4 B5 | J R8 R9", "R8 R9 > -", "joker.free_removal",
     {"no": ["JOKER_NOT_REPLACED"], "yes": []}),
    # AMB-17: 5 6 joker and 7 becomes 5 6 7 joker
    ("R5 R6 J", "R5 R6 R7 J", "R7 > -", "joker.reuse",
     {"new_set_2_rack": ["JOKER_NOT_REUSED"], "any_set": []}),
]
# fmt: on


@pytest.mark.parametrize(("before", "after", "rack", "switch", "answers"), OPEN_SWITCHES)
def test_what_the_documents_leave_open_is_asked_once(
    before: str, after: str, rack: str, switch: str, answers: dict[str, list[str]]
) -> None:
    played = turn(before, after, rack)
    asked = judge(played, PRESSMAN)
    assert asked.verdict is ASK
    assert not asked.findings
    assert [(q.kind, q.rule, q.options) for q in asked.questions] == [
        ("house_rule", switch, tuple(answers))
    ]
    for value, expected in answers.items():
        decided = judge(played, load_ruleset("pressman", {switch: value}))
        assert codes(decided) == expected
        assert decided.verdict is (ILLEGAL if expected else LEGAL)


def test_a_table_may_want_its_runs_laid_in_order() -> None:
    """House rule run.order; a falling run is the rising one seen from the other side."""
    played = turn("R5 R6 R7", "R5 R6 R7 | K3 K5 K4", "K3 K4 K5 > -")
    falling = turn("R5 R6 R7", "R5 R6 R7 | K5 K4 K3", "K3 K4 K5 > -")
    laid = load_ruleset("pressman", {"run.order": "laid"})
    assert judge(played, PRESSMAN).verdict is LEGAL
    assert codes(judge(played, laid)) == ["RUN_NOT_IN_ORDER"]
    assert judge(falling, laid).verdict is LEGAL


def test_an_opening_that_builds_on_is_decided_by_its_switch() -> None:
    """AMB-09, and with too few points it is wrong either way (PR-08)."""
    played = turn("R7 B7 K7", f"R7 B7 K7 O7 | {THIRTY}", opened=False)
    no = load_ruleset("pressman", {"opening.same_turn_extension": "no"})
    yes = load_ruleset("pressman", {"opening.same_turn_extension": True})
    assert codes(judge(played, no)) == ["OPENING_SOURCE"]
    assert judge(played, yes).verdict is LEGAL


def test_a_joker_may_not_be_taken_before_opening() -> None:
    """PR-21."""
    played = turn("R5 J R7", "R5 R6 R7 | K13 J O13", "R6 K13 O13 > -", opened=False)
    assert "JOKER_BEFORE_OPENING" in codes(
        judge(played, load_ruleset("pressman", {"opening.same_turn_extension": "yes"}))
    )


def test_both_missing_colours_where_the_table_says_so() -> None:
    """AMB-13: either by the document, both by house rule."""
    one = turn("R5 J B5", "R5 K5 B5 | J O8 O9", "K5 O8 O9 > -")
    two = turn("R5 J B5", "R5 K5 B5 O5 | J O8 O9", "K5 O5 O8 O9 > -")
    both = load_ruleset("pressman", {"joker.group3": "both"})
    assert judge(one, PRESSMAN).verdict is LEGAL
    assert codes(judge(one, both)) == ["JOKER_NOT_REPLACED"]
    assert judge(two, both).verdict is LEGAL


def test_one_tile_frees_one_of_two_jokers() -> None:
    """AMB-13: x J J, one natural tile frees one joker, not both."""
    both_taken = turn("R5 J J", "R5 K5 O5 | J J B8 B9", "K5 B8 B9 O5 > -")
    one_taken = turn("R5 J J", "R5 K5 J | J B8 B9", "K5 B8 B9 > -")
    assert judge(both_taken, PRESSMAN).verdict is LEGAL
    assert judge(one_taken, PRESSMAN).verdict is LEGAL


@pytest.mark.parametrize(
    ("freeze", "after", "rack", "expected"),
    [
        ("none", "R4 R5 J R7", "R4 > -", []),
        ("no_split", "R4 R5 J R7", "R4 > -", []),
        ("full", "R4 R5 J R7", "R4 > -", ["JOKER_FROZEN"]),
        ("full", "R5 R6 R7 | J B1 B2", "R6 B1 B2 > -", []),
    ],
)
def test_a_frozen_joker_set(freeze: str, after: str, rack: str, expected: list[str]) -> None:
    """PT-03, AMB-15: by house rule; replacing the joker always thaws the set."""
    rules = load_ruleset("pressman", {"joker.freeze": freeze})
    assert codes(judge(turn("R5 J R7", after, rack), rules)) == expected


def test_a_frozen_set_may_be_added_to_but_not_split() -> None:
    """PT-03 where the table plays so."""
    rules = load_ruleset("pressman", {"joker.freeze": "no_split"})
    split = turn("R3 R4 R5 R6 J R8", "R3 R4 R5 | R6 J R8 R9", "R9 > -")
    assert judge(split, PRESSMAN).verdict is LEGAL
    assert codes(judge(split, rules)) == ["JOKER_FROZEN"]


def test_the_clock() -> None:
    """PR-15: after two minutes a play does not stand, while putting back and drawing is the rule."""
    late = turn("R3 R4 R5", "R3 R4 R5 R6", "R6 > -", elapsed_s=120.5)
    in_time = turn("R3 R4 R5", "R3 R4 R5 R6", "R6 > -", elapsed_s=120.0)
    drew = turn("R3 R4 R5", "R3 R4 R5", "R6 > R6 K1", elapsed_s=300.0)
    assert codes(judge(late, PRESSMAN)) == ["TIME_OVER"]
    assert judge(in_time, PRESSMAN).verdict is LEGAL
    assert judge(drew, PRESSMAN).verdict is LEGAL
    stands = load_ruleset("pressman", {"timeout.legal_layout": "stands"})
    assert judge(late, stands).verdict is LEGAL
    no_clock = load_ruleset("pressman", {"timeout.limit_s": 0})
    assert judge(late, no_clock).verdict is LEGAL


def test_a_turn_may_pass_when_the_pool_is_finished() -> None:
    """PR-14."""
    passed = turn("R3 R4 R5", "R3 R4 R5", "K1 > K1", pool_empty=True)
    assert judge(passed, PRESSMAN).verdict is LEGAL


def test_whether_the_player_had_opened_is_asked_only_where_it_matters() -> None:
    building = turn("R3 R4 R5", "R3 R4 R5 R6", opened=None)
    asked = judge(building, PRESSMAN)
    assert asked.verdict is ASK
    assert [question.kind for question in asked.questions] == ["opened"]
    thirty = turn("R3 R4 R5", f"R3 R4 R5 | {THIRTY}", opened=None)
    assert judge(thirty, PRESSMAN).verdict is LEGAL
    broken = turn("R3 R4 R5", "R3 R4 R5 R7", opened=None)
    assert codes(judge(broken, PRESSMAN)) == ["RUN_GAP"]


def test_nobody_has_opened_on_an_empty_table() -> None:
    """PR-08: initial melds stay on the table."""
    assert codes(judge(turn("-", "R3 R4 R5", opened=None), PRESSMAN)) == ["OPENING_SHORT"]


def test_what_was_not_seen_is_said_and_not_guessed() -> None:
    ruling = judge(turn("R3 R4 R5", "R3 R4 R5 R6"), PRESSMAN)
    assert ruling.verdict is LEGAL
    assert any("rack" in sentence for sentence in ruling.unchecked)
    alone = judge(turn(None, "R3 R4 R5"), PRESSMAN)
    assert any("before" in sentence for sentence in alone.unchecked)


def test_a_fault_that_lay_there_before_is_told_as_such() -> None:
    ruling = judge(turn("R3 R4", "R3 R4 | K7 K8 K9", "K7 K8 K9 > -"), PRESSMAN)
    assert "as before the turn" in ruling.findings[0].message


def test_findings_carry_rule_words_and_calm_language() -> None:
    ruling = judge(turn("R3 R4 R5", "R3 R4 R5 R7 | K1", "R7 K1 > -"), PRESSMAN)
    gap = ruling.findings[0]
    assert (gap.rule, gap.meld) == ("PR-07", 0)
    assert "three or more consecutive numbers" in gap.quote
    assert "red 7" in gap.message
    for finding in ruling.findings:
        assert "cheat" not in finding.message.lower()
        assert finding.message.endswith(".")


def test_cards_have_no_place_among_tiles() -> None:
    with pytest.raises(ValueError, match="10H is a card"):
        judge(turn(None, "10H 10S 10D"), PRESSMAN)
