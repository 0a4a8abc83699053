"""The questions that a reading in doubt leaves: which of them to ask, and in which words.

What a tile is, how tiles lie, what nobody has said: all are weighed in one pool by `engine.questions`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Final

from engine.doubts.findings import renumbered
from engine.doubts.survey import MOST_READINGS, Doubts, Played, PossibleTurn, Survey
from engine.faults import NO_TILE, Question
from engine.layout import GridReading
from engine.patches import Patch, lies_in, patches_of
from engine.questions import (
    LOOKING,
    NAMING,
    TAP,
    Answer,
    Merit,
    Tally,
    answers_about,
    merit_of,
    sum_of,
)
from engine.tiles import Tile
from engine.wording import listed
from engine.worlds import question_about, worlds_of

MOST_BOARDS: Final = 8
"""Boards that are offered to choose from, the likeliest."""

MOST_WAYS: Final = 4
"""Ways to lie that one question offers when nobody could say which of them matter."""


@dataclass(frozen=True, slots=True)
class Askable:
    """A question that could be asked."""

    merit: Merit
    rank: tuple[float, ...]
    """Who goes first among equals, the smallest: how tiles lie, the least certain tile, and then what
    has to be remembered or agreed on."""
    ask: Callable[[], Question]
    matters: Callable[[], bool] = lambda: True
    """Whether the answer makes a difference to any reading; not looked at where it settles some."""

    @property
    def order(self) -> tuple[float, ...]:
        """The best question has the smallest."""
        merit = self.merit
        return (-merit.settled_per_tap, -merit.learnt_per_tap, -merit.ease, *self.rank)


def best_question(survey: Survey, first: PossibleTurn) -> Question | None:
    """The cheapest question that settles most; None when there are too many readings to say. `first` is
    any of them."""
    found = sorted(_askable(survey), key=lambda item: item.order)
    if survey.doubts.too_many():
        return None
    best = found[0] if found else None
    if best is None or not (best.merit.settled_per_tap or best.merit.learnt_per_tap):
        # Nothing settles or teaches anything alone: ask for what decides together with other answers.
        best = next((item for item in found if item.matters()), None)
    if best is None and None in first.tiles:
        # Only how a row lies without what was taken for a tile: ask for that one.
        return tile_question(survey.doubts, first.tiles.index(None), {None})
    return (best or found[0]).ask()


def _askable(survey: Survey) -> Iterator[Askable]:
    """Every question that could be asked, with what it is worth."""
    doubts = survey.doubts
    for number, (tallies, ask) in enumerate(_ways_to_lie(survey)):
        effort = max(TAP, LOOKING * len(tallies))
        merit = merit_of([Answer(tally, effort) for tally in tallies])
        yield Askable(merit, (0, number), ask)
    for index, choice in enumerate(doubts.choices):
        answers = survey.by_answer(index) if choice.is_open else {}
        if len(answers) > 1:
            efforts = {tile: TAP if tile in choice.offered else NAMING for tile in answers}
            merit = merit_of([Answer(tally, efforts[tile]) for tile, tally in answers.items()])
            rank = (1, certainty(doubts, index), index)
            ask = partial(tile_question, doubts, index, answers)
            yield Askable(merit, rank, ask, partial(survey.matters, index, answers))
    whole = survey.whole
    for name in survey.names():
        merit = merit_of(answers_about(name, survey.unsaid, whole))
        yield Askable(merit, (2,), partial(_question_about, survey, name))


def certainty(doubts: Doubts, index: int) -> float:
    """How sure the reader is of a tile: its best candidate's probability, 0 when unread."""
    candidates = doubts.reading.tiles[index].candidates
    return candidates[0].probability if candidates else 0.0


def _question_about(survey: Survey, name: str) -> Question:
    """The question about what nobody has said, with what is at stake in the likeliest reading that rests
    on it."""
    rules = survey.doubts.rules
    for item in _examined(survey):
        if any(name == asked for world in item.worlds for asked, _ in world.answers):
            question = question_about(name, item.worlds, rules)
            return replace(question, text=renumbered(question.text, item.possible))
    return question_about(name, (), rules)


def _examined(survey: Survey) -> Iterator[Played]:
    """Readings that may be legal, examined."""
    doubts = survey.doubts
    if not doubts.by_sets:
        yield from survey.played
        return
    for possible in islice(doubts.readings(legal=True), MOST_READINGS):
        yield Played(possible, tuple(worlds_of(possible.turn, doubts.rules)))


def tile_question(doubts: Doubts, index: int, possible: Collection[Tile | None]) -> Question:
    """What is this tile? It offers what it was taken for, of what is possible; any other answer may be
    given, too."""
    choice = doubts.choices[index]
    options = [tile for tile in choice.offered if tile in possible]
    named = [tile.spoken for tile in options if tile is not None]
    place, piece = place_of(doubts, index), piece_of(doubts)
    if not named:
        return open_question(doubts, index, f"{place} could not be read. Which {piece} is it")
    named += [f"another {piece}"] if len(possible) > len(options) else []
    named += [f"no {piece}"] if None in options else []
    labels = tuple(NO_TILE if tile is None else str(tile) for tile in options)
    return Question("tile", f"{place}: is it {listed(named, 'or')}?", labels, tile=index)


