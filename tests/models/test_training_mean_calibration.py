"""What both readers say together is calibrated; collected only where PyTorch is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch.nn import functional  # noqa: E402  (these import PyTorch)

from models.careful_reader import geometric_mean  # noqa: E402
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

    def loss(temperature: float) -> float:
        lost = []
        for batch, truth in held_out_batches(pictures, 1500, 7):
            given = batch.crops.numpy(), batch.whites.numpy()
            both = (reader.read_crops(*given).classes for reader in (quick, careful))
            logs = torch.from_numpy(geometric_mean(*both, temperature)).log()
            lost.append(functional.nll_loss(logs, truth.classes, reduction="none"))
        return float(torch.cat(lost).mean())

    least = loss(found.class_temperature)
    assert all(least <= loss(found.class_temperature * factor) + 1e-6 for factor in (0.9, 1.1))
    assert found.sureness.tiles > 20
    assert LEAST_SURE <= found.sureness.sure_from.colour <= MOST_SURE


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
