"""What says nothing about a turn, in all games: orders, sides, colours, text forms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.judge_json import ruling_to_json, turn_from_json
from engine.layout import Layout
from engine.referee import Turn, judge
from engine.ruleset import load_ruleset
from engine.tiles import Tile
from engine.turns import RecordedTurn, parse_turn
from tests.engine.strategies import (
    APART,
    APART_SETTLED,
    ASKING,
    PRESETS,
    examples,
    mapped,
    plays,
    recoloured,
    reflected,
    ruled,
    shuffled,
    suits_of,
    summary,
    turns,
)

for_every_game = pytest.mark.parametrize("preset", PRESETS)
some = examples(15)


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
    turn = replace(
        turn,
        contract=turn.contract if rules.contracts else None,
        claims=turn.claims if rules.claims else None,
        discard=turn.discard if rules.discard else None,
    )
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
