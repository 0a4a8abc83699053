"""Turns that came to nothing, what they cost, and tables that were let stand and were not legal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.faults import Fault, Verdict
from engine.game.events import (
    Dealt,
    Drew,
    FaultNoticed,
    GameBegun,
    GameEvent,
    Misplayed,
    Passed,
    Played,
    StarterNamed,
    TimeRanOut,
)
from engine.game.fold import Game, apply
from engine.game.judging import judge_turn
from engine.game.replay import note_on
from engine.game.state import GameState, Phase, Refusal
from engine.layout import parse_grid, parse_layout
from engine.melds import parse_tiles
from engine.tiles import parse_tile
from tests.engine.game.tile_games import House, refused, then, with_usual_answers

ADA = "K10 B10 R10 K1 K2 K3 B1 B2 B3 R1 R2 R3 O1 O2"
ADA_15 = ADA + " O3"
OPENED = "K10 B10 R10"
BEN = "O10 O11 O12 O13 J B5 B6 K7 R7 O7 B9 R9 K13 R13"
BEN_15 = BEN + " R12"


def opened(preset: str, house: House | None = None) -> GameState:
    """Ada has laid three tens, and it is Ben's turn; both racks are known. Draws are not asked about."""
    house = with_usual_answers(preset, house)
    hands = (ADA_15, BEN_15) if preset.startswith("reset") else (ADA, BEN)
    told = tuple(zip(("Ada", "Ben"), map(parse_tiles, hands), strict=True))
    game = Game.of((GameBegun(preset, ("Ada", "Ben"), house), StarterNamed("Ada"), Dealt(told)))
    assert isinstance(game, Game), game
    grid = preset == "rummi200kub"
    table = parse_grid(OPENED) if grid else parse_layout(OPENED)
    return then(game.state, Played("Ada", table))


SHORT = "K10 B10 R10 | B5 B6 J"
"""A legal set of Ben's, worth too little to open."""
BROKEN = "K10 B10 R10 | O10 O11"
"""No table at all."""
FINE = "K10 B10 R10 | O10 O11 O12"


def misplay(attempt: str | None, drawn: str | None = None) -> Misplayed:
    board = None if attempt is None else parse_layout(attempt)
    return Misplayed("Ben", board, None if drawn is None else parse_tiles(drawn))


def timeout(at_buzzer: str | None, drawn: str | None = None) -> TimeRanOut:
    board = None if at_buzzer is None else parse_layout(at_buzzer)
    return TimeRanOut("Ben", board, None if drawn is None else parse_tiles(drawn))


# fmt: off
MISPLAYS = [
    # PR-16, SB-22: three tiles, and the turn is over
    ("pressman", {}, BROKEN, 3, True),
    ("pressman", {}, None, 3, True),
    ("pressman", {}, OPENED, 3, True),
    ("sabra", {}, BROKEN, 3, True),
    # AMB-50: within the time ReSet asks for nothing, and the turn goes on
    ("reset", {}, BROKEN, 0, False),
    ("reset", {"misplay.when": "always"}, BROKEN, 3, True),
    # AMB-27: too few points to open cost as much, or nothing
    ("pressman", {}, SHORT, 3, True),
    ("pressman", {"opening.short_penalty": "none"}, SHORT, 0, False),
    ("pressman", {"opening.short_penalty": "none"}, BROKEN, 3, True),
    ("pressman", {"misplay.penalty": 0}, BROKEN, 0, True),
    ("pressman", {"misplay.penalty": 5}, BROKEN, 5, True),
]
# fmt: on


@pytest.mark.parametrize(("preset", "house", "attempt", "cost", "over"), MISPLAYS)
def test_an_unsuccessful_play_is_taken_back_and_costs_what_the_game_says(
    preset: str, house: House, attempt: str | None, cost: int, over: bool
) -> None:
    before = opened(preset, house)
    state = then(before, misplay(attempt))
    assert str(state.table) == OPENED
    assert state.pool == before.pool - cost
    assert state.seats[1].held == before.seats[1].held + cost
    assert state.to_move == (0 if over else 1)
    assert (state.seats[1].rack is None) == (cost > 0)


