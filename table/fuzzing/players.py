"""Players of tile games that think fast: sets from the hand, tiles added to sets, nothing clever.

A greedy one lays all it sees. Another leaves things out at random, so that games take every course.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

from engine.game.events import Board, Tiles
from engine.layout import GridLayout, Layout
from engine.tiles import Tile
from table.fuzzing.hands import additions_to, sets_of, take_apart
from table.fuzzing.plain_referee import PlainReferee
from table.fuzzing.squares import Squares

_LEAVES_OUT: Final = 0.35
"""How often a player who is not greedy leaves out what could be laid."""
_LONGEST: Final = 40
"""Additions that are looked for in one turn; no hand has more."""


class TilePlayer:
    """One way to play: finds a board to leave, or none."""

    def __init__(self, chance: random.Random, *, greedy: bool) -> None:
        self._chance = chance
        self._greedy = greedy

    def board_after(
        self, board: Board, rack: Tiles, referee: PlainReferee, *, opened: bool
    ) -> Board | None:
        """The board with tiles of the rack on it; None where nothing is seen, or wanted.

        Whether it is legal where jokers lie is not promised, and on a board of squares neither.
        """
        hand = Counter(rack)
        needs = referee.rules.opening.points if referee.rules.opening.kind == "points" else 0
        opening = not opened and needs > 0
        if isinstance(board, GridLayout):
            return self._on_squares(board, hand, referee, needs if opening else 0)
        own = self._sets(hand, referee)
        if opening and sum(map(referee.points, own)) < needs:
            return None
        rows = [meld.tiles for meld in board.melds]
        if not opening or self._may_go_on(referee):
            self._add(rows, hand, referee)
        if (
            not own
            and len(rows) == len(board.melds)
            and rows == [meld.tiles for meld in board.melds]
        ):
            return None
        return Layout.of([*rows, *own])

    def _may_go_on(self, referee: PlainReferee) -> bool:
        """Whether the turn of an initial meld may build on other sets (AMB-09)."""
        rules = referee.rules
        open_question = rules.is_open("opening.same_turn_extension")
        return not open_question and rules.opening.same_turn_extension

    def _leaves_out(self) -> bool:
        return not self._greedy and self._chance.random() < _LEAVES_OUT

    def _sets(self, hand: Counter[Tile], referee: PlainReferee) -> list[Tiles]:
        """Sets from the hand, which then holds the rest."""
        laid: list[Tiles] = []
        while True:
            rows = sets_of(hand.elements(), referee.is_set)
            self._chance.shuffle(rows)
            # Jokers are kept for later where they are not needed, and more tiles are better than few.
            rows.sort(key=lambda row: (any(tile.rank is None for tile in row), -len(row)))
            found = take_apart([row for row in rows if not self._leaves_out()], hand)
            laid += found
            if not found or not self._greedy:
                return laid

    def _add(self, rows: list[Tiles], hand: Counter[Tile], referee: PlainReferee) -> None:
        """Tiles of the hand to the sets on the table, one after the other."""
        frozen = referee.rules.joker.freeze == "full" or referee.rules.is_open("joker.freeze")
        kinds = sorted(tile for tile, count in hand.items() if count)
        for number, row in enumerate(rows):
            if frozen and any(tile.rank is None for tile in row):
                continue
            while not self._leaves_out():
                step = next(additions_to(rows[number], kinds, referee.is_set), None)
                if step is None:
                    break
                tile, rows[number] = step
                hand[tile] -= 1
                if not hand[tile]:
                    kinds.remove(tile)

    def _on_squares(
        self, board: GridLayout, hand: Counter[Tile], referee: PlainReferee, needs: int
    ) -> Board | None:
        squares = Squares(board)
        for _ in range(_LONGEST if self._greedy else self._chance.randint(1, 3)):
            places = squares.plays(hand, referee, needs, self._chance)
            if not places:
                break
            laid = self._chance.choice(places[:6] if self._greedy else places)
            squares.lay(laid)
            hand -= Counter(laid.values())
            needs = 0
        return squares.board() if squares.changed else None
