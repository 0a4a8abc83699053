"""Properties of rulings, and a slow oracle that was written another way."""

from __future__ import annotations

from itertools import pairwise, product

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.layout import Layout
from engine.melds import Meld
from engine.referee import Turn, Verdict, judge
from engine.ruleset import load_ruleset
from engine.sets import is_set
from engine.tiles import JOKER, TILE_SUITS, TILES, Tile

PRESSMAN = load_ruleset("pressman", {"run.order": "laid"})

suits = st.sampled_from(TILE_SUITS)
tiles = st.sampled_from(TILES)


@st.composite
def legal_rows(draw: st.DrawFn) -> tuple[Tile, ...]:
    """A group or a run from either side, with up to one joker."""
    if draw(st.booleans()):
        rank = draw(st.integers(1, 13))
        row = [Tile(suit, rank) for suit in draw(st.permutations(TILE_SUITS))][
            : draw(st.integers(3, 4))
        ]
    else:
        suit, length = draw(suits), draw(st.integers(3, 13))
        start = draw(st.integers(1, 14 - length))
        row = [Tile(suit, rank) for rank in range(start, start + length)]
        row = row if draw(st.booleans()) else row[::-1]
    if draw(st.booleans()):
        row[draw(st.integers(0, len(row) - 1))] = JOKER
    return tuple(row)


near_rows = st.lists(
    st.sampled_from([JOKER, *(Tile(suit, rank) for suit in TILE_SUITS[:3] for rank in range(1, 6))])
    | tiles,
    min_size=1,
    max_size=5,
).map(tuple)


def oracle(row: tuple[Tile, ...]) -> bool:
    """Try every tile for every joker; then a set is what PR-06 and PR-07 say, word for word."""
    if all(tile == JOKER for tile in row):
        return False
    choices = [TILES[:-1] if tile == JOKER else (tile,) for tile in row]
    for filled in product(*choices):
        numbers = [tile.rank or 0 for tile in filled]
        colours = [tile.suit for tile in filled]
        group = len(row) in (3, 4) and len(set(numbers)) == 1 and len(set(colours)) == len(row)
        steps = {after - now for now, after in pairwise(numbers)}
        run = len(row) >= 3 and len(set(colours)) == 1 and steps in ({1}, {-1})
        if group or run:
            return True
    return False


@settings(max_examples=300)
@given(near_rows.filter(lambda row: sum(tile == JOKER for tile in row) <= 2))
def test_a_set_is_what_the_slow_oracle_says(row: tuple[Tile, ...]) -> None:
    """Two jokers beside one number that can rise are read as rising; as sets they agree all the same."""
    assert is_set(row, PRESSMAN) == oracle(row)


@given(legal_rows())
def test_what_is_made_as_a_set_is_one(row: tuple[Tile, ...]) -> None:
    assert is_set(row, PRESSMAN)
    assert is_set(row[::-1], PRESSMAN)


@given(st.lists(legal_rows(), max_size=3), st.data())
def test_one_changed_tile_is_caught_or_still_legal(
    rows: list[tuple[Tile, ...]], data: st.DataObject
) -> None:
    """No fault goes by, and none is invented: the verdict is the oracle's, set by set."""
    if rows:
        number = data.draw(st.integers(0, len(rows) - 1))
        index = data.draw(st.integers(0, len(rows[number]) - 1))
        row = list(rows[number])
        row[index] = data.draw(tiles)
        rows[number] = tuple(row)
    ruling = judge(Turn(None, Layout.of(rows)), PRESSMAN, with_repairs=False)
    counts = [sum(row.count(tile) for row in rows) for tile in set(sum(rows, ()))]
    expected = all(map(oracle, rows)) and max(counts, default=0) <= 2
    assert (ruling.verdict is Verdict.LEGAL) == expected


layouts = st.lists(legal_rows() | near_rows, max_size=4).map(Layout.of)


@given(layouts, layouts, st.permutations(TILE_SUITS))
def test_colours_are_alike(before: Layout, after: Layout, order: list[object]) -> None:
    """Renaming the colours changes no verdict and no fault."""
    renamed = dict(zip(TILE_SUITS, order, strict=True))

    def rename(layout: Layout) -> Layout:
        return Layout.of(
            [tile if tile == JOKER else Tile(renamed[tile.suit], tile.rank) for tile in meld]  # type: ignore[index,arg-type]
            for meld in layout.melds
        )

    for start in (None, before):
        one = judge(Turn(start, after, opened=True), PRESSMAN, with_repairs=False)
        other = judge(
            Turn(start and rename(start), rename(after), opened=True), PRESSMAN, with_repairs=False
        )
        assert one.verdict is other.verdict
        assert one.faults == other.faults


@given(layouts, layouts, st.randoms(use_true_random=False))
def test_the_order_of_sets_and_the_side_of_the_table_say_nothing(
    before: Layout, after: Layout, random: object
) -> None:
    def shuffled(layout: Layout) -> Layout:
        melds = [meld if random.random() < 0.5 else meld.reversed() for meld in layout.melds]  # type: ignore[attr-defined]
        # One number among jokers rises as it lies, so it has a side.
        melds = [
            old if sum(tile != JOKER for tile in old) == 1 else new
            for old, new in zip(layout.melds, melds, strict=True)
        ]
        random.shuffle(melds)  # type: ignore[attr-defined]
        return Layout(tuple(melds))

    one = judge(Turn(before, after, opened=True), PRESSMAN, with_repairs=False)
    other = judge(
        Turn(shuffled(before), shuffled(after), opened=True), PRESSMAN, with_repairs=False
    )
    assert one.verdict is other.verdict
    assert one.faults == other.faults


@given(layouts)
def test_nothing_played_and_nothing_moved_is_no_new_fault(table: Layout) -> None:
    """A turn that leaves the table alone is as legal as the table."""
    alone = judge(Turn(None, table), PRESSMAN, with_repairs=False)
    turn = judge(Turn(table, table, opened=True), PRESSMAN, with_repairs=False)
    assert turn.faults == alone.faults


@given(st.lists(legal_rows(), min_size=1, max_size=3), tiles)
def test_a_tile_that_vanishes_is_noticed(rows: list[tuple[Tile, ...]], extra: Tile) -> None:
    before = Layout.of([*rows, (extra,)])
    ruling = judge(Turn(before, Layout.of(rows), opened=True), PRESSMAN, with_repairs=False)
    assert "TILE_CONSERVATION" in {finding.code for finding in ruling.findings}


@given(layouts)
def test_every_finding_is_whole(table: Layout) -> None:
    """A known rule with its words, a set that is there, and a repair that is a phrase or none."""
    for finding in judge(Turn(None, table), PRESSMAN).findings:
        assert finding.rule
        assert finding.quote
        assert finding.message[0].isupper()
        assert finding.meld is None or 0 <= finding.meld < len(table.melds)
        if finding.meld is not None:
            assert set(finding.tiles) <= set(table.melds[finding.meld].tiles)
        assert finding.repair is None or finding.repair[0].islower()


@given(near_rows)
def test_a_meld_reads_the_same_from_its_own_side(row: tuple[Tile, ...]) -> None:
    meld = Meld(row)
    assert meld.reversed().reversed() == meld
