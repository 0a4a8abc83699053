"""Hands in the card game: plays that fail, what is known of a hand, and what it counts at the end."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.game.events import Discarded, GameBegun, Misplayed, Played
from engine.game.fold import Game, apply
from engine.game.state import Phase, Refusal
from engine.layout import Layout, parse_grid
from engine.melds import parse_tiles
from engine.tiles import parse_tile
from tests.engine.game.card_games import PLAYERS, SETTLED, at, event, rack, refused, then

HAND = "7S 7H 7D KS KH KD 4S 5S 6S 7S 2D 3C"
ROUND_OF_RUNS: dict[str, Any] = {"laid_down": "Ada", "number": 3}


# Plays that fail


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada misplays", "9C KD 2D"),
        ("Ada misplays: 9S 9H 9D KD", "9C KD 2D"),
        ("Ada misplays: 9S 9H | 9D 9C 2D", "9C KD 2D"),
        ("Ada misplays: 9D 9S 9H", "9C KD 2D"),
        ("Ada misplays: 9S 9H 9D 9C", "was_legal"),
        ("Ada misplays: 9S 9H 9D 5C", "not_held"),
        ("Ada misplays; draws 5C", "wrong_count"),
        ("Ada misplays {-1 s}", "bad_time"),
        ("Ada misplays: grid 9S 9H 9D", "wrong_form"),
    ],
)
def test_an_unsuccessful_play_is_taken_back_and_the_turn_goes_on(text: str, expected: str) -> None:
    """AMB-50, AMB-24, SR-30: nothing is drawn for it, and the player still has to discard."""
    state = at("9S 9H 9D", "9C KD 2D", laid_down="Ada")
    if text.endswith("{-1 s}"):
        outcome = apply(state, Misplayed("Ada", elapsed_s=-1))
        assert isinstance(outcome, Refusal)
        assert outcome.code == expected
        return
    outcome = apply(state, event(text))
    if isinstance(outcome, Refusal):
        assert outcome.code == expected
    else:
        assert outcome == state


def test_a_table_may_make_an_unsuccessful_play_cost_cards() -> None:
    """AMB-50, AMB-25: as many as there are, where the deck has fewer."""
    house = {**SETTLED, "misplay.penalty": 3}
    state = at("9S 9H 9D", "9C KD 2D", laid_down="Ada", house=house)
    paid = then(state, "Ada misplays: 9S 9H 9D KD; draws 5C 6C 8C")
    assert rack(paid) == "2D KD 5C 6C 8C 9C"
    assert (paid.pool, paid.phase) == (state.pool - 3, Phase.PLAY)
    unseen = then(state, "Ada misplays: 9S 9H 9D KD")
    assert (unseen.seats[0].held, unseen.seats[0].rack) == (6, None)
    short = at("9S 9H 9D", "9C KD 2D", laid_down="Ada", house=house, pool=2)
    assert then(short, "Ada misplays: 9S 9H 9D KD").seats[0].held == 5


def test_a_table_may_leave_an_unsuccessful_play_where_it_lies() -> None:
    """AMB-24: it stands until somebody notices."""
    house = {**SETTLED, "misplay.restore": "no"}
    state = at("9S 9H 9D", "9C KD 2D", laid_down="Ada", house=house)
    left = then(state, "Ada misplays: 9S 9H 9D KD")
    assert (str(left.table), left.seats[0].held) == ("9S 9H 9D KD", 2)
    assert left.unsettled is not None
    assert refused(state, "Ada misplays: 9S 9H KD") == "tiles_missing"


# What is known


def test_hands_that_nobody_saw_are_counted() -> None:
    state = at("9S 9H 9D", 3, laid_down="Ada")
    played = then(state, "Ada plays: 9S 9H 9D 9C")
    assert (played.seats[0].held, played.seats[0].rack) == (2, None)
    assert then(played, "Ada discards KD").seats[0].held == 1
    assert refused(at("9S 9H 9D", 1, laid_down="Ada"), "Ada plays: 9S 9H 9D 9C 9S") == "wrong_count"


def test_a_joker_that_is_swapped_does_not_change_the_count() -> None:
    """SR-21 (TV-22): a card out, a joker in, which is the player's to use or to discard."""
    unseen = then(at("4S * 6S 7S", 3, **ROUND_OF_RUNS), "Ada plays: 4S 5S 6S 7S")
    assert (unseen.seats[0].held, unseen.seats[0].rack) == (3, None)
    seen = then(at("4S * 6S 7S", "5S KD 2C", **ROUND_OF_RUNS), "Ada plays: 4S 5S 6S 7S")
    assert rack(seen) == "KD 2C *"
    assert refused(seen, "Ada discards *") == "illegal DISCARD_PLAYABLE SR-18"


