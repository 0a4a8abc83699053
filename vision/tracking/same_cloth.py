"""Whether a place of the table shows the cloth that it did, whatever light falls on it."""

from __future__ import annotations

from typing import Final

from vision.tracking.looks import MOST_SHIFT_PX, Counts, Looks, unexplained

ALIKE: Final = 0.28
"""What light and a small shift may leave unexplained at any place, in parts of the contrast. A coarse
weave under much grain leaves 0.08 to 0.13, a dense print of flowers in a dim room up to 0.25. Of 8,827
drawn tiles laid on six patterned cloths, in seven kinds of light, none left less than 0.55..."""
LEAST_LEVELS: Final = 6.0
"""...or in levels of one colour, where a place shows little: grain. Of 1,188 on tables of their own
colour, in the dark and under highlights, none left less than 2.9 times as much."""


def is_same_cloth(
    then: Looks,
    now: Looks,
    *,
    moved: bool = False,
    counts: Counts | None = None,
    least_contrast: float = 0.0,
    grain: float = 0.0,
) -> bool:
    """Whether two looks (1, 64, 48, 3) show the same, beside the light, where that ``counts``, and so
    many levels of contrast to tell by. With ``moved`` they may be a little off; ``grain`` is how many
    levels it may change them by, where that was measured (`vision.tracking.grain`)."""
    left, shifts_px, contrasts = unexplained(then, now, moved=moved, counts=counts)
    most = max(ALIKE, max(LEAST_LEVELS, grain) / max(1.0, float(contrasts[0])))
    is_shown = left[0] <= most and shifts_px[0] <= MOST_SHIFT_PX
    return bool(is_shown and contrasts[0] >= least_contrast)
