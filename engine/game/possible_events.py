"""Which kinds of events may come next, for whoever shows a game and asks for one."""

from __future__ import annotations

from typing import Final

from engine.game.events import (
    CalledOut,
    CardBought,
    CardTaken,
    Claimed,
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
)
from engine.game.state import GameState, Phase
from engine.game.tile_turns import is_before_first_set

_Kinds = frozenset[type[GameEvent]]
_OF_CARDS: Final = {
    Phase.TURN: frozenset({CardTaken, CardBought, Reshuffled, PlayStopped}),
    Phase.PLAY: frozenset({Played, Discarded, Misplayed, Reshuffled}),
}


def possible_events(state: GameState | None) -> frozenset[type[GameEvent]]:
    """The kinds of events that may come next; None is the state before a game.

    An event of a kind that is not among them is refused, whatever it holds. One that is among them may
    be refused for what it holds. `Undone` and `Corrected` are left out: they are about the events
    before.
    """
    if state is None:
        return frozenset({GameBegun})
    kinds: _Kinds = frozenset()
    if state.phase is Phase.START:
        drawn = state.rules.start.by in ("highest", "lowest")
        kinds = frozenset({StarterNamed, DrawnForStart} if drawn else {StarterNamed})
    elif state.phase is Phase.DEAL:
        kinds = frozenset({Dealt})
    elif state.phase is Phase.ROUND_OVER:
        kinds = frozenset({HandsShown})
    elif state.phase is Phase.GAME_OVER:
        return kinds
    elif state.rules.contracts is not None:
        kinds = _OF_CARDS[state.phase]
    else:
        kinds = _of_tiles(state)
    if state.rules.equipment.pieces == "cards" and state.phase in (Phase.TURN, Phase.PLAY):
        kinds |= {RoundCounted}
    if state.unsettled is not None and state.phase is Phase.TURN:
        kinds |= {FaultNoticed}
    return kinds | {HouseRuleChosen}


def _of_tiles(state: GameState) -> _Kinds:
    """What may come in a turn of a tile game."""
    kinds: _Kinds = frozenset({Played, Misplayed})
    if state.rules.timeout.limit_s:
        kinds |= {TimeRanOut}
    if state.phase is Phase.PLAY:
        return kinds | {Passed}
    starting = is_before_first_set(state)
    whole_lap = state.passes >= len(state.seats)
    if state.rules.claims is not None:
        kinds |= {Claimed}
    if state.pool and not starting:
        kinds |= {Drew}
    if not state.pool or (starting and not whole_lap):
        kinds |= {Passed}
    if state.pool and starting and whole_lap:
        kinds |= {EverybodyDrew}
    if not state.pool:
        kinds |= {PlayStopped}
    if state.rules.finish.call_required and any(seat.held == 0 for seat in state.seats):
        kinds |= {CalledOut}
    return kinds
