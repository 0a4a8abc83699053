"""What truly lies on a filmed table, and what people would answer who see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.layout import TileReading
from engine.referee import NO_TILE, Question
from engine.tiles import JOKER, parse_tile
from table.board import LiveState
from table.match.laying import Row, Tabletop
from table.one_doubt import DOUBTS
from table.standing_tiles import ON_TABLE, PLACE
from vision.placements import Face, Placement
from vision.rendering.films import Seen

FACE_DOWN: Final = "face-down"
NEAR: Final = 0.5
"""A reading is of a tile when it is not further from it than this part of its short side."""
MOST_ORDERS: Final = 120
"""Orders in which tiles that were read alike are tried for the words of an answer."""
UNCOVERED: Final = 0.5
"""Share of a face that has to be seen for it to be read."""


class Truth:
    """The truth of the picture that was shown last."""

    def __init__(self, top: Tabletop, size_wh: tuple[int, int]) -> None:
        """``size_wh`` is that of the pictures."""
        self._top = top
        self._size = np.array(size_wh)
        self.seen: tuple[Seen, ...] = ()
        """What lies there."""

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
        """Whether every tile and every set was read as it lies, doubts aside."""
        left = [[state.tiles[index].label for index in meld] for meld in state.melds]
        for row in sorted(self._top.rows(), key=lambda row: row.from_either_end):
            found = next((read for read in left if is_same_row(read, row)), None)
            if found is None:
                return False
            left.remove(found)
        return not left

    def answer(self, state: LiveState, question: Question, *, opened: bool) -> str | None:
        """The true answer; None where it is not among those that can be given."""
        if question.kind == "opened":
            return "yes" if opened else "no"
        if question.kind == "tile" and question.tile is not None:
            return self.label_of(state, question.tile) or NO_TILE
        if question.kind in DOUBTS:
            not_one = DOUBTS[question.kind].not_one
            labels = [self.label_of(state, index) or NO_TILE for index in question.tiles]
            return " ".join(labels) if " ".join(labels) in question.options else not_one
        if question.kind == PLACE:
            return ON_TABLE  # racks are seen from behind in a film
        if question.kind == "arrangement":
            return next((o for o in question.options if self._lies_so(state, question, o)), None)
        return None

    def label_of(self, state: LiveState, tile: int) -> str | None:
        """What a person sees where tile ``tile`` was read; None where nothing there shows its face, or
        it was read once more, nearer to it.

        Of tiles that lie on each other it is the one of which more is seen.
        """
        centres = [(np.array(shown.quad) * self._size).mean(axis=0) for shown in state.tiles]
        seen = self._seen_at(centres[tile])
        if seen is None:
            return None
        apart = _apart(seen, centres[tile])
        again = (c for c in centres if _apart(seen, c) < apart and self._seen_at(c) is seen)
        return None if any(True for _ in again) else seen.piece.pose.label

    def _seen_at(self, centre: NDArray[np.floating]) -> Seen | None:
        there = [
            (seen.visible <= UNCOVERED, distance, number)
            for number, seen in enumerate(self.seen)
            if seen.piece.pose.label != FACE_DOWN
            and (distance := _apart(seen, centre)) <= NEAR * _short_side(seen)
        ]
        return self.seen[min(there)[-1]] if there else None

    def _lies_so(self, state: LiveState, question: Question, option: str) -> bool:
        """Whether the tiles of a question lie as an answer to it says, whatever they were read as; what
        is none lies nowhere."""
        melds = [text.split() for text in option.split(" | ")]
        for tiles in _named_so([word for meld in melds for word in meld], state, question.tiles):
            names = iter([self.label_of(state, tile) for tile in tiles])
            rows = [[name for _ in meld if (name := next(names))] for meld in melds]
            if self._are_rows([row for row in rows if row]):
                return True
        return False

    def _are_rows(self, told: Sequence[Sequence[str]]) -> bool:
        left = list(self._top.rows())
        for names in told:
            found = next((row for row in left if is_same_row(names, row)), None)
            if found is None:
                return False
            left.remove(found)
        return True


def _named_so(
    words: Sequence[str], state: LiveState, tiles: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """The tiles that words of an answer are, one way or another where several were read alike."""
    by_word: dict[str, list[int]] = {}
    for tile in tiles:
        shown = state.tiles[tile]
        word = f"{shown.label}{'' if shown.sure else '?'}"
        by_word.setdefault(word, []).append(tile)
    if Counter(words) != {word: len(some) for word, some in by_word.items()}:
        return
    for orders in islice(product(*map(permutations, by_word.values())), MOST_ORDERS):
        left = dict(zip(by_word, map(iter, orders), strict=True))
        yield tuple(next(left[word]) for word in words)


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
