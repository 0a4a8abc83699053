"""Every decision of a person is in the log with who made it and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from table.events import ClockSet
from tests.web.begun_game import (
    PHONE,
    TIMEOUT_MS,
    OpenPage,
    begin,
    end_the_round,
)
from vision.calibration.region import WHOLE_CORNERS
from vision.sources import Health, HealthState

if TYPE_CHECKING:
    from conftest import LaidDashboard

WHOLE = [list(corner) for corner in WHOLE_CORNERS]
DAN = {"by": "Dan"}


def said_by(laid: LaidDashboard, path: str, wish: dict[str, Any]) -> list[tuple[str, str]]:
    """The events that a wish of Dan came to, each with who said so."""
    last = laid.log.last_sequence()
    status, answer = laid.post(path, wish | DAN)
    assert status == 200, answer
    return [(e.event.kind, e.event.by) for e in laid.log.read(last) if hasattr(e.event, "by")]  # type: ignore[attr-defined]


def in_game(laid: LaidDashboard, act: str, **more: object) -> dict[str, Any]:
    state = laid.get("/api/state")
    named = {"layout_sequence": state["layout_sequence"], "sequence": state["game"]["sequence"]}
    return {"act": act} | named | more


def test_what_is_said_of_the_table_and_the_camera_is_logged_with_who_said_it(
    laid: LaidDashboard,
) -> None:
    assert said_by(laid, "/api/new-round", {}) == [("round_started", "Dan")]
    laid.lay("K10 B10 R10")
    state = laid.wait_until(lambda state: state.ruling is not None)
    end = {"layout_sequence": state.layout_sequence}
    assert ("turn_confirmed", "Dan") in said_by(laid, "/api/end-turn", end)
    shown = said_by(laid, "/api/restore", {"show": True})
    assert shown == [("table_before_shown", "Dan")]
    region = {"corners": WHOLE, "sequence": 0}
    assert said_by(laid, "/api/region", region) == [("region_set", "Dan")]
    assert laid.get("/api/state")["region"]["by"] == "Dan"
    laid.table.health = Health(HealthState.MOVED, "moved")
    laid.wait_until(lambda state: state.camera is HealthState.MOVED)
    assert said_by(laid, "/api/camera-stays", {}) == [("camera_state", "Dan")]


def test_who_wants_to_be_asked_anew_is_logged(laid: LaidDashboard) -> None:
    status, answer = laid.post("/api/ask-anew", {})
    assert (status, answer["error"]) == (409, "nothing_told")
    laid.table.racks = {0}
    laid.lay("K10 B10 R10")
    state = laid.wait_until(lambda state: state.ruling is not None)
    told = {"layout_sequence": state.layout_sequence, "question": 0, "option": "on a rack"}
    assert ("question_answered", "Dan") in said_by(laid, "/api/answer", told)
    assert ("places_forgotten", "Dan") in said_by(laid, "/api/ask-anew", {})


def test_what_is_said_in_a_game_is_logged_with_who_said_it(laid: LaidDashboard) -> None:
    begun = {"preset": "pressman", "players": ["Ada", "Ben"], "starter": "Ada"}
    assert set(said_by(laid, "/api/game/begin", begun)) == {
        ("round_started", "Dan"),
        ("game_told", "Dan"),
    }
    assert said_by(laid, "/api/game/clock", {"to": "paused"}) == [("clock_set", "Dan")]
    laid.lay("K10 B10 R11")
    laid.wait_until(lambda state: state.ruling is not None)
    assert ("game_told", "Dan") in said_by(laid, "/api/game/act", in_game(laid, "take_back"))
    back = said_by(laid, "/api/game/act", in_game(laid, "table_is_back"))
    assert ("table_put_back", "Dan") in back
    game = laid.get("/api/state")["game"]["number"]
    assert said_by(laid, "/api/game/leave", {})[-1] == ("game_left", "Dan")
    assert said_by(laid, "/api/game/resume", {"game": game})[0] == ("game_resumed", "Dan")
    laid.post("/api/game/leave", {})


def test_a_rack_that_was_read_is_logged_with_who_had_it_read(laid: LaidDashboard) -> None:
    begin(laid, "Ada", "Ben")
    end_the_round(laid)
    laid.lay("R1 R2 R3")
    read = [("rack_read", "Dan")]
    assert said_by(laid, "/api/game/rack/camera", {"player": "Ben"}) == read
    last, jpeg = laid.log.last_sequence(), laid.send("GET", "/live.jpg")[1]
    path = "/api/game/rack/photo?player=Ben&by=Dan"
    assert laid.send("POST", path, jpeg, {"Content-Type": "image/jpeg"})[0] == 200
    assert [(e.event.kind, e.event.by) for e in laid.log.read(last)] == read  # type: ignore[attr-defined]


def test_the_page_names_who_uses_the_device_with_everything_that_is_pressed(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    laid.lay("K10 B10 R10")
    page = open_page(laid.url, *PHONE)
    page.get_by_label("Who uses this device?").fill("Dan")
    page.get_by_label("Who uses this device?").press("Tab")
    page.get_by_role("button", name="End turn").click()
    page.get_by_role("button", name="Show the table before the turn").click(timeout=TIMEOUT_MS)
    page.get_by_role("button", name="Mark the table").click()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="New round").click()
    page.locator("#ask-round-yes").click()
    expect(page.locator("#turns")).to_contain_text("New round, says Dan.", timeout=TIMEOUT_MS)
    expect(page.locator("#turns")).to_contain_text("turn is shown, says Dan.")
    expect(page.locator("#turns")).to_contain_text("whole picture, said by Dan.")
    page.goto(f"{laid.url}/begin")
    page.wait_for_selector("body[data-ready]")
    page.get_by_label("Player 1").fill("Ada")
    page.get_by_label("Player 2").fill("Ben")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#ask-text")).to_contain_text("Who begins", timeout=TIMEOUT_MS)
    (told,) = laid.get("/api/game/record")["record"]
    assert told["by"] == "Dan"


def test_who_says_that_the_table_lies_as_before_gives_the_time_anew(laid: LaidDashboard) -> None:
    begin(laid, "Ada", "Ben")
    laid.lay("K10 B10 R11")
    laid.wait_until(lambda state: state.ruling is not None)
    said_by(laid, "/api/game/act", in_game(laid, "take_back"))
    laid.wait_until(lambda state: state.game is not None and state.game.to_put_back is not None)
    last = laid.log.last_sequence()
    assert laid.post("/api/game/act", in_game(laid, "table_is_back") | DAN)[0] == 200
    laid.table.wait_for_reads(2)
    clock = [(e.event.to, e.event.by) for e in laid.log.read(last) if isinstance(e.event, ClockSet)]
    assert clock == [("full", "Dan")]


def test_nobody_takes_back_or_corrects_what_was_told_without_a_name(laid: LaidDashboard) -> None:
    begin(laid, "Ada", "Ben")
    last = laid.log.last_sequence()
    undo = {"sequence": laid.get("/api/state")["game"]["sequence"]}
    correct = {"number": 2, "line": "Ben begins"}
    for nobody in ({}, {"by": ""}, {"by": "  "}):
        for path, wish in (("/api/game/undo", undo), ("/api/game/correct", correct)):
            status, answer = laid.post(path, wish | nobody)
            assert (status, answer["error"]) == (400, "not_understood"), (path, nobody)
            assert "by name" in answer["message"]
    assert laid.log.last_sequence() == last
    assert said_by(laid, "/api/game/undo", undo) == [("game_told", "Dan")]


def test_who_uses_a_device_is_shown_in_each_of_its_tabs(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    first = open_page(laid.url, *PHONE, until="#camera")
    second = first.context.new_page()
    second.goto(laid.url)
    expect(second.locator("#who")).to_have_value("")
    first.locator("#who").evaluate(
        """(field) => { field.value = "Grandma"; field.dispatchEvent(new Event("change")); }"""
    )
    expect(second.locator("#who")).to_have_value("Grandma", timeout=TIMEOUT_MS)