def test_an_unsuccessful_play_of_rummi200kub_costs_nothing() -> None:
    """R2-31."""
    before = opened("rummi200kub")
    state = then(before, Misplayed("Ben", parse_grid("K10 B10 R10 / . B5 .")))
    assert (state.pool, state.seats[1], state.to_move) == (before.pool, before.seats[1], 0)


def test_penalty_tiles_that_were_seen_are_known() -> None:
    state = then(opened("pressman"), misplay(BROKEN, "O1 O2 O3"))
    assert state.seats[1].rack == tuple(sorted(parse_tiles(BEN + " O1 O2 O3")))
    assert refused(opened("pressman"), misplay(BROKEN, "O1 O2")) == "wrong_count"
    assert refused(opened("pressman"), misplay(BROKEN, "O1 O2 4S")) == "wrong_deck"
    assert refused(opened("pressman"), misplay(BROKEN, "K10 K10 O1")) == "too_many_copies"


# fmt: off
UNTOUCHED = [
    # a table read in another order, or from the other side, is the same table
    "R9 R10 R11 | K10 K11 K12",
    "K10 K11 K12 | R9 R10 R11",
    "K12 K11 K10 | R11 R10 R9",
    "R11 R9 R10 | K10 K12 K11",
]
# fmt: on


@pytest.mark.parametrize("read", UNTOUCHED)
@pytest.mark.parametrize(("preset", "slow", "failed"), [("sabra", 0, 3), ("reset", 1, 0)])
def test_an_untouched_table_is_one_however_it_is_read(
    preset: str, slow: int, failed: int, read: str
) -> None:
    """AMB-23, RS-14: the order of a layout carries no rule, and so it costs nothing."""
    more = " B13" if preset == "reset" else ""
    hands = {"Ada": "R9 R10 R11 K10 K11 K12 B1 B2 B3 R1 R2 R3 O1 O2", "Ben": BEN}
    told = tuple((name, parse_tiles(tiles + more)) for name, tiles in hands.items())
    begun = (GameBegun(preset, ("Ada", "Ben"), {}), StarterNamed("Ada"), Dealt(told))
    game = Game.of((*begun, Played("Ada", parse_layout(UNTOUCHED[0]))))
    assert isinstance(game, Game), game
    before = game.state
    late = then(before, timeout(read))
    assert (str(late.table), late.pool) == (UNTOUCHED[0], before.pool - slow)
    assert then(before, misplay(read)).pool == before.pool - failed
    assert note_on(before, timeout(read)) is None


def test_a_board_that_was_turned_is_untouched() -> None:
    """R2-21, and a house rule that asks for more where a play had failed."""
    state = opened("rummi200kub", {"misplay.penalty": 3})
    assert note_on(state, Misplayed("Ben", parse_grid("R10 B10 K10"))) is None
    assert then(state, TimeRanOut("Ben", parse_grid("R10 B10 K10"))).pool == state.pool - 1


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (misplay(FINE), "was_legal"),
        (misplay("K10 B10 R10 | O5 O6"), "not_held"),
        (misplay("K10 B10 R10 | 4S 5S"), "wrong_deck"),
        (misplay("K10 B10 R10 | K10 K10"), "too_many_copies"),
        (Misplayed("Ada"), "not_your_turn"),
        (Misplayed("Ben", parse_grid("K10 B10 R10")), "wrong_form"),
        (Misplayed("Ben", elapsed_s=-1), "bad_time"),
    ],
)
def test_what_was_no_unsuccessful_play_is_refused(event: GameEvent, code: str) -> None:
    assert refused(opened("pressman"), event) == code


def test_a_rack_out_of_sight_may_have_held_what_was_tried() -> None:
    hidden = opened("pressman")
    hidden = replace(hidden, seats=(hidden.seats[0], replace(hidden.seats[1], rack=None)))
    assert then(hidden, misplay("K10 B10 R10 | O5 O6")).to_move == 0


