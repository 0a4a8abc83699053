"""Does a tile look as it did? The print on it tells, whatever the light does.

What a lamp, a shadow, a highlight and the camera's exposure do to a tile is fitted first: a gain for
each colour, a slope of the light over the tile, a veil that is the same in all colours, and a small
shift of the picture. What is left is another print, or something that lies on it. A veil of one colour
alone is not allowed for: it would turn black ink into blue.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.preprocess import CROP_WH, MARGIN, crop_tiles
from vision.frame import Pixels

Looks = NDArray[np.uint8]
"""(n, 64, 48, 3) BGR: tiles straightened, with a little of what lies round them."""

Counts = NDArray[np.bool_]
"""(n, 64, 48) what of looks is compared."""

LEAST_CONTRAST: Final = 30.0
"""Levels between ink and body under which a look tells nothing: a blank face, a dark picture."""
SAME_PRINT: Final = 0.12
"""What may be left unexplained at any place of a tile, in parts of its contrast. On twenty drawn tables,
in seven kinds of light, none of 2,800 tiles that were exchanged for one of another colour or of the
number most like it came under it; of those that lay still 95 % did in the same light, and 60 to 90 % in
others."""
MOST_SHIFT_PX: Final = 1.5
"""Pixels of a look by which a tile that lies where it lay is seen elsewhere: the camera trembles."""
MOST_OFF_PX: Final = 2.5
"""Pixels by which the middle of a tile may be off where its corners were found anew."""
GAINS: Final = (0.4, 2.5)
"""How much more or less light of one colour there may be."""

BURNT: Final = 248.0
"""Levels from which on a value is that or anything brighter."""

Inner = NDArray[np.bool_]
"""(h, w) what counts of the part of a look that is compared."""

_SOFT_PX: Final = 1.0
_LEAST_WHOLE: Final = 0.2
"""Share of the values that must not be burnt out in either picture."""
_INSET: Final = 0.07
"""Part of a tile's sides that is left out: its rounded edges, and what its neighbours do to them."""
_ROUNDS: Final = 3
_EVERY: Final = 3
"""Every so many values take part in the fit; all of them have to agree with it."""
_ALIGNINGS: Final = 3
_FITTED_SHARE: Final = 0.85
"""Share of the pixels, the best explained ones, that the light is fitted to."""


