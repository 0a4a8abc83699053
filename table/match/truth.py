"""What truly lies on a filmed table, and what people would answer who see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.referee import NO_TILE, Question
from engine.tiles import JOKER, parse_tile
from table.board import LiveState
from table.forms import parse_board
from table.match.laying import Row
from table.one_doubt import DOUBTS
from table.printed_things import SOMETHING_ELSE, TILES, is_about_a_print
from table.rack_questions import NOT_ALL, ON_RACK, ON_TABLE
from table.told_places import PLACE
from vision.placements import Face, Placement
from vision.rendering.films import Seen

FACE_DOWN: Final = "face-down"
EMPTY_CELL: Final = "."
"""A cell without a tile, in the words of a board."""
NEAR: Final = 0.5
"""A reading is of a tile when it is not further from it than this part of its short side."""
MOST_ORDERS: Final = 120
"""Orders in which tiles that were read alike are tried for the words of an answer."""
UNCOVERED: Final = 0.5
"""Share of a face that has to be seen for it to be read."""


@runtime_checkable
class LaidSets(Protocol):
    """A table on which sets lie apart."""

    def rows(self) -> tuple[Row, ...]:
        """The sets as whoever sits where most of a set's tiles face reads them."""


@runtime_checkable
class LaidBoard(Protocol):
    """A table on which tiles lie in a grid."""

    def is_shown_by(self, rows: Sequence[Sequence[str | None]], /) -> bool:
        """Whether labels in rows of cells, None for an empty one, are the board."""


