"""`meldwatch match`: whole games, filmed on the rendered table, against everything that watches."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.commands.common import SOME_FAILED, complain, folder_for_pictures, print_json_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from table.match.match_game import Enrol
    from table.match.outcome import Keep, Outcome
    from table.match.report import Report
    from table.readings import ReadPlacements
    from vision.enrolment.in_play import LearningReader
    from vision.frame import Pixels
    from vision.placements import Placement
    from vision.reader import TableReader
    from vision.rendering.table_scenes import Typefaces

EPILOGUE = """\
\b
Players that play by the rules, and now and then try something else first, are
filmed as a webcam would see them: hands that come, lay tiles and go, lamps, glare,
a camera that is pushed or hangs. The pictures go through the finder, the reader,
the layout watch and the referee of a live table. Since the truth is known, every
ruling can be held against it. What is asked is answered truthfully.
\b
Exit code 1: somebody was accused wrongly, or a wrong turn was called legal.
\b
Examples:
  meldwatch match --games 5 --turns 30
  meldwatch match --preset pressman --kind bump --kind "resting hand" --keep wrong/
  meldwatch match --games 5 --turns 30 --enrolled
  meldwatch match --games 20 --seed 7 --json | jq .all.wrong_accusations
"""


no_game_option = click.option(
    "--no-game",
    is_flag=True,
    help="Begin no game: turns are judged of players nobody knows, and it is asked who had opened.",
)
keep_option = click.option(
    "--keep",
    "keep_folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Folder for a marked picture of every turn that did not go as it should.",
)
"""Options of all commands that show films."""


@click.command(
    epilog=EPILOGUE, short_help="Film whole games, and hold every ruling against the truth."
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    metavar="N",
    help="Games to film, by the presets in turn; each on another table with other tiles.",
)
@click.option(
    "--turns",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Turns of each game.",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Another seed films other games.",
)
@click.option(
    "--preset",
    "chosen_presets",
    multiple=True,
    metavar="NAME",
    help="Rules to play by, once or several times; without it all that are played with tiles.",
)
@click.option(
    "--kind",
    "chosen_kinds",
    multiple=True,
    metavar="WORD",
    help="What disturbs the turns, once or several times; without it everything in turn.",
)
@click.option(
    "--width",
    type=click.IntRange(640, 3840),
    default=1280,
    show_default=True,
    metavar="PX",
    help="Width of the pictures; they are three quarters as high.",
)
@click.option(
    "--fonts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=None,
    help="Folder of typefaces to print tiles with: those no network was trained on are taken. "
    "Without it the system's.",
)
@click.option(
    "--enrolled",
    is_flag=True,
    help="Enrol each game's set first, from a drawn photograph of all its tiles in rows.",
)
@no_game_option
@keep_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def match(
    context: click.Context,
    games: int,
    turns: int,
    seed: int,
    chosen_presets: tuple[str, ...],
    chosen_kinds: tuple[str, ...],
    width: int,
    fonts: Path | None,
    enrolled: bool,
    no_game: bool,
    keep_folder: Path | None,
    as_json: bool,
) -> None:
    """Film games that are played by program, and say how well they were watched.

    The same options film the same games.
    """
    from table.match.match_game import MatchGame
    from table.match.report import report_on, reports_by
    from table.match.script import presets
    from table.match.shots import Kind
    from vision.enrolment.in_play import LearningReader
    from vision.patient_reading import patiently_by
    from web.commands.reading import open_rack_reader, open_reader

    names = _known(chosen_presets, presets(), "--preset")
    kinds = [Kind(word) for word in _known(chosen_kinds, tuple(Kind), "--kind")]
    keep = None if keep_folder is None else keeper(folder_for_pictures(keep_folder))
    typefaces, reader, racks = _typefaces(fonts), open_reader(), open_rack_reader()
    start_s, outcomes, cut_short, not_learned = time.monotonic(), [], 0, 0
    for number in range(games):
        learner = LearningReader(reader.of_live_pictures(), at_once=True)
        game = MatchGame(
            names[number % len(names)],
            seed * 1000 + number,
            learner.read,
            size_wh=(width, width * 3 // 4),
            typefaces=typefaces,
            kinds=kinds,
            keep=keep,
            enrol=_enroller(reader, learner) if enrolled else None,
            learn=learner.learn,
            read_closely=patiently_by(learner),
            bodies_near=learner.bodies_near,
            standing=racks.standing,
            followed=not no_game,
        )
        not_learned += enrolled and not game.knows_its_set
        played = list(game.play(turns))
        learner.close()
        outcomes += played
        if game.cut_short:
            cut_short += 1
            complain(f"game {number + 1} ended after {len(played)} rulings: {game.cut_short}")
        if not as_json:
            click.echo(
                f"game {number + 1}, {played[0].preset if played else 'not begun'}: "
                f"{report_on(played).short()}"
            )
    whole = report_on(outcomes)
    by_preset = reports_by(outcomes, lambda o: o.preset)
    by_kind = reports_by(sorted(outcomes, key=lambda o: o.kind), lambda o: o.kind.value)
    if as_json:
        print_json_line(
            {
                "games": games,
                "cut_short": cut_short,
                "enrolled": games - not_learned if enrolled else 0,
                "seed": seed,
                "seconds": round(time.monotonic() - start_s, 1),
                "all": whole.to_json(),
                "presets": {name: report.to_json() for name, report in by_preset.items()},
                "kinds": {name: report.to_json() for name, report in by_kind.items()},
            }
        )
    else:
        click.echo("\n".join(_lines(whole, by_preset, by_kind, time.monotonic() - start_s)))
    if not_learned:
        complain(f"{not_learned} of {games} sets could not be enrolled; they were read without")
    bad = whole.wrong_accusations.count + whole.wrong_acquittals.count
    if bad:
        complain(f"{bad} of {whole.turns} rulings were wrong")
        context.exit(SOME_FAILED)


def _known(chosen: tuple[str, ...], all_names: Sequence[str], option: str) -> list[str]:
    """What was chosen, each once; all where nothing was."""
    unknown = next((name for name in chosen if name not in all_names), None)
    if unknown is not None:
        known = ", ".join(all_names)
        raise click.BadParameter(f"{unknown!r} is none of {known}", param_hint=option)
    return list(dict.fromkeys(chosen)) or list(all_names)


def _typefaces(folder: Path | None) -> Typefaces:
    """What tiles are printed with: typefaces that no training picture shows, where there are any."""
    from vision.rendering.table_scenes import Typefaces
    from vision.rendering.typefaces import find_symbols, find_typefaces, is_held_out

    digits = find_typefaces(folder or SYSTEM_FONTS)
    held_out = tuple(face for face in digits if is_held_out(face))
    return Typefaces(held_out or digits, find_symbols(folder))


SYSTEM_FONTS = Path("/usr/share/fonts")


def _enroller(reader: TableReader, learner: LearningReader) -> Enrol:
    """Enrols a set as `meldwatch enrol` does, for whoever learns more of it."""
    from vision.enrolment.enrolling import enrol_set

    def enrol(pixels_bgr: Pixels) -> ReadPlacements | None:
        known = enrol_set([pixels_bgr], reader, "set").known
        if known is None:
            return None
        learner.know(known)
        return learner.read

    return enrol


def keeper(folder: Path, film: str = "") -> Keep:
    """Writes a marked picture of a turn that went wrong, named after the ``film`` or the drawn game."""
    from vision.annotate import draw_reading
    from vision.layout_reader import read_layout
    from web.commands.reading import save_picture

    def keep(
        outcome: Outcome,
        pixels_bgr: Pixels,
        placements: Sequence[Placement],
        lines: Sequence[str],
    ) -> None:
        words = "-".join(outcome.problems)
        game = film or f"{outcome.preset}-{outcome.game}"
        name = f"{game}-{outcome.number:03d}-{words}.jpg"
        marked = draw_reading(pixels_bgr, placements, read_layout(placements), lines)
        save_picture(folder / name, marked)

    return keep


def _lines(
    whole: Report,
    by_preset: Mapping[str, Report],
    by_kind: Mapping[str, Report],
    seconds: float,
) -> list[str]:
    wide = max(map(len, (*by_preset, *by_kind)), default=0) + 1
    return [
        f"all: {whole.turns} turns judged in {seconds:.0f} s",
        *whole.lines(),
        "by rules:",
        *(f"  {name + ':':{wide}} {report.short()}" for name, report in by_preset.items()),
        "by disturbance:",
        *(f"  {name + ':':{wide}} {report.short()}" for name, report in by_kind.items()),
    ]
