"""Tiles are the same while they lie still and look the same, and are no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from tests.vision.tracking.tracked_table import (
    HEIGHT,
    LABELS,
    ROW,
    TABLE,
    WIDTH,
    Camera,
    a_placement,
    identities,
    texts,
)
from vision.placements import Face, Placement
from vision.rendering import TilePose
from vision.tracking import tiles_on_table
from vision.tracking.followed import FollowedPlacement, TileState, identity_of
from vision.tracking.looks import Looks, unexplained
from vision.tracking.tiles_on_table import TilesOnTable


@pytest.fixture
def camera() -> Camera:
    """A camera that has seen the table at rest, at the end of a turn."""
    camera = Camera()
    camera.rest()
    camera.tiles.confirm()
    return camera


# The same tile.


def test_tiles_that_lie_still_keep_their_identity_and_need_no_new_reading(camera: Camera) -> None:
    before = identities(camera.look())
    assert sorted(before) == list(range(1, 9))
    told = camera.rest(said={"K6": "K6/K8", "J": "K1/K7"})
    assert identities(told) == before
    assert texts(told) == LABELS


@pytest.mark.parametrize("gains", [(0.6, 0.65, 0.7), (1.1, 1.05, 1.0), (0.8, 0.9, 1.0)])
def test_a_lamp_does_not_make_other_tiles_of_them(
    camera: Camera, gains: tuple[float, float, float]
) -> None:
    doubts = {"K6": "K6/K8", "R9": "O9/R9", "B8": "B8/K8", "K1": "K1/K7"}
    told = camera.rest(said=doubts, gains=gains)
    assert texts(told) == LABELS


def test_the_order_in_which_tiles_are_found_says_nothing(camera: Camera) -> None:
    forwards = dict(zip(LABELS, identities(camera.look()), strict=True))
    backwards = dict(zip(LABELS[::-1], identities(camera.look(ROW[::-1])), strict=True))
    assert forwards == backwards


def test_what_a_person_said_is_known_from_then_on() -> None:
    camera = Camera()
    told = camera.rest(said={"K6": "K8/K6"})
    assert texts(told)[4] == "K8?"
    camera.tiles.tell(told[4], parse_tile("K6"))
    assert texts(camera.rest(said={"K6": "K8/K6"}))[4] == "K6"
    assert texts(camera.rest(said={"K6": "K9/B6"}))[4] == "K6"


def test_a_camera_that_was_pushed_shows_the_same_tiles_elsewhere(camera: Camera) -> None:
    before = identities(camera.look())
    told = camera.rest(said={"K6": "K6/K8"}, shift=(21.0, -14.0, 0.012))
    assert identities(told) == before
    assert texts(told) == LABELS


def row_pushed_by(across_mm: float, down_mm: float, turn_rad: float) -> list[TilePose]:
    """The last four tiles pushed together, as by a sleeve, the others where they lay."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    middle = np.mean([(pose.x_mm, pose.y_mm) for pose in ROW[4:]], axis=0)
    pushed = []
    for pose in ROW[4:]:
        x, y = (pose.x_mm, pose.y_mm) - middle
        across = float(middle[0] + x * cos - y * sin + across_mm)
        down = float(middle[1] + x * sin + y * cos + down_mm)
        turned = pose.angle_rad + turn_rad
        pushed.append(replace(pose, x_mm=across, y_mm=down, angle_rad=turned))
    return [*ROW[:4], *pushed]


@pytest.mark.parametrize("label", ["K6", "R9", "J"])
@pytest.mark.parametrize("push", [(5.0, 3.0, 0.02), (-2.0, -3.0, 0.0), (7.0, 0.0, -0.03)])
def test_a_tile_that_was_pushed_with_those_beside_it_lies_there_though_it_is_not_found(
    camera: Camera, label: str, push: tuple[float, float, float]
) -> None:
    """Its print is to be seen there; at its old place it is not."""
    before = dict(zip(LABELS, identities(camera.look()), strict=True))
    told = camera.rest(row_pushed_by(*push), said={label: ""})
    assert texts(told) == [*(other for other in LABELS if other != label), label]
    assert identities(told)[-1] == before[label]
    again = camera.rest(row_pushed_by(*push))
    assert dict(zip(LABELS, identities(again), strict=True)) == before


