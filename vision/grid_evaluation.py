"""How well boards are read: boards whose cells are known, kind by kind.

``python -m vision.grid_evaluation --boards 100 --seed 5`` prints the figures that docs/layout.md
defines; the same seed gives the same figures. ``--pictures 50`` draws pictures of boards instead, and
reads them with the networks that come with Meldwatch.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from vision.grid_reader import LaidOutBoard, read_grid
from vision.layout_evaluation import Outcome, figures_text
from vision.placements import Placement
from vision.reader import open_table_reader
from vision.rendering import RenderedTable
from vision.rendering.arrangements import LABELS, TilePose
from vision.rendering.known_boards import (
    KINDS,
    KnownBoard,
    Laid,
    crossed,
    parts_of_rows,
    placed_as,
    sample_board,
)
from vision.rendering.scene import RenderedPicture

IN_VIEW: Final = 0.7
"""Part of the picture's height that a drawn board takes at most."""
SAME_TILE: Final = 0.4
"""A placement is of a tile while its centre is no further from there, in short sides."""


def outcome(known: KnownBoard, laid_out: LaidOutBoard) -> Outcome:
    """How a board as read compares with how the tiles were laid."""
    of = laid_out.placement_indexes
    right = [
        known.is_board([[None if k is None else of[k] for k in row] for row in rows])
        for rows in laid_out.reading.arrangements
    ]
    return Outcome(right[0], any(right), len(right) > 1)


def evaluate(kinds: Iterable[str], boards: int, seed: int) -> dict[str, list[Outcome]]:
    """Outcomes of so many boards of each kind, numbered on from ``seed``."""
    found: dict[str, list[Outcome]] = {}
    for kind in kinds:
        samples = (sample_board(kind, seed * 100_000 + k) for k in range(boards))
        found[kind] = [outcome(known, read_grid(known.placements)) for known in samples]
    return found


def evaluate_pictures(pictures: int, seed: int) -> list[Outcome]:
    """Outcomes of so many drawn pictures of crossing lines, each with a table, a set and a camera of its
    own, read by the networks. Raises ``models.runtime.ModelError``.

    A picture in which a tile was not found, or one found that is none, counts as read wrongly.
    """
    reader = open_table_reader()
    found = []
    for number in range(seed * 1000, seed * 1000 + pictures):
        rng, table = np.random.default_rng([number, 29]), RenderedTable(number)
        laid = _fitting(rng, IN_VIEW * table.span_mm[1])
        picture = table.picture(_poses(rng, laid), noise_seed=number)
        placements = reader.read(picture.pixels_bgr)
        board = {cell: tile for tile, cell in enumerate(laid)}
        known = KnownBoard("picture", tuple(placements), placed_as([board]))
        found.append(_outcome_of_picture(known, picture))
    return found


def _fitting(rng: np.random.Generator, side_mm: float) -> Laid:
    while True:
        laid = crossed(rng, int(rng.integers(5, 30)))
        at = np.array([(pose.x, pose.y) for pose in laid.values()])
        if np.ptp(at, axis=0).max() < side_mm:
            return laid


def _poses(rng: np.random.Generator, laid: Laid) -> list[TilePose]:
    """The board around the middle of the table, turned by any angle, with any tiles."""
    at = np.array([(pose.x, pose.y) for pose in laid.values()])
    turn = float(rng.uniform(0, 2 * math.pi))
    c, s = math.cos(turn), math.sin(turn)
    moved = (at - (at.min(axis=0) + at.max(axis=0)) / 2) @ np.array([[c, s], [-s, c]])
    return [
        TilePose(str(rng.choice(LABELS)), float(x), float(y), pose.turn + turn)
        for (x, y), pose in zip(moved, laid.values(), strict=True)
    ]


def _outcome_of_picture(known: KnownBoard, picture: RenderedPicture) -> Outcome:
    laid_out = read_grid(known.placements)
    of = [_tile_at(known.placements[k], picture) for k in laid_out.placement_indexes]
    asked = len(laid_out.reading.arrangements) > 1
    if sorted(of) != list(range(len(picture.labels))):
        return Outcome(first=False, offered=False, asked=asked)
    right = [
        parts_of_rows([[None if k is None else of[k] for k in row] for row in rows]) in known.boards
        for rows in laid_out.reading.arrangements
    ]
    return Outcome(right[0], any(right), asked)


def _tile_at(placement: Placement, picture: RenderedPicture) -> int:
    """The drawn tile where a placement lies; -1 where none does."""
    centres = picture.quads_xy.mean(axis=1)
    apart = np.linalg.norm(centres - placement.centre_xy, axis=1)
    nearest = int(apart.argmin())
    top = picture.quads_xy[nearest][1] - picture.quads_xy[nearest][0]
    return nearest if apart[nearest] < SAME_TILE * np.linalg.norm(top) else -1


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.grid_evaluation",
        description="How well boards are read, on boards whose cells are known.",
    )
    parser.add_argument("--boards", type=int, default=100, help="boards of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=[*KINDS], help="only these kinds")
    parser.add_argument("--pictures", type=int, default=0, help="drawn pictures to read instead")
    options = parser.parse_args(arguments)
    if options.boards < 1 or options.pictures < 0:
        parser.error("at least one board of each kind")
    if options.pictures:
        print(figures_text({"pictures": evaluate_pictures(options.pictures, options.seed)}))
        return 0
    print(figures_text(evaluate(options.kind or KINDS, options.boards, options.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
