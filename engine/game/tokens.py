"""Tokens on the sets of the board: claiming, hijacking and locking them, and what they count.

A claim is known by the tiles that carry its tokens. Tokens travel with their tiles; once the set is
broken up the claim lapses, or every tile goes on counting by itself, as the table plays (AMB-35). Where
the same tiles lie in two sets, `engine.game.token_places` knows in which of them a claim can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from engine.faults import Fault, Verdict
from engine.game.events import Board, Claimed, Tiles
from engine.game.judging import check_time, refuse_ruling, turn_of
from engine.game.rounds import end_round
from engine.game.score_sheet import is_won, with_live_scores
from engine.game.seats import Outcome, begin_turn, check_pieces, mover, next_index, refuse
from engine.game.state import GameState, Refusal, Tokens
from engine.game.token_places import Way, ways_to_lie, with_room
from engine.layout import GridLayout
from engine.melds import Meld
from engine.rule_sections import Claims
from engine.ruleset import RuleSet
from engine.scoring import Claim as ScoredClaim
from engine.scoring import ScoringError, score_claims
from engine.tiles import Tile
from engine.turns import Claim
from engine.verdicts import judge_for

_CLAIM_FAULTS: Final = (
    Fault.CLAIM_NO_SET
    | Fault.CLAIM_TWO_SETS
    | Fault.CLAIM_LOCKED
    | Fault.CLAIM_OWN_SET
    | Fault.CLAIM_BEFORE_OPENING
)
"""What the referee can find wrong with a claim; a table that stands may have other faults."""


@dataclass(frozen=True, slots=True)
class _Covered:
    """Tokens beneath a new claim: those of a whole claim, or of some of its tiles that lay apart."""

    tokens: Tokens
    tiles: Counter[Tile]

    @property
    def beneath(self) -> tuple[tuple[str, int], ...]:
        """Whose tokens lie on those tiles, from the bottom, and how many; no more than tiles a layer."""
        count = self.tiles.total()
        layers = (*self.tokens.under, (self.tokens.player, len(self.tokens.meld)))
        return tuple((name, min(laid, count)) for name, laid in layers)

    @property
    def rest(self) -> Tokens | None:
        """What is left of the claim; None where nothing is."""
        now, rest = Counter(self.tiles), list[Tile]()
        for tile in self.tokens.meld:
            if now[tile]:
                now[tile] -= 1
            else:
                rest.append(tile)
        if not rest:
            return None
        naturals = sum(tile.rank or 0 for tile in self.tokens.meld)
        joker = self.tokens.points - naturals if any(tile.is_joker for tile in rest) else 0
        count = self.tiles.total()
        return replace(
            self.tokens,
            meld=Meld.of(rest),
            points=joker + sum(tile.rank or 0 for tile in rest),
            under=tuple((name, laid - count) for name, laid in self.tokens.under if laid > count),
        )


def lines_of_board(board: Board) -> tuple[Meld, ...]:
    """What can be a set on the board: its melds, or the lines of a grid, both ways (R2-19)."""
    return board.lines() if isinstance(board, GridLayout) else board.melds


def claim(state: GameState, event: Claimed) -> Outcome:
    """The game after a set of the board was claimed, which is a turn (R2-11).

    A claim that is refused by every answer is not asked about. Refuses with `no_claims`, `wrong_phase`,
    `unknown_player`, `not_your_turn`, `bad_time`, `illegal`, `ask`, `which_set`, `no_fresh_set`,
    `no_tokens`, `no_locks`, `cannot_be_scored`.
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
    level = 1 + max((part.tokens.level for part in covered), default=0)
    own = bool(covered) and all(part.tokens.player == event.player for part in covered)
    wrong = _check_ruling(state, index, event, Claim(event.meld, level - 1, own))
    if wrong is None or wrong.code == "ask":
        wrong = _check_supply(state, rules, event, level) or wrong
    if wrong is not None:
        return wrong
    left = list(state.tokens)
    for part in covered:
        left.remove(part.tokens)
    rest = tuple(part.rest for part in covered if part.rest is not None)
    under = tuple(pair for part in covered for pair in part.beneath)
    points = _worth(state, event.player, event.meld)
    if isinstance(points, Refusal):
        return points
    laid = Tokens(event.player, event.meld, level, points, under)
    claimed = with_live_scores(replace(state, tokens=(*left, *rest, laid), passes=0))
    if is_won(claimed):
        return end_round(claimed, None)
    return begin_turn(claimed, next_index(claimed, index))


