"""Rounds and games to their end: what is shown and scored, who begins anew, and who has won."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from engine.game.events import (
    Corrected,
    Dealt,
    DrawnForStart,
    Drew,
    GameBegun,
    GameEvent,
    HandsShown,
    HouseRuleChosen,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    StarterNamed,
)
from engine.game.fold import Game, apply
from engine.game.state import GameState, Phase, Refusal
from engine.layout import parse_layout
from engine.melds import parse_tiles
from engine.ruleset import list_presets
from engine.tiles import Tile, parse_tile
from tests.engine.game.tile_games import House, refused, then

FOUR = ("Ada", "Ben", "Cleo", "Dan")


def begun(preset: str, players: tuple[str, ...] = FOUR, house: House | None = None) -> GameState:
    outcome = apply(None, GameBegun(preset, players, house or {}))
    assert isinstance(outcome, GameState), outcome
    return outcome


def to_first_turn(state: GameState, starter: str = "Ada") -> GameState:
    """The game when the first turn of the round begins, nobody's tiles known."""
    if state.phase is Phase.START:
        state = then(state, StarterNamed(starter))
    return then(state, Dealt())


def tiles_worth(points: int, left: Counter[str]) -> tuple[Tile, ...]:
    """Few tiles of that many points together, taken from those that are left."""
    found: list[Tile] = []
    while points:
        names = (f"{suit}{rank}" for rank in range(min(13, points), 0, -1) for suit in "KBRO")
        tile = next(name for name in names if left[name])
        left[tile] -= 1
        found.append(parse_tile(tile))
        points -= found[-1].rank or 0
    return tuple(sorted(found))


def ended(state: GameState, counts: tuple[int, ...], starter: str = "Ada") -> GameState:
    """The round when it is over and players hold so many points in tiles, 0 who is out.

    Where nobody has 0 nobody could play any more. The tiles are not known before they are shown.
    """
    state = to_first_turn(state, starter)
    left = Counter({f"{suit}{rank}": 2 for suit in "KBRO" for rank in range(1, 14)})
    hands = [tiles_worth(points, left) for points in counts]
    seats = tuple(
        replace(seat, held=len(hand), rack=None)
        for seat, hand in zip(state.seats, hands, strict=True)
    )
    out = counts.index(0) if 0 in counts else None
    over = replace(state, phase=Phase.ROUND_OVER, to_move=None, out=out, seats=seats, pool=0)
    names = [seat.name for seat in seats]
    return then(over, HandsShown(tuple(zip(names, hands, strict=True))))


def scores(state: GameState) -> list[Fraction | int]:
    assert state.scores is not None
    return [state.scores.totals[seat.name] for seat in state.seats]


# Showing hands

OUT_AT_ONCE = "K1 K2 K3 K4 K5 K6 K7 B1 B2 B3 B4 B5 B6 B7"
ALL_DOWN = parse_layout("K1 K2 K3 K4 K5 K6 K7 | B1 B2 B3 B4 B5 B6 B7")
REST = "R1 R2 R3 R4 R5 R6 R7 O1 O2 O3 O4 O5 O6 J"


def over(preset: str = "pressman", house: House | None = None) -> GameState:
    """Ada went out in the first turn; Ben's rack is known, Cleo's is not."""
    state = then(begun(preset, FOUR[:3], house), StarterNamed("Ada"))
    hands = (("Ada", parse_tiles(OUT_AT_ONCE)), ("Ben", parse_tiles(REST)))
    return then(state, Dealt(hands), Played("Ada", ALL_DOWN))


CLEO = parse_tiles("K8 K9 K10 K11 K12 K13 O7 B8 B9 B10 B11 B12 B13 R13")


