"""What makers print on jokers: faces, stars, crowns, words, letters, and figures of every kind.

The first ones are those that sets are sold with most often. The others teach that whatever is no number
and stands where numbers do may be a joker: of them a sheet shows many at once.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.rendering.canvas import Canvas, Plane, flower_points, heart_points, star_points
from vision.rendering.designs import Colour, JokerStyle, TileDesign
from vision.rendering.strokes import aslant
from vision.rendering.typefaces import Typeface, fitted_mask, text_mask

WAYS = (0.3, 0.3, 0.28, 0.12)
"""How often the word for a joker stands across, down, aslant, and letter below letter."""

SHORT: Final = 2
"""Up to so many letters are drawn as large as a number..."""
LETTER_HEIGHTS: Final = (0.26, 0.62)
"""...as shares of the tile's height..."""
WITH_FIGURE: Final = 0.6
"""...mostly with a small figure beside."""


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


def draw_joker(canvas: Canvas, design: TileDesign, copy: int) -> Colour:
    """Draw the face of a set's joker, the first one's for ``copy`` 0; returns its ink."""
    style, ink = _face_of(design, copy)
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
    elif style.face in OTHER_FACES:
        OTHER_FACES[style.face](canvas, design, style, rng)
        return ink
    if style.face == "word" or rng.random() < 0.15:
        _draw_word(canvas, design, ink, rng, alone=style.face == "word")
    return ink


def _face_of(design: TileDesign, copy: int) -> tuple[JokerStyle, Colour]:
    """Style and ink of a set's joker: of ``more_jokers`` each has one of its own, in turn."""
    if copy < 2 or not design.more_jokers:
        return design.joker, design.joker.inks_bgr[copy % 2]
    style = design.more_jokers[(copy - 2) % len(design.more_jokers)]
    return style, style.inks_bgr[0]


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


def _draw_letters(
    canvas: Canvas, design: TileDesign, style: JokerStyle, rng: np.random.Generator
) -> None:
    """A letter or two as large as a number, mostly with a small figure, or a word in one ink or all."""
    typeface = design.typeface if rng.random() < 0.6 else design.name_typeface
    ink = style.inks_bgr[0]
    if len(style.symbol) <= SHORT:
        tall = canvas.height * rng.uniform(*LETTER_HEIGHTS)
        mask = fitted_mask(
            text_mask(typeface, style.symbol), tall, canvas.width * 0.84, design.digit_squeeze
        )
        canvas.ink(canvas.stamp(mask, (0.5, style.centre_y)), ink, design.engraving)
        if rng.random() < WITH_FIGURE:
            at = float(rng.uniform(0.2, 0.8)), float(rng.choice([0.12, 0.84]))
            _draw_small_figure(
                canvas, rng, _any_ink(design, style, rng), at, rng.uniform(0.05, 0.1)
            )
    elif rng.random() < 0.4:
        _draw_letter_by_letter(canvas, design, style, rng, typeface)
    else:
        turned = aslant(text_mask(typeface, style.symbol), rng.uniform(-90, 90))
        high, wide = turned.shape
        tall = min(canvas.height * rng.uniform(0.3, 0.8), canvas.width * 0.9 * high / wide)
        at = 0.5, float(rng.uniform(0.35, 0.55))
        canvas.ink(canvas.stamp(fitted_mask(turned, tall, canvas.width), at), ink)


def _draw_letter_by_letter(
    canvas: Canvas,
    design: TileDesign,
    style: JokerStyle,
    rng: np.random.Generator,
    typeface: Typeface,
) -> None:
    """A word down the tile or along an arc across it, each letter in an ink of its own or all in one."""
    many = bool(rng.random() < 0.6)
    down = bool(rng.random() < 0.5)
    count = len(style.symbol)
    rise = rng.uniform(-0.06, 0.06)
    for place, letter in enumerate(style.symbol):
        ink = _any_ink(design, style, rng) if many else style.inks_bgr[0]
        t = (place + 0.5) / count
        at = (0.5, 0.08 + 0.84 * t) if down else (0.08 + 0.84 * t, 0.4 + rise * (4 * t * (1 - t)))
        tall = canvas.height * (0.7 / count if down else rng.uniform(0.14, 0.2))
        widest = canvas.width * (0.5 if down else 0.8 / count)
        mask = fitted_mask(text_mask(typeface, letter), tall, widest)
        canvas.ink(canvas.stamp(mask, at), ink)


