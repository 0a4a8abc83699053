"""The card game of contracts as steps of a game: the deal, what is played, and the discard.

A turn is a card taken, plays, and a discard (SR-07). Each play and the discard are judged when they are
made, so that a game goes from one legal table to the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from engine.card_table import Contract
from engine.examination import same_set, same_table
from engine.faults import Ruling, Verdict
from engine.game.cards_pile import buy_card, drawn_from_deck, reshuffle, stop_card_play, take_card
from engine.game.events import (
    Board,
    CardBought,
    CardTaken,
    Dealt,
    Discarded,
    GameEvent,
    Misplayed,
    Played,
    PlayStopped,
    Reshuffled,
    Tiles,
)
from engine.game.judging import check_form, check_time, judge_table, refuse_ruling
from engine.game.late_faults import given_away, left_standing
from engine.game.penalties import misplay_cost, tiles_due
from engine.game.rounds import end_round
from engine.game.seats import (
    Outcome,
    Step,
    begin_turn,
    check_pieces,
    checked,
    gained,
    lost,
    mover,
    next_index,
    refuse,
    with_seat,
)
from engine.game.starting import deal_hands
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.game.tile_turns import moved
from engine.layout import Layout
from engine.melds import Meld
from engine.referee import judge
from engine.tiles import Tile
from engine.turns import Turn
from engine.wording import count_of, the


def contract_of(state: GameState) -> Contract:
    """How many groups and runs this round asks for (AMB-39); extra rounds ask for the last contract.

    No groups and no runs in a game without contracts.
    """
    contracts = state.rules.contracts
    if contracts is None:
        return 0, 0
    return contracts.of_round(state.round)


def deal_cards(state: GameState, event: Dealt) -> Outcome:
    """The first turn, everybody with the cards of the deal and one turned over (SR-05, SR-06).

    Refuses as `deal_hands` does, and with `upcard_joker`: a joker goes back into the deck.
    """
    if event.upcard is not None and event.upcard.is_joker:
        text = (
            "a joker that is turned over goes back into the deck, and the next card is turned over"
        )
        return refuse("upcard_joker", f"{text} (SR-06)")
    dealt = deal_hands(state, event.hands)
    if isinstance(dealt, Refusal) or dealt.starter is None:
        return dealt
    discards = () if event.upcard is None else (event.upcard,)
    return checked(
        begin_turn(replace(dealt, pool=dealt.pool - 1, discards=discards), dealt.starter)
    )


# Playing


def play_cards(state: GameState, event: Played, *, with_repairs: bool = True) -> Outcome:
    """The game after cards were laid down or played on sets (SR-08 to SR-11).

    It stands when the referee finds it legal, or when somebody lets it stand. The turn goes on; without
    a card left to discard it is over, and the player floats (SR-17). A refusal of the referee says how
    to mend the play, unless told not to look `with_repairs`. Refuses with `wrong_phase`,
    `unknown_player`, `not_your_turn`, `bad_time`, `wrong_form`, `wrong_deck`, `too_many_copies`,
    `nothing_played`, `wrong_count`, `not_held`, `hand_differs`, `illegal`, `ask`.
    """
    index = mover(state, event.player, Phase.PLAY)
    if isinstance(index, Refusal):
        return index
    after = check_time(event.elapsed_s) or _as_sets(state, event.after)
    if isinstance(after, Refusal):
        return after
    if not moved(state.table, after)[0]:
        return refuse(
            "nothing_played", "no card is new on the table, and a play puts one there (G-02)"
        )
    then = _with_table(state, index, after, event.rack)
    if isinstance(then, Refusal):
        return then
    mend = with_repairs and event.overruled_by is None
    ruling = _judge_play(state, index, after, with_repairs=mend)
    legal = ruling.verdict is Verdict.LEGAL
    if not legal and event.overruled_by is None:
        return refuse_ruling(ruling)
    return _went_on(state, then, index, legal=legal)


def _as_sets(state: GameState, board: Board) -> Layout | Refusal:
    """The sets of a board, or a refusal of one that this game cannot have on its table."""
    wrong = check_form(state, board) or check_pieces(state.rules, board.tiles)
    if wrong is not None:
        return wrong
    assert isinstance(board, Layout)
    return board


def _table(state: GameState) -> Layout:
    assert isinstance(state.table, Layout)
    return state.table


def _with_table(state: GameState, index: int, after: Layout, told: Tiles | None) -> Outcome:
    """The game when a player leaves the table so, if the cards can be there, legal or not.

    A hand that is told becomes known.
    """
    before = state.seats[index]
    played, gone = moved(state.table, after)
    seat = lost(before, tuple(played.elements()))
    if seat is None and played.total() > before.held:
        held = count_of(before.held, "card")
        text = f"{before.name} held {held}, and {played.total()} are new on the table"
        return refuse("wrong_count", text)
    if seat is None:
        strange = min(played - Counter(before.rack))
        return refuse("not_held", f"{the(strange)} is new on the table and was not in the hand")
    opened = before.opened or len(after.melds) > len(_table(state).melds)
    seat = replace(gained(seat, gone.total(), tuple(gone.elements())), opened=opened)
    known = seat if told is None else _with_told(seat, told)
    if isinstance(known, Refusal):
        return known
    return checked(replace(with_seat(state, index, known), table=after))


def _with_told(seat: Seat, told: Tiles) -> Seat | Refusal:
    hand = tuple(sorted(told))
    if len(hand) != seat.held:
        return refuse(
            "wrong_count", f"{seat.name} holds {count_of(seat.held, 'card')} then, not {len(hand)}"
        )
    if seat.rack is not None and hand != seat.rack:
        return refuse("hand_differs", f"{seat.name} is known to hold other cards than these")
    return replace(seat, rack=hand)


def _judge_play(
    state: GameState, index: int, after: Layout, *, with_repairs: bool = False
) -> Ruling:
    """What the referee says of a table that a player wants to leave in a turn that still goes on.

    Where the cards came from is counted here, and the discard comes later, so neither is told.
    """
    before, after = _without_unlawful(state, after)
    turn = Turn(before, after, opened=state.seats[index].opened, round=state.round)
    return judge(turn, state.rules, with_repairs=with_repairs)


def _without_unlawful(state: GameState, after: Layout) -> tuple[Layout, Layout]:
    """The tables before and after without what is no set and lies as it did.

    It stands by somebody's word, or by a house rule that is another now. Nobody can mend it by the rules
    (SR-11), and no later play is to blame for it.
    """
    before, now = _table(state), list(after.melds)
    if _is_lawful(state, before):
        return before, after
    judged: list[Meld] = []
    for meld in before.melds:
        lies = next((other for other in now if same_set(other) == same_set(meld)), None)
        if lies is None or _is_lawful(state, Layout((meld,))):
            judged.append(meld)
        else:
            now.remove(lies)
    return Layout(tuple(judged)), Layout(tuple(now))


def _is_lawful(state: GameState, table: Layout) -> bool:
    return judge_table(state, table).verdict is Verdict.LEGAL


def _went_on(before: GameState, after: GameState, index: int, *, legal: bool) -> GameState:
    """The game after a play that stands: the turn goes on, or is over for a player who floats."""
    if not legal or before.unsettled is not None:
        after = left_standing(before, after, index)
    if after.seats[index].held:
        return after
    return begin_turn(after, next_index(after, index))


# The discard


def discard(state: GameState, event: Discarded, *, with_repairs: bool = True) -> Outcome:
    """The game after a discard: the next turn, or the end of the round by the last card (SR-16).

    A card that could be played is not discarded (SR-18), unless somebody lets it stand. Refuses with
    `wrong_phase`, `unknown_player`, `not_your_turn`, `wrong_deck`, `not_held`, `too_many_copies`,
    `illegal`, `ask`.
    """
    index = mover(state, event.player, Phase.PLAY)
    if isinstance(index, Refusal):
        return index
    wrong, seat = check_pieces(state.rules, (event.card,)), lost(state.seats[index], (event.card,))
    if wrong is not None:
        return wrong
    if seat is None:
        return refuse("not_held", f"{event.player} did not hold {the(event.card)}")
    discards = (*state.discards, event.card)
    then = replace(with_seat(state, index, seat), discards=discards, discard_dead=False)
    known = checked(given_away(state, then, index, event.card))
    if isinstance(known, Refusal):
        return known
    mend = with_repairs and event.overruled_by is None
    ruling = _judge_discard(state, index, event.card, with_repairs=mend)
    if ruling.verdict is not Verdict.LEGAL and event.overruled_by is None:
        return refuse_ruling(ruling)
    if seat.held == 0:
        return end_round(known, index)
    return begin_turn(known, next_index(known, index))


def _judge_discard(state: GameState, index: int, card: Tile, *, with_repairs: bool) -> Ruling:
    """What the referee says of a discard; what was played before it has been judged."""
    table, _ = _without_unlawful(state, _table(state))
    opened = state.seats[index].opened
    turn = Turn(table, table, opened=opened, round=state.round, discard=(card,))
    return judge(turn, state.rules, with_repairs=with_repairs)


# Plays that fail


def misplay_cards(state: GameState, event: Misplayed) -> Outcome:
    """The game after an unsuccessful play: the cards are taken back and the turn goes on (AMB-50).

    What such a play costs is drawn from the deck; where the table is not put back (AMB-24) it stays as
    it was tried. Refuses with `wrong_phase`, `unknown_player`, `not_your_turn`, `bad_time`,
    `wrong_form`, `wrong_deck`, `too_many_copies`, `wrong_count`, `not_held`, `was_legal`,
    `tiles_missing`.
    """
    index = mover(state, event.player, Phase.PLAY)
    if isinstance(index, Refusal):
        return index
    noted = state.table if event.attempt is None else event.attempt
    attempt = check_time(event.elapsed_s) or _as_sets(state, noted)
    if isinstance(attempt, Refusal):
        return attempt
    if same_table(attempt, state.table):
        return _with_penalty(state, index, None, event.drawn)
    tried = _with_table(state, index, attempt, None)
    if isinstance(tried, Refusal):
        return tried
    ruling = _judge_play(state, index, attempt)
    if ruling.verdict is Verdict.LEGAL:
        return refuse("was_legal", "what was tried is a legal play, and so no unsuccessful one")
    paid = _with_penalty(state, index, ruling, event.drawn)
    if isinstance(paid, Refusal) or state.rules.misplay.restore:
        return paid
    return _left_as_tried(paid, index, attempt)


def _with_penalty(
    state: GameState, index: int, ruling: Ruling | None, drawn: Tiles | None
) -> Outcome:
    cost = misplay_cost(state.rules, ruling) or 0
    return drawn_from_deck(state, index, tiles_due(cost, state.pool, state.rules), drawn)


def _left_as_tried(state: GameState, index: int, attempt: Layout) -> Outcome:
    """The game with an unsuccessful play left on the table."""
    gone = [card for card in moved(state.table, attempt)[1] if not card.is_joker]
    if gone:
        text = f"{the(gone[0])} lay on the table and does not lie there now"
        return refuse("tiles_missing", text)
    left = _with_table(state, index, attempt, None)
    return left if isinstance(left, Refusal) else _went_on(state, left, index, legal=False)


CARD_STEPS: Final[Mapping[type[GameEvent], Step]] = MappingProxyType(
    {
        Dealt: deal_cards,
        CardTaken: take_card,
        CardBought: buy_card,
        Played: play_cards,
        Discarded: discard,
        Misplayed: misplay_cards,
        Reshuffled: reshuffle,
        PlayStopped: stop_card_play,
    }
)
"""What each event does in the card game; what is the same in every game stands in `engine.game.fold`."""