def test_a_round_is_scored_when_all_hands_are_known() -> None:
    """PR-23, PR-24: losers lose their tiles, a joker 30, and the winner gets the sum."""
    state = then(over(), HandsShown((("Cleo", CLEO),)))
    ben = 28 + 21 + 30
    cleo = sum(tile.rank or 0 for tile in CLEO)
    assert scores(state) == [ben + cleo, -ben, -cleo]
    (hands,) = state.ended
    assert (hands.out, hands.pool_exhausted) == ("Ada", False)
    assert list(hands.held) == ["Ada", "Ben", "Cleo"]


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (HandsShown(), "hand_missing"),
        (HandsShown((("Cleo", CLEO[:-1]),)), "wrong_count"),
        (HandsShown((("Cleo", CLEO), ("Ben", CLEO))), "hand_differs"),
        (HandsShown((("Cleo", CLEO), ("Ada", CLEO[:1]))), "wrong_count"),
        (HandsShown((("Cleo", CLEO), ("Dan", ()))), "unknown_player"),
        (HandsShown((("Cleo", CLEO), ("Cleo", CLEO))), "named_twice"),
        (HandsShown((("Cleo", (*CLEO[:-1], parse_tile("KS"))),)), "wrong_deck"),
        (HandsShown((("Cleo", parse_tiles("K1 K1") + CLEO[2:]),)), "too_many_copies"),
    ],
)
def test_hands_that_cannot_have_been_are_refused(event: HandsShown, code: str) -> None:
    assert refused(over(), event) == code


def test_hands_are_shown_only_when_the_round_is_over() -> None:
    assert refused(to_first_turn(begun("pressman")), HandsShown()) == "wrong_phase"


def test_a_known_hand_may_be_shown_and_confirmed() -> None:
    shown = HandsShown((("Cleo", CLEO), ("Ben", parse_tiles(REST)), ("Ada", ())))
    assert then(over(), shown) == then(over(), HandsShown((("Cleo", CLEO),)))


# Hands that the game had counted otherwise


def test_a_hand_counted_otherwise_is_scored_as_it_is_shown() -> None:
    """People are right about their own rack: what is not in it does not count, and was not drawn."""
    shown = HandsShown((("Cleo", CLEO[1:]),), counted=(("Cleo", 14),))
    state = then(over(), shown)
    right = then(over(), HandsShown((("Cleo", CLEO),)))
    lost = CLEO[0].rank or 0
    ada, ben, cleo = scores(right)
    assert scores(state) == [ada - lost, ben, cleo + lost]
    assert state.ended[0].held["Cleo"] == tuple(sorted(CLEO[1:]))


@pytest.mark.parametrize(
    ("hand", "pool"),
    [(CLEO, 64), (CLEO[1:], 65), (CLEO[:3], 75), ((*CLEO, parse_tile("J")), 63)],
)
def test_what_a_hand_holds_otherwise_is_in_the_pool_or_comes_from_it(
    hand: tuple[Tile, ...], pool: int
) -> None:
    """G-01: table, racks and pool together are all tiles, whatever was counted."""
    last = over(house={"score.target": 1})
    state = then(last, HandsShown((("Cleo", hand),), counted=(("Cleo", 14),)))
    assert state.phase is Phase.GAME_OVER
    assert state.pool == pool
    assert state.seats[2].held == len(hand)
    held = sum(seat.held for seat in state.seats)
    assert len(state.table.tiles) + held + state.pool == 106


def test_a_hand_that_the_game_knew_may_be_counted_otherwise() -> None:
    hands = (("Cleo", CLEO), ("Ben", parse_tiles(REST)[:-1]))
    state = then(over(), HandsShown(hands, counted=(("Ben", 14),)))
    assert len(state.ended[0].held["Ben"]) == 13


