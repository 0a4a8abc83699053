"""What the finder learns from on an accelerator: windows of pictures that are drawn meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.training.feed import PicturePool, Sources
from models.training.finder_data import FinderSample, cut_sample

BLOCK_SIZE = 32
"""Windows that are handed over at once."""

WINDOWS_PER_PICTURE = 40
"""Windows of any picture for each one that is drawn: drawing then takes half of the time."""

DRAWN_PART, TRACED_PART, REAL_PART = 0.7, 0.2, 0.1
"""How often a window is of a drawn picture, of a traced one, of a photograph."""

SCENE_PARTS = {
    "tables": 0.36,
    "evenings": 0.16,
    "racks": 0.14,
    "boards": 0.14,
    "small-sheets": 0.04,
    "leaning-sheets": 0.04,
    "narrow-sheets": 0.04,
    "sheets": 0.04,
    "green-sheets": 0.04,
}
"""What is drawn, how often."""


class Windows(NamedTuple):
    """n windows and their target maps, as in `finder_data.FinderSample`; h = w = 88."""

    pixels_bgr: NDArray[np.uint8]
    """(n, 352, 352, 3)."""
    heat: NDArray[np.float16]
    """(n, h, w)."""
    heat_weight: NDArray[np.float16]
    """(n, h, w)."""
    geometry: NDArray[np.float16]
    """(n, 10, h, w)."""
    geometry_weight: NDArray[np.float16]
    """(n, h, w)."""
    up_weight: NDArray[np.float16]
    """(n, h, w)."""


def window_blocks(sources: Sources, rng: np.random.Generator) -> Iterator[Windows]:
    """Windows without end, `BLOCK_SIZE` at once, undisturbed."""
    pool = PicturePool(sources, SCENE_PARTS, (DRAWN_PART, TRACED_PART, REAL_PART), rng)
    owed = 0.0
    while True:
        owed += BLOCK_SIZE / WINDOWS_PER_PICTURE
        if owed >= 1:
            owed -= 1
            pool.keep(pool.draw())
        samples = []
        for _ in range(BLOCK_SIZE):
            pictures = pool.choose()
            samples.append(cut_sample(pictures[int(rng.integers(len(pictures)))], rng))
        yield windows_of(samples)


def windows_of(samples: list[FinderSample]) -> Windows:
    """Samples side by side, their maps in half precision: finer than a hundredth of a pixel."""
    fields = ([getattr(sample, name) for sample in samples] for name in Windows._fields)
    pixels, *maps = (np.stack(field) for field in fields)
    return Windows(pixels, *(field.astype(np.float16) for field in maps))
