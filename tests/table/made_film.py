"""A film as somebody makes it elsewhere, with what is true of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from tests.table.laid_table import StaticTable

CLEARED, HAND, REST = 20, 8, 15
"""Pictures of the empty table, with a hand, and of each rest."""
BEGUN = ("R10 R11 R12", "K1 K2 K3")
"""A first turn, worth 39."""


def a_film(folder: Path, *turns: tuple[Sequence[str], Mapping[str, Any]]) -> Path:
    """A film in which these rows are laid turn by turn, of which this is told beside the tiles."""
    table, told, number = StaticTable(), [], 0
    writer = cv2.VideoWriter(
        str(folder / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480)
    )

    def show(pictures: int, *, hand: bool = False) -> None:
        nonlocal number
        for step in range(pictures):
            table._index = number
            pixels_bgr = table.picture()
            if hand:
                pixels_bgr[200:, 200 + 20 * step : 320 + 20 * step] = (60, 90, 160)
            writer.write(pixels_bgr)
            number += 1

    show(CLEARED)
    for rows, of_it in turns:
        show(HAND, hand=True)
        table.lay(*rows)
        tiles = iter(table.placements)
        laid = [
            {"label": label, "quad": next(tiles).quad_xy.tolist(), "set": row, "place": place}
            for row, labels in enumerate(rows)
            for place, label in enumerate(labels.split())
        ]
        usual = {"player": 0, "does": "play", "verdict": "LEGAL", "faults": [], "stays": True}
        told.append({**usual, "still": number, "ends": number + REST - 1, "tiles": laid, **of_it})
        show(REST)
    writer.release()
    film = {
        "preset": "pressman",
        "players": ["North", "South"],
        "fps": 10,
        "cleared": CLEARED - 2,
        "turns": told,
    }
    (folder / "film.json").write_text(json.dumps(film))
    return folder
