"""A table that stays where it is while tiles come and go: only what changed is painted again.

Painting a whole table takes a third of a second, and a film needs thousands of pictures. A tile that
was moved changes the pixels about its old and its new place; those are painted from the bare table up,
and the rest is kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.arrangements import TilePose
from vision.rendering.camera import Camera, Sensor, expose
from vision.rendering.designs import TileDesign, sample_design
from vision.rendering.scene import Canvas, FaceCache, Light, paint_table, tile_box
from vision.rendering.surfaces import sample_surface
from vision.rendering.table_scenes import Typefaces, sample_light

Pixels = NDArray[np.uint8]
Plane = NDArray[np.float32]
Window = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of the picture; right and bottom lie outside."""

TILE_PX = (36.0, 50.0)
"""Width of a tile in a picture 1280 wide: a whole table seen from above its edge."""
MARGIN_PX = 10
"""How far blur and sharpening reach beyond what was painted."""
SEATS = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """One tile of the set, the same wherever it lies: ``number`` tells it from its like."""

    number: int
    pose: TilePose


@dataclass(frozen=True, slots=True)
class Seen:
    """One tile in the picture: its outline (4, 2) in pixels, from its own top left clockwise, and
    the share of its face that nothing lies on."""

    piece: Piece
    quad_xy: NDArray[np.float32]
    visible: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A rack seen from behind, or the rim of a box: a long thing that lies at the border."""

    x_mm: float
    y_mm: float
    long_mm: float
    deep_mm: float
    high_mm: float
    colour_bgr: tuple[float, float, float]


class Stage:
    """A table, a lamp, a camera and one maker's tiles, all chosen by ``seed``.

    The table frame has its origin in the picture's centre, x right, y down, in millimetres.
    """

    def __init__(
        self,
        seed: int,
        size_wh: tuple[int, int] = (1280, 960),
        typefaces: Typefaces | None = None,
        tile_px: tuple[float, float] = TILE_PX,
    ) -> None:
        """``tile_px`` is the least and the greatest width of a tile, in a picture 1280 wide."""
        rng = np.random.default_rng([seed, 41])
        fonts = typefaces or Typefaces()
        self.design: TileDesign = sample_design(rng, fonts.digits, fonts.symbols)
        self.camera = _sample_camera(rng, size_wh, self.design, tile_px)
        scale = self.camera.distance_mm / self.camera.focal_px
        self.span_mm = (size_wh[0] * scale, size_wh[1] * scale)
        self.light = _indoors(rng, self.span_mm[0])
        self._surface = sample_surface(rng)
        self.sensor = _sample_sensor(rng, self.light, self.design, self._surface)
        self._texel_mm = scale * float(rng.uniform(0.8, 2.0))
        self._faces = FaceCache(self.design)
        self._bars: tuple[Bar, ...] = _racks(rng, self.span_mm, self.design)
        self._pieces: dict[int, Piece] = {}
        self._windows: dict[int, Window] = {}
        self._prepare()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What lies on the table."""
        return tuple(self._pieces.values())

    @property
    def clean_bgr(self) -> Pixels:
        """The picture without noise and without hands, (h, w, 3); not to be written to."""
        return self._clean

    @property
    def bars(self) -> tuple[Bar, ...]:
        """Racks and the like."""
        return self._bars

    def lay(self, pieces: Iterable[Piece]) -> None:
        """From now on these tiles lie there, and no others."""
        wanted = {piece.number: piece for piece in pieces}
        changed = [
            number
            for number in self._pieces.keys() | wanted.keys()
            if self._pieces.get(number) != wanted.get(number)
        ]
        if not changed:
            return
        stale = [self._windows[number] for number in changed if number in self._windows]
        self._pieces = wanted
        for number in changed:
            self._windows.pop(number, None)
            if number in wanted:
                self._windows[number] = self._reach_of(wanted[number])
                stale.append(self._windows[number])
        for window in _merged(stale):
            self._paint(window)

    def push_racks(self, bars: Sequence[Bar]) -> None:
        """Racks and boxes now lie so."""
        self._bars = tuple(bars)
        self._prepare()

    def bump(self, shift_px: tuple[float, float], turn_rad: float) -> None:
        """The camera was pushed, and stays so: the picture shifts and turns a little."""
        centre = self.camera.centre_xy or (self.camera.width / 2, self.camera.height / 2)
        self.camera = replace(
            self.camera,
            centre_xy=(centre[0] + shift_px[0], centre[1] + shift_px[1]),
            yaw_rad=self.camera.yaw_rad + turn_rad,
        )
        self._prepare()

    def seen(self, covered: NDArray[np.bool_] | None = None) -> list[Seen]:
        """Every tile with its outline; ``covered`` (h, w) is what a hand hides."""
        return [self._seen(piece, covered) for piece in self._pieces.values()]

    def holds(self, points_mm: NDArray[np.float64], margin_px: float = 8.0) -> bool:
        """Whether points (n, 2) of the table lie in the picture, so far from its border."""
        flat = np.concatenate([points_mm, np.zeros((len(points_mm), 1))], 1)
        seen = self.camera.project(flat)
        inside = (seen >= margin_px) & (
            seen <= np.array([self.camera.width, self.camera.height]) - margin_px
        )
        return bool(inside.all())

    def project(self, x_mm: float, y_mm: float, z_mm: float = 0.0) -> NDArray[np.float64]:
        """The pixel (2,) where a point of the table is seen."""
        return np.asarray(self.camera.project(np.array([[x_mm, y_mm, z_mm]]))[0], np.float64)

    @property
    def px_per_mm(self) -> float:
        """Pixels to a millimetre at the middle of the table."""
        return self.camera.focal_px / self.camera.distance_mm

    def loose_tile(self, pose: TilePose) -> tuple[Window, Pixels, Plane]:
        """A tile that is in a hand: where it is seen, its colours and how much of a pixel it is."""
        window = self._reach_of(Piece(0, pose))
        canvas = self._canvas(window, np.zeros(_shape(window), np.float32))
        self._put(canvas, [Piece(0, pose)])
        colours = self._developed(canvas.pixels, window)
        return window, colours, np.asarray(canvas.owner > 0, np.float32)

    # Painting.

    def _prepare(self) -> None:
        """Paints everything anew: for another camera, or other things at the border."""
        camera, light = self.camera, self.light
        offset = (-self.span_mm[0] * 0.9, -self.span_mm[1] * 0.9)
        table = paint_table(self._surface, camera, self._texel_mm, offset)
        table *= np.float32(light.room + light.lamp * light.towards[2])
        canvas = Canvas(camera, light, table)
        for bar in self._bars:
            _put_bar(canvas, bar)
        self._bare = canvas.pixels
        self._gain = _uneven(light, self.sensor, (camera.height, camera.width))
        self._owner = np.zeros((camera.height, camera.width), np.int32)
        self._clean = np.zeros((camera.height, camera.width, 3), np.uint8)
        self._windows = {n: self._reach_of(piece) for n, piece in self._pieces.items()}
        self._paint((0, 0, camera.width, camera.height))

    def _paint(self, window: Window) -> None:
        """Paints a part of the picture with all that lies there."""
        wide = self._grown(window, MARGIN_PX + math.ceil(self._soft_px()))
        x0, y0, x1, y1 = wide
        there = [
            piece for number, piece in self._pieces.items() if _overlap(self._windows[number], wide)
        ]
        canvas = self._canvas(wide, self._bare[y0:y1, x0:x1].copy())
        canvas.shadows([tile_box(piece.pose, self.design) for piece in there])
        self._put(canvas, there)
        developed = self._developed(canvas.pixels, wide)
        left, top, right, bottom = window
        inner = (slice(top - y0, bottom - y0), slice(left - x0, right - x0))
        self._clean[top:bottom, left:right] = developed[inner]
        self._owner[top:bottom, left:right] = canvas.owner[inner]

    def _canvas(self, window: Window, pixels: Plane) -> Canvas:
        """A canvas that is a part of the picture."""
        x0, y0, x1, y1 = window
        centre = self.camera.centre_xy or (self.camera.width / 2, self.camera.height / 2)
        camera = replace(
            self.camera,
            width=x1 - x0,
            height=y1 - y0,
            centre_xy=(centre[0] - x0, centre[1] - y0),
        )
        return Canvas(camera, self.light, pixels)

    def _put(self, canvas: Canvas, pieces: Sequence[Piece]) -> None:
        """Paints tiles, low ones and far ones first. Owners are the tiles' numbers and one more."""
        eye = canvas.camera.position_mm
        boxes = [(tile_box(piece.pose, self.design), piece) for piece in pieces]
        boxes.sort(key=lambda pair: (pair[0].base[2], -float(np.linalg.norm(pair[0].base - eye))))
        for box, piece in boxes:
            top = canvas.camera.project(box.corners(box.thickness))
            width = float(np.linalg.norm(top[1] - top[0]) + np.linalg.norm(top[2] - top[3])) / 2
            height = float(np.linalg.norm(top[3] - top[0]))
            height *= self.design.width_mm / self.design.height_mm
            face = self._faces.face(piece.pose.label, piece.number % 2, max(width, height))
            canvas.box(box, face, self.design.body_bgr, piece.number + 1, self.design.gloss)

    def _developed(self, light_bgr: Plane, window: Window) -> Pixels:
        """What the sensor makes of a part of the light; noise comes later."""
        x0, y0, x1, y1 = window
        return expose(
            light_bgr * self._gain[y0:y1, x0:x1],
            replace(self.sensor, vignette=0.0, noise=0.0, chroma_noise=0.0),
            np.random.default_rng(0),
        )

    def _reach_of(self, piece: Piece) -> Window:
        """The pixels that a tile and its shadow change."""
        box = tile_box(piece.pose, self.design)
        solid = np.concatenate([box.corners(0.0), box.corners(box.thickness)])
        slope = self.light.towards / max(self.light.towards[2], 0.2)
        fallen = solid - slope * solid[:, 2:3]
        fallen[:, 2] = 0
        seen = self.camera.project(np.concatenate([solid, fallen]))
        soft = self._soft_px() + MARGIN_PX
        x0, y0 = np.floor(seen.min(0) - soft).astype(int)
        x1, y1 = np.ceil(seen.max(0) + soft).astype(int)
        return self._grown((int(x0), int(y0), int(x1), int(y1)), 0)

    def _soft_px(self) -> float:
        """How far the rim of a shadow reaches."""
        return 3.0 * max(1.5, self.light.softness_mm) * self.px_per_mm

    def _grown(self, window: Window, by: int) -> Window:
        x0, y0, x1, y1 = window
        width, height = self.camera.width, self.camera.height
        left, top = min(max(x0 - by, 0), width - 1), min(max(y0 - by, 0), height - 1)
        return left, top, max(left + 1, min(x1 + by, width)), max(top + 1, min(y1 + by, height))

    def _seen(self, piece: Piece, covered: NDArray[np.bool_] | None) -> Seen:
        box = tile_box(piece.pose, self.design)
        quad = self.camera.project(box.corners(box.thickness))
        x0, y0 = np.floor(quad.min(0)).astype(int)
        x1, y1 = np.ceil(quad.max(0)).astype(int) + 1
        left, top, right, bottom = self._grown((int(x0), int(y0), int(x1), int(y1)), 0)
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad - (left, top)).astype(np.int32), 1)
        own = (self._owner[top:bottom, left:right] == piece.number + 1) & (mask > 0)
        if covered is not None:
            own &= ~covered[top:bottom, left:right]
        area = max(1.0, cv2.contourArea(quad.astype(np.float32)))
        share = min(1.0, float(np.count_nonzero(own)) / area * 1.03)
        return Seen(piece, np.asarray(quad - 0.5, np.float32), share)


