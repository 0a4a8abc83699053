"""How one maker's tiles look: body, inks, digits, ornaments and jokers, drawn at random.

The spread matters more than any single choice: what a reader has seen vary here it cannot
lean on later. Colours are BGR albedos in 0..1 under white light.
"""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.rendering.typefaces import BUILT_IN, Typeface, family_of

Colour = tuple[float, float, float]

SUITS = "KRBO"

ORNAMENTS = ("none", "name", "name", "dot", "underline", "shape", "frame", "rule")
"""What lies below or around the number; every one but none, frame and rule tells up from down."""

SURROUNDS = ("ring", "double ring", "square", "diamond", "disc", "heart", "star", "flower", "plate")
"""What some makers print about a number, in its ink; on the last five, which are filled, the number is
of the tile's own colour."""

JOKER_FACES = ("moon", "moon", "moon", "smile", "double", "star", "jester", "word", "symbol", "sun")

RARE_JOKER_FACES = (
    "letters",
    "letters",
    "letters",
    "figures",
    "crown",
    "clown",
    "mark",
    "quarters",
)

JOKER_LETTERS = (
    *("J", "J", "J", "J", "J", "JK", "Jk", "JR", "W", "M", "X"),
    *("JOKER", "Joker", "joker", "JOLLY", "Jolly", "WILD", "Joli", "JOKER"),
)
"""What stands on jokers that have letters alone."""

JOKER_SYMBOLS = "☺☻★☆✪✯✶♚♛♜♞☀☾✿☠⚙❂✺♠♣♥♦"

JOKER_PICTOGRAPHS = (
    "😀😃😄😁😆😅😂🙂🙃😉😊😇😍🤩😘😋😜🤪😝🤗🤭🤔😏😌😎🤓🧐😈👿💀👻👽🤖🎃😺😸😹😻🙈🙉🙊🐵🐒🦊🐶🐱🦁🐯🐴🦄🐮🐷🐸🐰🐻🐼🐨🐔🐧"
    "🦉🐢🐍🐙🐬🐳🦋🐞🐝🌞🌝🌛🌜🌚⭐🌟✨☀🌙⚡🔥❄☃⛄🌸🌹🌺🌻🌼🌷🍀🍁👑💎🎩🎭🤡🃏🎲🎯🎪🎠🏆🎁🎈🎉🔔🎵🎶❤"
    "💛🧙🧚🧞🤹🤴👸🦸🐉🐲🦖🚀⚓🎸"
)
"""What makers put on jokers where neither a moon, a star nor a word stands."""


@dataclass(frozen=True, slots=True)
class JokerStyle:
    """Face of both jokers; ``inks_bgr`` are the colours of the first and the second joker."""

    face: str
    inks_bgr: tuple[Colour, Colour]
    size: float
    centre_y: float
    seed: int
    symbol: str = "★"


@dataclass(frozen=True, slots=True)
class TileDesign:
    """One maker's set. Lengths named ``_mm`` are millimetres, others shares of the tile's height.

    ``digit_squeeze`` scales a digit's width; ``stroke`` is the most that strokes are wide on average,
    as a share of a digit's height, None for what the typeface has; ``lean_rad`` is how far digits lean
    to the right of what it has; ``figure`` is how large a figure below the number is, 1 as elsewhere;
    ``engraving`` is the depth of printed digits as seen by the light;
    ``dish_radius`` a round hollow about the number, 0 for none;
    ``surround`` what is printed about the number (`SURROUNDS`), None for nothing; ``hollow`` how wide
    the line is of digits that are outlines, as a share of their height, None for full ones;
    ``more_jokers`` the faces of a third joker and those after it, as no set has them and sheets show.
    """

    width_mm: float
    height_mm: float
    thickness_mm: float
    corner_mm: float
    bevel_mm: float
    body_bgr: Colour
    inks_bgr: Mapping[str, Colour]
    typeface: Typeface
    digit_height: float
    digit_y: float
    digit_squeeze: float
    engraving: float
    dish_radius: float
    ornament: str
    ornament_seed: int
    gloss: float
    joker: JokerStyle
    name_typeface: Typeface = BUILT_IN
    symbols: Typeface | None = None
    stroke: float | None = None
    lean_rad: float = 0.0
    figure: float = 1.0
    surround: str | None = None
    hollow: float | None = None
    more_jokers: tuple[JokerStyle, ...] = ()


def _hsv_bgr(hue_degrees: float, saturation: float, value: float) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb((hue_degrees % 360) / 360, saturation, value)
    return blue, green, red


