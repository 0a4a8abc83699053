"""Events of every kind drawn at random, most of them near to what might happen."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TypeVar

from engine.game.events import (
    Board,
    CalledOut,
    CardBought,
    CardTaken,
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    DrawnForStart,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    GameBegun,
    GameEvent,
    HandsShown,
    HouseRuleChosen,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    Reshuffled,
    RoundCounted,
    StarterNamed,
    TimeRanOut,
    Undone,
)
from engine.game.possible_events import possible_events
from engine.game.state import GameState
from engine.layout import GridLayout, Layout, parse_grid
from engine.melds import Meld, parse_tiles
from engine.ruleset import list_presets, load_ruleset
from engine.solver import best_opening
from engine.tiles import CARD_SUITS, JOKER, Tile
from tests.engine.game.tile_players import DECK, NAMES

T = TypeVar("T")

CARDS = [Tile(suit, rank) for suit in CARD_SUITS for rank in (1, 7, 13)]
ANY_TILE = [*DECK[:52] * 2, JOKER, *CARDS]
MELDS = [parse_tiles(text) for text in (
    "K1 K2 K3", "K5 K6 K7", "B9 B10 B11", "R11 R12 R13", "O12 O13 O1", "K7 B7 R7",
    "K10 B10 R10 O10", "K1 J R1", "J J", "K4", "K1 K2", "K7 K7 K7", "7S 7H 7D",
)]  # fmt: skip
GRIDS = [*map(parse_grid, ("-", "K7 K8 K9", "K7 K8 K9 / . B8 . / . R8 .", "J . K1", "K10 B10 R10"))]
SECONDS = [None, None, 12.5, 59.9, 121.0, 1e9, -1.0, math.nan, math.inf]
SWITCHES = [*{
    name: switch for preset in list_presets() for name, switch in load_ruleset(preset).switches.items()
}.values()]  # fmt: skip


class AnyEvent:
    """Events drawn at random, most of them near to what might happen."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def on(self, state: GameState) -> GameEvent:
        """An event of any kind, more often of one that is possible."""
        likely = sorted(possible_events(state), key=lambda kind: kind.__name__)
        kinds = likely if likely and self.rng.random() < 0.7 else list(KINDS)
        return KINDS[self.rng.choice(kinds)](self, state)

    def tile(self) -> Tile:
        return self.rng.choice(ANY_TILE)

    def tiles(self, most: int = 4) -> tuple[Tile, ...]:
        return tuple(self.tile() for _ in range(self.rng.randint(0, most)))

    def maybe(self, value: T) -> T | None:
        return self.rng.choice([None, value])

    def who(self, state: GameState) -> str:
        """Most often whose turn it is."""
        if state.to_move is not None and self.rng.random() < 0.85:
            return state.seats[state.to_move].name
        return self.rng.choice([*NAMES, "Zoe", ""])

    def hands(self, state: GameState) -> tuple[tuple[str, tuple[Tile, ...]], ...]:
        """Nobody's, what is known, or anything."""
        known = tuple((seat.name, seat.rack) for seat in state.seats if seat.rack is not None)
        some = tuple(
            (self.rng.choice(NAMES), self.tiles(15)) for _ in range(self.rng.randint(0, 3))
        )
        full = tuple((seat.name, self.counted(seat.held)) for seat in state.seats)
        return self.rng.choice([(), known, some, full])

    def counts(self, state: GameState) -> tuple[tuple[str, int], ...]:
        """Nothing, what the game has counted, or anything."""
        right = tuple((seat.name, seat.held) for seat in state.seats)
        return self.rng.choice([(), right, ((self.rng.choice(NAMES), self.rng.randint(0, 20)),)])

    def counted(self, number: int) -> tuple[Tile, ...]:
        return tuple(self.rng.sample([*DECK, *DECK], number))

    def board(self, state: GameState) -> Board:
        """The table with a meld or a tile more, or without one, or any."""
        if self.rng.random() < 0.15 or isinstance(state.table, GridLayout):
            return self.rng.choice([*GRIDS, Layout.of(self.rng.sample(MELDS, 2))])
        melds = [meld.tiles for meld in state.table.melds]
        mover = state.seats[state.to_move or 0]
        rack = [tile for tile in mover.rack or () if not tile.is_card]
        new = [*MELDS, *(meld.tiles for meld in best_opening(rack[:20], PLAIN)[1].melds)]
        change = self.rng.randint(0, 4)
        if change == 0 and melds:
            melds.remove(self.rng.choice(melds))
        elif change == 1 and melds and rack:
            number = self.rng.randrange(len(melds))
            melds[number] = (*melds[number], self.rng.choice(rack))
        elif change > 1:
            melds.append(self.rng.choice(new[-3:] if change > 2 else new))
        return Layout.of(melds)

    def meld(self, state: GameState) -> Meld:
        table = state.table
        lines = table.lines() if isinstance(table, GridLayout) else table.melds
        return self.rng.choice([*lines, *lines, Meld.of(self.rng.choice(MELDS))])

    def choice(self) -> HouseRuleChosen:
        switch = self.rng.choice(SWITCHES)
        numbers = (switch.least, switch.most, self.rng.randint(-1, 40))
        value = self.rng.choice([*switch.values, "maybe"] if switch.values else numbers)
        return HouseRuleChosen(self.rng.choice([switch.name] * 9 + ["joker.colour"]), value, "Ada")

    def drawn(self, state: GameState) -> tuple[tuple[str, Tile], ...]:
        names = state.still_drawing or tuple(seat.name for seat in state.seats)
        return tuple((name, self.tile()) for name in self.rng.choice([names, NAMES[:2]]))


