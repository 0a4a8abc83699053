"""Tiles that may stand on a rack are shown, and one tap settles it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.web.begun_game import BOUNCE_MS

if TYPE_CHECKING:
    from conftest import LaidDashboard

TIMEOUT_MS = 45_000


@pytest.mark.parametrize("width", [390, 1280])
def test_one_tap_leaves_a_rack_out(
    laid: LaidDashboard, open_page: Callable[..., Page], width: int
) -> None:
    laid.table.racks = {2}
    laid.table.lay("K7 B7 R7", "", "K1 B4 R9 O12")
    page = open_page(laid.url, width)
    question = page.locator("#questions .question")
    expect(question).to_contain_text(
        "Do the 4 tiles from the black 1 to the orange 12 stand on a rack", timeout=TIMEOUT_MS
    )
    expect(question.locator(".tiles-line").get_by_role("img")).to_have_count(4)
    expect(question.locator(".piece polygon.line")).to_have_count(4)
    expect(page.locator("#marks .mark.doubt")).to_have_count(4)
    question.get_by_role("button", name="On a rack").click()
    expect(page.locator("#ruling")).to_have_attribute("data-verdict", "LEGAL", timeout=TIMEOUT_MS)
    expect(page.locator("#layout-text")).to_have_text("K7 B7 R7")
    expect(page.locator("#turns [data-kind='question_answered']")).to_contain_text("on a rack")


@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_left_out_is_shown_and_can_be_asked_about_again(
    laid: LaidDashboard, open_page: Callable[..., Page], width: int
) -> None:
    laid.table.racks = {2}
    laid.table.lay("K7 B7 R7", "", "K1 B4 R9 O12")
    page = open_page(laid.url, width)
    asked, left_out = page.locator("#questions .question"), page.locator("#left-out")
    on_rack = asked.get_by_role("button", name="On a rack")
    expect(on_rack).to_be_visible(timeout=TIMEOUT_MS)
    expect(left_out).to_be_hidden()
    on_rack.click()
    told = "4 places are left out: tiles on racks, or no tiles."
    expect(left_out).to_contain_text(told, timeout=TIMEOUT_MS)
    expect(page.locator("#marks .mark.out")).to_have_count(4)
    page.wait_for_timeout(BOUNCE_MS)
    left_out.get_by_role("button", name="Ask me again").click()
    expect(on_rack).to_be_visible(timeout=TIMEOUT_MS)
    expect(page.locator("#marks .mark.out")).to_have_count(0)
    page.wait_for_timeout(BOUNCE_MS)
    asked.get_by_role("button", name="On the table").click()
    expect(page.locator("#ruling")).to_have_attribute("data-verdict", "ILLEGAL", timeout=TIMEOUT_MS)
    expect(left_out).to_contain_text("What was said of racks, and of what is no tile, holds.")
    expect(page.locator("#turns [data-kind='places_forgotten']")).to_contain_text(
        "asked about again"
    )


def test_in_a_game_a_rack_is_asked_about_before_anything_is_laid(
    laid: LaidDashboard, open_page: Callable[..., Page]
) -> None:
    laid.table.racks = {3}
    laid.table.lay("", "", "", "K1 B4 R9 O12")
    page = open_page(laid.url, 390)
    wish = {"preset": "pressman", "players": ["Ada", "Ben"], "house_rules": {}, "starter": "Ada"}
    assert laid.post("/api/game/begin", wish)[0] == 200
    asked = page.locator("#ask-questions .question")
    expect(asked).to_contain_text("stand on a rack", timeout=TIMEOUT_MS)
    asked.get_by_role("button", name="On a rack").click()
    expect(page.locator("#acts .primary")).to_contain_text("Ada drew", timeout=TIMEOUT_MS)
