"""Claims at a live table: which sets may be claimed now, and whose tokens lie on which.

The camera does not see tokens. Who claims a set says which one it is, of those that lie on the board
of the game; nothing is taken for a claim that nobody told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.game.events import Board, Claimed
from engine.game.fold import Game
from engine.game.possible_events import possible_events
from engine.game.state import GameState, Refusal, Tokens
from engine.game.tokens import lines_of_board, standing
from engine.melds import Meld
from engine.referee import Question
from engine.rule_sections import Claims
from engine.scoring import Claim as ScoredClaim
from engine.scoring import ScoringError, score_claims
from engine.wording import count_of, listed
from table.game_on_table import GameOnTable, asked_by

_WHICH_SIDE: Final = {
    "blank": "the blank side up",
    "two": "the side with the 2 up",
    "blank+lock": "the blank side up, and a lock on the first of them",
}
"""How tokens are laid at each level, by the words of ``claims.levels`` (R2-22 to R2-24)."""


@dataclass(frozen=True, slots=True)
class ClaimedSet:
    """Tokens that lie on a set."""

    player: str
    """Whose set it is."""
    set: str
    """The tiles that carry the tokens, in notation."""
    where: str | None
    """The set of the board in which they lie, in notation; None where it may be one of several, or where
    they lie apart."""
    points: int
    level: int
    word: str
    """``claimed``, ``hijacked`` or ``locked``."""
    beneath: tuple[str, ...]
    """Whose tokens lie beneath, from the bottom."""


@dataclass(frozen=True, slots=True)
class ClaimChoice:
    """A set that the player to move may claim now, or why not."""

    set: str
    """The whole set as it lies, in notation."""
    fresh: bool | None
    """Of two equal sets of which one has tokens: whether it is the other; None where nobody asks."""
    label: str
    """What the claim is called, such as ``Hijack from Ben``."""
    points: int | None
    """What it is worth; None where it is no set."""
    tokens: str
    """How the tokens are laid, in a sentence."""
    refused: str
    """Why it may not be claimed, in a sentence; empty where it may, and where that is asked."""
    question: Question | None
    """The house rule that has to be chosen before it may be told whether it may be claimed (AMB-37);
    None where nobody is asked."""


@dataclass(frozen=True, slots=True)
class ClaimsView:
    """The claims of a game as pages show them."""

    target: int | None
    """The points that win; None where nothing does."""
    exactly: bool
    """Whether only just as many points win at once."""
    claimed: tuple[ClaimedSet, ...]
    choices: tuple[ClaimChoice, ...]
    """Every set of the board, for the player to move; empty where nothing can be claimed now."""


def claims_view(on_table: GameOnTable) -> ClaimsView | None:
    """The claims of the game; None where none is under way, or it is played without claims."""
    state = on_table.state
    if state is None or state.rules.claims is None:
        return None
    levels = len(state.rules.claims.levels)
    return ClaimsView(
        state.rules.score.target,
        state.rules.score.target_mode == "exact",
        tuple(_claimed(state, tokens, levels) for tokens in state.tokens),
        tuple(claim_choices(on_table)),
    )


def claim_choices(on_table: GameOnTable) -> Iterator[ClaimChoice]:
    """Every set of the board once, with what its claim would be for the player to move.

    They are those of the table of the game, so they lie there when it lies as the turn began.
    """
    game, mover = on_table.game, on_table.mover
    if game is None or mover is None or Claimed not in possible_events(game.state):
        return
    rules = game.state.rules.claims
    assert rules is not None, "a claim is possible"
    for line in _different(lines_of_board(game.state.table)):
        first = _claim(game, Claimed(mover.name, line))
        if isinstance(first, Game) or first.code != "which_set":
            yield _choice(game, rules, Claimed(mover.name, line), first)
            continue
        for fresh in (False, True):
            event = Claimed(mover.name, line, fresh=fresh)
            outcome = _claim(game, event)
            if isinstance(outcome, Game) or outcome.code != "no_fresh_set":
                yield _choice(game, rules, event, outcome)


def claims_given_up(state: GameState, after: Board) -> str:
    """Which claims end when the board is left so (AMB-35), and who gets tokens back, in sentences; empty
    where none does."""
    left = Counter(standing(state, after))
    ended: list[Tokens] = []
    for tokens in state.tokens:
        if left[tokens]:
            left[tokens] -= 1
        else:
            ended.append(tokens)
    return " ".join(
        f"{tokens.player}'s claim of {tokens.meld} ends with it: the tokens go back to "
        f"{listed(_owners(tokens))}."
        for tokens in ended
    )


def _claim(game: Game, event: Claimed) -> Game | Refusal:
    return game.after(event, with_repairs=False)


def _different(lines: Iterable[Meld]) -> Iterator[Meld]:
    """Each line once, from whichever side it is read."""
    seen: set[tuple[object, ...]] = set()
    for line in lines:
        if line.tiles not in seen:
            seen |= {line.tiles, line.tiles[::-1]}
            yield line


def _choice(game: Game, rules: Claims, event: Claimed, outcome: Game | Refusal) -> ClaimChoice:
    state = game.state
    asked = asked_by(outcome)
    refused = outcome.reason if isinstance(outcome, Refusal) and asked is None else ""
    covered = () if event.fresh else _covered(state, event.meld, outcome)
    level = min(len(rules.levels), 1 + max((tokens.level for tokens in covered), default=0))
    others = {tokens.player for tokens in covered} - {event.player}
    names = tuple(seat.name for seat in state.seats if seat.name in others)
    return ClaimChoice(
        set=str(event.meld),
        fresh=event.fresh,
        label=_label(rules, level, names),
        points=_worth(state, event),
        tokens=_tokens_in_words(rules, level, event),
        refused=refused,
        question=asked,
    )


def questions_of_claims(on_table: GameOnTable) -> Iterator[Question]:
    """The questions that claims of the player to move wait for; none where no game is under way."""
    for choice in claim_choices(on_table):
        if choice.question is not None:
            yield choice.question


def _label(rules: Claims, level: int, others: tuple[str, ...]) -> str:
    if level == 1:
        return "Claim"
    hijack = f"Hijack from {listed(others)}" if others else "Claim again"
    return f"{hijack} and lock" if level == len(rules.levels) else hijack


def _tokens_in_words(rules: Claims, level: int, event: Claimed) -> str:
    there = " on top of those there" if level > 1 else ""
    side = _WHICH_SIDE[rules.levels[level - 1]]
    tiles = count_of(len(event.meld), "tile")
    return f"{event.player} lays a token on each of its {tiles}{there}, {side}."


def _worth(state: GameState, event: Claimed) -> int | None:
    names = tuple(seat.name for seat in state.seats)
    claim = ScoredClaim(event.player, (event.meld,))
    try:
        _, (claimed,) = score_claims(names, [claim], None, state.rules)
    except ScoringError:
        return None  # no set; the referee says so in the refusal
    return claimed.points


def _claimed(state: GameState, tokens: Tokens, levels: int) -> ClaimedSet:
    needed = Counter(tokens.meld)
    hosts = [line for line in lines_of_board(state.table) if needed <= Counter(line)]
    word = "claimed" if tokens.level == 1 else "hijacked"
    return ClaimedSet(
        player=tokens.player,
        set=str(tokens.meld),
        where=str(hosts[0]) if len(hosts) == 1 else None,
        points=tokens.points,
        level=tokens.level,
        word="locked" if tokens.level >= levels else word,
        beneath=tuple(name for name, _ in tokens.under),
    )


def _covered(state: GameState, meld: Meld, outcome: Game | Refusal) -> tuple[Tokens, ...]:
    """The tokens that a claim is laid on; where it cannot be, those that lie in the set alone."""
    if isinstance(outcome, Game) and outcome.state.tokens:
        return tuple((Counter(state.tokens) - Counter(outcome.state.tokens)).elements())
    return tuple(tokens for tokens in state.tokens if Counter(tokens.meld) <= Counter(meld))


def _owners(tokens: Tokens) -> tuple[str, ...]:
    """Whose tokens lie there, those on top first, each once."""
    return tuple(dict.fromkeys((tokens.player, *(name for name, _ in reversed(tokens.under)))))
