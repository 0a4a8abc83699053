"""Which tiles lie together is asked of one row at a time: a tap settles it, and its tiles stand out."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.table.gapped_table import LONG, GappedTable
from tests.web.begun_game import BOUNCE_MS

if TYPE_CHECKING:
    from conftest import LaidDashboard

TIMEOUT_MS = 45_000


@pytest.mark.parametrize("width", [390, 1280])
def test_two_taps_settle_two_rows(
    tmp_path: Path,
    open_page: Callable[..., Page],
    open_laid: Callable[..., Generator[LaidDashboard, None, None]],
    width: int,
) -> None:
    with closing(open_laid(tmp_path, GappedTable())) as opened:
        laid = next(opened)
        laid.table.lay(*LONG)
        page = open_page(laid.url, width)
        options = page.locator("#questions .option")
        for asked in range(2):
            expect(options).to_have_count(2, timeout=TIMEOUT_MS)
            expect(page.locator("#marks .mark.doubt")).to_have_count(5)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            two_sets, one_set = options.all()
            expect(two_sets.locator(".meld-in-text")).to_have_count(2)
            expect(one_set.locator(".meld-in-text")).to_have_count(1)
            one_set.click()
            expect(page.locator("#melds .meld")).to_have_count(3 - asked)
            page.wait_for_timeout(BOUNCE_MS)
        expect(page.locator("#ruling")).to_have_attribute(
            "data-verdict", "LEGAL", timeout=TIMEOUT_MS
        )
        expect(options).to_have_count(0)
        expect(page.locator("#marks .mark.doubt")).to_have_count(0)
