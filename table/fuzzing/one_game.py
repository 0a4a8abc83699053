"""One game played from its beginning, with everything that is tried and checked on the way."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import Final

from engine.faults import Verdict
from engine.game.cards import contract_of
from engine.game.digest import digest
from engine.game.events import (
    Board,
    Claimed,
    Corrected,
    Discarded,
    Drew,
    GameEvent,
    HandsShown,
    HouseRuleChosen,
    Passed,
    Played,
    TimeRanOut,
    Undone,
)
from engine.game.fold import Game, apply
from engine.game.position import MOVING
from engine.game.positions import position_of, turn_from
from engine.game.possible_events import possible_events
from engine.game.state import GameState, Phase, Refusal
from engine.referee import judge
from engine.turns import RecordedTurn, parse_turn
from table.fuzzing.checks import (
    check_buzzer,
    check_claims,
    check_conservation,
    check_defaults,
    check_position,
    check_record,
    check_round_score,
    check_tiles,
    check_turn,
    hold,
    is_new_round,
)
from table.fuzzing.offers import Offers
from table.fuzzing.plain_referee import PlainReferee
from table.fuzzing.seating import any_value, seated
from table.fuzzing.tally import Tally
from table.fuzzing.world import BrokenError, World
from table.fuzzing.wrong_moves import Spoiler

# How often something is done, in a turn or after an event; records in a game.
_SPOILS: Final = 0.5
_SPOILS_THROUGH_THE_GAME: Final = 0.06
_SPEAKS_OUT_OF_TURN: Final = 0.04
_FAILS: Final = 0.04
_OVERRULES: Final = 0.006
_CHOOSES: Final = 0.002
_TAKES_BACK: Final = 0.03
_CORRECTS: Final = 0.002
_LINES: Final = 0.02
_RECORDS: Final = 0.12
_DIGESTS: Final = 0.03
_BUZZERS: Final = 0.1
_DEFAULTS: Final = 0.05
_MENDS: Final = 0.01
_MENDS_SLOWLY: Final = 0.001
"""Mending takes a second, not some milliseconds, on boards and where whoever can play must."""

_NOT_OF_THE_REFEREE: Final = frozenset(
    {"claim_frozen", "too_many_copies", "wrong_count", "not_held"}
)
"""Refusals of a play that have nothing to do with what the plain referee looks at."""


class OneGame:
    """A game with its world, its players, and whoever disturbs it."""

    def __init__(self, preset: str, seed: int, number: int) -> None:
        self._chance = random.Random(f"{preset} {seed} {number}")
        self._aside = random.Random(f"{preset} {seed} {number} aside")
        """For what is looked at and leaves the game as it is."""
        self._seating = seated(preset, self._chance)
        self._offers = Offers(self._chance)
        self.tally = Tally()
        self.trying: GameEvent = self._seating.begun
        begun = Game.begin(self._seating.begun)
        assert isinstance(begun, Game), begun
        self.game = begun
        self._new_world()
        self._new_rules()

    @property
    def _state(self) -> GameState:
        return self.game.state

    def _new_world(self) -> None:
        names = tuple(seat.name for seat in self._state.seats)
        self._world = World(names, self._state.rules, self._chance)

    def _new_rules(self) -> None:
        self._referee = PlainReferee(self._state.rules, contract_of(self._state))

    def _often(self, chance: float) -> bool:
        return self._chance.random() < chance

    def play(self, most_turns: int) -> None:
        """Play until the game is over, or so many turns. Raises BrokenError."""
        self.tally.games += 1
        while self._state.phase is not Phase.GAME_OVER and self.tally.turns < most_turns:
            if self._state.phase in MOVING:
                self._disturb()
            self._go_on()
        self.tally.whole_games += self._state.phase is Phase.GAME_OVER
        if self._often(_RECORDS):
            self.tally.checks["record"] += 1
            check_record(self.game)

    def _go_on(self) -> None:
        """What happens next, if anything does."""
        if self._state.phase is Phase.GAME_OVER:
            return
        for offer in self._offers.of(self._state, self._world, self._referee):
            told = self._seating.told(offer.event, self._state, self._chance)
            refusal = self._try(told, offer.event)
            if refusal is None:
                return
            hold(not offer.must, f"refused, and it applies: {refusal.code} {refusal.reason}")
        raise BrokenError(f"nobody can go on in the phase {self._state.phase}")

    # Events

    def _try(self, told: GameEvent, truth: GameEvent) -> Refusal | None:
        """Tell the game an event, and check all there is to check; None where it applied."""
        self.trying, before = told, self.game
        expected = self._expected(told)
        if isinstance(told, Played) and expected is not None:
            self._end_the_time(told, expected)
        careful = self._often(_DIGESTS)
        was = digest(before.state) if careful else ""
        rules = before.state.rules
        slowly = rules.table.form == "grid" or rules.draw.must_play != "off"
        mends = self._often(_MENDS_SLOWLY if slowly else _MENDS)
        after = before.after(told, with_repairs=mends)
        if careful:
            hold(digest(before.state) == was, "a state was changed")
        if isinstance(after, Refusal):
            self._refused(after, expected)
            return after
        kind = type(told)
        hold(kind in possible_events(before.state), "this event is not possible, and applied")
        if isinstance(told, Played) and told.overruled_by is None:
            self._agree(Verdict.LEGAL, expected)
        if isinstance(told, Played | Discarded | Claimed) and not getattr(
            told, "overruled_by", None
        ):
            self.tally.rulings[Verdict.LEGAL] += 1
        self.tally.events[kind.__name__] += 1
        self.game = after
        if self._aside.random() < _DEFAULTS:
            self.tally.checks["defaults"] += 1
            check_defaults(before.state, told, after.state)
        self._follow(before.state, truth)
        self._look_back(before, told)
        return None

    def _refused(self, refusal: Refusal, expected: Verdict | None) -> None:
        self.tally.refusals[refusal.code] += 1
        hold(
            (refusal.ruling is not None) == (refusal.code in ("illegal", "ask")),
            "no ruling is told",
        )
        if refusal.ruling is not None:
            self.tally.rulings[refusal.ruling.verdict] += 1
            self._agree(refusal.ruling.verdict, expected)
        else:
            known = expected is not Verdict.LEGAL or refusal.code in _NOT_OF_THE_REFEREE
            hold(known, f"a legal play is refused: {refusal.code} {refusal.reason}")

    def _agree(self, verdict: Verdict, expected: Verdict | None) -> None:
        """The referee says what the plain one says, where that one can tell."""
        if expected is not None:
            self.tally.agreed += 1
            hold(verdict is expected, f"ruled {verdict}, and by the plain rules it is {expected}")

    def _expected(self, event: GameEvent) -> Verdict | None:
        """What the plain referee says of a play of the player to move."""
        state = self._state
        if not isinstance(event, Played) or event.overruled_by is not None:
            return None
        if state.to_move is None or state.seats[state.to_move].name != event.player:
            return None
        if state.rules.contracts is not None and state.phase is not Phase.PLAY:
            return None
        return self._verdict_on(event.after, event.elapsed_s)

    def _end_the_time(self, play: Played, verdict: Verdict) -> None:
        """Now and then: what it came to if the time ended over that board. The game stays as it is."""
        before = self._state
        if self._aside.random() >= _BUZZERS or TimeRanOut not in possible_events(before):
            return
        after = apply(before, TimeRanOut(play.player, play.after))
        if isinstance(after, Refusal):
            known = verdict is not Verdict.LEGAL or after.code in _NOT_OF_THE_REFEREE
            hold(known, f"the end of the time over a legal play is refused: {after.reason}")
            return
        self.tally.checks["end of the time"] += 1
        check_buzzer(before, after, play.after, verdict)

    def _verdict_on(
        self, after: Board, elapsed_s: float | None = None, *, hand_told: bool = True
    ) -> Verdict | None:
        state = self._state
        assert state.to_move is not None
        seat = state.seats[state.to_move]
        rack = seat.rack if hand_told else None
        return self._referee.verdict(
            state.table,
            after,
            rack,
            opened=seat.opened,
            elapsed_s=elapsed_s,
            let_stand=[meld.tiles for meld in state.let_stand],
        )

    def _follow(self, before: GameState, truth: GameEvent) -> None:
        """The world after an event, held against the game."""
        after = self._state
        new_round = is_new_round(before, after)
        if not new_round:
            self._world.follow(truth, after)
        if after.rules is not before.rules or new_round:
            self._new_rules()
        check_turn(before, after)
        check_claims(before, after)
        if before.phase in MOVING and (after.turn != before.turn or after.phase not in MOVING):
            self.tally.turns += 1
        if isinstance(truth, HandsShown):
            check_round_score(before, after)
        if new_round or after.phase in (Phase.ROUND_OVER, Phase.GAME_OVER):
            check_conservation(self._world)
        if new_round or after.phase is Phase.GAME_OVER:
            self.tally.rounds += 1
            self._new_world()
        elif after.phase not in (Phase.START, Phase.DEAL):
            check_tiles(after, self._world)

    def _look_back(self, before: Game, told: GameEvent) -> None:
        """Now and then the last event is taken back and told again, or an earlier one told anew."""
        now = self.game
        if self._often(_TAKES_BACK):
            self.tally.checks["undo"] += 1
            undone = now.after(Undone("Ada"))
            hold(isinstance(undone, Game), "the last event cannot be taken back")
            assert isinstance(undone, Game)
            hold(undone.state == before.state, "taken back, the game is another than before")
            again = undone.after(told)
            hold(isinstance(again, Game), "taken back, the event does not apply again")
            assert isinstance(again, Game)
            hold(again.state == now.state, "told again, the event comes to another state")
            self.game = self._chance.choice([now, again])
        if self._often(_CORRECTS):
            self._correct()
        if self._often(_LINES):
            self.tally.checks["position"] += 1
            check_position(self._state)

    def _correct(self) -> None:
        """An earlier turn took a little less time, and was no less late: everything else stays."""
        number, event = self._chance.choice(self.game.standing)
        if not isinstance(event, Drew | Passed) or event.elapsed_s is None:
            return
        self.tally.checks["correction"] += 1
        corrected = Corrected(
            number, replace(event, elapsed_s=max(0.0, event.elapsed_s - 0.25)), "Ada"
        )
        after = self.game.after(corrected)
        hold(isinstance(after, Game), f"a correction does not apply: {after}")
        assert isinstance(after, Game)
        hold(digest(after.state) == digest(self._state), "a correction of a time changed the state")
        self.game = after

    # Disturbances

    def _disturb(self) -> None:
        """What players try that may not be, or that comes to nothing."""
        if self._often(_SPEAKS_OUT_OF_TURN):
            self._speak_out_of_turn()
        if self._often(_CHOOSES):
            switches = dict(self._state.rules.switches)
            for name in ("equipment.pieces", "table.form", "players.most"):
                switches.pop(name, None)
            switch = self._chance.choice([*switches.values()])
            choice = HouseRuleChosen(switch.name, any_value(switch, self._chance), "Ada")
            self._try(choice, choice)
        while self._state.phase in MOVING and self._often(_SPOILS):
            if not self._try_spoiled():
                break

    def _speak_out_of_turn(self) -> None:
        """Events that cannot be: of somebody else, of nobody, of another game, or for another time."""
        state = self._state
        assert state.to_move is not None
        other = state.seats[(state.to_move + 1) % len(state.seats)].name
        own = state.seats[state.to_move].name
        board, unseen = state.table, self._chance.choice(sorted(self._world.box))
        events: list[GameEvent] = [
            Drew(other),
            Passed(other),
            Played(other, board),
            Discarded(other, unseen),
            Drew("nobody"),
            HandsShown(),
            self._seating.begun,
            Passed(own, float("nan")),
            Drew(own, (unseen,) * 9),
            Played(own, board, (unseen,) * 99),
            Undone(own) if self.game.length == 1 else Corrected(0, Passed(own)),
            HouseRuleChosen("no.rule", 1),
        ]
        event = self._chance.choice(events)
        refusal = self._try(event, event)
        hold(refusal is not None, "what cannot be applied")

    def _try_spoiled(self) -> bool:
        """A board with something wrong about it, judged and sometimes left; True to try another one."""
        state, world = self._state, self._world
        assert state.to_move is not None
        name = state.seats[state.to_move].name
        own = world.rack(name)
        others = tuple(
            chain(world.pool, *(world.racks[n].elements() for n in world.racks if n != name))
        )
        good = None
        if state.rules.contracts is None and self._often(0.5):
            good = self._offers.board_after(state, world, self._referee)
        spoiler = Spoiler(self._chance, own, others, state.table)
        found = spoiler.spoiled(good or state.table)
        if found is None or (state.rules.contracts is not None and state.phase is not Phase.PLAY):
            return False
        what, board = found
        self.trying = event = Played(name, board)
        if not Counter(board.tiles) - self._world.table:
            # As a turn it may be legal, where a draw or a pass is; as a play it is none.
            refusal = self._try(event, event)
            hold(refusal is not None, "nothing was played, and it applies")
            return True
        verdict = self._judged(board, what)
        possible = self._can_lay(name, board)
        if possible and self._often(_FAILS):
            self._fail(event)
        elif possible and self._often(_OVERRULES):
            event = replace(event, overruled_by="Ada")
            self._try(event, event)
        elif self._often(_SPOILS_THROUGH_THE_GAME) and (
            possible or (verdict is not Verdict.LEGAL and self._is_judged_whole(state))
        ):
            refusal = self._try(event, event)
            code = "" if refusal is None else refusal.code
            same = (refusal is None) == (verdict is Verdict.LEGAL) or code in _NOT_OF_THE_REFEREE
            hold(
                same or not self._is_judged_whole(state),
                f"judged {verdict} by itself, and in the game {code or 'it applies'}",
            )
        else:
            return True
        return False

    def _is_judged_whole(self, state: GameState) -> bool:
        """Whether the game looks at the whole table when it judges a play: one of cards leaves out what
        was let stand and is no set."""
        return state.rules.contracts is None or self._referee.is_lawful(state.table)

    def _judged(self, board: Board, what: str) -> Verdict:
        """What the referee says of leaving the table so, held against the plain referee."""
        position = position_of(self._state)
        turn: RecordedTurn = turn_from(position, board)
        if self._often(_LINES):
            self.tally.checks["turn"] += 1
            hold(parse_turn(str(turn)) == turn, "another turn is read than was written")
        verdict = judge(turn.turn, self._state.rules, with_repairs=False).verdict
        self.tally.tried[what] += 1
        self.tally.rulings[verdict] += 1
        self._agree(verdict, self._verdict_on(board, hand_told=turn.turn.rack_before is not None))
        return verdict

    def _can_lay(self, name: str, board: Board) -> bool:
        """Whether the player really has the tiles for that."""
        return Counter(board.tiles) - self._world.table <= self._world.racks[name]

    def _fail(self, event: Played) -> None:
        """The board is put back and paid for, unless it was legal after all."""
        board = self._chance.choice([event.after, None])
        truth = self._offers.paid(
            self._offers.failing(self._state, board), self._state, self._world
        )
        if truth is not None:
            self._try(self._seating.told(truth, self._state, self._chance), truth)
