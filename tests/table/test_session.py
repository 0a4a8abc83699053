"""The loop, on the rendered table and on sources that misbehave."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.referee import Verdict
from engine.ruleset import load_ruleset
from table.event_log import EventLog, EventLogError
from table.events import (
    CameraStateChanged,
    Correction,
    LayoutRead,
    PictureSaved,
    QuestionAnswered,
    RulingGiven,
    SessionStarted,
    TroubleMet,
    TurnConfirmed,
)
from table.looks_taken import LOOKS
from table.pictures import PictureKeeper
from table.rendered_game import RenderedGame
from table.session import TableSession
from table.wishes import WishRefusedError
from tests.table.laid_table import StaticTable, events_of, is_layout, wait_until
from tests.waiting import eventually
from vision.placements import Placement
from vision.settling import SettleDetector
from vision.sources import Health, HealthState

RULES = load_ruleset("pressman")


@pytest.fixture
def table() -> StaticTable:
    return StaticTable()


@pytest.fixture
def session(table: StaticTable, log: EventLog, tmp_path: Path) -> Iterator[TableSession]:
    keeper = PictureKeeper(tmp_path / "pictures", 2)
    with TableSession(table, table.read_placements, RULES, log, pictures=keeper) as running:
        yield running


def test_the_rendered_game_is_read_judged_and_confirmed_turn_after_turn(log: EventLog) -> None:
    game = RenderedGame(11, (640, 480), show_s=0.01, frames_per_s=400.0)
    settle = SettleDetector(still_for_s=0.02)
    with TableSession(game, game.read_truth, RULES, log, player=game, settle=settle) as session:
        wait_until(session.board, lambda state: state.turn >= 7)
    turns = events_of(log, TurnConfirmed)
    assert [event.turn for event in turns] == list(range(1, len(turns) + 1))
    assert {event.verdict for event in turns} == {"LEGAL"}
    assert {event.by for event in turns} == {"rendered table"}
    rulings = events_of(log, RulingGiven)
    assert "ILLEGAL" in {event.verdict for event in rulings}, (
        "this game has one in turn 4, mended in time"
    )
    assert events_of(log, TroubleMet) == []
    first = log.read()[0].event
    assert first == SessionStarted("rendered table 11", True, "pressman")


def test_before_the_first_confirmation_the_table_alone_is_judged(
    session: TableSession, table: StaticTable
) -> None:
    table.lay("K7 K8 K9", "R3 B3 O3")
    state = wait_until(session.board, is_layout("K7 K8 K9 | R3 B3 O3"))
    assert state.before is None
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL


def test_the_confirmed_table_is_the_start_of_the_next_turn(
    session: TableSession, table: StaticTable, log: EventLog, tmp_path: Path
) -> None:
    table.lay("K7 K8 K9", "R3 B3 O3")
    state = wait_until(session.board, is_layout("K7 K8 K9 | R3 B3 O3"))
    session.end_turn(state.layout_sequence)
    table.lay("K7 K8 K9", "R3 B3")
    state = wait_until(session.board, is_layout("K7 K8 K9 | R3 B3"))
    assert (state.turn, state.before) == (2, "K7 K8 K9 | R3 B3 O3")
    assert state.ruling is not None
    assert "TILE_CONSERVATION" in {finding.code for finding in state.ruling.findings}
    kept = events_of(log, PictureSaved)
    assert len(kept) == 1
    assert isinstance(kept[0], PictureSaved)
    assert (tmp_path / "pictures" / kept[0].file).read_bytes()[:2] == b"\xff\xd8"


def test_a_turn_that_is_not_legal_ends_only_when_somebody_insists(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay("K7 K8 R9")
    state = wait_until(session.board, is_layout("K7 K8 R9"))
    with pytest.raises(WishRefusedError, match="ILLEGAL"):
        session.end_turn(state.layout_sequence)
    assert events_of(log, TurnConfirmed) == []
    session.end_turn(state.layout_sequence, anyway=True)
    assert events_of(log, TurnConfirmed) == [TurnConfirmed(1, "K7 K8 R9", "ILLEGAL", "person")]


def test_the_camera_is_told_when_nothing_happens_and_when_something_does(
    session: TableSession, table: StaticTable
) -> None:
    table.lay("K7 K8 K9")
    wait_until(session.board, is_layout("K7 K8 K9"))
    assert eventually(lambda: table.is_calm)
    table.lay("K7 K8 K9 K10")
    assert eventually(lambda: not table.is_calm)
    wait_until(session.board, is_layout("K7 K8 K9 K10"))
    assert eventually(lambda: table.is_calm)
    table.health = Health(HealthState.DARK)
    assert eventually(lambda: not table.is_calm)


def test_nobody_ends_a_turn_on_a_table_they_have_not_seen(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay("K7 K8 K9")
    seen = wait_until(session.board, is_layout("K7 K8 K9"))
    table.lay("K7 K8 K9 K10")
    wait_until(session.board, is_layout("K7 K8 K9 K10"))
    with pytest.raises(WishRefusedError, match="another layout") as refusal:
        session.end_turn(seen.layout_sequence)
    assert refusal.value.word == "stale"
    assert events_of(log, TurnConfirmed) == []


def test_layouts_and_rulings_are_logged_only_when_they_change(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay("K7 K8 K9")
    wait_until(session.board, is_layout("K7 K8 K9"))
    reads = 0
    count = table.read_placements

    def counted(pixels: NDArray[np.uint8]) -> Sequence[Placement]:
        nonlocal reads
        reads += 1
        return count(pixels)

    session._sight._read = counted  # the loop asks anew each time
    seen = session.board.look()
    while reads < 2:
        seen = session.board.wait(seen, 0.5)
    assert len(events_of(log, LayoutRead)) == 1
    assert len(events_of(log, RulingGiven)) == 1


def test_a_person_s_word_about_a_tile_is_an_event_and_settles_the_ruling(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay("K7 K8 K9/B9")
    state = wait_until(session.board, is_layout("K7 K8 K9?"))
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.ASK
    (question,) = state.ruling.questions
    assert question.kind == "tile"
    session.answer_question(state.layout_sequence, 0, "K9")
    state = session.board.look().state
    assert state.layout == "K7 K8 K9"
    assert state.tiles[2].corrected
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    said = events_of(log, Correction)
    assert [(s.tile, s.was, s.label) for s in said if isinstance(s, Correction)] == [
        (2, "K9", "K9")
    ]
    first = events_of(log, LayoutRead)[0]
    assert isinstance(first, LayoutRead)
    assert first.tiles[2] == (("K9", 0.6), ("B9", 0.4)), "what the machine saw stays in the log"


def test_an_unread_tile_can_be_named_and_a_card_is_no_tile(
    session: TableSession, table: StaticTable
) -> None:
    table.lay("K7 K8 ?")
    state = wait_until(session.board, is_layout("K7 K8 ?"))
    for label in ("10H", "K99", "", "<script>"):
        with pytest.raises(WishRefusedError) as refusal:
            session.correct_tile(state.layout_sequence, 2, label)
        assert refusal.value.word == "not_understood"
    session.correct_tile(state.layout_sequence, 2, "K9")
    assert session.board.look().state.layout == "K7 K8 K9"


def test_what_is_no_tile_can_be_said_so_and_is_left_out(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay("K7 K8 K9", "?!")
    state = wait_until(session.board, is_layout("K7 K8 K9 | ?"))
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.ASK
    assert state.ruling.questions[0].options == ("none",)
    session.answer_question(state.layout_sequence, 0, "none")
    state = session.board.look().state
    assert (state.layout, len(state.tiles)) == ("K7 K8 K9", 3)
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    assert [(e.tile, e.was, e.label) for e in events_of(log, Correction)] == [(3, "", "none")]  # type: ignore[attr-defined]
    session.correct_tile(state.layout_sequence, 2, "none")
    assert session.board.look().state.layout == "K7 K8", "of any tile, whatever was read"


def test_a_question_about_a_tile_takes_any_tile_for_an_answer(
    session: TableSession, table: StaticTable
) -> None:
    table.lay("K7 K8 K9/B9")
    state = wait_until(session.board, is_layout("K7 K8 K9?"))
    session.answer_question(state.layout_sequence, 0, "K6")
    assert session.board.look().state.layout == "K7 K8 K6"


@pytest.mark.parametrize(("clear_from", "asked"), [(4, False), (1000, True)])
def test_what_another_look_settles_is_not_left_to_people(
    table: StaticTable, log: EventLog, clear_from: int, asked: bool
) -> None:
    """While a question about a tile stands the table is read again at once, though not for ever."""
    looks: list[Sequence[Placement]] = []
    table.lay("K7 K8 K9")
    clear = table.placements
    table.lay("K7 K8 K9/B9")
    doubtful = table.placements

    def read(_pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        looks.append(clear if len(looks) + 1 >= clear_from else doubtful)
        return looks[-1]

    with TableSession(table, read, RULES, log, reread_s=1e9) as session:
        wait_until(session.board, lambda _: len(looks) >= (LOOKS if asked else clear_from + 1))
        table.wait_for_reads(5)
        ruling = session.board.look().state.ruling
    assert len(looks) <= LOOKS
    assert ruling is not None
    assert bool(ruling.questions) is asked


def test_whether_a_player_had_opened_is_asked_and_holds_for_the_turn(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay("K7 K8 K9")
    state = wait_until(session.board, is_layout("K7 K8 K9"))
    session.end_turn(state.layout_sequence)
    table.lay("K7 K8 K9 K10")
    state = wait_until(session.board, is_layout("K7 K8 K9 K10"))
    assert state.ruling is not None
    assert [question.kind for question in state.ruling.questions] == ["opened"]
    with pytest.raises(WishRefusedError, match="yes, no"):
        session.answer_question(state.layout_sequence, 0, "perhaps")
    session.answer_question(state.layout_sequence, 0, "yes")
    state = session.board.look().state
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    assert len(events_of(log, QuestionAnswered)) == 1
    session.end_turn(state.layout_sequence)
    table.lay("K7 K8 K9 K10 K11")
    state = wait_until(session.board, is_layout("K7 K8 K9 K10 K11"))
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.ASK, "the next player is another one"


def test_a_new_round_begins_on_an_empty_table(session: TableSession, table: StaticTable) -> None:
    table.lay("K7 K8 K9")
    state = wait_until(session.board, is_layout("K7 K8 K9"))
    session.end_turn(state.layout_sequence)
    session.new_round()
    state = session.board.look().state
    assert (state.layout, state.before, state.ruling) == (None, "-", None)
    table.lay("R11 R12 R13")
    state = wait_until(session.board, is_layout("R11 R12 R13"))
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL, "the tiles of the last round are not missed"


NOT_LIVE = [
    HealthState.STALE,
    HealthState.FROZEN,
    HealthState.DARK,
    HealthState.BLURRED,
    HealthState.MOVED,
    HealthState.LOST,
]


@pytest.mark.parametrize("state", NOT_LIVE)
def test_nothing_is_judged_from_a_picture_that_is_not_live(
    session: TableSession, table: StaticTable, log: EventLog, state: HealthState
) -> None:
    table.lay("K7 K8 K9")
    seen = wait_until(session.board, is_layout("K7 K8 K9"))
    table.health = Health(state, "the cable is out")
    wait_until(session.board, lambda shown: shown.camera is state)
    table.lay("K7 K8")
    table.wait_for_reads(20)
    assert session.board.look().state.layout == "K7 K8 K9"
    assert len(events_of(log, RulingGiven)) == 1
    with pytest.raises(WishRefusedError, match="the cable is out"):
        session.end_turn(seen.layout_sequence)
    table.health = Health(HealthState.LIVE)
    wait_until(session.board, is_layout("K7 K8"))
    told = events_of(log, CameraStateChanged)
    passing = state is HealthState.STALE  # the next picture may come any moment
    expected = [] if passing else [(state.value, "the cable is out"), ("live", "")]
    assert [(e.state, e.detail) for e in told if isinstance(e, CameraStateChanged)] == [
        ("live", ""),
        *expected,
    ]


def test_nothing_is_judged_while_something_may_be_wrong_with_the_picture(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay("K7 K8 K9")
    wait_until(session.board, is_layout("K7 K8 K9"))
    table.health = Health(HealthState.LIVE, doubtful=True)
    wait_until(session.board, lambda state: state.moving)
    table.lay("K7 K8")
    table.wait_for_reads(20)
    assert session.board.look().state.camera is HealthState.LIVE, "it is not named yet"
    assert len(events_of(log, RulingGiven)) == 1
    table.health = Health(HealthState.LIVE)
    wait_until(session.board, is_layout("K7 K8"))


def test_a_reading_during_which_the_camera_was_lost_does_not_count(
    table: StaticTable, log: EventLog
) -> None:
    """Reading takes seconds on a small computer."""

    def read(pixels: NDArray[np.uint8]) -> Sequence[Placement]:
        if table.placements[0].label == "R1":
            table.health = Health(HealthState.LOST, "the cable is out")
        return table.read_placements(pixels)

    table.lay("K7 K8 K9")
    with TableSession(table, read, RULES, log) as session:
        wait_until(session.board, is_layout("K7 K8 K9"))
        table.lay("R1 R2 R3")
        for _ in range(3):
            wait_until(session.board, lambda state: state.camera is HealthState.LOST)
            table.health = Health(HealthState.LIVE)
            wait_until(session.board, lambda state: state.camera is HealthState.LIVE)
        assert session.board.look().state.layout == "K7 K8 K9"
    assert len(events_of(log, LayoutRead)) == 1


def test_a_person_says_that_a_camera_that_moved_stays_where_it_is(
    session: TableSession, table: StaticTable, log: EventLog
) -> None:
    table.lay("K7 K8 K9")
    wait_until(session.board, is_layout("K7 K8 K9"))
    with pytest.raises(WishRefusedError, match="nothing is wrong"):
        session.accept_view()
    table.health = Health(HealthState.MOVED, "it moved")
    wait_until(session.board, lambda state: state.camera is HealthState.MOVED)
    session.accept_view()
    wait_until(session.board, lambda state: state.camera is HealthState.LIVE)
    last = events_of(log, CameraStateChanged)[-1]
    assert last == CameraStateChanged(
        "live", "A person said that the camera stays as it is.", "person"
    )


def test_what_is_worth_knowing_of_a_camera_is_shown_with_its_state(
    session: TableSession, table: StaticTable
) -> None:
    table.health = Health(HealthState.LIVE, notes=("The camera goes on changing its focus.",))
    state = wait_until(session.board, lambda state: bool(state.camera_notes))
    assert state.to_json()["camera"] == {
        "state": "live",
        "detail": "",
        "notes": ["The camera goes on changing its focus."],
    }


def test_a_reader_that_fails_is_shown_and_logged_once_and_the_loop_goes_on(
    table: StaticTable, log: EventLog
) -> None:
    fails = threading.Event()
    fails.set()

    def read(pixels: NDArray[np.uint8]) -> Sequence[Placement]:
        if fails.is_set():
            raise RuntimeError("the network\nchoked")
        return table.read_placements(pixels)

    table.lay("K7 K8 K9")
    with TableSession(table, read, RULES, log) as session:
        state = wait_until(session.board, lambda state: bool(state.trouble))
        assert state.trouble == "reader: RuntimeError: the network choked"
        fails.clear()
        state = wait_until(session.board, is_layout("K7 K8 K9"))
        assert state.trouble == ""
    assert events_of(log, TroubleMet) == [TroubleMet("reader", "RuntimeError: the network choked")]


def test_tiles_of_another_game_are_trouble_for_the_referee_and_no_ruling(
    session: TableSession, table: StaticTable
) -> None:
    table.lay("10H JH QH")
    state = wait_until(session.board, lambda state: state.trouble.startswith("referee:"))
    assert state.ruling is None
    table.lay("K7 K8 K9")
    wait_until(session.board, is_layout("K7 K8 K9"))


def test_a_second_session_on_one_log_does_not_start(session: TableSession, log: EventLog) -> None:
    assert not session.board.look().closed
    other = StaticTable()
    with pytest.raises(EventLogError, match="another program"):
        TableSession(other, other.read_placements, RULES, log).start()


def test_only_the_newest_pictures_of_confirmed_tables_are_kept(tmp_path: Path) -> None:
    keeper = PictureKeeper(tmp_path / "pictures", 2)
    pixels = np.zeros((20, 20, 3), np.uint8)
    names = [keeper.keep(pixels, sequence) for sequence in (7, 90, 1000)]
    assert sorted(p.name for p in (tmp_path / "pictures").iterdir()) == names[1:]
