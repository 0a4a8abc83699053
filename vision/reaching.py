"""Does something reach in over the table? A hand that lies still hides tiles as one that moves does.

An arm comes from somewhere: what changed since the table was last seen free hangs together with the
border of the picture, reaches far in, and has a sharp outline. Tiles that were laid or taken away do
not touch the border, racks that were pushed lie along it, if askew, or look as they did beside where
they lay, and the light of a lamp or the shadow of a head ends softly, but where it falls on things that
have sharp sides of their own, or hangs together with a rack that was pushed. Where tiles do touch the
border, whoever reads them can say so, now or before they were taken away; what was taken away there
leaves an outline that only the picture before has. An arm in a sleeve of the table's colour begins at
the wrist: what lies over tiles that were read is told wherever it comes from. All pictures here are
small ones, about 160 pixels wide, as `vision.settling` makes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

CHANGE: Final = 16.0
"""Levels of one colour by which a pixel has changed: skin and wood can be equally bright."""
FAR_IN: Final = 0.12
"""Parts of the picture's shorter side from the border that an arm reaches, and a rack does not."""
ASKEW: Final = 25.0
"""Degrees by which a rack at most is turned against the border that it lies along. Arms come in at 45
and more, from whoever sits there."""
TIMES_AS_LONG: Final = 2.0
"""A rack is at least so many times as long as it is wide, the place it was pushed from included."""
MOST_SHARE: Final = 0.5
"""Share of the picture that changed above which it is no arm, but the light or the camera."""
LEAST_SHARE: Final = 0.008
"""Share of the picture that an arm covers at least: 150 of 160 x 120 pixels."""
LEAST_THING: Final = 0.001
"""...and a fingertip, or another thing that an arm may go on in: 19 of those pixels."""
SHARP: Final = 0.06
"""Change of the light's logarithm from pixel to pixel at a sharp outline: a fifth of the light within
three pixels. A shadow's edge rises by 0.005 to 0.03."""
SHARP_LEVELS: Final = 7.0
"""The same in levels of one colour, which a sharp outline has as well: what a lamp's highlight adds is
much beside the light of a dark table, but at its rim it hardly rises by more."""
NOISES: Final = 3.0
"""What is sharp rises by so many times what noise makes of the picture beside it: in the dark that is
more than `SHARP`."""
OWN_EDGE: Final = 0.1
"""A step in the picture itself, then and now, from which on something that lay there has an outline of
its own: a rack, or a tile, in a shadow."""
LEAST_OUTLINE: Final = 0.05
"""Share of an outline that has to be left beside those, for anything to be said."""
LEAST_TOLD, FARTHER = 0.25, 2.0
"""Share of it that is to be left near the border: where less is it is looked so many times as far in."""
SHARP_SHARE: Final = 0.2
"""Share of an arm's outline that is sharp and there now at least; the rest may be of the table's
colour, or lie in the arm's shadow. With it and `SHARP_LEVELS`, looking near the border alone, 102 of
1,082 drawn hands that lie over tiles are not seen, 41 of them in the shadow of a head; of 576 highlights
one passes for an arm."""
SHARP_DEPTH: Final = 0.5
"""Share of `FAR_IN` at which, or farther in, it is sharp somewhere."""
BARE_TO, BARE_TOLD, BARE_SHARE, LEAST_BARE = 3.0, 0.6, 0.5, 40
"""How many times as far in an arm is looked for whose sleeve hardly shows; shares of that outline that
are told, and of these sharp; and pixels that are. Of the 111 comparisons with a hand below ten more tell
of it by this, each with 0.52 or more of what is told, and none of the 358 without one; from 0.38 on six
of these would."""
OLD_STEP: Final = 0.5
"""A step in the picture that is now less than this part of what it was belongs to what lay there, as
the outline of a column of tiles that was taken away."""
ANOTHER_COLOUR: Final = 0.35
"""Difference of two colours' logarithms from which on it was no shadow that fell there. Of 1,106
comparisons of four filmed games with a hand in the picture 148 did not tell of it without this and 133
do not with it; of 358 without a hand two tell of one either way (see `BESIDE_SHARP`)."""
MUCH_LIGHTER: Final = 0.5
"""...and by how much every colour has to be lighter there for that: by two thirds. What ends a shadow is
seldom as much, and a lamp's highlight ends softly."""
BESIDE_GLOW, GLOWS = (1, 3), 0.12
"""Pixels beside a part between which it is lighter than before, by so much as a logarithm, where that is
the image of a lamp."""
END_PX: Final = 2
"""Pixels from where a thing is nearest to the border, whose colour it is followed by if it may go on
there unseen. Of those comparisons with a hand 111 do not tell of it since, of those without one none
does."""
TAKEN_SHARE: Final = 0.9
"""Share of what changed that lies where tiles lay, from which on they may have been taken away: an arm
is wider than a row of tiles, but on a table of its own colour it shows over the tiles alone."""
TOUCHED: Final = 0.25
"""Share of a tile's place that has changed from which on it counts..."""
WHOLLY: Final = 0.6
"""...and which it has to reach then: tiles are taken whole, an arm's outline cuts through some."""
TILE_RIM: Final = 2
"""Pixels around a tile that its side and its shadow take."""
MOST_PUSH: Final = 10
"""Pixels by which a rack is pushed at most: four centimetres or more."""
PUSHED_SHARE: Final = 0.6
"""Share of what changed that a push explains, from which on it was one. Drawn racks had 0.70 or more,
but for one beside a highlight, with 0.5; of 100 pictures of drawn hands 99 had less than 0.48."""
BESIDE_SHARP: Final = 3
"""Pixels around what is sharp that are looked at to say whether it was pushed. Where all of an outline
is left out that was, none of those 973 hands is lost, and neither of the two is told of any more."""
LARGEST_RACK: Final = 0.15
"""Share of the picture that a rack and the place that it left cover at most, twice what one needs."""
LEAST_SHIFT, MOST_SHIFT = 0.25, 10.0
"""Pixels by which a camera that was pushed shows the table elsewhere. It turns by little beside."""


