"""What a turn may end with instead of a play: a draw, a pass, a penalty, and when none of them will do.

And the clock, which turns a play that came too late into a draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial, reduce
from operator import or_
from typing import Final

from engine.board_plays import play_there_was_on
from engine.counts import surplus, without
from engine.duties import (
    MOST_JOKERS,
    FoundPlay,
    play_there_was,
    sets_in_hand,
    simple_play,
    with_fewest_jokers,
)
from engine.examination import Examination, Play
from engine.faults import Fault
from engine.layout import Layout
from engine.open_rules import MUST_PLAY
from engine.packing import packed
from engine.penalties import time_penalty
from engine.ruleset import RuleSet
from engine.set_questions import mattering_to_some
from engine.tiles import Tile
from engine.turns import LEAST_PLAYERS, Turn
from engine.wording import count_of

_THEN_PLAY: Final = "draw.then_play"
_COSTS: Final = ("misplay.cumulative", "misplay.partial", "misplay.when", "timeout.penalty")
"""The switches on which it rests how many tiles a turn without a play may draw, of those that are
asked."""
_NO_RACKS: Final = (
    "The rack was not seen both before and after the turn: whether every new tile came from it, and "
    "whether a tile was drawn, could not be checked in full."
)
_NO_HAND: Final = "The hand was not seen, so whether {what} could not be checked."
_NOT_SOUGHT: Final = (
    "No way was found in which {what} on this {table}, "
    "but not every way to move its tiles was tried."
)
_NOT_FORCED: Final = (
    "No set of the hand and no tile of it fitted what lay there; whether there was a play that moves "
    "other tiles was not looked for, as nobody has said that players have to play when they can."
)
_IDLE: Final = (
    "Nothing was played or drawn: that is a turn only when a play was tried and put back, which was not "
    "seen."
)
_LATE_CLAIM: Final = ("claim", "take back the claim")
_NO_CLOCK: Final = "The time of the turn is not known, so the clock was not checked."


def examine_play(turn: Turn, play: Play, result: Examination) -> None:
    """G-02, G-08 and PR-12: a turn is a play from the rack, or a draw."""
    rules = result.rules
    if turn.rack_before is None or turn.rack_after is None:
        result.unchecked.append(_NO_RACKS)
        if play.changed and not play.played:
            _no_rack_tile(result)
        return
    held, holds = packed(turn.rack_before), packed(turn.rack_after)
    # A table tile that went to the rack was not drawn (G-03 reports it).
    gone = packed(play.gone.elements())
    drawn = len(without(without(holds, without(held, play.laid)), gone))
    if not play.changed and not play.played and drawn == 0:
        result.note(_COSTS, partial(_may_do_nothing, turn))
    if play.changed and not play.played:
        _no_rack_tile(result)
    elif play.played and drawn > 0:
        result.depends_on.add(_THEN_PLAY)
        if rules.draw.then_play:
            return
        played = count_of(play.played.total(), "tile")
        text = f"{played} played and {count_of(drawn, 'tile')} drawn in one turn"
        back = "the drawn tile" if drawn == 1 else "the drawn tiles"
        result.find(Fault.DRAW_THEN_PLAY, text, repair=f"put {back} back into the pool")
    elif not play.played and drawn == 0 and _may_fail_free(turn, rules):
        if not (turn.pool_empty or turn.claims):
            result.unchecked.append(_IDLE)
    elif not play.played and drawn == 0 and not _may_pass(turn, rules):
        text = "no tile was played and none was drawn"
        repair = f"draw {count_of(_least_draw(turn, rules), 'tile')}"
        result.find(Fault.NO_RACK_TILE, text, kind="idle", repair=repair)
    if play.played or play.gone or two_player_draw(turn, play, result):
        return
    _examine_draw(turn, len(held), len(holds), drawn, result)


def _examine_draw(turn: Turn, held: int, holds: int, drawn: int, result: Examination) -> None:
    """Whether so many tiles are what a turn without a play draws, or a penalty that may be due."""
    rules = result.rules
    if drawn == rules.draw.tiles + 1 and turn.players == LEAST_PLAYERS and _two_return(rules):
        text = f"{count_of(drawn, 'tile')} were drawn and none was returned"
        result.find(Fault.RETURN_MISSING, text, repair="return one of them")
        return
    result.note(_COSTS, lambda other: drawn in _draws(turn, other))
    if drawn in _draws(turn, rules):
        return
    least, failed = _least_draw(turn, rules), rules.misplay.penalty
    what = "whose time is over" if least > rules.draw.tiles else "without a play"
    text = (
        f"the rack held {count_of(held, 'tile')} and holds "
        f"{holds or 'none'} now, with no tile played; "
        f"a turn {what} draws {least}"
        f"{f', an unsuccessful one {failed}' if failed > least else ''}"
    )
    more = count_of(least - drawn, "tile")
    result.find(Fault.RACK_COUNT, text, repair=f"draw {more} more" if drawn < least else None)


def _two_return(rules: RuleSet) -> bool:
    """Whether two players draw a tile more and return one (RS-15)."""
    return rules.draw.two_players == "draw2_return1"


def _is_over(turn: Turn, rules: RuleSet) -> bool | None:
    """Whether the turn took longer than it may; None when its time is not known."""
    if not rules.timeout.limit_s:
        return False
    return None if turn.elapsed_s is None else turn.elapsed_s > rules.timeout.limit_s


def _may_pass(turn: Turn, rules: RuleSet) -> bool:
    """Whether a turn may end without a play and a draw: with an empty pool, in the lap before the first
    set (RS-09), out of time where that costs nothing (AMB-23), or with a claim (R2-11)."""
    before_starter = rules.opening.obligatory and turn.before is not None and not turn.before.melds
    claimed = rules.claims is not None and turn.claims != ()
    free_of_charge = rules.timeout.penalty == 0 and _is_over(turn, rules) is True
    return turn.pool_empty or before_starter or free_of_charge or claimed


def _may_do_nothing(turn: Turn, rules: RuleSet) -> bool:
    return _may_fail_free(turn, rules) or _may_pass(turn, rules)


def _may_fail_free(turn: Turn, rules: RuleSet) -> bool:
    """Whether a play that was tried and put back costs nothing (R2-31), and so leaves no trace. One
    that was put back too late costs what the time does (R2-21)."""
    if rules.timeout.penalty and _is_over(turn, rules):
        return False
    return rules.misplay.penalty == 0 and rules.misplay.when == "always"


def _least_draw(turn: Turn, rules: RuleSet) -> int:
    """How many tiles a turn without a play draws at least: what the time costs, once it is known to be
    over, where that is more than a draw (PT-02)."""
    over = _is_over(turn, rules) is True
    return max(rules.draw.tiles, rules.timeout.penalty) if over else rules.draw.tiles


def _draws(turn: Turn, rules: RuleSet) -> set[int]:
    """How many tiles a turn without a play may bring: a draw, or a penalty that may be due."""
    over = _is_over(turn, rules)
    time_penalty = 0 if over is False else rules.timeout.penalty
    due = {0, _least_draw(turn, rules), time_penalty}
    if rules.misplay.when == "always" or over is not False:
        due.add(max(rules.misplay.penalty, time_penalty if over else 0))
        if rules.misplay.cumulative:
            due.add(rules.misplay.penalty + time_penalty)
    if turn.pool_empty and rules.misplay.partial:
        due |= set(range(max(due)))
    return due


def examine_duties(
    turn: Turn, before: Layout, play: Play, opened: bool, result: Examination
) -> None:
    """RS-08, RS-16 and AMB-18: where a player may not draw or pass instead of playing."""
    rules = result.rules
    if play.played or play.changed:
        return
    starting, hoards, forced = _duties(rules, bare=not before.melds, pool_empty=turn.pool_empty)
    hand = turn.rack_before
    if hand is None:
        if starting:
            result.unchecked.append(_NO_HAND.format(what="it held a set to begin with"))
        if hoards:
            result.unchecked.append(_NO_HAND.format(what="a joker was held back"))
        return
    if starting:
        result.by_sets(mattering_to_some(packed(hand)), _holds_a_set, hand)
        found = next(sets_in_hand(hand, rules), None)
        if found is not None:
            text = "the hand held a set, and whoever can lay the first one must"
            repair = f"lay {found.spoken}"
            result.find(Fault.STARTER_OBLIGATORY, text, found.tiles, repair=repair)
        return
    drew = turn.rack_after is not None and len(turn.rack_after) > len(hand)
    hoards = hoards and drew and any(tile.is_joker for tile in hand)
    asked = rules.is_open(MUST_PLAY)
    if not (hoards or forced or asked) or (not opened and rules.opening.kind == "points"):
        return
    if hoards:
        found = _play_there_was(hand, turn, before, result, joker=True)
        if found is not None:
            result.depends_on.add("joker.no_hoarding")
            text = f"a tile was drawn, though a joker could be played: {found.spoken}"
            advised = rules.joker.no_hoarding == "advise"
            repair = f"return the tile and lay {found.spoken}"
            result.find(Fault.JOKER_HOARDING, text, found.tiles, repair=repair, advice=advised)
    if asked:
        # Where nobody has said that players must play, only plays are looked for that are plain to see.
        if _simple_play(hand, before, result) is not None:
            result.depends_on.add(MUST_PLAY)
        elif hand:
            result.unchecked.append(_NOT_FORCED)
    if forced:
        found = _play_there_was(hand, turn, before, result)
        if found is not None:
            text, repair = f"there was a play: {found.spoken}", f"lay {found.spoken}"
            result.find(Fault.PLAY_REQUIRED, text, found.tiles, repair=repair)


def _play_there_was(
    hand: tuple[Tile, ...],
    turn: Turn,
    before: Layout,
    result: Examination,
    *,
    joker: bool = False,
) -> FoundPlay | None:
    """A play there was; that none was found and none is ruled out is said in `result`."""
    board = turn.grid_before
    if board is None:

        def found_by(rules: RuleSet) -> FoundPlay | None:
            return play_there_was(hand, before, rules, joker=joker)

        found = found_by(result.rules)
        is_certain = result.rules.table_moves
    else:

        def found_by(rules: RuleSet) -> FoundPlay | None:
            return play_there_was_on(hand, board, rules, joker=joker).found

        sought = play_there_was_on(hand, board, with_fewest_jokers(result.rules), joker=joker)
        found, is_certain = sought.found, sought.is_certain
    if found is None and not is_certain:
        what = "the joker could be played" if joker else "there was a play"
        table = "table" if board is None else "board"
        result.unchecked.append(_NOT_SOUGHT.format(what=what, table=table))
    _note_most_jokers(found, (*hand, *before.tiles), found_by, result)
    return found


def _simple_play(hand: tuple[Tile, ...], before: Layout, result: Examination) -> FoundPlay | None:
    """A play that is plain to see."""
    found, fewest = simple_play(hand, before, result.rules), with_fewest_jokers(result.rules)

    def found_by(rules: RuleSet) -> FoundPlay | None:
        return found if rules is fewest else simple_play(hand, before, rules)

    _note_most_jokers(found, (*hand, *before.tiles), found_by, result)
    return found


def _note_most_jokers(
    found: FoundPlay | None,
    tiles: tuple[Tile, ...],
    found_by: Callable[[RuleSet], FoundPlay | None],
    result: Examination,
) -> None:
    """Note it where there was a play by one answer alone to how many jokers a set may hold: a play that
    is `found` while that is open is one by every answer."""
    if found is not None or not result.rules.is_open(MOST_JOKERS):
        return
    if sum(tile.is_joker for tile in tiles) < 2:
        return
    answers = result.rules.answers_to(MOST_JOKERS).values()
    if any(found_by(rules) is not None for rules in answers):
        result.depends_on.add(MOST_JOKERS)


def _holds_a_set(hand: tuple[Tile, ...], rules: RuleSet) -> bool:
    return next(sets_in_hand(hand, rules), None) is not None


def has_duties(rules: RuleSet, *, bare: bool, pool_empty: bool) -> bool:
    """Whether a player may have to play instead of drawing or passing, on a bare table or not, by any
    answer to what is open."""
    duties = _duties(rules, bare=bare, pool_empty=pool_empty)
    return any(duties) or rules.is_open(MUST_PLAY)


def _duties(rules: RuleSet, *, bare: bool, pool_empty: bool) -> tuple[bool, bool, bool]:
    """Whether the first set has to be laid, a joker is not to be held back, any play is to be made."""
    starting = rules.opening.obligatory and bare
    hoards = rules.joker.no_hoarding != "off" and not starting
    forced = rules.draw.must_play == "always" or (
        rules.draw.must_play == "pool_empty" and pool_empty
    )
    return starting, hoards, forced


def _no_rack_tile(result: Examination) -> None:
    text = "tiles on the table were moved, but none came from the rack"
    repair = "put the table back as it was and draw a tile, or play a tile from the rack"
    result.find(Fault.NO_RACK_TILE, text, kind="moved", repair=repair)


def two_player_draw(turn: Turn, play: Play, result: Examination) -> bool:
    """Whether two tiles were drawn and one that had been on the rack was returned (RS-15), which nobody
    does who returns one without a look (AMB-20)."""
    if not _is_two_player_draw(turn, play, result.rules):
        return False
    result.depends_on.add("draw.two_return")
    return result.rules.draw.two_return != "blind"


def _is_two_player_draw(turn: Turn, play: Play, rules: RuleSet) -> bool:
    if not _two_return(rules) or turn.players not in (None, LEAST_PLAYERS):
        return False
    if play.changed or play.played or turn.rack_before is None or turn.rack_after is None:
        return False
    was, now = Counter(turn.rack_before), Counter(turn.rack_after)
    return surplus(was, now).total() == 1 and surplus(now, was).total() == rules.draw.tiles + 1


def examine_clock(turn: Turn, play: Play, result: Examination) -> None:
    """PR-15, R2-21. A player out of time puts the table back and draws; that much is legal.

    What lay there at the buzzer is for the game to judge (AMB-22); of a turn that went on longer only
    the end was seen.
    """
    timeout = result.rules.timeout
    over = _is_over(turn, result.rules)
    if over is None:
        result.unchecked.append(_NO_CLOCK)
    changed = play.changed or play.played
    claimed = result.rules.claims is not None and turn.claims
    if over and (changed or claimed) and timeout.legal_layout != "stands":
        what, back = ("play", "put the table back as it was") if changed else _LATE_CLAIM
        text = (
            f"the turn took {_seconds(turn.elapsed_s)} seconds, and {timeout.limit_s} are allowed; "
            f"the {what} came too late to stand"
        )
        faults = reduce(or_, (finding.fault for finding in result.findings), Fault(0))
        cost = time_penalty(result.rules, faults, legal=result.legal)
        draws = f" and draw {count_of(cost, 'tile')}" if cost else ""
        repair = f"{back}{draws}"
        result.find(Fault.TIME_OVER, text, kind="table", repair=repair)


def _seconds(elapsed_s: float | None) -> str:
    """Seconds with a tenth where there is one: `61`, `120.5`."""
    return f"{elapsed_s:.1f}".removesuffix(".0")
