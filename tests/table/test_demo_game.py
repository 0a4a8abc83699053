"""The demo game: what its script says is legal is, and the reader has a fair chance."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from engine.layout import Layout
from engine.referee import Turn, TurnReading, Verdict, judge_reading
from engine.ruleset import load_ruleset
from table.demo_game import DemoStep, demo_steps
from vision.rendering import TILE_SIZE_MM

SPAN_MM = (577.0, 433.0)
RULES = load_ruleset("pressman")


def steps(seed: int, number: int = 90) -> list[DemoStep]:
    return list(itertools.islice(demo_steps(seed, SPAN_MM), number))


def test_the_same_seed_plays_the_same_game() -> None:
    assert steps(4, 30) == steps(4, 30)
    assert steps(4, 30) != steps(5, 30)


@pytest.mark.parametrize("seed", range(6))
def test_the_referee_agrees_with_the_script_on_every_step(seed: int) -> None:
    before = Layout()
    for step in steps(seed):
        before = Layout() if step.starts_round else before
        turn = Turn(before, step.layout, opened=step.opened)
        ruling = judge_reading(TurnReading.certain(turn), RULES)
        expected = Verdict.LEGAL if step.legal else Verdict.ILLEGAL
        assert ruling.verdict is expected, (step.said, str(before), str(step.layout))
        before = step.layout if step.ends_turn else before


@pytest.mark.parametrize("seed", range(6))
def test_a_turn_that_is_not_legal_is_mended_before_it_ends(seed: int) -> None:
    played = steps(seed, 150)
    assert any(not step.legal for step in played), "once in a while there is one"
    for step, following in itertools.pairwise(played):
        assert step.ends_turn == step.legal
        if not step.legal:
            assert following.legal
            assert not following.starts_round


@pytest.mark.parametrize("seed", range(6))
def test_there_are_never_more_than_two_of_a_tile(seed: int) -> None:
    for step in steps(seed):
        assert max(Counter(step.layout.tiles).values()) <= 2


@pytest.mark.parametrize("seed", range(6))
def test_tiles_of_two_melds_never_come_near_each_other_and_stay_in_the_picture(seed: int) -> None:
    half_w, half_h = SPAN_MM[0] / 2, SPAN_MM[1] / 2
    for step in steps(seed, 60):
        sizes = [len(meld.tiles) for meld in step.layout.melds]
        owners = [number for number, size in enumerate(sizes) for _ in range(size)]
        for pose in step.poses:
            assert abs(pose.x_mm) < half_w - TILE_SIZE_MM[0] / 2
            assert abs(pose.y_mm) < half_h - TILE_SIZE_MM[1] / 2
        for (a, one), (b, other) in itertools.combinations(zip(owners, step.poses, strict=True), 2):
            dx, dy = abs(one.x_mm - other.x_mm), abs(one.y_mm - other.y_mm)
            overlaps = dx < TILE_SIZE_MM[0] - 0.5 and dy < TILE_SIZE_MM[1]
            assert not overlaps, step.said
            beside = a != b and dy < TILE_SIZE_MM[1] * 0.6
            assert not (beside and dx < TILE_SIZE_MM[0] * 1.6), step.said


def test_a_table_on_which_no_game_fits_is_refused() -> None:
    with pytest.raises(ValueError, match="no game fits"):
        demo_steps(1, (200.0, 100.0))


def test_poses_come_in_the_order_of_the_layout() -> None:
    for step in steps(2, 20):
        assert [pose.label for pose in step.poses] == [str(tile) for tile in step.layout.tiles]
