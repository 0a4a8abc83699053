"""The networks' bookkeeping; collected only where PyTorch is installed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from models.classes import CLASSES  # noqa: E402  (these import PyTorch)
from models.preprocess import planes  # noqa: E402
from models.runtime import (  # noqa: E402
    CAREFUL_READER_NAME,
    FINDER_NAME,
    SHIPPED,
    TILE_READER_NAME,
    Network,
)
from models.training.batches import Batch  # noqa: E402
from models.training.calibrate import sure_probability  # noqa: E402
from models.training.export import (  # noqa: E402
    OPSET,
    READER_OUTPUTS,
    checked,
    rounded,
)
from models.training.half_turns import (  # noqa: E402
    CAREFUL,
    DETAILED,
    QUICK,
    HalfTurnReaderNet,
    HalfTurnResidual,
    HalfTurnTileNet,
    Size,
    as_plain,
)
from models.training.nets import (  # noqa: E402
    SHAPE,
    CarefulReaderNet,
    CarefulTileNet,
    ExportedFinder,
    ExportedReader,
    FinderNet,
    HandNet,
    ReaderNet,
    Residual,
    relative_whites,
)
from models.training.restore import (  # noqa: E402
    RestoreError,
    load_exported,
    load_folded,
    load_reader,
    reader_of,
)
from models.training.run import rate_part  # noqa: E402
from models.training.stored import in_32_bits, store_in_half_precision  # noqa: E402
from models.training.train_finder import as_input, focal_loss  # noqa: E402
from models.training.train_tile_reader import class_loss, see  # noqa: E402

NO_SUMMANDS = (0.0,) * len(CLASSES)


def test_the_joint_softmax_charges_for_class_and_up_together() -> None:
    joint = torch.zeros(3, 2, len(CLASSES))
    joint[:, 1, 5] = 4.0
    losses = class_loss(joint, torch.tensor([5, 5, 5]), torch.tensor([0, 1, -1]))
    total = 31 + np.exp(4.0)
    expected = -np.log(np.array([1, np.exp(4.0), 1 + np.exp(4.0)]) / total)
    np.testing.assert_allclose(losses.numpy(), expected, rtol=1e-5)


@pytest.mark.parametrize(
    "make", [lambda: HalfTurnTileNet(QUICK), lambda: HalfTurnTileNet(CAREFUL), CarefulTileNet]
)
def test_what_learns_from_nothing_keeps_its_signal_through_all_layers(
    make: Callable[[], HalfTurnTileNet | CarefulTileNet],
) -> None:
    torch.manual_seed(0)
    crops = torch.rand(32, 3, 64, 48)
    net = make().eval()
    with torch.no_grad():
        first = net.fine(crops)
        last = net.last(net.coarse(net.middle(first)))
    assert 1 / 3 < last.std() / first.std() < 3
    blocks = [m for m in net.modules() if isinstance(m, Residual | HalfTurnResidual)]
    assert blocks
    assert not any(block.second.weight.any() for block in blocks)


def test_padding_changes_nothing() -> None:
    """A photograph of two tiles reads the same alone and beside one of five."""
    torch.manual_seed(0)
    net = HalfTurnReaderNet().eval()
    torch.nn.init.normal_(net.hand.leave.weight)
    crops, whites = torch.rand(7, 3, 64, 48), torch.rand(7, 3) + 0.2
    places = torch.tensor([[0, 0], [0, 1], *([1, i] for i in range(5))])
    unused = torch.zeros(7)
    with torch.inference_mode():
        beside = see(net, Batch(crops, whites, unused, unused, unused, unused, places))
        classes, _, colour, _, _ = ExportedReader(net, 1.0, NO_SUMMANDS, 1.0)(crops[:2], whites[:2])
    joint = torch.softmax(beside.joint[:2].flatten(1), 1).reshape(2, 2, len(CLASSES))
    np.testing.assert_allclose(joint.sum(1).numpy(), classes.numpy(), atol=1e-5)
    np.testing.assert_allclose(
        torch.softmax(beside.colour[:2], 1).numpy(), colour.numpy(), atol=1e-5
    )
    assert not torch.allclose(beside.joint, beside.joint_alone)


def test_an_untrained_comparison_of_numbers_changes_no_reading() -> None:
    torch.manual_seed(0)
    hidden, joint = torch.rand(2, 5, 2, SHAPE), torch.rand(2, 5, 2, len(CLASSES))
    assert not HandNet()(hidden, joint, None).any()


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_training_and_use_compare_with_the_same_median_white(count: int) -> None:
    whites = torch.rand(count, 3) + 0.1
    padded = torch.ones(1, 10, 3)
    padded[0, :count] = whites
    absent = torch.arange(10)[None] >= count
    in_training = relative_whites(padded, absent)[0, :count]
    np.testing.assert_allclose(in_training.numpy(), ExportedReader._relative(whites).numpy())


def test_training_makes_the_same_finder_input_as_use() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (1, 8, 8, 3), dtype=np.uint8)
    in_training = as_input(torch.from_numpy(pixels))
    np.testing.assert_allclose(in_training.numpy(), planes(pixels), atol=1e-7)


def exported(net: ReaderNet, network: Network) -> ExportedReader:
    """The network calibrated as the file is."""
    facts = network.facts
    return ExportedReader(
        net.eval(),
        facts.number("class_temperature"),
        facts.facts["class_summands"],
        facts.number("colour_temperature"),
    )


def said_in_32_bits(path: Path, *inputs: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """What the network of a file answers where nothing is rounded between its layers."""
    session = onnxruntime.InferenceSession(in_32_bits(path).SerializeToString())
    names = (entry.name for entry in session.get_inputs())
    said: list[NDArray[np.float32]] = session.run(None, dict(zip(names, inputs, strict=True)))
    return said


def test_a_finder_restored_from_its_file_answers_as_the_file() -> None:
    torch.manual_seed(0)
    net, pictures = FinderNet(), torch.rand(2, 3, 64, 96)
    load_exported(net, SHIPPED / FINDER_NAME, lambda filled: filled(pictures))
    with torch.inference_mode():
        heat, geometry = ExportedFinder(net.eval())(pictures[:1])
    expected = said_in_32_bits(SHIPPED / FINDER_NAME, pictures[:1].numpy())
    np.testing.assert_allclose(heat.numpy(), expected[0], atol=1e-4)
    np.testing.assert_allclose(geometry.numpy(), expected[1], atol=1e-3)


def test_a_finder_without_norms_begins_as_what_a_file_answers() -> None:
    torch.manual_seed(0)
    net, pictures = FinderNet(norms=False), torch.rand(2, 3, 64, 96)
    load_folded(net, SHIPPED / FINDER_NAME)
    with torch.inference_mode():
        heat, geometry = ExportedFinder(net.eval())(pictures[:1])
    expected = said_in_32_bits(SHIPPED / FINDER_NAME, pictures[:1].numpy())
    np.testing.assert_allclose(heat.numpy(), expected[0], atol=1e-4)
    np.testing.assert_allclose(geometry.numpy(), expected[1], atol=1e-3)


@pytest.mark.parametrize("file", [TILE_READER_NAME, CAREFUL_READER_NAME])
def test_a_reader_begins_as_what_its_file_answers(file: str) -> None:
    torch.manual_seed(0)
    net = reader_of(SHIPPED / file)
    width, height = net.crop_wh
    crops, whites = torch.rand(6, 3, height, width), torch.rand(6, 3) + 0.2
    with torch.inference_mode():
        answers = exported(net, Network(SHIPPED / file, 1))(crops, whites)
    expected = said_in_32_bits(SHIPPED / file, crops.numpy(), whites.numpy())
    for ours, theirs in zip(answers, expected, strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs, atol=1e-3)


@pytest.mark.parametrize("size", [QUICK, CAREFUL, DETAILED])
def test_a_reader_begins_as_a_checkpoint_left_it(tmp_path: Path, size: Size) -> None:
    torch.manual_seed(0)
    net, file = HalfTurnReaderNet(size).eval(), tmp_path / "reader.pt"
    torch.save({"ema": net.state_dict(), "steps": 3}, file)
    again, crops = reader_of(file).eval(), torch.rand(2, 3, *size.crop_wh[::-1])
    with torch.inference_mode():
        for ours, theirs in zip(again.look(crops), net.look(crops), strict=True):
            torch.testing.assert_close(ours, theirs)


def test_what_serves_training_alone_begins_at_zero() -> None:
    net = reader_of(SHIPPED / TILE_READER_NAME)
    for name, weights in net.named_parameters():
        assert bool(weights.any()) != name.startswith("colour_alone."), name


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_is_stored_in_half_the_room_is_what_was_rounded(tmp_path: Path) -> None:
    torch.manual_seed(0)
    net = HalfTurnReaderNet(QUICK).eval()
    for parameter in net.parameters():
        parameter.data += 0.05 * torch.randn_like(parameter)  # export takes like ones for one
    net = rounded(net)
    wrapped = ExportedReader(as_plain(net), 1.0, [0.0] * 16, 1.0).eval()
    given, file = (torch.rand(3, 3, 64, 48), torch.rand(3, 3) + 0.2), tmp_path / "reader.onnx"
    names = {"input_names": ["crops", "whites"], "output_names": list(READER_OUTPUTS)}
    torch.onnx.export(wrapped, given, str(file), dynamo=False, opset_version=OPSET, **names)
    large = file.stat().st_size
    store_in_half_precision(file)
    assert file.stat().st_size < 0.6 * large
    checked(file, wrapped, [given])  # which exits where they differ
    again = HalfTurnReaderNet(QUICK)
    load_reader(again, file)
    for name, weights in net.tile.state_dict().items():
        assert torch.equal(again.tile.state_dict()[name], weights), name


def test_a_checkpoint_of_another_network_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "finder.pt"
    torch.save({"ema": FinderNet().state_dict(), "steps": 3}, file)
    with pytest.raises(RestoreError, match=r"finder\.pt: no reader has 0, 0 and 0 residual blocks"):
        reader_of(file)


def test_one_reader_does_not_fit_into_the_other() -> None:
    with pytest.raises(RestoreError):
        load_reader(HalfTurnReaderNet(), SHIPPED / CAREFUL_READER_NAME)
    with pytest.raises(RestoreError):
        load_reader(CarefulReaderNet(), SHIPPED / TILE_READER_NAME)


def test_unknown_ground_costs_nothing() -> None:
    logits, heat, weight = torch.full((1, 4, 4), 6.0), torch.zeros(1, 4, 4), torch.zeros(1, 4, 4)
    assert float(focal_loss(logits, heat, weight)) == 0.0


def test_the_rate_rises_falls_and_stays_above_nothing() -> None:
    rates = [rate_part(part) for part in np.linspace(0, 1.2, 100)]
    assert max(rates) <= 1.0
    assert min(rates) > 0.0
    assert rates[-1] < 0.02


def test_sure_begins_where_next_to_none_is_wrong() -> None:
    certain = np.linspace(0.9, 1, 10_000).astype(np.float32)
    wrong = certain < 0.95
    assert sure_probability(certain, wrong) == pytest.approx(0.95, abs=1e-3)
    assert sure_probability(certain, np.zeros(10_000, bool)) == pytest.approx(0.9)
    assert sure_probability(certain, np.ones(10_000, bool)) == pytest.approx(0.999)
