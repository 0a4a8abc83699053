"""`meldwatch bench`: how fast this computer reads and judges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.commands.common import CouldNotStart, print_json_line

if TYPE_CHECKING:
    from engine.ruleset import RuleSet
    from table.bench import Timing
    from table.bench_judging import JudgingBench
    from table.bench_live import LiveBench
    from table.bench_reading import ReadingBench
    from table.bench_solver import Position, SolverBench
    from table.bench_spans import Spans

EPILOGUE = """\
\b
read     one picture of fifty tiles through the real pipeline, stage by stage,
         and its memory; a detector that others take (YOLOX-Nano, where the
         package onnx is installed); then each network file on ONNX Runtime
         (which tables use) and on OpenCV's network module, same input
engine   turns of the rendered table's game, judged; tables of all 106 tiles,
         validated; turns of drawn games and on full tables, judged with and
         without repairs, and turns with cards; then best plays of positions,
         ours and by the rummikub-solver package where it is installed
live     a live table in real time, with its session, networks and log: from the
         hand out of the picture to the ruling, from a press to the log, readings
         of fifty tiles a second, and the share of a core at a table at rest
all      all of them (the default)
\b
Medians and what nine runs in ten stay below, after one run to warm up; of full
tables, turns and positions what 99 in 100 stay below, each from nothing kept.
\b
Examples:
  meldwatch bench
  meldwatch bench read --repeat 50 --threads 4 --json
  meldwatch bench live --repeat 30
  meldwatch bench engine --positions cases.json
