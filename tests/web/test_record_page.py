"""The record of a game on the page: in words, with its tiles drawn, and the notation one tap away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import APIResponse, Route, expect

from engine.game.event_lines import FORMS, print_event
from engine.game.events import CardBought, CardTaken, Discarded, Reshuffled
from engine.tiles import parse_tile
from table.game_on_table import parse_line
from tests.web.begun_game import GOING_OUT, PHONE, TIMEOUT_MS, OpenPage, begin, end_the_round, phone

if TYPE_CHECKING:
    from conftest import LaidDashboard

OF_CARDS = {CardTaken, CardBought, Discarded, Reshuffled}
"""Events that no game has which a camera follows."""
SWITCHES = [{"name": "score.target", "question": "How many points end it?", "values": {}}]
FOX = '"Ben \\"the Fox\\" Baker"'

TOLD = [
    (
        f'{FOX} plays: K10 B10 R10 | R1 R2 R4; overruled by "Dan D." {{4.2 s}}',
        'Ben "the Fox" Baker plays, let stand by Dan D. (4 s)',
        "K10 B10 R10 | R1 R2 R4",
    ),
    (
        "Ada plays: grid K7 B7 / . B8; keeps R1 J",
        "Ada plays, keeps red 1, joker",
        "grid K7 B7 / . B8",
    ),
    ("Ada misplays: -", "Ada plays without success", "-"),
    (
        "Ada misplays: K1 K3; draws B1 B2",
        "Ada plays without success, draws blue 1, blue 2",
        "K1 K3",
    ),
    ("Ada runs out of time: K1 | K3", "Ada runs out of time", "K1 | K3"),
    ("Ada runs out of time", "Ada runs out of time", None),
    ('"K7" draws K7; returns O13 {59.6 s}', "K7 draws black 7, returns orange 13 (60 s)", None),
    ('"He misplays; all | that" passes', "He misplays; all | that passes", None),
    (
        "Ada claims K7 K8 J; without tokens",
        "Ada claims black 7, black 8, joker, the one without tokens",
        None,
    ),
    ("Ada begins", "Ada begins", None),
    ("Ada calls out", "Ada calls out", None),
    ("deal", "Everybody is dealt in", None),
    ("deal: Ada K1 | Ben J", "Everybody is dealt in: Ada black 1; Ben joker", None),
    ("for the start: Ada K1 | Ben R2", "For the start: Ada black 1; Ben red 2", None),
    ("everybody draws: Ada K1 | Ben R2", "Everybody draws: Ada black 1; Ben red 2", None),
    (
        "hands: Ada - | Ben K1 K1; counted Ben 3",
        "On the racks: Ada nothing; Ben black 1, black 1, the game's count was Ben 3",
        None,
    ),
    (
        'hands counted: Ada 0 | "Ben B." 35; out Ada',
        "The hands were counted: Ada 0; Ben B. 35, and out is Ada",
        None,
    ),
    ("hands counted: Ada 5 | Ben 35", "The hands were counted: Ada 5; Ben 35", None),
    ("play stops", "Nobody can play any more", None),
    (
        "fault noticed by Dan: taken back",
        "A fault is noticed by Dan: the last legal table comes back",
        None,
    ),
    ("fault noticed", "A fault is noticed", None),
    ("house rule by Ada: score.target=200", "House rule by Ada: How many points end it? 200", None),
    ("undo by Ada", "Taken back by Ada", None),
    ('correct 4 by "Dan D.": Ada draws K7', "Event 4 corrected by Dan D.: Ada draws black 7", None),
    ("correct 4: Ada plays: K1 K2 K3 {1 s}", "Event 4 corrected: Ada plays (1 s)", "K1 K2 K3"),
    (
        'game rummi200kub; house: score.target=150 draw.then_play=no; players: Ada | "B | C"; locks: 1',
        "A game begins: Ada, B | C, with 2 house rules of its own, and 1 lock token",
        None,
    ),
    ("game sabra; players: Ada | Ben", "A game begins: Ada, Ben", None),
]

IN_WORDS = """async ([lines, switches]) => {
  const { toldInTiles } = await import("/static/js/told.js");
  const isTile = (node) => typeof node !== "string";
  const heard = (node, index, all) => !isTile(node) ? node
    : (index > 0 && isTile(all[index - 1]) ? ", " : "") + node.getAttribute("aria-label");
  const names = (set) => [...set.children].map((tile) => tile.getAttribute("aria-label"));
  return lines.map((line) => {
    const { words, table } = toldInTiles(line, switches);
    return [words.map(heard).join(""), table === null ? null : table.map(names)];
  });
}"""
"""Words as they are heard, and the names of the drawn tiles, set by set or row by row."""


def named(table: str | None) -> list[list[str | None]] | None:
    """The tiles of a table by their names, a cell with nothing on it as None."""
    if table is None or table == "-":
        return None if table is None else []
    sets = table.removeprefix("grid ").replace(" / ", " | ").split(" | ")
    return [
        [None if label == "." else parse_tile(label).spoken for label in each.split(" ")]
        for each in sets
    ]


def test_every_kind_of_event_is_told_in_words_and_tiles(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    lines = [line for line, _, _ in TOLD]
    assert [print_event(parse_line(line)) for line in lines] == lines
    assert {type(parse_line(line)) for line in lines} == {form.kind for form in FORMS} - OF_CARDS
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    told = page.evaluate(IN_WORDS, [lines, SWITCHES])
    expected = [[words, named(table)] for _, words, table in TOLD]
    assert told == expected


def test_a_family_reads_the_record_and_finds_no_notation_in_it(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, 'Ben "the Fox" Baker', "Ada", score__target="200")
    page = open_page(laid.url, *PHONE, until="#acts button")
    laid.lay("K10 B10 R11")
    page.get_by_role("button", name="Let it stand").click()
    page.get_by_label("Somebody else, such as an arbiter").fill("Dan D.")
    page.get_by_role("button", name="Use this name").click()
    expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)
    page.get_by_text("Record, house rules, put away").click()
    newest = page.locator("#record-lines li").first
    expect(newest).to_contain_text(
        'Ben "the Fox" Baker plays, let stand by Dan D.', timeout=TIMEOUT_MS
    )
    drawn = newest.get_by_role("img").evaluate_all("all => all.map((e) => e.ariaLabel)")
    assert drawn == ["black 10", "blue 10", "red 11"]
    seen = page.locator("#record-lines").inner_text()
    assert "K10" not in seen
    assert "score.target" not in seen
    assert "1 house rule of its own" in seen
    newest.locator("summary").press("Enter")
    expect(newest.locator("code")).to_have_text(laid.lines()[-1])
    expect(newest.get_by_role("button", name="Correct: Ben")).to_be_visible()


def test_a_line_that_was_opened_stays_so_when_the_game_goes_on(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    page.get_by_text("Record, house rules, put away").click()
    deal = page.locator("#record-lines li[data-number='3']")
    deal.locator("summary").click()
    page.locator("#acts .primary").click()
    expect(page.locator("#record-lines li")).to_have_count(4, timeout=TIMEOUT_MS)
    expect(deal.locator("code")).to_be_visible()


def test_racks_and_racks_alone_are_drawn_in_the_words_of_a_round_s_end(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    rack = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 J"
    assert laid.post("/api/game/rack", {"player": "Ben", "tiles": rack})[0] == 200
    page = open_page(laid.url, *PHONE, until="#acts button")
    page.get_by_role("button", name="Score it").click()
    page.get_by_text("Record, house rules, put away").click()
    hands = page.locator("#record-lines li").first
    expect(hands).to_contain_text("On the racks: Ben", timeout=TIMEOUT_MS)
    expect(hands.get_by_role("img")).to_have_count(14)
    play = page.locator("#record-lines li").nth(1)
    expect(play.locator(".tiles-line .meld-in-text")).to_have_count(len(GOING_OUT))


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_the_record_needs_no_scrolling_of_the_page_sideways(
    laid: LaidDashboard, open_page: OpenPage, width: int
) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    page = open_page(laid.url, width, 844, until="#acts button, #racks .rack")
    page.get_by_text("Record, house rules, put away").click()
    for summary in page.locator("#record-lines summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_record_shows_the_newest_whatever_becomes_of_an_answer(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    """One that is late covers nothing that came after it; one that never comes is asked for again."""
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    late: list[tuple[Route, APIResponse]] = []
    page.route("**/api/game/record", lambda route: late.append((route, route.fetch())))
    page.get_by_text("Record, house rules, put away").click()
    for name in ("Ben", "Ada"):
        draw(laid)
        expect(page.locator("#ask-text")).to_have_text(f"{name}'s turn", timeout=TIMEOUT_MS)
    while len(late) < 3:
        page.wait_for_timeout(20)
    for route, answer in reversed(late):
        route.fulfill(response=answer)
    lines = page.locator("#record-lines > li")
    expect(lines).to_have_count(5, timeout=TIMEOUT_MS)
    page.unroute("**/api/game/record")
    page.route("**/api/game/record", lambda route: route.abort())
    draw(laid)
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
    expect(lines).to_have_count(5)
    page.unroute("**/api/game/record")
    laid.lay("K10 B10 R10")
    expect(lines).to_have_count(6, timeout=TIMEOUT_MS)


def draw(laid: LaidDashboard) -> None:
    state = laid.get("/api/state")
    wish = {"act": "draw", "sequence": state["game"]["sequence"]}
    status, answer = laid.post(
        "/api/game/act", wish | {"layout_sequence": state["layout_sequence"]}
    )
    assert status == 200, answer
