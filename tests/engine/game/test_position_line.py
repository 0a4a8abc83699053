"""The line of a position: parsing and printing are inverse, and what is wrong with one is told apart."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game.position import Place, Position, TokensOn, check_position, parse_position
from engine.game.state import Phase
from engine.game.text_errors import AmbiguousError, GameTextError, IllegalError, MalformedError
from engine.layout import GridLayout, Layout, parse_layout
from engine.melds import Meld
from engine.notation import NotationError
from engine.tiles import TILES, Tile

FULL = (
    "position/1 pressman; house: joker.freeze=none opening.points=40; round: 2; game: 1; turn: 14; "
    'phase: turn; players: Ada | "Ben B." | Cleo; racks: K7 K8 J | #12 | ?; opened: yes | no | ?; '
    "buys: 0 | 1 | ?; scores: 12 | -37/3 | 1/3; starter: Ada; to-move: Cleo; "
    "table: K1 K2 K3 | R10 B10 O10; tokens: Ada 1 K1 K2 K3 | Cleo 3 R10 B10; pool: 34; "
    "discard: B2 dead; elapsed: 41.5"
)
LEAST = "position/1 pressman; table: -"
"""All that a position has to hold."""


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions that can be, anything in them known or not."""
    chance = draw(st.randoms(use_true_random=False))
    deck = list(TILES * 2)
    chance.shuffle(deck)
    names = chance.sample(["Ada", "Ben B.", "a;b|c", '"', "K7", "for"], chance.randint(0, 4))
    places = tuple(_place(name, deck, chance) for name in names)
    phase = chance.choice([None, *Phase])
    moving = phase in (None, Phase.TURN, Phase.PLAY)
    discard = chance.choice([None, (), (deck.pop(),)])
    grid = GridLayout(((deck.pop(), None), (deck.pop(), deck.pop())))
    melds = tuple(Meld((deck.pop(), deck.pop())) for _ in range(chance.randint(0, 4)))
    tokens = [TokensOn(chance.choice(names), chance.randint(1, 3), meld) for meld in melds if names]
    return Position(
        "pressman",
        chance.choice([Layout(melds), grid]),
        places,
        chance.choice([{}, {"joker.freeze": "full", "opening.points": 40}]),
        *(chance.choice([None, chance.randint(0, 99)]) for _ in range(3)),
        phase,
        chance.choice([None, *names]),
        chance.choice([None, *names]) if moving else None,
        chance.choice([None, tuple(tokens)]),
        None if places or discard else chance.choice([None, 7]),
        discard,
        bool(discard) and chance.random() < 0.5,
        chance.choice([None, 0.0, 41.5, chance.random()]),
    )


def _place(name: str, deck: list[Tile], chance: random.Random) -> Place:
    hand = tuple(deck.pop() for _ in range(chance.randint(0, 5)))
    return Place(
        name,
        chance.choice([None, 3, hand]),
        chance.choice([None, True, False]),
        chance.choice([None, chance.randint(0, 3)]),
        chance.choice([None, Fraction(chance.randint(-99, 99), chance.randint(1, 4))]),
    )


# Printing and parsing are inverse


@given(positions())
def test_a_position_is_read_as_it_is_written(position: Position) -> None:
    line = str(position)
    assert parse_position(line) == position
    assert str(parse_position(line)) == line
    assert "\n" not in line


@pytest.mark.parametrize("line", [FULL, LEAST])
def test_a_position_in_print_form_is_printed_so(line: str) -> None:
    assert str(parse_position(line)) == line


def test_every_field_holds_what_it_says() -> None:
    position = parse_position(FULL)
    assert position.house_rules == {"joker.freeze": "none", "opening.points": 40}
    assert (position.round, position.game, position.turn) == (2, 1, 14)
    assert (position.phase, position.starter, position.to_move) == (Phase.TURN, "Ada", "Cleo")
    assert [place.name for place in position.places] == ["Ada", "Ben B.", "Cleo"]
    assert [place.held for place in position.places] == [3, 12, None]
    assert [place.opened for place in position.places] == [True, False, None]
    assert [place.buys for place in position.places] == [0, 1, None]
    assert [place.points for place in position.places] == [12, Fraction(-37, 3), Fraction(1, 3)]
    assert position.table == parse_layout("K1 K2 K3 | R10 B10 O10")
    assert position.tokens is not None
    assert [item.level for item in position.tokens] == [1, 3]
    assert (position.pool, position.discard_dead, position.elapsed_s) == (34, True, 41.5)


