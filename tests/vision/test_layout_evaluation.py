"""Tables whose melds are known, and what a layout reader makes of them."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from engine.layout import LayoutReading
from vision.evaluation import LabelError, Labelled, LabelledPhotograph, load_labels
from vision.layout_evaluation import (
    MELDS,
    Figures,
    Outcome,
    evaluate,
    figures_text,
    main,
    outcome,
)
from vision.layout_photographs import laid_photograph, load_melds
from vision.layout_reader import LaidOut, read_layout
from vision.photographs import load_photograph
from vision.placements import Placement
from vision.reader import open_table_reader
from vision.rendering.known_layouts import KnownLayout, sample_layout
from vision.rendering.layout_kinds import BETWEEN_ROWS, IN_ROW, KINDS, Pose, goes_on

SHARED = Path(
    os.environ.get("MELDWATCH_SHARED", Path(__file__).resolve().parents[2].parent / "shared")
)
PHOTOGRAPHS = SHARED / "photos" / "test.json"

UNSETTLED = {"strewn", "stacked", "false tiles", "undecided", "near in line", "from both sides"}
LAID = sorted({*KINDS} - UNSETTLED)
"""Kinds in which whoever looks can tell the rows, each by itself."""


def as_one_row(placements: Sequence[Placement]) -> LaidOut:
    """A reader that takes everything for one row."""
    row = tuple(range(len(placements)))
    return LaidOut(LayoutReading(tuple(p.reading for p in placements), ((row,),)), row)


def unsure(placements: Sequence[Placement]) -> LaidOut:
    """A reader that holds two things possible: one row, or loose tiles."""
    row = tuple(range(len(placements)))
    loose = tuple((k,) for k in row)
    reading = LayoutReading(tuple(p.reading for p in placements), ((row,), loose))
    return LaidOut(reading, row)


def known(*rows: tuple[tuple[int, ...], ...]) -> KnownLayout:
    """Rows of pieces of numbered tiles; where they lie does not matter."""
    count = sum(len(piece) for row in rows for piece in row)
    some = sample_layout("evening", 1).placements[:count]
    return KnownLayout("rows", some, rows)


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_is_the_same_for_the_same_seed_and_another_for_another(kind: str) -> None:
    first, again, other = (sample_layout(kind, seed) for seed in (3, 3, 4))
    assert first.rows == again.rows
    quads = [np.array([p.quad_xy for p in table.placements]) for table in (first, again, other)]
    assert np.array_equal(quads[0], quads[1])
    assert quads[0].shape != quads[2].shape or not np.array_equal(quads[0], quads[2])


@pytest.mark.parametrize("kind", KINDS)
def test_every_tile_of_a_table_belongs_to_one_row(kind: str) -> None:
    table = sample_layout(kind, 5)
    tiles = sorted(k for row in table.rows for piece in row for k in piece)
    assert tiles == list(range(len(table.placements)))


@pytest.mark.parametrize("kind", sorted({*LAID} - {"turned tiles"}))
def test_rows_are_laid_so_that_whoever_looks_can_tell_them(kind: str) -> None:
    """Neighbours keep within the one limit, tiles of different rows beyond the other, but for what
    sloppy hands and jitter of a finder add."""
    rng = np.random.default_rng(7)
    rows = KINDS[kind](rng)
    within = replace(IN_ROW, gap=IN_ROW.gap + 0.12, step=IN_ROW.step + 0.2)
    between = replace(BETWEEN_ROWS, gap=BETWEEN_ROWS.gap - 0.06)
    for number, row in enumerate(rows):
        assert all(goes_on(a, b, within) for a, b in pairwise(row))
        others = [tile for other in rows[:number] for tile in other]
        assert not any(goes_on(a, b, between) for a in row for b in others)


def test_a_tile_at_a_right_angle_does_not_go_on() -> None:
    tile = Pose(0, 0, 0)
    assert goes_on(tile, Pose(30, 0, 0), IN_ROW)
    assert goes_on(tile, Pose(30, 0, math.pi), IN_ROW)
    assert not goes_on(tile, Pose(32, 0, math.pi / 2), BETWEEN_ROWS)


def test_an_arrangement_is_right_when_every_row_is_as_laid() -> None:
    table = known(((0, 1, 2),), ((3,),))
    assert table.is_arrangement([(0, 1, 2), (3,)])
    assert not table.is_arrangement([(0, 1), (2,), (3,)])
    assert not table.is_arrangement([(2, 1, 0), (3,)])
    assert not table.is_arrangement([(0, 1, 2, 3)])


def test_a_row_with_an_unseen_tile_may_come_as_one_or_as_its_pieces() -> None:
    table = known(((0, 1), (2,), (3, 4)))
    assert table.is_arrangement([(0, 1, 2, 3, 4)])
    assert table.is_arrangement([(0, 1), (2,), (3, 4)])
    assert table.is_arrangement([(0, 1), (2, 3, 4)])
    assert not table.is_arrangement([(0,), (1, 2), (3, 4)])


def test_what_is_wrong_and_not_asked_is_silent() -> None:
    loose, row = known(((0,),), ((1,),)), known(((0, 1),))
    assert outcome(row, as_one_row(row.placements)) == Outcome(True, True, asked=False)
    assert outcome(loose, as_one_row(loose.placements)).silent
    assert outcome(loose, unsure(loose.placements)) == Outcome(False, True, asked=True)
    assert not outcome(loose, unsure(loose.placements)).silent


def test_figures_are_shares_of_tables() -> None:
    figures = Figures.of(
        [
            Outcome(True, True, asked=False),
            Outcome(True, True, asked=True),
            Outcome(False, True, asked=True),
            Outcome(False, False, asked=False),
        ]
    )
    assert figures == Figures(4, 0.5, 0.75, silent=0.25, asked=0.5, needless=0.25)
    with pytest.raises(ValueError, match="no table"):
        Figures.of([])


@pytest.mark.parametrize("kind", LAID)
def test_no_laid_table_is_misread_silently(kind: str) -> None:
    outcomes = evaluate([kind], 8, seed=11)[kind]
    assert not any(o.silent for o in outcomes)
    assert sum(o.first for o in outcomes) >= 7


def test_sets_that_hardly_lie_apart_are_told_by_how_near_their_own_tiles_lie() -> None:
    outcomes = evaluate(["near in line"], 12, seed=11)["near in line"]
    assert sum(o.first for o in outcomes) >= 9
    assert sum(o.offered for o in outcomes) >= 11


@pytest.mark.parametrize("kind", ["strewn", "stacked", "false tiles", "undecided"])
def test_where_nobody_could_be_sure_the_reader_asks(kind: str) -> None:
    outcomes = evaluate([kind], 8, seed=11)[kind]
    assert sum(o.silent for o in outcomes) <= 1


def test_the_command_prints_a_line_for_each_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tables", "2", "--seed", "3", "--kind", "fans", "--kind", "steps"]) == 0
    printed = capsys.readouterr().out
    assert printed.strip() == figures_text(evaluate(["fans", "steps"], 2, seed=3))
    assert [line.split()[0] for line in printed.splitlines()] == ["kind", "fans", "steps", "all"]


@pytest.mark.parametrize("arguments", [["--tables", "0"], ["--kind", "heap"], ["--steepest", "80"]])
def test_wrong_arguments_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "error" in capsys.readouterr().err


def test_a_steeper_view_shows_the_same_table_otherwise() -> None:
    plain, steep = (sample_layout("rows", 3, degrees) for degrees in (0.0, 65.0))
    assert plain.rows == steep.rows
    sizes = [
        np.ptp([np.ptp(p.quad_xy, axis=0).min() for p in t.placements]) for t in (plain, steep)
    ]
    assert sizes[1] > 2 * sizes[0]


def test_labels_are_put_on_what_was_found_in_their_boxes() -> None:
    placements = sample_layout("rows", 1).placements[:2]
    boxes = [(*p.quad_xy.min(axis=0), *np.ptp(p.quad_xy, axis=0)) for p in placements]
    tiles = (Labelled.of_box("K7", *map(float, boxes[0])),)
    photo = LabelledPhotograph("a.jpg", "rummikub", "drawn", 1280, 960, tiles)
    laid = laid_photograph(photo, (("K7", ""),), placements)
    assert laid.labels == ("K7", "")
    assert laid.is_arrangement([(0, 1)])
    assert not laid.is_arrangement([(0,), (1,)])


def test_melds_that_cannot_be_read_are_an_error(tmp_path: Path) -> None:
    file = tmp_path / "melds.json"
    for text in ("", "[]", '{"a.jpg": 1}', '{"a.jpg": "K99"}'):
        file.write_text(text, "utf-8")
        with pytest.raises(LabelError, match=r"melds\.json"):
            load_melds(file)


def test_the_melds_of_photographs_are_of_two_tiles_or_more() -> None:
    melds = load_melds(MELDS)
    assert len(melds) == 29
    assert all(len(meld) > 1 for each in melds.values() for meld in each)


def test_photographs_of_sets_come_out_as_they_lie() -> None:
    if not PHOTOGRAPHS.is_file():
        pytest.skip("the published photographs do not lie beside this checkout")
    melds, reader = load_melds(MELDS), open_table_reader()
    wanted = {"tiles_rummy-1.jpg", "tiles_rummy-33.jpg", "tiles_rummy-36.jpg"}
    photos = [p for p in load_labels(PHOTOGRAPHS) if Path(p.image).name in wanted]
    assert len(photos) == 3
    for photo in photos:
        placements = reader.read(load_photograph(PHOTOGRAPHS.parent / photo.image))
        laid = laid_photograph(photo, melds[Path(photo.image).name], placements)
        assert outcome(laid, read_layout(placements)) == Outcome(True, True, asked=False)
