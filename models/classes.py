"""What the tile reader tells apart: the one home of class names, colours and their order.

The order is the order of the network's outputs; a model file trained with another order does not
fit this code, and :mod:`models.runtime` refuses it.
"""

from __future__ import annotations

NUMBERS: tuple[int, ...] = tuple(range(1, 14))

CLASSES: tuple[str, ...] = (*(str(n) for n in NUMBERS), "joker", "face-down", "not-a-tile")
"""Thirteen numbers, then what is on a tile without one, then everything that is no tile at all."""

JOKER = CLASSES.index("joker")
FACE_DOWN = CLASSES.index("face-down")
NOT_A_TILE = CLASSES.index("not-a-tile")

FACES = JOKER + 1
"""The classes that a face-up tile may be come first: the thirteen numbers and the joker."""

COLOURS: tuple[str, ...] = ("K", "B", "R", "O")
"""Black, blue, red, orange: the letters of the text notation, in the order of the outputs."""

JOKER_LABEL = "J"
FACE_DOWN_LABEL = "face-down"


def parse_label(label: str) -> tuple[int, int | None]:
    """The class and colour indexes of a label as data sets write it: ``K7``, ``J``, ``face-down``.

    The colour is None where the label has none. Raises ValueError naming any other label.
    """
    if label == JOKER_LABEL:
        return JOKER, None
    if label == FACE_DOWN_LABEL:
        return FACE_DOWN, None
    numbers = [str(n) for n in NUMBERS]
    if label[:1] in COLOURS and label[1:] in numbers:
        return numbers.index(label[1:]), COLOURS.index(label[0])
    raise ValueError(
        f"{label!r} is no tile label: expected a colour of {COLOURS} and 1 to 13, J or face-down"
    )
