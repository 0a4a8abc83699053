"""What the search for the smallest repair promises beside the repair: steps that are counted, the same
answer every time, and large tables that it gets through."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from engine.layout import Layout
from engine.melds import parse_tiles
from engine.packing import packed_content
from engine.referee import Turn, Verdict, judge
from engine.repairs import find_repair, grid_search, search
from engine.repairs.contents import KeptContents, SetContents, is_part, tiles_of
from engine.repairs.tables import TableTask
from engine.ruleset import RuleSet, load_ruleset
from engine.sets import kinds_of
from engine.worlds import worlds_of
from tests.engine.large_turns import large_turn
from tests.engine.strategies import deck

PRESSMAN = load_ruleset("pressman")
REFEREE = Path(__file__).resolve().parents[2] / "docs" / "referee.md"
SEEDS = range(40)
LATE = 0
"""The seed of a turn that three moves mend."""


@pytest.mark.parametrize("preset", ["pressman", "sabra"])
def test_the_steps_last_for_large_tables(preset: str) -> None:
    """But for one turn in twenty at most; and what is found mends the turn."""
    rules = load_ruleset(preset)
    moves, ran_out = [], 0
    for seed in SEEDS:
        turn = large_turn(Random(seed), rules)
        if judge(turn, rules, with_repairs=False).verdict is not Verdict.ILLEGAL:
            continue
        world = min(worlds_of(turn, rules), key=lambda item: len(item.examination.findings))
        task = TableTask(turn, world)
        repair = task.repair()
        ran_out += task.ran_out
        moves.append(None if repair is None else repair.moves)
        if repair is not None:
            left = judge(repair.turn, world.rules, with_repairs=False).findings
            assert {finding.code for finding in left} <= {"NO_RACK_TILE"}, seed
    assert {1, 2, 3} <= set(moves)
    assert ran_out <= len(moves) // 20


@pytest.mark.parametrize(
    ("preset", "seed", "moves"),
    [
        # in each two jokers lie where neither may; of the second no three moves mend that
        ("pressman-tournament", 786, 3),
        ("pressman", 1490, None),
    ],
)
def test_the_steps_last_where_two_jokers_are_misplaced(
    preset: str, seed: int, moves: int | None
) -> None:
    asked = load_ruleset(preset)
    rules = asked.with_house_rules(asked.usual_answers())
    turn = large_turn(Random(seed), rules)
    world = min(worlds_of(turn, rules), key=lambda item: len(item.examination.findings))
    task = TableTask(turn, world)
    repair = task.repair()
    assert (repair and repair.moves, task.ran_out) == (moves, False)


def test_the_documents_say_how_many_steps_there_are() -> None:
    section = REFEREE.read_text("utf-8").partition("## Repairs\n")[2].partition("\n## ")[0]
    assert f"takes {search.MOST_NODES:,} steps at most" in section
    assert f"on a board {grid_search.MOST_NODES:,}," in section


def found(turn: Turn, rules: RuleSet, nodes: int | None = None) -> str | None:
    repair = find_repair(turn, worlds_of(turn, rules), nodes=nodes)
    return None if repair is None else repair.text


def test_a_search_out_of_steps_finds_nothing() -> None:
    """Rather than a repair that is perhaps not the smallest. One of few moves takes few steps."""
    late, early = (
        large_turn(Random(LATE), PRESSMAN),
        Turn(None, Layout.of([parse_tiles("K1 K2 K3 O9")])),
    )
    assert found(late, PRESSMAN) is not None
    assert found(late, PRESSMAN, nodes=5) is None
    assert found(early, PRESSMAN, nodes=50) == "take away orange 9"


def test_the_same_turn_has_the_same_repair() -> None:
    """Whatever was searched before it."""
    first = [found(large_turn(Random(seed), PRESSMAN), PRESSMAN) for seed in SEEDS[:8]]
    again = [found(large_turn(Random(seed), PRESSMAN), PRESSMAN) for seed in reversed(SEEDS[:8])]
    assert first == again[::-1]


CONTENTS = [
    # of what one may go, of what one more makes a set
    ("K1 K2 K3", "", "K4 J"),
    ("K1 K2 K3 K4", "K1 K4", "K5 J"),
    ("K1 K2 K3 O9", "O9", ""),
    ("K5 B5", "", "R5 O5 J"),
    ("K5 B5 R5 O5", "K5 B5 R5 O5", ""),
    ("K7 J", "", "K5 K6 K8 K9 B7 R7 O7 J"),
    ("K9", "K9", ""),
]


@pytest.mark.parametrize(("tiles", "spares", "takes"), CONTENTS)
def test_what_a_set_can_spare_and_take(tiles: str, spares: str, takes: str) -> None:
    contents, content = SetContents(PRESSMAN), packed_content(parse_tiles(tiles))
    assert set(tiles_of(contents.spares(content))) == set(parse_tiles(spares))
    assert set(tiles_of(contents.takes(content))) == set(parse_tiles(takes))


RULES = [load_ruleset(name) for name in ("pressman", "reset", "sets-and-runs")]


def some_contents(rules: RuleSet, most: int, count: int) -> list[bytes]:
    """Tiles that often go together: of two suits and of numbers close by, now and then a joker."""
    random, kinds = Random(7), deck(rules)
    found = []
    for _ in range(count):
        low = random.randint(1, 11)
        near = [t for t in kinds[:26] if t.rank is not None and low <= t.rank <= low + 3]
        near += [kinds[-1], kinds[26 + low]]
        found.append(packed_content(random.choice(near) for _ in range(random.randint(1, most))))
    return found


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.preset)
def test_no_tile_is_overlooked_that_makes_a_set(rules: RuleSet) -> None:
    """The search looks among near tiles only, here all are tried; and so for tiles that may go."""
    contents = SetContents(rules)
    for content in some_contents(rules, 6, 150):
        tiles = tiles_of(content)
        more = {t for t in deck(rules) if kinds_of((*tiles, t), rules)}
        assert set(tiles_of(contents.takes(content))) == more
        less = {t for n, t in enumerate(tiles) if kinds_of(tiles[:n] + tiles[n + 1 :], rules)}
        assert set(tiles_of(contents.spares(content))) == (less if len(tiles) > 1 else set(tiles))


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.preset)
def test_no_way_to_part_tiles_is_overlooked(rules: RuleSet) -> None:
    contents = SetContents(rules)
    for content in some_contents(rules, 9, 150):
        places = range(len(content))
        parts = set()
        for count in places:
            for chosen in combinations(places, count):
                part = bytes(content[n] for n in chosen)
                rest = bytes(content[n] for n in places if n not in chosen)
                if contents.is_good(part) and contents.is_good(rest):
                    parts.add(tuple(sorted((part, rest))))
        assert set(contents.partings(content, 2)) == parts


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.preset)
def test_rows_are_kept_or_made_of_what_was_played(rules: RuleSet) -> None:
    """In the turn of an initial meld: the rows as before it, and sets of played tiles."""
    sets, contents = SetContents(rules), some_contents(rules, 5, 80)
    before = [content for content in contents[:10] if len(content) > 1]
    played = packed_content(tile for content in contents[10:14] for tile in tiles_of(content))
    kept = KeptContents(before, sets, played)
    for content in [*before, *contents]:
        assert kept.is_good(content) == (
            content in before or (is_part(content, played) and sets.is_good(content))
        )
        for kind in kept.takes(content):
            assert kept.is_good(bytes(sorted((*content, kind))))
