"""The newest frame of a camera, in memory that two processes share.

One slot and no queue: a writer that is faster than its reader replaces what nobody took. The memory
has no name (``memfd_create``), so that none of it is left behind when either process is killed. Both
hold a lock of the kernel while they copy, which is released with a process that dies; a frame that
was cut off half way shows by its numbers and is not handed out.
"""

from __future__ import annotations

import errno
import fcntl
import mmap
import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.frame import Pixels
from vision.sources.cadence import BRISK_PER_S

MOST_BYTES: Final = 4096 * 3072 * 3
"""The largest frame a slot holds; a larger one is made smaller. Memory is taken as it is used."""
_HEADER: Final = struct.Struct("<QQdII")
"""Number of the frame that was begun and of the one that was finished, its time, height and width."""
_WANTED: Final = struct.Struct("<d")
_WANTED_AT: Final = 32
"""So many frames a second are wanted: the reader's word, in the same eight bytes always."""
_PIXELS_AT: Final = 64
_LOCK_PAUSE_S: Final = 0.001


@dataclass(frozen=True, slots=True, eq=False)
class SlotFrame:
    """A frame as it was taken out of the slot."""

    number: int
    """Counts the frames that were put in, from 1."""
    captured_at_s: float
    """When it was taken, by this machine's steady clock, which all processes share."""
    pixels_bgr: Pixels
    """A copy: (height, width, 3) uint8, BGR."""


class FrameSlot:
    """A slot of shared memory. ``new`` makes one, ``at`` opens it in the other process."""

    def __init__(self, descriptor: int) -> None:
        """Takes over the descriptor of the memory."""
        self.descriptor = descriptor
        self._memory = mmap.mmap(descriptor, _PIXELS_AT + MOST_BYTES)

    @classmethod
    def new(cls) -> FrameSlot:
        """An empty slot. Raises OSError where there is no memory left."""
        descriptor = os.memfd_create("meldwatch-frame", os.MFD_CLOEXEC)
        os.ftruncate(descriptor, _PIXELS_AT + MOST_BYTES)
        slot = cls(descriptor)
        slot.wanted_per_s = BRISK_PER_S
        return slot

    @property
    def wanted_per_s(self) -> float:
        """So many frames a second are wanted on the average. While the other process is writing that,
        nothing may stand there."""
        return float(_WANTED.unpack_from(self._memory, _WANTED_AT)[0]) or BRISK_PER_S

    @wanted_per_s.setter
    def wanted_per_s(self, per_s: float) -> None:
        _WANTED.pack_into(self._memory, _WANTED_AT, per_s)

    def put(self, pixels_bgr: Pixels, captured_at_s: float, patience_s: float = 1.0) -> int:
        """Replaces the frame, and returns the number of the new one. 0 where the reader keeps the
        lock longer than ``patience_s``; then nothing is changed."""
        pixels_bgr = _fitting(pixels_bgr)
        height, width = pixels_bgr.shape[:2]
        with self._locked(patience_s) as locked:
            if not locked:
                return 0
            number = int(_HEADER.unpack_from(self._memory)[0]) + 1
            _HEADER.pack_into(self._memory, 0, number, 0, captured_at_s, height, width)
            there = np.frombuffer(self._memory, np.uint8, pixels_bgr.size, _PIXELS_AT)
            there.reshape(pixels_bgr.shape)[...] = pixels_bgr
            _HEADER.pack_into(self._memory, 0, number, number, captured_at_s, height, width)
        return number

    def take(self, after: int, patience_s: float = 0.5) -> SlotFrame | None:
        """The newest frame where its number is above ``after``.

        None where there is none, where the writer died in the middle of it, or where the writer
        keeps the lock longer than ``patience_s``.
        """
        with self._locked(patience_s) as locked:
            if not locked:
                return None
            begun, done, captured_at_s, height, width = _HEADER.unpack_from(self._memory)
            size = height * width * 3
            if begun != done or done <= after or not 0 < size <= MOST_BYTES:
                return None
            pixels = np.frombuffer(self._memory, np.uint8, size, _PIXELS_AT).copy()
        return SlotFrame(done, captured_at_s, pixels.reshape(height, width, 3))

    def close(self) -> None:
        """Let go of the memory; it is gone when the other process does the same."""
        if self.descriptor >= 0:
            self._memory.close()
            os.close(self.descriptor)
            self.descriptor = -1

    @contextmanager
    def _locked(self, patience_s: float) -> Iterator[bool]:
        """Holds the lock, or tells that the other process does not let go of it.

        A record lock belongs to a process, not to the open file that both inherit.
        """
        deadline = time.monotonic() + patience_s
        while not (locked := self._try_lock()) and time.monotonic() < deadline:
            time.sleep(_LOCK_PAUSE_S)
        try:
            yield locked
        finally:
            if locked:
                fcntl.lockf(self.descriptor, fcntl.LOCK_UN)

    def _try_lock(self) -> bool:
        try:
            fcntl.lockf(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):
                return False
            raise
        return True


def _fitting(pixels_bgr: Pixels) -> Pixels:
    """The picture, made smaller where a slot could not hold it."""
    height, width = pixels_bgr.shape[:2]
    scale = (MOST_BYTES / (3.0 * height * width)) ** 0.5
    if scale >= 1.0:
        return pixels_bgr
    size_wh = (max(1, int(width * scale)), max(1, int(height * scale)))
    return np.asarray(cv2.resize(pixels_bgr, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
