"""One traced picture from a generator: the scene as Blender takes it, and what is needed to label it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.ray_traced.lens import Lens, fitted_lens
from vision.rendering.ray_traced.makers import Maker, Rgb, glossy, sample_maker
from vision.rendering.ray_traced.prints import card_print, face_print, paper_print
from vision.rendering.ray_traced.solids import FACE_DOWN, Stage, Thing, Tile, flat, top_corners
from vision.rendering.ray_traced.stages import ORDERS, STAGES
from vision.rendering.ray_traced.surroundings import (
    USUAL_LAMPS,
    LampHabits,
    sample_clutter,
    sample_light,
    sample_table,
)
from vision.rendering.ray_traced.windows import mirrored_window
from vision.rendering.typefaces import Typeface

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class TracedScene:
    """All that a picture is of."""

    stage: Stage
    maker: Maker
    lens: Lens
    light: dict[str, Any]
    table: dict[str, Any]
    clutter: tuple[Thing, ...]
    game: str


def sample_scene(
    rng: Rng,
    index: int,
    typefaces: Sequence[Typeface],
    size: tuple[int, int],
    lamps: LampHabits = USUAL_LAMPS,
    order: Sequence[str] = ORDERS["mixed"],
) -> TracedScene:
    """The scene of picture ``index``; its kind follows from that number, all else from the generator."""
    kind = order[index % len(order)]
    okey = kind == "racks" and rng.random() < 0.6
    maker = sample_maker(rng, typefaces, okey)
    stage = STAGES[kind](rng, maker)
    lens = _sample_lens(rng, stage, maker, size)
    middle = np.mean([tile.matrix[:3, 3] for tile in stage.tiles], axis=0)
    light, table = sample_light(rng, lens, middle, lamps), sample_table(rng)
    around = sample_clutter(rng, stage)
    if lamps.gloss and rng.random() < lamps.gloss:
        maker = glossy(rng, maker)
        around += mirrored_window(rng, lens, middle)
    game = "okey" if okey else "rummikub"
    return TracedScene(stage, maker, lens, light, table, tuple(around), game)


def _corners(tiles: Sequence[Tile], maker: Maker) -> NDArray[np.float64]:
    """(n, 3) of all upper faces."""
    return np.concatenate(
        [top_corners(maker.width, maker.height, maker.thickness, tile.matrix) for tile in tiles]
    )


def _sample_lens(rng: Rng, stage: Stage, maker: Maker, size: tuple[int, int]) -> Lens:
    """A phone or a webcam that sees all faces, from the side where its holder sits."""
    if stage.faces_camera:
        slant = stage.faces_camera - float(rng.uniform(0.0, 0.6))
        around = float(rng.normal(0, 0.2))
    else:
        slant = 0.0 if rng.random() < 0.12 else float(rng.uniform(0.06, 0.78))
        around = float(rng.normal(0, 0.5))
        if stage.kind != "close up" and rng.random() < 0.1:
            around += np.pi
    focal = float(rng.choice([24.0, 26.0, 28.0, 35.0, 52.0], p=[0.15, 0.35, 0.2, 0.15, 0.15]))
    margin = float(rng.uniform(0.02, 0.12) if stage.kind != "close up" else rng.uniform(0.1, 0.34))
    if stage.kind == "melds" and len(stage.tiles) < 20:
        margin = float(rng.uniform(0.04, 0.2))
    roll = float(rng.normal(0, 0.06))
    # Of the pool some may lie outside: what shows its face is in the picture.
    faces = [tile for tile in stage.tiles if tile.label != FACE_DOWN] or stage.tiles
    return fitted_lens(_corners(faces, maker), slant, around, roll, focal, size, margin)


def linear(colour: Rgb) -> list[float]:
    """An sRGB colour as linear RGB, 0 to 1."""
    return [
        float(((v / 255 + 0.055) / 1.055) ** 2.4 if v > 10 else v / 255 / 12.92) for v in colour
    ]


def described(scene: TracedScene, rng: Rng, folder: Path, samples: int) -> dict[str, Any]:
    """The scene as JSON for Blender; prints are written into ``folder``, which must exist."""
    maker, lens = scene.maker, scene.lens
    deepest = 0.0008 if "dish" in maker.mark else maker.engraving
    material = {
        "kind": "tile",
        "rgb": linear(maker.body_rgb),
        "roughness": maker.roughness,
        "coat": maker.coat,
        "grain": "wood" in maker.body or maker.body == "brown",
    }
    focus = float(np.linalg.norm(_corners(scene.stage.tiles, maker).mean(axis=0) - lens.place))
    return {
        "tile": {
            "width": maker.width,
            "height": maker.height,
            "thickness": maker.thickness,
            "corner": maker.corner,
            "bevel": maker.bevel,
            "dome": maker.dome,
            "material": material,
        },
        "prints": {
            label: _printed(maker, label, folder, deepest)
            for label in sorted({tile.label for tile in scene.stage.tiles} - {FACE_DOWN})
        },
        "tiles": [{"label": t.label, "matrix": t.matrix.tolist()} for t in scene.stage.tiles],
        "things": [
            _thing_json(thing, rng, folder)
            for thing in (*scene.stage.things, *scene.clutter, _table(scene.table))
        ],
        "light": scene.light,
        "camera": {
            "matrix": lens.matrix.tolist(),
            "focal_mm": lens.focal_mm,
            "focus": focus,
            # A phone's film is a seventh as wide as the one its focal length is given for.
            "stop": 1.8 * 7,
        },
        "width": lens.width,
        "height": lens.height,
        "samples": samples,
        "seed": int(rng.integers(1 << 30)),
        "picture": str(folder / "light.hdr"),
        "visible": str(folder / "visible.json"),
    }


def _table(material: dict[str, Any]) -> Thing:
    return Thing("box", (2.4, 2.4, 0.03), flat(0, 0, 0, -0.015), material)


def _printed(maker: Maker, label: str, folder: Path, depth: float) -> dict[str, Any]:
    ink, relief = face_print(maker, label)
    _write(folder / f"{label}.png", cv2.cvtColor(ink, cv2.COLOR_RGBA2BGRA))
    _write(folder / f"{label}-relief.png", relief)
    return {
        "print": str(folder / f"{label}.png"),
        "relief": str(folder / f"{label}-relief.png"),
        "depth": depth,
    }


def _thing_json(thing: Thing, rng: Rng, folder: Path) -> dict[str, Any]:
    material = dict(thing.material)
    if material["kind"] == "print":
        name = material["print"]
        pixels = card_print(rng) if name == "card" else paper_print(rng)
        _write(folder / f"{name}.png", cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGRA))
        material["print"] = str(folder / f"{name}.png")
    return {
        "shape": thing.shape,
        "size": list(thing.size),
        "matrix": thing.matrix.tolist(),
        "material": material,
    }


def _write(path: Path, pixels: NDArray[Any]) -> None:
    if not cv2.imwrite(str(path), pixels):
        raise OSError(f"{path} could not be written")
