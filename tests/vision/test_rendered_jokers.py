"""What makers print on jokers: the word and how it stands, and the faces that few of them have."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.rendering.designs import (
    JOKER_LETTERS,
    RARE_JOKER_FACES,
    JokerStyle,
    TileDesign,
    sample_design,
)
from vision.rendering.faces import draw_face
from vision.rendering.joker_faces import OTHER_FACES, WAYS
from vision.rendering.strokes import aslant
from vision.rendering.typefaces import BUILT_IN, text_mask


@pytest.mark.parametrize("angle_deg", [-70.0, -25.0, 20.0, 45.0])
def test_a_word_aslant_has_all_its_ink_and_room_for_it(angle_deg: float) -> None:
    word = text_mask(BUILT_IN, "JOKER")
    turned = aslant(word, angle_deg)
    assert abs(float(turned.sum()) / float(word.sum()) - 1) < 0.02
    (high, wide), cos, sin = (
        word.shape,
        np.cos(np.radians(angle_deg)),
        np.sin(np.radians(angle_deg)),
    )
    room = high * abs(cos) + wide * abs(sin), high * abs(sin) + wide * abs(cos)
    assert 0.7 * room[0] < turned.shape[0] <= room[0] + 3
    assert 0.7 * room[1] < turned.shape[1] <= room[1] + 3


def test_every_way_in_which_the_word_stands_is_drawn_within_the_tile() -> None:
    """By what of the face it takes: across it is wide, down the side and letter below letter high."""
    shapes = set()
    for seed in range(60):
        design = sample_design(np.random.default_rng(seed))
        joker = replace(design.joker, face="word", seed=seed, inks_bgr=((0, 0, 0), (0, 0, 0)))
        plain = replace(
            design, body_bgr=(1.0, 1.0, 1.0), ornament="none", dish_radius=0.0, joker=joker
        )
        ink = _ink_of(plain, copy=0)
        rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
        assert len(rows), seed
        rim = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
        assert not rim.any(), seed
        high = (rows[-1] - rows[0]) / ink.shape[0]
        wide = (columns[-1] - columns[0]) / ink.shape[1]
        shapes.add("high" if high > 0.6 and wide < 0.5 else "wide" if high < 0.3 else "both")
    assert shapes == {"high", "wide", "both"}
    assert sum(WAYS) == pytest.approx(1.0)


def test_every_rare_face_can_be_drawn() -> None:
    assert set(RARE_JOKER_FACES) == set(OTHER_FACES)


@pytest.mark.parametrize("face", sorted(OTHER_FACES))
def test_a_rare_face_is_drawn_within_the_tile_and_each_seed_draws_another(face: str) -> None:
    drawn = []
    for seed in range(24):
        ink = _ink_of(_white_set(face, JOKER_LETTERS[seed % len(JOKER_LETTERS)], seed), copy=2)
        assert 0.004 < ink.mean() < 0.7, seed
        rim = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
        assert rim.mean() < 0.03, seed
        drawn.append(ink)
    assert all((one.shape != two.shape) or (one != two).any() for one, two in pairwise(drawn))


def test_a_letter_is_as_large_as_a_number() -> None:
    heights = []
    for seed in range(24):
        ink = _ink_of(_white_set("letters", "J", seed), copy=2)
        rows = np.flatnonzero(ink.any(1))
        heights.append((rows[-1] - rows[0]) / ink.shape[0])
    assert min(heights) > 0.2
    assert np.median(heights) > 0.35


def test_the_first_two_jokers_share_a_face_and_further_ones_have_their_own() -> None:
    design = _white_set("crown", "", 1)
    first, second, third, fourth = (_ink_of(design, copy) for copy in (0, 1, 2, 3))
    assert (first == second).all()
    assert (first != third).any()
    assert (third == fourth).all(), "in turn, where there is one alone"


def _white_set(face: str, symbol: str, seed: int) -> TileDesign:
    """A white set whose third joker has that face, in black as all else."""
    design = sample_design(np.random.default_rng(seed))
    black = (0.0, 0.0, 0.0)
    star = replace(design.joker, face="star", inks_bgr=(black, black))
    rare = JokerStyle(face, (black, black), size=0.5, centre_y=0.42, seed=seed, symbol=symbol)
    return replace(
        design,
        body_bgr=(1.0, 1.0, 1.0),
        ornament="none",
        dish_radius=0.0,
        inks_bgr=dict.fromkeys("KRBO", black),
        joker=star,
        more_jokers=(rare,),
    )


def _ink_of(design: TileDesign, copy: int) -> NDArray[np.bool_]:
    """(H, W) where the face of a joker is printed."""
    return draw_face(design, "J", 120, copy).albedo_bgr.max(axis=2) < 0.5
