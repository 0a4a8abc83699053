"""What a tile may be, as events hold it and pages offer it."""

from __future__ import annotations

from engine.layout import TileReading

NEGLIGIBLE = 0.001
"""Candidates less probable than this are not logged or offered."""
DECIMALS = 4
"""Places of probabilities in events."""


def candidates_of(tile: TileReading) -> tuple[tuple[str, float], ...]:
    """Label and probability of each candidate, likeliest first."""
    return tuple(
        (str(candidate.tile), round(candidate.probability, DECIMALS))
        for candidate in tile.candidates
        if candidate.probability >= NEGLIGIBLE
    )
