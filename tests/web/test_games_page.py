"""Games that are over or put away: who won, their score sheets, and their records as files."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

from engine.game.record import parse_record
from engine.game.replay import replay
from tests.table.laid_table import StaticTable
from tests.web.begun_game import (
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

BENS_RACK = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O2"

ENDS_AT = """cells => cells.map(cell => {
    const number = document.createRange();
    number.selectNode(cell.firstChild);
    return number.getBoundingClientRect().right;
})"""
"""Where the numbers of cells end, in pixels."""

COUNT_STATES = """
window.statesTaken = 0;
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (kind, take) {
    listen.call(this, kind, message => {
        take(message);
        if (kind === "state") window.statesTaken += 1;
    });
};
"""
"""Counts the states that a page took from its stream."""


def play_a_round(laid: LaidDashboard) -> None:
    """Ada goes out, and Ben's 84 points are hers."""
    end_the_round(laid)
    assert laid.post("/api/game/rack", {"player": "Ben", "tiles": BENS_RACK})[0] == 200
    act(laid, "count")


def press_put_away(page: Page) -> None:
    """Presses the button behind the record, and is asked whether that is meant."""
    page.get_by_text("Record, house rules, put away").click()
    page.get_by_role("button", name="Put the game away").click()


def act(laid: LaidDashboard, word: str, **more: object) -> None:
    sequence = laid.get("/api/state")["game"]["sequence"]
    status, answer = laid.post("/api/game/act", {"act": word, "sequence": sequence} | more)
    assert status == 200, answer


