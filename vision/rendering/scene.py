"""A table filmed: boxes with printed faces, one light, one camera, and the exact truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.arrangements import TilePose
from vision.rendering.camera import Camera
from vision.rendering.clutter import FlatThing
from vision.rendering.designs import TileDesign
from vision.rendering.faces import Face, draw_face

Plane = NDArray[np.float32]
Vector = NDArray[np.float64]

UP = np.array([0.0, 0.0, 1.0])
OTHER_THINGS = -1
"""Owner number of pixels that belong to hands and things in the map of who covers what."""


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp in the direction ``towards`` (3,) a unit vector from the table, plus the room.

    ``softness_mm`` blurs shadows, ``glare`` (n, 4) holds highlights: table x, y, radius in mm and
    strength; ``shade`` (coarse grid, BGR) multiplies everything, light colour included.
    """

    towards: Vector
    room: float
    lamp: float
    softness_mm: float
    shadow: float
    glare: NDArray[np.float64]
    shade: Plane


@dataclass(frozen=True, slots=True)
class RenderedPicture:
    """A picture with its truth.

    ``pixels_bgr`` (H, W, 3) uint8; ``quads_xy`` (n, 4, 2) float32 corners of each tile's upper
    face from its own top left clockwise, pixel centres at whole numbers; ``labels`` are ``K7``,
    ``J`` or ``face-down``; ``visible`` (n,) share of each face that is in the picture and not
    covered; ``standing`` (n,) says which tiles stand on a rack.
    """

    pixels_bgr: NDArray[np.uint8]
    quads_xy: NDArray[np.float32]
    labels: tuple[str, ...]
    visible: NDArray[np.float32]
    standing: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Box:
    """A box in space: the centre of its lower face, unit axes right, up and outward."""

    base: Vector
    right: Vector
    up: Vector
    normal: Vector
    half: tuple[float, float]
    thickness: float

    def corners(self, height: float) -> Vector:
        """Top left, top right, bottom right, bottom left at ``height`` over the base: (4, 3)."""
        signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
        middle = self.base + self.normal * height
        return np.array(
            [
                middle + self.right * sx * self.half[0] + self.up * sy * self.half[1]
                for sx, sy in signs
            ]
        )


def _axes(angle: float, tilt: float) -> tuple[Vector, Vector, Vector]:
    right = np.array([np.cos(angle), np.sin(angle), 0.0])
    flat_up = np.array([np.sin(angle), -np.cos(angle), 0.0])
    up = np.cos(tilt) * flat_up + np.sin(tilt) * UP
    normal = np.cos(tilt) * UP - np.sin(tilt) * flat_up
    return right, up, normal


def tile_box(pose: TilePose, design: TileDesign) -> _Box:
    """The body of a tile in place."""
    right, up, normal = _axes(pose.angle_rad, pose.tilt_rad)
    base = np.array([pose.x_mm, pose.y_mm, pose.z_mm])
    half = design.width_mm / 2, design.height_mm / 2
    return _Box(base, right, up, normal, half, design.thickness_mm)


