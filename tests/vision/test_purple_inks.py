"""A purple suit is the fourth one, whatever it was read as."""

from __future__ import annotations

import numpy as np
import pytest

from models.classes import COLOURS
from tests.vision.inked_tiles import WHITE_BODY, picture, places, said
from vision.frame import Pixels
from vision.paints import densities, proportions
from vision.purple_inks import FEWEST, LEAST_INK, with_purple_inks

PURPLE, TURQUOISE, BLUE = (160, 60, 120), (180, 150, 40), (190, 80, 30)
RED, ROSE, BLACK, ORANGE = (40, 40, 200), (90, 70, 225), (35, 30, 30), (30, 130, 235)
Ink = tuple[int, int, int]


def drawn(*inks: Ink) -> Pixels:
    return picture(list(inks), WHITE_BODY)


def told(colours: str, *inks: Ink) -> str:
    """The likeliest suit of each then, in small letters where it is in doubt."""
    readings = said(colours, 0.93)
    after = with_purple_inks(readings, places(len(colours)), drawn(*inks)).colours
    assert after.sum(axis=1) == pytest.approx(np.ones(len(colours)))
    words = [COLOURS[k] for k in after.argmax(axis=1)]
    return "".join(
        word if chances.max() > 0.99 else word.lower()
        for word, chances in zip(words, after, strict=True)
    )


def test_purple_that_was_read_as_blue_is_rather_the_fourth_suit() -> None:
    assert told("BBBBBRK", PURPLE, BLUE, PURPLE, BLUE, PURPLE, RED, BLACK) == "oBoBoRK"


def test_purple_and_red_that_changed_places_are_both_in_doubt() -> None:
    inks = PURPLE, RED, PURPLE, ROSE, PURPLE, TURQUOISE, BLACK
    assert told("RORORBK", *inks) == "ororoBK"


def test_where_they_changed_places_altogether_a_plain_red_tells_that_it_is_one() -> None:
    others = [BLUE] * 3 + [BLACK]
    assert told("RRRR" + "OOO" + "BBBK", *[PURPLE] * 4, *[RED] * 3, *others) == "OOOORRRBBBK"
    assert told("RRRR" + "OOO" + "BBBK", *[PURPLE] * 4, *[ORANGE] * 3, *others) == "oooorrrBBBK"


def test_teal_that_was_read_as_the_fourth_suit_beside_purple_is_rather_the_blue_one() -> None:
    assert told("BOBOBRK", PURPLE, TURQUOISE, PURPLE, TURQUOISE, PURPLE, RED, BLACK) == "oboboRK"


def test_where_purple_was_read_as_the_fourth_suit_nothing_is_in_doubt() -> None:
    assert told("OOOBRK", PURPLE, PURPLE, PURPLE, BLUE, RED, BLACK) == "OOOBRK"


def test_where_the_other_suits_are_seen_purple_is_surely_the_fourth() -> None:
    inks = [PURPLE] * 4 + [BLUE] * 3 + [RED, ROSE, RED, BLACK]
    assert told("BRBO" + "BBB" + "RRRK", *inks) == "OOOOBBBRRRK"
    teal = [PURPLE] * 4 + [TURQUOISE] * 3 + [RED, ROSE, RED, BLACK]
    assert told("BRBO" + "BBB" + "RRRK", *teal) == "oooOBBBRRRK", "its blue may be the purple"


def test_one_blue_number_tells_where_no_light_on_black_looks_like_it() -> None:
    inks = [PURPLE] * 4 + [BLUE] + [RED, RED, RED, BLACK]
    assert told("BRBO" + "B" + "RRRK", *inks) == "OOOOBRRRK"
    veiled = [PURPLE] * 4 + [(150, 110, 85)] + [RED, RED, RED, BLACK]
    assert told("BRBO" + "B" + "RRRK", *veiled) == "oooOBRRRK", "black may mirror the sky so"


