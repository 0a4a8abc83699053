"""What rulings say beside the verdict and the faults: sentences, repairs, questions, what was not seen.

The verdicts and faults of all games stand in the tables of `rulings/`.
"""

from __future__ import annotations

import pytest

from engine.faults import Ruling
from engine.ruleset import quotation
from tests.engine import ruling_tables
from tests.engine.ruling_tables import turn_of


def ruled(preset: str, fields: str) -> Ruling:
    """The ruling on a turn, of a player who had opened unless told otherwise, with repairs."""
    return ruling_tables.ruled(turn_of(preset, fields, "yes"), with_repairs=True)


@pytest.mark.parametrize(
    ("preset", "fields", "cost"),
    [
        ("pressman", "before: R3 R4 R5; after: R3 R4 R5 R6; rack: R6 > -; elapsed: 121", "1 tile"),
        (
            "pressman-tournament",
            "before: R3 R4 R5; after: R3 R4 R5 R6; rack: R6 > -; elapsed: 61",
            "3 tiles",
        ),
        ("reset", "before: R3 R4 R5; after: R3 R4 R5 R6; rack: R6 > -; elapsed: 121", "3 tiles"),
        ("sabra", "before: R3 R4 R5; after: R3 R4 R5 R6; rack: R6 > -; elapsed: 130", "3 tiles"),
        ("rummi200kub", "grid: K7 K8 K9 > K7 K8 K9 K10; rack: K10 > -; elapsed: 201", "1 tile"),
        # AMB-22: of the time and a play that failed the larger counts, unless they add up
        ("pressman", "before: R3 R4 R5; after: R3 R4; rack: - > -; elapsed: 121", "3 tiles"),
        (
            "pressman",
            "house: misplay.cumulative=yes; before: R3 R4 R5; after: R3 R4; rack: - > -; elapsed: 121",
            "4 tiles",
        ),
    ],
)
def test_the_repair_says_what_the_clock_costs(preset: str, fields: str, cost: str) -> None:
    """PR-15, PT-02, RS-22, AMB-23 with SB-22, R2-21."""
    last = ruled(preset, fields).findings[-1]
    assert last.code == "TIME_OVER"
    assert last.repair == f"put the table back as it was and draw {cost}"


def test_what_was_not_seen_is_said_and_not_guessed() -> None:
    ruling = ruled("pressman", "before: R3 R4 R5; after: R3 R4 R5 R6")
    assert ruling.verdict == "LEGAL"
    assert any("rack" in sentence for sentence in ruling.unchecked)
    assert any("clock" in sentence for sentence in ruling.unchecked)
    alone = ruled("pressman", "after: R3 R4 R5")
    assert any("before" in sentence for sentence in alone.unchecked)


def test_a_board_known_by_its_lines_alone_is_judged_as_sets() -> None:
    """AMB-38."""
    unknown = ruled("rummi200kub", "before: K7 K8 K9; after: K7 K8 K9 K10; rack: K10 > -")
    assert unknown.verdict == "LEGAL"
    assert any("cell by cell" in sentence for sentence in unknown.unchecked)


def test_a_play_that_was_put_back_leaves_no_trace() -> None:
    """R2-31: it costs nothing, so a turn in which nothing happened is said and not accused."""
    idle = ruled("rummi200kub", "grid: K7 K8 K9 > K7 K8 K9; rack: O1 > O1; claims: -")
    assert idle.verdict == "LEGAL"
    assert any("tried and put back" in sentence for sentence in idle.unchecked)


def test_a_hand_out_of_sight_is_said_where_it_matters() -> None:
    """RS-08 and RS-16 rest on what the hand held."""
    starting = ruled("reset", "before: -; after: -")
    assert starting.verdict == "LEGAL"
    assert any("held a set to begin with" in sentence for sentence in starting.unchecked)
    later = ruled("reset", "before: K5 K6 K7; after: K5 K6 K7")
    assert not later.advice
    assert any("joker was held back" in sentence for sentence in later.unchecked)


