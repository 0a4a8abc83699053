"""A turn of a game of tiles, as rules of a state machine: playing, drawing, passing, failing.

What something costs, and who may do what, is said here in the words of the documents and not asked of
the engine.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import ClassVar, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
)

from engine.faults import Fault, Verdict
from engine.game.events import (
    Board,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    TimeRanOut,
)
from engine.game.fold import apply
from engine.game.seats import order_from
from engine.game.state import GameState, Phase, Refusal
from engine.layout import Layout
from engine.solving.player import greedy_turn
from engine.tiles import JOKER
from table.fuzzing.plain_referee import rows_of
from table.fuzzing.players import TilePlayer
from table.fuzzing.wrong_moves import Spoiler
from tests.engine.game.tile_games import House
from tests.engine.game.told_games import ToldGame, with_loose

numbers = st.integers(0, 10_000)
in_turn = precondition(lambda self: self.state.phase is Phase.TURN)


class Costs(NamedTuple):
    """Tiles that are drawn when a turn comes to nothing."""

    misplay: int | None
    """After an unsuccessful play; None where it costs nothing and the turn goes on."""
    untouched: int
    """When the time runs out over an untouched table."""
    illegal: int
    """When it runs out over one that is not legal."""
    legal: int | None
    """When it runs out over a legal one; None where that stands."""


class TileTurns(RuleBasedStateMachine):
    """What a player may do in a turn, and may try to; each game is a class of its own."""

    preset: ClassVar[str]
    house: ClassVar[House] = {}
    costs: ClassVar[Costs]
    obligatory: ClassVar[bool] = False
    """Whether whoever can lay the first set has to, and nobody draws before (RS-08, RS-09)."""
    all_pass: ClassVar[bool] = False
    """Whether a round ends when all pass in a row and nothing is left to draw (AMB-29)."""
    returns: ClassVar[bool] = False
    """Whether two players draw two tiles and return one (RS-15)."""
    zero_sum: ClassVar[bool] = False

    told: ToldGame
    players: int
    seen: bool
    """Whether racks are seen; otherwise the game only counts them."""

    # What is known

    @property
    def state(self) -> GameState:
        return self.told.state

    @property
    def mover(self) -> str:
        return self.told.seat.name

    @property
    def is_starting(self) -> bool:
        return self.obligatory and not self.state.table.tiles

    def expected(self, board: Board) -> Verdict | None:
        """What a plain referee says of leaving the table so; None where it cannot tell."""
        seat = self.told.seat
        rack = self.told.rack if self.seen else None
        stands = [meld.tiles for meld in self.state.let_stand]
        return self.told.referee.verdict(
            self.state.table, board, rack, opened=seat.opened, let_stand=stands
        )

    # Playing

    @in_turn
    @rule()
    def play_greedily(self) -> None:
        """What the solver plays is accepted."""
        board = self.greedy_board()
        if board is not None:
            self.told.goes(Played(self.mover, board))

    def greedy_board(self) -> Board | None:
        table, seat = self.state.table, self.told.seat
        assert isinstance(table, Layout)
        if not self.told.lies_legally():
            return None
        play = greedy_turn(table, self.told.rack, self.state.rules, opened=seat.opened)
        return play.table_after if play.count else None

    @in_turn
    @rule(seed=numbers, greedy=st.booleans())
    def play_what_is_seen(self, seed: int, greedy: bool) -> None:
        """A play that somebody finds who does not think long; two referees agree on it."""
        board = self.seen_board(random.Random(seed), greedy=greedy)
        if board is not None:
            self.try_to_play(board)

    def seen_board(self, chance: random.Random, *, greedy: bool) -> Board | None:
        table, opened = self.state.table, self.told.seat.opened
        if any(all(tile.is_joker for tile in row) for row in rows_of(table)):
            # A joker that was let stand by itself is nothing that such a player builds on.
            return None
        player = TilePlayer(chance, greedy=greedy)
        return player.board_after(table, self.told.rack, self.told.referee, opened=opened)

    def try_to_play(self, board: Board) -> bool:
        """Leave the table so if the referee lets it; whether it did."""
        expected = self.expected(board)
        refusal = self.told.tries(Played(self.mover, board))
        if refusal is None:
            assert expected in (None, Verdict.LEGAL)
        elif refusal.ruling is not None:
            assert expected in (None, refusal.ruling.verdict), refusal
        else:
            assert (refusal.code, expected) == ("too_many_copies", Verdict.ILLEGAL)
        return refusal is None

    @in_turn
    @rule(seed=numbers, from_table=st.booleans())
    def play_wrongly(self, seed: int, from_table: bool) -> None:
        """A board with something wrong about it is judged as the plain referee says."""
        board = self.spoilt_board(seed, from_table=from_table)
        if board is None:
            return
        if sorted(board.tiles) == sorted(self.state.table.tiles):
            self.told.is_refused(Played(self.mover, board), "illegal", "ask", "nothing_played")
        else:
            self.try_to_play(board)

    def spoilt_board(self, seed: int, *, from_table: bool) -> Board | None:
        """A board that nobody should leave; one that the player cannot lay only where that is seen."""
        chance, table = random.Random(seed), self.state.table
        others = tuple(self.told.world.pool) if self.seen else ()
        board = None if from_table else self.seen_board(chance, greedy=True)
        spoiler = Spoiler(chance, self.told.rack, others, table)
        found = spoiler.spoiled(board or table)
        return found[1] if found and (self.seen or self.can_lay(found[1])) else None

    def can_lay(self, board: Board) -> bool:
        """Whether the player has the tiles for that."""
        new = Counter(board.tiles) - Counter(self.state.table.tiles)
        return new <= Counter(self.told.rack)

    # Not playing

    @in_turn
    @rule(how=st.sampled_from(["draw", "pass", "everybody", "stop"]))
    def do_without_playing(self, how: str) -> None:
        {
            "draw": self.draw,
            "pass": self.pass_turn,
            "everybody": self.everybody_draws,
            "stop": self.stop,
        }[how]()

    def draw(self) -> None:
        """RS-09: nobody draws before the first set. RS-15: two players draw two and return one."""
        count = min(2 if self.returns and self.players == 2 else 1, self.state.pool)
        drawn = self.told.world.next_tiles(count)
        returned = None
        if count == 2:
            returned = self.told.chance.choice((*self.told.rack, *drawn))
        event = Drew(self.mover, drawn, returned, 9.5)
        if not self.state.pool:
            self.told.is_refused(event, "pool_empty")
        elif self.is_starting:
            self.told.is_refused(event, "nobody_draws")
        else:
            self.told.goes(event)

    def pass_turn(self) -> None:
        """RS-08: whoever can lay the first set has to, and where nobody says so nobody can."""
        event, passes = Passed(self.mover, 3), self.state.passes
        if self.state.pool and not self.is_starting:
            self.told.is_refused(event, "must_draw")
        elif self.state.pool and passes >= self.players:
            self.told.is_refused(event, "everybody_draws")
        elif self.is_starting and self.seen:
            can = self.greedy_board() is not None
            refusal = self.told.tries(event)
            assert (refusal is not None) == can
            if refusal is not None:
                assert refusal.ruling is not None
                assert refusal.ruling.faults & Fault.STARTER_OBLIGATORY
        else:
            self.told.goes(event)

    def everybody_draws(self) -> None:
        """RS-09: after a whole lap without the first set, a tile for everybody."""
        left, drawn = list(self.told.world.pool), []
        for index in order_from(self.state, self.state.to_move or 0):
            tiles = (left.pop(),) if left else ()
            drawn.append((self.state.seats[index].name, tiles))
        event = EverybodyDrew(tuple(drawn))
        if self.is_starting and self.state.passes >= self.players and self.state.pool:
            self.told.goes(event)
        else:
            self.told.is_refused(event, "nobody_draws", "not_all_passed", "pool_empty")

    def stop(self) -> None:
        """PR-14: play stops when nobody can play and nothing is left to draw."""
        if self.state.pool:
            self.told.is_refused(PlayStopped(), "pool_not_empty")
            return
        refusal = apply(self.state, PlayStopped())
        if isinstance(refusal, Refusal):
            assert refusal.code == "can_still_play"
            assert self.can_anybody_play()
        else:
            known = self.seen and isinstance(self.state.table, Layout)
            assert not (known and self.can_anybody_play())
            self.told.goes(PlayStopped())

    def can_anybody_play(self) -> bool:
        """Whether the solver finds a play for any rack."""
        table, rules = self.state.table, self.state.rules
        assert isinstance(table, Layout)
        racks = [(self.told.world.rack(seat.name), seat.opened) for seat in self.state.seats]
        return any(greedy_turn(table, rack, rules, opened=had).count for rack, had in racks)

    # What comes to nothing

    def wrong_board(self, seed: int) -> Board | None:
        """A board that can be laid and is wrong beyond doubt: with a loose tile, or spoilt."""
        chance = random.Random(seed)
        if chance.random() < 0.5:
            board = self.spoilt_board(seed, from_table=chance.random() < 0.5)
            if board is not None and self.is_failure(board):
                return board
        rack = self.told.rack
        return with_loose(self.state.table, chance.choice(rack)) if rack else None

    def is_failure(self, board: Board) -> bool:
        wrong = self.expected(board) is Verdict.ILLEGAL
        return wrong and board != self.state.table and self.can_lay(board)

    @in_turn
    @rule(seed=st.none() | numbers)
    def misplay(self, seed: int | None) -> None:
        """PR-16, SB-22, R2-31, AMB-50: the table goes back, and so many tiles are drawn."""
        board = None if seed is None else self.wrong_board(seed)
        cost = self.costs.misplay
        due = min(cost or 0, self.state.pool)
        self.fail(Misplayed(self.mover, board, self.told.world.next_tiles(due), 30.0), due)

    @in_turn
    @rule(seed=st.none() | numbers)
    def run_out_of_time(self, seed: int | None) -> None:
        """PR-15, PT-02, SB-20, RS-22, R2-21; RS-09: nobody draws in a turn before the first set."""
        board = None if seed is None else self.wrong_board(seed)
        untouched = 0 if self.is_starting else self.costs.untouched
        cost = untouched if board is None else self.costs.illegal
        due = min(cost, self.state.pool)
        self.fail(TimeRanOut(self.mover, board, self.told.world.next_tiles(due)), due)

    @in_turn
    @rule(seed=numbers)
    def run_out_of_time_over_a_legal_play(self, seed: int) -> None:
        """AMB-22: a legal table stands, or goes back and is paid for, as the game has it."""
        board = self.seen_board(random.Random(seed), greedy=True)
        if board is None or self.expected(board) is not Verdict.LEGAL:
            return
        refusal = self.told.is_refused(Misplayed(self.mover, board))
        assert refusal.code == "was_legal"
        if self.costs.legal is None:
            self.stand_at_buzzer(board)
            return
        due = min(self.costs.legal, self.state.pool)
        self.fail(TimeRanOut(self.mover, board, self.told.world.next_tiles(due)), due)

    def stand_at_buzzer(self, board: Board) -> None:
        """When the time ends the board stands as if it had been played, and costs nothing."""
        before, played = self.state, apply(self.state, Played(self.mover, board))
        if self.seen:
            spare = self.told.world.next_tiles(1) or (JOKER,)
            self.told.is_refused(TimeRanOut(self.mover, board, spare), "wrong_count")
        self.told.goes(TimeRanOut(self.mover, board, ()))
        assert self.state == played
        assert (self.state.table, self.state.pool) == (board, before.pool)

    def fail(self, event: Misplayed | TimeRanOut, due: int) -> None:
        """The event applies at this price and at no other, and leaves the table as it lies."""
        before = self.state
        spare = (*self.told.world.next_tiles(due), JOKER)
        if due < before.pool and self.seen:
            self.told.is_refused(replace(event, drawn=spare), "wrong_count", "too_many_copies")
        self.told.goes(event)
        assert self.state.table == before.table
        if self.state.phase is Phase.TURN:
            goes_on = self.costs.misplay is None and isinstance(event, Misplayed)
            assert self.state.turn == before.turn + (not goes_on)
            assert self.state.pool == before.pool - due

    @in_turn
    @rule(seed=numbers, then=st.sampled_from(["nobody notices", "stands", "taken_back"]))
    def let_stand(self, seed: int, then: str) -> None:
        """Somebody with a name lets a table stand that is wrong, with all that lay there."""
        self.overrule(self.wrong_board(seed))
        if then != "nobody notices":
            self.notice(then)

    def overrule(self, board: Board | None) -> None:
        if board is not None and Counter(self.state.table.tiles) <= Counter(board.tiles):
            self.told.goes(Played(self.mover, board, overruled_by="Ada"))

    @rule(decision=st.sampled_from([None, "stands", "taken_back"]))
    def notice(self, decision: str | None) -> None:
        """AMB-26: a table that is legal by now stands; otherwise the players decide."""
        event = FaultNoticed(decision, "Ada")  # type: ignore[arg-type]
        if self.state.phase is not Phase.TURN:
            self.told.is_refused(event, "wrong_phase")
        elif self.state.unsettled is None:
            self.told.is_refused(event, "nothing_to_settle")
        elif self.told.lies_legally():
            if decision == "taken_back":
                self.told.is_refused(event, "rules_decide")
            else:
                self.told.goes(event)
        elif decision is None:
            self.told.is_refused(event, "decision_needed")
        else:
            states = self.told.game.states()
            self.told.goes(event)
            if decision == "taken_back":
                self.is_as_before(next(s for s in reversed(states) if s.unsettled is None))

    def is_as_before(self, before: GameState) -> None:
        """The table, and who had opened, are as they were then."""
        assert self.state.table == before.table
        now = [seat.opened for seat in self.state.seats]
        assert now == [seat.opened for seat in before.seats]
