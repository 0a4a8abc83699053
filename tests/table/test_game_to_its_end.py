"""Games that are played to their end: who has won, by what, and what the score sheet shows of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from table.game_view import GameView
from table.wishes import WishRefusedError
from tests.table.board_table import BoardTable
from tests.table.laid_table import wait_until
from tests.table.played_table import PlayedTable

PLAYERS = ("Ada", "Ben", "Cleo")
GOING_OUT = ("K10 B10 R10 O10", "K1 K2 K3 K4 K5", "B1 B2 B3 B4 B5")
LIGHT = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O1 O2"
"""A rack of 84 points."""
HEAVY = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13 O3 O4"
"""A rack of 88 points."""


def play_out(played: PlayedTable, winner: str, racks: Sequence[str] = (LIGHT, HEAVY)) -> GameView:
    """The winner begins and is out at once; the others hold these racks, by their seats."""
    played.lay()
    played.act("starter", player=winner)
    played.play(*GOING_OUT)
    others = [name for name in PLAYERS if name != winner]
    for name, rack in zip(others, racks, strict=True):
        played.session.in_game(lambda game, n=name, r=rack: game.tell_rack(n, r))
    return played.act("count")


def begin(played: PlayedTable, preset: str, **house_rules: str) -> None:
    """A game in which who begins is not yet known."""
    rules = {name.replace("__", "."): value for name, value in house_rules.items()}
    played.session.in_game(lambda game: game.begin(preset, PLAYERS, rules, None))
    played.lay("K1")


def rows(view: GameView) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return [(row.name, row.points, row.winners) for row in view.score]


def test_a_tournament_is_played_to_its_end_undone_and_corrected(played: PlayedTable) -> None:
    """PT-04, AMB-36: Ben and Cleo have won two rounds each, and Ben more games."""
    begin(played, "pressman-tournament")
    view = play_out(played, "Ada")
    assert rows(view) == [
        ("Game 1", ("172", "-84", "-88"), ("Ada",)),
        ("Round 1", ("172", "-84", "-88"), ()),
    ], "nobody has won a round that is not over"
    for winner in ("Ben", "Ada"):
        play_out(played, winner)
    view = play_out(played, "Ben")
    assert rows(view)[-1] == ("Round 1", ("176", "176", "-352"), ("Ada", "Ben"))
    for winner in ("Ben", "Ben", "Cleo", "Cleo"):
        view = play_out(played, winner)
    assert rows(view)[-1] == ("Round 2", ("-336", "168", "168"), ("Ben", "Cleo"))
    for winner in ("Ben", "Cleo", "Ben"):
        view = play_out(played, winner)
    assert (view.phase, view.round, view.game) == ("start", 3, 4)
    view = play_out(played, "Cleo", (HEAVY, "J J R1 R2 R3 R4 R5 R6 R7 R8 R9 R11 R12 R13"))
    assert (view.phase, view.ask.text, view.leaders) == ("game over", "Ben won.", ("Ben",))
    won = "rounds won: Ada 1, Ben 2, Cleo 2; games won: Ada 2, Ben 6, Cleo 4"
    assert (view.totals, view.notes[:1]) == (("-500", "459", "41"), (won,))
    assert view.ask.detail == f"R{won[1:]}.", "the totals alone do not tell"
    assert [row.name for row in view.score].count("Game 4") == 3
    last = view.last
    played.session.in_game(lambda game: game.undo(view.sequence, "Ada"))
    view = played.game
    assert (view.phase, view.ask.text, view.leaders) == ("round over", "Cleo is out!", ("Ben",))
    assert [rack.points for rack in view.racks] == [88, 141], "what was told of the racks is kept"
    view = played.act("count")
    assert (view.leaders, view.last) == (("Ben",), last)
    played.session.in_game(
        lambda game: game.correct(5, f"hands: Ben {HEAVY} | Cleo {LIGHT}", "Ben")
    )
    assert played.game.totals == ("-500", "455", "45")
    played.restart()
    assert (played.game.ask.text, played.game.leaders) == ("Cleo won.", ("Cleo",)), (
        "Ada alone has won the first round then, and Ben one less"
    )
    assert played.acts() == ["new_game"]
    with pytest.raises(WishRefusedError, match="nobody's turn"):
        played.act("draw")
    begin(played, "pressman")
    assert (played.game.phase, played.game.score, played.game.round) == ("start", (), 1)


def test_who_has_won_a_tournament_by_points_alone_is_told_so(played: PlayedTable) -> None:
    """AMB-36: everybody has won one round and four games."""
    begin(played, "pressman-tournament")
    for first, second, third in permutations_by_first(PLAYERS):
        for winner in (first, first, second):
            play_out(played, winner)
        view = play_out(played, third, (LIGHT, HEAVY))
    assert view.phase == "game over"
    (winner,) = view.leaders
    assert view.notes[0].endswith("games won: Ada 4, Ben 4, Cleo 4")
    assert view.notes[1] == (
        "Ada, Ben and Cleo won as many of both, and the points decided between them"
    )
    assert max(map(int, view.totals)) == int(view.totals[PLAYERS.index(winner)])


def test_a_rack_that_was_counted_before_the_camera_is_no_turn_after_the_game(
    played: PlayedTable,
) -> None:
    begin(played, "pressman")
    play_out(played, "Ada")
    played.lay("R1 B7 K9", "O2 R13")
    sequence = played.game.sequence
    played.session.in_game(lambda game: game.act("finish", sequence))
    assert played.state.game is None
    played.table.wait_for_reads(5)
    assert played.state.ruling is None, "nobody has laid it as sets"
    played.lay("K4 K5 K6")
    wait_until(played.session.board, lambda state: state.ruling is not None)


def permutations_by_first(players: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The players in their order, begun with each of them."""
    return [(*players[k:], *players[:k]) for k in range(len(players))]


