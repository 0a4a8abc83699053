"""`meldwatch film`: films of games, with what is true of them, against everything that watches."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.commands.common import SOME_FAILED, complain, folder_for_pictures, print_json_line
from web.commands.match import keep_option, keeper, no_game_option

if TYPE_CHECKING:
    from table.match.outcome import Keep, Outcome
    from vision.reader import TableReader

EPILOGUE = """\
\b
A folder holds film.avi, the pictures, and film.json: for each turn where the
tiles lay, which they were, and whether it was right (docs/match.md has the form).
The pictures go through everything that watches a live table. What is asked is
answered as film.json has it, and every ruling is held against it.
\b
Exit code 1: somebody was accused wrongly, a wrong turn was called legal, or a
film could not be shown to its end.
\b
Examples:
  meldwatch film evening/
  meldwatch film evenings/* --keep wrong/
  meldwatch film evening/ --json | jq '.turns[].questions'
"""


@click.command(
    epilog=EPILOGUE, short_help="Show films of your own, and hold every ruling against the truth."
)
@click.argument(
    "folders", nargs=-1, required=True, type=click.Path(file_okay=False, path_type=Path)
)
@no_game_option
@keep_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a film.")
@click.pass_context
def film(
    context: click.Context,
    folders: tuple[Path, ...],
    no_game: bool,
    keep_folder: Path | None,
    as_json: bool,
) -> None:
    """Show the films in FOLDERS to a live table, and say how well they were watched."""
    from table.match.report import report_on
    from web.commands.reading import open_reader

    keep_in = None if keep_folder is None else folder_for_pictures(keep_folder)
    reader = open_reader()
    all_outcomes: list[Outcome] = []
    is_whole, start_s = True, time.monotonic()
    for folder in folders:
        keep = None if keep_in is None else keeper(keep_in, folder.name)
        outcomes, cut_short = _watched(folder, reader, keep, followed=not no_game)
        all_outcomes += outcomes
        if cut_short:
            is_whole = False
            complain(f"{folder}: ended after {len(outcomes)} rulings: {cut_short}")
        if as_json:
            print_json_line(_as_record(folder, outcomes, cut_short))
        elif outcomes:
            _print(folder, outcomes)
    whole = report_on(all_outcomes)
    if all_outcomes and not as_json:
        seconds = time.monotonic() - start_s
        click.echo(f"all: {whole.turns} turns judged in {seconds:.0f} s")
        click.echo("\n".join(whole.lines()))
    if whole.wrong_accusations.count + whole.wrong_acquittals.count or not is_whole:
        context.exit(SOME_FAILED)


def _watched(
    folder: Path, reader: TableReader, keep: Keep | None, *, followed: bool
) -> tuple[list[Outcome], str]:
    """What came of each turn, and why the film ended before its time, if it did."""
    from engine.ruleset import UnknownPresetError
    from engine.switches import HouseRuleError
    from table.match.told_film import FilmError, load_told_film
    from table.match.told_game import ToldGame
    from vision.enrolment.in_play import LearningReader
    from vision.patient_reading import patiently_by
    from web.commands.reading import open_rack_reader

    outcomes: list[Outcome] = []
    learner = LearningReader(reader.of_live_pictures(), at_once=True)
    try:
        game = ToldGame(
            load_told_film(folder),
            learner.read,
            learn=learner.learn,
            read_closely=patiently_by(learner),
            bodies_near=learner.bodies_near,
            standing=open_rack_reader().standing,
            keep=keep,
            followed=followed,
        )
        outcomes.extend(game.play())
    except (FilmError, UnknownPresetError, HouseRuleError) as error:
        return outcomes, str(error)
    finally:
        learner.close()
    return outcomes, game.cut_short


def _print(folder: Path, outcomes: list[Outcome]) -> None:
    from table.match.report import report_on

    click.echo(f"{folder.name}: {report_on(outcomes).short()}")
    for outcome in outcomes:
        if outcome.problems:
            click.echo(f"  no. {outcome.number}, {outcome.truth}: {outcome.said}")


def _as_record(folder: Path, outcomes: list[Outcome], cut_short: str) -> dict[str, Any]:
    """Every turn, and what they come to, with the 95 % intervals of shares."""
    from table.match.report import report_on

    turns = [{**asdict(outcome), "problems": outcome.problems} for outcome in outcomes]
    return {
        "film": str(folder),
        "cut_short": cut_short,
        "turns": turns,
        "all": report_on(outcomes).to_json(),
    }
