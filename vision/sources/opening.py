"""From a configuration to an open source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vision.sources.base import FrameSource, SourceError
from vision.sources.cameras import first_camera, identity_of
from vision.sources.config import SourceConfig, SourceKind
from vision.sources.files import FolderSource, Pace, VideoSource
from vision.sources.live import LiveSource
from vision.sources.phone import PhoneSource

_ADVICE = {
    SourceKind.CAMERA: "check its cable, that no other program uses it, and the group video",
    SourceKind.STREAM: "check its address and that it is switched on",
    SourceKind.PHONE: "open the page /phone on the phone, with the code printed at the start, and "
    "keep it open",
}


def open_source(
    config: SourceConfig,
    *,
    rendered: Callable[[SourceConfig], FrameSource] | None = None,
    first_frame_s: float = 10.0,
) -> FrameSource:
    """An open source, of which at least one frame is known to come, but for a phone.

    A camera or stream is given ``first_frame_s`` to show its first picture; 0 does not wait, for a
    table that starts before its camera does, and takes the first camera that is plugged in then where
    none is named. ``rendered`` opens rendered tables. Raises
    `SourceError`.
    """
    match config.kind:
        case SourceKind.VIDEO:
            return VideoSource(config.address, pace=Pace(config.paced), repeat=config.repeat)
        case SourceKind.FOLDER:
            return FolderSource(
                config.address,
                pace=Pace(config.paced),
                hold_s=config.hold_s,
                repeat=config.repeat,
            )
        case SourceKind.RENDERED:
            if rendered is None:
                raise SourceError("a rendered table cannot be opened here; name a camera or file")
            return rendered(config)
        case SourceKind.PHONE:
            return open_phone()
        case SourceKind.CAMERA:
            address = config.address or _first_camera(may_come=first_frame_s <= 0)
            named = replace(config, address=identity_of(address)) if address else config
            return _proven(_live(named), first_frame_s)
        case SourceKind.STREAM:
            return _proven(_live(config), first_frame_s)


def open_phone() -> PhoneSource:
    """A phone's camera, which has not sent anything yet. Raises `SourceError`."""
    try:
        return PhoneSource(_ADVICE[SourceKind.PHONE])
    except OSError as error:
        raise SourceError(f"phone: cannot start: {error.strerror}") from error


def _live(config: SourceConfig) -> LiveSource:
    try:
        return LiveSource(config, _ADVICE[config.kind])
    except OSError as error:
        raise SourceError(f"{config.description}: cannot start: {error.strerror}") from error


def _proven(source: LiveSource, first_frame_s: float) -> LiveSource:
    """The source once its first frame has come. Raises `SourceError`, and closes it, otherwise."""
    if first_frame_s > 0:
        try:
            source.wait_for_first_frame(first_frame_s)
        except SourceError:
            source.close()
            raise
    return source


def _first_camera(*, may_come: bool) -> str:
    """The path of the first camera; without one empty where it ``may_come`` yet, else `SourceError`."""
    camera = first_camera()
    if camera is None and not may_come:
        raise SourceError("no camera was found; plug one in, or watch the rendered table")
    return "" if camera is None else str(camera.path)
