"""What several commands share: how they fail, and how they write JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

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


def folder_for_pictures(folder: Path) -> Path:
    """The folder, made where it is not there yet; ends the command where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CouldNotStart(f"cannot make the folder {folder}: {error.strerror}") from error
    return folder
