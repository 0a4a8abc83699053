"""Tokens on the sets of the board: claiming, hijacking and locking them, and what they count.

A claim is known by the tiles that carry its tokens. Tokens travel with their tiles; once the set is
broken up the claim lapses, or every tile goes on counting by itself, as the table plays (AMB-35).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.faults import Fault
from engine.game.events import Board, Claimed
from engine.game.judging import check_time, judge_turn, refuse_for
from engine.game.rounds import end_round
from engine.game.score_sheet import is_won, with_live_scores
from engine.game.seats import Outcome, begin_turn, check_pieces, mover, next_index, refuse
from engine.game.state import GameState, Refusal, Tokens
from engine.layout import GridLayout
from engine.melds import Meld
from engine.rule_sections import Claims
from engine.scoring import Claim as ScoredClaim
from engine.scoring import ScoringError, score_claims
from engine.tiles import Tile
from engine.turns import Claim

_CLAIM_FAULTS: Final = (
    Fault.CLAIM_NO_SET
    | Fault.CLAIM_TWO_SETS
    | Fault.CLAIM_LOCKED
    | Fault.CLAIM_OWN_SET
    | Fault.CLAIM_BEFORE_OPENING
)
"""What the referee can find wrong with a claim; a table that stands may have other faults."""


def lines_of_board(board: Board) -> tuple[Meld, ...]:
    """What can be a set on the board: its melds, or the lines of a grid, both ways (R2-19)."""
    return board.lines() if isinstance(board, GridLayout) else board.melds


def claim(state: GameState, event: Claimed) -> Outcome:
    """The game after a set of the board was claimed, which is a turn (R2-11).

    Refuses with `no_claims`, `wrong_phase`, `unknown_player`, `not_your_turn`, `bad_time`, `illegal`,
    `which_set`, `no_fresh_set`, `no_tokens`, `no_locks`, `cannot_be_scored`.
    """
    rules = state.rules.claims
    if rules is None:
        return refuse("no_claims", f"{state.rules.preset} is played without claims")
    index = mover(state, event.player)
    if isinstance(index, Refusal):
        return index
    wrong = check_time(event.elapsed_s) or check_pieces(state.rules, event.meld)
    if wrong is not None:
        return wrong
    covered = _covered(state, event)
    if isinstance(covered, Refusal):
        return covered
    level = 1 + max((tokens.level for tokens in covered), default=0)
    own = bool(covered) and all(tokens.player == event.player for tokens in covered)
    told = (Claim(event.meld, level - 1, own),)
    # Racks are left out: whether the player could play instead is no matter of a claim.
    ruling = judge_turn(state, index, state.table, None, None, event.elapsed_s, told)
    wrong = refuse_for(ruling, _CLAIM_FAULTS) or _check_supply(state, rules, event, level)
    if wrong is not None:
        return wrong
    left = list(state.tokens)
    for tokens in covered:
        left.remove(tokens)
    rest = _uncovered(covered, event.meld) if rules.model == "per_tile" else ()
    under = tuple(
        pair for tokens in covered for pair in (*tokens.under, (tokens.player, len(tokens.meld)))
    )
    points = _worth(state, event.player, event.meld)
    if isinstance(points, Refusal):
        return points
    laid = Tokens(event.player, event.meld, level, points, under)
    claimed = with_live_scores(replace(state, tokens=(*left, *rest, laid), passes=0))
    if is_won(claimed):
        return end_round(claimed, None)
    return begin_turn(claimed, next_index(claimed, index))


def _worth(state: GameState, player: str, meld: Meld) -> int | Refusal:
    """The points of a set as it lies."""
    names = tuple(seat.name for seat in state.seats)
    try:
        _, (claimed,) = score_claims(names, [ScoredClaim(player, (meld,))], None, state.rules)
    except ScoringError as error:
        return refuse("cannot_be_scored", str(error))
    return claimed.points


def _covered(state: GameState, event: Claimed) -> tuple[Tokens, ...] | Refusal:
    """The tokens that a claim is laid on."""
    lines = lines_of_board(state.table)
    here = next((at for at, line in enumerate(lines) if _same(line, event.meld)), None)
    if here is None:
        return ()
    if event.fresh and not _lies_free(state, event.meld):
        text = f"every set {event.meld} on the board has tokens on it already"
        return refuse("no_fresh_set", text)
    room, found = Counter(event.meld), []
    hosts = list(zip(state.tokens, _hosts(state.tokens, lines), strict=True))
    hosts.sort(key=lambda pair: (pair[0].player == event.player, -pair[0].level))
    for tokens, places in hosts:
        tiles = Counter(tokens.meld)
        elsewhere = bool(places - {here})
        if not (here in places and tiles <= room if places else tiles & room):
            continue
        if elsewhere and event.fresh is None:
            text = f"the set {event.meld} may be the one with tokens on {tokens.meld}, or another"
            return refuse("which_set", text)
        if elsewhere and event.fresh:
            continue
        room -= tiles
        found.append(tokens)
    return tuple(found)


def _hosts(claims: tuple[Tokens, ...], lines: tuple[Meld, ...]) -> list[set[int]]:
    """For each claim the lines that it may lie in, by their index; none where its tiles lie apart.

    A line that is full of claims that can lie nowhere else is none for others.
    """
    room = [Counter(line) for line in lines]
    needs = [Counter(tokens.meld) for tokens in claims]
    hosts = [{at for at, line in enumerate(room) if tiles <= line} for tiles in needs]
    settled: set[int] = set()
    while True:
        sure = [n for n, places in enumerate(hosts) if len(places) == 1 and n not in settled]
        if not sure:
            return hosts
        settled.add(sure[0])
        (at,) = hosts[sure[0]]
        room[at] -= needs[sure[0]]
        for number, places in enumerate(hosts):
            if len(places) > 1 and not needs[number] <= room[at]:
                places.discard(at)


def _lies_free(state: GameState, meld: Meld) -> bool:
    """Whether one of the sets of these tiles has none with tokens on it."""
    lines = lines_of_board(state.table)
    _, room = _hosted(state.tokens, lines)
    return any(
        _same(line, meld) and Counter(meld) <= left for line, left in zip(lines, room, strict=True)
    )


def _same(line: Meld, meld: Meld) -> bool:
    return meld.tiles in (line.tiles, line.tiles[::-1])


def _uncovered(covered: Iterable[Tokens], meld: Meld) -> tuple[Tokens, ...]:
    """What is left of claims of which only some tiles lie in the set that is claimed now."""
    found = []
    for tokens in covered:
        now = Counter(meld) & Counter(tokens.meld)
        rest: list[Tile] = []
        for tile in tokens.meld:
            if now[tile]:
                now[tile] -= 1
            else:
                rest.append(tile)
        if rest:
            naturals = sum(tile.rank or 0 for tile in tokens.meld)
            joker = tokens.points - naturals if any(tile.is_joker for tile in rest) else 0
            points = joker + sum(tile.rank or 0 for tile in rest)
            found.append(replace(tokens, meld=Meld.of(rest), points=points))
    return tuple(found)


def _check_supply(state: GameState, rules: Claims, event: Claimed, level: int) -> Refusal | None:
    """AMB-37: whether the player has the tokens for a claim, and a lock where it needs one."""
    used = tokens_used(state, event.player)
    if rules.tokens and used + len(event.meld) > rules.tokens:
        left = rules.tokens - used
        text = f"{event.player} has {left} tokens left, and the set needs {len(event.meld)}"
        return refuse("no_tokens", text)
    if level < len(rules.levels) or state.locks is None:
        return None
    locked = [tokens.player for tokens in state.tokens if tokens.level >= len(rules.levels)]
    mine = rules.locks == "own"
    used, there = len(locked), state.locks
    if mine:
        used, there = locked.count(event.player), state.locks // len(state.seats)
    if used >= there:
        whose = f"{event.player} has" if mine else "there are"
        return refuse("no_locks", f"{whose} no lock left, and the third claim of a set needs one")
    return None


def tokens_used(state: GameState, player: str) -> int:
    """How many of a player's tokens lie on the board, those beneath others counted."""
    on_top = sum(len(tokens.meld) for tokens in state.tokens if tokens.player == player)
    beneath = (count for tokens in state.tokens for name, count in tokens.under if name == player)
    return on_top + sum(beneath)


def standing(state: GameState, table: Board) -> tuple[Tokens, ...]:
    """The claims that stand when the board lies so: those whose tiles still lie in one set."""
    rules = state.rules.claims
    if rules is None or rules.model == "per_tile":
        return state.tokens
    return _hosted(state.tokens, lines_of_board(table))[0]


def _hosted(
    claims: tuple[Tokens, ...], lines: tuple[Meld, ...]
) -> tuple[tuple[Tokens, ...], list[Counter[Tile]]]:
    """The claims that have room in a line, each its own, and what is free of every line then."""
    room = [Counter(line) for line in lines]
    found = []
    for tokens in claims:
        tiles = Counter(tokens.meld)
        host = min((line for line in room if tiles <= line), key=Counter.total, default=None)
        if host is not None:
            host.subtract(tiles)
            found.append(tokens)
    return tuple(found), room