@pytest.mark.parametrize(("held", "code"), [(17, None), (14, "later_event_refused")])
def test_a_correction_may_bring_the_count_to_the_hand_and_no_further_away(
    held: int, code: str | None
) -> None:
    """What looked like a draw was a play that failed, and brought three tiles (PR-16)."""
    rest = parse_tiles("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 O1 O2 O3 O4")
    game = Game.of(
        [
            GameBegun("pressman", FOUR[:2]),
            StarterNamed("Ben"),
            Dealt((("Ada", parse_tiles(OUT_AT_ONCE)),)),
            Drew("Ben"),
            Played("Ada", ALL_DOWN),
            HandsShown((("Ben", rest[:held]),), counted=(("Ben", 15),)),
        ]
    )
    assert isinstance(game, Game)
    told = game.after(Corrected(4, Misplayed("Ben")))
    if code is None:
        assert isinstance(told, Game)
        assert told.state == game.state
    else:
        assert isinstance(told, Refusal)
        assert (told.code, told.event) == (code, 6)


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (HandsShown((("Cleo", CLEO[1:]),), (("Cleo", 15),)), "wrong_count"),
        (HandsShown((("Cleo", CLEO[1:]),), (("Ben", 14),)), "hand_missing"),
        (HandsShown((("Cleo", CLEO[1:]),), (("Dan", 14),)), "unknown_player"),
        (HandsShown((("Cleo", CLEO[1:]),), (("Cleo", 14), ("Cleo", 14))), "named_twice"),
        (HandsShown((("Cleo", CLEO), ("Ada", CLEO[:1])), (("Ada", 0),)), "cannot_be_scored"),
        (HandsShown((("Cleo", ()),), (("Cleo", 14),)), "cannot_be_scored"),
        (HandsShown((("Cleo", CLEO), ("Ben", CLEO)), (("Ben", 14),)), "hand_differs"),
    ],
)
def test_what_nobody_can_have_counted_is_refused(event: HandsShown, code: str) -> None:
    """Another number than the game had; a hand that is not shown; two players who hold nothing; tiles
    that are as many and others."""
    assert refused(over(), event) == code


def test_hands_do_not_hold_more_than_there_was_to_draw() -> None:
    """A tile too many of one player and one too few of another can be: a draw was noted amiss."""
    state = replace(over(), pool=0)
    more = ("Cleo", (*CLEO, parse_tile("J")))
    event = HandsShown((more,), counted=(("Cleo", 14),))
    assert refused(state, event) == "wrong_count"
    fewer = ("Ben", parse_tiles(REST)[:-1])
    event = HandsShown((more, fewer), counted=(("Cleo", 14), ("Ben", 14)))
    assert len(then(state, event).ended[0].held["Cleo"]) == 15


# The next round


def test_everything_goes_back_before_the_next_round() -> None:
    state = then(over(), HandsShown((("Cleo", CLEO),)))
    assert (state.round, state.turn, state.pool, state.table.tiles) == (2, 0, 106, ())
    assert [(seat.held, seat.rack, seat.opened) for seat in state.seats] == [(0, (), False)] * 3
    assert (state.out, state.to_move, state.passes) == (None, None, 0)


def test_pressman_draws_anew_for_every_round() -> None:
    """PR-26."""
    state = then(over(), HandsShown((("Cleo", CLEO),)))
    assert (state.phase, state.starter) == (Phase.START, None)
    ties = DrawnForStart(
        (("Ada", parse_tile("K2")), ("Ben", parse_tile("K9")), ("Cleo", parse_tile("K1")))
    )
    assert then(state, ties).starter == 1


def test_every_player_of_reset_goes_first_in_turn() -> None:
    """RS-06, RS-07, RS-25: the start goes on to the left, a round for each player."""
    state = begun("reset")
    for number, starter in enumerate([2, 3, 0, 1], start=1):
        state = ended(state, (0, 1, 2, 3), "Cleo")
        assert len(state.ended) == number
        if number < 4:
            assert state.starter == (starter + 1) % 4
            assert state.phase is Phase.DEAL
            assert refused(state, StarterNamed("Ada")) == "wrong_phase"
    assert state.phase is Phase.GAME_OVER
    assert state.winners == ("Ada",)


# Games


def test_pressman_ends_with_the_round_in_which_a_total_reaches_the_target() -> None:
    """AMB-31: TV-01, TV-02 and TV-04, whose totals are TV-05."""
    state = begun("pressman", house={"score.target": 39})
    state = ended(state, (0, 5, 16, 3))
    assert scores(state) == [24, -5, -16, -3]
    state = ended(state, (6, 11, 0, 5))
    assert scores(state) == [18, -16, 6, -8]
    assert (state.phase, state.winners, state.round) == (Phase.START, (), 3)
    state = ended(state, (32, 13, 2, 0))
    assert scores(state) == [-14, -29, 4, 39]
    assert (state.phase, state.winners) == (Phase.GAME_OVER, ("Dan",))
    assert refused(state, StarterNamed("Ada")) == "wrong_phase"


