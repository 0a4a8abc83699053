"""What comes in the body of a wish, checked field by field, and what is answered to it."""

from __future__ import annotations

import json
from typing import Any

from flask import Flask, Response, abort, jsonify, request
from werkzeug.exceptions import BadRequest

from table.board import LiveState
from table.event_log import EventLog
from table.play import PERSON
from table.session import TableSession
from table.wishes import SessionBusyError, WishRefusedError

LONGEST_NAME = 40
_IN_WORDS = {
    "by": "the name of whoever says so",
    "player": "the name of a player",
    "starter": "the name of a player",
    "tiles": "a list of tiles",
    "set": "a list of tiles",
    "tile": "a tile",
    "label": "a tile",
    "line": "the line of an event",
    "asked": "a question",
    "option": "an answer",
    "preset": "the name of a game",
}
"""What the fields of a wish are, to people: a page shows them why it was refused."""
_JSON_NAMES = {int: "whole number", str: "string", bool: "boolean", list: "array", dict: "object"}


def wish_of(required: dict[str, type], optional: dict[str, type]) -> dict[str, Any]:
    """The JSON object of the request; answers 400 unless it has just these fields."""
    try:
        wish = request.get_json()
    except RecursionError:
        abort(400, "the JSON is nested too deeply")
    except BadRequest:
        abort(400, "the body is no JSON, or a torn piece of it")
    if not isinstance(wish, dict):
        abort(400, "expected a JSON object")
    known = required | optional
    for name, value in wish.items():
        if name not in known:
            abort(400, f"there is no field {name[:40]!r}; there are {', '.join(known) or 'none'}")
        if type(value) is not known[name]:
            abort(400, f"{name} must be a JSON {_JSON_NAMES[known[name]]}")
    missing = [name for name in required if name not in wish]
    if missing:
        abort(400, f"the field {missing[0]} is missing")
    if not _is_text(wish):
        abort(400, "a text holds half of a character")
    return wish


def _is_text(wish: dict[str, Any]) -> bool:
    """Whether every text of a wish can be written down: JSON can name half of a character."""
    try:
        json.dumps(wish, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def text_of(wish: dict[str, Any], name: str, longest: int) -> str:
    """A text of the wish, empty where it was not given; answers 400 where it is too long."""
    text = wish.get(name, "")
    if not isinstance(text, str) or len(text) > longest:
        abort(400, f"{_IN_WORDS.get(name, name)} has at most {longest} characters")
    return text.strip()


def teller_of(wish: dict[str, Any]) -> str:
    """Who says so, as the log names it: ``by`` of the wish, or ``person`` where nobody is named."""
    return text_of(wish, "by", LONGEST_NAME) or PERSON


def number_of(text: str, name: str, least: int, most: int) -> int:
    """The number that a text in an address stands for; answers 400 for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and least <= int(text) <= most):
        abort(400, f"{name} must be a whole number from {least} to {most}")
    return int(text)


def state_json(state: LiveState, now_s: float) -> dict[str, Any]:
    """The state as pages get it: with the time by the log's steady clock beside a turn's clock."""
    told = state.to_json()
    if told["game"] is not None and told["game"]["clock"] is not None:
        told["game"]["clock"]["now_s"] = now_s
    return told


def done(session: TableSession, log: EventLog) -> Response:
    """The answer to a wish that was carried out: the state after it."""
    state = state_json(session.board.look().state, log.clock.monotonic_s())
    return jsonify(done=True, state=state)


def answer_refusals(app: Flask) -> None:
    """Has the application answer wishes that were refused, or that the loop did not come to."""

    @app.errorhandler(WishRefusedError)
    def refused(error: WishRefusedError) -> tuple[Response, int]:
        status = 400 if error.word == "not_understood" else 409
        return jsonify(error=error.word, message=str(error)), status

    @app.errorhandler(SessionBusyError)
    def busy(error: SessionBusyError) -> tuple[Response, int]:
        return jsonify(error="busy", message=str(error)), 503
