"""Photographs whose melds somebody wrote down: labelled boxes, and which of them are rows.

``datasets/photograph_melds.json`` has the melds of published photographs by name, as text
(``K7 K8 K9 | R10 B10 O10``); what it does not name are loose tiles. Where the photographs come from and
how their melds were written down is said in docs/layout.md.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.layout import parse_layout
from engine.notation import NotationError
from vision.evaluation import LabelError, LabelledPhotograph
from vision.placements import Placement

Meld = tuple[str, ...]
"""Labels in reading order."""


@dataclass(frozen=True, slots=True)
class LaidPhotograph:
    """What was found in a photograph, and the melds that lie there."""

    labels: tuple[str, ...]
    """Of each placement what lies there; empty where no label is."""
    melds: tuple[Meld, ...]
    """Of two tiles or more."""

    def is_arrangement(self, arrangement: Iterable[Sequence[int]]) -> bool:
        """Whether these are the melds: rows of indexes of placements, loose tiles being rows of one.

        A meld of which a tile was not found is no more the meld that lies there.
        """
        rows = (tuple(self.labels[k] for k in row) for row in arrangement)
        return Counter(row for row in rows if len(row) > 1) == Counter(self.melds)


def load_melds(path: str | Path) -> dict[str, tuple[Meld, ...]]:
    """Melds by the name of the photograph. Raises LabelError for a file that cannot be read."""
    try:
        texts = json.loads(Path(path).read_text("utf-8"))
        return {
            str(name): tuple(
                tuple(str(tile) for tile in meld.tiles) for meld in parse_layout(text).melds
            )
            for name, text in texts.items()
        }
    except (OSError, ValueError, AttributeError, NotationError) as error:
        raise LabelError(f"cannot read melds from {path}: {error}") from error


def laid_photograph(
    photo: LabelledPhotograph, melds: tuple[Meld, ...], placements: Sequence[Placement]
) -> LaidPhotograph:
    """The labels put on what was found: each placement takes the box that its centre lies nearest to
    the middle of, among those it lies in."""
    return LaidPhotograph(tuple(_label_of(photo, placement) for placement in placements), melds)


def _label_of(photo: LabelledPhotograph, placement: Placement) -> str:
    x, y = map(float, placement.centre_xy)

    def off(box: tuple[float, float, float, float]) -> float:
        """0 in the middle of a box, 1 at its border."""
        left, top, right, bottom = box
        return max(
            abs(2 * x - left - right) / (right - left), abs(2 * y - top - bottom) / (bottom - top)
        )

    distances = ((off(tile.box), tile.label) for tile in photo.tiles)
    distance, label = min(distances, default=(2.0, ""))
    return label if distance < 1.0 else ""
