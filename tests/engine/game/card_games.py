"""The card game in tests: positions in short, events as the notation has them, and whole games."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import cycle

from engine.game.card_player import next_event, wants_to_buy
from engine.game.cards_pile import top_discard
from engine.game.cursor import Cursor
from engine.game.event_lines import parse_event
from engine.game.events import (
    CardBought,
    CardTaken,
    Dealt,
    GameBegun,
    GameEvent,
    HandsShown,
    Reshuffled,
)
from engine.game.fold import apply
from engine.game.seats import order_from, pieces_of
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.layout import Layout, parse_layout
from engine.melds import Meld, parse_tiles
from engine.ruleset import load_ruleset
from engine.tiles import CARDS, Tile

PLAYERS = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
DECK = tuple(card for card in CARDS for _ in range(4 if card.is_joker else 2))
SETTLED: Mapping[str, str | int] = load_ruleset("sets-and-runs").usual_answers()
"""With this no ruling of the card game is ASK."""


def event(text: str) -> GameEvent:
    """The event of a line such as `Ada takes from deck 5H`."""
    cursor = Cursor(text)
    found = parse_event(cursor)
    assert cursor.ended, text
    return found


def begun(players: int = 3, house: Mapping[str, str | int] = SETTLED) -> GameState:
    """The game before its first deal, which Ada begins."""
    state = apply(None, GameBegun("sets-and-runs", PLAYERS[:players], dict(house)))
    assert isinstance(state, GameState), state
    return then(state, "Ada begins")


def at(
    table: str = "-",
    hand: str | int = 12,
    others: tuple[str | int, ...] = (11, 11),
    *,
    laid_down: str = "",
    number: int = 1,
    phase: Phase = Phase.PLAY,
    turn: int = 9,
    discards: str = "2C",
    dead: bool = True,
    pool: int | None = None,
    buys: tuple[int, ...] = (0, 0, 0, 0, 0, 0),
    reshuffles: int = 0,
    house: Mapping[str, str | int] = SETTLED,
) -> GameState:
    """A game in which it is Ada's turn; hands are cards, or numbers where nobody saw them.

    `laid_down` names players. Without a `pool` all cards that lie nowhere else are in the deck; with
    one, those left over are discards that nobody saw.
    """
    state = begun(1 + len(others), house)
    seats = tuple(
        _seat(name, held, name in laid_down.split(), bought)
        for name, held, bought in zip(PLAYERS, (hand, *others), buys, strict=False)
    )
    layout, pile = parse_layout(table), parse_tiles(discards)
    there = len(layout.tiles) + len(pile) + sum(seat.held for seat in seats)
    return replace(
        state,
        phase=phase,
        round=number,
        turn=turn,
        seats=seats,
        to_move=0,
        table=layout,
        pool=pieces_of(state.rules) - there if pool is None else pool,
        discards=pile,
        discard_dead=dead,
        reshuffles=reshuffles,
    )


def _seat(name: str, held: str | int, laid_down: bool, buys: int) -> Seat:
    if isinstance(held, int):
        return Seat(name, held, None, laid_down, buys)
    cards = tuple(sorted(parse_tiles(held)))
    return Seat(name, len(cards), cards, laid_down, buys)


def then(state: GameState, *events: str | GameEvent) -> GameState:
    """The game after these events, none of them refused."""
    for item in events:
        outcome = apply(state, event(item) if isinstance(item, str) else item)
        assert isinstance(outcome, GameState), (item, outcome)
        state = outcome
    return state


def told(outcome: GameState | Refusal) -> str:
    """A refusal in short: its code, and the faults of the referee with their rules."""
    assert isinstance(outcome, Refusal), outcome
    findings = () if outcome.ruling is None else outcome.ruling.findings
    return " ".join([outcome.code, *(f"{item.code} {item.rule}" for item in findings)])


def refused(state: GameState, text: str) -> str:
    """How an event is refused."""
    return told(apply(state, event(text)))


def shown(state: GameState) -> str:
    """A state in short: who is to move, what everybody holds, the deck and the top of the discards."""
    mover = "-" if state.to_move is None else state.seats[state.to_move].name
    held = " ".join(str(seat.held) for seat in state.seats)
    top = top_discard(state)
    dead = " dead" if state.discard_dead else ""
    return f"{mover} {state.phase}; {held}; deck {state.pool}; discard {top}{dead}"


def rack(state: GameState, seat: int = 0) -> str:
    """A hand that is known."""
    cards = state.seats[seat].rack
    assert cards is not None
    return " ".join(map(str, cards))


def whole_game(
    seed: int, players: int, house: Mapping[str, str | int] = SETTLED
) -> Iterator[tuple[GameEvent, GameState]]:
    """A game between players who play whatever they can, event by event with the state after each."""
    rng, state = random.Random(seed), begun(players, house)
    while state.phase is not Phase.GAME_OVER:
        deck = list(DECK)
        rng.shuffle(deck)
        dealt = deal_from(deck, state, rng)
        state = then(state, dealt)
        yield dealt, state
        for item, after in _played(state, deck, rng):
            state = after
            yield item, state
        state = then(state, HandsShown())
        yield HandsShown(), state


def _played(
    state: GameState, deck: list[Tile], rng: random.Random
) -> Iterator[tuple[GameEvent, GameState]]:
    """A round from its deal to its end."""
    while state.phase in (Phase.TURN, Phase.PLAY):
        bought = _bought(state, deck)
        item = next_event(state) if bought is None else bought
        if isinstance(item, CardTaken) and item.source == "deck":
            item = replace(item, card=deck.pop())
        elif isinstance(item, CardBought):
            item = replace(item, from_deck=(deck.pop(),))
        elif isinstance(item, Reshuffled):
            deck[:] = state.discards[:-1]
            rng.shuffle(deck)
        state = then(state, item)
        yield item, state


def deal_from(deck: list[Tile], state: GameState, rng: random.Random) -> Dealt:
    """A deal from a deck, which has those cards less; a joker turned over goes back into it (SR-06)."""
    names = [seat.name for seat in state.seats]
    each = state.rules.deal.tiles_for(len(names))
    hands = tuple((name, tuple(deck.pop() for _ in range(each))) for name in names)
    while deck[-1].is_joker:
        deck.insert(rng.randrange(len(deck)), deck.pop())
    return Dealt(hands, deck.pop())


def _bought(state: GameState, deck: list[Tile]) -> CardBought | None:
    """The buy that happens before the next player takes a card, if anybody wants and may buy."""
    top = top_discard(state)
    if state.phase is not Phase.TURN or state.discard_dead or top is None or not deck:
        return None
    assert state.to_move is not None
    if getattr(next_event(state), "source", None) == "discard":
        return None
    callers = [
        index for index in order_from(state, state.to_move)[1:] if wants_to_buy(state, index)
    ]
    names = tuple(state.seats[index].name for index in callers)
    for name in names:
        bought = CardBought(name, tuple(other for other in names if other != name), (deck[-1],))
        if isinstance(apply(state, bought), GameState):
            return bought
    return None


def with_row(table: Layout, number: int, row: tuple[Tile, ...]) -> Layout:
    return Layout((*table.melds[:number], Meld(row), *table.melds[number + 1 :]))


def well_stacked(deck: list[Tile], players: int) -> list[Tile]:
    """The deck with cards of few ranks or one suit together in each of the first hands, dealt from its
    end."""
    hands: list[list[Tile]] = [[] for _ in range(players)]
    rest: list[Tile] = []
    suits = [tile.suit for tile in CARDS[::13]]
    for card in deck:
        by_rank = (card.rank or 0) % players
        by_suit = suits.index(card.suit) % players
        home = hands[by_rank if len(hands[by_rank]) < 6 else by_suit]
        (home if len(home) < 11 else rest).append(card)
    for hand in cycle(hands):
        if all(len(each) == 11 for each in hands):
            break
        if len(hand) < 11:
            hand.append(rest.pop())
    return rest + [card for hand in hands for card in hand]
