"""One turn under settled rules: everything that is wrong, and which switches that rests on.

Nothing is guessed here: the turn is what it is said to be and every switch has its value. What is
open, in the reading or in the house rules, is played through by `engine.referee`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from engine.faults import Fault, Finding
from engine.jokers import examine_jokers
from engine.layout import Layout
from engine.melds import Meld
from engine.ruleset import RuleSet, quotation
from engine.sets import readings_of, set_faults
from engine.tiles import Tile
from engine.turns import Turn

_NO_BEFORE: Final = (
    "The table before the turn is not known, so only the sets were judged, not the play."
)
_NO_RACKS: Final = (
    "The rack was not seen both before and after the turn: whether every new tile came from it, and "
    "whether a tile was drawn, could not be checked in full."
)
_NO_CLOCK: Final = "The time of the turn is not known, so the clock was not checked."


@dataclass(slots=True)
class Examination:
    """What one turn under settled rules comes to."""

    rules: RuleSet
    findings: list[Finding] = field(default_factory=list)
    depends_on: set[str] = field(default_factory=set)
    """Switches without which the findings might be others."""
    unchecked: list[str] = field(default_factory=list)

    def find(
        self,
        fault: Fault,
        message: str,
        tiles: tuple[Tile, ...] = (),
        meld: int | None = None,
        kind: str | None = None,
        repair: str | None = None,
    ) -> None:
        """Add a finding with the rule it breaks and that rule's words."""
        rule = self.rules.rule_of(fault, kind)
        sentence = message[0].upper() + message[1:] + "."
        self.findings.append(
            Finding(fault.code, rule, quotation(rule), meld, tiles, sentence, repair)
        )

    @property
    def legal(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def examine(turn: Turn, rules: RuleSet, opened: bool) -> Examination:
    """Everything that is wrong with a turn, in the order of docs/referee.md.

    `opened` stands for `turn.opened`. Raises ValueError for a tile that the game does not have.
    """
    check_pieces(turn, rules)
    result = Examination(rules)
    _examine_sets(turn, result)
    _examine_copies(turn, result)
    if turn.before is None:
        result.unchecked.append(_NO_BEFORE)
        return result
    play = _Play.of(turn, turn.before)
    _examine_conservation(turn, play, result)
    _examine_play(turn, play, result)
    if not opened and play.played:
        _examine_opening(turn.before, turn.after, play, result)
    jokers = examine_jokers(turn.before.melds, turn.after.melds, play.played, opened, rules)
    result.depends_on |= jokers.depends_on
    for item in jokers.faults:
        tiles = () if item.meld is None else turn.after.melds[item.meld].tiles
        result.find(item.fault, item.message, tiles, item.meld)
    _examine_clock(turn, play, result)
    return result


def check_pieces(turn: Turn, rules: RuleSet) -> None:
    """Raise ValueError for a card in a game of tiles, or a tile in a game of cards.

    Both are in the notation, but a game has only one of them.
    """
    cards = rules.equipment.pieces == "cards"
    before = turn.before.tiles if turn.before else ()
    for tile in (*turn.after.tiles, *before, *(turn.rack_before or ()), *(turn.rack_after or ())):
        if tile.is_card != cards:
            what = "card" if tile.is_card else "tile"
            pieces = rules.equipment.pieces
            raise ValueError(f"{tile} is a {what}, and {rules.preset} is played with {pieces}")


@dataclass(frozen=True, slots=True)
class _Play:
    """What changed on the table."""

    played: Counter[Tile]
    """Tiles that lie there now and did not before."""
    gone: Counter[Tile]
    """Tiles that lay there and do no more."""
    changed: bool
    """Whether any set is another than before, in whatever order the sets are given."""

    @classmethod
    def of(cls, turn: Turn, before: Layout) -> _Play:
        was, now = Counter(before.tiles), Counter(turn.after.tiles)
        sets_were = Counter(map(_same_set, before.melds))
        changed = sets_were != Counter(map(_same_set, turn.after.melds))
        return cls(now - was, was - now, changed)


def _same_set(meld: Meld) -> tuple[Tile, ...]:
    """A form that is equal for the same set seen from another side. The order of a set says nothing
    but where its jokers stand in a run."""
    naturals = {tile.rank for tile in meld.tiles if not tile.is_joker}
    if len(naturals) == 1 or not any(tile.is_joker for tile in meld.tiles):
        return tuple(sorted(meld.tiles))
    return min(meld.tiles, meld.tiles[::-1])


def _examine_sets(turn: Turn, result: Examination) -> None:
    before = set(map(_same_set, turn.before.melds)) if turn.before else set()
    for number, meld in enumerate(turn.after.melds):
        for item in set_faults(meld.tiles, result.rules):
            if item.fault is Fault.RUN_NOT_IN_ORDER:
                result.depends_on.add("run.order")
            name = "" if item.fault is Fault.LOOSE_TILE else f"set {number + 1}: "
            old = ", as before the turn" if _same_set(meld) in before else ""
            result.find(item.fault, name + item.message + old, item.tiles, number, item.kind)


def _examine_copies(turn: Turn, result: Examination) -> None:
    """G-04. The racks count where they are known; other players' tiles are out of sight."""
    counts = Counter(turn.after.tiles) + Counter(turn.rack_after or ())
    equipment = result.rules.equipment
    for tile, count in sorted(counts.items()):
        most = equipment.jokers if tile.is_joker else equipment.copies
        if count > most:
            text = (
                f"{tile.spoken} is there {count} times, and the game has {most}; "
                "most likely a tile was misread"
            )
            where = {number for number, meld in enumerate(turn.after.melds) if tile in meld.tiles}
            meld = where.pop() if len(where) == 1 else None
            result.find(Fault.TOO_MANY_COPIES, text, (tile,) * count, meld)


def _examine_conservation(turn: Turn, play: _Play, result: Examination) -> None:
    """G-01 and G-03: where every tile came from and went to, as far as racks are known."""
    rack_was = None if turn.rack_before is None else Counter(turn.rack_before)
    rack_is = None if turn.rack_after is None else Counter(turn.rack_after)
    to_rack: Counter[Tile] = Counter()
    if rack_was is not None and rack_is is not None:
        to_rack = play.gone & (rack_is - rack_was)
    for tile in sorted(to_rack.elements()):
        text = f"{tile.spoken} lay on the table and is on the rack now"
        result.find(Fault.TABLE_TILE_TO_RACK, text, (tile,), repair=_put_back(tile))
    for tile in sorted((play.gone - to_rack).elements()):
        text = f"{tile.spoken} lay on the table before the turn and lies there no more"
        result.find(Fault.TILE_CONSERVATION, text, (tile,), repair=_put_back(tile))
    if rack_was is None:
        return
    for tile in sorted((play.played - rack_was).elements()):
        text = f"{tile.spoken} is new on the table, but was not on the rack"
        where = [n for n, meld in enumerate(turn.after.melds) if tile in meld.tiles]
        repair = f"take away {tile.spoken}"
        result.find(Fault.TILE_CONSERVATION, text, (tile,), where[0], repair=repair)
    if rack_is is None:
        return
    for tile in sorted((rack_was - play.played - rack_is).elements()):
        text = f"{tile.spoken} left the rack, but does not lie on the table"
        repair = f"put {tile.spoken} back on the rack"
        result.find(Fault.TILE_CONSERVATION, text, (tile,), repair=repair)


def _put_back(tile: Tile) -> str:
    return f"put {tile.spoken} back on the table"


def _examine_play(turn: Turn, play: _Play, result: Examination) -> None:
    """G-02, G-08 and PR-12: a turn is a play from the rack, or a draw."""
    rules = result.rules
    if turn.rack_before is None or turn.rack_after is None:
        result.unchecked.append(_NO_RACKS)
        if play.changed and not play.played:
            _no_rack_tile(result)
        return
    was, now = Counter(turn.rack_before), Counter(turn.rack_after)
    from_rack = play.played & was
    # A table tile that went to the rack was not drawn (G-03 reports it).
    drawn = ((now - (was - from_rack)) - play.gone).total()
    if play.changed and not play.played:
        _no_rack_tile(result)
    elif play.played and drawn > 0 and not rules.draw.then_play:
        text = f"{_tiles(from_rack.total())} played and {_tiles(drawn)} drawn in one turn"
        result.find(Fault.DRAW_THEN_PLAY, text, repair="put the drawn tile back into the pool")
    elif not play.played and drawn == 0 and not turn.pool_empty:
        text = "no tile was played and none was drawn"
        repair = f"draw {_tiles(rules.draw.tiles)}"
        result.find(Fault.NO_RACK_TILE, text, repair=repair)
    allowed = {rules.draw.tiles, rules.timeout.penalty, rules.misplay.penalty, 0}
    if turn.pool_empty:
        # A pool that gives out pays what it has left.
        allowed |= set(range(rules.misplay.penalty))
    if not play.played and drawn not in allowed and not play.gone:
        text = (
            f"the rack held {len(turn.rack_before)} tiles and holds {len(turn.rack_after)} now, "
            f"with no tile played; a turn without a play draws {rules.draw.tiles}, "
            f"an unsuccessful one {rules.misplay.penalty}"
        )
        result.find(Fault.RACK_COUNT, text)


def _tiles(number: int) -> str:
    return f"{number} tile" + ("" if number == 1 else "s")


def _no_rack_tile(result: Examination) -> None:
    text = "tiles on the table were moved, but none came from the rack"
    repair = "put the table back as it was and draw a tile, or play a tile from the rack"
    result.find(Fault.NO_RACK_TILE, text, repair=repair)


def _examine_opening(before: Layout, after: Layout, play: _Play, result: Examination) -> None:
    """PR-08: new sets from the rack alone, worth enough, the rest of the table untouched."""
    rules = result.rules.opening
    if rules.kind != "points":
        return
    untouched = Counter(map(_same_set, before.melds))
    left = Counter(play.played)
    lowest = highest = 0
    mixed: list[int] = []
    for number, meld in enumerate(after.melds):
        key = _same_set(meld)
        if untouched[key]:
            untouched[key] -= 1
        elif Counter(meld.tiles) <= left:
            left -= Counter(meld.tiles)
            points = [reading.points for reading in readings_of(meld.tiles, result.rules)] or [0]
            lowest, highest = lowest + points[0], highest + max(points)
        else:
            mixed.append(number)
    worth = highest if result.rules.joker.ambiguous_value == "max" else lowest
    if lowest < rules.points <= highest:
        result.depends_on.add("joker.ambiguous_value")
    if worth < rules.points:
        text = (
            f"the new sets from the rack are worth {worth} points; "
            f"an initial meld needs {rules.points}"
        )
        repair = f"lay {rules.points - worth} points more in new sets, or take the tiles back"
        result.find(Fault.OPENING_SHORT, text, tuple(play.played.elements()), repair=repair)
    touched = bool(mixed) or +untouched
    if touched and rules.source == "rack_sets":
        if highest >= rules.points:
            result.depends_on.add("opening.same_turn_extension")
        if worth < rules.points or not rules.same_turn_extension:
            where = mixed[0] if len(mixed) == 1 else None
            text = (
                "sets that lay on the table were changed in the turn of the initial meld, "
                "which comes from the rack alone"
            )
            tiles = () if where is None else after.melds[where].tiles
            result.find(Fault.OPENING_SOURCE, text, tiles, where)


def _examine_clock(turn: Turn, play: _Play, result: Examination) -> None:
    """PR-15. A player out of time puts the table back and draws; that much is legal."""
    timeout = result.rules.timeout
    if turn.elapsed_s is None:
        if timeout.limit_s:
            result.unchecked.append(_NO_CLOCK)
        return
    over = bool(timeout.limit_s) and turn.elapsed_s > timeout.limit_s
    if over and (play.changed or play.played) and timeout.legal_layout == "rollback":
        text = (
            f"the turn took {turn.elapsed_s:.1f} seconds, and {timeout.limit_s} are allowed; "
            "the play came too late to stand"
        )
        repair = f"put the table back as it was and draw {_tiles(timeout.penalty)}"
        result.find(Fault.TIME_OVER, text, repair=repair)
