"""Turns of the card game of contracts: laying down, laying off, jokers swapped out, and the discard.

Sets on the table are never rearranged (SR-11): each only grows, but for a joker of a run that is
replaced and goes to the hand (SR-21).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from engine.duties import forms_a_set
from engine.examination import Examination
from engine.faults import Fault
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.sets import is_set, readings_of
from engine.tiles import Tile
from engine.turns import Turn

_NO_CONTRACT: Final = (
    "The contract of the round is not known, so whether it was met could not be checked."
)
_NO_DISCARD: Final = "The discard is not known, so it was not checked."
_NO_HANDS: Final = (
    "The hand was not seen both before and after the turn: where cards came from was not checked."
)


@dataclass(slots=True)
class _CardPlay:
    """What changed on the table, set by set."""

    grown: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of a set of the table before and the set it is after."""
    gone: list[int] = field(default_factory=list)
    """Sets of the table before that no set after holds."""
    new: list[int] = field(default_factory=list)
    """Sets after that were none before."""


def examine_cards(turn: Turn, opened: bool, result: Examination) -> None:
    """Everything about a turn with cards but the sets themselves; the table before is known."""
    before = () if turn.before is None else turn.before.melds
    play = _matched(before, turn.after.melds)
    for number in play.gone:
        cards = before[number].tiles
        text = f"set {number + 1} of the table before ({_named(cards)}) is not there any more"
        result.find(Fault.TABLE_REARRANGED, text, cards, repair="put the table back as it was")
    away, swapped = _examine_swaps(turn, before, play, result)
    has_laid_down = opened or _examine_contract(turn, play, result)
    if opened:
        for number in play.new:
            text = f"set {number + 1} is new, and the player had laid down already"
            repair = f"take back {_named(turn.after.melds[number].tiles)}"
            cards = turn.after.melds[number].tiles
            result.find(Fault.EXTRA_MELD, text, cards, number, repair=repair)
    else:
        _examine_buys(turn, result)
    if not has_laid_down:
        _examine_before_laying_down(turn, before, play, swapped, result)
    _examine_discard(turn, has_laid_down, result)
    _examine_hand(turn, away, result)


def _matched(before: tuple[Meld, ...], after: tuple[Meld, ...]) -> _CardPlay:
    """Which set of the table became which: as many as possible, unchanged ones first."""
    holders = [
        sorted(
            (n for n, meld in enumerate(after) if _naturals(old) <= _naturals(meld)),
            key=lambda n: (Counter(old.tiles) != Counter(after[n].tiles), len(after[n])),
        )
        for old in before
    ]
    taken: dict[int, int] = {}

    def place(old: int, seen: set[int]) -> bool:
        for number in holders[old]:
            if number in seen:
                continue
            seen.add(number)
            if number not in taken or place(taken[number], seen):
                taken[number] = old
                return True
        return False

    order = sorted(range(len(before)), key=lambda old: (len(holders[old]), old))
    gone = [old for old in order if not place(old, set())]
    new = [number for number in range(len(after)) if number not in taken]
    return _CardPlay(sorted((old, number) for number, old in taken.items()), sorted(gone), new)


def _naturals(meld: Meld) -> Counter[Tile]:
    return Counter(tile for tile in meld.tiles if not tile.is_joker)


def _jokers(meld: Meld) -> int:
    return sum(tile.is_joker for tile in meld.tiles)


def _examine_swaps(
    turn: Turn, before: tuple[Meld, ...], play: _CardPlay, result: Examination
) -> tuple[int, int]:
    """SR-21 and SR-22: how many jokers left their sets, and how many of them as they may."""
    away = swapped = 0
    for old, number in play.grown:
        was, now = before[old], turn.after.melds[number]
        left = _jokers(was) - _jokers(now)
        if left <= 0:
            continue
        away += left
        runs = [item for item in readings_of(was.tiles, result.rules) if item.kind == "run"]
        if not runs:
            text = f"a joker was taken out of set {old + 1}, where it is locked"
            result.find(Fault.JOKER_LOCKED, text, now.tiles, number, repair="put the joker back")
            continue
        added = _naturals(now) - _naturals(was)
        wanted = frozenset[Tile]().union(
            *(
                run.stands_for[index]
                for run in runs
                for index, tile in enumerate(was.tiles)
                if tile.is_joker
            )
        )
        replaced = min(left, sum(added[tile] for tile in wanted))
        swapped += replaced
        if replaced < left:
            text = (
                f"a joker was taken out of set {old + 1}, and no {_either(wanted)} took its place"
            )
            repair = "put the joker back"
            result.find(Fault.JOKER_NOT_REPLACED, text, now.tiles, number, repair=repair)
    return away, swapped


