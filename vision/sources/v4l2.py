"""The little of Video4Linux that is needed: what a camera can do, and its controls.

Numbers and layouts are those of linux/videodev2.h: letters and fields of 32 bits only, which are the
same on x86 and ARM, of 64 and of 32 bits. OpenCV reads the pictures; it says neither which sizes a
camera has nor whether a control was really set.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import Final, Self

CAP_VIDEO_CAPTURE: Final = 0x00000001
MOTION_JPEG: Final = 0x47504A4D
"""The letters MJPG."""

_BUF_TYPE_CAPTURE: Final = 1
_SIZE_DISCRETE, _SIZE_CONTINUOUS, _SIZE_STEPWISE = 1, 2, 3
_FLAG_DISABLED, _FLAG_READ_ONLY = 0x0001, 0x0004

_CAPABILITY = struct.Struct("<16s32s32sIII12x")
_FORMAT = struct.Struct("<III32sII12x")
_FRAME_SIZE = struct.Struct("<III6I8x")
_QUERY = struct.Struct("<II32siiiiI8x")
_CONTROL = struct.Struct("<Ii")


def _read_write(number: int, size: int) -> int:
    """``_IOWR('V', number, ...)``."""
    return 3 << 30 | size << 16 | ord("V") << 8 | number


_QUERYCAP: Final = 2 << 30 | _CAPABILITY.size << 16 | ord("V") << 8
_ENUM_FMT: Final = _read_write(2, _FORMAT.size)
_G_CTRL: Final = _read_write(27, _CONTROL.size)
_S_CTRL: Final = _read_write(28, _CONTROL.size)
_QUERYCTRL: Final = _read_write(36, _QUERY.size)
_ENUM_FRAMESIZES: Final = _read_write(74, _FRAME_SIZE.size)

Ioctl = Callable[[int, int, bytes], bytes]
"""``fcntl.ioctl`` with a buffer: the answer in a buffer of the same size. Raises OSError."""


class Control(IntEnum):
    """The controls that change a picture by themselves, or that stop them from doing so."""

    WHITE_BALANCE_AUTO = 0x0098090C
    POWER_LINE_FREQUENCY = 0x00980918
    WHITE_BALANCE_TEMPERATURE = 0x0098091A
    EXPOSURE_AUTO = 0x009A0901
    EXPOSURE_ABSOLUTE = 0x009A0902
    FOCUS_ABSOLUTE = 0x009A090A
    FOCUS_AUTO = 0x009A090C


EXPOSURE_MANUAL: Final = 1
"""Of `Control.EXPOSURE_AUTO`."""


@dataclass(frozen=True, slots=True)
class ControlRange:
    """What a control may be set to."""

    least: int
    most: int
    writable: bool


class Node:
    """An open video node, such as ``/dev/video0``. Opening does not disturb who streams from it."""

    def __init__(self, path: Path, ioctl: Ioctl = fcntl.ioctl) -> None:
        """Raises OSError: PermissionError where this user may not."""
        self._ioctl = ioctl
        self._file = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)

    def capabilities(self) -> int:
        """What this node, and not the device as a whole, can do. Raises OSError."""
        answer = self._ioctl(self._file, _QUERYCAP, bytes(_CAPABILITY.size))
        return int(_CAPABILITY.unpack(answer)[5])

    def formats(self) -> tuple[int, ...]:
        """The pixel formats it sends, as four letters in a number. Raises OSError."""
        return tuple(self._formats())

    def _formats(self) -> Iterator[int]:
        for index in range(64):
            asked = _FORMAT.pack(index, _BUF_TYPE_CAPTURE, 0, b"", 0, 0)
            answer = self._unless_past_the_end(_ENUM_FMT, asked)
            if answer is None:
                return
            yield int(_FORMAT.unpack(answer)[4])

    def sizes_wh(self, pixel_format: int) -> tuple[tuple[int, int], ...]:
        """The sizes it sends a format in, as it lists them; of a range the largest. Raises OSError."""
        return tuple(self._sizes_wh(pixel_format))

    def _sizes_wh(self, pixel_format: int) -> Iterator[tuple[int, int]]:
        for index in range(256):
            asked = _FRAME_SIZE.pack(index, pixel_format, 0, *([0] * 6))
            answer = self._unless_past_the_end(_ENUM_FRAMESIZES, asked)
            if answer is None:
                return
            _, _, kind, *union = _FRAME_SIZE.unpack(answer)
            if kind == _SIZE_DISCRETE:
                yield int(union[0]), int(union[1])
            elif kind in (_SIZE_CONTINUOUS, _SIZE_STEPWISE):
                # least, most and step of the width, then of the height
                yield int(union[1]), int(union[4])
                return

    def range_of(self, control: Control) -> ControlRange | None:
        """What the control may be set to; None where the camera does not have it. Raises OSError."""
        asked = _QUERY.pack(control, 0, b"", 0, 0, 0, 0, 0)
        answer = self._unless_past_the_end(_QUERYCTRL, asked)
        if answer is None:
            return None
        _, _, _, least, most, _, _, flags = _QUERY.unpack(answer)
        if flags & _FLAG_DISABLED:
            return None
        return ControlRange(least, most, not flags & _FLAG_READ_ONLY)

    def value(self, control: Control) -> int:
        """What the control is set to. Raises OSError."""
        answer = self._ioctl(self._file, _G_CTRL, _CONTROL.pack(control, 0))
        return int(_CONTROL.unpack(answer)[1])

    def set_value(self, control: Control, value: int) -> bool:
        """Sets the control. Whether it then says that it has that value: drivers accept silently
        what they do not do. False where it refuses."""
        try:
            self._ioctl(self._file, _S_CTRL, _CONTROL.pack(control, value))
            return self.value(control) == value
        except OSError:
            return False

    def _unless_past_the_end(self, request: int, asked: bytes) -> bytes | None:
        """The answer; None where the camera has no such thing, which is EINVAL."""
        try:
            return self._ioctl(self._file, request, asked)
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.ENOTTY):
                return None
            raise


def best_size_wh(
    sizes_wh: tuple[tuple[int, int], ...], most_wh: tuple[int, int]
) -> tuple[int, int] | None:
    """The size with the most pixels that is no wider and no higher than ``most_wh``."""
    fitting = [size for size in sizes_wh if size[0] <= most_wh[0] and size[1] <= most_wh[1]]
    return max(fitting, key=lambda size: size[0] * size[1], default=None)
