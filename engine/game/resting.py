"""On which defaults it rests what came of an event: house rules that nobody has chosen (AMB-nn).

A play that depends on one is not legal until it is answered. A draw, a penalty and a score go on by the
default: whoever tells of them can say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

from engine.duties import simple_play
from engine.game.events import (
    Claimed,
    Drew,
    FaultNoticed,
    GameEvent,
    HandsShown,
    Misplayed,
    Passed,
    TimeRanOut,
)
from engine.game.fold import apply
from engine.game.state import GameState, Phase, Refusal
from engine.layout import Layout
from engine.open_rules import MUST_PLAY
from engine.ruleset import RuleSet
from engine.undecided import Default, resting_on, undecided

_NO_DUTIES: Final = ("joker.no_hoarding", "timeout.penalty", "misplay.partial")
_FAILED: Final = ("misplay", "opening.short_penalty")
_BY_EVENT: Final[Mapping[type[GameEvent], tuple[str, ...]]] = MappingProxyType(
    {
        Drew: _NO_DUTIES,
        Passed: _NO_DUTIES,
        Misplayed: _FAILED,
        TimeRanOut: ("timeout", *_FAILED),
        FaultNoticed: ("misplay.late",),
        Claimed: ("claims", "joker.ambiguous_value", "score.target_mode"),
    }
)
"""The switches and sections by which what comes of an event may be another. Whether a player who draws
may go on is not among them: a play after a draw is judged when it comes."""


_TIE: Final = ("score.tie",)
_ROUNDS: Final = ("score.rounds", "score.rounds_two_players")


def rests_on(before: GameState, event: GameEvent) -> tuple[Default, ...]:
    """The switches that nobody has chosen and no document settles, by another value of which the event
    would have come to another state than it did, or would have been refused.

    Asked of draws, passes, unsuccessful plays, the end of the time, late faults, claims and scored
    rounds; of all other events, and of one that is refused, nothing is said. That a player may have had
    to play is told where the rack is known and the play is plain to see.
    """
    if isinstance(event, HandsShown):
        return _of_scores(before, event)
    names = _BY_EVENT.get(type(event), ())
    if not names or isinstance(apply(before, event, with_repairs=False), Refusal):
        return ()
    rested = resting_on(names, before.rules, partial(_comes_to, before, event))
    duty = (MUST_PLAY,) if _had_a_play(before, event) else ()
    return (*rested, *undecided(duty, before.rules))


def _comes_to(before: GameState, event: GameEvent, rules: RuleSet) -> object:
    """What an event comes to by other rules, in a form that compares."""
    outcome = apply(replace(before, rules=rules), event, with_repairs=False)
    if isinstance(outcome, Refusal):
        return outcome.code
    scores = outcome.scores and (outcome.scores.totals, outcome.scores.winners)
    return replace(outcome, rules=before.rules, scores=None), scores


def _of_scores(before: GameState, event: HandsShown) -> tuple[Default, ...]:
    """What the score sheet rests on, and at its end that it is the end."""
    outcome = apply(before, event)
    if isinstance(outcome, Refusal) or outcome.scores is None:
        return ()
    rules, players = before.rules, len(before.seats)
    ended = outcome.phase is Phase.GAME_OVER
    rounds = _ROUNDS if ended and rules.rounds_for(players) == len(outcome.ended) else ()
    shared = _TIE if ended and len(outcome.winners) > 1 else ()
    return (
        *outcome.scores.rests_on,
        *resting_on(rounds, rules, lambda other: other.rounds_for(players)),
        *undecided(shared, rules),
    )


def _had_a_play(before: GameState, event: GameEvent) -> bool:
    """Whether a player drew or passed who could play, and nobody has said who may (AMB-18)."""
    rules, table = before.rules, before.table
    if not rules.is_open(MUST_PLAY) or not isinstance(event, Drew | Passed):
        return False
    seat = next(seat for seat in before.seats if seat.name == event.player)
    bound = seat.opened or rules.opening.kind != "points"
    if not bound or seat.rack is None or not isinstance(table, Layout):
        return False
    return simple_play(seat.rack, table, rules) is not None
