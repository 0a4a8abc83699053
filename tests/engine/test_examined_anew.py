"""A turn examined under another answer, from what was found under the first, comes to the same as from
the beginning."""

from __future__ import annotations

from random import Random

import pytest

from engine.examination import Examination
from engine.examine import examine, examine_anew, play_of
from engine.jokers import HOW_JOKERS_MOVE
from engine.layout import parse_layout
from engine.melds import parse_tiles
from engine.ruleset import RuleSet, load_ruleset
from engine.tiles import parse_tile
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
