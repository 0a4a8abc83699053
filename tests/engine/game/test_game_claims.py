"""Rummi200kub: drawing, playing and claiming, whose points are whose, and how the game is won."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game.events import (
    Claimed,
    Dealt,
    Drew,
    FaultNoticed,
    GameBegun,
    GameEvent,
    HandsShown,
    HouseRuleChosen,
    Played,
    PlayStopped,
    StarterNamed,
)
from engine.game.fold import Game, apply
from engine.game.score_sheet import claimed_points
from engine.game.state import GameState, Phase, Refusal
from engine.layout import parse_grid, parse_layout
from engine.melds import parse_meld, parse_tiles
from engine.ruleset import load_ruleset
from engine.scoring import Claim, score_claims
from tests.engine.game.tile_games import House, then, with_usual_answers


def refused(state: GameState, event: GameEvent) -> str:
    outcome = apply(state, event)
    assert isinstance(outcome, Refusal), outcome
    if outcome.ruling is not None:
        return " ".join([outcome.code, *(finding.code for finding in outcome.ruling.findings)])
    return outcome.code


def dealt(
    house: House | None = None,
    players: tuple[str, ...] = ("Ada", "Ben"),
    locks: int | None = None,
    hand: str | None = None,
) -> GameState:
    """Ada's turn; who may claim is chosen as it is usual, unless the house rules say otherwise."""
    hands = () if hand is None else (("Ada", parse_tiles(hand)),)
    game = Game.of(
        (
            GameBegun("rummi200kub", players, with_usual_answers("rummi200kub", house), locks),
            StarterNamed("Ada"),
            Dealt(hands),
        )
    )
    assert isinstance(game, Game), game
    return game.state


def plays(player: str, board: str) -> Played:
    return Played(player, parse_grid(board))


def claims(player: str, meld: str, fresh: bool | None = None) -> Claimed:
    return Claimed(player, parse_meld(meld), fresh=fresh)


def points(state: GameState) -> list[int]:
    assert (
        state.scores is None or state.deciding or dict(state.scores.totals) == claimed_points(state)
    )
    return [int(value) for value in claimed_points(state).values()]


ROW = "K7 K8 K9 K10"
"""Thirty-four points, and an opening."""
CROSS = "K7 K8 K9 K10 / . B8 . . / . R8 . ."


def test_a_claim_is_a_turn_and_its_points_are_the_tiles_of_the_set() -> None:
    """R2-11, R2-22; AMB-37: who has not opened may claim."""
    state = then(dealt(), plays("Ada", ROW), claims("Ben", ROW))
    assert points(state) == [0, 34]
    assert (state.to_move, state.pool, state.seats[1].opened) == (0, 78, False)
    (tokens,) = state.tokens
    assert (tokens.player, str(tokens.meld), tokens.level) == ("Ben", ROW, 1)


def test_a_set_may_be_told_from_either_side() -> None:
    state = then(dealt(), plays("Ada", ROW), claims("Ben", "K10 K9 K8 K7"))
    assert points(state) == [0, 34]


def test_rows_and_columns_are_claimed_each_by_itself() -> None:
    """R2-19: the tile where they cross counts in both."""
    state = then(dealt(), plays("Ada", ROW), Drew("Ben"), plays("Ada", CROSS))
    state = then(state, claims("Ben", ROW), claims("Ada", "K8 B8 R8"))
    assert points(state) == [24, 34]


def test_a_claimed_set_is_hijacked_and_then_locked() -> None:
    """R2-23, R2-24: the points go to the latest claimant; the third claim is the last."""
    state = then(dealt(), plays("Ada", ROW), claims("Ben", ROW))
    assert refused(then(state, Drew("Ada")), claims("Ben", ROW)) == "illegal CLAIM_OWN_SET"
    state = then(state, claims("Ada", ROW))
    assert (points(state), state.tokens[0].level) == ([34, 0], 2)
    state = then(state, claims("Ben", ROW))
    assert (points(state), state.tokens[0].level) == ([0, 34], 3)
    assert state.tokens[0].under == (("Ben", 4), ("Ada", 4))
    assert refused(state, claims("Ada", ROW)) == "illegal CLAIM_LOCKED"


