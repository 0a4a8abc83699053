"""What a person says of a tile whose print is hidden tells that something lies on it.

Pictures are drawn with known truth; what a reader says of them is made up: it cannot make out the tile
below, and finds nothing on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import Tile, parse_tile
from vision.placements import Face, Placement
from vision.rendering import RenderedTable, TilePose
from vision.tracking.followed import FollowedPlacement
from vision.tracking.tiles_on_table import TilesOnTable

TABLE = RenderedTable(5, (960, 720))
WIDTH, HEIGHT = TABLE.design.width_mm, TABLE.design.height_mm
LABELS = ["K1", "B2", "R3", "O4"]
ROW = [TilePose(label, (k - 1.5) * WIDTH * 1.5, 0.0, 0.03 * k) for k, label in enumerate(LABELS)]
BELOW = ROW[2]
DROPPED = replace(
    BELOW,
    label="B8",
    x_mm=BELOW.x_mm + 0.35 * WIDTH,
    y_mm=BELOW.y_mm + 0.2 * HEIGHT,
    angle_rad=0.7,
    z_mm=TABLE.design.thickness_mm,
)
R3 = parse_tile("R3")


class Table:
    """A table at rest, seen by a tracker; the tile R3 is read surely or not at all."""

    def __init__(self) -> None:
        self.tiles = TilesOnTable()
        self.number = 0
        for _ in range(2):
            self.look(ROW)
        self.tiles.confirm()

    def look(
        self,
        poses: Sequence[TilePose],
        unread: Sequence[str] = (),
        unfound: Sequence[str] = (),
        gains: tuple[float, float, float] = (1.0, 1.0, 1.0),
        highlight: str | None = None,
    ) -> list[FollowedPlacement]:
        """What is told of one more picture; a lamp burns out most of one tile."""
        self.number += 1
        picture = TABLE.picture(list(poses), self.number)
        light = picture.pixels_bgr * np.array(gains)
        if highlight is not None:
            x, y = picture.quads_xy[[p.label for p in poses].index(highlight)].mean(axis=0)
            rows, columns = np.mgrid[: light.shape[0], : light.shape[1]]
            near = np.hypot(columns - x - 8, rows - y - 15) / 30
            light += (400 * np.exp(-(near**4)))[..., None]
        pixels = np.clip(light, 0, 255).astype(np.uint8)
        placements = [
            a_placement(pose.label, quad, is_read=pose.label not in unread)
            for pose, quad in zip(poses, picture.quads_xy, strict=True)
            if pose.label not in unfound
        ]
        told = self.tiles.see(pixels, placements)
        return [p for p in told if isinstance(p, FollowedPlacement)]

    def dropped(self) -> list[FollowedPlacement]:
        """The table with a tile on R3, which is found there as a body that cannot be read."""
        self.tiles.disturb()
        for _ in range(2):
            told = self.look([*ROW, DROPPED], unread=["R3"], unfound=["B8"])
        return told

    def said_to_lie_there(self) -> FollowedPlacement:
        """What is told to lie on R3 after a person said that R3 lies there."""
        (below,) = in_doubt(self.dropped())
        self.tiles.tell(below, R3)
        (thing,) = in_doubt(self.look([*ROW, DROPPED], unread=["R3"], unfound=["B8"]))
        return thing


def a_placement(label: str, quad: np.ndarray, *, is_read: bool) -> Placement:
    if not is_read:
        unread = TileReading((), sure=False, may_be_none=True)
        return Placement(quad.astype(np.float32), unread, 0.5, Face.UNREAD)
    reading = TileReading.certain(parse_tile(label))
    return Placement(quad.astype(np.float32), reading, 0.9, Face.UP)


def in_doubt(told: Sequence[FollowedPlacement]) -> list[FollowedPlacement]:
    return [p for p in told if not p.sure and not p.is_denied]


def best(told: Sequence[FollowedPlacement]) -> list[str]:
    return sorted(p.label for p in told if not p.is_denied)


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_tile_said_to_lie_where_its_print_is_hidden_has_something_on_it(table: Table) -> None:
    """It is told from then on, unread, where the picture changed; it may be none."""
    (below,) = in_doubt(table.dropped())
    upon = below.lies_below(R3)
    assert upon is not None
    thing = table.said_to_lie_there()
    assert (thing.face, thing.reading.may_be_none, thing.label) == (Face.UNREAD, True, "")
    assert np.hypot(*(thing.centre_xy - below.centre_xy)) < np.hypot(
        *(below.quad_xy[2] - below.centre_xy)
    )


@pytest.mark.parametrize("said", [parse_tile("R4"), parse_tile("B8"), None])
def test_where_another_tile_or_none_is_said_to_lie_nothing_lies_on_it(
    table: Table, said: Tile | None
) -> None:
    (below,) = in_doubt(table.dropped())
    assert below.lies_below(said) is None
    table.tiles.tell(below, said)
    assert in_doubt(table.look([*ROW, DROPPED], unread=["R3"], unfound=["B8"])) == []


@pytest.mark.parametrize("gains", [(1.0, 1.0, 1.0), (0.6, 0.6, 0.6), (0.8, 1.0, 1.1)])
def test_a_tile_that_only_cannot_be_read_has_nothing_on_it(
    table: Table, gains: tuple[float, float, float]
) -> None:
    """Its print is to be seen, in whatever light."""
    table.tiles.disturb()
    told = [p for _ in range(2) for p in table.look(ROW, unread=["R3"], gains=gains)]
    assert [p.if_told for p in told if p.if_told is not None] == []


def test_a_print_that_a_lamp_burns_out_is_hidden_by_that(table: Table) -> None:
    """In a film people named two tiles under a highlight, and were asked what lies on them."""
    table.tiles.disturb()
    told = [p for _ in range(2) for p in table.look(ROW, unread=["R3"], highlight="R3")]
    assert [p.if_told for p in told if p.if_told is not None] == []


def test_a_tile_that_was_found_on_the_other_is_what_hides_it(table: Table) -> None:
    """There is nothing to add to what is told."""
    table.tiles.disturb()
    for _ in range(2):
        told = table.look([*ROW, DROPPED], unread=["R3"])
    assert len(told) >= len(ROW) - 1
    assert all(p.if_told is None for p in told)


def test_the_name_of_the_tile_below_does_not_say_what_lies_on_it(table: Table) -> None:
    """People who are asked twice about one place may mean the same tile twice."""
    thing = table.said_to_lie_there()
    table.tiles.tell(thing, R3)
    assert len(in_doubt(table.look([*ROW, DROPPED], unread=["R3"], unfound=["B8"]))) == 1


def test_what_a_person_says_of_what_lies_there_holds(table: Table) -> None:
    table.tiles.tell(table.said_to_lie_there(), parse_tile("B8"))
    told = table.look([*ROW, DROPPED], unread=["R3"], unfound=["B8"])
    assert best(told) == ["B2", "B8", "K1", "O4", "R3"]


def test_what_is_said_to_be_nothing_is_nothing(table: Table) -> None:
    table.tiles.tell(table.said_to_lie_there(), None)
    told = table.look([*ROW, DROPPED], unread=["R3"], unfound=["B8"])
    assert best(told) == ["B2", "K1", "O4", "R3"]


def test_nothing_lies_there_any_more_when_it_was_taken_away(table: Table) -> None:
    table.said_to_lie_there()
    table.tiles.disturb()
    assert best(table.look(ROW)) == ["B2", "K1", "O4", "R3"]
