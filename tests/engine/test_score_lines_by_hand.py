"""JSON lines of `score` whose answers were worked out by hand from the rules.

A hand or a claimed set is written as in the notation, and parted here into a list of tiles.
"""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from engine.json_line import parse_json_line
from engine.score_json import score_json
from engine.scoring import ScoringError


def scored(line: dict[str, Any]) -> Any:
    """The sheet of a line of this object."""
    return score_json(parse_json_line(json.dumps(line).encode()))


def sheet(preset: str, *rounds: dict[str, Any], players: str = "A B C", **more: Any) -> Any:
    """The score sheet of rounds, or of the games of a tournament's only round."""
    ended: list[Any] = [
        item | {"hands": {name: held.split() for name, held in item["hands"].items()}}
        for item in rounds
    ]
    line = {"rules": preset, "players": players.split(), "rounds": ended} | more
    if preset == "pressman-tournament":
        line["rounds"] = [{"games": ended}]
    return scored(line)


def over(out: str | None, **hands: str) -> dict[str, Any]:
    """A round that `out` ended, or the pool where nobody did."""
    end: dict[str, Any] = {"pool_exhausted": True} if out is None else {"out": out}
    return {"hands": hands} | end


ROUNDS: Final = [
    # preset, house rules, rounds, totals, winners
    # two with the lowest count share what the others lose (AMB-30): 5 + 20
    ("pressman", {}, [over(None, A="K10", B="R1 R9", C="J")], (10, 10, -20), "A B"),
    ("pressman", {}, [over(None, A="K10", B="R1 R9", C="K12 K1")], (1.5, 1.5, -3), "A B"),
    ("pressman", {}, [over(None, A="K5", B="R5", C="O2 O3")], (0, 0, 0), "A B C"),
    ("sabra", {}, [over(None, A="K12", B="J", C="K13 R13 B13 O6")], (51, -18, -33), "A"),
    # an empty hand ends a round whoever is named, pool or not
    ("sabra", {}, [{"hands": {"A": "", "B": "J", "C": "K1"}}], (31, -30, -1), "A"),
    ("pressman", {}, [over("B", A="K7", C="J J") | {"pool_exhausted": True}], (-7, 67, -60), "B"),
    # without a pot all totals are negative, and the least lost wins
    (
        "pressman", {"pool_out.score": "as_held"},
        [over(None, A="K5", B="R13", C="J")], (-5, -13, -30), "A",
    ),
    (
        "pressman", {"pool_out.score": "count_tiles"},
        [over(None, A="K1 K2 K3", B="R13", C="J J")], (-3, -1, -2), "B",
    ),
    (
        "pressman", {"pool_out.tie": "first_in_turn"},
        [over(None, A="J", B="K9", C="R9")], (-21, 21, 0), "B",
    ),
    ("pressman", {"pool_out.tie": "void"}, [over(None, A="J", B="K9", C="R9")], (0, 0, 0), "A B C"),
    # TV-06, by tiles: a joker is one, 13 is one
    ("reset", {}, [over("A", B="K1", C="K13 R13 J J O9 O8 O7")], (0, 1, 7), "A"),
    ("reset", {}, [over("A", B="TH 10D *", C="JOKER")], (0, 3, 1), "A"),
    ("reset-freeze", {}, [over(None, A="K13 K12", B="J", C="K1 K2")], (2, 1, 2), "B"),
    (
        "reset", {},
        [over("A", B="K1", C="K2"), over("B", A="K1 K3", C="K2"), over("C", A="J", B="J")],
        (3, 2, 2), "B C",
    ),
    # TV-25: 5 + 5 + 10 + 10 + 15 + 50
    ("sets-and-runs", {}, [over("A", B="2H 9D TS KC AH *", C="10D")], (0, 95, 10), "A"),
    # a floating player holds nothing, and has as few points as who went out (SR-17)
    ("sets-and-runs", {}, [over("A", B="* * * *", C="")], (0, 200, 0), "A C"),
    ("sets-and-runs", {}, [over(None, A="AS AS", B="JH", C="9C 2C")], (30, 10, 10), "B C"),
    # three games won by little against one by much: games count (PT-04)
    (
        "pressman-tournament", {},
        [
            over("A", B="K1", C="R1"), over("A", B="K1", C="R1"), over("A", B="K1", C="R1"),
            over("B", A="J K13 R13", C="K1"),
        ],
        (-50, 54, -4), "A",
    ),
    # a game that two have won counts for both (PT-04, AMB-36)
    (
        "pressman-tournament", {},
        [
            over(None, A="K5", B="R5", C="K6"), over("A", B="K1", C="R1"),
            over("B", A="K1", C="R1"), over("C", A="K1", B="K9"),
        ],
        (0.5, -7.5, 7), "A",
    ),
    # two games each: points count (PT-04)
    (
        "pressman-tournament", {},
        [
            over("A", B="K1", C="R1"), over("A", B="K1", C="R1"),
            over("B", A="K5", C="R1"), over("B", A="K5", C="R1"),
        ],
        (-6, 10, -4), "B",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "house_rules", "rounds", "totals", "winners"), ROUNDS)
