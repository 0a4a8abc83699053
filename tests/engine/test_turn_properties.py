"""What a legal turn is, in all games, whoever plays and whatever lies there; and what findings show."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.faults import Fault, Verdict
from engine.layout import Layout
from engine.melds import Meld
from engine.referee import Turn, judge
from engine.sets import is_legal_layout
from engine.tiles import Tile
from tests.engine.strategies import (
    APART,
    APART_SETTLED,
    ASKING,
    PRESETS,
    SET_PRESETS,
    SETTLED,
    deck,
    examples,
    near_sets,
    one_tile_changed,
    plays,
    pool,
    racks,
    ruled,
    tables,
    turns,
)

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
