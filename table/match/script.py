"""The games of a match: every turn with the table before and after it, and the wrong turns tried first.

Players think in two ways, the solver's and that of whoever sees only what is plain; the game itself is
`engine.game`, with every tile known, so that a turn is what the rules and the tiles really allow.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from engine.game.events import Board, Dealt, Drew, GameBegun, GameEvent, Passed, Played
from engine.game.fold import Game
from engine.game.state import GameState, Phase
from engine.layout import Layout
from engine.ruleset import RuleSet, list_presets, load_ruleset
from engine.solver import SolverError
from engine.solving.player import greedy_turn
from engine.tiles import Tile
from table.fuzzing.offers import Offers
from table.fuzzing.plain_referee import PlainReferee
from table.fuzzing.seating import VARIED, any_value
from table.fuzzing.world import World, box_of
from table.match.wrong_turns import Moment, WrongTurn, WrongTurns

NAMES: Final = ("Ada", "Ben", "Cleo", "Dan")
WRONG: Final = 0.3
"""How often something is tried that is not legal before a turn."""
DRAWS_SHOWN: Final = 0.25
"""Of the turns in which nothing is laid only so many are filmed: they all look alike."""
MOST_HELD: Final = 9
"""Tiles of a rack up to which the solver is asked where jokers lie: with more it takes its time."""


@dataclass(frozen=True, slots=True)
class GameTurn:
    """One turn of the game, as it truly was."""

    starter: str | None
    """Who begins the round, where the table was cleared for one before it; None within a round."""
    unseen: tuple[GameEvent, ...]
    """What happened since the last turn, or since the tiles were dealt, and is not filmed: that
    somebody drew, say."""
    event: GameEvent
    """What the turn comes to in the end."""
    player: int
    """Index of the seat."""
    before: Board
    after: Board
    opened: bool
    """Whether the player had laid an initial meld before."""
    wrong: WrongTurn | None
    """What was tried first and taken back."""


def presets() -> tuple[str, ...]:
    """The games that can be filmed, those with tiles: first those whose sets lie apart."""
    tables = {name: load_ruleset(name) for name in list_presets()}
    with_tiles = (name for name, rules in tables.items() if rules.equipment.pieces == "tiles")
    return tuple(sorted(with_tiles, key=lambda name: tables[name].table.form != "sets"))


class Script:
    """The turns of one match by one preset; the same for the same seed."""

    def __init__(self, preset: str, seed: int) -> None:
        self._chance = random.Random(f"match {preset} {seed}")
        open_rules = load_ruleset(preset)
        house = open_rules.usual_answers()
        for switch in open_rules.switches.values():
            if switch.asked and switch.name in VARIED:
                house[switch.name] = any_value(switch, self._chance)
        house["run.order"] = any_value(open_rules.switches["run.order"], self._chance)
        self.rules: RuleSet = load_ruleset(preset, house)
        """By which rules it is played, with a choice for all that is left open."""
        self._wrong = WrongTurns(self._chance)
        self._begun = GameBegun(preset, NAMES[: self._chance.randint(2, len(NAMES))], house)

    @property
    def begun(self) -> GameBegun:
        """What is told of every game before it: its rules and who plays."""
        return self._begun

    @property
    def box(self) -> tuple[Tile, ...]:
        """Every tile of the set."""
        return tuple(box_of(self.rules))

    @property
    def players(self) -> int:
        """How many play."""
        return len(self._begun.players)

    def turns(self) -> Iterator[GameTurn]:
        """Turn after turn without end; a round that is over is followed by the first of another game."""
        while True:
            yield from self._round()

    def _round(self) -> Iterator[GameTurn]:
        begun = Game.begin(self._begun)
        assert isinstance(begun, Game), begun
        game, starter, unseen = begun, "", list[GameEvent]()
        world = World(self._begun.players, self.rules, self._chance)
        offers = _Players(self._chance)
        referee = PlainReferee(self.rules)
        while game.state.phase not in (Phase.ROUND_OVER, Phase.GAME_OVER):
            before = game.state
            event, game = _next(game, world, offers, referee)
            if isinstance(event, Dealt):
                starter, unseen = _mover(game.state), []
            elif self._is_shown(event):
                yield self._turn(before, event, world, starter or None, unseen)
                starter, unseen = "", []
            else:
                unseen.append(event)
            world.follow(event, game.state)

    def _is_shown(self, event: GameEvent) -> bool:
        """Whether it is the end of a turn, and one that is filmed."""
        nothing_laid = isinstance(event, Drew | Passed)
        return isinstance(event, Played) or (nothing_laid and self._chance.random() < DRAWS_SHOWN)

    def _turn(
        self,
        state: GameState,
        event: GameEvent,
        world: World,
        starter: str | None,
        unseen: Sequence[GameEvent],
    ) -> GameTurn:
        after = event.after if isinstance(event, Played) else state.table
        assert state.to_move is not None
        seat = state.seats[state.to_move]
        wrong = None
        if self._chance.random() < WRONG:
            others = (world.racks[name].elements() for name in world.racks if name != seat.name)
            good = after if after != state.table else None
            elsewhere = (*world.pool, *chain.from_iterable(others))
            moment = Moment(state.table, world.rack(seat.name), elsewhere, seat.opened, good)
            wrong = self._wrong.find(moment, self.rules)
        return GameTurn(
            starter=starter,
            unseen=tuple(unseen),
            event=event,
            player=state.to_move,
            before=state.table,
            after=after,
            opened=seat.opened,
            wrong=wrong,
        )


def _mover(state: GameState) -> str:
    assert state.to_move is not None
    return state.seats[state.to_move].name


def _next(
    game: Game, world: World, offers: Offers, referee: PlainReferee
) -> tuple[GameEvent, Game]:
    """What happens next, and the game after it."""
    for offer in offers.of(game.state, world, referee):
        after = game.after(offer.event, with_repairs=False)
        if isinstance(after, Game):
            return offer.event, after
    raise AssertionError(f"nobody can go on in the phase {game.state.phase}")


class _Players(Offers):
    """Half of the players ask the solver. Nobody is too late: the clock at a film is its own."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance, in_time=True)
        self._solves = [chance.random() < 0.5 for _ in NAMES]

    def board_after(self, state: GameState, world: World, referee: PlainReferee) -> Board | None:
        """How the player to move would leave the table; None for without playing."""
        assert state.to_move is not None
        seat = state.seats[state.to_move]
        rack = world.rack(seat.name)
        jokers = any(tile.is_joker for tile in (*rack, *state.table.tiles))
        quick = not jokers or len(rack) <= MOST_HELD
        if self._solves[state.to_move] and quick and isinstance(state.table, Layout):
            try:
                play = greedy_turn(state.table, rack, state.rules, opened=seat.opened)
            except SolverError:
                return super().board_after(state, world, referee)
            return play.table_after if play.placed else None
        return super().board_after(state, world, referee)
