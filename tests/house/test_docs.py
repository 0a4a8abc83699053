"""The documents name what is there, and nothing that is not."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import shlex
from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import engine
from engine.ruleset import list_presets
from table.config import Config, load_config
from web.cli import main

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "models", "vision", "table", "web")
COMMAND_LINE = (ROOT / "docs/command-line.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")

DOCUMENTS = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
)


EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.DOTALL | re.MULTILINE)
"""A block of Python, and what it prints where that stands right below it."""
EXAMPLES = [
    pytest.param(path, match[1], match[2], id=f"{path.relative_to(ROOT)}-{number}")
    for path in DOCUMENTS
    for number, match in enumerate(EXAMPLE.finditer(path.read_text("utf-8")), start=1)
]


def section(command: str) -> str:
    """What docs/command-line.md says of a command."""
    found = re.search(
        rf"^## meldwatch {command}$(.*?)(?=^## |\Z)", COMMAND_LINE, re.DOTALL | re.MULTILINE
    )
    assert found, f"docs/command-line.md has no section about {command}"
    return found[1]


def options_of(command: click.Command) -> set[str]:
    return {
        name
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in parameter.opts
        if name.startswith("--")
    }


def code_lines(text: str) -> list[str]:
    """The lines of the fenced blocks of a document."""
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_is_documented_with_its_options_and_no_others(name: str) -> None:
    written = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", section(name))) - {"--help"}
    assert written == options_of(main.commands[name])


def test_every_documented_command_is_there() -> None:
    assert set(re.findall(r"^## meldwatch (\w+)$", COMMAND_LINE, re.MULTILINE)) == set(
        main.commands
    )


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_has_help_with_an_example(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"])
    assert shown.exit_code == 0
    assert "Example" in shown.output
    assert f"meldwatch {name}" in shown.output


def test_the_exit_codes_are_documented_where_they_are_looked_for() -> None:
    help_text = CliRunner().invoke(main, ["--help"]).output
    for code in ("0", "1", "2", "3"):
        assert re.search(rf"^ +{code}  \w", help_text, re.MULTILINE)
        assert f"| {code} |" in COMMAND_LINE


@pytest.mark.parametrize("name", [setting.name for setting in fields(Config)])
def test_every_setting_is_documented(name: str) -> None:
    assert f"| `{name}` |" in section("serve")


def test_documented_defaults_of_serve_are_the_defaults() -> None:
    config = load_config(environment={})
    for option, value in (
        ("--source", config.source),
        ("--rules", config.rules),
        ("--host", config.host),
        ("--port", config.port),
    ):
        assert re.search(rf"^\| `{option} \w+` \| `{value}` \|", section("serve"), re.MULTILINE)
        shown = CliRunner().invoke(main, ["serve", "--help"]).output
        assert f"[default: {value}]" in shown


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links_lead_somewhere(path: Path) -> None:
    text = path.read_text("utf-8")
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    dead = [
        link for link in links if "://" not in link and not (path.parent / link).resolve().exists()
    ]
    assert not dead


@pytest.mark.parametrize(("path", "code", "printed"), EXAMPLES)
def test_an_example_in_python_runs_and_prints_what_stands_below_it(
    path: Path, code: str, printed: str | None
) -> None:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(code, str(path), "exec"), {"__name__": "__main__"})  # noqa: S102 - our own
    if printed is not None:
        assert shown.getvalue() == printed


def test_every_block_of_python_is_among_the_examples() -> None:
    fences = sum(path.read_text("utf-8").count("```python") for path in DOCUMENTS)
    assert len(EXAMPLES) == fences


def test_every_document_is_listed_in_the_readme() -> None:
    for path in sorted((ROOT / "docs").glob("*.md")):
        assert f"(docs/{path.name})" in README


def test_the_two_commands_of_the_readme_are_there() -> None:
    lines = code_lines(README)
    for script in ("./meldwatch", "./check"):
        assert script in lines
        assert os.access(ROOT / script, os.X_OK)


@pytest.mark.parametrize("document", ["README.md", "docs/command-line.md"])
def test_examples_name_commands_and_options_that_exist(document: str) -> None:
    for line in code_lines((ROOT / document).read_text("utf-8")):
        call = line.rpartition("|")[2].strip()
        if not call.startswith("./meldwatch "):
            continue
        name, *arguments = shlex.split(call)[1:]
        assert name in main.commands, line
        given = {argument for argument in arguments if argument.startswith("--")}
        assert given <= options_of(main.commands[name]), line


@pytest.mark.parametrize(
    ("document", "verdict"), [("README.md", "ILLEGAL"), ("docs/command-line.md", "LEGAL")]
)
def test_the_example_of_judge_runs(document: str, verdict: str) -> None:
    lines = code_lines((ROOT / document).read_text("utf-8"))
    example = next(line for line in lines if line.startswith("echo ") and "judge" in line)
    turn = shlex.split(example.partition("|")[0])[1]
    shown = CliRunner().invoke(main, ["judge"], input=turn + "\n")
    assert shown.exit_code == 0
    assert f'"verdict": "{verdict}"' in shown.output


def test_presets_that_the_documents_name_exist() -> None:
    for document in (README, COMMAND_LINE):
        for name in re.findall(r"meldwatch rules (\w[\w-]*)", document):
            assert name in list_presets()


def test_decisions_are_listed_and_numbered() -> None:
    index = (ROOT / "docs/adr/README.md").read_text("utf-8")
    decisions = sorted((ROOT / "docs/adr").glob("[0-9]*.md"))
    assert [int(path.name[:4]) for path in decisions] == list(range(1, len(decisions) + 1))
    for path in decisions:
        assert f"[{path.name[:4]}]({path.name})" in index
        assert path.read_text("utf-8").startswith(f"# {path.name[:4]}: ")


def test_a_word_stands_once_in_the_glossary() -> None:
    text = (ROOT / "docs/glossary.md").read_text("utf-8")
    words = re.findall(r"^\| ([^|]+) \| [^|]+\.(?: [^|]*)? \|$", text, re.MULTILINE)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(words) == len(rows) - text.count("| word | meaning |")
    assert sorted(set(words)) == sorted(words)


def test_values_that_the_glossary_names_are_public() -> None:
    text = (ROOT / "docs/glossary.md").read_text("utf-8")
    own = {"Event"}
    assert set(re.findall(r"`([A-Z][a-z]\w+)`", text)) <= {*engine.__all__, *own}


ARCHITECTURE = (ROOT / "docs/architecture.md").read_text("utf-8")


def test_every_package_stands_in_the_architecture() -> None:
    for package in PACKAGES:
        assert f"| `{package}` |" in ARCHITECTURE


def test_every_file_that_the_architecture_names_is_there() -> None:
    named = re.findall(rf"`((?:{'|'.join(PACKAGES)}|tests)/[\w./]*)`", ARCHITECTURE)
    assert named
    assert not [path for path in named if not (ROOT / path).exists()]


def test_every_part_of_a_package_stands_in_the_architecture() -> None:
    """Folders of code a level below the packages: the rooms that a stranger looks for."""
    folders = {
        f"{path.parent.relative_to(ROOT)}/"
        for package in PACKAGES
        for path in (ROOT / package).glob("*/__init__.py")
    }
    assert not [folder for folder in sorted(folders) if f"`{folder}`" not in ARCHITECTURE]


def test_types_at_the_borders_are_at_home_where_the_architecture_says() -> None:
    table = ARCHITECTURE.partition("\n## Types at the borders\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+) \| (`[^|]+) \|", table, re.MULTILINE)
    assert rows
    for types, homes in rows:
        modules = [importlib.import_module(home) for home in re.findall(r"`([\w.]+)`", homes)]
        for name in re.findall(r"`(\w+)`", types):
            assert any(hasattr(module, name) for module in modules), name
