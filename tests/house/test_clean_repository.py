"""Nothing is left behind in the repository: no unfinished work, no place where somebody worked."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Each word is put together here, so that this file does not hold it.
UNFINISHED = ("TO" + "DO", "FIX" + "ME", "X" * 3, "NotImplemented" + "Error")
PLACES = ("/ro" + "ot/", "/wo" + "rk/", "/home/" + "user")
REGISTRIES = ("pypi" + ".org", "python" + "hosted", "deb." + "debian.org", "npm" + "js")

LARGEST_FILE_MB = 12
"""The networks together stay below this, so no single file comes near it."""


def files() -> list[Path]:
    """What is, or would be, committed."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split("\0")
        found = [ROOT / name for name in listed if name]
    except (OSError, subprocess.CalledProcessError):  # an unpacked archive has no git
        found = [p for p in ROOT.rglob("*") if not any(part[0] == "." for part in p.parts[1:])]
    return [path for path in found if path.is_file()]


def text_of(path: Path) -> str | None:
    """The text of a file; None for pictures, fonts and networks."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("word", [*UNFINISHED, *PLACES, *REGISTRIES])
def test_no_file_holds_the_word(word: str) -> None:
    holders = [str(path.relative_to(ROOT)) for path in files() if word in (text_of(path) or "")]
    assert not holders


def test_no_file_is_too_large_to_clone() -> None:
    too_large = [path for path in files() if path.stat().st_size > LARGEST_FILE_MB * 1_000_000]
    assert not too_large


def test_test_files_have_names_of_their_own() -> None:
    """Tests are collected without packages, and a failure should name one file."""
    names = [p.name for p in (ROOT / "tests").rglob("*.py") if p.name != "conftest.py"]
    assert len(names) == len(set(names))
    assert not list((ROOT / "tests").rglob("__init__.py"))
