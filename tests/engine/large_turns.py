"""Turns on tables of 40 to 106 tiles with mistakes in them, from a seeded random number generator."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.layout import Layout
from engine.ruleset import RuleSet
from engine.sets import is_set
from engine.tiles import JOKER, TILE_SUITS, TILES, Tile
from engine.turns import Turn

Rows = list[list[Tile]]


def large_turn(random: Random, rules: RuleSet) -> Turn:
    """A turn that is mostly illegal: tiles put down anywhere, moved, exchanged or gone; or sets that are
    all legal, and jokers moved between them."""
    before = large_table(random, random.randint(40, 106))
    after = [list(row) for row in before]
    pool = _pool(before, random)
    rack = pool[:6]
    played = rack[: random.randint(1, 3)]
    if random.random() < 0.6:
        _put_anywhere(random, after, played)
        for _ in range(random.randint(0, 2)):
            _make_a_mistake(random, after)
    else:
        played = _put_where_they_fit(random, after, rack, rules)
        for _ in range(random.randint(1, 3)):
            _move_to_where_it_fits(random, after, rules)
    rest = list((Counter(rack) - Counter(played)).elements())
    drawn = pool[6:7] if random.random() < 0.15 else []
    opened = random.random() < 0.8
    return Turn(
        Layout.of(before),
        Layout.of(row for row in after if row),
        (*played, *rest),
        (*rest, *drawn),
        opened=opened,
    )


def large_table(random: Random, most: int) -> Rows:
    """Runs and groups of all numbers, as many as there is room for, up to two jokers among them."""
    rows: Rows = []
    for _ in range(2):
        numbers = list(range(1, 14))
        while numbers:
            count = random.choice([3, 4, 5])
            block = numbers if len(numbers) < count + 3 else numbers[:count]
            numbers = numbers[len(block) :]
            if random.random() < 0.5:
                rows += [[Tile(suit, rank) for rank in block] for suit in TILE_SUITS]
            else:
                rows += [[Tile(suit, rank) for suit in TILE_SUITS] for rank in block]
    random.shuffle(rows)
    kept: Rows = []
    for row in rows:
        if sum(map(len, kept)) + len(row) <= most:
            kept.append(row)
    for row in random.sample(kept, random.randint(0, 2)):
        row[random.randrange(len(row))] = JOKER
    return kept


def _pool(table: Rows, random: Random) -> list[Tile]:
    """The tiles that do not lie on a table, in any order."""
    pool = [tile for tile in TILES for _ in range(2)]
    for row in table:
        for tile in row:
            pool.remove(tile)
    random.shuffle(pool)
    return pool


def _put_anywhere(random: Random, rows: Rows, tiles: list[Tile]) -> None:
    for tile in tiles:
        if random.random() < 0.5:
            random.choice(rows).append(tile)
        elif random.random() < 0.5:
            rows[-1].append(tile)
        else:
            rows.append([tile])


def _make_a_mistake(random: Random, rows: Rows) -> None:
    one, other = random.choice(rows), random.choice(rows)
    if not one or not other:
        return
    place, to = random.randrange(len(one)), random.randrange(len(other))
    how = random.random()
    if how < 0.5:
        other.append(one.pop(place))
    elif how < 0.7:
        one.pop(place)
    else:
        one[place], other[to] = other[to], one[place]


def _put_where_they_fit(
    random: Random, rows: Rows, tiles: list[Tile], rules: RuleSet
) -> list[Tile]:
    played = []
    for tile in tiles:
        fitting = [row for row in rows if is_set((*row, tile), rules)]
        if fitting and len(played) < 3:
            random.choice(fitting).append(tile)
            played.append(tile)
    return played


def _move_to_where_it_fits(random: Random, rows: Rows, rules: RuleSet) -> None:
    """A tile, rather a joker, from a set that can spare it to one that can take it."""
    moves = [
        (one, place, other)
        for one in rows
        for place in range(len(one))
        if is_set((*one[:place], *one[place + 1 :]), rules)
        for other in rows
        if other is not one and is_set((*other, one[place]), rules)
    ]
    jokers = [move for move in moves if move[0][move[1]].is_joker]
    if moves:
        one, place, other = random.choice(jokers or moves)
        other.append(one.pop(place))
