"""The game at a live table, as the fold of what the log holds: who plays, whose turn it is, what stands.

The same events in the same order come to the same, whether they are being written or are read again
after a restart: nothing about a game is kept anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.doubts.table_before import changed_alike
from engine.game.cursor import Cursor
from engine.game.event_lines import FORMS, WHAT_IS_DONE, parse_event, print_event
from engine.game.events import (
    Board,
    Corrected,
    Dealt,
    FaultNoticed,
    GameBegun,
    GameEvent,
    Misplayed,
    Played,
    TimeRanOut,
    Undone,
)
from engine.game.fold import Game, steps_of
from engine.game.position import MOVING
from engine.game.resting import rests_on
from engine.game.state import GameState, Refusal, Seat
from engine.game.text_errors import GameTextError, MalformedError
from engine.layout import Layout
from engine.referee import Question, Turn
from engine.ruleset import HouseRuleError, RuleSet
from engine.undecided import Default
from engine.wording import listed
from table.clock import TurnClock
from table.counted_rounds import is_read
from table.event_log import LoggedEvent
from table.events import (
    ClockSet,
    GameLeft,
    GameResumed,
    GameTold,
    QuestionAnswered,
    RackCorrected,
    RackRead,
    RackTold,
    SessionStarted,
    TableDisarranged,
    TablePutBack,
    TimeOver,
)
from table.forms import parse_board, with_table_before
from table.racks import Rack, corrected, rack_as_read, rack_as_told
from table.wishes import WishRefusedError


@dataclass(frozen=True, slots=True)
class ToldLine:
    """One event of the record, with who told it and when."""

    number: int
    """Its number in the record, from 1."""
    line: str
    at_utc: str
    by: str


@dataclass(frozen=True, slots=True)
class _PutAway:
    """A game that was put away, as it is taken up again."""

    record: tuple[ToldLine, ...]
    racks: dict[tuple[int, int], dict[str, Rack]]
    clock: TurnClock
    """It stands."""
    time_over: TimeOver | None
    dealt: int
    deal_is_taken_back: bool
    is_to_be_put_back: bool
    """Whether its table was yet to be put back then."""
    lay: Board | None
    """What lay there then; None where that is not known."""


KINDS = frozenset(
    event.kind
    for event in (
        SessionStarted,
        QuestionAnswered,
        GameTold,
        GameLeft,
        GameResumed,
        TablePutBack,
        TableDisarranged,
        ClockSet,
        TimeOver,
        RackRead,
        RackTold,
        RackCorrected,
    )
)
"""The events that a game at a table is the fold of, by their words in the log."""

PUT_AWAY = "put away"
"""Who stopped the clock of a game that was put away in the middle of a turn."""


class GameOnTable:
    """The game, its clock and the racks that are being counted. It belongs to one thread."""

    def __init__(self) -> None:
        self.game: Game | None = None
        """The game under way, or over and not yet put away; None where none was begun."""
        self.clock = TurnClock()
        """The clock of the turn under way."""
        self.clock_by = ""
        """Who stopped it, let it go on or gave the time anew last, or ``PUT_AWAY``; empty where nobody
        did."""
        self.session = (0, 0.0)
        """Number and steady clock of the event with which the newest session began."""
        self.time_over: TimeOver | None = None
        """That the time of this turn was over; None while it is not."""
        self.record: list[ToldLine] = []
        """Every event of the game, those that were taken back among them."""
        self.begun_by = 0
        """Number of the event that began the game; 0 without one."""
        self.sequence = 0
        """Number of the newest event that changed what can be said and done; 0 before the first. That a
        clock was stopped or let go on is none: who was about to say something may go on."""
        self.broken = ""
        """Why the game in the log cannot be replayed, in a sentence; empty where it can."""
        self.put_back_by = ""
        """Who said or saw that the table was put back after a turn that came to nothing, or took back
        what came after it; empty while nobody."""
        self.last_s = 0.0
        """Steady clock of the newest event that was taken."""
        self.deal_is_taken_back = False
        """Whether the newest deal was undone: an earlier round goes on, or this one has not begun."""
        self.to_be_laid: Literal["", "taken up", "undone", "disarranged"] = ""
        """Why the table may have to be laid as the game has it, though the newest event came not to
        nothing: the game was put away, the end of a round or what came to nothing was undone, or a turn
        left a table that is to be put back. Empty as soon as something else is told."""
        self.lay_when_put_away: Board | None = None
        """What lay there when a game was put away that is "taken up"; None where that is not known."""
        self._put_away: dict[int, _PutAway] = {}
        self._dealt = 0
        self._racks: dict[tuple[int, int], dict[str, Rack]] = {}
        self._rests: tuple[Game | None, dict[GameEvent, tuple[Default, ...]]] = (None, {})
        self._preset = ""
        self._left: RuleSet | None = None
        """The rules of the game that was put away last since the program was started, while no other
        one was begun: what lies there is judged by them."""
        self._answers: dict[str, dict[str, str | int]] = {}
        self._played_last: dict[str, RuleSet] = {}

    # The fold.

    def add(self, logged: LoggedEvent) -> None:
        """Takes the next event of the log; those that are not about the game change nothing."""
        event = logged.event
        if isinstance(event, SessionStarted):
            # The steady clock of another run counts from elsewhere: what passed between is not counted.
            # How long the turn had taken by then follows as a ``ClockSet``.
            self.clock = self.clock.paused(self.last_s)
            self.session = (logged.sequence, logged.monotonic_s)
            self._preset, self._left = event.rules, None
        elif isinstance(event, QuestionAnswered):
            self._answered(event)
        elif isinstance(event, GameTold):
            self._tell(logged, event)
        elif isinstance(event, GameLeft):
            self._leave(logged, event)
        elif isinstance(event, GameResumed):
            self._resume(logged, event)
        elif isinstance(event, TablePutBack):
            self.put_back_by, self.sequence = event.by, logged.sequence
        elif isinstance(event, TableDisarranged):
            self.to_be_laid, self.put_back_by = "disarranged", ""
            self.sequence = logged.sequence
        elif isinstance(event, ClockSet):
            self._set_clock(event, logged)
        elif isinstance(event, TimeOver):
            self.time_over, self.sequence = event, logged.sequence
        elif isinstance(event, RackRead | RackTold | RackCorrected):
            self._hold(event)
            self.sequence = logged.sequence
        self.last_s = logged.monotonic_s

    def add_all(self, logged: Iterable[LoggedEvent]) -> None:
        """Takes several events of the log, in their order."""
        for item in logged:
            self.add(item)

    def _tell(self, logged: LoggedEvent, told: GameTold) -> None:
        self.sequence = logged.sequence
        before = self.state
        try:
            event = parse_line(told.line)
        except GameTextError as error:
            self._stop(logged, str(error))
            return
        if isinstance(event, GameBegun):
            self._put_this_away(logged)
            after, self.record, before = Game.begin(event), [], None
            self.begun_by, self._racks, self._left = logged.sequence, {}, None
        elif self.game is None:
            return  # what came after a game that cannot be replayed
        else:
            after = self.game.after(event, with_repairs=False)
        if isinstance(after, Refusal):
            self._stop(logged, after.reason)
            return
        last, self.game, self.broken = self.game, after, ""
        self.to_be_laid = ""
        self._played_last[after.state.rules.preset] = after.state.rules
        self.record.append(ToldLine(after.length, told.line, logged.at_utc, told.by))
        self._look_for_the_deal(event)
        self._look_whether_put_back(event, told.by, last)
        self._follow(before, after.state, logged.monotonic_s, _taken_before(event, last))
        if after.state.phase in MOVING and not isinstance(event, Undone):
            self.racks.clear()  # what was told of them holds while the end of the round may be as it was

    def _look_for_the_deal(self, event: GameEvent) -> None:
        assert self.game is not None, "one of its events was told"
        if isinstance(event, GameBegun | Dealt):
            self._dealt, self.deal_is_taken_back = self.game.length, False
        elif isinstance(event, Undone):
            standing = (number for number, _ in self.game.standing)
            self.deal_is_taken_back = self._dealt not in standing

    def _look_whether_put_back(self, event: GameEvent, by: str, last: Game | None) -> None:
        """``last`` is the game before this event. What takes back or corrects another moves no tile."""
        if isinstance(event, Undone) and last is not None and self._may_lie_otherwise(last):
            self.to_be_laid, self.put_back_by = "undone", ""
        elif isinstance(event, Undone):
            self.put_back_by = by
        elif not (isinstance(event, Corrected) and last is not None and _came_to_nothing(last)):
            self.put_back_by = ""

    def _may_lie_otherwise(self, last: Game) -> bool:
        """Whether the table may have been cleared, or put back, since what was taken back: the end of a
        round, or what came to nothing. ``last`` is the game before that."""
        state, was = self.state, last.state
        if state is None or state.phase not in MOVING:
            return False
        is_other_round = (was.round, was.game) != (state.round, state.game)
        return is_other_round or was.phase not in MOVING or _came_to_nothing(last)

    def _stop(self, logged: LoggedEvent, why: str) -> None:
        first = f"the game in the log cannot be replayed from event {logged.sequence} on: {why}"
        self.game, self.broken = None, self.broken or first

    def _follow(
        self, before: GameState | None, after: GameState, now_s: float, taken_s: float
    ) -> None:
        """The clock after an event of the game; a turn that begins then has taken ``taken_s``."""
        if after.phase not in MOVING:
            self.clock, self.clock_by, self.time_over = TurnClock(), "", None
        elif before is None or _turn_of(before) != _turn_of(after):
            self.clock, self.clock_by, self.time_over = TurnClock(taken_s, now_s), "", None

    def _put_this_away(self, logged: LoggedEvent, layout: str | None = None) -> None:
        """Keeps the game under way as it is, to be taken up again; nothing without one. ``layout`` is
        what lies there, in notation."""
        if self.game is not None:
            self._put_away[self.begun_by] = _PutAway(
                tuple(self.record),
                self._racks,
                self.clock.paused(logged.monotonic_s),
                self.time_over,
                self._dealt,
                self.deal_is_taken_back,
                self.was_put_back,
                None if layout is None else parse_board(layout),
            )

    def _resume(self, logged: LoggedEvent, event: GameResumed) -> None:
        self._put_this_away(logged)
        kept = self._put_away.pop(event.game, None)
        if kept is None:
            self._stop(logged, f"no game that event {event.game} began was put away")
            return
        self.game = _replayed(kept.record)
        self.record, self._racks, self.begun_by = list(kept.record), kept.racks, event.game
        self.clock, self.clock_by, self.time_over = kept.clock, PUT_AWAY, kept.time_over
        self._dealt, self.deal_is_taken_back = kept.dealt, kept.deal_is_taken_back
        self.put_back_by, self.broken = "", ""
        self.to_be_laid = "disarranged" if kept.is_to_be_put_back else "taken up"
        self.lay_when_put_away = kept.lay
        self.sequence = logged.sequence

    def _leave(self, logged: LoggedEvent, event: GameLeft) -> None:
        self._put_this_away(logged, event.layout)
        rules = None if self.state is None else self.state.rules
        self._left = None if rules is None or not is_read(rules) else rules
        self.game, self.record, self._racks, self.broken = None, [], {}, ""
        self.to_be_laid = ""
        self.clock, self.clock_by = TurnClock(), ""
        self.time_over, self.sequence = None, logged.sequence

    def _set_clock(self, event: ClockSet, logged: LoggedEvent) -> None:
        self.clock = TurnClock(event.spent_s, None if event.to == "paused" else logged.monotonic_s)
        self.clock_by = event.by
        if event.to == "full":  # a time that is up is so no more; else what can be done is the same
            self.time_over, self.sequence = None, logged.sequence

    def _hold(self, event: RackRead | RackTold | RackCorrected) -> None:
        if isinstance(event, RackRead):
            self.racks[event.player] = rack_as_read(event)
        elif isinstance(event, RackTold):
            self.racks[event.player] = rack_as_told(event.tiles)
        else:
            self.racks[event.player] = corrected(self.racks.get(event.player, ()), event)

    def _answered(self, event: QuestionAnswered) -> None:
        """House rules that were answered without a game hold for the preset; in one they are its own."""
        if event.question == "house_rule" and event.rule is not None and self.game is None:
            preset = self._preset if self._left is None else self._left.preset
            chosen = self._answers.setdefault(preset, {})
            chosen[event.rule] = value_of(event.option)

    # What follows from it.

    @property
    def state(self) -> GameState | None:
        """What the game has come to; None where none was begun."""
        return None if self.game is None else self.game.state

    @property
    def racks(self) -> dict[str, Rack]:
        """What players hold at the end of this round, as far as it was read or told.

        Those of a round stay until it is played on: its score can be undone after the next has begun.
        """
        state = self.state
        return {} if state is None else self._racks.setdefault((state.round, state.game), {})

    @property
    def is_followed(self) -> bool:
        """Whether the camera follows the turns; those of a game of cards it cannot."""
        return self.state is None or is_read(self.state.rules)

    @property
    def mover(self) -> Seat | None:
        """The player whose turn it is; None outside of turns, and where nobody follows them."""
        state = self.state
        if state is None or state.phase not in MOVING or state.to_move is None:
            return None
        if not self.is_followed:
            return None
        return state.seats[state.to_move]

    @property
    def known_turn(self) -> Turn | None:
        """What the game knows of the turn under way; None where it is nobody's turn.

        The table after it is for the camera to say. The time is what the turn had taken by the newest
        event of the log.
        """
        state, mover = self.state, self.mover
        if state is None or mover is None:
            return None
        turn = Turn(
            before=None,
            after=Layout(),
            opened=mover.opened,
            elapsed_s=self._taken_s,
            pool_empty=state.pool == 0,
            players=len(state.seats),
            let_stand=state.let_stand,
        )
        return with_table_before(turn, state.table)

    @property
    def turn_under_way(self) -> Sequence[object] | None:
        """What tells the turn under way from every other; None without a game."""
        return None if self.state is None else _turn_of(self.state)

    @property
    def _taken_s(self) -> float | None:
        """Seconds of the turn by its clock, which goes no further than the limit; None without one.

        Where the time is over the game says what follows, by the table as it lay then (AMB-22): what is
        read or answered after that is no later a turn.
        """
        limit_s = self.limit_s
        return min(self.clock.elapsed_s(self.last_s), float(limit_s)) if limit_s else None

    @property
    def layout_at_buzzer(self) -> Board | None:
        """The table read last when the time of this turn was over; None where none was read."""
        over = self.time_over
        return None if over is None or over.layout is None else parse_board(over.layout)

    @property
    def limit_s(self) -> int:
        """Seconds that a turn may take; 0 where there is no limit, or no turn."""
        return 0 if self.state is None or self.mover is None else self.state.rules.timeout.limit_s

    @property
    def was_put_back(self) -> bool:
        """Whether the last that happened was a turn that came to nothing, a fault that was noticed late,
        or why the table is ``to_be_laid``: then it may have to be laid again, unless it was said or seen
        since that it is."""
        if self.game is None or self.mover is None or self.put_back_by:
            return False
        return bool(self.to_be_laid) or _came_to_nothing(self.game)

    def was_put_away(self, number: int) -> bool:
        """Whether event ``number`` began a game that can be taken up again."""
        return number in self._put_away

    def rules(self, configured: RuleSet) -> RuleSet:
        """The rules that hold: those of the game, or of one that was put away since the program was
        started, else ``configured``, with what was answered before.

        A house rule that the settings have since chosen is as the settings say.
        """
        if self.game is not None:
            return self.game.state.rules
        rules = configured if self._left is None else self._left
        answers = self._answers.get(rules.preset, {})
        still_open = {name: value for name, value in answers.items() if rules.is_open(name)}
        try:
            return rules.with_house_rules(still_open)
        except HouseRuleError:
            return rules  # answers of a version that knew other values; it is asked anew

    def as_played_last(self, rules: RuleSet) -> RuleSet:
        """``rules`` with the house rules of the last game by the same preset, for the next one.

        What ``rules`` have chosen themselves stays so.
        """
        last = self._played_last.get(rules.preset)
        if last is None:
            return rules
        told = {name: last.switches[name].print(last.value_of(name)) for name in last.chosen}
        chosen = {name: value_of(v) for name, v in told.items() if name not in rules.chosen}
        try:
            return rules.with_house_rules(chosen)
        except HouseRuleError:
            return rules  # a game of a version that knew other values

    def telling(self, turn: int, by: str, *events: GameEvent) -> tuple[GameTold, ...]:
        """These events of the game as the log holds them.

        Raises ``WishRefusedError`` (``refused``) where one of them cannot apply to the game now, or
        (``not_understood``) cannot be written.
        """
        self.trial(*events)
        try:
            return tuple(GameTold(turn, print_event(event), by) for event in events)
        except ValueError as error:
            raise WishRefusedError("not_understood", str(error)) from error

    def telling_table(self, turn: int, by: str, table: Board) -> tuple[GameTold, ...]:
        """What the log holds of it that the turn which left the table of now left this one, and that
        what was tried and taken back since was tried with it; nothing without a game.

        Raises ``WishRefusedError`` (``refused``) where no turn did, or where what was told since could
        not have been then.
        """
        if self.game is None:
            return ()
        was, since = self.game.state.table, list[GameEvent]()
        for number, event in reversed(self.game.standing):
            if isinstance(event, Played) and event.after == was:
                said = Corrected(number, replace(event, after=table), by)
                return self.telling(turn, by, *since, said)
            if isinstance(event, Misplayed) and event.attempt is not None:
                attempt = changed_alike(event.attempt, was, table)
                if attempt != event.attempt:
                    since.append(Corrected(number, replace(event, attempt=attempt), by))
        raise WishRefusedError("refused", "no turn of this round left the table so")

    def trial(self, *events: GameEvent) -> GameState:
        """What these events would come to. Raises ``WishRefusedError`` where one cannot apply."""
        game = self.game
        for event in events:
            if isinstance(event, GameBegun):
                after = Game.begin(event)
            elif game is None:
                raise WishRefusedError("no_game", "no game is under way; begin one first")
            else:
                after = game.after(event, with_repairs=False)
            if isinstance(after, Refusal):
                raise WishRefusedError("refused", after.reason)
            game = after
        assert game is not None, "there is an event to try"
        return game.state

    def asked_before(self, event: GameEvent) -> Question | None:
        """What has to be answered before this event can be told; None where nothing has."""
        return None if self.game is None else asked_by(self.game.after(event, with_repairs=False))

    def rests_on(self, event: GameEvent) -> tuple[Default, ...]:
        """The house rules that nobody has chosen and an event rests on, were it told now.

        Every such rule plays it through anew, which takes long on a board: it is worked out once, as
        long as the game is where it is.
        """
        state, (game, known) = self.state, self._rests
        if state is None:
            return ()
        if game is not self.game:
            known = {}
            self._rests = (self.game, known)
        if event not in known:
            known[event] = rests_on(state, event)
        return known[event]


def parse_line(line: str) -> GameEvent:
    """The event of one line of notation. Raises ``GameTextError`` for anything else."""
    cursor = Cursor(line)
    event = parse_event(cursor)
    cursor.finish("give one event alone")
    return event


def line_told(line: str, state: GameState) -> GameEvent:
    """The event of a line written in a game; ``WishRefusedError`` says what is wrong with it."""
    try:
        return parse_line(line)
    except MalformedError as error:
        came = f"“{error.came}”" if error.came else "nothing"
        text = f"{came} stands where {error.expected} should: {_hint(error, state)}"
        raise WishRefusedError("not_understood", text) from error
    except GameTextError as error:
        raise WishRefusedError("not_understood", str(error)) from error


def _hint(error: MalformedError, state: GameState) -> str:
    """What to write instead. Of what players do, that which they do in this game."""
    if error.expected != WHAT_IS_DONE:
        return error.hint
    kinds = steps_of(state)
    verbs = [form.words for form in FORMS if form.by_player and form.kind in kinds]
    return f"a player {listed(verbs, 'or')}"


def value_of(option: str) -> str | int:
    """A choice of a house rule as the engine takes it: digits are a number."""
    return int(option) if option.isdecimal() else option


def asked_by(outcome: Game | Refusal) -> Question | None:
    """What an event waits for that was refused; None where it was not, or for another reason."""
    if not isinstance(outcome, Refusal) or outcome.code != "ask" or outcome.ruling is None:
        return None
    return outcome.ruling.questions[0]


def _replayed(record: Iterable[ToldLine]) -> Game:
    """The game of a record of which every event could be told."""
    game: Game | None = None
    for told in record:
        game = after_line(game, told.line)
    assert game is not None, "it was told before"
    return game


def after_line(game: Game | None, line: str) -> Game | None:
    """The game after one more event of its record; None where that is none, or cannot have been."""
    try:
        event = parse_line(line)
    except GameTextError:
        return None
    if isinstance(event, GameBegun):
        after = Game.begin(event)
    elif game is None:
        return None
    else:
        after = game.after(event, with_repairs=False)
    return None if isinstance(after, Refusal) else after


def _taken_before(event: GameEvent, last: Game | None) -> float:
    """What the turn that an event brings back had taken when it ended; 0 where it brings none back, or
    its time ran out. ``last`` is the game before the event."""
    if last is None or not isinstance(event, Undone):
        return 0.0
    return getattr(last.standing[-1][1], "elapsed_s", None) or 0.0


def _came_to_nothing(game: Game) -> bool:
    """Whether the newest event that stands is one after which a table is laid again."""
    return isinstance(game.standing[-1][1], Misplayed | TimeRanOut | FaultNoticed)


def _turn_of(state: GameState) -> Sequence[object]:
    """What tells one turn from another."""
    return state.round, state.game, state.turn, state.to_move, state.phase in MOVING
