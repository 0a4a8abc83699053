"""Settings of a table: from a TOML file, overridden by the environment; every one has a default.

Each setting has one name. In the file it is a key at the top level (``port = 8377``); in the
environment it is the same in capitals after ``MELDWATCH_`` (``MELDWATCH_PORT=8377``). House rules
are a table of the file, ``[house_rules]``, and have no place in the environment.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ENVIRONMENT_PREFIX = "MELDWATCH_"
"""What the name of a setting begins with in the environment."""


class ConfigError(ValueError):
    """A setting that cannot be used; the message says where it stands and what is expected."""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a table needs to know before it starts."""

    data_folder: Path
    """Where event logs and pictures are kept; made on first use."""
    source: str = "auto"
    """What to watch: ``auto`` (a camera where there is one, else the rendered table), ``rendered``, a
    camera's number, device or identity, ``phone``, a file, a folder of photographs, or a network
    address."""
    rules: str = "pressman"
    """Name of the preset that rulings follow."""
    house_rules: Mapping[str, Any] = field(default_factory=dict)
    """Switches of the preset that this family plays differently."""
    host: str = "127.0.0.1"
    """Address the dashboard listens on; ``0.0.0.0`` lets other devices of the network in."""
    port: int = 8377
    """Port the dashboard listens on; 0 takes any free one."""
    https: bool = False
    """Whether the dashboard is served by HTTPS, with a certificate made on this machine; a phone gives
    its camera to no other page."""
    viewers: int = 16
    """How many pages may watch at once; each keeps one connection and one thread."""
    seed: int = 1
    """Seed of the rendered table and of its game."""
    mains_hz: int = 50
    """Frequency of the mains, 50 or 60, which a camera is told so that lamps do not flicker in its
    picture; 0 leaves the camera as it is."""
    keep_pictures: int = 500
    """How many pictures of confirmed tables are kept; the oldest go first."""

    def __post_init__(self) -> None:
        _check(0 <= self.port <= 65535, "port", self.port, "a number from 0 to 65535")
        _check(1 <= self.viewers <= 200, "viewers", self.viewers, "a number from 1 to 200")
        _check(self.mains_hz in (0, 50, 60), "mains_hz", self.mains_hz, "50, 60 or 0")
        _check(self.keep_pictures >= 0, "keep_pictures", self.keep_pictures, "0 or more")
        for name in ("source", "rules", "host"):
            _check(bool(getattr(self, name).strip()), name, getattr(self, name), "a word")


def default_data_folder(environment: Mapping[str, str]) -> Path:
    """The folder the XDG rules give a program's data: ``~/.local/share/meldwatch`` unless set."""
    base = environment.get("XDG_DATA_HOME", "")
    root = Path(base) if base.startswith("/") else Path.home() / ".local" / "share"
    return root / "meldwatch"


def load_config(
    path: Path | None = None, environment: Mapping[str, str] | None = None, **given: Any
) -> Config:
    """Settings from defaults, the file at ``path``, the environment and ``given``, last one wins.

    A value of None in ``given`` counts as not given. Raises ``ConfigError`` for a missing or broken
    file, a setting nobody knows, and a value of the wrong kind.
    """
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {"data_folder": default_data_folder(environment)}
    values |= _from_file(path) if path is not None else {}
    values |= _from_environment(environment)
    values |= {name: value for name, value in given.items() if value is not None}
    return Config(**values)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return int(value)


def _yes_or_no(value: Any) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    return value if isinstance(value, bool) else known[_text(value).lower()]


def _switches(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError
    return dict(value)


_KINDS: Mapping[str, tuple[Callable[[Any], Any], str]] = {
    "data_folder": (lambda value: Path(_text(value)).expanduser(), "a folder"),
    "source": (lambda value: str(value) if type(value) is int else _text(value), "a source"),
    "rules": (_text, "the name of a preset"),
    "house_rules": (_switches, "a table of switches"),
    "host": (_text, "an address"),
    "port": (_whole, "a whole number"),
    "https": (_yes_or_no, "true or false"),
    "viewers": (_whole, "a whole number"),
    "seed": (_whole, "a whole number"),
    "mains_hz": (_whole, "a whole number"),
    "keep_pictures": (_whole, "a whole number"),
}


def _from_file(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the settings {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"the settings {path} are not TOML: {error}") from error
    return {name: _parse(name, value, str(path)) for name, value in found.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    names = [name for name in _KINDS if name != "house_rules"]
    keys = {name: ENVIRONMENT_PREFIX + name.upper() for name in names}
    return {
        name: _parse(name, environment[key], key)
        for name, key in keys.items()
        if environment.get(key)
    }


def _parse(name: str, value: Any, where: str) -> Any:
    if name not in _KINDS:
        known = ", ".join(_KINDS)
        raise ConfigError(f"{where}: there is no setting {name!r}; there are {known}")
    parse, expected = _KINDS[name]
    try:
        return parse(value)
    except (TypeError, ValueError, KeyError) as error:
        raise ConfigError(f"{where}: {name} must be {expected}, not {value!r}") from error


def _check(fine: bool, name: str, value: Any, expected: str) -> None:
    if not fine:
        raise ConfigError(f"{name} must be {expected}, not {value!r}")
