"""Rules as data: every value cites a rule, every switch and every fault is documented."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from engine.faults import Fault
from engine.ruleset import (
    HouseRuleError,
    UnknownPresetError,
    list_presets,
    load_ruleset,
    quotation,
    quotations,
)

ROOT = Path(__file__).resolve().parents[2]
REFEREE = (ROOT / "docs" / "referee.md").read_text("utf-8")
HOUSE_RULES = (ROOT / "docs" / "house-rules.md").read_text("utf-8")
SHARED = Path(os.environ.get("MELDWATCH_SHARED", ROOT.parent / "shared"))
PRESSMAN_DOCUMENT = SHARED / "rules" / "documents" / "pressman.txt"
PRESETS = list_presets()


def rows(document: str) -> list[list[str]]:
    """The cells of every table row of a page."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in document.splitlines()
        if line.startswith("|")
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_value_and_every_fault_cites_a_rule_with_words(preset: str) -> None:
    rules = load_ruleset(preset)
    cited = {*rules.value_rules.values(), *rules.fault_rules.values()}
    cited |= {switch.rule for switch in rules.switches.values()}
    for rule in cited:
        assert quotation(rule)
    assert {code.split("/")[0] for code in rules.fault_rules} == set(Fault.__members__)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_switch_sets_a_field_to_each_of_its_values(preset: str) -> None:
    rules = load_ruleset(preset)
    for name, switch in rules.switches.items():
        default = switch.print(rules.value_of(name))
        if switch.values:
            assert default in switch.values
        for value in switch.values or (switch.least, switch.most):
            chosen = load_ruleset(preset, {name: value})
            assert switch.print(chosen.value_of(name)) == str(value)
            assert name in chosen.chosen
            assert not chosen.is_open(name)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_switch_is_documented_with_values_default_and_kind(preset: str) -> None:
    documented = {row[0].strip("`"): row for row in rows(HOUSE_RULES) if row[0].startswith("`")}
    rules = load_ruleset(preset)
    assert list(documented) == list(rules.switches)
    for name, switch in rules.switches.items():
        _, rule, values, default, kind = documented[name]
        assert rule == switch.rule
        assert kind.startswith("asked" if switch.asked else "settled")
        assert default.strip("`") == switch.print(rules.value_of(name))
        expected = ", ".join(f"`{value}`" for value in switch.values)
        assert values == (expected or f"{switch.least} to {switch.most}")
        assert HOUSE_RULES.count(f"**`{name}`**") == 1


def test_every_fault_is_documented_with_its_rule() -> None:
    documented = {row[0].strip("`"): row for row in rows(REFEREE) if re.match("`[A-Z_]+`", row[0])}
    assert list(documented) == [fault.code for fault in Fault]
    rules = load_ruleset("pressman").fault_rules
    for code, (_, meaning, cited) in documented.items():
        expected = {rule for key, rule in rules.items() if key.split("/")[0] == code}
        assert set(cited.split(", ")) == expected
        assert meaning.endswith(".")


def test_every_rule_in_use_is_documented_in_its_words() -> None:
    rules = load_ruleset("pressman")
    documented = {row[0]: row[1] for row in rows(REFEREE) if re.match(r"[A-Z]+-\d+", row[0])}
    used = {*rules.fault_rules.values(), *rules.value_rules.values()}
    used |= {switch.rule for switch in rules.switches.values()}
    assert documented == {rule: quotation(rule) for rule in documented}
    assert set(documented) == used


def test_quotations_are_the_documents_own_words() -> None:
    """Against the published text, where it lies beside the checkout."""
    if not PRESSMAN_DOCUMENT.is_file():
        pytest.skip("the published rules do not lie beside this checkout")
    text = plain(PRESSMAN_DOCUMENT.read_text("utf-8"))
    for rule, words in quotations().items():
        if rule.startswith(("PR-", "PT-")):
            for part in words.split("..."):
                assert plain(part).strip() in text, rule


def plain(text: str) -> str:
    """Words only: emphasis and line ends of the published text carry nothing."""
    return re.sub(r"\s+", " ", text.replace("**", "").replace("\u2019", "'"))


def test_only_presets_that_are_there_are_offered() -> None:
    assert "pressman" in PRESETS
    assert "citations" not in PRESETS
    with pytest.raises(UnknownPresetError, match=r"no rules 'no-such-game'; there are: .*pressman"):
        load_ruleset("no-such-game")


@pytest.mark.parametrize(
    ("house_rules", "message"),
    [
        ({"joker.frozen": "full"}, "no house rule 'joker.frozen'; there are: run.order"),
        ({"joker.freeze": "sometimes"}, "joker.freeze is one of none, no_split, full"),
        ({"joker.free_removal": 1}, "joker.free_removal is one of no, yes"),
        ({"opening.points": 500}, "opening.points is a whole number from 0 to 200, not 500"),
        ({"opening.points": True}, "opening.points is a whole number"),
    ],
)
def test_a_wrong_house_rule_is_told_plainly(house_rules: dict[str, object], message: str) -> None:
    with pytest.raises(HouseRuleError, match=re.escape(message)):
        load_ruleset("pressman", house_rules)


def test_house_rules_leave_the_preset_alone() -> None:
    changed = load_ruleset("pressman", {"opening.points": 50, "joker.freeze": "full"})
    assert (changed.opening.points, changed.joker.freeze) == (50, "full")
    assert load_ruleset("pressman").opening.points == 30
    assert load_ruleset("pressman", {}) == load_ruleset("pressman")
