"""The option --set: pictures are read with what is known of an enrolled set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.reader import TableReader

set_option = click.option(
    "--set",
    "known_set",
    metavar="SET",
    help="The name of an enrolled set whose tiles these are, or its file.",
)


def open_known_reader(known_set: str | None, data_folder: Path | None = None) -> TableReader:
    """The reader that knows the set of this name or file, or none; ends the command without it."""
    from web.commands.reading import open_reader

    if known_set is None:
        return open_reader()
    if known_set.endswith(".json"):
        return open_reader(Path(known_set))
    return open_reader(path_of_set(known_set, data_folder, param_hint="--set"))


def path_of_set(name: str, data_folder: Path | None, *, param_hint: str) -> Path:
    """The file of the set called ``name``; wrong usage where that can be no name."""
    import os

    from table.config import default_data_folder
    from vision.enrolment.known_set import set_path

    try:
        return set_path(data_folder or default_data_folder(os.environ), name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=param_hint) from error
