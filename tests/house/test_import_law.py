"""Who may import whom: the table of docs/architecture.md, read from the code itself."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "models", "vision", "table", "web")

VALUES_OF_THE_ENGINE = ("engine.tiles", "engine.melds", "engine.layout", "engine.notation")
"""What vision may know of the games: what lies on a table, never what may lie there."""

# The longest prefix of a module's name that is listed here rules it.
SIBLINGS: dict[str, tuple[str, ...]] = {
    "engine": (),
    "models": (),
    "models.training": ("vision.rendering",),
    "vision": ("models", *VALUES_OF_THE_ENGINE),
    "table": ("engine", "models", "vision"),
    "web": ("engine", "table"),
    "web.cli": ("engine", "models", "vision", "table"),
    "web.commands": ("engine", "models", "vision", "table"),
}
LIBRARIES: dict[str, tuple[str, ...]] = {
    "engine": (),
    "models": ("numpy", "cv2", "onnxruntime"),
    "models.training": ("numpy", "cv2", "onnxruntime", "onnx", "torch", "PIL"),
    "vision": ("numpy", "cv2", "PIL"),
    "table": ("numpy", "cv2", "packaging"),
    "table.bench": ("numpy", "cv2", "onnxruntime"),
    "table.bench_reading": ("numpy", "cv2", "onnxruntime"),
    "web": ("flask", "werkzeug", "waitress"),
    "web.cli": ("click",),
    "web.commands": ("click",),
}


def modules() -> list[tuple[str, Path]]:
    """Every module of the program with its file."""
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(part for part in parts if part != "__init__"), path))
    return found


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """Every module that a file names in an import, at any depth of its code, and the line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written in full"
            assert node.module is not None
            if node.module in PACKAGES:
                # `from engine import tiles` names engine.tiles
                for alias in node.names:
                    submodule = ROOT / node.module / alias.name
                    inner = submodule.is_dir() or submodule.with_suffix(".py").is_file()
                    yield (f"{node.module}.{alias.name}" if inner else node.module), node.lineno
            else:
                yield node.module, node.lineno


def covers(prefixes: tuple[str, ...], name: str) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def ruling_entry(table: dict[str, tuple[str, ...]], module: str) -> tuple[str, ...]:
    key = max((k for k in table if covers((k,), module)), key=len)
    return table[key]


@pytest.mark.parametrize(("module", "path"), modules(), ids=[name for name, _ in modules()])
def test_a_module_imports_only_what_the_law_allows(module: str, path: Path) -> None:
    package = module.split(".", maxsplit=1)[0]
    broken = []
    for name, line in imported(path):
        top = name.split(".")[0]
        if top in sys.stdlib_module_names or top == package:
            continue
        if top in PACKAGES:
            allowed = covers(ruling_entry(SIBLINGS, module), name)
        else:
            allowed = covers(ruling_entry(LIBRARIES, module), name)
        if not allowed:
            broken.append(f"{path.relative_to(ROOT)}:{line}: {module} may not import {name}")
    assert not broken, "\n".join(broken)


def test_only_training_knows_training() -> None:
    """A table never loads what makes networks: it is not installed there."""
    broken = [
        f"{module}:{line}"
        for module, path in modules()
        if not covers(("models.training",), module)
        for name, line in imported(path)
        if covers(("models.training", "torch"), name)
    ]
    assert not broken


@pytest.mark.parametrize("name", PACKAGES)
def test_no_other_distribution_owns_a_name_of_ours(name: str) -> None:
    owners = set(importlib.metadata.packages_distributions().get(name, ()))
    assert owners <= {"meldwatch"}
    module = importlib.import_module(name)
    assert Path(module.__path__[0]).resolve() == ROOT / name


def test_the_command_line_loads_nothing_heavy_before_a_command_runs() -> None:
    """Pictures, networks and web pages are loaded by the commands that need them."""
    heavy = ("numpy", "cv2", "onnxruntime", "flask", "waitress", "PIL", "sqlite3")
    code = f"import sys, web.cli; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
