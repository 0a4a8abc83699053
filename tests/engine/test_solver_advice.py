"""What players are told: advice, plays they had to make, what they missed, and a player by program."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.duties import play_in_words
from engine.layout import Layout, parse_layout
from engine.melds import parse_tiles
from engine.referee import Turn, Verdict, judge
from engine.ruleset import load_ruleset
from engine.solver import HintsOffError, SolverError, advise, best_play, missed_tiles
from engine.solving.player import greedy_turn
from engine.tiles import TILES, Tile
from engine.turns import parse_turn

PRESSMAN = load_ruleset("pressman", {"joker.max_per_set": 2})


def test_advice_is_the_best_play_and_disturbs_no_more_than_it_must() -> None:
    table = parse_layout("K1 K2 K3 | B1 B2 B3 | R1 R2 R3 | K7 B7 R7")
    advice = advise(table, parse_tiles("O7 K9"), PRESSMAN, opened=True)
    assert advice is not None
    assert advice.placed == parse_tiles("O7")
    assert str(advice.table_after) == "K1 K2 K3 | B1 B2 B3 | R1 R2 R3 | K7 B7 R7 O7"


def test_advice_before_the_initial_meld_is_how_to_make_it() -> None:
    table = parse_layout("K7 B7 R7")
    advice = advise(table, parse_tiles("O7 K10 B10 R10"), PRESSMAN, opened=False)
    assert advice is not None
    assert advice.placed == parse_tiles("K10 B10 R10")
    nothing = advise(table, parse_tiles("O7"), PRESSMAN, opened=False)
    assert nothing is not None
    assert nothing.placed == ()


def test_where_rules_give_no_hints_advice_is_refused_with_a_reason() -> None:
    tournament = load_ruleset("pressman-tournament")
    with pytest.raises(HintsOffError, match=r"not told what to play \(hints.allowed is no\)"):
        advise(Layout(), (), tournament, opened=False)
    allowed = load_ruleset("pressman-tournament", {"hints.allowed": "yes"})
    assert advise(Layout(), (), allowed, opened=False) is not None


def test_there_is_no_advice_on_a_grid() -> None:
    with pytest.raises(SolverError, match="grid"):
        advise(Layout(), (), load_ruleset("rummi200kub"), opened=True)


@pytest.mark.parametrize(
    ("turn", "missed"),
    [
        ("before: K1 K2 K3; after: K1 K2 K3 K4; rack: K4 R9 > R9; opened: yes", 0),
        ("before: K1 K2 K3; after: K1 K2 K3 K4; rack: K4 K5 R9 > K5 R9; opened: yes", 1),
        ("before: K1 K2 K3; after: K1 K2 K3; rack: K4 > K4 R9; opened: yes", 1),
        ("before: K1 K2 K3; after: K1 K2 K3; rack: K4 > K4 R9; opened: no", 0),
        ("before: K1 K2 K3; after: K1 K2 K3; rack: K4 > K4 R9; opened: ?", None),
        ("before: K1 K2 K3; after: K1 K2 K3 K4; rack: ? > ?; opened: yes", None),
        ("before: ?; after: K1 K2 K3 K4; rack: K4 > -; opened: yes", None),
        ("before: -; after: -; rack: K10 B10 R10 > K10 B10 R10 O1; opened: ?", 3),
        # a joker that nobody may take
        ("before: R3 R4 R5 J; after: R3 R4 R5 J; rack: B8 K8 > B8 K8 O1; opened: yes", 0),
    ],
)
def test_how_many_tiles_a_turn_missed(turn: str, missed: int | None) -> None:
    recorded = parse_turn(f"turn/1 pressman; {turn}; elapsed: 9.0")
    assert missed_tiles(recorded.turn, PRESSMAN) == missed


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("K1 K2 K3", "K1 K2 K3 | R5 J R7", "red 5, joker and red 7 as a set"),
        (
            "R4 R5 R6 R7 R8 | B1 B2 B3",
            "B1 B2 B3 | R4 R5 R6 | R6 R7 R8",
            "red 6, with set 1 laid anew as red 4, red 5 and red 6; red 6, red 7 and red 8",
        ),
        (
            "O1 O2 O3 O4 | K1 R1 B1",
            "O2 O3 O4 | K1 R1 B1 O1 | R9 R10 R11",
            (
                "red 9, red 10 and red 11, with set 1 and set 2 laid anew as orange 2, orange 3 and "
                "orange 4; black 1, red 1, blue 1 and orange 1; red 9, red 10 and red 11"
            ),
        ),
    ],
)
def test_a_play_in_words(before: str, after: str, words: str) -> None:
    assert play_in_words(parse_layout(before), parse_layout(after)) == words


@pytest.mark.parametrize(
    ("turn", "found"),
    [
        ("pressman; before: K1 K2 K3; after: K1 K2 K3; rack: K4 > K4 R9", "black 4 to set 1"),
        ("pressman; before: K1 K2 K3; after: K1 K2 K3; rack: R1 B1 O1 > R1 B1 O1 R9", "as a set"),
        # plays that take the table apart
        (
            "pressman; before: R4 R5 R6 R7 R8; after: R4 R5 R6 R7 R8; rack: R6 > R6 R9",
            "red 6, with set 1 laid anew as red 4, red 5 and red 6; red 6, red 7 and red 8",
        ),
        (
            "pressman; before: B8 B9 B10; after: B8 B9 B10; rack: K8 O8 R8 > K8 O8 R8 R9",
            "black 8, red 8 and orange 8 as a set",
        ),
        # a joker that is replaced, and starts a new set (PR-20)
        (
            "pressman; before: R5 J R7; after: R5 J R7; rack: R6 B3 K3 > R6 B3 K3 O9",
            "black 3, blue 3 and red 6, with set 1 laid anew as",
        ),
        # nothing that is legal by every answer to what is open
        ("pressman; before: R5 R6 J; after: R5 R6 J; rack: R7 > R7 R9", None),
        ("pressman; before: K1 K2 K3; after: K1 K2 K3; rack: R9 > R9 O1", None),
    ],
)
def test_whoever_must_play_is_told_the_play_in_words(turn: str, found: str | None) -> None:
    """AMB-18, where the table has chosen that nobody draws who can play."""
    recorded = parse_turn(f"turn/1 {turn}; opened: yes; elapsed: 9.0")
    rules = load_ruleset(recorded.preset, {"draw.must_play": "always"})
    ruling = judge(recorded.turn, rules)
    if found is None:
        assert ruling.verdict is Verdict.LEGAL, ruling.findings
    else:
        (finding,) = ruling.findings
        assert finding.code == "PLAY_REQUIRED"
        assert found in finding.message
        assert found in (finding.repair or "")


@pytest.mark.parametrize(
    ("turn", "found"),
    [
        ("before: K5 K6 K7; after: K5 K6 K7; rack: J R9 > J R9 O1", "joker to set 1"),
        # no set takes it as it lies, but there is room once one is parted
        (
            "before: R5 B5 O5 K5; after: R5 B5 O5 K5; rack: J K3 > J K3 R9",
            "black 3 and joker, with set 1 laid anew as",
        ),
        ("before: R5 B5 O5 K5; after: R5 B5 O5 K5; rack: J K9 > J K9 R9", None),
    ],
)
def test_whoever_holds_a_joker_back_is_told_how_it_could_be_played(
    turn: str, found: str | None
) -> None:
    """RS-16, with longer plays than one tile to one set."""
    recorded = parse_turn(f"turn/1 reset; {turn}; opened: ?; elapsed: 9.0; players: 3")
    rules = load_ruleset("reset", {"joker.no_hoarding": "enforce"})
    ruling = judge(recorded.turn, rules)
    assert [finding.code for finding in ruling.findings] == ["JOKER_HOARDING"] * (found is not None)
    for finding in ruling.findings:
        assert (found or "") in finding.message


@pytest.mark.parametrize(
    "preset", ["pressman", "pressman-tournament", "sabra", "reset", "reset-freeze"]
)
def test_the_greedy_player_only_makes_turns_that_are_legal(preset: str) -> None:
    """A round of four, each turn judged; with nothing to play a tile is drawn."""
    rules = load_ruleset(preset)
    random = Random(preset)
    pool = [tile for tile in TILES for _ in range(2)]
    random.shuffle(pool)
    racks = [[pool.pop() for _ in range(14)] for _ in range(4)]
    opened = [False] * 4
    table = Layout()
    for turn in range(48):
        player = turn % 4
        rack = tuple(racks[player])
        play = greedy_turn(table, rack, rules, opened=opened[player])
        left: list[Tile] = sorted((Counter(rack) - Counter(play.placed)).elements())
        drawn = [pool.pop()] if not play.placed else []
        made = Turn(table, play.table_after, rack, (*left, *drawn), opened[player], 5.0, players=4)
        starting = rules.opening.obligatory and not table.melds
        ruling = judge(made, rules)
        assert ruling.verdict is Verdict.LEGAL or starting, (ruling, str(made.before))
        assert missed_tiles(made, rules) == 0
        racks[player] = [*left, *drawn]
        opened[player] = opened[player] or bool(play.placed)
        table = play.table_after
        if not left:
            break
    assert any(opened)


def test_a_play_the_referee_asks_about_is_not_advised() -> None:
    """Whether a joker may be lifted out is for the table to say (AMB-16)."""
    table, rack = parse_layout("R3 R4 R5 J"), parse_tiles("B8 K8")
    assert best_play(table, rack, PRESSMAN) is not None
    advice = advise(table, rack, PRESSMAN, opened=True)
    assert advice is not None
    assert advice.placed == ()
