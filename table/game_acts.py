"""What a person did in a game, and the events of the game that it comes to.

One act is one button; `table.game_ask` says which there are now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.game.events import (
    Board,
    CalledOut,
    Claimed,
    Dealt,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    GameEvent,
    HandsShown,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    StarterNamed,
    Tiles,
    TimeRanOut,
)
from engine.game.state import GameState
from engine.melds import Meld
from engine.referee import Ruling, Verdict
from engine.tiles import Tile
from table.forms import lies_as
from table.game_on_table import GameOnTable
from table.racks import tiles_of
from table.wishes import WishRefusedError


@dataclass(frozen=True, slots=True)
class Lying:
    """What lies on the table as it was read last, in a turn of a game."""

    layout: Board | None = None
    """The likeliest layout, without tiles that nobody could read; None where nothing was read."""
    unread: int = 0
    """How many tiles nobody could read."""
    ruling: Ruling | None = None
    """The ruling on it; None before there is one."""
    to_put_back: bool = False
    """Whether tiles have to be taken back first: the last turn came to nothing."""
    left_over: bool = False
    """Whether it lay there already when the round began: the table is not cleared yet."""
    lost_in_motion: bool = False
    """Whether something moved on it since, and nothing shows what came of that."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a person gives with an act."""

    player: str = ""
    """The player it is about, where it is not the one whose turn it is."""
    by: str = ""
    """Who decided, for acts that somebody has to answer for."""
    tile: Tile | None = None
    """The tile that is shown with the act."""
    elapsed_s: float | None = None
    """How long the turn took; None where nobody counts."""
    meld: Meld | None = None
    """The set that is claimed."""
    fresh: bool | None = None
    """Of two equal sets of which one has tokens: whether the other is meant."""


def is_untouched(state: GameState, lying: Lying) -> bool:
    """Whether no tile is new on the table and none is missing since the turn began."""
    if lying.layout is None:
        return True
    return not lying.unread and Counter(lying.layout.tiles) == Counter(state.table.tiles)


# The events of an act.


def events_of(act: str, on_table: GameOnTable, lying: Lying, said: Said) -> tuple[GameEvent, ...]:
    """The events of the game that an act comes to now.

    Raises ``WishRefusedError``: ``not_understood`` for no such act, ``no_game`` without a game.
    """
    make = _EVENTS.get(act)
    if make is None:
        raise WishRefusedError("not_understood", f"the acts are: {', '.join((*ACTS, *OTHER_ACTS))}")
    if on_table.state is None:
        raise WishRefusedError("no_game", "no game is under way; begin one first")
    return make(on_table, lying, said)


def _mover(on_table: GameOnTable) -> str:
    if on_table.mover is None:
        raise WishRefusedError("stale", "it is nobody's turn now")
    return on_table.mover.name


def _laid(on_table: GameOnTable, lying: Lying) -> Board:
    """What was laid in this turn; refused where nothing was read, or nothing was laid."""
    assert on_table.state is not None, "checked before"
    if lying.layout is None:
        raise WishRefusedError("nothing_read", "no layout has been read yet; wait for the table")
    if lying.to_put_back:
        raise WishRefusedError("stale", "the table is not yet put back as it was")
    if is_untouched(on_table.state, lying) and lies_as(on_table.state.table, lying.layout):
        raise WishRefusedError("nothing_laid", "nothing was laid; say what was done instead")
    return lying.layout


def _untouched_by(on_table: GameOnTable, lying: Lying) -> str:
    """Whose turn it is, where nothing lies on the table that did not before."""
    assert on_table.state is not None, "checked before"
    mover = _mover(on_table)
    if not lying.to_put_back and not is_untouched(on_table.state, lying):
        text = (
            "the table is not as it was when the turn began; take the tiles back, or end the turn"
        )
        raise WishRefusedError("not_as_before", text)
    return mover


def _play(on_table: GameOnTable, lying: Lying, said: Said) -> tuple[GameEvent, ...]:
    after, ruling = _laid(on_table, lying), lying.ruling
    if ruling is None or ruling.verdict is not Verdict.LEGAL:
        word = "not there yet" if ruling is None else ruling.verdict.value
        text = f"the ruling is {word}; mend it, take it back, or say who lets it stand"
        raise WishRefusedError("not_legal", text)
    return (Played(_mover(on_table), after, elapsed_s=said.elapsed_s),)


def _let_stand(on_table: GameOnTable, lying: Lying, said: Said) -> tuple[GameEvent, ...]:
    after, by = _laid(on_table, lying), _named(said)
    return (Played(_mover(on_table), after, elapsed_s=said.elapsed_s, overruled_by=by),)


def _named(said: Said) -> str:
    if not said.by:
        raise WishRefusedError("not_understood", "say who decides that")
    return said.by


def _take_back(on_table: GameOnTable, lying: Lying, said: Said) -> tuple[GameEvent, ...]:
    """An unsuccessful play; what was tried is noted where it can have been.

    One that could end the turn is none, and is refused when it is told.
    """
    tried, mover = _laid(on_table, lying), _mover(on_table)
    noted = Misplayed(mover, tried, elapsed_s=said.elapsed_s)
    legal = lying.ruling is not None and lying.ruling.verdict is Verdict.LEGAL
    can_end = legal and can_be(on_table, Played(mover, tried, elapsed_s=said.elapsed_s))
    if not can_end and not can_be(on_table, noted):
        # More tiles than the player held, or more of one than there are: it was misread.
        return (Misplayed(mover, elapsed_s=said.elapsed_s),)
    return (noted,)


