"""The kinds of tables on which layouts are measured: rows of poses, laid as people lay them.

Each kind is a way to lie that a layout reader may take for another. What one row is, is settled by how
it was laid. So that somebody who looks can tell as well, neighbours of a row keep within `IN_ROW`, and
rows that lie in line keep apart by `BETWEEN_ROWS`; only the kind "undecided" lies between the two, and
of "from both sides" the way that tiles face tells it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

WIDTH: Final = 26.0
HEIGHT: Final = 36.4
"""Millimetres of a tile here."""


@dataclass(frozen=True, slots=True)
class Pose:
    """The centre of a tile in millimetres, y down, and its clockwise turn in radians."""

    x: float
    y: float
    turn: float

    def moved(self, along: float, down: float, turn: float = 0.0) -> Pose:
        """Shifted in its own frame by millimetres, then turned."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        return Pose(self.x + along * c - down * s, self.y + along * s + down * c, self.turn + turn)


Row = list[Pose]
"""In reading order, as laid."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How two neighbouring tiles may lie: gap in widths, step in heights, turn in radians."""

    gap: float
    step: float
    turn: float


IN_ROW: Final = Limits(gap=0.4, step=0.4, turn=math.radians(20))
"""The most within a row."""
BETWEEN_ROWS: Final = Limits(gap=0.55, step=0.62, turn=math.radians(30))
"""Tiles of different rows that face each other with their long sides are at least so far apart in one of
the three."""
BY_CHANCE: Final = Limits(gap=0.35, step=0.35, turn=math.radians(14))
"""The same for tiles that fell as they lie, and for things that are none: they may come nearer to lying
in line, though not so near that they look laid."""


SEEN_APART: Final = (0.25, BETWEEN_ROWS.gap)
"""Widths between two rows in line whose own tiles touch: nearer than `BETWEEN_ROWS`, and seen all the
same."""

UNSEEN_APART: Final = (0.0, 0.3)
"""The same between two rows that face different sides, which tells them apart where no space does."""

# How rows are laid


def laid_row(
    count: int,
    start: Pose,
    gaps: float | Sequence[float] = 0.0,
    step: float = 0.0,
    bend: float = 0.0,
) -> Row:
    """Tiles from left to right: gaps in widths, a step in heights and a bend in radians each."""
    between = [gaps] * (count - 1) if isinstance(gaps, float | int) else list(gaps)
    row = [start]
    for gap in between:
        lean = abs(HEIGHT * math.sin(bend / 2))  # so that the near corners do not overlap
        half_way = replace(row[-1], turn=row[-1].turn + bend / 2)
        tile = half_way.moved(WIDTH * (1 + gap) + lean, step * HEIGHT, bend / 2)
        row.append(tile)
    return row


def _sloppy(rng: np.random.Generator, row: Row, along: float, down: float, turn_deg: float) -> Row:
    """Every tile pushed at random, by no more than twice the given sigma."""
    pushes = np.clip(rng.normal(0, 1, (len(row), 3)), -2, 2)
    return [
        pose.moved(a * along * WIDTH, d * down * HEIGHT, t * math.radians(turn_deg))
        for pose, (a, d, t) in zip(row, pushes, strict=True)
    ]


def _count(rng: np.random.Generator) -> int:
    return int(rng.choice([1, 2, 3, 3, 3, 4, 4, 5, 6, 8, 10, 13]))


def _long(rng: np.random.Generator) -> int:
    return int(rng.integers(3, 9))


def _single(_: np.random.Generator) -> Row:
    return [Pose(0, 0, 0)]


def _any_way(rng: np.random.Generator) -> float:
    return float(rng.uniform(0, 2 * math.pi))


def _gap(rng: np.random.Generator) -> float:
    """What one hand leaves between tiles: mostly nothing."""
    return float(rng.choice([0.0, rng.uniform(0, 0.06), rng.uniform(0.05, 0.3)]))


def _small_gap(rng: np.random.Generator) -> float:
    return min(_gap(rng), 0.2)


def _touching(rng: np.random.Generator) -> float:
    return float(rng.uniform(0, 0.04))


def _facing(rng: np.random.Generator, spread: float = 0.08) -> float:
    return float(rng.normal(0, spread))


def _any_side(rng: np.random.Generator) -> float:
    return float(rng.integers(4) * math.pi / 2 + rng.normal(0, 0.06))


Maker = Callable[[np.random.Generator], Row]
"""A row at the origin, to be put somewhere."""


