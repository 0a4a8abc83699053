"""The values that scoring gives back: of a round, of a game, and the checks of the sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

from engine.ruleset import RuleSet
from engine.undecided import Default, resting_on
from engine.wording import listed

Points: TypeAlias = Mapping[str, Fraction]
"""Points of every player, by name, in the order the players were given."""


class ScoringError(ValueError):
    """Something that cannot be scored; the message is one line that says where and why."""

    def within(self, where: str) -> ScoringError:
        """The same error, said of a part of something larger: `round 2: ...`."""
        return ScoringError(f"{where}: {self}")


@dataclass(frozen=True, slots=True)
class Check:
    """One self check of a score sheet."""

    claim: str
    """What has to hold, as a sentence part: `round 2: plus and minus are equal`."""
    holds: bool
    rule: str
    """The rule the check comes from."""


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The points of one round, or of one game of a tournament's round."""

    points: Points
    winners: tuple[str, ...]
    """Who won it: several where it is shared, nobody where it is void."""


@dataclass(frozen=True, slots=True)
class GameScore:
    """The score sheet of a game."""

    rounds: tuple[RoundScore, ...]
    totals: Points
    winners: tuple[str, ...]
    """Who has won, or is ahead as long as the game is not over; several where it is shared."""
    checks: tuple[Check, ...]
    notes: tuple[str, ...] = ()
    """What else a reader of the sheet has to know, such as that the game is not over."""
    games: tuple[tuple[RoundScore, ...], ...] = ()
    """In a tournament the games of each round; otherwise empty."""
    rests_on: tuple[Default, ...] = field(default=(), compare=False)
    """House rules that nobody has chosen, by another value of which the points or the winners would be
    others. They follow from the rest, so they are not compared."""


def with_defaults(
    score: GameScore, rules: RuleSet, names: Iterable[str], anew: Callable[[RuleSet], GameScore]
) -> GameScore:
    """The sheet with what it rests on, of these switches and sections; `anew` scores by other rules."""

    def points(other: RuleSet) -> object:
        try:
            sheet = score if other is rules else anew(other)
        except ScoringError as error:
            return str(error)
        return sheet.rounds, sheet.games, sheet.totals, sheet.winners

    return replace(score, rests_on=resting_on(names, rules, points))


def check_players(players: Sequence[str]) -> None:
    """Raise ScoringError unless these are the names of two players or more, each once."""
    if len(players) < 2:
        raise ScoringError(f"a score is between two players or more, not {len(players)}")
    for name in players:
        if not name.strip():
            raise ScoringError("a player has no name")
        if players.count(name) > 1:
            raise ScoringError(f"the player {name!r} is named twice")


def check_known(name: str, players: Iterable[str]) -> None:
    """Raise ScoringError for a name that is none of the players."""
    known = list(players)
    if name not in known:
        raise ScoringError(f"there is no player {name!r}; there are: {', '.join(known)}")


def add_up(players: Sequence[str], rounds: Iterable[RoundScore]) -> Points:
    """The points of each player over all rounds."""
    totals = dict.fromkeys(players, Fraction(0))
    for score in rounds:
        for name, points in score.points.items():
            totals[name] += points
    return totals


def best_of(points: Points, winner: str) -> tuple[str, ...]:
    """Who has the `highest` or the `lowest` points; several where they are equal (AMB-33)."""
    best = max(points.values()) if winner == "highest" else min(points.values())
    return tuple(name for name, own in points.items() if own == best)


def notes_on_players(players: Sequence[str], rules: RuleSet) -> list[str]:
    """A note where the game is for another number of players; the score is the same."""
    least, most = rules.players.least, rules.players.most
    if least <= len(players) <= most:
        return []
    return [f"{rules.preset} is for {least} to {most} players, and {len(players)} are scored"]


def notes_on_tie(winners: Sequence[str], rules: RuleSet) -> list[str]:
    """A note where equal totals are to be settled by another round."""
    if len(winners) == 1 or rules.score.tie == "shared":
        return []
    return [f"{listed(winners)} are equal, and an extra round decides"]
