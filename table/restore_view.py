"""The table before the turn as pages show it, while somebody puts it back or wants to see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from table.restore import Difference, LyingTile


@dataclass(frozen=True, slots=True)
class RestoreView:
    """What a page draws of it."""

    offered: bool = False
    """Whether there is a table before the turn that could be shown."""
    why: str = ""
    """``taken_back``, ``asked``, or empty while it is not shown; what follows is empty then, too."""
    layout: str = ""
    """That table in notation."""
    as_it_was: bool = False
    """The table is as it was, by its sets."""
    same_places: bool = False
    """And every tile lies where it lay."""
    tiles: tuple[LyingTile, ...] = ()
    """Its tiles, as the picture shows their places now."""
    differences: tuple[Difference, ...] = ()
    picture: int = 0
    """The number by which its picture is fetched; 0 where there is none."""
    size_wh: tuple[int, int] = (0, 0)
    """Of that picture, in pixels."""
    motion: tuple[float, ...] | None = None
    """What brings that picture onto the live one, in its pixels, as SVG writes a matrix; None where the
    camera stands as it did."""
    note: str = ""
    """What is not there to be shown, in a sentence."""

    def to_json(self) -> dict[str, Any]:
        """The part ``restore`` of the state of the JSON interface."""
        return {
            "offered": self.offered,
            "why": self.why,
            "layout": self.layout,
            "as_it_was": self.as_it_was,
            "same_places": self.same_places,
            "tiles": [
                {"label": tile.label, "quad": [list(corner) for corner in tile.quad]}
                for tile in self.tiles
            ],
            "differences": [difference.to_json() for difference in self.differences],
            "picture": self.picture,
            "size": list(self.size_wh),
            "motion": None if self.motion is None else list(self.motion),
            "note": self.note,
        }
