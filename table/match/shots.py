"""What is filmed of a turn: hands that come, lay tiles and go, and what disturbs the camera."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from vision.rendering import TilePose
from vision.rendering.films import PLAIN, Disturbance, Hand, Piece, Stage, Taker
from vision.rendering.films.stage import Pixels, Seen

MOVING_S = 0.3
"""Seconds from picture to picture while hands are at work..."""
STILL_S = 0.31
"""...and when nothing moves and nobody waits for a ruling."""
PICTURE_S = 0.1
"""Seconds between the pictures of a table that is to be judged: as a live camera's are looked at."""
HANGS_S = 2.7
"""How long a camera hangs, or gives nothing, or shows black."""
RESTS_S = 2.2
"""How long a hand stays over the table when all is laid."""
CHUNKS = 3
"""Pictures of a hand that lays tiles, at most."""
RECOVERS = 0.7
"""The part of a wrong exposure, as a power, that a camera leaves in `STILL_S`."""
STRAIGHT_UP_MM = 18.0
"""How high a tile is carried."""
SKINS = ((0.42, 0.52, 0.76), (0.55, 0.65, 0.88), (0.2, 0.28, 0.45), (0.3, 0.42, 0.62))
SLEEVES = ((0.3, 0.25, 0.2), (0.75, 0.75, 0.78), (0.12, 0.12, 0.14), (0.2, 0.2, 0.6))


class Kind(StrEnum):
    """What disturbs a turn, one thing at a time."""

    PLAIN = "plain"
    """Nothing: hands, noise, and a camera as it is."""
    RESTING_HAND = "resting hand"
    """A hand stays over the tiles when all is laid, and goes."""
    PAUSE = "pause"
    """The player thinks with half of it done and the hands away."""
    NUDGE = "nudge"
    """A sleeve pushes a meld a little."""
    LAMP = "lamp"
    """A lamp is switched on or off while the table lies still."""
    DRIFT = "exposure"
    """The camera's exposure wanders."""
    BALANCE = "white balance"
    """The camera's white balance wanders."""
    NOISE = "noise"
    """The picture is grainy."""
    GLARE = "glare"
    """A highlight lies on the table."""
    SHADOW = "shadow"
    """Somebody's head takes the light from a part of the table."""
    BUMP = "bump"
    """Somebody pushes the camera, and it stays so."""
    FROZEN = "frozen"
    """The camera hangs with a hand in the picture, and goes on."""
    BLACK = "black"
    """The camera shows nothing for a while."""
    TORN = "torn"
    """Pictures are joined of two."""
    MISSING = "missing"
    """No picture comes for a while."""
    RACKS = "racks"
    """Racks are pushed about at the border."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One moment of the film."""

    after_s: float
    """Seconds since the one before."""
    pixels_bgr: Pixels | None
    """The picture; None where the camera gives none."""
    seen: tuple[Seen, ...]
    """What lies there, whatever is to be seen of it."""
    laid: bool
    """Whether all tiles lie as they will at the end of the turn."""


