"""What is printed on things: faces of tiles with their relief, playing cards and papers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.rendering.ray_traced.makers import Maker, Rgb

PX_PER_METRE = 12_000.0
"""Resolution of a printed face: 12 pixels a millimetre, finer than any picture shows it."""

Point = tuple[float, float]


def face_print(maker: Maker, label: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The ink of a face, (H, W, 4) RGBA, and its relief (H, W): 255 at the surface, 0 deepest.

    Labels are ``K7`` and the like, ``J`` and ``J2`` for the jokers of two inks.
    """
    size = (round(maker.width * PX_PER_METRE), round(maker.height * PX_PER_METRE))
    page = Image.new("RGBA", size, (0, 0, 0, 0))
    bowl = np.zeros((size[1], size[0]), np.float32)
    if label.startswith("J"):
        _draw_joker(page, maker, maker.joker_inks[label == "J2"])
    else:
        _draw_number(page, maker, label)
        if "dish" in maker.mark:
            bowl = _bowl(size, maker)
    pixels = np.asarray(page)
    depth = bowl
    if maker.engraving:
        depth = np.maximum(depth, pixels[..., 3].astype(np.float32) / 255)
    return pixels, (255 - 255 * np.clip(depth, 0, 1)).astype(np.uint8)


def _draw_number(page: Image.Image, maker: Maker, label: str) -> None:
    width, height = page.size
    ink = maker.inks[label[0]]
    centre = (width / 2, height * maker.digit_centre)
    box = _paste_text(
        page,
        label[1:],
        maker.typeface.path,
        centre,
        (width * 0.76, height * maker.digit_height),
        ink,
        maker.squeeze,
    )
    draw = ImageDraw.Draw(page)
    if maker.mark == "none" and label[1:] in {"6", "9"}:
        top = box[3] + height * 0.03
        draw.rectangle((box[0], top, box[2], top + height * 0.025), fill=(*ink, 255))
    _draw_mark(draw, maker, (width / 2, height * 0.76), width, ink)


def _draw_mark(draw: ImageDraw.ImageDraw, maker: Maker, at: Point, width: float, ink: Rgb) -> None:
    fill = (*ink, 255)
    line = round(width * 0.03)
    if maker.mark in {"ring", "dish"}:
        draw.ellipse(_around(at, width * 0.17), outline=fill, width=line)
    if maker.mark == "dot":
        draw.ellipse(_around(at, width * 0.09), fill=fill)
    if maker.mark == "star":
        draw.polygon(star(at, width * 0.15), fill=fill)
    if maker.mark == "heart dish":
        draw.polygon(heart(at, width * 0.13), fill=fill)


def _bowl(size: tuple[int, int], maker: Maker) -> NDArray[np.float32]:
    """The depth of a dish under the number: a bowl, deepest in its middle."""
    width, height = size
    y, x = np.mgrid[:height, :width].astype(np.float32)
    away = np.hypot(x - width / 2, y - height * 0.76) / (width * 0.24)
    deep = 1.0 if maker.mark == "dish" else 0.7
    bowl: NDArray[np.float32] = deep * np.clip(1 - away**2, 0, 1)
    return bowl


def _draw_joker(page: Image.Image, maker: Maker, ink: Rgb) -> None:
    width, height = page.size
    draw = ImageDraw.Draw(page)
    at, fill = (width / 2, height * 0.45), (*ink, 255)
    if maker.joker == "smiley":
        _draw_smile(draw, at, width * 0.32, fill)
    elif maker.joker == "star":
        draw.polygon(star(at, width * 0.36), fill=fill)
        _draw_smile(draw, at, width * 0.14, (255, 255, 255, 255), ring=False)
    elif maker.joker == "jester":
        _draw_jester(draw, at, width, fill)
    else:
        draw.polygon(star((width / 2, height * 0.3), width * 0.2), fill=fill)
        low = (width / 2, height * 0.64)
        _paste_text(
            page, "JOKER", maker.typeface.path, low, (width * 0.78, height * 0.15), ink, 1.0
        )


def _draw_smile(
    draw: ImageDraw.ImageDraw,
    at: Point,
    radius: float,
    fill: tuple[int, int, int, int],
    ring: bool = True,
) -> None:
    x, y = at
    line = max(2, round(radius * 0.15))
    if ring:
        draw.ellipse(_around(at, radius), outline=fill, width=line)
    for side in (-1, 1):
        eye = (x + side * radius * 0.36, y - radius * 0.28)
        draw.ellipse(_around(eye, radius * 0.13), fill=fill)
    draw.arc(_around((x, y + radius * 0.02), radius * 0.6), 20, 160, fill=fill, width=line)


