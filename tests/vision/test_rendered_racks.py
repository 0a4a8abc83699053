"""Pictures of racks: what is in them, and how steeply their faces are seen."""

from __future__ import annotations

from functools import cache

import numpy as np

from vision.rendering.rack_scenes import MOST_RACKS, MOST_TILES, draw_racks
from vision.rendering.scene import RenderedPicture
from vision.rendering.table_scenes import Typefaces


@cache
def _picture(number: int) -> RenderedPicture:
    return draw_racks(np.random.default_rng([3, number]), Typefaces())


def _flatness(quads_xy: np.ndarray) -> np.ndarray:
    """(n,) how high each quad (n, 4, 2) is for its width."""
    wide = np.linalg.norm(quads_xy[:, 1] - quads_xy[:, 0], axis=1)
    high = np.linalg.norm(quads_xy[:, 3] - quads_xy[:, 0], axis=1)
    return np.asarray(high / wide)


def test_a_picture_of_racks_is_drawn_from_its_generator_alone() -> None:
    first, again = _picture(1), _picture.__wrapped__(1)
    np.testing.assert_array_equal(first.pixels_bgr, again.pixels_bgr)
    np.testing.assert_array_equal(first.quads_xy, again.quads_xy)
    assert first.labels == again.labels


def test_faces_on_racks_are_seen_from_steep_to_flat() -> None:
    pictures = [_picture(k) for k in range(12)]
    assert all(len(p.labels) >= 1 for p in pictures)
    shape = np.concatenate([_flatness(p.quads_xy) for p in pictures])
    # A tile lying flat below the camera is 1.2 to 1.6 times as high as it is wide.
    assert np.mean(shape < 0.9) > 0.1
    assert np.mean(shape > 1.1) > 0.3


def test_no_more_stands_on_racks_than_they_hold() -> None:
    flat_melds = 11 * 8  # at most so many rows beside the racks, of so many tiles
    for k in range(6):
        assert len(_picture(k).labels) <= MOST_RACKS * MOST_TILES + flat_melds


def test_every_tile_named_shows_some_of_its_face() -> None:
    for k in range(6):
        picture = _picture(k)
        assert all(0.02 < visible <= 1.0 for visible in picture.visible)


def test_what_stands_is_told_from_what_lies() -> None:
    pictures = [_picture(k) for k in range(12)]
    standing = np.concatenate([p.standing for p in pictures])
    assert standing.any()
    assert not standing.all()
    # Here those of racks are seen from steeper than what lies beside them.
    flatness = np.concatenate([_flatness(p.quads_xy) for p in pictures])
    assert np.median(flatness[standing]) < np.median(flatness[~standing]) - 0.2
