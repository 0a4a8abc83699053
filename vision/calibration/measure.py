"""How well the table is found: games whose truth is known, told table after table.

``python -m vision.calibration.measure --games 40 --seed 1000`` prints the figures of docs/adr/0015; the
same seed gives the same figures. ``--read`` paints every table and reads it with the networks that come
with Meldwatch, in place of tiles known to within a pixel, one in fifty of them missed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.calibration.finding import TableFinder
from vision.calibration.region import WHOLE_PICTURE, TableRegion
from vision.frame import Pixels
from vision.placements import Placement
from vision.reader import open_table_reader
from vision.rendering.known_games import KnownGame, KnownTable, Place

TOLD: Final = 6
"""Tables of a game that the finder is told; the later ones are only looked up."""

SAME_PX: Final = 10.0
"""A tile was read when something was read so near to its middle."""

Reader = Callable[[KnownTable, Pixels | None, int], Sequence[Placement]]


@dataclass(slots=True)
class Figures:
    """Counts over many games."""

    games: int = 0
    proposals: int = 0
    cut_games: int = 0
    """Games in which a tile of a table that was told would be cut off."""
    tiles: Counter[Place] = field(default_factory=Counter)
    outside: Counter[Place] = field(default_factory=Counter)
    """Those that the proposal leaves out; without a proposal none."""
    later: int = 0
    later_outside: int = 0
    """Tiles on later tables, at places where none had lain before."""

    def add(
        self,
        tables: Sequence[KnownTable],
        read: Sequence[Sequence[Placement]],
        region: TableRegion | None,
    ) -> None:
        """Takes one game, what was read of its first tables, and what was proposed after them.

        Of racks, box and pool only the tiles that were read count: others harm nobody.
        """
        self.games += 1
        self.proposals += region is not None
        cut = 0
        known = region or WHOLE_PICTURE
        for table, found in zip(tables, read, strict=False):  # the later tables were not read
            for place in Place:
                centres = table.centres_xy(place)
                if place is not Place.TABLE:
                    centres = _that_were_read(centres, found)
                out = int((~known.contains(centres, table.size_hw)).sum())
                self.tiles[place] += len(centres)
                self.outside[place] += out
                cut += out if place is Place.TABLE else 0
        self.cut_games += cut > 0
        self._add_later(tables, known)

    def _add_later(self, tables: Sequence[KnownTable], region: TableRegion) -> None:
        """Melds stay where they are: what the last table has more than the last one told is new."""
        known = tables[TOLD - 1].centres_xy(Place.TABLE)
        last = tables[-1].centres_xy(Place.TABLE)
        apart = np.hypot(*(last[:, None] - known[None]).transpose(2, 0, 1))
        new = last[apart.min(axis=1, initial=np.inf) > 1.0]
        self.later += len(new)
        self.later_outside += int((~region.contains(new, tables[-1].size_hw)).sum())

    def text(self) -> str:
        """A line for each figure."""
        lines = [
            f"games                    {self.games}",
            f"with a proposal          {self.proposals}",
            f"table tiles cut off      {self._share(Place.TABLE)} in {self.cut_games} games",
            f"tiles laid later cut off {self.later_outside} of {self.later}",
        ]
        lines += [
            f"{place.value + ' tiles left out':24} {self._share(place)}"
            for place in (Place.RACK, Place.BOX, Place.POOL)
        ]
        return "\n".join(lines)

    def _share(self, place: Place) -> str:
        share = self.outside[place] / max(1, self.tiles[place])
        return f"{self.outside[place]} of {self.tiles[place]} ({share:.1%})"


def _that_were_read(
    centres_xy: NDArray[np.float64], read: Sequence[Placement]
) -> NDArray[np.float64]:
    """Those of the places (n, 2) at which a tile was read."""
    if not read:
        return centres_xy[:0]
    found = np.stack([placement.centre_xy for placement in read])
    apart = np.hypot(*(centres_xy[:, None] - found[None]).transpose(2, 0, 1))
    return np.asarray(centres_xy[apart.min(axis=1, initial=np.inf) < SAME_PX], np.float64)


def measure(games: int, seed: int, reader: Reader, *, painted: bool) -> Figures:
    """The figures of so many games, numbered on from ``seed``."""
    figures = Figures()
    for number in range(seed, seed + games):
        finder = TableFinder()
        tables: list[KnownTable] = []
        read: list[Sequence[Placement]] = []
        for step, (table, pixels) in enumerate(KnownGame(number).tables(painted=painted)):
            tables.append(table)
            if step < TOLD:
                read.append(reader(table, pixels, number * 10 + step))
                finder.add(read[-1], table.size_hw)
        figures.add(tables, read, finder.proposal())
    return figures


def known_tiles(table: KnownTable, _pixels: Pixels | None, seed: int) -> Sequence[Placement]:
    """The tiles as they are known."""
    return table.placements(seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.calibration.measure",
        description="How well the table is found in the picture, in games whose truth is known.",
    )
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--read", action="store_true", help="paint the tables and read them")
    options = parser.parse_args(arguments)
    if options.games < 1:
        parser.error("at least one game")
    reader: Reader = known_tiles
    if options.read:
        network = open_table_reader()

        def reader(_table: KnownTable, pixels: Pixels | None, _seed: int) -> Sequence[Placement]:
            assert pixels is not None, "the tables were painted"
            return network.read(pixels)

    print(measure(options.games, options.seed, reader, painted=options.read).text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