@dataclass
class Canvas:
    """A picture being painted, far things first: light (h, w, 3) float32 and each pixel's owner."""

    camera: Camera
    light: Light
    pixels: Plane
    owner: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        self.owner = np.zeros(self.pixels.shape[:2], np.int32)

    def _region(self, points: Vector, margin: int = 2) -> tuple[int, int, int, int] | None:
        height, width = self.owner.shape
        x0, y0 = np.floor(points.min(0)).astype(int) - margin
        x1, y1 = np.ceil(points.max(0)).astype(int) + margin
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
        return None if x0 >= x1 or y0 >= y1 else (int(x0), int(y0), int(x1), int(y1))

    def polygon(
        self, points_xy: Vector, colour: Sequence[float], owner: int, opacity: float = 1.0
    ) -> None:
        """Fill a convex or plain polygon, anti-aliased."""
        region = self._region(points_xy)
        if region is None:
            return
        x0, y0, x1, y1 = region
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        where = np.round((points_xy - (x0, y0)) * 16).astype(np.int32)
        cv2.fillPoly(mask, [where], 255, cv2.LINE_AA, 4)
        cover = mask[..., None].astype(np.float32) * np.float32(opacity / 255)
        part = self.pixels[y0:y1, x0:x1]
        part += cover * (np.asarray(colour, np.float32) - part)
        self.owner[y0:y1, x0:x1][mask > 127] = owner

    def lambert(self, normal: Vector) -> float:
        """Brightness of a white face that looks along ``normal``."""
        return self.light.room + self.light.lamp * max(0.0, float(normal @ self.light.towards))

    def box(
        self, box: _Box, face: Face, side_bgr: Sequence[float], owner: int, gloss: float
    ) -> None:
        """Paint a box: its visible sides, then its face with relief and highlight."""
        lower = self.camera.project(box.corners(0.0))
        top_mm = box.corners(box.thickness)
        top = self.camera.project(top_mm)
        eye = self.camera.position_mm
        outward = (box.up, box.right, -box.up, -box.right)
        for k in range(4):
            middle = (top_mm[k] + top_mm[(k + 1) % 4]) / 2
            if outward[k] @ (eye - middle) > 0:
                side = np.array([top[k], top[(k + 1) % 4], lower[(k + 1) % 4], lower[k]])
                bright = self.lambert(outward[k]) * 0.9
                self.polygon(side, [c * bright for c in side_bgr], owner)
        self._face(box, face, top, owner, gloss)

    def _face(self, box: _Box, face: Face, top: Vector, owner: int, gloss: float) -> None:
        region = self._region(top)
        if region is None:
            return
        x0, y0, x1, y1 = region
        base = self.lambert(box.normal)
        along = float(box.right @ self.light.towards) * self.light.lamp / max(base, 0.05)
        across = float(box.up @ self.light.towards) * self.light.lamp / max(base, 0.05)
        rise_x = cv2.Sobel(face.relief, -1, 1, 0, scale=0.125)
        rise_y = cv2.Sobel(face.relief, -1, 0, 1, scale=0.125)
        shade = np.clip(1 + 0.9 * (rise_y * across - rise_x * along), 0.35, 1.7)
        lit = face.albedo_bgr * (base * shade)[..., None]
        shine = self._shine(box, face.relief.shape, gloss)
        if shine is not None:
            lit = lit + shine[..., None]
        layer = np.dstack([lit * face.coverage[..., None], face.coverage])
        h, w = face.coverage.shape
        source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
        target = (top - (x0, y0) - 0.5).astype(np.float32)
        transform = cv2.getPerspectiveTransform(source, target)
        size = (x1 - x0, y1 - y0)
        warped = cv2.warpPerspective(
            layer, transform, size, flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0)
        )
        part = self.pixels[y0:y1, x0:x1]
        part *= 1 - warped[..., 3:]
        part += warped[..., :3]
        self.owner[y0:y1, x0:x1][warped[..., 3] > 0.5] = owner

    def _shine(self, box: _Box, shape: tuple[int, ...], gloss: float) -> Plane | None:
        """Highlights as a polished face shows them: soft spots that wash the ink out."""
        total: Plane | None = None
        for gx, gy, radius, strength in self.light.glare:
            offset = np.array([gx, gy, 0.0]) - box.base
            x, y = float(offset @ box.right), float(offset @ box.up)
            if np.hypot(x, y) > radius + box.half[0] + box.half[1] or gloss * strength < 0.02:
                continue
            across = np.linspace(-box.half[0], box.half[0], shape[1], dtype=np.float32)[None, :]
            down = np.linspace(box.half[1], -box.half[1], shape[0], dtype=np.float32)[:, None]
            near = ((across - x) ** 2 + (down - y) ** 2) / (radius * radius)
            spot = np.float32(strength * gloss) * np.exp(-2.5 * near)
            total = spot if total is None else total + spot
        return total

    def shadows(self, boxes: Sequence[_Box]) -> None:
        """Darken the table where boxes stand between it and the lamp, softly at the rim."""
        if not boxes or self.light.shadow <= 0:
            return
        mask = np.zeros(self.owner.shape, np.uint8)
        contact = np.zeros(self.owner.shape, np.uint8)
        slope = self.light.towards / max(self.light.towards[2], 0.2)
        for box in boxes:
            solid = np.concatenate([box.corners(0.0), box.corners(box.thickness)])
            fallen = solid - slope * solid[:, 2:3]
            fallen[:, 2] = 0
            outline = np.round(self.camera.project(np.concatenate([fallen, solid[:4] * (1, 1, 0)])))
            cv2.fillConvexPoly(mask, cv2.convexHull(outline.astype(np.int32)), 255)
            foot = np.round(self.camera.project(solid[:4] * (1, 1, 0))).astype(np.int32)
            cv2.fillConvexPoly(contact, foot, 255)
        scale = self.camera.focal_px / self.camera.distance_mm
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.6, self.light.softness_mm * scale))
        close = cv2.GaussianBlur(contact, (0, 0), max(0.7, 1.5 * scale))
        dim = soft.astype(np.float32) * np.float32(self.light.shadow / 255)
        dim = np.maximum(dim, close.astype(np.float32) * np.float32(0.45 / 255))
        self.pixels *= 1 - dim[..., None]

    def stroke(self, points_xy: Vector, thickness_px: float, colour: Sequence[float]) -> None:
        """A rounded limb such as a finger: shaded across, covering what lies below."""
        region = self._region(points_xy, int(thickness_px))
        if region is None:
            return
        x0, y0, x1, y1 = region
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        where = np.round((points_xy - (x0, y0)) * 16).astype(np.int32)
        cv2.polylines(mask, [where], False, 255, max(1, round(thickness_px)), cv2.LINE_AA, 4)
        cover = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None].astype(np.float32) / 255
        depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
        round_off = 0.72 + 0.4 * np.clip(depth / max(1.0, thickness_px / 2), 0, 1)
        tint = np.asarray(colour, np.float32) * round_off[..., None]
        part = self.pixels[y0:y1, x0:x1]
        part += cover * (tint - part)
        self.owner[y0:y1, x0:x1][mask > 127] = OTHER_THINGS

    def finish(self) -> Plane:
        """The light with uneven illumination applied."""
        height, width = self.owner.shape
        shade = cv2.resize(self.light.shade, (width, height), interpolation=cv2.INTER_CUBIC)
        return np.asarray(self.pixels * shade, np.float32)


