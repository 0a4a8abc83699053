"""The JSON forms of `meldwatch score`: the end of every round in, the score sheet out, an object a line.

In: `{"rules", "house_rules"?, "players", "rounds": [{"hands": {player: [tile]}, "out"?,
"pool_exhausted"?}]}`; in a tournament each round is `{"games": [...]}` of that form; where points are
claimed `"claims": [{"player", "melds": [[tile]], "twin"?}]` and `"ended"?` instead of rounds. Out: see
`score_to_json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine.json_line import JsonLineError, joker_of, kind_of, tiles_of
from engine.melds import Meld
from engine.ruleset import HouseRuleError, RuleSet, UnknownPresetError, load_ruleset
from engine.scoring import (
    Claim,
    ClaimedSet,
    GameScore,
    HandsAtEnd,
    Points,
    ScoringError,
    score_claims,
    score_rounds,
    score_tournament,
)
from engine.scoring.claims import ENDINGS, Ended
from engine.tiles import Tile


def score_json(data: object) -> dict[str, Any]:
    """The score sheet of one parsed object, as JSON-ready values. Raises ScoringError."""
    if not isinstance(data, dict):
        raise ScoringError(
            f'expected an object such as {{"rules": ..., "players": ...}}, got {kind_of(data)}'
        )
    rules = _rules(data.get("rules"), data.get("house_rules"))
    if rules.score.kind == "claims":
        _check_keys(data, ("rules", "house_rules", "players", "claims", "ended"), "")
        players = _players(data.get("players"))
        claims = [
            _claim(claim, f"claims[{number}]", rules)
            for number, claim in enumerate(_list(data.get("claims"), "claims", "claims"))
        ]
        score, standing = score_claims(players, claims, _ended(data.get("ended")), rules)
        return score_to_json(score) | {"claimed": [_claimed_to_json(item) for item in standing]}
    _check_keys(data, ("rules", "house_rules", "players", "rounds"), "")
    players = _players(data.get("players"))
    rounds = _list(data.get("rounds"), "rounds", "rounds")
    if rules.tournament is None:
        ended = [_hands(item, f"rounds[{number}]", rules) for number, item in enumerate(rounds)]
        return score_to_json(score_rounds(players, ended, rules))
    games = [_games(item, f"rounds[{number}]", rules) for number, item in enumerate(rounds)]
    return score_to_json(score_tournament(players, games, rules))


def _rules(name: object, house_rules: object) -> RuleSet:
    if name is None:
        raise ScoringError("'rules' is missing")
    if not isinstance(name, str):
        raise ScoringError(f"rules: expected the name of a preset, got {kind_of(name)}")
    if house_rules is not None and not isinstance(house_rules, dict):
        raise ScoringError(
            f"house_rules: expected an object of switches, got {kind_of(house_rules)}"
        )
    try:
        return load_ruleset(name, house_rules)
    except UnknownPresetError as error:
        raise ScoringError(f"rules: {error}") from None
    except HouseRuleError as error:
        raise ScoringError(f"house_rules: {error}") from None


def _players(value: object) -> tuple[str, ...]:
    names = _list(value, "players", "names")
    for number, name in enumerate(names):
        if not isinstance(name, str):
            raise ScoringError(f"players[{number}]: expected a name, got {kind_of(name)}")
    return tuple(str(name) for name in names)


def _games(value: object, where: str, rules: RuleSet) -> tuple[HandsAtEnd, ...]:
    """The games of a tournament's round."""
    entry = _entry(value, ("games",), where)
    games = _list(entry.get("games"), f"{where}.games", "games")
    return tuple(
        _hands(game, f"{where}.games[{number}]", rules) for number, game in enumerate(games)
    )


def _hands(value: object, where: str, rules: RuleSet) -> HandsAtEnd:
    """The end of one round."""
    entry = _entry(value, ("hands", "out", "pool_exhausted"), where)
    hands = entry.get("hands")
    if not isinstance(hands, dict):
        raise ScoringError(
            f"{where}.hands: expected an object of players and tiles, got {kind_of(hands)}"
        )
    out = entry.get("out")
    if out is not None and not isinstance(out, str):
        raise ScoringError(f"{where}.out: expected the name of a player, got {kind_of(out)}")
    lists = [given for given in hands.values() if isinstance(given, list)]
    joker = joker_of(rules.equipment.pieces, (text for given in lists for text in given))
    held = {name: _tiles(given, f"{where}.hands.{name}", joker) for name, given in hands.items()}
    exhausted = _yes_no(entry.get("pool_exhausted"), f"{where}.pool_exhausted")
    return HandsAtEnd(held, out, exhausted)