def test_without_a_target_pressman_goes_on_until_the_table_agrees_on_one() -> None:
    state = begun("pressman")
    for _ in range(3):
        state = ended(state, (0, 13, 12, 11))
    assert (state.phase, scores(state)[0]) == (Phase.START, 108)
    assert refused(state, HouseRuleChosen("score.target", 72)) == "too_late"
    assert then(state, HouseRuleChosen("score.target", 109)).phase is Phase.START
    now = then(state, HouseRuleChosen("score.target", 108))
    assert (now.phase, now.winners) == (Phase.GAME_OVER, ("Ada",))
    begun_again = to_first_turn(state)
    assert refused(begun_again, HouseRuleChosen("score.target", 108)) == "too_late"


@pytest.mark.parametrize(("preset", "rounds"), [("reset", 4), ("reset-freeze", 4), ("sabra", 2)])
def test_two_players_play_the_number_of_rounds_of_the_game(preset: str, rounds: int) -> None:
    """RS-25 for two; AMB-32: one for each player of the Sabra way until they agree."""
    state = begun(preset, FOUR[:2])
    for number in range(1, rounds + 1):
        state = ended(state, (0, 1))
        assert (state.phase is Phase.GAME_OVER) == (number == rounds)


def test_the_sabra_way_has_the_rounds_that_were_agreed() -> None:
    state = begun("sabra", FOUR[:2], {"score.rounds": 3})
    state = ended(ended(state, (0, 9)), (0, 1))
    assert state.phase is Phase.START
    assert refused(state, HouseRuleChosen("score.rounds", 1)) == "too_late"
    assert then(state, HouseRuleChosen("score.rounds", 2)).phase is Phase.GAME_OVER
    assert refused(to_first_turn(state), HouseRuleChosen("score.rounds", 2)) == "too_late"
    assert ended(state, (0, 1)).winners == ("Ada",)


def test_the_lowest_total_of_tiles_wins_reset() -> None:
    """RS-26, RS-27 and TV-06: Y has one tile, Z has seven."""
    state = begun("reset", FOUR[:3])
    state = then(ended(state, (0, 1, 48)), HouseRuleChosen("score.tie", "shared"))
    assert scores(state) == [0, 1, 4]  # 48 points in four tiles


# Nobody goes out


def test_the_lowest_count_wins_a_round_that_nobody_could_end() -> None:
    """PR-14, PR-25, TV-27."""
    state = to_first_turn(begun("pressman"))
    state = replace(state, pool=0)
    state = then(state, *(Passed(name) for name in FOUR))
    assert state.phase is Phase.TURN
    assert then(state, PlayStopped()).phase is Phase.ROUND_OVER
    state = ended(begun("pressman"), (12, 30, 45, 20))
    assert scores(state) == [59, -18, -33, -8]
    (hands,) = state.ended
    assert (hands.out, hands.pool_exhausted) == (None, True)


@pytest.mark.parametrize(
    ("house", "expected"),
    [
        ({}, [15, 15, -20, -10]),
        ({"pool_out.tie": "first_in_turn"}, [30, 0, -20, -10]),
        ({"pool_out.tie": "void"}, [0, 0, 0, 0]),
        ({"pool_out.score": "as_held"}, [-10, -10, -30, -20]),
        ({"pool_out.score": "count_tiles"}, [-1, -1, -3, -2]),
    ],
)
def test_equal_lowest_counts_are_settled_as_the_table_plays(
    house: House, expected: list[int]
) -> None:
    """AMB-30."""
    assert scores(ended(begun("pressman", house=house), (10, 10, 30, 20))) == expected


def test_the_first_in_turn_is_who_began_the_round_or_came_after() -> None:
    state = begun("pressman", house={"pool_out.tie": "first_in_turn"})
    assert scores(ended(state, (10, 10, 30, 20), "Ben")) == [0, 30, -20, -10]
    state = begun("sabra", house={"pool_out.tie": "first_in_turn"})
    assert scores(ended(state, (10, 10, 30, 20), "Cleo")) == [0, 30, -20, -10]
    assert scores(ended(state, (10, 10, 30, 20), "Ada")) == [30, 0, -20, -10]
    later = ended(ended(state, (0, 1, 1, 1), "Ada"), (10, 10, 30, 20), "Cleo")
    assert scores(later) == [3, 30 - 1, -20 - 1, -10 - 1]


