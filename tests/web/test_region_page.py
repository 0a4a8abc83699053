"""Saying where the table is: on the page with a finger, a mouse or keys, and by the interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.table.racked_table import GROWING, lay_before_a_rack

if TYPE_CHECKING:
    from conftest import Dashboard, LaidDashboard

OpenPage = Callable[..., Page]
WHOLE = [[0, 0], [1, 0], [1, 1], [0, 1]]
ABOVE = [[0, 0], [1, 0], [1, 0.42], [0, 0.42]]
"""The first two rows of a laid table."""
MELDS = ("K7 B7 R7", "B3 B4 B5", "O1 K2 K9 B1")
KEPT = "K7 B7 R7 | B3 B4 B5"


def corners_of(dashboard: Dashboard) -> list[list[float]]:
    found: list[list[float]] = dashboard.get("/api/state")["region"]["corners"]
    return found


def middle_of(corner: Locator) -> tuple[float, float]:
    box = corner.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, corner: int, x: float, y: float) -> None:
    """Drags a corner to a place, in parts of the picture's width and height."""
    handle = page.locator(f"[data-corner='{corner}']")
    box = page.locator("#picture").bounding_box()
    assert box is not None
    page.mouse.move(*middle_of(handle))
    page.mouse.down()
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=3)
    page.mouse.up()


def saved(page: Page, dashboard: LaidDashboard) -> list[list[float]]:
    page.locator("#region-save").click()
    expect(page.locator("#region-editor")).to_be_hidden()
    return corners_of(dashboard)


def test_a_corner_that_is_dragged_on_a_phone_is_kept_and_what_is_beside_it_is_not_read(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    laid.lay(*MELDS)
    page = open_page(laid.url, 390, 844)
    page.locator("#region-edit").click()
    drag(page, 2, 1.0, 0.45)
    drag(page, 3, 0.02, 0.42)
    corners = saved(page, laid)
    assert corners[2] == pytest.approx([1.0, 0.45], abs=0.01)
    assert corners[3] == pytest.approx([0.02, 0.42], abs=0.01)
    laid.wait_until(lambda state: state.layout == KEPT)
    expect(page.locator("#region .beside")).to_have_count(4)
    expect(page.locator("#region-now")).to_contain_text("4 tiles beside it are not read")
    page.reload()
    expect(page.locator("#region-now")).to_contain_text("set by hand")
    assert corners_of(laid) == corners


def test_corners_are_large_enough_for_fingers_and_reach_the_picture_edge_on_a_phone(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    laid.lay(*MELDS)
    page = open_page(laid.url, 390, 844, has_touch=True)
    page.locator("#region-edit").tap()
    for corner in page.locator(".corner").all():
        box = corner.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        x, y = middle_of(corner)
        at = f"document.elementFromPoint({x}, {y}).dataset.corner ?? ''"
        assert page.evaluate(at) == corner.get_attribute("data-corner")
    for button in page.locator("#region-editor button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_corner_goes_with_the_arrow_keys_and_says_where_it_is(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    laid.lay(*MELDS)
    page = open_page(laid.url)
    page.locator("#region-edit").focus()
    page.keyboard.press("Enter")
    first = page.locator("[data-corner='0']")
    expect(first).to_be_focused()
    expect(first).to_have_accessible_name("Top left corner, 0 % from the left, 0 % from above")
    for key in ("Shift+ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(first).to_have_accessible_name("Top left corner, 6 % from the left, 5 % from above")
    page.keyboard.press("ArrowUp")
    assert saved(page, laid)[0] == pytest.approx([0.06, 0.04])


def test_what_is_no_table_is_refused_in_words_and_the_corners_stay_to_be_mended(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    laid.lay(*MELDS)
    page = open_page(laid.url)
    page.locator("#region-edit").click()
    drag(page, 0, 0.9, 0.9)
    page.locator("#region-save").click()
    expect(page.locator("#action-answer")).to_contain_text("inside the others")
    expect(page.locator("#region-editor")).to_be_visible()
    assert corners_of(laid) == WHOLE
    drag(page, 0, 0.1, 0.1)
    assert saved(page, laid)[0] == pytest.approx([0.1, 0.1], abs=0.01)


def test_the_whole_picture_is_one_press_away_and_leaving_it_changes_nothing(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    laid.lay(*MELDS)
    status, _ = laid.post("/api/region", {"corners": ABOVE, "sequence": 0})
    assert status == 200
    page = open_page(laid.url)
    page.locator("#region-edit").click()
    page.locator("#region-whole").click()
    page.locator("#region-cancel").click()
    assert corners_of(laid) == ABOVE
    page.locator("#region-edit").click()
    expect(page.locator("#region-found")).to_be_disabled()
    page.locator("#region-whole").click()
    assert saved(page, laid) == WHOLE
    expect(page.locator("#region-now")).to_have_text("The whole picture is read as the table.")


@pytest.mark.parametrize(
    ("button", "origin"), [("#region-take", "found"), ("#region-refuse", "whole picture")]
)
def test_a_table_that_was_found_is_taken_or_refused_with_one_press(
    laid: LaidDashboard, open_page: OpenPage, button: str, origin: str
) -> None:
    for melds in GROWING:
        lay_before_a_rack(laid.table, *melds)
        laid.wait_until(lambda state, last=melds[-1]: last in (state.layout or ""))
    page = open_page(laid.url, 390, 844)
    expect(page.locator("#region .found")).to_have_count(1)
    expect(page.locator("#region-take")).to_have_text("Use what was found")
    assert corners_of(laid) == WHOLE
    page.locator(button).click()
    expect(page.locator("#region-take")).to_be_hidden()
    expect(page.locator("#region-refuse")).to_be_hidden()
    region = laid.get("/api/state")["region"]
    assert (region["origin"], region["by"]) == (origin, "person")


def test_tiles_that_the_last_turn_left_on_the_table_are_named_when_they_are_beside_it(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    state = laid.lay("K7 B7 R7", "B3 B4 B5", "O1 O2 O3")
    laid.session.end_turn(state.layout_sequence)
    page = open_page(laid.url)
    laid.post("/api/region", {"corners": ABOVE, "sequence": 0})
    expect(page.locator("#region-asks")).to_contain_text("beside it now: O1 O2 O3")


@pytest.mark.parametrize(
    ("wish", "status", "error", "why"),
    [
        ({"corners": WHOLE}, 400, "bad_request", "sequence is missing"),
        ({"corners": "whole", "sequence": 0}, 400, "bad_request", "array"),
        ({"corners": WHOLE[:3], "sequence": 0}, 400, "not_understood", "four corners"),
        ({"corners": [*WHOLE[:3], [0, "1"]], "sequence": 0}, 400, "not_understood", "two numbers"),
        ({"corners": [*WHOLE[:3], [0, 1.5]], "sequence": 0}, 400, "not_understood", "outside"),
        ({"corners": [*WHOLE[:3], [0, float("nan")]], "sequence": 0}, 400, "", "outside"),
        ({"corners": [[0, 0], [1, 1], [1, 0], [0, 1]], "sequence": 0}, 400, "", "crosses"),
        ({"corners": [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]], "sequence": 0}, 400, "", "small"),
        ({"corners": WHOLE, "sequence": 1}, 409, "stale", "somebody else"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(
    resting: Dashboard, wish: object, status: int, error: str, why: str
) -> None:
    answered, answer = resting.post("/api/region", wish)
    assert answered == status
    assert error in answer["error"]
    assert why in answer["message"]
    assert corners_of(resting) == WHOLE
