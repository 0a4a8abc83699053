"""A game in a real browser: begun, played, taken back, timed, scored, gone on with after a restart."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from engine.ruleset import list_presets, load_ruleset
from table.events import RackRead
from tests.table.laid_table import HeldClock, StaticTable
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
from tests.web.contrast import colours_of, contrast

if TYPE_CHECKING:
    from conftest import LaidDashboard


def test_a_family_begins_a_game_on_a_phone(laid: LaidDashboard, open_page: OpenPage) -> None:
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    for number, name in enumerate(("Ada", "Ben", "Cleo"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    page.get_by_label("Ben", exact=True).check()
    page.locator("#house-word").click()
    asked = page.get_by_label("May the same turn go on to build on sets")
    assert asked.input_value() == "", "it is asked when it matters"
    page.get_by_label("How many points end the game?").fill("200")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
    assert laid.lines() == [
        "game pressman; house: score.target=200; players: Ada | Ben | Cleo",
        "Ben begins",
        "deal",
    ]
    page.goto(f"{laid.url}/begin")
    expect(page.get_by_label("Player 2")).to_have_value("Ben", timeout=TIMEOUT_MS)


def test_what_is_wrong_with_the_players_is_said_and_nothing_begins(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    page.get_by_label("Player 1").fill("Ada")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#refused")).to_contain_text("for 2 to 4 players", timeout=TIMEOUT_MS)
    assert laid.lines() == []


@pytest.mark.parametrize(
    ("preset", "switch"), [("pressman", "score.target"), ("sabra", "score.rounds")]
)
def test_what_a_table_has_to_agree_on_stands_beside_the_players(
    laid: LaidDashboard, open_page: OpenPage, preset: str, switch: str
) -> None:
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    page.locator("#preset").select_option(preset)
    field = page.locator(f'[data-switch="{switch}"]')
    expect(field).to_be_visible()
    expect(field).to_have_attribute("placeholder", "as agreed")


def test_every_switch_of_every_game_can_be_chosen(laid: LaidDashboard, open_page: OpenPage) -> None:
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    offered = [option.get_attribute("value") for option in page.locator("#preset option").all()]
    assert offered == list(list_presets())
    for preset in offered:
        assert preset is not None
        page.locator("#preset").select_option(preset)
        fields = page.locator("[data-switch]").all()
        shown = [field.get_attribute("data-switch") for field in fields]
        first = {"score.target", "score.rounds"}
        others = [name for name in load_ruleset(preset).switches if name not in first]
        assert [name for name in shown if name not in first] == others
        assert sorted(map(str, shown)) == sorted(load_ruleset(preset).switches)


def test_what_no_few_moves_mend_is_mended_by_the_table_before(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    repairs = page.locator("#findings .repair")
    laid.lay("K10 B10 R10", "O3")
    expect(repairs).to_have_text("To mend it: put back orange 3", timeout=TIMEOUT_MS)
    laid.lay("K1", "R5", "B9", "O3", "K7")
    expect(repairs).to_have_text(
        "To mend it: put the table back as it was before the turn", timeout=TIMEOUT_MS
    )


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_a_button_on_the_table_ends_turns(
    laid: LaidDashboard, open_page: OpenPage, key: str
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    laid.lay("K10 B10 R10")
    expect(page.locator("#acts .primary")).to_contain_text("Ada is done", timeout=TIMEOUT_MS)
    page.keyboard.press(key)
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
    expect(page.locator("#acts .primary")).to_contain_text("Ben drew a tile")
    page.wait_for_timeout(BOUNCE_MS)
    page.keyboard.press(key)
    expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)
    expect(page.locator("#seats li").nth(1)).to_contain_text("15 tiles")
    expect(page.locator("#seats li").nth(0)).to_contain_text("11 tiles, opened")
    assert [re.sub(r" \{.*", "", line) for line in laid.lines()[3:]] == [
        "Ada plays: K10 B10 R10",
        "Ben draws",
    ]


def test_a_press_does_not_come_back_to_what_a_finger_pressed_last(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    page.locator("#clock-pause").click()
    expect(page.locator("#clock-pause")).to_have_text("Go on", timeout=TIMEOUT_MS)
    page.keyboard.press("Space")
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)


def test_a_turn_that_is_not_legal_is_taken_back_and_the_table_put_back(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    laid.lay("K10 B10 R11")
    take_back = page.get_by_role("button", name="Take it back and draw 3")
    expect(take_back).to_be_visible(timeout=TIMEOUT_MS)
    page.keyboard.press("Space")
    expect(page.locator("#game-answer")).to_have_text("Choose one of the buttons.")
    take_back.click()
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#ask-text")).to_have_text("Put the table back as it was.")
    expect(page.locator("#ask-tiles")).to_have_text("The table was empty.")
    expect(page.locator("#ruling")).to_be_hidden()
    laid.lay()
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
    expect(page.locator("#seats li").nth(0)).to_contain_text("17 tiles")


def test_a_draw_over_a_run_out_of_order_is_asked_about_in_the_words_of_the_fault(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben", run__order="laid")
    page = phone(open_page, laid)
    laid.lay("K9 K10 K11")
    page.get_by_role("button", name="Ada is done").click(timeout=TIMEOUT_MS)
    draw = page.get_by_role("button", name="Ben drew a tile")
    expect(draw).to_be_visible(timeout=TIMEOUT_MS)
    laid.lay()
    laid.wait_until(lambda state: state.layout == "-")
    laid.lay("K9 K11 K10")
    expect(page.locator("#ask-detail")).to_contain_text("do not lie in order", timeout=TIMEOUT_MS)
    page.wait_for_timeout(BOUNCE_MS)
    draw.click()
    told = page.locator("#ask-sure-text")
    expect(told).to_contain_text("the numbers do not lie in order")
    expect(told).not_to_contain_text("Go on")
    page.locator("#ask-sure-no").click()
    assert laid.lines()[-1].startswith("Ada plays")


def test_somebody_lets_a_turn_stand_by_name_and_it_is_undone_by_name(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    laid.lay("K10 B10 R11")
    page.get_by_role("button", name="Let it stand").click()
    page.locator("#ask-name-list").get_by_role("button", name="Ben").click()
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
    assert "overruled by Ben" in laid.lines()[-1]
    page.get_by_text("Record, house rules, put away").click()
    expect(page.locator("#record-lines li").first).to_contain_text("let stand by Ben")
    page.get_by_role("button", name="Undo that").click()
    page.locator("#ask-name-list").get_by_role("button", name="Ada").click()
    expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)
    assert laid.lines()[-1] == "undo by Ada"
    expect(page.locator("#record-lines li.undone")).to_have_count(1, timeout=TIMEOUT_MS)
    expect(page.locator("#record-lines li.undone")).to_contain_text("Ada plays")


def test_an_earlier_event_is_corrected_on_the_page(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    page.keyboard.press("Space")
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
    page.get_by_text("Record, house rules, put away").click()
    page.locator("#record-lines summary").get_by_text("Ada begins").click()
    page.get_by_role("button", name="Correct: Ada begins").click()
    page.get_by_label("It was so").fill("Ben begins")
    page.locator(
        "#ask-line-yes"
    ).click()  # nobody has to say so before it is known whether it can be
    refused = page.locator("#ask-line-answer")
    expect(refused).to_contain_text("would no longer apply", timeout=TIMEOUT_MS)
    expect(page.get_by_label("It was so")).to_have_value("Ben begins")
    assert not any(line.startswith("correct") for line in laid.lines())
    page.locator("#ask-line-no").click()
    page.locator("#record-lines summary").get_by_text("Ada draws").click()
    page.get_by_role("button", name=re.compile("Correct: Ada draws")).click()
    expect(refused).to_have_text("")
    page.get_by_label("It was so").fill("Ada draws K7")
    page.locator("#ask-line-yes").click()
    page.locator("#ask-name-list").get_by_role("button", name="Ben").click()
    expect(page.locator("#record-lines li[data-number='4']")).to_contain_text(
        "told as Ada draws", timeout=TIMEOUT_MS
    )
    assert laid.lines()[-1].startswith("correct 4 by Ben: ")


def test_a_round_is_scored_from_a_photograph_and_from_what_is_typed(
    laid: LaidDashboard, open_page: OpenPage, tmp_path: Path
) -> None:
    begin(laid, "Ada", "Ben", "Cleo", score__target="50")
    page = phone(open_page, laid)
    laid.lay(*GOING_OUT)
    page.get_by_role("button", name="Ada is done").click()
    expect(page.locator("#ask-text")).to_have_text("Ada is out!", timeout=TIMEOUT_MS)
    photo = tmp_path / "rack.jpg"
    rack = ("R1 R2 R3 R4 R5 R6 R7/B7", "R8 R9 R11 R12 R13 O1 O2")
    laid.table.lay(*rack)
    cv2.imwrite(str(photo), laid.table.picture())
    bens = page.locator("[data-player='Ben']")
    bens.locator("input[type=file]").set_input_files(photo)
    expect(bens.locator(".rack-sum")).to_have_text("14 tiles; 84 points.", timeout=TIMEOUT_MS)
    doubtful = bens.get_by_role("button", name="red 7, in doubt")
    doubtful.click()
    page.locator("#ask-tile-picker [aria-label='joker']").click()
    expect(bens.locator(".rack-sum")).to_have_text("14 tiles; 107 points.", timeout=TIMEOUT_MS)
    cleos = page.locator("[data-player='Cleo']")
    cleos.get_by_role("textbox").fill("r1 r2 r14")
    cleos.get_by_role("button", name="Take it").click()
    answer = cleos.locator(".action-answer")
    expect(answer).to_contain_text("R14 is no tile.", timeout=TIMEOUT_MS)
    expect(answer).to_be_in_viewport()
    expect(cleos.get_by_role("textbox")).to_have_value("r1 r2 r14")
    cleos.get_by_role("textbox").fill("r1 r2 r3 r4 r5 r6 r7 r8 r9 r11 r12 r13 o1 o2")
    cleos.get_by_role("button", name="Take it").click()
    expect(cleos.locator(".rack-sum")).to_have_text("14 tiles; 84 points.", timeout=TIMEOUT_MS)
    page.get_by_role("button", name="Score it").click()
    expect(page.locator("#ask-text")).to_have_text("Ada won.", timeout=TIMEOUT_MS)
    page.get_by_role("link", name="Score sheet").click()
    expect(page.locator("#sheet-rows")).to_contain_text("191", timeout=TIMEOUT_MS)
    cells = page.locator("#sheet-foot td").all_text_contents()
    assert cells == ["191", "-107", "-84"]
    expect(page.locator("#winner")).to_have_text("Ada won!")
    read = [e.event for e in laid.log.read() if isinstance(e.event, RackRead)]
    assert [(event.player, event.source, len(event.tiles)) for event in read] == [
        ("Ben", "photo", 14)
    ]


def asked_for_racks(laid: LaidDashboard, open_page: OpenPage) -> Page:
    """The page on a phone where Ada is out, and the racks of Ben and Cleo are asked for."""
    begin(laid, "Ada", "Ben", "Cleo")
    page = phone(open_page, laid)
    end_the_round(laid)
    return page


def refuse_cleos(page: Page) -> Locator:
    """Types what is no tile as Cleo's rack: the answer to that."""
    cleos = page.locator("[data-player='Cleo']")
    cleos.get_by_role("textbox").fill("r1 r14")
    cleos.get_by_role("button", name="Take it").click()
    answer = cleos.locator(".action-answer")
    expect(answer).to_contain_text("R14 is no tile.", timeout=TIMEOUT_MS)
    return answer


