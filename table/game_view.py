"""A game as pages show it: whose turn it is, what is asked, racks that are counted, and the score."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from engine.game.cursor import print_board
from engine.game.event_lines import print_event
from engine.game.events import GameBegun
from engine.game.position import MOVING
from engine.game.state import GameState, Phase
from engine.ruleset import RuleSet
from engine.scoring import hand_points
from engine.tiles import parse_tile
from table.ask import Ask
from table.claims import ClaimsView, claims_view
from table.clock import CAMERA, in_minutes, warning_s
from table.counted_rounds import CountView, count_view
from table.game_acts import Lying, is_untouched
from table.game_ask import ask_now
from table.game_on_table import PUT_AWAY, GameOnTable
from table.game_score import (
    RoundView,
    has_no_end,
    is_in_extra_round,
    leaders,
    score_rows,
    sheet_notes,
    totals,
)
from table.racks import Rack, RackTile

START = "start"
"""Who stops the clock when a session begins in the middle of a turn."""
_STOPPED = {
    START: "The power went, or the program ended,",
    PUT_AWAY: "The game was put away",
}
"""What stopped the clock, where nobody did, by the word for it."""
WAITS = "The clock stands until the table lies as it has to."
"""Why it does while the table is to be put back, or cleared."""
NO_PICTURE = "The clock stands until the camera shows the table again."
"""Why it does while the camera is out."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player."""

    name: str
    held: int
    """How many tiles the player holds."""
    opened: bool
    """Whether the player has laid an initial meld in this round; false in games without one."""
    points: str | None
    """The points so far; None before the first round is over."""


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clock of the turn. Times are seconds of the log's steady clock."""

    limit_s: int
    warning_s: float
    """How long before the end a page warns."""
    spent_s: float
    """What was taken before the clock was set going last."""
    since_s: float | None
    """When it was set going; None while it stands."""
    over: bool
    """Whether the time is up."""
    note: str
    """Why it stands, where nobody stopped it; empty mostly."""
    waits: bool = False
    """Whether it stands until the table is put back, or cleared."""


@dataclass(frozen=True, slots=True)
class RackView:
    """What one player holds at the end of a round, as it is being counted."""

    player: str
    held: int
    """How many tiles the game has counted there."""
    tiles: tuple[RackTile, ...] | None
    """Those that were read or told; None where nobody has said."""
    points: int | None
    """What they count by the rules; None while one of them is unread."""


@dataclass(frozen=True, slots=True)
class GameView:
    """Everything a page shows of a game."""

    preset: str
    title: str
    number: int
    """Number of the event that began it, by which its record is fetched."""
    sequence: int
    """Number of the newest event that has to do with the game; what is pressed names it."""
    followed: bool
    """Whether the camera follows its turns; not where it is played with cards."""
    phase: str
    """A word of ``engine.game.state.Phase``."""
    round: int
    game: int | None
    """The game within the round of a tournament; None elsewhere."""
    extra: bool
    """Whether the round is an extra one, which decides between those who were equal at the end."""
    rounds: int | None
    """How many rounds there are to be; None where something else ends the game."""
    open_ended: bool
    """Whether nothing but the players ends the game: nobody has agreed on a number of points."""
    target: int | None
    """How many points end the game, where hands are counted; None where something else does."""
    turn: int
    """The turn within the round."""
    seats: tuple[SeatView, ...]
    """Clockwise."""
    to_move: str | None
    """Whose turn it is."""
    pool: int
    """Tiles left to draw."""
    untouched: bool
    """Whether no tile is new on the table in this turn."""
    to_put_back: str | None
    """The table that has to be laid again before the turn begins; None mostly."""
    ask: Ask
    clock: ClockView | None
    """None where turns have no limit, and outside of turns."""
    racks: tuple[RackView, ...]
    """At the end of a round the racks of those who hold tiles; empty otherwise."""
    count: CountView | None
    """While a round of cards is played, which people count when it is over; None otherwise."""
    claims: ClaimsView | None
    """Where sets are claimed: whose tokens lie where, and what may be claimed; None in other games."""
    score: tuple[RoundView, ...]
    totals: tuple[str, ...]
    """By the seats; empty before the first round is over."""
    leaders: tuple[str, ...]
    """Who has won, or is ahead."""
    notes: tuple[str, ...]
    """What else a reader of the score has to know."""
    last: str
    """The newest event that stands, in notation: what would be undone. Empty where nothing would."""

    def to_json(self) -> dict[str, Any]:
        """The part ``game`` of the state of the JSON interface."""
        return asdict(self)


