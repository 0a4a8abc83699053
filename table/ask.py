"""The one thing that is asked in a game now, and the buttons for its answers."""

from __future__ import annotations

from dataclasses import dataclass

from engine.faults import Question


@dataclass(frozen=True, slots=True)
class Act:
    """One button."""

    act: str
    """Its word, one of ``ACTS``; or ``full_time``, ``table_is_back``, ``finish`` or ``new_game``, which
    are no events of the game."""
    label: str
    player: str = ""
    """The player that is sent with it."""
    primary: bool = False
    """Whether the space bar, Enter or a button of the table's own may press it: at most one."""
    needs_name: bool = False
    """Whether somebody has to say by name that it is so."""
    needs_tile: bool = False
    """Whether a tile is to be shown with it: the one that is returned (AMB-20)."""
    needs_set: bool = False
    """Whether it has to be said which set is claimed: one of ``GameView.claims.choices``."""
    is_aside: bool = False
    """Whether it is not what is asked, but what is left where nobody can answer that: it stands back."""
    asks_again: bool = False
    """Whether a page makes sure that it is meant: what costs tiles, or ends a round."""
    follows: str = ""
    """What comes of it, or why it is made sure of, in sentences, where that depends on the game."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The one thing that is to be done or decided now."""

    text: str
    detail: str
    acts: tuple[Act, ...]
    question: Question | None = None
    """What has to be answered before it can be told what follows."""
    rests_on: tuple[str, ...] = ()
    """Of a penalty, what nobody has chosen and it rests on, a sentence each."""
