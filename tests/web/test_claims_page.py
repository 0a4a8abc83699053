"""Claims on the page: begun on a phone, a set claimed by a tap on its board, and what is shown of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.table.board_table import BoardTable
from tests.table.laid_table import HeldClock
from tests.web.begun_game import BOUNCE_MS

if TYPE_CHECKING:
    from conftest import LaidDashboard

OpenPage = Callable[..., Page]
TIMEOUT_MS = 20_000
PHONE = (390, 844)
FINGER_PX = 44
ROW = "K7 K8 K9 K10"
CROSS = "K7 K8 K9 K10 / . B8 . . / . R8 . ."
CLAIMS = {"claims.requires_opening": "no", "claims.reclaim_own": "no"}
WISH = {
    "preset": "rummi200kub",
    "players": ["Ada", "Ben"],
    "starter": "Ada",
    "house_rules": CLAIMS,
}


@pytest.fixture
def table() -> BoardTable:
    return BoardTable()


@pytest.fixture
def at_table(
    tmp_path: Path, table: BoardTable, open_laid: Callable[..., Iterator[LaidDashboard]]
) -> Iterator[LaidDashboard]:
    """A dashboard over a table on which the test lays boards, empty at first."""
    for dashboard in open_laid(tmp_path, table):
        dashboard.lay("K1")
        dashboard.lay()
        yield dashboard


def lay(at_table: LaidDashboard, table: BoardTable, text: str) -> None:
    table.lay_board(text)
    at_table.wait_until(
        lambda s: s.layout == f"grid {text}" and s.ruling is not None and not s.moving
    )


def act(at_table: LaidDashboard, word: str, **more: object) -> None:
    state = at_table.session.board.look().state
    assert state.game is not None
    named = {"act": word, "sequence": state.game.sequence, "layout_sequence": state.layout_sequence}
    status, answer = at_table.post("/api/game/act", named | more)
    assert status == 200, answer


def begin(at_table: LaidDashboard, **more: object) -> None:
    status, answer = at_table.post("/api/game/begin", WISH | more)
    assert status == 200, answer
    at_table.wait_until(lambda s: s.layout == "grid -")


def lines(at_table: LaidDashboard) -> list[str]:
    return [line.split(" {")[0] for line in at_table.lines()]


def is_for_a_finger(button: Locator) -> bool:
    box = button.bounding_box()
    assert box is not None
    return box["width"] >= FINGER_PX and box["height"] >= FINGER_PX


def test_rummi200kub_is_begun_on_a_phone_with_its_locks_counted(
    at_table: LaidDashboard, open_page: OpenPage
) -> None:
    page = open_page(f"{at_table.url}/begin", *PHONE, until="body[data-ready]")
    page.locator("#house-word").click()
    expect(page.get_by_label("How many lock tokens")).to_be_hidden()
    page.locator("#preset").select_option("rummi200kub")
    page.get_by_label("How many lock tokens").fill("6")
    for number, name in enumerate(("Ada", "Ben"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    page.get_by_label("Ada", exact=True).check()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#ask-text")).to_have_text("Ada's turn", timeout=TIMEOUT_MS)
    assert at_table.lines()[0] == "game rummi200kub; players: Ada | Ben; locks: 6"
    expect(page.locator("#claims")).to_contain_text("Exactly 200 points win at once.")
    expect(page.locator("#claims-list")).to_have_text("No set is claimed yet.")


def test_a_set_is_claimed_by_a_tap_on_the_board_and_a_hijack_by_a_tap_on_the_set(
    at_table: LaidDashboard, table: BoardTable, open_page: OpenPage
) -> None:
    begin(at_table)
    lay(at_table, table, ROW)
    act(at_table, "play")
    act(at_table, "draw")
    lay(at_table, table, CROSS)
    act(at_table, "play")
    page = open_page(at_table.url, *PHONE, until="#acts [data-act=claim]")
    page.locator("#acts [data-act=claim]").click()
    board = page.locator("#ask-claim-board .tile-button")
    expect(board).to_have_count(6)
    assert all(is_for_a_finger(tile) for tile in board.all())
    crossing = board.and_(page.get_by_label("black 8, row 1, column 2"))
    crossing.click()
    choices = page.locator("#ask-claim-list button")
    expect(choices).to_have_count(2)
    expect(page.locator("#ask-claim-board .lit")).to_have_count(6)
    assert all(is_for_a_finger(choice) for choice in choices.all())
    board.and_(page.get_by_label("blue 8, row 2, column 2")).click()
    expect(page.locator("#ask-sure-title")).to_have_text("Claim?")
    expect(page.locator("#ask-sure-text")).to_have_text(
        "black 8, blue 8, red 8: 24 points. Ben lays a token on each of its 3 tiles, the blank "
        "side up."
    )
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#claims-list li")).to_contain_text("Ben, 24 points; claimed.")
    expect(page.locator("#seats li").nth(1).locator(".seat-points")).to_have_text("24")
    expect(page.get_by_role("progressbar", name="24 of 200 points")).to_be_visible()
    expect(page.locator("#melds .token")).to_have_text(["B", "B", "B"])
    crossed = page.locator("#melds").get_by_label("black 8, row 1, column 2, claimed by Ben")
    expect(crossed).to_have_count(1)
    page.wait_for_timeout(BOUNCE_MS)
    page.locator("#acts [data-act=claim]").click()
    page.locator("#ask-claim-list button[data-set='K8 B8 R8']").click()
    expect(page.locator("#ask-sure-title")).to_have_text("Hijack from Ben?")
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#claims-list li")).to_contain_text(
        "Ada, 24 points; hijacked, over tokens of Ben."
    )
    expect(page.locator("#melds .token")).to_have_text(["A2", "A2", "A2"])
    assert lines(at_table)[-2:] == ["Ben claims K8 B8 R8", "Ada claims K8 B8 R8"]


def test_what_a_claim_waits_for_is_asked_in_the_dialog_and_then_it_is_claimed(
    at_table: LaidDashboard, table: BoardTable, open_page: OpenPage
) -> None:
    """AMB-37: Ben has not opened, and two sets wait for the same answer."""
    begin(at_table, house_rules={})
    lay(at_table, table, ROW)
    act(at_table, "play")
    act(at_table, "draw")
    lay(at_table, table, CROSS)
    act(at_table, "play")
    page = open_page(at_table.url, *PHONE, until="#acts [data-act=claim]")
    page.locator("#acts [data-act=claim]").click()
    page.locator("#ask-claim-board").get_by_label("blue 8, row 2, column 2").click()
    expect(page.locator("#ask-claim-list .claimed-tiles")).to_have_count(1)
    expect(page.locator("#ask-sure")).to_be_hidden()
    page.get_by_role("button", name="All sets").click()
    expect(page.locator("#ask-claim-list .claimed-tiles")).to_have_count(2)
    question = page.locator("#ask-claim-list .question")
    expect(question).to_have_count(1)
    expect(question).to_contain_text("Does a claim need the initial play first?")
    options = question.get_by_role("button")
    expect(options).to_have_text(["No", "Yes"])
    assert all(is_for_a_finger(option) for option in options.all())
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.wait_for_timeout(BOUNCE_MS)
    options.first.click()
    choices = page.locator("#ask-claim-list button.claim-choice")
    expect(choices).to_have_count(2, timeout=TIMEOUT_MS)
    expect(question).to_have_count(0)
    assert lines(at_table)[-1] == "house rule: claims.requires_opening=no"
    page.locator("#ask-claim-list button[data-set='K8 B8 R8']").click()
    expect(page.locator("#ask-sure-title")).to_have_text("Claim?")
    page.locator("#ask-sure-yes").click()
    expect(page.locator("#claims-list li")).to_contain_text("Ben, 24 points; claimed.")
    assert lines(at_table)[-1] == "Ben claims K8 B8 R8"


def test_the_other_answer_refuses_the_claim_in_a_sentence(
    at_table: LaidDashboard, table: BoardTable, open_page: OpenPage
) -> None:
    begin(at_table, house_rules={})
    lay(at_table, table, ROW)
    act(at_table, "play")
    page = open_page(at_table.url, *PHONE, until="#acts [data-act=claim]")
    page.locator("#acts [data-act=claim]").click()
    page.wait_for_timeout(BOUNCE_MS)
    page.locator("#ask-claim-list").get_by_role("button", name="Yes").click()
    expect(page.locator("#ask-claim-list .refused")).to_contain_text(
        "A set was claimed before the player's initial play.", timeout=TIMEOUT_MS
    )
    expect(page.locator("#ask-claim-list button")).to_have_count(0)
    page.locator("#ask-claim-no").click()
    expect(page.locator("#acts [data-act=claim]")).to_have_count(0)
    assert lines(at_table)[-1] == "house rule: claims.requires_opening=yes"


def test_an_answer_that_somebody_else_gave_first_is_told_in_the_dialog(
    at_table: LaidDashboard, table: BoardTable, open_page: OpenPage
) -> None:
    begin(at_table, house_rules={})
    lay(at_table, table, ROW)
    act(at_table, "play")
    page = open_page(at_table.url, *PHONE, until="#acts [data-act=claim]")
    page.locator("#acts [data-act=claim]").click()
    expect(page.locator("#ask-claim-list .question")).to_have_count(1)
    state = at_table.get("/api/state")
    (choice,) = state["game"]["claims"]["choices"]
    told = {"sequence": state["game"]["sequence"], "asked": choice["question"]["text"]}
    status, answer = at_table.post("/api/game/answer", told | {"option": "no", "by": "Ada"})
    assert status == 200, answer
    page.wait_for_timeout(BOUNCE_MS)
    page.locator("#ask-claim-list").get_by_role("button", name="Yes").click()
    expect(page.locator("#ask-claim-answer")).to_have_text(
        "That question is not asked any more.", timeout=TIMEOUT_MS
    )
    expect(page.locator("#ask-claim-list button.claim-choice")).to_have_count(1)
    assert lines(at_table)[-1] == "house rule: claims.requires_opening=no"
    for wrong, status in (({"option": 1}, 400), ({"option": "maybe"}, 409), ({"asked": ""}, 409)):
        found, _ = at_table.post("/api/game/answer", told | {"option": "no"} | wrong)
        assert found == status


def test_a_locked_set_is_listed_with_the_reason_and_has_no_button(
    at_table: LaidDashboard, table: BoardTable, open_page: OpenPage
) -> None:
    begin(at_table)
    lay(at_table, table, ROW)
    act(at_table, "play")
    for _ in range(3):
        act(at_table, "claim", set=ROW)
    lay(at_table, table, CROSS)
    act(at_table, "play")
    page = open_page(at_table.url, until="#acts [data-act=claim]")
    expect(page.locator("#melds .token[data-word=locked]")).to_have_count(4)
    page.locator("#acts [data-act=claim]").click()
    expect(page.locator("#ask-claim-list .refused")).to_contain_text("is locked")
    expect(page.locator("#ask-claim-list button")).to_have_count(1)
    page.locator("#ask-claim-board").get_by_label(
        "black 10, row 1, column 4, locked by Ben"
    ).click()
    expect(page.locator("#ask-claim-list button")).to_have_count(0)
    page.get_by_role("button", name="All sets").click()
    expect(page.locator("#ask-claim-list button")).to_have_count(1)
    page.locator("#ask-claim-no").click()
    assert lines(at_table)[-1] == f"Ada plays: grid {CROSS}"
    page.goto(f"{at_table.url}/score")
    row = page.locator("#sheet-rows tr")
    expect(row.locator("td")).to_have_text(["", "34"], timeout=TIMEOUT_MS)
    assert [tile.get_attribute("aria-label") for tile in row.get_by_role("img").all()] == [
        f"black {rank}" for rank in (7, 8, 9, 10)
    ]


def test_the_board_to_be_put_back_is_drawn_row_below_row(
    at_table: LaidDashboard, table: BoardTable, open_page: OpenPage
) -> None:
    begin(at_table)
    lay(at_table, table, CROSS)
    act(at_table, "play")
    lay(at_table, table, "K7 K8 K9 R12 / . B8 . . / . R8 . .")
    act(at_table, "take_back")
    page = open_page(at_table.url, *PHONE, until="#ask-tiles .row-in-text")
    rows = page.locator("#ask-tiles .row-in-text")
    expect(rows).to_have_count(3)
    expect(rows.nth(1).locator(".tile-in-text")).to_have_count(1)
    expect(rows.nth(1).get_by_role("img")).to_have_attribute("aria-label", "blue 8")


def test_what_a_claim_is_told_with_is_checked(at_table: LaidDashboard, table: BoardTable) -> None:
    status, answer = at_table.post("/api/game/begin", WISH | {"locks": 100})
    assert (status, answer["message"]) == (400, "locks are 0 to 99")
    begin(at_table, locks=99)
    lay(at_table, table, ROW)
    act(at_table, "play")
    state = at_table.session.board.look().state
    assert state.game is not None
    named = {
        "act": "claim",
        "sequence": state.game.sequence,
        "layout_sequence": state.layout_sequence,
    }
    for more, status, word in (
        ({}, 400, "not_understood"),
        ({"set": "K7 X"}, 400, "not_understood"),
        ({"set": ROW, "fresh": "yes"}, 400, "bad_request"),
        ({"set": "K7 K8 K9"}, 409, "refused"),
    ):
        found, answer = at_table.post("/api/game/act", named | more)
        assert (found, answer["error"]) == (status, word), answer


def test_a_token_carries_the_first_character_of_a_name_whole(
    at_table: LaidDashboard, table: BoardTable, open_page: OpenPage
) -> None:
    begin(at_table, players=["😀 Ada", "Ben"], starter="😀 Ada")
    lay(at_table, table, ROW)
    act(at_table, "play")
    act(at_table, "claim", set=ROW)
    page = open_page(at_table.url, *PHONE, until="#claims-list .token")
    expect(page.locator("#claims-list .token")).to_have_text("B")
    assert at_table.post("/api/game/undo", undoing(at_table))[0] == 200
    act(at_table, "draw")
    act(at_table, "claim", set=ROW)
    expect(page.locator("#claims-list .token")).to_have_text("😀", timeout=TIMEOUT_MS)


@pytest.mark.parametrize("is_picked", [False, True])
def test_when_the_time_is_up_the_dialog_of_a_claim_closes_and_says_so(
    tmp_path: Path,
    table: BoardTable,
    open_laid: Callable[..., Iterator[LaidDashboard]],
    open_page: OpenPage,
    is_picked: bool,
) -> None:
    time = HeldClock()
    for at_table in open_laid(tmp_path, table, time.clock):
        begin(at_table)
        lay(at_table, table, ROW)
        act(at_table, "play")
        page = open_page(at_table.url, *PHONE, until="#acts [data-act=claim]")
        page.locator("#acts [data-act=claim]").click()
        if is_picked:
            page.locator(f"#ask-claim-list button[data-set='{ROW}']").click()
            expect(page.locator("#ask-sure")).to_be_visible()
        time.now_s += 600
        expect(page.locator("#ask-text")).to_have_text("Time is up for Ben.", timeout=TIMEOUT_MS)
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator("#game-answer")).to_have_text(
            "The time was up before a set was claimed."
        )


def undoing(at_table: LaidDashboard) -> dict[str, object]:
    return {"sequence": at_table.get("/api/state")["game"]["sequence"], "by": "Ben"}


def test_what_several_of_one_s_own_sets_wait_for_is_asked_once_below_them(
    at_table: LaidDashboard, table: BoardTable, open_page: OpenPage
) -> None:
    """AMB-37: may a player claim again what is theirs already?"""
    begin(at_table, house_rules={"claims.requires_opening": "no"})
    lay(at_table, table, ROW)
    act(at_table, "play")
    act(at_table, "claim", set=ROW)
    lay(at_table, table, CROSS)
    act(at_table, "play")
    act(at_table, "claim", set="K8 B8 R8")
    act(at_table, "draw")
    page = open_page(at_table.url, *PHONE, until="#acts [data-act=claim]")
    page.locator("#acts [data-act=claim]").click()
    question = page.locator("#ask-claim-list .question")
    expect(question).to_have_count(1)
    expect(page.locator("#ask-claim-list .waiting .claimed-tiles")).to_have_count(2)
    expect(question).to_contain_text("May a player claim a set that is theirs already?")
    expect(question).not_to_contain_text("black 8, blue 8 and red 8")
    page.wait_for_timeout(BOUNCE_MS)
    question.get_by_role("button", name="Yes").click()
    expect(page.locator("#ask-claim-list button.claim-choice")).to_have_count(2)
    assert lines(at_table)[-1] == "house rule: claims.reclaim_own=yes"
