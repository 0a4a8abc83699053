"""What has to hold of every game after every event. Each check raises BrokenError where it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from engine.faults import Verdict
from engine.game.digest import digest
from engine.game.events import Board, GameEvent, Tiles
from engine.game.fold import Game, apply
from engine.game.position import MOVING, parse_position
from engine.game.positions import position_of
from engine.game.record import parse_record
from engine.game.replay import record_of, replay
from engine.game.resting import rests_on
from engine.game.state import GameState
from engine.game.tokens import lines_of_board
from engine.ruleset import RuleSet
from engine.scoring import GameScore
from table.fuzzing.world import BrokenError, World


def hold(claim: bool, otherwise: str) -> None:
    """Raise BrokenError with these words unless something holds."""
    if not claim:
        raise BrokenError(otherwise)


def check_tiles(state: GameState, world: World) -> None:
    """Every tile is where it truly is, as far as the game knows, and counted where it does not."""
    hold(state.pool == len(world.pool), f"the pool has {len(world.pool)} tiles, not {state.pool}")
    hold(Counter(state.table.tiles) == world.table, "other tiles lie on the table than were laid")
    for seat in state.seats:
        held = world.rack(seat.name)
        hold(seat.held == len(held), f"{seat.name} holds {len(held)} tiles, not {seat.held}")
        hold(seat.rack is None or seat.rack == held, f"{seat.name} holds other tiles than these")
    seen = len(state.discards)
    hold(state.discards == tuple(world.pile[len(world.pile) - seen :]), "the discards are others")


def check_conservation(world: World) -> None:
    """All tiles of the game are there, each as often as the game has it."""
    hold(+world.total() == world.box, "tiles were lost or made")


def check_buzzer(before: GameState, after: GameState, board: Board, verdict: Verdict) -> None:
    """Where the rules let it a board that is legal when the time ends stands at no cost; any other goes
    back (AMB-22), or the sets of it stay (AMB-21)."""
    timeout = before.rules.timeout
    if verdict is Verdict.LEGAL and timeout.legal_layout != "rollback":
        stands = after.table == board and after.pool == before.pool
        hold(stands, "a legal table does not stand when the time ends, or costs something")
    elif timeout.loose_tiles == "own":
        hold(after.table == before.table, f"a table that is {verdict} stands when the time ends")


def check_turn(before: GameState, after: GameState) -> None:
    """Turns go round in the direction of play, one by one, and nobody moves outside of them."""
    hold((after.to_move is not None) == (after.phase in MOVING), "somebody moves out of turn")
    if before.phase not in MOVING or after.phase not in MOVING:
        return
    same_round = (before.round, before.game) == (after.round, after.game)
    if not same_round or before.to_move is None:
        return
    if after.turn == before.turn:
        hold(after.to_move == before.to_move, "another player goes on with the same turn")
        return
    hold(after.turn == before.turn + 1, "turns are not counted one by one")
    step = 1 if after.rules.start.direction == "clockwise" else -1
    following = (before.to_move + step) % len(after.seats)
    hold(after.to_move == following, "the turn did not go to the next player")


def check_defaults(before: GameState, event: GameEvent, after: GameState) -> None:
    """What is told to rest on a default comes to the same when that is chosen, and is told no more."""
    rules = before.rules
    told = {default.switch: rules.value_of(default.switch) for default in rests_on(before, event)}
    hold(not told.keys() & rules.chosen, "what is chosen is told to be a default")
    agreed = {name: value for name, value in told.items() if value is not None}
    if not agreed or agreed != told:
        return
    chosen = replace(before, rules=rules.with_house_rules(agreed))
    outcome = apply(chosen, event, with_repairs=False)
    same = isinstance(outcome, GameState) and replace(outcome, rules=after.rules) == after
    hold(same, f"a default that is chosen comes to something else: {', '.join(agreed)}")
    hold(rests_on(chosen, event) == (), "a default that is chosen is told to rest on others")


def is_new_round(before: GameState, after: GameState) -> bool:
    """Whether everything went back into the pool."""
    return (before.round, before.game) != (after.round, after.game)


# Scores


def check_round_score(before: GameState, state: GameState) -> None:
    """The round that has just been scored adds up to what its hands are worth.

    An extra round decides between those who are equal and leaves the scores as they were (AMB-33).
    """
    scores, rules = state.scores, state.rules
    if scores is None or rules.claims is not None:
        return
    ended = state.ended[-1]
    expected = _points(ended.held, ended.out, rules)
    if before.deciding:
        hold(scores == before.scores, "an extra round changed the scores")
        _check_extra_round(before, state, expected)
        return
    points = (scores.games[-1][-1] if scores.games else scores.rounds[-1]).points
    hold(expected is None or dict(points) == expected, f"points are {points}, not {expected}")
    if rules.score.kind == "zero_sum" and (ended.out or rules.pool_out.score == "difference"):
        hold(sum(points.values()) == 0, "what some win is not what others lose")
    check_totals(scores)


def _check_extra_round(
    before: GameState, state: GameState, points: Mapping[str, int] | None
) -> None:
    """Who wins, or is left to be decided between, has the best of the extra round."""
    left = state.deciding or state.winners
    hold(set(left) <= set(before.deciding), "an extra round was won by somebody not in it")
    if points is not None and state.rules.tournament is None:
        sign = -1 if state.rules.score.winner == "highest" else 1
        best = min(sign * points[name] for name in before.deciding)
        equal = {name for name in before.deciding if sign * points[name] == best}
        hold(set(left) == equal, f"{left} decided an extra round, not {equal}")


def check_totals(scores: GameScore) -> None:
    """The totals are the sums of the rounds, and every sum that the sheet checks holds."""
    for name, total in scores.totals.items():
        summed = sum((item.points[name] for item in scores.rounds), Fraction(0))
        hold(summed == total, f"the total of {name} is not the sum of the rounds")
    hold(all(check.holds for check in scores.checks), "a check of the score sheet fails")


def _points(held: Mapping[str, Tiles], out: str | None, rules: RuleSet) -> dict[str, int] | None:
    """What a round is worth by the documents; None where a tie or a house rule decides."""
    if rules.score.kind == "tiles_left":
        return {name: len(hand) for name, hand in held.items()}
    cards = dict(rules.score.card_points)
    worth = {
        name: sum(
            rules.joker.rack_value if tile.rank is None else cards.get(tile.rank, tile.rank)
            for tile in hand
        )
        for name, hand in held.items()
    }
    if rules.score.kind == "card_points":
        return worth
    lowest = min(worth.values())
    best = [name for name, value in worth.items() if value == lowest]
    if len(best) > 1 or (out is None and rules.pool_out.score != "difference"):
        return None
    lost = {name: lowest - value for name, value in worth.items()}
    return lost | {best[0]: -sum(lost.values())}


def check_claims(before: GameState, state: GameState) -> None:
    """Claims lie on tiles of the board, no tile carries two, and they are the score.

    Those of an extra round are not: it leaves the scores as they were (AMB-33).
    """
    if state.rules.claims is None or before.deciding or state.deciding:
        return
    carried = Counter(chain.from_iterable(tokens.meld.tiles for tokens in state.tokens))
    lines = lines_of_board(state.table)
    there = Counter(chain.from_iterable(line.tiles for line in lines))
    hold(carried <= there, "tokens lie on tiles that are not there")
    totals = dict.fromkeys((seat.name for seat in state.seats), Fraction(0))
    for tokens in state.tokens:
        hold(1 <= tokens.level <= 3, f"a set was claimed {tokens.level} times")
        totals[tokens.player] += tokens.points
        if state.rules.claims.model == "per_set":
            tiles = Counter(tokens.meld)
            hold(any(tiles <= Counter(line) for line in lines), "a claim has no set")
    hold(state.scores is None or dict(state.scores.totals) == totals, "claims are not the score")


# Text and record


def check_position(state: GameState) -> None:
    """The line of a position is read as the same position."""
    position = position_of(state)
    hold(parse_position(str(position)) == position, f"another position is read: {position}")


def check_record(game: Game) -> None:
    """The record of a game is read as the same record, and replays to the same state."""
    record = record_of(game)
    hold(parse_record(str(record)) == record, "another record is read than was written")
    again = replay(record)
    hold(digest(again.state) == digest(game.state), "a replay comes to another state")
    hold(again.state == game.state, "a replay comes to a state that only has the same digest")
