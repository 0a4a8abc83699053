"""Racks that are typed when a round ends, and what an empty field means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, Route, expect

from tests.web.begun_game import PHONE, TIMEOUT_MS, OpenPage, begin, end_the_round, phone

if TYPE_CHECKING:
    from conftest import LaidDashboard


def over(laid: LaidDashboard, open_page: OpenPage, second: str = "Ben") -> tuple[Page, Locator]:
    """The page on a phone where Ada is out and racks are to be told; and that of the second player."""
    begin(laid, "Ada", second, "Cleo")
    page = phone(open_page, laid)
    end_the_round(laid)
    rack = page.locator(f"[data-player='{second}']")
    expect(rack).to_be_visible(timeout=TIMEOUT_MS)
    return page, rack


def read_rack(laid: LaidDashboard, open_page: OpenPage) -> tuple[Page, Locator]:
    """The page on a phone where Ada is out and Ben's rack was told; and that rack, to be told anew."""
    page, bens = over(laid, open_page)
    assert laid.post("/api/game/rack", {"player": "Ben", "tiles": "R1 R2"})[0] == 200
    expect(bens.locator(".rack-sum")).to_contain_text("2 tiles; 3 points.", timeout=TIMEOUT_MS)
    bens.get_by_text("Say it again").click()
    return page, bens


def test_nothing_typed_takes_no_rack_away(laid: LaidDashboard, open_page: OpenPage) -> None:
    page, bens = read_rack(laid, open_page)
    before = laid.log.last_sequence()
    for typed in ("", "  ", " , "):
        bens.get_by_role("textbox").fill(typed)
        bens.get_by_role("button", name="Take it").click()
        expect(page.locator("#ask-sure-title")).to_have_text("Does Ben hold no tile at all?")
        expect(page.locator("#ask-sure-text")).to_contain_text(
            "what stands there is forgotten (2 tiles)"
        )
        page.locator("#ask-sure-no").click()
        expect(bens.locator(".action-answer")).to_have_text(
            "Type the tiles that Ben holds, such as K7 R10 J."
        )
    expect(bens.locator(".rack-sum")).to_contain_text("2 tiles; 3 points.")
    assert laid.log.last_sequence() == before


def test_a_player_who_holds_nothing_is_told_so_by_the_answer(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page, bens = read_rack(laid, open_page)
    bens.get_by_role("button", name="Take it").click()
    page.locator("#ask-sure-yes").click()
    expect(bens.locator(".rack-sum")).to_contain_text("0 tiles; 0 points.", timeout=TIMEOUT_MS)
    cleos = page.locator("[data-player='Cleo']")
    cleos.get_by_role("button", name="Take it").click()
    expect(page.locator("#ask-sure-text")).to_have_text(
        "Nothing was typed. If it is so, the rack counts as empty."
    )


def test_yellow_tiles_are_those_that_the_notation_calls_orange(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    _, bens = read_rack(laid, open_page)
    bens.get_by_label("O or Y orange").fill("y7, k1 Y13")
    bens.get_by_role("button", name="Take it").click()
    expect(bens.locator(".rack-sum")).to_contain_text("3 tiles; 21 points.", timeout=TIMEOUT_MS)
    tiles = bens.locator(".rack-tiles .tile-button")
    assert [tile.get_attribute("data-label") for tile in tiles.all()] == ["O7", "K1", "O13"]


def test_of_two_phones_that_tell_one_rack_the_later_one_is_told_and_keeps_what_was_typed(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page, bens = over(laid, open_page)
    page.route("**/api/game/rack", lambda route: _after_the_other(laid, route))
    bens.get_by_role("textbox").fill("O9 O10")
    bens.get_by_role("button", name="Take it").click()
    expect(bens.locator(".action-answer")).to_contain_text(
        "the rack of Ben is another one now", ignore_case=True, timeout=TIMEOUT_MS
    )
    expect(bens.locator(".rack-sum")).to_contain_text("2 tiles; 3 points.")
    expect(bens.get_by_role("textbox")).to_have_value("O9 O10")
    expect(bens.get_by_role("textbox")).to_be_visible()


def _after_the_other(laid: LaidDashboard, route: Route) -> None:
    """Another phone is quicker by as long as a press takes."""
    rack = {"player": "Ben", "tiles": "R1 R2", "shown": []}
    assert laid.post("/api/game/rack", rack)[0] == 200
    route.continue_()


def test_what_is_typed_stays_in_sight_when_the_rack_is_told_elsewhere(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    _, bens = over(laid, open_page)
    field = bens.get_by_role("textbox")
    field.fill("O9")
    assert laid.post("/api/game/rack", {"player": "Ben", "tiles": "R1 R2"})[0] == 200
    expect(bens.locator(".rack-sum")).to_contain_text("2 tiles", timeout=TIMEOUT_MS)
    expect(field).to_be_visible()
    expect(field).to_have_value("O9")


def test_a_long_name_without_a_blank_makes_no_page_wider(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page, _ = over(laid, open_page, "Donaudampfschifffahrtsgesellschaftskapit")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