def _draw_figures(
    canvas: Canvas, design: TileDesign, style: JokerStyle, rng: np.random.Generator
) -> None:
    """Two to six small figures about a middle, in one ink or in several."""
    count = int(rng.integers(2, 7))
    aspect = canvas.height / canvas.width
    around = rng.uniform(0.14, 0.24)
    size = min(0.12, around * rng.uniform(0.45, 0.8))
    many, start = bool(rng.random() < 0.5), rng.uniform(0, 2 * np.pi)
    for place in range(count):
        ink = _any_ink(design, style, rng) if many else style.inks_bgr[0]
        angle = start + 2 * np.pi * place / count
        x = 0.5 + around * np.cos(angle) * min(aspect, 1.5)
        at = float(x), float(style.centre_y + around * np.sin(angle))
        _draw_small_figure(canvas, rng, ink, at, size)


def _draw_crown(
    canvas: Canvas, design: TileDesign, style: JokerStyle, rng: np.random.Generator
) -> None:
    """A crown of three to five points with balls on them."""
    ink, at = style.inks_bgr[0], (0.5, style.centre_y)
    r = min(style.size / 2, 0.42 * canvas.width / canvas.height)
    points, top = int(rng.integers(3, 6)), rng.uniform(0.55, 0.95)
    xs = np.linspace(-1, 1, 2 * points - 1)
    ys = np.where(np.arange(2 * points - 1) % 2 == 0, -top, rng.uniform(-0.3, 0.1))
    outline = np.stack([np.append(xs, [0.85, -0.85]), np.append(ys, [0.6, 0.6])], 1)
    canvas.ink(canvas.shape(outline, at, r), ink)
    balls = _any_ink(design, style, rng) if rng.random() < 0.4 else ink
    for x, y in zip(xs[::2], ys[::2], strict=True):
        place = at[0] + x * r * canvas.height / canvas.width, at[1] + y * r
        canvas.ink(canvas.disc(place, r * 0.13), balls)
    if rng.random() < 0.5:
        band = np.array([[-0.8, 0.25], [0.8, 0.25], [0.8, 0.4], [-0.8, 0.4]])
        canvas.ink(canvas.shape(band, at, r), design.body_bgr)


def _draw_clown(
    canvas: Canvas, design: TileDesign, style: JokerStyle, rng: np.random.Generator
) -> None:
    """A face with hair on both sides, a hat, a large nose and a bow, in several inks."""
    inks = [_any_ink(design, style, rng) for _ in range(4)]
    r = min(0.36 * style.size, 0.3 * canvas.width / canvas.height)
    at, aspect = (0.5, style.centre_y), canvas.height / canvas.width
    for side in (-1, 1):
        hair = at[0] + side * r * 0.95 * aspect, at[1] - r * rng.uniform(-0.1, 0.3)
        canvas.ink(canvas.disc(hair, r * rng.uniform(0.35, 0.5)), inks[0])
    canvas.ink(canvas.disc(at, r), design.body_bgr)
    canvas.ink(canvas.disc(at, r, 0.02), inks[1])
    if rng.random() < 0.7:
        wide, high = rng.uniform(0.5, 1.0), rng.uniform(0.7, 1.2)
        flat = rng.uniform(0.0, 0.5) * wide
        hat = np.array([[-wide, 0.0], [wide, 0.0], [flat, -high], [-flat, -high]])
        canvas.ink(canvas.shape(hat, (at[0], at[1] - 0.75 * r), r), inks[2])
    for side in (-1, 1):
        eye = at[0] + side * 0.4 * r * aspect, at[1] - 0.2 * r
        canvas.ink(canvas.disc(eye, r * rng.uniform(0.09, 0.16)), inks[1])
    canvas.ink(canvas.disc((at[0], at[1] + 0.12 * r), r * rng.uniform(0.15, 0.25)), inks[3])
    mouth = canvas.disc((at[0], at[1] + 0.2 * r), 0.55 * r, 0.025)
    mouth[: round((at[1] + 0.4 * r) * canvas.height)] = 0
    canvas.ink(mouth, inks[3])
    if rng.random() < 0.5:
        bow = np.array([[-0.7, -0.35], [0, 0], [0.7, -0.35], [0.7, 0.35], [0, 0], [-0.7, 0.35]])
        canvas.ink(canvas.shape(bow, (at[0], at[1] + 1.35 * r), r), inks[0])


