"""The verdict on a turn that is taken as fact, played through all that the house rules leave open."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from engine.examination import Examination
from engine.examine import examine
from engine.faults import Fault, Finding, Question, Ruling, Verdict
from engine.repair import Repair, find_put_backs, find_repairs
from engine.ruleset import RuleSet
from engine.turns import Turn

SET_FAULTS: Final = (
    Fault.LOOSE_TILE
    | Fault.SET_TOO_SHORT
    | Fault.GROUP_TOO_LONG
    | Fault.GROUP_COLOUR_TWICE
    | Fault.GROUP_NUMBERS_DIFFER
    | Fault.RUN_COLOURS_DIFFER
    | Fault.RUN_NUMBER_TWICE
    | Fault.RUN_GAP
    | Fault.RUN_WRAPS
    | Fault.RUN_TOO_LONG
    | Fault.RUN_NOT_IN_ORDER
    | Fault.NO_NATURAL_TILE
    | Fault.TOO_MANY_JOKERS
    | Fault.SET_INVALID
)
"""The faults of one set by itself, for which a repair is searched."""
_IDLE: Final = Fault.NO_RACK_TILE.code
"""What is left to find when a whole play is taken back: its player draws instead."""
_MOST_TRIED: Final = 40
"""Repairs tried on the whole turn before giving up."""
_MOST_MENDED: Final = 6
"""Faulty sets beyond which no repair is searched: a table so far from legal is better taken back, and
106 loose tiles would take seconds."""


def judge(turn: Turn, rules: RuleSet, *, with_repairs: bool = True) -> Ruling:
    """The ruling on one turn that is known as far as its fields say.

    Where a switch is open (`RuleSet.is_open`) or it is not known whether the player had opened, the
    turn is examined under every answer: when all agree that is the verdict, otherwise ASK. Set
    `with_repairs` to False where nobody reads them. Raises ValueError for a tile that the game does
    not have.
    """
    worlds = _worlds(turn, rules)
    verdicts = {world.examination.legal for world in worlds}
    findings = _common_findings([world.examination.findings for world in worlds])
    unchecked = tuple(worlds[0].examination.unchecked)
    advice = _common_findings([world.examination.advice for world in worlds])
    if verdicts == {True}:
        return Ruling(Verdict.LEGAL, unchecked=unchecked, advice=advice)
    if with_repairs and turn.grid is None:
        findings = _repaired(findings, turn, worlds[0])
    if verdicts == {False}:
        return Ruling(Verdict.ILLEGAL, findings or _unspecific(worlds), (), unchecked, advice)
    return Ruling(Verdict.ASK, findings, (_question(worlds, rules),), unchecked, advice)


@dataclass(frozen=True, slots=True)
class _World:
    """One answer to everything that is open, and what the turn then comes to."""

    answers: tuple[tuple[str, str], ...]
    """Pairs of a switch (or `opened`) and its value."""
    opened: bool
    rules: RuleSet
    examination: Examination


def _worlds(turn: Turn, rules: RuleSet) -> list[_World]:
    """The turn examined under every answer to what is open and makes a difference."""
    needs_opening = rules.opening.kind in ("points", "contract")
    if turn.opened is not None or turn.before is None or not needs_opening:
        return _switch_worlds(turn, rules, turn.opened is not False, ())
    if not turn.before.melds:
        # Initial melds stay on the table, so on an empty one nobody has laid any.
        return _switch_worlds(turn, rules, False, ())
    return [
        world
        for opened, answer in ((True, "yes"), (False, "no"))
        for world in _switch_worlds(turn, rules, opened, (("opened", answer),))
    ]


def _switch_worlds(
    turn: Turn, rules: RuleSet, opened: bool, answers: tuple[tuple[str, str], ...]
) -> list[_World]:
    examination = examine(turn, rules, opened)
    still_open = sorted(name for name in examination.depends_on if rules.is_open(name))
    if not still_open:
        return [_World(answers, opened, rules, examination)]
    name = still_open[0]
    return [
        world
        for value in rules.switches[name].open_values
        for world in _switch_worlds(
            turn, rules.with_house_rules({name: value}), opened, (*answers, (name, value))
        )
    ]


def _question(worlds: list[_World], rules: RuleSet) -> Question:
    """The question whose answers leave the least open."""
    names = dict.fromkeys(name for world in worlds for name, _ in world.answers)

    def left_open(name: str) -> int:
        verdicts: dict[str, set[bool]] = {}
        for world in worlds:
            value = dict(world.answers).get(name, "")
            verdicts.setdefault(value, set()).add(world.examination.legal)
        return sum(len(legal) > 1 for legal in verdicts.values()) + (len(verdicts) == 1)

    name = min(names, key=left_open)
    if name == "opened":
        text = "Had this player laid an initial meld before this turn?"
        if rules.opening.kind == "contract":
            text = "Had this player laid down before this turn?"
        return Question("opened", text, ("yes", "no"))
    switch = rules.switches[name]
    options = switch.open_values
    meanings = " ".join(f"[{value}] {switch.options[value]}" for value in options)
    text = f"{_evidence(worlds)}{switch.question} {meanings}"
    return Question("house_rule", text, options, rule=name)


def _evidence(worlds: list[_World]) -> str:
    """What is at stake, in the words of the first answer that forbids it."""
    common = {item.message for item in _common_findings([w.examination.findings for w in worlds])}
    told = (item.message for world in worlds for item in world.examination.findings)
    disputed = next((message for message in told if message not in common), "")
    return f"{disputed} ".lstrip()


def _common_findings(worlds: list[list[Finding]]) -> tuple[Finding, ...]:
    """The findings that hold in every world, told as in the first."""

    def key(item: Finding) -> object:
        return item.code, item.meld, item.tiles

    shared = set(map(key, worlds[0])).intersection(*(map(key, world) for world in worlds[1:]))
    return tuple(item for item in worlds[0] if key(item) in shared)


def _unspecific(worlds: list[_World]) -> tuple[Finding, ...]:
    """What to say when every answer leads to another fault: those under the first values, which are
    the documented defaults."""
    return tuple(worlds[0].examination.findings)


def _repaired(findings: tuple[Finding, ...], turn: Turn, world: _World) -> tuple[Finding, ...]:
    """The findings with the smallest repair of each faulty set."""
    faulty = {item.meld for item in findings if item.meld is not None and item.fault in SET_FAULTS}
    if len(faulty) > _MOST_MENDED:
        return findings
    if not faulty:
        return _taken_back(findings, turn, world)
    texts = {meld: _repair_of(meld, turn, world) for meld in sorted(faulty)}
    return tuple(
        replace(item, repair=texts[item.meld])
        if item.meld in texts and item.repair is None and item.fault in SET_FAULTS
        else item
        for item in findings
    )


def _taken_back(findings: tuple[Finding, ...], turn: Turn, world: _World) -> tuple[Finding, ...]:
    """The findings with the tiles that have to be taken back for the turn to be legal, where taking
    back alone mends it: every set is legal, so what is wrong is the play."""
    if turn.before is None or all(item.repair for item in findings):
        return findings
    played = Counter(turn.after.tiles) - Counter(turn.before.tiles)
    for tried, repair in enumerate(find_put_backs(turn.after, played, world.rules)):
        if tried == _MOST_TRIED:
            break
        after = examine(_mended(turn, repair), world.rules, world.opened).findings
        # With nothing left of the play the player draws, which the turn does not hold yet.
        if {item.code for item in after} <= {_IDLE}:
            return tuple(replace(item, repair=item.repair or repair.text) for item in findings)
    return findings


def _mended(turn: Turn, repair: Repair) -> Turn:
    """The turn with a repair carried out."""
    rack_after = turn.rack_after
    if rack_after is not None:
        rack_after = (*rack_after, *repair.to_rack)
    return replace(turn, after=repair.layout, rack_after=rack_after)


def _repair_of(meld: int, turn: Turn, world: _World) -> str | None:
    """The shortest repair of a set that breaks no other rule of the turn."""
    from_rack = None
    if turn.before is not None:
        from_rack = Counter(turn.after.tiles) - Counter(turn.before.tiles)
    present = {item.code for item in world.examination.findings}
    for tried, repair in enumerate(find_repairs(turn.after, meld, from_rack, world.rules)):
        if tried == _MOST_TRIED:
            break
        mended = _mended(turn, repair)
        after = examine(mended, world.rules, world.opened).findings
        codes = {item.code for item in after}
        if len(after) < len(world.examination.findings) and codes <= present:
            return repair.text
        if not _is_play(mended) and turn.before is not None and codes == {_IDLE}:
            return repair.text
    return None


def _is_play(turn: Turn) -> bool:
    """Whether any tile came to the table in a turn."""
    before = () if turn.before is None else turn.before.tiles
    return bool(Counter(turn.after.tiles) - Counter(before))
