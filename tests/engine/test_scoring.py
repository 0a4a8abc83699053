"""Rounds and games worked by hand: the documents' own score tables, and a row for each rule."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest

from engine.melds import parse_tiles
from engine.ruleset import RuleSet, load_ruleset
from engine.scoring import (
    GameScore,
    HandsAtEnd,
    ScoringError,
    hand_points,
    score_round,
    score_rounds,
    score_tournament,
)
from engine.tiles import TILES, Tile

PRESSMAN = load_ruleset("pressman")
TOURNAMENT = load_ruleset("pressman-tournament")
SABRA = load_ruleset("sabra")
RESET = load_ruleset("reset")
CARDS = load_ruleset("sets-and-runs")
ABCD = ("A", "B", "C", "D")


def end(out: str | None = None, *, exhausted: bool = False, **hands: str) -> HandsAtEnd:
    """The end of a round, hands in notation."""
    held = {name: parse_tiles(text) for name, text in hands.items()}
    return HandsAtEnd(held, out, exhausted)


def worth(points: int) -> str:
    """Some tiles that count so much together; no two hands of a row below need the same tile."""
    return " ".join(f"{colour}{number}" for colour, number in WORTH[points])


WORTH: Mapping[int, Sequence[tuple[str, int]]] = {
    0: (),
    2: (("K", 2),),
    3: (("K", 3),),
    5: (("B", 5),),
    6: (("K", 6),),
    10: (("K", 10),),
    11: (("B", 11),),
    13: (("R", 13),),
    16: (("R", 12), ("R", 4)),
    25: (("O", 13), ("O", 12)),
    32: (("K", 13), ("K", 12), ("K", 7)),
    12: (("O", 1), ("O", 11)),
    20: (("B", 13), ("B", 7)),
    30: (("R", 11), ("R", 9), ("R", 10)),
    45: (("O", 10), ("O", 9), ("O", 8), ("O", 7), ("O", 6), ("O", 5)),
}


def table_row(*points: int) -> HandsAtEnd:
    """A round of the printed tables: each loser holds what he lost."""
    held = dict(zip(ABCD, (worth(max(0, -own)) for own in points), strict=True))
    return end(ABCD[points.index(max(points))], **held)


def whole(score: Mapping[str, Fraction]) -> list[int]:
    assert all(own.denominator == 1 for own in score.values())
    return [int(own) for own in score.values()]


def rows_of(sheet: GameScore) -> list[list[int]]:
    return [whole(item.points) for item in sheet.rounds]


ROUND_1, ROUND_2, ROUND_3 = (24, -5, -16, -3), (-6, -11, 22, -5), (-32, -13, -2, 47)
ROUND_4 = (-10, -25, 41, -6)


# What tiles count


@pytest.mark.parametrize(
    ("rules", "tiles", "points"),
    [
        (PRESSMAN, "K1 K13 R10", 24),  # PR-09, PR-24
        (PRESSMAN, "J", 30),  # PR-23
        (SABRA, "J J R2", 62),  # SB-15
        (RESET, "J R13 K1", 3),  # RS-26: the numbers are not counted
        (RESET, "* KH AS", 3),  # RS-02: or cards
        (CARDS, "2H 9D 10S KC AH *", 95),  # SR-19: 5 + 5 + 10 + 10 + 15 + 50
        (CARDS, "JS QS", 20),
        (CARDS, "", 0),
    ],
)
def test_what_a_hand_counts(rules: RuleSet, tiles: str, points: int) -> None:
    assert hand_points(parse_tiles(tiles), rules) == points


# Games with a winner who gets what the others lose


@pytest.mark.parametrize("rules", [PRESSMAN, SABRA], ids=["pressman", "sabra"])
@pytest.mark.parametrize("row", [ROUND_1, ROUND_2, ROUND_3])
def test_the_winner_gets_what_the_others_lose(rules: RuleSet, row: tuple[int, ...]) -> None:
    """PR-24, SB-23: the rows of the score tables in both documents."""
    score = score_round(ABCD, table_row(*row), rules)
    assert whole(score.points) == list(row)
    assert score.winners == (ABCD[row.index(max(row))],)


def test_the_sabra_score_table_adds_up() -> None:
    """SB-24: the two games of the table and its total line; A leads."""
    sheet = score_rounds(ABCD, [table_row(*ROUND_1), table_row(*ROUND_2)], SABRA)
    assert rows_of(sheet) == [list(ROUND_1), list(ROUND_2)]
    assert whole(sheet.totals) == [18, -16, 6, -8]
    assert sheet.winners == ("A",)
    assert all(check.holds for check in sheet.checks)
    assert {check.rule for check in sheet.checks} == {"SB-23"}


def test_the_pressman_score_table_adds_up() -> None:
    """PR-27: the three rounds of the table and its total line; D wins."""
    rounds = [table_row(*row) for row in (ROUND_1, ROUND_2, ROUND_3)]
    sheet = score_rounds(ABCD, rounds, PRESSMAN)
    assert whole(sheet.totals) == [-14, -29, 4, 39]
    assert sheet.winners == ("D",)
    assert all(check.holds for check in sheet.checks)
    assert sheet.notes == ()


def test_one_tile_loses_what_it_counts() -> None:
    """The example of RS, Variations: 49 for X by the Rummikub rules, 0, 1 and 7 at ReSet."""
    ended = end("X", Y="K1", Z="K13 K12 K11 K6 K3 K2 B1")
    assert whole(score_round(("X", "Y", "Z"), ended, PRESSMAN).points) == [49, -1, -48]
    reset = score_round(("X", "Y", "Z"), ended, RESET)
    assert whole(reset.points) == [0, 1, 7]
    assert reset.winners == ("X",)


@pytest.mark.parametrize("rules", [PRESSMAN, SABRA, TOURNAMENT], ids=lambda rules: rules.preset)
def test_the_lowest_count_wins_when_nobody_is_out(rules: RuleSet) -> None:
    """PR-25, and AMB-30 for the Sabra way: counts of 12, 30, 45 and 20."""
    ended = end(exhausted=True, A=worth(12), B=worth(30), C=worth(45), D=worth(20))
    score = score_round(ABCD, ended, rules)
    assert whole(score.points) == [59, -18, -33, -8]
    assert score.winners == ("A",)


def test_a_joker_is_in_the_count_when_nobody_is_out() -> None:
    """PR-23, PR-25: 30 against 29."""
    ended = end(exhausted=True, A="J", B="K13 K12 K4")
    score = score_round(("A", "B"), ended, PRESSMAN)
    assert whole(score.points) == [-1, 1]


@pytest.mark.parametrize(
    ("tie", "points", "winners"),
    [
        ("share", [Fraction(15, 2), Fraction(15, 2), -7, -8], ("A", "B")),
        ("first_in_turn", [15, 0, -7, -8], ("A",)),
        ("void", [0, 0, 0, 0], ()),
    ],
)
def test_equal_lowest_counts_are_settled_by_house_rule(
    tie: str, points: list[int], winners: tuple[str, ...]
) -> None:
    """AMB-30: counts of 5, 5, 12 and 13."""
    rules = load_ruleset("pressman", {"pool_out.tie": tie})
    ended = end(exhausted=True, A="K5", B="B5", C="K12", D="K13")
    score = score_round(ABCD, ended, rules)
    assert list(score.points.values()) == points
    assert score.winners == winners


def test_three_equal_counts_share_in_thirds() -> None:
    ended = end(exhausted=True, A="K5", B="B5", C="R5", D="K13")
    score = score_round(ABCD, ended, PRESSMAN)
    assert list(score.points.values()) == [Fraction(8, 3)] * 3 + [-8]


def test_all_counts_equal_leave_nothing_to_win() -> None:
    score = score_round(("A", "B"), end(exhausted=True, A="K5", B="B5"), PRESSMAN)
    assert whole(score.points) == [0, 0]
    assert score.winners == ("A", "B")


@pytest.mark.parametrize(("how", "points"), [("as_held", [-5, -13]), ("count_tiles", [-1, -2])])
def test_a_table_may_play_without_a_pot_when_nobody_is_out(how: str, points: list[int]) -> None:
    rules = load_ruleset("pressman", {"pool_out.score": how})
    sheet = score_rounds(("A", "B"), [end(exhausted=True, A="K5", B="K6 K7")], rules)
    assert rows_of(sheet) == [points]
    assert sheet.winners == ("A",)
    assert all(check.holds for check in sheet.checks)
    won = score_round(("A", "B"), end("A", B="K6 K7"), rules)
    assert whole(won.points) == [13, -13]


def test_a_round_won_after_the_pool_was_exhausted_is_a_won_round() -> None:
    with_pool = score_round(("A", "B"), end("A", B="K6"), PRESSMAN)
    without = score_round(("A", "B"), end("A", exhausted=True, B="K6"), PRESSMAN)
    assert with_pool == without


def test_whoever_holds_nothing_is_out_without_being_named() -> None:
    """PR-13: an empty rack ends the round (AMB-28)."""
    assert whole(score_round(("A", "B"), end(A="", B="K6"), PRESSMAN).points) == [6, -6]


def test_a_game_ends_with_the_round_in_which_a_total_reaches_the_target() -> None:
    """AMB-31"""
    rules = load_ruleset("pressman", {"score.target": 20})
    rounds = [end("A", B="K13"), end("B", A="K2"), end("A", B="K9")]
    assert score_rounds("AB", rounds, rules).notes == ()
    open_game = score_rounds("AB", rounds[:2], rules)
    assert open_game.winners == ("A",)
    assert open_game.notes == ("nobody has reached 20: the game is not over",)
    with pytest.raises(ScoringError, match="round 4: the game was over, A had reached 20"):
        score_rounds("AB", [*rounds, end("A", B="K9")], rules)


def test_equal_totals_share_the_win() -> None:
    """AMB-33, also where an extra round is to decide."""
    rounds = [end("A", B="K5", C="R5"), end("B", A="K5", C="R5")]
    assert score_rounds("ABC", rounds, PRESSMAN).winners == ("A", "B")
    extra = score_rounds("ABC", rounds, load_ruleset("pressman", {"score.tie": "extra_round"}))
    assert extra.winners == ("A", "B")
    assert extra.notes == ("A and B are equal, and an extra round decides",)


def test_who_is_equal_before_the_last_round_is_no_tie_yet() -> None:
    rules = load_ruleset("sabra", {"score.rounds": 3, "score.tie": "extra_round"})
    rounds = [end("A", B="K5", C="R5"), end("B", A="K5", C="R5")]
    sheet = score_rounds("ABC", rounds, rules)
    assert sheet.winners == ("A", "B")
    assert sheet.notes == ("2 of 3 rounds: the game is not over",)
    whole_game = score_rounds("ABC", [*rounds, end("C", A="K1", B="R1")], rules)
    assert whole_game.notes == ("A and B are equal, and an extra round decides",)


# The tournament


def four_games() -> list[HandsAtEnd]:
    """TV-28, the four games of a later score sheet by the same makers."""
    return [table_row(*row) for row in (ROUND_1, ROUND_2, ROUND_3, ROUND_4)]


def test_a_tournament_round_goes_to_most_games_before_points() -> None:
    """PT-04: C has won two games and has 45 points; D has 33 from one."""
    sheet = score_tournament(ABCD, [four_games()], TOURNAMENT)
    assert rows_of(sheet) == [[-24, -54, 45, 33]]
    assert [whole(game.points) for game in sheet.games[0]] == [
        list(row) for row in (ROUND_1, ROUND_2, ROUND_3, ROUND_4)
    ]
    assert sheet.rounds[0].winners == ("C",)
    assert all(check.holds for check in sheet.checks)
    assert sheet.notes == ("1 of 3 rounds: the tournament is not over",)
    begun = score_tournament(ABCD, [four_games(), four_games()[:1]], TOURNAMENT)
    assert begun.notes == (
        "round 2 has 1 of 4 games: it is not over",
        "1 of 3 rounds: the tournament is not over",
    )


def won(winner: str, tile: str) -> HandsAtEnd:
    """A game of two that the winner takes from one tile."""
    return end(winner, **{"B" if winner == "A" else "A": tile})


def test_most_games_win_a_round_against_more_points() -> None:
    """PT-04: A wins three games of 1 point, B one of 13."""
    games = [won("A", "K1"), won("A", "K1"), won("A", "K1"), won("B", "K13")]
    sheet = score_tournament("AB", [games], TOURNAMENT)
    assert sheet.rounds[0].winners == ("A",)
    assert whole(sheet.totals) == [-10, 10]
    assert sheet.winners == ("A",)


def test_equal_games_are_settled_by_points() -> None:
    """PT-04"""
    games = [won("A", "K1"), won("A", "K1"), won("B", "K2"), won("B", "K1")]
    assert score_tournament("AB", [games], TOURNAMENT).rounds[0].winners == ("B",)


def test_most_rounds_win_a_tournament_before_games() -> None:
    """AMB-36: A wins two rounds by points with two games each, B one with four; with games to decide
    it is the other way round."""
    even = [won("A", "K13"), won("A", "K13"), won("B", "K1"), won("B", "K1")]
    rounds = [even, even, [won("B", "K1")] * 4]
    sheet = score_tournament("AB", rounds, TOURNAMENT)
    assert [item.winners for item in sheet.rounds] == [("A",), ("A",), ("B",)]
    assert sheet.winners == ("A",)
    assert sheet.notes == ()
    by_games = load_ruleset("pressman-tournament", {"tournament.overall": "games"})
    assert score_tournament("AB", rounds, by_games).winners == ("B",)


def test_equal_rounds_are_settled_by_games_then_points() -> None:
    """AMB-36: a round each; A has three of its games, B four of its own and A none."""
    rounds = [
        [won("A", "K13"), won("A", "K13"), won("A", "K13"), won("B", "K1")],
        [won("B", "K1")] * 4,
    ]
    sheet = score_tournament("AB", rounds, TOURNAMENT)
    assert sheet.winners == ("B",)
    assert whole(sheet.totals)[0] > 0
    level = score_tournament("AB", [[won("A", "K2")] * 4, [won("B", "K3")] * 4], TOURNAMENT)
    assert level.winners == ("B",)


def test_a_round_of_a_tournament_counts_when_it_is_over() -> None:
    """PT-04: A has won a round; that B leads in the next after one game, and has won more games, decides
    nothing yet. Before a round is over the games do."""
    even = [won("A", "K13"), won("A", "K13"), won("B", "K1"), won("B", "K1")]
    sheet = score_tournament("AB", [even, [won("B", "K1")]], TOURNAMENT)
    assert [item.winners for item in sheet.rounds] == [("A",), ("B",)]
    assert sheet.winners == ("A",)
    over = score_tournament("AB", [even, [won("B", "K1")] * 4], TOURNAMENT)
    assert over.winners == ("B",)
    begun = score_tournament("AB", [even[1:]], TOURNAMENT)
    assert begun.winners == ("B",)


# ReSet


def test_reset_counts_tiles_and_the_lowest_total_wins() -> None:
    """RS-25 to RS-27: three players, three rounds, one of them with an empty bag."""
    rounds = [
        end("X", Y="K1", Z="J K13"),
        end("Y", X="K13 B13 R13", Z="J"),
        end(exhausted=True, X="K1 K2", Y="J K12", Z="O1 O2 O3 O4"),
    ]
    sheet = score_rounds("XYZ", rounds, RESET)
    assert rows_of(sheet) == [[0, 1, 2], [3, 0, 1], [2, 2, 4]]
    assert whole(sheet.totals) == [5, 3, 7]
    assert sheet.winners == ("Y",)
    assert [item.winners for item in sheet.rounds] == [("X",), ("Y",), ("X", "Y")]
    assert {check.rule for check in sheet.checks} == {"RS-26"}
    assert sheet.notes == ()


@pytest.mark.parametrize(("players", "rounds"), [(2, 4), (3, 3), (6, 6)])
def test_reset_has_a_round_for_each_player_and_four_for_two(players: int, rounds: int) -> None:
    """RS-25, AMB-32"""
    names = "ABCDEF"[:players]
    held = {name: (TILES[index],) for index, name in enumerate(names) if name != "A"}
    game = [HandsAtEnd(held, "A")] * rounds
    assert score_rounds(names, game, RESET).notes == ()
    assert score_rounds(names, game[1:], RESET).notes == (
        f"{rounds - 1} of {rounds} rounds: the game is not over",
    )


# Sets and Runs


def test_sets_and_runs_adds_card_points_over_seven_rounds() -> None:
    """SR-19, SR-28, SR-29: six rounds that A ends, and one that the deck ends."""
    ended = end("A", A="", B="2H *", C="AS KS")
    held = end(exhausted=True, A="9C 9C", B="", C="10D")
    sheet = score_rounds("ABC", [ended] * 6 + [held], CARDS)
    assert rows_of(sheet) == [[0, 55, 25]] * 6 + [[10, 0, 10]]
    assert whole(sheet.totals) == [10, 330, 160]
    assert sheet.winners == ("A",)
    assert sheet.notes == ()
    with pytest.raises(ScoringError, match="sets-and-runs has 7 rounds, and 8 are given"):
        score_rounds("ABC", [ended] * 8, CARDS)


def test_several_may_float_when_a_round_of_cards_ends() -> None:
    """SR-17: B has no card either, but A discarded the last one."""
    score = score_round("ABC", end("A", B="", C="QH"), CARDS)
    assert whole(score.points) == [0, 0, 10]
    assert score.winners == ("A", "B")


# What cannot have been


@pytest.mark.parametrize(
    ("rules", "ended", "message"),
    [
        (PRESSMAN, end("A", B="K1"), "round 1: the hand of C is missing"),
        (PRESSMAN, end("E", A="", B="K1", C="K1"), "there is no player 'E'; there are: A, B, C"),
        (PRESSMAN, end("A", B="K1", C="K1", E="K2"), "there is no player 'E'"),
        (PRESSMAN, end("A", A="K1", B="K2", C="K3"), "A is out and yet holds 1 tile"),
        (PRESSMAN, end("A", B="", C="K3"), "A and B hold nothing; the first of them ended"),
        (RESET, end(exhausted=True, A="", B="", C="K3"), "A and B hold nothing"),
        (PRESSMAN, end(A="K1", B="K2", C="K3"), "nobody is out, and the pool is not said to be"),
        (CARDS, end(A="KH", B="2H", C="3H"), "nobody is out, and the pool is not said to be"),
        (PRESSMAN, end("A", B="K1 K1", C="K1"), r"K1 (black 1) comes 3 times, and the game has 2"),
        (PRESSMAN, end("A", B="J J", C="J"), "J (joker) comes 3 times, and the game has 2"),
        (CARDS, end("A", B="* * * *", C="*"), "* (joker) comes 5 times, and the game has 4"),
        (PRESSMAN, end("A", B="K1", C="KH"), "tiles and cards are mixed"),
        (PRESSMAN, end("A", B="2H", C="KH"), "2H is a card, and pressman is played with tiles"),
        (CARDS, end("A", B="K1", C="J"), "K1 is a tile, and sets-and-runs is played with cards"),
        (RESET, end("A", B="K1", C="KH"), "tiles and cards are mixed"),
    ],
)
def test_an_end_that_cannot_have_been_is_refused(
    rules: RuleSet, ended: HandsAtEnd, message: str
) -> None:
    with pytest.raises(ScoringError, match=re.escape(message)) as caught:
        score_rounds("ABC", [ended], rules)
    assert str(caught.value).startswith("round 1: ")


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["A"], "a score is between two players or more, not 1"),
        (["A", "A"], "the player 'A' is named twice"),
        (["A", " "], "a player has no name"),
    ],
)
def test_players_have_different_names(players: list[str], message: str) -> None:
    with pytest.raises(ScoringError, match=message):
        score_rounds(players, [end("A")], PRESSMAN)


def test_a_game_without_rounds_or_of_another_form_is_refused() -> None:
    game = won("A", "K1")
    with pytest.raises(ScoringError, match="no round to score"):
        score_rounds("AB", [], PRESSMAN)
    with pytest.raises(ScoringError, match="no round to score"):
        score_tournament("AB", [], TOURNAMENT)
    with pytest.raises(ScoringError, match="a round of this tournament is a list of games"):
        score_rounds("AB", [game], TOURNAMENT)
    with pytest.raises(ScoringError, match="pressman has rounds, not rounds of several games"):
        score_tournament("AB", [[game]], PRESSMAN)
    with pytest.raises(ScoringError, match="round 1: a round has 1 to 4 games, not 5"):
        score_tournament("AB", [[game] * 5], TOURNAMENT)
    with pytest.raises(ScoringError, match="a tournament has 3 rounds, and 4 are given"):
        score_tournament("AB", [[game] * 4] * 4, TOURNAMENT)
    with pytest.raises(ScoringError, match="round 2, game 1: A is out and yet holds 1 tile"):
        score_tournament("AB", [[game], [end("A", A="K1", B="K2")]], TOURNAMENT)
    with pytest.raises(ScoringError, match="rummi200kub is scored by claims, not by hands"):
        score_round("AB", game, load_ruleset("rummi200kub"))


def test_a_game_for_fewer_players_is_scored_with_a_note() -> None:
    sheet = score_rounds("AB", [end("A", B="KH")], CARDS)
    assert sheet.notes[0] == "sets-and-runs is for 3 to 6 players, and 2 are scored"


# What the documents count


def test_what_a_buy_a_contract_and_the_pool_come_to() -> None:
    """TV-23, TV-24, TV-26, TV-29: 11 cards and a buy are 13; three runs are 12 cards; the Sabra pool
    leaves one tile beside its stacks of seven; ReSet leaves 76, 61, 54, 56 and 46 tiles."""
    assert CARDS.buys is not None
    assert CARDS.contracts is not None
    assert CARDS.deal.tiles_for(4) + CARDS.buys.cards == 13
    groups, runs = CARDS.contracts.rounds[-1]
    assert groups * CARDS.group.least + runs * CARDS.run.least == 12
    assert [left(SABRA, players) % 7 for players in (2, 3, 4)] == [1, 1, 1]
    assert [left(RESET, players) for players in range(2, 7)] == [76, 61, 54, 56, 46]


def left(rules: RuleSet, players: int) -> int:
    """Tiles in the pool after the deal."""
    pieces = rules.equipment.ranks * 4 * rules.equipment.copies + rules.equipment.jokers
    return pieces - players * rules.deal.tiles_for(players)


def test_a_hand_is_scored_whatever_the_order_of_its_tiles() -> None:
    tiles: tuple[Tile, ...] = parse_tiles("K1 J B7")
    assert hand_points(tiles, PRESSMAN) == hand_points(tiles[::-1], PRESSMAN) == 38