def reaches_in(
    before: Pixels, after: Pixels, tiles: Pixels | None = None, lay: Pixels | None = None
) -> bool:
    """Whether something reaches in ``after`` that did not ``before``; ``tiles`` (h, w) has the number of
    each tile that lies there now, from 1, and ``lay`` (h, w) of each that lay there before."""
    aligned, changed, tiles = _unexplained(before, after, tiles)
    if not changed.any() or changed.mean() > MOST_SHARE:
        return False
    steps = _steps_of_light(aligned, after, changed, tiles)
    inwards = _inwards(changed.shape)
    far = FAR_IN * min(changed.shape)
    return any(
        comes_from_outside(part, after)
        and not _lies_along_border(part, far)
        and _is_sharp(part, steps, inwards, far)
        and not _was_taken(part, lay)
        and not _was_pushed(before, after, part)
        and _is_sharp(part, _beside_pushes(before, after, part, steps), inwards, far)
        for mask in (changed, changed & _of_another_colour(aligned, after))
        for part in parts_of(mask)
    )


def is_as_before(before: Pixels, after: Pixels) -> bool:
    """Whether nothing is new that is as large as an arm."""
    return bool(_changed(before, after).mean() < LEAST_SHARE)


def things_beside(before: Pixels, after: Pixels, tiles: Pixels, lay: Pixels | None) -> Pixels:
    """(h, w) 1 where something new may lie that is none of the ``tiles`` (h, w) read now, by their
    numbers from 1, nor a place that one of those left which ``lay`` there before."""
    aligned, changed, laid = _unexplained(before, after, tiles)
    steps = _steps_of_light(aligned, after, changed, laid)
    things = np.zeros(after.shape[:2], np.uint8)
    for part in parts_of(changed, LEAST_THING):
        is_thing = part.mean() >= LEAST_SHARE or _has_sharp_sides(part, steps)
        if is_thing and not _was_taken(part, lay):
            things[part] = 1
    return things


