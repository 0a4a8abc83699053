"""What is answered where a request cannot be: JSON to programs, a page to people.

Errors are JSON objects with ``error`` (a word) and ``message`` (a sentence). Somebody who opens an
address in a browser gets the sentence on a page with the way back.
"""

from __future__ import annotations

import logging

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge

from table.event_log import EventLogError

LOGGER = logging.getLogger(__name__)

HTML, JSON = "text/html", "application/json"

NOWHERE = "nothing is at this address"
"""What is said of an address that nobody knows, where the framework would speak of servers."""


def answer_errors(app: Flask) -> None:
    """Has ``app`` answer all errors that no blueprint answers itself."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(EventLogError, _log_error)
    app.register_error_handler(Exception, _unexpected)


def _http_error(error: HTTPException) -> Response:
    word = error.name.lower().replace(" ", "_")
    response = _answer(word, _in_a_sentence(error), error.code or 500)
    if isinstance(error, MethodNotAllowed):
        response.allow.update(error.valid_methods or ())
    return response


def _in_a_sentence(error: HTTPException) -> str:
    """What is wrong, in this program's words where the framework has its own."""
    if isinstance(error, NotFound) and error.description == NotFound.description:
        return NOWHERE
    if isinstance(error, RequestEntityTooLarge) and request.max_content_length is not None:
        return f"at most {request.max_content_length // 1024} KiB can be sent here"
    return error.description or error.name


def _log_error(error: EventLogError) -> Response:
    LOGGER.error("%s", error)
    return _answer("log_unavailable", str(error), 503)


def _unexpected(error: Exception) -> Response:
    LOGGER.exception("a request failed", exc_info=error)
    return _answer("internal", "the program failed; its log says more", 500)


def _answer(word: str, message: str, status: int) -> Response:
    if _asks_for_a_page():
        page = render_template("error.html", message=message, is_missing=status == 404)
        return make_response(page, status)
    return make_response(jsonify(error=word, message=message), status)


def _asks_for_a_page() -> bool:
    """Whether somebody opened an address: browsers say then that they would rather have HTML."""
    liked = request.accept_mimetypes.best_match([JSON, HTML])
    return request.method == "GET" and liked == HTML and not request.path.startswith("/api/")
