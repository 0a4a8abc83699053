"""Writes the trained networks as ONNX files with their manifest, and checks them against PyTorch.

``python -m models.training.export --finder RUN/checkpoint.pt --tile-reader RUN/checkpoint.pt
--careful-reader RUN/checkpoint.pt --held-out FOLDER --out models``. Any network may be left out: its
file and manifest entry then stay as they are. ``--held-out`` is a folder of generated pictures, none of
them trained on, that sets the temperatures and from where a reading counts as sure: of each of the two
tile readers, and of both together, which is what the careful reader's entry says in the end. Of readers
whose numbers alone have learned on, ``--numbers-alone`` leaves what was calibrated of colours as it is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from torch import Tensor, nn

from models.careful_reader import CAREFUL_PART, CLASS_TEMPERATURE, COLOUR_TEMPERATURE
from models.runtime import (
    CAREFUL_READER_NAME,
    FINDER_NAME,
    LAYOUT_OF_OUTPUTS,
    MANIFEST_NAME,
    SHIPPED,
    TILE_READER_NAME,
)
from models.tile_reader import TileReader
from models.training.calibrate import Calibration, Sureness, calibrate
from models.training.calibrate_mean import CAREFUL_PARTS, calibrate_mean
from models.training.half_turns import as_plain
from models.training.nets import (
    ExportedFinder,
    ExportedReader,
    FinderNet,
    ReaderNet,
    parameters_of,
)
from models.training.restore import reader_of
from models.training.stored import MANY, store_in_half_precision

OPSET = 17
READER_OUTPUTS = ("classes", "upright", "colours", "shapes", "inks")
TOLERANCE = 1e-3
"""Largest difference allowed between PyTorch and ONNX Runtime: far below any decision made on it."""

MIN_SCORE = 0.3
"""Finder scores below this are no tile; the score at which training measures itself."""


def export_finder(checkpoint: Path, out: Path, min_score: float) -> dict[str, Any]:
    """Writes finder.onnx; its manifest entry."""
    has_norms = any("running_mean" in name for name in _saved(checkpoint)["ema"])
    net = FinderNet(has_norms)
    steps = _load(net, checkpoint)
    wrapped = ExportedFinder(net).eval()
    path = out / FINDER_NAME
    side = {2: "height", 3: "width"}
    mapped = {2: "rows", 3: "columns"}
    torch.onnx.export(
        wrapped,
        (torch.zeros(1, 3, 64, 96),),
        str(path),
        dynamo=False,
        opset_version=OPSET,
        input_names=["pictures"],
        output_names=["heat", "geometry"],
        dynamic_axes={"pictures": side, "heat": mapped, "geometry": mapped},
    )
    rng = torch.Generator().manual_seed(0)
    inputs = [(torch.rand(1, 3, h, w, generator=rng),) for h, w in ((96, 64), (352, 480))]
    return {
        "parameters": parameters_of(net),
        "steps": steps,
        "min_score": min_score,
        **checked(path, wrapped, inputs),
    }


def export_reader(
    checkpoint: Path, path: Path, held_out: Path, colours_as: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Writes ``path``, the reader of a checkpoint with its calibration inside; its manifest entry.

    What is said of colours is calibrated as in the entry ``colours_as``, if there is one.
    """
    net = rounded(reader_of(checkpoint).eval())
    found: Calibration = calibrate(net, held_out)
    if colours_as is not None:
        found = replace(found, colour_temperature=colours_as["colour_temperature"])
    wrapped = ExportedReader(
        as_plain(net), found.class_temperature, found.class_summands, found.colour_temperature
    ).eval()
    width, height = net.crop_wh
    torch.onnx.export(
        wrapped,
        (torch.rand(3, 3, height, width), torch.rand(3, 3) + 0.1),
        str(path),
        dynamo=False,
        opset_version=OPSET,
        input_names=["crops", "whites"],
        output_names=list(READER_OUTPUTS),
        dynamic_axes={name: {0: "tiles"} for name in ("crops", "whites", *READER_OUTPUTS)},
    )
    store_in_half_precision(path)
    rng = torch.Generator().manual_seed(0)
    inputs = [
        (
            torch.rand(n, 3, height, width, generator=rng) * 1.3,
            torch.rand(n, 3, generator=rng) * 0.9 + 0.1,
        )
        for n in (1, 2, 7, 110)
    ]
    return {
        "parameters": parameters_of(net),
        "steps": _saved(checkpoint)["steps"],
        "class_temperature": round(found.class_temperature, 4),
        "class_summands": [round(value, 3) for value in found.class_summands],
        "colour_temperature": round(found.colour_temperature, 4),
        **_described(found.sureness, colours_as),
        **checked(path, wrapped, inputs),
    }


def rounded(net: ReaderNet) -> ReaderNet:
    """The same network, its many weights now numbers that half precision holds."""
    for parameter in net.parameters():
        if parameter.numel() >= MANY:
            parameter.data = parameter.data.half().float()
    return net


