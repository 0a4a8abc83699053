"""Turns of the tile games: plays that the referee judges, draws, passes, and the end of a round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.faults import Verdict
from engine.game.events import (
    CalledOut,
    Claimed,
    Dealt,
    Drew,
    EverybodyDrew,
    GameBegun,
    GameEvent,
    HouseRuleChosen,
    Passed,
    Played,
    PlayStopped,
    StarterNamed,
)
from engine.game.fold import apply
from engine.game.state import GameState, Phase, Refusal
from engine.layout import Layout, parse_grid, parse_layout
from engine.melds import parse_meld, parse_tiles
from engine.tiles import parse_tile
from tests.engine.game.tile_games import after, refused, then

ADA = "K10 B10 R10 K1 K2 K3 B1 B2 B3 R1 R2 R3 O1 O2"
THREE = ("Ada", "Ben", "Cleo")
BEN = "O10 O11 O12 O13 J B5 B6 K7 R7 O7 B9 R9 K13 R13"


def dealt(
    preset: str,
    hands: dict[str, str] | None = None,
    players: tuple[str, ...] = ("Ada", "Ben"),
    house: dict[str, str | int] | None = None,
) -> GameState:
    """The game when Ada's first turn begins; hands that are not given are not known."""
    told = tuple((name, parse_tiles(text)) for name, text in (hands or {}).items())
    return after(GameBegun(preset, players, house or {}), StarterNamed("Ada"), Dealt(told))


def plays(player: str, text: str, rack: str | None = None, **more: float | str) -> Played:
    tiles = None if rack is None else parse_tiles(rack)
    return Played(player, parse_layout(text), tiles, **more)  # type: ignore[arg-type]


def held(state: GameState) -> list[int]:
    return [seat.held for seat in state.seats]


# Playing


def test_a_legal_play_opens_leaves_the_rack_and_ends_the_turn() -> None:
    state = then(dealt("pressman", {"Ada": ADA}), plays("Ada", "K10 B10 R10"))
    assert str(state.table) == "K10 B10 R10"
    assert (state.to_move, state.turn, state.pool) == (1, 2, 78)
    ada = state.seats[0]
    assert (ada.held, ada.opened) == (11, True)
    assert ada.rack == tuple(sorted(parse_tiles("K1 K2 K3 B1 B2 B3 R1 R2 R3 O1 O2")))


def test_a_rack_that_nobody_saw_is_counted() -> None:
    state = then(dealt("pressman"), plays("Ada", "K10 B10 R10"))
    assert (state.seats[0].held, state.seats[0].rack) == (11, None)


def test_a_rack_that_is_shown_with_a_play_is_known_from_then_on() -> None:
    rest = "K1 K2 K3 B1 B2 B3 R1 R2 R3 O1 O2"
    state = then(dealt("pressman"), plays("Ada", "K10 B10 R10", rest))
    assert state.seats[0].rack == tuple(sorted(parse_tiles(rest)))
    assert refused(dealt("pressman"), plays("Ada", "K10 B10 R10", rest + " O3")) == "wrong_count"


# fmt: off
NO_PLAYS = [
    # G-09
    ("pressman", plays("Ben", "K10 B10 R10"), "not_your_turn"),
    ("pressman", plays("Cleo", "K10 B10 R10"), "unknown_player"),
    # the referee: PR-08, PR-06, G-01, G-02, PR-15
    ("pressman", plays("Ada", "K1 K2 K3"), "illegal OPENING_SHORT"),
    ("pressman", plays("Ada", "K10 B10 R10 | K1 K2"), "illegal SET_TOO_SHORT"),
    ("pressman", plays("Ada", "R11 R12 R13"), "illegal TILE_CONSERVATION"),
    ("pressman", plays("Ada", "K10 B10 R10", elapsed_s=120.5), "illegal TIME_OVER"),
    ("pressman", plays("Ada", "K10 B10 R10", "K1 K2 K3 B1 B2 B3 R1 R2 R3 O1 O2 O5"),
     "illegal DRAW_THEN_PLAY"),
    # the table has to be asked first (AMB-10): a run of 27 as it lies, a group of 30
    ("pressman", plays("Ada", "J J B10"), "ask"),
    # what cannot be there, or is no turn
    ("pressman", plays("Ada", "K10 B10 R10 O10 K10 K10"), "too_many_copies"),
    ("pressman", plays("Ada", "10S 10H 10D"), "wrong_deck"),
    ("pressman", Played("Ada", parse_grid("K10 B10 R10")), "wrong_form"),
    ("pressman", plays("Ada", "K10 B10 R10", elapsed_s=-1), "bad_time"),
    ("pressman", plays("Ada", "K10 B10 R10", elapsed_s=float("nan")), "bad_time"),
    ("rummi200kub", plays("Ada", "K10 B10 R10"), "wrong_form"),
    ("reset", plays("Ada", "K10 B10"), "illegal SET_TOO_SHORT"),
]
# fmt: on


