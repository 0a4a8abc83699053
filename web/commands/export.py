"""`meldwatch export`: the events of a log as JSON lines, or its games as records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.common import CouldNotStart, data_folder_option, kept_log, rendered_option

if TYPE_CHECKING:
    from table.event_log import EventLog

EPILOGUE = """\
\b
Every event is an object on a line of its own: sequence, at (the time in UTC),
monotonic_s (the steady clock), kind, and event with its fields, which
docs/events.md lists. With --games it is the record of each game instead, as
`meldwatch replay` reads it. A table may be playing meanwhile.
\b
Examples:
  meldwatch export > evening.jsonl
  meldwatch export --games --out games.record
  meldwatch export --data backups/0007 | jq -c 'select(.kind=="ruling_given")'
"""


@click.command(epilog=EPILOGUE, short_help="Print the events of a table, or the games, as text.")
@data_folder_option(help_text="The folder of the table whose log is read.")
@rendered_option
@click.option("--games", is_flag=True, help="Print the records of the games instead.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write to a file instead of standard output.",
)
def export(data_folder: Path | None, rendered: bool, games: bool, out: Path | None) -> None:
    """Print everything that a table's log holds."""
    from table.event_log import EventLogError

    log = kept_log(data_folder, rendered=rendered)
    lines = _records(log) if games else _event_lines(log)
    try:
        if out is None:
            for line in lines:
                click.echo(line)
        else:
            with out.open("w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
    except EventLogError as error:
        raise CouldNotStart(str(error)) from error
    except BrokenPipeError:
        raise  # whoever reads it has enough
    except OSError as error:
        raise CouldNotStart(f"cannot write {out or 'it'}: {error.strerror}") from error


def _event_lines(log: EventLog) -> Iterator[str]:
    for logged in log.read_all():
        value = logged.to_json()
        fields = value.pop("event")
        whole = value | {"monotonic_s": logged.monotonic_s, "event": fields}
        yield json.dumps(whole, ensure_ascii=False)


def _records(log: EventLog) -> Iterator[str]:
    from table.game_records import records_in

    for record in records_in(log):
        yield str(record)
