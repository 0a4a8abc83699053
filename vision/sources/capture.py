"""The capturing process: reads one device for ever, and puts what it sees into the slot.

Started as ``python -m vision.sources.capture SLOT PIPE``, two descriptors that it inherits; see
`vision.sources.child` for the other side. It is a process of its own because drivers and decoders
hang and crash: then it is killed and started again, and the table goes on. It ends when its standard
input does, which the kernel sees to when the program dies, however that happens.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import BinaryIO

from vision.sources.cadence import Cadence
from vision.sources.config import SourceConfig, SourceKind
from vision.sources.devices import (
    Device,
    DeviceGoneError,
    PictureStream,
    Uploaded,
    UsbCamera,
)
from vision.sources.jpeg import Complaints, DamagedPictureError
from vision.sources.network import open_stream
from vision.sources.newest import Newest
from vision.sources.retry import BackOff
from vision.sources.slot import FrameSlot
from vision.sources.talk import Message, Order, Word


class Orders:
    """What the program says, received by a thread. The process ends when nothing can come."""

    def __init__(self, channel: BinaryIO) -> None:
        self.pictures: Newest[Uploaded] = Newest()
        self.adjust = threading.Event()
        self._channel = channel
        threading.Thread(target=self._receive, name="orders", daemon=True).start()

    def _receive(self) -> None:
        try:
            while line := self._channel.readline():
                order = Order.from_line(line)
                if order.jpeg_bytes:
                    jpeg = self._channel.read(order.jpeg_bytes)
                    self.pictures.put(Uploaded(jpeg, order.at_s))
                if order.adjust:
                    self.adjust.set()
        finally:
            os._exit(0)


class Capture:
    """One device, read for ever."""

    def __init__(
        self,
        config: SourceConfig,
        slot: FrameSlot,
        voice: int,
        orders: Orders,
        complaints: Complaints,
    ) -> None:
        """``voice`` is the descriptor that is spoken into."""
        self._config = config
        self._slot = slot
        self._voice = voice
        self._orders = orders
        self._complaints = complaints
        self._cadence = Cadence(slot.wanted_per_s)

    def run(self) -> None:
        """Opens the device as often as it is gone; never returns."""
        retry = BackOff()
        self._say(Message(Word.READY))
        while True:
            began_s = time.monotonic()
            frames = self._watch_once()
            time.sleep(retry.wait_s(began_s, time.monotonic(), worked=frames > 0))

    def _watch_once(self) -> int:
        """Reads until the device is gone; how many frames came."""
        frames = 0
        device: Device | None = None
        self._say(Message(Word.OPENING))
        try:
            device = self._open()
            while True:
                frames += self._step(device)
        except DeviceGoneError as gone:
            self._say(Message(Word.GONE, str(gone)))
        except Exception as error:  # noqa: BLE001 - whatever a driver does, it is tried again
            said = " ".join(f"{type(error).__name__}: {error}".split())
            self._say(Message(Word.GONE, f"failed: {said}"))
        finally:
            if device is not None:
                device.close()
        return frames

    def _open(self) -> Device:
        if self._config.kind is SourceKind.PHONE:
            return PictureStream(self._orders.pictures, self._complaints)
        if self._config.kind is SourceKind.STREAM:
            return open_stream(self._config.address, self._complaints)
        return UsbCamera(self._config, self._complaints)

    def _step(self, device: Device) -> int:
        """One read, told of; how many frames it gave."""
        if self._orders.adjust.is_set():
            self._orders.adjust.clear()
            device.adjust()
        self._cadence.per_s = self._slot.wanted_per_s
        try:
            taken = device.read(self._cadence.due_s)
        except DamagedPictureError as damage:
            self._say(Message(Word.DAMAGED, str(damage)))
            return 0
        notes = device.notes()
        if notes is not None:
            self._say(Message(Word.NOTES, notes=notes))
        if taken is None or not self._slot.put(taken.pixels_bgr, taken.at_s):
            self._say(Message(Word.WAITING))
            return 0
        self._cadence.took(time.monotonic())
        self._say(Message(Word.FRAME))
        return 1

    def _say(self, message: Message) -> None:
        try:
            os.write(self._voice, message.to_line())
        except BrokenPipeError:
            os._exit(0)  # nobody listens any more


def main() -> None:
    """Reads what to watch, and watches it."""
    slot, voice = FrameSlot(int(sys.argv[1])), int(sys.argv[2])
    channel = sys.stdin.buffer
    config = SourceConfig.from_json(channel.readline().decode())
    Capture(config, slot, voice, Orders(channel), Complaints()).run()


if __name__ == "__main__":
    main()
