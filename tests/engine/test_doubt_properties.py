"""Doubtful readings against the slow way: every turn they may be, judged one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.doubts.survey import Doubts, survey_of
from engine.layout import (
    Candidate,
    GridReading,
    Layout,
    LayoutReading,
    TileReading,
    parse_grid,
)
from engine.questions import Tally
from engine.referee import Fault, Question, Turn, TurnReading, Verdict, judge, judge_reading
from engine.ruleset import RuleSet, list_presets, load_ruleset
from engine.tiles import Tile, parse_tile
from engine.turn_reading import ClaimReading
from tests.engine import doubtful
from tests.engine.doubtful import Case, cases, value_of, verdict_of
from tests.engine.ruling_tables import Row, load_tables

ASK, LEGAL, ILLEGAL = Verdict.ASK, Verdict.LEGAL, Verdict.ILLEGAL
WEIGHED = (
    "group.least",
    "joker.ambiguous_value",
    "joker.free_removal",
    "joker.freeze",
    "joker.max_per_set",
    "joker.reuse",
    "opening.same_turn_extension",
    "run.wrap",
)
"""What is left open here of all that is asked: every answer is tried with every other."""


def with_few_open(preset: str) -> RuleSet:
    usual = load_ruleset(preset).usual_answers()
    return load_ruleset(preset, {name: usual[name] for name in usual if name not in WEIGHED})


RULES = {name: with_few_open(name) for name in list_presets()}
BOARDS = ("K1 K2 K3 / . B2 . / . R2 .", "K1 B1 R1 / K2 . . / K3 . .", "R10 J B10 / . B11 . / . B12 .",
          "K1 K2 K3 . / . . . R1", "K1 B1 / K2 B2")  # fmt: skip

TILE_ROWS = (
    "K1 K2 K3", "K10 K11 K12 K13", "K1 B1 R1", "K13 B13 O13", "K2 J K4", "K1 B1 J", "K12 K13 K1",
    "R10 B10 O10", "R10 R11 R12", "K1 K2", "J K13 B13",
)  # fmt: skip
CARD_ROWS = (
    "AS 2S 3S 4S", "AS AH AD", "QS KS AS *", "KS KH KD", "2S * 4S 5S", "KS KH *", "AS AH", "KS KS KH",
)  # fmt: skip
OTHERS = {"tiles": "K1 B1 K3 R13 R10 J", "cards": "AS AH 2S KD *"}


@st.composite
def doubted(draw: st.DrawFn, tile: Tile, others: tuple[Tile, ...]) -> TileReading:
    """A tile sure, or taken for it or another one, in either order; perhaps none, or anything at all."""
    way = draw(st.sampled_from(("sure", "sure", "two", "two", "none", "both", "real doubt", "?")))
    if way == "sure":
        return TileReading.certain(tile)
    if way == "?":
        return TileReading((), False)
    names = [tile] if way == "none" else [tile, draw(st.sampled_from(others))]
    listed = list(dict.fromkeys(draw(st.permutations(names))))
    chances = [[1.0], [0.7, 0.3]][len(listed) - 1]
    if way == "real doubt":
        listed, chances = listed[:1], [0.97]
    candidates = tuple(Candidate(t, c) for t, c in zip(listed, chances, strict=True))
    may_be_none = way in ("none", "both")
    return TileReading(
        candidates, sure=chances == [1.0] and not may_be_none, may_be_none=may_be_none
    )


@st.composite
def turn_readings(draw: st.DrawFn, preset: str) -> TurnReading:
    """A turn near a legal one: a table of sets or nearly so, some of it new, with doubts in two tiles of
    it or of the hands; whatever else there is known, or not."""
    rules = RULES[preset]
    pieces = rules.equipment.pieces
    others = tuple(map(parse_tile, OTHERS[pieces].split()))
    some_rows = st.sampled_from(CARD_ROWS if pieces == "cards" else TILE_ROWS)
    rows = [row.split() for row in draw(st.lists(some_rows, min_size=1, max_size=2))]
    tiles = [parse_tile(name) for row in rows for name in row]
    numbers = iter(range(len(tiles)))
    melds = tuple(tuple(next(numbers) for _ in row) for row in rows)
    arrangements = [melds]
    if draw(st.integers(0, 3)) == 0:
        cut = draw(st.integers(1, len(tiles) - 1))
        arrangements.append((tuple(range(cut)), tuple(range(cut, len(tiles)))))
    in_doubt = draw(st.sets(st.integers(0, len(tiles) - 1), max_size=2))
    table = LayoutReading(
        tuple(
            draw(doubted(tile, others)) if index in in_doubt else TileReading.certain(tile)
            for index, tile in enumerate(tiles)
        ),
        tuple(dict.fromkeys(arrangements)),
    )
    whole = Layout.of([[parse_tile(name) for name in row] for row in rows])
    before = draw(
        st.sampled_from((None, Layout(), Layout(whole.melds[1:]), Layout(whole.melds[:1])))
    )
    played = (
        ()
        if before is None
        else tuple(whole.melds[0].tiles if whole.melds[1:] == before.melds else ())
    )
    new_card = parse_tile("3D" if pieces == "cards" else "O5")
    read = st.tuples(st.just(TileReading.certain(new_card))) | st.tuples(doubted(new_card, others))
    rack_before = draw(
        st.none() | read.map(lambda hand: (*map(TileReading.certain, played), *hand))
    )
    rack_after = draw(st.none() | read)
    cards = rules.contracts is not None
    known = Turn(
        before,
        Layout(),
        opened=draw(st.none() | st.booleans()),
        pool_empty=draw(st.booleans()),
        players=draw(st.sampled_from((None, 2))),
        contract=draw(st.sampled_from((None, (1, 0), (0, 1)))) if cards else None,
    )
    return TurnReading(
        table,
        known,
        rack_before=rack_before,
        rack_after=rack_after,
        discard=draw(st.none() | read) if cards else None,
        held_after=draw(st.none() | st.integers(0, 1)),
    )


@st.composite
def board_turns(draw: st.DrawFn) -> TurnReading:
    """A board near a legal one, with doubts in two tiles, perhaps another arrangement, and a claim."""
    grid = parse_grid(draw(st.sampled_from(BOARDS)))
    others = tuple(map(parse_tile, OTHERS["tiles"].split()))
    certain = GridReading.certain(grid)
    in_doubt = draw(st.sets(st.integers(0, len(grid.tiles) - 1), max_size=2))
    tiles = tuple(
        draw(doubted(tile, others)) if index in in_doubt else TileReading.certain(tile)
        for index, tile in enumerate(grid.tiles)
    )
    arrangements = list(certain.arrangements)
    if draw(st.integers(0, 3)) == 0:
        arrangements.append(tuple(zip(*arrangements[0], strict=True)))
    before = draw(st.sampled_from((None, parse_grid("-"), grid)))
    known = replace(Turn(None, Layout()), opened=draw(st.none() | st.booleans()))
    if before is not None:
        known = known.with_grid(before, parse_grid("-"))
    claims = draw(st.sampled_from((None, (ClaimReading((0, 1, 2)),))))
    return TurnReading(GridReading(tiles, tuple(dict.fromkeys(arrangements))), known, claims=claims)


@dataclass(frozen=True)
class Doubtful:
    """A reading with all it may be."""

    rules: RuleSet
    seen: TurnReading
    cases: list[Case]


ROWS_OF = ("pressman", "sabra", "reset", "sets-and-runs")


@st.composite
def readings(draw: st.DrawFn) -> tuple[RuleSet, TurnReading]:
    """A doubtful turn of one of the five games."""
    preset = draw(st.sampled_from((*ROWS_OF, "rummi200kub")))
    seen = draw(turn_readings(preset) if preset in ROWS_OF else board_turns())
    return RULES[preset], seen


@st.composite
def doubtful_turns(draw: st.DrawFn, most: int = 80) -> Doubtful:
    """A reading that few turns are left of, but at least one."""
    rules, seen = draw(readings())
    assume(0 < len(doubtful.worlds(seen, rules)) <= most)
    return Doubtful(rules, seen, cases(seen, rules))


@settings(max_examples=40)
@given(doubtful_turns())
def test_ruling_and_question_are_the_best_over_every_turn_it_may_be(turn: Doubtful) -> None:
    """The verdict is that of all of them, and no question is worth more than the one asked."""
    ruling = judge_reading(turn.seen, turn.rules)
    assert ruling.verdict is verdict_of(turn.cases)
    assert len(ruling.questions) == (ruling.verdict is ASK)
    for question in ruling.questions:
        asked = value_of(question, turn.seen, turn.cases)
        others = doubtful.every_question(turn.seen, turn.rules, turn.cases)
        best = max((value_of(q, turn.seen, turn.cases) for q in others), default=asked)
        assert asked == pytest.approx(best, abs=2e-6)


@settings(max_examples=40)
@given(doubtful_turns())
def test_readings_are_counted_as_if_they_were_listed(turn: Doubtful) -> None:
    """How many they are, what they weigh and how much of that is legal: by arrangement and answer."""
    survey = survey_of(Doubts(turn.seen, turn.rules))
    assert survey is not None
    arrangements = range(len(turn.seen.table.arrangements))
    for number in arrangements:
        listed = [case for case in turn.cases if case.world.arrangement == number]
        assert summed(survey.arrangements.get(number, {})) == pytest.approx(listed_sum(listed))
    for index in range(len(turn.seen.tiles)):
        answers = survey.by_answer(index)
        assert set(answers) == {case.world.tiles[index] for case in turn.cases}
        for tile, tally in answers.items():
            listed = [case for case in turn.cases if case.world.tiles[index] == tile]
            assert summed(tally) == pytest.approx(listed_sum(listed))


def summed(tally: Tally) -> tuple[float, float, float]:
    """How many readings, their weight, and the weight of the legal ones."""
    legal = sum(weight * sum(o) / len(o) for o, (_, weight) in tally.items())
    counts, weights = zip(*tally.values(), strict=True) if tally else ((), ())
    return sum(counts), sum(weights), legal


def listed_sum(listed: list[Case]) -> tuple[float, float, float]:
    weights = [case.weight for case in listed]
    legal = sum(case.weight for case in listed if case.legal)
    return len({id(case.world) for case in listed}), sum(weights), legal


@settings(max_examples=25)
@given(doubtful_turns())
def test_a_finding_is_one_in_every_turn_it_may_be(turn: Doubtful) -> None:
    """Two tiles, one of which may be none, are too few for a set also where one lies alone."""
    ruling = judge_reading(turn.seen, turn.rules)
    told = {item.fault for item in ruling.findings if item.code != "SET_INVALID"}
    assert not ruling.findings or ruling.verdict is ILLEGAL
    for world in {id(case.world): case.world for case in turn.cases}.values():
        found = {item.fault for item in judge(world.turn, turn.rules, with_repairs=False).findings}
        assert told <= found | ({Fault.SET_TOO_SHORT} if Fault.LOOSE_TILE in found else set())


def answer_truly(
    question: Question, turn: Doubtful, truth: Case, ids: list[int]
) -> tuple[Doubtful, list[int]]:
    """The reading once a question is answered as it is; `ids` are the first numbers of its tiles."""
    seen, rules = turn.seen, turn.rules
    if question.kind == "house_rule":
        name = str(question.rule)
        return replace(turn, rules=rules.with_house_rules({name: truth.said[name]})), ids
    if question.kind == "opened":
        opened = replace(seen.known, opened=truth.said["opened"] == "yes")
        return replace(turn, seen=seen.with_known(opened)), ids
    if question.kind == "tile":
        assert question.tile is not None
        tile = truth.world.tiles[ids[question.tile]]
        left = [i for n, i in enumerate(ids) if n != question.tile or tile is not None]
        return replace(turn, seen=seen.with_tile(question.tile, tile)), left
    number = next(n for n in range(len(seen.table.arrangements)) if lies_so(turn, n, truth, ids))
    return replace(turn, seen=seen.with_arrangement(number)), ids


def lies_so(turn: Doubtful, number: int, truth: Case, ids: list[int]) -> bool:
    """Whether an arrangement may be the true one."""
    return any(
        world.arrangement == number
        and world.turn.after == truth.world.turn.after
        and world.turn.grid == truth.world.turn.grid
        and all(world.tiles[n] == truth.world.tiles[i] for n, i in enumerate(ids))
        for world in doubtful.worlds(turn.seen, turn.rules)
    )


@settings(max_examples=30)
@given(doubtful_turns(), st.randoms(use_true_random=False))
def test_true_answers_end_in_the_true_verdict(turn: Doubtful, random: Random) -> None:
    """Within as many questions as there are things in doubt, and never with another verdict."""
    truth = random.choice(turn.cases)
    ids = list(range(len(turn.seen.tiles)))
    # Where a tile is none, it may be asked once more whether the row it lay in is one or two.
    in_doubt = sum(1 + tile.may_be_none for tile in turn.seen.tiles if not tile.sure)
    most = in_doubt + 1 + len(doubtful.answers_of(turn.rules))
    for _ in range(most + 1):
        ruling = judge_reading(turn.seen, turn.rules)
        if ruling.verdict is not ASK:
            break
        turn, ids = answer_truly(ruling.questions[0], turn, truth, ids)
    assert ruling.verdict is (LEGAL if truth.legal else ILLEGAL)


@settings(max_examples=40)
@given(readings(), st.integers(0, 20), st.integers(0, 5))
def test_one_more_candidate_never_makes_it_legal(
    turn: tuple[RuleSet, TurnReading], index: int, extra: int
) -> None:
    """Nor does it turn LEGAL into ILLEGAL: it can only take certainty away. With no reading possible
    before, there was nothing to take."""
    rules, seen = turn
    assume(next(Doubts(seen, rules).readings(), None) is not None)
    was = judge_reading(seen, rules).verdict
    others = OTHERS[rules.equipment.pieces].split()
    more = with_candidate(
        seen, index % len(seen.table.tiles), parse_tile(others[extra % len(others)])
    )
    assert judge_reading(more, rules).verdict in (was, ASK)


def with_candidate(seen: TurnReading, index: int, tile: Tile) -> TurnReading:
    """A reading in which a tile may be one thing more, and anything else as likely as before."""
    old = seen.table.tiles[index]
    known = [] if any(c.tile == tile for c in old.candidates) else [Candidate(tile, 0.0)]
    new = TileReading((*old.candidates[: 1 if old.sure else None], *known), False, old.may_be_none)
    tiles = (*seen.table.tiles[:index], new, *seen.table.tiles[index + 1 :])
    return replace(seen, table=replace(seen.table, tiles=tiles))


@settings(max_examples=40)
@given(readings(), st.randoms(use_true_random=False))
def test_the_order_of_tiles_and_rows_is_no_matter(
    turn: tuple[RuleSet, TurnReading], random: Random
) -> None:
    rules, seen = turn
    assume(isinstance(seen.table, LayoutReading))
    order = list(range(len(seen.table.tiles)))
    random.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    arrangements = []
    for rows in seen.table.arrangements:
        moved = [tuple(place[index] for index in row) for row in rows]
        random.shuffle(moved)
        arrangements.append(tuple(moved))
    table = LayoutReading(tuple(seen.table.tiles[old] for old in order), tuple(arrangements))
    shuffled = replace(seen, table=table)
    one, other = judge_reading(seen, rules), judge_reading(shuffled, rules)
    assert one.verdict is other.verdict
    assert sorted(item.code for item in one.findings) == sorted(
        item.code for item in other.findings
    )
    if one.questions and 0 < len(doubtful.worlds(seen, rules)) <= 20:
        same = value_of(one.questions[0], seen, cases(seen, rules))
        assert value_of(other.questions[0], shuffled, cases(shuffled, rules)) == pytest.approx(same)


@settings(max_examples=40)
@given(readings())
def test_which_candidate_is_likelier_decides_nothing(turn: tuple[RuleSet, TurnReading]) -> None:
    """A legal table is read no more readily than an illegal one: with their chances changed over, the
    legal and the illegal candidate of a doubt get the same verdict."""
    rules, seen = turn
    tiles = tuple(map(changed_over, seen.table.tiles))
    mirrored = replace(seen, table=replace(seen.table, tiles=tiles))
    assert judge_reading(mirrored, rules).verdict is judge_reading(seen, rules).verdict


def changed_over(tile: TileReading) -> TileReading:
    """The same candidates, the last of them the likeliest."""
    if tile.sure:
        return tile
    kinds = [candidate.tile for candidate in tile.candidates][::-1]
    chances = [candidate.probability for candidate in tile.candidates]
    candidates = tuple(Candidate(kind, c) for kind, c in zip(kinds, chances, strict=True))
    return replace(tile, candidates=candidates)


@settings(max_examples=40)
@given(readings(), st.randoms(use_true_random=False))
def test_what_tiles_may_be_does_not_rest_on_how_they_lie(
    turn: tuple[RuleSet, TurnReading], random: Random
) -> None:
    """Dealt out anew, which makes legal tables illegal, the same tiles may be the same things."""
    rules, seen = turn
    assume(isinstance(seen.table, LayoutReading))
    order = list(range(len(seen.table.tiles)))
    random.shuffle(order)
    cut = random.randrange(len(order)) + 1
    rows = tuple(filter(None, (tuple(order[:cut]), tuple(order[cut:]))))
    dealt = replace(seen, table=LayoutReading(seen.table.tiles, (rows,)))
    assert may_be(dealt, rules) == may_be(seen, rules)


def may_be(seen: TurnReading, rules: RuleSet) -> set[tuple[Tile | None, ...]]:
    return {possible.tiles for possible in Doubts(seen, rules).readings()}


CERTAIN = {
    f"{row.turn.preset}-{row.ruling}": row
    for table in load_tables()
    for row in table.rows
    if "TOO_MANY_COPIES" not in row.ruling
}
"""Of the tables of rulings a turn for each ruling of each game."""


@pytest.mark.parametrize("row", CERTAIN.values(), ids=CERTAIN)
def test_a_turn_read_without_doubt_is_ruled_as_if_it_were_known(row: Row) -> None:
    """With hands known, and with hands read and sure."""
    turn, rules = row.turn.turn, load_ruleset(row.turn.preset, row.turn.house_rules)
    certain, ruling = TurnReading.certain(turn), judge(turn, rules)
    assert judge_reading(certain, rules) == ruling
    hands = {
        name: tuple(map(TileReading.certain, hand))
        for name in ("rack_before", "rack_after", "discard")
        if (hand := getattr(turn, name)) is not None
    }
    unknown = replace(turn, **dict.fromkeys(hands))
    assert judge_reading(replace(certain, known=unknown, **hands), rules) == ruling
