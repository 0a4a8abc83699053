"""Tiles in a grid: lines both ways, jokers that stand in two of them, and claims.

Every line of two or more touching tiles has to be a set (AMB-38); a tile may be in a row and in a
column, and all tiles hang together (R2-20).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.examination import Examination, Play
from engine.faults import Fault
from engine.layout import GridLayout
from engine.packed_board import NO_TILE, PackedBoard
from engine.packing import has_joker, unpacked
from engine.ruleset import RuleSet
from engine.set_readings import SetBook, book_of_jokers
from engine.sets import is_set
from engine.tiles import JOKER, Tile
from engine.turns import Claim, Turn, grid_components
from engine.wording import count_of, in_row, listed, the

_NO_CLAIMS: Final = "Whether a set was claimed in this turn is not known, so that was not checked."
_KEPT_WAYS: Final = 1 << 10
"""Jokers in lines of which it is kept what they may stand for: one board is asked for many times."""
_Cell = tuple[int, int]
_LINE: Final = re.compile(rb"[^\xff]{2,}")
"""Tiles that touch, in a row or a column that is packed with `NO_TILE` in its empty cells."""


@dataclass(frozen=True, slots=True)
class JokerOnBoard:
    """A joker with the lines it stands in."""

    lines: tuple[tuple[int, int, tuple[Tile, ...]], ...]
    """For each: its number in the layout of lines, the joker's index in it, its tiles."""
    ways: tuple[frozenset[Tile], ...]
    """What it may stand for, for each pair of readings that agree; see `SetReading.stands_for`."""


def jokers_on_board(grid: GridLayout, rules: RuleSet) -> tuple[JokerOnBoard, ...]:
    """Every joker that stands in a line, row by row."""
    if not has_joker(grid.packed):
        return ()
    rows = [bytes([NO_TILE if cell is None else cell.kind for cell in row]) for row in grid.rows]
    columns = [bytes(column) for column in zip(*rows, strict=True)]
    lines = [
        (upright, at, line)
        for upright, packed_lines in ((False, rows), (True, columns))
        for at, tiles in enumerate(packed_lines)
        for line in _LINE.finditer(tiles)
    ]
    found: dict[_Cell, list[tuple[int, int, bytes]]] = {}
    for number, (upright, at, line) in enumerate(lines):
        for index, kind in enumerate(line[0] if has_joker(line[0]) else b""):
            if kind >= JOKER.kind:
                along = line.start() + index
                cell = (along, at) if upright else (at, along)
                found.setdefault(cell, []).append((number, index, line[0]))
    book = book_of_jokers(rules)
    return tuple(_joker(found[cell], book) for cell in sorted(found))


def _joker(lines: list[tuple[int, int, bytes]], book: SetBook) -> JokerOnBoard:
    ways = _ways(tuple([(index, row) for _, index, row in lines]), book)
    return JokerOnBoard(tuple([(n, index, unpacked(row)) for n, index, row in lines]), ways)


@lru_cache(maxsize=_KEPT_WAYS)
def _ways(places: tuple[tuple[int, bytes], ...], book: SetBook) -> tuple[frozenset[Tile], ...]:
    """`JokerOnBoard.ways` of a joker with this index in each of these lines, packed."""
    by_line = [
        tuple(dict.fromkeys(item.stands_for[index] for item in book.readings_of(unpacked(row))))
        for index, row in places
    ]
    if len(by_line) == 1:
        return by_line[0]
    both = (one & other for one in by_line[0] for other in by_line[1])
    return tuple(dict.fromkeys(way for way in both if way))


def all_jokers_fit(board: PackedBoard, rules: RuleSet) -> bool:
    """Whether every joker may stand for some tile, the same one in both its lines (R2-25)."""
    book = book_of_jokers(rules)
    return all(_ways(lines, book) for lines in board.joker_lines() if lines)


