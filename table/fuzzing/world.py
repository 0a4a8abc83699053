"""Where every tile of a round truly is, moved about by hand as events tell it.

A game knows what was seen. The world knows all, and shares no step with the game: so a tile that the
game loses, makes, or puts on the wrong rack is noticed at once.
"""

from __future__ import annotations

import random
from collections import Counter
from operator import attrgetter
from typing import NamedTuple

from engine.game.events import (
    Board,
    CardBought,
    CardTaken,
    Dealt,
    Discarded,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    GameEvent,
    Misplayed,
    Played,
    Reshuffled,
    Tiles,
    TimeRanOut,
)
from engine.game.state import GameState
from engine.ruleset import RuleSet
from engine.tiles import CARDS, TILES, Tile


class BrokenError(AssertionError):
    """Something that has to hold of every game did not; the message says what."""


def box_of(rules: RuleSet) -> list[Tile]:
    """Every piece of a game."""
    kinds = CARDS if rules.equipment.pieces == "cards" else TILES
    copies, jokers = rules.equipment.copies, rules.equipment.jokers
    return [kind for kind in kinds for _ in range(jokers if kind.is_joker else copies)]


class _Put(NamedTuple):
    """What a player put on a table that is not legal, and took from it."""

    player: str
    laid: Counter[Tile]
    taken: Counter[Tile]


class World:
    """The tiles of one round. Raises BrokenError where a game moved a tile that was not there."""

    def __init__(self, names: tuple[str, ...], rules: RuleSet, chance: random.Random) -> None:
        self._chance = chance
        self.box = Counter(box_of(rules))
        self.pool = sorted(self.box.elements())
        """What nobody has drawn; the last is the next one."""
        self.racks: dict[str, Counter[Tile]] = {name: Counter() for name in names}
        self.table: Counter[Tile] = Counter()
        self.pile: list[Tile] = []
        """The discards, from the bottom."""
        self._since_legal: list[_Put] = []
        chance.shuffle(self.pool)

    def rack(self, name: str) -> Tiles:
        """What a player holds, in sorted order."""
        return tuple(sorted(self.racks[name].elements(), key=attrgetter("kind")))

    def next_tiles(self, count: int) -> Tiles:
        """The tiles that are drawn next; they stay where they are until an event draws them."""
        return tuple(self.pool[-count:]) if count else ()

    def total(self) -> Counter[Tile]:
        """All tiles, wherever they are."""
        return sum(self.racks.values(), Counter(self.pool) + Counter(self.pile) + self.table)

    def follow(self, event: GameEvent, after: GameState) -> None:
        """Move the tiles of an event in which every tile is told, after which the game is `after`."""
        if after.rules.contracts is None:
            self._follow_tiles(event)
        else:
            self._follow_cards(event, after)
        match event:
            case Dealt(hands) | EverybodyDrew(hands):
                for name, tiles in hands:
                    self._give(name, tiles)
            case Misplayed() | TimeRanOut():
                self._give(event.player, event.drawn or ())
        if isinstance(event, FaultNoticed):
            self._put_back(after.table)
        elif hasattr(event, "player"):
            self._lay(event.player, event.after if isinstance(event, Played) else after.table)
        if after.unsettled is None:
            self._since_legal.clear()

    def _follow_tiles(self, event: GameEvent) -> None:
        if not isinstance(event, Drew):
            return
        self._give(event.player, event.tiles or ())
        if event.returned is not None:
            self._take(event.player, event.returned)
            self.pool.insert(self._chance.randint(0, len(self.pool)), event.returned)

    def _follow_cards(self, event: GameEvent, after: GameState) -> None:
        match event:
            case Dealt(upcard=Tile() as upcard):
                self.pool.remove(upcard)
                self.pile.append(upcard)
            case CardTaken(source="deck", card=Tile() as card):
                self._give(event.player, (card,))
            case CardTaken():
                self.racks[event.player][self.pile.pop()] += 1
            case CardBought():
                self.racks[event.player][self.pile.pop()] += 1
                self._give(event.player, event.from_deck or ())
            case Discarded():
                self._take(event.player, event.card)
                self.pile.append(event.card)
            case Reshuffled():
                stay = 1 if after.rules.pool_out.reshuffle == "all_but_top" else 0
                cut = len(self.pile) - stay
                self.pool, self.pile = self.pile[:cut], self.pile[cut:]
                self._chance.shuffle(self.pool)

    def _give(self, name: str, tiles: Tiles) -> None:
        """Tiles from the pool to a rack."""
        for tile in tiles:
            self.pool.remove(tile)
            self.racks[name][tile] += 1

    def _take(self, name: str, tile: Tile) -> None:
        if not self.racks[name][tile]:
            raise BrokenError(f"{name} gave away {tile}, and did not hold it")
        self.racks[name][tile] -= 1

    def _lay(self, name: str, board: Board) -> None:
        """The board as a player left it, tiles from the own rack and to it."""
        now = Counter(board.tiles)
        if now == self.table:
            return
        laid, taken = now - self.table, self.table - now
        for tile in laid.elements():
            self._take(name, tile)
        self.racks[name] += taken
        self.table = now
        self._since_legal.append(_Put(name, laid, taken))

    def _put_back(self, board: Board) -> None:
        """The last legal board, where the table goes back to it: everybody takes back what was laid."""
        if Counter(board.tiles) == self.table:
            return
        for put in reversed(self._since_legal):
            for tile in put.taken.elements():
                self._take(put.player, tile)
            self.racks[put.player] += put.laid
            self.table = self.table - put.laid + put.taken
