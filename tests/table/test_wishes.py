"""What people press, and the picture that it waits for."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from engine.referee import Verdict
from table.in_sight import MAY_BE_OLD, NONE_NOW
from table.wishes import SessionBusyError, WishQueue, WishRefusedError
from tests.table.laid_table import PATIENCE_S, wait_until
from tests.table.played_table import PlayedTable
from vision.sources import Health, HealthState


@pytest.fixture
def others() -> Iterator[ThreadPoolExecutor]:
    """Threads of people who press something."""
    with ThreadPoolExecutor(4) as threads:
        yield threads


def asked(wishes: WishQueue, others: ThreadPoolExecutor, done: list[str]) -> list[Future[None]]:
    """Three wishes, one after another, of which the first and the last are about the table."""
    futures = []
    for word, by_next_picture in (("play", True), ("clock", False), ("draw", True)):
        future = others.submit(
            wishes.ask, lambda word=word: done.append(word), by_next_picture=by_next_picture
        )
        while len(wishes) == len(futures):
            assert not future.done()
        futures.append(future)
    return futures


def test_what_is_about_the_table_waits_for_a_picture_that_came_after_it(
    others: ThreadPoolExecutor,
) -> None:
    wishes, done = WishQueue(), list[str]()
    futures = asked(wishes, others, done)
    wishes.grant(lambda: None)
    assert done == ["clock"]
    wishes.grant_those(wishes.waiting(), lambda: None)
    assert done == ["clock", "play", "draw"], "in the order in which they were asked"
    assert [future.result(PATIENCE_S) for future in futures] == [None] * 3


def test_who_still_waits_when_the_session_ends_is_told(others: ThreadPoolExecutor) -> None:
    wishes = WishQueue()
    futures = asked(wishes, others, [])
    wishes.close()
    for future in futures:
        with pytest.raises(SessionBusyError, match="the session has ended"):
            future.result(PATIENCE_S)


def test_a_press_while_the_camera_hangs_counts_for_the_table_that_it_shows_then(
    played: PlayedTable, others: ThreadPoolExecutor
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.table.hangs = True
    played.table.lay("K10 B10 R10", "K13 B13")
    pressed = others.submit(played.act_on_the_table, "play")
    played.table.wait_for_reads(5)
    assert not pressed.done(), "it may be about another table than the last picture shows"
    played.table.hangs = False
    with pytest.raises(WishRefusedError) as refusal:
        pressed.result(PATIENCE_S)
    assert refusal.value.word == "stale"
    state = wait_until(played.session.board, lambda state: state.layout == "K10 B10 R10 | K13 B13")
    state = wait_until(played.session.board, lambda state: state.ruling is not None)
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.ILLEGAL


def test_what_is_about_no_table_is_done_at_once(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.table.hangs = True
    played.session.in_game(lambda game: game.set_clock("paused", "Ada"))
    assert played.game.clock is not None
    assert played.game.clock.since_s is None


@pytest.mark.parametrize(
    ("health", "why"),
    [
        (Health(HealthState.FROZEN, "camera 0: sends the same picture"), "sends the same picture"),
        (Health(HealthState.MOVED, "The camera has moved."), r"The camera has moved\."),
        (Health(HealthState.ENDED), NONE_NOW),
        (Health(HealthState.LIVE, doubtful=True), MAY_BE_OLD),
    ],
)
def test_a_press_without_a_picture_is_refused_for_what_is_wrong_with_the_camera(
    played: PlayedTable, others: ThreadPoolExecutor, health: Health, why: str
) -> None:
    played.begin("Ada", "Ben")
    played.lay("K10 B10 R10")
    wait_until(played.session.board, lambda state: state.ruling is not None)
    played.table.hangs = True
    pressed = others.submit(played.act_on_the_table, "play")
    played.table.wait_for_reads(3)
    played.table.health = health
    with pytest.raises(WishRefusedError, match=why):
        pressed.result(PATIENCE_S)
    assert [line.split()[0] for line in played.lines()] == ["game", "Ada", "deal"]
