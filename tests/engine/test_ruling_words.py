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


def test_a_draw_that_was_too_small_goes_on_and_is_not_put_back() -> None:
    """PT-02: whoever is out of time draws three."""
    fields = "before: R3 R4 R5; after: R3 R4 R5; opened: yes; elapsed: 61; rack: B6 > "
    for drawn, repair in (("B6", "draw 3 tiles"), ("B6 K1", "draw 2 tiles more")):
        last = ruled("pressman-tournament", fields + drawn).findings[-1]
        assert last.repair == repair
    assert ruled("pressman-tournament", fields + "B6 K1 K2 K3").verdict == "LEGAL"


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


def test_a_claim_is_a_turn_and_comes_too_late_as_a_play_does() -> None:
    """R2-11, R2-21."""
    fields = "grid: K7 K8 K9 > K7 K8 K9; rack: O1 > O1; claims: 0 K7 K8 K9; elapsed: "
    in_time, late = (ruled("rummi200kub", f"{fields}{seconds}") for seconds in (200, 201))
    assert (in_time.verdict, in_time.unchecked) == ("LEGAL", ())
    (finding,) = late.findings
    assert "the claim came too late to stand" in finding.message
    assert finding.repair == "take back the claim and draw 1 tile"


def test_a_hand_out_of_sight_is_said_where_it_matters() -> None:
    """RS-08 and RS-16 rest on what the hand held."""
    starting = ruled("reset", "before: -; after: -")
    assert starting.verdict == "LEGAL"
    assert any("held a set to begin with" in sentence for sentence in starting.unchecked)
    later = ruled("reset", "before: K5 K6 K7; after: K5 K6 K7")
    assert not later.advice
    assert any("joker was held back" in sentence for sentence in later.unchecked)


def test_contract_discard_and_hand_out_of_sight_are_said() -> None:
    ruling = ruled("sets-and-runs", "before: -; after: 6H 7H 8H 9H | 4S 5S 6S 7S; opened: no")
    assert ruling.verdict == "LEGAL"
    for word in ("contract", "discard", "hand"):
        assert any(word in sentence for sentence in ruling.unchecked)


def test_advice_names_the_play_that_was_there() -> None:
    """RS-16, AMB-07."""
    played = "before: K5 K6 K7; after: K5 K6 K7; rack: J R9 > J R9 O1"
    (advice,) = ruled("reset", f"house: joker.no_hoarding=advise; {played}").advice
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


def test_a_run_whose_order_was_changed_did_not_lie_so_before() -> None:
    turn = "house: run.order=laid; before: K6 K7 K8; after: K6 K8 K7; rack: R1 > R1 R2"
    ruling = ruled("pressman", turn)
    told = [f.message for f in ruling.findings if f.code == "RUN_NOT_IN_ORDER"]
    assert [("as before" in message) for message in told] == [False]


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
    assert short.message == "Set 1: only 3 cards (6, 7 and 8 of hearts); a run has at least 4."


