"""What is in doubt at a table at rest is looked at more closely, beside the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from engine.faults import Verdict
from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from table.board import LiveState
from table.closer_look import CloserLook
from table.events import RulingGiven, TroubleMet
from table.layout_watch import AGREEING
from table.looks_taken import CLOSE_LOOKS, LOOKS, QUICK_LOOKS
from table.sight import REREAD_CLOSELY, REREAD_S
from table.standing_tiles import StandingTiles
from tests.table.close_reader import CloseReader, at_once
from tests.table.filmed_table import PICTURES_PER_S, FilmedTable
from tests.table.laid_table import PATIENCE_S, events_of
from tests.table.played_alone import PlayedAlone
from vision.frame import Frame
from vision.placements import Face, Placement
from vision.rendering import RenderedTable
from vision.rendering.arrangements import TilePose

FRAMES = [Frame(np.zeros((4, 4, 3), np.uint8), float(n), n, "drawn") for n in range(3)]


@contextmanager
def closing(look: CloserLook) -> Iterator[CloserLook]:
    try:
        yield look
    finally:
        look.close()


@contextmanager
def filmed(
    folder: Path, read: CloseReader, worker: Executor | None = None
) -> Iterator[FilmedTable]:
    with closing(CloserLook(read, worker or at_once())) as look:
        film = FilmedTable(folder, look)
        with film.session:
            yield film


def is_verdict(verdict: Verdict) -> Callable[[LiveState], bool]:
    return lambda state: state.ruling is not None and state.ruling.verdict is verdict


# One look.


def test_a_look_is_made_beside_the_loop_and_is_of_the_picture_it_began_with() -> None:
    read = CloseReader("K7 K8 K9")
    read.may_end.clear()
    with closing(CloserLook(read)) as look:
        assert look.look(FRAMES[0]) is None
        assert look.look(FRAMES[1]) is None
        assert not look.was_taken
        read.may_end.set()
        found = None
        while found is None:
            found = look.look(FRAMES[2])
        assert found[0] is FRAMES[0]
        assert [placement.label for placement in found[1]] == ["K7", "K8", "K9"]
        assert look.was_taken
        assert read.calls == 1


def test_what_is_looked_at_is_forgotten_when_the_rest_is_over() -> None:
    read = CloseReader("K7 K8 K9")
    read.may_end.clear()
    with closing(CloserLook(read)) as look:
        look.look(FRAMES[0])
        assert read.began.acquire(timeout=PATIENCE_S)
        look.look_away()
        look.look(FRAMES[1])
        look.look_away()  # and this one has not begun: it never does
        read.may_end.set()
        found = None
        while found is None:
            found = look.look(FRAMES[2])
        assert found[0] is FRAMES[2]
        assert read.calls == 2


def test_what_one_look_of_a_rest_saw_stays_in_doubt_where_the_next_does_not() -> None:
    read = CloseReader("K7 K8 K9")
    with closing(CloserLook(read, at_once())) as look:
        look.look(FRAMES[0])
        read.sees("K7 K8")
        found = look.look(FRAMES[1])
        assert found is not None
        assert [(p.label, p.sure) for p in found[1]] == [("K7", True), ("K8", True), ("K9", False)]
        assert found[1][2].reading.may_be_none
        look.look_away()
        found = look.look(FRAMES[2])
        assert found is not None
        assert [placement.label for placement in found[1]] == ["K7", "K8"]


def upon(first: Placement, label: str, *, surely: bool = False) -> Placement:
    """A tile that lies askew on half of the first one, as a quick reading sees it."""
    across = first.quad_xy[1] - first.quad_xy[0]
    quad = np.asarray(first.quad_xy + across * 0.45 + across[::-1] * 0.2, np.float32)
    candidates = (Candidate(parse_tile(label), 0.99),)
    return Placement(quad, TileReading(candidates, surely, not surely), 0.4, Face.UP)


def test_what_quick_readings_saw_on_others_stays_in_doubt_where_a_closer_look_does_not() -> None:
    """Of two tiles that share a place one hides the other: a look that tells the lower one may miss the
    upper one."""
    read = CloseReader("K7 K8 K9")
    quick = read(FRAMES[0].pixels_bgr)
    dropped = upon(quick[0], "O13")
    with closing(CloserLook(read, at_once())) as look:
        look.read_quickly([*quick, dropped])
        look.read_quickly([dropped, *quick])
        for frame in FRAMES[:2]:
            found = look.look(frame)
            assert found is not None
            assert [p.label for p in found[1]] == ["K7", "K8", "K9", "O13"]
            assert found[1][3].reading.may_be_none
        look.look_away()
        found = look.look(FRAMES[2])
        assert found is not None
        assert [placement.label for placement in found[1]] == ["K7", "K8", "K9"]


def test_what_one_quick_reading_alone_saw_on_others_is_forgotten() -> None:
    read = CloseReader("K7 K8 K9")
    quick = read(FRAMES[0].pixels_bgr)
    with closing(CloserLook(read, at_once())) as look:
        look.read_quickly([*quick, upon(quick[0], "O13")])
        look.read_quickly(quick)
        found = look.look(FRAMES[0])
        assert found is not None
        assert [placement.label for placement in found[1]] == ["K7", "K8", "K9"]


def test_what_failed_is_told_once_and_is_possible_again_in_the_next_rest() -> None:
    read = CloseReader("K7 K8 K9")
    read.fails = True
    with closing(CloserLook(read, at_once())) as look:
        with pytest.raises(RuntimeError, match="no closer look today"):
            look.look(FRAMES[0])
        assert not look.is_possible
        look.look_away()
        assert look.is_possible
        read.fails = False
        assert look.look(FRAMES[1]) is not None


# At a table.


def test_a_doubt_that_a_closer_look_settles_is_not_asked_about(tmp_path: Path) -> None:
    read = CloseReader("K6 K7 K8")
    with filmed(tmp_path, read) as film:
        film.table.lay("K6/B6 K7 K8")
        film.pictures_until(is_verdict(Verdict.LEGAL))
        assert film.reads == QUICK_LOOKS
        assert read.calls == CLOSE_LOOKS
        state = film.show()
        film.session.end_turn(state.layout_sequence)


def test_a_table_in_no_doubt_is_not_looked_at_closely(tmp_path: Path) -> None:
    read = CloseReader("K6 K7 K8")
    with filmed(tmp_path, read) as film:
        film.table.lay("K6 K7 K8")
        film.pictures_until(is_verdict(Verdict.LEGAL))
        for _ in range(round(REREAD_S * PICTURES_PER_S) + 1):
            film.show()
        assert film.reads == AGREEING + 1
        assert read.calls == 0


def test_nobody_is_accused_of_what_is_in_doubt_before_a_closer_look(tmp_path: Path) -> None:
    read = CloseReader("K6 K7 K8")
    with filmed(tmp_path, read) as film:
        film.table.lay("K6 K7 K9/K10")
        states = [film.show() for _ in range(20)]
    verdicts = [state.ruling.verdict for state in states if state.ruling is not None]
    assert Verdict.ILLEGAL not in verdicts
    assert verdicts[-1] is Verdict.LEGAL
    assert Verdict.ILLEGAL.value not in [
        event.verdict for event in events_of(film.log, RulingGiven)
    ]


def test_an_accusation_that_a_closer_look_bears_out_is_made(tmp_path: Path) -> None:
    read = CloseReader("K6 K7 K9/K10")
    with filmed(tmp_path, read) as film:
        film.table.lay("K6 K7 K9/K10")
        film.pictures_until(is_verdict(Verdict.ILLEGAL))
        assert (film.reads, read.calls) == (AGREEING, 1)


def test_an_accusation_that_no_closer_look_can_be_taken_at_is_made(tmp_path: Path) -> None:
    read = CloseReader()
    read.fails = True
    with filmed(tmp_path, read) as film:
        film.table.lay("K6 K7 K9/K10")
        film.pictures_until(is_verdict(Verdict.ILLEGAL))
        assert (film.reads, read.calls) == (AGREEING + 1, 1)


def test_what_is_surely_read_is_judged_at_once_and_looked_at_closely_all_the_same(
    tmp_path: Path,
) -> None:
    read = CloseReader("K6 K7 K9")
    with filmed(tmp_path, read) as film:
        film.table.lay("K6 K7 K9")
        film.pictures_until(is_verdict(Verdict.ILLEGAL))
        assert film.reads == AGREEING
        for _ in range(10):
            state = film.show()
        assert read.calls == 1, "one that agrees is enough"
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.ILLEGAL


def test_an_accusation_that_no_closer_look_bears_out_is_taken_back(tmp_path: Path) -> None:
    read = CloseReader("K6 K7 K8")
    with filmed(tmp_path, read) as film:
        film.table.lay("K6 K7 K9")
        film.pictures_until(is_verdict(Verdict.ILLEGAL))
        film.pictures_until(is_verdict(Verdict.LEGAL))
        for _ in range(10):
            state = film.show()
    assert state.ruling is not None
    assert state.ruling.verdict is Verdict.LEGAL
    assert read.calls == CLOSE_LOOKS, "the quick looks had seen another tile"


class Run(PlayedAlone):
    """A run of black tiles that lies still, with prints, and what is read of it."""

    def __init__(
        self,
        standing: StandingTiles | None = None,
        may_look_closer: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(standing, may_look_closer)
        self._drawn = RenderedTable(3)
        width = self._drawn.design.width_mm
        self._run = [TilePose(f"K{n}", (n - 6) * width * 1.02, 0.0, 0.0) for n in range(3, 8)]
        self._pictures = 0

    def look(self, *read_as: str, is_close: bool = False) -> Verdict | None:
        """One look, in which each tile is read as it is but for ``K7/B7``, which is in doubt between
        two, and ``K5=K8``, which is surely read as another one. Returns the ruling."""
        read = {pose.label: TileReading.certain(parse_tile(pose.label)) for pose in self._run}
        for words in read_as:
            label, between, other = words.partition("/")
            if not between:
                label, _, other = words.partition("=")
                read[label] = TileReading.certain(parse_tile(other))
                continue
            pair = Candidate(parse_tile(label), 0.6), Candidate(parse_tile(other), 0.4)
            read[label] = TileReading(pair, sure=False)
        self._pictures += 1
        picture = self._drawn.picture(self._run, noise_seed=self._pictures)
        placements = [
            Placement(quad, read[pose.label], 0.9, Face.UP)
            for quad, pose in zip(picture.quads_xy, self._run, strict=True)
        ]
        frame = Frame(picture.pixels_bgr, self._pictures * 0.3, self._pictures, "drawn")
        self.play.add(frame, placements, is_close=is_close)
        return None if self.play.ruling is None else self.play.ruling.verdict


def test_an_accusation_is_looked_at_whatever_stands_beside_the_table() -> None:
    """A tile of the pool that looks as if it stood is none of the layout, and nothing is asked of it."""
    beside = np.array([[10, 10], [50, 10], [50, 70], [10, 70]], np.float32)
    standing = StandingTiles(lambda _, quads: np.ones(len(quads), np.float32))
    nobody_reads = TileReading((), sure=False)
    standing.see(FRAMES[0], [Placement(beside, nobody_reads, 0.9, Face.UNREAD)])
    assert standing.is_asked
    run = Run(standing, lambda: True)
    for _ in range(AGREEING):
        assert run.look("K5=K8", "K7/B7") is None
    assert run.play.ruling_waits
    assert run.play.wants_closer_look
    assert run.look("K5=K8", "K7/B7", is_close=True) is Verdict.ILLEGAL


def test_two_closer_looks_tell_as_much_as_all_quick_ones() -> None:
    run = Run()
    for _ in range(QUICK_LOOKS):
        before = run.look("K7/B7")
    assert before is Verdict.ASK
    assert run.play.wants_closer_look
    assert run.look(is_close=True) is Verdict.ASK
    assert run.play.wants_closer_look
    run.look(is_close=True)
    assert not run.play.wants_closer_look
    assert run.look("K7/B7") is Verdict.LEGAL, "a quick reading brings no doubt back"


def test_of_a_print_that_quick_and_closer_looks_read_otherwise_people_are_asked() -> None:
    run = Run()
    told = [run.look("K5=K8") for _ in range(AGREEING)]
    assert told[-1] is Verdict.ILLEGAL
    told = []
    while run.play.wants_closer_look:
        told.append(run.look(is_close=True))
    assert len(told) == CLOSE_LOOKS
    assert told[-1] is Verdict.ASK


def test_a_closer_look_that_is_sure_of_another_tile_accuses_nobody() -> None:
    """It is not believed against the quick readings: that is the same print in the same light."""
    run = Run()
    told = [run.look("K7/B7") for _ in range(QUICK_LOOKS)]
    told += [run.look("K7/B7", "K5=K8", is_close=True) for _ in range(LOOKS - QUICK_LOOKS)]
    assert Verdict.ILLEGAL not in told


def test_what_stays_in_doubt_is_asked_about_and_looked_at_more_rarely(tmp_path: Path) -> None:
    read = CloseReader("K6/B6 K7 K8")
    with filmed(tmp_path, read) as film:
        film.table.lay("K6/B6 K7 K8")
        film.pictures_until(is_verdict(Verdict.ASK))
        assert film.session.board.look().state.looking_closer, "the next looks may settle it"
        for _ in range(10):
            state = film.show()
        assert state.ruling is not None
        assert state.ruling.verdict is Verdict.ASK
        assert not state.looking_closer
        assert read.calls == CLOSE_LOOKS
        reads = film.reads
        for _ in range(round(REREAD_S * (REREAD_CLOSELY - 1) * PICTURES_PER_S)):
            film.show()
        assert (film.reads, read.calls) == (reads, CLOSE_LOOKS)
        for _ in range(round(REREAD_S * PICTURES_PER_S)):
            film.show()
        assert (film.reads, read.calls) == (reads, CLOSE_LOOKS + 1)


def test_meanwhile_the_question_is_answered_and_a_hand_is_seen(tmp_path: Path) -> None:
    read = CloseReader("K6 K7 K8")
    read.may_end.clear()
    try:
        with filmed(tmp_path, read, ThreadPoolExecutor(1)) as film:
            film.table.lay("K6/B6 K7 K8")
            film.pictures_until(is_verdict(Verdict.ASK))
            for _ in range(QUICK_LOOKS - AGREEING + 1):
                film.show()
            assert read.began.acquire(timeout=PATIENCE_S)
            state = film.show()
            assert film.show(hand_at=200).moving
            film.pictures_until(lambda state: not state.moving)
            with film.camera.while_asking():
                film.session.answer_question(state.layout_sequence, 0, "K6")
            film.pictures_until(is_verdict(Verdict.LEGAL))
            read.may_end.set()
    finally:
        read.may_end.set()


def test_where_a_closer_look_fails_the_table_is_read_as_before(tmp_path: Path) -> None:
    read = CloseReader()
    read.fails = True
    with filmed(tmp_path, read) as film:
        film.table.lay("K6/B6 K7 K8")
        film.pictures_until(is_verdict(Verdict.ASK))
        for _ in range(10):
            film.show()
        assert read.calls == 1
        assert film.reads == LOOKS
        told = [event.message for event in events_of(film.log, TroubleMet)]
        assert len(told) == 1
        assert "no closer look today" in told[0]
