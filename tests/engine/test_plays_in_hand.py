"""What a hand could have laid: the sets it holds, against every choice of its tiles."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from engine.duties import sets_in_hand
from engine.ruleset import load_ruleset
from engine.set_readings import is_set, orders_as_run
from engine.tiles import CARDS, JOKER, TILES

HANDS = range(20)


@pytest.mark.parametrize(("preset", "size"), [("pressman", 3), ("reset", 3), ("sets-and-runs", 3)])
def test_a_hand_holds_each_smallest_set_of_its_tiles_in_their_order(preset: str, size: int) -> None:
    rules = load_ruleset(preset)
    deck = CARDS if rules.equipment.pieces == "cards" else (*TILES, JOKER)
    held = 0
    for seed in HANDS:
        hand = tuple(sorted(Random(seed).choices(deck, k=12)))
        choices = dict.fromkeys(combinations(hand, size))
        sets = [row for row in choices if is_set(row, rules) or orders_as_run(row, rules)]
        assert [play.tiles for play in sets_in_hand(hand, rules)] == sets, seed
        held += len(sets)
    assert held
