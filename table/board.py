"""What a running table shows to anybody who looks: one state and one picture, always the newest.

The session publishes, pages wait. A page that is slow misses states and pictures in between and
nothing piles up for it; what must not be missed is in the event log.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from engine.judge_json import ruling_to_json
from engine.referee import Ruling
from table.game_view import GameView
from table.region_view import RegionView
from table.restore_view import RestoreView
from vision.health import HealthState


@dataclass(frozen=True, slots=True)
class ShownTile:
    """One tile of the layout, as a page draws it."""

    label: str
    """The likeliest reading in notation; empty for a tile that nobody could read."""
    sure: bool
    """False where it is shown with a question mark."""
    options: tuple[str, ...]
    """What it may be, likeliest first; for people to choose from."""
    corrected: bool
    """True where a person said what it is."""
    quad: tuple[tuple[float, float], ...]
    """Its corners in the picture, as parts of the width and the height (0 to 1)."""

    def to_json(self) -> dict[str, Any]:
        """A tile of the JSON interface."""
        return {
            "label": self.label,
            "sure": self.sure,
            "options": list(self.options),
            "corrected": self.corrected,
            "quad": [list(corner) for corner in self.quad],
        }


@dataclass(frozen=True, slots=True)
class LiveState:
    """Everything a page shows except the picture itself and the log."""

    version: int
    """Grows with every change, so that two states can be told apart."""
    source: str
    """What is watched, in words."""
    rendered: bool
    """True where no camera looks at a real table."""
    rules: str
    """Name of the preset that rulings follow."""
    camera: HealthState
    """Whether the picture is the table as it is now; rulings are given from LIVE only."""
    camera_detail: str
    """What is wrong and what to try; empty when nothing is."""
    camera_notes: tuple[str, ...]
    """What is worth knowing of the camera although its picture can be read, a sentence each."""
    moving: bool
    """True where the picture is LIVE and not the table that was read: something moves in it, such as a
    hand, or it is to be read."""
    to_be_read: bool
    """True of a table that lies still again, until it was read: the layout is of before."""
    looking_closer: bool
    """True while a closer look is taken at what is in doubt, or due, which may settle it."""
    said: str
    """What the rendered table's player does, in words; empty on a real table."""
    turn: int
    """The turn under way, counted from 1."""
    sequence: int
    """Number of the newest event in the log."""
    layout: str | None
    """The layout read last, in notation with doubts; None before the first."""
    layout_sequence: int
    """Number of the event that logged it, 0 before the first."""
    melds: tuple[tuple[int, ...], ...]
    """The likeliest arrangement: melds as indexes into ``tiles``; of a board its lines, rows first, then
    the tiles that touch no other."""
    grid: tuple[tuple[int | None, ...], ...] | None
    """The same of a board as rows of cells, None for an empty one; None where sets lie apart."""
    tiles: tuple[ShownTile, ...]
    """The tiles of the layout."""
    no_tiles: tuple[ShownTile, ...]
    """What lies there, each as it was read, and is none of the layout, as people said of it that it is
    no tile."""
    face_down: tuple[tuple[tuple[float, float], ...], ...]
    """Corners of the tiles that lie face down, as for ``ShownTile.quad``."""
    before: str | None
    """The table at the start of the turn; None where the table alone is judged."""
    ruling: Ruling | None
    """The ruling on the layout; None before the first."""
    game: GameView | None
    """The game that is played; None where none was begun."""
    region: RegionView
    """Which part of the picture is the table."""
    left_out: tuple[tuple[tuple[float, float], ...], ...]
    """Corners of what is read and left out, as people or the beginning of the round told of it: tiles
    that stand on racks, and what are none; as for ``ShownTile.quad``."""
    places_told: bool
    """Whether it was told what stands on racks or is none, so that it can be asked about anew."""
    restore: RestoreView
    """The table before the turn, while it is put back or somebody wants to see it."""
    trouble: str
    """What failed in the last round of the loop, in one line; empty when nothing did."""
    disk: str = ""
    """What is wrong with the room on the disk, in words; empty while there is enough."""
    recovered: str = ""
    """What this program lost of a log that was damaged as it began, in words; empty if nothing was."""

    @classmethod
    def at_start(cls, source: str, rendered: bool, rules: str) -> LiveState:
        """What is shown before the first picture."""
        return cls(
            version=0,
            source=source,
            rendered=rendered,
            rules=rules,
            camera=HealthState.STARTING,
            camera_detail="",
            camera_notes=(),
            moving=False,
            to_be_read=False,
            looking_closer=False,
            said="",
            turn=1,
            sequence=0,
            layout=None,
            layout_sequence=0,
            melds=(),
            grid=None,
            tiles=(),
            no_tiles=(),
            face_down=(),
            before=None,
            ruling=None,
            game=None,
            region=RegionView.at_start(),
            left_out=(),
            places_told=False,
            restore=RestoreView(),
            trouble="",
        )

    def to_json(self) -> dict[str, Any]:
        """The state of the JSON interface, described in docs/api.md."""
        return {
            "version": self.version,
            "source": self.source,
            "rendered": self.rendered,
            "rules": self.rules,
            "camera": {
                "state": self.camera.value,
                "detail": self.camera_detail,
                "notes": list(self.camera_notes),
            },
            "moving": self.moving,
            "to_be_read": self.to_be_read,
            "looking_closer": self.looking_closer,
            "said": self.said,
            "turn": self.turn,
            "sequence": self.sequence,
            "layout": self.layout,
            "layout_sequence": self.layout_sequence,
            "melds": [list(meld) for meld in self.melds],
            "grid": None if self.grid is None else [list(row) for row in self.grid],
            "tiles": [tile.to_json() for tile in self.tiles],
            "no_tiles": [tile.to_json() for tile in self.no_tiles],
            "face_down": [[list(corner) for corner in quad] for quad in self.face_down],
            "before": self.before,
            "ruling": None if self.ruling is None else ruling_to_json(self.ruling),
            "game": None if self.game is None else self.game.to_json(),
            "region": self.region.to_json(),
            "left_out": [[list(corner) for corner in quad] for quad in self.left_out],
            "places_told": self.places_told,
            "restore": self.restore.to_json(),
            "trouble": self.trouble,
            "disk": self.disk,
            "recovered": self.recovered,
        }


