"""From a configuration to an open source."""

from __future__ import annotations

from collections.abc import Callable

import cv2

from vision.sources.base import FrameSource, SourceError
from vision.sources.cameras import find_cameras, open_camera
from vision.sources.config import SourceConfig, SourceKind
from vision.sources.files import FolderSource, Pace, VideoSource
from vision.sources.latest import LatestFrameSource, OpenCvDevice

OPEN_TIMEOUT_S = 8.0
"""How long a network camera may take to answer, and to send the next frame."""


def open_source(
    config: SourceConfig,
    *,
    rendered: Callable[[SourceConfig], FrameSource] | None = None,
    first_frame_s: float = 10.0,
) -> FrameSource:
    """An open source, of which at least one frame is known to come.

    A camera or stream is given ``first_frame_s`` to show its first picture; 0 does not wait, for a
    table that starts before its camera does. ``rendered`` opens rendered tables. Raises
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
        case SourceKind.CAMERA:
            return _proven(_camera(config), first_frame_s)
        case SourceKind.STREAM:
            return _proven(_stream(config), first_frame_s)


def _proven(source: LatestFrameSource, first_frame_s: float) -> LatestFrameSource:
    """The source once its first frame has come. Raises `SourceError`, and closes it, otherwise."""
    if first_frame_s > 0:
        try:
            source.wait_for_first_frame(first_frame_s)
        except SourceError:
            source.close()
            raise
    return source


def _camera(config: SourceConfig) -> LatestFrameSource:
    address = config.address
    if not address:
        cameras = find_cameras()
        if not cameras:
            raise SourceError("no camera was found; plug one in, or watch the rendered table")
        address = str(next((c for c in cameras if c.usable), cameras[0]).path)
    return LatestFrameSource(
        f"camera {address}",
        lambda: OpenCvDevice(open_camera(address, config.size_wh)),
        advice="check its cable, that no other program uses it, and the group video",
    )


def _stream(config: SourceConfig) -> LatestFrameSource:
    timeout_ms = int(OPEN_TIMEOUT_S * 1000)
    settings = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        timeout_ms,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        timeout_ms,
    ]
    return LatestFrameSource(
        config.description,
        lambda: OpenCvDevice(cv2.VideoCapture(config.address, cv2.CAP_FFMPEG, settings)),
        advice="check its address and that it is switched on",
    )