# Ties


def test_equal_totals_share_the_win() -> None:
    """AMB-33."""
    state = begun("sabra", FOUR[:2])
    state = ended(ended(state, (0, 9)), (9, 0))
    assert (state.phase, state.winners) == (Phase.GAME_OVER, ("Ada", "Ben"))


@pytest.mark.parametrize(
    ("preset", "house", "rounds"),
    [
        ("sabra", {}, [(0, 9, 20, 20), (9, 0, 20, 20), (9, 9, 0, 20), (9, 9, 20, 0)]),
        ("pressman", {"score.target": 15}, [(10, 10, 30, 20)]),
        ("reset", {}, [(0, 9, 20, 20), (9, 0, 20, 20), (0, 1, 2, 3), (1, 0, 2, 3)]),
    ],
)
def test_an_extra_round_decides_between_those_who_are_equal(
    preset: str, house: House, rounds: list[tuple[int, ...]]
) -> None:
    """AMB-33: however well others do in it, and again while it leaves several equal."""
    state = begun(preset, house={**house, "score.tie": "extra_round"})
    for counts in rounds:
        state = ended(state, counts)
    tied, before = state.deciding, state.scores
    assert len(tied) > 1
    assert state.phase in (Phase.START, Phase.DEAL)
    if preset == "sabra":
        assert tied == ("Ada", "Ben")
        state = ended(state, (5, 5, 0, 20))
        assert state.deciding == tied
        state = ended(state, (7, 5, 0, 20))
    else:
        assert tied == ("Ada", "Ben")
        state = ended(state, (7, 5, 40, 0) if preset == "pressman" else (30, 5, 40, 0))
    assert (state.phase, state.winners, state.deciding) == (Phase.GAME_OVER, ("Ben",), ())
    assert state.scores == before


# The tournament


TV_28 = [(0, 5, 16, 3), (6, 11, 0, 5), (32, 13, 2, 0), (10, 25, 0, 6)]
"""Four games of a round, with the points that were lost in them."""


def test_a_tournament_round_is_four_games() -> None:
    """PT-04 and TV-28: totals -24, -54, 45, 33 after four games."""
    state = begun("pressman-tournament")
    for number, counts in enumerate(TV_28, start=1):
        assert (state.round, state.game) == (1, number)
        state = ended(state, counts)
    assert scores(state) == [-24, -54, 45, 33]
    assert (state.round, state.game, state.phase) == (2, 1, Phase.START)
    assert state.scores is not None
    assert state.scores.rounds[0].winners == ("Cleo",)


def test_the_tournament_goes_to_most_rounds_won() -> None:
    """PT-04, AMB-36: Cleo wins the first and the third, Ada the second with more points."""
    state = begun("pressman-tournament")
    for counts in (*TV_28, *[(0, 30, 40, 50)] * 4, *TV_28):
        assert state.phase is Phase.START
        state = ended(state, counts)
    assert len(state.ended) == 12
    assert (state.phase, state.winners) == (Phase.GAME_OVER, ("Cleo",))


def test_by_house_rule_the_tournament_goes_to_most_games_won() -> None:
    by_rounds = [(0, 5, 5, 5), (0, 5, 5, 5), (5, 0, 5, 5), (5, 5, 0, 5)]  # Ada's round, 2 games
    others = [(5, 0, 5, 5)] * 4  # Ben's round, 4 games
    for overall, winner in (("rounds", "Ada"), ("games", "Ben")):
        state = begun("pressman-tournament", house={"tournament.overall": overall})
        for counts in (*by_rounds, *others, *by_rounds):
            state = ended(state, counts)
        assert state.winners == (winner,)


