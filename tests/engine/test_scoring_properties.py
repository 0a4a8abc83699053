"""Properties of scores over rounds that are dealt at random from the real decks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.melds import Meld
from engine.ruleset import RuleSet, load_ruleset
from engine.scoring import (
    Claim,
    HandsAtEnd,
    ScoringError,
    score_claims,
    score_round,
    score_rounds,
    score_tournament,
)
from engine.tiles import CARDS, TILE_SUITS, TILES, Tile

PRESSMAN = load_ruleset("pressman")
SABRA = load_ruleset("sabra")
TOURNAMENT = load_ruleset("pressman-tournament")
RESET = load_ruleset("reset")
SETS_AND_RUNS = load_ruleset("sets-and-runs")
RUMMI200KUB = load_ruleset("rummi200kub")

NAMES = ("Ann", "Bo", "Cy", "Di")
POT_GAMES = (PRESSMAN, SABRA, TOURNAMENT)
LOWEST_GAMES = (RESET, SETS_AND_RUNS)


def deck(rules: RuleSet) -> list[Tile]:
    """Every piece of the game, each copy by itself."""
    kinds = CARDS if rules.equipment.pieces == "cards" else TILES
    equipment = rules.equipment
    return [tile for tile in kinds for _ in range(equipment.copies_of(tile))]


@st.composite
def ends(draw: st.DrawFn, rules: RuleSet, players: Sequence[str]) -> HandsAtEnd:
    """A round that somebody won, or that ended with the pool."""
    pieces = deck(rules)
    counts = [draw(st.integers(1, 6)) for _ in players]
    places = st.lists(
        st.integers(0, len(pieces) - 1), min_size=sum(counts), max_size=sum(counts), unique=True
    )
    drawn = iter([pieces[place] for place in draw(places)])
    held = {name: tuple(islice(drawn, count)) for name, count in zip(players, counts, strict=True)}
    out = draw(st.none() | st.sampled_from(players))
    if out is not None:
        held[out] = ()
    return HandsAtEnd(held, out, out is None or draw(st.booleans()))


@st.composite
def games(
    draw: st.DrawFn, choice: Sequence[RuleSet], most: int = 4
) -> tuple[RuleSet, tuple[str, ...], list[HandsAtEnd]]:
    """Some rounds of one of the games, with two to four players."""
    rules = draw(st.sampled_from(choice))
    players = NAMES[: draw(st.integers(2, 4))]
    return rules, players, draw(st.lists(ends(rules, players), min_size=1, max_size=most))


@given(games((PRESSMAN, SABRA)))
def test_what_some_win_others_lose(game: tuple[RuleSet, tuple[str, ...], list[HandsAtEnd]]) -> None:
    """PR-24, SB-23: in each round and in the totals."""
    rules, players, rounds = game
    sheet = score_rounds(players, rounds, rules)
    assert all(sum(item.points.values()) == 0 for item in sheet.rounds)
    assert sum(sheet.totals.values()) == 0
    assert all(check.holds for check in sheet.checks)


@given(st.lists(ends(TOURNAMENT, NAMES), min_size=12, max_size=12))
def test_a_tournament_is_the_sum_of_its_games(ended: list[HandsAtEnd]) -> None:
    rounds = [ended[start : start + 4] for start in (0, 4, 8)]
    sheet = score_tournament(NAMES, rounds, TOURNAMENT)
    for name in NAMES:
        points = [score_round(NAMES, game, TOURNAMENT).points[name] for game in ended]
        assert sheet.totals[name] == sum(points)
    assert sum(sheet.totals.values()) == 0
    assert all(check.holds for check in sheet.checks)
    assert sheet.winners


@given(games((*POT_GAMES, *LOWEST_GAMES)), st.data())
def test_seats_do_not_matter(
    game: tuple[RuleSet, tuple[str, ...], list[HandsAtEnd]], data: st.DataObject
) -> None:
    """With shared pots nothing depends on the order of the players."""
    rules, players, rounds = game
    seated = data.draw(st.permutations(players))
    for ended in rounds:
        here, there = score_round(players, ended, rules), score_round(seated, ended, rules)
        assert here.points == there.points
        assert set(here.winners) == set(there.winners)


@given(games((*POT_GAMES, *LOWEST_GAMES), most=1), st.data())
def test_another_tile_never_helps_who_holds_it(
    game: tuple[RuleSet, tuple[str, ...], list[HandsAtEnd]], data: st.DataObject
) -> None:
    rules, players, (ended,) = game
    name = data.draw(st.sampled_from([name for name in players if ended.held[name]]))
    left = deck(rules)
    for tiles in ended.held.values():
        for tile in tiles:
            left.remove(tile)
    more = (*ended.held[name], data.draw(st.sampled_from(left)))
    before = score_round(players, ended, rules)
    after = score_round(players, replace(ended, held=dict(ended.held) | {name: more}), rules)
    if rules.score.winner == "highest":
        assert after.points[name] <= before.points[name]
    else:
        assert after.points[name] > before.points[name]
    assert name in before.winners or name not in after.winners


@given(games((RESET,)))
def test_reset_counts_tiles_and_nothing_else(
    game: tuple[RuleSet, tuple[str, ...], list[HandsAtEnd]],
) -> None:
    """RS-26"""
    rules, players, rounds = game
    totals = score_rounds(players, rounds, rules).totals
    for name in players:
        assert totals[name] == sum(len(ended.held[name]) for ended in rounds)


@given(games((SETS_AND_RUNS,)))
def test_sets_and_runs_counts_cards_as_the_document_lists_them(
    game: tuple[RuleSet, tuple[str, ...], list[HandsAtEnd]],
) -> None:
    """SR-19, written a second time, from the letters of the cards."""
    rules, players, rounds = game
    totals = score_rounds(players, rounds, rules).totals
    listed = dict.fromkeys("23456789", 5) | dict.fromkeys("1JQK", 10) | {"A": 15, "*": 50}
    for name in players:
        letters = [str(card)[0] for ended in rounds for card in ended.held[name]]
        assert totals[name] == sum(listed[letter] for letter in letters)


@given(games((*POT_GAMES, *LOWEST_GAMES), most=1))
def test_who_is_out_is_never_worse_than_anybody(
    game: tuple[RuleSet, tuple[str, ...], list[HandsAtEnd]],
) -> None:
    rules, players, (ended,) = game
    score = score_round(players, ended, rules)
    if ended.out is not None:
        assert ended.out in score.winners
    highest = rules.score.winner == "highest"
    best = max(score.points.values()) if highest else min(score.points.values())
    assert {score.points[name] for name in score.winners} == {best}


@given(games((*POT_GAMES, *LOWEST_GAMES), most=1), st.data())
def test_a_piece_too_many_is_always_refused(
    game: tuple[RuleSet, tuple[str, ...], list[HandsAtEnd]], data: st.DataObject
) -> None:
    """G-04"""
    rules, players, (ended,) = game
    name = data.draw(st.sampled_from([name for name in players if ended.held[name]]))
    tile = data.draw(st.sampled_from(ended.held[name]))
    there_are = rules.equipment.copies_of(tile)
    held = dict(ended.held) | {name: (*ended.held[name], *[tile] * there_are)}
    with pytest.raises(ScoringError, match="and the game has"):
        score_round(players, replace(ended, held=held), rules)


groups = st.builds(
    lambda rank, suits: Meld.of(Tile(suit, rank) for suit in suits),
    st.integers(1, 13),
    st.permutations(TILE_SUITS).map(lambda suits: suits[:3]),
)
claims = st.lists(
    st.builds(Claim, st.sampled_from(NAMES), groups.map(lambda it: (it,))), max_size=8
)


@given(claims)
def test_claimed_points_are_those_of_the_sets_that_are_claimed(made: list[Claim]) -> None:
    """R2-23: however often sets change hands, each counts once, for its latest claimant. What may not
    be, a fourth claim or an own set, is left out."""
    kept: list[Claim] = []
    for claim in made:
        try:
            score_claims(NAMES, [*kept, claim], None, RUMMI200KUB)
        except ScoringError:
            continue
        kept.append(claim)
    sheet, standing = score_claims(NAMES, kept, None, RUMMI200KUB)
    latest = {frozenset(claim.melds[0]): claim.player for claim in kept}
    assert {frozenset(item.meld): item.player for item in standing} == latest
    expected = dict.fromkeys(NAMES, Fraction(0))
    for meld, name in latest.items():
        expected[name] += sum(tile.rank or 0 for tile in meld)
    assert sheet.totals == expected
    closest = min(abs(200 - own) for own in sheet.totals.values())
    assert all(abs(200 - sheet.totals[name]) == closest for name in sheet.winners)
