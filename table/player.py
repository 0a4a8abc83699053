"""Somebody who plays by program: what it wishes, and what it says about its turn."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from table.board import LiveState


class PlayerWish(Enum):
    """What a player would press."""

    NOTHING = "nothing"
    END_TURN = "end turn"
    NEW_ROUND = "new round"


class Player(Protocol):
    """A player that the session asks after every picture, as people press buttons."""

    @property
    def said(self) -> str:
        """What it does in this turn, in words that go on from "The player"."""
        ...

    @property
    def opened(self) -> bool:
        """Whether it had laid an initial meld before this turn."""
        ...

    def wish(self, state: LiveState) -> PlayerWish:
        """What it presses now."""
        ...
