"""What the bench of reading looks at, and what it is compared with."""

from __future__ import annotations

import importlib.util

import cv2
import numpy as np
import pytest

from engine.tiles import parse_tile
from table.bench_reading import fifty_tiles, memory_mib
from table.bench_rival import RivalMissingError, yolox_nano
from vision.rendering import RenderedTable

HAS_ONNX = importlib.util.find_spec("onnx") is not None


def test_the_table_that_is_read_holds_fifty_tiles_in_view() -> None:
    table = RenderedTable(1)
    poses = fifty_tiles(table)
    half = np.array(table.span_mm) / 2
    assert len(poses) == 50
    assert len({str(parse_tile(pose.label)) for pose in poses}) == 50
    assert all(abs(pose.x_mm) < half[0] and abs(pose.y_mm) < half[1] for pose in poses)


def test_memory_is_what_reading_adds_to_a_process() -> None:
    """The networks' files alone are four mebibytes; a reading that costs nothing was not made."""
    grey = cv2.merge([np.full((240, 320), 90, np.uint8)] * 3)
    assert 10 < memory_mib(np.asarray(grey, np.uint8)) < 1000


@pytest.mark.skipif(HAS_ONNX, reason="the package onnx is installed")
def test_without_its_package_the_rival_says_what_to_install() -> None:
    with pytest.raises(RivalMissingError, match="install the package onnx"):
        yolox_nano(53, (64, 64))


@pytest.mark.skipif(not HAS_ONNX, reason="the package onnx is not installed")
def test_the_rival_has_the_published_number_of_weights() -> None:
    """YOLOX-Nano has 0.91 million with 80 classes; batch norms folded in, a little fewer."""
    import onnx

    model = onnx.load_from_string(yolox_nano(80, (416, 416)))
    onnx.checker.check_model(model, full_check=True)
    weights = sum(int(np.prod(w.dims)) for w in model.graph.initializer if w.data_type == 1)
    assert 0.88e6 < weights < 0.92e6
