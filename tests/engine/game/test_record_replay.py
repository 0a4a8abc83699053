"""A record replays to the game that was recorded, and says where it does not."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from engine.faults import Verdict
from engine.game.digest import digest
from engine.game.events import Drew, GameBegun, Undone
from engine.game.fold import Game
from engine.game.names import print_name
from engine.game.record import Entry, Note, Record, Result, parse_record
from engine.game.replay import note_on, record_of, replay, result_of, steps
from engine.game.state import Phase
from engine.game.text_errors import AmbiguousError, GameTextError, IllegalError, UntrueError
from tests.engine.game.card_games import PLAYERS, SETTLED, whole_game
from tests.engine.game.recorded_games import PRESETS, random_game

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "notation.md"
SEEDS = range(3)
GAMES = [(preset, seed) for preset in PRESETS for seed in SEEDS]

HEAD = "record/1 pressman\nplayers: Ada | Ben\n\n"
BEGUN = f"{HEAD}2. Ada begins\n3. deal: Ada K1 K2 K3 R10 B10 O10 K5 B5 R7 O7 B1 B2 O9 O3\n"


@cache
def recorded(preset: str, seed: int) -> tuple[Game, Record]:
    """A game at random, and its record with a digest after every event."""
    game = random_game(seed, preset)
    return game, record_of(game, digests="all")


# What is recorded comes back


@pytest.mark.parametrize(("preset", "seed"), GAMES)
def test_a_recorded_game_replays_to_the_same_digests(preset: str, seed: int) -> None:
    game, record = recorded(preset, seed)
    read = parse_record(str(record))
    assert read == record
    again = replay(read)
    assert again == game
    assert digest(again.state) == digest(game.state) == record.entries[-1].digest


def test_a_recorded_game_of_cards_replays_to_the_same_digests() -> None:
    told = list(whole_game(1, 3))
    begun = GameBegun("sets-and-runs", PLAYERS[:3], dict(SETTLED))
    first = parse_record(
        f"record/1 sets-and-runs\nplayers: {' | '.join(PLAYERS[:3])}\n2. Ada begins"
    )
    game = Game.of([begun, first.events[1], *(event for event, _ in told)])
    assert isinstance(game, Game), game
    assert game.state.phase is Phase.GAME_OVER
    record = record_of(game)
    again = replay(parse_record(str(record)))
    assert digest(again.state) == digest(told[-1][1])
    assert sum(entry.digest is not None for entry in record.entries) == 7, "one after each round"


def test_games_at_random_hold_every_kind_of_event_and_ruling() -> None:
    """Guards the tests above: what never comes up was never tried."""
    lines = "\n".join(str(recorded(*game)[1]) for game in GAMES)
    for words in (
        "for the start:",
        "begins",
        "deal",
        "plays: [A-Z]",
        "plays: grid",
        "overruled by",
        "draws",
        "returns",
        "passes",
        "claims",
        "misplays:",
        "runs out of time:",
        "hands",
        "undo",
        "correct",
        "house rule by Ada:",
        "fault noticed",
        "! LEGAL",
        "! ILLEGAL",
    ):
        assert re.search(words, lines), words


def with_a_round_over() -> Game:
    """A game at random that goes on after a round."""
    games = (recorded(*game)[0] for game in GAMES)
    return next(
        game for game in games if game.state.ended and game.state.phase is not Phase.GAME_OVER
    )


def test_digests_stand_where_they_were_asked_for() -> None:
    game = with_a_round_over()
    counts = {
        kind: sum(entry.digest is not None for entry in record.entries)
        for kind, record in {
            "all": record_of(game, digests="all"),
            "rounds": record_of(game),
            "end": record_of(game, digests="end"),
        }.items()
    }
    rounds = len(game.state.ended)
    assert counts == {"all": game.length, "rounds": rounds + 1, "end": 1}


def test_what_was_told_of_the_game_stands_in_the_headers() -> None:
    game = with_a_round_over()
    record = record_of(game, date="2024-05-01", place='the "Swan"; upstairs', table="2")
    text = str(record)
    assert f"\nplayers: {' | '.join(map(print_name, record.begun.players))}\n" in text
    for line in ("date: 2024-05-01", 'place: the "Swan"; upstairs', "table: 2", "result: "):
        assert f"\n{line}" in text
    assert replay(parse_record(text)) == game


def test_the_record_of_the_document_replays() -> None:
    """Blocks marked `notation-record` in docs/notation.md are whole records in print form."""
    blocks = re.findall(r"```notation-record\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        record = parse_record(block)
        assert str(record) == block
        assert record.entries[-1].digest == digest(replay(record).state)


# What cannot have been


@pytest.mark.parametrize(
    ("text", "event", "code"),
    [
        ("record/1 canasta\nplayers: Ada | Ben", 1, "unknown_preset"),
        ("record/1 pressman\nhouse: no.such=1\nplayers: Ada | Ben", 1, "unknown_house_rule"),
        ("record/1 pressman\nplayers: Ada", 1, "wrong_players"),
        ("record/1 pressman\nplayers: Ada | Ben\nlocks: 3", 1, "no_claims"),
        (f"{HEAD}2. deal", 2, "wrong_phase"),
        (f"{HEAD}2. Cleo begins", 2, "unknown_player"),
        (f"{BEGUN}4. Ben draws", 4, "not_your_turn"),
        (f"{BEGUN}4. Ada plays: R7 O7 B7 B7 B7", 4, "too_many_copies"),
        (f"{BEGUN}4. Ada plays: K1 K2 K3", 4, "illegal"),
        (f"{BEGUN}4. Ada plays: grid K1 K2 K3", 4, "wrong_form"),
        (f"{BEGUN}4. Ada draws K7 K8", 4, "wrong_count"),
        (f"{BEGUN}4. Ada discards K7", 4, "not_in_this_game"),
        (f"{BEGUN}4. correct 9: Ada begins", 4, "not_standing"),
        (f"{BEGUN}4. Ada draws\n5. correct 2: Ben begins", 5, "later_event_refused"),
        (f"{HEAD}2. undo", 2, "nothing_to_undo"),
    ],
)
def test_an_event_that_cannot_apply_is_illegal_and_named(text: str, event: int, code: str) -> None:
    with pytest.raises(IllegalError) as caught:
        replay(parse_record(text))
    assert caught.value.event == event
    assert caught.value.refusal is not None
    assert caught.value.refusal.code == code
    assert str(caught.value).startswith(f"event {event}: ")
    assert caught.value.refusal.reason in str(caught.value)


def test_the_steps_before_an_illegal_event_can_be_seen() -> None:
    played = steps(parse_record(f"{BEGUN}4. Ben draws"))
    assert [next(played).number for _ in range(3)] == [1, 2, 3]
    with pytest.raises(IllegalError):
        next(played)


TWINS = """\
record/1 rummi200kub
house: claims.requires_opening=no
players: Ada | Ben

