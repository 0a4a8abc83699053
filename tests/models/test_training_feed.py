"""Samples that are made while the networks learn: blocks of crops, from processes that can be ended."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

from models.classes import FACE_DOWN, JOKER, NOT_A_TILE
from models.runtime import FINDER_NAME, SHIPPED
from models.training.feed import (
    BLOCK_SIZE,
    DRAWN_PART,
    ITALIC_PART,
    REAL_PART,
    SCENE_PARTS,
    TRACED_PART,
    Feed,
    Sources,
    crop_blocks,
    with_part,
)
from models.training.tile_data import Samples
from vision.rendering.dataset import SCENES
from vision.rendering.table_scenes import Typefaces

DRAWN_ALONE = Sources(
    typefaces=[Typefaces()], italics=[], traced=[], real=[], finder=SHIPPED / FINDER_NAME
)


@pytest.fixture(scope="module")
def block() -> Samples:
    return next(crop_blocks(DRAWN_ALONE, np.random.default_rng(3)))


def test_a_block_is_whole(block: Samples) -> None:
    assert block.cut.shape == (BLOCK_SIZE, 3, 64, 48)
    assert block.quads_xy.shape == (BLOCK_SIZE, 4, 2)
    assert {len(part) for part in block} == {BLOCK_SIZE}


def test_its_crops_lie_in_groups_one_after_the_other(block: Samples) -> None:
    group, number = block.places.T
    starts = np.flatnonzero(number == 0)
    assert (np.diff(group) >= 0).all()
    assert group[starts].tolist() == list(range(len(starts)))
    assert (np.diff(number)[np.diff(group) == 0] == 1).all()


def test_what_has_a_colour_is_a_number(block: Samples) -> None:
    coloured = block.colours >= 0
    assert coloured.any()
    assert not np.isin(block.classes[coloured], [FACE_DOWN, JOKER, NOT_A_TILE]).any()


def test_the_same_seed_makes_the_same(block: Samples) -> None:
    again = next(crop_blocks(DRAWN_ALONE, np.random.default_rng(3)))
    assert all((mine == theirs).all() for mine, theirs in zip(block, again, strict=True))


def test_parts_are_parts_of_a_whole() -> None:
    assert pytest.approx(1) == DRAWN_PART + TRACED_PART + REAL_PART
    assert sum(SCENE_PARTS.values()) == pytest.approx(1)
    assert set(SCENE_PARTS) <= set(SCENES)
    assert 0 < ITALIC_PART < 1


def test_what_is_drawn_more_often_leaves_less_to_all_else() -> None:
    assert with_part("ornate-sheets", SCENE_PARTS["ornate-sheets"]) == pytest.approx(SCENE_PARTS)
    many = with_part("tables", 0.625)
    assert many["tables"] == 0.625
    assert sum(many.values()) == pytest.approx(1)
    assert many["evenings"] == pytest.approx(SCENE_PARTS["evenings"] / 2)


@pytest.mark.parametrize(("scenes", "part"), [("cards", 0.5), ("tables", 1.5), ("tables", np.nan)])
def test_a_part_of_nothing_is_refused(scenes: str, part: float) -> None:
    with pytest.raises(ValueError, match="a part from 0 to 1 of one of tables, "):
        with_part(scenes, part)


def test_processes_hand_over_blocks_and_a_dead_one_is_told() -> None:
    with Feed(DRAWN_ALONE, workers=1, seed=1, make=crop_blocks) as feed:
        got = None
        while got is None:
            got = feed.take(wait_s=60)
        assert len(got.cut) == BLOCK_SIZE
        (pid,) = feed.process_ids
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(RuntimeError, match="have died"):
            _take_all(feed)


def _take_all(feed: Feed) -> None:
    while True:
        feed.take(wait_s=0.2)