# fmt: off
NO_CLAIMS = [
    ({}, claims("Ben", "K7 K8 K9"), "illegal CLAIM_NO_SET"),
    ({}, claims("Ben", "B1 B2 B3"), "illegal CLAIM_NO_SET"),
    ({}, claims("Ada", ROW), "not_your_turn"),
    ({}, claims("Ben", "7S 8S 9S"), "wrong_deck"),
    ({}, claims("Ben", "K7 K7 K7"), "too_many_copies"),
    ({}, Claimed("Ben", parse_meld(ROW), elapsed_s=-1), "bad_time"),
    ({"claims.requires_opening": "yes"}, claims("Ben", ROW), "illegal CLAIM_BEFORE_OPENING"),
    ({"claims.tokens": 3}, claims("Ben", ROW), "no_tokens"),
]
# fmt: on


@pytest.mark.parametrize(("house", "event", "answer"), NO_CLAIMS)
def test_what_is_no_claim_is_refused(house: House, event: GameEvent, answer: str) -> None:
    assert refused(then(dealt(house), plays("Ada", ROW)), event) == answer


def test_tokens_beneath_others_are_in_use() -> None:
    """AMB-37: of eight tokens four lie beneath Ben's, so two more sets are too many for Ada."""
    state = then(dealt({"claims.tokens": 8}), plays("Ada", ROW), Drew("Ben"), plays("Ada", CROSS))
    state = then(
        state, Drew("Ben"), claims("Ada", ROW), claims("Ben", ROW), claims("Ada", "K8 B8 R8")
    )
    state = then(state, Drew("Ben"))
    assert refused(state, claims("Ada", ROW)) == "no_tokens"
    roomy = then(state, HouseRuleChosen("claims.tokens", 11))
    assert points(then(roomy, claims("Ada", ROW))) == [58, 0]


@pytest.mark.parametrize(
    ("locks", "how", "answer"),
    [
        (None, "own", None),  # nobody counted the locks
        (2, "own", None),  # one each (R2-09)
        (1, "own", "no_locks"),
        (1, "borrow", None),
        (0, "borrow", "no_locks"),
    ],
)
def test_the_third_claim_needs_a_lock(locks: int | None, how: str, answer: str | None) -> None:
    """AMB-37: whether another's may be used is for the table to say."""
    state = then(dealt({"claims.locks": how}, locks=locks), plays("Ada", ROW))
    state = then(state, claims("Ben", ROW), claims("Ada", ROW))
    outcome = apply(state, claims("Ben", ROW))
    assert (outcome.code if isinstance(outcome, Refusal) else None) == answer


def test_locks_are_shared_out_evenly_where_none_may_be_borrowed() -> None:
    """Of three locks each of two players has one, so Ben's second locked set is one too many."""
    state = dealt({"claims.locks": "own"}, locks=3)
    state = then(state, plays("Ada", ROW), Drew("Ben"), plays("Ada", CROSS))
    for meld in (ROW, "K8 B8 R8"):
        state = then(state, claims("Ben", meld), claims("Ada", meld))
        if meld == ROW:
            state = then(state, claims("Ben", meld), Drew("Ada"))
    assert refused(state, claims("Ben", "K8 B8 R8")) == "no_locks"


def test_a_tile_that_is_added_later_counts_for_nobody_until_the_next_claim() -> None:
    """AMB-35: points are those of the tiles with tokens; the next claim covers the whole set."""
    state = then(dealt(), plays("Ada", ROW), claims("Ben", ROW))
    state = then(state, plays("Ada", "K7 K8 K9 K10 K11"))
    assert points(state) == [0, 34]
    state = then(state, Drew("Ben"), claims("Ada", "K7 K8 K9 K10 K11"))
    assert points(state) == [45, 0]


def broken_up(house: House | None = None) -> GameState:
    """Ben claimed a run of five, and Ada parted it in two with a tile of her own."""
    state = then(dealt({"table.form": "sets", "opening.points": 0, **(house or {})}))
    run, parted = "K5 K6 K7 K8 K9", "K5 K6 K7 | K7 K8 K9"
    return then(
        state,
        Played("Ada", parse_layout(run)),
        claims("Ben", run),
        Played("Ada", parse_layout(parted)),
    )


