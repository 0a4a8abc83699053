"""`meldwatch bench`: how fast this computer reads and judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from web.commands.common import CouldNotStart, print_json_line

if TYPE_CHECKING:
    from table.bench import ReadingBench, Timing

EPILOGUE = """\
\b
read     one picture of the rendered table through the real pipeline, stage by
         stage; then each network file on ONNX Runtime (which tables use) and on
         OpenCV's network module, same input, same process
engine   turns of the rendered table's game, judged
all      both (the default)
\b
Medians and what nine runs in ten stay below, after one run to warm up.
\b
Examples:
  meldwatch bench
  meldwatch bench read --repeat 50 --threads 4 --json
"""


@click.command(epilog=EPILOGUE, short_help="Measure how fast this computer reads and judges.")
@click.argument("what", type=click.Choice(["read", "engine", "all"]), default="all")
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="How often each thing is timed.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    metavar="N",
    help="Threads of the networks.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench(what: str, repeat: int, threads: int, as_json: bool) -> None:
    """Time reading and judging on the rendered table."""
    from engine.ruleset import load_ruleset
    from models.runtime import ModelError
    from table.bench import bench_engine, bench_reading, machine

    rules = load_ruleset("pressman")
    found: dict[str, Any] = machine() | {"threads": threads}
    lines = [f"{name}: {value}" for name, value in found.items()]
    if what in ("read", "all"):
        try:
            reading = bench_reading(rules, repeat, threads)
        except ModelError as error:
            raise CouldNotStart(str(error)) from error
        found["reading"] = {
            "tiles": reading.tiles,
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
    if as_json:
        print_json_line(found)
    else:
        click.echo("\n".join(lines))


def _reading_lines(reading: ReadingBench) -> list[str]:
    lines = ["", f"Reading a picture of {reading.tiles} tiles"]
    lines += [_timing_line(timing) for timing in reading.stages]
    for rivalry in reading.rivalries:
        lines += ["", f"{rivalry.network}: {rivalry.note}", _timing_line(rivalry.ours)]
        if rivalry.rival is not None:
            lines.append(f"{_timing_line(rivalry.rival)}   {rivalry.ratio:.2f} times as long")
    return lines


def _timing_line(timing: Timing) -> str:
    return f"  {timing.name:28} {timing.median_ms:9.2f} ms   (90 %: {timing.slow_ms:.2f})"
