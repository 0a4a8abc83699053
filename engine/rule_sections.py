"""The parts of a game's rules, each a small table of values.

Every field is a value of a preset file in `engine/rules`, where it names the rule it comes from. A
field with a default is one that most games do not have or do not change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from engine.tiles import Tile

_SUITS: Final = 4
"""Colours of tiles, and suits of cards."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """What the game is played with."""

    pieces: Literal["tiles", "cards"]
    ranks: int
    copies: int
    """How often each numbered tile exists."""
    jokers: int

    def copies_of(self, tile: Tile) -> int:
        """How many of this tile, or card, the game has."""
        return self.jokers if tile.is_joker else self.copies


@dataclass(frozen=True, slots=True)
class Players:
    """How many may play."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Deal:
    """How many tiles each player starts with."""

    each: tuple[tuple[int, int], ...]
    """Pairs of number of players and tiles for each of them."""
    beyond: Literal["refuse", "share"] = "refuse"
    """More players than the pairs name: not allowed, or 60 tiles shared, at least 7 each (AMB-01)."""

    def tiles_for(self, players: int) -> int:
        """Tiles for each of that many players.

        Raises ValueError where the rules deal to no such number.
        """
        dealt = dict(self.each)
        if players in dealt:
            return dealt[players]
        if self.beyond == "share" and players > max(dealt):
            return max(7, 60 // players)
        numbers = ", ".join(map(str, dealt))
        raise ValueError(f"the deal is given for {numbers} players, not for {players}")


@dataclass(frozen=True, slots=True)
class Start:
    """Who begins, and which way play goes."""

    by: Literal["highest", "lowest", "random", "left_of_dealer"]
    direction: Literal["clockwise", "counterclockwise"]
    returned: bool = True
    """Whether the tiles drawn for the start go back and are mixed (AMB-05)."""
    joker: Literal["redraw", "highest", "lowest"] = "redraw"
    """What a joker is in the draw for the start: nothing, so its player draws again, or 30, or 0."""
    tie: Literal["tied_redraw", "all_redraw"] = "tied_redraw"
    """Who draws again when the best is there twice (AMB-06)."""
    next_round: Literal["draw", "rotate"] = "draw"
    """Who begins the next round: by a new draw, or the next player in the direction of play."""


@dataclass(frozen=True, slots=True)
class Table:
    """How sets lie."""

    form: Literal["sets", "grid"]
    connected: bool = False
    """On a grid: whether all tiles hang together."""
    rearranged: bool = True
    """Whether sets on the table may be split and recombined."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run is."""

    least: int
    most: int
    wrap: Literal["none", "high_or_low", "full"]
    """Whether 1 may follow 13: never, as the last tile, or anywhere."""
    order: Literal["laid", "any"]
    """Whether the tiles must rise or fall as they lie."""


@dataclass(frozen=True, slots=True)
class Group:
    """What a group is."""

    least: int
    most: int
    duplicates: bool
    """Whether a suit may come twice."""

    @property
    def largest(self) -> int:
        """How many tiles a group has at most: where no suit may come twice no more than there are."""
        return self.most if self.duplicates else min(self.most, _SUITS)


@dataclass(frozen=True, slots=True)
class Opening:
    """What a player's first play has to be."""

    kind: Literal["points", "starter_set", "contract", "none"]
    points: int
    source: Literal["rack_sets", "any"]
    same_turn_extension: bool
    """Whether the opening turn may go on to build on other sets."""
    obligatory: bool = False
    """Whether a player who can make the first set of the round must."""
    short_penalty: Literal["misplay", "none"] = "misplay"
    """What laying too few points costs: as much as an unsuccessful play, or nothing (AMB-27)."""


@dataclass(frozen=True, slots=True)
class Joker:
    """What jokers may do."""

    rack_value: int
    max_per_set: int
    identity: Literal["position", "free"]
    replace_from: Literal["rack", "any"]
    group3: Literal["either", "both"]
    reuse: Literal["new_set_2_rack", "any_set", "hand"]
    before_opening: bool
    freeze: Literal["none", "no_split", "full"]
    free_removal: bool
    ambiguous_value: Literal["max", "position"]
    no_hoarding: Literal["off", "advise", "enforce"] = "off"
    in_group: Literal["replaceable", "locked"] = "replaceable"
    shift: Literal["retrieval", "addition"] = "retrieval"
    """What it is when a tile takes a joker's place and the joker moves along in the same set: the
    joker retrieved and used again, or a tile added to a set that holds a joker (AMB-17)."""
    group3_two: Literal["each", "together"] = "each"
    """What frees two jokers beside one tile in a group: any missing colour one of them, or all three
    together both (AMB-13)."""
    naturals: Literal["one", "as_many"] = "one"
    """How many other tiles a set with jokers needs: one, or as many as jokers (AMB-43)."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What drawing is."""

    tiles: int
    then_play: bool
    two_players: Literal["same", "draw2_return1"] = "same"
    two_return: Literal["secret", "shown", "blind"] = "secret"
    """How two players return one of two tiles: chosen and hidden, chosen and shown, or not looked at
    (AMB-20)."""
    must_play: Literal["off", "pool_empty", "always"] = "off"
    """When a player who can play may not draw or pass instead (AMB-18)."""


@dataclass(frozen=True, slots=True)
class Timeout:
    """The clock of a turn."""

    limit_s: int
    """0 when there is none."""
    penalty: int
    legal_layout: Literal["rollback", "at_buzzer", "stands"]
    """Whether what is legal stands when the time is over: never, as it lay at the buzzer, or however
    late (AMB-22). Of a turn that went on longer nobody can say how the table lay at the buzzer."""
    loose_tiles: Literal["own", "all_loose"] = "own"
    """Which loose tiles go to the rack of a player out of time: their own, or all (AMB-21)."""
    when_changed: Literal["timeout", "misplay"] = "timeout"
    """What it costs when the time ends over a changed table: this penalty, or that of a misplay."""


@dataclass(frozen=True, slots=True)
class Misplay:
    """What an unsuccessful play costs."""

    restore: bool
    penalty: int
    when: Literal["always", "timeout"] = "always"
    cumulative: bool = False
    """Whether the penalties for time and for an unsuccessful play add up (AMB-22)."""
    partial: bool = True
    """Whether a pool with fewer tiles than the penalty pays what it has (AMB-25)."""
    late: Literal["arbitrate", "rollback"] = "arbitrate"
    """What happens to a fault noticed only after the next player began (AMB-26)."""


@dataclass(frozen=True, slots=True)
class PoolOut:
    """What happens when the pool is finished."""

    end: Literal["no_more_plays", "all_pass", "reshuffle_once"]
    score: Literal["difference", "count_tiles", "as_held", "claims"]
    tie: Literal["share", "first_in_turn", "void"]
    reshuffle: Literal["all_but_top", "all"] = "all_but_top"
    """Which discards become the new pool, where there is one (AMB-45)."""


@dataclass(frozen=True, slots=True)
class Finish:
    """What ends a round."""

    by: Literal["empty_rack", "discard", "target"]
    call_required: bool = False
    """Whether an empty rack counts only once it is called out (AMB-28)."""


@dataclass(frozen=True, slots=True)
class Score:
    """How rounds and games are scored."""

    kind: Literal["zero_sum", "tiles_left", "card_points", "claims"]
    winner: Literal["highest", "lowest", "closest"]
    target: int | None = None
    """Points that end the game; None when the players agree on them."""
    rounds: int | None = None
    """How many rounds a game has; None when `ends` says otherwise, or the players agree."""
    ends: Literal["target", "rounds", "one_game", "tournament"] = "target"
    """What ends the game: a total that reaches the target, a number of rounds, the only round, or the
    rounds of a tournament."""
    rounds_by: Literal["fixed", "players", "agreed"] = "fixed"
    """Where the number of rounds comes from: `rounds`, one for each player, or what players agree,
    which is one for each player until they do (AMB-32)."""
    rounds_two_players: int | None = None
    """The number of rounds for two players where it is another."""
    target_mode: Literal["exact", "at_least"] = "exact"
    """Where points are claimed: whether only the very target ends the game (AMB-34)."""
    tie: Literal["shared", "extra_round"] = "shared"
    """What equal totals come to (AMB-33)."""
    card_points: tuple[tuple[int, int], ...] = ()
    """Pairs of rank (1 the ace, 13 the king) and points, where cards count other than their number."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Tokens on sets, for the game that is scored by claiming them."""

    levels: tuple[str, ...]
    per_turn: int
    requires_opening: bool
    model: Literal["per_set", "per_tile"] = "per_set"
    """Whether a claim counts the set's tiles that carry its token as long as they lie in one set, or
    each tile by itself (AMB-35)."""
    frozen: bool = False
    """Whether a claimed set may not be rearranged (AMB-35)."""
    tokens: int = 0
    """Tokens of each player; 0 for as many as are needed (AMB-37)."""
    locks: Literal["borrow", "own"] = "borrow"
    """Whether a player without a lock token may use another's (AMB-37)."""
    reclaim_own: bool = False
    """Whether a player may claim a set that is theirs already (AMB-37)."""


@dataclass(frozen=True, slots=True)
class Contracts:
    """What has to be laid down in each round, for the card game."""

    rounds: tuple[tuple[int, int], ...]
    """Pairs of groups and runs, a pair a round."""
    exact: bool
    """Whether the sets laid down may hold no more cards than they need (AMB-47)."""
    order: Literal["rising", "family"] = "rising"
    """Three sets as the fourth contract, so that the number of cards rises, or as the sixth (AMB-39)."""
    extra: bool = False
    """Whether more sets than the contract may be laid."""

    @property
    def in_order(self) -> tuple[tuple[int, int], ...]:
        """The contracts as this table plays them, a pair of groups and runs a round."""
        if self.order == "rising" or (3, 0) not in self.rounds:
            return self.rounds
        others = [pair for pair in self.rounds if pair != (3, 0)]
        return (*others[:-1], (3, 0), others[-1])

    def of_round(self, number: int) -> tuple[int, int]:
        """How many groups and runs a round asks for, counted from 1; extra rounds ask for the last."""
        return self.in_order[min(number, len(self.rounds)) - 1]


@dataclass(frozen=True, slots=True)
class Buys:
    """Buying a discard out of turn, for the card game."""

    most: int
    cards: int
    """Cards a buy brings into the hand: the discard and those from the deck."""
    laid_down: bool = True
    """Whether a player who has laid down may buy (AMB-46)."""
    floating: bool = False
    """Whether a player without cards may (AMB-46)."""
    first_upcard: bool = True
    """Whether the card turned over at the start may be bought (AMB-46)."""
    discarder: bool = False
    """Whether a player may buy back the own discard (AMB-46)."""


@dataclass(frozen=True, slots=True)
class Discard:
    """What may be discarded, for the card game."""

    playable_ban: Literal["laid_down", "any", "off"]
    ends_round: bool


@dataclass(frozen=True, slots=True)
class Tournament:
    """Rounds of several games, for the tournament rules."""

    rounds: int
    games: int
    """Games in a round."""
    order: tuple[str, ...]
    """What decides a round: the most of the first, where equal of the next."""
    overall: Literal["rounds", "games"] = "rounds"
    """What decides the tournament: rounds won, then games, then points; or games, then points
    (AMB-36)."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What a player may be told during a game."""

    allowed: bool = True
    """Whether players may ask for a play."""
