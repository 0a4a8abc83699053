"""At a live table a tile that was surely misread is asked about once before a turn is called illegal."""

from __future__ import annotations

import pytest

from engine.layout import Candidate, TileReading
from engine.referee import Verdict
from engine.tiles import parse_tile
from table.events import RulingGiven
from table.play import PERSON
from tests.table.played_alone import PlayedAlone
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.rendering import RenderedTable
from vision.rendering.arrangements import TilePose

TABLE = RenderedTable(3)
WIDTH = TABLE.design.width_mm
RUN = [TilePose(f"K{n}", (n - 6) * WIDTH * 1.02, 0.0, 0.0) for n in range(3, 8)]
MISREAD = TileReading(
    (Candidate(parse_tile("K8"), 0.998),), True, unlikely=(Candidate(parse_tile("K5"), 0.001),)
)
"""Of the black 5 in the middle."""


class Table(PlayedAlone):
    """A run that lies still, and its turn; the reader is sure of an 8 in the middle of it."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures = 0

    def look(self, times: int) -> None:
        for _ in range(times):
            self.pictures += 1
            picture = TABLE.picture(RUN, noise_seed=self.pictures)
            placements = []
            for quad, pose in zip(picture.quads_xy, RUN, strict=True):
                certain = TileReading.certain(parse_tile(pose.label))
                read = MISREAD if pose.label == "K5" else certain
                placements.append(Placement(quad, read, 0.9, Face.UP))
            at_s = self.pictures * 0.3
            self.play.add(Frame(picture.pixels_bgr, at_s, self.pictures, "drawn"), placements)

    @property
    def verdicts(self) -> list[str]:
        return [event.verdict for event in self.told if isinstance(event, RulingGiven)]


@pytest.mark.parametrize(("answer", "verdict"), [("K8", "ILLEGAL"), ("K5", "LEGAL")])
def test_it_is_asked_once_and_the_answer_holds(answer: str, verdict: str) -> None:
    table = Table()
    table.look(3)
    ruling = table.play.ruling
    assert ruling is not None
    assert ruling.verdict is Verdict.ASK
    assert ruling.questions[0].options == ("K8", "K5")
    table.answers.answer(table.play.layout_sequence, 0, answer, PERSON)
    table.look(3)
    table.play.disturb()  # a hand comes and goes
    table.look(4)
    assert table.verdicts == ["ASK", verdict]
