"""A turn examined under another answer, from what was found under the first, comes to the same as from
the beginning."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.examination import Examination
from engine.examine import examine, examine_anew, play_of
from engine.jokers import HOW_JOKERS_MOVE
from engine.layout import Layout, parse_layout
from engine.melds import parse_tiles
from engine.open_rules import MOST_JOKERS
from engine.ruleset import RuleSet, load_ruleset
from engine.tiles import JOKER, parse_tile
from engine.turns import Turn
from tests.engine.large_turns import large_turn

PRESETS = ["pressman", "pressman-tournament", "sabra", "reset", "reset-freeze"]
SEEDS = range(30)


def told(examination: Examination) -> tuple[object, ...]:
    """All that a verdict is made of."""
    return (
        examination.findings,
        examination.depends_on,
        examination.unchecked,
        examination.advice,
    )


def answered(rules: RuleSet) -> list[tuple[str, RuleSet]]:
    """The rules with every value of every switch of how jokers move."""
    return [
        (name, rules.with_house_rules({name: value}))
        for name in sorted(HOW_JOKERS_MOVE.intersection(rules.switches))
        for value in rules.switches[name].options
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_does_not_rest_on_how_jokers_move_is_kept(preset: str) -> None:
    rules = load_ruleset(preset)
    differing = 0
    for seed in SEEDS:
        turn = large_turn(Random(seed), rules)
        play = play_of(turn)
        opened = turn.opened is not False
        first = examine(turn, rules, opened, play)
        for name, other in answered(rules):
            anew = examine_anew(first, name, other, turn, opened, play)
            assert told(anew) == told(examine(turn, other, opened, play)), (seed, name)
            differing += told(anew) != told(first)
    assert differing, "some of these turns rest on how jokers move"


def with_both_jokers_in_one_set(turn: Turn, random: Random) -> Turn:
    """The turn with a joker of the table after put to the other one, where there are two."""
    rows = [list(meld.tiles) for meld in turn.after.melds]
    holders = [number for number, row in enumerate(rows) if JOKER in row]
    if len(holders) == 2:
        rows[holders[0]].remove(JOKER)
        row = rows[holders[1]]
        row.insert(random.randint(0, len(row)), JOKER)
    return replace(turn, after=Layout.of(row for row in rows if row))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("opened", [True, False])
def test_what_does_not_rest_on_how_many_jokers_a_set_holds_is_kept(
    preset: str, opened: bool
) -> None:
    rules = load_ruleset(preset)
    differing = kept = 0
    for seed in SEEDS:
        turn = with_both_jokers_in_one_set(large_turn(Random(seed), rules), Random(seed))
        play = play_of(turn)
        first = examine(turn, rules, opened, play)
        for value in rules.switches[MOST_JOKERS].open_values:
            other = rules.with_house_rules({MOST_JOKERS: int(value)})
            anew = examine_anew(first, MOST_JOKERS, other, turn, opened, play)
            assert told(anew) == told(examine(turn, other, opened, play)), (seed, value)
            differing += told(anew) != told(first)
            kept += first.under is not None and first.under(MOST_JOKERS, other) is not None
    assert kept, "some of these turns are not examined from the beginning"
    assert differing, "some of these turns rest on how many jokers a set may hold"


def test_a_play_that_there_was_is_looked_for_anew() -> None:
    """What could have been played rests on how jokers may move: lifted out, this one makes a set."""
    rules = load_ruleset("pressman", {"draw.must_play": "always"})
    table, rack = parse_layout("K1 K2 K3 J"), parse_tiles("R5 B5")
    turn = Turn(table, table, rack, (*rack, parse_tile("O9")), opened=True)
    play = play_of(turn)
    kept = rules.with_house_rules({"joker.free_removal": "no"})
    lifted = rules.with_house_rules({"joker.free_removal": "yes"})
    first = examine(turn, kept, True, play)
    anew = examine_anew(first, "joker.free_removal", lifted, turn, True, play)
    assert not first.findings
    assert [finding.code for finding in anew.findings] == ["PLAY_REQUIRED"]


def test_what_an_initial_meld_counts_is_looked_at_anew() -> None:
    """It rests on how many jokers a set may hold whether these tiles count at all."""
    rules = load_ruleset("pressman")
    rack = parse_tiles("J R11 J")
    turn = Turn(parse_layout("K1 K2 K3"), parse_layout("K1 K2 K3 | J R11 J"), rack, (), False)
    play = play_of(turn)
    first = examine(turn, rules, False, play)
    for value, codes in ((2, []), (1, ["TOO_MANY_JOKERS", "OPENING_SHORT"])):
        other = rules.with_house_rules({MOST_JOKERS: value})
        anew = examine_anew(first, MOST_JOKERS, other, turn, False, play)
        assert [finding.code for finding in anew.findings] == codes
