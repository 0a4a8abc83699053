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
from vision.rendering.designs import Colour, TileDesign, sample_design
from vision.rendering.scene import RenderedPicture
from vision.rendering.table_scenes import Typefaces

SIZES = ((960, 720), (800, 600), (640, 640))

COLUMNS = 9

DARK_BODIES = 0.12
"""Sets of brown wood or dark plastic; elsewhere they are all but absent."""


def draw_sheet(rng: np.random.Generator, typefaces: Typefaces) -> RenderedPicture:
    """One picture of a set with two jokers and a few backs; everything in it comes from ``rng``."""
    design = sample_design(rng, typefaces.digits, typefaces.symbols)
    if rng.random() < DARK_BODIES:
        design = replace(design, body_bgr=_dark_body(rng))
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
    labels = [*LABELS, "J", "J", *["face-down"] * int(rng.integers(0, 4))]
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


def _dark_body(rng: np.random.Generator) -> Colour:
    """Brown and grey, light enough for black ink to be seen on it."""
    saturation = rng.uniform(0.25, 0.6) if rng.random() < 0.75 else rng.uniform(0, 0.08)
    red, green, blue = colorsys.hsv_to_rgb(
        rng.uniform(18, 42) / 360, saturation, rng.uniform(0.35, 0.7)
    )
    return blue, green, red