# fmt: off
TIMES = [
    # PR-15: one tile; AMB-22: three when the table is not legal, of two penalties the larger
    ("pressman", {}, None, 1),
    ("pressman", {}, OPENED, 1),
    ("pressman", {}, BROKEN, 3),
    ("pressman", {}, SHORT, 3),
    ("pressman", {"misplay.cumulative": "yes"}, BROKEN, 4),
    ("pressman", {"misplay.cumulative": "yes"}, OPENED, 1),
    ("pressman", {"timeout.legal_layout": "stands"}, BROKEN, 3),
    # PR-15 alone where the table takes a legal layout back: no play had failed
    ("pressman", {"timeout.legal_layout": "rollback"}, FINE, 1),
    ("pressman", {"timeout.legal_layout": "rollback", "misplay.cumulative": "yes"}, FINE, 1),
    ("pressman", {"timeout.penalty": 5}, BROKEN, 5),
    ("pressman", {"opening.short_penalty": "none"}, SHORT, 1),
    # PT-02: three where no play succeeded
    ("pressman-tournament", {}, None, 3),
    ("pressman-tournament", {}, BROKEN, 3),
    ("pressman-tournament", {"timeout.legal_layout": "rollback"}, FINE, 3),
    # AMB-23: nothing for a table that was not touched, else that of a misplay
    ("sabra", {}, None, 0),
    ("sabra", {}, BROKEN, 3),
    ("sabra", {}, FINE, 3),
    # RS-14, RS-22
    ("reset", {}, None, 1),
    ("reset", {}, BROKEN, 3),
    ("reset", {}, FINE, 3),
]
# fmt: on


@pytest.mark.parametrize(("preset", "house", "at_buzzer", "cost"), TIMES)
def test_running_out_of_time_costs_what_the_game_says(
    preset: str, house: House, at_buzzer: str | None, cost: int
) -> None:
    before = opened(preset, house)
    state = then(before, timeout(at_buzzer))
    assert str(state.table) == OPENED
    assert (state.pool, state.to_move) == (before.pool - cost, 0)
    assert state.seats[1].held == before.seats[1].held + cost


def test_running_out_of_time_in_rummi200kub_costs_a_tile() -> None:
    """R2-21."""
    state = then(opened("rummi200kub"), TimeRanOut("Ben"))
    assert (state.pool, state.seats[1].held) == (77, 15)


AT_BUZZER: House = {"timeout.legal_layout": "at_buzzer"}
STANDS: House = {"timeout.legal_layout": "stands"}


@pytest.mark.parametrize(
    ("preset", "house"),
    [
        ("pressman", {}),
        ("pressman", STANDS),
        *((preset, AT_BUZZER) for preset in ("pressman-tournament", "sabra", "reset")),
    ],
)
def test_a_legal_table_stands_as_it_lies_when_the_time_ends_where_the_rules_let_it(
    preset: str, house: House
) -> None:
    """AMB-22: the play counts, the turn ends, and nothing is drawn."""
    before = opened(preset, house)
    state = then(before, timeout(FINE))
    assert (str(state.table), state.to_move, state.pool) == (FINE, 0, before.pool)
    assert state.seats[1].held == before.seats[1].held - 3
    assert state.seats[1].opened
    assert refused(before, timeout(FINE, "O1")) == "wrong_count"


def test_a_board_of_cells_stands_as_it_lies_when_the_time_ends_where_a_table_plays_so() -> None:
    """AMB-22 at a table of Rummi200kub that plays so; else it goes back and costs a tile (R2-21)."""
    free: House = {"opening.points": 0, "opening.same_turn_extension": "yes"}
    late = TimeRanOut("Ben", parse_grid("K10 B10 R10 O10"))
    rows: list[tuple[House, str, int]] = [
        ({}, OPENED, 15),
        (AT_BUZZER, "K10 B10 R10 O10", 13),
        (STANDS, "K10 B10 R10 O10", 13),
    ]
    for house, lies, held in rows:
        state = then(opened("rummi200kub", {**free, **house}), late)
        assert (str(state.table), state.seats[1].held, state.to_move) == (lies, held, 0)


