"""Whole games of tiles as state machines: round after round, and what is said of them later."""

from __future__ import annotations

import math
import unittest
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final

import hypothesis
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    invariant,
    precondition,
    rule,
)

from engine.game.events import (
    Board,
    CalledOut,
    CardTaken,
    Claimed,
    Corrected,
    Dealt,
    DrawnForStart,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    GameEvent,
    HandsShown,
    HouseRuleChosen,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    RoundCounted,
    StarterNamed,
    TimeRanOut,
)
from engine.game.fold import TILE_STEPS, apply
from engine.game.possible_events import possible_events
from engine.game.state import GameState, Phase, Refusal
from engine.layout import GridLayout, Layout
from engine.melds import Meld
from engine.tiles import CARDS, JOKER, TILES
from tests.engine.game.tile_turn_machine import TileTurns, in_turn, numbers
from tests.engine.game.told_games import ToldGame, dealt_hands, with_loose

manners = st.sampled_from(["playing", "playing", "either", "holding"])
"""How players play when it goes fast: what they see, now and then something, nothing."""
round_is_over = precondition(lambda self: self.state.phase is Phase.ROUND_OVER)
game_is_over = precondition(lambda self: self.state.phase is Phase.GAME_OVER)


class TileGame(TileTurns):
    """A game of tiles from its beginning on, with everything that can happen in it."""

    @initialize(
        seed=numbers,
        players=st.integers(2, 4),
        seen=st.booleans(),
        rich=st.sampled_from([True, True, False]),
        turns=st.sampled_from([0, 0, 30, 90]),
        manner=manners,
    )
    def begin(
        self, seed: int, players: int, seen: bool, rich: bool, turns: int, manner: str
    ) -> None:
        """In a rich game hands are mostly of one colour. Where they are not seen, the game counts.

        Some turns are played already.
        """
        self.seed, self.players, self.seen, self.rich = seed, players, seen, rich
        self.sit_down()
        self.some_turns(turns, manner)

    def sit_down(self) -> None:
        self.told = ToldGame(self.preset, self.house, self.players, self.seed, seen=self.seen)
        self.deal()

    @precondition(lambda self: self.state.phase in (Phase.START, Phase.DEAL))
    @rule()
    def deal(self) -> None:
        """Nothing, but before a round."""
        if self.state.phase is Phase.START:
            self.told.goes(StarterNamed(self.told.chance.choice(self.state.seats).name))
        if self.state.phase is Phase.DEAL:
            self.told.goes(Dealt(dealt_hands(self.told, rich=self.rich)))

    # Many turns

    @rule(turns=st.integers(1, 40), manner=manners)
    def some_turns(self, turns: int, manner: str) -> None:
        """Many turns, into the next round where this one ends."""
        for _ in range(turns):
            if self.state.phase is Phase.ROUND_OVER:
                self.show_hands()
            self.deal()
            if self.state.phase is not Phase.TURN:
                return
            holds = manner == "holding" or (manner == "either" and self.told.chance.random() < 0.5)
            board = None if holds else self.seen_board(self.told.chance, greedy=True)
            if board is None or not self.try_to_play(board):
                self.go_on()

    def go_on(self) -> None:
        """A turn without a play, or the one that there has to be."""
        possible = possible_events(self.state)
        if Drew in possible:
            self.draw()
        elif EverybodyDrew in possible:
            self.everybody_draws()
        else:
            turn = self.state.turn
            self.pass_turn()
            if self.state.turn == turn and self.state.phase is Phase.TURN:
                self.play_greedily()

    # The end

    @round_is_over
    @rule()
    def show_hands(self) -> None:
        """PR-24, SB-23: what some win others lose. RS-06, PR-26: who begins the next round."""
        before = self.state
        hands = tuple((seat.name, self.told.world.rack(seat.name)) for seat in before.seats)
        self.told.goes(HandsShown(hands))
        scores, state = self.state.scores, self.state
        assert scores is not None
        if self.zero_sum:
            assert sum(scores.totals.values()) == 0
        if state.phase is not Phase.GAME_OVER:
            assert (state.round, state.game) != (before.round, before.game)
            assert before.starter is not None
            self.check_who_begins(before.starter, state)
            self.deal()

    def check_who_begins(self, starter: int, after: GameState) -> None:  # noqa: ARG002
        """PR-26, SB-04: it is drawn for anew."""
        assert (after.phase, after.starter) == (Phase.START, None)

    @game_is_over
    @rule()
    def sit_down_again(self) -> None:
        """Nothing more can happen; another game begins."""
        assert self.state.winners
        assert possible_events(self.state) == frozenset()
        self.told.check_record()
        self.seed += 1
        self.sit_down()

    # Looking back

    @rule(count=st.integers(1, 6))
    def take_back(self, count: int) -> None:
        """What was told before goes on from there."""
        for _ in range(min(count, len(self.told.changes))):
            self.told.take_back()
            self.told.check_tiles()

    @rule(which=numbers)
    def correct_a_time(self, which: int) -> None:
        """An earlier turn took another time: everything else stays."""
        places = [
            place
            for place, happened in enumerate(self.told.standing)
            if isinstance(happened.truth, Drew | Passed | Misplayed)
        ]
        if places:
            place, before = places[which % len(places)], self.state
            truth = self.told.standing[place].truth
            assert isinstance(truth, Drew | Passed | Misplayed)
            assert self.told.correct(place, replace(truth, elapsed_s=1.5)) is None
            assert self.state == before

    @in_turn
    @rule()
    def correct_the_last_turn(self) -> None:
        """It was an unsuccessful play: the same as if it had been told so at once."""
        told = self.told
        happened = told.standing[-1]
        if not isinstance(happened.truth, Drew | Passed | Played) or told.is_corrected:
            return
        told.take_back()
        due = min(self.costs.misplay or 0, self.state.pool)
        instead = Misplayed(self.mover, None, told.world.next_tiles(due))
        told.goes(instead)
        expected = self.state
        told.take_back()
        told.goes(happened.truth)
        assert told.correct(len(told.standing) - 1, instead) is None
        assert self.state == expected

    # What is no event, or not now

    @rule(which=numbers)
    def anything_else(self, which: int) -> None:
        """Whatever cannot be is refused, however it is told."""
        impossible = [*self.never(), *(self.never_now() if self.state.phase is Phase.TURN else ())]
        event, *codes = impossible[which % len(impossible)]
        if isinstance(event, Corrected):
            refusal = self.told.game.after(event)
            assert isinstance(refusal, Refusal)
            assert refusal.code in codes
        else:
            self.told.is_refused(event, *codes)

    def never(self) -> list[tuple[GameEvent | str, ...]]:
        """What is refused in every phase, each with why."""
        over = self.state.phase is Phase.GAME_OVER
        unknown = "wrong_phase" if over else "unknown_house_rule"
        found: list[tuple[GameEvent | str, ...]] = [
            (self.told.standing[0].told, "already_begun"),
            (CardTaken("Ada", "deck"), "not_in_this_game"),
            (HouseRuleChosen("joker.colour", "red", "Ada"), unknown),
            (Corrected(0, Passed("Ada")), "not_standing"),
            (Corrected(10**6, Passed("Ada")), "not_standing"),
            (CalledOut("Ada"), "wrong_phase", "no_call_needed"),
        ]
        if self.state.phase is not Phase.TURN:
            found += [
                (kind("Ada"), "wrong_phase") for kind in (Drew, Passed, Misplayed, TimeRanOut)
            ]
            found += [
                (Played("Ada", self.state.table), "wrong_phase"),
                (PlayStopped(), "wrong_phase"),
            ]
        return found

    def never_now(self) -> list[tuple[GameEvent | str, ...]]:
        """What is refused in a turn (G-09 above all), each with why."""
        mover, state = self.mover, self.state
        other = state.seats[((state.to_move or 0) + 1) % self.players].name
        card, table = CARDS[0], state.table
        form: Board = Layout() if isinstance(table, GridLayout) else GridLayout()
        rack = self.told.rack
        absent = next(tile for tile in TILES if tile not in rack)
        found: list[tuple[GameEvent | str, ...]] = [
            (Drew(other), "not_your_turn"),
            (Passed(other), "not_your_turn"),
            (Played(other, table), "not_your_turn"),
            (Misplayed(other), "not_your_turn"),
            (TimeRanOut(other), "not_your_turn"),
            (Drew("Nobody"), "unknown_player"),
            (Played("Nobody", table), "unknown_player"),
            (Passed(mover, math.nan), "bad_time"),
            (Played(mover, table, None, -1.0), "bad_time"),
            (Played(mover, table), "nothing_played", "illegal"),
            (Played(mover, form), "wrong_form"),
            (Misplayed(mover, form), "wrong_form"),
            (Played(mover, with_loose(table, card)), "wrong_deck"),
            (Played(mover, with_loose(table, absent)), "illegal", "too_many_copies", "wrong_count"),
            (StarterNamed(mover), "wrong_phase"),
            (Dealt(), "wrong_phase"),
            (HandsShown(), "wrong_phase"),
        ]
        if self.seen:
            why = ("wrong_deck", "wrong_count", "nobody_draws", "pool_empty")
            found += [(Drew(mover, (card,)), *why), (Drew(mover, (absent,) * 9), *why)]
        return found

    # What always holds

    @invariant()
    def no_tile_is_lost_or_made(self) -> None:
        self.told.check_tiles()

    @invariant()
    def what_is_taken_back_and_told_again_is_the_same(self) -> None:
        self.told.check_taking_back()

    @invariant()
    def what_is_possible_is_what_applies(self) -> None:
        """A kind that is not possible is refused, and of those that are the plain ones apply."""
        possible = possible_events(self.state)
        mover = "Ada" if self.state.to_move is None else self.mover
        surely = {
            Misplayed: Misplayed(mover),
            TimeRanOut: TimeRanOut(mover),
            EverybodyDrew: EverybodyDrew(),
            HandsShown: HandsShown(
                tuple((seat.name, self.told.world.rack(seat.name)) for seat in self.state.seats)
            ),
        }
        for kind, event in surely.items():
            assert isinstance(apply(self.state, event), GameState) == (kind in possible), event
        for kind in set(TILE_STEPS) - possible - set(surely):
            outcome = apply(self.state, AT_ALL[kind](mover))
            assert isinstance(outcome, Refusal), outcome

    @invariant()
    def idle_turns_are_counted_in_a_row(self) -> None:
        """RS-09, AMB-29: those in which nobody played or drew; before the first set, nobody played."""
        if self.state.phase is Phase.TURN:
            idle = self.idle_turns()
            assert self.state.passes == idle
            assert self.state.pool or not self.all_pass or idle < self.players

    def idle_turns(self) -> int:
        """How many turns there were since the last that was not idle."""
        count, states = 0, self.told.game.states()
        row = zip(self.told.standing[1:], pairwise(states), strict=True)
        for happened, (before, after) in reversed(list(row)):
            match happened.truth:
                case Passed():
                    idle = True
                case Misplayed() | TimeRanOut():
                    starting = self.obligatory and not before.table.tiles
                    stood = len(after.table.tiles) > len(before.table.tiles)
                    idle = starting or (after.pool == before.pool and not stood)
                case event:
                    idle = isinstance(event, FaultNoticed)
            if not idle:
                break
            count += after.turn - before.turn
        return count

    def teardown(self) -> None:
        """The whole record, from its beginning and as a text."""
        if hasattr(self, "told"):
            self.told.check_record()


AT_ALL: Final[Mapping[type[GameEvent], Callable[[str], GameEvent]]] = {
    StarterNamed: StarterNamed,
    DrawnForStart: lambda name: DrawnForStart(((name, JOKER),)),
    Dealt: lambda _: Dealt(),
    Played: lambda name: Played(name, Layout()),
    Drew: Drew,
    Passed: Passed,
    Claimed: lambda name: Claimed(name, Meld((JOKER,))),
    CalledOut: CalledOut,
    FaultNoticed: lambda _: FaultNoticed(),
    PlayStopped: lambda _: PlayStopped(),
    RoundCounted: lambda name: RoundCounted(((name, 5),)),
    HouseRuleChosen: lambda _: HouseRuleChosen("score.tie", "shared"),
}
"""One event of each kind, told by somebody."""


def machine(game: type[TileGame], number: int, steps: int = 25) -> type[unittest.TestCase]:
    """The test of a game: so many games of so many steps.

    What fails is told as it was found: to shrink it would take minutes, as each step is many turns.
    """
    game.TestCase.settings = settings(
        max_examples=number,
        stateful_step_count=steps,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    )
    return game.TestCase
