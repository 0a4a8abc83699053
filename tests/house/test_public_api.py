"""The public names of the engine: there, documented, loaded late, and the same for type checkers."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path

import pytest

import engine
import engine.scoring

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/api-python.md").read_text("utf-8")
SOURCE = (ROOT / "engine/__init__.py").read_text("utf-8")
PACKAGES = ("models", "vision", "table", "web")

CONSTANTS = {"CARDS", "CARD_JOKER", "JOKER", "NOTATION_VERSION", "NO_TILE", "TILES"}
FUNCTIONS_AND_CLASSES = [name for name in engine.__all__ if name not in CONSTANTS]


def definitions() -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """Every public function and class with its source."""
    for name in FUNCTIONS_AND_CLASSES:
        home = sys.modules[getattr(engine, name).__module__]
        for node in ast.parse(Path(home.__file__ or "").read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
                yield name, node


def offered_by(definition: ast.FunctionDef | ast.ClassDef) -> list[ast.FunctionDef]:
    """The methods and properties of a class that are for others."""
    if isinstance(definition, ast.FunctionDef):
        return []
    return [
        item
        for item in definition.body
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_")
    ]


def names_of_the_page() -> set[str]:
    """The first column of all its tables."""
    rows = re.findall(r"^\| (`[^|]+) \|", PAGE, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def imports_for_type_checkers() -> Iterator[tuple[str, str]]:
    """What the branch for type checkers passes on: a module and a name of it."""
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("engine."):
            for alias in node.names:
                assert alias.asname == alias.name
                yield node.module or "", alias.name


def loaded_after(code: str) -> set[str]:
    """The modules of the engine that a fresh interpreter has loaded after this code."""
    tell = "import sys; print(*[name for name in sys.modules if name.startswith('engine')])"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; {tell}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_every_public_name_is_that_of_the_module_that_type_checkers_see() -> None:
    for home, name in imports_for_type_checkers():
        assert getattr(engine, name) is getattr(importlib.import_module(home), name)
    assert sorted(name for _, name in imports_for_type_checkers()) == sorted(engine.__all__)


def test_no_name_is_public_twice_and_none_hides_a_module() -> None:
    assert len(set(engine.__all__)) == len(engine.__all__)
    modules = {path.stem for path in (ROOT / "engine").iterdir()}
    assert not modules & set(engine.__all__)


def test_every_public_name_says_in_its_source_what_it_is_and_so_does_what_it_offers() -> None:
    """A dataclass without words is given a text when it is made, which does not count."""
    assert [name for name, _ in definitions()] == FUNCTIONS_AND_CLASSES
    wordless = [
        f"{name}.{item.name}" if item is not definition else name
        for name, definition in definitions()
        for item in (definition, *offered_by(definition))
        if not ast.get_docstring(item)
    ]
    assert not wordless


def test_what_a_public_function_raises_stands_in_its_words() -> None:
    silent = [
        f"{name}.{item.name}"
        for name, definition in definitions()
        for item in (definition, *offered_by(definition))
        if isinstance(item, ast.FunctionDef)
        and any(isinstance(node, ast.Raise) for node in ast.walk(item))
        and not re.search(r"[Rr]aises|\w+Error", ast.get_docstring(item) or "")
    ]
    assert not silent


def test_public_values_never_change() -> None:
    for name in FUNCTIONS_AND_CLASSES:
        thing = getattr(engine, name)
        if isinstance(thing, type) and is_dataclass(thing):
            assert thing.__dataclass_params__.frozen, name  # type: ignore[attr-defined]
            assert "__slots__" in vars(thing), name
        elif isinstance(thing, type):
            assert issubclass(thing, Enum | ValueError), name


def test_every_public_name_stands_on_the_page_and_no_other() -> None:
    assert names_of_the_page() == set(engine.__all__)


def test_the_public_names_of_scoring_are_public_here_but_for_one() -> None:
    """A claim of the score sheet and one of a turn share a name."""
    assert set(engine.scoring.__all__) - set(engine.__all__) == {"Points"}
    assert engine.Claim is not engine.scoring.Claim
    assert "`engine.scoring.Claim`" in PAGE


def test_importing_the_engine_loads_nothing_else_of_it() -> None:
    assert loaded_after("import engine") == {"engine"}


def test_a_table_is_had_without_the_rules_and_a_score_without_the_games() -> None:
    a_table = loaded_after("from engine import parse_layout")
    assert "engine.layout" in a_table
    assert not a_table & {"engine.ruleset", "engine.faults", "engine.solver", "engine.game"}
    assert "engine.solver" not in loaded_after("from engine import parse_turn")
    assert "engine.game" not in loaded_after("from engine import score_rounds")


def test_a_name_that_is_not_there_is_no_name() -> None:
    with pytest.raises(AttributeError, match="module 'engine' has no attribute 'judges'"):
        _ = engine.judges
    assert set(engine.__all__) <= set(dir(engine))


def test_the_page_shows_public_names_alone() -> None:
    """Its examples are what others begin with."""
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("engine"):
                assert node.module == "engine"
                assert {alias.name for alias in node.names} <= set(engine.__all__)


def test_meldwatch_itself_imports_names_from_where_they_are_made() -> None:
    """The front of the engine is for others; inside, one way leads to a name."""
    own = [path for path in ROOT.glob("engine/**/*.py") if path.name != "__init__.py"]
    own += [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    for path in own:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "engine":
                taken = {alias.name for alias in node.names}
                assert not taken & set(engine.__all__), f"{path}:{node.lineno}"
