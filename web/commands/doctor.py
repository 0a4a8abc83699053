"""`meldwatch doctor`: is everything there that a table needs."""

from __future__ import annotations

from pathlib import Path

import click

from web.commands.common import SOME_FAILED, data_folder_option, print_json_line

EPILOGUE = """\
\b
Looked at: Python, the libraries against the locked versions, the models'
checksums, cameras and the permission to use them, disk space, and whether the
event log can be written. Each line begins with ok, note or MEND; a line that
begins with MEND is followed by what to type. Exit code 1 if there is any.
\b
Examples:
  meldwatch doctor
  meldwatch doctor --json | jq 'select(.state != "ok")'
"""


@click.command(epilog=EPILOGUE, short_help="Check this computer, its cameras and the models.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a check.")
@data_folder_option(help_text="The folder whose disk and database are checked.")
@click.pass_context
def doctor(context: click.Context, as_json: bool, data_folder: Path | None) -> None:
    """Check everything a table needs; change nothing."""
    import os

    import models
    from table.config import default_data_folder
    from table.doctor import State, examine

    checkout = Path(__file__).resolve().parents[2]
    lock = checkout / "requirements.txt"
    mend = False
    for check in examine(
        lock if lock.is_file() else None,
        Path(models.__path__[0]),
        data_folder or default_data_folder(os.environ),
    ):
        mend = mend or check.state is State.MEND
        if as_json:
            print_json_line(check.to_json())
            continue
        mark = check.state.value.upper() if check.state is State.MEND else check.state.value
        click.echo(f"{mark:4}  {check.name}: {check.found}")
        if check.remedy:
            click.echo(f"      {check.remedy}")
    if mend:
        context.exit(SOME_FAILED)
