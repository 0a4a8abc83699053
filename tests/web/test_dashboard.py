"""The page in a real browser: it shows what the log holds, and serves everybody."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.web.contrast import colours_of, contrast

if TYPE_CHECKING:
    from conftest import Dashboard, Relay

OpenPage = Callable[..., Page]

TIMEOUT_MS = 45_000


def labels_shown(page: Page) -> list[list[str]]:
    """The labels of the drawn melds, as the page has them."""
    melds = page.locator("#melds .meld").all()
    return [
        [tile.get_attribute("data-label") or "" for tile in meld.locator("[data-label]").all()]
        for meld in melds
    ]


def test_the_layout_and_ruling_on_the_page_are_those_of_the_log(
    resting: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(resting.url)
    events = resting.get("/api/log?limit=500")["events"]
    layout = [e["event"] for e in events if e["kind"] == "layout_read"][-1]
    ruling = [e["event"] for e in events if e["kind"] == "ruling_given"][-1]
    assert " | ".join(" ".join(meld) for meld in labels_shown(page)) == layout["text"]
    assert page.locator("#layout-text").text_content() == layout["text"]
    assert page.locator("#ruling").get_attribute("data-verdict") == ruling["verdict"]
    assert page.locator("#verdict").text_content() == "Legal"
    lines = page.locator("#turns [data-kind='layout_read'] code").all_text_contents()
    assert lines[0] == layout["text"]


def test_every_finding_of_the_log_is_on_the_page_with_rule_and_words(
    faulty: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(faulty.url)
    page.wait_for_selector("#ruling[data-verdict='ILLEGAL'] .finding")
    sequence = int(
        page.locator("#turns [data-kind='ruling_given']").first.get_attribute("data-sequence") or 0
    )
    shown = page.locator("#ruling").inner_text()
    (entry,) = faulty.get(f"/api/log?after={sequence - 1}&limit=1")["events"]
    assert entry["event"]["verdict"] == "ILLEGAL"
    for finding in entry["event"]["findings"]:
        assert finding["message"] in shown
        assert finding["quote"] in shown
        assert f"Rule {finding['rule']}" in shown
    expect(page.locator("#melds .meld.faulty")).to_have_count(1)
    assert "Not legal" in (page.locator("#announcement").text_content() or "")


def test_turns_come_to_the_page_without_asking(playing: Dashboard, open_page: OpenPage) -> None:
    page = open_page(playing.url)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    before = page.locator("#turns > li").count()
    turn = playing.session.board.look().state.turn
    expect(page.locator("#turn-now")).to_have_text(f"Turn {turn + 2}", timeout=TIMEOUT_MS)
    assert page.locator("#turns > li").count() > before
    assert [url for url in requests if "/api/" in url] == [], "the stream is open; nothing polls"


def test_the_picture_has_a_mark_for_every_tile(resting: Dashboard, open_page: OpenPage) -> None:
    page = open_page(resting.url)
    expect(page.locator("#live")).to_be_visible()
    tiles = resting.get("/api/state")["tiles"]
    expect(page.locator("#marks .mark")).to_have_count(len(tiles))
    assert page.locator("#live").evaluate("image => image.naturalWidth") == 640


def test_the_page_says_plainly_that_the_table_is_rendered(
    resting: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(resting.url)
    expect(page.locator("#rendered")).to_be_visible()
    expect(page.locator("#rendered")).to_contain_text("No camera is looking at a real table")


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
def test_no_width_needs_scrolling_sideways(
    faulty: Dashboard, open_page: OpenPage, width: int
) -> None:
    page = open_page(faulty.url, width, 780)
    page.wait_for_selector("#ruling[data-verdict='ILLEGAL'] .finding")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    too_wide = page.evaluate(
        "[...document.querySelectorAll('main *')].filter(e => e.checkVisibility() &&"
        " e.getBoundingClientRect().right > innerWidth + 1).map(e => e.className)"
    )
    assert too_wide == []


def test_colours_are_told_in_letters_shapes_and_words(
    resting: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(resting.url)
    words = {"K": "black", "B": "blue", "R": "red", "O": "orange"}
    shapes = {"K": "rect", "B": "circle", "R": "path", "O": "path"}
    for tile in page.locator("#melds [data-label]").all():
        label = tile.get_attribute("data-label") or ""
        assert tile.get_attribute("aria-label") == f"{words[label[0]]} {label[1:]}"
        assert tile.locator(".letter").text_content() == label[0]
        assert tile.locator(".number").text_content() == label[1:]
        assert tile.locator(f"{shapes[label[0]]}.ink").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(
    resting: Dashboard, open_page: OpenPage, scheme: str
) -> None:
    """WCAG 2 AA: a contrast of at least 4.5 to 1 for text, measured on the computed colours."""
    page = open_page(resting.url, color_scheme=scheme)
    for selector in (
        "#verdict",
        "#summary",
        ".hint",
        "#end-turn",
        ".when",
        ".turn-name",
        "#rendered",
    ):
        colours = colours_of(page.locator(selector).first)
        assert contrast(*colours) >= 4.5, (selector, colours)


def test_a_tile_is_corrected_with_the_keyboard_alone(
    resting: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(resting.url)
    page.locator("#melds [data-tile='1']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#ask-tile")).to_be_visible()
    label = page.locator("#melds [data-tile='1']").get_attribute("data-label")
    words = page.locator("#melds [data-tile='1']").get_attribute("aria-label")
    page.locator(f"#ask-tile-picker [aria-label='{(words or '').split(',')[0]}']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#melds [data-tile='1']")).to_have_class(re.compile("corrected"))
    corrections = [
        e for e in resting.get("/api/log?limit=500")["events"] if e["kind"] == "correction"
    ]
    assert corrections[-1]["event"]["label"] == label
    outline = page.locator("#melds [data-tile='1']").evaluate("e => e.matches(':focus')")
    assert outline, "the focus stays where the person was"


def test_a_person_says_that_no_tile_lies_there(fresh: Dashboard, open_page: OpenPage) -> None:
    page = open_page(fresh.url)
    tiles = page.locator("#melds [data-tile]")
    count = tiles.count()
    tiles.nth(1).click()
    page.locator("#ask-tile-none").click()
    expect(tiles).to_have_count(count - 1)
    expect(page.locator("#marks .mark:not(.out)")).to_have_count(count - 1)
    expect(page.locator("#marks .mark.out")).to_have_count(1)
    said = page.locator("#turns [data-kind='correction']")
    expect(said).to_contain_text("is no tile.")
    corrections = [
        e for e in fresh.get("/api/log?limit=500")["events"] if e["kind"] == "correction"
    ]
    assert [e["event"]["label"] for e in corrections] == ["none"]


def test_what_was_said_to_be_no_tile_by_mistake_stays_to_be_pressed(
    fresh: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(fresh.url)
    tiles = page.locator("#melds [data-tile]")
    left_out = page.locator("#no-tiles-list button")
    count, words = tiles.count(), tiles.nth(1).get_attribute("aria-label") or ""
    expect(page.locator("#no-tiles")).to_be_hidden()
    tiles.nth(1).click()
    page.locator("#ask-tile-none").click()
    expect(left_out).to_have_count(1)
    expect(left_out).to_have_attribute("aria-label", f"{words}, said to be no tile")
    page.reload()
    left_out.click()
    expect(page.locator("#ask-tile-text")).to_contain_text("Somebody said that it is no tile.")
    expect(page.locator("#ask-tile-none")).to_be_hidden()
    page.locator("#ask-tile-likely button").first.click()
    expect(tiles).to_have_count(count)
    expect(page.locator("#no-tiles")).to_be_hidden()
    expect(page.locator("#melds .corrected")).to_have_attribute(
        "aria-label", f"{words}, as corrected"
    )
    expect(page.locator("#layout-answer")).to_have_text("Thank you, that tile counts again.")
    said = page.locator("#turns [data-kind='correction']").first
    expect(said).to_contain_text(f"what was said to be no tile is {words} after all.")
    status, answer = fresh.post(
        "/api/answer",
        {
            "layout_sequence": fresh.session.board.look().state.layout_sequence,
            "no_tile": [0.01, 0.01],
            "option": "K7",
        },
    )
    assert (status, answer["error"]) == (409, "stale")
    assert "lies there no more" in answer["message"]


def test_escape_closes_a_question_and_changes_nothing(
    resting: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(resting.url)
    before = resting.log.last_sequence()
    page.locator("#new-round").click()
    expect(page.locator("#ask-round")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#ask-round")).to_be_hidden()
    assert resting.log.last_sequence() == before


def test_every_control_can_be_reached_and_shows_the_focus(
    resting: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(resting.url)
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        focus = page.evaluate(
            "(() => { const e = document.activeElement, s = getComputedStyle(e);"
            " return [e.id || e.className || e.tagName, s.outlineStyle, e === document.body]; })()"
        )
        if not focus[2]:
            assert focus[1] != "none", focus
            reached.add(focus[0])
    assert {"end-turn", "new-round"} <= reached
    assert any("tile-button" in name for name in reached)


def test_nothing_moves_for_people_who_asked_for_no_motion(
    resting: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(resting.url, reduced_motion="reduce")
    moving = page.evaluate(
        "[...document.querySelectorAll('*')].filter(e =>"
        " getComputedStyle(e).transitionDuration.split(',').some(d => parseFloat(d) > 0)).length"
    )
    assert moving == 0


def test_a_lost_connection_is_told_and_what_was_missed_comes_later(
    playing: Dashboard, relay: Relay, open_page: OpenPage
) -> None:
    page = open_page(relay.url)
    expect(page.locator("#lost")).to_be_hidden()
    relay.cut()
    expect(page.locator("#lost")).to_contain_text("Trying again", timeout=TIMEOUT_MS)
    seen = playing.session.board.look().state
    playing.wait_until(lambda state: state.turn >= seen.turn + 2)
    relay.mend()
    expect(page.locator("#lost")).to_be_hidden(timeout=TIMEOUT_MS)
    ended = page.locator("#turns [data-kind='turn_confirmed']")
    missed = [
        e.sequence for e in playing.log.read(seen.sequence) if e.event.kind == "turn_confirmed"
    ]
    expect(page.locator(f"#turns [data-sequence='{missed[0]}']")).to_have_count(1)
    # At once: while one is asked after the other, the game goes on and the list grows.
    numbers = [int(n) for n in ended.evaluate_all("all => all.map(e => e.dataset.sequence)")]
    assert len(numbers) == len(set(numbers)), "nothing is told twice"


def test_space_ends_the_turn_and_the_log_says_a_person_did(
    fresh: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(fresh.url)
    page.keyboard.press("Space")
    expect(page.locator("#turn-now")).to_have_text("Turn 2", timeout=TIMEOUT_MS)
    events = fresh.get("/api/log?limit=500")["events"]
    ended = [e["event"] for e in events if e["kind"] == "turn_confirmed"]
    assert [(e["turn"], e["by"], e["verdict"]) for e in ended] == [(1, "person", "LEGAL")]
    page.locator("#turns summary").get_by_text("Turn 1", exact=True).first.click()
    link = page.locator("#turns [data-kind='picture_saved'] a").first
    expect(link).to_be_visible()
    status, picture, _ = fresh.send("GET", link.get_attribute("href") or "")
    assert (status, picture[:2]) == (200, b"\xff\xd8")
