"""What no single turn shows, game by game: how many play, what is dealt, how a round ends."""

from __future__ import annotations

import pytest

from engine.game.events import Claimed, Dealt, DrawnForStart, GameBegun, Played, StarterNamed
from engine.game.fold import apply
from engine.game.state import GameState, Phase, Refusal
from engine.layout import parse_grid, parse_layout
from engine.melds import parse_meld, parse_tiles
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from tests.engine.game.tile_games import House, after, then

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hal")
WHO_MAY_PLAY = [
    ("reset", 2, 6, "RS-01: any number, of which RS-04 deals to six"),
    ("rummi200kub", 2, 4, "R2-07: not said; AMB-02: as many as there are racks"),
    ("sabra", 2, 4, "SB-02"),
    ("sets-and-runs", 3, 6, "SR-01"),
    ("pressman", 2, 4, "PR-01: four racks; AMB-02"),
    ("pressman-tournament", 2, 4, "as pressman"),
]
DEALT = [
    ("reset", {2: (15, 76), 3: (15, 61), 4: (13, 54), 5: (10, 56), 6: (10, 46)}, "RS-04"),
    ("rummi200kub", {2: (14, 78), 3: (14, 64), 4: (14, 50)}, "R2-05"),
    ("sabra", {2: (14, 78), 3: (14, 64), 4: (14, 50)}, "SB-06"),
    ("pressman", {2: (14, 78), 3: (14, 64), 4: (14, 50)}, "PR-05"),
    ("pressman-tournament", {2: (14, 78), 3: (14, 64), 4: (14, 50)}, "PT-01"),
    ("sets-and-runs", {3: (11, 74), 4: (11, 63), 5: (11, 52), 6: (11, 41)}, "SR-05, SR-06"),
]
"""What everybody has by the number of players, and what is left to draw."""
LAST_PLAYS = [
    ("reset", "K1 K2 K3 K4 K5 K6 K7 K8 | B1 B2 B3 B4 B5 B6 B7", "RS-24"),
    ("sabra", "K1 K2 K3 K4 K5 K6 K7 | B1 B2 B3 B4 B5 B6 B7", "SB-03"),
    ("pressman", "K1 K2 K3 K4 K5 K6 K7 | B1 B2 B3 B4 B5 B6 B7", "PR-13"),
]


def begun(preset: str, players: int, house: House | None = None) -> GameState | Refusal:
    return apply(None, GameBegun(preset, NAMES[:players], house or {}))


@pytest.mark.parametrize(("preset", "least", "most", "rule"), WHO_MAY_PLAY)
def test_so_many_may_play_and_no_fewer_or_more(
    preset: str, least: int, most: int, rule: str
) -> None:
    for players in range(1, len(NAMES) + 1):
        outcome = begun(preset, players)
        may = isinstance(outcome, GameState)
        assert may == (least <= players <= most), rule
        assert may or getattr(outcome, "code", "") == "wrong_players"


@pytest.mark.parametrize(("preset", "dealt", "rule"), DEALT)
def test_so_many_are_dealt_and_so_many_are_left(
    preset: str, dealt: dict[int, tuple[int, int]], rule: str
) -> None:
    for players, (each, left) in dealt.items():
        state = begun(preset, players)
        assert isinstance(state, GameState)
        state = then(state, StarterNamed("Ada"), Dealt())
        assert {seat.held for seat in state.seats} == {each}, rule
        assert state.pool == left, rule


@pytest.mark.parametrize(("preset", "table", "rule"), LAST_PLAYS)
def test_who_plays_all_tiles_ends_the_round(preset: str, table: str, rule: str) -> None:
    layout = parse_layout(table)
    state = after(
        GameBegun(preset, NAMES[:2], {}),
        StarterNamed("Ada"),
        Dealt((("Ada", layout.tiles),)),
        Played("Ada", layout),
    )
    assert (state.phase, state.out, state.to_move) == (Phase.ROUND_OVER, 0, None), rule


def test_who_plays_all_tiles_of_a_board_ends_the_game() -> None:
    """R2-32, R2-33: whose claims are closest to 200 has won, and nobody has any."""
    board = parse_grid("K1 K2 K3 K4 K5 K6 / B1 . B3 . B5 . / R1 . R3 . R5 . / O1 . O3 . . .")
    state = after(
        GameBegun("rummi200kub", NAMES[:2], {}),
        StarterNamed("Ada"),
        Dealt((("Ada", board.tiles),)),
        Played("Ada", board),
    )
    assert (state.phase, state.out, state.round) == (Phase.GAME_OVER, 0, 1)
    assert state.winners == ("Ada", "Ben")


@pytest.mark.parametrize("preset", ["rummi200kub", "pressman", "sabra"])
def test_tiles_drawn_for_the_start_go_back(preset: str) -> None:
    """R2-04, PR-05, AMB-05: whoever is dealt to may hold any tile, the other player's too."""
    drawn = (("Ada", parse_tile("K2")), ("Ben", parse_tile("K9")))
    hand = parse_tiles("K2 K2 K9 K9 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10")
    state = after(GameBegun(preset, NAMES[:2], {}), DrawnForStart(drawn), Dealt((("Ada", hand),)))
    assert state.seats[0].rack == tuple(sorted(hand))
    assert state.pool == 106 - 2 * 14


def test_there_are_tokens_for_every_set_unless_the_table_has_counted_them() -> None:
    """R2-08, AMB-37: a token for each tile of the set."""
    row = "K7 K8 K9 K10"
    for tokens, may in ((0, True), (4, True), (3, False)):
        house: House = {"claims.tokens": tokens, "claims.requires_opening": "no"}
        state = after(
            GameBegun("rummi200kub", NAMES[:2], house),
            StarterNamed("Ada"),
            Dealt(),
            Played("Ada", parse_grid(row)),
        )
        outcome = apply(state, Claimed("Ben", parse_meld(row)))
        assert isinstance(outcome, GameState) == may
        assert may or getattr(outcome, "code", "") == "no_tokens"
    assert load_ruleset("rummi200kub").value_of("claims.tokens") == 0
