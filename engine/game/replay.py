"""From a record to its game, and from a game to its record.

A replay plays every event anew and compares what the record says of itself: the rulings, the digests
and the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.faults import Verdict
from engine.game.digest import digest
from engine.game.events import (
    Claimed,
    Discarded,
    GameBegun,
    GameEvent,
    Misplayed,
    Played,
    TimeRanOut,
)
from engine.game.fold import Game, apply
from engine.game.judging import touched
from engine.game.record import Entry, Note, Record, Result
from engine.game.state import GameState, Refusal
from engine.game.text_errors import AmbiguousError, IllegalError, UntrueError

_WHICH_SET: Final = "which_set"
"""The code of a refusal of a claim that may be of either of two sets."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a replay comes to otherwise than the record says."""

    what: Literal["ruling", "digest", "result"]
    now: str
    """What the replay comes to; `none` where it comes to nothing of the kind."""
    recorded: str

    def __str__(self) -> str:
        return f"the {self.what} is {self.now}, and the record has {self.recorded}"


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a record, played anew."""

    number: int
    """Of the event in the record, counted from 1."""
    entry: Entry
    game: Game
    """The game after it."""
    ruling: Note | None
    """What the referee says of the turn now, where there is a turn to judge."""
    differences: tuple[Difference, ...] = ()


def steps(record: Record) -> Iterator[Step]:
    """The events of a record, each played anew.

    Raises IllegalError, at the event, for one that cannot apply, and AmbiguousError for a claim of a
    set that lies there twice. Where the record says otherwise, the step tells so and the game goes on;
    of digests only the first that differs is told, since those after it follow from it.
    """
    game: Game | None = None
    digests_agree = True
    for number, entry in enumerate(record.entries, start=1):
        before = None if game is None else game.state
        game = _after(game, entry.event, number)
        ruling = None if before is None else note_on(before, entry.event)
        differences = []
        if entry.ruling is not None and entry.ruling != ruling:
            differences.append(Difference("ruling", _said(ruling), str(entry.ruling)))
        if entry.digest is not None and digests_agree:
            now = digest(game.state)
            digests_agree = now == entry.digest
            if not digests_agree:
                differences.append(Difference("digest", now, entry.digest))
        if number == len(record.entries) and record.result is not None:
            result = result_of(game.state)
            if result != record.result:
                differences.append(Difference("result", _said(result), str(record.result)))
        yield Step(number, entry, game, ruling, tuple(differences))


def _said(value: Note | Result | None) -> str:
    return "none" if value is None else str(value)


def _after(game: Game | None, event: GameEvent, number: int) -> Game:
    """The game after an event."""
    if game is None:
        assert isinstance(event, GameBegun)
        after = Game.begin(event)
    else:
        after = game.after(event)
    if not isinstance(after, Refusal):
        return after
    if after.code == _WHICH_SET:
        raise AmbiguousError(after.reason, ("`; with tokens`", "`; without tokens`"), number)
    raise IllegalError(after.reason, number, after)


def replay(record: Record) -> Game:
    """The game that a record comes to, played anew.

    Raises IllegalError and AmbiguousError as `steps` does, and UntrueError at the first event after
    which a ruling, a digest or the result is another than the record has.
    """
    agreed, game = 0, None
    for step in steps(record):
        if step.differences:
            raise UntrueError(str(step.differences[0]), step.number, agreed)
        game = step.game
        if step.entry.digest is not None:
            agreed = step.number
    assert game is not None
    return game


def note_on(state: GameState, event: GameEvent) -> Note | None:
    """What the referee says of a turn that applies to a state; None where no turn is judged.

    Judged are plays and discards, whoever overruled the referee, what was tried and put back, what lay
    there when the time ran out, and claims.
    """
    turn: GameEvent
    match event:
        case Played(overruled_by=None) | Discarded(overruled_by=None) | Claimed():
            return Note(Verdict.LEGAL)  # anything else would have been refused
        case Played() | Discarded():
            turn = replace(event, overruled_by=None)
        case Misplayed(attempt=tried) | TimeRanOut(at_buzzer=tried):
            changed = touched(state, tried)
            if changed is None:
                return None
            turn = Played(event.player, changed)
        case _:
            return None
    outcome = apply(state, turn, with_repairs=False)
    if not isinstance(outcome, Refusal):
        return Note(Verdict.LEGAL)
    return None if outcome.ruling is None else Note.of(outcome.ruling)


def result_of(state: GameState) -> Result | None:
    """The score so far, and who has won; None before a round is scored."""
    if state.scores is None:
        return None
    totals = state.scores.totals
    return Result(tuple((seat.name, totals[seat.name]) for seat in state.seats), state.winners)


def record_of(
    game: Game,
    *,
    digests: Literal["end", "rounds", "all"] = "rounds",
    date: str | None = None,
    place: str | None = None,
    table: str | None = None,
) -> Record:
    """The record of a game, with its rulings and its result.

    There is a digest at the end, and as told after each round or after every event. The game is played
    through once more for that. Raises ValueError for what the notation cannot hold.
    """
    bare = Record(tuple(map(Entry, game.events)))
    entries = []
    ended = 0
    for step in steps(bare):
        state = step.game.state
        over, ended = len(state.ended) > ended, len(state.ended)
        wanted = digests == "all" or (digests == "rounds" and over) or step.number == game.length
        entries.append(Entry(step.entry.event, step.ruling, digest(state) if wanted else None))
    return Record(tuple(entries), date, place, table, result_of(game.state))
