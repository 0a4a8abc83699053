"""The JSON forms of `meldwatch judge`: a turn in, a ruling out, one object a line.

In: `{"rules", "house_rules"?, "before"?, "after", "rack_before"?, "rack_after"?, "opened"?,
"elapsed_s"?, "pool_empty"?, "players"?}`. Layouts are lists of melds, melds and racks lists of tiles
in the notation, read as `engine.json_line` has it; what is left out or null is unknown.

For tiles in a grid `"grid"` and `"grid_before"?` stand for `"after"` and `"before"`: lists of rows of
equally many cells, null for an empty one; and `"claims"?` is a list of `{"meld", "level"?, "own"?}`,
the sets claimed in this turn, how often each had been claimed, and whether by the same player. For
the card game `"contract"?` is `[sets, runs]`, or `"round"?` its number, and `"discard"?` a list of the
card discarded or of none. Out: see `ruling_to_json`.
"""

from __future__ import annotations

from typing import Any, Final

from engine.examine import check_pieces
from engine.faults import Finding, Question, Ruling
from engine.json_line import JsonLineError, check_number, joker_of, kind_of, tile_of, tiles_of
from engine.layout import GridLayout, Layout
from engine.melds import Meld
from engine.ruleset import HouseRuleError, RuleSet, UnknownPresetError, load_ruleset
from engine.tiles import Tile
from engine.turns import Claim, Turn

_KEYS: Final = (
    "rules",
    "house_rules",
    "before",
    "after",
    "rack_before",
    "rack_after",
    "opened",
    "elapsed_s",
    "pool_empty",
    "players",
    "grid",
    "grid_before",
    "claims",
    "contract",
    "round",
    "discard",
)


_LONGEST_TURN_S: Final = 1e9
_MOST_PLAYERS: Final = 100
_LOCKED: Final = 3
_MOST_SETS: Final = 9


class JudgeInputError(ValueError):
    """A JSON object that is no turn; the message is one line that says where and what to write."""


def turn_from_json(data: object) -> tuple[Turn, RuleSet]:
    """The turn and the rules of one parsed JSON object. Raises JudgeInputError for anything else."""
    if not isinstance(data, dict):
        raise JudgeInputError(
            f'expected an object such as {{"rules": ..., "after": ...}}, got {kind_of(data)}'
        )
    if unknown := [key for key in data if key not in _KEYS]:
        raise JudgeInputError(f"unknown key {unknown[0]!r}; known are {', '.join(_KEYS)}")
    on_grid = data.get("grid") is not None
    if not on_grid and data.get("grid_before") is not None:
        raise JudgeInputError("grid_before: stands beside a grid only; write before")
    for needed in ("rules", "grid" if on_grid else "after"):
        if data.get(needed) is None:
            raise JudgeInputError(f"{needed!r} is missing")
    rules = _rules(data["rules"], data.get("house_rules"))
    joker = joker_of(rules.equipment.pieces)
    boards = _boards(data, joker) if on_grid else (None, None)
    before, number = data.get("before"), _round(data.get("round"), rules)
    turn = Turn(
        before=None if before is None else _layout(before, "before", joker),
        after=Layout() if on_grid else _layout(data["after"], "after", joker),
        rack_before=_rack(data.get("rack_before"), "rack_before", joker),
        rack_after=_rack(data.get("rack_after"), "rack_after", joker),
        opened=_yes_no(data.get("opened"), "opened"),
        elapsed_s=_seconds(data.get("elapsed_s")),
        pool_empty=_yes_no(data.get("pool_empty"), "pool_empty") or False,
        players=_players(data.get("players")),
        claims=_claims(data.get("claims"), rules, joker),
        contract=_contract(data.get("contract"), number, rules),
        round=number,
        discard=_discard(data.get("discard"), rules, joker),
    )
    if boards[1] is not None:
        turn = turn.with_grid(boards[0], boards[1])
    try:
        check_pieces(turn, rules)
    except ValueError as error:
        raise JudgeInputError(str(error)) from None
    return turn, rules