def test_a_tile_that_was_pushed_and_surely_read_once_lies_there_though_it_is_not_found_again(
    camera: Camera,
) -> None:
    """Its corners are found wrongly there, so that it is known by its reading alone."""
    picture = TABLE.picture(row_pushed_by(5.0, 3.0, 0.02), 1)
    quads = [np.array(quad, np.float32) for quad in picture.quads_xy]
    placements = [a_placement(word, quad) for word, quad in zip(LABELS, quads, strict=True)]
    low = quads[4].copy()
    low[2:] += 0.3 * (low[1::-1] - low[2:])
    camera.tiles.disturb()
    first = camera.tiles.see(
        picture.pixels_bgr, [*placements[:4], a_placement("K6", low), *placements[5:]]
    )
    assert texts(first) == LABELS
    again = TABLE.picture(row_pushed_by(5.0, 3.0, 0.02), 2)
    told = camera.tiles.see(again.pixels_bgr, [*placements[:4], *placements[5:]])
    assert texts(told) == [*LABELS[:4], *LABELS[5:], "K6"]
    assert identities(told)[-1] == identities(first)[4]


def test_a_tile_that_is_not_where_the_others_were_pushed_is_not_there(camera: Camera) -> None:
    """It was taken, or exchanged for one that is not found."""
    poses = row_pushed_by(5.0, 3.0, 0.02)
    taken = camera.rest([pose for pose in poses if pose.label != "K6"])
    assert "K6" not in " ".join(texts(taken))
    exchanged = [replace(p, label="B2") if p.label == "R9" else p for p in poses]
    assert "R9" not in texts(camera.rest(exchanged, said={"K6": "", "B2": ""}))


def test_a_hand_over_most_tiles_is_no_push_of_the_camera(camera: Camera) -> None:
    """Most tiles look otherwise, under fingers and in their shadow, and are found where they lay. In a
    film all that was known of the table was forgotten by that: the tiles under the hand counted as taken
    away, and what was left of a row was shown as ILLEGAL."""
    others = {"K1": "K7", "B2": "B3", "R3": "R8", "O4": "O5"}
    poses = [replace(pose, label=others.get(pose.label, pose.label)) for pose in ROW]
    said = {other: label for label, other in others.items()}
    camera.rest(poses, said, hand=(ROW[5].x_mm + 4, ROW[5].y_mm - 20))
    (hidden,) = [t for t in camera.tiles.tiles if t.state is not TileState.SEEN]
    assert (str(hidden.memory.known), hidden.state) == ("B8", TileState.HIDDEN)


# Another tile.


@pytest.mark.parametrize(
    ("was", "now"),
    [("K6", "K8"), ("B8", "K8"), ("R3", "O3"), ("K1", "K7"), ("R9", "R6"), ("O4", "R4")],
)
def test_a_tile_exchanged_at_its_very_place_is_noticed(camera: Camera, was: str, now: str) -> None:
    """What was known of the place does not make the new tile the old one, however it is read."""
    at = LABELS.index(was)
    poses = [*ROW[:at], replace(ROW[at], label=now), *ROW[at + 1 :]]
    old = identities(camera.look())[at]
    doubtful = camera.rest(poses, said={now: f"{was}/{now}"}, gains=(0.8, 0.75, 0.75))
    assert texts(doubtful)[at] == f"{was}?"
    assert identity_of(doubtful[at]) != old
    sure = camera.rest(poses)
    assert texts(sure)[at] == now
    assert identity_of(camera.look(poses)[at]) not in (0, old), "it is followed as another one"


def test_a_tile_of_the_same_look_that_is_surely_read_otherwise_is_in_doubt(camera: Camera) -> None:
    told = camera.rest(said={"K6": "K8"})
    assert not told[4].reading.sure
    assert {str(c.tile) for c in told[4].reading.candidates} == {"K6", "K8"}


def test_one_stray_reading_does_not_win(camera: Camera) -> None:
    camera.tiles.disturb()
    camera.look()
    camera.look(said={"K6": "K8"})
    told = camera.look()
    assert texts(told) == LABELS


def test_a_tile_in_doubt_that_cannot_be_the_one_that_lay_there_is_another_one() -> None:
    """A row is pushed on by one place to let a tile in: what is known of the old ones goes with them."""
    camera = Camera()
    row = [
        TilePose(label, (k - 1) * WIDTH * 1.02, 0.0, 0.0) for k, label in enumerate(("B3", "O9"))
    ]
    told = camera.rest(row, said={"O9": "O9/O6"})
    camera.tiles.tell(told[1], parse_tile("O9"))
    camera.look(row, said={"O9": "O9/O6"})
    let_in = [row[0], replace(row[1], label="R9"), replace(row[1], x_mm=WIDTH * 1.02)]
    doubts = {"O9": "O9/O6", "R9": "R9/R6"}
    camera.rest(let_in, said=doubts)
    told = camera.look(let_in, said=doubts)
    assert texts(told) == ["B3", "R9?", "O9"]
    assert 0 not in identities(told)


