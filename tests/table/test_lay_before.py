"""After a restart it is known which tiles lay there: one that is hidden is no tile that was taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.layout import Layout
from engine.referee import Verdict
from table.events import TableKept
from table.kept_tables import KeptTable
from table.lay_before import lay_before
from table.pictures import encode_jpeg
from tests.table.printed_table import LAID, PicturedGame, second_turn
from vision.frame import Frame


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PicturedGame]:
    """The second turn is under way, and legal."""
    with second_turn(tmp_path) as game:
        assert game.ruling_on(LAID).verdict is Verdict.LEGAL
        yield game


def test_a_tile_that_is_hidden_is_asked_about_before_a_restart_and_after(
    played: PicturedGame,
) -> None:
    played.printed.cover("O10")
    before = played.ruling_on("K10 B10 R10 O10? | K11 K12 K13")
    played.restart()
    after = played.ruling_on("K10 B10 R10 O10? | K11 K12 K13")
    assert before.verdict is after.verdict is Verdict.ASK
    assert [q.text for q in after.questions] == [q.text for q in before.questions]


def test_without_the_last_picture_the_one_before_tells(
    played: PicturedGame, tmp_path: Path
) -> None:
    played.act("play")
    max((tmp_path / "pictures").glob("*.jpg")).unlink()
    played.printed.cover("O10")
    played.restart()
    ruling = played.ruling_on("K10 B10 R10 O10? | K11 K12 K13")
    assert ruling.verdict is Verdict.ASK


def test_a_tile_that_was_taken_meanwhile_is_missed(played: PicturedGame) -> None:
    played.printed.take("O10")
    played.restart()
    ruling = played.ruling_on("K10 B10 R10 | K11 K12 K13")
    assert ruling.verdict is Verdict.ILLEGAL


def test_where_nothing_is_hidden_nothing_is_asked(played: PicturedGame) -> None:
    played.restart()
    assert played.ruling_on(LAID).verdict is Verdict.LEGAL


@pytest.mark.parametrize("damage", ["pushed", "no picture", "broken picture"])
def test_of_another_view_or_without_its_picture_nothing_is_known(
    played: PicturedGame, tmp_path: Path, damage: str
) -> None:
    if damage == "pushed":
        played.printed.push(50.0)
    for file in (tmp_path / "pictures").glob("*.jpg"):
        if damage == "no picture":
            file.unlink()
        elif damage == "broken picture":
            file.write_bytes(b"no picture")
    played.restart()
    assert played.ruling_on(LAID).verdict is Verdict.LEGAL


def test_a_tile_of_another_name_at_the_place_is_read_as_what_it_is(played: PicturedGame) -> None:
    played.printed.lay("K10 B10 R10 J", "K11 K12 K13")
    played.restart()
    assert played.ruling_on("K10 B10 R10 J | K11 K12 K13").verdict is Verdict.ILLEGAL


def test_a_kept_table_without_tiles_tells_nothing_of_what_lies_there() -> None:
    """As many of its tiles are found as it has, which is none: the camera may look elsewhere now."""
    pixels = np.full((48, 64, 3), 120, np.uint8)
    event = TableKept(1, "-", (), (), (64, 48), "1.jpg")
    kept = KeptTable(1, event, Layout(), (), encode_jpeg(pixels, 90))
    assert lay_before(kept, (), Frame(pixels, 0.0, 1, "drawn"), ()) == []
