"""Points that are claimed, worked by hand: what a set is worth, whose it is, and who wins."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.melds import parse_meld
from engine.ruleset import load_ruleset
from engine.scoring import Claim, ClaimedSet, GameScore, ScoringError, score_claims
from engine.scoring.claims import Ended

R2 = load_ruleset("rummi200kub")

# A hundred points and more from few sets, for the ends of the game.
RUN_91 = "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13"
GROUP_52 = "K13 B13 R13 O13"
GROUP_24 = "K8 B8 R8"
RUN_33 = "R10 R11 R12"
RUN_9 = "O2 O3 O4"


def claim(player: str, *melds: str, twin: bool = False) -> Claim:
    return Claim(player, tuple(map(parse_meld, melds)), twin)


def score(
    *claims: Claim, ended: Ended | None = "blocked", players: str = "AB"
) -> tuple[GameScore, tuple[ClaimedSet, ...]]:
    return score_claims(players, claims, ended, R2)


def totals(*claims: Claim) -> list[int]:
    return [int(own) for own in score(*claims)[0].totals.values()]


@pytest.mark.parametrize(
    ("meld", "points"),
    [
        ("K8 B8 R8", 24),  # R2-10, the document's own example
        ("K8 B8 J", 24),  # R2-25
        ("R5 J R7", 18),
        ("R3 R4 J", 12),
        ("J R3 R4", 9),
        ("J R12 R13", 36),  # R2-14: nothing follows 13
        ("R13 J R11", 36),  # a run that falls
        (RUN_91, 91),
        ("J K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13", 91),
    ],
)
def test_a_claimed_set_is_worth_the_sum_of_its_tiles(meld: str, points: int) -> None:
    sheet, (claimed,) = score(claim("A", meld))
    assert claimed.points == points
    assert [int(own) for own in sheet.totals.values()] == [points, 0]
    assert all(check.holds for check in sheet.checks)


@pytest.mark.parametrize(("value", "points"), [("max", 30), ("position", 27)])
def test_a_set_that_reads_in_two_ways_is_noted(value: str, points: int) -> None:
    """AMB-10: a run of 8, 9 and 10 as it lies, or three tens."""
    rules = replace(R2, joker=replace(R2.joker, ambiguous_value=value))
    sheet, (claimed,) = score_claims("AB", (claim("A", "J J R10"),), "blocked", rules)
    assert claimed.points == points
    assert sheet.notes == (f"claim 1: J J R10 can be read as 27 or 30 points, and counts {points}",)


def test_points_are_those_of_the_latest_claimant() -> None:
    """R2-22 to R2-24, AMB-35: claimed, hijacked, hijacked again and locked."""
    claims = [claim("A", GROUP_24), claim("B", GROUP_24), claim("A", GROUP_24)]
    assert [totals(*claims[:count]) for count in (1, 2, 3)] == [[24, 0], [0, 24], [24, 0]]
    levels = [score(*claims[:count])[1][0].level for count in (1, 2, 3)]
    assert levels == [1, 2, 3]
    with pytest.raises(ScoringError, match="claim 4: K8 B8 R8 is locked, claimed 3 times"):
        score(*claims, claim("B", GROUP_24))


def test_a_set_is_the_same_from_whatever_side_it_is_read() -> None:
    assert totals(claim("A", GROUP_24), claim("B", "R8 B8 K8")) == [0, 24]


def test_a_set_that_grew_goes_to_the_next_claimant_as_a_whole() -> None:
    """AMB-35: what was added counts for nobody until the next claim."""
    claims = (claim("A", "R7 R8 R9"), claim("B", "R7 R8 R9 R10"))
    sheet, (claimed,) = score(*claims)
    assert totals(*claims) == [0, 34]
    assert claimed.level == 2
    assert sheet.notes == ("claim 2: R7 R8 R9, claimed by A, is now part of R7 R8 R9 R10",)
    with pytest.raises(ScoringError, match="claim 2: A has claimed R7 R8 R9 already"):
        score(claim("A", "R7 R8 R9"), claim("A", "R7 R8 R9 R10"))


def test_two_claimed_sets_that_were_joined_count_as_claimed_as_often_as_either() -> None:
    """AMB-35, R2-24: a run of six from a hijacked run and a run claimed once is locked by the next."""
    hijacked = [claim("A", "R1 R2 R3"), claim("B", "R1 R2 R3"), claim("A", "R4 R5 R6")]
    sheet, (claimed,) = score(*hijacked, claim("A", "R1 R2 R3 R4 R5 R6"))
    assert list(sheet.totals.values()) == [21, 0]
    assert claimed.level == 3


def test_a_player_may_not_claim_an_own_set_again() -> None:
    """AMB-37, unless the table allows it."""
    twice = (claim("A", GROUP_24), claim("A", GROUP_24))
    with pytest.raises(ScoringError, match="claim 2: A has claimed K8 B8 R8 already"):
        score(*twice)
    allowed = load_ruleset("rummi200kub", {"claims.reclaim_own": True})
    sheet, (claimed,) = score_claims("AB", twice, "blocked", allowed)
    assert list(sheet.totals.values()) == [24, 0]
    assert claimed.level == 2


def test_the_second_set_of_the_same_tiles_is_a_twin() -> None:
    """There are two copies of each tile."""
    assert totals(claim("A", GROUP_24), claim("A", GROUP_24, twin=True)) == [48, 0]
    assert totals(claim("A", GROUP_24), claim("B", GROUP_24, twin=True)) == [24, 24]


def test_a_tile_of_a_grid_may_be_claimed_in_a_row_and_in_a_column() -> None:
    """AMB-38: R8 in a run and in a group, for either copy; not in a fifth set."""
    crossing = [claim("A", "R6 R7 R8"), claim("B", "K8 B8 R8")]
    assert totals(*crossing) == [21, 24]
    more = [claim("A", "R8 R9 R10"), claim("B", "R8 O8 B8"), claim("A", "R8 O8 K8")]
    with pytest.raises(ScoringError, match=r"R8 \(red 8\) comes 5 times, and the game has 2, each"):
        score(*crossing, *more)


def test_exactly_200_wins_at_once() -> None:
    """AMB-34: 91 + 52 + 24 + 33 are 200."""
    winning = claim("A", RUN_91, GROUP_52, GROUP_24, RUN_33)
    sheet, _ = score(winning, claim("B", RUN_9), ended="200")
    assert list(sheet.totals.values()) == [200, 9]
    assert sheet.winners == ("A",)
    assert sheet.notes == ()


@pytest.mark.parametrize("ended", ["rack_empty", "blocked"])
def test_otherwise_the_closest_to_200_wins_from_either_side(ended: Ended) -> None:
    """R2-32, AMB-34: 212 is closer than 24."""
    sheet, _ = score(
        claim("A", RUN_91, GROUP_52, RUN_33, RUN_9, "B7 R7 O7", "J B2 B3"),
        claim("B", GROUP_24),
        ended=ended,
    )
    assert list(sheet.totals.values()) == [212, 24]
    assert sheet.winners == ("A",)


def test_of_two_equally_close_the_lower_wins_and_then_both() -> None:
    """AMB-34: 9 over and 9 under; then both under."""
    rules = load_ruleset("rummi200kub", {"score.target": 36})
    over_and_under = (claim("A", "R11 R12 R13", "J R3 R4"), claim("B", GROUP_24, "K1 B1 R1"))
    sheet, _ = score_claims("AB", over_and_under, "blocked", rules)
    assert list(sheet.totals.values()) == [45, 27]
    assert sheet.winners == ("B",)
    both, _ = score_claims("ABC", (claim("A", GROUP_24), claim("C", "J O8 B8")), "blocked", rules)
    assert both.winners == ("A", "C")


def test_a_table_may_let_200_and_more_win_at_once() -> None:
    """AMB-34, house rule score.target_mode."""
    rules = load_ruleset("rummi200kub", {"score.target": 50, "score.target_mode": "at_least"})
    claims = (claim("B", GROUP_24), claim("A", GROUP_52))
    sheet, _ = score_claims("AB", claims, "200", rules)
    assert sheet.winners == ("A",)


def test_nobody_has_claimed_anything_in_the_shortest_game() -> None:
    sheet, claimed = score(ended="rack_empty")
    assert claimed == ()
    assert sheet.winners == ("A", "B")


def test_an_end_that_is_not_told_leaves_who_is_ahead() -> None:
    sheet, _ = score(claim("A", RUN_9), ended=None)
    assert sheet.winners == ("A",)
    assert sheet.notes == ("it is not said how the game ended: the winners are those ahead now",)


@pytest.mark.parametrize(
    ("claims", "ended", "message"),
    [
        ((claim("C", RUN_9),), "blocked", "there is no player 'C'; there are: A, B"),
        ((claim("A", "K8 B8"),), "blocked", "claim 1: K8 B8 is no set: only 2 tiles"),
        ((claim("A", "K8 B8 K8"),), "blocked", "the same colour more than once in a group"),
        ((claim("A", RUN_9), claim("B", "R1 R2 R4")), "blocked", "claim 2: R1 R2 R4 is no set: a "),
        ((claim("A", "R12 R13 R1"),), "blocked", "1 does not follow 13"),
        ((claim("A", "8H 8S 8D"),), "blocked", "8H is a card, and rummi200kub is played with"),
        ((claim("A", RUN_9),), "200", "the game ended at 200, and nobody has exactly 200 points"),
        (
            (claim("A", RUN_91, GROUP_52, GROUP_24, RUN_33), claim("B", GROUP_24)),
            "blocked",
            "claim 2: the game was over, A had exactly 200 points",
        ),
    ],
)
def test_claims_that_cannot_have_been_are_refused(
    claims: tuple[Claim, ...], ended: Ended, message: str
) -> None:
    with pytest.raises(ScoringError, match=re.escape(message)):
        score(*claims, ended=ended)


def test_two_players_cannot_both_have_won_at_once() -> None:
    rules = load_ruleset("rummi200kub", {"score.target": 24})
    both = (claim("A", GROUP_24), claim("B", "K8 O8 J"))
    with pytest.raises(ScoringError, match="A and B have exactly 24 points; the first ended"):
        score_claims("AB", both, "200", rules)


def test_tokens_tile_by_tile_are_scored_only_where_claims_tell_them_apart() -> None:
    """AMB-35, house rule claims.model"""
    rules = load_ruleset("rummi200kub", {"claims.model": "per_tile"})
    apart, _ = score_claims("AB", (claim("A", GROUP_24), claim("B", RUN_9)), "blocked", rules)
    assert list(apart.totals.values()) == [24, 9]
    crossing = (claim("A", GROUP_24), claim("B", "R6 R7 R8"))
    with pytest.raises(ScoringError, match="claim 2: R8 lies in two claimed sets, and where"):
        score_claims("AB", crossing, "blocked", rules)


def test_more_tokens_than_players_have_are_noted() -> None:
    """AMB-37"""
    rules = load_ruleset("rummi200kub", {"claims.tokens": 5})
    sheet, _ = score_claims("AB", (claim("A", GROUP_24, RUN_9),), "blocked", rules)
    assert sheet.notes == ("A has laid 6 tokens, and each player has 5",)


def test_a_game_that_is_scored_by_hands_has_no_claims() -> None:
    with pytest.raises(ScoringError, match="pressman is scored by hands, not by claims"):
        score_claims("AB", (), "blocked", load_ruleset("pressman"))
