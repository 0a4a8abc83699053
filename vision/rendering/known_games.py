"""Games filmed with all that lies about them, and the truth of what is table: to measure and to test.

One maker's tiles under one camera: melds come onto the table one after another and stay, the player
below the camera draws tiles and lays them, a heap lies in the open box, the pool gets smaller. Racks of
the others are seen from behind. Everything comes from a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.frame import Pixels
from vision.placements import Face, Placement
from vision.rendering.arrangements import LABELS, TilePose, lies_free, row_poses, sample_meld
from vision.rendering.camera import expose, sample_sensor
from vision.rendering.designs import TileDesign, sample_design
from vision.rendering.evenings import standing_camera
from vision.rendering.scene import Canvas, FaceCache, paint_table, put_tiles, tile_box
from vision.rendering.surfaces import sample_surface
from vision.rendering.table_scenes import Typefaces, put_rack, sample_light

SIZES: Final = ((1280, 960), (1280, 720), (960, 720))
TILE_PX: Final = (26, 44)
"""Least and largest width of tiles in a picture 1280 pixels wide."""
TABLES: Final = 9
"""Tables of a game."""
MELDS_A_TABLE: Final = (1, 3)
RACK: Final = (6, 18)
"""Tiles that a player holds."""
CORNER_PX: Final = 0.7
"""Spread of a finder's corners, in pixels, where no network reads."""
MISSED: Final = 0.02
"""Share of the tiles that it misses."""


class Place(StrEnum):
    """Where a tile lies."""

    TABLE = "table"
    RACK = "rack"
    BOX = "box"
    POOL = "pool"


@dataclass(frozen=True, slots=True, eq=False)
class KnownTable:
    """One table at rest: what lies in the picture and where it belongs."""

    size_hw: tuple[int, int]
    quads_xy: NDArray[np.float32]
    """(n, 4, 2) pixels of the tiles whose middle is in the picture."""
    labels: tuple[str, ...]
    """Of the same tiles: ``K7``, ``J`` or ``face-down``."""
    places: tuple[Place, ...]

    def centres_xy(self, place: Place) -> NDArray[np.float64]:
        """The middles (m, 2) of the tiles at a place."""
        chosen = [k for k, at in enumerate(self.places) if at is place]
        return np.asarray(self.quads_xy[chosen].mean(axis=1), np.float64).reshape(-1, 2)

    def placements(self, seed: int) -> list[Placement]:
        """The tiles as a good finder and reader would give them, with trembling corners."""
        rng = np.random.default_rng([seed, 77])
        found = []
        for quad, label in zip(self.quads_xy, self.labels, strict=True):
            seen = quad + rng.normal(0, CORNER_PX, (4, 2))
            if rng.random() < MISSED:
                continue
            if label == "face-down":
                found.append(Placement(seen, TileReading((), False), 1.0, Face.DOWN))
            else:
                reading = TileReading.certain(parse_tile(label))
                found.append(Placement(seen, reading, 1.0, Face.UP))
        return found


@dataclass
class _Game:
    """What lies where, from table to table."""

    melds: list[TilePose] = field(default_factory=list)
    pool: list[TilePose] = field(default_factory=list)
    box: list[TilePose] = field(default_factory=list)
    rack: list[TilePose] = field(default_factory=list)


