"""House rules that a table chooses while it plays: they hold from then on."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.game.events import HouseRuleChosen
from engine.game.rounds import conclude, end_round
from engine.game.score_sheet import is_over, is_won, score_sheet, with_live_scores
from engine.game.seats import Outcome, check_phase, check_pieces, known_pieces, refuse
from engine.game.starting import check_number, empty_board
from engine.game.state import GameState, Phase, Refusal
from engine.game.tokens import standing
from engine.layout import GridLayout
from engine.ruleset import HouseRuleError
from engine.scoring import ScoringError

_BETWEEN_ROUNDS: Final = (Phase.START, Phase.DEAL)
_GOING_ON: Final = tuple(phase for phase in Phase if phase is not Phase.GAME_OVER)


def choose_house_rule(state: GameState, event: HouseRuleChosen) -> Outcome:
    """The game by the rules with that choice; its score sheet reckoned anew.

    A choice by which the game is over between two rounds ends it. Refuses with `wrong_phase`,
    `unknown_house_rule`, `wrong_players`, `wrong_deck`, and with `too_late` where what has been played
    cannot have been by that choice.
    """
    wrong = check_phase(state, *_GOING_ON)
    if wrong is not None:
        return wrong
    try:
        rules = state.rules.with_house_rules({event.switch: event.value})
    except HouseRuleError as error:
        return refuse("unknown_house_rule", str(error))
    then = replace(state, rules=rules)
    wrong = (
        check_number(rules, len(state.seats))
        or check_pieces(rules, known_pieces(then).elements())
        or check_pieces(rules, [tile for _, tile in (*state.drawn, *state.kept)])
    )
    if wrong is not None:
        return wrong
    formed = _in_form(then)
    return formed if isinstance(formed, Refusal) else _reckoned_anew(formed)


def _in_form(state: GameState) -> Outcome:
    """The game with its table in the form that the rules have now."""
    if not state.table.tiles:
        return replace(state, table=empty_board(state.rules))
    if isinstance(state.table, GridLayout) == (state.rules.table.form == "grid"):
        return state
    return refuse("too_late", "tiles lie on the table already, in the other form")


def _reckoned_anew(state: GameState) -> Outcome:
    """The game with what follows at once from its rules: who is out, the scores, the end."""
    state = with_live_scores(replace(state, tokens=standing(state, state.table)))
    if state.phase is Phase.TURN:
        if is_won(state):
            return end_round(state, None)
        out = next((index for index, seat in enumerate(state.seats) if seat.held == 0), None)
        if out is not None and not state.rules.finish.call_required:
            return end_round(state, out) if state.rules.finish.by == "empty_rack" else state
    return _scored_anew(state) if state.ended and not state.deciding else state


def _scored_anew(state: GameState) -> Outcome:
    try:
        scores = score_sheet(state)
    except ScoringError as error:
        return refuse("too_late", str(error))
    then = replace(state, scores=scores)
    if not is_over(then, scores):
        return then
    rounds = state.rules.rounds_for(len(state.seats))
    beyond = state.rules.score.ends == "rounds" and rounds is not None and len(state.ended) > rounds
    if state.phase not in _BETWEEN_ROUNDS or beyond:
        return refuse("too_late", "the game would have been over before this round")
    return conclude(then)