def _draw_mark(
    canvas: Canvas, design: TileDesign, style: JokerStyle, rng: np.random.Generator
) -> None:
    """A figure that means nothing: a smooth outline with holes in it, or two that cross."""
    r = min(style.size / 2, 0.42 * canvas.width / canvas.height)
    for _ in range(int(rng.integers(1, 3))):
        ink = _any_ink(design, style, rng) if rng.random() < 0.3 else style.inks_bgr[0]
        canvas.ink(_blob(canvas, rng, (0.5, style.centre_y), r), ink)
        for _ in range(int(rng.integers(1, 4))):
            hole = rng.uniform([0.3, style.centre_y - r * 0.6], [0.7, style.centre_y + r * 0.6])
            cut = _blob(canvas, rng, (float(hole[0]), float(hole[1])), r * rng.uniform(0.12, 0.4))
            canvas.ink(cut, design.body_bgr)


def _blob(canvas: Canvas, rng: np.random.Generator, at: tuple[float, float], size: float) -> Plane:
    """A smooth outline, filled: the sum of a few waves around a circle."""
    t = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    radii = 0.7 + sum(
        rng.normal(0, 0.3 / waves) * np.cos(waves * t + rng.uniform(0, 2 * np.pi))
        for waves in range(1, 7)
    )
    points = np.stack([np.cos(t), np.sin(t)], 1) * np.clip(radii, 0.15, 1.1)[:, None]
    return canvas.shape(points, at, size)


def _draw_quarters(
    canvas: Canvas, design: TileDesign, style: JokerStyle, rng: np.random.Generator
) -> None:
    """A disc, or four of them, in all inks of the set."""
    r = min(style.size / 2, 0.42 * canvas.width / canvas.height)
    at, inks = (0.5, style.centre_y), [design.inks_bgr[suit] for suit in rng.permutation([*"KRBO"])]
    turn = rng.uniform(0, np.pi / 2)
    apart = bool(rng.random() < 0.5)
    for quarter, ink in enumerate(inks):
        start = turn + quarter * np.pi / 2
        if apart:
            middle = start + np.pi / 4
            x = at[0] + 0.6 * r * np.cos(middle) * canvas.height / canvas.width
            place = float(x), float(at[1] + 0.6 * r * np.sin(middle))
            _draw_small_figure(canvas, rng, ink, place, r * 0.42)
        else:
            t = np.linspace(start, start + np.pi / 2, 24)
            wedge = np.concatenate([[[0.0, 0.0]], np.stack([np.cos(t), np.sin(t)], 1)])
            canvas.ink(canvas.shape(wedge, at, r), ink)
    if not apart and rng.random() < 0.5:
        canvas.ink(canvas.disc(at, r * rng.uniform(0.3, 0.7)), design.body_bgr)


def _draw_small_figure(
    canvas: Canvas, rng: np.random.Generator, ink: Colour, at: tuple[float, float], size: float
) -> None:
    kind = rng.integers(6)
    if kind == 0:
        plane = canvas.shape(star_points(int(rng.integers(4, 7)), rng.uniform(0.35, 0.6)), at, size)
    elif kind == 1:
        plane = canvas.shape(heart_points(), at, size)
    elif kind == 2:
        plane = canvas.disc(at, size * 0.8)
    elif kind == 3:
        plane = canvas.disc(at, size * 0.8, 0.02)
    elif kind == 4:
        plane = canvas.shape(star_points(2, 0.5), at, size)
    else:
        plane = canvas.shape(flower_points(int(rng.integers(4, 8))), at, size)
    canvas.ink(plane, ink)


def _any_ink(design: TileDesign, style: JokerStyle, rng: np.random.Generator) -> Colour:
    """One of the set's inks, or the joker's own."""
    return (*design.inks_bgr.values(), *style.inks_bgr)[rng.integers(len(design.inks_bgr) + 2)]


OTHER_FACES: Final = {
    "letters": _draw_letters,
    "figures": _draw_figures,
    "crown": _draw_crown,
    "clown": _draw_clown,
    "mark": _draw_mark,
    "quarters": _draw_quarters,
}
"""The rarer faces, by the name that a `JokerStyle` has for each."""
