"""What is not as it was on the table before the turn, tile by tile: so that it can be put back.

The sets decide whether the table is as it was; places are a help to those who put it back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.examination import as_laid
from engine.game.events import Board
from engine.tiles import parse_tile
from table.forms import lies_as, sets_on
from table.places import Corners, in_parts, in_pixels
from vision.tracking.places import camera_motion, moved, pairs_by_place

HALF_A_TILE: Final = 0.5
"""A tile lies where it lay while its centre is no further from there, in its short sides."""
MOVED_AWAY: Final = 0.5
"""Share of the tiles in their places, below which the camera may have been moved since."""


@dataclass(frozen=True, slots=True)
class LyingTile:
    """One tile of a table."""

    label: str
    """In notation; empty for one that nobody could read."""
    quad: Corners
    may_be_none: bool = False
    """It is covered, or may be no tile: whether it lies there is not certain."""
    is_hidden: bool = False
    """Something covers it, though it is known to lie there."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it was."""

    kind: str
    """``missing``, ``elsewhere`` (it lies there, but at another place than it did), ``extra`` (one that
    was not there), ``unsure`` (it cannot be seen) or ``apart`` (tiles that were one set)."""
    labels: tuple[str, ...]
    """The tile; of ``apart`` all tiles of the set."""
    before: tuple[Corners, ...] = ()
    """Where they lay, as the picture shows it now."""
    now: tuple[Corners, ...] = ()
    """Where they lie."""

    def to_json(self) -> dict[str, Any]:
        """It as the JSON interface tells it."""
        return {
            "kind": self.kind,
            "labels": list(self.labels),
            "before": [[list(corner) for corner in quad] for quad in self.before],
            "now": [[list(corner) for corner in quad] for quad in self.now],
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table before and now."""

    as_it_was: bool
    """The sets are those of then, and every tile of them is seen."""
    same_places: bool
    """Every tile lies within half a tile of where it lay, as far as that is known."""
    differences: tuple[Difference, ...]
    """What is not as it was, places alone too; of sets only where all tiles are in their places."""


def compared(
    before: Board,
    lay: Sequence[LyingTile],
    now: Board,
    lie: Sequence[LyingTile],
    size_wh: tuple[int, int],
) -> Comparison:
    """``before`` was the table and ``now`` is; ``lay`` and ``lie`` are their tiles with places.

    ``size_wh`` is the picture's, in pixels. Without places of then there is nothing of places.
    """
    found = tuple(_of_tiles(lay, lie, size_wh))
    clear = not any(tile.may_be_none or not tile.label for tile in lie)
    as_it_was = lies_as(before, now) and clear
    sets = () if as_it_was or found else tuple(_of_sets(before, lay, now))
    known = all(tile.quad for tile in lay)
    return Comparison(as_it_was, as_it_was and known and not found, (*found, *sets))


def _of_tiles(
    lay: Sequence[LyingTile], lie: Sequence[LyingTile], size_wh: tuple[int, int]
) -> Iterator[Difference]:
    extra = []
    for label in sorted({tile.label for tile in (*lay, *lie)}):
        then = [tile for tile in lay if tile.label == label]
        now = [tile for tile in lie if tile.label == label]
        for was, there in _pairs(then, now, size_wh):
            if was is None and there is not None:
                extra.append(Difference("extra", (label,), now=(there.quad,)))
            elif was is not None and there is None:
                yield Difference("missing", (label,), before=_known(was))
            elif was is not None and there is not None and there.may_be_none:
                yield Difference("unsure", (label,), before=_known(was))
            elif was is not None and there is not None and not _in_place(was, there, size_wh):
                yield Difference("elsewhere", (label,), _known(was), (there.quad,))
    yield from extra


def _known(tile: LyingTile) -> tuple[Corners, ...]:
    return (tile.quad,) if tile.quad else ()


def _pairs(
    then: Sequence[LyingTile], now: Sequence[LyingTile], size_wh: tuple[int, int]
) -> Iterator[tuple[LyingTile | None, LyingTile | None]]:
    """Tiles of one kind then and now: those in their places, then any others, then what is left."""
    placed = [tile for tile in then if tile.quad]
    quads = [[in_pixels(tile.quad, size_wh) for tile in tiles] for tiles in (placed, now)]
    pairs = pairs_by_place(quads[0], quads[1], HALF_A_TILE)
    yield from ((placed[a], now[b]) for a, b in pairs.items())
    at_home = {id(placed[a]) for a in pairs}
    left = [tile for tile in then if id(tile) not in at_home]
    others = [tile for number, tile in enumerate(now) if number not in pairs.values()]
    for number in range(max(len(left), len(others))):
        yield (
            left[number] if number < len(left) else None,
            others[number] if number < len(others) else None,
        )


def _in_place(was: LyingTile, there: LyingTile, size_wh: tuple[int, int]) -> bool:
    if not was.quad:
        return True
    quads = [[in_pixels(tile.quad, size_wh)] for tile in (was, there)]
    return bool(pairs_by_place(quads[0], quads[1], HALF_A_TILE))


def _of_sets(before: Board, lay: Sequence[LyingTile], now: Board) -> Iterator[Difference]:
    """Sets that lie apart, or with others, though all tiles are in their places."""
    there = Counter(as_laid(meld.packed) for meld in sets_on(now))
    for meld in sets_on(before):
        row = as_laid(meld.packed)
        if there[row]:
            there[row] -= 1
        else:
            labels = tuple(str(tile) for tile in meld.tiles)
            yield Difference("apart", labels, before=_places_of(labels, lay))


def _places_of(labels: Sequence[str], lay: Sequence[LyingTile]) -> tuple[Corners, ...]:
    """Where tiles lay whose labels no other tile had; of others it is not known which lay where."""
    of_label = {label: [tile for tile in lay if tile.label == label] for label in labels}
    return tuple(tiles[0].quad for tiles in of_label.values() if len(tiles) == 1 and tiles[0].quad)


def moved_with_camera(
    lay: Sequence[LyingTile], lie: Sequence[LyingTile], size_wh: tuple[int, int]
) -> tuple[tuple[LyingTile, ...], tuple[float, ...] | None]:
    """Where the tiles lay as the picture shows it now, though somebody pushed the camera since.

    And the matrix (a, b, c, d, e, f) of SVG that brings the picture of then there, in pixels; None where
    the camera stands.
    """
    placed = [tile for tile in lay if tile.quad]
    quads = [in_pixels(tile.quad, size_wh) for tile in placed]
    same = [
        (tile, quad)
        for tile, quad in zip(placed, quads, strict=True)
        if any(_in_place(tile, other, size_wh) for other in lie if other.label == tile.label)
    ]
    if len(same) >= MOVED_AWAY * len(placed):
        return tuple(lay), None
    then = [(parse_tile(tile.label), quad) for tile, quad in zip(placed, quads, strict=True)]
    there = [(parse_tile(t.label), in_pixels(t.quad, size_wh)) for t in lie if t.label]
    motion = camera_motion(then, there)
    if motion is None:
        return tuple(lay), None
    (a, c, e), (b, d, f) = motion.tolist()
    brought = tuple(
        replace(tile, quad=in_parts(moved(in_pixels(tile.quad, size_wh), motion), size_wh))
        if tile.quad
        else tile
        for tile in lay
    )
    return brought, tuple(round(value, 5) for value in (a, b, c, d, e, f))
