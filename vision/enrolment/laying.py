"""What lies where in photographs of a set laid out in rows, and what is wrong with it.

The rows are told by geometry (`vision.layout_reader`), the tiles in them by the order they were asked
for (`vision.enrolment.alignment`). So a tile gets the name of its place though the network misreads
it; but where the network is certain of another tile, and reads that number well elsewhere in the set,
it is for the owner to say who is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import JOKER, TILES, Tile
from models.classes import COLOURS, NUMBERS
from models.tile_reader import Readings, rows_of
from vision.enrolment.alignment import KINDS, aligned, costs_of
from vision.enrolment.colouring import Piece, coloured, counted, pieces_of
from vision.enrolment.gaps import gaps, jumps
from vision.layout_reader import read_layout
from vision.many_jokers import MOST as MOST_JOKERS
from vision.placements import Face, Placement

COPIES_IN_SET = (1, 2)
"""A set holds every kind once or twice: 53 tiles, or 106."""

CERTAIN_OF_ANOTHER, HARDLY_THIS = 0.9, 0.02
"""Chances from which, and below which, a reading speaks against the place it lies in."""

LEAST_FACE = 0.3
"""A loose thing that shows a tile's face with a smaller chance is none."""

ROW, IN_ROWS = 4, 0.75
"""So many tiles are a row, and this part of all has to lie in rows: a heap has an order by chance."""

FEWEST_TILES = 40
"""Of fewer tiles no set is learned: 53 and 106 are whole ones."""


