"""`meldwatch serve`: the live table and its dashboard."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.common import COULD_NOT_START, CouldNotStart, complain, data_folder_option
from web.commands.enrolled import open_known_reader, set_option

if TYPE_CHECKING:
    from engine.ruleset import RuleSet
    from table.config import Config
    from vision.sources import FrameSource
    from web.phone import PhoneGate

LOOK_INTERVAL_S = 1.0
"""How often is looked whether the session has ended by itself."""

EPILOGUE = """\
\b
Sources:
  auto                       the first camera there is; without one the rendered
                             table, or the game under way without a picture
  rendered, rendered:SEED    a drawn table on which imaginary players play
  camera, camera:0, camera:/dev/video0, camera:IDENTITY
  phone                      a phone's camera: start with --https --host 0.0.0.0
                             and open the printed address on the phone
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
  meldwatch serve --source phone --https --host 0.0.0.0
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
@click.option(
    "--https",
    is_flag=True,
    default=None,
    help="Serve by HTTPS, with a certificate made here; a phone's camera needs it.",
)
@data_folder_option(help_text="Where the event log and pictures of confirmed tables are kept.")
@set_option
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
    https: bool | None,
    data_folder: Path | None,
    known_set: str | None,
    config_file: Path | None,
) -> None:
    """Watch a table, judge its turns, and show it all on the dashboard."""
    from engine.ruleset import HouseRuleError, UnknownPresetError, load_ruleset
    from table.config import ConfigError, load_config
    from table.counted_rounds import is_read

    try:
        config = load_config(
            config_file,
            source=source,
            rules=preset,
            host=host,
            port=port,
            https=https,
            data_folder=data_folder,
        )
        rules = load_ruleset(config.rules, config.house_rules)
    except (ConfigError, UnknownPresetError, HouseRuleError) as error:
        raise click.UsageError(str(error)) from error
    if not is_read(rules):
        text = f"{rules.preset} is played with cards by these rules, which no camera reads yet"
        raise click.UsageError(
            f"{text}; such a game is begun on the page, and its rounds are counted"
        )
    _watch(config, rules, known_set)


def _watch(config: Config, rules: RuleSet, known_set: str | None) -> None:
    """Everything wired together: source, reader, referee, log, pages. Returns when told to stop."""
    from table.backup import BackupKeeper
    from table.closer_look import CloserLook
    from table.event_log import EventLogError
    from table.pictures import PictureKeeper
    from table.session import TableSession
    from vision.enrolment.in_play import LearningReader
    from vision.patient_reading import patiently_by
    from web.app import create_app
    from web.commands.live_table import open_table
    from web.commands.reading import open_rack_reader
    from web.listening import ListenError, listen

    reader = open_known_reader(known_set, config.data_folder)
    opened = open_table(config)
    source, log = opened.source, opened.log
    with source:
        pictures = opened.folder / "pictures"
        keeper = PictureKeeper(pictures, config.keep_pictures) if config.keep_pictures else None
        learner = LearningReader(reader.of_live_pictures())
        closer = CloserLook(patiently_by(learner))
        session = TableSession(
            source,
            learner.read,
            rules,
            log,
            player=opened.game,
            pictures=keeper,
            backups=BackupKeeper(log.path),
            learn=learner.learn,
            read_photo=patiently_by(learner),
            closer_look=closer,
            bodies_near=learner.bodies_near,
            standing=open_rack_reader().standing,
        )
        phone = _phone_gate(source)
        app = create_app(
            session, log, pictures_folder=pictures, viewers=config.viewers, phone=phone
        )
        try:
            server = listen(app, config)
            session.start()
        except (ListenError, EventLogError) as error:
            raise CouldNotStart(str(error)) from error
        server.start()
        click.echo(f"Watching:  {source.description}")
        click.echo(f"Rules:     {rules.title}")
        for line in server.greeting(None if phone is None else phone.code):
            click.echo(line)
        stop = _stop_event()
        while not stop.wait(LOOK_INTERVAL_S) and not session.board.look().closed:
            pass
        ended_by_itself = not stop.is_set()
        trouble = session.board.look().state.trouble
        session.close()
        server.close()
        closer.close()
        learner.close()
    if ended_by_itself:
        complain(trouble or "the session ended by itself")
        raise SystemExit(COULD_NOT_START)
    click.echo("Stopped.")


def _phone_gate(source: FrameSource) -> PhoneGate | None:
    """What lets a phone's pictures through, where a phone is the camera."""
    from vision.sources import PhoneSource
    from web.phone import PhoneGate, new_code

    return PhoneGate(source.offer, new_code()) if isinstance(source, PhoneSource) else None


def _stop_event() -> threading.Event:
    """Set by Ctrl-C, or by the system asking the program to end."""
    stop = threading.Event()

    def on_signal(*_: object) -> None:
        stop.set()

    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    return stop