def test_the_last_tile_laid_at_the_buzzer_ends_the_round() -> None:
    """PR-13 with AMB-22."""
    before = opened("pressman")
    last = replace(before.seats[1], held=1, rack=parse_tiles("O10"), opened=True)
    before = replace(before, seats=(before.seats[0], last))
    late = timeout("K10 B10 R10 O10")
    assert then(before, late).phase is Phase.ROUND_OVER


@pytest.mark.parametrize(
    ("house", "code"),
    [
        ({}, "illegal"),
        (AT_BUZZER, "illegal"),
        ({"timeout.legal_layout": "rollback"}, "illegal"),
        (STANDS, None),
    ],
)
def test_a_turn_that_went_on_longer_came_too_late(house: House, code: str | None) -> None:
    """PR-15: how the table lay at the buzzer nobody can say then."""
    before, table = opened("pressman", house), parse_layout(FINE)
    assert str(then(before, Played("Ben", table, elapsed_s=120.0)).table) == FINE
    outcome = apply(before, Played("Ben", table, elapsed_s=120.1))
    assert (outcome.code if isinstance(outcome, Refusal) else None) == code
    if isinstance(outcome, Refusal):
        assert outcome.ruling is not None
        assert outcome.ruling.faults == Fault.TIME_OVER


# fmt: off
LATE_DRAWS = [
    # PT-02: what the time costs, and no draw beside it
    ("pressman-tournament", {}, 60.0, 1),
    ("pressman-tournament", {}, 60.1, 3),
    ("pressman-tournament", {}, None, 1),
    ("pressman-tournament", {"timeout.limit_s": 0}, 999.0, 1),
    ("pressman-tournament", {"timeout.penalty": 0}, 61.0, 1),
    # PR-15, R2-21, RS-14: a tile in any case; AMB-23: none for the time, and one was drawn
    ("pressman", {}, 121.0, 1),
    ("pressman", {"timeout.penalty": 2}, 121.0, 2),
    ("sabra", {}, 121.0, 1),
    ("rummi200kub", {}, 201.0, 1),
    ("reset", {}, 121.0, 1),
]
# fmt: on


@pytest.mark.parametrize(("preset", "house", "elapsed_s", "count"), LATE_DRAWS)
def test_a_draw_that_came_too_late_is_what_the_time_costs(
    preset: str, house: House, elapsed_s: float | None, count: int
) -> None:
    before = opened(preset, house)
    back = parse_tiles("O10")[0] if preset == "reset" else None
    state = then(before, Drew("Ben", None, back, elapsed_s))
    assert (state.pool, state.seats[1].held) == (before.pool - count, before.seats[1].held + count)
    assert state.to_move == 0


def test_the_referee_asks_for_as_many_tiles_of_a_late_draw() -> None:
    """And a late draw of another number is refused by both."""
    before = opened("pressman-tournament")
    late = Drew("Ben", parse_tiles("O4 O5 O6"), None, 75.0)
    rack = then(before, late).seats[1].rack
    assert rack is not None
    judged = judge_turn(before, 1, before.table, before.seats[1].rack, rack, 75.0)
    assert judged.verdict is Verdict.LEGAL
    one = replace(late, tiles=parse_tiles("O4"))
    assert refused(before, one) == "wrong_count"
    rack = (*parse_tiles(BEN), *parse_tiles("O4"))
    judged = judge_turn(before, 1, before.table, before.seats[1].rack, rack, 75.0)
    assert judged.faults == Fault.RACK_COUNT


@pytest.mark.parametrize(("partial", "drawn"), [("yes", 2), ("no", 1)])
def test_a_late_draw_from_a_small_pool_is_no_less_than_a_draw(partial: str, drawn: int) -> None:
    """AMB-25."""
    before = replace(opened("pressman-tournament", {"misplay.partial": partial}), pool=2)
    assert then(before, Drew("Ben", elapsed_s=61.0)).pool == 2 - drawn