def test_what_is_wrong_with_a_rack_stays_told_when_another_is_told_elsewhere(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = asked_for_racks(laid, open_page)
    answer = refuse_cleos(page)
    assert laid.post("/api/game/rack", {"player": "Ben", "tiles": "R1 R2"})[0] == 200
    bens = page.locator("[data-player='Ben'] .rack-sum")
    expect(bens).to_contain_text("2 tiles; 3 points.", timeout=TIMEOUT_MS)
    expect(answer).to_contain_text("R14 is no tile.")
    expect(answer).to_have_class(re.compile("refused"))
    laid.lay("K10 B10 R10")
    page.locator("[data-player='Ben']").get_by_text("Say it again").click()
    page.locator("[data-player='Ben']").get_by_role("button", name="It lies before").click()
    expect(bens).to_contain_text("3 tiles; 30 points.", timeout=TIMEOUT_MS)
    expect(answer).to_have_text("")


def test_what_is_wrong_with_a_rack_stays_told_when_an_earlier_wish_is_done(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = asked_for_racks(laid, open_page)
    under_way: list[tuple[Route, APIResponse]] = []
    page.route("**/api/game/rack", lambda route: under_way.append((route, route.fetch())))
    bens = page.locator("[data-player='Ben']")
    bens.get_by_role("textbox").fill("r1 r2")
    bens.get_by_role("button", name="Take it").click()
    expect(bens.locator(".rack-sum")).to_contain_text("2 tiles; 3 points.", timeout=TIMEOUT_MS)
    answer = refuse_cleos(page)
    ((route, response),) = under_way
    with page.expect_response("**/api/game/rack"):
        route.fulfill(response=response)
    page.wait_for_timeout(200)
    expect(answer).to_contain_text("R14 is no tile.")


def test_in_the_middle_of_a_game_the_program_begins_again_and_nothing_is_lost(
    tmp_path: Path, open_page: OpenPage, open_laid: OpenLaid
) -> None:
    table = StaticTable()
    with closing(open_laid(tmp_path, table)) as first:
        laid = next(first)
        begin(laid, "Ada", "Ben")
        laid.lay("K10 B10 R10")
        page = phone(open_page, laid)
        page.get_by_role("button", name="Ada is done").click()
        expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
        seats, lines = page.locator("#seats").inner_text(), laid.lines()
    with closing(open_laid(tmp_path, table)) as second:
        laid = next(second)
        page = phone(open_page, laid)
        expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
        assert (page.locator("#seats").inner_text(), laid.lines()) == (seats, lines)
        expect(page.locator("#clock-pause")).to_have_text("Go on")
        expect(page.locator("#clock-note")).to_contain_text("when the clock stood at ")
        page.locator("#clock-pause").click()
        expect(page.locator("#clock-note")).to_be_hidden(timeout=TIMEOUT_MS)
        page.get_by_role("button", name="Ben drew a tile").click()
        expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)


def test_when_the_time_is_up_the_page_says_what_follows_and_a_person_confirms(
    tmp_path: Path, open_page: OpenPage, open_laid: OpenLaid
) -> None:
    time = HeldClock()
    with closing(open_laid(tmp_path, StaticTable(), time.clock)) as opened:
        laid = next(opened)
        begin(laid, "Ada", "Ben")
        page = phone(open_page, laid)
        expect(page.locator("#clock")).to_have_attribute("data-state", "running")
        time.now_s += 120
        expect(page.locator("#ask-text")).to_have_text("Time is up for Ada.", timeout=TIMEOUT_MS)
        expect(page.locator("#clock-time")).to_have_text("0:00")
        expect(page.locator("#ask-detail")).to_contain_text("Ada draws 1 tile")
        page.keyboard.press("Space")
        expect(page.locator("#game-answer")).to_have_text("Choose one of the buttons.")
        page.get_by_role("button", name="Accept").click()
        page.locator("#ask-sure-yes").click()
        expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
        assert laid.lines()[-1] == "Ada runs out of time"
        ended = page.locator("#turns .turn", has_text="Ada").locator(".chip")
        expect(ended).to_have_text(["time was up"], timeout=TIMEOUT_MS)


def test_the_countdown_is_that_of_the_log_s_clock(laid: LaidDashboard, open_page: OpenPage) -> None:
    begin(laid, "Ada", "Ben", timeout__limit_s="3600")
    laid.session.in_game(lambda game: game.set_clock("paused"))
    page = phone(open_page, laid)
    spent = laid.get("/api/state")["game"]["clock"]["spent_s"]
    minutes, seconds = (page.locator("#clock-time").inner_text()).split(":")
    assert abs(int(minutes) * 60 + int(seconds) - (3600 - spent)) <= 1
    assert page.locator("#clock").get_attribute("data-state") == "paused"


READY = {"/": "#acts button", "/begin": "body[data-ready]", "/score": "#score-where:not(:empty)"}


@pytest.mark.parametrize("path", READY)
def test_no_page_of_a_game_needs_scrolling_sideways(
    laid: LaidDashboard, open_page: OpenPage, path: str
) -> None:
    begin(laid, "Grandmother Ada", "Ben", "Cleo", "Dan")
    laid.lay("K10 B10 R11")
    page = open_page(laid.url + path, 360, 844, until=READY[path])
    for width in (360, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_field_and_button_of_a_game_has_a_name(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    laid.lay(*GOING_OUT)
    page.get_by_role("button", name="Ada is done").click()
    expect(page.locator("#racks")).to_be_visible(timeout=TIMEOUT_MS)
    for url in (None, f"{laid.url}/begin"):
        if url is not None:
            page.goto(url)
            page.wait_for_selector("body[data-ready]")
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("button, input, select")].filter((e) =>
                 e.checkVisibility() && !e.textContent.trim() && !e.getAttribute("aria-label")
                 && !(e.labels && e.labels.length)).map((e) => e.outerHTML)"""
        )
        assert nameless == []


def test_what_is_asked_stands_out_from_what_is_behind_it(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for selector in (
            "#ask-text",
            "#ask-detail",
            "#acts .primary",
            "#clock-time",
            ".seat .hint",
        ):
            colours = colours_of(page.locator(selector).first)
            assert contrast(*colours) >= 4.5, (scheme, selector, colours)


def test_every_field_of_a_game_is_in_the_docs(laid: LaidDashboard) -> None:
    begin(laid, "Ada", "Ben")
    text = (Path(__file__).parents[2] / "docs/api.md").read_text("utf-8")
    game = laid.get("/api/state")["game"]
    for name in [*game, *game["ask"], *game["ask"]["acts"][0], *game["seats"][0], *game["clock"]]:
        assert f"`{name}`" in text, name


HOSTILE = [
    ("/api/game/begin", {"preset": "pressman", "players": ["Ada", 7]}, 400),
    ("/api/game/begin", {"preset": "pressman", "players": ["x" * 99, "Ben"]}, 400),
    ("/api/game/begin", {"preset": "../pressman", "players": ["Ada", "Ben"]}, 400),
    (
        "/api/game/begin",
        {"preset": "pressman", "players": ["Ada", "Ben"], "house_rules": {"no.such": "yes"}},
        409,
    ),
    ("/api/game/act", {"act": "draw", "sequence": 0}, 409),
    ("/api/game/act", {"act": "draw"}, 400),
    ("/api/game/correct", {"number": 1, "line": "x" * 5000}, 400),
    ("/api/game/clock", {"to": "paused"}, 409),
    ("/api/game/leave", {"by": "\ud800"}, 400),
    ("/api/game/begin", {"preset": "pressman", "players": ["Ada", "\udfff"]}, 400),
    ("/api/game/rack", {"player": "Ben", "tiles": "K1"}, 409),
]


def test_wishes_that_fit_no_game_change_nothing(laid: LaidDashboard) -> None:
    before = laid.log.last_sequence()
    for path, wish, expected in HOSTILE:
        status, answer = laid.post(path, wish)
        assert (status, set(answer)) == (expected, {"error", "message"}), (path, wish)
    assert laid.log.last_sequence() == before


def test_a_photograph_that_is_none_is_refused_in_words(laid: LaidDashboard) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    path, jpeg = "/api/game/rack/photo?player=Ben", {"Content-Type": "image/jpeg"}
    assert laid.send("POST", path, b"\xff\xd8 torn", jpeg)[0] == 400
    assert laid.send("POST", path, b"{}", {"Content-Type": "application/json"})[0] == 415
    assert laid.send("POST", path, b"\xff" * (3 * 1024 * 1024 + 1), jpeg)[0] == 413
    assert laid.send("POST", path, b"\xff", jpeg | {"Origin": "http://evil.example"})[0] == 403


def test_a_tile_that_could_not_be_read_is_named_where_it_is_asked_about(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    laid.table.lay("R10 B10 ?")
    page = open_page(laid.url, *PHONE, until="#ask-questions .question")
    box = page.locator("#ask-questions .question")
    expect(box).to_contain_text("could not be read")
    box.get_by_role("button", name="Say which tile it is").click()
    page.locator("#ask-tile-picker").get_by_role("button", name="black 10").click()
    expect(page.locator("#verdict")).to_have_text("Legal", timeout=TIMEOUT_MS)
    laid.table.lay("", "", "R10 B10 K10/K1")
    another = page.locator("#ask-questions").get_by_role("button", name="Another tile")
    expect(another).to_be_visible(timeout=TIMEOUT_MS)
    another.click()
    expect(page.locator("#ask-tile-text")).to_contain_text("not sure of it")


def test_where_a_tile_was_read_too_often_each_of_them_can_be_named(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    laid.table.lay("K10 B10 R10", "K10 B10 O10", "R4 R5 K10")
    page = open_page(laid.url, *PHONE, until="#ask-questions .question")
    box = page.locator("#ask-questions .question")
    others = [f"Tile {tile} of set {at} is another" for tile, at in ((1, 1), (1, 2), (3, 3))]
    expect(box.get_by_role("button")).to_have_text(others)
    aside = page.locator("#acts button")
    expect(aside).to_have_text(["Take it back and draw 3"])
    expect(aside).to_have_class("aside")
    box.get_by_role("button", name=others[2]).click()
    page.locator("#ask-tile-picker").get_by_role("button", name="red 6").click()
    expect(page.locator("#verdict")).to_have_text("Legal", timeout=TIMEOUT_MS)


def test_a_house_rule_that_a_time_that_is_up_waits_for_is_answered_on_the_page(
    tmp_path: Path, open_page: OpenPage, open_laid: OpenLaid
) -> None:
    time = HeldClock()
    with closing(open_laid(tmp_path, StaticTable(), time.clock)) as opened:
        laid = next(opened)
        begin(laid, "Ada", "Ben")
        laid.lay("K10 B10 R10")
        state = laid.wait_until(lambda state: state.ruling is not None)
        laid.session.end_turn(state.layout_sequence)
        laid.lay("K10 B10 R10 O10", "R11 R12 R13")
        time.now_s += 120
        laid.wait_until(lambda state: state.game.clock.over)
        laid.lay("K10 B10 R10", "B1 B2")
        page = open_page(laid.url, *PHONE, until="#ask-questions .question")
        expect(page.locator("#ask-text")).to_have_text("Time is up for Ben.")
        box = page.locator("#ask-questions .question")
        expect(box).to_have_count(1)
        expect(box).to_contain_text("May the same turn go on to build on sets")
        box.get_by_role("button").last.click()
        expect(page.locator("#ask-detail")).to_contain_text("stands", timeout=TIMEOUT_MS)
        assert laid.lines()[-1] == "house rule: opening.same_turn_extension=yes"