"""


@click.command(epilog=EPILOGUE, short_help="Measure how fast this computer reads and judges.")
@click.argument("what", type=click.Choice(["read", "engine", "live", "all"]), default="all")
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="How often each thing is timed, turns and tables up to 5 times; of a live table: turns.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    metavar="N",
    help="Threads of the networks.",
)
@click.option(
    "--positions",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Positions to solve, as JSON; else some are drawn from a seed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench(what: str, repeat: int, threads: int, positions: Path | None, as_json: bool) -> None:
    """Time reading and judging on the rendered table, and finding best plays."""
    from engine.ruleset import load_ruleset
    from models.runtime import ModelError
    from table.bench import bench_engine, machine
    from table.bench_reading import bench_reading

    rules = load_ruleset("pressman")
    given = None if positions is None else _given_positions(positions)
    found: dict[str, Any] = machine() | {"threads": threads}
    lines = [f"{name}: {value}" for name, value in found.items()]
    if what in ("read", "all"):
        try:
            reading = bench_reading(rules, repeat, threads)
        except ModelError as error:
            raise CouldNotStart(str(error)) from error
        found["reading"] = {
            "tiles": reading.tiles,
            "found": reading.read,
            "memory_mib": reading.memory_mib,
            "detectors": [timing.to_json() for timing in reading.detectors],
            "stages": [timing.to_json() for timing in reading.stages],
            "rivals": [rivalry.to_json() for rivalry in reading.rivalries],
        }
        lines += _reading_lines(reading)
    if what in ("engine", "all"):
        turns, timing = bench_engine(rules, repeat)
        rate = turns / (timing.median_ms / 1000)
        found["engine"] = {"turns": turns, "turns_per_s": round(rate)} | timing.to_json()
        lines += [
            "",
            f"Judging {turns} turns",
            _timing_line(timing),
            f"  {rate:,.0f} turns a second",
        ]
        judging = _judging_bench(rules, repeat)
        found["judging"] = judging.to_json()
        lines += _judging_lines(judging)
        solving = _solver_bench(given, str(positions), rules)
        found["solver"] = solving.to_json()
        lines += _solver_lines(solving)
    if what in ("live", "all"):
        watched = _live_bench(rules, repeat, threads)
        found["live"] = watched.to_json()
        lines += _live_lines(watched)
    if as_json:
        print_json_line(found)
    else:
        click.echo("\n".join(lines))


def _live_bench(rules: RuleSet, turns: int, threads: int) -> LiveBench:
    from models.runtime import ModelError
    from table.bench_live import bench_live
    from vision.reader import open_table_reader
    from web.commands.reading import open_rack_reader

    try:
        read = open_table_reader(threads).of_live_pictures().read
        return bench_live(rules, read, turns, open_rack_reader().standing)
    except ModelError as error:
        raise CouldNotStart(str(error)) from error


def _live_lines(found: LiveBench) -> list[str]:
    lines = ["", f"A live table, {len(found.hand_out.milliseconds)} turns in real time"]
    lines += [_spans_line(spans) for spans in (found.hand_out, found.pressed)]
    if found.without_ruling:
        lines.append(f"  {found.without_ruling} turns without a ruling")
    rate, cost = f"{found.readings_per_s:.1f}", f"{found.reading_share:.0%}"
    lines.append(f"  {rate} readings of {found.tiles} tiles a second, for {cost} of a core")
    return [*lines, f"  {found.idle_share:.1%} of a core while nothing happens"]


def _judging_bench(rules: RuleSet, repeat: int) -> JudgingBench:
    from table.bench_judging import MOST_ROUNDS, bench_judging
    from table.bench_solver import drawn_turns

    return bench_judging(rules, lambda: drawn_turns(rules), rounds=min(repeat, MOST_ROUNDS))


def _judging_lines(found: JudgingBench) -> list[str]:
    lines = ["", f"Validating {found.tables} tables, and judging turns"]
    return lines + [_spans_line(spans) for spans in (found.validated, *found.judged)]


def _spans_line(spans: Spans) -> str:
    return (
        f"  {spans.name:44} {spans.median_ms:9.3f} ms   (99 %: {spans.p99_ms:.3f}, "
        f"longest: {spans.longest_ms:.3f})"
    )


def _given_positions(path: Path) -> list[Position]:
    from table.bench_solver import PositionsError, read_positions

    try:
        return read_positions(path)
    except PositionsError as error:
        raise CouldNotStart(str(error)) from error


def _solver_bench(given: list[Position] | None, source: str, rules: RuleSet) -> SolverBench:
    from table.bench_solver import bench_solver, drawn_positions

    if given is None:
        return bench_solver(drawn_positions(rules), "drawn from a seed", rules)
    return bench_solver(given, source, rules)


def _solver_lines(found: SolverBench) -> list[str]:
    lines = ["", f"Best plays of {found.positions} positions, {found.source}: {found.note}"]
    every = (found.ours, found.ours_again, found.rival)
    lines += [_spans_line(spans) for spans in every if spans is not None]
    if found.ratios is not None:
        at_median, at_p99 = found.ratios
        lines.append(f"  the rival takes {at_median:.1f} times as long, at 99 % {at_p99:.1f} times")
    return lines


def _reading_lines(reading: ReadingBench) -> list[str]:
    lines = ["", f"Reading a picture of {reading.tiles} tiles, {reading.read} found"]
    lines += [_timing_line(timing) for timing in reading.stages]
    lines.append(f"  {reading.memory_mib:.0f} MiB more memory than Python with OpenCV")
    whole = reading.stages[-1]
    lines += ["", f"a rival detector, {reading.detector_note}"]
    lines += [
        f"{_timing_line(timing)}   {timing.median_ms / whole.median_ms:.2f} times our whole reading"
        for timing in reading.detectors
    ]
    for rivalry in reading.rivalries:
        lines += ["", f"{rivalry.network}: {rivalry.note}", _timing_line(rivalry.ours)]
        if rivalry.rival is not None:
            lines.append(f"{_timing_line(rivalry.rival)}   {rivalry.ratio:.2f} times as long")
    return lines


def _timing_line(timing: Timing) -> str:
    return f"  {timing.name:28} {timing.median_ms:9.2f} ms   (90 %: {timing.slow_ms:.2f})"
