"""The dashboard as a Flask application around one table session."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from flask import Flask

from table.event_log import EventLog
from table.session import TableSession
from web.api import api_blueprint
from web.bodies import answer_refusals
from web.errors import answer_errors
from web.game_api import game_blueprint
from web.games import games_blueprint
from web.guards import guard
from web.health import health_blueprint
from web.pages import pages_blueprint
from web.phone import PhoneGate, phone_blueprint
from web.stream import stream_blueprint

MAX_BODY_BYTES = 16 * 1024
"""No request is longer, but for pictures of a phone and of racks; more is refused with 413."""


def create_app(
    session: TableSession,
    log: EventLog,
    *,
    pictures_folder: Path | None = None,
    viewers: int = 16,
    trusted_hosts: Collection[str] = (),
    phone: PhoneGate | None = None,
) -> Flask:
    """The application for ``session``, whose events are in ``log``.

    ``pictures_folder`` holds the pictures of confirmed tables, None where none are kept. At most
    ``viewers`` event streams are open at a time; one more is answered with 503. Beside addresses and
    names of the home network, the server answers to ``trusted_hosts``. ``phone`` takes the pictures of a
    phone that is the camera. Errors are answered as `web.errors` says.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]
    guard(app, frozenset(trusted_hosts))
    app.register_blueprint(pages_blueprint(pictures_folder))
    app.register_blueprint(api_blueprint(session, log))
    app.register_blueprint(game_blueprint(session, log))
    app.register_blueprint(games_blueprint(log))
    app.register_blueprint(stream_blueprint(session.board, log, viewers))
    app.register_blueprint(health_blueprint(session.board, log))
    app.register_blueprint(phone_blueprint(phone))
    answer_refusals(app)
    answer_errors(app)
    return app
