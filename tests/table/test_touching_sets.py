"""Sets that touch end to end look like a row that is none: that is asked before anybody is accused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.layout import LayoutReading
from engine.referee import Verdict
from engine.ruleset import load_ruleset
from table.board import LiveState
from table.layout_watch import LayoutWatch
from table.touching_sets import may_be_set_by
from tests.table.laid_table import StaticTable, is_layout, wait_until
from tests.table.played_table import PlayedTable
from tests.table.test_sets_before import tile
from vision.placements import Placement
from vision.table_layout import lay_out
from web.commands.reading import ReadPhotograph

RULES = load_ruleset("pressman", load_ruleset("pressman").usual_answers())


def row(words: str, upside_down: Sequence[int] = (), y: float = 100.0) -> list[Placement]:
    """Tiles of one row, each touching the next; those of these places face the other way."""
    placed = [tile(word, n + 1, 1.02 * n, y) for n, word in enumerate(words.split())]
    return [
        Placement(
            p.quad_xy[[2, 3, 0, 1]] if n in upside_down else p.quad_xy,
            p.reading,
            p.confidence,
            p.face,
        )
        for n, p in enumerate(placed)
    ]


def ways(placements: Sequence[Placement]) -> list[str]:
    """The ways in which the tiles may lie, the likeliest first."""
    watch = LayoutWatch(may_be_set=lambda tiles: may_be_set_by(RULES, tiles))
    for _ in range(2):
        watch.add(placements)
    assert watch.adopted is not None
    reading = watch.adopted.laid_out.reading
    assert isinstance(reading, LayoutReading)
    return [reading.with_arrangement(n).text() for n in range(len(reading.arrangements))]


@pytest.mark.parametrize(
    ("words", "parted"),
    [
        ("R5 R6 R7 R8 K11 B11 J", ["R5 R6 R7 R8 | K11 B11 J"]),
        ("K1 B1 R1 K4 B4 R4 O8 O9 O10", ["K1 B1 R1 | K4 B4 R4 | O8 O9 O10"]),
        ("R4 R5 R6 R7 R7 R8 R9", ["R4 R5 R6 R7 | R7 R8 R9"]),
        # a set, or none in any parts
        ("R4 R5 R6 R7 R8 R9", []),
        ("R4 R5 R6 R8 R9 K1", []),
        ("K1 B1 R1 K4 B4", []),
    ],
)
def test_a_row_that_is_no_set_may_be_several_that_touch(words: str, parted: list[str]) -> None:
    assert ways(row(words)) == [words, *parted]


def test_a_part_that_faces_the_other_way_is_read_from_there() -> None:
    """Of the first three one tile alone tells which side they face, so that none is told by it."""
    words = "J O13 J K13 K12 K11"
    told = ways(row(words, upside_down=(3, 4, 5)))
    assert "K11 K12 K13 | J O13 J" in told[1:]


def test_a_photograph_accuses_nobody_of_sets_that_touch() -> None:
    """Of two such rows, either of which would be wrong by itself."""
    rows = ["R5 R6 R7 R8 K11 B11 J", "K1 B1 R1 O8 O9 O10"]
    tiles = [one for n, words in enumerate(rows) for one in row(words, y=100.0 + 400.0 * n)]
    pixels = np.zeros((960, 1280, 3), np.uint8)
    read = ReadPhotograph(Path("rows.jpg"), pixels, tuple(tiles), lay_out(tiles, "sets"))
    alone = read.ruling(RULES)
    assert alone is not None
    assert alone.verdict is Verdict.ILLEGAL
    ruling = read.by_facts(RULES).ruling(RULES)
    assert ruling is not None
    assert (ruling.verdict, {q.kind for q in ruling.questions}) == (Verdict.ASK, {"arrangement"})


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedTable]:
    """A game of two players that has just begun."""
    game = PlayedTable(tmp_path, StaticTable())
    try:
        game.begin("North", "South")
        yield game
    finally:
        game.session.close()


def answer(played: PlayedTable, row: str, option: int) -> None:
    """Lays a row, and says how it lies when that is asked."""
    played.table.lay(row)
    state = ruled(played, Verdict.ASK)
    assert state.ruling is not None
    (question,) = state.ruling.questions
    assert question.kind == "arrangement"
    played.session.answer_question(state.layout_sequence, 0, question.options[option])


def test_nobody_is_accused_before_they_said_which_tiles_lie_together(played: PlayedTable) -> None:
    answer(played, "R5 R6 R7 R8 K11 B11 O11", 1)
    assert ruled(played, Verdict.LEGAL).layout == "R5 R6 R7 R8 | K11 B11 O11"


def test_who_says_that_it_is_one_row_is_ruled_by_that(played: PlayedTable) -> None:
    answer(played, "R5 R6 R7 R7 R8 R9", 0)
    state = ruled(played, Verdict.ILLEGAL)
    assert state.ruling is not None
    assert "RUN_NUMBER_TWICE" in [finding.code for finding in state.ruling.findings]


def ruled(played: PlayedTable, verdict: Verdict) -> LiveState:
    return wait_until(
        played.session.board, lambda s: s.ruling is not None and s.ruling.verdict is verdict
    )


def test_what_was_answered_holds_in_the_turns_after(played: PlayedTable) -> None:
    touching, others = "R5 R6 R7 R8 K11 B11 O11", ["K10 B10 O10", "K12 B12 O12"]
    answer(played, touching, 1)
    ruled(played, Verdict.LEGAL)
    played.act("play")
    for number in (1, 2):
        played.table.lay(touching, *others[:number])
        wanted = " | ".join(["R5 R6 R7 R8 | K11 B11 O11", *others[:number]])
        state = wait_until(played.session.board, is_layout(wanted))
        assert state.ruling is not None
        assert state.ruling.verdict is Verdict.LEGAL
        played.act("play")
