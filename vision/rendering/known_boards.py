"""Boards whose cells are known, as placements: no picture is drawn and nothing is read.

Lines of tiles that cross are laid one after the other, each from a tile that lies there, as hands lay
them: with gaps, pushed and turned a little, and each line a little askew, so that a board drifts. Then
they are seen from somewhere and misplaced as a finder misplaces them, as `known_layouts` does it.

So that somebody who looks can tell as well, tiles in neighbouring cells keep within `TOUCHING` and all
others keep beyond `APART`; only the kind "undecided" has a place that lies between the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from engine.layout import Cell, TileReading
from engine.tiles import parse_tile
from vision.placements import Face, Placement
from vision.rendering.arrangements import LABELS
from vision.rendering.known_layouts import FLIPPED, JOKERS, misplaced, seen_from_somewhere
from vision.rendering.layout_kinds import HEIGHT, WIDTH, Limits, Pose

Parts: TypeAlias = frozenset[frozenset[tuple[int, int, int]]]
"""A board, as `parts_of_rows` has it."""
Laid: TypeAlias = dict[Cell, Pose]
"""Tiles on the table by their cells."""

TOUCHING: Final = Limits(gap=0.4, step=0.35, turn=math.radians(14))
"""The most between tiles in neighbouring cells: gap in widths, step in cells, turn in radians."""
APART: Final = Limits(gap=0.6, step=0.65, turn=math.radians(30))
"""Tiles that are no neighbours are at least so far apart in one of the three."""
STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
ATTEMPTS: Final = 400


@dataclass(frozen=True, slots=True)
class KnownBoard:
    """Placements and how they were laid."""

    kind: str
    placements: tuple[Placement, ...]
    boards: tuple[Parts, ...]
    """Every board that counts as right, as `parts_of_rows` has it; one but for the kind "undecided"."""

    def is_board(self, rows: Sequence[Sequence[int | None]]) -> bool:
        """Whether rows of indexes of placements are how the tiles were laid, whichever side is up."""
        return parts_of_rows(rows) in self.boards


def placed_as(boards: Sequence[Mapping[Cell, int]]) -> tuple[Parts, ...]:
    """The boards that are right, from which tile lies in each cell."""
    return tuple(parts_of_rows(_rows(board)) for board in boards)


def parts_of_rows(
    rows: Sequence[Sequence[int | None]],
) -> Parts:
    """The parts of a board that hang together, each as (row, column, tile) from its own first cell, seen
    from the side that puts its smallest tile nearest to the top left: equal for equal boards, however
    they are turned and wherever their parts lie."""
    left = {
        (y, x): tile for y, row in enumerate(rows) for x, tile in enumerate(row) if tile is not None
    }
    parts = []
    while left:
        part, waiting = {}, [next(iter(left))]
        part[waiting[0]] = left.pop(waiting[0])
        while waiting:
            y, x = waiting.pop()
            for beside in ((y + dy, x + dx) for dy, dx in STEPS):
                if beside in left:
                    part[beside] = left.pop(beside)
                    waiting.append(beside)
        parts.append(_canonical(part))
    return frozenset(parts)


def _canonical(part: Mapping[Cell, int]) -> frozenset[tuple[int, int, int]]:
    sides = []
    cells = dict(part)
    for _ in range(4):
        cells = {(x, -y): tile for (y, x), tile in cells.items()}
        top, left = min(y for y, _ in cells), min(x for _, x in cells)
        sides.append(sorted((tile, y - top, x - left) for (y, x), tile in cells.items()))
    return frozenset((y, x, tile) for tile, y, x in min(sides))


def sample_board(kind: str, seed: int) -> KnownBoard:
    """One board of a kind of `KINDS`; the same for the same seed. Raises KeyError for another kind."""
    rng = np.random.default_rng([seed, *kind.encode()])
    laid, boards = KINDS[kind](rng)
    order = [list(laid)[k] for k in rng.permutation(len(laid))]
    number = {cell: k for k, cell in enumerate(order)}
    placements = []
    for quad in misplaced(rng, seen_from_somewhere(rng, [laid[cell] for cell in order])):
        label = "J" if rng.random() < JOKERS else str(rng.choice(LABELS))
        if rng.random() < (0.5 if label == "J" else FLIPPED):
            quad = np.roll(quad, 2, axis=0)
        reading = TileReading.certain(parse_tile(label))
        placements.append(Placement(quad.astype(np.float32), reading, 0.95, Face.UP))
    right = [{at: number[cell] for at, cell in board.items()} for board in boards]
    return KnownBoard(kind, tuple(placements), placed_as(right))


def _rows(tiles: Mapping[Cell, int]) -> list[list[int | None]]:
    ys, xs = [y for y, _ in tiles], [x for _, x in tiles]
    columns = range(min(xs), max(xs) + 1)
    return [[tiles.get((y, x)) for x in columns] for y in range(min(ys), max(ys) + 1)]


# How lines are laid


@dataclass(frozen=True, slots=True)
class Hand:
    """How somebody lays a line: gaps in widths, pushes in widths, turns in degrees (sigma)."""

    gap: float
    uneven: float
    push: float
    turn: float
    askew: float


def _hand(rng: np.random.Generator) -> Hand:
    return Hand(
        gap=float(rng.choice([0.0, rng.uniform(0, 0.08), rng.uniform(0.05, 0.25)])),
        uneven=float(rng.choice([0.0, 0.04])),
        push=float(rng.uniform(0.0, 0.05)),
        turn=float(rng.uniform(0.0, 2.5)),
        askew=float(rng.uniform(0.0, 1.5)),
    )


def _line(
    rng: np.random.Generator, hand: Hand, start: Cell, pose: Pose, ways: Sequence[int]
) -> Laid:
    """A line through a tile that lies there; ``ways``: a side it runs to and how many tiles, twice."""
    laid: Laid = {}
    tilt = math.radians(float(rng.normal(0, hand.askew)))
    for side, count in (ways[:2], ways[2:]):
        at = replace(pose, turn=pose.turn + tilt)
        dy, dx = STEPS[side]
        for k in range(1, count + 1):
            gap = max(0.0, hand.gap + float(rng.normal(0, hand.uneven))) * WIDTH
            at = at.moved(dx * (WIDTH + gap), dy * (HEIGHT + gap))
            pushed = np.clip(rng.normal(0, 1, 3), -2, 2) * (hand.push * WIDTH,) * 2
            turn = math.radians(float(np.clip(rng.normal(0, hand.turn), -6, 6)))
            laid[start[0] + dy * k, start[1] + dx * k] = at.moved(pushed[0], pushed[1], turn)
    return laid


def is_plain(laid: Laid) -> bool:
    """Whether anybody can tell which tiles touch: see `TOUCHING` and `APART`."""
    tiles = list(laid.items())
    for k, (cell, pose) in enumerate(tiles):
        for other_cell, other in tiles[k + 1 :]:
            near = abs(cell[0] - other_cell[0]) + abs(cell[1] - other_cell[1]) == 1
            if not _within(pose, other, TOUCHING if near else APART, wanted=near):
                return False
    return True


def _within(pose: Pose, other: Pose, limits: Limits, *, wanted: bool) -> bool:
    """Whether two tiles lie within the limits of touching in line, as seen from both, if that is
    ``wanted``; otherwise whether they lie beyond them as seen from either."""
    seen = (_touch(pose, other, limits), _touch(other, pose, limits))
    return all(seen) if wanted else not any(seen)


def _touch(pose: Pose, other: Pose, limits: Limits) -> bool:
    dx, dy = other.x - pose.x, other.y - pose.y
    c, s = math.cos(pose.turn), math.sin(pose.turn)
    right, down = abs(dx * c + dy * s), abs(dy * c - dx * s)
    turn = (other.turn - pose.turn) % (math.pi / 2)
    crosswise = abs(math.sin(other.turn - pose.turn)) > 0.7
    wide = (WIDTH + HEIGHT) / 2 if crosswise else WIDTH
    high = (WIDTH + HEIGHT) / 2 if crosswise else HEIGHT
    beside = right - wide < limits.gap * WIDTH and down < limits.step * high
    above = down - high < limits.gap * WIDTH and right < limits.step * wide
    return (beside or above) and min(turn, math.pi / 2 - turn) < limits.turn


def crossed(rng: np.random.Generator, tiles: int) -> Laid:
    """About so many tiles in lines that cross, and touch nowhere else."""
    hand = _hand(rng)
    start = Pose(0.0, 0.0, 0.0)
    laid: Laid = {(0, 0): start} | _line(
        rng, hand, (0, 0), start, (0, int(rng.integers(2, 6)), 2, 0)
    )
    for _ in range(ATTEMPTS):
        if len(laid) >= tiles:
            break
        cell = list(laid)[int(rng.integers(len(laid)))]
        side = int(rng.integers(2))
        before = int(rng.integers(0, 4))
        after = int(rng.integers(max(0, 2 - before), 5))
        line = _line(rng, hand, cell, laid[cell], (side, after, side + 2, before))
        others = {c for c in laid if c != cell}
        beside = {(y + dy, x + dx) for y, x in line for dy, dx in (*STEPS, (0, 0))}
        if not beside & others and is_plain(laid | line):
            laid |= line
    return laid


Sample: TypeAlias = tuple[Laid, Sequence[Mapping[Cell, Cell]]]
"""What lies there, and the boards that are right: which tile lies in each cell."""


def _alone(laid: Laid) -> Sample:
    return laid, [{cell: cell for cell in laid}]


def _crossed(rng: np.random.Generator) -> Sample:
    return _alone(crossed(rng, int(rng.integers(3, 60))))


def _block(rng: np.random.Generator) -> Sample:
    """Rows below each other with every cell filled but a few."""
    for _ in range(ATTEMPTS):
        hand = _hand(rng)
        height, width = int(rng.integers(2, 7)), int(rng.integers(2, 10))
        laid: Laid = {}
        for y in range(height):
            start = Pose(0.0, y * (HEIGHT + hand.gap * WIDTH), 0.0)
            row = {(y, 0): start} | _line(rng, hand, (y, 0), start, (0, width - 1, 2, 0))
            laid |= {cell: pose for cell, pose in row.items() if rng.random() > 0.15}
        if laid and is_plain(laid):
            return _alone(laid)
    raise AssertionError("some block is plain")


def _facing(rng: np.random.Generator) -> Sample:
    """Every tile turned to the player who laid it, who sits on this side or on that."""
    laid, boards = _crossed(rng)
    turned = {c: replace(p, turn=p.turn + math.pi * int(rng.integers(2))) for c, p in laid.items()}
    return turned, boards


def _crosswise(rng: np.random.Generator) -> Sample:
    """Some tiles at the ends of lines lie crosswise."""
    for _ in range(ATTEMPTS):
        laid, boards = _crossed(rng)
        for cell in list(laid):
            beside = [k for k, (y, x) in enumerate(STEPS) if (cell[0] + y, cell[1] + x) in laid]
            if len(beside) == 1 and rng.random() < 0.6:
                dy, dx = STEPS[beside[0]]
                more = (HEIGHT - WIDTH) / 2
                away = laid[cell].moved(-dx * more, dy * more)
                laid[cell] = replace(away, turn=away.turn + math.pi / 2)
        if is_plain(laid):
            return laid, boards
    raise AssertionError("some board is plain")


def _parts(rng: np.random.Generator) -> Sample:
    """Two to four boards that do not touch, some of them single tiles."""
    laid: Laid = {}
    wanted = int(rng.integers(2, 5))
    for number in range(wanted):
        part = crossed(rng, int(rng.choice([1, 4, 12, 20])))
        if rng.random() < 0.3:
            part = {(0, 0): part[0, 0]}
        for _ in range(ATTEMPTS):
            x, y, turn = rng.uniform(-330, 330), rng.uniform(-330, 330), rng.normal(0, 0.1)
            at = Pose(float(x), float(y), float(turn))
            if rng.random() < 0.3:
                at = replace(at, turn=float(rng.uniform(0, 2 * math.pi)))
            moved = {
                (y + 100 * number, x): at.moved(pose.x, pose.y, pose.turn)
                for (y, x), pose in part.items()
            }
            if is_plain(laid | moved):
                laid |= moved
                break
    return _alone(laid)


def _undecided(rng: np.random.Generator) -> Sample:
    """One tile at the end of a line lies too far out to be sure that it touches."""
    for _ in range(ATTEMPTS):
        laid, _ = _crossed(rng)
        ends = [
            (cell, beside[0])
            for cell in laid
            if len(beside := [s for s in STEPS if (cell[0] + s[0], cell[1] + s[1]) in laid]) == 1
        ]
        if not ends:
            continue
        cell, (dy, dx) = ends[int(rng.integers(len(ends)))]
        rest = {c: p for c, p in laid.items() if c != cell}
        next_to = laid[cell[0] + dy, cell[1] + dx]
        out = float(rng.uniform(TOUCHING.gap, APART.gap)) * WIDTH
        pose = next_to.moved(-dx * (WIDTH + out), -dy * (HEIGHT + out))
        far = {(1000, 1000): pose}
        if is_plain(rest) and is_plain({c: p for c, p in rest.items() if p != next_to} | far):
            both = [{c: c for c in laid}, {(1000, 1000) if c == cell else c: c for c in laid}]
            return {**rest, cell: pose}, both
    raise AssertionError("some board has an end")


def _missing(rng: np.random.Generator) -> Sample:
    """The finder does not see one tile in twelve: what it parted may hang together or not."""
    laid, _ = _crossed(rng)
    return _alone({c: pose for c, pose in laid.items() if rng.random() > 1 / 12} or laid)


def _stacked(rng: np.random.Generator) -> Sample:
    """One to three tiles lie upon tiles of the board, at any angle: they are part of no line."""
    laid, _ = _crossed(rng)
    cells = list(laid)
    upon: Laid = {}
    for number in range(int(rng.integers(1, 4))):
        under = laid[cells[int(rng.integers(len(cells)))]]
        push = rng.uniform(-0.3, 0.3, 2) * WIDTH
        turn = math.radians(float(rng.uniform(25, 65))) + math.pi / 2 * int(rng.integers(4))
        tile = {(1000 * (number + 1), 0): under.moved(float(push[0]), float(push[1]), turn)}
        upon |= tile if is_plain(upon | tile) else {}
    return _alone(laid | upon)


KINDS: Final[Mapping[str, Callable[[np.random.Generator], Sample]]] = {
    "crossed": _crossed,
    "block": _block,
    "facing": _facing,
    "crosswise": _crosswise,
    "parts": _parts,
    "missing": _missing,
    "stacked": _stacked,
    "undecided": _undecided,
}
"""Every kind of board by its name."""
