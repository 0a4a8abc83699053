"""The fewest moves that mend a turn, by trying all moves: slow, and sharing nothing with the search.

Moves are those of docs/referee.md. `judge` says whether a turn is mended; here is only what moves are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations, permutations, product

from engine.layout import GridLayout, Layout
from engine.referee import Turn, Verdict, judge
from engine.ruleset import RuleSet
from engine.sets import is_set
from engine.tiles import Tile

Rows = tuple[tuple[tuple[Tile, ...], bool], ...]
"""Tiles that lie together, in any order where they were touched (True), else as they lay."""


def is_mended(turn: Turn, rules: RuleSet) -> bool:
    """Whether nothing is wrong with a turn, but that nothing was drawn with the table as it was."""
    ruling = judge(turn, rules, with_repairs=False)
    if ruling.verdict is not Verdict.ILLEGAL:
        return ruling.verdict is Verdict.LEGAL
    messages = [finding.message for finding in ruling.findings]
    return messages == ["No tile was played and none was drawn."]


def less(tiles: Iterable[Tile], tile: Tile) -> list[Tile]:
    left = list(tiles)
    left.remove(tile)
    return left


def ordered(tiles: Iterable[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles))


@dataclass(frozen=True)
class Position:
    """A turn after some moves."""

    rows: Rows
    rack: tuple[Tile, ...] | None
    discard: tuple[Tile, ...] | None
    off: tuple[Tile, ...] = ()
    """Tiles that moves took off the table."""
    missing: tuple[Tile, ...] = ()
    """Tiles of the table before that are not there."""

    def with_rows(
        self, numbers: Iterable[int], rows: Iterable[Iterable[Tile]], **others: object
    ) -> Position:
        """Some rows replaced by others, which then lie in any order."""
        gone = set(numbers)
        kept = [row for number, row in enumerate(self.rows) if number not in gone]
        new = [(ordered(row), True) for row in rows]
        found = tuple(sorted([*kept, *(row for row in new if row[0])]))
        return replace(self, rows=found, **others)  # type: ignore[arg-type]


class SlowRepairs:
    """Every repair of a turn with sets that lie apart, by breadth-first search."""

    def __init__(self, turn: Turn, rules: RuleSet) -> None:
        self.turn, self.rules = turn, rules
        self.cards = rules.contracts is not None
        was, now = Counter(turn.tiles_before), Counter(turn.tiles_after)
        known = turn.before is not None
        self.played = now - was if known else now
        self.gone = was - now if known else Counter[Tile]()
        held = Counter(turn.rack_before or ())
        knows_rack = turn.rack_before is not None and known and not self.cards
        self.strange = self.played - held if knows_rack else Counter[Tile]()
        self.ways: dict[tuple[Tile, ...], list[tuple[Tile, ...]]] = {}

    def fewest(self, most: int) -> int | None:
        """The fewest moves that mend the turn, None when it takes more than `most`."""
        turn = self.turn
        rows = tuple(sorted((meld.tiles, False) for meld in turn.after.melds))
        rack = None if turn.rack_after is None else ordered(turn.rack_after)
        discard = None if turn.discard is None else ordered(turn.discard)
        start = Position(rows, rack, discard, missing=ordered(self.gone.elements()))
        seen, edge = {start}, [start]
        for depth in range(most + 1):
            if any(map(self.is_mended, edge)):
                return depth
            if depth == most:
                break
            following = (new for position in edge for new in self.moves(position))
            if depth == most - 1:
                following = (new for new in following if self.may_be_mended(new))
            edge = [new for new in dict.fromkeys(following) if new not in seen]
            seen.update(edge)
        return None

    def moves(self, position: Position) -> Iterator[Position]:
        return chain(self.at_rows(position), self.coming(position), self.beside(position))

    def at_rows(self, position: Position) -> Iterator[Position]:
        rows = position.rows
        for number, (tiles, touched) in enumerate(rows):
            if not touched:
                yield position.with_rows([number], [tiles])
            for tile in dict.fromkeys(tiles):
                rest = less(tiles, tile)
                for other, (others, _) in enumerate(rows):
                    if other != number:
                        yield position.with_rows([number, other], [rest, (*others, tile)])
                yield position.with_rows([number], [rest, [tile]])
                if self.played[tile] > position.off.count(tile):
                    yield position.with_rows([number], [rest], **self.off(position, tile))
            for other in range(number):
                yield position.with_rows([number, other], [(*tiles, *rows[other][0])])
            for count in range(1, len(tiles) // 2 + 1):
                for chosen in combinations(range(len(tiles)), count):
                    parts = [
                        [t for n, t in enumerate(tiles) if (n in chosen) is x]
                        for x in (True, False)
                    ]
                    yield position.with_rows([number], parts)

    def off(self, position: Position, tile: Tile) -> dict[str, object]:
        """A tile off the table: to the rack, unless it came from nowhere."""
        rack = position.rack
        if rack is not None and position.off.count(tile) >= self.strange[tile]:
            rack = ordered((*rack, tile))
        return {"rack": rack, "off": ordered((*position.off, tile))}

    def coming(self, position: Position) -> Iterator[Position]:
        """Tiles that are missing, and in games of cards the discard and what must be played."""
        turn, rack = self.turn, position.rack
        for tile in dict.fromkeys(position.missing):
            more = Counter(turn.rack_after or ()) - Counter(turn.rack_before or ())
            back = rack
            if turn.rack_before is not None and rack is not None:
                placed = self.gone[tile] - position.missing.count(tile)
                if more[tile] > placed:
                    if tile not in rack:
                        continue
                    back = ordered(less(rack, tile))
            yield from self.placed(
                position, tile, rack=back, missing=ordered(less(position.missing, tile))
            )
        if not self.cards or position.discard is None:
            return
        for card in dict.fromkeys(position.discard):
            if card in (turn.discard or ()):
                yield from self.placed(
                    position, card, discard=ordered(less(position.discard, card))
                )
        if turn.rack_before == ():
            for card in dict.fromkeys(rack or ()):
                yield from self.placed(position, card, rack=ordered(less(rack or (), card)))

    def placed(self, position: Position, tile: Tile, **others: object) -> Iterator[Position]:
        for number, (tiles, _) in enumerate(position.rows):
            yield position.with_rows([number], [(*tiles, tile)], **others)
        yield position.with_rows([], [[tile]], **others)

    def beside(self, position: Position) -> Iterator[Position]:
        """Drawn tiles returned, lost ones put on the rack, and what may be done with the discard."""
        turn, rack, discard = self.turn, position.rack, position.discard
        for card in dict.fromkeys(discard or ()):
            held = None if rack is None else ordered((*rack, card))
            yield replace(position, rack=held, discard=ordered(less(discard or (), card)))
        if rack is None or turn.rack_before is None:
            return
        used = self.played + Counter(turn.discard or ())
        lost = Counter(turn.rack_before) - Counter(turn.rack_after or ()) - used
        for tile in lost:
            if rack.count(tile) < (turn.rack_after or ()).count(tile) + lost[tile]:
                yield replace(position, rack=ordered((*rack, tile)))
        for tile in Counter(rack) - (Counter(turn.rack_before) - self.played):
            yield replace(position, rack=ordered(less(rack, tile)))
        if discard is None:
            return
        for card in dict.fromkeys(rack):
            yield replace(
                position, rack=ordered(less(rack, card)), discard=ordered((*discard, card))
            )

    def may_be_mended(self, position: Position) -> bool:
        owed = [tile for tile in position.missing if not (self.cards and tile.is_joker)]
        return not owed and all(self.ways_to_lie(*row) for row in position.rows)

    def ways_to_lie(self, tiles: tuple[Tile, ...], touched: bool) -> list[tuple[Tile, ...]]:
        """The ways a row may lie as a set."""
        if not touched:
            return [tiles] if is_set(tiles, self.rules) else []
        if tiles not in self.ways:
            rows = dict.fromkeys(permutations(tiles))
            found = [row for row in rows if is_set(row, self.rules)]
            some = any(tile.is_joker for tile in tiles)
            self.ways[tiles] = found if some else found[:1]
        return self.ways[tiles]

    def is_mended(self, position: Position) -> bool:
        if not self.may_be_mended(position):
            return False
        for rows in product(*(self.ways_to_lie(*row) for row in position.rows)):
            turn = replace(
                self.turn,
                after=Layout.of(rows),
                rack_after=position.rack,
                discard=position.discard,
            )
            if is_mended(turn, self.rules):
                return True
        return False


Cell = tuple[int, int]
Cells = dict[Cell, Tile]


class SlowGridRepairs:
    """Every repair of a turn on a board: tiles taken up, then put down one by one to make sets."""

    def __init__(self, turn: Turn, rules: RuleSet) -> None:
        self.turn, self.rules = turn, rules
        assert turn.grid is not None
        self.cells: Cells = {
            (y, x): tile
            for y, row in enumerate(turn.grid.rows)
            for x, tile in enumerate(row)
            if tile is not None
        }
        was, now = Counter(turn.tiles_before), Counter(turn.tiles_after)
        self.played = now if turn.before is None else now - was
        self.gone = ordered((was - now).elements()) if turn.before is not None else ()
        knows_rack = turn.before is not None and turn.rack_before is not None
        self.strange = self.played - Counter(turn.rack_before) if knows_rack else Counter[Tile]()

    def fewest(self, most: int) -> int | None:
        """As `SlowRepairs.fewest`."""
        for moves in range(len(self.gone), most + 1):
            for up in combinations(sorted(self.cells), moves - len(self.gone)):
                cells = {cell: tile for cell, tile in self.cells.items() if cell not in up}
                held = ordered([*self.gone, *(self.cells[cell] for cell in up)])
                if self.can_be_put(cells, held, (), set()):
                    return moves
        return None

    def can_be_put(
        self, cells: Cells, held: tuple[Tile, ...], off: tuple[Tile, ...], seen: set[object]
    ) -> bool:
        key = (frozenset(cells.items()), held, off)
        if key in seen:
            return False
        seen.add(key)
        if not held:
            return self.is_mended(cells, off)
        for tile in dict.fromkeys(held):
            rest = ordered(less(held, tile))
            may_go = self.played[tile] > off.count(tile)
            if may_go and self.can_be_put(cells, rest, ordered((*off, tile)), seen):
                return True
            beside = {
                (y + a, x + b) for y, x in cells for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))
            }
            for cell in sorted(beside - set(cells)):
                more = {**cells, cell: tile}
                if self.is_good_at(more, cell) and self.can_be_put(more, rest, off, seen):
                    return True
        return False

    def is_good_at(self, cells: Cells, cell: Cell) -> bool:
        lines = [self.line(cells, cell, step) for step in ((0, 1), (1, 0))]
        lines = [line for line in lines if len(line) > 1]
        return bool(lines) and all(is_set(line, self.rules) for line in lines)

    def line(self, cells: Cells, cell: Cell, step: Cell) -> tuple[Tile, ...]:
        (y, x), (down, right) = cell, step
        while (y - down, x - right) in cells:
            y, x = y - down, x - right
        found = []
        while (y, x) in cells:
            found.append(cells[y, x])
            y, x = y + down, x + right
        return tuple(found)

    def is_mended(self, cells: Cells, off: tuple[Tile, ...]) -> bool:
        if not all(self.is_good_at(cells, cell) for cell in cells):
            return False
        rack = self.turn.rack_after
        if rack is not None:
            more = Counter(rack) - Counter(self.turn.rack_before or ())
            out = Counter(self.gone) & more
            rack = ordered((Counter(rack) - out + (Counter(off) - self.strange)).elements())
        turn = replace(self.turn, rack_after=rack)
        return is_mended(turn.with_grid(self.turn.grid_before, board_of(cells)), self.rules)


def board_of(cells: Cells) -> GridLayout:
    """The board of these cells."""
    if not cells:
        return GridLayout()
    ys, xs = {y for y, _ in cells}, {x for _, x in cells}
    return GridLayout(
        tuple(
            tuple(cells.get((y, x)) for x in range(min(xs), max(xs) + 1))
            for y in range(min(ys), max(ys) + 1)
        )
    )