def test_a_game_without_an_agreed_target_says_who_is_ahead_and_ends_when_players_say(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    expect(page.locator("#standing")).to_be_hidden()
    play_a_round(laid)
    expect(page.locator("#standing")).to_have_text("Ada is ahead.", timeout=TIMEOUT_MS)
    page.get_by_role("button", name="That was the last round").click()
    expect(page.locator("#ask-sure-text")).to_contain_text("Ada wins")
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#last-game-outcome")).to_have_text("Ada won.", timeout=TIMEOUT_MS)
    expect(page.locator("#last-game-points")).to_contain_text("Ada 84, Ben -84")
    page.locator("#last-game").get_by_role("link", name="Score sheet").click()
    expect(page.locator("#winner")).to_have_text("Ada won!", timeout=TIMEOUT_MS)
    assert page.locator("#sheet-foot td").all_text_contents() == ["84", "-84"]


def test_the_star_of_the_score_sheet_is_explained_to_eyes_and_ears(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = open_page(f"{laid.url}/score", *PHONE, until="#score-where:not(:empty)")
    expect(page.locator("#score-star")).to_be_empty()
    play_a_round(laid)
    expect(page.locator("#score-star")).to_have_text(
        "★ Won that round; where several have it, they share it.", timeout=TIMEOUT_MS
    )
    assert page.locator("#sheet-rows td").first.text_content() == "84 ★ won"
    expect(page.get_by_role("cell", name="84 won", exact=True)).to_be_visible()
    expect(page.locator("#sheet-rows .won")).to_have_count(1)


def test_a_game_that_is_put_away_in_a_round_says_who_was_ahead_and_not_that_anybody_won(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    play_a_round(laid)
    act(laid, "starter", player="Ben")
    page = phone(open_page, laid)
    press_put_away(page)
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#last-game-outcome")).to_have_text(
        "Put away before it was over. Ada was ahead.", timeout=TIMEOUT_MS
    )
    begin(laid, "Cleo", "Dan")
    expect(page.locator("#last-game")).to_be_hidden(timeout=TIMEOUT_MS)


def test_a_game_with_a_target_is_not_ended_by_its_players(laid: LaidDashboard) -> None:
    begin(laid, "Ada", "Ben", score__target="500")
    play_a_round(laid)
    game = laid.get("/api/state")["game"]
    assert "finish" not in [each["act"] for each in game["ask"]["acts"]]
    wish = {"act": "finish", "sequence": game["sequence"]}
    assert laid.post("/api/game/act", wish)[1]["error"] == "refused"
    laid.post("/api/game/leave", {})
    (kept,) = laid.get("/api/games")["games"]
    assert (kept["outcome"], kept["leaders"]) == ("put away", ["Ada"])


def test_the_score_sheet_is_shown_anew_after_a_time_without_a_network(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    """Also where no game is under way, and nothing new comes by itself."""
    page = open_page(f"{laid.url}/score", *PHONE, until="#score-where")
    words = page.locator("#score-where")
    expect(words).to_have_text("No game is under way.", timeout=TIMEOUT_MS)
    page.context.set_offline(True)
    expect(words).to_contain_text("connection to the table is lost")
    page.context.set_offline(False)
    expect(words).to_have_text("No game is under way.", timeout=TIMEOUT_MS)


def test_a_game_is_not_put_away_by_whoever_meant_the_one_before(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    expect(page.locator("#judged-by")).to_be_hidden()
    press_put_away(page)
    expect(page.locator("#ask-sure-text")).to_contain_text("by the rules of Rummikub (Pressman")
    laid.post("/api/game/leave", {})
    begin(laid, "Cleo", "Dan")
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#game-answer")).to_contain_text("gone on since", timeout=TIMEOUT_MS)
    assert laid.get("/api/state")["game"]["to_move"] == "Cleo"


def downloaded(page: Page, link: str) -> tuple[str, str]:
    """The name and the text of the file behind a link."""
    with page.expect_download() as waiting:
        page.get_by_role("link", name=re.compile(link)).first.click()
    return waiting.value.suggested_filename, waiting.value.path().read_text("utf-8")


def test_the_record_of_the_game_under_way_is_a_file_that_replays(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben B. ♥")
    page = phone(open_page, laid)
    page.locator("#acts .primary").click()
    expect(page.locator("#ask-text")).to_have_text("Ben B. ♥'s turn", timeout=TIMEOUT_MS)
    page.get_by_text("Record, house rules, put away").click()
    name, text = downloaded(page, "Download the record")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d-pressman-Ada-Ben-B\.record", name)
    number = laid.get("/api/state")["game"]["number"]
    _, _, headers = laid.send("GET", f"/games/{number}.record")
    assert headers["content-type"] == "text/plain; charset=utf-8"
    record = parse_record(text)
    assert record.begun.players == ("Ada", "Ben B. ♥")
    assert replay(record).length == len(laid.lines())
    page.goto(f"{laid.url}/score")
    assert downloaded(page, "Download the record") == (name, text)


def test_the_games_of_a_table_are_listed_after_a_restart_each_with_its_record(
    tmp_path: Path, open_page: OpenPage, open_laid: OpenLaid
) -> None:
    table = StaticTable()
    with closing(open_laid(tmp_path, table)) as first:
        laid = next(first)
        begin(laid, "Ada", "Ben")
        play_a_round(laid)
        act(laid, "finish")
        begin(laid, "Cleo", "Dan")
    with closing(open_laid(tmp_path, table)) as second:
        laid = next(second)
        page = open_page(f"{laid.url}/games", *PHONE, until="body[data-ready]")
        games = page.locator(".kept-game")
        assert games.locator("p:first-of-type").all_text_contents() == [
            "Cleo, Dan",
            "Ada 84, Ben -84",
        ]
        assert games.locator(".outcome").all_text_contents() == ["Under way.", "Ada won."]
        name, text = downloaded(page, "Download the record of Ada, Ben")
        assert "pressman-Ada-Ben" in name
        assert replay(parse_record(text)).state.ended
        games.nth(1).get_by_role("link", name="Score sheet").click()
        expect(page.locator("#winner")).to_have_text("Ada won!", timeout=TIMEOUT_MS)


def begin_sabra(laid: LaidDashboard, **house_rules: str) -> None:
    rules = {name.replace("__", "."): value for name, value in house_rules.items()}
    wish = {"preset": "sabra", "players": ["Ada", "Ben"], "house_rules": rules, "starter": "Ada"}
    assert laid.post("/api/game/begin", wish)[0] == 200


def test_an_extra_round_is_called_so_on_the_pages_and_says_who_did_best_in_it(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin_sabra(laid, score__rounds="2", score__tie="extra_round")
    laid.lay()
    play_a_round(laid)
    act(laid, "starter", player="Ben")
    end_the_round(laid)
    assert laid.post("/api/game/rack", {"player": "Ada", "tiles": BENS_RACK})[0] == 200
    page = phone(open_page, laid)
    expect(page.locator("#game-where")).to_have_text("Round 2 of 2", timeout=TIMEOUT_MS)
    page.get_by_role("button", name="Score it").click()
    expect(page.locator("#ask-text")).to_have_text(
        "Who begins the extra round?", timeout=TIMEOUT_MS
    )
    expect(page.locator("#game-where")).to_have_text("Extra round")
    act(laid, "starter", player="Ada")
    play_a_round(laid)
    expect(page.locator("#ask-text")).to_have_text("Ada won.", timeout=TIMEOUT_MS)
    expect(page.locator("#game-where")).to_have_text("Extra round")
    page.get_by_role("link", name="Score sheet").click()
    expect(page.locator("#winner")).to_have_text("Ada won!", timeout=TIMEOUT_MS)
    assert page.locator("#sheet-foot td").all_text_contents() == ["0", "0"]
    assert page.locator("#sheet tr > th:first-child").all_text_contents() == [
        "Round",
        "Round 1",
        "Round 2",
        "Total",
        "Extra round, not in the total",
    ]
    expect(page.locator("#score-notes")).to_contain_text(
        "Of those who were equal Ada did best in the extra round."
    )


def test_the_sheet_of_a_tournament_says_what_its_sums_are_and_fits_a_phone(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    players = ["Grandmother Ada", "Ben", "Cleo"]
    wish = {"preset": "pressman-tournament", "players": players, "starter": players[0]}
    assert laid.post("/api/game/begin", wish | {"house_rules": {}})[0] == 200
    laid.lay()
    end_the_round(laid)
    for player in players[1:]:
        assert laid.post("/api/game/rack", {"player": player, "tiles": BENS_RACK})[0] == 200
    act(laid, "count")
    page = open_page(f"{laid.url}/score", *PHONE, until="#sheet tr.total")
    heads = page.locator("#sheet tr > th:first-child")
    assert heads.all_text_contents() == ["Game", "Round 1, Game 1", "Sum of round 1", "Total"]
    sheet = page.locator(".sheet")
    assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
    cells = page.locator("#sheet td")
    assert cells.nth(0).text_content() == "168 ★ won"
    ends = cells.evaluate_all(ENDS_AT)
    assert abs(ends[0] - ends[6]) < 3, "numbers under each other"


def test_a_sheet_that_did_not_change_is_not_drawn_again(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    play_a_round(laid)
    page = open_page(laid.url, *PHONE, until="#acts button")
    page.add_init_script(COUNT_STATES)
    page.goto(f"{laid.url}/score")
    page.wait_for_function("() => window.statesTaken > 0", timeout=TIMEOUT_MS)
    page.evaluate("() => document.querySelector('#sheet-rows tr').dataset.marked = 'here'")
    taken = page.evaluate("() => window.statesTaken")
    act(laid, "starter", player="Ben")
    page.wait_for_function("taken => window.statesTaken > taken", arg=taken, timeout=TIMEOUT_MS)
    expect(page.locator("#sheet-rows tr[data-marked=here]")).to_be_visible()
    end_the_round(laid)
    assert laid.post("/api/game/rack", {"player": "Ada", "tiles": BENS_RACK})[0] == 200
    act(laid, "count")
    expect(page.locator("#sheet-rows tr")).to_have_count(2, timeout=TIMEOUT_MS)


def test_a_score_that_rests_on_a_default_says_so_without_names_of_switches(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    play_a_round(laid)
    (kept,) = laid.get("/api/games")["games"]
    rests = ["Nobody has chosen (pool_out.score, AMB-30): How is it scored? As tiles are."]
    sheet = laid.get(f"/api/games/{kept['number']}") | {"notes": rests}
    page = open_page(laid.url, *PHONE, until="#acts button")
    page.route(f"**/api/games/{kept['number']}", lambda route: route.fulfill(json=sheet))
    page.goto(f"{laid.url}/score?game={kept['number']}")
    expect(page.locator("#score-notes")).to_have_text(
        "Nobody has chosen (AMB-30): How is it scored? As tiles are.", timeout=TIMEOUT_MS
    )


def test_a_game_that_is_not_there_is_told(laid: LaidDashboard) -> None:
    begin(laid, "Ada", "Ben")
    (kept,) = laid.get("/api/games")["games"]
    for path in ("/games/{}.record", "/api/games/{}"):
        assert laid.send("GET", path.format(kept["number"]))[0] == 200
        assert laid.send("GET", path.format(kept["number"] + 1))[0] == 404


def test_no_page_of_games_that_are_over_needs_scrolling_sideways(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Grandmother Ada", "Ben")
    play_a_round(laid)
    act(laid, "finish")
    page = open_page(laid.url, 360, 844, until="#last-game-outcome")
    for path, shown in (("/", "#last-game"), ("/games", ".kept-game"), ("/score", "#sheet")):
        page.set_viewport_size({"width": 360, "height": 844})
        page.goto(laid.url + path)
        page.wait_for_selector(shown)
        box = page.locator(shown).bounding_box()
        assert box is not None
        assert box["width"] > 0.8 * 360, "and it has the width of a phone to itself"
        for width in (360, 390, 768, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_field_of_a_kept_game_is_in_the_docs(laid: LaidDashboard) -> None:
    begin(laid, "Ada", "Ben")
    text = (Path(__file__).parents[2] / "docs/api.md").read_text("utf-8")
    (kept,) = laid.get("/api/games")["games"]
    for name in laid.get(f"/api/games/{kept['number']}"):
        assert f"`{name}`" in text, name


NAMES = ["Grandmother Wilhelmina", "Bartholomew", "Christopherson", "Maximiliane"]
WON = {"Round 1": NAMES[:1], "Round 2": NAMES[1:], "Round 3": []}


def test_a_sheet_that_is_too_wide_says_so_and_its_numbers_stand_under_each_other(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(laid.url, *PHONE, until="#turns")
    rows = [
        {"name": name, "points": ["191", "-107", "-84", "12"], "winners": winners}
        | {"is_total": False, "is_extra": False}
        for name, winners in WON.items()
    ]
    sheet = {"title": "Rummikub", "players": NAMES, "totals": ["191", "-107", "-84", "-1200"]}
    sheet |= {"score": rows, "notes": [], "leaders": NAMES[:1], "outcome": "under way"}
    page.route("**/api/games/1", lambda route: route.fulfill(json=sheet | {"record": "/x"}))
    page.goto(f"{laid.url}/score?game=1")
    cells = page.locator("#sheet-rows td, #sheet-foot td")
    expect(cells).to_have_count(16, timeout=TIMEOUT_MS)
    for width, is_wide in ((320, True), (390, None), (1280, False)):
        page.set_viewport_size({"width": width, "height": 844})
        if is_wide is None:  # the browser's typeface decides
            is_wide = page.locator("#sheet-room").evaluate("r => r.scrollWidth > r.clientWidth")
        expect(page.locator("#sheet-wide")).to_be_visible(visible=is_wide)
        expect(page.locator("#sheet-room[tabindex='0']")).to_have_count(int(is_wide))
        ends = cells.evaluate_all(
            """cells => cells.map(({ firstChild }) => {
                const range = document.createRange();
                range.selectNodeContents(firstChild);
                return range.getBoundingClientRect().right;
            })"""
        )
        for column in range(4):
            assert max(ends[column::4]) - min(ends[column::4]) < 0.5, width


def test_a_game_that_was_put_away_goes_on_from_the_page_of_the_table(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    page = phone(open_page, laid)
    press_put_away(page)
    expect(page.locator("#ask-sure-text")).to_contain_text("can go on later", timeout=TIMEOUT_MS)
    page.locator("#ask-sure-yes").click()
    page.get_by_role("button", name="Go on with it").click(timeout=TIMEOUT_MS)
    expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)
    expect(page.locator("#last-game")).to_be_hidden()
    assert laid.get("/api/games")["games"][0]["outcome"] == "under way"


def test_any_game_of_the_table_goes_on_from_the_list_while_no_other_is_under_way(
    laid: LaidDashboard, open_page: OpenPage
) -> None:
    begin(laid, "Ada", "Ben")
    laid.post("/api/game/leave", {})
    begin(laid, "Cleo", "Dan")
    page = open_page(f"{laid.url}/games", *PHONE, until="body[data-ready]")
    expect(page.get_by_role("button")).to_have_count(0)
    laid.post("/api/game/leave", {})
    page.reload()
    first = page.get_by_role("button", name="Go on with the game of Ada, Ben")
    expect(first).to_be_visible(timeout=TIMEOUT_MS)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    begin(laid, "Eve", "Finn")
    first.click()
    expect(page.locator("#games-word")).to_have_text(
        "A game is under way; put it away first.", timeout=TIMEOUT_MS
    )
    laid.post("/api/game/leave", {})
    first.click()
    expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)