def test_fields_may_be_given_in_any_order_and_with_any_blanks() -> None:
    fields = FULL.split("; ")
    turned = f"\t{fields[0]} ;  " + " ;\t".join(reversed(fields[1:])).replace(": ", "  :")
    assert parse_position(turned) == parse_position(FULL)


def test_everybody_may_see_a_position_without_its_racks() -> None:
    position = parse_position(FULL)
    assert "K7" not in str(position.without_racks())
    assert [place.rack for place in position.without_racks().places] == [3, 12, None]


# Errors


@pytest.mark.parametrize(
    ("line", "column", "came"),
    [
        ("", 1, ""),
        ("turn/1 pressman", 1, "turn/1"),
        ("position/2 pressman; table: -", 10, "2"),
        ("position/1; table: -", 1, "position/1"),
        ("position/1 pressman", 20, ""),
        (f"{LEAST} K7", 29, "-"),
        (f"{LEAST}; ", 32, ""),
        (f"{LEAST}; decks: 2", 32, "decks:"),
        (f"{LEAST}; table: -", 32, "table:"),
        (f"{LEAST}; pool: many", 38, "many"),
        (f"{LEAST}; pool: -1", 38, "-1"),
        (f"{LEAST}; pool: 007", 38, "007"),
        (f"{LEAST}; pool: 1 2", 40, "2"),
        (f"{LEAST}; phase: midgame", 39, "midgame"),
        (f"{LEAST}; racks: ?", 32, "racks:"),
        (f"{LEAST}; players: Ada | Ben; racks: ?", 52, "racks:"),
        (f"{LEAST}; players: Ada | Ben; racks: #12 | K14", 65, "K14"),
        (f"{LEAST}; players: Ada | Ben; opened: yes | maybe", 66, "maybe"),
        (f"{LEAST}; players: Ada | Ben; scores: 1.5 | 2", 61, ".5"),
        (f"{LEAST}; players: Ada | deal", 47, "deal"),
        (f"{LEAST}; players: Ada B. | Ben", 45, "B."),
        (f"{LEAST}; to-move: ?", 41, "?"),
        (f"{LEAST}; house: joker.freeze", 51, ""),
        (f"{LEAST}; elapsed: 4e400", 41, "4e400"),
        (f"{LEAST}; discard: KH 2H", 44, "2H"),
        (f"{LEAST}; players: Ada; tokens: Ada 4 K1 K2 K3", 58, "4"),
        (f"{LEAST}; players: Ada; tokens: Ada 1 -", 60, "-"),
        ("position/1 pressman; table: K7 | ", 33, ""),
        ("position/1 pressman; table: K7 / K8", 32, "/"),
        ("position/1 pressman; table: grid", 33, ""),
    ],
)
def test_what_is_malformed_is_told_with_its_place(line: str, column: int, came: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_position(line)
    assert (caught.value.column, caught.value.came) == (column, came)
    assert isinstance(caught.value, NotationError)
    assert str(caught.value).startswith("expected ")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("position/1 pressman; table: K7 K7 K7", "K7 .* there 3 times"),
        ("position/1 pressman; table: K7; players: Ada; racks: K7 K7", "K7 .* there 3 times"),
        ("position/1 pressman; table: J J | J", "J .* there 3 times"),
        ("position/1 sets-and-runs; table: K7 K8 K9", "is a tile"),
        ("position/1 pressman; table: 7H 8H 9H", "is a card"),
        (f"{LEAST}; pool: 107", "hold 107 tiles"),
        (f"{LEAST}; players: Ada | Ben; racks: #60 | #60", "hold 120 tiles"),
        (f"{LEAST}; phase: turn; players: Ada | Ben; racks: #14 | #14; pool: 70", "hold 98 tiles"),
        ("position/1 canasta; table: -", "no rules 'canasta'"),
        (f"{LEAST}; house: joker.colour=green", "no house rule 'joker.colour'"),
        (f"{LEAST}; house: joker.freeze=sometimes", "joker.freeze is one of"),
        (f"{LEAST}; players: Ada | Ben; to-move: Cleo", "'Cleo' is none of the players"),
        (f"{LEAST}; players: Ada | Ben; starter: Cleo", "'Cleo' is none of the players"),
        (f"{LEAST}; players: Ada | Ben; tokens: Cleo 1 K7 K8 K9", "'Cleo' is none of the players"),
        (f"{LEAST}; players: Ada | Ben; phase: deal; to-move: Ada", "nobody is to move"),
    ],
)
def test_what_cannot_be_is_illegal(line: str, why: str) -> None:
    with pytest.raises(IllegalError, match=why) as caught:
        parse_position(line)
    assert caught.value.event is None
    assert not isinstance(caught.value, NotationError)


