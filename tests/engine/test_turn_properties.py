"""What holds for the rulings on turns of all games, whoever plays and whatever lies there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.faults import Fault, Ruling, Verdict
from engine.judge_json import ruling_to_json, turn_from_json
from engine.layout import Layout
from engine.melds import Meld
from engine.referee import Turn, judge
from engine.ruleset import RuleSet, load_ruleset
from engine.sets import is_legal_layout
from engine.solver import best_play
from engine.tiles import Tile
from engine.turns import RecordedTurn, parse_turn
from tests.engine.strategies import (
    PRESETS,
    SET_PRESETS,
    deck,
    examples,
    mapped,
    near_sets,
    one_tile_changed,
    plays,
    pool,
    racks,
    recoloured,
    reflected,
    settled,
    shuffled,
    suits_of,
    tables,
    turns,
)

ASKING = {name: load_ruleset(name) for name in PRESETS}
"""The presets with what they leave open left open."""
SETTLED = {name: settled(name) for name in PRESETS}
DOCUMENT = {
    "pressman": {"PR", "PT"},
    "pressman-tournament": {"PR", "PT"},
    "reset": {"RS"},
    "reset-freeze": {"RS"},
    "rummi200kub": {"R2"},
    "sabra": {"SB"},
    "sets-and-runs": {"SR"},
}
for_every_game = pytest.mark.parametrize("preset", PRESETS)
some = examples(15)


def ruled(turn: Turn, rules: RuleSet) -> Ruling:
    return judge(turn, rules, with_repairs=False)


def summary(ruling: Ruling) -> tuple[Verdict, Fault, tuple[str | None, ...]]:
    return ruling.verdict, ruling.faults, tuple(question.rule for question in ruling.questions)


def rules_of_the_board(preset: str, rules: RuleSet) -> RuleSet:
    """Rules under which sets lie apart, for turns that are no boards."""
    return (
        rules
        if preset in SET_PRESETS or rules.contracts
        else rules.with_house_rules({"table.form": "sets"})
    )


APART = {name: rules_of_the_board(name, rules) for name, rules in ASKING.items()}
APART_SETTLED = {name: rules_of_the_board(name, rules) for name, rules in SETTLED.items()}


# --- what a legal turn is -------------------------------------------------------------------------


@some
@for_every_game
@given(data=st.data())
def test_what_is_played_by_the_rules_is_legal(preset: str, data: st.DataObject) -> None:
    """Whole sets, ends of runs and fourths of groups, from the rack; a draw where nothing is played."""
    rules = APART_SETTLED[preset]
    turn = data.draw(plays(rules))
    ruling = ruled(turn, rules)
    frozen = {Fault.JOKER_FROZEN} if rules.joker.freeze == "full" else set()
    assert {item.fault for item in ruling.findings} <= frozen
    if not ruling.findings:
        assert ruling.verdict is Verdict.LEGAL


@some
@for_every_game
@given(data=st.data())
def test_one_tile_changed_in_a_legal_turn_is_caught(preset: str, data: st.DataObject) -> None:
    """Exchanged, removed or added: no such turn is legal while both racks are known, since tiles
    neither come from nowhere nor go there (G-01)."""
    rules = APART_SETTLED[preset]
    turn = data.draw(plays(rules).filter(lambda turn: turn.after.melds))
    if ruled(turn, rules).verdict is Verdict.LEGAL:
        changed = data.draw(one_tile_changed(turn, rules))
        assert ruled(changed, rules).verdict is Verdict.ILLEGAL


@some
@for_every_game
@given(data=st.data())
def test_one_tile_changed_on_a_legal_table_is_caught_or_legal(
    preset: str, data: st.DataObject
) -> None:
    """With the table alone no fault goes by and none is invented: it is legal where every set is and no
    tile is there too often."""
    rules = APART_SETTLED[preset]
    table = data.draw(tables(rules, least=1))
    changed = data.draw(one_tile_changed(Turn(None, table), rules))
    sets = all(is_legal_layout(Layout((meld,)), rules) for meld in changed.after.melds)
    expected = sets and Counter(changed.after.tiles) <= pool(rules)
    assert (ruled(changed, rules).verdict is Verdict.LEGAL) == expected


@some
@for_every_game
@given(data=st.data())
def test_a_legal_turn_keeps_every_tile_and_every_set(preset: str, data: st.DataObject) -> None:
    rules = APART_SETTLED[preset]
    turn = data.draw(plays(rules) | turns(rules))
    if ruled(turn, rules).verdict is not Verdict.LEGAL:
        return
    assert is_legal_layout(turn.after, rules)
    there = Counter(turn.after.tiles) + Counter(turn.rack_after or ())
    assert there <= pool(rules)
    if turn.before is None or turn.rack_before is None or turn.rack_after is None:
        return
    if rules.contracts is None or turn.discard is not None:
        was = Counter(turn.before.tiles) + Counter(turn.rack_before)
        now = there + Counter(turn.discard or ())
        returned = (was - now).total()
        assert returned == 0 or (returned == 1 and rules.draw.two_players == "draw2_return1")


@some
@for_every_game
@given(data=st.data())
def test_the_table_after_a_legal_turn_is_legal_by_itself(preset: str, data: st.DataObject) -> None:
    rules = APART_SETTLED[preset]
    turn = data.draw(plays(rules) | turns(rules))
    if ruled(turn, rules).verdict is Verdict.LEGAL:
        assert ruled(Turn(None, turn.after), rules).verdict is Verdict.LEGAL


@some
@for_every_game
@given(data=st.data())
def test_a_turn_that_leaves_the_table_alone_has_the_faults_of_the_table(
    preset: str, data: st.DataObject
) -> None:
    rules = APART_SETTLED[preset]
    table = Layout.of(data.draw(st.lists(near_sets(rules), max_size=3)))
    alone = ruled(Turn(None, table), rules)
    turn = ruled(Turn(table, table, opened=True), rules)
    assert turn.faults == alone.faults


@some
@pytest.mark.parametrize("preset", SET_PRESETS)
@given(data=st.data())
def test_a_tile_may_always_be_drawn(preset: str, data: st.DataObject) -> None:
    """PR-10, PR-11, SB-11, RS-14, with AMB-18: one, and not two."""
    rules = SETTLED[preset]
    table = data.draw(tables(rules, least=1))
    rack = data.draw(racks(rules, table))
    free = sorted((pool(rules) - Counter((*table.tiles, *rack))).elements())
    drawn = data.draw(st.lists(st.sampled_from(free), min_size=2, max_size=2, unique_by=id))
    opened = data.draw(st.booleans())
    for count, verdict in ((1, Verdict.LEGAL), (2, Verdict.ILLEGAL)):
        after = (*rack, *drawn[:count])
        turn = Turn(table, table, rack, after, opened, 5.0, players=3)
        assert ruled(turn, rules).verdict is verdict


@some
@pytest.mark.parametrize("preset", [*SET_PRESETS, "rummi200kub"])
@given(data=st.data())
def test_a_turn_is_over_when_its_time_is(preset: str, data: st.DataObject) -> None:
    """PR-15, PT-02, SB-20, RS-21, R2-21: to the second, and not before."""
    rules = APART_SETTLED[preset]
    turn = data.draw(plays(rules).filter(lambda turn: turn.before != turn.after))
    in_time = data.draw(st.floats(0, rules.timeout.limit_s))
    late = data.draw(st.floats(rules.timeout.limit_s, 1e6, exclude_min=True))
    one = ruled(replace(turn, elapsed_s=in_time), rules)
    other = ruled(replace(turn, elapsed_s=late), rules)
    assert Fault.TIME_OVER not in one.faults
    assert other.faults == one.faults | Fault.TIME_OVER


# --- what says nothing ----------------------------------------------------------------------------


@some
@for_every_game
@given(data=st.data())
def test_the_order_of_sets_sides_and_racks_say_nothing(preset: str, data: st.DataObject) -> None:
    rules = APART[preset]
    turn = data.draw(turns(rules) | plays(rules))
    assert summary(ruled(data.draw(shuffled(turn)), rules)) == summary(ruled(turn, rules))


@some
@for_every_game
@given(data=st.data())
def test_the_names_of_colours_say_nothing(preset: str, data: st.DataObject) -> None:
    rules = APART[preset]
    turn = data.draw(turns(rules) | plays(rules))
    other = recoloured(turn, data.draw(st.permutations(suits_of(rules))), rules)
    assert summary(ruled(other, rules)) == summary(ruled(turn, rules))


@some
@pytest.mark.parametrize("preset", ["pressman", "pressman-tournament", "rummi200kub"])
@given(data=st.data())
def test_numbers_mirror_where_1_never_follows_13(preset: str, data: st.DataObject) -> None:
    """14 less every number, every row from its other end: the same verdict for a player who had opened,
    as nothing but the points of an initial meld depends on how high numbers are."""
    rules = APART_SETTLED[preset]
    turn = replace(data.draw(turns(rules) | plays(rules)), opened=True)
    assert summary(ruled(reflected(turn), rules)) == summary(ruled(turn, rules))


@some
@for_every_game
@given(data=st.data())
def test_copies_of_a_tile_are_one_kind(preset: str, data: st.DataObject) -> None:
    """A turn made of tiles that were made anew is the same turn."""
    rules = APART[preset]
    turn = data.draw(turns(rules) | plays(rules))
    other = mapped(turn, lambda row: tuple(Tile(t.suit, t.rank, is_card=t.is_card) for t in row))
    assert other == turn
    assert ruled(other, rules) == ruled(turn, rules)


@examples(8)
@for_every_game
@given(data=st.data())
def test_the_same_turn_gets_the_same_ruling(preset: str, data: st.DataObject) -> None:
    """Whatever was judged in between."""
    rules = APART[preset]
    turn = data.draw(turns(rules))
    first = judge(turn, rules)
    for other in data.draw(st.lists(turns(rules), max_size=3)):
        judge(other, rules)
    assert judge(turn, rules) == first


# --- text forms -----------------------------------------------------------------------------------


@some
@for_every_game
@given(data=st.data())
def test_a_turn_read_from_its_line_is_ruled_alike(preset: str, data: st.DataObject) -> None:
    rules = ASKING[preset]
    turn = data.draw(turns(rules) | plays(rules))
    recorded = RecordedTurn(preset, turn)
    read = parse_turn(str(recorded))
    assert read == recorded
    assert str(read) == str(recorded)
    assert ruled(read.turn, load_ruleset(read.preset)) == ruled(turn, rules)


@some
@for_every_game
@given(data=st.data())
def test_a_turn_read_from_its_json_is_ruled_alike(preset: str, data: st.DataObject) -> None:
    rules = ASKING[preset]
    turn = data.draw(turns(rules) | plays(rules))
    contract = turn.contract if rules.contracts else None
    turn = replace(turn, contract=contract)
    read, read_rules = turn_from_json(json_of(preset, turn))
    assert read == turn
    assert ruling_to_json(ruled(read, read_rules)) == ruling_to_json(ruled(turn, rules))


def json_of(preset: str, turn: Turn) -> dict[str, Any]:
    def hand(tiles: tuple[Tile, ...] | None) -> list[str] | None:
        return None if tiles is None else list(map(str, tiles))

    def melds(layout: Layout | None) -> list[list[str]] | None:
        return None if layout is None else [list(map(str, meld)) for meld in layout.melds]

    return {
        "rules": preset,
        "before": melds(turn.before),
        "after": melds(turn.after),
        "rack_before": hand(turn.rack_before),
        "rack_after": hand(turn.rack_after),
        "opened": turn.opened,
        "elapsed_s": turn.elapsed_s,
        "pool_empty": turn.pool_empty,
        "players": turn.players,
        "contract": None if turn.contract is None else list(turn.contract),
        "discard": hand(turn.discard),
    }


@some
@for_every_game
@given(data=st.data())
def test_a_turn_under_house_rules_is_read_as_it_is_written(
    preset: str, data: st.DataObject
) -> None:
    """Every switch of a preset with any of its values."""
    rules = ASKING[preset]
    chosen: dict[str, str | int] = {}
    for name in data.draw(
        st.lists(st.sampled_from(sorted(rules.switches)), unique=True, max_size=4)
    ):
        switch = rules.switches[name]
        numbers = st.integers(switch.least, switch.most)
        chosen[name] = data.draw(st.sampled_from(switch.values) if switch.values else numbers)
    recorded = RecordedTurn(preset, Turn(None, Layout()), chosen)
    read = parse_turn(str(recorded))
    assert read == recorded
    assert load_ruleset(preset, read.house_rules) == load_ruleset(preset, chosen)


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
@pytest.mark.parametrize(
    "preset", [name for name in PRESETS if name not in ("reset", "reset-freeze")]
)
@given(data=st.data())
def test_an_open_house_rule_is_all_its_answers(preset: str, data: st.DataObject) -> None:
    """Legal only where every answer makes it legal, illegal only where none does."""
    rules = APART[preset]
    asked = [name for name, switch in rules.switches.items() if switch.asked]
    turn = data.draw(turns(rules) | plays(rules))
    open_verdict = ruled(turn, rules).verdict
    verdicts = {
        ruled(turn, rules.with_house_rules(dict(zip(asked, values, strict=True)))).verdict
        for values in product(*(rules.switches[name].open_values for name in asked))
    }
    if open_verdict is Verdict.ASK:
        assert (
            len(verdicts | ({Verdict.LEGAL, Verdict.ILLEGAL} if turn.opened is None else set())) > 1
        )
    elif turn.opened is not None or turn.before is None:
        assert verdicts == {open_verdict}


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
    ("joker.replace_from", ("rack", "any"), SET_PRESETS),
    ("joker.identity", ("position", "free"), SET_PRESETS),
    ("joker.no_hoarding", ("enforce", "advise", "off"), ("reset", "reset-freeze")),
    ("opening.points", (40, 30, 10, 0), ("pressman", "pressman-tournament", "sabra")),
    ("opening.same_turn_extension", ("no", "yes"), ("pressman", "pressman-tournament", "sabra")),
    ("draw.then_play", ("no", "yes"), SET_PRESETS),
    ("draw.must_play", ("always", "pool_empty", "off"), SET_PRESETS),
    ("timeout.limit_s", (5, 100, 600, 0), SET_PRESETS),
    ("timeout.legal_layout", ("rollback", "stands"), SET_PRESETS),
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


# --- findings -------------------------------------------------------------------------------------


@examples(25)
@for_every_game
@given(data=st.data())
def test_a_ruling_cites_its_own_document_and_is_whole(preset: str, data: st.DataObject) -> None:
    turn = data.draw(turns(APART[preset]))
    ruling = ruled(turn, APART[preset])
    assert (ruling.verdict is Verdict.ILLEGAL) <= bool(ruling.findings)
    assert (ruling.verdict is Verdict.ASK) == bool(ruling.questions)
    for item in (*ruling.findings, *ruling.advice):
        assert item.rule.split("-")[0] in DOCUMENT[preset] | {"G", "AMB"}
        assert item.quote
        assert not item.message[0].islower()
        assert item.message.endswith(".")
        assert "cheat" not in item.message.lower()
        assert item.meld is None or 0 <= item.meld < len(turn.after.melds)


@examples(10)
@for_every_game
@given(data=st.data())
def test_a_finding_about_a_set_shows_tiles_that_lie_there(preset: str, data: st.DataObject) -> None:
    """And a repair is a phrase, or there is none."""
    rules = APART[preset]
    table = Layout.of(data.draw(st.lists(near_sets(rules), max_size=3)))
    for finding in judge(Turn(None, table), rules).findings:
        if finding.meld is not None:
            assert set(finding.tiles) <= set(table.melds[finding.meld].tiles)
        assert finding.repair is None or finding.repair[0].islower()


@some
@for_every_game
@given(data=st.data())
def test_a_tile_that_vanishes_is_noticed(preset: str, data: st.DataObject) -> None:
    """G-01, with or without racks."""
    rules = APART_SETTLED[preset]
    rows = [meld.tiles for meld in data.draw(tables(rules, least=1)).melds]
    extra = data.draw(st.sampled_from(deck(rules)))
    gone = ruled(Turn(Layout.of([*rows, (extra,)]), Layout.of(rows), opened=True), rules)
    lost = Fault.TILE_CONSERVATION | Fault.TABLE_REARRANGED
    assert gone.faults & lost


@given(near_sets(ASKING["pressman"]))
def test_a_meld_turned_twice_is_itself(row: tuple[Tile, ...]) -> None:
    meld = Meld(row)
    assert meld.reversed().reversed() == meld
