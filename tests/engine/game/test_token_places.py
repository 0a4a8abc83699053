"""Where tokens can lie when the same tiles lie in several lines, asked of all claims (AMB-35)."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game.events import Claimed, Dealt, Drew, FaultNoticed, GameBegun, Played, StarterNamed
from engine.game.fold import apply
from engine.game.position import TokensOn
from engine.game.positions import position_of, turn_from
from engine.game.state import GameState, Refusal
from engine.game.text_errors import AmbiguousError
from engine.game.token_places import ways_to_lie, with_room
from engine.game.tokens import lines_of_board, tokens_used
from engine.layout import parse_grid, parse_layout
from engine.melds import Meld, parse_meld
from engine.turns import Claim
from tests.engine.game.tile_games import House, after, then, with_usual_answers

KINDS = parse_meld("K1 K2 K3 K4 J").tiles


def all_ways(claims: list[Meld], lines: list[Meld]) -> list[tuple[int, ...]]:
    """An oracle: every choice of a line for each claim in which no line carries too much."""
    found = []
    for hosts in product(range(len(lines)), repeat=len(claims)):
        carried = [
            Counter(
                tile for claim, at in zip(claims, hosts, strict=True) if at == n for tile in claim
            )
            for n in range(len(lines))
        ]
        if all(tiles <= Counter(line) for tiles, line in zip(carried, lines, strict=True)):
            found.append(hosts)
    return found


melds = st.lists(st.sampled_from(KINDS), min_size=1, max_size=5).map(Meld.of)
short = st.lists(st.sampled_from(KINDS), min_size=1, max_size=3).map(Meld.of)


@given(st.lists(short, max_size=5), st.lists(melds, min_size=1, max_size=4), st.data())
def test_a_line_carries_what_every_choice_of_lines_leaves_to_it(
    claims: list[Meld], lines: list[Meld], data: st.DataObject
) -> None:
    """Held against every choice there is. A claim is left out only where all before it need the room."""
    kept = with_room(claims, lines)
    for n in range(len(claims)):
        before = [claims[k] for k in kept if k < n]
        assert (n in kept) == bool(all_ways([*before, claims[n]], lines))
    here = data.draw(st.integers(0, len(lines) - 1))
    expected = {
        frozenset(n for n, at in zip(kept, hosts, strict=True) if at == here)
        for hosts in all_ways([claims[n] for n in kept], lines)
    }
    ways = ways_to_lie(claims, lines, here)
    assert sorted(map(sorted, expected)) == sorted(sorted(way.whole) for way in ways)
    for way in ways:
        assert sum(way.tiles.values(), Counter()) <= Counter(lines[here])
        assert all(way.tiles[n] == Counter(claims[n]) for n in way.whole)


def test_many_equal_claims_are_placed_without_trying_every_order() -> None:
    """Twelve claims that are alike, and room for eleven: one has none."""
    row, other = parse_meld("K1 K2 K3"), parse_meld("K1 K2 K3 K4")
    assert with_room([row] * 12, [row] * 5 + [other] * 6) == tuple(range(11))


# In a game


def dealt(house: House | None = None) -> GameState:
    chosen = with_usual_answers("rummi200kub", {"opening.points": 0, **(house or {})})
    return after(
        GameBegun("rummi200kub", ("Ada", "Ben"), chosen),
        StarterNamed("Ada"),
        Dealt(),
    )


def grid(board: str) -> Played:
    return Played("Ada", parse_grid(board))


def claims(player: str, meld: str, fresh: bool | None = None) -> Claimed:
    return Claimed(player, parse_meld(meld), fresh=fresh)


def laid(state: GameState) -> list[str]:
    return [f"{item.player} {item.level} {item.meld}" for item in state.tokens]


CROSSED = """
. R1 . . . / . R3 . . . / R1 R2 R3 R4 R5 / . . R4 . . / . . R5 . .
""".strip()
"""Two columns of three hang on a row of five, one by its R2, one by its R3."""


def crossed(house: House | None = None) -> GameState:
    """Ada claimed a row and a column of the same three tiles, and then the row became longer. Ben
    claimed the other column, whose tiles lie in the row as well."""
    return then(
        dealt(house),
        grid("R3 R4 R5"),
        Drew("Ben"),
        claims("Ada", "R3 R4 R5"),
        Drew("Ben"),
        grid("R3 R4 R5 / R4 . . / R5 . ."),
        Drew("Ben"),
        claims("Ada", "R3 R4 R5", fresh=True),
        Drew("Ben"),
        grid(CROSSED),
        claims("Ben", "R1 R3 R2"),
    )


def test_a_longer_row_is_claimed_with_the_tokens_that_can_lie_in_it() -> None:
    """Ben's three tiles lie in the row as well, but if his tokens lay there Ada's two claims of the same
    tiles would have one column for both."""
    row = "R1 R2 R3 R4 R5"
    state = crossed()
    for fresh in (None, False):
        outcome = apply(state, claims("Ada", row, fresh))
        assert isinstance(outcome, Refusal), outcome
        assert outcome.ruling is not None
        assert [finding.code for finding in outcome.ruling.findings] == ["CLAIM_OWN_SET"]
    again = then(crossed({"claims.reclaim_own": "yes"}), claims("Ada", row, fresh=False))
    assert laid(again) == ["Ada 1 R3 R4 R5", "Ben 1 R1 R3 R2", "Ada 2 R1 R2 R3 R4 R5"]
    assert again.tokens[-1].under == (("Ada", 3),)
    hijacked = then(state, Drew("Ada"), claims("Ben", row))
    assert laid(hijacked) == ["Ada 1 R3 R4 R5", "Ben 1 R1 R3 R2", "Ben 2 R1 R2 R3 R4 R5"]


def test_no_line_of_a_board_carries_more_tokens_than_tiles() -> None:
    state = then(crossed({"claims.reclaim_own": "yes"}), claims("Ada", "R1 R2 R3 R4 R5"))
    lines = lines_of_board(state.table)
    assert len(with_room([item.meld for item in state.tokens], lines)) == len(state.tokens)


def test_the_turn_from_a_position_knows_those_tokens_too() -> None:
    """It is Ada's own claim that she would claim again, not Ben's column."""
    position = position_of(crossed())
    row = parse_meld("R1 R2 R3 R4 R5")
    assert turn_from(position, position.table, claims=(row,)).turn.claims == (
        Claim(row, 1, own=True),
    )


def test_a_position_does_not_tell_whose_tokens_lie_where_two_lines_have_the_same_tiles() -> None:
    """A row and a column of three, in another order, and one claim of these tiles."""
    state = then(dealt({"run.order": "any"}), grid("R3 R4 R5 / R5 . . / R4 . ."))
    state = then(state, claims("Ben", "R3 R4 R5"), Drew("Ada"), Drew("Ben"))
    position = position_of(state)
    assert position.tokens == (TokensOn("Ben", 1, parse_meld("R3 R4 R5")),)
    with pytest.raises(AmbiguousError, match="has tiles that lie there twice"):
        turn_from(position, position.table, claims=(parse_meld("R3 R5 R4"),))


def test_tokens_that_lie_in_the_order_of_a_set_are_taken_for_those_on_it() -> None:
    """Ada has the row and Ben the column of the same tiles, in another order: who claims the row says so
    by the order of its tiles, and the tokens on it are Ada's."""
    state = then(dealt({"run.order": "any"}), grid("R3 R4 R5 / R5 . . / R4 . ."), Drew("Ben"))
    state = then(state, claims("Ada", "R3 R4 R5"), claims("Ben", "R3 R5 R4", fresh=True))
    state = then(state, Drew("Ada"))
    outcome = apply(state, claims("Ben", "R3 R4 R5"))
    assert isinstance(outcome, Refusal)
    assert outcome.code == "which_set"
    hijacked = then(state, claims("Ben", "R5 R4 R3", fresh=False))
    assert laid(hijacked) == ["Ben 1 R3 R5 R4", "Ben 2 R5 R4 R3"]


