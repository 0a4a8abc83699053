"""One tile's face: what is printed on it and how its surface is shaped."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.rendering.canvas import Canvas, Plane, heart_points, star_points
from vision.rendering.designs import Colour, TileDesign
from vision.rendering.joker_faces import draw_joker
from vision.rendering.strokes import hollow, leaning, thin_text_mask
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

    ``copy`` counts jokers: the first two have one face, in the first and the second ink, further ones
    those of ``design.more_jokers``.
    """
    canvas = Canvas(design, width_px)
    scale = canvas.width / design.width_mm
    if design.dish_radius:
        centre = (0.5, design.digit_y if label != "J" else design.joker.centre_y)
        radius = min(design.dish_radius, 0.46 * canvas.width / canvas.height)
        dish = cv2.GaussianBlur(canvas.disc(centre, radius), (0, 0), max(0.6, 0.35 * scale))
        canvas.relief -= dish * 0.9 * scale
    if label == "J":
        ink = draw_joker(canvas, design, copy)
        if design.ornament in {"name", "frame", "rule"}:
            _draw_ornament(canvas, design, ink, 0)
    elif label != "face-down":
        _draw_number(canvas, design, label[0], int(label[1:]))
    coverage, bevel = _outline(design, canvas.width, canvas.height)
    return Face(canvas.albedo, canvas.relief + bevel, coverage)