def _examine_contract(turn: Turn, play: _CardPlay, result: Examination) -> bool:
    """SR-08, SR-09: whether a player lays down in this turn. Only a contract that is met counts."""
    melds = [turn.after.melds[number] for number in play.new]
    if not melds:
        return False
    if turn.contract is None:
        result.unchecked.append(_NO_CONTRACT)
        return True
    if not all(is_set(meld.tiles, result.rules) for meld in melds):
        # What is no set is said already; whether it would have met the contract nobody can say.
        return True
    kinds = [_kinds(meld, result.rules) for meld in melds]
    cards = tuple(tile for meld in melds for tile in meld.tiles)
    wanted = _contract_in_words(turn.contract)
    if not _meets(kinds, turn.contract):
        if _holds(kinds, turn.contract):
            text = f"more was laid down than the contract, which is {wanted}"
            result.find(Fault.EXTRA_MELD, text, cards, repair=f"lay down {wanted} alone")
            return True
        text = f"what was laid down is not the contract, which is {wanted}"
        result.find(Fault.CONTRACT_NOT_MET, text, cards, repair=f"take back {_named(cards)}")
        return False
    contracts = result.rules.contracts
    if contracts is not None and contracts.exact:
        for number, meld in zip(play.new, melds, strict=True):
            if len(meld) > max(_least(kind, result.rules) for kind in _kinds(meld, result.rules)):
                text = f"set {number + 1} has more cards than the contract needs"
                result.find(Fault.CONTRACT_EXCEEDED, text, meld.tiles, number)
    return True


def _kinds(meld: Meld, rules: RuleSet) -> frozenset[str]:
    return frozenset(reading.kind for reading in readings_of(meld.tiles, rules))


def _least(kind: str, rules: RuleSet) -> int:
    return rules.group.least if kind == "group" else rules.run.least


def _meets(kinds: list[frozenset[str]], contract: tuple[int, int]) -> bool:
    """Whether sets are just the groups and runs of a contract."""
    return len(kinds) == sum(contract) and _holds(kinds, contract)


def _holds(kinds: list[frozenset[str]], contract: tuple[int, int]) -> bool:
    """Whether the groups and runs of a contract are among sets, some of which may be either."""
    groups = sum(kind == {"group"} for kind in kinds)
    runs = sum(kind == {"run"} for kind in kinds)
    either = len(kinds) - groups - runs
    return max(0, contract[0] - groups) + max(0, contract[1] - runs) <= either


def _contract_in_words(contract: tuple[int, int]) -> str:
    words = [
        f"{number} {word}{'' if number == 1 else 's'}"
        for number, word in zip(contract, ("set", "run"), strict=True)
        if number
    ]
    return " and ".join(words)


def _examine_before_laying_down(
    turn: Turn,
    before: tuple[Meld, ...],
    play: _CardPlay,
    swapped: int,
    result: Examination,
) -> None:
    """SR-10 and AMB-44: nothing on other sets before the player has laid down."""
    may_swap = result.rules.joker.before_opening
    for old, number in play.grown:
        was, now = before[old], turn.after.melds[number]
        added = Counter(now.tiles) - Counter(was.tiles)
        swap_alone = swapped and _jokers(was) > _jokers(now) and added.total() == 1
        if added and not swap_alone:
            text = f"cards were played on set {number + 1} before the player had laid down"
            repair = f"take back {_named(tuple(added.elements()))}"
            cards = tuple(added.elements())
            result.find(Fault.LAYOFF_BEFORE_LAYDOWN, text, cards, number, repair=repair)
    if swapped and not may_swap:
        text = "a joker was taken from a run before the player had laid down"
        result.find(Fault.JOKER_BEFORE_OPENING, text, repair="put the joker back")


def _examine_buys(turn: Turn, result: Examination) -> None:
    """SR-23, SR-26: before laying down the hand tells the buys, two cards each."""
    buys, dealt = result.rules.buys, result.rules.deal.each[0][1]
    if buys is None or turn.rack_before is None:
        return
    bought = (len(turn.rack_before) - dealt) // buys.cards
    if bought > buys.most:
        text = f"a hand of {len(turn.rack_before)} cards is that of {bought} buys; there are {buys.most}"
        result.find(Fault.TOO_MANY_BUYS, text)


