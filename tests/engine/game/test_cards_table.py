"""Sets of cards that grow: of their kind, jokers at their places, and which of two became which."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.card_matching import matched
from engine.card_table import (
    fewest_jokers,
    kinds_that_take,
    may_become,
    set_kinds,
    stand_ins,
)
from engine.faults import Ruling, Verdict
from engine.layout import Layout, parse_layout
from engine.melds import Meld, parse_meld
from engine.referee import judge
from engine.ruleset import load_ruleset
from engine.tiles import CARD_JOKER as JOKER
from engine.tiles import CARD_SUITS, RANKS, Tile, parse_tile
from engine.turns import parse_turn
from tests.engine.game.card_games import SETTLED

RULES = load_ruleset("sets-and-runs", SETTLED)
ANY = st.sampled_from([None, (2, 0), (1, 1), (0, 2)])


def may_become_in_any_round(was: Meld, now: Meld) -> bool:
    """As by rules with nothing open, where the contract is not known."""
    return may_become(was, now, None, RULES)


def ruled(fields: str) -> Ruling:
    """The ruling on a turn with cards; what is not told is not known, and who plays has laid down. Of
    what is asked the ace alone is open."""
    given_fields = dict(part.split(": ", 1) for part in fields.split("; "))
    whole = {"rack": "? > ?", "opened": "yes", "elapsed": "?"} | given_fields
    text = "; ".join(f"{name}: {value}" for name, value in whole.items())
    recorded = parse_turn(f"turn/1 sets-and-runs; {text}")
    chosen = load_ruleset(recorded.preset).usual_answers() | dict(recorded.house_rules)
    if "run.wrap" not in recorded.house_rules:
        del chosen["run.wrap"]
    return judge(recorded.turn, load_ruleset(recorded.preset, chosen))


def said(ruling: Ruling) -> str:
    """A ruling in short."""
    if ruling.verdict is Verdict.ASK:
        return f"ASK {ruling.questions[0].rule}"
    return " ".join([ruling.verdict, *(f"{item.code} {item.rule}" for item in ruling.findings)])


# fmt: off
GROWN = [
    # two sets alike that both grew are each taken for the one they can have been
    ("before: 7S 7H 7D | 7S 7H *; after: 7S 7H 7D 7C | 7S 7H * 7D 7C", "LEGAL"),
    ("before: 7S 7H * | 7S 7H 7D; after: 7S 7H * 7D 7C | 7S 7H 7D 7C", "LEGAL"),
    ("before: 7S 7H *; after: 7S 7H * 7C | 7S 7H 7D | KS KH KD; opened: no; contract: 2 0", "LEGAL"),
    ("before: 7S 7H * | 7S 7H 7D; after: 7S 7H 7D 7C | 7S 7H 7D", "ILLEGAL JOKER_LOCKED SR-22"),
    # SR-11: a set of jokers and a card stays a set
    ("before: 7S * *; after: 7S * * 7D", "LEGAL"),
    ("before: 7S * *; after: 7S * * 8S", "ILLEGAL TABLE_REARRANGED SR-11"),
    ("before: 7S * * *; after: 7S 8S * * *; contract: 2 0", "ILLEGAL TABLE_REARRANGED SR-11"),
    ("before: 7S * * *; after: 7S 7D * * *; contract: 0 2", "ILLEGAL TABLE_REARRANGED SR-11"),
    # ... and what may be either goes on as either
    ("before: 7S * * *; after: 7S 7D * * *; contract: 1 1", "LEGAL"),
    ("before: 7S * * *; after: 6S 7S * * *; contract: 1 1", "LEGAL"),
    # SR-11, SR-21: a joker stays where it is as long as no card takes its place
    ("before: 10S JS QS KS *; after: 9S 10S JS QS KS *; house: run.wrap=high_or_low", "LEGAL"),
    ("before: 10S JS QS KS *; after: 8S * 10S JS QS KS; house: run.wrap=high_or_low",
     "ILLEGAL TABLE_REARRANGED SR-11"),
    ("before: * 5S 6S 7S; after: 5S 6S 7S 8S *", "ILLEGAL TABLE_REARRANGED SR-11"),
    ("before: * 5S 6S 7S; after: 5S 6S 7S *", "ILLEGAL TABLE_REARRANGED SR-11"),
    # ... and travels by being swapped out and played again
    ("before: * 5S 6S 7S; after: 4S 5S 6S 7S *", "LEGAL"),
    ("before: * 5S 6S 7S; after: * 4S 5S 6S 7S", "LEGAL"),
    ("before: * * 6S 7S; after: * 5S 6S 7S | 9S 9H 9D", "ILLEGAL EXTRA_MELD SR-09"),
    ("before: * * 6S 7S; after: 4S * 6S 7S 8S", "LEGAL"),
    # seen from the other side, or not laid in order, it is the same run
    ("before: * 5S 6S 7S; after: 8S 7S 6S 5S *", "LEGAL"),
    ("before: 5S * 6S 7S; after: 5S * 6S 7S 3S", "LEGAL"),
    ("before: 5S * 6S 7S; after: 5S * 6S 7S 9S", "LEGAL"),
    ("before: 5S * 6S 7S; after: 5S 4S 6S 7S", "LEGAL"),
    ("before: 5S * 6S 7S; after: 5S 8S 6S 7S", "LEGAL"),
    # one number among jokers rises as it lies, but may have been meant to fall
    ("before: * 7S * *; after: * 7S * * 10S; contract: 0 2", "LEGAL"),
    ("before: * 7S * *; after: * 7S * * 4S; contract: 0 2", "LEGAL"),
    ("before: * 7S * *; after: * 7S * * JS; contract: 0 2",
     "ILLEGAL TABLE_REARRANGED SR-11"),
]
HINGES = [
    # SR-15, AMB-41: what hangs on whether an ace is high is asked, not told
    ("before: 10S JS QS KS; after: 10S JS QS KS; discard: AS", "ASK run.wrap"),
    ("before: 10S JS QS KS; after: 10S JS QS KS; discard: 8S", "LEGAL"),
    ("before: JS QS KS *; after: JS QS KS 10S", "ASK run.wrap"),
    ("before: JS QS KS *; after: 9S JS QS KS *", "ASK run.wrap"),
    ("before: 2S 3S 4S 5S; after: 2S 3S 4S 5S; discard: AS", "ILLEGAL DISCARD_PLAYABLE SR-18"),
]
DISCARDED = [
    # SR-18: what a set does not take may be discarded
    ("before: 7S * *; after: 7S * *; discard: 8S", "LEGAL"),
    ("before: 7S * *; after: 7S * *; discard: 7D", "ILLEGAL DISCARD_PLAYABLE SR-18"),
    ("before: 10S JS QS KS *; after: 10S JS QS KS *; discard: 8S; house: run.wrap=high_or_low",
     "LEGAL"),
    ("before: 10S JS QS KS *; after: 10S JS QS KS *; discard: 9S; house: run.wrap=high_or_low",
     "ILLEGAL DISCARD_PLAYABLE SR-18"),
    ("before: 10S JS QS KS *; after: 10S JS QS KS *; discard: AS; house: run.wrap=high_or_low",
     "ILLEGAL DISCARD_PLAYABLE SR-18"),
    # what may be a set or a run binds nobody who could play on one of them alone
    ("before: 7S * * *; after: 7S * * *; discard: 8S; contract: 1 1", "LEGAL"),
    ("before: 7S * * *; after: 7S * * *; discard: 8S; contract: 0 2",
     "ILLEGAL DISCARD_PLAYABLE SR-18"),
    ("before: 7S * * *; after: 7S * * *; discard: 8S; contract: 2 0", "LEGAL"),
]
# fmt: on


@pytest.mark.parametrize(("fields", "expected"), [*GROWN, *HINGES, *DISCARDED])
def test_what_the_referee_says_of_sets_that_grow(fields: str, expected: str) -> None:
    assert said(ruled(fields)) == expected


@pytest.mark.parametrize(
    ("meld", "kinds", "cards"),
    [
        ("7S 7H *", "group", ""),
        ("4S * 6S 7S", "run", "5S"),
        ("* 5S * 7S", "run", "4S 6S"),
        ("5S * 6S 7S", "run", "4S 8S"),
        ("7S * * *", "group run", "8S 9S 10S"),
        ("JS QS KS *", "run", "AS"),
        ("7S 7H", "", ""),
    ],
)
def test_what_jokers_stand_for(meld: str, kinds: str, cards: str) -> None:
    """SR-21: the cards that free the joker of a run. SR-22: that of a set is locked."""
    row = parse_meld(meld)
    assert set_kinds(row, None, RULES) == set(kinds.split())
    assert stand_ins(row, None, RULES) == set(map(parse_tile, cards.split()))


def test_the_round_says_what_three_jokers_and_a_card_are() -> None:
    row = parse_meld("7S * * *")
    assert set_kinds(row, (2, 0), RULES) == {"group"}
    assert set_kinds(row, (0, 2), RULES) == {"run"}
    assert set_kinds(parse_meld("4S 5S 6S 7S"), (2, 0), RULES) == {"run"}
    assert not stand_ins(row, (2, 0), RULES)


def test_every_set_is_taken_for_one_that_holds_its_cards() -> None:
    before = parse_layout("7S 7H 7D | 4S * 6S 7S | KS KH KD")
    after = parse_layout("KS KH KD KC | 4S 5S 6S 7S | 9S 9H 9D")
    play = matched(before, after, may_become_in_any_round)
    assert (play.grown, play.gone, play.new) == (((1, 1), (2, 0)), (0,), (2,))


def test_a_set_that_lost_cards_became_the_one_that_holds_the_most_of_it() -> None:
    """So one slip is one finding, and what was split off is no set that somebody laid."""
    before = parse_layout("4S 5S 6S 7S 8S 9S 10S | 8S 8H 8D | KS KH KD")
    after = parse_layout("8H 8D 8C | 9S 10S JS | 4S 5S 6S 7S 8S | 2C 2D 2H")
    play = matched(before, after, may_become_in_any_round)
    assert (play.grown, play.changed) == ((), ((0, 2), (1, 0)))
    assert (play.gone, play.new, play.parts) == ((2,), (3,), (1,))


@pytest.mark.parametrize(
    ("meld", "fewest"),
    [
        ("7S 7H 7D", 0),
        ("7S 7H *", 1),
        ("7S 7H 7D *", 0),
        ("7S * * *", 2),
        ("4S * 6S 7S", 1),
        ("4S 5S * 7S 8S 9S 10S", 0),
        ("4S 5S * 7S 8S", 1),
        ("* JS QS KS AS *", 0),
        ("* * * 8C", 2),
        ("9S 10D *", 1),
    ],
)
def test_how_few_jokers_a_set_began_with(meld: str, fewest: int) -> None:
    """AMB-44: a set may be laid with fewer cards and grow. What is no set keeps all it has."""
    assert fewest_jokers(parse_meld(meld), None, RULES) == fewest


near = st.sampled_from([Tile(suit, rank) for suit in CARD_SUITS[:2] for rank in RANKS] + [JOKER])


@st.composite
def sets_of_cards(draw: st.DrawFn) -> Meld:
    """Groups, and runs from either side, with up to three jokers in them."""
    if draw(st.booleans()):
        rank = draw(st.sampled_from(RANKS))
        row = [Tile(suit, rank) for suit in draw(st.lists(st.sampled_from(CARD_SUITS), min_size=3))]
    else:
        suit, first = draw(st.sampled_from(CARD_SUITS[:2])), draw(st.integers(1, 11))
        last = draw(st.integers(first + 3, 14))
        row = [Tile(suit, (rank - 1) % 13 + 1) for rank in range(first, last + 1)]
    for place in draw(st.sets(st.integers(0, len(row) - 1), max_size=min(3, len(row) - 1))):
        row[place] = JOKER
    meld = Meld.of(row if draw(st.booleans()) else row[::-1])
    assume(set_kinds(meld, None, RULES))
    return meld


@given(sets_of_cards(), near, ANY)
def test_a_set_takes_a_card_just_when_it_may_become_the_set_with_it(
    meld: Meld, card: Tile, contract: tuple[int, int] | None
) -> None:
    """Added at an end, or in the place of a joker that goes to the hand."""
    row = meld.tiles
    ends = [Meld.of((*row, card)), Meld.of((card, *row))]
    swaps = [
        Meld.of((*row[:place], card, *row[place + 1 :]))
        for place, other in enumerate(row)
        if other.is_joker and card in stand_ins(meld, contract, RULES)
    ]
    takes = kinds_that_take(card, meld, contract, RULES)
    may = any(may_become(meld, now, contract, RULES) for now in ends)
    if len(meld) - sum(tile.is_joker for tile in meld) > 1:
        assert bool(takes) == (may or bool(swaps))
    else:
        # The direction that one number among jokers had binds nobody.
        assert may or swaps or not takes
    if swaps:
        assert any(may_become(meld, now, contract, RULES) for now in swaps)


@given(st.lists(sets_of_cards(), max_size=5).map(tuple))
def test_a_table_that_did_not_change_is_matched_set_by_set(melds: tuple[Meld, ...]) -> None:
    play = matched(Layout(melds), Layout(melds[::-1]), may_become_in_any_round)
    assert len(play.kept) == len(melds)
    assert all(melds[old] == melds[::-1][new] for old, new in play.kept)
