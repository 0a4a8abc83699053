"""Generated pictures on disk: ``python -m vision.rendering.dataset FOLDER --count N``.

Picture k of seed s is drawn from ``default_rng([s, k])`` alone, so a folder can be continued,
made in parallel or made again, and comes out the same for the same typefaces.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from pathlib import Path

import cv2
import numpy as np

from vision.rendering.board_scenes import draw_board
from vision.rendering.evenings import draw_evening
from vision.rendering.rack_scenes import draw_racks
from vision.rendering.scene import RenderedPicture
from vision.rendering.sheets import (
    draw_green_sheet,
    draw_joker_sheet,
    draw_leaning_sheet,
    draw_narrow_sheet,
    draw_ornate_sheet,
    draw_sheet,
    draw_small_sheet,
)
from vision.rendering.table_scenes import Typefaces, draw_scene
from vision.rendering.typefaces import (
    CUTS,
    LISTS,
    collect_typefaces,
    find_pictographs,
    find_symbols,
    find_typefaces,
    is_held_out,
)


def save_picture(
    picture: RenderedPicture, folder: Path, index: int, seed: int, quality: int
) -> None:
    """Write NNNNNN.jpg and then NNNNNN.json, whose presence says that both are whole."""
    name = f"{index:06d}"
    height, width = picture.pixels_bgr.shape[:2]
    tiles = [
        {
            "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in quad],
            "label": label,
            "up_known": label != "face-down",
            "visible": round(float(visible), 3),
        }
        for quad, label, visible in zip(
            picture.quads_xy, picture.labels, picture.visible, strict=True
        )
    ]
    entry = {"image": f"{name}.jpg", "seed": seed, "width": width, "height": height, "tiles": tiles}
    if not cv2.imwrite(
        str(folder / f"{name}.jpg"), picture.pixels_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality]
    ):
        raise OSError(f"{folder / name}.jpg could not be written")
    (folder / f"{name}.json").write_text(json.dumps(entry))


def select_typefaces(fonts: Path | None, part: str) -> Typefaces:
    """Typefaces for ``train`` pictures, ``held-out`` ones or ``all``; see ``is_held_out``."""
    digits = find_typefaces(fonts)
    if part != "all":
        digits = tuple(face for face in digits if is_held_out(face) == (part == "held-out"))
    if not digits:
        raise OSError(f"no typeface for the part '{part}' in {fonts}")
    return Typefaces(digits, find_symbols(fonts), find_pictographs(fonts))


SCENES = {
    "tables": draw_scene,
    "evenings": draw_evening,
    "sheets": draw_sheet,
    "narrow-sheets": draw_narrow_sheet,
    "leaning-sheets": draw_leaning_sheet,
    "small-sheets": draw_small_sheet,
    "green-sheets": draw_green_sheet,
    "ornate-sheets": draw_ornate_sheet,
    "joker-sheets": draw_joker_sheet,
    "racks": draw_racks,
    "boards": draw_board,
}
"""What may be drawn: random tables close up, a whole set in play, a whole set lying apart, the same with
narrow and thin digits, with leaning, small or ornate ones, with a green suit or many jokers, racks, or
boards."""


def draw_picture(
    scenes: str, rng: np.random.Generator, typefaces: Typefaces
) -> tuple[RenderedPicture, int]:
    """A picture of one of the `SCENES`, and the JPEG quality to keep it in."""
    picture = SCENES[scenes](rng, typefaces)
    quality = int(rng.choice([30, 50, 70, 85, 92, 95], p=[0.05, 0.1, 0.15, 0.3, 0.25, 0.15]))
    return picture, quality


def _work(job: tuple[Path, int, int, int, int, Path | None, str, str]) -> int:
    folder, seed, first, last, step, fonts, part, scenes = job
    cv2.setNumThreads(1)
    typefaces = select_typefaces(fonts, part)
    made = 0
    for index in range(first, last, step):
        if (folder / f"{index:06d}.json").exists():
            continue
        picture, quality = draw_picture(scenes, np.random.default_rng([seed, index]), typefaces)
        save_picture(picture, folder, index, seed, quality)
        made += 1
    return made


def generate(
    folder: Path,
    pictures: range,
    seed: int,
    fonts: Path | None,
    part: str,
    workers: int,
    scenes: str = "tables",
) -> int:
    """Draw those of the pictures that are not there yet; returns how many were drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    first, last = pictures.start, pictures.stop
    jobs = [(folder, seed, first + k, last, workers, fonts, part, scenes) for k in range(workers)]
    if workers == 1:
        return _work(jobs[0])
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        return sum(pool.map(_work, jobs))


def main() -> int:
    """The command; exit status 2 where a folder or typeface cannot be used."""
    parser = argparse.ArgumentParser(description="Draw training pictures with exact truth.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1000, help="pictures in the folder at the end")
    parser.add_argument("--first", type=int, default=0, help="number of the first picture")
    parser.add_argument("--scenes", choices=tuple(SCENES), default="tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder of typefaces; fetched there when empty")
    parser.add_argument("--families", choices=LISTS, default=LISTS[0], help="which are fetched")
    parser.add_argument("--cut", choices=CUTS, default=CUTS[0], help="upright ones or italics")
    parser.add_argument("--part", choices=("train", "held-out", "all"), default="all")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    try:
        if args.fonts is not None and not any(args.fonts.glob("*.woff")):
            print(f"{collect_typefaces(args.fonts, args.families, args.cut)} typefaces fetched")
        made = generate(
            args.folder,
            range(args.first, args.count),
            args.seed,
            args.fonts,
            args.part,
            max(1, args.workers),
            args.scenes,
        )
    except (OSError, RuntimeError) as error:
        print(f"dataset: {error}", file=sys.stderr)
        return 2
    print(f"{made} pictures drawn, {args.count} in {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
