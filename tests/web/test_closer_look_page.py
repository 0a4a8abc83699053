"""While a closer look is taken at what is in doubt, the page says so beside the question."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from table.closer_look import CloserLook
from tests.table.close_reader import CloseReader
from tests.table.laid_table import StaticTable

if TYPE_CHECKING:
    from conftest import LaidDashboard

TIMEOUT_MS = 45_000


@pytest.mark.parametrize("width", [390, 1280])
def test_a_question_that_may_answer_itself_is_told_as_that(
    tmp_path: Path,
    open_page: Callable[..., Page],
    open_laid: Callable[..., Generator[LaidDashboard, None, None]],
    width: int,
) -> None:
    read = CloseReader("K6 K7 K8")
    read.may_end.clear()
    look = CloserLook(read)
    try:
        with closing(open_laid(tmp_path, StaticTable(), closer_look=look)) as opened:
            laid = next(opened)
            laid.table.lay("K6/B6 K7 K8")
            page = open_page(laid.url, width)
            expect(page.locator("#camera-word")).to_have_text("Looking closer", timeout=TIMEOUT_MS)
            expect(page.locator("#summary")).to_have_text(
                "The camera takes a closer look, which may answer this."
            )
            expect(page.locator("#questions .option")).to_have_count(2)
            read.may_end.set()
            ruling = page.locator("#ruling")
            expect(ruling).to_have_attribute("data-verdict", "LEGAL", timeout=TIMEOUT_MS)
            expect(page.locator("#camera-word")).to_have_text("Live", timeout=TIMEOUT_MS)
            expect(page.locator("#questions .option")).to_have_count(0)
    finally:
        read.may_end.set()
        look.close()
