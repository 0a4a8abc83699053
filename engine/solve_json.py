"""The JSON forms of `meldwatch solve`: a position in, the best play out, one object a line.

In: `{"rules", "house_rules"?, "table", "rack", "objective"?, "free_jokers"?}`; the table is a list of
melds, melds and the rack are lists of tiles in the notation. Out: see `solved_to_json`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.json_line import joker_of, kind_of
from engine.judge_json import JudgeInputError, _layout, _rules, _tiles
from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.solver import Play, SolverError, best_play, can_open
from engine.solving.positions import Objective
from engine.tiles import Tile

_KEYS: Final = ("rules", "house_rules", "table", "rack", "objective", "free_jokers")
_OBJECTIVES: Final[dict[str, Objective]] = {"tiles": "tiles", "points": "points"}


class SolveInputError(ValueError):
    """A JSON object that is no position, or one the solver does not take; one line says why."""


@dataclass(frozen=True, slots=True)
class Position:
    """What is to be solved."""

    table: Layout
    rack: tuple[Tile, ...]
    rules: RuleSet
    objective: Objective
    free_jokers: bool


@dataclass(frozen=True, slots=True)
class Solved:
    """What came out for a position."""

    play: Play | None
    can_open: bool


def position_from_json(data: object) -> Position:
    """The position of one parsed JSON object. Raises SolveInputError for anything else."""
    if not isinstance(data, dict):
        raise SolveInputError(
            f'expected an object such as {{"rules": ..., "rack": ...}}, got {kind_of(data)}'
        )
    if unknown := [key for key in data if key not in _KEYS]:
        raise SolveInputError(f"unknown key {unknown[0]!r}; known are {', '.join(_KEYS)}")
    for needed in ("rules", "table", "rack"):
        if data.get(needed) is None:
            raise SolveInputError(f"{needed!r} is missing")
    objective = data.get("objective")
    if objective is not None and (not isinstance(objective, str) or objective not in _OBJECTIVES):
        came = objective if isinstance(objective, str) else kind_of(objective)
        raise SolveInputError(f'objective: expected "tiles" or "points", got {came}')
    free_jokers = data.get("free_jokers")
    if free_jokers is not None and not isinstance(free_jokers, bool):
        raise SolveInputError(f"free_jokers: expected true or false, got {kind_of(free_jokers)}")
    try:
        rules = _rules(data["rules"], data.get("house_rules"))
        joker = joker_of(rules.equipment.pieces)
        return Position(
            table=_layout(data["table"], "table", joker),
            rack=_tiles(data["rack"], "rack", joker),
            rules=rules,
            objective=_OBJECTIVES[objective or "tiles"],
            free_jokers=free_jokers is not False,
        )
    except JudgeInputError as error:
        raise SolveInputError(str(error)) from None


def solved(position: Position) -> Solved:
    """The best play of a position, and whether its rack could open. Raises SolveInputError."""
    try:
        play = best_play(
            position.table,
            position.rack,
            position.rules,
            position.objective,
            free_jokers=position.free_jokers,
        )
        return Solved(play, can_open(position.rack, position.rules))
    except SolverError as error:
        raise SolveInputError(str(error)) from None


def solved_to_json(answer: Solved) -> dict[str, Any]:
    """An answer as JSON-ready values.

    `{"placed": [tile], "count", "points", "can_open", "table_after": [[tile]]}`. `points` are the
    numbers printed on the placed tiles, a joker 0. `table_after` is null, and nothing placed, when the
    tiles of the table cannot be parted into sets.
    """
    play = answer.play
    return {
        "placed": [] if play is None else [str(tile) for tile in play.placed],
        "count": 0 if play is None else play.count,
        "points": 0 if play is None else play.points,
        "can_open": answer.can_open,
        "table_after": None
        if play is None
        else [[str(tile) for tile in meld.tiles] for meld in play.table_after.melds],
    }
