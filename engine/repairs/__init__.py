"""The smallest repair of a turn: the fewest moves after which nothing is wrong with it, three at most.

`find_repair` is all that the rest of the engine needs. Moves and what counts as one stand in
docs/referee.md. `tables` with `search` is for sets that lie apart, `grids` with `grid_search` for a
board, and `task` for both.
"""

from __future__ import annotations

from engine.repairs.finding import find_repair
from engine.repairs.task import MOST_MOVES, Repair

__all__ = ["MOST_MOVES", "Repair", "find_repair"]
