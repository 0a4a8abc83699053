"""From what was read and judged to what the log holds and pages show."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.game.cursor import print_board
from engine.game.events import Board
from engine.judge_json import ruling_to_json
from engine.layout import GridReading, LayoutReading
from engine.referee import Ruling
from table.board import LiveState, ShownTile
from table.candidates import candidates_of
from table.events import LayoutRead, RulingGiven
from table.forms import text_of
from table.places import Corners, in_parts
from table.seen_table import SeenTable
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.table_layout import sets_of

Rows = tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True, slots=True)
class ShownLayout:
    """A layout as a page draws it."""

    text: str | None
    melds: tuple[tuple[int, ...], ...]
    grid: Rows | None
    tiles: tuple[ShownTile, ...]
    face_down: tuple[Corners, ...]

    def on(self, state: LiveState) -> LiveState:
        """The state with this layout instead of its own."""
        return replace(
            state,
            layout=self.text,
            melds=self.melds,
            grid=self.grid,
            tiles=self.tiles,
            face_down=self.face_down,
        )


NO_LAYOUT = ShownLayout(None, (), None, (), ())
"""Before the first layout of a round."""


class LayoutsForPages:
    """The layouts that count, one after another; each is worked out once, as long as it does."""

    def __init__(self) -> None:
        self._last: tuple[SeenTable, tuple[int, int], ShownLayout] | None = None

    def on(
        self, state: LiveState, sequence: int, seen: SeenTable | None, read: Frame | None
    ) -> LiveState:
        """The state with the layout that event ``sequence`` logged, 0 for none, as it was ``seen`` in
        the frame ``read``; as it is where that is not known."""
        if sequence == 0:
            return NO_LAYOUT.on(state)
        return state if seen is None or read is None else self._shown(seen, read.size_hw).on(state)

    def _shown(self, seen: SeenTable, size_hw: tuple[int, int]) -> ShownLayout:
        known, drawn_hw, shown = self._last or (None, None, None)
        if shown is None or known is not seen or drawn_hw != size_hw:
            shown = shown_layout(seen, size_hw)
            self._last = (seen, size_hw, shown)
        return shown


def shown_layout(seen: SeenTable, size_hw: tuple[int, int]) -> ShownLayout:
    """The layout of a picture of ``size_hw`` pixels, with corners as parts of its sides."""
    indexes = seen.laid_out.placement_indexes
    reading = seen.laid_out.reading
    tiles = tuple(
        shown_tile(seen.placements[index], size_hw, corrected=index in seen.corrected)
        for index in indexes
    )
    down = (p for p in seen.placements if p.face is Face.DOWN)
    face_down = tuple(_corners(placement, size_hw) for placement in down)
    grid = reading.arrangements[0] if isinstance(reading, GridReading) else None
    return ShownLayout(text_of(reading), sets_of(reading), grid, tiles, face_down)


def layout_event(seen: SeenTable, turn: int) -> LayoutRead:
    """The event that says that ``seen`` was read in ``turn``."""
    reading = seen.laid_out.reading
    candidates = tuple(candidates_of(tile) for tile in reading.tiles)
    sure = tuple(tile.sure for tile in reading.tiles)
    return LayoutRead(turn, text_of(reading), candidates, sure, reading.arrangements)


def ruling_event(
    ruling: Ruling, turn: int, read: LayoutReading | GridReading, before: Board | None
) -> RulingGiven:
    """The event that says that the table as it was ``read`` was judged in ``turn``."""
    told = ruling_to_json(ruling)
    return RulingGiven(
        turn=turn,
        layout=text_of(read),
        before=None if before is None else print_board(before),
        verdict=ruling.verdict.value,
        findings=tuple(told["findings"]),
        questions=tuple(told["questions"]),
        unchecked=ruling.unchecked,
    )


def shown_tile(
    placement: Placement, size_hw: tuple[int, int], *, corrected: bool = True
) -> ShownTile:
    """One tile of a picture of ``size_hw`` pixels; ``corrected`` is what a person spoke of."""
    return ShownTile(
        label=placement.label,
        sure=placement.reading.sure,
        options=tuple(label for label, _ in candidates_of(placement.reading)),
        corrected=corrected,
        quad=_corners(placement, size_hw),
    )


def _corners(placement: Placement, size_hw: tuple[int, int]) -> Corners:
    return in_parts(placement.quad_xy, size_hw[::-1])