SENTENCES = [
    # numbers as people say them
    (
        "pressman",
        "before: R3 R4 R5; after: R3 R4 R5; rack: K1 > K1 K2 K3",
        (
            "The rack held 1 tile and holds 3 now, with no tile played; "
            "a turn without a play draws 1, an unsuccessful one 3."
        ),
    ),
    (
        "pressman-tournament",
        "before: R5 R6 R7; after: R5 R6 R7 R8; rack: R8 > -; elapsed: 61",
        "The turn took 61 seconds, and 60 are allowed; the play came too late to stand.",
    ),
    (
        "sets-and-runs",
        "before: 9S 9H 9D; after: 9S 9H 9D; rack: 2C KD > KD; discard: 2C",
        "No card came to the hand in this turn, and a turn draws 1.",
    ),
    # tiles are named where the number of a set says little, all of them, jokers too
    (
        "rummi200kub",
        "grid: ? > K7 K8 K9 / . B8 .",
        "Set 2: only 2 tiles (black 8 and blue 8); a group has at least 3.",
    ),
    (
        "pressman",
        "after: K7 B8 J",
        "Set 1: for a group the numbers differ (black 7, blue 8 and joker).",
    ),
    ("pressman", "after: R13 R1 J", "Set 1: 1 does not follow 13 (red 13, red 1 and joker)."),
    (
        "rummi200kub",
        "grid: ? > K7 K8 K9 . R1",
        "The tiles lie in 2 parts that do not touch; one of them is red 1 alone.",
    ),
    (
        "rummi200kub",
        "grid: ? > K7 K8 K9 / . . . / R1 R2 R3",
        "The tiles lie in 2 parts that do not touch; one of them is black 7 with 2 other tiles.",
    ),
    (
        "sabra",
        "house: joker.freeze=full; before: R5 J R7; after: R4 R5 J R7",
        "Set 1 of the table before (red 5, joker and red 7) was changed while it held a joker.",
    ),
    # articles, "and" before the last, "both" of two and "all" of more
    ("pressman", "after: J", "The joker lies alone."),
    (
        "sabra",
        "before: R5 J B5; after: R5 K5 B5 | J O8 O9; rack: K5 O8 O9 > -",
        "The joker comes free only for black 5 and orange 5, both from the rack.",
    ),
    (
        "sabra",
        "house: joker.group3_two=together; before: B5 J J; after: B5 K5 O5 | J J B8; rack: K5 O5 B8 > -",
        "The joker comes free only for black 5, red 5 and orange 5, all from the rack.",
    ),
    # an initial meld without a set of its own
    (
        "pressman",
        "before: R7 B7 K7; after: R7 B7 K7 O7; opened: no",
        "No new set was laid from the rack alone; an initial meld needs such sets worth 30 points.",
    ),
    # AMB-48: with cards a group is a set, and ranks are no numbers
    (
        "sets-and-runs",
        "after: 7S 7H",
        ("Set 1: only 2 cards (7 of spades and 7 of hearts); a set has at least 3."),
    ),
    (
        "sets-and-runs",
        "after: 7S 7H 8D",
        "Set 1: for a set the ranks differ (7 of spades, 7 of hearts and 8 of diamonds).",
    ),
    (
        "sets-and-runs",
        "after: 6H 7H 9H 10H",
        "Set 1: a rank is missing between the cards (6, 7, 9 and 10 of hearts).",
    ),
    (
        "sets-and-runs",
        "house: run.wrap=none; after: JS QS KS AS",
        "Set 1: the ace does not follow the king (jack, queen, king and ace of spades).",
    ),
    (
        "sets-and-runs",
        "after: QS KS AS 2S",
        (
            "Set 1: the ace is the last card after the king or the first before the 2, not both "
            "(queen, king, ace and 2 of spades)."
        ),
    ),
    (
        "sets-and-runs",
        (
            "house: run.least=4 group.least=3 group.duplicates=yes joker.max_per_set=4 "
            "joker.naturals=one; before: 7S * *; after: 7S * * 8S"
        ),
        (
            "Set 1 (7 of spades, joker, joker and 8 of spades) was a set of one rank before the turn "
            "and is a run now."
        ),
    ),
    (
        "sets-and-runs",
        "before: 4S 5S 6S 7S | 8S 8H 8D; after: 4S 5S 6S 7S 8S | 8H 8D 8C",
        (
            "The 8 of spades went from set 2 of the table before (8 of spades, 8 of hearts and "
            "8 of diamonds) to another set."
        ),
    ),
]


@pytest.mark.parametrize(("preset", "fields", "message"), SENTENCES)
def test_findings_are_told_as_players_speak(preset: str, fields: str, message: str) -> None:
    assert message in [item.message for item in ruled(preset, fields).findings]


def test_nobody_takes_sets_apart_for_a_tile_that_was_misread() -> None:
    """A repair of one move is told; where it takes more, the tiles are looked at again."""
    several = ruled("pressman", "after: K7 K8 K9 | K7 B7 R7 | K7 B7 O7").findings[0]
    assert several.message == (
        "Black 7 is there 3 times, and the game has 2; most likely a tile was misread."
    )
    assert several.repair == "look at each black 7 again; most likely one of them is another tile"
    single = ruled("pressman", "after: K7 K8 K9 K10 | K7 B7 R7 | K7 B7 O7").findings[0]
    assert single.repair == "take away black 7 from set 1"


def test_what_a_swapped_joker_was_needed_for_is_said_without_the_hand() -> None:
    """AMB-44: with the hand it is judged."""
    needed = ruled(
        "sets-and-runs",
        "before: 4S * 6S 7S; after: 4S 5S 6S 7S | 7S 7H * | KS KH KD; contract: 2 0; opened: no",
    )
    assert any("the joker that was swapped" in sentence for sentence in needed.unchecked)
    spare = ruled(
        "sets-and-runs",
        "before: 4S * 6S 7S; after: 4S 5S 6S 7S | 7S 7H 7D | KS KH KD; contract: 2 0; opened: no",
    )
    assert not any("joker" in sentence for sentence in spare.unchecked)


def test_a_question_begins_with_what_is_at_stake() -> None:
    """AMB-15: only the two readings of "manipulated" are offered."""
    asked = ruled("sabra", "before: R5 J R7; after: R4 R5 J R7; rack: R4 > -")
    (question,) = asked.questions
    assert question.options == ("no_split", "full")
    there = "Set 1 of the table before (red 5, joker and red 7) was changed while it held a joker."
    assert question.text == (
        f"Whether this is a fault depends on a house rule; by one answer it is: {there} "
        "What may be done to a set while it holds a joker? "
        "Tiles may be added; nothing may be taken away or split off (no_split). "
        "Nothing, until the joker is replaced (full)."
    )
    lifted = ruled("pressman", "before: B3 B4 B5 J; after: B3 B4 B5 | J R8 R9; rack: R8 R9 > -")
    assert lifted.questions[0].text.endswith(
        "Is that allowed here? No: a joker leaves its set only when a tile replaces it. "
        "Yes, as long as every set is legal in the end."
    )


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
