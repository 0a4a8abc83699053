"""What every source of frames promises."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from vision.frame import Frame


class SourceError(Exception):
    """A source that cannot be opened. One line: which, what is wrong with it, what to try."""


class HealthState(StrEnum):
    """How a source is doing."""

    LIVE = "live"
    """Frames come."""
    FROZEN = "frozen"
    """Frames come, but all are the same picture: a camera that hangs."""
    LOST = "lost"
    """No frames come; the source goes on trying."""
    ENDED = "ended"
    """The last frame of a file or folder has been given; nothing more will come."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a source is doing, with words for people."""

    state: HealthState
    message: str = ""
    """One line; empty while all is well."""


@runtime_checkable
class FrameSource(Protocol):
    """Gives frames one at a time, to one reader.

    Leaving its ``with`` block closes it; closing twice does no harm, and a closed source gives
    no frames.
    """

    @property
    def description(self) -> str:
        """What it is, in words for people, without passwords."""
        ...

    @property
    def is_live(self) -> bool:
        """True where frames are lost when nobody reads: a camera, a stream, a rendered table."""
        ...

    @property
    def health(self) -> Health:
        """How it is doing now. A source that is lost or frozen can become live again."""
        ...

    @property
    def dropped(self) -> int:
        """How many frames came and were replaced by newer ones before anybody read them."""
        ...

    def read(self, timeout_s: float) -> Frame | None:
        """The newest frame not yet given, waiting at most ``timeout_s``; None when none came.

        Never raises for a device that fails: `health` tells.
        """
        ...

    def close(self) -> None:
        """Release the device or file."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class ClosesItself:
    """The ``with`` statement for a source that has `close`."""

    def close(self) -> None:
        """Release the device or file; a source overrides this."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
