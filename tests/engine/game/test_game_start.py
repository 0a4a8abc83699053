"""How games begin: who may play, who begins, and what is dealt, in every game of tiles."""

from __future__ import annotations

import pytest

from engine.game.events import (
    Dealt,
    DrawnForStart,
    Drew,
    GameBegun,
    GameEvent,
    HouseRuleChosen,
    Played,
    StarterNamed,
)
from engine.game.fold import Game
from engine.game.state import Phase, Refusal
from engine.layout import GridLayout, Layout
from engine.melds import parse_tiles
from engine.ruleset import list_presets
from engine.tiles import parse_tile
from tests.engine.game.tile_games import after

FOUR = ("Ada", "Ben", "Cleo", "Dan")
NAMES = (*FOUR, "Eve", "Finn", "Gus", "Hal")
TILE_GAMES = [name for name in list_presets() if name != "sets-and-runs"]


def refused(*events: GameEvent) -> str:
    """The code with which the last of these events is refused."""
    assert len(events) == 1 or isinstance(Game.of(events[:-1]), Game)
    answer = Game.of(events)
    assert isinstance(answer, Refusal)
    assert answer.event == len(events)
    return answer.code


def drawn(text: str) -> DrawnForStart:
    """A draw such as `Ada K9 Ben J`."""
    words = text.split()
    return DrawnForStart(
        tuple((name, parse_tile(tile)) for name, tile in zip(words[::2], words[1::2], strict=True))
    )


def begun(preset: str, players: tuple[str, ...] = FOUR[:3], **house: str | int) -> GameBegun:
    return GameBegun(preset, players, {key.replace("__", "."): v for key, v in house.items()})


@pytest.mark.parametrize("preset", TILE_GAMES)
def test_a_game_begins_with_all_tiles_in_the_pool_and_waits_for_who_starts(preset: str) -> None:
    state = after(begun(preset))
    assert (state.phase, state.pool, state.round, state.turn) == (Phase.START, 106, 1, 0)
    assert [(seat.name, seat.held, seat.rack) for seat in state.seats] == [
        (name, 0, ()) for name in FOUR[:3]
    ]
    assert state.table == (GridLayout() if preset == "rummi200kub" else Layout())


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (GameBegun("chess", FOUR), "unknown_preset"),
        (GameBegun("pressman", ("Ada",)), "wrong_players"),
        (GameBegun("pressman", ("Ada", "Ada")), "wrong_players"),
        (GameBegun("pressman", ("Ada", " ")), "wrong_players"),
        (GameBegun("pressman", NAMES[:5]), "wrong_players"),
        (GameBegun("sabra", NAMES[:5]), "wrong_players"),
        (GameBegun("reset", NAMES[:7]), "wrong_players"),
        (GameBegun("pressman", FOUR, {"opening.points": 300}), "unknown_house_rule"),
        (GameBegun("pressman", FOUR, {"joker.colour": "red"}), "unknown_house_rule"),
        (GameBegun("pressman", FOUR, locks=4), "no_claims"),
        (GameBegun("rummi200kub", FOUR, locks=-1), "bad_number"),
    ],
)
def test_a_game_that_cannot_begin_so_is_refused(event: GameBegun, code: str) -> None:
    assert refused(event) == code


def test_tables_may_be_larger_by_house_rule() -> None:
    assert len(after(begun("pressman", NAMES[:6], players__most=6)).seats) == 6
    seven = (
        begun("reset", NAMES[:7], deal__beyond="share"),
        StarterNamed("Gus"),
        Dealt(),
    )
    assert [seat.held for seat in after(*seven).seats] == [8] * 7


