"""Turns of the card game as events: a row for each sentence of its rules, with what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.game.cards import contract_of
from engine.game.events import Dealt, GameBegun
from engine.game.fold import apply
from engine.game.state import GameState, Phase, Refusal
from engine.tiles import parse_tile
from tests.engine.game.card_games import (
    PLAYERS,
    SETTLED,
    at,
    begun,
    event,
    rack,
    refused,
    shown,
    then,
)

# A hand in which the contracts of the first two rounds lie.
HAND = "7S 7H 7D KS KH KD 4S 5S 6S 7S 2D 3C"
ROUND_OF_RUNS: dict[str, Any] = {"laid_down": "Ada", "number": 3}


# SR-01 to SR-06: who plays, and the deal


@pytest.mark.parametrize(
    ("players", "deck"), [(2, None), (3, 74), (4, 63), (5, 52), (6, 41), (7, None)]
)
def test_three_to_six_play_and_are_dealt_eleven_cards_each(players: int, deck: int | None) -> None:
    """SR-01, SR-02, SR-05: of 108 cards one is turned over."""
    names = (*PLAYERS, "Gus")[:players]
    begun_game = apply(None, GameBegun("sets-and-runs", names))
    if deck is None:
        assert isinstance(begun_game, Refusal)
        assert begun_game.code == "wrong_players"
        return
    assert isinstance(begun_game, GameState)
    state = then(begun_game, "Ada begins", Dealt(upcard=parse_tile("KH")))
    assert shown(state) == f"Ada turn; {' '.join(['11'] * players)}; deck {deck}; discard KH"
    assert [seat.rack for seat in state.seats] == [None] * players
    assert (state.turn, state.round, contract_of(state)) == (1, 1, (2, 0))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # SR-06: a joker goes back into the deck
        ("deal; upcard *", "upcard_joker"),
        # SR-05: eleven each, of the cards there are
        (f"deal: Ada {HAND}; upcard KH", "wrong_count"),
        ("deal: Ada 7S 7H 7D KS KH KD 4S 5S 6S 7S 7S; upcard KH", "too_many_copies"),
        ("deal: Ada 7S 7H 7D KS KH KD 4S 5S 6S 7S KH; upcard KH", "too_many_copies"),
        ("deal: Ada K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11; upcard KH", "wrong_deck"),
        ("deal; upcard K7", "wrong_deck"),
        ("deal: Dan 7S; upcard KH", "unknown_player"),
        ("Ada takes from deck", "wrong_phase"),
    ],
)
def test_what_is_no_deal(text: str, code: str) -> None:
    assert refused(begun(), text) == code


def test_a_card_turned_over_that_nobody_saw_lies_there_all_the_same() -> None:
    state = then(begun(), Dealt())
    assert shown(state) == "Ada turn; 11 11 11; deck 74; discard None"
    taken = then(state, "Ada takes from discard 5H")
    assert shown(taken) == "Ada play; 12 11 11; deck 74; discard None dead"
    assert shown(then(taken, "Ada discards 5H")) == "Ben turn; 11 11 11; deck 74; discard 5H"
    assert refused(then(taken, "Ada discards 5H"), "Ben takes from discard 5D") == "other_card"


def test_the_contracts_follow_one_another_and_the_deal_goes_round() -> None:
    """SR-03, SR-27, AMB-39: seven rounds, a card more each; SR-04: the next player begins each."""
    state, found = begun(), []
    for _ in range(7):
        state = then(state, Dealt(upcard=parse_tile("2C")))
        assert state.to_move is not None
        found.append((contract_of(state), state.seats[state.to_move].name))
        assert [(seat.opened, seat.buys, seat.held) for seat in state.seats] == [(False, 0, 11)] * 3
        state = then(replace(state, pool=0, reshuffles=1), "play stops", all_hold("3D"))
    assert found == [
        ((2, 0), "Ada"),
        ((1, 1), "Ben"),
        ((0, 2), "Cleo"),
        ((3, 0), "Ada"),
        ((2, 1), "Ben"),
        ((1, 2), "Cleo"),
        ((0, 3), "Ada"),
    ]
    assert state.phase is Phase.GAME_OVER


def all_hold(card: str) -> str:
    """Hands of eleven cards for three players, of one kind as far as there are so many."""
    suits = {"Ada": "S", "Ben": "H", "Cleo": "C"}
    hands = {
        name: " ".join(f"{rank}{suit} {rank}{suit}" for rank in range(4, 9))
        for name, suit in suits.items()
    }
    last = {"Ada": card, "Ben": card, "Cleo": "9D"}
    return "hands: " + " | ".join(f"{name} {hands[name]} {last[name]}" for name in suits)


def test_three_sets_may_come_in_the_sixth_round() -> None:
    """AMB-39: the order of another family."""
    house = {**SETTLED, "contracts.order": "family"}
    rounds = [contract_of(at(number=number, house=house)) for number in range(1, 9)]
    assert rounds == [(2, 0), (1, 1), (0, 2), (2, 1), (1, 2), (3, 0), (0, 3), (0, 3)]


# SR-07: a turn


def test_a_turn_is_a_card_taken_and_a_card_discarded() -> None:
    """SR-07: from the deck or, as long as nobody took a card since, the discard."""
    state = at(hand=HAND.replace(" 3C", ""), phase=Phase.TURN, discards="9C 2C", dead=False)
    deck = then(state, "Ada takes from deck 5H")
    assert shown(deck) == "Ada play; 12 11 11; deck 72; discard 2C dead"
    assert "5H" in rack(deck).split()
    pile = then(state, "Ada takes from discard 2C")
    assert shown(pile) == "Ada play; 12 11 11; deck 73; discard 9C dead"
    ended = then(deck, "Ada discards 5H")
    assert shown(ended) == "Ben turn; 11 11 11; deck 72; discard 5H"
    assert (ended.seats[0].rack, ended.turn) == (state.seats[0].rack, state.turn + 1)


# fmt: off
NO_TURNS = [
    # G-09, SR-07: who, and in which order
    (Phase.TURN, "Ben takes from deck", "not_your_turn"),
    (Phase.TURN, "Zoe takes from deck", "unknown_player"),
    (Phase.TURN, "Ada discards 3C", "wrong_phase"),
    (Phase.TURN, "Ada plays: 7S 7H 7D | KS KH KD", "wrong_phase"),
    (Phase.TURN, "Ada misplays", "wrong_phase"),
    (Phase.PLAY, "Ada takes from deck", "wrong_phase"),
    (Phase.PLAY, "Ada takes from discard", "wrong_phase"),
    (Phase.PLAY, "Ben discards 3C", "not_your_turn"),
    (Phase.PLAY, "Ben plays: 7S 7H 7D | KS KH KD", "not_your_turn"),
    (Phase.PLAY, "Ben buys", "wrong_phase"),
    (Phase.PLAY, "play stops", "wrong_phase"),
    (Phase.ROUND_OVER, "Ada takes from deck", "wrong_phase"),
    (Phase.DEAL, "reshuffle", "wrong_phase"),
    # what a turn of cards is not
    (Phase.TURN, "Ada passes", "not_in_this_game"),
    (Phase.TURN, "Ada draws 5H", "not_in_this_game"),
    (Phase.PLAY, "Ada runs out of time", "not_in_this_game"),
    # cards that are not there
    (Phase.TURN, "Ada takes from deck 7S", "too_many_copies"),
    (Phase.TURN, "Ada takes from deck K7", "wrong_deck"),
    (Phase.TURN, "Ada takes from discard 9C", "other_card"),
    (Phase.PLAY, "Ada discards 9C", "not_held"),
    (Phase.PLAY, "Ada discards K7", "wrong_deck"),
]
# fmt: on


@pytest.mark.parametrize(("phase", "text", "code"), NO_TURNS)
def test_what_is_no_step_of_a_turn(phase: Phase, text: str, code: str) -> None:
    """SR-30: there is no clock to run out."""
    assert refused(at(hand=HAND, phase=phase, dead=False), text) == code


# SR-08 to SR-11, SR-20 to SR-22, AMB-40 to AMB-48: what is played

# fmt: off
PLAYS: list[tuple[dict[str, Any], str, str, str]] = [
    # SR-08: just the contract of the round, all at once
    ({}, "-", "7S 7H 7D | KS KH KD", "2D 3C 4S 5S 6S 7S"),
    ({}, "-", "7S 7H 7D", "illegal CONTRACT_NOT_MET SR-08"),
    ({}, "-", "7S 7H 7D | 4S 5S 6S 7S", "illegal CONTRACT_NOT_MET SR-08"),
    ({"number": 2}, "-", "7S 7H 7D | 4S 5S 6S 7S", "2D 3C KS KH KD"),
    ({"number": 2}, "-", "7S 7H 7D | KS KH KD", "illegal CONTRACT_NOT_MET SR-08"),
    # AMB-47: with more cards than it needs, which are lay-offs; or not
    ({}, "-", "7S 7S 7H 7D | KS KH KD", "2D 3C 4S 5S 6S"),
    ({"house": {**SETTLED, "contracts.exact": "yes"}}, "-", "7S 7S 7H 7D | KS KH KD",
     "illegal CONTRACT_EXCEEDED AMB-47"),
    # SR-09: nothing beyond it, then or later
    ({}, "-", "7S 7H 7D | KS KH KD | 4S 5S 6S 7S", "illegal EXTRA_MELD SR-09"),
    ({"laid_down": "Ada"}, "9S 9H 9D", "9S 9H 9D | KS KH KD", "illegal EXTRA_MELD SR-09"),
    # SR-10: on other sets, own or not, and only having laid down
    ({"laid_down": "Ben"}, "7C 7C 7D", "7C 7C 7D 7H", "illegal LAYOFF_BEFORE_LAYDOWN SR-10"),
    ({"laid_down": "Ben"}, "7C 7C 7D", "7C 7C 7D 7S | 7S 7H 7D | KS KH KD", "2D 3C 4S 5S 6S"),
    ({"laid_down": "Ada Ben"}, "7C 7C 7D", "7C 7C 7D 7H", "2D 3C 4S 5S 6S 7S 7S 7D KS KH KD"),
    # SR-11: sets only grow, and a group stays a group
    ({"laid_down": "Ada"}, "7C 7C 7H 7D", "7C 7C 7H | 7S 7S 7D",
     "illegal TABLE_REARRANGED SR-11 EXTRA_MELD SR-09"),
    ({"laid_down": "Ada", "number": 2}, "8S * *", "8S * * 7S", "illegal TABLE_REARRANGED SR-11"),
    # G-01, G-02: cards on the table stay there, and a play puts one there
    ({"laid_down": "Ada"}, "7C 7C 7H 7D", "7C 7C 7D 7S",
     "illegal TILE_CONSERVATION G-01"),
    ({"laid_down": "Ada"}, "7C 7C 7H", "7C 7H 7C", "nothing_played"),
    # SR-14, AMB-41: a run is of one suit, and an ace does not lie between king and two
    ({"laid_down": "Ada", "number": 3}, "QD KD AD JD", "QD KD AD JD 2D", "illegal RUN_WRAPS AMB-41"),
    # SR-21 (TV-22): the joker of a run goes to the hand, and can be played at once
    (ROUND_OF_RUNS, "JD QD * AD", "JD QD KD AD", "2D 3C 4S 5S 6S 7S 7S 7H 7D KS KH *"),
    (ROUND_OF_RUNS, "JD QD * AD | 8H 9H 10H JH", "JD QD KD AD | 8H 9H 10H JH *",
     "2D 3C 4S 5S 6S 7S 7S 7H 7D KS KH"),
    (ROUND_OF_RUNS, "4D * 6D 8D", "4D 6D 8D", "nothing_played"),
    (ROUND_OF_RUNS, "3S * 5S 6S", "3S 5S 6S 7S",
     "illegal RUN_GAP SR-14 JOKER_NOT_REPLACED SR-21"),
    # AMB-44: only having laid down, unless the table lets everybody
    ({"laid_down": "Ben", "number": 3}, "JD QD * AD", "JD QD KD AD",
     "illegal JOKER_BEFORE_OPENING AMB-44"),
    ({"laid_down": "Ben", "number": 3, "house": {**SETTLED, "joker.before_opening": "yes"}},
     "JD QD * AD", "JD QD KD AD", "2D 3C 4S 5S 6S 7S 7S 7H 7D KS KH *"),
    # SR-22: the joker of a set is locked
    ({"laid_down": "Ada"}, "7C 7C *", "7C 7C 7D", "illegal JOKER_LOCKED SR-22"),
    # ... that of three jokers and a card too, in a round of sets alone
    ({"laid_down": "Ada"}, "8C * * *", "8C * * * 7C", "not_held"),
    ({"laid_down": "Ada"}, "3S * * *", "3S 4S * *",
     "illegal JOKER_LOCKED SR-22"),
    # AMB-48: a set is cards of one rank here
    ({}, "-", "7S 7H 7D | KS KH 2D", "illegal GROUP_NUMBERS_DIFFER AMB-40"),
    # what cannot be
    ({}, "-", "9S 9H 9D | KS KH KD", "not_held"),
    ({}, "-", "7S 7S 7S | KS KH KD", "too_many_copies"),
    ({}, "-", "K7 B7 R7 | KS KH KD", "wrong_deck"),
]
# fmt: on


@pytest.mark.parametrize(("position", "table", "after", "expected"), PLAYS)
def test_what_may_be_played(
    position: dict[str, Any], table: str, after: str, expected: str
) -> None:
    """A play that is legal leaves the hand expected, in any order."""
    state = at(table, HAND, **position)
    outcome = apply(state, event(f"Ada plays: {after}"))
    if isinstance(outcome, Refusal):
        assert refused(state, f"Ada plays: {after}") == expected
        return
    assert sorted(rack(outcome).split()) == sorted(expected.split())
    assert str(outcome.table) == after
    assert outcome.phase is Phase.PLAY
    assert (outcome.pool, outcome.discards) == (state.pool, state.discards)


def test_whoever_lays_the_contract_has_laid_down_and_goes_on_in_the_same_turn() -> None:
    """SR-08, SR-10: laying down, laying off and swapping are steps of one turn."""
    state = at("2S 2H 2C", HAND, laid_down="Ben")
    state = then(state, "Ada plays: 2S 2H 2C | 7S 7H 7D | KS KH KD")
    assert [seat.opened for seat in state.seats] == [True, True, False]
    state = then(state, "Ada plays: 2S 2H 2C 2D | 7S 7H 7D 7S | KS KH KD")
    assert rack(state) == "4S 5S 6S 3C"
    assert shown(then(state, "Ada discards 6S")).startswith("Ben turn; 3 11 11")


def test_a_play_that_is_asked_about_waits_for_the_answer() -> None:
    """SR-15, AMB-41: whether an ace is high is asked once, and then holds."""
    state = at("9S 10S JS QS", "KS AS 2D", laid_down="Ada", number=3, house={})
    king = then(state, "Ada plays: 9S 10S JS QS KS")
    play = event("Ada plays: 9S 10S JS QS KS AS")
    asked = apply(king, play)
    assert isinstance(asked, Refusal)
    assert asked.code == "ask"
    assert asked.ruling is not None
    assert asked.ruling.questions[0].rule == "run.wrap"
    assert asked.reason == asked.ruling.questions[0].text
    # The discard of the ace hangs on the same answer.
    assert refused(king, "Ada discards AS") == "ask"
    high = then(king, "house rule: run.wrap=high_or_low")
    assert then(high, play).seats[0].held == 1
    assert refused(high, "Ada discards AS") == "illegal DISCARD_PLAYABLE SR-18"
    low = then(king, "house rule: run.wrap=none")
    assert refused(low, "Ada plays: 9S 10S JS QS KS AS") == "illegal RUN_WRAPS AMB-41"
    assert then(low, "Ada discards AS").to_move == 1


# SR-16 to SR-18: the discard, going out, floating


def test_a_round_ends_when_the_last_card_is_discarded() -> None:
    """SR-16."""
    state = at("9S 9H 9D", "9C 3C", laid_down="Ada")
    over = then(state, "Ada plays: 9S 9H 9D 9C", "Ada discards 3C")
    assert (over.phase, over.out, over.to_move) == (Phase.ROUND_OVER, 0, None)
    assert refused(over, "Ben takes from deck") == "wrong_phase"


def test_who_plays_all_cards_floats_until_a_card_drawn_cannot_be_played() -> None:
    """SR-17: the turn is over without a discard, and the round goes on."""
    state = at("9S 9H 9D", "9C", laid_down="Ada", discards="5D 2C")
    floating = then(state, "Ada plays: 9S 9H 9D 9C")
    assert shown(floating) == "Ben turn; 0 11 11; deck 80; discard 2C dead"
    assert refused(floating, "Ben takes from discard 2C") == "discard_dead"
    back = then(
        floating,
        "Ben takes from deck",
        "Ben discards QH",
        "Cleo takes from deck",
        "Cleo discards QD",
        "Ada takes from deck 9S",
    )
    assert refused(back, "Ada discards 9S") == "illegal DISCARD_PLAYABLE SR-18"
    again = then(back, "Ada plays: 9S 9H 9D 9C 9S")
    assert (again.seats[0].held, again.to_move, again.phase) == (0, 1, Phase.TURN)
    others = ("Ben takes from deck", "Ben discards QS", "Cleo takes from deck", "Cleo discards QC")
    over = then(again, *others, "Ada takes from deck 3C", "Ada discards 3C")
    assert (over.phase, over.out) == (Phase.ROUND_OVER, 0)


def test_another_player_ends_the_round_while_somebody_floats() -> None:
    """SR-16, SR-17: a floating player holds nothing, and has 0 points."""
    state = at("9S 9H 9D", "3C", (0, "4D 4H"), laid_down="Ada Ben")
    over = then(state, "Ada discards 3C", "hands")
    assert over.scores is not None
    assert dict(over.scores.totals) == {"Ada": 0, "Ben": 0, "Cleo": 10}
    assert over.scores.winners == ("Ada", "Ben")


def test_three_runs_can_be_laid_from_the_eleven_cards_dealt_and_one_drawn() -> None:
    """SR-27 (TV-24): twelve cards, and their player floats."""
    runs = "3S 4S 5S 6S | 8H 9H 10H JH | AD 2D 3D 4D"
    state = at(hand=runs.replace(" |", "").removesuffix(" 4D"), number=7, phase=Phase.TURN)
    floating = then(state, "Ada takes from deck 4D", f"Ada plays: {runs}")
    assert (floating.seats[0].held, floating.seats[0].opened, floating.to_move) == (0, True, 1)


# fmt: off
DISCARDS: list[tuple[dict[str, Any], str, str, str, str]] = [
    # SR-18: not what could be played on a set, or in the place of a joker (AMB-42)
    ({}, "9S 9H 9D", "9C KD", "9C", "illegal DISCARD_PLAYABLE SR-18"),
    ({}, "9S 9H 9D", "9C KD", "KD", "Ben"),
    ({"number": 3}, "4S 5S 6S 7S", "3S KD", "3S", "illegal DISCARD_PLAYABLE SR-18"),
    ({"number": 3}, "4S 5S 6S 7S", "2S KD", "2S", "Ben"),
    ({"number": 3}, "4S * 6S 7S", "5S KD", "5S", "illegal DISCARD_PLAYABLE SR-18"),
    ({}, "9S 9H 9D", "* KD", "*", "illegal DISCARD_PLAYABLE SR-18"),
    # ... not even as the only card
    ({}, "9S 9H 9D", "9C", "9C", "illegal DISCARD_PLAYABLE SR-18"),
    # ... but two jokers and a card that lie as a set take no card of a run
    ({}, "8S * *", "7S KD", "7S", "Ben"),
    ({"number": 2}, "8S * *", "7S KD", "7S", "Ben"),
    ({}, "8S * * *", "7S KD", "7S", "Ben"),
    # ... and nobody is bound by a row that may be a set or a run, and takes the card as one of them
    ({"number": 2}, "8S * * *", "8D KD", "8D", "Ben"),
    # AMB-42: who has not laid down could not have played it
    ({"laid_down": "Ben"}, "9S 9H 9D", "9C KD", "9C", "Ben"),
    ({"laid_down": "Ben", "house": {**SETTLED, "discard.playable_ban": "any"}},
     "9S 9H 9D", "9C KD", "9C", "illegal DISCARD_PLAYABLE SR-18"),
    ({"house": {**SETTLED, "discard.playable_ban": "off"}}, "9S 9H 9D", "9C KD", "9C", "Ben"),
]
# fmt: on


@pytest.mark.parametrize(("position", "table", "hand", "card", "expected"), DISCARDS)
def test_what_may_be_discarded(
    position: dict[str, Any], table: str, hand: str, card: str, expected: str
) -> None:
    """Whose turn is next, or how the discard is refused."""
    state = at(table, hand, **{"laid_down": "Ada", **position})
    outcome = apply(state, event(f"Ada discards {card}"))
    if isinstance(outcome, Refusal):
        assert refused(state, f"Ada discards {card}") == expected
        return
    assert outcome.to_move is not None
    assert outcome.seats[outcome.to_move].name == expected
    assert (outcome.discards[-1], outcome.discard_dead) == (parse_tile(card), False)


def test_somebody_with_a_name_may_let_a_discard_or_a_play_stand() -> None:
    state = at("9S 9H 9D", "9C KD 2D", laid_down="Ada")
    assert then(state, "Ada discards 9C; overruled by Ben").discards[-1] == parse_tile("9C")
    let_stand = then(state, "Ada plays: 9S 9H 9D KD; overruled by Ben")
    assert (let_stand.seats[0].held, let_stand.phase) == (2, Phase.PLAY)
    # Nobody can mend that set, and nobody is accused of it later.
    went_on = then(let_stand, "Ada discards 2D", "Ben takes from deck", "Ben discards 5C")
    assert went_on.unsettled is not None
    assert str(went_on.unsettled.table) == "9S 9H 9D"
    back = then(went_on, "fault noticed by Cleo: taken back")
    assert str(back.table) == "9S 9H 9D"
    assert (rack(back), back.unsettled) == ("KD 9C", None)


def test_what_the_players_let_stand_for_good_is_nobodys_fault_in_later_plays() -> None:
    """AMB-26: nothing is left to settle, and KD is still no nine."""
    state = at("9S 9H 9D | 4C 4D 4H", "9C KD 2D", ("4S 4S 5C", 11), laid_down="Ada Ben")
    state = then(
        state,
        "Ada plays: 9S 9H 9D KD | 4C 4D 4H; overruled by Ben",
        "Ada discards 2D",
        "fault noticed by Cleo: stands",
        "Ben takes from deck",
        "Ben plays: 9S 9H 9D KD | 4C 4D 4H 4S",
    )
    assert (state.unsettled, state.seats[1].held) == (None, 3)
    assert refused(state, "Ben plays: 9S 9H 9D KD | 4C 4D 4H 4S 5C") == (
        "illegal GROUP_NUMBERS_DIFFER AMB-40"
    )


# fmt: off
MOVED_ON = [
    # Ada puts KD in the place of 9C, which is hers then, and it stays hers.
    (4, ["Ada discards 2D", "Ben takes from deck"], "9S 9H 9D 9C"),
    ("KD 2D 3D 4D", ["Ada discards 2D", "Ben takes from deck"], "9S 9H 9D 9C"),
    # It is discarded, and lies there or is in another hand now: it cannot lie on the table too.
    (4, ["Ada discards 9C"], "not_held"),
    ("KD 2D 3D 4D", ["Ada discards 9C"], "not_held"),
    (4, ["Ada discards 9C", "Ben takes from discard"], "not_held"),
    (4, ["Ada discards 9C", "Cleo buys"], "not_held"),
    # Of two copies that she is known to hold one is left; of a hand that nobody saw nobody can tell.
    ("KD 9C 3D 4D", ["Ada discards 9C"], "9S 9H 9D 9C"),
]
# fmt: on


@pytest.mark.parametrize(("hand", "later", "expected"), MOVED_ON)
def test_a_table_does_not_go_back_without_a_card_that_has_moved_on(
    hand: str | int, later: list[str], expected: str
) -> None:
    """The table after a late fault is taken back (AMB-26), or how that is refused."""
    house = {**SETTLED, "misplay.late": "rollback", "discard.playable_ban": "off"}
    state = at("9S 9H 9D 9C", hand, laid_down="Ada", house=house)
    state = then(state, "Ada plays: 9S 9H 9D KD; overruled by Ben", *later)
    if state.phase is Phase.PLAY:
        state = then(state, "Ben discards 5C")
    outcome = apply(state, event("fault noticed"))
    if isinstance(outcome, Refusal):
        assert outcome.code == expected
        return
    assert (str(outcome.table), outcome.unsettled) == (expected, None)
    assert outcome.seats[0].held == 3


def test_two_cards_from_the_table_do_not_go_back_when_one_was_discarded() -> None:
    """Taken one by one, both of the same kind, by a hand that nobody saw."""
    house = {**SETTLED, "discard.playable_ban": "off"}
    state = at("9S 9H 9C | 9D 9H 9C", 6, laid_down="Ada", house=house)
    state = then(
        state,
        "Ada plays: 9S 9H KD | 9D 9H 9C; overruled by Ben",
        "Ada plays: 9S 9H KD | 9D 9H KH; overruled by Ben",
    )
    kept = then(state, "Ada discards 2D", "fault noticed by Cleo: taken back")
    assert (str(kept.table), kept.seats[0].held) == ("9S 9H 9C | 9D 9H 9C", 5)
    gone = then(state, "Ada discards 9C")
    outcome = apply(gone, event("fault noticed by Cleo: taken back"))
    assert isinstance(outcome, Refusal)
    assert outcome.reason == (
        "Ada may not hold the 9 of clubs any more, which came from the table."
    )
    assert then(gone, "fault noticed by Cleo: stands").unsettled is None


def test_later_plays_on_other_sets_are_judged_without_the_one_that_was_let_stand() -> None:
    state = at("9S 9H 9D | 4C 4D 4H", "9C KD 4S 4S", laid_down="Ada")
    state = then(state, "Ada plays: 9S 9H 9D KD | 4C 4D 4H; overruled by Ben")
    read_from_the_other_side = then(state, "Ada plays: 4S 4H 4D 4C | KD 9D 9H 9S")
    assert read_from_the_other_side.seats[0].held == 2
    state = then(state, "Ada plays: 9S 9H 9D KD | 4C 4D 4H 4S")
    assert refused(state, "Ada plays: 9S 9H 9D KD 9C | 4C 4D 4H 4S") == (
        "illegal GROUP_NUMBERS_DIFFER AMB-40"
    )
    assert refused(state, "Ada discards 4S") == "illegal DISCARD_PLAYABLE SR-18"
    assert (
        [len(item.laid) for item in state.unsettled.since] == [1, 1] if state.unsettled else False
    )


def test_a_set_that_a_new_house_rule_forbids_stands_and_is_nobodys_fault() -> None:
    """AMB-41: the table chose only after a high ace lay there."""
    state = at("JS QS KS AS | 9S 9H 9D", "9C KD 2D", laid_down="Ada", number=2)
    state = then(state, "house rule: run.wrap=none", "Ada plays: JS QS KS AS | 9S 9H 9D 9C")
    assert refused(state, "Ada plays: JS QS KS AS 10S | 9S 9H 9D 9C") == "not_held"
    assert then(state, "Ada discards KD").to_move == 1


def test_what_cannot_be_is_not_let_stand_by_anybody() -> None:
    state = at("9S 9H 9D", "9C KD", laid_down="Ada")
    assert refused(state, "Ada plays: 9S 9H 9D 5C; overruled by Ben") == "not_held"
    assert refused(state, "Ada discards 5C; overruled by Ben") == "not_held"
