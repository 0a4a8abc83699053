"""What training does to pictures, as far as it needs no PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.disturb import burnt_out


@pytest.mark.parametrize("seed", range(5))
def test_a_lamp_makes_nothing_darker_and_burns_out_white_first(seed: int) -> None:
    picture = np.full((120, 160, 3), 60, np.uint8)
    picture[40:80, 40:120] = 200  # tiles side by side, and the joint between them
    picture[40:80, 78:82] = 170
    lit = burnt_out(picture, np.random.default_rng(seed))
    assert lit.shape == picture.shape
    assert lit.dtype == np.uint8
    assert (lit >= picture).all()
    burnt = (lit == 255).all(axis=2)
    assert not burnt[:40].any()
    assert burnt[40:80, 82:120].sum() >= burnt[40:80, 78:82].sum()


def test_some_lamps_burn_out_the_joint_between_two_tiles() -> None:
    picture = np.full((120, 160, 3), 200, np.uint8)
    picture[:, 78:82] = 170
    lit = (burnt_out(picture, np.random.default_rng(seed)) for seed in range(40))
    gone = [bool((each[:, 78:82] == 255).all(axis=2).any()) for each in lit]
    assert 2 <= sum(gone) < len(gone)
