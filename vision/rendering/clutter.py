"""What lies on tables and is no tile: cards, papers, phones, keyboards, boxes, dominoes, dice.

Each drawer returns an albedo (h, w, 3) float32 BGR 0..1 for the upper face of a flat box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.canvas import heart_points, star_points
from vision.rendering.typefaces import Typeface, fitted_mask, text_mask

Plane = NDArray[np.float32]

WORDS = """
score total round points milk sugar notes monday meeting salt chocolate premium original cookies
tea coffee volume power enter shift delete game rules player family club winner 250ml 2024 fresh
best before
""".split()  # noqa: SIM905


RANKS = ("A", *(str(k) for k in range(2, 11)), "J", "Q", "K", "B", "D")
"""Indices of cards; B and D are jack and queen of German decks."""


@dataclass(frozen=True, slots=True)
class FlatThing:
    """A flat box on the table: its upper face, size in millimetres and side colour."""

    albedo_bgr: Plane
    width_mm: float
    height_mm: float
    thickness_mm: float
    round_corners: float


def _blank(height: int, width: int, colour: Sequence[float]) -> Plane:
    face = np.empty((height, width, 3), np.float32)
    face[:] = colour
    return face


def _print(face: Plane, mask: NDArray[np.uint8], x: int, y: int, ink: Sequence[float]) -> None:
    h, w = mask.shape
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, face.shape[1]), min(y + h, face.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    cover = mask[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.float32) / 255
    face[y0:y1, x0:x1] += cover * (np.asarray(ink, np.float32) - face[y0:y1, x0:x1])


def _colour(rng: np.random.Generator, low: float = 0.05, high: float = 0.95) -> list[float]:
    return [float(v) for v in rng.uniform(low, high, 3)]


def _poly(
    face: Plane,
    points: NDArray[np.float64],
    centre: tuple[float, float],
    size: float,
    ink: Sequence[float],
) -> None:
    plane = np.zeros(face.shape[:2], np.uint8)
    where = np.round((np.array(centre) + points * size) * 16).astype(np.int32)
    cv2.fillPoly(plane, [where], 255, cv2.LINE_AA, 4)
    cover = plane[..., None].astype(np.float32) / 255
    face += cover * (np.asarray(ink, np.float32) - face)


def card(rng: np.random.Generator, typeface: Typeface) -> FlatThing:
    """A playing card, face up or down."""
    h, w = 190, 134
    face = _blank(h, w, [rng.uniform(0.86, 1.0)] * 3)
    if rng.random() < 0.15:
        back = _colour(rng)
        cv2.rectangle(face, (9, 9), (w - 10, h - 10), back, -1)
        for k in range(12, w, 9):
            cv2.line(face, (k, 10), (w - k, h - 10), _colour(rng, 0.5, 1.0), 1)
        return FlatThing(face, 63, 88, 0.4, 0.06)
    red = rng.random() < 0.5
    ink = [0.1, 0.08, rng.uniform(0.7, 0.9)] if red else [0.08, 0.08, 0.08]
    pip = heart_points() if rng.random() < 0.5 else star_points(4, rng.uniform(0.5, 0.9))
    rank = str(rng.choice(RANKS))
    index = fitted_mask(text_mask(typeface, rank), 26, 30)
    for turned in range(2):
        _print(face, index, 8, 8, ink)
        _poly(face, pip, (8 + index.shape[1] / 2, 48), 9, ink)
        if turned == 0:
            if rank in {"J", "Q", "K", "B", "D"}:
                cv2.rectangle(face, (34, 24), (w - 35, h - 25), ink, 1)
                for _ in range(9):
                    far = rng.integers(34, [w - 34, h - 26])
                    near = rng.integers(34, [w - 34, h - 26])
                    cv2.line(
                        face, near.tolist(), far.tolist(), _colour(rng), int(rng.integers(1, 6))
                    )
            else:
                count = int(rank) if rank.isdigit() else 1
                for k in range(count):
                    at = (
                        w / 2 + (k % 2 * 2 - 1) * (24 if count > 1 else 0),
                        30 + (k // 2 + 0.5) * 130 / ((count + 1) // 2),
                    )
                    _poly(face, pip, at, 12 if count > 1 else 26, ink)
        face = np.ascontiguousarray(face[::-1, ::-1])
    return FlatThing(face, 63, 88, 0.4, 0.06)


def paper(rng: np.random.Generator, typeface: Typeface) -> FlatThing:
    """A sheet, note or score pad with writing, often columns of numbers."""
    h, w = 300, int(rng.integers(180, 300))
    tone = [rng.uniform(0.8, 1.0)] * 3 if rng.random() < 0.75 else [0.5, 0.9, 0.95]
    face = _blank(h, w, tone)
    ink = _colour(rng, 0.0, 0.4)
    line = int(rng.integers(12, 46))
    if rng.random() < 0.4:
        for y in range(line, h, line):
            cv2.line(face, (0, y), (w, y), [0.7, 0.6, 0.5], 1)
        for x in range(w // 4, w, w // 4):
            cv2.line(face, (x, 0), (x, h), [0.6, 0.6, 0.6], 1)
    numbers = rng.random() < 0.5
    for y in range(6, h - line, line):
        x = 6
        while x < w - 20:
            word = str(rng.integers(1, 99)) if numbers else str(rng.choice(WORDS))
            mask = fitted_mask(text_mask(typeface, word), line * 0.6, w - x)
            _print(face, mask, x, y, ink)
            x += mask.shape[1] + int(line * rng.uniform(0.4, 2.0))
    size = rng.uniform(70, 220)
    return FlatThing(face, size * w / h, size, 0.4, 0.0)


def phone(rng: np.random.Generator, typeface: Typeface) -> FlatThing:
    """A phone with a dark or lit screen."""
    h, w = 300, 150
    face = _blank(h, w, [rng.uniform(0.01, 0.1)] * 3)
    if rng.random() < 0.6:
        cv2.rectangle(face, (6, 10), (w - 7, h - 11), _colour(rng), -1)
        for y in range(30, h - 30, 34):
            for x in range(14, w - 30, 34):
                cv2.rectangle(face, (x, y), (x + 24, y + 24), _colour(rng), -1)
        time = f"{rng.integers(24)}:{rng.integers(60):02d}"
        _print(face, fitted_mask(text_mask(typeface, time), 20, 100), 30, 8, [1, 1, 1])
    return FlatThing(face, 74, 150, 8, 0.1)


def keyboard(rng: np.random.Generator, typeface: Typeface) -> FlatThing:
    """Keys in rows: a keyboard, a calculator or a remote control."""
    columns, rows = int(rng.integers(3, 13)), int(rng.integers(3, 6))
    pitch = 34
    face = _blank(rows * pitch + 12, columns * pitch + 12, [rng.uniform(0.02, 0.9)] * 3)
    key = [rng.uniform(0.02, 1.0)] * 3
    ink = [0.05] * 3 if key[0] > 0.5 else [0.95] * 3
    for y in range(rows):
        for x in range(columns):
            at = 8 + x * pitch, 8 + y * pitch
            cv2.rectangle(face, at, (at[0] + 28, at[1] + 28), key, -1)
            glyph = str(rng.choice(list("QWERTZUIOPASDFGHJKL1234567890+-=")))
            _print(face, fitted_mask(text_mask(typeface, glyph), 13, 18), at[0] + 6, at[1] + 6, ink)
    return FlatThing(face, face.shape[1] / pitch * 19, face.shape[0] / pitch * 19, 10, 0.03)


def printed_box(rng: np.random.Generator, typeface: Typeface) -> FlatThing:
    """A lid, book, packet or sticker with figures and large words."""
    h, w = int(rng.integers(140, 300)), int(rng.integers(140, 300))
    face = _blank(h, w, _colour(rng))
    for _ in range(rng.integers(1, 8)):
        centre = rng.integers(0, [w, h]).tolist()
        if rng.random() < 0.5:
            cv2.circle(
                face, centre, int(rng.integers(6, 60)), _colour(rng), int(rng.choice([-1, 3]))
            )
        else:
            far = rng.integers(0, [w, h]).tolist()
            cv2.rectangle(face, centre, far, _colour(rng), int(rng.choice([-1, 3])))
    for _ in range(rng.integers(1, 5)):
        word = str(rng.choice(WORDS)) if rng.random() < 0.6 else str(rng.integers(1, 400))
        word = word.upper() if rng.random() < 0.5 else word
        mask = fitted_mask(text_mask(typeface, word), rng.uniform(14, 60), w * 0.9)
        _print(face, mask, int(rng.integers(0, w // 2)), int(rng.integers(0, h - 20)), _colour(rng))
    scale = rng.uniform(0.25, 0.9)
    return FlatThing(face, w * scale, h * scale, float(rng.uniform(0.3, 40)), 0.02)


def domino(rng: np.random.Generator, typeface: Typeface) -> FlatThing:
    """A domino; ``typeface`` is not used, drawers share one signature."""
    del typeface
    dark = rng.random() < 0.4
    face = _blank(160, 80, [0.08] * 3 if dark else [rng.uniform(0.8, 1.0)] * 3)
    ink = [0.95] * 3 if dark else _colour(rng, 0.0, 0.3)
    cv2.line(face, (8, 80), (72, 80), ink, 3)
    for half in range(2):
        for _ in range(rng.integers(0, 7)):
            at = 20 + int(rng.integers(3)) * 20, 20 + int(rng.integers(3)) * 20 + half * 80
            cv2.circle(face, at, 7, ink, -1)
    return FlatThing(face, 24, 48, 8, 0.05)


def plain_block(rng: np.random.Generator, typeface: Typeface) -> FlatThing:
    """A rubber, a sticky note, a blank slip, a die: tile-like outlines with nothing to read."""
    del typeface
    face = _blank(60, 60, _colour(rng) if rng.random() < 0.5 else [rng.uniform(0.7, 1.0)] * 3)
    if rng.random() < 0.4:
        for _ in range(rng.integers(1, 7)):
            at = rng.choice([14, 30, 46], 2).tolist()
            cv2.circle(face, at, 6, _colour(rng, 0, 0.3), -1)
        return FlatThing(face, 16, 16, 16, 0.15)
    return FlatThing(
        face,
        float(rng.uniform(15, 80)),
        float(rng.uniform(15, 80)),
        float(rng.uniform(0.2, 20)),
        0.03,
    )


DRAWERS: tuple[tuple[Callable[[np.random.Generator, Typeface], FlatThing], float], ...] = (
    (card, 0.22),
    (paper, 0.22),
    (phone, 0.1),
    (keyboard, 0.12),
    (printed_box, 0.18),
    (domino, 0.06),
    (plain_block, 0.1),
)
"""Each kind of thing with its share."""


def sample_thing(rng: np.random.Generator, typeface: Typeface) -> FlatThing:
    """Something that is no tile."""
    shares = np.array([share for _, share in DRAWERS])
    return DRAWERS[rng.choice(len(DRAWERS), p=shares / shares.sum())][0](rng, typeface)
