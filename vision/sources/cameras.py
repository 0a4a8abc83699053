"""USB cameras on Linux: which are there, and how one is found again at another number.

``/dev/video0`` is whichever camera was seen first; pulled out and put in again it may be
``/dev/video2``. udev names every camera by its maker, model and serial number in
``/dev/v4l/by-id``, and by the socket it is plugged into in ``/dev/v4l/by-path``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from vision.sources.v4l2 import CAP_VIDEO_CAPTURE, Node

_NODE = re.compile(r"video(\d+)")


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera that is plugged in."""

    index: int
    """The number in ``camera:0``."""
    path: Path
    """Its device node, such as ``/dev/video0``."""
    name: str
    """As it calls itself."""
    usable: bool
    """False where this user may not open it; the group ``video`` gives the right."""
    identity: str = ""
    """What it is called at whatever number: its name in ``/dev/v4l/by-id``, or in ``by-path`` where
    a twin could have that; empty where udev gave it none."""


def find_cameras(
    sysfs: Path = Path("/sys/class/video4linux"),
    dev: Path = Path("/dev"),
    capabilities: Callable[[Path], int] | None = None,
) -> tuple[Camera, ...]:
    """The cameras on this machine, in the order of their numbers.

    Only nodes of USB devices and of loopbacks are opened, and only to ask what they can do: a
    Raspberry Pi has a dozen video nodes for its decoders and image pipeline that are no cameras,
    and opening some of them disturbs others. Nodes that carry only a camera's metadata are
    left out.
    """
    ask = capabilities or _capabilities
    found = []
    for entry in sysfs.glob("video*") if sysfs.is_dir() else ():
        number = _NODE.fullmatch(entry.name)
        if not number or not _may_be_camera(entry):
            continue
        path = dev / entry.name
        try:
            usable, captures = True, bool(ask(path) & CAP_VIDEO_CAPTURE)
        except PermissionError:
            # Whether it captures cannot be asked; the first node of a camera is the one that does.
            usable, captures = False, _text(entry / "index") in ("", "0")
        except OSError:
            continue  # unplugged since it was listed
        if captures:
            name = _text(entry / "name") or "camera"
            found.append(Camera(int(number[1]), path, name, usable))
    return tuple(sorted(_identified(found, dev), key=lambda camera: camera.index))


def first_camera() -> Camera | None:
    """The first camera that this user may open, or else the first; None where none is plugged in."""
    cameras = find_cameras()
    return next((camera for camera in cameras if camera.usable), next(iter(cameras), None))


def find_camera(address: str, dev: Path = Path("/dev")) -> Path | None:
    """The node of the camera that ``address`` names: a number, a path, or an identity.

    None where an identity is not plugged in now. A number or path is not looked at.
    """
    if address.isdecimal():
        return dev / f"video{address}"
    if address.startswith("/"):
        return Path(address)
    for folder in ("by-id", "by-path"):
        link = dev / "v4l" / folder / address
        if link.exists():
            return link.resolve()
    return None


def identity_of(address: str) -> str:
    """The identity of a camera that is plugged in; the address itself where it has none."""
    path = find_camera(address)
    named = {camera.path: camera.identity for camera in find_cameras()}
    return (path is not None and named.get(path.resolve())) or address


def _identified(cameras: Iterable[Camera], dev: Path) -> Iterator[Camera]:
    """The cameras with their identities.

    Cameras of one model without serial numbers share one name by id, which leads to one of them
    only; so they go by the sockets they are plugged into.
    """
    cameras = tuple(cameras)
    by_id, by_path = _links(dev / "v4l" / "by-id"), _links(dev / "v4l" / "by-path")
    for camera in cameras:
        twins = [other.path.name for other in cameras if other.name == camera.name]
        names = by_id if all(twin in by_id for twin in twins) else by_path
        yield replace(camera, identity=names.get(camera.path.name, ""))


def _links(folder: Path) -> dict[str, str]:
    """The names in a folder of links by the node that each leads to, such as ``video0``."""
    links = sorted(folder.iterdir()) if folder.is_dir() else []
    return {link.resolve().name: link.name for link in links if link.exists()}


def _may_be_camera(entry: Path) -> bool:
    """Whether a node of ``/sys/class/video4linux`` belongs to a USB device or a loopback."""
    subsystem = entry / "device" / "subsystem"
    if subsystem.exists():
        return subsystem.resolve().name == "usb"
    return "virtual" in entry.resolve().parts


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def _capabilities(path: Path) -> int:
    """What a V4L2 node can do. Raises OSError."""
    with Node(path) as node:
        return node.capabilities()