IN_THE_DARK = (0.12, 0.12, 0.12)
"""So little light that no print is told from another by its look."""


def test_tiles_whose_look_tells_nothing_are_known_by_two_sure_readings() -> None:
    """In a film of pale yellow digits such tiles were new ones at each reading. One of them passed for
    its twin, which a sleeve covered: that one counted as moved there, and its row as two."""
    camera = Camera()
    first = identities(camera.look(gains=IN_THE_DARK))
    assert identities(camera.look(gains=IN_THE_DARK)) == first
    assert identities(camera.rest(gains=IN_THE_DARK)) == first
    assert [str(tile.memory.known) for tile in camera.tiles.tiles] == LABELS


def mirroring(
    camera: Camera, at: float, word: str, poses: Sequence[TilePose] = ROW
) -> list[Placement]:
    """Two readings of a table where a lamp mirrors in the black six, so far down it, and where that
    tile, or what lies there, is read as ``word``; what the second says."""
    camera.tiles.disturb()
    told: list[Placement] = []
    for _ in range(2):
        camera.number += 1
        picture = TABLE.picture(list(poses), camera.number)
        quads = [np.array(quad, np.float32) for quad in picture.quads_xy]
        top, bottom = quads[4][:2].mean(axis=0), quads[4][2:].mean(axis=0)
        x, y = (top + at * (bottom - top)).tolist()
        wide = float(np.hypot(*(quads[4][1] - quads[4][0])))
        lamp = np.zeros(picture.pixels_bgr.shape, np.float32)
        cv2.circle(lamp, (round(x), round(y)), round(0.2 * wide), (150, 150, 150), -1)
        lit = picture.pixels_bgr + cv2.GaussianBlur(lamp, (0, 0), 0.06 * wide)
        pixels = np.clip(lit, 0, 255).astype(np.uint8)
        words = [word if n == 4 else pose.label for n, pose in enumerate(poses)]
        told = camera.tiles.see(pixels, list(map(a_placement, words, quads)))
    return told


def test_what_a_person_put_right_holds_where_it_is_misread_again() -> None:
    """As in a film: a lamp mirrored in a ten, which was surely read as a thirteen, put right, and with
    the lamp's edge elsewhere surely read so again; the next turn was ILLEGAL for it."""
    camera = Camera()
    told = mirroring(camera, 0.3, "K8")
    assert texts(told)[4] == "K8"
    camera.tiles.tell(told[4], parse_tile("K6"))
    for at, word in ((0.33, "K8"), (0.25, "K8"), (0.36, "K8"), (0.36, "K8/K6")):
        assert texts(mirroring(camera, at, word))[4] == "K6"
    exchanged = [replace(p, label="R2") if p.label == "K6" else p for p in ROW]
    assert texts(mirroring(camera, 0.3, "R2", exchanged))[4] == "R2"
    camera.tiles.tell(mirroring(camera, 0.3, "K8")[4], parse_tile("K6"))
    aside = [replace(p, x_mm=p.x_mm + 0.4 * WIDTH) if p.label == "K6" else p for p in ROW]
    assert texts(mirroring(camera, 0.3, "K8", aside))[4] == "K8", "another one, laid nearly there"


def test_what_was_said_in_the_dark_holds_where_the_tile_lies_as_it_lay() -> None:
    camera = Camera()
    told = camera.rest(said={"K6": "K8/K6"}, gains=IN_THE_DARK)
    camera.tiles.tell(told[4], parse_tile("K6"))
    assert texts(camera.rest(said={"K6": "K8/K6"}, gains=IN_THE_DARK))[4] == "K6"
    nudged = [*ROW[:4], replace(ROW[4], x_mm=ROW[4].x_mm + 0.05 * WIDTH), *ROW[5:]]
    assert texts(camera.rest(nudged, said={"K6": "K8/K6"}, gains=IN_THE_DARK))[4] == "K6"


