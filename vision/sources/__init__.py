"""Where frames come from: cameras, streams, phones, video files, photographs, rendered tables.

All are `FrameSource`s and none is special to who reads them. The rendered table needs a game to
play, so ``table`` makes it and hands it to `open_source`.
"""

from vision.health import Health, HealthState
from vision.sources.base import FrameSource, SourceError
from vision.sources.cameras import Camera, find_cameras
from vision.sources.config import SourceConfig, SourceKind, parse_source
from vision.sources.opening import open_source
from vision.sources.phone import PhoneSource

__all__ = [
    "Camera",
    "FrameSource",
    "Health",
    "HealthState",
    "PhoneSource",
    "SourceConfig",
    "SourceError",
    "SourceKind",
    "find_cameras",
    "open_source",
    "parse_source",
]
