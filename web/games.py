"""The games of a table, also those that were put away: a list, a score sheet each, and their records."""

from __future__ import annotations

from dataclasses import asdict
from io import BytesIO
from typing import Any

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, send_file

from engine.game.fold import Game
from table.event_log import EventLog
from table.game_score import score_rows, sheet_notes
from table.kept_games import KeptGame, KeptGames, record_to_keep


def games_blueprint(log: EventLog) -> Blueprint:
    """``/games``, ``/games/NUMBER.record``, ``/api/games`` and ``/api/games/NUMBER``."""
    games = Blueprint("games", __name__)
    kept_games = KeptGames(log)

    @games.get("/games")
    def page() -> Response:
        return make_response(render_template("games.html"))

    @games.get("/games/<int:number>.record")
    def record(number: int) -> Response:
        kept, game = _found(kept_games, number)
        text = str(record_to_keep(kept, game))
        return send_file(
            BytesIO(text.encode("utf-8")),
            mimetype="text/plain",
            as_attachment=True,
            download_name=kept.file_name,
            max_age=0,
            etag=False,
        )

    @games.get("/api/games")
    def every_game() -> Response:
        return jsonify(games=[kept.to_json() for kept in kept_games.all()])

    @games.get("/api/games/<int:number>")
    def one_game(number: int) -> Response:
        kept, game = _found(kept_games, number)
        return jsonify(kept.to_json() | _sheet_json(game))

    return games


def _found(kept_games: KeptGames, number: int) -> tuple[KeptGame, Game]:
    found = kept_games.find(number)
    if found is None:
        abort(404, "no game began with that event")
    return found


def _sheet_json(game: Game) -> dict[str, Any]:
    """The score sheet of a game, in the fields of the state's ``game``."""
    return {
        "score": [asdict(row) for row in score_rows(game.state)],
        "notes": list(sheet_notes(game.state)),
    }
