"""What is not known or not settled, and what is stricter: in all games, on any turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.faults import Verdict
from engine.ruleset import RuleSet
from engine.solver import best_play
from engine.worlds import worlds_of
from tests.engine.strategies import (
    APART,
    APART_SETTLED,
    ASKING,
    PRESETS,
    SET_PRESETS,
    SETTLED,
    examples,
    plays,
    racks,
    ruled,
    settled,
    tables,
    turns,
)

UNFORCED = {"draw.must_play": "off", "joker.no_hoarding": "advise"}
"""Where nobody has said that players have to play, only plays are looked for that are plain to see and
legal whatever else is open."""

for_every_game = pytest.mark.parametrize("preset", PRESETS)
some = examples(15)


# --- what is not known ----------------------------------------------------------------------------


@examples(25)
@for_every_game
@given(data=st.data())
def test_who_saw_less_accuses_nobody_of_more(preset: str, data: st.DataObject) -> None:
    """A turn that is legal, all told, is never illegal where less of it was seen."""
    rules = APART[preset]
    turn = data.draw(plays(rules) | turns(rules))
    if ruled(turn, rules).verdict is not Verdict.LEGAL:
        return
    blind: dict[str, object] = {
        "before": None,
        "rack_before": None,
        "rack_after": None,
        "opened": None,
        "elapsed_s": None,
        "players": None,
        "contract": None,
        "discard": None,
    }
    if turn.before is not None and not turn.before.melds:
        # Nobody has opened on an empty table, so what else was told of that cannot have been.
        del blind["opened"]
    unseen = data.draw(st.lists(st.sampled_from(sorted(blind)), unique=True))
    less = replace(turn, **{name: blind[name] for name in unseen})  # type: ignore[arg-type]
    assert ruled(less, rules).verdict is not Verdict.ILLEGAL


@examples(25)
@for_every_game
@given(data=st.data())
def test_not_knowing_whether_a_player_had_opened_is_either_answer(
    preset: str, data: st.DataObject
) -> None:
    rules = APART_SETTLED[preset]
    turn = data.draw(turns(rules) | plays(rules))
    if turn.before is None or not turn.before.melds:
        return
    unknown, *answers = (
        ruled(replace(turn, opened=opened), rules).verdict for opened in (None, True, False)
    )
    assert unknown is (answers[0] if answers[0] is answers[1] else Verdict.ASK)


@examples(25)
@for_every_game
@given(data=st.data())
def test_an_open_house_rule_is_all_its_answers(preset: str, data: st.DataObject) -> None:
    """Legal only where every answer makes it legal, illegal only where none does; and asked about only
    where answers differ."""
    rules = APART[preset]
    turn = data.draw(turns(rules) | plays(rules))
    if turn.opened is None:
        turn = replace(turn, opened=data.draw(st.booleans()))
    found = ruled(turn, rules)
    known = worlds_of(turn, rules)
    assert (found.verdict is Verdict.ASK) == (len({w.examination.legal for w in known}) > 1)
    for _ in range(6):
        world = data.draw(st.sampled_from(known))
        chosen = data.draw(everything_else(rules, dict(world.answers)))
        settled = ruled(turn, rules.with_house_rules(chosen)).verdict
        assert settled is (Verdict.LEGAL if world.examination.legal else Verdict.ILLEGAL), chosen


@st.composite
def everything_else(draw: st.DrawFn, rules: RuleSet, answers: dict[str, str]) -> dict[str, str]:
    """An answer to everything that is asked, these among them. What players have to play is said by no
    answer to another question, so that is left as it is."""
    left = {name: rules.switches[name] for name in rules.switches if rules.is_open(name)}
    drawn = {name: draw(st.sampled_from(switch.open_values)) for name, switch in left.items()}
    return drawn | {name: first for name, first in UNFORCED.items() if name in left} | answers


@examples(30)
@for_every_game
@given(data=st.data())
def test_an_answer_to_the_question_settles_it(preset: str, data: st.DataObject) -> None:
    """Every answer to a house rule's question leads on, and after a few no question is left."""
    rules, turn = APART[preset], data.draw(turns(APART[preset]))
    for _ in range(6):
        ruling = ruled(turn, rules)
        if ruling.verdict is not Verdict.ASK:
            break
        (question,) = ruling.questions
        answer = data.draw(st.sampled_from(question.options))
        if question.kind == "opened":
            turn = replace(turn, opened=answer == "yes")
        else:
            assert question.rule is not None
            rules = rules.with_house_rules({question.rule: answer})
    else:
        pytest.fail("still asking after six answers")


