"""A player of the card game who plays at once whatever can be played.

It plays by the rules and plainly, for games that are played through without people; it is no adviser.
The same state always gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.card_table import Contract, kinds_that_take, stand_ins
from engine.game.cards import contract_of
from engine.game.cards_contract import find_contract
from engine.game.cards_pile import may_be_reshuffled, top_discard
from engine.game.events import (
    CardTaken,
    Discarded,
    GameEvent,
    Played,
    PlayStopped,
    Reshuffled,
    Tiles,
)
from engine.game.state import GameState, Phase
from engine.layout import Layout
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.scoring import tile_points
from engine.sets import is_set, readings_of
from engine.tiles import CARD_JOKER, Tile

_WANTED: Final = 2
"""Cards in the hand that a card has to go with to be picked up or bought: with two it is a set but for
a card at most."""


def next_event(state: GameState) -> GameEvent:
    """What happens next when the player whose turn it is plays so.

    A card from the deck is None in the event: which one it is, is for the deck to say. Where the deck is
    finished and the player needs a card, it is shuffled anew, or play stops. Raises ValueError outside
    of a turn and for a hand that is not known.
    """
    if state.to_move is None or state.phase not in (Phase.TURN, Phase.PLAY):
        raise ValueError(f"nobody's turn: {state.phase}")
    seat = state.seats[state.to_move]
    hand, table = seat.rack, state.table
    if hand is None or not isinstance(table, Layout):
        raise ValueError(f"the hand of {seat.name} is not known, or the table is none of cards")
    rules, contract = state.rules, contract_of(state)
    if state.phase is Phase.TURN:
        return _taken(state, hand, table, contract)
    if not seat.opened:
        laid = find_contract(hand, contract, rules)
        if laid is not None:
            return Played(seat.name, Layout((*table.melds, *laid)))
        return Discarded(seat.name, _least_useful(hand, table, contract, rules))
    played = _laid_off(hand, table, contract, rules)
    if played != table:
        return Played(seat.name, played)
    return Discarded(seat.name, max(hand, key=lambda card: (tile_points(card, rules), card)))


def wants_to_buy(state: GameState, index: int) -> bool:
    """Whether the player on a seat would buy the top discard; whether it may is not asked.

    Raises ValueError for a hand that is not known.
    """
    seat, top = state.seats[index], top_discard(state)
    if seat.rack is None:
        raise ValueError(f"the hand of {seat.name} is not known")
    if top is None or seat.opened:
        return False
    return _brings_on(top, seat.rack, contract_of(state), state.rules)


def _taken(state: GameState, hand: Tiles, table: Layout, contract: Contract) -> GameEvent:
    """How a turn begins: the discard if it is of use, else the deck."""
    assert state.to_move is not None
    seat, top = state.seats[state.to_move], top_discard(state)
    if top is not None and not state.discard_dead:
        if seat.opened:
            wanted = any(kinds_that_take(top, meld, contract, state.rules) for meld in table.melds)
        else:
            wanted = _is_worth_a_turn(top, hand, table, contract, state.rules)
        if wanted:
            return CardTaken(seat.name, "discard", top)
    if state.pool:
        return CardTaken(seat.name, "deck")
    return Reshuffled() if may_be_reshuffled(state) else PlayStopped()


def _is_worth_a_turn(
    card: Tile, hand: Tiles, table: Layout, contract: Contract, rules: RuleSet
) -> bool:
    """Whether the discard is better than a card from the deck.

    It has to leave the hand better than it was, or players would pass a card round for ever.
    """
    if not _brings_on(card, hand, contract, rules):
        return False
    with_card = (*hand, card)
    if find_contract(with_card, contract, rules) is not None:
        return True
    kept = _without(_least_useful(with_card, table, contract, rules), with_card)
    return _promise(kept, contract, rules) > _promise(hand, contract, rules)


def _brings_on(card: Tile, hand: Tiles, contract: Contract, rules: RuleSet) -> bool:
    """Whether a card completes the contract, or goes with enough of a hand that does not hold it."""
    if find_contract(hand, contract, rules) is not None:
        return False
    completes = find_contract((*hand, card), contract, rules) is not None
    return completes or card.is_joker or _goes_with(card, hand, contract, rules) >= _WANTED


def _promise(hand: Tiles, contract: Contract, rules: RuleSet) -> tuple[int, int]:
    """How well a hand goes together: its jokers, and how many cards each of the others goes with."""
    jokers = sum(card.is_joker for card in hand)
    return jokers, sum(_goes_with(card, _without(card, hand), contract, rules) for card in hand)


def _without(card: Tile, hand: Tiles) -> Tiles:
    place = hand.index(card)
    return (*hand[:place], *hand[place + 1 :])


def _goes_with(card: Tile, others: Tiles, contract: Contract, rules: RuleSet) -> int:
    """How many of the other cards could lie in one smallest set of the contract with a card."""
    groups, runs = contract
    alike = sum(other.rank == card.rank for other in others) if groups else 0
    near = {
        other.rank
        for other in others
        if other.suit is card.suit
        and other.rank is not None
        and card.rank is not None
        and 0 < abs(other.rank - card.rank) < rules.run.least
    }
    return max(alike, len(near) if runs else 0)


def _least_useful(hand: Tiles, table: Layout, contract: Contract, rules: RuleSet) -> Tile:
    """The card to discard before laying down: one that goes with few others, of those the dearest.

    Where a table forbids everybody to discard what could be played, such a card comes last.
    """
    bound = rules.discard is not None and rules.discard.playable_ban == "any"

    def cost(card: Tile) -> tuple[bool, bool, int, int, Tile]:
        banned = bound and any(kinds_that_take(card, meld, contract, rules) for meld in table.melds)
        useful = _goes_with(card, _without(card, hand), contract, rules)
        return banned, card.is_joker, useful, -tile_points(card, rules), card

    return min(hand, key=cost)


def _laid_off(hand: Tiles, table: Layout, contract: Contract, rules: RuleSet) -> Layout:
    """The table when every card of a hand lies there that can be played on it, jokers last.

    A joker that a card takes the place of goes to the hand and is played again.
    """
    cards, melds = sorted(hand), list(table.melds)
    while (step := next(_lay_offs(cards, melds, contract, rules), None)) is not None:
        card, number, row = step
        cards.remove(card)
        if len(row) == len(melds[number]):
            cards.append(CARD_JOKER)
        melds[number] = Meld(row)
    return Layout(tuple(melds))


def _lay_offs(
    cards: list[Tile], melds: list[Meld], contract: Contract, rules: RuleSet
) -> Iterator[tuple[Tile, int, Tiles]]:
    """The cards that sets on the table take: the card, which set, and the set with it."""
    for card in cards:
        for number, meld in enumerate(melds):
            if card in stand_ins(meld, contract, rules):
                yield card, number, _in_place_of_a_joker(card, meld, rules)
            elif kinds_that_take(card, meld, contract, rules):
                yield card, number, _added(card, meld, rules)


def _in_place_of_a_joker(card: Tile, meld: Meld, rules: RuleSet) -> Tiles:
    """A run with a card where a joker stands for it."""
    place = next(
        index
        for reading in readings_of(meld.tiles, rules)
        for index, tile in enumerate(meld.tiles)
        if reading.kind == "run" and tile.is_joker and card in reading.stands_for[index]
    )
    return (*meld.tiles[:place], card, *meld.tiles[place + 1 :])


def _added(card: Tile, meld: Meld, rules: RuleSet) -> Tiles:
    """A set with a card at that end where it lies in order; behind it where there is no such end."""
    laid = replace(rules, run=replace(rules.run, order="laid"))
    ends = (*meld.tiles, card), (card, *meld.tiles)
    return next((row for row in ends if is_set(row, laid)), ends[0])
