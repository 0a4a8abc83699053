"""An empty log, and a table at which a game is played, for the tests of live tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.event_log import EventLog, open_event_log
from tests.table.played_table import PlayedTable


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    """A log in which nothing is told yet."""
    return open_event_log(tmp_path / "log.sqlite3")


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedTable]:
    """A session on an empty table, with nothing in its log."""
    table = PlayedTable(tmp_path)
    yield table
    table.session.close()
