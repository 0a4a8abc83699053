"""Draws, penalties and ends of games that go on by a default: on which house rules they rest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.game.events import (
    Claimed,
    Drew,
    FaultNoticed,
    GameEvent,
    HandsShown,
    Misplayed,
    Passed,
    Played,
    TimeRanOut,
)
from engine.game.fold import apply
from engine.game.resting import rests_on
from engine.game.state import GameState, Phase, Refusal
from engine.layout import parse_layout
from engine.melds import parse_meld, parse_tiles
from tests.engine.game.switch_witnesses import dealt, on_table
from tests.engine.game.tile_games import House, then

RUN = "R5 R6 R7"
BOARD = parse_layout("R5 R6 R7 R8")
LOOSE = parse_layout("R5 R6 R7 | B1")
SHORT = parse_layout("R5 R6 R7 | B1 B2 B3")
NO_PLAY, A_PLAY = "K1 B4 O9", "R8 K1 B4"

# fmt: off
ROWS: list[tuple[str, str | None, dict[str, object], GameEvent, str]] = [
    # AMB-18 and AMB-07 are asked before a draw, so none rests on their defaults
    ("pressman", A_PLAY, {}, Drew("Ada"), ""),
    ("pressman", A_PLAY, {"pool": 0}, Passed("Ada"), ""),
    ("reset", "J K1 B4", {}, Drew("Ada"), ""),
    ("pressman", NO_PLAY, {}, Drew("Ada"), ""),
    # AMB-23: what the time costs, where a document does not say
    ("sabra", None, {}, Drew("Ada", elapsed_s=150.0), "timeout.penalty"),
    ("pressman", None, {}, Drew("Ada", elapsed_s=150.0), ""),
    ("sabra", None, {}, TimeRanOut("Ada"), "timeout.penalty"),
    ("pressman", None, {}, TimeRanOut("Ada"), ""),
    # AMB-22: a legal table when the time ends; two penalties at once
    ("pressman", A_PLAY, {}, TimeRanOut("Ada", BOARD), "timeout.legal_layout"),
    ("pressman", "B1 K1 K9", {}, TimeRanOut("Ada", LOOSE), "misplay.cumulative"),
    # AMB-25: fewer are left than it costs
    ("pressman", None, {}, Misplayed("Ada"), ""),
    ("pressman", None, {"pool": 2}, Misplayed("Ada"), "misplay.partial"),
    # AMB-27: too few points to open
    ("pressman", "B1 B2 B3", {"opened": False}, Misplayed("Ada", SHORT), "opening.short_penalty"),
    # AMB-50: what a play that fails costs in ReSet within the time
    ("reset", None, {}, Misplayed("Ada"), "misplay.when"),
    # No penalty, no score: what is legal without an answer is no default
    ("pressman", A_PLAY, {}, Played("Ada", BOARD), ""),
    # Refused
    ("pressman", A_PLAY, {}, Drew("Ben"), ""),
]
# fmt: on


def before(preset: str, rack: str | None, position: dict[str, object], house: House) -> GameState:
    opened = bool(position.get("opened", True))
    state = on_table(dealt(preset, house, 3), RUN, rack, opened=opened)
    pool = position.get("pool", state.pool)
    assert isinstance(pool, int)
    return replace(state, pool=pool)


def told(state: GameState, event: GameEvent) -> str:
    return " ".join(default.switch for default in rests_on(state, event))


@pytest.mark.parametrize(("preset", "rack", "position", "event", "expected"), ROWS)
def test_what_came_of_an_event_tells_the_defaults_it_rests_on(
    preset: str, rack: str | None, position: dict[str, object], event: GameEvent, expected: str
) -> None:
    assert told(before(preset, rack, position, {}), event) == expected


@pytest.mark.parametrize(("preset", "rack", "position", "event", "expected"), ROWS)
def test_a_default_that_is_chosen_leaves_the_game_as_it_was_and_is_told_no_more(
    preset: str, rack: str | None, position: dict[str, object], event: GameEvent, expected: str
) -> None:
    state = before(preset, rack, position, {})
    values = {
        name: state.rules.switches[name].print(state.rules.value_of(name))
        for name in expected.split()
    }
    house: House = {name: int(text) if text.isdigit() else text for name, text in values.items()}
    chosen = before(preset, rack, position, house)
    assert told(chosen, event) == ""
    now, was = apply(chosen, event), apply(state, event)
    if isinstance(now, GameState) and isinstance(was, GameState):
        assert replace(now, rules=was.rules) == was


def test_a_late_fault_tells_that_nobody_has_said_whether_the_table_goes_back() -> None:
    """AMB-26."""
    state = before("pressman", "B1 K1 K9", {}, {})
    state = then(state, Played("Ada", LOOSE, overruled_by="Ben"), Drew("Ben"))
    assert told(state, FaultNoticed("stands", by="Ben")) == "misplay.late"
    # It would go back by every answer.
    assert told(state, FaultNoticed("taken_back", by="Ben")) == ""


def test_a_claim_rests_on_no_default_of_who_may_claim_as_that_is_asked_before_it() -> None:
    """AMB-37."""
    claim = Claimed("Ada", parse_meld(RUN))
    early = before("rummi200kub", None, {"opened": False}, {})
    outcome = apply(early, claim)
    assert isinstance(outcome, Refusal)
    assert (outcome.code, told(early, claim)) == ("ask", "")
    assert told(before("rummi200kub", None, {}, {}), claim) == ""


@pytest.mark.parametrize(
    ("house", "hands", "expected"),
    [
        # AMB-30, and at the end of a game by its number of rounds AMB-32
        ({"score.rounds": 2}, "R1 R2 B9", ""),
        ({"score.rounds": 1}, "R1 R2 B9", ""),
        ({}, "R1 R2 B9", ""),
        ({"score.rounds": 1}, "R1 B1 B9", "pool_out.tie score.tie"),
        ({"score.rounds": 1, "pool_out.tie": "first_in_turn"}, "R1 B1 B9", ""),
    ],
)
def test_a_scored_round_tells_the_defaults_it_rests_on(
    house: House, hands: str, expected: str
) -> None:
    state = dealt("sabra", {"pool_out.score": "difference", **house}, 3)
    seats = tuple(replace(seat, held=1, rack=None) for seat in state.seats)
    over = replace(state, phase=Phase.ROUND_OVER, to_move=None, seats=seats, pool=0)
    shown = tuple(zip(("Ada", "Ben", "Cleo"), hands.split(), strict=True))
    event = HandsShown(tuple((name, parse_tiles(tile)) for name, tile in shown))
    assert told(over, event) == expected


def test_the_end_after_a_number_of_rounds_that_nobody_agreed_on_is_told() -> None:
    """AMB-32: a round for each of three players."""
    state = dealt("sabra", {}, 3)
    seats = tuple(replace(seat, held=1, rack=None) for seat in state.seats)
    hands = (("Ada", ()), ("Ben", parse_tiles("R1")), ("Cleo", parse_tiles("R2")))
    event = HandsShown(hands)
    for number in (1, 2, 3):
        held = (replace(seats[0], held=0), *seats[1:])
        over = replace(state, phase=Phase.ROUND_OVER, to_move=None, seats=held, out=0, round=number)
        assert told(over, event) == ("score.rounds" if number == 3 else "")
        state = then(over, event)
    assert state.phase is Phase.GAME_OVER