def test_what_was_said_in_the_dark_is_no_word_about_what_is_laid_beside_the_place() -> None:
    """A row is put nearly where another tile lay, and one of it may be that by its reading."""
    camera = Camera()
    told = camera.rest(said={"K6": "K8/K6"}, gains=IN_THE_DARK)
    camera.tiles.tell(told[4], parse_tile("K6"))
    other = replace(ROW[4], label="K8", x_mm=ROW[4].x_mm + 0.3 * WIDTH)
    laid = [*ROW[:4], other, *ROW[5:]]
    told = camera.rest(laid, said={"K8": "K8/K6"}, gains=IN_THE_DARK)
    assert texts(told)[4] == "K8?"


def test_a_tile_that_another_was_dropped_on_is_hidden_and_not_gone(camera: Camera) -> None:
    """What is left to be seen of it says so; of one that was exchanged nothing is left."""
    at, below = LABELS.index("R3"), ROW[LABELS.index("R3")]
    dropped = replace(
        below,
        label="B13",
        x_mm=below.x_mm + 0.3 * WIDTH,
        angle_rad=0.7,
        z_mm=TABLE.design.thickness_mm,
    )
    told = camera.rest([*ROW, dropped], said={"R3": ""})
    assert set(texts(told)) == {*LABELS[:at], *LABELS[at + 1 :], "B13", "R3? or none"}
    exchanged = [*ROW[:at], replace(below, label="B13", angle_rad=0.3), *ROW[at + 1 :]]
    assert "R3" not in " ".join(texts(camera.rest(exchanged)))


@pytest.mark.parametrize("word", ["R3", "R3/R8"])
def test_one_sure_reading_of_a_tile_that_looks_otherwise_is_not_enough(
    camera: Camera, word: str
) -> None:
    """Another tile was dropped on it and is taken for part of it, but for what a second look says."""
    at, below = LABELS.index("R3"), ROW[LABELS.index("R3")]
    dropped = replace(
        below, label="K12", x_mm=below.x_mm + 0.6 * WIDTH, z_mm=TABLE.design.thickness_mm
    )
    camera.tiles.disturb()
    camera.look([*ROW, dropped], said={"K12": ""})
    told = camera.look([*ROW, dropped], said={"K12": "", "R3": word})
    assert told[at].reading.sure is (word == "R3")


# Not found.


def test_a_tile_that_is_missed_lies_there_while_its_place_looks_the_same(camera: Camera) -> None:
    told = camera.rest(said={"K6": ""})
    assert texts(told)[-1] == "K6"
    assert len(told) == len(LABELS)


def test_what_was_found_once_and_never_again_is_not_missed() -> None:
    camera = Camera()
    camera.look(said={"K6": "K6/K8"})
    assert len(camera.look(said={"K6": ""})) == len(LABELS) - 1


def test_what_was_found_once_before_the_turn_ended_is_not_missed_either() -> None:
    """A vein of marble, read as a tile in a single picture, looks the same ever after."""
    camera = Camera()
    camera.rest(said={"K6": ""})
    camera.look()
    camera.tiles.confirm()
    assert "K6" not in " ".join(texts(camera.rest(said={"K6": ""})))


def test_a_tile_that_was_in_doubt_and_is_missed_stays_in_doubt() -> None:
    camera = Camera()
    camera.rest(said={"K6": "K6/K8"})
    camera.tiles.confirm()
    assert texts(camera.rest(said={"K6": ""}))[-1] == "K6? or none"


def test_what_a_person_says_is_no_tile_is_none_however_it_is_read() -> None:
    camera = Camera()
    told = camera.rest(said={"K6": "K6/K8"})
    camera.tiles.tell(told[4], None)
    for reading in ("R9/J", "R9", ""):
        assert len(camera.rest(said={"K6": reading})) == len(LABELS) - 1


def test_what_was_said_to_be_gone_may_be_laid_there_again() -> None:
    """It was asked about where nothing was found; once it is found, it is no denied tile."""
    camera = Camera()
    camera.rest()
    camera.tiles.confirm()
    ghost = camera.rest(said={"K6": ""})[-1]
    camera.tiles.tell(ghost, None)
    assert camera.rest(said={"K6": "K6/K8"})[4].is_denied  # type: ignore[attr-defined]
    again = camera.rest()[4]
    assert (texts([again]), again.is_denied) == (["K6"], False)  # type: ignore[attr-defined]


def test_what_is_said_of_a_tile_that_was_not_found_counts_so_although_it_was_found_since() -> None:
    """People answer what was asked, however the newest picture was read."""
    camera = Camera()
    camera.rest()
    camera.tiles.confirm()
    ghost = camera.rest(said={"K6": ""})[-1]
    camera.look(said={"K6": "K6/K8"})
    camera.tiles.tell(ghost, None)
    again = camera.rest()[4]
    assert (texts([again]), again.is_denied) == (["K6"], False)  # type: ignore[attr-defined]


