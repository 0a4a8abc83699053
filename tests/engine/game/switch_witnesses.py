"""For every house rule something that is done in a game, by which its values can be told apart.

A witness gives what came of it under a choice: a state, a refusal, or what a ruling says.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TypeAlias

from engine.game.digest import canonical_text
from engine.game.events import (
    CalledOut,
    CardBought,
    Claimed,
    Dealt,
    Discarded,
    DrawnForStart,
    Drew,
    FaultNoticed,
    GameBegun,
    GameEvent,
    HandsShown,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    Reshuffled,
    StarterNamed,
    TimeRanOut,
)
from engine.game.fold import apply
from engine.game.state import GameState, Phase, Refusal, Seat
from engine.layout import parse_grid, parse_layout
from engine.melds import parse_meld, parse_tiles
from engine.referee import Turn, judge
from engine.ruleset import load_ruleset
from engine.solver import HintsOffError, advise
from engine.tiles import parse_tile
from tests.engine.game.tile_games import House, then

Witness: TypeAlias = Callable[[str, House], Hashable]
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus")
CLAIMS: House = {"claims.requires_opening": "no", "claims.reclaim_own": "no"}
"""Who may claim, as it is usual: it is asked before a claim that depends on it."""


def begun(preset: str, house: House, players: int = 3) -> GameState:
    state = apply(None, GameBegun(preset, NAMES[:players], house, None))
    assert isinstance(state, GameState), state
    return state


def came(state: GameState | None, *events: GameEvent) -> str:
    """What came of the last event: the state but for its rules, or the refusal with its faults."""
    outcome: GameState | Refusal | None = state
    for event in events:
        assert not isinstance(outcome, Refusal), outcome
        outcome = apply(outcome, event)
    if isinstance(outcome, GameState):
        return canonical_text(replace(outcome, rules=load_ruleset("pressman")))
    assert isinstance(outcome, Refusal)
    faults = () if outcome.ruling is None else outcome.ruling.findings
    return " ".join([outcome.code, *(finding.code for finding in faults)])


def dealt(
    preset: str, house: House, players: int = 2, hands: dict[str, str] | None = None
) -> GameState:
    """The game in Ada's first turn, tiles in sets."""
    if preset == "rummi200kub":
        house = {"table.form": "sets", **house}
    if preset == "sets-and-runs":
        players = max(players, 3)
    told = tuple((name, parse_tiles(text)) for name, text in (hands or {}).items())
    return then(begun(preset, house, players), StarterNamed("Ada"), Dealt(told))


def on_table(state: GameState, table: str, rack: str | None, *, opened: bool = True) -> GameState:
    """The same with that on the table and Ada's rack."""
    tiles = None if rack is None else tuple(sorted(parse_tiles(rack)))
    held = state.seats[0].held if tiles is None else len(tiles)
    ada = Seat("Ada", held, tiles, opened)
    others = tuple(replace(seat, rack=None) for seat in state.seats[1:])
    return replace(state, table=parse_layout(table), seats=(ada, *others))


def play(
    preset: str, house: House, before: str, after: str, rack: str, *, opened: bool = True
) -> str:
    """What comes of Ada's play."""
    if preset == "rummi200kub":
        house = {"opening.points": 30, **house}
    state = on_table(dealt(preset, house), before, rack, opened=opened)
    if preset == "sets-and-runs":
        state = replace(state, phase=Phase.PLAY)
    return came(state, Played("Ada", parse_layout(after)))


def legal_sets(preset: str, house: House, *melds: str) -> tuple[bool, ...]:
    """Which of these may lie on a table."""
    rules = load_ruleset(preset, house)
    return tuple(
        not judge(Turn(before=None, after=parse_layout(meld)), rules).findings for meld in melds
    )


def shown(state: GameState, counts: Sequence[str], out: int | None) -> GameState:
    """The game after a round that ended with these hands."""
    if state.phase is Phase.START:
        state = then(state, StarterNamed("Ada"))
    state = then(state, Dealt())
    hands = [parse_tiles(text) for text in counts]
    seats = tuple(
        replace(seat, held=len(hand), rack=tuple(sorted(hand)))
        for seat, hand in zip(state.seats, hands, strict=True)
    )
    over = replace(state, phase=Phase.ROUND_OVER, to_move=None, out=out, seats=seats, pool=0)
    return then(over, HandsShown())