def _rules(name: object, house_rules: object) -> RuleSet:
    if not isinstance(name, str):
        raise JudgeInputError(f"rules: expected the name of a preset, got {kind_of(name)}")
    if house_rules is None:
        house_rules = {}
    if not isinstance(house_rules, dict):
        raise JudgeInputError(
            f"house_rules: expected an object of switches, got {kind_of(house_rules)}"
        )
    try:
        return load_ruleset(name, house_rules)
    except UnknownPresetError as error:
        raise JudgeInputError(f"rules: {error}") from None
    except HouseRuleError as error:
        raise JudgeInputError(f"house_rules: {error}") from None


def _layout(value: object, where: str, joker: Tile) -> Layout:
    if not isinstance(value, list):
        raise JudgeInputError(f"{where}: expected a list of melds, got {kind_of(value)}")
    melds = []
    for number, meld in enumerate(value):
        tiles = _tiles(meld, f"{where}[{number}]", joker)
        if not tiles:
            raise JudgeInputError(f"{where}[{number}]: a meld holds at least one tile")
        melds.append(Meld(tiles))
    _check_number(sum(map(len, melds)), where)
    return Layout(tuple(melds))


def _boards(data: dict[Any, Any], joker: Tile) -> tuple[GridLayout | None, GridLayout]:
    """The boards before and after; beside them melds would say the same twice."""
    for key in ("before", "after"):
        if data.get(key) is not None:
            raise JudgeInputError(f"{key}: left out beside a grid, which has its lines")
    before = data.get("grid_before")
    first = None if before is None else _board(before, "grid_before", joker)
    return first, _board(data["grid"], "grid", joker)


def _board(value: object, where: str, joker: Tile) -> GridLayout:
    """A grid from rows of cells; empty rows and columns at the border are cut off."""
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise JudgeInputError(f"{where}: expected a list of rows of cells, got {kind_of(value)}")
    if len({len(row) for row in value}) > 1:
        raise JudgeInputError(f"{where}: the rows of a grid have equally many cells")
    _check_number(sum(cell is not None for row in value for cell in row), where)
    rows = [
        [_cell(cell, f"{where}[{y}][{x}]", joker) for x, cell in enumerate(row)]
        for y, row in enumerate(value)
    ]
    filled_rows = [y for y, row in enumerate(rows) if any(row)]
    if not filled_rows:
        return GridLayout()
    filled = [x for x in range(len(rows[0])) if any(row[x] for row in rows)]
    cut = rows[filled_rows[0] : filled_rows[-1] + 1]
    return GridLayout(tuple(tuple(row[filled[0] : filled[-1] + 1]) for row in cut))


def _cell(value: object, where: str, joker: Tile) -> Tile | None:
    try:
        return None if value is None else tile_of(value, where, joker)
    except JsonLineError as error:
        raise JudgeInputError(str(error)) from None