class Director:
    """Films one table. What a lamp or a push did to the picture stays for the turns to come."""

    def __init__(self, stage: Stage, seed: int, players: int) -> None:
        self._stage = stage
        self._chance = random.Random(f"film {seed}")
        self._taker = Taker(stage, seed)
        sides = [math.pi / 2, math.pi, -math.pi / 2, 0.0]
        self._arms = [sides[k % len(sides)] for k in range(players)]
        self._lamp = False
        self._cast = (1.0, 1.0, 1.0)
        self._bright = 1.0
        self._last: Pixels | None = None
        self._lie: tuple[Piece, ...] = ()
        self._beside: tuple[Piece, ...] = ()

    def begin(self, beside: Sequence[Piece]) -> None:
        """The table is empty but for what lies beside the game: face-down tiles of the pool."""
        self._beside = tuple(beside)
        self._show(())

    def clear(self, player: int) -> Iterator[Shot]:
        """Hands take everything away."""
        yield from self._work(self._lie, (), player, Kind.PLAIN)

    def turn(self, after: Sequence[Piece], player: int, kind: Kind) -> Iterator[Shot]:
        """Hands bring the table to what it is afterwards; then they are gone, or nearly."""
        if kind is Kind.RACKS:
            self._push_racks()
        yield from self._work(self._lie, tuple(after), player, kind)
        if kind is Kind.RESTING_HAND:
            yield from self._resting(player)
        elif kind is Kind.BUMP:
            self._bump()
        elif kind in (Kind.FROZEN, Kind.BLACK, Kind.MISSING):
            yield from self._fails(kind)

    def still(self, number: int, kind: Kind) -> Shot:
        """The table at rest, picture ``number`` of it from 0."""
        return self._shot(PICTURE_S, (), self._disturbance(kind, number))

    # Hands.

    def _work(
        self, before: tuple[Piece, ...], after: tuple[Piece, ...], player: int, kind: Kind
    ) -> Iterator[Shot]:
        steps = self._steps(before, after)
        arm = self._arms[player] + self._chance.gauss(0, 0.15)
        at = self._place_of(steps[0], before) if steps else self._by_the_pool()
        yield self._shot(MOVING_S, (self._hand(player, at, arm, 0.5, None),), laid=False)
        for number, step in enumerate(steps):
            at = self._place_of(step, before)
            carried = replace(step[-1].pose, z_mm=STRAIGHT_UP_MM) if step else None
            taken = {piece.number for piece in step}
            self._show([piece for piece in self._lie if piece.number not in taken])
            yield self._shot(MOVING_S, (self._hand(player, at, arm, 0.1, carried),), laid=False)
            gone = {p.number for p in before} - {p.number for p in after}
            kept = [p for p in self._lie if p.number not in taken | gone]
            self._show([*kept, *step])
            if kind is Kind.PAUSE and number == 0 and len(steps) > 1:
                yield from (self._shot(STILL_S, (), laid=False) for _ in range(5))
        self._show(after)
        yield self._shot(MOVING_S, (self._hand(player, at, arm, 0.45, None),))

    def _steps(self, before: Sequence[Piece], after: Sequence[Piece]) -> list[list[Piece]]:
        """The tiles that come or move, in the order in which a hand sees to them."""
        there = {piece.number: piece for piece in before}
        moved = [piece for piece in after if there.get(piece.number) != piece]
        moved.sort(key=lambda piece: (round(piece.pose.y_mm / 60), piece.pose.x_mm))
        if not moved:
            left = {piece.number for piece in after}
            gone = [piece for piece in before if piece.number not in left]
            return [[]] if gone else []
        size = math.ceil(len(moved) / CHUNKS)
        return [moved[k : k + size] for k in range(0, len(moved), size)]

    def _place_of(self, step: Sequence[Piece], before: Sequence[Piece]) -> tuple[float, float]:
        pieces = step or before
        if not pieces:
            return 0.0, 0.0
        last: TilePose = pieces[-1].pose
        return last.x_mm, last.y_mm

    def _by_the_pool(self) -> tuple[float, float]:
        """Where a tile is drawn."""
        if not self._beside:
            return self._stage.span_mm[0] * 0.3, 0.0
        pose = self._chance.choice(self._beside).pose
        return pose.x_mm, pose.y_mm

    def _hand(
        self, player: int, at: tuple[float, float], arm: float, way: float, carries: TilePose | None
    ) -> Hand:
        """A player's hand ``way`` (0 to 1) out from where it goes, on its way."""
        out = way * 0.5 * self._stage.span_mm[1]
        cos, sin = math.cos(arm), math.sin(arm)
        smear = self._chance.uniform(4, 22)
        return Hand(
            at[0] + out * cos + self._chance.gauss(0, 6),
            at[1] + out * sin + self._chance.gauss(0, 6) + 14 * sin,
            arm,
            (smear * cos, smear * sin),
            SKINS[player % len(SKINS)],
            SLEEVES[player % len(SLEEVES)],
            self._chance.uniform(0.7, 1.2),
            carries,
        )

    def _resting(self, player: int) -> Iterator[Shot]:
        """A hand that lies over the tiles and only breathes."""
        pieces = self._lie or self._beside
        pose = self._chance.choice(pieces).pose if pieces else TilePose("J", 0, 0, 0)
        arm = self._arms[player]
        hand = replace(self._hand(player, (pose.x_mm, pose.y_mm), arm, 0.0, None), moved_mm=(0, 0))
        for _ in range(math.ceil(RESTS_S / STILL_S)):
            yield self._shot(STILL_S, (hand,))
        yield self._shot(MOVING_S, (self._hand(player, (hand.x_mm, hand.y_mm), arm, 0.6, None),))

    # The camera and the light.

    def _fails(self, kind: Kind) -> Iterator[Shot]:
        seen = tuple(self._stage.seen())
        for _ in range(math.ceil(HANGS_S / STILL_S)):
            if kind is Kind.BLACK:
                yield self._shot(STILL_S, (), Disturbance(black=True))
            else:
                pixels = self._last if kind is Kind.FROZEN else None
                yield Shot(STILL_S, pixels, seen, laid=True)

    def _bump(self) -> None:
        shift = (self._chance.uniform(-28, 28), self._chance.uniform(-28, 28))
        self._stage.bump(shift, self._chance.gauss(0, 0.01))

    def _push_racks(self) -> None:
        bars = [
            replace(
                bar,
                x_mm=bar.x_mm + self._chance.gauss(0, 8),
                y_mm=bar.y_mm + self._chance.gauss(0, 8),
            )
            for bar in self._stage.bars
        ]
        self._stage.push_racks(bars)

    def _disturbance(self, kind: Kind, number: int) -> Disturbance:
        """What is wrong with picture ``number`` of a table at rest."""
        own = random.Random(f"{kind} {self._lie[:1]} {len(self._lie)}")
        self._light_goes_on(kind, number, own)
        plain = self._as_lit()
        if kind is Kind.NOISE:
            return replace(plain, noise=own.uniform(0.015, 0.035))
        if kind is Kind.GLARE:
            spot = (own.uniform(0.25, 0.75), own.uniform(0.15, 0.6))
            return replace(plain, glare=((*spot, own.uniform(0.06, 0.16), own.uniform(0.15, 0.5)),))
        if kind is Kind.SHADOW:
            where = (own.uniform(0.1, 0.9), own.uniform(0.1, 0.7), own.uniform(0.12, 0.3))
            return replace(plain, shade=(*where, own.uniform(0.25, 0.55)))
        if kind is Kind.TORN and number in (0, 2):
            return replace(plain, torn=own.uniform(0.2, 0.8))
        return plain

    def _light_goes_on(self, kind: Kind, number: int, own: random.Random) -> None:
        """Light and exposure of the next picture; what is too dark or too bright is made up for."""
        part = PICTURE_S / STILL_S  # what wanders goes on by this part from one picture to the next
        self._bright **= RECOVERS**part
        if kind is Kind.LAMP and number == 1:
            self._lamp = not self._lamp
            warm = own.uniform(0.03, 0.12)
            self._cast = (1 - warm, 1.0, 1 + warm / 2) if self._lamp else (1.0, 1.0, 1.0)
            self._bright = own.uniform(0.5, 0.8) if self._lamp else own.uniform(1.15, 1.4)
        elif kind is Kind.DRIFT:
            self._bright *= (0.82 if own.random() < 0.5 else 1.06) ** part
        elif kind is Kind.BALANCE:
            blue, _, red = self._cast
            way = own.choice([0.96, 1.04]) ** part
            clamp = (0.82, 1.12)
            self._cast = (
                min(clamp[1], max(clamp[0], blue * way)),
                1.0,
                min(clamp[1], max(clamp[0], red / way)),
            )

    def _as_lit(self) -> Disturbance:
        """A picture in the present light, with nothing else wrong with it."""
        blue, green, red = (value * self._bright for value in self._cast)
        return replace(PLAIN, gains_bgr=(blue, green, red))

    # Pictures.

    def _show(self, pieces: Sequence[Piece]) -> None:
        self._lie = tuple(pieces)
        self._stage.lay([*self._lie, *self._beside])

    def _shot(
        self,
        after_s: float,
        hands: tuple[Hand, ...],
        what: Disturbance | None = None,
        *,
        laid: bool = True,
    ) -> Shot:
        take = self._taker.take(hands, what or self._as_lit())
        self._last = take.pixels_bgr
        return Shot(after_s, take.pixels_bgr, take.seen, laid)
