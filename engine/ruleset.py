"""A game's rules as data: every number and switch, each with the rule it comes from.

A preset is a TOML file in `engine/rules`; a variant or a house rule is a field here, never an `if` on
a game's name. The fields serve all five games; presets leave out the parts a game does not have.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

from engine.faults import Fault
from engine.rule_sections import (
    Buys,
    Claims,
    Contracts,
    Deal,
    Discard,
    Draw,
    Equipment,
    Finish,
    Group,
    Hints,
    Joker,
    Misplay,
    Opening,
    Players,
    PoolOut,
    Run,
    Score,
    Start,
    Table,
    Timeout,
    Tournament,
)
from engine.switches import HouseRuleError, Switch, by_full_name, parse_switch

__all__ = [
    "Buys",
    "Claims",
    "Contracts",
    "Deal",
    "Discard",
    "Draw",
    "Equipment",
    "Finish",
    "Group",
    "Hints",
    "HouseRuleError",
    "Joker",
    "Misplay",
    "Opening",
    "Players",
    "PoolOut",
    "RuleSet",
    "Run",
    "Score",
    "Start",
    "Table",
    "Timeout",
    "Tournament",
    "UnknownPresetError",
    "list_presets",
    "load_ruleset",
    "quotation",
    "quotations",
    "settled",
]


class UnknownPresetError(ValueError):
    """No preset has this name; the message names those there are."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one game at one table. Equal means: judged alike."""

    preset: str
    title: str
    equipment: Equipment
    players: Players
    deal: Deal
    start: Start
    table: Table
    run: Run
    group: Group
    opening: Opening
    joker: Joker
    draw: Draw
    timeout: Timeout
    misplay: Misplay
    pool_out: PoolOut
    finish: Finish
    score: Score
    hints: Hints
    claims: Claims | None
    contracts: Contracts | None
    buys: Buys | None
    discard: Discard | None
    tournament: Tournament | None
    fault_rules: Mapping[str, str]
    """The rule each fault breaks; a key such as `SET_TOO_SHORT/run` goes before the bare code."""
    value_rules: Mapping[str, str]
    """The rule each value comes from, by its name such as `run.least`."""
    switches: Mapping[str, Switch]
    """What a table may choose, by name."""
    chosen: frozenset[str] = frozenset()
    """The switches this table has chosen."""
    assumed: frozenset[str] = frozenset()
    """Switches that hold by their defaults though nobody has chosen, and are not asked about."""
    _open: frozenset[str] = field(default=frozenset(), init=False, repr=False, compare=False)
    """The switches the table should be asked about, see `is_open`."""
    _answers: dict[str, Mapping[str, RuleSet]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _combinations: dict[tuple[str, ...], tuple[RuleSet, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _standing: dict[tuple[str, ...], tuple[tuple[object, ...], tuple[str, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _answered: frozenset[tuple[str, str]] = field(
        default=frozenset(), init=False, repr=False, compare=False
    )
    """The answers by which these rules came of others, and all that did, by their answers."""
    _family: dict[frozenset[tuple[str, str]], RuleSet] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _of_tables: list[RuleSet] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        asked = {name for name, switch in self.switches.items() if switch.asked}
        object.__setattr__(self, "_open", frozenset(asked - self.chosen - self.assumed))

    def rule_of(self, fault: Fault, kind: str | None = None) -> str:
        """The id of the rule that a fault breaks, for a `group` or a `run` where the two differ."""
        code = fault.code
        return self.fault_rules.get(f"{code}/{kind}") or self.fault_rules[code]

    def value_of(self, switch: str) -> object:
        """The present value of a switch, as the field holds it."""
        section, field_name = switch.split(".")
        value: object = getattr(getattr(self, section), field_name)
        return value

    def is_open(self, switch: str) -> bool:
        """Whether the table should be asked: nobody has chosen, and the document does not settle it."""
        return switch in self._open

    @property
    def table_moves(self) -> bool:
        """Whether tiles of the table may be moved, as far as a turn knows: tokens, which may hold a set
        together (AMB-35), it does not know."""
        return self.claims is None or not self.claims.frozen

    def standing_of(self, switches: tuple[str, ...]) -> tuple[tuple[object, ...], tuple[str, ...]]:
        """The values of these switches, and those of them that are open. What rests on nothing else is
        the same under all rules in which they stand alike."""
        found = self._standing.get(switches)
        if found is None:
            values = tuple(self.value_of(name) for name in switches)
            found = self._standing[switches] = values, tuple(filter(self.is_open, switches))
        return found

    def for_table_alone(self) -> RuleSet:
        """These rules for a table of which nothing else is known: what is asked of turns alone
        (`Switch.of_turns`) holds by its default while nobody has chosen."""
        if not self._of_tables:
            turns = [name for name, switch in self.switches.items() if switch.of_turns]
            still_open = frozenset(filter(self.is_open, turns))
            assumed = self.assumed | still_open
            self._of_tables.append(replace(self, assumed=assumed) if still_open else self)
        return self._of_tables[0]

    def answers_to(self, switch: str) -> Mapping[str, RuleSet]:
        """These rules with each of the answers to an open switch (`Switch.open_values`), by its value.

        They are made once: one turn may have to be judged by all of them, and so may the next.
        """
        if switch not in self._answers:
            values = self.switches[switch].open_values
            chosen = {value: self._under(switch, value) for value in values}
            self._answers[switch] = MappingProxyType(chosen)
        return self._answers[switch]

    def _under(self, switch: str, value: str) -> RuleSet:
        """The rules with one more answer: the same ones in whatever order answers are given."""
        answered = self._answered | {(switch, value)}
        if answered not in self._family:
            rules = self.with_house_rules({switch: value})
            object.__setattr__(rules, "_answered", answered)
            object.__setattr__(rules, "_family", self._family)
            self._family[answered] = rules
        return self._family[answered]

    def combinations_of(self, switches: tuple[str, ...]) -> tuple[RuleSet, ...]:
        """These rules with every combination of answers to open switches. Made once, as `answers_to`."""
        if not switches:
            return (self,)
        if switches not in self._combinations:
            self._combinations[switches] = tuple(
                last
                for answered in self.answers_to(switches[0]).values()
                for last in answered.combinations_of(switches[1:])
            )
        return self._combinations[switches]

    def usual_answers(self) -> dict[str, str | int]:
        """For each open switch its default, as house rules are given: for who wants nothing asked."""
        texts = {
            name: switch.print(self.value_of(name))
            for name, switch in self.switches.items()
            if self.is_open(name)
        }
        return {name: int(text) if text.isdigit() else text for name, text in texts.items()}

    def rounds_for(self, players: int) -> int | None:
        """How many rounds a game of that many players has; None where something else ends it.

        In a tournament these are its rounds of several games.
        """
        score = self.score
        if self.tournament is not None:
            return self.tournament.rounds
        if score.ends == "one_game":
            return 1
        if score.ends != "rounds":
            return None
        if players == self.players.least and score.rounds_two_players is not None:
            return score.rounds_two_players
        return players if score.rounds is None else score.rounds

    def with_house_rules(self, house_rules: Mapping[str, object]) -> RuleSet:
        """These rules with switches chosen, each by its name, as `{"joker.free_removal": "no"}`.

        A name may be parted at its dot, as TOML parts one that stands without quotes:
        `{"joker": {"free_removal": "no"}}`. Values are those of docs/house-rules.md; true and false
        stand for yes and no. Raises HouseRuleError for a switch or a value there is not, or for one that
        is given both ways.
        """
        changed: dict[str, Any] = {}
        chosen = by_full_name(house_rules)
        for name, given in chosen.items():
            if name not in self.switches:
                raise HouseRuleError(
                    f"there is no house rule {name!r}; there are: {', '.join(self.switches)}"
                )
            section, field_name = name.split(".")
            now = changed.get(section, getattr(self, section))
            changed[section] = replace(now, **{field_name: self.switches[name].parse(given)})
        return replace(self, **changed, chosen=self.chosen | frozenset(chosen))


_Section = TypeVar("_Section")
_OPTIONAL_SECTIONS: Final = frozenset({"claims", "contracts", "buys", "discard", "tournament"})
_SECTIONS: Final[dict[str, type[Any]]] = {
    "equipment": Equipment,
    "players": Players,
    "deal": Deal,
    "start": Start,
    "table": Table,
    "run": Run,
    "group": Group,
    "opening": Opening,
    "joker": Joker,
    "draw": Draw,
    "timeout": Timeout,
    "misplay": Misplay,
    "pool_out": PoolOut,
    "finish": Finish,
    "score": Score,
    "hints": Hints,
    "claims": Claims,
    "contracts": Contracts,
    "buys": Buys,
    "discard": Discard,
    "tournament": Tournament,
}
_NOT_PRESETS: Final = frozenset({"citations", "settled", "switches"})


@cache
def list_presets() -> tuple[str, ...]:
    """The names `load_ruleset` knows, in alphabetical order."""
    files = resources.files("engine.rules").iterdir()
    names = {file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")}
    return tuple(sorted(names - _NOT_PRESETS))


def load_ruleset(name: str, house_rules: Mapping[str, object] | None = None) -> RuleSet:
    """The rules of a preset, with the house rules a table has chosen.

    Raises UnknownPresetError, and HouseRuleError for a switch or value there is not.
    """
    if name not in list_presets():
        raise UnknownPresetError(
            f"there are no rules {name!r}; there are: {', '.join(list_presets())}"
        )
    rules = _load(name)
    return rules.with_house_rules(house_rules) if house_rules else rules


def quotation(rule: str) -> str:
    """The words a rule id stands for, as in the document. Raises KeyError for an unknown id."""
    return _quotations()[rule]


def quotations() -> Mapping[str, str]:
    """Every rule id of the catalogue with its words."""
    return _quotations()


@cache
def _quotations() -> Mapping[str, str]:
    documents = _read_toml("citations")
    return MappingProxyType(
        {
            rule: words
            for rules in documents.values()
            for rule, words in rules.items()
            if rule != "document"
        }
    )


def settled() -> Mapping[str, str]:
    """Rules that are no value and no switch of any preset, each with what becomes of it."""
    return MappingProxyType(_read_toml("settled"))


def _preset_data(name: str) -> dict[str, Any]:
    """A preset file, laid over the one it extends: each value, fault and switch by itself."""
    data = _read_toml(name)
    base = data.pop("extends", None)
    if base is None:
        return data
    merged = _preset_data(base)
    for key, value in data.items():
        merged[key] = merged.get(key, {}) | value if isinstance(value, dict) else value
    return merged


def _switches(entries: Mapping[str, Any], where: str) -> Mapping[str, Switch]:
    """The switches a preset has, in the order of the catalogue; false takes an inherited one away."""
    catalogue = _read_toml("switches")
    if unknown := set(entries) - set(catalogue):
        raise ValueError(f"{where}: there is no switch {sorted(unknown)}")
    return MappingProxyType(
        {
            name: parse_switch({"name": name} | catalogue[name] | entries[name])
            for name in catalogue
            if entries.get(name)
        }
    )


def _read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads(
        resources.files("engine.rules").joinpath(f"{name}.toml").read_text("utf-8")
    )


@cache
def _load(name: str) -> RuleSet:
    """One preset file as a RuleSet; every slip in the file raises ValueError with its place."""
    data = _preset_data(name)
    title = data.pop("title")
    switches = _switches(data.pop("switch", {}), name)
    fault_rules: dict[str, str] = {}
    for code, rule in data.pop("faults").items():
        by_kind = rule if isinstance(rule, dict) else {"": rule}
        for kind, rule_id in by_kind.items():
            fault_rules[f"{code}/{kind}".removesuffix("/")] = rule_id
        fault_rules.setdefault(code, next(iter(by_kind.values())))
    if unknown := set(data) - set(_SECTIONS):
        raise ValueError(f"{name}: unknown sections {sorted(unknown)}")
    value_rules: dict[str, str] = {}
    sections: dict[str, Any] = {}
    for section, kind in _SECTIONS.items():
        entries = data.get(section)
        if entries is None and section in _OPTIONAL_SECTIONS:
            sections[section] = None
            continue
        sections[section] = _section(kind, entries or {}, f"{name}: {section}")
        value_rules |= {f"{section}.{key}": entry["rule"] for key, entry in (entries or {}).items()}
    return RuleSet(
        preset=name,
        title=title,
        **sections,
        fault_rules=MappingProxyType(fault_rules),
        value_rules=MappingProxyType(value_rules),
        switches=switches,
    )


def _section(kind: type[_Section], entries: Mapping[str, Any], where: str) -> _Section:
    """One section of a preset as its dataclass, every value checked against the field's type."""
    hints = get_type_hints(kind)
    if unknown := set(entries) - set(hints):
        raise ValueError(f"{where}: unknown values {sorted(unknown)}")
    values: dict[str, object] = {}
    for item in fields(kind):  # type: ignore[arg-type]
        if item.name in entries:
            values[item.name] = _checked(
                entries[item.name]["value"], hints[item.name], f"{where}.{item.name}"
            )
        elif item.default is MISSING:
            raise ValueError(f"{where}: {item.name} is missing")
    return kind(**values)


def _checked(value: object, hint: object, where: str) -> object:
    """A TOML value as the type a field promises: choices, numbers, yes/no, and rows as tuples."""
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise ValueError(f"{where}: {value!r} is none of {get_args(hint)}")
        return value
    if isinstance(value, list):
        return tuple(tuple(item) if isinstance(item, list) else item for item in value)
    if hint is int and isinstance(value, bool):
        raise ValueError(f"{where}: expected a number, got {value!r}")
    if isinstance(hint, type) and not isinstance(value, hint):
        raise ValueError(f"{where}: expected {hint.__name__}, got {value!r}")
    return value
