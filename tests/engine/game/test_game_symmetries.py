"""What says nothing about a whole game: colours, names, seats, orders; and what always adds up.

Games of every preset are told a second time otherwise, with all that was refused on the way.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game.cursor import Cursor
from engine.game.digest import digest
from engine.game.event_lines import parse_event, print_event
from engine.game.events import Board, GameBegun, GameEvent
from engine.game.fold import Game, apply
from engine.game.record import parse_record
from engine.game.replay import record_of, steps
from engine.game.state import GameState, Unsettled
from engine.layout import GridLayout, Layout
from engine.ruleset import list_presets
from engine.tiles import CARD_SUITS, TILE_SUITS, Tile
from tests.engine.game.tile_players import TILE_GAMES
from tests.engine.game.whole_games import (
    Moment,
    Retold,
    recoloured,
    relaid,
    renamed,
    retold,
    ruled,
    whole_game,
)
from tests.engine.strategies import examples, shows_no_side

presets = st.sampled_from(list_presets())
seeds = st.integers(0, 3)
some = examples(4)


def unchanged(state: GameState) -> GameState:
    return state


def check_told_otherwise(
    moments: tuple[Moment, ...],
    event_of: Callable[[GameEvent], GameEvent],
    state_of: Callable[[GameState], object],
    shown: Callable[[GameState], object] = unchanged,
) -> None:
    """Every event told otherwise has the outcome told otherwise, a refusal for the same reasons."""
    state: GameState | None = None
    for moment in moments:
        event = event_of(moment.event)
        outcome = apply(state, event, with_repairs=False)
        assert ruled(outcome) == ruled(moment.outcome), event
        if isinstance(outcome, GameState):
            assert isinstance(moment.outcome, GameState)
            assert shown(outcome) == state_of(moment.outcome), event
            if moment.stands:
                state = outcome


@some
@given(preset=presets, seed=seeds, data=st.data())
def test_the_names_of_colours_say_nothing_in_a_game(
    preset: str, seed: int, data: st.DataObject
) -> None:
    """No document has a rule about a colour, so any may be called any other."""
    suits = TILE_SUITS if preset in TILE_GAMES else CARD_SUITS
    other = recoloured(dict(zip(suits, data.draw(st.permutations(suits)), strict=True)))
    moments = whole_game(preset, seed)
    check_told_otherwise(moments, lambda e: retold(e, other), lambda s: retold(s, other))


@some
@given(preset=presets, seed=seeds)
def test_copies_of_a_tile_are_one_kind_in_a_game(preset: str, seed: int) -> None:
    """A game of tiles that were all made anew comes to the same digests."""
    anew: Retold = {Tile: lambda tile: Tile(tile.suit, tile.rank, is_card=tile.is_card)}
    moments = whole_game(preset, seed)
    check_told_otherwise(moments, lambda e: retold(e, anew), digest, digest)


@some
@given(preset=presets, seed=seeds, data=st.data())
def test_the_names_of_players_say_nothing(preset: str, seed: int, data: st.DataObject) -> None:
    moments = whole_game(preset, seed)
    begun = moments[0].event
    assert isinstance(begun, GameBegun)
    order = data.draw(st.permutations(begun.players))
    other = renamed(dict(zip(begun.players, order, strict=True)))

    def expected(state: GameState) -> object:
        return without_words(retold(state, other))

    check_told_otherwise(moments, lambda e: retold(e, other), expected, without_words)


def without_words(state: GameState) -> object:
    """The state, and of its score sheet all but the sentences."""
    sheet = state.scores
    if sheet is None:
        return state
    holds = [check.holds for check in sheet.checks]
    return replace(state, scores=None), replace(sheet, checks=(), notes=()), holds


@some
@given(preset=presets, seed=seeds, places=st.integers(1, 3))
def test_who_sits_where_in_the_circle_says_nothing(preset: str, seed: int, places: int) -> None:
    """With all players some chairs further, in the same order, everything goes on alike."""
    moments = whole_game(preset, seed)

    def moved(event: GameEvent) -> GameEvent:
        if not isinstance(event, GameBegun):
            return event
        names = event.players
        return replace(event, players=tuple(names[n - places] for n in range(len(names))))

    check_told_otherwise(moments, moved, lambda s: seated_on(s, places), winners_sorted)


def winners_sorted(state: GameState) -> object:
    """Those who share a win, and the lines of a score sheet, stand in the order of seats."""
    return replace(state, winners=tuple(sorted(state.winners)), scores=None), scores_of(state)


def scores_of(state: GameState) -> object:
    """The points by player, whatever their order."""
    return None if state.scores is None else dict(state.scores.totals)


def seated_on(state: GameState, places: int) -> object:
    """The state with everybody so many chairs further."""
    count = len(state.seats)

    def chair(index: int | None) -> int | None:
        return None if index is None else (index + places) % count

    unsettled = state.unsettled
    if unsettled is not None:
        since = tuple(replace(item, seat=(item.seat + places) % count) for item in unsettled.since)
        unsettled = Unsettled(unsettled.table, since, unsettled.tokens)
    return winners_sorted(
        replace(
            state,
            seats=tuple(state.seats[index - places] for index in range(count)),
            starter=chair(state.starter),
            to_move=chair(state.to_move),
            out=chair(state.out),
            unsettled=unsettled,
        )
    )


@some
@given(preset=presets, seed=seeds, how=st.integers(0, 10_000))
def test_how_sets_lie_says_nothing(preset: str, seed: int, how: int) -> None:
    """Sets in another order and seen from the other side, the tiles of a group in any order."""
    chance = random.Random(how)
    other = relaid(lambda board: shuffled(board, chance))
    moments = whole_game(preset, seed)
    check_told_otherwise(moments, lambda e: retold(e, other), without_table, without_table)


def shuffled(board: Board, chance: random.Random) -> Board:
    if isinstance(board, GridLayout):
        rows = board.rows
        rows = rows[::-1] if chance.random() < 0.5 else rows
        return GridLayout(tuple(row[::-1] for row in rows) if chance.random() < 0.5 else rows)
    return Layout.of(
        row_shuffled(meld.tiles, chance) for meld in chance.sample(board.melds, len(board.melds))
    )


def row_shuffled(row: tuple[Tile, ...], chance: random.Random) -> tuple[Tile, ...]:
    """A row as it may as well lie: a group in any order, any other row from either side."""
    ranks = {tile.rank for tile in row if tile.rank is not None}
    naturals = sum(tile.rank is not None for tile in row)
    if len(ranks) == 1 and naturals > 1:
        return tuple(chance.sample(row, len(row)))
    return row if shows_no_side(row) or chance.random() < 0.5 else row[::-1]


def without_table(state: GameState) -> object:
    """All of a state but how its tiles lie."""
    tiles = tuple(sorted(state.table.tiles))
    claims = [(tokens.player, tokens.level, tokens.points) for tokens in state.tokens]
    was = None if state.unsettled is None else tuple(sorted(state.unsettled.table.tiles))
    let_stand = sorted(sorted(meld.tiles) for meld in state.let_stand)
    plain = replace(state, table=Layout(), tokens=(), unsettled=None, let_stand=())
    return plain, tiles, claims, was, let_stand


# --- what adds up ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("preset", list_presets())
def test_what_rounds_come_to_is_what_hands_are_worth(preset: str, seed: int) -> None:
    """PR-24, SB-23: with a pot what some win others lose, in every round and in the game. RS-26, SR-19:
    without one nobody has less than nothing."""
    states = [m.outcome for m in whole_game(preset, seed) if isinstance(m.outcome, GameState)]
    for state in states:
        scores, rules = state.scores, state.rules
        if scores is None or rules.claims is not None or state.deciding:
            continue
        assert all(check.holds for check in scores.checks)
        pot = rules.score.kind == "zero_sum" and rules.pool_out.score == "difference"
        for item in scores.rounds:
            assert not pot or sum(item.points.values()) == 0
            assert pot or min(item.points.values()) >= 0 or rules.score.kind == "zero_sum"


@some
@given(preset=presets, seed=seeds)
def test_a_game_written_down_and_replayed_comes_to_the_same_digests(preset: str, seed: int) -> None:
    """Event by event, with the ruling of each as it was."""
    events = [moment.event for moment in whole_game(preset, seed) if moment.stands]
    game = Game.of(events)
    assert isinstance(game, Game), game
    record = parse_record(str(record_of(game)))
    replayed = list(steps(record))
    assert [step.entry.event for step in replayed] == events
    assert not any(step.differences for step in replayed)
    assert [digest(step.game.state) for step in replayed] == [*map(digest, game.states())]


@some
@given(preset=presets, seed=seeds)
def test_every_event_of_a_game_is_read_as_it_is_written(preset: str, seed: int) -> None:
    for moment in whole_game(preset, seed)[1:]:
        if not moment.stands:
            continue
        cursor = Cursor(print_event(moment.event))
        assert parse_event(cursor) == moment.event
        assert cursor.ended
