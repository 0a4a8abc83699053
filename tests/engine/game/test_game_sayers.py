"""Who said an event: anybody with a name, as a record can write it."""

from __future__ import annotations

import pytest

from engine.game.events import (
    Corrected,
    Discarded,
    FaultNoticed,
    GameBegun,
    GameEvent,
    HouseRuleChosen,
    Passed,
    Played,
    Undone,
)
from engine.game.fold import Game
from engine.game.state import Refusal
from engine.layout import Layout
from engine.tiles import parse_tile

NO_NAMES = ["", " ", " Ada", "Ada\n", "A\tda", "\u202eAda"]


def begun() -> Game:
    """A game of two in which nothing has happened."""
    game = Game.begin(GameBegun("pressman", ("Ada", "Ben")))
    assert isinstance(game, Game)
    return game


def said_by(name: str) -> list[GameEvent]:
    """Every event that somebody says or lets stand."""
    return [
        HouseRuleChosen("joker.freeze", "none", name),
        Undone(name),
        Corrected(1, GameBegun("pressman", ("Ada", "Cleo")), name),
        FaultNoticed("stands", name),
        Played("Ada", Layout(), overruled_by=name),
        Discarded("Ada", parse_tile("7H"), overruled_by=name),
        Corrected(1, Played("Ada", Layout(), overruled_by=name)),
    ]


@pytest.mark.parametrize("name", NO_NAMES)
@pytest.mark.parametrize("number", range(len(said_by("Ada"))))
def test_what_nobody_can_be_called_says_nothing(name: str, number: int) -> None:
    refusal = begun().after(said_by(name)[number])
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad_name"


@pytest.mark.parametrize("name", [None, "Ada", "Cleo", "the arbiter", "person", "冬"])
def test_whoever_has_a_name_may_say_it_and_need_not_play(name: str | None) -> None:
    after = begun().after(HouseRuleChosen("joker.freeze", "none", name))
    assert isinstance(after, Game)
    assert after.state.rules.joker.freeze == "none"
    back = after.after(Undone(name))
    assert isinstance(back, Game)
    assert back.state == begun().state


def test_a_name_that_is_none_is_noticed_before_all_else() -> None:
    """Even where the event could not apply anyway: it can stand in no record."""
    assert begun().after(Passed("Ada")).code == "wrong_phase"  # type: ignore[union-attr]
    assert begun().after(FaultNoticed("stands", "")).code == "bad_name"  # type: ignore[union-attr]