def test_a_card_whose_copies_all_lie_elsewhere_was_not_in_a_hand_nobody_saw() -> None:
    """G-04."""
    state = at("9S 9H 9D", 3, ("9C 9C KD", 5), laid_down="Ada")
    assert refused(state, "Ada plays: 9S 9H 9D 9C") == "too_many_copies"
    assert refused(state, "Ada discards 9C") == "too_many_copies"
    taken = at("9S 9H 9D", 3, ("9C 9C KD", 5), laid_down="Ada", phase=Phase.TURN)
    assert refused(taken, "Ada takes from deck 9C") == "too_many_copies"


def test_a_hand_that_is_told_is_known_from_then_on() -> None:
    state = at("9S 9H 9D", 3, laid_down="Ada")
    assert rack(then(state, "Ada plays: 9S 9H 9D 9C; keeps KD 2D")) == "2D KD"
    assert refused(state, "Ada plays: 9S 9H 9D 9C; keeps KD") == "wrong_count"
    assert refused(state, "Ada plays: 9S 9H 9D 9C; keeps KD 9S 9S") == "wrong_count"
    assert refused(state, "Ada plays: 9S 9H 9D 9C; keeps 9C 9C") == "too_many_copies"
    known = at("9S 9H 9D", "9C KD 2D", laid_down="Ada")
    assert refused(known, "Ada plays: 9S 9H 9D 9C; keeps KD 3D") == "hand_differs"


def test_an_unseen_card_makes_a_known_hand_unknown() -> None:
    state = at(hand=HAND, phase=Phase.TURN, dead=False)
    assert then(state, "Ada takes from deck").seats[0].rack is None
    assert then(state, "Ada takes from discard").seats[0].rack is not None


@pytest.mark.parametrize("elapsed", [-1.0, float("nan"), float("inf")])
def test_a_play_takes_0_seconds_or_more(elapsed: float) -> None:
    layout = Layout.of([parse_tiles("7S 7H 7D"), parse_tiles("KS KH KD")])
    outcome = apply(at(hand=HAND), Played("Ada", layout, elapsed_s=elapsed))
    assert isinstance(outcome, Refusal)
    assert outcome.code == "bad_time"
    on_grid = apply(at(hand=HAND), Played("Ada", parse_grid("7S 7H 7D")))
    assert isinstance(on_grid, Refusal)
    assert on_grid.code == "wrong_form"


# SR-19, SR-29: the score


def test_cards_left_are_points_and_the_lowest_total_wins() -> None:
    """SR-19, SR-29 (TV-25): 2 and 9, ten, king, ace, joker are 5 + 5 + 10 + 10 + 15 + 50."""
    state = at("9S 9H 9D", "3C", ("2S 9C 10H KD AS *", 2), laid_down="Ada", number=7)
    over = then(state, "Ada discards 3C")
    assert refused(over, "hands") == "hand_missing"
    assert refused(over, "hands: Cleo 4D") == "wrong_count"
    assert refused(over, "hands: Cleo 9S 9S") == "too_many_copies"
    scored = then(over, "hands: Cleo 4D JD")
    assert scored.scores is not None
    assert dict(scored.scores.totals) == {"Ada": 0, "Ben": 95, "Cleo": 15}
    assert all(check.holds for check in scored.scores.checks)


def test_steps_can_be_taken_back_and_corrected() -> None:
    """A record of cards is like any other: the fold of its events."""
    opening = GameBegun("sets-and-runs", PLAYERS[:3], dict(SETTLED))
    texts = ["Ada begins", "deal; upcard KH", "Ada takes from deck", "Ada discards 2C"]
    game = Game.of([opening, *map(event, texts)])
    assert isinstance(game, Game)
    undone = game.after(event("undo"))
    assert isinstance(undone, Game)
    assert undone.state.phase is Phase.PLAY
    corrected = game.after(event("correct 5: Ada discards 2D"))
    assert isinstance(corrected, Game)
    assert corrected.state.discards[-1] == parse_tile("2D")
    assert corrected.state == then(undone.state, Discarded("Ada", parse_tile("2D")))


def test_the_example_of_the_document_runs() -> None:
    text = (Path(__file__).resolve().parents[3] / "docs/games.md").read_text("utf-8")
    example = re.search(r"^## The card game$.*?```python\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    assert example
    exec(compile(example[1], "docs/games.md", "exec"), {})  # noqa: S102
