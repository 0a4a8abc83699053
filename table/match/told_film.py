"""A film that was made elsewhere, and what somebody says is true of it: a folder with ``film.json``.

docs/match.md has the form. What is wrong with one is said in a line that names the place.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.faults import Fault, Verdict
from engine.notation import NotationError
from engine.tiles import parse_tile
from table.match.laying import Row
from vision.frame import Pixels

TOLD, FILM = "film.json", "film.avi"
DOES: Final = ("play", "draw", "pass")
MOST_PER_S: Final = 60
CORNERS: Final = 4


class FilmError(Exception):
    """A film, or what is told of it, that cannot be used. One line."""


@dataclass(frozen=True, slots=True, eq=False)
class ToldTile:
    """A tile that shows its face: its outline (4, 2) in pixels, from its own top left clockwise."""

    label: str
    quad_xy: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class ToldTurn:
    """What is true from the picture in which all is laid and no hand is seen any more."""

    player: int
    still: int
    """The number of that picture..."""
    ends: int
    """...and of the last one of this rest."""
    tiles: tuple[ToldTile, ...]
    """All that lie on the table."""
    elsewhere: tuple[ToldTile, ...]
    """What shows its face and is no part of the table, as it stands on a rack."""
    rows: tuple[Row, ...]
    """The sets; none of a board."""
    cells: Mapping[tuple[int, int], str]
    """The tiles of a board by row and column; none of sets apart."""
    does: str
    """What it comes to, where it stays: one of `DOES`."""
    verdict: Verdict
    faults: tuple[str, ...]
    stays: bool
    """False of a try that is taken back."""


@dataclass(frozen=True, slots=True)
class ToldFilm:
    """A whole film: its pictures are read from the file as they are shown."""

    folder: Path
    preset: str
    house_rules: Mapping[str, str | int]
    players: tuple[str, ...]
    per_s: float
    """Pictures in a second."""
    cleared: int
    """The number of a picture of the empty table, in which the round begins."""
    turns: tuple[ToldTurn, ...]

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    def pictures(self) -> Iterator[Pixels]:
        """Every picture, (h, w, 3), BGR. Raises `FilmError` where the file ends before the last turn."""
        capture = cv2.VideoCapture(str(self.folder / FILM), cv2.CAP_FFMPEG)
        try:
            for number in range(self.turns[-1].ends + 1):
                is_read, pixels_bgr = capture.read()
                if not is_read:
                    raise FilmError(
                        f"{self.folder / FILM}: picture {number} of "
                        f"{self.turns[-1].ends + 1} cannot be read"
                    )
                yield np.asarray(pixels_bgr, np.uint8)
        finally:
            capture.release()


def load_told_film(folder: Path) -> ToldFilm:
    """The film in a folder. Raises `FilmError`."""
    path = folder / TOLD
    try:
        told = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise FilmError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise FilmError(f"{path}: is not JSON") from None
    if not (folder / FILM).is_file():
        raise FilmError(f"{folder / FILM}: there is no such file")
    return _film(folder, _Told(told, str(path)))


class _Told:
    """A value of the file and where it stands, for what is said of a wrong one."""

    def __init__(self, value: Any, where: str) -> None:
        self.value, self.where = value, where

    def error(self, expected: str) -> FilmError:
        return FilmError(f"{self.where}: expected {expected}")

    def part(self, key: str, usual: Any = None) -> _Told:
        if not isinstance(self.value, dict):
            raise self.error("an object")
        return _Told(self.value.get(key, usual), f"{self.where}, {key}")

    def all_of(self) -> list[_Told]:
        if not isinstance(self.value, list):
            raise self.error("a list")
        return [_Told(item, f"{self.where} {n}") for n, item in enumerate(self.value)]

    def number(self, least: int, most: int | None = None) -> int:
        is_one = isinstance(self.value, int) and not isinstance(self.value, bool)
        if not is_one or self.value < least or (most is not None and self.value > most):
            raise self.error(f"a whole number from {least}{'' if most is None else f' to {most}'}")
        return int(self.value)

    def fraction(self) -> float:
        is_one = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        if not is_one or not math.isfinite(self.value):
            raise self.error("a number")
        return float(self.value)

    def word(self, known: Mapping[str, object] | tuple[str, ...] = ()) -> str:
        if not isinstance(self.value, str) or (known and self.value not in known):
            raise self.error(f"one of {', '.join(known)}" if known else "a text")
        return self.value

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.error("true or false")
        return self.value


def _film(folder: Path, told: _Told) -> ToldFilm:
    players = tuple(player.word() for player in told.part("players").all_of())
    if not players:
        raise told.part("players").error("at least one")
    cleared = told.part("cleared").number(0)
    house_rules = told.part("house_rules", {})
    if not isinstance(house_rules.value, dict):
        raise house_rules.error("an object")
    turns = tuple(_turn(turn, len(players)) for turn in told.part("turns").all_of())
    if not turns:
        raise told.part("turns").error("at least one")
    ended = cleared
    for number, turn in enumerate(turns):
        if not ended < turn.still < turn.ends:
            raise FilmError(f"{told.where}, turns {number}: is not after what comes before it")
        ended = turn.ends
    return ToldFilm(
        folder,
        told.part("preset").word(),
        house_rules.value,
        players,
        float(told.part("fps").number(1, MOST_PER_S)),
        cleared,
        turns,
    )


def _turn(told: _Told, players: int) -> ToldTurn:
    tiles = [(tile, _tile(tile)) for tile in told.part("tiles").all_of()]
    on_board = [told for told, _ in tiles if told.part("cell").value is not None]
    if on_board and len(on_board) < len(tiles):
        raise told.part("tiles").error("cells of all tiles or of none")
    verdict = Verdict(told.part("verdict").word(("LEGAL", "ILLEGAL")))
    stays = told.part("stays").truth()
    faults = tuple(fault.word(Fault.__members__) for fault in told.part("faults", []).all_of())
    return ToldTurn(
        told.part("player").number(0, players - 1),
        told.part("still").number(0),
        told.part("ends").number(0),
        tuple(tile for _, tile in tiles),
        tuple(map(_tile, told.part("elsewhere", []).all_of())),
        () if on_board else _rows(tiles),
        {_cell(told): tile.label for told, tile in tiles} if on_board else {},
        told.part("does").word(DOES) if stays else "",
        verdict,
        faults,
        stays,
    )


def _tile(told: _Told) -> ToldTile:
    label = told.part("label")
    try:
        name = str(parse_tile(label.word()))
    except NotationError as error:
        raise label.error(error.expected) from None
    corners = told.part("quad").all_of()
    points = [[number.fraction() for number in corner.all_of()] for corner in corners]
    if [len(point) for point in points] != [2] * CORNERS:
        raise told.part("quad").error("four corners, x and y each")
    return ToldTile(name, np.array(points, np.float32))


def _cell(told: _Told) -> tuple[int, int]:
    row, *columns = told.part("cell").all_of()
    if len(columns) != 1:
        raise told.part("cell").error("a row and a column")
    return int(row.fraction()), int(columns[0].fraction())


def _rows(tiles: list[tuple[_Told, ToldTile]]) -> tuple[Row, ...]:
    """The sets, each in the order of its places."""
    sets: dict[int, list[tuple[int, ToldTile]]] = {}
    for told, tile in tiles:
        of_set = sets.setdefault(told.part("set").number(0), [])
        of_set.append((told.part("place").number(0), tile))
    return tuple(_row([tile for _, tile in sorted(s, key=lambda s: s[0])]) for s in sets.values())


def _row(tiles: list[ToldTile]) -> Row:
    """A set; it may be read from either end where as many tiles face one way as the other."""
    ups = [tile.quad_xy[0] - tile.quad_xy[3] for tile in tiles]
    as_the_first = sum(float(up @ ups[0]) > 0 for up in ups)
    return Row(tuple(tile.label for tile in tiles), 2 * as_the_first == len(tiles))