def _claim(value: object, where: str, rules: RuleSet) -> Claim:
    entry = _entry(value, ("player", "melds", "twin"), where)
    player = entry.get("player")
    if not isinstance(player, str):
        raise ScoringError(f"{where}.player: expected the name of a player, got {kind_of(player)}")
    melds = []
    for number, given in enumerate(_list(entry.get("melds"), f"{where}.melds", "melds")):
        place = f"{where}.melds[{number}]"
        tiles = _tiles(given, place, joker_of(rules.equipment.pieces))
        if not tiles:
            raise ScoringError(f"{place}: a meld holds at least one tile")
        melds.append(Meld(tiles))
    return Claim(player, tuple(melds), _yes_no(entry.get("twin"), f"{where}.twin"))


def _ended(value: object) -> Ended | None:
    if value is None:
        return None
    for ending in ENDINGS:
        if value == ending:
            return ending
    shown = repr(value) if isinstance(value, str) else kind_of(value)
    raise ScoringError(f"ended: expected one of {', '.join(ENDINGS)}, got {shown}")


def _tiles(value: object, where: str, joker: Tile) -> tuple[Tile, ...]:
    if value is None:
        raise ScoringError(f"'{where}' is missing")
    try:
        return tiles_of(value, where, joker)
    except JsonLineError as error:
        raise ScoringError(str(error)) from None


def _entry(value: object, known: Sequence[str], where: str) -> Mapping[str, object]:
    """An object of these keys."""
    if not isinstance(value, dict):
        example = f'{{"{known[0]}": ...}}'
        raise ScoringError(f"{where}: expected an object such as {example}, got {kind_of(value)}")
    _check_keys(value, known, f"{where}: ")
    return value


def _check_keys(entry: Mapping[str, object], known: Sequence[str], where: str) -> None:
    if unknown := [key for key in entry if key not in known]:
        raise ScoringError(f"{where}unknown key {unknown[0]!r}; known are {', '.join(known)}")


def _list(value: object, where: str, what: str) -> list[object]:
    if value is None:
        raise ScoringError(f"'{where}' is missing")
    if not isinstance(value, list):
        raise ScoringError(f"{where}: expected a list of {what}, got {kind_of(value)}")
    return value


def _yes_no(value: object, where: str) -> bool:
    if value is None:
        return False
    if isinstance(value, bool):
        return value
    raise ScoringError(f"{where}: expected true, false or null, got {kind_of(value)}")


def score_to_json(score: GameScore) -> dict[str, Any]:
    """A score sheet as JSON-ready values.

    `rounds` and `totals` hold points by player, whole numbers as such and halves as .5; `winners`,
    `round_winners`, `checks` (each `check`, `ok`, `rule`) and `notes` are lists. A tournament also has
    `games`, the points of each game by round. Points that no decimal number can be, as thirds are
    when three share a pot, are printed as the nearest, and a note has them exactly.
    """
    sheet: dict[str, Any] = {
        "rounds": [_points(item.points) for item in score.rounds],
        "totals": _points(score.totals),
        "winners": list(score.winners),
        "checks": [
            {"check": check.claim, "ok": check.holds, "rule": check.rule} for check in score.checks
        ],
        "round_winners": [list(item.winners) for item in score.rounds],
        "notes": [
            *score.notes,
            *_notes_on_thirds(score),
            *(default.words for default in score.rests_on),
        ],
    }
    if score.games:
        sheet["games"] = [[_points(game.points) for game in games] for games in score.games]
    return sheet


def _points(points: Points) -> dict[str, int | float]:
    return {name: _number(own) for name, own in points.items()}


def _number(points: Fraction) -> int | float:
    return points.numerator if points.denominator == 1 else float(points)


def _notes_on_thirds(score: GameScore) -> list[str]:
    """The exact points of rounds and totals that a printed number can only come near to."""
    rows = [(f"round {number}", item.points) for number, item in enumerate(score.rounds, start=1)]
    return [
        f"{where}: {name} has exactly {own}"
        for where, points in (*rows, ("total", score.totals))
        for name, own in points.items()
        if Fraction(float(own)) != own
    ]


def _claimed_to_json(claimed: ClaimedSet) -> dict[str, Any]:
    return {
        "player": claimed.player,
        "meld": [str(tile) for tile in claimed.meld],
        "points": claimed.points,
        "level": claimed.level,
    }