def test_who_drew_too_late_does_not_go_on_to_play() -> None:
    """PR-15: the turn ends, where a table else lets a player draw and play (AMB-19)."""
    before = opened("pressman", {"draw.then_play": "yes"})
    assert then(before, Drew("Ben", elapsed_s=120.0)).to_move == 1
    assert then(before, Drew("Ben", elapsed_s=120.5)).to_move == 0


def test_of_two_players_of_reset_nobody_returns_a_tile_of_a_penalty() -> None:
    """RS-15 is of a draw; two tiles for the time are the table's own rule."""
    before = opened("reset", {"timeout.penalty": 2})
    back = parse_tiles("O10")[0]
    assert refused(before, Drew("Ben", None, back, 121.0)) == "nothing_returned"
    assert then(before, Drew("Ben", None, None, 121.0)).seats[1].held == 15 + 2
    assert then(before, Drew("Ben", None, back, 119.0)).seats[1].held == 15 + 1


def test_what_depends_on_a_house_rule_is_asked_before_it_costs_anything() -> None:
    """AMB-09: Ben's opening is enough by itself, and one of his tiles joined the tens."""
    joined = timeout("K10 B10 R10 O10 | O11 O12 O13")
    assert refused(opened("pressman"), joined) == "ask"
    for answer, cost, lies in (("no", 3, OPENED), ("yes", 0, str(joined.at_buzzer))):
        chosen = opened("pressman", {"opening.same_turn_extension": answer})
        state = then(chosen, joined)
        assert (state.pool, str(state.table)) == (chosen.pool - cost, lies)
    same: House = {"timeout.penalty": 3, "timeout.legal_layout": "at_buzzer"}
    assert refused(opened("pressman", same), joined) == "ask", "it costs as much, and may stand"
    assert then(opened("sabra"), joined).pool == opened("sabra").pool - 3


def test_without_a_clock_no_time_runs_out() -> None:
    assert refused(opened("pressman", {"timeout.limit_s": 0}), TimeRanOut("Ben")) == "no_clock"
    assert refused(opened("pressman"), timeout("K10 B10 R10 | O5 O6")) == "not_held"


@pytest.mark.parametrize(("partial", "drawn"), [("yes", 2), ("no", 0)])
def test_a_pool_with_fewer_tiles_than_the_penalty_pays_what_the_table_says(
    partial: str, drawn: int
) -> None:
    """AMB-25."""
    before = replace(opened("pressman", {"misplay.partial": partial}), pool=2)
    for event in (misplay(BROKEN), timeout(BROKEN)):
        state = then(before, event)
        assert (state.pool, state.seats[1].held) == (2 - drawn, 14 + drawn)


def test_a_turn_lost_for_nothing_is_a_turn_without_a_play() -> None:
    """So it counts where all players pass (AMB-29)."""
    state = replace(opened("sabra"), pool=0)
    assert then(state, TimeRanOut("Ben"), Passed("Ada")).phase is Phase.ROUND_OVER


def test_before_the_first_set_of_reset_the_lap_counts_turns_that_were_lost() -> None:
    game = Game.of((GameBegun("reset", ("Ada", "Ben")), StarterNamed("Ada"), Dealt()))
    assert isinstance(game, Game)
    state = then(game.state, TimeRanOut("Ada"), Passed("Ben"))
    assert (state.passes, state.pool, state.seats[0].held) == (2, 76, 15), "RS-09: nobody draws"
    begun = GameBegun("reset", ("Ada", "Ben"), {"timeout.penalty": 2})
    paying = Game.of((begun, StarterNamed("Ada"), Dealt()))
    assert isinstance(paying, Game)
    assert then(paying.state, TimeRanOut("Ada")).seats[0].held == 17, "the table has chosen so"


# PT-02 to the letter: sets stay, and all loose tiles go to the rack (AMB-21)

LOOSE: House = {"timeout.loose_tiles": "all_loose"}


def with_a_run(house: House) -> GameState:
    """Ben has opened with a run of four, Ada drew, and it is Ben's turn."""
    state = opened("pressman-tournament", house)
    return then(state, Played("Ben", parse_layout("K10 B10 R10 | O10 O11 O12 O13")), Drew("Ada"))