class KnownGame:
    """A game of `TABLES` tables, by seed."""

    def __init__(self, seed: int, typefaces: Typefaces | None = None) -> None:
        self._rng = rng = np.random.default_rng([seed, 151])
        fonts = typefaces or Typefaces()
        self.design: TileDesign = sample_design(rng, fonts.digits, fonts.symbols)
        self.camera = standing_camera(rng, self.design, SIZES, TILE_PX)
        scale = self.camera.distance_mm / self.camera.focal_px
        self._half = self.camera.width * scale / 2, self.camera.height * scale / 2
        self._size = self.design.width_mm, self.design.height_mm
        self._game = _Game()
        self._rack_at = float(rng.uniform(0.74, 0.9)), float(rng.uniform(-0.2, 0.2))
        self._tilt = float(rng.uniform(0.5, 1.2))
        self._has_rack = rng.random() < 0.8
        self._surface = sample_surface(rng)
        self._texel_mm = scale * float(rng.uniform(0.7, 2.2))
        self._light = sample_light(rng, self.camera.width * scale)
        self._sensor = sample_sensor(rng)
        if rng.random() < 0.5:
            self._fill_box()
        if rng.random() < 0.7:
            self._fill_pool()

    def tables(self, *, painted: bool = False) -> Iterator[tuple[KnownTable, Pixels | None]]:
        """The tables in turn, with their pictures (H, W, 3) BGR where they are ``painted``."""
        for _ in range(TABLES):
            self._play()
            yield self._truth(), self._picture() if painted else None

    def painted(self, numbers: Sequence[int]) -> Iterator[tuple[KnownTable, Pixels]]:
        """The tables of those numbers, from 0 and in their order, with their pictures (H, W, 3) BGR."""
        for number in range(TABLES):
            self._play()
            if number in numbers:
                yield self._truth(), self._picture()

    def _play(self) -> None:
        rng, game = self._rng, self._game
        for _ in range(int(rng.integers(*MELDS_A_TABLE))):
            self._lay_meld()
        if self._has_rack:
            game.rack = self._rack_of(int(rng.integers(*RACK)))
        game.pool = game.pool[: max(0, len(game.pool) - int(rng.integers(0, 4)))]

    def _lay_meld(self) -> None:
        rng, (wide, high) = self._rng, self._half
        for _ in range(40):
            centre = float(rng.uniform(-0.78, 0.78) * wide), float(rng.uniform(-0.72, 0.72) * high)
            angle = float(rng.normal(0, 0.06) + rng.integers(4) * np.pi / 2 * (rng.random() < 0.4))
            row = row_poses(rng, sample_meld(rng), centre, angle, self._size)
            others = [*self._game.melds, *self._game.pool, *self._game.box]
            if self._is_on_table(row) and lies_free(others, row, self._size, 1.05):
                self._game.melds += row
                return

    def _is_on_table(self, row: Sequence[TilePose]) -> bool:
        """Nobody lays melds onto a rack, into the box, or out of the picture."""
        wide, high = self._half
        lowest = max(pose.y_mm for pose in row) + 0.8 * self._size[1]
        rack_from = self._rack_at[0] * high - self._size[1]
        if self._has_rack and lowest > rack_from:
            return False
        outline = np.array([(p.x_mm, p.y_mm, 0.0) for p in row])
        seen = self.camera.project(outline)
        sides = np.array([self.camera.width, self.camera.height])
        return bool(((seen > 0.02 * sides) & (seen < 0.98 * sides)).all()) and wide > 0

    def _rack_of(self, count: int) -> list[TilePose]:
        """The rack of the player below the camera, who shows it the faces."""
        rng, width = self._rng, self._size[0]
        rise = 0.5 * self._size[1] * np.sin(self._tilt)
        y = self._rack_at[0] * self._half[1]
        shift = self._rack_at[1] * self._half[0]
        labels = [str(LABELS[k]) for k in rng.permutation(len(LABELS))[:count]]
        gap = width * float(rng.uniform(1.0, 1.1))
        return [
            TilePose(
                label,
                shift + (k - (count - 1) / 2) * gap,
                y,
                0.0,
                self._tilt,
                float(rise),
            )
            for k, label in enumerate(labels)
        ]

    def _fill_box(self) -> None:
        """A heap of spare tiles in a corner above, as they fell."""
        rng = self._rng
        width, height = rng.uniform(90, 170), rng.uniform(70, 130)
        side = rng.choice([-1, 1])
        corner = np.array([side * 0.85 * self._half[0], -0.8 * self._half[1]])
        for _ in range(int(rng.integers(6, 24))):
            x, y = corner + rng.uniform(-0.38, 0.38, 2) * (width, height)
            near = [p for p in self._game.box if np.hypot(p.x_mm - x, p.y_mm - y) < self._size[1]]
            shown = str(rng.choice(LABELS)) if rng.random() < 0.6 else "face-down"
            z = 1.0 + len(near) * self.design.thickness_mm
            angle = float(rng.uniform(0, 2 * np.pi))
            self._game.box.append(TilePose(shown, float(x), float(y), angle, 0.0, float(z)))

    def _fill_pool(self) -> None:
        """Face-down tiles along one side."""
        rng, (wide, high) = self._rng, self._half
        middle = [(-0.85 * wide, 0.1 * high), (0.85 * wide, 0.1 * high), (0.0, -0.85 * high)]
        at = np.array(middle[rng.integers(3)])
        for _ in range(int(rng.integers(6, 40))):
            x, y = at + rng.normal(0, 0.5, 2) * (2 * self._size[0], 2 * self._size[1])
            angle = float(rng.uniform(0, 2 * np.pi))
            pose = TilePose("face-down", float(x), float(y), angle)
            if lies_free([*self._game.pool, *self._game.box], [pose], self._size, 1.0):
                self._game.pool.append(pose)

    def _truth(self) -> KnownTable:
        poses, places = self._all()
        boxes = [tile_box(pose, self.design) for pose in poses]
        quads = np.array([self.camera.project(box.corners(box.thickness)) for box in boxes])
        quads = quads.reshape(-1, 4, 2) - 0.5
        centres = quads.mean(axis=1)
        sides = np.array([self.camera.width, self.camera.height])
        seen = ((centres > 0) & (centres < sides)).all(axis=1)
        kept = [int(k) for k in np.flatnonzero(seen)]
        return KnownTable(
            (self.camera.height, self.camera.width),
            quads[kept].astype(np.float32),
            tuple(poses[k].label for k in kept),
            tuple(places[k] for k in kept),
        )

    def _all(self) -> tuple[list[TilePose], list[Place]]:
        game = self._game
        rows = (
            (game.melds, Place.TABLE),
            (game.pool, Place.POOL),
            (game.box, Place.BOX),
            (game.rack, Place.RACK),
        )
        return [p for poses, _ in rows for p in poses], [at for poses, at in rows for _ in poses]

    def _picture(self) -> Pixels:
        light, camera, game = self._light, self.camera, self._game
        offset = (-self._half[0], -self._half[1])
        table = paint_table(self._surface, camera, self._texel_mm, offset)
        table *= np.float32(light.room + light.lamp * light.towards[2])
        canvas = Canvas(camera, light, table)
        poses, _ = self._all()
        canvas.shadows([tile_box(pose, self.design) for pose in [*game.melds, *game.pool]])
        if game.rack:
            put_rack(canvas, self._rng, game.rack, self.design)
        put_tiles(canvas, poses, FaceCache(self.design))
        return expose(canvas.finish(), self._sensor, self._rng)
