"""The one question: what it costs, what it settles, and which is asked first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.layout import Layout, TileReading, parse_layout
from engine.open_rules import SET_SWITCHES
from engine.possible import NONE_WEIGHT, choices_of
from engine.questions import (
    AGREEING,
    NAMING,
    TAP,
    Answer,
    Merit,
    answers_about,
    is_settled,
    merit_of,
)
from engine.referee import Question, Turn, TurnReading, judge, judge_reading
from engine.ruleset import RuleSet, list_presets, load_ruleset
from engine.tiles import TILES, parse_tile
from engine.turns import parse_turn
from engine.worlds import Unsaid, worlds_of
from tests.engine.doubtful import reading

PRESSMAN = load_ruleset("pressman")


def asked(text: str | list[str], before: str = "?", opened: bool | None = True) -> Question:
    """The question about a table as read."""
    table = reading(*([text] if isinstance(text, str) else text))
    known = Turn(None if before == "?" else parse_layout(before), Layout(), opened=opened)
    (question,) = judge_reading(TurnReading(table, known), PRESSMAN).questions
    return question


def subject(question: Question) -> str:
    """What is asked about: the number of a tile, the name of a switch, or the kind of question."""
    if question.tile is not None:
        return f"tile {question.tile}"
    return question.rule or question.kind


# fmt: off
POOL = [
    # a tap on one of two goes before a tile that has to be named, though that would settle more
    ("K7 K8 K9/B9 | R3 R4 ?", "?", True, "tile 2"),
    # of two taps the one that settles more: B9 ends it, K3 alone does not
    ("K7 K8 B9/K9 | K1 K2 K3/B3", "?", True, "tile 2"),
    ("K7 K8 K9/B9 | K1 K2 B3/K3", "?", True, "tile 5"),
    # how tiles lie, where that settles more than any of them
    (["K7 K8 K9 | B1 B2 B3~", "K7 K8 K9 B1 B2 B3~"], "?", True, "arrangement"),
    # but of four ways to lie all have to be looked at, so that a tile goes before them
    (["K4 K5 K6/B6 | K7 K8 K9 | R1 R2 R3/O3", "K4 K5 K6/B6 K7 K8 | K9 | R1 R2 R3/O3",
      "K4 K5 K6/B6 K7 | K8 K9 | R1 R2 R3/O3", "K4 K5 K6/B6 K7 K8 K9 | R1 R2 R3/O3"],
     "?", True, "tile 2"),
    # whether the player had opened: as soon as not, B10 is no matter
    ("K7 K8 K9 K10/B10", "K7 K8 K9", None, "opened"),
    # ... unless the tile most likely ends it
    ("K7 K8 K9 B10/K10", "K7 K8 K9", None, "tile 3"),
    # a house rule on which all have to agree comes after a tile ...
    ("B3 B4 B5 | J R8 R9/O9", "B3 B4 B5 J", True, "tile 5"),
    # ... and is asked when nothing else is in doubt
    ("B3 B4 B5 | J R8 R9", "B3 B4 B5 J", True, "joker.free_removal"),
    # or when nothing else in doubt is any matter
    ("B3 B4 B5 | J R8 R9 | O2 O3 O4 O5/O1", "B3 B4 B5 J | O2 O3 O4", True, "joker.free_removal"),
]
# fmt: on


@pytest.mark.parametrize(("text", "before", "opened", "expected"), POOL)
def test_all_kinds_of_question_compete(
    text: str | list[str], before: str, opened: bool | None, expected: str
) -> None:
    assert subject(asked(text, before, opened)) == expected


@pytest.mark.parametrize(
    "text",
    [
        # either colour is a set, either number goes on, joker or not
        "K7 K8 K9/B9 | R1 B1 K1/O1",
        "K7 K8 K9/B9 | R1 R2 R3 R4/J",
        "R1 B1 K1/O1 | R1 R2 R3 R4/J | K7 K8 K9/B9",
    ],
)
def test_a_tile_whose_candidates_all_give_the_same_ruling_is_never_asked_for(text: str) -> None:
    assert asked(text).options == ("K9", "B9")


@pytest.mark.parametrize(
    ("text", "before", "together"),
    [
        ("K7/B7 K7/B7 R7 | O4 O5 O6/J", "?", (0, 1)),
        ("O4 O5 O6/J | K7/B7 K7/B7 R7", "?", (3, 4)),
        ("O4 O5 O6 O7/O3 | K7/B7 K7/B7 R7", "O4 O5 O6", (4, 5)),
    ],
)
def test_tiles_that_decide_only_together_are_asked_for_one_after_the_other(
    text: str, before: str, together: tuple[int, int]
) -> None:
    """Two are a group with R7 when they differ, and either answer about one of them leaves that as open
    as before. The third doubt never makes a difference."""
    table = reading(text)
    tiles = tuple(tile if tile.sure else even(tile) for tile in table.tiles)
    known = Turn(None if before == "?" else parse_layout(before), Layout(), opened=True)
    seen = TurnReading(replace(table, tiles=tiles), known)
    (question,) = judge_reading(seen, PRESSMAN).questions
    assert question.tile in together
    told = seen.with_tile(question.tile, parse_tile("K7"))
    (question,) = judge_reading(told, PRESSMAN).questions
    assert question.tile in together


def even(tile: TileReading) -> TileReading:
    """The same candidates, all as likely."""
    chance = 1 / len(tile.candidates)
    return replace(tile, candidates=tuple(replace(c, probability=chance) for c in tile.candidates))


@pytest.mark.parametrize(
    ("word", "listed", "rest"),
    [
        ("K9", {"K9": 1.0}, 0.0),
        ("K9/B9", {"K9": 0.6, "B9": 0.4}, 0.0),
        ("K9/B9!", {"K9": 0.6, "B9": 0.4, "None": NONE_WEIGHT}, 0.0),
        ("K9~", {"K9": 0.97}, 0.03),
        ("?", {}, 1.0),
        ("?!", {"None": NONE_WEIGHT}, 1.0),
    ],
)
def test_what_a_tile_may_be_and_how_much_that_weighs(
    word: str, listed: dict[str, float], rest: float
) -> None:
    (choice,) = choices_of(TurnReading(reading(word)), PRESSMAN)
    assert {str(tile): weight for tile, weight in choice.listed.items()} == pytest.approx(listed)
    assert sum(choice.others.values()) == pytest.approx(rest)
    kinds = len(set(choice.listed) - {None}) + len(choice.others)
    assert kinds == (len(set(choice.listed) - {None}) if rest == 0 else len(TILES))
    assert NONE_WEIGHT == 0.5


def test_a_missed_tile_takes_half_of_what_an_unread_one_may_be() -> None:
    known = Turn(parse_layout("K7 K8 K9"), Layout())
    *_, choice = choices_of(TurnReading(reading("K7 K8 ?"), known), PRESSMAN)
    assert choice.offered == choice.expected == (parse_tile("K9"),)
    assert choice.others[parse_tile("K9")] == pytest.approx(0.5 + 0.5 / len(TILES))
    assert choice.others[parse_tile("R9")] == pytest.approx(0.5 / len(TILES))
    far = Turn(parse_layout("K1 K2 K3 | B1 B2 B3"), Layout())
    *_, choice = choices_of(TurnReading(reading("K7 K8 ?"), far), PRESSMAN)
    assert choice.offered == (), "too many are missed to offer them"


@pytest.mark.parametrize("preset", list_presets())
def test_sets_rest_on_no_other_open_switch_than_is_tried_on_them(preset: str) -> None:
    rules = load_ruleset(preset)
    of_sets = ("run.", "group.", "joker.max_per_set", "joker.naturals")
    found = {name for name in rules.switches if name.startswith(of_sets) and rules.is_open(name)}
    assert found <= set(SET_SWITCHES)


def test_an_open_switch_that_a_set_rests_on_is_asked_about_with_the_set() -> None:
    """12 13 1 is a set for some who play the Sabra way."""
    seen = reading("K12 K13 K1 | R1 B1 K1/O1")
    (question,) = judge_reading(seen, load_ruleset("sabra")).questions
    assert (question.kind, question.rule) == ("house_rule", "run.wrap")
    begins = "Whether this is a fault depends on a house rule; by one answer it is: Set 1: "
    assert question.text.startswith(begins)
    settled = load_ruleset("sabra", {"run.wrap": "high_or_low"})
    assert judge_reading(seen, settled).verdict == "LEGAL"


LEGAL, ILLEGAL, EITHER = (True, True), (False, False), (True, False)
"""Outcomes under two answers to something else."""


@pytest.mark.parametrize(
    ("answers", "merit"),
    [
        # all is settled by one tap, and a doubt of three to one was there before
        ([{LEGAL: (3, 3.0)}, {ILLEGAL: (1, 1.0)}], Merit(1.0, 0.25, -TAP)),
        # half of it is
        ([{LEGAL: (1, 1.0), ILLEGAL: (1, 1.0)}, {ILLEGAL: (2, 2.0)}], Merit(0.5, 0.0, -TAP)),
        # none is, and something is learnt
        (
            [{LEGAL: (1, 2.0), ILLEGAL: (1, 1.0)}, {LEGAL: (1, 1.0), ILLEGAL: (1, 2.0)}],
            Merit(0.0, round(1 / 6, 9), -TAP),
        ),
        # what else is open leaves it open
        ([{EITHER: (1, 1.0)}, {ILLEGAL: (1, 1.0)}], Merit(0.5, 0.0, -TAP)),
    ],
)
def test_what_a_question_is_worth(
    answers: list[dict[tuple[bool, ...], tuple[int, float]]], merit: Merit
) -> None:
    assert merit_of([Answer(tally) for tally in answers]) == merit


def test_effort_is_that_of_the_answers_as_they_are_likely() -> None:
    seldom_named = [Answer({LEGAL: (1, 3.0)}, TAP), Answer({ILLEGAL: (1, 1.0)}, NAMING)]
    assert merit_of(seldom_named).ease == -(0.75 * TAP + 0.25 * NAMING)
    assert merit_of(seldom_named).settled_per_tap == round(1 / 1.5, 9)


def test_a_tally_is_settled_when_nothing_in_it_is_open() -> None:
    assert is_settled({LEGAL: (2, 1.0)})
    assert not is_settled({LEGAL: (2, 1.0), ILLEGAL: (1, 0.1)})
    assert not is_settled({EITHER: (1, 1.0)})


def test_an_answer_to_what_nobody_said_leaves_its_own_combinations() -> None:
    rules: RuleSet = load_ruleset("pressman")
    unsaid = Unsaid.of(["joker.reuse", "opened"], rules)
    assert unsaid.names == ("opened", "joker.reuse")
    assert unsaid.combinations == (
        ("yes", "new_set_2_rack"),
        ("yes", "any_set"),
        ("no", "new_set_2_rack"),
        ("no", "any_set"),
    )
    whole = {(True, False, False, False): (1, 1.0)}
    opened = answers_about("opened", unsaid, whole)
    assert [dict(answer.tally) for answer in opened] == [
        {(True, False): (1, 0.5)},
        {(False, False): (1, 0.5)},
    ]
    assert {answer.effort for answer in opened} == {TAP}
    reuse = answers_about("joker.reuse", unsaid, whole)
    assert [list(answer.tally) for answer in reuse] == [[(True, False)], [(False, False)]]
    assert {answer.effort for answer in reuse} == {AGREEING}


def test_what_is_asked_of_a_known_turn_is_chosen_in_the_same_way() -> None:
    """Two things are open; the one that is remembered goes before the one all have to agree on."""
    turn = parse_turn(
        "turn/1 pressman; before: B3 B4 B5 J; after: B3 B4 B5 | J R8 R9; rack: ? > ?; "
        "opened: ?; elapsed: 10.0"
    ).turn
    asked_first = judge(turn, PRESSMAN).questions[0]
    assert asked_first.kind == "opened"
    assert {name for world in worlds_of(turn, PRESSMAN) for name, _ in world.answers} > {"opened"}
