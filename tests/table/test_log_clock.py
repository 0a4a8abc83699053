"""Clocks that jump: nothing is lost, nothing changes its place, and it is said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from table.event_log import Clock, EventLog, open_event_log
from table.events import TroubleMet

EVENING = datetime(2026, 5, 1, 19, 0, tzinfo=UTC)


class HandSetClock:
    """Two clocks that a test sets."""

    def __init__(self) -> None:
        self.wall = EVENING
        self.steady_s = 1000.0

    def clock(self) -> Clock:
        return Clock(lambda: self.wall, lambda: self.steady_s)

    def pass_time(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.steady_s += seconds


def messages(log: EventLog) -> list[str]:
    return [item.event.message for item in log.read() if isinstance(item.event, TroubleMet)]


@pytest.mark.parametrize(
    ("wall", "passed_s", "note"),
    [
        (EVENING + timedelta(seconds=60), 60.0, None),
        (EVENING + timedelta(seconds=64), 60.0, None),
        (EVENING + timedelta(hours=10, seconds=18), 36_000.0, None),
        (EVENING - timedelta(hours=3), 60.0, "jumped back by 3 hours"),
        (EVENING + timedelta(seconds=50), 60.0, "jumped back by 10 seconds"),
        (datetime(1970, 1, 1, tzinfo=UTC), 1.0, "jumped back by 20,575 days"),
        (EVENING + timedelta(hours=2), 60.0, "jumped forward by 119 minutes"),
    ],
    ids=["steady", "nearly", "slow drift", "back", "put right", "1970", "forward"],
)
def test_a_jump_within_a_session_is_told_before_the_event(
    tmp_path: Path, wall: datetime, passed_s: float, note: str | None
) -> None:
    hand = HandSetClock()
    log = open_event_log(tmp_path / "events.db", hand.clock())
    with log.writer() as writer:
        writer.append(TroubleMet("disk", "first"))
        hand.wall, hand.steady_s = wall, hand.steady_s + passed_s
        (second,) = writer.append(TroubleMet("disk", "second"))
        hand.pass_time(10.0)
        writer.append(TroubleMet("disk", "third"))
    told = messages(log)
    if note is None:
        assert told == ["first", "second", "third"]
    else:
        assert note in told[1]
        assert told[:1] + told[2:] == ["first", "second", "third"]
        assert log.read()[1].event == TroubleMet("clock", told[1])
    assert log.read(second.sequence - 1, 1) == (second,)
    assert [item.sequence for item in log.read()] == list(range(1, len(told) + 1))


def test_a_computer_that_starts_in_1970_goes_on_behind_the_newest_event(tmp_path: Path) -> None:
    hand = HandSetClock()
    log = open_event_log(tmp_path / "events.db", hand.clock())
    with log.writer() as writer:
        writer.append(TroubleMet("disk", "before the plug was pulled"))
    hand.wall, hand.steady_s = datetime(1970, 1, 1, 0, 0, 9, tzinfo=UTC), 9.0
    with log.writer() as writer:
        writer.append(TroubleMet("disk", "after"))
        hand.pass_time(30.0)
        hand.wall = EVENING + timedelta(minutes=5)  # it has heard the time from the network
        writer.append(TroubleMet("disk", "and again"))
    told = messages(log)
    assert [told[0], told[2], told[4]] == ["before the plug was pulled", "after", "and again"]
    assert "back by 20,575 days; events are in the order of their numbers" in told[1]
    assert "jumped forward by 20,575 days" in told[3]
    assert [item.at_utc[:4] for item in log.read()] == ["2026", "1970", "1970", "2026", "2026"]


def test_durations_within_a_session_are_those_of_the_steady_clock(tmp_path: Path) -> None:
    hand = HandSetClock()
    log = open_event_log(tmp_path / "events.db", hand.clock())
    with log.writer() as writer:
        (first,) = writer.append(TroubleMet("disk", "first"))
        hand.wall -= timedelta(days=400)
        hand.steady_s += 42.5
        (second,) = writer.append(TroubleMet("disk", "second"))
    assert second.monotonic_s - first.monotonic_s == 42.5
