"""A table at which a game is played, for the tests of games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.played_table import PlayedTable


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedTable]:
    """A session on an empty table, with nothing in its log."""
    table = PlayedTable(tmp_path)
    yield table
    table.session.close()
