"""What can be wrong with the text of a position or of a game: malformed, illegal, ambiguous, untrue.

docs/notation.md says which is raised when. All of them are `GameTextError`.
"""

from __future__ import annotations

from engine.game.state import Refusal
from engine.notation import NotationError


class GameTextError(ValueError):
    """A text of a position or a game that does not stand; one line of text says why."""

    kind = "text"
    """A word for programs: `malformed`, `illegal`, `ambiguous` or `untrue`."""


class MalformedError(NotationError, GameTextError):
    """Not in the notation. Whatever the rules are, nobody can say what it means.

    `str(error)` is that of a NotationError, with the line before it in a text of several lines.
    """

    kind = "malformed"

    def __init__(
        self, expected: str, came: str, column: int, hint: str, line: int | None = None
    ) -> None:
        super().__init__(expected, came, column, hint)
        self.line = line
        """Where it stands, the first line being 1; None in a text of one line."""

    @classmethod
    def at(cls, error: NotationError, line: int | None) -> MalformedError:
        """An error of a smaller text, said of the line that the text stands in."""
        return cls(error.expected, error.came, error.column, error.hint, line)

    def __str__(self) -> str:
        told = super().__str__()
        return told if self.line is None else f"line {self.line}: {told}"


class IllegalError(GameTextError):
    """In the notation, but it cannot have been: an event that does not apply, a tile too many."""

    kind = "illegal"

    def __init__(
        self, reason: str, event: int | None = None, refusal: Refusal | None = None
    ) -> None:
        self.event = event
        """The number of the event in its record; None for a position."""
        self.refusal = refusal
        """What the game answered to the event; None where it is not about an event."""
        super().__init__(reason if event is None else f"event {event}: {reason}")


class AmbiguousError(GameTextError):
    """In the notation, but it means two things, and nothing says which."""

    kind = "ambiguous"

    def __init__(self, what: str, candidates: tuple[str, ...], event: int | None = None) -> None:
        self.event = event
        """The number of the event in its record; None for a position and for players' names."""
        self.what = what
        """What means two things."""
        self.candidates = candidates
        """What it may mean, two or more."""
        where = "" if event is None else f"event {event}: "
        super().__init__(f"{where}{what}: {' or '.join(candidates)}")


class UntrueError(GameTextError):
    """A record that replays, but not to what it says: a ruling, a digest or the result differs."""

    kind = "untrue"

    def __init__(self, reason: str, event: int, agreed: int = 0) -> None:
        self.event = event
        """The first event after which the record and its replay are known to differ."""
        self.agreed = agreed
        """The last event before it whose digest is the same; 0 when there is none."""
        known = f"; up to event {agreed} the digests agree" if agreed else ""
        super().__init__(f"event {event}: {reason}{known}")
