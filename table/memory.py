"""What this process holds in memory, as the system counts it."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak_mib() -> float:
    """The most memory that this process has held so far."""
    # What getrusage says on Linux begins with the peak of whoever started us.
    counted = _counted_mib("VmHWM")
    if counted is not None:
        return counted
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def resident_mib() -> float:
    """What this process holds now; where the system does not tell, the most it ever held."""
    counted = _counted_mib("VmRSS")
    return peak_mib() if counted is None else counted


def _counted_mib(field: str) -> float | None:
    """A field of Linux's count; None where the system has none."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(fields[field].split()[0]) / 2**10 if field in fields else None