def test_an_extra_round_is_called_so_and_shown_beside_the_total(played: PlayedTable) -> None:
    """AMB-33; everybody plays it, and Cleo's points in it decide nothing."""
    begin(played, "sabra", score__rounds="2", score__tie="extra_round")
    play_out(played, "Ada", (LIGHT, LIGHT))
    assert played.game.ask.text == "Who begins round 2?"
    assert played.game.ask.detail == (
        "Clear the table and mix the tiles. Everybody draws a tile, and the highest number begins. "
        "Mix these in again, and everybody takes 14."
    )
    view = play_out(played, "Ben", (LIGHT, LIGHT))
    assert (view.extra, view.ask.text) == (True, "Who begins the extra round?")
    assert view.ask.detail.startswith(
        "Ada and Ben are equal: whoever of them does best now has won."
    )
    assert view.notes == ("Ada and Ben are equal, and an extra round decides",)
    view = play_out(played, "Cleo", (LIGHT, HEAVY))
    assert (view.phase, view.extra, view.ask.text) == ("game over", True, "Ada won.")
    assert rows(view)[1:] == [
        ("Round 2", ("-84", "168", "-84"), ("Ben",)),
        ("Extra round, not in the total", ("-84", "-88", "172"), ("Cleo",)),
    ]
    assert (view.totals, view.leaders) == (("84", "84", "-168"), ("Ada",))
    assert view.notes == ("of those who were equal Ada did best in the extra round",)
    assert view.ask.detail == "Of those who were equal Ada did best in the extra round."


def test_a_table_that_was_cleared_is_asked_back_where_the_end_of_its_round_is_undone(
    played: PlayedTable,
) -> None:
    begin(played, "sabra", score__rounds="2")
    played.lay()
    played.act("starter", player="Ada")
    played.play("K10 B10 R10 O10")
    played.play("K10 B10 R10 O10", "B1 B2 B3 B4 B5 B6 B7 B8 B9")
    played.act("draw")
    played.play("K10 B10 R10 O10", "B1 B2 B3 B4 B5 B6 B7 B8 B9", "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10")
    assert played.game.phase == "round over"
    played.lay()
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Ben"))
    view = played.game
    assert view.ask.text == "Put the table back as it was."
    assert view.to_put_back == "K10 B10 R10 O10 | B1 B2 B3 B4 B5 B6 B7 B8 B9"
    assert played.state.ruling is None
    played.restart()
    assert played.game.to_put_back is not None
    played.lay("K10 B10 R10 O10", "B1 B2 B3 B4 B5 B6 B7 B8 B9", "K1 K2 K3")
    assert played.game.to_put_back is None, "the turn that goes on may have begun"


def test_who_is_equal_before_the_last_round_is_ahead_and_no_tie_is_told(
    played: PlayedTable,
) -> None:
    begin(played, "sabra", score__rounds="3", score__tie="extra_round")
    view = play_out(played, "Ada", (LIGHT, LIGHT))
    assert view.notes == ("1 of 3 rounds: the game is not over",)
    view = play_out(played, "Ben", (LIGHT, LIGHT))
    assert (view.leaders, view.notes) == (
        ("Ada", "Ben"),
        ("2 of 3 rounds: the game is not over",),
    )
    view = play_out(played, "Cleo", (LIGHT, LIGHT))
    assert sorted(view.leaders) == sorted(PLAYERS)
    assert view.notes == ("Ada, Cleo and Ben are equal, and an extra round decides",)


