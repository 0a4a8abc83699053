"""What people run into in an evening: quick fingers, dead networks, wrong files, and who said what."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from table.board import Board, LiveState
from table.event_log import open_event_log
from table.events import ClockSet, Correction, SessionStarted, TurnConfirmed
from tests.table.laid_table import StaticTable, events_of
from tests.web.begun_game import (
    BOUNCE_MS,
    PHONE,
    TIMEOUT_MS,
    OpenLaid,
    OpenPage,
    begin,
    end_the_round,
    phone,
)
from vision.sources import Health, HealthState
from web import stream

if TYPE_CHECKING:
    from conftest import LaidDashboard, Relay

LEAST_TARGET_PX = 44


def stopped(laid: LaidDashboard, open_page: OpenPage) -> Page:
    """The page of Ada's first turn, whose time goes on only when it is told to."""
    page = open_page(laid.url, *PHONE, until="#acts button")
    page.clock.install()
    page.reload()
    expect(page.locator("#acts .primary")).to_contain_text("Ada drew", timeout=TIMEOUT_MS)
    page.clock.pause_at("2100-01-01")
    return page


def test_the_bounce_of_a_press_does_not_play_the_next_player_s_turn(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = stopped(laid, open_page)
    draw = page.locator("#acts .primary")
    draw.click()
    expect(draw).to_contain_text("Ben drew", timeout=TIMEOUT_MS)
    draw.click()
    page.keyboard.press("Space")
    page.clock.run_for(1000)
    page.keyboard.press("Space")
    expect(draw).to_contain_text("Ada drew", timeout=TIMEOUT_MS)
    assert [line.split(" {")[0] for line in laid.lines()[3:]] == ["Ada draws", "Ben draws"]


def middle_of(button: Locator) -> tuple[float, float]:
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def put_behind(button: Locator, x: float, y: float) -> None:
    """Scrolls the page until that button lies there, also behind a dialog."""
    button.evaluate(
        """(button, y) => {
            document.body.style.paddingTop = document.body.style.paddingBottom = "100vh";
            const { top, height } = button.getBoundingClientRect();
            scrollBy({ top: top + height / 2 - y, behavior: "instant" });
        }""",
        y,
    )
    box = button.bounding_box()
    assert box is not None
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]