def test_score_sheets(
    preset: str,
    house_rules: dict[str, str],
    rounds: list[dict[str, Any]],
    totals: tuple[float, ...],
    winners: str,
) -> None:
    found = sheet(preset, *rounds, house_rules=house_rules)
    assert tuple(found["totals"].values()) == totals
    assert found["winners"] == winners.split()
    assert all(check["ok"] for check in found["checks"])


A_178: Final = "A R8 R9 R10 R11 R12 R13 | A B8 B9 B10 B11 B12 B13 | A K13 B13 R13 O13"
B_174: Final = "B O8 O9 O10 O11 O12 O13 | B K8 K9 K10 K11 K12 K13 | B K12 B12 R12 O12"
"""63 and 63 points, and four 13s or four 12s."""
CLAIMS: Final = [
    # the sets each player claims in turn, the end, totals of A and B, winners
    (f"{A_178} | A K4 K5 K6 K7", "200", 200, 0, "A"),
    # 196 and 204 are as far, and the lower side wins (AMB-34)
    (f"{A_178} | A O5 O6 O7 | {B_174} | B R6 R7 R8 R9", "blocked", 196, 204, "A"),
    # 190 is further than 204
    (f"{A_178} | A O3 O4 O5 | {B_174} | B R6 R7 R8 R9", "blocked", 190, 204, "B"),
    # a joker counts as the tile it stands for (R2-25)
    ("A R10 B10 J | B R5 J R7", "rack_empty", 30, 18, "A"),
    ("A J K12 K13 | B B12 B13 J", None, 36, 36, "A B"),
    ("A J K12 K13 | B K12 K13 J", None, 0, 36, "B"),  # the same tiles are the same set
    ("A R10 J J", "rack_empty", 33, 0, "A"),  # the run 10 11 12 (AMB-10)
    # hijacked, locked (R2-23, R2-24); a tile was added meanwhile (AMB-35)
    ("A K8 B8 R8 | B K8 B8 R8", "blocked", 0, 24, "B"),
    ("A K8 B8 R8 | B K8 B8 R8 | A K8 B8 R8", "blocked", 24, 0, "A"),
    ("A K8 B8 R8 | B K8 B8 R8 O8", "blocked", 0, 32, "B"),
    ("", "blocked", 0, 0, "A B"),
    # a tile in a row and in a column counts in both (R2-19)
    ("A K8 B8 R8 | B K8 K9 K10", "rack_empty", 24, 27, "B"),
    ("A J J K5", "blocked", 15, 0, "A"),  # the group; as it lies it is the run 3 4 5 (AMB-10)
]  # fmt: skip


def claims_of(text: str) -> list[dict[str, Any]]:
    parts = [part.split() for part in text.split("|")] if text else []
    return [{"player": player, "melds": [tiles]} for player, *tiles in parts]


@pytest.mark.parametrize(("claims", "ended", "of_a", "of_b", "winners"), CLAIMS)
def test_claimed_points(claims: str, ended: str | None, of_a: int, of_b: int, winners: str) -> None:
    line = {"rules": "rummi200kub", "players": ["A", "B"], "claims": claims_of(claims)}
    found = scored(line | {"ended": ended})
    assert found["totals"] == {"A": of_a, "B": of_b}
    assert found["winners"] == winners.split()


