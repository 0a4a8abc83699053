"""A camera's controls held still, and what of them could not be.

A camera that adjusts its exposure to a hand that comes in changes the whole picture, and one that
hunts for focus blurs it. So it is let adjust itself to the table first, and then told to stay as it is.
Webcams keep their settings when a program ends, and many tell a default instead of what they have
adjusted themselves to, so that holding that changes the picture. So nothing is believed: what was held
before is let go first, and whatever changed the picture when it was held is let go again.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Self

from vision.frame import Pixels
from vision.looks import edge_blur_px, grey_of
from vision.sources.v4l2 import EXPOSURE_MANUAL, Control, Node

ADJUST_S: Final = 3.0
"""How long a camera may adjust itself before it is held: webcams need one to two seconds."""
CHECK_S: Final = 1.0
"""How long after that the picture shows what has become of it."""
_BRIGHTER: Final = 1.4
"""A picture so many times brighter or darker is another exposure; a hand changes it by a tenth."""
_WARMER: Final = 1.25
"""Red against blue, so many times more or less, is another white balance."""
_SOFTER: Final = 1.5
"""A blur so many times wider, and wider than `_SOFT_PX`, is another focus."""
_SOFT_PX: Final = 3.6

MAINS: Final[Mapping[int, int]] = {50: 1, 60: 2}
"""Values of `Control.POWER_LINE_FREQUENCY` by hertz."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A control that goes by itself until another one is switched off."""

    name: str
    switch: Control
    off: int
    value: Control


_HELD: Final = (
    _Held("exposure", Control.EXPOSURE_AUTO, EXPOSURE_MANUAL, Control.EXPOSURE_ABSOLUTE),
    _Held("white balance", Control.WHITE_BALANCE_AUTO, 0, Control.WHITE_BALANCE_TEMPERATURE),
    _Held("focus", Control.FOCUS_AUTO, 0, Control.FOCUS_ABSOLUTE),
)


@dataclass(frozen=True, slots=True)
class LockReport:
    """What could be held still."""

    locked: tuple[str, ...]
    """By name: exposure, white balance, focus, mains frequency."""
    free: tuple[str, ...]
    """What the camera has and does not let be held."""
    missing: tuple[str, ...]
    """What the camera does not have: there is nothing that could change, or nobody can tell."""

    def sentences(self) -> tuple[str, ...]:
        """What people should know; nothing where all that could change is held."""
        if not self.free:
            return ()
        return (f"The camera goes on changing its {_listed(self.free)} by itself.",)

    def without(self, names: tuple[str, ...]) -> LockReport:
        """The same when these were let go again."""
        locked = tuple(name for name in self.locked if name not in names)
        freed = tuple(name for name in self.locked if name in names)
        return LockReport(locked, (*self.free, *freed), self.missing)


@dataclass(frozen=True, slots=True)
class Appearance:
    """What of a picture a held control could change."""

    brightness: float
    warmth: float
    """Red by blue."""
    blur_px: float | None
    """As `vision.looks.edge_blur_px` has it."""

    @classmethod
    def of(cls, pixels_bgr: Pixels) -> Self:
        """Of a picture (height, width, 3), BGR."""
        blue, green, red = (float(mean) for mean in pixels_bgr[::8, ::8].mean(axis=(0, 1)))
        brightness = max((blue + green + red) / 3.0, 1.0)
        return cls(brightness, max(red, 1.0) / max(blue, 1.0), edge_blur_px(grey_of(pixels_bgr)))

    def changes_to(self, after: Appearance) -> tuple[str, ...]:
        """Which controls have made another picture of it, by name."""
        blurs = (self.blur_px, after.blur_px)
        softer = None not in blurs and (after.blur_px or 0.0) > _SOFTER * (self.blur_px or 0.0)
        changed = {
            "exposure": _differ(self.brightness, after.brightness, _BRIGHTER),
            "white balance": _differ(self.warmth, after.warmth, _WARMER),
            "focus": softer and (after.blur_px or 0.0) > _SOFT_PX,
        }
        return tuple(name for name, is_so in changed.items() if is_so)


def _differ(one: float, other: float, times: float) -> bool:
    return max(one, other) > times * min(one, other)