def test_the_bounce_of_an_answer_does_not_press_what_was_behind_it(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    draw = page.locator("#acts .primary")
    draw.click()
    expect(draw).to_contain_text("Ben drew", timeout=TIMEOUT_MS)
    page.get_by_role("button", name="Undo that").click()
    there = middle_of(page.locator("#ask-name-list").get_by_role("button", name="Ben"))
    put_behind(draw, *there)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.wait_for_timeout(BOUNCE_MS)
    page.mouse.dblclick(*there)
    expect(draw).to_contain_text("Ada drew", timeout=TIMEOUT_MS)
    page.wait_for_timeout(BOUNCE_MS)
    assert f"{laid.url}/api/game/undo" in sent
    assert f"{laid.url}/api/game/act" not in sent
    put_behind(draw, *there)
    with page.expect_response("**/api/game/act"):
        page.mouse.click(*there)
    expect(draw).to_contain_text("Ben drew", timeout=TIMEOUT_MS)
    told = [line.split(" {")[0] for line in laid.lines()[3:]]
    assert told == ["Ada draws", "undo by Ben", "Ada draws"]


def test_a_double_tap_on_what_is_asked_again_does_not_answer_it(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    laid.lay("K10 B10 R11")
    take_back = page.get_by_role("button", name="Take it back and draw 3")
    take_back.click(timeout=TIMEOUT_MS)
    there = middle_of(page.locator("#ask-sure-yes"))
    page.locator("#ask-sure-no").click()
    put_behind(take_back, *there)
    page.wait_for_timeout(BOUNCE_MS)
    page.mouse.dblclick(*there)
    expect(page.locator("#ask-sure")).to_be_visible()
    page.wait_for_timeout(BOUNCE_MS)
    assert laid.lines()[-1] == "deal"
    page.mouse.click(*there)
    expect(page.locator("#ask-text")).to_contain_text("Put the table back", timeout=TIMEOUT_MS)


def test_the_bounce_of_a_press_does_not_set_the_clock_going_again(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = stopped(laid, open_page)
    pause = page.locator("#clock-pause")
    expect(pause).to_have_text("Pause", timeout=TIMEOUT_MS)
    pause.click()
    expect(pause).to_have_text("Go on", timeout=TIMEOUT_MS)
    pause.click()
    page.clock.run_for(1000)
    with page.expect_response("**/api/game/clock"):
        pause.click()
    expect(pause).to_have_text("Pause", timeout=TIMEOUT_MS)
    assert [event.to for event in events_of(laid.log, ClockSet)] == ["paused", "running"]


def test_an_arbiter_who_does_not_play_decides_by_name_and_the_page_says_who_and_when(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    laid.lay("K10 B10 R11")
    page.get_by_role("button", name="Let it stand").click()
    page.get_by_label("Somebody else, such as an arbiter").fill("Dan")
    page.get_by_role("button", name="Use this name").click()
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
    assert "overruled by Dan" in laid.lines()[-1]
    turn = page.locator("#turns details").nth(1)
    expect(turn.locator("summary")).to_contain_text("let stand by Dan")
    expect(turn).to_contain_text("Turn ended by Dan.")
    page.get_by_text("Record, house rules, put away").click()
    page.get_by_role("button", name="Undo that").click()
    expect(page.locator("#ask-name-text")).to_contain_text("let stand by Dan")
    expect(page.get_by_label("Somebody else, such as an arbiter")).to_have_value("Dan")


def test_a_press_that_came_too_late_is_told_though_the_page_has_caught_up(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    page.get_by_role("button", name="Undo that").click()
    state = laid.get("/api/state")
    told = {"sequence": state["game"]["sequence"], "layout_sequence": state["layout_sequence"]}
    status, _ = laid.post("/api/game/act", {"act": "draw", **told})
    assert status == 200
    page.get_by_role("button", name="Ada", exact=True).click()
    expect(page.locator("#game-answer.refused")).to_contain_text("gone on", timeout=TIMEOUT_MS)
    expect(page.locator("#ask-text")).to_have_text("Ben's turn", timeout=TIMEOUT_MS)
    page.wait_for_timeout(1000)
    expect(page.locator("#game-answer.refused")).to_contain_text("gone on")


def test_without_a_network_the_page_says_so_at_once_and_after_it_goes_on(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    page.context.set_offline(True)
    expect(page.locator("#lost")).to_contain_text("connection to the table is lost")
    page.locator("#acts .primary").click()
    expect(page.locator("#game-answer")).to_contain_text("did not answer", timeout=TIMEOUT_MS)
    laid.lay("K10 B10 R10")
    page.context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden(timeout=TIMEOUT_MS)
    expect(page.locator("#acts .primary")).to_contain_text("Ada is done", timeout=TIMEOUT_MS)
    expect(page.locator("#game-answer")).to_have_text("")


def test_a_stream_on_which_nothing_happens_says_that_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_S", 0.01)
    board = Board(LiveState.at_start("a table of the test", False, "pressman"))
    messages = stream._stream(board, open_event_log(tmp_path / "log.sqlite3"), 0)
    kinds = [message.split("\n", 1)[0] for message in islice(messages, 4)]
    assert kinds == ["retry: 1000", "event: state", "event: here", "event: here"]


def test_a_stream_that_is_silent_for_long_is_opened_anew(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    page.clock.install()
    page.reload()
    laid.table.health = Health(HealthState.LOST, "no picture comes")
    expect(page.locator("#camera")).to_have_attribute("data-state", "lost", timeout=TIMEOUT_MS)
    with page.expect_request("**/api/events*"):
        page.clock.fast_forward(30_000)
    expect(page.locator("#lost")).to_be_hidden(timeout=TIMEOUT_MS)


def test_while_the_camera_is_out_what_was_legal_is_said_of_the_layout_before(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    laid.lay("K10 B10 R10")
    detail = page.locator("#ask-detail")
    expect(detail).to_have_text("This is legal.", timeout=TIMEOUT_MS)
    laid.table.health = Health(HealthState.LOST, "no picture comes")
    expect(detail).to_have_text("By the layout read last: This is legal.", timeout=TIMEOUT_MS)
    laid.table.health = Health(HealthState.LIVE)
    expect(detail).to_have_text("This is legal.", timeout=TIMEOUT_MS)


def test_a_page_that_stayed_open_shows_what_the_program_shows_after_it_began_again(
    tmp_path: Path,
    open_page: OpenPage,
    open_laid: OpenLaid,
    relay_to: Callable[[int], Relay],
) -> None:
    with closing(open_laid(tmp_path, StaticTable())) as first:
        laid = next(first)
        wire = relay_to(laid.port)
        begin(laid, "Ada", "Ben")
        page = open_page(wire.url, *PHONE, until="#acts button")
        for melds in (["K10 B10"], ["K10 B10 R10"], ["K10 B10 R10", "K1 K2"], ["K10 B10 R10"]):
            laid.lay(*melds)
        expect(page.locator("#layout-text")).to_have_text("K10 B10 R10", timeout=TIMEOUT_MS)
        wire.cut()
    table = StaticTable()
    table.lay("R1 R2 R3")
    with closing(open_laid(tmp_path, table)) as second:
        laid = next(second)
        laid.wait_until(lambda state: state.layout == "R1 R2 R3")
        shown = int(page.locator("body").get_attribute("data-version") or 0)
        assert laid.get("/api/state")["version"] < shown
        wire.mend(laid.port)
        expect(page.locator("#layout-text")).to_have_text("R1 R2 R3", timeout=TIMEOUT_MS)


@pytest.mark.parametrize("turns", [0, 9])
def test_a_page_that_stayed_open_shows_the_history_of_another_log(
    tmp_path: Path,
    open_page: OpenPage,
    open_laid: OpenLaid,
    relay_to: Callable[[int], Relay],
    turns: int,
) -> None:
    """The other log may be the shorter one or the longer one."""
    other_folder = tmp_path / "other"
    other_folder.mkdir()
    with closing(open_laid(tmp_path, StaticTable())) as first:
        laid = next(first)
        wire = relay_to(laid.port)
        begin(laid, "Ada", "Ben")
        page = open_page(wire.url, *PHONE, until="#acts button")
        laid.lay("K10 B10 R10")
        expect(page.locator("#turns")).to_contain_text("Ada", timeout=TIMEOUT_MS)
        wire.cut()
    with closing(open_laid(other_folder, StaticTable())) as second:
        laid = next(second)
        laid.lay("R1 R2 R3")
        for turn in range(turns):
            laid.lay("R1 R2 R3", "O1 O2 O3 O4 O5 O6 O7 O8 O9 O10"[: 8 + 3 * turn])
        wire.mend(laid.port)
        expect(page.locator("#layout-text")).to_contain_text("R1 R2 R3", timeout=TIMEOUT_MS)
        expect(page.locator("#turns")).not_to_contain_text("Ada", timeout=TIMEOUT_MS)
        laid.lay("R1 R2 R3 R4")
        read = page.locator("#turns [data-kind='layout_read'] code")
        expect(read.first).to_have_text("R1 R2 R3 R4", timeout=TIMEOUT_MS)


def test_the_newest_turn_is_unfolded_and_those_that_a_person_unfolded(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(laid.url, *PHONE, until="#turns details")
    unfolded = page.locator("#turns details[open] .turn-name")
    for number in range(1, 5):
        if number == 3:
            page.locator("#turns summary").nth(1).click()
        laid.lay(*["K10 B10 R10", "K1 K2 K3", "R4 R5 R6", "O7 O8 O9"][:number])
        state = laid.wait_until(lambda state: state.ruling is not None)
        laid.session.end_turn(state.layout_sequence, anyway=True)
        expect(page.locator("#turn-now")).to_have_text(f"Turn {number + 1}", timeout=TIMEOUT_MS)
    expect(unfolded).to_have_text(["Turn 5", "Turn 2"], timeout=TIMEOUT_MS)
    page.locator("#turns summary").first.click()
    laid.lay("K10 B10 R10")
    expect(page.locator("#layout-text")).to_have_text("K10 B10 R10", timeout=TIMEOUT_MS)
    expect(unfolded).to_have_text(["Turn 2"])


def test_what_is_told_on_one_phone_is_seen_on_the_other_and_only_one_of_two_answers_counts(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    one, other = (open_page(laid.url, *PHONE, until="#acts button") for _ in range(2))
    laid.table.lay("K6/B6 R6 O6 K6")
    state = laid.wait_until(lambda state: len(state.tiles) == 4 and not state.moving)
    one.locator("#melds .tile-button").first.click()
    one.locator("#ask-tile-likely button").nth(1).click()
    expect(other.locator("#melds .corrected")).to_have_attribute("data-label", "B6")
    late = {"layout_sequence": state.layout_sequence, "tile": 0, "option": "K6"}
    status, answer = laid.post("/api/answer", late)
    assert (status, answer["error"]) == (409, "stale")


def test_whoever_puts_a_rack_right_says_which_rack_was_shown(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    laid.post("/api/game/rack", {"player": "Ben", "tiles": "K7 K7 R9"})
    page = open_page(laid.url, *PHONE, until="#racks .tile-button")
    page.locator("#racks .tile-button").first.click()
    with page.expect_request("**/api/game/rack/tile") as sent:
        page.locator("#ask-tile-none").click()
    assert sent.value.post_data_json["shown"] == ["K7", "K7", "R9"]
    expect(page.locator("#racks .tile-button")).to_have_count(2, timeout=TIMEOUT_MS)
    page.locator("#racks .add-tile").click()
    with page.expect_request("**/api/game/rack/tile") as sent:
        page.locator("#ask-tile").get_by_role("button", name="red 1", exact=True).click()
    assert sent.value.post_data_json == {
        "player": "Ben",
        "tile": 2,
        "label": "R1",
        "shown": ["K7", "R9"],
    }
    expect(page.locator("#racks .tile-button")).to_have_count(3, timeout=TIMEOUT_MS)


def test_the_log_names_who_uses_the_device_on_which_something_was_said(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    page.get_by_label("Who uses this device?").fill("Dan")
    page.get_by_label("Who uses this device?").press("Tab")
    laid.table.lay("K6/B6 R6 O6 K6")
    laid.wait_until(lambda state: len(state.tiles) == 4 and not state.moving)
    page.locator("#melds .tile-button").first.click()
    page.locator("#ask-tile-likely button").nth(1).click()
    correction = page.locator("#turns [data-kind='correction']")
    expect(correction).to_contain_text("Dan says that black 6 is blue 6.", timeout=TIMEOUT_MS)
    said = [e.event for e in laid.log.read() if isinstance(e.event, Correction)]
    assert [(event.by, event.was, event.label) for event in said] == [("Dan", "K6", "B6")]
    page.reload()
    expect(page.get_by_label("Who uses this device?")).to_have_value("Dan")


def test_a_file_that_is_no_photograph_is_told_and_another_can_be_taken(
    laid: LaidDashboard, open_page: OpenPage, tmp_path: Path
) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    page = open_page(laid.url, *PHONE, until="#racks .rack")
    letter = tmp_path / "letter.jpg"
    letter.write_text("no picture")
    page.locator("[data-player='Ben'] input[type=file]").set_input_files(letter)
    expect(page.locator("[data-player='Ben'] .action-answer")).to_contain_text(
        "letter.jpg is no photograph", timeout=TIMEOUT_MS
    )


def test_a_photograph_that_is_cut_short_or_too_large_for_the_browser_is_told(
    laid: LaidDashboard, open_page: OpenPage, tmp_path: Path
) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    page = open_page(laid.url, *PHONE, until="#racks .rack")
    photo, bens = tmp_path / "rack.jpg", page.locator("[data-player='Ben']")
    whole = laid.send("GET", "/live.jpg")[1]
    photo.write_bytes(whole[: len(whole) // 2])
    bens.locator("input[type=file]").set_input_files(photo)
    expect(bens.locator(".action-answer")).to_contain_text("no photograph", timeout=TIMEOUT_MS)
    page.evaluate("() => { HTMLCanvasElement.prototype.toBlob = (done) => done(null); }")
    photo.write_bytes(whole)
    bens.locator("input[type=file]").set_input_files(photo)
    expect(bens.locator(".action-answer")).to_contain_text(
        "rack.jpg is too large for this browser.", timeout=TIMEOUT_MS
    )
    assert laid.get("/api/state")["game"]["racks"][0]["tiles"] is None


def test_a_photograph_without_a_tile_is_no_empty_rack(laid: LaidDashboard) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    laid.table.placements = []
    path, jpeg = "/api/game/rack/photo?player=Ben", {"Content-Type": "image/jpeg"}
    jpg = laid.send("GET", "/live.jpg")[1]
    status, body, _ = laid.send("POST", path, jpg, jpeg)
    assert status == 409
    assert b"no tile was found" in body
    assert laid.get("/api/state")["game"]["racks"][0]["tiles"] is None


def test_more_tiles_than_a_player_holds_are_told_and_the_turn_is_not_offered_to_end(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    laid.lay(" ".join(f"K{number}" for number in range(1, 14)), "B10 R10 O10")
    expect(page.locator("#ask-detail")).to_contain_text("Ada held 14 tiles", timeout=TIMEOUT_MS)
    expect(page.locator("#summary")).to_contain_text("cannot be those of this turn")
    expect(page.locator("#acts button")).to_have_count(1)


def test_what_was_answered_to_a_wish_goes_with_the_turn_it_was_about(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    laid.lay("K10 B10 R11")
    expect(page.get_by_role("button", name="Let it stand")).to_be_visible(timeout=TIMEOUT_MS)
    page.keyboard.press("Space")
    expect(page.locator("#game-answer")).to_have_text("Choose one of the buttons.")
    laid.lay("K10 B10 R10")
    expect(page.locator("#game-answer")).to_have_text("", timeout=TIMEOUT_MS)


def test_what_cannot_be_begun_is_said_before_and_after_begin_is_pressed(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(f"{laid.url}/begin", *PHONE, until="body[data-ready]")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#refused")).to_contain_text("for 2 to 4 players")
    begin(laid, "Ada", "Ben")
    page.reload()
    expect(page.locator("#cannot")).to_contain_text("in the middle of a game", timeout=TIMEOUT_MS)
    expect(page.get_by_role("button", name="Begin", exact=True)).to_be_disabled()


def test_names_are_text_and_never_markup(laid: LaidDashboard, open_page: OpenPage) -> None:
    name = "<img src=x onerror=alert(1)>"
    begin(laid, name, "Ben")
    page = open_page(laid.url, *PHONE, until="#acts button")
    expect(page.locator("#ask-text")).to_have_text(f"{name}'s turn")
    page.get_by_text("Record, house rules, put away").click()
    expect(page.locator("#record-lines li").first).to_be_visible(timeout=TIMEOUT_MS)
    assert page.locator("main img").count() == 1, "the picture of the table alone"


SMALL = """() => [...document.querySelectorAll("button, summary, select, a, label.choice, label.button")]
    .filter((e) => e.checkVisibility())
    .map((e) => [e.getBoundingClientRect(), e.outerHTML.slice(0, 80)])
    .filter(([box]) => Math.min(box.width, box.height) < %d - 0.5)
    .map(([box, html]) => `${box.width} x ${box.height}: ${html}`)"""


@pytest.mark.parametrize("path", ["/", "/begin", "/score"])
def test_a_finger_hits_everything_that_can_be_pressed(
    laid: LaidDashboard, open_page: OpenPage, path: str
) -> None:
    begin(laid, "Ada", "Ben", "Cleo")
    end_the_round(laid)
    laid.post("/api/game/rack", {"player": "Ben", "tiles": "R1 R2 R3 R4 R5 R6 R7 R8 J"})
    ready = {"/": "#racks .tile-button", "/begin": "body[data-ready]", "/score": "#score-where"}
    page = open_page(laid.url + path, *PHONE, until=ready[path], has_touch=True)
    for summary in page.locator("#record > summary, #house > summary").all():
        summary.click()
    assert page.evaluate(SMALL % LEAST_TARGET_PX) == []
    if path == "/":
        page.locator("#racks .tile-button").first.click()
        assert page.evaluate(SMALL % LEAST_TARGET_PX) == []


def test_turns_before_those_that_a_page_begins_with_are_fetched_by_a_press(
    tmp_path: Path, open_page: OpenPage, open_laid: OpenLaid
) -> None:
    long_ago = 320
    with open_event_log(tmp_path / "log.sqlite3").writer() as writer:
        writer.append(SessionStarted("a table", rendered=False, rules="pressman"))
        writer.append(*(TurnConfirmed(n, "-", "LEGAL", "Ada") for n in range(1, long_ago + 1)))
    with closing(open_laid(tmp_path, StaticTable())) as laid_dashboards:
        laid = next(laid_dashboards)
        page = open_page(laid.url, *PHONE, until="#turns details")
        names, older = page.locator("#turns .turn-name"), page.locator("#turns-older")
        assert "Turn 100" not in names.all_text_contents()
        for button_is_left in (True, False):
            expect(older).to_be_visible()
            shown = names.count()
            older.click()
            expect(names).not_to_have_count(shown, timeout=TIMEOUT_MS)
            expect(older).to_be_visible(visible=button_is_left)
        assert {f"Turn {n}" for n in range(1, long_ago + 1)} <= {*names.all_text_contents()}
        laid.lay("K10 B10 R10")
        expect(page.locator("#turns [data-kind='layout_read'] code").first).to_have_text(
            "K10 B10 R10", timeout=TIMEOUT_MS
        )
        assert "Turn 1" in names.all_text_contents(), "what somebody wanted to see stays"
