"""`meldwatch fuzz`: whole games of every preset, played at random, with everything checked."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import click

from engine.ruleset import list_presets
from web.commands.common import SOME_FAILED, complain, print_json_line

if TYPE_CHECKING:
    from table.fuzzing.campaign import Breakage, PresetReport
    from table.fuzzing.tally import Tally

EPILOGUE = """\
\b
Greedy and careless players play by the rules and try what may not be. After every
event it is checked that
  no tile was lost or made, and each is where it truly is
  the next player is to move, and a refused event changed nothing
  the referee said what a second, plain referee says, where that one can tell
  rounds and claims are scored as the documents have it, pots to zero
\b
Now and then the last event is taken back, an earlier one corrected, the position
and the turn printed and read, and at the end of a game its record replayed.
\b
What does not hold is told with the record of the game up to there, for `replay`.
\b
Examples:
  meldwatch fuzz
  meldwatch fuzz --turns 1000000 --seed 7 --workers 2
  meldwatch fuzz --preset sabra --json | jq .turns
"""


@click.command(epilog=EPILOGUE, short_help="Play whole games at random, and check everything.")
@click.option(
    "--turns",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    metavar="N",
    help="Turns to play, at least: games are played to their end.",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Another seed plays other games.",
)
@click.option(
    "--preset",
    "presets",
    type=click.Choice(list_presets()),
    multiple=True,
    help="Rules to play by, once or several times; without it all in turn.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=None,
    metavar="N",
    help="Processes that play; as many as there are processors without it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def fuzz(
    context: click.Context,
    turns: int,
    seed: int,
    presets: tuple[str, ...],
    workers: int | None,
    as_json: bool,
) -> None:
    """Play whole games with random players, and check after every event that nothing is broken.

    The same turns, seed and presets play the same games, whatever the number of workers.
    """
    from table.fuzzing.campaign import campaign
    from table.fuzzing.tally import Tally

    start_s = time.monotonic()
    found: list[PresetReport] = []
    names = tuple(dict.fromkeys(presets)) or list_presets()
    for report in campaign(names, turns, seed, workers or os.cpu_count() or 1):
        found.append(report)
        if not as_json:
            click.echo(_line(report.preset, report.tally, report.seconds))
    total = Tally()
    for report in found:
        total.add(report.tally)
    seconds = time.monotonic() - start_s
    breakage = next((report.breakage for report in found if report.breakage is not None), None)
    if as_json:
        print_json_line(_to_json(found, total, seed, seconds, breakage))
    else:
        click.echo("\n".join(_summary(total, seconds)))
    if breakage is not None:
        if not as_json:
            click.echo("\n".join(("", *_told(breakage))))
        complain(f"{breakage.preset}, seed {seed}, game {breakage.game}: {breakage.what}")
        context.exit(SOME_FAILED)


def _line(name: str, tally: Tally, seconds: float) -> str:
    return (
        f"{name + ':':21} {tally.turns:9,} turns in {tally.games:,} games "
        f"({tally.whole_games:,} to their end), {tally.rounds:,} rounds, "
        f"{sum(tally.events.values()):,} events, {sum(tally.refusals.values()):,} refusals, "
        f"{seconds:.0f} s"
    )


def _summary(total: Tally, seconds: float) -> list[str]:
    cpu = total.turns / total.cpu_s if total.cpu_s else 0
    return [
        _line("all", total, seconds),
        f"  {total.turns / seconds:,.0f} turns a second, {cpu:,.0f} a second of one processor",
        f"  events: {_counts(total.events)}",
        f"  refusals: {_counts(total.refusals)}",
        f"  rulings: {_counts(total.rulings)}; {total.agreed:,} of them confirmed by the plain referee",
        f"  spoiled boards judged: {_counts(total.tried)}",
        f"  checked now and then: {_counts(total.checks)}",
    ]


def _counts(counts: dict[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {number:,}" for name, number in ordered) or "none"


def _told(breakage: Breakage) -> list[str]:
    """What did not hold, with the record up to there."""
    return [
        f"Did not hold in game {breakage.game} of {breakage.preset}, seed {breakage.seed}:",
        f"  {breakage.what}",
        "At the event:",
        f"  {breakage.event}",
        "",
        breakage.trace,
        breakage.record,
    ]


def _to_json(
    found: list[PresetReport],
    total: Tally,
    seed: int,
    seconds: float,
    breakage: Breakage | None,
) -> dict[str, Any]:
    presets = {
        report.preset: report.tally.to_json() | {"seconds": round(report.seconds, 3)}
        for report in found
    }
    return {
        "seed": seed,
        **total.to_json(),
        "seconds": round(seconds, 3),
        "turns_per_s": round(total.turns / seconds, 1),
        "presets": presets,
        "broken": None if breakage is None else breakage.to_json(),
    }
