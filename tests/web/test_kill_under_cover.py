"""The program is killed while something lies on a tile: what was said of that tile holds afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.web.filmed_server import DrawnTable, FilmedServer

FIRST, SECOND = "K10 B10 R10 O10", "K11 K12 K13"
LAID = f"{FIRST} | {SECOND}"
COVERED = f"{FIRST}? | {SECOND}"
"""The table of the second turn, with a napkin on the orange ten."""


@dataclass(frozen=True)
class Evening:
    """The pictures of two turns."""

    empty: Sequence[bytes]
    first: Sequence[bytes]
    second: Sequence[bytes]
    covered: Sequence[bytes]


@pytest.fixture(scope="module")
def evening() -> Evening:
    table = DrawnTable()
    return Evening(
        table.film(),
        table.film(FIRST),
        table.film(FIRST, SECOND),
        table.film(FIRST, SECOND, napkin_on="O10"),
    )


def play_until_covered(server: FilmedServer, evening: Evening) -> Any:
    """The first turn is over; in the second the napkin comes to lie on a tile of the first."""
    server.wait_until(lambda state: state["layout"] == "-" and not state["moving"])
    wish = {"preset": "pressman", "players": ["Ada", "Ben"], "starter": "Ada"}
    server.post("/api/game/begin", wish)
    server.show(evening.first)
    state = server.ruled(FIRST)
    named = {"sequence": state["game"]["sequence"], "layout_sequence": state["layout_sequence"]}
    server.post("/api/game/act", {"act": "play", **named})
    server.show(evening.second)
    server.ruled(LAID)
    server.show(evening.covered)
    return server.ruled(COVERED)


def rulings_since_the_start(server: FilmedServer) -> list[tuple[str, str]]:
    """Each table that was judged since the program began, with the verdict."""
    logged = server.get("/api/log?limit=500")["events"]
    began = max(e["sequence"] for e in logged if e["kind"] == "session_started")
    return [
        (e["event"]["layout"], e["event"]["verdict"])
        for e in logged
        if e["kind"] == "ruling_given" and e["sequence"] > began
    ]


def test_what_was_said_of_a_covered_tile_holds_however_often_the_program_is_killed(
    tmp_path: Path, evening: Evening
) -> None:
    with FilmedServer(tmp_path, evening.empty) as server:
        state = play_until_covered(server, evening)
        (question,) = state["ruling"]["questions"]
        named = {"layout_sequence": state["layout_sequence"], "question": 0, "by": "Ben"}
        state = server.post("/api/answer", {**named, "option": "O10", "asked": question["text"]})
        assert (state["layout"], state["ruling"]["verdict"]) == (LAID, "LEGAL")
    for _ in range(2):
        with FilmedServer(tmp_path, evening.covered) as server:
            server.ruled(LAID)
            assert rulings_since_the_start(server) == [(LAID, "LEGAL")]


def test_a_covered_tile_of_which_nothing_was_said_is_asked_about_after_a_kill(
    tmp_path: Path, evening: Evening
) -> None:
    with FilmedServer(tmp_path, evening.empty) as server:
        play_until_covered(server, evening)
    with FilmedServer(tmp_path, evening.covered) as server:
        server.ruled(COVERED)
        assert rulings_since_the_start(server) == [(COVERED, "ASK")]