def _scattered(
    rng: np.random.Generator,
    make: Maker,
    most: int,
    clearance: tuple[float, float] = (0.15, 0.6),
    turn: Callable[[np.random.Generator], float] = _facing,
    rows: Sequence[Row] = (),
    in_line: Limits = BETWEEN_ROWS,
) -> list[Row]:
    """Rows pushed together from all sides, until some clearance in widths is left between them."""
    table = [*rows]
    apart = rng.uniform(*clearance) * WIDTH
    for _ in range(most):
        if sum(map(len, table)) >= most:
            break
        row, facing = make(rng), turn(rng)
        aim = rng.normal(0, 15.0 * math.sqrt(most), 2)
        way = rng.uniform(0, 2 * math.pi)
        for reach in np.arange(0.0, 90.0 * math.sqrt(most) + 200.0, WIDTH / 2):
            x, y = aim + reach * np.array([math.cos(way), math.sin(way)])
            put = _put(row, Pose(float(x), float(y), facing))
            if all(_is_clear(put, other, apart, in_line) for other in table):
                table.append(put)
                break
    return table


def _put(row: Row, centre: Pose) -> Row:
    x, y = (sum(getattr(pose, axis) for pose in row) / len(row) for axis in "xy")
    return [
        replace(centre.moved(pose.x - x, pose.y - y), turn=centre.turn + pose.turn) for pose in row
    ]


def _is_clear(row: Row, other: Row, apart: float, in_line: Limits) -> bool:
    """Neither overlapping nor closer than ``apart`` millimetres, nor to be taken for one row."""
    far = math.hypot(WIDTH, HEIGHT) + max(apart, WIDTH * in_line.gap)
    pairs = ((a, b) for a in row for b in other if math.hypot(a.x - b.x, a.y - b.y) < far)
    return not any(goes_on(a, b, in_line) or _distance(a, b) < apart for a, b in pairs)


def _distance(a: Pose, b: Pose) -> float:
    """Millimetres between two tiles, about; 0 when they overlap."""
    ring = np.array(
        [(x, y) for x in (-1, -0.5, 0, 0.5, 1) for y in (-1, -0.5, 0, 0.5, 1)], np.float64
    ) * (WIDTH / 2, HEIGHT / 2)
    nearest = math.inf
    for one, two in ((a, b), (b, a)):
        c, s = math.cos(one.turn - two.turn), math.sin(one.turn - two.turn)
        points = ring @ np.array([[c, s], [-s, c]])
        cos, sin = math.cos(two.turn), math.sin(two.turn)
        dx, dy = one.x - two.x, one.y - two.y
        points += (dx * cos + dy * sin, dy * cos - dx * sin)
        outside = np.maximum(np.abs(points) - (WIDTH / 2, HEIGHT / 2), 0)
        nearest = min(nearest, float(np.hypot(*outside.T).min()))
    return nearest


def goes_on(a: Pose, b: Pose, limits: Limits) -> bool:
    """Whether two tiles could be neighbours of one row, if neighbours lay as far apart as ``limits``."""
    turn = (b.turn - a.turn + math.pi / 2) % math.pi - math.pi / 2
    middle = a.turn + turn / 2
    c, s = math.cos(middle), math.sin(middle)
    dx, dy = b.x - a.x, b.y - a.y
    along, down = abs(dx * c + dy * s) / WIDTH, abs(dy * c - dx * s) / HEIGHT
    lean = HEIGHT / WIDTH * math.sin(abs(turn) / 2)
    return along - 1 - lean < limits.gap and down < limits.step and abs(turn) < limits.turn


# The kinds


def _straight(rng: np.random.Generator) -> Row:
    return laid_row(_count(rng), Pose(0, 0, 0), _gap(rng))


def _rows(rng: np.random.Generator) -> list[Row]:
    return _scattered(rng, _straight, int(rng.integers(8, 60)))


def _lines(
    rng: np.random.Generator,
    between: tuple[float, float],
    apart: tuple[float, float],
    count: Callable[[np.random.Generator], int] = _long,
    gap: Callable[[np.random.Generator], float] = _small_gap,
) -> list[Row]:
    """Rows one after the other in lines: spaces in widths, lines apart in heights."""
    table: list[Row] = []
    y = 0.0
    for _ in range(int(rng.integers(2, 6))):
        x = rng.uniform(-2, 2) * WIDTH
        for _ in range(int(rng.integers(1, 4))):
            row = laid_row(count(rng), Pose(x, y, rng.normal(0, 0.006)), gap(rng))
            table.append(_sloppy(rng, row, 0.01, 0.01, 0.5))
            x = row[-1].x + WIDTH * (1 + rng.uniform(*between))
        y += HEIGHT * (1 + rng.uniform(*apart))
    return table


