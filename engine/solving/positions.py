"""A position of a game as boards for the programme, and the sets of its best play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, Literal

from engine.ruleset import RuleSet
from engine.solving.groups import GroupLimits
from engine.solving.laying import TILE_OF, Rows, laid_out, with_jokers
from engine.solving.programme import Board, Parting, part
from engine.tiles import JOKER, RANKS, Tile

Objective = Literal["tiles", "points"]

_MUCH: Final = 10_000
"""More than the tiles or the points of any rack: what comes first outweighs what breaks ties."""


def numbers(rules: RuleSet) -> tuple[int, ...]:
    """The number printed on the tile of each column: 1 again after 13 where a run may end so."""
    return (*RANKS, 1) if rules.run.wrap == "high_or_low" else tuple(RANKS)


def _weights(rules: RuleSet, objective: Objective) -> tuple[int, ...]:
    if objective == "tiles":
        return tuple(_MUCH + number for number in numbers(rules))
    return tuple(_MUCH * number + 1 for number in numbers(rules))


@dataclass(frozen=True, slots=True)
class Barred:
    """What may not lie together in one set; see `Board`."""

    cuts: frozenset[tuple[int, int]] = frozenset()
    apart: tuple[tuple[int, tuple[int, ...]], ...] = ()

    def __or__(self, other: Barred) -> Barred:
        return Barred(self.cuts | other.cuts, self.apart + other.apart)


NOTHING_BARRED: Final = Barred()


def best_rows(
    on_table: Counter[Tile],
    on_rack: Counter[Tile],
    rules: RuleSet,
    objective: Objective,
    barred: Barred = NOTHING_BARRED,
) -> Rows | None:
    """The sets of a best play; None when the table has none.

    A tile may be there up to four times: a joker that goes on standing for it counts as one. What is
    barred may be given where there is no joker.

    First as if jokers could be left over: a play that puts down most numbered tiles nearly always has
    a set to which they can be added. Only where it has none are jokers counted one by one.
    """
    weights = _weights(rules, objective)
    positions = tuple(boards(on_table, on_rack, rules, weights))
    if barred != NOTHING_BARRED:
        positions = tuple(
            (replace(board, cuts=barred.cuts, apart=barred.apart), beforehand)
            for board, beforehand in positions
        )
    best = _everything(positions) or _best(positions)
    if best is None:
        return None
    jokers = on_table[JOKER] + on_rack[JOKER] - best[1].jokers
    rows, left = with_jokers(laid_out(*best, rules), jokers, rules)
    if not left:
        return rows
    worth = (_MUCH if objective == "tiles" else 1,) * len(weights)
    counted = _best(
        (
            replace(board, spare=True, joker_weights=worth, must_jokers=on_table[JOKER]),
            beforehand,
        )
        for board, beforehand in positions
    )
    return None if counted is None else laid_out(*counted, rules)


def _everything(positions: Iterable[tuple[Board, int]]) -> tuple[Board, Parting] | None:
    """A board all of whose tiles can be in sets with a joker to spare; None when there is none.

    Where a joker leaves the rack many ways on, most often all of it can be put down. That is found
    out much faster than what best to leave out, above all while jokers need not be tried.
    """
    for board, _ in positions:
        for jokers in range(board.jokers):
            whole = replace(board, must=board.may, jokers=jokers)
            parting = part(whole)
            if parting is not None:
                return whole, parting
    return None


def _best(positions: Iterable[tuple[Board, int]]) -> tuple[Board, Parting] | None:
    """The board whose best parting is worth most, with that parting."""
    best: tuple[Board, Parting] | None = None
    most = -1
    for board, beforehand in positions:
        parting = part(board)
        if parting is not None and parting.value + beforehand > most:
            best, most = (board, parting), parting.value + beforehand
            if not board.spare and parting.value == board.whole_value:
                break
    return best


def boards(
    on_table: Counter[Tile], on_rack: Counter[Tile], rules: RuleSet, weights: tuple[int, ...]
) -> Iterator[tuple[Board, int]]:
    """The position as boards, the best of which is meant, each with what it is worth beforehand.

    It is one board, or where 1 may follow 13 one for each number of 1s that do in each suit: they
    become a column of their own, and every tile there has to be in a run.
    """
    must = [[on_table[tile] for tile in row] for row in TILE_OF]
    spare = [[on_rack[tile] for tile in row] for row in TILE_OF]
    jokers = on_table[JOKER] + on_rack[JOKER]
    limits = GroupLimits(rules.group.least, rules.group.most, min(rules.joker.max_per_set, 2))
    may = [
        [one + other for one, other in zip(*rows, strict=True)]
        for rows in zip(must, spare, strict=True)
    ]
    may = _without_hopeless(must, may, jokers, rules)
    if len(weights) == len(RANKS):
        yield Board(_frozen(must), _frozen(may), weights, jokers, limits), 0
        return
    ends = [range(min(row[0], row[12] + jokers, row[11] + jokers) + 1) for row in may]
    for high in product(*ends):
        # Each 1 after 13 is in a run with a 12 and a 13, or with jokers in their places.
        pairs = zip(may, high, strict=True)
        owed = sum(max(0, ace - row[11]) + max(0, ace - row[12]) for row, ace in pairs)
        if owed > jokers:
            continue
        low_may = [[row[0] - ace, *row[1:], ace] for row, ace in zip(may, high, strict=True)]
        low_must = [
            [max(0, row[0] - ace), *row[1:], ace] for row, ace in zip(must, high, strict=True)
        ]
        played = sum(max(0, ace - row[0]) for row, ace in zip(must, high, strict=True))
        yield (
            Board(_frozen(low_must), _frozen(low_may), weights, jokers, limits),
            played * weights[-1],
        )


def _without_hopeless(
    must: list[list[int]], may: list[list[int]], jokers: int, rules: RuleSet
) -> list[list[int]]:
    """The tiles without those of the rack that no set can hold, whatever else lies in it."""
    in_suits = [sum(row[place] > 0 for row in may) for place in range(len(RANKS))]
    found = []
    for musts, mays in zip(must, may, strict=True):
        present = [count > 0 for count in mays]
        if rules.run.wrap != "none":
            present.append(present[0])
        runs = [
            start
            for start in range(len(present) - rules.run.least + 1)
            if sum(present[start : start + rules.run.least]) + jokers >= rules.run.least
        ]
        reached = {
            place % len(RANKS) for start in runs for place in range(start, start + rules.run.least)
        }
        found.append(
            [
                most if place in reached or in_suits[place] + jokers >= rules.group.least else least
                for place, (least, most) in enumerate(zip(musts, mays, strict=True))
            ]
        )
    return found


def _frozen(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, rows))
