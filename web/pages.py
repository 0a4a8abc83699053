"""The pages themselves, and the saved pictures they link to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, send_from_directory

from engine.ruleset import list_presets, load_ruleset


def pages_blueprint(pictures_folder: Path | None) -> Blueprint:
    """``/``, ``/begin``, ``/score`` and ``/pictures/NAME``."""
    pages = Blueprint("pages", __name__)
    titles = {preset: load_ruleset(preset).title for preset in list_presets()}
    house_rules = _house_rules()

    @pages.get("/")
    def dashboard() -> Response:
        page = render_template("dashboard.html", titles=titles, house_rules=house_rules)
        return make_response(page)

    @pages.get("/begin")
    def begin() -> Response:
        return make_response(render_template("begin.html"))

    @pages.get("/score")
    def score() -> Response:
        return make_response(render_template("score.html"))

    @pages.get("/pictures/<name>")
    def picture(name: str) -> Response:
        if pictures_folder is None or not name.endswith(".jpg"):
            abort(404, "no such picture is kept")
        response = send_from_directory(pictures_folder.absolute(), name, max_age=3600)
        response.headers["Cache-Control"] = "private, max-age=3600"
        return response

    return pages


def _house_rules() -> dict[str, dict[str, dict[str, Any]]]:
    """By preset and name what is asked about a house rule, what its answers mean, and the rule, or the
    gap in the rules, that it is about."""
    return {
        preset: {
            name: {
                "rule": switch.rule,
                "question": switch.question,
                "values": dict(switch.options or switch.words),
            }
            for name, switch in load_ruleset(preset).switches.items()
        }
        for preset in list_presets()
    }
