"""House rules where a game is begun: what is asked in play is left open until somebody chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from engine.ruleset import list_presets
from tests.web.begun_game import PHONE, TIMEOUT_MS, OpenPage, begin

if TYPE_CHECKING:
    from conftest import LaidDashboard

ASK = "Ask when it matters"
MOST_JOKERS = "joker.max_per_set"
FIELDS = """fields => Object.fromEntries(fields.map(field => [
    field.dataset.switch,
    { words: [...(field.options ?? [])].map(option => option.text), value: field.value },
]))"""
"""By the name of each house rule: the choices that are listed, and the one that is made."""


def begin_page(laid: LaidDashboard, open_page: OpenPage, width: int = PHONE[0]) -> Page:
    page = open_page(f"{laid.url}/begin", width, PHONE[1], until="body[data-ready]")
    page.locator("#house-word").click()
    return page


def field(page: Page, switch: str = MOST_JOKERS) -> Any:
    return page.locator(f"[data-switch='{switch}']")


def begin_and_put_away(laid: LaidDashboard, page: Page) -> dict[str, Any]:
    """Begins with two players; the house rules that were chosen for this game, by their names."""
    for number, name in enumerate(("Ada", "Ben"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    page.get_by_label("Ada", exact=True).check()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)
    (pressman,) = (r for r in laid.get("/api/game/rules")["rules"] if r["preset"] == "pressman")
    chosen = {s["name"]: s["now"] for s in pressman["switches"] if s["chosen"]}
    assert laid.post("/api/game/leave", {"sequence": laid.get("/api/state")["game"]["sequence"]})
    return chosen


@pytest.mark.parametrize("width", [PHONE[0], 1280])
def test_what_is_asked_in_play_is_left_open_until_somebody_chooses_numbers_too(
    laid: LaidDashboard, open_page: OpenPage, width: int
) -> None:
    page = begin_page(laid, open_page, width)
    offered = laid.get("/api/game/rules")["rules"]
    assert len(offered) == len(list_presets())
    for rules in offered:
        page.locator("#preset").select_option(rules["preset"])
        shown = page.locator("[data-switch]").evaluate_all(FIELDS)
        asked = {switch["name"] for switch in rules["switches"] if switch["asked"]}
        assert MOST_JOKERS in asked
        assert {name for name in shown if ASK in shown[name]["words"]} == asked
        for name in asked:
            assert shown[name]["words"][0] == ASK, name
            assert shown[name]["value"] == "", name
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_numbers_that_are_asked_about_are_offered_with_what_they_mean(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = begin_page(laid, open_page)
    page.locator("#preset").select_option("sabra")
    jokers = field(page).locator("option")
    assert jokers.all_text_contents() == [ASK, "1", "2, beside one other tile at least"]
    expect(field(page, "timeout.penalty").locator("option")).to_have_text(
        [ASK, "0: the turn just ends", "1, as a draw", "2", "3, as a play that failed"]
        + [str(number) for number in range(4, 15)]
    )


def test_a_number_that_was_chosen_holds_in_the_next_game_until_it_is_left_open_again(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = begin_page(laid, open_page)
    assert MOST_JOKERS not in begin_and_put_away(laid, page), "nobody touched it"
    page = begin_page(laid, open_page)
    field(page).select_option("1")
    assert begin_and_put_away(laid, page) == {MOST_JOKERS: "1"}
    page = begin_page(laid, open_page)
    expect(field(page)).to_have_value("1")
    assert begin_and_put_away(laid, page) == {MOST_JOKERS: "1"}
    page = begin_page(laid, open_page)
    field(page).select_option(ASK)
    assert begin_and_put_away(laid, page) == {}


def test_the_heading_of_the_house_rules_counts_those_that_are_not_as_usual(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    """Those of the last game hold for the next, and are folded away."""
    page = begin_page(laid, open_page)
    word = page.locator("#house-word")
    expect(word).to_have_text("House rules")
    expect(field(page, "misplay.restore").locator("option").first).to_contain_text(
        "(as the rules have it)"
    )
    field(page).select_option("1")
    field(page, "misplay.restore").select_option("no")
    field(page, "timeout.limit_s").fill("61")
    expect(word).to_have_text("House rules (3 of your own)")
    begin_and_put_away(laid, page)
    page = begin_page(laid, open_page)
    word = page.locator("#house-word")
    expect(word).to_have_text("House rules (3 of your own)")
    expect(page.locator("#switches .own label")).to_have_count(3)
    expect(field(page, "misplay.restore").locator("option").first).to_contain_text(
        "(as the rules have it)"
    )
    field(page, "misplay.restore").select_option("yes")
    field(page).select_option(ASK)
    expect(word).to_have_text("House rules (1 of your own)")
    page.locator("#preset").select_option("sabra")
    expect(word).to_have_text("House rules")


def test_a_page_that_stayed_open_lets_a_game_begin_once_the_other_is_put_away(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben", misplay__restore="no")
    page = begin_page(laid, open_page)
    button, cannot = page.get_by_role("button", name="Begin", exact=True), page.locator("#cannot")
    expect(button).to_be_disabled()
    expect(cannot).to_contain_text("Ada, Ben are in the middle of a game.")
    sequence = laid.get("/api/state")["game"]["sequence"]
    assert laid.post("/api/game/leave", {"sequence": sequence})[0] == 200
    expect(cannot).to_be_hidden(timeout=TIMEOUT_MS)
    expect(button).to_be_enabled()
    expect(page.locator("#house-word")).to_have_text("House rules (1 of your own)")
    page.get_by_label("Player 1").fill("Cleo")
    begin(laid, "Ada", "Ben")
    expect(button).to_be_disabled(timeout=TIMEOUT_MS)
    expect(page.get_by_label("Player 1")).to_have_value("Cleo")


def test_a_number_out_of_range_is_shown_where_the_house_rules_are_folded(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = begin_page(laid, open_page)
    limit = field(page, "timeout.limit_s")
    limit.fill("99999")
    page.locator("#house-word").click()
    expect(limit).to_be_hidden()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(limit).to_be_focused()
    expect(limit).to_be_in_viewport()


def test_that_cards_are_not_read_is_said_where_a_game_is_played_with_them(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = begin_page(laid, open_page)
    page.locator("#preset").select_option("reset")
    for number, name in enumerate(("Ada", "Ben"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    pieces = field(page, "equipment.pieces")
    pieces.select_option("cards")
    told = page.get_by_text("The camera reads tiles, not playing cards")
    expect(told).to_be_visible()
    pieces.select_option("tiles")
    expect(told).to_have_count(0)
    pieces.select_option("cards")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#ask-text")).to_have_text("Who begins round 1?", timeout=TIMEOUT_MS)
    page.get_by_role("button", name="Ada begins").click()
    expect(page.locator("#count-legend")).to_have_text("Cards left in each hand")


def test_a_long_name_wraps_and_its_limit_is_told(laid: LaidDashboard, open_page: OpenPage) -> None:
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    name = page.get_by_label("Player 1")
    limit = page.get_by_text("A name has at most 40 characters.")
    for number, length in enumerate((39, 60, 40), start=1):
        page.get_by_label(f"Player {number}").press_sequentially("W" * length)
        expect(limit).to_have_count(max(0, number - 1))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    expect(name).to_have_accessible_description("")
    expect(page.get_by_label("Player 2")).to_have_value("W" * 40)
    page.get_by_label("Player 2").fill("Ben")
    expect(limit).to_have_count(1)


def test_how_many_points_end_the_game_is_asked_before_the_house_rules(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    page.locator("#preset").select_option("rummi200kub")
    expect(field(page, "score.target")).to_have_value("200")
    page.locator("#preset").select_option("pressman")
    expect(field(page, MOST_JOKERS)).to_be_hidden()
    page.get_by_label("How many points end the game?").fill("150")
    assert begin_and_put_away(laid, page) == {"score.target": "150"}
