"""Against positions that independent programs agree on, where they lie beside the checkout.

Those programs let jokers stand for anything and read a set as a heap of tiles. This referee reads it
as it lies (AMB-12), so a set that they accept is one here as it lies or once put in order.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.layout import Layout
from engine.melds import parse_tiles
from engine.referee import Fault, Turn, Verdict, judge
from engine.ruleset import load_ruleset
from engine.sets import readings_of

SHARED = Path(
    os.environ.get("MELDWATCH_SHARED", Path(__file__).resolve().parents[2].parent / "shared")
)
CASES = SHARED / "rules" / "cases.json"
PRESSMAN = load_ruleset("pressman")
AS_A_HEAP = load_ruleset("pressman", {"run.order": "any"})


@pytest.fixture(scope="module")
def cases() -> dict[str, Any]:
    if not CASES.is_file():
        pytest.skip("the published cases do not lie beside this checkout")
    loaded: dict[str, Any] = json.loads(CASES.read_text("utf-8"))
    return loaded


def layout(melds: list[list[str]]) -> Layout:
    return Layout.of(parse_tiles(" ".join(meld)) for meld in melds)


def test_sets(cases: dict[str, Any]) -> None:
    for case in cases["set_validity"]:
        tiles = parse_tiles(" ".join(case["tiles"]))
        kinds = {reading.kind for reading in readings_of(tiles, AS_A_HEAP)} if tiles else set()
        wanted = {"group", "run"} if case["judged_as"] == "any" else {case["judged_as"]}
        assert bool(kinds & wanted) == case["valid"], case
        if tiles:
            laid = judge(Turn(None, Layout.of([tiles])), PRESSMAN)
            assert (laid.verdict is Verdict.ILLEGAL) == (not kinds), case


def test_turns(cases: dict[str, Any]) -> None:
    for case in cases["turns"]:
        turn = Turn(
            layout(case["before"]),
            layout(case["after"]),
            parse_tiles(" ".join(case["rack_before"])),
            parse_tiles(" ".join(case["rack_after"])),
            case["has_initial_meld"],
        )
        ruling = judge(turn, PRESSMAN)
        assert ruling.verdict is (Verdict.LEGAL if case["peer_legal"] else Verdict.ILLEGAL), case
        lost = ruling.faults & (Fault.TILE_CONSERVATION | Fault.TABLE_TILE_TO_RACK)
        assert bool(lost) is not case["conservation_ok"], case


def test_initial_melds(cases: dict[str, Any]) -> None:
    """Worth what they are as they lie. The 24 that others give `J R7 J` is for 7 8 9, which does not
    lie there."""
    for case in cases["openings"]:
        tiles = parse_tiles(" ".join(case["tiles"]))
        assert readings_of(tiles, PRESSMAN)[0].points == case["opening_value"], case
        enough = case["opening_value"] >= PRESSMAN.opening.points
        ruling = judge(Turn(Layout(), Layout.of([tiles]), opened=False), PRESSMAN)
        assert ruling.verdict is (Verdict.LEGAL if enough else Verdict.ILLEGAL), case


def test_tables_that_came_from_play_are_legal(cases: dict[str, Any]) -> None:
    for case in cases["best_play"]:
        ruling = judge(Turn(None, layout(case["table"])), AS_A_HEAP)
        assert ruling.verdict is Verdict.LEGAL, case
