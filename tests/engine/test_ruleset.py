"""Rules as data: every value cites a rule, every switch and every fault is documented."""

from __future__ import annotations

import os
import re
import tomllib
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
    settled,
)

ROOT = Path(__file__).resolve().parents[2]
REFEREE = (ROOT / "docs" / "referee.md").read_text("utf-8")
HOUSE_RULES = (ROOT / "docs" / "house-rules.md").read_text("utf-8")
SHARED = Path(os.environ.get("MELDWATCH_SHARED", ROOT.parent / "shared"))
RULES = SHARED / "rules" / "RULES.md"
DOCUMENTS = {
    "RS": "reset",
    "R2": "rummi200kub",
    "SB": "sabra",
    "SR": "sets_and_runs",
    "PR": "pressman",
    "PT": "pressman",
}
PRESETS = list_presets()
ENGINE = ROOT / "engine"


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
    for rule in cited(preset):
        assert quotation(rule)
    assert {code.split("/")[0] for code in rules.fault_rules} <= set(Fault.__members__)


def cited(preset: str) -> set[str]:
    """The rules that the values, faults and switches of a preset name."""
    rules = load_ruleset(preset)
    switches = {switch.rule for switch in rules.switches.values()}
    return {*rules.value_rules.values(), *rules.fault_rules.values(), *switches}


def test_every_fault_is_one_of_some_game() -> None:
    codes = {code.split("/")[0] for name in PRESETS for code in load_ruleset(name).fault_rules}
    assert codes == set(Fault.__members__)


@pytest.mark.parametrize(
    ("preset", "foreign"),
    [
        ("reset", {"R2", "SB", "SR", "PR", "PT"}),
        ("reset-freeze", {"R2", "SB", "SR", "PR", "PT"}),
        ("rummi200kub", {"RS", "SB", "SR", "PR", "PT"}),
        ("sabra", {"RS", "R2", "SR", "PR", "PT"}),
        ("sets-and-runs", {"RS", "R2", "SB", "PR", "PT"}),
        ("pressman", {"RS", "R2", "SB", "SR"}),
        ("pressman-tournament", {"RS", "R2", "SB", "SR"}),
    ],
)
def test_a_game_cites_no_other_game_s_document(preset: str, foreign: set[str]) -> None:
    assert not {rule for rule in cited(preset) if rule.split("-")[0] in foreign}


def catalogued() -> list[str]:
    """Every rule id of the catalogue of the five documents, where it lies beside the checkout."""
    if not RULES.is_file():
        pytest.skip("the published rules do not lie beside this checkout")
    row = r"^\| ((?:RS|R2|SB|SR|PR|PT|G|AMB)-\d+) \|"
    return re.findall(row, RULES.read_text("utf-8"), re.MULTILINE)


def test_every_rule_of_the_catalogue_is_kept_somewhere() -> None:
    """By a value, a fault or a switch of a preset, by code that names it, or settled with a reason."""
    ids = catalogued()
    assert len(ids) == len(set(ids)) > 200
    named = {*settled()}.union(*(cited(preset) for preset in PRESETS))
    code = " ".join(path.read_text("utf-8") for path in ENGINE.glob("*.py"))
    assert not [rule for rule in ids if rule not in named and rule not in code]
    assert sorted(ids) == sorted(quotations())


def test_every_ambiguity_is_a_switch_or_settled_with_a_reason() -> None:
    switches = {s.rule for preset in PRESETS for s in load_ruleset(preset).switches.values()}
    ambiguities = {rule for rule in quotations() if rule.startswith("AMB-")}
    assert ambiguities == {f"AMB-{number:02}" for number in range(1, 51)}
    assert ambiguities - switches == {rule for rule in settled() if rule.startswith("AMB-")}


def test_what_is_settled_is_cited_nowhere_else() -> None:
    """Each fact has one home: a rule with a value needs no sentence about what becomes of it."""
    elsewhere = set[str]().union(*(cited(preset) for preset in PRESETS))
    assert not set(settled()) & elsewhere


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


BASE = {"pressman-tournament": "pressman", "reset-freeze": "reset"}
"""Presets whose section of the page holds only what they change."""


