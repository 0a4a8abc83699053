"""What every source of frames promises."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from vision.frame import Frame
from vision.health import Health


class SourceError(Exception):
    """A source that cannot be opened. One line: which, what is wrong with it, what to try."""


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

    def accept_view(self) -> None:
        """A person says that the camera stays where it is now. Nothing to do where none stands."""
        ...

    def pace(self, *, calm: bool) -> None:
        """Told whether the table lies still and nothing is read of it: fewer frames do meanwhile, where
        they cost something."""
        ...

    @property
    def dropped(self) -> int:
        """How many frames came and were replaced by newer ones before anybody read them."""
        ...

    def read(self, timeout_s: float) -> Frame | None:
        """The newest frame not yet given, waiting at most ``timeout_s``; None when none came, or none
        that differs from the one before where a camera gives it.

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


class SourceBase:
    """What sources have in common: the ``with`` statement, and no camera to be moved or paced."""

    def close(self) -> None:
        """Release the device or file; a source overrides this."""

    def accept_view(self) -> None:
        """Nothing to do."""

    def pace(self, *, calm: bool) -> None:
        """Nothing to spare."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
