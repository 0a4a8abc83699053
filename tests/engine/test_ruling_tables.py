"""Every row of the tables in `rulings/`, and that the tables leave no sentence of the rules out."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from engine.ruleset import list_presets, load_ruleset, quotation, quotations, settled
from engine.turns import RecordedTurn
from tests.engine.ruling_tables import Row, Section, Table, load_tables, ruled, told

ROOT = Path(__file__).resolve().parents[2]
TABLES = load_tables()
ROWS = [
    pytest.param(row, id=f"{table.name}-{row.rule}-{number}")
    for table in TABLES
    for number, row in enumerate(table.rows, 1)
]
SECTIONS = [
    pytest.param(section, id=f"{table.name}-{section.rule}")
    for table in TABLES
    for section in table.sections
]
DOCUMENTS = ("RS", "R2", "SB", "SR", "PR", "PT", "G")
BASE = {"pressman-tournament": "pressman", "reset-freeze": "reset"}
"""Presets that are another one but for a few values: faults they have in common need one row."""


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_ruled_as_its_table_says(row: Row) -> None:
    """The verdict, every fault with the rule it cites in the words of its document, the question."""
    ruling = ruled(row.turn)
    assert told(ruling) == row.ruling, row.text
    for finding in (*ruling.findings, *ruling.advice):
        assert finding.quote == quotation(finding.rule)
        assert finding.message.endswith(".")
        assert "cheat" not in finding.message.lower()


def test_every_sentence_of_the_documents_has_its_section() -> None:
    found = [section.rule for table in TABLES for section in table.sections]
    sentences = [rule for rule in quotations() if not rule.startswith("AMB-")]
    assert sorted(rule for rule in found if not rule.startswith("AMB-")) == sorted(sentences)
    assert len(sentences) == 160


@pytest.mark.parametrize("section", SECTIONS)
def test_a_rule_is_shown_both_kept_and_broken(section: Section) -> None:
    """Where any turn can break it. A row that breaks it cites it, or the rule it is told as."""
    verdicts = {row.verdict for row in section.rows}
    assert verdicts or section.kept
    if section.never_broken:
        assert verdicts == {"LEGAL"}
    elif verdicts and not section.rule.startswith("AMB-"):
        assert {"LEGAL", "ILLEGAL"} <= verdicts
    for row in section.rows:
        if row.verdict == "ILLEGAL":
            cited = {rule for _, rule in row.cited}
            assert cited & {section.rule, *section.told_as}, row.text
    shown = {rule for row in section.rows for _, rule in row.cited}
    assert set(section.told_as) <= shown


@pytest.mark.parametrize("section", [item for item in SECTIONS if item.values[0].kept])
def test_what_keeps_a_rule_is_there(section: Section) -> None:
    """A value of the preset that cites this rule and says the same; or a sentence; or a test."""
    for kept in section.kept:
        if kept == "settled":
            assert section.rule in settled()
        elif kept.startswith("value "):
            rules = load_ruleset(section.preset)
            name, _, value = kept.removeprefix("value ").partition(" = ")
            assert rules.value_rules[name] == section.rule
            assert listed(rules.value_of(name)) == json.loads(value), kept
        else:
            path, _, test = kept.partition("::")
            assert test in functions_of(ROOT / path), kept


def listed(value: object) -> object:
    return list(map(listed, value)) if isinstance(value, tuple) else value


def functions_of(path: Path) -> set[str]:
    module = ast.parse(path.read_text("utf-8"))
    return {node.name for node in module.body if isinstance(node, ast.FunctionDef)}


def reached() -> dict[str, set[str]]:
    """By preset: the faults that rows reach, each with the rule it cites."""
    found: dict[str, set[str]] = {name: set() for name in list_presets()}
    for table in TABLES:
        for row in table.rows:
            found[row.turn.preset] |= {f"{code} {rule}" for code, rule in row.cited}
    return found


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_fault_of_a_game_has_a_row(table: Table) -> None:
    """Under each rule that it may cite; or the table says why no turn reaches it."""
    presets = {section.preset for section in table.sections if section.preset}
    rows = reached()
    for preset in presets:
        faults = load_ruleset(preset).fault_rules
        cited = {f"{code.split('/')[0]} {rule}" for code, rule in faults.items()}
        base = BASE.get(preset)
        if base:
            codes = load_ruleset(base).fault_rules
            cited -= {f"{code.split('/')[0]} {rule}" for code, rule in codes.items()}
        missing = cited - rows[preset]
        assert missing == (set() if base else set(table.unreached))


@pytest.mark.parametrize("preset", [name for name in list_presets() if name not in BASE])
def test_every_question_is_asked_in_a_row_and_answered_in_others(preset: str) -> None:
    """For each switch that is asked: a row where it is, and the same turn under each answer, all else
    chosen as there."""
    rows = [row for table in TABLES for row in table.rows if row.turn.preset == preset]
    rules = load_ruleset(preset)
    for name, switch in rules.switches.items():
        if not switch.asked:
            continue
        asked = [row for row in rows if row.ruling.startswith("ASK") and f" {name}: " in row.ruling]
        assert asked, name
        found = [answered(row.turn, name, rows) for row in asked]
        answers = max(found, key=len)
        assert set(answers) >= set(switch.open_values), (name, answers)
        assert {answers[value] for value in switch.open_values} == {"LEGAL", "ILLEGAL"}, name


def answered(turn: RecordedTurn, name: str, rows: list[Row]) -> dict[str, str]:
    """The verdicts on a turn by each answer to a switch for which there is a row."""
    found = [row for row in rows if row.turn.turn == turn.turn and name in row.turn.house_rules]
    return {
        str(row.turn.house_rules[name]): row.verdict
        for row in found
        if row.turn.house_rules == {**turn.house_rules, name: row.turn.house_rules[name]}
    }
