"""The JSON interface; every route is described in docs/api.md.

A wish names the layout it is about (``layout_sequence``), as the person who made it saw it. If the
table has changed since, it is refused with 409 and nothing happens: nobody ends a turn, or names a
tile, on a table that they have not seen.
"""

from __future__ import annotations

from hashlib import sha256

from flask import Blueprint, Response, abort, jsonify, request

from table.event_log import EventLog
from table.session import TableSession
from web.bodies import done, number_of, state_json, teller_of, wish_of

MOST_EVENTS = 500
"""Events in one answer of ``/api/log``."""
MOST_NUMBER = 10**15
"""No event has a greater number."""
LONGEST_TEXT = 200
"""Characters of a label or an option."""


def api_blueprint(session: TableSession, log: EventLog) -> Blueprint:
    """``/api/state``, ``/api/log`` and the wishes that may be posted."""
    api = Blueprint("api", __name__, url_prefix="/api")

    @api.get("/state")
    def state() -> Response:
        return jsonify(state_json(session.board.look().state, log.clock.monotonic_s()))

    @api.get("/log")
    def events() -> Response:
        limit = number_of(request.args.get("limit", "100"), "limit", 1, MOST_EVENTS)
        if "after" in request.args and "before" in request.args:
            abort(400, "events come after a number or before one, not both")
        if "after" in request.args:
            found = log.read(number_of(request.args["after"], "after", 0, MOST_NUMBER), limit)
        elif "before" in request.args:
            found = log.read_before(
                number_of(request.args["before"], "before", 0, MOST_NUMBER), limit
            )
        else:
            found = log.read_last(limit)
        events = [logged.to_json() for logged in found]
        return jsonify(events=events, first=log.first_sequence(), last=log.last_sequence())

    @api.post("/end-turn")
    def end_turn() -> Response:
        wish = wish_of({"layout_sequence": int}, {"anyway": bool, "by": str})
        anyway, by = wish.get("anyway", False), teller_of(wish)
        session.end_turn(wish["layout_sequence"], anyway=anyway, by=by, by_next_picture=True)
        return done(session, log)

    @api.post("/new-round")
    def new_round() -> Response:
        session.new_round(teller_of(wish_of({}, {"by": str})))
        return done(session, log)

    @api.post("/answer")
    def answer() -> Response:
        given = {"tile": int, "no_tile": list, "question": int, "asked": str, "by": str}
        wish = wish_of({"layout_sequence": int, "option": str}, given)
        sequence, option = wish["layout_sequence"], wish["option"]
        if len(option) > LONGEST_TEXT:
            abort(400, f"an option has at most {LONGEST_TEXT} characters")
        if sum(about in wish for about in ("tile", "no_tile", "question")) != 1:
            abort(400, "an answer is about one tile, one place of no tile, or one question")
        if "no_tile" in wish:
            session.correct_no_tile(sequence, wish["no_tile"], option, teller_of(wish))
        elif "tile" in wish:
            session.correct_tile(sequence, wish["tile"], option, teller_of(wish))
        else:
            number, by, asked = wish["question"], teller_of(wish), wish.get("asked")
            session.answer_question(sequence, number, option, by, asked)
        return done(session, log)

    _add_wishes_about_the_view(api, session, log)
    return api


def _add_wishes_about_the_view(api: Blueprint, session: TableSession, log: EventLog) -> None:
    """What people say of the camera, of where the table is in its picture, and of what is none of it."""

    @api.post("/camera-stays")
    def camera_stays() -> Response:
        session.accept_view(teller_of(wish_of({}, {"by": str})))
        return done(session, log)

    @api.post("/ask-anew")
    def ask_anew() -> Response:
        session.ask_anew(teller_of(wish_of({}, {"by": str})))
        return done(session, log)

    @api.post("/restore")
    def restore() -> Response:
        wish = wish_of({"show": bool}, {"by": str})
        session.show_table_before(show=wish["show"], by=teller_of(wish))
        return done(session, log)

    @api.get("/restore.jpg")
    def table_before() -> Response:
        number = number_of(request.args.get("table", ""), "table", 1, MOST_NUMBER)
        jpeg = session.kept_picture(number)
        if jpeg is None:
            abort(404, "the picture of that table is not there")
        response = Response(jpeg, mimetype="image/jpeg")
        response.headers["Cache-Control"] = "private, max-age=3600"
        response.set_etag(sha256(jpeg).hexdigest()[:32])
        response.make_conditional(request)
        return response

    @api.post("/region")
    def region() -> Response:
        wish = wish_of({"corners": list, "sequence": int}, {"by": str})
        session.set_region(wish["corners"], wish["sequence"], teller_of(wish))
        return done(session, log)
