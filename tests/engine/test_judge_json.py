"""The JSON forms of a turn and a ruling."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.judge_json import JudgeInputError, ruling_to_json, turn_from_json
from engine.layout import parse_grid, parse_layout
from engine.melds import parse_tiles
from engine.referee import Verdict, judge

FULL: dict[str, Any] = {
    "rules": "pressman",
    "house_rules": {"joker.free_removal": False, "opening.points": 40},
    "before": [["K7", "K8", "K9"]],
    "after": [["K7", "K8", "K9", "K10"], ["R1"]],
    "rack_before": ["K10", "R1", "J"],
    "rack_after": ["J"],
    "opened": True,
    "elapsed_s": 12.5,
}


def test_a_full_turn_is_read() -> None:
    turn, rules = turn_from_json(FULL)
    assert turn.before == parse_layout("K7 K8 K9")
    assert turn.after == parse_layout("K7 K8 K9 K10 | R1")
    assert (turn.rack_before, turn.rack_after) == (parse_tiles("K10 R1 J"), parse_tiles("J"))
    assert (turn.opened, turn.elapsed_s, turn.pool_empty) == (True, 12.5, False)
    assert rules.opening.points == 40
    assert not rules.is_open("joker.free_removal")


def test_what_is_left_out_or_null_is_unknown() -> None:
    turn, _ = turn_from_json({"rules": "pressman", "after": [], "before": None})
    assert (turn.before, turn.rack_before, turn.opened, turn.elapsed_s) == (None,) * 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": None}, "'rules' is missing"),
        ({"rules": "canasta"}, "there are no rules 'canasta'; there are: pressman"),
        ({"rules": 3}, "rules: expected the name of a preset"),
        ({"after": None}, "'after' is missing"),
        ({"after": {}}, "after: expected a list of melds, got an object"),
        ({"after": ["K7"]}, "after[0]: expected a list of tiles, got a text"),
        ({"after": [[]]}, "after[0]: a meld holds at least one tile"),
        ({"after": [["K7", "K99"]]}, "after[0][1]: expected a tile"),
        ({"after": [["K7", 8]]}, 'after[0][1]: expected a tile such as "K7", got a number'),
        ({"after": [["10H"]]}, "10H is a card, and pressman is played with tiles"),
        ({"rack_before": "K7"}, "rack_before: expected a list of tiles"),
        ({"opened": "yes"}, "opened: expected true, false or null"),
        ({"elapsed_s": -1}, "elapsed_s: expected seconds from 0 up"),
        ({"elapsed_s": float("nan")}, "elapsed_s: expected seconds from 0 up"),
        ({"elapsed_s": 10**400}, "elapsed_s: expected seconds from 0 up"),
        ({"elapsed_s": True}, "elapsed_s: expected seconds from 0 up, got true"),
        ({"house_rules": []}, "house_rules: expected an object"),
        ({"house_rules": {"jokers": 1}}, "house_rules: there is no house rule 'jokers'"),
        ({"house_rules": {"joker.freeze": []}}, "house_rules: joker.freeze is one of none"),
        ({"house_rules": {"opening.points": "x"}}, "opening.points is a whole number"),
        ({"rack": []}, "unknown key 'rack'; known are rules"),
    ],
)
def test_malformed_input_is_one_line_that_says_where(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(JudgeInputError) as caught:
        turn_from_json(FULL | change)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


BOARD: dict[str, Any] = {
    "rules": "rummi200kub",
    "grid_before": [["K7", "K8", "K9"]],
    "grid": [["K7", "K8", "K9"], [None, "B8", None], [None, "R8", None], [None, None, None]],
    "rack_before": ["B8", "R8"],
    "rack_after": [],
    "opened": True,
    "claims": [],
}
CARDS: dict[str, Any] = {
    "rules": "sets-and-runs",
    "before": [],
    "after": [["7S", "7H", "7D"], ["KS", "KH", "*"]],
    "rack_before": ["7S", "7H", "7D", "KS", "KH", "*", "2C"],
    "rack_after": ["4H"],
    "opened": False,
    "round": 1,
    "discard": ["2C"],
}


def test_a_board_and_its_claims_are_read() -> None:
    turn, rules = turn_from_json(BOARD)
    assert str(turn.grid_before) == "K7 K8 K9"
    assert str(turn.grid) == "K7 K8 K9 / . B8 . / . R8 ."
    assert str(turn.after) == "K7 K8 K9 | K8 B8 R8"
    assert (turn.claims, rules.table.form) == ((), "grid")
    assert judge(turn, rules).verdict == "LEGAL"
    claim = {"meld": ["K8", "B8", "R8"], "level": 2, "own": True}
    claimed, _ = turn_from_json(BOARD | {"claims": [claim]})
    assert claimed.claims is not None
    assert [(str(c.meld), c.level, c.own) for c in claimed.claims] == [("K8 B8 R8", 2, True)]
    assert turn_from_json({"rules": "rummi200kub", "grid": [[None]]})[0].grid == parse_grid("-")


def test_a_contract_is_read_as_such_or_by_its_round() -> None:
    turn, rules = turn_from_json(CARDS)
    assert (turn.round, turn.contract, turn.discard) == (1, None, parse_tiles("2C"))
    assert judge(turn, rules.with_house_rules({"group.least": 3})).verdict == "LEGAL"
    assert judge(replace(turn, round=2), rules.with_house_rules({"group.least": 3})).verdict == (
        "ILLEGAL"
    )
    given, _ = turn_from_json(CARDS | {"round": None, "contract": [1, 1]})
    assert given.contract == (1, 1)
    # By either order, while nobody has chosen one (AMB-39).
    for contract in ([3, 0], [2, 1]):
        both, _ = turn_from_json(CARDS | {"round": 4, "contract": contract})
        assert both.contract == tuple(contract)
    neither, _ = turn_from_json(CARDS | {"round": None})
    assert (neither.round, neither.contract) == (None, None)


@pytest.mark.parametrize(
    ("turn", "change", "message"),
    [
        (BOARD, {"after": [["K7"]]}, "after: left out beside a grid"),
        (BOARD, {"grid": "K7"}, "grid: expected a list of rows of cells, got a text"),
        (BOARD, {"grid": [["K7"], "K8"]}, "grid: expected a list of rows"),
        (BOARD, {"grid": [["K7"], ["K8", "K9"]]}, "equally many cells"),
        (BOARD, {"grid": [["K7", "."]]}, "grid[0][1]: expected a tile"),
        (BOARD, {"rules": "sabra"}, "sabra is played with sets that lie apart"),
        (BOARD, {"claims": {}}, "claims: expected a list of claims"),
        (BOARD, {"claims": [["K7"]]}, "claims[0]: expected an object"),
        (BOARD, {"claims": [{"meld": []}]}, "claims[0].meld: a meld holds at least one tile"),
        (BOARD, {"claims": [{"meld": ["K7"], "level": 4}]}, "claims[0].level: expected a whole"),
        (BOARD, {"claims": [{"meld": ["K7"], "mine": True}]}, "unknown key 'mine'"),
        (CARDS, {"round": 8}, "round: expected a whole number from 1 to 7"),
        (CARDS, {"round": True}, "round: expected a whole number from 1 to 7"),
        (CARDS, {"contract": [1]}, "contract: expected how many sets and runs"),
        (CARDS, {"contract": [0, 0]}, "contract: expected how many sets and runs"),
        (CARDS, {"discard": "2C"}, "discard: expected a list of tiles, got a text"),
        (CARDS, {"discard": ["K7"]}, "K7 is a tile, and sets-and-runs is played with cards"),
        (CARDS, {"contract": [1, 1], "round": 1}, "contract: not the one of the round"),
        (CARDS, {"contract": [2, 0], "round": "one"}, "round: expected a whole number"),
        (BOARD, {"grid": [["K7", ["B7"], "R7"]]}, "grid[0][1]: expected a tile such as"),
        (BOARD, {"grid": [["K7"] * 18] * 18}, "grid: 324 tiles, and no more than 318"),
        (BOARD, {"claims": [{"meld": ["K7"] * 300}] * 2}, "claims: 600 tiles, and no more than"),
        (FULL, {"before": [["K7", "B7", "R7"]] * 107}, "before: 321 tiles, and no more than 318"),
        (FULL, {"after": [["K7"] * 319]}, "after[0]: 319 tiles, and no more than 318"),
        (FULL, {"rack_after": ["K7"] * 319}, "rack_after: 319 tiles, and no more than 318"),
        (FULL, {"round": 1}, "round: pressman has no contracts"),
        (FULL, {"contract": [1, 1]}, "contract: pressman has no contracts"),
        (FULL, {"discard": ["K7"]}, "discard: nothing is discarded in pressman"),
        (BOARD, {"discard": ["K7"]}, "discard: nothing is discarded in rummi200kub"),
        (
            FULL,
            {"claims": [{"meld": ["K7", "K8", "K9"]}]},
            "claims: nothing is claimed in pressman",
        ),
        (CARDS, {"claims": [{}]}, "claims: nothing is claimed in sets-and-runs"),
        (FULL, {"grid_before": [["K7"]]}, "grid_before: stands beside a grid only"),
        (FULL, {"players": 1}, "players: expected a whole number from 2 to 99"),
    ],
)
def test_malformed_boards_and_contracts_are_one_line_that_says_where(
    turn: dict[str, Any], change: dict[str, object], message: str
) -> None:
    with pytest.raises(JudgeInputError) as caught:
        turn_from_json(turn | change)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_that_nothing_was_claimed_or_discarded_is_true_in_any_game() -> None:
    turn, rules = turn_from_json(FULL | {"claims": [], "discard": []})
    assert judge(turn, rules) == judge(*turn_from_json(FULL))


def test_a_ten_and_a_joker_may_be_spelt_as_in_hands_that_are_scored() -> None:
    turn, _ = turn_from_json(CARDS | {"after": [["7S", "7H", "7D"], ["TS", "TH", "JOKER"]]})
    assert str(turn.after) == "7S 7H 7D | 10S 10H *"
    for joker in ("J", "*", "JOKER"):
        turn, _ = turn_from_json(BOARD | {"grid": [["K7", joker, "K9"]], "rack_after": [joker]})
        assert (str(turn.grid), turn.rack_after) == ("K7 J K9", parse_tiles("J"))
    in_cards = {"rules": "reset", "house_rules": {"equipment.pieces": "cards"}}
    turn, _ = turn_from_json(in_cards | {"after": [["TH", "JOKER", "QH"]]})
    assert str(turn.after) == "10H * QH"


def test_advice_is_there_only_when_there_is_some() -> None:
    turn = {
        "rules": "reset",
        "house_rules": {"joker.no_hoarding": "advise"},
        "before": [["K5", "K6", "K7"]],
        "after": [["K5", "K6", "K7"]],
        "rack_before": ["J"],
        "rack_after": ["J", "O1"],
    }
    told = ruling_to_json(judge(*turn_from_json(turn)))
    assert (told["verdict"], told["findings"]) == ("LEGAL", [])
    assert [item["code"] for item in told["advice"]] == ["JOKER_HOARDING"]
    assert "advice" not in ruling_to_json(judge(*turn_from_json(turn | {"rack_before": ["O1"]})))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(
    st.sampled_from([(turn, key) for turn in (FULL, BOARD, CARDS) for key in turn]),
    values,
)
def test_any_json_is_a_turn_or_refused(place: tuple[dict[str, Any], str], value: object) -> None:
    turn_json, key = place
    try:
        turn, rules = turn_from_json(turn_json | {key: value})
    except JudgeInputError:
        return
    assert judge(turn, rules).verdict in Verdict


def test_no_object_is_refused() -> None:
    with pytest.raises(JudgeInputError, match="got a list"):
        turn_from_json([])


def test_a_ruling_is_plain_json() -> None:
    told = ruling_to_json(judge(*turn_from_json(FULL)))
    assert json.loads(json.dumps(told)) == told
    assert told["verdict"] == "ILLEGAL"
    (finding,) = told["findings"]
    assert list(finding) == ["code", "rule", "quote", "meld", "tiles", "message", "repair"]
    assert (finding["code"], finding["meld"], finding["tiles"]) == ("LOOSE_TILE", 1, ["R1"])
    assert finding["repair"] == "put back red 1"
    asked = ruling_to_json(
        judge(
            *turn_from_json(
                {
                    "rules": "pressman",
                    "before": [["B3", "B4", "B5", "J"]],
                    "after": [["B3", "B4", "B5"], ["J", "R8", "R9"]],
                    "rack_before": ["R8", "R9"],
                    "rack_after": [],
                    "opened": True,
                }
            )
        )
    )
    (question,) = asked["questions"]
    assert asked["verdict"] == "ASK"
    assert list(question) == ["kind", "text", "options", "tile", "rule"]
    assert (question["rule"], question["options"]) == ("joker.free_removal", ["no", "yes"])
