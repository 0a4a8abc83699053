"""Whether the table is watched, for programs that look after programs."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from table.board import Board
from table.event_log import EventLog


def health_blueprint(board: Board, log: EventLog) -> Blueprint:
    """``/health``: 200 while the session runs and its log can be read, 503 otherwise."""
    health = Blueprint("health", __name__)

    @health.get("/health")
    def look() -> tuple[Response, int]:
        glance = board.look()
        sequence = log.last_sequence()
        answer = jsonify(
            status="ended" if glance.closed else "watching",
            camera=glance.state.camera.value,
            rendered=glance.state.rendered,
            sequence=sequence,
        )
        return answer, 503 if glance.closed else 200

    return health