def test_contract_discard_and_hand_out_of_sight_are_said() -> None:
    ruling = ruled("sets-and-runs", "before: -; after: 7S 7H 7D | KS KH KD; opened: no")
    assert ruling.verdict == "LEGAL"
    for word in ("contract", "discard", "hand"):
        assert any(word in sentence for sentence in ruling.unchecked)


def test_advice_names_the_play_that_was_there() -> None:
    """RS-16, AMB-07."""
    (advice,) = ruled("reset", "before: K5 K6 K7; after: K5 K6 K7; rack: J R9 > J R9 O1").advice
    assert "joker to set 1" in advice.message


def test_a_play_that_was_required_is_the_repair() -> None:
    """AMB-18."""
    forced = ruled(
        "reset",
        "house: draw.must_play=pool_empty; before: K5 K6 K7; after: K5 K6 K7; rack: K8 R1 > K8 R1; "
        "pool: empty",
    )
    assert forced.findings[0].repair == "lay black 8 to set 1"


def test_a_fault_that_lay_there_before_is_told_as_such() -> None:
    ruling = ruled("pressman", "before: R3 R4; after: R3 R4 | K7 K8 K9; rack: K7 K8 K9 > -")
    assert "as before the turn" in ruling.findings[0].message


def test_findings_carry_the_set_and_the_words_of_their_rule() -> None:
    ruling = ruled("pressman", "before: R3 R4 R5; after: R3 R4 R5 R7 | K1; rack: R7 K1 > -")
    gap = ruling.findings[0]
    assert (gap.rule, gap.meld) == ("PR-07", 0)
    assert gap.quote == quotation("PR-07")
    assert "three or more consecutive numbers" in gap.quote
    assert "red 7" in gap.message


def test_a_joker_of_a_group_names_the_colours_it_waits_for() -> None:
    """SB-17."""
    (finding,) = ruled(
        "sabra", "before: R5 J B5; after: R5 K5 B5 | J O8 O9; rack: K5 O8 O9 > -"
    ).findings
    assert "can be replaced only by having both missing colors" in finding.quote
    assert "black 5 and orange 5" in finding.message


def test_cards_are_called_cards() -> None:
    (short,) = ruled("sets-and-runs", "after: 6H 7H 8H").findings
    assert short.message == "Set 1: only 3 cards; a run has at least 4."


def test_a_question_begins_with_what_is_at_stake() -> None:
    """AMB-15: only the two readings of "manipulated" are offered."""
    asked = ruled("sabra", "before: R5 J R7; after: R4 R5 J R7; rack: R4 > -")
    (question,) = asked.questions
    assert question.options == ("no_split", "full")
    assert question.text.startswith("Set 1 of the table before was changed")


@pytest.mark.parametrize(
    ("preset", "fields", "text"),
    [
        (
            "sets-and-runs",
            "before: 9S 9H 9D; after: 9S 9H 9D 9C; opened: ?",
            "Had this player laid down before this turn?",
        ),
        (
            "pressman",
            "before: R3 R4 R5; after: R3 R4 R5 R6; opened: ?",
            "Had this player laid an initial meld before this turn?",
        ),
    ],
)
def test_whether_a_player_had_opened_is_asked_in_the_game_s_words(
    preset: str, fields: str, text: str
) -> None:
    assert ruled(preset, fields).questions[0].text == text


@pytest.mark.parametrize(
    ("preset", "fields", "message"),
    [
        ("pressman", "after: 10H 10S 10D", "10H is a card"),
        ("pressman", "before: -; after: -; rack: AH > ?", "AH is a card"),
        ("sets-and-runs", "after: K7 K8 K9 K10", "K7 is a tile"),
        ("sets-and-runs", "after: -; discard: K7", "K7 is a tile"),
        ("sabra", "grid: ? > K7 K8 K9", "played with sets that lie apart"),
    ],
)
def test_what_a_game_does_not_have_is_refused(preset: str, fields: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ruled(preset, fields)
