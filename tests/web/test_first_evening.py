"""What a family stumbles over in its first evening: seats, tiles not cleared away, and who said what."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.table.laid_table import StaticTable
from tests.web.begun_game import (
    BOUNCE_MS,
    GOING_OUT,
    PHONE,
    TIMEOUT_MS,
    OpenLaid,
    OpenPage,
    begin,
    end_the_round,
    phone,
)

if TYPE_CHECKING:
    from conftest import LaidDashboard


def test_a_house_rule_for_more_players_gives_them_seats(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    more = page.get_by_role("button", name="One more player")
    expect(more).to_be_hidden()
    page.locator("#house-word").click()
    page.get_by_label("How many players may there be?").fill("5")
    more.click()
    expect(more).to_be_hidden()
    for number, name in enumerate(("Ada", "Ben", "Cleo", "Dan", "Dan D."), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    page.get_by_label("Dan D.", exact=True).check()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#ask-text")).to_have_text("Dan D.'s turn", timeout=TIMEOUT_MS)


def test_a_game_that_goes_the_other_way_round_says_so_before_it_begins(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    way = page.locator("#direction")
    expect(way).to_be_hidden()
    page.locator("#preset").select_option("sabra")
    expect(way).to_contain_text("counterclockwise")
    for number, name in enumerate(("Ada", "Ben", "Cleo"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    expect(way).to_contain_text("After Ada it is the turn of Cleo.")
    page.get_by_label("Ada", exact=True).check()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#acts .primary")).to_contain_text("Ada drew", timeout=TIMEOUT_MS)
    page.keyboard.press("Space")
    expect(page.locator("#ask-text")).to_have_text("Cleo's turn", timeout=TIMEOUT_MS)


def begin_with_tiles_of_before(laid: LaidDashboard) -> None:
    laid.lay(*GOING_OUT)
    wish = {"preset": "pressman", "players": ["Ada", "Ben"], "starter": "Ada"}
    assert laid.post("/api/game/begin", wish)[0] == 200


def test_tiles_of_the_last_round_are_not_played_by_a_slip(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin_with_tiles_of_before(laid)
    page = phone(open_page, laid)
    expect(page.locator("#ask-text")).to_have_text("Clear the table.", timeout=TIMEOUT_MS)
    expect(page.locator("#ask-detail")).to_contain_text("When it is cleared, it is Ada's turn")
    expect(page.locator("#ruling")).to_be_hidden()
    page.keyboard.press("Space")
    expect(page.locator("#game-answer")).to_have_text("Choose one of the buttons.")
    laid.lay("K10 B10 R10 O10")  # the others are cleared away
    expect(page.locator("#marks .mark")).to_have_count(4, timeout=TIMEOUT_MS)
    expect(page.locator("#ask-text")).to_have_text("Clear the table.")
    laid.lay()
    expect(page.locator("#acts .primary")).to_contain_text("Ada drew", timeout=TIMEOUT_MS)
    laid.lay(*GOING_OUT)
    expect(page.locator("#acts .primary")).to_contain_text("Ada is done", timeout=TIMEOUT_MS)


def test_tiles_that_were_laid_although_the_round_had_not_begun_may_count(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin_with_tiles_of_before(laid)
    page = phone(open_page, laid)
    page.get_by_role("button", name="Ada is done").click()
    expect(page.locator("#ask-sure-text")).to_contain_text("counts as laid in this turn")
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#ask-text")).to_have_text("Ada is out!", timeout=TIMEOUT_MS)


def test_where_the_rules_let_a_turn_stand_nothing_else_is_offered(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    laid.lay("R5 R6 R7")
    page.get_by_role("button", name="Let it stand").click()
    page.locator("#ask-name-list button").first.click()
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
    expect(page.locator("#ask-detail")).to_have_text(
        "A turn left a table that is not legal, and it stands so far."
    )
    buttons = page.locator("#acts button")
    expect(buttons.first).to_contain_text("Ben drew a tile")
    expect(buttons.nth(1)).to_have_text("It stands for good")
    expect(buttons).to_have_count(2)
    page.wait_for_timeout(BOUNCE_MS)
    buttons.nth(1).click()
    page.locator("#ask-name-list button").first.click()
    expect(buttons).to_have_count(1, timeout=TIMEOUT_MS)


def test_a_tile_that_somebody_named_is_not_told_as_read(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    laid.table.lay("K6/B6 R6 O6 K6")
    laid.wait_until(lambda state: len(state.tiles) == 4 and not state.moving)
    tile = page.locator("#melds .tile-button").first
    tile.click()
    expect(page.locator("#ask-tile-text")).to_contain_text("The machine reads black 6")
    page.locator("#ask-tile-likely button").first.click()
    told = page.locator("#turns [data-kind='correction']")
    expect(told).to_contain_text("A tile in doubt is black 6".lower(), timeout=TIMEOUT_MS)
    tile.click()
    expect(page.locator("#ask-tile-text")).to_have_text("Somebody said that it is black 6.")


def test_a_rack_is_typed_with_commas_and_what_is_refused_is_a_sentence(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    page = open_page(laid.url, *PHONE, until="#racks .rack")
    page.locator("#racks .typed input").fill("k7, k7,k7 j")
    page.get_by_role("button", name="Take it").click()
    expect(page.locator("#racks .tile-button")).to_have_count(4, timeout=TIMEOUT_MS)
    expect(page.locator("#ask-detail")).to_have_text(
        "Black 7 is there 3 times, on the rack of Ben, and the game has 2. Put the rack right, or "
        "correct what was told before.",
        timeout=TIMEOUT_MS,
    )
    expect(page.locator("#acts button")).to_have_count(0)
    late = {"act": "draw", "sequence": 1}
    answer = laid.post("/api/game/act", late)[1]
    assert answer["message"] == "the game has gone on since; look again"
    page.locator("#undo").click()
    laid.post("/api/game/rack", {"player": "Ben", "tiles": "K7"})
    page.locator("#ask-name-list button").first.click()
    expect(page.locator("#game-answer")).to_have_text(
        "The game has gone on since; look again.", timeout=TIMEOUT_MS
    )


def test_what_happened_last_is_short_when_racks_were_counted(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    laid.post("/api/game/rack", {"player": "Ben", "tiles": "R1 R2 R3 R4 R5 R6 R7 R8 R9"})
    page = open_page(laid.url, *PHONE, until="#racks .tile-button")
    page.get_by_role("button", name="Score it as it is").click()
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#last-line")).to_have_text("The racks were counted", timeout=TIMEOUT_MS)


def test_without_a_connection_neither_the_picture_nor_the_clock_is_said_to_go_on(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    lamp, clock = page.locator("#camera-word"), page.locator("#clock-time")
    expect(lamp).to_have_text("Live")
    page.context.set_offline(True)
    expect(lamp).to_have_text("Not connected", timeout=TIMEOUT_MS)
    expect(clock).to_have_text("–:––")
    page.context.set_offline(False)
    expect(lamp).to_have_text("Live", timeout=TIMEOUT_MS)
    expect(clock).to_have_text(re.compile(r"^\d:\d\d$"))


def test_a_game_stands_in_the_log_apart_from_the_one_before(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    laid.post("/api/game/leave", {"by": "Ben"})
    begin(laid, "Cleo", "Dan")
    turns = phone(open_page, laid).locator("#turns")
    expect(turns).to_contain_text("A game begins: Cleo, Dan", timeout=TIMEOUT_MS)
    of_now, of_before = turns.locator(".turn").nth(0), turns.locator(".turn").nth(1)
    expect(of_now.locator(".turn-name")).to_have_text("Under way")
    expect(of_now).not_to_contain_text("Ada")
    expect(of_before).to_contain_text("A game begins: Ada, Ben")
    expect(of_before).not_to_contain_text("Cleo")


def test_a_turn_in_which_the_program_ended_is_no_time_between_rounds(
    tmp_path: Path, open_laid: OpenLaid, open_page: OpenPage
) -> None:
    table = StaticTable()
    with closing(open_laid(tmp_path, table)) as first:
        begin(next(first), "Ada", "Ben")
    with closing(open_laid(tmp_path, table)) as second:
        turns = phone(open_page, next(second)).locator("#turns .turn")
        expect(turns.nth(0).locator(".turn-name")).to_have_text("Under way", timeout=TIMEOUT_MS)
        expect(turns.nth(0).locator(".when")).to_have_text("now")
        expect(turns.nth(1).locator(".turn-name")).to_have_text("Interrupted")
        expect(turns.nth(1).locator(".when")).to_have_text(re.compile(r"^\d"))


def test_a_sentence_that_a_name_ends_has_one_full_stop(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben B.")
    page = phone(open_page, laid)
    told = page.locator("#turns [data-kind=game_told]").filter(has_text="A game begins")
    expect(told).to_contain_text("A game begins: Ada, Ben B.")
    assert told.inner_text().endswith("Ben B.")
    assert not told.inner_text().endswith("..")
