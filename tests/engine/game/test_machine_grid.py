"""Whole games of Rummi200kub on a board of squares, played at random: grids, claims, locks, tokens."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from engine.board_plays import play_there_was_on
from engine.faults import Verdict
from engine.game.events import Board, Claimed
from engine.game.state import GameState, Phase, Tokens
from engine.game.tokens import lines_of_board
from engine.layout import GridLayout
from engine.melds import Meld
from engine.referee import judge
from engine.turns import Turn, lines_of
from tests.engine.game.tile_games import House, with_usual_answers
from tests.engine.game.tile_machine import TileGame, machine
from tests.engine.game.tile_turn_machine import Costs, numbers
from tests.engine.game.told_games import ToldGame

LOCKED = 3
"""R2-24: how often a set is claimed until nobody can claim it any more."""
GETS_IN: tuple[House, ...] = (
    {"opening.source": "any"},
    {"opening.points": 0},
    {"opening.same_turn_extension": "yes"},
    {},
)
"""What lets others in more often than a line across the board does (R2-20)."""


class Rummi200kubGame(TileGame):
    """R2-21: a tile for the time. R2-31: nothing for an unsuccessful play."""

    preset = "rummi200kub"
    costs = Costs(misplay=0, untouched=1, illegal=1, legal=1)

    def sit_down(self) -> None:
        chance = random.Random(self.seed)
        self.locks = chance.choice([None, 0, 2])
        self.told = ToldGame(
            self.preset,
            with_usual_answers(self.preset, chance.choice(GETS_IN)),
            self.players,
            self.seed,
            seen=self.seen,
            locks=self.locks,
        )
        self.deal()

    def greedy_board(self) -> Board | None:
        """The solver is for sets that lie apart; here whoever plays fast plays all there is."""
        board = self.seen_board(self.told.chance, greedy=True)
        return board if board and self.expected(board) is Verdict.LEGAL else None

    def can_anybody_play(self) -> bool:
        """Whether a play that is found for a player who has opened is legal."""
        board, rules = self.state.table, self.state.rules
        assert isinstance(board, GridLayout)
        for seat in self.state.seats:
            rack = tuple(self.told.world.rack(seat.name))
            after = play_there_was_on(rack, board, rules).after if seat.opened else None
            if after is not None:
                turn = Turn(None, lines_of(after), rack_before=rack, opened=True)
                ruling = judge(turn.with_grid(board, after), rules, with_repairs=False)
                assert ruling.verdict is Verdict.LEGAL
                return True
        return False

    # Claims

    @precondition(lambda self: self.state.phase is Phase.TURN and self.lines())
    @rule(which=numbers, backwards=st.booleans())
    def claim(self, which: int, backwards: bool) -> None:
        """R2-22, R2-23, R2-24: claimed, hijacked, locked."""
        lines = lines_of_board(self.state.table)
        line = lines[which % len(lines)]
        self.claim_line(Meld(line.tiles[::-1]) if backwards else line)

    @precondition(lambda self: self.state.phase is Phase.TURN and self.state.tokens)
    @rule(which=numbers)
    def hijack(self, which: int) -> None:
        """A set that has tokens already, as it lay when they were put there."""
        self.claim_line(self.state.tokens[which % len(self.state.tokens)].meld)

    @precondition(lambda self: self.state.phase is Phase.TURN and self.state.tokens)
    @rule(seed=numbers)
    def break_up(self, seed: int) -> None:
        """AMB-35: a board is let stand on which claimed sets may lie no more; such claims lapse."""
        boards = (self.spoilt_board(seed + n, from_table=True) for n in range(12))
        self.overrule(next((b for b in boards if b is not None and self.is_moved(b)), None))

    def is_moved(self, board: Board) -> bool:
        """Whether the same tiles lie there otherwise, and not as they should."""
        same = Counter(board.tiles) == Counter(self.state.table.tiles)
        return same and self.expected(board) is Verdict.ILLEGAL

    def go_on(self) -> None:
        """Now and then a claim instead of a draw."""
        turn, chance = self.state.turn, self.told.chance
        known = [*self.lines(), *(tokens.meld for tokens in self.state.tokens)]
        if known and chance.random() < 0.5:
            self.claim_line(chance.choice(known))
        if self.state.turn == turn and self.state.phase is Phase.TURN:
            super().go_on()

    def claim_line(self, line: Meld) -> None:
        before, player = self.state, self.mover
        event = Claimed(player, line, 4.0)
        if line not in {*self.lines(), *(Meld(row.tiles[::-1]) for row in self.lines())}:
            self.told.is_refused(event, "illegal")
            return
        lies_alone = sum(Counter(row) >= Counter(line) for row in self.lines()) == 1
        here = [tokens for tokens in before.tokens if Counter(tokens.meld) & Counter(line)]
        if not lies_alone or any(Counter(tokens.meld) != Counter(line) for tokens in here):
            # Which tokens those are is another question than how often a set was claimed.
            self.told.tries(event)
            return
        level = here[0].level if here else 0
        own = bool(here) and here[0].player == player
        if own or level == LOCKED or not self.told.referee.is_set(line.tiles):
            self.told.is_refused(event, "illegal")
        elif level == LOCKED - 1 and self.used_locks() == self.locks:
            self.told.is_refused(event, "no_locks")
        else:
            self.told.goes(event)
            self.check_claim(before, self.state, Tokens(player, line, level + 1), here)

    def lines(self) -> tuple[Meld, ...]:
        return lines_of_board(self.state.table)

    def used_locks(self) -> int:
        """R2-24: a lock for each set that was claimed three times."""
        return sum(tokens.level == LOCKED for tokens in self.state.tokens)

    def check_claim(
        self, before: GameState, after: GameState, laid: Tokens, here: list[Tokens]
    ) -> None:
        """R2-10, R2-25: the points of the tiles go from whoever had claimed the set to who claims it."""
        found = after.tokens[-1]
        assert (found.player, found.meld, found.level) == (laid.player, laid.meld, laid.level)
        naturals = [tile.rank for tile in laid.meld if tile.rank is not None]
        jokers = len(laid.meld) - len(naturals)
        assert 0 <= found.points - sum(naturals) <= 13 * jokers
        was, now = self.totals(before), self.totals(after)
        for name, total in now.items():
            lost = sum(tokens.points for tokens in here if tokens.player == name)
            won = found.points if name == laid.player else 0
            assert total == was.get(name, 0) - lost + won
        assert (after.phase is Phase.GAME_OVER) == (now[laid.player] == 200)

    def totals(self, state: GameState) -> dict[str, int]:
        return {} if state.scores is None else {k: int(v) for k, v in state.scores.totals.items()}

    # What always holds

    @invariant()
    def tokens_lie_on_sets_and_only_three_deep(self) -> None:
        """R2-22, R2-24: on tiles of one set; and no more locks than there are."""
        for tokens in self.state.tokens:
            assert 1 <= tokens.level <= LOCKED
            assert len(tokens.under) == tokens.level - 1
            assert any(Counter(tokens.meld) <= Counter(line) for line in self.lines())
        assert self.locks is None or self.used_locks() <= self.locks

    @invariant()
    def all_tiles_hang_together(self) -> None:
        """R2-20: where nobody let anything else stand."""
        table = self.state.table
        assert isinstance(table, GridLayout)
        stood = any(getattr(event.truth, "overruled_by", None) for event in self.told.standing)
        assert stood or parts_of(table) <= 1


def parts_of(board: GridLayout) -> int:
    """Into how many parts a board falls that do not touch."""
    left = {
        (y, x) for y, row in enumerate(board.rows) for x, tile in enumerate(row) if tile is not None
    }
    parts = 0
    while left:
        parts += 1
        waiting = [left.pop()]
        while waiting:
            y, x = waiting.pop()
            near = left & {(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)}
            left -= near
            waiting += near
    return parts


TestRummi200kub = machine(Rummi200kubGame, 8)
