"""What is asked of a turn and holds by its default where a table alone is judged (AMB-11, AMB-40)."""

from __future__ import annotations

import pytest

from engine.faults import Ruling, Verdict
from engine.layout import GridReading, LayoutReading, TileReading, parse_grid, parse_layout
from engine.melds import parse_tiles
from engine.referee import judge, judge_reading
from engine.ruleset import list_presets, load_ruleset
from engine.tiles import parse_tile
from engine.turn_reading import TurnReading
from engine.turns import Turn
from tests.engine.doubtful import reading

OF_TURNS = {"joker.max_per_set", "run.least", "group.least", "group.duplicates"}


def rests_on(ruling: Ruling) -> set[str]:
    """The switches that `unchecked` names."""
    return {name for name in OF_TURNS for text in ruling.unchecked if f"({name}, AMB-" in text}


@pytest.mark.parametrize("preset", list_presets())
def test_these_switches_alone_are_asked_of_turns(preset: str) -> None:
    rules = load_ruleset(preset)
    of_turns = {name for name, switch in rules.switches.items() if switch.of_turns}
    wanted = {"joker.max_per_set"}
    if preset == "sets-and-runs":
        # Its jokers are another question (AMB-43), asked of a table alone, too.
        wanted = OF_TURNS - {"joker.max_per_set"}
    assert of_turns == wanted
    assert all(rules.is_open(name) for name in of_turns)
    alone = rules.for_table_alone()
    assert not any(alone.is_open(name) for name in of_turns)
    assert alone.for_table_alone() is alone
    assert rules.for_table_alone() is alone, "made once"
    assert set(alone.usual_answers()) == set(rules.usual_answers()) - of_turns
    chosen = rules.with_house_rules(rules.usual_answers())
    assert chosen.for_table_alone() is chosen


TABLES = [
    ("pressman", "R5 J J", "LEGAL", {"joker.max_per_set"}),
    ("sabra", "R5 J J", "LEGAL", {"joker.max_per_set"}),
    ("reset", "R5 J J | K1 K2 K3", "LEGAL", {"joker.max_per_set"}),
    ("pressman", "R5 J R7 | K5 J K7", "LEGAL", set()),
    ("pressman", "R5 J J B9", "ILLEGAL", set()),
    ("sets-and-runs", "7S 7H 7D", "LEGAL", {"group.least"}),
    ("sets-and-runs", "7S 7S 7D", "LEGAL", {"group.least", "group.duplicates"}),
    ("sets-and-runs", "7S 8S 9S", "ILLEGAL", {"run.least"}),
    ("sets-and-runs", "7S 7H 7D 7C | 7S 8S 9S 10S", "LEGAL", set()),
]


@pytest.mark.parametrize(("preset", "table", "verdict", "names"), TABLES)
def test_a_table_alone_goes_by_the_default_and_says_so(
    preset: str, table: str, verdict: str, names: set[str]
) -> None:
    rules, layout = load_ruleset(preset), parse_layout(table)
    for ruling in (
        judge(Turn(None, layout), rules),
        judge(Turn(None, layout, opened=True, elapsed_s=3.0), rules),
        judge_reading(LayoutReading.certain(layout), rules),
    ):
        assert (ruling.verdict.value, rests_on(ruling)) == (verdict, names)
    chosen = rules.with_house_rules(rules.usual_answers())
    settled = judge(Turn(None, layout), chosen)
    assert (settled.verdict.value, rests_on(settled)) == (verdict, set())


def test_a_board_alone_goes_by_the_default_as_well() -> None:
    rules, board = load_ruleset("rummi200kub"), parse_grid("K7 J J")
    for ruling in (
        judge(Turn(None, parse_layout("-")).with_grid(None, board), rules),
        judge_reading(GridReading.certain(board), rules),
    ):
        assert (ruling.verdict, rests_on(ruling)) == (Verdict.LEGAL, {"joker.max_per_set"})


@pytest.mark.parametrize(
    "told",
    [
        {"before": parse_layout("-")},
        {"rack_before": parse_tiles("R5 J J")},
        {"rack_after": parse_tiles("K1")},
    ],
)
def test_where_anything_is_told_of_a_turn_it_is_asked(told: dict[str, object]) -> None:
    rules = load_ruleset("pressman")
    turn = Turn(**{"before": None, "after": parse_layout("R10 J J"), "opened": True, **told})  # type: ignore[arg-type]
    for ruling in (judge(turn, rules), judge_reading(TurnReading.certain(turn), rules)):
        assert ruling.verdict is Verdict.ASK
        assert [question.rule for question in ruling.questions] == ["joker.max_per_set"]
        assert rests_on(ruling) == set()


def test_a_rack_that_was_read_is_of_a_turn() -> None:
    read = TurnReading(
        LayoutReading.certain(parse_layout("R10 J J")),
        rack_after=(TileReading.certain(parse_tile("K1")),),
    )
    assert not read.is_table_alone
    assert judge_reading(read, load_ruleset("pressman")).verdict is Verdict.ASK


def test_a_doubtful_table_alone_says_what_any_of_its_readings_rests_on() -> None:
    """Both are legal: R5 6 7, or R5 and two jokers."""
    ruling = judge_reading(reading("R5 J R7/J"), load_ruleset("pressman"))
    assert (ruling.verdict, rests_on(ruling)) == (Verdict.LEGAL, {"joker.max_per_set"})


def test_the_question_offers_the_default_first() -> None:
    rules = load_ruleset("pressman")
    turn = Turn(parse_layout("-"), parse_layout("R10 J J"), opened=False)
    (question,) = judge(turn, rules).questions
    assert (question.rule, question.options) == ("joker.max_per_set", ("2", "1"))
    assert "How many jokers may one set hold?" in question.text