def _shape(window: Window) -> tuple[int, int, int]:
    return window[3] - window[1], window[2] - window[0], 3


def _overlap(a: Window, b: Window) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _merged(windows: Sequence[Window]) -> list[Window]:
    """Windows that cover the same pixels, none of which overlap."""
    left = list(windows)
    found: list[Window] = []
    while left:
        one = left.pop()
        for other in left:
            if _overlap(one, other):
                left.remove(other)
                joined = (
                    min(one[0], other[0]),
                    min(one[1], other[1]),
                    max(one[2], other[2]),
                    max(one[3], other[3]),
                )
                left.append(joined)
                break
        else:
            found.append(one)
    return found


def _uneven(light: Light, sensor: Sensor, shape: tuple[int, int]) -> Plane:
    """How bright each pixel is beside what lies there: the room's light and the lens, (h, w, 3)."""
    height, width = shape
    shade = cv2.resize(light.shade, (width, height), interpolation=cv2.INTER_CUBIC)
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    dim = 1 - np.float32(sensor.vignette * 0.5) * (x * x + y * y)
    return np.asarray(np.maximum(shade, 0.05) * dim[..., None], np.float32)


def _put_bar(canvas: Canvas, bar: Bar) -> None:
    a, b = bar.long_mm / 2, bar.deep_mm / 2
    for high, shade in ((0.0, 0.6), (bar.high_mm, 1.0)):
        corners = np.array([[-a, -b, high], [a, -b, high], [a, b, high], [-a, b, high]])
        corners[:, :2] += bar.x_mm, bar.y_mm
        colour = [float(min(1.0, v * shade)) for v in bar.colour_bgr]
        canvas.polygon(canvas.camera.project(corners), colour, 0)