def test_a_claim_lapses_when_its_set_is_broken_up() -> None:
    """AMB-35."""
    state = broken_up()
    assert (state.tokens, points(state)) == ((), [0, 0])
    assert points(then(state, claims("Ben", "K5 K6 K7"))) == [0, 18]


def test_tokens_may_count_tile_by_tile() -> None:
    """AMB-35 by the house rule: they travel with their tiles, and are hijacked with them."""
    state = broken_up({"claims.model": "per_tile"})
    assert points(state) == [0, 35]
    state = then(state, Drew("Ben"), claims("Ada", "K7 K8 K9"))
    assert points(state) == [24, 11]
    assert [(str(item.meld), item.level) for item in state.tokens] == [
        ("K5 K6", 1),
        ("K7 K8 K9", 2),
    ]


def test_a_claimed_set_may_be_frozen() -> None:
    state = dealt({"table.form": "sets", "opening.points": 0, "claims.frozen": "yes"})
    run = "K5 K6 K7 K8 K9"
    state = then(state, Played("Ada", parse_layout(run)), claims("Ben", run))
    parted = Played("Ada", parse_layout("K5 K6 K7 | K7 K8 K9"))
    assert refused(state, parted) == "claim_frozen"
    added = Played("Ada", parse_layout("K5 K6 K7 K8 K9 K10"))
    assert points(then(state, added)) == [0, 35]


def test_a_play_that_takes_a_frozen_claim_apart_does_not_keep_the_round_going() -> None:
    """Ada could lay her K7 only by parting the run that Ben claimed: nobody has to see that."""
    run, house = "K5 K6 K7 K8 K9", {"table.form": "sets", "opening.points": 0}

    def with_empty_pool(frozen: str, claimed: bool) -> GameState:
        state = dealt({**house, "claims.frozen": frozen})
        state = then(state, Played("Ada", parse_layout(run)), claims("Ben", run))
        ada = replace(state.seats[0], rack=parse_tiles("K7"), held=1, opened=True)
        ben = replace(state.seats[1], rack=parse_tiles("O1"), held=1)
        tokens = state.tokens if claimed else ()
        return replace(state, pool=0, seats=(ada, ben), tokens=tokens)

    assert refused(with_empty_pool("no", claimed=True), PlayStopped()) == "can_still_play"
    assert refused(with_empty_pool("yes", claimed=False), PlayStopped()) == "can_still_play"
    ended = then(with_empty_pool("yes", claimed=True), PlayStopped())
    assert ended.phase is Phase.GAME_OVER


def test_nobody_has_to_play_what_takes_a_frozen_claim_apart() -> None:
    """Ada could lay her K7 only by parting the run that Ben claimed, and her K10 at its end."""

    def with_rack(rack: str, frozen: str) -> GameState:
        house = {"table.form": "sets", "opening.points": 0, "draw.must_play": "always"}
        state = dealt({**house, "claims.frozen": frozen})
        run = "K5 K6 K7 K8 K9"
        state = then(state, Played("Ada", parse_layout(run)), claims("Ben", run))
        held = parse_tiles(rack)
        ada = replace(state.seats[0], rack=held, held=len(held), opened=True)
        return replace(state, seats=(ada, *state.seats[1:]))

    draws = Drew("Ada")
    assert refused(with_rack("K7", "no"), draws) == "illegal PLAY_REQUIRED"
    assert then(with_rack("K7", "yes"), draws).to_move == 1
    assert refused(with_rack("K7 K10", "yes"), draws) == "illegal PLAY_REQUIRED"


def test_a_claim_that_lapsed_with_a_wrong_table_comes_back_with_the_right_one() -> None:
    """AMB-26: Ben's set was broken up by a play that was let stand, and then taken back."""
    state = dealt({"table.form": "sets", "opening.points": 0})
    run = "K5 K6 K7 K8 K9"
    state = then(state, Played("Ada", parse_layout(run)), claims("Ben", run))
    broken = Played("Ada", parse_layout("K5 K6 | K7 K8 K9"), overruled_by="Ben")
    state = then(state, broken)
    assert points(state) == [0, 0]
    back = then(state, FaultNoticed("taken_back"))
    assert points(back) == [0, 35]
    hijacked = then(state, Drew("Ben"), claims("Ada", "K7 K8 K9"), FaultNoticed("taken_back"))
    assert points(hijacked) == [0, 35]


