"""What rests on house rules that nobody has chosen: scores of rounds and games, each with a sentence."""

from __future__ import annotations

import pytest

from engine.melds import parse_meld, parse_tiles
from engine.ruleset import load_ruleset
from engine.score_json import score_to_json
from engine.scoring import Claim, HandsAtEnd, score_claims, score_rounds, score_tournament
from engine.scoring.scores import GameScore
from engine.undecided import undecided

TIED = {"A": "K1", "B": "R1", "C": "O5 O6"}
LOWEST = {"A": "K1", "B": "R2", "C": "O5 O6"}
FEWEST = {"A": "K13", "B": "R1 R2", "C": "O5 O6 O7"}


def sheet(preset: str, hands: dict[str, str], out: str | None, house: dict[str, str]) -> GameScore:
    """One round, or in a tournament one game."""
    rules = load_ruleset(preset, house)
    held = {name: parse_tiles(tiles) for name, tiles in hands.items()}
    ended = HandsAtEnd(held, out, pool_exhausted=out is None)
    if rules.tournament is not None:
        return score_tournament("ABC", [[ended]], rules)
    return score_rounds("ABC", [ended], rules)


# fmt: off
SHEETS = [
    # AMB-30: the lowest count is there twice
    ("pressman", TIED, None, {}, "pool_out.tie"),
    ("pressman", TIED, None, {"pool_out.tie": "share"}, ""),
    ("pressman-tournament", TIED, None, {}, "pool_out.tie"),
    # ... and how a round without a winner is scored at all, which `pressman` says (PR-25)
    ("pressman", LOWEST, None, {}, ""),
    ("sabra", LOWEST, None, {}, "pool_out.score"),
    ("sabra", TIED, None, {}, "pool_out.score pool_out.tie"),
    ("sabra", TIED, None, {"pool_out.score": "difference"}, "pool_out.tie"),
    ("sabra", TIED, None, {"pool_out.score": "count_tiles"}, ""),
    # Nothing rests on either where somebody is out, or where all lose what they hold (RS-26)
    ("sabra", {"B": "R2", "C": "O5 O6"}, "A", {}, ""),
    ("reset", TIED, None, {}, ""),
    ("reset", FEWEST, None, {}, ""),
]
# fmt: on


@pytest.mark.parametrize(("preset", "hands", "out", "house", "expected"), SHEETS)
def test_a_score_tells_the_defaults_it_rests_on(
    preset: str, hands: dict[str, str], out: str | None, house: dict[str, str], expected: str
) -> None:
    score = sheet(preset, hands, out, house)
    assert " ".join(default.switch for default in score.rests_on) == expected
    notes = score_to_json(score)["notes"]
    assert [default.words for default in score.rests_on] == notes[len(score.notes) :]


@pytest.mark.parametrize(("preset", "hands", "out", "house", "expected"), SHEETS)
def test_a_default_that_is_chosen_changes_no_score_and_is_told_no_more(
    preset: str, hands: dict[str, str], out: str | None, house: dict[str, str], expected: str
) -> None:
    rules = load_ruleset(preset, house)
    values = {name: rules.switches[name].print(rules.value_of(name)) for name in expected.split()}
    chosen = sheet(preset, hands, out, house | values)
    assert chosen.rests_on == ()
    assert chosen == sheet(preset, hands, out, house)


def test_the_sentence_names_the_switch_the_gap_the_question_and_what_holds() -> None:
    (default,) = sheet("pressman", TIED, None, {}).rests_on
    assert default.words == (
        "Nobody has chosen (pool_out.tie, AMB-30): A round ended with an empty pool, and the lowest "
        "count is there twice. Who wins it? Both, in equal shares."
    )


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        # Three eights are 24 by any rule; two jokers and R10 are 27 or 30 (AMB-10).
        ([("A", "R8 B8 K8")], ""),
        ([("A", "J J R10")], "joker.ambiguous_value"),
    ],
)
def test_points_of_claims_tell_the_defaults_they_rest_on(
    claims: list[tuple[str, str]], expected: str
) -> None:
    made = [Claim(player, (parse_meld(meld),)) for player, meld in claims]
    score, _ = score_claims("AB", made, "blocked", load_ruleset("rummi200kub"))
    assert " ".join(default.switch for default in score.rests_on) == expected


@pytest.mark.parametrize(
    ("preset", "names", "expected"),
    [
        # A document settles it, or there is no such switch in the game.
        ("pressman", ["misplay.penalty", "claims", "pool_out.score"], ""),
        ("sabra", ["pool_out.score"], "pool_out.score"),
        ("pressman", ["pool_out"], "pool_out.tie"),
    ],
)
def test_what_a_document_settles_is_not_undecided(
    preset: str, names: list[str], expected: str
) -> None:
    found = undecided(names, load_ruleset(preset))
    assert " ".join(default.switch for default in found) == expected
