"""docs/games.md names what there is: events, fields of the state, codes; and its example runs."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import engine.game.events as events_module
from engine.game.events import GameEvent
from engine.game.state import GameState, Phase

ROOT = Path(__file__).resolve().parents[3]
GAMES = (ROOT / "docs/games.md").read_text("utf-8")


def first_column(heading: str) -> set[str]:
    """The words in code of the first column of the tables below a heading."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", GAMES, re.DOTALL | re.MULTILINE)
    assert section
    rows = re.findall(r"^\| (`[^|]+) \|", section[1], re.MULTILINE)
    return {word for row in rows for word in re.findall(r"`(\w+)`", row)}


def test_every_event_is_documented() -> None:
    kinds = {
        name
        for name, kind in vars(events_module).items()
        if isinstance(kind, type) and issubclass(kind, GameEvent) and kind is not GameEvent
    }
    assert first_column("Events") == kinds


def test_every_field_of_the_state_is_documented_and_every_phase() -> None:
    assert first_column("The state") == {item.name for item in fields(GameState)}
    for phase in Phase:
        assert f"`{phase}`" in GAMES


def test_every_code_of_a_refusal_is_documented_and_no_other() -> None:
    used = set()
    for path in sorted((ROOT / "engine/game").glob("*.py")):
        code = path.read_text("utf-8")
        used |= set(re.findall(r'\brefuse\(\s*"(\w+)"', code))
        used |= set(re.findall(r'\bRefusal\([^()]*(?:\([^()]*\)[^()]*)*,\s*"(\w+)"', code))
    assert first_column("Refusals") == used


def test_the_example_runs() -> None:
    example = re.search(r"```python\n(.*?)```", GAMES, re.DOTALL)
    assert example
    exec(compile(example[1], "docs/games.md", "exec"), {})  # noqa: S102
