"""What the rounds of a game come to, and whether that ends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from engine.game.state import GameState
from engine.scoring import GameScore, HandsAtEnd, RoundScore, score_rounds, score_tournament
from engine.scoring.claims import closest, reaches_target
from engine.undecided import resting_on

_Rank: TypeAlias = Callable[[str], tuple[Fraction | int, ...]]
"""What a player has of all that decides, smallest first."""


def score_sheet(state: GameState) -> GameScore:
    """The score of the rounds that are over, or of the claims that stand.

    Extra rounds are not in it. Players stand in the order of turns of the first round. Raises
    ScoringError for rounds that cannot have been.
    """
    if state.rules.claims is not None:
        return _sheet_of_claims(state)
    names = tuple(state.ended[0].held)
    # Hands are kept in the order of turns of their round, which settles some ties.
    ended = [replace(hands, turn_order=tuple(hands.held)) for hands in state.ended]
    if state.rules.tournament is None:
        return score_rounds(names, ended, state.rules)
    games = state.rules.tournament.games
    rounds = [ended[at : at + games] for at in range(0, len(ended), games)]
    return score_tournament(names, rounds, state.rules)


def with_live_scores(state: GameState) -> GameState:
    """The game with the score of the claims that stand; unchanged in a game of hands or extra rounds."""
    if state.rules.claims is None or state.deciding:
        return state
    return replace(state, scores=_sheet_of_claims(state))


def claimed_points(state: GameState) -> dict[str, Fraction]:
    """What each player's claims are worth now."""
    points = {seat.name: Fraction(0) for seat in state.seats}
    for tokens in state.tokens:
        points[tokens.player] += tokens.points
    return points


def is_won(state: GameState) -> bool:
    """Whether somebody's claims are worth what ends the game at once (R2-01, AMB-34)."""
    if state.rules.claims is None:
        return False
    return any(reaches_target(points, state.rules) for points in claimed_points(state).values())


def _sheet_of_claims(state: GameState) -> GameScore:
    """The points of the claims, and who has won or is closest (AMB-34)."""
    points = claimed_points(state)
    winners = closest(points, state.rules)
    rests_on = resting_on(("score.target_mode",), state.rules, partial(closest, points))
    return GameScore((RoundScore(points, winners),), points, winners, (), rests_on=rests_on)


def _best(names: tuple[str, ...], rank: _Rank) -> tuple[str, ...]:
    ranks = {name: rank(name) for name in names}
    best = min(ranks.values())
    return tuple(name for name in names if ranks[name] == best)


def is_over(state: GameState, scores: GameScore) -> bool:
    """Whether the game is over after these rounds, but for a tie that extra rounds decide."""
    rules, played = state.rules, len(state.ended)
    if rules.score.ends == "one_game":
        return True
    if rules.tournament is not None:
        return played >= rules.tournament.rounds * rules.tournament.games
    if rules.score.ends == "target":
        target = rules.score.target
        return target is not None and max(scores.totals.values()) >= target
    rounds = rules.rounds_for(len(state.seats))
    return rounds is not None and played >= rounds


def extra_round_winners(state: GameState) -> tuple[str, ...]:
    """Who of those it is between has won the extra round that is over; several where equal again."""
    rules, names = state.rules, state.deciding
    if rules.claims is not None:
        claimed = claimed_points(state)
        return closest({name: claimed[name] for name in names}, rules)
    if rules.tournament is not None:
        return _best(names, _games_won(state, state.ended[-rules.tournament.games :]))
    points = score_rounds(tuple(state.ended[-1].held), state.ended[-1:], rules).totals
    sign = -1 if rules.score.winner == "highest" else 1
    return _best(names, lambda name: (sign * points[name],))


def _games_won(state: GameState, games: tuple[HandsAtEnd, ...]) -> _Rank:
    """Most games of a tournament's round won, where equal most points (PT-04)."""
    sheet = score_tournament(tuple(games[0].held), [games], state.rules)

    def rank(name: str) -> tuple[Fraction | int, ...]:
        return -sum(name in game.winners for game in sheet.games[0]), -sheet.totals[name]

    return rank
