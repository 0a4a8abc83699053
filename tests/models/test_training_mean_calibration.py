"""What both readers say together is calibrated; collected only where PyTorch is installed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch.nn import functional  # noqa: E402  (these import PyTorch)

from models.careful_reader import Mean  # noqa: E402
from models.preprocess import DETAILED_WH  # noqa: E402
from models.runtime import CAREFUL_READER_NAME, SHIPPED, TILE_READER_NAME  # noqa: E402
from models.tile_reader import TileReader  # noqa: E402
from models.training.calibrate import (  # noqa: E402
    LEAST_SURE,
    MOST_SURE,
    SURE_FACE,
    Truth,
    held_out_batches,
    sureness_of,
)
from models.training.calibrate_mean import calibrate_mean  # noqa: E402
from vision.rendering.dataset import generate  # noqa: E402


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("held-out")
    generate(folder, range(4), seed=5, fonts=None, part="all", workers=1, scenes="tables")
    return folder


def test_the_mean_is_as_sure_as_it_may_be(pictures: Path) -> None:
    quick, careful = (TileReader(SHIPPED / n, 1) for n in (TILE_READER_NAME, CAREFUL_READER_NAME))
    found = calibrate_mean(quick, careful, pictures)

    def loss(mean: Mean) -> float:
        lost = []
        looks = (held_out_batches(pictures, 1500, 7, net.crop_wh) for net in (quick, careful))
        for (batch, truth), (larger, _) in zip(*looks, strict=True):
            both = (
                reader.read_crops(look.crops.numpy(), look.whites.numpy())
                for reader, look in ((quick, batch), (careful, larger))
            )
            said = [(each.classes, each.colours) for each in both]
            has = truth.colours >= 0
            logs = torch.from_numpy(mean.of_classes(*(classes for classes, _ in said))).log()
            inks = torch.from_numpy(mean.of_colours(*(colours for _, colours in said))).log()
            lost.append((logs, truth.classes, inks[has], truth.colours[has]))
        logs, classes, inks, colours = (torch.cat(each) for each in zip(*lost, strict=True))
        of_classes = functional.nll_loss(logs, classes)
        return float(of_classes + functional.nll_loss(inks, colours))

    least = loss(found.mean)
    others = [
        replace(found.mean, class_temperature=found.mean.class_temperature * 0.9),
        replace(found.mean, class_temperature=found.mean.class_temperature * 1.1),
        replace(found.mean, colour_temperature=found.mean.colour_temperature * 1.1),
        *(Mean(part, 1.0, 1.0) for part in (0.5, 0.8)),
    ]
    assert all(least <= loss(other) + 1e-6 for other in others)
    assert found.sureness.tiles > 20
    assert LEAST_SURE <= found.sureness.sure_from.colour <= MOST_SURE


def test_held_out_samples_are_the_same_in_larger_crops(pictures: Path) -> None:
    usual = list(held_out_batches(pictures, 1500, 7))
    larger = list(held_out_batches(pictures, 1500, 7, DETAILED_WH))
    for (batch, truth), (finer, same) in zip(usual, larger, strict=True):
        assert torch.equal(truth.classes, same.classes)
        assert finer.crops.shape[2:] == DETAILED_WH[::-1]
        shrunk = functional.interpolate(finer.crops, batch.crops.shape[2:], mode="area")
        assert float((shrunk - batch.crops).abs().mean()) < 0.06
        assert float((finer.whites - batch.whites).abs().mean()) < 0.03


def test_held_out_samples_are_always_the_same(pictures: Path) -> None:
    first, again = (list(held_out_batches(pictures, 1500, 7)) for _ in range(2))
    assert [truth.plain.unique().tolist() for _, truth in first[:2]] == [[False], [True]]
    for (batch, _), (same, _) in zip(first, again, strict=True):
        assert torch.equal(batch.crops, same.crops)


def test_what_is_sure_is_counted_among_tiles_alone() -> None:
    p = torch.full((4, 16), 0.001)
    p[[0, 1, 2, 3], [0, 1, 13, 15]] = SURE_FACE + 0.005
    inks = torch.tensor([[0.9995, 0.0005, 0, 0]]).repeat(4, 1)
    shown = Truth(
        torch.tensor([0, 2, 13, 15]),
        torch.zeros(4, dtype=torch.int64),
        torch.tensor([0, 0, -1, -1]),
        torch.ones(4, dtype=torch.bool),
    )
    found = sureness_of(p, inks, shown)
    assert (found.tiles, found.wrong) == (3, 1)
