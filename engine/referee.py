"""The referee: everything the rest of Meldwatch needs to have a turn judged.

`judge` takes a turn as fact and plays through what the house rules leave open (`engine.verdicts`).
`judge_reading` takes what a camera could tell and plays through every reading still possible
(`engine.doubt`). Neither ever prefers a reading for being legal.
"""

from __future__ import annotations

from engine.doubt import judge_reading
from engine.faults import NO_TILE, Fault, Finding, Question, Ruling, Verdict
from engine.turn_reading import TurnReading
from engine.turns import Turn
from engine.verdicts import judge

__all__ = [
    "NO_TILE",
    "Fault",
    "Finding",
    "Question",
    "Ruling",
    "Turn",
    "TurnReading",
    "Verdict",
    "judge",
    "judge_reading",
]
