"""The tiles that people spoke of while something lay over them, until they are seen again.

Then the log is told that what was said holds no longer, so that a program that is started anew does not
believe it of whatever lies under the same cloth later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.tiles import Tile
from table.events import AnswerExpired, Event
from table.places import Corners, in_parts
from vision.frame import Frame
from vision.placements import Placement
from vision.tracking.followed import FollowedTile, TileState, identity_of
from vision.tracking.tiles_on_table import TilesOnTable


@dataclass(slots=True)
class NamedUnderCover:
    """Those of the ``tiles`` that are followed. It belongs to one thread; ``write`` logs events."""

    tiles: TilesOnTable
    write: Callable[[Event], int]
    _quads: dict[int, Corners] = field(default_factory=dict)
    """Where they lie, by their identities."""

    def tell(self, placement: Placement, label: Tile | None, frame: Frame | None) -> None:
        """A person says which tile that one is, or that it is none: whoever follows tiles gets to know.

        The ``frame`` is the one in which it lies, None where there is none any more.
        """
        identity, lay = identity_of(placement), placement.reading.best
        for tile in self.tiles.tiles:
            is_it = tile.identity == identity and tile.memory.known is None
            if label is None and is_it and tile.was_confirmed and lay is not None:
                # It lay there at a turn's end, before the program was started anew: it is gone, and not
                # a figure of the cloth, which would never be a tile.
                self.tiles.tell(placement, lay)
        self.tiles.tell(placement, label)
        self._quads.pop(identity, None)
        if frame is not None and identity in self._covered():
            self._quads[identity] = in_parts(placement.quad_xy, frame.size_hw[::-1])

    def forget(self) -> None:
        """A round begins: what was said of tiles holds no longer anyway."""
        self._quads = {}

    def look(self, turn: int) -> None:
        """After each reading: logs which of them are covered no longer: they were found, or are gone."""
        covered = self._covered()
        for identity, quad in tuple(self._quads.items()):
            if identity not in covered:
                self.write(AnswerExpired(turn, quad))
                del self._quads[identity]

    def _covered(self) -> frozenset[int]:
        return frozenset(tile.identity for tile in self.tiles.tiles if _is_covered(tile))


def _is_covered(tile: FollowedTile) -> bool:
    """Whether it was not found since a person spoke of it, and may lie there still."""
    return tile.said_look is not None and tile.state is not TileState.LIFTED
