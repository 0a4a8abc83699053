"""The JSON interface; every route is described in docs/api.md.

A wish names the layout it is about (``layout_sequence``), as the person who made it saw it. If the
table has changed since, it is refused with 409 and nothing happens: nobody ends a turn, or names a
tile, on a table that they have not seen.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from table.event_log import EventLog
from table.session import TableSession
from table.wishes import SessionBusyError, WishRefusedError

MOST_EVENTS = 500
"""Events in one answer of ``/api/log``."""
LONGEST_TEXT = 200
"""Characters of a label or an option."""


def api_blueprint(session: TableSession, log: EventLog) -> Blueprint:
    """``/api/state``, ``/api/log`` and the wishes that may be posted."""
    api = Blueprint("api", __name__, url_prefix="/api")

    @api.get("/state")
    def state() -> Response:
        return jsonify(session.board.look().state.to_json())

    @api.get("/log")
    def events() -> Response:
        limit = _number(request.args.get("limit", "100"), "limit", 1, MOST_EVENTS)
        if "after" in request.args:
            found = log.read(_number(request.args["after"], "after", 0, 10**15), limit)
        else:
            found = log.read_last(limit)
        return jsonify(events=[logged.to_json() for logged in found], last=log.last_sequence())

    @api.post("/end-turn")
    def end_turn() -> Response:
        wish = _wish({"layout_sequence": int}, {"anyway": bool})
        session.end_turn(wish["layout_sequence"], anyway=wish.get("anyway", False))
        return _done(session)

    @api.post("/new-round")
    def new_round() -> Response:
        _wish({}, {})
        session.new_round()
        return _done(session)

    @api.post("/camera-stays")
    def camera_stays() -> Response:
        _wish({}, {})
        session.accept_view()
        return _done(session)

    @api.post("/answer")
    def answer() -> Response:
        wish = _wish({"layout_sequence": int, "option": str}, {"tile": int, "question": int})
        sequence, option = wish["layout_sequence"], wish["option"]
        if len(option) > LONGEST_TEXT:
            abort(400, f"an option has at most {LONGEST_TEXT} characters")
        if ("tile" in wish) == ("question" in wish):
            abort(400, "an answer is about one tile or about one question")
        if "tile" in wish:
            session.correct_tile(sequence, wish["tile"], option)
        else:
            session.answer_question(sequence, wish["question"], option)
        return _done(session)

    @api.errorhandler(WishRefusedError)
    def refused(error: WishRefusedError) -> tuple[Response, int]:
        status = 400 if error.word == "not_understood" else 409
        return jsonify(error=error.word, message=str(error)), status

    @api.errorhandler(SessionBusyError)
    def busy(error: SessionBusyError) -> tuple[Response, int]:
        return jsonify(error="busy", message=str(error)), 503

    return api


def _done(session: TableSession) -> Response:
    return jsonify(done=True, state=session.board.look().state.to_json())


def _wish(required: dict[str, type], optional: dict[str, type]) -> dict[str, Any]:
    """The JSON object of the request; answers 400 unless it has just these fields."""
    try:
        wish = request.get_json()
    except RecursionError:
        abort(400, "the JSON is nested too deeply")
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
    return wish


_JSON_NAMES = {int: "whole number", str: "string", bool: "boolean"}


def _number(text: str, name: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and least <= int(text) <= most):
        abort(400, f"{name} must be a whole number from {least} to {most}")
    return int(text)
