"""Which source to open, and its text form."""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from vision.sources.base import SourceError


class SourceKind(StrEnum):
    """The kinds of source."""

    CAMERA = "camera"
    """A USB camera; the address is its number, its path, its identity (`vision.sources.cameras`), or
    empty for the first one found."""
    VIDEO = "video"
    """A video file; the address is its path."""
    FOLDER = "folder"
    """A folder of photographs; the address is its path."""
    STREAM = "stream"
    """A camera on the network; the address is its http or rtsp URL."""
    PHONE = "phone"
    """A phone whose browser uploads pictures; no address."""
    RENDERED = "rendered"
    """A table that is drawn; the address is the seed of its game, or empty."""


FORMS = (
    "camera, camera:0, camera:/dev/video0, camera:IDENTITY, phone, video:FILE, folder:FOLDER, "
    "http://..., rtsp://..., rendered or rendered:SEED"
)
"""How a source is written."""

_CAMERA = r"[0-9]*|/dev/(?!.*\.\.)\S+|[^/\s]+-video-index[0-9]+"
_STREAM_SCHEMES = ("http", "https", "rtsp", "rtsps")


@dataclass(frozen=True, slots=True)
class SourceConfig:
    """Which source, and how it plays."""

    kind: SourceKind
    address: str = ""
    """Number, path, URL or seed, as the kind has it."""
    size_wh: tuple[int, int] = (1920, 1080)
    """Largest size asked of a camera, in pixels. Others have the size they have."""
    mains_hz: int | None = None
    """Frequency of the mains, 50 or 60, so that lamps do not flicker in a camera's picture; None
    leaves the camera as it is."""
    hold_controls: bool = True
    """A camera keeps its exposure, white balance and focus once it has adjusted itself."""
    hold_s: float = 5.0
    """How long each photograph of a folder is shown."""
    paced: bool = True
    """Recordings play in their own time; False gives every frame as fast as it is asked for."""
    repeat: bool = False
    """Video and photographs begin again after the last."""

    def __post_init__(self) -> None:
        if min(self.size_wh) < 1:
            raise ValueError(f"a camera's size is positive, not {self.size_wh}")
        if self.mains_hz not in (None, 50, 60):
            raise ValueError(f"the mains have 50 or 60 Hz, not {self.mains_hz}")
        if not self.hold_s > 0:
            raise ValueError(f"a photograph is shown for some time, not {self.hold_s} s")

    def __str__(self) -> str:
        if self.kind is SourceKind.STREAM:
            return self.address
        return f"{self.kind}:{self.address}" if self.address else str(self.kind)

    @property
    def description(self) -> str:
        """The source in words for people: a URL's user, password and query are left out, and a path
        in which cameras of some makers take a password."""
        if self.kind is SourceKind.STREAM:
            url = urlsplit(self.address)
            host = f"[{url.hostname}]" if ":" in (url.hostname or "") else url.hostname
            port = f":{url.port}" if url.port else ""
            return f"{url.scheme}://{host}{port}{_cut(url.path)}"
        return f"{self.kind} {self.address}".strip()

    def to_json(self) -> str:
        """All of it on one line, passwords included; `from_json` reads it."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> SourceConfig:
        """What `to_json` wrote. Raises ValueError or TypeError for anything else."""
        fields = json.loads(text)
        width, height = fields.pop("size_wh")
        return cls(kind=SourceKind(fields.pop("kind")), size_wh=(width, height), **fields)


def parse_source(text: str) -> SourceConfig:
    """The source a text such as ``camera:0`` stands for. Raises `SourceError` otherwise."""
    text = text.strip()
    if re.fullmatch(r"[0-9]+|/dev/video[0-9]+", text):
        return SourceConfig(SourceKind.CAMERA, text)
    kind, _, address = text.partition(":")
    if kind.lower() in _STREAM_SCHEMES:
        return SourceConfig(SourceKind.STREAM, _checked_url(text))
    if "\0" in text:  # no name of a file or a device holds it
        kind = ""
    if kind == "phone" and not address:
        return SourceConfig(SourceKind.PHONE)
    if kind == "camera" and re.fullmatch(_CAMERA, address):
        return SourceConfig(SourceKind.CAMERA, address)
    if kind in ("video", "folder") and address:
        return SourceConfig(SourceKind(kind), address)
    if kind == "rendered" and re.fullmatch(r"[0-9]*", address):
        return SourceConfig(SourceKind.RENDERED, address)
    raise SourceError(f"{_without_secrets(text)!r} is no source of pictures; write {FORMS}")


def _checked_url(text: str) -> str:
    try:
        url = urlsplit(text)
        # Reading the port is what checks it.
        usable = bool(url.hostname) and (url.port is None or url.port > 0)
        # What follows the host has no @: there the password is cut in two, and half of it is shown.
        usable = usable and "@" not in url.path + url.query + url.fragment
        usable = usable and not re.search(r"[\s\0-\x1f\x7f]", text)
        (url.hostname or "").encode("idna")  # a name that no computer can have
    except ValueError:
        usable = False
    if not usable:
        hint = "; in a user or password write / as %2F, # as %23, ? as %3F, @ as %40"
        raise SourceError(
            f"{_without_secrets(text)!r} is no address of a stream; write http://HOST:PORT/PATH"
            f"{hint if '@' in text else ''}"
        )
    return text


def _without_secrets(text: str) -> str:
    """What was typed, without what may be a user and a password in it."""
    head, at, tail = text.rpartition("@")
    kind, slashes, _ = head.partition("//")
    return f"{kind if slashes else ''}{slashes}{'...' if at else ''}{at}{_cut(tail)}"


def _cut(path: str) -> str:
    """The path up to where it names a value, such as ``/user=ada&password=...``."""
    beginning, sign, _ = path.partition("=")
    return f"{beginning.rpartition('/')[0]}/..." if sign else path