def rounds_until_over(state: GameState, *hands: str) -> int:
    """How many rounds that Ada ends it takes; 13 for more than twelve."""
    for number in range(1, 13):
        state = shown(state, ("", *hands), 0)
        if state.phase is Phase.GAME_OVER:
            return number
    return 13


# Who plays, and who begins


def players_most(preset: str, house: House) -> Hashable:
    return tuple(came(None, GameBegun(preset, NAMES[:n], house)) for n in range(2, 7))


def deal_beyond(preset: str, house: House) -> Hashable:
    return came(None, GameBegun(preset, NAMES, house))


def pieces(preset: str, house: House) -> Hashable:
    hand = parse_tiles("K1 K2 K3 K4 K5 K6 K7 B1 B2 B3 B4 B5 B6 B7 B8")
    return came(begun(preset, house), StarterNamed("Ada"), Dealt((("Ada", hand),)))


def drawn(*tiles: str) -> DrawnForStart:
    return DrawnForStart(tuple(zip(NAMES, map(parse_tile, tiles), strict=False)))


def start_returned(preset: str, house: House) -> Hashable:
    hand = parse_tiles("K1 K2 K3 K4 K5 K6 K7 B1 B2 B3 B4 B5 B6 B7")
    return came(begun(preset, house), drawn("K9", "R5", "O2"), Dealt((("Ada", hand),)))


def start_joker(preset: str, house: House) -> Hashable:
    return came(begun(preset, house), drawn("K5", "J", "K9"))


def start_tie(preset: str, house: House) -> Hashable:
    two_best = ("K9", "B9", "K1") if preset != "rummi200kub" else ("K1", "B1", "K9")
    return came(begun(preset, house), drawn(*two_best))


# Sets


def table_form(preset: str, house: House) -> Hashable:
    grid = Played("Ada", parse_grid("K10 K11 K12"))
    return came(begun(preset, house), StarterNamed("Ada"), Dealt(), grid)


def table_connected(preset: str, house: House) -> Hashable:
    parts = Played("Ada", parse_grid("K10 K11 K12 / . . . / R1 R2 R3"))
    return came(begun(preset, house), StarterNamed("Ada"), Dealt(), parts)


def run_order(preset: str, house: House) -> Hashable:
    if preset == "sets-and-runs":
        return legal_sets(preset, house, "5S 7S 6S 8S")
    return play(preset, house, "-", "R1 R3 R2", "R1 R2 R3 K13")


def run_wrap(preset: str, house: House) -> Hashable:
    if preset == "sets-and-runs":
        return legal_sets(preset, house, "JS QS KS AS", "QS KS AS 2S")
    rack = "K12 K13 K1 K2 B1"
    return play(preset, house, "-", "K12 K13 K1", rack), play(preset, house, "-", "K13 K1 K2", rack)


def set_sizes(preset: str, house: House) -> Hashable:
    return legal_sets(preset, house, "5S 6S 7S", "5S 6S 7S 8S", "KS KH KD", "KS KH KD KC")


# The first play


def opening_points(preset: str, house: House) -> Hashable:
    rack = "K1 K2 K3 K9 K10 K11 B10 R10 O10 O11 O12 O13 R12"
    plays = ("K1 K2 K3", "B10 R10 O10", "O11 O12 O13", "K9 K10 K11 | O11 O12 O13")
    return tuple(play(preset, house, "-", after, rack, opened=False) for after in plays)


def building_on(preset: str, house: House) -> Hashable:
    after, rack = "K1 K2 K3 K4 | B10 R10 O10", "K4 B10 R10 O10 R12"
    return play(preset, house, "K1 K2 K3", after, rack, opened=False)


def counted(preset: str, house: House) -> Hashable:
    """24 points in a set of the rack, and 13 at one of the table."""
    after, rack = "K10 K11 K12 K13 | B8 R8 O8", "K13 B8 R8 O8 R12"
    return play(preset, house, "K10 K11 K12", after, rack, opened=False)


def short_penalty(preset: str, house: House) -> Hashable:
    """With a penalty that is none in its document (R2-31), for there to be one to be spared."""
    state = dealt(preset, {"misplay.penalty": 3, **house}, hands={"Ada": FOURTEEN})
    return came(state, Misplayed("Ada", parse_layout("K1 K2 K3")))


FOURTEEN = "K1 K2 K3 K5 K7 B1 B2 B4 B6 R1 R5 R9 O7 O11"


