"""Games of cards, which no camera reads: nobody follows their turns, and the players count each round.

The game is told what every round came to (`engine.game.events.RoundCounted`), and keeps the score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.card_contract import contract_in_words
from engine.faults import Question
from engine.game.cards import contract_of
from engine.game.position import MOVING
from engine.game.state import GameState
from engine.ruleset import RuleSet, quotation
from engine.switches import Switch
from engine.undecided import resting_on
from engine.worlds import question_about
from table.ask import Ask

ORDER = "contracts.order"
PIECES, READ = "equipment.pieces", "tiles"
"""The house rule about what is played with, and the one value of it that can be read."""


@dataclass(frozen=True, slots=True)
class CountView:
    """What a page needs to have a round counted."""

    points: bool
    """Whether cards count points; otherwise each counts one."""
    rule: str
    quote: str
    """What a card counts, in the words of the rules."""
    of_nobody: str
    """What it is called when the round ended though nobody went out."""


def is_read(rules: RuleSet) -> bool:
    """Whether a camera can read what a game by these rules is played with."""
    return rules.equipment.pieces == READ


def values_not_read(switch: Switch) -> list[str]:
    """The values of a house rule by which a game is played with what no camera reads."""
    return [value for value in switch.values if switch.name == PIECES and value != READ]


def ask_round(state: GameState, which: str) -> Ask:
    """What is asked while a round is played that nobody follows; ``which`` is the round, in words."""
    text, contracts = f"Play {which}.", state.rules.contracts
    if contracts is not None:
        text = f"Play {which}: {contract_in_words(contract_of(state))}."
    detail = "The camera does not follow cards. When it is over, count what everybody is left with."
    return Ask(text, detail, (), question=asked_of_round(state))


def asked_of_round(state: GameState) -> Question | None:
    """The house rule on which the contract of the round hangs, while nobody has chosen (AMB-39); None
    mostly. It is played by the usual one as long as nobody answers."""
    if is_read(state.rules) or state.phase not in MOVING:
        return None
    rests = resting_on((ORDER,), state.rules, lambda by: contract_of(replace(state, rules=by)))
    return question_about(ORDER, (), state.rules) if rests else None


def count_view(state: GameState) -> CountView:
    """How a round of this game is counted."""
    by_points = state.rules.score.kind == "card_points"
    rule = state.rules.value_rules["score.card_points" if by_points else "score.kind"]
    nobody = "Nobody: the deck is finished" if by_points else "Nobody: no one can play any more"
    return CountView(by_points, rule, quotation(rule), nobody)
