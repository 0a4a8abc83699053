"""Puts networks into eight bits, in which a processor multiplies up to three times as fast.

``python -m models.training.quantise --pictures FOLDER --out models`` after ``export``; ``--networks``
says which, all that are worth it without. Weights of convolutions become whole numbers of seven bits and
a sign, with a scale for each channel; what they are multiplied with, whole numbers of eight bits, with a
scale for each layer that ``--pictures`` tell, some that training saw (quantisation after training, Jacob
et al. 2018). What says where something is stays as it was: 1 x 1 convolutions, and all of a reader that
is no convolution. So do temperatures and thresholds: what changes is less than they could tell.

Weights have no eighth bit since a processor without VNNI adds two products in 16 bits, and they would
overflow. So every processor gets the same whole numbers.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)

from models.finder import LARGEST_SCALE, SURVEY_SIDES_PX, TARGET_SHORT_SIDE_PX
from models.preprocess import finder_input, scaled
from models.runtime import (
    CAREFUL_READER_NAME,
    FINDER_NAME,
    MANIFEST_NAME,
    SHIPPED,
    TILE_READER_NAME,
)
from models.tile_reader import TileReader
from models.training.calibrate import held_out_batches
from models.training.export import write_entry
from models.training.pictures import load_generated
from models.training.stored import in_32_bits, store_in_half_precision

Sample: TypeAlias = dict[str, NDArray[np.float32]]
"""What a network takes at once, by the names of its inputs."""

WORTH_IT: Final = (FINDER_NAME, TILE_READER_NAME, CAREFUL_READER_NAME)
CROP_RANGE: Final = {"rmin": np.float32(0), "rmax": np.float32(1)}
"""Of a reader's crops, in parts of what they are cut at (`models.preprocess`): nothing more is."""
PICTURES: Final = 150
"""How many tell the scales."""


def quantise(path: Path, pictures: Path) -> None:
    """Puts the network of an ONNX file into eight bits, in place.

    A convolution and the ReLU behind it are rounded once, together. Scales span what a sample reaches on
    average, not what one of all reaches: the few answers beyond are cut, and all others told apart more
    finely.
    """
    model = in_32_bits(path)
    is_finder = path.name == FINDER_NAME
    samples = (
        finder_samples(pictures)
        if is_finder
        else reader_samples(pictures, TileReader(path).crop_wh)
    )
    given = {} if is_finder else {_convolutions(model)[0].input[0]: [CROP_RANGE]}
    with tempfile.TemporaryDirectory() as folder:
        wide = Path(folder) / path.name
        onnx.save(model, str(wide))
        quantize_static(
            str(wide),
            str(path),
            _Samples(samples),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["Conv", "Relu"],
            nodes_to_exclude=_left_as_they_are(model, first=is_finder),
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            calibrate_method=CalibrationMethod.MinMax,
            extra_options={"CalibMovingAverage": True, "TensorQuantOverrides": given},
        )
    store_in_half_precision(path)


def reader_samples(folder: Path, crop_wh: tuple[int, int]) -> Iterator[Sample]:
    """The tiles of some pictures, plain and disturbed."""
    for batch, _ in held_out_batches(folder, PICTURES, seed=11, crop_wh=crop_wh):
        yield {"crops": batch.crops.numpy(), "whites": batch.whites.numpy()}


def finder_samples(folder: Path) -> Iterator[Sample]:
    """Some pictures as the finder surveys them and as it looks at them in the end."""
    for picture in load_generated(folder, held_out=None, limit=PICTURES):
        sides = picture.short_sides_px()
        surveyed = SURVEY_SIDES_PX[0] / max(picture.size_wh)
        wanted = TARGET_SHORT_SIDE_PX / float(np.median(sides)) if len(sides) else surveyed
        for scale in (surveyed, min(wanted, LARGEST_SCALE)):
            yield {"pictures": finder_input(scaled(picture.pixels(), scale))}


class _Samples(CalibrationDataReader):  # type: ignore[misc]  # ONNX Runtime says no types
    """Samples as ONNX Runtime asks for them."""

    def __init__(self, samples: Iterator[Sample]) -> None:
        self._samples = samples

    def get_next(self) -> Sample | None:
        return next(self._samples, None)


def _left_as_they_are(model: onnx.ModelProto, *, first: bool) -> list[str]:
    """The names of the convolutions that look at one place each; and of the ``first`` one, if wished: of
    three channels of a whole picture a processor is no quicker for eight bits.

    A reader's is not left: only whole numbers add up to the same in any order, as a crop that is turned
    by half needs (`models.training.half_turns`).
    """
    shapes = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
    convolutions = _convolutions(model)
    small = [node.name for node in convolutions if shapes[node.input[1]][2:] == (1, 1)]
    return [*small, *([convolutions[0].name] if first else [])]


def _convolutions(model: onnx.ModelProto) -> list[onnx.NodeProto]:
    return [node for node in model.graph.node if node.op_type == "Conv"]


def main(arguments: list[str] | None = None) -> int:
    """Quantises networks of a folder and writes its manifest anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pictures", type=Path, required=True, help="pictures that tell the scales"
    )
    parser.add_argument("--out", type=Path, default=SHIPPED, help="folder of the networks")
    parser.add_argument("--networks", nargs="+", default=WORTH_IT, metavar="NAME")
    options = parser.parse_args(arguments)
    torch.set_num_threads(2)
    for name in options.networks:
        quantise(options.out / name, options.pictures)
        content = (options.out / name).read_bytes()
        manifest = json.loads((options.out / MANIFEST_NAME).read_text(encoding="utf-8"))
        now = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "bits": 8}
        write_entry(options.out, name, manifest["networks"][name] | now)
    print((options.out / MANIFEST_NAME).read_text(encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
