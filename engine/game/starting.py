"""How a game begins: who plays, who begins the round, and the deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Final

from engine.game.events import (
    Board,
    Dealt,
    DrawnForStart,
    GameBegun,
    StarterNamed,
    Tiles,
)
from engine.game.names import check_players
from engine.game.seats import (
    Outcome,
    begin_turn,
    check_phase,
    check_pieces,
    index_of,
    next_index,
    pieces_of,
    refuse,
)
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.layout import GridLayout, Layout
from engine.ruleset import HouseRuleError, RuleSet, UnknownPresetError, load_ruleset
from engine.tiles import RANKS, Tile

_JOKER_RANK: Final = {"highest": RANKS[-1] + 1, "lowest": RANKS[0] - 1}
"""What a joker counts in the draw for the start, where it counts at all (AMB-06)."""


def begin_game(event: GameBegun) -> Outcome:
    """The game before its first round.

    Refuses with `unknown_preset`, `unknown_house_rule`, `wrong_players`, `no_claims`, `bad_number`.
    """
    try:
        rules = load_ruleset(event.preset, dict(event.house_rules))
    except UnknownPresetError as error:
        return refuse("unknown_preset", str(error))
    except HouseRuleError as error:
        return refuse("unknown_house_rule", str(error))
    try:
        check_players(event.players)
    except ValueError as error:
        return refuse("wrong_players", str(error))
    wrong = check_number(rules, len(event.players))
    if wrong is None and event.locks is not None:
        wrong = _check_locks(rules, event.locks)
    if wrong is not None:
        return wrong
    return GameState(
        rules=rules,
        phase=Phase.START,
        round=1,
        game=1,
        turn=0,
        seats=tuple(Seat(name, 0, ()) for name in event.players),
        starter=None,
        to_move=None,
        table=empty_board(rules),
        pool=pieces_of(rules),
        discards=(),
        discard_dead=False,
        reshuffles=0,
        tokens=(),
        still_drawing=(),
        passes=0,
        ended=(),
        scores=None,
        winners=(),
        locks=event.locks,
    )


def empty_board(rules: RuleSet) -> Board:
    """The table of a game before anything lies on it."""
    return GridLayout() if rules.table.form == "grid" else Layout()


def check_number(rules: RuleSet, players: int) -> Refusal | None:
    """A refusal (`wrong_players`) where that many may not play, or are not dealt to."""
    least, most = rules.players.least, rules.players.most
    if not least <= players <= most:
        text = f"{rules.preset} is for {least} to {most} players, not for {players}"
        return refuse("wrong_players", text)
    try:
        rules.deal.tiles_for(players)
    except ValueError as error:
        return refuse("wrong_players", str(error))
    return None


def _check_locks(rules: RuleSet, locks: int) -> Refusal | None:
    if rules.claims is None:
        return refuse("no_claims", f"{rules.preset} is played without claims, so without locks")
    return refuse("bad_number", f"there are 0 locks or more, not {locks}") if locks < 0 else None


def set_up(state: GameState, number: int, game: int) -> GameState:
    """The game when a round begins that is not the first: everything back in the pool (PR-26).

    Who begins follows by rotation, or is to be found by a new draw, as the rules have it.
    """
    rules = state.rules
    starter = None
    if rules.start.next_round == "rotate" and state.starter is not None:
        starter = next_index(state, state.starter)
    return replace(
        state,
        phase=Phase.START if starter is None else Phase.DEAL,
        round=number,
        game=game,
        turn=0,
        seats=tuple(Seat(seat.name, 0, ()) for seat in state.seats),
        starter=starter,
        to_move=None,
        table=empty_board(rules),
        pool=pieces_of(rules),
        discards=(),
        discard_dead=False,
        reshuffles=0,
        tokens=(),
        still_drawing=(),
        passes=0,
        out=None,
        drawn=(),
        kept=(),
        unsettled=None,
        let_stand=(),
    )


# Who begins


def draw_for_start(state: GameState, event: DrawnForStart) -> Outcome:
    """What a draw for the start settles: who begins, or who draws again (AMB-06).

    Refuses with `wrong_phase`, `no_draw`, `wrong_drawers`, `wrong_deck`, `too_many_copies`.
    """
    wrong = check_phase(state, Phase.START)
    if wrong is not None:
        return wrong
    if state.rules.start.by not in ("highest", "lowest"):
        return refuse("no_draw", f"who begins is not drawn for in {state.rules.preset}")
    expected = state.still_drawing or tuple(seat.name for seat in state.seats)
    names = [name for name, _ in event.drawn]
    if sorted(names) != sorted(expected):
        told = ", ".join(names) or "nobody"
        return refuse("wrong_drawers", f"to draw are {', '.join(expected)}, and {told} drew")
    kept = () if state.rules.start.returned else (*state.kept, *event.drawn)
    out_now = kept or event.drawn
    wrong = check_pieces(state.rules, [tile for _, tile in out_now])
    if wrong is not None:
        return wrong
    return _settle(replace(state, kept=kept), {**dict(state.drawn), **dict(event.drawn)})


def _settle(state: GameState, drawn: Mapping[str, Tile]) -> GameState:
    """The draw with the tiles that count now: a starter, or who draws again."""
    start = state.rules.start
    if start.joker == "redraw":
        jokers = tuple(name for name, tile in drawn.items() if tile.is_joker)
        if jokers:
            left = tuple(item for item in drawn.items() if item[0] not in jokers)
            return replace(state, still_drawing=jokers, drawn=left)
    worth = {name: tile.rank or _JOKER_RANK[start.joker] for name, tile in drawn.items()}
    best = max(worth.values()) if start.by == "highest" else min(worth.values())
    tied = tuple(name for name in worth if worth[name] == best)
    if len(tied) > 1:
        everybody = tuple(seat.name for seat in state.seats)
        again = tied if start.tie == "tied_redraw" else everybody
        return replace(state, still_drawing=again, drawn=())
    return _with_starter(state, tied[0])


def _with_starter(state: GameState, player: str) -> GameState:
    starter = [seat.name for seat in state.seats].index(player)
    return replace(state, phase=Phase.DEAL, starter=starter, still_drawing=(), drawn=())


def name_starter(state: GameState, event: StarterNamed) -> Outcome:
    """Who begins, as it was told: by lot, left of the dealer, or after a draw that nobody entered.

    Refuses with `wrong_phase`, `unknown_player`, and `not_drawing` for a player who is out of a draw.
    """
    wrong = check_phase(state, Phase.START)
    if wrong is not None:
        return wrong
    index = index_of(state, event.player)
    if isinstance(index, Refusal):
        return index
    in_draw = (*state.still_drawing, *(name for name, _ in state.drawn))
    if in_draw and event.player not in in_draw:
        text = f"the draw is between {', '.join(in_draw)}, and {event.player} is out of it"
        return refuse("not_drawing", text)
    return _with_starter(state, event.player)


# The deal


def deal(state: GameState, event: Dealt) -> Outcome:
    """The first turn, everybody with the tiles of the deal.

    Refuses as `deal_hands` does, and with `no_upcard`: no tile is turned over.
    """
    if event.upcard is not None:
        return refuse("no_upcard", f"no tile is turned over in {state.rules.preset}")
    dealt = deal_hands(state, event.hands)
    if isinstance(dealt, Refusal) or dealt.starter is None:
        return dealt
    return begin_turn(dealt, dealt.starter)


def deal_hands(state: GameState, hands: tuple[tuple[str, Tiles], ...]) -> Outcome:
    """The game with the tiles of the deal on the racks; hands that are not given are not known.

    Refuses with `wrong_phase`, `unknown_player`, `named_twice`, `wrong_count`, `wrong_deck`,
    `too_many_copies`, `start_tile_missing` where what was drawn for the start stays in the hand.
    """
    wrong = check_phase(state, Phase.DEAL) or check_given(state, hands)
    if wrong is not None:
        return wrong
    each = state.rules.deal.tiles_for(len(state.seats))
    given = dict(hands)
    for name, hand in hands:
        if len(hand) != each:
            text = f"{name} has {len(hand)} {state.rules.equipment.pieces}, and {each} are dealt"
            return refuse("wrong_count", text)
        kept = Counter(tile for player, tile in state.kept if player == name)
        if missing := kept - Counter(hand):
            text = f"{next(iter(missing)).spoken} was drawn for the start and is not {name}'s"
            return refuse("start_tile_missing", text)
    elsewhere = (tile for name, tile in state.kept if name not in given)
    wrong = check_pieces(state.rules, chain(*given.values(), elsewhere))
    if wrong is not None:
        return wrong
    seats = tuple(
        replace(
            seat, held=each, rack=tuple(sorted(given[seat.name])) if seat.name in given else None
        )
        for seat in state.seats
    )
    return replace(state, seats=seats, pool=state.pool - each * len(seats), kept=())


def check_given(state: GameState, given: tuple[tuple[str, object], ...]) -> Refusal | None:
    """A refusal unless what is told is of players, of each once: `unknown_player`, `named_twice`."""
    names = [name for name, _ in given]
    for name in names:
        index = index_of(state, name)
        if isinstance(index, Refusal):
            return index
        if names.count(name) > 1:
            return refuse("named_twice", f"the tiles of {name} are given twice")
    return None