def sample_inks(rng: np.random.Generator) -> dict[str, Colour]:
    """Four inks as makers print them: see the spread of blues, reds and fourth colours here.

    Blue runs from royal blue over light blue and teal to a dull grey blue, the fourth from
    red-orange to yellow; red and the fourth keep at least 16 degrees of hue between them.
    """
    red_hue = rng.normal(353, 6)
    red = _hsv_bgr(min(red_hue, 364), rng.uniform(0.68, 1.0), rng.uniform(0.55, 0.95))
    low = max(14.0, red_hue - 360 + 17)
    fourth_hue = low + rng.beta(1.3, 2.2) * (54 - low)
    fourth = _hsv_bgr(fourth_hue, rng.uniform(0.7, 1.0), rng.uniform(0.8, 1.0))
    kind = rng.random()
    if kind < 0.5:
        blue = _hsv_bgr(rng.uniform(202, 232), rng.uniform(0.65, 1.0), rng.uniform(0.45, 0.9))
    elif kind < 0.75:
        blue = _hsv_bgr(rng.uniform(185, 210), rng.uniform(0.55, 1.0), rng.uniform(0.5, 0.92))
    elif kind < 0.9:
        blue = _hsv_bgr(rng.uniform(165, 190), rng.uniform(0.45, 1.0), rng.uniform(0.4, 0.75))
    else:
        blue = _hsv_bgr(rng.uniform(200, 235), rng.uniform(0.35, 0.6), rng.uniform(0.4, 0.65))
    black = _hsv_bgr(rng.uniform(0, 360), rng.uniform(0, 0.25), rng.uniform(0.04, 0.22))
    if rng.random() < 0.08:  # sets whose fourth suit is a mustard or a light brown
        fourth = _hsv_bgr(rng.uniform(30, 44), rng.uniform(0.6, 0.9), rng.uniform(0.6, 0.8))
    return {"K": black, "R": red, "B": blue, "O": fourth}


def sample_body(rng: np.random.Generator) -> Colour:
    """Pure white over cream and ivory to yellow; now and then light wood, grey or bluish."""
    kind = rng.random()
    if kind < 0.3:
        return _hsv_bgr(rng.uniform(30, 60), rng.uniform(0, 0.05), rng.uniform(0.86, 1.0))
    if kind < 0.72:
        return _hsv_bgr(rng.uniform(34, 52), rng.uniform(0.05, 0.24), rng.uniform(0.82, 0.98))
    if kind < 0.82:
        return _hsv_bgr(rng.uniform(38, 52), rng.uniform(0.22, 0.45), rng.uniform(0.8, 0.96))
    if kind < 0.9:
        return _hsv_bgr(rng.uniform(190, 240), rng.uniform(0, 0.08), rng.uniform(0.8, 0.97))
    if kind < 0.96:
        return _hsv_bgr(rng.uniform(24, 38), rng.uniform(0.25, 0.5), rng.uniform(0.68, 0.88))
    return _hsv_bgr(rng.uniform(0, 360), rng.uniform(0, 0.05), rng.uniform(0.6, 0.82))


def _sample_joker(
    rng: np.random.Generator, inks: Mapping[str, Colour], symbols: bool
) -> JokerStyle:
    face = str(rng.choice(JOKER_FACES))
    if face == "symbol" and not symbols:
        face = "star"
    first = inks[str(rng.choice(list("RRKO")))]
    second = inks[str(rng.choice(list("KKRBO")))] if rng.random() < 0.7 else first
    return JokerStyle(
        face=face,
        inks_bgr=(first, second),
        size=float(rng.uniform(0.4, 0.66)),
        centre_y=float(rng.choice([rng.uniform(0.34, 0.46), rng.uniform(0.46, 0.54)])),
        seed=int(rng.integers(1 << 30)),
        symbol=str(rng.choice(list(JOKER_SYMBOLS))),
    )


def _by_family(typefaces: Sequence[Typeface], rng: np.random.Generator) -> Typeface:
    """One typeface, families equally likely however many weights they have."""
    families: dict[str, list[Typeface]] = {}
    for face in typefaces:
        families.setdefault(family_of(face), []).append(face)
    family = families[sorted(families)[rng.integers(len(families))]]
    weights = np.linspace(1, 3, len(family))  # the bolder cuts are nearer to what makers print
    return family[rng.choice(len(family), p=weights / weights.sum())]


def sample_design(
    rng: np.random.Generator,
    typefaces: Sequence[Typeface] = (BUILT_IN,),
    symbols: Typeface | None = None,
) -> TileDesign:
    """One maker's set, drawn from ``rng`` alone."""
    height = rng.uniform(32, 40)
    width = height * rng.uniform(0.63, 0.8)
    inks = sample_inks(rng)
    ornament = str(rng.choice(ORNAMENTS))
    upper = rng.random() < 0.8
    digit_height = rng.uniform(0.3, 0.5) if upper else rng.uniform(0.38, 0.58)
    lowest = digit_height / 2 + 0.07
    digit_y = max(lowest, rng.uniform(0.28, 0.42)) if upper else rng.uniform(0.46, 0.52)
    if ornament in {"none", "frame", "rule"} and digit_y > 0.43:
        ornament = "dot" if rng.random() < 0.5 else "underline"  # 6 and 9 must differ
    return TileDesign(
        width_mm=float(width),
        height_mm=float(height),
        thickness_mm=float(rng.uniform(4, 11)),
        corner_mm=float(rng.uniform(0.4, 3.6)),
        bevel_mm=float(rng.uniform(0.3, 2.4)),
        body_bgr=sample_body(rng),
        inks_bgr=inks,
        typeface=_by_family(typefaces, rng),
        digit_height=float(digit_height),
        digit_y=float(digit_y),
        digit_squeeze=float(rng.uniform(0.8, 1.25)),
        engraving=float(max(0.0, rng.normal(0.1, 0.35))),
        dish_radius=float(rng.uniform(0.26, 0.4)) if rng.random() < 0.35 else 0.0,
        ornament=ornament,
        ornament_seed=int(rng.integers(1 << 30)),
        gloss=float(rng.beta(1.2, 3)),
        joker=_sample_joker(rng, inks, symbols is not None),
        name_typeface=_by_family(typefaces, rng),
        symbols=symbols,
    )
