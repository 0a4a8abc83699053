"""A game of Rummi200kub at a live table: sets of a board that is read are claimed, hijacked, locked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.ruleset import list_presets, load_ruleset
from table.claims import ClaimChoice, ClaimsView
from table.events import QuestionAnswered, TurnConfirmed
from table.game_view import GameView
from table.play import PERSON
from table.wishes import WishRefusedError
from tests.table.board_table import BoardTable
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable, held

ROW = "K7 K8 K9 K10"
"""Thirty-four points, and an opening."""
CROSS = "K7 K8 K9 K10 / . B8 . . / . R8 . ."
COLUMN = "K8 B8 R8"
OPENING, OWN = "claims.requires_opening", "claims.reclaim_own"


class ClaimingTable(PlayedTable):
    """A game of Rummi200kub on a board that the test lays."""

    def __init__(self, folder: Path) -> None:
        self.board = BoardTable()
        super().__init__(folder, self.board)

    def begin_claiming(self, *players: str, locks: int | None = None, **house: str) -> None:
        """Who may claim is chosen as it is usual, unless the house rules say otherwise."""
        rules = {"claims.requires_opening": "no", "claims.reclaim_own": "no"}
        rules |= {name.replace("__", "."): value for name, value in house.items()}
        self.begin_asked(*players, locks=locks, **rules)

    def begin_asked(self, *players: str, locks: int | None = None, **rules: str) -> None:
        """With these house rules, and who may claim is asked."""
        self.session.in_game(
            lambda game: game.begin("rummi200kub", players, rules, players[0], locks=locks)
        )

    def lay_rows(self, text: str) -> None:
        """Lays the board anew and waits until it was read and judged."""
        self.board.lay_board(text)
        wait_until(
            self.session.board,
            lambda s: s.layout == f"grid {text}" and s.ruling is not None and not s.moving,
        )

    def play_rows(self, text: str) -> GameView:
        self.lay_rows(text)
        return self.act("play")

    def claim(self, meld: str, fresh: bool | None = None) -> GameView:
        state, view = self.state, self.game
        self.session.in_game(
            lambda game: game.act(
                "claim", view.sequence, state.layout_sequence, meld=meld, fresh=fresh
            )
        )
        return self.game

    def answer(self, asked: str, option: str, by: str = PERSON) -> None:
        """What a claim waits for is answered."""
        self.session.answer_in_game(self.game.sequence, asked, option, by)

    def why_not(self, meld: str, fresh: bool | None = None) -> tuple[str, str]:
        """How a claim is refused; the game stays as it was."""
        lines = self.lines()
        with pytest.raises(WishRefusedError) as refusal:
            self.claim(meld, fresh)
        assert self.lines() == lines
        return refusal.value.word, str(refusal.value)

    @property
    def claims(self) -> ClaimsView:
        claims = self.game.claims
        assert claims is not None
        return claims

    def choice(self, meld: str) -> ClaimChoice:
        (found,) = [choice for choice in self.claims.choices if choice.set == meld]
        return found

    def points(self) -> list[str | None]:
        return [seat.points for seat in self.game.seats]

    def claimed(self) -> list[tuple[str, str, str, int]]:
        return [(c.player, c.set, c.word, c.points) for c in self.claims.claimed]


@pytest.fixture
def at_table(tmp_path: Path) -> Iterator[ClaimingTable]:
    table = ClaimingTable(tmp_path)
    yield table
    table.session.close()


def test_a_short_game_is_won_by_claims_a_hijack_and_a_lock(at_table: ClaimingTable) -> None:
    """R2-11, R2-22 to R2-24, R2-01: with 58 as with 200 points."""
    at_table.begin_claiming("Ada", "Ben", score__target="58")
    assert at_table.acts() == ["draw"], "there is no set to be claimed"
    assert (at_table.claims.target, at_table.claims.exactly) == (58, True)
    at_table.play_rows(ROW)
    assert (at_table.game.to_move, at_table.acts()) == ("Ben", ["draw", "claim"])
    first = at_table.choice(ROW)
    assert (first.label, first.points, first.refused) == ("Claim", 34, "")
    assert first.tokens == "Ben lays a token on each of its 4 tiles, the blank side up."
    at_table.claim(ROW)
    assert (at_table.points(), at_table.game.to_move) == (["0", "34"], "Ada")
    assert at_table.claimed() == [("Ben", ROW, "claimed", 34)]
    hijack = at_table.choice(ROW)
    assert hijack.label == "Hijack from Ben"
    assert hijack.tokens.endswith("on top of those there, the side with the 2 up.")
    at_table.claim(ROW)
    assert at_table.points() == ["34", "0"]
    assert at_table.claimed() == [("Ada", ROW, "hijacked", 34)]
    assert at_table.choice(ROW).label == "Hijack from Ada and lock"
    assert "a lock on the first" in at_table.choice(ROW).tokens
    at_table.claim(ROW)
    assert at_table.claimed() == [("Ben", ROW, "locked", 34)]
    assert at_table.claims.claimed[0].beneath == ("Ben", "Ada")
    assert at_table.acts() == ["draw"], "the only set is locked"
    assert "locked" in at_table.choice(ROW).refused
    assert at_table.why_not(ROW) == ("refused", at_table.choice(ROW).refused)
    at_table.play_rows(CROSS)
    assert [c.set for c in at_table.claims.choices if not c.refused] == [COLUMN]
    view = at_table.claim(COLUMN)
    assert (view.phase, view.leaders, view.totals) == ("game over", ("Ben",), ("0", "58"))
    assert view.ask.detail.startswith("Ben has 58 points")
    assert (view.ask.text, at_table.acts()) == ("Ben won.", ["new_game"])
    assert [(row.name, row.points) for row in view.score] == [
        (ROW, ("", "34")),
        (COLUMN, ("", "24")),
    ]
    assert at_table.claims.choices == ()
    assert at_table.lines()[3:] == [
        f"Ada plays: grid {ROW} {{0 s}}",
        f"Ben claims {ROW} {{0 s}}",
        f"Ada claims {ROW} {{0 s}}",
        f"Ben claims {ROW} {{0 s}}",
        f"Ada plays: grid {CROSS} {{0 s}}",
        f"Ben claims {COLUMN} {{0 s}}",
    ]
    ended = at_table.events(TurnConfirmed)
    assert [e.layout for e in ended[-2:]] == [f"grid {CROSS}", f"grid {CROSS}"]


def test_a_claim_is_told_from_either_side_and_only_of_a_whole_set_of_the_board(
    at_table: ClaimingTable,
) -> None:
    at_table.begin_claiming("Ada", "Ben")
    at_table.play_rows(ROW)
    assert at_table.why_not("K7 K8 K9")[1].startswith(
        "What was claimed (black 7, black 8 and black 9)"
    )
    assert at_table.why_not("")[0] == "not_understood"
    assert at_table.why_not("K7 K8 X9")[0] == "not_understood"
    assert at_table.why_not("7S 8S 9S")[0] == "refused"
    at_table.claim("K10 K9 K8 K7")
    assert at_table.points() == ["0", "34"]


def test_one_s_own_set_is_refused_with_the_reason(at_table: ClaimingTable) -> None:
    """AMB-37."""
    at_table.begin_claiming("Ada", "Ben")
    at_table.play_rows(ROW)
    at_table.claim(ROW)
    at_table.act("draw")
    own = at_table.choice(ROW)
    assert own.refused.endswith("is claimed by the same player already.")
    assert at_table.acts() == ["draw"]
    assert at_table.why_not(ROW) == ("refused", own.refused)


def test_nobody_claims_and_plays_in_one_turn(at_table: ClaimingTable) -> None:
    """R2-11: a turn draws, plays or claims."""
    at_table.begin_claiming("Ada", "Ben")
    at_table.play_rows(ROW)
    at_table.act("draw")
    at_table.lay_rows("K7 K8 K9 K10 K11")
    assert at_table.acts() == ["play"]
    assert at_table.why_not(ROW)[0] == "not_as_before"
    at_table.lay_rows("K7 K8 K9 . K10")
    assert "claim" not in at_table.acts(), "no tile is new, but the sets lie otherwise"
    assert at_table.why_not(ROW)[0] == "not_as_before"
    at_table.lay_rows(ROW)
    assert at_table.acts() == ["draw", "claim"]


def test_a_claim_waits_until_the_time_that_is_up_is_settled(at_table: ClaimingTable) -> None:
    """R2-21."""
    at_table.begin_claiming("Ada", "Ben")
    at_table.play_rows(ROW)
    at_table.time.now_s += 201
    wait_until(at_table.session.board, lambda s: s.game is not None and s.game.clock.over)  # type: ignore[union-attr]
    assert at_table.acts() == ["time_over", "full_time"]
    assert at_table.why_not(ROW)[0] == "time_over"
    at_table.act("time_over")
    assert held(at_table.game) == [("Ada", 10, True), ("Ben", 15, False)]


def test_a_claim_is_undone_and_a_hijack_gives_the_set_back(at_table: ClaimingTable) -> None:
    at_table.begin_claiming("Ada", "Ben")
    at_table.play_rows(ROW)
    at_table.claim(ROW)
    at_table.claim(ROW)
    for claimed, mover in ([("Ben", ROW, "claimed", 34)], "Ada"), ([], "Ben"):
        sequence = at_table.game.sequence
        at_table.session.in_game(lambda game, now=sequence: game.undo(now, "Ada"))
        assert (at_table.claimed(), at_table.game.to_move) == (claimed, mover)
        assert "claim" in at_table.acts()
    assert at_table.lines()[-1] == "undo by Ada"


def test_a_claim_is_still_there_after_a_restart(at_table: ClaimingTable) -> None:
    at_table.begin_claiming("Ada", "Ben")
    at_table.play_rows(ROW)
    at_table.claim(ROW)
    at_table.restart()
    assert at_table.claimed() == [("Ben", ROW, "claimed", 34)]
    assert at_table.choice(ROW).label == "Hijack from Ben"


def test_tokens_of_a_set_that_is_parted_go_back_to_whoever_laid_them(
    at_table: ClaimingTable,
) -> None:
    """AMB-35, on a table that plays with sets apart: Ada parts the run with a tile of her own."""
    run = "K5 K6 K7 K8 K9"
    at_table.begin_claiming("Ada", "Ben", table__form="sets", opening__points="0")
    at_table.play(run)
    at_table.claim(run)
    at_table.claim(run)
    at_table.act("draw")
    at_table.lay("K5 K6 K7", "K7 K8 K9")
    wait_until(at_table.session.board, lambda state: state.ruling is not None)
    assert at_table.game.ask.detail == (
        f"This is legal. Ada's claim of {run} ends with it: the tokens go back to Ada and Ben."
    )
    at_table.act("play")
    assert (at_table.claimed(), at_table.points()) == ([], ["0", "0"])


def test_tokens_that_stay_are_shown_on_the_set_that_holds_them_now(at_table: ClaimingTable) -> None:
    at_table.begin_claiming("Ada", "Ben")
    at_table.play_rows(ROW)
    at_table.claim(ROW)
    at_table.lay_rows("K7 K8 K9 K10 K11")
    assert at_table.game.ask.detail == "This is legal."
    at_table.act("play")
    (claimed,) = at_table.claims.claimed
    assert (claimed.set, claimed.where, claimed.points) == (ROW, "K7 K8 K9 K10 K11", 34)


def test_of_two_equal_sets_both_are_offered_and_neither_is_guessed(
    at_table: ClaimingTable,
) -> None:
    meld = "K7 B7 R7"
    at_table.begin_claiming("Ada", "Ben", table__form="sets", opening__points="0")
    at_table.play(meld)
    at_table.claim(meld)
    at_table.play(meld, meld)
    (tokens,) = at_table.claims.claimed
    assert (tokens.set, tokens.where) == (meld, None), "on which of the two nobody can say"
    with_tokens, without = at_table.claims.choices
    assert (with_tokens.fresh, with_tokens.refused != "") == (False, True), "Ben's own"
    assert (without.fresh, without.label, without.refused) == (True, "Claim", "")
    assert at_table.why_not(meld)[1].startswith("The set K7 B7 R7 may be the one with tokens")
    at_table.claim(meld, fresh=True)
    assert at_table.points() == ["0", "42"]


def test_where_the_locks_were_counted_the_last_one_is_not_laid_twice(
    at_table: ClaimingTable,
) -> None:
    """R2-09."""
    at_table.begin_claiming("Ada", "Ben", locks=0)
    assert at_table.lines()[0].endswith("players: Ada | Ben; locks: 0")
    at_table.play_rows(ROW)
    at_table.claim(ROW)
    at_table.claim(ROW)
    assert "no lock left" in at_table.choice(ROW).refused
    assert at_table.why_not(ROW) == ("refused", at_table.choice(ROW).refused)


def test_a_claim_waits_for_the_house_rule_and_the_answer_is_kept(at_table: ClaimingTable) -> None:
    """AMB-37: Ben has not opened."""
    at_table.begin_asked("Ada", "Ben")
    at_table.play_rows(ROW)
    assert at_table.acts() == ["draw", "claim"], "what is asked can be pressed"
    choice = at_table.choice(ROW)
    assert (choice.refused, choice.label, choice.points) == ("", "Claim", 34)
    assert choice.question is not None
    assert (choice.question.rule, choice.question.options) == (OPENING, ("no", "yes"))
    assert at_table.why_not(ROW) == ("refused", choice.question.text)
    at_table.answer(choice.question.text, "no", "Ada")
    assert at_table.lines()[-1] == f"house rule: {OPENING}=no"
    (answered,) = at_table.events(QuestionAnswered)
    assert (answered.rule, answered.option, answered.by) == (OPENING, "no", "Ada")
    assert (at_table.choice(ROW).question, at_table.choice(ROW).refused) == (None, "")
    assert at_table.game.to_move == "Ben", "an answer is no turn"
    at_table.claim(ROW)
    assert at_table.points() == ["0", "34"]
    at_table.restart()
    at_table.act("draw")
    own = at_table.choice(ROW).question
    assert own is not None
    assert own.rule == OWN, "the other one was answered before the restart"
    at_table.answer(own.text, "no")
    assert at_table.choice(ROW).question is None
    assert at_table.choice(ROW).refused.endswith("is claimed by the same player already.")
    assert at_table.acts() == ["draw"]


def test_a_claim_is_refused_by_the_other_answer_until_that_is_undone(
    at_table: ClaimingTable,
) -> None:
    at_table.begin_asked("Ada", "Ben")
    at_table.play_rows(ROW)
    question = at_table.choice(ROW).question
    assert question is not None
    at_table.answer(question.text, "yes")
    refused = at_table.choice(ROW).refused
    assert refused == "A set was claimed before the player's initial play."
    assert at_table.why_not(ROW) == ("refused", refused)
    assert at_table.acts() == ["draw"]
    sequence = at_table.game.sequence
    at_table.session.in_game(lambda game: game.undo(sequence, "Ada"))
    assert at_table.choice(ROW).question == question


def test_an_answer_before_a_claim_is_taken_once_and_only_to_what_is_asked(
    at_table: ClaimingTable,
) -> None:
    at_table.begin_asked("Ada", "Ben")
    at_table.play_rows(ROW)
    question, sequence = at_table.choice(ROW).question, at_table.game.sequence
    assert question is not None
    lines = at_table.lines()
    for before, asked, option, word in (
        (sequence, question.text, "maybe", "not_understood"),
        (sequence, "Is it so?", "no", "stale"),
        (sequence - 1, question.text, "no", "stale"),
    ):
        with pytest.raises(WishRefusedError) as refusal:
            at_table.session.answer_in_game(before, asked, option)
        assert refusal.value.word == word
        assert at_table.lines() == lines
    at_table.answer(question.text, "no")
    with pytest.raises(WishRefusedError, match="not asked any more"):
        at_table.answer(question.text, "yes")


def test_other_games_have_no_claims(played: PlayedTable) -> None:
    played.begin("Ada", "Ben")
    played.play("K10 B10 R10")
    assert played.game.claims is None
    assert "claim" not in played.acts()
    view, layout = played.game, played.state.layout_sequence
    with pytest.raises(WishRefusedError, match="played without claims"):
        played.session.in_game(
            lambda game: game.act("claim", view.sequence, layout, meld="K10 B10 R10")
        )


def test_the_sides_of_tokens_are_known_in_every_game_with_claims() -> None:
    from table.claims import _WHICH_SIDE

    levels = [
        rules.claims.levels for name in list_presets() if (rules := load_ruleset(name)).claims
    ]
    assert levels
    assert {level for each in levels for level in each} <= set(_WHICH_SIDE)
