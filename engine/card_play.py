"""Turns of the card game of contracts: laying down, laying off, jokers swapped out, and the discard.

Sets on the table are never rearranged (SR-11): each only grows and stays of its kind, but for a joker of
a run that is replaced and goes to the hand (SR-21).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, TypeVar

from engine.card_table import CardPlay, Swap, kinds_that_take, matched, may_become, set_kinds, swap
from engine.examination import Examination
from engine.faults import Fault
from engine.melds import Meld
from engine.ruleset import RuleSet
from engine.set_readings import reaches_round
from engine.sets import is_set, kinds_of
from engine.tiles import Tile
from engine.turns import Turn

_NO_CONTRACT: Final = (
    "The contract of the round is not known, so whether it was met could not be checked."
)
_NO_DISCARD: Final = "The discard is not known, so it was not checked."
_NO_HANDS: Final = (
    "The hand was not seen both before and after the turn: where cards came from was not checked."
)
_WRAP: Final = "run.wrap"
_Answer = TypeVar("_Answer")


def examine_cards(turn: Turn, opened: bool, result: Examination) -> None:
    """Everything about a turn with cards but the sets themselves; the table before is known."""
    before = () if turn.before is None else turn.before.melds
    play = matched(before, turn.after.melds, turn.contract, result.rules)
    # Of a set that lies as it lay there is nothing to ask.
    play.grown = [
        (old, number)
        for old, number in play.grown
        if before[old].packed != turn.after.melds[number].packed
    ]
    for number in play.gone:
        cards = before[number].tiles
        text = f"set {number + 1} of the table before ({_named(cards)}) is not there any more"
        result.find(Fault.TABLE_REARRANGED, text, cards, repair="put the table back as it was")
    _examine_growth(turn, before, play, result)
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


def _examine_growth(
    turn: Turn, before: tuple[Meld, ...], play: CardPlay, result: Examination
) -> None:
    """SR-11: sets stay of their kind, and jokers stay where they are unless a card takes their place."""
    for old, number in play.grown:
        was, now = before[old], turn.after.melds[number]
        kinds = set_kinds(was, turn.contract, result.rules)
        kinds_now = set_kinds(now, turn.contract, result.rules)
        jokers = _swap(was, now, turn, result)
        allowed = _may_become(was, now, turn, result)
        if allowed or not kinds_now or jokers.left > jokers.replaced:
            continue
        text = f"a joker of set {number + 1} does not stand any more for what it stood for"
        if not kinds & kinds_now:
            text = (
                f"set {number + 1} was a {min(kinds)} before the turn and is a {min(kinds_now)} now"
            )
        repair = f"put set {number + 1} back as it was"
        result.find(Fault.TABLE_REARRANGED, text, now.tiles, number, repair=repair)


def _swap(was: Meld, now: Meld, turn: Turn, result: Examination) -> Swap:
    tiles = (*was.tiles, *now.tiles)
    return _hinges(result, tiles, lambda rules: swap(was, now, turn.contract, rules))


def _may_become(was: Meld, now: Meld, turn: Turn, result: Examination) -> bool:
    tiles = (*was.tiles, *now.tiles)
    return _hinges(result, tiles, lambda rules: may_become(was, now, turn.contract, rules))


def _hinges(
    result: Examination, tiles: tuple[Tile, ...], question: Callable[[RuleSet], _Answer]
) -> _Answer:
    """The answer by the rules as they stand; it is noted where another answer to `run.wrap`, which is
    open, would change it. The question is about sets of these tiles alone."""
    rules = result.rules
    if rules.is_open(_WRAP) and reaches_round(tiles):
        answers = {question(answered) for answered in rules.answers_to(_WRAP).values()}
        result.depends_on |= {_WRAP} if len(answers) > 1 else set()
    return question(rules)


def _examine_swaps(
    turn: Turn, before: tuple[Meld, ...], play: CardPlay, result: Examination
) -> tuple[int, int]:
    """SR-21 and SR-22: how many jokers left their sets, and how many of them as they may."""
    away = swapped = 0
    for old, number in play.grown:
        was, now = before[old], turn.after.melds[number]
        jokers = _swap(was, now, turn, result)
        away += jokers.left
        swapped += jokers.replaced
        if jokers.left and not jokers.stand_ins:
            text = f"a joker was taken out of set {old + 1}, where it is locked"
            result.find(Fault.JOKER_LOCKED, text, now.tiles, number, repair="put the joker back")
        elif jokers.replaced < jokers.left:
            missing = _either(jokers.stand_ins)
            text = f"a joker was taken out of set {old + 1}, and no {missing} took its place"
            repair = "put the joker back"
            result.find(Fault.JOKER_NOT_REPLACED, text, now.tiles, number, repair=repair)
    return away, swapped


def _examine_contract(turn: Turn, play: CardPlay, result: Examination) -> bool:
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
    return frozenset(kinds_of(meld.tiles, rules))


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
    play: CardPlay,
    swapped: int,
    result: Examination,
) -> None:
    """SR-10 and AMB-44: nothing on other sets before the player has laid down."""
    may_swap = result.rules.joker.before_opening
    for old, number in play.grown:
        was, now = before[old], turn.after.melds[number]
        added = Counter(now.tiles) - Counter(was.tiles)
        left = _swap(was, now, turn, result).left
        swap_alone = swapped and left and added.total() == 1
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
        number = _taker(card, turn, result)
        if number is not None:
            text = f"{card.spoken} was discarded, and set {number + 1} could take it"
            repair = f"play {card.spoken} on set {number + 1} and discard another card"
            result.find(Fault.DISCARD_PLAYABLE, text, (card,), number, repair=repair)


def _examine_floating(card: Tile, turn: Turn, result: Examination) -> None:
    """SR-17: a floating player plays the card drawn where it can be played."""
    number = _taker(card, turn, result)
    if number is not None:
        text = f"{card.spoken} was drawn without another card in the hand, and set {number + 1} takes it"
        repair = f"play {card.spoken} on set {number + 1}"
        result.find(Fault.FLOATING_MUST_PLAY, text, (card,), number, repair=repair)


def _taker(card: Tile, turn: Turn, result: Examination) -> int | None:
    """The first set on the table that a card can be played on, in place of a joker too.

    A set that may be a group or a run takes a card when both do: nobody is told to play a card
    that may not be played.
    """
    melds = enumerate(turn.after.melds)
    return next((number for number, meld in melds if _takes(card, meld, turn, result)), None)


def _takes(card: Tile, meld: Meld, turn: Turn, result: Examination) -> bool:
    def question(rules: RuleSet) -> bool:
        kinds = set_kinds(meld, turn.contract, rules)
        return bool(kinds) and kinds == kinds_that_take(card, meld, turn.contract, rules)

    return _hinges(result, (*meld.tiles, card), question)


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