def twice() -> GameState:
    """Two equal sets lie there, and Ben's tokens are on one of them."""
    state = dealt({"table.form": "sets", "opening.points": 0})
    return then(
        state,
        Played("Ada", parse_layout("K7 B7 R7")),
        claims("Ben", "K7 B7 R7"),
        Played("Ada", parse_layout("K7 B7 R7 | K7 B7 R7")),
    )


def test_of_two_equal_sets_it_has_to_be_told_which_one_is_claimed() -> None:
    state = twice()
    assert refused(state, claims("Ben", "K7 B7 R7")) == "which_set"
    assert refused(state, claims("Ben", "K7 B7 R7", False)) == "illegal CLAIM_OWN_SET"
    both = then(state, claims("Ben", "K7 B7 R7", True))
    assert points(both) == [0, 42]
    assert points(then(both, claims("Ada", "K7 B7 R7", False))) == [21, 21]
    hijacked = then(state, Drew("Ben"), claims("Ada", "K7 B7 R7", False))
    assert points(hijacked) == [21, 0]


def test_one_s_own_claim_may_be_claimed_again_where_a_table_lets_it() -> None:
    """AMB-37."""
    state = then(dealt({"claims.reclaim_own": "yes"}), plays("Ada", ROW), claims("Ben", ROW))
    state = then(state, Drew("Ada"), claims("Ben", ROW))
    assert (points(state), state.tokens[0].level) == ([0, 34], 2)


# The end: 200, an empty rack, nobody can play


@pytest.mark.parametrize(
    ("house", "over"),
    [
        ({"score.target": 34}, True),
        ({"score.target": 33}, False),
        ({"score.target": 33, "score.target_mode": "at_least"}, True),
        ({"score.target": 35, "score.target_mode": "at_least"}, False),
    ],
)
def test_exactly_the_target_wins_at_once(house: House, over: bool) -> None:
    """R2-01, AMB-34: with 200 as with any other target."""
    state = then(dealt(house), plays("Ada", ROW), claims("Ben", ROW))
    assert (state.phase is Phase.GAME_OVER) == over
    assert state.winners == (("Ben",) if over else ())
    if over:
        assert refused(state, Drew("Ada")) == "wrong_phase"


def test_two_hundred_points_by_claims_win() -> None:
    """Five long runs: 28 + 63 + 28 + 63 = 182 points, and 18 more are 200."""
    house: House = {"table.form": "sets", "opening.points": 0}
    halves = (range(1, 8), range(8, 14))
    runs = [" ".join(f"{suit}{rank}" for rank in half) for suit in "KB" for half in halves]
    state, table = dealt(house), ""
    for run in (*runs, "R5 R6 R7"):
        table = f"{table} | {run}".strip(" |")
        state = then(state, Played("Ada", parse_layout(table)), claims("Ben", run))
        if run != "R5 R6 R7":
            state = then(state, Drew("Ada"), Drew("Ben"))
        if state.phase is Phase.TURN and state.seats[0].held < 8:
            for _ in range(8):
                state = then(state, Drew("Ada"), Drew("Ben"))
    assert points(state) == [0, 200]
    assert (state.phase, state.winners) == (Phase.GAME_OVER, ("Ben",))
    assert state.scores is not None
    assert state.scores.winners == ("Ben",)


def test_an_empty_rack_ends_the_game_and_the_closest_to_the_target_wins() -> None:
    """R2-32: no rack counts against anybody, so no hands are shown."""
    house: House = {"table.form": "sets"}
    hand = "K7 K8 K9 K10 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10"
    state = then(dealt(house, hand=hand), Played("Ada", parse_layout("K7 K8 K9 K10")))
    state = then(state, claims("Ben", ROW))
    rest = "K7 K8 K9 K10 | B1 B2 B3 B4 B5 B6 B7 B8 B9 B10"
    state = then(state, Played("Ada", parse_layout(rest)))
    assert (state.phase, state.winners) == (Phase.GAME_OVER, ("Ben",))
    assert refused(state, HandsShown()) == "wrong_phase"


