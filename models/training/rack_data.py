"""Tiles that stand and tiles that lie, with what is around them, for the rack reader to learn from.

From drawn pictures, made as they are wanted and not kept, from drawn games, and from folders of traced
pictures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.classes import CLASSES, FACE_DOWN
from models.surroundings import surroundings
from vision.rendering.dataset import SCENES
from vision.rendering.known_games import KnownGame, Place
from vision.rendering.table_scenes import Typefaces

DRAWN_PX: Final = 80
"""Width and height of what is kept: a quarter more than the network sees, for samples to be cut from."""

IN_SIGHT: Final = 0.3
"""Tiles of which less is to be seen teach nothing."""

OF_ONE: Final = 24
"""Tiles of one picture, at most: of a whole set all lie in the same light."""

TABLES_OF_A_GAME: Final = (2, 6)
"""Which tables of a drawn game are painted."""

BACK: Final = CLASSES[FACE_DOWN]


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """Tiles of many pictures."""

    seen_bgr: NDArray[np.uint8]
    """(n, DRAWN_PX, DRAWN_PX, 3) as of `models.surroundings`."""
    standing: NDArray[np.bool_]
    """(n,) which of them stand on a rack."""

    def __len__(self) -> int:
        return len(self.standing)


_Tiles = tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_]]
"""A picture (H, W, 3), corners (n, 4, 2) of tiles in it, and which of them stand."""


def drawn(scenes: str, count: int, seed: int, typefaces: Typefaces) -> Lying:
    """Tiles of so many drawn pictures of one of the `SCENES`."""
    return _taken(_drawn(scenes, count, seed, typefaces), seed)


def of_games(first: int, count: int, typefaces: Typefaces) -> Lying:
    """Tiles of so many drawn games, the first of that seed, their heaps of spare tiles among them."""
    return _taken(_games(first, count, typefaces), first)


def traced(folders: Iterable[Path]) -> Lying:
    """Tiles of traced pictures, those that were held out and those to learn from alike.

    Raises ``ValueError`` where a picture's file does not say which of its tiles stand.
    """
    return _taken(_traced(folders), 0)


def together(parts: Iterable[Lying]) -> Lying:
    """All of them as one; there has to be at least one."""
    every = list(parts)
    return Lying(
        np.concatenate([part.seen_bgr for part in every]),
        np.concatenate([part.standing for part in every]),
    )


def _taken(pictures: Iterator[_Tiles], seed: int) -> Lying:
    rng = np.random.default_rng([seed, 5])
    seen = [np.zeros((0, DRAWN_PX, DRAWN_PX, 3), np.uint8)]
    standing = [np.zeros(0, np.bool_)]
    for pixels_bgr, quads_xy, stand in pictures:
        chosen = rng.permutation(len(stand))[:OF_ONE]
        seen.append(surroundings(pixels_bgr, quads_xy[chosen], DRAWN_PX))
        standing.append(stand[chosen])
    return Lying(np.concatenate(seen), np.concatenate(standing))


def _drawn(scenes: str, count: int, seed: int, typefaces: Typefaces) -> Iterator[_Tiles]:
    for index in range(count):
        picture = SCENES[scenes](np.random.default_rng([seed, index]), typefaces)
        up = np.array([label != BACK for label in picture.labels], np.bool_)
        kept = (picture.visible > IN_SIGHT) & up
        yield picture.pixels_bgr, picture.quads_xy[kept], picture.standing[kept]


def _games(first: int, count: int, typefaces: Typefaces) -> Iterator[_Tiles]:
    for seed in range(first, first + count):
        game = KnownGame(seed, typefaces)
        for table, pixels_bgr in game.painted(TABLES_OF_A_GAME):
            up = np.array([label != BACK for label in table.labels], np.bool_)
            stand = np.array([place is Place.RACK for place in table.places], np.bool_)
            yield pixels_bgr, table.quads_xy[up], stand[up]


def _traced(folders: Iterable[Path]) -> Iterator[_Tiles]:
    for path in (path for folder in folders for path in sorted(folder.glob("0*.json"))):
        entry = json.loads(path.read_text(encoding="utf-8"))
        pixels_bgr = cv2.imread(str(path.with_suffix(".jpg")))
        tiles = [
            tile
            for tile in entry["everything"]
            if tile["visible"] > IN_SIGHT and tile["label"] != BACK
        ]
        if pixels_bgr is None or any("standing" not in tile for tile in tiles):
            raise ValueError(f"{path}: trace it anew; it does not say which tiles stand")
        quads = np.array([tile["quad"] for tile in tiles], np.float32).reshape(-1, 4, 2)
        stand = np.array([tile["standing"] for tile in tiles], np.bool_)
        yield np.asarray(pixels_bgr, np.uint8), quads, stand
