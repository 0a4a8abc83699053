"""One tile's face: what is printed on it and how its surface is shaped."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.rendering.canvas import Canvas, Plane, heart_points, star_points
from vision.rendering.designs import Colour, TileDesign
from vision.rendering.strokes import aslant, hollow, leaning, thin_text_mask
from vision.rendering.surrounds import draw_surround
from vision.rendering.typefaces import fitted_mask, text_mask

BRAND_LETTERS = (
    "Rommiko",
    "Tilemo",
    "Numero",
    "Rummy",
    "Game",
    "Okey",
    "Classic",
    "Sabro",
    "ORIGINAL",
)
"""Invented or general words for the engraved name, so that no reader learns one brand's."""


WAYS = (0.3, 0.3, 0.28, 0.12)
"""How often the word for a joker stands across, down, aslant, and letter below letter."""


@dataclass(frozen=True, slots=True)
class Face:
    """Printed colour ``albedo_bgr`` (h, w, 3), surface ``relief`` (h, w) in pixels of height and
    ``coverage`` (h, w) of the rounded outline; all float32, colours and coverage 0..1."""

    albedo_bgr: Plane
    relief: Plane
    coverage: Plane


def _draw_ornament(canvas: Canvas, design: TileDesign, ink: Colour, number: int) -> None:
    rng = np.random.default_rng(design.ornament_seed)
    below = min(0.9, design.digit_y + design.digit_height / 2 + 0.16)
    kind = design.ornament
    if kind == "name":
        word = BRAND_LETTERS[rng.integers(len(BRAND_LETTERS))]
        mask = text_mask(design.name_typeface, word)
        fitted = fitted_mask(mask, canvas.height * rng.uniform(0.06, 0.13), canvas.width * 0.8)
        canvas.relief -= canvas.stamp(fitted, (0.5, max(below, 0.82))) * rng.uniform(0.3, 1.2)
    elif kind == "dot" and (number in {6, 9} or rng.random() < 0.3):
        canvas.ink(canvas.disc((0.5, below - 0.06), rng.uniform(0.018, 0.04)), ink)
    elif kind == "underline" and (number in {6, 9} or rng.random() < 0.2):
        bar = np.array([[-1, -0.12], [1, -0.12], [1, 0.12], [-1, 0.12]])
        canvas.ink(canvas.shape(bar, (0.5, below - 0.08), rng.uniform(0.1, 0.18)), ink)
    elif kind == "shape":
        _draw_suit_shape(canvas, ink, rng, (0.5, max(below, 0.76)), design.figure)
    elif kind in {"frame", "rule"}:
        inset = rng.uniform(0.04, 0.1)
        plane = np.zeros((canvas.height, canvas.width), np.uint8)
        near = round(inset * canvas.width), round(inset * canvas.width)
        far = canvas.width - near[0], canvas.height - near[1]
        if kind == "rule":
            near = near[0], canvas.height - near[1]
        cv2.rectangle(plane, near, far, 255, max(1, canvas.width // 40), cv2.LINE_AA)
        tone = ink if rng.random() < 0.5 else (0.5, 0.5, 0.5)
        canvas.ink(np.asarray(plane * np.float32(0.8 / 255), np.float32), tone)


def _draw_suit_shape(
    canvas: Canvas,
    ink: Colour,
    rng: np.random.Generator,
    centre: tuple[float, float],
    scale: float,
) -> None:
    """A figure below the number, as on Okey tiles, often in a hollow."""
    size = rng.uniform(0.07, 0.13) * scale
    if rng.random() < 0.5:
        canvas.relief -= 2.0 * cv2.GaussianBlur(canvas.disc(centre, size * 1.5), (0, 0), 1.0)
    kind = rng.integers(5)
    if kind == 0:
        canvas.ink(canvas.shape(heart_points(), centre, size), ink)
    elif kind == 1:
        canvas.ink(canvas.disc(centre, size), ink)
    elif kind == 2:
        canvas.ink(canvas.disc(centre, size, 0.025), ink)
    elif kind == 3:
        canvas.ink(canvas.shape(star_points(5, 0.4), centre, size), ink)
    else:
        for dx, dy in ((-0.6, 0.1), (0.6, 0.1), (0.0, -0.8)):
            at = centre[0] + dx * size * canvas.height / canvas.width, centre[1] + dy * size
            canvas.ink(canvas.disc(at, size * 0.55), ink)


def _draw_number(canvas: Canvas, design: TileDesign, suit: str, number: int) -> None:
    ink = design.inks_bgr[suit]
    if design.stroke is None:
        mask = text_mask(design.typeface, str(number))
    else:
        mask = thin_text_mask(design.typeface, str(number), design.stroke)
    height = canvas.height * design.digit_height
    if number >= 10:
        height *= 0.94
    # what is squeezed afterwards leans less: so it leans more before
    mask = leaning(mask, float(np.arctan(np.tan(design.lean_rad) / design.digit_squeeze)))
    number_ink, widest = ink, 0.84
    if design.surround is not None:
        number_ink, height, widest = draw_surround(canvas, design, ink, height)
    fitted = fitted_mask(mask, height, canvas.width * widest, design.digit_squeeze)
    if design.hollow is not None:
        fitted = hollow(fitted, design.hollow)
    canvas.ink(canvas.stamp(fitted, (0.5, design.digit_y)), number_ink, design.engraving)
    _draw_ornament(canvas, design, ink, number)


def _draw_moon(
    canvas: Canvas, rng: np.random.Generator, ink: Colour, at: tuple[float, float], r: float
) -> None:
    """A round face with brows, eyes, nose and a smile, in line or reversed out of a full disc."""
    body = tuple(float(v) for v in canvas.albedo[canvas.height // 2, 2])
    line = rng.uniform(0.012, 0.03)
    full = rng.random() < 0.25
    canvas.ink(canvas.disc(at, r, 0.0 if full else line), ink)
    if not full and rng.random() < 0.4:
        canvas.ink(canvas.disc(at, r * rng.uniform(0.7, 0.86), line * 0.6), ink)
    pen: Colour = (body[0], body[1], body[2]) if full else ink
    aspect = canvas.height / canvas.width
    thick = max(1, round(line * canvas.height * rng.uniform(0.8, 1.4)))
    plane = np.zeros((canvas.height, canvas.width), np.uint8)

    def point(x: float, y: float) -> tuple[int, int]:
        return (
            round((at[0] + x * r * aspect) * canvas.width * 16),
            round((at[1] + y * r) * canvas.height * 16),
        )

    def size(value: float) -> int:
        return max(10, round(value * r * canvas.height * 16))

    gap, lift = rng.uniform(0.3, 0.42), rng.uniform(0.12, 0.3)
    for side in (-1, 1):
        eye = point(side * gap, -lift)
        if rng.random() < 0.5:
            cv2.circle(plane, eye, size(rng.uniform(0.07, 0.14)), 255, -1, cv2.LINE_AA, 4)
        else:
            axes = size(0.2), size(rng.uniform(0.08, 0.16))
            cv2.ellipse(plane, eye, axes, 0, 0, 360, 255, thick, cv2.LINE_AA, 4)
        brow = point(side * gap, -lift - 0.1)
        cv2.ellipse(plane, brow, (size(0.24), size(0.2)), 0, 200, 340, 255, thick, cv2.LINE_AA, 4)
    if rng.random() < 0.75:
        start, end = point(0.02, -lift * 0.6), point(rng.uniform(-0.12, 0.12), 0.2)
        cv2.line(plane, start, end, 255, thick, cv2.LINE_AA, 4)
    mouth = size(rng.uniform(0.35, 0.6)), size(rng.uniform(0.2, 0.45))
    cv2.ellipse(plane, point(0, 0.2), mouth, 0, 15, 165, 255, thick, cv2.LINE_AA, 4)
    if rng.random() < 0.4:
        inner = mouth[0], max(8, mouth[1] // 2)
        cv2.ellipse(plane, point(0, 0.2), inner, 0, 15, 165, 255, thick, cv2.LINE_AA, 4)
    for side in (-1, 1):
        if rng.random() < 0.3:
            cv2.circle(plane, point(side * 0.55, 0.2), size(0.13), 255, thick, cv2.LINE_AA, 4)
    canvas.ink(np.asarray(plane / np.float32(255), np.float32), pen)


def _draw_jester(
    canvas: Canvas, rng: np.random.Generator, ink: Colour, at: tuple[float, float], r: float
) -> None:
    """A head under a cap with bells."""
    aspect = canvas.height / canvas.width
    _draw_moon(canvas, rng, ink, (at[0], at[1] + 0.3 * r), r * 0.55)
    tips = int(rng.integers(2, 4))
    for k in range(tips):
        x = (k - (tips - 1) / 2) * 1.1
        horn = np.array([[-0.45, 0.0], [0.45, 0.0], [x, rng.uniform(-1.0, -0.6)]])
        canvas.ink(canvas.shape(horn, (at[0], at[1] - 0.1 * r), r), ink)
        bell = at[0] + x * r * aspect, at[1] - r * 0.9
        canvas.ink(canvas.disc(bell, r * 0.13), ink)


def _draw_joker(canvas: Canvas, design: TileDesign, copy: int) -> None:
    style = design.joker
    ink = style.inks_bgr[copy % 2]
    rng = np.random.default_rng(style.seed)
    aspect = canvas.height / canvas.width
    r = min(style.size / 2, 0.44 / aspect)
    at = (0.5, style.centre_y)
    if style.face == "moon":
        _draw_moon(canvas, rng, ink, at, r)
    elif style.face == "smile":
        face = star_points(24, 0.98)
        canvas.ink(canvas.shape(face, at, r), ink)
        body = design.body_bgr
        for side in (-1, 1):
            canvas.ink(
                canvas.disc((at[0] + side * 0.35 * r * aspect, at[1] - 0.25 * r), 0.14 * r), body
            )
        smile = canvas.disc((at[0], at[1] + 0.1 * r), 0.5 * r, 0.02)
        smile[: round((at[1] + 0.15 * r) * canvas.height)] = 0
        canvas.ink(smile, body)
    elif style.face == "double":
        for side in (-1, 1):
            _draw_moon(
                canvas,
                rng,
                ink,
                (at[0] + side * 0.2 * r * aspect, at[1] + side * 0.35 * r),
                r * 0.62,
            )
    elif style.face == "star":
        tips = int(rng.integers(4, 9))
        canvas.ink(canvas.shape(star_points(tips, rng.uniform(0.35, 0.6)), at, r), ink)
    elif style.face == "sun":
        canvas.ink(canvas.shape(star_points(int(rng.integers(8, 16)), 0.7), at, r), ink)
        canvas.ink(canvas.disc(at, r * 0.62), design.body_bgr)
        _draw_moon(canvas, rng, ink, at, r * 0.55)
    elif style.face == "jester":
        _draw_jester(canvas, rng, ink, at, r)
    elif style.face == "symbol" and design.symbols is not None:
        mask = text_mask(design.symbols, style.symbol)
        canvas.ink(
            canvas.stamp(fitted_mask(mask, 2 * r * canvas.height, canvas.width * 0.85), at), ink
        )
    if style.face == "word" or rng.random() < 0.15:
        _draw_word(canvas, design, ink, rng, alone=style.face == "word")
    if design.ornament in {"name", "frame", "rule"}:
        _draw_ornament(canvas, design, ink, 0)


def _draw_word(
    canvas: Canvas, design: TileDesign, ink: Colour, rng: np.random.Generator, *, alone: bool
) -> None:
    """The word JOKER: across, down the side, aslant, letter below letter, or small under a figure."""
    word = str(rng.choice(["JOKER", "Joker", "JOKER", "J"]))
    mask = text_mask(design.typeface, word)
    if not alone:
        fitted = fitted_mask(mask, canvas.height * 0.1, canvas.width * 0.8)
        canvas.ink(canvas.stamp(fitted, (0.5, 0.88)), ink)
        return
    way = (
        "across"
        if word == "J"
        else str(rng.choice(["across", "down", "aslant", "stacked"], p=WAYS))
    )
    if way == "down":
        upright = np.ascontiguousarray(np.rot90(mask, k=int(rng.choice([1, 3]))))
        fitted = fitted_mask(upright, canvas.height * 0.8, canvas.width * 0.4)
        canvas.ink(canvas.stamp(fitted, (0.5, 0.5)), ink)
    elif way == "aslant":
        turned = aslant(mask, rng.uniform(20, 70) * rng.choice([-1, 1]))
        high, wide = turned.shape
        tall = min(canvas.height * rng.uniform(0.4, 0.75), canvas.width * 0.88 * high / wide)
        fitted = fitted_mask(turned, tall, canvas.width)
        canvas.ink(canvas.stamp(fitted, (0.5, rng.uniform(0.35, 0.5))), ink)
    elif way == "stacked":
        high = 0.8 / len(word)
        for place, letter in enumerate(word):
            each = text_mask(design.typeface, letter)
            fitted = fitted_mask(each, canvas.height * high * 0.85, canvas.width * 0.5)
            canvas.ink(canvas.stamp(fitted, (0.5, 0.1 + high * (place + 0.5))), ink)
    else:
        tall = canvas.height * (0.5 if word == "J" else 0.22)
        canvas.ink(canvas.stamp(fitted_mask(mask, tall, canvas.width * 0.88), (0.5, 0.4)), ink)


def _outline(design: TileDesign, width: int, height: int) -> tuple[Plane, Plane]:
    """Coverage of the rounded outline and the relief of its bevel."""
    scale = width / design.width_mm
    x = np.abs(np.arange(width, dtype=np.float32) + 0.5 - width / 2)
    y = np.abs(np.arange(height, dtype=np.float32) + 0.5 - height / 2)
    r = min(design.corner_mm * scale, width / 2 - 1)
    dx = np.maximum(x - (width / 2 - r), 0)
    dy = np.maximum(y - (height / 2 - r), 0)
    inside = r - np.hypot(dx[None, :], dy[:, None])  # px from the edge near corners
    edge = np.minimum(np.minimum(width / 2 - x[None, :], height / 2 - y[:, None]), inside)
    coverage = np.clip(edge + 0.5, 0, 1).astype(np.float32)
    bevel = max(0.8, design.bevel_mm * scale)
    relief = -bevel * 0.5 * np.clip(1 - edge / bevel, 0, 1) ** 2
    return coverage, relief.astype(np.float32)


def draw_face(design: TileDesign, label: str, width_px: int, copy: int = 0) -> Face:
    """The face of ``label`` (``K7``, ``J`` or ``face-down``), ``width_px`` wide, upright.

    ``copy`` 0 or 1 picks the first or second joker's ink.
    """
    canvas = Canvas(design, width_px)
    scale = canvas.width / design.width_mm
    if design.dish_radius:
        centre = (0.5, design.digit_y if label != "J" else design.joker.centre_y)
        radius = min(design.dish_radius, 0.46 * canvas.width / canvas.height)
        dish = cv2.GaussianBlur(canvas.disc(centre, radius), (0, 0), max(0.6, 0.35 * scale))
        canvas.relief -= dish * 0.9 * scale
    if label == "J":
        _draw_joker(canvas, design, copy)
    elif label != "face-down":
        _draw_number(canvas, design, label[0], int(label[1:]))
    coverage, bevel = _outline(design, canvas.width, canvas.height)
    return Face(canvas.albedo, canvas.relief + bevel, coverage)