# Jokers


def ambiguous(preset: str, house: House) -> Hashable:
    return play(preset, house, "-", "J J B10", "J J B10 K1", opened=False)


def max_per_set(preset: str, house: House) -> Hashable:
    if preset == "sets-and-runs":
        melds = ("KS KH *", "KS KH * *", "KS KH * * *", "KS KH * * * *")
        return legal_sets(preset, house, *melds)
    return play(preset, house, "-", "J J B10", "J J B10 K1")


def naturals(preset: str, house: House) -> Hashable:
    return legal_sets(preset, house, "KS * *")


def twice(preset: str, house: House) -> Hashable:
    return legal_sets(preset, house, "KS KS KH")


THAWED: House = {"joker.freeze": "none"}


def identity(preset: str, house: House) -> Hashable:
    """The joker that was the 8 of its run becomes the 4, beside a set from the rack."""
    after, rack = "J K5 K6 K7 | B1 B2 B3", "B1 B2 B3 O9"
    return play(preset, THAWED | house, "K5 K6 K7 J", after, rack)


def group_of_three(preset: str, house: House) -> Hashable:
    return play(preset, THAWED | house, "R5 B5 J", "R5 B5 K5 | J O9 O10", "K5 O9 O10 K1")


def group_of_one(preset: str, house: House) -> Hashable:
    before, after = "R5 J J", "R5 B5 K5 | J J O9 O10"
    rules: House = {"joker.free_removal": "no"}
    return play(preset, THAWED | rules | house, before, after, "B5 K5 O9 O10 K1")


def replace_from(preset: str, house: House) -> Hashable:
    before, after = "R5 R6 J | K7 B7 R7 O7", "R5 R6 R7 | K7 B7 O7 | J O9 O10"
    return play(preset, THAWED | house, before, after, "O9 O10 K1")


def reuse(preset: str, house: House) -> Hashable:
    before, after = "R5 R6 J | O9 O10 O11", "R5 R6 R7 | J O9 O10 O11"
    return play(preset, THAWED | house, before, after, "R7 K1")


def before_opening(preset: str, house: House) -> Hashable:
    hand = "7S KS KH KD QS QH QD 2C"
    before, after = "5S 6S * 8S", "5S 6S 7S 8S"
    return play(preset, house, before, after, hand, opened=False)


def freeze(preset: str, house: House) -> Hashable:
    added = play(preset, house, "R5 R6 J", "R4 R5 R6 J", "R4 K1")
    rack = "K1 K2 K3 O1"
    split = play(preset, house, "R3 R4 R5 R6 R7 J", "R3 R4 R5 | R6 R7 J | K1 K2 K3", rack)
    return added, split


def free_removal(preset: str, house: House) -> Hashable:
    before, after = "R3 R4 R5 J", "R3 R4 R5 | J K9 K10"
    return play(preset, THAWED | house, before, after, "K9 K10 O1")


def no_hoarding(preset: str, house: House) -> Hashable:
    """What is drawn instead, and what is said of it."""
    state = on_table(dealt(preset, house, 3), "R5 R6 R7", "J K1 B4")
    rules, rack = state.rules, state.seats[0].rack
    assert rack is not None
    table = parse_layout("R5 R6 R7")
    turn = Turn(table, table, rack, (*rack, parse_tile("O1")), players=3)
    said = tuple(finding.code for finding in judge(turn, rules).advice)
    return came(state, Drew("Ada", parse_tiles("O1"))), said


# Drawing


def then_play(preset: str, house: House) -> Hashable:
    return came(on_table(dealt(preset, house), "R5 R6 R7", None), Drew("Ada"))


def must_play(preset: str, house: House) -> Hashable:
    state = on_table(dealt(preset, house, 3), "R5 R6 R7", "R8 K1 B4")
    return came(state, Drew("Ada")), came(replace(state, pool=0), Passed("Ada"))


def two_return(preset: str, house: House) -> Hashable:
    state = on_table(dealt(preset, house), "R5 R6 R7", "K1 B4 O9")
    pair = parse_tiles("O3 O4")
    return came(state, Drew("Ada", pair)), came(state, Drew("Ada", pair, parse_tile("K1")))


# The clock, and plays that fail


