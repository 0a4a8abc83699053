"""Events that wait for a house rule: what a ruling on them depends on is asked, once (`ask`)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.faults import Verdict
from engine.game.events import (
    Claimed,
    Dealt,
    Discarded,
    Drew,
    GameBegun,
    GameEvent,
    HouseRuleChosen,
    Passed,
    Played,
    StarterNamed,
)
from engine.game.fold import apply
from engine.game.state import GameState, Phase, Refusal
from engine.layout import parse_layout
from engine.melds import parse_meld, parse_tiles
from engine.tiles import parse_tile
from tests.engine.game.card_games import SETTLED
from tests.engine.game.switch_witnesses import dealt, on_table
from tests.engine.game.tile_games import House, after, then

RUN = "R5 R6 R7"
NO_PLAY, A_PLAY = "K1 B4 O9", "R8 K1 B4"


def before(
    preset: str, rack: str | None, house: House | None = None, *, opened: bool = True, pool: int = 9
) -> GameState:
    """Ada's turn of three players, with a run on the table."""
    state = on_table(dealt(preset, house or {}, 3), RUN, rack, opened=opened)
    return replace(state, pool=pool)


def asked(state: GameState, event: GameEvent) -> str:
    """The switch that an event waits for; empty where it applies."""
    outcome = apply(state, event)
    if isinstance(outcome, GameState):
        return ""
    assert outcome.code == "ask", outcome
    assert outcome.ruling is not None
    assert outcome.ruling.verdict is Verdict.ASK
    (question,) = outcome.ruling.questions
    assert question.text == outcome.reason
    return question.rule or ""


# fmt: off
ROWS = [
    # AMB-18: whoever has a play that is plain to see, and whose rack is known
    ("pressman", A_PLAY, True, 9, Drew("Ada"), "draw.must_play"),
    ("pressman", A_PLAY, True, 9, Drew("Ada", parse_tiles("O1")), "draw.must_play"),
    ("pressman-tournament", A_PLAY, True, 9, Drew("Ada"), "draw.must_play"),
    ("sabra", A_PLAY, True, 9, Drew("Ada"), "draw.must_play"),
    ("pressman", A_PLAY, True, 0, Passed("Ada"), "draw.must_play"),
    ("pressman", NO_PLAY, True, 9, Drew("Ada"), ""),
    ("pressman", A_PLAY, False, 9, Drew("Ada"), ""),
    ("pressman", None, True, 9, Drew("Ada"), ""),
    ("pressman", None, True, 0, Passed("Ada"), ""),
    # ... which documents settle in ReSet and Rummi200kub (RS-14, R2-11)
    ("reset", A_PLAY, True, 9, Drew("Ada"), ""),
    ("rummi200kub", A_PLAY, True, 9, Drew("Ada"), ""),
    # AMB-07: a joker that could be played
    ("reset", "J K1 B4", True, 9, Drew("Ada"), "joker.no_hoarding"),
    ("reset-freeze", "J K1 B4", True, 9, Drew("Ada", parse_tiles("O1")), "joker.no_hoarding"),
    ("reset", "J K1 B4", True, 0, Passed("Ada"), ""),
    ("reset", None, True, 9, Drew("Ada"), ""),
    ("pressman", "J K1 B4", True, 9, Drew("Ada"), "draw.must_play"),
]
# fmt: on


@pytest.mark.parametrize(("preset", "rack", "opened", "pool", "event", "switch"), ROWS)
def test_a_draw_waits_for_what_its_ruling_depends_on_where_the_rack_is_known(
    preset: str, rack: str | None, opened: bool, pool: int, event: GameEvent, switch: str
) -> None:
    assert asked(before(preset, rack, opened=opened, pool=pool), event) == switch


@pytest.mark.parametrize(("preset", "rack", "opened", "pool", "event", "switch"), ROWS)
def test_once_it_is_chosen_nothing_is_asked_any_more(
    preset: str, rack: str | None, opened: bool, pool: int, event: GameEvent, switch: str
) -> None:
    state = before(preset, rack, opened=opened, pool=pool)
    if not switch:
        return
    usual = state.rules.usual_answers()[switch]
    assert asked(then(state, HouseRuleChosen(switch, usual)), event) == ""
    strict = {"draw.must_play": "always", "joker.no_hoarding": "enforce"}[switch]
    refusal = apply(then(state, HouseRuleChosen(switch, strict)), event)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "illegal"


