"""The position that a game has come to, and the turn that one leads to."""

from __future__ import annotations

from functools import cache
from itertools import islice, pairwise

import pytest

from engine.faults import Verdict
from engine.game.events import Claimed, Discarded, GameEvent, Played
from engine.game.position import Position, parse_position
from engine.game.positions import position_of, turn_from
from engine.game.record import Note, parse_record
from engine.game.replay import note_on, replay
from engine.game.state import GameState, Phase
from engine.game.text_errors import AmbiguousError, IllegalError
from engine.layout import parse_grid, parse_layout
from engine.melds import parse_meld, parse_tiles
from engine.referee import judge
from engine.ruleset import load_ruleset
from engine.turns import Claim, RecordedTurn, parse_turn
from tests.engine.game.card_games import whole_game
from tests.engine.game.recorded_games import PRESETS, random_game

GAMES = [(preset, seed) for preset in PRESETS for seed in (0, 1)]


@cache
def standing(preset: str, seed: int) -> list[tuple[GameState, GameEvent, GameState]]:
    """The events that stand in a game at random, each with the states before and after it."""
    game = random_game(seed, preset)
    states = game.states()
    events = [event for _, event in game.standing]
    return list(zip(states, events[1:], states[1:], strict=False))


@cache
def cards() -> list[tuple[GameState, GameEvent, GameState]]:
    """The same of a game of cards."""
    told = list(islice(whole_game(2, 4), 200))
    return [(before, event, after) for (_, before), (event, after) in pairwise(told)]


def all_states() -> list[GameState]:
    rows = [row for game in GAMES for row in standing(*game)] + cards()
    return [after for _, _, after in rows]


# From a game


def test_the_position_of_every_state_is_one_that_can_be_and_is_read_as_it_is_written() -> None:
    states = all_states()
    assert {state.phase for state in states} == set(Phase)
    for state in states:
        position = position_of(state, 3.5)
        assert parse_position(str(position)) == position


def test_the_rules_of_a_position_are_those_of_its_game() -> None:
    for state in all_states():
        assert position_of(state).rules() == state.rules


def test_a_position_holds_what_the_game_knows() -> None:
    for state in all_states():
        position = position_of(state)
        for seat, place in zip(state.seats, position.places, strict=True):
            assert (place.name, place.held, place.opened) == (seat.name, seat.held, seat.opened)
            assert seat.rack is None or place.rack == seat.rack
        mover = None if state.to_move is None else state.seats[state.to_move].name
        assert (position.to_move, position.pool) == (mover, state.pool)
        assert (position.round, position.turn) == (state.round, state.turn)
        assert position.table == state.table


def test_a_game_in_print() -> None:
    text = """\
record/1 pressman
players: Ada | Ben

2. Ada begins
3. deal: Ada R10 B10 O10 K5 B5 R7 O7 B1 B2 O9 O3 K1 K2 J
4. Ada plays: R10 B10 O10
"""
    state = replay(parse_record(text)).state
    assert str(position_of(state, 12.0)) == (
        "position/1 pressman; round: 1; turn: 2; phase: turn; players: Ada | Ben; "
        "racks: K1 K2 K5 B1 B2 B5 R7 O3 O7 O9 J | #14; opened: yes | no; starter: Ada; to-move: Ben; "
        "table: R10 B10 O10; pool: 78; elapsed: 12"
    )


# To a turn


def ruled(recorded: RecordedTurn) -> Note:
    rules = load_ruleset(recorded.preset, recorded.house_rules)
    return Note.of(judge(recorded.turn, rules, with_repairs=False))


def turns_told(position: Position, event: GameEvent) -> RecordedTurn | None:
    """The turn that an event was, told with what the position and the event hold."""
    if isinstance(event, Played):
        return turn_from(position, event.after, rack_after=event.rack, elapsed_s=event.elapsed_s)
    if isinstance(event, Claimed):
        return turn_from(position, position.table, claims=(event.meld,))
    if isinstance(event, Discarded):
        return turn_from(position, position.table, discard=(event.card,))
    return None


@pytest.mark.parametrize(("preset", "seed"), GAMES)
def test_the_referee_says_of_a_turn_from_a_position_what_it_says_in_the_game(
    preset: str, seed: int
) -> None:
    judged = 0
    for before, event, _ in standing(preset, seed):
        turn = turns_told(parse_position(str(position_of(before))), event)
        if turn is not None:
            judged += 1
            assert ruled(turn) == note_on(before, event), (position_of(before), event)
    assert judged or preset == "rummi200kub"


def test_turns_with_cards_are_judged_alike_too() -> None:
    judged = 0
    for before, event, _ in cards():
        turn = turns_told(position_of(before), event)
        if turn is not None:
            judged += 1
            assert ruled(turn) == note_on(before, event)
            assert parse_turn(str(turn)) == turn
    assert judged > 50


BEFORE = (
    "position/1 pressman; players: Ada | Ben; racks: K10 B2 | #12; opened: yes | no; to-move: Ada; "
    "table: K7 K8 K9; pool: 0; elapsed: 41.5"
)


def test_a_turn_from_a_position_holds_what_a_ruling_rests_on() -> None:
    position = parse_position(BEFORE.replace("; players", "; house: joker.freeze=full; players"))
    turn = turn_from(position, parse_layout("K7 K8 K9 K10"))
    assert str(turn) == (
        "turn/1 pressman; house: joker.freeze=full; before: K7 K8 K9; after: K7 K8 K9 K10; "
        "rack: K10 B2 > B2; opened: yes; elapsed: 41.5; pool: empty; players: 2"
    )
    assert ruled(turn).verdict is Verdict.LEGAL