KINDS: dict[type[GameEvent], Callable[[AnyEvent, GameState], GameEvent]] = {
    GameBegun: lambda a, _: GameBegun(a.rng.choice([*list_presets(), "chess"]), NAMES),
    DrawnForStart: lambda a, s: DrawnForStart(a.drawn(s)),
    StarterNamed: lambda a, _: StarterNamed(a.rng.choice([*NAMES, "Zoe"])),
    Dealt: lambda a, s: Dealt(a.hands(s), a.rng.choice([None, None, a.tile()])),
    Played: lambda a, s: Played(
        a.who(s), a.board(s), a.rng.choice([None, None, a.tiles(12)]), a.rng.choice(SECONDS),
        a.maybe("Ada"),
    ),
    Drew: lambda a, s: Drew(
        a.who(s), a.rng.choice([None, (a.tile(),), a.tiles()]), a.rng.choice([None, None, a.tile()]),
        a.rng.choice(SECONDS),
    ),
    Passed: lambda a, s: Passed(a.who(s), a.rng.choice(SECONDS)),
    Claimed: lambda a, s: Claimed(
        a.who(s), a.meld(s), a.rng.choice(SECONDS), a.rng.choice([None, True, False])
    ),
    CalledOut: lambda a, s: CalledOut(a.who(s)),
    Misplayed: lambda a, s: Misplayed(
        a.who(s), a.maybe(a.board(s)), a.rng.choice([None, None, a.tiles()]), a.rng.choice(SECONDS)
    ),
    TimeRanOut: lambda a, s: TimeRanOut(
        a.who(s), a.maybe(a.board(s)), a.rng.choice([None, None, a.tiles()])
    ),
    EverybodyDrew: lambda a, s: EverybodyDrew(a.rng.choice([(), a.hands(s)])),
    CardTaken: lambda a, s: CardTaken(
        a.who(s), a.rng.choice(["deck", "discard"]), a.rng.choice([None, None, a.tile()])
    ),
    CardBought: lambda a, _: CardBought(
        a.rng.choice(NAMES), tuple(a.rng.sample(NAMES, 1)), a.maybe((a.tile(),))
    ),
    Discarded: lambda a, s: Discarded(a.who(s), a.tile()),
    Reshuffled: lambda _, __: Reshuffled(),
    FaultNoticed: lambda a, _: FaultNoticed(a.rng.choice([None, "stands", "taken_back"])),
    PlayStopped: lambda _, __: PlayStopped(),
    RoundCounted: lambda a, s: RoundCounted(a.counts(s), a.maybe(a.rng.choice(NAMES))),
    HandsShown: lambda a, s: HandsShown(a.hands(s), a.counts(s)),
    HouseRuleChosen: lambda a, _: a.choice(),
    Undone: lambda _, __: Undone(),
    Corrected: lambda a, s: Corrected(a.rng.randint(-1, 20), Passed(a.who(s))),
}  # fmt: skip
PLAIN = load_ruleset("pressman")
