"""What several commands share: how they fail, and how they write JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from table.event_log import EventLog

_Command = TypeVar("_Command", bound=Callable[..., Any])

SOME_FAILED = 1
"""Exit code: everything that could be done was done, and what failed was named on stderr."""

COULD_NOT_START = 3
"""Exit code: nothing was done, because something it all needs is missing or taken."""


class CouldNotStart(click.ClickException):
    """Ends the command with exit code 3 and its message on stderr."""

    exit_code = COULD_NOT_START

    def show(self, file: Any = None) -> None:  # noqa: ARG002 - click's signature
        """Print the message as every other complaint is printed."""
        complain(self.message)


def complain(message: str) -> None:
    """One line on stderr, whatever the message holds."""
    click.echo(f"meldwatch: {' '.join(message.split())}", err=True)


def print_json_line(value: Mapping[str, Any]) -> None:
    """One object on one line of stdout, flushed: a pipe gets each as soon as it is known."""
    click.echo(json.dumps(value))


def data_folder_option(*, help_text: str) -> Callable[[_Command], _Command]:
    """The option --data, with the same default in every command that has it."""
    return click.option(
        "--data",
        "data_folder",
        type=click.Path(file_okay=False, path_type=Path),
        default=None,
        show_default="~/.local/share/meldwatch",
        help=help_text,
    )


rendered_option = click.option(
    "--rendered", is_flag=True, help="The log of the rendered table instead of a real one's."
)
"""The option --rendered of commands that look at a log."""


def kept_log(data_folder: Path | None, *, rendered: bool) -> EventLog:
    """The log of a table, to be read only; ends the command where there is none."""
    import os

    from table.config import default_data_folder
    from table.event_log import Clock, EventLog
    from table.storage import log_path

    path = log_path(data_folder or default_data_folder(os.environ), rendered=rendered)
    if not path.is_file():
        raise CouldNotStart(f"there is no event log at {path}; give the folder with --data")
    return EventLog(path, Clock())


def folder_for_pictures(folder: Path) -> Path:
    """The folder, made where it is not there yet; ends the command where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CouldNotStart(f"cannot make the folder {folder}: {error.strerror}") from error
    return folder
