"""The row of events and what it comes to: taking back, correcting, replaying, and digests."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction

import pytest

import engine.game.events as events_module
from engine.game.digest import canonical_text, digest
from engine.game.events import (
    Corrected,
    Dealt,
    Drew,
    GameBegun,
    GameEvent,
    HandsShown,
    HouseRuleChosen,
    Played,
    StarterNamed,
    Undone,
)
from engine.game.fold import TILE_STEPS, Game, apply, steps_of
from engine.game.state import GameState, Phase, Refusal, Seat, Tokens, Unsettled
from engine.layout import Layout, parse_layout
from engine.melds import parse_meld, parse_tiles
from engine.ruleset import load_ruleset
from engine.scoring import GameScore, HandsAtEnd
from engine.tiles import parse_tile
from tests.engine.game.tile_games import game_of

ADA = "K10 B10 R10 K1 K2 K3 B1 B2 B3 R1 R2 R3 O1 O2"
BEN = "K11 B11 R11 O4 O5 O6 O7 B5 B6 R7 R8 R9 O13 K13"
BEGIN = GameBegun("pressman", ("Ada", "Ben"), {"draw.must_play": "off"})
TENS = Played("Ada", parse_layout("K10 B10 R10"))
ELEVENS = Played("Ben", parse_layout("K10 B10 R10 | K11 B11 R11"))
SCRIPT: tuple[GameEvent, ...] = (
    BEGIN,
    StarterNamed("Ada"),
    Dealt((("Ada", parse_tiles(ADA)), ("Ben", parse_tiles(BEN)))),
    TENS,
    ELEVENS,
    Drew("Ada", parse_tiles("O3")),
)


def after(game: Game, *events: GameEvent) -> Game:
    for event in events:
        then = game.after(event)
        assert isinstance(then, Game), then
        game = then
    return game


def refusal(game: Game, event: GameEvent) -> Refusal:
    answer = game.after(event)
    assert isinstance(answer, Refusal), answer
    return answer


# The step


def test_before_a_game_only_a_beginning_applies() -> None:
    assert isinstance(apply(None, BEGIN), GameState)
    answer = apply(None, Drew("Ada"))
    assert isinstance(answer, Refusal)
    assert answer.code == "not_begun"


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (BEGIN, "already_begun"),
        (Undone(), "not_of_a_state"),
        (Corrected(1, BEGIN), "not_of_a_state"),
        (events_module.Discarded("Ada", parse_tile("K1")), "not_in_this_game"),
        (events_module.Reshuffled(), "not_in_this_game"),
        (GameEvent(), "not_in_this_game"),
    ],
)
def test_what_is_no_step_of_a_tile_game_is_refused(event: GameEvent, code: str) -> None:
    answer = apply(game_of(*SCRIPT).state, event)
    assert isinstance(answer, Refusal)
    assert answer.code == code


def test_every_kind_of_event_is_a_step_of_some_game() -> None:
    """But for the beginning, and for what is about the row of events."""
    kinds = {
        kind
        for kind in vars(events_module).values()
        if isinstance(kind, type) and issubclass(kind, GameEvent) and kind is not GameEvent
    }
    cards = apply(None, GameBegun("sets-and-runs", ("Ada", "Ben", "Cleo")))
    assert isinstance(cards, GameState)
    assert {*TILE_STEPS, *steps_of(cards)} == kinds - {GameBegun, Undone, Corrected}


def test_a_refusal_says_in_a_sentence_what_was_expected_and_what_came() -> None:
    answer = refusal(game_of(*SCRIPT), Drew("Ada"))
    assert answer == Refusal("It is Ben's turn, not Ada's.", "not_your_turn")


# The row


def test_a_game_is_what_its_events_come_to() -> None:
    game = game_of(*SCRIPT)
    state: GameState | None = None
    for event in SCRIPT:
        outcome = apply(state, event)
        assert isinstance(outcome, GameState)
        state = outcome
    assert game.state == state
    assert (game.events, game.length) == (SCRIPT, 6)
    assert game.standing == tuple(enumerate(SCRIPT, start=1))
    assert game.states()[-1] == state
    assert len(game.states()) == 6


def test_games_of_equal_events_are_equal() -> None:
    assert game_of(*SCRIPT) == game_of(*SCRIPT)
    assert game_of(*SCRIPT) != game_of(*SCRIPT[:-1])
    assert game_of(*SCRIPT) != SCRIPT
    assert repr(game_of(*SCRIPT)) == "<game of pressman, 6 events, turn>"


def test_a_record_that_cannot_be_names_its_first_wrong_event() -> None:
    assert Game.of(()) == Game.of([])
    for script, number, code in (
        ((), None, "not_begun"),
        (SCRIPT[1:], 1, "not_begun"),
        ((BEGIN, BEGIN), 2, "already_begun"),
        ((*SCRIPT[:4], Drew("Ada"), *SCRIPT[4:]), 5, "not_your_turn"),
    ):
        answer = Game.of(script)
        assert isinstance(answer, Refusal)
        assert (answer.event, answer.code) == (number, code)


def test_going_on_leaves_the_game_before_as_it_was() -> None:
    game = game_of(*SCRIPT[:5])
    before = (game.state, game.events)
    after(game, SCRIPT[5])
    after(game, Drew("Ada"), Drew("Ben"))
    refusal(game, Drew("Ben"))
    assert (game.state, game.events) == before


# Taking back


def test_the_last_event_is_taken_back_and_the_one_before_it() -> None:
    game = game_of(*SCRIPT)
    once = after(game, Undone())
    assert once.state == game_of(*SCRIPT[:5]).state
    twice = after(once, Undone(by="Ben"))
    assert twice.state == game_of(*SCRIPT[:4]).state
    assert twice.events == (*SCRIPT, Undone(), Undone(by="Ben"))
    assert twice.standing == tuple(enumerate(SCRIPT[:4], start=1))
    on = after(twice, Drew("Ben"))
    assert on.state == game_of(*SCRIPT[:4], Drew("Ben")).state
    assert on.standing[-1] == (9, Drew("Ben"))


def test_the_beginning_cannot_be_taken_back() -> None:
    game = after(game_of(*SCRIPT), *[Undone()] * 5)
    assert game.state == game_of(BEGIN).state
    assert refusal(game, Undone()).code == "nothing_to_undo"


# Correcting


def test_a_correction_plays_through_what_came_after() -> None:
    seen = Corrected(6, Drew("Ada", parse_tiles("O4")), by="Ada")
    game = after(game_of(*SCRIPT), Drew("Ben"), seen)
    assert game.state == game_of(*SCRIPT[:5], seen.event, Drew("Ben")).state
    assert game.standing[5:] == ((6, seen.event), (7, Drew("Ben")))
    assert game.events[-1] == seen
    assert game.length == 8


def test_a_corrected_event_may_be_corrected_again() -> None:
    game = after(game_of(*SCRIPT), Corrected(6, Drew("Ada", parse_tiles("O4"))))
    game = after(game, Corrected(6, Drew("Ada")))
    assert game.state == game_of(*SCRIPT[:5], Drew("Ada")).state


def test_the_beginning_may_be_corrected_by_another() -> None:
    house = {"score.target": 100, "draw.must_play": "off"}
    other = GameBegun("pressman", ("Ada", "Ben"), house)
    game = after(game_of(*SCRIPT), Corrected(1, other))
    assert game.state.rules.score.target == 100
    assert game.state.turn == 4
    assert refusal(game, Corrected(1, Drew("Ada"))).code == "not_begun"


def test_a_correction_is_taken_back_like_any_other_event() -> None:
    game = game_of(*SCRIPT)
    corrected = after(game, Corrected(6, Drew("Ada")))
    assert corrected.told_last == Corrected(6, Drew("Ada"))
    back = after(corrected, Undone())
    assert back.state == game.state
    assert back.standing == game.standing
    assert back.told_last == game.told_last == game.standing[-1][1]
    assert after(back, Undone()).state == game_of(*SCRIPT[:5]).state


@pytest.mark.parametrize(
    ("event", "code", "number"),
    [
        # the correction itself
        (Corrected(4, Drew("Ben")), "not_your_turn", None),
        (Corrected(4, Played("Ada", parse_layout("K1 K2 K3"))), "illegal", None),
        (Corrected(2, Undone()), "not_of_a_state", None),
        (Corrected(0, Drew("Ada")), "not_standing", None),
        (Corrected(7, Drew("Ada")), "not_standing", None),
        (Corrected(-3, Drew("Ada")), "not_standing", None),
        # what came after it: Ben's elevens lay beside tens, and Ada draws in her own turn
        (Corrected(4, Drew("Ada")), "later_event_refused", 5),
        (Corrected(2, StarterNamed("Ben")), "later_event_refused", 4),
        (Corrected(1, GameBegun("pressman", ("Ada", "Cleo"))), "later_event_refused", 3),
    ],
)
def test_a_correction_that_does_not_fit_is_refused_and_changes_nothing(
    event: Corrected, code: str, number: int | None
) -> None:
    game = game_of(*SCRIPT)
    answer = refusal(game, event)
    assert (answer.code, answer.event) == (code, number)
    assert game == game_of(*SCRIPT)
    assert code != "later_event_refused" or f"event {number}" in answer.reason.lower()


def test_what_was_taken_back_cannot_be_corrected() -> None:
    game = after(game_of(*SCRIPT), Undone())
    assert refusal(game, Corrected(6, Drew("Ada"))).code == "not_standing"
    assert refusal(game, Corrected(7, Drew("Ada"))).code == "not_standing"


def test_a_later_ruling_that_a_correction_brings_about_is_told() -> None:
    answer = refusal(game_of(*SCRIPT), Corrected(4, Drew("Ada")))
    assert answer.ruling is not None
    assert answer.ruling.findings


# A long game


def test_a_long_row_of_events_goes_on_and_back_as_easily() -> None:
    """Rows of thousands are followed without recursion: nothing about them nests."""
    game = game_of(*SCRIPT)
    rules = [HouseRuleChosen("score.target", 100 + number % 2) for number in range(5_000)]
    game = after(game, *rules)
    assert game.length == 5_006
    assert game.events[-1] == rules[-1]
    assert game == after(game)
    back = after(game, *[Undone()] * 5_000)
    assert back.state == game_of(*SCRIPT).state


# Digests


def test_equal_states_have_equal_digests_and_others_have_not() -> None:
    states = game_of(*SCRIPT).states()
    assert [digest(state) for state in states] == [digest(s) for s in game_of(*SCRIPT).states()]
    assert len({digest(state) for state in states}) == len(states)
    assert digest(after(game_of(*SCRIPT), Drew("Ben"), Undone()).state) == digest(states[-1])


def test_a_choice_of_the_table_is_part_of_the_digest() -> None:
    chosen = apply(game_of(*SCRIPT).state, HouseRuleChosen("joker.free_removal", "no"))
    assert isinstance(chosen, GameState)
    assert digest(chosen) != digest(game_of(*SCRIPT).state)


def test_digests_are_the_same_on_every_machine_and_in_every_version() -> None:
    """Written down once: a change here breaks every record that was kept."""
    begun = GameBegun("pressman", ("Ada", "Ben"))
    assert digest(game_of(begun, *SCRIPT[1:4]).state) == DIGEST


DIGEST = "5f8f70e91187fb36cd435620b144e80f420ae52f14c2592b8deaffab6b785c0a"


def test_fields_at_their_defaults_are_left_out_of_the_canonical_text() -> None:
    assert (
        canonical_text(Seat("Ada", 2, (parse_tile("K1"),))) == 'Seat(name="Ada",held=2,rack=[K1])'
    )
    opened = Seat("Ada", 0, None, opened=True)
    assert canonical_text(opened) == 'Seat(name="Ada",held=0,rack=null,opened=true)'
    with pytest.raises(TypeError):
        canonical_text(1.5)


def test_every_field_that_a_state_has_of_its_own_is_in_its_canonical_text() -> None:
    """So two states that differ in any of them have different digests."""
    state = game_of(*SCRIPT).state
    other = {
        "rules": load_ruleset("sabra"), "phase": Phase.PLAY, "round": 9, "game": 9, "turn": 9,
        "seats": state.seats[::-1], "starter": 1, "to_move": None, "table": Layout(), "pool": 9,
        "discards": parse_tiles("K4"), "discard_dead": True, "reshuffles": 9,
        "tokens": (Tokens("Ada", parse_meld("K1 K2 K3"), 1),), "still_drawing": ("Ada",),
        "passes": 9, "ended": (HandsAtEnd({"Ada": ()}),), "winners": ("Ada",), "out": 1,
        "drawn": (("Ada", parse_tile("K1")),), "kept": (("Ada", parse_tile("K1")),), "locks": 2,
        "unsettled": Unsettled(Layout(), ()), "let_stand": (parse_meld("K1 K3"),), "deciding": ("Ada",),
        "scores": GameScore((), {"Ada": Fraction(1, 2)}, ("Ada",), ()),
    }  # fmt: skip
    assert set(other) == {item.name for item in fields(GameState)}
    changed = [replace(state, **{name: value}) for name, value in other.items()]  # type: ignore[arg-type]
    assert len({digest(each) for each in (state, *changed)}) == len(other) + 1


def test_a_state_that_has_been_scored_has_a_digest() -> None:
    hand = parse_tiles("K1 K2 K3 K4 K5 K6 K7 B1 B2 B3 B4 B5 B6 B7")
    down = Played("Ada", parse_layout("K1 K2 K3 K4 K5 K6 K7 | B1 B2 B3 B4 B5 B6 B7"))
    rest = parse_tiles("R1 R2 R3 R4 R5 R6 R7 O1 O2 O3 O4 O5 O6 J")
    game = game_of(
        GameBegun("pressman", ("Ada", "Ben"), {"score.target": 50}),
        StarterNamed("Ada"),
        Dealt((("Ada", hand),)),
        down,
        HandsShown((("Ben", rest),)),
    )
    assert game.state.winners == ("Ada",)
    assert "Ada" in canonical_text(game.state.scores)
    assert load_ruleset("pressman") != game.state.rules
    assert len(digest(game.state)) == 64