class Holding:
    """When a camera's controls are let go, held, and looked at again. Never looks at a clock."""

    def __init__(self, mains_hz: int | None) -> None:
        """``mains_hz`` is 50 or 60, or None to leave it."""
        self._mains_hz = mains_hz
        self._due_s: float | None = None
        self._held: tuple[LockReport, Appearance] | None = None

    def begin(self, node: Node) -> None:
        """The camera may adjust itself; its next frame begins the time for that. Raises OSError."""
        prepare_controls(node, self._mains_hz)
        self._due_s, self._held = None, None

    def is_due(self, now_s: float) -> bool:
        """Whether `go_on` has something to do. Told of every frame."""
        if self._due_s is None:
            self._due_s = now_s + ADJUST_S
        return now_s >= self._due_s

    def go_on(self, node: Node, pixels_bgr: Pixels, now_s: float) -> tuple[str, ...]:
        """Hold, or let go of what holding has made another picture of; what people should know.

        Raises OSError where the camera is gone.
        """
        seen = Appearance.of(pixels_bgr)
        if self._held is None:
            report = lock_controls(node, self._mains_hz)
            self._held, self._due_s = (report, seen), now_s + CHECK_S
            return report.sentences()
        report, before = self._held
        changed = tuple(name for name in before.changes_to(seen) if name in report.locked)
        release_controls(node, changed)
        self._due_s = float("inf")
        return report.without(changed).sentences()


def prepare_controls(node: Node, mains_hz: int | None) -> None:
    """Lets a camera adjust itself, whatever an earlier program has left it at, to lamps on these
    mains. ``mains_hz`` is 50 or 60; None leaves it. Raises OSError where the camera is gone."""
    tuple(_lock_mains(node, mains_hz))
    release_controls(node)


def lock_controls(node: Node, mains_hz: int | None) -> LockReport:
    """Holds everything at its present value. ``mains_hz`` is 50 or 60; None leaves it.

    Raises OSError where the camera is gone.
    """
    found = [*_lock_values(node), *_lock_mains(node, mains_hz)]

    def named(state: str) -> tuple[str, ...]:
        return tuple(name for name, held in found if held == state)

    return LockReport(named("locked"), named("free"), named("missing"))


def release_controls(node: Node, names: tuple[str, ...] | None = None) -> None:
    """Lets the camera adjust itself again, to another light, or only what ``names`` says. Raises
    OSError where it is gone."""
    for held in _HELD:
        if names is not None and held.name not in names:
            continue
        try:
            switch = node.range_of(held.switch)
        except OSError as error:
            _unless_gone(error)
            continue
        if switch is not None and switch.writable:
            # The automatic values are 1, but of exposure, where it is 3 (by aperture) or 0.
            wanted = (3, 0) if held.switch is Control.EXPOSURE_AUTO else (1,)
            any(node.set_value(held.switch, value) for value in wanted if value <= switch.most)


def _lock_values(node: Node) -> Iterator[tuple[str, str]]:
    for held in _HELD:
        try:
            yield held.name, _lock(node, held)
        except OSError as error:
            _unless_gone(error)
            yield held.name, "free"


def _lock(node: Node, held: _Held) -> str:
    """What has become of one control. Raises OSError where it cannot be talked to."""
    switch, value = node.range_of(held.switch), node.range_of(held.value)
    if switch is None:
        return "missing"
    now = node.value(held.value) if value is not None else None
    locked = node.set_value(held.switch, held.off)
    if locked and now is not None and value is not None and value.writable:
        # Some cameras jump to a default when the switch goes off. Not every one takes the value it
        # just gave; what is worse for having been asked shows in the picture.
        node.set_value(held.value, min(max(now, value.least), value.most))
    return "locked" if locked else "free"


def _unless_gone(error: OSError) -> None:
    """Webcams have controls that answer every question with an error (EIO, EPIPE). That is of no
    importance to the others; a camera that is pulled out is, and is raised again."""
    if error.errno in (errno.ENODEV, errno.ENXIO, errno.EBADF):
        raise error


def _lock_mains(node: Node, mains_hz: int | None) -> Iterator[tuple[str, str]]:
    name = "mains frequency"
    try:
        there = node.range_of(Control.POWER_LINE_FREQUENCY) is not None
    except OSError as error:
        _unless_gone(error)
        there = False
    if not there:
        yield name, "missing"
    elif mains_hz is not None:
        locked = node.set_value(Control.POWER_LINE_FREQUENCY, MAINS[mains_hz])
        yield name, "locked" if locked else "free"


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
