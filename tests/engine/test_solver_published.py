"""The solver against positions that independent programs agree on, where they lie nearby."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.melds import parse_tiles
from engine.ruleset import load_ruleset
from engine.sets import is_set
from engine.solve_json import position_from_json, solved, solved_to_json
from engine.solver import best_opening, best_play

SHARED = Path(
    os.environ.get("MELDWATCH_SHARED", Path(__file__).resolve().parents[2].parent / "shared")
)
CASES = SHARED / "rules" / "cases.json"
PRESSMAN = load_ruleset("pressman")


@pytest.fixture(scope="module")
def cases() -> dict[str, Any]:
    if not CASES.is_file():
        pytest.skip("the published cases do not lie beside this checkout")
    loaded: dict[str, Any] = json.loads(CASES.read_text("utf-8"))
    return loaded


@pytest.mark.parametrize(
    ("objective", "figure", "wanted"),
    [("tiles", "count", "max_rack_tiles"), ("points", "points", "max_rack_points")],
)
def test_best_plays(cases: dict[str, Any], objective: str, figure: str, wanted: str) -> None:
    for case in cases["best_play"]:
        asked = {"rules": "pressman", "table": case["table"], "rack": case["rack"]}
        answer = solved_to_json(solved(position_from_json(asked | {"objective": objective})))
        assert answer[figure] == case[wanted], case
        assert answer["can_open"] == case["can_open_with_30"], case
        before = Counter(tile for meld in case["table"] for tile in meld)
        after = Counter(tile for meld in answer["table_after"] for tile in meld)
        assert after == before + Counter(answer["placed"]), case
        assert Counter(answer["placed"]) <= Counter(case["rack"]), case
        for meld in answer["table_after"]:
            assert is_set(parse_tiles(" ".join(meld)), PRESSMAN), (case, meld)


def test_no_preset_places_more_by_its_own_joker_rules(cases: dict[str, Any]) -> None:
    for case in cases["best_play"]:
        asked = {"rules": "pressman", "table": case["table"], "rack": case["rack"]}
        position = position_from_json(asked)
        if all(is_set(meld.tiles, PRESSMAN) for meld in position.table.melds):
            kept = best_play(position.table, position.rack, PRESSMAN, free_jokers=False)
            assert kept is not None
            assert kept.count <= case["max_rack_tiles"], case


def test_openings(cases: dict[str, Any]) -> None:
    """Each is worth at least its highest reading; R6 J J beats the R3 J J R6 it is part of."""
    for case in cases["openings"]:
        worth, _ = best_opening(parse_tiles(" ".join(case["tiles"])), PRESSMAN)
        better = {"R3 J J R6": 21}.get(" ".join(case["tiles"]))
        assert worth == (better or case["highest_reading"]), case
