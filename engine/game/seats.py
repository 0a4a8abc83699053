"""What every step of a game needs: whose turn it is, what seats hold, and whether tiles can be there.

A step is a function from a state and an event to the next state or a refusal. The steps of the tile
games and of the card game share these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, TypeAlias

from engine.faults import Ruling
from engine.game.events import Tiles
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.ruleset import RuleSet
from engine.tiles import TILE_SUITS, Tile

Outcome: TypeAlias = GameState | Refusal
"""What a step gives: the next state, or why there is none."""

Step: TypeAlias = Callable[..., Outcome]
"""What an event of one kind does to a state, both given in this order. Never raises for an event of its
kind, whatever the state. The steps of plays and discards also take `with_repairs`."""

_WAITED_FOR: Final = {
    Phase.START: "somebody has to be found who begins the round",
    Phase.DEAL: "the deal comes next",
    Phase.TURN: "a turn has just begun",
    Phase.PLAY: "the player to move has drawn already",
    Phase.ROUND_OVER: "the round is over and hands are to be shown",
    Phase.GAME_OVER: "the game is over",
}


def refuse(code: str, reason: str, ruling: Ruling | None = None) -> Refusal:
    """The refusal with that code; its reason made a sentence."""
    return Refusal(f"{reason[0].upper()}{reason[1:]}.", code, ruling)


def check_phase(state: GameState, *phases: Phase) -> Refusal | None:
    """A refusal (`wrong_phase`) unless the game is in one of these phases."""
    if state.phase in phases:
        return None
    return refuse("wrong_phase", f"this cannot happen now: {_WAITED_FOR[state.phase]}")


def index_of(state: GameState, player: str) -> int | Refusal:
    """The index of a player's seat, or a refusal (`unknown_player`)."""
    names = [seat.name for seat in state.seats]
    if player in names:
        return names.index(player)
    return refuse("unknown_player", f"there is no player {player!r}; there are {', '.join(names)}")


def mover(state: GameState, player: str, *phases: Phase) -> int | Refusal:
    """The index of the player's seat when it is that player's turn (G-09), in one of these phases.

    Without phases the turn has to be at its beginning. Refuses with `wrong_phase`, `unknown_player`,
    `not_your_turn`.
    """
    wrong = check_phase(state, *(phases or (Phase.TURN,)))
    if wrong is not None:
        return wrong
    index = index_of(state, player)
    if isinstance(index, Refusal):
        return index
    if index != state.to_move:
        turn = "nobody's" if state.to_move is None else f"{state.seats[state.to_move].name}'s"
        return refuse("not_your_turn", f"it is {turn} turn, not {player}'s")
    return index


def next_index(state: GameState, index: int) -> int:
    """The seat that plays after that one, in the direction of play."""
    step = 1 if state.rules.start.direction == "clockwise" else -1
    return (index + step) % len(state.seats)


def order_from(state: GameState, index: int) -> tuple[int, ...]:
    """All seats in the order of turns, from that one."""
    order = [index]
    while len(order) < len(state.seats):
        order.append(next_index(state, order[-1]))
    return tuple(order)


def begin_turn(state: GameState, index: int, *, passes: int | None = None) -> GameState:
    """The game when the turn of a seat begins, after so many turns that passed; as many as before where
    that is not given."""
    passed = state.passes if passes is None else passes
    return replace(state, phase=Phase.TURN, turn=state.turn + 1, to_move=index, passes=passed)


def with_seat(state: GameState, index: int, seat: Seat) -> GameState:
    """The game with another seat in that place."""
    return replace(state, seats=(*state.seats[:index], seat, *state.seats[index + 1 :]))


def gained(seat: Seat, count: int, tiles: Tiles | None) -> Seat:
    """The seat with so many tiles more; `tiles` are they, None where nobody saw them.

    Raises ValueError when the tiles are not so many.
    """
    if tiles is not None and len(tiles) != count:
        raise ValueError(f"{len(tiles)} tiles are given for {count}")
    rack = seat.rack
    if count:
        rack = None if rack is None or tiles is None else tuple(sorted((*rack, *tiles)))
    return replace(seat, held=seat.held + count, rack=rack)


def lost(seat: Seat, tiles: Tiles) -> Seat | None:
    """The seat without these tiles; None when it cannot have held them."""
    if len(tiles) > seat.held:
        return None
    rack = seat.rack
    if rack is not None:
        left = Counter(rack)
        left.subtract(tiles)
        if min(left.values(), default=0) < 0:
            return None
        rack = tuple(sorted(left.elements()))
    return replace(seat, held=seat.held - len(tiles), rack=rack)


def pieces_of(rules: RuleSet) -> int:
    """How many tiles or cards the game has."""
    equipment = rules.equipment
    return len(TILE_SUITS) * equipment.ranks * equipment.copies + equipment.jokers


def known_pieces(state: GameState) -> Counter[Tile]:
    """Every tile whose place is known: on the table, on racks that are known, among the discards."""
    counts = Counter(state.table.tiles)
    counts.update(state.discards)
    for seat in state.seats:
        counts.update(seat.rack or ())
    return counts


def check_pieces(rules: RuleSet, tiles: Iterable[Tile]) -> Refusal | None:
    """A refusal for tiles that cannot be there together.

    `wrong_deck` for a card among tiles or the other way round, `too_many_copies` for more of a tile
    than the game has (G-04).
    """
    equipment, counts = rules.equipment, Counter(tiles)
    cards = equipment.pieces == "cards"

    wrong = (
        tile
        for tile, count in counts.items()
        if tile.is_card != cards or count > equipment.copies_of(tile)
    )
    tile = min(wrong, default=None)
    if tile is None:
        return None
    if tile.is_card != cards:
        what = "card" if tile.is_card else "tile"
        played = f"{rules.preset} is played with {equipment.pieces} here"
        return refuse("wrong_deck", f"{tile} is a {what}, and {played}")
    text = (
        f"{tile} ({tile.spoken}) would be there {counts[tile]} times, and the game has "
        f"{equipment.copies_of(tile)}"
    )
    return refuse("too_many_copies", text)


def checked(state: GameState) -> Outcome:
    """The state itself, or a refusal where its known tiles cannot be there together."""
    return check_pieces(state.rules, known_pieces(state).elements()) or state
