"""The table that `serve` watches: its log, its source, and who plays where it is drawn.

The log is opened first. Where something was played at the table, its scores are wanted whether the
camera is there or not; where nothing was, a camera that is not there is a mistake in the command.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.common import CouldNotStart, complain

if TYPE_CHECKING:
    from table.config import Config
    from table.event_log import EventLog
    from table.rendered_game import RenderedGame
    from vision.sources import FrameSource, SourceConfig

FIRST_FRAME_S = 10.0
"""How long a camera may take to show its first picture, where nothing was played yet."""

WITHOUT_A_CAMERA = (
    "A game is under way at your table, and no camera was found. It goes on without a picture until "
    "{camera} is plugged in; for another camera start with --source ADDRESS, for imaginary players with "
    "--source rendered."
)


@dataclass(frozen=True, slots=True)
class LiveTable:
    """What is watched, and where it is kept."""

    source: FrameSource
    """Whoever opened the table closes it."""
    log: EventLog
    game: RenderedGame | None
    """Who plays, on the rendered table; None where people do."""

    @property
    def folder(self) -> Path:
        """Where the log is, and pictures and backups are kept."""
        return self.log.path.parent


def open_table(config: Config) -> LiveTable:
    """The table of the settings. Wrong usage where its source is none; ends the command where the
    source, or the log, cannot be opened."""
    from vision.sources import SourceError, SourceKind, parse_source

    if config.source == "auto":
        return _open_what_is_there(config)
    try:
        wanted = parse_source(config.source)
    except SourceError as error:
        raise click.UsageError(str(error)) from error
    if wanted.kind is SourceKind.RENDERED:
        return _rendered(config, int(wanted.address or config.seed))
    try:
        return _watched(config, wanted)
    except SourceError as error:
        raise CouldNotStart(str(error)) from error


def _open_what_is_there(config: Config) -> LiveTable:
    """The first camera; without one the game under way waits for one, or else a table is drawn."""
    from vision.sources import SourceError, SourceKind, find_cameras, parse_source

    if find_cameras():
        try:
            return _watched(config, parse_source("camera"))
        except SourceError as error:
            complain(str(error))
    elif (log := _log_of_game_under_way(config)) is not None:
        source = _camera_watched_last(log)
        named = source.address if source.kind is SourceKind.CAMERA and source.address else "one"
        click.echo(WITHOUT_A_CAMERA.format(camera=named))
        return LiveTable(_opened(config, source, log), log, None)
    else:
        click.echo("No camera was found.")
    click.echo("Playing a rendered table: drawn tiles, imaginary players, real rulings.")
    return _rendered(config, config.seed)


def _watched(config: Config, source: SourceConfig) -> LiveTable:
    """A table at which people play. Raises `SourceError`."""
    log = _open_log(config, rendered=False)
    return LiveTable(_opened(config, source, log), log, None)


def _opened(config: Config, source: SourceConfig, log: EventLog) -> FrameSource:
    """The source; where something was played at the table it is not waited for. Raises `SourceError`."""
    from table.game_records import was_played
    from vision.sources import open_source

    held = dataclasses.replace(source, mains_hz=config.mains_hz or None)
    return open_source(held, first_frame_s=0.0 if was_played(log) else FIRST_FRAME_S)


def _rendered(config: Config, seed: int) -> LiveTable:
    from table.rendered_game import RenderedGame

    game = RenderedGame(seed)
    return LiveTable(game, _open_log(config, rendered=True), game)


def _log_of_game_under_way(config: Config) -> EventLog | None:
    """The log of the table at which people play; None where no game is under way there."""
    from table.game_records import is_game_under_way
    from table.storage import table_folder

    if not table_folder(config.data_folder, rendered=False).is_dir():
        return None
    log = _open_log(config, rendered=False)
    return log if is_game_under_way(log) else None


def _camera_watched_last(log: EventLog) -> SourceConfig:
    """The USB camera that watched the table last; the first one to come where it was none."""
    from table.events import SessionStarted
    from vision.sources import SourceError, SourceKind, parse_source

    for item in log.read_last(1, (SessionStarted.kind,)):
        assert isinstance(item.event, SessionStarted)
        kind, _, address = item.event.source.partition(" ")
        if kind == SourceKind.CAMERA:
            try:
                return parse_source(f"{kind}:{address}")
            except SourceError:
                break  # as a program of another version has named it
    return parse_source("camera")


def _open_log(config: Config, *, rendered: bool) -> EventLog:
    from table.event_log import EventLogError, open_event_log
    from table.game_records import begin_anew_if_large
    from table.storage import log_path

    path = log_path(config.data_folder, rendered=rendered)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        log = open_event_log(path)
        begin_anew_if_large(log)
        return log
    except OSError as error:
        raise CouldNotStart(f"cannot make the folder {path.parent}: {error.strerror}") from error
    except EventLogError as error:
        raise CouldNotStart(str(error)) from error
