"""Traced pictures on disk: ``python -m vision.rendering.ray_traced FOLDER --count N --fonts FONTS``.

Needs the program Blender (3.4 was used; any path with --blender). Picture k of seed s is made from
``default_rng([s, k])`` alone; pictures already there are not made again. Every picture shows another
maker's set, in held-out typefaces where networks are to be measured and in others where they learn.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.rendering.dataset import select_typefaces
from vision.rendering.ray_traced.denoising import denoised
from vision.rendering.ray_traced.labelling import LEAST_CONTRAST, labelled_picture, tile_truths
from vision.rendering.ray_traced.photograph import legibility, photograph
from vision.rendering.ray_traced.prints import face_print
from vision.rendering.ray_traced.scenes import TracedScene, described, sample_scene
from vision.rendering.ray_traced.solids import FACE_DOWN
from vision.rendering.ray_traced.stages import ORDERS
from vision.rendering.ray_traced.surroundings import MANY_LAMPS, USUAL_LAMPS, WINDOWS, LampHabits
from vision.rendering.typefaces import Typeface

SCRIPT = Path(__file__).with_name("blender_scene.py")

LAMPS = {"usual": USUAL_LAMPS, "many": MANY_LAMPS, "windows": WINDOWS}

WHOLE_TABLE_SCALE = 1.25
"""A whole table is taken with so many times the pixels each way: people hold a phone that high."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for, the same for all pictures."""

    folder: Path
    seed: int
    size: tuple[int, int]
    samples: int
    blender: str
    typefaces: tuple[Typeface, ...]
    lamps: LampHabits
    kinds: tuple[str, ...]
    """Of scenes, in turn."""


def make_picture(order: Order, index: int) -> dict[str, Any]:
    """Trace, develop and label one picture; writes NNNNNN.jpg and returns its entry. Raises OSError."""
    rng = np.random.default_rng([order.seed, index])
    kind = order.kinds[index % len(order.kinds)]
    scale = WHOLE_TABLE_SCALE if kind in {"whole table", "full table"} else 1.0
    width, height = (round(v * scale) for v in order.size)
    scene = sample_scene(rng, index, order.typefaces, (width, height), order.lamps, order.kinds)
    with tempfile.TemporaryDirectory() as work:
        light, visible = _traced(
            described(scene, rng, Path(work), order.samples), order, Path(work)
        )
    picture = photograph(rng, light)
    name = f"{index:06d}.jpg"
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(65, 96))]
    if not cv2.imwrite(str(order.folder / name), picture, quality):
        raise OSError(f"{order.folder / name} could not be written")
    truths = tile_truths(scene.stage.tiles, scene.maker, scene.lens, visible)
    for truth in truths:
        if truth["label"] != FACE_DOWN:
            ink, _ = face_print(scene.maker, scene.stage.tiles[truth["number"]].label)
            contrast = legibility(picture, np.array(truth["quad"]), ink[..., 3])
            truth["legible"] = contrast >= LEAST_CONTRAST
    return labelled_picture(
        name, scene.game, kind, scene.lens, truths, made=_notes(scene), everything=truths
    )


def _traced(
    description: dict[str, Any], order: Order, work: Path
) -> tuple[np.ndarray[Any, np.dtype[np.float32]], list[float]]:
    path = work / "scene.json"
    path.write_text(json.dumps(description))
    command = [order.blender, "-b", "-t", "1", "--factory-startup", "--python-exit-code", "3"]
    done = subprocess.run(  # noqa: S603  the program the caller names
        [*command, "--python", str(SCRIPT), "--", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    files = (description["picture"], str(work / "albedo0001.hdr"), str(work / "normal0001.hdr"))
    layers = [cv2.imread(name, cv2.IMREAD_UNCHANGED) for name in files]
    if done.returncode or any(layer is None for layer in layers):
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-12:])
        raise OSError(f"Blender made no picture:\n{last}")
    visible = json.loads(Path(description["visible"]).read_text("utf-8"))
    light, albedo, normal = (np.asarray(layer, np.float32) for layer in layers)
    return denoised(light, albedo, normal), visible


def _notes(scene: TracedScene) -> dict[str, Any]:
    """What the picture is made of, for sorting results; `meldwatch evaluate` does not read it."""
    maker = scene.maker
    return {
        "body": maker.body,
        "typeface": maker.typeface.name,
        "mark": maker.mark,
        "joker": maker.joker,
        "fourth": maker.fourth,
        "inks": maker.inks,
        "table": scene.table["kind"],
        "hdri": scene.light["hdri"],
        "glare": scene.light["glare"],
        "focal_mm": scene.lens.focal_mm,
    }


def make(order: Order, count: int) -> int:
    """Make those of the first ``count`` pictures that are not there yet; returns how many it made."""
    order.folder.mkdir(parents=True, exist_ok=True)
    made = 0
    for index in range(count):
        entry_path = order.folder / f"{index:06d}.json"
        if entry_path.exists():
            continue
        start = time.process_time(), time.monotonic()
        entry = make_picture(order, index)
        entry_path.write_text(json.dumps(entry))
        made += 1
        print(f"{entry['image']}: {entry['design']}, {len(entry['tiles'])} tiles that count, "
              f"{time.monotonic() - start[1]:.0f} s", flush=True)  # fmt: skip
    entries = [json.loads(p.read_text("utf-8")) for p in sorted(order.folder.glob("0*.json"))]
    (order.folder / "labels.json").write_text(json.dumps({"images": entries}))
    return made


def main() -> int:
    """The command; exit status 2 where Blender, a folder or a typeface cannot be used."""
    parser = argparse.ArgumentParser(description="Trace pictures of tiles through Blender.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=10, help="pictures in the folder at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, required=True, help="folder of typefaces")
    parser.add_argument("--part", choices=("train", "held-out"), default="held-out")
    parser.add_argument(
        "--lamps", choices=tuple(LAMPS), default="usual", help="what is mirrored most"
    )
    parser.add_argument(
        "--scenes", choices=tuple(ORDERS), default="mixed", help="full-tables: 106 tiles, hands"
    )
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=960)
    parser.add_argument("--samples", type=int, default=6)
    parser.add_argument("--blender", default="blender", help="the program")
    args = parser.parse_args()
    try:
        if shutil.which(args.blender) is None:
            raise OSError(f"there is no program {args.blender}; install Blender or give --blender")
        typefaces = tuple(select_typefaces(args.fonts, args.part).digits)
        order = Order(
            args.folder,
            args.seed,
            (args.width, args.height),
            args.samples,
            args.blender,
            typefaces,
            LAMPS[args.lamps],
            ORDERS[args.scenes],
        )
        made = make(order, args.count)
    except (OSError, ValueError) as error:
        print(f"ray_traced: {error}", file=sys.stderr)
        return 2
    print(f"{made} pictures made, labels in {args.folder / 'labels.json'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