def test_a_tile_that_is_laid_where_it_was_said_to_be_gone_is_what_it_was(camera: Camera) -> None:
    """However it is read there: it looks as it did, and not as its place did when nothing lay there."""
    before = dict(zip(LABELS, identities(camera.look()), strict=True))
    told = camera.rest(hand=(ROW[5].x_mm + 4, ROW[5].y_mm - 20))
    (hidden,) = [p for p in told if p.reading.may_be_none]
    camera.tiles.tell(hidden, None)
    assert "B8" not in " ".join(texts(camera.rest(hand=(ROW[5].x_mm + 4, ROW[5].y_mm - 20))))
    back = camera.rest(said={"B8": "B8/K8"})
    assert dict(zip(LABELS, identities(back), strict=True)) == before
    assert texts(back) == LABELS


def test_what_was_said_to_be_gone_is_forgotten_with_the_turn() -> None:
    camera = Camera()
    camera.rest()
    camera.tiles.confirm()
    camera.tiles.tell(camera.rest(said={"K6": ""})[-1], None)
    camera.tiles.confirm()
    again = camera.rest(said={"K6": "K6/K8"})
    assert texts(again)[4] == "K6?"
    assert not again[4].is_denied  # type: ignore[attr-defined]


def test_half_of_a_tile_that_was_said_to_be_none_is_no_figure_of_the_cloth() -> None:
    """The tile itself lies there, and is found again."""
    camera = Camera()
    picture = TABLE.picture(ROW, 1)
    quads = [np.array(quad) for quad in picture.quads_xy]
    others = [a_placement(w, q) for w, q in zip(LABELS[1:], quads[1:], strict=True)]
    left, right = (half_of(quads[0], side) for side in (-1, 1))
    for _ in range(2):
        told = camera.tiles.see(picture.pixels_bgr, [left, right, *others])
    camera.tiles.tell(told[1], None)
    camera.tiles.disturb()
    whole = [a_placement("K1/B1", quads[0]), *others]
    for number in (2, 3):
        told = camera.tiles.see(TABLE.picture(ROW, number).pixels_bgr, whole)
    assert len(told) == len(LABELS)
    assert texts(told)[0] == "K1?"


def half_of(quad: np.ndarray, side: int) -> Placement:
    """A part of a tile that was found a little off its middle, to that side, and not made out."""
    middle, across = quad.mean(axis=0), quad[1] - quad[0]
    narrow = middle + (quad - middle) @ np.diag((0.8, 1.0)) + side * 0.2 * across
    unread = TileReading((), sure=False, may_be_none=True)
    return Placement(narrow.astype(np.float32), unread, 0.4, Face.UNREAD)


def test_a_figure_of_the_cloth_that_was_said_to_be_none_stays_none() -> None:
    """It was never known for a tile: in some pictures it is taken for one, in others not."""
    camera = Camera()
    camera.rest(said={"K6": "K6/K8"})
    camera.tiles.confirm()
    camera.tiles.tell(camera.rest(said={"K6": ""})[-1], None)
    camera.tiles.confirm()
    assert len(camera.rest(said={"K6": "K6/K8"})) == len(LABELS) - 1


@pytest.mark.parametrize("taken", [0, 4, 7])
def test_a_tile_that_was_taken_is_gone(camera: Camera, taken: int) -> None:
    left = ROW[:taken] + ROW[taken + 1 :]
    assert texts(camera.rest(left)) == LABELS[:taken] + LABELS[taken + 1 :]
    (gone,) = [t for t in camera.tiles.tiles if t.state is TileState.LIFTED]
    assert str(gone.memory.known) == LABELS[taken]


def test_what_a_hand_lies_over_is_hidden_and_comes_back_as_what_it_was(camera: Camera) -> None:
    before = dict(zip(LABELS, identities(camera.look()), strict=True))
    hand = (ROW[5].x_mm + 4, ROW[5].y_mm - 20)
    told = camera.rest(hand=hand)
    hidden = [t for t in camera.tiles.tiles if t.state is TileState.HIDDEN]
    assert [str(t.memory.known) for t in hidden] == ["B8"]
    assert "B8? or none" in texts(told), "hidden is not gone, and not proven to be there either"
    assert not [t for t in camera.tiles.tiles if t.state is TileState.LIFTED]
    back = camera.rest(said={"B8": "B8/K8"})
    assert dict(zip(LABELS, identities(back), strict=True)) == before
    assert texts(back) == LABELS


