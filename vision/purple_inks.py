"""A purple suit is the fourth one.

The fourth suit is orange, yellow or green to the readers. A purple one they take for blue or for red, as
surely as any, and the red beside it for orange then. But how paints swallow light is no matter of
comparison: purple swallows green most, more of it than of blue by far, and some red; red swallows green
and blue alike, crimson no red to speak of, orange blue most, and blue paint red. So where several
numbers of a picture are purple, they are the fourth suit, and what was read as the fourth one and is not
purple is of another: of the reds, where it lets red light pass, else rather of the blues. All of that is
asked about, but where a picture shows all of the other suits as well: where numbers that are blue paint
and others that are red paint lie beside clear purple ones, and nothing but more of that red was read as
the fourth suit, there is no other suit for these to be of, and none but red for those. Red is what was
read so, or swallows green and blue alike, whatever it was read as: beside purple it may all be orange.

Of 5,680 other numbers in 265 pictures, drawn and traced, one is so, of 64 purple ones 60.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, NUMBERS
from models.tile_reader import Readings
from vision.frame import Pixels
from vision.paints import BLUE, GREEN, RED, densities, proportions

MORE_THAN_BLUE, MORE_THAN_RED = 0.3, 0.2
"""How much more green than blue, and than red, purple swallows, as parts of all that it does. The blues
of pale wood and in glare come under the first with too little of the second."""
SOME_RED: Final = 0.25
"""Part of all that it swallows which is red, at least: crimson swallows as much more green than blue,
and next to no red."""
LEAST_INK: Final = 0.25
"""Of less density nothing is told."""
FEWEST: Final = 3
"""So many numbers of a picture have to be purple."""
ALIKE_IN_RED: Final = 0.15
"""How much more green than blue a plain red swallows at most, and how much more blue; oranges and
yellows more."""
FEWEST_REDS: Final = 2
"""So many plain reds show that a magenta beside them is another suit."""
SAMPLE: Final = 8
"""Where none of so many of each suit that was read is purple, the others are not looked at."""
OF_RED: Final = 0.4
"""What is not purple swallows less red than this if it is red or orange: reds 0.33 at most."""
NEAR_PURPLE: Final = 0.3
"""How far from the purple ones, as unit vectors, one lies at most that a veil of light makes look less
so: blues and reds are twice as far from them, and two numbers that hardly showed were 0.17 off."""
ALIKE: Final = 0.15
"""How far from the others, as unit vectors, a clear purple number lies at most..."""
CLEAR_INK: Final = 0.8
"""...and the least density of one."""
BLUER: Final = 0.15
"""How much more green than blue a blue swallows, as parts of all that it does, which is no teal."""
LETS_BLUE_PASS, DENSE_INK = 0.3, 1.0
"""What one blue number alone swallows of blue at most, and at least of all light: black ink that mirrors
the sky swallows a third of what it does in blue, or little."""
ONE_INK: Final = 0.1
"""How far from the reds a number lies at most that is of their ink, though it was read as the fourth
suit."""
SURELY: Final = 0.9995
"""How likely each is of its suit where the others are seen as well."""
RATHER: Final = 0.6
"""How likely each is of the suit that it rather is of."""

K_SUIT, B_SUIT, R_SUIT, FOURTH = (COLOURS.index(colour) for colour in "KBRO")


def with_purple_inks(
    readings: Readings, quads_xy: NDArray[np.float32], pixels_bgr: Pixels
) -> Readings:
    """What the reader says of quads (n, 4, 2) of one picture (H, W, 3), with the suits of those numbers
    in doubt that are purple and were read as another than the fourth, or not purple and read as that.
    """
    is_number = readings.classes[:, : len(NUMBERS)].sum(axis=1) >= 0.5
    suits = np.where(is_number, readings.colours.argmax(axis=1), K_SUIT)
    here = np.flatnonzero(suits != K_SUIT)
    looked_at = np.concatenate(
        [here[suits[here] == suit][:SAMPLE] for suit in (B_SUIT, R_SUIT, FOURTH)]
    )
    if len(here) < FEWEST or not _may_be_purple(*_paint(pixels_bgr, quads_xy[looked_at])).any():
        return readings
    swallowed, paint = _paint(pixels_bgr, quads_xy[here])
    is_purple = _are_purple(swallowed, paint)
    is_purple |= _are_magenta_beside_red(swallowed, paint)
    if is_purple.sum() < FEWEST:
        return readings
    is_purple |= _are_veiled_purple(paint, suits[here], is_purple)
    is_fourth = suits[here] == FOURTH
    is_red = paint[:, RED] < OF_RED
    colours = readings.colours.copy()
    _rather(colours, here[is_purple & ~is_fourth], FOURTH)
    _rather(colours, here[~is_purple & is_fourth & is_red], R_SUIT)
    _rather(colours, here[~is_purple & is_fourth & ~is_red], B_SUIT)
    warm = is_red & ~is_purple & (suits[here] != B_SUIT)
    blues = (suits[here] == B_SUIT) & ~is_purple
    others = is_fourth & ~is_purple & ~warm
    plain = np.abs(paint[:, GREEN] - paint[:, BLUE]) < ALIKE_IN_RED
    reds = warm & (~is_fourth | plain)
    if reds.sum() >= FEWEST and not others.any() and _are_seen_blues(swallowed[blues]):
        is_clear = np.linalg.norm(swallowed, axis=1) >= CLEAR_INK
        like_red = _off(paint, paint[reds]) < ONE_INK
        if like_red[warm & is_fourth].all():
            like_purple = _off(paint, paint[is_purple]) < ALIKE
            _rather(colours, here[is_purple & is_clear & like_purple], FOURTH, SURELY)
            _rather(colours, here[warm & is_clear & like_red], R_SUIT, SURELY)
    return replace(readings, colours=colours)


def _paint(
    pixels_bgr: Pixels, quads_xy: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    swallowed = densities(pixels_bgr, quads_xy)
    return swallowed, proportions(swallowed)


def _are_purple(swallowed: NDArray[np.float64], paint: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) which of these densities (n, 3), and proportions (n, 3) of them, are of purple."""
    return np.asarray(
        (paint[:, GREEN] - paint[:, BLUE] >= MORE_THAN_BLUE)
        & (paint[:, GREEN] - paint[:, RED] >= MORE_THAN_RED)
        & (paint[:, RED] >= SOME_RED)
        & (np.linalg.norm(swallowed, axis=1) >= LEAST_INK)
    )


