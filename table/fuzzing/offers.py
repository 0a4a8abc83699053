"""What may happen next in a game, with every tile told: the first offer that applies is taken."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, permutations
from typing import Final, Literal, NamedTuple

from engine.board_plays import play_there_was_on, plays_on_board
from engine.game.card_player import next_event, wants_to_buy
from engine.game.cards_pile import top_discard
from engine.game.events import (
    Board,
    CalledOut,
    CardBought,
    CardTaken,
    Claimed,
    Dealt,
    Discarded,
    DrawnForStart,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    GameEvent,
    HandsShown,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    StarterNamed,
    Tiles,
    TimeRanOut,
)
from engine.game.fold import apply
from engine.game.penalties import is_late
from engine.game.possible_events import possible_events
from engine.game.seats import order_from
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.game.tokens import claims_are_frozen, lines_of_board
from engine.layout import GridLayout, Layout
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.solver import Play, SolverError, any_play, best_opening, best_play
from table.fuzzing.plain_referee import PlainReferee, rows_of
from table.fuzzing.players import TilePlayer
from table.fuzzing.world import World

_THINKS: Final = 0.04
"""How often a player who sees nothing to play asks the solver."""
_MOST_WITH_JOKERS: Final = 8
"""Tiles of a rack up to which the best play is looked for where jokers lie: with more it takes long."""
_CLAIMS: Final = 0.3
_BUYS: Final = 0.4
_HOLDS_BACK: Final = 0.15
_DECISIONS: Final[tuple[Literal["stands", "taken_back"] | None, ...]] = (
    None,
    "stands",
    "taken_back",
    "taken_back",
)
_SECONDS: Final = (None, 0.0, 8, 52.5, 119.5)


class Offer(NamedTuple):
    """Something that may happen."""

    event: GameEvent
    must: bool = False
    """Whether the rules let it happen for certain."""


class Offers:
    """What may happen in one game."""

    def __init__(self, chance: random.Random, *, in_time: bool = False) -> None:
        """``in_time``: nobody takes longer for a turn than the rules give."""
        self._chance, self._in_time = chance, in_time
        styles = [TilePlayer(chance, greedy=True), TilePlayer(chance, greedy=False)]
        self._players = [chance.choice(styles) for _ in range(6)]
        self._thought: tuple[GameState, Board | None] | None = None
        """The state that was thought about last, and what came of it."""
        self._without_play: dict[Tiles, tuple[RuleSet, Layout]] = {}
        """Racks that cannot play, each with the rules and the table by which they could not."""
        self._goes_on: tuple[RuleSet, Board, tuple[int, ...]] | None = None
        """The rules, the table and the sizes of the racks with which somebody can still play."""

    def of(self, state: GameState, world: World, referee: PlainReferee) -> Iterator[Offer]:
        """What may happen, the likeliest first."""
        if state.phase is Phase.START:
            yield from self._starts(state, world)
        elif state.phase is Phase.DEAL:
            yield Offer(self._deal(state, world), must=True)
        elif state.phase is Phase.ROUND_OVER:
            hands = tuple((seat.name, world.rack(seat.name)) for seat in state.seats)
            yield Offer(HandsShown(hands), must=True)
        elif state.rules.contracts is not None:
            yield from self._card_turn(state, world)
        else:
            yield from self._tile_turn(state, world, referee)

    # Before a round

    def _starts(self, state: GameState, world: World) -> Iterator[Offer]:
        names = state.still_drawing or tuple(seat.name for seat in state.seats)
        in_draw = (*state.still_drawing, *(name for name, _ in state.drawn)) or names
        by_tile = DrawnForStart in possible_events(state)
        if by_tile and (state.drawn or self._chance.random() < 0.6):
            left = list(world.pool)
            for _, tile in (*state.drawn, *state.kept):
                left.remove(tile)
            tiles = self._chance.sample(left, len(names))
            yield Offer(DrawnForStart(tuple(zip(names, tiles, strict=True))), must=True)
        yield Offer(StarterNamed(self._chance.choice(in_draw)), must=True)

    def _deal(self, state: GameState, world: World) -> Dealt:
        left, each = list(world.pool), state.rules.deal.tiles_for(len(state.seats))
        hands = {
            seat.name: [t for name, t in state.kept if name == seat.name] for seat in state.seats
        }
        for hand in hands.values():
            for tile in hand:
                left.remove(tile)
        for hand in hands.values():
            while len(hand) < each:
                hand.append(left.pop())
        upcard = None
        if state.rules.contracts is not None:
            upcard = next(card for card in reversed(left) if not card.is_joker)
        return Dealt(tuple((name, tuple(hand)) for name, hand in hands.items()), upcard)

    # A turn with tiles

    def _tile_turn(self, state: GameState, world: World, referee: PlainReferee) -> Iterator[Offer]:
        assert state.to_move is not None
        seat = state.seats[state.to_move]
        possible = possible_events(state)
        elapsed_s = self._chance.choice(_SECONDS)
        if self._in_time and is_late(state.rules, elapsed_s):
            elapsed_s = None
        if FaultNoticed in possible and self._chance.random() < 0.6:
            yield Offer(FaultNoticed(self._chance.choice(_DECISIONS), seat.name))
        if CalledOut in possible and self._chance.random() < 0.7:
            out = self._chance.choice([item.name for item in state.seats if item.held == 0])
            yield Offer(CalledOut(out), must=True)
        if Claimed in possible and self._chance.random() < _CLAIMS:
            yield from self._claims(state, seat)
        board = self.board_after(state, world, referee)
        if board is not None:
            yield Offer(self._played(state, seat, board, world, elapsed_s))
        if not state.pool or self._chance.random() < _THINKS:
            yield from self._solved(state, seat, world)
        yield from self._without_playing(state, seat, world, elapsed_s, referee)

    def board_after(self, state: GameState, world: World, referee: PlainReferee) -> Board | None:
        """How the player to move would leave the table; None for without playing."""
        if self._thought is None or self._thought[0] is not state:
            assert state.to_move is not None
            seat, player = state.seats[state.to_move], self._players[state.to_move]
            rack = world.rack(seat.name)
            board = player.board_after(state.table, rack, referee, opened=seat.opened)
            self._thought = state, board
        return self._thought[1]

    def _played(
        self, state: GameState, seat: Seat, board: Board, world: World, elapsed_s: float | None
    ) -> Played:
        """A play; now and then the rack that is left is told."""
        rack = None
        if self._chance.random() < 0.05:
            left = world.racks[seat.name] + Counter(state.table.tiles) - Counter(board.tiles)
            rack = tuple(sorted(left.elements()))
        if is_late(state.rules, elapsed_s):
            elapsed_s = None
        return Played(seat.name, board, rack, elapsed_s)

    def _claims(self, state: GameState, seat: Seat) -> Iterator[Offer]:
        """A set of the board claimed, most often the one that brings nearest to the target."""
        lines = [line for line in lines_of_board(state.table) if len(line) > 2]
        if not lines:
            return
        target, scores = state.rules.score.target or 0, state.scores
        own = 0 if scores is None else int(scores.totals[seat.name])
        self._chance.shuffle(lines)
        if self._chance.random() < 0.7:
            lines.sort(key=lambda line: abs(target - own - sum(t.rank or 0 for t in line)))
        fresh = self._chance.choice([None, False, True])
        for line in lines[:4]:
            yield Offer(Claimed(seat.name, line, self._chance.choice(_SECONDS), fresh))
        yield Offer(Claimed(seat.name, lines[0], None, fresh=True))

    def _solved(
        self, state: GameState, seat: Seat, world: World, *, patiently: bool = False
    ) -> Iterator[Offer]:
        """The best play there is, or any where that takes its time, if the solver knows one: it promises
        that the referee agrees, but knows nothing of sets that may not be taken apart for a claim."""
        if not isinstance(state.table, Layout):
            return
        rules, rack = state.rules, world.rack(seat.name)
        try:
            if not seat.opened and rules.opening.kind == "points":
                points, sets = best_opening(rack, rules)
                if sets.melds and points >= rules.opening.points:
                    yield Offer(Played(seat.name, Layout((*state.table.melds, *sets.melds))))
                return
            found = self._play(state.table, rack, rules, patiently=patiently or not state.pool)
        except SolverError:
            return
        if found is not None:
            must = state.unsettled is None and not claims_are_frozen(state)
            yield Offer(Played(seat.name, found.table_after), must=must)

    def _play(self, table: Layout, rack: Tiles, rules: RuleSet, *, patiently: bool) -> Play | None:
        """A play of somebody who may play on any set; patiently, whatever time it takes to find one."""
        if self._without_play.get(rack) == (rules, table):
            return None
        slow = len(rack) > _MOST_WITH_JOKERS and any(tile.is_joker for tile in table.tiles)
        if slow and not patiently:
            return None
        found = (any_play if slow else _best_play)(table, rack, rules)
        if found is None:
            self._without_play[rack] = rules, table
        return found

    def _without_playing(
        self,
        state: GameState,
        seat: Seat,
        world: World,
        elapsed_s: float | None,
        referee: PlainReferee,
    ) -> Iterator[Offer]:
        possible = possible_events(state)
        drew = self._draw(state, seat, world, elapsed_s)
        if Drew in possible:
            yield Offer(drew)
        if EverybodyDrew in possible:
            yield Offer(self._everybody(state, world), must=True)
        stops = PlayStopped in possible and state.rules.pool_out.end == "no_more_plays"
        simple = isinstance(state.table, GridLayout) or all(seat.opened for seat in state.seats)
        now = state.rules, state.table, tuple(item.held for item in state.seats)
        if stops and now != self._goes_on:
            if simple or all(map(referee.is_set, rows_of(state.table))):
                yield Offer(PlayStopped())
            self._goes_on = now
        if stops and isinstance(state.table, GridLayout) and seat.opened:
            # Whoever plays by rule of thumb may not see the play for which the game goes on.
            after = play_there_was_on(seat.rack or (), state.table, state.rules).after
            if after is not None:
                yield Offer(Played(seat.name, after))
        passed = Passed(seat.name, elapsed_s)
        if Passed in possible:
            yield Offer(passed)
        # Where everybody who can play must, a play that players by rule of thumb do not see is shown.
        yield from self._solved(state, seat, world, patiently=True)
        for event in (drew, passed):
            outcome = apply(state, event)
            if isinstance(outcome, Refusal) and outcome.ruling is not None:
                yield from self._obliged(state, seat, outcome.ruling.findings[0].tiles)

    def _draw(self, state: GameState, seat: Seat, world: World, elapsed_s: float | None) -> Drew:
        rules = state.rules.draw
        two = rules.two_players == "draw2_return1" and len(state.seats) == 2
        clock = state.rules.timeout
        if elapsed_s is not None and 0 < clock.limit_s < elapsed_s and clock.penalty > rules.tiles:
            pays = clock.penalty <= state.pool or state.rules.misplay.partial
            due = clock.penalty if pays else rules.tiles
            return Drew(seat.name, world.next_tiles(min(due, state.pool)), None, elapsed_s)
        tiles = world.next_tiles(min(rules.tiles + two, state.pool))
        if len(tiles) <= rules.tiles:
            return Drew(seat.name, tiles, None, elapsed_s)
        own = () if rules.two_return == "blind" else world.rack(seat.name)
        return Drew(seat.name, tiles, self._chance.choice((*own, *tiles)), elapsed_s)

    def _everybody(self, state: GameState, world: World) -> EverybodyDrew:
        assert state.to_move is not None
        left, drawn = list(world.pool), []
        for index in order_from(state, state.to_move):
            count = min(state.rules.draw.tiles, len(left))
            drawn.append((state.seats[index].name, tuple(left.pop() for _ in range(count))))
        return EverybodyDrew(tuple(drawn))

    def _obliged(self, state: GameState, seat: Seat, tiles: Tiles) -> Iterator[Offer]:
        """The play that the referee names to a player who may not do without: a set, or an addition."""
        if isinstance(state.table, GridLayout):
            yield from self._obliged_on_board(state, seat, state.table, tiles)
            return
        if not tiles:
            return
        melds = state.table.melds
        if len(tiles) > 1:
            for row in permutations(tiles):
                yield Offer(Played(seat.name, Layout((*melds, Meld(row)))))
        for number, meld in enumerate(melds):
            for row in ((*meld.tiles, *tiles), (*tiles, *meld.tiles)):
                after = (*melds[:number], Meld(row), *melds[number + 1 :])
                yield Offer(Played(seat.name, Layout(after)))

    def _obliged_on_board(
        self, state: GameState, seat: Seat, board: GridLayout, tiles: Tiles
    ) -> Iterator[Offer]:
        """As `_obliged`: whoever is told to play can."""
        rack, rules = seat.rack or (), state.rules
        simple = (play.after for play in plays_on_board(rack, board, rules) if play.tiles == tiles)
        other = (play_there_was_on(rack, board, rules, joker=only).after for only in (False, True))
        boards = (after for after in chain(simple, other) if after is not None)
        taken = Counter(board.tiles) + Counter(tiles)
        found = next(after for after in boards if Counter(after.tiles) == taken)
        yield Offer(Played(seat.name, found), must=state.unsettled is None)

    # What comes to nothing

    def failing(self, state: GameState, board: Board | None) -> GameEvent:
        """An unsuccessful play, or the end of the time, over a board or over an untouched one."""
        assert state.to_move is not None
        name = state.seats[state.to_move].name
        if TimeRanOut in possible_events(state) and self._chance.random() < 0.5:
            return TimeRanOut(name, board)
        return Misplayed(name, board, None, self._chance.choice(_SECONDS))

    def paid(self, event: GameEvent, state: GameState, world: World) -> GameEvent | None:
        """The event with the tiles that it costs; None for one that is refused."""
        outcome = apply(state, event)
        if isinstance(outcome, Refusal):
            return None
        due = state.pool - outcome.pool if outcome.round == state.round else 0
        if not isinstance(event, Misplayed | TimeRanOut):
            return event
        return replace(event, drawn=world.next_tiles(max(0, due)))

    # A turn with cards

    def _card_turn(self, state: GameState, world: World) -> Iterator[Offer]:
        """What the card game's own player does who sees all hands; others sometimes hold cards back."""
        assert state.to_move is not None
        seats = tuple(replace(seat, rack=world.rack(seat.name)) for seat in state.seats)
        seen = replace(state, seats=seats, discards=tuple(world.pile))
        name = state.seats[state.to_move].name
        if state.phase is Phase.TURN:
            if state.unsettled is not None and self._chance.random() < 0.6:
                yield Offer(FaultNoticed(self._chance.choice(_DECISIONS), name))
            event = next_event(seen)
            if isinstance(event, CardTaken) and event.source == "deck":
                yield from self._bought(seen, world)
                event = replace(event, card=world.pool[-1])
            yield Offer(event, must=True)
            return
        hand = list(world.rack(name))
        self._chance.shuffle(hand)
        if self._chance.random() < _HOLDS_BACK:
            yield from (Offer(Discarded(name, card)) for card in hand[:2])
        settled = not state.rules.is_open("run.wrap") and state.unsettled is None
        discard = state.rules.discard
        opened = state.seats[state.to_move].opened
        # AMB-42: before laying down nothing can be played, and every card of the hand may be banned.
        has_one = opened or discard is None or discard.playable_ban != "any"
        yield Offer(next_event(seen), must=settled and has_one)
        yield from (Offer(Discarded(name, card)) for card in hand)
        yield Offer(Discarded(name, hand[0], overruled_by="undo"), must=True)

    def _bought(self, seen: GameState, world: World) -> Iterator[Offer]:
        """The buy that happens before the next player takes a card, where anybody wants to."""
        assert seen.to_move is not None
        top = top_discard(seen)
        if seen.discard_dead or top is None or self._chance.random() > _BUYS:
            return
        others = order_from(seen, seen.to_move)[1:]
        callers = [seen.seats[index].name for index in others if wants_to_buy(seen, index)]
        for name in callers:
            rest = tuple(other for other in callers if other != name)
            yield Offer(CardBought(name, rest, world.next_tiles(1)))


def _best_play(table: Layout, rack: Tiles, rules: RuleSet) -> Play | None:
    """The play of most tiles; None where none can be played."""
    found = best_play(table, rack, rules, free_jokers=False)
    return found if found is not None and found.placed else None
