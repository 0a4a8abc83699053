"""What a live table makes of photographs that are held still before its camera."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.ruleset import RuleSet
    from table.match.held_still import Held
    from vision.frame import Pixels
    from vision.reader import TableReader

NO_RULING = "no ruling"


class LiveReadings:
    """Reads photographs as a live table does, each by a session of its own, and counts its rulings."""

    def __init__(self, reader: TableReader, rules: RuleSet, seed: int) -> None:
        from web.commands.reading import open_rack_reader

        self._reader = reader
        self._rules = rules
        self._seed = seed
        self._racks = open_rack_reader()
        self._verdicts: Counter[str] = Counter()
        self._questions: Counter[str] = Counter()
        self._seconds: list[float] = []

    def read(self, _path: Path, pixels_bgr: Pixels) -> dict[str, Any]:
        """The layout that counts in the end and the ruling, nearly as `read --json` prints them."""
        from table.match.held_still import hold_still
        from table.match.shown_film import ShownFilm
        from vision.enrolment.in_play import LearningReader
        from vision.patient_reading import patiently_by

        learner = LearningReader(self._reader.of_live_pictures(), at_once=True)
        film = ShownFilm(
            self._rules,
            learner.read,
            learner.learn,
            patiently_by(learner),
            learner.bodies_near,
            self._racks.standing,
        )
        try:
            held = hold_still(pixels_bgr, film, self._seed)
        finally:
            learner.close()
        self._count(held)
        return _as_record(held, pixels_bgr)

    def _count(self, held: Held) -> None:
        ruling = held.state.ruling
        self._verdicts[NO_RULING if ruling is None else ruling.verdict.value] += 1
        self._questions.update(question.kind for question in (ruling.questions if ruling else ()))
        self._seconds += [] if held.ruled_s is None else [held.ruled_s]

    def told(self) -> dict[str, Any]:
        """What was counted since this was asked last, for `--json`."""
        told = {
            "rulings": dict(self._verdicts.most_common()),
            "questions": dict(self._questions.most_common()),
            "seconds_median": round(median(self._seconds), 3) if self._seconds else None,
        }
        self._verdicts, self._questions, self._seconds = Counter(), Counter(), []
        return told


def live_in_words(told: dict[str, Any]) -> str:
    """The same as lines for people."""
    rulings = ", ".join(f"{verdict} {number}" for verdict, number in told["rulings"].items())
    asked = ", ".join(f"{kind} {number}" for kind, number in told["questions"].items())
    seconds = told["seconds_median"]
    after = "" if seconds is None else f"; the middle one {seconds:.1f} s after the first picture"
    return f"live rulings: {rulings}{after}\n   questions: {asked or 'none'}"


def _as_record(held: Held, pixels_bgr: Pixels) -> dict[str, Any]:
    """As `ReadPhotograph.to_json`, but for what a page does not show of a tile."""
    from engine.judge_json import ruling_to_json
    from web.commands.reading import UNREAD

    height, width = pixels_bgr.shape[:2]
    read = () if held.layout is None else held.layout.tiles
    tiles = [
        {
            "label": tile.label or UNREAD,
            "quad": [[round(x * width, 1), round(y * height, 1)] for x, y in tile.quad],
            "sure": tile.sure,
            "candidates": [{"label": name, "probability": round(p, 4)} for name, p in candidates],
        }
        for tile, candidates in zip(held.state.tiles, read, strict=True)
    ]
    ruling = held.state.ruling
    return {
        "width": width,
        "height": height,
        "tiles": tiles,
        "layout": held.state.layout,
        "ruling": None if ruling is None else ruling_to_json(ruling),
    }
