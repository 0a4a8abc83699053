"""Turns with cards under all that is open: what is taken over from one answer to the next is what an
examination of its own finds."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from engine.examine import examine, play_of
from engine.layout import Layout, parse_layout
from engine.melds import Meld, parse_tiles
from engine.open_rules import SET_SWITCHES
from engine.packing import packed, unpacked
from engine.ruleset import RuleSet, load_ruleset
from engine.set_questions import SetQuestions, mattering_to
from engine.sets import is_set, kinds_of
from engine.tiles import CARD_JOKER, CARDS, Tile
from engine.turns import Turn
from engine.worlds import worlds_of

RULES = load_ruleset("sets-and-runs")
OPEN = tuple(RULES.usual_answers())
SEEDS = range(40)


def drawn_set(random: Random) -> list[Tile]:
    """A group or a run, often with jokers, and now and then one card too few or a card in two."""
    card = random.choice(CARDS[:52])
    assert card.rank is not None
    if random.random() < 0.5:
        alike = [other for other in CARDS[:52] if other.rank == card.rank]
        row = random.choices(alike, k=random.randint(3, 5))
    else:
        first = min(card.rank, 11)
        ranks = range(first, first + random.randint(3, 5))
        row = [card.with_rank((rank - 1) % 13 + 1) for rank in ranks]
    for _ in range(random.choice((0, 0, 1, 2, 3))):
        row[random.randrange(len(row))] = CARD_JOKER
    return row


def drawn_turn(random: Random) -> Turn:
    """Sets are laid down, grow, lose a joker, or give a card to another, and a card is discarded."""
    before = [drawn_set(random) for _ in range(random.randint(1, 3))]
    after = [list(row) for row in before]
    if random.random() < 0.6:
        after.append(drawn_set(random))
    for row in after:
        if random.random() < 0.4:
            row.insert(random.choice((0, len(row))), random.choice(CARDS))
        if CARD_JOKER in row and random.random() < 0.3:
            row[row.index(CARD_JOKER)] = random.choice(CARDS[:52])
    if random.random() < 0.2 and len(after[0]) > 1:
        after[-1].append(after[0].pop())
    random.shuffle(after)
    return Turn(
        Layout.of(before),
        Layout.of(after),
        opened=random.choice((True, False)),
        round=random.randint(1, 7),
        discard=(random.choice(CARDS),),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_every_world_is_what_its_own_examination_finds(seed: int) -> None:
    random = Random(seed)
    turn = drawn_turn(random)
    opened = turn.opened is not False
    for world in worlds_of(turn, RULES):
        own = examine(turn, world.rules, opened, play_of(turn))
        assert world.examination.findings == own.findings, (str(turn), world.answers)
        assert world.examination.unchecked == own.unchecked


@pytest.mark.parametrize("seed", SEEDS)
def test_what_no_world_tells_apart_does_not_matter(seed: int) -> None:
    """Whatever is chosen for everything, the verdict is that of the world with these answers."""
    random = Random(seed)
    turn = drawn_turn(random)
    opened = turn.opened is not False
    worlds = worlds_of(turn, RULES)
    for _ in range(12):
        said = {name: random.choice(RULES.switches[name].open_values) for name in OPEN}
        settled = examine(turn, RULES.with_house_rules(said), opened, play_of(turn))
        (world,) = [one for one in worlds if set(one.answers) <= set(said.items())]
        assert world.examination.legal == settled.legal, (str(turn), said)


def test_these_turns_have_worlds_that_differ_and_worlds_that_do_not() -> None:
    turns = [drawn_turn(Random(seed)) for seed in SEEDS]
    verdicts = [{world.examination.legal for world in worlds_of(turn, RULES)} for turn in turns]
    assert {True, False} in verdicts
    assert {True} in verdicts or {False} in verdicts
    assert max(len(worlds_of(turn, RULES)) for turn in turns) > 8


def test_a_switch_that_is_said_not_to_matter_to_a_row_does_not() -> None:
    """For rows of all shapes: with every value of the others, what they are is the same."""
    random = Random(7)
    values = [RULES.switches[name].open_values for name in SET_SWITCHES]
    variants = {
        combination: RULES.with_house_rules(dict(zip(SET_SWITCHES, combination, strict=True)))
        for combination in product(*values)
    }
    for _ in range(60):
        row = Meld.of(drawn_set(random))
        matters = mattering_to(row.packed)
        found: dict[tuple[str, ...], tuple[str, ...]] = {}
        for combination, rules in variants.items():
            pairs = zip(SET_SWITCHES, combination, strict=True)
            key = tuple(value for name, value in pairs if name in matters)
            kinds = kinds_of(row.tiles, rules)
            assert found.setdefault(key, kinds) == kinds, (str(row), matters)


def test_a_row_that_lies_twice_is_asked_about_like_any_other() -> None:
    """A new set is one though another like it lay there: by one answer it is no set of the contract."""
    table = parse_layout("5S 5H 5D")
    turn = Turn(
        table,
        Layout((*table.melds, *table.melds, Meld(parse_tiles("9S 9H 9D 9C")))),
        opened=False,
        contract=(2, 0),
        discard=parse_tiles("KD"),
    )
    answers = {name for world in worlds_of(turn, RULES) for name, _ in world.answers}
    assert "group.least" in answers


def is_legal_row(row: bytes, rules: RuleSet) -> bool:
    return is_set(unpacked(row), rules)


def test_the_same_question_is_worked_out_once_for_all_turns() -> None:
    """And anew when too many are kept, for rules that are equal and not the same, too."""
    first = SetQuestions.by(RULES)
    row = packed((*CARDS[:2], CARD_JOKER))
    asked = first.of(mattering_to(row), is_legal_row, row)
    assert SetQuestions.by(RULES).of(mattering_to(row), is_legal_row, row) is asked
    others = load_ruleset("sets-and-runs").with_house_rules({})
    assert others == RULES
    assert SetQuestions.by(others) is not first
    for card in product(CARDS[:52], repeat=2):
        first.of((), is_legal_row, packed(card))
    later = SetQuestions.by(RULES)
    assert later is not first
    assert later.of(mattering_to(row), is_legal_row, row).under(RULES) == asked.under(RULES)