@pytest.fixture
def round_camera() -> Camera:
    """A camera that saw the bare table when the round began, and the tiles at the end of a turn."""
    camera = Camera()
    camera.rest([])
    camera.tiles.clear()
    camera.tiles.confirm(camera.rest())
    return camera


UNDER_SLEEVE = {"O4": ["K1", "B2", "R3", "O4"], "B8": ["K6", "B8"], "R3": ["K1", "B2", "R3"]}


@pytest.mark.parametrize("label", UNDER_SLEEVE)
@pytest.mark.parametrize("gains", [(1.0, 1.0, 1.0), (0.75, 0.8, 0.85)])
def test_what_a_sleeve_covers_is_hidden_though_hardly_any_table_shows_round_about(
    round_camera: Camera, label: str, gains: tuple[float, float, float]
) -> None:
    """It is no wider than the row: what shows at the tiles' places is neither the table nor a tile."""
    under = UNDER_SLEEVE[label]
    told = round_camera.rest(said=dict.fromkeys(under, ""), sleeve=label, gains=gains)
    followed = round_camera.tiles.tiles
    hidden = [t for t in followed if t.state is TileState.HIDDEN]
    assert [str(t.memory.known) for t in hidden] == under
    assert not [t for t in followed if t.state is TileState.LIFTED]
    assert texts(told)[-len(under) :] == [f"{one}? or none" for one in under]
    assert sorted(texts(round_camera.rest())) == sorted(LABELS), "and there when it goes"


def test_a_tile_that_is_said_to_lie_under_something_is_not_asked_about_while_that_lies_there(
    round_camera: Camera,
) -> None:
    """A cup on a saucer stays for an hour; what lies there instead of it hides the tile anew."""
    asked = round_camera.rest(said={"K6": ""}, sleeve="K6")[-1]
    assert texts([asked]) == ["K6? or none"]
    round_camera.tiles.tell(asked, parse_tile("K6"))
    told = round_camera.rest(said={"K6": ""}, sleeve="K6")[-1]
    assert isinstance(told, FollowedPlacement)
    assert (texts([told]), told.is_told) == (["K6"], True)
    hand = (ROW[4].x_mm + 4, ROW[4].y_mm - 20)
    (under,) = [p for p in round_camera.rest(hand=hand) if identity_of(p) == identity_of(told)]
    assert texts([under]) == ["K6? or none"]


@pytest.mark.parametrize("gains", [(0.6, 0.65, 0.7), (1.1, 1.05, 1.0), (0.8, 0.9, 1.0)])
@pytest.mark.parametrize("taken", [["K6"], ["K1", "B2", "R3", "O4"], LABELS])
def test_tiles_that_were_taken_while_a_lamp_was_switched_are_gone_and_not_hidden(
    round_camera: Camera, taken: list[str], gains: tuple[float, float, float]
) -> None:
    left = [pose for pose in ROW if pose.label not in taken]
    assert texts(round_camera.rest(left, gains=gains)) == [pose.label for pose in left]
    gone = [t for t in round_camera.tiles.tiles if t.state is TileState.LIFTED]
    assert [str(t.memory.known) for t in gone] == taken


def test_a_row_that_both_hands_push_together_leaves_nothing_hidden_behind(
    round_camera: Camera,
) -> None:
    """Every tile lies half upon the place of another one now, and half upon bare table."""
    pushed_on = [replace(pose, x_mm=0.62 * pose.x_mm + 9, y_mm=pose.y_mm + 4) for pose in ROW]
    assert sorted(texts(round_camera.rest(pushed_on))) == sorted(LABELS)


def test_a_tile_that_a_back_was_pushed_over_is_hidden_and_not_gone(camera: Camera) -> None:
    pushed_over = replace(ROW[5], label="face-down", x_mm=ROW[5].x_mm + WIDTH * 0.4)
    told = camera.rest([*ROW, pushed_over], said={"B8": ""})
    (hidden,) = [t for t in camera.tiles.tiles if t.state is TileState.HIDDEN]
    assert str(hidden.memory.known) == "B8"
    assert "B8? or none" in texts([p for p in told if p.face is Face.UP])
    assert texts(camera.rest()) == LABELS


