"""A log that was damaged while nobody looked, or has no room: it is said where people look."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from table.event_log import open_event_log
from table.events import TroubleMet
from tests.table.laid_table import StaticTable
from tests.web.begun_game import PHONE, TIMEOUT_MS, OpenLaid, OpenPage


def test_what_is_lost_of_a_damaged_log_is_told_until_somebody_has_seen_it(
    open_laid: OpenLaid, open_page: OpenPage, tmp_path: Path
) -> None:
    path = tmp_path / "log.sqlite3"
    with open_event_log(path).writer() as writer:
        writer.append(*[TroubleMet("disk", f"number {number}") for number in range(200)])
    content = bytearray(path.read_bytes())
    content[-4096:] = bytes(4096)
    path.write_bytes(content)
    for dashboard in open_laid(tmp_path, StaticTable()):
        page = open_page(dashboard.url, *PHONE, until="body[data-version]")
        told = page.locator("#recovered")
        expect(told).to_contain_text("The event log was damaged", timeout=TIMEOUT_MS)
        expect(told).to_contain_text("lost are the numbers")
        told.get_by_role("button", name="OK").click()
        expect(told).to_be_hidden()
        page.reload()
        page.wait_for_selector("body[data-version]")
        expect(told).to_be_hidden()


def test_of_a_log_that_was_whole_nothing_is_told(
    open_laid: OpenLaid, open_page: OpenPage, tmp_path: Path
) -> None:
    for dashboard in open_laid(tmp_path, StaticTable()):
        page = open_page(dashboard.url, *PHONE, until="body[data-version]")
        expect(page.locator("#recovered")).to_be_hidden(timeout=TIMEOUT_MS)


def test_a_disk_without_room_is_told_until_there_is_room(
    open_laid: OpenLaid, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.log.reserve.SPARE_BYTES", 2**60)
    for dashboard in open_laid(tmp_path, StaticTable()):
        page = open_page(dashboard.url, *PHONE, until="body[data-version]")
        told = page.locator("#disk")
        expect(told).to_contain_text("The disk is full: games go on", timeout=TIMEOUT_MS)
        monkeypatch.undo()
        expect(told).to_be_hidden(timeout=TIMEOUT_MS)