SETS: House = {"table.form": "sets"}


def sets(board: str, overruled_by: str | None = None) -> Played:
    return Played("Ada", parse_layout(board), overruled_by=overruled_by)


def test_a_claim_does_not_lapse_where_another_one_can_make_room() -> None:
    """Ben's three tiles lie in both runs and his four in one; there is room for both."""
    state = then(dealt(SETS), sets("K7 K8 K9"), claims("Ben", "K7 K8 K9"))
    state = then(state, sets("K7 K8 K9 | K7 K8 K9 K10"), claims("Ben", "K7 K8 K9 K10", fresh=True))
    state = then(state, sets("K5 K6 K7 K8 K9 | K7 K8 K9 K10"))
    assert laid(state) == ["Ben 1 K7 K8 K9", "Ben 1 K7 K8 K9 K10"]


def test_a_claim_that_stands_comes_back_beside_one_made_since() -> None:
    """AMB-26: after a play that was let stand Ada claims the twin of a set that is Ben's, and the play
    is taken back: both keep their tokens."""
    state = then(dealt(SETS), sets("K7 B7 R7"), claims("Ben", "K7 B7 R7"))
    state = then(state, sets("K7 B7 R7 | K7 B7 R7"), Drew("Ben"))
    state = then(state, sets("K7 B7 R7 | K7 B7 R7 | K1 K2", overruled_by="Ben"), Drew("Ben"))
    state = then(state, claims("Ada", "K7 B7 R7", fresh=True), Drew("Ben"))
    back = then(state, FaultNoticed("taken_back"))
    assert laid(back) == ["Ben 1 K7 B7 R7", "Ada 1 K7 B7 R7"]


def test_tokens_that_count_by_themselves_are_hijacked_one_by_one() -> None:
    """AMB-35 by the house rule: of five tokens those three lie beneath that lay on these tiles, and the
    other two are on top as before."""
    state = then(dealt({**SETS, "claims.model": "per_tile"}), sets("K5 K6 K7 K8 K9"))
    state = then(state, claims("Ben", "K5 K6 K7 K8 K9"), sets("K5 K6 K7 | K7 K8 K9"), Drew("Ben"))
    state = then(state, claims("Ada", "K7 K8 K9"))
    assert [(str(item.meld), item.under) for item in state.tokens] == [
        ("K5 K6", ()),
        ("K7 K8 K9", (("Ben", 3),)),
    ]
    assert (tokens_used(state, "Ben"), tokens_used(state, "Ada")) == (5, 3)


def test_a_tile_that_somebody_was_let_take_away_has_no_token_any_more() -> None:
    """AMB-35 by the house rule; the table lets a play stand that takes a claimed tile."""
    state = then(dealt({**SETS, "claims.model": "per_tile"}), sets("K5 K6 K7 K8"))
    state = then(state, claims("Ben", "K5 K6 K7 K8"))
    state = then(state, sets("K5 K6 K7 | K1 K2 K3", overruled_by="Ben"))
    assert [(str(item.meld), item.points) for item in state.tokens] == [("K5 K6 K7", 18)]
    assert tokens_used(state, "Ben") == 3
