"""Films that somebody made elsewhere: what is told of them, shown to a session and held against it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.ruleset import UnknownPresetError
from engine.switches import HouseRuleError
from table.match.outcome import Outcome
from table.match.told_film import FilmError, load_told_film
from table.match.told_game import ToldGame
from tests.table.made_film import BEGUN, a_film
from vision.frame import Pixels
from vision.placements import Placement


def watched(folder: Path) -> tuple[list[Outcome], str]:
    """What comes of a film that is read as it is told, and why it was cut short."""
    game: ToldGame

    def read(pixels_bgr: Pixels) -> Sequence[Placement]:
        return game.read_truth(pixels_bgr)

    game = ToldGame(load_told_film(folder), read)
    return list(game.play()), game.cut_short


def test_each_turn_is_held_against_what_is_told(tmp_path: Path) -> None:
    gap = {"player": 1, "verdict": "ILLEGAL", "faults": ["RUN_GAP"], "stays": False}
    folder = a_film(
        tmp_path,
        (BEGUN, {}),
        ((*BEGUN, "B9 B10 B12"), gap),
        (BEGUN, {"player": 1, "does": "draw"}),
        (("R10 R11 R12", "K1 K2 K3 K4"), {}),
    )
    outcomes, cut_short = watched(folder)
    assert not cut_short
    assert [outcome.final for outcome in outcomes] == ["LEGAL", "ILLEGAL", "LEGAL", "LEGAL"]
    assert "RUN_GAP" in outcomes[1].said_faults
    assert all(outcome.exact for outcome in outcomes)
    assert not any(o.is_accusation or o.is_acquittal or o.needless for o in outcomes)


def test_a_ruling_that_is_not_what_is_told_is_seen_to_be_wrong(tmp_path: Path) -> None:
    """A gap that is told to be legal, and a set that is told to be wrong."""
    said_legal = ((*BEGUN, "B9 B10 B12"), {})
    said_wrong = (BEGUN, {"verdict": "ILLEGAL", "faults": ["RUN_GAP"], "stays": False})
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    accused, _ = watched(a_film(tmp_path / "one", said_legal))
    acquitted, _ = watched(a_film(tmp_path / "other", said_wrong))
    assert accused[0].is_accusation
    assert acquitted[0].is_acquittal


def test_what_the_game_refuses_ends_it(tmp_path: Path) -> None:
    """Nobody passes while the pool has tiles."""
    outcomes, cut_short = watched(
        a_film(tmp_path, (BEGUN, {"does": "pass"}), (BEGUN, {"does": "draw"}))
    )
    assert len(outcomes) == 1
    assert cut_short


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fps": "ten"}, "fps: expected a whole number from 1 to 60"),
        ({"players": "North"}, "players: expected a list"),
        ({"players": []}, "players: expected at least one"),
        ({"turns": []}, "turns: expected at least one"),
        ({"cleared": 99}, "turns 0: is not after what comes before it"),
        ({"house_rules": []}, "house_rules: expected an object"),
    ],
)
def test_what_is_told_wrongly_is_named(
    tmp_path: Path, change: Mapping[str, Any], message: str
) -> None:
    folder = a_film(tmp_path, (BEGUN, {}))
    told = json.loads((folder / "film.json").read_text())
    (folder / "film.json").write_text(json.dumps({**told, **change}))
    with pytest.raises(FilmError, match=message):
        load_told_film(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"player": 2}, "turns 0, player: expected a whole number from 0 to 1"),
        ({"verdict": "ASK"}, "turns 0, verdict: expected one of LEGAL, ILLEGAL"),
        ({"faults": ["NO_SUCH"]}, "turns 0, faults 0: expected one of LOOSE_TILE, .*"),
        ({"does": "sing"}, "turns 0, does: expected one of play, draw, pass"),
        ({"stays": 1}, "turns 0, stays: expected true or false"),
        ({"tiles": [{"label": "X4"}]}, "turns 0, tiles 0, label: expected .*"),
        ({"tiles": [{"label": "K4", "quad": [[1, 2]]}]}, "tiles 0, quad: expected four corners.*"),
    ],
)
def test_a_turn_that_is_told_wrongly_is_named(
    tmp_path: Path, change: Mapping[str, Any], message: str
) -> None:
    folder = a_film(tmp_path, (BEGUN, change))
    with pytest.raises(FilmError, match=message):
        load_told_film(folder)


def test_a_film_that_is_none_is_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(FilmError, match=r"film\.json: No such file"):
        load_told_film(tmp_path)
    (tmp_path / "film.json").write_bytes(b"\xff{")
    with pytest.raises(FilmError, match=r"film\.json: is not JSON"):
        load_told_film(tmp_path)
    (tmp_path / "film.json").write_text("{}")
    with pytest.raises(FilmError, match=r"film\.avi: there is no such file"):
        load_told_film(tmp_path)


def test_a_film_that_ends_too_soon_is_told(tmp_path: Path) -> None:
    folder = a_film(tmp_path, (BEGUN, {}))
    told = json.loads((folder / "film.json").read_text())
    told["turns"][0]["ends"] += 5
    (folder / "film.json").write_text(json.dumps(told))
    with pytest.raises(FilmError, match="picture 43 of 48 cannot be read"):
        watched(folder)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"preset": "sets-and-runs"}, FilmError),
        ({"preset": "chess"}, UnknownPresetError),
        ({"house_rules": {"no.such": 1}}, HouseRuleError),
    ],
)
def test_a_game_that_cannot_be_filmed_is_refused(
    tmp_path: Path, change: Mapping[str, Any], error: type[Exception]
) -> None:
    folder = a_film(tmp_path, (BEGUN, {}))
    told = json.loads((folder / "film.json").read_text())
    (folder / "film.json").write_text(json.dumps({**told, **change}))
    with pytest.raises(error):
        watched(folder)


def test_a_game_that_cannot_begin_is_told(tmp_path: Path) -> None:
    """Nobody plays alone."""
    folder = a_film(tmp_path, (BEGUN, {}))
    told = json.loads((folder / "film.json").read_text())
    (folder / "film.json").write_text(json.dumps({**told, "players": ["North"]}))
    outcomes, cut_short = watched(folder)
    assert outcomes == []
    assert cut_short
