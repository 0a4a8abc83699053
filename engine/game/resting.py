"""On which defaults it rests what came of an event: house rules that nobody has chosen (AMB-nn).

A play, a draw, a pass and a claim whose ruling depends on one wait for the answer. A penalty and a score
go on by the default, as does what a claim is worth: whoever tells of them can say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

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
from engine.ruleset import RuleSet
from engine.undecided import Default, resting_on, undecided

_LATE: Final = ("timeout.penalty", "misplay.partial")
_FAILED: Final = ("misplay", "opening.short_penalty")
_BY_EVENT: Final[Mapping[type[GameEvent], tuple[str, ...]]] = MappingProxyType(
    {
        Drew: _LATE,
        Passed: _LATE,
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
    rounds; of all other events, and of one that is refused, nothing is said.
    """
    if isinstance(event, HandsShown):
        return _of_scores(before, event)
    names = _BY_EVENT.get(type(event), ())
    if not names or isinstance(apply(before, event, with_repairs=False), Refusal):
        return ()
    return resting_on(names, before.rules, partial(_comes_to, before, event))


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
