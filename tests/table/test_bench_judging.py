"""What the bench of validating and judging is made of; how fast it is, no test says."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.faults import Verdict
from engine.referee import judge
from engine.ruleset import RuleSet, load_ruleset
from engine.sets import is_legal_layout
from engine.tiles import TILES
from table.bench_cards import drawn_card_turns
from table.bench_judging import (
    asked_and_answered,
    bench_judging,
    full_tables,
    legal_turns,
    spoilt_turns,
)
from table.bench_solver import drawn_turns
from table.bench_spans import Spans, time_each, time_each_cold

RULES = load_ruleset("pressman", {"joker.max_per_set": 2})


def test_full_tables_hold_every_tile_of_the_game_in_sets() -> None:
    tables = full_tables(20, RULES)
    assert len({str(table) for table in tables}) == 20
    for table in tables:
        assert is_legal_layout(table, RULES)
        assert Counter(table.tiles) == Counter(2 * TILES)


def test_the_same_tables_are_drawn_every_time() -> None:
    assert full_tables(3, RULES) == full_tables(3, RULES)


def test_turns_on_full_tables_are_legal_and_a_moved_tile_is_told() -> None:
    legal = legal_turns(full_tables(30, RULES))
    assert {judge(turn, RULES).verdict for turn in legal} == {Verdict.LEGAL}
    for turn, spoilt in zip(legal, spoilt_turns(legal), strict=True):
        assert Counter(spoilt.after.tiles) == Counter(turn.after.tiles)
    verdicts = [judge(turn, RULES, with_repairs=False).verdict for turn in spoilt_turns(legal)]
    assert Counter(verdicts).most_common(1)[0][0] is Verdict.ILLEGAL


@pytest.mark.parametrize("preset", ["pressman", "sabra", "reset"])
def test_drawn_turns_are_whole(preset: str) -> None:
    """No tile comes or goes but what is drawn, and every table is legal."""
    rules: RuleSet = load_ruleset(preset)
    for turn in drawn_turns(rules):
        assert turn.before is not None
        assert turn.rack_before is not None
        assert turn.rack_after is not None
        was = Counter((*turn.before.tiles, *turn.rack_before))
        now = Counter((*turn.after.tiles, *turn.rack_after))
        assert was <= now
        assert (now - was).total() == (turn.before == turn.after)
        assert is_legal_layout(turn.after, rules)


def test_each_thing_is_timed_once_and_answered() -> None:
    ticks = iter(range(0, 100, 5))
    spans, answers = time_each(
        "twice", [1, 2, 3], lambda n: 2 * n, clock=lambda: float(next(ticks))
    )
    assert answers == [2, 4, 6]
    assert spans == Spans("twice", (5000.0, 5000.0, 5000.0))
    assert spans.to_json() == {
        "name": "twice",
        "median_ms": 5000.0,
        "p99_ms": 5000.0,
        "longest_ms": 5000.0,
    }


def test_an_items_time_is_the_median_of_rounds_from_empty_caches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks = iter([0.0, 1.0, 0.0, 8.0, 0.0, 2.0, 0.0, 8.0, 0.0, 9.0, 0.0, 5.0])
    monkeypatch.setattr("time.thread_time", lambda: next(ticks))
    done: list[str] = []
    monkeypatch.setattr("table.bench_spans.forget", lambda: done.append("forgotten"))

    def drawn() -> list[str]:
        done.append("drawn")
        return ["one", "two"]

    spans, _ = time_each_cold("each", drawn, done.append, rounds=3)
    assert done == 3 * ["drawn", "forgotten", "one", "two"]
    assert spans == Spans("each", (2000.0, 8000.0))
    with pytest.raises(ValueError, match="at least one round"):
        time_each_cold("each", drawn, done.append, rounds=0)


def test_the_bench_tells_what_was_judged() -> None:
    found = bench_judging(RULES, lambda: drawn_turns(RULES)[:5], tables=6, rounds=1)
    assert found.tables == len(found.validated.milliseconds) == 6
    assert [len(spans.milliseconds) for spans in found.judged] == [5, 6, 6, 5, 6, 6, 6, 8, 6]
    assert found.judged[1].name == "turns on 106 tiles (6 LEGAL)"
    assert found.to_json()["judged"][4]["name"] == "turns on 106 tiles, repairs (6 LEGAL)"
    assert found.judged[6].name == "turns with cards, house rules chosen (6 LEGAL)"


def test_what_is_asked_in_a_game_is_answered_once() -> None:
    """Then the turn is judged again, and the answer holds until the next game begins."""
    rules = load_ruleset("sets-and-runs")
    turns = drawn_card_turns(rules.with_house_rules(rules.usual_answers()), 90)
    judged = asked_and_answered(turns + turns, rules)
    asked = [judge(*both).questions for both in judged]
    names = [question.rule for questions in asked for question in questions]
    assert len(judged) == 2 * len(turns) + len(names)
    assert names[: len(names) // 2] == names[len(names) // 2 :]
    assert len(set(names)) == len(names) // 2 > 1
    assert [by == rules for _, by in judged].count(True) > 1
    assert judged[-1][1] != rules


def test_turns_with_cards_are_drawn_from_whole_games() -> None:
    """Plays and discards, all of them legal where everything is chosen."""
    rules = load_ruleset("sets-and-runs")
    settled = rules.with_house_rules(rules.usual_answers())
    turns = drawn_card_turns(settled, 120)
    assert drawn_card_turns(settled, 30) == turns[:30]
    assert {judge(turn, settled).verdict for turn in turns} == {Verdict.LEGAL}
    assert 0 < sum(turn.discard is None for turn in turns) < 120
