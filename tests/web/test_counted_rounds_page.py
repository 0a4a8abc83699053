"""A game of cards on the pages: begun, each round counted on a phone, and its score."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.web.begun_game import PHONE, TIMEOUT_MS, OpenPage

if TYPE_CHECKING:
    from conftest import LaidDashboard

PLAYERS = ("Ada", "Ben", "Cleo")


@pytest.fixture
def page(laid: LaidDashboard, open_page: OpenPage) -> Page:
    """A phone on which a game of Sets and Runs has begun, with whoever is first named beginning."""
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    page.locator("#preset").select_option("sets-and-runs")
    for number, name in enumerate(PLAYERS, start=1):
        page.get_by_label(f"Player {number}").fill(name)
    page.locator("#starters").get_by_label("Ada").check()
    expect(page.get_by_text("you count each round, and the score is kept")).to_be_visible()
    expect(page.locator("#before")).to_have_text("Shuffle the cards, and deal. Then:")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#count")).to_be_visible(timeout=TIMEOUT_MS)
    return page


def count(page: Page, out: str, **points: int) -> None:
    """Says on the page who went out, and what the others are left with."""
    page.locator("#count-out").get_by_label(out).check()
    for name, value in points.items():
        page.locator("#count-hands").get_by_label(name, exact=True).fill(str(value))
    page.get_by_role("button", name="Score the round").click()


def test_nothing_of_a_camera_is_shown(page: Page) -> None:
    expect(page.locator("#ask-text")).to_have_text("Play round 1: 2 sets.")
    expect(page.locator("#count-quote")).to_contain_text("Number cards are five points each")
    for part in ("#camera", "#live", "#ruling", "#end-turn", "#camera-trouble", "#region-edit"):
        expect(page.locator(part)).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_rounds_are_counted_to_a_score_sheet(page: Page, laid: LaidDashboard) -> None:
    count(page, "Ada", Ben=35, Cleo=50)
    expect(page.locator("#ask-text")).to_have_text("Now for round 2", timeout=TIMEOUT_MS)
    expect(page.locator("#last-line")).to_have_text(
        re.compile(r"The hands were counted: Ada 0; Ben 35; Cleo 50, and out is Ada")
    )
    page.get_by_role("button", name="Ready: Ben begins").click()
    expect(page.locator("#ask-text")).to_have_text("Play round 2: 1 set and 1 run.")
    expect(page.locator("#count-hands input").first).to_have_value("")
    count(page, "Nobody: the deck is finished", Ada=10, Ben=5, Cleo=15)
    expect(page.locator("#standing")).to_have_text("Ada is ahead.", timeout=TIMEOUT_MS)
    page.goto(f"{laid.url}/score")
    expect(page.locator("#sheet-foot")).to_have_text(re.compile(r"Total\s*10\s*40\s*65"))


def test_what_is_missing_or_cannot_be_is_said_and_what_was_typed_stays(page: Page) -> None:
    score = page.get_by_role("button", name="Score the round")
    answer = page.locator("#count-answer")
    score.click()
    expect(answer).to_have_text("Say first who went out, or that nobody did.")
    count(page, "Ada", Ben=35)
    expect(answer).to_have_text("Say what Cleo is left with, as a whole number; nothing is 0.")
    count(page, "Ada", Cleo=3)
    expect(answer).to_have_text(re.compile(r"Cleo cannot have 3: a card counts 5, 10, 15 or 50"))
    ben = page.locator("#count-hands").get_by_label("Ben", exact=True)
    expect(ben).to_have_value("35")
    page.locator("#count-out").get_by_label("Ben").check()
    expect(ben).to_have_value("0")
    expect(ben).not_to_be_editable()
    ada = page.locator("#count-hands").get_by_label("Ada", exact=True)
    expect(ada).to_have_value("")
    count(page, "Ben", Ada=5, Cleo=10)
    expect(page.locator("#ask-text")).to_have_text("Now for round 2", timeout=TIMEOUT_MS)


@pytest.mark.parametrize("typed", ["-5", "12.5", "12345"])
def test_what_is_no_count_is_said_of_whom(page: Page, typed: str) -> None:
    page.locator("#count-hands").get_by_label("Ben", exact=True).fill(typed)
    count(page, "Ada", Cleo=5)
    expect(page.locator("#count-answer")).to_have_text(re.compile("Say what Ben is left with"))


def test_what_was_counted_is_undone_by_a_tap_and_stands_there_to_be_mended(page: Page) -> None:
    count(page, "Ada", Ben=35, Cleo=50)
    expect(page.locator("#ask-text")).to_have_text("Now for round 2", timeout=TIMEOUT_MS)
    page.get_by_role("button", name="Undo that").click()
    page.locator("#ask-name-list").get_by_text("Cleo", exact=True).click()
    expect(page.locator("#count")).to_be_visible(timeout=TIMEOUT_MS)
    expect(page.locator("#ask-text")).to_have_text("Play round 1: 2 sets.")
    expect(page.locator("#count-hands").get_by_label("Ben", exact=True)).to_have_value("35")
    count(page, "Ada", Ben=30)
    expect(page.locator("#standing")).to_have_text("Ada is ahead.", timeout=TIMEOUT_MS)


def test_a_page_that_is_loaded_anew_keeps_what_was_typed(page: Page) -> None:
    page.locator("#count-out").get_by_label("Ben").check()
    page.locator("#count-hands").get_by_label("Cleo", exact=True).fill("15")
    page.reload()
    expect(page.locator("#count-hands").get_by_label("Cleo", exact=True)).to_have_value("15")
    expect(page.locator("#count-out").get_by_label("Ben")).to_be_checked()
    expect(page.locator("#count-hands").get_by_label("Ben", exact=True)).not_to_be_editable()


def test_the_game_goes_on_while_somebody_types(page: Page, laid: LaidDashboard) -> None:
    """What was told before is put right on another phone: the form stays, and counts."""
    count(page, "Ada", Ben=35, Cleo=50)
    page.get_by_role("button", name="Ready: Ben begins").click()
    expect(page.locator("#ask-text")).to_have_text("Play round 2: 1 set and 1 run.")
    page.locator("#count-hands").get_by_label("Cleo", exact=True).fill("15")
    line = "hands counted: Ada 0 | Ben 30 | Cleo 50; out Ada"
    status, answer = laid.post("/api/game/correct", {"number": 4, "line": line, "by": "Ben"})
    assert status == 200, answer
    expect(page.locator("#seats")).to_have_text(re.compile("Ben.*30"), timeout=TIMEOUT_MS)
    count(page, "Ada", Ben=5)
    expect(page.locator("#seats")).to_have_text(re.compile("Ben.*35.*Cleo.*65"), timeout=TIMEOUT_MS)


def test_who_typed_in_vain_is_told(page: Page, laid: LaidDashboard) -> None:
    page.locator("#count-out").get_by_label("Ada").check()
    page.locator("#count-hands").get_by_label("Ben", exact=True).fill("40")
    sequence = laid.get("/api/state")["game"]["sequence"]
    wish = {"sequence": sequence, "counts": {"Ada": 0, "Ben": 35, "Cleo": 50}, "out": "Ada"}
    status, answer = laid.post("/api/game/count", wish)
    assert status == 200, answer
    answered = page.locator("#game-answer")
    expect(answered).to_have_text(re.compile("counted elsewhere meanwhile"), timeout=TIMEOUT_MS)
    state = laid.get("/api/state")
    (ready, *_) = state["game"]["ask"]["acts"]
    act = {"act": ready["act"], "sequence": state["game"]["sequence"], "layout_sequence": 0}
    status, answer = laid.post("/api/game/act", act)
    assert status == 200, answer
    expect(page.locator("#ask-text")).to_have_text("Play round 2: 1 set and 1 run.")
    expect(answered).to_have_text(re.compile("counted elsewhere meanwhile"))


def test_a_contract_is_chosen_by_a_button(page: Page, laid: LaidDashboard) -> None:
    """AMB-39, in the round in which it matters."""
    for _ in range(3):
        game = laid.get("/api/state")["game"]
        wish = {
            "sequence": game["sequence"],
            "counts": {"Ada": 0, "Ben": 5, "Cleo": 5},
            "out": "Ada",
        }
        assert laid.post("/api/game/count", wish)[0] == 200
        game = laid.get("/api/state")["game"]
        assert laid.post("/api/game/act", {"act": "deal", "sequence": game["sequence"]})[0] == 200
    question = page.locator("#ask-questions")
    expect(question).to_contain_text("Which contract comes fourth", timeout=TIMEOUT_MS)
    question.get_by_role("button", name=re.compile("Two sets and a run fourth")).click()
    expect(page.locator("#ask-text")).to_have_text(
        "Play round 4: 2 sets and 1 run.", timeout=TIMEOUT_MS
    )
    expect(question).to_be_empty()


@pytest.mark.parametrize(
    "wish",
    [
        {"counts": {"Ada": 0, "Ben": -5, "Cleo": 5}},
        {"counts": {"Ada": 0, "Ben": 5.5, "Cleo": 5}},
        {"counts": {"Ada": 0, "Ben": True, "Cleo": 5}},
        {"counts": {str(number): 5 for number in range(99)}},
        {"counts": [0, 5, 5]},
        {"counts": {"Ada": 0, "Ben": 5, "Cleo": 5}, "out": 7},
        {},
    ],
)
def test_a_hostile_count_is_refused_and_changes_nothing(
    page: Page, laid: LaidDashboard, wish: dict[str, object]
) -> None:
    before = laid.lines()
    status, answer = laid.post("/api/game/count", {"sequence": 1, "out": "Ada", **wish})
    assert status == 400, answer
    assert laid.lines() == before
    expect(page.locator("#ask-text")).to_have_text("Play round 1: 2 sets.")
