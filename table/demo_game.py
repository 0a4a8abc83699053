"""A seeded, endless game of tile rummy for the rendered table, with the truth of every moment.

Four imagined players lay sets, extend runs, complete groups and split runs. Once in a while one of
them does something that no rule allows, and mends it before ending the turn. Nothing here looks at a
picture: the script says what lies where, the rendered table draws it, and the reader has to find out.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from engine.layout import Layout, parse_layout
from engine.tiles import parse_tile
from vision.rendering import TILE_SIZE_MM, TilePose

SUITS = "KBRO"
PITCH_MM = TILE_SIZE_MM[0] + 1.0
"""From one tile to the next in a meld: people push tiles together, and leave a crack."""
ROW_MM = TILE_SIZE_MM[1] + 16.0
"""From one row of melds to the next."""
MELD_GAP_MM = 22.0
"""Least distance between two melds of a row: wide enough that nobody takes them for one."""
MARGIN_MM = 14.0
"""Nothing lies nearer than this to the edge of the picture."""
PLACE_STEP_MM = 9.0
"""Grid of the places that are tried for a new meld."""
REACH_STEP_MM = 90.0
"""Places that differ by less than this in their distance from the middle are equally good."""
ROUND_TILES = 38
"""The table is cleared for a new round when this many tiles lie on it."""
BLUNDERS = 0.16
"""How often a player who has opened lays something that no rule allows, before mending it."""
PLAYERS = 4


@dataclass(frozen=True, slots=True)
class DemoStep:
    """What lies on the rendered table until the next hand comes."""

    number: int
    """Counts the steps of the script from 0."""
    layout: Layout
    """The truth, melds row by row from the left."""
    poses: tuple[TilePose, ...]
    """Where each tile lies, in the order of the layout."""
    said: str
    """What the player does, in words."""
    ends_turn: bool
    """False where the player is about to mend what was laid."""
    starts_round: bool
    """True where the table was cleared before this step."""
    legal: bool
    """Whether a player may end the turn like this."""
    opened: bool
    """Whether the player had made an initial meld before this turn."""


@dataclass(slots=True)
class _Lying:
    """A meld on the table. Tiles stay where they are when others are pushed up to them."""

    labels: list[str]
    row: int
    left_mm: float
    angle_rad: float
    nudges: list[tuple[float, float, float]] = field(default_factory=list)

    @property
    def right_mm(self) -> float:
        return self.left_mm + len(self.labels) * PITCH_MM


def demo_steps(seed: int, span_mm: tuple[float, float]) -> Iterator[DemoStep]:
    """The script for ``seed`` on a table of which ``span_mm`` (width, height) is in the picture.

    The same seed and span give the same steps for ever. Raises ``ValueError`` for a span in which
    no game fits.
    """
    return _Game(seed, span_mm).steps()


class _Game:
    def __init__(self, seed: int, span_mm: tuple[float, float]) -> None:
        self._random = random.Random(seed)
        self._width_mm = span_mm[0] - 2 * MARGIN_MM
        self._rows = int((span_mm[1] - 2 * MARGIN_MM - TILE_SIZE_MM[1]) // ROW_MM) + 1
        if self._rows < 3 or self._width_mm < 13 * PITCH_MM:
            raise ValueError(f"no game fits on {span_mm[0]:.0f} x {span_mm[1]:.0f} mm")
        self._melds: list[_Lying] = []
        self._before_blunder: list[_Lying] = []
        self._opened: set[int] = set()
        self._number = 0

    def steps(self) -> Iterator[DemoStep]:
        player, starts_round = 0, True
        while True:
            if self._tiles_out() >= ROUND_TILES:
                self._clear()
                starts_round = True
            opened, mending = player in self._opened, ""
            wrong = self._blunder() if opened and self._random.random() < BLUNDERS else None
            if wrong is not None:
                yield self._step(wrong, False, starts_round, opened, legal=False)
                self._melds = self._before_blunder
                mending, starts_round = "takes that back and ", False
            said = self._turn(opened)
            if said is None and not mending:
                self._clear()
                starts_round = True
                continue
            self._opened.add(player)
            said = mending + (said or "draws a tile")
            yield self._step(said, True, starts_round, opened, legal=True)
            player, starts_round = (player + 1) % PLAYERS, False

    def _clear(self) -> None:
        self._melds, self._opened = [], set()

    # What a player does; every one of these answers what it did, or None where it cannot be done.

    def _turn(self, opened: bool) -> str | None:
        if not opened:
            return self._open()
        moves = [self._extend, self._complete, self._split, self._lay]
        weights = [4.0, 3.0, 3.0, 2.0]
        while moves:
            move = self._random.choices(moves, weights)[0]
            said = move()
            if said is not None:
                return said
            weights.pop(moves.index(move))
            moves.remove(move)
        return None

    def _open(self) -> str | None:
        """An initial meld: one set of at least 30 points."""
        return self._lay(at_least=30)

    def _lay(self, at_least: int = 0) -> str | None:
        for _ in range(40):
            labels = self._random_set()
            if sum(int(label[1:]) for label in labels) >= at_least and self._in_pool(labels):
                return f"lays {_words(labels)}" if self._put(labels) else None
        return None

    def _random_set(self) -> list[str]:
        if self._random.random() < 0.45:
            suits = self._random.sample(SUITS, self._random.choice((3, 3, 4)))
            rank = self._random.randint(1, 13)
            return [f"{suit}{rank}" for suit in suits]
        length = self._random.choice((3, 3, 4, 5))
        first = self._random.randint(1, 14 - length)
        suit = self._random.choice(SUITS)
        return [f"{suit}{rank}" for rank in range(first, first + length)]

    def _extend(self) -> str | None:
        for meld in self._shuffled(lambda m: _is_run(m.labels) and len(m.labels) < 7):
            suit, first, last = meld.labels[0][0], _rank(meld.labels[0]), _rank(meld.labels[-1])
            before, after = f"{suit}{first - 1}", f"{suit}{last + 1}"
            if last < 13 and self._in_pool([after]) and self._grow(meld, after, at_end=True):
                return f"adds {_spoken(after)} to a run"
            if first > 1 and self._in_pool([before]) and self._grow(meld, before, at_end=False):
                return f"adds {_spoken(before)} to a run"
        return None

    def _complete(self) -> str | None:
        for meld in self._shuffled(lambda m: not _is_run(m.labels) and len(m.labels) == 3):
            missing = next(s for s in SUITS if s not in {label[0] for label in meld.labels})
            label = f"{missing}{_rank(meld.labels[0])}"
            if self._in_pool([label]) and self._grow(meld, label, at_end=True):
                return f"completes a group with {_spoken(label)}"
        return None

    def _split(self) -> str | None:
        """A run of five or more is parted and its middle tile laid a second time."""
        for meld in self._shuffled(lambda m: _is_run(m.labels) and len(m.labels) >= 5):
            label = meld.labels[2]
            if self._in_pool([label]) and self._put(
                [label, *meld.labels[3:]], returning=3, of=meld
            ):
                return f"splits a run with {_spoken(label)}"
        return None

    def _blunder(self) -> str | None:
        """Something no rule allows, remembered so that it can be taken back."""
        self._before_blunder = [
            _Lying(list(m.labels), m.row, m.left_mm, m.angle_rad, list(m.nudges))
            for m in self._melds
        ]
        for meld in self._shuffled(lambda m: len(m.labels) < 7):
            suit, last = meld.labels[0][0], _rank(meld.labels[-1])
            other = self._random.choice([s for s in SUITS if s != suit])
            if not _is_run(meld.labels):
                label = meld.labels[self._random.randrange(len(meld.labels))]
            elif self._random.random() < 0.5 and last < 13:
                label = f"{other}{last + 1}"
            elif last < 12:
                label = f"{suit}{last + 2}"
            else:
                continue
            if self._in_pool([label]) and self._grow(meld, label, at_end=True):
                return f"adds {_spoken(label)} where it does not belong"
        return None

    # Where things lie.

    def _put(self, labels: list[str], returning: int = 0, of: _Lying | None = None) -> bool:
        """Lays a new meld; with ``of``, its tiles from index ``returning`` on are taken from there."""
        place = self._free_place(len(labels) * PITCH_MM)
        if place is None:
            return False
        if of is not None:
            del of.labels[returning:], of.nudges[returning:]
        row, left_mm = place
        angle_rad = math.radians(self._random.uniform(-1.6, 1.6))
        nudges = [self._nudge() for _ in labels]
        self._melds.append(_Lying(list(labels), row, left_mm, angle_rad, nudges))
        return True

    def _grow(self, meld: _Lying, label: str, *, at_end: bool) -> bool:
        """Pushes one tile up to a meld; moves the meld first where its neighbour is in the way."""
        left_mm = meld.left_mm if at_end else meld.left_mm - PITCH_MM
        width_mm = (len(meld.labels) + 1) * PITCH_MM
        if not self._is_free(meld.row, left_mm, width_mm, but=meld):
            place = self._free_place(width_mm, but=meld)
            if place is None:
                return False
            meld.row, left_mm = place
        meld.left_mm = left_mm
        index = len(meld.labels) if at_end else 0
        meld.labels.insert(index, label)
        meld.nudges.insert(index, self._nudge())
        return True

    def _free_place(self, width_mm: float, but: _Lying | None = None) -> tuple[int, float] | None:
        """A row and a left edge where ``width_mm`` has room, and where it can be a tile more on
        either side."""
        steps = int((self._width_mm - width_mm) // PLACE_STEP_MM) + 1
        places = [(row, k * PLACE_STEP_MM) for row in range(self._rows) for k in range(steps)]
        self._random.shuffle(places)
        places.sort(key=lambda place: self._off_centre(place[0], place[1] + width_mm / 2))
        for spare_mm in (PITCH_MM, 0.0):
            for row, left_mm in places:
                room_mm = width_mm + 2 * spare_mm
                if self._is_free(row, left_mm - spare_mm, room_mm, but):
                    return row, left_mm
        return None

    def _off_centre(self, row: int, centre_mm: float) -> int:
        """How far from the middle of the table a place is, in coarse steps: people lay near by."""
        down = abs(row - (self._rows - 1) / 2) * ROW_MM
        return int(math.hypot(down, centre_mm - self._width_mm / 2) // REACH_STEP_MM)

    def _is_free(self, row: int, left_mm: float, width_mm: float, but: _Lying | None) -> bool:
        right_mm = left_mm + width_mm
        return (
            left_mm >= 0.0
            and right_mm <= self._width_mm
            and all(
                right_mm + MELD_GAP_MM <= m.left_mm or m.right_mm + MELD_GAP_MM <= left_mm
                for m in self._melds
                if m.row == row and m is not but
            )
        )

    def _nudge(self) -> tuple[float, float, float]:
        """How a tile lies off its meld's line: mm along, mm across, radians."""
        along, across = self._random.uniform(-0.4, 0.4), self._random.uniform(-0.7, 0.7)
        return along, across, math.radians(self._random.uniform(-1.2, 1.2))

    def _poses(self, meld: _Lying) -> Iterator[TilePose]:
        top_mm = -((self._rows - 1) * ROW_MM) / 2
        middle = (len(meld.labels) - 1) / 2
        centre_x = meld.left_mm - self._width_mm / 2 + len(meld.labels) * PITCH_MM / 2
        centre_y = top_mm + meld.row * ROW_MM
        cos, sin = math.cos(meld.angle_rad), math.sin(meld.angle_rad)
        for index, (label, nudge) in enumerate(zip(meld.labels, meld.nudges, strict=True)):
            along = (index - middle) * PITCH_MM + nudge[0]
            x = centre_x + along * cos - nudge[1] * sin
            y = centre_y + along * sin + nudge[1] * cos
            yield TilePose(label, x, y, meld.angle_rad + nudge[2])

    # What is asked of the table.

    def _step(
        self, said: str, ends_turn: bool, starts_round: bool, opened: bool, legal: bool
    ) -> DemoStep:
        melds = sorted(self._melds, key=lambda meld: (meld.row, meld.left_mm))
        layout = parse_layout(" | ".join(" ".join(meld.labels) for meld in melds))
        poses = tuple(pose for meld in melds for pose in self._poses(meld))
        self._number += 1
        return DemoStep(
            self._number - 1, layout, poses, said, ends_turn, starts_round, legal, opened
        )

    def _tiles_out(self) -> int:
        return sum(len(meld.labels) for meld in self._melds)

    def _in_pool(self, labels: list[str]) -> bool:
        """Whether the box still has every one of ``labels``: there are two of each tile."""
        out = [label for meld in self._melds for label in meld.labels]
        return all(out.count(label) < 2 for label in labels)

    def _shuffled(self, wanted: Callable[[_Lying], bool]) -> list[_Lying]:
        found = [meld for meld in self._melds if wanted(meld)]
        self._random.shuffle(found)
        return found


def _rank(label: str) -> int:
    return int(label[1:])


def _is_run(labels: list[str]) -> bool:
    return labels[0][0] == labels[1][0]


def _spoken(label: str) -> str:
    return parse_tile(label).spoken


def _words(labels: list[str]) -> str:
    first, last = _spoken(labels[0]), _rank(labels[-1])
    return f"the run {first} to {last}" if _is_run(labels) else f"a group of {_rank(labels[0])}s"
