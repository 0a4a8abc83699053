"""The JSON forms of `meldwatch judge`: a turn in, a ruling out, one object a line.

In: `{"rules", "house_rules"?, "before"?, "after", "rack_before"?, "rack_after"?, "opened"?,
"elapsed_s"?, "pool_empty"?}`. Layouts are lists of melds, melds and racks lists of tiles in the
notation; what is left out or null is unknown. Out: see `ruling_to_json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.examine import check_pieces
from engine.faults import Finding, Question, Ruling
from engine.layout import Layout
from engine.melds import Meld
from engine.notation import NotationError
from engine.ruleset import HouseRuleError, RuleSet, UnknownPresetError, load_ruleset
from engine.tiles import Tile, parse_tile
from engine.turns import Turn

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
)


_LONGEST_TURN_S: Final = 1e9


class JudgeInputError(ValueError):
    """A JSON object that is no turn; the message is one line that says where and what to write."""


def turn_from_json(data: object) -> tuple[Turn, RuleSet]:
    """The turn and the rules of one parsed JSON object. Raises JudgeInputError for anything else."""
    if not isinstance(data, dict):
        raise JudgeInputError(
            f'expected an object such as {{"rules": ..., "after": ...}}, got {_kind(data)}'
        )
    if unknown := [key for key in data if key not in _KEYS]:
        raise JudgeInputError(f"unknown key {unknown[0]!r}; known are {', '.join(_KEYS)}")
    for needed in ("rules", "after"):
        if data.get(needed) is None:
            raise JudgeInputError(f"{needed!r} is missing")
    rules = _rules(data["rules"], data.get("house_rules"))
    before = data.get("before")
    turn = Turn(
        before=None if before is None else _layout(before, "before"),
        after=_layout(data["after"], "after"),
        rack_before=_rack(data.get("rack_before"), "rack_before"),
        rack_after=_rack(data.get("rack_after"), "rack_after"),
        opened=_yes_no(data.get("opened"), "opened"),
        elapsed_s=_seconds(data.get("elapsed_s")),
        pool_empty=_yes_no(data.get("pool_empty"), "pool_empty") or False,
    )
    try:
        check_pieces(turn, rules)
    except ValueError as error:
        raise JudgeInputError(str(error)) from None
    return turn, rules


def _rules(name: object, house_rules: object) -> RuleSet:
    if not isinstance(name, str):
        raise JudgeInputError(f"rules: expected the name of a preset, got {_kind(name)}")
    if house_rules is None:
        house_rules = {}
    if not isinstance(house_rules, dict):
        raise JudgeInputError(
            f"house_rules: expected an object of switches, got {_kind(house_rules)}"
        )
    try:
        return load_ruleset(name, house_rules)
    except UnknownPresetError as error:
        raise JudgeInputError(f"rules: {error}") from None
    except HouseRuleError as error:
        raise JudgeInputError(f"house_rules: {error}") from None


def _layout(value: object, where: str) -> Layout:
    if not isinstance(value, list):
        raise JudgeInputError(f"{where}: expected a list of melds, got {_kind(value)}")
    melds = []
    for number, meld in enumerate(value):
        tiles = _tiles(meld, f"{where}[{number}]")
        if not tiles:
            raise JudgeInputError(f"{where}[{number}]: a meld holds at least one tile")
        melds.append(Meld(tiles))
    return Layout(tuple(melds))


def _rack(value: object, where: str) -> tuple[Tile, ...] | None:
    return None if value is None else _tiles(value, where)


def _tiles(value: object, where: str) -> tuple[Tile, ...]:
    if not isinstance(value, list):
        raise JudgeInputError(f"{where}: expected a list of tiles, got {_kind(value)}")
    found = []
    for number, text in enumerate(value):
        if not isinstance(text, str):
            raise JudgeInputError(
                f'{where}[{number}]: expected a tile such as "K7", got {_kind(text)}'
            )
        try:
            found.append(parse_tile(text))
        except NotationError as error:
            message = f"expected {error.expected}, got {text!r}; {error.hint}"
            raise JudgeInputError(f"{where}[{number}]: {message}") from None
    return tuple(found)


def _yes_no(value: object, where: str) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise JudgeInputError(f"{where}: expected true, false or null, got {_kind(value)}")


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise JudgeInputError(f"elapsed_s: expected seconds from 0 up, got {_kind(value)}")
    # NaN passes json.loads, and an int may be too long for a float.
    if not 0 <= value < _LONGEST_TURN_S:
        raise JudgeInputError("elapsed_s: expected seconds from 0 up, got another number")
    return float(value)


def _kind(value: object) -> str:
    """What a JSON value is, for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    names: Mapping[type, str] = {dict: "an object", list: "a list", str: "a text", int: "a number"}
    return names.get(type(value), "a number")


def ruling_to_json(ruling: Ruling) -> dict[str, Any]:
    """A ruling as JSON-ready values.

    `{"verdict", "findings": [{"code", "rule", "quote", "meld", "tiles", "message", "repair"}],
    "questions": [{"kind", "text", "options", "tile", "rule"}], "unchecked": [text]}`; `meld` counts
    the melds of "after" from 0, and `repair` is null when none was found.
    """
    return {
        "verdict": ruling.verdict.value,
        "findings": [_finding_to_json(finding) for finding in ruling.findings],
        "questions": [_question_to_json(question) for question in ruling.questions],
        "unchecked": list(ruling.unchecked),
    }


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
    return {
        "kind": question.kind,
        "text": question.text,
        "options": list(question.options),
        "tile": question.tile,
        "rule": question.rule,
    }
