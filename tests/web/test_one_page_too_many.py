"""More pages than may watch at once: the last one says so, and follows the table when another closes."""

from __future__ import annotations

from http.client import HTTPConnection, HTTPResponse
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, expect

from tests.web.begun_game import TIMEOUT_MS

if TYPE_CHECKING:
    from conftest import LaidDashboard


def watch(port: int) -> tuple[HTTPConnection, HTTPResponse]:
    """Another page: its stream is open until it is closed."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/api/events")
    return connection, connection.getresponse()


def test_a_page_too_many_says_so_and_follows_the_table_when_another_closes(
    laid: LaidDashboard, browser: Browser
) -> None:
    streams = []
    while (newest := watch(laid.port))[1].status == 200:
        streams.append(newest)
    newest[0].close()
    page = browser.new_page()
    page.goto(laid.url)
    expect(page.locator("#lost")).to_have_text(
        f"{len(streams)} pages are watching already; close one of them. Trying again.",
        timeout=TIMEOUT_MS,
    )
    for connection, answer in streams:
        answer.close()
        connection.close()
    for row in ("K1 K2 K3", "K1 K2 K3 K4"):
        laid.lay(row)
    expect(page.locator("#lost")).to_be_hidden(timeout=TIMEOUT_MS)
    expect(page.locator("#layout-text")).to_have_text("K1 K2 K3 K4", timeout=TIMEOUT_MS)
    page.close()