@dataclass(frozen=True, slots=True)
class Photographed:
    """One photograph of a layout: its tiles, what the network says of each, and its rows."""

    placements: tuple[Placement, ...]
    readings: Readings
    """Of the same tiles in the same order."""


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile in its place."""

    photo: int
    """Which photograph, from 0."""
    placement: int
    """Which of its placements."""
    row: int
    """Counted from 1 through all photographs."""
    place: int
    """In its row, from 1 on its left."""
    tile: Tile
    """What it is, as it was laid."""
    read: Tile
    """What the network takes it for."""
    is_odd: bool
    """Whether the reading speaks against it."""


@dataclass(frozen=True, slots=True)
class Laying:
    """What was laid out."""

    tiles: tuple[LaidTile, ...]
    copies: int
    """How many of each kind the set is taken to hold: 1 or 2."""
    missing: tuple[tuple[Tile, int], ...]
    """Kinds of which tiles are missing, and how many."""
    surplus: tuple[tuple[Tile, int], ...]
    """Kinds of which there are too many, and how many too many."""
    face_down: int
    """Tiles that show their backs."""
    out_of_order: tuple[str, ...]
    """In words, where rows do not go on as they should."""
    gaps: tuple[str, ...]
    """In words, what is missing where."""

    @property
    def is_whole(self) -> bool:
        """True when every tile of the set lies there in order, and nothing speaks against it."""
        return self.is_clear and not (self.missing or self.surplus or self.face_down)

    @property
    def is_clear(self) -> bool:
        """True when it is known which tile is which, though some may be missing."""
        return (
            len(self.tiles) >= FEWEST_TILES
            and self.is_in_rows
            and not self.out_of_order
            and not any(tile.is_odd for tile in self.tiles)
            and self._jokers <= MOST_JOKERS
        )

    @property
    def _jokers(self) -> int:
        return sum(tile.tile == JOKER for tile in self.tiles)

    @property
    def is_in_rows(self) -> bool:
        """Whether most tiles lie in rows."""
        in_rows = sum(len(row) for row in self.rows() if len(row) >= ROW)
        return in_rows >= IN_ROWS * len(self.tiles)

    @property
    def misread(self) -> tuple[LaidTile, ...]:
        """Tiles that the network takes for something else than they are."""
        return tuple(tile for tile in self.tiles if tile.read != tile.tile)

    def rows(self) -> list[tuple[LaidTile, ...]]:
        """The tiles row by row, each from its left."""
        found: dict[int, list[LaidTile]] = {}
        for tile in self.tiles:
            found.setdefault(tile.row, []).append(tile)
        return [tuple(sorted(found[row], key=lambda tile: tile.place)) for row in sorted(found)]

    def table(self) -> list[str]:
        """A line for each row: its number and its tiles, ``B7?`` where the reading speaks against it."""
        return [
            f"{row[0].row:3}  " + " ".join(f"{t.tile}{'?' if t.is_odd else ''}" for t in row)
            for row in self.rows()
        ]

    def complaints(self) -> list[str]:
        """What is wrong, a line each; empty when the set is whole."""
        if not self.tiles:
            return ["No tiles were found. Lay the set out in rows on a plain table and try again."]
        lines = [*self.gaps, *self.out_of_order]
        if self._jokers > MOST_JOKERS:
            told = f"{self._jokers} tiles look like jokers: their numbers could not be made out."
            lines = [told, *lines]
        lines += [
            f"Row {tile.row}, tile {tile.place}: {tile.tile} belongs here, it looks like {tile.read}."
            for tile in self.tiles
            if tile.is_odd
        ]
        lines += [
            f"{tile} is there {count} {'time' if count == 1 else 'times'} too often."
            for tile, count in self.surplus
        ]
        if not self.is_in_rows:
            lines.append("Most tiles do not lie in rows. Lay them by colour, from 1 to 13.")
        if self.face_down:
            lines.append(f"Face down: {self.face_down}. Turn them over.")
        if len(self.tiles) < FEWEST_TILES:
            lines.append(f"Only {len(self.tiles)} tiles were found; a set has 53 or 106.")
        return lines


def laying_of(photographs: Sequence[Photographed], *, as_laid: bool = False) -> Laying:
    """What lies in photographs of one set, no tile in two of them.

    With ``as_laid`` the owner has said that all tiles lie where they belong: then no reading is held
    against its place.
    """
    rows = [row for number, one in enumerate(photographs) for row in _rows(number, one)]
    pieces = [
        piece
        for number, row in enumerate(rows)
        for piece in pieces_of(number, row.kinds, row.readings.colours)
    ]
    best = [coloured(pieces, copies) for copies in COPIES_IN_SET]
    counts = [counted(pieces, colours) for colours in best]
    off = [
        sum(abs(counted[kind] - copies) for kind in TILES)
        for counted, copies in zip(counts, COPIES_IN_SET, strict=True)
    ]
    copies = COPIES_IN_SET[int(np.argmin(off))]
    for piece, colour in zip(pieces, best[copies - 1], strict=True):
        rows[piece.row].name(piece, colour)
    _jokers_apart(rows, copies)
    return _described(rows, photographs, copies, as_laid)


@dataclass(slots=True)
class _Row:
    """A row of one photograph, from its lower end to its upper one."""

    photo: int
    placements: tuple[int, ...]
    readings: Readings
    kinds: NDArray[np.int64]
    """What its tiles are, as numbers of KINDS."""
    backwards: bool
    """Whether it was laid from right to left."""

    def name(self, piece: Piece, colour: int) -> None:
        """Gives the tiles of a piece of it a colour."""
        places = slice(piece.start, piece.start + len(piece.numbers))
        self.kinds[places] = colour * len(NUMBERS) + piece.numbers

    @property
    def tiles(self) -> list[Tile]:
        return [KINDS[kind] for kind in self.kinds]


def _rows(photo: int, one: Photographed) -> Iterator[_Row]:
    """The rows of a photograph, each aligned by itself. What is loose and hardly a tile is left out."""
    laid_out = read_layout(one.placements)
    for meld in laid_out.reading.arrangements[0]:
        indexes = [laid_out.placement_indexes[k] for k in meld]
        readings = rows_of(one.readings, indexes)
        faces = readings.classes[:, : len(NUMBERS) + 1].sum(axis=1)
        if len(meld) == 1 and faces[0] < LEAST_FACE:
            continue
        kinds, backwards = aligned(costs_of(readings))
        if backwards:
            indexes.reverse()
            readings = rows_of(one.readings, indexes)
        yield _Row(photo, tuple(indexes), readings, kinds, backwards)


def _jokers_apart(rows: Sequence[_Row], copies: int) -> None:
    """Makes jokers of short rows by themselves of which there is no room otherwise: a joker's face is
    what varies most between makers."""
    counts = Counter(tile for row in rows for tile in row.tiles)
    for row in sorted(rows, key=lambda row: len(row.kinds)):
        alone = len(row.kinds) <= copies - counts[JOKER]
        if alone and all(counts[tile] > copies for tile in row.tiles):
            counts.subtract(row.tiles)
            row.kinds[:] = len(KINDS) - 1
            counts.update(row.tiles)


def _described(
    rows: Sequence[_Row], photographs: Sequence[Photographed], copies: int, as_laid: bool
) -> Laying:
    counts = Counter(tile for row in rows for tile in row.tiles)
    missing = Counter({kind: copies - counts[kind] for kind in TILES if counts[kind] < copies})
    reads = [_read(row.readings) for row in rows]
    well_read = _well_read(rows, reads)
    laid: list[LaidTile] = []
    for number, (row, read) in enumerate(zip(rows, reads, strict=True), start=1):
        for place, (kind, taken_for) in enumerate(zip(row.kinds, read, strict=True)):
            odd = not as_laid and _speaks_against(
                row.readings, place, int(kind), well_read, missing
            )
            place_from_left = len(row.kinds) - place if row.backwards else place + 1
            laid.append(
                LaidTile(
                    row.photo,
                    row.placements[place],
                    number,
                    place_from_left,
                    KINDS[kind],
                    KINDS[taken_for],
                    odd,
                )
            )
    kinds_in_rows = [row.tiles for row in rows]
    return Laying(
        tiles=tuple(laid),
        copies=copies,
        missing=tuple((kind, missing[kind]) for kind in TILES if missing[kind]),
        surplus=tuple((k, counts[k] - copies) for k in TILES if counts[k] > copies and k != JOKER),
        face_down=sum(p.face is Face.DOWN for one in photographs for p in one.placements),
        out_of_order=tuple(jumps(kinds_in_rows)),
        gaps=tuple(gaps(kinds_in_rows, missing)) if laid else (),
    )


def _read(readings: Readings) -> NDArray[np.int64]:
    """What the network takes each tile for, as numbers of KINDS."""
    numbers = readings.classes[:, : len(NUMBERS) + 1].argmax(axis=1)
    kinds = readings.colours.argmax(axis=1) * len(NUMBERS) + numbers
    return np.where(numbers == len(NUMBERS), len(KINDS) - 1, kinds)


def _chance(readings: Readings, place: int, kind: int) -> float:
    """How probable the network holds it that a tile is of a kind."""
    if kind == len(KINDS) - 1:
        return float(readings.classes[place, len(NUMBERS)])
    colour, number = divmod(kind, len(NUMBERS))
    return float(readings.classes[place, number] * readings.colours[place, colour])


def _well_read(rows: Sequence[_Row], reads: Sequence[NDArray[np.int64]]) -> set[tuple[str, int]]:
    """The numbers, and the colours, that the network reads right on most of the tiles laid as such."""
    right: Counter[tuple[str, int]] = Counter()
    every: Counter[tuple[str, int]] = Counter()
    for row, read in zip(rows, reads, strict=True):
        for kind, taken_for in zip(row.kinds.tolist(), read.tolist(), strict=True):
            for aspect, its, seen in zip(
                ("colour", "number"), _aspects(kind), _aspects(taken_for), strict=True
            ):
                every[aspect, its] += 1
                right[aspect, its] += its == seen
    return {aspect for aspect in every if 2 * right[aspect] > every[aspect]}


def _aspects(kind: int) -> tuple[int, int]:
    """Colour and number; a joker has one of its own for both."""
    return divmod(kind, len(NUMBERS)) if kind < len(KINDS) - 1 else (len(COLOURS), len(NUMBERS))


def _speaks_against(
    readings: Readings,
    place: int,
    kind: int,
    well_read: set[tuple[str, int]],
    missing: Counter[Tile],
) -> bool:
    """Whether the network is certain that a tile is another, one that is missing, or in an aspect that
    it reads well else."""
    taken_for = int(_read(readings)[place])
    if taken_for == kind or _chance(readings, place, taken_for) < CERTAIN_OF_ANOTHER:
        return False
    if _chance(readings, place, kind) > HARDLY_THIS:
        return False
    return missing[KINDS[taken_for]] > 0 or any(
        its != seen and (aspect, its) in well_read
        for aspect, its, seen in zip(
            ("colour", "number"), _aspects(kind), _aspects(taken_for), strict=True
        )
    )
