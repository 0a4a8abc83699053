"""Turns of the tile games that came to nothing: an unsuccessful play, and the end of the time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.faults import Ruling, Verdict
from engine.game.events import Board, Misplayed, Tiles, TimeRanOut
from engine.game.judging import check_form, check_time, judge_turn, refuse_ruling, touched
from engine.game.late_faults import left_standing
from engine.game.penalties import misplay_cost, tiles_due, time_cost
from engine.game.score_sheet import with_live_scores
from engine.game.seats import (
    Outcome,
    check_pieces,
    checked,
    gained,
    mover,
    refuse,
    with_seat,
)
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.game.tile_turns import end_turn, is_before_first_set, moved, put_down, seat_after
from engine.game.tokens import standing
from engine.layout import Layout
from engine.sets import is_set
from engine.tiles import Tile
from engine.wording import count_of, the


def misplay(state: GameState, event: Misplayed) -> Outcome:
    """The game after an unsuccessful play: the table as it was, the penalty drawn, the next turn.

    Where such a play costs nothing within the time (AMB-50) the turn goes on. Where the table is not put
    back (AMB-24) it stays as it was tried. Refuses with `wrong_phase`, `unknown_player`,
    `not_your_turn`, `bad_time`, `wrong_form`, `wrong_deck`, `too_many_copies`, `was_legal`,
    `wrong_count`, `not_held`, `tiles_missing`.
    """
    index = mover(state, event.player, Phase.TURN, Phase.PLAY)
    if isinstance(index, Refusal):
        return index
    wrong = check_time(event.elapsed_s) or _check_attempt(state, index, event.attempt)
    if wrong is not None:
        return wrong
    attempt = touched(state, event.attempt)
    ruling = None if attempt is None else _ruling(state, index, attempt)
    if ruling is not None and ruling.verdict is Verdict.LEGAL:
        return refuse("was_legal", "what was tried is a legal play, and so no unsuccessful one")
    cost = misplay_cost(state.rules, ruling)
    restored = state.rules.misplay.restore or attempt is None
    due = 0 if cost is None else tiles_due(cost, state.pool, state.rules)
    paid = _with_penalty(state, index, due, event.drawn)
    if isinstance(paid, Refusal):
        return paid
    if restored:
        return checked(paid if cost is None else _idle_or_not(paid, index, due))
    assert attempt is not None
    return _stays(state, paid, index, attempt, due)


def _idle_or_not(state: GameState, index: int, drawn: int) -> GameState:
    """The next turn, after one without a play in which so many were drawn."""
    return end_turn(state, index, idle=drawn == 0 or is_before_first_set(state))


def _ruling(state: GameState, index: int, attempt: Board) -> Ruling:
    """What the referee says of what was tried, whatever time it took."""
    seat = seat_after(state, index, attempt, None)
    after = None if isinstance(seat, Refusal) else seat.rack
    return judge_turn(state, index, attempt, state.seats[index].rack, after, None)


def _check_attempt(state: GameState, index: int, attempt: Board | None) -> Refusal | None:
    """A refusal for a table that the player cannot have laid in this turn."""
    if attempt is None:
        return None
    wrong = check_form(state, attempt) or check_pieces(state.rules, attempt.tiles)
    if wrong is not None:
        return wrong
    seat = state.seats[index]
    laid, _ = moved(state.table, attempt)
    if laid.total() > seat.held:
        text = f"{seat.name} held {count_of(seat.held, 'tile')}, and {laid.total()} are new on the table"
        return refuse("wrong_count", text)
    if seat.rack is not None and (strange := laid - Counter(seat.rack)):
        text = f"{the(next(iter(strange)))} is new on the table and was not on the rack"
        return refuse("not_held", text)
    return None


def _with_penalty(state: GameState, index: int, due: int, drawn: Tiles | None) -> Outcome:
    """The game with the penalty drawn. Refuses tiles that are not so many."""
    if drawn is not None and len(drawn) != due:
        return refuse("wrong_count", f"{due} are to be drawn, not {len(drawn)}")
    wrong = check_pieces(state.rules, drawn or ())
    if wrong is not None:
        return wrong
    seat = gained(state.seats[index], due, drawn)
    return replace(with_seat(state, index, seat), pool=state.pool - due)


def _stays(state: GameState, paid: GameState, index: int, attempt: Board, due: int) -> Outcome:
    """The game with an unsuccessful play left on the table, where it is not put back (AMB-24)."""
    laid, gone = moved(state.table, attempt)
    if gone:
        text = f"{the(next(iter(gone)))} lay on the table and does not lie there now"
        return refuse("tiles_missing", text)
    seat = _without(paid.seats[index], laid)
    then = replace(with_seat(paid, index, seat), table=attempt, tokens=standing(state, attempt))
    known = checked(with_live_scores(left_standing(state, then, index)))
    if isinstance(known, Refusal):
        return known
    return _idle_or_not(known, index, due + laid.total())


def _without(seat: Seat, laid: Counter[Tile]) -> Seat:
    rack = seat.rack
    if rack is not None:
        left = Counter(rack)
        left.subtract(laid)
        rack = tuple(sorted(left.elements()))
    return replace(seat, held=seat.held - laid.total(), rack=rack)


def run_out_of_time(state: GameState, event: TimeRanOut) -> Outcome:
    """The game after the time of a turn ran out: what lies there stands, or the player pays.

    A legal table stands where the rules let it (AMB-22), and nothing is drawn. Refuses with
    `wrong_phase`, `unknown_player`, `not_your_turn`, `no_clock`, `wrong_form`, `wrong_deck`,
    `too_many_copies`, `wrong_count`, `not_held`, `tiles_missing`, `claim_frozen`, and with `ask` where
    it depends on a house rule that nobody has chosen.
    """
    index = mover(state, event.player, Phase.TURN, Phase.PLAY)
    if isinstance(index, Refusal):
        return index
    wrong = _check_attempt(state, index, event.at_buzzer)
    if wrong is None and state.rules.timeout.limit_s == 0:
        wrong = refuse("no_clock", "turns have no time limit here")
    if wrong is not None:
        return wrong
    table = touched(state, event.at_buzzer)
    ruling = None if table is None else _ruling(state, index, table)
    legal = ruling is not None and ruling.verdict is Verdict.LEGAL
    if table is not None and legal and _stands_at_buzzer(state):
        seat = seat_after(state, index, table, None)
        if isinstance(seat, Refusal):
            return seat
        if event.drawn:
            return refuse("wrong_count", f"none is to be drawn, not {len(event.drawn)}")
        return put_down(state, index, seat, table, legal=True)
    if ruling is not None and ruling.verdict is Verdict.ASK and _matters(state, ruling):
        return refuse_ruling(ruling)
    cost = 0 if _passes(state, table) else time_cost(state.rules, ruling, legal=legal)
    due = tiles_due(cost, state.pool, state.rules)
    paid = _with_penalty(state, index, due, event.drawn)
    if isinstance(paid, Refusal):
        return paid
    all_loose = state.rules.timeout.loose_tiles == "all_loose" and state.seats[index].opened
    if all_loose and isinstance(table, Layout):
        sets = tuple(meld for meld in table.melds if is_set(meld.tiles, state.rules))
        if len(sets) < len(table.melds):
            return _loose_taken(state, paid, index, table, Layout(sets))
    return checked(_idle_or_not(paid, index, due))


def _passes(state: GameState, table: Board | None) -> bool:
    """Whether a turn that ran out only passes (RS-09): nothing was touched before the first set of a
    round, when nobody draws in a turn, and the table has not chosen what time costs."""
    untouched_at_first = table is None and is_before_first_set(state)
    return untouched_at_first and "timeout.penalty" not in state.rules.chosen


def _stands_at_buzzer(state: GameState) -> bool:
    """Whether a legal table stands as it lies when the time ends (AMB-22)."""
    return state.rules.timeout.legal_layout != "rollback"


def _matters(state: GameState, ruling: Ruling) -> bool:
    """Whether it makes a difference if a table was legal that came too late."""
    costs = {time_cost(state.rules, ruling, legal=legal) for legal in (True, False)}
    return len(costs) > 1 or _stands_at_buzzer(state)


def _loose_taken(
    state: GameState, paid: GameState, index: int, table: Layout, kept: Layout
) -> Outcome:
    """The game where sets stay as they lie and all loose tiles go to the rack (PT-02 to the letter)."""
    if gone := moved(state.table, table)[1]:
        text = f"{the(next(iter(gone)))} lay on the table and does not lie there now"
        return refuse("tiles_missing", text)
    laid, taken = moved(state.table, kept)
    seat = gained(_without(paid.seats[index], laid), taken.total(), tuple(taken.elements()))
    known = checked(replace(with_seat(paid, index, seat), table=kept, unsettled=None))
    return known if isinstance(known, Refusal) else end_turn(known, index, idle=False)
