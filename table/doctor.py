"""What a table needs to run, looked at one thing after another.

Nothing is changed: the data folder is probed with a file that is removed again. Every check answers
for itself, so that one broken part does not hide the next.
"""

from __future__ import annotations

import grp
import importlib
import importlib.metadata
import platform
import shutil
import sqlite3
import struct
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.sources import Camera

PYTHONS = ((3, 11), (3, 13))
"""The first and the last version of Python that the lock covers."""

DISK_FREE_MB = 500
"""Room for a season of events and pictures: a picture is some 200 kB and 500 are kept by default,
which leaves 400 MB for everything else on the same disk."""

COMPILED = ("numpy", "cv2", "onnxruntime")
"""Packages with compiled parts: these can be installed and still not load."""


class State(StrEnum):
    """How a check came out."""

    OK = "ok"
    """As it should be."""
    NOTE = "note"
    """Worth knowing; everything works without a change."""
    MEND = "mend"
    """Something will not work until this is mended."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    """What was looked at, in a word or two."""
    state: State
    found: str
    """What was found, in a sentence."""
    remedy: str = ""
    """The line to type, or what to do; empty where nothing has to be done."""

    def to_json(self) -> dict[str, str]:
        """The check as `meldwatch doctor --json` prints it."""
        return {
            "name": self.name,
            "state": self.state.value,
            "found": self.found,
            "remedy": self.remedy,
        }


def examine(lock: Path | None, models_folder: Path, data_folder: Path) -> Iterator[Check]:
    """Every check in turn, each made when it is asked for.

    ``lock`` is the file of locked versions, None where the program was installed without one.
    """
    yield check_python()
    yield from check_libraries(lock)
    yield from check_models(models_folder)
    yield from _cameras()
    yield check_disk(data_folder)
    yield check_database(data_folder)


def check_python() -> Check:
    """Version and word length of the running Python."""
    found = f"Python {platform.python_version()}, {platform.machine()}, {sys.executable}"
    first, last = PYTHONS
    if not first <= sys.version_info[:2] <= last or struct.calcsize("P") != 8:
        wanted = f"a 64-bit Python {first[0]}.{first[1]} to {last[0]}.{last[1]}"
        return Check("Python", State.MEND, found, f"install {wanted} and start again")
    return Check("Python", State.OK, found)


def check_libraries(lock: Path | None) -> Iterator[Check]:
    """Installed versions against the lock, and whether what is compiled loads."""
    if lock is None or not lock.is_file():
        yield Check("libraries", State.NOTE, "there is no lock beside the program to compare with")
    else:
        wrong = list(_differences(lock))
        if wrong:
            remedy = "remove the folder .venv and start ./meldwatch again"
            yield Check("libraries", State.MEND, "; ".join(wrong), remedy)
        else:
            yield Check("libraries", State.OK, f"every version is the one in {lock.name}")
    broken = []
    loaded = []
    for name in COMPILED:
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            broken.append(f"{name} does not load: {error}")
        else:
            loaded.append(f"{name} {getattr(module, '__version__', '')}".strip())
    if broken:
        remedy = "remove the folder .venv and start ./meldwatch again"
        yield Check("compiled libraries", State.MEND, "; ".join(broken), remedy)
    else:
        yield Check("compiled libraries", State.OK, f"{', '.join(loaded)} load")


def _differences(lock: Path) -> Iterator[str]:
    from packaging.requirements import Requirement

    for line in lock.read_text("utf-8").splitlines():
        if not line or line[0] in "# -":
            continue
        locked = Requirement(line.rstrip("\\ "))
        if locked.marker is not None and not locked.marker.evaluate():
            continue
        try:
            version = importlib.metadata.version(locked.name)
        except importlib.metadata.PackageNotFoundError:
            yield f"{locked.name} is missing"
            continue
        if not locked.specifier.contains(version, prereleases=True):
            yield f"{locked.name} is {version}, the lock says {str(locked.specifier)[2:]}"


def check_models(folder: Path) -> Iterator[Check]:
    """The networks against the checksums in their manifest."""
    try:
        from models.runtime import FRAMED, model_problems, read_manifest
    except ImportError:
        yield Check("models", State.NOTE, "not looked at: the compiled libraries do not load")
        return
    problems = model_problems(folder)
    for problem in problems:
        yield Check("models", State.MEND, problem, "git checkout -- models")
    if problems:
        return
    for networks in (folder, folder / FRAMED):
        for facts in read_manifest(networks).values():
            name = facts.path.relative_to(folder).as_posix()
            found = f"{name}: sha256 {facts.sha256[:12]}... as it should be"
            yield Check("models", State.OK, found)


def check_cameras(cameras: Iterable[Camera]) -> Iterator[Check]:
    """Every camera that is plugged in, and whether this user may open it."""
    none = True
    for camera in cameras:
        none = False
        if camera.usable:
            yield Check(f"camera {camera.path}", State.OK, camera.name)
        else:
            found = f"{camera.name}; this user may not open it"
            yield Check(f"camera {camera.path}", State.MEND, found, _permission(camera.path))
    if none:
        found = "none is plugged in; `meldwatch serve` plays the rendered table"
        yield Check("camera", State.NOTE, found, "plug in a USB camera to watch a real table")


def _cameras() -> Iterator[Check]:
    try:
        from vision.sources import find_cameras
    except ImportError:
        yield Check("camera", State.NOTE, "not looked for: the compiled libraries do not load")
    else:
        yield from check_cameras(find_cameras())


def _permission(device: Path) -> str:
    try:
        group = grp.getgrgid(device.stat().st_gid).gr_name
    except (KeyError, OSError):
        group = "video"
    return f"sudo usermod --append --groups {group} $USER   (then log out and in again)"


def check_disk(data_folder: Path) -> Check:
    """Room where events and pictures go."""
    where = _nearest(data_folder)
    free_mb = shutil.disk_usage(where).free // 1_000_000
    found = f"{free_mb:,} MB free for {data_folder}"
    if free_mb < DISK_FREE_MB:
        return Check("disk", State.MEND, found, f"make room: {DISK_FREE_MB} MB are wanted")
    return Check("disk", State.OK, found)


def check_database(data_folder: Path) -> Check:
    """Whether an event log can be written where this user's tables keep theirs."""
    where = _nearest(data_folder)
    try:
        with tempfile.TemporaryDirectory(dir=where, prefix=".meldwatch-") as folder:
            database = sqlite3.connect(Path(folder) / "probe.db")
            try:
                mode = database.execute("PRAGMA journal_mode=WAL").fetchone()[0]
                database.execute("CREATE TABLE probe (value INTEGER)")
                database.execute("INSERT INTO probe VALUES (1)")
                database.commit()
            finally:
                database.close()
    except (OSError, sqlite3.Error) as error:
        remedy = "give another folder with --data, or mend the permissions of this one"
        return Check("database", State.MEND, f"cannot be written in {where}: {error}", remedy)
    if mode != "wal":
        remedy = "keep the data on a local disk: give its folder with --data"
        return Check("database", State.MEND, f"{where} does not support its log (WAL)", remedy)
    return Check("database", State.OK, f"SQLite {sqlite3.sqlite_version} writes in {where}")


def _nearest(folder: Path) -> Path:
    """The folder itself, or the nearest above it that is there already."""
    folder = folder.absolute()
    return next(path for path in (folder, *folder.parents) if path.is_dir())