@pytest.mark.parametrize("preset", PRESETS)
def test_every_switch_is_documented_with_values_default_and_kind(preset: str) -> None:
    documented = switches_of(BASE[preset]) | switches_of(preset) if preset in BASE else None
    documented = documented or switches_of(preset)
    rules = load_ruleset(preset)
    assert set(rules.switches) <= set(documented)
    assert preset in BASE or list(documented) == list(rules.switches)
    for name, switch in rules.switches.items():
        _, rule, values, default, kind = documented[name]
        assert rule == switch.rule
        assert kind.startswith("asked" if switch.asked else "settled")
        assert ("of a turn" in kind) == switch.of_turns
        assert all(value in kind for value in switch.left_open)
        assert default.strip("`") == switch.print(rules.value_of(name))
        expected = ", ".join(f"`{value}`" for value in switch.values)
        assert values == (expected or f"{switch.least} to {switch.most}")
        assert HOUSE_RULES.count(f"**`{name}`**") == 1


def switches_of(preset: str) -> dict[str, list[str]]:
    """The rows about a preset, by the name of the switch."""
    section = HOUSE_RULES.split(f" (`{preset}`)\n")[1].split("\n## ")[0]
    return {row[0].strip("`"): row for row in rows(section) if row[0].startswith("`")}


def test_what_is_no_switch_is_said_with_its_reason() -> None:
    for rule in settled():
        assert not rule.startswith("AMB-") or f"{rule}:" in HOUSE_RULES


def test_the_page_of_house_rules_knows_every_preset_and_no_other() -> None:
    assert set(re.findall(r"^## .*\(`([a-z0-9-]+)`\)$", HOUSE_RULES, re.MULTILINE)) == set(PRESETS)


COLUMNS = ("pressman", "sabra", "reset", "rummi200kub", "sets-and-runs")


def test_every_fault_is_documented_with_its_rules() -> None:
    """A column of rules for each document; a fault that a game does not have is left out there."""
    documented = {row[0].strip("`"): row for row in rows(REFEREE) if re.match("`[A-Z_]+`", row[0])}
    assert list(documented) == [fault.code for fault in Fault]
    for code, (_, meaning, *columns) in documented.items():
        assert meaning.endswith(".")
        for preset, cell in zip(COLUMNS, columns, strict=True):
            by_code = load_ruleset(preset).fault_rules.items()
            expected = sorted({rule for key, rule in by_code if key.split("/")[0] == code})
            assert cell == ", ".join(expected), (code, preset)


def test_every_rule_a_ruling_can_cite_is_documented_in_its_words() -> None:
    documented = {
        row[0]: row[1] for row in rows(REFEREE) if re.match(r"[A-Z][A-Z0-9]*-\d+", row[0])
    }
    assert documented == {rule: quotation(rule) for rule in documented}
    presets = map(load_ruleset, PRESETS)
    assert set(documented) == {rule for rules in presets for rule in rules.fault_rules.values()}


@pytest.mark.parametrize(("document", "file"), DOCUMENTS.items())
def test_quotations_are_the_documents_own_words(document: str, file: str) -> None:
    """Against the published text, where it lies beside the checkout. What a document leaves unsaid
    stands in parentheses."""
    published = SHARED / "rules" / "documents" / f"{file}.txt"
    if not published.is_file():
        pytest.skip("the published rules do not lie beside this checkout")
    text = plain(published.read_text("utf-8"))
    quoted = {
        rule: words for rule, words in quotations().items() if rule.startswith(f"{document}-")
    }
    assert quoted
    for rule, words in quoted.items():
        if not words.startswith("("):
            assert all(plain(part).strip() in text for part in words.split("...")), rule


def plain(text: str) -> str:
    """Words only: emphasis, the form of quotation marks and line ends carry nothing."""
    text = re.sub(r"</?\w+>", "", text.replace("**", "").replace("\u2019", "'"))
    return re.sub(r"\s+", " ", re.sub("[\u201c\u201d]", '"', text))


def test_a_deal_is_told_for_every_number_of_players_or_refused() -> None:
    """RS-04, AMB-01, and the pool that is left (TV-29); 106 tiles less 14 each leave one beside stacks
    of seven (TV-26)."""
    reset, sabra = load_ruleset("reset").deal, load_ruleset("sabra").deal
    assert [106 - n * reset.tiles_for(n) for n in range(2, 7)] == [76, 61, 54, 56, 46]
    assert [(106 - n * sabra.tiles_for(n)) % 7 for n in range(2, 5)] == [1, 1, 1]
    with pytest.raises(ValueError, match="2, 3, 4, 5, 6 players, not for 7"):
        reset.tiles_for(7)
    shared = load_ruleset("reset", {"deal.beyond": "share"}).deal
    assert [shared.tiles_for(n) for n in (6, 7, 8, 12)] == [10, 8, 7, 7]