def test_only_the_own_loose_tiles_go_back_where_the_table_is_put_back() -> None:
    before = with_a_run({})
    table = parse_layout("K10 B10 R10 O10 | O11 O12 O13 | K7 R7 O7 | B9")
    state = then(before, TimeRanOut("Ben", table))
    assert str(state.table) == "K10 B10 R10 | O10 O11 O12 O13"
    assert state.seats[1].held == 10 + 3


def test_all_loose_tiles_go_to_the_rack_where_a_table_plays_to_the_letter() -> None:
    before = with_a_run(LOOSE)
    table = parse_layout("K10 B10 R10 O10 | K7 R7 O7 | B9 | O11 | O12 O13")
    state = then(before, TimeRanOut("Ben", table, parse_tiles("K4 K5 K6")))
    assert str(state.table) == "K10 B10 R10 O10 | K7 R7 O7"
    rack = "J B5 B6 B9 R9 K13 R13 O11 O12 O13 K4 K5 K6"
    assert state.seats[1].rack == tuple(sorted(parse_tiles(rack)))
    assert state.to_move == 0


def test_to_the_letter_or_not_a_table_of_sets_that_came_too_late_is_put_back() -> None:
    before = with_a_run({**LOOSE, "timeout.legal_layout": "rollback"})
    table = parse_layout("K10 B10 R10 O10 | O11 O12 O13 | K7 R7 O7")
    assert str(then(before, TimeRanOut("Ben", table)).table) == str(before.table)
    lost = parse_layout("K10 B10 R10 | O11 O12 O13 | K7 R7")
    assert refused(before, TimeRanOut("Ben", lost)) == "tiles_missing"


def test_who_has_not_opened_takes_everything_back() -> None:
    before = opened("pressman-tournament", LOOSE)
    state = then(before, timeout("K10 B10 R10 | K7 R7 O7 | B9"))
    assert (str(state.table), state.seats[1].held) == (OPENED, 17)


# A table that is not put back (AMB-24), and faults that are noticed late (AMB-26)


def test_where_the_table_is_not_put_back_it_stays_as_it_was_tried() -> None:
    before = opened("pressman", {"misplay.restore": "no"})
    state = then(before, misplay(BROKEN))
    assert str(state.table) == BROKEN
    assert (state.seats[1].held, state.pool, state.to_move) == (14 - 2 + 3, 75, 0)
    assert state.unsettled is not None
    assert str(state.unsettled.table) == OPENED
    assert refused(before, misplay("K10 B10 | O10 O11")) == "tiles_missing"


def stood(house: House | None = None, table: str = BROKEN) -> GameState:
    """Ben's play was let stand, and Ada drew before anybody noticed that it is not legal."""
    play = Played("Ben", parse_layout(table), overruled_by="all")
    return then(opened("pressman", house), play, Drew("Ada"))


def test_a_late_fault_is_for_the_players_to_decide() -> None:
    state = stood()
    assert refused(state, FaultNoticed()) == "decision_needed"
    outcome = apply(state, FaultNoticed())
    assert isinstance(outcome, Refusal)
    assert OPENED in outcome.reason
    stands = then(state, FaultNoticed("stands", by="Ada"))
    assert (str(stands.table), stands.unsettled) == (BROKEN, None)
    back = then(state, FaultNoticed("taken_back"))
    assert (str(back.table), back.unsettled) == (OPENED, None)
    assert back.seats[1].rack == tuple(sorted(parse_tiles(BEN)))
    assert not back.seats[1].opened
    assert (back.to_move, back.pool) == (state.to_move, state.pool)


def test_a_table_that_is_legal_by_now_stands() -> None:
    """Too few points to open, and nobody noticed: the sets are sets."""
    state = stood(table=SHORT)
    assert str(then(state, FaultNoticed()).table) == SHORT
    assert refused(state, FaultNoticed("taken_back")) == "rules_decide"


