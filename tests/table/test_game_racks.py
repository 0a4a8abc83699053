"""The end of a round: racks are read, told, put right and scored."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from table.events import (
    RackCorrected,
    RackRead,
)
from table.wishes import WishRefusedError
from tests.table.played_table import PlayedTable
from vision.frame import Pixels
from vision.placements import Placement

CLEOS_15 = "R1 R2 R3 R4 R5 R6 R7 R8 R9 O1 O2 O3 O4 O5 O6"


def photograph_bens(played: PlayedTable) -> None:
    """Ben's rack is photographed, with a tile in doubt and one that cannot be read."""
    played.table.lay("R1 R2 R3 R4 R5 R6 R7/B7", "R8 R9 R11 R12 R13 O1 ?")
    done, photo = cv2.imencode(".jpg", played.table.picture())
    assert done
    played.session.in_game(lambda game: game.read_photo("Ben", photo.tobytes()))


def to_the_end_of_a_round(played: PlayedTable) -> None:
    """Ada goes out with fourteen tiles in one turn; Ben holds fourteen still."""
    played.begin("Ada", "Ben", score__target="50")
    played.play("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")


def test_racks_are_told_put_right_and_scored_by_the_rules(played: PlayedTable) -> None:
    to_the_end_of_a_round(played)
    assert (played.game.phase, played.game.ask.text) == ("round over", "Ada is out!")
    assert played.game.target == 50
    assert [(rack.player, rack.held, rack.tiles) for rack in played.game.racks] == [
        ("Ben", 14, None)
    ]
    assert played.acts() == []
    tiles = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O1"
    played.session.in_game(lambda game: game.tell_rack("Ben", tiles))
    assert played.game.racks[0].points == 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 11 + 12 + 13 + 2
    played.session.in_game(lambda game: game.correct_rack("Ben", 13, "J"))
    assert played.game.racks[0].points == 82 + 30
    played.restart()
    assert played.game.racks[0].points == 112, "what was told is kept"
    view = played.act("count")
    assert view.phase == "game over"
    assert [(row.name, row.points, row.winners) for row in view.score] == [
        ("Round 1", ("112", "-112"), ("Ada",))
    ]
    assert (view.totals, view.leaders) == (("112", "-112"), ("Ada",))
    assert view.ask.text == "Ada won."


def test_a_rack_with_more_of_a_tile_than_there_can_be_is_named_before_it_is_scored(
    played: PlayedTable,
) -> None:
    to_the_end_of_a_round(played)
    tiles = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 K1 K1"
    played.session.in_game(lambda game: game.tell_rack("Ben", tiles))
    assert played.game.ask.detail == (
        "Black 1 is there 3 times, on the rack of Ben and the table, and the game has 2. Put the rack "
        "right, or correct what was told before."
    )
    assert played.acts() == []
    played.session.in_game(lambda game: game.correct_rack("Ben", 13, "O1"))
    assert played.acts() == ["count"]
    tiles = "J J J R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O2"
    played.session.in_game(lambda game: game.tell_rack("Ben", tiles))
    assert played.game.ask.detail.startswith("Joker is there 3 times, on the rack of Ben, and")


def test_where_tiles_alone_are_counted_the_games_count_will_do(played: PlayedTable) -> None:
    """RS-26: what is on the tiles does not matter."""
    played.begin("Ada", "Ben", "Cleo", preset="reset")
    tens = "K10 B10 R10 O10"
    played.play(tens, "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5 B6")
    assert (played.game.phase, played.acts()) == ("round over", ["count"])
    assert played.game.ask.detail == (
        "Only the number of tiles counts: 15 tiles for Ben and 15 tiles for Cleo, by the game. "
        "Tell what Ben and Cleo still hold, or:"
    )
    played.session.in_game(lambda game: game.tell_rack("Cleo", "R1 R2 R3 R4 R5 R6 R7"))
    assert played.acts() == ["count_as_shown"], "the rack of Cleo has another number than the game"
    played.session.in_game(lambda game: game.tell_rack("Cleo", CLEOS_15))
    view = played.act("count")
    assert [(row.name, row.points) for row in view.score] == [("Round 1", ("0", "15", "15"))]
    assert played.lines()[-1].startswith("hands: Cleo ")
    played.restart()
    assert played.game.totals == ("0", "15", "15")


