"""The player who plays at once what can be played, and whole games between such players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.card_table import Contract, stand_ins
from engine.faults import Verdict
from engine.game.card_player import next_event, wants_to_buy
from engine.game.cards import contract_of
from engine.game.cards_contract import find_contract
from engine.game.cards_pile import discard_count
from engine.game.events import CardTaken, Discarded, GameBegun, GameEvent, Played
from engine.game.fold import Game
from engine.game.seats import known_pieces
from engine.game.state import GameState, Phase
from engine.layout import Layout
from engine.melds import parse_tiles
from engine.referee import Ruling, judge
from engine.ruleset import RuleSet, load_ruleset
from engine.sets import kinds_of
from engine.tiles import CARD_JOKER, CARD_SUITS, Tile
from engine.turns import Turn
from tests.engine.game.card_games import DECK, PLAYERS, SETTLED, at, event, then, whole_game

Played_ = tuple[GameEvent, GameState]
RULES = load_ruleset("sets-and-runs", SETTLED)
CONTRACTS = load_ruleset("sets-and-runs").contracts
assert CONTRACTS is not None
GAMES: list[tuple[int, int, Mapping[str, str | int]]] = [
    (1, 3, {}),
    (2, 4, {"run.wrap": "none"}),
    (3, 5, {"run.least": 3, "joker.max_per_set": 1, "contracts.order": "family"}),
    (4, 6, {"joker.before_opening": "yes", "buys.laid_down": "no", "buys.first_upcard": "no"}),
    (5, 4, {"discard.playable_ban": "any", "joker.naturals": "as_many", "run.order": "laid"}),
]


@cache
def game(number: int) -> tuple[Played_, ...]:
    """One of `GAMES`, event by event; it is played once for all tests."""
    seed, players, house = GAMES[number]
    return tuple(whole_game(seed, players, {**SETTLED, **house}))


every_game = pytest.mark.parametrize("number", range(len(GAMES)))


# The contract in a hand


def holds(hand: tuple[Tile, ...], contract: Contract, rules: RuleSet) -> bool:
    """Whether a hand holds a contract: every way to take sets of any size out of it, one by one."""
    if not any(contract):
        return True
    kind, rest = ("group", (contract[0] - 1, contract[1]))
    if not contract[0]:
        kind, rest = ("run", (0, contract[1] - 1))
    for size in range(3, len(hand) + 1):
        for chosen in dict.fromkeys(combinations(hand, size)):
            if kind in kinds_of(chosen, rules):
                left = tuple((Counter(hand) - Counter(chosen)).elements())
                if holds(left, rest, rules):
                    return True
    return False


NEAR = [
    card for card in DECK if card.suit in CARD_SUITS[:2] and card.rank in (1, 2, 3, 4, 5, 12, 13)
]
places = st.integers(0, len(NEAR) + 2)
hands = st.lists(places, max_size=9, unique=True).map(
    lambda chosen: tuple(sorted((*NEAR, *[CARD_JOKER] * 3)[place] for place in chosen))
)
house_rules = st.sampled_from(
    [
        {"run.wrap": "none"},
        {"run.wrap": "high_or_low"},
        {"run.wrap": "full", "run.least": 3},
        {"run.wrap": "none", "joker.naturals": "as_many"},
        {"run.wrap": "high_or_low", "joker.max_per_set": 1, "group.least": 4},
    ]
)


@given(hands, st.sampled_from([(1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1)]), house_rules)
@settings(max_examples=200, deadline=None)
def test_a_contract_is_found_if_and_only_if_the_hand_holds_it(
    hand: tuple[Tile, ...], contract: Contract, house: dict[str, str | int]
) -> None:
    """Against trying everything; and what is found is that contract, of cards of the hand."""
    rules = load_ruleset("sets-and-runs", {**SETTLED, **house})
    found = find_contract(hand, contract, rules)
    assert (found is not None) == holds(hand, contract, rules)
    if found is None:
        return
    assert not Counter(card for meld in found for card in meld) - Counter(hand)
    turn = Turn(Layout(), Layout(found), opened=False, contract=contract)
    assert judge(turn, rules).verdict is Verdict.LEGAL


@pytest.mark.parametrize(
    ("cards", "contract", "expected"),
    [
        ("7S 7H 7D KS KH KD 2C", (2, 0), "7S 7H 7D | KS KH KD"),
        # no joker where the cards do without
        ("7S 7H 7D KS KH KD * *", (2, 0), "7S 7H 7D | KS KH KD"),
        ("7S 7H 7D KS KH * *", (2, 0), "7S 7H 7D | KS KH *"),
        # a card serves the set that cannot do without it
        ("4S 5S 6S 7S 7H 7D 7C", (1, 1), "7H 7D 7C | 4S 5S 6S 7S"),
        ("4S 5S 6S 7S 7H 7D", (1, 1), None),
        ("4S 5S 6S 7S 7H 7D *", (1, 1), "7S 7H 7D | * 4S 5S 6S"),
        ("3S 4S 5S 6S 7S 8S 9S", (0, 2), None),
        ("3S 4S 5S 6S 7S 8S 9S 10S", (0, 2), "3S 4S 5S 6S | 7S 8S 9S 10S"),
        # TV-24: twelve cards at least
        (
            "3S 4S 5S 6S 3H 4H 5H 6H 9D 10D JD QD",
            (0, 3),
            "3S 4S 5S 6S | 3H 4H 5H 6H | 9D 10D JD QD",
        ),
        ("10S JS QS KS AS 2S 3S 4S", (0, 2), "AS 2S 3S 4S | 10S JS QS KS"),
        ("JS QS KS AS", (0, 1), "JS QS KS AS"),
        ("QS KS AS 2S", (0, 1), None),
        ("* * * *", (1, 0), None),
    ],
)
def test_contracts_of_hands(cards: str, contract: Contract, expected: str | None) -> None:
    found = find_contract(parse_tiles(cards), contract, RULES)
    assert (None if found is None else str(Layout(found))) == expected


# What the player does


# fmt: off
NEXT = [
    # laying down, then laying off everything, then discarding the dearest card
    (at(hand="7S 7H 7D KS KH KD 4S 7C"), "Ada plays: 7S 7H 7D | KS KH KD"),
    (at("7S 7H 7D", "7C KS", laid_down="Ada"), "Ada plays: 7S 7H 7D 7C"),
    (at("7S 7H 7D", "2C KS", laid_down="Ada"), "Ada discards KS"),
    # at the end where it lies in order, whichever way the run was laid
    (at("4S 5S 6S 7S", "3S 8S KD", laid_down="Ada", number=3), "Ada plays: 3S 4S 5S 6S 7S 8S"),
    (at("7S 6S 5S 4S", "3S 8S KD", laid_down="Ada", number=3), "Ada plays: 8S 7S 6S 5S 4S 3S"),
    (at("6S 4S 5S 7S", "3S KD", laid_down="Ada", number=3), "Ada plays: 6S 4S 5S 7S 3S"),
    # a joker swapped out is played again
    (at("4S * 6S 7S | 9H 9C 9D", "5S KD", laid_down="Ada", number=2),
     "Ada plays: 4S 5S 6S 7S * | 9H 9C 9D"),
    # before laying down: what goes with nothing, and no joker
    (at(hand="7S 7H 8D KS KH QC *"), "Ada discards QC"),
    (at(hand="7S 7H 8D KS KH QC *", number=3), "Ada discards KS"),
    # where everybody is bound not to discard what could be played
    (at("QS QH QD", "7S 7H KS KH QC 8D", house={**SETTLED, "discard.playable_ban": "any"}),
     "Ada discards 8D"),
    # how a turn begins
    (at(hand="7S 7H 8D", phase=Phase.TURN, discards="7C", dead=False), "Ada takes from discard 7C"),
    (at(hand="7S 7H 8D", phase=Phase.TURN, discards="7C"), "Ada takes from deck"),
    (at(hand="7S 2H 8D", phase=Phase.TURN, discards="7C", dead=False), "Ada takes from deck"),
    (at("7S 7H 7D", "2H", phase=Phase.TURN, discards="7C", dead=False, laid_down="Ada"),
     "Ada takes from discard 7C"),
    (at("7S 7H 7D", "2H", phase=Phase.TURN, discards="8C", dead=False, laid_down="Ada"),
     "Ada takes from deck"),
    (at(hand="2H", phase=Phase.TURN, discards="8C 9C", pool=0), "reshuffle"),
    (at(hand="2H", phase=Phase.TURN, discards="8C 9C", pool=0, reshuffles=1), "play stops"),
]
# fmt: on


@pytest.mark.parametrize(("state", "expected"), NEXT, ids=[text for _, text in NEXT])
def test_what_the_player_does(state: GameState, expected: str) -> None:
    assert next_event(state) == event(expected)
    then(state, expected)


def test_the_player_buys_before_laying_down_what_goes_with_two_cards() -> None:
    hands = ("7S 7H 2D", "7S 2D 3C")
    state = at(hand="2S", others=hands, phase=Phase.TURN, discards="7C", dead=False)
    assert [wants_to_buy(state, index) for index in (1, 2)] == [True, False]
    laid_down = at(hand="2S", others=hands, phase=Phase.TURN, discards="7C", laid_down="Ben")
    assert not wants_to_buy(laid_down, 1)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (at(hand=3), "not known"),
        (at(hand="2H", phase=Phase.DEAL), "nobody's turn"),
        (at(hand="2H", phase=Phase.ROUND_OVER), "nobody's turn"),
    ],
)
def test_without_a_hand_or_a_turn_there_is_nothing_to_do(state: GameState, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        next_event(state)


# Whole games


def turns(played: tuple[Played_, ...]) -> list[tuple[GameState, Turn, RuleSet]]:
    """Every turn of a game as one turn: the state it began in, and the turn for the referee."""
    found = []
    for at_event, (item, after) in enumerate(played):
        if isinstance(item, CardTaken):
            before = played[at_event - 1][1]
        ends = isinstance(item, Discarded) or (isinstance(item, Played) and _floats(item, after))
        if not ends:
            continue
        index = before.to_move
        assert index is not None
        turn = Turn(
            before=_sets(before),
            after=_sets(after),
            rack_before=before.seats[index].rack,
            rack_after=after.seats[index].rack,
            opened=before.seats[index].opened,
            pool_empty=before.pool == 0,
            contract=contract_of(before),
            discard=(item.card,) if isinstance(item, Discarded) else (),
        )
        found.append((before, turn, before.rules))
    return found


def _floats(item: Played, after: GameState) -> bool:
    return next(seat.held for seat in after.seats if seat.name == item.player) == 0


def _sets(state: GameState) -> Layout:
    assert isinstance(state.table, Layout)
    return state.table


@every_game
def test_every_turn_is_legal_when_it_is_judged_as_a_whole(number: int) -> None:
    """The steps judge a turn piece by piece; the referee finds the same of it at once."""
    rulings: list[Ruling] = []
    for before, turn, rules in turns(game(number)):
        rulings.append(judge(turn, rules))
        assert rulings[-1].verdict is Verdict.LEGAL, (str(before.table), turn, rulings[-1])
        assert not rulings[-1].unchecked
    assert len(rulings) > 100


@every_game
def test_no_card_is_lost_or_made(number: int) -> None:
    """G-01, SR-02: 108 cards at each event, every one of them in a known place or in the deck."""
    for item, state in game(number):
        in_deck = Counter(DECK) - known_pieces(state)
        if state.phase is Phase.DEAL or state.phase is Phase.GAME_OVER:
            continue
        assert in_deck.total() == state.pool, item
        assert discard_count(state) == len(state.discards)
        assert all(seat.rack is not None and len(seat.rack) == seat.held for seat in state.seats)


@every_game
def test_a_game_has_seven_rounds_and_its_points_are_the_cards_held(number: int) -> None:
    """SR-03, SR-19, SR-29; whoever ended a round has none."""
    last = game(number)[-1][1]
    assert (last.phase, len(last.ended)) == (Phase.GAME_OVER, 7)
    points = dict.fromkeys((seat.name for seat in last.seats), 0)
    for ended in last.ended:
        for name, cards in ended.held.items():
            points[name] += sum(worth(card) for card in cards)
        assert ended.out is None or not ended.held[ended.out]
        assert ended.pool_exhausted == (ended.out is None)
    assert last.scores is not None
    assert dict(last.scores.totals) == {name: Fraction(total) for name, total in points.items()}
    assert set(last.winners) == {n for n, total in points.items() if total == min(points.values())}
    assert all(check.holds for check in last.scores.checks)


def worth(card: Tile) -> int:
    """SR-19 in its own words: tens and face cards ten, aces fifteen, jokers fifty, others five."""
    text = str(card)
    return {"*": 50, "A": 15, "1": 10, "J": 10, "Q": 10, "K": 10}.get(text[0], 5)


@every_game
def test_the_rounds_go_through_the_contracts_and_round_the_table(number: int) -> None:
    """SR-04, SR-27."""
    begun = [state for item, state in game(number) if state.turn == 1 and state.phase is Phase.TURN]
    firsts = {state.round: state for state in begun}
    players = len(begun[0].seats)
    assert [state.to_move for state in firsts.values()] == [n % players for n in range(7)]
    order = "family" if "contracts.order" in GAMES[number][2] else "rising"
    wanted = load_ruleset("sets-and-runs", {"contracts.order": order}).contracts
    assert wanted is not None
    assert tuple(contract_of(state) for state in firsts.values()) == wanted.in_order


def test_the_games_hold_what_they_are_to_test() -> None:
    """Buys, joker swaps, floating players, reshuffles and rounds that the deck ended all came up."""
    found: Counter[str] = Counter()
    for number in range(len(GAMES)):
        for item, _ in game(number):
            found[type(item).__name__] += 1
        for before, turn, _ in turns(game(number)):
            found["floats"] += turn.discard == ()
            found["floated"] += before.seats[before.to_move or 0].held == 0
            found["swaps"] += _swapped(before, turn.after)
    for what in ("CardBought", "Reshuffled", "PlayStopped", "floats", "floated", "swaps"):
        assert found[what], what


def _swapped(before: GameState, after: Layout) -> int:
    """In how many runs a card took a joker's place; sets keep their places on these tables."""
    return sum(
        bool(stand_ins(was, contract_of(before), before.rules) & {*now} - {*was})
        for was, now in zip(_sets(before).melds, after.melds, strict=False)
    )


def test_a_game_told_again_comes_to_the_same() -> None:
    """The same seed is the same game, and the fold of its events its last state."""
    seed, players, house = GAMES[0]
    again = tuple(whole_game(seed, players, {**SETTLED, **house}))
    assert again == game(0)
    opening = GameBegun("sets-and-runs", PLAYERS[:players], {**SETTLED, **house})
    told = Game.of([opening, event("Ada begins"), *(item for item, _ in again)])
    assert isinstance(told, Game)
    assert told.state == again[-1][1]