def test_a_tied_tournament_is_decided_by_a_round_of_four_games() -> None:
    state = begun("pressman-tournament", FOUR[:3], {"score.tie": "extra_round"})
    a, b, c = [(0, 5, 5)] * 4, [(5, 0, 5)] * 4, [(5, 5, 0)] * 4
    for counts in (*a, *b, *c):
        state = ended(state, counts)
    assert (state.deciding, state.round, state.game) == (("Ada", "Ben", "Cleo"), 4, 1)
    for counts in ((0, 5, 5), (5, 0, 5), (5, 5, 0)):
        state = ended(state, counts)
        assert state.phase is Phase.START
    assert state.game == 4
    assert ended(state, (5, 0, 5)).winners == ("Ben",)


# Whole games, event by event


def test_a_whole_game_of_reset_for_two_by_its_events() -> None:
    """Four rounds, each won in the first turn by whoever begins; nobody has fewer tiles in the end."""
    hand = parse_tiles(OUT_AT_ONCE + " B8")
    down = parse_layout("K1 K2 K3 K4 K5 K6 K7 | B1 B2 B3 B4 B5 B6 B7 B8")
    other = parse_tiles("R1 R2 R3 R4 R5 R6 R7 O1 O2 O3 O4 O5 O6 O7 J")
    events: list[GameEvent] = [GameBegun("reset", FOUR[:2]), StarterNamed("Ben")]
    for number in range(4):
        first = ("Ben", "Ada")[number % 2]
        events += [
            Dealt(((first, hand),)),
            Played(first, down),
            HandsShown(((("Ada", "Ben")[number % 2], other),)),
        ]
    game = Game.of(events)
    assert isinstance(game, Game), game
    assert game.state.phase is Phase.GAME_OVER
    assert scores(game.state) == [30, 30]
    assert game.state.winners == ("Ben", "Ada")


def test_a_round_that_ends_with_the_pool_by_its_events() -> None:
    """Two players draw all 78 tiles, nobody plays, and play stops (PR-14)."""
    events: list[GameEvent] = [GameBegun("pressman", FOUR[:2]), StarterNamed("Ada"), Dealt()]
    events += [Drew(FOUR[turn % 2]) for turn in range(78)]
    events += [Passed("Ada"), PlayStopped()]
    game = Game.of(events)
    assert isinstance(game, Game), game
    assert [seat.held for seat in game.state.seats] == [53, 53]
    deck = [f"{suit}{rank}" for suit in "KBRO" for rank in range(1, 14)] + ["J"]
    half = parse_tiles(" ".join(deck))
    shown = game.after(HandsShown((("Ada", half), ("Ben", half))))
    assert isinstance(shown, Game)
    assert scores(shown.state) == [0, 0]


@pytest.mark.parametrize("preset", [name for name in list_presets() if name != "sets-and-runs"])
def test_house_rules_are_chosen_until_the_game_is_over(preset: str) -> None:
    state = to_first_turn(begun(preset))
    assert then(state, HouseRuleChosen("score.tie", "extra_round")).rules.score.tie == "extra_round"
    over_now = replace(state, phase=Phase.GAME_OVER)
    assert refused(over_now, HouseRuleChosen("score.tie", "shared")) == "wrong_phase"
    assert refused(state, HouseRuleChosen("score.tie", "maybe")) == "unknown_house_rule"


def test_a_house_rule_that_what_lies_there_forbids_comes_too_late() -> None:
    state = to_first_turn(begun("rummi200kub", FOUR[:2]))
    assert then(state, HouseRuleChosen("table.form", "sets")).table.tiles == ()
    state = then(state, HouseRuleChosen("table.form", "sets"))
    state = then(state, Played("Ada", parse_layout("K10 B10 R10")))
    assert refused(state, HouseRuleChosen("table.form", "grid")) == "too_late"
    reset = then(to_first_turn(begun("reset")), Played("Ada", parse_layout("K1 K2 K3")))
    assert refused(reset, HouseRuleChosen("equipment.pieces", "cards")) == "wrong_deck"


def test_where_no_call_is_needed_any_more_an_empty_rack_ends_the_round() -> None:
    state = then(over_called := over(house={"finish.call_required": "yes"}))
    assert over_called.phase is Phase.TURN
    state = then(state, HouseRuleChosen("finish.call_required", "no"))
    assert (state.phase, state.out) == (Phase.ROUND_OVER, 0)
