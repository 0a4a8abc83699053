"""Positions in play: the one that a game has come to, and the turn that one leads to."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.game.events import Board, Tiles
from engine.game.position import MOVING, Place, Position, TokensOn
from engine.game.state import GameState, Phase
from engine.game.text_errors import AmbiguousError, IllegalError
from engine.game.token_places import ways_to_lie
from engine.game.tokens import line_of, lines_of_board
from engine.layout import GridLayout, Layout
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.turns import LEAST_PLAYERS, Claim, RecordedTurn, Turn


def position_of(state: GameState, elapsed_s: float | None = None) -> Position:
    """The position that a game has come to, `elapsed_s` seconds into the turn.

    It holds the racks as the game knows them; `Position.without_racks` is for other eyes.
    """
    rules = state.rules
    totals = None if state.scores is None else state.scores.totals
    names = [seat.name for seat in state.seats]
    places = tuple(
        Place(
            seat.name,
            seat.held if seat.rack is None else seat.rack,
            seat.opened,
            None if rules.buys is None else seat.buys,
            None if totals is None else totals[seat.name],
        )
        for seat in state.seats
    )
    laid = tuple(TokensOn(item.player, item.level, item.meld) for item in state.tokens)
    return Position(
        preset=rules.preset,
        table=state.table,
        places=places,
        house_rules=chosen_in(rules),
        round=state.round,
        game=None if rules.tournament is None else state.game,
        turn=state.turn,
        phase=state.phase,
        starter=None if state.starter is None else names[state.starter],
        to_move=None if state.to_move is None else names[state.to_move],
        tokens=None if rules.claims is None else laid,
        pool=state.pool,
        discard=None if rules.discard is None else state.discards[-1:],
        discard_dead=state.discard_dead and bool(state.discards),
        elapsed_s=elapsed_s,
    )


def chosen_in(rules: RuleSet) -> dict[str, str | int]:
    """The switches that a table has chosen, by name in alphabetical order, as `house:` holds them."""
    texts = {
        name: rules.switches[name].print(rules.value_of(name)) for name in sorted(rules.chosen)
    }
    return {name: int(text) if text.isdigit() else text for name, text in texts.items()}


def turn_from(
    position: Position,
    after: Board,
    *,
    rack_after: Tiles | None = None,
    elapsed_s: float | None = None,
    claims: tuple[Meld, ...] = (),
    discard: Tiles | None = None,
) -> RecordedTurn:
    """The turn in which the player to move leaves the table so: what `judge` needs, with the rules.

    A rack after it that is not given is worked out where the one before is known, for a turn in which
    nothing was drawn. Hands are left out where they are no matter: of a claim, and in the card game once
    a card has been drawn. Without `elapsed_s` the turn took what the position says.

    Raises AmbiguousError where it is not known who is to move, for a claim where the tokens on the board
    are not known, and for one of a set that lies there twice and has tokens. Raises IllegalError where
    nobody is to move, and for sets where the game is played in a grid, or the other way round.
    """
    rules = position.rules()
    _check_form(position, after, rules)
    mover = _mover(position)
    rack = mover.rack if mover is not None and isinstance(mover.rack, tuple) else None
    if claims or (rules.contracts is not None and position.phase is Phase.PLAY):
        rack = rack_after = None
    elif rack is not None and rack_after is None:
        rack_after = _left(rack, position.table, after, discard or ())
    turn = Turn(
        before=Layout(),
        after=Layout(),
        rack_before=rack,
        rack_after=rack_after,
        opened=None if mover is None else mover.opened,
        elapsed_s=position.elapsed_s if elapsed_s is None else elapsed_s,
        pool_empty=position.pool == 0,
        players=len(position.places) if len(position.places) >= LEAST_PLAYERS else None,
        claims=None
        if rules.claims is None
        else tuple(_claim(position, after, meld) for meld in claims),
        round=(position.round or None) if rules.contracts is not None else None,
        discard=discard,
    )
    if isinstance(after, GridLayout) and isinstance(position.table, GridLayout):
        turn = turn.with_grid(position.table, after)
    elif isinstance(after, Layout) and isinstance(position.table, Layout):
        turn = replace(turn, before=position.table, after=after)
    return RecordedTurn(position.preset, turn, position.house_rules)


def _check_form(position: Position, after: Board, rules: RuleSet) -> None:
    in_grid = rules.table.form == "grid"
    if (
        isinstance(after, GridLayout) != in_grid
        or isinstance(position.table, GridLayout) != in_grid
    ):
        how = "in a grid" if in_grid else "in sets that lie apart"
        raise IllegalError(f"{position.preset} is played {how} here")


def _mover(position: Position) -> Place | None:
    """The player to move; None where it is not known who plays at all."""
    if position.phase not in (None, *MOVING):
        raise IllegalError(f"nobody is to move in the phase {position.phase}")
    if position.to_move is None and position.places:
        names = tuple(place.name for place in position.places)
        raise AmbiguousError("it is not known who is to move", names)
    return position.mover


def _left(rack: Tiles, before: Board, after: Board, discard: Tiles) -> Tiles | None:
    """The rack after a turn in which nothing was drawn; None where it cannot have been that."""
    left = Counter(rack)
    left.subtract((*after.tiles, *discard))
    left.update(before.tiles)
    if min(left.values(), default=0) < 0:
        return None
    return tuple(sorted(left.elements()))


def _claim(position: Position, after: Board, meld: Meld) -> Claim:
    """A claim of a set, with whose tokens lie on it already."""
    if position.tokens is None:
        levels = ("never", "once", "twice", "three times")
        raise AmbiguousError(f"it is not known how often {meld} was claimed before", levels)
    covered = _covered(position.tokens, after, meld)
    level = max((item.level for item in covered), default=0)
    own = bool(covered) and all(item.player == position.to_move for item in covered)
    return Claim(meld, level, own)


def _covered(tokens: tuple[TokensOn, ...], board: Board, meld: Meld) -> list[TokensOn]:
    """The tokens that lie on a set of the board; none where it does not lie there."""
    lines = lines_of_board(board)
    here = line_of(meld, lines)
    if here is None:
        return []
    ways = ways_to_lie([item.meld for item in tokens], lines, here)
    first, *others = ([tokens[n] for n in way.tiles] for way in ways)
    for other in others:
        if Counter(map(str, other)) != Counter(map(str, first)):
            times = sum(line.tiles in (meld.tiles, meld.tiles[::-1]) for line in lines)
            there = f"lies there {times} times" if times > 1 else "has tiles that lie there twice"
            candidates = ("the one with tokens", "the one without")
            raise AmbiguousError(f"the set {meld} {there}", candidates)
    return first
