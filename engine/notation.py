"""What every text form of the games shares: the error, and a cutter that remembers columns.

The grammar is docs/notation.md. Tiles are parsed in `engine.tiles`, melds in `engine.melds`, layouts
in `engine.layout`, turns in `engine.turns`; each of them prints what it parses, without loss.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

NOTATION_VERSION: Final = 1
"""The version that `turn/1` and docs/notation.md name; raised when an old text would read otherwise."""

_WORD: Final = re.compile(r"\S+")


class NotationError(ValueError):
    """A text that is not in the notation: what was expected, what came, where, and what to try.

    `str(error)` is one line made of those four; the parts are kept for pages that show them apart.
    """

    def __init__(self, expected: str, came: str, column: int, hint: str) -> None:
        self.expected = expected
        """What could have stood there, as "a tile such as K7"."""
        self.came = came
        """The text that stood there; empty when the text ended too early."""
        self.column = column
        """Where it begins, the first character of the whole text being column 1."""
        self.hint = hint
        """What to try, as a sentence without its full stop."""
        shown = repr(came) if came else "nothing"
        super().__init__(f"expected {expected}, got {shown} at column {column}; {hint}")

    def moved(self, columns: int) -> NotationError:
        """The same error seen from a longer text in which this one begins `columns` later."""
        return NotationError(self.expected, self.came, self.column + columns, self.hint)


def words(text: str, first_column: int = 1) -> Iterator[tuple[str, int]]:
    """The words of a text between blanks, each with its column; `first_column` is the text's own."""
    for match in _WORD.finditer(text):
        yield match.group(), first_column + match.start()


def parts(text: str, separator: str, first_column: int = 1) -> Iterator[tuple[str, int]]:
    """The text between separators, blanks kept, each with the column where it begins."""
    column = first_column
    for part in text.split(separator):
        yield part, column
        column += len(part) + len(separator)