@pytest.mark.parametrize(("preset", "event", "answer"), NO_PLAYS)
def test_what_is_no_play_is_refused_with_the_ruling(
    preset: str, event: Played, answer: str
) -> None:
    hand = ADA.replace("O2", "J").replace("O1", "J") if answer == "ask" else ADA
    more = {"reset": " O5"}.get(preset, "")
    state = dealt(preset, {"Ada": hand + more})
    outcome = apply(state, event)
    assert isinstance(outcome, Refusal)
    code, _, fault = answer.partition(" ")
    assert outcome.code == code
    assert (outcome.ruling is not None) == (code in ("illegal", "ask"))
    if outcome.ruling is not None:
        assert outcome.ruling.verdict is (Verdict.ILLEGAL if fault else Verdict.ASK)
        assert not fault or fault in [finding.code for finding in outcome.ruling.findings]
        assert fault or outcome.ruling.questions[0].rule == "joker.ambiguous_value"


def test_once_the_table_has_answered_the_play_is_judged() -> None:
    """AMB-10: two jokers with a ten are a group of 30 or, as they lie, a run of 27."""
    state = dealt("pressman", {"Ada": ADA.replace("O2", "J").replace("O1", "J")})
    state = then(state, HouseRuleChosen("joker.max_per_set", 2))
    event = plays("Ada", "J J B10")
    assert refused(state, event) == "ask"
    chosen = then(state, HouseRuleChosen("joker.ambiguous_value", "max"))
    assert then(chosen, event).seats[0].opened
    chosen = then(state, HouseRuleChosen("joker.ambiguous_value", "position"))
    assert refused(chosen, event) == "illegal"


def test_more_tiles_than_a_hidden_rack_holds_cannot_be_played() -> None:
    run = "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13"
    assert refused(dealt("pressman"), plays("Ada", f"{run} | B1 B2 B3")) == "wrong_count"


def test_tiles_that_are_known_to_be_elsewhere_cannot_be_played() -> None:
    """G-04: two of a tile are on Ben's rack, so a third cannot come from a rack out of sight."""
    ben = BEN.replace("O13", "O10")
    state = dealt("pressman", {"Ben": ben})
    assert refused(state, plays("Ada", "K10 B10 O10")) == "too_many_copies"


def test_somebody_with_a_name_may_let_a_play_stand() -> None:
    state = dealt("pressman", {"Ada": ADA})
    state = then(state, plays("Ada", "K1 K2 K3", overruled_by="Ben"))
    assert str(state.table) == "K1 K2 K3"
    assert (state.seats[0].opened, state.seats[0].held, state.to_move) == (True, 11, 1)
    assert state.unsettled is not None
    assert state.unsettled.table == Layout()


def test_a_tile_taken_from_the_table_against_the_rules_is_on_the_rack() -> None:
    """Every tile stays somewhere, even where a table overrules the referee (G-03)."""
    state = then(dealt("pressman", {"Ada": ADA, "Ben": BEN}), plays("Ada", "K10 B10 R10"))
    state = then(state, plays("Ben", "K10 B10 O10", overruled_by="all"))
    assert held(state) == [11, 14]
    assert parse_tile("R10") in (state.seats[1].rack or ())


# Drawing and passing


def test_a_draw_ends_the_turn_and_is_known_when_it_was_seen() -> None:
    state = then(dealt("pressman", {"Ada": ADA, "Ben": BEN}), Drew("Ada", parse_tiles("O3")))
    assert (state.pool, held(state), state.to_move) == (77, [15, 14], 1)
    assert state.seats[0].rack == tuple(sorted(parse_tiles(ADA + " O3")))
    assert then(state, Drew("Ben")).seats[1].rack is None


def empty_pool(state: GameState) -> GameState:
    return replace(state, pool=0)


