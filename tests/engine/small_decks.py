"""Every table that some tiles can be laid to, on decks small enough to list them all, as the referee
judges them. It shares nothing with the solver: sets are written out, tables are made by trying."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from random import Random

from engine.layout import Layout
from engine.referee import Turn, Verdict, judge
from engine.ruleset import RuleSet, load_ruleset
from engine.tiles import JOKER, Tile, parse_tile

Row = tuple[Tile, ...]
Worth = tuple[int, int]


class SmallDeck:
    """A few suits and numbers in two copies, two jokers, and every set these can be laid to."""

    def __init__(self, suits: str, numbers: Iterable[int], *, ace_high: bool = False) -> None:
        kinds = [parse_tile(f"{suit}{number}") for suit in suits for number in numbers]
        self.tiles = Counter({JOKER: 2} | dict.fromkeys(kinds, 2))
        self.rows = sorted(
            row for row in set(_list_rows(ace_high)) if all(tile in self.tiles for tile in row)
        )
        self._with: dict[Tile, list[tuple[Row, Counter[Tile]]]] = {tile: [] for tile in self.tiles}
        for row in self.rows:
            for tile in set(row):
                self._with[tile].append((row, Counter(row)))

    def layouts(self, tiles: Counter[Tile]) -> set[tuple[Row, ...]]:
        """Every way to lay the tiles in sets, none left over; a run lies in order."""
        return {tuple(sorted(rows)) for rows in self._laid(tiles)}

    def _laid(self, tiles: Counter[Tile]) -> Iterator[tuple[Row, ...]]:
        if not tiles:
            yield ()
        # Every set has a numbered tile, so one of these may be looked at first: the rarest.
        rarest = min(
            (t for t in tiles if t != JOKER), key=lambda t: len(self._with[t]), default=None
        )
        for row, content in self._with[rarest] if rarest else ():
            if content <= tiles:
                for rows in self._laid(tiles - content):
                    yield (row, *rows)

    def position(self, random: Random, sets: int, rack: int) -> tuple[Layout, Row]:
        """A legal table of at most so many sets, most with jokers, and a rack. Now and then the tiles
        of a run do not lie in order."""
        left = self.tiles.copy()
        melds = []
        for _ in range(random.randint(1, sets)):
            wanted = random.random() < 0.7
            row = random.choice([r for r in self.rows if len(r) < 6 and (JOKER in r) == wanted])
            if Counter(row) <= left:
                left -= Counter(row)
                suits = {tile.suit for tile in row if tile != JOKER}
                shuffled = len(suits) == 1 < len(set(row) - {JOKER}) and random.random() < 0.2
                melds.append(tuple(random.sample(row, len(row))) if shuffled else row)
        pool = sorted(left.elements())
        return Layout.of(melds), tuple(random.sample(pool, min(len(pool), random.randint(1, rack))))


def _list_rows(ace_high: bool) -> Iterator[Row]:
    numbers = [*range(1, 14), *([1] if ace_high else [])]
    for suit in "KBRO":
        for length in range(3, 14):
            for start in range(len(numbers) - length + 1):
                window = [parse_tile(f"{suit}{n}") for n in numbers[start : start + length]]
                for jokers in range(3):
                    for places in combinations(range(length), jokers):
                        yield tuple(JOKER if at in places else t for at, t in enumerate(window))
    for number, jokers, count in product(range(1, 14), range(3), range(1, 5)):
        if 3 <= count + jokers <= 4:
            for suits in combinations("KBRO", count):
                yield (*(parse_tile(f"{suit}{number}") for suit in suits), *[JOKER] * jokers)


def racks(rack: Row) -> Iterator[Row]:
    """Every part of a rack, each once."""
    kinds = Counter(rack)
    for counts in product(*(range(count + 1) for count in kinds.values())):
        yield tuple(t for t, count in zip(kinds, counts, strict=True) for _ in range(count))


def worth(tiles: Iterable[Tile], objective: str = "tiles") -> Worth:
    """Tiles and points, or points and tiles."""
    ranks = [tile.rank or 0 for tile in tiles]
    return (len(ranks), sum(ranks)) if objective == "tiles" else (sum(ranks), len(ranks))


def is_legal(
    table: Layout, after: Layout, rack: Row, rules: RuleSet, *, opened: bool = True
) -> bool:
    """Whether the referee rules a turn LEGAL that leads from one table to another."""
    played = Counter(after.tiles) - Counter(table.tiles)
    rest = tuple((Counter(rack) - played).elements())
    turn = Turn(table, after, rack, rest, opened=opened, elapsed_s=1.0)
    return judge(turn, rules, with_repairs=False).verdict is Verdict.LEGAL


def better_play(
    deck: SmallDeck,
    table: Layout,
    rack: Row,
    rules: RuleSet,
    *,
    than: Worth,
    objective: str = "tiles",
    opened: bool = True,
) -> Layout | None:
    """A table after a legal play that is worth more; None when all of them are worth no more."""
    for played in racks(rack):
        if worth(played, objective) > max(than, (0, 0)):
            for rows in deck.layouts(Counter(table.tiles) + Counter(played)):
                # The dearest sets first: the referee counts an opening in the order sets lie.
                after = Layout.of(sorted(rows, key=worth, reverse=True))
                if is_legal(table, after, rack, rules, opened=opened):
                    return after
    return None


def random_rules(random: Random) -> RuleSet:
    """A game of tiles, half the time with joker rules that a table may choose."""
    name = random.choice(["pressman", "pressman-tournament", "sabra", "reset", "reset-freeze"])
    rules = load_ruleset(name, {"joker.max_per_set": 2})
    chosen = {}
    for switch in JOKER_SWITCHES if random.random() < 0.5 else ():
        if random.random() < 0.5:
            chosen[switch] = random.choice(rules.switches[switch].values)
    return rules.with_house_rules(chosen)


JOKER_SWITCHES = (
    "joker.identity",
    "joker.group3",
    "joker.group3_two",
    "joker.replace_from",
    "joker.reuse",
    "joker.freeze",
    "joker.free_removal",
)