def can_be(on_table: GameOnTable, *events: GameEvent) -> bool:
    """Whether these events can apply to the game now."""
    try:
        on_table.trial(*events)
    except WishRefusedError:
        return False
    return True


def _draw(on_table: GameOnTable, lying: Lying, said: Said) -> tuple[GameEvent, ...]:
    mover = _untouched_by(on_table, lying)
    return (Drew(mover, returned=said.tile, elapsed_s=said.elapsed_s),)


def _pass(on_table: GameOnTable, lying: Lying, said: Said) -> tuple[GameEvent, ...]:
    return (Passed(_untouched_by(on_table, lying), elapsed_s=said.elapsed_s),)


def _claim(on_table: GameOnTable, lying: Lying, said: Said) -> tuple[GameEvent, ...]:
    mover = _untouched_by(on_table, lying)
    if not lies_as_it_did(on_table, lying):
        text = (
            "the sets lie otherwise than when the turn began; put them back before one is claimed"
        )
        raise WishRefusedError("not_as_before", text)
    if said.meld is None:
        raise WishRefusedError("not_understood", "say which set is claimed")
    return (Claimed(mover, said.meld, elapsed_s=said.elapsed_s, fresh=said.fresh),)


def lies_as_it_did(on_table: GameOnTable, lying: Lying) -> bool:
    """Whether the same sets lie there as when the turn began, as far as anything was read."""
    assert on_table.state is not None, "checked before"
    return lying.layout is None or lies_as(on_table.state.table, lying.layout)


def _everybody_draws(on_table: GameOnTable, lying: Lying, _said: Said) -> tuple[GameEvent, ...]:
    _untouched_by(on_table, lying)
    return (EverybodyDrew(),)


def _stop(on_table: GameOnTable, lying: Lying, _said: Said) -> tuple[GameEvent, ...]:
    _untouched_by(on_table, lying)
    return (PlayStopped(),)


def time_ran_out(on_table: GameOnTable) -> TimeRanOut:
    """What follows from the end of the time by the rules, with the table as it lay then."""
    over = on_table.time_over
    if over is None:
        raise WishRefusedError("stale", "the time of this turn is not over")
    state = on_table.state
    assert state is not None, "a time that is over is that of a turn"
    layout = on_table.layout_at_buzzer
    return TimeRanOut(over.player, None if is_untouched(state, Lying(layout)) else layout)


def _fault(decision: str | None) -> Callable[..., tuple[GameEvent, ...]]:
    def fault(_on_table: GameOnTable, _lying: Lying, said: Said) -> tuple[GameEvent, ...]:
        return (FaultNoticed(decision, _named(said)),)  # type: ignore[arg-type]

    return fault


def _count(on_table: GameOnTable, _lying: Lying, _said: Said) -> tuple[GameEvent, ...]:
    return (HandsShown(hands_told(on_table)),)


def _count_as_shown(on_table: GameOnTable, _lying: Lying, _said: Said) -> tuple[GameEvent, ...]:
    counted = tuple((name, held) for name, held, _ in counted_otherwise(on_table))
    return (HandsShown(hands_told(on_table), counted),)


def counted_otherwise(on_table: GameOnTable) -> tuple[tuple[str, int, int], ...]:
    """The players whose racks have another number of tiles than the game counted: the name, the game's
    count, and how many tiles were read or told."""
    assert on_table.state is not None, "checked before"
    racks = on_table.racks
    return tuple(
        (seat.name, seat.held, len(racks[seat.name]))
        for seat in on_table.state.seats
        if seat.name in racks and len(racks[seat.name]) != seat.held
    )


def hands_told(on_table: GameOnTable) -> tuple[tuple[str, Tiles], ...]:
    """What was read or told of the players' racks, in the order of their seats."""
    assert on_table.state is not None, "checked before"
    names = [seat.name for seat in on_table.state.seats]
    return tuple((name, tiles_of(on_table.racks[name])) for name in names if name in on_table.racks)


_EVENTS: Mapping[str, Callable[[GameOnTable, Lying, Said], tuple[GameEvent, ...]]] = {
    "starter": lambda _on_table, _lying, said: (StarterNamed(said.player), Dealt()),
    "deal": lambda _on_table, _lying, _said: (Dealt(),),
    "play": _play,
    "let_stand": _let_stand,
    "take_back": _take_back,
    "draw": _draw,
    "pass": _pass,
    "claim": _claim,
    "everybody_draws": _everybody_draws,
    "stop": _stop,
    "call_out": lambda _on_table, _lying, said: (CalledOut(said.player),),
    "fault_stands": _fault("stands"),
    "fault_taken_back": _fault("taken_back"),
    "fault_by_rules": _fault(None),
    "time_over": lambda on_table, _lying, _said: (time_ran_out(on_table),),
    "count": _count,
    "count_as_shown": _count_as_shown,
}
ACTS = tuple(_EVENTS)
"""Every act of the game by its word; docs/api.md says what each comes to."""
OTHER_ACTS = "full_time", "table_is_back", "finish"
"""Those that are no events of the game by themselves."""
