"""Every worked example of the documents, by its number in the catalogue of their rules.

What is scored or bought in them stands with the tests of those; here are the turns and the racks.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from engine.layout import parse_layout
from engine.melds import parse_meld, parse_tiles
from engine.referee import judge
from engine.ruleset import load_ruleset
from engine.scoring import Claim, HandsAtEnd, score_claims, score_rounds
from engine.solver import best_play, can_open
from engine.turns import parse_turn

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = Path(os.environ.get("MELDWATCH_SHARED", ROOT.parent / "shared")) / "rules" / "RULES.md"

# fmt: off
TURNS = [
    ("TV-09", "reset", "R2 R3 R4 R5 R6", "R2 R3 R4 | R4 R5 R6", "R4", "LEGAL"),
    ("TV-10", "reset", "R2 R3 R4 R5 R6", "R2 R3 R4 R5 | R5 R6", "R5", "ILLEGAL"),
    ("TV-11", "reset", "R2 R3 R4 R5 R6 | K7 B7 R7 O7", "R2 R3 R4 | R6 R7 R8 | K7 B7 O7 | R5 B5 J",
     "R8 B5 J", "LEGAL"),
    ("TV-12", "reset", "", "K1 K2 K3 K4 K5", "K1 K2 K3 K4 K5", "LEGAL"),
    ("TV-12", "reset", "", "K12 K13 K1", "K12 K13 K1", "LEGAL"),
    ("TV-12", "reset", "", "K13 K1 K2", "K13 K1 K2", "ILLEGAL"),
    ("TV-13", "sabra", "B4 B5 B6", "B4 B5 B6 B7", "B7", "LEGAL"),
    ("TV-13", "sabra", "K10 R10 B10", "K10 R10 B10 O10", "O10", "LEGAL"),
    ("TV-14", "sabra", "B8 B9 B10", "B9 B10 B11 | B8 K8 O8", "B11 K8 O8", "LEGAL"),
    ("TV-15", "sabra", "R4 R5 R6 R7 R8", "R4 R5 R6 | R6 R7 R8", "R6", "LEGAL"),
    ("TV-16", "sabra", "O1 O2 O3 O4 | R1 O1 B1 K1", "O2 O3 O4 | O1 B1 K1 | R1 O1 B1", "B1", "LEGAL"),
    ("TV-17", "sabra", "O5 O6 O7 | R5 R6 R7 | K5 K6 K7 K8 K9",
     "O5 R5 K5 B5 | O6 R6 K6 | O7 R7 K7 | K8 K9 K10", "K10 B5", "LEGAL"),
    ("TV-17", "pressman", "O5 O6 O7 | R5 R6 R7 | K5 K6 K7 K8 K9",
     "O5 R5 K5 B5 | O6 R6 K6 | O7 R7 K7 | K8 K9 K10", "K10 B5", "LEGAL"),
    ("TV-18", "pressman", "B4 B5 B6", "B3 B4 B5 B6 B7", "B3 B7", "LEGAL"),
    ("TV-19", "pressman", "R4 B4 K4 O4", "R4 K4 O4 | B3 B4 B5 B6", "B3 B5 B6", "LEGAL"),
    ("TV-20", "pressman", "B8 B9 B10", "B9 B10 B11 | B8 K8 O8", "B11 K8 O8", "LEGAL"),
    ("TV-21", "sabra", "K5 B5 J", "K5 B5 R5 | J O8 O9", "R5 O8 O9", "ILLEGAL"),
    ("TV-21", "pressman", "K5 B5 J", "K5 B5 R5 | J O8 O9", "R5 O8 O9", "LEGAL"),
    ("TV-30", "pressman", "R5 R6 J", "R5 R6 J | K1 K2 K3", "K1 K2", "ILLEGAL"),
]
# fmt: on


@pytest.mark.parametrize(("number", "preset", "before", "after", "rack", "verdict"), TURNS)
def test_a_turn(number: str, preset: str, before: str, after: str, rack: str, verdict: str) -> None:
    """All tiles of the rack are played by a player who has opened."""
    told = parse_turn(
        f"turn/1 {preset}; before: {before or '-'}; after: {after}; rack: {rack} > -;"
        " opened: yes; elapsed: 30"
    )
    assert judge(told.turn, load_ruleset(preset)).verdict == verdict, number


@pytest.mark.parametrize(
    ("number", "preset", "table", "rack", "count"),
    [
        ("TV-10", "reset", "R2 R3 R4 R5 R6", "R5", 0),
        ("TV-11", "reset", "R2 R3 R4 R5 R6 | K7 B7 R7 O7", "R8 B5 J", 3),
        ("TV-11", "reset", "R4 R5 R6 | K7 B7 R7 O7", "R8 B5 J", 2),
        ("TV-14", "sabra", "B8 B9 B10", "B11 K8 O8", 3),
        ("TV-30", "pressman", "R5 R6 J", "R7", 1),
    ],
)
def test_how_many_tiles_can_be_played(
    number: str, preset: str, table: str, rack: str, count: int
) -> None:
    play = best_play(parse_layout(table), parse_tiles(rack), load_ruleset(preset))
    assert play is not None
    assert play.count == count, number


def test_a_tile_that_is_added_before_the_joker_of_a_run_is_no_question() -> None:
    """TV-30: red 4 to red 5, red 6 and a joker; red 7 for it, which moves along, is asked (AMB-17)."""
    told = "turn/1 pressman; before: R5 R6 J; after: {}; rack: {} > -; opened: yes; elapsed: 30"
    for row, rack, verdict in (("R4 R5 R6 J", "R4", "LEGAL"), ("R5 R6 R7 J", "R7", "ASK")):
        turn = parse_turn(told.format(row, rack)).turn
        assert judge(turn, load_ruleset("pressman")).verdict == verdict


@pytest.mark.parametrize("rack", ["R10 B10 K10", "R10 B10 J"])
def test_thirty_points_are_enough_also_with_a_joker(rack: str) -> None:
    """TV-30."""
    assert can_open(parse_tiles(rack), load_ruleset("pressman"))


def test_the_totals_of_two_games() -> None:
    """TV-03: A +18, B -16, C +6, D -8."""
    lost = ({"B": "K5", "C": "R13 B3", "D": "O1 O2"}, {"A": "K6", "B": "B11", "D": "O5"})
    rounds = [
        HandsAtEnd({name: parse_tiles(tiles) for name, tiles in hands.items()}, out=out)
        for hands, out in zip(lost, "AC", strict=True)
    ]
    sheet = score_rounds(tuple("ABCD"), rounds, load_ruleset("sabra"))
    assert sheet.totals == {"A": 18, "B": -16, "C": 6, "D": -8}


def test_three_eights_are_worth_twenty_four() -> None:
    """TV-07."""
    claim = Claim("Ada", (parse_meld("K8 B8 R8"),))
    sheet, _ = score_claims(("Ada", "Ben"), [claim], "blocked", load_ruleset("rummi200kub"))
    assert sheet.totals["Ada"] == 24


def test_every_worked_example_of_the_catalogue_is_in_the_tests() -> None:
    if not CATALOGUE.is_file():
        pytest.skip("the catalogue of rules does not lie beside this checkout")
    numbers = re.findall(r"^\| (TV-\d\d) ", CATALOGUE.read_text("utf-8"), re.MULTILINE)
    assert len(numbers) == 30
    tests = " ".join(path.read_text("utf-8") for path in ROOT.glob("tests/engine/**/*.py"))
    assert not [number for number in numbers if number not in tests]