def measure_mean(
    out: Path, held_out: Path, colours_as: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What the careful reader's manifest entry says of both together, by the files in ``out``. What it
    says of colours may be that of the entry ``colours_as``."""
    quick, careful = (TileReader(out / name) for name in (TILE_READER_NAME, CAREFUL_READER_NAME))
    parts = CAREFUL_PARTS if colours_as is None else (colours_as[CAREFUL_PART],)
    found = calibrate_mean(quick, careful, held_out, parts)
    told = {
        CAREFUL_PART: found.mean.careful_part,
        CLASS_TEMPERATURE: round(found.mean.class_temperature, 4),
        COLOUR_TEMPERATURE: round(found.mean.colour_temperature, 4),
        **_described(found.sureness, colours_as),
    }
    if colours_as is not None:
        told[COLOUR_TEMPERATURE] = colours_as[COLOUR_TEMPERATURE]
    return told


def _described(found: Sureness, colours_as: Mapping[str, Any] | None) -> dict[str, Any]:
    colour = round(found.sure_from.colour, 5)
    return {
        "sure_face": found.sure_from.face,
        "sure_other": found.sure_from.other,
        "sure_colour": colour if colours_as is None else colours_as["sure_colour"],
        "calibrated_on": found.described(),
    }


def _saved(checkpoint: Path) -> dict[str, Any]:
    saved: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)
    return saved


def _load(net: nn.Module, checkpoint: Path) -> int:
    saved = _saved(checkpoint)
    net.load_state_dict(saved["ema"])
    net.eval()
    return int(saved["steps"])


def checked(path: Path, net: nn.Module, inputs: list[tuple[Tensor, ...]]) -> dict[str, Any]:
    """Runs both on the same inputs; raises SystemExit when they differ, else what was found."""
    onnx.checker.check_model(onnx.load(str(path)), full_check=True)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [entry.name for entry in session.get_inputs()]
    worst = 0.0
    for given in inputs:
        with torch.inference_mode():
            expected = net(*given)
        feed = {n: t.numpy() for n, t in zip(names, given, strict=True)}
        for ours, theirs in zip(session.run(None, feed), expected, strict=True):
            worst = max(worst, _difference(ours, theirs.numpy()))
    print(f"{path.name}: ONNX Runtime differs from PyTorch by at most {worst:.2e}")
    if not worst <= TOLERANCE:
        raise SystemExit(f"{path}: that is more than {TOLERANCE}; not to be used")
    return {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "bytes": path.stat().st_size,
        "opset": OPSET,
        "largest_difference_from_pytorch": float(f"{worst:.1e}"),
    }


def _difference(ours: Any, theirs: Any) -> float:
    """Largest difference; where one of them cleared a near-tied peak, the peak does not count."""
    gaps = np.abs(ours - theirs)
    return float(gaps[(ours != 0) == (theirs != 0)].max(initial=0.0))


def main(arguments: list[str] | None = None) -> int:
    """Exports what is given and writes the manifest anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finder", type=Path, help="checkpoint of train_finder")
    parser.add_argument("--tile-reader", type=Path, help="checkpoint of train_tile_reader")
    parser.add_argument("--careful-reader", type=Path, help="checkpoint of train_careful_reader")
    parser.add_argument("--held-out", type=Path, help="pictures to calibrate tile readers on")
    parser.add_argument(
        "--numbers-alone",
        action="store_true",
        help="tile readers tell colours as those in --out do: what these are calibrated by stays",
    )
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--min-score", type=float, default=MIN_SCORE)
    options = parser.parse_args(arguments)
    has_reader = options.tile_reader is not None or options.careful_reader is not None
    if has_reader and options.held_out is None:
        parser.error("--tile-reader and --careful-reader need --held-out to be calibrated on")
    torch.set_num_threads(2)
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / MANIFEST_NAME
    networks: dict[str, Any] = {}
    if path.exists():
        networks = json.loads(path.read_text(encoding="utf-8"))["networks"]
    before = dict(networks) if options.numbers_alone else {}
    if options.finder is not None:
        networks[FINDER_NAME] = export_finder(options.finder, options.out, options.min_score)
    if options.tile_reader is not None:
        networks[TILE_READER_NAME] = export_reader(
            options.tile_reader,
            options.out / TILE_READER_NAME,
            options.held_out,
            before.get(TILE_READER_NAME),
        )
    if options.careful_reader is not None:
        networks[CAREFUL_READER_NAME] = export_reader(
            options.careful_reader,
            options.out / CAREFUL_READER_NAME,
            options.held_out,
            before.get(CAREFUL_READER_NAME),
        )
    _write_manifest(path, networks)
    if has_reader and {TILE_READER_NAME, CAREFUL_READER_NAME} <= networks.keys():
        networks[CAREFUL_READER_NAME] |= measure_mean(
            options.out, options.held_out, before.get(CAREFUL_READER_NAME)
        )
        _write_manifest(path, networks)
    print(path.read_text(encoding="utf-8"))
    return 0


def write_entry(out: Path, name: str, entry: dict[str, Any]) -> None:
    """Puts what is known of one network into the manifest of a folder that has one."""
    path = out / MANIFEST_NAME
    networks = json.loads(path.read_text(encoding="utf-8"))["networks"]
    _write_manifest(path, networks | {name: entry})


def _write_manifest(path: Path, networks: dict[str, Any]) -> None:
    manifest = {"outputs": LAYOUT_OF_OUTPUTS, "networks": networks}
    path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
