"""The score of a game as pages show it, who is ahead, and who has won when it is put away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.game.score_sheet import claimed_points
from engine.game.state import GameState, Phase
from engine.scoring import HandsAtEnd, RoundScore, score_round
from engine.scoring.scores import notes_on_tie
from engine.wording import listed


@dataclass(frozen=True, slots=True)
class RoundView:
    """One row of the score sheet."""

    name: str
    points: tuple[str, ...]
    """By the seats."""
    winners: tuple[str, ...]
    """Who has won it; empty for a tournament's round until its games are over."""
    is_total: bool = False
    """True of a sum over the games of a tournament's round."""
    is_extra: bool = False
    """True of what is in no total: an extra round, or game, of those who were equal."""


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
    """Who has won, or is ahead; empty before the first round is over. Where an extra round decides,
    those whom it is between."""
    if state.scores is None or (state.rules.claims is not None and not state.tokens):
        return state.winners
    return state.winners or state.deciding or state.scores.winners


def sheet_notes(state: GameState) -> tuple[str, ...]:
    """What else a reader of the score sheet has to know, with the defaults that it rests on."""
    if state.scores is None:
        return ()
    defaults = (default.words for default in state.scores.rests_on)
    return (*_notes_on_rounds(state), *notes_on_victory(state), *defaults)


def _notes_on_rounds(state: GameState) -> Iterator[str]:
    """What the rounds that count leave to say, with who is equal by now."""
    assert state.scores is not None, "a round is over"
    equal = notes_on_tie(state.scores.winners, state.rules)
    decided = equal if is_in_extra_round(state) else []
    yield from (note for note in state.scores.notes if note not in decided)
    if state.deciding:
        yield from notes_on_tie(state.deciding, state.rules)


def notes_on_victory(state: GameState) -> Iterator[str]:
    """Why a game that is over is won by those who have won it, where the totals do not show it."""
    if not state.winners or state.scores is None:
        return
    if state.scores.games:
        rounds = state.scores.rounds
        games = [game for each in state.scores.games for game in each]
        won_rounds, won_games = _won(rounds, state), _won(games, state)
        yield f"rounds won: {_counts(won_rounds)}; games won: {_counts(won_games)}"
        best = state.winners[0]
        alike = [
            name
            for name in _names(state)
            if (won_rounds[name], won_games[name]) == (won_rounds[best], won_games[best])
        ]
        if len(alike) > len(state.winners):
            yield f"{listed(alike)} won as many of both, and the points decided between them"
    is_extra = is_in_extra_round(state)
    if state.rules.claims is not None and not is_extra:
        yield _why_by_claims(state, state.scores.totals)
    if is_extra:
        yield f"of those who were equal {listed(state.winners)} did best in the extra round"


def _why_by_claims(state: GameState, totals: Mapping[str, Fraction]) -> str:
    """How near to the target those are who have won (AMB-34)."""
    points, target = totals[state.winners[0]], state.rules.score.target
    near = "" if target is None or points == target else f", closest to {target}"
    have = "has" if len(state.winners) == 1 else "have"
    return f"{listed(state.winners)} {have} {points} points{near}"


def _won(scores: Sequence[RoundScore], state: GameState) -> dict[str, int]:
    """How many of these each has won; one that is shared counts for each who shares it."""
    return {name: sum(name in score.winners for score in scores) for name in _names(state)}


def _counts(won: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in won.items())


def totals(state: GameState) -> tuple[str, ...]:
    """Everybody's points so far, by the seats; empty before the first round is over."""
    return () if state.scores is None else _row(state.scores.totals, _names(state))


def score_rows(state: GameState) -> tuple[RoundView, ...]:
    """The score, round by round; of a tournament with the games of each round before its sum, and where
    sets are claimed set by set. Extra rounds come last, and are in no total."""
    if state.scores is None:
        return ()
    names, extra = _names(state), tuple(_extra_rows(state))
    if state.rules.claims is not None and not extra:
        return _rows_of_claims(state, names)
    rows = []
    for number, score in enumerate(state.scores.rounds, start=1):
        games = state.scores.games[number - 1] if state.scores.games else ()
        rows += [
            _round_row(f"Game {count}", game, names) for count, game in enumerate(games, start=1)
        ]
        row = _round_row(f"Round {number}", score, names, is_total=bool(games))
        tournament = state.rules.tournament
        is_over = tournament is None or len(games) == tournament.games
        rows.append(row if is_over else replace(row, winners=()))
    return (*rows, *extra)


def is_in_extra_round(state: GameState) -> bool:
    """Whether those who were equal at the end play an extra round, or one has decided (AMB-33)."""
    return bool(state.deciding or (state.winners and any(_extra_rows(state))))


def _extra_rows(state: GameState) -> Iterator[RoundView]:
    """What extra rounds came to, and where sets are claimed what the newest has come to so far."""
    names = _names(state)
    word = "round" if state.rules.tournament is None else "game"
    title = f"Extra {word}, not in the total"
    if state.rules.claims is not None and state.round > 1:
        yield RoundView(title, _row(claimed_points(state), names), winners=(), is_extra=True)
    extra = _extra_hands(state)
    for number, hands in enumerate(extra, start=1):
        score = score_round(names, replace(hands, turn_order=tuple(hands.held)), state.rules)
        which = f"Extra {word} {number}, not in the total" if len(extra) > 1 else title
        yield replace(_round_row(which, score, names), is_extra=True)


def _extra_hands(state: GameState) -> tuple[HandsAtEnd, ...]:
    """The rounds, or games of a tournament, that are over beside those that count."""
    if state.scores is None or state.rules.claims is not None:
        return ()
    counted = state.scores.games or (state.scores.rounds,)
    return state.ended[sum(map(len, counted)) :]


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
