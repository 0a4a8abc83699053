"""Turns of Sets and Runs, with cards: a row for each sentence of its rules."""

from __future__ import annotations

import pytest

from engine.faults import Ruling
from engine.referee import Verdict, judge
from engine.ruleset import load_ruleset, quotation
from engine.turns import parse_turn

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK


def ruled(
    before: str,
    after: str,
    hand: str = "? > ?",
    discard: str = "",
    contract: str = "2 0",
    laid_down: str = "no",
    house: str = "",
) -> Ruling:
    """The ruling on a turn in the notation."""
    turn = parse_turn(
        f"turn/1 sets-and-runs; before: {before}; after: {after}; rack: {hand}; "
        f"opened: {laid_down}; elapsed: ?"
        + (f"; contract: {contract}" if contract else "")
        + (f"; discard: {discard}" if discard else "")
        + (f"; house: {house}" if house else "")
    )
    return judge(turn.turn, load_ruleset(turn.preset, turn.house_rules))


def told(ruling: Ruling) -> list[str]:
    """Each finding as code and rule."""
    return [f"{finding.code} {finding.rule}" for finding in ruling.findings]


# fmt: off
SETS = [
    # SR-13, AMB-40: three or more of one rank, any suits, the same twice too
    ("7S 7H 7D", []),
    ("7S 7S 7D", []),
    ("7S 7H 7D 7C 7S 7H", []),
    ("7S 7H", ["SET_TOO_SHORT AMB-40"]),
    ("7S 7H 8D", ["GROUP_NUMBERS_DIFFER AMB-40"]),
    # SR-14: runs of four or more in one suit
    ("6H 7H 8H 9H", []),
    ("4S * 6S 7S", []),
    ("6H 7H 8H", ["SET_TOO_SHORT SR-14"]),
    ("6H 7H 8H 9D", ["RUN_COLOURS_DIFFER SR-14"]),
    ("6H 7H 9H 10H", ["RUN_GAP SR-14"]),
    ("6H 7H 7H 8H 9H", ["RUN_NUMBER_TWICE SR-14"]),
    # SR-15, AMB-41: an ace is low; whether it may be high is asked; it is never in between
    ("AS 2S 3S 4S", []),
    ("QS KS AS 2S", ["RUN_WRAPS AMB-41"]),
    # SR-20, AMB-43: jokers are wild, with at least one other card
    ("* * 7D", []),
    ("* * * 7D", []),
    ("* * *", ["NO_NATURAL_TILE AMB-43"]),
    ("9C", ["LOOSE_TILE SR-11"]),
    # G-04: two decks and four jokers
    ("7S 7S 7S", ["TOO_MANY_COPIES G-04"]),
    ("* * 7D | * * 8D | * 9D 9S", ["TOO_MANY_COPIES G-04"]),
]

LAYING_DOWN = [
    # SR-08: the contract of the round, all at once
    ("-", "7S 7H 7D | KS KH KD", "2 0", []),
    ("-", "7S 7H 7D | 4S 5S 6S 7S", "1 1", []),
    ("-", "6H 7H 8H 9H | 4S * 6S 7S", "0 2", []),
    ("-", "7S 7H 7D | KS KH KD | 4S 5S 6S 7S", "2 1", []),
    ("-", "7S 7H 7D", "2 0", ["CONTRACT_NOT_MET SR-08"]),
    ("-", "7S 7H 7D | 4S 5S 6S 7S", "2 0", ["CONTRACT_NOT_MET SR-08"]),
    ("-", "7S 7H 7D | KS KH KD", "1 1", ["CONTRACT_NOT_MET SR-08"]),
    # ... a set that may be either counts as what is wanted
    ("-", "7S * * * | KS KH KD", "1 1", []),
    ("-", "7S * * * | KS KH KD", "2 0", []),
    # SR-09: nothing beyond it
    ("-", "7S 7H 7D | KS KH KD | 9S 9H 9D", "2 0", ["EXTRA_MELD SR-09"]),
    # AMB-47: with more cards than it needs
    ("-", "7S 7H 7D 7C | KS KH KD", "2 0", []),
    # SR-10: once laid down, playing on other sets begins in the same turn
    ("9S 9H 9D", "9S 9H 9D 9C | 7S 7H 7D | KS KH KD", "2 0", []),
    # ... and not before
    ("9S 9H 9D", "9S 9H 9D 9C", "2 0", ["LAYOFF_BEFORE_LAYDOWN SR-10"]),
    ("9S 9H 9D", "9S 9H 9D 9C | 7S 7H 7D", "2 0",
     ["CONTRACT_NOT_MET SR-08", "LAYOFF_BEFORE_LAYDOWN SR-10"]),
    # what is no set is told as that
    ("-", "7S 7H 8D | KS KH KD", "2 0", ["GROUP_NUMBERS_DIFFER AMB-40"]),
]

