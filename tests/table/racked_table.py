"""A table that a test lays, with a rack at its lower border, for tests of where the table is."""

from __future__ import annotations

from dataclasses import replace

from tests.table.laid_table import StaticTable

RACK = "K5 R2 B9 O4 K8 J"
GROWING = tuple(
    ("K7 B7 R7 O7", "B3 B4 B5 B6", "O1 O2 O3 O4", last)
    for last in ("R9 R10 R11", "R9 R10 R11 R12", "R8 R9 R10 R11 R12")
)
"""Tables one after another, enough of them to tell where the table is."""


def lay_before_a_rack(table: StaticTable, *melds: str) -> None:
    """Lays melds, and below them a rack, whose tiles look lower than those that lie flat."""
    table.lay(*melds, RACK)
    held = len(RACK.split())
    flat, rack = table.placements[:-held], table.placements[-held:]
    middle = (0, rack[0].centre_xy[1])
    table.placements = [
        *flat,
        *(replace(p, quad_xy=(p.quad_xy - middle) * (1, 0.6) + middle) for p in rack),
    ]