# fmt: off
NO_DRAWS: list[tuple[str, Callable[[GameState], GameState], GameEvent, str]] = [
    ("pressman", lambda s: s, Drew("Ben"), "not_your_turn"),
    ("pressman", lambda s: s, Drew("Ada", parse_tiles("K1 K2")), "wrong_count"),
    ("pressman", lambda s: s, Drew("Ada", ()), "wrong_count"),
    ("pressman", lambda s: s, Drew("Ada", parse_tiles("4S")), "wrong_deck"),
    ("pressman", lambda s: s, Drew("Ada", returned=parse_tile("K1")), "nothing_returned"),
    ("pressman", lambda s: s, Drew("Ada", elapsed_s=-2), "bad_time"),
    ("pressman", empty_pool, Drew("Ada"), "pool_empty"),
    ("pressman", lambda s: s, Passed("Ada"), "must_draw"),
    ("rummi200kub", lambda s: s, Passed("Ada"), "must_draw"),
    ("pressman", lambda s: s, EverybodyDrew(), "nobody_draws"),
    ("pressman", lambda s: s, PlayStopped(), "pool_not_empty"),
    ("pressman", lambda s: s, CalledOut("Ada"), "no_call_needed"),
    ("pressman", lambda s: s, Claimed("Ada", parse_meld("K1 K2 K3")), "no_claims"),
    ("reset", lambda s: s, Drew("Ada"), "nobody_draws"),
    ("reset", lambda s: s, EverybodyDrew(), "not_all_passed"),
    ("reset", empty_pool, Drew("Ada"), "pool_empty"),
]
# fmt: on


@pytest.mark.parametrize(("preset", "given", "event", "code"), NO_DRAWS)
def test_what_is_no_turn_without_a_play_is_refused(
    preset: str, given: Callable[[GameState], GameState], event: GameEvent, code: str
) -> None:
    assert refused(given(dealt(preset)), event) == code


def test_with_nothing_left_to_draw_a_turn_passes() -> None:
    state = then(empty_pool(dealt("pressman")), Passed("Ada"))
    assert (state.to_move, state.passes, state.pool) == (1, 1, 0)
    state = then(state, plays("Ben", "K10 B10 R10"))
    assert state.passes == 0


def test_who_must_play_may_not_draw_or_pass() -> None:
    """AMB-18, where the table has chosen so and the rack is known."""
    hand = {"Ada": ADA, "Ben": BEN}
    always = {"draw.must_play": "always"}
    state = dealt("pressman", hand, house={**always, "opening.points": 0})
    state = then(state, plays("Ada", "K10 B10 R10"), plays("Ben", "K10 B10 R10 | O10 O11 O12"))
    assert refused(state, Drew("Ada")) == "illegal"
    hidden = replace(state, seats=(replace(state.seats[0], rack=None), state.seats[1]))
    assert then(hidden, Drew("Ada")).pool == 77


@pytest.mark.parametrize("drawn", [None, "O5"])
def test_a_joker_is_not_held_back_where_a_table_enforces_it(drawn: str | None) -> None:
    """RS-16, AMB-07: whichever tile was drawn instead, seen or not."""
    hand = "J K1 K5 K9 K13 B2 B6 B10 R1 R5 R9 R13 O3 O7 O11"
    tiles = None if drawn is None else parse_tiles(drawn)
    for house, answer in (("enforce", "illegal"), ("advise", None)):
        state = dealt("reset", {"Ben": hand}, THREE, {"joker.no_hoarding": house})
        state = then(state, plays("Ada", "K2 K3 K4"))
        outcome = apply(state, Drew("Ben", tiles))
        assert (outcome.code if isinstance(outcome, Refusal) else None) == answer


def test_where_a_table_lets_a_player_draw_and_play_the_turn_goes_on_after_the_draw() -> None:
    """AMB-19. Then a turn ends with a play, or with a pass."""
    house: dict[str, str | int] = {"draw.then_play": "yes"}
    state = dealt("pressman", {"Ada": ADA.replace("R10", "R11")}, house=house)
    drawn = then(state, Drew("Ada", parse_tiles("R10")))
    assert (drawn.phase, drawn.to_move, drawn.pool) == (Phase.PLAY, 0, 77)
    assert refused(drawn, Drew("Ada")) == "wrong_phase"
    assert then(drawn, plays("Ada", "K10 B10 R10")).to_move == 1
    assert then(drawn, Passed("Ada")).to_move == 1


# ReSet: the lap before the first set, and two players


