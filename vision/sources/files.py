"""Video files and folders of photographs, played as if a camera saw them."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Frame, Pixels
from vision.health import Health, HealthState, health_of_picture
from vision.photographs import PHOTOGRAPH_SUFFIXES, PhotographError, load_photograph
from vision.sources.base import SourceBase, SourceError

_log = logging.getLogger(__name__)

FOLDER_FRAMES_PER_S = 5.0
"""A photograph is given again and again while it is shown, as often as this, so that whoever
waits for the picture to settle sees it settle."""
USUAL_FRAMES_PER_S = 30.0
"""For video files that do not say."""


class Pace:
    """When the frames of a recording are due; the time of its frames starts at 0."""

    def __init__(
        self,
        paced: bool,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.paced = paced
        self._clock = clock
        self._sleep = sleep
        self._started_s: float | None = None

    def now_s(self) -> float:
        """How far the recording has played; the first call starts it."""
        now = self._clock()
        if self._started_s is None:
            self._started_s = now
        return now - self._started_s

    def wait(self, due_s: float, timeout_s: float) -> bool:
        """Wait until a frame is due, at most ``timeout_s``. Whether it is: unpaced, always."""
        if not self.paced:
            return True
        left = due_s - self.now_s()
        if left > 0:
            self._sleep(min(left, max(0.0, timeout_s)))
        return left <= timeout_s


class VideoSource(SourceBase):
    """The frames of a video file. A `FrameSource`.

    Paced, it keeps to the file's own time and drops frames for a slow reader, as a camera would;
    otherwise it gives every frame. ``captured_at_s`` is the time in the video, and goes on rising
    when the video is repeated.
    """

    is_live = False

    def __init__(self, path: str | Path, *, pace: Pace, repeat: bool = False) -> None:
        """Open the file. Raises `SourceError` when no frame can be had of it."""
        self._path = Path(path)
        self._pace = pace
        self._repeat = repeat
        self._index = 0
        self._dropped = 0
        self._ended = False
        self._health = Health(HealthState.LIVE)
        self._at_end = False
        if not self._path.is_file():
            raise SourceError(f"video {path}: there is no such file; check the name")
        self._open()
        self._next = self._decoded()
        if self._next is None:
            self._capture.release()
            raise SourceError(f"video {path}: no picture can be read from it; try MP4 or AVI")

    def _open(self) -> None:
        self._capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        told = self._capture.get(cv2.CAP_PROP_FPS)
        self._fps = told if math.isfinite(told) and 0 < told <= 1000 else USUAL_FRAMES_PER_S

    def _decoded(self) -> Pixels | None:
        came, pixels = self._capture.read()
        return np.asarray(pixels, np.uint8) if came else None

    @property
    def description(self) -> str:
        """The file's name."""
        return f"video {self._path.name}"

    @property
    def health(self) -> Health:
        """Live until the last frame was given, but for a frame that is dark."""
        if self._ended:
            return Health(HealthState.ENDED, f"{self.description}: is over")
        return self._health

    @property
    def dropped(self) -> int:
        """Frames whose time had passed."""
        return self._dropped

    def read(self, timeout_s: float) -> Frame | None:
        """The frame that is due, or None when the next is due later or the video is over."""
        if self._ended or not self._pace.wait(self._index / self._fps, timeout_s):
            return None
        if self._pace.paced:
            self._skip_to(self._pace.now_s())
        if self._next is None:
            self._ended = True
            return None
        frame = Frame(self._next, self._index / self._fps, self._index, self.description)
        self._health = health_of_picture(frame.pixels_bgr)
        self._next = self._following()
        self._index += 1
        return frame

    def _skip_to(self, now_s: float) -> None:
        """Drop the frames that a newer one has already followed."""
        while (self._index + 1) / self._fps <= now_s:
            newer = self._following()
            if newer is None:  # the last frame of all is still shown
                self._at_end = True
                return
            self._next = newer
            self._index += 1
            self._dropped += 1

    def _following(self) -> Pixels | None:
        """The frame after the one that is next, or None after the last."""
        if self._at_end:
            return None
        pixels = self._decoded()
        if pixels is None and self._repeat:
            self._capture.release()
            self._open()
            pixels = self._decoded()
        return pixels

    def close(self) -> None:
        """Close the file."""
        self._ended = True
        self._capture.release()


