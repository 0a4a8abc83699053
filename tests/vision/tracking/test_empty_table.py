"""A cloth is no tile, and a tile laid on it is no cloth."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.frame import Pixels
from vision.placements import Face, Placement
from vision.tracking.empty_table import EmptyTable
from vision.tracking.grain import FEWEST, levels_of_grain
from vision.tracking.same_cloth import LEAST_LEVELS
from vision.tracking.tiles_on_table import TilesOnTable
from vision.tracking.vacant import AS_BEFORE, Shown
from vision.tracking.view_shift import view_shift

HEIGHT, WIDTH = 480, 640
TILE = np.array([(-15, -21), (15, -21), (15, 21), (-15, 21)], np.float32)
FIGURES = [(x + 7 * (y // 90 % 3), y) for y in range(40, 460, 90) for x in range(40, 620, 75)]
"""Where the cloth has light squares of a tile's size, with a dot."""
FIGURE, BETWEEN = FIGURES[12], (FIGURES[12][0] + 38, FIGURES[12][1])
LIGHTS = {
    "the same light": (1.0, 1.0, 1.0),
    "a lamp less": (0.6, 0.62, 0.7),
    "a lamp more": (1.15, 1.12, 1.1),
    "another white": (0.9, 1.0, 1.1),
}


def cloth(kind: str = "squares") -> Pixels:
    """A cloth with squares, or one that is checked and looks alike everywhere."""
    if kind == "checks":
        y, x = np.mgrid[:HEIGHT, :WIDTH]
        checks = ((x // 34 + y // 40) % 2)[..., None]
        return np.asarray(80 + 90 * checks + np.array([20, 0, 30]) * (1 - checks), np.uint8)
    picture = np.full((HEIGHT, WIDTH, 3), (120, 70, 50), np.uint8)
    for number, (x, y) in enumerate(FIGURES):
        cv2.rectangle(picture, (x - 14, y - 20), (x + 14, y + 20), (205, 215, 220), -1)
        ink = [(40, 40, 160), (150, 60, 30), (30, 120, 30)][number % 3]
        cv2.circle(picture, (x, y - 6), 5 + number % 4, ink, -1, cv2.LINE_AA)
    return picture


def with_tile(picture: Pixels, at: tuple[int, int], number: str = "7") -> Pixels:
    """A real tile laid there."""
    out, (x, y) = picture.copy(), at
    cv2.rectangle(out, (x - 15, y - 21), (x + 15, y + 21), (200, 212, 218), -1)
    cv2.putText(out, number, (x - 8, y + 2), cv2.FONT_HERSHEY_DUPLEX, 0.8, (40, 40, 160), 2)
    return out


def lit(
    picture: Pixels,
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0),
    seed: int = 1,
    grain: float = 2.5,
) -> Pixels:
    noise = np.random.default_rng(seed).normal(0, grain, picture.shape)
    levels = picture.astype(np.float64) * np.array(gains) + noise
    return np.asarray(np.clip(levels, 0, 255), np.uint8)


def found(at: tuple[float, float], word: str = "O8/O9") -> Placement:
    """What a reader says of a place: a doubt, a sure tile, ``?`` for what it cannot read, or a back."""
    quad = (TILE + np.array(at, np.float32)).astype(np.float32)
    if word in ("?", "back"):
        face = Face.UNREAD if word == "?" else Face.DOWN
        return Placement(quad, TileReading((), False, word == "?"), 0.6, face)
    labels = word.split("/")
    sure = len(labels) == 1
    chances = [0.995] if sure else [0.6, 0.3]
    pairs = zip(labels, chances, strict=True)
    candidates = tuple(Candidate(parse_tile(label), chance) for label, chance in pairs)
    return Placement(quad, TileReading(candidates, sure, not sure), 0.6, Face.UP)


def begun(picture: Pixels) -> EmptyTable:
    empty = EmptyTable()
    empty.begin(lit(picture), [])
    return empty


def is_left_out(empty: EmptyTable, picture: Pixels, *placements: Placement) -> bool:
    return not empty.without(picture, placements)


@pytest.mark.parametrize("gains", LIGHTS.values(), ids=LIGHTS)
@pytest.mark.parametrize("word", ["?", "O8/O9"])
def test_a_figure_that_was_there_when_the_round_began_is_no_tile(
    word: str, gains: tuple[float, float, float]
) -> None:
    now = lit(cloth(), gains, 2)
    assert is_left_out(begun(cloth()), now, *(found(at, word) for at in FIGURES))


@pytest.mark.parametrize("gains", LIGHTS.values(), ids=LIGHTS)
@pytest.mark.parametrize("at", [FIGURE, BETWEEN])
@pytest.mark.parametrize("number", ["1", "8", ""])
def test_a_tile_laid_there_is_seen_however_doubtful_it_is(
    at: tuple[int, int], number: str, gains: tuple[float, float, float]
) -> None:
    """Also one whose face shows nothing, on a square of its own size and nearly its colour."""
    empty = begun(cloth())
    empty.deny(lit(cloth()), found(FIGURE).quad_xy)
    assert not is_left_out(empty, lit(with_tile(cloth(), at, number), gains, 3), found(at, "?"))


def in_the_evening(picture: Pixels, seed: int) -> Pixels:
    """The same by a webcam with much grain, whose pictures are squeezed."""
    grainy = lit(lit(picture, seed=seed), seed=seed + 100, grain=7.0)
    _, squeezed = cv2.imencode(".jpg", grainy, (cv2.IMWRITE_JPEG_QUALITY, 70))
    return np.asarray(cv2.imdecode(squeezed, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize("seed", range(2, 8))
def test_grain_makes_no_tile_of_a_figure(seed: int) -> None:
    empty = EmptyTable()
    empty.begin(in_the_evening(cloth(), 1), [])
    now, figures = in_the_evening(cloth(), seed), [found(at, "?") for at in FIGURES]
    assert len(empty.without(now, figures)) <= 2
    then, bare = in_the_evening(cloth(), 1), [figure.quad_xy for figure in figures]
    assert levels_of_grain(then, now, bare) > LEAST_LEVELS


@pytest.mark.parametrize("at", [FIGURE, BETWEEN])
@pytest.mark.parametrize("number", ["1", "8", ""])
def test_grain_hides_no_tile(at: tuple[int, int], number: str) -> None:
    empty = EmptyTable()
    empty.begin(in_the_evening(cloth(), 1), [])
    now = in_the_evening(with_tile(cloth(), at, number), 3)
    assert not is_left_out(empty, now, found(at, "?"))


def test_where_too_little_is_bare_no_grain_is_measured() -> None:
    then, now = in_the_evening(cloth(), 1), in_the_evening(cloth(), 2)
    few = [found(at).quad_xy for at in FIGURES[: FEWEST - 1]]
    assert levels_of_grain(then, now, few) == 0.0


def test_what_is_surely_read_where_nothing_has_changed_is_asked_about() -> None:
    empty, sure = begun(cloth()), found(FIGURE, "O8")
    (left,) = empty.without(lit(cloth(), seed=2), [sure])
    assert (left.reading.best, left.reading.sure, left.reading.may_be_none) == (
        parse_tile("O8"),
        False,
        True,
    )
    laid = lit(with_tile(cloth(), FIGURE), seed=3)
    assert empty.without(laid, [sure]) == [sure]


def test_a_sure_reading_is_left_out_where_a_person_says_that_it_is_none() -> None:
    empty, sure = begun(cloth()), found(FIGURE, "O8")
    assert not is_left_out(empty, lit(cloth(), seed=2), sure)
    empty.deny(lit(cloth()), sure.quad_xy)
    assert is_left_out(empty, lit(cloth(), seed=2), sure)
    assert not is_left_out(empty, lit(with_tile(cloth(), FIGURE), seed=3), sure)


def test_what_a_person_said_is_none_stays_none_after_the_table_was_cleared() -> None:
    empty = EmptyTable()
    empty.deny(lit(cloth()), found(FIGURE).quad_xy)
    empty.begin(lit(with_tile(cloth(), FIGURE)), [found(FIGURE).quad_xy])
    assert is_left_out(empty, lit(cloth(), seed=2), found(FIGURE))


def test_a_person_who_says_which_tile_it_is_takes_back_that_there_is_none() -> None:
    empty = EmptyTable()
    empty.deny(lit(cloth()), found(FIGURE).quad_xy)
    empty.allow(found(FIGURE).quad_xy)
    assert not is_left_out(empty, lit(cloth(), seed=2), found(FIGURE))


def test_backs_are_left_as_they_are() -> None:
    assert not is_left_out(begun(cloth()), lit(cloth(), seed=2), found(FIGURE, "back"))


def test_beside_what_is_surely_read_nothing_is_known_when_a_round_begins() -> None:
    """It may be said to have begun when the first set lay there, with one of its tiles in doubt."""
    empty, (x, y) = EmptyTable(), BETWEEN
    row = with_tile(with_tile(cloth(), BETWEEN), (x + 31, y))
    empty.begin(lit(row), [found(BETWEEN).quad_xy])
    assert not is_left_out(empty, lit(row, seed=2), found((x + 31, y)))


def test_the_end_of_a_turn_tells_where_no_tile_lies() -> None:
    empty, table = EmptyTable(), with_tile(cloth(), FIGURE)
    empty.end_turn(lit(table), [found(FIGURE).quad_xy])
    assert is_left_out(empty, lit(table, seed=2), found(FIGURES[3]))
    assert not is_left_out(empty, lit(table, seed=2), found(FIGURE))


BESIDE = (FIGURE[0] + 5, FIGURE[1] - 40)
"""Where a tile lies so that it covers the rim of a figure."""


@pytest.mark.parametrize("is_counted", [True, False])
def test_what_lay_under_a_tile_is_known_from_the_turn_before(*, is_counted: bool) -> None:
    """Not under what is of no set: it may have been there then, and not been found."""
    empty, place = EmptyTable(), [found(FIGURE).quad_xy]
    empty.end_turn(lit(cloth()), [])
    laid = lit(with_tile(cloth(), FIGURE), seed=2)
    empty.end_turn(laid, place if is_counted else [], [] if is_counted else place)
    taken = lit(cloth(), seed=3)
    assert is_left_out(empty, taken, found(FIGURE)) is is_counted
    (shown,) = empty.shows_at(taken, place, [])
    assert (shown is not None and shown.is_clear) is is_counted


@pytest.mark.parametrize("lay_before", [False, True])
def test_a_figure_is_no_tile_though_a_tile_lies_at_its_rim(*, lay_before: bool) -> None:
    """One that was laid since, or that lay there when the turn before ended."""
    empty, table = EmptyTable(), with_tile(cloth(), BESIDE)
    if lay_before:
        empty.end_turn(lit(table), [found(BESIDE).quad_xy])
    else:
        empty.begin(lit(cloth()), [])
    now = lit(table, LIGHTS["a lamp less"], 2)
    told = empty.without(now, [found(FIGURE, "?"), found(BESIDE, "O7")])
    assert [p.label for p in told] == ["O7"]


@pytest.mark.parametrize("number", ["1", "8", ""])
def test_a_tile_laid_beside_others_is_seen_however_doubtful_it_is(number: str) -> None:
    empty, beside = EmptyTable(), [BETWEEN, (BETWEEN[0] + 62, BETWEEN[1])]
    at = (BETWEEN[0] + 31, BETWEEN[1])
    row = with_tile(with_tile(cloth(), beside[0]), beside[1])
    empty.end_turn(lit(row), [found(place).quad_xy for place in beside])
    sure = [found(place, "O7") for place in beside]
    told = empty.without(lit(with_tile(row, at, number), seed=2), [found(at, "?"), *sure])
    assert len(told) == 3


def test_where_others_hide_most_of_a_place_nothing_is_known_of_it() -> None:
    empty, (x, y) = begun(cloth()), FIGURE
    over = [(x - 20, y), (x + 20, y)]
    table = with_tile(with_tile(cloth(), over[0]), over[1])
    sure = [found(place, "O7") for place in over]
    assert len(empty.without(lit(table, seed=2), [found(FIGURE, "?"), *sure])) == 3


def pushed(picture: Pixels) -> tuple[Pixels, np.ndarray]:
    cos, sin = math.cos(0.02), math.sin(0.02)
    motion = np.array([[cos, -sin, 17.0], [sin, cos, -12.0]])
    moved = cv2.warpAffine(picture, motion, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(moved, np.uint8), motion


@pytest.mark.parametrize("kind", ["squares", "checks"])
def test_a_camera_that_was_pushed_shows_the_same_cloth_elsewhere(kind: str) -> None:
    empty, at = begun(cloth(kind)), FIGURES[20]
    empty.deny(lit(cloth(kind)), found(at).quad_xy)
    empty.view_changed()
    moved, motion = pushed(cloth(kind))
    there = motion[:, :2] @ at + motion[:, 2]
    assert is_left_out(empty, lit(moved, seed=4), found(there))
    on_it = with_tile(moved, (round(there[0]), round(there[1])))
    assert not is_left_out(empty, lit(on_it, seed=5), found(there))


def test_a_push_may_be_noticed_when_the_table_was_read_since() -> None:
    empty, at = begun(cloth()), FIGURES[20]
    moved, motion = pushed(cloth())
    there = motion[:, :2] @ at + motion[:, 2]
    assert not is_left_out(empty, lit(moved, seed=3), found(there))
    empty.view_changed()
    assert is_left_out(empty, lit(moved, seed=4), found(there))


def test_of_a_view_that_shows_another_table_nothing_is_known() -> None:
    empty = begun(cloth())
    empty.view_changed()
    assert not is_left_out(empty, lit(cloth("checks"), seed=2), found(FIGURE))


def test_a_camera_that_only_trembled_has_not_moved() -> None:
    shift = view_shift(lit(cloth()), lit(cloth(), seed=2))
    assert shift is not None
    assert np.array_equal(shift, np.eye(3))


# With the tiles that are followed.


def test_a_round_begins_on_the_cloth_that_was_seen_last() -> None:
    tiles = TilesOnTable()
    assert len(tiles.see(lit(cloth()), [found(FIGURE)])) == 1
    tiles.clear()
    assert tiles.see(lit(cloth(), seed=2), [found(FIGURE), found(FIGURES[3], "?")]) == []


@pytest.mark.parametrize("is_pushed", [False, True])
def test_a_camera_may_be_pushed_unnoticed_when_a_round_begins(*, is_pushed: bool) -> None:
    """Before it was known for long enough where it stands."""
    tiles, at = TilesOnTable(), FIGURES[20]
    tiles.see(lit(cloth()), [])
    tiles.clear()
    tiles.disturb()
    picture, there = cloth(), np.array(at, np.float64)
    if is_pushed:
        picture, motion = pushed(cloth())
        there = motion[:, :2] @ at + motion[:, 2]
    assert tiles.see(lit(picture, seed=2), [found(tuple(there))]) == []


def test_where_the_table_does_not_tell_how_the_camera_was_pushed_the_tiles_do() -> None:
    plain = np.full((HEIGHT, WIDTH, 3), (60, 90, 40), np.uint8)
    moved, motion = pushed(plain)
    for tiles_moved, is_known in ((motion, True), (None, False)):
        empty = begun(plain)
        empty.view_changed()
        empty.follow_view(lit(moved, seed=2), tiles_moved)
        assert empty.is_known is is_known
        (table,) = empty.shows_at(lit(moved, seed=2), [found(FIGURES[20]).quad_xy], [])
        assert (table is not None) is is_known


@pytest.mark.parametrize("is_said", [False, True])
def test_a_push_that_tiles_tell_of_leaves_the_figures_known(
    monkeypatch: pytest.MonkeyPatch, *, is_said: bool
) -> None:
    """Whether a person says that the camera was pushed, or it is seen by the tiles alone."""
    monkeypatch.setattr("vision.tracking.empty_table.view_shift", lambda *_: None)
    tiles, laid, figure = TilesOnTable(), cloth(), FIGURES[20]
    row, words = [(200, 440), (232, 441), (264, 439), (296, 440)], ["R7", "B7", "K7", "O7"]
    tiles.see(lit(laid), [])
    tiles.clear()
    for at in row:
        laid = with_tile(laid, at)
    for seed in (2, 3):
        tiles.see(lit(laid, seed=seed), list(map(found, row, words)))
    moved, motion = pushed(laid)
    if is_said:
        tiles.view_changed()
    there = [tuple(motion[:, :2] @ at + motion[:, 2]) for at in [*row, figure]]
    told = [
        tiles.see(lit(moved, seed=seed), list(map(found, there, [*words, "?"]))) for seed in (4, 5)
    ]
    assert [p.label for p in told[-1]] == words


def test_a_round_may_begin_before_anything_was_read() -> None:
    """Then the picture of that moment tells what lay there; later a newer one tells nothing."""
    tiles = TilesOnTable()
    tiles.clear(lit(cloth()))
    figures = [found(at) for at in FIGURES]
    assert tiles.see(lit(cloth(), seed=2), figures) == []
    with_one = lit(with_tile(cloth(), FIGURE), seed=3)
    (seen,) = tiles.see(with_one, figures)
    np.testing.assert_allclose(seen.centre_xy, FIGURE)
    tiles.clear(lit(with_tile(cloth(), BETWEEN), seed=4))
    assert tiles.see(lit(cloth(), seed=5), figures) != [], "what was read last is the table"


def test_pictures_that_do_not_tell_where_the_camera_stands_are_no_news() -> None:
    tiles = TilesOnTable()
    tiles.see(lit(cloth()), [])
    tiles.clear()
    tiles.disturb()
    assert len(tiles.see(np.full((HEIGHT, WIDTH, 3), 90, np.uint8), [found(FIGURE)])) == 1
    assert tiles.see(lit(cloth(), seed=2), [found(FIGURE)]) == []


def test_a_figure_is_asked_about_once_in_all_rounds() -> None:
    tiles = TilesOnTable()
    asked = tiles.see(lit(cloth()), [found(FIGURE, "O8")])[0]
    tiles.tell(asked, None)
    for seed in (2, 3):
        tiles.clear()
        assert tiles.see(lit(cloth(), seed=seed), [found(FIGURE, "O8/O9")]) == []
        assert tiles.see(lit(cloth(), seed=seed), [found(FIGURE, "O8")]) == []


def test_what_is_not_of_the_table_that_counts_is_not_missed_in_the_next_turn() -> None:
    """A figure that is taken for a tile now and then, and was not when the turn was ended."""
    tiles = TilesOnTable()
    for seed in (1, 2):
        tiles.see(lit(cloth(), seed=seed), [found(FIGURE)])
    tiles.see(lit(cloth(), seed=3), [])
    tiles.confirm(counted=[])
    assert tiles.see(lit(cloth(), seed=4), []) == []


@pytest.mark.parametrize("is_known_to_rest", [True, False])
def test_what_rested_on_the_table_when_a_turn_ended_is_not_taken_for_the_table(
    is_known_to_rest: bool,
) -> None:
    """A hand with a ring, say, in which a tile may be hidden when it lies there again."""
    x, y = BETWEEN
    hand = np.array([(x - 60, y - 80), (x + 60, y - 80), (x + 60, y + 70), (x - 60, y + 70)])
    with_hand = cv2.fillConvexPoly(cloth(), hand.astype(np.int32), (120, 150, 205))
    cv2.circle(with_hand, BETWEEN, 9, (60, 200, 220), -1)
    tiles, resting = TilesOnTable(), [hand.astype(np.float32)] if is_known_to_rest else []
    tiles.see(lit(with_hand), [], resting_xy=resting)
    tiles.confirm([])
    told = tiles.see(lit(with_hand, seed=2), [found(BETWEEN, "?")])
    assert bool(told) is is_known_to_rest


def in_a_shadow(picture: Pixels) -> Pixels:
    """With a shadow that ends softly across the place `BETWEEN`."""
    across = np.clip((np.arange(WIDTH) - BETWEEN[0]) / 40 + 0.5, 0, 1)
    return np.asarray(picture * (0.5 + 0.5 * across)[None, :, None], np.uint8)


def test_part_of_a_place_tells_that_its_tile_is_gone_where_it_clearly_shows_the_table() -> None:
    """The rim of a place close to another tile is not known by how the turn before ended, and by how the
    round began it is seen in another light."""
    place, beside = found(BETWEEN).quad_xy, found((BETWEEN[0] + 33, BETWEEN[1])).quad_xy
    plain = np.full((HEIGHT, WIDTH, 3), (60, 70, 150), np.uint8)
    now = lit(in_a_shadow(plain), seed=3)

    def shown(empty: EmptyTable, picture: Pixels) -> Shown | None:
        return empty.shows_at(picture, [place], [beside])[0]

    empty = begun(plain)
    by_the_beginning = shown(empty, now)
    assert by_the_beginning is not None
    assert not by_the_beginning.is_clear
    empty.end_turn(lit(in_a_shadow(plain)), [beside])
    by_the_turn_before = shown(empty, now)
    assert by_the_turn_before is not None
    assert by_the_turn_before.is_clear
    tile = shown(empty, lit(in_a_shadow(with_tile(plain, BETWEEN)), seed=4))
    assert tile is not None
    assert not tile.is_clear
    cover = cv2.rectangle(in_a_shadow(plain), (0, 200), (BETWEEN[0] + 6, 480), (70, 60, 55), -1)
    under = shown(empty, lit(np.asarray(cover, np.uint8), seed=5))
    assert under is not None
    assert not under.is_clear


@pytest.mark.parametrize("is_bare", [True, False])
def test_the_side_of_the_tile_above_does_not_hide_that_a_place_is_bare(*, is_bare: bool) -> None:
    """As in a traced film: seen aslant, the side of the next tile and its shade lay over a third of the
    place of one that was taken, which counted as hidden from then on."""
    (x, y), side = BETWEEN, 22
    empty, above = begun(cloth()), found((x, y - 43)).quad_xy
    now = with_tile(cloth(), (x, y - 43))
    now[y - 22 : y - 22 + side, x - 15 : x + 15] = (150, 175, 185)
    if not is_bare:
        now[y - 22 + side : y + 25, x - 18 : x + 18] = (40, 60, 150)  # a sleeve
    (shown,) = empty.shows_at(lit(now, seed=2), [found((x, y)).quad_xy], [above])
    assert shown is not None
    assert (shown.share >= AS_BEFORE) is is_bare
