"""The JSON interface of a game: beginning one, turns, the clock, racks and the record.

What is pressed names the game's newest event (``sequence``) as the page showed it. If the game has gone
on since, it is refused with 409 and nothing happens: nobody draws twice by pressing twice.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from engine.ruleset import RuleSet, load_ruleset
from engine.switches import Switch
from table.counted_rounds import is_read, values_not_read
from table.event_log import EventLog
from table.game_turns import OF_THE_TABLE
from table.session import TableSession
from web.bodies import LONGEST_NAME, done, teller_of, text_of, wish_of

LONGEST_LINE = 1000
"""Characters of an event in notation: the table of a whole game has 400."""
MOST_PLAYERS = 15
MOST_POINTS = 9999
MOST_SWITCHES = 100
MOST_LOCKS = 99
MOST_PHOTO_BYTES = 3 * 1024 * 1024
"""A page makes a photograph smaller before it sends it."""


def game_blueprint(session: TableSession, log: EventLog) -> Blueprint:
    """``/api/game/...``."""
    game = Blueprint("game", __name__, url_prefix="/api/game")

    @game.get("/rules")
    def rules() -> Response:
        found = session.in_game(lambda at_table: at_table.rules_to_begin())
        return jsonify(rules=[_rules_json(each) for each in found])

    @game.get("/record")
    def record() -> Response:
        return jsonify(record=session.in_game(lambda at_table: at_table.record()))

    @game.post("/begin")
    def begin() -> Response:
        given = {"house_rules": dict, "starter": str, "locks": int, "by": str}
        wish = wish_of({"preset": str, "players": list}, given)
        preset, players = text_of(wish, "preset", LONGEST_NAME), _names(wish["players"])
        chosen = _choices(wish.get("house_rules", {}))
        starter = text_of(wish, "starter", LONGEST_NAME) or None
        locks, by = wish.get("locks"), teller_of(wish)
        if locks is not None and not 0 <= locks <= MOST_LOCKS:
            abort(400, f"locks are 0 to {MOST_LOCKS}")
        session.in_game(
            lambda at_table: at_table.begin(preset, players, chosen, starter, by, locks)
        )
        return done(session, log)

    @game.post("/leave")
    def leave() -> Response:
        wish = wish_of({}, {"sequence": int, "by": str})
        sequence, by = wish.get("sequence"), teller_of(wish)
        session.in_game(lambda at_table: at_table.leave(by, sequence))
        return done(session, log)

    @game.post("/resume")
    def resume() -> Response:
        wish = wish_of({"game": int}, {"by": str})
        number, by = wish["game"], teller_of(wish)
        session.in_game(lambda at_table: at_table.resume(number, by))
        return done(session, log)

    @game.post("/act")
    def act() -> Response:
        given = {"layout_sequence": int, "player": str, "by": str, "tile": str}
        wish = wish_of({"act": str, "sequence": int}, given | {"set": str, "fresh": bool})
        word, layout = text_of(wish, "act", LONGEST_NAME), wish.get("layout_sequence", 0)
        player, by, tile = (text_of(wish, name, LONGEST_NAME) for name in ("player", "by", "tile"))
        meld, fresh = text_of(wish, "set", LONGEST_LINE), wish.get("fresh")
        session.in_game(
            lambda at_table: at_table.act(
                word, wish["sequence"], layout, player, by, tile, meld, fresh
            ),
            by_next_picture=word in OF_THE_TABLE,
        )
        return done(session, log)

    @game.post("/answer")
    def answer() -> Response:
        wish = wish_of({"sequence": int, "asked": str, "option": str}, {"by": str})
        asked, option = text_of(wish, "asked", LONGEST_LINE), text_of(wish, "option", LONGEST_NAME)
        session.answer_in_game(wish["sequence"], asked, option, teller_of(wish))
        return done(session, log)

    @game.post("/clock")
    def clock() -> Response:
        wish = wish_of({"to": str}, {"by": str})
        to, by = text_of(wish, "to", LONGEST_NAME), teller_of(wish)
        session.in_game(lambda at_table: at_table.set_clock(to, by))
        return done(session, log)

    @game.post("/undo")
    def undo() -> Response:
        wish = wish_of({"sequence": int}, {"by": str})
        by = text_of(wish, "by", LONGEST_NAME)
        session.in_game(lambda at_table: at_table.undo(wish["sequence"], by))
        return done(session, log)

    @game.post("/correct")
    def correct() -> Response:
        wish = wish_of({"number": int, "line": str}, {"was": str, "by": str, "only_try": bool})
        line, by = text_of(wish, "line", LONGEST_LINE), text_of(wish, "by", LONGEST_NAME)
        number, was, only_try = wish["number"], wish.get("was"), wish.get("only_try", False)
        session.in_game(lambda at_table: at_table.correct(number, line, by, was, only_try=only_try))
        return done(session, log)

    @game.post("/count")
    def count() -> Response:
        wish = wish_of({"sequence": int, "counts": dict}, {"out": str, "by": str})
        counts, out = _counts(wish["counts"]), text_of(wish, "out", LONGEST_NAME) or None
        by = teller_of(wish)
        session.in_game(lambda at_table: at_table.count_round(wish["sequence"], counts, out, by))
        return done(session, log)

    _add_racks(game, session, log)
    return game


def _add_racks(game: Blueprint, session: TableSession, log: EventLog) -> None:
    """``/rack`` and what is below it: what players hold at the end of a round."""

    @game.post("/rack")
    def rack() -> Response:
        wish = wish_of({"player": str, "tiles": str}, {"shown": list, "by": str})
        player, tiles = text_of(wish, "player", LONGEST_NAME), text_of(wish, "tiles", LONGEST_LINE)
        by, shown = teller_of(wish), wish.get("shown")
        session.in_game(lambda at_table: at_table.tell_rack(player, tiles, by, shown))
        return done(session, log)

    @game.post("/rack/tile")
    def rack_tile() -> Response:
        wish = wish_of({"player": str, "tile": int, "label": str}, {"shown": list, "by": str})
        player, label = text_of(wish, "player", LONGEST_NAME), text_of(wish, "label", LONGEST_NAME)
        tile, by, shown = wish["tile"], teller_of(wish), wish.get("shown")
        session.in_game(lambda at_table: at_table.correct_rack(player, tile, label, by, shown))
        return done(session, log)

    @game.post("/rack/camera")
    def rack_camera() -> Response:
        wish = wish_of({"player": str}, {"by": str})
        player, by = text_of(wish, "player", LONGEST_NAME), teller_of(wish)
        session.in_game(lambda at_table: at_table.read_camera(player, by))
        return done(session, log)

    @game.post("/rack/photo")
    def rack_photo() -> Response:
        player = request.args.get("player", "")[:LONGEST_NAME]
        by = teller_of({"by": request.args.get("by", "")})
        request.max_content_length = MOST_PHOTO_BYTES
        photo = request.get_data()
        session.in_game(lambda at_table: at_table.read_photo(player, photo, by))
        return done(session, log)


def _names(players: list[Any]) -> tuple[str, ...]:
    if not 1 <= len(players) <= MOST_PLAYERS:
        abort(400, f"players are 1 to {MOST_PLAYERS} names")
    if not all(isinstance(name, str) and len(name) <= LONGEST_NAME for name in players):
        abort(400, f"a name is a text of at most {LONGEST_NAME} characters")
    return tuple(name.strip() for name in players)


def _counts(counts: dict[str, Any]) -> dict[str, int]:
    values = counts.values()
    if not all(type(value) is int and 0 <= value <= MOST_POINTS for value in values):
        abort(400, f"counts are whole numbers from 0 to {MOST_POINTS}, by the names of the players")
    if len(counts) > MOST_PLAYERS:
        abort(400, f"there are at most {MOST_PLAYERS} players")
    return dict(counts)


def _choices(house_rules: dict[str, Any]) -> dict[str, str]:
    values = house_rules.values()
    short = all(isinstance(value, str) and len(value) <= LONGEST_NAME for value in values)
    if len(house_rules) > MOST_SWITCHES or not short:
        abort(400, "house_rules are values by the names of their switches, all of them texts")
    return dict(house_rules)


def _rules_json(rules: RuleSet) -> dict[str, Any]:
    """What a page needs to begin a game by these rules."""
    published = load_ruleset(rules.preset)
    return {
        "preset": rules.preset,
        "title": rules.title,
        "players": [rules.players.least, rules.players.most],
        "claims": rules.claims is not None,
        "followed": is_read(rules),
        "direction": rules.start.direction,
        "switches": [
            {
                "name": switch.name,
                "rule": switch.rule,
                "question": switch.question,
                "asked": switch.asked,
                "chosen": switch.name in rules.chosen,
                "now": switch.print(rules.value_of(switch.name)),
                "usual": switch.print(published.value_of(switch.name)),
                "values": dict(switch.options) or _numbers(switch),
                "unseen": values_not_read(switch),
                "least": switch.least,
                "most": switch.most,
            }
            for switch in rules.switches.values()
        ],
    }


def _numbers(switch: Switch) -> dict[str, str]:
    """Each number that may answer what is asked, and what it means; none where nothing is asked."""
    if not switch.asked:
        return {}
    numbers = map(str, range(switch.least, switch.most + 1))
    return {number: switch.words.get(number, f"{number}.") for number in numbers}
