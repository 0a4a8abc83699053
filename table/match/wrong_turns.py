"""Tables that no rule allows, each a thing that people do: chosen so that all of them come up.

Every one could lie there: it is made of the tiles of the set, none twice. Its ruling is the referee's on
the exact table, and a second, plain referee has to agree where it can tell.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from engine.faults import Ruling, Verdict
from engine.game.events import Board, Tiles
from engine.layout import GridLayout, Layout
from engine.referee import judge
from engine.ruleset import RuleSet
from engine.tiles import JOKER, RANKS, Suit, Tile
from engine.turns import Turn
from table.fuzzing.plain_referee import PlainReferee
from table.fuzzing.wrong_moves import Rows, Spoiler

SPOILED: Final = 4
"""Tables of the fuzzing's `Spoiler` that compete with those made here..."""
SPOILED_BOARDS: Final = 12
"""...and boards of it, with which none compete."""


@dataclass(frozen=True, slots=True)
class WrongTurn:
    """A table that is not legal."""

    what: str
    """What was done, in words."""
    table: Board
    ruling: Ruling
    """The referee's on exactly this table, with nothing seen of the racks."""
    untold: Ruling
    """The same where nobody says whether the player had opened: ASK where it hangs on that."""

    @property
    def faults(self) -> tuple[str, ...]:
        """The codes of what is wrong."""
        return tuple(finding.code for finding in self.ruling.findings)

    @property
    def beside(self) -> tuple[str, ...]:
        """Those that hang on whether the player had opened, where the turn is ILLEGAL either way.

        Nothing in a picture tells, and nobody is asked. Empty where the verdict hangs on it, too, for
        then it has to be asked.
        """
        if self.untold.verdict is not Verdict.ILLEGAL:
            return ()
        told = {finding.code for finding in self.untold.findings}
        return tuple(code for code in self.faults if code not in told)


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn before it ends."""

    table: Board
    """The table at its start."""
    rack: Tiles
    """What the player holds."""
    elsewhere: Tiles
    """Every other tile that is not on the table."""
    opened: bool
    good: Board | None
    """A table that would be legal; None where the player draws."""

    @property
    def rows(self) -> Rows:
        """The sets at its start, where they lie apart."""
        melds = self.table.melds if isinstance(self.table, Layout) else ()
        return [list(meld.tiles) for meld in melds]


class WrongTurns:
    """Finds wrong turns, those first that came up least."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._made: Counter[str] = Counter()

    def find(self, moment: Moment, rules: RuleSet) -> WrongTurn | None:
        """One that is ILLEGAL, or None where nothing was found."""
        plain = PlainReferee(rules)
        found = []
        for what, table in self._tables(moment):
            if not _is_in_the_box(table, moment):
                continue
            turn = _turn(moment, table)
            ruling = judge(turn, rules, with_repairs=False)
            second = plain.verdict(moment.table, table, None, opened=moment.opened)
            if ruling.verdict is Verdict.ILLEGAL and second in (None, Verdict.ILLEGAL):
                untold = judge(replace(turn, opened=None), rules, with_repairs=False)
                found.append(WrongTurn(what, table, ruling, untold))
        if not found:
            return None
        self._chance.shuffle(found)
        rarest = min(found, key=lambda wrong: self._made[wrong.what])
        self._made[rarest.what] += 1
        return rarest

    def _tables(self, moment: Moment) -> Iterator[tuple[str, Board]]:
        good = moment.good or moment.table
        if isinstance(good, Layout):
            for what, way in _WAYS.items():
                rows = [list(meld.tiles) for meld in good.melds]
                if way(self, rows, moment):
                    yield what, Layout.of(filter(None, rows))
        spoiler = Spoiler(self._chance, moment.rack, moment.elsewhere, moment.table)
        for _ in range(SPOILED if isinstance(good, Layout) else SPOILED_BOARDS):
            spoiled = spoiler.spoiled(good)
            if spoiled is not None:
                yield spoiled

    # What people do. Each changes the rows, and says whether it could.

    def _some(self, rows: Rows, wanted: Callable[[list[Tile]], bool]) -> list[Tile] | None:
        found = [row for row in rows if wanted(row)]
        return self._chance.choice(found) if found else None

    def _from(self, moment: Moment, wanted: Callable[[Tile], bool]) -> Tile | None:
        found = [tile for tile in (*moment.rack, *moment.elsewhere) if wanted(tile)]
        return self._chance.choice(found) if found else None

    def _gap(self, rows: Rows, moment: Moment) -> bool:
        """A run goes on with a number left out."""
        row = self._some(rows, lambda row: _is_run(row) and (row[-1].rank or 99) < RANKS[-1] - 1)
        if row is None:
            return False
        last = row[-1]
        assert last.rank is not None
        wanted = Tile(last.suit, last.rank + 2)
        tile = self._from(moment, lambda tile: tile == wanted)
        return tile is not None and _append(row, tile)

    def _colour_twice(self, rows: Rows, moment: Moment) -> bool:
        row = self._some(rows, lambda row: _is_group(row) and len(row) < 4)
        if row is None:
            return False
        tile = self._from(moment, lambda tile: tile in row and not tile.is_joker)
        return tile is not None and _append(row, tile)

    def _wrong_colour(self, rows: Rows, moment: Moment) -> bool:
        """The right number in another colour at the end of a run."""
        row = self._some(rows, lambda row: _is_run(row) and (row[-1].rank or 99) < RANKS[-1])
        if row is None:
            return False
        last = row[-1]
        rank = (last.rank or 0) + 1
        tile = self._from(moment, lambda tile: tile.rank == rank and tile.suit != last.suit)
        return tile is not None and _append(row, tile)

    def _wrong_number(self, rows: Rows, moment: Moment) -> bool:
        row = self._some(rows, _is_group)
        if row is None:
            return False
        tile = self._from(moment, lambda tile: tile.rank not in (None, row[0].rank))
        return tile is not None and _append(row, tile)

    def _two(self, rows: Rows, moment: Moment) -> bool:
        """A group or run of two."""
        first = self._from(moment, lambda tile: not tile.is_joker)
        if first is None or first.rank is None:
            return False
        rank = first.rank
        second = self._from(
            moment,
            lambda tile: (
                (tile.rank == rank and tile.suit != first.suit)
                or (tile.suit == first.suit and tile.rank == rank + 1)
            ),
        )
        if second is None:
            return False
        rows.append([first, second])
        return True

    def _out_of_order(self, rows: Rows, moment: Moment) -> bool:
        del moment
        row = self._some(rows, lambda row: _is_run(row) and JOKER not in row)
        if row is None:
            return False
        at = self._chance.randrange(len(row) - 1)
        row[at], row[at + 1] = row[at + 1], row[at]
        return True

    def _round_the_corner(self, rows: Rows, moment: Moment) -> bool:
        """13 1 2."""
        del moment
        suit = self._chance.choice(list(Suit)[:4])
        rows.append([Tile(suit, 13), Tile(suit, 1), Tile(suit, 2)])
        return True

    def _taken_away(self, rows: Rows, moment: Moment) -> bool:
        """A tile of a long set goes into a rack, and what is left is a set."""
        del moment
        row = self._some(rows, lambda row: len(row) > 3)
        if row is None:
            return False
        del row[self._chance.choice([0, -1])]
        return True

    def _set_taken_away(self, rows: Rows, moment: Moment) -> bool:
        if not moment.rows:
            return False
        rows.remove(self._chance.choice(rows))
        return True

    def _too_little(self, rows: Rows, moment: Moment) -> bool:
        """An initial meld that is worth too little."""
        if moment.opened:
            return False
        rank = self._chance.randint(1, 7)
        rows[:] = moment.rows
        rows.append([Tile(suit, rank) for suit in self._chance.sample(list(Suit)[:4], 3)])
        return True

    def _loose(self, rows: Rows, moment: Moment) -> bool:
        tile = self._from(moment, lambda tile: not tile.is_joker)
        rows.append([] if tile is None else [tile])
        return tile is not None

    def _split_short(self, rows: Rows, moment: Moment) -> bool:
        """A set taken apart into pieces too small."""
        del moment
        row = self._some(rows, lambda row: len(row) > 3)
        if row is None:
            return False
        rows.append(row[-2:])
        del row[-2:]
        return True


