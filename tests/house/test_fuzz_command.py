"""`meldwatch fuzz` plays whole games, the same for the same seed, and says what it played."""

from __future__ import annotations

import json

from click.testing import CliRunner

from table.fuzzing.campaign import play_game
from web.cli import main


def played(*arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(main, ["fuzz", "--json", "--workers", "1", *arguments])
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    report: dict[str, object] = json.loads(line)
    return report


def test_games_are_the_same_for_the_same_seed() -> None:
    first = played("--turns", "40", "--preset", "pressman", "--seed", "3")
    again = played("--turns", "40", "--preset", "pressman", "--seed", "3")
    other = played("--turns", "40", "--preset", "pressman", "--seed", "4")
    assert isinstance(first["turns"], int)
    assert first["turns"] >= 40
    assert first["broken"] is None
    assert first["events"] == again["events"]
    assert first["refusals"] == again["refusals"]
    assert first["events"] != other["events"]


def test_an_unknown_preset_is_wrong_usage() -> None:
    result = CliRunner().invoke(main, ["fuzz", "--preset", "poker"])
    assert result.exit_code == 2


def test_whoever_must_play_on_a_board_finds_the_play_that_the_referee_means() -> None:
    """AMB-18 chosen in the midst of a game on a board, which then goes on to its end."""
    report = play_game("rummi200kub", 34, 3)
    assert report.breakage is None, report.breakage
    assert report.tally.whole_games == 1


def test_a_game_in_which_only_hidden_plays_are_left_comes_to_its_end() -> None:
    """The pool is empty, and large racks can still play where jokers lie."""
    report = play_game("pressman-tournament", 7, 0)
    assert report.breakage is None, report.breakage
    assert report.tally.whole_games == 1


def test_a_game_of_cards_goes_on_beside_a_set_that_its_players_let_stand() -> None:
    """The referee judges that table by itself otherwise than the game, which leaves the set out."""
    report = play_game("sets-and-runs", 7, 143)
    assert report.breakage is None, report.breakage
    assert report.tally.whole_games == 1
