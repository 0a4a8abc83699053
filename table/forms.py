"""What lies on a table, sets apart or a board of cells, for the log, the pages and the referee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.examination import as_laid
from engine.game.cursor import Cursor
from engine.game.events import Board
from engine.layout import GridLayout, GridReading, LayoutReading
from engine.melds import Meld
from engine.referee import Question, Ruling
from engine.tiles import Tile
from engine.turns import Turn, lines_of
from vision.placements import Placement
from vision.table_layout import LaidOutTable, without_cell
from vision.tracking.followed import FollowedPlacement


def parse_board(text: str) -> Board:
    """What `print_board` wrote. Raises ``engine.game.text_errors.GameTextError`` for anything else."""
    cursor = Cursor(text)
    board = cursor.board()
    cursor.finish("write one table alone")
    return board


def text_of(reading: LayoutReading | GridReading) -> str:
    """The likeliest table with its doubts, otherwise as `print_board` has it."""
    text = reading.text()
    return f"grid {text}" if isinstance(reading, GridReading) else text


def sets_on(board: Board) -> tuple[Meld, ...]:
    """The melds; of a board its lines and the tiles that touch no other."""
    return lines_of(board).melds if isinstance(board, GridLayout) else board.melds


def lies_as(table: Board, other: Board) -> bool:
    """Whether these are the same sets, wherever they lie and from whichever side they are read, runs in
    the same order; of boards the same lines."""
    same_form = isinstance(table, GridLayout) == isinstance(other, GridLayout)
    return same_form and _counted(table) == _counted(other)


def has_all_of(table: Board, other: Board) -> bool:
    """Whether every tile of the other table, where it has any, is on this one, however it lies."""
    return Counter(other.tiles) <= Counter(table.tiles)


def _counted(board: Board) -> tuple[Counter[bytes], Counter[Tile]]:
    return Counter(as_laid(meld.packed) for meld in sets_on(board)), Counter(board.tiles)


def table_before(turn: Turn) -> Board | None:
    """The table with which the turn began; None where that is not known."""
    return turn.before if turn.grid_before is None else turn.grid_before


def with_table_before(turn: Turn, before: Board | None) -> Turn:
    """The turn that began with this table; the table after it is for the camera to say."""
    if isinstance(before, GridLayout):
        return turn.with_grid(before, GridLayout())
    return replace(turn, before=before)


def with_what_lies_on(
    ruling: Ruling, laid_out: LaidOutTable, placements: Sequence[Placement]
) -> Ruling:
    """The ruling, whose questions about something that lies on a tile name that tile."""
    questions = tuple(_about_upon(q, laid_out, placements) for q in ruling.questions)
    return ruling if questions == ruling.questions else replace(ruling, questions=questions)


def _about_upon(
    question: Question, laid_out: LaidOutTable, placements: Sequence[Placement]
) -> Question:
    if question.kind != "tile" or question.tile is None:
        return question
    placement = placements[laid_out.placement_indexes[question.tile]]
    if not isinstance(placement, FollowedPlacement) or placement.lies_on is None:
        return question
    below = placement.lies_on.spoken
    text = f"Something lies on the {below}. Which tile is it, or does nothing lie there?"
    return replace(question, text=text, tiles=())


def names_the_tile_below(placement: FollowedPlacement) -> str:
    """Why the name of the tile below is no answer to the question what lies on it."""
    below = "the tile below" if placement.lies_on is None else f"the {placement.lies_on.spoken}"
    return f"{below} is what lies below; say which tile lies on it, or that none does"


def with_tiles_without_cell(ruling: Ruling, laid_out: LaidOutTable) -> Ruling:
    """The ruling, which tells of tiles that lie on no cell that they were taken to lie apart."""
    tiles = [laid_out.reading.tiles[index].best for index in without_cell(laid_out)]
    said = tuple(
        f"{'A tile that could not be read' if tile is None else tile.spoken.capitalize()} lies upon "
        "another tile, so the board has no cell for it, and it was taken to lie apart."
        for tile in tiles
    )
    return replace(ruling, unchecked=(*ruling.unchecked, *said)) if said else ruling
