"""What a hand can lay at once, as the players of `meldwatch fuzz` find it."""

from __future__ import annotations

import pytest

from engine.melds import parse_tiles
from engine.ruleset import load_ruleset
from engine.sets import is_set
from engine.tiles import TILES, Tile
from table.fuzzing.hands import additions_behind, additions_to

RULES = load_ruleset("pressman")


def fits(row: tuple[Tile, ...]) -> bool:
    return is_set(row, RULES)


@pytest.mark.parametrize(
    "row", ["J", "J J", "R5 R6 R7", "R11 R12 R13", "R1 R2 R3", "K7 B7 R7", "J K7 B7"]
)
def test_every_tile_that_a_row_takes_at_an_end_is_found(row: str) -> None:
    """Of jokers alone, too, which lie there where somebody let them stand."""
    tiles = parse_tiles(row)
    taken = {tile for tile in TILES if fits((*tiles, tile)) or fits((tile, *tiles))}
    found = dict(additions_to(tiles, TILES, fits))
    assert found.keys() == taken
    assert all(
        fits(longer) and sorted(longer) == sorted((*tiles, tile)) for tile, longer in found.items()
    )
    assert additions_behind(tiles, TILES, fits) == [t for t in TILES if fits((*tiles, t))]
