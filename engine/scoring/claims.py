"""Points that are claimed by laying tokens on the sets of the table (R2-22 to R2-24)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.scoring.hands import check_deck, check_supply
from engine.scoring.scores import (
    Check,
    GameScore,
    Points,
    RoundScore,
    ScoringError,
    check_known,
    check_players,
    notes_on_players,
    notes_on_tie,
    with_defaults,
)
from engine.sets import readings_of, set_faults

Ended: TypeAlias = Literal["200", "rack_empty", "blocked"]
"""How the game ended: a player had the target, a player had no tiles, nobody could play (R2-32)."""

_DEFAULTS: Final = ("joker.ambiguous_value", "score.target_mode")
"""The house rules by which points or winners may be others."""
ENDINGS: Final[tuple[Ended, ...]] = ("200", "rack_empty", "blocked")


@dataclass(frozen=True, slots=True)
class Claim:
    """A player lays tokens on a set as it lies at that time, or on several, a turn each."""

    player: str
    melds: tuple[Meld, ...]
    twin: bool = False
    """True for the second set of the same tiles: the game has two copies of each."""


@dataclass(frozen=True, slots=True)
class ClaimedSet:
    """A set and whose tokens lie on it."""

    player: str
    meld: Meld
    level: int
    """How often it has been claimed: 1 by a blank token, 2 hijacked, 3 locked (R2-24)."""
    points: int
    """The sum of its tiles as it lay when it was claimed, a joker as the tile it stands for (R2-25)."""
    twin: bool = False


def score_claims(
    players: Sequence[str], claims: Sequence[Claim], ended: Ended | None, rules: RuleSet
) -> tuple[GameScore, tuple[ClaimedSet, ...]]:
    """The score of the game and the sets that are claimed at its end. `claims` are in their order.

    A set is known by its tiles: who claims the tiles of a claimed set, or those and more that were
    added to it, hijacks it, and its points are the latest claimant's (AMB-35). Who has exactly the
    target wins at once; otherwise who is closest to it, of two equally close the lower (AMB-34).
    Raises ScoringError for a set that is none, is locked, or is the player's own, and for an end that
    cannot have been.
    """
    score, standing = _score_claims(players, claims, ended, rules)

    def anew(other: RuleSet) -> GameScore:
        return _score_claims(players, claims, ended, other)[0]

    return with_defaults(score, rules, _DEFAULTS, anew), standing


def _score_claims(
    players: Sequence[str], claims: Sequence[Claim], ended: Ended | None, rules: RuleSet
) -> tuple[GameScore, tuple[ClaimedSet, ...]]:
    check_players(players)
    if rules.score.kind != "claims":
        raise ScoringError(f"{rules.preset} is scored by hands, not by claims")
    standing: tuple[ClaimedSet, ...] = ()
    notes = notes_on_players(players, rules)
    history: list[Points] = []
    for number, claim in enumerate(claims, start=1):
        check_known(claim.player, players)
        try:
            for meld in claim.melds:
                standing, said = _with_claim(standing, claim, meld, rules)
                notes += [f"claim {number}: {text}" for text in said]
        except ScoringError as error:
            raise error.within(f"claim {number}") from None
        history.append(_totals(players, standing))
    totals = history[-1] if history else _totals(players, ())
    winners = _winners(history, totals, ended, rules)
    notes += _notes_on_tokens(players, claims, rules)
    if ended is None:
        notes.append("it is not said how the game ended: the winners are those ahead now")
    else:
        notes += notes_on_tie(winners, rules)
    score = GameScore(
        rounds=(RoundScore(totals, winners),),
        totals=totals,
        winners=winners,
        checks=_checks(totals, standing, rules),
        notes=tuple(notes),
    )
    return score, standing


def _with_claim(
    standing: tuple[ClaimedSet, ...], claim: Claim, meld: Meld, rules: RuleSet
) -> tuple[tuple[ClaimedSet, ...], list[str]]:
    """The claimed sets after one more claim, and what to say about it."""
    assert rules.claims is not None
    points, notes = _value(meld, rules)
    parts = [
        known
        for known in standing
        if known.twin == claim.twin and Counter(known.meld) <= Counter(meld)
    ]
    if parts and not rules.claims.reclaim_own and all(it.player == claim.player for it in parts):
        raise ScoringError(f"{claim.player} has claimed {parts[0].meld} already")
    for part in parts:
        if part.level >= len(rules.claims.levels):
            raise ScoringError(f"{part.meld} is locked, claimed {part.level} times")
        if len(part.meld) < len(meld):
            notes.append(f"{part.meld}, claimed by {part.player}, is now part of {meld}")
    level = max((part.level for part in parts), default=0) + 1
    claimed = ClaimedSet(claim.player, meld, level, points, claim.twin)
    now = (*(known for known in standing if known not in parts), claimed)
    _check_tiles(now, rules)
    return now, notes


def _notes_on_tokens(players: Sequence[str], claims: Sequence[Claim], rules: RuleSet) -> list[str]:
    """Who laid more tokens than players have, one a tile (AMB-37); hijacked tokens stay there."""
    assert rules.claims is not None
    laid = Counter(dict.fromkeys(players, 0))
    for claim in claims:
        laid[claim.player] += sum(map(len, claim.melds))
    have = rules.claims.tokens
    return [
        f"{name} has laid {count} tokens, and each player has {have}"
        for name, count in laid.items()
        if 0 < have < count
    ]


def _value(meld: Meld, rules: RuleSet) -> tuple[int, list[str]]:
    """What a set is worth, and a note where it can be read in several ways (AMB-10)."""
    readings = readings_of(meld.tiles, rules)
    if not readings:
        faults = "; ".join(fault.message for fault in set_faults(meld.tiles, rules))
        raise ScoringError(f"{meld} is no set: {faults}")
    values = [reading.points for reading in readings]
    counted = max(values) if rules.joker.ambiguous_value == "max" else values[0]
    if len(set(values)) == 1:
        return counted, []
    read = " or ".join(map(str, sorted(set(values))))
    return counted, [f"{meld} can be read as {read} points, and counts {counted}"]


def _check_tiles(standing: Sequence[ClaimedSet], rules: RuleSet) -> None:
    """Whether so many sets can lie there. On a grid a tile lies in a row and in a column (AMB-38)."""
    assert rules.claims is not None
    pieces = [tile for claimed in standing for tile in claimed.meld]
    check_deck(pieces, rules)
    check_supply(pieces, rules, per_copy=2 if rules.table.form == "grid" else 1)
    twice = [tile for tile, count in Counter(pieces).items() if count > 1]
    if rules.claims.model == "per_tile" and twice:
        raise ScoringError(
            f"{twice[0]} lies in two claimed sets, and where tokens count tile by tile (house rule "
            "claims.model) claims alone do not say which of the two has which token"
        )


def _totals(players: Sequence[str], standing: Sequence[ClaimedSet]) -> Points:
    totals = dict.fromkeys(players, Fraction(0))
    for claimed in standing:
        totals[claimed.player] += claimed.points
    return totals


def _winners(
    history: Sequence[Points], totals: Points, ended: Ended | None, rules: RuleSet
) -> tuple[str, ...]:
    """Who has won by AMB-34. Raises ScoringError where the game had been over before, or is not."""
    target = rules.score.target
    assert target is not None
    exact = rules.score.target_mode == "exact"
    wanted = f"{'exactly' if exact else 'at least'} {target}"
    for number, then in enumerate(history, start=1):
        for name, points in then.items():
            if reaches_target(points, rules) and not reaches_target(totals[name], rules):
                raise ScoringError(
                    f"claim {number + 1}: the game was over, {name} had {wanted} points"
                )
    reached = tuple(name for name, points in totals.items() if reaches_target(points, rules))
    if len(reached) > 1:
        raise ScoringError(
            f"{' and '.join(reached)} have {wanted} points; the first ended the game"
        )
    if ended == "200" and not reached:
        raise ScoringError(f"the game ended at {target}, and nobody has {wanted} points")
    return closest(totals, rules)


def reaches_target(points: Fraction, rules: RuleSet) -> bool:
    """Whether points end the game at once (R2-01); never where there is no target."""
    target = rules.score.target
    if target is None:
        return False
    return points == target if rules.score.target_mode == "exact" else points >= target


def closest(totals: Points, rules: RuleSet) -> tuple[str, ...]:
    """Who has reached the target, or else is closest to it, of two equally far the lower (AMB-34);
    several where equal, in the order of `totals`."""
    target = Fraction(rules.score.target or 0)
    keys = {
        name: (not reaches_target(points, rules), abs(target - points), points > target)
        for name, points in totals.items()
    }
    best = min(keys.values())
    return tuple(name for name in totals if keys[name] == best)


def _checks(totals: Points, standing: Sequence[ClaimedSet], rules: RuleSet) -> tuple[Check, ...]:
    """The claimed points once more, by sets instead of by players."""
    by_sets = sum(claimed.points for claimed in standing)
    text = f"the totals are the points of the {len(standing)} claimed sets"
    return (Check(text, sum(totals.values()) == by_sets, rules.value_rules["score.kind"]),)
