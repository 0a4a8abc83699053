"""Where a table keeps what it writes: the folders of a data folder, and the names in them."""

from __future__ import annotations

from pathlib import Path

LOG_NAME = "events.db"


def table_folder(data_folder: Path, *, rendered: bool) -> Path:
    """The folder of a table's log, pictures and backups.

    Imaginary games of the rendered table are kept apart from those that a family played.
    """
    return data_folder / ("rendered" if rendered else "table")


def log_path(data_folder: Path, *, rendered: bool) -> Path:
    """The event log of a table."""
    return table_folder(data_folder, rendered=rendered) / LOG_NAME