def looks_of(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> Looks:
    """How the tiles with these corners look in a picture."""
    return crop_tiles(pixels_bgr, quads_xy)


def same_prints(then: Looks, now: Looks, *, moved: bool = False) -> NDArray[np.bool_]:
    """(n,) whether each pair of looks shows the same print.

    Without ``moved`` both were taken with the same corners of a picture, and the tile must not have
    stirred; with it the corners were found twice, and may be a little off. False as well where a look
    shows too little to tell by.
    """
    if not len(then):
        return np.zeros(0, bool)
    left, shifts_px, contrasts = unexplained(then, now, moved=moved)
    return np.asarray(
        (left <= SAME_PRINT) & (contrasts >= LEAST_CONTRAST) & (shifts_px <= MOST_SHIFT_PX)
    )


def tells(look: NDArray[np.uint8]) -> bool:
    """Whether a look (64, 48, 3) shows enough to tell one print from another: not in the dark."""
    return _contrast(np.asarray(cv2.GaussianBlur(look.astype(np.float32), (0, 0), _SOFT_PX))) >= (
        LEAST_CONTRAST
    )


def unexplained(
    then: Looks, now: Looks, *, moved: bool = False, counts: Counts | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """What of each look ``now`` light and a small shift do not explain by the look ``then``.

    The most at any place in parts of the contrast, infinite where the light would have changed too
    much; how many pixels of a look the tile was shifted; and the contrast ``then`` in levels: (n,) each.
    All of it of what ``counts`` (n, 64, 48), at least somewhere in each look; of everything without.
    """
    all_of_it = np.ones(then.shape[:3], bool) if counts is None else counts
    triples = zip(_soft(then), _soft(now), all_of_it[:, _ROWS, _COLUMNS], strict=True)
    found = [_unexplained(a, b, moved, count) for a, b, count in triples]
    left, shifts, contrasts = np.array(found, np.float64).T
    return left, shifts, contrasts


def share_that_counts(counts: Counts) -> NDArray[np.float64]:
    """(n,) how much counts of what is compared of looks (n, 64, 48)."""
    return np.asarray(counts[:, _ROWS, _COLUMNS].mean(axis=(1, 2)), np.float64)


def _soft(looks: Looks) -> list[NDArray[np.float32]]:
    """Each look with its noise softened."""
    return [
        np.asarray(cv2.GaussianBlur(look.astype(np.float32), (0, 0), _SOFT_PX)) for look in looks
    ]


def _inner() -> tuple[slice, slice]:
    """Rows and columns of a look that show the tile without its edges."""
    width, height = CROP_WH
    edge = (MARGIN + _INSET) / (1 + 2 * MARGIN)
    top, left = round(height * edge), round(width * edge)
    return slice(top, height - top), slice(left, width - left)


_ROWS, _COLUMNS = _inner()


def _unexplained(
    then: NDArray[np.float32], now: NDArray[np.float32], moved: bool, counts: Inner
) -> tuple[float, float, float]:
    contrast = _contrast(then, counts)
    if contrast < 1.0:
        return np.inf, 0.0, contrast
    if not moved and (change := _change(then, now, counts)) <= SAME_PRINT * contrast:
        return change / contrast, 0.0, contrast  # the same picture: there is nothing to explain
    if moved:
        then = _aligned(then, now, counts)
    fitted = _fitted(then, now, counts, turned=False)
    if fitted is None:
        return np.inf, 0.0, contrast
    parts, apart = fitted
    gain, shift = float(parts[:3].mean()), float(np.hypot(*parts[_SHIFT]))
    most = _most(apart.reshape(3, *counts.shape).transpose(1, 2, 0) * counts[..., None])
    return most / (contrast * gain), shift / gain, contrast


def _contrast(look: NDArray[np.float32], counts: Inner | None = None) -> float:
    """Levels between ink and body."""
    grey = look[_ROWS, _COLUMNS].mean(axis=2)
    grey = grey if counts is None else grey[counts]
    return float(np.percentile(grey, 98) - np.percentile(grey, 1))


def _change(then: NDArray[np.float32], now: NDArray[np.float32], counts: Inner) -> float:
    return _most(np.abs(then - now)[_ROWS, _COLUMNS] * counts[..., None])


def _most(apart: NDArray[np.floating]) -> float:
    """The most that (h, w, 3) values are apart at any place, in any colour."""
    return float(cv2.blur(np.ascontiguousarray(apart, np.float32), (3, 3)).max())


def _fitted(
    then: NDArray[np.float32], now: NDArray[np.float32], counts: Inner, *, turned: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """How much of each cause there is, and what is left of every value; None where the light would
    have changed too much."""
    causes = _causes(then, turned)
    before, after = (
        look[_ROWS, _COLUMNS].transpose(2, 0, 1).ravel().astype(np.float64) for look in (then, now)
    )
    thin = (before < BURNT) & (after < BURNT) & np.tile(counts.ravel(), 3)
    thin[np.arange(len(thin)) % _EVERY > 0] = False
    if thin.sum() * _EVERY < _LEAST_WHOLE * 3 * counts.sum():
        return None
    known, wanted = causes[thin], after[thin]
    kept, ridge = np.ones(len(wanted), bool), _FIRM * np.eye(causes.shape[1])
    as_it_was = (np.arange(causes.shape[1]) < 3).astype(np.float64)
    parts = as_it_was
    for _ in range(_ROUNDS):
        square = known[kept].T @ known[kept] + ridge
        sides = known[kept].T @ wanted[kept] + ridge @ as_it_was
        parts = np.asarray(np.linalg.solve(square, sides), np.float64)
        apart = np.abs(wanted - known @ parts)
        kept = apart <= np.quantile(apart, _FITTED_SHARE)
    if parts[:3].min() < GAINS[0] or parts[:3].max() > GAINS[1]:
        return None
    left = after - causes @ parts
    # What is burnt out was at least so bright, and says no more than that.
    left = np.where(after >= BURNT, np.maximum(left, 0.0), left)
    return parts, np.abs(np.where(before >= BURNT, np.minimum(left, 0.0), left))


def _aligned(
    then: NDArray[np.float32], now: NDArray[np.float32], counts: Inner
) -> NDArray[np.float32]:
    """The look ``then`` turned, stretched and shifted a little onto the look ``now``."""
    height, width = then.shape[:2]
    rows, columns = _ROWS.stop - _ROWS.start, _COLUMNS.stop - _COLUMNS.start
    middle = np.array(
        [(_COLUMNS.start + _COLUMNS.stop - 1) / 2, (_ROWS.start + _ROWS.stop - 1) / 2]
    )
    whole = np.eye(3)
    seen = then
    for _ in range(_ALIGNINGS):
        fitted = _fitted(seen, now, counts, turned=True)
        if fitted is None:
            return then
        gain = fitted[0][:3].mean()
        shift_x, shift_y, x_by_x, x_by_y, y_by_x, y_by_y = fitted[0][8:14] / gain
        linear = np.array([[x_by_x, x_by_y], [y_by_x, y_by_y]]) / np.array([columns, rows]) * 2
        step = np.eye(3)
        step[:2, :2] += linear
        step[:2, 2] = np.array([shift_x, shift_y]) - linear @ middle
        whole = step @ whole
        if np.abs(whole @ [*middle, 1.0] - [*middle, 1.0]).max() > MOST_OFF_PX:
            return then
        seen = np.asarray(
            cv2.warpAffine(then, whole[:2], (width, height), borderMode=cv2.BORDER_REPLICATE),
            np.float32,
        )
    return seen


def _causes(then: NDArray[np.float32], turned: bool) -> NDArray[np.float64]:
    """(3 h w, 10 or 14) what may have become of each value: gains of three colours, slopes of the
    light across and down, a veil with its slopes, a shift across and down; and, where the corners were
    found anew, that they were turned or stretched."""
    inner = then[_ROWS, _COLUMNS].transpose(2, 0, 1).astype(np.float64)
    dx, dy = (
        -np.asarray(np.gradient(then, axis=axis), np.float64)[_ROWS, _COLUMNS].transpose(2, 0, 1)
        for axis in (1, 0)
    )
    _, height, width = inner.shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    x, y = np.broadcast_to(x, inner.shape), np.broadcast_to(y, inner.shape)
    columns: list[NDArray[np.float64]] = [
        np.where(np.arange(3)[:, None, None] == c, inner, 0.0) for c in range(3)
    ]
    columns += [x * inner, y * inner, np.full_like(inner, 100.0), 100.0 * x, 100.0 * y, dx, dy]
    if turned:
        columns += [x * dx, y * dx, x * dy, y * dy]
    return np.stack([column.ravel() for column in columns], axis=1)


_SHIFT: Final = slice(8, 10)
"""Where the causes are shifts."""
_FIRM: Final = 1e-1
"""Keeps the fit definite where a look has no edges to tell a shift by, and the light of a colour that is
burnt out all over as it was: such a one says nothing of it. Of 2,304 drawn tiles that lay still in six
lights, four of them as bright, and were found anew, 2,115 look the same so, where it was 1,336; of 2,178
that were exchanged for another three, black for the blue of one set, as before."""
