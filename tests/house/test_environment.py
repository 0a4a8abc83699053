"""How the program sets itself up: the stamp, the choice of Python, what it says, and the locks."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ("meldwatch", "check", "scripts/environment.sh", "scripts/lock")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a space in its name that looks like a checkout which has been set up."""
    root = tmp_path / "a checkout"
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/bin/python").symlink_to(sys.executable)
    for name in ("requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, root / name)
    return root


def in_shell(root: Path, commands: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run shell commands with the functions of scripts/environment.sh for the checkout ``root``."""
    functions = shlex.quote(str(ROOT / "scripts/environment.sh"))
    script = f"set -eu; root={shlex.quote(str(root))}; . {functions}; {commands}"
    return subprocess.run(
        ["/bin/sh", "-c", script],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
    )


def is_ready(root: Path, kind: str = "run") -> bool:
    return in_shell(root, f"environment_is_ready {kind}").returncode == 0


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_plain_posix_shell(script: str) -> None:
    done = subprocess.run(["/bin/sh", "-n", ROOT / script], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("script", ["meldwatch", "check", ".ci/run", "scripts/lock"])
def test_scripts_can_be_started(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)


def test_an_environment_without_a_stamp_is_not_ready(checkout: Path) -> None:
    """An interrupted set-up leaves no stamp, so the next start begins again."""
    assert not is_ready(checkout)


def test_a_stamped_environment_is_ready_for_what_was_stamped(checkout: Path) -> None:
    in_shell(checkout, "write_stamp run").check_returncode()
    assert is_ready(checkout, "run")
    assert not is_ready(checkout, "dev")


def test_a_changed_lock_makes_the_environment_stale(checkout: Path) -> None:
    in_shell(checkout, "write_stamp run; write_stamp dev").check_returncode()
    with (checkout / "requirements.txt").open("a") as lock:
        lock.write("# changed\n")
    assert not is_ready(checkout, "run")
    assert is_ready(checkout, "dev")


def test_a_moved_checkout_makes_the_environment_stale(checkout: Path) -> None:
    in_shell(checkout, "write_stamp run").check_returncode()
    moved = checkout.rename(checkout.with_name("moved"))
    assert not is_ready(moved)


def test_another_python_behind_the_environment_makes_it_stale(checkout: Path) -> None:
    in_shell(checkout, "write_stamp run").check_returncode()
    (checkout / ".venv/bin/python").unlink()
    executable(checkout / "python3.99", "#!/bin/sh\n")
    (checkout / ".venv/bin/python").symlink_to(checkout / "python3.99")
    assert not is_ready(checkout)


def test_a_name_on_the_path_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    """Version managers leave names on PATH that print an error instead of running Python."""
    executable(tmp_path / "python3.13", "#!/bin/sh\necho not installed >&2\nexit 127\n")
    executable(tmp_path / "python3.12", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    done = in_shell(tmp_path, "find_python", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.stdout.strip() == str(tmp_path / "python3.12")


def test_without_a_usable_python_the_message_says_which_are(tmp_path: Path) -> None:
    done = in_shell(tmp_path, "new_environment", MELDWATCH_PYTHON="/nowhere/python3")
    assert done.returncode == 1
    assert "Python 3.11, 3.12 or 3.13" in done.stderr


def test_who_may_not_install_gets_the_one_line_to_type(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    executable(tools / "id", "#!/bin/sh\necho 1000\n")
    executable(tools / "apt-get", "#!/bin/sh\necho apt-get was started; exit 1\n")
    executable(tools / "sudo", "#!/bin/sh\nexit 1\n")
    path = f"{tools}:{os.environ['PATH']}"
    done = in_shell(tmp_path, "apt_install 'reading pictures' libgl1 libglib2.0-0", PATH=path)
    assert done.returncode == 1
    line = done.stderr.splitlines()[-1]
    assert line == "sudo apt-get update && sudo apt-get install --yes libgl1 libglib2.0-0"


def test_a_failed_system_installation_shows_why(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    executable(tools / "id", "#!/bin/sh\necho 0\n")
    executable(tools / "apt-get", "#!/bin/sh\necho E: no such package; exit 100\n")
    path = f"{tools}:{os.environ['PATH']}"
    done = in_shell(tmp_path, "apt_install 'reading pictures' libgl1", PATH=path)
    assert done.returncode == 1
    assert "E: no such package" in done.stderr


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libstdc++.so.6", "libstdc++6"),
        ("libgomp.so.1", "libgomp1"),
        ("libz.so.1", "zlib1g"),
    ],
)
def test_the_package_of_a_missing_library_is_known(
    library: str, package: str, tmp_path: Path
) -> None:
    assert in_shell(tmp_path, f"packages_of_library {library}").stdout.strip() == package


def test_what_opencv_needs_is_asked_for_at_once(tmp_path: Path) -> None:
    """Whoever may not install system packages types one line, whichever library is missed first."""
    for library in ("libGL.so.1", "libxcb.so.1", "libgthread-2.0.so.0"):
        told = in_shell(tmp_path, f"packages_of_library {library}").stdout.split()
        assert told[:2] == ["libgl1", "libxcb1"]
        assert told[2] in {"libglib2.0-0", "libglib2.0-0t64"}


def test_a_missing_library_of_opencv_is_seen_before_anything_is_fetched(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    script = "opencv_libraries_are_there && echo there || echo missing"
    for listed, told in (
        ("libGL.so.1", "missing"),
        ("libGL.so.1 libxcb.so.1 libgthread-2.0.so.0", "there"),
    ):
        executable(tools / "ldconfig", f"#!/bin/sh\necho {listed}\n")
        path = f"{tools}:{os.environ['PATH']}"
        assert in_shell(tmp_path, script, PATH=path).stdout.strip() == told


def locked(name: str) -> dict[tuple[str, str], str]:
    """Version by name and marker of everything in a lock."""
    found = {}
    for line in (ROOT / name).read_text("utf-8").splitlines():
        if line and line[0] not in "# -":
            requirement = Requirement(line.rstrip("\\ "))
            found[requirement.name, str(requirement.marker)] = str(requirement.specifier)
    return found


def test_both_locks_agree() -> None:
    """The development lock holds all of the running one, so that .venv serves both."""
    running, development = locked("requirements.txt"), locked("requirements-dev.txt")
    assert running
    assert running.items() <= development.items()


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_everything_locked_has_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    entries = re.split(r"\n(?=[a-z])", text)[1:]
    assert len(entries) == len(locked(name))
    for entry in entries:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
    assert "://" not in text


def test_the_lock_covers_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    names = {name for name, _ in locked("requirements-dev.txt")}
    for asked in [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]:
        assert Requirement(asked).name in names