@pytest.mark.parametrize(
    ("preset", "players", "rounds"),
    [
        ("reset", 3, 3),
        ("reset", 5, 5),
        ("reset", 2, 4),
        ("sabra", 4, 4),
        ("sets-and-runs", 4, 7),
        ("rummi200kub", 3, 1),
        ("pressman", 4, None),
        ("pressman-tournament", 4, 3),
    ],
)
def test_how_many_rounds_a_game_has(preset: str, players: int, rounds: int | None) -> None:
    """RS-25, SB-24 with AMB-32, SR-03, R2-33, PR-02, PT-04."""
    assert load_ruleset(preset).rounds_for(players) == rounds


def test_the_seven_contracts_need_a_card_more_each_round() -> None:
    """AMB-39: first two sets, last three runs of twelve cards (SR-27, TV-24)."""
    rules = load_ruleset("sets-and-runs")
    family = load_ruleset("sets-and-runs", {"contracts.order": "family"})
    assert rules.contracts is not None
    assert family.contracts is not None
    cards = [g * rules.group.least + r * rules.run.least for g, r in rules.contracts.in_order]
    assert cards == [6, 7, 8, 9, 10, 11, 12]
    assert family.contracts.in_order[3:6] == ((2, 1), (1, 2), (3, 0))


def test_values_that_documents_give_for_themselves() -> None:
    """TV-08 and the table of contradictions between the documents."""
    seconds = [load_ruleset(name).timeout.limit_s for name in PRESETS]
    assert dict(zip(PRESETS, seconds, strict=True)) == {
        "pressman": 120,
        "pressman-tournament": 60,
        "reset": 120,
        "reset-freeze": 120,
        "rummi200kub": 200,
        "sabra": 120,
        "sets-and-runs": 0,
    }
    assert [load_ruleset(name).start.by for name in PRESETS] == [
        *("highest", "highest", "random", "random", "lowest", "highest", "left_of_dealer")
    ]
    counter = {n for n in PRESETS if load_ruleset(n).start.direction == "counterclockwise"}
    assert counter == {"rummi200kub", "sabra"}


def test_only_presets_that_are_there_are_offered() -> None:
    assert "pressman" in PRESETS
    assert "citations" not in PRESETS
    with pytest.raises(UnknownPresetError, match=r"no rules 'no-such-game'; there are: .*pressman"):
        load_ruleset("no-such-game")


@pytest.mark.parametrize(
    ("house_rules", "message"),
    [
        ({"joker.frozen": "full"}, "no house rule 'joker.frozen'; there are: players.most, "),
        ({"joker.freeze": "sometimes"}, "joker.freeze is one of none, no_split, full"),
        ({"joker.free_removal": 1}, "joker.free_removal is one of no, yes"),
        ({"opening.points": 500}, "opening.points is a whole number from 0 to 200, not 500"),
        ({"opening.points": True}, "opening.points is a whole number"),
    ],
)
def test_a_wrong_house_rule_is_told_plainly(house_rules: dict[str, object], message: str) -> None:
    with pytest.raises(HouseRuleError, match=re.escape(message)):
        load_ruleset("pressman", house_rules)


def test_a_house_rule_of_a_file_needs_no_quotes() -> None:
    """TOML parts a name without them at its dot."""
    bare = tomllib.loads('joker.free_removal = "no"\njoker.freeze = "full"\n"opening.points" = 40')
    quoted = {"joker.free_removal": "no", "joker.freeze": "full", "opening.points": 40}
    assert load_ruleset("pressman", bare) == load_ruleset("pressman", quoted)
    assert load_ruleset("pressman", bare).chosen == set(quoted)
    with pytest.raises(HouseRuleError, match=r"no house rule 'joker\.frozen'"):
        load_ruleset("pressman", {"joker": {"frozen": "full"}})
    with pytest.raises(HouseRuleError, match=r"joker\.freeze is given twice"):
        load_ruleset("pressman", {"joker": {"freeze": "full"}, "joker.freeze": "none"})


def test_house_rules_leave_the_preset_alone() -> None:
    changed = load_ruleset("pressman", {"opening.points": 50, "joker.freeze": "full"})
    assert (changed.opening.points, changed.joker.freeze) == (50, "full")
    assert load_ruleset("pressman").opening.points == 30
    assert load_ruleset("pressman", {}) == load_ruleset("pressman")