NO_SET = "K1 K3 K5 K7 K9 K11 K13 B2 B4 B6 B8 B10 B12 R1 R5"
WITH_SET = "K1 K2 K3 K7 K9 K11 K13 B2 B4 B6 B8 B10 B12 O1 O5"


def test_before_the_first_set_turns_pass_until_somebody_can_lay_one() -> None:
    """RS-08, RS-09: nobody draws on the own turn; after a whole lap everybody draws one."""
    hands = {"Ada": NO_SET, "Ben": NO_SET}
    state = then(dealt("reset", hands, THREE), Passed("Ada"), Passed("Ben"), Passed("Cleo"))
    assert (state.pool, state.to_move, state.passes) == (61, 0, 3)
    assert refused(state, Passed("Ada")) == "everybody_draws"
    drawn = EverybodyDrew((("Ada", parse_tiles("O9")), ("Ben", parse_tiles("K2"))))
    state = then(state, drawn)
    assert (state.pool, held(state), state.to_move, state.passes) == (58, [16] * 3, 0, 0)
    assert parse_tile("O9") in (state.seats[0].rack or ())
    state = then(state, Passed("Ada"))
    outcome = apply(state, Passed("Ben"))
    assert isinstance(outcome, Refusal)
    assert outcome.ruling is not None
    assert outcome.ruling.findings[0].code == "STARTER_OBLIGATORY"
    state = then(state, plays("Ben", "K1 K2 K3"), Drew("Cleo"))
    assert refused(state, Passed("Ada")) == "must_draw"
    assert then(state, Drew("Ada")).pool == 56


def test_everybody_draws_only_after_a_whole_lap() -> None:
    lap = then(dealt("reset", players=THREE), Passed("Ada"), Passed("Ben"))
    assert refused(lap, EverybodyDrew()) == "not_all_passed"
    lap = then(lap, Passed("Cleo"))
    assert refused(lap, EverybodyDrew((("Dan", ()),))) == "unknown_player"
    assert refused(lap, EverybodyDrew((("Ada", ()),))) == "wrong_count"
    assert refused(lap, EverybodyDrew((("Ada", ()), ("Ada", ())))) == "named_twice"
    assert refused(empty_pool(lap), EverybodyDrew()) == "pool_empty"
    two_left = then(replace(lap, pool=2), EverybodyDrew())
    assert (held(two_left), two_left.pool) == ([16, 16, 15], 0)


def test_who_can_lay_the_first_set_of_reset_must() -> None:
    state = dealt("reset", {"Ada": WITH_SET}, THREE)
    assert refused(state, Passed("Ada")) == "illegal"
    assert then(state, plays("Ada", "K1 K2 K3")).to_move == 1


def begun_for_two(house: dict[str, str | int] | None = None) -> GameState:
    hands = {"Ada": WITH_SET, "Ben": NO_SET}
    return then(dealt("reset", hands, house=house), plays("Ada", "K1 K2 K3"))


# fmt: off
TWO_PLAYER_DRAWS = [
    # RS-15: two are drawn and one is put back; AMB-20: how
    ({}, Drew("Ben", parse_tiles("O9 R7"), parse_tile("O9")), 16),
    ({}, Drew("Ben", parse_tiles("O9 R7"), parse_tile("K1")), "ask"),
    ({"draw.two_return": "secret"}, Drew("Ben", parse_tiles("O9 R7"), parse_tile("K1")), 16),
    ({}, Drew("Ben", parse_tiles("O9 R7")), 16),
    ({}, Drew("Ben"), 16),
    ({}, Drew("Ben", parse_tiles("O9")), "wrong_count"),
    ({}, Drew("Ben", parse_tiles("O9 R7"), parse_tile("R9")), "not_held"),
    ({"draw.two_return": "shown"}, Drew("Ben", parse_tiles("O9 R7")), "return_not_shown"),
    ({"draw.two_return": "shown"}, Drew("Ben", parse_tiles("O9 R7"), parse_tile("O9")), 16),
    ({"draw.two_return": "blind"}, Drew("Ben", parse_tiles("O9 R7"), parse_tile("K1")),
     "return_not_drawn"),
    ({"draw.two_return": "blind"}, Drew("Ben", parse_tiles("O9 R7"), parse_tile("R7")), 16),
]
# fmt: on


