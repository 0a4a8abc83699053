"""Something little larger than a tile lies on it, and nobody has seen the table under the tile, as after
a restart: it is asked about and does not count as taken away."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from tests.web.filmed_server import DrawnTable
from vision.frame import Pixels
from vision.placements import Placement
from vision.reader import open_table_reader
from vision.tracking.tiles_on_table import TilesOnTable

ROWS = ("K10 B10 R10 O10", "K11 K12 K13")
THING_BGR = (60, 70, 170)
READER = open_table_reader()


def pictures(*rows: str) -> list[Pixels]:
    found = []
    for jpeg in DrawnTable().film(*rows):
        pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert pixels is not None
        found.append(np.asarray(pixels, np.uint8))
    return found


def as_remembered(placement: Placement) -> Placement:
    """As the log has it: which tile it was, and no more."""
    best = placement.reading.best
    assert best is not None
    return replace(placement, reading=TileReading((Candidate(best, 1.0),), sure=False))


@pytest.mark.parametrize("beyond", [0.2, 0.5])
def test_a_thing_that_reaches_over_the_edge_of_a_tile_hides_it(beyond: float) -> None:
    before, *later = pictures(*ROWS)
    lying = READER.read(before)
    (quad,) = [placement.quad_xy for placement in lying if placement.label == "O10"]
    tiles, told = TilesOnTable(), list[Placement]()
    tiles.resume(before, [as_remembered(placement) for placement in lying])
    (x0, y0), (x1, y1) = quad.min(axis=0).astype(int), quad.max(axis=0).astype(int)
    reach = int(beyond * (y1 - y0))
    for pixels in later[:3]:
        cv2.rectangle(pixels, (x0 + 1, y0 - reach), (x1 + reach, y1 + reach), THING_BGR, -1)
        told = tiles.see(pixels, READER.read(pixels))
    (hidden,) = [placement for placement in told if placement.label == "O10"]
    assert hidden.reading.may_be_none


def test_a_tile_that_was_taken_away_is_gone_all_the_same() -> None:
    before = pictures(*ROWS)[0]
    tiles, told = TilesOnTable(), list[Placement]()
    tiles.resume(before, [as_remembered(placement) for placement in READER.read(before)])
    for pixels in pictures("K10 B10 R10", ROWS[1])[:3]:
        told = tiles.see(pixels, READER.read(pixels))
    assert "O10" not in [placement.label for placement in told]


@pytest.mark.parametrize("is_known", [True, False])
def test_beside_its_place_a_thing_hides_nothing_where_the_table_under_it_was_seen_before(
    *, is_known: bool
) -> None:
    """As after a restart in the midst of a turn: an earlier picture shows what the tile lay on."""
    before = pictures(*ROWS)[0]
    lying = READER.read(before)
    (quad,) = [placement.quad_xy for placement in lying if placement.label == "O10"]
    tiles, told = TilesOnTable(), list[Placement]()
    if is_known:
        bare, *_ = pictures("", ROWS[1])
        tiles.resume_bare(bare, [placement.quad_xy for placement in READER.read(bare)])
    tiles.resume(before, [as_remembered(placement) for placement in lying])
    x1, (y0, y1) = int(quad[:, 0].max()), (int(quad[:, 1].min()), int(quad[:, 1].max()))
    for pixels in pictures("K10 B10 R10", ROWS[1])[:3]:
        cv2.rectangle(pixels, (x1 + 3, y0), (x1 + 60, y1), THING_BGR, -1)
        told = tiles.see(pixels, READER.read(pixels))
    assert ("O10" in [placement.label for placement in told]) is not is_known
