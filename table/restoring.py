"""When the table before the turn is shown, and what of it: while it is put back, or somebody asked."""

from __future__ import annotations

from dataclasses import replace

from engine.game.cursor import print_board
from engine.game.events import Board
from table.kept_tables import KeptTable, KeptTables, Shift, after, lying_tiles
from table.restore import LyingTile, compared, moved_with_camera
from table.restore_view import RestoreView
from table.seen_table import SeenTable
from table.wishes import WishRefusedError
from vision.table_layout import likeliest

TAKEN_BACK, ASKED = "taken_back", "asked"
"""Why it is shown: a turn came to nothing, or a person wants to see it."""
NO_PLACES = "Where its tiles lay was not kept, so the sets are all that can be shown."
NO_PICTURE = "Its picture is not there any more. Outlines show where its tiles lay."
OTHER_PICTURE = "The camera's picture has another shape since, so the places cannot be shown."


class Restoring:
    """Whether the table before the turn is shown, and what of it. It belongs to one thread."""

    def __init__(self, kept: KeptTables) -> None:
        self._kept = kept
        self._why = ""
        self._turn = 0
        self._was_taken_back = False
        self._shown_of: tuple[object, ...] = ()
        self._view = RestoreView()

    def show(self, before: Board | None) -> None:
        """A person wants to see it. Refused where no table before this turn is known."""
        if before is None and self._kept.of(None) is None:
            raise WishRefusedError("nothing_kept", "no table before this turn is known")
        self._why = self._why or ASKED

    def hide(self) -> None:
        """Enough was seen of it."""
        self._why = ""

    def view(
        self,
        turn: int,
        before: Board | None,
        seen: SeenTable | None,
        size_wh: tuple[int, int],
        *,
        to_put_back: bool,
    ) -> RestoreView:
        """What is shown now.

        ``before`` is the table before the turn, None where that is not known: then the last one that was
        kept is meant. ``seen`` is the table as it was read last, in a picture of ``size_wh``.
        """
        if turn != self._turn:
            self._turn, self._why = turn, ""
        if to_put_back and not self._was_taken_back:
            self._why = TAKEN_BACK
        self._was_taken_back = to_put_back
        shown_of = (self._why, before, seen, size_wh, self._kept.of(before), to_put_back)
        if shown_of != self._shown_of:
            self._shown_of, self._view = shown_of, self._viewed(before, seen, size_wh)
            if self._why == TAKEN_BACK and not to_put_back and not self._view.as_it_was:
                self._why = ""  # it was put back, and the next turn goes on
                self._view = self._viewed(before, seen, size_wh)
        return self._view

    def _viewed(
        self, before: Board | None, seen: SeenTable | None, size_wh: tuple[int, int]
    ) -> RestoreView:
        kept = self._kept.of(before)
        layout = before if before is not None or kept is None else kept.layout
        if layout is None:
            return RestoreView()
        if not self._why:
            return RestoreView(offered=True)
        view = RestoreView(True, self._why, print_board(layout), note=_note(layout, kept, size_wh))
        if kept is not None and layout.tiles and _fits(kept, size_wh):
            picture = kept.sequence if kept.jpeg is not None else 0
            view = replace(view, picture=picture, size_wh=kept.event.size_wh)
        return view if seen is None else _with_now(view, layout, kept, seen, size_wh)


def _with_now(
    view: RestoreView,
    layout: Board,
    kept: KeptTable | None,
    seen: SeenTable,
    size_wh: tuple[int, int],
) -> RestoreView:
    """The view with what the table is now."""
    lie = lying_tiles(seen, size_wh)
    lay: tuple[LyingTile, ...] = tuple(LyingTile(str(tile), ()) for tile in layout.tiles)
    motion: Shift | None = None
    if kept is not None and _fits(kept, size_wh):
        lay, moved = moved_with_camera(kept.tiles, lie, size_wh)
        motion = kept.moved_by if moved is None else after(moved, kept.moved_by)
    now = likeliest(seen.laid_out.reading)
    found = compared(layout, lay, now, lie, size_wh)
    return replace(
        view,
        as_it_was=found.as_it_was,
        same_places=found.same_places,
        tiles=tuple(tile for tile in lay if tile.quad),
        differences=found.differences,
        motion=_of_size(motion, view.size_wh, size_wh),
    )


def _of_size(
    motion: Shift | None, picture_wh: tuple[int, int], size_wh: tuple[int, int]
) -> Shift | None:
    """A motion in pixels of the live picture, in those of the one that was kept."""
    if motion is None or not picture_wh[0]:
        return motion
    scale = picture_wh[0] / size_wh[0]
    a, b, c, d, e, f = motion
    return (*(round(turn, 5) for turn in (a, b, c, d)), round(e * scale, 3), round(f * scale, 3))


def _fits(kept: KeptTable, size_wh: tuple[int, int]) -> bool:
    """Whether the picture of then has the shape of the live one."""
    width, height = kept.event.size_wh
    return abs(width * size_wh[1] - height * size_wh[0]) <= max(width, height)


def _note(layout: Board, kept: KeptTable | None, size_wh: tuple[int, int]) -> str:
    if not layout.tiles:
        return ""
    if kept is None:
        return NO_PLACES
    if not _fits(kept, size_wh):
        return OTHER_PICTURE
    return "" if kept.jpeg is not None else NO_PICTURE
