"""How fast best plays are found, against the rummikub-solver package where it is installed.

Both solve the same positions in the same process, in turn, each position once. Ours begins with empty
caches, and a second round shows what they are worth. The rival is never needed for anything else: it
comes with the optional `bench` extra.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.solve_json import SolveInputError, position_from_json
from engine.solver import best_play
from engine.tiles import TILES, Tile
from engine.turns import Turn
from table.bench_spans import Spans, forget, time_each

RIVAL: Final = "rummikub-solver"
SEED: Final = 1
POSITIONS: Final = 100
"""Positions that are drawn where no file gives any."""

Position = tuple[Layout, tuple[Tile, ...]]


class PositionsError(ValueError):
    """A file of positions that cannot be used; the message is one line that says why."""


@dataclass(frozen=True, slots=True)
class SolverBench:
    """What finding best plays costs."""

    positions: int
    source: str
    """Where the positions come from."""
    ours: Spans
    ours_again: Spans
    """The same positions a second time, caches filled."""
    rival: Spans | None
    note: str
    """Whether the counts agree, or why there is no rival."""

    @property
    def ratios(self) -> tuple[float, float] | None:
        """How many times as long the rival takes, at the median and at the 99th percentile."""
        if self.rival is None:
            return None
        return (
            self.rival.median_ms / self.ours.median_ms,
            self.rival.p99_ms / self.ours.p99_ms,
        )

    def to_json(self) -> dict[str, Any]:
        """Timings, ratios and the note."""
        return {
            "positions": self.positions,
            "source": self.source,
            "ours": self.ours.to_json(),
            "ours_again": self.ours_again.to_json(),
            "rival": None if self.rival is None else self.rival.to_json(),
            "ratios": None if self.ratios is None else [round(ratio, 1) for ratio in self.ratios],
            "note": self.note,
        }


def read_positions(path: Path) -> list[Position]:
    """The positions of a file: an object with a list under `best_play`, or an object a line, each with
    `table` and `rack` as `meldwatch solve` takes them. Raises PositionsError."""
    try:
        text = path.read_text("utf-8")
        try:
            whole = json.loads(text)
        except ValueError:
            whole = {"best_play": [json.loads(line) for line in text.splitlines() if line.strip()]}
        rows = whole.get("best_play", [whole])
        found = [
            position_from_json(
                {"rules": "pressman", "table": row.get("table"), "rack": row.get("rack")}
            )
            for row in rows
        ]
    except (OSError, ValueError, AttributeError, TypeError) as error:
        reason = error if isinstance(error, SolveInputError) else "no positions could be read"
        raise PositionsError(f"{path}: {reason}") from error
    if not found:
        raise PositionsError(f"{path}: holds no positions")
    return [(position.table, position.rack) for position in found]


def drawn_positions(rules: RuleSet) -> list[Position]:
    """Positions of games in which everybody plays as much as can be played, from one seed."""
    return [(turn.before or Layout(), turn.rack_before or ()) for turn in drawn_turns(rules)]


def drawn_turns(rules: RuleSet) -> list[Turn]:
    """The turns of these games, of players who have all opened."""
    random = Random(SEED)
    found: list[Turn] = []
    while len(found) < POSITIONS:
        pool = [tile for tile in TILES for _ in range(2)]
        random.shuffle(pool)
        racks = [[pool.pop() for _ in range(14)] for _ in range(4)]
        table = Layout()
        turn = 0
        while pool and all(racks) and len(found) < POSITIONS:
            rack = racks[turn % len(racks)]
            before, held = table, tuple(rack)
            play = best_play(table, rack, rules)
            if play is None or not play.placed:
                rack.append(pool.pop())
            else:
                rack[:] = (Counter(rack) - Counter(play.placed)).elements()
                table = play.table_after
            found.append(Turn(before, table, held, tuple(rack), True, 30.0, players=len(racks)))
            turn += 1
    return found


def bench_solver(positions: Sequence[Position], source: str, rules: RuleSet) -> SolverBench:
    """Times best plays by tiles of all positions, by us and by the rival."""

    def ours(position: Position) -> int:
        play = best_play(*position, rules)
        return 0 if play is None else play.count

    forget()
    first, counts = time_each("meldwatch", positions, ours)
    again, _ = time_each("meldwatch, again", positions, ours)
    try:
        theirs = _rival()
        version = importlib.metadata.version(RIVAL)
    except ImportError:
        note = f"no rival: {RIVAL} is not installed (the optional extra `bench` brings it)"
        return SolverBench(len(positions), source, first, again, None, note)
    theirs(positions[0])
    rival, rival_counts = time_each(f"{RIVAL} {version}", positions, theirs)
    differing = sum(one != other for one, other in zip(counts, rival_counts, strict=True))
    fewer = sum(one < other for one, other in zip(counts, rival_counts, strict=True))
    note = "the same counts"
    if differing:
        note = f"{differing} counts differ; in {fewer} of them the rival places more"
    return SolverBench(len(positions), source, first, again, rival, note)


def _rival() -> Callable[[Position], int]:
    """The rival as a function of the same position. Raises ImportError where it is not installed.

    Its rules are made once, as it is meant to be used; turning tiles into its own is not timed apart.
    """
    package = importlib.import_module("rummikub_solver")
    rules = package.RuleSet()
    by_text: dict[str, Any] = {}
    for tile in rules.tiles:
        if isinstance(tile, package.Joker):
            by_text["J"] = tile
        else:
            letter = {"BLACK": "K", "BLUE": "B"}.get(tile.colour.name, tile.colour.name[0])
            by_text[f"{letter}{tile.value}"] = tile

    def solve(position: Position) -> int:
        table, rack = position
        state = rules.new_game()
        state.initial = False
        state.add_table(*(by_text[str(tile)] for tile in table.tiles))
        state.add_rack(*(by_text[str(tile)] for tile in rack))
        found = rules.solve(state, package.SolverMode.TILE_COUNT)
        return 0 if found is None else len(found.tiles)

    return solve