def _end_to_end(rng: np.random.Generator) -> list[Row]:
    return _lines(rng, (BETWEEN_ROWS.gap, 1.2), (0.15, 0.8))


def _near_in_line(rng: np.random.Generator) -> list[Row]:
    return _lines(rng, SEEN_APART, (0.15, 0.8), gap=_touching)


def _side_by_side(rng: np.random.Generator) -> list[Row]:
    return _lines(rng, (0.8, 2.0), (0.0, 0.08))


def _turned_about(row: Row) -> Row:
    """The same tiles at the same places, laid by who sits opposite."""
    return [replace(pose, turn=pose.turn + math.pi) for pose in reversed(row)]


def _from_both_sides(rng: np.random.Generator) -> list[Row]:
    table = _lines(rng, UNSEEN_APART, (0.15, 0.8), gap=_touching)
    return [_turned_about(row) if number % 2 else row for number, row in enumerate(table)]


def _undecided(rng: np.random.Generator) -> list[Row]:
    return _lines(rng, (IN_ROW.gap, BETWEEN_ROWS.gap), (0.15, 0.8))


def _fan(rng: np.random.Generator) -> Row:
    bend = math.radians(rng.uniform(3, 14)) * rng.choice([-1, 1])
    return laid_row(int(rng.integers(3, 9)), Pose(0, 0, 0), rng.uniform(0, 0.12), 0.0, bend)


def _fans(rng: np.random.Generator) -> list[Row]:
    return _scattered(rng, _fan, int(rng.integers(8, 40)), turn=lambda r: _facing(r, 0.4))


def _hand_of_cards(rng: np.random.Generator) -> Row:
    bend = math.radians(rng.uniform(0, 7)) * rng.choice([-1, 1])
    return laid_row(_long(rng), Pose(0, 0, 0), rng.uniform(-0.7, -0.2), 0.0, bend)


def _overlapping(rng: np.random.Generator) -> list[Row]:
    return _scattered(rng, _hand_of_cards, int(rng.integers(8, 40)))


def _stair(rng: np.random.Generator) -> Row:
    step = rng.uniform(0.08, 0.35) * rng.choice([-1, 1])
    return laid_row(int(rng.integers(3, 8)), Pose(0, 0, 0), rng.uniform(0, 0.12), step)


def _steps(rng: np.random.Generator) -> list[Row]:
    return _scattered(rng, _stair, int(rng.integers(8, 40)))


def _sides(rng: np.random.Generator) -> list[Row]:
    return _scattered(rng, _straight, int(rng.integers(12, 60)), (0.08, 0.4), _any_side)


def _close(rng: np.random.Generator) -> list[Row]:
    return _scattered(
        rng, _straight, int(rng.integers(12, 50)), (0.02, 0.12), lambda r: _facing(r, 0.25)
    )


def _at_right_angles(rng: np.random.Generator) -> list[Row]:
    """Rows that end on the middle or the end of another, touching."""
    table: list[Row] = []
    for k in range(int(rng.integers(1, 4))):
        row = laid_row(_long(rng) + 1, Pose(0, 400.0 * k, rng.normal(0, 0.3)), min(_gap(rng), 0.15))
        table.append(row)
        for side in (-1, 1):
            foot = row[int(rng.integers(len(row)))]
            reach = (HEIGHT + WIDTH) / 2 + rng.uniform(0.0, 0.15) * WIDTH
            other = foot.moved(0, side * reach, side * math.pi / 2 + rng.normal(0, 0.03))
            count = int(rng.integers(2, 6))
            added = laid_row(count, other, rng.uniform(0, 0.12))
            if rng.random() < 0.5:
                added = [replace(pose, turn=pose.turn + math.pi) for pose in reversed(added)]
            table.append(added)
    return table


