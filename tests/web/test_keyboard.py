"""The table's page by keyboard alone: what had the focus is gone, and the focus is not lost with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.web.begun_game import TIMEOUT_MS, OpenPage, begin, end_the_round

if TYPE_CHECKING:
    from conftest import LaidDashboard

TABS = 12
"""More than the small dialogs have controls."""


def focused(page: Page) -> str:
    """What has the focus, by its name in the page."""
    return str(page.evaluate("document.activeElement.id || document.activeElement.tagName"))


def press(page: Page, button: str) -> None:
    """Brings the focus to a button, and presses it."""
    page.get_by_role("button", name=button).focus()
    page.keyboard.press("Enter")


def test_where_an_act_is_done_the_focus_goes_to_what_is_asked_next(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, until="#acts button")
    laid.lay("K10 B10 R11")
    press(page, "Take it back and draw 3")
    page.locator("#ask-sure-yes").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#ask-text")).to_have_text("Put the table back as it was.")
    expect(page.locator("#ask-text")).to_be_focused(timeout=TIMEOUT_MS)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.act") == "table_is_back"


def test_what_is_gone_when_a_dialog_closes_gives_the_focus_to_its_part_of_the_page(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, until="#acts button")
    laid.lay("K10 B10 R11")
    press(page, "Let it stand")
    expect(page.locator("#ask-name")).to_be_visible()
    laid.lay()
    expect(page.get_by_role("button", name="Let it stand")).to_have_count(0, timeout=TIMEOUT_MS)
    page.keyboard.press("Escape")
    expect(page.locator("#ask-text")).to_be_focused(timeout=TIMEOUT_MS)


def test_the_focus_stays_with_the_table_before_the_turn(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, until="#acts button")
    press(page, "Show the table before the turn")
    expect(page.locator("#restore-hide")).to_be_focused(timeout=TIMEOUT_MS)
    page.keyboard.press("Enter")
    expect(page.locator("#restore-ask")).to_be_focused(timeout=TIMEOUT_MS)


def test_what_a_finger_pressed_does_not_take_the_focus(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    """Space on the table would then press it, or read out what nobody asked for."""
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, until="#acts button")
    page.get_by_role("button", name="Show the table before the turn").click()
    expect(page.locator("#restore")).to_be_visible(timeout=TIMEOUT_MS)
    assert focused(page) == "BODY"


@pytest.mark.parametrize(
    ("opener", "dialog"), [("#end-turn", "ask-end"), ("#new-round", "ask-round")]
)
def test_a_dialog_keeps_the_focus_and_gives_it_back(
    laid: LaidDashboard, open_page: OpenPage, opener: str, dialog: str
) -> None:
    laid.lay("K10 B10 R11")
    page = open_page(laid.url)
    expect(page.locator("#verdict")).to_have_text("Not legal", timeout=TIMEOUT_MS)
    page.locator(opener).focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#{dialog}")).to_be_visible()
    inside = []
    for _ in range(TABS):
        page.keyboard.press("Tab")
        inside.append(page.evaluate("document.activeElement.closest('dialog')?.id ?? ''"))
    assert set(inside) <= {dialog, ""}, "the browser itself is between the last and the first"
    assert inside.count(dialog) >= TABS // 2
    page.keyboard.press("Escape")
    expect(page.locator(opener)).to_be_focused()


def test_a_ruling_is_announced_with_the_turn_that_stands_on_the_page(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    assert laid.post("/api/game/rack", {"player": "Ben", "tiles": "R1 R2"})[0] == 200
    laid.lay()
    for act in ({"act": "count_as_shown"}, {"act": "starter", "player": "Ada"}):
        sequence = laid.get("/api/state")["game"]["sequence"]
        assert laid.post("/api/game/act", act | {"sequence": sequence})[0] == 200
    page = open_page(laid.url, until="#acts button")
    laid.lay("K10 B10 R10")
    expect(page.locator("#announcement")).to_contain_text("Legal", timeout=TIMEOUT_MS)
    assert laid.get("/api/state")["turn"] > 1
    expect(page.locator("#game-where")).to_contain_text("Round 2, turn 1,")
    expect(page.locator("#announcement")).to_contain_text("Turn 1: Legal.")


def test_the_green_button_is_named_as_it_reads_and_no_empty_list_is_below_it(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(laid.url, until="#end-turn")
    expect(page.locator("#end-turn")).to_have_accessible_name("End turn")
    begin(laid, "Ada", "Ben")
    expect(page.locator("#acts .primary")).to_have_accessible_name(
        "Ada drew a tile", timeout=TIMEOUT_MS
    )
    expect(page.locator("#ask-rests")).to_be_hidden()
    assert page.locator("#game").get_by_role("list").evaluate_all("all => all.map(e => e.id)") == [
        "seats"
    ]