def _racks(
    rng: np.random.Generator, span_mm: tuple[float, float], design: TileDesign
) -> tuple[Bar, ...]:
    """The other players' racks, each at its side of the table, not everybody's in the picture."""
    wood = rng.uniform(0.05, 0.6) * np.array([0.7, 0.88, 1.0])
    colour = (float(wood[0]), float(wood[1]), float(wood[2]))
    long, deep = (design.width_mm + 1) * 12, float(rng.uniform(14, 26))
    bars = []
    for side in range(3):
        if rng.random() < 0.35:
            continue
        along = float(rng.uniform(-0.2, 0.2))
        if side == 0:
            place = along * span_mm[0], -0.5 * span_mm[1] + 0.2 * deep
            bars.append(Bar(*place, long, deep, 28.0, colour))
        else:
            x = (0.5 if side == 1 else -0.5) * span_mm[0]
            bars.append(Bar(x, along * span_mm[1], deep, long, 28.0, colour))
    return tuple(bars)


def _sample_camera(
    rng: np.random.Generator,
    size_wh: tuple[int, int],
    design: TileDesign,
    tile_px: tuple[float, float],
) -> Camera:
    """On a stand above one side of the table; what a family's webcam sees."""
    width, height = size_wh
    focal = 0.5 * width / np.tan(rng.uniform(0.8, 1.15) / 2)
    wide_px = width / 1280 * rng.uniform(*tile_px)
    return Camera(
        width=width,
        height=height,
        focal_px=float(focal),
        distance_mm=float(focal * design.width_mm / wide_px),
        pitch_rad=float(np.clip(abs(rng.normal(0.1, 0.15)), 0, 0.45)),
        yaw_rad=float(rng.normal(0, 0.03)),
    )