class Truth:
    """The truth of the picture that was shown last."""

    def __init__(self, top: LaidSets | LaidBoard, size_wh: tuple[int, int]) -> None:
        """``size_wh`` is that of the pictures."""
        self._top = top
        self._size = np.array(size_wh)
        self.seen: tuple[Seen, ...] = ()
        """What lies there."""
        self.on_racks: tuple[Seen, ...] = ()
        """What shows its face and stands on a rack: none of the table."""
        self._lay: Counter[str] = Counter()

    def placements(self) -> list[Placement]:
        """What a reader that never errs would read; tiles that are covered for the most part are
        left out."""
        return [
            Placement(
                seen.quad_xy, TileReading.certain(parse_tile(seen.piece.pose.label)), 1.0, Face.UP
            )
            for seen in self.seen
            if seen.visible > UNCOVERED and seen.piece.pose.label != FACE_DOWN
        ]

    def is_read_exactly(self, state: LiveState) -> bool:
        """Whether every tile and every set, or the whole board, was read as it lies, doubts aside."""
        if isinstance(self._top, LaidBoard):
            rows = state.grid or ()
            return self._top.is_shown_by(
                [[None if i is None else state.tiles[i].label for i in row] for row in rows]
            )
        left = [[state.tiles[index].label for index in meld] for meld in state.melds]
        for row in sorted(self._rows(), key=lambda row: row.from_either_end):
            found = next((read for read in left if is_same_row(read, row)), None)
            if found is None:
                return False
            left.remove(found)
        return not left

    def turn_ends(self) -> None:
        """The next turn begins with what lies there."""
        self._lay = Counter(seen.piece.pose.label for seen in self.seen)

    def answer(self, state: LiveState, question: Question, *, opened: bool) -> str | None:
        """The true answer; None where it is not among those that can be given."""
        if question.kind == "opened":
            return "yes" if opened else "no"
        if question.kind == "tile" and question.tile is not None:
            return self.label_of(state, question.tile) or NO_TILE
        if question.kind == "before":
            return self._was(state, question)
        if question.kind in DOUBTS:
            not_one = DOUBTS[question.kind].not_one
            labels = [self.label_of(state, index) or NO_TILE for index in question.tiles]
            return " ".join(labels) if " ".join(labels) in question.options else not_one
        if is_about_a_print(question):
            has_faces = any(self.label_of(state, index) for index in question.tiles)
            return TILES if has_faces else SOMETHING_ELSE
        if question.kind == PLACE:
            return self._where(state, question)
        if question.kind == "arrangement":
            return next((o for o in question.options if self._lies_so(state, question, o)), None)
        return None

    def _where(self, state: LiveState, question: Question) -> str:
        """Whether the tiles of a question stand on racks."""
        centres = self._centres(state)
        stand = [_nearest(self.on_racks, centres[index]) is not None for index in question.tiles]
        if NOT_ALL in question.options and any(stand) and not all(stand):
            return NOT_ALL
        return ON_RACK if 2 * sum(stand) > len(stand) else ON_TABLE

    def _was(self, state: LiveState, question: Question) -> str:
        """What a tile of the table before was: what it counted as, where there were so many of these;
        else what there were more of than counted."""
        assert state.before is not None, "a table that is asked about"
        counted = Counter(map(str, parse_board(state.before).tiles))
        first, *others = question.options
        if self._lay[first] >= counted[first]:
            return first
        return next((o for o in others if self._lay[o] > counted[o]), others[-1])

    def label_of(self, state: LiveState, tile: int) -> str | None:
        """What a person sees where tile ``tile`` was read; None where nothing there shows its face, or
        it was read once more, nearer to it.

        Of tiles that lie on each other it is the one of which more is seen.
        """
        centres = self._centres(state)
        seen = _nearest(self.seen, centres[tile])
        if seen is None:
            return None
        apart = _apart(seen, centres[tile])
        again = (c for c in centres if _apart(seen, c) < apart and _nearest(self.seen, c) is seen)
        return None if any(True for _ in again) else seen.piece.pose.label

    def _centres(self, state: LiveState) -> list[NDArray[np.floating]]:
        """The middles of what is shown, in pixels."""
        return [(np.array(shown.quad) * self._size).mean(axis=0) for shown in state.tiles]

    def _lies_so(self, state: LiveState, question: Question, option: str) -> bool:
        """Whether the tiles of a question lie as an answer to it says, whatever they were read as; what
        is none lies nowhere."""
        if isinstance(self._top, LaidBoard):
            return self._is_board(state, self._top, option)
        melds = [text.split() for text in option.split(" | ")]
        words = [word for meld in melds for word in meld]
        for labels in self._named_so(words, state, question.tiles):
            names = iter(labels)
            rows = [[name for _ in meld if (name := next(names))] for meld in melds]
            if self._are_rows([row for row in rows if row]):
                return True
        return False

    def _named_so(
        self, words: Sequence[str], state: LiveState, tiles: Sequence[int]
    ) -> Iterator[tuple[str | None, ...]]:
        """What the tiles are that words of an answer name, one way or another where some were read
        alike and are not."""
        by_word: dict[str, list[str | None]] = {}
        for tile in tiles:
            shown = state.tiles[tile]
            word = f"{shown.label}{'' if shown.sure else '?'}"
            by_word.setdefault(word, []).append(self.label_of(state, tile))
        if Counter(words) != {word: len(some) for word, some in by_word.items()}:
            return
        orders = (permutations(some) if len(set(some)) > 1 else [some] for some in by_word.values())
        for order in islice(product(*orders), MOST_ORDERS):
            left = dict(zip(by_word, map(iter, order), strict=True))
            yield tuple(next(left[word]) for word in words)

    def _is_board(self, state: LiveState, board: LaidBoard, option: str) -> bool:
        """The same of all tiles of a board."""
        rows = [text.split() for text in option.split(" / ")]
        words = [word for row in rows for word in row if word != EMPTY_CELL]
        for labels in self._named_so(words, state, range(len(state.tiles))):
            names = iter(labels)
            if board.is_shown_by(
                [[None if word == EMPTY_CELL else next(names) for word in row] for row in rows]
            ):
                return True
        return False

    def _rows(self) -> tuple[Row, ...]:
        return self._top.rows() if isinstance(self._top, LaidSets) else ()

    def _are_rows(self, told: Sequence[Sequence[str]]) -> bool:
        left = list(self._rows())
        for names in told:
            found = next((row for row in left if is_same_row(names, row)), None)
            if found is None:
                return False
            left.remove(found)
        return True


def _nearest(all_seen: Sequence[Seen], centre: NDArray[np.floating]) -> Seen | None:
    """The tile that shows its face there; of those on each other the one of which more is seen."""
    there = [
        (seen.visible <= UNCOVERED, distance, number)
        for number, seen in enumerate(all_seen)
        if seen.piece.pose.label != FACE_DOWN
        and (distance := _apart(seen, centre)) <= NEAR * _short_side(seen)
    ]
    return all_seen[min(there)[-1]] if there else None


def _apart(seen: Seen, point_xy: NDArray[np.floating]) -> float:
    """Pixels from the middle of a tile to a point."""
    return float(np.linalg.norm(seen.quad_xy.mean(axis=0) - point_xy))


def _short_side(seen: Seen) -> float:
    """Pixels along a tile's upper edge."""
    return float(np.linalg.norm(seen.quad_xy[1] - seen.quad_xy[0]))


def is_same_row(read: Sequence[str], row: Row) -> bool:
    """Whether a set was read as this row: from its other end, too, where that makes no other set of it,
    with one number alone, as a group has, or where nothing tells which end comes first."""
    numbers = {label[1:] for label in row.labels if label != str(JOKER)}
    from_behind = row.from_either_end or len(numbers) == 1
    return tuple(read) in (row.labels, *([row.labels[::-1]] if from_behind else []))
