"""Reads rectified tiles: what each one is, which way is up, and its colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.classes import CLASSES, COLOURS
from models.preprocess import CROP_WH, DETAILED_WH, reader_input
from models.runtime import ModelError, Network
from models.sureness import SureFrom

SHAPES, INKS = 96, 64
"""How many features of the shape and of the ink there are."""

PROBABILITIES = ("classes", "upright", "colours")


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """What the tile reader says of n quads, as parallel read-only arrays; compared by identity.

    Raises ValueError when shapes disagree or a value is no probability.
    """

    classes: NDArray[np.float32]
    """(n, 16) probability of each of :data:`models.classes.CLASSES`; rows sum to 1."""

    upright: NDArray[np.float32]
    """(n,) probability that the first edge of the quad is the tile's top."""

    colours: NDArray[np.float32]
    """(n, 4) probability of each of :data:`models.classes.COLOURS`, given that it has one."""

    shapes: NDArray[np.float32]
    """(n, SHAPES) features of the number or joker, the likelier way up."""

    inks: NDArray[np.float32]
    """(n, INKS) features of the ink, without comparison."""

    whites: NDArray[np.float32]
    """(n, 3) the RGB white of each tile, as a part of full scale (`models.preprocess.tile_whites`)."""

    def __post_init__(self) -> None:
        count = len(self.upright)
        shapes = {
            "classes": (count, len(CLASSES)),
            "upright": (count,),
            "colours": (count, len(COLOURS)),
            "shapes": (count, SHAPES),
            "inks": (count, INKS),
            "whites": (count, 3),
        }
        for name, shape in shapes.items():
            values = np.array(getattr(self, name), np.float32)
            if values.shape != shape:
                raise ValueError(f"{name} must be {shape}, not {values.shape}")
            if name in PROBABILITIES and not ((values >= 0) & (values <= 1.0001)).all():
                raise ValueError(f"{name} must hold probabilities")
            values.setflags(write=False)
            object.__setattr__(self, name, values)

    def __len__(self) -> int:
        return len(self.upright)


def rows_of(readings: Readings, indexes: Sequence[int]) -> Readings:
    """The readings of some tiles, in the order asked for."""
    chosen = np.array(indexes, np.int64)
    return Readings(*(getattr(readings, field.name)[chosen] for field in fields(Readings)))


class TileReader:
    """The tile reader network.

    All tiles of a photograph are read in one go: inks are told apart by comparison, so the colours
    of one tile depend on which others are given.
    """

    def __init__(self, path: Path, threads: int = 2) -> None:
        """Raises :class:`models.runtime.ModelError` when the network cannot be opened."""
        self._network = Network(path, threads)
        self.facts = facts = self._network.facts
        self.crop_wh = _crop_wh(self._network, path)
        """Width and height in pixels of the crops that it looks at."""
        self.sure_from = SureFrom(
            facts.number("sure_face"), facts.number("sure_other"), facts.number("sure_colour")
        )

    def read(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """Readings of quads (n, 4, 2) in a picture (H, W, 3) BGR, in the same order; n may be 0."""
        if not len(quads_xy):
            return NO_READINGS
        return self.read_crops(*reader_input(pixels_bgr, quads_xy, self.crop_wh))

    def features(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """The same: see `models.careful_reader`."""
        return self.read(pixels_bgr, quads_xy)

    def read_crops(self, crops: NDArray[np.float32], whites: NDArray[np.float32]) -> Readings:
        """Readings of at least one crop and its white, as `models.preprocess.reader_input` has them of
        this reader's size."""
        classes, upright, colours, shapes, inks = self._network.run(crops, whites)
        classes, upright, colours = (np.clip(p, 0, 1) for p in (classes, upright, colours))
        return Readings(classes, upright, colours, shapes, inks, whites)


def _crop_wh(network: Network, path: Path) -> tuple[int, int]:
    """What its first input says; raises ModelError where that is no size of crops."""
    size_wh = network.input_shape[:1:-1]
    if size_wh not in (CROP_WH, DETAILED_WH):
        raise ModelError(f"{path}: takes no crops of tiles, but {network.input_shape}")
    return size_wh


NO_READINGS = Readings(
    np.zeros((0, len(CLASSES)), np.float32),
    np.zeros(0, np.float32),
    np.zeros((0, len(COLOURS)), np.float32),
    np.zeros((0, SHAPES), np.float32),
    np.zeros((0, INKS), np.float32),
    np.zeros((0, 3), np.float32),
)
"""Of no tiles."""