def _append(row: list[Tile], tile: Tile) -> bool:
    row.append(tile)
    return True


def _is_group(row: list[Tile]) -> bool:
    ranks = {tile.rank for tile in row if not tile.is_joker}
    return len(row) > 2 and len(ranks) == 1


def _is_run(row: list[Tile]) -> bool:
    suits = {tile.suit for tile in row if not tile.is_joker}
    ranks = {tile.rank for tile in row if not tile.is_joker}
    return len(row) > 2 and len(suits) == 1 and len(ranks) > 1 and not row[-1].is_joker


def _turn(moment: Moment, table: Board) -> Turn:
    """The turn that leaves the table so, of which nothing is seen but the table."""
    if isinstance(table, GridLayout):
        assert isinstance(moment.table, GridLayout)
        turn = Turn(before=None, after=Layout(), opened=moment.opened, claims=())
        return turn.with_grid(moment.table, table)
    assert isinstance(moment.table, Layout)
    return Turn(moment.table, table, opened=moment.opened)


def _is_in_the_box(table: Board, moment: Moment) -> bool:
    there = Counter((*moment.table.tiles, *moment.rack, *moment.elsewhere))
    return Counter(table.tiles) <= there


_WAYS: Final[Mapping[str, Callable[[WrongTurns, Rows, Moment], bool]]] = MappingProxyType(
    {
        "a number left out in a run": WrongTurns._gap,
        "a colour twice in a group": WrongTurns._colour_twice,
        "another colour in a run": WrongTurns._wrong_colour,
        "another number in a group": WrongTurns._wrong_number,
        "a set of two": WrongTurns._two,
        "a run out of order": WrongTurns._out_of_order,
        "a run round the corner": WrongTurns._round_the_corner,
        "a tile taken from the table": WrongTurns._taken_away,
        "a set taken from the table": WrongTurns._set_taken_away,
        "an initial meld worth too little": WrongTurns._too_little,
        "a loose tile": WrongTurns._loose,
        "a set taken apart": WrongTurns._split_short,
    }
)
