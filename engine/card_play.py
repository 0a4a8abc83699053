"""Turns of the card game of contracts: laying off, jokers swapped out, and the discard.

What there is to laying down stands in `engine.card_contract`.

Sets on the table are never rearranged (SR-11): each only grows and stays of its kind, but for a joker of
a run that is replaced and goes to the hand (SR-21).
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Final

from engine.card_contract import (
    examine_before_laying_down,
    examine_buys,
    examine_contract,
    examine_joker_of_contract,
)
from engine.card_matching import CardPlay, matched
from engine.card_table import (
    Contract,
    Swap,
    kinds_that_take,
    may_become,
    may_take,
    set_kinds,
    swap,
)
from engine.counts import surplus
from engine.examination import Examination, Play
from engine.faults import Fault
from engine.layout import Layout
from engine.melds import Meld
from engine.packing import packed
from engine.ruleset import RuleSet
from engine.set_questions import mattering_to
from engine.tiles import CARD_JOKER, Tile
from engine.turns import Turn
from engine.wording import count_of, in_row, named, the, these

_BAN: Final = "discard.playable_ban"
_NO_DISCARD: Final = "The discard is not known, so it was not checked."
_NO_HANDS: Final = (
    "The hand was not seen both before and after the turn: where cards came from was not checked."
)
_KIND_IN_WORDS: Final = {"group": "a set of one rank", "run": "a run"}
"""The document calls a group a set (AMB-48), and so are all rows on the table called here."""


def examine_cards(turn: Turn, moved: Play, opened: bool, result: Examination) -> None:
    """Everything about a turn with cards but the sets themselves; the table before is known, and `moved`
    what changed on it."""
    table = turn.before or Layout()
    before = table.melds
    may_become = partial(_may_become, contract=turn.contract, result=result)
    play = matched(table, turn.after, may_become)
    _examine_losses(turn, before, play, moved, result)
    _examine_growth(turn, before, play, result)
    away, swapped = _examine_swaps(turn, before, play, result)
    has_laid_down = opened or examine_contract(turn, play, result)
    if opened:
        for number in play.new:
            cards = turn.after.melds[number].tiles
            text = (
                f"set {number + 1} ({in_row(cards)}) is new, and the player had laid down already"
            )
            result.find(Fault.EXTRA_MELD, text, cards, number, repair=f"take back {these(cards)}")
    else:
        examine_buys(turn, result)
    if not has_laid_down:
        examine_before_laying_down(turn, before, play, moved, swapped, result)
    elif not opened and swapped:
        examine_joker_of_contract(turn, play, result)
    _examine_discard(turn, has_laid_down, result)
    _examine_hand(turn, moved, away, result)


def _examine_losses(
    turn: Turn, before: tuple[Meld, ...], play: CardPlay, moved: Play, result: Examination
) -> None:
    """SR-11: cards do not go from one set to another. Those that left the table are told one by one."""
    left_table = moved.gone
    for old, number in [*play.changed, *((old, None) for old in play.gone)]:
        lost = Counter(before[old].tiles)
        if number is not None:
            now = turn.after.melds[number]
            lost = surplus(lost, Counter(now.tiles))
            lost -= Counter({CARD_JOKER: _swap(before[old], now, turn, result).replaced})
        went = surplus(lost, left_table)
        left_table = surplus(left_table, lost)
        if not went:
            continue
        cards = tuple(sorted(went.elements()))
        was = f"set {old + 1} of the table before ({in_row(before[old].tiles)})"
        text = f"{was} is not there any more"
        if number is not None:
            text = f"{these(cards)} went from {was} to another set"
        result.find(Fault.TABLE_REARRANGED, text, cards, repair="put the table back as it was")


def _examine_growth(
    turn: Turn, before: tuple[Meld, ...], play: CardPlay, result: Examination
) -> None:
    """SR-11: sets stay of their kind, and jokers stay where they are unless a card takes their place."""
    for old, number in play.grown:
        was, now = before[old], turn.after.melds[number]
        jokers = _swap(was, now, turn, result)
        if _may_become(was, now, turn.contract, result) or jokers.left > jokers.replaced:
            continue
        kinds, kinds_now = (_kinds(meld, turn, result) for meld in (was, now))
        if not kinds_now:
            continue
        there = f"set {number + 1} ({in_row(now.tiles)})"
        text = f"a joker of {there} does not stand any more for what it stood for"
        if not kinds & kinds_now:
            text = (
                f"{there} was {_KIND_IN_WORDS[min(kinds)]} before the turn "
                f"and is {_KIND_IN_WORDS[min(kinds_now)]} now"
            )
        repair = f"put set {number + 1} back as it was"
        result.find(Fault.TABLE_REARRANGED, text, now.tiles, number, repair=repair)


def _swap(was: Meld, now: Meld, turn: Turn, result: Examination) -> Swap:
    names = mattering_to(was.packed, now.packed)
    return result.by_sets(names, swap, was, now, turn.contract)


def _may_become(was: Meld, now: Meld, contract: Contract | None, result: Examination) -> bool:
    names = mattering_to(was.packed, now.packed)
    return result.by_sets(names, may_become, was, now, contract)


def _kinds(meld: Meld, turn: Turn, result: Examination) -> frozenset[str]:
    return result.by_sets(mattering_to(meld.packed), set_kinds, meld, turn.contract)


def _examine_swaps(
    turn: Turn, before: tuple[Meld, ...], play: CardPlay, result: Examination
) -> tuple[int, int]:
    """SR-21 and SR-22: how many jokers left their sets, and how many of them as they may.

    Of a set that lost other cards, too, only jokers count that were swapped.
    """
    away = swapped = 0
    for old, number in play.changed:
        replaced = _swap(before[old], turn.after.melds[number], turn, result).replaced
        away, swapped = away + replaced, swapped + replaced
    for old, number in play.grown:
        was, now = before[old], turn.after.melds[number]
        jokers = _swap(was, now, turn, result)
        away += jokers.left
        swapped += jokers.replaced
        there = f"set {old + 1} of the table before ({in_row(was.tiles)})"
        if jokers.left and not jokers.stand_ins:
            text = f"a joker was taken out of {there}, where it is locked"
            result.find(Fault.JOKER_LOCKED, text, now.tiles, number, repair="put the joker back")
        elif jokers.replaced < jokers.left:
            missing = named(sorted(jokers.stand_ins), "or")
            text = f"a joker was taken out of {there}, and no {missing} took its place"
            repair = "put the joker back"
            result.find(Fault.JOKER_NOT_REPLACED, text, now.tiles, number, repair=repair)
    return away, swapped


def _examine_discard(turn: Turn, has_laid_down: bool, result: Examination) -> None:
    """SR-07, SR-16 to SR-18: a turn ends with a discard, and not of a card that could be played."""
    if turn.discard is None:
        result.unchecked.append(_NO_DISCARD)
        return
    if len(turn.discard) > 1:
        text = f"{these(turn.discard)} were discarded, and a turn ends with one card"
        result.find(Fault.DISCARD_TWO, text, turn.discard, repair="take back all but one")
    if not turn.discard:
        if turn.rack_after:
            count = len(turn.rack_after)
            verb = "is" if count == 1 else "are"
            text = f"{count_of(count, 'card')} {verb} left in the hand, and none was discarded"
            result.find(Fault.DISCARD_MISSING, text, repair="discard a card")
        if turn.rack_before == () and turn.rack_after:
            _examine_floating(turn.rack_after[0], turn, result)
        return
    rules = result.rules
    ban = "off" if rules.discard is None else rules.discard.playable_ban
    bound = ban == "any" or (ban == "laid_down" and has_laid_down)
    asked = not has_laid_down and rules.is_open(_BAN)
    if not (bound or asked):
        return
    for card in turn.discard:
        number = _taker(card, turn, result)
        if number is not None and asked:
            result.depends_on.add(_BAN)
        if number is not None and bound:
            text = f"{the(card)} was discarded, and set {number + 1} could take it"
            play = f"play {the(card)} on set {number + 1} and " if has_laid_down else ""
            repair = f"{play}discard another card"
            result.find(Fault.DISCARD_PLAYABLE, text, (card,), number, repair=repair)


def _examine_floating(card: Tile, turn: Turn, result: Examination) -> None:
    """SR-17: a floating player plays the card drawn where it can be played."""
    number = _taker(card, turn, result)
    if number is not None:
        text = (
            f"{the(card)} was drawn without another card in the hand, and set {number + 1} takes it"
        )
        repair = f"play {the(card)} on set {number + 1}"
        result.find(Fault.FLOATING_MUST_PLAY, text, (card,), number, repair=repair)


def _taker(card: Tile, turn: Turn, result: Examination) -> int | None:
    """The first set on the table that a card can be played on, in place of a joker too.

    A set that may be a group or a run takes a card when both do: nobody is told to play a card
    that may not be played.
    """
    melds = enumerate(turn.after.melds)
    return next((number for number, meld in melds if _takes(card, meld, turn, result)), None)


def _takes(card: Tile, meld: Meld, turn: Turn, result: Examination) -> bool:
    if not may_take(card, meld):
        return False
    row = meld.packed
    names = mattering_to(row, row + packed((card,)))
    return result.by_sets(names, _takes_as_all_it_is, card, meld, turn.contract)


def _takes_as_all_it_is(card: Tile, meld: Meld, contract: Contract | None, rules: RuleSet) -> bool:
    kinds = set_kinds(meld, contract, rules)
    return bool(kinds) and kinds == kinds_that_take(card, meld, contract, rules)


def _examine_hand(turn: Turn, moved: Play, jokers_away: int, result: Examination) -> None:
    """G-01, G-03 and G-08: one card is drawn, the others are in the hand, played or discarded.

    `jokers_away` jokers left their sets; whether they might is judged by then.
    """
    played, gone = moved.played, moved.gone
    jokers = Counter({t: min(count, jokers_away) for t, count in gone.items() if t.is_joker})
    taken = gone - jokers
    if turn.rack_before is None or turn.rack_after is None or turn.discard is None:
        result.unchecked.append(_NO_HANDS)
        for card in sorted(taken.elements()):
            _vanished(card, result)
        return
    held, holds = Counter(turn.rack_before), Counter(turn.rack_after)
    for card in sorted(taken.elements()):
        if holds[card] > held[card]:
            text = f"{the(card)} lay on the table and is in the hand now"
            repair = f"put {the(card)} back on the table"
            result.find(Fault.TABLE_TILE_TO_RACK, text, (card,), repair=repair)
        else:
            _vanished(card, result)
    accounted = holds + played + Counter(turn.discard)
    for card in sorted((held - accounted).elements()):
        text = f"{the(card)} left the hand, but was neither played nor discarded"
        repair = f"put {the(card)} back in the hand"
        result.find(Fault.TILE_CONSERVATION, text, (card,), repair=repair)
    drawn = (accounted - held - gone).total()
    expected = result.rules.draw.tiles
    if drawn != expected and not (turn.pool_empty and drawn == 0):
        came = count_of(drawn, "card") if drawn > 0 else "no card"
        text = f"{came} came to the hand in this turn, and a turn draws {expected}"
        repair = f"draw {'a card' if expected == 1 else count_of(expected, 'card')}"
        result.find(Fault.RACK_COUNT, text, repair=repair if drawn <= 0 else None)


def _vanished(card: Tile, result: Examination) -> None:
    text = f"{the(card)} lay on the table before the turn and lies there no more"
    repair = f"put {the(card)} back on the table"
    result.find(Fault.TILE_CONSERVATION, text, (card,), repair=repair)
