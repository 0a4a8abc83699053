"""Tables that stand though they are not legal, and faults that are noticed late (AMB-26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.faults import Verdict
from engine.game.events import FaultNoticed, Tiles
from engine.game.judging import judge_table
from engine.game.score_sheet import with_live_scores
from engine.game.seats import Outcome, check_phase, checked, gained, lost, refuse, with_seat
from engine.game.state import GameState, Laid, Phase, Seat, Tokens, Unsettled
from engine.game.tokens import lines_of_board, those_that_stand
from engine.layout import Layout
from engine.set_readings import book_of
from engine.tiles import Tile
from engine.turns import lines_of
from engine.wording import the

_SPOKEN: Final = {
    "stands": "stands, because it is legal now",
    "taken_back": "goes back to the last legal one",
}


def left_standing(before: GameState, after: GameState, index: int) -> GameState:
    """The game after a seat left a table that is not legal, with the way back kept.

    `before` is the game when that turn began, `after` the game with the new table on it.
    """
    was, now = Counter(before.table.tiles), Counter(after.table.tiles)
    laid = Laid(index, _tiles(now - was), _tiles(was - now), before.seats[index].opened)
    known = before.unsettled or Unsettled(before.table, (), before.tokens)
    unsettled = replace(known, since=(*known.since, laid))
    return with_no_sets(replace(after, unsettled=unsettled))


def with_no_sets(state: GameState) -> GameState:
    """The game in which all that lies on its table and is no set was let stand. A game with contracts
    judges plays without them (`engine.game.cards`)."""
    if state.rules.contracts is not None:
        return state
    layout = state.table if isinstance(state.table, Layout) else lines_of(state.table)
    is_set = book_of(state.rules).is_set_packed
    let_stand = tuple(meld for meld in layout.melds if not is_set(meld.packed))
    return replace(state, let_stand=let_stand)


def given_away(before: GameState, after: GameState, index: int, tile: Tile | None) -> GameState:
    """The game after a seat gave a tile of its rack away, but not to the table; None for one not seen.

    `before` is the game when it did, `after` the game then. It is remembered where the tile may be one
    that the seat took from a table that still stands: it cannot go back there by itself.
    """
    if before.unsettled is None or after.unsettled is None:
        return after
    items = [*after.unsettled.since]
    own = [number for number, item in enumerate(items) if item.seat == index]
    borrowed = {kind for number in own for kind in items[number].taken}
    gone = borrowed if tile is None else borrowed & {tile}
    if not gone:
        return after
    last = items[own[-1]]
    items[own[-1]] = replace(last, given_away=tuple(sorted((*last.given_away, *gone))))
    return replace(after, unsettled=replace(after.unsettled, since=tuple(items)))


def _tiles(counts: Counter[Tile]) -> Tiles:
    return tuple(sorted(counts.elements()))


def notice_fault(state: GameState, event: FaultNoticed) -> Outcome:
    """The game after it was noticed that the table is not legal, by the house rule `misplay.late`.

    Where the rules put the table back, or the players decide so, it goes back to the last legal one, and
    whoever laid tiles since takes them back. Otherwise it stands. It cannot go back without a tile that
    somebody took from it and has, or may have, discarded or returned. Refuses with `wrong_phase`,
    `nothing_to_settle`, `rules_decide`, `decision_needed`, `not_held`, `too_many_copies`.
    """
    wrong = check_phase(state, Phase.TURN)
    if wrong is not None:
        return wrong
    if state.unsettled is None:
        return refuse("nothing_to_settle", "the table is legal as far as is known")
    rules_say = _decided_by_rules(state)
    if rules_say is not None and event.decision not in (None, rules_say):
        text = f"the rules of this table decide: it {_SPOKEN[rules_say]}"
        return refuse("rules_decide", text)
    decision = rules_say or event.decision
    if decision is None:
        text = "whether the table stands is for the players to say; the last legal one was"
        return refuse("decision_needed", f"{text} {state.unsettled.table}")
    return replace(state, unsettled=None) if decision == "stands" else _taken_back(state)


def _decided_by_rules(state: GameState) -> str | None:
    if state.rules.misplay.late == "rollback":
        return "taken_back"
    legal = judge_table(state, state.table).verdict is Verdict.LEGAL
    return "stands" if legal else None


def _taken_back(state: GameState) -> Outcome:
    """The game with the last legal table, every tile laid since back where it came from."""
    assert state.unsettled is not None
    back, since = state, state.unsettled.since
    left = [_left_of_taken(since, index) for index in range(len(state.seats))]
    for item in reversed(since):
        seat = _with_back(back.seats[item.seat], item)
        if seat is None:
            name = back.seats[item.seat].name
            return refuse("not_held", f"{name} does not hold any more what came from the table")
        missing = Counter(item.taken) - left[item.seat]
        if seat.rack is None and missing:
            text = (
                f"{seat.name} may not hold {the(min(missing))} any more, which came from the table"
            )
            return refuse("not_held", text)
        left[item.seat] = left[item.seat] - Counter(item.taken) + Counter(item.laid)
        back = with_seat(back, item.seat, seat)
    tokens = _tokens_back(state, state.unsettled)
    back = replace(back, table=state.unsettled.table, tokens=tokens, unsettled=None)
    return checked(with_live_scores(with_no_sets(back)))


def _tokens_back(state: GameState, unsettled: Unsettled) -> tuple[Tokens, ...]:
    """The claims on the last legal table: as they were, but for those of its sets claimed since.

    A claim that stands until now lies beneath none of those. Where there is not room for all, it is the
    later claims that stay.
    """
    sets = [Counter(line) for line in lines_of_board(unsettled.table)]
    since = tuple(
        tokens
        for tokens in state.tokens
        if tokens not in unsettled.tokens and Counter(tokens.meld) in sets
    )
    kept = tuple(
        tokens
        for tokens in unsettled.tokens
        if tokens in state.tokens
        or not any(Counter(tokens.meld) <= Counter(claimed.meld) for claimed in since)
    )
    since = those_that_stand(since, unsettled.table, state.rules)
    together = those_that_stand((*since, *kept), unsettled.table, state.rules)
    return (*together[len(since) :], *since)


def _left_of_taken(since: Sequence[Laid], index: int) -> Counter[Tile]:
    """What a seat took from the table and certainly still holds, whatever else is on a rack that nobody
    saw."""
    left: Counter[Tile] = Counter()
    for item in since:
        if item.seat == index:
            left = left - Counter(item.laid) + Counter(item.taken) - Counter(item.given_away)
    return left


def _with_back(seat: Seat, item: Laid) -> Seat | None:
    """The seat with what it laid, and without what it took; None where that is not there any more."""
    left = lost(gained(seat, len(item.laid), item.laid), item.taken)
    return None if left is None else replace(left, opened=item.opened)