def clock(preset: str, house: House) -> Hashable:
    state = on_table(dealt(preset, house), "-", FOURTEEN)
    table = parse_layout("K1 K2 K3")
    times = (came(state, Played("Ada", table, elapsed_s=s)) for s in (30.0, 90.0, 500.0, 5000.0))
    return came(state, TimeRanOut("Ada")), *times


def time_penalty(preset: str, house: House) -> Hashable:
    return came(dealt(preset, house), TimeRanOut("Ada"))


def legal_layout(preset: str, house: House) -> Hashable:
    """Whether it stands as it lay at the buzzer, and whether it does in a turn that went on longer."""
    state = on_table(dealt(preset, house), "-", FOURTEEN)
    table = parse_layout("K1 K2 K3")
    return came(state, TimeRanOut("Ada", table)), came(state, Played("Ada", table, elapsed_s=5000))


def loose_tiles(preset: str, house: House) -> Hashable:
    state = on_table(dealt(preset, house), "R5 R6 R7 R8", FOURTEEN)
    return came(state, TimeRanOut("Ada", parse_layout("R5 R6 R7 | R8 | K1 K2 K3")))


BROKEN = parse_layout("K1 K2")


def misplay_penalty(preset: str, house: House) -> Hashable:
    """At the end of the time where only that makes it cost (AMB-50), with no other penalty beside."""
    if preset.startswith("reset"):
        state = on_table(dealt(preset, {"timeout.penalty": 0, **house}), "R5 R6 R7", FOURTEEN)
        return came(state, TimeRanOut("Ada", parse_layout("R5 R6 R7 | K1 K2")))
    return failed(preset, house)


def failed(preset: str, house: House) -> str:
    state = dealt(preset, house)
    if preset == "sets-and-runs":
        state = replace(state, phase=Phase.PLAY)
        return came(state, Misplayed("Ada", parse_layout("KS KH")))
    return came(on_table(state, "-", FOURTEEN), Misplayed("Ada", BROKEN))


def cumulative(preset: str, house: House) -> Hashable:
    penalties: House = {"misplay.penalty": 3, "timeout.penalty": 1}
    state = on_table(dealt(preset, {**penalties, **house}), "-", FOURTEEN)
    return came(state, TimeRanOut("Ada", BROKEN))


def partial(preset: str, house: House) -> Hashable:
    state = on_table(dealt(preset, {"timeout.penalty": 3, **house}), "R5 R6 R7", FOURTEEN)
    return came(replace(state, pool=2), TimeRanOut("Ada"))


def late(preset: str, house: House) -> Hashable:
    if preset == "sets-and-runs":
        state = replace(dealt(preset, house), phase=Phase.PLAY)
        event = Played("Ada", parse_layout("KS KH"), overruled_by="all")
        return came(state, event, Discarded("Ada", parse_tile("2S")), FaultNoticed())
    state = on_table(dealt(preset, house), "-", FOURTEEN)
    return came(state, Played("Ada", BROKEN, overruled_by="all"), FaultNoticed())


# The end of rounds and games


def call_required(preset: str, house: House) -> Hashable:
    state = on_table(dealt(preset, house), "R5 R6 R7", "R8")
    return came(state, Played("Ada", parse_layout("R5 R6 R7 R8")), CalledOut("Ada"))


def pool_out_end(preset: str, house: House) -> Hashable:
    state = replace(on_table(dealt(preset, house), "R5 R6 R7", None), pool=0)
    return came(state, Passed("Ada"), Passed("Ben"))


def pool_out_score(preset: str, house: House) -> Hashable:
    state = shown(begun(preset, house, 4), ("K10", "B10", "K13 B13 R4", "K12 B8"), None)
    assert state.scores is not None
    return tuple(state.scores.totals.values())


def reshuffled(preset: str, house: House) -> Hashable:
    state = dealt(preset, house)
    left = parse_tiles("2S 3S 4S")
    held = sum(seat.held for seat in state.seats)
    rest = replace(state.seats[0], held=108 - 3 - held + state.seats[0].held)
    return came(replace(state, pool=0, discards=left, seats=(rest, *state.seats[1:])), Reshuffled())


def target(preset: str, house: House) -> Hashable:
    """Rounds until a total of so many, 32 a round; of claims, who wins with 34 or 24."""
    if preset != "rummi200kub":
        return rounds_until_over(begun(preset, house, 2), "K13 B13 K6")
    return came(claims(house), PlayStopped())


ROW, COLUMN = "K7 K8 K9 K10", "B8 R8 O8"


