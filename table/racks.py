"""What a player holds at the end of a round: read from a picture, told by a person, and put right."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.game.events import Board
from engine.melds import parse_tiles
from engine.notation import NotationError
from engine.referee import NO_TILE
from engine.ruleset import RuleSet
from engine.tiles import Tile, parse_tile
from table.candidates import candidates_of
from table.events import RackCorrected, RackRead
from table.wishes import WishRefusedError
from vision.photographs import PhotographError, load_photograph
from vision.placements import Face, Placement

MOST_TILES = 60
"""Nobody holds more, and a photograph of a whole box is no rack."""


@dataclass(frozen=True, slots=True)
class RackTile:
    """One tile of a rack, as a page draws it."""

    label: str
    """The likeliest reading in notation; empty for a tile that nobody could read."""
    sure: bool = True
    """False where it is shown with a question mark."""
    options: tuple[str, ...] = ()
    """What it may be, likeliest first."""
    corrected: bool = False
    """True where a person said what it is."""


Rack = tuple[RackTile, ...]


def rack_as_read(event: RackRead) -> Rack:
    """The rack of a picture."""
    return tuple(
        RackTile(options[0][0] if options else "", sure, tuple(label for label, _ in options))
        for options, sure in zip(event.tiles, event.sure, strict=True)
    )


def rack_as_told(labels: Sequence[str]) -> Rack:
    """The rack of a person's word."""
    return tuple(RackTile(label, corrected=True) for label in labels)


def corrected(rack: Rack, event: RackCorrected) -> Rack:
    """The rack after a person's word about one place of it."""
    if event.label == NO_TILE:
        return (*rack[: event.tile], *rack[event.tile + 1 :])
    if event.tile >= len(rack):
        return (*rack, RackTile(event.label, corrected=True))
    said = replace(rack[event.tile], label=event.label, sure=True, corrected=True)
    return (*rack[: event.tile], said, *rack[event.tile + 1 :])


def tiles_of(rack: Rack) -> tuple[Tile, ...]:
    """The tiles of a rack, a doubtful one as its likeliest reading.

    Raises ``WishRefusedError`` where one of them could not be read and nobody has named it.
    """
    if any(not tile.label for tile in rack):
        raise WishRefusedError("not_read", "one of the tiles could not be read; say which it is")
    return tuple(parse_tile(tile.label) for tile in rack)


def rack_event(turn: int, player: str, source: str, seen: Sequence[Placement], by: str) -> RackRead:
    """The event that says that these tiles were read, because ``by`` wanted it."""
    tiles = tuple(candidates_of(placement.reading) for placement in seen)
    return RackRead(turn, player, source, tiles, tuple(p.reading.sure for p in seen), by)


def labels_told(text: str, rules: RuleSet) -> tuple[str, ...]:
    """The labels of tiles that a person typed. ``WishRefusedError`` says what is wrong with them."""
    try:
        tiles = parse_tiles(text) if text.strip() else ()
    except NotationError as error:
        raise WishRefusedError("not_understood", str(error)) from error
    for tile in tiles:
        _check_deck(tile, rules)
    check_number(len(tiles))
    return tuple(map(str, tiles))


def tile_told(text: str, rules: RuleSet) -> Tile:
    """The one tile that a person named. ``WishRefusedError`` says what is wrong with it."""
    labels = labels_told(text, rules)
    if len(labels) != 1:
        raise WishRefusedError("not_understood", f"{text!r} is not one tile")
    return parse_tile(labels[0])


def _check_deck(tile: Tile, rules: RuleSet) -> None:
    """``WishRefusedError`` for a card among tiles, or the reverse."""
    pieces = rules.equipment.pieces
    if tile.is_card != (pieces == "cards"):
        raise WishRefusedError("not_understood", f"{tile} is not one of this game's {pieces}")


def check_number(tiles: int) -> None:
    """``WishRefusedError`` for more tiles than anybody holds."""
    if tiles > MOST_TILES:
        raise WishRefusedError("not_understood", f"a rack has at most {MOST_TILES} tiles")


def in_reading_order(placements: Sequence[Placement]) -> list[Placement]:
    """The tiles of a rack that lie or stand face up, row by row from the left."""
    seen = [placement for placement in placements if placement.face is not Face.DOWN]
    if not seen:
        return []
    height = float(np.median([_height_px(placement) for placement in seen]))
    top = min(float(placement.centre_xy[1]) for placement in seen)
    rows = [round((float(placement.centre_xy[1]) - top) / max(height, 1.0)) for placement in seen]
    order = sorted(range(len(seen)), key=lambda i: (rows[i], float(seen[i].centre_xy[0])))
    return [seen[index] for index in order]


def _height_px(placement: Placement) -> float:
    quad = placement.quad_xy
    return float(np.hypot(*(quad[3] - quad[0])))


def beside_the_table(placements: Sequence[Placement], table: Board) -> list[Placement]:
    """The tiles in the table's picture that are not the game's own: a rack that was laid beside it.

    Where the table was cleared before, all that lies there is the rack.
    """
    seen = in_reading_order(placements)
    there = Counter(str(tile) for tile in table.tiles)
    if there - Counter(placement.label for placement in seen):
        return seen
    rack = []
    for placement in seen:
        if there[placement.label] > 0:
            there[placement.label] -= 1
        else:
            rack.append(placement)
    return rack


def decode_photo(photo: bytes) -> NDArray[np.uint8]:
    """The pixels of an uploaded photograph, upright. ``WishRefusedError`` says what is wrong with it."""
    with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
        file.write(photo)
        file.flush()
        try:
            return load_photograph(file.name)
        except PhotographError as error:
            message = str(error).removeprefix(f"{file.name}: ")
            raise WishRefusedError("not_understood", f"the photograph {message}") from error