def test_what_a_person_said_of_a_tile_does_not_say_that_it_still_lies_under_the_hand(
    camera: Camera,
) -> None:
    told = camera.look()[5]
    camera.tiles.tell(told, parse_tile("B8"))
    seen = camera.look()[5]
    assert isinstance(seen, FollowedPlacement)
    assert seen.is_told
    (hidden,) = [
        p
        for p in camera.rest(hand=(ROW[5].x_mm + 4, ROW[5].y_mm - 20))
        if identity_of(p) == identity_of(told)
    ]
    assert isinstance(hidden, FollowedPlacement)
    assert (texts([hidden]), hidden.is_told) == (["B8? or none"], False)


def test_another_tile_under_the_hand_is_another_tile_when_it_goes(camera: Camera) -> None:
    old = identities(camera.look())[5]
    camera.rest(hand=(ROW[5].x_mm + 4, ROW[5].y_mm - 20))
    poses = [*ROW[:5], replace(ROW[5], label="K8"), *ROW[6:]]
    told = camera.rest(poses, said={"K8": "B8/K8"})
    assert identity_of(told[5]) != old
    assert texts(told)[5] == "B8?"


# Moved.


def test_the_one_tile_that_moved_is_followed_with_what_is_known_of_it(camera: Camera) -> None:
    identity = identities(camera.look())[4]
    away = replace(ROW[4], x_mm=ROW[4].x_mm + 30, y_mm=ROW[4].y_mm + 55, angle_rad=0.2)
    poses = [*ROW[:4], away, *ROW[5:]]
    told = camera.rest(poses)
    assert identity_of(told[4]) == identity
    assert texts(camera.rest(poses, said={"K6": "K8/K6"}))[4] == "K6"


def test_where_two_tiles_of_a_kind_moved_nobody_guesses_which_is_which() -> None:
    pair = [replace(pose, label="K6") if k in (0, 4) else pose for k, pose in enumerate(ROW)]
    camera = Camera()
    before = identities(camera.rest(pair))
    camera.tiles.confirm()
    elsewhere = [
        replace(pose, x_mm=pose.x_mm + 25, y_mm=pose.y_mm + 62) if pose.label == "K6" else pose
        for pose in pair
    ]
    after = identities(camera.rest(elsewhere))
    assert after[1:4] == before[1:4]
    assert not {after[0], after[4]} & {before[0], before[4]}


def test_a_new_tile_in_doubt_is_not_taken_for_one_of_another_look_that_went(camera: Camera) -> None:
    """A black 6 went to a rack, and a black 8 came that is read as one or the other."""
    new = TilePose("K8", ROW[4].x_mm + 30, ROW[4].y_mm + 55, 0.1)
    told = camera.rest([*ROW[:4], new, *ROW[5:]], said={"K8": "K6/K8"})
    assert texts(told)[4] == "K6?"


def test_a_picture_of_another_size_begins_anew(camera: Camera) -> None:
    picture = TABLE.picture(ROW, 99)
    half = np.ascontiguousarray(picture.pixels_bgr[::2, ::2])
    told = camera.tiles.see(half, [a_placement("K6/K8", picture.quads_xy[4] / 2)])
    assert texts(told) == ["K6?"]


@pytest.mark.parametrize("word", ["B1/B11", "K6/K8"])
def test_a_tile_that_is_found_askew_where_nothing_changed_is_no_second_one(
    camera: Camera, word: str
) -> None:
    """A finder may take the edge of a figure on the cloth for the tile's."""
    before = camera.rest()
    picture = TABLE.picture(ROW, 90)
    quads = np.array(picture.quads_xy)
    at = LABELS.index("K6")
    quads[at] += 0.45 * (quads[at][1] - quads[at][0])
    said = [word if k == at else label for k, label in enumerate(LABELS)]
    placements = [a_placement(w, quad) for w, quad in zip(said, quads, strict=True)]
    camera.tiles.disturb()
    camera.tiles.see(picture.pixels_bgr, placements)
    told = camera.tiles.see(picture.pixels_bgr, placements)
    assert sorted(identities(told)) == sorted(identities(before))
    assert sorted(texts(told)) == sorted(LABELS)