def test_a_tournament_of_a_round_for_each_goes_to_most_games() -> None:
    """AMB-36: A won four games, one and one; B none, two and one; C none, one and two."""
    rounds = ("A A A A", "B B A C", "C C A B")
    games = [
        [
            {"hands": {name: ["K1"] for name in "ABC" if name != out}, "out": out}
            for out in row.split()
        ]
        for row in rounds
    ]
    line = {"rules": "pressman-tournament", "players": ["A", "B", "C"]}
    found = scored(line | {"rounds": [{"games": played} for played in games]})
    assert found["round_winners"] == [["A"], ["B"], ["C"]]
    assert found["winners"] == ["A"]
    assert all(check["ok"] for check in found["checks"])


def refused(preset: str, *rounds: dict[str, Any], **more: Any) -> str:
    with pytest.raises(ScoringError) as caught:
        sheet(preset, *rounds, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


HAND: Final = over("A", B="K1", C="K2")


def test_what_cannot_have_happened_is_refused_and_named() -> None:
    nobody = {"hands": {"A": "K1", "B": "K2", "C": "K3"}}
    assert "nobody is out" in refused("pressman", nobody)
    assert "B and C hold nothing" in refused("sabra", over(None, A="K1", B="", C=""))
    assert "the hand of C is missing" in refused("reset", over("A", B="K1"))
    assert "no player 'D'" in refused("reset", over("D", A="", B="K1", C="K1"))
    assert "A is out and yet holds 1 tile" in refused("reset", over("A", A="K2", B="K1", C="K1"))
    assert "comes 3 times" in refused("pressman", over("A", B="K7 K7", C="K7"))
    assert "comes 5 times" in refused("sets-and-runs", over("A", B="* * *", C="* *"))
    assert "mixed" in refused("reset", over("A", B="K7", C="7H"))
    assert "is a card" in refused("pressman", over("A", B="7H", C="8H"))
    assert "is a tile" in refused("sets-and-runs", over("A", B="K7", C="B8"))
    assert "there is no round" in refused("reset")
    assert "8 are given" in refused("sets-and-runs", *[over("A", B="2H", C="3H")] * 8)
    assert "not 5" in refused("pressman-tournament", *[HAND] * 5)
    assert "not 0" in refused("pressman-tournament")
    target = {"score.target": 5}
    assert "round 3: the game was over" in refused("pressman", *[HAND] * 3, house_rules=target)
    assert "unknown key 'rounds'" in refused("rummi200kub", HAND)
    assert "unknown key 'claims'" in refused("pressman", HAND, claims=[])
    assert "named twice" in refused("pressman", HAND, players="A B A")
    assert "two players or more" in refused("pressman", HAND, players="A")
    assert "hands.B: 400 tiles" in refused("pressman", over("A", B="K7 " * 400, C="K1"))
    assert "unknown key 'winner'" in refused("pressman", HAND | {"winner": "A"})


@pytest.mark.parametrize(
    ("claims", "ended", "words"),
    [
        ("A K8 B8 R8 | A K8 B8 R8", None, "A has claimed K8 B8 R8 already"),
        ("A K8 B8 R8 | B K8 B8 R8 | A K8 B8 R8 | B K8 B8 R8", None, "locked"),
        ("A K8 B8 R9", None, "is no set"),
        ("A K8 B8", None, "is no set"),
        ("A J J J", None, "is no set"),
        ("C K8 B8 R8", None, "no player 'C'"),
        ("A K8 B8 R8", "200", "nobody has exactly 200"),
        ("A K8 B8 R8", "time", "ended"),
        ("A 8H 8S 8D", None, "card"),
    ],
)
def test_claims_that_are_none(claims: str, ended: str | None, words: str) -> None:
    line = {"rules": "rummi200kub", "players": ["A", "B"], "claims": claims_of(claims)}
    with pytest.raises(ScoringError) as caught:
        scored(line | {"ended": ended})
    assert words in str(caught.value)
