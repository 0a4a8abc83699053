"""A turn of the game as the referee sees it, and what becomes of its rulings."""

from __future__ import annotations

import math

from engine.examination import same_table
from engine.faults import Ruling, Verdict
from engine.game.events import Board, Tiles
from engine.game.seats import refuse
from engine.game.state import GameState, Refusal
from engine.layout import GridLayout, Layout
from engine.referee import judge
from engine.turns import Claim, Turn, lines_of


def check_time(elapsed_s: float | None) -> Refusal | None:
    """A refusal (`bad_time`) for seconds that cannot have passed."""
    if elapsed_s is None or 0 <= elapsed_s < math.inf:
        return None
    return refuse("bad_time", f"a turn takes 0 seconds or more, not {elapsed_s}")


def check_form(state: GameState, board: Board) -> Refusal | None:
    """A refusal (`wrong_form`) for sets where the game is played in a grid, or the other way round."""
    if isinstance(board, GridLayout) == (state.rules.table.form == "grid"):
        return None
    wanted = "in a grid" if state.rules.table.form == "grid" else "in sets that lie apart"
    return refuse("wrong_form", f"{state.rules.preset} is played {wanted} here")


def touched(state: GameState, board: Board | None) -> Board | None:
    """What lay on the table when a turn failed; None where that is the table as the turn found it, or
    where nobody saw it."""
    return None if board is None or same_table(board, state.table) else board


def turn_of(
    state: GameState,
    index: int,
    after: Board,
    rack_before: Tiles | None,
    rack_after: Tiles | None,
    elapsed_s: float | None,
    claims: tuple[Claim, ...] = (),
) -> Turn:
    """A turn of that seat, with all that the game knows. The form of the board, its deck and the time
    have been checked before."""
    before = state.table
    return Turn(
        before=before if isinstance(before, Layout) else lines_of(before),
        after=after if isinstance(after, Layout) else lines_of(after),
        rack_before=rack_before,
        rack_after=rack_after,
        opened=state.seats[index].opened,
        elapsed_s=elapsed_s,
        pool_empty=state.pool == 0,
        players=len(state.seats),
        grid_before=before if isinstance(before, GridLayout) else None,
        grid=after if isinstance(after, GridLayout) else None,
        claims=claims if state.rules.claims is not None else None,
        let_stand=state.let_stand,
    )


def judge_turn(
    state: GameState,
    index: int,
    after: Board,
    rack_before: Tiles | None,
    rack_after: Tiles | None,
    elapsed_s: float | None,
    *,
    with_repairs: bool = False,
) -> Ruling:
    """What the referee says of a turn, as `turn_of` has it.

    Repairs take long to find, so they are only looked for when somebody is told of the ruling.
    """
    turn = turn_of(state, index, after, rack_before, rack_after, elapsed_s)
    return judge(turn, state.rules, with_repairs=with_repairs)


def judge_table(state: GameState, table: Board) -> Ruling:
    """What the referee says of a table by itself, whoever laid it."""
    turn = Turn(before=None, after=Layout())
    if isinstance(table, GridLayout):
        return judge(turn.with_grid(None, table), state.rules, with_repairs=False)
    return judge(Turn(before=None, after=table), state.rules, with_repairs=False)


def refuse_ruling(ruling: Ruling) -> Refusal:
    """The refusal of a turn that is not legal: `illegal`, or `ask` where the table has to be asked."""
    if ruling.verdict is Verdict.ASK:
        return Refusal(ruling.questions[0].text, "ask", ruling)
    return Refusal(ruling.findings[0].message, "illegal", ruling)