@pytest.mark.parametrize(("house", "event", "answer"), TWO_PLAYER_DRAWS)
def test_two_players_of_reset_draw_two_and_return_one(
    house: dict[str, str | int], event: Drew, answer: int | str
) -> None:
    state = begun_for_two(house)
    if isinstance(answer, str):
        assert refused(state, event) == answer
        return
    drawn = then(state, event)
    assert (drawn.seats[1].held, drawn.pool) == (answer, state.pool - 1)
    known = event.tiles is not None and event.returned is not None
    assert (drawn.seats[1].rack is not None) == known


def test_the_last_tile_of_the_bag_is_drawn_and_kept() -> None:
    state = replace(begun_for_two(), pool=1)
    drawn = then(state, Drew("Ben", parse_tiles("O9")))
    assert (drawn.seats[1].held, drawn.pool) == (16, 0)


def test_three_players_of_reset_draw_one() -> None:
    state = then(dealt("reset", players=THREE), plays("Ada", "K1 K2 K3"))
    assert refused(state, Drew("Ben", parse_tiles("O9 R7"))) == "wrong_count"
    assert then(state, Drew("Ben", parse_tiles("O9"))).pool == 60


# How a round ends

OUT_AT_ONCE = "K1 K2 K3 K4 K5 K6 K7 B1 B2 B3 B4 B5 B6 B7"
ALL_DOWN = "K1 K2 K3 K4 K5 K6 K7 | B1 B2 B3 B4 B5 B6 B7"


def test_an_empty_rack_ends_the_round() -> None:
    state = then(dealt("pressman", {"Ada": OUT_AT_ONCE}), plays("Ada", ALL_DOWN))
    assert (state.phase, state.out, state.to_move) == (Phase.ROUND_OVER, 0, None)
    assert refused(state, Drew("Ben")) == "wrong_phase"


def test_where_it_has_to_be_called_out_an_empty_rack_alone_does_not_end_the_round() -> None:
    """AMB-28."""
    house: dict[str, str | int] = {"finish.call_required": "yes"}
    state = dealt("pressman", {"Ada": OUT_AT_ONCE}, house=house)
    state = then(state, plays("Ada", ALL_DOWN))
    assert (state.phase, state.to_move, state.out) == (Phase.TURN, 1, None)
    assert refused(state, CalledOut("Ben")) == "not_empty"
    assert refused(state, CalledOut("Cleo")) == "unknown_player"
    called = then(state, CalledOut("Ada"))
    assert (called.phase, called.out) == (Phase.ROUND_OVER, 0)
    late = then(state, Drew("Ben"), Drew("Ada"))
    assert refused(late, CalledOut("Ada")) == "not_empty"


@pytest.mark.parametrize(
    ("preset", "ends"), [("sabra", True), ("reset", True), ("pressman", False)]
)
def test_with_an_empty_pool_a_round_of_some_games_ends_when_all_pass(
    preset: str, ends: bool
) -> None:
    """AMB-29: sabra and ReSet say nothing of it; PR-14 has play go on until nobody can play."""
    state = dealt(preset)
    state = then(empty_pool(state), plays("Ada", "K10 B10 R10"), Passed("Ben"))
    assert state.phase is Phase.TURN
    state = then(state, Passed("Ada"))
    assert (state.phase is Phase.ROUND_OVER) == ends
    assert state.out is None


def test_play_stops_when_nobody_is_known_to_have_a_play() -> None:
    ada = "K10 B10 R10 K1 K3 K5 B2 B4 B6 R7 R9 R12 O13 O12"
    state = dealt("pressman", {"Ada": ada})
    state = then(empty_pool(state), plays("Ada", "K10 B10 R10"))
    assert then(state, PlayStopped()).phase is Phase.ROUND_OVER
    with_play = dealt("pressman", {"Ada": ada.replace("O12", "O10")})
    with_play = then(empty_pool(with_play), plays("Ada", "K10 B10 R10"))
    assert refused(with_play, PlayStopped()) == "can_still_play"


def test_a_rack_that_cannot_open_does_not_keep_a_round_going() -> None:
    short = "K1 K2 K3 B5 B7 B9 B11 R5 R7 R9 R11 O4 O6 O8"
    enough = short.replace("O4", "B6")
    for hand, code in ((short, None), (enough, "can_still_play")):
        state = empty_pool(dealt("pressman", {"Ben": hand}, house={"opening.points": 18}))
        outcome = apply(state, PlayStopped())
        assert (outcome.code if isinstance(outcome, Refusal) else None) == code