def paint_table(
    surface: Plane, camera: Camera, mm_per_texel: float, offset_mm: tuple[float, float]
) -> Plane:
    """The bare table (h, w, 3) as the camera sees it; the surface repeats mirrored."""
    texel = np.array(
        [[mm_per_texel, 0, offset_mm[0]], [0, mm_per_texel, offset_mm[1]], [0, 0, 1]], np.float64
    )
    transform = camera.image_from_table() @ texel
    size = (camera.width, camera.height)
    painted = cv2.warpPerspective(
        surface, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(painted, np.float32)


def thing_box(
    thing: FlatThing, x_mm: float, y_mm: float, angle_rad: float, z_mm: float = 0.0
) -> _Box:
    """The body of a flat thing in place."""
    right, up, normal = _axes(angle_rad, 0.0)
    half = thing.width_mm / 2, thing.height_mm / 2
    return _Box(np.array([x_mm, y_mm, z_mm]), right, up, normal, half, thing.thickness_mm)


def thing_face(thing: FlatThing, width_px: float) -> Face:
    """The thing's face at about ``width_px``, as a flat relief with rounded corners."""
    h, w = thing.albedo_bgr.shape[:2]
    scale = float(np.clip(width_px * 1.2 / w, 0.05, 1.0))
    size = max(4, round(w * scale)), max(4, round(h * scale))
    albedo = cv2.resize(thing.albedo_bgr, size, interpolation=cv2.INTER_AREA)
    cover = np.zeros((size[1], size[0]), np.uint8)
    r = max(1, round(thing.round_corners * size[0]))
    cv2.rectangle(cover, (r, 0), (size[0] - 1 - r, size[1] - 1), 255, -1)
    cv2.rectangle(cover, (0, r), (size[0] - 1, size[1] - 1 - r), 255, -1)
    for x in (r, size[0] - 1 - r):
        for y in (r, size[1] - 1 - r):
            cv2.circle(cover, (x, y), r, 255, -1)
    relief = np.zeros(cover.shape, np.float32)
    coverage = np.asarray(cover / np.float32(255), np.float32)
    return Face(np.asarray(albedo, np.float32), relief, coverage)


class FaceCache:
    """Faces of one design, drawn once per label and size step."""

    def __init__(self, design: TileDesign) -> None:
        self.design = design
        self._faces: dict[tuple[str, int, int], Face] = {}

    def face(self, label: str, copy: int, width_px: float) -> Face:
        """A face about a quarter wider than it will be seen, so that nothing aliases or blurs."""
        step = round(np.log(max(width_px, 10.0) * 1.25) / np.log(1.2))
        key = label, copy if label == "J" else 0, int(step)
        if key not in self._faces:
            self._faces[key] = draw_face(self.design, label, min(420, round(1.2**step)), copy)
        return self._faces[key]


def put_tiles(
    canvas: Canvas, poses: Sequence[TilePose], faces: FaceCache, first_owner: int = 1
) -> list[_Box]:
    """Paint tiles far to near; pose k owns pixels ``first_owner + k``. Returns their bodies."""
    design = faces.design
    boxes = [tile_box(pose, design) for pose in poses]
    eye = canvas.camera.position_mm
    order = sorted(
        range(len(boxes)),
        key=lambda k: (boxes[k].base[2], -float(np.linalg.norm(boxes[k].base - eye))),
    )
    seen: dict[str, int] = {}
    for k in order:
        label = poses[k].label
        copy = seen.get(label, 0)
        seen[label] = copy + 1
        top = canvas.camera.project(boxes[k].corners(boxes[k].thickness))
        if not _touches(top, canvas.owner.shape):
            continue
        width = float(np.linalg.norm(top[1] - top[0]) + np.linalg.norm(top[2] - top[3])) / 2
        height = float(np.linalg.norm(top[3] - top[0])) * design.width_mm / design.height_mm
        face = faces.face(label, copy, max(width, height))
        canvas.box(boxes[k], face, design.body_bgr, first_owner + k, design.gloss)
    return boxes


def _touches(points: Vector, shape: tuple[int, ...]) -> bool:
    low, high = points.min(0), points.max(0)
    return bool(high[0] > 0 and high[1] > 0 and low[0] < shape[1] and low[1] < shape[0])


def truth(
    canvas: Canvas,
    poses: Sequence[TilePose],
    boxes: Sequence[_Box],
    pixels_bgr: NDArray[np.uint8],
    first_owner: int = 1,
    keep: Callable[[float], bool] = lambda visible: visible > 0,
) -> RenderedPicture:
    """The picture with each tile's quad and visible share, tiles that fail ``keep`` left out."""
    quads, labels, shares, standing = [], [], [], []
    counts = np.bincount(np.maximum(canvas.owner, 0).ravel(), minlength=first_owner + len(poses))
    for k, (pose, box) in enumerate(zip(poses, boxes, strict=True)):
        quad = canvas.camera.project(box.corners(box.thickness))
        area = cv2.contourArea(quad.astype(np.float32))
        seen = _own_face_pixels(canvas, quad, first_owner + k) if counts[first_owner + k] else 0
        share = min(1.0, seen / max(area, 1.0) * 1.03)
        if keep(share):
            quads.append(quad - 0.5)  # OpenCV's warps put pixel centres at whole numbers
            labels.append(pose.label)
            shares.append(share)
            standing.append(pose.tilt_rad != 0)
    return RenderedPicture(
        pixels_bgr,
        np.array(quads, np.float32).reshape(-1, 4, 2),
        tuple(labels),
        np.array(shares, np.float32),
        np.array(standing, np.bool_),
    )


def _own_face_pixels(canvas: Canvas, quad: Vector, owner: int) -> int:
    height, width = canvas.owner.shape
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 1, (width, height))
    if x0 >= x1 or y0 >= y1:
        return 0
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad - (x0, y0)).astype(np.int32), 1)
    return int(np.count_nonzero((canvas.owner[y0:y1, x0:x1] == owner) & (mask > 0)))
