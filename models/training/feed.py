"""Samples for an accelerator: processes draw pictures and cut crops of them.

What a folder of pictures holds is learned by heart when tens of thousands of crops are seen in a
second. So the pictures are drawn while the networks learn, in every process its own, each of them cut a
number of times and kept for a while among those that were given: traced ones and photographs.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Full
from typing import Any, Final, Generic, TypeVar

import cv2
import numpy as np

from models.preprocess import CROP_WH
from models.training.pictures import LabelledPicture, of_rendered
from models.training.real import faint_finder, with_its_alarms
from models.training.tile_data import Samples, draw_groups, joined
from vision.rendering.dataset import draw_picture
from vision.rendering.table_scenes import Typefaces

BLOCK_SIZE = 256
"""Crops that are handed over at once."""

CROPS_PER_PICTURE = 400
"""Crops of any picture for each one that is drawn: drawing then takes a third of the time."""

FIRST_DRAWN, MOST_KEPT = 6, 1500
"""Pictures that a process draws before anything else, and the most that it keeps."""

DRAWN_PART, TRACED_PART, REAL_PART = 0.7, 0.15, 0.15
"""How often a group is of a drawn picture, of a traced one, of a photograph."""

SCENE_PARTS: Final = {
    "tables": 0.25,
    "ornate-sheets": 0.13,
    "small-sheets": 0.11,
    "leaning-sheets": 0.1,
    "narrow-sheets": 0.09,
    "sheets": 0.08,
    "evenings": 0.08,
    "joker-sheets": 0.07,
    "racks": 0.05,
    "green-sheets": 0.04,
}
"""What is drawn, how often."""

ITALIC_PART = 0.07
"""Pictures whose digits are italics, where there are any."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What samples are made of."""

    typefaces: Sequence[Typefaces]
    """Each with as good a chance as it has typefaces."""
    italics: Sequence[Typefaces]
    traced: Sequence[LabelledPicture]
    real: Sequence[LabelledPicture]
    finder: Path
    """What it mistakes for tiles in the drawn pictures is learned from, too."""
    crop_wh: tuple[int, int] = CROP_WH
    """Width and height in pixels of the crops."""
    scene_parts: Mapping[str, float] = field(default_factory=lambda: SCENE_PARTS)
    """What is drawn, how often."""


Block = TypeVar("Block")
Make = Callable[[Sources, np.random.Generator], Iterator[Block]]
"""What a process makes without end, of what, by which chances."""


def crop_blocks(sources: Sources, rng: np.random.Generator) -> Iterator[Samples]:
    """Samples without end, `BLOCK_SIZE` crops at once."""
    finder = faint_finder(sources.finder, threads=1)
    pool = PicturePool(sources, sources.scene_parts, (DRAWN_PART, TRACED_PART, REAL_PART), rng)
    owed = 0.0
    while True:
        owed += BLOCK_SIZE / CROPS_PER_PICTURE
        if owed >= 1:
            owed -= 1
            pool.keep(with_its_alarms(pool.draw(), finder))
        yield joined(draw_groups(pool.choose, BLOCK_SIZE, rng, sources.crop_wh))


def with_part(scenes: str, part: float) -> dict[str, float]:
    """What is drawn, how often, where ``scenes`` are such a ``part`` of it: the others share the rest.

    Raises ValueError where none are called so, or the part is none."""
    if scenes not in SCENE_PARTS or not 0 <= part <= 1:
        raise ValueError(
            f"a part from 0 to 1 of one of {', '.join(SCENE_PARTS)}, not {scenes} {part}"
        )
    others = (1 - part) / (1 - SCENE_PARTS[scenes])
    return {name: others * often for name, often in SCENE_PARTS.items()} | {scenes: part}


class PicturePool:
    """The pictures that one process cuts from: those it drew, traced ones and photographs."""

    def __init__(
        self,
        sources: Sources,
        scene_parts: Mapping[str, float],
        parts: tuple[float, float, float],
        rng: np.random.Generator,
    ) -> None:
        """``parts`` says how often a drawn, a traced picture and a photograph is chosen; what there are
        none of leaves its part to the others. The first few are drawn here."""
        self._sources, self._scene_parts, self._rng = sources, scene_parts, rng
        self._drawn = [self.draw() for _ in range(FIRST_DRAWN)]
        given = list(zip((self._drawn, sources.traced, sources.real), parts, strict=True))
        self._kinds = [pictures for pictures, _ in given if pictures]
        chances = np.array([part for pictures, part in given if pictures])
        self._chances = chances / chances.sum()

    def draw(self) -> LabelledPicture:
        """A new picture, which is not kept yet."""
        sources, rng = self._sources, self._rng
        slanted = bool(sources.italics) and rng.random() < ITALIC_PART
        faces = sources.italics if slanted else sources.typefaces
        counts = np.array([len(some.digits) for some in faces], np.float64)
        chosen = faces[rng.choice(len(faces), p=counts / counts.sum())]
        parts = self._scene_parts
        scenes = str(rng.choice(list(parts), p=list(parts.values())))
        return of_rendered(*draw_picture(scenes, rng, chosen))

    def keep(self, picture: LabelledPicture) -> None:
        """Keep it, in the place of another one where there are `MOST_KEPT`."""
        if len(self._drawn) < MOST_KEPT:
            self._drawn.append(picture)
        else:
            self._drawn[self._rng.integers(MOST_KEPT)] = picture

    def choose(self) -> Sequence[LabelledPicture]:
        """All pictures of one kind, by chance."""
        return self._kinds[self._rng.choice(len(self._kinds), p=self._chances)]


class Feed(Generic[Block]):
    """Processes that make blocks: what ``make`` gives without end.

    To be used as a context: they end with it. ``take`` raises RuntimeError when one of them has died.
    """

    def __init__(self, sources: Sources, workers: int, seed: int, make: Make[Block]) -> None:
        context = multiprocessing.get_context("spawn")
        self._ready: Any = context.Queue(maxsize=4 * workers)
        self._enough = context.Event()
        self._processes = [
            context.Process(
                target=_work, args=(make, sources, seed, k, self._ready, self._enough), daemon=True
            )
            for k in range(workers)
        ]

    def __enter__(self) -> Feed:
        for process in self._processes:
            process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        for process in self._processes:
            process.join(timeout=2)
            process.kill()

    @property
    def process_ids(self) -> list[int]:
        """Of those that have begun."""
        return [process.pid for process in self._processes if process.pid is not None]

    def take(self, wait_s: float) -> Block | None:
        """The next block, or None where none came within the time."""
        dead = [p for p in self._processes if not p.is_alive()]
        if dead:
            raise RuntimeError(f"{len(dead)} processes that make samples have died")
        try:
            block: Block = self._ready.get(timeout=wait_s)
        except Empty:
            return None
        return block


def _work(
    make: Make[Any], sources: Sources, seed: int, number: int, ready: Any, enough: Any
) -> None:
    cv2.setNumThreads(1)
    for block in make(sources, np.random.default_rng([seed, number])):
        while not enough.is_set():
            try:
                ready.put(block, timeout=1)
                break
            except Full:
                continue
        if enough.is_set():
            ready.cancel_join_thread()
            return
