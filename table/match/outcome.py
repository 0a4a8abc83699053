"""What came of one turn of a match: the truth, and what the machine said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.faults import Verdict
from table.match.shots import Kind
from table.one_doubt import DOUBTS
from table.told_places import PLACE
from vision.frame import Pixels
from vision.placements import Placement

NOTHING = "nothing"
"""What was said where no ruling came while it was waited for; else it is a verdict."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One turn, or one thing that was tried in it, as the machine judged it."""

    preset: str
    game: int
    number: int
    """Counts what was judged in the game, from 1."""
    kind: Kind
    """What disturbed it."""
    wrong: str | None
    """What was wrong about it, in words; None for a legal turn."""
    faults: tuple[str, ...]
    """The codes of what was wrong."""
    first: str
    """What was said at first: LEGAL, ILLEGAL, ASK or ``nothing``."""
    final: str
    """What was said when all questions had been answered."""
    said_faults: tuple[str, ...]
    questions: tuple[str, ...]
    """The kinds of the questions that were asked, in their order."""
    is_hidden: bool
    """A part of the table could not be seen: what lies there has to be asked about."""
    exact: bool
    """Whether every tile and every set was read as it lay, before anybody said anything."""
    false_alarm: bool
    """Whether a ruling of ILLEGAL was shown of the finished, legal table before the one that counts,
    as while a hand lay over the tiles."""
    seconds: float | None
    """From the last picture with a hand to the ruling, in the film's time; None without one. On a camera
    that failed, from the last picture before it was well again."""
    computing_s: float
    """What the readings took of this computer."""
    corrections: int
    """Tiles that a person had to put right because nothing was asked about them."""
    beside: tuple[str, ...] = ()
    """Of the faults those that hang on whether the player had opened, of a turn that is ILLEGAL either
    way: nothing in a picture tells, and there is no need to ask."""

    @property
    def is_accusation(self) -> bool:
        """ILLEGAL was said of a legal turn, at first or in the end."""
        return self.wrong is None and Verdict.ILLEGAL in (self.first, self.final)

    @property
    def is_acquittal(self) -> bool:
        """LEGAL was said of a turn that was not."""
        return self.wrong is not None and Verdict.LEGAL in (self.first, self.final)

    @property
    def needless(self) -> int:
        """Questions about what lay there to be seen."""
        return 0 if self.is_hidden else self.about_the_table

    @property
    def about_the_table(self) -> int:
        """Questions about what lies there."""
        return sum(kind in ("tile", *DOUBTS, "arrangement", PLACE) for kind in self.questions)

    @property
    def is_named(self) -> bool:
        """The turn was wrong and ruled ILLEGAL, and what is wrong with it can be seen."""
        return self.final == Verdict.ILLEGAL and bool(self.faults)

    @property
    def named_right(self) -> bool:
        """It was ruled ILLEGAL for just what was wrong with it and could be known."""
        return self.is_named and set(self.said_faults) == set(self.faults).difference(self.unsaid)

    @property
    def unsaid(self) -> tuple[str, ...]:
        """The codes of what was wrong and could not be known, as nobody said who had opened."""
        return () if "opened" in self.questions else self.beside

    @property
    def truth(self) -> str:
        """What is true of it, in words."""
        return "legal" if self.wrong is None else f"{self.wrong} ({' '.join(self.faults)})"

    @property
    def said(self) -> str:
        """What was said of it, and what is wrong about that, in words."""
        problems = f": {', '.join(self.problems)}" if self.problems else ""
        return f"said {self.first}, in the end {self.final}{problems}"

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong, a word each, for the names of pictures; nothing where all was well."""
        named = {
            "accusation": self.is_accusation,
            "acquittal": self.is_acquittal,
            "question": self.needless > 0,
            "misread": not self.exact,
            "misnamed": self.is_named and not self.named_right,
            "false-alarm": self.false_alarm,
            "no-ruling": NOTHING in (self.first, self.final),
        }
        return tuple(word for word, is_so in named.items() if is_so)


Keep = Callable[[Outcome, Pixels, Sequence[Placement], Sequence[str]], None]
"""Keeps the picture of a turn that went wrong, with what was read in it and lines that say what."""
