"""Tiles of one set whose colour or number is in doubt are settled by one tap."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from conftest import LaidDashboard

TIMEOUT_MS = 45_000
NOT_ONE = "Not all of one colour"


def asked(laid: LaidDashboard, open_page: Callable[..., Page], width: int) -> Page:
    laid.table.lay("O5/R5 O6/R6 O7/R7")
    page = open_page(laid.url, width)
    expect(page.locator("#questions .question")).to_have_attribute(
        "aria-label",
        "Tiles 1, 2 and 3 of set 1: are they all orange or all red?",
        timeout=TIMEOUT_MS,
    )
    return page


@pytest.mark.parametrize("width", [390, 1280])
def test_one_tap_names_them_all(
    laid: LaidDashboard, open_page: Callable[..., Page], width: int
) -> None:
    page = asked(laid, open_page, width)
    options = page.locator("#questions .option")
    expect(options).to_contain_text(["all orange", "all red", NOT_ONE])
    expect(options.nth(1).get_by_role("img")).to_have_count(3)
    options.nth(1).click()
    expect(page.locator("#ruling")).to_have_attribute("data-verdict", "LEGAL", timeout=TIMEOUT_MS)
    expect(page.locator("#layout-text")).to_have_text("R5 R6 R7")


def test_whoever_sees_two_colours_is_asked_about_one_tile(
    laid: LaidDashboard, open_page: Callable[..., Page]
) -> None:
    page = asked(laid, open_page, 390)
    page.get_by_role("button", name=NOT_ONE).click()
    expect(page.locator("#questions .question")).to_contain_text("is it", timeout=TIMEOUT_MS)
    expect(page.locator("#turns [data-kind='question_answered']")).to_contain_text(
        "not all of one colour"
    )


def test_one_tap_tells_sixes_from_nines(
    laid: LaidDashboard, open_page: Callable[..., Page]
) -> None:
    laid.table.lay("K6/K9 B6/B9 R6/R9")
    page = open_page(laid.url, 390)
    options = page.locator("#questions .option")
    expect(options).to_contain_text(["all 6", "all 9", "Not all of one number"], timeout=TIMEOUT_MS)
    expect(options.nth(1).get_by_role("img")).to_have_count(3)
    options.nth(1).click()
    expect(page.locator("#layout-text")).to_have_text("R9 B9 K9", timeout=TIMEOUT_MS)
