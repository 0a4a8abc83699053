"""A camera's controls held still, and what of them could not be.

A camera that adjusts its exposure to a hand that comes in changes the whole picture, and one that
hunts for focus blurs it. So it is let adjust itself to the table first, and then told to stay as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from vision.sources.v4l2 import EXPOSURE_MANUAL, Control, Node

ADJUST_S: Final = 3.0
"""How long a camera may adjust itself before it is held: webcams need one to two seconds."""

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


def lock_controls(node: Node, mains_hz: int | None) -> LockReport:
    """Holds everything at its present value. ``mains_hz`` is 50 or 60; None leaves it.

    Raises OSError where the camera is gone.
    """
    found = [*_lock_values(node), *_lock_mains(node, mains_hz)]

    def named(state: str) -> tuple[str, ...]:
        return tuple(name for name, held in found if held == state)

    return LockReport(named("locked"), named("free"), named("missing"))


def release_controls(node: Node) -> None:
    """Lets the camera adjust itself again, to another light. Raises OSError where it is gone."""
    for held in _HELD:
        switch = node.range_of(held.switch)
        if switch is not None and switch.writable:
            # The automatic values are 1, but of exposure, where it is 3 (by aperture) or 0.
            wanted = (3, 0) if held.switch is Control.EXPOSURE_AUTO else (1,)
            any(node.set_value(held.switch, value) for value in wanted if value <= switch.most)


def _lock_values(node: Node) -> Iterator[tuple[str, str]]:
    for held in _HELD:
        switch, value = node.range_of(held.switch), node.range_of(held.value)
        if switch is None:
            yield held.name, "missing"
            continue
        now = node.value(held.value) if value is not None else None
        locked = node.set_value(held.switch, held.off)
        if locked and now is not None and value is not None and value.writable:
            # Some cameras jump to a default when the switch goes off. Not every one takes the
            # value it just gave, and none is worse for having been asked.
            node.set_value(held.value, min(max(now, value.least), value.most))
        yield held.name, "locked" if locked else "free"


def _lock_mains(node: Node, mains_hz: int | None) -> Iterator[tuple[str, str]]:
    name = "mains frequency"
    if node.range_of(Control.POWER_LINE_FREQUENCY) is None:
        yield name, "missing"
    elif mains_hz is not None:
        locked = node.set_value(Control.POWER_LINE_FREQUENCY, MAINS[mains_hz])
        yield name, "locked" if locked else "free"


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
