"""Stands of many makes in traced pictures: what stands on them stands, in front of its board."""

from __future__ import annotations

import numpy as np
import pytest

from vision.rendering.ray_traced.labelling import LYING
from vision.rendering.ray_traced.makers import sample_maker
from vision.rendering.ray_traced.shelves import sample_make, shelf
from vision.rendering.ray_traced.solids import flat, moved, top_corners
from vision.rendering.ray_traced.stages import ORDERS, STAGES, Bag
from vision.rendering.typefaces import BUILT_IN


@pytest.mark.parametrize("seed", range(12))
def test_all_tiles_stand_on_it_before_its_boards(seed: int) -> None:
    rng = np.random.default_rng([8, seed])
    maker = sample_maker(rng, [BUILT_IN])
    make = sample_make(rng, maker)
    labels = Bag(rng).any(int(rng.integers(1, 20)))
    stage = shelf(rng, maker, make, labels)
    assert sorted(tile.label for tile in stage.tiles) == sorted(labels)
    boards = [thing for thing in stage.things if np.isclose(thing.size[1], make.board)]
    assert len(boards) == make.tiers
    for tile in stage.tiles:
        assert tile.matrix[2, 2] < LYING, "it stands"
        back = tile.matrix[:3, 3]
        out = tile.matrix[:3, 2]
        gaps = [float((back - board.matrix[:3, 3]) @ out) - 0.002 for board in boards]
        assert min(np.abs(gaps)) < 0.001, "it leans on one of them"
        corners = top_corners(maker.width, maker.height, maker.thickness, tile.matrix)
        assert np.abs(corners[:, 0]).max() < boards[0].size[0] / 2 + 0.02 * maker.height
        assert corners[:, 2].min() > 0


def test_makes_differ() -> None:
    rng = np.random.default_rng(3)
    maker = sample_maker(rng, [BUILT_IN])
    makes = [sample_make(rng, maker) for _ in range(60)]
    assert {make.tiers for make in makes} == {1, 2, 3}
    assert {make.material["kind"] for make in makes} == {"wood", "plain"}
    assert any(make.lip == 0 for make in makes)
    assert any(make.board < 0.6 * maker.height for make in makes)
    assert all(make.deep > 0 for make in makes)


def test_what_is_moved_is_the_same_elsewhere() -> None:
    rng = np.random.default_rng(4)
    maker = sample_maker(rng, [BUILT_IN])
    stage = shelf(rng, maker, sample_make(rng, maker), ["K1", "B2", "J"])
    there = moved(stage, flat(0.3, -0.2, 0.0))
    assert [tile.label for tile in there.tiles] == [tile.label for tile in stage.tiles]
    for one, other in zip(
        (*stage.tiles, *stage.things), (*there.tiles, *there.things), strict=True
    ):
        assert np.allclose(other.matrix[:3, 3] - one.matrix[:3, 3], [0.3, -0.2, 0.0])


@pytest.mark.parametrize("seed", range(6))
def test_round_a_table_some_tiles_lie_and_some_stand(seed: int) -> None:
    assert set(ORDERS["shelves"]) == {"shelves", "shelf table"}
    rng = np.random.default_rng([9, seed])
    stage = STAGES["shelf table"](rng, sample_maker(rng, [BUILT_IN]))
    lies = np.array([tile.matrix[2, 2] >= LYING for tile in stage.tiles])
    assert lies.any()
    assert not lies.all()
    places = np.array([tile.matrix[:2, 3] for tile in stage.tiles])
    middle = np.abs(places[lies]).max(axis=0)
    assert (np.abs(places[~lies]) > middle).any(axis=1).all(), "stands are around the melds"
