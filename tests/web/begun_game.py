"""A game of Pressman that is under way, for tests of the pages that show it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from playwright.sync_api import Page

if TYPE_CHECKING:
    from conftest import LaidDashboard

OpenPage = Callable[..., Page]
OpenLaid = Callable[..., "Generator[LaidDashboard, None, None]"]
TIMEOUT_MS = 20_000
PHONE = (390, 844)
BOUNCE_MS = 600
"""What is pressed again sooner than this counts as one press."""
GOING_OUT = ("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
"""All that a player was dealt, as sets."""


def begin(laid: LaidDashboard, *players: str, **house_rules: str) -> None:
    """Begins a game without the page; the first of the players begins."""
    rules = {name.replace("__", "."): value for name, value in house_rules.items()}
    wish = {"preset": "pressman", "players": list(players), "house_rules": rules}
    status, answer = laid.post("/api/game/begin", wish | {"starter": players[0]})
    assert status == 200, answer
    laid.lay()


def end_the_round(laid: LaidDashboard) -> None:
    """The player to move lays everything, and is out."""
    laid.lay(*GOING_OUT)
    state = laid.wait_until(lambda state: state.ruling is not None)
    laid.session.end_turn(state.layout_sequence)


def phone(open_page: OpenPage, laid: LaidDashboard) -> Page:
    """The page of the table on a phone."""
    return open_page(laid.url, *PHONE, until="#acts button")