def _draw_jester(
    draw: ImageDraw.ImageDraw, at: Point, width: float, fill: tuple[int, int, int, int]
) -> None:
    x, y = at
    r = width * 0.2
    _draw_smile(draw, (x, y + r * 0.6), r, fill)
    peaks = ((-1.6, -0.4), (0.0, -1.9), (1.6, -0.4))
    hat = [(-0.95, 0.2), peaks[0], (-0.45, -0.75), peaks[1], (0.45, -0.75), peaks[2], (0.95, 0.2)]
    draw.polygon([(x + a * r, y + b * r) for a, b in hat], fill=fill)
    for a, b in peaks:
        draw.ellipse(_around((x + a * r, y + b * r), r * 0.22), fill=fill)


def _around(at: Point, radius: float) -> tuple[float, float, float, float]:
    return at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius


def star(at: Point, radius: float) -> list[Point]:
    """The ten corners of a five-pointed star, its first point on top."""
    corners = []
    for k in range(10):
        reach = radius if k % 2 == 0 else radius * 0.42
        angle = math.pi * k / 5
        corners.append((at[0] + reach * math.sin(angle), at[1] - reach * math.cos(angle)))
    return corners


def heart(at: Point, radius: float) -> list[Point]:
    """The outline of a heart, its point at the bottom."""
    outline = []
    for k in range(48):
        t = 2 * math.pi * k / 48
        across = 16 * math.sin(t) ** 3
        down = -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t))
        outline.append((at[0] + across * radius / 16, at[1] + down * radius / 16))
    return outline


def _paste_text(
    page: Image.Image,
    text: str,
    typeface: str | None,
    centre: Point,
    room: tuple[float, float],
    ink: Rgb,
    squeeze: float,
) -> tuple[float, float, float, float]:
    """Draw ``text`` around a point as high as ``room`` allows, never wider; returns its box."""
    font = ImageFont.load_default(300) if typeface is None else ImageFont.truetype(typeface, 300)
    left, top, right, bottom = font.getbbox(text)
    mask = Image.new("L", (round(right - left) + 8, round(bottom - top) + 8), 0)
    ImageDraw.Draw(mask).text((4 - left, 4 - top), text, fill=255, font=font)
    box = mask.getbbox()
    assert box is not None, f"{typeface} has no ink for {text}"
    mask = mask.crop(box)
    height = room[1]
    width = min(mask.width * height / mask.height * squeeze, room[0])
    size = (max(1, round(width)), max(1, round(height)))
    corner = (round(centre[0] - size[0] / 2), round(centre[1] - size[1] / 2))
    page.paste(
        Image.new("RGBA", size, (*ink, 255)), corner, mask.resize(size, Image.Resampling.LANCZOS)
    )
    return corner[0], corner[1], corner[0] + size[0], corner[1] + size[1]


def card_print(rng: np.random.Generator) -> NDArray[np.uint8]:
    """A playing card's face, (H, W, 4) RGBA: rank and pip in two corners, and large in the middle."""
    page = Image.new("RGBA", (630, 880), (250, 250, 247, 255))
    draw = ImageDraw.Draw(page)
    ink = ((190, 20, 30), (20, 20, 22))[int(rng.integers(2))]
    rank = str(rng.choice([*"23456789", "10", "J", "Q", "K", "A"]))
    for _ in range(2):
        _paste_text(page, rank, None, (75, 90), (90, 110), ink, 1.0)
        draw.polygon(heart((75, 200), 36), fill=(*ink, 255))
        page = page.rotate(180)
        draw = ImageDraw.Draw(page)
    draw.polygon(heart((315, 440), 120), fill=(*ink, 255))
    return np.asarray(page)


def paper_print(rng: np.random.Generator) -> NDArray[np.uint8]:
    """A score sheet, (H, W, 4) RGBA: columns of printed numbers under a line of letters."""
    page = Image.new("RGBA", (700, 990), (248, 247, 242, 255))
    draw = ImageDraw.Draw(page)
    ink = ((25, 25, 30), (30, 50, 130))[int(rng.integers(2))]
    for column in range(4):
        at = 120 + column * 155
        _paste_text(page, "ABCD"[column], None, (at, 90), (60, 60), ink, 1.0)
        for row in range(int(rng.integers(3, 9))):
            number = str(int(rng.integers(-60, 120)))
            _paste_text(page, number, None, (at, 200 + row * 85), (100, 46), ink, 1.0)
    draw.line((50, 145, 650, 145), fill=(*ink, 255), width=5)
    return np.asarray(page)
