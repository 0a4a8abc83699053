"""House rules that are asked about in play: people read words, the server gets its own values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from engine.ruleset import load_ruleset
from tests.web.begun_game import BOUNCE_MS, TIMEOUT_MS, OpenPage, begin, phone

if TYPE_CHECKING:
    from conftest import LaidDashboard


def test_answers_to_a_house_rule_are_offered_and_told_in_words(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    """AMB-15: Ada adds a tile to her set with a joker."""
    wish = {"preset": "sabra", "players": ["Ada", "Ben"], "starter": "Ada"}
    assert laid.post("/api/game/begin", wish)[0] == 200
    laid.lay("K10 K11 J K13")
    state = laid.wait_until(lambda state: state.ruling is not None)
    laid.session.end_turn(state.layout_sequence)
    page = phone(open_page, laid)
    page.get_by_role("button", name="Ben drew a tile").click(timeout=TIMEOUT_MS)
    expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)
    laid.lay("K9 K10 K11 J K13")
    question = page.locator("#ask-questions .question")
    expect(question).to_contain_text("What may be done to a set while it holds a joker?")
    asked = laid.get("/api/state")["ruling"]["questions"][0]
    assert asked["options"] == ["no_split", "full"]
    expect(question.get_by_role("button")).to_have_text(
        [
            "Tiles may be added; nothing may be taken away or split off",
            "Nothing, until the joker is replaced",
        ]
    )
    rule = load_ruleset("pressman").switches["joker.freeze"].rule
    expect(question.locator("cite")).to_have_text(f"House rule ({rule})")
    for words in (question, page.locator("#turns"), page.locator("#announcement")):
        expect(words).not_to_contain_text("no_split")
        expect(words).not_to_contain_text("joker.freeze")
    page.wait_for_timeout(BOUNCE_MS)
    question.get_by_role("button", name="Tiles may be added").click()
    expect(page.get_by_role("button", name="Ada is done")).to_be_visible(timeout=TIMEOUT_MS)
    assert laid.lines()[-1] == "house rule: joker.freeze=no_split"
    for words in (page.locator("#turns"), page.locator("#last-line")):
        expect(words).to_contain_text(
            "House rule: What may be done to a set while it holds a joker? Tiles may be added"
        )
        expect(words).not_to_contain_text("joker.freeze")


def test_a_number_that_means_more_than_itself_says_so_on_its_button(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    """AMB-11."""
    begin(laid, "Ada", "Ben", opening__points="0")
    laid.lay("R9 J J")
    page = phone(open_page, laid)
    question = page.locator("#ask-questions .question")
    expect(question).to_contain_text("How many jokers may one set hold?", timeout=TIMEOUT_MS)
    expect(question).to_contain_text(
        "by one answer it is: Set 1: 2 jokers, and this set may hold 1"
    )
    expect(question.get_by_role("button")).to_have_text(["2, beside one other tile at least", "1"])
    expect(question.locator("cite")).to_have_text("House rule (AMB-11)")


def test_an_answer_without_a_game_is_told_in_words(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    laid.lay("K9 K10 K11")
    page = open_page(laid.url, until="#turns details")
    text = "What may be done to a set while it holds a joker? Nothing, until it is replaced (full)."
    told = page.evaluate(
        "async (text) => { const house = await import('/static/js/house.js');"
        " return [house.withoutValues(text), house.answerInWords(text, 'full'),"
        " house.answerInWords('Had this player laid an initial meld?', 'yes')]; }",
        text,
    )
    assert told == [text.replace(" (full)", ""), "Nothing, until the joker is replaced", "yes"]


def test_no_first_sets_worth_nothing_are_asked_for(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben", opening__points="0")
    page = phone(open_page, laid)
    expect(page.locator("#ask-detail")).to_have_text("Lay tiles on the table, or:")
