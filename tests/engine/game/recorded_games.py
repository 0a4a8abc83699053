"""Games at random for the tests of positions and records: every state and event that comes up in play.

Who plays is no adviser: plays are found by the solver, and now and then somebody fails, runs out of
time, overrules the referee, takes back, corrects, or chooses a house rule.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from engine.game.events import (
    CalledOut,
    Claimed,
    Corrected,
    Dealt,
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
    StarterNamed,
    TimeRanOut,
    Undone,
)
from engine.game.fold import Game
from engine.game.seats import known_pieces
from engine.game.state import GameState, Phase, Seat
from engine.game.tokens import lines_of_board
from engine.layout import GridLayout, Layout, parse_grid
from engine.melds import Meld
from engine.solver import SolverError, best_play
from engine.tiles import RANKS, TILES, Tile
from tests.engine.game.tile_games import with_usual_answers

PRESETS = (
    "pressman",
    "pressman-tournament",
    "sabra",
    "reset",
    "reset-freeze",
    "rummi200kub",
)
NAMES = ("Ada", "Ben B.", 'Cleo "the fox"', "undo")
BOX = Counter(TILES * 2)
_Offer = Callable[[GameState, Seat, random.Random], GameEvent | None]


@cache
def random_game(seed: int, preset: str, most: int = 45) -> Game:
    """A game of some events, to its end where it comes to one; hands are known in most of them."""
    chance = random.Random(f"{seed} {preset}")
    players = NAMES[: chance.randint(2, 4)]
    houses: list[dict[str, str | int]] = [{"timeout.legal_layout": "stands"}, {}]
    if seed % 3 == 0:  # the first round, or the first set, decides more where a table may play so
        houses = [{"score.target": 1}, {}]
    if preset == "rummi200kub":
        houses = [{"opening.points": 0}]
    settled = [with_usual_answers(preset, house) for house in houses]
    tried = (Game.begin(GameBegun(preset, players, house)) for house in settled)
    game = next(begun for begun in tried if isinstance(begun, Game))
    seen = chance.random() < 0.7
    while game.length < most and game.state.phase is not Phase.GAME_OVER:
        events = _offers(game, chance, seen=seen)
        game = next(after for event in events if isinstance(after := game.after(event), Game))
    return game


def _offers(game: Game, chance: random.Random, *, seen: bool) -> Iterator[GameEvent]:
    """What may come next, until something of it applies."""
    state = game.state
    if game.length > 4 and chance.random() < 0.04:
        yield Undone(chance.choice([None, "Ada"]))
    if chance.random() < 0.03:
        yield HouseRuleChosen("timeout.limit_s", chance.randint(30, 240), "Ada")
    if chance.random() < 0.05:
        number, event = chance.choice(game.standing)
        if isinstance(event, Drew | Played | Passed):
            yield Corrected(number, replace(event, elapsed_s=chance.randint(1, 200) / 4), "Ada")
    if state.phase is Phase.START:
        yield from _starts(state, chance)
    elif state.phase is Phase.DEAL:
        yield _deal(state, chance, seen=seen)
        yield Dealt()
    elif state.phase is Phase.ROUND_OVER:
        yield _shown(state, chance)
    else:
        assert state.to_move is not None
        seat = state.seats[state.to_move]
        for offer in chance.sample(_OFTEN, len(_OFTEN)) if chance.random() < 0.8 else ():
            event = offer(state, seat, chance)
            if event is not None:
                yield event
        for offer in (*chance.sample(_SELDOM, len(_SELDOM)), *_OFTEN, *_LAST):
            event = offer(state, seat, chance)
            if event is not None:
                yield event


def _unseen(state: GameState, chance: random.Random, count: int) -> tuple[Tile, ...]:
    """Tiles that may be those drawn now."""
    left = sorted((BOX - known_pieces(state)).elements())
    return tuple(chance.sample(left, min(count, len(left))))


def _starts(state: GameState, chance: random.Random) -> Iterator[GameEvent]:
    names = state.still_drawing or tuple(seat.name for seat in state.seats)
    tiles = chance.sample(sorted(BOX.elements()), len(names))
    yield DrawnForStart(tuple(zip(names, tiles, strict=True)))
    yield StarterNamed(chance.choice(names))


def _deal(state: GameState, chance: random.Random, *, seen: bool) -> GameEvent:
    if not seen:
        return Dealt()
    each = state.rules.deal.tiles_for(len(state.seats))
    tiles = chance.sample(sorted(BOX.elements()), each * len(state.seats))
    hands = (tiles[at * each : (at + 1) * each] for at in range(len(state.seats)))
    names = (seat.name for seat in state.seats)
    return Dealt(tuple((name, tuple(hand)) for name, hand in zip(names, hands, strict=True)))


def _shown(state: GameState, chance: random.Random) -> GameEvent:
    left = sorted((BOX - known_pieces(state)).elements())
    chance.shuffle(left)
    hands, counted = [], []
    for seat in state.seats:
        if seat.rack is None:
            # Now and then the game is told that it counted a tile too many.
            lost = int(seat.held > 1 and chance.random() < 0.2)
            hands.append((seat.name, tuple(left[: seat.held - lost])))
            counted += [(seat.name, seat.held)] * lost
            del left[: seat.held]
    return HandsShown(tuple(hands), tuple(counted))


def _time(chance: random.Random) -> float | None:
    return chance.choice([None, chance.randint(1, 100) / 4, chance.random() * 50])


def _plays(state: GameState, seat: Seat, chance: random.Random) -> GameEvent | None:
    if isinstance(state.table, GridLayout):
        return _plays_on_board(state, seat, chance)
    rack = seat.rack or _unseen(state, chance, seat.held)
    try:
        found = best_play(state.table, rack, state.rules, free_jokers=False)
    except SolverError:
        return None
    if found is None or not found.count:
        return None
    return Played(seat.name, found.table_after, elapsed_s=_time(chance))


def _plays_on_board(state: GameState, seat: Seat, chance: random.Random) -> GameEvent | None:
    """A group as the only row of an empty board."""
    if state.table.tiles:
        return None
    rack = set(seat.rack or _unseen(state, chance, seat.held))
    for rank in RANKS:
        group = [str(tile) for tile in sorted(rack) if tile.rank == rank]
        if len(group) >= 3:
            return Played(seat.name, parse_grid(" ".join(group)), elapsed_s=_time(chance))
    return None


def _claims(state: GameState, seat: Seat, chance: random.Random) -> GameEvent | None:
    lines = lines_of_board(state.table)
    return Claimed(seat.name, chance.choice(lines), _time(chance)) if lines else None


def _draws(state: GameState, seat: Seat, chance: random.Random) -> GameEvent | None:
    tiles = None if seat.rack is None else _unseen(state, chance, state.rules.draw.tiles)
    returned = None
    if tiles and seat.rack and len(state.seats) == 2 and state.rules.draw.two_players != "same":
        tiles = _unseen(state, chance, 2)
        returned = chance.choice((*seat.rack, None))
    return Drew(seat.name, tiles, returned, _time(chance))


def _loose(state: GameState, seat: Seat, chance: random.Random) -> Layout | None:
    """The table with a tile laid alone."""
    rack = seat.rack or _unseen(state, chance, 1)
    if not rack or not isinstance(state.table, Layout):
        return None
    return Layout((*state.table.melds, Meld((chance.choice(rack),))))


def _overrules(state: GameState, seat: Seat, chance: random.Random) -> GameEvent | None:
    table = _loose(state, seat, chance)
    return None if table is None else Played(seat.name, table, overruled_by=NAMES[1])


def _misplays(state: GameState, seat: Seat, chance: random.Random) -> GameEvent | None:
    drawn = chance.choice([None, _unseen(state, chance, state.rules.misplay.penalty)])
    return Misplayed(seat.name, _loose(state, seat, chance), drawn, _time(chance))


def _is_late(state: GameState, seat: Seat, chance: random.Random) -> GameEvent | None:
    return TimeRanOut(seat.name, chance.choice([None, _loose(state, seat, chance)]))


def _notices(_state: GameState, _seat: Seat, chance: random.Random) -> GameEvent | None:
    decision = chance.choice([None, "stands", "taken_back"])
    return FaultNoticed(decision, chance.choice([None, "Ada"]))  # type: ignore[arg-type]


def _passes(_state: GameState, seat: Seat, chance: random.Random) -> GameEvent | None:
    return Passed(seat.name, _time(chance))


_OFTEN: tuple[_Offer, ...] = (_plays, _claims, _draws, _passes)
_SELDOM: tuple[_Offer, ...] = (_overrules, _misplays, _is_late, _notices)
_LAST: tuple[_Offer, ...] = (
    lambda _state, seat, _chance: Drew(seat.name),
    lambda _state, seat, _chance: CalledOut(seat.name),
    lambda _state, _seat, _chance: EverybodyDrew(),
    lambda _state, _seat, _chance: PlayStopped(),
)