def test_what_is_told_of_a_turn_goes_before_what_is_worked_out() -> None:
    position = parse_position(BEFORE)
    told = turn_from(
        position, parse_layout("K7 K8 K9"), rack_after=parse_tiles("K10 B2 R1"), elapsed_s=9.0
    ).turn
    assert told.rack_after == parse_tiles("K10 B2 R1")
    assert told.elapsed_s == 9.0


def test_a_rack_that_was_not_seen_is_not_made_up() -> None:
    position = parse_position(BEFORE.replace("to-move: Ada", "to-move: Ben"))
    turn = turn_from(position, parse_layout("K7 K8 K9 | R10 B10 O10")).turn
    assert (turn.rack_before, turn.rack_after, turn.opened) == (None, None, False)
    strange = turn_from(parse_position(BEFORE), parse_layout("K7 K8 K9 | R1 R2 R3")).turn
    assert (strange.rack_before, strange.rack_after) == (parse_tiles("K10 B2"), None)


def test_a_position_of_nobody_known_leads_to_a_turn_of_which_little_is_known() -> None:
    turn = turn_from(parse_position("position/1 pressman; table: K7 K8 K9"), parse_layout("-")).turn
    assert (turn.opened, turn.rack_before, turn.players) == (None, None, None)


def test_a_turn_with_cards_is_of_the_round_of_its_position() -> None:
    line = "position/1 sets-and-runs; round: {}; phase: turn; table: -; pool: 40"
    turns = [
        turn_from(parse_position(line.format(number)), parse_layout("-")).turn
        for number in (1, 2, 7, 8)
    ]
    assert [(turn.round, turn.contract) for turn in turns] == [(n, None) for n in (1, 2, 7, 8)]
    tiles = turn_from(parse_position("position/1 pressman; round: 3; table: -"), parse_layout("-"))
    assert tiles.turn.round is None


GRID = (
    "position/1 rummi200kub; players: Ada | Ben; to-move: Ada; table: grid K7 B7 R7 / . B8 . / . B9 .; "
    "tokens: {} 2 K7 B7 R7"
)


@pytest.mark.parametrize(("owner", "own"), [("Ada", True), ("Ben", False)])
def test_a_claim_has_the_level_and_the_owner_of_the_tokens_it_covers(owner: str, own: bool) -> None:
    position = parse_position(GRID.format(owner))
    turn = turn_from(position, position.table, claims=(parse_meld("R7 B7 K7"),)).turn
    assert turn.claims == (Claim(parse_meld("R7 B7 K7"), 2, own),)
    free = turn_from(position, position.table, claims=(parse_meld("B7 B8 B9"),)).turn
    assert free.claims == (Claim(parse_meld("B7 B8 B9"), 0, False),)


# What cannot be told


def test_a_turn_of_somebody_unknown_is_ambiguous() -> None:
    position = parse_position(BEFORE.replace("to-move: Ada; ", ""))
    with pytest.raises(AmbiguousError, match="who is to move: Ada or Ben") as caught:
        turn_from(position, parse_layout("K7 K8 K9 K10"))
    assert caught.value.candidates == ("Ada", "Ben")


def test_a_claim_of_one_of_two_equal_sets_is_ambiguous_where_one_has_tokens() -> None:
    line = GRID.format("Ada").replace("/ . B9 .", "/ K7 B7 R7")
    position = parse_position(line)
    with pytest.raises(AmbiguousError, match="lies there 2 times"):
        turn_from(position, position.table, claims=(parse_meld("K7 B7 R7"),))
    bare = parse_position(line.partition("; tokens")[0] + "; tokens: -")
    turn = turn_from(bare, bare.table, claims=(parse_meld("K7 B7 R7"),)).turn
    assert turn.claims == (Claim(parse_meld("K7 B7 R7"), 0, False),)


def test_a_claim_on_a_board_whose_tokens_nobody_saw_is_ambiguous() -> None:
    position = parse_position(GRID.format("Ada").partition("; tokens")[0])
    with pytest.raises(AmbiguousError, match="claimed before: never or once"):
        turn_from(position, position.table, claims=(parse_meld("K7 B7 R7"),))


def test_one_player_alone_does_not_say_how_many_play() -> None:
    position = parse_position("position/1 pressman; players: Ada; to-move: Ada; table: -")
    assert turn_from(position, parse_layout("-")).turn.players is None


@pytest.mark.parametrize(
    ("line", "after", "why"),
    [
        ("position/1 pressman; phase: deal; table: -", "-", "nobody is to move"),
        ("position/1 pressman; table: grid K7 K8 K9", "-", "in sets that lie apart"),
        ("position/1 rummi200kub; table: K7 K8 K9", "grid K7", "in a grid"),
        ("position/1 rummi200kub; table: grid K7", "K7", "in a grid"),
    ],
)
def test_a_turn_that_cannot_be_is_illegal(line: str, after: str, why: str) -> None:
    board = (
        parse_grid(after.removeprefix("grid ")) if after.startswith("grid") else parse_layout(after)
    )
    with pytest.raises(IllegalError, match=why):
        turn_from(parse_position(line), board)


def test_games_at_random_are_games() -> None:
    """Guards the properties above: without opponents and plays they would say nothing."""
    plays = [
        event for game in GAMES for _, event, _ in standing(*game) if isinstance(event, Played)
    ]
    assert len(plays) > 50
