"""The rendered table as a camera, and its player."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from engine.referee import Ruling, Verdict
from table.board import LiveState
from table.player import PlayerWish
from table.rendered_game import HAND_FRAMES, PATIENCE_S, RenderedGame
from vision.layout_reader import read_layout
from vision.settling import SettleDetector
from vision.sources import FrameSource, HealthState

SIZE_WH = (640, 480)


class HeldTime:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def game_in(time: HeldTime, seed: int = 6) -> RenderedGame:
    return RenderedGame(seed, SIZE_WH, clock=time.clock, sleep=time.sleep)


def state_of(turn: int, sequence: int, *, judged: bool) -> LiveState:
    ruling = Ruling(Verdict.LEGAL) if judged else None
    return replace(
        LiveState.at_start("", rendered=True, rules="pressman"),
        camera=HealthState.LIVE,
        turn=turn,
        sequence=sequence,
        layout="-",
        layout_sequence=sequence,
        ruling=ruling,
    )


def test_it_is_a_source_of_frames_like_any_other() -> None:
    with game_in(HeldTime()) as game:
        assert isinstance(game, FrameSource)
        assert "rendered table" in game.description
        assert game.health.state is HealthState.LIVE
        assert game.read(1.0) is not None
    assert game.read(1.0) is None
    assert game.health.state.value == "ended"


def test_frames_come_at_their_pace_and_no_two_are_the_same() -> None:
    time = HeldTime()
    game = game_in(time)
    frames = [game.read(1.0) for _ in range(HAND_FRAMES + 12)]
    times = [frame.captured_at_s for frame in frames if frame is not None]
    assert np.allclose(np.diff(times), 1 / 6)
    assert game.read(0.01) is None, "the next one is due later"
    for one, other in itertools.pairwise(frames):
        assert one is not None
        assert other is not None
        assert not np.array_equal(one.pixels_bgr, other.pixels_bgr)


def test_the_picture_moves_while_a_hand_is_in_it_and_settles_after() -> None:
    game, detector = game_in(HeldTime()), SettleDetector()
    frames = [game.read(1.0) for _ in range(20)]
    states = [detector.update(frame) for frame in frames if frame is not None]
    assert not any(state.settled for state in states[:HAND_FRAMES])
    assert all(state.settled for state in states[HAND_FRAMES + 5 :])


def test_the_truth_of_a_table_at_rest_is_the_step_s_layout() -> None:
    time = HeldTime()
    game = game_in(time, seed=3)
    for number in range(6):
        for _ in range(HAND_FRAMES + 1):
            game.read(1.0)
        laid_out = read_layout(game.read_truth(np.zeros((1, 1, 3), np.uint8)))
        assert laid_out.reading.text() == str(game.step.layout)
        game.wish(state_of(number, number, judged=False))
        time.sleep(PATIENCE_S + 60)
        game.wish(state_of(number, number, judged=False))


def test_the_player_clears_the_table_first_and_ends_a_turn_that_was_judged_and_shown() -> None:
    time = HeldTime()
    game = game_in(time)
    assert game.wish(state_of(1, 0, judged=False)) is PlayerWish.NEW_ROUND
    for _ in range(HAND_FRAMES + 1):
        game.read(1.0)
        assert game.wish(state_of(1, 0, judged=False)) is PlayerWish.NOTHING
    judged = state_of(1, 5, judged=True)
    assert game.wish(judged) is PlayerWish.NOTHING, "people need time to look"
    time.sleep(13.0)
    assert game.wish(replace(judged, moving=True)) is PlayerWish.NOTHING
    assert game.wish(replace(judged, camera=HealthState.DARK)) is PlayerWish.NOTHING
    assert game.wish(state_of(1, 0, judged=True)) is PlayerWish.NOTHING, "the last step's ruling"
    step = game.step
    assert game.wish(judged) is PlayerWish.END_TURN
    assert game.step.number == step.number + 1


def test_the_game_goes_on_when_a_person_ends_the_turn() -> None:
    game = game_in(HeldTime())
    game.wish(state_of(1, 0, judged=False))
    for _ in range(HAND_FRAMES + 1):
        game.read(1.0)
        game.wish(state_of(1, 0, judged=False))
    assert game.wish(state_of(2, 5, judged=True)) is PlayerWish.NOTHING
    assert game.step.number == 1
