"""A game as it is told, and beside it what truly happened: for state machines over whole games.

The world (`table.fuzzing.world`) moves every tile by hand, so that a tile that the game loses, makes or
puts on the wrong rack is noticed after the event that did it.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import NamedTuple

from engine.game.digest import digest
from engine.game.events import (
    Board,
    Corrected,
    GameBegun,
    GameEvent,
    HandsShown,
    Played,
    Tiles,
    Undone,
)
from engine.game.fold import Game
from engine.game.possible_events import possible_events
from engine.game.record import parse_record
from engine.game.replay import record_of, steps
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.layout import GridLayout, Layout
from engine.melds import Meld
from engine.tiles import TILE_SUITS, Tile
from table.fuzzing.checks import (
    check_claims,
    check_conservation,
    check_round_score,
    check_tiles,
    check_turn,
    is_new_round,
)
from table.fuzzing.plain_referee import PlainReferee, rows_of
from table.fuzzing.seating import Seating
from table.fuzzing.world import World
from tests.engine.game.tile_games import House
from tests.engine.game.tile_players import NAMES


class Happened(NamedTuple):
    """An event that stands."""

    truth: GameEvent
    """With every tile."""
    told: GameEvent
    """As the game heard of it."""


class ToldGame:
    """A game with the row of what happened in it, and where every tile is.

    Whatever is told to it is checked on the way: that only what is possible applies, that what is
    refused changes nothing, that turns go round, that what is played lies in sets, and that scores
    add up.
    """

    def __init__(
        self,
        preset: str,
        house: House,
        players: int,
        seed: int,
        *,
        seen: bool,
        locks: int | None = None,
    ) -> None:
        """`seen`: whether racks are; otherwise the game knows how many tiles they hold and no more."""
        self.chance = random.Random(seed)
        names = NAMES[:players]
        begun = GameBegun(preset, names, house, locks)
        self._seating = Seating(begun, frozenset(names if seen else ()), 0.0)
        game = Game.begin(begun)
        assert isinstance(game, Game), game
        self.game = game
        self.changes: list[GameEvent] = []
        """What may be taken back, the last one last."""
        self._rows: list[tuple[Happened, ...]] = [(Happened(begun, begun),)]
        self._digests = [digest(game.state)]
        self.world = self._new_world()

    # What is known

    @property
    def state(self) -> GameState:
        return self.game.state

    @property
    def standing(self) -> tuple[Happened, ...]:
        """The events that stand, the beginning first."""
        return self._rows[-1]

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        assert self.state.to_move is not None
        return self.state.seats[self.state.to_move]

    @property
    def rack(self) -> Tiles:
        """What the player to move truly holds."""
        return self.world.rack(self.seat.name)

    @property
    def referee(self) -> PlainReferee:
        return PlainReferee(self.state.rules)

    def is_legal(self, board: Board) -> bool:
        """Whether all that lies there are sets, whatever is answered to open questions."""
        return all(map(self.referee.is_set, rows_of(board)))

    def lies_legally(self) -> bool:
        return self.is_legal(self.state.table)

    # Telling

    def goes(self, truth: GameEvent) -> None:
        """Tell an event that applies."""
        refusal = self.tries(truth)
        assert refusal is None, (truth, refusal)

    def is_refused(self, truth: GameEvent, *codes: str) -> Refusal:
        """Tell an event that does not apply, for one of these reasons where any are given."""
        refusal = self.tries(truth)
        assert refusal is not None, truth
        assert not codes or refusal.code in codes, (truth, refusal)
        return refusal

    def tries(self, truth: GameEvent) -> Refusal | None:
        """Tell an event; None where it applied."""
        before = self.game
        told = self._seating.told(truth, before.state, self.chance)
        after = before.after(told, with_repairs=False)
        if isinstance(after, Refusal):
            self._check_refusal(after)
            return after
        assert type(told) in possible_events(before.state), told
        self._went(after, told, (*self.standing, Happened(truth, told)))
        self._follow(before.state, truth)
        return None

    def _check_refusal(self, refusal: Refusal) -> None:
        assert digest(self.state) == self._digests[-1]
        assert (refusal.ruling is not None) == (refusal.code in ("illegal", "ask"))
        assert refusal.reason.endswith((".", "?", "]", "”"))

    def _went(self, game: Game, change: GameEvent, row: tuple[Happened, ...]) -> None:
        self.game = game
        self.changes.append(change)
        self._rows.append(row)
        self._digests.append(digest(game.state))
        assert len(game.standing) == len(row)

    def _follow(self, before: GameState, truth: GameEvent) -> None:
        after = self.state
        check_turn(before, after)
        check_claims(before, after)
        if isinstance(truth, HandsShown):
            check_round_score(before, after)
        if isinstance(truth, Played) and truth.overruled_by is None:
            stands = [sorted(meld.tiles) for meld in before.let_stand]
            laid = [row for row in rows_of(truth.after) if sorted(row) not in stands]
            assert all(map(self.referee.is_set, laid)), truth
        if is_new_round(before, after):
            check_conservation(self.world)
            self.world = self._new_world()
        else:
            self.world.follow(truth, after)

    def check_tiles(self) -> None:
        """G-01: every tile is there once, and where the game says."""
        check_conservation(self.world)
        if self.state.phase is not Phase.GAME_OVER:
            check_tiles(self.state, self.world)

    # Looking back

    def take_back(self) -> None:
        """Take back the last thing that was told and stands."""
        undone = self.game.after(Undone("Ada"))
        assert isinstance(undone, Game), undone
        self.changes.pop()
        self._rows.pop()
        self.game = undone
        self._digests.append(digest(undone.state))
        self.world = self._replayed()

    @property
    def is_corrected(self) -> bool:
        """Whether the last thing that was told is a correction."""
        return bool(self.changes) and isinstance(self.changes[-1], Corrected)

    def check_taking_back(self) -> None:
        """What is taken back and told again comes to the same state."""
        undone = self.game.after(Undone())
        if not self.changes:
            assert isinstance(undone, Refusal)
            assert undone.code == "nothing_to_undo"
            return
        assert isinstance(undone, Game), undone
        assert len(undone.standing) == len(self._rows[-2])
        again = undone.after(self.changes[-1], with_repairs=False)
        assert isinstance(again, Game), (self.changes[-1], again)
        assert digest(again.state) == digest(self.state)
        assert again.state == self.state

    def correct(self, place: int, truth: GameEvent) -> Refusal | None:
        """Tell an event that stands anew, by its place in the row; None where that applied."""
        number, _ = self.game.standing[place]
        told = self._seating.told(truth, self.game.states()[place - 1], self.chance)
        corrected = Corrected(number, told, "Ada")
        after = self.game.after(corrected)
        if isinstance(after, Refusal):
            self._check_refusal(after)
            return after
        row = (*self.standing[:place], Happened(truth, told), *self.standing[place + 1 :])
        self._went(after, corrected, row)
        self.world = self._replayed()
        return None

    def _new_world(self) -> World:
        names = tuple(seat.name for seat in self.state.seats)
        return World(names, self.state.rules, self.chance)

    def _replayed(self) -> World:
        """Where every tile is after what stands."""
        world, states = self._new_world(), self.game.states()
        for (before, after), happened in zip(pairwise(states), self.standing[1:], strict=True):
            if is_new_round(before, after):
                world = self._new_world()
            else:
                world.follow(happened.truth, after)
        return world

    def check_record(self) -> None:
        """The record, folded from its beginning, comes to the same state after each of its events, and
        its text is read as it is written."""
        record = record_of(self.game)
        assert parse_record(str(record)) == record
        replayed = list(steps(record))
        assert [digest(step.game.state) for step in replayed] == self._digests
        assert not any(step.differences for step in replayed)
        assert replayed[-1].game == self.game


def dealt_hands(told: ToldGame, *, rich: bool) -> tuple[tuple[str, Tiles], ...]:
    """Hands of a deal from all tiles. Rich ones are mostly of one colour, so that rounds are short."""
    state, left = told.state, list(told.world.pool)
    each = state.rules.deal.tiles_for(len(state.seats))
    hands = []
    for seat, suit in zip(state.seats, TILE_SUITS, strict=False):
        wanted = [tile for tile in left if tile.suit in (suit, None)] if rich else left
        hand = tuple(told.chance.sample(wanted, each))
        for tile in hand:
            left.remove(tile)
        hands.append((seat.name, hand))
    return tuple(hands)


def with_loose(board: Board, tile: Tile) -> Board:
    """The board with a tile that belongs to nothing, which no game allows."""
    if isinstance(board, Layout):
        return Layout((*board.melds, Meld((tile,))))
    width = len(board.rows[0]) if board.rows else 1
    alone = (tile, *[None] * (width - 1))
    return GridLayout((*board.rows, *([(None,) * width] if board.rows else []), alone))
