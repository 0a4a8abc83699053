"""Whether a tile looks as it did, where the light burns a colour out, and the tile was found anew."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.rendering import RenderedPicture, RenderedTable, TilePose
from vision.tracking.looks import Looks, looks_of, same_prints

TILES: Final = ("O6", "R6", "B6", "O9", "O8", "O5", "R8", "K1")
OTHERS: Final = ("R6", "O6", "O6", "O8", "O9", "R5", "O8", "K7")
EVENING: Final = (0.8, 1.05, 1.45)
"""Blue, green, red: a warm lamp that leaves nothing of what red says of a body."""
STAGE: Final = (1.0, 1.3, 1.6)
FULL: Final = 248


def table(seed: int, tiles: tuple[str, ...], noise: int) -> RenderedPicture:
    poses = [TilePose(tile, -115 + 33 * k, 0, 0.0) for k, tile in enumerate(tiles)]
    return RenderedTable(seed=seed).picture(poses, noise_seed=noise)


def looks(
    picture: RenderedPicture,
    light: tuple[float, float, float],
    quads_xy: NDArray[np.float32],
    exposure: float = 1.0,
) -> Looks:
    lit = picture.pixels_bgr * np.array(light) * exposure
    return looks_of(np.clip(lit, 0, 255).astype(np.uint8), quads_xy)


def found_anew(quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners that are half a pixel off."""
    off = np.random.default_rng(3).normal(0, 0.5, (len(quads_xy), 1, 2))
    return (quads_xy + off).astype(np.float32)


@pytest.mark.parametrize("seed", [3, 8, 11])
@pytest.mark.parametrize("light", [EVENING, STAGE], ids=["evening", "stage"])
def test_a_colour_that_is_burnt_out_says_nothing(
    light: tuple[float, float, float], seed: int
) -> None:
    before, later = (table(seed, TILES, noise) for noise in (1, 2))
    quads = before.quads_xy
    then = looks(before, light, quads)
    assert (np.median(then[:, 20:44, 12:36, 2], axis=(1, 2)) > FULL).all(), "red is burnt out"
    now = looks(later, light, found_anew(quads), exposure=0.97)
    assert same_prints(then, now, moved=True).mean() > 0.8


@pytest.mark.parametrize("seed", [3, 8, 11])
@pytest.mark.parametrize("light", [EVENING, STAGE], ids=["evening", "stage"])
def test_the_others_tell_of_a_tile_that_was_exchanged(
    light: tuple[float, float, float], seed: int
) -> None:
    before, later = table(seed, TILES, 1), table(seed, OTHERS, 2)
    quads = before.quads_xy
    then, now = looks(before, light, quads), looks(later, light, found_anew(quads))
    assert not same_prints(then, now, moved=True).any()
