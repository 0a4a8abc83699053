"""The tables in `rulings/`: for each sentence of the rules turns in the notation and what is ruled.

A file is for one document. A section is for one rule and holds rows, `"fields of a turn" = "ruling"`,
and may hold

- `rules`: the preset its rows are played by, where it is not the file's,
- `opened`: what rows have for that field when they do not say,
- `house`: the same for house rules,
- `told_as`: rules that findings cite where this one is broken,
- `never_broken`: why no turn can break the rule,
- `kept`: what keeps the rule beside or instead of rows: a value of the preset, as
  `value run.least = 3` in JSON, `settled` (engine/rules/settled.toml), or a test, as
  `tests/engine/test_x.py::test_y`.

A row has the fields of `turn/1` that matter; the others are unknown. It may begin with a preset of its
own, as `turn/1 sabra; after: K7`. The ruling is `LEGAL`, `ILLEGAL` with the faults and the rules they
cite, or `ASK` with the switch (or `opened`) and the answers offered; after `advice` stands what is said
though the turn is legal.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from engine.faults import Ruling
from engine.referee import judge
from engine.ruleset import load_ruleset
from engine.turns import RecordedTurn, parse_turn

TABLES = Path(__file__).resolve().parent / "rulings"


@dataclass(frozen=True)
class Row:
    """One turn and the ruling it should get."""

    rule: str
    text: str
    """The turn as the table has it."""
    turn: RecordedTurn
    ruling: str

    @property
    def verdict(self) -> str:
        return self.ruling.split()[0]

    @property
    def cited(self) -> list[tuple[str, str]]:
        """The faults with the rules they cite, those of advice among them."""
        return re.findall(r"([A-Z_]+) ([A-Z0-9]+-\d\d)", self.ruling)


@dataclass(frozen=True)
class Section:
    """What the tables say of one rule."""

    rule: str
    preset: str
    rows: tuple[Row, ...]
    told_as: tuple[str, ...]
    never_broken: str
    kept: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """One file."""

    name: str
    sections: tuple[Section, ...]
    unreached: dict[str, str]
    """Faults with the rule they would cite, by the presets that no turn can reach them in: why."""

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(row for section in self.sections for row in section.rows)


def load_tables() -> tuple[Table, ...]:
    """All tables, by file name. Raises NotationError for a row that is no turn."""
    return tuple(map(_load, sorted(TABLES.glob("*.toml"))))


def _load(path: Path) -> Table:
    data = tomllib.loads(path.read_text("utf-8"))
    rules, opened = data.pop("rules", ""), data.pop("opened", "?")
    house = data.pop("house", "")
    unreached = data.pop("unreached", {})
    sections = []
    for rule, entries in data.items():
        preset = entries.pop("rules", rules)
        by_default = entries.pop("opened", opened)
        chosen = entries.pop("house", house)
        told_as = tuple(entries.pop("told_as", ()))
        never_broken = entries.pop("never_broken", "")
        kept = tuple(entries.pop("kept", ()))
        rows = tuple(
            Row(rule, text, turn_of(preset, text, by_default, chosen), ruling)
            for text, ruling in entries.items()
        )
        sections.append(Section(rule, preset, rows, told_as, never_broken, kept))
    return Table(path.stem, tuple(sections), unreached)


def turn_of(preset: str, text: str, opened: str = "?", house: str = "") -> RecordedTurn:
    """The turn of a row: what the notation needs and the row leaves out is unknown, but for `opened` and
    the house rules of a row that has none of its own."""
    head, fields = f"turn/1 {preset}", text
    if text.startswith("turn/1 "):
        head, _, fields = text.partition("; ")
    if house and "house:" not in text:
        fields = f"house: {house}; {fields}"
    given = {field.partition(":")[0].strip() for field in fields.split(";")}
    unknown = {"before": "?", "after": "?", "rack": "? > ?", "opened": opened, "elapsed": "?"}
    rest = "".join(f"; {name}: {value}" for name, value in unknown.items() if name not in given)
    return parse_turn(f"{head}; {fields}{rest}")


def ruled(turn: RecordedTurn, *, with_repairs: bool = False) -> Ruling:
    """The ruling on a turn by its own rules."""
    rules = load_ruleset(turn.preset, turn.house_rules)
    return judge(turn.turn, rules, with_repairs=with_repairs)


def told(ruling: Ruling) -> str:
    """A ruling as the tables write it."""
    words = [ruling.verdict.value]
    words += [", ".join(f"{item.code} {item.rule}" for item in ruling.findings)]
    for question in ruling.questions:
        words += [f"{question.rule or question.kind}: {' '.join(question.options)}"]
    words += [f"advice {item.code} {item.rule}" for item in ruling.advice]
    return " ".join(filter(None, words))