def _examine_discard(turn: Turn, has_laid_down: bool, result: Examination) -> None:
    """SR-07, SR-16 to SR-18: a turn ends with a discard, and not of a card that could be played."""
    if turn.discard is None:
        result.unchecked.append(_NO_DISCARD)
        return
    if not turn.discard:
        if turn.rack_after:
            count = len(turn.rack_after)
            text = f"{count} card{'s are' if count > 1 else ' is'} left in the hand, none discarded"
            result.find(Fault.DISCARD_MISSING, text, repair="discard a card")
        if turn.rack_before == () and turn.rack_after:
            _examine_floating(turn.rack_after[0], turn, result)
        return
    rules = result.rules
    ban = "off" if rules.discard is None else rules.discard.playable_ban
    if ban == "off" or (ban == "laid_down" and not has_laid_down):
        return
    for card in turn.discard:
        number = _taker(card, turn, rules)
        if number is not None:
            text = f"{card.spoken} was discarded, and set {number + 1} could take it"
            repair = f"play {card.spoken} on set {number + 1} and discard another card"
            result.find(Fault.DISCARD_PLAYABLE, text, (card,), number, repair=repair)


def _examine_floating(card: Tile, turn: Turn, result: Examination) -> None:
    """SR-17: a floating player plays the card drawn where it can be played."""
    number = _taker(card, turn, result.rules)
    if number is not None:
        text = f"{card.spoken} was drawn without another card in the hand, and set {number + 1} takes it"
        repair = f"play {card.spoken} on set {number + 1}"
        result.find(Fault.FLOATING_MUST_PLAY, text, (card,), number, repair=repair)


def _taker(card: Tile, turn: Turn, rules: RuleSet) -> int | None:
    """The first set on the table that a card can be played on, in place of a joker too."""
    for number, meld in enumerate(turn.after.melds):
        if forms_a_set((*meld.tiles, card), rules) or _replaces_a_joker(card, meld, rules):
            return number
    return None


def _replaces_a_joker(card: Tile, meld: Meld, rules: RuleSet) -> bool:
    """Whether a card is what a joker of a run stands for."""
    return any(
        tile.is_joker and card in reading.stands_for[index]
        for reading in readings_of(meld.tiles, rules)
        if reading.kind == "run"
        for index, tile in enumerate(meld.tiles)
    )


def _examine_hand(turn: Turn, jokers_away: int, result: Examination) -> None:
    """G-01, G-03 and G-08: one card is drawn, the others are in the hand, played or discarded.

    `jokers_away` jokers left their sets; whether they might is judged by then.
    """
    was, now = Counter(turn.tiles_before), Counter(turn.tiles_after)
    played, gone = now - was, was - now
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
            text = f"{card.spoken} lay on the table and is in the hand now"
            repair = f"put {card.spoken} back on the table"
            result.find(Fault.TABLE_TILE_TO_RACK, text, (card,), repair=repair)
        else:
            _vanished(card, result)
    accounted = holds + played + Counter(turn.discard)
    for card in sorted((held - accounted).elements()):
        text = f"{card.spoken} left the hand, but was neither played nor discarded"
        result.find(
            Fault.TILE_CONSERVATION, text, (card,), repair=f"put {card.spoken} back in the hand"
        )
    if len(turn.discard) > 1:
        text = f"{len(turn.discard)} cards were discarded, and a turn ends with one"
        result.find(Fault.DISCARD_TWO, text, turn.discard, repair="take back all but one")
    drawn = (accounted - held - gone).total()
    expected = result.rules.draw.tiles
    if drawn != expected and not (turn.pool_empty and drawn == 0):
        text = f"{drawn} cards came to the hand in this turn; a turn draws {expected}"
        result.find(Fault.RACK_COUNT, text)


def _vanished(card: Tile, result: Examination) -> None:
    text = f"{card.spoken} lay on the table before the turn and lies there no more"
    repair = f"put {card.spoken} back on the table"
    result.find(Fault.TILE_CONSERVATION, text, (card,), repair=repair)


def _either(cards: frozenset[Tile]) -> str:
    return " or ".join(card.spoken for card in sorted(cards))


def _named(cards: tuple[Tile, ...]) -> str:
    return ", ".join(card.spoken for card in cards)
