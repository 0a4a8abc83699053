"""Where frames come from: cameras, video files, photographs, network streams, rendered tables.

All are `FrameSource`s and none is special to who reads them. The rendered table needs a game to
play, so ``table`` makes it and hands it to `open_source`.
"""

from vision.sources.base import FrameSource, Health, HealthState, SourceError
from vision.sources.cameras import Camera, find_cameras
from vision.sources.config import SourceConfig, SourceKind, parse_source
from vision.sources.opening import open_source

__all__ = [
    "Camera",
    "FrameSource",
    "Health",
    "HealthState",
    "SourceConfig",
    "SourceError",
    "SourceKind",
    "find_cameras",
    "open_source",
    "parse_source",
]
