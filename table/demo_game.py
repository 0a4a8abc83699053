"""A seeded, endless game of tile rummy for the rendered table, with the truth of every moment.

Four imagined players hold racks, and play what the solver finds for them. Once in a while one of them
does something that no rule allows, and mends it before ending the turn. Turns in which nothing is laid
are not shown: there is nothing to see. Nothing here looks at a picture: the script says what lies where,
the rendered table draws it, and the reader has to find out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.duties import play_in_words
from engine.layout import Layout
from engine.melds import Meld
from engine.ruleset import RuleSet, load_ruleset
from engine.sets import is_set, kinds_of
from engine.solver import smallest_change
from engine.solving.player import greedy_turn
from engine.tiles import TILES, Tile
from engine.wording import named
from table.demo_layout import DemoLayout, Row
from vision.rendering import TilePose

ROUND_TILES = 38
"""The table is cleared for a new round when this many tiles lie on it."""
BLUNDERS = 0.16
"""How often a player who has opened lays something that no rule allows, before mending it."""
PLAYERS = 4
LONGEST = 7
"""Nothing is added to a longer meld by mistake: it may have no room to grow."""


@dataclass(frozen=True, slots=True)
class DemoStep:
    """What lies on the rendered table until the next hand comes."""

    number: int
    """Counts the steps of the script from 0."""
    layout: Layout
    """The truth, melds row by row from the left."""
    poses: tuple[TilePose, ...]
    """Where each tile lies, in the order of the layout."""
    said: str
    """What the player does, in words."""
    ends_turn: bool
    """False where the player is about to mend what was laid."""
    starts_round: bool
    """True where the table was cleared before this step."""
    legal: bool
    """Whether a player may end the turn like this."""
    opened: bool
    """Whether the player had made an initial meld before this turn."""


@dataclass(slots=True)
class _Player:
    rack: list[Tile]
    opened: bool = False


def demo_steps(seed: int, span_mm: tuple[float, float]) -> Iterator[DemoStep]:
    """The script for ``seed`` on a table of which ``span_mm`` (width, height) is in the picture.

    The same seed and span give the same steps for ever. Raises ``ValueError`` for a span in which
    no game fits.
    """
    return _Game(seed, span_mm).steps()


class _Game:
    """Rounds by the rules of Pressman, with the jokers left in the box."""

    def __init__(self, seed: int, span_mm: tuple[float, float]) -> None:
        self._random = random.Random(seed)
        self._rules = load_ruleset("pressman")
        self._table = DemoLayout(span_mm, self._random)
        self._pool: list[Tile] = []
        self._players: list[_Player] = []
        self._number = 0

    def steps(self) -> Iterator[DemoStep]:
        """The steps, without end."""
        while True:
            yield from self._round()

    def _round(self) -> Iterator[DemoStep]:
        """A round up to a full table, an empty rack, or an empty pool."""
        self._deal()
        starts_round, index = True, self._random.randrange(PLAYERS)
        while len(self._table.layout.tiles) < ROUND_TILES:
            player = self._players[index]
            for step in self._turn(player, starts_round=starts_round):
                yield step
                starts_round = False
            if not player.rack or not self._pool:
                return
            index = (index + 1) % PLAYERS

    def _deal(self) -> None:
        self._table.clear()
        kinds = [tile for tile in TILES if not tile.is_joker]
        self._pool = kinds * self._rules.equipment.copies
        self._random.shuffle(self._pool)
        size = self._rules.deal.tiles_for(PLAYERS)
        self._players = [_Player([self._pool.pop() for _ in range(size)]) for _ in range(PLAYERS)]

    def _turn(self, player: _Player, *, starts_round: bool) -> Iterator[DemoStep]:
        """What is to be seen of a turn."""
        before, opened = self._table.layout, player.opened
        blunders = opened and self._random.random() < BLUNDERS
        wrong = self._blunder(player) if blunders else None
        if wrong is not None:
            yield self._step(wrong, opened, starts_round=starts_round, legal=False)
            self._table.take_back()
        said = self._play(player, before)
        if said is None:
            player.rack.append(self._pool.pop())
            said = "draws a tile" if wrong is not None else None
        if said is not None:
            mending = "takes that back and " if wrong is not None else ""
            starts_round = starts_round and wrong is None
            yield self._step(mending + said, opened, starts_round=starts_round, legal=True)

    def _play(self, player: _Player, before: Layout) -> str | None:
        """The play of most tiles, laid so that it changes as little as can be; None where there is none,
        or no room for it."""
        play = greedy_turn(before, player.rack, self._rules, opened=player.opened)
        if not play.placed:
            return None
        after = play.table_after
        if player.opened:
            after = smallest_change(before, play.placed, self._rules, free_jokers=False) or after
        if not self._table.lay(after):
            return None
        player.rack = list((Counter(player.rack) - Counter(play.placed)).elements())
        player.opened = True
        return _in_words(before, after, play.placed, self._rules)

    def _blunder(self, player: _Player) -> str | None:
        """A tile of the rack laid where no rule allows it; None where there is no place for that."""
        before = self._table.layout
        places = [
            (number, tile)
            for number, meld in enumerate(before.melds)
            for tile in sorted(set(player.rack))
            if len(meld) < LONGEST and _is_near(tile, meld) and not self._fits(meld, tile)
        ]
        if not places:
            return None
        number, tile = self._random.choice(places)
        melds = list(before.melds)
        melds[number] = Meld((*melds[number].tiles, tile))
        if not self._table.lay(Layout(tuple(melds))):
            return None
        return f"adds {tile.spoken} where it does not belong"

    def _fits(self, meld: Meld, tile: Tile) -> bool:
        return is_set((*meld.tiles, tile), self._rules)

    def _step(self, said: str, opened: bool, *, starts_round: bool, legal: bool) -> DemoStep:
        self._number += 1
        return DemoStep(
            number=self._number - 1,
            layout=self._table.layout,
            poses=self._table.poses(),
            said=said,
            ends_turn=legal,
            starts_round=starts_round,
            legal=legal,
            opened=opened,
        )


def _is_near(tile: Tile, meld: Meld) -> bool:
    """Whether somebody might think that a tile belongs to a meld."""
    return any(tile.rank == other.rank or tile.suit is other.suit for other in meld)


def _in_words(before: Layout, after: Layout, placed: Row, rules: RuleSet) -> str:
    """A play in words: what was added to one set, or else as the referee tells it."""
    old = Counter(before.melds) - Counter(after.melds)
    new = Counter(after.melds) - Counter(before.melds)
    if old.total() == new.total() == 1:
        return f"adds {named(placed)} to a {kinds_of(next(iter(old)), rules)[0]}"
    return f"lays {play_in_words(before, after)}"
