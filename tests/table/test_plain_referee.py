"""What the plain referee, to which the fuzz holds every ruling, says of cards."""

from __future__ import annotations

import pytest

from engine.faults import Verdict
from engine.layout import parse_layout
from engine.ruleset import load_ruleset
from table.fuzzing.plain_referee import PlainReferee

BEFORE = "8H 9H 10H * | * QS KS"
SETTLED = {"run.least": 3, "run.wrap": "high_or_low"}


def verdict(after: str, *, before_opening: str, opened: bool = False) -> Verdict | None:
    house = {**SETTLED, "joker.before_opening": before_opening}
    rules = load_ruleset("sets-and-runs").with_house_rules(house)
    referee = PlainReferee(rules, contract=(0, 2))
    return referee.verdict(parse_layout(BEFORE), parse_layout(after), None, opened=opened)


@pytest.mark.parametrize(
    ("after", "before_opening", "opened", "expected"),
    [
        ("8H 9H 10H * | JS QS KS", "yes", False, None),
        ("8H 9H 10H * | JS QS KS", "no", False, Verdict.ILLEGAL),
        ("8H 9H 10H * | JS QS KS", "no", True, None),
        ("8H 9H 10H * | JS QS KS | 2C 3C 4C", "yes", False, Verdict.ILLEGAL),
        ("8H 9H 10H * JH | * QS KS", "yes", False, Verdict.ILLEGAL),
    ],
    ids=(
        "may exchange before laying down",
        "may not",
        "has laid down",
        "half a contract",
        "laid off",
    ),
)
def test_a_joker_is_exchanged_before_laying_down_where_the_house_has_it_so(
    after: str, before_opening: str, opened: bool, expected: Verdict | None
) -> None:
    assert verdict(after, before_opening=before_opening, opened=opened) is expected
