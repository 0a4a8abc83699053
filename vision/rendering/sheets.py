"""One maker's whole set lying apart in no order: many faces for the price of one picture.

A reader learns the shapes of numbers from these. Every number of every colour comes once, so that
nothing can be learned about which tiles keep company: the sets on a table are for the referee.
"""

from __future__ import annotations

import colorsys
from dataclasses import replace

import numpy as np

from vision.enrolment.scenes import picture_of
from vision.rendering.arrangements import LABELS, TilePose
from vision.rendering.camera import Camera
from vision.rendering.designs import (
    JOKER_FACES,
    JOKER_LETTERS,
    JOKER_PICTOGRAPHS,
    JOKER_SYMBOLS,
    RARE_JOKER_FACES,
    SURROUNDS,
    Colour,
    JokerStyle,
    TileDesign,
    sample_design,
)
from vision.rendering.scene import RenderedPicture
from vision.rendering.table_scenes import Typefaces

SQUEEZES, STROKES = (0.4, 0.85), (0.035, 0.13)
"""Widths of narrow digits, as shares of their typeface's, and of their strokes, as shares of a digit's
height."""

LEANS_DEG, BACKWARDS = (4.0, 18.0), 0.12
"""How far digits lean to the right, and how often it is to the left instead."""

ALSO_NARROW, ALSO_PALE = 0.5, 0.25
"""Of sets whose digits lean, those with narrow and thin ones too, and those with pale inks."""

PALENESS = (0.2, 0.5)
"""How much of a pale ink is the colour of the tile."""

SMALL_DIGITS = (0.17, 0.31)
"""Heights of small digits, as shares of their tile's."""

WITH_FIGURE, FIGURES = 0.6, (0.9, 1.7)
"""Of sets with small digits, those with a figure below the number, and how large it is for one."""

FRAMED_DIGITS = (0.24, 0.4)
"""The same of numbers in a frame or on a figure."""

HOLLOW, ALSO_FRAMED, PLAIN = 0.12, 0.09, 0.12
"""Of ornate sets, those whose digits are outlines, most of them without a frame (up to the second), and
those whose numbers are plain."""

HOLLOW_LINES = (0.04, 0.09)
"""How wide the lines of outlined digits are, as shares of a digit's height."""

PICTOGRAPHS = 0.5
"""Of the others, those with a pictograph for a joker."""

JOKERS, RARE_JOKERS = (14, 26), 0.65
"""Further jokers on a sheet of them, and the part of these that few makers have."""

SIZES = ((960, 720), (800, 600), (640, 640))

COLUMNS = 9

BROWN_BODIES, BLACK_BODIES = 0.15, 0.12
"""Sets of brown wood or dark plastic, and black ones with light inks; elsewhere both are absent."""

GREEN_FOURTH, GREY_BLACK = 0.1, 0.15
"""Sets whose fourth suit is green, and whose black has faded to grey."""

GREENS_DEG, GREEN_TO_BLUE_DEG = (85.0, 160.0), 25.0
"""Hues of green suits, and how far from its own set's blue one lies at least on sheets of such sets."""


