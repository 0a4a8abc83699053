"""Laying down in the card game: whether it is the contract of the round, and what has to wait for it."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.card_matching import CardPlay
from engine.card_table import fewest_jokers, swap
from engine.counts import surplus
from engine.examination import Examination, Play
from engine.faults import Fault
from engine.melds import Meld
from engine.open_rules import LEAST_IN_GROUP, LEAST_IN_RUN, SET_SWITCHES
from engine.ruleset import RuleSet
from engine.set_questions import FEWEST, mattering_to, mattering_to_some
from engine.sets import is_set, kinds_of
from engine.tiles import CARD_JOKER
from engine.turns import Turn
from engine.wording import count_of, in_row, listed, these

_SWAP_FIRST: Final = "joker.before_opening"
_NO_CONTRACT: Final = (
    "The contract of the round is not known, so whether it was met could not be checked."
)
_NO_JOKERS: Final = (
    "The hand was not seen both before and after the turn: whether the contract could be met without "
    "the joker that was swapped was not checked."
)


def examine_contract(turn: Turn, play: CardPlay, result: Examination) -> bool:
    """SR-08, SR-09: whether a player lays down in this turn. Only a contract that is met counts."""
    melds = [turn.after.melds[number] for number in play.new]
    if not melds:
        return False
    if turn.contract is None:
        result.unchecked.append(_NO_CONTRACT)
        return True
    kinds = [_kinds(meld, result) for meld in melds]
    if not all(kinds):
        # What is no set is said already; whether it would have met the contract nobody can say.
        return True
    cards = tuple(tile for meld in melds for tile in meld.tiles)
    wanted = contract_in_words(turn.contract)
    if not _meets(kinds, turn.contract):
        if _holds(kinds, turn.contract):
            text = (
                f"more was laid down ({_sets_in_words(melds)}) than the contract, which is {wanted}"
            )
            result.find(Fault.EXTRA_MELD, text, cards, repair=f"lay down {wanted} alone")
            return True
        text = (
            f"what was laid down ({_sets_in_words(melds)}) is not the contract, which is {wanted}"
        )
        result.find(Fault.CONTRACT_NOT_MET, text, cards, repair=f"take back {these(cards)}")
        return False
    for number, meld in zip(play.new, melds, strict=True):
        _examine_size(number, meld, result)
    return True


def _examine_size(number: int, meld: Meld, result: Examination) -> None:
    """AMB-47: a set of a contract that was met, with more cards than it needs."""
    contracts = result.rules.contracts
    if len(meld) <= FEWEST or not result.by_sets(_mattering_to_size(meld), _is_larger, meld):
        return
    result.depends_on.add("contracts.exact")
    if contracts is not None and contracts.exact:
        text = f"set {number + 1} ({in_row(meld.tiles)}) has more cards than the contract needs"
        result.find(Fault.CONTRACT_EXCEEDED, text, meld.tiles, number)


def _mattering_to_size(meld: Meld) -> tuple[str, ...]:
    """The switches on which it may rest whether a set has more cards than its kind needs."""
    found = {*mattering_to(meld.packed), LEAST_IN_GROUP, LEAST_IN_RUN}
    return tuple(name for name in SET_SWITCHES if name in found)


def _is_larger(meld: Meld, rules: RuleSet) -> bool:
    kinds = _kinds_of(meld, rules)
    return len(meld) > max((_least(kind, rules) for kind in kinds), default=len(meld))


def _kinds(meld: Meld, result: Examination) -> frozenset[str]:
    """The kinds of set that a row is as it lies; none where it is none."""
    return result.by_sets(mattering_to(meld.packed), _kinds_of, meld)


def _kinds_of(meld: Meld, rules: RuleSet) -> frozenset[str]:
    return frozenset(kinds_of(meld.tiles, rules) if is_set(meld.tiles, rules) else ())


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


def contract_in_words(contract: tuple[int, int]) -> str:
    """A contract of so many sets of one rank and so many runs, as `1 set and 2 runs`."""
    kinds = zip(contract, ("set", "run"), strict=True)
    return listed([count_of(number, word) for number, word in kinds if number])


def _sets_in_words(melds: list[Meld]) -> str:
    return "; ".join(in_row(meld.tiles) for meld in melds)


def examine_joker_of_contract(turn: Turn, play: CardPlay, result: Examination) -> None:
    """AMB-44: a joker is swapped after laying down, so it is none of those that the contract needs."""
    melds = [turn.after.melds[number] for number in play.new]
    beyond = turn.contract is not None and len(melds) > sum(turn.contract)
    unfinished = not all(_kinds(meld, result) for meld in melds)
    allowed = result.rules.joker.before_opening
    if (allowed and not result.rules.is_open(_SWAP_FIRST)) or beyond or unfinished:
        return
    needed = sum(_fewest_jokers(meld, turn, result) for meld in melds)
    if not needed:
        return
    if turn.rack_before is None or turn.rack_after is None or turn.discard is None:
        result.unchecked.append(_NO_JOKERS)
        return
    there = (*turn.tiles_after, *turn.rack_after, *turn.discard)
    own = there.count(CARD_JOKER) - turn.tiles_before.count(CARD_JOKER)
    if needed > own:
        result.depends_on.add(_SWAP_FIRST)
    if needed > own and not allowed:
        text = (
            "the contract was met with a joker that was taken from a run, "
            "and that is for players who have laid down"
        )
        result.find(Fault.JOKER_BEFORE_OPENING, text, repair="put the joker back")


def _fewest_jokers(meld: Meld, turn: Turn, result: Examination) -> int:
    return result.by_sets(mattering_to_some(meld.packed), fewest_jokers, meld, turn.contract)


def examine_before_laying_down(
    turn: Turn,
    before: tuple[Meld, ...],
    play: CardPlay,
    moved: Play,
    swapped: int,
    result: Examination,
) -> None:
    """SR-10 and AMB-44: nothing on other sets before the player has laid down."""
    may_swap = result.rules.joker.before_opening
    for old, number in (*play.grown, *play.changed):
        was, now = before[old], turn.after.melds[number]
        more = surplus(Counter(now.tiles), Counter(was.tiles))
        added = Counter(
            {card: n for card, n in more.items() if card.is_joker or moved.played[card]}
        )
        left = swap(was, now, turn.contract, result.rules).left
        swap_alone = swapped and left and added.total() == 1
        if added and not swap_alone:
            cards = tuple(added.elements())
            one = added.total() == 1
            text = f"{these(cards)} {'was' if one else 'were'} played on "
            text += f"set {number + 1} before the player had laid down"
            repair = f"take back {these(cards)}"
            result.find(Fault.LAYOFF_BEFORE_LAYDOWN, text, cards, number, repair=repair)
    if swapped:
        result.depends_on.add(_SWAP_FIRST)
    if swapped and not may_swap:
        text = "a joker was taken from a run before the player had laid down"
        result.find(Fault.JOKER_BEFORE_OPENING, text, repair="put the joker back")


def examine_buys(turn: Turn, result: Examination) -> None:
    """SR-23, SR-26: before laying down the hand tells the buys, two cards each."""
    buys, dealt = result.rules.buys, result.rules.deal.each[0][1]
    if buys is None or turn.rack_before is None:
        return
    bought = (len(turn.rack_before) - dealt) // buys.cards
    if bought > buys.most:
        text = f"a hand of {len(turn.rack_before)} cards is that of {bought} buys; there are {buys.most}"
        result.find(Fault.TOO_MANY_BUYS, text)
