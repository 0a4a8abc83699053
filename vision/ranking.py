"""What each tile may be, likeliest first, by the probabilities of its number and of its colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate
from engine.tiles import JOKER, Suit, Tile
from models.classes import COLOURS, NUMBERS
from models.classes import JOKER as JOKER_CLASS
from vision.placements import LEAST_UNLIKELY

LEAST_CANDIDATE = 0.005
"""Readings less probable than this are not handed on."""

MOST_CANDIDATES = 5

MOST_UNLIKELY = 4

FACES = (*(Tile(Suit(colour), number) for number in NUMBERS for colour in COLOURS), JOKER)
"""What a tile may show: every number in every colour, and the joker."""


def ranked_candidates(
    classes: NDArray[np.float32], colours: NDArray[np.float32]
) -> list[tuple[tuple[Candidate, ...], tuple[Candidate, ...]]]:
    """What each of n face-up tiles may be, likeliest first: its candidates, at least one and none but
    the first under 0.5 %, and what is unlikely, as little as LEAST_UNLIKELY.

    ``classes`` (n, 16) and ``colours`` (n, 4) are probabilities. Those of a tile's candidates add up
    to less than 1: the rest is being face down, no tile, or something rarer.
    """
    numbered = classes[:, : len(NUMBERS), np.newaxis] * colours[:, np.newaxis]
    faces = (
        numbered.reshape(len(classes), len(FACES) - 1),
        classes[:, JOKER_CLASS : JOKER_CLASS + 1],
    )
    probabilities = np.clip(np.concatenate(faces, axis=1), 0, 1)
    ranked = np.argsort(-probabilities, axis=1, kind="stable")[:, : MOST_CANDIDATES + MOST_UNLIKELY]
    chances = np.take_along_axis(probabilities, ranked, axis=1)
    likely = 1 + (chances[:, 1:MOST_CANDIDATES] >= LEAST_CANDIDATE).sum(axis=1)
    named = np.maximum(
        likely, np.minimum((chances >= LEAST_UNLIKELY).sum(axis=1), likely + MOST_UNLIKELY)
    )
    rows = zip(ranked.tolist(), chances.tolist(), likely.tolist(), named.tolist(), strict=True)
    found = [
        ([Candidate(FACES[row[k]], chance[k]) for k in range(end)], count)
        for row, chance, count, end in rows
    ]
    return [(tuple(each[:count]), tuple(each[count:])) for each, count in found]