@dataclass(frozen=True, slots=True)
class LivePicture:
    """One picture of the table for pages."""

    number: int
    """Counts the published pictures from 1."""
    jpeg: bytes
    """The picture without marks."""
    size_wh: tuple[int, int]
    """Its width and height in pixels."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What the board shows at one moment."""

    state: LiveState
    picture: LivePicture | None
    """None before the first picture."""
    closed: bool
    """True when the session has ended and nothing new will come."""


class Board:
    """The newest state and picture. Any thread may look, wait and publish."""

    def __init__(self, state: LiveState) -> None:
        self._glance = Glance(state, None, closed=False)
        self._changed = threading.Condition()

    def look(self) -> Glance:
        """What the board shows now."""
        with self._changed:
            return self._glance

    def wait(self, seen: Glance, timeout_s: float) -> Glance:
        """What the board shows as soon as that is not ``seen``, or after ``timeout_s``."""
        with self._changed:
            self._changed.wait_for(lambda: self._glance is not seen, timeout_s)
            return self._glance

    def show(self, state: LiveState, picture: LivePicture | None = None) -> None:
        """Replaces the state, and the picture where one is given."""
        with self._changed:
            if state != self._glance.state or picture is not None:
                self._glance = Glance(state, picture or self._glance.picture, closed=False)
                self._changed.notify_all()

    def close(self) -> None:
        """Tells everybody who waits that nothing new will come."""
        with self._changed:
            self._glance = Glance(self._glance.state, self._glance.picture, closed=True)
            self._changed.notify_all()
