"""What was said to be no tile by mistake is named after all, and is listed until then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from table.events import Correction
from table.wishes import WishRefusedError
from tests.table.test_said_before import MIDDLE, RUN, TABLE, WIDTH, Table, said_of_the_middle
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.rendering.arrangements import TilePose


def listed(table: Table) -> list[str]:
    return [placement.label for placement in table.play.denied]


def place_of(table: Table) -> list[float]:
    (placement,) = table.play.denied
    frame = table.play.read_frame
    assert frame is not None
    x, y = placement.centre_xy / np.array(frame.size_hw[::-1], np.float32)
    return [float(x), float(y)]


def name(table: Table, label: str, place: object = None) -> Correction:
    place = place_of(table) if place is None else place
    table.answers.correct_no_tile(table.play.layout_sequence, place, label, "Ada")
    return next(event for event in reversed(table.told) if isinstance(event, Correction))


@pytest.fixture
def table() -> Table:
    """On which somebody has said of the tile in the middle that it is none."""
    table = Table()
    table.look()
    table.say("none")
    return table


def test_it_is_listed_as_it_is_read_while_it_lies_there(table: Table) -> None:
    assert (listed(table), "K8" in table.layout) == (["K8"], False)
    table.look(times=6)
    assert listed(table) == ["K8"]


def test_named_after_all_it_counts_again_and_the_log_says_who_said_so(table: Table) -> None:
    table.look()
    said = name(table, "K5")
    assert (said.tile, said.was, said.label, said.by) == (None, "K8", "K5", "Ada")
    assert (table.layout, listed(table)) == ("K3 K4 K5 K6 K7", [])
    assert table.look(times=6) == "K3 K4 K5 K6 K7"
    seen = table.play.watch.adopted
    assert seen is not None
    assert len(seen.corrected) == 1, "as what a person said"


def test_at_once_after_the_slip_it_is_named_as_well(table: Table) -> None:
    name(table, "K5")
    assert table.look() == "K3 K4 K5 K6 K7"


def test_named_after_all_it_can_be_said_to_be_none_again(table: Table) -> None:
    name(table, "K5")
    table.look()
    table.say("none")
    table.look()
    assert listed(table) == ["K8"]


def test_after_a_restart_it_is_listed_still_and_can_be_named() -> None:
    table = Table(said_of_the_middle("none"))
    table.look()
    assert listed(table) == ["K8"]
    name(table, "K5")
    assert table.look() == "K3 K4 K5 K6 K7"


def test_that_it_is_one_after_all_is_known_after_a_restart(table: Table) -> None:
    table.look()
    said = [event for event in table.told if isinstance(event, Correction)]
    again = Table(*said, name(table, "K5"))
    assert again.look() == "K3 K4 K5 K6 K7"
    assert listed(again) == []


def take_it_away(table: Table) -> None:
    """The row lies there without the tile in the middle."""
    poses = [
        TilePose(label, (n - MIDDLE) * WIDTH * 1.02, 0.0, 0.0)
        for n, label in enumerate(RUN)
        if n != MIDDLE
    ]
    for number in range(100, 103):
        picture = TABLE.picture(poses, noise_seed=number)
        placements = [
            Placement(quad, TileReading.certain(parse_tile(pose.label)), 0.9, Face.UP)
            for pose, quad in zip(poses, picture.quads_xy, strict=True)
        ]
        frame = Frame(picture.pixels_bgr, number * 0.3, number, "drawn")
        table.play.add(frame, placements)


def test_once_it_is_gone_it_is_not_listed_and_cannot_be_named(table: Table) -> None:
    table.look()
    place = place_of(table)
    take_it_away(table)
    assert listed(table) == []
    with pytest.raises(WishRefusedError, match="lies there no more") as refused:
        name(table, "K5", place)
    assert refused.value.word == "stale"


@pytest.mark.parametrize("place", [[], [0.5], [0.5, 2], [0.5, "x"], ["0", "1"], [True, 0.5], None])
def test_a_place_is_two_parts_of_the_picture(table: Table, place: Any) -> None:
    with pytest.raises(WishRefusedError, match="two numbers from 0 to 1"):
        table.answers.correct_no_tile(table.play.layout_sequence, place, "K5")


def test_what_it_is_said_to_be_has_to_be_a_tile(table: Table) -> None:
    for label in ("none", "K77"):
        with pytest.raises(WishRefusedError) as refused:
            name(table, label)
        assert refused.value.word == "not_understood"
    assert listed(table) == ["K8"]
