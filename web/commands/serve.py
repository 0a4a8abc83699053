"""`meldwatch serve`: the live table and its dashboard."""

from __future__ import annotations

import signal
import socket
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.common import COULD_NOT_START, CouldNotStart, complain, data_folder_option

if TYPE_CHECKING:
    from engine.ruleset import RuleSet
    from table.config import Config
    from table.event_log import EventLog
    from table.rendered_game import RenderedGame
    from vision.sources import FrameSource

EVERY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not listened on
"""Hosts that mean: on every network this computer is part of."""

LOOK_INTERVAL_S = 1.0
"""How often is looked whether the session has ended by itself."""

EPILOGUE = """\
\b
Sources:
  auto                       the first camera there is, else the rendered table
  rendered, rendered:SEED    a drawn table on which imaginary players play
  camera, camera:0, camera:/dev/video0
  video:FILE, folder:FOLDER  a film, or photographs one after another
  http://..., rtsp://...     a camera in the network
\b
There are no accounts: who reaches the dashboard sees the picture and can end
turns. That is why other computers are let in only with --host 0.0.0.0. The
settings can also stand in a file or in the environment: docs/command-line.md.
\b
Examples:
  meldwatch serve
  meldwatch serve --source rendered --port 9000
  meldwatch serve --host 0.0.0.0 --rules pressman
"""


@click.command(epilog=EPILOGUE, short_help="Watch a table and show it on the dashboard.")
@click.option("--source", metavar="SOURCE", help="What to watch.  [default: auto]")
@click.option("--rules", "preset", metavar="PRESET", help="The rules.  [default: pressman]")
@click.option("--host", metavar="ADDRESS", help="Where to listen.  [default: 127.0.0.1]")
@click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(0, 65535),
    help="The port; 0 takes any free one.  [default: 8377]",
)
@data_folder_option(help_text="Where the event log and pictures of confirmed tables are kept.")
@click.option(
    "--config",
    "config_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A TOML file of settings.",
)
def serve(
    source: str | None,
    preset: str | None,
    host: str | None,
    port: int | None,
    data_folder: Path | None,
    config_file: Path | None,
) -> None:
    """Watch a table, judge its turns, and show it all on the dashboard."""
    from engine.ruleset import HouseRuleError, UnknownPresetError, load_ruleset
    from table.config import ConfigError, load_config

    try:
        config = load_config(
            config_file,
            source=source,
            rules=preset,
            host=host,
            port=port,
            data_folder=data_folder,
        )
        rules = load_ruleset(config.rules, config.house_rules)
    except (ConfigError, UnknownPresetError, HouseRuleError) as error:
        raise click.UsageError(str(error)) from error
    _watch(config, rules)


def _watch(config: Config, rules: RuleSet) -> None:
    """Everything wired together: source, reader, referee, log, pages. Returns when told to stop."""
    from table.event_log import EventLogError
    from table.pictures import PictureKeeper
    from table.session import TableSession
    from web.app import create_app
    from web.commands.reading import open_reader
    from web.server import DashboardServer

    reader = open_reader()
    source, game = _open_source(config)
    with source:
        # Imaginary games are kept apart from those a family played.
        folder = config.data_folder / ("table" if game is None else "rendered")
        log = _open_log(folder)
        pictures = folder / "pictures"
        keeper = PictureKeeper(pictures, config.keep_pictures) if config.keep_pictures else None
        session = TableSession(source, reader.read, rules, log, player=game, pictures=keeper)
        app = create_app(session, log, pictures_folder=pictures, viewers=config.viewers)
        try:
            server = DashboardServer(app, config.host, config.port, config.viewers)
        except OSError as error:
            raise CouldNotStart(_address_trouble(config, error)) from error
        try:
            session.start()
        except EventLogError as error:
            raise CouldNotStart(str(error)) from error
        server.start()
        for line in _greeting(config, rules, source.description, server.port):
            click.echo(line)
        stop = _stop_event()
        while not stop.wait(LOOK_INTERVAL_S) and not session.board.look().closed:
            pass
        ended_by_itself = not stop.is_set()
        trouble = session.board.look().state.trouble
        session.close()
        server.close()
    if ended_by_itself:
        complain(trouble or "the session ended by itself")
        raise SystemExit(COULD_NOT_START)
    click.echo("Stopped.")


def _open_source(config: Config) -> tuple[FrameSource, RenderedGame | None]:
    """The source, and the game that plays on it where it is the rendered table."""
    from vision.sources import SourceError, SourceKind, find_cameras, open_source, parse_source

    if config.source == "auto":
        cameras = find_cameras()
        try:
            if cameras:
                return open_source(parse_source("camera")), None
            click.echo("No camera was found.")
        except SourceError as error:
            complain(str(error))
        click.echo("Playing a rendered table: drawn tiles, imaginary players, real rulings.")
        return _rendered(config.seed)
    try:
        wanted = parse_source(config.source)
    except SourceError as error:
        raise click.UsageError(str(error)) from error
    if wanted.kind is SourceKind.RENDERED:
        return _rendered(int(wanted.address or config.seed))
    try:
        return open_source(wanted), None
    except SourceError as error:
        raise CouldNotStart(str(error)) from error


def _rendered(seed: int) -> tuple[FrameSource, RenderedGame]:
    from table.rendered_game import RenderedGame

    game = RenderedGame(seed)
    return game, game


def _open_log(folder: Path) -> EventLog:
    from table.event_log import EventLogError, open_event_log

    try:
        folder.mkdir(parents=True, exist_ok=True)
        return open_event_log(folder / "events.db")
    except OSError as error:
        raise CouldNotStart(f"cannot make the folder {folder}: {error.strerror}") from error
    except EventLogError as error:
        raise CouldNotStart(str(error)) from error


def _address_trouble(config: Config, error: OSError) -> str:
    import errno

    if error.errno == errno.EADDRINUSE:
        return (
            f"port {config.port} of {config.host} is taken, perhaps by a Meldwatch that runs "
            f"already; type: ./meldwatch serve --port {config.port % 65535 + 1}"
        )
    return f"cannot listen on {config.host}, port {config.port}: {error.strerror or error}"


def _greeting(config: Config, rules: RuleSet, source: str, port: int) -> list[str]:
    lines = [f"Watching:  {source}", f"Rules:     {rules.title}"]
    if config.host in EVERY_ADDRESS:
        lines.append(f"Dashboard: {_url('127.0.0.1', port)}")
        lines += [f"           {_url(address, port)}" for address in _own_addresses()]
        lines.append("Everybody in your network can open it and end turns.")
    else:
        lines.append(f"Dashboard: {_url(config.host, port)}")
        if config.host in ("127.0.0.1", "localhost", "::1"):
            lines.append("Only this computer can open it; for phones: --host 0.0.0.0")
    return [*lines, "Ctrl-C ends it."]


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _own_addresses() -> list[str]:
    """The address that this computer has in its network; none when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Picks a route and sends nothing; the address is one reserved for documentation.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [str(probe.getsockname()[0])]


def _stop_event() -> threading.Event:
    """Set by Ctrl-C, or by the system asking the program to end."""
    stop = threading.Event()

    def on_signal(*_: object) -> None:
        stop.set()

    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    return stop