def _indoors(rng: np.random.Generator, span_mm: float) -> Light:
    """A lamp and the room, with no highlight on the table: those come and go as disturbances."""
    light = sample_light(rng, span_mm)
    return replace(
        light,
        glare=np.zeros((0, 4)),
        shade=np.clip(light.shade, 0.55, 1.35),
        shadow=min(light.shadow, 0.6),
    )


def _sample_sensor(
    rng: np.random.Generator, light: Light, design: TileDesign, surface: Plane
) -> Sensor:
    """A webcam that finds its exposure itself: neither the tiles nor the table are burnt out."""
    bright = (light.room + light.lamp * light.towards[2]) * float(light.shade.mean())
    brightest = max(float(np.mean(design.body_bgr)), float(np.quantile(surface, 0.9)))
    return Sensor(
        gains_bgr=(float(rng.uniform(0.86, 1.04)), 1.0, float(rng.uniform(0.96, 1.1))),
        exposure=float(rng.uniform(0.7, 0.92)) / max(0.1, bright * brightest),
        gamma=float(rng.uniform(0.9, 1.1)),
        blur_px=float(rng.uniform(0.3, 0.9)),
        motion_px=0.0,
        motion_angle_rad=0.0,
        noise=float(rng.uniform(0.004, 0.014)),
        chroma_noise=0.0,
        vignette=float(rng.uniform(0.0, 0.25)),
        sharpen=float(rng.uniform(0.0, 0.5)),
        saturation=float(rng.uniform(0.85, 1.15)),
    )