@pytest.mark.parametrize(("chance", "is_it"), [(0.95, True), (0.6, False)])
def test_a_part_of_a_known_tile_that_is_read_as_it_is_that_tile(
    camera: Camera, chance: float, is_it: bool
) -> None:
    """A finder may take the number for the tile, and a shadow may lie over the rest; what leans to
    another tile as well may be one that was laid there."""
    picture = TABLE.picture(ROW, 90)
    pixels = picture.pixels_bgr.copy()
    quads = np.array(picture.quads_xy)
    at = LABELS.index("K6")
    old = identities(camera.look())[at]
    whole = quads[at].copy()
    quads[at][2:] -= 0.32 * (quads[at][[2, 3]] - quads[at][[1, 0]])
    shade = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillConvexPoly(shade, np.add(whole, (0.3 * np.ptp(whole[:, 0]), 0)).astype(np.int32), 1)
    pixels[shade > 0] = (pixels[shade > 0] * np.array((0.35, 0.5, 0.7))).astype(np.uint8)
    placements = [a_placement(label, quad) for label, quad in zip(LABELS, quads, strict=True)]
    either = [Candidate(parse_tile(tile), p) for tile, p in (("K6", chance), ("K8", 0.97 - chance))]
    placements[at] = replace(placements[at], reading=TileReading(tuple(either), sure=False))
    camera.tiles.disturb()
    camera.tiles.see(pixels, placements)
    told = camera.tiles.see(pixels, placements)
    assert (identity_of(told[at]) == old) is is_it
    assert texts(told)[at] == ("K6" if is_it else "K6?")


def test_a_tile_upon_a_known_one_is_a_second_one(camera: Camera) -> None:
    """Though what is found there is in doubt: the place of the one below looks otherwise."""
    below = ROW[LABELS.index("K6")]
    upon = replace(
        below, label="O12", x_mm=below.x_mm + 0.45 * WIDTH, z_mm=TABLE.design.thickness_mm
    )
    told = camera.rest([*ROW, upon], {"O12": "O12/O13"})
    assert len(set(identities(told))) == len(LABELS) + 1


PUSH = (40.0, -25.0, 0.03)
"""Pixels across and down, and radians, by which a camera was pushed."""


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing looks as it did that is seen from elsewhere, as where a highlight lies elsewhere."""

    def same_prints(then: Looks, now: Looks, *, moved: bool = False) -> NDArray[np.bool_]:
        return np.asarray(unexplained(then, now, moved=moved)[0] <= 0.035)

    monkeypatch.setattr(tiles_on_table, "same_prints", same_prints)


@pytest.mark.usefixtures("strict")
def test_a_known_tile_in_doubt_is_known_again_when_the_camera_was_pushed(camera: Camera) -> None:
    doubtful = {"B8": "B3/B8"}
    assert "B8" in texts(camera.rest(said=doubtful, shift=PUSH))
    assert "B8" in texts(camera.rest(said=doubtful, shift=PUSH)), "and stays so"


@pytest.mark.usefixtures("strict")
def test_a_camera_that_was_pushed_makes_no_tile_another(camera: Camera) -> None:
    exchanged = [replace(pose, label="B3") if pose.label == "B8" else pose for pose in ROW]
    assert "B8" not in texts(camera.rest(exchanged, {"B3": "B8/B3"}, shift=PUSH))


@pytest.mark.usefixtures("strict")
def test_without_a_push_another_look_and_a_doubt_tell_of_no_tile(camera: Camera) -> None:
    exchanged = [replace(pose, angle_rad=0.12) if pose.label == "B8" else pose for pose in ROW]
    assert "B8" not in texts(camera.rest(exchanged, {"B8": "B3/B8"}))


@pytest.mark.parametrize(("now", "was_there"), [("K11", True), ("R4", False)])
def test_what_else_lay_there_when_the_program_was_started_again_is_of_no_set(
    now: str, was_there: bool
) -> None:
    """A field of a score sheet, as it were, that is no tile of the table at the end of a turn."""
    field = TilePose("K11", 2.6 * WIDTH, -2.2 * HEIGHT, 0.0)
    before, after = (
        TABLE.picture([*ROW, field], 1),
        TABLE.picture([*ROW, replace(field, label=now)], 2),
    )
    lay = [
        a_placement(pose.label, quad) for pose, quad in zip(ROW, before.quads_xy[:-1], strict=True)
    ]
    tiles = TilesOnTable()
    tiles.resume(before.pixels_bgr, lay)
    shown = [
        a_placement(pose.label, quad)
        for pose, quad in zip([*ROW, replace(field, label=now)], after.quads_xy, strict=True)
    ]
    tiles.see(after.pixels_bgr, shown)
    assert tiles.lay_when_begun(shown[-1]) is was_there
    assert not tiles.lay_when_begun(shown[0]), "of the tiles that lay there this says nothing"
