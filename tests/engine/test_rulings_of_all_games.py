"""What holds for the rulings of every game, with a slow oracle for the sets of each."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.layout import Layout
from engine.referee import Turn, Verdict, judge
from engine.ruleset import RuleSet, list_presets, load_ruleset
from engine.sets import is_set
from engine.tiles import CARD_JOKER, CARD_SUITS, CARDS, JOKER, TILE_SUITS, TILES, Tile

PRESETS = {name: load_ruleset(name, {"run.order": "laid"}) for name in list_presets()}
DOCUMENT = {
    "pressman": {"PR", "PT"},
    "pressman-tournament": {"PR", "PT"},
    "reset": {"RS"},
    "reset-freeze": {"RS"},
    "rummi200kub": {"R2"},
    "sabra": {"SB"},
    "sets-and-runs": {"SR"},
}


def deck(rules: RuleSet) -> tuple[Tile, ...]:
    return CARDS if rules.equipment.pieces == "cards" else TILES


@st.composite
def rows(draw: st.DrawFn, rules: RuleSet) -> tuple[Tile, ...]:
    """A set, or something close to one: a few tiles of low numbers in few colours, or with 1 and 13."""
    suits = (CARD_SUITS if rules.equipment.pieces == "cards" else TILE_SUITS)[:3]
    joker = CARD_JOKER if rules.equipment.pieces == "cards" else JOKER
    if draw(st.booleans()):
        rank = draw(st.integers(1, 13))
        row = [Tile(suit, rank) for suit in draw(st.permutations(suits))]
    else:
        start, length = draw(st.integers(1, 13)), draw(st.integers(3, 5))
        suit = draw(st.sampled_from(suits))
        row = [Tile(suit, (start + step - 1) % 13 + 1) for step in range(length)]
    changes = draw(st.integers(0, 2))
    for _ in range(changes):
        near = st.sampled_from(
            [joker, *(Tile(suit, rank) for suit in suits for rank in (1, 2, 13))]
        )
        row[draw(st.integers(0, len(row) - 1))] = draw(near)
    return tuple(row)


@st.composite
def turns(draw: st.DrawFn, preset: str) -> Turn:
    """Any turn of a game: rows before, rows after, many of them the same."""
    rules = PRESETS[preset]
    before = draw(st.lists(rows(rules), max_size=3))
    kept = [row for row in before if draw(st.integers(0, 3))]
    after = draw(st.permutations([*kept, *draw(st.lists(rows(rules), max_size=2))]))
    hands = st.none() | st.lists(st.sampled_from(deck(rules)), max_size=4).map(tuple)
    return Turn(
        Layout.of(before),
        Layout.of(after),
        draw(hands),
        draw(hands),
        draw(st.sampled_from([True, False, None])),
        draw(st.sampled_from([None, 10.0, 500.0])),
        contract=draw(st.none() | st.sampled_from([(2, 0), (1, 1)])),
        discard=draw(st.none() | hands.filter(bool)),
    )


def oracle(row: tuple[Tile, ...], rules: RuleSet) -> bool:
    """Every tile for every joker, and then the sentences of the document about sets, word for word."""
    jokers = sum(tile.is_joker for tile in row)
    if jokers == len(row) or jokers > rules.joker.max_per_set:
        return False
    choices = [deck(rules)[:-1] if tile.is_joker else (tile,) for tile in row]
    return any(is_plain_set(filled, rules) for filled in product(*choices))


def is_plain_set(row: tuple[Tile, ...], rules: RuleSet) -> bool:
    numbers, colours = [tile.rank or 0 for tile in row], {tile.suit for tile in row}
    if len(set(numbers)) == 1 and len(row) >= rules.group.least:
        small = rules.group.duplicates or len(colours) == len(row) <= rules.group.most
        if small:
            return True
    if len(colours) > 1 or not rules.run.least <= len(row) <= rules.run.most:
        return False
    for high in (False, True):
        values = [14 if number == 1 and high else number for number in numbers]
        if high and rules.run.wrap == "none":
            continue
        if {after - now for now, after in pairwise(values)} in ({1}, {-1}):
            return True
    return False


@settings(max_examples=60)
@pytest.mark.parametrize("preset", PRESETS)
@given(data=st.data())
def test_a_set_is_what_the_slow_oracle_says(preset: str, data: st.DataObject) -> None:
    rules = PRESETS[preset]
    row = data.draw(rows(rules).filter(lambda row: sum(tile.is_joker for tile in row) < 3))
    assert is_set(row, rules) == oracle(row, rules)


@settings(max_examples=60)
@pytest.mark.parametrize("preset", PRESETS)
@given(data=st.data())
def test_a_ruling_cites_its_own_document_and_is_whole(preset: str, data: st.DataObject) -> None:
    turn = data.draw(turns(preset))
    ruling = judge(turn, PRESETS[preset], with_repairs=False)
    assert (ruling.verdict is Verdict.ILLEGAL) <= bool(ruling.findings)
    assert (ruling.verdict is Verdict.ASK) == bool(ruling.questions)
    for item in (*ruling.findings, *ruling.advice):
        assert item.rule.split("-")[0] in DOCUMENT[preset] | {"G", "AMB"}
        assert item.quote
        assert item.message.endswith(".")
        assert "cheat" not in item.message.lower()


@settings(max_examples=60)
@pytest.mark.parametrize("preset", PRESETS)
@given(data=st.data())
def test_colours_and_the_order_of_sets_say_nothing(preset: str, data: st.DataObject) -> None:
    rules = PRESETS[preset]
    turn = data.draw(turns(preset))
    suits = CARD_SUITS if rules.equipment.pieces == "cards" else TILE_SUITS
    renamed = dict(zip(suits, data.draw(st.permutations(suits)), strict=True))

    def rename(tile: Tile) -> Tile:
        return tile if tile.suit is None else Tile(renamed[tile.suit], tile.rank)

    def all_renamed(tiles: tuple[Tile, ...] | None) -> tuple[Tile, ...] | None:
        return None if tiles is None else tuple(map(rename, tiles))

    def moved(layout: Layout | None) -> Layout:
        melds = layout.melds if layout else ()
        return Layout.of(map(rename, meld) for meld in data.draw(st.permutations(melds)))

    other = replace(
        turn,
        before=moved(turn.before),
        after=moved(turn.after),
        rack_before=all_renamed(turn.rack_before),
        rack_after=all_renamed(turn.rack_after),
        discard=all_renamed(turn.discard),
    )
    one = judge(turn, rules, with_repairs=False)
    two = judge(other, rules, with_repairs=False)
    assert (one.verdict, one.faults) == (two.verdict, two.faults)


@settings(max_examples=100)
@pytest.mark.parametrize(
    ("strict", "free"), [("reset-freeze", "reset"), ("pressman-tournament", "pressman")]
)
@given(data=st.data())
def test_a_stricter_game_allows_nothing_that_the_freer_one_forbids(
    strict: str, free: str, data: st.DataObject
) -> None:
    turn = data.draw(turns(strict))
    if judge(turn, PRESETS[strict], with_repairs=False).verdict is Verdict.LEGAL:
        assert judge(turn, PRESETS[free], with_repairs=False).verdict is Verdict.LEGAL


@pytest.mark.parametrize("preset", PRESETS)
@given(data=st.data())
def test_an_answer_to_the_question_settles_it(preset: str, data: st.DataObject) -> None:
    """Every answer to a house rule's question leads on, and after a few no question is left."""
    rules, turn = PRESETS[preset], data.draw(turns(preset))
    for _ in range(6):
        ruling = judge(turn, rules, with_repairs=False)
        if ruling.verdict is not Verdict.ASK:
            break
        (question,) = ruling.questions
        answer = data.draw(st.sampled_from(question.options))
        if question.kind == "opened":
            turn = replace(turn, opened=answer == "yes")
        else:
            assert question.rule is not None
            rules = load_ruleset(
                preset,
                {name: rules.switches[name].print(rules.value_of(name)) for name in rules.chosen}
                | {question.rule: answer},
            )
    else:
        pytest.fail("still asking after six answers")