def test_a_table_that_was_let_stand_is_not_asked_about_at_a_draw() -> None:
    """AMB-11 is no matter of a draw; it is of the next play."""
    state = before("pressman", A_PLAY, {"draw.must_play": "off"})
    state = replace(state, table=parse_layout("R5 R6 R7 | B9 J J"))
    assert asked(state, Drew("Ada")) == ""
    longer = Played("Ada", parse_layout("R5 R6 R7 R8 | B9 J J"))
    assert asked(state, longer) == "joker.max_per_set"


def test_a_tile_returned_from_the_rack_is_asked_about_where_it_is_known() -> None:
    """AMB-20: nobody returns it without a look."""
    pair = parse_tiles("O3 O4")
    state = on_table(dealt("reset", {}), RUN, NO_PLAY)
    assert asked(state, Drew("Ada", pair, parse_tile("K1"))) == "draw.two_return"
    assert asked(state, Drew("Ada", pair, parse_tile("O3"))) == ""
    assert asked(state, Drew("Ada", None, parse_tile("K1"))) == ""
    unseen = on_table(dealt("reset", {}), RUN, None)
    assert asked(unseen, Drew("Ada", pair, parse_tile("K1"))) == ""


def test_the_first_set_of_reset_with_two_jokers_is_asked_about() -> None:
    """RS-08 and AMB-11: whether the hand holds a set at all."""
    hand = "J J K2 K6 K10 K13 B3 B7 B11 R4 R8 R12 O1 O5 O9"
    told = (("Ada", parse_tiles(hand)),)
    state = after(GameBegun("reset", ("Ada", "Ben", "Cleo")), StarterNamed("Ada"), Dealt(told))
    assert asked(state, Passed("Ada")) == "joker.max_per_set"
    assert asked(then(state, HouseRuleChosen("joker.max_per_set", 1)), Passed("Ada")) == ""
    must = apply(then(state, HouseRuleChosen("joker.max_per_set", 2)), Passed("Ada"))
    assert isinstance(must, Refusal)
    assert must.code == "illegal"


def test_a_set_of_two_jokers_waits_for_the_answer_and_the_next_does_not() -> None:
    state = before("pressman", "R10 J J K1 K2 K3 O4")
    first = Played("Ada", parse_layout("R5 R6 R7 | R10 J J"))
    assert asked(state, first) == "joker.max_per_set"
    state = then(state, HouseRuleChosen("joker.max_per_set", 2), first)
    seats = tuple(replace(seat, rack=None, opened=True) for seat in state.seats)
    state = replace(state, seats=seats)
    assert asked(state, Played("Ben", parse_layout("R5 R6 R7 R8 | R10 J J"))) == ""


THREE = "7S 7H 7D | KS KH KD | 9S 9H 9D"
HAND = "7S 7H 7D KS KH KD 9S 9H 9D 2C"


def in_round(number: int, house: House) -> GameState:
    state = dealt("sets-and-runs", {**SETTLED, **house})
    open_order = state.rules.chosen - {"contracts.order"}
    state = replace(state, rules=replace(state.rules, chosen=frozenset(open_order) | house.keys()))
    return on_table(replace(state, round=number, phase=Phase.PLAY), "-", HAND, opened=False)


def test_the_order_of_contracts_is_asked_at_the_round_where_it_first_matters() -> None:
    """AMB-39: three sets are the fourth contract or the sixth, and never another."""
    laid = Played("Ada", parse_layout(THREE))
    for number in range(1, 8):
        outcome = apply(in_round(number, {}), laid)
        assert isinstance(outcome, Refusal)
        assert outcome.code == ("ask" if number in (4, 6) else "illegal")
    assert asked(in_round(4, {}), laid) == "contracts.order"
    assert asked(in_round(4, {"contracts.order": "rising"}), laid) == ""
    assert asked(in_round(6, {"contracts.order": "family"}), laid) == ""
    # A hand that lays nothing down is not asked about, nor is its discard.
    assert asked(in_round(4, {}), Discarded("Ada", parse_tile("2C"))) == ""


def test_the_size_of_a_set_is_asked_in_the_card_game_before_it_stands() -> None:
    """AMB-40."""
    state = dealt("sets-and-runs", {"contracts.exact": "no", "run.least": 4})
    state = on_table(replace(state, phase=Phase.PLAY), "-", "7S 7H 7D KS KH KD 2C", opened=False)
    laid = Played("Ada", parse_layout("7S 7H 7D | KS KH KD"))
    assert asked(state, laid) == "group.least"
    assert asked(then(state, HouseRuleChosen("group.least", 3)), laid) == ""
    assert apply(then(state, HouseRuleChosen("group.least", 4)), laid).code == "illegal"  # type: ignore[union-attr]


