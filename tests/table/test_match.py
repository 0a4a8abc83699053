"""Matches: that the games, the films and the books are right, with a reader that never errs or lies."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.faults import Verdict
from engine.game.events import Board, Claimed, Drew, GameEvent, Played
from engine.game.penalties import is_late
from engine.layout import GridLayout, Layout, TileReading, parse_layout
from engine.referee import Turn, judge
from engine.tiles import parse_tile
from table.match import film_session
from table.match.intervals import interval
from table.match.laying import MeldsOnTable, Row
from table.match.match_game import MatchGame
from table.match.outcome import Outcome
from table.match.report import SOON_S, report_on
from table.match.script import GameTurn, Script, presets
from table.match.shots import Kind
from table.match.tabletop import Manners
from table.match.truth import is_same_row
from vision.placements import Placement
from vision.rendering import TilePose

SIZE_WH = (640, 480)
Read = Callable[[NDArray[np.uint8]], Sequence[Placement]]


# The books.


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (0, 100, 0.0, 0.0295),
        (100, 100, 0.9705, 1.0),
        (5, 50, 0.0333, 0.2181),
        (1, 10, 0.0025, 0.4450),
        (0, 0, 0.0, 1.0),
    ],
)
def test_intervals_are_those_of_clopper_and_pearson(
    count: int, of: int, low: float, high: float
) -> None:
    """Published values; for none of many trials the rule of three."""
    assert interval(count, of) == pytest.approx((low, high), abs=0.0001)


@pytest.mark.parametrize(
    ("row", "is_same"),
    [("B6 R6 J", True), ("K4 B4 R4 O4", True), ("B5 B6 B7", False), ("J B6 B7", False)],
)
def test_a_group_is_the_same_from_either_end_and_a_run_is_not(row: str, is_same: bool) -> None:
    labels = tuple(row.split())
    assert is_same_row(labels, Row(labels))
    assert is_same_row(labels[::-1], Row(labels)) is is_same
    assert is_same_row(labels[::-1], Row(labels, from_either_end=True))
    assert not is_same_row((labels[1], labels[0], *labels[2:]), Row(labels))


@pytest.mark.parametrize(("count", "of"), [(1, 7), (3, 20), (17, 300)])
def test_the_ends_of_an_interval_are_where_the_tails_hold_a_fortieth(count: int, of: int) -> None:
    low, high = interval(count, of)
    rng = np.random.default_rng(5)
    assert (rng.binomial(of, low, 200_000) >= count).mean() == pytest.approx(0.025, abs=0.002)
    assert (rng.binomial(of, high, 200_000) <= count).mean() == pytest.approx(0.025, abs=0.002)


def an_outcome(**changes: object) -> Outcome:
    plain = Outcome(
        preset="reset",
        game=1,
        number=1,
        kind=Kind.PLAIN,
        wrong=None,
        faults=(),
        first="LEGAL",
        final="LEGAL",
        said_faults=(),
        questions=(),
        is_hidden=False,
        exact=True,
        false_alarm=False,
        seconds=1.0,
        computing_s=0.1,
        corrections=0,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def test_a_report_counts_what_went_wrong_against_what_could_have() -> None:
    wrong = an_outcome(
        wrong="a set of two", faults=("SET_TOO_SHORT",), first="ILLEGAL", final="ILLEGAL"
    )
    report = report_on(
        [
            an_outcome(),
            an_outcome(first="ASK", questions=("tile", "opened", "arrangement")),
            an_outcome(first="ASK", final="ILLEGAL", questions=("tile",)),
            an_outcome(first="nothing", final="nothing", seconds=None),
            replace(wrong, said_faults=("SET_TOO_SHORT",)),
            replace(wrong, said_faults=("SET_INVALID",)),
            replace(wrong, first="ASK", final="LEGAL", questions=("tile",), exact=False),
        ]
    )
    assert (report.wrong_accusations.count, report.wrong_accusations.of) == (1, 4)
    assert (report.wrong_acquittals.count, report.wrong_acquittals.of) == (1, 3)
    assert (report.named_right.count, report.named_right.of) == (1, 2)
    assert (report.needless_questions, report.game_questions) == (4, 1)
    assert (report.asked_needlessly.count, report.without_ruling.count) == (3, 1)
    assert report.read_exactly.count == 6


def test_times_count_from_the_last_hand_and_from_a_press_soon_after_it() -> None:
    """A ruling that is there before the press takes no time; what was never ruled takes no part."""
    report = report_on([an_outcome(seconds=s) for s in (0.2, 0.4, 0.7, 1.9, None)])
    assert report.seconds_median == pytest.approx(0.55)
    assert report.pressed_median == pytest.approx(0.25)
    assert (report.ruled_soon.count, report.ruled_soon.of) == (2, 4)
    assert (report.pressed_soon.count, report.pressed_soon.of) == (3, 4)
    assert report.pressed_soon_without_bumps == report.pressed_soon
    nothing = report_on([an_outcome(seconds=None)])
    assert math.isnan(nothing.pressed_median)
    assert nothing.to_json()["pressed_median"] is None


def test_rulings_that_wait_until_a_pushed_camera_is_accepted_can_be_left_out() -> None:
    pushed = an_outcome(kind=Kind.BUMP, seconds=2.0)
    report = report_on([an_outcome(seconds=0.3), pushed, an_outcome(seconds=1.0)])
    assert (report.pressed_soon.count, report.pressed_soon.of) == (1, 3)
    assert (report.pressed_soon_without_bumps.count, report.pressed_soon_without_bumps.of) == (1, 2)
    assert report_on([pushed]).pressed_soon_without_bumps.of == 0


def test_what_is_asked_about_a_hidden_tile_is_not_asked_needlessly() -> None:
    asked = an_outcome(wrong="a tile on top", first="ASK", final="ILLEGAL", questions=("tile",))
    report = report_on([asked, replace(asked, is_hidden=True)])
    assert (report.needless_questions, report.hidden_questions) == (1, 1)
    assert report.game_questions == 0


@pytest.mark.parametrize(
    ("questions", "said", "is_right", "unsaid"),
    [
        ((), "LOOSE_TILE", True, 1),
        ((), "LOOSE_TILE OPENING_SHORT", False, 1),
        ((), "OPENING_SHORT", False, 1),
        (("tile", "opened"), "LOOSE_TILE", False, 0),
        (("tile", "opened"), "LOOSE_TILE OPENING_SHORT", True, 0),
    ],
)
def test_a_fault_is_to_be_named_that_could_be_known(
    questions: tuple[str, ...], said: str, is_right: bool, unsaid: int
) -> None:
    """One that hangs on whether the player had opened only if somebody said so."""
    wrong = an_outcome(
        wrong="a loose tile",
        faults=("LOOSE_TILE", "OPENING_SHORT"),
        beside=("OPENING_SHORT",),
        first="ILLEGAL",
        final="ILLEGAL",
        questions=questions,
        said_faults=tuple(said.split()),
    )
    report = report_on([wrong])
    assert (report.named_right.count, report.named_right.of) == (int(is_right), 1)
    assert report.more_beside == unsaid
    assert ("misnamed" in wrong.problems) is not is_right
    assert "misnamed" not in replace(wrong, faults=(), is_hidden=True).problems


# The games.


def test_only_faults_that_hang_on_the_opening_of_a_turn_illegal_either_way_are_beside() -> None:
    """Held against the ruling on the same table, had it been the other way."""
    script, found = Script("pressman-tournament", 951020), set[tuple[Verdict, bool]]()
    for turn in itertools.islice(script.turns(), 30):
        if (wrong := turn.wrong) is None or not turn.before.tiles:
            continue
        other = judge(a_turn(turn, wrong.table, opened=not turn.opened), script.rules)
        others = {finding.code for finding in other.findings}
        wanted = set(wrong.faults) - others if other.verdict is Verdict.ILLEGAL else set[str]()
        assert set(wrong.beside) == wanted
        found.add((other.verdict, bool(wanted)))
    asked, more, same = (Verdict.LEGAL, False), (Verdict.ILLEGAL, True), (Verdict.ILLEGAL, False)
    assert found == {asked, more, same}


def a_turn(turn: GameTurn, after: Board, *, opened: bool) -> Turn:
    """The turn of a game if the table is left so."""
    if isinstance(after, GridLayout):
        assert isinstance(turn.before, GridLayout)
        whole = Turn(None, Layout(), opened=opened, claims=())
        return whole.with_grid(turn.before, after)
    assert isinstance(turn.before, Layout)
    return Turn(turn.before, after, opened=opened)


@pytest.mark.parametrize("preset", presets())
def test_every_turn_is_what_it_is_said_to_be(preset: str) -> None:
    """Legal turns follow one on the other and are LEGAL; what is tried first is ILLEGAL."""
    script, tried = Script(preset, 3), Counter[str]()
    empty: Board = Layout() if script.rules.table.form == "sets" else GridLayout()
    table = empty
    for turn in itertools.islice(script.turns(), 25):
        assert turn.before == (empty if turn.starter is not None else table)
        ruling = judge(a_turn(turn, turn.after, opened=turn.opened), script.rules)
        assert ruling.verdict is Verdict.LEGAL
        if turn.wrong is not None:
            wrong = a_turn(turn, turn.wrong.table, opened=turn.opened)
            assert judge(wrong, script.rules).verdict is Verdict.ILLEGAL
            assert Counter(turn.wrong.table.tiles) <= Counter(script.box)
            tried[turn.wrong.what] += 1
        table = turn.after
    assert len(tried) >= 4, "wrong turns are of many kinds"


def test_the_same_seed_plays_the_same_game() -> None:
    one, again, other = (
        list(itertools.islice(Script("sabra", seed).turns(), 12)) for seed in (1, 1, 2)
    )
    assert one == again
    assert one != other


def test_sets_are_claimed_in_games_that_have_claims() -> None:
    """What is claimed changes nothing on the table, and is told before the next turn."""
    turns = list(itertools.islice(Script("rummi200kub", 3).turns(), 25))
    claimed = [event for turn in turns for event in turn.unseen if isinstance(event, Claimed)]
    assert len(claimed) >= 3
    boards = [turn.after for turn in turns]
    for turn, before in zip(turns[1:], boards, strict=False):
        assert turn.before == before or turn.starter is not None


def test_nobody_in_a_script_is_too_late() -> None:
    """The session has a clock of its own, and would know nothing of that draw of three."""
    script = Script("pressman-tournament", 7014001)
    turns = list(itertools.islice(script.turns(), 12))
    ends = [e for turn in turns for e in (*turn.unseen, turn.event) if isinstance(e, Drew | Played)]
    assert any(end.elapsed_s for end in ends)
    assert not any(is_late(script.rules, end.elapsed_s) for end in ends)


# The table.


def a_tabletop(seed: int, upside_down: float = 0.0) -> MeldsOnTable:
    manners = Manners(crack_mm=1.0, sloppy=1.0, facing_rad=(0.0,), upside_down=upside_down)
    everywhere: Callable[[np.ndarray], bool] = lambda _points: True  # noqa: E731
    return MeldsOnTable((26.0, 36.0), (620.0, 460.0), everywhere, manners, random.Random(seed))


def test_nobody_lays_a_meld_on_the_tiles_beside_the_game() -> None:
    script, top = Script("reset", 2), a_tabletop(2)
    beside = [TilePose("face-down", x, y, 0.3) for x in (-90, 90) for y in (-150, 0, 150)]
    pool = [((p.x_mm, p.y_mm), (26.0, 36.0), math.degrees(p.angle_rad)) for p in beside]
    for turn in itertools.islice(script.turns(), 12):
        if turn.starter is not None:
            top.begin(script.box, beside)
        top.lay(turn.after)
        for pose in (piece.pose for piece in top.pieces()):
            tile = ((pose.x_mm, pose.y_mm), (26.0, 36.0), math.degrees(pose.angle_rad))
            kinds = [cv2.rotatedRectangleIntersection(tile, other) for other in pool]
            shared = [part for kind, part in kinds if kind != cv2.INTERSECT_NONE]
            assert all(cv2.contourArea(part) < 60 for part in shared)


@pytest.mark.parametrize("seed", range(4))
def test_what_lies_on_the_table_is_the_layout_and_every_tile_is_there_once(seed: int) -> None:
    script, top = Script("reset", seed), a_tabletop(seed)
    for turn in itertools.islice(script.turns(), 20):
        if turn.starter is not None:
            top.begin(script.box)
        top.lay(turn.after)
        assert Counter(top.layout.melds) == Counter(turn.after.melds)
        numbers = [piece.number for piece in top.pieces()]
        assert len(set(numbers)) == len(numbers)
        assert all(str(top.tile(p.number)) == p.pose.label for p in top.pieces())


def test_melds_that_are_not_touched_stay_where_they_lie() -> None:
    top = a_tabletop(1)
    top.begin(Script("reset", 1).box)
    top.lay(parse_layout("K7 K8 K9 | R10 B10 O10"))
    before = {piece.number: piece for piece in top.pieces()}
    top.lay(parse_layout("K7 K8 K9 | R10 B10 O10 K10 | B1 B2 B3"))
    after = {piece.number: piece for piece in top.pieces()}
    assert all(after[number] == piece for number, piece in before.items())


def test_a_row_is_read_from_where_most_of_its_tiles_face() -> None:
    layout, found = parse_layout("K5 K6 K7 | B1 B2 B3 B4"), set()
    for seed in range(60):
        top = a_tabletop(seed, upside_down=0.5)
        top.begin(Script("reset", 1).box)
        top.lay(layout)
        turns = [round(math.cos(piece.pose.angle_rad)) for piece in top.pieces()]
        at = 0
        for row in top.rows():
            about = sum(turns[at : at + len(row.labels)])
            at += len(row.labels)
            upright = row.labels if about >= 0 else row.labels[::-1]
            assert upright in [tuple(map(str, meld.tiles)) for meld in layout.melds]
            assert row.from_either_end is (about == 0)
            found.add(int(np.sign(about)))
    assert found == {-1, 0, 1}


@pytest.mark.parametrize("seed", range(8))
def test_a_tile_never_falls_on_its_twin(seed: int) -> None:
    """Of two K7 and a B1 it is the B1 that falls on a K7; where only the twin is left nothing does."""
    k7, b1 = parse_layout("K7 B1").melds[0].tiles
    top = a_tabletop(seed)
    top.begin([k7, k7, b1])
    top.lay(parse_layout("K7"))
    assert top.drop(7.0)
    assert top.pieces()[-1].pose.label == "B1"
    top.begin([k7, k7])
    top.lay(parse_layout("K7"))
    assert not top.drop(7.0)


def test_a_tile_that_was_dropped_lies_over_others_until_the_table_is_put_back() -> None:
    top = a_tabletop(3)
    top.begin(Script("reset", 1).box)
    assert not top.drop(7.0), "there is nothing to fall on"
    top.lay(parse_layout("K7 K8 K9"))
    before, state = top.pieces(), top.state()
    assert top.drop(7.0)
    *laid, dropped = top.pieces()
    assert tuple(laid) == before
    assert dropped.number not in {piece.number for piece in before}
    at = dropped.pose
    apart = [np.hypot(p.pose.x_mm - at.x_mm, p.pose.y_mm - at.y_mm) for p in laid]
    assert min(apart) < 20
    assert at.z_mm == 7.0
    top.restore(state)
    assert top.pieces() == before


def test_a_table_that_is_put_back_lies_as_before() -> None:
    top = a_tabletop(2)
    top.begin(Script("reset", 1).box)
    top.lay(parse_layout("K7 K8 K9 | R10 B10 O10"))
    before, state = top.pieces(), top.state()
    top.lay(parse_layout("K7 K8 | K9 K10 R10 | B10"))
    top.restore(state)
    assert top.pieces() == before


# The whole way, without networks.


def played(seed: int, turns: int, kinds: Sequence[Kind], lie: str = "") -> list[Outcome]:
    """A game of ReSet seen by a reader that never errs, but takes every tile ``lie`` for a red 1."""

    def read(pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        return [
            replace(p, reading=TileReading.certain(parse_tile("R1"))) if p.label == lie else p
            for p in game.read_truth(pixels_bgr)
        ]

    game = MatchGame("reset", seed, read, size_wh=SIZE_WH, kinds=kinds)
    return list(game.play(turns))


@pytest.mark.parametrize(
    "kinds",
    [
        (Kind.RESTING_HAND, Kind.BUMP, Kind.FROZEN, Kind.PAUSE, Kind.NUDGE),
        (Kind.LAMP, Kind.MISSING, Kind.SHADOW, Kind.RACKS, Kind.BLACK),
    ],
    ids=["hands", "light"],
)
def test_with_a_reader_that_never_errs_every_ruling_is_right(kinds: Sequence[Kind]) -> None:
    outcomes = played(9, 3, kinds)
    assert [o.problems for o in outcomes if o.problems] == []
    assert [o.named_right for o in outcomes if o.faults] == [True, True]
    assert not any(o.questions for o in outcomes)
    in_sight = (Kind.RESTING_HAND, Kind.PAUSE, Kind.NUDGE, Kind.RACKS)
    waited = [o.seconds for o in outcomes if o.kind in in_sight]
    assert all(seconds is not None and seconds < SOON_S for seconds in waited)


def test_a_reader_that_lies_is_found_out_put_right_and_counted_once() -> None:
    """Where nothing is asked, the tile is put right; what comes after is judged by the truth."""
    outcomes = played(10, 3, (Kind.PLAIN,), lie="K5")
    assert [o.wrong is not None for o in outcomes] == [False, True, False, False]
    assert not outcomes[0].exact
    assert outcomes[0].is_accusation
    assert outcomes[0].corrections == 1
    assert outcomes[2].exact, "what a person said holds while the tile lies there"


def a_game_read_exactly(preset: str, seed: int, *, followed: bool = True) -> MatchGame:
    """One that nothing disturbs, seen by a reader that never errs."""

    def read(pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
        return game.read_truth(pixels_bgr)

    kinds = [Kind.PLAIN]
    game = MatchGame(preset, seed, read, size_wh=SIZE_WH, kinds=kinds, followed=followed)
    return game


def test_in_a_game_that_is_followed_it_is_known_who_had_opened() -> None:
    """And what is wrong with an opening is named, though the turn is ILLEGAL either way."""
    followed, watched = (
        list(a_game_read_exactly("sabra", 9, followed=followed).play(6))
        for followed in (True, False)
    )
    assert [o.wrong for o in followed] == [o.wrong for o in watched]
    assert not any(o.questions for o in followed)
    assert any("opened" in o.questions for o in watched)
    told, untold = (sum(len(o.said_faults) for o in game) for game in (followed, watched))
    assert told > untold
    assert all(o.named_right for o in (*followed, *watched) if o.faults)


@pytest.mark.parametrize("preset", presets())
def test_a_game_is_followed_by_the_buttons_from_deal_to_deal(preset: str) -> None:
    """What is not filmed is told, too; who refuses it ends the film."""
    game = a_game_read_exactly(preset, 23)
    outcomes = list(game.play(9))
    assert game.cut_short == ""
    assert [o.problems for o in outcomes if o.problems] == []
    assert not any(o.questions for o in outcomes)


@pytest.mark.parametrize(
    ("event", "pressed", "why"),
    [(Played, "claim", "the table is not as it was"), (Drew, "stop", "can still be drawn")],
)
def test_a_session_that_refuses_what_happened_ends_the_film(
    monkeypatch: pytest.MonkeyPatch, event: type[GameEvent], pressed: str, why: str
) -> None:
    """As where a wrong button is pressed; it says why."""
    monkeypatch.setattr(film_session, "ACTS", {**film_session.ACTS, event: pressed})
    game = a_game_read_exactly("sabra", 9)
    assert len(list(game.play(6))) <= 1
    assert why in game.cut_short


@pytest.mark.parametrize("is_clear", [True, False])
def test_a_set_is_learned_from_its_own_photograph_before_the_game(is_clear: bool) -> None:
    """Where it is not clear what lies there the game is read as if no set was known."""
    photographs: list[NDArray[np.uint8]] = []
    readers: list[str] = []

    def reading_by(name: str) -> Read:
        def read(pixels_bgr: NDArray[np.uint8]) -> Sequence[Placement]:
            readers.append(name)
            return game.read_truth(pixels_bgr)

        return read

    def enrol(pixels_bgr: NDArray[np.uint8]) -> Read | None:
        photographs.append(pixels_bgr)
        return reading_by("knowing") if is_clear else None

    game = MatchGame(
        "reset", 9, reading_by("plain"), size_wh=SIZE_WH, kinds=[Kind.PLAIN], enrol=enrol
    )
    outcomes = list(game.play(1))
    assert [picture.shape for picture in photographs] == [(1200, 1600, 3)]
    assert game.knows_its_set is is_clear
    assert set(readers) == {"knowing" if is_clear else "plain"}
    assert outcomes[0].exact
