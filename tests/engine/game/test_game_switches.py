"""Every house rule changes what happens: each of its values has an outcome that no other value has.

A row for every switch of every preset (docs/house-rules.md): something that is done in a game under
each value, and what came of it, a state or a refusal. `values_of` says which numbers are tried.
"""

from __future__ import annotations

import pytest

from engine.ruleset import list_presets, load_ruleset
from tests.engine.game.switch_witnesses import NUMBERS, WITNESSES

CASES = [(preset, name) for preset in list_presets() for name in load_ruleset(preset).switches]


def values_of(preset: str, name: str) -> tuple[str | int, ...]:
    switch = load_ruleset(preset).switches[name]
    if switch.values:
        return switch.values
    if (preset, name) == ("rummi200kub", "score.target"):
        return (34, 28, 10000)
    return NUMBERS.get(name) or tuple(range(switch.least, switch.most + 1))


@pytest.mark.parametrize(("preset", "name"), CASES)
def test_each_value_of_a_switch_has_an_outcome_of_its_own(preset: str, name: str) -> None:
    values = values_of(preset, name)
    outcomes = {value: WITNESSES[name](preset, {name: value}) for value in values}
    alike = [
        (one, other)
        for one in values
        for other in values
        if str(one) < str(other) and outcomes[one] == outcomes[other]
    ]
    assert not alike, {value: str(outcomes[value])[:300] for value in values}


def test_every_switch_that_tables_may_choose_is_here() -> None:
    assert {name for _, name in CASES} == set(WITNESSES)
    assert set(NUMBERS) <= set(WITNESSES)