def lies_over(
    before: Pixels, after: Pixels, tiles: Pixels, lay: Pixels | None, zone: Pixels
) -> bool:
    """Whether something of another colour lies in the ``zone`` that did not ``before``."""
    aligned, changed, laid = _unexplained(before, after, tiles)
    if not LEAST_SHARE <= changed.mean() <= MOST_SHARE:
        return False
    steps = _steps_of_light(aligned, after, changed, laid)
    lighter = _lighter_by(aligned, after).mean(axis=2)
    return any(
        bool((part & (zone > 0)).any())
        and _has_sharp_sides(part, steps)
        and not _is_glow(part, lighter, steps)
        and not _was_taken(part, lay)
        and not _was_pushed(before, after, part)
        for mask in (_of_another_colour(aligned, after), _much_lighter(aligned, after))
        for part in parts_of(changed & mask)
    )


def _much_lighter(before: Pixels, after: Pixels) -> Pixels:
    """Where there is more light of every colour than a picture had, beside the light as a whole, 1 or 0:
    (h, w). Skin and wood can be of one colour."""
    lighter = (_lighter_by(before, after).min(axis=2) > MUCH_LIGHTER).astype(np.uint8)
    return np.asarray(
        cv2.morphologyEx(lighter, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8
    )


def _lighter_by(before: Pixels, after: Pixels) -> NDArray[np.float32]:
    """(h, w, 3) by how much more light of each colour there is, as a logarithm, beside the light as a
    whole."""
    was, now = (np.log(picture.astype(np.float32) + 4.0) for picture in (before, after))
    return np.asarray(now - was - np.median(now - was, axis=(0, 1)), np.float32)


def _is_glow(
    part: NDArray[np.bool_], lighter: NDArray[np.float32], steps: NDArray[np.float32]
) -> bool:
    """Whether a part is of the image of a lamp: what lies a little beside it, and is no tile by the
    ``steps`` (h, w), is ``lighter`` (h, w) as well. On a dark table a small bright one rises as fast as
    an outline does, but begins farther out."""
    mask = part.astype(np.uint8)
    near, far = (cv2.dilate(mask, np.ones((2 * px + 1,) * 2, np.uint8)) for px in BESIDE_GLOW)
    beside = lighter[(far > near) & np.isfinite(steps)]
    return len(beside) > 0 and bool(np.median(beside) > GLOWS)


def _unexplained(
    before: Pixels, after: Pixels, tiles: Pixels | None
) -> tuple[Pixels, Pixels, Pixels | None]:
    """The picture before as the camera shows it now; (h, w) 1 where it changed and no tile was laid; and
    where tiles were laid, if it is known which ``tiles`` lie there.

    The shadow of a head can pass for a push of the camera: the better explanation is taken.
    """
    aligned, changed = min(
        ((known, _changed(known, after)) for known in (before, _aligned(before, after))),
        key=lambda pair: float(pair[1].mean()),
    )
    if tiles is not None:
        tiles = _laid(tiles, changed)
        changed = np.where(tiles > 0, 0, changed).astype(np.uint8)
    return aligned, changed, tiles


def parts_of(mask: Pixels, least_share: float = LEAST_SHARE) -> Iterator[NDArray[np.bool_]]:
    """(h, w) each of what hangs together in it and is large enough, for an arm if nothing is said."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] >= least_share * mask.size:
            yield labels == label


def _of_another_colour(before: Pixels, after: Pixels) -> Pixels:
    """Where the light of one colour changed otherwise than that of another, 1 or 0: (h, w).

    A shadow takes as much of all of them. What casts it, and hangs together with it, does not, unless
    it is as grey as the table.
    """
    change = _lighter_by(before, after)
    other = (np.ptp(change, axis=2) > ANOTHER_COLOUR).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _changed(before: Pixels, after: Pixels) -> Pixels:
    """Where the picture changed beside the light as a whole, 1 or 0: (h, w)."""
    difference = [beside_light(before[..., c], after[..., c]) for c in range(3)]
    changed = (np.abs(difference).max(axis=0) > CHANGE).astype(np.uint8)
    opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(opened, np.uint8)


def _aligned(before: Pixels, after: Pixels) -> Pixels:
    """The picture before, moved as the camera was: what stands still in both says how."""
    was, now = (
        np.asarray(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), np.float32) for p in (before, after)
    )
    window = cv2.createHanningWindow(was.shape[::-1], cv2.CV_32F)
    (x, y), _ = cv2.phaseCorrelate(was, now, window)
    if not LEAST_SHIFT < np.hypot(x, y) < MOST_SHIFT:
        return before
    return _moved(before, x, y)


def beside_light(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What changed in one colour (h, w) beside its light as a whole, in levels."""
    was, now = before.astype(np.float32), after.astype(np.float32)
    return np.asarray(now - np.median((now + 1.0) / (was + 1.0)) * was, np.float32)


def _inwards(shape: tuple[int, ...]) -> NDArray[np.int32]:
    """Pixels from each pixel to the nearest border."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    nearest = np.minimum(np.minimum(y, shape[0] - 1 - y), np.minimum(x, shape[1] - 1 - x))
    return np.asarray(nearest, np.int32)


def comes_from_outside(part: NDArray[np.bool_], after: Pixels) -> bool:
    """Whether a part (h, w) of a picture reaches from the border far in; or from a rack at the border,
    which looks as a sleeve of its colour does that lies over it."""
    inwards, far = _inwards(part.shape), FAR_IN * min(part.shape)
    distances = inwards[part]
    if distances.max() < far:
        return False
    nearest = int(distances.min())
    if nearest <= 1 or nearest > far:
        return nearest <= 1
    end = part & (inwards <= nearest + END_PX)
    colour = np.median(after[end], axis=0)
    like = (np.abs(after - colour).max(axis=2) <= CHANGE) & (inwards <= nearest)
    _, labels = cv2.connectedComponents((like | end).astype(np.uint8), connectivity=8)
    joined = np.isin(labels, np.unique(labels[end]))
    return bool(inwards[joined].min() <= 1)


def _lies_along_border(part: NDArray[np.bool_], far: float) -> bool:
    """Whether it would not reach ``far`` in if it were not askew: a slim thing, beside the border that
    it touches. What touches two borders may be an arm that comes in from one, along the other."""
    points = np.argwhere(part)[:, ::-1].astype(np.float32)
    box = cv2.boxPoints(cv2.minAreaRect(points))
    sides = sorted((box[1] - box[0], box[2] - box[1]), key=lambda side: float(np.hypot(*side)))
    (slim, length), along = (float(np.hypot(*side)) for side in sides), np.abs(sides[1])
    if slim >= far or length < TIMES_AS_LONG * slim:
        return False
    across, down = bool(part[[0, 1, -2, -1]].any()), bool(part[:, [0, 1, -2, -1]].any())
    if across == down:
        return False
    turned = np.degrees(np.arctan2(along[1], along[0]) if across else np.arctan2(*along))
    return bool(turned <= ASKEW)


def _steps_of_light(
    before: Pixels, after: Pixels, changed: Pixels, tiles: Pixels | None
) -> NDArray[np.float32]:
    """(h, w) what the light was multiplied by, as a logarithm, rises by from pixel to pixel.

    The table's own pattern does not show in that. In parts of `SHARP`, or of the noise where that is
    more; or what its levels rise by in parts of `SHARP_LEVELS`, where that is less. Below 0 where only
    the picture before has the step, NaN where something that lay there before, or a tile, has a sharp
    outline of its own.
    """
    was, now = (np.log(picture.astype(np.float32) + 4.0) for picture in (before, after))
    steps, steps_was, steps_now = _steps(now - was), _steps(was), _steps(now)
    still = steps[changed == 0]
    noise = float(np.median(still)) if still.size else 0.0
    changes = [beside_light(before[..., c], after[..., c]) for c in range(3)]
    levels = _steps(np.dstack(changes))
    steps = np.minimum(steps / max(SHARP, NOISES * noise), levels / SHARP_LEVELS)
    steps[steps_now < OLD_STEP * steps_was] *= -1
    steps[np.minimum(steps_was, steps_now) > OWN_EDGE] = np.nan
    if tiles is not None:
        steps[cv2.dilate(tiles, np.ones((3, 3), np.uint8)) > 0] = np.nan
    return np.asarray(steps, np.float32)


def _steps(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """(h, w) how much the logarithm of the light (h, w, 3) rises from pixel to pixel, in any colour."""
    planes = cv2.split(light)
    steps = [np.hypot(cv2.Sobel(p, -1, 1, 0), cv2.Sobel(p, -1, 0, 1)) / 8 for p in planes]
    return np.asarray(np.max(steps, axis=0), np.float32)


def _is_sharp(
    part: NDArray[np.bool_],
    steps: NDArray[np.float32],
    inwards: NDArray[np.int32],
    far: float,
) -> bool:
    """Whether the outline is there now, and sharp, where a part comes in, by the ``steps`` (h, w) of the
    light: all of it, or that of the part with what it surrounds. Tiles under a sleeve of their own
    colour are holes in it, whose outlines are not there any more.
    """
    outlines = (part, _without_holes(part))
    return any(_is_sharp_round(mask, steps, inwards, far) for mask in outlines)


def _is_sharp_round(
    part: NDArray[np.bool_],
    steps: NDArray[np.float32],
    inwards: NDArray[np.int32],
    far: float,
) -> bool:
    """Whether the outline of this very part is sharp.

    Farther in tiles may have been laid into a shadow, and they are sharp: there it is looked only where
    next to nothing tells near the border, or most of the outline has to be. The border of the picture
    is no part of an outline. What is sharp near it alone is that of a rack pushed under a shadow.
    """
    mask, kernel = part.astype(np.uint8), np.ones((3, 3), np.uint8)
    wide = cv2.dilate(mask, kernel) - cv2.erode(mask, kernel)
    outline = (wide > 0) & (inwards > 2) & (inwards <= far)
    # What is unknown tells nothing, and what is gone is of what lay there before.
    if (steps[outline] > 0).sum() < LEAST_TOLD * outline.sum():
        outline = (wide > 0) & (inwards > 2) & (inwards <= FARTHER * far)
    told = steps[outline & np.isfinite(steps)]
    if len(told) < LEAST_OUTLINE * outline.sum() or not len(told):
        return False
    sharp = outline & (steps > 1.0)
    is_sharp_deep = sharp.any() and inwards[sharp].max() >= SHARP_DEPTH * far
    if is_sharp_deep and sharp.sum() >= SHARP_SHARE * len(told):
        return True
    bare = (wide > 0) & (inwards > far) & (inwards <= BARE_TO * far)
    return _is_bare_arm(steps[bare])


def _has_sharp_sides(part: NDArray[np.bool_], steps: NDArray[np.float32]) -> bool:
    """Whether the outline of a small part is sharp, by the ``steps`` (h, w) of the light: that of a
    lamp's highlight is not."""
    mask, kernel = part.astype(np.uint8), np.ones((3, 3), np.uint8)
    told = steps[(cv2.dilate(mask, kernel) - cv2.erode(mask, kernel) > 0) & np.isfinite(steps)]
    return bool((told > 1.0).sum() >= SHARP_SHARE * len(told)) if len(told) else False


def _is_bare_arm(steps: NDArray[np.float32]) -> bool:
    """Whether an outline farther in, of which these are the steps, is that of an arm whose sleeve hardly
    shows on the table, as a black one on a dark cloth."""
    told = steps[np.isfinite(steps)]
    if len(told) < BARE_TOLD * len(steps):
        return False
    sharp = (told > 1.0).sum()
    return bool(sharp >= LEAST_BARE and sharp >= BARE_SHARE * len(told))


def _without_holes(part: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(h, w) a part and what it surrounds."""
    mask = part.astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(mask, outlines, -1, (1,), cv2.FILLED) > 0)


def _laid(tiles: Pixels, changed: Pixels) -> Pixels:
    """(h, w) 1 where those of the numbered ``tiles`` lie that changed the picture. The others lay there
    before: an arm over a pool has an outline between them."""
    count = int(tiles.max()) + 1
    places = np.bincount(tiles.ravel(), minlength=count)
    shares = np.bincount(tiles[changed > 0], minlength=count) / np.maximum(places, 1)
    shares[0] = 0.0
    return np.asarray((shares >= TOUCHED)[tiles], np.uint8)


def _was_taken(part: NDArray[np.bool_], lay: Pixels | None) -> bool:
    """Whether a part is no more than the places of whole tiles that ``lay`` there before."""
    if lay is None:
        return False
    kernel = np.ones((2 * TILE_RIM + 1, 2 * TILE_RIM + 1), np.uint8)
    if (cv2.dilate(lay, kernel)[part] > 0).mean() < TAKEN_SHARE:
        return False
    count = int(lay.max()) + 1
    shares = np.bincount(lay[part], minlength=count) / np.maximum(np.bincount(lay.ravel()), 1)
    return bool((shares[1:][shares[1:] >= TOUCHED] >= WHOLLY).all())


def _was_pushed(
    before: Pixels,
    after: Pixels,
    part: NDArray[np.bool_],
    lit_alike: NDArray[np.bool_] | None = None,
) -> bool:
    """Whether the ``part`` (h, w) shows a thing that lay a little beside before, a rack, and the place
    that it left. An arm was not there before.

    The light is that of the whole picture, or where it is ``lit_alike`` (h, w).
    """
    if part.mean() > LARGEST_RACK:
        return False
    ratios = (after + 1.0) / (before + 1.0)
    light = np.median(ratios.reshape(-1, 3) if lit_alike is None else ratios[lit_alike], axis=0)
    was = np.clip(before * light, 0, 255).astype(np.uint8)
    x, y = _push(was, after, part)
    came = _is_alike(_moved(was, x, y), after)
    left = _is_alike(was, _moved(after, -x, -y)) & (_moved(part.astype(np.uint8), -x, -y) > 0)
    return bool((came | left)[part].mean() >= PUSHED_SHARE)


def _beside_pushes(
    before: Pixels, after: Pixels, part: NDArray[np.bool_], steps: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The ``steps`` (h, w) of the light, NaN where they are those of something in the ``part`` (h, w)
    that was pushed: a shadow hangs together with every rack that it falls on."""
    left = steps.copy()
    sharp = (part & (steps > 1.0)).astype(np.uint8)
    reach = np.ones((2 * BESIDE_SHARP + 1,) * 2, np.uint8)
    wide = np.ones((2 * MOST_PUSH + 1,) * 2, np.uint8)
    count, labels = cv2.connectedComponents(cv2.dilate(sharp, reach))
    for label in range(1, count):
        around = labels == label
        beside = cv2.dilate(around.astype(np.uint8), wide) > 0
        if _was_pushed(before, after, around & part, beside):
            left[around] = np.nan
    return left


def _push(before: Pixels, after: Pixels, part: NDArray[np.bool_]) -> tuple[int, int]:
    """Pixels, across and down, by which the picture before looks most like the one after in a ``part``
    (h, w)."""
    x, y, width, height = cv2.boundingRect(part.astype(np.uint8))
    inside = slice(y, y + height), slice(x, x + width)
    wide = cv2.copyMakeBorder(before, *(MOST_PUSH,) * 4, cv2.BORDER_REPLICATE)
    around = wide[y : y + height + 2 * MOST_PUSH, x : x + width + 2 * MOST_PUSH]
    weights = np.repeat(part[inside][:, :, None].astype(np.uint8), 3, axis=2)
    apart = cv2.matchTemplate(around, after[inside], cv2.TM_SQDIFF, mask=weights)
    _, _, (across, down), _ = cv2.minMaxLoc(apart)
    return MOST_PUSH - across, MOST_PUSH - down


def _is_alike(one: Pixels, other: Pixels) -> NDArray[np.bool_]:
    """(h, w) where two pictures show the same."""
    return np.asarray(cv2.absdiff(one, other).max(axis=2) <= CHANGE)


def _moved(picture: Pixels, x: float, y: float) -> Pixels:
    """The picture, so many pixels to the right and down; its border goes on."""
    shift = np.array([[1, 0, x], [0, 1, y]], np.float32)
    size_wh = picture.shape[1], picture.shape[0]
    moved = cv2.warpAffine(picture, shift, size_wh, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
