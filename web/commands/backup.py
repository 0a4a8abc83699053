"""`meldwatch backup`: a copy of the event log, made while the table plays on."""

from __future__ import annotations

from pathlib import Path

import click

from web.commands.common import (
    CouldNotStart,
    data_folder_option,
    kept_log,
    print_json_line,
    rendered_option,
)

EPILOGUE = """\
\b
The copy goes to a folder with a number, beside the log under backups/. It is
whole, checked, and a data folder by itself: to look at an evening of before,
copy it away and give it to `serve` or `export` as --data. The oldest copies go
when there are more than ten. A running table makes one after each round.
\b
Examples:
  meldwatch backup
  meldwatch backup --data /media/stick/meldwatch --json
"""


@click.command(epilog=EPILOGUE, short_help="Copy the event log while the table plays on.")
@data_folder_option(help_text="The folder of the table whose log is copied.")
@rendered_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def backup(data_folder: Path | None, rendered: bool, as_json: bool) -> None:
    """Make a backup of the event log, and print where it is."""
    import sqlite3

    from table.backup import BackupKeeper, backups_of
    from table.event_log import EventLog, EventLogError

    log = kept_log(data_folder, rendered=rendered)
    try:
        folder = BackupKeeper(log.path).make()
        events = EventLog(backups_of(log.path)[0], log.clock).last_sequence()
    except (OSError, sqlite3.Error, EventLogError) as error:
        raise CouldNotStart(f"no backup of {log.path} could be made: {error}") from error
    if as_json:
        print_json_line({"folder": str(folder), "events": events})
    else:
        click.echo(f"{events:,} events in {folder}")
