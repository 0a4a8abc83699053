"""Table tops: wood, stone, cloth, carpet, paper and plain colour, from noise alone.

Every function takes a ``numpy.random.Generator`` and returns BGR albedo (size, size, 3)
float32 in 0..1.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]

SIZE = 768
"""Pixels on each side of a drawn surface."""


def noise(rng: np.random.Generator, size: int, cells: tuple[int, int], octaves: int = 4) -> Plane:
    """Value noise (size, size) of about -1..1; ``cells`` (down, across) at the coarsest octave."""
    total = np.zeros((size, size), np.float32)
    weight = 1.0
    for octave in range(octaves):
        shape = tuple(min(size, max(2, c << octave)) for c in cells)
        grid = rng.standard_normal(shape).astype(np.float32)
        total += weight * cv2.resize(grid, (size, size), interpolation=cv2.INTER_CUBIC)
        weight *= 0.55
    return np.asarray(total / 1.6, np.float32)


def _tone(
    rng: np.random.Generator,
    hue: tuple[float, float],
    sat: tuple[float, float],
    val: tuple[float, float],
) -> Plane:
    red, green, blue = colorsys.hsv_to_rgb(
        (rng.uniform(*hue) % 360) / 360, rng.uniform(*sat), rng.uniform(*val)
    )
    return np.array([blue, green, red], np.float32)


def _mix(plane: Plane, low: Plane, high: Plane) -> Plane:
    share = np.clip(plane * 0.5 + 0.5, 0, 1)[..., None]
    return np.asarray(low + share * (high - low), np.float32)


def wood(rng: np.random.Generator) -> Plane:
    """Boards with grain, rings about knots and seams."""
    base = _tone(rng, (12, 40), (0.25, 0.75), (0.18, 0.85))
    dark = base * rng.uniform(0.45, 0.85)
    warp = noise(rng, SIZE, (3, 2), 3) * rng.uniform(0.2, 1.2)
    y = np.linspace(0, rng.uniform(4, 16), SIZE, dtype=np.float32)[:, None]
    x = np.linspace(-1, 1, SIZE, dtype=np.float32)[None, :]
    field = y + warp
    for _ in range(rng.integers(0, 4)):  # knots bend the grain into rings
        cx, cy, r = rng.uniform(-1, 1), rng.uniform(0, y[-1, 0]), rng.uniform(0.05, 0.2)
        near = np.exp(-(((x - cx) / r) ** 2 + ((y - cy) / (4 * r)) ** 2))
        field = field + near.astype(np.float32) * rng.uniform(1, 4)
    rings = np.sin(field * 2 * np.pi) * 0.7 + noise(rng, SIZE, (160, 4), 2) * 0.7
    picture = _mix(rings.astype(np.float32), dark, base)
    if rng.random() < 0.4:
        for seam in np.arange(rng.integers(40, 200), SIZE, rng.integers(100, 400)):
            picture[seam : seam + rng.integers(1, 4)] *= rng.uniform(0.3, 0.8)
    return picture


def stone(rng: np.random.Generator) -> Plane:
    """Marble with veins, or granite with grains."""
    base = _tone(rng, (20, 240), (0.0, 0.15), (0.3, 0.98))
    if rng.random() < 0.6:
        flow = noise(rng, SIZE, (3, 3), 5)
        veins = np.exp(-np.abs(flow) * rng.uniform(8, 30))
        return np.asarray(base * (1 - veins[..., None] * rng.uniform(0.2, 0.7)), np.float32)
    grain = noise(rng, SIZE, (int(rng.integers(60, 200)),) * 2, 2)
    return _mix(grain, base * rng.uniform(0.3, 0.8), base)


def cloth(rng: np.random.Generator) -> Plane:
    """Woven threads, plain, striped or checked."""
    base = _tone(rng, (0, 360), (0.0, 0.8), (0.12, 0.98))
    other = _tone(rng, (0, 360), (0.0, 0.7), (0.1, 1.0))
    threads = rng.uniform(40, 200)
    t = np.linspace(0, threads * 2 * np.pi, SIZE, dtype=np.float32)
    weave = np.sin(t)[None, :] * np.sin(t + 1)[:, None] + noise(rng, SIZE, (96, 96), 2) * 0.8
    picture = np.asarray(base * (1 + 0.12 * weave[..., None]), np.float32)
    if rng.random() < 0.45:
        bands = rng.integers(2, 24)
        stripe = (np.linspace(0, bands, SIZE, endpoint=False) % 1 < rng.uniform(0.2, 0.6)).astype(
            np.float32
        )
        across = stripe[None, :] * np.ones((SIZE, 1), np.float32)
        if rng.random() < 0.6:
            across = np.asarray((across + stripe[:, None]) / 2, np.float32)
        picture += across[..., None] * (other - base) * rng.uniform(0.3, 1.0)
    return picture


def carpet(rng: np.random.Generator) -> Plane:
    """Coarse loops in two or three shades, sometimes with a pattern of figures."""
    base = _tone(rng, (0, 360), (0.0, 0.6), (0.2, 0.9))
    other = _tone(rng, (0, 360), (0.0, 0.6), (0.1, 0.95))
    angle = rng.uniform(0, np.pi)
    grid = np.arange(SIZE, dtype=np.float32)
    u = grid[None, :] * np.cos(angle) + grid[:, None] * np.sin(angle)
    v = -grid[None, :] * np.sin(angle) + grid[:, None] * np.cos(angle)
    pitch = rng.uniform(6, 40)
    wobble = noise(rng, SIZE, (24, 24), 3) * pitch * 0.25
    loops = np.sin((u + wobble) * 2 * np.pi / pitch) * np.sin(
        (v + wobble) * 2 * np.pi / (pitch * rng.uniform(1, 3))
    )
    shade = noise(rng, SIZE, (int(rng.integers(4, 40)),) * 2, 3)
    picture = _mix(np.asarray(shade * 1.5, np.float32), base, other)
    picture *= 1 + rng.uniform(0.1, 0.5) * loops[..., None]
    for _ in range(rng.integers(0, 14)):
        centre = tuple(int(c) for c in rng.integers(0, SIZE, 2))
        ink = tuple(float(c) for c in _tone(rng, (0, 360), (0.2, 0.9), (0.2, 0.9)))
        axes = int(rng.integers(8, 90)), int(rng.integers(8, 90))
        turn, width = int(rng.integers(0, 180)), int(rng.choice([-1, 2, 5]))
        cv2.ellipse(picture, centre, axes, turn, 0, 360, ink, width, cv2.LINE_AA)
    return np.asarray(picture, np.float32)


def plain(rng: np.random.Generator) -> Plane:
    """Paint, laminate, felt or leather: one colour with a little life in it."""
    kind = rng.random()
    if kind < 0.45:
        base = _tone(rng, (20, 260), (0.0, 0.1), (0.75, 1.0))  # white tables
    elif kind < 0.6:
        base = _tone(rng, (90, 170), (0.4, 0.9), (0.15, 0.5))  # felt
    else:
        base = _tone(rng, (0, 360), (0.0, 0.8), (0.05, 0.95))
    cells = int(rng.integers(2, 160))
    return np.asarray(
        base * (1 + rng.uniform(0.0, 0.12) * noise(rng, SIZE, (cells, cells), 3)[..., None]),
        np.float32,
    )


def printed_cloth(rng: np.random.Generator) -> Plane:
    """A cloth with scattered figures in several colours."""
    picture = plain(rng)
    inks = [tuple(float(c) for c in _tone(rng, (0, 360), (0.3, 1.0), (0.2, 1.0))) for _ in range(4)]
    for _ in range(rng.integers(20, 160)):
        centre = tuple(int(c) for c in rng.integers(0, SIZE, 2))
        ink = inks[rng.integers(4)]
        size = int(rng.integers(3, 34))
        kind = rng.integers(4)
        if kind == 0:
            cv2.circle(picture, centre, size, ink, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(picture, centre, size, ink, 2, cv2.LINE_AA)
        elif kind == 2:
            far = centre[0] + size, centre[1] + int(size * rng.uniform(0.6, 1.6))
            cv2.rectangle(picture, centre, far, ink, int(rng.choice([-1, 2])))
        else:
            cv2.ellipse(
                picture,
                centre,
                (size, size // 2 + 1),
                int(rng.integers(180)),
                0,
                360,
                ink,
                -1,
                cv2.LINE_AA,
            )
    return picture


SURFACES: tuple[tuple[Callable[[np.random.Generator], Plane], float], ...] = (
    (wood, 0.3),
    (plain, 0.28),
    (stone, 0.12),
    (cloth, 0.13),
    (carpet, 0.1),
    (printed_cloth, 0.07),
)
"""Each kind of surface with its share."""


def sample_surface(rng: np.random.Generator) -> Plane:
    """A table top, clipped to 0.01..1."""
    shares = np.array([share for _, share in SURFACES])
    draw = SURFACES[rng.choice(len(SURFACES), p=shares / shares.sum())][0]
    return np.clip(draw(rng), 0.01, 1.0)