def open_question(doubts: Doubts, index: int, text: str) -> Question:
    """A question about a tile, without its question mark, that offers none in particular."""
    if None in doubts.choices[index].listed:
        return Question("tile", f"{text}, or is it none?", (NO_TILE,), tile=index)
    return Question("tile", f"{text}?", (), tile=index)


def copies_question(doubts: Doubts, index: int, tile: Tile, alike: tuple[int, ...]) -> Question:
    """Which of these tiles is another one? All of them were taken for this one, more than the game has;
    ``index`` is the least sure of them."""
    piece = piece_of(doubts)
    text = f"{tile.spoken[0].upper()}{tile.spoken[1:]} was read more often than the game has it"
    if len(alike) < 2:
        which = f"Which {piece} is {doubts.reading.place(index, piece)}"
        return open_question(doubts, index, f"{text}. {which}")
    where = listed([doubts.reading.place(i, piece) for i in alike])
    text = f"{text}: {where}. Which of them is another {piece}?"
    return Question("tile", text, (), tile=index, tiles=alike)


def place_of(doubts: Doubts, index: int) -> str:
    """Where a tile lies, to begin a sentence with."""
    place = doubts.reading.place(index, piece_of(doubts))
    return place[0].upper() + place[1:]


def piece_of(doubts: Doubts) -> str:
    """What the game is played with, in words."""
    return "card" if doubts.rules.equipment.pieces == "cards" else "tile"


def _ways_to_lie(survey: Survey) -> Iterator[tuple[list[Tally], Callable[[], Question]]]:
    """How tiles may lie, of each patch of the table or of the whole board: the readings that each answer
    leaves, and the question."""
    doubts, found = survey.doubts, survey.arrangements
    tallies: list[Tally]
    table = doubts.reading.table
    if len(found) < 2:
        return
    if isinstance(table, GridReading):
        likeliest = list(found)[:MOST_BOARDS]
        tallies = [found[number] for number in likeliest]
        yield tallies, partial(board_question, doubts, table, likeliest)
        return
    there = {table.arrangements[number]: tally for number, tally in found.items()}
    for patch in patches_of(list(there)):
        tallies = [
            sum_of(tally for melds, tally in there.items() if lies_in(melds, way))
            for way in patch.ways
        ]
        yield tallies, partial(patch_question, doubts, patch)


def board_question(doubts: Doubts, table: GridReading, numbers: Iterable[int]) -> Question:
    """Which of these arrangements is the board?"""
    return Question("arrangement", _which_together(doubts), tuple(map(table.text, numbers)))


def patch_question(doubts: Doubts, patch: Patch) -> Question:
    """Which of the tiles of a patch lie together?"""
    told = ["; ".join(_row_in_words(doubts, meld) for meld in way) for way in patch.ways]
    text = f"{_which_together(doubts)} {'. Or: '.join(told)}."
    tiles = doubts.reading.table.tiles
    options = [" | ".join(" ".join(str(tiles[i]) for i in m) for m in way) for way in patch.ways]
    return Question("arrangement", text, tuple(options), tiles=tuple(sorted(patch.tiles)))


def _which_together(doubts: Doubts) -> str:
    return f"Which {doubts.rules.equipment.pieces} lie together?"


def lying_question(doubts: Doubts) -> Question:
    """How some of the tiles lie, where it cannot be said which of them matter."""
    table = doubts.reading.table
    if isinstance(table, GridReading):
        return board_question(doubts, table, range(len(doubts.spots))[:MOST_WAYS])
    patch = patches_of(table.arrangements)[0]
    return patch_question(doubts, replace(patch, ways=patch.ways[:MOST_WAYS]))


def _row_in_words(doubts: Doubts, meld: Sequence[int]) -> str:
    """Tiles of a reading as a list, those in doubt as what they were taken for."""
    tiles = [doubts.reading.table.tiles[index] for index in meld]
    words = (
        f"a {piece_of(doubts)} that could not be read"
        if tile.best is None
        else f"{'' if tile.sure else 'perhaps '}{tile.best.spoken}"
        for tile in tiles
    )
    return listed(list(words))


def question_in_the_dark(doubts: Doubts, undecided: Collection[int]) -> Question:
    """What to ask when there are too many readings to weigh: the least certain tile, first of those that
    may decide whether their set is one."""
    doubtful = [index for index, choice in enumerate(doubts.choices) if choice.is_open]
    if not doubtful:
        return lying_question(doubts)
    index = min(doubtful, key=lambda i: (i not in undecided, certainty(doubts, i)))
    choice = doubts.choices[index]
    return tile_question(doubts, index, {*choice.listed, *choice.others})
