"""The turns of the tile games: playing, drawing, passing, and an empty rack called out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.board_plays import play_there_was_on
from engine.counts import changes_of_packed
from engine.drawing import has_duties
from engine.faults import Fault, Verdict
from engine.game.events import (
    Board,
    CalledOut,
    Drew,
    EverybodyDrew,
    Passed,
    Played,
    PlayStopped,
    Tiles,
)
from engine.game.judging import check_form, check_time, judge_turn, refuse_ruling, turn_of
from engine.game.late_faults import given_away, left_standing, with_no_sets
from engine.game.penalties import is_late, late_draw
from engine.game.rounds import end_round
from engine.game.score_sheet import is_won, with_live_scores
from engine.game.seats import (
    Outcome,
    begin_turn,
    check_phase,
    check_pieces,
    checked,
    gained,
    index_of,
    lost,
    mover,
    next_index,
    order_from,
    refuse,
    with_seat,
)
from engine.game.starting import check_given
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.game.tokens import claims_are_frozen, standing
from engine.layout import Layout
from engine.solver import SolverError, can_play
from engine.tiles import Tile
from engine.turns import LEAST_PLAYERS
from engine.verdicts import judge_for
from engine.wording import count_of, the

_DUTIES: Final = Fault.STARTER_OBLIGATORY | Fault.JOKER_HOARDING | Fault.PLAY_REQUIRED
"""What the referee can find wrong with not playing."""
_RETURNS: Final = Fault.TILE_CONSERVATION | Fault.RACK_COUNT
"""What it can find wrong with a tile of two that was returned."""


# Playing


def play(state: GameState, event: Played, *, with_repairs: bool = True) -> Outcome:
    """The game after a play that the referee finds legal, or that somebody let stand all the same.

    A refusal of the referee says how to mend the play, unless told not to look `with_repairs`.
    Refuses with `wrong_phase`, `unknown_player`, `not_your_turn`, `bad_time`, `wrong_form`,
    `wrong_deck`, `too_many_copies`, `wrong_count`, `illegal`, `ask`, `nothing_played`, `claim_frozen`.
    """
    index = mover(state, event.player, Phase.TURN, Phase.PLAY)
    if isinstance(index, Refusal):
        return index
    wrong = (
        check_time(event.elapsed_s)
        or check_form(state, event.after)
        or check_pieces(state.rules, event.after.tiles)
        or check_pieces(state.rules, event.rack or ())
    )
    if wrong is not None:
        return wrong
    played, gone = moved(state.table, event.after)
    seat = state.seats[index]
    if seat.rack is None and played.total() > seat.held:
        return _too_many_played(seat, played.total())
    worked_out = seat_after(state, index, event.after, None)
    rack, told = seat.rack, event.rack
    if told is None and not isinstance(worked_out, Refusal):
        told = worked_out.rack
    if rack is None and told is not None:
        rack = tuple(((Counter(told) + played) - gone).elements())
    # A ruling that nobody is told of needs no repair.
    mend = with_repairs and event.overruled_by is None
    ruling = judge_turn(state, index, event.after, rack, told, event.elapsed_s, with_repairs=mend)
    legal = ruling.verdict is Verdict.LEGAL
    if not legal and event.overruled_by is None:
        return refuse_ruling(ruling)
    if legal and not played:
        # As a turn it may be legal, but as one of those that draw or pass.
        text = "no tile is new on the table, and a play puts one there (G-02)"
        return refuse("nothing_played", text)
    left = seat_after(state, index, event.after, event.rack)
    if isinstance(left, Refusal):
        return left
    return put_down(state, index, left, event.after, legal=legal)


def _too_many_played(seat: Seat, played: int) -> Refusal:
    text = f"{seat.name} held {count_of(seat.held, 'tile')}, and {played} are new on the table"
    return refuse("wrong_count", text)


def moved(before: Board, after: Board) -> tuple[Counter[Tile], Counter[Tile]]:
    """The tiles that are new on the table, and those that lie there no more."""
    return changes_of_packed(before.packed, after.packed)


def seat_after(state: GameState, index: int, after: Board, rack: Tiles | None) -> Seat | Refusal:
    """The seat of a player who leaves the table so; the rack is worked out where it is known.

    Refuses with `wrong_count` where that cannot be the number of tiles.
    """
    seat = state.seats[index]
    played, gone = moved(state.table, after)
    held = seat.held - played.total() + gone.total()
    if played.total() > seat.held:
        return _too_many_played(seat, played.total())
    if rack is not None and len(rack) != held:
        text = f"{seat.name} holds {count_of(held, 'tile')} then, not {len(rack)}"
        return refuse("wrong_count", text)
    if rack is None and seat.rack is not None:
        left = Counter(seat.rack) + gone
        left.subtract(played)
        known = min(left.values(), default=0) >= 0
        rack = tuple(left.elements()) if known else None
    opened = seat.opened or played.total() > 0
    return Seat(seat.name, held, None if rack is None else tuple(sorted(rack)), opened, seat.buys)


def put_down(state: GameState, index: int, seat: Seat, after: Board, *, legal: bool) -> Outcome:
    """The game with the table left so, and what follows: the next turn, or the end of the round."""
    tokens = standing(state, after)
    if claims_are_frozen(state) and tokens != state.tokens:
        return refuse("claim_frozen", "a claimed set was taken apart, and this table forbids that")
    then = replace(with_seat(state, index, seat), table=after, tokens=tokens, unsettled=None)
    then = with_live_scores(then)
    if state.let_stand:
        then = with_no_sets(then)
    if not legal or (state.unsettled is not None and then.let_stand):
        then = left_standing(state, then, index)
    known = checked(then)
    if isinstance(known, Refusal):
        return known
    goes_out = seat.held == 0 and not state.rules.finish.call_required
    if goes_out or is_won(then):
        return end_round(then, index if goes_out else None)
    return end_turn(then, index, idle=False)


def end_turn(state: GameState, index: int, *, idle: bool) -> GameState:
    """The next turn, after one that was idle or not; the end of the round where all have passed.

    Idle is a turn without a play and without a draw, and in the lap before the first set one without a
    play (RS-09).
    """
    passes = state.passes + 1 if idle else 0
    blocked = state.pool == 0 and passes >= len(state.seats)
    if blocked and state.rules.pool_out.end == "all_pass":
        return end_round(replace(state, passes=passes), None)
    return begin_turn(state, next_index(state, index), passes=passes)


def call_out(state: GameState, event: CalledOut) -> Outcome:
    """The end of the round, called out by a player with an empty rack (AMB-28).

    Refuses with `wrong_phase`, `unknown_player`, `no_call_needed`, `not_empty`.
    """
    wrong = check_phase(state, Phase.TURN)
    if wrong is not None:
        return wrong
    index = index_of(state, event.player)
    if isinstance(index, Refusal):
        return index
    if not state.rules.finish.call_required:
        return refuse("no_call_needed", "a round ends here without being called out")
    held = state.seats[index].held
    if held:
        return refuse("not_empty", f"{event.player} holds {count_of(held, 'tile')}")
    return end_round(state, index)


# Drawing and passing


def is_before_first_set(state: GameState) -> bool:
    """Whether the round waits for its first set, which whoever can lay it must (RS-08)."""
    return state.rules.opening.obligatory and not state.table.tiles


def draw(state: GameState, event: Drew) -> Outcome:
    """The game after a draw, which ends the turn unless this table lets the player go on (AMB-19).

    A draw that came too late is the penalty for the time, and ends the turn (PR-15, PT-02).
    Refuses with `wrong_phase`, `unknown_player`, `not_your_turn`, `bad_time`, `nobody_draws`,
    `pool_empty`, `wrong_count`, `wrong_deck`, `nothing_returned`, `return_not_shown`,
    `return_not_drawn`, `not_held`, `too_many_copies`, `illegal`, `ask`.
    """
    index = mover(state, event.player)
    if isinstance(index, Refusal):
        return index
    wrong = check_time(event.elapsed_s) or _check_may_draw(state)
    if wrong is not None:
        return wrong
    seat = _seat_with_draw(state, state.seats[index], event)
    if isinstance(seat, Refusal):
        return seat
    neglected = _check_duties(state, index, event, seat)
    if neglected is not None:
        return neglected
    before = state.seats[index]
    then = replace(
        with_seat(state, index, seat), pool=state.pool - (seat.held - before.held), passes=0
    )
    known = checked(then)
    if isinstance(known, Refusal):
        return known
    if _taken(state, event.elapsed_s)[1]:
        then = given_away(state, then, index, event.returned)
    if state.rules.draw.then_play and not is_late(state.rules, event.elapsed_s):
        return replace(then, phase=Phase.PLAY)
    return end_turn(then, index, idle=False)


def _check_may_draw(state: GameState) -> Refusal | None:
    if state.pool == 0:
        return refuse("pool_empty", "there is no tile left to draw")
    if is_before_first_set(state):
        return refuse(
            "nobody_draws", "nobody draws before the first set lies there; the turn passes"
        )
    return None


def _seat_with_draw(state: GameState, seat: Seat, event: Drew) -> Seat | Refusal:
    """The seat after its draw, for two players of ReSet after one of two tiles is returned (RS-15)."""
    taken, returns = _taken(state, event.elapsed_s)
    if event.tiles is not None and len(event.tiles) != taken:
        text = f"{taken} are drawn from the pool of {state.pool}, not {len(event.tiles)}"
        return refuse("wrong_count", text)
    wrong = check_pieces(state.rules, event.tiles or ()) or _check_return(
        state, event, returns=returns
    )
    if wrong is not None:
        return wrong
    with_draw = gained(seat, taken, event.tiles)
    if not returns:
        return with_draw
    if event.returned is None:
        return replace(with_draw, held=with_draw.held - 1, rack=None)
    left = lost(with_draw, (event.returned,))
    if left is None:
        return refuse("not_held", f"{seat.name} did not hold {the(event.returned)} to return it")
    return left


def _taken(state: GameState, elapsed_s: float | None) -> tuple[int, bool]:
    """How many tiles a draw takes, and whether one of them is returned, as none is of a penalty."""
    rules = state.rules.draw
    late = late_draw(state.rules, elapsed_s, state.pool)
    if late is not None:
        return late, False
    two = rules.two_players == "draw2_return1" and len(state.seats) == LEAST_PLAYERS
    taken = min(rules.tiles + two, state.pool)
    return taken, taken > rules.tiles


def _check_return(state: GameState, event: Drew, *, returns: bool) -> Refusal | None:
    """AMB-20: whether a tile is returned, and told, as this table plays."""
    how, back = state.rules.draw.two_return, event.returned
    if not returns:
        none_due = "no tile is returned of this draw"
        return None if back is None else refuse("nothing_returned", none_due)
    if back is None:
        told = "the tile that is returned is shown to all at this table, and it is not told"
        return refuse("return_not_shown", told) if how == "shown" else None
    if how == "blind" and event.tiles is not None and back not in event.tiles:
        text = f"{the(back)} is none of the two drawn, and one of them is returned unseen here"
        return refuse("return_not_drawn", text)
    return check_pieces(state.rules, (back,))


def _check_duties(
    state: GameState, index: int, event: Drew | Passed, after: Seat
) -> Refusal | None:
    """A refusal where a player whose rack is known may not draw or pass instead of playing, or where it
    has to be asked first whether that may be."""
    rules, rack = state.rules, state.seats[index].rack
    bound = has_duties(rules, bare=not state.table.tiles, pool_empty=state.pool == 0)
    returned = isinstance(event, Drew) and event.returned is not None and after.rack is not None
    asked = returned and rules.is_open("draw.two_return")
    if not rack or not (bound or asked):
        return None
    now = after.rack
    if now is None:
        # Which tile was drawn is no matter of a duty, only that one was, so any stands for it here.
        now = (*rack, rack[0])
    turn = turn_of(state, index, state.table, rack, now, event.elapsed_s)
    ruling = judge_for(turn, rules, _DUTIES | _RETURNS if asked else _DUTIES)
    return None if ruling.verdict is Verdict.LEGAL else refuse_ruling(ruling)


def pass_turn(state: GameState, event: Passed) -> Outcome:
    """The game after a turn in which nothing was done, where that is a turn.

    Refuses with `wrong_phase`, `unknown_player`, `not_your_turn`, `bad_time`, `must_draw`,
    `everybody_draws`, `illegal`, `ask`.
    """
    index = mover(state, event.player, Phase.TURN, Phase.PLAY)
    if isinstance(index, Refusal):
        return index
    wrong = check_time(event.elapsed_s)
    if wrong is not None:
        return wrong
    if state.phase is Phase.PLAY:
        return end_turn(state, index, idle=False)
    starting = is_before_first_set(state)
    if state.pool and not starting:
        return refuse("must_draw", "a turn without a play draws while there are tiles to draw")
    if state.pool and state.passes >= len(state.seats):
        return refuse("everybody_draws", "nobody laid a set in a whole lap, so everybody draws now")
    neglected = _check_duties(state, index, event, state.seats[index])
    return neglected or end_turn(state, index, idle=True)


def everybody_drew(state: GameState, event: EverybodyDrew) -> Outcome:
    """The game after everybody drew because nobody laid the first set in a whole lap (RS-09).

    A pool that does not go round is drawn from in the order of turns. Refuses with `wrong_phase`,
    `nobody_draws`, `not_all_passed`, `pool_empty`, `unknown_player`, `named_twice`, `wrong_count`,
    `wrong_deck`, `too_many_copies`.
    """
    wrong = check_phase(state, Phase.TURN)
    if wrong is None and not is_before_first_set(state):
        wrong = refuse("nobody_draws", "all draw together only before the first set lies there")
    if wrong is None and state.passes < len(state.seats):
        text = f"{state.passes} turns passed without a set, and a lap has {len(state.seats)}"
        wrong = refuse("not_all_passed", text)
    if wrong is None and state.pool == 0:
        wrong = refuse("pool_empty", "there is no tile left to draw")
    wrong = wrong or check_given(state, event.drawn)
    return wrong or _with_a_draw_each(state, dict(event.drawn))


def _with_a_draw_each(state: GameState, drawn: Mapping[str, Tiles]) -> Outcome:
    then = replace(state, passes=0)
    for index in order_from(state, state.to_move or 0):
        seat = then.seats[index]
        count = min(state.rules.draw.tiles, then.pool)
        tiles = drawn.get(seat.name)
        if tiles is not None and len(tiles) != count:
            return refuse("wrong_count", f"{seat.name} draws {count}, not {len(tiles)}")
        then = replace(with_seat(then, index, gained(seat, count, tiles)), pool=then.pool - count)
    return checked(then)


# Nobody can play


def stop_play(state: GameState, _event: PlayStopped) -> Outcome:
    """The end of a round in which nobody can play any more and nothing is left to draw (PR-14).

    Refuses with `wrong_phase`, `pool_not_empty`, and `can_still_play` for a known rack that can.
    """
    wrong = check_phase(state, Phase.TURN)
    if wrong is None and state.pool:
        wrong = refuse("pool_not_empty", f"{count_of(state.pool, 'tile')} can still be drawn")
    if wrong is not None:
        return wrong
    for seat in state.seats:
        if _can_play(state, seat):
            return refuse("can_still_play", f"{seat.name} can still play")
    return end_round(state, None)


def _can_play(state: GameState, seat: Seat) -> bool:
    """Whether a rack is known to have a play. False where nobody can tell: where claimed sets stay as
    they are, and on a grid before the initial play and where not every way to lay it is tried.
    """
    if claims_are_frozen(state):
        return False
    if not isinstance(state.table, Layout):
        if seat.rack is None or not seat.opened:
            return False
        return play_there_was_on(seat.rack, state.table, state.rules).found is not None
    try:
        return can_play(state.table, seat.rack, state.rules, seat.opened) is True
    except SolverError:
        return False
