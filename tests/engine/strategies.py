"""What properties are tried on: rows, tables, racks and turns of any preset, legal ones and spoilt ones.

Everything takes the rules it is for, so that a property can be tried on every game. Boards of the grid
game have strategies of their own at the end.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hypothesis import assume, settings
from hypothesis import strategies as st

from engine.faults import Fault, Ruling, Verdict
from engine.layout import GridLayout, Layout, parse_grid
from engine.referee import judge
from engine.ruleset import RuleSet, list_presets, load_ruleset
from engine.sets import is_set
from engine.tiles import CARD_JOKER, CARD_SUITS, CARDS, JOKER, TILE_SUITS, TILES, Suit, Tile
from engine.turns import Turn, lines_of

Row = tuple[Tile, ...]

EXHAUSTIVE: Final = os.environ.get("MELDWATCH_EXHAUSTIVE") == "1"
"""Whether tests take their time, with `MELDWATCH_EXHAUSTIVE=1`: whole enumerations, many examples."""
PRESETS: Final = list_presets()
TILE_PRESETS: Final = tuple(
    name for name in PRESETS if load_ruleset(name).equipment.pieces == "tiles"
)
SET_PRESETS: Final = tuple(name for name in TILE_PRESETS if load_ruleset(name).table.form == "sets")
"""The tile games whose sets lie apart."""


def examples(number: int) -> settings:
    """So many examples of a property, and twenty times as many when there is time."""
    return settings(max_examples=number * (20 if EXHAUSTIVE else 1))


def deck(rules: RuleSet) -> tuple[Tile, ...]:
    """Every kind of tile of a game, jokers last."""
    return CARDS if rules.equipment.pieces == "cards" else TILES


def suits_of(rules: RuleSet) -> tuple[Suit, ...]:
    return CARD_SUITS if rules.equipment.pieces == "cards" else TILE_SUITS


def joker_of(rules: RuleSet) -> Tile:
    return CARD_JOKER if rules.equipment.pieces == "cards" else JOKER


def pool(rules: RuleSet) -> Counter[Tile]:
    """All tiles of a game, with how many there are."""
    equipment = rules.equipment
    return Counter(
        {tile: equipment.jokers if tile.is_joker else equipment.copies for tile in deck(rules)}
    )


def settled(preset: str, house_rules: Mapping[str, object] | None = None) -> RuleSet:
    """The rules of a preset with every open question answered by its usual value, or as told."""
    rules = load_ruleset(preset)
    usual = {
        name: switch.print(rules.value_of(name))
        for name, switch in rules.switches.items()
        if switch.asked
    }
    return load_ruleset(preset, usual | dict(house_rules or {}))


def _apart(rules: RuleSet) -> RuleSet:
    """Rules under which sets lie apart, for turns that are no boards."""
    is_grid = rules.table.form == "grid"
    return rules.with_house_rules({"table.form": "sets"}) if is_grid else rules


ASKING: Final = {name: load_ruleset(name) for name in PRESETS}
"""The presets with what they leave open left open."""
SETTLED: Final = {name: settled(name) for name in PRESETS}
APART: Final = {name: _apart(rules) for name, rules in ASKING.items()}
"""As `ASKING`, with all sets apart."""
APART_SETTLED: Final = {name: _apart(rules) for name, rules in SETTLED.items()}


def ruled(turn: Turn, rules: RuleSet) -> Ruling:
    """The ruling without repairs, which no property here is about."""
    return judge(turn, rules, with_repairs=False)


def summary(ruling: Ruling) -> tuple[Verdict, Fault, tuple[str | None, ...]]:
    """What a ruling comes to: verdict, faults and what is asked."""
    return ruling.verdict, ruling.faults, tuple(question.rule for question in ruling.questions)


# --- rows and tables ------------------------------------------------------------------------------


@st.composite
def plain_sets(draw: st.DrawFn, rules: RuleSet, most: int = 6) -> Row:
    """A group or a run without jokers, from either side."""
    if draw(st.booleans()):
        rank = draw(st.integers(1, 13))
        row = [Tile(suit, rank) for suit in draw(st.permutations(suits_of(rules)))]
        row = row[: draw(st.integers(rules.group.least, 4))]
    else:
        length = draw(st.integers(rules.run.least, most))
        start = draw(st.integers(1, 14 - length))
        suit = draw(st.sampled_from(suits_of(rules)))
        row = [Tile(suit, rank) for rank in range(start, start + length)]
    return tuple(row if draw(st.booleans()) else row[::-1])


@st.composite
def sets(draw: st.DrawFn, rules: RuleSet, most: int = 6) -> Row:
    """A legal set, one time in three with a joker or two in it."""
    row = list(draw(plain_sets(rules, most)))
    for _ in range(draw(st.sampled_from((0, 0, 0, 0, 1, 2)))):
        place = draw(st.integers(0, len(row) - 1))
        spoilt = [*row[:place], joker_of(rules), *row[place + 1 :]]
        row = spoilt if is_set(tuple(spoilt), rules) else row
    return tuple(row)


@st.composite
def near_sets(draw: st.DrawFn, rules: RuleSet) -> Row:
    """A set, or something close to one: a tile or two are others."""
    row = list(draw(sets(rules)))
    near = [joker_of(rules), *(Tile(s, r) for s in suits_of(rules)[:3] for r in (1, 2, 12, 13))]
    for _ in range(draw(st.integers(0, 2))):
        row[draw(st.integers(0, len(row) - 1))] = draw(st.sampled_from((*near, *deck(rules))))
    cut = draw(st.integers(0, 5))
    return tuple(row[:cut] if 0 < cut < len(row) else row)


@st.composite
def tables(draw: st.DrawFn, rules: RuleSet, least: int = 0, most: int = 4) -> Layout:
    """A legal table: sets, and of no tile more than the game has."""
    left = pool(rules)
    melds: list[Row] = []
    for row in draw(st.lists(sets(rules), min_size=least, max_size=most)):
        if Counter(row) <= left:
            left -= Counter(row)
            melds.append(row)
    return Layout.of(melds)


@st.composite
def racks(draw: st.DrawFn, rules: RuleSet, table: Layout, most: int = 4) -> Row:
    """Tiles that are not on a table."""
    left = sorted((pool(rules) - Counter(table.tiles)).elements())
    return tuple(draw(st.lists(st.sampled_from(left), max_size=most, unique_by=id)))


# --- turns ----------------------------------------------------------------------------------------


@st.composite
def turns(draw: st.DrawFn, rules: RuleSet) -> Turn:
    """Any turn, most of them wrong: rows before and after, many the same, and racks that may fit."""
    before = draw(st.lists(near_sets(rules), max_size=3))
    kept = [row for row in before if draw(st.integers(0, 3))]
    after = draw(st.permutations([*kept, *draw(st.lists(near_sets(rules), max_size=2))]))
    hands = st.none() | st.lists(st.sampled_from(deck(rules)), max_size=4).map(tuple)
    return Turn(
        Layout.of(before),
        Layout.of(after),
        draw(hands),
        draw(hands),
        draw(st.sampled_from([True, False, None])),
        draw(st.sampled_from([None, 10.0, 500.0])),
        pool_empty=draw(st.booleans()),
        players=draw(st.sampled_from([None, 2, 4])),
        contract=draw(st.none() | st.sampled_from([(2, 0), (1, 1)])),
        discard=draw(st.none() | hands.filter(bool)),
    )


@st.composite
def plays(draw: st.DrawFn, rules: RuleSet) -> Turn:
    """A legal play of a player who had opened, everything about it known: whole sets, a tile at the end
    of a run, a fourth one in a group, in one turn some of these. Jokers of the table stay."""
    after = [list(meld) for meld in draw(tables(rules, least=1)).melds]
    before: list[Row] = []
    for row in after:
        taken = 0
        if draw(st.integers(0, 2)) == 0 and rules.contracts is None:
            taken = len(row)
        elif draw(st.booleans()) and len(row) > max(rules.run.least, rules.group.least):
            taken = int(not row[-1].is_joker)
        rest = tuple(row[: len(row) - taken])
        if rest and (not is_set(rest, rules) or shows_no_side(rest)):
            # One number among jokers might stand for others than it did in the longer row.
            rest = tuple(row)
        before += [rest] if rest else []
    was, now = Layout.of(before), Layout.of(after)
    played = sorted((Counter(now.tiles) - Counter(was.tiles)).elements())
    rack = draw(racks(rules, now))
    if rules.contracts is not None:
        return _card_play(draw, rules, was, now, (*played, *rack))
    if not played:
        drawn = draw(
            st.sampled_from(sorted((pool(rules) - Counter((*now.tiles, *rack))).elements()))
        )
        return Turn(was, now, rack, (*rack, drawn), True, 9.0, players=4)
    return Turn(was, now, (*played, *rack), rack, True, 9.0, players=4)


def _card_play(draw: st.DrawFn, rules: RuleSet, was: Layout, now: Layout, hand: Row) -> Turn:
    """A lay-off that ends with a discard that no set on the table takes; the hand is played up or goes
    on with a card drawn."""
    left = Counter(hand) - (Counter(now.tiles) - Counter(was.tiles))
    free = sorted((pool(rules) - Counter((*now.tiles, *left.elements()))).elements())
    drawn = draw(st.sampled_from(free))
    held = left + Counter([drawn])
    harmless = [
        card for card in sorted(held) if not any(takes(m.tiles, card, rules) for m in now.melds)
    ]
    assume(harmless)
    discard = draw(st.sampled_from(harmless))
    after = tuple((held - Counter([discard])).elements())
    return Turn(was, now, hand, after, True, 9.0, players=4, contract=(2, 0), discard=(discard,))


def takes(row: Row, card: Tile, rules: RuleSet) -> bool:
    """Whether a set is one with a card more, wherever it is put, or in the place of its joker."""
    if any(is_set((*row[:i], card, *row[i:]), rules) for i in range(len(row) + 1)):
        return True
    places = [i for i, tile in enumerate(row) if tile.is_joker]
    suits = {tile.suit for tile in (*row, card) if not tile.is_joker}
    in_place = (is_set((*row[:i], card, *row[i + 1 :]), rules) for i in places)
    return len(suits) == 1 and any(in_place)


# --- changed turns --------------------------------------------------------------------------------


def mapped(turn: Turn, change: Callable[[Row], Row]) -> Turn:
    """A turn with every row of tiles of it changed alike."""

    def all_of(layout: Layout | None) -> Layout | None:
        return None if layout is None else Layout.of(change(meld.tiles) for meld in layout.melds)

    def hand(tiles: Row | None) -> Row | None:
        return None if tiles is None else change(tiles)

    return replace(
        turn,
        before=all_of(turn.before),
        after=all_of(turn.after) or Layout(),
        rack_before=hand(turn.rack_before),
        rack_after=hand(turn.rack_after),
        discard=hand(turn.discard),
    )


def recoloured(turn: Turn, order: Sequence[Suit], rules: RuleSet) -> Turn:
    """A turn with other names for its colours."""
    new = dict(zip(suits_of(rules), order, strict=True))
    return mapped(
        turn, lambda row: tuple(t if t.suit is None else Tile(new[t.suit], t.rank) for t in row)
    )


def reflected(turn: Turn) -> Turn:
    """A turn with 1 for 13, 2 for 12 and so on, every row from its other end."""
    return mapped(
        turn,
        lambda row: tuple(t if t.rank is None else Tile(t.suit, 14 - t.rank) for t in row[::-1]),
    )


@st.composite
def shuffled(draw: st.DrawFn, turn: Turn) -> Turn:
    """The same turn: sets in another order, seen from another side, racks sorted otherwise."""

    def turned(layout: Layout | None) -> Layout | None:
        if layout is None:
            return None
        melds = draw(st.permutations([meld.tiles for meld in layout.melds]))
        return Layout.of(
            row[::-1] if draw(st.booleans()) and not shows_no_side(row) else row for row in melds
        )

    def hand(tiles: Row | None) -> Row | None:
        return None if tiles is None else tuple(draw(st.permutations(tiles)))

    return replace(
        turn,
        before=turned(turn.before),
        after=turned(turn.after) or Layout(),
        rack_before=hand(turn.rack_before),
        rack_after=hand(turn.rack_after),
    )


def shows_no_side(row: Row) -> bool:
    """Whether a row is one number among jokers, which rises as it lies."""
    return sum(not tile.is_joker for tile in row) == 1


@st.composite
def one_tile_changed(draw: st.DrawFn, turn: Turn, rules: RuleSet) -> Turn:
    """A turn with one tile of the table after it exchanged for another kind, gone, or one too many."""
    rows = [list(meld.tiles) for meld in turn.after.melds]
    row = draw(st.sampled_from([number for number, row in enumerate(rows) if row]))
    place = draw(st.integers(0, len(rows[row]) - 1))
    how = draw(st.sampled_from(["exchanged", "removed", "added"]))
    other = draw(st.sampled_from([tile for tile in deck(rules) if tile != rows[row][place]]))
    if how == "removed":
        del rows[row][place]
    elif how == "added":
        rows[row].insert(place, other)
    else:
        rows[row][place] = other
    return replace(turn, after=Layout.of(row for row in rows if row))


# --- boards ---------------------------------------------------------------------------------------

_BOARD_TILES: Final = [*(Tile(suit, rank) for suit in TILE_SUITS[:3] for rank in (7, 8, 9)), JOKER]


def board_of(rows: Iterable[Iterable[Tile | None]]) -> GridLayout:
    """The board of some rows of cells, empty ones at its border cut off."""
    cells = [list(row) for row in rows]
    if not any(cell for row in cells for cell in row):
        return GridLayout()
    return parse_grid(" / ".join(" ".join(str(cell or ".") for cell in row) for row in cells))


few_tiles: Final = st.lists(
    st.lists(st.none() | st.sampled_from(_BOARD_TILES), min_size=3, max_size=3),
    min_size=3,
    max_size=3,
)
"""Cells of a small board, most of which are no legal one."""


def on_board(before: GridLayout | None, after: GridLayout, **more: object) -> Turn:
    """A turn on a board of a player who had opened."""
    turn = Turn(None, lines_of(after), opened=True)
    return replace(turn.with_grid(before, after), **more)  # type: ignore[arg-type]
