"""A game as the fold of its events: one step at a time, and the whole row with what was taken back.

`apply` is the fold's step, a pure function that answers every event on every state. `Game` keeps the
row of events with it, so that the last can be taken back and an earlier one corrected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from engine.game.cards import CARD_STEPS
from engine.game.event_lines import FORMS
from engine.game.events import (
    CalledOut,
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    DrawnForStart,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    GameBegun,
    GameEvent,
    HandsShown,
    HouseRuleChosen,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    RoundCounted,
    StarterNamed,
    TimeRanOut,
    Undone,
)
from engine.game.house_rules import choose_house_rule
from engine.game.late_faults import notice_fault
from engine.game.names import NAME_RULE, is_name
from engine.game.rounds import count_round, show_hands
from engine.game.seats import Outcome, Step, refuse
from engine.game.starting import begin_game, deal, draw_for_start, name_starter
from engine.game.state import GameState, Refusal
from engine.game.tile_failures import misplay, run_out_of_time
from engine.game.tile_turns import call_out, draw, everybody_drew, pass_turn, play, stop_play
from engine.game.tokens import claim

_COMMON_STEPS: Final[Mapping[type[GameEvent], Step]] = {
    DrawnForStart: draw_for_start,
    StarterNamed: name_starter,
    HandsShown: show_hands,
    RoundCounted: count_round,
    HouseRuleChosen: choose_house_rule,
    FaultNoticed: notice_fault,
}
TILE_STEPS: Final[Mapping[type[GameEvent], Step]] = MappingProxyType(
    {
        **_COMMON_STEPS,
        Dealt: deal,
        Played: play,
        Drew: draw,
        Passed: pass_turn,
        Claimed: claim,
        CalledOut: call_out,
        Misplayed: misplay,
        TimeRanOut: run_out_of_time,
        EverybodyDrew: everybody_drew,
        PlayStopped: stop_play,
    }
)
"""What each event does in a game of tiles."""

_CARD_STEPS: Final[Mapping[type[GameEvent], Step]] = MappingProxyType(
    {**_COMMON_STEPS, **CARD_STEPS}
)


def steps_of(state: GameState) -> Mapping[type[GameEvent], Step]:
    """What each event does in the game that is played: that of contracts, or one of tiles."""
    return TILE_STEPS if state.rules.contracts is None else _CARD_STEPS


def apply(state: GameState | None, event: GameEvent, *, with_repairs: bool = True) -> Outcome:
    """The state after one more event, or why it cannot apply. None is the state before a game.

    Answers every event on every state and never raises; a refused event changes nothing. The time it
    takes does not grow with the number of events before. `Undone` and `Corrected` are about the row of
    events and not about a state, so they are refused here (`not_of_a_state`): `Game.after` takes them.
    docs/games.md lists what else is refused, with the codes. A ruling against a play says how to mend
    it, unless told not to look `with_repairs`: that is what takes longest.
    """
    nameless = _check_sayer(event)
    if nameless is not None:
        return nameless
    if isinstance(event, Undone | Corrected):
        text = "what was taken back or corrected is told to a game with its events, not to a state"
        return refuse("not_of_a_state", text)
    if state is None:
        if isinstance(event, GameBegun):
            return begin_game(event)
        return refuse("not_begun", "a game begins by saying which it is and who plays")
    if isinstance(event, GameBegun):
        return refuse("already_begun", "the game has begun already")
    step = steps_of(state).get(type(event))
    if step is None:
        return refuse("not_in_this_game", f"`{_words(event)}` is nothing of {state.rules.title}")
    if isinstance(event, Played | Discarded):
        return step(state, event, with_repairs=with_repairs)
    return step(state, event)


def _words(event: GameEvent) -> str:
    """How a record writes that kind of event; a kind that it does not know by its name."""
    kind = type(event)
    return next((form.words for form in FORMS if form.kind is kind), kind.__name__)


def _check_sayer(event: GameEvent) -> Refusal | None:
    """A refusal (`bad_name`) where an event was said by what can be no name. Whoever has a name may say
    it, a player or not: an arbiter, or a program."""
    for said in (getattr(event, "by", None), getattr(event, "overruled_by", None)):
        if said is not None and not is_name(said):
            return refuse("bad_name", f"nobody is called {said!r}: {NAME_RULE}")
    return None


@dataclass(frozen=True, slots=True, repr=False)
class _Standing:
    """An event that stands, with the state after it, at the end of those that stand before it."""

    before: _Standing | None
    number: int
    event: GameEvent
    state: GameState


@dataclass(frozen=True, slots=True, repr=False)
class _Told:
    """One row of events that stand, at the end of those it was before: what taking back returns to."""

    before: _Told | None
    standing: _Standing
    event: GameEvent
    """What was told last for them to stand so: the last of them, or a correction of one."""


@dataclass(frozen=True, slots=True, repr=False)
class _Entry:
    """One event of the record, at the end of those before it."""

    before: _Entry | None
    event: GameEvent


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Game:
    """A game: every event that was told, and the state they come to. Equal with equal events.

    A value, and cheap to go on with: `after` shares everything with the game before it.
    """

    _record: _Entry
    _told: _Told
    length: int
    """How many events the record has, those that were taken back and the taking back counted."""

    @classmethod
    def begin(cls, event: GameBegun) -> Game | Refusal:
        """The game that begins so, or why it cannot."""
        state = apply(None, event)
        if isinstance(state, Refusal):
            return state
        return cls(_Entry(None, event), _Told(None, _Standing(None, 1, event, state), event), 1)

    @classmethod
    def of(cls, events: Iterable[GameEvent]) -> Game | Refusal:
        """The game of a whole record; a refusal has the number of its event in `event`."""
        game: Game | Refusal = refuse(
            "not_begun", "a game begins by saying which it is and who plays"
        )
        for number, event in enumerate(events, start=1):
            if isinstance(game, Game):
                game = game.after(event)
            elif isinstance(event, GameBegun):
                game = cls.begin(event)
            if isinstance(game, Refusal):
                return replace(game, event=game.event or number)
        return game

    @property
    def state(self) -> GameState:
        """What the events that stand come to."""
        return self._told.standing.state

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """The whole record: every event as it was told, those that were taken back among them."""
        found = []
        entry: _Entry | None = self._record
        while entry is not None:
            found.append(entry.event)
            entry = entry.before
        return tuple(reversed(found))

    @property
    def told_last(self) -> GameEvent:
        """What `Undone` would take back: the last event that stands, or the correction after it."""
        return self._told.event

    @property
    def standing(self) -> tuple[tuple[int, GameEvent], ...]:
        """The events that stand, as corrected, each with its number in the record."""
        return tuple((item.number, item.event) for item in reversed([*self._back()]))

    def states(self) -> tuple[GameState, ...]:
        """The state after each event that stands; a game looks back with it."""
        return tuple(item.state for item in reversed([*self._back()]))

    def after(self, event: GameEvent, *, with_repairs: bool = True) -> Game | Refusal:
        """The game after one more event; or why it cannot apply, and then this game is as it was.

        `Undone` takes back the last event that stands, a correction among them, and may be repeated as
        far as the beginning (`nothing_to_undo`). `Corrected` puts another event in the place of one
        that stands and plays through those after it; when one of these no longer applies it is refused
        (`later_event_refused`), with the number of that event. `with_repairs` is as in `apply`.
        """
        told, nameless = self._told, _check_sayer(event)
        if nameless is not None:
            return nameless
        if isinstance(event, Undone):
            if told.before is None:
                return refuse("nothing_to_undo", "only the beginning of the game is left")
            return self._with(event, told.before)
        if isinstance(event, Corrected):
            corrected = self._corrected(event, with_repairs=with_repairs)
            if isinstance(corrected, Refusal):
                return corrected
            return self._with(event, _Told(told, corrected, event))
        state = apply(self.state, event, with_repairs=with_repairs)
        if isinstance(state, Refusal):
            return state
        standing = _Standing(told.standing, self.length + 1, event, state)
        return self._with(event, _Told(told, standing, event))

    def _with(self, event: GameEvent, told: _Told) -> Game:
        return Game(_Entry(self._record, event), told, self.length + 1)

    def _back(self) -> Iterator[_Standing]:
        """The events that stand, the last one first."""
        item: _Standing | None = self._told.standing
        while item is not None:
            yield item
            item = item.before

    def _corrected(self, event: Corrected, *, with_repairs: bool) -> _Standing | Refusal:
        """The events that stand with one of them replaced."""
        later: list[_Standing] = []
        for item in self._back():
            if item.number <= event.number:
                break
            later.append(item)
        if item.number != event.number:
            there = 0 < event.number <= self.length
            what = "was taken back, or is itself no event of the game" if there else "is not there"
            return refuse("not_standing", f"event {event.number} {what}")
        before = None if item.before is None else item.before.state
        state = apply(before, event.event, with_repairs=with_repairs)
        if isinstance(state, Refusal):
            return state
        row = _Standing(item.before, event.number, event.event, state)
        for then in reversed(later):
            state = apply(row.state, then.event, with_repairs=with_repairs)
            if isinstance(state, Refusal):
                text = f"event {then.number} would no longer apply: {state.reason}"
                return Refusal(text, "later_event_refused", state.ruling, then.number)
            row = _Standing(row, then.number, then.event, state)
        return row

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.events == other.events

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<game of {self.state.rules.preset}, {self.length} events, {self.state.phase}>"
