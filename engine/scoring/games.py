"""The score sheet of a game of several rounds, and of a tournament of rounds of several games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from engine.ruleset import RuleSet
from engine.scoring.hands import HandsAtEnd, hand_points
from engine.scoring.rounds import is_without_pot, score_round
from engine.scoring.scores import (
    Check,
    GameScore,
    Points,
    RoundScore,
    ScoringError,
    add_up,
    best_of,
    check_players,
    notes_on_players,
    notes_on_tie,
    with_defaults,
)

_DEFAULTS: Final = ("pool_out.score", "pool_out.tie", "tournament.overall")
"""The house rules by which points or winners may be others."""


def score_rounds(players: Sequence[str], rounds: Sequence[HandsAtEnd], rules: RuleSet) -> GameScore:
    """The score of a game so far. `players` are in the order they play in.

    Raises ScoringError where a round cannot have ended so, where there are none, or more than the game
    can have: after the last contract, or after a total reached the target (AMB-31).
    """
    score = _score_rounds(players, rounds, rules)
    return with_defaults(score, rules, _DEFAULTS, partial(_score_rounds, players, rounds))


def _score_rounds(
    players: Sequence[str], rounds: Sequence[HandsAtEnd], rules: RuleSet
) -> GameScore:
    check_players(players)
    if rules.tournament is not None:
        raise ScoringError("a round of this tournament is a list of games")
    if not rounds:
        raise ScoringError("there is no round to score")
    if rules.contracts is not None and len(rounds) > len(rules.contracts.rounds):
        most = len(rules.contracts.rounds)
        raise ScoringError(f"{rules.preset} has {most} rounds, and {len(rounds)} are given")
    scored = _score_each(players, rounds, rules, "round")
    totals = add_up(players, scored)
    winners = best_of(totals, rules.score.winner)
    missing = _what_is_missing(players, scored, rules)
    return GameScore(
        rounds=scored,
        totals=totals,
        winners=winners,
        checks=_checks(players, rounds, scored, rules, "round"),
        notes=(
            *notes_on_players(players, rules),
            *(missing or notes_on_tie(winners, rules)),
            *_notes_on_rounds(players, scored, rules),
        ),
    )


def score_tournament(
    players: Sequence[str], rounds: Sequence[Sequence[HandsAtEnd]], rules: RuleSet
) -> GameScore:
    """The score of a tournament so far, a list of games a round.

    A round is won by most games, then most points (PT-04); the tournament by most rounds, then most
    games, then most points, or by games and points alone (AMB-36). A round or a game that several have
    won counts for each of them, and a round once it is over. Raises ScoringError as `score_rounds` does.
    """
    score = _score_tournament(players, rounds, rules)
    return with_defaults(score, rules, _DEFAULTS, partial(_score_tournament, players, rounds))


def _score_tournament(
    players: Sequence[str], rounds: Sequence[Sequence[HandsAtEnd]], rules: RuleSet
) -> GameScore:
    check_players(players)
    format_ = rules.tournament
    if format_ is None:
        raise ScoringError(f"{rules.preset} has rounds, not rounds of several games")
    if not rounds:
        raise ScoringError("there is no round to score")
    if len(rounds) > format_.rounds:
        raise ScoringError(f"a tournament has {format_.rounds} rounds, and {len(rounds)} are given")
    notes = notes_on_players(players, rules)
    checks: list[Check] = []
    games: list[tuple[RoundScore, ...]] = []
    scored: list[RoundScore] = []
    for number, ended in enumerate(rounds, start=1):
        where = f"round {number}"
        if not ended or len(ended) > format_.games:
            raise ScoringError(f"{where}: a round has 1 to {format_.games} games, not {len(ended)}")
        if len(ended) < format_.games:
            notes.append(f"{where} has {len(ended)} of {format_.games} games: it is not over")
        games.append(_score_each(players, ended, rules, f"{where}, game"))
        checks += _checks(players, ended, games[-1], rules, f"{where}, game")
        scored.append(_round_of(players, games[-1]))
    totals = add_up(players, scored)
    winners = _tournament_winners(players, scored, games, rules)
    over = sum(len(each) == format_.games for each in games)
    if over < format_.rounds:
        notes.append(f"{over} of {format_.rounds} rounds: the tournament is not over")
    else:
        notes += notes_on_tie(winners, rules)
    with_pots = not any(is_without_pot(hands, rules) for ended in rounds for hands in ended)
    return GameScore(
        rounds=tuple(scored),
        totals=totals,
        winners=winners,
        checks=(*checks, *_sum_checks(scored, totals, rules, with_pots=with_pots)),
        notes=tuple(notes),
        games=tuple(games),
    )


def _score_each(
    players: Sequence[str], rounds: Sequence[HandsAtEnd], rules: RuleSet, word: str
) -> tuple[RoundScore, ...]:
    """Every round by itself; an error names it."""
    scored = []
    for number, ended in enumerate(rounds, start=1):
        try:
            scored.append(score_round(players, ended, rules))
        except ScoringError as error:
            raise error.within(f"{word} {number}") from None
    return tuple(scored)


def _round_of(players: Sequence[str], games: Sequence[RoundScore]) -> RoundScore:
    """A tournament's round: the points of its games together, won by games and then by points."""
    points = add_up(players, games)
    return RoundScore(points, _most(players, _won(games), points))


