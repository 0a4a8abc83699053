"""What a tile of the table before was is settled by one tap, where it was in doubt then."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.web.begun_game import BOUNCE_MS

if TYPE_CHECKING:
    from conftest import LaidDashboard

TIMEOUT_MS = 45_000
WHAT_WAS = (
    "When this turn began, what was tile 4 of the set that began with the black 5:"
    " black 8 or no tile?"
)


@pytest.mark.parametrize("width", [390, 1280])
def test_one_tap_says_that_it_never_lay_there(
    laid: LaidDashboard, open_page: Callable[..., Page], width: int
) -> None:
    laid.table.lay("R7 R8 R9", "K5 K6 K7 K8!")
    page = open_page(laid.url, width)
    verdict = page.locator("#ruling")
    expect(verdict).to_contain_text("7 tiles", timeout=TIMEOUT_MS)
    expect(verdict).to_have_attribute("data-verdict", "LEGAL")
    page.get_by_role("button", name="End turn").click()
    expect(page.locator("#turn-now")).to_have_text("Turn 2", timeout=TIMEOUT_MS)
    laid.table.lay("R7 R8 R9", "K5 K6 K7", "B1 B2 B3")
    asked = page.locator("#questions .question")
    expect(asked).to_have_attribute("aria-label", WHAT_WAS, timeout=TIMEOUT_MS)
    options = asked.locator(".option")
    expect(options).to_contain_text(["black 8", "no tile"])
    expect(options.first.get_by_role("img")).to_have_count(1)
    page.wait_for_timeout(BOUNCE_MS)
    options.nth(1).click()
    expect(asked).to_have_attribute("aria-label", re.compile("initial meld"), timeout=TIMEOUT_MS)
    page.wait_for_timeout(BOUNCE_MS)
    asked.get_by_role("button", name="Yes").click()
    expect(verdict).to_have_attribute("data-verdict", "LEGAL", timeout=TIMEOUT_MS)
