"""How well layouts are read: tables whose melds are known, kind by kind.

``python -m vision.layout_evaluation --tables 200 --seed 1`` prints the figures that docs/layout.md
defines; the same seed gives the same figures. ``--photographs LABELS.json`` reads photographs instead,
with the networks that come with Meldwatch, and looks up their melds in
``datasets/photograph_melds.json``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from vision.evaluation import LabelError, load_labels
from vision.layout_photographs import laid_photograph, load_melds
from vision.layout_reader import LaidOut, read_layout
from vision.photographs import PhotographError, load_photograph
from vision.placements import Placement
from vision.reader import open_table_reader
from vision.rendering.known_layouts import STEEPEST_DEG, sample_layout
from vision.rendering.layout_kinds import KINDS

MOST_STEEP_DEG: Final = 70.0
"""From further down tiles hide each other, of which these tables know nothing."""

MOST_WAYS: Final = 4096
"""Ways to lie that are held against how the tiles were laid."""

Reader = Callable[[Sequence[Placement]], LaidOut]
MELDS: Final = Path(__file__).resolve().parents[1] / "datasets/photograph_melds.json"
"""The melds of published photographs."""


class Known(Protocol):
    """Somebody knows how the tiles were laid."""

    def is_arrangement(self, arrangement: Iterable[Sequence[int]]) -> bool:
        """Whether rows of indexes of placements are how they were laid."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reader made of one table."""

    first: bool
    """The likeliest arrangement is how the tiles were laid."""
    offered: bool
    """One of the arrangements is."""
    asked: bool
    """There is more than one arrangement."""

    @property
    def silent(self) -> bool:
        """Another layout, stated as a fact."""
        return not self.offered and not self.asked


def outcome(known: Known, laid_out: LaidOut) -> Outcome:
    """How a layout compares with how the tiles were laid."""
    of = laid_out.placement_indexes
    reading, _ = laid_out.reading.with_all_ways(MOST_WAYS)
    right = [
        known.is_arrangement(tuple(of[k] for k in meld) for meld in arrangement)
        for arrangement in reading.arrangements
    ]
    return Outcome(right[0], any(right), len(right) > 1)


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of tables, 0 to 1; see docs/layout.md."""

    tables: int
    first: float
    offered: float
    silent: float
    asked: float
    needless: float
    """Asked although the likeliest arrangement was right."""

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Figures:
        """Raises ValueError without any table."""
        every = list(outcomes)
        if not every:
            raise ValueError("no table, no figures")

        def share(which: Iterable[bool]) -> float:
            return sum(which) / len(every)

        return cls(
            len(every),
            share(o.first for o in every),
            share(o.offered for o in every),
            share(o.silent for o in every),
            share(o.asked for o in every),
            share(o.asked and o.first for o in every),
        )


def evaluate(
    kinds: Iterable[str],
    tables: int,
    seed: int,
    reader: Reader = read_layout,
    steepest_deg: float = STEEPEST_DEG,
) -> dict[str, list[Outcome]]:
    """Outcomes of so many tables of each kind, numbered on from ``seed``, slanted by up to so much."""
    found: dict[str, list[Outcome]] = {}
    for kind in kinds:
        samples = (sample_layout(kind, seed * 100_000 + k, steepest_deg) for k in range(tables))
        found[kind] = [outcome(known, reader(known.placements)) for known in samples]
    return found


def evaluate_photographs(labels: Path, melds: Path = MELDS) -> dict[str, list[Outcome]]:
    """Outcomes of the photographs of a label file whose melds are known: those with melds, and those of
    strewn tiles without any.

    Raises LabelError, PhotographError and ``models.runtime.ModelError``.
    """
    known = load_melds(melds)
    found: dict[str, list[Outcome]] = {"sets": [], "strewn": []}
    reader = open_table_reader()
    for photo in load_labels(labels):
        name = Path(photo.image).name
        if name not in known:
            continue
        placements = reader.read(load_photograph(labels.parent / photo.image))
        laid = laid_photograph(photo, known[name], placements)
        kind = "sets" if laid.melds else "strewn"
        found[kind].append(outcome(laid, read_layout(placements)))
    return {kind: outcomes for kind, outcomes in found.items() if outcomes}


def figures_text(outcomes: dict[str, list[Outcome]]) -> str:
    """A table of the figures in per cent, a line for each kind and one for all."""
    rows = [*outcomes.items(), ("all", [o for each in outcomes.values() for o in each])]
    lines = ["kind           tables  first  offered  silent  asked  needless"]
    for name, each in rows:
        f = Figures.of(each)
        lines.append(
            f"{name:15} {f.tables:5} {f.first:6.1%} {f.offered:8.1%} {f.silent:7.1%}"
            f" {f.asked:6.1%} {f.needless:9.1%}"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.layout_evaluation",
        description="How well layouts are read, on tables whose melds are known.",
    )
    parser.add_argument("--tables", type=int, default=200, help="tables of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=[*KINDS], help="only these kinds")
    parser.add_argument(
        "--steepest",
        type=float,
        default=STEEPEST_DEG,
        metavar="DEGREES",
        help="how far the view is slanted at most (default: %(default).0f)",
    )
    parser.add_argument("--photographs", type=Path, metavar="LABELS.json")
    options = parser.parse_args(arguments)
    if options.tables < 1:
        parser.error("at least one table of each kind")
    if not 0 <= options.steepest <= MOST_STEEP_DEG:
        parser.error(f"a view is slanted by 0 to {MOST_STEEP_DEG:.0f} degrees")
    if options.photographs is None:
        outcomes = evaluate(
            options.kind or KINDS,
            options.tables,
            options.seed,
            steepest_deg=options.steepest,
        )
        print(figures_text(outcomes))
        return 0
    try:
        outcomes = evaluate_photographs(options.photographs)
    except (LabelError, PhotographError) as error:
        parser.error(str(error))
    if not outcomes:
        parser.error(f"the melds of none of the photographs in {options.photographs} are known")
    print(figures_text(outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