def test_racks_that_were_told_are_there_again_when_the_last_play_is_undone_and_told_again(
    played: PlayedTable,
) -> None:
    to_the_end_of_a_round(played)
    tiles = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O2"
    played.session.in_game(lambda game: game.tell_rack("Ben", tiles))
    racks = played.game.racks
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Ada"))
    assert played.game.racks == ()
    played.restart()
    played.play("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
    assert played.game.racks == racks
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Ada"))
    played.play("K10 B10 R10 O10")
    played.act("draw")
    played.play("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
    assert [rack.tiles for rack in played.game.racks] == [None], "Ben has drawn since"


def test_what_is_in_doubt_on_a_rack_is_asked_about_before_it_is_scored(
    played: PlayedTable,
) -> None:
    to_the_end_of_a_round(played)
    photograph_bens(played)
    assert played.game.ask.detail == "1 tile on the rack of Ben could not be read. Press it to say."
    assert played.acts() == []
    played.session.in_game(lambda game: game.correct_rack("Ben", 13, "O2"))
    assert played.game.ask.detail == "1 tile on the rack of Ben is in doubt. Press it to say. Or:"
    (act,) = played.game.ask.acts
    assert (act.act, act.primary, act.asks_again) == ("count", False, True)
    played.session.in_game(lambda game: game.correct_rack("Ben", 6, "R7"))
    assert [act.primary for act in played.game.ask.acts] == [True]


def test_a_rack_that_is_not_there_is_not_taken_for_an_empty_one(played: PlayedTable) -> None:
    to_the_end_of_a_round(played)
    for melds in ((), ("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")):
        played.lay(*melds)
        with pytest.raises(WishRefusedError) as refused:
            played.session.in_game(lambda game: game.read_camera("Ben"))
        assert refused.value.word == "nothing_read"
    assert played.events(RackRead) == []


def test_one_rack_that_was_told_of_two_players_is_asked_about(played: PlayedTable) -> None:
    played.begin("Ada", "Ben", "Cleo")
    played.play("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
    tiles = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O2"
    for name in ("Ben", "Cleo"):
        played.session.in_game(lambda game, n=name: game.tell_rack(n, tiles))
    assert played.game.ask.detail == (
        "The racks of Ben and Cleo hold the very same tiles. Tell one anew. Or:"
    )
    played.session.in_game(lambda game: game.tell_rack("Cleo", tiles.replace("O2", "O3")))
    assert [act.primary for act in played.game.ask.acts] == [True]


def test_a_rack_is_photographed_and_its_doubtful_tiles_are_marked(played: PlayedTable) -> None:
    to_the_end_of_a_round(played)
    photograph_bens(played)
    (rack,) = played.game.racks
    assert rack.tiles is not None
    assert [tile.label for tile in rack.tiles][-3:] == ["R13", "O1", ""]
    assert [(tile.label, tile.options) for tile in rack.tiles if not tile.sure] == [
        ("R7", ("R7", "B7")),
        ("", ()),
    ]
    assert rack.points is None
    with pytest.raises(WishRefusedError) as refusal:
        played.act("count")
    assert refusal.value.word == "not_read"
    played.session.in_game(lambda game: game.correct_rack("Ben", 13, "O2"))
    played.session.in_game(lambda game: game.correct_rack("Ben", 6, "B7"))
    assert played.game.racks[0].points == 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 11 + 12 + 13 + 1 + 2
    read, said = played.events(RackRead)[0], played.events(RackCorrected)[-1]
    assert isinstance(read, RackRead)
    assert read.tiles[6] == (("R7", 0.6), ("B7", 0.4)), "what the machine saw is kept"
    assert said == RackCorrected(2, "Ben", 6, "R7", "B7")
    with pytest.raises(WishRefusedError, match="photograph"):
        played.session.in_game(lambda game: game.read_photo("Ben", b"no picture"))


def test_a_photograph_is_read_as_photographs_are(tmp_path: Path) -> None:
    """It may take longer than a live picture, so there is a reader of its own for it."""
    seen: list[Pixels] = []

    def read_photo(pixels_bgr: Pixels) -> list[Placement]:
        seen.append(pixels_bgr)
        return played.table.read_placements(pixels_bgr)[:3]

    played = PlayedTable(tmp_path, read_photo=read_photo)
    try:
        to_the_end_of_a_round(played)
        assert not seen
        photo = cv2.imencode(".jpg", played.table.picture())[1]
        played.session.in_game(lambda game: game.read_photo("Ben", photo.tobytes()))
        (rack,) = played.game.racks
        assert rack.tiles is not None
        assert (len(seen), len(rack.tiles)) == (1, 3)
    finally:
        played.session.close()


def test_a_rack_that_is_laid_beside_the_sets_is_read_by_the_table_s_camera(
    played: PlayedTable,
) -> None:
    to_the_end_of_a_round(played)
    sets = ("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
    played.lay(*sets, "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 K1")
    played.session.in_game(lambda game: game.read_camera("Ben"))
    (rack,) = played.game.racks
    assert rack.tiles is not None
    assert [tile.label for tile in rack.tiles].count("K1") == 1
    assert len(rack.tiles) == 14


def test_a_count_that_is_not_the_game_s_is_refused_in_words(played: PlayedTable) -> None:
    to_the_end_of_a_round(played)
    played.session.in_game(lambda game: game.tell_rack("Ben", "R1 R2"))
    with pytest.raises(WishRefusedError, match="Ben holds 14 and shows 2"):
        played.act("count")
    with pytest.raises(WishRefusedError, match="not to be counted"):
        played.session.in_game(lambda game: game.tell_rack("Ada", "R1"))
    with pytest.raises(WishRefusedError) as refusal:
        played.session.in_game(lambda game: game.tell_rack("Ben", "10H"))
    assert refusal.value.word == "not_understood"


def test_a_rack_that_was_counted_otherwise_is_scored_as_it_is_when_somebody_says_so(
    played: PlayedTable,
) -> None:
    to_the_end_of_a_round(played)
    played.session.in_game(lambda game: game.tell_rack("Ben", "R1 R2"))
    (act,) = played.game.ask.acts
    assert (act.act, act.primary, act.asks_again) == ("count_as_shown", False, True)
    assert "The game counted 14 tiles for Ben, and the rack has 2." in played.game.ask.detail
    view = played.act("count_as_shown")
    assert (view.round, view.totals) == (2, ("3", "-3"))
    played.restart()
    assert played.game.totals == ("3", "-3"), "both counts are in the log"


def test_nothing_is_said_of_counts_where_racks_hold_what_the_game_counted(
    played: PlayedTable,
) -> None:
    to_the_end_of_a_round(played)
    tiles = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O1"
    played.session.in_game(lambda game: game.tell_rack("Ben", tiles))
    assert [act.act for act in played.game.ask.acts] == ["count"]


def test_in_a_tournament_the_next_game_begins_with_the_next_draw(played: PlayedTable) -> None:
    played.begin("Ada", "Ben", preset="pressman-tournament")
    played.play("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
    tiles = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O1"
    played.session.in_game(lambda game: game.tell_rack("Ben", tiles))
    view = played.act("count")
    assert (view.round, view.game, view.phase) == (1, 2, "start")
    assert view.ask.text == "Who begins round 1, game 2?"
    assert [(row.name, row.is_total) for row in view.score] == [
        ("Game 1", False),
        ("Round 1", True),
    ]
    view = played.act("starter", player="Ben")
    assert (view.to_move, view.turn, played.state.layout) == ("Ben", 1, None)
    assert view.clock is not None
    assert view.clock.limit_s == 60
