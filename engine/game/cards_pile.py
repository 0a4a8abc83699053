"""The deck and the discard pile of the card game: cards taken and bought, the deck finished.

Only the top discard can be had, and only until somebody takes a card: then it is dead (SR-25).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.game.events import CardBought, CardTaken, PlayStopped, Reshuffled, Tiles
from engine.game.rounds import end_round
from engine.game.seats import (
    Outcome,
    check_phase,
    check_pieces,
    gained,
    index_of,
    known_pieces,
    mover,
    next_index,
    order_from,
    pieces_of,
    refuse,
    with_seat,
)
from engine.game.state import GameState, Phase, Refusal
from engine.tiles import Tile
from engine.wording import count_of

_RESHUFFLES: Final = {"reshuffle_once": 1}
"""How often a finished deck is made anew in a round, by how the game treats one (SR-28)."""


# The discard pile


def discard_count(state: GameState) -> int:
    """How many cards lie on the discard pile, those that nobody saw among them.

    They are what is not in the deck, on the table or in a hand.
    """
    elsewhere = state.pool + len(state.table.tiles) + sum(seat.held for seat in state.seats)
    return pieces_of(state.rules) - elsewhere


def top_discard(state: GameState) -> Tile | None:
    """The top card of the discard pile; None where none lies there or nobody saw it."""
    return state.discards[-1] if state.discards else None


def check_discard(state: GameState) -> Refusal | None:
    """A refusal where there is no top discard to be had: `no_discard`, `discard_dead`."""
    if discard_count(state) == 0:
        return refuse("no_discard", "no card lies on the discard pile")
    if state.discard_dead:
        return refuse(
            "discard_dead", "the top discard is dead: a card was taken since it lies there"
        )
    return None


def without_top(state: GameState) -> GameState:
    """The game when the top discard has been taken away; what lies under it is dead."""
    return replace(state, discards=state.discards[:-1], discard_dead=True)


# The deck


def drawn_from_deck(state: GameState, index: int, count: int, cards: Tiles | None) -> Outcome:
    """The game when a seat has so many cards from the deck; `cards` are they, None when not seen.

    Refuses with `pool_empty` where the deck has fewer, `wrong_count`, `wrong_deck`, and
    `too_many_copies` for a card whose copies are all known to be elsewhere.
    """
    if state.pool < count:
        return _too_few(state, count)
    if cards is not None and len(cards) != count:
        return refuse("wrong_count", f"{count} are taken from the deck, not {len(cards)}")
    wrong = _check_new(state, cards or ())
    if wrong is not None:
        return wrong
    then = with_seat(state, index, gained(state.seats[index], count, cards))
    return replace(then, pool=state.pool - count)


def _too_few(state: GameState, count: int) -> Refusal:
    next_step = "it is shuffled anew first" if may_be_reshuffled(state) else "the round is over"
    text = f"the deck has {state.pool} of the {count} cards that are taken; {next_step} (SR-28)"
    return refuse("pool_empty", text)


def _check_new(state: GameState, cards: Iterable[Tile]) -> Refusal | None:
    """A refusal for cards that nobody knew to be where they come from and that cannot be there."""
    return check_pieces(state.rules, [*known_pieces(state).elements(), *cards])


def may_be_reshuffled(state: GameState) -> bool:
    """Whether a finished deck can be made anew: not more than once, and of cards there are (AMB-45)."""
    times = _RESHUFFLES.get(state.rules.pool_out.end, 0)
    return state.reshuffles < times and discard_count(state) > _stay(state)


def _stay(state: GameState) -> int:
    """How many discards stay when the others become the deck: the top one, or none (AMB-45)."""
    return 1 if state.rules.pool_out.reshuffle == "all_but_top" else 0


# Steps


def take_card(state: GameState, event: CardTaken) -> Outcome:
    """The game when the player to move has taken a card, from the deck or the top discard (SR-07).

    Refuses with `wrong_phase`, `unknown_player`, `not_your_turn`, `pool_empty`, `no_discard`,
    `discard_dead`, `other_card`, `wrong_deck`, `too_many_copies`.
    """
    index = mover(state, event.player)
    if isinstance(index, Refusal):
        return index
    if event.source == "deck":
        taken = drawn_from_deck(state, index, 1, None if event.card is None else (event.card,))
    else:
        taken = _with_top(state, index, event.card)
    if isinstance(taken, Refusal):
        return taken
    return replace(taken, phase=Phase.PLAY, discard_dead=True)


def _with_top(state: GameState, index: int, told: Tile | None) -> Outcome:
    """The game when a seat has the top discard, which is `told` where it was said which it is."""
    wrong, top = check_discard(state), top_discard(state)
    if wrong is None and top is None and told is not None:
        wrong = _check_new(state, (told,))
    if wrong is None and None not in (top, told) and top != told:
        wrong = refuse("other_card", f"the top discard is {top}, not {told}")
    if wrong is not None:
        return wrong
    card = top or told
    seat = gained(state.seats[index], 1, None if card is None else (card,))
    return without_top(with_seat(state, index, seat))


def buy_card(state: GameState, event: CardBought) -> Outcome:
    """The game when a player out of turn has bought the top discard, with cards from the deck (SR-25).

    The turn is still that of the player to move, who can only take from the deck now. Refuses with
    `wrong_phase`, `unknown_player`, `no_buying`, `no_discard`, `discard_dead`, `first_call`,
    `no_buys_left`, `may_not_buy`, `call_order`, `pool_empty`, `wrong_count`, `wrong_deck`,
    `too_many_copies`.
    """
    buyer = check_phase(state, Phase.TURN) or index_of(state, event.player)
    if isinstance(buyer, Refusal):
        return buyer
    buys = state.rules.buys
    if buys is None:
        return refuse("no_buying", f"discards are not bought in {state.rules.preset}")
    wrong = check_discard(state) or _check_call(state, buyer, event.callers)
    if wrong is not None:
        return wrong
    bought = drawn_from_deck(state, buyer, buys.cards - 1, event.from_deck)
    if isinstance(bought, Refusal):
        return bought
    top = top_discard(state)
    seat = gained(bought.seats[buyer], 1, None if top is None else (top,))
    return without_top(with_seat(bought, buyer, replace(seat, buys=seat.buys + 1)))


def _check_call(state: GameState, buyer: int, callers: Iterable[str]) -> Refusal | None:
    """A refusal unless the buyer may buy and comes before all others who called and may (SR-24)."""
    assert state.to_move is not None
    called = {buyer}
    for name in callers:
        index = index_of(state, name)
        if isinstance(index, Refusal):
            return index
        called.add(index)
    if state.to_move in called:
        name = state.seats[state.to_move].name
        text = f"{name} has first call and takes the discard without buying it (SR-24)"
        return refuse("first_call", text)
    barred = _check_may_buy(state, buyer)
    if barred is not None:
        return barred
    in_line = [index for index in order_from(state, state.to_move) if index in called]
    first = next(index for index in in_line if _check_may_buy(state, index) is None)
    if first != buyer:
        text = f"{state.seats[first].name} called too and is before {state.seats[buyer].name}"
        return refuse("call_order", f"{text} in the order of play (SR-24)")
    return None


def _check_may_buy(state: GameState, index: int) -> Refusal | None:
    """A refusal for a player who may not buy the top discard: `no_buys_left`, `may_not_buy` (AMB-46)."""
    buys, seat = state.rules.buys, state.seats[index]
    assert buys is not None
    if seat.buys >= buys.most:
        return refuse("no_buys_left", f"{seat.name} has bought {seat.buys} times (SR-23)")
    is_upcard = state.turn == 1
    discarded_it = not is_upcard and next_index(state, index) == state.to_move
    barred = {
        "has laid down": seat.opened and not buys.laid_down,
        "has no cards in the hand": seat.held == 0 and not buys.floating,
        "would buy the card turned over at the start": is_upcard and not buys.first_upcard,
        "discarded the card": discarded_it and not buys.discarder,
    }
    for reason, holds in barred.items():
        if holds:
            text = f"{seat.name} {reason}, and may not buy at this table (AMB-46)"
            return refuse("may_not_buy", text)
    return None


def reshuffle(state: GameState, _event: Reshuffled) -> Outcome:
    """The game when the finished deck has been made anew of the discards (SR-28, AMB-45).

    Refuses with `wrong_phase`, `pool_not_empty`, `no_reshuffle`.
    """
    wrong = check_phase(state, Phase.TURN, Phase.PLAY)
    if wrong is None and state.pool:
        wrong = refuse(
            "pool_not_empty", f"{count_of(state.pool, 'card')} can still be drawn from the deck"
        )
    if wrong is None and not may_be_reshuffled(state):
        why = "it was done already" if state.reshuffles else "there are no cards to do it with"
        wrong = refuse("no_reshuffle", f"the deck is not shuffled anew: {why} (SR-28)")
    if wrong is not None:
        return wrong
    stay = _stay(state)
    return replace(
        state,
        pool=discard_count(state) - stay,
        discards=state.discards[-1:] if stay else (),
        reshuffles=state.reshuffles + 1,
    )


def stop_card_play(state: GameState, _event: PlayStopped) -> Outcome:
    """The end of a round because the deck is finished for good; points are scored as held (SR-28).

    Refuses with `wrong_phase`, `pool_not_empty`, `reshuffle_first`.
    """
    wrong = check_phase(state, Phase.TURN)
    if wrong is None and state.pool:
        wrong = refuse(
            "pool_not_empty", f"{count_of(state.pool, 'card')} can still be drawn from the deck"
        )
    if wrong is None and may_be_reshuffled(state):
        wrong = refuse("reshuffle_first", "the deck is shuffled anew once in a round (SR-28)")
    return wrong or end_round(state, None)
