"""The JSON forms of a position and its answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.solve_json import SolveInputError, position_from_json, solved, solved_to_json

FULL: dict[str, Any] = {
    "rules": "pressman",
    "house_rules": {"opening.points": 10},
    "table": [["K4", "K5", "J"]],
    "rack": ["K7", "R9", "R3", "B3", "K3"],
    "objective": "points",
    "free_jokers": True,
}


def answer(change: dict[str, object]) -> dict[str, Any]:
    return solved_to_json(solved(position_from_json(FULL | change)))


def test_a_full_position_is_answered() -> None:
    found = answer({})
    assert json.loads(json.dumps(found)) == found
    assert list(found) == ["placed", "count", "points", "can_open", "table_after"]
    assert (found["placed"], found["count"]) == (["K3", "K7", "B3", "R3"], 4)
    assert (found["points"], found["can_open"]) == (16, False)
    assert ["K4", "K5", "J", "K7"] in found["table_after"]


def test_what_is_left_out_is_by_tiles_and_with_free_jokers() -> None:
    position = position_from_json({key: FULL[key] for key in ("rules", "table", "rack")})
    assert (position.objective, position.free_jokers) == ("tiles", True)


def test_a_joker_may_be_spelt_as_in_hands_that_are_scored() -> None:
    spelt = {"table": [["K4", "K5", "*"]], "rack": ["JOKER", "R9", "B9"]}
    assert answer(spelt)["placed"] == ["B9", "R9", "J"]


def test_a_table_that_cannot_be_parted_is_told_apart_from_one_without_a_play() -> None:
    nothing = {"placed": [], "count": 0, "points": 0, "can_open": False}
    assert answer({"table": [["K4", "R9"]], "rack": []}) == nothing | {"table_after": None}
    assert answer({"table": [], "rack": ["K4"]}) == nothing | {"table_after": []}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": None}, "'rules' is missing"),
        ({"rules": "canasta"}, "there are no rules 'canasta'"),
        ({"table": None}, "'table' is missing"),
        ({"rack": None}, "'rack' is missing"),
        ({"rack": ["K99"]}, "rack[0]: expected a tile"),
        ({"rack": ["K7", "K7", "K7"]}, "K7 is there 3 times, and pressman has 2"),
        ({"rack": ["10H"]}, "10H is a card, and pressman is played with tiles"),
        ({"table": ["K7"]}, "table[0]: expected a list of tiles, got a text"),
        ({"objective": "speed"}, 'objective: expected "tiles" or "points", got speed'),
        ({"objective": 1}, 'objective: expected "tiles" or "points", got a number'),
        ({"free_jokers": "no"}, "free_jokers: expected true or false, got a text"),
        ({"house_rules": {"run.wrap": "full"}}, "run.wrap: full"),
        ({"hand": []}, "unknown key 'hand'; known are rules"),
    ],
)
def test_malformed_input_is_one_line_that_says_where(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(SolveInputError) as caught:
        answer(change)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_object_is_refused() -> None:
    with pytest.raises(SolveInputError, match="got a list"):
        position_from_json([])


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.sampled_from([*FULL]), values)
def test_any_json_is_a_position_or_refused(key: str, value: object) -> None:
    try:
        answered = answer({key: value})
    except SolveInputError:
        return
    assert json.loads(json.dumps(answered)) == answered