# --- stricter and freer ---------------------------------------------------------------------------

FREER = [
    ("joker.freeze", ("full", "no_split", "none"), SET_PRESETS),
    ("joker.free_removal", ("no", "yes"), SET_PRESETS),
    ("joker.reuse", ("new_set_2_rack", "any_set"), SET_PRESETS),
    ("joker.group3", ("both", "either"), SET_PRESETS),
    ("joker.group3_two", ("together", "each"), SET_PRESETS),
    ("joker.replace_from", ("rack", "any"), SET_PRESETS),
    ("joker.identity", ("position", "free"), SET_PRESETS),
    ("joker.no_hoarding", ("enforce", "advise", "off"), ("reset", "reset-freeze")),
    ("opening.points", (40, 30, 10, 0), ("pressman", "pressman-tournament", "sabra")),
    ("opening.same_turn_extension", ("no", "yes"), ("pressman", "pressman-tournament", "sabra")),
    ("draw.then_play", ("no", "yes"), SET_PRESETS),
    ("draw.must_play", ("always", "pool_empty", "off"), SET_PRESETS),
    # Not where time that is over costs less than a play that failed: there an idle turn may be late.
    ("timeout.limit_s", (5, 100, 600, 0), ("pressman", "pressman-tournament")),
    ("timeout.legal_layout", ("rollback", "at_buzzer", "stands"), SET_PRESETS),
    ("discard.playable_ban", ("any", "laid_down", "off"), ("sets-and-runs",)),
    ("contracts.exact", ("yes", "no"), ("sets-and-runs",)),
    ("joker.before_opening", ("no", "yes"), ("sets-and-runs",)),
]


@examples(25)
@pytest.mark.parametrize(("name", "values", "presets"), FREER, ids=[row[0] for row in FREER])
@given(data=st.data())
def test_a_freer_house_rule_forbids_nothing_that_was_allowed(
    name: str, values: tuple[object, ...], presets: tuple[str, ...], data: st.DataObject
) -> None:
    preset = data.draw(st.sampled_from(presets))
    turn = data.draw(turns(SETTLED[preset]) | plays(SETTLED[preset]))
    legal = [
        ruled(turn, settled(preset, {name: value})).verdict is Verdict.LEGAL for value in values
    ]
    assert legal == sorted(legal)


@examples(30)
@pytest.mark.parametrize(
    ("strict", "free"), [("reset-freeze", "reset"), ("pressman-tournament", "pressman")]
)
@given(data=st.data())
def test_a_stricter_game_allows_nothing_that_the_freer_one_forbids(
    strict: str, free: str, data: st.DataObject
) -> None:
    turn = data.draw(turns(SETTLED[strict]) | plays(SETTLED[strict]))
    if ruled(turn, SETTLED[strict]).verdict is Verdict.LEGAL:
        assert ruled(turn, SETTLED[free]).verdict is Verdict.LEGAL


@examples(15)
@pytest.mark.parametrize(
    ("strict", "free"), [("reset-freeze", "reset"), ("pressman-tournament", "pressman")]
)
@given(data=st.data())
def test_a_stricter_game_never_places_more(strict: str, free: str, data: st.DataObject) -> None:
    table = data.draw(tables(ASKING[strict], least=1))
    rack = data.draw(racks(ASKING[strict], table, most=6))
    kept = best_play(table, rack, ASKING[strict], free_jokers=False)
    less_strict = best_play(table, rack, ASKING[free], free_jokers=False)
    unbound = best_play(table, rack, ASKING[free])
    assert kept is not None
    assert less_strict is not None
    assert unbound is not None
    assert kept.count <= less_strict.count <= unbound.count
