"""Networks in eight bits; collected only where PyTorch and onnx are installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from onnx import numpy_helper  # noqa: E402  (these need both)

from models.finder import SURVEY_SIDES_PX  # noqa: E402
from models.runtime import FINDER_NAME  # noqa: E402
from models.training import quantise  # noqa: E402
from models.training.nets import ExportedFinder, FinderNet  # noqa: E402
from models.training.stored import QUANTISED, in_32_bits, store_in_half_precision  # noqa: E402
from vision.rendering.dataset import generate  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

MOST = 64
"""What a weight of seven bits and a sign reaches."""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    generate(folder, range(3), seed=5, fonts=None, part="all", workers=1)
    return folder


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finder that learned nothing, in 32 bits."""
    torch.manual_seed(0)
    path = tmp_path_factory.mktemp("wide") / FINDER_NAME
    given = (torch.zeros(1, 3, 64, 96),)
    sides = {"pictures": {2: "height", 3: "width"}}
    torch.onnx.export(
        ExportedFinder(FinderNet(norms=False)).eval(),
        given,
        str(path),
        dynamo=False,
        input_names=["pictures"],
        output_names=["heat", "geometry"],
        dynamic_axes=sides,
    )
    return path


@pytest.fixture(scope="module")
def narrow(wide: Path, pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same one in eight."""
    path = tmp_path_factory.mktemp("narrow") / FINDER_NAME
    path.write_bytes(wide.read_bytes())
    quantise.quantise(path, pictures)
    return path


def geometry(network: bytes, pictures: NDArray[np.float32]) -> NDArray[np.float32]:
    said = onnxruntime.InferenceSession(network).run(["geometry"], {"pictures": pictures})
    return np.asarray(said[0], np.float32)


def test_a_network_in_eight_bits_answers_nearly_alike_in_a_third_of_the_room(
    wide: Path, narrow: Path, pictures: Path
) -> None:
    given = next(quantise.finder_samples(pictures))["pictures"]
    assert max(given.shape) >= SURVEY_SIDES_PX[0]
    ours, theirs = (geometry(path.read_bytes(), given) for path in (narrow, wide))
    assert 0 < np.abs(ours - theirs).mean() < 0.05 * np.abs(theirs).mean()
    assert narrow.stat().st_size < 0.34 * wide.stat().st_size


def test_weights_have_seven_bits_and_a_sign_but_for_those_that_tell_a_place(narrow: Path) -> None:
    stored = {tensor.name: tensor for tensor in onnx.load(str(narrow)).graph.initializer}
    kernels = [t for t in stored.values() if len(t.dims) == 4]
    in_eight = [tensor for tensor in kernels if tensor.name.endswith(QUANTISED)]
    assert len(in_eight) == 11
    for tensor in in_eight:
        weights = numpy_helper.to_array(tensor)
        assert weights.dtype == np.int8
        assert MOST - 1 <= np.abs(weights).max() <= MOST
    others = [tuple(tensor.dims) for tensor in kernels if tensor not in in_eight]
    assert [shape for shape in others if shape[2:] != (1, 1)] == [(16, 3, 3, 3)]


def test_weights_in_eight_bits_are_taken_up_again(wide: Path, narrow: Path, pictures: Path) -> None:
    again, before = (in_32_bits(path) for path in (narrow, wide))
    given = next(quantise.finder_samples(pictures))["pictures"]
    said, meant = (geometry(network.SerializeToString(), given) for network in (again, before))
    assert np.abs(said - meant).mean() < 0.05 * np.abs(meant).mean()
    assert {node.op_type for node in again.graph.node} == {
        node.op_type for node in before.graph.node
    }
    ours, theirs = (
        {t.name: numpy_helper.to_array(t) for t in network.graph.initializer}
        for network in (again, before)
    )
    assert ours.keys() >= {name for name, weights in theirs.items() if weights.ndim == 4}
    for name, weights in theirs.items():
        if weights.ndim == 4:
            most = np.abs(weights).max(axis=(1, 2, 3), keepdims=True)
            assert (np.abs(ours[name] - weights) <= 0.51 * most / (MOST - 1)).all(), name


def test_a_network_in_32_bits_is_itself(wide: Path, tmp_path: Path) -> None:
    assert in_32_bits(wide) == onnx.load(str(wide))
    halved = tmp_path / FINDER_NAME
    halved.write_bytes(wide.read_bytes())
    store_in_half_precision(halved)
    given = np.random.default_rng(0).random((1, 3, 64, 96), np.float32)
    ours, theirs = (
        geometry(network, given)
        for network in (in_32_bits(halved).SerializeToString(), halved.read_bytes())
    )
    np.testing.assert_allclose(ours, theirs, atol=1e-5)