@pytest.mark.parametrize(
    "players", ["Ada | Ben | Ada", 'Ada | Zoë | "Zoe\u0308"'], ids=["equal", "looks equal"]
)
def test_two_players_of_one_name_are_ambiguous(players: str) -> None:
    with pytest.raises(AmbiguousError, match="two players") as caught:
        parse_position(f"{LEAST}; players: {players}")
    assert caught.value.candidates[1] == "seat 3"


@pytest.mark.parametrize(
    ("line", "there_is"),
    [
        (f"{LEAST}; phase: turn; players: Ada | Ben; racks: #14 | #14; pool: 78", 78),
        (f"{LEAST}; phase: deal; players: Ada | Ben; racks: #0 | #0; pool: 104", 104),
        (f"{LEAST}; players: Ada | Ben; racks: #14 | ?; pool: 70", 70),
        ("position/1 sets-and-runs; table: -; phase: turn; pool: 80; discard: KH", 80),
    ],
)
def test_pieces_that_may_lie_elsewhere_are_not_missed(line: str, there_is: int) -> None:
    assert parse_position(line).pool == there_is


def test_a_position_that_is_made_is_checked_for_its_tiles_when_told() -> None:
    position = Position("pressman", parse_layout("K7 K7 K7"))
    with pytest.raises(IllegalError):
        check_position(position)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"pool": -1}, "0 or more"),
        ({"elapsed_s": -1.0}, "0 seconds or more"),
        ({"discard": TILES[:2]}, "top card"),
        ({"discard_dead": True}, "can be dead"),
        ({"places": (Place("A\nda"),)}, "is no name"),
        ({"places": (Place("Ada", -2),)}, "0 or more"),
        ({"tokens": (TokensOn("Ada", 4, Meld(TILES[:3])),), "places": (Place("Ada"),)}, "1 to 3"),
    ],
)
def test_a_position_is_checked_when_it_is_made(change: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        replace(Position("pressman", Layout()), **change)  # type: ignore[arg-type]


def outcome(line: str) -> Position | GameTextError:
    try:
        return parse_position(line)
    except GameTextError as error:
        return error


@given(
    positions(),
    st.lists(
        st.tuples(
            st.floats(0, 1, exclude_max=True),
            st.integers(0, 6),
            st.text(alphabet=' \n"\\;:|#?-/0159KJAdabyo\u2028\x00é', max_size=4),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_an_edited_line_is_read_or_refused(
    position: Position, changes: list[tuple[float, int, str]]
) -> None:
    line = str(position)
    for place, cut, piece in changes:
        at = int(place * len(line))
        line = line[:at] + piece + line[at + cut :]
    read = outcome(line)
    if isinstance(read, Position):
        assert parse_position(str(read)) == read
    elif isinstance(read, MalformedError):
        assert 1 <= read.column <= len(line) + 1
    assert "\n" not in str(read)


@given(st.text(max_size=40) | st.text(alphabet='position/1 rmanlk:;|"#?-', max_size=60))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    for start in ("", f"{LEAST}; ", "position/1 pressman; players: "):
        assert str(outcome(start + text))
