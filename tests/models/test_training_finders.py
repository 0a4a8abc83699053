"""Finders learn from windows of pictures that are drawn meanwhile, each time in another light."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.runtime import FINDER_NAME, SHIPPED
from models.training.feed import PicturePool, Sources
from models.training.finder_data import cut_sample, draw_sample
from models.training.finder_feed import (
    BLOCK_SIZE,
    DRAWN_PART,
    REAL_PART,
    SCENE_PARTS,
    TRACED_PART,
    Windows,
    window_blocks,
    windows_of,
)
from vision.rendering.dataset import SCENES
from vision.rendering.table_scenes import Typefaces

DRAWN_ALONE = Sources(
    typefaces=[Typefaces()], italics=[], traced=[], real=[], finder=SHIPPED / FINDER_NAME
)


@pytest.fixture(scope="module")
def block() -> Windows:
    return next(window_blocks(DRAWN_ALONE, np.random.default_rng(3)))


def test_a_block_is_whole(block: Windows) -> None:
    assert block.pixels_bgr.shape == (BLOCK_SIZE, 352, 352, 3)
    assert block.geometry.shape == (BLOCK_SIZE, 10, 88, 88)
    assert {len(part) for part in block} == {BLOCK_SIZE}
    assert (block.heat == 1).any(), "tiles are asked for"


def test_the_same_seed_makes_the_same(block: Windows) -> None:
    again = next(window_blocks(DRAWN_ALONE, np.random.default_rng(3)))
    assert all((mine == theirs).all() for mine, theirs in zip(block, again, strict=True))


def test_half_precision_is_a_hundredth_of_a_pixel() -> None:
    rng = np.random.default_rng(1)
    pool = PicturePool(DRAWN_ALONE, {"tables": 1.0}, (1.0, 0.0, 0.0), rng)
    sample = cut_sample(pool.draw(), rng)
    stored = windows_of([sample]).geometry[0].astype(np.float32)
    assert np.abs(stored - sample.geometry).max() < 0.01 / 4


def test_a_cut_sample_is_the_drawn_one_before_its_light() -> None:
    rng = np.random.default_rng(2)
    picture = PicturePool(DRAWN_ALONE, {"tables": 1.0}, (1.0, 0.0, 0.0), rng).draw()
    cut = cut_sample(picture, np.random.default_rng(7))
    drawn = draw_sample(picture, np.random.default_rng(7))
    assert (cut.heat == drawn.heat).all()
    assert (cut.quads_xy == drawn.quads_xy).all()


def test_parts_are_parts_of_a_whole() -> None:
    assert pytest.approx(1) == DRAWN_PART + TRACED_PART + REAL_PART
    assert sum(SCENE_PARTS.values()) == pytest.approx(1)
    assert set(SCENE_PARTS) <= set(SCENES)


def test_one_from_nothing_and_one_that_learns_on_leave_what_export_takes(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from models.training.nets import FinderNet
    from models.training.train_finders import NOTHING, main

    fonts = tmp_path / "none"
    shipped = str(SHIPPED / FINDER_NAME)
    said = (
        f"--fonts {fonts} --finder {shipped} --minutes 0.05 --workers 1 --batch 4 --fewest-blocks 1"
    )
    run = tmp_path / "run"
    main(["--out", str(run), "--begin", NOTHING, shipped, *said.split()])
    for number, norms in enumerate((True, False)):
        saved = torch.load(run / f"finder-{number}.pt", weights_only=True)
        assert saved["steps"] > 0
        FinderNet(norms).load_state_dict(saved["ema"])
