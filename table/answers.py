"""What people say of the tiles that lie there, and answer to what the referee asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.game.events import HouseRuleChosen
from engine.referee import NO_TILE, Question
from engine.tiles import Tile
from table.claims import questions_of_claims
from table.counted_rounds import asked_of_round
from table.events import Correction, Event, QuestionAnswered
from table.forms import names_the_tile_below
from table.game_acts import time_ran_out
from table.game_on_table import GameOnTable, value_of
from table.one_doubt import DOUBTS, told_of_each
from table.play import PERSON, Play, Write
from table.racks import tile_told
from table.told_places import PLACE
from table.wishes import WishRefusedError
from vision.placements import Placement
from vision.tracking.followed import FollowedPlacement


class Answers:
    """Checks what is said of the layout that counts, logs it, and has the play go by it.

    It belongs to the loop's thread. WishRefusedError says why something is not taken.
    """

    def __init__(self, play: Play, on_table: GameOnTable, write: Write) -> None:
        self._play = play
        self._on_table = on_table
        self._write = write

    def correct(self, layout_sequence: int, tile: int, label: str, by: str = PERSON) -> None:
        """Tile ``tile`` of that layout is a ``label``, whatever was read; ``none``: there is none."""
        self._play.check_seen(layout_sequence)
        corrected = None if label == NO_TILE else tile_told(label, self._play.rules)
        seen = self._play.watch.adopted
        if seen is None or not 0 <= tile < len(seen.laid_out.placement_indexes):
            raise WishRefusedError("not_understood", f"the layout has no tile {tile}")
        placement = seen.placement_of(tile)
        if isinstance(placement, FollowedPlacement) and placement.is_no_answer(corrected):
            raise WishRefusedError("lies_below", names_the_tile_below(placement))
        self._tell({tile: corrected}, by)

    def correct_no_tile(
        self, layout_sequence: int, place: object, label: str, by: str = PERSON
    ) -> None:
        """What has its middle at ``place``, two parts of the picture's width and height, is a ``label``
        after all, of which somebody had said that it is no tile."""
        self._play.check_seen(layout_sequence)
        tile = tile_told(label, self._play.rules)
        placement = self._play.denied_at(_point_of(place))
        if placement is None:
            text = "what was said to be no tile lies there no more, or is asked about anew"
            raise WishRefusedError("stale", text)
        if isinstance(placement, FollowedPlacement) and placement.is_no_answer(tile):
            raise WishRefusedError("lies_below", names_the_tile_below(placement))
        self._write(self._correction(None, placement, tile, by))
        self._play.is_tile_after_all(placement, tile)

    def answer(
        self,
        layout_sequence: int,
        index: int,
        option: str,
        by: str = PERSON,
        asked: str | None = None,
    ) -> None:
        """``option`` is the answer to that question of the present ruling.

        ``asked`` is its text as it was shown, None where that is not known: a ruling on the same layout
        asks the next question at the place of one that somebody else has answered meanwhile.
        """
        self._play.check_seen(layout_sequence)
        ruling = self._play.ruling
        questions = ruling.questions if ruling is not None else ()
        if not 0 <= index < len(questions) or asked not in (None, questions[index].text):
            raise WishRefusedError("stale", "that question is not asked any more")
        question = questions[index]
        if question.kind == "tile" and question.tile is not None:
            self.correct(layout_sequence, question.tile, option, by)
            return
        self._apply(question, option, by)

    def answer_in_game(self, sequence: int, asked: str, option: str, by: str = PERSON) -> None:
        """``option`` is the answer to what a claim of the player to move waits for, or what follows from
        a time that is up.

        ``sequence`` is the game's newest event and ``asked`` the text of the question, as a page showed
        them.
        """
        question = next((each for each in self._asked_in_game() if each.text == asked), None)
        if sequence != self._on_table.sequence or question is None:
            raise WishRefusedError("stale", "that question is not asked any more")
        self._apply(question, option, by)

    def _asked_in_game(self) -> Iterator[Question]:
        yield from questions_of_claims(self._on_table)
        state = self._on_table.state
        if state is not None and (of_round := asked_of_round(state)) is not None:
            yield of_round
        if self._on_table.time_over is not None:
            question = self._on_table.asked_before(time_ran_out(self._on_table))
            if question is not None:
                yield question

    def _apply(self, question: Question, option: str, by: str) -> None:
        if question.options and option not in question.options:
            offered = ", ".join(question.options)
            raise WishRefusedError("not_understood", f"the answers to that question are: {offered}")
        turn = self._play.turn
        answered = QuestionAnswered(turn, question.kind, question.text, option, question.rule, by)
        if question.kind == "house_rule" and question.rule is not None:
            self._choose(answered, question.rule)
        elif question.kind == "opened":
            self._write(answered)
            self._play.had_opened(option)
        elif question.kind == "before" and question.tile is not None:
            was = None if option == NO_TILE else tile_told(option, self._play.rules)
            self._play.tile_was(question.tile, was, by, answered)
            self._play.judge()
        elif question.kind == "arrangement":
            self._arrange(answered)
        elif question.kind == PLACE:
            quads, standing = self._play.what_stands(question)
            self._write(replace(answered, quads=quads, standing=standing))
            self._play.tiles_stand(question, option)
        elif question.kind in DOUBTS:
            self._say_of_all(question, answered)
        else:
            raise WishRefusedError(
                "not_understood", f"a question about a {question.kind} has no buttons"
            )

    def _say_of_all(self, question: Question, answered: QuestionAnswered) -> None:
        """Each of these tiles is of that colour, or has that number; or they are not alike."""
        if answered.option == DOUBTS[question.kind].not_one:
            self._write(answered)
            self._play.say_apart(question)
        else:
            self._tell(dict(told_of_each(question, answered.option)), answered.by)

    def _tell(self, told: Mapping[int, Tile | None], by: str) -> None:
        """The tiles with these numbers in the layout that counts are those; None for no tile."""
        seen = self._play.watch.adopted
        assert seen is not None, "tiles of a layout"
        corrections = (
            self._correction(index, seen.placement_of(index), tile, by)
            for index, tile in told.items()
        )
        self._write(*corrections)
        self._play.tiles_are(told)

    def _correction(
        self, index: int | None, placement: Placement, tile: Tile | None, by: str
    ) -> Correction:
        """That this placement is that tile, or none; ``index`` is its number in the layout."""
        x, y = (round(float(v), 1) for v in placement.centre_xy)
        said = NO_TILE if tile is None else str(tile)
        place = self._play.place_of(placement)
        return Correction(self._play.turn, index, placement.label, said, (x, y), by, *place)

    def _arrange(self, answered: QuestionAnswered) -> None:
        """The tiles lie so as long as they are not moved."""
        if not self._play.may_lie_as(answered.option):
            raise WishRefusedError("stale", "the tiles do not lie like that any more")
        self._write(replace(answered, quads=self._play.places()))
        self._play.sets_lie_as(answered.option)

    def _choose(self, answered: QuestionAnswered, switch: str) -> None:
        """A house rule holds from here on: in a game as its event, else as the answer in the log."""
        told: tuple[Event, ...] = ()
        if self._on_table.game is not None:
            chosen = HouseRuleChosen(switch, value_of(answered.option))
            told = self._on_table.telling(answered.turn, answered.by, chosen)
        self._write(answered, *told)
        self._play.judge()


def _point_of(place: object) -> tuple[float, float]:
    """A point of the picture, as parts of its width and height; refuses what is none."""
    if isinstance(place, list | tuple) and len(place) == 2:
        x, y = place
        if _is_part(x) and _is_part(y):
            return float(x), float(y)
    text = "a place is two numbers from 0 to 1, parts of the picture's width and height"
    raise WishRefusedError("not_understood", text)


def _is_part(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
