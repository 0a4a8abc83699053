"""Games by machines: all that is asked is chosen before them, so that no needless question comes up."""

from __future__ import annotations

import random

import pytest

from engine.ruleset import list_presets, load_ruleset
from table.fuzzing.seating import VARIED, seated
from table.match.script import Script, presets


@pytest.mark.parametrize("preset", presets())
def test_a_match_is_played_with_a_choice_for_all_that_is_asked(preset: str) -> None:
    """Every question about a house rule would be needless, and count as one."""
    for seed in range(3):
        rules = Script(preset, seed).rules
        assert rules.usual_answers() == {}
        assert {"joker.max_per_set", "joker.identity"} <= rules.chosen


@pytest.mark.parametrize("preset", list_presets())
def test_a_game_at_random_leaves_open_only_what_its_players_get_along_with(preset: str) -> None:
    asked, left = set(load_ruleset(preset).usual_answers()), set[str]()
    for number in range(60):
        begun = seated(preset, random.Random(f"{preset} {number}")).begun
        rules = load_ruleset(preset, begun.house_rules)
        assert set(rules.usual_answers()) <= set(VARIED)
        left |= set(rules.usual_answers())
    assert left == asked & set(VARIED), "what they get along with is open now and then"
