"""Before a turn is called ILLEGAL it is asked whether one thing was mistaken for another, where that
would leave a legal turn and nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.layout import (
    Candidate,
    GridReading,
    Layout,
    LayoutReading,
    TileReading,
    parse_grid,
    parse_layout,
)
from engine.referee import Ruling, Turn, TurnReading, Verdict, judge, judge_reading
from engine.ruleset import load_ruleset
from engine.second_look import LEAST_HINT, confusions
from engine.tiles import Tile, parse_tile

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK
PRESSMAN = load_ruleset("pressman")
HINT = 0.001


def hinted(text: str, hint: float = HINT) -> TileReading:
    """`K9` sure without a hint, `K9(K2)` sure with one, `K9~(K2)` in no doubt that counts, but not sure;
    `K9/K8(K2)` in doubt; several hints stand apart by commas."""
    read, _, hints = text.removesuffix(")").partition("(")
    names = read.removesuffix("~").split("/")
    chances = [0.9955] if len(names) == 1 else [0.6, 0.395]
    candidates = tuple(Candidate(parse_tile(n), p) for n, p in zip(names, chances, strict=True))
    unlikely = tuple(Candidate(parse_tile(name), hint) for name in hints.split(",") if name)
    sure = len(names) == 1 and not read.endswith("~")
    return TileReading(candidates, sure, unlikely=unlikely)


def table(text: str, hint: float = HINT) -> LayoutReading:
    """A layout of such tiles."""
    rows = [row.split() for row in text.split("|")]
    tiles = tuple(hinted(word, hint) for row in rows for word in row)
    numbers = iter(range(len(tiles)))
    return LayoutReading(tiles, (tuple(tuple(next(numbers) for _ in row) for row in rows),))


def ruled(text: str, before: str | None = None, hint: float = HINT) -> Ruling:
    """The ruling on a turn of a player who has opened."""
    known = Turn(None if before is None else parse_layout(before), Layout(), opened=True)
    return judge_reading(TurnReading(table(text, hint), known), PRESSMAN)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        pytest.param("K2 B2 O9", ILLEGAL, id="nothing hints at a mistake"),
        pytest.param("K2 B2 O9(O2)", ASK, id="a number"),
        pytest.param("K2 B2 O9~(O2)", ASK, id="a number, of a tile that is not sure"),
        pytest.param("K2(K9) B2 O9", ILLEGAL, id="it mends nothing"),
        pytest.param("K2 B2 O9(O8)", ILLEGAL, id="nor does that number"),
        pytest.param("K9(K2) B9(B2) R9(R2) O2", ASK, id="one confusion, about three tiles"),
        pytest.param("K9 B9 R9 O2(O9)", ASK, id="the other way round"),
        pytest.param("K9(K2) B9 R2(R9) O9", ASK, id="a part of the tiles that it may be about"),
        pytest.param("K9(K2) B7(B2) R2", ILLEGAL, id="two confusions at once"),
        pytest.param("K9(K2) B2 R2 | K7(K1) B1 R1", ILLEGAL, id="two in two sets"),
        pytest.param("R7 K7(B7) K7", ASK, id="a colour"),
        pytest.param("R5(O5) O6 R7(O7)", ASK, id="a colour, about two tiles"),
        pytest.param("R4 R5 R9(J)", ASK, id="a joker"),
        pytest.param("R4 R5 K9(R6)", ASK, id="a number and a colour of one tile"),
        pytest.param("R4 K9(R5) R6 | B4 K10(B5) B6", ILLEGAL, id="such two are two mistakes"),
        pytest.param("K2 B2 O9(O8,O2)", ASK, id="the second hint"),
        pytest.param("K2 B2 O9/O8(O2)", ASK, id="beside a doubt that counts"),
        pytest.param("K2(K9) B2(B9) R2(R9)", LEGAL, id="what is legal stays so"),
    ],
)
def test_the_verdict_on_a_table_with_hints(text: str, verdict: Verdict) -> None:
    assert ruled(text).verdict is verdict


def test_a_hint_that_is_too_faint_is_none() -> None:
    assert ruled("K2 B2 O9(O2)", hint=LEAST_HINT).verdict is ASK
    assert ruled("K2 B2 O9(O2)", hint=LEAST_HINT * 0.99).verdict is ILLEGAL


def test_where_no_hint_mends_the_turn_the_ruling_is_as_without_hints() -> None:
    without, hints = "K2 B2 O9 | R4 R5", "K2(K9) B2 O9(O2) | R4 R5(R6)"
    before = "K2 B2 R2"
    assert ruled(hints, before) == ruled(without, before)
    assert [finding.code for finding in ruled(hints, before).findings]


def test_what_a_likely_confusion_would_mend_is_not_blamed_beside_what_stays_wrong() -> None:
    before, text = "K1 K2 K3", "B5 B9(B6) B7"
    codes = {hint: [f.code for f in ruled(text, before, hint).findings] for hint in (0.001, 0.03)}
    gone = ["TILE_CONSERVATION"] * 3
    assert codes == {0.001: ["RUN_GAP", *gone], 0.03: gone}


def test_beside_another_set_that_is_none_it_is_not_blamed_either() -> None:
    told = ruled("B5 B9(B6) B7 | K4 R4 O7", hint=0.03)
    assert [finding.meld for finding in told.findings] == [1]


def test_where_likely_confusions_mend_one_set_each_all_is_told() -> None:
    told = ruled("B5 B9(B6) B7 | K4 R4 O7(O4)", hint=0.03)
    assert told.verdict is ILLEGAL
    assert [finding.meld for finding in told.findings] == [0, 1]


def test_a_set_that_is_none_however_it_was_mistaken_is_blamed() -> None:
    told = ruled("B5 B9(B6) B11 | R4 R5", hint=0.03)
    assert [finding.meld for finding in told.findings] == [0, 1]


def test_the_question_is_about_the_tile_as_any_other_and_the_answer_settles_it() -> None:
    read = table("R5 R6 R7 | K2 B2 O9(O2)")
    ruling = judge_reading(read, PRESSMAN)
    (question,) = ruling.questions
    assert (question.kind, question.tile, question.options) == ("tile", 5, ("O9", "O2"))
    assert question.text == "Tile 3 of set 2: is it orange 9 or orange 2?"
    assert ruling.findings == ()
    as_read = judge_reading(read.with_tile(5, parse_tile("O9")), PRESSMAN)
    assert (as_read.verdict, as_read.questions) == (ILLEGAL, ())
    assert [finding.code for finding in as_read.findings] == ["GROUP_NUMBERS_DIFFER"]
    assert judge_reading(read.with_tile(5, parse_tile("O2")), PRESSMAN).verdict is LEGAL


def test_no_question_comes_twice_and_the_last_answer_brings_the_accusation() -> None:
    """Three tiles hint at the same mistake, and each is what it was read as."""
    read, asked = TurnReading(table("K9(K2) B9(B2) R9(R2) O2 | R5 R6 R7")), []
    while (ruling := judge_reading(read, PRESSMAN)).verdict is ASK:
        index = ruling.questions[0].tile
        assert index is not None
        asked.append(index)
        read = read.with_tile(index, parse_tile(("K9", "B9", "R9", "O2")[index]))
    assert ruling.verdict is ILLEGAL
    assert len(asked) == 1  # one of them that is a 9 leaves no group of 2s


def test_a_tile_of_the_table_before_that_was_read_otherwise_is_asked_for() -> None:
    before = "K2 B2 R2 O2"
    assert ruled("K9(K2) B2 R2 O2 | R5 R6 R7", before).verdict is ASK
    assert ruled("K9 B2 R2 O2 | R5 R6 R7", before).verdict is ILLEGAL


def test_a_tile_on_the_rack_may_be_the_one_that_was_mistaken() -> None:
    """A red 7 was played, and on the rack before a red 1 was read."""
    known = Turn(parse_layout("R4 R5 R6"), Layout(), opened=True)
    rack_after = (hinted("O3"),)

    def turn(on_rack: str) -> TurnReading:
        rack_before = (hinted(on_rack), hinted("O3"))
        played = table("R4 R5 R6 R7")
        return TurnReading(played, known, rack_before=rack_before, rack_after=rack_after)

    assert judge_reading(turn("R1"), PRESSMAN).verdict is ILLEGAL
    ruling = judge_reading(turn("R1(R7)"), PRESSMAN)
    assert (ruling.verdict, ruling.questions[0].tile) == (ASK, 4)
    assert ruling.questions[0].options == ("R1", "R7")


def test_a_tile_on_a_board_is_asked_for_too() -> None:
    grid = parse_grid("K4 K5 K9 / . . R6 / . . B6")
    read = GridReading.certain(grid)
    at = next(i for i, tile in enumerate(read.tiles) if str(tile) == "K9")
    rules = load_ruleset("rummi200kub")
    assert judge_reading(read, rules).verdict is ILLEGAL
    tiles = list(read.tiles)
    tiles[at] = hinted("K9(K6)")
    ruling = judge_reading(GridReading(tuple(tiles), read.arrangements), rules)
    assert (ruling.verdict, ruling.questions[0].tile) == (ASK, at)


def test_a_sure_reading_may_hint_by_its_other_candidates() -> None:
    tile = TileReading(
        (Candidate(parse_tile("O9"), 0.992), Candidate(parse_tile("O2"), 0.006)), True
    )
    read = table("K2 B2 O9")
    assert judge_reading(read, PRESSMAN).verdict is ILLEGAL
    read = LayoutReading((*read.tiles[:2], tile), read.arrangements)
    assert judge_reading(read, PRESSMAN).verdict is ASK


def test_the_likeliest_confusion_is_looked_at_first() -> None:
    tiles = (hinted("K9(K2)"), hinted("B9(B8)", 0.002), hinted("R9(R2)", 0.003), hinted("O1"))
    read = TurnReading(LayoutReading(tiles, ((tuple(range(4)),),)))
    doubtful = [
        [i for i, tile in enumerate(look.tiles) if not tile.sure] for look in confusions(read)
    ]
    assert doubtful == [[0, 2], [1]]


# Against an oracle that tries every turn which one confusion leaves.

SETS = ("K1 K2 K3", "R2 R3 R4 R5", "K4 B4 O4", "K3 B3 R3 O3", "B2 J B4")
MISTAKES = ({"2": "3", "3": "2", "4": "2"}, {"4": "5", "1": "4"}, {"K": "B", "B": "K", "R": "O"})


@st.composite
def any_table(draw: st.DrawFn) -> LayoutReading:
    """Two sets of sure tiles, one or two kinds of mistake in each; some tiles hint at what they truly
    are, or at what they might be mistaken for."""
    rows = []
    for _ in range(2):
        row = []
        mistakes = draw(st.lists(st.sampled_from(MISTAKES), min_size=1, max_size=2))
        for true in draw(st.sampled_from(SETS)).split():
            mistake = draw(st.sampled_from(mistakes))
            other = "".join(mistake.get(letter, letter) for letter in true)
            if other == true:
                row.append(true)
            else:
                forms = f"{other}({true})", f"{true}({other})", f"{other}(J,{true})", other, true
                row.append(draw(st.sampled_from(forms)))
        rows.append(" ".join(row))
    return table(" | ".join(rows))


def kind_of(one: Tile, other: Tile) -> object:
    if one.is_joker or other.is_joker or one.suit == other.suit:
        return frozenset({one.rank, other.rank})
    return frozenset({one.suit, other.suit}) if one.rank == other.rank else frozenset({one, other})


def confused(read: LayoutReading) -> Iterator[Sequence[Tile]]:
    """The tiles as read, and as every one confusion about any of them would have them."""
    kinds = {
        kind_of(tile.candidates[0].tile, item.tile) for tile in read.tiles for item in tile.unlikely
    }
    for kind in kinds or {None}:
        yield from product(
            *(
                [
                    tile.candidates[0].tile,
                    *(
                        item.tile
                        for item in tile.unlikely
                        if kind_of(tile.candidates[0].tile, item.tile) == kind
                    ),
                ]
                for tile in read.tiles
            )
        )


@settings(max_examples=60)
@given(any_table())
def test_a_table_is_asked_about_just_where_one_confusion_leaves_a_legal_one(
    read: LayoutReading,
) -> None:
    bare = LayoutReading(
        tuple(TileReading(tile.candidates, True) for tile in read.tiles), read.arrangements
    )
    counts = Counter(tile.best for tile in read.tiles)
    assume(all(number <= 2 for number in counts.values()))
    plain, ruling = judge_reading(bare, PRESSMAN), judge_reading(read, PRESSMAN)
    if plain.verdict is not ILLEGAL:
        assert ruling == plain
        return
    legal = False
    for tiles in confused(read):
        there = Counter(tiles)
        if all(number <= 2 for number in there.values()):
            rows = [[tiles[i] for i in row] for row in read.arrangements[0]]
            legal |= (
                judge(Turn(None, Layout.of(rows)), PRESSMAN, with_repairs=False).verdict is LEGAL
            )
    assert ruling.verdict is (ASK if legal else ILLEGAL)
    if not legal:
        assert ruling == plain
