"""The table before the turn on the page: shown on demand and after a turn was taken back."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.table.laid_table import StaticTable
from tests.web.contrast import colours_of, contrast

if TYPE_CHECKING:
    from conftest import LaidDashboard

OpenPage = Callable[..., Page]
OpenLaid = Callable[..., "Generator[LaidDashboard, None, None]"]
TIMEOUT_MS = 20_000
SIZES = [pytest.param((390, 844), id="phone"), pytest.param((1280, 800), id="desk")]


def end_turn(laid: LaidDashboard, *melds: str) -> None:
    """A turn ends with these sets on the table."""
    state = laid.lay(*melds)
    status, answer = laid.post(
        "/api/end-turn", {"layout_sequence": state.layout_sequence, "anyway": True}
    )
    assert status == 200, answer


@pytest.mark.parametrize("size", SIZES)
def test_the_table_before_is_shown_over_the_picture_till_it_lies_so_again(
    laid: LaidDashboard, open_page: OpenPage, size: tuple[int, int]
) -> None:
    end_turn(laid, "K10 B10 R10 O10")
    laid.lay("K10 B10 R10", "R3")
    page = open_page(laid.url, *size)
    expect(page.locator("#restore")).to_be_hidden()
    page.get_by_role("button", name="Show the table before the turn").click()
    items = page.locator("#restore-list li")
    expect(items).to_have_count(2, timeout=TIMEOUT_MS)
    said = [" ".join(text.split()) for text in items.all_inner_texts()]
    assert [text.partition("Orange")[2] for text in said[:1]] == [" 10 is missing here"]
    assert said[1].endswith("A tile too many: red 3")
    expect(page.locator("#restore-word")).to_have_text("2 things to put right.")
    expect(page.locator("#ghost .ghost-badge")).to_have_count(2)
    expect(page.locator("#ghost .ghost-tile.home")).to_have_count(3)
    clipped = page.locator("#ghost-clip polygon")
    expect(clipped).to_have_count(1)
    href = page.locator("#ghost image").get_attribute("href") or ""
    status, jpeg, headers = laid.send("GET", href)
    assert (status, jpeg[:2], headers["content-type"]) == (200, b"\xff\xd8", "image/jpeg")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    laid.lay("K10 B10 R10 O10")
    word = page.locator("#restore-word")
    expect(word).to_have_text("The table is as it was.", timeout=TIMEOUT_MS)
    expect(items).to_have_count(0)
    assert contrast(*colours_of(word)) >= 4.5
    page.get_by_role("button", name="Hide it").click()
    expect(page.locator("#restore")).to_be_hidden(timeout=TIMEOUT_MS)
    expect(page.locator("#ghost > *")).to_have_count(0)


def test_a_turn_that_was_taken_back_shows_it_by_itself(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    wish = {"preset": "pressman", "players": ["Ada", "Ben"], "house_rules": {}, "starter": "Ada"}
    assert laid.post("/api/game/begin", wish)[0] == 200
    laid.lay()
    laid.lay("K10 B10 R11")
    page = open_page(laid.url, 390, 844, until="#acts button")
    page.get_by_role("button", name="Take it back and draw 3").click()
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#restore")).to_be_visible(timeout=TIMEOUT_MS)
    expect(page.locator("#restore-word")).to_have_text("The table was empty.")
    expect(page.locator("#restore-list li")).to_have_count(3)
    laid.lay()
    expect(page.locator("#restore-word")).to_have_text(
        "The table is as it was.", timeout=TIMEOUT_MS
    )
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)


def test_after_a_restart_the_places_are_there_and_a_lost_picture_is_said_to_be(
    tmp_path: Path, open_laid: OpenLaid, open_page: OpenPage
) -> None:
    table = StaticTable()
    with closing(open_laid(tmp_path, table)) as opened:
        end_turn(next(opened), "K10 B10 R10")
    table.lay("K10 B10")
    with closing(open_laid(tmp_path, table)) as opened:
        laid = next(opened)
        laid.wait_until(lambda state: state.layout == "K10 B10")
        page = open_page(laid.url, 390, 844)
        page.get_by_role("button", name="Show the table before the turn").click()
        expect(page.locator("#restore-note")).to_contain_text(
            "picture is not there any more", timeout=TIMEOUT_MS
        )
        expect(page.locator("#restore-list li")).to_contain_text("Red 10 is missing here")
        expect(page.locator("#ghost .ghost-face")).to_have_text("R10")
        expect(page.locator("#ghost image")).to_have_count(0)


def test_the_picture_of_a_table_is_fetched_once_and_told_by_its_number(laid: LaidDashboard) -> None:
    end_turn(laid, "K10 B10 R10")
    status, answer = laid.post("/api/restore", {"show": True})
    assert status == 200, answer
    restore = answer["state"]["restore"]
    assert (restore["why"], restore["layout"], restore["as_it_was"]) == (
        "asked",
        "K10 B10 R10",
        True,
    )
    address = f"/api/restore.jpg?table={restore['picture']}"
    status, _, headers = laid.send("GET", address)
    assert (status, headers["cache-control"]) == (200, "private, max-age=3600")
    again = laid.send("GET", address, headers={"If-None-Match": headers["etag"]})
    assert (again[0], again[1]) == (304, b"")
    status, _, headers = laid.send("GET", "/api/restore.jpg?table=999999")
    assert (status, headers["cache-control"]) == (404, "no-store")
    assert laid.send("GET", "/api/restore.jpg?table=x")[0] == 400


def test_where_no_table_before_is_known_nothing_is_offered(laid: LaidDashboard) -> None:
    assert laid.get("/api/state")["restore"]["offered"] is False
    status, answer = laid.post("/api/restore", {"show": True})
    assert (status, answer["error"]) == (409, "nothing_kept")
    assert laid.post("/api/restore", {})[0] == 400
