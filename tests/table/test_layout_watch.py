"""When a reading counts, and how long a person's word does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.layout import Candidate, Layout, TileReading
from engine.referee import TurnReading, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from engine.turns import Turn
from table.forms import with_what_lies_on
from table.layout_watch import LayoutWatch
from vision.placements import Face, Placement
from vision.tracking.followed import FollowedPlacement

WIDTH_PX, HEIGHT_PX = 50.0, 70.0


def tile(label: str, x: float, y: float = 100.0, other: str | None = None) -> Placement:
    """A tile with its centre at x, y; in doubt between its label and ``other`` where one is given."""
    corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    quad = np.array([(x + a * WIDTH_PX, y + b * HEIGHT_PX) for a, b in corners], np.float32)
    first = Candidate(parse_tile(label), 1.0 if other is None else 0.6)
    rest = () if other is None else (Candidate(parse_tile(other), 0.4),)
    return Placement(quad, TileReading((first, *rest), other is None), 1.0, Face.UP)


def run(*labels: str, x: float = 100.0) -> list[Placement]:
    return [tile(label, x + index * (WIDTH_PX + 1)) for index, label in enumerate(labels)]


def text(watch: LayoutWatch) -> str:
    assert watch.adopted is not None
    return watch.adopted.laid_out.reading.text()


def test_one_reading_does_not_count_and_two_that_agree_do() -> None:
    watch = LayoutWatch()
    assert not watch.add(run("K7", "K8", "K9"))
    assert watch.adopted is None
    assert watch.add(run("K7", "K8", "K9"))
    assert text(watch) == "K7 K8 K9"
    assert not watch.add(run("K7", "K8", "K9")), "the same layout is no news"


def test_readings_that_disagree_never_count() -> None:
    watch = LayoutWatch()
    for _ in range(5):
        assert not watch.add(run("K7", "K8", "K9"))
        assert not watch.add(run("B7", "K8", "K9"))


def test_doubtful_tiles_that_are_read_otherwise_each_time_count_as_all_of_it() -> None:
    watch = LayoutWatch()
    pairs = [("K7", "B7"), ("B7", "K1"), ("K7", "B1"), ("B7", "K7")] * 2
    readings = [[tile(a, 100.0, other=b), *run("K8", "K9", x=101 + WIDTH_PX)] for a, b in pairs]
    news = [watch.add(reading) for reading in readings]
    assert news == [False, False, False, True, False, False, False, False]
    assert watch.is_settled, "what flickers within its doubts keeps no turn from ending"
    assert watch.adopted is not None
    (doubtful,) = [t for t in watch.adopted.laid_out.reading.tiles if not t.sure]
    chances = {str(c.tile): round(c.probability, 3) for c in doubtful.candidates}
    assert chances == {"B7": 0.4, "K7": 0.4, "K1": 0.1, "B1": 0.1}
    for _ in range(2):
        watch.add(run("R7", "K8", "K9"))
    assert text(watch) == "R7 K8 K9", "a sure reading is another table"


def half_seen(*numbers: int) -> list[Placement]:
    """A run, and below it those of some things in doubt, as tiles on a rack are from above."""
    return [
        *run("K7", "K8", "K9"),
        *(tile(f"B{n + 1}", 100 + 1.5 * n * WIDTH_PX, 400.0, other="B9") for n in numbers),
    ]


def test_what_is_in_doubt_and_not_found_each_time_keeps_no_table_from_being_read() -> None:
    watch = LayoutWatch()
    found = [(0, 1, 2), (0, 2, 3), (0, 1, 3), (0, 1, 2, 3)]
    news = [watch.add(half_seen(*numbers)) for numbers in found]
    assert news == [False, False, False, True]
    assert watch.adopted is not None
    doubtful = [t for t in watch.adopted.laid_out.reading.tiles if not t.sure]
    assert [t.may_be_none for t in doubtful] == [False, True, True, True]
    for numbers in ((0, 2), (0, 1, 3), (0, 4), (0, 2)):
        assert not watch.add(half_seen(*numbers))
        assert watch.is_settled, "what comes and goes keeps no turn from ending"
    watch.disturb()
    for _ in range(2):
        watch.add(run("K7", "K8", "K9"))
    assert text(watch) == "K7 K8 K9", "what is gone in each reading is gone"


def test_sure_tiles_that_are_found_now_and_then_never_count() -> None:
    watch = LayoutWatch()
    for _ in range(4):
        assert not watch.add(run("K7", "K8", "K9"))
        assert not watch.add([*run("K7", "K8", "K9"), tile("B1", 100.0, 400.0)])


def test_face_down_tiles_that_are_found_now_and_then_keep_no_turn_from_ending() -> None:
    watch = LayoutWatch()
    backs = [
        replace(tile("K1", 400.0 + 80 * k), reading=TileReading((), False), face=Face.DOWN)
        for k in range(3)
    ]
    for _ in range(2):
        watch.add([*run("K7", "K8", "K9"), backs[0]])
    for found in (backs[:2], backs[1:], [], backs):
        assert not watch.add([*run("K7", "K8", "K9"), *found])
        assert watch.is_settled


def test_movement_between_two_readings_keeps_them_from_adding_up() -> None:
    watch = LayoutWatch()
    watch.add(run("K7", "K8", "K9"))
    watch.disturb()
    assert not watch.add(run("K7", "K8", "K9"))
    assert watch.add(run("K7", "K8", "K9"))


def test_after_a_movement_the_table_counts_as_unread_until_it_was_read_again() -> None:
    watch = LayoutWatch()
    for _ in range(2):
        watch.add(run("K7", "K8", "K9"))
    settled = [watch.is_settled]
    watch.disturb()
    settled.append(watch.is_settled)
    watch.add(run("K7", "K8", "K9"))
    settled.append(watch.is_settled)
    assert settled == [True, False, True]


def test_a_tile_that_flickers_between_sure_and_doubtful_changes_nothing() -> None:
    watch = LayoutWatch()
    sure = run("K7", "K8", "K9")
    doubtful = [*sure[:2], tile("K9", 100 + 2 * (WIDTH_PX + 1), other="K6")]
    watch.add(sure)
    watch.add(sure)
    for _ in range(3):
        assert not watch.add(doubtful)
        assert not watch.add(sure)
    assert text(watch) == "K7 K8 K9"
    watch.add(doubtful)
    assert watch.add(doubtful), "doubt that stays is news"
    assert text(watch) == "K7 K8 K9?"


def doubtful_run(other: str) -> list[Placement]:
    return [*run("K7", "K8"), tile("K9", 100 + 2 * (WIDTH_PX + 1), other=other)]


def test_a_tile_that_is_in_doubt_each_time_is_doubtful_whatever_it_may_be_instead() -> None:
    watch = LayoutWatch()
    for _ in range(2):
        watch.add(run("K7", "K8", "K9"))
    assert not watch.add(doubtful_run("K6"))
    assert not watch.is_settled, "the doubt may stay"
    assert watch.add(doubtful_run("K5"))
    assert text(watch) == "K7 K8 K9?"
    for other in ("K6", "B9", "K5", "K6"):
        assert not watch.add(doubtful_run(other)), "what else it may be is no news each time"
        assert watch.is_settled, "and keeps no turn from ending"


def test_doubts_that_come_and_go_keep_no_turn_from_ending() -> None:
    watch = LayoutWatch()
    last = tile("K9", 100 + 2 * (WIDTH_PX + 1))
    for _ in range(2):
        watch.add([*run("K7", "K8"), last])
    settled = []
    for first, second in (("K6", None), (None, "K5"), ("K6", None), (None, "K5")):
        pair = [tile("K7", 100.0, other=first), tile("K8", 101 + WIDTH_PX, other=second)]
        assert not watch.add([*pair, last])
        settled.append(watch.is_settled)
    assert settled == [False, False, True, True]
    watch.add(run("K7", "K8", "K10"))
    assert not watch.is_settled, "another tile is another table"


def told_by_turns(watch: LayoutWatch) -> list[bool]:
    """What is news of six readings, in which the last tile is in doubt and another one by turns."""
    readings = [doubtful_run("K6"), run("K7", "K8", "R11")] * 3
    return [watch.add(reading) for reading in readings]


def test_a_tile_that_is_never_seen_surely_again_is_in_doubt_though_readings_never_agree() -> None:
    """As where another tile lies on it: now that one is read, now neither, and the old one is hidden."""
    watch = LayoutWatch()
    for _ in range(2):
        watch.add(run("K7", "K8", "K9"))
    assert told_by_turns(watch) == [False, False, False, False, True, False]
    assert text(watch) == "K7 K8 K9?"


def test_a_doubt_of_the_table_before_says_nothing_of_another_one() -> None:
    watch = LayoutWatch()
    for _ in range(2):
        watch.add(run("R1", "R2", "R3"))
    watch.add([*run("R1", "R2"), tile("R3", 100 + 2 * (WIDTH_PX + 1), other="R8")])
    for _ in range(2):
        watch.add(run("K7", "K8", "K9"))
    assert told_by_turns(watch) == [False, False, False, False, True, False]


def test_tiles_keep_their_numbers_in_whatever_order_they_are_found() -> None:
    watch = LayoutWatch()
    found = run("K7", "K8", "K9")
    watch.add(found)
    watch.add(found)
    assert not watch.add(found[::-1])
    assert watch.adopted is not None
    assert [p.label for p in watch.adopted.placements] == ["K7", "K8", "K9"]


def test_a_correction_holds_while_the_tile_stays_and_is_read_as_it_was() -> None:
    watch = LayoutWatch()
    for _ in range(2):
        watch.add(run("K6", "K8", "K9"))
    watch.correct({0: parse_tile("K7")})
    assert text(watch) == "K7 K8 K9"
    assert watch.adopted is not None
    assert watch.adopted.corrected == {0}
    nudged = run("K6", "K8", "K9", x=104.0)
    assert not watch.add(nudged), "the machine still reads 6 there, and the person's word stands"
    for _ in range(2):
        watch.add(run("K6", "K8", "K9", "K10"))
    assert text(watch) == "K7 K8 K9 K10"
    for _ in range(2):
        watch.add(run("B2", "K8", "K9"))
    assert text(watch) == "B2 K8 K9", "another tile lies there now"


def test_a_correction_outlasts_doubts_that_leave_room_for_it_and_no_others() -> None:
    watch = LayoutWatch()
    rest = run("K8", "K9", x=100 + WIDTH_PX + 1)
    for _ in range(2):
        watch.add([tile("K6", 100.0, other="K7"), *rest])
    watch.correct({0: parse_tile("K7")})
    for _ in range(2):
        watch.add([tile("B7", 100.0, other="K7"), *rest])
    assert text(watch) == "K7 K8 K9", "another doubt, in which it may be what was said"
    for _ in range(2):
        watch.add([tile("B7", 100.0, other="B1"), *rest])
    assert text(watch) == "B7? K8 K9", "it cannot be what was said"


def test_what_was_said_of_a_doubtful_tile_is_no_word_about_what_is_surely_read_there_since() -> (
    None
):
    """In a film a red 7 had been dropped on a red 4 and was found as one body with it, in doubt; people
    said that it is a 7. When it was taken off, the 4 was surely read and told as the 7 that they had
    named."""
    watch = LayoutWatch()
    others = run("B4", "O4", x=300.0)
    for _ in range(2):
        watch.add([tile("R4", 100.0, other="R1"), *others])
    watch.correct({0: parse_tile("R7")})
    assert text(watch).startswith("R7")
    watch.disturb()
    for _ in range(2):
        watch.add([tile("R4", 97.0, 98.0), *others])
    assert text(watch).startswith("R4 ")


def test_a_correction_is_no_word_about_a_doubtful_tile_that_is_laid_nearly_there() -> None:
    watch = LayoutWatch()
    others = run("K8", "K9", x=101 + WIDTH_PX)
    for _ in range(2):
        watch.add([tile("B7", 100.0, other="K7"), *others])
    watch.correct({0: parse_tile("K7")})
    for wandered in (0.0, 0.1):
        for _ in range(2):
            watch.add([tile("B7", 100.0 - wandered * WIDTH_PX, other="K7"), *others])
        assert text(watch) == "K7 K8 K9"
    watch.disturb()
    for _ in range(2):
        watch.add([tile("B7", 100.0 - 0.3 * WIDTH_PX, other="K7"), *others])
    assert "B7?" in text(watch)


def test_a_correction_goes_when_the_tile_goes() -> None:
    watch = LayoutWatch()
    for _ in range(2):
        watch.add(run("K6", "K8", "K9"))
    watch.correct({0: parse_tile("K7")})
    for _ in range(2):
        watch.add(run("K8", "K9", "K10", x=400.0))
    for _ in range(2):
        watch.add(run("K6", "K8", "K9"))
    assert text(watch) == "K6 K8 K9"


def test_what_a_person_says_is_no_tile_is_left_out_while_the_same_is_seen_there() -> None:
    watch = LayoutWatch()
    vein = tile("R4", 400.0, 300.0, other="R1")
    for _ in range(2):
        watch.add([vein, *run("K7", "K8", "K9")])
    assert text(watch) == "K7 K8 K9 | R4?"
    watch.correct({0: None})
    assert text(watch) == "K7 K8 K9"
    assert watch.adopted is not None
    assert watch.adopted.laid_out.placement_indexes == (1, 2, 3)
    assert not watch.add([*run("K7", "K8", "K9"), vein]), "it is still seen, and still no tile"
    watch.correct({0: parse_tile("B7")})
    assert text(watch) == "B7 K8 K9", "another correction leaves the first as it is"
    for _ in range(2):
        watch.add([vein, *run("K7", "K8", "K9", "K10")])
    assert text(watch) == "B7 K8 K9 K10"
    for _ in range(2):
        watch.add([tile("O4", 400.0, 300.0), *run("K7", "K8", "K9", "K10")])
    assert text(watch) == "B7 K8 K9 K10 | O4", "something else is read there now"


def test_that_there_may_be_no_tile_is_news() -> None:
    watch = LayoutWatch()
    unread = tile("K7", 100.0)
    clear = replace(unread, reading=TileReading((), False), face=Face.UNREAD)
    faint = replace(clear, reading=TileReading((), False, may_be_none=True))
    assert [watch.add([seen]) for seen in (clear, clear, faint, faint)] == [
        False,
        True,
        False,
        True,
    ]


def followed(placement: Placement, identity: int, **said: bool) -> Placement:
    """A tile that is known by its place and look to be the one of that number."""
    seen = placement.quad_xy, placement.reading, 1.0, Face.UP
    return FollowedPlacement(*seen, identity, **said)


def test_a_persons_word_goes_with_the_tile_it_is_about_and_not_with_its_place() -> None:
    watch = LayoutWatch()
    six = followed(tile("K6", 100.0), 7)
    for _ in range(2):
        watch.add([six, *run("K8", "K9", x=151.0)])
    watch.correct({0: parse_tile("K7")})
    told = followed(tile("K7", 300.0, 300.0), 7, is_told=True)
    other = followed(tile("K6", 100.0), 8)
    for _ in range(2):
        watch.add([other, *run("K8", "K9", x=151.0), told])
    assert text(watch) == "K6 K8 K9 | K7"
    assert watch.adopted is not None
    assert watch.adopted.corrected == {3}


def test_what_is_no_tile_is_left_out_wherever_it_was_lost_from_sight() -> None:
    watch = LayoutWatch()
    vein = followed(tile("J", 400.0, 300.0), 5, is_denied=True)
    for found in ([], [vein], [vein]):
        watch.add([*run("K7", "K8", "K9"), *found])
    assert text(watch) == "K7 K8 K9"


def test_a_tile_that_was_said_to_be_none_counts_again_when_it_is_no_longer_denied() -> None:
    watch = LayoutWatch()
    ten = tile("B10", 400.0, 300.0)
    for _ in range(2):
        watch.add([*run("K7", "K8", "K9"), followed(ten, 5)])
    watch.correct({3: None})
    for _ in range(2):
        watch.add([*run("K7", "K8", "K9"), followed(ten, 5, is_denied=True)])
    assert text(watch) == "K7 K8 K9"
    for _ in range(2):
        watch.add([*run("K7", "K8", "K9"), followed(ten, 5)])
    assert text(watch) == "K7 K8 K9 | B10"


@pytest.mark.parametrize("is_unfound", [True, False])
def test_only_a_tile_that_nobody_saw_may_be_found_where_a_person_said_that_there_is_none(
    is_unfound: bool,
) -> None:
    """Under a hand it was said to be gone; it is laid back, in doubt and not known to be the same."""
    watch = LayoutWatch()
    hidden = followed(tile("O6", 400.0, 300.0, other="O9"), 5, is_unfound=is_unfound)
    for _ in range(2):
        watch.add([*run("K7", "K8", "K9"), hidden])
    watch.correct({3: None})
    for _ in range(2):
        watch.add([*run("K7", "K8", "K9"), tile("O6", 402.0, 301.0, other="O9")])
    assert text(watch) == ("K7 K8 K9 | O6?" if is_unfound else "K7 K8 K9")


def test_a_tile_that_was_named_is_in_doubt_where_nobody_sees_it_any_more() -> None:
    """In a film of narrow digits a 9 was named before it was followed, and moved to another set. Its old
    place could not be told from one that something covers: the 9 counted there as well, alone."""
    watch = LayoutWatch()
    for _ in range(2):
        watch.add([*run("K7", "K8", "K9"), tile("O9", 400.0, 300.0, other="O3")])
    watch.correct({3: parse_tile("O9")})
    assert text(watch) == "K7 K8 K9 | O9"
    unfound = followed(tile("O9", 401.0, 302.0, other="O3"), 5, is_unfound=True)
    for _ in range(2):
        watch.add([*run("K7", "K8", "K9"), unfound])
    assert text(watch) == "K7 K8 K9 | O9?"


def test_what_lies_on_a_tile_is_in_the_layout_as_soon_as_a_person_says_which_tile_that_is() -> None:
    """Nobody is told LEGAL between that word and the next reading."""
    watch = LayoutWatch()
    unread = TileReading((), sure=False, may_be_none=True)
    upon = FollowedPlacement(
        tile("J", 110.0, 300.0).quad_xy, unread, 0.0, Face.UNREAD, 9, lies_on=parse_tile("K7")
    )
    seven = replace(followed(tile("K7", 100.0, other="K1"), 7), if_told=(parse_tile("K7"), upon))
    for _ in range(2):
        watch.add([seven, *run("K8", "K9", x=151.0)])
    watch.correct({0: parse_tile("K7")})
    assert text(watch) == "K7 K8 K9 | ?"
    seen = watch.adopted
    assert seen is not None
    turn = Turn(Layout(), Layout(), opened=True)
    ruling = judge_reading(TurnReading(seen.laid_out.reading, turn), load_ruleset("sabra"))
    (asked,) = with_what_lies_on(ruling, seen.laid_out, seen.placements).questions
    assert asked.text == (
        "Something lies on the black 7. Which tile is it, or does nothing lie there?"
    )
    with pytest.raises(ValueError, match="the tile below"):
        watch.correct({3: parse_tile("K7")})
    assert text(watch) == "K7 K8 K9 | ?"
    watch.correct({3: None})
    assert text(watch) == "K7 K8 K9"


def test_a_second_correction_takes_the_place_of_the_first() -> None:
    watch = LayoutWatch()
    for _ in range(2):
        watch.add(run("K6", "K8", "K9"))
    watch.correct({0: parse_tile("B7")})
    watch.correct({0: parse_tile("K7")})
    assert not watch.add(run("K6", "K8", "K9"))
    assert text(watch) == "K7 K8 K9"


def test_sets_lie_as_a_person_said_while_they_may() -> None:
    watch = LayoutWatch()
    apart = run("K7", "K8") + run("B1", "B2", "B3", x=100 + 2.45 * WIDTH_PX)
    for _ in range(2):
        watch.add(apart)
    assert watch.adopted is not None
    arrangements = watch.adopted.laid_out.reading.arrangements
    assert len(arrangements) > 1, "a gap of 0.45 widths is in doubt"
    wanted = watch.adopted.laid_out.reading.with_arrangement(1).text()
    watch.lies_as(wanted)
    assert text(watch) == wanted
    assert not watch.add(apart)
    assert text(watch) == wanted
    assert len(watch.adopted.laid_out.reading.arrangements) == 1


def test_nothing_can_be_said_about_a_layout_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no layout"):
        LayoutWatch().correct({0: parse_tile("K7")})
    with pytest.raises(ValueError, match="no layout"):
        LayoutWatch().lies_as("K7 K8 K9")
