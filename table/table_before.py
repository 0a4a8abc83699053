"""What the table before a turn may have been beside what it counted as.

A turn ends while a tile is in doubt where it is legal whatever that tile is. What was in doubt of a
table is kept with it, so that nobody is accused of what may never have lain there, after a restart and
after a turn was undone as well. What is asked about it then stands in `engine.doubts.table_before`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from engine.doubts.table_before import with_tile_told
from engine.examination import as_laid
from engine.faults import NO_TILE
from engine.game.events import Board
from engine.layout import GridLayout, TileReading
from engine.melds import Meld
from engine.tiles import Tile, parse_tile
from engine.turn_reading import DoubtBefore
from table.kept_tables import DoubtKept, KeptTable, KeptTables
from table.places import in_pixels
from table.restore import LyingTile
from table.seen_table import SeenTable
from vision.placements import Placement
from vision.table_layout import likeliest, sets_of
from vision.tracking.followed import FollowedPlacement, identity_of
from vision.tracking.places import AS_IT_LAY, lies_within


def doubts_about(layout: Board, seen: SeenTable) -> Iterator[DoubtKept]:
    """What is in doubt of the tiles of ``layout``, which were ``seen`` to lie there."""
    tiles = seen.laid_out.reading.tiles
    in_doubt = [index for index, tile in enumerate(tiles) if _others(tile)]
    numbers = _numbers_in(layout, seen) if in_doubt else {}
    read = [index for index, tile in enumerate(tiles) if tile.candidates]
    for index in in_doubt:
        if index in numbers:
            identity = identity_of(seen.placement_of(index))
            others = _others(tiles[index])
            yield DoubtKept(numbers[index], read.index(index), others, identity)


def _others(tile: TileReading) -> tuple[str, ...]:
    """What a tile may be beside its likeliest reading; nothing of one that is sure, or unread."""
    if tile.sure or not tile.candidates:
        return ()
    others = [str(candidate.tile) for candidate in tile.candidates[1:]]
    return tuple(others) + ((NO_TILE,) if tile.may_be_none else ())


def _numbers_in(layout: Board, seen: SeenTable) -> dict[int, int]:
    """For the tiles that were seen their numbers in the layout, in reading order; of a board that lies
    otherwise now, as from another side, none are told."""
    reading = seen.laid_out.reading
    if isinstance(layout, GridLayout):
        if layout != likeliest(reading):
            return {}
        rows = [[i for i in row if i is not None] for row in reading.arrangements[0]]
        read = (i for row in rows for i in row if reading.tiles[i].candidates)
        return dict(zip(read, count(), strict=False))
    left: dict[bytes, list[tuple[int, Meld]]] = {}
    first = 0
    for meld in layout.melds:
        left.setdefault(as_laid(meld.packed), []).append((first, meld))
        first += len(meld)
    numbers: dict[int, int] = {}
    for row in sets_of(reading):
        indexes = [i for i in row if reading.tiles[i].candidates]
        tiles = tuple(tile for i in indexes if (tile := reading.tiles[i].best) is not None)
        alike = left.get(as_laid(Meld.of(tiles).packed), []) if tiles else []
        if alike:
            first, meld = alike.pop(0)
            in_order = indexes if meld.tiles == tiles else _in_order_of(meld, indexes, tiles)
            numbers.update(zip(in_order, count(first), strict=False))
    return numbers


def _in_order_of(meld: Meld, indexes: Sequence[int], tiles: Sequence[Tile]) -> list[int]:
    """The indexes of these tiles, which are those of the meld, in its order: it is read from the other
    side, or a group lies otherwise."""
    left = list(zip(tiles, indexes, strict=True))[::-1]
    found = []
    for tile in meld.tiles:
        pair = next(pair for pair in left if pair[0] == tile)
        left.remove(pair)
        found.append(pair[1])
    return found


class TableBefore:
    """The doubts about the table with which the turn under way began. It belongs to one thread."""

    def __init__(self, kept: KeptTables) -> None:
        """``kept`` are the tables at the ends of the last turns."""
        self._kept = kept

    def doubts(
        self, before: Board | None, seen: SeenTable, size_wh: tuple[int, int]
    ) -> tuple[DoubtBefore, ...]:
        """What the table ``before`` may have been, as a turn is read whose table after is ``seen`` in a
        picture of that size."""
        kept = self._of(before)
        if kept is None:
            return ()
        found = []
        for doubt in kept.doubts:
            now = _lies_there_still(doubt, kept, seen, size_wh)
            others = tuple(None if each == NO_TILE else parse_tile(each) for each in doubt.others)
            found.append(DoubtBefore(doubt.number, others, now))
        return tuple(found)

    def came_to_light(
        self, before: Board | None, seen: SeenTable, size_wh: tuple[int, int]
    ) -> tuple[int, Tile] | None:
        """A tile that was in doubt, lies there untouched and is known by now to be another one than it
        counted as: its number, and which it is. What is known to be what it counted as is none any more.
        """
        tiles = seen.laid_out.reading.tiles
        for doubt in self.doubts(before, seen, size_wh):
            now = None if doubt.now is None else tiles[doubt.now]
            if before is not None and now is not None and now.sure and now.best is not None:
                if now.best != before.tiles[doubt.number]:
                    return doubt.number, now.best
                self.was_as_counted(before, doubt.number)
        return None

    def was_as_counted(self, before: Board, number: int) -> None:
        """That tile of the table before is the one that it counted as."""
        kept = self._of(before)
        if kept is not None:
            self._kept.settle(kept, number)

    def was_another(self, turn: int, before: Board, number: int, tile: Tile | None) -> None:
        """Logs in this turn that this tile of the table before it was that one, or none."""
        kept = self._of(before)
        if kept is not None:
            told = with_tile_told(before, number, tile)
            self._kept.tell(turn, kept, number, NO_TILE if tile is None else str(tile), told)

    def _of(self, before: Board | None) -> KeptTable | None:
        kept = None if before is None else self._kept.of(before)
        return kept if kept is not None and kept.layout == before else None


def _lies_there_still(
    doubt: DoubtKept, kept: KeptTable, seen: SeenTable, size_wh: tuple[int, int]
) -> int | None:
    """The tile of the layout that is this one, seen in the picture; None where none is."""
    lay = kept.tiles[doubt.at]
    numbers = range(len(seen.laid_out.placement_indexes))
    return next((n for n in numbers if _is_it(seen.placement_of(n), doubt, lay, size_wh)), None)


def _is_it(
    placement: Placement, doubt: DoubtKept, lay: LyingTile, size_wh: tuple[int, int]
) -> bool:
    """Whether a placement is found, and of that tile: by its identity; or at its very place, where it is
    surely what it counted as then, though it looks otherwise, or, where no identity is known since the
    program was started anew, lay there when a turn ended."""
    if not isinstance(placement, FollowedPlacement) or placement.is_unfound:
        return False
    if doubt.identity and placement.identity == doubt.identity:
        return True
    if not lies_within(AS_IT_LAY, in_pixels(lay.quad, size_wh), placement.quad_xy):
        return False
    if doubt.identity:
        return placement.reading.sure and str(placement.reading.best) == lay.label
    return placement.was_confirmed