2. Ada begins
3. deal
4. Ada plays: grid K7 B7 R7 . . / . . R8 . . / . . R9 B9 K9 / . . . . K8 / . . R7 B7 K7
5. Ben claims K7 B7 R7
"""


def test_a_claim_of_a_set_that_lies_there_twice_is_ambiguous() -> None:
    with pytest.raises(AmbiguousError) as caught:
        replay(parse_record(f"{TWINS}6. Ada claims K7 B7 R7\n"))
    assert caught.value.event == 6
    assert caught.value.candidates == ("`; with tokens`", "`; without tokens`")


@pytest.mark.parametrize(("said", "levels"), [("with", [2]), ("without", [1, 1])])
def test_a_claim_says_which_of_two_equal_sets_it_is_of(said: str, levels: list[int]) -> None:
    game = replay(parse_record(f"{TWINS}6. Ada claims K7 B7 R7; {said} tokens\n"))
    assert [tokens.level for tokens in game.state.tokens] == levels


# What is not as the record says


def with_another_event(record: Record) -> tuple[int, str] | None:
    """The record with a draw of a known tile told as one that nobody saw, and its number."""
    for index, entry in enumerate(record.entries):
        if isinstance(entry.event, Drew) and entry.event.tiles:
            other = Entry(replace(entry.event, tiles=None, returned=None), None, entry.digest)
            entries = (*record.entries[:index], other, *record.entries[index + 1 :])
            return index + 1, str(replace(record, entries=entries, result=None))
    return None


def test_the_first_event_with_another_digest_is_named() -> None:
    """One event of a record is replaced; the replay differs from where the game does."""
    changed = [with_another_event(recorded(*game)[1]) for game in GAMES]
    told = [item for item in changed if item is not None]
    assert len(told) > 5
    for first, text in told:
        agreed = f"up to event {first - 1} the digests agree"
        with pytest.raises(UntrueError, match=agreed) as caught:
            replay(parse_record(text))
        assert (caught.value.event, caught.value.agreed) == (first, first - 1)


@pytest.mark.parametrize(
    ("text", "event", "what"),
    [
        (
            f"{BEGUN}4. Ada plays: R10 B10 O10 ! ASK",
            4,
            "the ruling is LEGAL, and the record has ASK",
        ),
        (f"{BEGUN}4. Ada draws K9 ! LEGAL", 4, "the ruling is none, and the record has LEGAL"),
        (
            f"{BEGUN}4. Ada plays: K1 K2 K3; overruled by Ben ! ILLEGAL RUN_GAP PR-07",
            4,
            "the ruling is ILLEGAL OPENING_SHORT PR-08, and the record has ILLEGAL RUN_GAP PR-07",
        ),
        (f"{BEGUN}= {'0' * 64}\n4. Ada draws K9", 3, "the record has 0000"),
        (
            BEGUN.replace("\n\n", "\nresult: Ada 24 | Ben -24\n\n"),
            3,
            "the result is none, and the record has Ada 24 | Ben -24",
        ),
    ],
)
def test_what_a_record_says_otherwise_is_untrue(text: str, event: int, what: str) -> None:
    with pytest.raises(UntrueError) as caught:
        replay(parse_record(text))
    assert caught.value.event == event
    assert what in str(caught.value)


def test_a_record_without_notes_replays_to_whatever_comes() -> None:
    game = replay(parse_record(f"{BEGUN}4. Ada plays: R10 B10 O10\n"))
    assert str(game.state.table) == "R10 B10 O10"


def test_only_the_first_digest_that_differs_is_told() -> None:
    zeros = f"= {'0' * 64}\n"
    text = f"{BEGUN}{zeros}4. Ada draws K9\n{zeros}5. Ben draws\n{zeros}"
    differing = [step.number for step in steps(parse_record(text)) if step.differences]
    assert differing == [3]


def shuffled(text: str, chance: random.Random) -> str:
    """The record with two of its words, or the events of two of its lines, in each other's place."""
    parts = re.split(r"(\s+)", text)
    if chance.random() < 0.5:
        parts = re.split(r"(?m)(^[0-9]+\.)", text)
    one, other = (2 * chance.randrange((len(parts) + 1) // 2) for _ in range(2))
    parts[one], parts[other] = parts[other], parts[one]
    return "".join(parts)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_shuffled_record_replays_or_says_why_not(preset: str) -> None:
    """Whatever comes, it is a game or one of the four errors."""
    chance = random.Random(preset)
    text = str(recorded(preset, 0)[1]).partition("\n20. ")[0]
    outcomes = set()
    for _ in range(30):
        try:
            replay(parse_record(shuffled(text, chance)))
        except GameTextError as error:
            outcomes.add(error.kind)
        else:
            outcomes.add("replayed")
    assert len(outcomes) > 2


# What is noted


def test_what_was_tried_and_put_back_is_ruled_on() -> None:
    state = replay(parse_record(BEGUN)).state
    tried = parse_record(
        f"{BEGUN}4. Ada misplays: K1 K2 K3\n5. Ben draws\n6. Ada runs out of time: B1"
    )
    assert note_on(state, tried.events[3]) == Note(Verdict.ILLEGAL, (("OPENING_SHORT", "PR-08"),))
    late = note_on(state, tried.events[5])
    assert late is not None
    assert ("LOOSE_TILE", "PR-17") in late.faults
    for event in (*tried.events[:3], tried.events[4], Undone()):
        assert note_on(state, event) is None


def test_a_result_has_the_players_as_they_sit() -> None:
    """The score sheet has them in the order of turns, which begins with Ben here."""
    text = f"{HEAD}2. Ben begins\n3. deal\n"
    state = replay(parse_record(text)).state
    assert result_of(state) is None
    games = [recorded(preset, seed)[0].state for preset, seed in GAMES]
    scored = [state for state in games if state.scores is not None]
    assert scored
    for state in scored:
        result = result_of(state)
        assert isinstance(result, Result)
        assert [name for name, _ in result.totals] == [seat.name for seat in state.seats]
        assert result.winners == state.winners


def test_all_errors_of_texts_are_one_family() -> None:
    for kind in (IllegalError, AmbiguousError, UntrueError):
        assert issubclass(kind, GameTextError)
        assert issubclass(kind, ValueError)
    assert {kind.kind for kind in GameTextError.__subclasses__()} == {
        "malformed",
        "illegal",
        "ambiguous",
        "untrue",
    }
