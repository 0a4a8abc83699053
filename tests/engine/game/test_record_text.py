"""The text of a game: printing and parsing are inverse for every event, and nothing is lost."""

from __future__ import annotations

import random
import re
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game.cursor import Cursor
from engine.game.event_lines import FORMS, form_of, parse_event, print_event
from engine.game.events import (
    GameEvent,
)
from engine.game.names import RESERVED, print_name
from engine.game.record import Record, parse_record
from tests.engine.game.event_strategies import (
    EVENTS,
    EXAMPLE,
    KINDS,
    names,
    records,
)

# Printing and parsing are inverse


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_an_event_of_every_kind_is_read_as_it_is_written(
    kind: type[GameEvent], data: st.DataObject
) -> None:
    event = data.draw(EVENTS[kind])
    cursor = Cursor(print_event(event))
    assert parse_event(cursor) == event
    assert cursor.ended


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_field_of_an_event_is_forgotten(kind: type[GameEvent]) -> None:
    """A field that is added to an event fails here until it has a notation."""
    form = form_of(kind)
    written = {part.field for part in form.parts} | ({"player"} if form.by_player else set())
    assert written == {item.name for item in fields(kind)}


@given(records)
def test_a_record_is_read_as_it_is_written(record: Record) -> None:
    text = str(record)
    assert parse_record(text) == record
    assert str(parse_record(text)) == text


def test_the_example_has_every_kind_of_event_and_is_in_print_form() -> None:
    record = parse_record(EXAMPLE)
    assert str(record) == EXAMPLE
    assert {type(event) for event in record.events} == set(KINDS)


@given(records, st.randoms(use_true_random=False))
def test_blanks_between_words_do_not_count(record: Record, chance: random.Random) -> None:
    spaced = "".join(
        chance.choice(["\n", "\n\n", " \n\t"])
        if piece == "\n"
        else chance.choice(["  ", "\t", " "])
        if piece == " "
        else piece + chance.choice(["", " "]) * (piece in "|;:{}!")
        for line in str(bare(record)).splitlines(keepends=True)
        for piece in re.findall(r'"(?:[^"\\]|\\["\\])*"|\n|[ ]|[|;:{}!]|[^ \n|;:{}!"]+|"', line)
    )
    assert parse_record(spaced) == bare(record)


def bare(record: Record) -> Record:
    """The record without its free text, in which every blank counts."""
    return Record(record.entries, result=record.result)


def test_the_words_that_begin_a_line_stand_in_quotes_as_names() -> None:
    assert {form.words.split()[0] for form in FORMS if not form.by_player} == RESERVED
    assert {print_name(word)[0] for word in RESERVED} == {'"'}


@given(names)
def test_a_name_is_read_as_it_is_written(name: str) -> None:
    cursor = Cursor(print_name(name))
    assert cursor.name() == name
    assert cursor.ended
