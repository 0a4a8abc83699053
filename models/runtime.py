"""Opening the shipped networks: files, checksums, what the manifest says of them, ONNX Runtime."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.classes import CLASSES, COLOURS
from models.preprocess import CROP_WH, MARGIN

SHIPPED = Path(__file__).parent
"""The folder of the networks that come with Meldwatch."""

MANIFEST_NAME = "manifest.json"
FINDER_NAME = "finder.onnx"
TILE_READER_NAME = "tile_reader.onnx"
CAREFUL_READER_NAME = "careful_reader.onnx"
RACK_READER_NAME = "rack_reader.onnx"

FRAMED: Final = "framed"
"""The folder beside them of the two readers that know numbers in frames and on figures as well."""

LAYOUT_OF_OUTPUTS: dict[str, Any] = {
    "classes": list(CLASSES),
    "colours": list(COLOURS),
    "crop_wh": list(CROP_WH),
    "margin": MARGIN,
}
"""What a manifest must agree with: a network trained for anything else would be misread."""


MOST_IDLE_BYTES: Final = 1 << 20
"""A free block of memory that is larger by more than this than what is asked for is divided."""


class ModelError(RuntimeError):
    """A network that is missing, damaged, or does not fit this program; one line, names the file."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the manifest says of one network."""

    path: Path
    sha256: str
    facts: dict[str, Any]
    """Everything else: parameters, opset, thresholds, temperatures, how it was checked."""

    def number(self, name: str) -> float:
        """A figure by name; raises ModelError when the manifest lacks it."""
        value = self.facts.get(name)
        if not isinstance(value, int | float):
            raise ModelError(f"{self.path.parent / MANIFEST_NAME}: {name} is missing")
        return float(value)


def read_manifest(folder: Path) -> dict[str, ModelFacts]:
    """The networks that a folder's manifest lists, by file name.

    Raises ModelError when there is no readable manifest or its outputs are laid out otherwise.
    Not promised: that the files are there; see :func:`open_network`.
    """
    path = folder / MANIFEST_NAME
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        networks = {
            name: ModelFacts(folder / name, str(facts["sha256"]), dict(facts))
            for name, facts in manifest["networks"].items()
        }
        outputs = manifest["outputs"]
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path}: is no manifest of networks ({error!r})") from error
    for key, expected in LAYOUT_OF_OUTPUTS.items():
        if outputs.get(key) != expected:
            raise ModelError(f"{path}: {key} is {outputs.get(key)}, this program needs {expected}")
    return networks


def model_problems(folder: Path = SHIPPED) -> list[str]:
    """One line for each network that is missing, damaged or unfit; none when all is well."""
    readers = (TILE_READER_NAME, CAREFUL_READER_NAME)
    problems = _problems(folder, (FINDER_NAME, *readers, RACK_READER_NAME))
    return [*problems, *_problems(folder / FRAMED, readers)]


def check_framed(folder: Path) -> bool:
    """Whether a folder of networks has readers for numbers in frames; raises ModelError when it has, and
    they are not whole."""
    if not (folder / FRAMED).exists():
        return False
    for problem in _problems(folder / FRAMED, (TILE_READER_NAME, CAREFUL_READER_NAME)):
        raise ModelError(problem)
    return True


def _problems(folder: Path, names: Sequence[str]) -> list[str]:
    try:
        networks = read_manifest(folder)
    except ModelError as error:
        return [str(error)]
    problems = []
    for name in names:
        try:
            if name not in networks:
                raise ModelError(f"{folder / MANIFEST_NAME}: does not list {name}")
            _checked_bytes(networks[name])
        except ModelError as error:
            problems.append(str(error))
    return problems


@cache
def _share_memory() -> None:
    """One memory arena for all networks; each would have its own otherwise.

    It doubles when it runs out. If it grew by what is asked for, nothing that it got for one table would
    hold what a table with one tile more takes: after tables of 1, 2, 3 and so on to 60 tiles a process
    held 806 MiB, so 189 (ONNX Runtime 1.31). No more than ``MOST_IDLE_BYTES`` of a free block are given
    away with what is asked for: one table of fifty tiles took 139 MiB instead of 104.
    """
    kind = onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR
    place = onnxruntime.OrtMemoryInfo("Cpu", kind, 0, onnxruntime.OrtMemType.DEFAULT)
    unlimited, by_powers_of_two, by_itself = 0, 0, -1
    growth = onnxruntime.OrtArenaCfg(unlimited, by_powers_of_two, by_itself, MOST_IDLE_BYTES)
    onnxruntime.create_and_register_allocator(place, growth)


class Network:
    """One network on ONNX Runtime, which several threads may run at once."""

    def __init__(self, path: Path, threads: int) -> None:
        """Opens a file listed in the manifest beside it; raises ModelError when anything is wrong.

        ``threads`` is how many a single run may keep busy.
        """
        networks = read_manifest(path.parent)
        if path.name not in networks:
            raise ModelError(f"{path.parent / MANIFEST_NAME}: does not list {path.name}")
        self.facts = networks[path.name]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, threads)
        options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.log_severity_level = 3
        # A plan of the memory for each number of tiles that comes along would be made at its second
        # reading, and held beside what the first took: a third more memory for the same speed.
        options.enable_mem_pattern = False
        _share_memory()
        options.add_session_config_entry("session.use_env_allocators", "1")
        # Threads that wait for work by spinning keep the other network from the cores: reading fifty
        # tiles took twice as long.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                _checked_bytes(self.facts), options, providers=["CPUExecutionProvider"]
            )
        except ModelError:
            raise
        except Exception as error:  # ONNX Runtime raises classes of its own, without a common base
            raise ModelError(f"{path}: ONNX Runtime cannot open it ({error})") from error
        inputs = self._session.get_inputs()
        self._inputs = [entry.name for entry in inputs]
        self.input_shape = tuple(inputs[0].shape)
        """Of the first input: numbers, and names of sides of any length."""

    def run(self, *inputs: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """All outputs, in the order of the file, for inputs in the order of the file."""
        feed = dict(zip(self._inputs, inputs, strict=True))
        return [np.asarray(out, np.float32) for out in self._session.run(None, feed)]


def _checked_bytes(facts: ModelFacts) -> bytes:
    try:
        content = facts.path.read_bytes()
    except OSError as error:
        raise ModelError(f"{facts.path}: cannot be read ({error.strerror or error})") from error
    found = hashlib.sha256(content).hexdigest()
    if found != facts.sha256:
        raise ModelError(
            f"{facts.path}: is damaged or was exchanged: its SHA-256 is {found[:12]}..., "
            f"the manifest says {facts.sha256[:12]}...; fetch it again"
        )
    return content
