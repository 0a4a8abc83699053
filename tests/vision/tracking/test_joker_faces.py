"""A joker that a person named once is known by its face wherever it is laid."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from engine.tiles import JOKER, parse_tile
from tests.vision.tracking.tracked_table import (
    HEIGHT,
    LABELS,
    ROW,
    TABLE,
    Camera,
    a_placement,
    texts,
)
from vision.placements import Placement
from vision.rendering import TilePose
from vision.tracking.followed import FollowedPlacement
from vision.tracking.looks import looks_of, same_prints
from vision.tracking.tiles_on_table import TilesOnTable

DOUBT = {"J": "J/R8"}
FIRST = LABELS.index("J")
ANOTHER = TilePose("J", 40.0, 2 * HEIGHT, 0.5)
NUMBER = TilePose("R8", -40.0, 2 * HEIGHT, -0.4)


def told(label: str | None = "J") -> Camera:
    """A table with a joker in doubt, of which a person says what it is."""
    camera = Camera()
    seen = camera.rest(ROW, DOUBT)
    assert texts(seen)[FIRST] == "J?", "it is asked about"
    if label is not None:
        camera.tiles.tell(seen[FIRST], parse_tile(label))
    return camera


def last(camera: Camera, pose: TilePose, word: str) -> str:
    """What is told of one more tile that is read so."""
    return texts(camera.rest([*ROW, pose], DOUBT | {pose.label: word}))[len(ROW)]


def test_another_tile_with_its_face_is_a_joker() -> None:
    assert last(told(), ANOTHER, "J/R8") == "J"


def test_whichever_way_up_it_is_marked() -> None:
    turned = TilePose("J", ANOTHER.x_mm, ANOTHER.y_mm, ANOTHER.angle_rad + math.pi)
    camera = told()
    quads = TABLE.picture([*ROW, turned], 1).quads_xy
    picture = TABLE.picture([*ROW, turned], 3).pixels_bgr
    marks = [a_placement(DOUBT.get(p.label, p.label), q) for p, q in zip(ROW, quads, strict=False)]
    marks.append(a_placement("J/R8", np.roll(quads[-1], 2, axis=0)))
    camera.tiles.disturb()
    camera.tiles.see(picture, marks)
    assert texts(camera.tiles.see(picture, marks))[-1] == "J"


def test_without_anybodys_word_it_stays_in_doubt() -> None:
    assert last(told(None), ANOTHER, "J/R8") == "J?"


def test_a_number_is_none_though_it_is_taken_for_one() -> None:
    assert last(told(), NUMBER, "J/R8") == "J?"


def test_what_is_surely_another_tile_is_that() -> None:
    assert last(told(), ANOTHER, "R9") == "R9"


def test_what_cannot_be_a_joker_stays_in_doubt() -> None:
    assert last(told(), ANOTHER, "R9/R8") == "R9?"


def test_a_face_that_turned_out_to_be_no_jokers_is_forgotten() -> None:
    camera = told()
    seen = camera.look(ROW, DOUBT)
    camera.tiles.tell(seen[FIRST], parse_tile("R8"))
    assert last(camera, ANOTHER, "J/R8") == "J?"


def test_the_face_is_known_after_its_turn_and_when_the_table_was_cleared() -> None:
    camera = told()
    camera.tiles.confirm(camera.look(ROW, DOUBT))
    camera.tiles.clear()
    elsewhere = [*ROW[:FIRST], ANOTHER]
    assert texts(camera.rest(elsewhere, DOUBT))[-1] == "J"


def seen_softly(camera: Camera, word: str = "J/R8") -> Placement:
    """What is told of the joker's tile in a picture that is a little out of focus, if it is read so."""
    picture = TABLE.picture(list(ROW), 9)
    soft = np.asarray(cv2.GaussianBlur(picture.pixels_bgr, (0, 0), 1.45), np.uint8)
    corners = picture.quads_xy[FIRST][None].astype(np.float32)
    sharp = TABLE.picture(list(ROW), 1).pixels_bgr
    assert not same_prints(looks_of(sharp, corners), looks_of(soft, corners), moved=True)[0]
    said = {"J": word}
    marks = [
        a_placement(said.get(p.label, p.label), q)
        for p, q in zip(ROW, picture.quads_xy, strict=True)
    ]
    camera.tiles.disturb()
    return camera.tiles.see(soft, marks)[FIRST]


def test_a_named_joker_is_the_same_where_it_lies_though_it_looks_softer() -> None:
    again = seen_softly(told())
    assert again.sure
    assert again.reading.best == JOKER


def test_what_was_said_to_be_no_tile_is_none_still_though_it_looks_softer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where a part of it is covered, so that nothing is known of the table under it."""
    monkeypatch.setattr(TilesOnTable, "_shows_bare", lambda *_: False)
    camera, unread = Camera(), {"J": "unread"}
    camera.tiles.tell(camera.rest(ROW, unread)[FIRST], None)
    again = seen_softly(camera, "unread")
    assert isinstance(again, FollowedPlacement)
    assert again.is_denied