def _claims(value: object, rules: RuleSet, joker: Tile) -> tuple[Claim, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise JudgeInputError(f"claims: expected a list of claims, got {kind_of(value)}")
    if value and rules.claims is None:
        raise JudgeInputError(f"claims: nothing is claimed in {rules.preset}; leave it out")
    claims = tuple([_claim(item, f"claims[{n}]", joker) for n, item in enumerate(value)])
    _check_number(sum(len(claim.meld) for claim in claims), "claims")
    return claims


def _claim(value: object, where: str, joker: Tile) -> Claim:
    if not isinstance(value, dict):
        raise JudgeInputError(
            f'{where}: expected an object such as {{"meld": [...]}}, got {kind_of(value)}'
        )
    if unknown := [key for key in value if key not in ("meld", "level", "own")]:
        raise JudgeInputError(f"{where}: unknown key {unknown[0]!r}; known are meld, level, own")
    tiles = _tiles(value.get("meld"), f"{where}.meld", joker)
    if not tiles:
        raise JudgeInputError(f"{where}.meld: a meld holds at least one tile")
    level = value.get("level", 0)
    if isinstance(level, bool) or not isinstance(level, int) or not 0 <= level <= _LOCKED:
        raise JudgeInputError(f"{where}.level: expected a whole number from 0 to {_LOCKED}")
    return Claim(Meld(tiles), level, _yes_no(value.get("own"), f"{where}.own") or False)


def _discard(value: object, rules: RuleSet, joker: Tile) -> tuple[Tile, ...] | None:
    found = _rack(value, "discard", joker)
    if found and rules.discard is None:
        raise JudgeInputError(f"discard: nothing is discarded in {rules.preset}; leave it out")
    return found


def _contract(value: object, number: int | None, rules: RuleSet) -> tuple[int, int] | None:
    """A contract as groups and runs, which has to be that of the round beside it."""
    if value is None:
        return None
    if rules.contracts is None:
        raise JudgeInputError(f"contract: {rules.preset} has no contracts")
    numbers = value if isinstance(value, list) else []
    whole = [item for item in numbers if isinstance(item, int) and not isinstance(item, bool)]
    if len(numbers) != 2 or len(whole) != 2 or min(whole) < 0 or not 0 < sum(whole) <= _MOST_SETS:
        raise JudgeInputError("contract: expected how many sets and runs, such as [1, 1]")
    contract = whole[0], whole[1]
    if number is not None and contract not in _contracts_of_round(number, rules):
        raise JudgeInputError("contract: not the one of the round; one of the two is enough")
    return contract


def _contracts_of_round(number: int, rules: RuleSet) -> set[tuple[int, int]]:
    """What a round may ask for: by every order, while nobody has chosen one (AMB-39)."""
    name = "contracts.order"
    orders = rules.answers_to(name).values() if rules.is_open(name) else (rules,)
    return {order.contracts.of_round(number) for order in orders if order.contracts is not None}


def _round(number: object, rules: RuleSet) -> int | None:
    if number is None:
        return None
    if rules.contracts is None:
        raise JudgeInputError(f"round: {rules.preset} has no contracts")
    most = len(rules.contracts.rounds)
    if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= most:
        return number
    raise JudgeInputError(f"round: expected a whole number from 1 to {most}")


def _rack(value: object, where: str, joker: Tile) -> tuple[Tile, ...] | None:
    return None if value is None else _tiles(value, where, joker)


def _tiles(value: object, where: str, joker: Tile) -> tuple[Tile, ...]:
    try:
        return tiles_of(value, where, joker)
    except JsonLineError as error:
        raise JudgeInputError(str(error)) from None


def _check_number(count: int, where: str) -> None:
    try:
        check_number(count, where)
    except JsonLineError as error:
        raise JudgeInputError(str(error)) from None


def _yes_no(value: object, where: str) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise JudgeInputError(f"{where}: expected true, false or null, got {kind_of(value)}")


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise JudgeInputError(f"elapsed_s: expected seconds from 0 up, got {kind_of(value)}")
    # NaN passes json.loads, and an int may be too long for a float.
    if not 0 <= value < _LONGEST_TURN_S:
        raise JudgeInputError("elapsed_s: expected seconds from 0 up, got another number")
    return float(value)


def _players(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value < _MOST_PLAYERS:
        raise JudgeInputError(
            f"players: expected a whole number from 2 to {_MOST_PLAYERS - 1}, got {kind_of(value)}"
        )
    return value


def ruling_to_json(ruling: Ruling) -> dict[str, Any]:
    """A ruling as JSON-ready values.

    `{"verdict", "findings": [{"code", "rule", "quote", "meld", "tiles", "message", "repair"}],
    "questions": [{"kind", "text", "options", "tile", "rule"}], "unchecked": [text]}`; `meld` counts
    the melds of "after" from 0, and `repair` is null when none was found. `"advice"`, findings that
    leave the turn legal, and a question's `"tiles"` are there when there are any.
    """
    told: dict[str, Any] = {
        "verdict": ruling.verdict.value,
        "findings": [_finding_to_json(finding) for finding in ruling.findings],
        "questions": [_question_to_json(question) for question in ruling.questions],
        "unchecked": list(ruling.unchecked),
    }
    if ruling.advice:
        told["advice"] = [_finding_to_json(finding) for finding in ruling.advice]
    return told


def _finding_to_json(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "rule": finding.rule,
        "quote": finding.quote,
        "meld": finding.meld,
        "tiles": [str(tile) for tile in finding.tiles],
        "message": finding.message,
        "repair": finding.repair,
    }


def _question_to_json(question: Question) -> dict[str, Any]:
    told: dict[str, Any] = {
        "kind": question.kind,
        "text": question.text,
        "options": list(question.options),
        "tile": question.tile,
        "rule": question.rule,
    }
    if question.tiles:
        told["tiles"] = list(question.tiles)
    return told
