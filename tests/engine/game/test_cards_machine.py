"""The card game played at random, with legal choices and with attempts at others.

Beside the game runs a plain model: a deck, a pile and hands of cards, moved about as the document says.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.card_table import kinds_that_take
from engine.faults import Verdict
from engine.game.card_player import next_event
from engine.game.cards import contract_of
from engine.game.cards_contract import find_contract
from engine.game.events import (
    CardBought,
    CardTaken,
    Claimed,
    Discarded,
    Drew,
    GameEvent,
    HandsShown,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    Reshuffled,
    StarterNamed,
)
from engine.game.fold import apply
from engine.game.state import GameState, Phase, Refusal
from engine.layout import GridLayout, Layout
from engine.melds import Meld
from engine.referee import judge
from engine.tiles import CARDS, TILES, Tile
from engine.turns import Turn
from tests.engine.game.card_games import (
    DECK,
    begun,
    deal_from,
    then,
    well_stacked,
    with_row,
)

numbers = st.integers(0, 10_000)
in_turn = precondition(lambda self: self.state.phase is Phase.TURN)
in_play = precondition(lambda self: self.state.phase is Phase.PLAY)


class CardGame(RuleBasedStateMachine):
    """A game from one of its rounds on, with everything that can happen in it."""

    @initialize(
        seed=numbers, players=st.integers(3, 6), first=st.integers(1, 7), rich=st.booleans()
    )
    def begin(self, seed: int, players: int, first: int, rich: bool) -> None:
        """In a rich game the hands that are dealt go well together."""
        self.rng, self.rich = random.Random(seed), rich
        self.sit_down(players, first)
        self.deal()

    def sit_down(self, players: int, first: int) -> None:
        self.state = replace(begun(players), round=first)
        self.names = [seat.name for seat in self.state.seats]

    def deal(self) -> None:
        """SR-05: eleven cards for everybody, and one turned over."""
        deck = list(DECK)
        self.rng.shuffle(deck)
        if self.rich:
            deck = well_stacked(deck, len(self.names))
        dealt = deal_from(deck, self.state, self.rng)
        assert dealt.upcard is not None
        self.deck, self.pile, self.dead, self.reshuffles = deck, [dealt.upcard], False, 0
        self.hands = {name: Counter(cards) for name, cards in dealt.hands}
        self.buys = dict.fromkeys(self.names, 0)
        self.discarder: str | None = None
        self.state = then(self.state, dealt)

    # What the model knows

    @property
    def mover(self) -> str:
        assert self.state.to_move is not None
        return self.names[self.state.to_move]

    @property
    def hand(self) -> list[Tile]:
        return sorted(self.hands[self.mover].elements())

    @property
    def table(self) -> Layout:
        assert isinstance(self.state.table, Layout)
        return self.state.table

    @property
    def laid_down(self) -> bool:
        index = self.state.to_move
        return index is not None and self.state.seats[index].opened

    def takers(self, card: Tile) -> list[int]:
        """The sets on the table that take a card."""
        contract, rules = contract_of(self.state), self.state.rules
        melds = enumerate(self.table.melds)
        return [n for n, meld in melds if kinds_that_take(card, meld, contract, rules)]

    def goes(self, event: GameEvent) -> None:
        """The event applies."""
        outcome = apply(self.state, event)
        assert isinstance(outcome, GameState), (event, outcome)
        self.state = outcome

    def is_refused(self, event: GameEvent, *codes: str) -> None:
        """The event does not apply, for one of these reasons where any are given."""
        outcome = apply(self.state, event)
        assert isinstance(outcome, Refusal), event
        assert outcome.reason.endswith((".", "?", "]", "”"))
        assert outcome.reason[0] == outcome.reason[0].upper()
        assert not codes or outcome.code in codes, (event, outcome)

    # How a turn begins

    @in_turn
    @rule()
    def take_from_the_deck(self) -> None:
        player = self.mover
        if not self.deck:
            self.is_refused(CardTaken(player, "deck"), "pool_empty")
            return
        card = self.deck.pop()
        self.goes(CardTaken(player, "deck", card))
        self.hands[player][card] += 1
        self.dead = True

    @in_turn
    @rule()
    def take_the_discard(self) -> None:
        player = self.mover
        if self.dead or not self.pile:
            self.is_refused(CardTaken(player, "discard"), "discard_dead", "no_discard")
            return
        self.goes(CardTaken(player, "discard", self.pile[-1]))
        self.hands[player][self.pile.pop()] += 1
        self.dead = True

    @in_turn
    @rule(buyer=numbers, callers=st.sets(numbers, max_size=3))
    def buy(self, buyer: int, callers: set[int]) -> None:
        """SR-23 to SR-25 in the words of the document; AMB-46 as it stands by default."""
        player = self.names[buyer % len(self.names)]
        called = {self.names[number % len(self.names)] for number in callers} | {player}
        others = tuple(sorted(called - {player}))
        drawn = (self.deck[-1],) if self.deck else None
        event = CardBought(player, others, drawn)
        assert self.state.to_move is not None
        in_line = self.names[self.state.to_move :] + self.names[: self.state.to_move]
        may = [name for name in in_line if name in called and self.may_buy(name)]
        first = bool(may) and may[0] == player and self.mover not in called
        if self.dead or not self.pile or not first or not self.deck:
            self.is_refused(event)
            return
        self.goes(event)
        self.hands[player].update([self.pile.pop(), self.deck.pop()])
        self.buys[player] += 1
        self.dead = True

    def may_buy(self, player: str) -> bool:
        has_cards = self.hands[player].total() > 0
        return self.buys[player] < 3 and has_cards and player != self.discarder

    # What is played

    @in_play
    @rule()
    def lay_down(self) -> None:
        laid = find_contract(tuple(self.hand), contract_of(self.state), self.state.rules)
        if laid is None:
            return
        after = Layout((*self.table.melds, *laid))
        if self.laid_down:
            self.is_refused(Played(self.mover, after), "illegal")
        else:
            self.play(after)

    @in_play
    @rule(which=numbers, where=numbers, front=st.booleans())
    def play_one_card(self, which: int, where: int, front: bool) -> None:
        """SR-10: added to a set that takes it, by whoever has laid down."""
        if not self.table.melds:
            return
        card, number = self.hand[which % len(self.hand)], where % len(self.table.melds)
        meld = self.table.melds[number]
        row = (card, *meld.tiles) if front else (*meld.tiles, card)
        after = with_row(self.table, number, row)
        if number not in self.takers(card) or not self.laid_down:
            self.is_refused(Played(self.mover, after), "illegal")
            return
        outcome = apply(self.state, Played(self.mover, after))
        if isinstance(outcome, GameState):
            self.play(after)
        else:
            # The card fits in the place of a joker alone, and that is another play.
            assert any(tile.is_joker for tile in meld)

    @in_play
    @precondition(lambda self: self.laid_down)
    @rule()
    def play_all_there_is(self) -> None:
        """What the player who plays everything does, and nobody can play on afterwards."""
        event = next_event(self.state)
        if isinstance(event, Played):
            assert isinstance(event.after, Layout)
            self.play(event.after)
        if self.state.phase is Phase.PLAY:
            assert not any(self.takers(card) for card in self.hand)

    @in_play
    @rule(cards=st.sets(numbers, min_size=1, max_size=5), where=numbers, taken=st.booleans())
    def play_anything(self, cards: set[int], where: int, taken: bool) -> None:
        """Cards put down as a set or on another, and a card taken up: mostly not allowed."""
        hand = self.hand
        chosen = tuple(hand[place] for place in {number % len(hand) for number in cards})
        number = where % (len(self.table.melds) + 1)
        if number == len(self.table.melds):
            after = Layout((*self.table.melds, Meld(chosen)))
        else:
            was = self.table.melds[number].tiles
            after = with_row(self.table, number, (*(was[1:] if taken else was), *chosen))
        outcome = apply(self.state, Played(self.mover, after))
        if Counter(after.tiles) == Counter(self.table.tiles):
            self.is_refused(Played(self.mover, after), "nothing_played")
        elif isinstance(outcome, Refusal):
            self.goes(Misplayed(self.mover, after))
        else:
            opened, contract = self.laid_down, contract_of(self.state)
            turn = Turn(self.table, after, opened=opened, contract=contract)
            assert judge(turn, self.state.rules).verdict is Verdict.LEGAL
            self.play(after)

    def play(self, after: Layout) -> None:
        """A play that applies, in the model too: what left the table is in the hand."""
        player, before = self.mover, Counter(self.table.tiles)
        self.goes(Played(player, after))
        hand = self.hands[player]
        hand.update(before - Counter(after.tiles))
        hand.subtract(Counter(after.tiles) - before)
        assert min(hand.values()) >= 0
        if not hand.total():
            assert (self.state.phase, self.mover != player) == (Phase.TURN, True)

    # How it ends

    @in_play
    @rule(which=numbers)
    def discard(self, which: int) -> None:
        """SR-16 to SR-18: who has laid down discards no card that a set takes."""
        self.put_off(self.hand[which % len(self.hand)])

    def put_off(self, card: Tile) -> None:
        player = self.mover
        if self.laid_down and self.takers(card):
            self.is_refused(Discarded(player, card), "illegal")
            return
        self.goes(Discarded(player, card))
        self.hands[player][card] -= 1
        self.pile.append(card)
        self.dead, self.discarder = False, player
        if self.hands[player].total():
            assert self.mover == self.names[(self.names.index(player) + 1) % len(self.names)]
        else:
            assert (self.state.phase, self.state.to_move) == (Phase.ROUND_OVER, None)

    @rule(turns=st.integers(1, 30), holding=st.booleans())
    def some_turns(self, turns: int, holding: bool) -> None:
        """Turns of the player who plays everything, or of players who hold on to their cards."""
        for _ in range(turns):
            if self.state.phase is Phase.TURN:
                event = next_event(self.state)
                if isinstance(event, Reshuffled):
                    self.reshuffle()
                elif isinstance(event, PlayStopped):
                    self.stop()
                elif isinstance(event, CardTaken) and event.source == "discard":
                    self.take_the_discard()
                else:
                    self.take_from_the_deck()
            if self.state.phase is Phase.PLAY:
                event = Discarded(self.mover, self.hand[0]) if holding else next_event(self.state)
                if isinstance(event, Played):
                    assert isinstance(event.after, Layout)
                    self.play(event.after)
                else:
                    assert isinstance(event, Discarded)
                    self.put_off(event.card)
            if self.state.phase is Phase.ROUND_OVER:
                self.show_hands()

    @rule()
    def reshuffle(self) -> None:
        """SR-28, AMB-45: once a round, all discards but the top."""
        playing = self.state.phase in (Phase.TURN, Phase.PLAY)
        if not playing or self.deck or self.reshuffles or len(self.pile) < 2:
            self.is_refused(Reshuffled(), "wrong_phase", "pool_not_empty", "no_reshuffle")
            return
        self.goes(Reshuffled())
        self.deck, self.pile = self.pile[:-1], self.pile[-1:]
        self.rng.shuffle(self.deck)
        self.reshuffles += 1

    @rule()
    def stop(self) -> None:
        """SR-28: when the deck is finished for good, the round is over and scored as held."""
        for_good = not self.deck and (self.reshuffles == 1 or len(self.pile) < 2)
        if self.state.phase is not Phase.TURN or not for_good:
            self.is_refused(PlayStopped(), "wrong_phase", "pool_not_empty", "reshuffle_first")
            return
        self.goes(PlayStopped())
        assert (self.state.phase, self.state.out) == (Phase.ROUND_OVER, None)

    @precondition(lambda self: self.state.phase is Phase.ROUND_OVER)
    @rule()
    def show_hands(self) -> None:
        """SR-19: the round is scored, and the next one dealt."""
        before = {} if self.state.scores is None else self.state.scores.totals
        self.goes(HandsShown())
        assert self.state.scores is not None
        for name, total in self.state.scores.totals.items():
            worth = sum(card_points(card) for card in self.hands[name].elements())
            assert total - before.get(name, 0) == worth
        if self.state.phase is Phase.GAME_OVER:
            self.sit_down(len(self.names), 1)
        self.deal()

    # What is no event of this game, or not now

    @rule(event=st.data())
    def anything_else(self, event: st.DataObject) -> None:
        """Whatever cannot be is refused, however it is told."""
        other = self.names[((self.state.to_move or 0) + 1) % len(self.names)]
        card = event.draw(st.sampled_from(CARDS))
        impossible = [
            StarterNamed(other),
            Drew(other),
            Passed(other),
            Claimed(other, Meld((card,))),
            CardTaken(other, "deck"),
            CardTaken("Nobody", "discard"),
            CardTaken(other, "discard", card),
            Discarded(other, card),
            Discarded("Nobody", card),
            Played(other, Layout()),
            Misplayed(other),
            CardBought("Nobody"),
        ]
        if self.state.phase in (Phase.TURN, Phase.PLAY):
            absent = next(kind for kind in CARDS if not self.hands[self.mover][kind])
            tile = event.draw(st.sampled_from(TILES))
            melds = self.table.melds
            impossible += [
                Discarded(self.mover, absent),
                Discarded(self.mover, tile),
                Played(self.mover, self.table),
                Played(self.mover, GridLayout(((card,),))),
                Played(self.mover, Layout((*melds, Meld((tile,))))),
                Played(self.mover, Layout((*melds, Meld((absent,)))), overruled_by="Ada"),
                HandsShown(),
            ]
        self.is_refused(event.draw(st.sampled_from(impossible)))

    # What always holds

    @invariant()
    def no_card_is_lost_or_made(self) -> None:
        """G-01: 108 cards, all of them somewhere."""
        held = sum(self.hands.values(), Counter[Tile]())
        assert Counter(DECK) == held + Counter([*self.deck, *self.pile, *self.table.tiles])

    @invariant()
    def the_game_holds_what_the_model_holds(self) -> None:
        state = self.state
        for seat in state.seats:
            cards = tuple(sorted(self.hands[seat.name].elements()))
            assert (seat.rack, seat.held) == (cards, len(cards))
            assert seat.buys == self.buys[seat.name] <= 3
        assert (state.pool, state.discards) == (len(self.deck), tuple(self.pile))
        assert (state.discard_dead, state.reshuffles) == (self.dead, self.reshuffles)
        assert state.reshuffles <= 1

    @invariant()
    def somebody_is_to_move_in_turns_and_nobody_else(self) -> None:
        in_turns = self.state.phase in (Phase.TURN, Phase.PLAY)
        assert in_turns == (self.state.to_move is not None)
        if self.state.phase is Phase.PLAY:
            assert self.hand

    @invariant()
    def sets_lie_there_when_somebody_laid_down(self) -> None:
        """SR-08, SR-09: as many as the contract of the round for each who has."""
        down = sum(seat.opened for seat in self.state.seats)
        assert len(self.table.melds) == down * sum(contract_of(self.state))


def card_points(card: Tile) -> int:
    """SR-19."""
    if card.rank is None:
        return 50
    return 15 if card.rank == 1 else 10 if card.rank >= 10 else 5


CardGame.TestCase.settings = settings(max_examples=25, stateful_step_count=40)
TestCardGame = CardGame.TestCase