# fmt: off
DRAWS = [
    # PR-03, SB-04: the highest begins; R2-02: the lowest
    ("pressman", {}, ["Ada K3 Ben K9 Cleo B12"], "Cleo"),
    ("sabra", {}, ["Ada K3 Ben K9 Cleo B12"], "Cleo"),
    ("rummi200kub", {}, ["Ada K3 Ben K9 Cleo B12"], "Ada"),
    # AMB-06: those who are tied draw again, or everybody
    ("pressman", {}, ["Ada K12 Ben K9 Cleo B12"], {"Ada", "Cleo"}),
    ("pressman", {}, ["Ada K12 Ben K9 Cleo B12", "Ada K1 Cleo K2"], "Cleo"),
    ("pressman", {"start.tie": "all_redraw"}, ["Ada K12 Ben K9 Cleo B12"], {"Ada", "Ben", "Cleo"}),
    ("pressman", {}, ["Ada K2 Ben K2 Cleo B1"], {"Ada", "Ben"}),
    # ... a joker is nothing, the highest or the lowest
    ("pressman", {}, ["Ada J Ben K9 Cleo B12"], {"Ada"}),
    ("pressman", {}, ["Ada J Ben K9 Cleo B12", "Ada R13"], "Ada"),
    ("pressman", {}, ["Ada J Ben K9 Cleo B12", "Ada R11"], "Cleo"),
    ("pressman", {}, ["Ada J Ben J Cleo B12", "Ada R12 Ben K1"], {"Ada", "Cleo"}),
    ("pressman", {"start.joker": "highest"}, ["Ada J Ben K9 Cleo B13"], "Ada"),
    ("pressman", {"start.joker": "highest"}, ["Ada J Ben J Cleo B13"], {"Ada", "Ben"}),
    ("pressman", {"start.joker": "lowest"}, ["Ada J Ben K9 Cleo B13"], "Cleo"),
    ("rummi200kub", {"start.joker": "lowest"}, ["Ada J Ben K9 Cleo B1"], "Ada"),
    ("rummi200kub", {"start.joker": "highest"}, ["Ada J Ben K9 Cleo B1"], "Cleo"),
]
# fmt: on


@pytest.mark.parametrize(("preset", "house", "draws", "result"), DRAWS)
def test_the_draw_for_the_start_finds_who_begins_or_who_draws_again(
    preset: str, house: dict[str, str | int], draws: list[str], result: str | set[str]
) -> None:
    state = after(GameBegun(preset, FOUR[:3], house), *map(drawn, draws))
    if isinstance(result, set):
        assert state.phase is Phase.START
        assert set(state.still_drawing) == result
    else:
        assert state.phase is Phase.DEAL
        assert state.starter is not None
        assert state.seats[state.starter].name == result
        assert (state.still_drawing, state.drawn) == ((), ())


@pytest.mark.parametrize(
    ("preset", "events", "code"),
    [
        ("pressman", [drawn("Ada K3 Ben K9")], "wrong_drawers"),
        ("pressman", [drawn("Ada K3 Ben K9 Cleo K4 Dan K1")], "wrong_drawers"),
        ("pressman", [drawn("Ada K9 Ben K9 Cleo K4"), drawn("Cleo K1 Ada K2")], "wrong_drawers"),
        ("pressman", [drawn("Ada K9 Ben K9 Cleo K9")], "too_many_copies"),
        ("pressman", [drawn("Ada KS Ben K9 Cleo K1")], "wrong_deck"),
        ("reset", [drawn("Ada K3 Ben K9 Cleo K4")], "no_draw"),
        ("pressman", [drawn("Ada K9 Ben K9 Cleo K4"), StarterNamed("Cleo")], "not_drawing"),
        ("pressman", [StarterNamed("Dan")], "unknown_player"),
        ("pressman", [StarterNamed("Ada"), StarterNamed("Ben")], "wrong_phase"),
        ("pressman", [StarterNamed("Ada"), drawn("Ada K3 Ben K9 Cleo K4")], "wrong_phase"),
        ("pressman", [Dealt()], "wrong_phase"),
        ("pressman", [Drew("Ada")], "wrong_phase"),
        ("pressman", [StarterNamed("Ada"), Played("Ada", Layout())], "wrong_phase"),
    ],
)
def test_what_is_no_draw_for_the_start_is_refused(
    preset: str, events: list[GameEvent], code: str
) -> None:
    assert refused(begun(preset), *events) == code


def test_a_draw_that_nobody_saw_to_its_end_is_told_by_who_begins() -> None:
    """Of those who are equal one begins; where nobody entered a draw, anybody may."""
    tied = (begun("pressman"), drawn("Ada K12 Ben K9 Cleo B12"))
    assert after(*tied, StarterNamed("Cleo")).starter == 2
    assert after(begun("pressman"), StarterNamed("Ben")).starter == 1


# RS-04 and TV-29: with the tiles left in the pool; the other games deal 14 (PR-05, SB-06, R2-05).
DEALS = [
    *(
        ("reset", players, each, 106 - players * each)
        for players, each in [(2, 15), (3, 15), (4, 13), (5, 10), (6, 10)]
    ),
    *(
        (preset, players, 14, 106 - players * 14)
        for preset in ("pressman", "pressman-tournament", "sabra", "rummi200kub")
        for players in (2, 3, 4)
    ),
]