def _turned(rng: np.random.Generator) -> list[Row]:
    """Rows with single tiles at right angles before, behind or above them (RS-23)."""
    rows = _scattered(
        rng, lambda r: laid_row(_long(r), Pose(0, 0, 0), min(_gap(r), 0.15)), 30, (2.2, 3.0)
    )
    table = [*rows]
    for row in rows:
        for place in rng.permutation(3)[: int(rng.integers(0, 3))]:
            space = rng.uniform(0.0, 0.2) * WIDTH
            reach = (WIDTH + HEIGHT) / 2 + space
            end, across = (row[-1], reach) if place == 0 else (row[0], -reach)
            turn = rng.choice([-1, 1]) * math.pi / 2 + rng.normal(0, 0.05)
            if place == 2:
                tile = row[len(row) // 2].moved(rng.uniform(-0.5, 0.5) * WIDTH, -reach, turn)
            else:
                tile = end.moved(across, rng.normal(0, 0.08) * HEIGHT, turn)
            table.append([tile])
    return table


def _uneven_row(rng: np.random.Generator) -> Row:
    count = _long(rng)
    gaps = rng.uniform(0, IN_ROW.gap, count - 1) * rng.uniform(0.4, 1.0)
    return laid_row(count, Pose(0, 0, 0), [float(gap) for gap in gaps])


def _uneven(rng: np.random.Generator) -> list[Row]:
    return _scattered(rng, _uneven_row, int(rng.integers(8, 40)), (0.3, 0.8))


def _slid_row(rng: np.random.Generator) -> Row:
    row = _sloppy(rng, laid_row(_long(rng), Pose(0, 0, 0), rng.uniform(0.1, 0.2)), 0.04, 0.06, 3)
    slid = int(rng.integers(len(row)))
    row[slid] = row[slid].moved(0, rng.choice([-1, 1]) * rng.uniform(0.1, 0.3) * HEIGHT)
    return row


def _slid(rng: np.random.Generator) -> list[Row]:
    return _scattered(rng, _slid_row, int(rng.integers(8, 40)), (0.3, 0.8))


def _singles(rng: np.random.Generator) -> list[Row]:
    rows = _scattered(rng, _straight, int(rng.integers(6, 20)))
    most = sum(map(len, rows)) + int(rng.integers(4, 20))
    return _scattered(
        rng,
        _single,
        most,
        (0.1, 0.4),
        _any_way,
        rows,
    )


def _strewn(rng: np.random.Generator) -> list[Row]:
    """Tiles face up as they fell, close together and at every angle: no melds."""
    return _scattered(
        rng,
        _single,
        int(rng.integers(10, 54)),
        (0.02, 0.3),
        _any_way,
        in_line=BY_CHANCE,
    )


def _stacked(rng: np.random.Generator) -> list[Row]:
    """Some tiles lie upon others; what lies on top belongs to no row."""
    rows = _scattered(rng, _straight, int(rng.integers(8, 40)))
    below = [pose for row in rows for pose in row]
    chosen = rng.permutation(len(below))[: int(rng.integers(1, 4))]
    tops = [
        [below[k].moved(*(rng.uniform(-0.4, 0.4, 2) * WIDTH), rng.uniform(0, 2 * math.pi))]
        for k in chosen
    ]
    return [*rows, *tops]


def _false_tiles(rng: np.random.Generator) -> list[Row]:
    """Things between the rows that were taken for tiles: nearer than tiles are laid, at any angle."""
    rows = _scattered(rng, _straight, int(rng.integers(8, 40)), (0.4, 0.9))
    most = sum(map(len, rows)) + int(rng.integers(1, 5))
    return _scattered(
        rng,
        _single,
        most,
        (0.0, 0.05),
        _any_way,
        rows,
        BY_CHANCE,
    )


def _evening(rng: np.random.Generator) -> list[Row]:
    """A whole set in play, every player's hand in it."""
    makers = (_straight, _straight, _straight, _fan, _stair, _uneven_row, _slid_row)
    return _scattered(
        rng,
        lambda r: makers[r.integers(len(makers))](r),
        int(rng.integers(50, 100)),
        (0.1, 0.5),
        _any_side,
    )


KINDS: Final[dict[str, Callable[[np.random.Generator], list[Row]]]] = {
    "rows": _rows,
    "end to end": _end_to_end,
    "near in line": _near_in_line,
    "from both sides": _from_both_sides,
    "side by side": _side_by_side,
    "close": _close,
    "facing sides": _sides,
    "fans": _fans,
    "overlapping": _overlapping,
    "steps": _steps,
    "uneven gaps": _uneven,
    "slid": _slid,
    "right angles": _at_right_angles,
    "turned tiles": _turned,
    "singles": _singles,
    "strewn": _strewn,
    "stacked": _stacked,
    "missing": _rows,
    "false tiles": _false_tiles,
    "evening": _evening,
    "undecided": _undecided,
}
"""By name; what each lays is said in docs/layout.md."""