def test_a_table_may_put_back_every_late_fault() -> None:
    state = stood({"misplay.late": "rollback"}, SHORT)
    assert str(then(state, FaultNoticed()).table) == OPENED
    assert refused(state, FaultNoticed("stands")) == "rules_decide"


def test_everybody_takes_back_what_was_laid_since_the_table_was_legal() -> None:
    """Ben's loose eights stood, and so Ada's play on such a table; then it was noticed."""
    state = then(
        opened("pressman"),
        Played("Ben", parse_layout("K10 B10 R10 | B5 B6"), overruled_by="all"),
        Played("Ada", parse_layout("K10 B10 R10 | B5 B6 | K1 K2 K3"), overruled_by="all"),
        FaultNoticed("taken_back"),
    )
    assert str(state.table) == OPENED
    assert [seat.held for seat in state.seats] == [11, 14]
    assert [seat.opened for seat in state.seats] == [True, False]


@pytest.mark.parametrize(
    ("drawn", "returned", "expected"),
    [
        # Ben returns what he took from the table, or may have.
        ("B1 B2", "R10", "not_held"),
        (None, "R10", "not_held"),
        (None, None, "not_held"),
        # He returns another tile, and has what he took.
        ("B1 B2", "B1", ""),
        (None, "B1", ""),
    ],
)
def test_a_table_does_not_go_back_without_a_tile_that_was_returned_to_the_pool(
    drawn: str | None, returned: str | None, expected: str
) -> None:
    """AMB-26 of two players of ReSet, one of whose two tiles goes back (RS-15)."""
    play = Played("Ben", parse_layout("K10 B10 O11"), overruled_by="Ada")
    tiles = None if drawn is None else parse_tiles(drawn)
    back = None if returned is None else parse_tile(returned)
    state = then(opened("reset"), play, Drew("Ada"), Drew("Ben", tiles, back))
    fault = FaultNoticed("taken_back", by="Ada")
    if expected:
        assert refused(state, fault) == expected
    else:
        assert str(then(state, fault).table) == OPENED


@pytest.mark.parametrize("decided", [False, True])
def test_what_was_let_stand_is_no_fault_of_those_who_play_on(decided: bool) -> None:
    """Ada's run is her own; that Ben's elevens are no set was let stand by somebody."""
    state = then(opened("pressman"), Played("Ben", parse_layout(BROKEN), overruled_by="all"))
    if decided:
        state = then(state, FaultNoticed("stands", by="Eve"))
    laid = parse_layout(f"{BROKEN} | K1 K2 K3")
    ruling = judge_turn(state, 0, laid, None, None, None)
    assert ruling.verdict is Verdict.LEGAL
    assert "set 2 is none, and was let stand before this turn" in ruling.unchecked
    after = then(state, Played("Ada", laid))
    assert [str(meld) for meld in after.let_stand] == ["O10 O11"]
    assert (after.unsettled is None) == decided, "until somebody decides"
    if not decided:
        back = then(after, FaultNoticed("taken_back"))
        assert (str(back.table), back.let_stand) == (OPENED, ())
    # Who takes it up, or lays another one like it, has to lay sets.
    grown = parse_layout(f"{OPENED} | O10 O11 O13 | K1 K2 K3")
    assert refused(after, Played("Ben", grown)) == "illegal"
    twice = parse_layout(f"{BROKEN} | K1 K2 K3 | O10 O11")
    assert refused(after, Played("Ben", twice)) == "illegal"
    more = parse_layout(f"{BROKEN} | K1 K2 K3 | B5 B6")
    assert refused(after, Played("Ben", more)) == "illegal"
    mended = then(after, Played("Ben", parse_layout(f"{FINE} | K1 K2 K3")))
    assert (mended.let_stand, mended.unsettled) == ((), None)


def test_a_play_that_makes_the_table_legal_again_settles_it() -> None:
    state = stood()
    mended = parse_layout("K10 B10 R10 | O10 O11 O12")
    state = then(state, Played("Ben", mended))
    assert state.unsettled is None
    assert refused(state, FaultNoticed()) == "nothing_to_settle"
