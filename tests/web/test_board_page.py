"""A board of cells on the page: drawn as it lies, its faults, questions and corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine.ruleset import load_ruleset
from table.event_log import open_event_log
from table.session import TableSession
from tests.table.board_table import BoardTable
from tests.web.conftest import VIEWERS, Dashboard
from vision.settling import SettleDetector
from web.app import create_app
from web.server import DashboardServer

OpenPage = Callable[..., Page]
CROSS = "K7 B7 R7 / . B8 . / . B9 ."
WRONG = "K7 B7 R7 / . B8 . / . B10 ."


@pytest.fixture
def table() -> BoardTable:
    return BoardTable()


@pytest.fixture
def board_page(table: BoardTable, tmp_path: Path) -> Iterator[Dashboard]:
    """A dashboard over a table of Rummi200kub."""
    log = open_event_log(tmp_path / "log.sqlite3")
    settle = SettleDetector(still_for_s=0.3)
    rules = load_ruleset("rummi200kub")
    with TableSession(table, table.read_placements, rules, log, settle=settle) as session:
        app = create_app(session, log, viewers=VIEWERS)
        server = DashboardServer(app, "127.0.0.1", 0, VIEWERS)
        server.start()
        try:
            yield Dashboard(f"http://127.0.0.1:{server.port}", server.port, session, log)
        finally:
            server.close()


def rows_of(page: Page) -> list[list[str]]:
    """The drawn cells by where they lie on the screen, from the top."""
    at: dict[int, list[tuple[float, str]]] = {}
    for tile in page.locator("#melds .board [data-tile]").all():
        box = tile.bounding_box()
        assert box is not None
        label = tile.get_attribute("data-label") or ""
        at.setdefault(round(box["y"]), []).append((box["x"], label))
    return [[label for _, label in sorted(at[y])] for y in sorted(at)]


def test_a_board_is_drawn_as_it_lies_and_its_faulty_line_is_marked(
    board_page: Dashboard, table: BoardTable, open_page: OpenPage
) -> None:
    table.lay_board(WRONG)
    board_page.wait_until(lambda state: state.ruling is not None)
    page = open_page(f"{board_page.url}/")
    expect(page.locator("#melds .board [data-tile]")).to_have_count(5)
    assert rows_of(page) == [["K7", "B7", "R7"], ["B8"], ["B10"]]
    faulty = page.locator("#melds .cell.faulty [data-label]")
    assert [tile.get_attribute("data-label") for tile in faulty.all()] == ["B7", "B8", "B10"]
    expect(page.locator("#melds .fault-number")).to_have_text(["1"])
    expect(page.locator("#judged-by")).to_contain_text("by the rules of Rummi200kub")
    expect(page.locator("#marks .mark.fault")).to_have_count(3)


def test_parts_of_a_board_that_do_not_touch_are_drawn_apart(
    board_page: Dashboard, table: BoardTable, open_page: OpenPage
) -> None:
    table.lay_board("K7 K8 K9 / . . . / . . . / R1 R2 R3")
    board_page.wait_until(lambda state: state.ruling is not None)
    page = open_page(f"{board_page.url}/")
    expect(page.locator("#melds .board [data-tile]")).to_have_count(6)
    above, below = (
        page.locator(f"#melds .board [data-label={label}]").bounding_box() for label in ("K7", "R1")
    )
    assert above is not None
    assert below is not None
    assert below["y"] - above["y"] > 2.8 * above["height"]


def test_a_tile_of_the_board_is_corrected_by_a_tap(
    board_page: Dashboard, table: BoardTable, open_page: OpenPage
) -> None:
    table.lay_board(WRONG)
    board_page.wait_until(lambda state: state.ruling is not None)
    page = open_page(f"{board_page.url}/")
    tile = page.get_by_role("button", name="row 3, column 2")
    expect(tile).to_have_attribute("data-label", "B10")
    state = board_page.session.board.look().state
    status, _ = board_page.post(
        "/api/answer", {"layout_sequence": state.layout_sequence, "tile": 4, "option": "B9"}
    )
    assert status == 200
    expect(page.get_by_role("button", name="row 3, column 2")).to_have_attribute("data-label", "B9")
    expect(page.locator("#layout-text")).to_have_text(f"grid {CROSS}")


def test_the_boards_that_are_possible_are_offered_row_below_row(
    board_page: Dashboard, table: BoardTable, open_page: OpenPage
) -> None:
    table.lay_board("K7 K8 K9 K10", K10=(17, 0))
    board_page.wait_until(lambda state: state.ruling is not None)
    page = open_page(f"{board_page.url}/")
    expect(page.locator(".board-option")).to_have_count(2)
    asked = page.locator("#questions").inner_text()
    with page.expect_request("**/api/answer") as sent:
        page.locator(".board-option").filter(has_text=".").click()
    assert sent.value.post_data_json["asked"] in asked, "it is no answer to anything else"
    expect(page.locator("#melds .board [data-tile]")).to_have_count(4)
    state = board_page.wait_until(lambda s: s.ruling is not None and not s.ruling.questions)
    assert state.layout == "grid K7 K8 K9 . K10"
