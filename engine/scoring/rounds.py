"""The points of one round, from what the players hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from engine.ruleset import RuleSet
from engine.scoring.hands import HandsAtEnd, check_hands, hand_points
from engine.scoring.scores import RoundScore, ScoringError, best_of, check_players


def score_round(players: Sequence[str], ended: HandsAtEnd, rules: RuleSet) -> RoundScore:
    """The score of a round. `players` are in the order they play in.

    Raises ScoringError for an end that cannot have been, and for a game that is not scored by hands.
    """
    check_players(players)
    if rules.score.kind not in _SCORERS:
        raise ScoringError(f"{rules.preset} is scored by claims, not by hands")
    check_hands(players, ended, rules)
    if is_without_pot(ended, rules):
        return _as_held(players, ended, rules)
    in_turn = ended.turn_order or tuple(players)
    told = {**dict(ended.unseen), **dict(ended.counted)}
    counts = {
        name: hand_points(ended.held.get(name, ()), rules) + told.get(name, 0) for name in in_turn
    }
    score = _SCORERS[rules.score.kind](counts, rules)
    return replace(score, points={name: score.points[name] for name in players})


def is_without_pot(ended: HandsAtEnd, rules: RuleSet) -> bool:
    """Whether a round has no winner's pot: nobody is out, and the table plays pool-out rounds so.

    That is a house rule of the games in which a winner otherwise gets what the others lose (AMB-30).
    """
    return (
        rules.score.kind == "zero_sum"
        and rules.pool_out.score != "difference"
        and ended.out is None
        and all(ended.held.values())
    )


def _as_held(players: Sequence[str], ended: HandsAtEnd, rules: RuleSet) -> RoundScore:
    """Each player loses the own hand, by value or by tiles as the house rule has it."""
    by_tiles = rules.pool_out.score == "count_tiles"
    counts = {
        name: len(ended.held[name]) if by_tiles else hand_points(ended.held[name], rules)
        for name in players
    }
    points = {name: Fraction(-count) for name, count in counts.items()}
    return RoundScore(points, best_of(points, "highest"))


def _zero_sum(counts: Mapping[str, int], rules: RuleSet) -> RoundScore:
    """Every loser loses what his count is above the lowest, and the winner gets the sum.

    That is PR-25, for a round that ended with the pool. A player who is out has a lowest count of 0,
    so PR-24 and SB-23 are the same sum. Several with the lowest count are settled by AMB-30.
    """
    lowest = min(counts.values())
    points = {name: Fraction(lowest - count) for name, count in counts.items()}
    lowest_held = tuple(name for name, count in counts.items() if count == lowest)
    if len(lowest_held) > 1 and rules.pool_out.tie == "void":
        return RoundScore(dict.fromkeys(counts, Fraction(0)), ())
    first_only = rules.pool_out.tie == "first_in_turn"
    winners = lowest_held[:1] if first_only else lowest_held
    pot = -sum(points.values())
    for name in winners:
        points[name] = Fraction(pot, len(winners))
    return RoundScore(points, winners)


def _lowest_wins(counts: Mapping[str, int], rules: RuleSet) -> RoundScore:  # noqa: ARG001
    """What each holds is each one's score, and least is best (RS-26, SR-19)."""
    points = {name: Fraction(count) for name, count in counts.items()}
    return RoundScore(points, best_of(points, "lowest"))


_SCORERS: Final[Mapping[str, Callable[[Mapping[str, int], RuleSet], RoundScore]]] = (
    MappingProxyType(
        {"zero_sum": _zero_sum, "tiles_left": _lowest_wins, "card_points": _lowest_wins}
    )
)
