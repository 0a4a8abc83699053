"""Many games, on as many processors as wanted, and what they come to."""

from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from engine.game.event_lines import print_event
from engine.game.record import Entry, Record
from table.fuzzing.one_game import OneGame
from table.fuzzing.tally import Tally

MOST_TURNS: Final = 2000
"""A game that is not over then is left: some house rules make games that need not end."""
_FIRST_GUESS: Final = 150
"""Turns of a game, before the first one has been played."""


@dataclass(frozen=True, slots=True)
class Breakage:
    """Something that did not hold, with all that is needed to see it again."""

    preset: str
    seed: int
    game: int
    """Its number among the games of its preset, from 0."""
    what: str
    event: str
    """The event at which it came out, as the notation has it."""
    record: str
    """The game up to that event."""
    trace: str

    def to_json(self) -> dict[str, Any]:
        """All but the trace."""
        return {
            "preset": self.preset,
            "seed": self.seed,
            "game": self.game,
            "what": self.what,
            "event": self.event,
            "record": self.record,
        }


@dataclass(frozen=True, slots=True)
class GameReport:
    """What came of one game."""

    tally: Tally
    breakage: Breakage | None = None


@dataclass(frozen=True, slots=True)
class PresetReport:
    """What came of the games of a preset."""

    preset: str
    tally: Tally
    breakage: Breakage | None
    """The first one; no game is played after it."""
    seconds: float
    """How long it took by the clock."""


def play_game(preset: str, seed: int, number: int, most_turns: int = MOST_TURNS) -> GameReport:
    """Play one game to its end. The same arguments give the same game."""
    start_s = time.process_time()
    one = OneGame(preset, seed, number)
    breakage = None
    try:
        one.play(most_turns)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is what is looked for
        what = f"{type(error).__name__}: {error}"
        record = str(Record(tuple(map(Entry, one.game.events))))
        trace = traceback.format_exc()
        breakage = Breakage(preset, seed, number, what, print_event(one.trying), record, trace)
    one.tally.cpu_s = time.process_time() - start_s
    return GameReport(one.tally, breakage)


def campaign(presets: Sequence[str], turns: int, seed: int, workers: int) -> Iterator[PresetReport]:
    """Play at least so many turns, each preset its share, and games to their end.

    Which games are played does not depend on the number of workers. Ends with the first preset in which
    something did not hold.
    """
    share = -(-turns // len(presets))
    if workers == 1:
        yield from _all_presets(presets, share, seed, None, 1)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from _all_presets(presets, share, seed, pool, workers)


def _all_presets(
    presets: Sequence[str], share: int, seed: int, pool: Executor | None, workers: int
) -> Iterator[PresetReport]:
    for preset in presets:
        start_s, tally, breakage = time.monotonic(), Tally(), None
        for report in _games(preset, share, seed, pool, workers):
            tally.add(report.tally)
            breakage = report.breakage
        yield PresetReport(preset, tally, breakage, time.monotonic() - start_s)
        if breakage is not None:
            return


def _games(
    preset: str, share: int, seed: int, pool: Executor | None, workers: int
) -> Iterator[GameReport]:
    """The games of a preset in their order, until they have so many turns or one broke."""
    if pool is None:
        turns = number = 0
        while turns < share:
            report = play_game(preset, seed, number)
            turns, number = turns + report.tally.turns, number + 1
            yield report
            if report.breakage is not None:
                return
        return
    yield from _games_at_once(preset, share, seed, pool, workers)


def _games_at_once(
    preset: str, share: int, seed: int, pool: Executor, workers: int
) -> Iterator[GameReport]:
    waiting: deque[Future[GameReport]] = deque()
    turns = played = begun = 0
    try:
        while turns < share:
            each = turns // played if played else _FIRST_GUESS
            while len(waiting) <= 2 * workers and (
                not waiting or turns + each * len(waiting) < share
            ):
                waiting.append(pool.submit(play_game, preset, seed, begun))
                begun += 1
            report = waiting.popleft().result()
            turns, played = turns + report.tally.turns, played + 1
            yield report
            if report.breakage is not None:
                return
    finally:
        for future in waiting:
            future.cancel()