def claims(house: House) -> GameState:
    """Ben has a set of 34 points and Ada one of 24, and there is nothing left to draw."""
    state = dealt("rummi200kub", {"score.tie": "shared", **CLAIMS, **house})
    state = on_table(state, f"{ROW} | {COLUMN}", None)
    state = then(state, Claimed("Ada", parse_meld(COLUMN)))
    claimed = apply(state, Claimed("Ben", parse_meld(ROW)))
    assert isinstance(claimed, GameState)
    return replace(claimed, pool=0)


def target_mode(_preset: str, house: House) -> Hashable:
    return claims({"score.target": 30, **house}).winners


def rounds(preset: str, house: House) -> Hashable:
    return rounds_until_over(begun(preset, house, 2), "K1")


def tie(preset: str, house: House) -> Hashable:
    if preset == "rummi200kub":
        return came(replace(dealt(preset, house), pool=0), PlayStopped())
    equal = {"score.target": 5} if preset == "pressman" else {}
    hands = ("AS", "AH", "AD") if preset == "sets-and-runs" else ("K1", "B1", "K13")
    state = begun(preset, {**equal, **house}, 3)
    for _ in range(12):
        if not state.deciding and state.phase is not Phase.GAME_OVER:
            state = shown(state, hands, None)
    return state.phase, state.winners, state.deciding


def overall(preset: str, house: House) -> Hashable:
    """Ada wins two rounds by two games to one and one, Ben one round by four games to none."""
    state = begun(preset, house, 4)
    close, clear = (0, 0, 1, 2), (1, 1, 1, 1)
    for winner in (*close, *clear, *close):
        fives = ["K5", "B5", "R5", "O5"]
        fives[winner] = ""
        state = shown(state, fives, winner)
    return state.winners


def hints(preset: str, house: House) -> Hashable:
    """A game knows no hints; whoever asks for one meets the rule there."""
    try:
        play = advise(
            parse_layout("-"), parse_tiles(FOURTEEN), load_ruleset(preset, house), opened=True
        )
    except HintsOffError:
        return "none are given"
    return play is None


# Claims


def a_claim(house: House, locks: int | None = None, rank: int = 2) -> str:
    """What comes of the claim of a set that has been claimed so often less one, by turns."""
    begin = GameBegun("rummi200kub", NAMES[:2], {"table.form": "sets", **CLAIMS, **house}, locks)
    state = apply(None, begin)
    assert isinstance(state, GameState)
    state = on_table(then(state, StarterNamed("Ada"), Dealt()), ROW, None, opened=False)
    told = [Claimed(NAMES[number % 2], parse_meld(ROW)) for number in range(rank)]
    return came(state, *told)


def requires_opening(_preset: str, house: House) -> Hashable:
    return a_claim(house, rank=1)


def changed(preset: str, house: House) -> Hashable:
    """A claimed set is taken apart."""
    state = on_table(dealt(preset, {**CLAIMS, **house}), "K5 K6 K7 K8 K9", "K7 B1")
    state = then(state, Claimed("Ada", parse_meld("K5 K6 K7 K8 K9")), Drew("Ben"))
    return came(state, Played("Ada", parse_layout("K5 K6 K7 | K7 K8 K9")))


def tokens(_preset: str, house: House) -> Hashable:
    """None for the first claim of four tiles, or for the third, which is that player's second."""
    first = a_claim(house, rank=1)
    return first, None if first == "no_tokens" else a_claim(house, rank=3)


def locks(_preset: str, house: House) -> Hashable:
    return a_claim(house, locks=1, rank=3)


def reclaim(preset: str, house: House) -> Hashable:
    state = on_table(dealt(preset, {**CLAIMS, **house}), ROW, None)
    again = Claimed("Ada", parse_meld(ROW))
    return came(state, again, Drew("Ben"), again)


# Cards


def laid_down(preset: str, house: House, number: int, after: str, hand: str) -> str:
    state = replace(dealt(preset, house), round=number, phase=Phase.PLAY)
    return came(on_table(state, "-", hand, opened=False), Played("Ada", parse_layout(after)))


def contract_order(preset: str, house: House) -> Hashable:
    three = "KS KH KD | QS QH QD | JS JH JD"
    return laid_down(preset, house, 4, three, "KS KH KD QS QH QD JS JH JD 2C")


def contract_exact(preset: str, house: House) -> Hashable:
    more = "KS KH KD KC | QS QH QD"
    return laid_down(preset, house, 1, more, "KS KH KD KC QS QH QD 2C")


