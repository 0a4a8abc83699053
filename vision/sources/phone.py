"""A phone as the camera: its browser takes pictures and uploads them."""

from __future__ import annotations

import threading
import time
from typing import Final

from vision.sources.config import SourceConfig, SourceKind
from vision.sources.devices import Uploaded
from vision.sources.live import LiveSource
from vision.sources.newest import Newest
from vision.sources.talk import Order

_TICK_S: Final = 0.25


class PhoneSource(LiveSource):
    """The newest picture that a phone uploaded. A `FrameSource`.

    What is uploaded is decoded in the capturing process: a picture made to harm a decoder harms that
    one, which is started again.
    """

    def __init__(self, advice: str = "") -> None:
        """Begin to wait for pictures. Raises OSError as `LiveSource` does."""
        self._uploads: Newest[Uploaded] = Newest()
        super().__init__(SourceConfig(SourceKind.PHONE), advice)
        self._feeder = threading.Thread(target=self._feed, name="phone", daemon=True)
        self._feeder.start()

    def offer(self, jpeg: bytes) -> None:
        """Take a picture that a phone sent; whatever it is, it does no harm. Any thread may call.

        It replaces one that came before and was not looked at yet.
        """
        if jpeg:
            self._uploads.put(Uploaded(jpeg, time.monotonic()))

    def close(self) -> None:
        """End the capturing process."""
        super().close()
        if threading.current_thread() is not self._feeder:
            self._feeder.join(timeout=_TICK_S * 8)

    def _feed(self) -> None:
        while not self._closing.is_set():
            upload = self._uploads.take(_TICK_S)
            child = self._child
            if upload is not None and child is not None:
                child.tell(Order(len(upload.jpeg), upload.at_s), upload.jpeg)
