"""The capturing process as the program sees it: start it, hear it, tell it, kill it."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

import vision
from vision.sources.config import SourceConfig
from vision.sources.slot import FrameSlot
from vision.sources.talk import Message, Order

DEATH_S: Final = 2.0
"""How long a killed process is waited for: one that hangs in a driver dies when that lets go."""
_HEAR_BYTES: Final = 65536

_SETTINGS: Final = {
    "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "3",  # seconds in which a camera must send a frame
    # Over TCP nothing is lost on the way. FFmpeg finds out in half a second what kind of film
    # comes; it would look on for five, and what it has looked at is old when it is given out.
    "OPENCV_FFMPEG_CAPTURE_OPTIONS": "rtsp_transport;tcp|analyzeduration;500000",
    "PYTHONUNBUFFERED": "1",
}


class ChildEndedError(Exception):
    """The capturing process is not there any more."""


class CaptureChild:
    """One capturing process. Whoever starts it kills it."""

    def __init__(self, config: SourceConfig, slot: FrameSlot) -> None:
        """Starts it. Raises OSError where no process can be started."""
        ear, voice = os.pipe()
        self._ear = ear
        self._heard = b""
        self._writing = threading.Lock()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module, no shell
                [
                    sys.executable,
                    *("-P", "-m", "vision.sources.capture"),
                    *(str(slot.descriptor), str(voice)),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=(slot.descriptor, voice),
                env=_environment(),
                # Ctrl-C is for the program, which then ends this one.
                start_new_session=True,
            )
        except OSError:
            os.close(ear)
            raise
        finally:
            os.close(voice)
        self._write(config.to_json().encode() + b"\n")

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def hear(self, timeout_s: float) -> list[Message]:
        """What was said since the last time, waiting at most ``timeout_s`` for something.

        Raises `ChildEndedError` when the process is gone and everything it said was heard.
        """
        ready, _, _ = select.select([self._ear], [], [], max(0.0, timeout_s))
        if not ready:
            return []
        said = os.read(self._ear, _HEAR_BYTES)
        if not said:
            raise ChildEndedError
        *lines, self._heard = (self._heard + said).split(b"\n")
        return [Message.from_line(line) for line in lines]

    def tell(self, order: Order, jpeg: bytes = b"") -> None:
        """Says something; nothing happens where the process is gone. A large picture waits until the
        process has read it, or is killed."""
        self._write(order.to_line() + jpeg)

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None, "it was started with a pipe"
        with self._writing, contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def kill(self) -> bool:
        """Ends it, at once and by force; False where it hangs in a driver and lives on for now."""
        self._process.kill()
        try:
            self._process.wait(DEATH_S)
        except subprocess.TimeoutExpired:
            return False
        finally:
            self._close()
        return True

    def _close(self) -> None:
        if self._ear >= 0:
            os.close(self._ear)
            self._ear = -1
        with self._writing, contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.close()


def _environment() -> dict[str, str]:
    """The program's own environment, in which the same packages are found."""
    root = str(Path(vision.__file__).resolve().parents[1])
    paths = [root, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, **_SETTINGS, "PYTHONPATH": os.pathsep.join(paths)}
