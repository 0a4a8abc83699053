"""What is wrong with the text of a game is told apart, with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.faults import Fault, Finding, Ruling, Verdict
from engine.game.event_lines import print_event
from engine.game.events import (
    CardTaken,
    Corrected,
    GameBegun,
    GameEvent,
    HouseRuleChosen,
    Passed,
    Reshuffled,
    StarterNamed,
)
from engine.game.names import check_players, is_name
from engine.game.record import Entry, Note, Record, parse_record, split_records
from engine.game.text_errors import AmbiguousError, GameTextError, IllegalError, MalformedError
from engine.notation import NotationError
from tests.engine.game.event_strategies import (
    EXAMPLE,
    records,
    without_blanks,
)


def edited(text: str, edits: list[tuple[float, str, str]]) -> str:
    """The text with something cut out, put in or repeated at some places, each told as a fraction."""
    for place, what, piece in edits:
        at = int(place * len(text))
        if what == "cut":
            text = text[:at] + text[at + len(piece) :]
        elif what == "repeat":
            text = text[:at] + text[at : at + 20 * len(piece)] + text[at:]
        else:
            text = text[:at] + piece + text[at:]
    return text


edits = st.lists(
    st.tuples(
        st.floats(0, 1, exclude_max=True),
        st.sampled_from(["cut", "put", "repeat"]),
        st.text(alphabet=' \n"\\;:|{}!=.,-#?/0159KJAdabyo\u2028\x00é', min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=3,
)


@given(records | st.just(parse_record(EXAMPLE)), edits)
def test_an_edited_record_is_read_without_loss_or_refused(
    record: Record, changes: list[tuple[float, str, str]]
) -> None:
    """Whatever is read prints as it was given but for blanks; whatever is not is told with its place."""
    text = edited(str(record), changes)
    read = outcome(text)
    if isinstance(read, Record):
        assert without_blanks(str(read)) == without_blanks(text)
        return
    assert "\n" not in str(read)
    if isinstance(read, MalformedError):
        lines = text.split("\n")
        assert read.line is not None
        assert 1 <= read.line <= len(lines)
        assert 1 <= read.column <= len(lines[read.line - 1]) + 1


def outcome(text: str) -> Record | GameTextError:
    """The record of a text, or why there is none; nothing else may happen."""
    try:
        return parse_record(text)
    except GameTextError as error:
        return error


@given(st.text(max_size=60) | st.text(alphabet='record/1 pm:;|"Ada=2.\n', max_size=60))
def test_any_text_is_a_record_or_refused(text: str) -> None:
    for start in ("", "record/1 pressman\nplayers: Ada | Ben\n2. ", "record/1 pressman\n"):
        assert str(outcome(start + text))


HEAD = "record/1 pressman\nplayers: Ada | Ben\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "came"),
    [
        ("", 1, 1, ""),
        ("record/2 pressman", 1, 8, "2"),
        ("game/1 pressman", 1, 1, "game/1"),
        ("record/1 pressman; players: Ada", 1, 18, ";"),
        ("record/1 pressman\n\n2. deal", 3, 1, "2."),
        ("record/1 pressman\n", 2, 1, ""),
        ("record/1 pressman\nplayers:", 2, 9, ""),
        ("record/1 pressman\nplayers: Ada | Ben\nhouse: a.b=1", 3, 1, "house:"),
        ("record/1 pressman\nplayers: Ada | Ben\nplayers: Ada | Ben", 3, 1, "players:"),
        ("record/1 pressman\nhouse: a.b=1 a.b=2\nplayers: Ada", 2, 14, "a.b=2"),
        ("record/1 pressman\nhouse: a.b=007\nplayers: Ada", 2, 12, "007"),
        ("record/1 pressman\nplayers: Ada | Ben B.", 2, 20, "B."),
        ('record/1 pressman\nplayers: "Ada" | Ben', 2, 10, '"Ada"'),
        ("record/1 pressman\nplayers: deal | Ben", 2, 10, "deal"),
        ('record/1 pressman\nplayers: "A\\da" | Ben', 2, 10, '"A\\da"'),
        ('record/1 pressman\nplayers: "Ada | Ben', 2, 10, '"Ada | Ben'),
        ('record/1 pressman\nplayers: "A\tda" | Ben', 2, 10, '"A\tda"'),
        ('record/1 pressman\nplayers: " Ada" | Ben', 2, 10, '" Ada"'),
        ('record/1 pressman\nplayers: "" | Ben', 2, 10, '""'),
        (f"{HEAD}date: \x07", 3, 7, "\x07"),
        (f"{HEAD}result: Ada 24 | Ben 24.5", 3, 24, ".5"),
        (f"{HEAD}result: Ada 2/4 | Ben 1", 3, 13, "2/4"),
        (f"{HEAD}dealer: Ada", 3, 1, "dealer:"),
        (f"{HEAD}3. deal", 3, 1, "3."),
        (f"{HEAD}02. deal", 3, 1, "02."),
        (f"{HEAD}2 deal", 3, 3, "deal"),
        (f"{HEAD}2. deal 3. Ada begins", 3, 9, "3."),
        (f"{HEAD}2. Ada", 3, 7, ""),
        (f"{HEAD}2. Ada wins", 3, 8, "wins"),
        (f"{HEAD}2. Ada plays: K7 K14", 3, 18, "K14"),
        (f"{HEAD}2. Ada plays:", 3, 14, ""),
        (f"{HEAD}2. Ada plays: K7; holds K1", 3, 17, ";"),
        (f"{HEAD}2. Ada plays: K7 {{41.50 s}}", 3, 19, "41.50"),
        (f"{HEAD}2. Ada plays: K7 {{-1 s}}", 3, 19, "-1"),
        (f"{HEAD}2. Ada plays: K7 {{nan s}}", 3, 19, "nan"),
        (f"{HEAD}2. Ada plays: K7 {{1e999 s}}", 3, 19, "1e999"),
        (f"{HEAD}2. Ada plays: K7 {{3 s", 3, 21, "s"),
        (f"{HEAD}2. Ada runs out of time {{3 s}}", 3, 25, "{"),
        (f"{HEAD}2. Ada draws K7 | K8", 3, 17, "|"),
        (f"{HEAD}2. Ada claims -", 3, 15, "-"),
        (f"{HEAD}2. Ada discards", 3, 16, ""),
        (f"{HEAD}2. deal: Ada K7 Ben B7", 3, 17, "Ben"),
        (f"{HEAD}2. Ada plays: K7 ! FINE", 3, 20, "FINE"),
        (f"{HEAD}2. Ada plays: K7 ! LEGAL RUN_GAP PR-07", 3, 26, "RUN_GAP"),
        (f"{HEAD}2. Ada plays: K7 ! ILLEGAL RUN_GAP", 3, 35, ""),
        (f"{HEAD}2. correct 1: correct 1: deal", 3, 15, "correct"),
        (f"{HEAD}2. game pressman; players: Ada", 3, 4, "game"),
        (f"{HEAD}2. deal\n= 12", 4, 3, "12"),
        (f"{HEAD}2. deal\n= {'0' * 64}\n= {'0' * 64}", 5, 3, "0" * 64),
    ],
)
def test_what_is_malformed_is_told_with_its_place(
    text: str, line: int, column: int, came: str
) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_record(text)
    assert (caught.value.line, caught.value.column, caught.value.came) == (line, column, came)
    assert str(caught.value).startswith(f"line {line}: expected ")
    assert isinstance(caught.value, NotationError)


@pytest.mark.parametrize(
    ("text", "candidates", "event"),
    [
        ("record/1 pressman\nplayers: Ada | Ben | Ada", ("seat 1", "seat 3"), None),
        ('record/1 pressman\nplayers: Zo\u00eb | "Zoe\u0308"', ("seat 1", "seat 2"), None),
        (f"{HEAD}2. correct 1: game sabra; players: Ada | Ada", ("seat 1", "seat 2"), 2),
    ],
)
def test_players_who_cannot_be_told_apart_are_ambiguous(
    text: str, candidates: tuple[str, ...], event: int | None
) -> None:
    with pytest.raises(AmbiguousError) as caught:
        parse_record(text)
    assert caught.value.candidates == candidates
    assert caught.value.event == event


def test_a_winner_who_did_not_play_is_illegal() -> None:
    with pytest.raises(IllegalError, match="one of the players"):
        parse_record(f"{HEAD}result: Ada 1 | Ben 2; won by Cleo")


def test_what_cannot_be_seen_is_no_name_and_tells_none_apart() -> None:
    for unseen in ("\u200b", "\u00ad", "\u2060 \ufeff", "\u3164", "\u2800", "\u200d"):
        assert not is_name(unseen)
    assert is_name("\U0001f468\u200d\U0001f469\u200d\U0001f467"), "a family, joined"
    with pytest.raises(AmbiguousError, match="that of two players"):
        check_players(("Ada", "Ada\u200b"))


def test_a_big_and_a_small_letter_are_two_names() -> None:
    assert parse_record("record/1 pressman\nplayers: Ada | ada").begun.players == ("Ada", "ada")


@pytest.mark.parametrize(
    "name", ["", " ", " Ada", "Ada ", "A\nda", "A\x00", "A\u2028da", "\ud800", "\u202eadA", "\x85"]
)
def test_a_text_that_does_not_stay_on_its_line_is_no_name(name: str) -> None:
    assert not is_name(name)
    with pytest.raises(ValueError, match="is no name"):
        print_event(StarterNamed(name))
    with pytest.raises(ValueError, match="is no text"):
        Record((Entry(GameBegun("pressman", ("Ada", "Ben"))),), place=name)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (GameBegun("no preset", ("Ada", "Ben")), "no name of a preset"),
        (GameBegun("pressman", ()), "has players"),
        (GameBegun("pressman", ("Ada", "Ada")), "two players"),
        (GameBegun("pressman", ("Ada", "Ben"), locks=-1), "-1 is no number"),
        (HouseRuleChosen("joker freeze", "none"), "no house rule"),
        (HouseRuleChosen("joker.freeze", "30"), "no value"),
        (HouseRuleChosen("joker.freeze", True), "no value"),
        (HouseRuleChosen("joker.freeze", "no ne"), "no value"),
        (Passed("Ada", float("nan")), "0 seconds or more"),
        (Passed("Ada", -1.0), "0 seconds or more"),
        (CardTaken("Ada", "pool"), "none of deck, discard"),  # type: ignore[arg-type]
        (Corrected(0, Corrected(1, Reshuffled())), "not of another correction"),
        (Corrected(-1, Reshuffled()), "-1 is no number"),
    ],
)
def test_what_the_notation_cannot_hold_is_not_printed(event: GameEvent, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        print_event(event)


def test_a_record_holds_one_game_from_its_beginning() -> None:
    begun = Entry(GameBegun("pressman", ("Ada", "Ben")))
    for wrong in ((), (Entry(Reshuffled()),), (begun, begun)):
        with pytest.raises(ValueError, match="begins"):
            Record(wrong)
    with pytest.raises(ValueError, match="no turn"):
        Record((Entry(begun.event, Note(Verdict.LEGAL)),))


def test_several_records_are_told_apart_with_the_lines_they_begin_on() -> None:
    pieces = list(split_records(f"\n{HEAD}2. deal\n\n{HEAD}\n{HEAD}"))
    assert [line for _, line in pieces] == [1, 6, 9]
    assert [len(parse_record(text, line).entries) for text, line in pieces] == [2, 1, 1]
    assert list(split_records("no record")) == [("no record", 1)]
    with pytest.raises(MalformedError, match="line 7"):
        parse_record(HEAD.replace("players", "player"), 6)


def test_a_note_holds_each_fault_once_with_its_rule() -> None:
    finding = Finding(Fault.RUN_GAP.code, "PR-07", "", 0, (), "Seen.")
    ruling = Ruling(Verdict.ILLEGAL, (finding, finding))
    assert str(Note.of(ruling)) == "ILLEGAL RUN_GAP PR-07"
    assert str(Note.of(Ruling(Verdict.LEGAL))) == "LEGAL"
    with pytest.raises(ValueError, match="no faults"):
        Note(Verdict.LEGAL, (("RUN_GAP", "PR-07"),))
