"""Makers of sets: how tiles of one set look and of what they are made. Every seed is another maker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.rendering.typefaces import Typeface, family_of

Rgb = tuple[int, int, int]
"""A colour as sRGB, 0 to 255."""

SUITS = "KRBO"
"""Black, red, blue, and the fourth colour."""

REDS: tuple[Rgb, ...] = ((200, 25, 35), (178, 18, 32), (222, 48, 40), (158, 34, 36), (226, 32, 66))
BLUES: tuple[Rgb, ...] = (
    (28, 62, 172),
    (20, 38, 108),
    (0, 108, 158),
    (34, 122, 196),
    (64, 122, 158),
)
BLACKS: tuple[Rgb, ...] = ((14, 14, 15), (36, 36, 40), (52, 49, 46))
FOURTHS: tuple[Rgb, ...] = (
    (236, 118, 14),
    (226, 96, 22),
    (232, 152, 22),
    (236, 184, 6),
    (204, 158, 30),
)
GREEN: Rgb = (22, 128, 62)

BODIES: dict[str, tuple[Rgb, ...]] = {
    "ivory": ((240, 231, 207), (235, 224, 195), (228, 213, 178)),
    "white": ((244, 244, 242), (238, 240, 244), (232, 230, 226)),
    "yellowish": ((232, 214, 150), (236, 222, 170)),
    "grey": ((206, 208, 206), (214, 220, 228)),
    "light wood": ((205, 165, 116), (218, 184, 138)),
    "brown": ((150, 103, 64), (168, 118, 76)),
    "black": ((24, 24, 27), (38, 36, 36)),
}
BODY_SHARES = {
    "ivory": 0.38,
    "white": 0.28,
    "yellowish": 0.07,
    "grey": 0.05,
    "light wood": 0.1,
    "brown": 0.06,
    "black": 0.06,
}
LIGHT_INKS: dict[str, Rgb] = {
    "K": (240, 240, 238),
    "R": (232, 52, 48),
    "B": (70, 146, 236),
    "O": (246, 190, 30),
}
"""Inks on black tiles, where white stands for the black suit."""

MARKS = ("ring", "dot", "dish", "star", "none", "heart dish")
MARK_SHARES = (0.24, 0.14, 0.18, 0.1, 0.24, 0.1)
JOKERS = ("smiley", "star", "jester", "word")


@dataclass(frozen=True, slots=True)
class Maker:
    """One maker's set. Lengths are metres, shares are of the tile's height."""

    body: str
    body_rgb: Rgb
    inks: dict[str, Rgb]
    typeface: Typeface
    width: float
    height: float
    thickness: float
    corner: float
    bevel: float
    roughness: float
    coat: float
    digit_height: float
    digit_centre: float
    squeeze: float
    mark: str
    engraving: float
    """Depth of digits under the surface; zero where they are printed on."""
    joker: str
    joker_inks: tuple[Rgb, Rgb]
    dome: float = 0.0
    """How much higher the middle of a face is than its border."""

    @property
    def fourth(self) -> str:
        """The fourth colour in a word, for sorting results."""
        red, green, _ = self.inks["O"]
        if green > red:
            return "green"
        return "yellow" if green > 0.72 * red else "orange"


def sample_maker(
    rng: np.random.Generator, typefaces: Sequence[Typeface], okey: bool = False
) -> Maker:
    """A maker; one of ``okey`` tiles, whose suits stand in a dish under the number, on request."""
    body = str(rng.choice(list(BODY_SHARES), p=list(BODY_SHARES.values())))
    inks = _inks(rng, body)
    height = float(rng.uniform(0.031, 0.040))
    mark = str(rng.choice(MARKS, p=MARK_SHARES))
    mark = str(rng.choice(["dish", "heart dish"])) if okey else mark
    marked = mark != "none"
    thickness = float(rng.uniform(0.0055, 0.011))
    joker_first = inks[str(rng.choice(["K", "R", "B"]))]
    return Maker(
        body=body,
        body_rgb=_shaken(rng, BODIES[body][int(rng.integers(len(BODIES[body])))], 5),
        inks=inks,
        typeface=_typeface(rng, typefaces),
        width=height * float(rng.uniform(0.64, 0.77)),
        height=height,
        thickness=thickness,
        corner=float(rng.uniform(0.0012, 0.0038)),
        bevel=float(rng.uniform(0.0004, 0.0014)),
        roughness=float(rng.uniform(0.45, 0.65) if "wood" in body else rng.uniform(0.12, 0.45)),
        coat=float(rng.choice([0.0, 0.0, 0.6, 1.0])),
        digit_height=float(rng.uniform(0.3, 0.42) if marked else rng.uniform(0.38, 0.52)),
        digit_centre=float(rng.uniform(0.3, 0.37) if marked else rng.uniform(0.36, 0.47)),
        squeeze=float(rng.uniform(0.85, 1.1)),
        mark=mark,
        engraving=float(rng.choice([0.0, 0.00015, 0.0004])),
        joker=str(rng.choice(JOKERS)),
        joker_inks=(joker_first, inks["R"] if joker_first != inks["R"] else inks["K"]),
    )


def glossy(rng: np.random.Generator, maker: Maker) -> Maker:
    """The same set, smooth enough to mirror a window; three in four with domed faces."""
    return replace(
        maker,
        roughness=float(rng.uniform(0.04, 0.3)),
        dome=float(rng.uniform(0.0, 0.0006)) if rng.random() < 0.75 else 0.0,
    )


def _typeface(rng: np.random.Generator, typefaces: Sequence[Typeface]) -> Typeface:
    """A family, all alike, and then a weight of it."""
    families = sorted({family_of(face) for face in typefaces})
    family = families[int(rng.integers(len(families)))]
    weights = [face for face in typefaces if family_of(face) == family]
    return weights[int(rng.integers(len(weights)))]


def _inks(rng: np.random.Generator, body: str) -> dict[str, Rgb]:
    if body == "black":
        return {suit: _shaken(rng, ink, 6) for suit, ink in LIGHT_INKS.items()}
    blue = BLUES[int(rng.integers(len(BLUES)))]
    fourth = FOURTHS[int(rng.integers(len(FOURTHS)))]
    if rng.random() < 0.12:
        blue, fourth = BLUES[int(rng.integers(2))], GREEN
    if body == "brown":
        fourth = FOURTHS[3]
    chosen = {
        "K": BLACKS[int(rng.integers(len(BLACKS)))],
        "R": REDS[int(rng.integers(len(REDS)))],
        "B": blue,
        "O": fourth,
    }
    return {suit: _shaken(rng, ink, 10) for suit, ink in chosen.items()}


def _shaken(rng: np.random.Generator, colour: Rgb, by: int) -> Rgb:
    red, green, blue = (int(np.clip(v + rng.integers(-by, by + 1), 0, 255)) for v in colour)
    return red, green, blue