class FolderSource(SourceBase):
    """The photographs of a folder in the order of their names, each shown for a while.

    A `FrameSource`. A file that cannot be used is passed over; `problems` and the log name it.
    """

    is_live = False

    def __init__(
        self, path: str | Path, *, pace: Pace, hold_s: float = 5.0, repeat: bool = False
    ) -> None:
        """List the folder. Raises `SourceError` when no photograph in it can be used."""
        self._path = Path(path)
        self._pace = pace
        self._repeat = repeat
        self._frames_each = max(1, round(hold_s * FOLDER_FRAMES_PER_S))
        if not self._path.is_dir():
            raise SourceError(f"folder {path}: there is no such folder; check the name")
        self._files = sorted(
            file for file in self._path.iterdir() if file.suffix.lower() in PHOTOGRAPH_SUFFIXES
        )
        self._problems: dict[Path, str] = {}
        self._index = 0
        self._dropped = 0
        self._ended = False
        self._health = Health(HealthState.LIVE)
        self._at = -1
        self._pixels: Pixels | None = None
        self._shown = 0
        self._turn()
        if self._pixels is None:
            reason = next(iter(self._problems.values()), f"folder {path}: holds no photographs")
            raise SourceError(f"{reason}; put JPEG or PNG files into {path}")

    @property
    def description(self) -> str:
        """The folder's name."""
        return f"folder {self._path.name}"

    @property
    def health(self) -> Health:
        """Live until the last photograph was shown for its time, but for one that is dark."""
        if self._ended:
            return Health(HealthState.ENDED, f"{self.description}: all photographs were shown")
        return self._health

    @property
    def dropped(self) -> int:
        """Repetitions of a photograph that nobody asked for in time; no photograph is dropped."""
        return self._dropped

    @property
    def problems(self) -> tuple[str, ...]:
        """A line for each file that was passed over so far."""
        return tuple(self._problems.values())

    @property
    def photograph(self) -> Path | None:
        """The file that is being shown."""
        return None if self._ended else self._files[self._at]

    def read(self, timeout_s: float) -> Frame | None:
        """The photograph that is being shown, or None when the next frame is due later."""
        due_s = self._index / FOLDER_FRAMES_PER_S
        if self._ended or not self._pace.wait(due_s, timeout_s):
            return None
        if self._pace.paced:
            self._skip_repetitions(self._pace.now_s())
        if self._shown == self._frames_each:
            self._turn()
        if self._pixels is None:
            self._ended = True
            return None
        self._health = health_of_picture(self._pixels)
        frame = Frame(
            self._pixels, self._index / FOLDER_FRAMES_PER_S, self._index, self.description
        )
        self._index += 1
        self._shown += 1
        return frame

    def _skip_repetitions(self, now_s: float) -> None:
        """Catch up with the clock, but show the last repetition of every photograph at least."""
        late = int(now_s * FOLDER_FRAMES_PER_S) - self._index
        skipped = max(0, min(late, self._frames_each - 1 - self._shown))
        self._index += skipped
        self._shown += skipped
        self._dropped += skipped

    def _turn(self) -> None:
        """Go on to the next photograph that can be used; none leaves no pixels."""
        self._pixels, self._shown = None, 0
        for _ in range(len(self._files)):
            self._at += 1
            if self._at == len(self._files):
                if not self._repeat:
                    return
                self._at = 0
            file = self._files[self._at]
            try:
                self._pixels = load_photograph(file)
                return
            except PhotographError as error:
                if file not in self._problems:
                    _log.warning("%s", error)
                self._problems[file] = str(error)

    def close(self) -> None:
        """Let go of the photograph."""
        self._ended = True
        self._pixels = None
