"""The game at a table as the fold of its log, without a table."""

from __future__ import annotations

from engine.game.events import Misplayed
from engine.game.resting import rests_on
from table.event_log import LoggedEvent
from table.events import GameTold
from table.forms import parse_board
from table.game_on_table import GameOnTable

BEGUN = ("game sabra; players: Ada | Ben", "Ada begins", "deal")
TRIED = parse_board("K10 B10 R11")


def game_of(*lines: str) -> GameOnTable:
    on_table = GameOnTable()
    tell(on_table, *lines)
    return on_table


def tell(on_table: GameOnTable, *lines: str) -> None:
    for line in lines:
        number = on_table.sequence + 1
        told = GameTold(1, line, "Ada")
        on_table.add(LoggedEvent(number, "2026-05-01T18:00:00Z", float(number), told))


def test_what_an_event_rests_on_is_what_the_engine_says_of_it_and_worked_out_once() -> None:
    on_table = game_of(*BEGUN)
    assert on_table.state is not None
    failed = Misplayed("Ada", TRIED)
    said = on_table.rests_on(failed)
    assert [default.switch for default in said] == ["misplay.restore"]
    assert said == rests_on(on_table.state, failed)
    assert on_table.rests_on(Misplayed("Ada", parse_board("K10 B10 R11"))) is said


def test_what_an_event_rests_on_is_asked_anew_when_the_game_has_gone_on() -> None:
    on_table = game_of(*BEGUN)
    failed = Misplayed("Ada", TRIED)
    assert on_table.rests_on(failed)
    tell(on_table, "house rule: misplay.restore=yes")
    assert on_table.rests_on(failed) == (), "it is chosen now"


def test_without_a_game_nothing_rests_on_anything() -> None:
    assert GameOnTable().rests_on(Misplayed("Ada", TRIED)) == ()
