"""What looks as if it stood on a rack is asked about before anything is ruled, and only once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.faults import Question, Verdict
from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import EventLog
from table.events import QuestionAnswered, RulingGiven, TroubleMet
from table.printed_things import SOMETHING_ELSE
from table.rack_questions import ON_RACK, ON_TABLE
from table.session import TableSession
from table.told_places import PLACE
from tests.table.laid_table import StaticTable, events_of, is_layout, wait_until
from tests.table.played_table import PlayedTable
from tests.table.printed_table import PrintedTable
from vision.frame import Pixels
from vision.settling import REACHES_FOR_S

RULES = load_ruleset("pressman")
MELD, RACK, OTHER = "K7 B7 R7", "K1 B4 R9 O12", "O2 O3 O4"


@pytest.fixture
def table() -> StaticTable:
    return StaticTable()


@pytest.fixture
def session(table: StaticTable, log: EventLog) -> Iterator[TableSession]:
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as opened:
        yield opened


def ruled(session: TableSession, melds: int, verdict: Verdict) -> LiveState:
    return wait_until(
        session.board,
        lambda s: len(s.melds) == melds and s.ruling is not None and s.ruling.verdict is verdict,
    )


def question_of(state: LiveState) -> Question:
    assert state.ruling is not None
    (question,) = state.ruling.questions
    return question


def told_of_a_rack(session: TableSession, table: StaticTable, option: str) -> None:
    """A meld lies there, what looks like a rack two rows below, and a person says what that is."""
    table.racks = {2}
    table.lay(MELD, "", RACK)
    state = ruled(session, 2, Verdict.ASK)
    session.answer_question(state.layout_sequence, 0, option)


def test_a_rack_is_no_accusation(session: TableSession, table: StaticTable, log: EventLog) -> None:
    table.racks = {2}
    table.lay(MELD, "", RACK)
    state = ruled(session, 2, Verdict.ASK)
    question = question_of(state)
    assert (question.kind, question.options) == (PLACE, (ON_RACK, ON_TABLE, SOMETHING_ELSE))
    named = "the 4 tiles from the black 1 to the orange 12"
    assert question.text == f"Do {named} stand on a rack, or on the table?"
    assert question.tiles == (3, 4, 5, 6)
    session.answer_question(state.layout_sequence, 0, ON_RACK, by="Ada")
    after = ruled(session, 1, Verdict.LEGAL)
    assert after.layout == MELD
    (said,) = events_of(log, QuestionAnswered)
    assert (said.question, said.option, said.by, len(said.quads)) == (PLACE, ON_RACK, "Ada", 4)
    # Another tile is put beside those on the rack, and a meld is laid.
    table.lay(MELD, OTHER, RACK + " K13")
    assert ruled(session, 2, Verdict.LEGAL).layout == f"{MELD} | {OTHER}"
    verdicts = [event.verdict for event in events_of(log, RulingGiven)]
    assert verdicts == [Verdict.ASK.value, Verdict.LEGAL.value, Verdict.LEGAL.value]


def test_a_hand_that_rests_on_its_own_rack_keeps_nobody_waiting(log: EventLog) -> None:
    class Held(StaticTable):
        is_held = False
        held_at = 0

        def picture(self) -> NDArray[np.uint8]:
            pixels = super().picture()
            if self.is_held:
                self.held_at = self.held_at or self._index
                cv2.line(pixels, (120, 500), (130, 400), (90, 120, 190), 50)
            return pixels

        @property
        def waited_s(self) -> float:
            return 0.3 * (self._index - self.held_at)

    table = Held()
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as session:
        table.racks = {4}
        table.lay(MELD, "", "", "", RACK)
        session.answer_question(ruled(session, 2, Verdict.ASK).layout_sequence, 0, ON_RACK)
        ruled(session, 1, Verdict.LEGAL)
        table.wait_for_reads(40)  # it is read anew meanwhile, the rack as one
        table.is_held = True
        table.lay(MELD, "", OTHER, "", RACK)
        # The hand lies over what was read of the rack, and a tile of that is not seen any more.
        table.placements = [p for p in table.placements if p.label != "B4"]
        assert ruled(session, 2, Verdict.LEGAL).layout == f"{MELD} | {OTHER}"
    assert table.waited_s < REACHES_FOR_S


def test_a_set_that_a_person_says_lies_is_judged_and_not_asked_about_again(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    told_of_a_rack(session, table, ON_TABLE)
    assert ruled(session, 2, Verdict.ILLEGAL).layout == f"{MELD} | {RACK}"
    table.lay(MELD, OTHER, RACK)
    assert ruled(session, 3, Verdict.ILLEGAL).layout == f"{MELD} | {OTHER} | {RACK}"
    asked = [e for e in events_of(log, RulingGiven) if e.verdict == Verdict.ASK.value]
    assert len(asked) == len(events_of(log, QuestionAnswered)) == 1


def test_what_a_person_says_is_something_else_is_left_out_after_a_restart_too(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    """As the keys of a telephone, which look as if they stood, and of which both others are false."""
    told_of_a_rack(session, table, SOMETHING_ELSE)
    assert ruled(session, 1, Verdict.LEGAL).layout == MELD
    session.close()
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as again:
        assert ruled(again, 1, Verdict.LEGAL).layout == MELD


def test_a_set_that_is_laid_where_a_rack_stood_counts(
    session: TableSession, table: StaticTable
) -> None:
    """It is asked about, once: some racks look as little so as a set."""
    told_of_a_rack(session, table, ON_RACK)
    assert ruled(session, 1, Verdict.LEGAL).layout == MELD
    table.racks = set()
    table.lay(MELD, "", OTHER)
    state = ruled(session, 2, Verdict.ASK)
    assert question_of(state).tiles == (3, 4, 5)
    session.answer_question(state.layout_sequence, 0, ON_TABLE)
    assert ruled(session, 2, Verdict.LEGAL).layout == f"{MELD} | {OTHER}"


def test_a_tile_or_two_left_on_a_rack_that_was_told_are_no_fault(
    session: TableSession, table: StaticTable
) -> None:
    """As in a traced film: the last tiles of a rack looked as if they lay, and no set has so few."""
    told_of_a_rack(session, table, ON_RACK)
    assert ruled(session, 1, Verdict.LEGAL).layout == MELD
    table.racks = set()
    for left in ("K1", "K1 B4"):
        table.lay(MELD, "", left)
        table.wait_for_reads(30)
        state = wait_until(session.board, lambda s: s.ruling is not None and not s.moving)
        assert state.layout == MELD
    table.lay(MELD, "", "", "", "K1")
    assert ruled(session, 2, Verdict.ILLEGAL).layout == f"{MELD} | K1", "that lies elsewhere"


def test_a_rack_that_was_told_is_known_by_less(session: TableSession, table: StaticTable) -> None:
    told_of_a_rack(session, table, ON_RACK)
    assert ruled(session, 1, Verdict.LEGAL).layout == MELD
    table.rack_like = 0.5
    table.lay(MELD, OTHER, RACK)
    assert ruled(session, 2, Verdict.LEGAL).layout == f"{MELD} | {OTHER}"


def test_after_one_that_lay_it_is_asked_only_about_what_looks_still_more_like_a_rack(
    table: StaticTable, log: EventLog
) -> None:
    table.rack_like = 0.9
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as session:
        session.new_round()
        told_of_a_rack(session, table, ON_TABLE)
        assert ruled(session, 2, Verdict.ILLEGAL).layout == f"{MELD} | {RACK}"
        table.racks = {2, 3}
        table.lay(MELD, "", RACK, OTHER)
        assert ruled(session, 3, Verdict.ILLEGAL).layout == f"{MELD} | {RACK} | {OTHER}"
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as session:
        assert ruled(session, 3, Verdict.ILLEGAL).layout == f"{MELD} | {RACK} | {OTHER}"
        table.rack_like = 0.97
        table.lay(MELD, "", RACK, OTHER + " O5")
        assert question_of(ruled(session, 3, Verdict.ASK)).tiles == (7, 8, 9, 10)


def test_what_was_said_holds_after_a_restart(table: StaticTable, log: EventLog) -> None:
    table.racks = {2}
    table.lay(MELD, "", RACK)
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as session:
        session.new_round()
        state = ruled(session, 2, Verdict.ASK)
        session.answer_question(state.layout_sequence, 0, ON_RACK)
        ruled(session, 1, Verdict.ILLEGAL)  # 21 points are no initial meld
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as again:
        assert wait_until(again.board, lambda s: s.ruling is not None).layout == MELD


def test_what_was_said_before_the_round_began_holds_after_a_restart(
    table: StaticTable, log: EventLog
) -> None:
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as session:
        told_of_a_rack(session, table, ON_RACK)
        wait_until(session.board, is_layout(MELD))
        table.lay("", "", RACK)
        wait_until(session.board, is_layout("-"))
        session.new_round()
    table.lay("K10 B10 R10", "", RACK)
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as again:
        assert wait_until(again.board, lambda s: s.ruling is not None).layout == "K10 B10 R10"


def test_what_an_earlier_evening_was_asked_about_is_forgotten(
    table: StaticTable, log: EventLog
) -> None:
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as session:
        told_of_a_rack(session, table, ON_RACK)
        wait_until(session.board, is_layout(MELD))
    table.lay("")
    with TableSession(
        table, table.read_placements, RULES, log, standing=table.standing
    ) as next_one:
        wait_until(next_one.board, is_layout("-"))
        next_one.new_round()
    table.lay(MELD, "", RACK)
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as again:
        question = question_of(ruled(again, 2, Verdict.ASK))
    assert question.options == (ON_RACK, ON_TABLE, SOMETHING_ELSE)


def test_where_people_marked_the_table_nothing_is_asked(
    session: TableSession, table: StaticTable
) -> None:
    table.racks = {2}
    table.lay(MELD, "", RACK)
    state = ruled(session, 2, Verdict.ASK)
    whole = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    session.set_region(whole, state.region.sequence, by="Ada")
    after = ruled(session, 2, Verdict.ILLEGAL)
    assert after.layout == f"{MELD} | {RACK}"
    assert after.ruling is not None
    assert after.ruling.questions == ()


def test_a_rack_in_sight_when_a_game_begins_is_asked_about_once(
    tmp_path: Path, table: StaticTable
) -> None:
    table.racks = {3}
    played = PlayedTable(tmp_path, table, standing=table.standing)
    try:
        played.table.lay("", "", "", RACK)
        played.begin("Ada", "Ben")
        state = ruled(played.session, 1, Verdict.ASK)
        assert not played.game.untouched
        played.session.answer_question(state.layout_sequence, 0, ON_RACK)
        wait_until(played.session.board, lambda s: s.layout == "-" and s.ruling is not None)
        assert played.game.untouched
        assert played.acts() == ["draw"]
        played.table.lay("K10 B10 R10", "", "", RACK)
        ruled(played.session, 1, Verdict.LEGAL)
        played.act("play")
        assert played.lines()[-1] == "Ada plays: K10 B10 R10 {0 s}"
        played.act("draw")
        assert len(played.events(QuestionAnswered)) == 1
    finally:
        played.session.close()


def test_a_set_laid_beside_a_rack_that_was_told_is_asked_about_by_itself(
    session: TableSession, table: StaticTable
) -> None:
    table.racks = {3}
    table.lay(MELD, "", "", RACK)
    state = ruled(session, 2, Verdict.ASK)
    session.answer_question(state.layout_sequence, 0, ON_RACK)
    ruled(session, 1, Verdict.LEGAL)
    table.racks = {1, 3}
    table.lay(MELD, OTHER, "", RACK)
    state = ruled(session, 2, Verdict.ASK)
    assert question_of(state).tiles == (3, 4, 5)
    session.answer_question(state.layout_sequence, 0, ON_TABLE)
    assert ruled(session, 2, Verdict.LEGAL).layout == f"{MELD} | {OTHER}"
    # What lies there stays what it was said to be, also where a tile is put beside the others.
    table.lay(MELD, OTHER + " O5", "", RACK)
    state = wait_until(session.board, is_layout(f"{MELD} | {OTHER} O5"))
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL


def test_nobody_is_accused_of_a_long_row_that_may_stand(table: StaticTable, log: EventLog) -> None:
    """What the network knows no rack like is asked about where it would be a fault, and only there."""
    long_rack, run = "K1 B4 R9 O12 K2 B9 K5", "O2 O3 O4 O5 O6 O7 O8"
    table.rack_like, table.racks = 0.5, {0, 2}
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as session:
        session.new_round()
        table.lay(run, "", run)
        ruled(session, 2, Verdict.LEGAL)
        table.lay(run, "", long_rack)
        state = ruled(session, 2, Verdict.ASK)
        assert question_of(state).tiles == tuple(range(7, 14))
        session.answer_question(state.layout_sequence, 0, ON_RACK)
        assert ruled(session, 1, Verdict.LEGAL).layout == run
        (said,) = events_of(log, QuestionAnswered)
        assert said.standing == 0.5
    table.rack_like = 0.37
    table.lay(run, "", long_rack + " K3")
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as again:
        assert wait_until(again.board, lambda s: s.ruling is not None).layout == run
        table.rack_like = 0.2
        table.lay(run, "", long_rack)
        ruled(again, 2, Verdict.ASK)  # whether something else stands there now


def test_a_long_row_that_a_person_says_lies_is_a_fault_from_then_on(
    session: TableSession, table: StaticTable
) -> None:
    table.rack_like, table.racks = 0.5, {2}
    table.lay(MELD, "", "K1 B4 R9 O12 K2 B9 K5")
    state = ruled(session, 2, Verdict.ASK)
    session.answer_question(state.layout_sequence, 0, ON_TABLE)
    after = ruled(session, 2, Verdict.ILLEGAL)
    assert after.ruling is not None
    assert {finding.meld for finding in after.ruling.findings} == {1}


def test_what_was_on_the_table_when_a_turn_ended_stands_on_no_rack(
    session: TableSession, table: StaticTable
) -> None:
    """As in a film: two groups were pushed together, and people were asked whether they stand."""
    groups = "K5 B5 R5", "K13 B13 R13"
    table.rack_like, table.racks = 0.5, {2}
    table.lay(MELD, "", f"{groups[0]} J", groups[1])
    state = ruled(session, 3, Verdict.LEGAL)
    session.end_turn(state.layout_sequence)
    lay = table.placements
    table.lay(MELD, "", " ".join((*groups, "J")))
    assert len(lay) == len(table.placements)
    after = ruled(session, 2, Verdict.ILLEGAL)
    assert after.ruling is not None
    assert after.ruling.questions == ()


@pytest.mark.parametrize(("more", "is_asked"), [("O8 O9 O10", False), ("O8 O9 O10 O11", True)])
def test_a_row_half_of_which_lay_there_stands_on_no_rack(
    session: TableSession, table: StaticTable, more: str, is_asked: bool
) -> None:
    """As in a film: three tiles were laid to three others, and the network took the six for a rack."""
    table.lay(MELD, "", "O5 O6 O7")
    session.end_turn(ruled(session, 2, Verdict.LEGAL).layout_sequence)
    table.racks = {2}
    table.lay(MELD, "", f"O5 O6 O7 {more}")
    state = wait_until(
        session.board, lambda s: s.ruling is not None and s.layout == f"{MELD} | O5 O6 O7 {more}"
    )
    assert state.ruling is not None
    asked = [question.options for question in state.ruling.questions]
    assert ((ON_RACK, ON_TABLE, SOMETHING_ELSE) in asked) is is_asked


def test_beside_a_rack_that_was_told_nobody_is_accused_of_what_may_be_its_other_tier(
    session: TableSession, table: StaticTable
) -> None:
    table.racks = {2}
    table.lay(MELD)
    table.print_fields(RACK, "B1 K3 O9")
    state = ruled(session, 3, Verdict.ASK)
    assert question_of(state).tiles == (3, 4, 5, 6)
    session.answer_question(state.layout_sequence, 0, ON_RACK)
    state = ruled(session, 2, Verdict.ASK)
    assert question_of(state).tiles == (3, 4, 5)
    session.answer_question(state.layout_sequence, 0, ON_RACK)
    assert ruled(session, 1, Verdict.LEGAL).layout == MELD


def test_a_set_near_a_rack_that_was_told_is_not_left_out_for_it(
    table: StaticTable, log: EventLog
) -> None:
    """As in a traced picture: light wood on a light table, of which both looked a little like racks."""

    def standing(_pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.where(quads_xy[:, :, 1].mean(axis=1) > 200, 0.6, 0.05).astype(np.float32)

    with TableSession(table, table.read_placements, RULES, log, standing=standing) as session:
        table.lay(MELD)
        table.print_fields("K1 B4 R9 O12 K2 B9 K5", OTHER)
        state = ruled(session, 3, Verdict.ASK)
        assert question_of(state).tiles == tuple(range(3, 10))
        session.answer_question(state.layout_sequence, 0, ON_RACK)
        state = ruled(session, 2, Verdict.ASK)
        assert question_of(state).tiles == (3, 4, 5)
        session.answer_question(state.layout_sequence, 0, ON_TABLE)
        assert ruled(session, 2, Verdict.LEGAL).layout == f"{MELD} | {OTHER}"


def test_a_network_that_failed_is_asked_again(table: StaticTable, log: EventLog) -> None:
    failures = iter([RuntimeError("the network is gone")])

    def standing(pixels_bgr: Pixels, quads_xy: NDArray[np.float32]) -> NDArray[np.float32]:
        for failure in failures:
            raise failure
        return table.standing(pixels_bgr, quads_xy)

    table.racks = {2}
    table.lay(MELD, "", RACK)
    session = TableSession(
        table, table.read_placements, RULES, log, standing=standing, reread_s=0.1
    )
    with session:
        assert question_of(ruled(session, 2, Verdict.ASK)).kind == PLACE
    assert [event.where for event in events_of(log, TroubleMet)] == ["reader"]


RUN, UNKNOWN_RACK = "K9 K10 K11 K12 K13", "K1 B4 R9"


@pytest.mark.parametrize(("option", "verdict"), [(ON_RACK, "LEGAL"), (ON_TABLE, "ILLEGAL")])
def test_nobody_is_accused_of_what_was_there_when_the_round_began(
    tmp_path: Path, option: str, verdict: str
) -> None:
    """Who said that it began said that the table was clear, whatever the network makes of the rack."""
    table = PrintedTable()
    played = PlayedTable(tmp_path, table, standing=table.standing)
    try:
        played.table.lay("", "", "", UNKNOWN_RACK)
        wait_until(played.session.board, is_layout(UNKNOWN_RACK))
        played.begin("Ada", "Ben")
        played.table.lay(RUN, "", "", UNKNOWN_RACK)
        question = question_of(ruled(played.session, 2, Verdict.ASK))
        assert question.text == (
            "Do the 3 tiles from the black 1 to the red 9 stand on a rack, or on the table?"
        )
        state = played.state
        played.session.answer_question(state.layout_sequence, 0, option)
        state = ruled(played.session, 1 if option == ON_RACK else 2, Verdict(verdict))
        table.wait_for_reads(10)
        assert played.state.ruling == state.ruling, "it is not asked again"
    finally:
        played.session.close()


def test_a_wrong_set_that_was_laid_since_is_a_fault_at_once(tmp_path: Path) -> None:
    table = PrintedTable()
    played = PlayedTable(tmp_path, table, standing=table.standing)
    try:
        played.begin("Ada", "Ben")
        played.lay()
        played.table.lay(RUN, "", "", UNKNOWN_RACK)
        state = ruled(played.session, 2, Verdict.ILLEGAL)
        assert state.ruling is not None
        assert {finding.meld for finding in state.ruling.findings} == {1}
        verdicts = [event.verdict for event in played.events(RulingGiven)]
        assert "ASK" not in verdicts, "nobody is asked whether it stands"
    finally:
        played.session.close()


def test_what_comes_to_light_on_a_rack_that_was_told_while_the_table_rests_stands_there(
    session: TableSession, table: StaticTable
) -> None:
    """As in a traced film: a small tile is found in one picture and not in the next."""
    told_of_a_rack(session, table, ON_RACK)
    assert ruled(session, 1, Verdict.LEGAL).layout == MELD
    table.lay(MELD, OTHER, RACK)
    all_of_them = table.placements
    table.placements = all_of_them[:-1]
    ruled(session, 2, Verdict.LEGAL)
    table.placements = all_of_them
    table.wait_for_reads(40)
    state = wait_until(session.board, lambda s: s.ruling is not None and not s.moving)
    assert state.layout == f"{MELD} | {OTHER}"


def test_a_rack_grows_with_the_row_that_looks_so(session: TableSession, table: StaticTable) -> None:
    """What was told of it was two tiles of it, and no more is asked of the others."""
    table.racks = {2}
    table.lay(MELD, "", "K1 B4")
    session.answer_question(ruled(session, 2, Verdict.ASK).layout_sequence, 0, ON_RACK)
    ruled(session, 1, Verdict.LEGAL)
    table.lay(MELD, OTHER, "K1 B4 R9 O12 K13 B2")
    assert ruled(session, 2, Verdict.LEGAL).layout == f"{MELD} | {OTHER}"
    table.racks = set()
    table.placements = [*table.placements[:6], table.placements[-1]]
    table.wait_for_reads(30)
    state = wait_until(session.board, lambda s: s.ruling is not None and not s.moving)
    assert state.layout == f"{MELD} | {OTHER}", "one of it is left, far from the two"


def test_whether_several_stand_is_asked_sooner_than_which_tile_each_is(
    table: StaticTable, log: EventLog
) -> None:
    """They look as likely as not as if they did."""
    table.rack_like, table.racks = 0.6, {2}
    with TableSession(table, table.read_placements, RULES, log, standing=table.standing) as session:
        table.lay(MELD, "", "K1/K9 B1/B9 R1/R9 O1/O9")
        state = ruled(session, 2, Verdict.ASK)
        assert question_of(state).options == (ON_RACK, ON_TABLE, SOMETHING_ELSE)
        assert question_of(state).tiles == (3, 4, 5, 6)
        session.answer_question(state.layout_sequence, 0, ON_RACK)
        assert ruled(session, 1, Verdict.LEGAL).layout == MELD
