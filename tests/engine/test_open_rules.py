"""On which house rules that nobody has chosen an answer rests, and how their answers are given."""

from __future__ import annotations

import pytest

from engine.melds import parse_tiles
from engine.open_rules import SET_SWITCHES, deciding
from engine.packing import packed
from engine.ruleset import HouseRuleError, list_presets, load_ruleset
from engine.set_questions import mattering_to
from engine.sets import is_set
from engine.switches import parse_switch


@pytest.mark.parametrize(
    ("preset", "row", "names"),
    [
        ("pressman", "K7 J K9", set()),
        ("pressman", "K7 J J", {"joker.max_per_set"}),
        ("pressman", "K12 K13 K1", set()),
        ("sabra", "K12 K13 K1", {"run.wrap"}),
        ("sabra", "K12 J J", {"joker.max_per_set"}),
        ("sabra", "K13 K1 J J", {"joker.max_per_set", "run.wrap"}),
        ("sets-and-runs", "7S 7H 7D", {"group.least"}),
        ("sets-and-runs", "7S 7S 7D", {"group.duplicates", "group.least"}),
        ("sets-and-runs", "7S 8S 9S", {"run.least"}),
        ("sets-and-runs", "7S 7H 7D 7C", set()),
        ("sets-and-runs", "4S * 6S *", {"joker.max_per_set"}),
        ("sets-and-runs", "* * * 7D", {"joker.max_per_set", "joker.naturals"}),
        ("sets-and-runs", "7S 7H 8D", set()),
    ],
)
def test_a_set_rests_on_what_makes_it_one_by_some_answers_alone(
    preset: str, row: str, names: set[str]
) -> None:
    rules, tiles = load_ruleset(preset), parse_tiles(row)
    _, still_open = rules.standing_of(SET_SWITCHES)
    assert deciding(still_open, rules, lambda answered: is_set(tiles, answered)) == names
    assert names <= set(mattering_to(packed(tiles)))


@pytest.mark.parametrize("preset", list_presets())
def test_every_open_value_has_its_meaning_and_can_be_given_as_it_is_offered(preset: str) -> None:
    rules = load_ruleset(preset)
    for name in rules.usual_answers():
        switch = rules.switches[name]
        assert len(switch.open_values) > 1
        for value in switch.open_values:
            assert switch.meaning_of(value).endswith(".")
            assert switch.print(rules.with_house_rules({name: value}).value_of(name)) == value


@pytest.mark.parametrize("preset", list_presets())
def test_usual_answers_leave_nothing_open_and_every_value_as_it_was(preset: str) -> None:
    rules = load_ruleset(preset)
    settled = rules.with_house_rules(rules.usual_answers())
    assert settled.usual_answers() == {}
    assert all(settled.value_of(name) == rules.value_of(name) for name in rules.switches)


def test_a_number_is_no_text_but_where_it_is_offered_as_one() -> None:
    rules = load_ruleset("sets-and-runs")
    assert rules.with_house_rules({"joker.max_per_set": "1"}).joker.max_per_set == 1
    for name, value in (("joker.max_per_set", "5"), ("run.least", "2")):
        with pytest.raises(HouseRuleError, match="is a whole number"):
            rules.with_house_rules({name: value})


def test_what_is_asked_about_says_what_each_answer_means() -> None:
    entry = {"name": "x.y", "rule": "AMB-11", "asked": True, "question": "?", "least": 1, "most": 2}
    with pytest.raises(ValueError, match="say what each open value means"):
        parse_switch(entry)
    with pytest.raises(ValueError, match="say what each open value means"):
        parse_switch(entry | {"open": ["1", "2"], "words": {"1": "One."}})
