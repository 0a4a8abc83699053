"""What the capturing process and the program say to each other: a line of JSON each.

The program writes to the child's standard input, first which source to watch (`SourceConfig.to_json`),
then orders. The child answers through a pipe of its own. Pictures do not go this way, but for those
that a phone uploads, whose bytes follow the line that announces them.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum


class Word(StrEnum):
    """What the child says."""

    READY = "ready"
    """It has started."""
    OPENING = "opening"
    """It tries to open the device."""
    FRAME = "frame"
    """The slot holds a new frame."""
    WAITING = "waiting"
    """It is well, and there is nothing new."""
    DAMAGED = "damaged"
    """A picture came that cannot be used."""
    GONE = "gone"
    """The device cannot be opened, or gives nothing any more; it is tried again."""
    NOTES = "notes"
    """What is worth knowing about the camera."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that the child says."""

    word: Word
    text: str = ""
    """Of `Word.GONE` and `Word.DAMAGED`: why."""
    notes: tuple[str, ...] = ()
    """Of `Word.NOTES`: a sentence each."""

    def to_line(self) -> bytes:
        """The line that says it."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> Message:
        """What `to_line` wrote. Raises ValueError, KeyError or TypeError for anything else."""
        fields = json.loads(line)
        return cls(Word(fields["word"]), str(fields["text"]), tuple(map(str, fields["notes"])))


@dataclass(frozen=True, slots=True)
class Order:
    """One thing that the program says."""

    jpeg_bytes: int = 0
    """So many bytes of a picture follow; 0 for none."""
    at_s: float = 0.0
    """When that picture came, by the steady clock of this machine."""
    adjust: bool = False
    """The camera is to adjust itself to the light again, and to hold still after that."""

    def to_line(self) -> bytes:
        """The line that says it."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> Order:
        """What `to_line` wrote. Raises ValueError or TypeError for anything else."""
        return cls(**json.loads(line))
