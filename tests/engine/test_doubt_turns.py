"""Doubts beside the table: hands, discards and claims that were read, and what physics says of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.doubts.survey import Doubts
from engine.layout import Layout, parse_layout
from engine.melds import parse_tiles
from engine.referee import Fault, Ruling, Turn, TurnReading, Verdict, judge_reading
from engine.ruleset import load_ruleset
from engine.tiles import parse_tile
from engine.turn_reading import ClaimReading
from engine.turns import Claim, parse_turn
from tests.engine.doubtful import board, hand, reading

LEGAL, ILLEGAL, ASK = Verdict.LEGAL, Verdict.ILLEGAL, Verdict.ASK
PRESSMAN = load_ruleset("pressman")
CARDS = load_ruleset("sets-and-runs")
CHOSEN = {"sets-and-runs": {"group.least": 3}, "reset": {"draw.two_return": "secret"}}
"""What tables have chosen of what is open by the rules they play by."""
KNOWN = Turn(parse_layout("R3 R4 R5"), Layout(), opened=True, elapsed_s=10.0)


def ruled(seen: TurnReading, preset: str = "pressman") -> Ruling:
    return judge_reading(seen, load_ruleset(preset, CHOSEN.get(preset)))


def known(preset: str, fields: str) -> Turn:
    """A turn that is known but for its table after, from the fields that matter."""
    unknown = {"before": "?", "after": "-", "rack": "? > ?", "opened": "yes", "elapsed": "10.0"}
    given = {field.partition(":")[0].strip() for field in fields.split(";")}
    rest = "".join(f"; {name}: {value}" for name, value in unknown.items() if name not in given)
    return parse_turn(f"turn/1 {preset}; {fields}{rest}").turn


@pytest.mark.parametrize(
    ("preset", "fields", "after", "verdict", "codes"),
    [
        # how many play: two draw two and return one
        ("reset", "before: K1 K2 K3; rack: O9 R5 > O9 B7 R8; players: 2", "K1 K2 K3", LEGAL, []),
        ("reset", "before: K1 K2 K3; rack: O9 R5 > O9 B7 R8; players: 3", "K1 K2 K3", ILLEGAL,
         ["TILE_CONSERVATION", "RACK_COUNT"]),
        # an empty pool lets a turn pass
        ("pressman", "before: K1 K2 K3; rack: O9 > O9; pool: empty", "K1 K2 K3", LEGAL, []),
        ("pressman", "before: K1 K2 K3; rack: O9 > O9", "K1 K2 K3", ILLEGAL, ["NO_RACK_TILE"]),
        # the contract of the round
        ("sets-and-runs", "before: -; opened: no; contract: 1 0", "KS KH KD", LEGAL, []),
        ("sets-and-runs", "before: -; opened: no; contract: 2 0", "KS KH KD", ILLEGAL,
         ["CONTRACT_NOT_MET"]),
        # the discard
        ("sets-and-runs", "before: KS KH KD; discard: 2C", "KS KH KD", LEGAL, []),
        ("sets-and-runs", "before: KS KH KD; discard: KC", "KS KH KD", ILLEGAL,
         ["DISCARD_PLAYABLE"]),
        # the clock
        ("pressman", "before: K1 K2 K3; elapsed: 119.0", "K1 K2 K3 K4", LEGAL, []),
        ("pressman", "before: K1 K2 K3; elapsed: 121.0", "K1 K2 K3 K4", ILLEGAL, ["TIME_OVER"]),
    ],
)  # fmt: skip
def test_what_is_known_of_a_turn_counts_beside_a_table_that_was_read(
    preset: str, fields: str, after: str, verdict: Verdict, codes: list[str]
) -> None:
    ruling = ruled(TurnReading(reading(after), known(preset, fields)), preset)
    assert ruling.verdict is verdict
    assert sorted(item.code for item in ruling.findings) == sorted(codes)


def test_a_discard_read_with_doubt_is_asked_for_where_it_decides() -> None:
    """A king could be played on the kings; a two could not."""
    turn = known("sets-and-runs", "before: KS KH KD")
    seen = TurnReading(reading("KS KH KD"), turn, discard=hand("2C/KC"))
    (question,) = ruled(seen, "sets-and-runs").questions
    assert (question.tile, question.options) == (3, ("2C", "KC"))
    assert question.text == "Card 1 of the discard: is it 2 of clubs or king of clubs?"
    assert ruled(seen.with_tile(3, parse_tile("2C")), "sets-and-runs").verdict is LEGAL
    illegal = ruled(seen.with_tile(3, parse_tile("KC")), "sets-and-runs")
    assert [finding.code for finding in illegal.findings] == ["DISCARD_PLAYABLE"]


def test_a_discard_whose_doubt_decides_nothing_is_not_asked_for() -> None:
    turn = known("sets-and-runs", "before: KS KH KD")
    seen = TurnReading(reading("KS KH KD"), turn, discard=hand("2C/3C"))
    assert ruled(seen, "sets-and-runs").verdict is LEGAL


def test_a_joker_swapped_out_of_a_run_may_be_gone_from_a_table_in_doubt() -> None:
    """SR-21: the five takes its place, and the joker goes to the hand. The other five is no run."""
    turn = known("sets-and-runs", "before: 4S * 6S 7S")
    ruling = ruled(TurnReading(reading("4S 5S/5H 6S 7S"), turn), "sets-and-runs")
    assert (ruling.verdict, ruling.questions[0].options) == (ASK, ("5S", "5H"))


def test_a_rack_read_with_doubt_is_asked_for_where_it_decides() -> None:
    """R6 came to the table; it came from the rack if the rack held it."""
    seen = TurnReading(reading("R3 R4 R5 R6"), KNOWN, hand("K1 R6/R8"), hand("K1"))
    (question,) = ruled(seen).questions
    assert (question.tile, question.options) == (5, ("R6", "R8"))
    assert question.text == "Tile 2 of the rack before the turn: is it red 6 or red 8?"
    assert ruled(seen.with_tile(5, parse_tile("R6"))).verdict is LEGAL
    told = {finding.code for finding in ruled(seen.with_tile(5, parse_tile("R8"))).findings}
    assert told == {"TILE_CONSERVATION"}


def test_a_tile_of_the_rack_after_the_turn_is_named_as_such() -> None:
    seen = TurnReading(reading("R3 R4 R5"), KNOWN, hand("K1"), hand("K1/R5 B9"))
    (question,) = ruled(seen).questions
    assert question.text == "Tile 1 of the rack after the turn: is it black 1 or red 5?"


def test_something_on_the_rack_that_is_no_tile_is_left_out_when_told() -> None:
    seen = TurnReading(reading("R3 R4 R5 R6"), KNOWN, hand("K1 R6"), hand("K1 B2!"))
    assert ruled(seen).verdict is ASK
    told = seen.with_tile(7, None)
    assert told.rack_after == hand("K1")
    assert ruled(told).verdict is LEGAL
    assert ruled(seen.with_tile(7, parse_tile("B2"))).faults.code == "DRAW_THEN_PLAY"


# fmt: off
COPIES = [
    # two of a tile on the table, so that on the rack it is another: before the turn ...
    ("O7 O8 O9 | R6 B6 K6 | R6 O6 B6", "O7 O8 O9 O10 | R6 B6 K6 | R6 O6 B6", "R6/O10", "-", LEGAL),
    ("O7 O8 O9 | R6 B6 K6", "O7 O8 O9 O10 | R6 B6 K6", "R6/O10", "-", ASK),
    # ... and after it
    ("R3 R4 R5 | R3 B3 K3", "R3 R4 R5 | R3 B3 K3", "K1", "K1 R3/B2", LEGAL),
    # jokers, of which there are two
    ("J R4 R5 | R6 J R8", "J R4 R5 | R6 J R8", "K1", "K1 J/B2", LEGAL),
    ("J R4 R5 | R6 R7 R8", "J R4 R5 | R6 R7 R8", "K1", "K1 J/B2", LEGAL),
    # the doubt on the table and the doubt on the rack are one tile of which one is left
    ("R3 R4 R5 | R6 B6 K6", "R3 R4 R5 R6/B9 | R6 B6 K6", "R6 K1", "K1/R6", ASK),
]
# fmt: on


@pytest.mark.parametrize(("before", "after", "held", "holds", "verdict"), COPIES)
def test_there_are_two_of_a_tile_over_table_and_rack_at_each_moment(
    before: str, after: str, held: str, holds: str, verdict: Verdict
) -> None:
    turn = replace(KNOWN, before=parse_layout(before))
    rack = hand("" if holds == "-" else holds)
    seen = TurnReading(reading(after), turn, hand(held), rack)
    assert ruled(seen).verdict is verdict


def test_a_third_copy_on_the_rack_is_asked_for_and_nobody_accused() -> None:
    turn = replace(KNOWN, before=parse_layout("R3 R4 R5 | R3 B3 K3"))
    seen = TurnReading(reading("R3 R4 R5 | R3 B3 K3"), turn, hand("R3 K1"), hand("K1 K1"))
    (question,) = ruled(seen).questions
    assert question.tile == 6
    assert question.text == (
        "Red 3 was read more often than the game has it. "
        "Which tile is tile 1 of the rack before the turn?"
    )


def test_a_counted_rack_says_whether_something_on_it_is_a_tile() -> None:
    """One drawn tile makes two; what else was seen there is none. Whether that is legal is no matter."""
    seen = TurnReading(reading("R3 R4 R5"), KNOWN, hand("K1"), hand("K1 B2! O9!"))
    assert ruled(seen).verdict is ASK
    assert ruled(replace(seen, held_after=2)).verdict is LEGAL
    assert ruled(replace(seen, held_after=3)).verdict is ILLEGAL
    # A count that the reading cannot come to is no help: a tile was overlooked, nobody knows which.
    assert ruled(replace(seen, held_after=4)).verdict is ASK


# fmt: off
MIRRORED = [
    # the likelier candidate legal, then the other one: the same question
    ("K7 B7 R7/B7", "K7 B7 B7/R7", ASK),
    ("K7 K8 K9/B9", "K7 K8 B9/K9", ASK),
    ("K7 K8 J/B9", "K7 K8 B9/J", ASK),
    ("K7 K8 K9 | K4!", "K7 K8 K9! | K4", None),
    # the illegal one struck by two other copies, and then the legal one
    ("K7 K8 K9 | K7 B7 R7 | B4 B5 B6/K7", "K7 K8 K9 | K7 B7 R7 | B4 B5 K7/B6", LEGAL),
    ("K7 K8 K9 | K7 B7 R7 | K5 K6 K7/B9", "K7 K8 K9 | K7 B7 R7 | K5 K6 B9/K7", ILLEGAL),
    # three copies read and sure: a legal table and an illegal one are both asked about
    ("K7 K8 K9 | K7 B7 R7 | K7 B7 O7", "K7 K8 K9 | K7 B7 R7 | K7 B7 O8", ASK),
]
# fmt: on


@pytest.mark.parametrize(("legal", "illegal", "verdict"), MIRRORED)
def test_an_illegal_table_is_read_as_carefully_as_a_legal_one(
    legal: str, illegal: str, verdict: Verdict | None
) -> None:
    one, other = (judge_reading(reading(text), PRESSMAN) for text in (legal, illegal))
    if verdict is None:
        assert (one.verdict, other.verdict) == (ASK, ILLEGAL)
        return
    assert (one.verdict, other.verdict) == (verdict, verdict)
    for mine, its in zip(one.questions, other.questions, strict=True):
        assert (mine.tile, sorted(mine.options)) == (its.tile, sorted(its.options))


def test_a_tile_of_the_table_before_is_offered_and_never_taken_for_granted() -> None:
    """K9 lay there and is missed. That it may not be taken away is a rule, and no reason to see it."""
    turn = replace(KNOWN, before=parse_layout("K7 K8 K9 | R3 R4 R5"))
    ruling = ruled(TurnReading(reading("K7 K8 ? | R3 R4 R5 R6"), turn))
    assert ruling.verdict is ASK
    assert ruling.questions[0].options == ("K9",)
    assert ruling.questions[0].text == "Tile 3 of set 1: is it black 9 or another tile?"


def test_a_new_tile_that_was_not_on_the_rack_may_lie_there_all_the_same() -> None:
    seen = reading("R3 R4 R5 R6/R2")
    turn = replace(KNOWN, rack_before=parse_tiles("K1 R6"), rack_after=parse_tiles("K1"))
    ruling = ruled(TurnReading(seen, turn))
    assert (ruling.verdict, ruling.questions[0].options) == (ASK, ("R6", "R2"))


def test_a_claim_lies_on_tiles_and_is_of_whatever_they_are() -> None:
    """The board is legal either way; what was claimed is a set on it whichever tile it is."""
    turn = known("rummi200kub", "before: ?; after: ?; grid: K7 B7 R7 > K7 B7 R7; rack: O1 > O1")
    seen = TurnReading(board("K7 B7 R7/O7"), replace(turn, grid_before=None, before=None))
    lying = replace(seen, claims=(ClaimReading((0, 1, 2)),))
    assert ruled(lying, "rummi200kub").verdict is LEGAL
    said = replace(seen.known, claims=(Claim(parse_layout("K7 B7 R7").melds[0]),))
    assert ruled(seen.with_known(said), "rummi200kub").verdict is ASK


@pytest.mark.parametrize(
    ("fields", "after", "verdict"),
    [
        # the board was not seen cell by cell: its lines alone are judged, whatever lay there before
        ("before: K7 B7 R7", "K7 B7 R7/O7", LEGAL),
        ("before: K7 B7 R7", "K7 B7 R7/R8", ASK),
        # and the claims, which are judged with them
        ("before: ?; claims: 0 K7 B7 R7", "K7 B7 R7/O7", ASK),
        ("before: ?; claims: 0 K1 B1 R1", "K7 B7 R7/O7", ILLEGAL),
    ],
)
def test_lines_of_a_board_in_doubt_are_judged_without_the_table_before(
    fields: str, after: str, verdict: Verdict
) -> None:
    turn = known("rummi200kub", fields)
    assert ruled(TurnReading(reading(after), turn), "rummi200kub").verdict is verdict


def test_what_could_not_be_checked_in_one_of_the_readings_is_said() -> None:
    """Where the last tile is none, nothing was played, so a joker may have been held back."""
    seen = TurnReading(reading("K7 K8 K9 K10!"), known("reset", "before: K7 K8 K9"))
    ruling = ruled(seen, "reset")
    assert ruling.verdict is LEGAL
    assert any("joker was held back" in sentence for sentence in ruling.unchecked)
    played = ruled(seen.with_tile(3, parse_tile("K10")), "reset")
    assert not any("joker was held back" in sentence for sentence in played.unchecked)


def test_a_tile_is_pointed_out_in_a_set_only_where_it_lies_there_in_every_reading() -> None:
    """None of these came from the rack. K3 lies in the first set; K1 there, or in the second."""
    seen = TurnReading(reading("K1/B1 K2 K3 | K1 K2"), Turn(Layout(), Layout()), hand("O5"))
    found = [item for item in ruled(seen).findings if item.fault is Fault.TILE_CONSERVATION]
    assert {(str(item.tiles[0]), item.meld) for item in found} == {
        ("K1", None),
        ("K2", 0),
        ("K3", 0),
    }


@pytest.mark.parametrize("after", ["K2 K3 K4/K5", "R4 B4 O4/O5", "K1 K2 K3 | R4 R5/R9"])
def test_an_initial_meld_worth_too_little_is_named_whatever_exactly_it_is_worth(after: str) -> None:
    seen = TurnReading(reading(after), Turn(Layout(), Layout(), opened=False))
    short = [item for item in ruled(seen).findings if item.fault is Fault.OPENING_SHORT]
    assert len(short) == 1
    assert short[0].rule == "PR-08"


def test_a_set_that_is_wrong_either_way_is_told_beside_what_else_is_wrong_there() -> None:
    seen = TurnReading(reading("K1/B1 K2 | K1 K2 K3"), Turn(Layout(), Layout()), hand("O5"))
    found = [item.code for item in ruled(seen).findings if item.meld == 0]
    assert sorted(set(found)) == ["SET_TOO_SHORT", "TILE_CONSERVATION"]


def test_a_claim_follows_its_tiles_when_one_of_others_is_none() -> None:
    turn = TurnReading(board("O9! . K7 / . . B7 / . . R7"), claims=(ClaimReading((1, 2, 3)),))
    assert turn.with_tile(0, None).claims == (ClaimReading((0, 1, 2)),)
    assert turn.with_tile(1, None).claims == (ClaimReading((1, 2)),)
    alone = TurnReading(board("K7! B7 R7"), claims=(ClaimReading((0,)),))
    assert alone.with_tile(0, None).claims == ()


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (
            lambda: TurnReading(reading("K7"), replace(KNOWN, rack_after=()), rack_after=()),
            "rack_after: either known or read",
        ),
        (
            lambda: TurnReading(board("K7"), replace(KNOWN, claims=()), claims=()),
            "claims: either known or read",
        ),
        (lambda: TurnReading(board("K7"), claims=(ClaimReading((1,)),)), "on tiles of the table"),
        (lambda: TurnReading(board("K7"), claims=(ClaimReading(()),)), "on tiles of the table"),
        (lambda: TurnReading(board("K7"), KNOWN), "is a board"),
    ],
)
def test_what_does_not_fit_together_is_refused(make: object, expected: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=expected):
        make()


def test_there_is_no_tile_beyond_the_last() -> None:
    seen = TurnReading(reading("K7"), rack_after=hand("K8"))
    assert seen.with_tile(1, parse_tile("K9")).rack_after == hand("K9")
    for index in (-1, 2):
        with pytest.raises(IndexError, match="among 2"):
            seen.with_tile(index, None)


def test_a_candidate_of_the_other_deck_is_refused() -> None:
    with pytest.raises(ValueError, match="none of the cards of sets-and-runs"):
        judge_reading(reading("K7 KS/KH KD"), CARDS)


def test_readings_name_every_tile_once() -> None:
    seen = TurnReading(reading("K7 K8"), rack_before=hand("B1"), rack_after=hand("B1 R2"))
    assert [str(tile) for tile in seen.tiles] == ["K7", "K8", "B1", "B1", "R2"]
    (only,) = Doubts(seen, PRESSMAN).readings()
    assert [str(tile) for tile in only.turn.rack_after or ()] == ["B1", "R2"]
