"""A tile that lies where it lay and is missed by the reader is there; one that was taken is missed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2

from engine.layout import TileReading, parse_layout
from engine.referee import Verdict
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from table.events import Event
from table.game_on_table import GameOnTable
from table.in_sight import InSight
from table.play import PERSON, Play
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.rendering import RenderedTable
from vision.rendering.arrangements import TilePose

TABLE = RenderedTable(3)
WIDTH = TABLE.design.width_mm
RUN = [TilePose(f"K{n}", (n - 6) * WIDTH * 1.02, 0.0, 0.0) for n in range(3, 8)]


class Seen:
    """Pictures of a table one after another, and what a reader finds in them."""

    def __init__(self) -> None:
        self.number = 0

    def look(self, poses: list[TilePose], missed: str = "") -> tuple[Frame, list[Placement]]:
        self.number += 1
        picture = TABLE.picture(poses, noise_seed=self.number)
        placements = [
            Placement(quad, TileReading.certain(parse_tile(pose.label)), 0.9, Face.UP)
            for quad, pose in zip(picture.quads_xy, poses, strict=True)
            if pose.label != missed
        ]
        return Frame(picture.pixels_bgr, self.number * 0.3, self.number, "drawn"), placements


def just_run(_: str, step: Callable[[], None]) -> None:
    step()


def a_turn_after(seen: Seen) -> Play:
    """A table on which the run 3 to 7 has been confirmed."""
    sequences = iter(range(1, 1000))

    def write(*events: Event) -> int:
        return next(sequences) + 0 * len(events)

    play = Play(load_ruleset("pressman"), write, just_run, GameOnTable())
    for _ in range(2):
        play.add(*seen.look(RUN))
    at_rest = InSight(at_rest=True, is_out=False, why_not="")
    play.end_turn(play.layout_sequence, anyway=False, by=PERSON, in_sight=at_rest)
    return play


def test_a_tile_that_is_missed_and_looks_as_it_did_lies_there_and_nothing_is_asked() -> None:
    seen = Seen()
    play = a_turn_after(seen)
    for _ in range(3):
        play.add(*seen.look(RUN, missed="K5"))
    assert play.ruling is not None
    assert play.ruling.verdict is Verdict.LEGAL
    assert play.lying.layout == parse_layout("K3 K4 K5 K6 K7")


def test_a_tile_that_is_missed_where_a_streak_of_light_lies_on_it_is_asked_about() -> None:
    seen = Seen()
    play = a_turn_after(seen)
    for _ in range(3):
        frame, placements = seen.look(RUN, missed="K5")
        pixels = frame.pixels_bgr.copy()
        quad = TABLE.picture(RUN, noise_seed=0).quads_xy[2]
        corner = (0.75 * quad[3] + 0.25 * quad[1]).astype(int)
        cv2.circle(pixels, (int(corner[0]), int(corner[1])), 3, (140, 140, 140), -1)
        play.add(replace(frame, pixels_bgr=pixels), placements)
    assert play.ruling is not None
    assert play.ruling.verdict is Verdict.ASK
    assert play.ruling.questions[0].kind == "tile"


def test_a_tile_that_was_taken_is_missed_by_the_referee() -> None:
    seen = Seen()
    play = a_turn_after(seen)
    for _ in range(3):
        play.add(*seen.look([pose for pose in RUN if pose.label != "K5"]))
    assert play.ruling is not None
    assert play.ruling.verdict is Verdict.ILLEGAL