def test_when_nobody_can_play_of_two_equally_close_the_lower_wins() -> None:
    """AMB-34: 24 and 34 are both five from 29."""
    state = then(dealt({"score.target": 29}), plays("Ada", ROW), Drew("Ben"), plays("Ada", CROSS))
    state = then(state, claims("Ben", ROW), claims("Ada", "K8 B8 R8"))
    while state.pool:
        assert state.to_move is not None
        state = then(state, Drew(state.seats[state.to_move].name))
    state = then(state, PlayStopped())
    assert points(state) == [24, 34]
    assert state.winners == ("Ada",)


def test_a_hijack_may_bring_its_victim_to_the_target() -> None:
    """Exactly the target wins at once, however a total comes to it."""
    state = then(dealt({"score.target": 24}), plays("Ada", ROW), Drew("Ben"), plays("Ada", CROSS))
    state = then(state, claims("Ben", ROW), Drew("Ada"))
    state = then(state, HouseRuleChosen("score.target", 500), claims("Ben", "K8 B8 R8"))
    state = then(state, HouseRuleChosen("score.target", 24), claims("Ada", ROW))
    assert points(state) == [34, 24]
    assert (state.phase, state.winners) == (Phase.GAME_OVER, ("Ben",))


def test_equal_claims_share_the_win_or_play_on() -> None:
    """AMB-33."""
    for tie, phase in (("shared", Phase.GAME_OVER), ("extra_round", Phase.START)):
        state = then(dealt({"table.form": "sets", "opening.points": 0, "score.tie": tie}))
        table = "K7 B7 R7 | K6 K7 K8"
        state = then(state, Played("Ada", parse_layout(table)), claims("Ben", "K7 B7 R7"))
        state = then(state, claims("Ada", "K6 K7 K8"))
        while state.pool:
            assert state.to_move is not None
            state = then(state, Drew(state.seats[state.to_move].name))
        state = then(state, PlayStopped())
        assert state.phase is phase
        if tie == "shared":
            assert state.winners == ("Ada", "Ben")
            continue
        assert (state.deciding, state.tokens, state.pool) == (("Ada", "Ben"), (), 106)
        state = then(state, StarterNamed("Ben"), Dealt())
        state = then(state, Played("Ben", parse_layout("K7 K8 K9")), claims("Ada", "K7 K8 K9"))
        while state.pool:
            assert state.to_move is not None
            state = then(state, Drew(state.seats[state.to_move].name))
        assert then(state, PlayStopped()).winners == ("Ada",)


SETS = ["K1 K2 K3", "B4 B5 B6", "R7 R8 R9", "O10 O11 O12", "K13 B13 R13", "K5 R5 O5"]


@given(st.lists(st.tuples(st.sampled_from(SETS), st.booleans()), max_size=9))
def test_claims_of_separate_sets_come_to_what_the_score_sheet_says(
    told: list[tuple[str, bool]],
) -> None:
    """An oracle: `engine.scoring.score_claims` of the same claims in their order."""
    house: House = {"table.form": "sets", "opening.points": 0}
    rules = load_ruleset("rummi200kub", house)
    state = dealt(house)
    table = ""
    for meld in SETS:
        table = f"{table} | {meld}".strip(" |")
        state = then(
            state, Played("Ada", parse_layout(table)), Drew("Ben"), Drew("Ada"), Drew("Ben")
        )
    done: list[Claim] = []
    for meld, by_ben in told:
        if by_ben:
            state = then(state, Drew("Ada"))
        outcome = apply(state, claims("Ben" if by_ben else "Ada", meld))
        if isinstance(outcome, GameState):
            done.append(Claim("Ben" if by_ben else "Ada", (parse_meld(meld),)))
            state = outcome
        if state.to_move == 1:
            state = then(state, Drew("Ben"))
    sheet, standing = score_claims(("Ada", "Ben"), done, None, rules)
    assert dict(sheet.totals) == claimed_points(state)
    assert sorted((item.player, item.level, item.points) for item in standing) == sorted(
        (item.player, item.level, item.points) for item in state.tokens
    )
    if done:
        assert state.scores is not None
        assert state.scores.winners == sheet.winners
        assert state.scores.totals["Ada"] == Fraction(sheet.totals["Ada"])
