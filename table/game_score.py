"""The score of a game as pages show it, who is ahead, and who has won when it is put away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.game.state import GameState, Phase
from engine.scoring import RoundScore


@dataclass(frozen=True, slots=True)
class RoundView:
    """One row of the score sheet."""

    name: str
    points: tuple[str, ...]
    """By the seats."""
    winners: tuple[str, ...]
    is_total: bool = False
    """True of a sum over the games of a tournament's round."""


def has_no_end(state: GameState) -> bool:
    """Whether nothing in the rules ends the game: no number of points was agreed (AMB-31), so that the
    players say after a round that it was the last."""
    rules = state.rules
    return rules.tournament is None and rules.score.ends == "target" and rules.score.target is None


def is_between_rounds(state: GameState) -> bool:
    """Whether a round is over, and no tile of the next one is dealt yet."""
    return state.scores is not None and state.phase in (Phase.START, Phase.DEAL)


def winners_if_put_away(state: GameState) -> tuple[str, ...]:
    """Who has won if the game is put away now; empty where it is put away before it is over.

    A game that nothing in the rules ends is over when it is put away between two rounds, and won by
    whoever is ahead then.
    """
    if state.winners or not (has_no_end(state) and is_between_rounds(state)):
        return state.winners
    assert state.scores is not None, "a round is over"
    return state.scores.winners


def leaders(state: GameState) -> tuple[str, ...]:
    """Who has won, or is ahead; empty before the first round is over."""
    return () if state.scores is None else (state.winners or state.scores.winners)


def sheet_notes(state: GameState) -> tuple[str, ...]:
    """What else a reader of the score sheet has to know, with the defaults that it rests on."""
    if state.scores is None:
        return ()
    return (*state.scores.notes, *(default.words for default in state.scores.rests_on))


def totals(state: GameState) -> tuple[str, ...]:
    """Everybody's points so far, by the seats; empty before the first round is over."""
    return () if state.scores is None else _row(state.scores.totals, _names(state))


def score_rows(state: GameState) -> tuple[RoundView, ...]:
    """The score, round by round; of a tournament with the games of each round before its sum, and where
    sets are claimed set by set."""
    if state.scores is None:
        return ()
    names = _names(state)
    if state.rules.claims is not None and not state.deciding:
        return _rows_of_claims(state, names)
    rows = []
    for number, score in enumerate(state.scores.rounds, start=1):
        games = state.scores.games[number - 1] if state.scores.games else ()
        rows += [
            _round_row(f"Game {count}", game, names) for count, game in enumerate(games, start=1)
        ]
        rows.append(_round_row(f"Round {number}", score, names, is_total=bool(games)))
    return tuple(rows)


def _rows_of_claims(state: GameState, names: Sequence[str]) -> tuple[RoundView, ...]:
    """A row for each set with tokens on it, empty but for the player whose set it is."""
    return tuple(
        RoundView(
            str(tokens.meld),
            tuple(str(tokens.points) if name == tokens.player else "" for name in names),
            winners=(),
        )
        for tokens in state.tokens
    )


def _round_row(
    name: str, score: RoundScore, names: Sequence[str], *, is_total: bool = False
) -> RoundView:
    return RoundView(name, _row(score.points, names), score.winners, is_total)


def _row(points: Mapping[str, Fraction], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(points[name]) for name in names)


def _names(state: GameState) -> list[str]:
    return [seat.name for seat in state.seats]