ROW, COLUMN = "K7 K8 K9 K10", "B8 R8 O8"
OPENING, OWN = "claims.requires_opening", "claims.reclaim_own"


def claims(player: str, meld: str) -> Claimed:
    return Claimed(player, parse_meld(meld))


def with_rows(house: House | None = None) -> GameState:
    """Ada's turn in Rummi200kub, who has opened, as Ben has not; two sets lie there."""
    chosen: House = {"table.form": "sets", **(house or {})}
    state = after(GameBegun("rummi200kub", ("Ada", "Ben"), chosen), StarterNamed("Ada"))
    return on_table(then(state, Dealt()), f"{ROW} | {COLUMN}", None)


def test_a_claim_before_the_initial_play_waits_for_the_house_rule() -> None:
    state = with_rows()
    assert asked(state, claims("Ada", ROW)) == "", "Ada has opened"
    early = then(state, Drew("Ada"))
    assert asked(early, claims("Ben", ROW)) == OPENING
    may = then(early, HouseRuleChosen(OPENING, "no"), claims("Ben", ROW))
    assert [(t.player, t.points) for t in may.tokens] == [("Ben", 34)]
    may_not = apply(then(early, HouseRuleChosen(OPENING, "yes")), claims("Ben", ROW))
    assert isinstance(may_not, Refusal)
    assert may_not.code == "illegal"
    assert may_not.reason == "A set was claimed before the player's initial play."


def test_a_claim_of_one_s_own_set_waits_for_the_house_rule_and_a_hijack_does_not() -> None:
    state = then(with_rows({OPENING: "no"}), claims("Ada", ROW))
    assert asked(state, claims("Ben", ROW)) == "", "a hijack"
    own = then(state, Drew("Ben"))
    assert asked(own, claims("Ada", ROW)) == OWN
    assert asked(own, claims("Ada", COLUMN)) == ""
    may = then(own, HouseRuleChosen(OWN, "yes"), claims("Ada", ROW))
    assert [(t.player, t.level) for t in may.tokens] == [("Ada", 2)]
    may_not = apply(then(own, HouseRuleChosen(OWN, "no")), claims("Ada", ROW))
    assert isinstance(may_not, Refusal)
    assert may_not.ruling is not None
    assert [finding.code for finding in may_not.ruling.findings] == ["CLAIM_OWN_SET"]


def test_both_house_rules_of_a_claim_are_asked_one_after_the_other() -> None:
    state = then(with_rows(), Drew("Ada"), HouseRuleChosen(OPENING, "no"), claims("Ben", ROW))
    chosen = state.rules.chosen - {OPENING}
    state = then(replace(state, rules=replace(state.rules, chosen=chosen)), Drew("Ada"))
    first = asked(state, claims("Ben", ROW))
    (second,) = {OPENING, OWN} - {first}
    answers: House = {OPENING: "no", OWN: "yes"}
    state = then(state, HouseRuleChosen(first, answers[first]))
    assert asked(state, claims("Ben", ROW)) == second
    assert asked(then(state, HouseRuleChosen(second, answers[second])), claims("Ben", ROW)) == ""


def test_what_is_on_a_rack_is_no_matter_of_what_a_claim_is_asked_about() -> None:
    for rack in (None, "K11 B4 O9", "K1 B4 O9"):
        told = None if rack is None else parse_tiles(rack)
        state = then(with_rows({"draw.must_play": "always"}), Drew("Ada"))
        ada, ben = state.seats
        held = len(told) if told is not None else ben.held
        state = replace(state, seats=(ada, replace(ben, rack=told, held=held)))
        assert asked(state, claims("Ben", ROW)) == OPENING


REFUSED_ANYWAY: list[tuple[House, str, str]] = [
    ({}, "K7 K8 K9", "illegal"),
    ({"claims.tokens": 3}, ROW, "no_tokens"),
]


@pytest.mark.parametrize(("house", "meld", "code"), REFUSED_ANYWAY)
def test_a_claim_that_is_refused_by_every_answer_is_not_asked_about(
    house: House, meld: str, code: str
) -> None:
    outcome = apply(then(with_rows(house), Drew("Ada")), claims("Ben", meld))
    assert isinstance(outcome, Refusal)
    assert outcome.code == code


def test_a_claim_of_a_sound_set_is_not_asked_about_another_one_that_was_let_stand() -> None:
    """AMB-11: two jokers in a set are a matter of the claim of that set alone."""
    state = replace(with_rows({OPENING: "no"}), table=parse_layout(f"{ROW} | B9 J J"))
    assert asked(state, claims("Ada", ROW)) == ""
    assert asked(state, claims("Ada", "B9 J J")) == "joker.max_per_set"
