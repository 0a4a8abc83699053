"""What the parts of the event log share: time, one logged event, and how the log fails."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from table.events import Event, event_to_payload


class EventLogError(Exception):
    """The log cannot be opened, read or written; the message names the file and what to try."""


class LogHeldError(EventLogError):
    """Another program, or another thread, is writing the log."""


class NoRoomError(EventLogError):
    """The disk is full, and the room that was kept for the log is used up; says so to people."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time comes from, so that tests can hold it."""

    now_utc: Callable[[], datetime] = lambda: datetime.now(UTC)
    """The wall clock, in UTC."""
    monotonic_s: Callable[[], float] = time.monotonic
    """Seconds of a clock that never jumps, for durations within one run."""

    @classmethod
    def of_made_time(cls, now_s: Callable[[], float]) -> Clock:
        """Both clocks by seconds that a program makes; the calendar begins at an arbitrary day."""
        began = datetime(2000, 1, 1, tzinfo=UTC)
        return cls(lambda: began + timedelta(seconds=now_s()), now_s)


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event with its place in the log."""

    sequence: int
    """Counts the events of a log from 1, in the order they were written."""
    at_utc: str
    """When it was written: ISO 8601 in UTC, milliseconds."""
    monotonic_s: float
    """The steady clock at that moment; comparable within one session only."""
    event: Event
    """What happened."""

    def to_json(self) -> dict[str, Any]:
        """The form of the JSON interface: ``sequence``, ``at``, ``kind`` and the event's fields."""
        return {
            "sequence": self.sequence,
            "at": self.at_utc,
            "kind": self.event.kind,
            "event": json.loads(event_to_payload(self.event)),
        }


def utc_text(moment: datetime) -> str:
    """The form of ``at_utc``."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