def view_of(
    on_table: GameOnTable, lying: Lying, *, stands_at_s: float | None = None
) -> GameView | None:
    """The game as it is shown now; None where none was begun. ``stands_at_s`` is what the turn has taken
    while its clock stands because the table is not yet as it has to be."""
    state, game = on_table.state, on_table.game
    if state is None or game is None:
        return None
    last = game.told_last
    has_openings = bool(state.rules.opening.points)
    is_to_be_laid = lying.to_put_back and on_table.time_over is None
    return GameView(
        preset=state.rules.preset,
        title=state.rules.title,
        number=on_table.begun_by,
        sequence=on_table.sequence,
        followed=on_table.is_followed,
        phase=state.phase.value,
        round=state.round,
        game=None if state.rules.tournament is None else state.game,
        extra=is_in_extra_round(state),
        rounds=state.rules.rounds_for(len(state.seats)),
        open_ended=has_no_end(state),
        target=state.rules.score.target if state.rules.score.ends == "target" else None,
        turn=state.turn,
        seats=tuple(
            SeatView(seat.name, seat.held, seat.opened and has_openings, _points(state, seat.name))
            for seat in state.seats
        ),
        to_move=None if on_table.mover is None else on_table.mover.name,
        pool=state.pool,
        untouched=is_untouched(state, lying) or lying.left_over,
        to_put_back=print_board(state.table) if is_to_be_laid else None,
        ask=ask_now(on_table, lying),
        clock=_clock(on_table, stands_at_s),
        racks=_racks(on_table, state),
        count=None if on_table.is_followed or state.phase not in MOVING else count_view(state),
        claims=claims_view(on_table),
        score=score_rows(state),
        totals=totals(state),
        leaders=leaders(state),
        notes=sheet_notes(state),
        last="" if isinstance(last, GameBegun) else print_event(last),
    )


def _points(state: GameState, name: str) -> str | None:
    return None if state.scores is None else str(state.scores.totals[name])


def _clock(on_table: GameOnTable, stands_at_s: float | None) -> ClockView | None:
    limit_s, clock = on_table.limit_s, on_table.clock
    if not limit_s:
        return None
    if stands_at_s is not None:
        return ClockView(limit_s, warning_s(limit_s), stands_at_s, None, False, WAITS, waits=True)
    over = on_table.time_over is not None
    note = "" if over else _why_it_stands(on_table, limit_s)
    return ClockView(limit_s, warning_s(limit_s), clock.spent_s, clock.since_s, over, note)


def _why_it_stands(on_table: GameOnTable, limit_s: int) -> str:
    clock = on_table.clock
    why = _STOPPED.get(on_table.clock_by)
    if clock.since_s is not None:
        return ""
    if on_table.clock_by == CAMERA:
        return NO_PICTURE
    if why is None:
        return ""
    left = in_minutes(limit_s - clock.spent_s)
    return f"{why} when the clock stood at {left}. It is paused: press Go on."


def _racks(on_table: GameOnTable, state: GameState) -> tuple[RackView, ...]:
    if state.phase is not Phase.ROUND_OVER:
        return ()
    told = on_table.racks
    return tuple(
        RackView(
            seat.name, seat.held, told.get(seat.name), _worth(told.get(seat.name), state.rules)
        )
        for seat in state.seats
        if seat.held and seat.rack is None
    )


def _worth(rack: Rack | None, rules: RuleSet) -> int | None:
    if rack is None or any(not tile.label for tile in rack):
        return None
    return hand_points((parse_tile(tile.label) for tile in rack), rules)
