"""Whether a picture shows the table as it is now, for what people say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.health import Health, HealthState

OUT: Final = frozenset(HealthState) - {
    HealthState.LIVE,
    HealthState.STARTING,
    HealthState.STALE,
    HealthState.ENDED,
}
"""What keeps a camera from showing the table until somebody does something about it."""
NONE_NOW: Final = "no picture shows the table now"
MAY_BE_OLD: Final = "the camera may show an old picture; wait for the next one and look again"


@dataclass(frozen=True, slots=True)
class InSight:
    """What there is to go by."""

    at_rest: bool | None
    """Whether the table lies still; None where no picture shows it."""
    is_out: bool
    """Whether no picture is known to show it until somebody does something about the camera."""
    why_not: str
    """Why it is not in sight, in words; empty where it is, moving or at rest."""

    @classmethod
    def of(cls, state: HealthState, message: str, health: Health, *, moving: bool) -> InSight:
        """By the camera's ``state`` and ``message`` as pages show them, and its ``health`` now."""
        if state is not HealthState.LIVE:
            return cls(None, state in OUT, message or NONE_NOW)
        return cls(not moving, is_out=False, why_not="" if health.readable else MAY_BE_OLD)