LAID_DOWN = [
    # SR-10: on one's own or other players' sets
    ("9S 9H 9D | 4S 5S 6S 7S", "9S 9H 9D 9C | 3S 4S 5S 6S 7S 8S", []),
    # SR-09: no further set
    ("9S 9H 9D", "9S 9H 9D | 7S 7H 7D", ["EXTRA_MELD SR-09"]),
    # SR-11: sets on the table only grow
    ("4S 5S 6S 7S 8S", "4S 5S 6S 7S | 8S 8H 8D", ["TABLE_REARRANGED SR-11", "EXTRA_MELD SR-09",
                                                  "EXTRA_MELD SR-09"]),
    ("9S 9H 9D 9C", "9S 9H 9D", ["TABLE_REARRANGED SR-11", "EXTRA_MELD SR-09",
                                 "TILE_CONSERVATION G-01"]),
    # SR-21 (TV-22): the joker of a run goes to the hand
    ("4S * 6S 7S", "4S 5S 6S 7S", []),
    ("4S * 6S 7S", "4S 5S 6S 7S *", []),
    ("4S * 6S 7S | 9S 9H 9D", "4S 5S 6S 7S | 9S 9H 9D *", []),
    ("4S 5S 6S 7S *", "4S 5S 6S 7S", ["JOKER_NOT_REPLACED SR-21"]),
    ("4S 5S 6S 7S *", "3S 4S 5S 6S 7S", ["JOKER_NOT_REPLACED SR-21"]),
    # SR-22: the joker of a set is locked
    ("9S 9H *", "9S 9H 9D", ["JOKER_LOCKED SR-22"]),
    ("9S 9H *", "9S 9H * 9D", []),
]

DISCARDS = [
    # SR-07, SR-16, SR-17: a discard, unless the hand is empty and the player floats
    ("9S 9H 9D", "9S 9H 9D", "2C KD > KD 4H", "2C", []),
    ("9S 9H 9D", "9S 9H 9D", "2C KD > 2C KD 4H", "-", ["DISCARD_MISSING SR-07"]),
    ("9S 9H 9D", "9S 9H 9D 9C", "- > -", "-", []),
    ("9S 9H 9D", "9S 9H 9D", "- > -", "4H", []),
    # SR-18: not a card that could be played
    ("9S 9H 9D", "9S 9H 9D", "9C KD > KD 4H", "9C", ["DISCARD_PLAYABLE SR-18"]),
    ("4S 5S 6S 7S", "4S 5S 6S 7S", "3S KD > KD 4H", "3S", ["DISCARD_PLAYABLE SR-18"]),
    ("9S 9H 9D", "9S 9H 9D", "* KD > KD 4H", "*", ["DISCARD_PLAYABLE SR-18"]),
    # ... on the place of a joker, too (AMB-42)
    ("4S * 6S 7S", "4S * 6S 7S", "5S KD > KD 4H", "5S", ["DISCARD_PLAYABLE SR-18"]),
    # TV-22: the joker is in the hand afterwards
    ("4S * 6S 7S", "4S 5S 6S 7S", "5S KD 2C > KD * 4H", "2C", []),
    # G-01, G-03, G-08
    ("9S 9H 9D", "9S 9H 9D", "2C KD > 4H", "2C", ["TILE_CONSERVATION G-01"]),
    ("9S 9H 9D", "9S 9H 9D", "2C KD > KD 4H 5H", "2C", ["RACK_COUNT G-08"]),
    ("9S 9H 9D 9C", "9S 9H 9D", "2C KD > KD 9C 5H", "2C",
     ["TABLE_REARRANGED SR-11", "EXTRA_MELD SR-09", "TABLE_TILE_TO_RACK G-03"]),
    ("9S 9H 9D", "9S 9H 9D", "2C KD > 4H", "2C KD", ["DISCARD_TWO SR-07"]),
    # SR-17: a floating player plays the card drawn where it can be played, discards it otherwise
    ("9S 9H 9D", "9S 9H 9D", "- > 9C", "-", ["DISCARD_MISSING SR-07", "FLOATING_MUST_PLAY SR-17"]),
    ("9S 9H 9D", "9S 9H 9D", "- > -", "9C", ["DISCARD_PLAYABLE SR-18"]),
    ("9S 9H 9D", "9S 9H 9D", "- > 4H", "-", ["DISCARD_MISSING SR-07"]),
]
# fmt: on


@pytest.mark.parametrize(("table", "expected"), SETS)
def test_a_table_by_itself(table: str, expected: list[str]) -> None:
    ruling = ruled("?", table)
    assert told(ruling) == expected
    assert ruling.verdict is (ILLEGAL if expected else LEGAL)


