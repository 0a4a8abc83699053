"""What people meet on their phones: two who press at once, a camera that moved, names, rules."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.table.laid_table import HeldClock, StaticTable
from tests.web.begun_game import PHONE, TIMEOUT_MS, OpenLaid, OpenPage, begin, end_the_round, phone
from vision.sources import Health, HealthState

if TYPE_CHECKING:
    from conftest import LaidDashboard

LONG = 'Maximilian "the Fox" Featherstonehaugh'
PAGES = {"/": "Table", "/score": "Score", "/games": "Games", "/begin": "New game"}


def draw(laid: LaidDashboard) -> None:
    """The player to move draws, told by another device."""
    state = laid.get("/api/state")
    named = {"sequence": state["game"]["sequence"], "layout_sequence": state["layout_sequence"]}
    status, answer = laid.post("/api/game/act", {"act": "draw"} | named)
    assert status == 200, answer


def told(laid: LaidDashboard) -> list[str]:
    return [line.split(" {")[0] for line in laid.lines()[3:]]


def test_eight_taps_draw_one_tile(laid: LaidDashboard, open_page: OpenPage) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button", has_touch=True)
    page.clock.install()
    page.reload()
    button = page.locator("#acts .primary")
    expect(button).to_contain_text("Ada drew", timeout=TIMEOUT_MS)
    page.clock.pause_at("2100-01-01")
    page.clock.run_for(100)  # so long without a word, the page took the stream for dead
    expect(page.locator("#lost")).to_be_hidden(timeout=TIMEOUT_MS)
    box = button.bounding_box()
    assert box is not None
    for _ in range(8):
        page.touchscreen.tap(box["x"] + 40, box["y"] + 20)
    expect(button).to_contain_text("Ben drew", timeout=TIMEOUT_MS)
    assert told(laid) == ["Ada draws"]


def test_a_press_meant_for_the_turn_that_another_phone_ended_just_then_ends_no_other(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben", "Cleo")
    page = phone(open_page, laid)
    page.clock.install()
    page.reload()
    button = page.locator("#acts .primary")
    expect(button).to_contain_text("Ada drew", timeout=TIMEOUT_MS)
    page.clock.pause_at("2100-01-01")
    page.clock.run_for(100)  # so long without a word, the page took the stream for dead
    expect(page.locator("#lost")).to_be_hidden(timeout=TIMEOUT_MS)
    draw(laid)
    expect(button).to_contain_text("Ben drew", timeout=TIMEOUT_MS)
    button.click()
    expect(page.locator("#game-answer.refused")).to_contain_text("it is Ben's now")
    assert told(laid) == ["Ada draws"]
    page.clock.run_for(1000)
    button.click()
    expect(button).to_contain_text("Cleo drew", timeout=TIMEOUT_MS)
    assert told(laid) == ["Ada draws", "Ben draws"]


def test_a_camera_that_moved_is_told_where_a_phone_shows_it_with_what_can_be_said(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    expect(page.locator("#camera-trouble")).to_be_hidden()
    laid.table.health = Health(HealthState.MOVED, "The camera has moved.")
    stays = page.get_by_role("button", name="The camera stays here")
    expect(stays).to_be_in_viewport(timeout=TIMEOUT_MS)
    expect(page.locator("#camera-trouble-text")).to_have_text("The camera has moved.")
    stays.click()
    expect(page.locator("#camera-trouble")).to_be_hidden(timeout=TIMEOUT_MS)


def test_the_last_event_is_undone_without_looking_for_it(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    draw(laid)
    expect(page.locator("#last-line")).to_contain_text("Ada draws", timeout=TIMEOUT_MS)
    undo = page.get_by_role("button", name="Undo that")
    expect(undo).to_be_in_viewport()
    undo.click()
    page.locator("#ask-name-list").get_by_role("button", name="Ben").click()
    expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)


def test_a_name_of_several_words_stands_on_the_page_as_it_was_given(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, LONG, "Ben")
    page = phone(open_page, laid)
    draw(laid)
    expect(page.locator("#last-line")).to_contain_text(f"{LONG} draws", timeout=TIMEOUT_MS)
    turns = page.locator("#turns")
    expect(turns).to_contain_text(f"A game begins: {LONG}, Ben", timeout=TIMEOUT_MS)
    expect(turns.locator(".turn-name").nth(1)).to_have_text(LONG)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_the_rules_are_called_by_their_title_and_an_empty_table_is_no_ruling(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(laid.url, *PHONE, until="#ruling[data-verdict='none']")
    laid.session.new_round()
    expect(page.locator("#verdict")).to_have_text("The table is empty", timeout=TIMEOUT_MS)
    expect(page.locator("#turns")).to_contain_text("the rules of Rummikub (Pressman, 2006)")
    link = page.get_by_role("link", name="Begin a game with players")
    expect(link).to_have_class("button primary")


def test_the_house_rules_of_a_game_are_on_its_page(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben", score__target="200")
    page = phone(open_page, laid)
    page.get_by_text("Record, house rules, put away").click()
    expect(page.locator("#house-rules dt")).to_contain_text(
        "How many points end the game?", timeout=TIMEOUT_MS
    )
    expect(page.locator("#house-rules dd")).to_have_text("200")
    open_rules = page.locator("#house-open-list li").all_text_contents()
    offered = laid.get("/api/game/rules")["rules"]
    (pressman,) = (each for each in offered if each["preset"] == "pressman")
    assert len(open_rules) == sum(
        each["asked"] and not each["chosen"] for each in pressman["switches"]
    )


def test_a_rack_that_was_told_hides_the_ways_to_tell_it(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    page = open_page(laid.url, *PHONE, until="#racks .rack")
    rack = page.locator("[data-player='Ben']")
    rack.get_by_role("textbox").fill("r1 r2")
    rack.get_by_role("button", name="Take it").click()
    expect(rack.locator(".rack-sum")).to_contain_text("2 tiles; 3 points.", timeout=TIMEOUT_MS)
    expect(rack.get_by_role("textbox")).to_be_hidden()
    rack.get_by_text("Say it again").click()
    expect(rack.get_by_role("textbox")).to_be_visible()


def test_what_closes_a_dialog_is_in_sight_on_a_phone_that_lies(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    laid.lay("K10 B10 R10")
    page = open_page(laid.url, 844, 390)
    page.locator("#melds .tile-button").first.click()
    expect(page.locator("#ask-tile-no")).to_be_in_viewport(ratio=1)
    expect(page.locator("#ask-tile-none")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_leads_to_every_other(
    laid: LaidDashboard, open_page: OpenPage, path: str
) -> None:
    page: Page = open_page(laid.url + path, *PHONE, until="nav")
    links = page.get_by_role("navigation", name="Pages").get_by_role("link")
    assert [link.get_attribute("href") for link in links.all()] == list(PAGES)
    assert links.all_text_contents() == list(PAGES.values())
    current = page.locator("nav [aria-current='page']")
    expect(current).to_have_text(PAGES[path])
    box = current.bounding_box()
    assert box is not None
    assert box["height"] >= 44


def test_a_penalty_that_rests_on_what_nobody_has_chosen_says_so_and_one_that_was_chosen_does_not(
    tmp_path: Path, open_page: OpenPage, open_laid: OpenLaid
) -> None:
    time = HeldClock()
    with closing(open_laid(tmp_path, StaticTable(), time.clock)) as opened:
        laid = next(opened)
        for chosen in ({}, {"misplay__cumulative": "no"}):
            begin(laid, "Ada", "Ben", **chosen)
            laid.lay("K10 B10 R11")
            time.now_s += 120
            laid.wait_until(
                lambda state: (
                    state.game is not None
                    and state.game.clock is not None
                    and state.game.clock.over
                )
            )
            page = phone(open_page, laid)
            expect(page.locator("#ask-text")).to_have_text(
                "Time is up for Ada.", timeout=TIMEOUT_MS
            )
            said = page.locator("#ask-rests li").all_text_contents()
            assert ["AMB-22" in text for text in said] == ([] if chosen else [True])
            laid.post("/api/game/leave", {})
            laid.lay()


def test_what_comes_of_naming_a_tile_is_told_where_it_was_pressed(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    laid.lay("K10 B10 R10 O10", "K1 K2 K3")
    page = phone(open_page, laid)
    page.locator("#melds .tile-button").last.click()
    page.locator("#ask-tile-none").click()
    answer = page.locator("#layout-answer")
    expect(answer).to_have_text("Thank you, that tile is corrected.", timeout=TIMEOUT_MS)
    expect(answer).to_be_in_viewport()
    expect(page.locator("#game-answer")).to_have_text("")
