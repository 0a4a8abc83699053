"""The discard pile and the deck of the card game: buys, dead cards, and a deck that is finished."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game.cards_pile import discard_count, may_be_reshuffled
from engine.game.events import Dealt
from engine.game.state import GameState, Phase
from engine.tiles import parse_tile
from tests.engine.game.card_games import SETTLED, at, begun, refused, shown, then

HAND = "7S 7H 7D KS QH KD 4S 5S 6S 7S 3C"


def bought_from(**position: Any) -> GameState:
    """Dan discarded the king of hearts; Ada is next, and Ben, Cleo and Dan may buy."""
    position = {"others": (11, 11, 11), "discards": "2C KH", "dead": False, **position}
    return at(hand=HAND, phase=Phase.TURN, **position)


def test_a_buy_brings_the_discard_and_a_card_from_the_deck() -> None:
    """SR-25 (TV-23): 13 cards, no discard; the next player must draw from the deck."""
    state = bought_from(others=(HAND.replace("7", "8"), 11, 11))
    bought = then(state, "Ben buys; draws 5D")
    assert shown(bought) == f"Ada turn; 11 13 11 11; deck {state.pool - 1}; discard 2C dead"
    assert bought.seats[1].rack is not None
    assert {parse_tile("KH"), parse_tile("5D")} <= set(bought.seats[1].rack)
    assert [seat.buys for seat in bought.seats] == [0, 1, 0, 0]
    assert refused(bought, "Ada takes from discard") == "discard_dead"
    assert shown(then(bought, "Ada takes from deck 9D", "Ada discards 9D")).startswith("Ben turn")


def test_nobody_buys_a_second_time_before_the_next_card_is_taken() -> None:
    assert refused(then(bought_from(), "Ben buys"), "Cleo buys") == "discard_dead"


# fmt: off
BUYS: list[tuple[dict[str, Any], str, str]] = [
    # SR-24: the next player has first call, then the next in line
    ({}, "Ben buys", "bought"),
    ({}, "Cleo buys", "bought"),
    ({}, "Ada buys", "first_call"),
    ({}, "Cleo buys; called Ada", "first_call"),
    ({}, "Cleo buys; called Dan", "bought"),
    ({}, "Cleo buys; called Ben | Dan", "call_order"),
    ({}, "Ben buys; called Cleo", "bought"),
    # ... of those who may buy at all
    ({"buys": (0, 3, 0, 0)}, "Cleo buys; called Ben", "bought"),
    # SR-23: three in a round
    ({"buys": (0, 2, 0, 0)}, "Ben buys", "bought"),
    ({"buys": (0, 3, 0, 0)}, "Ben buys", "no_buys_left"),
    # AMB-46: a player who has laid down may buy, one without cards not
    ({"laid_down": "Ben"}, "Ben buys", "bought"),
    ({"laid_down": "Ben", "house": {**SETTLED, "buys.laid_down": "no"}}, "Ben buys", "may_not_buy"),
    ({"laid_down": "Ben", "others": (0, 11, 11)}, "Ben buys", "may_not_buy"),
    ({"laid_down": "Ben", "others": (0, 11, 11), "house": {**SETTLED, "buys.floating": "yes"}},
     "Ben buys", "bought"),
    # ... nor whoever discarded the card
    ({}, "Dan buys", "may_not_buy"),
    ({"house": {**SETTLED, "buys.discarder": "yes"}}, "Dan buys", "bought"),
    # ... and the card turned over at the start is bought like another, by anybody
    ({"turn": 1}, "Dan buys", "bought"),
    ({"turn": 1}, "Ben buys", "bought"),
    ({"turn": 1, "house": {**SETTLED, "buys.first_upcard": "no"}}, "Ben buys", "may_not_buy"),
    # SR-25: only the top card, and only until a card is taken
    ({"dead": True}, "Ben buys", "discard_dead"),
    ({"discards": ""}, "Ben buys", "no_discard"),
    # SR-25, SR-28: with a card from the deck
    ({"pool": 0}, "Ben buys", "pool_empty"),
    ({"pool": 1}, "Ben buys", "bought"),
    ({}, "Ben buys; draws 5D 6D", "wrong_count"),
    ({}, "Ben buys; draws K7", "wrong_deck"),
    ({}, "Ben buys; draws 7S", "too_many_copies"),
    ({}, "Zoe buys", "unknown_player"),
    ({}, "Ben buys; called Zoe", "unknown_player"),
]
# fmt: on


@pytest.mark.parametrize(("position", "text", "expected"), BUYS)
def test_who_may_buy(position: dict[str, Any], text: str, expected: str) -> None:
    state = bought_from(**position)
    if expected != "bought":
        assert refused(state, text) == expected
        return
    after = then(state, text)
    buyer = [seat.name for seat in after.seats].index(text.split(maxsplit=1)[0])
    was, now = state.seats[buyer], after.seats[buyer]
    assert (now.held - was.held, now.buys - was.buys) == (2, 1)
    assert (after.pool, discard_count(after)) == (state.pool - 1, discard_count(state) - 1)
    assert (after.to_move, after.phase, after.turn) == (state.to_move, Phase.TURN, state.turn)


def test_three_buys_are_seventeen_cards() -> None:
    """SR-26: 11, 13, 15, 17."""
    state, counts = then(begun(), Dealt(upcard=parse_tile("KH"))), []
    for rank in (3, 4, 5, 6):
        state = then(state, "Ada takes from deck", f"Ada discards {rank}D")
        counts.append(state.seats[2].held)
        if rank < 6:
            state = then(state, "Cleo buys", "Ben takes from deck", f"Ben discards {rank}H")
            state = then(state, "Cleo takes from deck", f"Cleo discards {rank}S")
    assert counts == [11, 13, 15, 17]
    assert refused(state, "Cleo buys") == "no_buys_left"


def test_buys_are_counted_anew_in_each_round() -> None:
    """SR-23."""
    state = bought_from(buys=(1, 2, 3, 0), pool=0, reshuffles=1, others=(1, 1, 1), dead=True)
    hands = "hands: Ben 2D | Cleo 3D | Dan 4D"
    assert [seat.buys for seat in then(state, "play stops", hands).seats] == [0, 0, 0, 0]


def test_a_card_is_dead_when_somebody_took_another() -> None:
    """SR-25: passed by, or covered when the card on it was taken; a discard is alive again."""
    state = bought_from()
    passed_by = then(state, "Ada takes from deck 9D")
    assert (passed_by.discards[-1], passed_by.discard_dead) == (parse_tile("KH"), True)
    covered = then(state, "Ada takes from discard KH")
    assert (covered.discards[-1], covered.discard_dead) == (parse_tile("2C"), True)
    alive = then(covered, "Ada discards 3C")
    assert shown(then(alive, "Ben takes from discard 3C")).split("; ")[1] == "11 12 11 11"


# The deck finished


def test_a_finished_deck_is_made_anew_once_of_all_discards_but_the_top() -> None:
    """SR-28, AMB-45."""
    state = bought_from(pool=0, discards="2C 3D KH")
    hidden = discard_count(state) - 3
    assert refused(state, "Ada takes from deck") == "pool_empty"
    anew = then(state, "reshuffle")
    assert (anew.pool, anew.discards, anew.reshuffles) == (2 + hidden, state.discards[-1:], 1)
    assert then(anew, "Ada takes from discard KH").seats[0].held == 12
    assert then(anew, "Ada takes from deck 2C").pool == anew.pool - 1
    assert refused(anew, "reshuffle") == "pool_not_empty"
    again = bought_from(pool=0, reshuffles=1)
    assert refused(again, "reshuffle") == "no_reshuffle"


def test_a_table_may_shuffle_all_discards() -> None:
    """AMB-45: then the discard cannot be taken any more."""
    state = bought_from(pool=0, house={**SETTLED, "pool_out.reshuffle": "all"})
    anew = then(state, "reshuffle")
    assert (anew.pool, anew.discards) == (discard_count(state), ())
    assert refused(anew, "Ada takes from discard") == "no_discard"


def test_the_deck_may_be_made_anew_within_a_turn() -> None:
    """SR-28: whoever drew its last card plays on."""
    state = at(hand=HAND, pool=0, discards="2C KH")
    anew = then(state, "reshuffle")
    assert (anew.phase, anew.to_move, anew.discard_dead) == (Phase.PLAY, 0, True)
    assert anew.discards == (parse_tile("KH"),)


@pytest.mark.parametrize(
    ("position", "code"),
    [
        ({}, "pool_not_empty"),
        ({"pool": 0}, "reshuffle_first"),
        ({"pool": 0, "reshuffles": 1}, ""),
        # AMB-45: nothing to reshuffle but the top
        ({"others": (32, 32, 32)}, ""),
        ({"others": (32, 32, 32), "house": {**SETTLED, "pool_out.reshuffle": "all"}},
         "reshuffle_first"),
        ({"others": (32, 32, 33), "discards": ""}, ""),
    ],
)  # fmt: skip
def test_a_round_ends_when_the_deck_is_finished_for_good(
    position: dict[str, Any], code: str
) -> None:
    """SR-28: a second time, or with nothing to make another of."""
    state = bought_from(**{"discards": "KH", **position})
    if code:
        assert refused(state, "play stops") == code
        return
    assert refused(state, "Ada takes from deck") == "pool_empty"
    assert refused(state, "reshuffle") == "no_reshuffle"
    over = then(state, "play stops")
    assert (over.phase, over.out, may_be_reshuffled(over)) == (Phase.ROUND_OVER, None, False)


def test_a_round_that_the_deck_ended_is_scored_as_held() -> None:
    """SR-28."""
    state = bought_from(pool=0, reshuffles=1, others=("AS", "* 2D", "10H JH"), discards="KH")
    scored = then(state, "play stops", "hands")
    assert scored.scores is not None
    assert dict(scored.scores.totals) == {"Ada": 5 * 8 + 30, "Ben": 15, "Cleo": 55, "Dan": 20}
    assert (scored.round, scored.phase, scored.starter) == (2, Phase.DEAL, 1)


def test_whoever_can_take_the_discard_need_not_stop() -> None:
    """SR-28: the deck is finished when a card is to be drawn from it and there is none."""
    state = bought_from(pool=0, reshuffles=1)
    assert shown(then(state, "Ada takes from discard KH", "Ada discards 3C")).startswith("Ben turn")
