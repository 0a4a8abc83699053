"""Both readers trained at once; collected only where PyTorch is installed."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.preprocess import NORMALISED_MAX  # noqa: E402  (these import PyTorch)
from models.training.feed import BLOCK_SIZE, LEVELS, Block  # noqa: E402
from models.training.nets import ReaderNet  # noqa: E402
from models.training.train_readers import (  # noqa: E402
    Larder,
    Learner,
    moved_a_little,
    taught_loss,
)
from models.training.train_tile_reader import loss_of_answers, see  # noqa: E402

HERE = torch.device("cpu")


def block(groups: int, level: int) -> Block:
    """Every crop of one level, in groups of equal size."""
    each = BLOCK_SIZE // groups
    places = np.array([[g, i] for g in range(groups) for i in range(each)], np.int64)
    some = np.zeros(BLOCK_SIZE, np.int64)
    return Block(
        np.full((BLOCK_SIZE, 3, 64, 48), level, np.uint8),
        np.ones((BLOCK_SIZE, 3), np.float32),
        some,
        some,
        some,
        np.zeros(BLOCK_SIZE, np.bool_),
        places,
    )


def test_groups_of_several_blocks_stay_apart() -> None:
    larder = Larder(HERE)
    for level in (LEVELS, 0):
        larder.add(block(4, level))
    batch, extent = larder.draw(2, np.random.default_rng(0))
    crops, places = batch[0], batch[-1]
    assert extent == (8, BLOCK_SIZE // 4)
    assert sorted(set(places[:, 0].tolist())) == list(range(8))
    for group in range(8):
        assert np.ptp(crops[places[:, 0] == group].numpy()) < 1e-5
    assert crops.max() == pytest.approx(NORMALISED_MAX)


def test_a_crop_that_is_moved_stays_what_it_is() -> None:
    crops = torch.zeros(64, 3, 64, 48)
    crops[:, :, 20:44, 15:33] = 1.0
    moved = moved_a_little(crops)
    assert moved.shape == crops.shape
    assert (moved[:, :, 28:36, 20:28] > 0.99).all()
    assert (moved[:, :, :12] < 0.01).all()
    assert 0.2 < (moved == crops).flatten(1).all(dim=1).float().mean() < 0.8, "every second one"


def test_who_says_the_same_has_nothing_to_learn() -> None:
    torch.manual_seed(0)
    net = ReaderNet(norms=False).eval()
    larder = Larder(HERE)
    larder.add(block(16, 100))
    batch, extent = larder.draw(1, np.random.default_rng(0))
    answers = see(net, batch, extent)
    other = answers._replace(joint=answers.joint.flip(2))
    coloured = batch[4] >= 0
    assert taught_loss(answers, answers, coloured).item() == pytest.approx(0, abs=1e-5)
    assert taught_loss(answers, other, coloured).item() > 1e-3


def test_steps_go_downhill_and_the_average_follows() -> None:
    torch.manual_seed(0)
    learner = Learner(ReaderNet(norms=False), HERE, rate=1e-3)
    larder = Larder(HERE)
    larder.add(block(16, 100))
    batch, extent = larder.draw(1, np.random.default_rng(0))
    losses = []
    for _ in range(4):
        loss, _ = loss_of_answers(see(learner.net, batch, extent), batch)
        losses.append(loss.item())
        loss.backward()
        learner.step(part=0.1)
    assert losses[-1] < losses[0]
    apart = [
        (kept - now).abs().max().item()
        for kept, now in zip(learner.averaged.parameters(), learner.net.parameters(), strict=True)
    ]
    assert 0 < max(apart) < 0.01


def test_a_loss_that_is_no_number_is_no_step() -> None:
    learner = Learner(ReaderNet(norms=False), HERE, rate=1e-3)
    before = [p.clone() for p in learner.net.parameters()]
    (sum(p.sum() for p in learner.net.parameters()) * float("nan")).backward()
    learner.step(part=0.5)
    assert learner.steps == 0
    assert all((a == b).all() for a, b in zip(before, learner.net.parameters(), strict=True))
