"""`meldwatch replay`: recorded games in, what they come to when every event is played anew."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.commands.common import SOME_FAILED, complain, print_json_line

if TYPE_CHECKING:
    from engine.game.record import Record
    from engine.game.replay import Step
    from engine.game.state import GameState

EPILOGUE = """\
\b
A file holds one record or several (docs/notation.md says how a game is written).
Every event is played anew by the rules. What comes out otherwise than the record
says, a ruling, a digest or the result, is told with the number of the event.
\b
A record that is malformed, ambiguous, or holds an event that cannot have been
gives one line on stderr that says where; the others are replayed.
\b
Examples:
  meldwatch replay monday.record
  meldwatch replay games/*.record --json | jq -c .score.totals
  meldwatch replay monday.record --position 12   the position after event 12
"""


@click.command(epilog=EPILOGUE, short_help="Replay recorded games and compare what they came to.")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--position",
    "number",
    type=click.IntRange(min=1),
    help="Print the position after this event instead, on one line.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a record.")
@click.pass_context
def replay(
    context: click.Context, files: tuple[Path, ...], number: int | None, as_json: bool
) -> None:
    """Replay the records in FILES (or on standard input), and print the score of each round.

    The exit code is 0 when every record came to what it says.
    """
    told = [_told(*found, number, as_json=as_json) for found in _texts(files)]
    if not all(told):
        context.exit(SOME_FAILED)


def _texts(files: tuple[Path, ...]) -> Iterator[tuple[str, bytes | OSError]]:
    """The name and the content of every file, or why there is none."""
    if not files:
        yield "standard input", sys.stdin.buffer.read()
    for path in files:
        try:
            yield str(path), path.read_bytes()
        except OSError as error:
            yield str(path), error


def _told(name: str, content: bytes | OSError, number: int | None, *, as_json: bool) -> bool:
    """Print what the records of a file come to; False where anything is wrong with one."""
    from engine.game.record import split_records

    if isinstance(content, OSError):
        return _failed(name, content.strerror or "cannot be read", {}, as_json=as_json)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _failed(name, "is not UTF-8 text", {}, as_json=as_json)
    records = [
        _record_told(name, part, line, number, as_json=as_json)
        for part, line in split_records(text)
    ]
    return all(records)


def _record_told(name: str, text: str, line: int, number: int | None, *, as_json: bool) -> bool:
    from engine.game.record import parse_record
    from engine.game.replay import steps
    from engine.game.text_errors import GameTextError

    try:
        record = parse_record(text, line)
        if number is not None:
            return _position_told(name, record, number, as_json=as_json)
        played = list(steps(record))
    except GameTextError as error:
        return _failed(name, str(error), {"kind": error.kind, "line": line}, as_json=as_json)
    if as_json:
        print_json_line({"file": name, "line": line, **_report(record, played)})
    else:
        _print_for_people(name, record, played)
    return not any(step.differences for step in played)


def _failed(name: str, reason: str, more: Mapping[str, Any], *, as_json: bool) -> bool:
    complain(f"{name}: {reason}")
    if as_json:
        print_json_line({"file": name, "error": reason, **more})
    return False


def _position_told(name: str, record: Record, number: int, *, as_json: bool) -> bool:
    from itertools import islice

    from engine.game.positions import position_of
    from engine.game.replay import steps

    step = next(islice(steps(record), number - 1, None), None)
    if step is None:
        reason = f"there is no event {number}; the last is event {len(record.entries)}"
        return _failed(name, reason, {}, as_json=as_json)
    line = str(position_of(step.game.state))
    if as_json:
        print_json_line({"file": name, "event": number, "position": line})
    else:
        click.echo(line)
    return True


def _report(record: Record, played: list[Step]) -> dict[str, Any]:
    """What a record comes to, as JSON has it."""
    from engine.game.digest import digest
    from engine.score_json import score_to_json

    state = played[-1].game.state
    return {
        "preset": state.rules.preset,
        "players": [seat.name for seat in state.seats],
        "events": len(record.entries),
        "phase": state.phase,
        "score": None if state.scores is None else score_to_json(state.scores),
        "digest": digest(state),
        "differences": [
            {"event": step.number, "what": item.what, "now": item.now, "record": item.recorded}
            for step in played
            for item in step.differences
        ],
    }


def _print_for_people(name: str, record: Record, played: list[Step]) -> None:
    state = played[-1].game.state
    players = ", ".join(seat.name for seat in state.seats)
    click.echo(f"{name}: {state.rules.preset}, {players}, {len(record.entries)} events")
    for where, points, winners in _scores(state):
        told = ", ".join(f"{player} {own}" for player, own in points.items())
        click.echo(f"  {where}: {told}" + (f"; won by {' and '.join(winners)}" if winners else ""))
    if state.phase != "game over":
        click.echo(f"  not over: {state.phase}")
    for step in played:
        for difference in step.differences:
            click.echo(f"  event {step.number}: {difference}")


def _scores(state: GameState) -> Iterator[tuple[str, Mapping[str, Fraction], tuple[str, ...]]]:
    """Where points were made, the points, and who won there: rounds, their games, and all together."""
    score = state.scores
    if score is None:
        return
    for number, round_score in enumerate(score.rounds, start=1):
        games = score.games[number - 1] if score.games else ()
        for game_number, game in enumerate(games, start=1):
            yield f"round {number}, game {game_number}", game.points, game.winners
        over = state.rules.tournament is None or len(games) == state.rules.tournament.games
        yield f"round {number}", round_score.points, round_score.winners if over else ()
    yield "total", score.totals, state.winners
