"""A tile dropped across others that are read as before: their places look otherwise, and it is asked
about.

Pictures are drawn with known truth; what a reader says of them is made up: it sees the tiles below as
ever and not the one upon them. What is seen from near is the truth, or what the shipped finder sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import Tile, parse_tile
from models.runtime import SHIPPED
from vision.frame import Pixels
from vision.placements import Face, Placement
from vision.reader import open_table_reader
from vision.rendering import RenderedTable, TilePose
from vision.tracking.dropped import MOST_LOOKS, Quads, lying_across
from vision.tracking.followed import FollowedPlacement
from vision.tracking.tiles_on_table import TilesOnTable

TABLE = RenderedTable(5, (960, 720))
WIDTH, HEIGHT = TABLE.design.width_mm, TABLE.design.height_mm
LABELS = ["R6", "R7", "R8", "R9"]
ROW = [TilePose(label, (k - 1.5) * WIDTH * 1.04, 0.0, 0.0) for k, label in enumerate(LABELS)]
DROPPED = TilePose(
    "O5",
    ROW[1].x_mm + 0.6 * WIDTH,
    0.6 * HEIGHT,
    1.5,
    z_mm=TABLE.design.thickness_mm,
)
"""It lies across the lower halves of the middle ones and leaves their numbers bare."""


class Table:
    """A table at rest, seen by a tracker that may look from near, where everything lies in sight."""

    def __init__(self, *, looks_near: bool = True) -> None:
        self.tiles = TilesOnTable(self._bodies_near if looks_near else None)
        self.looked = 0
        self._lying: list[Quads] = []
        self._number = 0

    def _bodies_near(self, _pixels: Pixels, place: Quads) -> Quads:
        assert place.shape == (4, 2)
        self.looked += 1
        return np.stack(self._lying)

    def look(
        self,
        poses: Sequence[TilePose],
        gains: tuple[float, float, float] = (1.0, 1.0, 1.0),
        streaks: float = 0.0,
        unread: Sequence[str] = (),
        doubtful: Sequence[str] = (),
    ) -> list[FollowedPlacement]:
        """What is told of one more picture, in which the dropped tile is not found, those ``unread``
        cannot be made out and those ``doubtful`` may be a 2. The light may fall in ``streaks``, narrower
        than a tile, between which so much of it is missing."""
        self._number += 1
        picture = TABLE.picture(list(poses), self._number)
        self._lying = [quad.astype(np.float32) for quad in picture.quads_xy]
        across = np.arange(picture.pixels_bgr.shape[1])[None, :, None]
        light = np.array(gains) * (1 - streaks / 2 * (1 + np.sin(across / 2.5)))
        pixels = np.clip(picture.pixels_bgr * light, 0, 255).astype(np.uint8)
        named = zip(poses, self._lying, strict=True)
        found = [
            _unread(quad)
            if pose.label in unread
            else _placement(pose.label, quad, may_be_2=pose.label in doubtful)
            for pose, quad in named
            if pose.z_mm == 0.0
        ]
        told = self.tiles.see(pixels, found)
        return [p for p in told if isinstance(p, FollowedPlacement)]

    def a_turn(self, poses: Sequence[TilePose]) -> None:
        """They lay there at the end of a turn."""
        for _ in range(2):
            told = self.look(poses)
        self.tiles.confirm(told)
        self.tiles.disturb()


def _placement(label: str, quad: Quads, *, may_be_2: bool = False) -> Placement:
    tile = parse_tile(label)
    reading = TileReading.certain(tile)
    if may_be_2:
        both = Candidate(tile, 0.7), Candidate(Tile(tile.suit, 2), 0.29)
        reading = TileReading(both, sure=False)
    return Placement(quad, reading, 0.9, Face.UP)


def _unread(quad: Quads) -> Placement:
    return Placement(quad, TileReading((), sure=False, may_be_none=True), 0.5, Face.UNREAD)


def _in_doubt(told: Sequence[FollowedPlacement]) -> list[FollowedPlacement]:
    return [p for p in told if not p.sure and not p.is_denied]


@pytest.fixture
def table() -> Table:
    played = Table()
    played.a_turn(ROW)
    return played


def test_what_was_dropped_is_asked_about_once_though_it_lies_across_two(table: Table) -> None:
    """At once, where it lies, as unread; the tiles below are what they were."""
    (thing,) = _in_doubt(table.look([*ROW, DROPPED]))
    assert (thing.face, thing.label, thing.reading.may_be_none) == (Face.UNREAD, "", True)
    assert thing.lies_on in (parse_tile("R7"), parse_tile("R8"))
    middle = TABLE.picture([*ROW, DROPPED], 9).quads_xy[-1].mean(axis=0)
    assert np.hypot(*(thing.centre_xy - middle)) < 3
    told = table.look([*ROW, DROPPED])
    assert [p.label for p in told if p.sure] == LABELS
    assert [p.identity for p in _in_doubt(told)] == [thing.identity]


def test_it_is_asked_about_also_where_the_tiles_below_cannot_be_made_out(table: Table) -> None:
    for _ in range(2):
        (thing,) = _in_doubt(table.look([*ROW, DROPPED], unread=["R7", "R8"]))
        assert thing.lies_on in (parse_tile("R7"), parse_tile("R8"))
        assert (thing.face, thing.label) == (Face.UNREAD, "")


def test_across_a_tile_of_the_same_turn_that_is_in_doubt_it_is_asked_about_too() -> None:
    """Nobody knows how the row looked without it."""
    table = Table()
    told = table.look([*ROW, DROPPED], doubtful=["R8"])
    (thing,) = (p for p in told if p.lies_on is not None)
    assert (thing.face, thing.label, thing.lies_on) == (Face.UNREAD, "", parse_tile("R8"))
    assert len(_in_doubt(table.look([*ROW, DROPPED], doubtful=["R8"]))) == 2
    assert not any(p.lies_on is not None for p in table.look(ROW, doubtful=["R8"]))


def test_a_tile_that_cannot_be_made_out_has_nothing_on_it_where_it_looks_as_it_did(
    table: Table,
) -> None:
    told = table.look(ROW, unread=["R7"])
    assert not any(p.lies_on is not None for p in told)
    assert table.looked == 0


def test_it_is_asked_about_as_long_as_it_lies_there_in_whatever_light(table: Table) -> None:
    for gain in (1.0, 1.0, 0.7, 0.7, 0.7, 1.1):
        assert len(_in_doubt(table.look([*ROW, DROPPED], (gain, gain, gain)))) == 1
    assert _in_doubt(table.look(ROW)) == []


def test_what_a_person_said_of_it_is_not_asked_again(table: Table) -> None:
    (thing,) = _in_doubt(table.look([*ROW, DROPPED]))
    table.tiles.tell(thing, None)
    for _ in range(3):
        told = table.look([*ROW, DROPPED])
        assert _in_doubt(told) == []
        assert [p.identity for p in told if p.is_denied] == [thing.identity]


def test_the_tile_that_a_person_names_lies_there(table: Table) -> None:
    (thing,) = _in_doubt(table.look([*ROW, DROPPED]))
    table.tiles.tell(thing, parse_tile("O5"))
    told = table.look([*ROW, DROPPED])
    assert [p.label for p in told if p.lies_on is not None] == ["O5"]
    assert _in_doubt(told) == []


@pytest.mark.parametrize("gains", [(1.0, 1.0, 1.0), (0.6, 0.6, 0.6), (0.8, 1.0, 1.1)])
def test_in_another_light_nothing_is_looked_at_from_near(
    table: Table, gains: tuple[float, float, float]
) -> None:
    for _ in range(2):
        assert _in_doubt(table.look(ROW, gains)) == []
    assert table.looked == 0


def test_tiles_that_were_seen_under_another_one_lie_bare_without_a_question() -> None:
    """They look otherwise since, but nothing is seen across them from near."""
    table = Table()
    table.a_turn([*ROW, DROPPED])
    assert _in_doubt(table.look(ROW)) == []
    assert table.looked > 0


def test_where_all_tiles_look_otherwise_some_are_looked_at_and_the_dropped_one_is_found() -> None:
    """The light falls in streaks; the tiles under the dropped one are least like themselves."""
    table = Table()
    rows = [replace(pose, y_mm=k * 1.3 * HEIGHT) for k in (-2, 0, 2) for pose in ROW]
    table.a_turn(rows)
    assert len(_in_doubt(table.look([*rows, DROPPED], streaks=0.6))) == 1
    assert table.looked == MOST_LOOKS


def test_without_a_look_from_near_nothing_is_said() -> None:
    table = Table(looks_near=False)
    table.a_turn(ROW)
    assert _in_doubt(table.look([*ROW, DROPPED])) == []


def test_the_shipped_finder_sees_it_from_near() -> None:
    reader = open_table_reader(folder=SHIPPED)
    picture = TABLE.picture([*ROW, DROPPED], 3)
    quads = [quad.astype(np.float32) for quad in picture.quads_xy]
    bodies = reader.bodies_near(picture.pixels_bgr, quads[1])
    body = lying_across(quads[1], bodies, quads[:-1])
    assert body is not None
    assert np.hypot(*(body.mean(axis=0) - quads[-1].mean(axis=0))) < 0.3 * np.hypot(
        *(quads[1][1] - quads[1][0])
    )


@pytest.mark.parametrize("off_px", [-400.0, 5000.0])
def test_a_place_outside_the_picture_shows_nothing(off_px: float) -> None:
    reader = open_table_reader(folder=SHIPPED)
    picture = TABLE.picture(ROW, 3)
    place = np.asarray(picture.quads_xy[0] + off_px, np.float32)
    assert len(reader.bodies_near(picture.pixels_bgr, place)) == 0


PLACE = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
TURNED = np.array([[0, 0], [40, 0], [40, 30], [0, 30]], np.float32)
"""The same by a quarter."""
ASKEW = np.array([[0.99, -0.122], [0.122, 0.99]], np.float32)
"""A turn by seven degrees."""


@pytest.mark.parametrize(
    ("body", "is_one"),
    [
        (PLACE + np.float32([20, 25]), True),
        (PLACE + np.float32([2, 3]), False),
        (PLACE + np.float32([31, 0]), False),
        (PLACE + np.float32([14, 2]), False),
        (PLACE + np.float32([1, 22]), False),
        (PLACE * np.float32([1, 0.5]) + np.float32([0, 10]), False),
        (PLACE * 2 + np.float32(10), False),
        (TURNED + np.float32([-5, 24]), True),
        (TURNED @ ASKEW + np.float32([-2, 28]), True),
        (TURNED + np.float32([11, 8]), False),
    ],
    ids=[
        "across",
        "itself",
        "its neighbour",
        "half of both",
        "half of it and what is below",
        "a piece",
        "something larger",
        "crosswise and beyond it",
        "crosswise, beyond it and askew",
        "crosswise of pieces of both",
    ],
)
def test_a_body_across_a_tile_is_none_of_those_found(body: Quads, is_one: bool) -> None:
    found = [PLACE, PLACE + np.float32([31, 0])]
    across = lying_across(PLACE, np.asarray(body[None], np.float32), found)
    assert (across is not None) is is_one


def test_the_likeliest_body_counts() -> None:
    bodies = np.stack([PLACE + np.float32(3), PLACE + np.float32(20), PLACE - np.float32(20)])
    across = lying_across(PLACE, bodies, [PLACE])
    assert across is not None
    assert np.array_equal(across, bodies[1])


def test_a_tile_that_was_dropped_and_found_is_not_asked_about_twice(table: Table) -> None:
    """Where it was found as well, it is told as what was found there."""
    flat = replace(DROPPED, z_mm=0.0)
    assert _in_doubt(table.look([*ROW, flat])) == []
