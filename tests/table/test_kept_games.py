"""Every game of a log: how it ended, and its record as a file, also after the log was put away."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.game.record import parse_record
from engine.game.replay import replay
from table.event_log import EventLog, open_event_log
from table.events import Event, GameLeft, GameResumed, GameTold
from table.game_records import first_event_to_keep, records_in
from table.kept_games import KeptGame, KeptGames, record_to_keep
from tests.table.laid_table import HeldClock

GOING_OUT = "Ada plays: K10 B10 R10 O10 | K1 K2 K3 K4 K5 | B1 B2 B3 B4 B5"
BENS = "hands: Ben R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O2"
ROUND = ("Ada begins", "deal", GOING_OUT, BENS)
LEFT = "left"


def told(*lines: str) -> list[Event]:
    return [GameLeft(1, "Ada") if line == LEFT else GameTold(1, line, "Ada") for line in lines]


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    return open_event_log(tmp_path / "log.db", HeldClock().clock)


def append(log: EventLog, *lines: str) -> None:
    with log.writer() as writer:
        writer.append(*told(*lines))


def begin(*players: str, house: str = "") -> str:
    rules = f"; house: {house}" if house else ""
    return f"game pressman{rules}; players: {' | '.join(players)}"


@pytest.mark.parametrize(
    ("house", "lines", "outcome", "leaders"),
    [
        ("", (), "under way", ()),
        ("", (LEFT,), "put away", ()),
        ("", ROUND, "under way", ("Ada",)),
        ("", (*ROUND, LEFT), "won", ("Ada",)),
        ("", (*ROUND, "Ben begins", LEFT), "won", ("Ada",)),
        ("", (*ROUND, "Ben begins", "deal", LEFT), "put away", ("Ada",)),
        ("score.target=500", (*ROUND, LEFT), "put away", ("Ada",)),
        ("score.target=50", ROUND, "won", ("Ada",)),
        ("score.target=50", (*ROUND, LEFT), "won", ("Ada",)),
    ],
)
def test_a_game_that_nothing_ends_is_won_when_it_is_put_away_between_rounds(
    log: EventLog, house: str, lines: tuple[str, ...], outcome: str, leaders: tuple[str, ...]
) -> None:
    """AMB-31: the players agree on how many points end the game, or on none."""
    append(log, begin("Ada", "Ben", house=house), *lines)
    (kept,) = KeptGames(log).all()
    assert (kept.outcome, kept.leaders) == (outcome, leaders)
    assert kept.totals == (("84", "-84") if leaders else ())


def test_what_is_asked_again_is_what_a_fresh_look_at_the_log_finds(log: EventLog) -> None:
    kept_games = KeptGames(log)
    assert kept_games.all() == []
    for line in (begin("Ada", "Ben"), *ROUND, LEFT, begin("Cleo", "Dan"), begin("Ben", "Dan")):
        append(log, line)
        assert kept_games.all() == KeptGames(log).all()
    assert [game.outcome for game in kept_games.all()] == ["under way", "put away", "won"]


def test_the_record_of_any_game_replays_and_is_found_by_the_event_that_began_it(
    log: EventLog,
) -> None:
    append(log, begin("Ada", "Ben"), *ROUND, LEFT, begin("Cleo", "Dan"), "Cleo begins", "deal")
    kept_games = KeptGames(log)
    found = [kept_games.find(game.number) for game in kept_games.all()]
    records = [record_to_keep(*each) for each in found if each is not None]
    assert [record.begun.players for record in records] == [("Cleo", "Dan"), ("Ada", "Ben")]
    assert [replay(parse_record(str(record))).length for record in records] == [3, 5]
    assert {record.date for record in records} == {"2026-05-01"}
    assert kept_games.find(2) is None


def test_games_that_were_put_away_with_a_large_log_are_still_there(log: EventLog) -> None:
    append(log, begin("Ada", "Ben"), *ROUND, LEFT, begin("Cleo", "Dan"), "Cleo begins")
    before = KeptGames(log).all()
    log.put_away(first_event_to_keep(log))
    append(log, "deal", LEFT, begin("Ada", "Dan"))
    log.put_away(first_event_to_keep(log))
    kept_games = KeptGames(log)
    after = kept_games.all()
    assert [game.players for game in after] == [("Ada", "Dan"), ("Cleo", "Dan"), ("Ada", "Ben")]
    assert after[2] == before[1]
    assert [game.events for game in after] == [1, 3, 5]
    found = kept_games.find(after[1].number)
    assert found is not None
    assert found[1].length == 3, "what was told on both sides of the cut"


def test_one_that_is_over_hinders_no_other_from_going_on(log: EventLog) -> None:
    append(log, begin("Ada", "Ben"), "Ada begins", LEFT)
    append(log, begin("Ada", "Ben", house="score.target=50"), *ROUND)
    over, other = KeptGames(log).all()
    assert (over.outcome, over.may_go_on) == ("won", False)
    assert (other.outcome, other.may_go_on) == ("put away", True)


def test_a_game_that_goes_on_is_one_game_with_one_record(log: EventLog) -> None:
    append(log, begin("Ada", "Ben"), "Ada begins", LEFT, begin("Cleo", "Dan"), LEFT)
    kept_games = KeptGames(log)
    second, first = kept_games.all()
    assert (first.players, first.outcome, first.may_go_on) == (("Ada", "Ben"), "put away", True)
    assert second.may_go_on
    with log.writer() as writer:
        writer.append(GameResumed(1, first.number, "Ada"), *told("deal"))
    assert first_event_to_keep(log) == first.number
    now, other = kept_games.all()
    assert (now.players, now.outcome, now.events) == (("Ada", "Ben"), "under way", 3)
    assert not now.may_go_on
    assert not other.may_go_on, "while another one is under way"
    assert KeptGames(log).all() == kept_games.all()
    append(log, LEFT)
    assert [game.may_go_on for game in kept_games.all()] == [True, True]
    assert [game.players for game in kept_games.all()] == [("Ada", "Ben"), ("Cleo", "Dan")]
    assert [record.begun.players for record in records_in(log)] == [("Ada", "Ben"), ("Cleo", "Dan")]
    found = kept_games.find(first.number)
    assert found is not None
    record = record_to_keep(*found)
    assert str(record) == str(next(records_in(log)))
    assert replay(parse_record(str(record))).length == 3


def test_a_game_of_an_earlier_file_or_that_cannot_be_read_does_not_go_on(log: EventLog) -> None:
    append(log, begin("Ada", "Ben"), LEFT)
    log.put_away(first_event_to_keep(log))
    append(log, begin("Cleo", "Dan"), "Ben draws", LEFT, begin("Ada", "Dan"), LEFT)
    assert [(game.players, game.may_go_on) for game in KeptGames(log).all()] == [
        (("Ada", "Dan"), True),
        (("Cleo", "Dan"), False),
        (("Ada", "Ben"), False),
    ]


def test_a_game_of_which_an_event_cannot_have_been_is_given_up_to_there(log: EventLog) -> None:
    append(log, "Ben draws", begin("Ada", "Ben"), "Ben draws", "Ada begins", begin("Cleo", "Dan"))
    assert [(game.players, game.events) for game in KeptGames(log).all()] == [
        (("Cleo", "Dan"), 1),
        (("Ada", "Ben"), 1),
    ]


@pytest.mark.parametrize(
    ("players", "name"),
    [
        (("Ada", "Ben"), "2026-05-01-pressman-Ada-Ben.record"),
        (("Åsa", "../etc"), "2026-05-01-pressman-Åsa-etc.record"),
        (("♥", "♦"), "2026-05-01-pressman-game.record"),
        (("x" * 200, "Ben"), f"2026-05-01-pressman-{'x' * 80}.record"),
    ],
)
def test_a_record_has_a_name_that_any_disk_takes(players: tuple[str, ...], name: str) -> None:
    at = "2026-05-01T18:00:00.000Z"
    kept = KeptGame(1, at, "pressman", "Pressman", players, (), (), "under way", 1)
    assert kept.file_name == name