def examine_board(turn: Turn, result: Examination) -> None:
    """R2-20 and R2-25: whether tiles hang together, and jokers are one tile in both their lines.

    That every line is a set is examined like any other set.
    """
    if turn.grid is None:
        return
    components = grid_components(turn.grid)
    if result.rules.table.connected and len(components) > 1:
        smallest = min(components, key=lambda part: part[1])
        text = (
            f"the tiles lie in {len(components)} parts that do not touch; "
            f"one of them is {_part_in_words(*smallest)}"
        )
        result.find(Fault.NOT_CONNECTED, text, tuple(tile for tile, _ in components))
    for joker in jokers_on_board(turn.grid, result.rules):
        legal = all(is_set(tiles, result.rules) for _, _, tiles in joker.lines)
        if legal and not joker.ways:
            _, (column, _, tiles) = joker.lines
            both = " and ".join(
                f"set {number + 1} ({in_row(line)})" for number, _, line in joker.lines
            )
            text = f"no tile fits the joker in both {both}"
            result.find(Fault.JOKER_IN_TWO_LINES, text, tiles, column)


def _part_in_words(first: Tile, count: int) -> str:
    if count == 1:
        return f"{the(first)} alone"
    return f"{the(first)} with {count_of(count - 1, 'other tile')}"


def examine_claims(turn: Turn, opened: bool, result: Examination) -> None:
    """R2-22 to R2-24, AMB-37: what was claimed in this turn; nothing when that is not known."""
    rules = result.rules.claims
    if rules is None or not turn.claims:
        return
    if len(turn.claims) > rules.per_turn:
        kind = "hijack" if all(claim.level for claim in turn.claims) else "claim"
        text = f"{len(turn.claims)} sets were claimed in one turn"
        result.find(Fault.CLAIM_TWO_SETS, text, kind=kind, repair="take back all claims but one")
    if not opened:
        result.depends_on.add("claims.requires_opening")
    if rules.requires_opening and not opened:
        text = "a set was claimed before the player's initial play"
        result.find(Fault.CLAIM_BEFORE_OPENING, text, repair="take back the claim")
    for claim in turn.claims:
        _examine_claim(claim, turn, result, len(rules.levels), reclaim=rules.reclaim_own)


def _examine_claim(
    claim: Claim, turn: Turn, result: Examination, levels: int, *, reclaim: bool
) -> None:
    tiles = claim.meld.tiles
    where = next(
        (
            number
            for number, meld in enumerate(turn.after.melds)
            if meld.tiles in (tiles, tiles[::-1]) and is_set(tiles, result.rules)
        ),
        None,
    )
    told = in_row(tiles)
    if where is None:
        text = f"what was claimed ({told}) is no set on the board"
        result.find(Fault.CLAIM_NO_SET, text, tiles, repair="take back the claim")
    if claim.level >= levels:
        text = f"the set of {told} is locked"
        result.find(Fault.CLAIM_LOCKED, text, tiles, where, repair="take back the claim")
        return
    if claim.own:
        result.depends_on.add("claims.reclaim_own")
    if claim.own and not reclaim:
        text = f"the set of {told} is claimed by the same player already"
        result.find(Fault.CLAIM_OWN_SET, text, tiles, where, repair="take back the claim")


def examine_actions(turn: Turn, play: Play, result: Examination) -> None:
    """R2-11: a turn draws, plays or claims; what it may be is one of these."""
    if result.rules.claims is None:
        return
    if turn.claims is None:
        result.unchecked.append(_NO_CLAIMS)
    if not turn.claims:
        return
    actions = ["claimed"]
    if play.played or play.changed:
        actions.append("played")
    if turn.rack_before is not None and turn.rack_after is not None:
        held = len(turn.rack_before) - play.played.total()
        actions += ["drew"] if len(turn.rack_after) > held else []
    if len(actions) > 1:
        text = f"the player {listed(actions)} in one turn, and a turn is only one of these"
        result.find(Fault.TURN_MIXED_ACTIONS, text, repair="take back the claim")