def test_a_shared_victory_names_all_who_share_it(played: PlayedTable) -> None:
    begin(played, "sabra", score__rounds="3")
    for winner in PLAYERS:
        view = play_out(played, winner, (LIGHT, LIGHT))
    assert (view.extra, view.ask.text) == (False, "Ada, Cleo and Ben won.")
    assert view.leaders == ("Ada", "Cleo", "Ben"), "in the order of turns"


# Rummi200kub: claims.


@pytest.fixture
def on_board(tmp_path: Path) -> Iterator[PlayedTable]:
    """A session on a table of cells."""
    table = PlayedTable(tmp_path, BoardTable())
    yield table
    table.session.close()


def lay_rows(on_board: PlayedTable, text: str) -> None:
    """Lays the board anew, and whoever's turn it is plays it."""
    assert isinstance(on_board.table, BoardTable)
    on_board.table.lay_board(text)
    wait_until(
        on_board.session.board,
        lambda s: s.layout == f"grid {text}" and s.ruling is not None and not s.moving,
    )
    on_board.act("play")


def claim(on_board: PlayedTable, meld: str) -> GameView:
    view, layout = on_board.game, on_board.state.layout_sequence
    on_board.session.in_game(lambda game: game.act("claim", view.sequence, layout, meld=meld))
    return on_board.game


def draw_until_nothing_is_left(on_board: PlayedTable) -> GameView:
    while "stop" not in on_board.acts():
        on_board.act("draw")
    return on_board.act("stop")


def test_an_extra_round_of_claims_leaves_the_sheet_of_the_game_as_it_was(
    on_board: PlayedTable,
) -> None:
    rules = {"score__target": "50", "score__tie": "extra_round"}
    rules |= {"claims__requires_opening": "no", "claims__reclaim_own": "no"}
    on_board.begin("Ada", "Ben", preset="rummi200kub", **rules)
    lay_rows(on_board, "K7 K8 K9 K10")
    claim(on_board, "K7 K8 K9 K10")
    lay_rows(on_board, "K7 K8 K9 K10 / . . . B10 / R7 R8 R9 R10")
    on_board.act("draw")
    view = claim(on_board, "R7 R8 R9 R10")
    assert view.totals == ("34", "34")
    view = draw_until_nothing_is_left(on_board)
    assert (view.ask.text, view.totals) == ("Who begins the extra round?", ("34", "34"))
    on_board.act("starter", player="Ben")
    lay_rows(on_board, "B7 B8 B9 B10")
    claim(on_board, "B7 B8 B9 B10")
    view = draw_until_nothing_is_left(on_board)
    assert (view.phase, view.ask.text, view.totals) == ("game over", "Ada won.", ("34", "34"))
    assert rows(view) == [
        ("Round 1", ("34", "34"), ("Ada", "Ben")),
        ("Extra round, not in the total", ("34", "0"), ()),
    ]
    assert view.notes == ("of those who were equal Ada did best in the extra round",)


@pytest.mark.parametrize("preset", ["pressman", "sabra"])
def test_where_everybody_has_passed_the_end_is_offered_first(
    played: PlayedTable, preset: str
) -> None:
    played.begin("Ada", "Ben", preset=preset)
    played.lay()
    while played.game.pool:
        played.act("draw")
    offered = ["pass"] if preset == "sabra" else ["pass", "stop"]
    assert [act.act for act in played.game.ask.acts] == offered
    for _ in range(2):
        played.act("pass")
    if preset == "sabra":  # AMB-29: that ends it there
        assert played.game.ask.text == "Everybody has passed."
        return
    assert played.game.ask.detail.startswith("Everybody has passed, and nothing is left to draw.")
    assert [act.act for act in played.game.ask.acts] == ["stop", "pass"]
    played.act("stop")
    assert played.game.ask.text == "Everybody has passed."
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Ada"))
    played.session.in_game(lambda game: game.undo(played.game.sequence, "Ada"))
    assert [act.act for act in played.game.ask.acts][:2] == ["pass", "stop"]
    played.act("stop")
    assert played.game.ask.text == "Nobody can play any more."