def test_reds_that_were_read_as_the_fourth_suit_are_reds_where_pink_is_that() -> None:
    pink: Ink = (150, 75, 220)
    inks = [pink] * 4 + [BLUE] * 3 + [RED] * 5 + [BLACK]
    assert told("RRRR" + "BBB" + "RRROO" + "K", *inks) == "OOOO" + "BBB" + "RRRRR" + "K"
    vermilion = [pink] * 4 + [BLUE] * 3 + [RED] * 3 + [(30, 70, 220)] * 2 + [BLACK]
    as_read = "RRRR" + "BBB" + "RRROO" + "K"
    assert told(as_read, *vermilion) == as_read, "an orange is another suit than the reds"


def test_where_another_ink_is_of_the_fourth_suit_too_all_of_it_is_in_doubt() -> None:
    """Purple may be that maker's blue."""
    inks = [PURPLE] * 3 + [BLUE, TURQUOISE, BLUE] + [RED, ROSE, RED, ORANGE]
    assert told("BBB" + "BBB" + "RRRO", *inks) == "oooBBBRRRr"


def test_a_veiled_purple_among_clear_ones_is_in_doubt_and_a_veiled_blue_is_none() -> None:
    """The veil of a warm window, through which half of the ink shows."""
    veil = np.array((215, 235, 240))
    faint, faint_blue = (
        tuple(int(v) for v in 0.5 * np.array(ink) + 0.5 * veil) for ink in ((150, 75, 105), BLUE)
    )
    inks = [PURPLE] * 3 + [faint] + [BLUE, BLUE, BLUE, faint_blue] + [RED, ROSE, RED, BLACK]
    found = proportions(densities(drawn(*inks), places(len(inks))))  # type: ignore[arg-type]
    assert told("BBB" + "B" + "BBBB" + "RRRK", *inks) == "OOO" + "o" + "BBBB" + "RRRK", found


@pytest.mark.parametrize("fourth", [ORANGE, (20, 190, 220), (70, 140, 40)])
def test_orange_yellow_and_green_stay(fourth: Ink) -> None:
    assert told("OOOBRKBR", *[fourth] * 3, BLUE, RED, BLACK, TURQUOISE, ROSE) == "OOOBRKBR"


@pytest.mark.parametrize("red", [(60, 20, 180), (95, 30, 215), RED, ROSE])
def test_crimson_and_rose_are_reds(red: Ink) -> None:
    assert told("RRRROOBK", *[red] * 4, ORANGE, ORANGE, BLUE, BLACK) == "RRRROOBK"


MAGENTA: Ink = (130, 30, 200)


def test_magenta_beside_a_plain_red_is_rather_the_fourth_suit() -> None:
    """It is read as red, and the red beside it as orange."""
    inks = [MAGENTA] * 4 + [RED] * 2 + [BLUE, BLACK]
    assert told("RRRROOBK", *inks) == "oooorrBK"
    inks = [MAGENTA] * 4 + [RED] * 3 + [BLUE] * 3 + [BLACK]
    assert told("RRRRRRRBBBK", *inks) == "OOOORRRBBBK", "all other suits are seen"


def test_magenta_is_the_red_of_its_set_where_no_other_is_seen() -> None:
    assert told("RRRRBBBK", *[MAGENTA] * 4, *[BLUE] * 3, BLACK) == "RRRRBBBK"
    with_orange = [MAGENTA] * 4 + [ORANGE] * 2 + [RED] * 2
    assert told("RRRROORR", *with_orange) == "RRRROORR", "what mirrors a lamp may be one of them"


def test_of_fewer_purple_numbers_nothing_is_told() -> None:
    few = FEWEST - 1
    assert told("B" * few + "RKB", *[PURPLE] * few, RED, BLACK, BLUE) == "B" * few + "RKB"


def test_thin_and_veiled_ink_has_the_same_proportion() -> None:
    body, paint = np.array(WHITE_BODY, float), np.array(PURPLE, float)
    inks = [tuple(int(v) for v in (1 - part) * paint + part * body) for part in (0.0, 0.3, 0.55)]
    found = proportions(densities(drawn(*inks), places(3)))  # type: ignore[arg-type]
    assert np.abs(found - found[0]).max() < 0.12
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(3))


def test_light_ink_on_a_dark_tile_swallows_nothing() -> None:
    found = densities(picture([(200, 150, 230)] * 2), places(2))
    assert (np.linalg.norm(found, axis=1) < LEAST_INK).all()