@pytest.mark.parametrize(("before", "after", "contract", "expected"), LAYING_DOWN)
def test_laying_down(before: str, after: str, contract: str, expected: list[str]) -> None:
    assert told(ruled(before, after, contract=contract)) == expected


@pytest.mark.parametrize(("before", "after", "expected"), LAID_DOWN)
def test_after_laying_down(before: str, after: str, expected: list[str]) -> None:
    assert told(ruled(before, after, laid_down="yes")) == expected


@pytest.mark.parametrize(("before", "after", "hand", "discard", "expected"), DISCARDS)
def test_hand_and_discard(
    before: str, after: str, hand: str, discard: str, expected: list[str]
) -> None:
    assert told(ruled(before, after, hand, discard, laid_down="yes")) == expected


def test_the_hand_tells_the_buys_before_laying_down() -> None:
    """SR-23, SR-25, SR-26 (TV-23): 11 cards dealt, two more a buy, three buys at most."""
    cards = " ".join(f"{rank}{suit}" for suit in "SH" for rank in (*range(2, 11), "J"))
    hands = {count: " ".join(cards.split()[:count]) for count in (17, 19)}
    for count, expected in ((17, []), (19, ["TOO_MANY_BUYS SR-23"])):
        hand = hands[count]
        assert told(ruled("-", "-", f"{hand} > {hand}", "KD")) == expected
    laid_down = ruled("9C 9C 9D", "9C 9C 9D", f"{hands[19]} > {hands[19]}", "KD", laid_down="yes")
    assert not told(laid_down)


def test_who_may_not_discard_a_playable_card() -> None:
    """AMB-42: a player who has laid down, unless the table says otherwise."""
    turn = ("9S 9H 9D", "9S 9H 9D", "9C KD > KD 4H", "9C")
    assert not told(ruled(*turn))
    assert told(ruled(*turn, house="discard.playable_ban=any")) == ["DISCARD_PLAYABLE SR-18"]
    off = ruled(*turn, laid_down="yes", house="discard.playable_ban=off")
    assert not told(off)


def test_a_joker_is_swapped_only_after_laying_down() -> None:
    """AMB-44, and in the turn of laying down."""
    swap = ("4S * 6S 7S", "4S 5S 6S 7S")
    assert told(ruled(*swap)) == ["JOKER_BEFORE_OPENING AMB-44"]
    assert not told(ruled(*swap, house="joker.before_opening=yes"))
    with_contract = f"{swap[1]} | 7S 7H 7D | KS KH KD"
    assert not told(ruled(swap[0], with_contract))


def test_house_rules_of_sets() -> None:
    """AMB-40, AMB-43, AMB-47."""
    assert not told(ruled("?", "6H 7H 8H", house="run.least=3"))
    as_many = "joker.naturals=as_many"
    assert told(ruled("?", "* * 7D", house=as_many)) == ["TOO_MANY_JOKERS AMB-43"]
    assert not told(ruled("?", "* * 7D 7S", house=as_many))
    big = ruled("-", "7S 7H 7D 7C | KS KH KD", house="contracts.exact=yes")
    assert told(big) == ["CONTRACT_EXCEEDED AMB-47"]


def test_a_high_ace_is_asked_once() -> None:
    """SR-15, AMB-41: the document says nothing."""
    asked = ruled("?", "JS QS KS AS")
    assert [(q.rule, q.options) for q in asked.questions] == [("run.wrap", ("none", "high_or_low"))]
    assert told(ruled("?", "JS QS KS AS", house="run.wrap=none")) == ["RUN_WRAPS AMB-41"]
    assert not told(ruled("?", "JS QS KS AS", house="run.wrap=high_or_low"))


def test_whether_a_player_had_laid_down_is_asked_where_it_matters() -> None:
    asked = ruled("9S 9H 9D", "9S 9H 9D 9C", laid_down="?")
    assert asked.verdict is ASK
    assert asked.questions[0].text == "Had this player laid down before this turn?"
    first = ruled("-", "7S 7H 7D | KS KH KD", laid_down="?")
    assert first.verdict is LEGAL


def test_what_was_not_seen_is_said() -> None:
    ruling = ruled("-", "7S 7H 7D | KS KH KD", contract="")
    assert ruling.verdict is LEGAL
    for word in ("contract", "discard", "hand"):
        assert any(word in sentence for sentence in ruling.unchecked)


def test_rulings_speak_of_cards_in_the_document_s_own_words() -> None:
    (short,) = ruled("?", "6H 7H 8H").findings
    assert short.message == "Set 1: only 3 cards; a run has at least 4."
    for before, after, expected in LAID_DOWN:
        for item in ruled(before, after, laid_down="yes").findings:
            assert item.quote == quotation(item.rule)
            assert expected
