"""Imaginary players of the tile games, who know every tile and now and then fail or overrule."""

from __future__ import annotations

import random
from dataclasses import replace

from engine.game.events import (
    Claimed,
    Dealt,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    GameBegun,
    GameEvent,
    HandsShown,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    StarterNamed,
    TimeRanOut,
)
from engine.game.fold import apply
from engine.game.possible_events import possible_events
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.layout import Layout
from engine.melds import Meld
from engine.ruleset import list_presets
from engine.solver import best_opening, best_play
from engine.tiles import JOKER, TILE_SUITS, Tile

NAMES = ("Ada", "Ben", "Cleo", "Dan")
TILE_GAMES = [name for name in list_presets() if name != "sets-and-runs"]
DECK = [Tile(suit, rank) for suit in TILE_SUITS for rank in range(1, 14)] * 2 + [JOKER] * 2

MOST_EVENTS = 150


class Table:
    """Players who play what the solver finds, and sometimes fail, run out of time, or let things stand.

    It knows every tile, so that each event is what would have happened.
    """

    def __init__(self, preset: str, players: int, seed: int) -> None:
        self.rng = random.Random(f"{preset} {players} {seed}")
        house = {"table.form": "sets"} if preset == "rummi200kub" else {}
        if preset in ("pressman", "sabra"):
            house |= {"score.target": 60} if preset == "pressman" else {"score.rounds": 2}
        self.begin = GameBegun(preset, NAMES[:players], house)
        self.pool: list[Tile] = []

    def next_event(self, state: GameState) -> GameEvent:
        """What happens next."""
        if state.phase is Phase.START:
            return StarterNamed(self.rng.choice(state.seats).name)
        if state.phase is Phase.DEAL:
            return self.deal(state)
        if state.phase is Phase.ROUND_OVER:
            return HandsShown()
        assert state.to_move is not None
        return self.turn(state, state.seats[state.to_move])

    def deal(self, state: GameState) -> Dealt:
        self.pool = list(DECK)
        self.rng.shuffle(self.pool)
        each = state.rules.deal.tiles_for(len(state.seats))
        return Dealt(tuple((seat.name, self.taken(each)) for seat in state.seats))

    def taken(self, count: int) -> tuple[Tile, ...]:
        found = tuple(self.pool[:count])
        del self.pool[:count]
        return found

    def turn(self, state: GameState, seat: Seat) -> GameEvent:
        chance = self.rng.random()
        loose = Layout((*state.table.melds, Meld(seat.rack[:1]))) if seat.rack else None  # type: ignore[union-attr]
        if chance < 0.04:
            return self.paid(state, TimeRanOut(seat.name, self.rng.choice([None, loose])))
        if chance < 0.08:
            return self.paid(state, Misplayed(seat.name, self.rng.choice([None, loose])))
        if chance < 0.10 and loose is not None:
            return Played(seat.name, loose, overruled_by="all")
        if state.unsettled is not None:
            return FaultNoticed("taken_back" if state.rules.misplay.late == "arbitrate" else None)
        if state.rules.claims is not None and chance < 0.5:
            melds = [meld for meld in state.table.melds if len(meld) > 2]  # type: ignore[union-attr]
            if melds:
                claim = Claimed(seat.name, self.rng.choice(melds), fresh=False)
                if isinstance(apply(state, claim), GameState):
                    return claim
        return self.played(state, seat) or self.drawn(state, seat)

    def paid(self, state: GameState, event: TimeRanOut | Misplayed) -> GameEvent:
        """The event with the tiles that it costs."""
        outcome = apply(state, event)
        if isinstance(outcome, Refusal):
            return self.drawn(state, state.seats[state.to_move or 0])
        return replace(event, drawn=self.taken(state.pool - outcome.pool))

    def played(self, state: GameState, seat: Seat) -> Played | None:
        assert seat.rack is not None
        assert isinstance(state.table, Layout)
        if not seat.opened and state.rules.opening.kind == "points":
            points, sets = best_opening(seat.rack, state.rules)
            if points < state.rules.opening.points:
                return None
            event = Played(seat.name, Layout((*state.table.melds, *sets.melds)))
        else:
            play = best_play(state.table, seat.rack, state.rules, free_jokers=False)
            if play is None or not play.count:
                return None
            event = Played(seat.name, play.table_after)
        return event if isinstance(apply(state, event), GameState) else None

    def drawn(self, state: GameState, seat: Seat) -> GameEvent:
        if Drew in possible_events(state):
            two = state.rules.draw.two_players == "draw2_return1" and len(state.seats) == 2
            tiles = self.taken(min(1 + two, state.pool))
            if len(tiles) < 2:
                return Drew(seat.name, tiles)
            self.pool.append(tiles[0])
            return Drew(seat.name, tiles, returned=tiles[0])
        if EverybodyDrew in possible_events(state):
            order = [*range(state.to_move or 0, len(state.seats)), *range(state.to_move or 0)]
            if state.rules.start.direction == "counterclockwise":
                order = [(2 * (state.to_move or 0) - index) % len(state.seats) for index in order]
            return EverybodyDrew(tuple((state.seats[i].name, self.taken(1)) for i in order))
        stop = apply(state, PlayStopped())
        if isinstance(stop, GameState) and self.rng.random() < 0.5:
            return PlayStopped()
        return Passed(seat.name)