def _won(rounds: Sequence[RoundScore]) -> Counter[str]:
    """How many each has won. One that is shared counts for each who shares it."""
    return Counter(name for score in rounds for name in score.winners)


def _most(players: Sequence[str], *figures: Counter[str] | Points) -> tuple[str, ...]:
    """Who has most of the first figure, where equal of the next; several where all are equal."""
    keys = {name: tuple(figure[name] for figure in figures) for name in players}
    best = max(keys.values())
    return tuple(name for name in players if keys[name] == best)


def _tournament_winners(
    players: Sequence[str],
    scored: Sequence[RoundScore],
    games: Sequence[Sequence[RoundScore]],
    rules: RuleSet,
) -> tuple[str, ...]:
    """Who has won the tournament, or is ahead while it is not over: a round counts when it is over."""
    assert rules.tournament is not None
    whole = rules.tournament.games
    rounds_won = _won(
        [score for score, each in zip(scored, games, strict=True) if len(each) == whole]
    )
    games_won = _won([game for each in games for game in each])
    totals = add_up(players, scored)
    if rules.tournament.overall == "games":
        return _most(players, games_won, totals)
    return _most(players, rounds_won, games_won, totals)


def _what_is_missing(
    players: Sequence[str], scored: Sequence[RoundScore], rules: RuleSet
) -> list[str]:
    """Why the game is not over; nothing where it is, or where the players say so. Raises ScoringError
    for rounds after a total reached the target."""
    target = rules.score.target
    if rules.score.ends == "target" and target is not None:
        for number in range(1, len(scored) + 1):
            totals = add_up(players, scored[:number])
            if max(totals.values()) >= target:
                leader = best_of(totals, "highest")[0]
                if number < len(scored):
                    raise ScoringError(
                        f"round {number + 1}: the game was over, {leader} had reached {target}"
                    )
                return []
        return [f"nobody has reached {target}: the game is not over"]
    expected = _rounds_expected(players, rules)
    if expected is None or len(scored) >= expected:
        return []
    return [f"{len(scored)} of {expected} rounds: the game is not over"]


def _notes_on_rounds(
    players: Sequence[str], scored: Sequence[RoundScore], rules: RuleSet
) -> list[str]:
    """A note where there are more rounds than the game has."""
    expected = _rounds_expected(players, rules)
    if expected is None or len(scored) <= expected:
        return []
    return [f"the game has {expected} rounds for {len(players)} players, {len(scored)} are scored"]


def _rounds_expected(players: Sequence[str], rules: RuleSet) -> int | None:
    """How many rounds the game has; None where the players, or their points, end it."""
    if rules.score.rounds_by == "agreed" and rules.score.rounds is None:
        return None
    return rules.rounds_for(len(players))


def _checks(
    players: Sequence[str],
    ended: Sequence[HandsAtEnd],
    scored: Sequence[RoundScore],
    rules: RuleSet,
    word: str,
) -> tuple[Check, ...]:
    """The self checks of each round or game, and of their sums when they make up the whole game."""
    rule = rules.value_rules["score.kind"]
    found = []
    for number, (hands, score) in enumerate(zip(ended, scored, strict=True), start=1):
        if is_without_pot(hands, rules) or (hands.counted and rules.score.kind != "zero_sum"):
            continue  # there is nothing to check it by
        total = sum(score.points.values())
        if rules.score.kind == "zero_sum":
            text = f"{word} {number}: plus and minus points are equal"
            found.append(Check(text, total == 0, rule))
        else:
            pieces = [tile for tiles in hands.held.values() for tile in tiles]
            unseen = sum(count for _, count in hands.unseen)
            text = (
                f"{word} {number}: the points are those of the {len(pieces) + unseen} pieces held"
            )
            found.append(Check(text, total == hand_points(pieces, rules) + unseen, rule))
    if rules.tournament is not None:
        return tuple(found)
    with_pots = not any(is_without_pot(hands, rules) for hands in ended)
    return (*found, *_sum_checks(scored, add_up(players, scored), rules, with_pots=with_pots))


def _sum_checks(
    scored: Sequence[RoundScore], totals: Points, rules: RuleSet, *, with_pots: bool
) -> tuple[Check, ...]:
    """The table added the other way: by rows what was added by columns."""
    rule = rules.value_rules["score.kind"]
    of_rounds = sum((sum(score.points.values()) for score in scored), Fraction(0))
    of_totals = sum(totals.values())
    found = [Check("the totals and the rounds have the same sum", of_rounds == of_totals, rule)]
    if rules.score.kind == "zero_sum" and with_pots:
        found.append(Check("totals: plus and minus points are equal", of_totals == 0, rule))
    found += [
        Check(
            f"the points of {name} add up to the total",
            sum((score.points[name] for score in scored), Fraction(0)) == own,
            rule,
        )
        for name, own in totals.items()
    ]
    return tuple(found)
