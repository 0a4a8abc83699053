"""Where the table is in the picture, as pages are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vision.calibration.region import WHOLE_CORNERS, Corners, Origin


@dataclass(frozen=True, slots=True)
class RegionView:
    """What counts as the table, what was found, and what a person should look at."""

    corners: Corners
    """What is read as the table now."""
    origin: str
    """Where that comes from, a word of ``vision.calibration.region.Origin``."""
    by: str
    """Who said so: ``person``, a name, ``camera`` for what was carried along, ``markers``; or nobody."""
    sequence: int
    """Number of the event that said so; 0 before the first. Wishes name it."""
    asks: str
    """Why a person should say where the table is; empty when that is not needed."""
    proposal: Corners | None
    """The table as it was found, or as it was before; None where there is nothing to propose."""
    proposes: bool
    """True where the proposal is new, and nobody has said anything yet."""
    outside: tuple[Corners, ...]
    """Tiles that are seen beside the table and not read as table: their corners."""
    dropped: tuple[str, ...]
    """Tiles that lay on the table when the turn began and are seen beside it now, in notation."""

    @classmethod
    def at_start(cls) -> RegionView:
        """The whole picture counts, and nobody has said so."""
        return cls(WHOLE_CORNERS, Origin.WHOLE.value, "", 0, "", None, False, (), ())

    def to_json(self) -> dict[str, Any]:
        """The part of the state that docs/api.md describes."""
        return {
            "corners": _lists(self.corners),
            "origin": self.origin,
            "by": self.by,
            "sequence": self.sequence,
            "asks": self.asks,
            "proposal": None if self.proposal is None else _lists(self.proposal),
            "proposes": self.proposes,
            "outside": [_lists(quad) for quad in self.outside],
            "dropped": list(self.dropped),
        }


def _lists(corners: Corners) -> list[list[float]]:
    return [list(corner) for corner in corners]
