"""Scores of rounds and games, from what the players hold or have claimed at the end.

Nothing is guessed: what cannot have happened raises ScoringError with one line that says why. Points
are exact fractions, because a shared pot may not divide. What each kind of score means is
docs/scoring.md; which game uses which is data (`RuleSet.score`).
"""

from engine.scoring.claims import Claim, ClaimedSet, score_claims
from engine.scoring.games import score_rounds, score_tournament
from engine.scoring.hands import HandsAtEnd, hand_points, tile_points
from engine.scoring.rounds import score_round
from engine.scoring.scores import Check, GameScore, Points, RoundScore, ScoringError

__all__ = [
    "Check",
    "Claim",
    "ClaimedSet",
    "GameScore",
    "HandsAtEnd",
    "Points",
    "RoundScore",
    "ScoringError",
    "hand_points",
    "score_claims",
    "score_round",
    "score_rounds",
    "score_tournament",
    "tile_points",
]