def _check_ruling(state: GameState, index: int, event: Claimed, told: Claim) -> Refusal | None:
    """A refusal where the referee finds a fault with the claim, or has to ask first (AMB-37)."""
    # Racks are left out: whether the player could play instead is no matter of a claim.
    turn = turn_of(state, index, state.table, None, None, event.elapsed_s, (told,))
    ruling = judge_for(turn, state.rules, _CLAIM_FAULTS)
    return None if ruling.verdict is Verdict.LEGAL else refuse_ruling(ruling)


def _worth(state: GameState, player: str, meld: Meld) -> int | Refusal:
    """The points of a set as it lies."""
    names = tuple(seat.name for seat in state.seats)
    try:
        _, (claimed,) = score_claims(names, [ScoredClaim(player, (meld,))], None, state.rules)
    except ScoringError as error:
        return refuse("cannot_be_scored", str(error))
    return claimed.points


def _covered(state: GameState, event: Claimed) -> tuple[_Covered, ...] | Refusal:
    """The tokens that a claim is laid on."""
    lines = lines_of_board(state.table)
    here = line_of(event.meld, lines)
    if here is None:
        return ()
    ways = ways_to_lie([tokens.meld for tokens in state.tokens], lines, here)
    way = _meant(ways, state.tokens, event)
    if isinstance(way, Refusal):
        return way
    found = [_Covered(state.tokens[n], tiles) for n, tiles in way.tiles.items()]
    found.sort(key=lambda part: (part.tokens.player == event.player, -part.tokens.level))
    return tuple(found)


def line_of(meld: Meld, lines: tuple[Meld, ...]) -> int | None:
    """The first line of these tiles, by its index, told from either side."""
    told = (meld.tiles, meld.tiles[::-1])
    return next((at for at, line in enumerate(lines) if line.tiles in told), None)


def _meant(ways: tuple[Way, ...], claims: tuple[Tokens, ...], event: Claimed) -> Way | Refusal:
    """The one of several ways in which tokens may lie on a set that is meant, or `which_set`."""
    if event.fresh:
        text = f"every set {event.meld} on the board has tokens on it already"
        return next((way for way in ways if not way.whole), refuse("no_fresh_set", text))
    ranks = [_rank(tokens, event) for tokens in claims]
    last = ((2,),)  # more claims before fewer that are the same
    best = min(ways, key=lambda way: (*sorted(ranks[n] for n in way.whole), *last))
    there = [Counter(claims[n] for n in way.whole) for way in (best, *ways)]
    other = next((other for other in there if other != there[0]), None)
    if event.fresh is None and other is not None:
        (doubtful, *_) = (*(there[0] - other), *(other - there[0]))
        text = f"the set {event.meld} may be the one with tokens on {doubtful.meld}, or another"
        return refuse("which_set", text)
    return best


def _rank(tokens: Tokens, event: Claimed) -> tuple[int, ...]:
    """First tokens that lie in the order of the set, then those of others, then of a higher level."""
    in_order = any(
        _lies_within(tokens.meld.tiles, tiles)
        for tiles in (event.meld.tiles, event.meld.tiles[::-1])
    )
    return (not in_order, tokens.player == event.player, -tokens.level)


def _lies_within(tiles: Tiles, line: Tiles) -> bool:
    """Whether tiles lie in a line in this order, with others between them or not."""
    left = iter(line)
    return all(tile in left for tile in tiles)


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


def claims_are_frozen(state: GameState) -> bool:
    """Whether sets lie there that have to stay as they are because somebody claimed them (AMB-35)."""
    claims = state.rules.claims
    return claims is not None and claims.frozen and bool(state.tokens)


def standing(state: GameState, table: Board) -> tuple[Tokens, ...]:
    """The claims that stand when the board lies so."""
    return those_that_stand(state.tokens, table, state.rules)


def those_that_stand(
    claims: tuple[Tokens, ...], table: Board, rules: RuleSet
) -> tuple[Tokens, ...]:
    """The claims whose tiles all lie in one set that has room for them beside earlier ones (AMB-35).

    Where every tile counts by itself, what lies on the board of each; a tile that a table let somebody
    take away has no token any more.
    """
    if rules.claims is None:
        return claims
    if rules.claims.model == "per_tile":
        return tuple(_on_the_board(claims, lines_of_board(table)))
    kept = with_room([tokens.meld for tokens in claims], lines_of_board(table))
    return tuple(claims[n] for n in kept)


def _on_the_board(claims: Iterable[Tokens], lines: Iterable[Meld]) -> Iterator[Tokens]:
    """What is left of each claim with the tiles of these lines, those claimed first served first."""
    there = Counter(chain.from_iterable(line.tiles for line in lines))
    for tokens in claims:
        wanted = Counter(tokens.meld.tiles)
        lacking, there = wanted - there, there - wanted
        left = _Covered(tokens, lacking).rest if lacking else tokens
        if left is not None:
            yield left