def _may_be_purple(swallowed: NDArray[np.float64], paint: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) which of them are purple, or magenta."""
    return _are_purple(swallowed, paint) | _are_magenta(swallowed, paint)


def _are_magenta(swallowed: NDArray[np.float64], paint: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) which of them swallow green most by far, and little else, as crimson does too; what the sky
    has veiled does not count."""
    return np.asarray(
        (paint[:, GREEN] - paint[:, BLUE] >= MORE_THAN_BLUE)
        & (paint[:, RED] < OF_RED)
        & (np.linalg.norm(swallowed, axis=1) >= CLEAR_INK)
    )


def _are_magenta_beside_red(
    swallowed: NDArray[np.float64], paint: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """(n,) which of them are magenta, where others are of a red that swallows green and blue alike, and
    none is an orange or a yellow: crimson is the red of its set, and no set has two."""
    more_green = paint[:, GREEN] - paint[:, BLUE]
    lets_red_pass = (paint[:, RED] < OF_RED) & (np.linalg.norm(swallowed, axis=1) >= LEAST_INK)
    is_magenta = _are_magenta(swallowed, paint)
    reds = lets_red_pass & (np.abs(more_green) < ALIKE_IN_RED)
    oranges = lets_red_pass & (more_green <= -ALIKE_IN_RED)
    if is_magenta.sum() < FEWEST or reds.sum() < FEWEST_REDS or oranges.any():
        return np.zeros_like(is_magenta)
    return is_magenta


def _are_veiled_purple(
    paint: NDArray[np.float64], suits: NDArray[np.intp], is_purple: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(n,) which numbers read as blue or red, of such proportions (n, 3), swallow light more as the
    purple ones do than as the others of their suit."""
    are_veiled = np.zeros_like(is_purple)
    purple = np.median(paint[is_purple], axis=0)
    for suit in (B_SUIT, R_SUIT):
        of_suit = (suits == suit) & ~is_purple
        if of_suit.sum() < FEWEST:
            continue
        own = np.median(paint[of_suit], axis=0)
        to_purple, to_own = (np.linalg.norm(paint - ink, axis=1) for ink in (purple, own))
        are_veiled |= of_suit & (to_purple < to_own) & (to_purple < NEAR_PURPLE)
    return are_veiled


def _off(paint: NDArray[np.float64], one_ink: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) how far proportions (n, 3) lie from the middle of those of one ink (m, 3)."""
    return np.asarray(np.linalg.norm(paint - np.median(one_ink, axis=0), axis=1))


def _are_seen_blues(swallowed: NDArray[np.float64]) -> bool:
    """Whether enough of the numbers that were read as blue, of such densities (n, 3), are of paint that
    swallows red most and blue least, or one is that no light on a black one looks like. A teal, which
    lets green pass as well, may be the fourth suit beside a purple blue."""
    paint = proportions(swallowed)
    no_teal = paint[:, GREEN] - paint[:, BLUE] >= BLUER
    are_blue = (paint.argmax(axis=1) == RED) & no_teal
    is_vivid = are_blue & (paint[:, BLUE] <= LETS_BLUE_PASS)
    is_vivid &= np.linalg.norm(swallowed, axis=1) >= DENSE_INK
    return bool(are_blue.sum() >= FEWEST or is_vivid.any())


def _rather(
    colours: NDArray[np.float32], which: NDArray[np.intp], suit: int, by: float = RATHER
) -> None:
    """Makes those of the colours (n, 4) rather that suit's, ``by`` so much."""
    colours[which] *= 1 - by
    colours[which, suit] += by
