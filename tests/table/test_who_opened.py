"""Whether a player had opened, at a table that follows no game: asked in each turn, or once a round."""

from __future__ import annotations

from engine.faults import Question, Ruling, Verdict
from engine.worlds import OPENED
from table.event_log import LoggedEvent
from table.events import Event, QuestionAnswered, RoundStarted, TurnConfirmed
from table.who_opened import EVERYONE, WhoOpened

ASKED = Ruling(Verdict.ASK, questions=(Question(OPENED, "Had this player opened?", ("yes", "no")),))


def test_an_answer_about_one_player_holds_for_that_turn() -> None:
    who = WhoOpened()
    assert who.had_opened is None
    who.say("no")
    assert who.had_opened is False
    who.say("yes")
    assert who.had_opened is True
    who.end_turn(on_empty_table=False)
    assert who.had_opened is None


def test_an_answer_about_everyone_holds_until_a_round_begins() -> None:
    who = WhoOpened()
    who.say(EVERYONE)
    for _ in range(3):
        assert who.had_opened is True
        who.end_turn(on_empty_table=False)
    who.forget()
    assert who.had_opened is None


def test_whoever_begins_an_empty_table_had_not_opened_because_the_others_had() -> None:
    """Somebody cleared the table, and did not say that a round begins."""
    who = WhoOpened()
    who.say(EVERYONE)
    who.end_turn(on_empty_table=True)
    assert who.had_opened is None


def test_the_answer_for_everyone_is_offered_after_the_others() -> None:
    (question,) = WhoOpened().asked_of_all(ASKED).questions
    assert question.options == ("yes", "no", EVERYONE)


def test_other_questions_stay_as_they_are() -> None:
    other = Ruling(
        Verdict.ASK, questions=(Question("rack", "What did the rack hold?", ("yes", "no")),)
    )
    assert WhoOpened().asked_of_all(other) == other


def test_what_was_said_in_a_round_is_known_after_a_restart() -> None:
    def resumed(*events: Event) -> bool | None:
        who = WhoOpened()
        who.resume((LoggedEvent(n, "", 0.0, e) for n, e in enumerate(events)), "-")
        return who.had_opened

    said, ended = (
        QuestionAnswered(1, OPENED, "", "no", None),
        TurnConfirmed(1, "K1", "LEGAL", "Ada"),
    )
    everyone, began = QuestionAnswered(1, OPENED, "", EVERYONE, None), RoundStarted(1, "Ada")
    assert resumed() is None
    assert resumed(said) is False
    assert resumed(said, ended) is None
    assert resumed(everyone, ended) is True
    assert resumed(everyone, began) is None
    assert resumed(QuestionAnswered(1, "arrangement", "", "yes", None)) is None
    assert resumed(everyone, TurnConfirmed(1, "-", "LEGAL", "Ada")) is None