def test_reset_leaves_the_published_number_of_tiles_in_the_pool() -> None:
    assert [pool for name, _, _, pool in DEALS if name == "reset"] == [76, 61, 54, 56, 46]


@pytest.mark.parametrize(("preset", "players", "each", "pool"), DEALS)
def test_the_deal_goes_by_the_number_of_players(
    preset: str, players: int, each: int, pool: int
) -> None:
    state = after(begun(preset, NAMES[:players]), StarterNamed("Ben"), Dealt())
    assert [(seat.held, seat.rack) for seat in state.seats] == [(each, None)] * players
    assert (state.pool, state.phase, state.turn, state.to_move) == (pool, Phase.TURN, 1, 1)


HAND = parse_tiles("K1 K2 K3 K4 K5 K6 K7 B1 B2 B3 B4 B5 B6 B7")


def test_a_hand_that_was_seen_is_known_in_sorted_order() -> None:
    shuffled = HAND[::-1]
    seats = after(begun("pressman"), StarterNamed("Ada"), Dealt((("Ben", shuffled),))).seats
    assert [seat.rack for seat in seats] == [None, tuple(sorted(HAND)), None]


@pytest.mark.parametrize(
    ("deal", "code"),
    [
        (Dealt((("Ada", HAND[:13]),)), "wrong_count"),
        (Dealt((("Dan", HAND),)), "unknown_player"),
        (Dealt((("Ada", HAND), ("Ada", HAND))), "named_twice"),
        (Dealt((("Ada", HAND), ("Ben", HAND), ("Cleo", HAND))), "too_many_copies"),
        (Dealt((("Ada", (*HAND[:13], parse_tile("KS"))),)), "wrong_deck"),
        (Dealt(upcard=parse_tile("K1")), "no_upcard"),
    ],
)
def test_a_deal_that_cannot_have_been_is_refused(deal: Dealt, code: str) -> None:
    assert refused(begun("pressman"), StarterNamed("Ada"), deal) == code


def test_tiles_drawn_for_the_start_that_stay_are_the_first_of_the_hands() -> None:
    """AMB-05: where they are not returned, a hand that was seen holds the tile drawn by its player."""
    game = (begun("sabra", start__returned="no"), drawn("Ada K7 Ben O9 Cleo K1"))
    assert after(*game).kept == (
        ("Ada", parse_tile("K7")), ("Ben", parse_tile("O9")), ("Cleo", parse_tile("K1")),
    )  # fmt: skip
    assert after(*game, Dealt((("Ada", HAND),))).kept == ()
    assert refused(*game, Dealt((("Ben", HAND),))) == "start_tile_missing"
    assert after(begun("sabra"), game[1], Dealt((("Ben", HAND),))).seats[1].rack is not None


@pytest.mark.parametrize(
    ("preset", "order"),
    [
        ("pressman", ["Ben", "Cleo", "Dan", "Ada"]),  # PR-04: clockwise
        ("pressman-tournament", ["Ben", "Cleo", "Dan", "Ada"]),
        ("reset", ["Ben", "Cleo", "Dan", "Ada"]),  # RS-07: to the left
        ("sabra", ["Ben", "Ada", "Dan", "Cleo"]),  # SB-05: counterclockwise
        ("rummi200kub", ["Ben", "Ada", "Dan", "Cleo"]),  # R2-03
    ],
)
def test_turns_go_round_the_table_the_way_of_the_game(preset: str, order: list[str]) -> None:
    events: list[GameEvent] = [begun(preset, FOUR), StarterNamed("Ben"), Dealt()]
    if preset == "reset":  # nobody draws before the first set (RS-09)
        events += [Played("Ben", Layout.of([parse_tiles("K1 K2 K3")]))]
    else:
        events += [Drew("Ben")]
    seen = ["Ben"]
    for _ in range(4):
        state = after(*events)
        assert state.to_move is not None
        seen.append(state.seats[state.to_move].name)
        events.append(Drew(seen[-1]))
    assert seen == [*order, "Ben"]


def test_house_rules_may_be_chosen_before_the_first_tile_lies() -> None:
    state = after(begun("rummi200kub"), HouseRuleChosen("table.form", "sets"))
    assert (state.table, state.rules.table.form) == (Layout(), "sets")
    assert (
        refused(begun("pressman"), HouseRuleChosen("joker.colour", "red")) == "unknown_house_rule"
    )
    assert refused(begun("pressman"), HouseRuleChosen("players.most", 2)) == "wrong_players"