def draw_sheet(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """One picture of a set with two jokers and a few backs; everything in it comes from ``rng``."""
    design = sample_design(rng, typefaces.digits, typefaces.symbols)
    return _sheet_of(_unusual(design, rng), rng)


def draw_narrow_sheet(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """The same of a set whose digits are narrow, thin or both, as tall handwriting is."""
    design = _unusual(sample_design(rng, typefaces.digits, typefaces.symbols), rng)
    return _sheet_of(_narrow(design, rng), rng)


def draw_leaning_sheet(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """The same of a set whose digits lean, as handwriting does, many of them narrow or pale."""
    design = _unusual(sample_design(rng, typefaces.digits, typefaces.symbols), rng)
    if rng.random() < ALSO_NARROW:
        design = _narrow(design, rng)
    if rng.random() < ALSO_PALE:
        design = _pale(design, rng)
    lean = np.radians(rng.uniform(*LEANS_DEG)) * (-1 if rng.random() < BACKWARDS else 1)
    return _sheet_of(replace(design, lean_rad=float(lean)), rng)


def draw_small_sheet(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """The same of a set with small digits, most of them above a figure as on Okey tiles."""
    design = _unusual(sample_design(rng, typefaces.digits, typefaces.symbols), rng)
    if rng.random() < ALSO_NARROW:
        design = _narrow(design, rng)
    height = float(rng.uniform(*SMALL_DIGITS))
    design = replace(design, digit_height=height, digit_y=float(rng.uniform(0.24, 0.44)))
    if rng.random() < WITH_FIGURE:
        design = replace(design, ornament="shape", figure=float(rng.uniform(*FIGURES)))
    return _sheet_of(design, rng)


def draw_green_sheet(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """The same of a set whose fourth suit is green, whatever its blue, some of them in pale inks.

    One set's teal is blue and another's green is the fourth colour: only the other inks beside it tell.
    """
    design = _unusual(sample_design(rng, typefaces.digits, typefaces.symbols), rng)
    blue_hue, _, _ = colorsys.rgb_to_hsv(*reversed(design.inks_bgr["B"]))
    highest = min(GREENS_DEG[1], 360 * blue_hue - GREEN_TO_BLUE_DEG)
    is_black = max(design.body_bgr) < 0.2
    green = _colour(
        rng, (GREENS_DEG[0], highest), (0.45, 1.0), (0.65, 1.0) if is_black else (0.25, 0.75)
    )
    design = replace(design, inks_bgr={**design.inks_bgr, "O": green})
    if rng.random() < ALSO_NARROW / 2:
        design = _narrow(design, rng)
    if rng.random() < ALSO_PALE:
        design = _pale(design, rng)
    return _sheet_of(design, rng)


def draw_ornate_sheet(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """The same of a set whose numbers stand in a frame or on a figure of its ink, or are outlines; many
    have a pictograph for a joker."""
    design = _unusual(sample_design(rng, typefaces.digits, typefaces.symbols), rng)
    kind = rng.random()
    if kind < HOLLOW:
        design = replace(design, hollow=float(rng.uniform(*HOLLOW_LINES)))
    if ALSO_FRAMED < kind < 1 - PLAIN:
        design = replace(
            design,
            digit_height=float(rng.uniform(*FRAMED_DIGITS)),
            digit_y=float(rng.uniform(0.36, 0.52)),
            dish_radius=0.0,
            surround=str(rng.choice(SURROUNDS)),
        )
    if design.ornament not in {"dot", "underline"}:  # 6 and 9 must differ
        design = replace(design, ornament=str(rng.choice(["dot", "underline"])))
    if typefaces.pictographs is not None and (kind >= 1 - PLAIN or rng.random() < PICTOGRAPHS):
        figure = str(rng.choice(list(JOKER_PICTOGRAPHS)))
        joker = replace(design.joker, face="symbol", symbol=figure)
        design = replace(design, symbols=typefaces.pictographs, joker=joker)
    return _sheet_of(design, rng)


def draw_joker_sheet(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """The same with many jokers, each with a face of its own: so many as no set has teach what one may
    look like, beside the numbers of a set."""
    design = _unusual(sample_design(rng, typefaces.digits, typefaces.symbols), rng)
    if rng.random() < ALSO_NARROW / 2:
        design = _narrow(design, rng)
    symbols = JOKER_SYMBOLS
    if typefaces.pictographs is not None and rng.random() < PICTOGRAPHS:
        design, symbols = replace(design, symbols=typefaces.pictographs), JOKER_PICTOGRAPHS
    count = int(rng.integers(*JOKERS))
    styles = tuple(_joker_style(rng, design, symbols) for _ in range(count))
    return _sheet_of(replace(design, joker=styles[0], more_jokers=styles[1:]), rng)


def _joker_style(rng: np.random.Generator, design: TileDesign, symbols: str) -> JokerStyle:
    """A joker's face, most of them of the kinds that few makers have."""
    face = str(rng.choice(RARE_JOKER_FACES if rng.random() < RARE_JOKERS else JOKER_FACES))
    ink, other = (design.inks_bgr[str(suit)] for suit in rng.choice(list("KRBO"), 2))
    letters = str(rng.choice(JOKER_LETTERS)) if face == "letters" else ""
    return JokerStyle(
        face=face,
        inks_bgr=(ink, other),
        size=float(rng.uniform(0.36, 0.72)),
        centre_y=float(rng.uniform(0.3, 0.54)),
        seed=int(rng.integers(1 << 30)),
        symbol=letters or str(rng.choice(list(symbols))),
    )


def _narrow(design: TileDesign, rng: np.random.Generator) -> TileDesign:
    squeeze, stroke = rng.uniform(*SQUEEZES), float(np.exp(rng.uniform(*np.log(STROKES))))
    taller = float(min(0.62, design.digit_height * rng.uniform(1.0, 1.35)))
    return replace(
        design,
        digit_squeeze=float(squeeze),
        stroke=stroke,
        digit_height=taller,
        digit_y=max(design.digit_y, taller / 2 + 0.05),
    )


def _pale(design: TileDesign, rng: np.random.Generator) -> TileDesign:
    """The set with inks that let its body shine through, all as much."""
    share, body = rng.uniform(*PALENESS), np.array(design.body_bgr)

    def paler(ink: Colour) -> Colour:
        blue, green, red = (float(v) for v in (1 - share) * np.array(ink) + share * body)
        return blue, green, red

    return replace(design, inks_bgr={suit: paler(ink) for suit, ink in design.inks_bgr.items()})


def _sheet_of(design: TileDesign, rng: np.random.Generator) -> RenderedPicture:
    poses = _apart(rng, design)
    width, height = SIZES[rng.integers(len(SIZES))]
    focal = width * rng.uniform(0.7, 1.4)
    pitch = abs(rng.normal(0, 0.35))
    reach = np.array([(abs(p.x_mm), abs(p.y_mm)) for p in poses]).max(axis=0) + design.height_mm
    room = 1 + 0.3 * pitch
    distance = 2 * focal * room * max(reach[0] / width, reach[1] * np.cos(pitch) / height)
    yaw = rng.normal(0, 0.1) + rng.choice([0, np.pi])
    camera = Camera(width, height, focal, float(distance), float(min(pitch, 0.9)), float(yaw))
    return picture_of(rng, design, camera, poses)


def _apart(rng: np.random.Generator, design: TileDesign) -> list[TilePose]:
    jokers = ["J"] * (2 + len(design.more_jokers))
    labels = [*LABELS, *jokers, *["face-down"] * int(rng.integers(0, 4))]
    labels = [labels[k] for k in rng.permutation(len(labels))]
    across = design.width_mm * rng.uniform(1.05, 1.6)
    down = design.height_mm * rng.uniform(1.05, 1.4)
    turned = rng.random()
    slack = rng.uniform(0.0, 0.08)
    poses = []
    for place, label in enumerate(labels):
        row, column = divmod(place, COLUMNS)
        x = (column - (COLUMNS - 1) / 2) * across + rng.normal(0, slack) * design.width_mm
        y = (row - (len(labels) // COLUMNS) / 2) * down + rng.normal(0, slack) * design.width_mm
        angle = rng.normal(0, slack) + (np.pi if rng.random() < turned else 0.0)
        poses.append(TilePose(label, float(x), float(y), float(angle)))
    return poses


def _unusual(design: TileDesign, rng: np.random.Generator) -> TileDesign:
    """The set as some makers have it, now and then: dark bodies, a green suit, a faded black one."""
    inks, body = dict(design.inks_bgr), design.body_bgr
    if rng.random() < GREEN_FOURTH:
        inks["O"] = _colour(rng, (85, 150), (0.5, 1.0), (0.3, 0.75))
    if rng.random() < GREY_BLACK:
        inks["K"] = _colour(rng, (0, 360), (0, 0.2), (0.2, 0.38))
    kind = rng.random()
    if kind < BROWN_BODIES:
        saturations = (0.25, 0.6) if rng.random() < 0.75 else (0.0, 0.08)
        body = _colour(rng, (18, 42), saturations, (0.4, 0.7))
    elif kind < BROWN_BODIES + BLACK_BODIES:
        body = _colour(rng, (0, 360), (0, 0.35), (0.02, 0.14))
        inks["K"] = _colour(rng, (0, 60), (0, 0.1), (0.8, 1.0))
        inks["R"] = _colour(rng, (345, 365), (0.6, 0.95), (0.75, 1.0))
        inks["B"] = _colour(rng, (190, 225), (0.45, 0.95), (0.75, 1.0))
        if inks["O"] == design.inks_bgr["O"]:
            inks["O"] = _colour(rng, (28, 56), (0.6, 1.0), (0.85, 1.0))
    faces = tuple(inks[suit] for suit in rng.choice(list("RKO"), 2))
    joker = replace(design.joker, inks_bgr=(faces[0], faces[1]))
    return replace(design, body_bgr=body, inks_bgr=inks, joker=joker)


def _colour(
    rng: np.random.Generator,
    hues: tuple[float, float],
    saturations: tuple[float, float],
    values: tuple[float, float],
) -> Colour:
    """BGR, 0 to 1, evenly from ranges of hue in degrees, saturation and value."""
    hue, saturation, value = (rng.uniform(*some) for some in (hues, saturations, values))
    red, green, blue = colorsys.hsv_to_rgb(hue % 360 / 360, saturation, value)
    return blue, green, red
