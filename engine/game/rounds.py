"""How rounds and games end: hands are shown and counted, and the next round or nothing follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.game.events import HandsShown, RoundCounted, Tiles
from engine.game.score_sheet import extra_round_winners, is_over, score_sheet
from engine.game.seats import Outcome, check_phase, check_pieces, index_of, order_from, refuse
from engine.game.starting import check_given, set_up
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.scoring import HandsAtEnd, ScoringError


def end_round(state: GameState, out: int | None) -> GameState:
    """The game when a round ends; `out` is the seat that ended it by having no tiles, if one did.

    Hands are to be shown then. Where they do not count (R2-32), what follows has come.
    """
    ended = replace(state, phase=Phase.ROUND_OVER, to_move=None, out=out)
    return ended if state.rules.claims is None else _after_round(ended)


def show_hands(state: GameState, event: HandsShown) -> Outcome:
    """The score of the round, and the next one or the end of the game.

    A hand that holds another number of tiles than the game had counted is scored as it is when it is
    said that it was counted otherwise. A tile that is missing in it was not drawn after all, and one too
    many was. Where tiles alone are counted (RS-26) a hand that nobody shows is as many as the game has
    counted.

    Refuses with `wrong_phase`, `unknown_player`, `named_twice`, `hand_differs`, `wrong_count`,
    `hand_missing`, `wrong_deck`, `too_many_copies`, `cannot_be_scored`.
    """
    wrong = (
        check_phase(state, Phase.ROUND_OVER)
        or check_given(state, event.hands)
        or check_given(state, event.counted)
    )
    if wrong is not None:
        return wrong
    shown, counted = dict(event.hands), dict(event.counted)
    held: dict[str, Tiles] = {}
    unseen: dict[str, int] = {}
    start = 0 if state.starter is None else state.starter
    for index in order_from(state, start):
        seat = state.seats[index]
        if _may_stay_unseen(state, seat) and seat.name not in {**shown, **counted}:
            held[seat.name], unseen[seat.name] = (), seat.held
            continue
        hand = _hand(seat, shown, counted)
        if isinstance(hand, Refusal):
            return hand
        held[seat.name] = hand
    everything = [*state.table.tiles, *state.discards]
    wrong = check_pieces(
        state.rules, everything + [tile for hand in held.values() for tile in hand]
    )
    if wrong is not None:
        return wrong
    more = sum(len(held[s.name]) - s.held for s in state.seats if s.name not in unseen)
    if more > state.pool:
        text = f"all hands hold {more} more than were counted, and {state.pool} were left to draw"
        return refuse("wrong_count", text)
    return _scored(replace(state, pool=state.pool - more), held, unseen)


def count_round(state: GameState, event: RoundCounted) -> Outcome:
    """The score of a round of cards by what the players counted, whatever was told of its turns.

    Refuses with `not_in_this_game` where it is not played with cards, and with `wrong_phase`,
    `unknown_player`, `named_twice`, `hand_missing`, `cannot_be_scored`.
    """
    if state.rules.equipment.pieces != "cards":
        text = f"{state.rules.preset} is not played with cards, and its turns are told"
        return refuse("not_in_this_game", text)
    wrong = check_phase(state, Phase.TURN, Phase.PLAY) or check_given(state, event.counts)
    if wrong is not None:
        return wrong
    counts = dict(event.counts)
    missing = [seat.name for seat in state.seats if seat.name not in counts]
    if missing:
        return refuse("hand_missing", f"the hand of {missing[0]} was not counted")
    out = None if event.out is None else index_of(state, event.out)
    if isinstance(out, Refusal):
        return out
    start = 0 if state.starter is None else state.starter
    in_turn = [state.seats[index].name for index in order_from(state, start)]
    hands = HandsAtEnd(
        MappingProxyType(dict.fromkeys(in_turn, ())),
        event.out,
        pool_exhausted=event.out is None,
        counted=tuple((name, counts[name]) for name in in_turn if counts[name]),
    )
    over = replace(state, phase=Phase.ROUND_OVER, to_move=None, out=out)
    return _with_hands(over, hands)


def _may_stay_unseen(state: GameState, seat: Seat) -> bool:
    """Whether it does not matter which tiles a player holds, and nobody knows."""
    return state.rules.score.kind == "tiles_left" and seat.held > 0 and seat.rack is None


def _hand(seat: Seat, shown: Mapping[str, Tiles], counted: Mapping[str, int]) -> Tiles | Refusal:
    """What a player held at the end, in sorted order."""
    if seat.name in counted and seat.name not in shown:
        return refuse("hand_missing", f"the hand of {seat.name} is counted otherwise and not shown")
    known = () if seat.held == 0 else seat.rack
    hand = known if seat.name not in shown else tuple(sorted(shown[seat.name]))
    if hand is None:
        return refuse("hand_missing", f"the hand of {seat.name} is not known and not shown")
    if known is not None and hand != known and len(hand) == len(known):
        return refuse("hand_differs", f"{seat.name} is known to hold other tiles than these")
    if len(hand) != seat.held and counted.get(seat.name) != seat.held:
        return refuse("wrong_count", f"{seat.name} holds {seat.held} and shows {len(hand)}")
    return hand


def _scored(state: GameState, held: Mapping[str, Tiles], unseen: Mapping[str, int]) -> Outcome:
    seats = tuple(
        seat
        if seat.name in unseen
        else replace(seat, held=len(held[seat.name]), rack=held[seat.name])
        for seat in state.seats
    )
    out = None if state.out is None else state.seats[state.out].name
    hands = HandsAtEnd(
        MappingProxyType(dict(held)),
        out,
        pool_exhausted=out is None,
        unseen=tuple(unseen.items()),
    )
    return _with_hands(replace(state, seats=seats), hands)


def _with_hands(state: GameState, hands: HandsAtEnd) -> Outcome:
    try:
        return _after_round(replace(state, ended=(*state.ended, hands)))
    except ScoringError as error:
        return refuse("cannot_be_scored", str(error))


def _after_round(state: GameState) -> GameState:
    """What follows a round or game that is over and, where hands count, among those that are `ended`.

    Raises ScoringError where it cannot be scored.
    """
    games = 1 if state.rules.tournament is None else state.rules.tournament.games
    if not state.deciding:
        state = replace(state, scores=score_sheet(state))
    if state.deciding:
        going_on = state.game < games
    else:
        assert state.scores is not None
        going_on = not is_over(state, state.scores)
    if not going_on:
        return conclude(state)
    if state.game < games:
        return set_up(state, state.round, state.game + 1)
    return set_up(state, state.round + 1, 1)


def conclude(state: GameState) -> GameState:
    """The game after its last round: won, or an extra round between those who are equal (AMB-33)."""
    if state.deciding:
        best = extra_round_winners(state)
    else:
        assert state.scores is not None
        best = state.scores.winners
    if len(best) > 1 and state.rules.score.tie == "extra_round":
        return replace(set_up(state, state.round + 1, 1), deciding=best)
    return replace(state, phase=Phase.GAME_OVER, to_move=None, winners=best, deciding=())