def buying(
    preset: str, house: House, buyer: str, *, turn: int = 5, held: int = 11, opened: bool = False
) -> str:
    """Ada's turn, the king of spades on the pile, and somebody buys it."""
    state = replace(dealt(preset, house), turn=turn, discards=parse_tiles("KS"))
    seats = [
        replace(seat, held=held, opened=opened) if seat.name == buyer else seat
        for seat in state.seats
    ]
    return came(replace(state, seats=tuple(seats)), CardBought(buyer))


def playable_ban(preset: str, house: House) -> Hashable:
    outcomes = []
    for opened in (True, False):
        state = replace(dealt(preset, {"group.least": 3, **house}), phase=Phase.PLAY)
        state = on_table(state, "KS KH KD | QS QH QD", "KC 2C 3C", opened=opened)
        outcomes.append(came(state, Discarded("Ada", parse_tile("KC"))))
    return tuple(outcomes)


WITNESSES: dict[str, Witness] = {
    "equipment.pieces": pieces,
    "players.most": players_most,
    "deal.beyond": deal_beyond,
    "start.returned": start_returned,
    "start.joker": start_joker,
    "start.tie": start_tie,
    "table.form": table_form,
    "table.connected": table_connected,
    "run.order": run_order,
    "run.wrap": run_wrap,
    "run.least": set_sizes,
    "group.least": set_sizes,
    "group.duplicates": twice,
    "opening.points": opening_points,
    "opening.source": counted,
    "opening.same_turn_extension": building_on,
    "opening.short_penalty": short_penalty,
    "joker.ambiguous_value": ambiguous,
    "joker.max_per_set": max_per_set,
    "joker.naturals": naturals,
    "joker.identity": identity,
    "joker.group3": group_of_three,
    "joker.group3_two": group_of_one,
    "joker.replace_from": replace_from,
    "joker.reuse": reuse,
    "joker.before_opening": before_opening,
    "joker.freeze": freeze,
    "joker.free_removal": free_removal,
    "joker.no_hoarding": no_hoarding,
    "draw.then_play": then_play,
    "draw.must_play": must_play,
    "draw.two_return": two_return,
    "timeout.limit_s": clock,
    "timeout.penalty": time_penalty,
    "timeout.legal_layout": legal_layout,
    "timeout.loose_tiles": loose_tiles,
    "misplay.penalty": misplay_penalty,
    "misplay.restore": failed,
    "misplay.when": failed,
    "misplay.cumulative": cumulative,
    "misplay.partial": partial,
    "misplay.late": late,
    "finish.call_required": call_required,
    "pool_out.end": pool_out_end,
    "pool_out.score": pool_out_score,
    "pool_out.tie": pool_out_score,
    "pool_out.reshuffle": reshuffled,
    "score.target": target,
    "score.rounds": rounds,
    "score.rounds_two_players": rounds,
    "score.target_mode": target_mode,
    "score.tie": tie,
    "hints.allowed": hints,
    "tournament.overall": overall,
    "claims.requires_opening": requires_opening,
    "claims.model": changed,
    "claims.frozen": changed,
    "claims.tokens": tokens,
    "claims.locks": locks,
    "claims.reclaim_own": reclaim,
    "contracts.order": contract_order,
    "contracts.exact": contract_exact,
    "buys.laid_down": lambda preset, house: buying(preset, house, "Ben", opened=True),
    "buys.floating": lambda preset, house: buying(preset, house, "Ben", held=0),
    "buys.first_upcard": lambda preset, house: buying(preset, house, "Ben", turn=1),
    "buys.discarder": lambda preset, house: buying(preset, house, "Cleo"),
    "discard.playable_ban": playable_ban,
}
"""What is done for each switch; docs/games.md says where each takes effect."""

NUMBERS: dict[str, tuple[int, ...]] = {
    "opening.points": (0, 30, 31, 60, 200),
    "timeout.limit_s": (0, 60, 100, 600),
    "timeout.penalty": (0, 1, 2, 3, 14),
    "misplay.penalty": (0, 1, 2, 3, 14),
    "score.target": (1, 33, 65, 10000),
    "score.rounds": (1, 2, 3, 12, 100),
    "claims.tokens": (0, 3, 4),
}
"""The numbers that are tried where there are many, each with an outcome of its own."""
